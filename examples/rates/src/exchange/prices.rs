//! Prices as a function of the minute, so that every run sees the same ones.

use serde_json::{Value, json};

/// Quotes change every third minute; in between, only the time of fetching does.
pub fn quotes(minute: i64) -> Value {
    let step = minute.div_euclid(3).rem_euclid(400);
    json!({
        "base": "EUR",
        "prices": { "USD": format!("1.{:04}", 1000 + step * 7 % 900), "JPY": 160 + step % 11, "GBP": format!("0.8{}", step % 10) },
        "fetched_at": fetched_at(minute),
    })
}

/// Metals change every fifth minute.
pub fn metals(minute: i64) -> Value {
    let step = minute.div_euclid(5).rem_euclid(300);
    json!({ "gold": format!("2650.{:02}", step % 100), "silver": 30 + step % 4, "fetched_at": fetched_at(minute) })
}

fn fetched_at(minute: i64) -> String {
    let of_day = minute.rem_euclid(24 * 60);
    format!("2026-11-30T{:02}:{:02}:00Z", of_day / 60, of_day % 60)
}
