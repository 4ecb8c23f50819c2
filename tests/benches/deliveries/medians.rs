//! Figures of several rounds, each with its name, and how one's stand to another's, round by round.

/// Figures by name, in the order of the rounds.
#[derive(Default)]
pub struct Medians(Vec<(String, Vec<f64>)>);

impl Medians {
    /// One more round's figure.
    pub fn add(&mut self, name: &str, figure: f64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, figures)) => figures.push(figure),
            None => self.0.push((name.to_owned(), vec![figure])),
        }
    }

    /// The middle figure.
    pub fn of(&self, name: &str) -> f64 {
        median(self.figures(name).to_vec())
    }

    /// The middle of one's figures divided by the other's of the same round, with the least and the most.
    pub fn ratio(&self, of: &str, to: &str) -> String {
        let pairs = self.figures(of).iter().zip(self.figures(to));
        let ratios: Vec<f64> = pairs.map(|(of, to)| of / to).collect();
        let least = ratios.iter().copied().fold(f64::NAN, f64::min);
        let most = ratios.iter().copied().fold(f64::NAN, f64::max);
        format!("{:.2} ({least:.2} to {most:.2})", median(ratios))
    }

    fn figures(&self, name: &str) -> &[f64] {
        self.0.iter().find(|(known, _)| known == name).map_or(&[], |(_, figures)| figures)
    }
}

/// The middle one.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
