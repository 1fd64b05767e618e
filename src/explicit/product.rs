//! The product of a graph with an automaton that reads the letters of its states, for fixpoints on sets of its places.
//!
//! A *place* is a state together with a location; places of one state have neighbouring numbers. A formula of CTL needs
//! no automaton: the plain product has a place for each state.

use super::buchi::{Buchi, Move};
use super::path_automaton::PathAutomaton;
use crate::budget::{Budget, Exhausted};
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;

/// States between two looks at the budget.
const CHECK_EVERY: usize = 1 << 14;

/// The places of a product, and the moves of the automaton.
#[derive(Debug)]
pub(super) struct Product {
    locations: usize,
    /// The bits of the number of each state's letter, the lowest first: as many as the numbers need.
    letters: Vec<FixedBitSet>,
    /// By letter and location: the moves from there, and those that lead there, whose targets are where they come from.
    from: Table,
    to: Table,
    /// The marks that a path has to pass infinitely often.
    marks: u64,
    /// Is a state without steps its own successor? Else: may a path end there?
    pub(super) repeats: bool,
    pub(super) may_end: bool,
}

impl Product {
    /// The graph alone.
    pub(super) fn plain(repeats: bool, may_end: bool) -> Product {
        let stay = Table::new(&[(0, Move { target: 0, marks: 0 })], 1);
        Product { locations: 1, letters: Vec::new(), from: stay.clone(), to: stay, marks: 0, repeats, may_end }
    }

    /// With an automaton whose atoms are satisfied by these sets of so many states.
    ///
    /// # Errors
    /// When the budget is used up; the moves may take an eighth of its memory.
    pub(super) fn new(
        automaton: &PathAutomaton,
        atoms: &[FixedBitSet],
        states: usize,
        repeats: bool,
        budget: &Budget,
    ) -> Result<Product, StopReason> {
        let locations = automaton.automaton.location_count();
        let mut buchi = Buchi::new(&automaton.automaton, false, false);
        let mut letters: Vec<FixedBitSet> = Vec::new();
        let mut known = 0;
        for state in 0..states {
            if state.is_multiple_of(CHECK_EVERY) {
                budget.check()?;
            }
            let letter = atoms.iter().enumerate().fold(0, |letter, (k, set)| letter | u64::from(set[state]) << k);
            let number = buchi.intern(letter);
            known = known.max(number + 1);
            letters.resize_with(bits(known), || FixedBitSet::with_capacity(states));
            (0..letters.len()).filter(|bit| number >> bit & 1 == 1).for_each(|bit| letters[bit].insert(state));
        }
        let (mut from, mut to, rows) = (Vec::new(), Vec::new(), known as usize * locations);
        for letter in 0..known {
            budget.check()?;
            for location in 0..locations as u32 {
                let row = |location: u32| letter as usize * locations + location as usize;
                let (start, end) = buchi.moves(location, letter, letter);
                for step in (start..end).map(|at| buchi.step(at)) {
                    from.push((row(location), step));
                    to.push((row(step.target), Move { target: location, marks: step.marks }));
                }
            }
            let bytes = 2 * (rows * size_of::<usize>() + from.len() * size_of::<(usize, Move)>());
            if budget.memory().is_some_and(|memory| bytes as u64 > memory / 8) {
                return Err(Exhausted::Memory.into());
            }
        }
        to.sort_by_key(|&(row, _)| row);
        let [from, to] = [from, to].map(|moves| Table::new(&moves, rows));
        Ok(Product { locations, letters, from, to, marks: buchi.all_marks(), repeats, may_end: false })
    }

    /// Locations, and thereby places of each state.
    pub(super) fn locations(&self) -> usize {
        self.locations
    }

    /// The number of a place.
    #[inline]
    pub(super) fn place(&self, state: usize, location: u32) -> usize {
        state * self.locations + location as usize
    }

    /// The state and the location of a place.
    #[cfg_attr(not(feature = "distributed"), expect(dead_code, reason = "machines ask for it, files do not"))]
    #[inline]
    pub(super) fn at(&self, place: usize) -> (usize, u32) {
        (place / self.locations, (place % self.locations) as u32)
    }

    /// Each mark that a path has to pass infinitely often.
    pub(super) fn each_mark(&self) -> impl Iterator<Item = u64> + use<> {
        let marks = self.marks;
        (0..u64::BITS).map(|bit| 1 << bit).filter(move |mark| marks & mark != 0)
    }

    /// The moves from a location in a state.
    #[inline]
    pub(super) fn moves_from(&self, state: usize, location: u32) -> &[Move] {
        self.from.of(self.place(self.letter(state), location))
    }

    /// The moves to a location in a state. What they lead to is where they come from.
    #[cfg_attr(not(feature = "distributed"), expect(dead_code, reason = "machines ask for it, files do not"))]
    #[inline]
    pub(super) fn moves_to(&self, state: usize, location: u32) -> &[Move] {
        self.to.of(self.place(self.letter(state), location))
    }

    #[inline]
    fn letter(&self, state: usize) -> usize {
        self.letters.iter().enumerate().fold(0, |letter, (bit, set)| letter | usize::from(set[state]) << bit)
    }
}

/// Moves by row.
#[derive(Clone, Debug)]
struct Table {
    /// Where those of each row begin, and where those of the last one end.
    begins: Vec<usize>,
    moves: Vec<Move>,
}

impl Table {
    /// Of moves with their rows, in the order of these, of which there are so many.
    fn new(moves: &[(usize, Move)], rows: usize) -> Table {
        let begins = (0..=rows).map(|row| moves.partition_point(|&(of, _)| of < row)).collect();
        Table { begins, moves: moves.iter().map(|&(_, step)| step).collect() }
    }

    #[inline]
    fn of(&self, row: usize) -> &[Move] {
        &self.moves[self.begins[row]..self.begins[row + 1]]
    }
}

/// The bits of the numbers below.
fn bits(numbers: u32) -> usize {
    (u32::BITS - numbers.saturating_sub(1).leading_zeros()) as usize
}

/// Has a move this mark, if one is asked for?
#[inline]
pub(super) fn has(step: Move, mark: Option<u64>) -> bool {
    mark.is_none_or(|mark| step.marks & mark != 0)
}
