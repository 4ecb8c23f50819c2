//! What the model says of operations.

use super::PROVIDER;
use crate::tests::open;

#[test]
fn the_model_of_an_operation_is_complete() {
    let model = open(&format!(
        "//- /app.jadpo\napp trading {{ }}\nconnection feed {{ package: coinfeed  settings: {{ api_key: env(\"K\") }} }}\n{}{}",
        PROVIDER.replace("/provider.jadpo", "/p/provider.jadpo"),
        r#"
/// Files it.
public operation file_row {
    method: POST
    path: "/v1/{input.id}/rows"
    input: Other
    query: { per_page: 1_00  share: 0.50  tags: input.tags }
    headers: { "X-Day": "d {input.day}" }
    output: List<Row>?
    at: "/rows"
    idempotency_key: header("Idempotency-Key")
    timeout: 3s
}
operation ping { method: HEAD  path: "/ping" }
"#
    ))
    .model()
    .expect("no errors");
    insta::assert_snapshot!(format!("{:#?}", model.packages["coinfeed"].operations), @r#"
{
    "file_row": Operation {
        name: "file_row",
        doc: "Files it.",
        public: true,
        method: "POST",
        path: Template {
            parts: [
                Text(
                    "/v1/",
                ),
                Input(
                    "id",
                ),
                Text(
                    "/rows",
                ),
            ],
        },
        input: Some(
            TypeRef {
                package: Some(
                    "coinfeed",
                ),
                name: "Query",
            },
        ),
        query: [
            (
                "per_page",
                Template {
                    parts: [
                        Text(
                            "100",
                        ),
                    ],
                },
            ),
            (
                "share",
                Template {
                    parts: [
                        Text(
                            "0.5",
                        ),
                    ],
                },
            ),
            (
                "tags",
                Template {
                    parts: [
                        Input(
                            "tags",
                        ),
                    ],
                },
            ),
        ],
        headers: [
            (
                "X-Day",
                Template {
                    parts: [
                        Text(
                            "d ",
                        ),
                        Input(
                            "day",
                        ),
                    ],
                },
            ),
        ],
        body_fields: [
            "page",
            "note",
            "rows",
        ],
        output: Some(
            Nullable(
                List(
                    Named(
                        TypeRef {
                            package: Some(
                                "coinfeed",
                            ),
                            name: "Row",
                        },
                    ),
                    ItemsRule {
                        min_items: None,
                        max_items: None,
                    },
                ),
            ),
        ),
        at: "/rows",
        decode: None,
        changes: true,
        idempotency_header: Some(
            "Idempotency-Key",
        ),
        timeout_ms: 3000,
    },
    "ping": Operation {
        name: "ping",
        doc: "",
        public: false,
        method: "HEAD",
        path: Template {
            parts: [
                Text(
                    "/ping",
                ),
            ],
        },
        input: None,
        query: [],
        headers: [],
        body_fields: [],
        output: None,
        at: "",
        decode: None,
        changes: false,
        idempotency_header: None,
        timeout_ms: 10000,
    },
}
"#);
}
