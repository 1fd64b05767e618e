//! A shortest word that satisfies a guarantee, or the proof that there is none, without an automaton.
//!
//! **Problem.** The automaton of a conjunction has exponentially many states, also where a word of one letter satisfies it.
//! A guarantee holds of a word because of a beginning of it, formulas about finite words among them ([`super::finite`]). So its
//! satisfiability is a question of reachability, for which no automaton need be there.
//!
//! **States.** A word is read from left to right. What is left to be satisfied is a set of *demands*, formulas that the rest of
//! the word must satisfy; what was read is the set of operators of the past whose operands held (*histories*). Each
//! operator gives one clause or two, from it to what it takes: `a U b` is `b ∨ (a ∧ x)`, where `x` demands `a U b` of the next
//! position; `a S b` is `b ∨ (a ∧ h)`, where `h` may be true only if `a S b` was so in the position before. So one question to a
//! [solver](super::sat) finds a letter and a next state. The *goal* is to have no demands. Formulas are in negation normal form
//! and the clauses have one direction: with fewer demands or more histories all becomes easier.
//!
//! **Search.** Li, Pu, Zhang, Vardi and Rozier, "SAT-based explicit LTLf satisfiability checking" (AIJ 2020), which is Bradley's
//! search for inductive invariants (VMCAI 2011) with the goal in the place of the initial states. A *conflict* of level `i` is a
//! set of demands and of missing histories from which no goal is reached within `i` letters; states that have all of these are
//! left alone. The search follows models from the formula; where there is none, the core of the question is a new
//! conflict, made smaller by leaving parts out, one by one. A part may be left out if each next state is in a conflict of level
//! `i - 1` or in the new one: of its states none is the first from which a shortest way to the goal leaves it. The number of
//! letters grows by one until the goal is reached, so that words are shortest; or until two levels have the same conflicts,
//! which no way leaves then.

use super::ltl::{Formula, Formulas, Node};
use super::sat::{Lit, Outcome, Solver};
use super::{Cube, Literal, Prop};
use crate::budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;

/// The letters of a shortest beginning that makes every word with it satisfy the guarantee; `None` if no word does.
pub(super) fn shortest(store: &Formulas, formula: Formula, budget: &Budget) -> Result<Option<Vec<Cube>>, Exhausted> {
    match formula {
        Formula::TRUE => Ok(Some(Vec::new())),
        Formula::FALSE => Ok(None),
        _ => Search::new(store, formula, budget).run(),
    }
}

/// Demands and missing histories, by their numbers; sorted. There is a demand, so that no goal has it: without demands all
/// clauses are satisfied by what is false.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Conflict {
    demands: Vec<usize>,
    missing: Vec<usize>,
}

impl Conflict {
    fn has_all_of(&self, other: &Conflict) -> bool {
        let within = |part: &[usize], whole: &[usize]| part.iter().all(|n| whole.binary_search(n).is_ok());
        within(&other.demands, &self.demands) && within(&other.missing, &self.missing)
    }
}

/// A formula that may be demanded of the next position.
struct Demand {
    /// It is.
    made: Lit,
    /// The formula holds here.
    met: Lit,
}

/// What a position knows of the one before.
struct History {
    /// It is used.
    used: Lit,
    /// It will be known in the next position.
    given: Lit,
    /// Is it known in the first position?
    first: bool,
}

struct Search<'a> {
    solver: Solver,
    budget: &'a Budget,
    letters: Vec<(Prop, Lit)>,
    /// The first is the formula itself.
    demands: Vec<Demand>,
    histories: Vec<History>,
    /// By level, literals that switch on its conflicts.
    levels: Vec<Lit>,
    /// By level, conflicts that are not known to be of a higher one.
    conflicts: Vec<Vec<Conflict>>,
}

/// An answer about the next position.
enum Next {
    /// A letter, and the state behind it.
    State(Cube, Conflict),
    /// There is none, because of this.
    None(Conflict),
}

impl<'a> Search<'a> {
    fn new(store: &Formulas, formula: Formula, budget: &'a Budget) -> Self {
        let (solver, letters, demands) = (Solver::default(), Vec::new(), Vec::new());
        let (histories, levels, conflicts) = (Vec::new(), Vec::new(), Vec::new());
        let mut search = Search { solver, budget, letters, demands, histories, levels, conflicts };
        search.clauses(store, formula);
        search.add_level();
        for demand in &search.demands {
            search.solver.clause([!demand.made, !search.levels[0]]);
        }
        search
    }

