//! Every text without a problem has one derivation, and its tree is the one that was meant.

use jadpo_syntax::Problem;
use jadpo_syntax::tree::{Body, Declaration, TypeBody, Variant};
use proptest::prelude::*;

use crate::check::{checked, without_spans};
use crate::grammar::Grammar;
use crate::trees::Dice;
use crate::written::text;

/// Whether the text of these variants says something else than they do: an `as` of its own before a variant called
/// `other` is read as the modifier of the variant before it.
fn misread(variants: &[Variant]) -> bool {
    variants.windows(3).any(|three| {
        let plain = three[0].wire.is_none() && three[1].wire.is_none();
        plain && &*three[1].name.text == "as" && &*three[2].name.text == "other"
    })
}

fn ambiguous(declaration: &Declaration) -> bool {
    matches!(&declaration.body, Body::Type(TypeBody::Enum(variants)) if misread(variants))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    /// Trees are printed and read again: they are the same, there is no problem, and there is one derivation.
    #[test]
    fn what_is_written_is_read(seed in any::<u64>(), count in 1_usize..6) {
        let mut dice = Dice::new(seed);
        let trees: Vec<Declaration> =
            std::iter::repeat_with(|| dice.declaration()).filter(|tree| !ambiguous(tree)).take(count).collect();
        let written: String = trees.iter().map(text).collect();
        let file = checked(&written);
        prop_assert!(file.problems.is_empty(), "{:?} in {written}", file.problems);
        prop_assert_eq!(Grammar::new(&written).derivations(), 1, "{}", written);
        let read: Vec<&Declaration> = file.declarations.iter().map(|(_, tree)| tree).collect();
        prop_assert_eq!(read.len(), trees.len(), "{}", written);
        for (read, meant) in read.into_iter().zip(&trees) {
            prop_assert_eq!(without_spans(read), without_spans(meant), "{}", written);
        }
    }

    /// Words and signs in any order: no problem exactly where there is a derivation, and never a second one.
    #[test]
    fn no_text_has_two_derivations(seed in any::<u64>(), length in 0_usize..30) {
        const WORDS: [&str; 24] = [
            "type", "A", "=", "Object", "Enum", "Event", "{", "}", "a", ":", "optional", "as", "other", "\"x\"", "1",
            "store", ",", "[", "]", "(", ")", "wire_name", "<", ">",
        ];
        let mut dice = Dice::new(seed);
        let body: Vec<&str> = (0..length).map(|_| WORDS[dice.roll(WORDS.len())]).collect();
        let frame = ["type A = Object {", "type A = Enum {", "store a {", "type A = Event {", ""][dice.roll(5)];
        let close = if frame.is_empty() { "" } else { "}" };
        agrees(&format!("{frame} {} {close}", body.join(" ")))?;
    }

    /// A written tree with one word more, less, changed or doubled.
    #[test]
    fn no_slip_has_two_derivations(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let written: String = (0..2).map(|_| text(&dice.declaration())).collect();
        let written: String = written.lines().filter(|line| !line.starts_with("///")).collect();
        let mut words: Vec<&str> = written.split_inclusive([' ', '\n']).collect();
        let at = dice.roll(words.len());
        let other = words[dice.roll(words.len())];
        match dice.roll(4) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, other),
            2 => words[at] = other,
            _ => words.insert(at, words[at]),
        }
        agrees(&words.concat())?;
    }
}

fn agrees(text: &str) -> Result<(), TestCaseError> {
    let ways = Grammar::new(text).derivations();
    prop_assert!(ways < 2, "{} derivations of {}", ways, text);
    let beside = [
        "syntax.number_invalid",
        "syntax.escape_unknown",
        "syntax.public_misplaced",
        "syntax.doc_unattached",
    ];
    let is_beside = |problem: &Problem| {
        beside.contains(&problem.code) && !problem.message.starts_with("`public` stands after")
    };
    let wrong = checked(text).problems.into_iter().find(|problem| !is_beside(problem));
    prop_assert_eq!(wrong.is_none(), ways == 1, "{} derivations and {:?} in {}", ways, wrong, text);
    Ok(())
}
