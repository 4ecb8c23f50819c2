//! A surface as text.

use super::{PACKAGE, differences, edited, surface_of};
use crate::surface::Document;
use crate::surface::entry::{Field, TypeEntry};
use crate::surface::json;
use crate::surface::shape::Shape;

#[test]
fn a_surface_is_written_a_line_for_each_thing() {
    let text = r#"//- /provider.jadpo
provider feed {
    base_url: "https://feed.example"
    settings: { key: Secret  level: Level? { default: high }  grade: Grade }
    auth: bearer(settings.key)
    max_concurrent: 2
    polls: { state: { call: ask  every: 5m  emits: Changed } }
}
operation ask { method: GET  path: "/a"  output: Answer }
public operation find { method: GET  path: "/f"  input: Query  query: { q: input.q }  output: List<Found?> }
type Answer = Object { at: Instant { wire: unix_s }  side: Side }
public type Changed = Event { at: Instant  side: Side }
public type Side = Enum { buy as "B"  sell  unknown as other }
public type Level = Enum { low as 1  high as 2 }
type Grade = Enum { a  b }
public type Query = Object { q: Text { min_length: 1  pattern: "[a-z]+" } optional }
public type Found = Object { of: Kind }
public type Kind = Enum { one as "1"  two as "2" }
public type Symbol = Text { max_length: 9 }
public type Symbols = List<Symbol>
public type Tree = List<Tree>
"#;
    insta::assert_snapshot!(json::write(&surface_of(text)), @r#"
{
  "digest": "013b186cfa81738eff3bc8b4e16b069f28569c7d943a67e699e82bbda8f59b5f",
  "operations": {
    "find": {
      "digest": "cceac96e18d7f3f6c40d5731d5a170e6a096bce1476e5ba410f403493e381ea2",
      "surface": {
        "input": "Query",
        "output": "List<Found?>"
      }
    }
  },
  "package": "feed",
  "package_version": "0.1.0",
  "provider": {
    "digest": "f6e7e079d653f3538cf825ee636d0eec2f07582ad2b864230cf5320a23d2092b",
    "surface": {
      "auth": "bearer",
      "max_concurrent": 2,
      "polls": {
        "state": {
          "emits": "Changed",
          "every_ms": 300000
        }
      },
      "settings": {
        "grade": {
          "type": "Enum",
          "variants": {
            "variants": {
              "a": "a",
              "b": "b"
            }
          }
        },
        "key": {
          "type": "Secret"
        },
        "level": {
          "default": 2,
          "type": "Level?"
        }
      }
    }
  },
  "types": {
    "Changed": {
      "digest": "0d9f5cc68bcf45d6859f07cbde9ccee6e2540fa77958f3a7b4460d9de7d1f252",
      "surface": {
        "body": "event",
        "fields": {
          "at": "Instant",
          "side": "Side"
        }
      }
    },
    "Found": {
      "digest": "e48fb0eb102f94e6e862c859b3df7da875c07ba248b2509358c462a7ec0e06da",
      "surface": {
        "body": "object",
        "fields": {
          "of": "Kind"
        }
      }
    },
    "Kind": {
      "digest": "cb92ee493d0eb947a71290fef2fb57399bb578afb6a8f926b049b1c844d281d6",
      "surface": {
        "body": "enum",
        "variants": {
          "one": null,
          "two": null
        }
      }
    },
    "Level": {
      "digest": "0035ae27b517dcd5e56386610da0e77ec9e3703e571f85d703569ba79e2afc70",
      "surface": {
        "body": "enum",
        "variants": {
          "high": 2,
          "low": 1
        }
      }
    },
    "Query": {
      "digest": "2fdac67ffbf8aa424e00c599a022f290477b15eba425094bc15f67927bb38d22",
      "surface": {
        "body": "object",
        "fields": {
          "q": "Text { min_length: 1 pattern: \"[a-z]+\" } optional"
        }
      }
    },
    "Side": {
      "digest": "a0b8ae0be882545b1cb5e9e0e6cd246ca898a52f3d4474d49dcc111eaeb299e1",
      "surface": {
        "body": "enum",
        "other": "unknown",
        "variants": {
          "buy": "B",
          "sell": "sell"
        }
      }
    },
    "Symbol": {
      "digest": "15869f29b691be81565f643375ae1f0ea09b5fcf45532e7c305c5b9f7851287a",
      "surface": {
        "body": "newtype",
        "of": "Text { max_length: 9 }"
      }
    },
    "Symbols": {
      "digest": "9aaa7f56f2c2f3b55e37e25114f1d58ab78efa07e83e5900d021fd8feee7e9ad",
      "surface": {
        "body": "alias",
        "of": "List<Symbol>"
      }
    },
    "Tree": {
      "digest": "1dfdc5aa3765159827bba193ba3af12e050da9fb2c485ae2903a26383075334f",
      "surface": {
        "body": "alias",
        "of": "List<Tree>",
        "recursive": true
      }
    }
  },
  "version": 1
}
"#);
}

#[test]
fn what_is_written_is_read_again() {
    let surface = surface_of(PACKAGE);
    let text = json::write(&surface);
    assert_eq!(json::read(&text).as_ref(), Ok(&surface));
    assert_eq!(json::read(&text.replace('\n', "\r\n")).as_ref(), Ok(&surface));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json::read(&value.to_string()).as_ref(), Ok(&surface));
    assert_eq!(json::write(&json::read(&text).unwrap()), text);
}

