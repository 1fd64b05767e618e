//! Sets of states without the values of some variables: what is left of each state, once.

use crate::budget::Budget;
use crate::mdd::{EdgeRef, Held, Mdd, Session, is_empty};
use crate::stop_reason::StopReason;

/// The set with 0 in place of each value on the levels that are `left_out`.
///
/// # Errors
/// [`StopReason`] when the budget is used up, or the set is one of other tuples than there are levels.
pub fn without(states: &Mdd, left_out: &[bool], budget: &Budget) -> Result<Mdd, StopReason> {
    states.space().expect(left_out.len())?;
    states.run(budget, |session, root| {
        let operator = session.reserve_operators(1)?;
        Projection { session, left_out, operator }.of(0, root)
    })
}

struct Projection<'a, 's, 'm, 'id> {
    session: &'s Session<'m, 'id>,
    left_out: &'a [bool],
    operator: u32,
}

impl<'m, 'id> Projection<'_, '_, 'm, 'id> {
    fn of(&self, level: u32, node: EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, StopReason> {
        let Some(&left_out) = self.left_out.get(level as usize) else { return Ok(self.session.hold(node)) };
        if is_empty(node) {
            return Ok(self.session.empty());
        }
        if let Some(result) = self.session.cached(self.operator, [node; 3]) {
            return Ok(result);
        }
        self.session.tick()?;
        let mut list = self.session.list();
        let mut all = self.session.empty();
        for (value, child) in self.session.pairs(node) {
            let child = self.of(level + 1, child)?;
            if left_out {
                all = self.session.union(level + 1, all.edge(), child.edge())?;
            } else {
                list.push(value, child);
            }
        }
        if left_out {
            list.push(0, all);
        }
        let result = self.session.node(level, list)?;
        self.session.remember(self.operator, [node; 3], &result);
        Ok(result)
    }
}
