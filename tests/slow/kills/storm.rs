//! A run: processes that are killed at random moments while clients ask and levels change, and then a quiet end in which
//! everything is to be done.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jadpo_tests::scratch::Scratch;

use super::chance::Chance;
use super::checks::{Promised, check};
use super::clients::Clients;
use super::cluster::Cluster;
use super::gauge::Gauge;
use super::instance::Place;
use super::kept::Kept;

/// Seconds of the processes' clock in one of the machine's: a minute passes in six seconds, and a process that is not
/// heard from for three counts as dead.
pub const RATE: u32 = 10;

/// The time that the host gives one invocation, ms of the processes' clock.
const BUDGET_MS: u32 = 2_000;

/// How long a process is held up that is only slow: longer than it may be silent.
const HELD_UP: Duration = Duration::from_millis(4_500);

/// How long what is left may take when nobody is killed any more.
const QUIET_MAX: Duration = Duration::from_mins(3);

/// How much longer than its kills a run may take until some have hit.
const HIT_MAX: Duration = Duration::from_mins(3);

/// How much more time the processes are given from turn to turn then.
const RESPITE: Duration = Duration::from_millis(250);

/// How a run goes.
pub struct Storm<'a> {
    pub name: &'a str,
    pub seed: u64,
    /// How far the clock of each process is off, ms; one for each place.
    pub offsets_ms: &'a [i64],
    pub kills: u64,
    /// The server that the stores are kept in; SQLite files without one.
    pub cluster: Option<&'a Cluster>,
    /// In a hundred turns, how often a process is held up for longer than it may be silent.
    pub held_up: u64,
    /// In a hundred turns, how often the server of the databases is started again.
    pub restarts: u64,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    pub kills: u64,
    pub held_up: u64,
    pub restarts: u64,
    pub asked: u64,
    pub promised: u64,
    pub attempts: u64,
    pub kept: super::checks::Kinds,
}

/// What stands around a run.
struct World<'a> {
    storm: &'a Storm<'a>,
    kept: Kept<'a>,
    gauge: Gauge,
    places: Vec<Place>,
    began: Instant,
    _folder: Scratch,
}

impl Storm<'_> {
    /// Lets it come, and checks what it left.
    pub fn run(&self) -> Figures {
        let mut world = self.world();
        let mut chance = Chance::of(self.seed);
        let ports: Vec<u16> = world.places.iter().map(|place| place.port).collect();
        for place in &mut world.places {
            place.start();
        }
        let clients = Clients::start(8, self.seed, &ports);
        let mut figures = Figures::default();
        while figures.kills < self.kills {
            world.turn(&mut chance, &mut figures);
        }
        world.until_hit(&mut chance, &mut figures);
        figures.asked = clients.asked();
        let promised = clients.stop();
        figures.promised = promised.len() as u64;
        world.gauge.be_still();
        quiet(&world.kept, &mut world.places);
        figures.attempts = world.gauge.all_attempts();
        let passed_ms = u64::try_from(world.began.elapsed().as_millis()).unwrap();
        let promises = Promised { transfers: &promised, minutes: passed_ms * u64::from(RATE) / 60_000 };
        figures.kept = check(&world.kept, &world.gauge, &promises).unwrap_or_else(|wrong| {
            panic!("seed {} of {}: {wrong}\n{}", self.seed, self.name, tails(&world.places))
        });
        assert!(figures.kept.marked > 0, "no backfill marked anything");
        assert!(figures.kept.repeated > 0, "no kill hit a delivery");
        figures
    }

    fn world(&self) -> World<'_> {
        let folder = Scratch::empty();
        let epoch_ms = now_ms();
        let kept = match self.cluster {
            Some(cluster) => Kept::databases(cluster, self.name, epoch_ms, RATE),
            None => Kept::Files(folder.path().to_owned()),
        };
        let gauge = Gauge::start(self.seed);
        let places = self.offsets_ms.iter().enumerate().map(|(name, offset_ms)| {
            let pace = Pace { epoch_ms, rate: RATE, offset_ms: *offset_ms, budget_ms: BUDGET_MS };
            Place::new(name, folder.at(format!("{name}.log")), environment(&kept, &gauge, &pace))
        });
        World { places: places.collect(), storm: self, kept, gauge, began: Instant::now(), _folder: folder }
    }
}

