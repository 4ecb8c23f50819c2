//! Texts with comments and line ends in every gap: whatever is done to the layout, what a text says stays.

use std::collections::BTreeMap;

use jadpo_analysis::format::{Unformatted, format};
use jadpo_syntax::{Token, TokenKind, tokens};
use proptest::collection::vec;
use proptest::prelude::*;

use super::manifests;
use super::written::{Choices, manifest, parts, tear};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn a_manifest_of_any_words_keeps_them(words in vec(any::<u8>(), 0..120), gaps in vec(any::<u8>(), 0..400)) {
        let parts = manifest(&mut Choices::new(&words));
        holds(&tear(&parts, &mut Choices::new(&gaps)))?;
    }

    #[test]
    fn a_manifest_of_the_checkout_keeps_its_words(which in any::<prop::sample::Index>(), gaps in vec(any::<u8>(), 0..600)) {
        let text = MANIFESTS.with(|all| which.get(all).clone());
        holds(&tear(&parts(&text), &mut Choices::new(&gaps)))?;
    }
}

thread_local! {
    /// Those that can be laid out.
    static MANIFESTS: Vec<String> =
        manifests().into_iter().map(|(_, text)| text).filter(|text| format(text).is_ok()).collect();
}

/// That laying `text` out loses nothing, gives nothing to another, and changes nothing when done again.
fn holds(text: &str) -> Result<(), TestCaseError> {
    let formatted = match format(text) {
        Ok(formatted) => formatted,
        Err(Unformatted::Syntax(problems)) => {
            return Err(TestCaseError::fail(format!("{problems:?} in\n{text}")));
        }
        Err(error) => return Err(TestCaseError::fail(format!("{error:?} in\n{text}"))),
    };
    let again = format(&formatted);
    prop_assert_eq!(again.as_ref(), Ok(&formatted), "again, of\n{}", text);
    let (before, after) = (Told::of(text), Told::of(&formatted));
    prop_assert_eq!(&before.words, &after.words, "words of\n{}", text);
    for (comment, owner) in &before.owners {
        let now = after.owners.get(comment);
        let same = now.is_some_and(|now| now.own == owner.own || now.next == owner.own);
        prop_assert!(
            same,
            "{} of {:?} went to {:?} in\n{}\nwhich was\n{}",
            comment,
            owner,
            now,
            formatted,
            text
        );
    }
    prop_assert_eq!(before.owners.len(), after.owners.len(), "comments of\n{}", text);
    let long = formatted.lines().find(|line| line.ends_with([' ', '\t', '\r']) || line.contains('\t'));
    prop_assert_eq!(long, None, "white space at an end");
    prop_assert!(
        !formatted.contains("\n\n\n") && !formatted.starts_with('\n') && !formatted.ends_with("\n\n")
    );
    Ok(())
}

/// What a text says, found by its tokens alone.
struct Told<'t> {
    /// Every word and line of documentation, sorted, without the commas that say nothing.
    words: Vec<&'t str>,
    owners: BTreeMap<&'t str, Owner<'t>>,
}

/// To whom a comment belongs.
#[derive(Debug, PartialEq, Eq)]
struct Owner<'t> {
    /// The word before it on its line, or else the word that follows, or else the brace that opens its block.
    own: &'t str,
    /// The word that follows.
    next: &'t str,
}

impl<'t> Told<'t> {
    fn of(text: &'t str) -> Self {
        let all: Vec<Token> = tokens(text);
        let commas = separators(&all);
        let mut told = Self { words: Vec::new(), owners: BTreeMap::new() };
        for (at, token) in all.iter().enumerate() {
            match token.kind {
                TokenKind::Comment => {
                    told.owners.insert(token.span.text(text).trim_end(), owner(text, &all, &commas, at));
                }
                TokenKind::Space => {}
                _ if commas[at] => {}
                _ => told.words.push(token.span.text(text).trim_end()),
            }
        }
        told.words.sort_unstable();
        told
    }
}

fn owner<'t>(text: &'t str, all: &[Token], commas: &[bool], at: usize) -> Owner<'t> {
    let word = |at: &usize| !all[*at].kind.is_trivia() && !commas[*at];
    let before = (0..at).rev().find(word);
    let next = (at + 1..all.len()).find(word);
    let said = |at: Option<usize>| at.map_or("", |at| all[at].span.text(text));
    let from = before.map_or(0, |before| before + 1);
    let documents = all[from..at].iter().any(|token| token.kind == TokenKind::Doc);
    let opens = before.is_some_and(|before| all[before].kind == TokenKind::BraceOpen);
    let own = if before.is_some() && trails(text, all, from, at) {
        said(before)
    } else if opens && !documents && is_set_off(text, all, at, next) {
        "{"
    } else {
        said(next)
    };
    Owner { own, next: said(next) }
}

/// Whether a comment stands at the end of a line, perhaps behind a comma, or goes on with one that does. `from` is where
/// the gap begins; what stands behind a comment of a line of its own belongs to what follows, a comma or not.
fn trails(text: &str, all: &[Token], from: usize, at: usize) -> bool {
    let begins_line = all[at - 1].kind == TokenKind::Space && ends(text, all[at - 1]) > 0;
    if begins_line {
        return goes_on(text, all, at) && trails(text, all, from, at - 2);
    }
    all[from..at].iter().all(|token| token.kind != TokenKind::Comment)
}

fn goes_on(text: &str, all: &[Token], at: usize) -> bool {
    let column = |token: Token| {
        let start = token.span.start as usize;
        let line = text[..start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        text[line..start].chars().count()
    };
    let above = at.checked_sub(2).map(|above| (all[above], all[above + 1]));
    above.is_some_and(|(above, space)| {
        above.kind == TokenKind::Comment
            && space.kind == TokenKind::Space
            && ends(text, space) == 1
            && column(above) == column(all[at])
    })
}

/// Whether a blank line that tears no documentation off stands between a comment and the word that follows.
fn is_set_off(text: &str, all: &[Token], at: usize, next: Option<usize>) -> bool {
    let next = next.filter(|next| all[*next].kind != TokenKind::BraceClose);
    let gap = next.map_or(&[][..], |next| &all[at + 1..next]);
    let until_doc = gap.iter().take_while(|token| token.kind != TokenKind::Doc);
    until_doc.into_iter().any(|token| token.kind == TokenKind::Space && ends(text, *token) > 1)
}

fn ends(text: &str, space: Token) -> usize {
    space.span.text(text).replace("\r\n", "\n").matches(['\n', '\r']).count()
}

/// Which tokens are commas of lists and calls.
fn separators(all: &[Token]) -> Vec<bool> {
    let mut open = Vec::new();
    let mut commas = Vec::with_capacity(all.len());
    for token in all {
        match token.kind {
            TokenKind::BraceOpen | TokenKind::BracketOpen | TokenKind::ParenOpen | TokenKind::AngleOpen => {
                open.push(token.kind);
            }
            TokenKind::BraceClose
            | TokenKind::BracketClose
            | TokenKind::ParenClose
            | TokenKind::AngleClose => {
                open.pop();
            }
            _ => {}
        }
        let separates = matches!(open.last(), Some(TokenKind::BracketOpen | TokenKind::ParenOpen));
        commas.push(token.kind == TokenKind::Comma && separates);
    }
    commas
}
