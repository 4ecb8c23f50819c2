//! The route as a jadpo app serves it: its plan, its input and output in canonical JSON as generated code has them.

use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_runtime::codec::generated::object;
use jadpo_runtime::codec::{self, Form};
use jadpo_runtime::{App, BoxFuture, Context, Delivered, Dispatch, Failure, RunStep};

const APP: &str = r#"app desk { }
store main { engine: sqlite("desk.db") }
type Ask = Object { id: Int }
type Ticket = Object { id: Int  open: Bool }
action show { store: main  input: Ask  output: Ticket }
route show_ticket { method: GET  path: "/tickets/{input.id}"  run: show  auth: none }
deployable server { target: native  host: { listen: "127.0.0.1:0"  max_connections: 256 } }
"#;

struct Ask {
    id: i64,
}

struct Ticket {
    id: i64,
    open: bool,
}

object! { Ask { id } }
object! { Ticket { id, open } }

/// The code of the app.
struct Code;

impl Dispatch for Code {
    fn deliver<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    fn act<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        input: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            let ask: Ask = jadpo_runtime::dispatch::input(input)?;
            Ok(Some(codec::encode(&Ticket { id: ask.id, open: true }, Form::Canonical)))
        })
    }

    fn step<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async { Ok(None) })
    }
}

/// Serves until the process is ended.
pub fn run() {
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    let file = folder.path().join("desk.db").display().to_string();
    App::new(&plan(), "server", Code).store_file("main", file).run();
}

fn plan() -> String {
    let mut system = MemorySystem::new();
    system.write("/desk/app.jadpo", APP);
    let workspace = Workspace::open(Arc::new(system), Path::new("/desk"));
    let report = workspace.check();
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    let project = workspace.model().expect("a project without errors has a model");
    jadpo_codegen::generate(&project).files["plan.json"].clone()
}
