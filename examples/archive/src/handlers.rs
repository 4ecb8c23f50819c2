//! What one step does, and where the next one begins: both go over the letters by their numbers.

use jadpo_runtime::{Failure, Filled, Next, SignedDuration, Step};

use crate::app::{self, Older};

/// How long a letter lies before it is archived.
const KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);

/// The table of letters, with twenty thousand of them at the first start; each thousandth is empty.
pub const LETTERS: &str = "
    CREATE TABLE IF NOT EXISTS letters (
        id       INTEGER PRIMARY KEY,
        text     TEXT NOT NULL,
        received TEXT NOT NULL,
        archived TEXT,
        words    INTEGER
    ) STRICT;
    INSERT INTO letters (id, text, received)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
    SELECT n, iif(n % 1000 = 0, '', 'Letter number ' || n), strftime('%FT%TZ', '2020-01-01', (n % 1000) || ' days')
    FROM numbers WHERE NOT EXISTS (SELECT * FROM letters);
";

/// The archivist. How far each run has come is the runtime's to know.
pub struct Archivist;

impl app::Handlers for Archivist {
    async fn put_in_order(&self, cx: &mut app::cx::PutInOrder<'_>) -> Result<(), Failure> {
        let than = cx.now().checked_sub(KEPT)?;
        cx.start_archive_letters(Older { than });
        cx.start_count_words();
        Ok(())
    }

    async fn archive_letters(
        &self,
        cx: &mut app::cx::ArchiveLetters<'_>,
        step: Step<Older>,
    ) -> Result<Next, Failure> {
        let rows = cx
            .store()
            .query(
                "SELECT id FROM letters WHERE id > ?1 AND received < ?2 AND archived IS NULL ORDER BY id LIMIT ?3",
                (after(step.cursor.as_deref())?, step.input.than, step.size),
            )
            .await?;
        let (now, mut next) = (cx.now(), Next::End);
        for row in rows {
            let id: i64 = row.get("id")?;
            // A letter that is archived already fails the step: this is how the example shows that none is done twice.
            let update = "UPDATE letters SET archived = ?1 WHERE id = ?2 AND archived IS NULL";
            cx.store().write_rows(1, update, (now, id));
            next = Next::Cursor(id.to_string());
        }
        Ok(next)
    }

    async fn count_words(
        &self,
        cx: &mut app::cx::CountWords<'_>,
        step: Step<()>,
    ) -> Result<Filled<i64>, Failure> {
        let rows = cx
            .store()
            .query(
                "SELECT id, text FROM letters WHERE id > ?1 AND words IS NULL ORDER BY id LIMIT ?2",
                (after(step.cursor.as_deref())?, step.size),
            )
            .await?;
        let (mut pairs, mut next) = (Vec::new(), Next::End);
        for row in rows {
            let (id, text): (i64, String) = (row.get("id")?, row.get("text")?);
            pairs.push((id.to_string(), i64::try_from(text.split_whitespace().count())?));
            next = Next::Cursor(id.to_string());
        }
        Ok(Filled { pairs, next })
    }

    fn keep_count_words(
        &self,
        cx: &mut app::cx::CountWords<'_>,
        key: &str,
        value: i64,
    ) -> Result<(), Failure> {
        let update = "UPDATE letters SET words = ?1 WHERE id = ?2 AND words IS NULL";
        cx.store().write_rows(1, update, (value, after(Some(key))?));
        Ok(())
    }
}

/// The number of the letter that the last step ended with.
fn after(cursor: Option<&str>) -> Result<i64, Failure> {
    Ok(cursor.map_or(Ok(0), str::parse)?)
}
