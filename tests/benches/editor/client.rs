//! A language server's editor, as far as a measurement needs one.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything may take before the measurement is given up.
const PATIENCE: Duration = Duration::from_mins(1);

/// Whether a server tells what is wrong by itself, or is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It tells.
    Push,
    /// It is asked.
    Pull,
}

/// A running server.
pub struct Client {
    process: Child,
    input: ChildStdin,
    inbox: Receiver<Value>,
    mode: Mode,
    requests: u64,
    /// How many things each edit has told it so far.
    version: i64,
    /// When it was started.
    pub started: Instant,
}

impl Client {
    /// Starts a server with a folder open.
    pub fn start(mut command: Command, folder: &Path, mode: Mode) -> Self {
        let started = Instant::now();
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = piped.current_dir(folder).spawn().expect("the server starts");
        let input = process.stdin.take().expect("it is piped");
        let output = process.stdout.take().expect("it is piped");
        let (sender, inbox) = mpsc::channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Self { process, input, inbox, mode, requests: 0, version: 0, started };
        client.initialize(folder);
        client
    }

    fn initialize(&mut self, folder: &Path) {
        let uri = uri(folder);
        let mut document = json!({ "publishDiagnostics": { "versionSupport": true }, "synchronization": { "didSave": true } });
        if self.mode == Mode::Pull {
            document["diagnostic"] = json!({ "dynamicRegistration": false });
        }
        let capabilities = json!({
            "workspace": { "workspaceFolders": true, "configuration": true },
            "textDocument": document,
            "general": { "positionEncodings": ["utf-16"] }
        });
        let folders = json!([{ "uri": uri, "name": "bench" }]);
        let params = json!({
            "processId": std::process::id(), "rootUri": uri, "workspaceFolders": folders, "capabilities": capabilities
        });
        self.ask("initialize", &params);
        self.tell("initialized", &json!({}));
    }

    /// Opens a document.
    pub fn open(&mut self, path: &Path, language: &str, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": language, "version": 0, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Puts another text in the place of a line.
    pub fn replace_line(&mut self, path: &Path, line: usize, before: &str, after: &str) {
        self.version += 1;
        let place = |character: usize| json!({ "line": line, "character": character });
        let change =
            json!({ "range": { "start": place(0), "end": place(before.chars().count()) }, "text": after });
        let document = json!({ "uri": uri(path), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        self.tell("textDocument/didChange", &params);
    }

    /// Waits until so many things are wrong in a document: as told by itself, or once it is asked.
    pub fn wait_for(&mut self, path: &Path, wanted: impl Fn(usize) -> bool) {
        let uri = uri(path);
        if self.mode == Mode::Pull {
            let answer = self.ask("textDocument/diagnostic", &json!({ "textDocument": { "uri": uri } }));
            let count = answer["items"].as_array().map_or(0, Vec::len);
            assert!(wanted(count), "{count} are wrong in {uri}");
            return;
        }
        loop {
            let message = self.receive();
            let told = message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri.as_str();
            let count = message["params"]["diagnostics"].as_array().map(Vec::len);
            if told && count.is_some_and(&wanted) {
                return;
            }
        }
    }

    /// The most memory that was resident so far, in KiB; Linux alone says so.
    pub fn peak_kib(&self) -> Option<u32> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        peak.split_whitespace().next()?.parse().ok()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message["result"].clone();
            }
        }
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let head = format!("Content-Length: {}\r\n\r\n", body.len());
        let sent =
            self.input.write_all(&[head, body].concat().into_bytes()).and_then(|()| self.input.flush());
        sent.expect("the server reads");
    }

    /// The next message; what the server asks is answered on the way.
    fn receive(&mut self) -> Value {
        let message = self.inbox.recv_timeout(PATIENCE).expect("the server says something within a minute");
        if message.get("method").is_some()
            && let Some(id) = message.get("id")
        {
            let items = message["params"]["items"].as_array().map(Vec::len);
            let result = items.map_or(Value::Null, |items| json!(vec![Value::Null; items]));
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
        }
        message
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It has nothing to lose; a server that ended by itself is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn uri(path: &Path) -> String {
    let path: PathBuf = path.to_owned();
    format!("file://{}", path.display())
}

/// The next message of a server; `None` at its end.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().ok(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length?];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
