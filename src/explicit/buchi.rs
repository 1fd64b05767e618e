//! The automaton as the product search sees it: for a location and a letter, the moves, best first.
//!
//! **Letters.** Guards are evaluated once per distinct letter (module `atoms`) and location; the result is a
//! list of moves, kept for all states with that letter.
//!
//! Edges from one location to another that can be taken on a letter are one move with the marks of all.
//!
//! **HBA** (heuristic Büchi automaton, EnPAC). Moves are ordered by D + T of their target: D the number of
//! edges on a shortest way to acceptance, T a tenth of the number of literals on that way, as a short way
//! with few conditions is most likely to be followed by the model. Accepting edges come first of all.
//!
//! **Collapsed reading.** When the language does not change under repeating or removing repeated letters
//! (*stutter-invariant*), the automaton reads the word with its repetitions removed: it moves when a firing
//! changes the letter and waits otherwise. A word that ends in `a^ω` is then read up to its last change only,
//! so acceptance of the rest is decided beforehand: does the location accept `a^ω`? If so, a firing that
//! keeps the letter may enter the *livelock* location, which allows only such firings and accepts all of
//! them. This is the idea of testing automata (Geldenhuys & Hansen, "Larger automata and less work for LTL
//! model checking", SPIN 2006), read off the TGBA on the fly. It makes the product smaller, and it makes
//! partial-order reduction sound for nondeterministic automata as well: permuting invisible firings does not
//! change what the automaton reads at all.

use super::atoms::Letter;
use crate::automaton::{Edge, Location, Marks, Tgba};
use rustc_hash::FxHashMap;

/// Number of a distinct letter.
pub(super) type LetterId = u32;

/// A step of the automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// The location it leads to.
    pub(super) target: u32,
    /// The acceptance sets it belongs to.
    pub(super) marks: u64,
}

/// The moves of the automaton in one location on one letter: ranges of `moves`.
#[derive(Clone, Copy, Debug)]
struct Choice {
    known: bool,
    /// When the next letter differs; always, in the ordinary reading.
    changing: (u32, u32),
    /// When the next letter is the same.
    waiting: (u32, u32),
    /// The location accepts the letter repeated for ever.
    livelock: bool,
}

const UNKNOWN: Choice = Choice { known: false, changing: (0, 0), waiting: (0, 0), livelock: false };

/// The automaton, with its moves tabulated on demand.
#[derive(Clone, Debug)]
pub(super) struct Buchi<'a> {
    automaton: &'a Tgba,
    collapsed: bool,
    /// Edges of each location, best first.
    order: Vec<Vec<u32>>,
    letters: Vec<Letter>,
    ids: FxHashMap<Letter, LetterId>,
    /// By letter and location; locations and the livelock.
    choices: Vec<Choice>,
    moves: Vec<Move>,
    /// By letter, once asked for: the locations that accept its infinite repetition.
    forever: Vec<Option<Vec<bool>>>,
}

