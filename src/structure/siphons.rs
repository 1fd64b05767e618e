//! Deadlock-freedom by siphons and traps.
//!
//! **Problem.** Prove that no reachable marking is dead, from the graph of the net alone.
//!
//! **Idea.** In a dead marking every transition lacks a token. Where it takes single tokens only, one of its input
//! places is empty; so the empty places *hit* the preset of every such transition, and are a *siphon*: what would put a
//! token into them needs one of theirs. A *trap* is a set of places such that every transition that takes from it
//! also puts into it; once marked, it stays marked. So if each set of places that hits all presets contains a trap that
//! is marked initially, no dead marking is reachable (Commoner's condition, in the form for any net).
//!
//! The sets are searched for as solutions of a satisfiability problem: each transition is a clause over its input
//! places, one of which must be empty. A place decided upon is empty in one branch and marked in those after it; a
//! clause with one place left decides that place; a branch ends when the places decided to be empty contain a marked
//! trap (more empty places contain it, too) or a clause has none left. The first set found ends the search without a
//! conclusion. Transitions with arc weights above one or inhibitor arcs may be dead otherwise, and demand nothing:
//! what is proved without them is proved.
//!
//! **Invariant.** Every set that hits all clauses and contains no marked trap is in the part of the tree that is
//! still to be searched.
//!
//! **Complexity.** Exponential at worst (the problem is coNP-complete), a pass over the net for each decision; the
//! [`Effort`] ends it.
//!
//! Commoner, "Deadlocks in Petri nets", 1972; Murata, "Petri nets: properties, analysis and applications", Proceedings
//! of the IEEE 77(4), 1989, section VI.

use super::Effort;
use crate::budget::{Budget, Exhausted};
use crate::net::{Arc, PetriNet, PlaceId, Transition};

/// Decisions between two looks at the budget.
const PERIOD: u64 = 256;

/// Is it proved that no reachable marking of `net` is dead? False means that it is not known. `effort.work` limits the
/// number of arcs looked at.
pub(crate) fn never_dead(net: &PetriNet, effort: Effort, budget: &Budget) -> Result<bool, Exhausted> {
    let single = |t: &&Transition| t.inhibitors.is_empty() && t.pre.iter().all(|arc| arc.weight == 1);
    let clauses: Vec<&Transition> = net.transitions().iter().filter(single).collect();
    let mut search =
        Search { net, clauses, places: vec![Decided::Open; net.place_count()], trail: Vec::new(), work: 0 };
    let mut branches: Vec<Branch<'_>> = Vec::new();
    let mut rounds = 0u64;
    loop {
        if rounds.is_multiple_of(PERIOD) {
            budget.check()?;
        }
        rounds += 1;
        if search.work > effort.work {
            return Ok(false);
        }
        match search.propagate() {
            State::Solved => return Ok(false),
            State::Split(clause) => branches.push(Branch { clause, next: 0, decided: search.trail.len() }),
            State::Conflict => {}
        }
        // The next case of the latest branch that has one.
        loop {
            let Some(branch) = branches.last_mut() else { return Ok(true) };
            search.undo(branch.decided);
            // The cases before were for these places to be empty.
            let (before, left) = branch.clause.pre.split_at(branch.next);
            before.iter().for_each(|arc| search.decide(arc.place, Decided::Marked));
            let open = |place: PlaceId| search.places[place.index()] == Decided::Open;
            let Some(skipped) = left.iter().position(|arc| open(arc.place)) else {
                branches.pop();
                continue;
            };
            branch.next += skipped + 1;
            search.decide(left[skipped].place, Decided::Empty);
            break;
        }
    }
}

/// The largest trap among the places that are `inside`, in time linear in the size of the net.
pub(super) fn largest_trap(net: &PetriNet, inside: Vec<bool>) -> Vec<bool> {
    largest(net, inside, |t| &t.pre, |t| &t.post)
}

