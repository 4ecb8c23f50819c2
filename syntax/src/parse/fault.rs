//! What the grammar finds wrong, as small as it can be said: the sentence is made once it is known to be shown.

use chumsky::DefaultExpected;
use chumsky::error::{Error, LabelError};
use chumsky::util::MaybeRef;

use crate::Span;

use super::terminal::{Expected, T};
use super::{In, Sp};

/// One mistake, with the place between two terminals where it was noticed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fault {
    pub what: What,
    /// Where the next terminal begins.
    pub next: u32,
    /// Where the terminal before it ends.
    pub before: u32,
    /// Where the construct begins that is broken by it.
    pub within: u32,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum What {
    /// The next terminal is none of these.
    Expected(Expected),
    /// Commas that separate nothing.
    Comma(Span),
    /// A field that says no type.
    TypeMissing(Span),
    /// `Object`, `Event` or `Enum` where the name of a shape must stand.
    InlineShape(Span),
    /// A field whose name, the first span, is a string; the second is all of the field.
    FieldQuoted(Span, Span),
    /// A variant whose name is a string.
    VariantQuoted(Span),
    /// Arguments after something that is no bare name.
    NotCallable(Span),
    /// Something that stands where this sign or word must.
    Mistaken(Span, &'static str),
    /// This sign, which is missing.
    Missing(&'static str),
}

impl Fault {
    /// A fault of the terminal that begins at `start`.
    pub fn on(start: u32, what: What) -> Self {
        Self { what, next: start, before: start, within: start }
    }

    /// A fault at the place that `span` (of no terminals, and therefore inverted) stands for.
    pub fn between(span: Sp, what: What) -> Self {
        Self { what, next: span.start, before: span.end, within: span.start }
    }
}

impl<'a> LabelError<'a, In<'a>, DefaultExpected<'a, T>> for Fault {
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'a, T>>>(
        expected: E,
        _: Option<MaybeRef<'a, T>>,
        span: Sp,
    ) -> Self {
        let expected = expected.into_iter().fold(Expected::default(), |all, one| match one {
            DefaultExpected::Token(terminal) => all.or(Expected::of(*terminal)),
            _ => all,
        });
        Self::on(span.start, What::Expected(expected))
    }
}

impl<'a> Error<'a, In<'a>> for Fault {
    fn merge(self, other: Self) -> Self {
        match (self.what, other.what) {
            (What::Expected(one), What::Expected(two)) => Self { what: What::Expected(one.or(two)), ..self },
            _ => self,
        }
    }
}
