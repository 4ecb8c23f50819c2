//! A deployable's `host:`: where its server and its control port listen.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};

use jadpo_syntax::tree::{Number, StringLit, Value, ValueKind};

use crate::check::{Check, environment};
use crate::diagnostics::codes::app;
use crate::keys::Fields;
use crate::model;
use crate::values;

/// `host:` with its defaults; `None` where a key of it isn't given rightly.
pub fn lower(fields: Fields<'_>) -> Option<model::Host> {
    let host = fields.block_or_empty("host")?;
    let listen = match host.value("listen") {
        Some(value) => match values::env(value) {
            Some(variable) => model::Listen::Env(variable.value.to_string()),
            None => model::Listen::At(values::text(value)?.value.to_string()),
        },
        None => model::Listen::At(host.default("listen")?.to_owned()),
    };
    Some(model::Host {
        max_connections: u32::try_from(host.whole("max_connections")?).ok()?,
        drain_ms: host.duration_ms("drain")?,
        listen,
        control: host.text("control").map(|control| control.value.to_string()),
    })
}

/// Both listen at an address that can be, the control port at this machine's own, and not at the same one.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some(host) = fields.block("host") else { return };
    let listen = match host.value("listen") {
        Some(value) => listen(cx, value),
        None => host.default("listen").and_then(|text| Address::read(text).ok()),
    };
    if let Some(text) = host.text("control")
        && let Some(control) = control(cx, text)
        && let Some(listen) = listen
        && listen.takes(&control)
    {
        taken(cx, host, text, control.port);
    }
}

/// An address that has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Address {
    /// `None`: `localhost`.
    ip: Option<IpAddr>,
    port: u16,
}

/// What is wrong with an address, and the one that was most likely meant.
struct Misread {
    why: &'static str,
    meant: Option<String>,
}

impl Address {
    /// An IPv4 address, an IPv6 address in brackets, or `localhost`, each with its port.
    fn read(text: &str) -> Result<Self, Misread> {
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Self { ip: Some(address.ip()), port: address.port() });
        }
        if let Some(port) = text.strip_prefix("localhost:").and_then(|port| port.parse().ok()) {
            return Ok(Self { ip: None, port });
        }
        Err(Misread::of(text))
    }

    fn is_loopback(self) -> bool {
        self.ip.is_none_or(|ip| ip.to_canonical().is_loopback())
    }

    /// Whether nothing else can listen at `other` while this is listened at. A port of 0 is any free one.
    fn takes(self, other: &Self) -> bool {
        let ip = |address: &Self| address.ip.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)).to_canonical();
        let (own, theirs) = (ip(&self), ip(other));
        // All addresses of IPv6 are those of IPv4 too, and not the other way round.
        let all = own.is_unspecified() && (own.is_ipv6() || theirs.is_ipv4());
        self.port == other.port && self.port != 0 && (own == theirs || all)
    }
}

impl Misread {
    fn of(text: &str) -> Self {
        let scheme = text.split_once("://").map(|(_, rest)| rest.trim_end_matches('/'));
        let bare = scheme.unwrap_or(text);
        let port = bare.strip_prefix(':').unwrap_or(bare);
        let wanted = |text: String| text.parse::<SocketAddr>().is_ok().then_some(text);
        let local = bare.strip_prefix("localhost:");
        let (why, meant) = if scheme.is_some() {
            ("is a URL, not an address with its port", wanted(bare.to_owned()))
        } else if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) {
            ("is a port without its address", wanted(format!("127.0.0.1:{port}")))
        } else if let Ok(ip) = bare.trim_matches(['[', ']']).parse::<IpAddr>() {
            ("is an address without its port", wanted(SocketAddr::new(ip, 8080).to_string()))
        } else if let Some((_, port)) = bare.rsplit_once(':')
            && port.parse::<u32>().is_ok_and(|port| port > u32::from(u16::MAX))
        {
            ("has a port above 65535", None)
        } else {
            ("is no address with its port", None)
        };
        Self { why, meant: meant.or_else(|| wanted(format!("127.0.0.1:{}", local?))) }
    }
}

