//! Multiset expressions: what arcs move and what places hold at first.
//!
//! The value of an expression under a binding is a list of colours with their numbers. A tuple may have
//! multisets as components and stands for all tuples of their colours, with the product of the numbers:
//! `<all, x>` is one tuple for each colour of the first sort. Subtraction is defined only where the second
//! multiset is contained in the first; elsewhere it is an error rather than a guess.

use super::term::Term;
use std::sync::Arc;

/// An expression for a multiset of colours of one sort. Evaluation recurses over it: its depth must be bounded
/// by whoever builds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Multiset {
    /// One token of this colour.
    One(Term),
    /// One token of each colour `0..n`.
    All(u64),
    /// One token of each of these colours.
    Each(Arc<[u64]>),
    /// The sum.
    Sum(Vec<Multiset>),
    /// The first without the second.
    Difference(Box<Multiset>, Box<Multiset>),
    /// A multiple of the same.
    Times(u64, Box<Multiset>),
    /// All tuples of colours of these components, each given with the number of colours of its sort.
    Tuples(Vec<(Multiset, u64)>),
}

/// Why a multiset expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MultisetError {
    /// An unbound variable.
    #[error("a variable has no value")]
    Unbound,
    /// A difference with more in the second multiset than in the first.
    #[error("it subtracts a colour that is not there")]
    Negative,
    /// A number of tokens beyond 64 bits.
    #[error("it has more than 2^64-1 tokens of one colour")]
    Overflow,
    /// More different colours than the caller allows.
    #[error("it has too many different colours")]
    TooLarge,
}

impl Multiset {
    /// The colours with their numbers, which are not zero, in increasing order. At most `most` colours are
    /// held at any moment.
    pub(crate) fn value(&self, binding: &[u64], most: usize) -> Result<Vec<(u64, u64)>, MultisetError> {
        let mut tokens = self.tokens(binding, most)?;
        merge(&mut tokens)?;
        Ok(tokens)
    }

    /// How many tokens it has, whatever the binding; `None` beyond 64 bits.
    pub(crate) fn count(&self) -> Option<u64> {
        match self {
            Multiset::One(_) => Some(1),
            Multiset::All(size) => Some(*size),
            Multiset::Each(colours) => u64::try_from(colours.len()).ok(),
            Multiset::Sum(operands) => operands.iter().try_fold(0u64, |sum, operand| sum.checked_add(operand.count()?)),
            // Defined only where all of the second is in the first.
            Multiset::Difference(first, second) => first.count()?.checked_sub(second.count()?),
            Multiset::Times(factor, operand) => operand.count()?.checked_mul(*factor),
            Multiset::Tuples(components) => {
                components.iter().try_fold(1u64, |product, (component, _)| product.checked_mul(component.count()?))
            }
        }
    }

    fn tokens(&self, binding: &[u64], most: usize) -> Result<Vec<(u64, u64)>, MultisetError> {
        let room = |count: u64| if count > most as u64 { Err(MultisetError::TooLarge) } else { Ok(()) };
        Ok(match self {
            Multiset::One(term) => vec![(term.value(binding).ok_or(MultisetError::Unbound)?, 1)],
            Multiset::All(size) => {
                room(*size)?;
                (0..*size).map(|colour| (colour, 1)).collect()
            }
            Multiset::Each(colours) => colours.iter().map(|&colour| (colour, 1)).collect(),
            Multiset::Sum(operands) => {
                let mut sum = Vec::new();
                for operand in operands {
                    sum.append(&mut operand.tokens(binding, most)?);
                    room(sum.len() as u64)?;
                }
                sum
            }
            Multiset::Difference(first, second) => {
                let mut rest = first.value(binding, most)?;
                for (colour, count) in second.value(binding, most)? {
                    let found = rest.binary_search_by_key(&colour, |&(c, _)| c).map_err(|_| MultisetError::Negative)?;
                    rest[found].1 = rest[found].1.checked_sub(count).ok_or(MultisetError::Negative)?;
                }
                rest.retain(|&(_, count)| count > 0);
                rest
            }
            Multiset::Times(0, _) => Vec::new(),
            Multiset::Times(factor, operand) => {
                let mut tokens = operand.tokens(binding, most)?;
                for (_, count) in &mut tokens {
                    *count = count.checked_mul(*factor).ok_or(MultisetError::Overflow)?;
                }
                tokens
            }
            Multiset::Tuples(components) => {
                let mut tuples = vec![(0u64, 1u64)];
                for (component, size) in components {
                    let component = component.value(binding, most)?;
                    room((tuples.len() as u64).saturating_mul(component.len() as u64))?;
                    let mut longer = Vec::with_capacity(tuples.len() * component.len());
                    for &(tuple, n) in &tuples {
                        for &(colour, m) in &component {
                            let count = n.checked_mul(m).ok_or(MultisetError::Overflow)?;
                            longer.push((tuple * size + colour, count));
                        }
                    }
                    tuples = longer;
                }
                tuples
            }
        })
    }

