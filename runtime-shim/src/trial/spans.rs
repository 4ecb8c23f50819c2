//! Which spans and fields a run tells, whatever level asks for them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use tracing::span::Attributes;
use tracing::{Event, Id, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};

/// What was told.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Of each span by its name: its level, and every field that one of its kind has.
    pub spans: BTreeMap<String, (Shown, BTreeSet<String>)>,
    /// The fields of lines beside their text.
    pub lines: BTreeSet<String>,
}

/// A level in lower case.
pub type Shown = String;

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Told>>);

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        let metadata = attributes.metadata();
        if is_ours(metadata.target()) {
            let mut told = self.0.lock().unwrap();
            let (level, fields) = told.spans.entry(metadata.name().to_owned()).or_default();
            *level = shown(*metadata.level());
            fields.extend(metadata.fields().iter().map(|field| field.name().to_owned()));
        }
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if is_ours(event.metadata().target()) {
            let fields = event.metadata().fields().iter().map(|field| field.name().to_owned());
            self.0.lock().unwrap().lines.extend(fields.filter(|name| name != "message"));
        }
    }
}

/// What `run` tells on this thread.
pub fn told_by(run: impl FnOnce()) -> Told {
    let recorder = Recorder::default();
    // With a single subscriber alive, what another test's thread meets first is off for this one too.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry().with(Recorder::default()));
    tracing::subscriber::with_default(tracing_subscriber::registry().with(recorder.clone()), run);
    recorder.0.lock().unwrap().clone()
}

fn is_ours(target: &str) -> bool {
    target.starts_with("jadpo_runtime")
}

fn shown(level: Level) -> String {
    level.to_string().to_lowercase()
}
