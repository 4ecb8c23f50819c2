//! A connection: the way to one provider that all calls through it share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use event_listener::{Event, EventListener};

use crate::codec::Wire;
use crate::codec::interpret::Value;
use crate::host::{BoxFuture, HttpResponse, SharedHost};
use crate::plan::{self, Plan};
use crate::settings::Settings;

use super::answer::Answer;
use super::attempt::{self, Failed};
use super::error::{CallError, CallErrorKind};
use super::input::Input;
use super::request;
use super::retry_after::Asked;
use super::secrets::Secrets;
use super::slots::{Owner, SlotFacts, Slots};

/// A connection of the app; clones share its slots and what its provider asked for.
#[derive(Clone)]
pub struct Connection {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) name: String,
    pub(super) plan: Arc<Plan>,
    /// A key of the plan's packages.
    package: String,
    pub(super) settings: Settings,
    pub(super) secrets: Arc<Secrets>,
    pub(super) slots: Slots,
    pub(super) asked: Asked,
    pub(super) host: SharedHost,
}

/// How a call behaves where all slots are out.
#[derive(Clone)]
pub enum Turn {
    /// It waits for one, behind those that already wait.
    Wait,
    /// It is a delivery's: it has the delivery given back and never returns, unless all slots are held by this delivery.
    Delivery(DeliveryTurn),
    /// Nothing is called: a transaction is open, and others wait for what it locks.
    InTransaction,
}

/// A delivery's turn at the slots, shared by all its calls.
#[derive(Clone)]
pub struct DeliveryTurn {
    pub(super) owner: Owner,
    asked: Arc<GiveBackAsked>,
}

/// Tells whoever runs a delivery that it is to be given back.
pub struct GiveBack {
    asked: Arc<GiveBackAsked>,
}

#[derive(Default)]
struct GiveBackAsked {
    /// The connection whose slots were all out.
    connection: Mutex<Option<String>>,
    changed: Event,
}

/// A call of a generated client, under way once it is awaited. One type for all of them: rustc takes longer to check an
/// `async fn` than the types that it names.
pub type Calling<'a, T> = BoxFuture<'a, Result<T, CallError>>;

/// A connection and whose turn it is, as a subscriber's context hands it out.
#[derive(Clone)]
pub struct CallHandle<'a> {
    connection: &'a Connection,
    turn: &'a Turn,
}

impl Connection {
    /// Opens a connection of the plan. `None` where the plan has no connection of this name, or not its package.
    pub fn open(name: &str, plan: &Arc<Plan>, settings: Settings, host: SharedHost) -> Option<Self> {
        let connection = plan.connections.get(name)?;
        let package = plan.packages.get(&connection.package)?;
        let inner = Inner {
            name: name.to_owned(),
            package: connection.package.clone(),
            plan: Arc::clone(plan),
            secrets: Arc::new(settings.secrets(package)),
            settings,
            slots: Slots::new(connection.max_concurrent),
            asked: Asked::default(),
            host,
        };
        Some(Self { inner: Arc::new(inner) })
    }

    /// Its name in the app.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Its slots, as they are now.
    pub fn slots(&self) -> SlotFacts {
        self.inner.slots.facts()
    }

    /// Until when its provider asked to be left alone, in milliseconds since the epoch.
    pub fn asked_to_wait_until_ms(&self) -> Option<i64> {
        self.inner.asked.standing(&*self.inner.host).map(|until| until.wall_ms)
    }

    /// Hears the next slot that comes free. Listen first, then look at [`Connection::slots`].
    pub fn slot_freed(&self) -> EventListener {
        self.inner.slots.listen()
    }

    /// Calls an operation; `input` is canonical JSON.
    pub async fn call(&self, operation: &str, input: Option<&str>, turn: Turn) -> Result<Answer, CallError> {
        let call = Call { inner: &self.inner, operation };
        if let Turn::InTransaction = turn {
            return Err(call.error(0, CallErrorKind::InTransaction));
        }
        let Some(declared) = call.package().operations.get(operation) else {
            return Err(call.error(0, CallErrorKind::Input("the package has no such operation".to_owned())));
        };
        let input = call.read_input(declared, input).map_err(|kind| call.error(0, kind))?;
        let request = request::build(&self.inner, call.package(), declared, input.as_ref())
            .map_err(|why| call.error(0, CallErrorKind::Input(self.inner.secrets.cut(&why))))?;
        let (attempts, outcome) = attempt::run_all(&call, declared, &request, &turn).await;
        let answer = outcome.map_err(|Failed(kind)| call.error(attempts, kind))?;
        Ok(call.answer(declared, attempts, answer))
    }

