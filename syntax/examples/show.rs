//! Prints tree and problems of the files given.
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = jadpo_syntax::parse_file(&text);
        println!("== {path}: {} declarations", file.declarations.len());
        for p in &file.problems {
            println!(
                "  {} {:?} {:?}  {}  help={:?} edit={:?} rel={:?}",
                p.code,
                (p.span.start, p.span.end),
                p.span.text(&text),
                p.message,
                p.help,
                p.edit.as_ref().map(|e| (e.span.text(&text), &e.text)),
                p.related
            );
        }
        if std::env::var("T").is_ok() {
            println!("{:#?}", file.declarations);
        }
    }
}
