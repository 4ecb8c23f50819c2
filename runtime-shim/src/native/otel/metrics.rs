//! The measures of an app, as docs/runtime.md names them.

use std::sync::{Arc, Mutex, PoisonError};

use opentelemetry::KeyValue;
use opentelemetry::metrics::{AsyncInstrument, Meter, MeterProvider};
use opentelemetry_sdk::metrics::SdkMeterProvider;

use super::SCOPE;
use crate::engine::Engine;
use crate::store::{Backlog, Lag};

/// How often the stores are asked, ms.
const LOOK_EVERY_MS: u64 = 15_000;

/// The upper bounds of the waits that are told apart, ms.
const WAIT_BOUNDS_MS: [f64; 12] =
    [1.0, 5.0, 10.0, 50.0, 100.0, 500.0, 1_000.0, 5_000.0, 10_000.0, 60_000.0, 600_000.0, 3_600_000.0];

/// What was seen of the stores last, by name.
type Seen = Arc<Mutex<Vec<(String, Lag, Vec<Backlog>)>>>;

/// Measures an app until it stops.
pub fn measure(meters: &SdkMeterProvider, engine: &Arc<Engine>) {
    let meter = meters.meter(SCOPE);
    let seen = Seen::default();
    stores(&meter, &seen);
    slots(&meter, engine);
    counts(&meter, engine);
    waits(&meter, engine);
    let looking = engine.clone();
    engine.host.spawn(Box::pin(async move {
        while !looking.stop.is_asked() {
            let states = look(&looking).await;
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = states;
            looking.host.sleep(LOOK_EVERY_MS).await;
        }
    }));
}

/// A store that can't be read has nothing to be seen, and its own lines in the log.
async fn look(engine: &Engine) -> Vec<(String, Lag, Vec<Backlog>)> {
    let now_ms = engine.now_ms();
    let mut states = Vec::new();
    for (name, open) in &engine.stores {
        if let (Ok(lag), Ok(backlog)) = (open.store.lag(now_ms).await, open.store.backlog(now_ms).await) {
            states.push((name.clone(), lag, backlog));
        }
    }
    states
}

fn stores(meter: &Meter, seen: &Seen) {
    let states = seen.clone();
    meter
        .i64_observable_gauge("jadpo.lag")
        .with_description("The age of the oldest work that is due and not taken.")
        .with_unit("ms")
        .with_callback(move |gauge| {
            for (store, lag, _) in states.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                let told = [("delivery", lag.deliveries_ms), ("run", lag.runs_ms)];
                for (work, ms) in told {
                    let attributes = [KeyValue::new("store", store.clone()), KeyValue::new("work", work)];
                    gauge.observe(ms.unwrap_or(0), &attributes);
                }
            }
        })
        .build();
    let states = seen.clone();
    meter
        .i64_observable_gauge("jadpo.event.lag")
        .with_description("The age of the oldest delivery of an event that is due and not taken.")
        .with_unit("ms")
        .with_callback(move |gauge| {
            each(&states, |backlog, attributes| {
                gauge.observe(backlog.lag_ms.unwrap_or(0), attributes);
            });
        })
        .build();
    let states = seen.clone();
    meter
        .u64_observable_gauge("jadpo.deliveries")
        .with_description("Deliveries that are not over, by state.")
        .with_callback(move |gauge| each(&states, |backlog, attributes| depth(gauge, backlog, attributes)))
        .build();
}

fn depth(gauge: &dyn AsyncInstrument<u64>, backlog: &Backlog, attributes: &[KeyValue]) {
    let Backlog { pending, claimed, failed, .. } = backlog;
    for (state, count) in [("pending", pending), ("claimed", claimed), ("failed", failed)] {
        let mut attributes = attributes.to_vec();
        attributes.push(KeyValue::new("state", state));
        gauge.observe(*count, &attributes);
    }
}

fn each(seen: &Seen, tell: impl Fn(&Backlog, &[KeyValue])) {
    for (store, _, backlogs) in seen.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        for backlog in backlogs {
            let mut attributes = of_event(&backlog.event, backlog.connection.as_deref());
            attributes.push(KeyValue::new("store", store.clone()));
            attributes.push(KeyValue::new("subscriber", backlog.subscriber.clone()));
            tell(backlog, &attributes);
        }
    }
}

fn slots(meter: &Meter, engine: &Arc<Engine>) {
    let connections = engine.connections.clone();
    meter
        .u64_observable_gauge("jadpo.slots")
        .with_description("Attempts of calls that hold a slot, and that wait for one.")
        .with_callback(move |gauge| {
            for (name, connection) in connections.iter() {
                let slots = connection.slots();
                for (state, count) in [("out", slots.out), ("waiting", slots.waiting)] {
                    let attributes =
                        [KeyValue::new("connection", name.clone()), KeyValue::new("state", state)];
                    gauge.observe(count, &attributes);
                }
            }
        })
        .build();
}

fn counts(meter: &Meter, engine: &Arc<Engine>) {
    let engine = Arc::downgrade(engine);
    meter
        .u64_observable_counter("jadpo.count")
        .with_description("What this process did since its start.")
        .with_callback(move |counter| {
            let Some(engine) = engine.upgrade() else { return };
            for (what, count) in engine.tally.all() {
                counter.observe(count, &[KeyValue::new("what", what)]);
            }
        })
        .build();
}

fn waits(meter: &Meter, engine: &Arc<Engine>) {
    let histogram = meter
        .u64_histogram("jadpo.delivery.wait")
        .with_description("How long deliveries waited from when they were due until they were claimed.")
        .with_unit("ms")
        .with_boundaries(WAIT_BOUNDS_MS.to_vec())
        .build();
    engine.waits.tell(move |event, connection, ms| histogram.record(ms, &of_event(event, connection)));
}

fn of_event(event: &str, connection: Option<&str>) -> Vec<KeyValue> {
    let mut attributes = vec![KeyValue::new("event", event.to_owned())];
    attributes.extend(connection.map(|name| KeyValue::new("connection", name.to_owned())));
    attributes
}