    /// The clauses of the operators.
    fn clauses(&mut self, store: &Formulas, formula: Formula) {
        let root = self.solver.variable();
        let mut known: FxHashMap<Formula, Lit> = FxHashMap::default();
        let mut propositions: FxHashMap<Prop, Lit> = FxHashMap::default();
        let never = self.solver.variable();
        self.solver.clause([!never]);
        // Demands and histories of operands, which may have no literal yet.
        let mut demands = vec![(root, formula)];
        let mut histories: Vec<(Lit, Formula, bool)> = Vec::new();
        for g in store.subformulas(formula) {
            let solver = &mut self.solver;
            let of = |h: &Formula| known[h];
            let literal = match store.node(g) {
                Node::True => !never,
                Node::Literal(prop, positive) => {
                    let letter = *propositions.entry(*prop).or_insert_with(|| solver.variable());
                    if *positive { letter } else { !letter }
                }
                Node::And(parts) => {
                    let all = solver.variable();
                    parts.iter().for_each(|part| solver.clause([!all, of(part)]));
                    all
                }
                Node::Or(parts) => {
                    let some = solver.variable();
                    solver.clause(parts.iter().map(of).chain([!some]));
                    some
                }
                Node::Next(a) => {
                    let made = solver.variable();
                    demands.push((made, *a));
                    made
                }
                Node::Finally(a) => {
                    let (here, later) = (solver.variable(), solver.variable());
                    solver.clause([!here, of(a), later]);
                    demands.push((later, g));
                    here
                }
                Node::Until(a, b) => {
                    let (here, later) = (solver.variable(), solver.variable());
                    solver.clause([!here, of(b), later]);
                    solver.clause([!here, of(b), of(a)]);
                    demands.push((later, g));
                    here
                }
                Node::StrongRelease(a, b) => {
                    let (here, later) = (solver.variable(), solver.variable());
                    solver.clause([!here, of(b)]);
                    solver.clause([!here, of(a), later]);
                    demands.push((later, g));
                    here
                }
                Node::Yesterday(a) | Node::WeakYesterday(a) => {
                    let used = solver.variable();
                    histories.push((used, *a, matches!(store.node(g), Node::WeakYesterday(_))));
                    used
                }
                Node::Since(a, b) => {
                    let (here, used) = (solver.variable(), solver.variable());
                    solver.clause([!here, of(b), used]);
                    solver.clause([!here, of(b), of(a)]);
                    histories.push((used, g, false));
                    here
                }
                Node::Trigger(a, b) => {
                    let (here, used) = (solver.variable(), solver.variable());
                    solver.clause([!here, of(b)]);
                    solver.clause([!here, of(a), used]);
                    histories.push((used, g, true));
                    here
                }
                // Never satisfied by a beginning alone; guarantees have none of the others.
                Node::False | Node::Globally(_) | Node::Release(..) | Node::WeakUntil(..) => never,
            };
            known.insert(g, literal);
        }
        self.demands = demands.into_iter().map(|(made, g)| Demand { made, met: known[&g] }).collect();
        let history = |(used, g, first)| History { used, given: known[&g], first };
        self.histories = histories.into_iter().map(history).collect();
        self.letters = propositions.into_iter().collect();
        self.letters.sort_unstable();
    }

    fn run(mut self) -> Result<Option<Vec<Cube>>, Exhausted> {
        let missing = (0..self.histories.len()).filter(|&n| !self.histories[n].first).collect();
        let first = Conflict { demands: vec![0], missing };
        self.add_level();
        loop {
            let most = self.levels.len() - 1;
            // The states of a word, the first in front, and the letters between them.
            let (mut states, mut letters) = (vec![first.clone()], Vec::new());
            while let Some(state) = states.last() {
                let level = most + 1 - states.len();
                match self.next(state, level, None)? {
                    Next::State(letter, next) => {
                        letters.push(letter);
                        if level == 1 {
                            return Ok(Some(letters));
                        }
                        states.push(next);
                    }
                    Next::None(conflict) => {
                        let conflict = self.smaller(conflict, level)?;
                        self.block(conflict, level, most)?;
                        states.pop();
                        letters.pop();
                    }
                }
            }
            if self.is_closed()? {
                return Ok(None);
            }
        }
    }