/// The clock of a process.
pub struct Pace {
    pub epoch_ms: i64,
    pub rate: u32,
    pub offset_ms: i64,
    pub budget_ms: u32,
}

/// What a process is started with.
pub fn environment(kept: &Kept<'_>, gauge: &Gauge, pace: &Pace) -> Vec<(&'static str, String)> {
    let mut environment = kept.environment();
    environment.extend([
        ("KILLED_GAUGE", gauge.port.to_string()),
        ("KILLED_EPOCH_MS", pace.epoch_ms.to_string()),
        ("KILLED_RATE", pace.rate.to_string()),
        ("KILLED_OFFSET_MS", pace.offset_ms.to_string()),
        ("KILLED_BUDGET_MS", pace.budget_ms.to_string()),
    ]);
    environment
}

/// The machine's clock, ms.
pub fn now_ms() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

impl World<'_> {
    /// Goes on until a kill has hit a delivery and a backfill has come to mark something: on a slow machine, a process that
    /// is killed as soon as in the turns before hardly comes to serve.
    fn until_hit(&mut self, chance: &mut Chance, figures: &mut Figures) {
        let hit = "SELECT 1 WHERE EXISTS (SELECT 1 FROM marks)
            AND EXISTS (SELECT 1 FROM jadpo_deliveries WHERE attempts > 1)";
        let (end, mut respite) = (Instant::now() + HIT_MAX, Duration::ZERO);
        while self.kept.ask("main", hit).is_none_or(|rows| rows != ["1"]) && Instant::now() < end {
            respite += RESPITE;
            thread::park_timeout(respite);
            self.turn(chance, figures);
        }
    }

    /// A moment, and then a process is killed, held up, or the server of the databases is started again.
    fn turn(&mut self, chance: &mut Chance, figures: &mut Figures) {
        // Some moments are so short that a process is killed while it starts.
        let longest_ms = if chance.in_a_hundred(25) { 60 } else { 900 };
        thread::park_timeout(Duration::from_millis(1 + chance.below(longest_ms)));
        if let Some(cluster) = self.storm.cluster.filter(|_| chance.in_a_hundred(self.storm.restarts)) {
            cluster.stop();
            thread::park_timeout(Duration::from_millis(chance.below(1_500)));
            cluster.start_again();
            figures.restarts += 1;
        }
        let at = usize::try_from(chance.below(self.places.len() as u64)).unwrap();
        let is_alone = self.places.len() == 1;
        let place = &mut self.places[at];
        if chance.in_a_hundred(self.storm.held_up) {
            place.start();
            place.signal("STOP");
            thread::park_timeout(HELD_UP);
            place.signal("CONT");
            figures.held_up += 1;
            return;
        }
        // A program doesn't start without its database.
        let may_refuse = figures.restarts > 0;
        figures.kills += u64::from(place.kill(may_refuse));
        // Now and then its place stays empty for a while, and the others have to do its work.
        if is_alone || chance.in_a_hundred(70) {
            place.start();
        }
    }
}

/// Nobody is killed and nothing changes any more: waits until everything is done, and stops the processes. What a tick sets
/// off in the very moment of the stop is left, so then they are started once more.
#[track_caller]
pub fn quiet(kept: &Kept<'_>, places: &mut [Place]) {
    let end = Instant::now() + QUIET_MAX;
    loop {
        for place in &mut *places {
            // It may have found no database just now.
            place.has_refused();
            place.start();
            place.until_it_listens(kept.is_on_a_server());
        }
        while kept.left() != Some(0) {
            let states = "SELECT subscriber, state, count(*), max(attempts) FROM jadpo_deliveries
                WHERE state <> 'done' GROUP BY subscriber, state";
            let left = kept.ask("main", states);
            assert!(Instant::now() < end, "not done in {QUIET_MAX:?}: {left:?}\n{}", tails(places));
            thread::park_timeout(Duration::from_millis(100));
        }
        for place in &mut *places {
            let ended = place.stop().and_then(|end| end.code());
            assert_eq!(ended, Some(0), "it wrote:\n{}", place.tail());
        }
        if kept.left() == Some(0) {
            return;
        }
    }
}

/// The last that each process wrote.
fn tails(places: &[Place]) -> String {
    places.iter().fold(String::new(), |mut text, place| {
        let _ = writeln!(text, "--- {}", place.tail());
        text
    })
}
