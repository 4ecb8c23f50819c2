//! The requests that the server answers, and what it asks of the editor once the session has begun.

use std::sync::OnceLock;

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::notification::{DidChangeWatchedFiles, Notification as _};
use tower_lsp::lsp_types::{
    CodeActionParams, CodeActionResponse, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher,
    GlobPattern, InitializeParams, InitializeResult, InitializedParams, MessageType, Registration,
    ServerInfo,
};
use tower_lsp::{Client, LanguageServer};

use crate::requests::{self, code_action};
use crate::settings::Settings;
use crate::state::World;

/// Which files the server wants to hear of.
const WATCHED: &str = "**/*.jadpo";

/// The accepted surfaces of packages.
const SURFACES: &str = "**/surface.json";

/// Answers requests from snapshots of the world.
#[derive(Debug)]
pub struct Server {
    client: Client,
    world: World,
    /// Set by `initialize`.
    settings: OnceLock<Settings>,
}

impl Server {
    /// A server whose session has not begun.
    pub fn new(client: Client, world: World) -> Self {
        Self { client, world, settings: OnceLock::new() }
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let settings = self.settings.get_or_init(|| Settings::of(&params)).clone();
        let capabilities = settings.capabilities();
        if !self.world.begin(settings) {
            return Err(Error::internal_error());
        }
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        Ok(InitializeResult {
            capabilities,
            server_info: Some(ServerInfo { name: "jadpo".to_owned(), version }),
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        if self.settings.get().is_some_and(|settings| settings.watches) {
            // A handler that waits for the editor can block the editor's own messages for good.
            tokio::spawn(watch(self.client.clone()));
        }
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri.clone();
        requests::read(&self.world, uri, move |reading| code_action::answer(reading, &params)).await.map(Some)
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }
}

/// Asks the editor to tell what changes on disk.
async fn watch(client: Client) {
    let watcher =
        |glob: &str| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.to_owned()), kind: None };
    let options =
        DidChangeWatchedFilesRegistrationOptions { watchers: vec![watcher(WATCHED), watcher(SURFACES)] };
    let registration = Registration {
        id: WATCHED.to_owned(),
        method: DidChangeWatchedFiles::METHOD.to_owned(),
        register_options: serde_json::to_value(options).ok(),
    };
    if let Err(error) = client.register_capability(vec![registration]).await {
        let text = format!("changes outside of the editor won't be seen: {error}");
        client.log_message(MessageType::WARNING, text).await;
    }
}
