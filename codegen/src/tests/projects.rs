//! Models by hand, as small as a case needs.

use std::collections::{BTreeMap, BTreeSet};

use jadpo_analysis::model::*;

pub const TEXT: Type = Type::Text(TextRule { min_length: None, max_length: None, pattern: None });
pub const INT: Type = Type::Int(RangeRule { min: None, max: None });
pub const DECIMAL: Type = Type::Decimal(RangeRule { min: None, max: None });
pub const INSTANT: Type = Type::Instant(InstantWire::Rfc3339);

/// `coinfeed` and `trading`, as the language page has them, with a little more of everything.
pub fn trading() -> Project {
    let fields = vec![field("btc", DECIMAL), field("eth", DECIMAL)];
    let answer = vec![field("btc", DECIMAL), field("eth", DECIMAL), field("fetched_at", INSTANT)];
    let mut coinfeed = package("coinfeed", "Spot prices of two coins.");
    coinfeed.types = types([
        public(event("PricesChanged", fields)),
        public(object("Prices", answer)),
        public(documented(
            "A day and a coin.",
            object("Day", vec![field("date", Type::Date), field("coin", named("coinfeed", "Symbol"))]),
        )),
        public(newtype(
            "Symbol",
            Type::Text(TextRule {
                min_length: Some(1),
                max_length: Some(12),
                pattern: Some("[A-Z]+".into()),
            }),
        )),
        public(texts("Side", &[("buy", Some("buy")), ("sell", Some("SELL")), ("unknown", None)])),
        object("Unreached", vec![field("a", TEXT)]),
    ]);
    coinfeed.operations = operations([
        Operation {
            public: true,
            output: Some(named("coinfeed", "Prices")),
            query: vec![("vs".into(), setting("currency"))],
            ..get("fetch_prices", "/v1/prices")
        },
        Operation {
            public: true,
            doc: "The prices of one day.".into(),
            input: Some(reference("coinfeed", "Day")),
            output: Some(named("coinfeed", "Prices")),
            query: vec![("date".into(), input("date")), ("coin".into(), input("coin"))],
            ..get("fetch_day", "/v1/day")
        },
        Operation { output: Some(named("coinfeed", "Unreached")), ..get("unused", "/v1/unused") },
    ]);
    coinfeed.provider.settings = vec![
        Setting { name: "api_key".into(), doc: String::new(), ty: Type::Secret, default_json: None },
        Setting {
            name: "currency".into(),
            doc: String::new(),
            ty: TEXT,
            default_json: Some("\"usd\"".into()),
        },
    ];
    coinfeed.provider.auth = Auth::Bearer(setting("api_key"));
    coinfeed.provider.max_concurrent = Some(8);
    let mut app = app("trading");
    app.types = types([documented("The two prices crossed.", event("Crossed", vec![field("at", INSTANT)]))]);
    app.connections = by_name([Connection {
        settings: BTreeMap::from([("api_key".into(), SettingSource::Env("COINFEED_KEY".into()))]),
        max_concurrent: Some(4),
        live_polls: vec![LivePoll {
            name: "prices".into(),
            operation: "fetch_prices".into(),
            every_ms: 600_000,
            event: reference("coinfeed", "PricesChanged"),
        }],
        ..connection("feed", "coinfeed")
    }]);
    app.subscribers = by_name([Subscriber {
        doc: "Keeps the newest quotes.".into(),
        emits: vec![own("Crossed")],
        ..subscriber("update_quotes", vec![reference("coinfeed", "PricesChanged")], "feed")
    }]);
    project(app, [coinfeed])
}

