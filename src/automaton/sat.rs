//! Satisfiability of clauses under assumptions: conflict-driven clause learning.
//!
//! Marques-Silva and Sakallah 1999; two watched literals and learning to the first unique implication point (Moskewicz,
//! Madigan, Zhao, Zhang and Malik, DAC 2001); assumptions and final conflicts (Eén and Sörensson, SAT 2003). Decisions take the
//! variable that was last moved to the front, which those of a conflict are (Biere 2008), and make it false, so that models
//! say little. Restarts follow the sequence of Luby, Sinclair and Zuckerman 1993. At restarts the half of the learned clauses
//! with the most decision levels goes (Audemard and Simon, IJCAI 2009).
//!
//! **Invariant.** A clause of two or more literals is watched by its first two; where one is false, the other is true or the
//! literal waits in the queue of the trail. The reason of a literal is a clause in which it is the first.
//!
//! Small on purpose: it serves [many small questions about the same clauses](super::guarantee), to which clauses are added
//! in between.

use crate::budget::{Budget, Exhausted};

/// A literal: twice the number of its variable, plus one if it is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The answer of [`Solver::solve`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// There is a model: [`Solver::is_true`] reads it.
    Satisfiable,
    /// There is none, and these assumptions alone are enough for that.
    Unsatisfiable(Vec<Lit>),
}

struct Clause {
    literals: Vec<Lit>,
    /// The number of decision levels when it was learned; 0 of one that was given.
    levels: u32,
}

/// A clause that watches a literal, and another of its literals: where that is true, the clause need not be looked at.
#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    other: Lit,
}

/// What is known of a variable.
struct Variable {
    value: Option<bool>,
    level: u32,
    reason: Option<u32>,
    /// Its neighbours in the order of decisions, and when it was moved to the front.
    before: Option<u32>,
    behind: Option<u32>,
    moved: u64,
    seen: bool,
}

/// Conflicts before the first restart.
const RESTART: u64 = 64;
/// Learned clauses before the first half goes, and how many more before the next.
const LEARNED: usize = 4_000;
/// Conflicts between two looks at the budget.
const CHECK_INTERVAL: u64 = 64;
/// Bytes of a literal of a clause, with its part of the tables.
const LITERAL_BYTES: u64 = 24;
/// Bytes of a variable, with its two lists of watches.
const VARIABLE_BYTES: u64 = 128;

/// Clauses, and what was learned of them.
#[derive(Default)]
pub(super) struct Solver {
    clauses: Vec<Clause>,
    watches: Vec<Vec<Watch>>,
    variables: Vec<Variable>,
    trail: Vec<Lit>,
    /// Where each decision level begins in the trail.
    levels: Vec<usize>,
    propagated: usize,
    /// The variable at the front of the order of decisions, and one from which on all before it are assigned.
    front: Option<u32>,
    search: Option<u32>,
    clock: u64,
    contradictory: bool,
    conflicts: u64,
    learned: usize,
    most_learned: usize,
    literals: u64,
    model: Vec<bool>,
}

impl Solver {
    /// A new variable, as its positive literal.
    pub(super) fn variable(&mut self) -> Lit {
        let number = self.variables.len() as u32;
        self.variables.push(Variable {
            value: None,
            level: 0,
            reason: None,
            before: None,
            behind: None,
            moved: 0,
            seen: false,
        });
        self.watches.extend([Vec::new(), Vec::new()]);
        self.bring_to_front(number);
        Lit(number << 1)
    }

