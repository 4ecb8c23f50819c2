//! What the app does with what it hears.

use std::io::Write;

use jadpo_runtime::Failure;

use crate::app;
use crate::app::exchange::{MetalsChanged, NoteRequest, QuotesChanged};

/// The app's own tables, made at its first start.
pub const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS quotes (what TEXT NOT NULL, price TEXT NOT NULL, at TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS notes (base TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL) STRICT;
";

/// Writes quotes and notes into the store, and says so.
pub struct Keeper {
    /// Whether each event is printed as it is kept.
    pub loud: bool,
}

impl app::Handlers for Keeper {
    async fn keep_quotes(
        &self,
        cx: &mut app::cx::KeepQuotes<'_>,
        event: app::on::KeepQuotes,
    ) -> Result<(), Failure> {
        let prices: Vec<(String, String)> = match event {
            app::on::KeepQuotes::ExchangeQuotesChanged(QuotesChanged { base, prices }) => prices
                .into_iter()
                .map(|(currency, price)| (format!("{base}/{currency}"), price.to_string()))
                .collect(),
            app::on::KeepQuotes::ExchangeMetalsChanged(MetalsChanged { gold, silver }) => {
                vec![("gold".to_owned(), gold.to_string()), ("silver".to_owned(), silver.to_string())]
            }
        };
        let now = cx.now().to_string();
        self.say(&format!(
            "changed  {}",
            prices.iter().map(|(what, price)| format!("{what} {price}")).collect::<Vec<_>>().join("  ")
        ));
        for (what, price) in prices {
            cx.store().write(
                "INSERT INTO quotes (what, price, at) VALUES (?1, ?2, ?3)",
                (what, price, now.clone()),
            );
        }
        Ok(())
    }

    async fn keep_note(&self, cx: &mut app::cx::KeepNote<'_>, event: QuotesChanged) -> Result<(), Failure> {
        let note = cx.feed().fetch_note(&NoteRequest { base: event.base.clone() }).await?;
        self.say(&format!("note     {}", note.text));
        let now = cx.now().to_string();
        cx.store().write(
            "INSERT INTO notes (base, text, at) VALUES (?1, ?2, ?3)",
            (event.base.get(), note.text.as_str(), now),
        );
        Ok(())
    }
}

impl Keeper {
    /// A closed terminal is no reason to deliver again.
    fn say(&self, line: &str) {
        if self.loud {
            let _ = writeln!(std::io::stdout(), "{line}");
        }
    }
}
