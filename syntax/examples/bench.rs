//! Times parsing of 100,000 lines.
use std::time::Duration;
fn cpu() -> Duration {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(s.split(' ').next().unwrap().parse().unwrap())
}
fn main() {
    let unit = std::fs::read_to_string("/tmp/unit.jadpo").unwrap();
    let lines = unit.lines().count();
    let text: String = unit.repeat(100_000 / lines);
    println!("{} bytes, {} lines", text.len(), text.lines().count());
    for _ in 0..5 {
        let t = cpu();
        let tokens = jadpo_syntax::tokens(&text);
        let a = cpu().saturating_sub(t);
        let t = cpu();
        let split = jadpo_syntax::split(&text);
        let b = cpu().saturating_sub(t);
        let t = cpu();
        let mut n = 0;
        for c in &split.chunks {
            n += jadpo_syntax::parse(c.span.text(&text)).problems.len();
        }
        let c = cpu().saturating_sub(t);
        let t = cpu();
        let file = jadpo_syntax::parse_file(&text);
        let d = cpu().saturating_sub(t);
        println!(
            "tokens {} {a:?}, split {} {b:?}, parse each {n} {c:?}, parse_file {} {d:?}",
            tokens.len(),
            split.chunks.len(),
            file.declarations.len()
        );
    }
}
