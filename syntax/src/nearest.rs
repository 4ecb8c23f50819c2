//! The nearest of a few words, for slips of the pen in words of the grammar itself.

/// The one of `candidates` that `word` is a slip of: at most a third of the longer word away, the first of the best.
pub(crate) fn nearest_of(word: &str, candidates: &[&'static str]) -> Option<&'static str> {
    let lower: Vec<char> = word.to_lowercase().chars().take(32).collect();
    let near = candidates.iter().filter_map(|candidate| {
        let letters: Vec<char> = candidate.to_lowercase().chars().collect();
        let distance = distance(&lower, &letters);
        (distance <= lower.len().max(letters.len()).div_ceil(3)).then_some((distance, *candidate))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// How many letters to put in, take out, replace or swap with a neighbour make `from` into `to`.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before = vec![0; to.len() + 1];
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (row, a) in from.iter().enumerate() {
        let mut line = vec![row + 1; to.len() + 1];
        for (column, b) in to.iter().enumerate() {
            let replaced = last[column] + usize::from(a != b);
            line[column + 1] = replaced.min(last[column + 1] + 1).min(line[column] + 1);
            let swapped = row > 0 && column > 0 && *a == to[column - 1] && from[row - 1] == *b;
            if swapped {
                line[column + 1] = line[column + 1].min(before[column - 1] + 1);
            }
        }
        before = std::mem::replace(&mut last, line);
    }
    last[to.len()]
}
