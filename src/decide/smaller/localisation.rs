//! LTL over the actions of a network, decided on some of its components.
//!
//! **Problem.** The state space of a network may be out of reach, though few of its components have a say in a formula.
//!
//! **Idea.** Counterexample-guided abstraction: keep some components and let the others do as they like
//! ([`Network::part`]). All runs of the network are runs of the part, so what holds on all infinite runs of the part holds of the
//! network. Otherwise there is a run of the part that violates the formula. A component that was left out and refuses its labels is
//! kept as well, the one that refuses first; if there is none, a run of the whole network with these labels is looked for.
//! Where one is found, the formula is false; otherwise one more component is kept. As the components are finitely many,
//! this ends, with the whole network at the latest.
//!
//! **What is proved.** That a formula holds, by the fixpoints of the diagrams on the part; that it does not, by a run of the
//! whole network, which has been replayed. Only infinite runs count here: a deadlock of the network is none of the part.
//!
//! Clarke, Grumberg, Jha, Lu and Veith, "Counterexample-guided abstraction refinement", CAV 2000; for processes that
//! synchronise on actions, Chaki, Clarke, Groce, Ouaknine, Strichman and Yorav, "Efficient verification of sequential
//! and concurrent C programs", FMSD 25, 2004.

use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::kinds::network::{LabelId, Network};
use crate::mdd::{MddManager, with_deep_stack};
use crate::model::{Path, Step, Then, TransitionSystem};
use crate::order::{Order, candidates};
use crate::stop_reason::StopReason;
use crate::symbolic::{Checker, Search, reachable_set};
use crate::witness::{End, Unexplained, Witness, explain_by_sets, explain_search};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Pairs of a state and a position of a word that are tried to find a run with this word.
const PAIRS: usize = 100_000;

/// A verdict from parts of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Localised {
    /// The components of the last part.
    pub kept: Vec<usize>,
    /// A run of the network that violates the formula, replayed; `None` if the formula holds.
    pub violated: Option<Witness>,
}

/// A word: labels, or some label that is neither of the kept components nor in the formula.
struct Word {
    letters: Vec<Option<LabelId>>,
    /// After the last letter it goes on here.
    again: usize,
}

impl Word {
    fn after(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.again }
    }
}

/// Decide whether all infinite runs of a network satisfy a path formula over actions (or `A` of one).
///
/// # Errors
/// [`StopReason::Unsupported`] for other formulas, [`StopReason::Foreign`] for one of another pool or network, and whatever stops the
/// diagrams.
pub fn decide_by_parts(
    network: &Network,
    pool: &mut Pool,
    formula: FormulaId,
    budget: &Budget,
) -> Result<Localised, StopReason> {
    pool.check(formula, network.variables(), network.actions())?;
    let formula = pool.close(formula);
    let named = named(pool, formula).ok_or(StopReason::Unsupported("formulas beyond LTL over actions"))?;
    let mut kept = first_kept(network, &named);
    loop {
        budget.check()?;
        let part = network.part(&kept, &named);
        let of = |labels: &[LabelId]| {
            labels.iter().map(|&label| part.find_label(network.label(label))).collect::<Option<Vec<_>>>()
        };
        const NO_LABEL: StopReason = StopReason::Unsupported("a label that is not in the network");
        let of_part = pool.relabelled(formula, of).ok_or(NO_LABEL)?;
        let Some(word) = counterexample(network, &part, pool, of_part, budget)? else {
            return Ok(Localised { kept, violated: None });
        };
        let left_out: Vec<usize> = (0..network.components().len()).filter(|at| !kept.contains(at)).collect();
        let free: Vec<LabelId> = network
            .label_ids()
            .filter(|label| !named.contains(label))
            .filter(|&label| network.participants(label).iter().all(|p| !kept.contains(&p.component)))
            .collect();
        let refused = left_out.iter().filter_map(|&at| Some((refusal(network, at, &word, &free)?, at))).min();
        if let Some((_, component)) = refused {
            kept.push(component);
            continue;
        }
        if let Some(lasso) = run_with(network, &word, &free, budget)?
            && let Ok(Some(witness)) =
                explain_search(network, pool, PathSemantics::Infinite, formula, false, Some(&lasso))
            && !witness.reason.holds
        {
            return Ok(Localised { kept, violated: Some(witness) });
        }
        let ties = |at: usize| {
            let shared = |label: &LabelId| {
                let has =
                    |wanted: &dyn Fn(usize) -> bool| network.participants(*label).iter().any(|p| wanted(p.component));
                has(&|component| component == at) && has(&|component| kept.contains(&component))
            };
            network.label_ids().filter(shared).count()
        };
        match left_out.iter().copied().max_by_key(|&at| (ties(at), std::cmp::Reverse(at))) {
            Some(next) => kept.push(next),
            None => return Err(StopReason::Unsupported("a run of the network that is none")),
        }
    }
}

