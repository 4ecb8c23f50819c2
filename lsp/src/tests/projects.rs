//! Which projects are served, and what happens when files come and go.

use serde_json::json;

use super::disk::Disk;
use super::editor::{Editor, codes, run, uri};

const PROVIDER: &str = "provider coinfeed { base_url: \"https://api.example.test\" }\n";
const WRONG: &str = "type a = Object { a: Text }\n";

#[test]
fn several_projects_of_one_folder_are_served() {
    run(async {
        let disk = Disk::with(&[
            ("/w/one/provider.jadpo", PROVIDER),
            ("/w/one/a.jadpo", WRONG),
            ("/w/two/provider.jadpo", PROVIDER),
            ("/w/two/deep/b.jadpo", WRONG),
        ]);
        let mut editor = Editor::begin(&disk, "/w", json!({})).await;
        editor.open("/w/one/a.jadpo", 1, WRONG).await;
        assert_eq!(editor.codes_at("/w/one/a.jadpo", 1).await, ["name.case_invalid"]);
        editor.open("/w/two/deep/b.jadpo", 1, WRONG).await;
        assert_eq!(editor.codes_at("/w/two/deep/b.jadpo", 1).await, ["name.case_invalid"]);
    });
}

#[test]
fn a_file_outside_of_the_folder_is_checked_in_its_own_project() {
    run(async {
        let disk = Disk::with(&[
            ("/w/x/provider.jadpo", PROVIDER),
            ("/v/p/provider.jadpo", PROVIDER),
            ("/v/p/a/b.jadpo", ""),
        ]);
        let mut editor = Editor::begin(&disk, "/w", json!({})).await;
        editor.open("/v/p/a/b.jadpo", 1, WRONG).await;
        assert_eq!(editor.codes_at("/v/p/a/b.jadpo", 1).await, ["name.case_invalid"]);
        editor.close("/v/p/a/b.jadpo").await;
        assert_eq!(codes(&editor.next_shown("/v/p/a/b.jadpo").await), [""; 0]);
    });
}

#[test]
fn a_file_without_a_project_says_so() {
    run(async {
        let disk = Disk::with(&[("/v/a.jadpo", "")]);
        let mut editor = Editor::begin(&disk, "/w", json!({})).await;
        editor.open("/v/a.jadpo", 1, WRONG).await;
        assert_eq!(editor.codes_at("/v/a.jadpo", 1).await, ["file.project_missing"]);
        // A manifest beside it that was never saved makes a project of them.
        editor.open("/v/provider.jadpo", 1, PROVIDER).await;
        while codes(&editor.shown("/v/a.jadpo")) != ["name.case_invalid"] {
            editor.next_shown("/v/a.jadpo").await;
        }
    });
}

#[test]
fn a_package_of_an_app_is_checked_with_the_app_alone() {
    run(async {
        let disk = Disk::with(&[
            ("/w/app.jadpo", "app trading { packages: [\"../shared/coinfeed\"] }\n"),
            ("/shared/coinfeed/provider.jadpo", PROVIDER),
            ("/shared/coinfeed/a.jadpo", ""),
        ]);
        let mut editor = Editor::begin(&disk, "/w", json!({})).await;
        editor.open("/shared/coinfeed/a.jadpo", 1, WRONG).await;
        assert_eq!(editor.codes_at("/shared/coinfeed/a.jadpo", 1).await, ["name.case_invalid"]);
        editor.change("/shared/coinfeed/a.jadpo", 2, json!([{ "text": "type A = Text\n" }])).await;
        assert_eq!(editor.codes_at("/shared/coinfeed/a.jadpo", 2).await, [""; 0]);
        editor.change("/shared/coinfeed/a.jadpo", 3, json!([{ "text": WRONG }])).await;
        assert_eq!(editor.codes_at("/shared/coinfeed/a.jadpo", 3).await, ["name.case_invalid"]);
    });
}

#[test]
fn a_link_to_a_file_is_that_file() {
    run(async {
        let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER), ("/elsewhere/a.jadpo", WRONG)]);
        disk.link("/p/linked.jadpo", "/elsewhere/a.jadpo");
        let mut editor = Editor::begin(&disk, "/p", json!({})).await;
        editor.open("/p/linked.jadpo", 1, WRONG).await;
        assert_eq!(editor.codes_at("/p/linked.jadpo", 1).await, ["name.case_invalid"]);
        editor.change("/p/linked.jadpo", 2, json!([{ "text": "" }])).await;
        assert_eq!(editor.codes_at("/p/linked.jadpo", 2).await, [""; 0]);
    });
}

