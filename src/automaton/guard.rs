//! Edge labels: Boolean functions of atomic propositions as disjunctions of cubes.
//!
//! A [`Cube`] is a conjunction of literals over distinct propositions, sorted by proposition; a [`Guard`] is
//! the disjunction of its cubes. No cube is *false*; the empty cube is *true*. The translator computes with
//! BDDs and writes irredundant sums of products (Minato 1993), so cube lists are short; a guard read from a
//! file may be any list of cubes. Consumers evaluate a guard on a state ([`Guard::holds`]) or turn it into a
//! set of states, cube by cube.
//!
//! Tautology and intersection are decided on the cubes themselves by Shannon expansion on a proposition that
//! occurs (the recursive paradigm of two-level minimisation, Brayton et al. 1984). That is exponential in the
//! number of propositions in the worst case and immediate on the short covers met in practice.

/// Index of an atomic proposition in the automaton's table of names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Prop(pub u32);

impl Prop {
    /// The index as `usize`, for indexing slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A proposition or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    /// The proposition.
    pub prop: Prop,
    /// `true` for the proposition, `false` for its negation.
    pub positive: bool,
}

/// A satisfiable conjunction of literals, sorted by proposition, each proposition at most once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    literals: Box<[Literal]>,
}

impl Cube {
    /// The conjunction of `literals`; `None` when it contains a proposition and its negation.
    pub fn new(literals: impl IntoIterator<Item = Literal>) -> Option<Cube> {
        let mut literals: Vec<Literal> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|w| w[0].prop == w[1].prop) {
            return None;
        }
        Some(Cube { literals: literals.into_boxed_slice() })
    }

    /// The literals, sorted by proposition.
    pub fn literals(&self) -> &[Literal] {
        &self.literals
    }

    /// Whether the cube holds under a valuation of the propositions.
    pub fn holds(&self, valuation: impl Fn(Prop) -> bool) -> bool {
        self.literals.iter().all(|l| valuation(l.prop) == l.positive)
    }

    /// The conjunction with another cube; `None` when they contradict each other.
    pub fn and(&self, other: &Cube) -> Option<Cube> {
        Cube::new(self.literals.iter().chain(other.literals.iter()).copied())
    }

    /// Whether some valuation satisfies both cubes.
    pub(crate) fn intersects(&self, other: &Cube) -> bool {
        let (mut a, mut b) = (self.literals.iter().peekable(), other.literals.iter().peekable());
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match x.prop.cmp(&y.prop) {
                std::cmp::Ordering::Less => a.next(),
                std::cmp::Ordering::Greater => b.next(),
                std::cmp::Ordering::Equal if x.positive != y.positive => return false,
                std::cmp::Ordering::Equal => a.next(),
            };
        }
        true
    }
}

/// A disjunction of cubes.
///
/// ```
/// use starset::automaton::{Cube, Guard, Literal, Prop};
/// let p = Literal { prop: Prop(0), positive: true };
/// let not_p = Literal { prop: Prop(0), positive: false };
/// let either = Guard::from_cubes([Cube::new([p]).unwrap(), Cube::new([not_p]).unwrap()]);
/// assert!(either.is_valid() && !either.is_always());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Guard {
    cubes: Box<[Cube]>,
}

impl Guard {
    /// The guard that always holds (one empty cube).
    pub fn always() -> Guard {
        Guard { cubes: Box::new([Cube::default()]) }
    }

    /// The guard that never holds (no cube).
    pub fn never() -> Guard {
        Guard::default()
    }

    /// The guard that holds where one literal does.
    pub fn literal(prop: Prop, positive: bool) -> Guard {
        Guard { cubes: Box::new([Cube { literals: Box::new([Literal { prop, positive }]) }]) }
    }

    /// The disjunction of `cubes`, kept in the given order.
    pub fn from_cubes(cubes: impl IntoIterator<Item = Cube>) -> Guard {
        Guard { cubes: cubes.into_iter().collect() }
    }

    /// The cubes of the disjunction.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Whether this is literally *true*: some cube has no literal. See [`Guard::is_valid`].
    pub fn is_always(&self) -> bool {
        self.cubes.iter().any(|c| c.literals.is_empty())
    }

