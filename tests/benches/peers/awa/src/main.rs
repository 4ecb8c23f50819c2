//! Fills awa's tables with jobs whose handler does nothing, and works them off: `fill URL COUNT`, then
//! `run URL COUNT batched|unbatched`, which prints the seconds from the client's start to its end and how many handlers ran.

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use awa::{Client, InsertOpts, InsertParams, JobArgs, JobResult, QueueConfig, migrations};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

/// Handlers that ran.
static RAN: AtomicUsize = AtomicUsize::new(0);

const QUEUE: &str = "board";

/// 100 bytes of JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Told {
    text: String,
}

impl JobArgs for Told {
    fn kind() -> &'static str {
        "told"
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["fill", url, count] => fill(&connect(url).await?, count.parse()?).await,
        ["run", url, count, mode] => run(&connect(url).await?, count.parse()?, *mode == "batched").await,
        _ => Err("fill URL COUNT, or run URL COUNT batched|unbatched".into()),
    }
}

async fn connect(url: &str) -> Result<PgPool, Box<dyn Error>> {
    Ok(PgPoolOptions::new().max_connections(20).connect(url).await?)
}

async fn fill(pool: &PgPool, count: usize) -> Result<(), Box<dyn Error>> {
    migrations::run(pool).await?;
    let told = Told { text: "x".repeat(89) };
    let job =
        || awa::insert::params_with(&told, InsertOpts { queue: QUEUE.to_owned(), ..InsertOpts::default() });
    let jobs = (0..count).map(|_| job()).collect::<Result<Vec<InsertParams>, _>>()?;
    for jobs in jobs.chunks(1_000) {
        awa::insert_many(pool, jobs).await?;
    }
    Ok(())
}

fn client(pool: &PgPool, workers: u32) -> Result<Client, Box<dyn Error>> {
    let queue = QueueConfig { max_workers: workers, ..QueueConfig::default() };
    let built = Client::builder(pool.clone())
        .queue(QUEUE, queue)
        .register::<Told, _, _>(|_, _| async {
            RAN.fetch_add(1, Ordering::Relaxed);
            Ok(JobResult::Completed)
        })
        .build()?;
    Ok(built)
}

/// Batched, it is given the number of workers with which it was fastest. It claims for all workers that are free as soon as some
/// are, and completes what ended within a millisecond, without being told to.
async fn run(pool: &PgPool, count: usize, batched: bool) -> Result<(), Box<dyn Error>> {
    let client = client(pool, if batched { 256 } else { 16 })?;
    let begun = Instant::now();
    client.start().await?;
    while RAN.load(Ordering::Relaxed) < count {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    client.shutdown(Duration::from_secs(30)).await;
    println!("{} {}", begun.elapsed().as_secs_f64(), RAN.load(Ordering::Relaxed));
    Ok(())
}
