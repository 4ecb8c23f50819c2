//! `jadpo explain`: the catalogue's page of a diagnostic code.

use std::io::Write;

use jadpo_analysis::diagnostics::catalogue::{self, Page};

use crate::args::Explain;
use crate::exit::Exit;

/// Prints one page, or every code with its summary.
pub fn run(explain: &Explain) -> Exit {
    let Some(code) = &explain.code else {
        let rows =
            catalogue::pages().iter().map(|page| format!("{:<34} {}\n", page.code.text(), page.summary));
        return print(&rows.collect::<Vec<_>>().concat());
    };
    if let Some(page) = catalogue::page(code) {
        return print(&whole(page));
    }
    let nearest = jadpo_analysis::nearest(code, catalogue::pages().iter().map(|page| page.code.text()));
    let hint = nearest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    let _ = writeln!(std::io::stderr(), "error: no diagnostic has the code `{code}`{hint}");
    Exit::Usage
}

fn whole(page: &Page) -> String {
    format!(
        "{}[{}]: {}\n\n{}\n\nWrong:\n\n{}\nRight:\n\n{}",
        page.severity,
        page.code,
        page.summary,
        page.explanation,
        indented(page.wrong),
        indented(page.right)
    )
}

fn indented(text: &str) -> String {
    let lines =
        text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") });
    lines.collect::<Vec<_>>().concat()
}

fn print(text: &str) -> Exit {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Exit::Ok
}
