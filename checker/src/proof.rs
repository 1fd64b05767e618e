//! Claims by sets, and what follows from claims.
//!
//! Every set that is computed here is a *lower bound*: all its states satisfy what it stands for. In the form that is checked nothing
//! stands under a negation, so lower bounds of formulas come from lower bounds of their parts; a formula without claim
//! has none but the empty one. docs/certificates.md has the conditions and their proofs.

use crate::certificate::Located;
use crate::diagram::{ALL, EMPTY, Follows, Moves, Node as Set, Store};
use crate::effort::{keep, release, work};
use crate::formula::{Id, Node, Pool};
use crate::net::{Effect, Net, value};
use crate::tableau::{Edge, Tableau};
use crate::{Checked, refuse};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// Steps times levels of models for which the steps with some labels are remembered, and of how many sets of labels.
const SMALL: (usize, usize) = (100_000, 32);

/// What is proved so far.
pub(crate) struct Prover<'a> {
    pub(crate) net: &'a Net,
    /// The tests and changes of all steps.
    size: usize,
    pub(crate) pool: &'a Pool,
    store: Store,
    order: &'a [usize],
    level_of: HashMap<usize, u32>,
    /// Is it a program whose states have other values on the levels each?
    pub(crate) tells_apart: bool,
    /// By quantified formula, states in which it is true.
    pub(crate) proved: HashMap<Id, Set>,
    /// The formulas that are true in the first state; the levels may be too few for a set of it.
    pub(crate) at_first: HashSet<Id>,
    /// Parts of sets that are known: of which set, of which formula, whether it is proved there.
    pub(crate) parts: HashMap<(Set, Id, bool), Set>,
    /// The formulas that are true in all reachable states, and at all positions of paths through them.
    pub(crate) always: Vec<bool>,
    /// Steps on the levels that have been asked for, by labels, and whether they touch nothing else.
    known_moves: HashMap<(Option<Vec<usize>>, bool), Rc<Moves>>,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(net: &'a Net, pool: &'a Pool, store: Store, order: &'a [usize]) -> Self {
        let level_of = order.iter().copied().zip(0..).collect();
        let (proved, at_first, always) = (HashMap::new(), HashSet::new(), vec![false; pool.len()]);
        let (size, parts) = (net.size(), HashMap::new());
        let tells_apart = false;
        let known_moves = HashMap::new();
        Prover { net, size, pool, store, order, level_of, tells_apart, proved, at_first, parts, always, known_moves }
    }

    /// What follows from the formulas that are always true: `valid_sat` of `proofs/Certificate.v`.
    pub(crate) fn extend_always(&mut self) {
        for id in 0..self.pool.len() {
            let of = |id: &Id| self.always[*id];
            let follows = match &self.pool[id] {
                Node::True => true,
                Node::And(list) => list.iter().all(of),
                Node::Or(list) => list.iter().any(of),
                Node::Exists(a) | Node::Forall(a) | Node::Next(a) | Node::Until(_, a) | Node::Release(_, a) => of(a),
                _ => false,
            };
            self.always[id] |= follows;
        }
    }

    /// The steps with some labels, or all, on the levels; only those that touch nothing else, if asked. `may` and `must`
    /// of `proofs/Places.v`. Of a program whose states the levels tell apart each step is just one on the levels.
    fn moves(&mut self, labels: Option<&[usize]>, exact: bool) -> Checked<Rc<Moves>> {
        // Where levels tell states apart, all are exact.
        let key = (labels.map(<[usize]>::to_vec), exact && !self.tells_apart);
        if let Some(moves) = self.known_moves.get(&key) {
            return Ok(Rc::clone(moves));
        }
        let (moves, units) = self.made_moves(labels, exact)?;
        let moves = Rc::new(moves);
        let is_small = self.net.steps.len().saturating_mul(self.order.len()) <= SMALL.0;
        if labels.is_none() || is_small && self.known_moves.len() < SMALL.1 {
            self.known_moves.insert(key, Rc::clone(&moves));
        } else {
            // They are thrown away before others are made.
            release(units);
        }
        Ok(moves)
    }

    /// The moves, and how much is kept with them beyond what the model has.
    fn made_moves(&self, labels: Option<&[usize]>, exact: bool) -> Checked<(Moves, usize)> {
        let (mut moves, mut units) = (Vec::new(), 0);
        if !self.tells_apart {
            work(self.size)?;
        }
        for step in self.net.steps_of(labels) {
            if let Some(effects) = Net::on_places(step, self.order) {
                work(2 * self.order.len() + 1)?;
                if self.tells_apart || !exact {
                    keep(self.order.len() + 1)?;
                    units += self.order.len() + 1;
                    moves.push((0..).zip(effects).collect());
                }
                continue;
            }
            let on_level = |(place, effect): &(usize, Effect)| Some((*self.level_of.get(place)?, effect.clone()));
            let mut effects: Vec<_> = step.effects.iter().filter_map(on_level).collect();
            effects.sort_by_key(|effect| effect.0);
            if !exact || effects.len() == step.effects.len() {
                moves.push(effects);
            }
        }
        Ok((Moves::new(moves), units))
    }

    /// Is a state formula proved in a state? `low_right` of `proofs/Certificate.v`.
    pub(crate) fn holds(&self, id: Id, state: &[u64]) -> Checked<bool> {
        self.holds_in(id, state, &mut HashMap::new())
    }

    fn holds_in(&self, id: Id, state: &[u64], known: &mut HashMap<Id, bool>) -> Checked<bool> {
        let (net, pool) = (self.net, self.pool);
        work(1)?;
        Ok(match &pool[id] {
            _ if self.always[id] => true,
            Node::True => true,
            Node::Deadlock => {
                work(net.steps_at(state).len())?;
                !net.can_step(None, state)
            }
            Node::Enabled(labels) => {
                work(net.steps_at(state).len())?;
                net.can_step(Some(labels), state)
            }
            // In the form that is checked negations stand before these two only.
            Node::Not(a) => {
                matches!(pool[*a], Node::Deadlock | Node::Enabled(_)) && !self.holds_in(*a, state, known)?
            }
            Node::Compare(sum, op, bound) => {
                work(sum.len())?;
                op.holds(value(sum, state), *bound)
            }
            Node::And(list) | Node::Or(list) => {
                if let Some(&known) = known.get(&id) {
                    return Ok(known);
                }
                let any = matches!(pool[id], Node::Or(_));
                let mut holds = !any;
                for &operand in list {
                    holds = self.holds_in(operand, state, known)?;
                    if holds == any {
                        break;
                    }
                }
                known.insert(id, holds);
                holds
            }
            Node::Exists(_) | Node::Forall(_) => {
                let on_levels: Vec<u64> = self.order.iter().map(|&place| state[place]).collect();
                self.proved.get(&id).is_some_and(|&set| self.store.contains(set, &on_levels))
                    || self.at_first.contains(&id) && state == net.initial()
            }
            _ => false,
        })
    }

    /// The states of a set in which no step with some label, or any, is possible: those of which this is sure; or, of the steps that
    /// touch levels only, those where none of them is.
    fn stuck(&mut self, set: Set, labels: Option<&[usize]>, exact: bool) -> Checked<Set> {
        let moves = self.moves(labels, exact)?;
        self.store.none_leads(set, ALL, &moves, Follows::Any)
    }

    /// The states of a set in which a state formula is proved, or those in which it is not.
    fn part(&mut self, set: Set, id: Id, proved: bool) -> Checked<Set> {
        if let Some(&known) = self.parts.get(&(set, id, proved)) {
            return Ok(known);
        }
        keep(1)?;
        let pool = self.pool;
        // One of the two parts, and which.
        let (part, of_proved) = match &pool[id] {
            _ if self.always[id] || set == EMPTY => (set, true),
            Node::True => (set, true),
            Node::Deadlock => (self.stuck(set, None, false)?, true),
            Node::Enabled(labels) => (self.stuck(set, Some(labels), true)?, false),
            Node::Not(a) => match &pool[*a] {
                Node::Deadlock => (self.stuck(set, None, true)?, false),
                Node::Enabled(labels) => (self.stuck(set, Some(labels), false)?, true),
                _ => (EMPTY, true),
            },
            Node::Compare(sum, op, bound) => {
                let factor = |&(place, factor): &(usize, i64)| Some((*self.level_of.get(&place)?, factor));
                match sum.iter().map(factor).collect::<Option<HashMap<u32, i64>>>() {
                    Some(sum) => (self.store.compared(set, &sum, &|sum| op.holds(sum, *bound))?, true),
                    None => (EMPTY, true),
                }
            }
            Node::And(list) => (list.iter().try_fold(set, |set, &operand| self.part(set, operand, true))?, true),
            Node::Or(list) => (list.iter().try_fold(set, |set, &operand| self.part(set, operand, false))?, false),
            Node::Exists(_) | Node::Forall(_) => match self.proved.get(&id) {
                Some(&proved) => (self.store.minus(set, proved)?, false),
                None => (EMPTY, true),
            },
            _ => (EMPTY, true),
        };
        let part = if proved == of_proved { part } else { self.store.minus(set, part)? };
        self.parts.insert((set, id, proved), part);
        Ok(part)
    }

    /// The first state alone, if all places are levels.
    pub(crate) fn first(&mut self) -> Checked<Set> {
        if self.order.len() < self.net.places.len() {
            return Ok(EMPTY);
        }
        let initial = self.net.initial();
        let mut levels = self.order.iter().enumerate().rev();
        levels.try_fold(1, |below, (level, &place)| self.store.node(level as u32, &[(initial[place], below)]))
    }

    /// The labels of steps that may take an edge; none if it says nothing of steps.
    fn labels(&self, edge: &Edge, negated: bool) -> Checked<Option<Vec<usize>>> {
        let labels = self.net.labels.len();
        work(labels * (edge.guard.len() - edge.letters(self.pool).len()))?;
        Ok(edge.labels(self.pool, labels, negated))
    }

    /// A claim that all paths satisfy a path formula: in none of these states at these locations does the automaton of
    /// its negation accept anything. Gives the states of the first location. `theorem_1` of `proofs/Claims.v`; on some of
    /// the places `all_on_levels` of `proofs/Levels.v`.
    pub(crate) fn all(&mut self, path: Id, given: &[Located]) -> Checked<Set> {
        let automaton = Tableau::new(self.pool, path, true)?;
        let sets = located(given, &automaton, 1)?;
        let set = |location| sets.get(&(location, 0)).copied().unwrap_or(EMPTY);
        let (any, classes) = (self.moves(None, false)?, automaton.marks as u32 + 1);
        for (location, edges) in automaton.edges.iter().enumerate() {
            for edge in edges {
                let letters = edge.letters(self.pool);
                let from = letters.iter().try_fold(set(location), |from, &letter| self.part(from, letter, false))?;
                let to = set(edge.target);
                let follows = Follows::Lower(classes, !edge.marks & ((1 << automaton.marks) - 1));
                let some = match self.labels(edge, true)? {
                    Some(labels) => Some(self.moves(Some(&labels), false)?),
                    None => None,
                };
                if !self.store.all_lead(from, to, some.as_ref().unwrap_or(&any), follows)? {
                    return refuse(format!("claim A: a step leads from location {location} out of the sets"));
                }
                if !edge.takes(self.pool, None, true) {
                    continue;
                }
                let elsewhere = self.store.without(from, to, follows)?;
                if self.stuck(elsewhere, None, true)? != EMPTY {
                    return refuse(format!("claim A: a deadlock at location {location} leads out of the sets"));
                }
            }
        }
        Ok(set(0))
    }

    /// A claim that some path satisfies a path formula: from each of these states at these locations the automaton
    /// goes on, and comes to the mark that is waited for. Gives the states of the first location that wait for the first mark.
    /// `theorem_2` of `proofs/Claims.v`; on some of the places `some_on_levels` of `proofs/Levels.v`.
    pub(crate) fn some(&mut self, path: Id, given: &[Located]) -> Checked<Set> {
        let automaton = Tableau::new(self.pool, path, false)?;
        let turns = automaton.marks.max(1);
        let sets = located(given, &automaton, turns)?;
        let any = self.moves(None, true)?;
        for (&(location, mark), &set) in &sets {
            let mut rest = set;
            let marked = |edge: &Edge| automaton.marks == 0 || edge.marks >> mark & 1 == 1;
            // What asks for least later leaves fewest states for the others.
            let mut edges: Vec<&Edge> = automaton.edges[location].iter().collect();
            edges.sort_by_key(|edge| (automaton.top != Some(edge.target), !marked(edge)));
            // By steps first, then by deadlocks that repeat.
            for repeats in [false, true] {
                if repeats && self.stuck(rest, None, false)? != rest {
                    return refuse(format!("claim E: no step leads on from location {location}"));
                }
                for edge in &edges {
                    if repeats && !edge.takes(self.pool, None, false) {
                        continue;
                    }
                    let labels = if repeats { None } else { self.labels(edge, false)? };
                    let then = if marked(edge) { (mark + 1) % turns } else { mark };
                    let follows = if marked(edge) { Follows::Any } else { Follows::Lower(1, 0) };
                    let letters = edge.letters(self.pool);
                    let from = letters.iter().try_fold(rest, |set, &letter| self.part(set, letter, true))?;
                    let left = match (sets.get(&(edge.target, then)), &labels) {
                        // That the path goes on is known, but not by which step.
                        (_, Some(labels)) if automaton.top == Some(edge.target) => {
                            self.stuck(from, Some(labels), true)?
                        }
                        (_, None) if automaton.top == Some(edge.target) => EMPTY,
                        (Some(&to), _) if repeats => self.store.without(from, to, follows)?,
                        (Some(&to), None) => self.store.none_leads(from, to, &any, follows)?,
                        (Some(&to), Some(labels)) => {
                            let moves = self.moves(Some(labels), true)?;
                            self.store.none_leads(from, to, &moves, follows)?
                        }
                        (None, _) => from,
                    };
                    let gone = self.store.minus(from, left)?;
                    rest = self.store.minus(rest, gone)?;
                }
            }
            if rest != EMPTY {
                return refuse(format!("claim E: a deadlock at location {location} has no way on"));
            }
        }
        Ok(sets.get(&(0, 0)).copied().unwrap_or(EMPTY))
    }
}

