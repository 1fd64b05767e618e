//! Children of a node under construction, united by value.

use crate::budget::Exhausted;
use crate::mdd::{ChildList, Held, Session};

/// Add `child` to the child of `value` in `list`, a node on `level`.
#[inline]
pub(super) fn join<'m, 'id>(
    session: &Session<'m, 'id>,
    level: u32,
    list: &mut ChildList<'m, 'id>,
    value: u32,
    child: Held<'m, 'id>,
) -> Result<(), Exhausted> {
    if child.is_empty() {
        return Ok(());
    }
    match list.position(value) {
        Ok(position) => {
            let union = session.union(level + 1, list.child(position), child.edge())?;
            list.replace(position, union);
        }
        Err(position) => list.insert(position, value, child),
    }
    Ok(())
}
