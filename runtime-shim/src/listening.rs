//! Where a program listens, as its plan and its environment say.

use crate::plan::{Host, Listen};

/// An address to listen on, not yet bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listening {
    /// With its port.
    pub address: String,
    /// Connections that live at once.
    pub connections_max: usize,
    /// How long a stop waits, ms.
    pub drain_ms: u64,
}

/// Resolves a deployable's server; `environment` gives the value of a variable.
pub fn resolve(host: &Host, environment: &dyn Fn(&str) -> Option<String>) -> Result<Listening, String> {
    let address = match &host.listen {
        Listen::At(address) => address.clone(),
        Listen::Env(variable) => address_in(variable, environment(variable))?,
    };
    let connections_max = usize::try_from(host.max_connections).unwrap_or(usize::MAX);
    if connections_max == 0 {
        return Err("host.max_connections: a server of no connections serves nobody".to_owned());
    }
    Ok(Listening { address, connections_max, drain_ms: host.drain_ms })
}

fn address_in(variable: &str, value: Option<String>) -> Result<String, String> {
    let Some(address) = value else {
        return Err(format!("host.listen: the environment variable {variable} is not set"));
    };
    let port = address.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port);
    if port.is_none_or(|port| port.parse::<u16>().is_err()) {
        return Err(format!(
            "host.listen: {variable}: wanted an address with its port, as 0.0.0.0:8080, got {address:?}"
        ));
    }
    Ok(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: Option<&str>) -> String {
        let listen = Listen::Env("LISTEN".to_owned());
        let host = Host { max_connections: 64, drain_ms: 10_000, listen, control: None };
        let listening = resolve(&host, &|_| value.map(str::to_owned));
        listening.map_or_else(|problem| problem, |listening| listening.address)
    }

    #[test]
    fn an_address_from_the_environment_has_a_port() {
        for address in ["0.0.0.0:8080", "[::]:80", "localhost:0"] {
            assert_eq!(of(Some(address)), address);
        }
        assert_eq!(of(None), "host.listen: the environment variable LISTEN is not set");
        for wrong in ["", "8080", ":8080", "0.0.0.0", "0.0.0.0:99999", "0.0.0.0:http"] {
            assert!(of(Some(wrong)).contains("wanted an address with its port"), "{wrong}");
        }
    }
}
