//! The work as tables.

/// Where a file stands.
pub fn path(file: usize) -> String {
    format!("parcels/part{file}.toml")
}

/// Two records, an enum and four operations.
pub const UNIT: &str = r#"# Parcel @number of part @part.
[Parcel@unit]
code = "Text"
pieces = "Int"
fragile = { type = "Bool", optional = true }
weight = "Decimal"
floor = { type = "Int", optional = true }
label = "Bytes"
marks = ["Text"]
origin = ["Receipt@earlier"]

# The receipt for parcel @number of part @part.
[Receipt@unit]
code = "Text"
pieces = "Int"
fragile = { type = "Bool", optional = true }
weight = "Decimal"
floor = { type = "Int", optional = true }
state = "State@unit"
marks = ["Text"]
parcel = "Parcel@unit"

# How far parcel @number of part @part is.
[State@unit]
ordered = 0
packed = 1
sent = 2
landed = 3
delivered = 4
returned = 5

# Operations over parcel @number of part @part.
[operations.read_parcel_@unit]
method = "GET"
path = "/parcels/@unit"
output = "Receipt@unit"

[operations.list_parcels_@unit]
method = "GET"
path = "/parcels/@unit/all"
output = "Receipt@unit"

[operations.replace_parcel_@unit]
method = "PUT"
path = "/parcels/@unit"
input = "Parcel@unit"
output = "Receipt@unit"

[operations.remove_parcel_@unit]
method = "DELETE"
path = "/parcels/@unit"
output = "Receipt@unit"

"#;
