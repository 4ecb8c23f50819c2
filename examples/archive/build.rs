//! Turns the manifests into Rust before the app is compiled.

fn main() {
    jadpo_codegen::build("app.jadpo");
}
