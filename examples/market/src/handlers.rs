//! What the market does, in whichever program.

use jadpo_runtime::{Decimal, Failure, Row, SignedDuration};

use crate::app::exchange::{Currency, MetalsChanged, NoteRequest, QuotesChanged};
use crate::app::{self, NewOrder, Order, OrderId, OrderPlaced, OrderState, Price};

/// The market's own tables. Either program may be the first to start.
pub const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS prices (what TEXT PRIMARY KEY, price TEXT NOT NULL, at TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS orders (
        id     TEXT PRIMARY KEY,
        what   TEXT NOT NULL,
        amount TEXT NOT NULL,
        placed TEXT NOT NULL,
        state  TEXT NOT NULL,
        price  TEXT,
        note   TEXT
    ) STRICT;
";

/// How long an order waits to be filled.
const OPEN_FOR: SignedDuration = SignedDuration::from_hours(1);

/// The market. All that it knows stands in its store.
pub struct Market;

impl app::Handlers for Market {
    async fn list_prices(&self, cx: &mut app::cx::ListPrices<'_>) -> Result<Vec<Price>, Failure> {
        let rows = cx.store().query("SELECT what, price, at FROM prices ORDER BY what", ()).await?;
        let price =
            |row: Row| Ok(Price { what: row.get("what")?, price: row.get("price")?, at: row.get("at")? });
        rows.into_iter().map(price).collect()
    }

    async fn place_order(&self, cx: &mut app::cx::PlaceOrder<'_>, input: NewOrder) -> Result<Order, Failure> {
        let NewOrder { id, what, amount } = input;
        let now = cx.now();
        // An order that is there already touches no row, which is a conflict.
        cx.store().write_rows(
            1,
            "INSERT INTO orders (id, what, amount, placed, state) VALUES (?1, ?2, ?3, ?4, 'placed') ON CONFLICT DO NOTHING",
            (id, what.as_str(), amount, now),
        );
        cx.emit(OrderPlaced { id, what: what.clone() });
        Ok(Order { id, what, amount, state: OrderState::Placed, price: None })
    }

    async fn find_order(&self, cx: &mut app::cx::FindOrder<'_>, input: OrderId) -> Result<Order, Failure> {
        let rows = cx.store().query("SELECT * FROM orders WHERE id = ?1", (input.id,)).await?;
        let row = rows.first().ok_or_else(|| Failure::not_found("there is no such order"))?;
        let state = match row.get::<String>("state")?.as_str() {
            "filled" => OrderState::Filled,
            "expired" => OrderState::Expired,
            _ => OrderState::Placed,
        };
        let (what, amount, price) = (row.get("what")?, row.get("amount")?, row.get("price")?);
        Ok(Order { id: input.id, what, amount, state, price })
    }

    async fn expire_orders(&self, cx: &mut app::cx::ExpireOrders<'_>) -> Result<(), Failure> {
        let before = cx.now().checked_sub(OPEN_FOR)?;
        let expire = "UPDATE orders SET state = 'expired' WHERE state = 'placed' AND placed < ?1";
        cx.store().write(expire, (before,));
        Ok(())
    }

    async fn keep_prices(
        &self,
        cx: &mut app::cx::KeepPrices<'_>,
        event: app::on::KeepPrices,
    ) -> Result<(), Failure> {
        let prices: Vec<(String, Decimal)> = match event {
            app::on::KeepPrices::ExchangeQuotesChanged(QuotesChanged { base, prices }) => {
                prices.into_iter().map(|(currency, price)| (format!("{base}/{currency}"), price)).collect()
            }
            app::on::KeepPrices::ExchangeMetalsChanged(MetalsChanged { gold, silver }) => {
                vec![("gold".to_owned(), gold), ("silver".to_owned(), silver)]
            }
        };
        let now = cx.now();
        for (what, price) in prices {
            cx.store().write(
                "INSERT INTO prices (what, price, at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (what) DO UPDATE SET price = excluded.price, at = excluded.at",
                (what, price, now),
            );
        }
        Ok(())
    }

    async fn fill_order(&self, cx: &mut app::cx::FillOrder<'_>, event: OrderPlaced) -> Result<(), Failure> {
        let OrderPlaced { id, what } = event;
        let rows = cx.store().query("SELECT price FROM prices WHERE what = ?1", (what.as_str(),)).await?;
        // The delivery fails and comes again, by which time there may be one.
        let row = rows.first().ok_or_else(|| Failure::new(format!("no price of {what} is known yet")))?;
        let price: Decimal = row.get("price")?;
        let note = match what.split_once('/') {
            Some((base, _)) => {
                Some(cx.feed().fetch_note(&NoteRequest { base: Currency::new(base)? }).await?.text)
            }
            None => None,
        };
        cx.store().write(
            "UPDATE orders SET state = 'filled', price = ?1, note = ?2 WHERE id = ?3 AND state = 'placed'",
            (price, note, id),
        );
        Ok(())
    }
}
