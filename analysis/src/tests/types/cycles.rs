//! Types that hold themselves.

use super::types;
use crate::tests::{brief, check};

#[test]
fn a_type_that_holds_itself_without_end_is_one_finding_a_cycle() {
    insta::assert_snapshot!(check(
        "app trading { }\ntype Hull = Object { deck: Deck }\ntype Deck = Object { hull: Hull }\n"
    ), @"
[type.recursive] error: `Hull` holds itself without end: `Hull` → `Deck` → `Hull`
   ╭─[ app.jadpo:3:28 ]
   │
 2 │ type Hull = Object { deck: Deck }
   │      ──┬─
   │        ╰─── `Hull` is declared here
 3 │ type Deck = Object { hull: Hull }
   │                            ──┬─
   │                              ╰─── write `Hull?`
   │
   │ Help: a `?`, `optional`, a `List` or a `Map` somewhere on the way ends it
───╯
  fix: write `Hull?` (a choice)
");
    insta::assert_snapshot!(types(r"
type Bad = Object { me: Bad  you: Bad }
type X = Y
type Y = X
type Node = Object { label: Text  parent: Node? }
type A = Object { b: B }
type B = Object { a: A optional }
type Tree = Object { kids: List<Tree>  named: Map<Text, Tree> }
type C = Object { d: D }
type D = E
type E = Object { c: C }
type F = Object { g: G }
type G = F?
type Loop = List<Loop>
"), @"
app.jadpo:3:25 type.recursive `Bad` holds itself without end: `Bad` → `Bad`
  fix: write `Bad?` (a choice)
app.jadpo:3:35 type.recursive `Bad` holds itself without end: `Bad` → `Bad`
  fix: write `Bad?` (a choice)
app.jadpo:5:10 type.recursive `X` stands for itself: `X` → `Y` → `X`
app.jadpo:12:22 type.recursive `C` holds itself without end: `C` → `D` → `E` → `C`
  fix: write `C?` (a choice)
");
}

#[test]
fn a_long_cycle_is_named_in_short() {
    use std::fmt::Write;
    let mut text = String::from("app trading { }\n");
    for at in 0..3_000 {
        writeln!(text, "type T{at} = Object {{ next: T{} }}", (at + 1) % 3_000).unwrap();
    }
    insta::assert_snapshot!(brief(&text), @"
app.jadpo:3001:29 type.recursive `T0` holds itself without end: `T0` → `T1` → `T2` → `T3` → `T4` → `T5` → `T6` → 2992 more → `T2999` → `T0`
  fix: write `T0?` (a choice)
");
}

#[test]
fn a_name_that_only_stands_for_itself_or_nothing_is_refused() {
    let types = |types| brief(&format!("//- /app.jadpo\napp trading {{ }}\n{types}\n"));
    insta::assert_snapshot!(types("type A = A?"), @"app.jadpo:2:10 type.recursive `A` stands for itself: `A` → `A`");
    insta::assert_snapshot!(types("type A = B?\ntype B = A"), @"app.jadpo:3:10 type.recursive `A` stands for itself: `A` → `B` → `A`");
    insta::assert_snapshot!(types("type A = A { }"), @"app.jadpo:2:10 type.recursive `A` stands for itself: `A` → `A`");
    insta::assert_snapshot!(types("type A = A? { }"), @"app.jadpo:2:10 type.recursive `A` stands for itself: `A` → `A`");
    insta::assert_snapshot!(types("type A = B? { }\ntype B = A"), @"app.jadpo:3:10 type.recursive `A` stands for itself: `A` → `B` → `A`");
    insta::assert_snapshot!(types("type A = B?\ntype B = Object { a: A }\ntype C = List<C>"), @"clean");
    insta::assert_snapshot!(types("type A = B? { }\ntype B = Object { a: A }\ntype C = List<C> { }"), @"clean");
}
