//! Constraints of types, as checks that generated code makes.

use jadpo_analysis::model::{ItemsRule, RangeRule, TextRule, Type};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

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

/// What `read` gives, checked; `value` is how the check takes what it knows as `value`, a reference.
pub fn checked(read: TokenStream, check: Check, value: &TokenStream) -> TokenStream {
    let Some((ty, make)) = check else { return read };
    quote!({
        static CHECK: #ty = #ty::#make;
        #read.and_then(|value| reader.checked(value, |value| CHECK.check(#value)))
    })
}

/// A number without the suffix that says its type, as a person writes it.
pub fn number(value: impl TryInto<u64>) -> TokenStream {
    let value = value.try_into().map_or(u64::MAX, |value| value);
    let literal = Literal::u64_unsuffixed(value);
    quote!(#literal)
}

/// An `Option` of Rust.
pub fn option<T: quote::ToTokens>(value: Option<T>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}
