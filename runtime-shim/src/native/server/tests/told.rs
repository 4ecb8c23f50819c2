//! The span of a request.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use super::{Bounds, Clock, DRAIN_MS, Desk, Listener, Routes, Site, Stop, http};
use crate::trace::tests::check_request;
use crate::trial::spans::told_by;

#[test]
fn a_request_is_a_span_as_the_manual_says() {
    let told = told_by(|| {
        // One thread, whose subscriber hears it all.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let plan = Arc::new(crate::route::tests::plan());
        let environment = |_: &str| Some("s3cret-token".to_owned());
        let routes = Routes::open(&plan, &plan.deployables["server"], &environment).unwrap();
        let site = Arc::new(Site::new(Arc::new(routes), Arc::new(Desk::default())));
        let (stop, bounds) = (Stop::default(), Bounds { connections_max: 1, drain_ms: DRAIN_MS });
        let bind = Listener::bind("127.0.0.1:0", bounds, Arc::new(Clock::default()), stop.clone());
        let listener = runtime.block_on(bind).unwrap();
        let address = listener.address();
        let asking = std::thread::spawn(move || {
            let mut socket = TcpStream::connect(address).unwrap();
            socket
                .write_all(b"GET /tickets/latest HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
                .unwrap();
            let mut answer = String::new();
            socket.read_to_string(&mut answer).unwrap();
            stop.ask();
            answer
        });
        runtime.block_on(listener.run(move |socket, life| http::serve(socket, life, site.clone())));
        let answer = asking.join().unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    });
    check_request(&told);
}
