//! The classification of changes, as data: one row for each kind of change, one column for each way that values travel.

use super::travel::{GIVEN, KEPT, READ, Travel, WRITTEN};

/// What a change means for the apps that use a package. The worse comes later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Nothing breaks, but something behaves differently.
    Note,
    /// Apps may use more than before.
    Addition,
    /// An app that was right may be wrong now.
    Breaking,
}

/// A kind of change. [`row`] says what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the row of its name")]
pub enum Kind {
    FieldAddedRequired,
    FieldAddedNullable,
    FieldAddedOptional,
    FieldRemoved,
    FieldRenamed,
    PresenceLoosened,
    PresenceTightened,
    PresenceSwapped,
    TypeChanged,
    ConstraintLoosened,
    ConstraintTightened,
    ConstraintChanged,
    VariantAdded,
    VariantRemoved,
    VariantCaught,
    VariantRenamed,
    VariantStoredOtherwise,
    DefaultChanged,
    TypeAdded,
    TypeRemoved,
    TypeRenamed,
    EventGained,
    EventLost,
    OperationAdded,
    OperationRemoved,
    OperationRenamed,
    DecodeAdded,
    DecodeRemoved,
    AuthChanged,
    PollAdded,
    PollRemoved,
    PollRenamed,
    PollEmitsChanged,
    PollEveryChanged,
    CapRaised,
    CapRemoved,
    CapLowered,
    CapAdded,
    PackageAdded,
    PackageRemoved,
    PackageRenamed,
}

/// What a kind of change means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The kind.
    pub kind: Kind,
    /// Its stable name, for programs.
    pub name: &'static str,
    /// The change as a sentence, in which `{it}` is what changed, `{old}` what stood there and `{new}` what stands there.
    pub says: &'static str,
    /// What it means, by the way that values travel.
    pub means: Means,
    /// What of the app's Rust the compiler then refuses, whatever becomes of values; empty for nothing.
    pub rust: &'static str,
}

/// What a change means by the way that values travel; `None`: nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// Where apps read.
    pub read: Option<Class>,
    /// Where apps write.
    pub written: Option<Class>,
    /// Where stores keep values that were written before.
    pub kept: Option<Class>,
    /// Where apps give settings.
    pub given: Option<Class>,
}

impl Means {
    /// The worst of what it means on these ways.
    pub fn of(self, travel: Travel) -> Option<Class> {
        let ways = [(READ, self.read), (WRITTEN, self.written), (KEPT, self.kept), (GIVEN, self.given)];
        ways.into_iter().filter(|(way, _)| travel.goes(*way)).filter_map(|(_, class)| class).max()
    }
}

const NOTHING: Option<Class> = None;
const NOTE: Option<Class> = Some(Class::Note);
const ADDS: Option<Class> = Some(Class::Addition);
const BREAKS: Option<Class> = Some(Class::Breaking);

/// The same on every way.
const fn always(class: Option<Class>) -> Means {
    Means { read: class, written: class, kept: class, given: class }
}

/// Where apps read, where they write or give, and where stores keep.
const fn by_way(read: Option<Class>, written: Option<Class>, kept: Option<Class>) -> Means {
    Means { read, written, kept, given: written }
}

const fn row(kind: Kind, name: &'static str, says: &'static str, means: Means, rust: &'static str) -> Row {
    Row { kind, name, says, means, rust }
}

const LITERAL: &str = "struct literals that don't name it, and patterns without `..`";
const NAMED: &str = "what names it";
const OPTION: &str = "what takes or gives its value, since an `Option` more or less stands around it";
const MATCH: &str = "a `match` without an arm for it";

