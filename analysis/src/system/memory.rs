//! Files in memory: fixtures of tests, examples of the catalogue, and texts that an editor has not saved yet.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{DirEntry, FileKind, System};

/// How many links are followed before a path counts as a loop, as Linux does.
const LINKS_MAX: usize = 40;

/// A file system in memory. Directories exist as soon as something stands beneath them.
#[derive(Clone, Debug, Default)]
pub struct MemorySystem {
    /// By normal absolute path.
    nodes: BTreeMap<PathBuf, Node>,
}

#[derive(Clone, Debug)]
enum Node {
    File(Vec<u8>),
    /// To an absolute path, or one relative to the link's directory.
    Link(PathBuf),
}

impl MemorySystem {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a file there, in place of what stood there.
    pub fn write(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
        self.nodes.insert(normal(path.as_ref()), Node::File(bytes.into()));
    }

    /// Puts a symbolic link there.
    pub fn link(&mut self, path: impl AsRef<Path>, target: impl Into<PathBuf>) {
        self.nodes.insert(normal(path.as_ref()), Node::Link(target.into()));
    }

    /// Takes away what stands there.
    pub fn remove(&mut self, path: impl AsRef<Path>) {
        self.nodes.remove(&normal(path.as_ref()));
    }

    /// Follows every link of `path`.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let mut path = normal(path);
        for _ in 0..LINKS_MAX {
            let Some((at, target)) = self.first_link(&path) else { return Ok(path) };
            let rest = path.strip_prefix(&at).expect("the link is one of the path's ancestors").to_owned();
            let dir = at.parent().unwrap_or(Path::new("/"));
            path = normal(&dir.join(target).join(rest));
        }
        Err(io::Error::other("too many levels of symbolic links"))
    }

    fn first_link(&self, path: &Path) -> Option<(PathBuf, &Path)> {
        let mut at = PathBuf::new();
        for component in path.components() {
            at.push(component);
            if let Some(Node::Link(target)) = self.nodes.get(&at) {
                return Some((at, target));
            }
        }
        None
    }

    fn beneath<'a>(&'a self, dir: &'a Path) -> impl Iterator<Item = (&'a PathBuf, &'a Node)> {
        self.nodes.range(dir.to_owned()..).take_while(move |(path, _)| path.starts_with(dir))
    }
}

impl System for MemorySystem {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        match self.nodes.get(&self.resolve(path)?) {
            Some(Node::File(bytes)) => Ok(bytes[..bytes.len().min(limit)].to_vec()),
            _ => Err(not_found()),
        }
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let dir = self.resolve(dir)?;
        let mut entries = BTreeMap::new();
        for (path, node) in self.beneath(&dir) {
            let rest = path.strip_prefix(&dir).expect("only paths beneath the directory are walked");
            let mut parts = rest.components();
            let Some(first) = parts.next() else { continue };
            let kind = match node {
                _ if parts.next().is_some() => FileKind::Dir,
                Node::File(_) => FileKind::File,
                Node::Link(_) => FileKind::Link,
            };
            entries.insert(first.as_os_str().to_string_lossy().into_owned(), kind);
        }
        if entries.is_empty() {
            return Err(not_found());
        }
        Ok(entries.into_iter().map(|(name, kind)| DirEntry { name, kind }).collect())
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let path = self.resolve(path)?;
        if self.kind(&path).is_some() { Ok(path) } else { Err(not_found()) }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let path = self.resolve(path).ok()?;
        match self.nodes.get(&path) {
            Some(Node::File(_)) => Some(FileKind::File),
            Some(Node::Link(_)) => Some(FileKind::Link),
            None => self.beneath(&path).next().map(|_| FileKind::Dir),
        }
    }
}

/// `path` as an absolute one without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::Normal(part) => out.push(part),
            Component::ParentDir => {
                out.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    out
}

fn not_found() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "No such file or directory")
}
