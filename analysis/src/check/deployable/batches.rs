//! What a deployable starts is run where it is kept.

use jadpo_syntax::tree::Keyword;

use super::places;
use crate::check::Check;
use crate::check::store::target_text;
use crate::deployables::{Unrun, unrun_batches};
use crate::diagnostics::codes::app;
use crate::keys::Fields;
use crate::names;

/// Reports the batches whose runs nobody makes, at the list that lacks them.
pub fn are_run(cx: &mut Check<'_>, fields: Fields<'_>) {
    let name = cx.decl.name_text(cx.db);
    for unrun in unrun_batches(cx.db, cx.scope).iter().filter(|unrun| *unrun.deployable == *name) {
        waiting(cx, fields, unrun);
    }
}

fn waiting(cx: &mut Check<'_>, fields: Fields<'_>, unrun: &Unrun) {
    let (db, batch, part) = (cx.db, &unrun.batch, &unrun.part);
    let place = |keyword, name: &str| {
        let decl = names::find(db, cx.scope, keyword, name);
        decl.map(|decl| names::name_place(db, decl))
    };
    let starts = part.decl(db, cx.scope).map(|decl| names::name_place(db, decl));
    let other = unrun.run_by.as_ref().and_then(|other| Some((other, place(Keyword::Deployable, other)?)));
    let message = format!(
        "`{batch}` is started {}, where no deployable runs it: {} starts it",
        target_text(unrun.target),
        part.text()
    );
    let edit = places::with_name(cx, fields, "batches", batch);
    let finding = cx.report(app::DEPLOYABLE_VALUE_INVALID, fields.span("batches"), message);
    finding.label(format!("without `{batch}`"));
    if let Some(place) = starts {
        finding.related(place, format!("starts `{batch}`"));
    }
    match other {
        Some((other, place)) => {
            finding.related(place, format!("`{other}` runs `{batch}`, over another database"));
            finding.help(
                "each target has a database of its own: what is started in one is never run from the other",
            );
        }
        None => {
            finding.help("a run waits in the store until a deployable makes it");
        }
    }
    if let Some((at, text)) = edit {
        finding.suggest(format!("add `{batch}`"), at, text);
    }
}
