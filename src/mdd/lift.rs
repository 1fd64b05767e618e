//! Components divided among several, and sums of these beside them: from the set of the wholes to that of the parts.
//!
//! The levels of the target are filled from the top. What lies below a node there depends on the node of the source, on
//! what is left of a component that is being divided, and on the sums that have begun and are still wanted below: this is a
//! *place* to go on from. All places of a level are found before those of the next; then their nodes are made from the last
//! level to the first.
//!
//! **Complexity.** Each place is looked at once. Two places differ in what may follow, as the sums that they carry are
//! written down below: so the work is linear in the diagram of the target (but for sums that are not integers, which an
//! exact caller does not have), times the number of values that are divided. What is left of a component is written down for each
//! value of a part, so that memory is quadratic in the number of values of a node; it counts as work.

use super::count::{Layer, Layers};
use super::set::{Mdd, MddManager};
use crate::budget::{Budget, Exhausted};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Number of remaining values that count as much work as a place.
const KEPT_PER_TICK: usize = 64;

/// A level of the target.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// A part of the component of the source whose turn it is: any number up to what the parts above have left of it, and all
    /// of that for its last part. Some sums count it with a weight.
    Part {
        /// The next part is one of the next component.
        last: bool,
        /// The sums that count it, ascending, with weights other than 0.
        terms: Vec<(u32, i128)>,
    },
    /// (constant + the sum of what is counted above) / divisor.
    Sum {
        /// Its number.
        sum: u32,
        /// Constant added to the sum.
        constant: i128,
        /// Above 0.
        divisor: i128,
    },
}

/// Remainder of the component of the source, with the nodes below for each value.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Rest {
    /// All of it: a node of the source.
    Whole(u32),
    /// Some parts are taken.
    Some(Box<[(u32, u32)]>),
}

/// The place from which a path of the target goes on: the remainder, and the sums that are not 0, ascending.
type Place = (Rest, Box<[(u32, i128)]>);

/// The reason why there is no such set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotWritten {
    /// The budget is used up.
    Exhausted(Exhausted),
    /// A sum is no number of 32 bits.
    TooLarge,
}

impl From<Exhausted> for NotWritten {
    fn from(exhausted: Exhausted) -> Self {
        NotWritten::Exhausted(exhausted)
    }
}

impl Mdd {
    /// All tuples of a space with these levels whose parts add up to a tuple of this set, each component being that of as
    /// many parts as follow each other, and whose sums are sums of their parts.
    ///
    /// # Errors
    /// When the budget is used up, and where a sum is no number of 32 bits.
    pub(crate) fn lift(&self, target: &MddManager, cells: &[Cell], budget: &Budget) -> Result<Mdd, NotWritten> {
        let layers = self.read(Layers::of);
        target.run(budget, |session| {
            if layers.empty {
                return Ok(session.empty());
            }
            let start: Place = (Rest::Whole(0), Box::default());
            let mut places: IndexSet<Place, FxBuildHasher> = [start].into_iter().collect();
            let mut rows: Vec<Layer> = Vec::with_capacity(cells.len());
            let mut component = 0;
            for cell in cells {
                let mut row = Layer::default();
                let mut next: IndexSet<Place, FxBuildHasher> = IndexSet::default();
                for (rest, sums) in &places {
                    session.tick()?;
                    let mut pairs: Vec<(u32, u32)> = Vec::new();
                    let mut go_on = |value: u32, place: Place| {
                        pairs.push((value, next.insert_full(place).0 as u32));
                    };
                    match cell {
                        Cell::Sum { sum, constant, divisor } => {
                            let at = sums.binary_search_by_key(sum, |&(number, _)| number);
                            let value =
                                at.map_or(0, |at| sums[at].1).checked_add(*constant).ok_or(NotWritten::TooLarge)?;
                            let value =
                                Some(value / divisor).filter(|_| value % divisor == 0).ok_or(NotWritten::TooLarge)?;
                            let left = sums.iter().copied().filter(|(number, _)| number != sum).collect();
                            go_on(u32::try_from(value).map_err(|_| NotWritten::TooLarge)?, (rest.clone(), left));
                        }
                        Cell::Part { last, terms } => {
                            let values = match rest {
                                Rest::Whole(node) => layers.rows[component].pairs_of(*node as usize),
                                Rest::Some(values) => values,
                            };
                            if *last {
                                for &(value, child) in values {
                                    go_on(value, (Rest::Whole(child), with(sums, terms, value)?));
                                }
                            } else {
                                for taken in 0..=values.last().map_or(0, |&(most, _)| most) {
                                    session.tick()?;
                                    let enough = &values[values.partition_point(|&(value, _)| value < taken)..];
                                    let left: Box<[_]> =
                                        enough.iter().map(|&(value, child)| (value - taken, child)).collect();
                                    // What is kept counts as work, or it would be memory without a limit.
                                    (0..left.len() / KEPT_PER_TICK).try_for_each(|_| session.tick())?;
                                    go_on(taken, (Rest::Some(left), with(sums, terms, taken)?));
                                }
                            }
                        }
                    }
                    row.push(pairs);
                }
                component += usize::from(matches!(cell, Cell::Part { last: true, .. }));
                rows.push(row);
                places = next;
            }
            let mut below = vec![session.unit()];
            for (level, row) in (0..cells.len() as u32).rev().zip(rows.into_iter().rev()) {
                let mut made = Vec::with_capacity(row.width());
                for pairs in row.nodes() {
                    session.tick()?;
                    let mut list = session.list();
                    pairs.iter().for_each(|&(value, child)| list.push(value, below[child as usize].clone()));
                    made.push(session.node(level, list)?);
                }
                below = made;
            }
            Ok(below.into_iter().next().unwrap_or_else(|| session.empty()))
        })
    }
}

