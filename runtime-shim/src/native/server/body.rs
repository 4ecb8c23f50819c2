//! Reads a request's body, bounded.

use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};

use crate::limits;
use crate::route::Reply;

/// The whole body; the answer where it is too large or broke off.
pub(super) async fn read(mut body: Incoming) -> Result<Vec<u8>, Reply> {
    let told = body.size_hint();
    if told.lower() > limits::BODY_BYTES_MAX as u64 {
        return Err(Reply::too_large(limits::BODY_BYTES_MAX));
    }
    let mut whole = Vec::with_capacity(usize::try_from(told.lower()).unwrap_or(0));
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return Err(Reply::error(400, "invalid_request", "the body broke off"));
        };
        let Ok(piece) = frame.into_data() else { continue };
        if whole.len() + piece.len() > limits::BODY_BYTES_MAX {
            return Err(Reply::too_large(limits::BODY_BYTES_MAX));
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole)
}
