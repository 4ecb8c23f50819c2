//! Which documents are told of first.

use serde_json::json;

use super::disk::Disk;
use super::editor::{Editor, codes, run};

const PROVIDER: &str = "provider coinfeed { base_url: \"https://api.example.test\" }\n";
const SHARED: &str = "type Shared = Text\n";

#[test]
fn what_is_open_is_told_of_before_what_is_not() {
    run(async {
        let users = ["a", "b", "c", "d"].map(|name| {
            let text = format!("type User{} = Object {{ it: Shared }}\n", name.to_uppercase());
            (format!("/p/{name}.jadpo"), text)
        });
        let mut files = vec![("/p/provider.jadpo", PROVIDER), ("/p/shared.jadpo", SHARED)];
        files.extend(users.iter().map(|(path, text)| (&**path, &**text)));
        let mut editor = Editor::begin(&Disk::with(&files), "/p", json!({})).await;
        editor.open("/p/shared.jadpo", 1, SHARED).await;
        editor.open("/p/c.jadpo", 1, &users[2].1).await;
        assert_eq!(editor.codes_at("/p/c.jadpo", 1).await, [""; 0]);
        editor.change("/p/shared.jadpo", 2, json!([{ "text": "type Other = Text\n" }])).await;
        assert_eq!(codes(&editor.next_shown("/p/c.jadpo").await), ["type.unknown"]);
        for closed in ["/p/a.jadpo", "/p/b.jadpo", "/p/d.jadpo"] {
            assert_eq!(codes(&editor.shown(closed)), [""; 0], "{closed} comes later");
        }
        for closed in ["/p/a.jadpo", "/p/b.jadpo", "/p/d.jadpo"] {
            while editor.shown(closed).is_empty() {
                editor.next_shown(closed).await;
            }
        }
    });
}
