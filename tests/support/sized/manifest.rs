//! The work as manifests.

use super::{CHAIN, Unit};

/// What starts a line that begins a declaration.
const STARTS: [&str; 9] = [
    "provider ",
    "operation ",
    "public ",
    "type ",
    "app ",
    "store ",
    "connection ",
    "subscriber ",
    "deployable ",
];

/// Where a file of a package stands.
pub fn path(file: usize) -> String {
    let name =
        if file.is_multiple_of(CHAIN) { "provider".to_owned() } else { format!("part{}", file % CHAIN) };
    format!("packages/parcels_{}/{name}.jadpo", file / CHAIN)
}

/// The beginning of a file: the provider and its poll, in the first of each package.
pub fn head(file: usize) -> String {
    if file.is_multiple_of(CHAIN) { Unit { file, number: 0 }.of(PROVIDER) } else { String::new() }
}

/// The app that listens to every package.
pub fn app(packages: usize) -> String {
    let listens = (0..packages).map(|package| Unit { file: package * CHAIN, number: 0 }.of(LISTENS));
    APP.to_owned() + &listens.collect::<Vec<_>>().concat()
}

/// How many declarations a text has.
pub fn declarations(text: &str) -> usize {
    text.lines().filter(|line| STARTS.iter().any(|start| line.starts_with(start))).count()
}

const APP: &str = r#"/// Hears of every depot's gate.
app depots { }

store main { engine: sqlite("depots.db") }

deployable server { target: native }
"#;

const LISTENS: &str = r#"
connection depot_@package {
    package: parcels_@package
    settings: { api_key: env("DEPOT_@package") }
    max_concurrent: 4
    polls: { gate: 10m }
}

subscriber hear_@package {
    on: parcels_@package.Gate@packageMoved
}
"#;

const PROVIDER: &str = r#"/// Parcels of depot @package.
provider parcels_@package {
    version: "1.0.0"
    base_url: "https://depot-@package.example"
    settings: {
        api_key: Secret
    }
    auth: bearer(settings.api_key)
    max_concurrent: 8
    polls: {
        gate: {
            call: read_gate_@package
            every: 5m
            emits: Gate@packageMoved
        }
    }
}

/// Whether trucks may come.
operation read_gate_@package {
    method: GET
    path: "/gate"
    output: Gate@package
}

type Gate@package = Object {
    open: Bool
    queue: Int?
    seen_at: Instant
}

/// The gate opened or closed, or its queue has another length.
public type Gate@packageMoved = Event {
    open: Bool
    queue: Int?
}

"#;

/// Two records, an enum and four operations.
pub const UNIT: &str = r#"/// Parcel @number of part @part.
public type Parcel@unit = Object {
    code: Text
    pieces: Int
    fragile: Bool?
    weight: Decimal
    floor: Int?
    label: Bytes
    marks: List<Text>
    origin: List<Receipt@earlier>
}

/// The receipt for parcel @number of part @part.
public type Receipt@unit = Object {
    code: Text
    pieces: Int
    fragile: Bool?
    weight: Decimal
    floor: Int?
    state: State@unit
    marks: List<Text>
    parcel: Parcel@unit
}

/// How far parcel @number of part @part is.
public type State@unit = Enum {
    ordered
    packed
    sent
    landed
    delivered
    returned
}

/// Reads a parcel.
public operation read_parcel_@unit {
    method: GET
    path: "/parcels/@unit"
    output: Receipt@unit
}

/// Lists parcels.
public operation list_parcels_@unit {
    method: GET
    path: "/parcels/@unit/all"
    output: Receipt@unit
}

/// Replaces a parcel.
public operation replace_parcel_@unit {
    method: PUT
    path: "/parcels/@unit"
    input: Parcel@unit
    output: Receipt@unit
}

/// Removes a parcel.
public operation remove_parcel_@unit {
    method: DELETE
    path: "/parcels/@unit"
    output: Receipt@unit
}

"#;
