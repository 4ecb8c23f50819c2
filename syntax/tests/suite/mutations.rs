//! One token wrong in a good manifest: one problem, and every other declaration as it was.

use std::fmt::Write as _;
use std::ops::Range;

use jadpo_syntax::{Token, tokens};

use crate::check::{checked, without_spans};
use crate::grammar::Grammar;

const MANIFEST: &str = r#"/// Spot prices of two coins.
provider coinfeed {
    version: "1.2.0"
    base_url: "https://api.coinfeed.example"
    settings: {
        api_key: Secret
        currency: Text { default: "usd" }
    }
    auth: header("X-Key", settings.api_key)
    retry: { attempts: 3  initial: 200ms  max: 5s }
    headers: { "Accept": "application/json" }
    polls: {
        prices: {
            call: fetch_prices
            every: 5m
            emits: PricesChanged
        }
    }
}

public operation fetch_prices {
    method: GET
    path: "/v1/prices"
    query: { vs: settings.currency }
    output: List<Prices>
}

public type Prices = Object {
    btc: Decimal
    /// In the currency of the settings.
    eth: Decimal? optional
    by_day: Map<Date, List<Decimal>> { max_items: 31 } as "byDay"
    level: Int { min: 0  max: 9 } at "/status/level"
}

public type PricesChanged = Event {
    wire_name: "prices.changed"
    btc: Decimal
    occurred_at: Instant
}

type Side = Enum { buy  sell as "SELL"  unknown as other }

type Symbol = Text { min_length: 1  pattern: "[A-Z]+" }
type Symbols = List<Symbol>

store main { engine: sqlite("data/trading.db") }

subscriber update_quotes {
    on: coinfeed.PricesChanged
    uses: [feed, other_feed]
    within: 30m
}
"#;

const OTHERS: [&str; 14] = ["{", "}", "[", "]", "(", ")", "<", ">", ":", "=", ",", ".", "name", "\"text\""];

#[derive(Default)]
struct Tally {
    good: Vec<Good>,
    broken: usize,
    one: usize,
    silent: usize,
    lost: usize,
    report: String,
}

/// A declaration of the manifest as it is.
struct Good {
    range: Range<usize>,
    tree: String,
    name: Box<str>,
}

#[test]
fn one_wrong_token_is_one_problem() {
    let spans: Vec<Token> = tokens(MANIFEST).into_iter().filter(|token| !token.kind.is_trivia()).collect();
    let good = checked(MANIFEST).declarations.into_iter().map(|(offset, declaration)| Good {
        range: offset as usize..(offset + declaration.span.end) as usize,
        tree: without_spans(&declaration),
        name: declaration.name.unwrap().text,
    });
    let mut tally = Tally { good: good.collect(), ..Tally::default() };
    for (at, token) in spans.iter().enumerate() {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let written = &MANIFEST[start..end];
        tally.mutant(start, end, "", "removed");
        tally.mutant(end, end, &format!(" {written}"), "doubled");
        for other in OTHERS {
            tally.mutant(start, end, other, "replaced");
            tally.mutant(start, start, &format!("{other} "), "added");
        }
        if let Some(next) = spans.get(at + 1) {
            let (from, to) = (next.span.start as usize, next.span.end as usize);
            let swapped = format!("{}{}{written}", &MANIFEST[from..to], &MANIFEST[end..from]);
            tally.mutant(start, to, &swapped, "swapped");
        }
    }
    let Tally { broken, one, silent, lost, report, .. } = tally;
    if let Ok(path) = std::env::var("MUTANTS") {
        std::fs::write(path, &report).unwrap();
    }
    assert!(broken > 3_000, "only {broken} mutants are broken");
    assert_eq!((silent, lost), (0, 0), "of {broken} mutants:\n{report}");
    assert!(one * 100 >= broken * 99, "{one} of {broken} have one problem:\n{report}");
}

impl Tally {
    fn mutant(&mut self, start: usize, end: usize, text: &str, how: &str) {
        let mutant = format!("{}{text}{}", &MANIFEST[..start], &MANIFEST[end..]);
        if Grammar::new(&mutant).derivations() > 0 {
            return;
        }
        self.broken += 1;
        let found = checked(&mutant);
        let problems = &found.problems;
        self.one += usize::from(problems.len() == 1);
        self.silent += usize::from(problems.is_empty());
        let trees: Vec<String> =
            found.declarations.iter().map(|(_, declaration)| without_spans(declaration)).collect();
        let start = MANIFEST[..start].trim_end().len();
        let lost = self.good.iter().find(|good| {
            let touched = start <= good.range.end && end >= good.range.start;
            !touched && !trees.contains(&good.tree)
        });
        let lost = lost.map(|good| good.name.clone());
        self.lost += usize::from(lost.is_some());
        if problems.len() != 1 || lost.is_some() {
            let line = MANIFEST[..start].matches('\n').count() + 1;
            let codes: Vec<String> = problems
                .iter()
                .map(|problem| format!("{} {}: {}", problem.code, problem.span.start, problem.message))
                .collect();
            let _ = writeln!(
                self.report,
                "line {line}, {start}: {:?} {how} {text:?}: {codes:?}, lost {lost:?}",
                &MANIFEST[start..end]
            );
        }
    }
}