pub fn project<const N: usize>(mut app: App, packages: [Package; N]) -> Project {
    app.stores = by_name([Store {
        name: "main".into(),
        doc: String::new(),
        engines: BTreeMap::from([(Target::Native, Engine::Sqlite("data/app.db".into()))]),
        keep_ms: 2_592_000_000,
    }]);
    let runner = Runner {
        workers: 8,
        at_capacity_poll_interval_ms: 1000,
        at_capacity_heartbeat_ms: 10_000,
        backoff_initial_ms: 1000,
        backoff_max_ms: 60_000,
        sleep_detection_ms: 180_000,
    };
    let polls = app
        .connections
        .values()
        .flat_map(|c| c.live_polls.iter().map(|p| (c.name.clone(), p.name.clone())))
        .collect();
    app.deployables = by_name([Deployable {
        name: "server".into(),
        doc: String::new(),
        target: Target::Native,
        routes: Vec::new(),
        schedules: Vec::new(),
        batches: Vec::new(),
        host: None,
        subscribers: app.subscribers.keys().cloned().collect(),
        polls,
        runner,
    }]);
    Project { app, packages: by_name(packages) }
}

pub fn app(name: &str) -> App {
    App {
        name: name.into(),
        doc: String::new(),
        types: BTreeMap::new(),
        stores: BTreeMap::new(),
        connections: BTreeMap::new(),
        subscribers: BTreeMap::new(),
        actions: BTreeMap::new(),
        routes: BTreeMap::new(),
        schedules: BTreeMap::new(),
        batches: BTreeMap::new(),
        backfills: BTreeMap::new(),
        deployables: BTreeMap::new(),
    }
}

pub fn package(name: &str, doc: &str) -> Package {
    let provider = Provider {
        version: "1.2.0".into(),
        base_url: text("https://api.example"),
        settings: Vec::new(),
        auth: Auth::None,
        headers: Vec::new(),
        timeout_ms: 10_000,
        retry: Retry { attempts: 3, initial_ms: 200, max_ms: 5000 },
        max_response_bytes: 8 << 20,
        max_concurrent: None,
        polls: BTreeMap::new(),
    };
    Package {
        name: name.into(),
        doc: doc.into(),
        provider,
        operations: BTreeMap::new(),
        types: BTreeMap::new(),
    }
}

pub fn connection(name: &str, package: &str) -> Connection {
    Connection {
        name: name.into(),
        doc: String::new(),
        package: package.into(),
        settings: BTreeMap::new(),
        max_concurrent: None,
        live_polls: Vec::new(),
        events_store: Some("main".into()),
        keep_ms: 2_592_000_000,
        plain_http: false,
    }
}

/// A subscriber that hears `on` from one connection, which it may call too.
pub fn subscriber(name: &str, on: Vec<TypeRef>, through: &str) -> Subscriber {
    let retry = Retry { attempts: 8, initial_ms: 5000, max_ms: 600_000 };
    Subscriber {
        name: name.into(),
        doc: String::new(),
        on,
        from: vec![through.into()],
        uses: vec![through.into()],
        uses_origin: false,
        emits: Vec::new(),
        store: "main".into(),
        within_ms: 1_800_000,
        retry,
    }
}

/// An action that writes the only store.
pub fn action(name: &str) -> Action {
    Action {
        name: name.into(),
        doc: String::new(),
        public: false,
        store: "main".into(),
        input: None,
        output: None,
        emits: Vec::new(),
        uses: Vec::new(),
        starts: BTreeSet::new(),
    }
}

pub fn batch(name: &str, input: Option<TypeRef>) -> Batch {
    Batch { name: name.into(), doc: String::new(), store: "main".into(), input, size: 100 }
}

pub fn backfill(name: &str, record: TypeRef, field: &str) -> Backfill {
    Backfill {
        name: name.into(),
        doc: String::new(),
        store: "main".into(),
        record,
        field: field.into(),
        size: 100,
    }
}

pub fn get(name: &str, path: &str) -> Operation {
    Operation {
        name: name.into(),
        doc: String::new(),
        public: false,
        method: "GET".into(),
        path: text(path),
        input: None,
        query: Vec::new(),
        headers: Vec::new(),
        body_fields: Vec::new(),
        output: None,
        at: String::new(),
        decode: None,
        changes: false,
        idempotency_header: None,
        timeout_ms: 10_000,
    }
}

