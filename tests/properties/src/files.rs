//! The files of an input in any bytes: what follows a `//- /path` line, up to the next one.
//!
//! Of the words after a path only `link:` counts; those that make bytes would let a short input fill the memory.

use jadpo_analysis::system::MemorySystem;

/// The most files of one input.
const FILES_MAX: usize = 24;

/// A file of an input.
#[derive(Clone, Debug)]
pub struct File {
    /// Beneath `/`.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Where it leads, if it is a link.
    pub link: Option<String>,
}

/// The files of an input. Without a header it is an `app.jadpo`, or a `provider.jadpo` when it declares a provider.
pub fn files(input: &[u8]) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for line in input.split_inclusive(|byte| *byte == b'\n') {
        if let Some(header) = line.strip_prefix(b"//- /").filter(|_| files.len() < FILES_MAX) {
            let header = String::from_utf8_lossy(header).replace('\0', "");
            let mut words = header.split_whitespace();
            let path = format!("/{}", words.next().unwrap_or("app.jadpo"));
            let link = words.find_map(|word| word.strip_prefix("link:")).map(str::to_owned);
            files.push(File { path, bytes: Vec::new(), link });
        } else if let Some(file) = files.last_mut() {
            file.bytes.extend_from_slice(line);
        } else {
            let is_package = input.windows(9).any(|word| word == b"provider ");
            let path = if is_package { "/provider.jadpo" } else { "/app.jadpo" };
            files.push(File { path: path.to_owned(), bytes: line.to_vec(), link: None });
        }
    }
    files
}

/// A file system with these files.
pub fn system(files: &[File]) -> MemorySystem {
    let mut system = MemorySystem::new();
    for file in files {
        match &file.link {
            Some(target) => system.link(&file.path, target),
            None => system.write(&file.path, &*file.bytes),
        }
    }
    system
}
