//! The notifications that change the world, one file each.

mod did_change;
mod did_change_watched_files;
mod did_change_workspace_folders;
mod did_close;
mod did_open;
mod did_save;

use serde_json::Value;
use tower_lsp::lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Initialized, Notification as Kind,
};
use tower_lsp::lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
};

use crate::state::State;

/// A notification that changes the world.
#[derive(Debug)]
pub enum Notification {
    /// The session has begun.
    Initialized,
    /// A document was opened.
    Open(DidOpenTextDocumentParams),
    /// A document was edited.
    Change(DidChangeTextDocumentParams),
    /// A document was closed.
    Close(DidCloseTextDocumentParams),
    /// A document was saved.
    Save(DidSaveTextDocumentParams),
    /// Files changed on disk.
    Watched(DidChangeWatchedFilesParams),
    /// Folders were added to the editor's or taken away.
    Folders(DidChangeWorkspaceFoldersParams),
    /// A known method with parameters that are not its own: what is to be logged.
    Unreadable(String),
}

impl Notification {
    /// Whether a method is one of these, and nobody else's.
    pub fn is_known(method: &str) -> bool {
        [
            DidOpenTextDocument::METHOD,
            DidChangeTextDocument::METHOD,
            DidCloseTextDocument::METHOD,
            DidSaveTextDocument::METHOD,
            DidChangeWatchedFiles::METHOD,
            DidChangeWorkspaceFolders::METHOD,
        ]
        .contains(&method)
    }

    /// A notification from its parts.
    pub fn read(method: &str, params: Value) -> Self {
        let read = match method {
            Initialized::METHOD => Ok(Self::Initialized),
            DidOpenTextDocument::METHOD => serde_json::from_value(params).map(Self::Open),
            DidChangeTextDocument::METHOD => serde_json::from_value(params).map(Self::Change),
            DidCloseTextDocument::METHOD => serde_json::from_value(params).map(Self::Close),
            DidSaveTextDocument::METHOD => serde_json::from_value(params).map(Self::Save),
            DidChangeWatchedFiles::METHOD => serde_json::from_value(params).map(Self::Watched),
            DidChangeWorkspaceFolders::METHOD => serde_json::from_value(params).map(Self::Folders),
            _ => return Self::Unreadable(format!("nobody listens to `{method}`")),
        };
        read.unwrap_or_else(|error| {
            Self::Unreadable(format!("`{method}` has other parameters than it should: {error}"))
        })
    }

    /// Changes the world.
    pub fn apply(self, state: &mut State) {
        match self {
            // Before this the editor takes no diagnostics.
            Self::Initialized => state.folders_changed(),
            Self::Open(params) => did_open::apply(state, params),
            Self::Change(params) => did_change::apply(state, params),
            Self::Close(params) => did_close::apply(state, &params),
            Self::Save(params) => did_save::apply(state, &params),
            Self::Watched(params) => did_change_watched_files::apply(state, params),
            Self::Folders(params) => did_change_workspace_folders::apply(state, &params),
            Self::Unreadable(why) => state.log(why),
        }
    }
}
