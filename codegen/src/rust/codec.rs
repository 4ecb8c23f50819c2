//! How values of generated types are read and written: the same bytes as the plan's shapes give.

use jadpo_analysis::model::{BytesWire, Field, InstantWire, ItemsRule, RangeRule, TextRule, Type};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

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

/// Statements that return the `ConstraintError` of `value`, a reference; `None` where nothing is to be kept.
pub fn checks(ty: &Type, value: &TokenStream) -> Option<TokenStream> {
    let own = |check: Check, value: TokenStream| {
        check.map(|(ty, make)| {
            quote!({
                static CHECK: #ty = #ty::#make;
                CHECK.check(#value)?;
            })
        })
    };
    match ty {
        Type::Text(rule) => own(text_check(rule), value.clone()),
        Type::Int(rule) => own(int_check(rule), quote!(*#value)),
        Type::Decimal(rule) => own(decimal_check(rule), value.clone()),
        Type::List(item, rule) => {
            let length = own(items_check(rule), value.clone());
            let items = checks(item, &quote!(value)).map(|checks| quote!(for value in #value { #checks }));
            if length.is_none() && items.is_none() { None } else { Some(quote!(#length #items)) }
        }
        Type::Map(_, item) => {
            checks(item, &quote!(value)).map(|checks| quote!(for value in #value.values() { #checks }))
        }
        Type::Nullable(inner) => {
            checks(inner, &quote!(value)).map(|checks| quote!(if let Some(value) = #value { #checks }))
        }
        _ => None,
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

/// A check of a type's constraints as an expression that makes it, and the type of that; `None` where there are none.
pub type Check = Option<(TokenStream, TokenStream)>;

/// The check of a text.
pub fn text_check(rule: &TextRule) -> Check {
    if *rule == TextRule::default() {
        return None;
    }
    let (min, max) = (option(rule.min_length.map(number)), option(rule.max_length.map(number)));
    let pattern = option(rule.pattern.as_ref());
    Some((quote!(TextCheck), quote!(new(#min, #max, #pattern))))
}

/// The check of an integer.
pub fn int_check(rule: &RangeRule) -> Check {
    if *rule == RangeRule::default() {
        return None;
    }
    let bound = |text: &Option<String>| {
        option(text.as_deref().and_then(|text| text.parse::<i64>().ok()).map(Literal::i64_unsuffixed))
    };
    let (min, max) = (bound(&rule.min), bound(&rule.max));
    Some((quote!(IntCheck), quote!(new(#min, #max))))
}

/// The check of a decimal.
pub fn decimal_check(rule: &RangeRule) -> Check {
    if *rule == RangeRule::default() {
        return None;
    }
    let (min, max) = (option(rule.min.as_ref()), option(rule.max.as_ref()));
    Some((quote!(DecimalCheck), quote!(new(#min, #max))))
}

/// The check of a list.
pub fn items_check(rule: &ItemsRule) -> Check {
    if *rule == ItemsRule::default() {
        return None;
    }
    let (min, max) = (option(rule.min_items.map(number)), option(rule.max_items.map(number)));
    Some((quote!(ItemsCheck), quote!(new(#min, #max))))
}

fn checked(read: TokenStream, check: Check, value: &TokenStream) -> TokenStream {
    let Some((ty, make)) = check else { return read };
    quote!({
        static CHECK: #ty = #ty::#make;
        #read.and_then(|value| reader.checked(value, |value| CHECK.check(#value)))
    })
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

/// A number without the suffix that says its type, as a person writes it.
pub fn number(value: impl TryInto<u64>) -> TokenStream {
    let value = value.try_into().map_or(u64::MAX, |value| value);
    let literal = Literal::u64_unsuffixed(value);
    quote!(#literal)
}

fn option<T: quote::ToTokens>(value: Option<T>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}
