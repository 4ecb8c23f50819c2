//! Resolves what each connection is given, before anything starts, and names everything that is bad or missing at once.

mod base_url;
mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use crate::call::Secrets;
use crate::call::template::{self, Hole};
use crate::plan::{Auth, Connection, Package, Part, Plan, Template};
use crate::secret::Secret;

/// The settings of one connection, each read by its type.
#[derive(Clone, Debug)]
pub struct Settings {
    base_url: String,
    /// By name; those that are none are left out.
    values: BTreeMap<String, Given>,
}

/// What authorises without being declared a secret is cut only from this length on: shorter ones authorise nobody, and
/// cutting them would make every text unreadable.
const AUTH_BYTES_MIN: usize = 4;

/// What a setting holds.
#[derive(Clone, Debug)]
enum Given {
    /// Canonical text.
    Plain(String),
    Secret(Secret),
}

/// Every setting that can't be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// At least one, in the order of connections and settings.
    pub problems: Vec<SettingProblem>,
}

/// A setting that can't be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingProblem {
    /// The connection's name.
    pub connection: String,
    /// The setting's name, or `base_url` or a header that settings fill.
    pub setting: String,
    /// What is wrong, with the environment variable where one is at fault; never a secret.
    pub what: String,
}

/// Resolves the settings of these connections; `environment` gives the value of an environment variable.
pub fn resolve(
    plan: &Plan,
    connections: &[&str],
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<BTreeMap<String, Settings>, SettingsError> {
    let mut resolved = BTreeMap::new();
    let mut problems = Vec::new();
    for &name in connections {
        let mut report = |setting: &str, what: String| {
            problems.push(SettingProblem { connection: name.to_owned(), setting: setting.to_owned(), what });
        };
        let Some(connection) = plan.connections.get(name) else {
            report("package", "the plan has no such connection".to_owned());
            continue;
        };
        let Some(package) = plan.packages.get(&connection.package) else {
            report("package", format!("the plan has no package `{}`", connection.package));
            continue;
        };
        if let Some(settings) = resolve_one(plan, connection, package, environment, &mut report) {
            resolved.insert(name.to_owned(), settings);
        }
    }
    if problems.is_empty() { Ok(resolved) } else { Err(SettingsError { problems }) }
}

fn resolve_one(
    plan: &Plan,
    connection: &Connection,
    package: &Package,
    environment: &dyn Fn(&str) -> Option<String>,
    report: &mut dyn FnMut(&str, String),
) -> Option<Settings> {
    let mut values = BTreeMap::new();
    let mut whole = true;
    for (name, setting) in &package.settings {
        match source::read(&plan.types, setting, connection.settings.get(name), environment) {
            Ok(Some(value)) => {
                values.insert(name.clone(), value);
            }
            Ok(None) => {}
            Err(what) => {
                report(name, what);
                whole = false;
            }
        }
    }
    if !whole {
        return None;
    }
    let mut settings = Settings { base_url: String::new(), values };
    match base_url::fill(&package.base_url, &|part| settings.part(part), connection.plain_http) {
        Ok(base_url) => settings.base_url = base_url,
        Err(what) => {
            report("base_url", what);
            whole = false;
        }
    }
    for (place, header) in headers(package) {
        if let Err(what) = template::header(header, &|part| settings.part(part)) {
            report(place, what);
            whole = false;
        }
    }
    whole.then_some(settings)
}

/// The headers that settings alone fill, with the name that people know each by.
fn headers(package: &Package) -> impl Iterator<Item = (&str, &Template)> {
    let auth = match &package.auth {
        Auth::Bearer(value) | Auth::Header(_, value) => Some(("auth", value)),
        Auth::None | Auth::Basic(..) | Auth::Query(..) => None,
    };
    package.headers.iter().map(|(name, value)| (name.as_str(), value)).chain(auth)
}

impl Settings {
    /// Where the provider is; absolute, without a query.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// What a template's hole for this setting is filled with.
    pub fn hole(&self, name: &str) -> Hole {
        match self.values.get(name) {
            None => Hole::Absent,
            Some(Given::Plain(text)) => Hole::One(text.clone()),
            Some(Given::Secret(secret)) => Hole::One(secret.reveal().to_owned()),
        }
    }

    /// What cuts from texts the secrets among them, and what authorises: whatever settings fill there is one, declared so or
    /// not, and so is the pair of basic authorisation.
    pub fn secrets(&self, package: &Package) -> Secrets {
        let declared = self.values.values().filter_map(Given::secret).map(str::to_owned);
        let filled = |template: &Template| {
            let by_settings = template.parts.iter().any(|part| matches!(part, Part::Setting(_)));
            let text = template::text(template, &|part| self.part(part)).ok().flatten();
            text.filter(|text| by_settings && text.len() >= AUTH_BYTES_MIN)
        };
        let authorising = match &package.auth {
            Auth::None => Vec::new(),
            Auth::Bearer(value) | Auth::Header(_, value) | Auth::Query(_, value) => vec![filled(value)],
            Auth::Basic(user, password) => vec![filled(password), filled(&pair(user, password))],
        };
        let values: Vec<String> = declared.chain(authorising.into_iter().flatten()).collect();
        Secrets::new(values.iter().map(String::as_str))
    }

    fn part(&self, part: &Part) -> Hole {
        match part {
            Part::Setting(name) => self.hole(name),
            Part::Text(text) => Hole::One(text.clone()),
            Part::Input(_) => Hole::Absent,
        }
    }
}

/// What basic authorisation encodes.
fn pair(user: &Template, password: &Template) -> Template {
    let colon = [Part::Text(":".to_owned())];
    Template { parts: user.parts.iter().chain(&colon).chain(&password.parts).cloned().collect() }
}

impl Given {
    fn secret(&self) -> Option<&str> {
        match self {
            Self::Plain(_) => None,
            Self::Secret(secret) => Some(secret.reveal()),
        }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [problem] => problem.fmt(formatter),
            problems => {
                write!(formatter, "{} settings can't be taken:", problems.len())?;
                problems.iter().try_for_each(|problem| write!(formatter, "\n  {problem}"))
            }
        }
    }
}

impl std::error::Error for SettingsError {}

impl fmt::Display for SettingProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}: {}", self.connection, self.setting, self.what)
    }
}