/// The sums with a value counted as the terms say.
fn with(sums: &[(u32, i128)], terms: &[(u32, i128)], value: u32) -> Result<Box<[(u32, i128)]>, NotWritten> {
    if terms.is_empty() || value == 0 {
        return Ok(sums.into());
    }
    let mut all = sums.to_vec();
    for &(sum, weight) in terms {
        let more = weight.checked_mul(value.into()).ok_or(NotWritten::TooLarge)?;
        match all.binary_search_by_key(&sum, |&(number, _)| number) {
            Ok(at) => all[at].1 = all[at].1.checked_add(more).ok_or(NotWritten::TooLarge)?,
            Err(at) => all.insert(at, (sum, more)),
        }
    }
    all.retain(|&(_, value)| value != 0);
    Ok(all.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn parts_and_sums_by_hand() {
        let budget = Budget::unlimited();
        let space = |levels| MddManager::new(levels, &budget).unwrap();
        let source = space(2);
        let whole = |tuple: &[u32]| source.tuple(tuple, &budget).unwrap();
        let set = whole(&[1, 2]).union(&whole(&[2, 0]), &budget).unwrap();
        let part = |last, terms: &[(u32, i128)]| Cell::Part { last, terms: terms.to_vec() };
        // The first component is a + b, and c = (2 a + the second + 4) / 2.
        let sum = |constant| Cell::Sum { sum: 0, constant, divisor: 2 };
        let cells = |constant| [part(false, &[(0, 2)]), part(true, &[]), part(true, &[(0, 1)]), sum(constant)];
        let found = set.lift(&space(4), &cells(4), &budget).unwrap();
        let tuples = [[0, 1, 2, 3], [1, 0, 2, 4], [0, 2, 0, 2], [1, 1, 0, 3], [2, 0, 0, 4]];
        assert_eq!(found.count(&budget).unwrap(), tuples.len().into());
        assert!(tuples.iter().all(|tuple| found.contains(tuple)));
        for constant in [-2, 1] {
            assert_eq!(set.lift(&space(4), &cells(constant), &budget).err(), Some(NotWritten::TooLarge));
        }
        assert!(source.empty().lift(&space(4), &cells(4), &budget).unwrap().is_empty());
    }

    /// A component with many values that is divided needs quadratic memory: that ends as work does.
    #[test]
    fn many_values_are_much_work() {
        let budget = Budget::unlimited();
        let space = |levels| MddManager::new(levels, &budget).unwrap();
        let source = space(1);
        let values = source.run(&budget, |session| {
            let mut list = session.list();
            (0..20_000).for_each(|value| list.push(value, session.unit()));
            session.node(0, list)
        });
        let values = values.unwrap();
        let cells = [false, true].map(|last| Cell::Part { last, terms: Vec::new() });
        let behind = |work| values.lift(&space(2), &cells, &budget.clone().with_work(work));
        assert_eq!(behind(1 << 18).err(), Some(NotWritten::Exhausted(Exhausted::Work)));
    }
}