#[test]
fn keys_stand_in_the_order_of_their_names() {
    fn sorted(value: &serde_json::Value, text: &str, from: usize) -> usize {
        let serde_json::Value::Object(map) = value else { return from };
        let mut keys: Vec<_> = map.keys().collect();
        keys.sort();
        keys.into_iter().fold(from, |from, key| {
            let at = text[from..]
                .find(&format!("\"{key}\":"))
                .unwrap_or_else(|| panic!("`{key}` comes too early"));
            sorted(&map[key], text, from + at + key.len() + 3)
        })
    }
    let text = json::write(&surface_of(PACKAGE));
    sorted(&serde_json::from_str(&text).unwrap(), &text, 0);
}

#[test]
fn a_digest_changes_with_its_entry_alone() {
    let digests = |text: &str| {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut found = vec![("provider".to_owned(), value["provider"]["digest"].clone())];
        for kind in ["operations", "types"] {
            let entries = value[kind].as_object().unwrap();
            found.extend(entries.iter().map(|(name, entry)| (name.clone(), entry["digest"].clone())));
        }
        (value["digest"].clone(), found)
    };
    let before = digests(&json::write(&surface_of(PACKAGE)));
    let after = digests(&json::write(&surface_of(&edited(&[("ba: Int", "ba: Bool")]))));
    assert_ne!(before.0, after.0);
    let changed: Vec<_> =
        before.1.iter().zip(&after.1).filter(|(one, other)| one != other).map(|(one, _)| &*one.0).collect();
    assert_eq!(changed, ["Both"]);
}

#[test]
fn what_is_no_surface_is_refused_with_the_reason() {
    let text = json::write(&surface_of(PACKAGE));
    let said = |text: &str| json::read(text).map(|_| ()).unwrap_err().0;
    insta::assert_snapshot!(said(""), @"EOF while parsing a value");
    insta::assert_snapshot!(said("[]"), @"it is no surface");
    insta::assert_snapshot!(said("{}"), @"it says no `version`, so it is no surface");
    insta::assert_snapshot!(said("{\"version\": \"1\"}"), @r#"it is of version "1", and this jadpo reads version 1"#);
    insta::assert_snapshot!(said(&text.replace("\"version\": 1", "\"version\": 2")), @"it is of version 2, and this jadpo reads version 1");
    insta::assert_snapshot!(said(&text.replace("\"ba\": \"Int\"", "\"ba\": \"Bool\"")), @"it was changed by hand, or by a merge: its digest is that of another surface");
    insta::assert_snapshot!(said(&text.replace("\"ba\": \"Int\"", "\"ba\": \"Int<\"")), @"`Int<` is no type");
    insta::assert_snapshot!(said(&text.replace("\"every_ms\"", "\"every\"")), @"unknown field `every`, expected `emits` or `every_ms`");
    insta::assert_snapshot!(said(&text.replace("\"1.2.0\"", "\"latest\"")), @"`latest` is no version by SemVer");
    // Each digest is looked at, and the one that is wrong is where the reason stands.
    for (at, _) in text.match_indices("\"digest\": \"") {
        let mut wrong = text.clone();
        wrong.replace_range(at + 11..at + 75, &"0".repeat(64));
        assert_eq!(json::read(&wrong).map_err(|(_, place)| place).unwrap_err(), at);
    }
    let half = &text[..text.len() / 2];
    assert!(json::read(half).is_err());
    assert!(json::read(&"[".repeat(100_000)).is_err());
}

#[test]
fn one_file_may_hold_several_surfaces() {
    let text = json::write(&surface_of(PACKAGE));
    assert_eq!(Document::read_all(&format!("{text}{text}")).unwrap().len(), 2);
    assert_eq!(Document::read_all(" \n").unwrap_err(), "it is empty");
    assert!(Document::read_all(&format!("{text} x")).is_err());
}

#[test]
fn a_surface_that_no_package_has_is_compared_to_an_end() {
    let deep = |name: &str| format!("{}{name}{}", "List<".repeat(60), ">".repeat(60));
    let mut surface = surface_of(PACKAGE);
    for (name, of) in [("A", deep("A")), ("B", deep("A?")), ("C", "C".to_owned()), ("D", "C".to_owned())] {
        let of = Shape::parse(&of).unwrap();
        surface.types.insert(name.to_owned(), TypeEntry::Alias { of, recursive: false });
    }
    let mut other = surface.clone();
    for (name, of) in [("A", "B"), ("B", "A"), ("C", "A"), ("D", "B?")] {
        let of = Shape::parse(of).unwrap();
        other.types.insert(name.to_owned(), TypeEntry::Alias { of, recursive: false });
    }
    assert_ne!(differences(&surface, &other), "nothing");
    assert_ne!(differences(&other, &surface), "nothing");
    // Two new names, each of which is one only while the other isn't.
    let object = |of: &str| {
        let field = Field { ty: Shape::parse(of).unwrap(), optional: false };
        TypeEntry::Object { fields: [("x".to_owned(), field)].into() }
    };
    let alias = |of: &str| TypeEntry::Alias { of: Shape::parse(of).unwrap(), recursive: false };
    let (mut old, mut new) = (surface_of(PACKAGE), surface_of(PACKAGE));
    old.types.extend([("P".to_owned(), alias("Q")), ("Q".to_owned(), object("P?"))]);
    new.types.extend([("S".to_owned(), alias("Q")), ("R".to_owned(), object("P?"))]);
    assert_ne!(differences(&old, &new), "nothing");
    assert_ne!(differences(&new, &old), "nothing");
}
