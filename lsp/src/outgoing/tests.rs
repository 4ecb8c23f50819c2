//! Which message is next.

use std::sync::Arc;

use tower_lsp::lsp_types::{Diagnostic, MessageType, Url};

use super::{Outgoing, Shown, Waiting};

/// A document's diagnostics: `a` is the document `a`, `a@3` its third version, `a!` has something wrong in it.
fn message(text: &str) -> Outgoing {
    let (text, wrong) = text.strip_suffix('!').map_or((text, 0), |text| (text, 1));
    let (name, version) = text.split_once('@').map_or((text, None), |(name, at)| (name, at.parse().ok()));
    let uri = Url::parse(&format!("file:///{name}")).expect("a name makes an address");
    Outgoing::Diagnostics(uri, Arc::new(Shown { version, diagnostics: vec![Diagnostic::default(); wrong] }))
}

fn text(message: &Outgoing) -> String {
    let Outgoing::Diagnostics(uri, shown) = message else { return "-".to_owned() };
    let version = shown.version.map(|version| format!("@{version}")).unwrap_or_default();
    format!("{}{version}{}", &uri.path()[1..], "!".repeat(shown.diagnostics.len()))
}

fn take(waiting: &mut Waiting, messages: &str) {
    messages.split_whitespace().for_each(|text| waiting.take(message(text)));
}

/// What is sent of `messages`, which come all at once after `before` was sent.
fn sent(before: &str, messages: &str) -> String {
    let mut waiting = Waiting::default();
    take(&mut waiting, before);
    while waiting.next().is_some() {}
    take(&mut waiting, messages);
    let sent: Vec<_> = std::iter::from_fn(|| waiting.next()).map(|message| text(&message)).collect();
    sent.join(" ")
}

#[test]
fn what_is_open_comes_before_what_is_not() {
    assert_eq!(sent("", "a! b@1! c! d@1"), "b@1! d@1 a! c!");
}

#[test]
fn the_newest_of_a_document_is_sent_in_the_turn_of_the_first() {
    assert_eq!(sent("", "a@1! b@1! a@2"), "a@2 b@1!");
    assert_eq!(sent("", "a! b! a@1!"), "a@1! b!");
}

#[test]
fn what_the_editor_knows_is_not_sent_again() {
    assert_eq!(sent("a! b@1", "a a! b@1"), "");
    assert_eq!(sent("a!", "a"), "a");
    assert_eq!(sent("a! a", "a"), "");
    assert_eq!(sent("", "a! a"), "");
}

#[test]
fn what_a_person_should_see_comes_first() {
    let mut waiting = Waiting::default();
    take(&mut waiting, "a@1!");
    waiting.take(Outgoing::Say(MessageType::ERROR, String::new()));
    assert_eq!(waiting.next().map(|message| text(&message)).as_deref(), Some("-"));
    assert_eq!(waiting.next().map(|message| text(&message)).as_deref(), Some("a@1!"));
}
