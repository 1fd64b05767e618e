//! The exploration of a model: its reachable set under one of several candidate variable orders.
//!
//! | file | what it explores |
//! |---|---|
//! | `race` | the model, under orders that race each other |
//! | `polyhedral_count` | a smaller net, to count the states of the net |
//! | `polyhedral_lift` | a smaller net, to lift its states to those of the net |

pub(super) mod polyhedral_count;
pub(super) mod polyhedral_lift;
mod race;

use super::settings::Settings;
use super::state_space::{Progress, StateSpace};
use crate::budget::Budget;
use crate::kinds::Kind;
use crate::net::{PetriNet, PlaceId};
use crate::order::{Scored, candidates, sampled};
use crate::stop_reason::StopReason;
use crate::structure::{Coverability, Effort};
use crate::symbolic;
use race::ORDERS;
use race::{Favourite, Race};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The search for a proof that the net is unbounded.
const COVER: Effort = Effort { rows: 2_000, work: 20_000_000 };
/// A search that takes longer may have no end.
const EASY: Duration = Duration::from_millis(250);

/// The states of a model as a search for attractors wants them: those that are reachable, or more where others are only
/// passed through, since attractors and basins are the same then.
///
/// # Errors
/// As [`explore`].
pub fn states_for_attractors(
    model: &dyn Kind,
    settings: &Settings<'_>,
    budget: &Budget,
) -> Result<StateSpace, StopReason> {
    if !model.passes_through() {
        return explore(model, settings, true, budget, &|_| {});
    }
    let given = settings.orders.first().cloned();
    let found =
        || candidates(&sampled(model.interactions()), &budget.part(1, ORDERS), settings.seed).into_iter().next();
    let order = given.or_else(found).ok_or(StopReason::Unsupported("there is no variable order"))?;
    let relation = model.relation_within(order.order.as_slice(), budget).map_err(race::stopped)?;
    let set = symbolic::all_passages(&relation, budget)?;
    Ok(StateSpace::found(relation, set, order, 1, 0))
}

impl StateSpace {
    /// The attractors of a model among these states, which are its own.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn attractors(
        &self,
        model: &dyn Kind,
        settings: &Settings<'_>,
        budget: &Budget,
    ) -> Result<symbolic::Attractors, StopReason> {
        let mediated = match settings.techniques.mediators {
            true => model.mediated(&self.relation, budget),
            false => Vec::new(),
        };
        symbolic::attractors(&self.relation.clone().with_mediated(mediated), &self.set, budget)
    }
}

/// The reachable set of a model under the orders of `settings`, which race each other if the first does not finish
/// soon. If `fixpoints` will be computed in it, a smaller diagram is worth a search.
///
/// A net that keeps the search busy may be unbounded; a proof of that is looked for beside the search.
///
/// # Errors
/// [`StopReason`] when the budget is used up, when the net turns out to be unbounded, when a variable leaves the
/// range of values, or when there is no order.
pub fn explore(
    model: &dyn Kind,
    settings: &Settings<'_>,
    fixpoints: bool,
    budget: &Budget,
    watch: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<StateSpace, StopReason> {
    let favourite = Favourite::known(model, settings, fixpoints);
    let chosen;
    let plain = match &settings.orders[..] {
        [] if favourite.is_some() => &[],
        [] => {
            let mut found = candidates(&sampled(model.interactions()), &budget.part(1, ORDERS), settings.seed);
            let is_declared = |scored: &Scored| scored.order.as_slice().is_sorted();
            if let Some(at) = found.iter().position(is_declared).filter(|_| model.favours_declared_order()) {
                found[..=at].rotate_right(1);
            }
            chosen = found;
            &chosen[..]
        }
        given => given,
    };
    let race = Race::new(model, (favourite, plain), settings, fixpoints, watch);
    let Some(net) = model.as_net() else { return race.run(budget) };
    let unbounded = OnceLock::new();
    std::thread::scope(|scope| {
        // Dropped at the end of the search, which ends the wait.
        let (searching, done) = mpsc::channel::<()>();
        let (endless, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (found, proof_budget) = (Arc::clone(&endless), budget.clone().with_flag(Arc::clone(&over)));
        let unbounded = &unbounded;
        let prove = move || {
            if done.recv_timeout(EASY) == Err(RecvTimeoutError::Timeout)
                && let Some(place) = unbounded_place(net, &proof_budget)
            {
                let _first = unbounded.set(place);
                found.store(true, Relaxed);
            }
        };
        // Without a thread the search may take long, and ends all the same.
        let _unproved = std::thread::Builder::new().name("unbounded".into()).spawn_scoped(scope, prove);
        let raced = race.run(&budget.clone().with_flag(endless));
        over.store(true, Relaxed);
        drop(searching);
        raced
    })
    .map_err(|stop| match unbounded.get() {
        Some(&place) => StopReason::Unbounded { variable: net.place(place).id.clone() },
        None => stop,
    })
}

/// A place that can hold any number of tokens, if a limited search proves that there is one.
fn unbounded_place(net: &PetriNet, budget: &Budget) -> Option<PlaceId> {
    let cover = Coverability::new(net, COVER, budget).ok().flatten()?;
    cover.unbounded_place()
}
