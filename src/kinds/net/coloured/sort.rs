//! Colour sorts and their colours.
//!
//! A colour of a sort is its index in the sort's order: `0..size`. The colours of a product are numbered in
//! mixed radix with the first component most significant, so that a product of products numbers its colours
//! like the product of all *leaves* (the components that are not products themselves), and the order of the
//! indices is the lexicographic one.
//!
//! Sorts are interned: two products of the same components, or two ranges of the same bounds, are one sort.
//! Enumerations are told apart by their identifier.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::fmt::Write;

/// Index of a sort in its [`Sorts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SortId(u32);

/// The colours of a sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sort {
    /// One colour: the black token.
    Dot,
    /// Colours with names, in the order of their declaration.
    Enumeration {
        /// Identifier; enumerations of different identifiers are different sorts.
        id: String,
        /// Names of the colours.
        colours: Vec<String>,
        /// Has each colour a successor and a predecessor, the last and the first being neighbours?
        cyclic: bool,
    },
    /// The integers from `start` to `end`.
    Range {
        /// The least.
        start: i64,
        /// The greatest.
        end: i64,
    },
    /// Tuples.
    Product(Vec<SortId>),
}

/// Why a sort cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum SortError {
    /// No colours.
    #[error("the sort has no colours; give it at least one")]
    Empty,
    /// More colours than can be numbered.
    #[error("the sort has more than 2^62 colours; use smaller sorts")]
    TooLarge,
    /// A product of too many components.
    #[error("the product has more than {MAX_LEAVES} components; use fewer")]
    TooWide,
}

/// Most components of a product, those of its components counted.
pub(super) const MAX_LEAVES: usize = 64;
const MAX_SIZE: u64 = 1 << 62;

#[derive(Clone, Debug)]
struct Facts {
    size: u64,
    leaves: Vec<SortId>,
}

/// The sorts of a coloured net.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorts {
    sorts: IndexSet<Sort, FxBuildHasher>,
    facts: Vec<Facts>,
}

impl Sorts {
    /// The sort, added if it is new. Components of products must be sorts of this table.
    ///
    /// # Errors
    /// When it has no colours or too many.
    pub(crate) fn add(&mut self, sort: Sort) -> Result<SortId, SortError> {
        if let Some(known) = self.sorts.get_index_of(&sort) {
            return Ok(SortId(known as u32));
        }
        let (size, leaves) = match &sort {
            Sort::Dot => (1, None),
            Sort::Enumeration { colours, .. } => (colours.len() as u64, None),
            Sort::Range { start, end } => {
                let size = i128::from(*end) - i128::from(*start) + 1;
                (u64::try_from(size.max(0)).map_err(|_| SortError::TooLarge)?, None)
            }
            Sort::Product(components) => {
                let sizes = || components.iter().map(|&c| self.size(c));
                let size = sizes().try_fold(1u64, |product, size| product.checked_mul(size));
                let leaves: Vec<SortId> = components.iter().flat_map(|&c| self.leaves(c).iter().copied()).collect();
                (size.ok_or(SortError::TooLarge)?, Some(leaves))
            }
        };
        match size {
            0 => return Err(SortError::Empty),
            1..=MAX_SIZE => {}
            _ => return Err(SortError::TooLarge),
        }
        let id = SortId(self.facts.len() as u32);
        let leaves = leaves.unwrap_or_else(|| vec![id]);
        match leaves.len() {
            0 => return Err(SortError::Empty),
            1..=MAX_LEAVES => {}
            _ => return Err(SortError::TooWide),
        }
        self.sorts.insert(sort);
        self.facts.push(Facts { size, leaves });
        Ok(id)
    }

    /// The sort with this number.
    pub(crate) fn get(&self, sort: SortId) -> &Sort {
        &self.sorts[sort.0 as usize]
    }

    /// The number of its colours.
    pub(crate) fn size(&self, sort: SortId) -> u64 {
        self.facts[sort.0 as usize].size
    }

    /// The components that are no products, at any depth; the sort itself if it is none.
    pub(crate) fn leaves(&self, sort: SortId) -> &[SortId] {
        &self.facts[sort.0 as usize].leaves
    }

    /// The parts of a colour that belong to the leaves of its sort.
    pub(crate) fn digits(&self, sort: SortId, colour: u64) -> Vec<u64> {
        let mut rest = colour;
        let mut digits: Vec<u64> = Vec::with_capacity(self.leaves(sort).len());
        for &leaf in self.leaves(sort).iter().rev() {
            digits.push(rest % self.size(leaf));
            rest /= self.size(leaf);
        }
        digits.reverse();
        digits
    }

    /// Append the names of the parts of a colour to a name, each after an underscore; the black token has none.
    pub(crate) fn append(&self, sort: SortId, colour: u64, name: &mut String) {
        let mut stride = self.size(sort);
        for &leaf in self.leaves(sort) {
            stride /= self.size(leaf);
            let digit = colour / stride % self.size(leaf);
            match self.get(leaf) {
                Sort::Enumeration { colours, .. } => {
                    name.push('_');
                    name.push_str(colours.get(digit as usize).map_or("", String::as_str));
                }
                Sort::Range { start, .. } => {
                    // Writing to a string does not fail.
                    let _written = write!(name, "_{}", i128::from(*start) + i128::from(digit));
                }
                Sort::Dot | Sort::Product(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn products_are_numbered_by_their_leaves() {
        let mut sorts = Sorts::default();
        let range = sorts.add(Sort::Range { start: -1, end: 1 }).unwrap();
        let dot = sorts.add(Sort::Dot).unwrap();
        let pair = sorts.add(Sort::Product(vec![range, range])).unwrap();
        let nested = sorts.add(Sort::Product(vec![pair, dot, range])).unwrap();
        assert_eq!(sorts.size(nested), 27);
        assert_eq!(sorts.digits(nested, 9 + 2 * 3 + 1), [1, 2, 0, 1]);
        let mut name = "p".to_owned();
        sorts.append(nested, 9 + 2 * 3 + 1, &mut name);
        assert_eq!(name, "p_0_1_0");
        assert_eq!(sorts.add(Sort::Product(vec![range, range])).unwrap(), pair);
    }

    #[test]
    fn impossible_sorts_are_refused() {
        let mut sorts = Sorts::default();
        assert_eq!(sorts.add(Sort::Range { start: 1, end: 0 }), Err(SortError::Empty));
        assert_eq!(sorts.add(Sort::Range { start: i64::MIN, end: i64::MAX }), Err(SortError::TooLarge));
        let big = sorts.add(Sort::Range { start: 1, end: 1 << 40 }).unwrap();
        assert_eq!(sorts.add(Sort::Product(vec![big, big])), Err(SortError::TooLarge));
        let dot = sorts.add(Sort::Dot).unwrap();
        assert_eq!(sorts.add(Sort::Product(vec![dot; 65])), Err(SortError::TooWide));
        assert_eq!(sorts.add(Sort::Product(vec![])), Err(SortError::Empty));
    }
}
