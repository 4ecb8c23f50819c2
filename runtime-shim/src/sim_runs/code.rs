//! The app's own code in a run: it fails, panics, takes long and calls its provider now and then, and writes what it did.

use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::{Either, select};

use crate::context::Context;
use crate::delivered::Delivered;
use crate::dispatch::Dispatch;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::step::RunStep;

/// What every body writes: what it did, and to what.
pub const WRITE: &str = "INSERT INTO quotes (btc, eth) VALUES (?1, ?2)";

/// Steps of each batch run.
pub const STEPS: u64 = 3;

/// A transfer writes two sides and emits; every so many start a batch run too.
pub const STARTS_EVERY: u64 = 3;

/// Every so many start a backfill.
pub const FILLS_EVERY: u64 = 5;

/// The step of a backfill whose value its field refuses.
pub const REFUSED_STEP: u64 = 1;

/// The code; `healthy` ends its troubles.
#[derive(Clone)]
pub struct Code {
    pub healthy: Arc<AtomicBool>,
    /// Whether its stores have SQL, and so transactions that a body may open.
    pub has_sql: bool,
}

impl Code {
    /// Whatever may become of a body before it writes.
    async fn trouble(&self, cx: &Context) -> Result<(), Failure> {
        if self.healthy.load(Ordering::Relaxed) {
            return Ok(());
        }
        let fate = cx.host.random();
        if fate.is_multiple_of(2) {
            cx.host.sleep((fate >> 32) % 3_000).await;
        }
        match fate % 32 {
            0 | 1 => return Err(Failure::new("unlucky")),
            2 => resume_unwind(Box::new("very unlucky")),
            3 => cx.host.sleep((fate >> 32) % 60_000).await,
            _ => {}
        }
        Ok(())
    }

    async fn ping(&self, cx: &Context) -> Result<(), Failure> {
        let fate = cx.host.random();
        if !fate.is_multiple_of(2) {
            return Ok(());
        }
        let connection = cx.connection("small");
        let call = pin!(connection.call("ping", None));
        if self.healthy.load(Ordering::Relaxed) || !fate.is_multiple_of(64) {
            call.await?;
        } else if let Either::Left((answer, _)) = select(call, pin!(panic_after(cx, fate >> 32))).await {
            answer?;
        }
        Ok(())
    }
}

/// Panics while a call is under way, unless that is over sooner.
async fn panic_after(cx: &Context, chance: u64) {
    cx.host.sleep(chance % 3_000).await;
    resume_unwind(Box::new("very unlucky amid a call"))
}

impl Dispatch for Code {
    fn deliver<'a>(
        &'a self,
        subscriber: &'a str,
        cx: &'a mut Context,
        event: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            self.trouble(cx).await?;
            if subscriber == "watch" {
                // It gathers nothing, which is settled in another way.
                return Ok(());
            }
            self.ping(cx).await?;
            if self.has_sql && cx.host.random().is_multiple_of(2) {
                let mut transaction = cx.transaction().await?;
                transaction.execute_rows(1, WRITE, (subscriber, event.payload.as_str())).await?;
            } else {
                cx.store().write(WRITE, (subscriber, event.payload.as_str()));
            }
            if subscriber == "update_quotes" {
                let quote: serde_json::Value = serde_json::from_str(&event.payload)?;
                cx.emit("QuoteKept", serde_json::json!({ "btc": quote["btc"] }).to_string());
            }
            Ok(())
        })
    }

    fn act<'a>(
        &'a self,
        action: &'a str,
        cx: &'a mut Context,
        input: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            self.trouble(cx).await?;
            if action == "sweep" {
                cx.store().write(WRITE, ("sweep", "all"));
                return Ok(None);
            }
            let number: u64 = input.unwrap_or_default().parse()?;
            let kept = serde_json::json!({ "btc": number.to_string() }).to_string();
            cx.store().write(WRITE, ("debit", kept.as_str()));
            cx.store().write(WRITE, ("credit", kept.as_str()));
            if number.is_multiple_of(STARTS_EVERY) {
                cx.start("recount", Some(kept.clone()));
            }
            if number.is_multiple_of(FILLS_EVERY) {
                cx.start("fill", None);
            }
            cx.emit("QuoteKept", kept);
            Ok(None)
        })
    }

    fn step<'a>(
        &'a self,
        batch: &'a str,
        cx: &'a mut Context,
        step: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            self.trouble(cx).await?;
            let at: u64 = step.cursor.as_deref().unwrap_or("0").parse()?;
            if batch == "fill" {
                let value = if at == REFUSED_STEP { "\"x\"".to_owned() } else { format!("\"{at}\"") };
                if cx.takes("QuoteKept", "btc", &at.to_string(), &value) {
                    cx.store().write(WRITE, ("fill", at.to_string()));
                }
            } else {
                let input = step.input.as_deref().unwrap_or_default();
                cx.store().write(WRITE, ("step", format!("{input} {at}")));
            }
            Ok((at + 1 < STEPS).then(|| (at + 1).to_string()))
        })
    }
}
