//! One file a request; here is how each is answered from a snapshot.

pub mod code_action;

use std::sync::Arc;

use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::lsp_types::Url;

use crate::limits::ATTEMPTS_MAX;
use crate::state::{Reading, World};

/// Answers from a snapshot of what concerns the document `uri`, off the executor. `answer` gives `None` when an edit
/// has made the snapshot old, and is then asked again with a new one.
pub async fn read<T, F>(world: &World, uri: Url, answer: F) -> Result<T>
where
    T: Send + 'static,
    F: Fn(&Reading) -> Option<T> + Send + Sync + 'static,
{
    let answer = Arc::new(answer);
    for _ in 0..ATTEMPTS_MAX {
        let reading = world.read(uri.clone()).await.ok_or_else(Error::internal_error)?;
        let answer = answer.clone();
        // The snapshot lives and ends in there: the next edit waits for that.
        let answered = tokio::task::spawn_blocking(move || answer(&reading)).await;
        match answered {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => {}
            Err(_) => return Err(Error::internal_error()),
        }
    }
    Err(Error::new(ErrorCode::ContentModified))
}
