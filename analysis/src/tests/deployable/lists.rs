//! The lists of what a deployable runs.

use super::brief;

#[test]
fn each_list_names_what_is_there() {
    let with = |body: &str| format!("app trading {{ }}\ndeployable server {{ target: native  {body} }}\n");
    insta::assert_snapshot!(brief(&with("routes: [open]")), @"app.jadpo:2:46 name.unknown there is no route `open`");
    insta::assert_snapshot!(brief(&with("schedules: [nightly]")), @"app.jadpo:2:49 name.unknown there is no schedule `nightly`");
    insta::assert_snapshot!(brief(&with("batches: [rescore]")), @"app.jadpo:2:47 name.unknown there is no batch or backfill `rescore`");
    insta::assert_snapshot!(brief(&with("batches: rescore")), @"
app.jadpo:2:46 deployable.value_invalid `batches` takes a list of batches and backfills, or `all`, not `rescore`
  fix: write `[rescore]`
");
    insta::assert_snapshot!(brief(&with("routes: all  schedules: all  batches: all")), @"clean");
    insta::assert_snapshot!(brief(&with("webhooks: all")), @"app.jadpo:2:37 deployable.key_invalid a deployable takes no key `webhooks`");
}
