//! One authored mistake gives one diagnostic: every name of an app is misspelt once, everywhere that it is used.

use super::packages::with_entries;
use super::{brief, open};
use crate::diagnostics::Severity;

const APP: &str = r#"
//- /app.jadpo
app trading { }

store main { engine: sqlite("data/trading.db") }
store archive { engine: sqlite("data/archive.db") }

connection feed {
    package: coinfeed
    settings: { api_key: env("KEY")  side: sell }
    max_concurrent: 4
    polls: { prices: 10m }
    events: { store: main }
}

connection sky {
    package: weather
    events: { store: main  keep: 7d }
}

type Traded = Event { amount: Decimal }

subscriber update {
    on: [coinfeed.PricesChanged, weather.RainStarted]
    from: [feed, sky]
    uses: [feed, origin]
    emits: [Traded]
    store: main
    within: 30m
    retry: { attempts: 8  initial: 5s  max: 10m }
}

subscriber book {
    on: Traded
    store: main
}

deployable server {
    target: native
    subscribers: [update, book]
    polls: [feed.prices, sky.now]
    runner: {
        workers: 4
        at_capacity: { poll_interval: 0  heartbeat: 10s }
        backoff: { initial: 1s  max: 60s }
        sleep_detection: 3m
    }
}
"#;

/// The packages that it connects to.
fn packages() -> String {
    let entries =
        "settings: { api_key: Secret  side: Side }  auth: bearer(settings.api_key)  max_concurrent: 8";
    format!(
        "{}//- /packages/coinfeed/side.jadpo\npublic type Side = Enum {{ buy  sell }}\n",
        with_entries(entries)
    )
}

/// Names, keys and words that the app uses and does not declare there.
const USED: [&str; 36] = [
    "coinfeed",
    "weather",
    "feed",
    "sky",
    "main",
    "PricesChanged",
    "RainStarted",
    "Traded",
    "origin",
    "update",
    "book",
    "prices",
    "now",
    "api_key",
    "side",
    "sell",
    "package",
    "settings",
    "max_concurrent",
    "polls",
    "events",
    "store",
    "keep",
    "on",
    "from",
    "uses",
    "emits",
    "within",
    "retry",
    "attempts",
    "initial",
    "subscribers",
    "target",
    "native",
    "at_capacity",
    "heartbeat",
];

/// Where `word` stands alone in the app's file, not as the name of a declaration.
fn uses(word: &str) -> Vec<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let stands = |at: &usize| {
        let before = &APP[..*at];
        let after = &APP[at + word.len()..];
        let keyword = before.trim_end().rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
        let declared = matches!(keyword, "store" | "connection" | "subscriber" | "type");
        let begins_declaration = before.ends_with('\n');
        let inside_word = before.ends_with(is_word) || after.starts_with(is_word);
        !(declared || begins_declaration || inside_word)
    };
    APP.match_indices(word).map(|(at, _)| at).filter(stands).collect()
}

#[test]
fn the_app_is_right() {
    assert_eq!(brief(&format!("{APP}{}", packages())), "clean");
}

#[test]
fn a_misspelt_use_is_one_diagnostic_and_its_fix_repairs_it() {
    let mut count = 0;
    for word in USED {
        for at in uses(word) {
            let wrong = format!("{}{word}x{}{}", &APP[..at], &APP[at + word.len()..], packages());
            let workspace = open(&wrong);
            let found = workspace.check().diagnostics;
            let line = APP[..at].lines().count();
            assert_eq!(found.len(), 1, "`{word}x` in line {line}:\n{}", brief(&wrong));
            assert_eq!(found[0].severity, Severity::Error);
            let edit = &found[0].fixes.first().expect("a nearest name").edits[0];
            assert_eq!(edit.text, word, "line {line}");
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn an_entry_left_out_is_at_most_one_diagnostic() {
    for line in APP.lines().filter(|line| line.starts_with("    ") && !line.trim_end().ends_with(['{', '}']))
    {
        let wrong = format!("{}{}", APP.replacen(line, "", 1), packages());
        let found = open(&wrong).check().diagnostics;
        assert!(found.len() <= 1, "without `{line}`:\n{}", brief(&wrong));
    }
}
