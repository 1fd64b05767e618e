//! A few of very many events.
//!
//! **Problem.** A coloured transition may unfold to a million events on two hundred levels. While the reachable set grows, each of
//! them is fired on each set that is made on the way.
//!
//! **Idea.** Most of them do to some levels what others do to these. A sample that has each change of each level once
//! is about as large as there are levels, and reaches most of the states, often all of them. What the others are fired on
//! then is the set as it is in the end. Events that need few tokens of each place are drawn first: others may never be enabled.

use super::{Effect, Relation, Step};
use rustc_hash::FxHashSet;

/// So many times as many events as levels are very many.
const MANY: usize = 32;

impl Relation {
    /// Per level, the numbers of the events of a sample with that top; `None` if the events are not very many, or are no
    /// products of affine steps.
    pub(crate) fn sample(&self) -> Option<Vec<Vec<u32>>> {
        if self.learned.is_some() || self.events().len() < MANY * self.levels() as usize {
            return None;
        }
        let mut numbers: Vec<(u32, u32)> = Vec::with_capacity(self.events().len());
        for (number, event) in (0..).zip(self.events()) {
            let needed = self.steps(event.first)?.iter().map(|step| affine(step).0).max();
            numbers.push((needed.unwrap_or(0), number));
        }
        numbers.sort_unstable();
        let mut seen = FxHashSet::default();
        let mut tops: Vec<Vec<u32>> = vec![Vec::new(); self.levels() as usize];
        let mut size = 0;
        for (_, number) in numbers {
            let steps = self.steps(self.events()[number as usize].first)?;
            let mut new = false;
            for step in &steps {
                let (_, change) = affine(step);
                new |= change != 0 && seen.insert((step.level, change));
            }
            if let Some(top) = steps.first().filter(|_| new) {
                tops[top.level as usize].push(number);
                size += 1;
            }
        }
        (size * 2 < self.events().len()).then_some(tops)
    }
}

/// The least value that an affine step accepts, and its change.
fn affine(step: &Step) -> (u32, i64) {
    match step.effect {
        Effect::Affine { least, change, .. } => (least, change),
        Effect::Table(_) => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::budget::Budget;
    use crate::kinds::Kind;
    use crate::mdd::MddSpace;
    use crate::model::VariableId;
    use crate::net::{NetBuilder, PetriNet};
    use crate::random::Rng;
    use crate::reference::explore;
    use crate::symbolic::{Search, discover};

    /// A net with few places and many transitions, each of which moves some tokens.
    fn with_many_transitions(rng: &mut Rng) -> PetriNet {
        let mut b = NetBuilder::new("many");
        let places: Vec<_> =
            (0..4).map(|place| b.place(format!("p{place}"), u64::from(rng.one_in(2)) * 2).unwrap()).collect();
        for number in 0..400 {
            let transition = b.transition(format!("t{number}")).unwrap();
            let moved = 1 + rng.below(2);
            for _ in 0..moved {
                // Arcs of one place to one transition add up, or are refused: each place once.
                let (from, to) = (rng.below(4), rng.below(4));
                let _twice = b.input(places[from], transition, 1 + rng.below(2) as u64);
                let _twice = b.output(transition, places[to], 1);
            }
        }
        b.build().unwrap()
    }

    #[test]
    fn a_sample_first_reaches_the_same_states() {
        let (mut sampled, mut large) = (0, 0);
        for seed in 0..60 {
            let net = with_many_transitions(&mut Rng::new(seed));
            let Some(graph) = explore(&net, 2000) else { continue };
            let order: Vec<VariableId> = (0..4).map(VariableId).collect();
            let relation = net.relation(&order).unwrap();
            sampled += usize::from(relation.sample().is_some());
            large += usize::from(graph.markings.len() > 3);
            let budget = Budget::unlimited();
            let space = MddSpace::new(relation.levels(), &budget).unwrap();
            let found = discover(&relation, &space, Search::Saturation, &budget, &mut |_| (), &mut None).unwrap();
            let count = found.0.count(&budget).unwrap();
            assert_eq!(count, graph.markings.len().into(), "seed {seed}");
        }
        assert!(sampled > 20 && large > 20, "{sampled} {large}");
    }
}
