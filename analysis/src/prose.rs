//! How lists and spans of time read in a sentence.

/// Names as `a`, `b` and `c`, each quoted.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match &quoted[..] {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A span of time in its two largest units, "10m 35s"; below a minute in seconds, "45.7s".
pub fn time_text(ms: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")];
    if ms < 60_000 {
        let (seconds, rest) = (ms / 1000, ms % 1000);
        let fraction = format!("{rest:03}");
        let fraction = fraction.trim_end_matches('0');
        return if fraction.is_empty() { format!("{seconds}s") } else { format!("{seconds}.{fraction}s") };
    }
    let mut rest = ms;
    let mut parts = Vec::new();
    for (size, unit) in UNITS {
        if rest >= size && parts.len() < 2 {
            parts.push(format!("{}{unit}", rest / size));
            rest %= size;
        } else if !parts.is_empty() {
            break;
        }
    }
    parts.join(" ")
}

/// A span of time with its last fraction of a second: "45.7s", "3m 0.6s".
pub fn exact_time_text(ms: u64) -> String {
    match (ms - ms % 60_000, ms % 60_000) {
        (0, rest) => time_text(rest),
        (minutes, 0) => time_text(minutes),
        (minutes, rest) => format!("{} {}", time_text(minutes), time_text(rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::{list, time_text};

    #[test]
    fn lists_end_with_and() {
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
    }

    #[test]
    fn times_have_two_units() {
        let shown = [0, 250, 45_700, 60_000, 635_000, 3_600_000, 5_400_500, 93_784_000].map(time_text);
        assert_eq!(shown, ["0s", "0.25s", "45.7s", "1m", "10m 35s", "1h", "1h 30m", "1d 2h"]);
    }
}
