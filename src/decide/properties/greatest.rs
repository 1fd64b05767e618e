//! The greatest numbers of tokens in a place and in a marking, without the state space.
//!
//! Semiflows and linear programs bound them from above; some marking, often the first or one of a walk, may have as many.

use crate::budget::Budget;
use crate::decide::conditions::{Refuter, Structure, Values, Walk};
use crate::net::{PetriNet, PlaceId};

/// The known bounds of the two numbers.
#[derive(Default)]
pub(in crate::decide) struct Greatest {
    pub(in crate::decide) in_place: Number,
    pub(in crate::decide) in_marking: Number,
    /// For each place, the bound that semiflows give, once they are known.
    bounds: Vec<Option<u128>>,
    /// Have linear programs been asked?
    solved: bool,
    /// Number of walks that were guided to more tokens.
    walks: u32,
}

/// Number of walks guided to more tokens before a search; it need not wait for more.
const WALKS: u32 = 4;

/// The known bounds of a greatest number.
#[derive(Default)]
pub(in crate::decide) struct Number {
    seen: u128,
    limit: Option<u128>,
}

impl Number {
    /// The number, if it is known.
    pub(in crate::decide) fn value(&self) -> Option<u128> {
        Some(self.seen).filter(|&seen| Some(seen) == self.limit)
    }

    /// Is it worth looking for a marking with more?
    fn is_open(&self) -> bool {
        self.limit.is_some_and(|limit| limit > self.seen)
    }

    fn limit(&mut self, limit: Option<u128>) {
        self.limit = self.limit.into_iter().chain(limit).min();
    }
}

impl Greatest {
    /// Raise the lower bounds to the numbers of a marking.
    pub(in crate::decide) fn look_at(&mut self, net: &PetriNet, marking: &impl Values) {
        let (mut most, mut sum) = (0, 0u128);
        for place in net.place_ids() {
            let tokens = u128::from(marking.value(place));
            most = most.max(tokens);
            sum += tokens;
        }
        self.in_place.seen = self.in_place.seen.max(most);
        self.in_marking.seen = self.in_marking.seen.max(sum);
    }

    /// Is it worth looking for a marking with more?
    pub(in crate::decide) fn is_open(&self) -> bool {
        self.in_place.is_open() || self.in_marking.is_open()
    }

    /// And may it soon be found?
    pub(in crate::decide) fn is_promising(&self) -> bool {
        self.is_open() && self.walks < WALKS
    }

    /// Bound them by semiflows.
    pub(in crate::decide) fn by_structure(&mut self, net: &PetriNet, structure: &Structure) {
        self.bounds = net.place_ids().map(|place| structure.bound(&[place])).collect();
        let greatest = self.bounds.iter().try_fold(0, |most: u128, &bound| Some(most.max(bound?)));
        self.in_place.limit(greatest);
        let all: Vec<PlaceId> = net.place_ids().collect();
        self.in_marking.limit(structure.bound(&all));
    }

    /// Bound them by linear programs, once.
    pub(in crate::decide) fn by_programs(&mut self, net: &PetriNet, budget: &Budget) {
        if std::mem::replace(&mut self.solved, true) {
            return;
        }
        let Some(refuter) = Refuter::new(net) else { return };
        if self.in_marking.value().is_none() {
            let all: Vec<PlaceId> = net.place_ids().collect();
            self.in_marking.limit(refuter.upper_bound(&all, budget));
        }
        if self.in_place.value().is_none() {
            let seen = self.in_place.seen;
            let bound = |(place, known): (PlaceId, &Option<u128>)| match known {
                Some(known) if *known <= seen => Some(*known),
                known => known.iter().copied().chain(refuter.upper_bound(&[place], budget)).min(),
            };
            let mut bounds = net.place_ids().zip(&self.bounds).map(bound);
            self.in_place.limit(bounds.try_fold(0, |most: u128, bound| Some(most.max(bound?))));
        }
    }

    /// Lead a walk to more tokens, which are worth looking for.
    pub(in crate::decide) fn by_led_walk<'a>(&mut self, net: &'a PetriNet, walk: &mut Walk<'a>, budget: &Budget) {
        let by_sum = self.in_marking.is_open() && (!self.in_place.is_open() || self.walks.is_multiple_of(2));
        self.walks += 1;
        let tokens = |walk: &Walk<'_>| {
            let each = net.place_ids().map(|place| walk.value(place));
            if by_sum { each.fold(0, u64::saturating_add) } else { each.max().unwrap_or(0) }
        };
        walk.guide(
            budget,
            |walk| u64::MAX - tokens(walk),
            |walk| {
                self.look_at(net, walk);
                !self.is_open()
            },
        );
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::budget::Budget;
    use crate::decide::{Question, Recorder, Settings, Statistic, Subject, Value, Ways, decide};
    use crate::formula::Pool;
    use crate::model::Groups;
    use crate::random::{NetShape, Rng, net};
    use crate::reference::explore;

    /// By structure and walks alone: what is found is what all markings have.
    #[test]
    fn numbers_are_those_of_the_state_space() {
        let (mut found, mut more) = (0, 0);
        for seed in 0..800 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 40, ..NetShape::default() });
            let Some(graph) = explore(&net, 200) else { continue };
            let sums = graph.markings.iter().map(|marking| marking.as_slice().iter().sum::<u64>());
            let most = graph.markings.iter().flat_map(|marking| marking.as_slice()).max().copied().unwrap_or(0);
            let expected = [most, sums.clone().max().unwrap()];
            let (groups, pool) = (Groups::single(&net), Pool::new());
            let subject = Subject { model: &net, groups: &groups, pool: &pool };
            let asked = [Statistic::MaxInVariable, Statistic::MaxInState]
                .map(|statistic| Question::Statistic(statistic).into());
            let ways = Ways { structure: true, walks: true, ..Ways::NONE };
            let settings = Settings { ways, ..Settings::default() };
            let kept = Recorder::new(2);
            decide(subject, &asked, &settings, &Budget::unlimited(), &kept);
            for (heard, expected) in kept.into_recorded().into_iter().zip(expected) {
                if let Value::Number(number) = heard.answer.unwrap().value {
                    assert_eq!(number, expected.into(), "seed {seed}");
                    found += 1;
                    more += usize::from(graph.markings.len() > 3 && sums.clone().max() != sums.clone().next());
                }
            }
        }
        assert!(found > 200 && more > 20, "{found} {more}");
    }
}
