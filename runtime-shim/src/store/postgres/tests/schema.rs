//! The runtime's own tables: as they are committed, made once by many, and refused where they are newer.

use super::super::migrate::{MIGRATIONS, VERSION};
use super::{block_on, committed, connect, database, event, note, open, options};
use crate::store::{Boundary, ClaimDeliveries, Fence, Store, StoreErrorKind, Wanted};

/// Everything that a migration may change, one line for each.
const DUMP: &str = "
SELECT line FROM (
    SELECT relname AS of, 0 AS kind, 0 AS place,
           'TABLE ' || relname || coalesce(' WITH ' || array_to_string(reloptions, ', '), '') AS line
    FROM pg_class WHERE relkind = 'r'
    UNION ALL
    SELECT relname, 1, attnum, '    ' || attname || ' ' || format_type(atttypid, atttypmod)
           || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
           || CASE WHEN attidentity = 'd' THEN ' IDENTITY' ELSE '' END
           || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relkind = 'r' AND attnum > 0
    UNION ALL
    SELECT relname, 2, 0, '    CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid WHERE contype <> 'n'
    UNION ALL
    SELECT tablename, 3, 0, '    ' || indexdef FROM pg_indexes) AS lines
WHERE of LIKE 'jadpo%' ORDER BY of COLLATE \"C\", kind, place, line COLLATE \"C\"";

#[test]
fn the_schema_is_the_one_that_is_committed() {
    let Some(url) = database() else { return };
    drop(options(&url).open().unwrap());
    let dumped = block_on(async {
        let rows = connect(&url).await.query(DUMP, &[]).await.unwrap();
        rows.iter().map(|row| row.get::<_, String>(0) + "\n").collect::<String>()
    });
    assert_eq!(dumped, include_str!("../migrations/0001_begin.schema.txt"));
}

#[test]
fn many_at_once_migrate_once() {
    let Some(url) = database() else { return };
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| drop(options(&url).open().unwrap()));
        }
    });
    let version = block_on(async {
        let row = connect(&url).await.query_one("SELECT value FROM jadpo_meta", &[]).await.unwrap();
        row.get::<_, i64>(0)
    });
    assert_eq!(version, VERSION);
    assert_eq!(usize::try_from(VERSION).unwrap(), MIGRATIONS.len());
}

#[test]
fn a_newer_schema_is_refused_and_who_runs_over_it_runs_on() {
    let Some(url) = database() else { return };
    let running = options(&url).open().unwrap();
    block_on(async {
        connect(&url)
            .await
            .batch_execute("UPDATE jadpo_meta SET value = 999; CREATE TABLE jadpo_next ()")
            .await
            .unwrap();
    });
    let error = options(&url).open().unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::SchemaNewer { found: 999, known: VERSION });
    block_on(async {
        super::committed(&running, super::event()).await;
        let version = connect(&url).await.query_one("SELECT value FROM jadpo_meta", &[]).await.unwrap();
        assert_eq!(version.get::<_, i64>(0), 999, "left as it is");
    });
}

#[test]
fn tables_that_cannot_be_prepared_are_the_apps_fault_and_nothing_of_them_is_kept() {
    let Some(url) = database() else { return };
    let prepare = ["CREATE TABLE a (x int)", "CREATE TABLE b (x"].map(str::to_owned).to_vec();
    let error = super::OpenOptions { prepare, ..options(&url) }.open().unwrap_err();
    let StoreErrorKind::Other(text) = error.kind else { panic!("{error}") };
    assert!(text.starts_with("what the app prepares there is refused: syntax error"), "{text}");
    let kept = block_on(async {
        let row = connect(&url).await.query_one("SELECT to_regclass('a') IS NULL", &[]).await.unwrap();
        row.get::<_, bool>(0)
    });
    assert!(kept, "nothing of it is");
}

#[test]
fn who_is_not_let_in_is_told_why() {
    let Some(url) = database() else { return };
    let nowhere = format!("{url}_not_there");
    let error = super::OpenOptions::new("main", nowhere.parse().unwrap()).open().unwrap_err();
    assert!(error.to_string().contains("does not exist"), "{error}");
    let closed = "postgres://jadpo:s3cret@127.0.0.1:1/app";
    let error = super::OpenOptions::new("main", closed.parse().unwrap()).open().unwrap_err();
    assert!(matches!(error.kind, StoreErrorKind::Unreachable(_)), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("s3cret"));
}

#[test]
fn an_older_program_works_on_over_a_newer_schema_beside_the_newer_one() {
    let Some(url) = database() else { return };
    let (older, newer) = (open(&url), open(&url));
    let claim = |token: i64| ClaimDeliveries {
        now_ms: 1,
        token,
        instance: token,
        until_ms: 60_000,
        wanted: vec![Wanted { subscriber: "s".to_owned(), at_most: 1, running: 0 }],
        at_most: 1,
        hear: true,
        done: Vec::new(),
    };
    block_on(async {
        for _ in 0..4 {
            committed(&older, event()).await;
        }
        // Its statements are prepared, and one delivery is under way, when the migration comes.
        let before = older.claim_deliveries(claim(1)).await.unwrap().deliveries.remove(0).held();
        let add = "ALTER TABLE jadpo_events ADD COLUMN later bigint NOT NULL DEFAULT 7;
            ALTER TABLE jadpo_deliveries ADD COLUMN later text; ALTER TABLE jadpo_instances ADD COLUMN later text;
            CREATE TABLE jadpo_later (id bigint PRIMARY KEY);";
        connect(&url).await.batch_execute(add).await.unwrap();
        for (token, store) in [(2, &older), (3, &newer), (4, &older)] {
            let held = store.claim_deliveries(claim(token)).await.unwrap().deliveries.remove(0).held();
            let rest = Boundary { fence: Fence::Delivery(held), ..note(token) };
            committed(store, rest).await;
        }
        committed(&newer, Boundary { fence: Fence::Delivery(before), ..note(1) }).await;
        assert_eq!(older.delivery_counts().await.unwrap().done, 4);
        committed(&older, event()).await;
        assert_eq!(newer.claim_deliveries(claim(5)).await.unwrap().deliveries.len(), 1);
    });
}
