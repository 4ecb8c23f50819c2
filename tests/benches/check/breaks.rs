//! `jadpo surface diff` beside `buf breaking`: two trees of the largest size, of which one has three breaks in the first
//! file of each chain of ten. Every one must be found, and no other.

use std::fs;
use std::path::Path;
use std::process::Command;

use jadpo_tests::measure::{self, Job};
use jadpo_tests::sized::{self, CHAIN, Kind};

/// Breaks in a file that has some: a field removed, a field's type changed, an operation removed.
const BREAKS: usize = 3;

/// The work; that of `buf` only where it is installed.
pub fn jobs(jadpo: &Path, folder: &Path, lines: usize) -> Vec<Job> {
    let mut jobs = Vec::new();
    for kind in [Kind::Jadpo, Kind::Proto] {
        let (old, new) = (folder.join(format!("{kind:?}-old")), folder.join(format!("{kind:?}-new")));
        let made = sized::write(kind, &old, lines);
        sized::write(kind, &new, lines);
        let files = made.files - 1;
        let broken = (0..files).step_by(CHAIN).map(|file| plant(kind, &new, file)).count();
        let input = format!("two trees of {} lines, {} breaks", made.lines, broken * BREAKS);
        match kind {
            Kind::Jadpo => {
                hold(jadpo, &old, &new, broken * BREAKS);
                let mut command = diff(jadpo, &old, &new);
                command.args(["--color", "never"]);
                jobs.push(Job::new("surface diff", &input, command, "3 breaking changes: version 2.0.0"));
            }
            Kind::Proto | Kind::Python | Kind::Toml => jobs.extend(buf(&old, &new, &input)),
        }
    }
    jobs
}

/// Plants the breaks into the first unit of a file.
fn plant(kind: Kind, tree: &Path, file: usize) {
    let path = tree.join(sized::path(kind, file));
    let mut text = fs::read_to_string(&path).expect("the file was written");
    let unit = format!("{file}x0");
    match kind {
        Kind::Jadpo => {
            cut(&mut text, "    weight: Decimal\n", "");
            let receipt = text.find("public type Receipt").expect("each unit has a receipt");
            let mut rest = text.split_off(receipt);
            cut(&mut rest, "    pieces: Int\n", "    pieces: Text\n");
            let start = rest.find("/// Removes a parcel.").expect("each unit removes parcels");
            let length = rest[start..].find("}\n\n").expect("a block ends") + 3;
            rest.replace_range(start..start + length, "");
            text += &rest;
            // A version that admits the breaks: what is measured ends with success.
            cut(&mut text, "version: \"1.0.0\"", "version: \"2.0.0\"");
        }
        Kind::Proto | Kind::Python | Kind::Toml => {
            cut(&mut text, "  double weight = 4;\n", "");
            let receipt = text.find("message Receipt").expect("each unit has a receipt");
            let mut rest = text.split_off(receipt);
            cut(&mut rest, "  int64 pieces = 2;\n", "  string pieces = 2;\n");
            let rpc = format!("  rpc RemoveParcel{unit}(Parcel{unit}) returns (Receipt{unit});\n");
            cut(&mut rest, &rpc, "");
            text += &rest;
        }
    }
    fs::write(&path, text).expect("temporary folders can be written");
}

/// Replaces the first `from`.
fn cut(text: &mut String, from: &str, to: &str) {
    let start = text.find(from).unwrap_or_else(|| panic!("`{from}` stands in each unit"));
    text.replace_range(start..start + from.len(), to);
}

fn diff(jadpo: &Path, old: &Path, new: &Path) -> Command {
    let mut command = Command::new(jadpo);
    command.args(["surface", "diff"]).arg(new).arg("--against").arg(old);
    command
}

/// All breaks are found, and nothing else is.
fn hold(jadpo: &Path, old: &Path, new: &Path, breaks: usize) {
    let output = diff(jadpo, old, new).args(["--format", "json"]).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let count = |text: &str| said.matches(text).count();
    assert_eq!((count("\"class\":\"breaking\""), count("\"class\":")), (breaks, breaks), "{said}");
}

/// `buf` ends with 100 when it has found breaks.
fn buf(old: &Path, new: &Path, input: &str) -> Option<Job> {
    let buf = measure::on_path("buf")?;
    let mut command = Command::new("sh");
    command
        .args(["-c", "\"$0\" breaking --against \"$1\"; test $? = 100"])
        .arg(buf)
        .arg(old)
        .current_dir(new);
    Some(Job::new("buf breaking", input, command, ""))
}
