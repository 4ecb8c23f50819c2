//! Follows the delimiters of a declaration: how deep it is, whether its braces match, and which keys are none.

use crate::limits;

use super::Sp;
use super::terminal::T;

/// The delimiters that are open at one place.
#[derive(Default)]
pub(super) struct Nesting {
    open: Vec<Open>,
    /// Whether a closing brace closed nothing.
    surplus: bool,
}

/// An opening delimiter that waits for its closing one.
struct Open {
    terminal: T,
    /// Its place among the terminals.
    at: usize,
    /// How many keys stand directly inside.
    keys: usize,
}

impl Nesting {
    /// Follows the last of `terminals`. Says whether the depth is still within bounds.
    ///
    /// Keys directly inside a list, a call or an argument list that is closed are made plain again: nothing there
    /// takes a colon, and so the mistake stays inside.
    pub fn step(&mut self, terminals: &mut [(T, Sp)], text: &str) -> bool {
        let Some((terminal, _)) = terminals.last() else { return true };
        match terminal {
            T::BraceOpen | T::BracketOpen | T::ParenOpen | T::AngleOpen => {
                if *terminal == T::AngleOpen {
                    self.leave_types();
                }
                self.open.push(Open { terminal: *terminal, at: terminals.len() - 1, keys: 0 });
            }
            T::Colon => {
                self.leave_types();
                let key = terminals.len() > 1 && terminals[terminals.len() - 2].0.is_key();
                if let Some(last) = self.open.last_mut().filter(|_| key) {
                    last.keys += 1;
                }
            }
            T::BraceClose => self.close_brace(),
            T::BracketClose => self.close(T::BracketOpen, terminals, text),
            T::ParenClose => self.close(T::ParenOpen, terminals, text),
            T::AngleClose if self.open.last().is_some_and(|last| last.terminal == T::AngleOpen) => {
                self.close(T::AngleOpen, terminals, text);
            }
            _ => {}
        }
        self.open.len() <= limits::DEPTH
    }

    /// Whether a brace has no counterpart, once all terminals have been followed.
    pub fn unbalanced(&self) -> bool {
        self.surplus || self.open.iter().any(|open| open.terminal == T::BraceOpen)
    }

    /// A `}` ends the lists inside its block too.
    fn close_brace(&mut self) {
        match self.open.iter().rposition(|open| open.terminal == T::BraceOpen) {
            Some(brace) => self.open.truncate(brace),
            None => self.surplus = true,
        }
    }

    /// A `]` or `)` closes what it matches inside its own block.
    fn close(&mut self, opening: T, terminals: &mut [(T, Sp)], text: &str) {
        let Some(at) = self
            .open
            .iter()
            .rposition(|open| matches!(open.terminal, T::BraceOpen) || open.terminal == opening)
        else {
            return;
        };
        if self.open[at].terminal != opening {
            return;
        }
        if self.open[at].keys > 0 {
            unmark_keys(&mut terminals[self.open[at].at..], text);
        }
        self.open.truncate(at);
    }

    /// Forgets an argument list of types that a colon stands in: it doesn't reach over another colon or into another
    /// type, even where its `>` was forgotten.
    fn leave_types(&mut self) {
        while self.open.last().is_some_and(|last| last.terminal == T::AngleOpen && last.keys > 0) {
            self.open.pop();
        }
    }
}

/// Makes the keys that stand in no inner block names and strings again.
fn unmark_keys(terminals: &mut [(T, Sp)], text: &str) {
    let mut depth = 0;
    for (terminal, span) in terminals {
        match terminal {
            T::BraceOpen => depth += 1,
            T::BraceClose => depth -= 1,
            T::KeyString if depth == 0 => *terminal = T::String,
            T::Key | T::KeyWireName if depth == 0 => {
                *terminal = T::of_word(&text[span.start as usize..span.end as usize]);
            }
            _ => {}
        }
    }
}
