//! Values of the language in the app's own tables: what was written is what is read, by the types that columns declare.

use super::on_databases;
use crate::store::{Boundary, BoundaryEnd, Fence};
use crate::{Decimal, SqlValue, ToSql};

/// Writes values into a table of these columns and reads them back.
async fn round_trip(
    subject: &super::Subject,
    columns: &str,
    values: Vec<SqlValue>,
) -> Result<Vec<SqlValue>, String> {
    let places: Vec<String> = (1..=values.len()).map(|at| format!("?{at}")).collect();
    let writes = vec![subject.write(&format!("CREATE TABLE t ({columns})"), Vec::new(), None)];
    let made = subject.commit(Boundary { writes, ..Boundary::empty(Fence::Free, 0) }).await;
    assert_eq!(made, BoundaryEnd::Done(Vec::new()));
    let writes =
        vec![subject.write(&format!("INSERT INTO t VALUES ({})", places.join(", ")), values, Some(1))];
    let end = subject.commit(Boundary { writes, ..Boundary::empty(Fence::Free, 0) }).await;
    if let BoundaryEnd::Refused(text) = end {
        return Err(text);
    }
    let rows = subject.store.query("SELECT * FROM t".to_owned(), Vec::new()).await.unwrap()?;
    Ok(rows[0].values().to_vec())
}

#[test]
fn plain_columns_hold_every_type() {
    on_databases(async |subject| {
        let blob = if subject.is_postgres() { "bytea" } else { "BLOB" };
        let columns = format!("a BIGINT, b TEXT, c {blob}, d TEXT, e TEXT, f DOUBLE PRECISION");
        let values = vec![
            i64::MIN.to_sql(),
            "città 🪙".to_sql(),
            vec![0_u8, 255].to_sql(),
            Decimal::from_str_exact("0.00000000000000000001").unwrap().to_sql(),
            None::<String>.to_sql(),
            SqlValue::Real(0.1),
        ];
        assert_eq!(round_trip(subject, &columns, values.clone()).await.unwrap(), values);
    });
}

#[cfg(feature = "postgres")]
#[test]
fn columns_of_postgresql_hold_what_they_are_made_for() {
    on_databases(async |subject| {
        if !subject.is_postgres() {
            return;
        }
        let columns = "a numeric, b timestamptz, c timestamp, d date, e uuid, f jsonb, g boolean, h integer, \
                       i smallint, j numeric(20, 4), k interval, l varchar(9), m real, n json";
        let text = |text: &str| SqlValue::Text(text.to_owned());
        let values = vec![
            Decimal::from_str_exact("-12345678901234567.000000001").unwrap().to_sql(),
            "2027-03-04T05:06:07.000001Z".parse::<crate::Timestamp>().unwrap().to_sql(),
            "2027-03-04T05:06:07".parse::<crate::civil::DateTime>().unwrap().to_sql(),
            "1969-12-31".parse::<crate::civil::Date>().unwrap().to_sql(),
            crate::Uuid::from_u128(7).to_sql(),
            text(r#"{"a": 1}"#),
            true.to_sql(),
            7_i32.to_sql(),
            7_i16.to_sql(),
            Decimal::from_str_exact("60.5").unwrap().to_sql(),
            crate::SignedDuration::from_millis(90_500).to_sql(),
            text("abc"),
            SqlValue::Real(0.5),
            text(r#"{"a":1}"#),
        ];
        let mut expected = values.clone();
        expected[9] = text("60.5000");
        let read = round_trip(subject, columns, values).await.unwrap();
        assert_eq!(read, expected);
        let rows = subject.store.query("SELECT j, b FROM t".to_owned(), Vec::new()).await.unwrap().unwrap();
        assert_eq!(rows[0].get::<Decimal>("j").unwrap().to_string(), "60.5000");
        assert!(rows[0].get::<crate::Timestamp>("b").is_ok());
    });
}

#[cfg(feature = "postgres")]
#[test]
fn what_does_not_fit_is_refused_in_words() {
    on_databases(async |subject| {
        if !subject.is_postgres() {
            return;
        }
        let refused = round_trip(subject, "a bytea", vec!["x".to_sql()]).await.unwrap_err();
        assert_eq!(refused, "$1 is of type bytea, which text can't be");
        let query =
            async |sql: &str| subject.store.query(sql.to_owned(), Vec::new()).await.unwrap().unwrap_err();
        let unread = query("SELECT ARRAY[1] AS many").await;
        assert_eq!(unread, "column \"many\" is of type _int4, which can't be read; cast it to text");
        assert_eq!(query("SELECT 1 WHERE $1 = 1").await, "the statement has 1 parameters, 0 were given");
        assert!(query("DELETE FROM notes").await.contains("read-only"));
        assert!(query("SELECT nothing").await.contains("nothing"));
        let months = query("SELECT interval '1 month'").await;
        assert!(months.contains("no exact length"), "{months}");
    });
}
