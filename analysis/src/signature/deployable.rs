//! The signature of a deployable.

use crate::db::Db;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::Target;
use crate::values;

/// What others need to know of a deployable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeployableSignature {
    /// What it is built for; `None` where that isn't given rightly.
    pub target: Option<Target>,
    /// The routes that it names.
    pub routes: Listed<Box<str>>,
    /// The subscribers that it names.
    pub subscribers: Listed<Box<str>>,
    /// The schedules that it names.
    pub schedules: Listed<Box<str>>,
    /// The polls that it names, as connection and poll.
    pub polls: Listed<(Box<str>, Box<str>)>,
    /// The batches and backfills that it names.
    pub batches: Listed<Box<str>>,
    /// Whether `host:` is given.
    pub says_host: bool,
    /// Whether it has a control port.
    pub has_control: bool,
}

/// What a list of a deployable says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Listed<T> {
    /// `all`, or nothing.
    #[default]
    All,
    /// These.
    These(Vec<T>),
}

impl<T: PartialEq> Listed<T> {
    /// Whether it takes in whatever there is.
    pub fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }

    /// Whether it takes this one in.
    pub fn takes(&self, one: &T) -> bool {
        match self {
            Self::All => true,
            Self::These(these) => these.contains(one),
        }
    }
}

/// The signature of a deployable.
#[salsa::tracked]
pub fn deployable_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> DeployableSignature {
    let Some(fields) = decl.fields(db) else { return DeployableSignature::default() };
    let host = fields.block("host");
    DeployableSignature {
        target: match fields.word("target") {
            Some("native") => Some(Target::Native),
            Some("workers") => Some(Target::Workers),
            _ => None,
        },
        routes: names(fields, "routes"),
        subscribers: names(fields, "subscribers"),
        schedules: names(fields, "schedules"),
        polls: listed(fields, "polls", |value| match values::path(value) {
            Some([through, poll]) => Some((through.text.clone(), poll.text.clone())),
            _ => None,
        }),
        batches: names(fields, "batches"),
        says_host: fields.entry("host").is_some(),
        has_control: host.is_some_and(|host| host.entry("control").is_some()),
    }
}

fn names(fields: Fields<'_>, key: &str) -> Listed<Box<str>> {
    listed(fields, key, |value| values::bare_name(value).map(|name| name.text.clone()))
}

fn listed<T>(
    fields: Fields<'_>,
    key: &str,
    read: impl Fn(&jadpo_syntax::tree::Value) -> Option<T>,
) -> Listed<T> {
    if fields.value(key).is_none() || fields.is_all(key) {
        return Listed::All;
    }
    Listed::These(fields.elements(key).iter().filter_map(read).collect())
}
