//! What of an app a change of a package hits.

use std::collections::{BTreeSet, HashMap};

use jadpo_syntax::tree::Keyword;

use super::diff::Change;
use super::entry::Surface;
use super::spot::Spot;
use super::table::{Class, Kind};
use super::travel::{self, Root};
use super::users::{Action, Subscriber, named_by};
use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::model::TypeRef;
use crate::signature::{TypeSignature, connection_signature, package_name, type_signature};
use crate::walk::App;

/// Parts of an app, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Connections.
    pub connections: BTreeSet<String>,
    /// Polls that run, as `connection.poll`.
    pub polls: BTreeSet<String>,
    /// Subscribers.
    pub subscribers: BTreeSet<String>,
    /// Actions.
    pub actions: BTreeSet<String>,
    /// The app's own types that hold a type of the package.
    pub types: BTreeSet<String>,
    /// Those of them, or that hold one of them, whose values stores keep, and may then be unable to read.
    pub kept: BTreeSet<String>,
}

impl Hits {
    /// Takes over all of another.
    pub fn extend(&mut self, other: &Self) {
        self.connections.extend(other.connections.iter().cloned());
        self.polls.extend(other.polls.iter().cloned());
        self.subscribers.extend(other.subscribers.iter().cloned());
        self.actions.extend(other.actions.iter().cloned());
        self.types.extend(other.types.iter().cloned());
        self.kept.extend(other.kept.iter().cloned());
    }

    /// What is here and not in another.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let rest = |all: &BTreeSet<String>, some: &BTreeSet<String>| all.difference(some).cloned().collect();
        Self {
            connections: rest(&self.connections, &other.connections),
            polls: rest(&self.polls, &other.polls),
            subscribers: rest(&self.subscribers, &other.subscribers),
            actions: rest(&self.actions, &other.actions),
            types: rest(&self.types, &other.types),
            kept: rest(&self.kept, &other.kept),
        }
    }
}

/// An app's view of one package.
pub struct Users<'db, 's> {
    db: &'db dyn Db,
    old: &'s Surface,
    new: Option<&'s Surface>,
    connections: Vec<DeclSrc<'db>>,
    subscribers: Vec<Subscriber<'db>>,
    actions: Vec<Action<'db>>,
    types: Vec<DeclSrc<'db>>,
    roots: HashMap<&'s str, Vec<Root<'s>>>,
}

impl<'db, 's> Users<'db, 's> {
    /// The users of the package whose surface was `old` and is `new`.
    pub fn new(db: &'db dyn Db, app: Scope, old: &'s Surface, new: Option<&'s Surface>) -> Self {
        let app = App(app);
        let to_package = |decl: &DeclSrc<'db>| package_name(db, *decl) == Some(&*old.package);
        Self {
            db,
            old,
            new,
            connections: app.declared(db, Keyword::Connection).filter(to_package).collect(),
            subscribers: app.declared(db, Keyword::Subscriber).map(|decl| Subscriber::of(db, decl)).collect(),
            actions: app.declared(db, Keyword::Action).map(|decl| Action::of(db, decl)).collect(),
            types: app.declared(db, Keyword::Type).collect(),
            roots: travel::roots(old),
        }
    }

    /// All that uses the package at all.
    pub fn all(&self) -> Hits {
        let mut hits = Hits::default();
        for connection in &self.connections {
            let name = connection.name_text(self.db);
            hits.connections.insert(name.to_owned());
            for (poll, known) in &self.old.provider.polls {
                if self.subscribers.iter().any(|subscriber| self.hears(subscriber, &known.emits, name)) {
                    hits.polls.insert(format!("{name}.{poll}"));
                }
            }
            for subscriber in &self.subscribers {
                if self.listens(subscriber, name) || subscriber.calls(name, self.listens(subscriber, name)) {
                    hits.subscribers.insert(subscriber.name.to_owned());
                }
            }
            hits.actions.extend(self.calling(name));
        }
        hits.types = self.holders(&|_| true);
        hits.actions.extend(self.answering(&|_| true, &hits.types));
        hits
    }