/// Is a model a program whose states are listed, each with other values in these places? Then its states could as well have these
/// places alone, and be called after them: what is sure, and what is possible, is the same (`must_right` and
/// `may_right` of `proofs/Levels.v`).
pub(crate) fn tells_apart(net: &Net, places: &[usize]) -> Checked<bool> {
    if net.by_state.is_empty() {
        return Ok(false);
    }
    if places.len() == net.places.len() {
        return Ok(true);
    }
    let size = net.by_state.len() * (places.len() + 1);
    keep(size)?;
    let mut seen = HashSet::with_capacity(net.by_state.len());
    let mut on_levels = net.by_state.keys().map(|state| places.iter().map(|&place| state[place]).collect::<Vec<u64>>());
    let differ = on_levels.all(|values| seen.insert(values));
    release(size);
    Ok(differ)
}

/// The sets of a claim by location and mark.
pub(crate) fn located(given: &[Located], automaton: &Tableau, marks: usize) -> Checked<BTreeMap<(usize, usize), Set>> {
    let mut sets = BTreeMap::new();
    for &(location, mark, set) in given {
        if location >= automaton.edges.len() || mark >= marks || sets.insert((location, mark), set).is_some() {
            return refuse("a claim has sets at a location that does not exist, or two at one");
        }
    }
    Ok(sets)
}
