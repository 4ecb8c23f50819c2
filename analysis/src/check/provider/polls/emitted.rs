//! The event of a poll: a public one of the package, each field of which the answer has.

use jadpo_syntax::tree::{Keyword, Name};

use crate::check::{Check, places};
use crate::db::Db;
use crate::diagnostics::codes::package::PACKAGE_PROVIDER_INVALID;
use crate::items::DeclSrc;
use crate::model::{Type, TypeRef};
use crate::names;
use crate::nearest::nearest;
use crate::resolve;
use crate::signature::{FieldSignature, TypeSignature, is_broken, type_signature, type_text};

/// How many fields are listed before the rest are counted.
const FIELDS_LISTED_MAX: usize = 12;

/// Checks `emits:` against the object that the answer is, where that is known.
pub fn check<'db>(cx: &mut Check<'db>, emits: &Name, answer: Option<DeclSrc<'db>>) {
    let Some(event) = event(cx, emits) else { return };
    let fields = type_signature(cx.db, event).fields();
    if fields.is_empty() && !is_broken(cx.db, event) {
        let place = names::name_place(cx.db, event);
        cx.report(
            PACKAGE_PROVIDER_INVALID,
            emits.span,
            format!("`{}` has no field, so it never changes", emits.text),
        )
        .related(place, "declared here")
        .help("a poll keeps an event when one of its fields has changed");
        return;
    }
    let Some(answer) = answer else { return };
    let wrong: Vec<_> = fields.iter().filter_map(|field| Wrong::of(cx.db, cx.scope, field, answer)).collect();
    if !wrong.is_empty() {
        report(cx, emits, event, answer, &wrong);
    }
}

/// The event that `emits:` names, where a poll may emit it.
fn event<'db>(cx: &mut Check<'db>, emits: &Name) -> Option<DeclSrc<'db>> {
    let (db, name) = (cx.db, &emits.text);
    let found = names::find(db, cx.scope, Keyword::Type, name);
    let (what, related) = match found.map(|decl| (decl, type_signature(db, decl))) {
        None if !names::is_missing(db, cx.scope, Keyword::Type, name) => return None,
        None => (format!("there is no event `{name}`"), None),
        Some((decl, _)) if is_broken(db, decl) => return None,
        Some((_, TypeSignature::Missing)) => return None,
        // What an unknown type was meant to be can't be known.
        Some((_, TypeSignature::Alias(_) | TypeSignature::Newtype(_)))
            if resolve::kind(db, cx.scope, &named(name)).is_none() =>
        {
            return None;
        }
        Some((decl, TypeSignature::Event { wire_name: Some(wire_name), .. })) => {
            let place = names::name_place(db, decl);
            let message = format!("`{name}` is sent by the provider, as {wire_name:?}, so no poll emits it");
            cx.report(PACKAGE_PROVIDER_INVALID, emits.span, message)
                .related(place, "declared here")
                .help("give the poll an event of its own, without `wire_name:`");
            return None;
        }
        Some((decl, TypeSignature::Event { .. })) => {
            if !decl.public(db) {
                private(cx, emits, decl);
            }
            return Some(decl);
        }
        Some((decl, other)) => {
            (format!("`{name}` is {}, and a poll emits an Event", other.what()), Some(decl))
        }
    };
    let candidates = names::declared(db, cx.scope, Keyword::Type)
        .filter(|decl| matches!(type_signature(db, *decl), TypeSignature::Event { wire_name: None, .. }));
    let meant = nearest(name, candidates.map(|decl| decl.name_text(db)));
    let place = related.map(|decl| names::name_place(db, decl));
    let finding = cx.report(PACKAGE_PROVIDER_INVALID, emits.span, what);
    if let Some(place) = place {
        finding.related(place, "declared here");
    }
    finding.nearest(meant);
    None
}

fn named(name: &str) -> Type {
    Type::Named(TypeRef { package: None, name: name.to_owned() })
}

/// An event that apps can't hear. Whether a public type names it besides is another question.
fn private<'db>(cx: &mut Check<'db>, emits: &Name, decl: DeclSrc<'db>) {
    let place = names::name_place(cx.db, decl);
    let start = places::keyword_place(cx.db, decl);
    cx.report(
        PACKAGE_PROVIDER_INVALID,
        emits.span,
        format!("`{}` is private, so no app could hear it", emits.text),
    )
    .related(place, "declared here without `public`")
    .help(format!("write `public type {}`", emits.text))
    .fix("make it public", start, "public ");
}

/// A field of the event that the answer can't fill.
struct Wrong<'db> {
    field: &'db FieldSignature,
    /// The answer's field of the same name, which is another.
    other: Option<&'db FieldSignature>,
    /// The answer's field that was probably meant.
    meant: Option<&'db FieldSignature>,
}

