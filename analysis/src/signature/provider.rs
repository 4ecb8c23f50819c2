//! The signature of a provider.

use jadpo_syntax::tree::{Entry, Value, ValueKind};

use super::{is_broken, type_use};
use crate::base_url::BaseUrl;
use crate::db::Db;
use crate::inputs::Scope;
use crate::keys::{EMPTY_BLOCK, Fields, POLL, RETRY};
use crate::model::{Retry, Type};
use crate::names;
use crate::values::{self, Hole, HoleSource};

/// What others need to know of a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderSignature {
    /// As declared; of a name given twice the first.
    pub settings: Vec<SettingSignature>,
    /// Whether `settings` are all.
    pub settings_known: Known,
    /// As declared.
    pub polls: Vec<PollSignature>,
    /// Whether `polls` are all.
    pub polls_known: Known,
    /// The package's cap.
    pub max_concurrent: Option<u64>,
    /// Its `base_url`, where it is one.
    pub address: Option<Address>,
    /// How calls are retried; `None` where it isn't given rightly.
    pub retry: Option<Retry>,
    /// Per attempt; `None` where it isn't given rightly.
    pub timeout_ms: Option<u64>,
    /// Whether `timeout:` or `retry:` is given.
    pub says_waits: bool,
    /// How names are spelt on the wire.
    pub cases: Cases,
}

/// What others need to know of a `base_url`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Whether it starts with `http://`.
    pub is_http: bool,
    /// Whether a setting gives its host or a part of it.
    pub host_is_given: bool,
}

/// How much of a block's author-keyed entries is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// All of them.
    #[default]
    All,
    /// Perhaps not all: the syntax is broken, or a key that the block doesn't take may stand for theirs.
    Unsure,
}

/// One of `settings:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingSignature {
    /// Its name.
    pub name: Box<str>,
    /// Its type; `None` where it means nothing.
    pub ty: Option<Type>,
    /// Whether it has a default.
    pub has_default: bool,
    /// Where its value is sent.
    pub sent: Sent,
}

/// Places that don't take every text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// In the host of `base_url`.
    pub in_host: bool,
    /// In a header.
    pub in_header: bool,
}

/// One of `polls:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollSignature {
    /// Its name.
    pub name: Box<str>,
    /// The operation that it names.
    pub call: Option<Box<str>>,
    /// Its interval, where it is one.
    pub every_ms: Option<u64>,
    /// The event that it names.
    pub emits: Option<Box<str>>,
}

/// How the provider spells names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cases {
    /// `field_case:`
    pub fields: &'static str,
    /// `enum_case:`
    pub variants: &'static str,
}

impl Default for Cases {
    fn default() -> Self {
        Self { fields: "snake", variants: "snake" }
    }
}

/// The signature of a package's provider; that of an empty one where it has none.
#[salsa::tracked]
pub fn provider_signature(db: &dyn Db, scope: Scope) -> ProviderSignature {
    let Some((owner, fields)) = names::owner(db, scope).and_then(|owner| Some((owner, owner.fields(db)?)))
    else {
        let unsure = Known::Unsure;
        return ProviderSignature {
            settings_known: unsure,
            polls_known: unsure,
            ..ProviderSignature::default()
        };
    };
    let known = |key| known(fields, key, is_broken(db, owner));
    let cases = Cases::default();
    let template = fields.value("base_url").and_then(values::template);
    let base_url = template.as_ref().and_then(BaseUrl::split);
    ProviderSignature {
        settings: written_settings(fields),
        settings_known: known("settings"),
        polls_known: known("polls"),
        polls: fields.open_entries("polls").iter().filter_map(poll).collect(),
        max_concurrent: fields.whole("max_concurrent").and_then(|whole| u64::try_from(whole).ok()),
        address: base_url.map(|base_url| Address {
            is_http: base_url.is_http(),
            host_is_given: base_url.host_setting().is_some(),
        }),
        retry: retry(fields),
        timeout_ms: fields.duration_ms("timeout"),
        says_waits: fields.entry("timeout").is_some() || fields.entry("retry").is_some(),
        cases: Cases {
            fields: fields.word("field_case").unwrap_or(cases.fields),
            variants: fields.word("enum_case").unwrap_or(cases.variants),
        },
    }
}

