//! Takes orders and ships them, each once, whenever it is killed.
#![deny(warnings)]

jadpo_runtime::include_app!();

use std::process::ExitCode;

use jadpo_runtime::Failure;

const ORDERS: &str =
    "CREATE TABLE IF NOT EXISTS orders (no INTEGER PRIMARY KEY, amount INTEGER NOT NULL) STRICT";
const SHIPPED: &str =
    "CREATE TABLE IF NOT EXISTS shipped (no INTEGER NOT NULL, amount INTEGER NOT NULL) STRICT";

struct Desk;

impl app::Handlers for Desk {
    async fn place(&self, cx: &mut app::cx::Place<'_>, order: app::Order) -> Result<app::Taken, Failure> {
        let (no, amount) = (order.no, order.amount);
        let mut transaction = cx.transaction().await?;
        let known = transaction.query("SELECT no FROM orders WHERE no = ?1", (no,)).await?;
        if !known.is_empty() {
            return Err(Failure::conflict(format!("order {no} was taken before")));
        }
        transaction.execute_rows(1, "INSERT INTO orders (no, amount) VALUES (?1, ?2)", (no, amount)).await?;
        let orders = transaction.query("SELECT count(*) FROM orders", ()).await?;
        let orders = orders.first().map_or(Ok(0), |row| row.get(0))?;
        cx.emit(app::OrderPlaced { no, amount });
        Ok(app::Taken { no, orders })
    }

    async fn ship(&self, cx: &mut app::cx::Ship<'_>, placed: app::OrderPlaced) -> Result<(), Failure> {
        // Twice would be two rows: nothing here tells a repeat apart.
        cx.store().write("INSERT INTO shipped (no, amount) VALUES (?1, ?2)", (placed.no, placed.amount));
        Ok(())
    }
}

fn main() -> ExitCode {
    app::server(Desk).prepare("orders", ORDERS).prepare("shipping", SHIPPED).run()
}