    fn add_level(&mut self) {
        let level = self.solver.variable();
        self.levels.push(level);
        self.conflicts.push(Vec::new());
    }

    /// A letter from which the goal may be reached within `level - 1` more, and where it leads: outside of `left` too, which a
    /// literal switches on.
    fn next(&mut self, state: &Conflict, level: usize, left: Option<Lit>) -> Result<Next, Exhausted> {
        let mut assumptions: Vec<Lit> = self.levels[level - 1..].iter().copied().chain(left).collect();
        assumptions.extend(state.missing.iter().map(|&n| !self.histories[n].used));
        assumptions.extend(state.demands.iter().map(|&n| self.demands[n].met));
        match self.solver.solve(&assumptions, self.budget)? {
            Outcome::Satisfiable => {
                let is_true = |literal: Lit| self.solver.is_true(literal);
                let values = self.letters.iter().map(|&(prop, letter)| Literal { prop, positive: is_true(letter) });
                let letter = Cube::new(values).unwrap_or_default();
                let demands = (0..self.demands.len()).filter(|&n| is_true(self.demands[n].made)).collect();
                let missing = (0..self.histories.len()).filter(|&n| !is_true(self.histories[n].given)).collect();
                Ok(Next::State(letter, Conflict { demands, missing }))
            }
            Outcome::Unsatisfiable(mut core) => {
                core.sort_unstable();
                let has = |literal: Lit| core.binary_search(&literal).is_ok();
                let demands = state.demands.iter().copied().filter(|&n| has(self.demands[n].met)).collect();
                let missing = state.missing.iter().copied().filter(|&n| has(!self.histories[n].used)).collect();
                Ok(Next::None(Conflict { demands, missing }))
            }
        }
    }

    /// A conflict without parts of it that are not needed.
    fn smaller(&mut self, mut conflict: Conflict, level: usize) -> Result<Conflict, Exhausted> {
        let demands = conflict.demands.iter().map(|&n| (true, n));
        let parts: Vec<(bool, usize)> = conflict.missing.iter().map(|&n| (false, n)).chain(demands).collect();
        for (is_demand, part) in parts {
            let mut without = conflict.clone();
            let list = if is_demand { &mut without.demands } else { &mut without.missing };
            let Ok(at) = list.binary_search(&part) else { continue };
            list.remove(at);
            if without.demands.is_empty() {
                continue;
            }
            let outside = self.solver.variable();
            self.exclude(&without, outside);
            let answer = self.next(&without, level, Some(outside))?;
            self.solver.clause([!outside]);
            if let Next::None(core) = answer {
                conflict = core;
            }
        }
        Ok(conflict)
    }

    /// The next state does not have a conflict, where a literal is true.
    fn exclude(&mut self, conflict: &Conflict, switch: Lit) {
        let demands = conflict.demands.iter().map(|&n| !self.demands[n].made);
        let missing = conflict.missing.iter().map(|&n| self.histories[n].given);
        self.solver.clause(demands.chain(missing).chain([!switch]));
    }

    /// Adds a conflict of a level, as one of the highest level up to `most` that it has.
    fn block(&mut self, mut conflict: Conflict, mut level: usize, most: usize) -> Result<(), Exhausted> {
        while level < most {
            let Next::None(core) = self.next(&conflict, level + 1, None)? else { break };
            conflict = core;
            level += 1;
        }
        self.exclude(&conflict, self.levels[level]);
        for lower in &mut self.conflicts[..=level] {
            lower.retain(|other| !other.has_all_of(&conflict));
        }
        self.conflicts[level].push(conflict);
        Ok(())
    }

    /// Raises conflicts by a level each where they are of the next one. Is there a level all of whose conflicts are?
    fn is_closed(&mut self) -> Result<bool, Exhausted> {
        let most = self.levels.len();
        self.add_level();
        for level in 1..most {
            for conflict in self.conflicts[level].clone() {
                // It may be gone, as a smaller one was raised.
                if !self.conflicts[level].contains(&conflict) {
                    continue;
                }
                if let Next::None(core) = self.next(&conflict, level + 1, None)? {
                    self.block(core, level + 1, level + 1)?;
                }
            }
            if self.conflicts[level].is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
