//! Numbers about the state space of a net, count on a smaller one ([`crate::reduction::counting`]).
//!
//! The reachable markings of the reduced net are explored as a diagram. Behind each stand as many markings of the net as
//! its tokens can be divided in, and in as many of them a transition is enabled as leave enough tokens on its input
//! places: both are products of a factor for each place, which are summed up over the diagram.
//!
//! First places are merged, which costs nothing, and one order is tried for a moment. If that is not enough, all rules are
//! applied, and the orders race.

use super::{explore, race::ORDERS};
use crate::budget::{Budget, Exhausted};
use crate::decide::board::Board;
use crate::decide::{Progress, Question, Settings, StateSpace, Statistic, Technique, Value};
use crate::mdd::{Weight, Weighted};
use crate::net::{PetriNet, PlaceId};
use crate::order::candidates;
use crate::reduction::counting::{Counting, Greatest};
use crate::stop_reason::StopReason;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::time::Duration;

/// The work and the time of the first attempt.
const FIRST: u64 = 1 << 21;
const MOMENT: Duration = Duration::from_millis(500);
/// The part of the time that the rules which take linear programs may have, up to so much.
const PART: u32 = 6;
const MOST: Duration = Duration::from_secs(20);
/// Outcome for the questions.
pub(in crate::decide) enum Outcome {
    /// They are answered.
    Answered,
    /// The net itself has been explored.
    Explored(Box<StateSpace>),
    /// There is no smaller net.
    Open,
}

/// Is nothing asked but what can be count on a reduced net?
pub(in crate::decide) fn is_countable(board: &Board<'_>, settings: &Settings<'_>) -> bool {
    let countable = |question: &Question| match question {
        Question::Statistic(statistic) => !matches!(statistic, Statistic::Deadlocks | Statistic::Markings),
        Question::Bound(_) => true,
        _ => false,
    };
    settings.ways.reductions
        && settings.techniques.counting
        && settings.orders.is_empty()
        && board.questions().all(|(_, asked)| countable(&asked.question))
}

/// Explore a reduced net and answer what is asked of the net.
pub(in crate::decide) fn run(
    board: &Board<'_>,
    settings: &Settings<'_>,
    budget: &Budget,
) -> Result<Outcome, StopReason> {
    let Some(net) = board.subject.model.as_net().filter(|_| is_countable(board, settings)) else {
        return Ok(Outcome::Open);
    };
    let Some(merged) = Counting::by_moves(net, &budget.part_up_to(1, PART, MOST)) else { return Ok(Outcome::Open) };
    let watch = |progress: Progress<'_>| board.listener().progress(progress);
    // The reduced net lacks the transitions that add no marking, even if it has all places.
    let first = if merged.is_all() { net } else { merged.net() };
    let orders = candidates(first, &budget.part(1, ORDERS), settings.seed);
    let favourite = Settings { orders: orders.iter().take(1).cloned().collect(), ..settings.clone() };
    match explore(first, &favourite, false, &budget.clone().with_work(FIRST).with_time(MOMENT), &watch) {
        // The questions are asked of the net itself, where all the ways to answer them are known.
        Ok(space) if merged.is_all() => return Ok(Outcome::Explored(Box::new(space))),
        Ok(space) => return answer(board, net, &merged, &space, budget),
        Err(StopReason::Exhausted(Exhausted::Work | Exhausted::Memory | Exhausted::Time)) => budget.check()?,
        Err(stop) => return Err(stop),
    }
    if let Some(refined) = merged.refined(net, &budget.part_up_to(1, PART, MOST)) {
        let space = explore(refined.net(), settings, false, budget, &watch)?;
        return answer(board, net, &refined, &space, budget);
    }
    if merged.is_all() {
        return Ok(Outcome::Open);
    }
    let space = explore(merged.net(), settings, false, budget, &watch)?;
    answer(board, net, &merged, &space, budget)
}

/// Answer what is asked of a net from the state space of the reduced net.
fn answer(
    board: &Board<'_>,
    net: &PetriNet,
    counting: &Counting,
    space: &StateSpace,
    budget: &Budget,
) -> Result<Outcome, StopReason> {
    let count = PolyhedralCount::new(counting, space, budget)?;
    let states = count.weighted.total();
    board.listener().explored(space, Some(&states));
    if let Ok(states) = u64::try_from(&states) {
        board.note_states(states);
    }
    for (number, asked) in board.questions().filter(|&(number, _)| board.is_wanted(number)) {
        let statistic = match &asked.question {
            Question::Statistic(statistic) => statistic,
            Question::Bound(places) => {
                let greatest = count.greatest(places.iter().copied())?.into();
                board.give(number, Value::Number(greatest), Technique::DecisionDiagrams, None);
                continue;
            }
            _ => continue,
        };
        let value = match statistic {
            Statistic::States => Value::Number(states.clone()),
            Statistic::Transitions => Value::Number(count.transitions(net, budget)?),
            Statistic::MaxInVariable => Value::Number(count.bounds(net, budget)?.into_iter().max().unwrap_or(0).into()),
            Statistic::MaxInState => Value::Number(count.greatest(net.place_ids())?.into()),
            Statistic::Bounds => Value::Numbers(count.bounds(net, budget)?),
            Statistic::Deadlocks | Statistic::Markings => continue,
        };
        board.give(number, value, Technique::DecisionDiagrams, None);
    }
    Ok(Outcome::Answered)
}

