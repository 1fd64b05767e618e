//! Which firing first: the one that comes nearest to what the automaton waits for.
//!
//! A run is accepted once the automaton has taken an edge after the other towards acceptance. The *distance* of a state is the
//! least over those edges of its location of what is missing from their guards, a cube's being the sum over its literals
//! (`Atoms::distances`). A search that fires first what leads to the least distance finds many a run that the search in the
//! order of the rules passes by; it costs a firing and an evaluation more for each enabled rule, so it is a way of its own, and
//! where there is no run it is a waste.
//!
//! Acceptance is not all: the run has to come back. Once an accepting edge has been taken, the state that it led to is the *seed*, and
//! what comes nearest to it comes first, by the bits of the packed states that differ: one component after the other
//! is let run until it is where it was. A seed that is not found again for long gives way to another. (Of automata with
//! several acceptance sets, which an edge may have parts of, there is no seed.)
//!
//! The first part is after the automaton's heuristic of TAPAAL (Jensen, Srba, Ulrik, Virenfeldt: "Automata-driven partial order reduction and guided
//! search for LTL model checking", VMCAI 2022).

use crate::automaton::{Cube, Tgba};
use crate::explicit::atoms::Atoms;
use crate::explicit::buchi::{accepts, distances};
use crate::explicit::packed_model::{Fired, PackedModel, Rule};
use crate::explicit::states::States;
use crate::rng::Rng;

/// Of so many rules the nearest is looked for; the others follow as they come.
const RULES: usize = 256;

/// Depth beyond a seed at which it is replaced by another; small in unit tests, whose models are small.
const PATIENCE: usize = if cfg!(test) { 5 } else { 500 };

/// A state that the run should come back to.
struct Seed {
    /// How many states are below it on the path.
    depth: usize,
    words: Vec<u64>,
}

/// The guards that the locations of an automaton wait for.
pub(super) struct Guidance<'a> {
    /// For each location, the guards of the edges towards acceptance.
    towards: Vec<Vec<&'a Cube>>,
    ranked: Vec<(u64, u64, Rule)>,
    /// Lots are drawn among those that are as near.
    ties: Option<Rng>,
    /// Do single edges accept?
    seeded: bool,
    seed: Option<Seed>,
}

impl<'a> Guidance<'a> {
    /// With this seed for ties; 0 for the order of the rules.
    pub(super) fn new(automaton: &'a Tgba, tie_seed: u64) -> Self {
        let distance = distances(automaton);
        let towards = automaton.locations().map(|location| {
            let edges = automaton.edges_from(location);
            // An edge that accepts, or one to a location that is nearer to one.
            let nearer = |to: u32| to < distance[location.index()];
            let accepting = edges.iter().any(|edge| accepts(automaton, edge));
            let towards = edges.iter().filter(|edge| match accepting {
                true => accepts(automaton, edge),
                false => nearer(distance[edge.target.index()]),
            });
            towards.flat_map(|edge| edge.guard.cubes()).collect()
        });
        let seeded = automaton.acceptance_sets() <= 1;
        Guidance {
            towards: towards.collect(),
            ranked: Vec::new(),
            ties: (tie_seed > 0).then(|| Rng::new(tie_seed)),
            seeded,
            seed: None,
        }
    }

    /// An accepting edge has been taken to the new state `words`, with so many states below it on the path.
    pub(super) fn accepted(&mut self, words: &[u64], depth: usize) {
        if self.seeded && self.seed.as_ref().is_none_or(|seed| depth > seed.depth + PATIENCE) {
            self.seed = Some(Seed { depth, words: words.to_vec() });
        }
    }

    /// The path has been cut back to so many states.
    pub(super) fn cut(&mut self, depth: usize) {
        self.seed.take_if(|seed| depth <= seed.depth);
    }

    /// Sort rules that are enabled in the state `words`, which has been entered, by the distance that they lead to.
    pub(super) fn sort<S: PackedModel>(
        &mut self,
        rules: &mut [Rule],
        states: &States<S>,
        atoms: &Atoms,
        words: &[u64],
        next: &mut Vec<u64>,
    ) {
        let location = states.layout().extra(words) as usize;
        // In the livelock there is nothing left to wait for.
        let cubes = self.towards.get(location).map_or(&[][..], |cubes| cubes);
        if rules.len() < 2 || (cubes.is_empty() && self.seed.is_none()) {
            return;
        }
        self.ranked.clear();
        for (at, &rule) in rules.iter().enumerate() {
            let fired = at < RULES && states.fire(words, rule, next) == Fired::Done;
            let distance = match &self.seed {
                _ if !fired => u64::MAX,
                Some(seed) => seed.words.iter().zip(&*next).map(|(a, b)| u64::from((a ^ b).count_ones())).sum(),
                None => distance(cubes, states.space(), atoms, next),
            };
            let lot = self.ties.as_mut().map_or(0, Rng::bits);
            self.ranked.push((distance, lot, rule));
        }
        self.ranked.sort_by_key(|&(distance, lot, _)| (distance, lot));
        for (rule, &(.., ranked)) in rules.iter_mut().zip(&self.ranked) {
            *rule = ranked;
        }
    }
}

/// Distance of a state from the nearest of some conjunctions.
fn distance<S: PackedModel>(cubes: &[&Cube], space: &S, atoms: &Atoms, words: &[u64]) -> u64 {
    let lacks = |cube: &Cube| {
        cube.literals().iter().fold(0, |sum: u64, literal| {
            let (yes, no) = atoms.distances(space, words, literal.prop.index());
            sum.saturating_add(if literal.positive { yes } else { no })
        })
    };
    cubes.iter().map(|cube| lacks(cube)).min().unwrap_or(0)
}
