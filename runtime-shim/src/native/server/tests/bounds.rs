//! How many connections live at once.

use super::{Client, Running, wait_until};

#[test]
fn one_beyond_the_cap_is_closed_unread() {
    let server = Running::start(2);
    let (mut first, mut second) = (server.client(), server.client());
    assert_eq!(
        (first.ask("GET /"), second.ask("GET /")),
        ("200 \"pong\"".to_owned(), "200 \"pong\"".to_owned())
    );
    let mut third = server.client();
    assert!(third.is_closed_unanswered());
    assert_eq!(first.ask("GET /"), "200 \"pong\"", "those inside notice nothing");
    drop(first);
    wait_until("a place", || {
        let mut client = server.client();
        client.ends_sending();
        client.rest();
        server.lives.lock().unwrap().len() == 3
    });
}

#[test]
fn a_flood_is_closed_and_disturbs_nobody() {
    const CAP: usize = 64;
    const ATTEMPTS: usize = 10_000;
    let server = Running::start(CAP);
    let mut inside: Vec<Client> = (0..CAP).map(|_| server.client()).collect();
    assert!(inside.iter_mut().all(|client| client.ask("GET /") == "200 \"pong\""));
    let address = server.address;
    let all_closed = |attempts| (0..attempts).all(|_| Client::connect(address).is_closed_unanswered());
    let closed = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| all_closed(ATTEMPTS / 4))).collect();
        threads.into_iter().all(|thread| thread.join().unwrap())
    });
    assert!(closed);
    assert_eq!(server.lives.lock().unwrap().len(), CAP, "nothing but those inside was ever served");
    assert!(inside.iter_mut().all(|client| client.ask("GET /") == "200 \"pong\""));
}