impl<'a> Buchi<'a> {
    /// Prepare an automaton; `collapsed` only for a stutter-invariant one.
    pub(super) fn new(automaton: &'a Tgba, heuristic: bool, collapsed: bool) -> Buchi<'a> {
        let mut order: Vec<Vec<u32>> = Vec::new();
        let distance = heuristic.then(|| distances(automaton));
        for location in automaton.locations() {
            let edges = automaton.edges_from(location);
            let mut numbers: Vec<u32> = (0..edges.len() as u32).collect();
            if let Some(distance) = &distance {
                numbers.sort_by_key(|&k| {
                    let edge = &edges[k as usize];
                    if accepts(automaton, edge) { 0 } else { distance[edge.target.index()].saturating_add(1) }
                });
            }
            order.push(numbers);
        }
        let (letters, ids) = (Vec::new(), FxHashMap::default());
        let (choices, moves, forever) = (Vec::new(), Vec::new(), Vec::new());
        Buchi { automaton, collapsed, order, letters, ids, choices, moves, forever }
    }

    /// Locations, the livelock included.
    pub(super) fn location_count(&self) -> u32 {
        self.automaton.location_count() as u32 + 1
    }

    /// The livelock location of the collapsed reading.
    pub(super) fn livelock(&self) -> u32 {
        self.automaton.location_count() as u32
    }

    /// The marks that a run must visit infinitely often.
    pub(super) fn all_marks(&self) -> u64 {
        self.automaton.all_marks().0
    }

    /// Is everything accepted from this location on?
    pub(super) fn is_terminal(&self, location: u32) -> bool {
        let terminal = crate::automaton::Strength::Terminal;
        location != self.livelock()
            && self.automaton.components()[self.automaton.component_of(Location(location))].strength == terminal
    }

    /// The number of a letter.
    #[inline]
    pub(super) fn intern(&mut self, letter: Letter) -> LetterId {
        if let Some(&id) = self.ids.get(&letter) {
            return id;
        }
        let id = self.letters.len() as LetterId;
        self.letters.push(letter);
        self.ids.insert(letter, id);
        let new_len = self.letters.len() * self.location_count() as usize;
        self.choices.resize(new_len, UNKNOWN);
        self.forever.push(None);
        id
    }

    /// The letter with a number.
    #[inline]
    pub(super) fn letter(&self, id: LetterId) -> Letter {
        self.letters[id as usize]
    }

    /// The range of moves from `location` in a state with letter `from`, when the next state has letter `to`.
    #[inline]
    pub(super) fn moves(&mut self, location: u32, from: LetterId, to: LetterId) -> (u32, u32) {
        let choice = self.choice(location, from);
        if from == to { choice.waiting } else { choice.changing }
    }

    /// A move of a range.
    #[inline]
    pub(super) fn step(&self, index: u32) -> Move {
        self.moves[index as usize]
    }

    /// Can the automaton go on from `location` in a state with this letter?
    #[inline]
    pub(super) fn is_viable(&mut self, location: u32, letter: LetterId) -> bool {
        let choice = self.choice(location, letter);
        choice.livelock || choice.changing.0 != choice.changing.1
    }

    /// Is the letter, repeated for ever, accepted from `location`?
    pub(super) fn accepts_forever(&mut self, location: u32, letter: LetterId) -> bool {
        let (automaton, letters) = (self.automaton, &self.letters);
        let accepting = self.forever[letter as usize].get_or_insert_with(|| {
            let letter = letters[letter as usize];
            accepting_repetition(automaton, letter)
        });
        // The livelock accepts what entered it.
        accepting.get(location as usize).copied().unwrap_or(true)
    }

    #[inline]
    fn choice(&mut self, location: u32, letter: LetterId) -> Choice {
        let at = letter as usize * self.location_count() as usize + location as usize;
        if !self.choices[at].known {
            self.choices[at] = self.tabulate(location, letter);
        }
        self.choices[at]
    }

    fn tabulate(&mut self, location: u32, letter_id: LetterId) -> Choice {
        let letter = self.letters[letter_id as usize];
        let livelock = self.livelock();
        let in_livelock = Move { target: livelock, marks: self.all_marks() };
        let start = self.moves.len() as u32;
        if location == livelock {
            self.moves.push(in_livelock);
            return Choice { known: true, changing: (start, start), waiting: (start, start + 1), livelock: true };
        }
        let edges = self.automaton.edges_from(Location(location));
        for &k in &self.order[location as usize] {
            let edge = &edges[k as usize];
            let step = Move { target: edge.target.0, marks: edge.marks.0 };
            if !edge.guard.holds(|p| letter >> p.0 & 1 == 1) {
                continue;
            }
            // A run that takes one of two edges between the same states infinitely often may as well take both.
            match self.moves[start as usize..].iter_mut().find(|known| known.target == step.target) {
                Some(known) => known.marks |= step.marks,
                None => self.moves.push(step),
            }
        }
        let changing = (start, self.moves.len() as u32);
        if !self.collapsed {
            return Choice { known: true, changing, waiting: changing, livelock: false };
        }
        let accepted = self.accepts_forever(location, letter_id);
        if accepted {
            self.moves.push(in_livelock);
        }
        self.moves.push(Move { target: location, marks: 0 });
        let waiting = (changing.1, self.moves.len() as u32);
        Choice { known: true, changing, waiting, livelock: accepted }
    }
}

/// Does the edge carry acceptance inside a component that can accept?
pub(super) fn accepts(automaton: &Tgba, edge: &Edge) -> bool {
    let component = &automaton.components()[automaton.component_of(edge.source)];
    let marked = !edge.marks.is_empty() || automaton.acceptance_sets() == 0;
    automaton.is_internal(edge) && component.strength.is_accepting() && marked
}

/// Ten times D + T for each location (Bellman–Ford; automata are small).
pub(super) fn distances(automaton: &Tgba) -> Vec<u32> {
    let mut distance = vec![u32::MAX; automaton.location_count()];
    let cost = |edge: &Edge| 10 + edge.guard.cubes().iter().map(|c| c.literals().len()).min().unwrap_or(0) as u32;
    let mut changed = true;
    while changed {
        changed = false;
        for edge in automaton.edges() {
            let rest = if accepts(automaton, edge) { 0 } else { distance[edge.target.index()] };
            let through = rest.saturating_add(cost(edge));
            if rest != u32::MAX && through < distance[edge.source.index()] {
                distance[edge.source.index()] = through;
                changed = true;
            }
        }
    }
    distance
}

/// From which locations is the word that repeats one letter accepted? Greatest fixpoint: keep the locations from
/// which, for every acceptance set, an edge of it can be reached without leaving what is kept.
fn accepting_repetition(automaton: &Tgba, letter: Letter) -> Vec<bool> {
    let readable = |e: &&Edge| e.guard.holds(|p| letter >> p.0 & 1 == 1);
    let edges: Vec<&Edge> = automaton.edges().iter().filter(readable).collect();
    let mut kept = vec![true; automaton.location_count()];
    loop {
        let mut changed = false;
        // Without acceptance sets every infinite run accepts: one pass in which every edge counts.
        for set in 0..automaton.acceptance_sets().max(1) {
            let good = |marks: Marks| automaton.acceptance_sets() == 0 || marks.contains(set);
            let mut reaches = vec![false; kept.len()];
            loop {
                let mut grown = false;
                for e in edges.iter().filter(|e| kept[e.source.index()] && kept[e.target.index()]) {
                    if !reaches[e.source.index()] && (good(e.marks) || reaches[e.target.index()]) {
                        reaches[e.source.index()] = true;
                        grown = true;
                    }
                }
                if !grown {
                    break;
                }
            }
            for (k, r) in kept.iter_mut().zip(&reaches) {
                changed |= *k && !r;
                *k &= r;
            }
        }
        if !changed {
            return kept;
        }
    }
}
