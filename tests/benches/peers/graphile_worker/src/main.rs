//! Fills graphile_worker's tables with jobs whose handler does nothing, and works them off: `fill URL COUNT`, then
//! `run URL COUNT batched|unbatched`, which prints the seconds from the worker's start to its end and how many handlers ran.

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
        ["run", url, count, mode] => run(url, count.parse()?, *mode == "batched").await,
        _ => Err("fill URL COUNT, or run URL COUNT batched|unbatched".into()),
    }
}

/// What both have in common.
fn options(url: &str) -> WorkerOptions {
    WorkerOptions::default()
        .database_url(url)
        .max_pg_conn(20)
        .define_job::<Told>()
        // A backlog is fetched poll by poll where no job is fetched ahead.
        .poll_interval(Duration::from_millis(5))
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

/// Batched, it is given what its own bench gives it.
async fn run(url: &str, count: usize, batched: bool) -> Result<(), Box<dyn Error>> {
    let options = if batched {
        let ahead = LocalQueueConfig::default().with_size(5_000);
        let gathered = Duration::from_millis(5);
        options(url).concurrency(500).local_queue(ahead).complete_job_batch_delay(gathered)
    } else {
        options(url).concurrency(16)
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
