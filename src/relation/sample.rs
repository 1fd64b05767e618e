//! A few of very many events: those that saturation begins with.
//!
//! While the reachable set grows, each event is fired on each set that is made on the way. Where a sample of them
//! ([`crate::model::sample`]) goes first, what the others are fired on is the set as it is in the end.

use super::{Effect, Event, Relation, Step};
use crate::model::sample;

impl Relation {
    /// Per level, the numbers of the events of a sample with that top; `None` if the events are not very many, or are no
    /// products of affine steps.
    pub(crate) fn sample(&self) -> Option<Vec<Vec<u32>>> {
        if self.learned.is_some() {
            return None;
        }
        let steps = |number: usize| self.events().get(number).and_then(|event: &Event| self.steps(event.first));
        let needs = |number| Some(steps(number)?.iter().map(|step| affine(step).0.into()).max().unwrap_or(0));
        let changes = |number| {
            let steps = steps(number).into_iter().flatten();
            steps.map(|step| (step.level, affine(&step).1)).filter(|&(_, change)| change != 0)
        };
        let drawn = sample(self.events().len(), self.levels() as usize, needs, changes)?;
        let mut tops: Vec<Vec<u32>> = vec![Vec::new(); self.levels() as usize];
        for number in drawn {
            let top = self.link(self.events()[number].first).level();
            tops[top as usize].push(number as u32);
        }
        Some(tops)
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
