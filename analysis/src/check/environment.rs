//! `env("NAME")`: what is given at start-up.

use jadpo_syntax::tree::{StringLit, Value};

use super::Check;
use crate::diagnostics::Code;
use crate::nearest::nearest;
use crate::values;

/// `value` is `env("NAME")`, with a name that a variable can have. `what` takes it: "`bearer`".
pub fn check(cx: &mut Check<'_>, value: &Value, what: &str, code: Code) {
    if let Some(variable) = values::env(value) {
        name(cx, variable, code);
        return;
    }
    let place = cx.at(value.span);
    if let Some((call, [arg])) = values::call(value)
        && &*call.text != "env"
        && values::text(arg).is_some()
    {
        let message = format!("{what} takes `env(\"NAME\")`, not `{}(…)`", call.text);
        cx.report(code, call.span, message).nearest(nearest(&call.text, ["env"]));
        return;
    }
    let meant = match values::call(value) {
        Some((_, [arg])) => values::bare_name(arg),
        _ => values::bare_name(value),
    };
    let message = format!("{what} takes `env(\"NAME\")`, the name of an environment variable");
    let finding = cx.report(code, value.span, message);
    finding.help("what it holds is given at start-up and never written down");
    if let Some(meant) = meant.filter(|name| &*name.text != "env") {
        let text = format!("env(\"{}\")", meant.text);
        finding.suggest(format!("write `{text}`"), place, text);
    }
}

/// A variable can have this name.
pub fn name(cx: &mut Check<'_>, variable: &StringLit, code: Code) {
    let text = &*variable.value;
    if text.is_empty() || text.contains(|c: char| c == '=' || c.is_whitespace() || c.is_control()) {
        let message = format!("no environment variable can be called {text:?}");
        cx.report(code, variable.span, message).help("a name has letters, digits and `_`");
    }
}