impl<'db> Wrong<'db> {
    fn of(
        db: &'db dyn Db,
        scope: crate::inputs::Scope,
        field: &'db FieldSignature,
        answer: DeclSrc<'db>,
    ) -> Option<Self> {
        let fields = type_signature(db, answer).fields();
        let ty = field.ty.as_ref()?;
        let Some(other) = fields.iter().find(|it| it.name == field.name) else {
            if is_broken(db, answer) {
                return None;
            }
            let meant = nearest(&field.name, fields.iter().map(|it| &*it.name));
            let meant = meant.and_then(|meant| fields.iter().find(|it| &*it.name == meant));
            return Some(Self { field, other: None, meant });
        };
        // A type that means nothing, or names nothing, has been reported where it stands.
        let other_ty = other.ty.as_ref()?;
        if !resolve::is_comparable(db, scope, ty) || !resolve::is_comparable(db, scope, other_ty) {
            return None;
        }
        let same = field.optional == other.optional && resolve::same(db, scope, ty, other_ty);
        (!same).then_some(Self { field, other: Some(other), meant: None })
    }

    /// The field and what the answer has instead.
    fn text(&self) -> String {
        let name = &self.field.name;
        match (self.other, self.meant) {
            (Some(other), _) => {
                format!("`{name}` is {} in the event, {} in the answer", written(self.field), written(other))
            }
            (None, Some(meant)) => format!("`{name}` is not in the answer: did you mean `{}`?", meant.name),
            (None, None) => format!("`{name}` is not in the answer"),
        }
    }
}

/// A field's type and whether it may be missing, as one would write it.
fn written(field: &FieldSignature) -> String {
    let ty = field.ty.as_ref().map(type_text).unwrap_or_default();
    if field.optional { format!("`{ty} optional`") } else { format!("`{ty}`") }
}

fn report<'db>(
    cx: &mut Check<'db>,
    emits: &Name,
    event: DeclSrc<'db>,
    answer: DeclSrc<'db>,
    wrong: &[Wrong<'db>],
) {
    let db = cx.db;
    let (event_name, answer_name) = (&emits.text, answer.name_text(db));
    let message = match wrong {
        [one] if one.other.is_none() => {
            format!(
                "`{event_name}` has a field `{}`, which the answer `{answer_name}` hasn't",
                one.field.name
            )
        }
        [one] => format!(
            "the field `{}` of `{event_name}` has another type in the answer `{answer_name}`",
            one.field.name
        ),
        several => {
            let names: Vec<_> =
                several.iter().take(FIELDS_LISTED_MAX).map(|it| format!("`{}`", it.field.name)).collect();
            let more = several.len().saturating_sub(FIELDS_LISTED_MAX);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!(
                "the answer `{answer_name}` doesn't have the fields {}{more} of `{event_name}`",
                names.join(", ")
            )
        }
    };
    let first = &wrong[0];
    let event_place = places::field_place(db, event, &first.field.name);
    let answer_place = match first.other.or(first.meant) {
        Some(field) => places::field_place(db, answer, &field.name),
        None => names::name_place(db, answer),
    };
    let help = match wrong {
        [Wrong { other: None, meant: Some(meant), .. }] => format!("did you mean `{}`?", meant.name),
        [Wrong { other: None, meant: None, field }] => {
            let field = &field.name;
            format!(
                "an event is made of the answer's fields: take `{field}` out, or add it to `{answer_name}`"
            )
        }
        several => several.iter().take(FIELDS_LISTED_MAX).map(Wrong::text).collect::<Vec<_>>().join("\n"),
    };
    let edits = repairs(db, event, wrong);
    let finding = cx.report(PACKAGE_PROVIDER_INVALID, emits.span, message);
    finding
        .label(format!("each field of `{event_name}` must be one of `{answer_name}`"))
        .related(event_place, format!("`{}` in the event", first.field.name))
        .related(
            answer_place,
            match first.other.or(first.meant) {
                Some(field) => format!("`{}` in the answer", field.name),
                None => format!("the answer, `{answer_name}`"),
            },
        )
        .help(help);
    if let Some((title, edits)) = edits {
        finding.fix_all(title, false, edits);
    }
}

/// Renames that would fill every wrong field from the answer; none where one has no likely counterpart.
fn repairs<'db>(
    db: &'db dyn Db,
    event: DeclSrc<'db>,
    wrong: &[Wrong<'db>],
) -> Option<(String, Vec<crate::diagnostics::FindingEdit<'db>>)> {
    let mut edits = Vec::new();
    for one in wrong {
        let meant = one.meant?;
        edits.push((places::field_name_place(db, event, &one.field.name)?, meant.name.to_string()));
    }
    let title = match edits.as_slice() {
        [(_, name)] => format!("name the event's field `{name}`"),
        _ => "name the event's fields as the answer does".to_owned(),
    };
    Some((title, edits))
}
