//! How values of generated types are read and written: the same bytes as the plan's shapes give.

use jadpo_analysis::model::{BytesWire, Field, InstantWire, ItemsRule, RangeRule, TextRule, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::constraints::{checked, decimal_check, int_check, items_check, number, option, text_check};
use super::usage::field_name;

/// The codec of an object; the table of fields is in the byte order of their declared names.
pub fn object(name: &Ident, fields: &[Field]) -> TokenStream {
    let mut sorted: Vec<_> = fields.iter().collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let table = sorted.iter().map(|field| {
        let (name, wire, required) = (&field.name, &field.wire, !field.optional);
        let at = option(field.at.as_ref());
        quote!(Field { name: #name, wire: #wire, at: #at, required: #required })
    });
    let codec = wire_impl(name, &read_object(&sorted), &write_object(&sorted));
    quote! {
        impl super::#name {
            const FIELDS: &'static [Field] = &[#(#table),*];
        }
        #codec
    }
}

/// The module of a module's codecs. The names that it imports are its own: no type of the manifest is in its scope, so
/// here the language's and the runtime's names are short.
pub fn module(codecs: &TokenStream) -> TokenStream {
    if codecs.is_empty() {
        return TokenStream::new();
    }
    quote! {
        /// How the values of these types are read and written.
        mod codec {
            use ::jadpo_runtime::codec::{
                ConstraintError, DecimalCheck, Field, IntCheck, ItemsCheck, MapKey, Mismatch, Picked, Reader, TextCheck, VariantTable,
                Wire, Writer, present, read_bytes, read_instant, write_bytes, write_instant,
            };
            use ::jadpo_runtime::plan::{BytesWire, InstantWire};
            use ::jadpo_runtime::sql::{SqlValue, ToSql};
            use ::jadpo_runtime::Decimal;
            use ::std::borrow::Cow;
            use ::std::collections::BTreeMap;
            use ::std::fmt;

            #codecs
        }
    }
}

/// `Wire` for a type: `read` is an expression over `reader`, `write` one over `self` and `writer`.
pub fn wire_impl(name: &Ident, read: &TokenStream, write: &TokenStream) -> TokenStream {
    quote! {
        impl Wire for super::#name {
            fn read(
                reader: &mut Reader<'_>,
            ) -> Result<Self, Mismatch> {
                #read
            }

            fn write(&self, writer: &mut Writer) {
                #write
            }
        }
    }
}

fn read_object(sorted: &[&Field]) -> TokenStream {
    // The prefix keeps a field called `reader` apart from the reader.
    let got: Vec<_> = sorted.iter().map(|field| format_ident!("got_{}", field.name)).collect();
    let arms = sorted.iter().zip(&got).enumerate().map(|(index, (field, got))| {
        let read = read(&field.ty);
        let pattern = if index + 1 == sorted.len() { quote!(_) } else { number(index) };
        quote!(#pattern => #got = Some(#read?))
    });
    let each = match sorted {
        [] => quote!(|_, _| Ok(())),
        [field] => {
            let (got, read) = (&got[0], read(&field.ty));
            quote!(|reader, _| {
                #got = Some(#read?);
                Ok(())
            })
        }
        _ => quote!(|reader, field| {
            match field { #(#arms,)* }
            Ok(())
        }),
    };
    let values = sorted.iter().zip(&got).map(|(field, got)| {
        let name = field_name(&field.name);
        if field.optional { quote!(#name: #got) } else { quote!(#name: present(#got)) }
    });
    quote! {
        #(let mut #got = None;)*
        reader.object(Self::FIELDS, #each)?;
        Ok(Self { #(#values),* })
    }
}

fn write_object(sorted: &[&Field]) -> TokenStream {
    if sorted.is_empty() {
        return quote!(writer.object(Self::FIELDS).end(););
    }
    let fields = sorted.iter().enumerate().map(|(index, field)| {
        let (index, name) = (number(index), field_name(&field.name));
        let value = if field.optional { quote!(value) } else { quote!(&self.#name) };
        let written = if is_written_plainly(&field.ty) {
            quote!(object.field(#index, #value);)
        } else {
            let write = write(&field.ty, &value);
            quote!(object.field_with(#index, |writer| { #write });)
        };
        if field.optional { quote!(if let Some(value) = &self.#name { #written }) } else { written }
    });
    quote! {
        let mut object = writer.object(Self::FIELDS);
        #(#fields)*
        object.end();
    }
}

/// An expression over `reader` that gives a `Result` of the type's value.
pub fn read(ty: &Type) -> TokenStream {
    match ty {
        Type::Instant(wire) if *wire != InstantWire::default() => {
            let wire = instant_wire(*wire);
            quote!(read_instant(reader, #wire))
        }
        Type::Bytes(wire) if *wire != BytesWire::default() => {
            let wire = bytes_wire(*wire);
            quote!(read_bytes(reader, #wire))
        }
        Type::List(item, rule) if !is_read_plainly(item) => {
            let item = read(item);
            let list = quote!({
                let mut items = Vec::new();
                let read = reader.list(|reader| {
                    items.push(#item?);
                    Ok(())
                });
                read.map(|()| items)
            });
            checked(list, items_check(rule), &quote!(value))
        }
        Type::List(_, rule) if !is_read_plainly(ty) => {
            checked(quote!(Vec::read(reader)), items_check(rule), &quote!(value))
        }
        Type::Map(_, value) if !is_read_plainly(value) => {
            let value = read(value);
            quote!(reader.map(MapKey::read_key, |reader| #value))
        }
        Type::Nullable(inner) if !is_read_plainly(inner) => {
            let inner = read(inner);
            quote!(match reader.null() {
                Ok(true) => Ok(None),
                Ok(false) => #inner.map(Some),
                Err(mismatch) => Err(mismatch),
            })
        }
        Type::Text(rule) if !is_read_plainly(ty) => {
            checked(quote!(String::read(reader)), text_check(rule), &quote!(value))
        }
        Type::Int(rule) if !is_read_plainly(ty) => {
            checked(quote!(i64::read(reader)), int_check(rule), &quote!(*value))
        }
        Type::Decimal(rule) if !is_read_plainly(ty) => {
            checked(quote!(Decimal::read(reader)), decimal_check(rule), &quote!(value))
        }
        _ => plain(),
    }
}

/// As [`read`], leaving the type's own constraints, but not those within it, to the caller.
pub fn read_unchecked(ty: &Type) -> TokenStream {
    match ty {
        Type::Text(_) | Type::Int(_) | Type::Decimal(_) => plain(),
        Type::List(item, _) => read(&Type::List(item.clone(), ItemsRule::default())),
        _ => read(ty),
    }
}

/// A statement over `writer` that writes `value`, a reference.
pub fn write(ty: &Type, value: &TokenStream) -> TokenStream {
    match ty {
        Type::Instant(wire) if *wire != InstantWire::default() => {
            let wire = instant_wire(*wire);
            quote!(write_instant(writer, #value, #wire);)
        }
        Type::Bytes(wire) if *wire != BytesWire::default() => {
            let wire = bytes_wire(*wire);
            quote!(write_bytes(writer, #value, #wire);)
        }
        Type::List(item, _) if !is_written_plainly(item) => {
            let item = write(item, &quote!(value));
            quote!(writer.list(#value, |writer, value| { #item });)
        }
        Type::Map(_, item) if !is_written_plainly(item) => {
            let item = write(item, &quote!(value));
            quote! {
                writer.map(
                    BTreeMap::iter(#value).map(|(key, value)| (MapKey::write_key(key), value)),
                    |writer, value| { #item },
                );
            }
        }
        Type::Nullable(inner) if !is_written_plainly(inner) => {
            let inner = write(inner, &quote!(value));
            quote! {
                match #value {
                    Some(value) => { #inner }
                    None => writer.null(),
                }
            }
        }
        _ => quote!(Wire::write(#value, writer);),
    }
}

fn plain() -> TokenStream {
    quote!(Wire::read(reader))
}

/// Whether the type's own `Wire` reads it, with nothing to check that stands at its use.
fn is_read_plainly(ty: &Type) -> bool {
    match ty {
        Type::Text(rule) => *rule == TextRule::default(),
        Type::Int(rule) | Type::Decimal(rule) => *rule == RangeRule::default(),
        Type::List(item, rule) => *rule == ItemsRule::default() && is_read_plainly(item),
        Type::Map(_, value) => is_read_plainly(value),
        Type::Nullable(inner) => is_read_plainly(inner),
        _ => is_written_plainly(ty),
    }
}

fn is_written_plainly(ty: &Type) -> bool {
    match ty {
        Type::Instant(wire) => *wire == InstantWire::default(),
        Type::Bytes(wire) => *wire == BytesWire::default(),
        Type::List(inner, _) | Type::Map(_, inner) | Type::Nullable(inner) => is_written_plainly(inner),
        _ => true,
    }
}

fn instant_wire(wire: InstantWire) -> TokenStream {
    let variant = match wire {
        InstantWire::Rfc3339 => quote!(Rfc3339),
        InstantWire::UnixS => quote!(UnixS),
        InstantWire::UnixMs => quote!(UnixMs),
        InstantWire::Rfc2822 => quote!(Rfc2822),
    };
    quote!(InstantWire::#variant)
}

fn bytes_wire(wire: BytesWire) -> TokenStream {
    let variant = match wire {
        BytesWire::Base64 => quote!(Base64),
        BytesWire::Base64Url => quote!(Base64url),
        BytesWire::Hex => quote!(Hex),
    };
    quote!(BytesWire::#variant)
}