/// The largest siphon without a token in a marking, in time linear in the size of the net: its places stay empty, and
/// what takes from them never fires again.
pub(crate) fn empty_siphon(net: &PetriNet, tokens: impl Fn(PlaceId) -> u64) -> Vec<bool> {
    let empty = net.place_ids().map(|place| tokens(place) == 0).collect();
    largest(net, empty, |t| &t.post, |t| &t.pre)
}

/// One side of a transition.
type Side = fn(&Transition) -> &[Arc];

/// The largest set of the places that are `inside` such that each transition with a place of it on one side has one on
/// the other.
fn largest(net: &PetriNet, mut inside: Vec<bool>, side: Side, other: Side) -> Vec<bool> {
    let within = |inside: &[bool], t: &Transition| other(t).iter().filter(|arc| inside[arc.place.index()]).count();
    let mut count: Vec<usize> = net.transitions().iter().map(|t| within(&inside, t)).collect();
    let mut of_place: Vec<Vec<usize>> = vec![Vec::new(); net.place_count()];
    for (t, transition) in net.transitions().iter().enumerate() {
        other(transition).iter().for_each(|arc| of_place[arc.place.index()].push(t));
    }
    // Transitions without a place on the other side: no place on this one is in the set.
    let mut open: Vec<usize> = (0..count.len()).filter(|&t| count[t] == 0).collect();
    while let Some(t) = open.pop() {
        for arc in side(&net.transitions()[t]) {
            if std::mem::replace(&mut inside[arc.place.index()], false) {
                for &transition in &of_place[arc.place.index()] {
                    count[transition] -= 1;
                    if count[transition] == 0 {
                        open.push(transition);
                    }
                }
            }
        }
    }
    inside
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decided {
    Open,
    Empty,
    Marked,
}

/// A clause whose places become empty, case by case.
struct Branch<'a> {
    clause: &'a Transition,
    /// The place of the next case.
    next: usize,
    /// How many places were decided before.
    decided: usize,
}

enum State<'a> {
    /// All clauses are hit, and no marked trap is empty.
    Solved,
    Conflict,
    Split(&'a Transition),
}

struct Search<'a> {
    net: &'a PetriNet,
    clauses: Vec<&'a Transition>,
    places: Vec<Decided>,
    /// The places decided, in order.
    trail: Vec<PlaceId>,
    /// Arcs looked at.
    work: u64,
}

impl<'a> Search<'a> {
    fn decide(&mut self, place: PlaceId, decided: Decided) {
        if self.places[place.index()] == Decided::Open {
            self.places[place.index()] = decided;
            self.trail.push(place);
        }
    }

    fn undo(&mut self, length: usize) {
        while self.trail.len() > length {
            let Some(place) = self.trail.pop() else { return };
            self.places[place.index()] = Decided::Open;
        }
    }

    /// Decides what follows; then the clause with the fewest places left.
    fn propagate(&mut self) -> State<'a> {
        loop {
            if self.empties_marked_trap() {
                return State::Conflict;
            }
            let mut best: Option<(usize, &'a Transition)> = None;
            let mut forced = false;
            for i in 0..self.clauses.len() {
                let clause = self.clauses[i];
                self.work += clause.pre.len() as u64 + 1;
                let state = |p: PlaceId| self.places[p.index()];
                if clause.pre.iter().any(|arc| state(arc.place) == Decided::Empty) {
                    continue;
                }
                let left = || clause.pre.iter().filter(|arc| state(arc.place) == Decided::Open);
                match (left().count(), left().next()) {
                    (0, _) | (_, None) => return State::Conflict,
                    (1, Some(only)) => {
                        self.decide(only.place, Decided::Empty);
                        forced = true;
                    }
                    (count, _) => {
                        if best.is_none_or(|(least, _)| count < least) {
                            best = Some((count, clause));
                        }
                    }
                }
            }
            if !forced {
                return best.map_or(State::Solved, |(_, clause)| State::Split(clause));
            }
        }
    }