    /// What a change hits: of an addition, the code that the compiler may then refuse, and what the app keeps.
    pub fn hit(&self, change: &Change) -> Hits {
        let mut hits = Hits::default();
        let Some(spot) = change.old.as_ref().or(change.new.as_ref()) else { return hits };
        let concerned = self.concerned(spot, change.kind);
        if change.class != Class::Addition {
            hits = concerned;
        } else if !change.rust().is_empty() {
            (hits.subscribers, hits.actions) = (concerned.subscribers, concerned.actions);
        }
        if let (Spot::Type(name) | Spot::Field { of: name, .. } | Spot::Variant { of: name, .. }, true) =
            (spot, change.kind.row().means.kept == Some(Class::Breaking))
        {
            hits.kept = self.keepers(name);
            hits.types.extend(hits.kept.iter().cloned());
        }
        hits
    }

    /// What a change of this kind there concerns.
    fn concerned(&self, spot: &Spot, kind: Kind) -> Hits {
        let mut hits = Hits::default();
        match spot {
            Spot::Package(_) => return self.all(),
            Spot::Auth => self.connect(&mut hits, |_| true),
            Spot::MaxConcurrent => {
                let cap = self.new.and_then(|new| new.provider.max_concurrent);
                self.connect(&mut hits, |connection| {
                    connection_signature(self.db, connection).max_concurrent > cap
                });
            }
            Spot::Poll(name) => self.poll(name, kind, &mut hits),
            Spot::Setting(name) => self.setting(name, kind, &mut hits),
            Spot::Operation(name) | Spot::Decode(name) | Spot::Input(name) | Spot::Output(name) => {
                self.reach(Root::Operation(name), &mut hits);
            }
            Spot::Type(name) | Spot::Field { of: name, .. } | Spot::Variant { of: name, .. } => {
                for root in self.roots.get(name.as_str()).into_iter().flatten() {
                    self.reach(*root, &mut hits);
                }
                let holds = |held: &BTreeSet<&str>| held.contains(name.as_str());
                hits.types = self.holders(&holds);
                hits.actions.extend(self.answering(&holds, &hits.types));
            }
        }
        hits
    }

    /// The actions whose code may call through a connection.
    fn calling(&self, connection: &str) -> impl Iterator<Item = String> {
        self.actions
            .iter()
            .filter(move |action| action.calls(connection))
            .map(|action| action.name.to_owned())
    }

    /// The actions that take or answer types of the package which reach what is wanted, or types of the app that hold it.
    fn answering(
        &self,
        wanted: &dyn Fn(&BTreeSet<&str>) -> bool,
        holders: &BTreeSet<String>,
    ) -> impl Iterator<Item = String> {
        let answering = self.actions.iter().filter(move |action| {
            let of_app = action.types.iter().any(|ty| ty.package.is_none() && holders.contains(&ty.name));
            of_app || self.names_wanted(&action.types, wanted)
        });
        answering.map(|action| action.name.to_owned())
    }

