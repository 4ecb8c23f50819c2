//! `textDocument/didChange`: edits of an open document.

use tower_lsp::lsp_types::DidChangeTextDocumentParams;

use crate::state::State;

pub fn apply(state: &mut State, params: DidChangeTextDocumentParams) {
    let encoding = state.settings.as_ref().map(|settings| settings.encoding).unwrap_or_default();
    let document = params.text_document;
    match state.documents.change(&document.uri, document.version, params.content_changes, encoding) {
        Some(document) => {
            if let Some(path) = document.path.clone() {
                state.text_changed(path);
            }
        }
        None => state.log(format!("`{}` was edited and is not open", document.uri)),
    }
}
