//! The salsa database: storage for inputs and memoised answers, and nothing else.

/// What queries ask of the database.
#[salsa::db]
pub trait Db: salsa::Database {}

/// The one database of a workspace; a clone reads the same revision from another thread.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

impl Database {
    /// A database that tells `listener` each query that runs, before it does.
    pub fn listening(listener: impl Fn(salsa::DatabaseKeyIndex) + Send + Sync + 'static) -> Self {
        let storage = salsa::Storage::new(Some(Box::new(move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                listener(database_key);
            }
        })));
        Self { storage }
    }
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {}