pub fn object(name: &str, fields: Vec<Field>) -> TypeDef {
    declared(name, TypeKind::Object { fields })
}

pub fn event(name: &str, fields: Vec<Field>) -> TypeDef {
    declared(name, TypeKind::Event { wire_name: None, fields })
}

pub fn newtype(name: &str, ty: Type) -> TypeDef {
    declared(name, TypeKind::Newtype(ty))
}

pub fn alias(name: &str, target: Type, recursive: bool) -> TypeDef {
    declared(name, TypeKind::Alias { target, recursive })
}

/// `None` is the catch-all.
pub fn texts(name: &str, variants: &[(&str, Option<&str>)]) -> TypeDef {
    let wire = |wire: Option<&str>| wire.map_or(VariantWire::Other, |wire| VariantWire::Text(wire.into()));
    let variants = variants.iter().map(|(name, value)| Variant {
        name: (*name).into(),
        doc: String::new(),
        wire: wire(*value),
    });
    declared(name, TypeKind::Enum { variants: variants.collect(), integers: false })
}

pub fn ints(name: &str, variants: &[(&str, Option<i64>)]) -> TypeDef {
    let variants = variants.iter().map(|(name, value)| Variant {
        name: (*name).into(),
        doc: String::new(),
        wire: value.map_or(VariantWire::Other, VariantWire::Int),
    });
    declared(name, TypeKind::Enum { variants: variants.collect(), integers: true })
}

fn declared(name: &str, kind: TypeKind) -> TypeDef {
    TypeDef { name: name.into(), doc: String::new(), public: false, kind }
}

pub fn public(ty: TypeDef) -> TypeDef {
    TypeDef { public: true, ..ty }
}

pub fn documented(doc: &str, ty: TypeDef) -> TypeDef {
    TypeDef { doc: doc.into(), ..ty }
}

pub fn field(name: &str, ty: Type) -> Field {
    Field {
        name: name.into(),
        doc: String::new(),
        wire: name.into(),
        at: None,
        optional: false,
        boxed: false,
        ty,
    }
}

pub fn nullable(ty: Type) -> Type {
    Type::Nullable(Box::new(ty))
}

pub fn list(ty: Type) -> Type {
    Type::List(Box::new(ty), ItemsRule::default())
}

pub fn reference(package: &str, name: &str) -> TypeRef {
    TypeRef { package: Some(package.into()), name: name.into() }
}

pub fn own(name: &str) -> TypeRef {
    TypeRef { package: None, name: name.into() }
}

pub fn named(package: &str, name: &str) -> Type {
    Type::Named(reference(package, name))
}

pub fn text(text: &str) -> Template {
    Template { parts: vec![Part::Text(text.into())] }
}

pub fn setting(name: &str) -> Template {
    Template { parts: vec![Part::Setting(name.into())] }
}

pub fn input(name: &str) -> Template {
    Template { parts: vec![Part::Input(name.into())] }
}

pub fn types(types: impl IntoIterator<Item = TypeDef>) -> BTreeMap<String, TypeDef> {
    by_name(types)
}

pub fn operations(operations: impl IntoIterator<Item = Operation>) -> BTreeMap<String, Operation> {
    by_name(operations)
}

pub fn by_name<T: Named>(values: impl IntoIterator<Item = T>) -> BTreeMap<String, T> {
    values.into_iter().map(|value| (value.name().to_owned(), value)).collect()
}

/// What has a name of its own.
pub trait Named {
    fn name(&self) -> &str;
}

macro_rules! named {
    ($($ty:ty),+) => {$(impl Named for $ty { fn name(&self) -> &str { &self.name } })+};
}

named!(TypeDef, Operation, Package, Store, Connection, Subscriber, Action, Batch, Backfill, Deployable);