    /// The connections for which `wanted` holds.
    fn connect(&self, hits: &mut Hits, wanted: impl Fn(DeclSrc<'db>) -> bool) {
        let found = self.connections.iter().filter(|connection| wanted(**connection));
        hits.connections.extend(found.map(|connection| connection.name_text(self.db).to_owned()));
    }

    fn poll(&self, poll: &str, kind: Kind, hits: &mut Hits) {
        let Some(known) = self.old.provider.polls.get(poll) else { return };
        for connection in &self.connections {
            let name = connection.name_text(self.db);
            let intervals = &connection_signature(self.db, *connection).intervals;
            let own = intervals.iter().any(|(own, _)| &**own == poll);
            let hearing: Vec<_> =
                self.subscribers.iter().filter(|it| self.hears(it, &known.emits, name)).collect();
            if kind == Kind::PollEveryChanged {
                if !own && !hearing.is_empty() {
                    hits.polls.insert(format!("{name}.{poll}"));
                }
                continue;
            }
            if own {
                hits.connections.insert(name.to_owned());
            }
            if !hearing.is_empty() {
                hits.polls.insert(format!("{name}.{poll}"));
                hits.subscribers.extend(hearing.iter().map(|subscriber| subscriber.name.to_owned()));
            }
        }
    }

    fn setting(&self, setting: &str, kind: Kind, hits: &mut Hits) {
        let missed =
            matches!(kind, Kind::FieldAddedRequired | Kind::PresenceTightened | Kind::DefaultChanged);
        self.connect(hits, |connection| {
            let fields = connection.fields(self.db);
            let given = fields.is_some_and(|fields| {
                fields.open_entries("settings").iter().any(|entry| &*entry.key.text == setting)
            });
            given != missed
        });
    }

    /// What an operation, an event or a setting reaches.
    fn reach(&self, root: Root<'_>, hits: &mut Hits) {
        match root {
            Root::Setting(setting) => self.setting(setting, Kind::TypeChanged, hits),
            Root::Operation(_) => {
                for connection in &self.connections {
                    let name = connection.name_text(self.db);
                    let calling = self.subscribers.iter().filter(|it| it.calls(name, self.listens(it, name)));
                    let calling: Vec<_> = calling.map(|subscriber| subscriber.name.to_owned()).collect();
                    let acting: Vec<_> = self.calling(name).collect();
                    if !calling.is_empty() || !acting.is_empty() {
                        hits.connections.insert(name.to_owned());
                    }
                    hits.subscribers.extend(calling);
                    hits.actions.extend(acting);
                }
            }
            Root::Event(event) => {
                for connection in &self.connections {
                    let name = connection.name_text(self.db);
                    let hearing: Vec<_> =
                        self.subscribers.iter().filter(|it| self.hears(it, event, name)).collect();
                    if hearing.is_empty() {
                        continue;
                    }
                    hits.connections.insert(name.to_owned());
                    hits.subscribers.extend(hearing.iter().map(|subscriber| subscriber.name.to_owned()));
                    let polls = self.old.provider.polls.iter().filter(|(_, poll)| poll.emits == event);
                    hits.polls.extend(polls.map(|(poll, _)| format!("{name}.{poll}")));
                }
            }
        }
    }

    /// Whether a subscriber hears an event of the package through a connection.
    fn hears(&self, subscriber: &Subscriber<'db>, event: &str, connection: &str) -> bool {
        let is_it = |on: &TypeRef| on.name == event && on.package.as_ref() == Some(&self.old.package);
        subscriber.on.iter().any(is_it) && subscriber.takes(connection)
    }

    /// Whether a subscriber hears anything of the package through a connection.
    fn listens(&self, subscriber: &Subscriber<'db>, connection: &str) -> bool {
        let is_it = |on: &TypeRef| on.package.as_ref() == Some(&self.old.package);
        subscriber.on.iter().any(is_it) && subscriber.takes(connection)
    }

    /// The app's types that name types of the package which reach what is wanted.
    fn holders(&self, wanted: &dyn Fn(&BTreeSet<&str>) -> bool) -> BTreeSet<String> {
        let holders = self.types.iter().filter(|decl| self.names_wanted(&named_by(self.db, **decl), wanted));
        holders.map(|decl| decl.name_text(self.db).to_owned()).collect()
    }

    /// Whether some of these types are the package's and reach what is wanted.
    fn names_wanted(&self, named: &[&TypeRef], wanted: &dyn Fn(&BTreeSet<&str>) -> bool) -> bool {
        let of_package = named.iter().filter(|named| named.package.as_ref() == Some(&self.old.package));
        let names: Vec<_> = of_package.map(|named| &*named.name).collect();
        !names.is_empty() && wanted(&travel::reached(self.old, names))
    }

    /// The app's events whose values hold a type of the package, through the app's own types too.
    fn keepers(&self, name: &str) -> BTreeSet<String> {
        let mut holding = self.holders(&|held: &BTreeSet<&str>| held.contains(name));
        let mut before = 0;
        while holding.len() > before {
            before = holding.len();
            for decl in &self.types {
                let named = named_by(self.db, *decl);
                if named.iter().any(|named| named.package.is_none() && holding.contains(&named.name)) {
                    holding.insert(decl.name_text(self.db).to_owned());
                }
            }
        }
        let is_event =
            |decl: &&DeclSrc<'db>| matches!(type_signature(self.db, **decl), TypeSignature::Event { .. });
        let events = self.types.iter().filter(is_event).map(|decl| decl.name_text(self.db));
        events.filter(|event| holding.contains(*event)).map(str::to_owned).collect()
    }
}
