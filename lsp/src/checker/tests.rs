//! What an edit in the middle of a check leaves of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::thread;

use jadpo_analysis::system::MemorySystem;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;
use crate::documents::Documents;
use crate::projects::Projects;

const EDITED: &str = "/edited/app.jadpo";
const TEXT: &str = "app edited { }\n";

/// Two projects, of which a document of one is open.
fn projects() -> (Projects, Documents) {
    let mut disk = MemorySystem::default();
    disk.write(EDITED, TEXT.as_bytes());
    disk.write("/other/app.jadpo", b"app other { }\ntype A = Nowhere\n");
    let (mut projects, mut documents) = (Projects::new(Arc::new(disk)), Documents::default());
    let uri = Url::from_file_path(EDITED).unwrap();
    documents.open(uri, Some(PathBuf::from(EDITED)), 1, TEXT.to_owned());
    projects.arrange(&["/edited", "/other"].map(PathBuf::from).into(), &documents);
    (projects, documents)
}

fn checker() -> (Checker, UnboundedReceiver<Outgoing>) {
    let (outgoing, sent) = unbounded_channel();
    (Checker { listed: BTreeMap::new(), published: BTreeMap::new(), outgoing }, sent)
}

/// The documents that something was found in, in the order in which that was said.
fn told(sent: &mut UnboundedReceiver<Outgoing>) -> Vec<String> {
    let mut told = Vec::new();
    while let Ok(outgoing) = sent.try_recv() {
        if let Outgoing::Diagnostics(uri, shown) = outgoing
            && !shown.diagnostics.is_empty()
        {
            told.push(uri.path().to_owned());
        }
    }
    told
}

#[test]
fn what_is_wrong_in_another_project_is_told_with_the_edit_that_broke_its_check_off() {
    let (mut projects, documents) = projects();
    let job = |projects: &mut Projects| Job {
        changed: projects.take_changed(),
        all: projects.ids(),
        edited: BTreeSet::new(),
        open: documents.open_paths(),
        encoding: Encoding::default(),
    };
    let first = job(&mut projects);
    let (_, old) = first.changed.iter().find(|(_, it)| it.root() == Path::new("/edited")).unwrap();
    let old = old.clone();
    let edit = thread::spawn(move || {
        projects.set_text(Path::new(EDITED), &Arc::from("app edited { }\n// More.\n"));
        projects
    });
    // The edit waits for the end of every snapshot, and from then on breaks off what reads one.
    while old.attempt(Workspace::check).is_some() {
        thread::yield_now();
    }
    drop(old);
    let (mut checker, mut sent) = checker();
    checker.check(first);
    assert_eq!(told(&mut sent), [""; 0]);
    let mut projects = edit.join().unwrap();
    let second = job(&mut projects);
    assert_eq!(second.changed.len(), 1, "only what was edited is checked again");
    checker.check(second);
    assert_eq!(told(&mut sent), ["/other/app.jadpo"]);
}
