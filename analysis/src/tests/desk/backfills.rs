//! Rules of `batch` and `backfill`.

use super::said;

#[test]
fn a_batch_starts_with_an_object() {
    insta::assert_snapshot!(said(&[
        ("input: CloseAll", "input: CloseAl"),
        ("input: CloseAll", "input: List<CloseAll>"),
        ("input: CloseAll", "input: Status"),
        ("input: CloseAll  size: 50", ""),
        ("size: 50", "size: 0"),
        ("size: 50", "size: 5000"),
        ("size: 50", "size: 50s"),
        ("size: 50", "sise: 50"),
        ("size: 50", "store: mian"),
        ("size: 50", "size: 50  size: 60"),
    ]), @"
input: CloseAll → input: CloseAl
app.jadpo:47:26 type.unknown there is no type `CloseAl`
  fix: write `CloseAll`

input: CloseAll → input: List<CloseAll>
app.jadpo:47:26 batch.value_invalid `input` takes an Object, not `List<CloseAll>`

input: CloseAll → input: Status
app.jadpo:47:26 batch.value_invalid `input` takes an Object, not `Status`, which is an Enum

input: CloseAll  size: 50 → 
clean

size: 50 → size: 0
app.jadpo:47:42 batch.value_invalid `size` takes a whole number from 1 to 1000, not `0`
  fix: write `1` (a choice)

size: 50 → size: 5000
app.jadpo:47:42 batch.value_invalid `size` takes a whole number from 1 to 1000, not `5000`
  fix: write `1000` (a choice)

size: 50 → size: 50s
app.jadpo:47:42 batch.value_invalid `size` takes a whole number from 1 to 1000, not `50s`

size: 50 → sise: 50
app.jadpo:47:36 batch.key_invalid a batch takes no key `sise`
  fix: write `size`

size: 50 → store: mian
app.jadpo:47:43 name.unknown there is no store `mian`
  fix: write `main`

size: 50 → size: 50  size: 60
app.jadpo:47:46 batch.key_duplicate `size` is given twice
");
}

#[test]
fn a_backfill_works_out_a_field_of_its_record() {
    insta::assert_snapshot!(said(&[
        ("record: Ticket  field: priority", "record: Ticket  field: prioirty"),
        ("record: Ticket  field: priority", "record: Ticket"),
        ("record: Ticket  field: priority", "field: priority"),
        ("record: Ticket  field: priority", "record: letters.Letter  field: text"),
        ("record: Ticket  field: priority", "record: Tiket  field: priority"),
        ("record: Ticket  field: priority", "record: TicketOpened  field: id"),
        ("record: Ticket  field: priority", "record: Status  field: open"),
        ("record: Ticket  field: priority", "record: Ticket?  field: title"),
        ("record: Ticket  field: priority", "record: Ticket  field: \"title\""),
        ("record: Ticket  field: priority", "record: Ticket  field: Ticket.title"),
        ("record: Ticket  field: priority", "record: Ticket  field: [title]"),
    ]), @r#"
record: Ticket  field: priority → record: Ticket  field: prioirty
app.jadpo:49:48 name.unknown `Ticket` has no field `prioirty`
  fix: write `priority`

record: Ticket  field: priority → record: Ticket
app.jadpo:49:10 backfill.key_missing a backfill needs `field`

record: Ticket  field: priority → field: priority
app.jadpo:49:10 backfill.key_missing a backfill needs `record`

record: Ticket  field: priority → record: letters.Letter  field: text
clean

record: Ticket  field: priority → record: Tiket  field: priority
app.jadpo:49:33 type.unknown there is no type `Tiket`
  fix: write `Ticket`

record: Ticket  field: priority → record: TicketOpened  field: id
app.jadpo:49:33 backfill.value_invalid `record` takes an Object, not `TicketOpened`, which is an Event

record: Ticket  field: priority → record: Status  field: open
app.jadpo:49:33 backfill.value_invalid `record` takes an Object, not `Status`, which is an Enum

record: Ticket  field: priority → record: Ticket?  field: title
app.jadpo:49:33 backfill.value_invalid `record` takes an Object, not `Ticket?`, which may be null

record: Ticket  field: priority → record: Ticket  field: "title"
app.jadpo:49:48 backfill.value_invalid `field` takes the name of a field of `record`, not a string
  fix: write the name without quotes

record: Ticket  field: priority → record: Ticket  field: Ticket.title
app.jadpo:49:48 backfill.value_invalid `field` takes the name of a field of `record`, not `Ticket.title`

record: Ticket  field: priority → record: Ticket  field: [title]
app.jadpo:49:48 backfill.value_invalid `field` takes the name of a field of `record`, not a list
"#);
}
