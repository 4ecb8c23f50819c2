//! What the app does: each write can be counted afterwards, and none hides a second one of its kind.

use std::sync::atomic::{AtomicU64, Ordering};

use jadpo_runtime::Failure;
use jadpo_runtime::step::{Filled, Next, Step};

use crate::app;
use crate::app::gauge::{LevelChanged, Question, TideChanged};

/// The last number that a run of `count_up` writes down.
const LAST: i64 = 50;

/// What the marks are counted by.
const WEEK: i64 = 7;

/// Tables of the store `main`. Only the ids that clients make up are unique.
pub const MAIN: &str = "
    CREATE TABLE IF NOT EXISTS accounts (id BIGINT PRIMARY KEY, cents BIGINT NOT NULL);
    CREATE TABLE IF NOT EXISTS transfers (id TEXT PRIMARY KEY, debit BIGINT NOT NULL, credit BIGINT NOT NULL, cents BIGINT NOT NULL,
        mark BIGINT);
    CREATE TABLE IF NOT EXISTS booked (transfer TEXT NOT NULL, cents BIGINT NOT NULL);
    CREATE TABLE IF NOT EXISTS levels (what TEXT NOT NULL, number BIGINT NOT NULL, text TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS counts (run TEXT NOT NULL, number BIGINT NOT NULL);
    CREATE TABLE IF NOT EXISTS marks (transfer TEXT NOT NULL, mark BIGINT NOT NULL);
    INSERT INTO accounts (id, cents) VALUES (0, 0), (1, 0), (2, 0), (3, 0), (4, 0) ON CONFLICT DO NOTHING;
";

/// Tables of the store `side`.
pub const SIDE: &str = "
    CREATE TABLE IF NOT EXISTS mirrored (transfer TEXT NOT NULL, cents BIGINT NOT NULL);
    CREATE TABLE IF NOT EXISTS filed (what TEXT NOT NULL, number BIGINT NOT NULL);
";

/// Does it.
pub struct Teller;

impl app::Handlers for Teller {
    async fn transfer(&self, cx: &mut app::cx::Transfer<'_>, input: app::Transfer) -> Result<(), Failure> {
        cx.emit(app::Moved { id: input.id.clone(), cents: input.cents });
        let mut transaction = cx.transaction().await?;
        // In the order of their ids, so that two transfers never wait for each other.
        let mut moves = [(input.from, -input.cents), (input.to, input.cents)];
        moves.sort_unstable();
        for (account, cents) in moves {
            let sql = "UPDATE accounts SET cents = cents + $1 WHERE id = $2";
            transaction.execute_rows(1, sql, (cents, account)).await?;
        }
        let sql = "INSERT INTO transfers (id, debit, credit, cents) VALUES ($1, $2, $3, $4)";
        transaction.execute_rows(1, sql, (input.id.as_str(), input.from, input.to, input.cents)).await?;
        Ok(())
    }

    async fn begin_count(&self, cx: &mut app::cx::BeginCount<'_>) -> Result<(), Failure> {
        cx.start_count_up();
        cx.start_mark_transfers();
        Ok(())
    }

    async fn count_up(&self, cx: &mut app::cx::CountUp<'_>, step: Step<()>) -> Result<Next, Failure> {
        // The first step names the run, so that the numbers of two runs are told apart.
        let cursor = match step.cursor {
            Some(cursor) => cursor,
            None => format!("{} 0", new_name()?),
        };
        let (run, done) = cursor.split_once(' ').ok_or_else(|| Failure::new("a cursor of another form"))?;
        let done: i64 = done.parse()?;
        let end = (done + i64::from(step.size)).min(LAST);
        for number in done + 1..=end {
            cx.store().write("INSERT INTO counts (run, number) VALUES ($1, $2)", (run, number));
        }
        Ok(if end == LAST { Next::End } else { Next::Cursor(format!("{run} {end}")) })
    }

    async fn mark_transfers(
        &self,
        cx: &mut app::cx::MarkTransfers<'_>,
        step: Step<()>,
    ) -> Result<Filled<i64>, Failure> {
        let sql = "SELECT id, cents FROM transfers WHERE id > $1 AND mark IS NULL ORDER BY id LIMIT $2";
        let rows = cx.store().query(sql, (step.cursor.unwrap_or_default(), step.size)).await?;
        let (mut pairs, mut next) = (Vec::new(), Next::End);
        for row in rows {
            let (id, cents): (String, i64) = (row.get("id")?, row.get("cents")?);
            pairs.push((id.clone(), cents % WEEK));
            next = Next::Cursor(id);
        }
        Ok(Filled { pairs, next })
    }

    fn keep_mark_transfers(
        &self,
        cx: &mut app::cx::MarkTransfers<'_>,
        key: &str,
        value: i64,
    ) -> Result<(), Failure> {
        // Should another run have marked it meanwhile, this step keeps nothing and comes again.
        let sql = "UPDATE transfers SET mark = $1 WHERE id = $2 AND mark IS NULL";
        cx.store().write_rows(1, sql, (value, key));
        cx.store().write("INSERT INTO marks (transfer, mark) VALUES ($1, $2)", (key, value));
        Ok(())
    }

    async fn book(&self, cx: &mut app::cx::Book<'_>, event: app::Moved) -> Result<(), Failure> {
        cx.store()
            .write("INSERT INTO booked (transfer, cents) VALUES ($1, $2)", (event.id.as_str(), event.cents));
        Ok(())
    }

    async fn mirror(&self, cx: &mut app::cx::Mirror<'_>, event: app::Moved) -> Result<(), Failure> {
        cx.store().write(
            "INSERT INTO mirrored (transfer, cents) VALUES ($1, $2)",
            (event.id.as_str(), event.cents),
        );
        Ok(())
    }

    async fn keep_level(
        &self,
        cx: &mut app::cx::KeepLevel<'_>,
        event: app::on::KeepLevel,
    ) -> Result<(), Failure> {
        let (what, number) = match event {
            app::on::KeepLevel::GaugeLevelChanged(LevelChanged { number }) => ("level", number),
            app::on::KeepLevel::GaugeTideChanged(TideChanged { number }) => ("tide", number),
        };
        let why = cx.feed().explain(&Question { number }).await?;
        let sql = "INSERT INTO levels (what, number, text) VALUES ($1, $2, $3)";
        cx.store().write(sql, (what, number, why.text.as_str()));
        cx.emit(app::Explained { what: what.to_owned(), number });
        Ok(())
    }

    async fn file(&self, cx: &mut app::cx::File<'_>, event: app::Explained) -> Result<(), Failure> {
        cx.store()
            .write("INSERT INTO filed (what, number) VALUES ($1, $2)", (event.what.as_str(), event.number));
        Ok(())
    }
}

/// A name that nothing else has, in this process or another.
fn new_name() -> Result<String, Failure> {
    static NAMED: AtomicU64 = AtomicU64::new(0);
    let process = std::env::var("KILLED_INSTANCE")?;
    Ok(format!("{process}-{}", NAMED.fetch_add(1, Ordering::Relaxed)))
}
