//! An app of everything that ticks look for, of which nothing is due for half a day.

use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_runtime::{App, BoxFuture, Context, Delivered, Dispatch, Failure, RunStep};

use super::PLACE;

const APP: &str = r#"app quiet { }
store main { engine: ENGINE }
connection feed { package: board  settings: { port: env("FEED_PORT") } }
subscriber hear { on: board.BoardChanged }
action sweep { starts: [recount] }
batch recount { size: 10 }
schedule sweep_nightly { every: 12h  run: sweep }
deployable server { target: native  host: { listen: "127.0.0.1:0" } }
"#;

const PACKAGE: &str = r#"provider board {
    base_url: "http://127.0.0.1:{settings.port}"
    settings: { port: Int }
    polls: { board: { call: fetch_board  every: 12h  emits: BoardChanged } }
}
operation fetch_board { method: GET  path: "/v1/board"  output: Board }
type Board = Object { price: Int }
public type BoardChanged = Event { price: Int }
"#;

/// What keeps its store.
#[derive(Clone, Copy)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// It has nothing to do.
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
        _: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async { Ok(None) })
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

/// Runs until the process is ended.
pub fn run(engine: Engine) {
    let place = std::env::var(PLACE).expect("who starts it says where its store is");
    let app = match engine {
        Engine::Sqlite => App::new(&plan("sqlite(\"quiet.db\")"), "server", Code).store_file("main", place),
        Engine::Postgres => {
            App::new(&plan("postgres(env(\"DATABASE_URL\"))"), "server", Code).env("DATABASE_URL", place)
        }
    };
    app.run();
}

fn plan(engine: &str) -> String {
    let mut system = MemorySystem::new();
    system.write("/quiet/app.jadpo", APP.replace("ENGINE", engine).as_str());
    system.write("/quiet/packages/board/provider.jadpo", PACKAGE);
    let workspace = Workspace::open(Arc::new(system), Path::new("/quiet"));
    let report = workspace.check();
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    let project = workspace.model().expect("a project without errors has a model");
    jadpo_codegen::generate(&project).files["plan.json"].clone()
}
