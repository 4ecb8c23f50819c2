//! A server that crashes forgets the claims of its last moments: what they took is claimed anew, and kept once.

use super::{
    BoundaryEnd, Fence, PostgresStore, Store, block_on, committed, connect, event, listener, note, open,
};
use crate::store::conformance::subject::new_database;
use crate::store::{Boundary, ClaimDeliveries, Claimed, ClaimedDelivery, Held, StoreError, Wanted};
use crate::trial::cluster::{Cluster, is_there};

/// Commits that wait for the disk are written at once, and others no sooner than ten seconds after the server's start.
const OPTIONS: &str = "-c synchronous_commit=on -c wal_writer_delay=10s -c autovacuum=off";

async fn ask(store: &PostgresStore, token: i64, done: &[Held]) -> Result<Claimed, StoreError> {
    let claim = ClaimDeliveries {
        now_ms: 1,
        token,
        instance: 7,
        until_ms: 60_000,
        wanted: vec![Wanted { subscriber: "s".to_owned(), at_most: 1, running: 0 }],
        at_most: 1,
        hear: true,
        done: done.to_vec(),
    };
    store.claim_deliveries(claim).await
}

/// The delivery, once the server answers.
async fn claimed(store: &PostgresStore, token: i64) -> ClaimedDelivery {
    for _ in 0..20 {
        if let Ok(mut claimed) = ask(store, token, &[]).await {
            return claimed.deliveries.remove(0);
        }
    }
    panic!("each connection that broke is made anew");
}

fn writes(held: Held) -> Boundary {
    Boundary { fence: Fence::Delivery(held), ..note(held.token) }
}

#[test]
fn what_was_claimed_and_forgotten_is_claimed_anew_and_kept_once() {
    if !is_there() {
        return;
    }
    let cluster = Cluster::start_for(OPTIONS);
    let url = new_database(&cluster);
    let store = open(&url);
    block_on(async {
        let (_listener, mut saying) = listener(&url).await;
        committed(&store, event()).await;
        // The notice is a transaction of its own; were it late, its commit would write the claim to the disk.
        saying.recv().await.unwrap();
        let forgotten = claimed(&store, 1).await;
        store.hear(8, 1).await.unwrap();
        cluster.crash();
        cluster.start_again();
        let again = claimed(&store, 2).await;
        assert_eq!(
            (again.id, again.attempts),
            (forgotten.id, 1),
            "the first claim and its attempt are forgotten"
        );
        assert_eq!(store.commit(writes(forgotten.held())).await.unwrap(), BoundaryEnd::Fenced);
        assert_eq!(ask(&store, 3, &[forgotten.held()]).await.unwrap().fenced, [forgotten.held()]);
        committed(&store, writes(again.held())).await;
        let kept = store.query("SELECT n FROM notes".to_owned(), Vec::new()).await.unwrap().unwrap();
        assert_eq!(kept.iter().map(|row| row.get(0).unwrap()).collect::<Vec<i64>>(), [2]);
        let heard = "SELECT count(*) FROM jadpo_instances WHERE id = 8";
        let heard: i64 = connect(&url).await.query_one(heard, &[]).await.unwrap().get(0);
        assert_eq!(heard, 0, "no sign of life waits for the disk");
    });
}
