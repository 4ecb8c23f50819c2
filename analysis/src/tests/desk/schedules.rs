//! Rules of `schedule`.

use super::said;

#[test]
fn a_schedule_says_when_in_one_way() {
    const WHEN: &str = "daily_at: \"03:00\"  zone: \"Europe/London\"";
    insta::assert_snapshot!(said(&[
        (WHEN, ""),
        (WHEN, "every: 1h  daily_at: \"03:00\"  zone: \"Europe/London\""),
        (WHEN, "daily_at: \"03:00\"  zone: \"Europe/London\"  every: 1h"),
        (WHEN, "every: 1h  daily_at: \"03:00\""),
        (WHEN, "every: 1h  zone: \"Europe/London\""),
        (WHEN, "daily_at: \"03:00\""),
        (WHEN, "zone: \"Europe/London\""),
        (WHEN, "daily_at: \"03:00\"  zon: \"Europe/London\""),
        (WHEN, "daly_at: \"03:00\"  zone: \"Europe/London\""),
        (WHEN, "evry: 1h"),
        (WHEN, "cron: \"0 3 * * *\""),
        ("every: 5m", "every: 30s"),
        ("every: 5m", "every: 5"),
        ("every: 5m", "every: \"5m\""),
        ("every: 5m", "every:"),
    ]), @r#"
daily_at: "03:00"  zone: "Europe/London" → 
app.jadpo:43:10 schedule.key_missing a schedule needs `every`, or `daily_at` with `zone`

daily_at: "03:00"  zone: "Europe/London" → every: 1h  daily_at: "03:00"  zone: "Europe/London"
app.jadpo:43:41 schedule.key_invalid `every` and `daily_at` are two ways to say when it runs

daily_at: "03:00"  zone: "Europe/London" → daily_at: "03:00"  zone: "Europe/London"  every: 1h
app.jadpo:43:72 schedule.key_invalid `every` and `daily_at` are two ways to say when it runs

daily_at: "03:00"  zone: "Europe/London" → every: 1h  daily_at: "03:00"
app.jadpo:43:41 schedule.key_invalid `every` and `daily_at` are two ways to say when it runs

daily_at: "03:00"  zone: "Europe/London" → every: 1h  zone: "Europe/London"
app.jadpo:43:41 schedule.key_invalid `zone` says where `daily_at` is the local time, and `every` needs none

daily_at: "03:00"  zone: "Europe/London" → daily_at: "03:00"
app.jadpo:43:30 schedule.key_missing `daily_at` needs `zone`, the time zone of its time
  fix: write `zone: "UTC"` (a choice)

daily_at: "03:00"  zone: "Europe/London" → zone: "Europe/London"
app.jadpo:43:10 schedule.key_missing a schedule with `zone` needs `daily_at`, the local time

daily_at: "03:00"  zone: "Europe/London" → daily_at: "03:00"  zon: "Europe/London"
app.jadpo:43:49 schedule.key_invalid a schedule takes no key `zon`
  fix: write `zone`

daily_at: "03:00"  zone: "Europe/London" → daly_at: "03:00"  zone: "Europe/London"
app.jadpo:43:30 schedule.key_invalid a schedule takes no key `daly_at`
  fix: write `daily_at`

daily_at: "03:00"  zone: "Europe/London" → evry: 1h
app.jadpo:43:30 schedule.key_invalid a schedule takes no key `evry`
  fix: write `every`

daily_at: "03:00"  zone: "Europe/London" → cron: "0 3 * * *"
app.jadpo:43:30 schedule.key_invalid a schedule takes no key `cron`

every: 5m → every: 30s
app.jadpo:45:37 schedule.value_invalid `every` is a duration of a minute or more; `30s` is shorter, and the tick runs once a minute
  fix: write `1m` (a choice)

every: 5m → every: 5
app.jadpo:45:37 schedule.value_invalid `every` takes a duration of a minute or more, not `5`

every: 5m → every: "5m"
app.jadpo:45:37 schedule.value_invalid `every` takes a duration of a minute or more, not a string
  fix: write `5m`

every: 5m → every:
app.jadpo:45:30 schedule.value_invalid `every` has no value: it takes a duration of a minute or more
"#);
}

#[test]
fn a_time_of_day_has_two_digits_of_each() {
    const TIME: &str = "daily_at: \"03:00\"";
    insta::assert_snapshot!(said(&[
        (TIME, "daily_at: \"3:00\""),
        (TIME, "daily_at: \"23:59\""),
        (TIME, "daily_at: \"24:00\""),
        (TIME, "daily_at: \"03:60\""),
        (TIME, "daily_at: \"03:00:00\""),
        (TIME, "daily_at: \"3am\""),
        (TIME, "daily_at: \"+3:00\""),
        (TIME, "daily_at: \"\""),
        (TIME, "daily_at: 3"),
        (TIME, "daily_at: 3h"),
    ]), @r#"
daily_at: "03:00" → daily_at: "3:00"
app.jadpo:43:40 schedule.value_invalid "3:00" is no time of day
  fix: write "03:00"

daily_at: "03:00" → daily_at: "23:59"
clean

daily_at: "03:00" → daily_at: "24:00"
app.jadpo:43:40 schedule.value_invalid "24:00" is no time of day

daily_at: "03:00" → daily_at: "03:60"
app.jadpo:43:40 schedule.value_invalid "03:60" is no time of day

daily_at: "03:00" → daily_at: "03:00:00"
app.jadpo:43:40 schedule.value_invalid "03:00:00" is no time of day

daily_at: "03:00" → daily_at: "3am"
app.jadpo:43:40 schedule.value_invalid "3am" is no time of day

daily_at: "03:00" → daily_at: "+3:00"
app.jadpo:43:40 schedule.value_invalid "+3:00" is no time of day

daily_at: "03:00" → daily_at: ""
app.jadpo:43:40 schedule.value_invalid "" is no time of day

daily_at: "03:00" → daily_at: 3
app.jadpo:43:40 schedule.value_invalid `daily_at` takes a string, not `3`

daily_at: "03:00" → daily_at: 3h
app.jadpo:43:40 schedule.value_invalid `daily_at` takes a string, not `3h`
"#);
}

#[test]
fn a_zone_is_one_of_the_database() {
    const ZONE: &str = "\"Europe/London\"";
    insta::assert_snapshot!(said(&[
        (ZONE, "\"europe/london\""),
        (ZONE, "\"Europe/Lodnon\""),
        (ZONE, "\"London\""),
        (ZONE, "\"New York\""),
        (ZONE, "\"Mars/Olympus\""),
        (ZONE, "\"+01:00\""),
        (ZONE, "\"\""),
        (ZONE, "UTC"),
        (ZONE, "\"UTC\""),
    ]), @r#"
"Europe/London" → "europe/london"
app.jadpo:43:55 schedule.value_invalid there is no time zone "europe/london"
  fix: write "Europe/London"

"Europe/London" → "Europe/Lodnon"
app.jadpo:43:55 schedule.value_invalid there is no time zone "Europe/Lodnon"
  fix: write "Europe/London"

"Europe/London" → "London"
app.jadpo:43:55 schedule.value_invalid there is no time zone "London"
  fix: write "Europe/London"

"Europe/London" → "New York"
app.jadpo:43:55 schedule.value_invalid there is no time zone "New York"
  fix: write "America/New_York"

"Europe/London" → "Mars/Olympus"
app.jadpo:43:55 schedule.value_invalid there is no time zone "Mars/Olympus"

"Europe/London" → "+01:00"
app.jadpo:43:55 schedule.value_invalid there is no time zone "+01:00"

"Europe/London" → ""
app.jadpo:43:55 schedule.value_invalid there is no time zone ""

"Europe/London" → UTC
app.jadpo:43:55 schedule.value_invalid `zone` takes a string, not `UTC`
  fix: write `"UTC"` (a choice)

"Europe/London" → "UTC"
clean
"#);
}

#[test]
fn a_schedule_runs_an_action_without_an_input() {
    insta::assert_snapshot!(said(&[
        ("every: 5m  run: close_stale", "every: 5m  run: close_ticket"),
        ("every: 5m  run: close_stale", "every: 5m  run: close_stal"),
        ("every: 5m  run: close_stale", "every: 5m  run: close_all"),
        ("every: 5m  run: close_stale", "every: 5m"),
        ("every: 5m  run: close_stale", "every: 5m  run: close_stale  input: 5"),
    ]), @"
every: 5m  run: close_stale → every: 5m  run: close_ticket
app.jadpo:45:46 schedule.value_invalid `close_ticket` has an `input:`, and a schedule gives none

every: 5m  run: close_stale → every: 5m  run: close_stal
app.jadpo:45:46 name.unknown there is no action `close_stal`
  fix: write `close_stale`

every: 5m  run: close_stale → every: 5m  run: close_all
app.jadpo:45:46 name.unknown there is no action `close_all`
  fix: write `close_stale`

every: 5m  run: close_stale → every: 5m
app.jadpo:45:10 schedule.key_missing a schedule needs `run`

every: 5m  run: close_stale → every: 5m  run: close_stale  input: 5
app.jadpo:45:59 schedule.key_invalid a schedule takes no key `input`
");
}
