//! Where a provider is: the filled `base_url` and the rules that a setting may not bend.

use url::{Host, Url};

use crate::call::template::{Fill, Hole, name, percent_encode};
use crate::plan::{Part, Template};

/// Fills a package's `base_url`. A setting in the host takes only letters, digits, `-` and `.`, one in the path becomes one
/// segment or a part of one; `http` goes to this machine alone, unless a setting gives the host and `plain_http` allows it.
pub(super) fn fill(template: &Template, fill: Fill<'_>, plain_http: bool) -> Result<String, String> {
    let mut filled = String::new();
    let mut host_is_given = false;
    for part in &template.parts {
        if let Part::Text(literal) = part {
            filled.push_str(literal);
            continue;
        }
        let Hole::One(value) = fill(part) else {
            return Err(format!("{} is none, and the address needs it", name(part)));
        };
        if is_in_path(&filled) {
            filled.push_str(&percent_encode(&value));
        } else if is_host_text(&value) {
            filled.push_str(&value);
            host_is_given = true;
        } else {
            return Err(format!(
                "{} stands in the host, where only letters, digits, `-` and `.` may",
                name(part)
            ));
        }
    }
    let url = Url::parse(&filled).map_err(|why| format!("`{filled}` is no address: {why}"))?;
    // The parser takes such segments away, so they are looked for in what was parsed.
    if filled.split('/').any(|segment| segment == "." || segment == "..") {
        return Err(format!("`{filled}` leads to another path than it says"));
    }
    check(&url, host_is_given && plain_http)?;
    Ok(filled)
}

fn check(url: &Url, plain_http: bool) -> Result<(), String> {
    let Some(host) = url.host() else {
        return Err(format!("`{url}` has no host"));
    };
    if !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
    {
        return Err("the address may hold no user, no query and no fragment".to_owned());
    }
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_loopback(&host) || plain_http => Ok(()),
        "http" => Err(format!("`{url}` is neither https nor on this machine")),
        scheme => Err(format!("the scheme is `{scheme}`, not https")),
    }
}

/// Whether what is filled so far ends behind the host.
fn is_in_path(filled: &str) -> bool {
    filled.split_once("://").is_some_and(|(_, after)| after.contains('/'))
}

fn is_host_text(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(domain) => *domain == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}
