//! Every generated type of the awkward app, by its key in the plan.

use std::collections::BTreeSet;

use jadpo_runtime::codec::{DecodeError, Form, Wire, decode, encode};
use jadpo_test_app::app;

use super::{Written, plan};

/// The generated codec of one type.
pub struct Codec {
    /// The type's key in the plan.
    pub key: &'static str,
    /// Reads a text and writes what was read in both forms.
    pub(super) read: fn(&str, Form) -> Result<Written, DecodeError>,
}

fn read<T: Wire>(text: &str, form: Form) -> Result<Written, DecodeError> {
    let value: T = decode(text, form)?;
    Ok(Written { wire: encode(&value, Form::Wire), canonical: encode(&value, Form::Canonical) })
}

macro_rules! registry {
    ($($key:literal: $type:ty,)*) => {
        /// By key.
        pub const REGISTRY: &[Codec] = &[$(Codec { key: $key, read: read::<$type> },)*];
    };
}

registry! {
    "Vec": app::Vec,
    "awkward.Box": app::awkward::Box,
    "awkward.Ok": app::awkward::Ok,
    "awkward.Option": app::awkward::Option,
    "awkward.Result": app::awkward::Result,
    "awkward.Self": app::awkward::Self_,
    "awkward.Some": app::awkward::Some,
    "awkward.String": app::awkward::String,
    "cases.Door": app::cases::Door,
    "cases.Doors": app::cases::Doors,
    "cases.Lamp": app::cases::Lamp,
    "cases.Left": app::cases::Left,
    "cases.Moment": app::cases::Moment,
    "cases.Node": app::cases::Node,
    "cases.Order": app::cases::Order,
    "cases.OrderSeen": app::cases::OrderSeen,
    "cases.Prices": app::cases::Prices,
    "cases.PricesChanged": app::cases::PricesChanged,
    "cases.Right": app::cases::Right,
    "cases.Shop": app::cases::Shop,
    "cases.State": app::cases::State,
    "cases.TitleChanged": app::cases::TitleChanged,
    "cases.Titled": app::cases::Titled,
    "cases.Tree": app::cases::Tree,
    "shapes.Anything": app::shapes::Anything,
    "shapes.Birthday": app::shapes::Birthday,
    "shapes.Blob": app::shapes::Blob,
    "shapes.Code": app::shapes::Code,
    "shapes.Codes": app::shapes::Codes,
    "shapes.Everything": app::shapes::Everything,
    "shapes.Few": app::shapes::Few,
    "shapes.Flag": app::shapes::Flag,
    "shapes.Id": app::shapes::Id,
    "shapes.Inner": app::shapes::Inner,
    "shapes.Level": app::shapes::Level,
    "shapes.Link": app::shapes::Link,
    "shapes.Local": app::shapes::Local,
    "shapes.Maybe": app::shapes::Maybe,
    "shapes.OpenLevel": app::shapes::OpenLevel,
    "shapes.Percent": app::shapes::Percent,
    "shapes.Ratio": app::shapes::Ratio,
    "shapes.Renamed": app::shapes::Renamed,
    "shapes.Seen": app::shapes::Seen,
    "shapes.Seventeen": app::shapes::Seventeen,
    "shapes.Side": app::shapes::Side,
    "shapes.Sixteen": app::shapes::Sixteen,
    "shapes.Status": app::shapes::Status,
    "shapes.Table": app::shapes::Table,
    "shapes.Took": app::shapes::Took,
    "shapes.Tree": app::shapes::Tree,
    "shapes.Way": app::shapes::Way,
    "shapes.Who": app::shapes::Who,
    "shapes.Worn": app::shapes::Worn,
}

/// Types that only a poll reads: the interpreter has them, and no code is generated.
const INTERPRETED_ONLY: [&str; 1] = ["awkward.Send"];

/// The codec of the type with this key.
#[track_caller]
pub fn codec(key: &str) -> &'static Codec {
    REGISTRY.iter().find(|codec| codec.key == key).unwrap_or_else(|| panic!("{key} is not registered"))
}

#[test]
fn every_type_of_the_plan_is_registered() {
    let plan = plan();
    let planned: BTreeSet<&str> = plan.types.keys().map(String::as_str).collect();
    let registered: BTreeSet<&str> = REGISTRY.iter().map(|codec| codec.key).chain(INTERPRETED_ONLY).collect();
    assert_eq!(planned, registered);
}
