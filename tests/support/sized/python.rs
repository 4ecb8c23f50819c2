//! The work as data classes.

use super::{CHAIN, Unit};

/// Where a module stands.
pub fn path(file: usize) -> String {
    format!("parcels/part{file}.py")
}

/// Its imports.
pub fn head(file: usize) -> String {
    let import =
        if file.is_multiple_of(CHAIN) { "" } else { "\nfrom parcels.@earlier_part import Receipt@earlier\n" };
    let imports =
        "from __future__ import annotations\n\nfrom dataclasses import dataclass\nfrom enum import Enum\n";
    Unit { file, number: 0 }.of(&format!("{imports}{import}\n"))
}

/// Two records, an enum and four operations.
pub const UNIT: &str = r#"@dataclass
class Parcel@unit:
    """Parcel @number of part @part."""
    code: str
    pieces: int
    fragile: bool | None
    weight: float
    floor: int | None
    label: bytes
    marks: list[str]
    origin: list[Receipt@earlier]

@dataclass
class Receipt@unit:
    """The receipt for parcel @number of part @part."""
    code: str
    pieces: int
    fragile: bool | None
    weight: float
    floor: int | None
    state: State@unit
    marks: list[str]
    parcel: Parcel@unit

class State@unit(Enum):
    """How far parcel @number of part @part is."""
    ORDERED = 0
    PACKED = 1
    SENT = 2
    LANDED = 3
    DELIVERED = 4
    RETURNED = 5

class Parcels@unit:
    """Operations over parcel @number of part @part."""
    def read(self, it: Parcel@unit) -> Receipt@unit:
        return Receipt@unit(it.code, it.pieces, it.fragile, it.weight, it.floor, State@unit.SENT, it.marks, it)
    def list(self, it: Parcel@unit) -> Receipt@unit:
        return Receipt@unit(it.code, it.pieces + 1, it.fragile, it.weight, it.floor, State@unit.PACKED, it.marks, it)
    def replace(self, it: Parcel@unit) -> Receipt@unit:
        return Receipt@unit(it.code, it.pieces + 2, it.fragile, it.weight, it.floor, State@unit.LANDED, it.marks, it)
    def remove(self, it: Parcel@unit) -> Receipt@unit:
        return Receipt@unit(it.code, it.pieces + 3, it.fragile, it.weight, it.floor, State@unit.ORDERED, it.marks, it)

"#;
