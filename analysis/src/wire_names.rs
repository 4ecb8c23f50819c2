//! What fields and variants are called on the wire.

use crate::model::VariantWire;
use crate::names;
use crate::signature::{Cases, FieldSignature, VariantSignature, WrittenWire};

/// A field's name on the wire, after `field_case:` and `as`.
pub fn field(cases: Cases, field: &FieldSignature) -> String {
    field.named.as_deref().map_or_else(|| spelt(cases.fields, &field.name), str::to_owned)
}

/// How a variant is sent, after `enum_case:` and `as`; `None` for a number that can't be.
pub fn variant(cases: Cases, variant: &VariantSignature) -> Option<VariantWire> {
    Some(match &variant.wire {
        None => VariantWire::Text(spelt(cases.variants, &variant.name)),
        Some(WrittenWire::Text(text)) => VariantWire::Text(text.to_string()),
        Some(WrittenWire::Int(int)) => VariantWire::Int((*int)?),
        Some(WrittenWire::Other) => VariantWire::Other,
    })
}

/// A `lower_snake_case` name in the case of this word.
fn spelt(case: &str, name: &str) -> String {
    match case {
        "camel" => {
            let pascal = names::upper_camel(name);
            let mut chars = pascal.chars();
            chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
        }
        "pascal" => names::upper_camel(name),
        "kebab" => name.replace('_', "-"),
        "screaming" => name.to_ascii_uppercase(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::spelt;

    #[test]
    fn a_name_is_spelt_word_by_word() {
        let spelt = |name| ["snake", "camel", "pascal", "kebab", "screaming"].map(|case| spelt(case, name));
        assert_eq!(spelt("fetched_at"), ["fetched_at", "fetchedAt", "FetchedAt", "fetched-at", "FETCHED_AT"]);
        assert_eq!(
            spelt("temperature_2m"),
            ["temperature_2m", "temperature2m", "Temperature2m", "temperature-2m", "TEMPERATURE_2M"]
        );
        assert_eq!(spelt("id"), ["id", "id", "Id", "id", "ID"]);
    }
}
