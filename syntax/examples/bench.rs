//! Times parsing of 100,000 lines.
use std::time::Instant;
fn main() {
    let unit = std::fs::read_to_string("/tmp/unit.jadpo").unwrap();
    let lines = unit.lines().count();
    let text: String = unit.repeat(100_000 / lines);
    println!("{} bytes, {} lines", text.len(), text.lines().count());
    for _ in 0..5 {
        let t = Instant::now();
        let tokens = jadpo_syntax::tokens(&text);
        let a = t.elapsed();
        let t = Instant::now();
        let split = jadpo_syntax::split(&text);
        let b = t.elapsed();
        let t = Instant::now();
        let mut n = 0;
        for c in &split.chunks {
            n += jadpo_syntax::parse(c.span.text(&text)).problems.len();
        }
        let c = t.elapsed();
        let t = Instant::now();
        let file = jadpo_syntax::parse_file(&text);
        let d = t.elapsed();
        println!(
            "tokens {} {a:?}, split {} {b:?}, parse each {n} {c:?}, parse_file {} {d:?}",
            tokens.len(),
            split.chunks.len(),
            file.declarations.len()
        );
    }
}