    /// Terms whose values are surely in the multiset whatever the binding; and whether these are all of it.
    pub(crate) fn required(&self) -> (Vec<&Term>, bool) {
        match self {
            Multiset::One(term) => (vec![term], true),
            Multiset::Times(0, _) => (Vec::new(), true),
            Multiset::Times(_, operand) => operand.required(),
            Multiset::Sum(operands) => {
                let mut found = (Vec::new(), true);
                for operand in operands {
                    let (terms, complete) = operand.required();
                    found.0.extend(terms);
                    found.1 &= complete;
                }
                found
            }
            Multiset::All(_) | Multiset::Each(_) | Multiset::Difference(..) | Multiset::Tuples(_) => {
                (Vec::new(), false)
            }
        }
    }
}

/// Sort by colour and add up the numbers of equal ones.
fn merge(tokens: &mut Vec<(u64, u64)>) -> Result<(), MultisetError> {
    tokens.sort_unstable_by_key(|&(colour, _)| colour);
    let mut overflow = false;
    tokens.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            match kept.1.checked_add(next.1) {
                Some(sum) => kept.1 = sum,
                None => overflow = true,
            }
        }
        same
    });
    if overflow { Err(MultisetError::Overflow) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn x() -> Multiset {
        Multiset::One(Term::Variable(0))
    }

    #[test]
    fn sums_products_and_differences() {
        let twice = Multiset::Sum(vec![x(), Multiset::Times(2, Box::new(Multiset::All(3)))]);
        assert_eq!(twice.value(&[1], 10).unwrap(), [(0, 2), (1, 3), (2, 2)]);
        let others = Multiset::Difference(Box::new(Multiset::All(3)), Box::new(x()));
        assert_eq!(others.value(&[1], 10).unwrap(), [(0, 1), (2, 1)]);
        let pairs = Multiset::Tuples(vec![(others.clone(), 3), (x(), 3)]);
        assert_eq!(pairs.value(&[1], 10).unwrap(), [(1, 1), (7, 1)]);
        let none = Multiset::Difference(Box::new(x()), Box::new(Multiset::One(Term::Constant(2))));
        assert_eq!(none.value(&[1], 10), Err(MultisetError::Negative));
        assert_eq!(none.value(&[2], 10).unwrap(), []);
    }

    #[test]
    fn limits_are_kept() {
        assert_eq!(Multiset::All(1 << 40).value(&[], 1000), Err(MultisetError::TooLarge));
        let pairs = Multiset::Tuples(vec![(Multiset::All(100), 100), (Multiset::All(100), 100)]);
        assert_eq!(pairs.value(&[], 1000), Err(MultisetError::TooLarge));
        let huge = Multiset::Times(u64::MAX, Box::new(Multiset::Sum(vec![x(), x()])));
        assert_eq!(huge.value(&[0], 10), Err(MultisetError::Overflow));
    }
}
