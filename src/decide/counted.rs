//! Numbers about the state space of a net, counted on a smaller one ([`crate::reduction::chains`]).
//!
//! The reachable markings of the collapsed net are explored as a diagram. Behind each stand as many markings of the net as
//! its tokens can be divided in, and in as many of them a transition is enabled as leave enough tokens on its input
//! places: both are products of a factor for each place, which are summed up over the diagram.

use super::board::Board;
use super::{Figure, Progress, Question, Settings, StateSpace, Technique, Value, explore};
use crate::budget::Budget;
use crate::halt::Halt;
use crate::mdd::{Weight, Weighted};
use crate::net::{PetriNet, PlaceId};
use crate::reduction::chains::Chains;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The net with its chains collapsed, if nothing is asked but what can be counted there.
pub(super) fn chains(board: &Board<'_>, settings: &Settings<'_>) -> Option<Chains> {
    let countable = |question: &Question| match question {
        Question::Figure(figure) => !matches!(figure, Figure::Deadlocks | Figure::Markings),
        _ => false,
    };
    let net = board.subject.model.as_net()?;
    let is_asked = settings.ways.reductions
        && settings.orders.is_empty()
        && board.questions().all(|(_, asked)| countable(&asked.question));
    is_asked.then(|| Chains::of(net)).flatten()
}

/// Explore the collapsed net and answer what is asked of the net.
pub(super) fn run(
    board: &Board<'_>,
    net: &PetriNet,
    chains: &Chains,
    settings: &Settings<'_>,
    budget: &Budget,
) -> Result<(), Halt> {
    let watch = |progress: Progress<'_>| board.listener().progress(progress);
    let space = explore(chains.net(), settings, false, budget, &watch)?;
    board.listener().explored(&space);
    let counted = Counted::new(chains, &space, budget)?;
    let states = counted.weighted.total();
    if let Ok(states) = u64::try_from(&states) {
        board.note_states(states);
    }
    for (number, asked) in board.questions().filter(|&(number, _)| board.is_wanted(number)) {
        let Question::Figure(figure) = asked.question else { continue };
        let value = match figure {
            Figure::States => Value::Number(states.clone()),
            Figure::Transitions => Value::Number(counted.transitions(net, budget)?),
            Figure::MaxInVariable => Value::Number(space.maxima(budget)?.in_place.into()),
            Figure::MaxInState => Value::Number(space.maxima(budget)?.per_marking.into()),
            Figure::Bounds => {
                let bounds = &space.maxima(budget)?.per_place;
                Value::Numbers(net.place_ids().map(|place| bounds[chains.place(place).index()]).collect())
            }
            Figure::Deadlocks | Figure::Markings => continue,
        };
        board.give(number, value, Technique::DecisionDiagrams, None);
    }
    Ok(())
}

/// In how many ways `tokens` can be divided among `leaves` places: C(tokens + leaves − 1, leaves − 1).
fn divisions(tokens: u64, leaves: u64) -> BigUint {
    let mut ways = BigUint::from(1u32);
    for chosen in 1..leaves {
        ways = ways * (BigUint::from(tokens) + chosen) / chosen;
    }
    ways
}

/// The markings of the net behind those of the collapsed net.
struct Counted<'a> {
    chains: &'a Chains,
    space: &'a StateSpace,
    weighted: Weighted,
}

impl<'a> Counted<'a> {
    fn new(chains: &'a Chains, space: &'a StateSpace, budget: &Budget) -> Result<Self, Halt> {
        let (variables, offsets) = (space.relation.variables_by_level(), space.relation.offsets());
        let weight = |level: usize| -> Option<Box<Weight<'_>>> {
            let leaves = chains.leaves(PlaceId(variables[level] as u32));
            let offset = offsets[level];
            let divided = move |value: u32| divisions(u64::from(value) + offset, leaves);
            (leaves > 1).then(|| Box::new(divided) as Box<Weight<'_>>)
        };
        Ok(Counted { chains, space, weighted: Weighted::new(&space.set, weight, budget)? })
    }

    /// The number of pairs of a reachable marking of the net and a transition enabled in it.
    fn transitions(&self, net: &PetriNet, budget: &Budget) -> Result<BigUint, Halt> {
        let (relation, mut sum) = (&self.space.relation, BigUint::from(0u32));
        let variables = relation.variables_by_level();
        // Transitions that need the same are enabled in the same markings.
        let mut alike: BTreeMap<Needs, u32> = BTreeMap::new();
        for t in net.transitions() {
            let mut needs = BTreeMap::new();
            for (place, least) in self.chains.needs(t) {
                needs.insert(relation.level_of(place.index()) as usize, (least, u64::MAX));
            }
            for arc in &t.inhibitors {
                let level = relation.level_of(self.chains.place(arc.place).index()) as usize;
                needs.entry(level).or_insert((0, u64::MAX)).1 = arc.weight;
            }
            *alike.entry(needs).or_default() += 1;
        }
        for (needs, times) in alike {
            let weight = |(level, (least, below)): (usize, (u64, u64))| {
                let place = PlaceId(variables[level] as u32);
                let (leaves, offset) = (self.chains.leaves(place), relation.offsets()[level]);
                let left = move |value: u32| match u64::from(value) + offset {
                    tokens if tokens < least || tokens >= below => BigUint::from(0u32),
                    tokens => divisions(tokens - least, leaves),
                };
                (level, Box::new(left) as Box<Weight<'_>>)
            };
            sum += self.weighted.with(&needs.into_iter().map(weight).collect(), budget)? * times;
        }
        Ok(sum)
    }
}

/// For some levels, how many tokens there have to be at least, and fewer than how many.
type Needs = BTreeMap<usize, (u64, u64)>;

#[cfg(test)]
mod tests;
