//! The table of queries: what each is in words, and what it reads. A test holds it against what queries really read.

/// A tracked query.
#[derive(Debug)]
pub struct Query {
    /// Its name in the code.
    pub name: &'static str,
    /// What it is of a declaration, a file or a namespace.
    pub words: &'static str,
    /// What it reads of the manifests themselves.
    pub inputs: &'static [Input],
    /// The queries that it asks directly.
    pub reads: &'static [&'static str],
}

/// What no query gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The text of a file.
    File,
    /// The text of a declaration, or where it stands.
    Declaration,
    /// Which files and packages there are.
    Layout,
}

use Input::{Declaration, File, Layout};

/// The query of a name.
pub fn query(name: &str) -> Option<&'static Query> {
    QUERIES.iter().copied().flatten().find(|query| query.name == name)
}

/// All of them, by subject.
pub const QUERIES: &[&[Query]] = &[FILES, NAMES, SIGNATURES, PLAN, SURFACES];

const fn row(
    name: &'static str,
    words: &'static str,
    inputs: &'static [Input],
    reads: &'static [&'static str],
) -> Query {
    Query { name, words, inputs, reads }
}

const FILES: &[Query] = &[
    row("file_items", "the cut into declarations", &[File], &[]),
    row("file_decls", "the declarations, whatever they say", &[], &["file_items"]),
    row("parse", "the tree", &[Declaration], &[]),
    row("line_index", "where the lines begin", &[File], &[]),
    row(
        "file_diagnostics",
        "all that is wrong",
        &[Declaration, Layout],
        &[
            "accepted",
            "changes",
            "check",
            "clashes",
            "file_decls",
            "file_items",
            "is_sound",
            "line_index",
            "lookup",
            "owner",
            "package_clashes",
            "parse",
            "surface",
        ],
    ),
    row(
        "check",
        "the rules",
        &[Declaration],
        &[
            "action_signature",
            "auth_headers",
            "cases",
            "connections",
            "deployable_signature",
            "differs_in_case",
            "doubled_polls",
            "emitted",
            "emitting_poll",
            "events_store",
            "facts",
            "file_decls",
            "first_in",
            "first_writer",
            "has_declaration",
            "has_package",
            "heard_connections",
            "is_broken",
            "listeners",
            "live_polls",
            "lookup",
            "may_be",
            "may_be_called",
            "nearest_to",
            "operation_signature",
            "owner",
            "package_name",
            "packages",
            "parse",
            "parts",
            "poll_names",
            "polls_known",
            "provider_signature",
            "same_decoder",
            "same_requests",
            "same_wire_name",
            "settings",
            "settings_known",
            "short_calls",
            "store_keep",
            "store_signature",
            "stores",
            "type_facts",
            "type_signature",
            "unheard_events",
            "unkept",
            "unrun_batches",
            "written_store",
        ],
    ),
    row("is_broken", "whether its syntax has problems", &[], &["parse"]),
    row(
        "is_sound",
        "whether nothing is an error",
        &[Layout],
        &["check", "clashes", "file_decls", "file_items", "owner", "package_clashes"],
    ),
];

const NAMES: &[Query] = &[
    row("scope_index", "the names that are declared", &[Layout], &["file_decls"]),
    row("lookup", "which declaration a name means", &[], &["scope_index"]),
    row("nearest_to", "the declared name that is nearest to another", &[Layout], &["file_decls"]),
    row("owner", "the declaration of its own name", &[Layout], &["file_decls"]),
    row("packages", "the packages by name", &[Layout], &["owner"]),
    row("has_package", "whether a package has a name that can't be read", &[Layout], &["owner"]),
    row("has_declaration", "whether a declaration has a head that can't be read", &[Layout], &["file_decls"]),
    row("may_be", "whether what can't be read may be the name", &[Declaration], &["file_decls"]),
    row("clashes", "the names that are declared twice", &[Layout], &["file_decls"]),
    row("cased", "the names that differ only in case", &[], &["clashes"]),
    row("differs_in_case", "whether its name differs from another only in case", &[], &["cased"]),
    row("package_clashes", "the packages of one name", &[Layout], &["owner", "packages"]),
    row("same_wire_name", "the event that has its wire name too", &[], &["first_events", "type_signature"]),
    row(
        "same_decoder",
        "the operation that has its decoder too",
        &[],
        &["first_decoded", "operation_signature"],
    ),
    row("first_events", "which event has a wire name first", &[Layout], &["file_decls", "type_signature"]),
    row(
        "first_decoded",
        "which operation has a decoder first",
        &[Layout],
        &["file_decls", "operation_signature"],
    ),
    row(
        "same_requests",
        "the route that answers the same requests",
        &[],
        &["first_routes", "route_signature"],
    ),
    row("first_routes", "which route answers requests first", &[Layout], &["file_decls", "route_signature"]),
    row("first_in", "which store is in a database first", &[], &["databases"]),
    row("databases", "the databases of its stores", &[Layout], &["file_decls", "store_signature"]),
];

