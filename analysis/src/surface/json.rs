//! A surface as the text of a `surface.json`: canonical, so that one surface is one text, with digests.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use sha2::{Digest, Sha256};

use super::entry::{Operation, Provider, Surface, TypeEntry};
use super::version;

/// The version of this form; it changes when a reader of the old one would misread the new.
pub const VERSION: u64 = 1;

/// The form. Fields stand in the order of their names.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form<P, O, T> {
    digest: String,
    operations: BTreeMap<String, Entry<O>>,
    package: String,
    package_version: String,
    provider: Entry<P>,
    types: BTreeMap<String, Entry<T>>,
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<T> {
    digest: String,
    surface: T,
}

/// The version alone, which is read first: another one may have another form.
#[derive(Deserialize)]
struct Head {
    version: Option<serde_json::Value>,
}

/// The text of a surface, a line for each thing that can change, so that versions of it can be compared by line.
pub fn write(surface: &Surface) -> String {
    let operations = entries(&surface.operations);
    let provider = entry(&surface.provider);
    let types = entries(&surface.types);
    let form = Form {
        digest: whole(&surface.package, &operations, &provider, &types),
        operations,
        package: surface.package.clone(),
        package_version: surface.version.clone(),
        provider,
        types,
        version: VERSION,
    };
    let mut text = serde_json::to_string_pretty(&form).expect("a surface holds only texts, numbers and maps");
    text.push('\n');
    text
}

/// The surface of a text.
///
/// # Errors
/// With what is wrong with it, in a sentence, and the byte where, as far as that is known.
pub fn read(text: &str) -> Result<Surface, (String, usize)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let failed = |error: &serde_json::Error| (reason(error), offset(text, error));
    let head: Head = serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => ("it is no surface".to_owned(), 0),
        _ => failed(&error),
    })?;
    match head.version {
        None => return Err(("it says no `version`, so it is no surface".to_owned(), 0)),
        Some(version) if version.as_u64() == Some(VERSION) => {}
        Some(version) => {
            let message = format!("it is of version {version}, and this jadpo reads version {VERSION}");
            return Err((message, text.find("\"version\"").unwrap_or(0)));
        }
    }
    let form: Form<Provider, Operation, TypeEntry> =
        serde_json::from_str(text).map_err(|error| failed(&error))?;
    let at = |path: &[&str]| locate(text, path).map_or(0, |range| range.start);
    if !version::is_one(&form.package_version) {
        let message = format!("`{}` is no version by SemVer", form.package_version);
        return Err((message, at(&["package_version"])));
    }
    if let Some(path) = wrong_digest(&form) {
        let message = "it was changed by hand, or by a merge: its digest is that of another surface";
        return Err((message.to_owned(), at(&path)));
    }
    let surface = Surface {
        package: form.package,
        version: form.package_version,
        provider: form.provider.surface,
        operations: form.operations.into_iter().map(|(name, entry)| (name, entry.surface)).collect(),
        types: form.types.into_iter().map(|(name, entry)| (name, entry.surface)).collect(),
    };
    Ok(surface)
}

/// The path of the first digest that isn't the one of what stands beside it.
fn wrong_digest(form: &Form<Provider, Operation, TypeEntry>) -> Option<Vec<&str>> {
    if is_wrong(&form.provider) {
        return Some(vec!["provider", "digest"]);
    }
    if let Some(name) = wrong_entry(&form.operations) {
        return Some(vec!["operations", name, "digest"]);
    }
    if let Some(name) = wrong_entry(&form.types) {
        return Some(vec!["types", name, "digest"]);
    }
    let is = whole(&form.package, &form.operations, &form.provider, &form.types);
    (is != form.digest).then(|| vec!["digest"])
}

fn wrong_entry<T: Serialize>(entries: &BTreeMap<String, Entry<T>>) -> Option<&str> {
    entries.iter().find(|(_, entry)| is_wrong(entry)).map(|(name, _)| name.as_str())
}

fn is_wrong<T: Serialize>(entry: &Entry<T>) -> bool {
    sha256(&canonical(&entry.surface)) != entry.digest
}

fn entries<T: Serialize>(of: &BTreeMap<String, T>) -> BTreeMap<String, Entry<&T>> {
    of.iter().map(|(name, surface)| (name.clone(), entry(surface))).collect()
}

fn entry<T: Serialize>(surface: &T) -> Entry<&T> {
    Entry { digest: sha256(&canonical(surface)), surface }
}

/// The digest of the name of a package and of its entries' digests, in hexadecimal; its version is not compared.
fn whole<P, O, T>(
    package: &str,
    operations: &BTreeMap<String, Entry<O>>,
    provider: &Entry<P>,
    types: &BTreeMap<String, Entry<T>>,
) -> String {
    let operations = operations.iter().map(|(name, entry)| (&**name, &*entry.digest));
    let types = types.iter().map(|(name, entry)| (&**name, &*entry.digest));
    sha256(&canonical(&Digests {
        operations: operations.collect(),
        package,
        provider: &provider.digest,
        types: types.collect(),
    }))
}

#[derive(Serialize)]
struct Digests<'s> {
    operations: BTreeMap<&'s str, &'s str>,
    package: &'s str,
    provider: &'s str,
    types: BTreeMap<&'s str, &'s str>,
}

fn canonical<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("a surface holds only texts, numbers and maps")
}

fn sha256(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digest = Sha256::digest(bytes);
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// What is wrong, without the place: a diagnostic has its own.
fn reason(error: &serde_json::Error) -> String {
    let said = error.to_string();
    said.split_once(" at line ").map_or(said.clone(), |(reason, _)| reason.to_owned())
}

/// The byte of a place that the reader gives as a line and a column, both from 1.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let line = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let mut at = (line + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Where the key stands that a path of keys leads to in the text of a surface, quotes included.
pub fn locate(text: &str, path: &[&str]) -> Option<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut matched) = (0, 0_usize, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = string_end(bytes, at);
                let is_key = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
                if is_key && depth <= matched {
                    // The thing that the last matched key names has ended.
                    return None;
                }
                if is_key && depth == matched + 1 && key_is(&text[at..end], path.get(matched)?) {
                    matched += 1;
                    if matched == path.len() {
                        return Some(at..end);
                    }
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn key_is(written: &str, key: &str) -> bool {
    written.len() == key.len() + 2 && written[1..].starts_with(key)
        || serde_json::from_str::<String>(written).is_ok_and(|read| read == key)
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::locate;

    #[test]
    fn a_key_is_found_beneath_the_keys_that_lead_to_it() {
        let text = r#"{"a": {"x": "b", "b": {"c": 1}}, "b": {"d": [{"c": 2}], "c\"": 3}, "e": {"d": 4}}"#;
        let found = |path: &[&str]| locate(text, path).map(|range| (range.start, &text[range]));
        assert_eq!(found(&["a", "b", "c"]), Some((23, "\"c\"")));
        assert_eq!(found(&["b", "d"]), Some((39, "\"d\"")));
        assert_eq!(found(&["b", "c\""]), Some((56, "\"c\\\"\"")));
        assert_eq!(found(&["a", "d"]), None);
        assert_eq!(found(&["b", "c"]), None);
        assert_eq!(found(&["e", "d", "x"]), None);
        assert_eq!(locate("{\"a", &["a"]), None);
    }
}
