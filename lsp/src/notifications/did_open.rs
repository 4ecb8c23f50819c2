//! `textDocument/didOpen`: from now on the editor's text counts.

use tower_lsp::lsp_types::DidOpenTextDocumentParams;

use crate::documents::Document;
use crate::state::State;

pub fn apply(state: &mut State, params: DidOpenTextDocumentParams) {
    let opened = params.text_document;
    let path = state.place(&opened.uri);
    let document = Document { path: path.clone(), version: opened.version, text: opened.text };
    state.documents.open(opened.uri, document);
    if let Some(path) = path {
        state.text_changed(path);
        state.opened_changed();
    }
}
