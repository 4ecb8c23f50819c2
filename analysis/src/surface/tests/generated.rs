//! Properties that hold for any two packages, over packages made by a generator with a seed.

use std::fmt::Write;
use std::sync::LazyLock;

use super::{differences, digest, surface_of};
use crate::surface::diff::{Change, diff};
use crate::surface::entry::Surface;
use crate::surface::json;
use crate::surface::spot::Spot;
use crate::surface::table::Kind;

/// How many pairs of packages are made.
const PAIRS: u64 = 200;

/// Numbers that look like chance and are the same each time: a xorshift generator.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn up_to(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.up_to(of.len() as u64)).unwrap()]
    }
}

/// A package in which each part is decided by a seed of its own, so that packages of nearby seeds share most parts.
fn package(seed: u64, reseeded: u64, again: u64) -> String {
    let mut part = 0;
    let mut dice = || {
        part += 1;
        Dice::new(if part == reseeded { seed * 1000 + part + again } else { seed * 1000 + part })
    };
    let mut out = String::from(
        "//- /provider.jadpo\nprovider feed {\n    base_url: \"https://feed.example\"\n    settings: {\n        key: Secret\n",
    );
    let mut settings = dice();
    for name in ["a", "b", "c"] {
        let ty = settings.one(&[
            "",
            "Text",
            "Text?",
            "Int { default: 1 }",
            "Int { default: 2  max: 9 }",
            "Level",
            "Level?",
            "Level { default: low }",
            "Symbol",
        ]);
        if !ty.is_empty() {
            writeln!(out, "        {name}: {ty}").unwrap();
        }
    }
    out += "    }\n";
    out +=
        dice().one(&["", "    auth: bearer(settings.key)\n", "    auth: header(\"X-Key\", settings.key)\n"]);
    out += dice().one(&["", "    max_concurrent: 3\n", "    max_concurrent: 9\n"]);
    let poll = dice().one(&[
        "",
        "state: { call: ask  every: 5m  emits: Changed }",
        "state: { call: ask  every: 9m  emits: Changed }",
        "status: { call: ask  every: 5m  emits: Changed }",
    ]);
    writeln!(out, "    polls: {{ {poll} }}\n}}").unwrap();
    for name in ["find", "make", "take", "send"] {
        let mut dice = dice();
        let method = dice.one(&["POST", "PUT"]);
        let input = dice.one(&["", "input: A", "input: B", "input: C"]);
        let output = dice.one(&[
            "",
            "output: A",
            "output: List<B?>",
            "output: Map<Text, C>",
            "output: D",
            "output: Names",
            "output: Side",
        ]);
        if dice.up_to(5) > 0 {
            writeln!(
                out,
                "public operation {name} {{ method: {method}  path: \"/{name}\"  {input}  {output} }}"
            )
            .unwrap();
        }
    }
    let mut kept = dice();
    let fields: Vec<_> = ["x", "y", "z"].iter().map(|name| format!("{name}: {}", field(&mut kept))).collect();
    let fields = fields.join("\n");
    write!(out, "operation ask {{ method: GET  path: \"/ask\"  output: Answer }}\ntype Answer = Object {{ {fields} }}\npublic type Changed = Event {{ {fields} }}\n").unwrap();
    for name in ["A", "B", "C", "D"] {
        let mut dice = dice();
        let mut fields = String::new();
        for field_name in ["k", "l", "m", "n"] {
            if dice.up_to(6) > 0 {
                writeln!(fields, "{field_name}: {}", field(&mut dice)).unwrap();
            }
        }
        writeln!(out, "public type {name} = Object {{ {fields} }}").unwrap();
    }
    for name in ["Side", "Level"] {
        let mut dice = dice();
        let more =
            dice.one(&["", " middle", " middle as \"M\"", " others as other", " middle  others as other"]);
        writeln!(out, "public type {name} = Enum {{ low  high{more} }}").unwrap();
    }
    let names = dice().one(&["List<Text>", "List<Text?>", "List<Text> { max_items: 3 }", "Text?", "Side"]);
    writeln!(out, "public type Symbol = Text {{ max_length: {} }}", dice().up_to(4) + 1).unwrap();
    writeln!(out, "public type Names = {names}").unwrap();
    out
}

fn field(dice: &mut Dice) -> String {
    let ty = dice.one(&[
        "Int",
        "Int?",
        "Int { min: 1 }",
        "Int { min: 2 }",
        "Text { max_length: 4 }",
        "Text { pattern: \"a\" }",
        "List<Text>",
        "List<Text?>",
        "Map<Text, List<Int?>>",
        "Side",
        "Side?",
        "List<Side>",
        "Symbol",
        "Names",
        "List<Names>",
        "Bool",
    ]);
    let optional = dice.one(&["", "", " optional"]);
    format!("{ty}{optional}")
}

/// Pairs of packages: most differ in one part, some in all.
fn pairs() -> impl Iterator<Item = (u64, Surface, Surface)> {
    static MADE: LazyLock<Vec<(u64, Surface, Surface)>> = LazyLock::new(|| {
        let pair = |seed| {
            let (old, new) = if seed % 5 == 0 {
                (package(seed, 0, 0), package(seed + 1000, 0, 0))
            } else {
                (package(seed, 0, 0), package(seed, seed % 18 + 1, 7))
            };
            let surface = |text: &str| {
                crate::tests::open(text).surfaces().pop().unwrap().surface.map(|it| Surface::clone(&it))
            };
            Some((seed, surface(&old)?, surface(&new)?))
        };
        (0..PAIRS).filter_map(pair).collect()
    });
    MADE.iter().cloned()
}

