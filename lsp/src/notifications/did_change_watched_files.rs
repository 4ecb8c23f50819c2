//! `workspace/didChangeWatchedFiles`: manifests changed on disk, came or went.

use tower_lsp::lsp_types::{DidChangeWatchedFilesParams, FileChangeType};

use crate::state::State;

pub fn apply(state: &mut State, params: DidChangeWatchedFilesParams) {
    for event in params.changes {
        let Some(path) = state.place(&event.uri) else { continue };
        if event.typ == FileChangeType::CHANGED {
            // What is on disk means nothing while the editor has the file open.
            if state.documents.text_at(&path).is_none() {
                state.file_changed(path);
            }
        } else {
            state.layout_changed();
            state.folders_changed();
        }
    }
}
