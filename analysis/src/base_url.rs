//! A `base_url` taken apart: scheme, host, port and path, holes included.

use crate::values::{Hole, HoleSource, Part, Template};

/// A `base_url` that starts with a scheme.
pub struct BaseUrl<'t, 'a> {
    http: bool,
    host: Vec<Piece<'t, 'a>>,
    /// What stands behind the host's colon; empty where there is none.
    port: Vec<Piece<'t, 'a>>,
    path: Vec<Piece<'t, 'a>>,
}

/// A part of it.
#[derive(Clone, Copy)]
pub enum Piece<'t, 'a> {
    /// Text as it stands.
    Text(&'a str),
    /// A hole.
    Hole(&'t Hole<'a>),
}

impl<'t, 'a> BaseUrl<'t, 'a> {
    /// `None` for one that starts with neither `https://` nor `http://`.
    pub fn split(template: &'t Template<'a>) -> Option<Self> {
        let mut parts = template.parts.iter();
        let Part::Text(start) = parts.next()? else { return None };
        let (http, rest) = match (start.strip_prefix("https://"), start.strip_prefix("http://")) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => return None,
        };
        let pieces = parts.map(|part| match part {
            Part::Text(text) => Piece::Text(text),
            Part::Hole(hole) => Piece::Hole(hole),
        });
        let mut url = Self { http, host: Vec::new(), port: Vec::new(), path: Vec::new() };
        let mut reading = Reading::Host;
        for piece in std::iter::once(Piece::Text(rest)).chain(pieces) {
            match piece {
                Piece::Text(text) => url.text(&mut reading, text),
                Piece::Hole(_) => url.part(reading).push(piece),
            }
        }
        Some(url)
    }

    fn text(&mut self, reading: &mut Reading, text: &'a str) {
        let mut rest = text;
        while let Some((end, next)) = reading.end(rest) {
            self.part(*reading).push(Piece::Text(&rest[..end]));
            // The colon belongs to nobody, the slash to the path.
            rest = if next == Reading::Port { &rest[end + 1..] } else { &rest[end..] };
            *reading = next;
        }
        self.part(*reading).push(Piece::Text(rest));
    }

    fn part(&mut self, reading: Reading) -> &mut Vec<Piece<'t, 'a>> {
        match reading {
            Reading::Host | Reading::Address => &mut self.host,
            Reading::Port => &mut self.port,
            Reading::Path => &mut self.path,
        }
    }

    /// Whether it starts with `http://`.
    pub fn is_http(&self) -> bool {
        self.http
    }

    /// The first setting in its host.
    pub fn host_setting(&self) -> Option<&'a str> {
        self.host_holes().find(|hole| hole.source == HoleSource::Settings).map(|hole| hole.name)
    }

    /// The holes in its host.
    pub fn host_holes(&self) -> impl Iterator<Item = &'t Hole<'a>> {
        self.host.iter().filter_map(|piece| match piece {
            Piece::Hole(hole) => Some(*hole),
            Piece::Text(_) => None,
        })
    }

    /// Its host, where no setting has a part in it.
    pub fn literal_host(&self) -> Option<String> {
        self.host_holes().next().is_none().then(|| filled(&self.host, ""))
    }

    /// An address of the same form, with something harmless in each hole.
    pub fn example(&self) -> String {
        let scheme = if self.http { "http" } else { "https" };
        let port = if self.port.is_empty() { String::new() } else { format!(":{}", filled(&self.port, "1")) };
        format!("{scheme}://{}{port}{}", filled(&self.host, "x"), filled(&self.path, "x"))
    }
}

/// Which part a text belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Host,
    /// Inside the brackets of an IPv6 address, whose colons start no port.
    Address,
    Port,
    Path,
}

impl Reading {
    /// Where in `text` this part ends, and what follows.
    fn end(self, text: &str) -> Option<(usize, Self)> {
        match self {
            Self::Host => {
                let at = text.find(['[', ':', '/', '?', '#'])?;
                match text.as_bytes()[at] {
                    // The bracket itself belongs to the host: it is passed with the address.
                    b'[' => Some((at, Self::Address)),
                    b':' => Some((at, Self::Port)),
                    _ => Some((at, Self::Path)),
                }
            }
            Self::Address => text.find(']').map(|at| (at, Self::Host)),
            Self::Port => text.find(['/', '?', '#']).map(|at| (at, Self::Path)),
            Self::Path => None,
        }
    }
}

fn filled(pieces: &[Piece<'_, '_>], hole: &str) -> String {
    let text = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => text,
        Piece::Hole(_) => hole,
    });
    text.collect()
}
