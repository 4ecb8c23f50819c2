//! What the codecs of generated code name: a line for each type, which becomes its implementations here.

pub use super::by::{By, Checked, OrNull, Plain};
pub use super::check::{DecimalCheck, IntCheck, ItemsCheck, TextCheck};
pub use crate::plan::{BytesWire, InstantWire};
pub use crate::{
    codec_newtype as newtype, codec_object as object, codec_text as text, codec_variants as variants,
};

/// Reads and writes a struct as an object, its fields in the byte order of their declared names.
///
/// A field is `name`, then where they differ `("declared name")`, `= "name on the wire"`, `at "/its/place"`, `: optional`
/// where it may be missing, and `as` how its value is read. Where a struct has more than [`super::AT_ONCE`] fields, each
/// begins with its number. Everything stands in a constant without a name, so that nothing is added to the type's own.
#[doc(hidden)]
#[macro_export]
macro_rules! codec_object {
    ($name:ty {
        $($field:ident $(($declared:literal))? $(= $wire:literal)? $(at $at:literal)?),* $(,)?
    }) => {
        $crate::codec_object! {
            @ $name, $crate::codec::Plains, [$($field),*],
            [$($crate::codec::Field::new(::core::stringify!($field))
                $(.named($declared))? $(.wire($wire))? $(.at($at))?),*]
        }
    };
    ($name:ty {
        $(
            $field:ident $(($declared:literal))? $(= $wire:literal)? $(at $at:literal)? $(: $optional:ident)?
            $(as $by:expr)?
        ),* $(,)?
    }) => {
        $crate::codec_object! {
            @ $name, ($($crate::codec::generated::Plain $(.$optional())? $(.with($by))?,)*), [$($field),*],
            [$($crate::codec::Field::new(::core::stringify!($field))
                $(.named($declared))? $(.wire($wire))? $(.at($at))? $(.$optional())?),*]
        }
    };
    ($name:ty {
        $(
            $index:literal $field:ident $(($declared:literal))? $(= $wire:literal)? $(at $at:literal)?
            $(: $optional:ident)? $(as $by:expr)?
        ),* $(,)?
    }) => {
        const _: () = {
            const FIELDS: &[$crate::codec::Field] = &[
                $($crate::codec::Field::new(::core::stringify!($field))
                    $(.named($declared))? $(.wire($wire))? $(.at($at))? $(.$optional())?),*
            ];

            impl $crate::codec::Wire for $name {
                fn read(
                    reader: &mut $crate::codec::Reader<'_>,
                ) -> ::core::result::Result<Self, $crate::codec::Mismatch> {
                    $(let mut $field = $crate::codec::Got::new(
                        $crate::codec::generated::Plain $(.$optional())? $(.with($by))?
                    );)*
                    reader.object(FIELDS, |reader, index| match index {
                        $($index => $field.read(reader),)*
                        _ => ::core::result::Result::Ok(()),
                    })?;
                    // Room for the whole value is another function's, which no object within this one waits for.
                    let mut made = || ::core::result::Result::Ok(Self { $($field: $field.found()),* });
                    made()
                }

                fn write(&self, writer: &mut $crate::codec::Writer) {
                    let mut object = writer.object(FIELDS);
                    $(object.field_by(
                        $index,
                        &$crate::codec::generated::Plain $(.$optional())? $(.with($by))?,
                        &self.$field,
                    );)*
                    object.end();
                }
            }
        };
    };
    (@ $name:ty, $by:expr, [$($field:ident),*], [$($described:expr),*]) => {
        const _: () = {
            const FIELDS: &[$crate::codec::Field] = &[$($described),*];

            impl $crate::codec::Wire for $name {
                fn read(
                    reader: &mut $crate::codec::Reader<'_>,
                ) -> ::core::result::Result<Self, $crate::codec::Mismatch> {
                    reader.fields(FIELDS, &$by, |($($field,)*)| Self { $($field),* })
                }

                fn write(&self, writer: &mut $crate::codec::Writer) {
                    writer.fields(FIELDS, &$by, ($(&self.$field,)*));
                }
            }
        };
    };
}

