//! What is to be said to the editor, and in which order: what is open before what isn't, the newest of each document alone.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;
use tower_lsp::Client;
use tower_lsp::lsp_types::{Diagnostic, MessageType, Url};

/// A message to the editor.
#[derive(Debug)]
pub enum Outgoing {
    /// What is shown of a document.
    Diagnostics(Url, Arc<Shown>),
    /// Something that a person should see now.
    Say(MessageType, String),
    /// Something for the log.
    Log(MessageType, String),
}

/// All that is wrong in a document; nothing when it is right again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// The document's version, if it is open.
    pub version: Option<i32>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl Shown {
    /// Whether it is what an editor that was told nothing takes for granted.
    pub fn is_nothing(&self) -> bool {
        self.version.is_none() && self.diagnostics.is_empty()
    }
}

/// Sends what the checks found, one after the other, so that an editor never sees an older answer after a newer one.
pub async fn send(client: Client, mut outgoing: UnboundedReceiver<Outgoing>) {
    let mut waiting = Waiting::default();
    while let Some(message) = outgoing.recv().await {
        waiting.take(message);
        loop {
            // An edit that comes while many documents are told of doesn't wait for the last of them.
            while let Ok(message) = outgoing.try_recv() {
                waiting.take(message);
            }
            match waiting.next() {
                Some(Outgoing::Diagnostics(uri, shown)) => {
                    client.publish_diagnostics(uri, shown.diagnostics.clone(), shown.version).await;
                }
                Some(Outgoing::Say(kind, text)) => client.show_message(kind, text).await,
                Some(Outgoing::Log(kind, text)) => client.log_message(kind, text).await,
                None => break,
            }
        }
    }
}

/// When a document's turn is: open ones first, then in the order of their coming.
type Turn = (bool, u64);

/// What has not been sent yet, and what the editor knows.
#[derive(Debug, Default)]
struct Waiting {
    said: VecDeque<Outgoing>,
    turns: BTreeMap<Turn, Url>,
    shown: HashMap<Url, (Turn, Arc<Shown>)>,
    known: HashMap<Url, Arc<Shown>>,
    count: u64,
}

impl Waiting {
    fn take(&mut self, message: Outgoing) {
        let (uri, shown) = match message {
            Outgoing::Diagnostics(uri, shown) => (uri, shown),
            message => return self.said.push_back(message),
        };
        let before = self.shown.remove(&uri).map(|(turn, _)| turn);
        if let Some(turn) = before {
            self.turns.remove(&turn);
        }
        let is_known = self.known.get(&uri).map_or_else(|| shown.is_nothing(), |known| *known == shown);
        if is_known {
            return;
        }
        self.count += 1;
        let is_closed = shown.version.is_none();
        // A document that is edited again and again keeps its turn.
        let turn = before.filter(|turn| turn.0 == is_closed).unwrap_or((is_closed, self.count));
        self.turns.insert(turn, uri.clone());
        self.shown.insert(uri, (turn, shown));
    }

    fn next(&mut self) -> Option<Outgoing> {
        if let Some(message) = self.said.pop_front() {
            return Some(message);
        }
        let (_, uri) = self.turns.pop_first()?;
        let (_, shown) = self.shown.remove(&uri)?;
        if shown.is_nothing() {
            self.known.remove(&uri);
        } else {
            self.known.insert(uri.clone(), shown.clone());
        }
        Some(Outgoing::Diagnostics(uri, shown))
    }
}

#[cfg(test)]
mod tests;