/// A change as it looks from the other side, as far as both sides see it.
fn mirrored(change: &Change) -> (Kind, Option<Spot>, Option<Spot>) {
    (seen(undone(change.kind)), change.new.clone(), change.old.clone())
}

/// The kind of the same change, looked at from the other side. Of what was added this is that it was removed,
/// however it was added.
fn undone(kind: Kind) -> Kind {
    match kind {
        Kind::FieldAddedRequired | Kind::FieldAddedNullable | Kind::FieldAddedOptional => Kind::FieldRemoved,
        Kind::FieldRemoved => Kind::FieldAddedRequired,
        Kind::PresenceLoosened => Kind::PresenceTightened,
        Kind::PresenceTightened => Kind::PresenceLoosened,
        Kind::ConstraintLoosened => Kind::ConstraintTightened,
        Kind::ConstraintTightened => Kind::ConstraintLoosened,
        Kind::VariantAdded => Kind::VariantRemoved,
        Kind::VariantRemoved | Kind::VariantCaught => Kind::VariantAdded,
        Kind::TypeAdded => Kind::TypeRemoved,
        Kind::TypeRemoved => Kind::TypeAdded,
        Kind::EventGained => Kind::EventLost,
        Kind::EventLost => Kind::EventGained,
        Kind::OperationAdded => Kind::OperationRemoved,
        Kind::OperationRemoved => Kind::OperationAdded,
        Kind::DecodeAdded => Kind::DecodeRemoved,
        Kind::DecodeRemoved => Kind::DecodeAdded,
        Kind::PollAdded => Kind::PollRemoved,
        Kind::PollRemoved => Kind::PollAdded,
        Kind::CapRaised => Kind::CapLowered,
        Kind::CapLowered => Kind::CapRaised,
        Kind::CapAdded => Kind::CapRemoved,
        Kind::CapRemoved => Kind::CapAdded,
        Kind::PackageAdded => Kind::PackageRemoved,
        Kind::PackageRemoved => Kind::PackageAdded,
        same => same,
    }
}

fn plain(change: &Change) -> (Kind, Option<Spot>, Option<Spot>) {
    (seen(change.kind), change.old.clone(), change.new.clone())
}

/// How something was added, or what becomes of the values of something removed, is seen from one side alone.
fn seen(kind: Kind) -> Kind {
    match kind {
        Kind::FieldAddedNullable | Kind::FieldAddedOptional => Kind::FieldAddedRequired,
        Kind::VariantCaught => Kind::VariantRemoved,
        kind => kind,
    }
}

/// What only some ways of values make a change at all: the ways may differ on both sides.
fn is_always_told(change: &Change) -> bool {
    !matches!(change.kind, Kind::PresenceSwapped | Kind::VariantStoredOtherwise | Kind::DefaultChanged)
}

#[test]
fn most_packages_are_right_and_most_pairs_differ() {
    let pairs: Vec<_> = pairs().collect();
    let differing = pairs.iter().filter(|(_, old, new)| !diff(old, new).is_empty()).count();
    assert!(pairs.len() * 10 > usize::try_from(PAIRS).unwrap() * 8, "{} right pairs", pairs.len());
    assert!(differing * 10 > pairs.len() * 4, "{differing} of {} differ", pairs.len());
}

#[test]
fn a_surface_differs_in_nothing_from_itself() {
    for (seed, old, _) in pairs() {
        assert_eq!(differences(&old, &old.clone()), "nothing", "{seed}");
    }
}

#[test]
fn a_difference_mirrors_its_undoing() {
    for (seed, old, new) in pairs() {
        let key = |change: &(Kind, Option<Spot>, Option<Spot>)| format!("{change:?}");
        let mut forth: Vec<_> =
            diff(&old, &new).iter().filter(|it| is_always_told(it)).map(mirrored).collect();
        let mut back: Vec<_> = diff(&new, &old).iter().filter(|it| is_always_told(it)).map(plain).collect();
        forth.sort_by_key(key);
        back.sort_by_key(key);
        assert_eq!(forth, back, "{seed}:\n{}\n--\n{}", differences(&old, &new), differences(&new, &old));
    }
}

#[test]
fn each_place_is_told_once_for_each_kind() {
    for (seed, old, new) in pairs() {
        let mut told: Vec<_> = diff(&old, &new).iter().map(plain).map(|it| format!("{it:?}")).collect();
        let all = told.len();
        told.sort();
        told.dedup();
        assert_eq!(told.len(), all, "{seed}:\n{}", differences(&old, &new));
    }
}

#[test]
fn what_is_the_same_has_the_same_digest_and_is_read_as_it_is_written() {
    for (seed, old, new) in pairs() {
        assert_eq!(old == new, digest(&old) == digest(&new), "{seed}");
        assert_eq!(json::read(&json::write(&old)).as_ref(), Ok(&old), "{seed}");
    }
}

#[test]
fn the_order_of_declarations_and_files_means_nothing() {
    for seed in 0..20 {
        let text = package(seed, 0, 0);
        let mut lines: Vec<_> = text.lines().collect();
        let types = lines.iter().position(|line| line.starts_with("public type A")).unwrap();
        let mut moved: Vec<_> = lines.split_off(types);
        // Declarations begin at a line of their own; their fields stay with them.
        let mut declarations: Vec<String> = Vec::new();
        for line in moved.drain(..) {
            if line.starts_with("public type") {
                declarations.push(String::new());
            }
            let last = declarations.last_mut().unwrap();
            last.push_str(line);
            last.push('\n');
        }
        declarations.reverse();
        let split = format!("{}\n//- /more/types.jadpo\n{}", lines.join("\n"), declarations.concat());
        if crate::tests::open(&text).check().is_ok() {
            assert_eq!(json::write(&surface_of(&text)), json::write(&surface_of(&split)));
        }
    }
}
