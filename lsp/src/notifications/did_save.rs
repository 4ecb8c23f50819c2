//! `textDocument/didSave`: the one sign of a change on disk from an editor that watches no files.

use tower_lsp::lsp_types::DidSaveTextDocumentParams;

use crate::state::State;

pub fn apply(state: &mut State, _: &DidSaveTextDocumentParams) {
    if state.settings.as_ref().is_some_and(|settings| !settings.watches) {
        state.layout_changed();
        state.folders_changed();
    }
}
