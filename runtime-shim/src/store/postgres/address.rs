//! The URL of a database: what is connected to, how far its certificate is believed, and how it is shown without secrets.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use crate::limits;

/// Where a database is and how it is connected to.
#[derive(Clone)]
pub struct Address {
    /// What the client is given.
    pub config: Config,
    /// Who is believed to be the server.
    pub trust: Trust,
}

/// How far the server's certificate is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Anyone's: `disable`, `prefer` and `require` only ask whether the line is encrypted.
    Anyone,
    /// One that the roots vouch for, whatever its name: `verify-ca`.
    Vouched(Option<PathBuf>),
    /// One that the roots vouch for under the host's name: `verify-full`.
    Named(Option<PathBuf>),
}

impl FromStr for Address {
    type Err = String;

    /// Reads `postgres://user:password@host:port/database?…`; the error never repeats the text, which holds the password.
    fn from_str(text: &str) -> Result<Address, String> {
        if !["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Err("it is no URL that begins with postgres://".to_owned());
        }
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let (mut mode, mut roots) = (None, None);
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = url::form_urlencoded::parse(pair.as_bytes()).next().unwrap_or_default();
            match &*name {
                "sslmode" => mode = Some(value.into_owned()),
                "sslrootcert" => roots = Some(value.into_owned()),
                _ => rest.push(pair),
            }
        }
        let mut config: Config = format!("{base}?{}", rest.join("&")).parse().map_err(why)?;
        if config.get_hosts().is_empty() {
            return Err("it names no host".to_owned());
        }
        let roots = roots.filter(|roots| roots != "system").map(PathBuf::from);
        let (ssl_mode, trust) = match mode.as_deref() {
            Some("disable") => (SslMode::Disable, Trust::Anyone),
            // A file of roots asks for them to be used, as every other client reads it.
            Some("require") if roots.is_some() => (SslMode::Require, Trust::Vouched(roots)),
            Some("require") => (SslMode::Require, Trust::Anyone),
            Some("verify-ca") => (SslMode::Require, Trust::Vouched(roots)),
            Some("verify-full") => (SslMode::Require, Trust::Named(roots)),
            None | Some("prefer") => (SslMode::Prefer, Trust::Anyone),
            Some(_) => {
                return Err(
                    "its sslmode is none of disable, prefer, require, verify-ca, verify-full".to_owned()
                );
            }
        };
        config.ssl_mode(ssl_mode);
        with_limits(&mut config);
        Ok(Address { config, trust })
    }
}

/// What the URL doesn't say: how soon a server that is gone is noticed.
fn with_limits(config: &mut Config) {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_millis(limits::POSTGRES_CONNECT_MS));
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_millis(limits::POSTGRES_UNANSWERED_MS));
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_idle(Duration::from_millis(limits::POSTGRES_UNANSWERED_MS));
        config.keepalives_interval(Duration::from_millis(limits::POSTGRES_UNANSWERED_MS / 3));
        config.keepalives_retries(3);
    }
    if config.get_application_name().is_none() {
        config.application_name("jadpo");
    }
}

/// What is wrong with a URL, without the URL.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
fn why(error: tokio_postgres::Error) -> String {
    use std::error::Error as _;
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    format!("it can't be read: {error}{source}")
}

/// Without the password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        if let Some(user) = self.config.get_user() {
            write!(f, "{user}@")?;
        }
        for (at, host) in self.config.get_hosts().iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "," })?;
            match host {
                Host::Tcp(name) => f.write_str(name)?,
                #[cfg(unix)]
                Host::Unix(path) => write!(f, "{}", path.display())?,
            }
            if let Some(port) = self.config.get_ports().get(at) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}, {:?}", self.trust)
    }
}
