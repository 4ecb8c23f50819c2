//! Hears other instances on a connection of its own, which is made again whenever it is lost.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use event_listener::Event;
use tokio_postgres::{AsyncMessage, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::failed::words;
use super::tell::CHANNEL;
use crate::limits;

/// Listens for ever. While it can't, whoever waits is woken at each try, and so looks by itself.
pub async fn run(config: Config, tls: MakeRustlsConnect, me: Arc<str>, heard: Arc<Event>) {
    let mut wait_ms = limits::LISTEN_RETRY_MS_MIN;
    loop {
        match listen(&config, tls.clone(), &me, &heard).await {
            // It was heard from until the line broke.
            Ok(why) => {
                wait_ms = limits::LISTEN_RETRY_MS_MIN;
                tracing::debug!("no other instance is heard: {why}");
            }
            Err(error) => tracing::debug!("no other instance can be heard: {}", words(&error)),
        }
        tokio::time::sleep(Duration::from_millis(wait_ms)).await;
        wait_ms = (wait_ms * 2).min(limits::LISTEN_RETRY_MS_MAX);
        heard.notify(usize::MAX);
    }
}

/// Listens until the line breaks, and why it did.
async fn listen(
    config: &Config,
    tls: MakeRustlsConnect,
    me: &str,
    heard: &Event,
) -> Result<String, tokio_postgres::Error> {
    let (client, mut connection) = config.connect(tls).await?;
    let heard_on = async {
        loop {
            match poll_fn(|context| connection.poll_message(context)).await {
                Some(Ok(AsyncMessage::Notification(said))) if said.payload() != me => {
                    heard.notify(usize::MAX);
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return words(&error),
                None => return "the server closed the line".to_owned(),
            }
        }
    };
    let listening = async {
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
        // Something may have been said before.
        heard.notify(usize::MAX);
        // The line stays open as long as the client does.
        std::future::pending::<Result<String, tokio_postgres::Error>>().await
    };
    let (heard_on, listening) = (std::pin::pin!(heard_on), std::pin::pin!(listening));
    match futures_util::future::select(heard_on, listening).await {
        futures_util::future::Either::Left((why, _)) => Ok(why),
        futures_util::future::Either::Right((ended, _)) => ended,
    }
}
