//! Claims by sets, and what follows from the claims.
//!
//! Every set that is computed here is a *lower bound*: all its states satisfy what it stands for. In the form that is checked nothing
//! stands under a negation, so lower bounds of formulas come from lower bounds of their parts; a formula without claim
//! has none but the empty one. docs/certificates.md has the conditions and their proofs.

use crate::certificate::{Certificate, Evidence};
use crate::diagram::{ALL, EMPTY, Follows, Moves, Node as Set, Store};
use crate::formula::{Id, Node, Paths, Pool};
use crate::linear::{Linear, refuted};
use crate::net::Net;
use crate::tableau::Tableau;
use crate::{Checked, Proved, refuse, run};
use std::collections::HashMap;

/// Where a claim is proved.
#[derive(Clone, Copy)]
enum Where {
    In(Set),
    Initially,
}

/// What is proved so far.
pub(crate) struct Prover<'a> {
    pub(crate) net: &'a Net,
    pub(crate) pool: &'a Pool,
    store: Store,
    order: &'a [usize],
    level_of: HashMap<usize, u32>,
    proved: HashMap<Id, Where>,
    /// The formulas that are true in all reachable states, and at all positions of paths through them.
    pub(crate) always: Vec<bool>,
    /// All steps, each with what it does to the levels: whatever else it needs.
    loose: Moves,
    /// The steps that do nothing to anything else.
    exact: Moves,
}

/// Does the certificate prove its verdict?
pub(crate) fn verify(net: &Net, certificate: Certificate) -> Checked<Proved> {
    let Certificate { text, verdict, paths, pool, order, store, claims } = certificate;
    let mut prover = Prover::new(net, &pool, store, &order);
    let mut claims = claims;
    claims.sort_by_key(|claim| claim.formula);
    for claim in &claims {
        if let Evidence::Always(rows, proof) = &claim.evidence {
            if claim.formula >= pool.len() || std::mem::replace(&mut prover.always[claim.formula], true) {
                return refuse(format!("claim {} is made twice, or about nothing", claim.formula));
            }
            refuted(net, rows, &Linear::new(net, &pool, claim.formula)?.negated(), proof)?;
        }
    }
    prover.extend_always();
    for claim in claims.iter().filter(|claim| !matches!(claim.evidence, Evidence::Always(..))) {
        let id = claim.formula;
        let place = match (if id < pool.len() { &pool[id] } else { &Node::True }, &claim.evidence) {
            (Node::Forall(path), Evidence::All(sets)) => Where::In(prover.all(*path, sets)?),
            (Node::Exists(path), Evidence::Some(sets)) => Where::In(prover.some(*path, sets)?),
            (Node::Exists(path), Evidence::Run(steps, end)) => {
                if !run::satisfies(&prover, *path, steps, *end)? {
                    return refuse(format!("claim {id}: the run does not satisfy its formula"));
                }
                Where::Initially
            }
            _ => return refuse(format!("claim {id}: no formula of this kind")),
        };
        if prover.proved.insert(id, place).is_some() {
            return refuse(format!("claim {id} is made twice"));
        }
    }
    if !prover.holds(pool.len() - 1, &net.initial()) {
        return refuse("the claims do not imply the verdict");
    }
    let paths = match paths {
        Paths::Maximal => "maximal",
        Paths::Stutter => "stutter",
        Paths::Infinite => "infinite",
    };
    Ok(Proved { formula: text, verdict, paths })
}

impl<'a> Prover<'a> {
    pub(crate) fn new(net: &'a Net, pool: &'a Pool, store: Store, order: &'a [usize]) -> Self {
        let level_of = order.iter().enumerate().map(|(level, &place)| (place, level as u32)).collect();
        let (loose, exact, proved) = (Moves::default(), Moves::default(), HashMap::new());
        let always = vec![false; pool.len()];
        let mut prover = Prover { net, pool, store, order, level_of, proved, always, loose, exact };
        (prover.loose, prover.exact) = (prover.moves(|_| true, false), prover.moves(|_| true, true));
        prover
    }

