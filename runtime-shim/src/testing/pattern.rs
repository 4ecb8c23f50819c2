//! Which calls a scripted answer is for.

use url::Url;

/// `GET /v1/prices`, `/v1/notes/*`, `POST https://api.example/v1/orders`, `GET /v1/prices?day=*`.
///
/// The method may be left out. What begins with `/` fits that path at every provider. A `*` stands for one whole segment. What
/// has no `?` fits every query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    method: Option<String>,
    target: String,
}

impl Pattern {
    /// Reads one.
    pub fn new(text: &str) -> Pattern {
        let (method, target) = match text.trim().split_once(' ') {
            Some((method, target)) => (Some(method.to_ascii_uppercase()), target.trim()),
            None => (None, text.trim()),
        };
        assert!(
            target.starts_with('/') || target.starts_with("http://") || target.starts_with("https://"),
            "{text:?} names no calls: write `GET /v1/prices` or `GET https://api.example/v1/prices`"
        );
        Pattern { text: text.to_owned(), method, target: target.to_owned() }
    }

    /// Whether a call is one of those.
    pub fn fits(&self, method: &str, url: &str) -> bool {
        if self.method.as_ref().is_some_and(|wanted| wanted != method) {
            return false;
        }
        let Ok(url) = Url::parse(url) else { return false };
        let origin =
            if self.target.starts_with('/') { String::new() } else { url.origin().ascii_serialization() };
        let (wanted_path, wanted_query) = self.target.split_once('?').unzip();
        let path = format!("{origin}{}", url.path());
        fits_parts(wanted_path.unwrap_or(&self.target), &path, '/')
            && wanted_query.is_none_or(|wanted| fits_parts(wanted, url.query().unwrap_or(""), '&'))
    }

    /// How much it leaves open: of two that fit, the one that leaves less is meant.
    pub fn openness(&self) -> (usize, bool, bool, bool) {
        let stars = self.target.matches('*').count();
        (stars, !self.target.contains('?'), self.target.starts_with('/'), self.method.is_none())
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn fits_parts(wanted: &str, got: &str, between: char) -> bool {
    let (wanted, got): (Vec<&str>, Vec<&str>) =
        (wanted.split(between).collect(), got.split(between).collect());
    wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| fits_part(wanted, got))
}

fn fits_part(wanted: &str, got: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(head) if head.is_empty() || head.ends_with('=') => got.starts_with(head),
        _ => wanted == got,
    }
}
