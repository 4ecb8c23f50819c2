//! Inputs made from seeds by a generator whose every choice follows from a number.

/// What editors, shells and other people's programs leave in texts.
const INSERTED: [&[u8]; 28] = [
    b"\0",
    b"\r\n",
    b"\r",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc3",
    b"\xe2\x80\x8b",
    b"\xe2\x80\xae",
    b"\xe2\x80\xa8",
    b"\xcc\x81",
    b"\xf0\x9f\xaa\x99",
    b"\"",
    b"\\",
    b"\\u{",
    b"//",
    b"/// ",
    b"{",
    b"}",
    b"[",
    b"(",
    b"<",
    b">",
    b",",
    b":",
    b"=",
    b"?",
    b"\n",
    b"99999999999999999999",
];

/// What is repeated to nest.
const NESTED: [&[u8]; 8] = [b"{", b"[", b"(", b"List<", b"a: {", b"x(", b"{\"list\":[", b"[["];

/// The longest that doubling lets an input become.
const BYTES_MAX: usize = 40_000;

/// Numbers that look like chance and are the same each time: a xorshift generator.
pub struct Dice(u64);

impl Dice {
    /// The generator of a number.
    pub fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`; 0 below 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % end.max(1)
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// One of the seeds with a few mutations.
pub fn mutated(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut input = dice.one(seeds).clone();
    for _ in 0..=dice.below(4) {
        mutate(dice, &mut input, seeds);
    }
    input
}

fn mutate(dice: &mut Dice, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let at = dice.below(input.len() + 1);
    match dice.below(12) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
        }
        1 => input.truncate(at),
        2 | 3 => insert(input, at, dice.one::<&[u8]>(&INSERTED)),
        4 => {
            let times = [3, 70, 400][dice.below(3)];
            insert(input, at, &dice.one(&NESTED).repeat(times));
        }
        5 => {
            let word = word(input, at);
            input.drain(word);
        }
        6 if input.len() < BYTES_MAX => {
            let copied = input[word(input, at)].to_vec();
            insert(input, at, &copied);
        }
        7 | 8 => {
            let other = dice.one(seeds);
            let taken = word(other, dice.below(other.len()));
            let replaced = word(input, at);
            input.splice(replaced, other[taken].iter().copied());
        }
        9 if input.len() < BYTES_MAX => {
            let end = (at + dice.below(400)).min(input.len());
            let copied = input[at..end].to_vec();
            let to = dice.below(input.len() + 1);
            insert(input, to, &copied);
        }
        10 => {
            let text = String::from_utf8_lossy(input).replace('\n', "\r\n");
            *input = text.into_bytes();
        }
        _ => {
            let end = (at + dice.below(60)).min(input.len());
            input.drain(at..end);
        }
    }
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

/// The letters and digits around a place, or the one byte there.
fn word(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let start = bytes[..at].iter().rposition(|byte| !is_letter(byte)).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|byte| !is_letter(byte)).map_or(bytes.len(), |length| at + length);
    start..end.max((start + 1).min(bytes.len()))
}
