//! `textDocument/didOpen`: from now on the editor's text counts.

use tower_lsp::lsp_types::DidOpenTextDocumentParams;

use crate::state::State;

pub fn apply(state: &mut State, params: DidOpenTextDocumentParams) {
    let opened = params.text_document;
    let path = state.place(&opened.uri);
    state.documents.open(opened.uri, path.clone(), opened.version, opened.text);
    if let Some(path) = path {
        state.text_changed(path);
        state.opened_changed();
    }
}
