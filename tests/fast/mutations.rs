//! One token wrong in a project's manifests: one diagnostic, never a panic, and never a silent change of meaning.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::diagnostics::Diagnostic;
use jadpo_analysis::system::MemorySystem;
use jadpo_syntax::{Token, TokenKind, tokens};
use jadpo_tests::workspace;

/// A project whose manifests are mutated.
struct Project {
    /// Its directory.
    root: &'static str,
    files: &'static [&'static str],
    /// What says another thing that is as right: names that nothing else uses, and texts that are the author's to choose.
    silent: &'static [&'static str],
    /// At least this many mutants.
    mutants: usize,
}

/// Packages, connections, subscribers and how a loop sleeps.
const RATES: Project = Project {
    root: "examples/rates",
    files: &["app.jadpo", "packages/exchange/provider.jadpo"],
    mutants: 1_000,
    silent: &[
        r#""/v1/metals" misspelt"#,
        r#""/v1/notes/{input.base}" misspelt"#,
        r#""/v1/quotes" misspelt"#,
        r#""RATES_API_KEY" misspelt"#,
        r#""RATES_PORT" misspelt"#,
        r#""[A-Z]+" misspelt"#,
        r#""rates.db" misspelt"#,
        "feed removed", // from `uses: [feed]`, which then says that nothing is called
        "fetch_note misspelt",
        "fetched_at misspelt",
        "keep_note misspelt",
        "keep_quotes misspelt",
        "main misspelt",
        "rates misspelt",
        "server misspelt",
        "text misspelt",
    ],
};

/// Actions, and what runs them.
const DESK: Project = Project {
    root: "tests/cases/desk",
    files: &["app.jadpo", "packages/letters/provider.jadpo"],
    mutants: 1_300,
    silent: &[
        r#""/tickets" misspelt"#,
        r#""/tickets/{input.id}/closing" misspelt"#,
        r#""/v1/letters" misspelt"#,
        r#""DESK_TOKEN" misspelt"#,
        r#""LETTERS_TOKEN" misspelt"#,
        r#""desk.db" misspelt"#,
        "? removed",            // a field that may no longer be null
        "TicketClosed removed", // from `on:` or `emits:`
        "TicketOpened removed",
        "answer misspelt",
        "before misspelt",
        "close_all removed", // from `starts: [close_all]`
        "close_stale_daily misspelt",
        "close_stale_often misspelt",
        "closed misspelt",
        "closed removed", // a variant
        "desk misspelt",
        "get_tickets misspelt",
        "main misspelt",
        "open  closed swapped",
        "open misspelt",
        "open removed",
        "optional removed",
        "post removed", // from `uses: [post]`
        "post_ticket misspelt",
        "price misspelt",
        "public removed", // from an action
        "put_closing misspelt",
        "rate_tickets removed",
        "reason misspelt",
        "send misspelt",
        "server misspelt",
        "stamp misspelt",
        "status misspelt",
        "text misspelt",
        "title misspelt",
        "words misspelt",
        "words removed", // `optional :` is then a field of that name
    ],
};

/// What the check says of all mutants.
#[derive(Default)]
struct Tally {
    mutants: usize,
    wrong: usize,
    one: usize,
    /// What changed the meaning and is not reported.
    silent: BTreeSet<String>,
    /// Where more than one mistake is reported.
    report: String,
}

/// A project whose files are mutated one token at a time.
struct Bench {
    project: &'static Project,
    workspace: Workspace,
    meaning: String,
    tally: Tally,
}

#[test]
fn one_wrong_token_of_an_app_that_listens_is_one_diagnostic() {
    Bench::run(&RATES);
}

#[test]
fn one_wrong_token_of_an_app_with_actions_is_one_diagnostic() {
    Bench::run(&DESK);
}

impl Project {
    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(workspace::root().join(self.root).join(file)).unwrap()
    }
}

impl Bench {
    fn run(project: &'static Project) {
        let mut bench = Self::open(project);
        for file in project.files {
            bench.mutate(file);
        }
        let Tally { mutants, wrong, one, silent, report } = bench.tally;
        if let Ok(path) = std::env::var("MUTANTS") {
            std::fs::write(path, format!("{report}{one} of {wrong} have one diagnostic\n")).unwrap();
        }
        assert_eq!(silent.iter().map(String::as_str).collect::<Vec<_>>(), project.silent);
        assert!(mutants > project.mutants, "only {mutants} mutants");
        assert!(one * 100 >= wrong * 96, "{one} of {wrong} have one diagnostic:\n{report}");
    }