    /// Whether no valuation satisfies the guard (cubes are satisfiable, so: whether there is no cube).
    pub(crate) fn is_never(&self) -> bool {
        self.cubes.is_empty()
    }

    /// Whether the guard holds under a valuation of the propositions.
    pub fn holds(&self, valuation: impl Fn(Prop) -> bool) -> bool {
        self.cubes.iter().any(|c| c.holds(&valuation))
    }

    /// The conjunction of two guards: as many cubes as the product of theirs, at most.
    pub(crate) fn and(&self, other: &Guard) -> Guard {
        Guard::from_cubes(self.cubes.iter().flat_map(|a| other.cubes.iter().filter_map(|b| a.and(b))))
    }

    /// The disjunction of two guards.
    pub(crate) fn or(&self, other: &Guard) -> Guard {
        Guard::from_cubes(self.cubes.iter().chain(&other.cubes).cloned())
    }

    /// Whether some valuation satisfies both guards.
    pub(crate) fn intersects(&self, other: &Guard) -> bool {
        self.cubes.iter().any(|a| other.cubes.iter().any(|b| a.intersects(b)))
    }

    /// Whether every valuation satisfies the guard.
    pub fn is_valid(&self) -> bool {
        covers_all(&self.cubes.iter().collect::<Vec<_>>(), &mut u64::MAX.clone()) == Some(true)
    }

    /// The propositions that occur, sorted.
    pub fn support(&self) -> Vec<Prop> {
        let mut props: Vec<Prop> = self.cubes.iter().flat_map(|c| c.literals.iter().map(|l| l.prop)).collect();
        props.sort_unstable();
        props.dedup();
        props
    }
}

/// Whether the disjunction of the cubes is a tautology; `None` when `fuel` cube visits did not suffice.
pub(super) fn covers_all(cubes: &[&Cube], fuel: &mut u64) -> Option<bool> {
    let cubes: Vec<&[Literal]> = cubes.iter().map(|c| c.literals()).collect();
    expand(&cubes, fuel)
}

/// Shannon expansion on the first proposition of the cubes. As every cube is sorted, the cofactors are
/// suffixes of cubes: no cube is copied. The depth is the number of propositions.
fn expand(cubes: &[&[Literal]], fuel: &mut u64) -> Option<bool> {
    *fuel = fuel.checked_sub(1 + cubes.len() as u64)?;
    if cubes.iter().any(|c| c.is_empty()) {
        return Some(true);
    }
    let Some(prop) = cubes.iter().filter_map(|c| c.first()).map(|l| l.prop).min() else {
        return Some(false);
    };
    for value in [false, true] {
        let cofactor: Vec<&[Literal]> = cubes
            .iter()
            .filter_map(|c| match c.split_first() {
                Some((l, rest)) if l.prop == prop => (l.positive == value).then_some(rest),
                _ => Some(*c),
            })
            .collect();
        if !expand(&cofactor, fuel)? {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn literal(code: u32) -> Literal {
        Literal { prop: Prop(code / 2), positive: code & 1 == 0 }
    }

    proptest! {
        #[test]
        fn validity_and_intersection_agree_with_truth_tables(
            a in proptest::collection::vec(proptest::collection::vec(0u32..8, 0..4), 0..6),
            b in proptest::collection::vec(proptest::collection::vec(0u32..8, 0..4), 0..6),
        ) {
            let guard = |cs: &Vec<Vec<u32>>| {
                Guard::from_cubes(cs.iter().filter_map(|c| Cube::new(c.iter().map(|&l| literal(l)))))
            };
            let (a, b) = (guard(&a), guard(&b));
            let holds = |g: &Guard, v: u32| g.holds(|p| v >> p.0 & 1 == 1);
            prop_assert_eq!(a.is_valid(), (0..16).all(|v| holds(&a, v)));
            prop_assert_eq!(a.intersects(&b), (0..16).any(|v| holds(&a, v) && holds(&b, v)));
        }
    }

    #[test]
    fn contradictory_literals_make_no_cube() {
        assert!(Cube::new([literal(0), literal(1)]).is_none());
        assert_eq!(Cube::new([literal(2), literal(0), literal(2)]).unwrap().literals().len(), 2);
    }
}
