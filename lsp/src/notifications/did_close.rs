//! `textDocument/didClose`: from now on the text on disk counts.

use tower_lsp::lsp_types::DidCloseTextDocumentParams;

use crate::state::State;

pub fn apply(state: &mut State, params: &DidCloseTextDocumentParams) {
    let closed = state.documents.close(&params.text_document.uri);
    if let Some(path) = closed.and_then(|document| document.path) {
        state.text_changed(path);
        state.opened_changed();
    }
}