/// The constraints of a text, kept with their compiled pattern.
#[doc(hidden)]
#[macro_export]
macro_rules! codec_text {
    ($min:expr, $max:expr, $pattern:expr) => {{
        static CHECK: $crate::codec::generated::TextCheck =
            $crate::codec::generated::TextCheck::new($min, $max, $pattern);
        &CHECK
    }};
}

/// Reads and writes an enum by the method that gives what is sent for it: its variants, and after `;` its catch-all.
#[doc(hidden)]
#[macro_export]
macro_rules! codec_variants {
    ($name:ty { as_str: $($variants:tt)* }) => {
        $crate::codec_variants! { @ $name, ::std::string::String, as_str, $($variants)* }
    };
    ($name:ty { as_i64: $($variants:tt)* }) => {
        $crate::codec_variants! { @ $name, i64, as_i64, $($variants)* }
    };
    (@ $name:ty, $sent:ty, $get:ident, $($known:ident),* $(; $other:ident)?) => {
        impl $crate::codec::Variants for $name {
            type Sent = $sent;
            const KNOWN: &'static [Self] = &[$(Self::$known),*];
            $(const OTHER: ::core::option::Option<fn($sent) -> Self> = ::core::option::Option::Some(Self::$other);)?

            fn sent(&self) -> <$sent as $crate::codec::Sent>::Value<'_> {
                self.$get()
            }
        }

        impl $crate::codec::Wire for $name {
            fn read(
                reader: &mut $crate::codec::Reader<'_>,
            ) -> ::core::result::Result<Self, $crate::codec::Mismatch> {
                $crate::codec::Variants::read_variant(reader)
            }

            fn write(&self, writer: &mut $crate::codec::Writer) {
                <$sent as $crate::codec::Sent>::write(self.$get(), writer);
            }
        }

        impl $crate::sql::ToSql for $name {
            fn to_sql(&self) -> $crate::sql::SqlValue {
                <$sent as $crate::codec::Sent>::sql(self.$get())
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                <$sent as $crate::codec::Sent>::show(self.$get(), formatter)
            }
        }
    };
}

/// Reads and writes a newtype as what it holds, and after `;` what else can be done with it: values `checked` where they
/// are made, a `key` of a map, `shown` to people, a value of `sql`.
#[doc(hidden)]
#[macro_export]
macro_rules! codec_newtype {
    ($name:ty { $inner:ty as $by:expr; $($can:ident)* }) => {
        const _: () = {
            fn by() -> impl $crate::codec::generated::By<$inner> {
                $by
            }

            impl $crate::codec::Wire for $name {
                fn read(
                    reader: &mut $crate::codec::Reader<'_>,
                ) -> ::core::result::Result<Self, $crate::codec::Mismatch> {
                    $crate::codec::generated::By::read(&by(), reader).map(Self)
                }

                fn write(&self, writer: &mut $crate::codec::Writer) {
                    $crate::codec::generated::By::write(&by(), &self.0, writer);
                }
            }

            $($crate::codec_newtype! { @ $can $name, $inner })*
        };
    };
    (@ checked $name:ty, $inner:ty) => {
        impl $crate::codec::Constrained for $name {
            type Inner = $inner;

            fn check(value: &$inner) -> ::core::result::Result<(), $crate::codec::ConstraintError> {
                $crate::codec::generated::By::check(&by(), value)
            }
        }
    };
    (@ key $name:ty, $inner:ty) => {
        impl $crate::codec::MapKey for $name {
            fn read_key(text: &str) -> ::core::result::Result<Self, ::std::string::String> {
                let value = <$inner as $crate::codec::MapKey>::read_key(text)?;
                $crate::codec::generated::By::check(&by(), &value)
                    .map(|()| Self(value))
                    .map_err(|error| ::std::string::ToString::to_string(&error))
            }

            fn write_key(&self) -> ::std::borrow::Cow<'_, str> {
                $crate::codec::MapKey::write_key(&self.0)
            }
        }
    };
    (@ shown $name:ty, $inner:ty) => {
        impl ::core::fmt::Display for $name {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.0, formatter)
            }
        }
    };
    (@ sql $name:ty, $inner:ty) => {
        impl $crate::sql::ToSql for $name {
            fn to_sql(&self) -> $crate::sql::SqlValue {
                $crate::sql::ToSql::to_sql(&self.0)
            }
        }
    };
}