/// The table. A kind's row stands at the kind's own number.
pub const TABLE: &[Row] = &[
    row(
        Kind::FieldAddedRequired,
        "field_added_required",
        "{it} was added, and is required",
        by_way(ADDS, BREAKS, BREAKS),
        LITERAL,
    ),
    row(
        Kind::FieldAddedNullable,
        "field_added_nullable",
        "{it} was added, as `{new}`",
        by_way(ADDS, ADDS, BREAKS),
        LITERAL,
    ),
    row(
        Kind::FieldAddedOptional,
        "field_added_optional",
        "{it} was added, and may be left out",
        by_way(ADDS, ADDS, ADDS),
        LITERAL,
    ),
    row(Kind::FieldRemoved, "field_removed", "{it} was removed", always(BREAKS), NAMED),
    row(Kind::FieldRenamed, "field_renamed", "{it} was renamed to `{new}`", always(BREAKS), NAMED),
    row(
        Kind::PresenceLoosened,
        "presence_loosened",
        "{it} may now be missing or none: `{new}`, was `{old}`",
        by_way(BREAKS, ADDS, NOTHING),
        OPTION,
    ),
    row(
        Kind::PresenceTightened,
        "presence_tightened",
        "{it} must now be there: `{new}`, was `{old}`",
        by_way(ADDS, BREAKS, BREAKS),
        OPTION,
    ),
    row(
        Kind::PresenceSwapped,
        "presence_swapped",
        "{it} is absent in another form: `{new}`, was `{old}`",
        by_way(NOTHING, NOTHING, BREAKS),
        "",
    ),
    row(
        Kind::TypeChanged,
        "type_changed",
        "{it} is now `{new}`, was `{old}`",
        always(BREAKS),
        "what takes or gives its value",
    ),
    row(
        Kind::ConstraintLoosened,
        "constraint_loosened",
        "{it} takes more values: `{new}`, was `{old}`",
        by_way(BREAKS, ADDS, NOTHING),
        "",
    ),
    row(
        Kind::ConstraintTightened,
        "constraint_tightened",
        "{it} takes fewer values: `{new}`, was `{old}`",
        by_way(ADDS, BREAKS, BREAKS),
        "",
    ),
    row(
        Kind::ConstraintChanged,
        "constraint_changed",
        "{it} takes other values: `{new}`, was `{old}`",
        always(BREAKS),
        "",
    ),
    row(Kind::VariantAdded, "variant_added", "{it} was added", by_way(BREAKS, ADDS, NOTHING), MATCH),
    row(Kind::VariantRemoved, "variant_removed", "{it} was removed", by_way(ADDS, BREAKS, BREAKS), NAMED),
    row(
        Kind::VariantCaught,
        "variant_caught",
        "{it} was removed; its value is now kept by `{new}`",
        by_way(ADDS, BREAKS, NOTHING),
        NAMED,
    ),
    row(Kind::VariantRenamed, "variant_renamed", "{it} was renamed to `{new}`", always(BREAKS), NAMED),
    row(
        Kind::VariantStoredOtherwise,
        "variant_stored_otherwise",
        "{it} is stored as `{new}`, was `{old}`",
        Means { read: NOTHING, written: NOTHING, kept: BREAKS, given: BREAKS },
        "",
    ),
    row(
        Kind::DefaultChanged,
        "default_changed",
        "{it} is `{new}` where it isn't given, was `{old}`",
        Means { read: NOTHING, written: NOTE, kept: NOTHING, given: NOTE },
        "",
    ),
    row(Kind::TypeAdded, "type_added", "{it} was added", always(ADDS), ""),
    row(Kind::TypeRemoved, "type_removed", "{it} was removed", always(BREAKS), NAMED),
    row(Kind::TypeRenamed, "type_renamed", "{it} was renamed to `{new}`", always(BREAKS), NAMED),
    row(Kind::EventGained, "event_gained", "{it} is now an Event", always(ADDS), ""),
    row(Kind::EventLost, "event_lost", "{it} is no Event any more", always(BREAKS), ""),
    row(Kind::OperationAdded, "operation_added", "{it} was added", always(ADDS), ""),
    row(Kind::OperationRemoved, "operation_removed", "{it} was removed", always(BREAKS), "what calls it"),
    row(
        Kind::OperationRenamed,
        "operation_renamed",
        "{it} was renamed to `{new}`",
        always(BREAKS),
        "what calls it",
    ),
    row(
        Kind::DecodeAdded,
        "decode_added",
        "{it} asks the app for the function `{new}`",
        always(BREAKS),
        "an app without that function",
    ),
    row(
        Kind::DecodeRemoved,
        "decode_removed",
        "{it} has no function `{old}` of the app any more",
        always(BREAKS),
        "the function, which the trait no longer has",
    ),
    row(Kind::AuthChanged, "auth_changed", "{it} is now `{new}`, was `{old}`", always(BREAKS), ""),
    row(Kind::PollAdded, "poll_added", "{it} was added", always(ADDS), ""),
    row(Kind::PollRemoved, "poll_removed", "{it} was removed", always(BREAKS), ""),
    row(Kind::PollRenamed, "poll_renamed", "{it} was renamed to `{new}`", always(BREAKS), ""),
    row(Kind::PollEmitsChanged, "poll_emits_changed", "{it} emits `{new}`, was `{old}`", always(BREAKS), ""),
    row(Kind::PollEveryChanged, "poll_every_changed", "{it} runs every {new}, was {old}", always(NOTE), ""),
    row(Kind::CapRaised, "max_concurrent_raised", "{it} was raised to {new}, was {old}", always(ADDS), ""),
    row(Kind::CapRemoved, "max_concurrent_removed", "{it} was removed, was {old}", always(ADDS), ""),
    row(
        Kind::CapLowered,
        "max_concurrent_lowered",
        "{it} was lowered to {new}, was {old}",
        always(BREAKS),
        "",
    ),
    row(Kind::CapAdded, "max_concurrent_added", "{it} is {new} where there was none", always(BREAKS), ""),
    row(Kind::PackageAdded, "package_added", "{it} was added", always(ADDS), ""),
    row(Kind::PackageRemoved, "package_removed", "{it} was removed", always(BREAKS), NAMED),
    row(Kind::PackageRenamed, "package_renamed", "{it} was renamed to `{new}`", always(BREAKS), NAMED),
];

impl Kind {
    /// What it means.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

impl Class {
    /// As it is printed.
    pub fn text(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Addition => "addition",
            Self::Breaking => "breaking",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::TABLE;

    #[test]
    fn every_kind_has_the_row_at_its_number() {
        for (number, row) in TABLE.iter().enumerate() {
            assert_eq!(row.kind as usize, number, "{}", row.name);
            assert!(row.says.contains("{it}"), "{}", row.name);
        }
        let names: BTreeSet<_> = TABLE.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), TABLE.len());
        assert_eq!(TABLE.last().map(|row| row.name), Some("package_renamed"));
    }
}