/// The address that `listen:` says; `None` where it is read at start-up, or reported.
fn listen(cx: &mut Check<'_>, value: &Value) -> Option<Address> {
    if values::call(value).is_some() {
        environment::check(cx, value, "`listen`", app::DEPLOYABLE_VALUE_INVALID);
        return None;
    }
    let Some(text) = values::text(value) else {
        no_text(cx, value);
        return None;
    };
    let address = address(cx, "listen", text)?;
    if address.ip.is_some() {
        return Some(address);
    }
    let meant = format!("127.0.0.1:{}", address.port);
    let message = format!("`listen` takes an address, and {:?} is a name", text.value);
    misread(cx, text, message, Some(meant));
    None
}

fn no_text(cx: &mut Check<'_>, value: &Value) {
    if matches!(&value.kind, ValueKind::Number(number) if number.number == Number::Invalid) {
        return;
    }
    let form = values::form_of(value);
    let message = format!("`listen` takes an address with its port or `env(\"NAME\")`, not {form}");
    let port = values::whole(value).and_then(|port| u16::try_from(port).ok());
    let place = cx.at(value.span);
    let finding = cx.report(app::DEPLOYABLE_VALUE_INVALID, value.span, message);
    if let Some(port) = port {
        let text = format!("\"127.0.0.1:{port}\"");
        finding.suggest(format!("write `{text}`"), place, text);
    }
}

/// The address that `control:` says, where it is one of this machine's own.
fn control(cx: &mut Check<'_>, text: &StringLit) -> Option<Address> {
    let address = address(cx, "control", text)?;
    if address.is_loopback() {
        return Some(address);
    }
    let meant = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), address.port).to_string();
    let message = format!(
        "`control` listens at this machine's own address only, and {:?} can be reached from outside",
        text.value
    );
    misread(cx, text, message, Some(meant));
    None
}

fn address(cx: &mut Check<'_>, key: &str, text: &StringLit) -> Option<Address> {
    match Address::read(&text.value) {
        Ok(address) => Some(address),
        Err(Misread { why, meant }) => {
            misread(
                cx,
                text,
                format!("`{key}` takes an address with its port: {:?} {why}", text.value),
                meant,
            );
            None
        }
    }
}

fn misread(cx: &mut Check<'_>, text: &StringLit, message: String, meant: Option<String>) {
    let place = cx.at(text.span);
    let finding = cx.report(app::DEPLOYABLE_VALUE_INVALID, text.span, message);
    let Some(meant) = meant else {
        finding.help("as \"127.0.0.1:8080\", \"0.0.0.0:8080\" or \"[::1]:8080\"");
        return;
    };
    finding.help(format!("did you mean \"{meant}\"?"));
    finding.suggest(format!("write \"{meant}\""), place, format!("\"{meant}\""));
}

/// Reports a control port that the server has taken.
fn taken(cx: &mut Check<'_>, host: Fields<'_>, control: &StringLit, port: u16) {
    let listen = host.value("listen").map(|value| cx.at(value.span));
    let message = match &listen {
        Some(_) => format!("`control` of {:?} is where `listen` is too", control.value),
        None => format!(
            "`control` of {:?} is where `listen` is too, {:?} by default",
            control.value,
            host.default("listen").unwrap_or_default()
        ),
    };
    let place = cx.at(control.span);
    let free = format!("\"127.0.0.1:{}\"", port.checked_add(1).unwrap_or(port - 1));
    let finding = cx.report(app::DEPLOYABLE_VALUE_INVALID, control.span, message);
    finding.label("one of the two could not listen");
    if let Some(listen) = listen {
        finding.related(listen, "the server listens here");
    }
    finding.suggest(format!("write {free}"), place, free);
}
