//! The meaning of a package without errors.

use std::collections::BTreeMap;

use jadpo_syntax::tree::{Block, Entry, Keyword, Value, ValueKind};

use super::types::{placed, placed_ref, types};
use crate::check::templates::{lower, lowered};
use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::{Fields, POLL};
use crate::literal;
use crate::model::{Auth, Operation, Package, Part, Poll, Provider, Setting, Template, TypeRef};
use crate::names;
use crate::resolve::{self, Kind};
use crate::signature::{operation_signature, provider_signature, read_type, type_signature};
use crate::values;

/// The meaning of a package; `None` for one without a provider.
pub fn package(db: &dyn Db, scope: Scope) -> Option<Package> {
    let owner = names::owner(db, scope)?;
    let operations = names::declared(db, scope, Keyword::Operation);
    Some(Package {
        name: owner.name_text(db).to_owned(),
        doc: owner.doc(db),
        provider: provider(db, scope, owner.fields(db)?)?,
        operations: operations
            .filter_map(|decl| Some((decl.name_text(db).to_owned(), operation(db, scope, decl)?)))
            .collect(),
        types: types(db, scope),
    })
}

fn provider(db: &dyn Db, scope: Scope, fields: Fields<'_>) -> Option<Provider> {
    let signature = provider_signature(db, scope);
    let version = fields.text("version").map(|text| &*text.value).or(fields.default("version"))?;
    Some(Provider {
        version: version.to_owned(),
        base_url: without_last_slash(lower(&values::template(fields.value("base_url")?)?)),
        settings: fields
            .open_entries("settings")
            .iter()
            .filter_map(|entry| setting(db, scope, entry))
            .collect(),
        auth: auth(fields)?,
        headers: templates(fields.open_entries("headers")),
        timeout_ms: signature.timeout_ms?,
        retry: signature.retry?,
        max_response_bytes: fields.size_bytes("max_response")?,
        max_concurrent: signature.max_concurrent,
        polls: polls(db, scope, fields),
    })
}

/// An operation's path begins with a `/`, so the address ends without one.
fn without_last_slash(mut template: Template) -> Template {
    if let Some(Part::Text(last)) = template.parts.last_mut()
        && last.ends_with('/')
    {
        last.pop();
        if last.is_empty() {
            template.parts.pop();
        }
    }
    template
}

fn setting(db: &dyn Db, scope: Scope, entry: &Entry) -> Option<Setting> {
    let ValueKind::Type(expr, block) = &entry.value.as_ref()?.kind else { return None };
    let ty = read_type(expr, block.as_ref())?;
    let default = block.as_ref().and_then(default_of);
    let default_json = default.and_then(|value| literal::canonical(db, scope, &ty, value)?.ok());
    Some(Setting {
        name: entry.key.text.to_string(),
        doc: entry.docs.join("\n"),
        ty: placed(db, scope, &ty),
        default_json,
    })
}

fn default_of(block: &Block) -> Option<&Value> {
    block.entries.iter().find(|entry| &*entry.key.text == "default")?.value.as_ref()
}

fn auth(fields: Fields<'_>) -> Option<Auth> {
    let Some((name, args)) = fields.call("auth") else { return Some(Auth::None) };
    let template = |value: &Value| values::template(value).map(|template| lower(&template));
    let text = |value: &Value| values::text(value).map(|text| text.value.to_string());
    Some(match (&*name.text, args) {
        ("bearer", [token]) => Auth::Bearer(template(token)?),
        ("basic", [user, password]) => Auth::Basic(template(user)?, template(password)?),
        ("header", [name, value]) => Auth::Header(text(name)?, template(value)?),
        ("query", [name, value]) => Auth::Query(text(name)?, template(value)?),
        _ => return None,
    })
}

fn templates(entries: &[Entry]) -> Vec<(String, Template)> {
    let template = |entry: &Entry| Some((entry.key.text.to_string(), lowered(entry.value.as_ref()?)?));
    entries.iter().filter_map(template).collect()
}

fn polls(db: &dyn Db, scope: Scope, fields: Fields<'_>) -> BTreeMap<String, Poll> {
    let poll = |entry: &Entry| {
        let ValueKind::Block(block) = &entry.value.as_ref()?.kind else { return None };
        let fields = Fields::new(block, &POLL);
        let name = entry.key.text.to_string();
        let emits = TypeRef { package: None, name: fields.name("emits")?.text.to_string() };
        let poll = Poll {
            name: name.clone(),
            doc: entry.docs.join("\n"),
            call: fields.name("call")?.text.to_string(),
            every_ms: fields.duration_ms("every")?,
            emits: placed_ref(db, scope, &emits),
        };
        Some((name, poll))
    };
    fields.open_entries("polls").iter().filter_map(poll).collect()
}

fn operation<'db>(db: &'db dyn Db, scope: Scope, decl: DeclSrc<'db>) -> Option<Operation> {
    let fields = decl.fields(db)?;
    let signature = operation_signature(db, decl)?;
    let input = input(db, scope, fields);
    let path = lower(&values::template(fields.value("path")?)?);
    let query = templates(fields.open_entries("query"));
    let headers = templates(fields.open_entries("headers"));
    let used = |name: &str| {
        let others = query.iter().chain(&headers).map(|(_, template)| template);
        others.chain([&path]).flat_map(|it| &it.parts).any(|part| *part == Part::Input(name.to_owned()))
    };
    let input_fields = input.map(|input| type_signature(db, input).fields()).unwrap_or_default();
    let body_fields =
        input_fields.iter().map(|field| field.name.to_string()).filter(|name| !used(name)).collect();
    let idempotency = fields.call("idempotency_key").and_then(|(_, args)| values::text(args.first()?));
    Some(Operation {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        public: decl.public(db),
        method: signature.method?.to_owned(),
        input: input.map(|input| {
            placed_ref(db, scope, &TypeRef { package: None, name: input.name_text(db).to_owned() })
        }),
        body_fields,
        output: signature.output.as_ref().map(|output| placed(db, scope, output)),
        at: fields.text("at").map(|at| at.value.to_string()).unwrap_or_default(),
        decode: fields.name("decode").map(|name| name.text.to_string()),
        changes: signature.changes,
        idempotency_header: idempotency.map(|name| name.value.to_string()),
        timeout_ms: signature.timeout_ms.or(provider_signature(db, scope).timeout_ms)?,
        path,
        query,
        headers,
    })
}

/// The object that `input:` names, through other names for it.
fn input<'db>(db: &'db dyn Db, scope: Scope, fields: Fields<'_>) -> Option<DeclSrc<'db>> {
    let name = fields.name("input")?.text.to_string();
    let ty = crate::model::Type::Named(TypeRef { package: None, name });
    match resolve::kind(db, scope, &ty)?.kind {
        Kind::Object(decl) => Some(decl),
        _ => None,
    }
}