    /// What follows from the formulas that are always true.
    fn extend_always(&mut self) {
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

    /// The steps with some labels on the levels; only those that touch nothing else, if asked.
    fn moves(&self, labels: impl Fn(usize) -> bool, exact: bool) -> Moves {
        let mut moves = Vec::new();
        for step in self.net.steps.iter().filter(|step| labels(step.label)) {
            let on_level = |(place, effect): &(usize, _)| Some((*self.level_of.get(place)?, Clone::clone(effect)));
            let mut effects: Vec<_> = step.effects.iter().filter_map(on_level).collect();
            effects.sort_by_key(|effect| effect.0);
            if !exact || effects.len() == step.effects.len() {
                moves.push(effects);
            }
        }
        Moves::new(self.store.levels(), moves)
    }

    /// Is a state formula proved in a state?
    pub(crate) fn holds(&self, id: Id, state: &[u64]) -> bool {
        let net = self.net;
        let enabled = |labels: Option<&Vec<usize>>| {
            let mut steps = net.steps.iter().filter(|step| labels.is_none_or(|labels| labels.contains(&step.label)));
            steps.any(|step| net.enabled(step, state))
        };
        match &self.pool[id] {
            _ if self.always[id] => true,
            Node::True => true,
            Node::Deadlock => !enabled(None),
            Node::Enabled(labels) => enabled(Some(labels)),
            Node::Not(a) => match &self.pool[*a] {
                Node::Deadlock => enabled(None),
                Node::Enabled(labels) => !enabled(Some(labels)),
                _ => false,
            },
            Node::Compare(sum, op, bound) => op
                .holds(sum.iter().map(|(place, factor)| i128::from(*factor) * i128::from(state[*place])).sum(), *bound),
            Node::And(list) => list.iter().all(|&a| self.holds(a, state)),
            Node::Or(list) => list.iter().any(|&a| self.holds(a, state)),
            Node::Exists(_) | Node::Forall(_) => match self.proved.get(&id) {
                Some(Where::In(set)) => {
                    let tuple: Vec<u64> = self.order.iter().map(|&place| state[place]).collect();
                    self.store.contains(*set, &tuple)
                }
                Some(Where::Initially) => state == net.initial(),
                None => false,
            },
            _ => false,
        }
    }

    /// The states of a set in which nothing is possible, for sure.
    fn dead(&mut self, set: Set) -> Checked<Set> {
        self.store.none_leads(set, ALL, &self.loose, Follows::Any)
    }

    /// The states of a set in which a state formula is proved.
    fn keep(&mut self, set: Set, id: Id) -> Checked<Set> {
        if set == EMPTY {
            return Ok(EMPTY);
        }
        let pool = self.pool;
        match &pool[id] {
            _ if self.always[id] => Ok(set),
            Node::True => Ok(set),
            Node::Deadlock => self.dead(set),
            Node::Enabled(labels) => {
                let moves = self.moves(|label| labels.contains(&label), true);
                let not = self.store.none_leads(set, ALL, &moves, Follows::Any)?;
                self.store.minus(set, not)
            }
            Node::Not(a) => match &pool[*a] {
                Node::Deadlock => {
                    let not = self.store.none_leads(set, ALL, &self.exact, Follows::Any)?;
                    self.store.minus(set, not)
                }
                Node::Enabled(labels) => {
                    let moves = self.moves(|label| labels.contains(&label), false);
                    self.store.none_leads(set, ALL, &moves, Follows::Any)
                }
                _ => Ok(EMPTY),
            },
            Node::Compare(sum, op, bound) => {
                let mut factors = vec![0; self.order.len()];
                for (place, factor) in sum {
                    match self.level_of.get(place) {
                        Some(&level) => factors[level as usize] = *factor,
                        None => return Ok(EMPTY),
                    }
                }
                self.store.compared(set, &factors, &|sum| op.holds(sum, *bound))
            }
            Node::And(list) => list.iter().try_fold(set, |set, &operand| self.keep(set, operand)),
            Node::Or(_) => {
                let not = self.remove(set, id)?;
                self.store.minus(set, not)
            }
            Node::Exists(_) | Node::Forall(_) => match self.proved(id)? {
                EMPTY => Ok(EMPTY),
                proved => {
                    let not = self.store.minus(set, proved)?;
                    self.store.minus(set, not)
                }
            },
            _ => Ok(EMPTY),
        }
    }

    /// The states of a set in which a state formula is not proved.
    fn remove(&mut self, set: Set, id: Id) -> Checked<Set> {
        let pool = self.pool;
        match &pool[id] {
            _ if self.always[id] => Ok(EMPTY),
            Node::Or(list) => list.iter().try_fold(set, |set, &operand| self.remove(set, operand)),
            Node::Exists(_) | Node::Forall(_) => {
                let proved = self.proved(id)?;
                self.store.minus(set, proved)
            }
            _ => {
                let kept = self.keep(set, id)?;
                self.store.minus(set, kept)
            }
        }
    }

    /// The states in which a quantified formula is proved.
    fn proved(&mut self, id: Id) -> Checked<Set> {
        match self.proved.get(&id) {
            Some(Where::In(set)) => Ok(*set),
            Some(Where::Initially) if self.order.len() == self.net.places.len() => {
                let initial = self.net.initial();
                let mut node = 1;
                for (level, &place) in self.order.iter().enumerate().rev() {
                    node = self.store.node(level as u32, &[(initial[place], node)])?;
                }
                Ok(node)
            }
            _ => Ok(EMPTY),
        }
    }

    /// A claim that all paths satisfy a path formula: in none of these states at these locations does the automaton of
    /// its negation accept anything. Gives the states of the first location.
    fn all(&mut self, path: Id, given: &[(usize, Set)]) -> Checked<Set> {
        let automaton = Tableau::new(self.pool, path, true)?;
        let mut sets = vec![EMPTY; automaton.edges.len()];
        for &(location, set) in given {
            match sets.get_mut(location) {
                Some(place) if *place == EMPTY => *place = set,
                _ => return refuse("a claim has sets at a location that does not exist, or two at one"),
            }
        }
        let (modulus, proper) = (automaton.marks as u32 + 1, automaton.marks as u32);
        for (location, edges) in automaton.edges.iter().enumerate() {
            for edge in edges {
                let mut from = sets[location];
                for &letter in &edge.guard {
                    from = self.remove(from, letter)?;
                }
                if from == EMPTY {
                    continue;
                }
                let (to, follows) = (sets[edge.target], Follows::Layer(modulus, proper, edge.marks));
                let equal = self.store.remainders(from, modulus) & (edge.marks | 1 << proper) == 0;
                if to == EMPTY || !self.store.all_lead(from, to, &self.loose, follows, equal) {
                    return refuse(format!("claim A: a step leads from location {location} out of the sets"));
                }
                if !self.store.all_within(from, to, follows, equal) {
                    let alive = &self.exact;
                    let dead = self.store.none_leads(from, ALL, alive, Follows::Any)?;
                    if !self.store.all_within(dead, to, follows, equal) {
                        return refuse(format!("claim A: a deadlock at location {location} leads out of the sets"));
                    }
                }
            }
        }
        Ok(sets[0])
    }

    /// A claim that some path satisfies a path formula: from each of these states at these locations the automaton
    /// goes on, and comes to the mark that is waited for. Gives the states of the first location that wait for the first mark.
    fn some(&mut self, path: Id, given: &[(usize, usize, Set)]) -> Checked<Set> {
        let automaton = Tableau::new(self.pool, path, false)?;
        let turns = automaton.marks.max(1);
        let mut sets = HashMap::new();
        for &(location, mark, set) in given {
            if location >= automaton.edges.len() || mark >= turns || sets.insert((location, mark), set).is_some() {
                return refuse("a claim has sets at a location that does not exist, or two at one");
            }
        }
        for (&(location, mark), &set) in &sets {
            let mut rest = set;
            let mut aims = Vec::new();
            for edge in &automaton.edges[location] {
                let marked = automaton.marks == 0 || edge.marks >> mark & 1 == 1;
                let then = if marked { (mark + 1) % turns } else { mark };
                let to = if automaton.top == Some(edge.target) {
                    Some(ALL)
                } else {
                    sets.get(&(edge.target, then)).copied()
                };
                aims.extend(to.map(|to| (to != ALL, !marked, edge, to)));
            }
            aims.sort_by_key(|aim| (aim.0, aim.1));
            // By steps first, then by deadlocks that repeat.
            for repeats in [false, true] {
                if repeats && rest != EMPTY {
                    let dead = self.dead(rest)?;
                    if dead != rest {
                        return refuse(format!("claim E: no step leads on from location {location}"));
                    }
                }
                for &(_, postponed, edge, to) in &aims {
                    let from = edge.guard.iter().try_fold(rest, |set, &letter| self.keep(set, letter))?;
                    let follows = if postponed { Follows::Lower } else { Follows::Any };
                    let left = if repeats || to == ALL {
                        self.store.without(from, to, follows)?
                    } else {
                        self.store.none_leads(from, to, &self.exact, follows)?
                    };
                    rest = if from == rest {
                        left
                    } else {
                        let gone = self.store.minus(from, left)?;
                        self.store.minus(rest, gone)?
                    };
                }
            }
            if rest != EMPTY {
                return refuse(format!("claim E: a deadlock at location {location} has no way on"));
            }
        }
        Ok(sets.get(&(0, 0)).copied().unwrap_or(EMPTY))
    }
}
