//! Emerson–Lei acceptance conditions as generalized Büchi automata.
//!
//! **Problem.** A condition is any positive Boolean combination of `Inf(m)` (infinitely many edges with mark `m`) and `Fin(m)`: Büchi,
//! co-Büchi, Rabin, Streett, parity and their mixtures. The products with models, symbolic and explicit, know generalized Büchi
//! acceptance, a conjunction of `Inf`, and no other.
//!
//! **Idea.** All that is asked of an automaton is whether it accepts *some* path, so it may guess. The condition is brought into
//! the form ⋁ᵢ (⋀ Fin(Fᵢ) ∧ φᵢ) with distinct sets Fᵢ of marks and φᵢ without `Fin`. A run that satisfies case i takes
//! edges with a mark in Fᵢ only finitely often. So the automaton gets a copy for each case with Fᵢ ≠ ∅, in which these edges are missing;
//! a run leaves the original for a copy at some time and stays. In the copy, as in the original for the case with Fᵢ = ∅,
//! φᵢ is a conjunction of disjunctions of `Inf`, and ⋁ Inf(m) is `Inf` of the union of the marks: each clause
//! is one acceptance set. So a condition without `Fin` costs no states at all, and one with k sets Fᵢ makes k copies.
//!
//! One construction serves all conditions, and the engines stay as they are; on-the-fly algorithms for Emerson–Lei
//! acceptance would save the copies and be needed in each engine once more. The price is bounded: a Streett
//! condition of k pairs has 2^k cases, and what has more than [`MAX_CASES`] is refused.
//!
//! **Smaller.** A case is dropped where another has fewer `Fin` and demands no more `Inf`; in a copy without the edges of `m`,
//! `Inf(m)` is false.
//!
//! *Sources*: Emerson & Lei, "Modalities for model checking: branching time logic strikes back", SCP 8 (1987); Baier et al.,
//! "Generic emptiness check for fun and profit", ATVA 2019; Safra & Vardi, "On ω-automata and temporal logic", STOC 1989
//! (Streett to Büchi by guessing). Time and space are those of the cases.

use crate::automaton::Marks;
use std::collections::BTreeSet;

/// Cases of a condition, on the way.
pub(super) const MAX_CASES: usize = 256;
/// Clauses of a case, on the way: as many as there may be acceptance sets.
const MAX_CLAUSES: usize = Marks::MAX as usize;

/// A set of edges: those with an acceptance set, or all others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Mark {
    /// The acceptance set.
    pub(super) set: u32,
    /// The edges that do not belong to it.
    pub(super) complement: bool,
}

impl Mark {
    fn on(self, has: impl Fn(u32) -> bool) -> bool {
        has(self.set) != self.complement
    }
}

/// An acceptance condition. The empty conjunction is true, the empty disjunction false.
#[derive(Clone, Debug)]
pub(super) enum Acceptance {
    Inf(Mark),
    Fin(Mark),
    And(Vec<Acceptance>),
    Or(Vec<Acceptance>),
}

type Clauses = BTreeSet<BTreeSet<Mark>>;

/// A disjunct of the disjunctive normal form of an acceptance condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Disjunct {
    /// Edges with one of these are taken finitely often.
    finitely: BTreeSet<Mark>,
    /// Of each of these edges with some mark are taken infinitely often.
    pub(super) infinitely: Clauses,
}

impl Disjunct {
    /// Is no edge forbidden?
    pub(super) fn is_plain(&self) -> bool {
        self.finitely.is_empty()
    }

    /// Is an edge, of which `has` tells the acceptance sets, missing in the copy of this case?
    pub(super) fn is_over(&self, has: impl Fn(u32) -> bool) -> bool {
        self.finitely.iter().any(|mark| mark.on(&has))
    }

    /// The marks of an edge where this case is decided on; of those that the case does not need, all.
    pub(super) fn marks(&self, sets: u32, has: impl Fn(u32) -> bool) -> Marks {
        let needed = self.infinitely.len() as u32;
        let seen = (0..).zip(&self.infinitely).filter(|(_, clause)| clause.iter().any(|mark| mark.on(&has)));
        seen.map(|(set, _)| set).chain(needed..sets).fold(Marks::NONE, Marks::with)
    }

    /// Does each run that satisfies `other` satisfy this?
    fn covers(&self, other: &Disjunct) -> bool {
        let implied = |clause: &BTreeSet<Mark>| other.infinitely.iter().any(|stronger| stronger.is_subset(clause));
        self.finitely.is_subset(&other.finitely) && self.infinitely.iter().all(implied)
    }
}

/// The cases of a condition, one at most for each set of marks that are seen finitely often; `None` if they are too many.
pub(super) fn cases(acceptance: &Acceptance) -> Option<Vec<Disjunct>> {
    let mut all = expand(acceptance)?;
    let mut index = 0;
    while index < all.len() {
        let covered = (0..all.len()).any(|other| other != index && all[other].covers(&all[index]));
        if covered {
            all.remove(index);
        } else {
            index += 1;
        }
    }
    Some(all)
}

fn expand(acceptance: &Acceptance) -> Option<Vec<Disjunct>> {
    let empty = || Disjunct { finitely: BTreeSet::new(), infinitely: Clauses::new() };
    match acceptance {
        Acceptance::Inf(mark) => {
            Some(vec![Disjunct { infinitely: Clauses::from([BTreeSet::from([*mark])]), ..empty() }])
        }
        Acceptance::Fin(mark) => Some(vec![Disjunct { finitely: BTreeSet::from([*mark]), ..empty() }]),
        Acceptance::Or(parts) => {
            let mut any = Vec::new();
            for part in parts {
                for case in expand(part)? {
                    insert(&mut any, case)?;
                }
            }
            Some(any)
        }
        Acceptance::And(parts) => {
            let mut all = vec![empty()];
            for part in parts {
                let factors = expand(part)?;
                let mut product = Vec::new();
                for (a, b) in all.iter().flat_map(|a| factors.iter().map(move |b| (a, b))) {
                    let finitely: BTreeSet<Mark> = &a.finitely | &b.finitely;
                    let both = a.infinitely.union(&b.infinitely);
                    // Edges that are missing are not seen.
                    let left = both.map(|clause| clause - &finitely);
                    let infinitely = least(left.collect());
                    if !infinitely.contains(&BTreeSet::new()) {
                        insert(&mut product, Disjunct { finitely, infinitely })?;
                    }
                }
                all = product;
            }
            Some(all)
        }
    }
}

/// Add a case: of two with the same marks that are seen finitely often, the disjunction.
fn insert(cases: &mut Vec<Disjunct>, case: Disjunct) -> Option<()> {
    if case.infinitely.len() > MAX_CLAUSES {
        return None;
    }
    match cases.iter_mut().find(|known| known.finitely == case.finitely) {
        Some(known) => {
            let pairs = known.infinitely.iter().flat_map(|a| case.infinitely.iter().map(move |b| a | b));
            known.infinitely = least(pairs.collect());
            (known.infinitely.len() <= MAX_CLAUSES).then_some(())
        }
        None => {
            cases.push(case);
            (cases.len() <= MAX_CASES).then_some(())
        }
    }
}

/// The clauses that contain no other one.
fn least(clauses: Clauses) -> Clauses {
    let is_least =
        |clause: &&BTreeSet<Mark>| !clauses.iter().any(|other| other.len() < clause.len() && other.is_subset(clause));
    clauses.iter().filter(is_least).cloned().collect()
}