    /// Calls an operation without input and reads its output by the plan's shapes, as polls do.
    pub async fn read(&self, operation: &str) -> Result<Value, CallError> {
        let answer = self.call(operation, None, Turn::Wait).await?;
        let call = Call { inner: &self.inner, operation };
        let declared = call.package().operations.get(operation);
        match declared.and_then(|declared| declared.output.as_ref()) {
            Some(shape) => answer.read(&self.inner.plan.types, shape),
            None => Err(call.error(1, CallErrorKind::Input("the operation has no output".to_owned()))),
        }
    }
}

/// One call: its connection and the operation's name.
pub(super) struct Call<'a> {
    pub(super) inner: &'a Inner,
    pub(super) operation: &'a str,
}

impl Call<'_> {
    pub(super) fn package(&self) -> &plan::Package {
        self.inner
            .plan
            .packages
            .get(&self.inner.package)
            .expect("opening checked that the package is in the plan")
    }

    fn error(&self, attempts: u32, kind: CallErrorKind) -> CallError {
        CallError {
            connection: self.inner.name.clone(),
            operation: self.operation.to_owned(),
            attempts,
            kind,
        }
    }

    fn read_input(
        &self,
        declared: &plan::Operation,
        input: Option<&str>,
    ) -> Result<Option<Input>, CallErrorKind> {
        let secrets = &self.inner.secrets;
        match (&declared.input, input) {
            (None, _) => Ok(None),
            (Some(_), None) => Err(CallErrorKind::Input("the operation takes an input".to_owned())),
            (Some(name), Some(text)) => Input::read(&self.inner.plan, name, text)
                .map(Some)
                .map_err(|error| CallErrorKind::Input(secrets.cut_problems(error).to_string())),
        }
    }

    fn answer(&self, declared: &plan::Operation, attempts: u32, response: HttpResponse) -> Answer {
        Answer {
            connection: self.inner.name.clone(),
            operation: self.operation.to_owned(),
            attempts,
            at: declared.at.clone(),
            response,
            secrets: Arc::clone(&self.inner.secrets),
        }
    }
}

impl DeliveryTurn {
    /// A turn, and what tells that the delivery is to be given back.
    pub fn new() -> (Self, GiveBack) {
        let asked = Arc::new(GiveBackAsked::default());
        (Self { owner: Owner::unique(), asked: Arc::clone(&asked) }, GiveBack { asked })
    }

    /// Asks whoever runs the delivery to give it back. The first of its calls is the one that is told.
    pub(super) fn give_back(&self, connection: &str) {
        self.asked.lock().get_or_insert_with(|| connection.to_owned());
        self.asked.changed.notify(usize::MAX);
    }
}

impl GiveBack {
    /// Ends with the name of the connection whose slots were all out, once a call of the delivery found them so; such a call
    /// never returns, so the delivery's body is to be dropped then.
    pub async fn asked(&self) -> String {
        loop {
            let changed = self.asked.changed.listen();
            if let Some(connection) = self.asked.lock().clone() {
                return connection;
            }
            changed.await;
        }
    }
}

impl GiveBackAsked {
    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> CallHandle<'a> {
    /// Calls through `connection` in this turn.
    pub fn new(connection: &'a Connection, turn: &'a Turn) -> Self {
        Self { connection, turn }
    }

    /// The connection's name.
    pub fn name(&self) -> &str {
        self.connection.name()
    }

    /// Calls an operation; `input` is canonical JSON.
    pub async fn call(&self, operation: &str, input: Option<&str>) -> Result<Answer, CallError> {
        self.connection.call(operation, input, self.turn.clone()).await
    }

    /// Calls an operation and reads its answer.
    pub fn fetch<T: Wire + Send + 'a>(
        &self,
        operation: &'static str,
        input: Option<String>,
    ) -> Calling<'a, T> {
        let (connection, turn) = (self.connection, self.turn);
        Box::pin(async move { connection.call(operation, input.as_deref(), turn.clone()).await?.decode() })
    }

    /// Calls an operation whose answer says nothing.
    pub fn tell(&self, operation: &'static str, input: Option<String>) -> Calling<'a, ()> {
        let (connection, turn) = (self.connection, self.turn);
        Box::pin(async move { connection.call(operation, input.as_deref(), turn.clone()).await.map(|_| ()) })
    }
}
