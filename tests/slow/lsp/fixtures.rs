//! Every project that the tests know, written beneath one folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use jadpo_analysis::diagnostics::catalogue::pages;
use jadpo_analysis::roots;
use jadpo_analysis::system::OsSystem;
use jadpo_tests::{fixture, workspace};

/// Texts that are hard to count in.
const ODD: &[(&str, &str)] = &[
    ("emoji", "app quay { }\ntype A = Text { pattern: \"🪙\" } type B = Txet\n"),
    (
        "family",
        "app quay { }\ntype A = Object {\n    /// 👩‍👩‍👧‍👦 are counted\n    a: Text { pattern: \"👩‍👩‍👧‍👦\" } b: Nowhere\n}\n",
    ),
    ("tab", "app quay { }\ntype A = Object {\n\t\ta: Nowhere\n}\n"),
    ("crlf", "app quay { }\r\ntype A = Object {\r\n    a: Nowhere\r\n}\r\n"),
    ("cr", "app quay { }\rtype A = Object {\r    a: Nowhere\r}\r"),
    ("mixed", "app quay { }\r\n\n\r// é\ntype A = Nowhere // 🪙\rtype B = Nowhere"),
    ("mark", "\u{feff}type A = Nowhere\napp quay { }\ntype B = Nowhere\n"),
    ("invisible", "app quay { }\ntype A = \u{200b}Text\ntype B = Nowhere\n"),
    ("nul", "app quay { }\ntype A = Text\0\n"),
    ("open", "app quay {\n    packages: [\ntype A = Object { a: "),
    ("string", "app quay { }\ntype A = Text { pattern: \"🪙 é\n}\n"),
    ("deep", "app quay { }\ntype A = List<List<List<List<List<List<List<List<List<Nowhere>>>>>>>>>\n"),
    ("same line", "app quay { } type A = Nowhere type B = Nowhere type C = 🪙\n"),
    ("empty", ""),
    ("only a doc", "app quay { }\n/// 🪙"),
];

/// Writes all of them, each into a folder of its own.
pub fn write(beneath: &Path) {
    for (number, page) in pages().iter().enumerate() {
        fixture::write(&beneath.join(format!("wrong{number}")), page.wrong);
        fixture::write(&beneath.join(format!("right{number}")), page.right);
    }
    for (name, text) in ODD {
        let folder = beneath.join(name.replace(' ', "_"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("app.jadpo"), text).unwrap();
    }
    let links = beneath.join("links");
    fs::create_dir_all(&links).unwrap();
    fs::write(links.join("app.jadpo"), "app quay { }\ntype A = Nowhere\n").unwrap();
    symlink("..", links.join("above")).unwrap();
    symlink("self.jadpo", links.join("self.jadpo")).unwrap();
    for folder in ["examples", "tests/app", "tests/cases"] {
        for file in workspace::files(folder, "jadpo") {
            let inside = file.strip_prefix(workspace::root()).unwrap();
            let to = beneath.join("checkout").join(inside);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(&file, to).unwrap();
        }
    }
}

/// The directories that are projects.
pub fn roots(beneath: &Path) -> Vec<PathBuf> {
    let roots = roots::beneath(&OsSystem, beneath);
    assert!(roots.complete && roots.dirs.len() > pages().len(), "{} projects", roots.dirs.len());
    roots.dirs.into_iter().collect()
}