/// The labels in a formula `A φ` of LTL without other atoms; `None` for other formulas.
fn named(pool: &Pool, formula: FormulaId) -> Option<Vec<LabelId>> {
    let Formula::Forall(path) = pool[formula] else { return None };
    let mut named = BTreeSet::new();
    for id in pool.subformulas(&[path]) {
        match &pool[id] {
            Formula::Action(labels) => named.extend(labels.iter().copied()),
            Formula::True | Formula::False => {}
            Formula::Exists(_) | Formula::Forall(_) | Formula::Diamond(..) | Formula::Box(..) => return None,
            node if node.is_atom() => return None,
            _ => {}
        }
    }
    Some(named.into_iter().collect())
}

/// For each label the participant that blocks it in most of its states.
fn first_kept(network: &Network, named: &[LabelId]) -> Vec<usize> {
    let mut kept = BTreeSet::new();
    for &label in named {
        let share = |participant: &&crate::kinds::network::Participant| {
            let mut sources: Vec<u32> = participant.edges.iter().map(|edge| edge.0).collect();
            sources.dedup();
            let states = network.components().get(participant.component).map_or(1, |c| c.states.len());
            sources.len() * 1000 / states.max(1)
        };
        kept.extend(network.participants(label).iter().min_by_key(share).map(|participant| participant.component));
    }
    kept.into_iter().collect()
}

/// The word of an infinite run of the part that violates a formula, if there is one.
fn counterexample(
    network: &Network,
    part: &Network,
    pool: &Pool,
    formula: FormulaId,
    budget: &Budget,
) -> Result<Option<Word>, StopReason> {
    let skeleton = part.skeleton();
    let order = candidates(&skeleton, budget, 0).into_iter().next();
    let order = order.map_or_else(|| Order::as_given(&skeleton), |scored| scored.order);
    let witness = with_deep_stack(part.components().len(), || {
        let relation = part
            .relation(order.as_slice())
            .map_err(|_| StopReason::Unsupported("an order that does not fit the network"))?;
        let space = MddManager::new(relation.levels(), budget)?;
        let states = reachable_set(&relation, &space, Search::Saturation, budget, &mut |_| ())?;
        let mut checker = Checker::new(&relation, states, PathSemantics::Infinite)?;
        if checker.holds_initially(pool, formula, budget)? {
            return Ok(None);
        }
        explain_by_sets(part, pool, &mut checker, formula, budget).map(Some).map_err(|error| match error {
            Unexplained::Stopped(stop) => stop,
            Unexplained::Broken(_) => StopReason::Unsupported("a run that does not replay"),
        })
    })?;
    const NO_RUN: StopReason = StopReason::Unsupported("a witness without a run");
    let Some(witness) = witness else { return Ok(None) };
    let run = witness.runs.first().ok_or(NO_RUN)?;
    let End::Loop(again) = run.end else { return Err(NO_RUN) };
    let letter = |step: &Step| network.find_label(part.label(step.action));
    Ok(Some(Word { letters: run.fired.iter().map(letter).collect(), again }))
}

/// After how many letters a component cannot go on with a word; `None` if it can for ever.
fn refusal(network: &Network, component: usize, word: &Word, free: &[LabelId]) -> Option<usize> {
    let own = |label: LabelId| network.participants(label).iter().find(|p| p.component == component);
    let post = |states: &BTreeSet<u32>, label: LabelId| match own(label) {
        None => states.clone(),
        Some(participant) => {
            states.iter().flat_map(|&state| participant.edges_from(state).iter().map(|edge| edge.1)).collect()
        }
    };
    let mut states = BTreeSet::from([network.components().get(component)?.initial]);
    let (mut seen, mut position) = (FxHashSet::default(), 0);
    for time in 0.. {
        if position == word.again && !seen.insert(states.clone()) {
            return None;
        }
        states = match *word.letters.get(position)? {
            Some(label) => post(&states, label),
            // Any of the free labels, its own or another one's.
            None => free.iter().flat_map(|&label| post(&states, label)).collect(),
        };
        if states.is_empty() {
            return Some(time);
        }
        position = word.after(position);
    }
    None
}

