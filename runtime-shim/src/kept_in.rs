//! Where a store is kept in this program: by the plan's engine, unless the app says otherwise.

use crate::app::App;
use crate::plan::{Plan, StoreEngine};
use crate::store::KeptIn;

/// Where a store is kept, or what keeps it from being found.
pub fn resolve(plan: &Plan, name: &str, app: &App) -> Result<KeptIn, String> {
    let declared = plan.stores.get(name).ok_or_else(|| format!("the plan has no store {name}"))?;
    #[cfg(any(test, feature = "sim"))]
    if let Some(memory) = app.in_memory.get(name) {
        return Ok(KeptIn::Memory(memory.clone()));
    }
    if let Some(path) = app.files.get(name) {
        return Ok(KeptIn::File(path.clone()));
    }
    match &declared.native {
        Some(StoreEngine::Sqlite(path)) => Ok(KeptIn::File(path.clone())),
        Some(StoreEngine::Postgres(variable)) => database(name, variable, app),
        Some(StoreEngine::D1(binding)) => {
            Err(format!("the store {name} is kept in the D1 database {binding}, which only Workers have"))
        }
        None => Err(format!("the store {name} is kept in nothing that a native program can open")),
    }
}

/// The database whose URL an environment variable holds. What is wrong with the URL is said without it: it holds a password.
#[cfg(feature = "postgres")]
fn database(name: &str, variable: &str, app: &App) -> Result<KeptIn, String> {
    let Some(url) = app.environment(variable) else {
        return Err(format!(
            "store {name}: the environment variable {variable} is missing, the URL of its database"
        ));
    };
    let address = url.parse::<crate::store::postgres::Address>();
    let address = address.map_err(|why| {
        format!("store {name}: the environment variable {variable} is no URL of a database: {why}")
    })?;
    Ok(KeptIn::Database(Box::new(address)))
}

#[cfg(not(feature = "postgres"))]
fn database(name: &str, _: &str, _: &App) -> Result<KeptIn, String> {
    Err(format!(
        "store {name}: this program was built without the feature `postgres` of jadpo-runtime, which it needs"
    ))
}
