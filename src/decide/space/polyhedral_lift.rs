//! The state space of a net, carried back from that of a smaller one ([`crate::reduction::counting`]).
//!
//! The markings that the smaller net stands for can be written down, too, not only counted
//! ([`super::polyhedral_count`]): the tokens of each place are divided among the places that it stands for, in all
//! ways, and places that are sums of others have their tokens ([`crate::mdd`], `lift`). Two things are done with it.
//!
//! * **Reachability formulas.** Whether a condition on tokens holds somewhere is asked of the divisions among the places that
//!   it mentions, while all other places stay together and no other sum is written down (projection: Amat, Dal Zilio and Le Botlan,
//!   "Project and conquer: fast quantifier elimination for checking Petri net reachability", VMCAI 2024, arXiv 2401.03711). So
//!   that costs little more than the smaller net does.
//! * **Everything else**, sat-sets as well, takes the whole set, which is then the same as if it had been explored. Nobody else has to
//!   know where it comes from.
//!
//! The net itself is tried for a moment before that; and again, with what time is left, if the smaller net or
//! the set behind it takes too long.

use super::explore;
use super::polyhedral_count::{Outcome, is_countable};
use super::race::{LARGE, ORDERS};
use crate::budget::{Budget, Exhausted};
use crate::decide::board::Board;
use crate::decide::rewriting::translated::{is_smaller, translate};
use crate::decide::smaller::reduced::{observed_places, over_places};
use crate::decide::{Progress, Question, Settings, StateSpace, Technique};
use crate::formula::{Formula, FormulaId, Logic, MAX_DEPTH, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::mdd::{Cell, Mdd, MddManager, NotWritten};
use crate::net::{NetBuilder, PetriNet, PlaceId};
use crate::order::{Order, Scored, candidates, sampled};
use crate::reduction::counting::{Counting, Parts};
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use crate::symbolic::Checker;
use std::borrow::Cow;
use std::time::Duration;

/// The part of the time that linear programs may have, up to so much.
const PROGRAMS: u32 = 20;
const MOST: Duration = Duration::from_secs(5);
/// The part of the time that each of these may have: exploring the smaller net, the reachability formulas, and the whole set.
const PART: u32 = 4;
/// The work of the moment that the net itself has first: most nets are done with it, and what it takes is lost where there is no smaller net.
const MOMENT: u64 = 1 << 19;
/// The work of exploring the smaller net, and that of a set behind it, of which each takes some microseconds and some hundred bytes: not
/// much, as the orders of the net itself wait.
const WORK: u64 = 1 << 22;
const WORK_OF_LIFT: u64 = 1 << 18;
/// Reachability formulas that may take more than that.
const FAILURES: usize = 2;

/// Is a smaller net worth a try?
fn is_possible(board: &Board<'_>, settings: &Settings<'_>) -> bool {
    let sets = || board.questions().any(|(_, asked)| asked.set);
    settings.techniques.counting
        && settings.orders.is_empty()
        && (settings.ways.reductions || sets())
        && !is_countable(board, settings)
}

/// Explore the net for a moment, and then a smaller one, if there is one. Reachability formulas may be answered on the way.
pub(in crate::decide) fn run(
    board: &Board<'_>,
    settings: &Settings<'_>,
    fixpoints: bool,
    budget: &Budget,
) -> Result<Outcome, StopReason> {
    let Some(net) = board.subject.model.as_net().filter(|_| is_possible(board, settings)) else {
        return Ok(Outcome::Open);
    };
    let watch = |progress: Progress<'_>| board.listener().progress(progress);
    let favourite = favourite(net, settings, budget);
    let moment = budget.clone().with_work(MOMENT);
    match explore(net, &favourite, fixpoints, &moment, &watch) {
        // A smaller diagram is worth a search.
        Ok(space) if fixpoints && space.set.size().nodes > LARGE => return Ok(Outcome::Open),
        Ok(space) => return Ok(Outcome::Explored(Box::new(space))),
        Err(StopReason::Exhausted(Exhausted::Work | Exhausted::Memory | Exhausted::Time)) => budget.check()?,
        Err(stop) => return Err(stop),
    }
    match smaller(net, budget) {
        Some(smaller) => on_smaller(board, net, &smaller, settings, fixpoints, budget),
        None => Ok(Outcome::Open),
    }
}

/// Explore a smaller net, and carry back what is asked.
fn on_smaller(
    board: &Board<'_>,
    net: &PetriNet,
    smaller: &Counting,
    settings: &Settings<'_>,
    fixpoints: bool,
    budget: &Budget,
) -> Result<Outcome, StopReason> {
    let watch = |progress: Progress<'_>| board.listener().progress(progress);
    let limited = |work: u64| budget.part(1, PART).with_work(work);
    let favourite = favourite(smaller.net(), settings, budget);
    let explored = explore(smaller.net(), &favourite, fixpoints, &limited(WORK), &watch);
    let lifted = explored.and_then(|space| {
        let lifting = Lifting { net, smaller, space: &space };
        lifting.answer(board, &limited(WORK_OF_LIFT))?;
        match board.questions().any(|(number, _)| board.is_wanted(number)) {
            true => {
                let whole = lifting.whole(&limited(WORK_OF_LIFT))?;
                let is_large = fixpoints && whole.set.size().nodes > LARGE;
                // The orders of the net itself may be better.
                let own = is_large.then(|| explore(net, settings, fixpoints, &budget.part(1, 2), &watch));
                Ok(Outcome::Explored(Box::new(own.and_then(Result::ok).unwrap_or(whole))))
            }
            false => Ok(Outcome::Answered),
        }
    });
    match lifted {
        Err(StopReason::Exhausted(Exhausted::Work | Exhausted::Memory | Exhausted::Time) | TOO_LARGE) => {
            budget.check()?;
            Ok(Outcome::Open)
        }
        lifted => lifted,
    }
}

/// With the order that the metrics favour alone.
fn favourite<'a>(net: &PetriNet, settings: &Settings<'a>, budget: &Budget) -> Settings<'a> {
    let orders = candidates(&sampled(Cow::Borrowed(net)), &budget.part(1, ORDERS), settings.seed);
    Settings { orders: orders.into_iter().take(1).collect(), ..settings.clone() }
}

