//! Rates of several rounds, and how the first one's stand to the others', round by round.

use std::fmt;

/// Rates by name, in the order in which they came first.
#[derive(Default)]
pub struct Medians(Vec<(String, Vec<f64>)>);

impl Medians {
    /// One more round's rate.
    pub fn add(&mut self, name: &str, rate: f64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, rates)) => rates.push(rate),
            None => self.0.push((name.to_owned(), vec![rate])),
        }
    }
}

impl fmt::Display for Medians {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(((name, ours), others)) = self.0.split_first() else { return Ok(()) };
        write!(f, "{name} {:.0}/s", median(ours.clone()))?;
        for (name, theirs) in others {
            let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect();
            let (least, most) = ratios
                .iter()
                .fold((f64::MAX, 0.0_f64), |(least, most), ratio| (least.min(*ratio), most.max(*ratio)));
            let (rate, ratio) = (median(theirs.clone()), median(ratios));
            write!(f, "; {name} {rate:.0}/s, {ratio:.2} of it ({least:.2} to {most:.2})")?;
        }
        Ok(())
    }
}

/// The middle one.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
