//! Types that hold themselves beside fields that take much room.

use url::Url;

use crate::codec::generated::object;

/// A struct of addresses and the next of itself.
macro_rules! wide {
    ($name:ident { $($field:ident)* } object! { $($codec:tt)* }) => {
        #[derive(Debug)]
        pub(super) struct $name { $($field: Url,)* next: Option<Box<$name>> }

        object! { $name { $($codec)* } }
    };
}

wide! { Nullable { a b c d e f g h i j k l m n o }
object! { a, b, c, d, e, f, g, h, i, j, k, l, m, n, next, o } }
wide! { Absent { a b c d e f g h i j k l m n o }
object! { a, b, c, d, e, f, g, h, i, j, k, l, m, n, next: optional, o } }
wide! { Large { a b c d e f g h i j k l m n o p }
object! {
    0 a, 1 b, 2 c, 3 d, 4 e, 5 f, 6 g, 7 h, 8 i, 9 j, 10 k, 11 l, 12 m, 13 n, 14 next: optional, 15 o, 16 p,
} }

/// As deep as the reader goes, of objects with addresses up to the field `last`; the innermost has `end`.
pub(super) fn deepest(last: char, end: &str) -> String {
    let fields = |names: std::ops::RangeInclusive<char>| {
        let fields: Vec<_> = names.map(|name| format!(r#""{name}":"https://x.example/""#)).collect();
        fields.join(",")
    };
    let (before, after) = (fields('a'..='n'), fields('o'..=last));
    let levels = 127;
    let (open, close) = (format!(r#"{{{before},"next":"#), format!(",{after}}}"));
    format!("{}{{{before},{end}{after}}}{}", open.repeat(levels), close.repeat(levels))
}