/// In how many ways `tokens` can be divided among `leaves` places: C(tokens + leaves − 1, leaves − 1).
fn divisions(tokens: u64, leaves: u64) -> BigUint {
    let (less, more) = (tokens.min(leaves - 1), BigUint::from(tokens.max(leaves - 1)));
    (1..=less).fold(BigUint::from(1u32), |ways, chosen| ways * (&more + chosen) / chosen)
}

/// Numbers of the net's markings, from the state space of the reduced net.
struct PolyhedralCount<'a> {
    counting: &'a Counting,
    space: &'a StateSpace,
    weighted: Weighted,
}

impl<'a> PolyhedralCount<'a> {
    fn new(counting: &'a Counting, space: &'a StateSpace, budget: &Budget) -> Result<Self, StopReason> {
        let (variables, offsets) = (space.relation.variables_by_level(), space.relation.offsets());
        let weight = |level: usize| -> Option<Box<Weight<'_>>> {
            let leaves = counting.leaves()[variables[level]];
            let offset = offsets[level];
            let divided = move |value: u32| divisions(u64::from(value) + offset, leaves);
            (leaves > 1).then(|| Box::new(divided) as Box<Weight<'_>>)
        };
        Ok(PolyhedralCount { counting, space, weighted: Weighted::new(&space.set, weight, budget)? })
    }

    /// The number of pairs of a reachable marking of the net and a transition enabled in it.
    fn transitions(&self, net: &PetriNet, budget: &Budget) -> Result<BigUint, StopReason> {
        let relation = &self.space.relation;
        let variables = relation.variables_by_level();
        // Transitions that need the same are enabled in the same markings.
        let mut by_needs: BTreeMap<Vec<(usize, Range)>, u32> = BTreeMap::new();
        for t in net.transitions() {
            let mut needs: BTreeMap<usize, Range> = BTreeMap::new();
            for (place, least) in self.counting.needs(t) {
                needs.insert(relation.level_of(place.index()) as usize, (least, u64::MAX));
            }
            for arc in &t.inhibitors {
                let place = self.counting.place(arc.place).ok_or(TOO_LARGE)?;
                let level = relation.level_of(place.index()) as usize;
                needs.entry(level).or_insert((0, u64::MAX)).1 = arc.weight;
            }
            *by_needs.entry(needs.into_iter().collect()).or_default() += 1;
        }
        let weight = |level: usize, (least, below): Range, value: u32| {
            let (leaves, offset) = (self.counting.leaves()[variables[level]], relation.offsets()[level]);
            match u64::from(value) + offset {
                tokens if tokens < least || tokens >= below => BigUint::from(0u32),
                tokens => divisions(tokens - least, leaves),
            }
        };
        Ok(self.weighted.total_with(&by_needs, &weight, budget)?)
    }

    /// The greatest number of tokens on each place of the net.
    fn bounds(&self, net: &PetriNet, budget: &Budget) -> Result<Vec<u128>, StopReason> {
        let bounds = &self.space.maxima(budget)?.per_place;
        let bound = |place: PlaceId| match self.counting.place(place) {
            // All tokens there can be on this one.
            Some(at) => Ok(bounds[at.index()]),
            None => budget.check().map_err(StopReason::from).and_then(|()| self.greatest([place])),
        };
        net.place_ids().map(bound).collect()
    }

    /// The greatest sum of the tokens on some places of the net in a reachable marking.
    fn greatest(&self, places: impl IntoIterator<Item = PlaceId>) -> Result<u128, StopReason> {
        let Greatest { divisor, constant, weights } = self.counting.greatest(places).ok_or(TOO_LARGE)?;
        let sum = self.space.greatest_weighted_sum(&weights);
        let sum = sum.checked_add(constant).ok_or(TOO_LARGE)? / divisor;
        u128::try_from(sum).map_err(|_| TOO_LARGE)
    }
}

/// Numbers of tokens beyond what is count with.
const TOO_LARGE: StopReason = StopReason::Unsupported("sums of tokens are too large");

/// How many tokens there have to be at least, and fewer than how many.
type Range = (u64, u64);

#[cfg(test)]
pub(in crate::decide) mod tests;