#[test]
fn files_that_come_change_and_go_on_disk_are_followed() {
    run(async {
        let disk = Disk::with(&[("/w/p/provider.jadpo", PROVIDER)]);
        let mut editor = Editor::begin(&disk, "/w", json!({})).await;
        disk.write("/w/p/a.jadpo", WRONG);
        editor.watched("/w/p/a.jadpo", 1).await;
        assert_eq!(codes(&editor.next_shown("/w/p/a.jadpo").await), ["name.case_invalid"]);
        disk.write("/w/p/a.jadpo", "type A = Text\n");
        editor.watched("/w/p/a.jadpo", 2).await;
        assert_eq!(codes(&editor.next_shown("/w/p/a.jadpo").await), [""; 0]);
        disk.write("/w/p/a.jadpo", WRONG);
        editor.watched("/w/p/a.jadpo", 2).await;
        assert_eq!(codes(&editor.next_shown("/w/p/a.jadpo").await), ["name.case_invalid"]);
        disk.remove("/w/p/a.jadpo");
        editor.watched("/w/p/a.jadpo", 3).await;
        assert_eq!(codes(&editor.next_shown("/w/p/a.jadpo").await), [""; 0]);
    });
}

#[test]
fn a_project_that_comes_is_served_and_one_that_goes_is_cleared() {
    run(async {
        let disk = Disk::with(&[("/w/keep/provider.jadpo", PROVIDER)]);
        let mut editor = Editor::begin(&disk, "/w", json!({})).await;
        disk.write("/w/p/provider.jadpo", "provider P { base_url: \"https://api.example.test\" }\n");
        editor.watched("/w/p/provider.jadpo", 1).await;
        assert_eq!(codes(&editor.next_shown("/w/p/provider.jadpo").await), ["name.case_invalid"]);
        disk.remove("/w/p/provider.jadpo");
        editor.watched("/w/p/provider.jadpo", 3).await;
        assert_eq!(codes(&editor.next_shown("/w/p/provider.jadpo").await), [""; 0]);
    });
}

#[test]
fn a_closed_document_is_what_is_on_disk() {
    run(async {
        let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER), ("/p/a.jadpo", WRONG)]);
        let mut editor = Editor::begin(&disk, "/p", json!({})).await;
        assert_eq!(codes(&editor.next_shown("/p/a.jadpo").await), ["name.case_invalid"]);
        editor.open("/p/a.jadpo", 1, "").await;
        assert_eq!(editor.codes_at("/p/a.jadpo", 1).await, [""; 0]);
        // Meanwhile the disk changes, and the editor's text still counts.
        disk.write("/p/a.jadpo", "type b = Text\n");
        editor.watched("/p/a.jadpo", 2).await;
        editor.change("/p/a.jadpo", 2, json!([{ "text": "\n" }])).await;
        assert_eq!(editor.codes_at("/p/a.jadpo", 2).await, [""; 0]);
        editor.close("/p/a.jadpo").await;
        assert_eq!(codes(&editor.next_shown("/p/a.jadpo").await), ["name.case_invalid"]);
    });
}

#[test]
fn a_folder_that_is_taken_away_is_cleared() {
    run(async {
        let disk = Disk::with(&[("/w/p/provider.jadpo", PROVIDER), ("/w/p/a.jadpo", WRONG)]);
        let mut editor = Editor::begin(&disk, "/w", json!({})).await;
        assert_eq!(codes(&editor.next_shown("/w/p/a.jadpo").await), ["name.case_invalid"]);
        let folder = json!([{ "uri": uri("/w"), "name": "folder" }]);
        let event = json!({ "event": { "added": [], "removed": folder } });
        editor.notify("workspace/didChangeWorkspaceFolders", event).await;
        assert_eq!(codes(&editor.next_shown("/w/p/a.jadpo").await), [""; 0]);
        let event = json!({ "event": { "added": folder, "removed": [] } });
        editor.notify("workspace/didChangeWorkspaceFolders", event).await;
        assert_eq!(codes(&editor.next_shown("/w/p/a.jadpo").await), ["name.case_invalid"]);
    });
}