    fn open(project: &'static Project) -> Self {
        let mut system = MemorySystem::new();
        for file in project.files {
            system.write(format!("/project/{file}"), &*project.text(file));
        }
        let workspace = Workspace::open(Arc::new(system), Path::new("/project"));
        assert_eq!(workspace.check().diagnostics, [], "the project is clean");
        let meaning = format!("{:?}", workspace.model());
        Self { project, workspace, meaning, tally: Tally::default() }
    }

    fn mutate(&mut self, file: &str) {
        let text = self.project.text(file);
        let spans: Vec<Token> = tokens(&text).into_iter().filter(|token| !token.kind.is_trivia()).collect();
        for (at, token) in spans.iter().enumerate() {
            let (start, end) = (token.span.start as usize, token.span.end as usize);
            let written = &text[start..end];
            self.mutant(file, &text, start, end, "", "removed");
            self.mutant(file, &text, end, end, &format!(" {written}"), "doubled");
            if let Some(misspelt) = misspelt(token.kind, written) {
                self.mutant(file, &text, start, end, &misspelt, "misspelt");
            }
            if let Some(next) = spans.get(at + 1) {
                let (from, to) = (next.span.start as usize, next.span.end as usize);
                let gap = if end == from { " " } else { &text[end..from] };
                let swapped = format!(" {}{gap}{written} ", &text[from..to]);
                self.mutant(file, &text, start, to, &swapped, "swapped");
            }
        }
        self.workspace.set_text(&Path::new("/project").join(file), text);
    }

    fn mutant(&mut self, file: &str, good: &str, start: usize, end: usize, with: &str, how: &str) {
        let mutant = format!("{}{with}{}", &good[..start], &good[end..]);
        self.workspace.set_text(&Path::new("/project").join(file), mutant);
        let found = self.workspace.check().diagnostics;
        self.tally.mutants += 1;
        let silent = found.is_empty() && format!("{:?}", self.workspace.model()) != self.meaning;
        let roots = self.roots(&found);
        self.tally.wrong += usize::from(roots > 0);
        self.tally.one += usize::from(roots == 1);
        if silent {
            self.tally.silent.insert(format!("{} {how}", &good[start..end]));
        }
        if roots > 1 {
            let line = good[..start].matches('\n').count() + 1;
            let _ =
                writeln!(self.tally.report, "{roots} {file}:{line} {:?} {how} {with:?}", &good[start..end]);
            for it in &found {
                let (code, start) = (it.code, it.range.start);
                let _ = writeln!(
                    self.tally.report,
                    "    {code} {}:{}:{} {}",
                    it.file, start.line, start.column, it.message
                );
            }
        }
    }

    /// How many mistakes are reported. A name that nobody declares is one, however often it is used.
    fn roots(&self, found: &[Diagnostic]) -> usize {
        let written = found.iter().map(|it| {
            let text = self.workspace.text(&it.file).unwrap();
            let name = text[it.range.start.offset as usize..it.range.end.offset as usize].to_owned();
            if name.is_empty() { format!("{}:{}", it.file, it.range.start.offset) } else { name }
        });
        written.collect::<BTreeSet<_>>().len()
    }
}

/// The token with its second and third letters swapped, or its digits doubled.
fn misspelt(kind: TokenKind, written: &str) -> Option<String> {
    match kind {
        TokenKind::Name if written.len() > 2 => {
            let mut letters: Vec<char> = written.chars().collect();
            let at = (1..letters.len() - 1).find(|at| letters[*at] != letters[at + 1])?;
            letters.swap(at, at + 1);
            Some(letters.into_iter().collect())
        }
        TokenKind::Number => Some(format!("{written}x")),
        TokenKind::String if written.len() > 4 => {
            let mut letters: Vec<char> = written.chars().collect();
            letters.remove(2);
            Some(letters.into_iter().collect())
        }
        _ => None,
    }
}