    fn empties_marked_trap(&mut self) -> bool {
        self.work += self.net.arc_count() as u64;
        let empty = self.places.iter().map(|&place| place == Decided::Empty).collect();
        let trap = largest_trap(self.net, empty);
        self.net.places().iter().zip(&trap).any(|(place, &inside)| inside && place.initial > 0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::{NetShape, Rng, net};
    use crate::reference::explore;

    /// Is there a set of places that hits all presets of single tokens and contains no marked trap? All are tried.
    fn some_set(net: &PetriNet) -> bool {
        let single = |t: &&Transition| t.inhibitors.is_empty() && t.pre.iter().all(|arc| arc.weight == 1);
        let places = net.place_count();
        (0u32..1 << places).any(|set| {
            let within = |set: u32, p: PlaceId| set >> p.0 & 1 == 1;
            let hits = net.transitions().iter().filter(single).all(|t| t.pre.iter().any(|a| within(set, a.place)));
            let is_trap = |trap: u32| {
                net.transitions().iter().all(|t| {
                    !t.pre.iter().any(|a| within(trap, a.place)) || t.post.iter().any(|a| within(trap, a.place))
                })
            };
            let marked = |trap: u32| net.place_ids().any(|p| within(trap, p) && net.place(p).initial > 0);
            hits && !(0..=set).any(|trap| trap & !set == 0 && marked(trap) && is_trap(trap))
        })
    }

    #[test]
    fn proves_what_all_sets_prove_and_no_more() {
        let (mut proved, mut alive) = (0, 0);
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 200, ..NetShape::default() });
            let never = never_dead(&net, Effort::default(), &Budget::unlimited()).unwrap();
            if net.place_count() <= 8 {
                assert_eq!(never, !some_set(&net), "seed {seed}");
            }
            let dead = !explore(&net, 400).unwrap().deadlocks().is_empty();
            assert!(!(never && dead), "seed {seed}");
            proved += u32::from(never);
            alive += u32::from(!dead);
        }
        assert!(proved > 30 && proved * 4 > alive, "{proved} of {alive}");
    }

    /// It stays empty in every reachable marking, and all siphons that are empty are in it.
    #[test]
    fn empty_siphons_are_empty_for_good() {
        let mut found = 0;
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
            let graph = explore(&net, 100).unwrap();
            let siphons: Vec<Vec<bool>> =
                graph.markings.iter().map(|marking| empty_siphon(&net, |place| marking.tokens(place))).collect();
            for (from, edges) in graph.edges.iter().enumerate() {
                for &(fired, to) in edges {
                    assert!(
                        siphons[from].iter().zip(&siphons[to]).all(|(before, after)| before <= after),
                        "seed {seed}"
                    );
                    let takes = net.transition(fired).pre.iter().any(|arc| siphons[from][arc.place.index()]);
                    assert!(!takes, "seed {seed}");
                }
            }
            if net.place_count() > 8 {
                continue;
            }
            for (marking, siphon) in graph.markings.iter().zip(&siphons) {
                let within = |set: u32, p: PlaceId| set >> p.0 & 1 == 1;
                let is_empty_siphon = |set: &u32| {
                    net.place_ids().all(|p| !within(*set, p) || marking.tokens(p) == 0)
                        && net.transitions().iter().all(|t| {
                            !t.post.iter().any(|a| within(*set, a.place)) || t.pre.iter().any(|a| within(*set, a.place))
                        })
                };
                let all = (0u32..1 << net.place_count()).filter(is_empty_siphon).fold(0, |all, set| all | set);
                assert!(net.place_ids().all(|p| within(all, p) == siphon[p.index()]), "seed {seed}");
                found += usize::from(all != 0);
            }
        }
        assert!(found > 100, "{found}");
    }

    #[test]
    fn effort_ends_the_search() {
        let net = crate::kinds::net::families::family("philo").unwrap().generate(30).unwrap();
        let none = Effort { work: 0, ..Effort::default() };
        assert!(!never_dead(&net, none, &Budget::unlimited()).unwrap());
        assert_eq!(
            never_dead(&net, Effort::default(), &Budget::unlimited().with_time(std::time::Duration::ZERO)),
            Err(Exhausted::Time)
        );
    }
}
