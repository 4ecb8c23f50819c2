//! An editor that started `jadpo lsp` as a process of its own.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use jadpo_tests::binaries::binary;
use jadpo_tests::wait;
use serde_json::{Value, json};

/// The longest that any answer may take on a machine that does other things too.
const ANSWER_MAX: Duration = Duration::from_mins(1);

/// The editor's side of one session.
pub struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    requests: i64,
    /// The last diagnostics of each address.
    shown: BTreeMap<String, Vec<Value>>,
    /// Every version that diagnostics came for, with them, in order.
    pub history: BTreeMap<String, Vec<(i64, Vec<Value>)>>,
}

impl Editor {
    /// Starts a server and begins a session with a folder.
    #[track_caller]
    pub fn begin(folder: &Path, capabilities: &Value) -> Self {
        let mut editor = Self::start(folder);
        let folders = json!([{ "uri": uri(folder), "name": "folder" }]);
        let params = json!({ "capabilities": capabilities, "workspaceFolders": folders });
        let answer = editor.request("initialize", &params);
        assert!(answer["result"]["capabilities"].is_object(), "{answer}");
        editor.notify("initialized", &json!({}));
        editor
    }

    /// Starts a server and tells it nothing.
    #[track_caller]
    pub fn start(folder: &Path) -> Self {
        let mut command = Command::new(binary("jadpo", "jadpo"));
        command.arg("lsp").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let (message, messages) = mpsc::channel();
        thread::spawn(move || {
            while let Some(next) = read(&mut output) {
                if message.send(next).is_err() {
                    return;
                }
            }
        });
        let input = server.stdin.take();
        Self { server, input, messages, requests: 0, shown: BTreeMap::new(), history: BTreeMap::new() }
    }

    pub fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks and waits for the answer.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == json!(id) && message["method"].is_null() {
                return message;
            }
        }
    }

    pub fn open(&mut self, path: &Path, version: i64, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "jadpo", "version": version, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    pub fn change(&mut self, path: &Path, version: i64, changes: &[Value]) {
        let document = json!({ "uri": uri(path), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", &params);
    }

    /// Waits until diagnostics of this version of a file have come; whatever was checked before came before.
    #[track_caller]
    pub fn shown_at(&mut self, path: &Path, version: i64) -> Vec<Value> {
        while self.history.get(&uri(path)).and_then(|known| known.last()).is_none_or(|last| last.0 != version)
        {
            self.receive();
        }
        self.shown(path)
    }

    /// Waits until the diagnostics of a file are such.
    #[track_caller]
    pub fn shown_until(&mut self, path: &Path, wanted: impl Fn(&[Value]) -> bool) {
        while !wanted(&self.shown(path)) {
            self.receive();
        }
    }

    /// The last diagnostics of a file.
    pub fn shown(&self, path: &Path) -> Vec<Value> {
        self.shown.get(&uri(path)).cloned().unwrap_or_default()
    }

    /// Every address that something is shown for.
    pub fn addresses(&self) -> Vec<&str> {
        self.shown.iter().filter(|(_, list)| !list.is_empty()).map(|(uri, _)| uri.as_str()).collect()
    }

    /// Writes any bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Closes its input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Waits until the server has ended by itself.
    #[track_caller]
    pub fn exit(&mut self, limit: Duration) -> ExitStatus {
        wait::until(limit, "the end of the server", || self.server.try_wait().unwrap())
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    #[track_caller]
    fn receive(&mut self) -> Value {
        let message = match self.messages.recv_timeout(ANSWER_MAX) {
            Ok(message) => message,
            Err(error) => panic!("the server says nothing: {error}"),
        };
        if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let uri = params["uri"].as_str().unwrap().to_owned();
            let list = params["diagnostics"].as_array().unwrap().clone();
            if let Some(version) = params["version"].as_i64() {
                self.history.entry(uri.clone()).or_default().push((version, list.clone()));
            }
            self.shown.insert(uri, list);
        } else if message["method"] == "client/registerCapability" {
            let id = &message["id"];
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
        }
        message
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().strip_prefix("Content-Length: ") {
            Some(bytes) => length = bytes.parse().ok(),
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut body = Vec::new();
    output.take(length.unwrap()).read_to_end(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

/// The address of a path; those of the tests need no escapes.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
