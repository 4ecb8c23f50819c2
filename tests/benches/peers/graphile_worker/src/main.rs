//! Fills graphile_worker's tables with jobs whose handler does nothing, and works them off: `fill URL COUNT`, then
//! `run URL COUNT batched|gathered|single`, which prints the seconds from the worker's start to its end and how many handlers ran.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use graphile_worker::{
    IntoTaskHandlerResult, JobSpec, LocalQueueConfig, RawJobSpec, TaskHandler, WorkerContext, WorkerOptions,
};
use serde::{Deserialize, Serialize};

/// Handlers that ran.
static RAN: AtomicUsize = AtomicUsize::new(0);

/// 100 bytes of JSON.
#[derive(Serialize, Deserialize)]
struct Told {
    text: String,
}

impl TaskHandler for Told {
    const IDENTIFIER: &'static str = "told";

    async fn run(self, _: WorkerContext) -> impl IntoTaskHandlerResult {
        RAN.fetch_add(1, Ordering::Relaxed);
        Ok::<(), String>(())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["fill", url, count] => fill(url, count.parse()?).await,
        ["run", url, count, mode] => run(url, count.parse()?, mode).await,
        _ => Err("fill URL COUNT, or run URL COUNT batched|gathered|single".into()),
    }
}

/// What both have in common.
fn options(url: &str) -> WorkerOptions {
    WorkerOptions::default()
        .database_url(url)
        .max_pg_conn(20)
        .define_job::<Told>()
        // Where no job is fetched ahead, each poll lets each of its slots fetch one: the shortest that its timer knows, so that
        // a slot never waits for it.
        .poll_interval(Duration::from_millis(1))
}

async fn fill(url: &str, count: usize) -> Result<(), Box<dyn Error>> {
    let worker = options(url).init().await?;
    let told = Told { text: "x".repeat(89) };
    let job = || -> Result<RawJobSpec, Box<dyn Error>> {
        let payload = serde_json::to_value(&told)?;
        Ok(RawJobSpec { identifier: Told::IDENTIFIER.to_owned(), payload, spec: JobSpec::default() })
    };
    let jobs = (0..count).map(|_| job()).collect::<Result<Vec<_>, _>>()?;
    for jobs in jobs.chunks(5_000) {
        worker.create_utils().add_raw_jobs(jobs).await?;
    }
    Ok(())
}

/// Batched, it is given what its own bench gives it; gathered, it has 16 handlers at once and fetches as many ahead; single, each
/// job is fetched and completed alone.
async fn run(url: &str, count: usize, mode: &str) -> Result<(), Box<dyn Error>> {
    let ahead = |size| LocalQueueConfig::default().with_size(size);
    let gathered = Duration::from_millis(5);
    let options = match mode {
        "batched" => {
            options(url).concurrency(500).local_queue(ahead(5_000)).complete_job_batch_delay(gathered)
        }
        "gathered" => options(url).concurrency(16).local_queue(ahead(16)).complete_job_batch_delay(gathered),
        "single" => options(url).concurrency(16),
        _ => return Err("batched, gathered or single".into()),
    };
    let worker = Arc::new(options.init().await?);
    let begun = Instant::now();
    let running = tokio::spawn({
        let worker = worker.clone();
        async move { worker.run().await.map_err(|error| error.to_string()) }
    });
    while RAN.load(Ordering::Relaxed) < count && !running.is_finished() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    worker.request_shutdown();
    running.await??;
    println!("{} {}", begun.elapsed().as_secs_f64(), RAN.load(Ordering::Relaxed));
    Ok(())
}
