//! A connection's `settings:`.

use std::collections::BTreeMap;

use crate::db::Db;
use crate::inputs::Scope;
use crate::keys::Fields;
use crate::literal;
use crate::model::SettingSource;
use crate::package_facts::facts;
use crate::values;

/// Where each setting that the connection gives has its value from.
pub fn lower(db: &dyn Db, package: Scope, fields: Fields<'_>) -> BTreeMap<String, SettingSource> {
    let given = fields.open_entries("settings").iter().filter_map(|entry| {
        let value = entry.value.as_ref()?;
        let source = match values::env(value) {
            Some(variable) => SettingSource::Env(variable.value.to_string()),
            None => {
                let ty = facts(db, package).setting(&entry.key.text)?.ty.as_ref()?;
                SettingSource::Literal(literal::canonical(db, package, ty, value)?.ok()?)
            }
        };
        Some((entry.key.text.to_string(), source))
    });
    given.collect()
}
