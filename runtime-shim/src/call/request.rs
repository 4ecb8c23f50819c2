//! Builds the one request of a call: address, query, headers and body from templates, authorisation last.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::host::{Host, HttpRequest};
use crate::plan::{Auth, Operation, Package, Part, Plan, TypeDef};

use super::connection::Inner;
use super::input::Input;
use super::template::{self, Fill, Hole, percent_encode};

/// How the client names itself where no template does.
const USER_AGENT: &str = concat!("jadpo/", env!("CARGO_PKG_VERSION"));

/// The request, the same for all attempts; an error says what of the input can't be sent.
pub(super) fn build(
    inner: &Inner,
    package: &Package,
    operation: &Operation,
    input: Option<&Input>,
) -> Result<HttpRequest, String> {
    let fill = |part: &Part| match part {
        Part::Setting(name) => inner.settings.hole(name),
        Part::Input(name) => input.map_or(Hole::Absent, |input| input.hole(name)),
        Part::Text(text) => Hole::One(text.clone()),
    };
    let body = body(&inner.plan, operation, input);
    let mut url = address(inner.settings.base_url(), operation, &fill)?;
    let mut headers = Vec::new();
    set_header(&mut headers, "user-agent", USER_AGENT.to_owned());
    if operation.output.is_some() {
        set_header(&mut headers, "accept", "application/json".to_owned());
    }
    if body.is_some() {
        set_header(&mut headers, "content-type", "application/json".to_owned());
    }
    for (name, value) in package.headers.iter().chain(&operation.headers) {
        if let Some(value) = template::header(value, &fill)? {
            set_header(&mut headers, name, value);
        }
    }
    if let Some(name) = &operation.idempotency_header {
        set_header(&mut headers, name, key(&*inner.host));
    }
    authorise(&package.auth, &fill, &mut url, &mut headers)?;
    Ok(HttpRequest {
        method: operation.method.clone(),
        url,
        headers,
        body: body.map(String::into_bytes),
        max_response_bytes: package.max_response_bytes,
        read_body: operation.output.is_some() || operation.decoded_by_app,
    })
}

fn address(base_url: &str, operation: &Operation, fill: Fill<'_>) -> Result<String, String> {
    let mut url = base_url.strip_suffix('/').unwrap_or(base_url).to_owned();
    url.push_str(&template::path(&operation.path, fill)?);
    for (name, value) in &operation.query {
        for value in template::query(value, fill)? {
            add_query(&mut url, name, &value);
        }
    }
    Ok(url)
}

fn add_query(url: &mut String, name: &str, value: &str) {
    url.push(if url.contains('?') { '&' } else { '?' });
    url.push_str(&percent_encode(name));
    url.push('=');
    url.push_str(&percent_encode(value));
}

/// Sets a header in place of one that was set before, as an operation's takes the place of its package's.
fn set_header(headers: &mut Vec<(String, String)>, name: &str, value: String) {
    headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    headers.push((name.to_owned(), value));
}

/// The input's fields that stand nowhere else, by their wire names and in their wire forms.
fn body(plan: &Plan, operation: &Operation, input: Option<&Input>) -> Option<String> {
    if operation.body_fields.is_empty() {
        return None;
    }
    let Some(TypeDef::Object(declared)) = operation.input.as_ref().and_then(|name| plan.types.get(name))
    else {
        return None;
    };
    let mut json = String::from("{");
    for field in declared.iter().filter(|field| operation.body_fields.contains(&field.name)) {
        let Some(value) = input.and_then(|input| input.wire_json(plan, field)) else { continue };
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(&serde_json::Value::from(field.wire.as_str()).to_string());
        json.push(':');
        json.push_str(&value);
    }
    json.push('}');
    Some(json)
}

fn authorise(
    auth: &Auth,
    fill: Fill<'_>,
    url: &mut String,
    headers: &mut Vec<(String, String)>,
) -> Result<(), String> {
    match auth {
        Auth::None => {}
        Auth::Bearer(token) => {
            if let Some(token) = template::header(token, fill)? {
                set_header(headers, "authorization", format!("Bearer {token}"));
            }
        }
        Auth::Basic(user, password) => {
            if let (Some(user), Some(password)) =
                (template::text(user, fill)?, template::text(password, fill)?)
            {
                let pair = STANDARD.encode(format!("{user}:{password}"));
                set_header(headers, "authorization", format!("Basic {pair}"));
            }
        }
        Auth::Header(name, value) => {
            if let Some(value) = template::header(value, fill)? {
                set_header(headers, name, value);
            }
        }
        Auth::Query(name, value) => {
            if let Some(value) = template::text(value, fill)? {
                add_query(url, name, &value);
            }
        }
    }
    Ok(())
}

/// A key that no other call has: a random UUID.
fn key(host: &dyn Host) -> String {
    uuid::Builder::from_random_bytes(
        (u128::from(host.random()) << 64 | u128::from(host.random())).to_be_bytes(),
    )
    .into_uuid()
    .to_string()
}
