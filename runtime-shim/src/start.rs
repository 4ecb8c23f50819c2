//! From a plan to a running app: everything that is wrong with it is named at once, before anything starts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use crate::app::App;
use crate::batch::BatchRuns;
use crate::call::Connection;
use crate::engine::Engine;
use crate::host::{BoxFuture, SharedHost};
use crate::instance;
use crate::kept_in;
use crate::limits;
use crate::listening::{self, Listening};
use crate::notes::Notes;
use crate::open_store::OpenStore;
use crate::plan::{Deployable, Plan};
use crate::poll::{self, PollTask};
use crate::reached;
use crate::route::Routes;
use crate::schedule::{self, ScheduleTask};
use crate::settings;
use crate::shared_clock::SharedClock;
use crate::status::{Tally, Waits};
use crate::stop::Stop;
use crate::store::{self, KeptIn, Runs, StoreError, ToOpen};
use crate::tasks::Tasks;
use crate::watched::Watched;

/// What the program that runs an app gives it.
pub struct Surroundings {
    /// Time, sleep, network, chance and tasks.
    pub host: SharedHost,
    /// Where the work of its stores is done.
    pub stores: Runs,
    /// The time that the host gives one invocation, ms.
    pub budget_ms: u64,
    /// How long a store's lock that another process holds is waited for, ms.
    pub busy_ms: u64,
    /// What asks the app to end; it may be asked before the app has started.
    pub stop: Stop,
}

impl Surroundings {
    /// A host with the ordinary limits, and a thread for what a store writes and for what it reads.
    pub fn new(host: SharedHost) -> Surroundings {
        Surroundings {
            host,
            stores: Runs::OnThreads,
            budget_ms: limits::RUN_MS_MAX,
            busy_ms: limits::SQLITE_BUSY_MS,
            stop: Stop::default(),
        }
    }

    /// The same for a virtual host, whose runs must come out the same each time: no thread races another.
    pub fn in_order(host: SharedHost) -> Surroundings {
        Surroundings { stores: Runs::InOrder, ..Surroundings::new(host) }
    }
}

/// Why an app did not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The plan or the settings can't be taken; each text says one thing that is wrong.
    Plan(Vec<String>),
    /// Stores that could not be opened.
    Stores(Vec<StoreError>),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = match self {
            StartError::Plan(problems) => problems.clone(),
            StartError::Stores(errors) => errors.iter().map(ToString::to_string).collect(),
        };
        f.write_str(&texts.join("\n"))
    }
}

impl std::error::Error for StartError {}

/// An app that is ready to be served.
pub struct Ready {
    /// The name of the deployable.
    pub deployable: String,
    /// What everything that runs shares.
    pub engine: Arc<Engine>,
    /// The polls that its ticks make.
    pub polls: Vec<PollTask>,
    /// The schedules that its ticks run.
    pub schedules: Vec<ScheduleTask>,
    /// The routes that its server answers.
    pub routes: Arc<Routes>,
    /// Where that listens; `None`: it answers nobody.
    pub listening: Option<Listening>,
    /// What the host runs beside it until the stop, as its server.
    pub beside: Vec<BoxFuture<'static, ()>>,
}

/// Reads the plan, resolves the settings and opens the stores.
pub fn start(app: App, surroundings: &Surroundings) -> Result<Ready, StartError> {
    let plan = Plan::read(&app.plan_json).map_err(|error| StartError::Plan(vec![error.to_string()]))?;
    let plan = Arc::new(plan);
    let deployable = plan.deployables.get(&app.deployable).cloned();
    let deployable = deployable
        .ok_or_else(|| StartError::Plan(vec![format!("the plan has no deployable {:?}", app.deployable)]))?;
    let mut problems = wrong_with(&plan, &deployable, &app);
    let polls = poll::tasks(&plan, &deployable).map_err(|problem| problems.push(problem)).unwrap_or_default();
    let schedules =
        schedule::tasks(&plan, &deployable).map_err(|problem| problems.push(problem)).unwrap_or_default();
    let reached = reached::connections(&plan, &deployable);
    let settings = settings::resolve(&plan, &reached, &|name| app.environment(name));
    let settings = match settings {
        Ok(settings) => settings,
        Err(error) => {
            problems.extend(error.problems.iter().map(ToString::to_string));
            BTreeMap::new()
        }
    };
    let mut kept = BTreeMap::new();
    for name in needed_stores(&plan, &deployable, &polls) {
        match kept_in::resolve(&plan, name, &app) {
            Ok(at) => drop(kept.insert(name.to_owned(), at)),
            Err(problem) => problems.push(problem),
        }
    }
    let environment = |name: &str| app.environment(name);
    let routes = Routes::open(&plan, &deployable, &environment);
    let listening = deployable.host.as_ref().map(|host| listening::resolve(host, &environment)).transpose();
    let routes = routes.map_err(|wrong| problems.extend(wrong)).ok();
    let listening = listening.map_err(|wrong| problems.push(wrong)).ok();
    let (Some(routes), Some(listening), true) = (routes, listening, problems.is_empty()) else {
        return Err(StartError::Plan(problems));
    };
    let stores = open_stores(kept, &app, surroundings)?;
    let connections = settings.into_iter().filter_map(|(name, settings)| {
        let connection = Connection::open(&name, &plan, settings, surroundings.host.clone())?;
        Some((name, connection))
    });
    let engine = Engine {
        connections: Arc::new(connections.collect()),
        plan,
        deployable,
        host: surroundings.host.clone(),
        dispatch: app.dispatch,
        stores,
        instance: instance::new_id(&*surroundings.host),
        budget_ms: surroundings.budget_ms,
        clock: SharedClock::default(),
        notes: Notes::default(),
        watched: Watched::default(),
        runs: BatchRuns::default(),
        stop: surroundings.stop.clone(),
        tasks: Tasks::default(),
        tally: Tally::default(),
        waits: Waits::default(),
    };
    Ok(Ready {
        deployable: app.deployable,
        engine: Arc::new(engine),
        polls,
        schedules,
        routes: Arc::new(routes),
        listening,
        beside: Vec::new(),
    })
}

