//! Orders taken in one store and shipped from another, by a process that is killed again and again: each that was taken is
//! shipped, and none twice.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

use jadpo_tests::binaries::binary;
use jadpo_tests::process::{Running, Stream};
use jadpo_tests::wait;
use rusqlite::{Connection, OpenFlags};

/// Until something is to be seen that takes the program itself little time, on a machine that does much else.
const SOON: Duration = Duration::from_mins(1);

/// Until a dead process is noticed and its work is done by another: half a minute, and then some.
const TAKEN_OVER: Duration = Duration::from_mins(2);

/// How often it is killed, each time after more orders were answered than the time before.
const KILLS: i64 = 8;

/// Who order at once.
const CUSTOMERS: usize = 4;

struct Desk {
    process: Running,
    port: u16,
}

impl Desk {
    #[track_caller]
    fn start(folder: &Path) -> Desk {
        let mut command = Command::new(binary("jadpo-test-desk", "jadpo-test-desk"));
        let mut process = Running::start(command.current_dir(folder).env_remove("JADPO_LOG"));
        let line = process.line(SOON, "the address", |stream, line| {
            stream == Stream::Err && line.contains("listening on http://127.0.0.1:")
        });
        let port = line.rsplit(':').next().and_then(|port| port.trim().parse().ok());
        Desk { process, port: port.unwrap() }
    }
}

/// The status of an order's answer; `None` where the desk is gone.
fn order(port: u16, path: &str, no: i64) -> Option<u16> {
    let body = format!(r#"{{"no":{no},"amount":{}}}"#, no + 1);
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(SOON)).ok()?;
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}

fn numbers(folder: &Path, store: &str, sql: &str) -> Vec<i64> {
    let path = folder.join(format!("{store}.db"));
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    connection.busy_timeout(SOON).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Orders until the desk is killed, which is once `most` orders were answered; those that were taken.
fn orders_until_killed(folder: &Path, next: &AtomicI64, most: i64) -> Vec<i64> {
    let desk = Desk::start(folder);
    let (port, answered) = (desk.port, AtomicI64::new(0));
    let customer = |path: &'static str| {
        let mut taken = Vec::new();
        loop {
            let no = next.fetch_add(1, Ordering::SeqCst);
            match order(port, path, no) {
                Some(200 | 202) => taken.push(no),
                Some(status) => panic!("order {no} was answered with {status}"),
                None => return taken,
            }
            answered.fetch_add(1, Ordering::SeqCst);
        }
    };
    let (customer, answered) = (&customer, &answered);
    thread::scope(move |scope| {
        // Dropped with this closure however it ends, since the customers order as long as there is a desk.
        let desk = desk;
        let paths = ["/orders", "/orders/left"].into_iter().cycle().take(CUSTOMERS);
        let customers: Vec<_> = paths.map(|path| scope.spawn(move || customer(path))).collect();
        wait::until(SOON, "answers", || (answered.load(Ordering::SeqCst) >= most).then_some(()));
        desk.process.signal_all("KILL");
        customers.into_iter().flat_map(|customer| customer.join().unwrap()).collect()
    })
}

#[test]
fn each_order_that_was_taken_is_shipped_once_whenever_the_desk_is_killed() {
    let scratch = tempfile::tempdir().unwrap();
    let (folder, next) = (scratch.path(), AtomicI64::new(1));
    let mut taken: Vec<i64> =
        (1..=KILLS).flat_map(|kill| orders_until_killed(folder, &next, kill * 7)).collect();
    taken.sort_unstable();
    let mut desk = Desk::start(folder);
    let left = "SELECT count(*) FROM jadpo_deliveries WHERE state <> 'done'";
    wait::until(TAKEN_OVER, "that all is shipped", || (numbers(folder, "orders", left) == [0]).then_some(()));
    desk.process.signal("TERM");
    assert_eq!(desk.process.exit(SOON).code(), Some(0), "{}", desk.process.written());
    let orders = numbers(folder, "orders", "SELECT no FROM orders ORDER BY no");
    assert!(taken.iter().all(|no| orders.contains(no)), "{taken:?} were taken, and {orders:?} are known");
    assert_eq!(numbers(folder, "shipping", "SELECT no FROM shipped ORDER BY no"), orders);
    let amounts = |store, table| numbers(folder, store, &format!("SELECT sum(amount) FROM {table}"));
    assert_eq!(amounts("shipping", "shipped"), amounts("orders", "orders"));
}
