//! Databases of the bench's server: made anew for each turn, filled, put to rest, and asked what became of the rows.

use tokio_postgres::{Client, NoTls};

use super::cluster::Cluster;

/// An empty database of this name; its URL.
pub fn fresh(cluster: &Cluster, name: &str) -> String {
    let sql = [format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"), format!("CREATE DATABASE {name}")];
    for sql in sql {
        execute(&cluster.url("postgres"), &sql);
    }
    cluster.url(name)
}

/// Leaves nothing of the filling to be done while the clock runs.
pub fn put_to_rest(url: &str) {
    execute(url, "VACUUM (ANALYZE)");
    execute(url, "CHECKPOINT");
}

/// Runs SQL.
pub fn execute(url: &str, sql: &str) {
    block_on(async { connect(url).await.batch_execute(sql).await.expect("the database works") });
}

/// A number that a query gives.
pub fn number(url: &str, sql: &str) -> i64 {
    block_on(async {
        connect(url).await.query_one(sql, &[]).await.expect("the database works").get::<_, i64>(0)
    })
}

/// A text that a query gives.
pub fn text(url: &str, sql: &str) -> String {
    block_on(async { connect(url).await.query_one(sql, &[]).await.expect("the database works").get(0) })
}

/// A connection of its own.
pub async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("the server answers");
    tokio::spawn(connection);
    client
}

/// Runs it on an executor of its own.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build();
    executor.expect("the system gives an executor").block_on(work)
}
