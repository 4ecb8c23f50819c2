//! What the model says of a provider.

use crate::model::{Auth, Part};
use crate::tests::open;

#[test]
fn the_model_of_a_provider_has_every_default() {
    let model = open(
        r#"
//- /app.jadpo
app trading { }
connection feed { package: coinfeed }
//- /p/provider.jadpo
/// Prices.
provider coinfeed {
    base_url: "https://{settings.region}.coinfeed.example/v1/"
    settings: {
        /// Which one.
        region: Region { default: us_east }
        rate: Decimal? { default: 0.50 }
        key: Secret?
    }
    auth: query("key", settings.key)
    headers: { "X-Version": 3.10  "X-Beta": true  "Accept": "a {settings.region} b" }
    enum_case: kebab
}
public type Region = Enum { us_east  eu }
"#,
    )
    .model()
    .expect("no errors");
    let provider = &model.packages["coinfeed"].provider;
    insta::assert_snapshot!(format!("{provider:#?}"), @r#"
Provider {
    version: "0.1.0",
    base_url: Template {
        parts: [
            Text(
                "https://",
            ),
            Setting(
                "region",
            ),
            Text(
                ".coinfeed.example/v1",
            ),
        ],
    },
    settings: [
        Setting {
            name: "region",
            doc: "Which one.",
            ty: Named(
                TypeRef {
                    package: Some(
                        "coinfeed",
                    ),
                    name: "Region",
                },
            ),
            default_json: Some(
                "\"us-east\"",
            ),
        },
        Setting {
            name: "rate",
            doc: "",
            ty: Nullable(
                Decimal(
                    RangeRule {
                        min: None,
                        max: None,
                    },
                ),
            ),
            default_json: Some(
                "\"0.5\"",
            ),
        },
        Setting {
            name: "key",
            doc: "",
            ty: Nullable(
                Secret,
            ),
            default_json: None,
        },
    ],
    auth: Query(
        "key",
        Template {
            parts: [
                Setting(
                    "key",
                ),
            ],
        },
    ),
    headers: [
        (
            "X-Version",
            Template {
                parts: [
                    Text(
                        "3.1",
                    ),
                ],
            },
        ),
        (
            "X-Beta",
            Template {
                parts: [
                    Text(
                        "true",
                    ),
                ],
            },
        ),
        (
            "Accept",
            Template {
                parts: [
                    Text(
                        "a ",
                    ),
                    Setting(
                        "region",
                    ),
                    Text(
                        " b",
                    ),
                ],
            },
        ),
    ],
    timeout_ms: 10000,
    retry: Retry {
        attempts: 3,
        initial_ms: 200,
        max_ms: 5000,
    },
    max_response_bytes: 8388608,
    max_concurrent: None,
    polls: {},
}
"#);
    assert!(
        matches!(&provider.auth, Auth::Query(name, value) if name == "key" && value.parts == [Part::Setting("key".into())])
    );
}