/// The net that is explored in place of this one.
fn smaller(net: &PetriNet, budget: &Budget) -> Option<Counting> {
    let merged = Counting::by_moves(net, &budget.part_up_to(1, PROGRAMS, MOST))?;
    let refined = merged.refined(net, &budget.part_up_to(1, PROGRAMS, MOST));
    Some(refined.unwrap_or(merged)).filter(|smaller| is_smaller(smaller.net(), net))
}

/// Numbers of tokens beyond those of diagrams.
const TOO_LARGE: StopReason = StopReason::Unsupported("numbers of tokens are too large to be carried back");

impl From<NotWritten> for StopReason {
    fn from(reason: NotWritten) -> Self {
        match reason {
            NotWritten::Exhausted(exhausted) => exhausted.into(),
            NotWritten::TooLarge => TOO_LARGE,
        }
    }
}

/// The markings of a net behind those of a smaller one.
struct Lifting<'a> {
    net: &'a PetriNet,
    smaller: &'a Counting,
    space: &'a StateSpace,
}

impl Lifting<'_> {
    /// The whole state space of the net.
    fn whole(&self, budget: &Budget) -> Result<StateSpace, StopReason> {
        let (cells, places) = self.levels(&self.smaller.parts(|_| true));
        let places: Vec<PlaceId> = places.into_iter().map(|places| places[0]).collect();
        let order = Order::new(self.net, places).ok_or(TOO_LARGE)?;
        let (relation, set) = self.set(self.net, order.as_slice(), &cells, budget)?;
        let Scored { name, metrics, .. } = &self.space.order;
        let order = Scored { name: format!("{name}, of a smaller net"), order, metrics: *metrics };
        Ok(StateSpace::lifted(self.space, relation, set, order))
    }

    /// Answer the reachability formulas that are open.
    fn answer(&self, board: &Board<'_>, budget: &Budget) -> Result<(), StopReason> {
        let mut pool = board.subject.pool.clone();
        let all: Vec<_> = board.questions().collect();
        let mut failures = 0;
        for (done, &(number, asked)) in all.iter().enumerate() {
            let Question::Formula { formula, paths, .. } = asked.question else { continue };
            budget.check()?;
            if !board.is_open(number) || paths == PathSemantics::Infinite {
                continue;
            }
            let Some((condition, found)) = condition(&mut pool, formula) else { continue };
            let budget = board.until_answered(number, &budget.share(all.len() - done));
            // What cannot be answered so is a matter of the whole set.
            match self.holds_somewhere(&mut pool, condition, &budget) {
                Ok(Some(holds)) => board.verdict(number, holds == found, Technique::DecisionDiagrams),
                Ok(None) => {}
                Err(_) => failures += 1,
            }
            if failures >= FAILURES {
                break;
            }
        }
        Ok(())
    }

    /// Does a reachable marking satisfy a condition? `None` if that is not about tokens alone.
    fn holds_somewhere(
        &self,
        pool: &mut Pool,
        condition: FormulaId,
        budget: &Budget,
    ) -> Result<Option<bool>, StopReason> {
        let Some(condition) = over_places(self.net, pool, condition) else { return Ok(None) };
        let Some(seen) = observed_places(pool, &[condition]) else { return Ok(None) };
        let (cells, places) = self.levels(&self.smaller.parts(|place| seen.binary_search(&place).is_ok()));
        // A net of what is seen, in which nothing happens.
        let mut builder = NetBuilder::new(self.net.name());
        let mut at: Vec<Option<PlaceId>> = vec![None; self.net.place_count()];
        for places in &places {
            let Ok(id) = builder.place(&*self.net.place(places[0]).id, 0) else { return Ok(None) };
            at[places[0].index()] = Some(id);
        }
        let Ok(seen) = builder.build() else { return Ok(None) };
        let moved = |list: &[PlaceId]| list.iter().map(|place| at[place.index()]).collect();
        let Some(condition) = translate(pool, condition, moved, |_| None) else { return Ok(None) };
        let order: Vec<PlaceId> = seen.place_ids().collect();
        let (relation, set) = self.set(&seen, &order, &cells, budget)?;
        let satisfied = Checker::new(&relation, set, PathSemantics::Maximal)?.sat(pool, condition, budget)?;
        Ok(Some(!satisfied.is_empty()))
    }

    /// The levels of a diagram of these parts, below each other as in that of the smaller net, and the places of the net
    /// that each is about. A sum is below the last of its parts.
    fn levels(&self, Parts { parts, sums }: &Parts) -> (Vec<Cell>, Vec<Vec<PlaceId>>) {
        let mut left = vec![0; sums.len()];
        let terms = || parts.iter().flatten().flat_map(|part| &part.terms);
        terms().for_each(|&(sum, _)| left[sum as usize] += 1);
        let write = |number: usize| {
            let sum = &sums[number];
            let cell = Cell::Sum { sum: number as u32, constant: sum.constant, divisor: sum.divisor };
            (cell, vec![sum.place])
        };
        let mut levels: Vec<(Cell, Vec<PlaceId>)> = (0..sums.len()).filter(|&sum| left[sum] == 0).map(write).collect();
        for variable in self.space.relation.variables_by_level() {
            for (number, part) in parts[variable].iter().enumerate() {
                let cell = Cell::Part { last: number + 1 == parts[variable].len(), terms: part.terms.clone() };
                levels.push((cell, part.places.clone()));
                for &(sum, _) in &part.terms {
                    left[sum as usize] -= 1;
                    if left[sum as usize] == 0 {
                        levels.push(write(sum as usize));
                    }
                }
            }
        }
        levels.into_iter().unzip()
    }

    /// The relation of a net with these levels, and the set of what stands behind the markings of the smaller net.
    fn set(
        &self,
        net: &PetriNet,
        order: &[PlaceId],
        cells: &[Cell],
        budget: &Budget,
    ) -> Result<(Relation, Mdd), StopReason> {
        let relation = net.relation_within(order, budget).map_err(|_| TOO_LARGE)?;
        if [&relation, &self.space.relation].into_iter().any(|of| of.offsets().iter().any(|&offset| offset != 0)) {
            return Err(TOO_LARGE);
        }
        let space = MddManager::new(relation.levels(), budget)?;
        let set = self.space.set.lift(&space, cells, budget)?;
        Ok((relation, set))
    }
}

/// For `EF a` the condition, and `true`: the verdict if it holds somewhere; for `AG a` its negation, and `false`.
fn condition(pool: &mut Pool, formula: FormulaId) -> Option<(FormulaId, bool)> {
    if pool.depth(formula) >= MAX_DEPTH {
        return None;
    }
    let (condition, found) = match pool[formula] {
        Formula::Exists(path) => match pool[path] {
            Formula::Finally(condition) => (condition, true),
            _ => return None,
        },
        Formula::Forall(path) => match pool[path] {
            Formula::Globally(condition) => (pool.not(condition), false),
            _ => return None,
        },
        _ => return None,
    };
    (pool.logic(condition) == Logic::Boolean).then_some((condition, found))
}

#[cfg(test)]
mod tests;
