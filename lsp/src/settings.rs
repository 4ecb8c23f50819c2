//! What the editor and the server agree on at the start.

use std::path::PathBuf;

use tower_lsp::lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, InitializeParams,
    OneOf, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Url, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use crate::convert::Encoding;

/// What was agreed.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What the columns of positions count.
    pub encoding: Encoding,
    /// The folders that the editor has open.
    pub folders: Vec<PathBuf>,
    /// Whether the editor tells what changes on disk, once asked.
    pub watches: bool,
    /// Whether edits may name the version of the document that they are meant for.
    pub versioned_edits: bool,
    /// Whether quick fixes may be edits; an editor before that knew only commands.
    pub quick_fixes: bool,
}

impl Settings {
    /// What follows from the editor's offer.
    pub fn of(params: &InitializeParams) -> Self {
        let ClientCapabilities { workspace, text_document, general, .. } = &params.capabilities;
        let general = general.as_ref().and_then(|general| general.position_encodings.as_deref());
        let watched = workspace.as_ref().and_then(|workspace| workspace.did_change_watched_files);
        let edits = workspace.as_ref().and_then(|workspace| workspace.workspace_edit.as_ref());
        let actions = text_document.as_ref().and_then(|document| document.code_action.as_ref());
        Self {
            encoding: Encoding::negotiate(general.unwrap_or_default()),
            folders: folders(params),
            watches: watched.is_some_and(|watched| watched.dynamic_registration == Some(true)),
            versioned_edits: edits.is_some_and(|edits| edits.document_changes == Some(true)),
            quick_fixes: actions.is_some_and(|actions| actions.code_action_literal_support.is_some()),
        }
    }

    /// What the server can do for this editor.
    pub fn capabilities(&self) -> ServerCapabilities {
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            // Saves matter only to an editor that would not tell of the change on disk otherwise.
            save: (!self.watches).then_some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        };
        let actions = CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        };
        let folders = WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(OneOf::Left(true)),
        };
        ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            code_action_provider: self.quick_fixes.then_some(CodeActionProviderCapability::Options(actions)),
            workspace: Some(WorkspaceServerCapabilities {
                workspace_folders: Some(folders),
                ..WorkspaceServerCapabilities::default()
            }),
            ..ServerCapabilities::default()
        }
    }
}

fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let named = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let named: Vec<&Url> = named.collect();
    let addresses = if named.is_empty() { params.root_uri.iter().collect() } else { named };
    addresses.into_iter().filter_map(|uri| uri.to_file_path().ok()).collect()
}
