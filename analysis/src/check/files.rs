//! Reports of files that could not be read and of directories that are no project.

use jadpo_syntax::Span;

use crate::db::Db;
use crate::diagnostics::codes::base;
use crate::diagnostics::{Code, Diagnostic, Finding, Place, Range, Related};
use crate::inputs::{Project, SourceFile};
use crate::project::ProjectProblem;
use crate::source::ReadProblem;
use crate::system::FileKind;

/// Why a file's text was not parsed.
pub fn unread(db: &dyn Db, file: SourceFile) -> Option<Finding<'_>> {
    let (code, span, message, help) = match file.problem(db)? {
        ReadProblem::Utf8 { offset, byte } => (
            base::FILE_ENCODING_INVALID,
            Span::empty(u32::try_from(*offset).unwrap_or(u32::MAX)),
            format!("the file is not UTF-8: byte 0x{byte:02X} at offset {offset}"),
            "save the file as UTF-8",
        ),
        ReadProblem::Nul(span) => (
            base::FILE_NUL_INVALID,
            *span,
            format!("the file holds a NUL byte at offset {}", span.start),
            "remove the byte; a file saved as UTF-16 is full of them",
        ),
        ReadProblem::TooLarge => (
            base::FILE_TOO_LARGE,
            Span::empty(0),
            "the file is larger than 4 MiB".to_owned(),
            "split it: the order of declarations and files means nothing",
        ),
        ReadProblem::Failed(why) => {
            (base::FILE_UNREADABLE, Span::empty(0), format!("the file can't be read: {why}"), "")
        }
    };
    let mut finding = Finding::new(code, Place::in_file(file, span), message);
    if !help.is_empty() {
        finding.help(help);
    }
    Some(finding)
}

/// What is wrong with the project's directories.
pub fn project_diagnostics(db: &dyn Db, project: Project) -> Vec<Diagnostic> {
    directory_diagnostics(project.problems(db))
}

/// What is wrong with directories.
pub fn directory_diagnostics(problems: &[ProjectProblem]) -> Vec<Diagnostic> {
    problems.iter().map(of_problem).collect()
}

fn of_problem(problem: &ProjectProblem) -> Diagnostic {
    match problem {
        ProjectProblem::Missing { root } => Diagnostic {
            help: Some(
                "run this where an `app.jadpo` or a `provider.jadpo` stands, or give that directory"
                    .to_owned(),
            ),
            ..at(
                base::FILE_PROJECT_MISSING,
                ".",
                match root {
                    Some(FileKind::File) => "this is a file, and not the directory of a project or a package",
                    None => "there is no such directory",
                    Some(_) => "the directory has neither `app.jadpo` nor `provider.jadpo`",
                }
                .to_owned(),
            )
        },
        ProjectProblem::Ambiguous { dir } => {
            let file = |name: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
            let message = "the directory has both `app.jadpo` and `provider.jadpo`".to_owned();
            Diagnostic {
                related: vec![Related {
                    message: "the other one".to_owned(),
                    file: file("provider.jadpo"),
                    range: Range::START,
                }],
                help: Some("move the package to a directory of its own beneath the app".to_owned()),
                ..at(base::FILE_PROJECT_AMBIGUOUS, &file("app.jadpo"), message)
            }
        }
        ProjectProblem::LinkCycle { path } => {
            let message = format!("the link `{path}` leads to a directory that holds it");
            Diagnostic {
                help: Some("remove the link".to_owned()),
                ..at(base::FILE_LINK_CYCLIC, path, message)
            }
        }
        ProjectProblem::Unlisted { dir, why } => {
            let shown = if dir.is_empty() { "." } else { dir };
            at(base::FILE_UNREADABLE, shown, format!("the directory `{shown}` can't be read: {why}"))
        }
    }
}

fn at(code: Code, file: &str, message: String) -> Diagnostic {
    Diagnostic {
        code,
        severity: code.severity(),
        message,
        file: file.to_owned(),
        range: Range::START,
        label: String::new(),
        related: Vec::new(),
        help: None,
        fixes: Vec::new(),
    }
}
