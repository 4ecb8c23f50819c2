//! Deployables: what one program runs.

use jadpo_analysis::model;
use jadpo_runtime::plan;

/// The plan's form of a deployable.
pub fn deployable(deployable: &model::Deployable) -> plan::Deployable {
    plan::Deployable {
        target: match deployable.target {
            model::Target::Native => plan::Target::Native,
            model::Target::Workers => plan::Target::Workers,
        },
        routes: deployable.routes.clone(),
        subscribers: deployable.subscribers.clone(),
        schedules: deployable.schedules.clone(),
        polls: deployable.polls.clone(),
        batches: deployable.batches.clone(),
        runner: runner(deployable.runner),
        host: deployable.host.as_ref().map(host),
    }
}

fn runner(runner: model::Runner) -> plan::Runner {
    plan::Runner {
        workers: runner.workers,
        at_capacity_poll_interval_ms: runner.at_capacity_poll_interval_ms,
        at_capacity_heartbeat_ms: runner.at_capacity_heartbeat_ms,
        backoff_initial_ms: runner.backoff_initial_ms,
        backoff_max_ms: runner.backoff_max_ms,
        sleep_detection_ms: runner.sleep_detection_ms,
    }
}

fn host(host: &model::Host) -> plan::Host {
    plan::Host {
        max_connections: host.max_connections,
        drain_ms: host.drain_ms,
        listen: match &host.listen {
            model::Listen::At(address) => plan::Listen::At(address.clone()),
            model::Listen::Env(variable) => plan::Listen::Env(variable.clone()),
        },
        control: host.control.clone(),
    }
}