const SIGNATURES: &[Query] = &[
    row("action_signature", "the signature", &[], &["is_broken", "parse"]),
    row("batch_signature", "the signature", &[], &["parse"]),
    row("connection_signature", "the signature", &[], &["parse"]),
    row("deployable_signature", "the signature", &[], &["parse"]),
    row("operation_signature", "the signature", &[Declaration], &["is_broken", "parse"]),
    row("provider_signature", "the signature", &[], &["is_broken", "owner", "parse"]),
    row("route_signature", "the signature", &[], &["parse"]),
    row("schedule_signature", "the signature", &[], &["parse"]),
    row("store_signature", "the signature", &[], &["is_broken", "parse"]),
    row("subscriber_signature", "the signature", &[], &["parse"]),
    row("type_signature", "the signature", &[Declaration], &["parse"]),
    row("package_name", "which package it is to", &[], &["parse"]),
    row("subscriber_uses", "the connections that its code may call", &[], &["parse"]),
    row("settings", "the settings", &[], &["provider_signature"]),
    row("settings_known", "whether its settings are all known", &[], &["provider_signature"]),
    row("polls_known", "whether its polls are all known", &[], &["provider_signature"]),
    row("cases", "how names are spelt on the wire", &[], &["provider_signature"]),
    row("poll_names", "the names of its polls", &[], &["facts"]),
    row("store_keep", "how long it keeps events", &[], &["parse"]),
    row("auth_headers", "the header of its `auth:`", &[], &["parse"]),
    row("emitting_poll", "the poll that emits it", &[], &["facts"]),
    row(
        "may_be_called",
        "whether it has something to call",
        &[Layout],
        &["file_decls", "has_declaration", "is_broken"],
    ),
    row("type_facts", "its place among the types", &[], &["type_graph"]),
    row("links", "the types that it names", &[], &["type_signature"]),
    row(
        "type_graph",
        "the graph of types",
        &[Layout],
        &["file_decls", "links", "lookup", "operation_signature", "packages", "type_facts"],
    ),
    row(
        "calls",
        "the calls, with timeout and retries",
        &[Layout],
        &["file_decls", "operation_signature", "provider_signature"],
    ),
    row(
        "facts",
        "what apps may know",
        &[Layout],
        &["is_broken", "lookup", "operation_signature", "provider_signature", "type_signature"],
    ),
];

const PLAN: &[Query] = &[
    row(
        "connections",
        "the connections",
        &[Layout],
        &["file_decls", "has_declaration", "package_name", "packages"],
    ),
    row("stores", "the names of its stores", &[Layout], &["file_decls"]),
    row("events_store", "where its events are kept", &[], &["connection_signature", "lookup", "stores"]),
    row(
        "written_store",
        "where it writes",
        &[],
        &["action_signature", "batch_signature", "lookup", "stores", "subscriber_signature"],
    ),
    row(
        "unkept",
        "whether a connection has no store for its events",
        &[Layout],
        &["events_store", "file_decls", "live_polls"],
    ),
    row(
        "emitted",
        "which events are kept where",
        &[Layout],
        &["action_signature", "file_decls", "subscriber_signature", "written_store"],
    ),
    row("first_writer", "which declaration writes a store first", &[Layout], &["file_decls"]),
    row(
        "listeners",
        "who hears what",
        &[Layout],
        &["file_decls", "has_declaration", "lookup", "packages", "subscriber_signature", "type_signature"],
    ),
    row("heard_connections", "the connections that it hears", &[], &["connections", "subscriber_signature"]),
    row(
        "live_polls",
        "the polls that run for it",
        &[],
        &["connection_signature", "facts", "listeners", "package_name", "packages"],
    ),
    row(
        "parts",
        "all that it runs",
        &[],
        &[
            "action_signature",
            "deployable_signature",
            "events_store",
            "file_decls",
            "heard_connections",
            "live_polls",
            "lookup",
            "route_signature",
            "schedule_signature",
            "subscriber_signature",
            "subscriber_uses",
            "what_runs",
            "written_store",
        ],
    ),
    row("what_runs", "what it runs, by kind", &[], &["deployable_signature", "file_decls", "live_polls"]),
    row(
        "doubled_polls",
        "the polls that run over two databases",
        &[Layout],
        &["deployable_signature", "events_store", "file_decls", "lookup", "store_signature", "what_runs"],
    ),
    row(
        "unheard_events",
        "the events that nobody delivers",
        &[Layout],
        &[
            "deployable_signature",
            "file_decls",
            "has_declaration",
            "heard_connections",
            "lookup",
            "parts",
            "store_signature",
            "subscriber_signature",
            "what_runs",
        ],
    ),
    row(
        "unrun_batches",
        "the batches that nobody runs",
        &[Layout],
        &[
            "deployable_signature",
            "file_decls",
            "has_declaration",
            "lookup",
            "parts",
            "store_signature",
            "what_runs",
        ],
    ),
    row(
        "short_calls",
        "the calls that are too long for who waits",
        &[Layout],
        &[
            "calls",
            "file_decls",
            "lookup",
            "package_name",
            "packages",
            "parts",
            "route_signature",
            "what_runs",
        ],
    ),
    row(
        "on_workers",
        "what is built for Workers",
        &[Layout],
        &[
            "connection_signature",
            "facts",
            "file_decls",
            "lookup",
            "package_name",
            "packages",
            "parts",
            "what_runs",
        ],
    ),
];

const SURFACES: &[Query] = &[
    row(
        "surface",
        "the surface",
        &[Layout],
        &["file_decls", "has_declaration", "operation_entry", "provider_entry", "type_entry"],
    ),
    row("accepted", "the accepted surface", &[File], &[]),
    row("changes", "what changed since its surface was accepted", &[Layout], &["accepted", "surface"]),
    row(
        "provider_entry",
        "the entry of its provider in the surface",
        &[],
        &["lookup", "owner", "parse", "provider_signature", "type_signature"],
    ),
    row(
        "operation_entry",
        "its entry in the surface",
        &[Declaration],
        &["lookup", "operation_signature", "parse", "type_signature"],
    ),
    row(
        "type_entry",
        "its entry in the surface",
        &[Declaration],
        &["cases", "is_broken", "lookup", "type_graph", "type_signature"],
    ),
];
