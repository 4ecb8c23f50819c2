//! `workspace/didChangeWorkspaceFolders`: folders were added to the editor's or taken away.

use tower_lsp::lsp_types::DidChangeWorkspaceFoldersParams;

use crate::state::State;

pub fn apply(state: &mut State, params: &DidChangeWorkspaceFoldersParams) {
    let Some(settings) = &mut state.settings else { return };
    let removed = params.event.removed.iter().filter_map(|folder| folder.uri.to_file_path().ok());
    let removed: Vec<_> = removed.collect();
    settings.folders.retain(|folder| !removed.contains(folder));
    settings.folders.extend(params.event.added.iter().filter_map(|folder| folder.uri.to_file_path().ok()));
    state.folders_changed();
}