    /// Adds a clause, between two questions.
    pub(super) fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.back_to(0);
        let mut literals: Vec<Lit> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        let tautology = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        if tautology || literals.iter().any(|&l| self.value(l) == Some(true)) {
            return;
        }
        literals.retain(|&l| self.value(l).is_none());
        match literals[..] {
            [] => self.contradictory = true,
            [unit] => {
                self.assign(unit, None);
                self.contradictory |= self.propagate().is_some();
            }
            _ => {
                self.add(literals, 0);
            }
        }
    }

    /// Are time and memory left?
    fn check(&self, budget: &Budget) -> Result<(), Exhausted> {
        budget.check()?;
        let bytes = self.literals * LITERAL_BYTES + self.variables.len() as u64 * VARIABLE_BYTES;
        if budget.memory().is_some_and(|most| bytes > most) { Err(Exhausted::Memory) } else { Ok(()) }
    }

    /// Are the clauses satisfiable with these literals?
    pub(super) fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<Outcome, Exhausted> {
        self.back_to(0);
        self.forget();
        self.check(budget)?;
        let (mut round, mut left) = (1, RESTART);
        while !self.contradictory {
            if let Some(conflict) = self.propagate() {
                if self.levels.is_empty() {
                    self.contradictory = true;
                    break;
                }
                self.learn(conflict);
                self.conflicts += 1;
                left -= 1;
                if self.conflicts.is_multiple_of(CHECK_INTERVAL) {
                    self.check(budget)?;
                }
                if left == 0 {
                    round += 1;
                    left = RESTART * luby(round);
                    self.back_to(0);
                    self.forget();
                }
                continue;
            }
            let decision = match assumptions.get(self.levels.len()) {
                Some(&assumed) => match self.value(assumed) {
                    Some(false) => return Ok(Outcome::Unsatisfiable(self.core(assumed))),
                    Some(true) => None,
                    None => Some(assumed),
                },
                None => match self.unassigned() {
                    Some(number) => Some(Lit(number << 1 | 1)),
                    None => {
                        self.model = self.variables.iter().map(|v| v.value == Some(true)).collect();
                        return Ok(Outcome::Satisfiable);
                    }
                },
            };
            self.levels.push(self.trail.len());
            if let Some(literal) = decision {
                self.assign(literal, None);
            }
        }
        Ok(Outcome::Unsatisfiable(Vec::new()))
    }

    /// Is a literal true in the last model?
    pub(super) fn is_true(&self, literal: Lit) -> bool {
        self.model.get(literal.variable()).is_some_and(|&value| value != literal.is_negated())
    }

    fn value(&self, literal: Lit) -> Option<bool> {
        self.variables[literal.variable()].value.map(|value| value != literal.is_negated())
    }

    fn add(&mut self, literals: Vec<Lit>, levels: u32) -> u32 {
        let clause = self.clauses.len() as u32;
        self.watches[literals[0].index()].push(Watch { clause, other: literals[1] });
        self.watches[literals[1].index()].push(Watch { clause, other: literals[0] });
        self.literals += literals.len() as u64;
        self.learned += usize::from(levels > 0);
        self.clauses.push(Clause { literals, levels });
        clause
    }

    fn assign(&mut self, literal: Lit, reason: Option<u32>) {
        let level = self.levels.len() as u32;
        let variable = &mut self.variables[literal.variable()];
        variable.value = Some(!literal.is_negated());
        variable.level = level;
        variable.reason = reason;
        self.trail.push(literal);
    }

    fn back_to(&mut self, level: usize) {
        if level >= self.levels.len() {
            return;
        }
        let keep = self.levels[level];
        for &literal in &self.trail[keep..] {
            let variable = &mut self.variables[literal.variable()];
            (variable.value, variable.reason) = (None, None);
            let moved = variable.moved;
            if self.search.is_none_or(|at| self.variables[at as usize].moved < moved) {
                self.search = Some(literal.variable() as u32);
            }
        }
        self.trail.truncate(keep);
        self.levels.truncate(level);
        self.propagated = self.propagated.min(keep);
    }

    /// All that follows from the trail, or a clause that is false.
    fn propagate(&mut self) -> Option<u32> {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let is_false = !literal;
            let mut watches = std::mem::take(&mut self.watches[is_false.index()]);
            let (mut read, mut kept, mut conflict) = (0, 0, None);
            'watches: while read < watches.len() {
                let watch = watches[read];
                read += 1;
                watches[kept] = watch;
                if self.value(watch.other) == Some(true) {
                    kept += 1;
                    continue;
                }
                let clause = &mut self.clauses[watch.clause as usize].literals;
                if clause[0] == is_false {
                    clause.swap(0, 1);
                }
                let first = clause[0];
                for at in 2..clause.len() {
                    let other = clause[at];
                    let variable = &self.variables[other.variable()];
                    if variable.value != Some(other.is_negated()) {
                        clause.swap(1, at);
                        self.watches[other.index()].push(Watch { clause: watch.clause, other: first });
                        continue 'watches;
                    }
                }
                watches[kept] = Watch { clause: watch.clause, other: first };
                kept += 1;
                match self.value(first) {
                    Some(true) => {}
                    None => self.assign(first, Some(watch.clause)),
                    Some(false) => {
                        conflict = Some(watch.clause);
                        break;
                    }
                }
            }
            watches.copy_within(read.., kept);
            watches.truncate(kept + watches.len() - read);
            self.watches[is_false.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Learns the clause of the first unique implication point, goes back, and assigns what it implies.
    fn learn(&mut self, conflict: u32) {
        let level = self.levels.len() as u32;
        let (mut lower, mut bumped) = (Vec::new(), Vec::new());
        let (mut clause, mut open, mut at) = (conflict, 0usize, self.trail.len());
        let point = loop {
            for i in 0..self.clauses[clause as usize].literals.len() {
                let literal = self.clauses[clause as usize].literals[i];
                let variable = &mut self.variables[literal.variable()];
                if variable.seen || variable.level == 0 || variable.value == Some(!literal.is_negated()) {
                    continue;
                }
                variable.seen = true;
                bumped.push(literal.variable() as u32);
                if variable.level == level {
                    open += 1;
                } else {
                    lower.push(literal);
                }
            }
            while at > 0 && !self.variables[self.trail[at - 1].variable()].seen {
                at -= 1;
            }
            at -= 1;
            let literal = self.trail[at];
            open -= 1;
            match self.variables[literal.variable()].reason {
                Some(reason) if open > 0 => clause = reason,
                _ => break literal,
            }
        };
        // A literal whose reason is made of others of the clause says nothing new.
        let implied = |literal: &Lit| {
            self.variables[literal.variable()].reason.is_some_and(|reason| {
                let others = self.clauses[reason as usize].literals.iter();
                others.skip(1).all(|l| self.variables[l.variable()].seen || self.variables[l.variable()].level == 0)
            })
        };
        lower.retain(|literal| !implied(literal));
        bumped.sort_unstable_by_key(|&number| self.variables[number as usize].moved);
        for number in bumped {
            self.variables[number as usize].seen = false;
            self.bring_to_front(number);
        }
        lower.sort_unstable_by_key(|l| std::cmp::Reverse(self.variables[l.variable()].level));
        let mut levels: Vec<u32> = lower.iter().map(|l| self.variables[l.variable()].level).collect();
        levels.dedup();
        self.back_to(levels.first().map_or(0, |&level| level as usize));
        lower.insert(0, !point);
        let reason = (lower.len() > 1).then(|| self.add(lower, levels.len() as u32 + 1));
        self.assign(!point, reason);
    }

    /// The assumptions from which the negation of this one follows, and it.
    fn core(&mut self, assumed: Lit) -> Vec<Lit> {
        let mut core = vec![assumed];
        self.variables[assumed.variable()].seen = true;
        let first = self.levels.first().copied().unwrap_or(self.trail.len());
        for at in (first..self.trail.len()).rev() {
            let literal = self.trail[at];
            if !std::mem::take(&mut self.variables[literal.variable()].seen) {
                continue;
            }
            match self.variables[literal.variable()].reason {
                None => core.push(literal),
                Some(reason) => {
                    for &other in &self.clauses[reason as usize].literals[1..] {
                        let variable = &mut self.variables[other.variable()];
                        variable.seen |= variable.level > 0;
                    }
                }
            }
        }
        self.variables[assumed.variable()].seen = false;
        core
    }

    /// Moves a variable to the front of the order of decisions.
    fn bring_to_front(&mut self, number: u32) {
        let at = number as usize;
        let (before, behind) = (self.variables[at].before, self.variables[at].behind);
        if let Some(before) = before {
            self.variables[before as usize].behind = behind;
        }
        if let Some(behind) = behind {
            self.variables[behind as usize].before = before;
        }
        if self.search == Some(number) && self.variables[at].value.is_some() {
            self.search = behind.or(before);
        }
        if self.front == Some(number) {
            self.front = behind;
        }
        self.clock += 1;
        self.variables[at].moved = self.clock;
        (self.variables[at].before, self.variables[at].behind) = (None, self.front);
        if let Some(front) = self.front {
            self.variables[front as usize].before = Some(number);
        }
        self.front = Some(number);
        if self.variables[at].value.is_none() {
            self.search = Some(number);
        }
    }

    /// The first variable in the order of decisions without a value.
    fn unassigned(&mut self) -> Option<u32> {
        while let Some(number) = self.search {
            if self.variables[number as usize].value.is_none() {
                return Some(number);
            }
            self.search = self.variables[number as usize].behind;
        }
        None
    }

    /// On no decision level: leaves out clauses that are true, and half of those that were learned if they are too many.
    fn forget(&mut self) {
        if self.most_learned == 0 {
            self.most_learned = LEARNED;
        }
        if self.learned < self.most_learned || self.contradictory {
            return;
        }
        if self.propagate().is_some() {
            self.contradictory = true;
            return;
        }
        self.most_learned += LEARNED / 4;
        let mut levels: Vec<u32> = self.clauses.iter().map(|c| c.levels).filter(|&levels| levels > 0).collect();
        levels.sort_unstable();
        let most = levels[levels.len() / 2].max(2);
        let clauses = std::mem::take(&mut self.clauses);
        self.watches.iter_mut().for_each(Vec::clear);
        (self.literals, self.learned) = (0, 0);
        for &literal in &self.trail {
            self.variables[literal.variable()].reason = None;
        }
        for mut clause in clauses {
            if clause.levels <= most && !clause.literals.iter().any(|&l| self.value(l) == Some(true)) {
                // All is propagated: two of them at least are open.
                clause.literals.retain(|&l| self.value(l).is_none());
                self.add(clause.literals, clause.levels);
            }
        }
    }
}

