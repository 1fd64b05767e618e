//! Standing still where time passes by an action of its own, the tick: nothing else is possible, now and however much
//! time passes, and for a timelock time stops in the end, too.
//!
//! The tick is possible in one way at most, so the states from which something else will be possible are those from
//! which ticks lead to a state where it is: one backward saturation under the ticks alone. Of the rest, which ticks do
//! not leave, the timelocks are the states from which ticks lead to one without a tick.

use super::backward::{self, Backward};
use super::enabled::Enabled;
use super::preimage;
use super::statistics::deadlocks;
use crate::budget::Budget;
use crate::mdd::{EdgeRef, Held, Mdd, Session};
use crate::model::Standstill;
use crate::relation::Relation;
use crate::stop_reason::StopReason;

/// The states of `states`, all that are reachable, that stand still. Where there is no tick they are the deadlocks.
///
/// # Errors
/// [`StopReason`] when the budget is used up, or the set is one of other tuples than the relation's.
pub fn standstills(relation: &Relation, states: &Mdd, how: Standstill, budget: &Budget) -> Result<Mdd, StopReason> {
    let Some(tick) = relation.tick() else { return deadlocks(relation, states, budget) };
    states.space().expect(relation.levels() as usize)?;
    let (ticks, deeds) = (relation.restricted(|label| label == tick), relation.restricted(|label| label != tick));
    states.run(budget, |session, states| {
        let awake = Enabled::new(&deeds, session)?.some(states)?;
        let awake = by_ticks(&ticks, session, awake.edge(), states)?;
        let still = session.difference(0, states, awake.edge())?;
        if how == Standstill::Deadlock {
            return Ok(still);
        }
        let moving = Enabled::new(&ticks, session)?.some(still.edge())?;
        let stopped = session.difference(0, still.edge(), moving.edge())?;
        by_ticks(&ticks, session, stopped.edge(), still.edge())
    })
}

/// The states within a set from which ticks lead to a part of it.
fn by_ticks<'m, 'id>(
    ticks: &Relation,
    session: &Session<'m, 'id>,
    target: EdgeRef<'_, 'id>,
    within: EdgeRef<'_, 'id>,
) -> Result<Held<'m, 'id>, StopReason> {
    let backwards = backward::operators(ticks);
    let base = session.reserve_operators(backwards + preimage::operators(ticks))?;
    Backward::new(ticks, session, base, base + backwards).reaching(target, within)
}
