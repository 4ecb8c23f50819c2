//! Turns the manifest into Rust.

fn main() {
    jadpo_codegen::build("app.jadpo");
}