/// 1, 1, 2, 1, 1, 2, 4, …, the first being number 1.
fn luby(number: u64) -> u64 {
    let mut rest = number;
    loop {
        let length = u64::BITS - rest.leading_zeros();
        if rest == (1 << length) - 1 {
            return 1 << (length - 1);
        }
        rest -= (1 << (length - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_sequence_of_restarts() {
        let first: Vec<u64> = (1..16).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    /// Random clauses over ten variables, added between questions, against all assignments.
    #[test]
    fn random_clauses_against_all_assignments() {
        const VARIABLES: usize = 10;
        let budget = Budget::unlimited();
        let (mut rng, mut found) = (Rng::new(48), [0, 0, 0]);
        for _ in 0..300 {
            let mut solver = Solver::default();
            let variables: Vec<Lit> = (0..VARIABLES).map(|_| solver.variable()).collect();
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            let literal = |rng: &mut Rng| {
                let variable = variables[rng.below(VARIABLES)];
                if rng.one_in(2) { variable } else { !variable }
            };
            for _ in 0..12 {
                for _ in 0..4 {
                    let clause: Vec<Lit> = (0..1 + rng.below(4)).map(|_| literal(&mut rng)).collect();
                    let clause = if clause.len() == 1 { vec![clause[0], literal(&mut rng)] } else { clause };
                    solver.clause(clause.clone());
                    clauses.push(clause);
                }
                let assumptions: Vec<Lit> = (0..rng.below(4)).map(|_| literal(&mut rng)).collect();
                let satisfiable = |assumptions: &[Lit]| {
                    (0..1u32 << VARIABLES).any(|values| {
                        let holds = |l: &Lit| (values >> l.variable() & 1 == 1) != l.is_negated();
                        clauses.iter().all(|clause| clause.iter().any(holds)) && assumptions.iter().all(holds)
                    })
                };
                match solver.solve(&assumptions, &budget).unwrap() {
                    Outcome::Satisfiable => {
                        let holds = |l: &Lit| solver.is_true(*l);
                        assert!(clauses.iter().all(|clause| clause.iter().any(holds)));
                        assert!(assumptions.iter().all(holds));
                        found[0] += 1;
                    }
                    Outcome::Unsatisfiable(core) => {
                        assert!(core.iter().all(|l| assumptions.contains(l)), "{core:?} of {assumptions:?}");
                        assert!(!satisfiable(&core));
                        found[if core.is_empty() { 2 } else { 1 }] += 1;
                    }
                }
            }
        }
        assert!(found.iter().all(|&count| count > 100), "{found:?}");
    }

    /// One pigeon more than holes: many conflicts, restarts, and clauses that go.
    #[test]
    fn pigeons_and_holes() {
        let mut solver = Solver { most_learned: 50, ..Solver::default() };
        let holes = 6;
        let at: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| solver.variable()).collect()).collect();
        at.iter().for_each(|pigeon| solver.clause(pigeon.iter().copied()));
        for hole in 0..holes {
            for first in 0..at.len() {
                for second in 0..first {
                    solver.clause([!at[first][hole], !at[second][hole]]);
                }
            }
        }
        assert_eq!(solver.solve(&[], &Budget::unlimited()), Ok(Outcome::Unsatisfiable(Vec::new())));
        assert!(solver.conflicts > 64);
    }
}