/// Whether a package's settings are all known.
#[salsa::tracked(returns(copy))]
pub fn settings_known(db: &dyn Db, scope: Scope) -> Known {
    provider_signature(db, scope).settings_known
}

/// Whether a package's polls are all known.
#[salsa::tracked(returns(copy))]
pub fn polls_known(db: &dyn Db, scope: Scope) -> Known {
    provider_signature(db, scope).polls_known
}

/// How names are spelt on the wire in a scope: as declared in an app, as the provider says in a package.
#[salsa::tracked(returns(copy))]
pub fn cases(db: &dyn Db, scope: Scope) -> Cases {
    provider_signature(db, scope).cases
}

/// A package's settings, as declared: who asks isn't run again by an edit of the rest of the provider.
#[salsa::tracked(returns(deref))]
pub fn settings(db: &dyn Db, scope: Scope) -> Vec<SettingSignature> {
    provider_signature(db, scope).settings.clone()
}

/// Whether the entries of a key's block are all known.
fn known(fields: Fields<'_>, key: &str, broken: bool) -> Known {
    let written = fields.entry(key);
    let is_block =
        |entry: &Entry| matches!(entry.value.as_ref().map(|it| &it.kind), Some(ValueKind::Block(_)));
    let unsure = match written {
        Some(entry) => !is_block(entry),
        None => fields.has_unknown_key(),
    };
    if broken || unsure { Known::Unsure } else { Known::All }
}

fn written_settings(fields: Fields<'_>) -> Vec<SettingSignature> {
    let mut settings: Vec<SettingSignature> = Vec::new();
    for entry in fields.open_entries("settings") {
        if settings.iter().all(|known| known.name != entry.key.text) {
            settings.push(setting(entry, sent(fields, &entry.key.text)));
        }
    }
    settings
}

/// Where a provider sends the value of a setting.
pub fn sent(fields: Fields<'_>, setting: &str) -> Sent {
    let is_it = |hole: &Hole<'_>| hole.source == HoleSource::Settings && hole.name == setting;
    let holds = |value: &Value| values::template(value).is_some_and(|template| template.holes().any(is_it));
    let base_url = fields.value("base_url").and_then(values::template);
    let base_url = base_url.as_ref().and_then(BaseUrl::split);
    let auth = fields.call("auth").filter(|(name, _)| matches!(&*name.text, "bearer" | "header"));
    let headers = fields.open_entries("headers").iter().filter_map(|entry| entry.value.as_ref());
    Sent {
        in_host: base_url.is_some_and(|base_url| base_url.host_holes().any(is_it)),
        in_header: headers.chain(auth.into_iter().flat_map(|(_, args)| args)).any(holds),
    }
}

fn setting(entry: &Entry, sent: Sent) -> SettingSignature {
    let (ty, has_default) = match entry.value.as_ref().map(|value| &value.kind) {
        Some(ValueKind::Type(expr, block)) => {
            let entries = block.iter().flat_map(|block| &block.entries);
            let has_default = entries.into_iter().any(|entry| &*entry.key.text == "default");
            (type_use::read(expr, block.as_ref()), has_default)
        }
        _ => (None, false),
    };
    SettingSignature { name: entry.key.text.clone(), ty, has_default, sent }
}

fn poll(entry: &Entry) -> Option<PollSignature> {
    let ValueKind::Block(block) = &entry.value.as_ref()?.kind else { return None };
    let fields = Fields::new(block, &POLL);
    let name = |key| fields.name(key).map(|name| name.text.clone());
    Some(PollSignature {
        name: entry.key.text.clone(),
        call: name("call"),
        every_ms: fields.duration_ms("every"),
        emits: name("emits"),
    })
}

/// A provider's `retry:`, defaults included; `None` where a key of it isn't given rightly.
pub fn retry(fields: Fields<'_>) -> Option<Retry> {
    let fields = match fields.entry("retry") {
        Some(_) => fields.block("retry")?,
        None => Fields::new(&EMPTY_BLOCK, &RETRY),
    };
    Some(Retry {
        attempts: u32::try_from(fields.whole("attempts")?).ok()?,
        initial_ms: fields.duration_ms("initial")?,
        max_ms: fields.duration_ms("max")?,
    })
}
