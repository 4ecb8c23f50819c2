//! Sends traces and metrics to an OpenTelemetry collector, where the environment names one.
//!
//! Traces are the spans of the log; a trace goes on in what an event sets off, since events are kept with their context.

pub mod context;
mod metrics;
mod sender;
#[cfg(all(test, unix, feature = "sqlite"))]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{MetricExporter, SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

use super::HttpClient;
use crate::engine::Engine;
use sender::Sender;

/// Any of these, not empty, turns it on.
const ENDPOINTS: [&str; 3] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
];

/// `true` turns it off all the same.
const DISABLED: &str = "OTEL_SDK_DISABLED";

/// The name by which all of it is known to be jadpo's.
const SCOPE: &str = "jadpo";

/// What gathers and sends, until it is closed.
pub struct Telemetry {
    tracers: SdkTracerProvider,
    meters: SdkMeterProvider,
}

/// Why nothing can be sent; the app runs without it.
#[derive(Debug)]
pub struct TelemetryError(String);

impl Telemetry {
    /// Reads the standard variables of OpenTelemetry; `None` where they name no collector. The service's name is the app's, unless
    /// they give one.
    pub fn from_environment(
        app: &str,
        runtime: &tokio::runtime::Handle,
    ) -> Result<Option<Telemetry>, TelemetryError> {
        let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let is_disabled = given(DISABLED).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        if is_disabled || !ENDPOINTS.into_iter().any(|name| given(name).is_some()) {
            return Ok(None);
        }
        let refused = |error: &dyn fmt::Display| TelemetryError(error.to_string());
        let client = HttpClient::new().map_err(|error| refused(&error))?;
        let sender = Sender::new(client, runtime.clone());
        let spans = SpanExporter::builder().with_http().with_http_client(sender.clone()).build();
        let metrics = MetricExporter::builder().with_http().with_http_client(sender).build();
        let resource = resource(
            app,
            given("OTEL_SERVICE_NAME").as_deref(),
            given("OTEL_RESOURCE_ATTRIBUTES").as_deref(),
        );
        let tracers = SdkTracerProvider::builder()
            .with_batch_exporter(spans.map_err(|error| refused(&error))?)
            .with_resource(resource.clone())
            .build();
        let meters = SdkMeterProvider::builder()
            .with_periodic_exporter(metrics.map_err(|error| refused(&error))?)
            .with_resource(resource)
            .build();
        Ok(Some(Telemetry { tracers, meters }))
    }

    /// Makes traces of spans.
    pub fn layer<S: Subscriber + for<'s> LookupSpan<'s>>(&self) -> impl Layer<S> + use<S> {
        tracing_opentelemetry::layer()
            .with_tracer(self.tracers.tracer(SCOPE))
            .with_location(false)
            .with_threads(false)
            .with_filter(filter_fn(is_told))
    }

    /// Measures an app from now on.
    pub fn measure(&self, engine: &Arc<Engine>) {
        metrics::measure(&self.meters, engine);
    }

    /// Sends what is left, for at most so long, and ends.
    pub fn close(self, within: Duration) {
        let (ended, ends) = channel();
        let closing = move || {
            // An error is the sender's to tell, which knows whether it was told before.
            let _ = self.tracers.shutdown_with_timeout(within);
            let _ = self.meters.shutdown_with_timeout(within);
            // Nobody listens any more where this took too long.
            let _ = ended.send(());
        };
        if std::thread::Builder::new().spawn(closing).is_ok() && ends.recv_timeout(within).is_err() {
            tracing::warn!("not all of the telemetry was sent before the end");
        }
    }
}

/// The app's own name unless the environment has one.
fn resource(app: &str, service: Option<&str>, attributes: Option<&str>) -> Resource {
    let is_named = service.is_some() || attributes.is_some_and(|list| list.contains("service.name="));
    let builder = Resource::builder();
    if is_named { builder.build() } else { builder.with_service_name(app.to_owned()).build() }
}

/// Spans of jadpo, those of others from `info` on, and lines from `info` on; nothing of what sends them, which would never end.
fn is_told(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    let is_of = |name: &str| {
        target
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || !rest.starts_with(char::is_alphanumeric))
    };
    if ["opentelemetry", "hyper", "reqwest", "rustls"].into_iter().any(is_of) {
        return false;
    }
    let most = if metadata.is_span() && is_of("jadpo") { Level::DEBUG } else { Level::INFO };
    *metadata.level() <= most
}

impl fmt::Display for TelemetryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no telemetry is sent: {}", self.0)
    }
}

impl std::error::Error for TelemetryError {}
