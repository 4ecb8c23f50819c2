//! A whole project in one string, as the catalogue's examples and the tests write it.
//!
//! Each file follows a header, `//- /packages/coinfeed/provider.jadpo`. Words after the path make what no text can
//! show: `hex:fffe` appends those bytes, `size:4194305` pads with spaces to that many bytes, and `link:../x` is a
//! symbolic link. A text before the first header is `/app.jadpo`.

use super::MemorySystem;

/// The files of a fixture, beneath `/`.
pub fn parse(text: &str) -> MemorySystem {
    let mut system = MemorySystem::new();
    let mut current: Option<Pending<'_>> = None;
    for line in text.split_inclusive('\n') {
        if let Some(header) = line.trim_start().strip_prefix("//- ") {
            if let Some(done) = current.take() {
                done.write(&mut system);
            }
            let mut words = header.split_whitespace();
            let path = words.next().unwrap_or("/app.jadpo").to_owned();
            current = Some(Pending { path, attributes: words.collect(), text: String::new() });
        } else if current.is_some() || !line.trim().is_empty() {
            current.get_or_insert_with(Pending::app).text.push_str(line);
        }
    }
    if let Some(done) = current {
        done.write(&mut system);
    }
    system
}

struct Pending<'a> {
    path: String,
    attributes: Vec<&'a str>,
    text: String,
}

impl Pending<'_> {
    fn app() -> Self {
        Self { path: "/app.jadpo".to_owned(), attributes: Vec::new(), text: String::new() }
    }

    fn write(self, system: &mut MemorySystem) {
        let mut bytes = self.text.into_bytes();
        for attribute in self.attributes {
            match attribute.split_once(':') {
                Some(("link", target)) => return system.link(&self.path, target),
                Some(("hex", digits)) => bytes.extend(hex(digits)),
                Some(("size", size)) => bytes.resize(size.parse().unwrap_or(bytes.len()), b' '),
                _ => {}
            }
        }
        system.write(&self.path, bytes);
    }
}

fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks_exact(2).filter_map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect()
}
