//! The token that a route's caller must show.

use crate::digest::digest;

/// A token, known by its digest alone, so that nothing can print it.
pub(super) struct Bearer {
    digest: [u8; 32],
}

impl Bearer {
    /// The token that an environment variable holds; what is wrong with it otherwise.
    pub(super) fn read(
        variable: &str,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Bearer, String> {
        let Some(token) = environment(variable) else {
            return Err(format!("the environment variable {variable} is not set"));
        };
        if token.is_empty() {
            return Err(format!("{variable}: the token is empty"));
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            // Most often a newline at the end of the file that it came from.
            return Err(format!(
                "{variable}: the token holds what no header can, such as a space or a newline"
            ));
        }
        Ok(Bearer { digest: digest(&token) })
    }

    /// Whether the value of an `Authorization` header shows the token.
    ///
    /// Digests are compared, and each byte of them, so that the time it takes tells nothing about the token.
    pub(super) fn accepts(&self, authorization: &str) -> bool {
        let Some((scheme, token)) = authorization.split_once(' ') else { return false };
        let shown = digest(token.trim());
        let differ = shown.iter().zip(&self.digest).fold(0, |differ, (a, b)| differ | (a ^ b));
        scheme.eq_ignore_ascii_case("bearer") && std::hint::black_box(differ) == 0
    }
}
