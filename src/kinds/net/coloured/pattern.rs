//! Patterns: what a required token tells of the variables.
//!
//! A transition that takes `1'<x, x+1, c>` from a place can fire only for values of `x` for which the place
//! can hold that colour. Leaf by leaf of the sort, a pattern says which part of the colour is fixed, which is
//! a variable (perhaps shifted), and which says nothing that can be used directly. Matching a colour gives a
//! partial binding; it may let pass too much, never too little.

use super::sort::{SortId, Sorts};
use super::term::{Term, UNBOUND};

/// One leaf of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaf {
    /// This part of the colour.
    Is(u64),
    /// The value of a variable, `by` places further round the `size` colours of the leaf.
    Var { variable: usize, by: u64, size: u64 },
    /// Anything.
    Any,
}

impl Leaf {
    /// The part of the colour under a binding, if the binding determines it.
    pub(super) fn value(self, binding: &[u64]) -> Option<u64> {
        match self {
            Leaf::Is(part) => Some(part),
            Leaf::Var { variable, by, size } => match binding[variable] {
                UNBOUND => None,
                value => Some((value + by) % size),
            },
            Leaf::Any => None,
        }
    }
}

/// Leaves that together are the value of one variable, whose sort is a product.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Span {
    variable: usize,
    /// The first of these leaves.
    first: usize,
    /// Their sizes.
    sizes: Vec<u64>,
}

/// A required token of a place.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// Index of the place.
    pub(super) place: usize,
    /// The colour.
    pub(super) term: Term,
    /// The colour leaf by leaf.
    pub(super) leaves: Vec<Leaf>,
    spans: Vec<Span>,
}

impl Pattern {
    /// The pattern of a token with this colour; `sizes` are those of the sorts of the variables.
    pub(super) fn new(place: usize, sort: SortId, term: &Term, sorts: &Sorts, variables: &[SortId]) -> Self {
        let mut pattern = Pattern { place, term: term.clone(), leaves: Vec::new(), spans: Vec::new() };
        pattern.flatten(term, sort, sorts, variables);
        pattern
    }

    /// The variables that matching a colour binds.
    pub(super) fn bound(&self) -> impl Iterator<Item = usize> {
        let of_leaf = |leaf: &Leaf| if let Leaf::Var { variable, .. } = *leaf { Some(variable) } else { None };
        self.leaves.iter().filter_map(of_leaf).chain(self.spans.iter().map(|span| span.variable))
    }

    /// Can colours be told apart that match under the same binding? Then each of them leads to that binding.
    pub(super) fn is_vague(&self) -> bool {
        let spanned: usize = self.spans.iter().map(|span| span.sizes.len()).sum();
        self.leaves.iter().filter(|leaf| **leaf == Leaf::Any).count() > spanned
    }

    /// Bind the variables of the pattern so that it matches a colour with these parts; false if none do.
    pub(super) fn bind(&self, parts: &[u64], binding: &mut [u64]) -> bool {
        let mut bind = |variable: usize, value| {
            let before = std::mem::replace(&mut binding[variable], value);
            before == UNBOUND || before == value
        };
        let leaves = self.leaves.iter().zip(parts).all(|(&leaf, &part)| match leaf {
            Leaf::Is(expected) => part == expected,
            Leaf::Any => true,
            Leaf::Var { variable, by, size } => bind(variable, (part + size - by) % size),
        });
        leaves
            && self.spans.iter().all(|Span { variable, first, sizes }| {
                // Colours of products are numbered in mixed radix.
                let value = parts[*first..].iter().zip(sizes).fold(0, |value, (part, size)| value * size + part);
                bind(*variable, value)
            })
    }

    fn flatten(&mut self, term: &Term, sort: SortId, sorts: &Sorts, variables: &[SortId]) {
        let [leaf] = *sorts.leaves(sort) else {
            return match term {
                Term::Constant(colour) => self.leaves.extend(sorts.digits(sort, *colour).into_iter().map(Leaf::Is)),
                Term::Tuple(components) => {
                    if let super::Sort::Product(parts) = sorts.get(sort) {
                        for ((component, _), &part) in components.iter().zip(parts) {
                            self.flatten(component, part, sorts, variables);
                        }
                    }
                }
                _ => {
                    let sizes: Vec<u64> = sorts.leaves(sort).iter().map(|&leaf| sorts.size(leaf)).collect();
                    let (first, count) = (self.leaves.len(), sizes.len());
                    if let Term::Variable(variable) = term {
                        self.spans.push(Span { variable: *variable, first, sizes });
                    }
                    self.leaves.extend(std::iter::repeat_n(Leaf::Any, count));
                }
            };
        };
        let size = sorts.size(leaf);
        self.leaves.push(match term {
            Term::Constant(colour) => Leaf::Is(*colour),
            Term::Variable(variable) => Leaf::Var { variable: *variable, by: 0, size },
            Term::Shift { of, by, size } => match **of {
                Term::Variable(variable) if variables.get(variable) == Some(&sort) => {
                    Leaf::Var { variable, by: *by, size: *size }
                }
                _ => Leaf::Any,
            },
            _ => Leaf::Any,
        });
    }
}
