//! What a program tells of itself: its log, and telemetry where that is built in and asked for.

use std::sync::Arc;

use super::log;
use crate::app::App;
use crate::engine::Engine;

/// The log has begun; what is told besides goes on until its end.
pub struct Telling {
    #[cfg(feature = "otel")]
    telemetry: Option<super::otel::Telemetry>,
    #[cfg(feature = "otel")]
    stopping: Arc<std::sync::OnceLock<std::time::Instant>>,
}

#[cfg(not(feature = "otel"))]
#[allow(clippy::unused_self, reason = "with telemetry built in each has something to do")]
impl Telling {
    /// Begins the log.
    pub fn begin(_: &App, _: &tokio::runtime::Handle) -> Telling {
        log::to_stderr();
        Telling {}
    }

    /// There is nothing to be measured for.
    pub fn measure(&self, _: &Arc<Engine>) {}

    /// There is nothing left to be sent.
    pub fn end(self, _: u64) {}
}

#[cfg(feature = "otel")]
impl Telling {
    /// Begins the log, and telemetry; where that can't be sent the app runs without it.
    pub fn begin(app: &App, runtime: &tokio::runtime::Handle) -> Telling {
        let telemetry = super::otel::Telemetry::from_environment(&name(app), runtime);
        match &telemetry {
            Ok(Some(telemetry)) => log::to_stderr_and(telemetry),
            Ok(None) => log::to_stderr(),
            Err(error) => {
                log::to_stderr();
                tracing::error!("{error}");
            }
        }
        Telling { telemetry: telemetry.ok().flatten(), stopping: Arc::default() }
    }

    /// Measures the app from now on.
    pub fn measure(&self, engine: &Arc<Engine>) {
        let Some(telemetry) = &self.telemetry else { return };
        telemetry.measure(engine);
        let (stop, stopping) = (engine.stop.clone(), self.stopping.clone());
        engine.host.spawn(Box::pin(async move {
            stop.asked().await;
            let _ = stopping.set(std::time::Instant::now());
        }));
    }

    /// Sends what is left, in what the drain has left of its time, ms.
    pub fn end(self, drain_ms: u64) {
        let Some(telemetry) = self.telemetry else { return };
        let passed = self.stopping.get().map(std::time::Instant::elapsed).unwrap_or_default();
        let left = std::time::Duration::from_millis(drain_ms).saturating_sub(passed);
        // A drain that took all of its time leaves a moment all the same: this is when the end is told.
        telemetry.close(left.max(std::time::Duration::from_millis(crate::limits::DROP_MS_MAX)));
    }
}

/// The app's name in its plan; one that can't be read is refused later.
#[cfg(feature = "otel")]
fn name(app: &App) -> String {
    let plan: Option<serde_json::Value> = serde_json::from_str(&app.plan_json).ok();
    let name = plan.as_ref().and_then(|plan| plan.get("app")?.as_str());
    name.unwrap_or("jadpo").to_owned()
}
