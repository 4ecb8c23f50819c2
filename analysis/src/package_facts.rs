//! What an app needs to know of a package, as data without places.

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::Scope;
use crate::model::Type;
use crate::names;
use crate::resolve::{self, Kind};
use crate::signature::{
    Address, Known, PollSignature, ProviderSignature, Sent, operation_signature, provider_signature,
    type_text,
};
use crate::worst_case::WorstCall;

/// What an app needs to know of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageFacts {
    /// As declared.
    pub settings: Vec<SettingFact>,
    /// Whether `settings` are all.
    pub settings_known: Known,
    /// As declared.
    pub polls: Vec<PollFact>,
    /// Whether `polls` are all.
    pub polls_known: Known,
    /// The package's cap on attempts at once.
    pub max_concurrent: Option<u64>,
    /// Its `base_url`, where it is one.
    pub address: Option<Address>,
}

/// One of the provider's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingFact {
    /// Its name.
    pub name: Box<str>,
    /// Its type, whose names are those of the package; `None` where it means nothing.
    pub ty: Option<Type>,
    /// Its type as one would write it.
    pub ty_text: String,
    /// Whether it is a `Secret`, with `?` or without.
    pub secret: bool,
    /// Whether it may be none.
    pub nullable: bool,
    /// Whether it has a default.
    pub has_default: bool,
    /// Where its value is sent.
    pub sent: Sent,
}

/// One of the provider's polls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollFact {
    /// Its name.
    pub name: Box<str>,
    /// The operation that it names.
    pub call: Option<Box<str>>,
    /// The event that it names.
    pub event: Option<Box<str>>,
    /// Its interval, where it is one.
    pub every_ms: Option<u64>,
    /// What its call takes at worst, all attempts and the waits between them.
    pub worst: Option<WorstCall>,
}

impl PackageFacts {
    /// The setting of this name.
    pub fn setting(&self, name: &str) -> Option<&SettingFact> {
        self.settings.iter().find(|setting| &*setting.name == name)
    }

    /// The poll of this name.
    pub fn poll(&self, name: &str) -> Option<&PollFact> {
        self.polls.iter().find(|poll| &*poll.name == name)
    }
}

/// The facts of a package.
#[salsa::tracked]
pub fn facts(db: &dyn Db, scope: Scope) -> PackageFacts {
    let provider = provider_signature(db, scope);
    PackageFacts {
        settings: provider.settings.iter().map(|setting| setting_fact(db, scope, setting)).collect(),
        polls: provider.polls.iter().map(|poll| poll_fact(db, scope, provider, poll)).collect(),
        settings_known: provider.settings_known,
        polls_known: provider.polls_known,
        max_concurrent: provider.max_concurrent,
        address: provider.address,
    }
}

fn setting_fact(db: &dyn Db, scope: Scope, setting: &crate::signature::SettingSignature) -> SettingFact {
    let resolved = setting.ty.as_ref().and_then(|ty| resolve::kind(db, scope, ty));
    SettingFact {
        name: setting.name.clone(),
        ty: setting.ty.clone(),
        ty_text: setting.ty.as_ref().map(type_text).unwrap_or_default(),
        secret: resolved.as_ref().is_some_and(|resolved| resolved.kind == Kind::Secret),
        nullable: resolved.is_some_and(|resolved| resolved.nullable),
        has_default: setting.has_default,
        sent: setting.sent,
    }
}

fn poll_fact(db: &dyn Db, scope: Scope, provider: &ProviderSignature, poll: &PollSignature) -> PollFact {
    let operation = poll.call.as_ref().and_then(|call| names::find(db, scope, Keyword::Operation, call));
    let timeout_ms = operation
        .and_then(|decl| operation_signature(db, decl))
        .map(|operation| operation.timeout_ms.or(provider.timeout_ms));
    let worst = timeout_ms.flatten().zip(provider.retry);
    PollFact {
        name: poll.name.clone(),
        call: poll.call.clone(),
        event: poll.emits.clone(),
        every_ms: poll.every_ms,
        worst: worst.map(|(timeout_ms, retry)| WorstCall { retry, timeout_ms }),
    }
}
