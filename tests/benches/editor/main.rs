//! What one waits for while typing: from an edit to the diagnostics that tell of it, in a workspace of 100,000 lines, with
//! what the server needs until it is ready, in memory, and after many edits. Beside it `ty`'s server, with as much work.
//!
//! `cargo bench -p jadpo-tests --bench editor`. The peer is measured when it is on the `PATH`, memory under Linux.

mod client;
mod work;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use jadpo_tests::binaries::binary;
use jadpo_tests::measure::{self, ms};
use jadpo_tests::sized::Kind;

use client::{Client, Mode};
use work::{Edit, Work};

/// Edits of each kind that are measured, and those before them that are not.
const EDITS: usize = 200;
const WARM_UP: usize = 6;

/// How often a server is started to see how long that takes.
const STARTS: usize = 7;

/// Edits between the two looks at its memory, and those before the first.
const MANY: usize = 2_000;
const FEW: usize = 50;

/// A server and what it works on.
struct Side {
    name: &'static str,
    program: PathBuf,
    word: &'static str,
    language: &'static str,
    folder: PathBuf,
    work: Work,
}

fn main() {
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    // Servers answer with paths without links.
    let root = folder.path().canonicalize().expect("the folder is there");
    let side = |kind: Kind, name, program, word, language| {
        let folder = root.join(name);
        let work = work::write(kind, &folder);
        Side { name, program, word, language, folder, work }
    };
    let mut sides = vec![side(Kind::Jadpo, "jadpo", binary("jadpo", "jadpo"), "lsp", "jadpo")];
    sides.extend(measure::on_path("ty").map(|ty| side(Kind::Python, "ty", ty, "server", "python")));
    let mut text = String::new();
    let pull = |side: &Side| if side.name == "ty" { Mode::Pull } else { Mode::Push };
    let push = |_: &Side| Mode::Push;
    edits(&mut text, &sides, "a file of 10,000 lines", |work| &work.large, push);
    edits(&mut text, &sides, "a file of 200 lines", |work| &work.small, push);
    // `ty` tells nothing of other files by itself.
    edits(&mut text, &sides, "a file that 50 others use", |work| &work.shared, pull);
    starts(&mut text, &sides);
    growth(&mut text, &sides);
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).expect("standard output is open");
}

impl Side {
    fn start(&self, mode: Mode) -> Client {
        let mut command = Command::new(&self.program);
        command.arg(self.word);
        Client::start(command, &self.folder, mode)
    }

    /// Opens what an edit needs and waits until everything is right in it.
    fn ready(&self, edit: &Edit, mode: Mode) -> Client {
        let mut client = self.start(mode);
        client.open(&edit.file, self.language, &edit.text);
        if edit.shows != edit.file {
            let text = std::fs::read_to_string(&edit.shows).expect("the file was written");
            client.open(&edit.shows, self.language, &text);
        }
        client.wait_for(&edit.shows, |count| count == 0);
        client
    }

    /// Waits until a server that checks everything has done so, though what is open is told of before.
    fn settle(&self, client: &mut Client) {
        if let Some(closed) = &self.work.closed {
            client.wait_for(closed, |count| count > 0);
        }
    }

    /// Ready and settled.
    fn settled(&self, edit: &Edit, mode: Mode) -> Client {
        let mut client = self.ready(edit, mode);
        self.settle(&mut client);
        client
    }
}

/// From an edit to the diagnostics that tell of it. The mistake is made and mended by turns, and so are the servers asked.
fn edits(
    text: &mut String,
    sides: &[Side],
    what: &str,
    edit: impl Fn(&Work) -> &Edit,
    mode: impl Fn(&Side) -> Mode,
) {
    let mut clients: Vec<_> = sides.iter().map(|side| side.settled(edit(&side.work), mode(side))).collect();
    let mut times = vec![Vec::new(); sides.len()];
    for number in 0..WARM_UP + EDITS {
        for ((side, client), times) in sides.iter().zip(&mut clients).zip(&mut times) {
            let time = toggle(client, edit(&side.work), number.is_multiple_of(2));
            if number >= WARM_UP {
                times.push(time);
            }
        }
    }
    for ((side, client), mut times) in sides.iter().zip(&clients).zip(times) {
        times.sort();
        let (half, most) = (times[times.len() / 2], times[times.len() * 95 / 100]);
        let line = format!("{:.2} ms, 95 of 100 below {:.2} ms", ms(half), ms(most));
        say(text, side, what, &format!("{line}, {} at most", memory(client.peak_kib())));
    }
}

fn toggle(client: &mut Client, edit: &Edit, breaks: bool) -> Duration {
    let (before, after) = if breaks { (&edit.right, &edit.wrong) } else { (&edit.wrong, &edit.right) };
    let begun = Instant::now();
    client.replace_line(&edit.file, edit.line, before, after);
    client.wait_for(&edit.shows, |count| (count > 0) == breaks);
    begun.elapsed()
}

/// From the start of the process to the first diagnostics of the large file, and until all is checked where that is told.
fn starts(text: &mut String, sides: &[Side]) {
    let mut times = vec![(Vec::new(), Vec::new()); sides.len()];
    for _ in 0..STARTS {
        for (side, (first, all)) in sides.iter().zip(&mut times) {
            let mut client = side.ready(&side.work.large, Mode::Push);
            first.push(client.started.elapsed());
            side.settle(&mut client);
            all.push(client.started.elapsed());
        }
    }
    for (side, (mut first, mut all)) in sides.iter().zip(times) {
        first.sort();
        all.sort();
        let all = side
            .work
            .closed
            .iter()
            .map(|_| format!(", {:.0} ms until all is checked", ms(all[all.len() / 2])));
        let line = format!("{:.0} ms{}", ms(first[first.len() / 2]), all.collect::<String>());
        say(text, side, "from start to ready", &line);
    }
}

/// The most memory after a few and after many edits.
fn growth(text: &mut String, sides: &[Side]) {
    for side in sides {
        let edit = &side.work.small;
        let mut client = side.settled(edit, Mode::Push);
        let mut at = [FEW, MANY].into_iter().map(|edits| {
            (0..edits).for_each(|number| {
                toggle(&mut client, edit, number.is_multiple_of(2));
            });
            client.peak_kib()
        });
        let (few, many) = (at.next().flatten(), at.next().flatten());
        let more = few.zip(many).map(|(few, many)| 100.0 * (f64::from(many) / f64::from(few) - 1.0));
        let more = more.map_or_else(String::new, |more| format!(", {more:.1} % more"));
        let line = format!("{} and {}{more}", memory(few), memory(many));
        say(text, side, "memory after 50 and 2,050 edits", &line);
    }
}

fn say(text: &mut String, side: &Side, what: &str, line: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{:<6}{what:<32}{line}", side.name);
}

fn memory(kib: Option<u32>) -> String {
    kib.map_or_else(|| "-".to_owned(), |kib| format!("{:.1} MiB", f64::from(kib) / 1_024.0))
}
