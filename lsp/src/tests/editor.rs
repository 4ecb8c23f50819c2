//! An editor that speaks the protocol over a pair of pipes.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::task::JoinHandle;

use super::disk::Disk;
use crate::serve_over;

/// How long a test may take before it counts as hanging.
const TEST_MAX: Duration = Duration::from_mins(5);

/// Runs a test on an executor of its own.
#[track_caller]
pub fn run<F: Future<Output = ()> + Send + 'static>(test: F) {
    let (done, finished) = mpsc::channel();
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        runtime.block_on(test);
        runtime.shutdown_background();
        done.send(()).unwrap();
    });
    match finished.recv_timeout(TEST_MAX) {
        Ok(()) => {}
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the test hangs"),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            std::panic::resume_unwind(thread.join().expect_err("a thread that says nothing has failed"))
        }
    }
}

/// An editor and the server that it started.
pub struct Editor {
    input: Option<DuplexStream>,
    output: Option<BufReader<DuplexStream>>,
    served: JoinHandle<bool>,
    requests: i64,
    /// The last diagnostics of each address.
    shown: BTreeMap<String, Value>,
    /// What each address was sent: its versions, in the order of their coming.
    pub versions: BTreeMap<String, Vec<i64>>,
    /// The server's other messages.
    pub said: Vec<Value>,
}

impl Editor {
    /// Starts a server and tells it nothing.
    pub fn start(disk: &Disk) -> Self {
        let (input, server_input) = tokio::io::duplex(1 << 16);
        let (server_output, output) = tokio::io::duplex(1 << 16);
        let served = tokio::spawn(serve_over(server_input, server_output, Arc::new(disk.clone())));
        Self {
            input: Some(input),
            output: Some(BufReader::new(output)),
            served,
            requests: 0,
            shown: BTreeMap::new(),
            versions: BTreeMap::new(),
            said: Vec::new(),
        }
    }

    /// Starts a server and begins a session with a folder and capabilities.
    pub async fn begin(disk: &Disk, folder: &str, capabilities: Value) -> Self {
        let mut editor = Self::start(disk);
        let folders = json!([{ "uri": uri(folder), "name": "folder" }]);
        editor
            .request("initialize", json!({ "capabilities": capabilities, "workspaceFolders": folders }))
            .await
            .unwrap();
        editor.notify("initialized", json!({})).await;
        editor
    }

    pub async fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    /// Asks and waits for the answer, or the error.
    pub async fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params).await;
        loop {
            let message = self.receive().await.expect("the server answers before it ends");
            if message["id"] == json!(id) && message["method"].is_null() {
                return if message["error"].is_null() {
                    Ok(message["result"].clone())
                } else {
                    Err(message["error"].clone())
                };
            }
        }
    }

    /// Asks and does not wait.
    pub async fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        id
    }

    pub async fn open(&mut self, path: &str, version: i64, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "jadpo", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    }

    pub async fn change(&mut self, path: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri(path), "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }))
            .await;
    }

    pub async fn close(&mut self, path: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(path) } })).await;
    }

    /// Tells of a change on disk: 1 a new file, 2 another text, 3 a file that is gone.
    pub async fn watched(&mut self, path: &str, kind: u32) {
        self.notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": [{ "uri": uri(path), "type": kind }] }),
        )
        .await;
    }

    /// The next diagnostics of a file, whatever their version.
    pub async fn next_shown(&mut self, path: &str) -> Vec<Value> {
        loop {
            let message = self.receive().await.expect("the server still serves");
            if message["params"]["uri"] == json!(uri(path))
                && message["method"] == "textDocument/publishDiagnostics"
            {
                return message["params"]["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    /// The diagnostics of a file at a version.
    pub async fn shown_at(&mut self, path: &str, version: i64) -> Vec<Value> {
        while self.versions.get(&uri(path)).and_then(|versions| versions.last()) != Some(&version) {
            self.receive().await.expect("the server still serves");
        }
        self.shown(path)
    }

    /// The last diagnostics of a file.
    pub fn shown(&self, path: &str) -> Vec<Value> {
        self.shown.get(&uri(path)).map_or_else(Vec::new, |list| list.as_array().unwrap().clone())
    }

    /// The codes of a file's diagnostics at a version.
    pub async fn codes_at(&mut self, path: &str, version: i64) -> Vec<String> {
        codes(&self.shown_at(path, version).await)
    }

    /// Closes the server's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Reads no more of what the server writes.
    pub fn close_output(&mut self) {
        self.output = None;
    }

    /// Reads until the server has closed its output, and whether it ended in good order.
    pub async fn end(mut self) -> (bool, Vec<Value>) {
        while self.output.is_some() && self.receive().await.is_some() {}
        (self.served.await.unwrap(), self.said)
    }

    /// Writes any bytes.
    pub async fn write(&mut self, bytes: &[u8]) {
        let Some(input) = &mut self.input else { return };
        // A server that has ended reads no more, which is for the test to find.
        let _ = input.write_all(bytes).await;
    }

    async fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await;
    }

    /// The next message, noted; `None` when the server has ended.
    async fn receive(&mut self) -> Option<Value> {
        let output = self.output.as_mut().unwrap();
        let mut length = None;
        loop {
            let mut line = String::new();
            if output.read_line(&mut line).await.unwrap() == 0 {
                return None;
            }
            match line.trim().strip_prefix("Content-Length: ") {
                Some(bytes) => length = bytes.parse().ok(),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length.unwrap()];
        output.read_exact(&mut body).await.unwrap();
        let message: Value = serde_json::from_slice(&body).unwrap();
        self.note(&message);
        Some(message)
    }

    fn note(&mut self, message: &Value) {
        if message["method"] != "textDocument/publishDiagnostics" {
            self.said.push(message.clone());
            return;
        }
        let params = &message["params"];
        let uri = params["uri"].as_str().unwrap().to_owned();
        if let Some(version) = params["version"].as_i64() {
            self.versions.entry(uri.clone()).or_default().push(version);
        }
        self.shown.insert(uri, params["diagnostics"].clone());
    }
}

pub fn uri(path: &str) -> String {
    format!("file://{path}")
}

pub fn codes(diagnostics: &[Value]) -> Vec<String> {
    diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().unwrap().to_owned()).collect()
}

/// An edit of the protocol.
pub fn edit(start: (usize, usize), end: (usize, usize), text: &str) -> Value {
    let at = |(line, character)| json!({ "line": line, "character": character });
    json!({ "range": { "start": at(start), "end": at(end) }, "text": text })
}
