//! The `Email` type.

use std::fmt;
use std::str::FromStr;

use crate::codec::ConstraintError;

/// An e-mail address: one `@`, something on both sides of it, no white space.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

impl Email {
    /// The address that `text` is, kept as it stands.
    pub fn new(text: impl Into<String>) -> Result<Self, ConstraintError> {
        let text = text.into();
        let sides = text.split_once('@').filter(|(user, host)| !user.is_empty() && !host.is_empty());
        let plain =
            sides.is_some_and(|(_, host)| !host.contains('@')) && !text.chars().any(char::is_whitespace);
        if plain { Ok(Self(text)) } else { Err(ConstraintError::new("an e-mail address")) }
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl AsRef<str> for Email {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromStr for Email {
    type Err = ConstraintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

impl TryFrom<String> for Email {
    type Error = ConstraintError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(text)
    }
}

impl From<Email> for String {
    fn from(email: Email) -> Self {
        email.0
    }
}
