//! Fields of objects and events.

use std::collections::BTreeMap;

use super::matched::matched;
use super::uses::is_nullable;
use super::{Differ, Travel};
use crate::surface::entry::Field;
use crate::surface::spot::Spot;
use crate::surface::table::Kind;

impl Differ<'_> {
    /// The fields of the type `of`, which is called so before and after.
    pub(super) fn fields(
        &mut self,
        of: &str,
        old: &BTreeMap<String, Field>,
        new: &BTreeMap<String, Field>,
        travel: Travel,
    ) {
        let spot = |name: &str| Spot::Field { of: of.to_owned(), name: name.to_owned() };
        let found = matched(old, new, |(_, old), (_, new)| {
            old.optional == new.optional && self.alike(&old.ty, &new.ty)
        });
        for (name, new_name) in &found.renamed {
            self.push(Kind::FieldRenamed, travel, Some(spot(name)), Some(spot(new_name)), ["", new_name]);
        }
        for name in &found.removed {
            self.push(Kind::FieldRemoved, travel, Some(spot(name)), None, ["", ""]);
        }
        for name in &found.added {
            let field = &new[*name];
            let kind = match field {
                Field { optional: true, .. } => Kind::FieldAddedOptional,
                Field { ty, .. } if is_nullable(self.new, ty) => Kind::FieldAddedNullable,
                _ => Kind::FieldAddedRequired,
            };
            self.push(kind, travel, None, Some(spot(name)), ["", &field.to_string()]);
        }
        for (name, old) in old {
            if let Some(new) = new.get(name).filter(|new| *new != old) {
                let at = (spot(name), spot(name));
                self.used(at, (&old.ty, old.optional), (&new.ty, new.optional), travel);
            }
        }
    }
}
