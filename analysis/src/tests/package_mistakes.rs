//! One authored mistake gives one diagnostic: every name, key and word that a package uses is misspelt once, beside
//! an app that uses the package.

use super::{brief, open};
use crate::diagnostics::Severity;

/// What stands between `‹` and `›` is misspelt, one place at a time.
const PACKAGE: &str = r#"
//- /app.jadpo
app trading { }

store main { engine: sqlite("data/trading.db") }

connection feed {
    package: coinfeed
    settings: { api_key: env("KEY")  region: west }
    max_concurrent: 2
    polls: { prices: 10m }
}

subscriber update { on: coinfeed.PricesChanged  uses: [feed] }

deployable server { target: native  polls: [feed.prices] }
//- /coinfeed/provider.jadpo
provider coinfeed {
    ‹version›: "1.0.0"
    ‹base_url›: "https://{settings.‹region›}.coinfeed.example"
    ‹settings›: {
        api_key: ‹Secret›
        region: ‹Region› { ‹default›: ‹east› }
        currency: Text { ‹min_length›: 3  ‹max_length›: 3  default: "USD" }
    }
    ‹auth›: ‹bearer›(settings.‹api_key›)
    ‹headers›: { "X-Currency": settings.‹currency› }
    ‹field_case›: ‹camel›
    ‹timeout›: 5s
    ‹retry›: { ‹attempts›: 2  ‹initial›: 1s  ‹max›: 2s }
    ‹max_response›: 1MiB
    ‹max_concurrent›: 4
    ‹polls›: {
        prices: {
            ‹call›: ‹fetch_prices›
            ‹every›: 5m
            ‹emits›: ‹PricesChanged›
        }
    }
}
//- /coinfeed/operations.jadpo
operation fetch_prices {
    ‹method›: ‹GET›
    ‹path›: "/v1/prices/{settings.‹currency›}"
    ‹output›: ‹Prices›
    ‹at›: "/data"
}

public operation list_trades {
    method: POST
    path: "/v1/{input.‹symbol›}/trades"
    ‹input›: ‹TradeQuery›
    ‹query›: { since: input.‹since›  vs: settings.‹currency› }
    ‹headers›: { "X-Page": "{input.‹page›}" }
    output: ‹List›<‹Trade›>
    ‹changes›: ‹false›
    ‹idempotency_key›: ‹header›("Idempotency-Key")
    ‹timeout›: 3s
}
//- /coinfeed/trades.jadpo
public type TradeQuery = Object { symbol: ‹Symbol›  since: ‹Instant› { ‹wire›: ‹unix_ms› }  page: Int optional  note: Text }
public type Trade = Object { side: ‹Side›  legs: ‹Map›<‹Symbol›, ‹Decimal›>  parent: ‹Trade›?  at: ‹Date› }
public type Symbol = ‹Text› { ‹pattern›: "[A-Z]+" }
public type Side = Enum { buy  sell }
public type Region = Enum { east  west }
type Prices = Object { btc: Decimal  eth: ‹Decimal› { ‹min›: 0 }  fetched_at: Instant }
public type PricesChanged = Event { ‹btc›: Decimal }
"#;

fn right() -> String {
    PACKAGE.replace(['‹', '›'], "")
}

/// The package with its `nth` marked word misspelt, and that word.
fn misspelt(nth: usize) -> Option<(String, String)> {
    let start = PACKAGE.match_indices('‹').nth(nth)?.0;
    let (before, rest) = (&PACKAGE[..start], &PACKAGE[start + '‹'.len_utf8()..]);
    let (word, after) = rest.split_once('›')?;
    Some((format!("{before}{word}x{after}").replace(['‹', '›'], ""), word.to_owned()))
}

#[test]
fn the_package_is_right() {
    assert_eq!(brief(&right()), "clean");
}

#[test]
fn a_misspelt_use_is_one_diagnostic_and_its_fix_repairs_it() {
    let mut nth = 0;
    while let Some((wrong, word)) = misspelt(nth) {
        let found = open(&wrong).check().diagnostics;
        assert_eq!(found.len(), 1, "`{word}x`, word {nth}:\n{}", brief(&wrong));
        assert_eq!(found[0].severity, Severity::Error, "{word}");
        let edit = &found[0].fixes.first().unwrap_or_else(|| panic!("a repair of `{word}x`")).edits[0];
        assert_eq!(edit.text, word, "word {nth}");
        nth += 1;
    }
    assert!(nth > 60, "{nth}");
}

#[test]
fn a_line_left_out_is_at_most_one_diagnostic() {
    let right = right();
    for line in
        right.lines().filter(|line| line.starts_with("    ") && !line.trim_end().ends_with(['{', '}']))
    {
        // Each use of a setting that isn't there is a mistake of its own.
        if line.contains("Secret") {
            continue;
        }
        let wrong = right.replacen(line, "", 1);
        let found = open(&wrong).check().diagnostics;
        assert!(found.len() <= 1, "without `{line}`:\n{}", brief(&wrong));
    }
}

#[test]
fn a_token_left_out_doubled_or_replaced_never_stops_the_check() {
    let right = right();
    let mut checked = 0;
    for token in jadpo_syntax::tokens(&right) {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let text = &right[start..end];
        if text.trim().is_empty() || text.starts_with("//") {
            continue;
        }
        for put in [String::new(), format!("{text} {text}"), "\u{feff}\"".to_owned()] {
            let wrong = format!("{}{put}{}", &right[..start], &right[end..]);
            let found = open(&wrong).check().diagnostics;
            assert!(found.len() < 12, "{text:?} as {put:?}:\n{}", brief(&wrong));
            checked += 1;
        }
    }
    assert!(checked > 1_000, "{checked}");
}
