//! Speaks HTTP/1.1 over one connection, until it ends, is overdue, or may end at a stop.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{Either, select};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

use super::life::Life;
use super::site::Site;
use super::watched::Watched;
use crate::limits;
use crate::route::Reply;

type Sent = Response<http_body_util::Full<Bytes>>;

/// Serves a connection to its end.
pub async fn serve<S>(socket: Watched<S>, life: Life, site: Arc<Site>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(|request: Request<Incoming>| {
        life.head_is_whole();
        answer(&site, &life, request)
    });
    let mut connection = pin!(
        http1::Builder::new()
            // A client that has sent its request may stop sending, or be gone: what it asked for runs to its end.
            .half_close(true)
            // The connection's life holds the deadline, of the body too.
            .header_read_timeout(None)
            .max_header_size(limits::HEAD_BYTES_MAX)
            .serve_connection(TokioIo::new(socket), service)
    );
    let mut overdue = pin!(life.is_overdue());
    let may_end = pin!(life.may_end());
    let ends = select(overdue.as_mut(), may_end);
    // Looked at first, so that a request whose bytes are here is not taken for none.
    match select(connection.as_mut(), ends).await {
        Either::Left(_) | Either::Right((Either::Left(_), _)) => return,
        Either::Right((Either::Right(_), _)) => {}
    }
    connection.as_mut().graceful_shutdown();
    select(connection, overdue).await;
}

async fn answer(site: &Site, life: &Life, request: Request<Incoming>) -> Result<Sent, Infallible> {
    let reply = site.reply(request, life).await;
    life.answers();
    let mut response = sent(reply);
    if life.is_last() {
        // A client that is told asks nothing more on a connection that is about to close.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}

/// The answer as hyper sends it.
fn sent(reply: Reply) -> Sent {
    let has_body = !reply.body.is_empty();
    let mut response = Response::new(http_body_util::Full::new(Bytes::from(reply.body)));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    for (name, value) in reply.headers {
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&value))
        {
            headers.insert(name, value);
        }
    }
    if has_body {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    response
}