/// A successor: the step, the state, and the position in the word.
type Successor = (Step, Vec<u64>, usize);

/// A run of the network with this word, if one is found soon: a cycle in the product of the network and the word.
fn run_with(network: &Network, word: &Word, free: &[LabelId], budget: &Budget) -> Result<Option<Path>, StopReason> {
    let successors = |state: &[u64], position: usize| -> Vec<Successor> {
        let labels = match word.letters.get(position) {
            Some(Some(label)) => std::slice::from_ref(label),
            Some(None) => free,
            None => &[],
        };
        let next = word.after(position);
        let mut successors = Vec::new();
        for &action in labels.iter().filter(|&&label| network.allows(state, label)) {
            let steps = (0..network.choices(action).unwrap_or(0)).map(|choice| Step { action, choice });
            successors.extend(steps.map_while(|step| Some((step, network.take(state, step)?, next))));
        }
        successors.reverse();
        successors
    };
    let initial: Vec<u64> = network.components().iter().map(|component| u64::from(component.initial)).collect();
    // The place of each pair on the path, while it is there.
    let mut places: FxHashMap<(Vec<u64>, usize), Option<usize>> = FxHashMap::default();
    let mut path = vec![((initial.clone(), 0), successors(&initial, 0))];
    let mut taken: Vec<Step> = Vec::new();
    places.insert((initial, 0), Some(0));
    while let Some((pair, open)) = path.last_mut() {
        let Some((step, state, position)) = open.pop() else {
            places.insert(pair.clone(), None);
            path.pop();
            taken.pop();
            continue;
        };
        match places.get(&(state.clone(), position)) {
            Some(&Some(start)) => {
                taken.push(step);
                let cycle = taken.split_off(start);
                return Ok(Some(Path { prefix: taken, then: Then::Cycle(cycle) }));
            }
            Some(None) => {}
            None => {
                if places.len() >= PAIRS {
                    return Ok(None);
                }
                if places.len().is_multiple_of(256) {
                    budget.check()?;
                }
                places.insert((state.clone(), position), Some(path.len()));
                taken.push(step);
                let open = successors(&state, position);
                path.push(((state, position), open));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::explicit::{Encoding, Options, check_ltl};
    use crate::formula::Logic;
    use crate::random::{FormulaShape, NetworkShape, Rng, formula_over_steps, network};

    /// On random networks, what parts decide is what explicit search on the whole network says.
    #[test]
    fn parts_are_right() {
        let shape = NetworkShape { components: 5, labels: 7, ..NetworkShape::default() };
        let (mut held, mut proper, mut violated) = (0, 0, 0);
        for seed in 0..800 {
            let mut rng = Rng::new(seed);
            let network = network(&mut rng, &shape);
            let (mut pool, shape) = (Pool::new(), FormulaShape { logic: Logic::Ltl, size: 2 + seed as usize % 6 });
            let formula = formula_over_steps(&mut rng, &network.skeleton(), &shape, true, &mut pool);
            let budget = Budget::unlimited();
            let found = match decide_by_parts(&network, &mut pool, formula, &budget) {
                Ok(found) => found,
                Err(StopReason::Unsupported("formulas beyond LTL over actions")) => continue,
                Err(stop) => panic!("seed {seed}: {stop}"),
            };
            let engine = network.compile(&Encoding::default(), &budget).unwrap();
            let (paths, options) = (PathSemantics::Infinite, Options::default());
            let expected = check_ltl(&*engine, &mut pool, formula, paths, &options, &budget);
            assert_eq!(found.violated.is_none(), expected.unwrap().holds, "seed {seed}");
            let small = found.kept.len() < network.components().len();
            match found.violated {
                None => (held, proper) = (held + 1, proper + usize::from(small)),
                Some(_) => violated += 1,
            }
        }
        assert!(held > 50 && proper > 20 && violated > 50, "{held} {proper} {violated}");
    }
}
