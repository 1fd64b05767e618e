//! The relation of a Petri net: one level per place, one event per transition.

use crate::budget::Budget;
use crate::net::{PetriNet, PlaceId, Transition};
use crate::relation::{Effect, Level, Relation, RelationError, Step};
use rustc_hash::FxHashMap;

/// The relation of `net` with its places on levels in the given order, from the top.
///
/// Diagram values are 32 bits. A place whose initial count is 2^31 or more is shifted so that its
/// values start 2^31 below it; markings that leave the shifted range end the computation with an error
/// (see `symbolic`), never with a wrong set.
pub(super) fn relation(net: &PetriNet, order: &[PlaceId], budget: &Budget) -> Result<Relation, RelationError> {
    // The greatest value of a shifted place is still a token count of 64 bits.
    let offset = |initial: u64| initial.saturating_sub(1 << 31).min(u64::MAX - u64::from(u32::MAX));
    let mut relation = Relation::new(net.place_count(), order, |place| {
        let place = net.place(place);
        let offset = offset(place.initial);
        Level { name: place.id.clone(), offset, initial: (place.initial - offset) as u32 }
    })?;
    for t in net.transition_ids() {
        budget.check()?;
        if let Some(steps) = steps_of(&relation, net.transition(t)) {
            relation.add_event(t.0, steps);
        }
    }
    Ok(relation)
}

/// The steps of a transition by level; `None` if it can never fire within the range of values.
fn steps_of(relation: &Relation, transition: &Transition) -> Option<Vec<Step>> {
    let mut by_level: FxHashMap<u32, (u64, Option<u64>, i128)> = FxHashMap::default();
    for arc in &transition.pre {
        let entry = by_level.entry(relation.level_of(arc.place.index())).or_default();
        entry.0 = arc.weight;
        entry.2 -= i128::from(arc.weight);
    }
    for arc in &transition.post {
        by_level.entry(relation.level_of(arc.place.index())).or_default().2 += i128::from(arc.weight);
    }
    for arc in &transition.inhibitors {
        by_level.entry(relation.level_of(arc.place.index())).or_default().1 = Some(arc.weight);
    }
    let mut steps = Vec::with_capacity(by_level.len());
    for (level, (least, below, change)) in by_level {
        let offset = relation.offsets()[level as usize];
        // A guard beyond the range of values is never met by a marking within it.
        let least = u32::try_from(least.saturating_sub(offset)).ok()?;
        let below = match below {
            None => None,
            // Values start at `offset`: with a bound at or below it, none is accepted.
            Some(bound) if bound <= offset => return None,
            Some(bound) => u32::try_from(bound - offset).ok(),
        };
        // A change beyond ±2^33 leaves the range from any value, as ±2^33 does.
        let change = change.clamp(-(1 << 33), 1 << 33) as i64;
        steps.push(Step { level, effect: Effect::Affine { least, below, change } });
    }
    steps.sort_by_key(|step| step.level);
    Some(steps)
}
