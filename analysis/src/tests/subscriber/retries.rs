//! `retry` and `within` of a subscriber.

use super::with;
use crate::tests::{brief, check, fixed};

#[test]
fn waits_are_in_order() {
    insta::assert_snapshot!(check(&with("on: Traded  retry: { initial: 10s  max: 5s }")), @"
[subscriber.value_invalid] error: `initial` of `10s` is longer than `max` of `5s`
   ╭─[ app.jadpo:8:49 ]
   │
 8 │ subscriber hear { on: Traded  retry: { initial: 10s  max: 5s } }
   │                                                 ─┬─       ─┬
   │                                                  ╰──────────── write `5s`
   │                                                            │
   │                                                            ╰── the longest wait
───╯
  fix: write `5s` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { max: 1s }")), @"
app.jadpo:8:45 subscriber.value_invalid `max` of `1s` is shorter than `initial`, `5s` by default
  fix: write `5s` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { initial: 2h }")), @"
app.jadpo:8:49 subscriber.value_invalid `initial` of `2h` is longer than `max`, `1h` by default
  fix: write `1h` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { attempts: 0 }")), @"
app.jadpo:8:50 subscriber.value_invalid `attempts` takes a whole number from 1 to 50, not `0`
  fix: write `1` (a choice)
");
    assert_eq!(brief(&with("on: Traded  retry: { initial: 5s  max: 5s }")), "clean");
}

#[test]
fn attempts_that_within_cuts_off_are_warned_of() {
    insta::assert_snapshot!(check(&with("on: Traded  within: 5m  retry: { attempts: 8  initial: 5s  max: 10m }")), @"
[subscriber.retries_unreachable] warning: at the longest waits attempt 8 of `hear` comes 10m 35s after the event (5s + 10s + 20s + … + 5m 20s), and `within` ends after 5m
   ╭─[ app.jadpo:8:39 ]
   │
 8 │ subscriber hear { on: Traded  within: 5m  retry: { attempts: 8  initial: 5s  max: 10m } }
   │                                       ─┬
   │                                        ╰── write `11m`
   │
   │ Help: `within: 11m` is enough, or `attempts: 6`
───╯
  fix: write `11m` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  within: 635s")), @"
app.jadpo:8:39 subscriber.retries_unreachable at the longest waits attempt 8 of `hear` comes 10m 35s after the event (5s + 10s + 20s + … + 5m 20s), and `within` ends after 10m 35s
  fix: write `11m` (a choice)
");
    assert_eq!(brief(&with("on: Traded  within: 636s")), "clean");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { attempts: 50 }")), @"
app.jadpo:8:50 subscriber.retries_unreachable at the longest waits attempt 50 of `hear` comes 1d 16h after the event (5s + 10s + 20s + … + 1h), and `within` ends after 1d
  fix: write `33` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { initial: 1h }")), @"clean");
    assert_eq!(brief(&with("on: Traded  within: 1s  retry: { attempts: 1 }")), "clean");
    assert!(fixed(&with("on: Traded  within: 5m")).contains("within: 11m"));
    assert!(fixed(&with("on: Traded  retry: { attempts: 50 }")).contains("attempts: 33"));
}
