//! What the desk does with a ticket.

use jadpo_runtime::{Failure, Row};

use crate::app::{self, Closing, NewTicket, Status, Ticket, TicketClosed, TicketId, TicketOpened};

/// The tables of the store `main`.
pub const TICKETS: &str = "
    CREATE TABLE IF NOT EXISTS tickets (
        id     INTEGER PRIMARY KEY,
        title  TEXT    NOT NULL,
        urgent INTEGER NOT NULL,
        reason TEXT
    ) STRICT;
";

/// The tables of the store `audit`.
pub const AUDIT: &str = "CREATE TABLE IF NOT EXISTS audit (at TEXT NOT NULL, what TEXT NOT NULL) STRICT;";

/// The desk. All that it knows stands in its stores.
pub struct Desk;

impl app::Handlers for Desk {
    async fn open_ticket(
        &self,
        cx: &mut app::cx::OpenTicket<'_>,
        input: NewTicket,
    ) -> Result<Ticket, Failure> {
        let urgent = input.urgent.unwrap_or(false);
        let mut transaction = cx.transaction().await?;
        let title = input.title.as_str();
        transaction.execute("INSERT INTO tickets (title, urgent) VALUES (?1, ?2)", (title, urgent)).await?;
        let row = transaction.query("SELECT last_insert_rowid() AS id", ()).await?;
        let id = row.first().ok_or_else(|| Failure::new("the store gave no id"))?.get("id")?;
        cx.emit(TicketOpened { id, title: input.title.clone() });
        Ok(Ticket { id, title: input.title, urgent, status: Status::Open })
    }

    async fn find_ticket(
        &self,
        cx: &mut app::cx::FindTicket<'_>,
        input: TicketId,
    ) -> Result<Ticket, Failure> {
        let rows = cx.store().query("SELECT * FROM tickets WHERE id = ?1", (input.id,)).await?;
        ticket(&rows, input.id)
    }

    async fn close_ticket(
        &self,
        cx: &mut app::cx::CloseTicket<'_>,
        input: Closing,
    ) -> Result<Ticket, Failure> {
        let rows = cx.store().query("SELECT * FROM tickets WHERE id = ?1", (input.id,)).await?;
        let ticket = ticket(&rows, input.id)?;
        if ticket.status == Status::Closed {
            return Err(Failure::conflict("the ticket is closed already"));
        }
        // Should somebody else close it meanwhile, no row is touched and nothing of this is kept.
        cx.store().write_rows(
            1,
            "UPDATE tickets SET reason = ?1 WHERE id = ?2 AND reason IS NULL",
            (input.reason.as_str(), input.id),
        );
        cx.emit(TicketClosed { id: input.id, reason: input.reason });
        Ok(Ticket { status: Status::Closed, ..ticket })
    }

    async fn write_audit(
        &self,
        cx: &mut app::cx::WriteAudit<'_>,
        event: app::on::WriteAudit,
    ) -> Result<(), Failure> {
        let what = match event {
            app::on::WriteAudit::TicketOpened(TicketOpened { id, title }) => format!("{id} opened: {title}"),
            app::on::WriteAudit::TicketClosed(TicketClosed { id, reason }) => {
                format!("{id} closed: {reason}")
            }
        };
        let now = cx.now();
        cx.store().write("INSERT INTO audit (at, what) VALUES (?1, ?2)", (now, what));
        Ok(())
    }
}

fn ticket(rows: &[Row], id: i64) -> Result<Ticket, Failure> {
    let row = rows.first().ok_or_else(|| Failure::not_found(format!("there is no ticket {id}")))?;
    let reason: Option<String> = row.get("reason")?;
    let status = if reason.is_some() { Status::Closed } else { Status::Open };
    Ok(Ticket { id, title: row.get("title")?, urgent: row.get("urgent")?, status })
}
