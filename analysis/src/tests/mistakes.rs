//! One authored mistake gives one diagnostic: every name of an app is misspelt once, everywhere that it is used.

use super::{brief, open};
use crate::diagnostics::Severity;

const PROJECT: &str = r#"
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
//- /coinfeed/provider.jadpo
provider coinfeed {
    base_url: "https://api.coinfeed.example"
    settings: {
        api_key: Secret
        side: Side
    }
    auth: bearer(settings.api_key)
    max_concurrent: 8
    polls: {
        prices: {
            call: fetch_prices
            every: 5m
            emits: PricesChanged
        }
    }
}

operation fetch_prices {
    method: GET
    path: "/v1/prices"
    output: Prices
}

public operation fetch_note {
    method: GET
    path: "/v1/note"
    output: Note
}

public type Side = Enum { buy  sell }
public type Note = Object { text: Text }
type Prices = Object { btc: Decimal }
public type PricesChanged = Event { btc: Decimal }
//- /weather/provider.jadpo
provider weather {
    base_url: "https://api.weather.example"
    polls: {
        now: {
            call: fetch_now
            every: 5m
            emits: RainStarted
        }
    }
}

public operation fetch_now {
    method: GET
    path: "/now"
    output: Now
}

public type Now = Object { millimetres: Decimal }
public type RainStarted = Event { millimetres: Decimal }
"#;

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
    let app = &PROJECT[..PROJECT.find("//- /coinfeed").unwrap()];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let stands = |at: &usize| {
        let before = &app[..*at];
        let after = &app[at + word.len()..];
        let keyword = before.trim_end().rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
        let declared = matches!(keyword, "store" | "connection" | "subscriber" | "type");
        let begins_declaration = before.ends_with('\n');
        let inside_word = before.ends_with(is_word) || after.starts_with(is_word);
        !(declared || begins_declaration || inside_word)
    };
    app.match_indices(word).map(|(at, _)| at).filter(stands).collect()
}

#[test]
fn the_app_is_right() {
    assert_eq!(brief(PROJECT), "clean");
}

#[test]
fn a_misspelt_use_is_one_diagnostic_and_its_fix_repairs_it() {
    let mut count = 0;
    for word in USED {
        for at in uses(word) {
            let wrong = format!("{}{word}x{}", &PROJECT[..at], &PROJECT[at + word.len()..]);
            let workspace = open(&wrong);
            let found = workspace.check().diagnostics;
            let line = PROJECT[..at].lines().count();
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
    let app = &PROJECT[..PROJECT.find("//- /coinfeed").unwrap()];
    for line in app.lines().filter(|line| line.starts_with("    ") && !line.trim_end().ends_with(['{', '}']))
    {
        let wrong = PROJECT.replacen(line, "", 1);
        let found = open(&wrong).check().diagnostics;
        assert!(found.len() <= 1, "without `{line}`:\n{}", brief(&wrong));
    }
}