/// What a compiler never writes, and what would make a loop that can't run or can't sleep.
fn wrong_with(plan: &Plan, deployable: &Deployable, app: &App) -> Vec<String> {
    let mut problems = Vec::new();
    if deployable.host.is_none() && !deployable.routes.is_empty() {
        problems.push("the deployable has routes and no address to serve them at".to_owned());
    }
    // A program that ran on without the port that it was told to open would only seem to be under control.
    if let Some(control) = deployable.host.as_ref().and_then(|host| host.control.as_ref()) {
        problems.push(format!(
            "the control port {control} can't be opened: this version has none; take `control:` out of `host:`"
        ));
    }
    let runner = &deployable.runner;
    if runner.workers == 0 {
        problems.push("the runner has no workers".to_owned());
    }
    let sleeps = [runner.at_capacity_poll_interval_ms, runner.at_capacity_heartbeat_ms];
    if sleeps == [0, 0] {
        problems
            .push("the runner turns both sleeps at capacity off, so a full loop could not sleep".to_owned());
    }
    for sleep_ms in sleeps.into_iter().filter(|sleep_ms| (1..limits::LOOKS_APART_MS_MIN).contains(sleep_ms)) {
        problems.push(format!(
            "the runner sleeps {sleep_ms} ms at capacity, less than {}",
            limits::LOOKS_APART_MS_MIN
        ));
    }
    let longest_ms = sleeps.into_iter().chain([runner.backoff_max_ms]).max().unwrap_or(0);
    if runner.sleep_detection_ms <= longest_ms {
        problems
            .push(format!("the runner's sleep detection is not above its longest sleep, {longest_ms} ms"));
    }
    for name in &deployable.subscribers {
        match plan.subscribers.get(name) {
            None => problems.push(format!("the plan has no subscriber {name}")),
            Some(subscriber) if !plan.stores.contains_key(&subscriber.store) => {
                problems
                    .push(format!("the plan has no store {} for the subscriber {name}", subscriber.store));
            }
            Some(_) => {}
        }
    }
    problems.extend(reached::wrong_with(plan, deployable));
    let named = app.prepare.iter().map(|(store, _)| store).chain(app.files.keys()).chain(&app.synced);
    let unknown: BTreeSet<&String> = named.filter(|store| !plan.stores.contains_key(*store)).collect();
    problems.extend(
        unknown.into_iter().map(|store| format!("the app names a store {store} that its plan has not")),
    );
    problems
}

/// The stores that the deployable needs.
fn needed_stores<'a>(plan: &'a Plan, deployable: &'a Deployable, polls: &'a [PollTask]) -> BTreeSet<&'a str> {
    let mut needed: BTreeSet<&str> = polls.iter().map(|task| task.store.as_str()).collect();
    needed.extend(reached::written(plan, deployable));
    needed.extend(reached::heard(plan, deployable));
    needed
}

/// Opens the stores that are needed; all that fail are named.
fn open_stores(
    kept: BTreeMap<String, KeptIn>,
    app: &App,
    surroundings: &Surroundings,
) -> Result<BTreeMap<String, OpenStore>, StartError> {
    let mut stores = BTreeMap::new();
    let mut errors = Vec::new();
    for (name, kept_in) in kept {
        let own = app.prepare.iter().filter(|(store, _)| *store == name);
        let to_open = ToOpen {
            name: name.clone(),
            kept_in,
            prepare: own.map(|(_, sql)| sql.clone()).collect(),
            busy_ms: surroundings.busy_ms,
            sync_each_commit: app.synced.contains(&name),
            runs: surroundings.stores,
        };
        match store::open(to_open) {
            Ok(store) => {
                stores.insert(name.clone(), OpenStore::new(name, store));
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(stores) } else { Err(StartError::Stores(errors)) }
}
