//! Two packages that apps of tests connect to: `coinfeed`, which can be called too, and `weather`, which is only heard.

/// Both.
pub const PACKAGES: &str = r#"
//- /packages/coinfeed/provider.jadpo
provider coinfeed {
    base_url: "https://api.coinfeed.example"
    polls: {
        prices: {
            call: fetch_prices
            every: 5m
            emits: PricesChanged
        }
    }
}

operation fetch_prices {
    method: GET
    path: "/v1/prices"
    output: Prices
}

public operation fetch_note {
    method: GET
    path: "/v1/note"
    output: Note
}

public type Note = Object { text: Text }
type Prices = Object { btc: Decimal }
public type PricesChanged = Event { btc: Decimal }
type Hidden = Event { btc: Decimal }
//- /packages/weather/provider.jadpo
provider weather {
    base_url: "https://api.weather.example"
    polls: {
        now: {
            call: fetch_now
            every: 5m
            emits: RainStarted
        }
    }
}

operation fetch_now {
    method: GET
    path: "/now"
    output: Now
}

type Now = Object { millimetres: Decimal }
public type RainStarted = Event { millimetres: Decimal }
"#;

/// Both, with further entries in the provider of `coinfeed`.
pub fn with_entries(entries: &str) -> String {
    PACKAGES.replacen("    polls: {", &format!("    {entries}\n    polls: {{"), 1)
}
