//! The signature of a subscriber.

use jadpo_syntax::tree::Value;

use crate::db::Db;
use crate::items::{DeclSrc, parse};
use crate::keys::Fields;
use crate::model::TypeRef;
use crate::values;

/// What others need to know of a subscriber.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubscriberSignature {
    /// The events that it names, as written and in order.
    pub on: Vec<TypeRef>,
    /// The connections that it names; `None` where it names none, so that it hears all.
    pub from: Option<Vec<Box<str>>>,
    /// The app's events that it may emit, as written.
    pub emits: Vec<Box<str>>,
    /// Whether `store:` is given, rightly or not.
    pub says_store: bool,
    /// The store that it names.
    pub store: Option<Box<str>>,
    /// Whether something of `on` or `from` could not be read, so that it may hear more than it seems to.
    pub unclear: bool,
}

/// The signature of a subscriber.
#[salsa::tracked]
pub fn subscriber_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> SubscriberSignature {
    let Some(fields) = decl.fields(db) else {
        return SubscriberSignature { unclear: true, ..SubscriberSignature::default() };
    };
    let (on, from) = (fields.elements("on"), fields.elements("from"));
    let events: Vec<_> = on.iter().filter_map(event).collect();
    let named: Vec<_> = from.iter().filter_map(name).collect();
    let unread = events.len() != on.len() || named.len() != from.len();
    SubscriberSignature {
        unclear: unread || on.is_empty() || is_hole(fields, "from") || !parse(db, decl).problems.is_empty(),
        on: events,
        from: fields.entry("from").map(|_| named),
        emits: fields.elements("emits").iter().filter_map(name).collect(),
        says_store: fields.entry("store").is_some(),
        store: fields.name("store").map(|store| store.text.clone()),
    }
}

/// The connections that a subscriber's code may call, as written, `origin` among them. They stand apart, since nothing
/// that is heard depends on them.
#[salsa::tracked(returns(deref))]
pub fn subscriber_uses<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Vec<Box<str>> {
    decl.fields(db)
        .map(|fields| fields.elements("uses").iter().filter_map(name).collect())
        .unwrap_or_default()
}

/// The event that an element of `on:` names: `TradeBooked` or `coinfeed.PricesChanged`.
fn event(value: &Value) -> Option<TypeRef> {
    match values::path(value)? {
        [name] => Some(TypeRef { package: None, name: name.text.to_string() }),
        [package, name] => {
            Some(TypeRef { package: Some(package.text.to_string()), name: name.text.to_string() })
        }
        _ => None,
    }
}

fn name(value: &Value) -> Option<Box<str>> {
    values::bare_name(value).map(|name| name.text.clone())
}

fn is_hole(fields: Fields<'_>, key: &str) -> bool {
    fields.entry(key).is_some_and(|entry| entry.value.is_none())
}
