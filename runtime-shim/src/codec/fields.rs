//! An object's fields all at once, as a tuple: generated code names them, and this reads and writes them.

use super::by::{By, Plain};
use super::error::Mismatch;
use super::field::Field;
use super::reader::Reader;
use super::wire::Wire;
use super::writer::Writer;

/// How the fields whose values are the tuple `T` are read.
pub trait ReadFields<T> {
    /// Reads an object, of whose fields `make` makes a value.
    fn read<V>(
        &self,
        reader: &mut Reader<'_>,
        fields: &[Field],
        make: impl FnOnce(T) -> V,
    ) -> Result<V, Mismatch>;
}

/// How the fields whose values `R` is a tuple of references to are written.
pub trait WriteFields<R> {
    /// Writes an object.
    fn write(&self, values: R, writer: &mut Writer, fields: &[Field]);
}

/// Every field [`Plain`].
#[derive(Clone, Copy, Debug)]
pub struct Plains;

impl Reader<'_> {
    /// Reads an object of these fields; `make` gets their values, in the table's order.
    #[inline]
    pub fn fields<T, V>(
        &mut self,
        fields: &[Field],
        by: &impl ReadFields<T>,
        make: impl FnOnce(T) -> V,
    ) -> Result<V, Mismatch> {
        by.read(self, fields, make)
    }
}

impl Writer {
    /// Writes an object of these fields: references to their values, in the table's order.
    pub fn fields<R>(&mut self, fields: &[Field], by: &impl WriteFields<R>, values: R) {
        by.write(values, self, fields);
    }
}

impl ReadFields<()> for Plains {
    fn read<V>(
        &self,
        reader: &mut Reader<'_>,
        fields: &[Field],
        make: impl FnOnce(()) -> V,
    ) -> Result<V, Mismatch> {
        reader.object(fields, |_, _| Ok(())).map(make)
    }
}

impl WriteFields<()> for Plains {
    fn write(&self, (): (), writer: &mut Writer, fields: &[Field]) {
        writer.object(fields).end();
    }
}

/// Reads the value of a field.
#[inline]
fn fill<T>(by: &impl By<T>, value: &mut Option<T>, reader: &mut Reader<'_>) -> Result<(), Mismatch> {
    *value = Some(by.read(reader)?);
    Ok(())
}

/// For a tuple: a type of values, one of ways, a name and an index each.
///
/// An object within an object is read while its own function waits, and without optimisations each value that a function
/// names has room of its own. So while the fields are read nothing waits but room for one value of each.
macro_rules! tuple {
    ($(($value:ident $by:ident $got:ident $index:tt))+) => {
        impl<$($value, $by: By<$value>),+> ReadFields<($($value,)+)> for ($($by,)+) {
            #[inline]
            fn read<V>(
                &self,
                reader: &mut Reader<'_>,
                fields: &[Field],
                make: impl FnOnce(($($value,)+)) -> V,
            ) -> Result<V, Mismatch> {
                $(let mut $got = None;)+
                reader.object(fields, |reader, index| match index {
                    $($index => fill(&self.$index, &mut $got, reader),)+
                    _ => Ok(()),
                })?;
                let made = || Ok(make(($(self.$index.found($got.take()),)+)));
                made()
            }
        }

        impl<$($value: Wire),+> ReadFields<($($value,)+)> for Plains {
            #[inline]
            fn read<V>(
                &self,
                reader: &mut Reader<'_>,
                fields: &[Field],
                make: impl FnOnce(($($value,)+)) -> V,
            ) -> Result<V, Mismatch> {
                $(let $got = Plain;)+
                ($($got,)+).read(reader, fields, make)
            }
        }

        impl<'v, $($value: 'v, $by: By<$value>),+> WriteFields<($(&'v $value,)+)> for ($($by,)+) {
            fn write(&self, values: ($(&'v $value,)+), writer: &mut Writer, fields: &[Field]) {
                let mut object = writer.object(fields);
                $(object.field_by($index, &self.$index, values.$index);)+
                object.end();
            }
        }

        impl<'v, $($value: Wire + 'v),+> WriteFields<($(&'v $value,)+)> for Plains {
            fn write(&self, values: ($(&'v $value,)+), writer: &mut Writer, fields: &[Field]) {
                $(let $got = Plain;)+
                ($($got,)+).write(values, writer, fields);
            }
        }
    };
}

/// Every tuple that begins the list.
macro_rules! tuples {
    ([$($before:tt)*]) => {
        /// The most fields that are read and written at once; those of a larger object are numbered.
        pub const AT_ONCE: usize = [$(stringify!($before)),*].len();
    };
    ([$($before:tt)*] $next:tt $($after:tt)*) => {
        tuple! { $($before)* $next }
        tuples! { [$($before)* $next] $($after)* }
    };
}

tuples! {
    []
    (A ByA a 0) (B ByB b 1) (C ByC c 2) (D ByD d 3) (E ByE e 4) (F ByF f 5) (G ByG g 6) (H ByH h 7)
    (I ByI i 8) (J ByJ j 9) (K ByK k 10) (L ByL l 11) (M ByM m 12) (N ByN n 13) (O ByO o 14) (P ByP p 15)
}
