//! Comparisons of integer expressions as sets: one recursion over the diagram of the states.
//!
//! A *linear* comparison Σ wₗ·xₗ + c ⋈ 0 is decided by descending with the partial sum of the levels above.
//! For every node the least and greatest sum of the levels below are known (one memoised pass), so the
//! descent ends as soon as the comparison holds for all or for none of the paths below: sums of hundreds of
//! places cost little more than the places that decide. Results are memoised by node and partial sum. No
//! marking is ever enumerated.
//!
//! Products and quotients of places are not linear. The linear parts of such an expression are accumulated
//! side by side, and the expression is evaluated where the last of them ends.

use crate::formula::{Comparison, Expr, ExprId, Pool};
use crate::halt::Halt;
use crate::mdd::{EdgeRef, Held, Session, is_empty};
use crate::net::PlaceId;
use crate::relation::Relation;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// Partial sums of the linear parts.
type Sums = SmallVec<[i128; 2]>;

/// A linear expression: a constant and one weight per level.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Linear {
    constant: i128,
    weights: FxHashMap<u32, i128>,
}

/// An expression whose leaves are linear parts.
#[derive(Clone, Debug)]
enum Term {
    Leaf(usize),
    Neg(Box<Term>),
    Add(Vec<Term>),
    Mul(Box<Term>, Box<Term>),
    Div(Box<Term>, Box<Term>),
}

/// A comparison `left ⋈ right`, compiled for one relation.
pub(super) struct Atom {
    comparison: Comparison,
    left: Term,
    right: Term,
    /// Per linear part: weights by level, and the sum to start from.
    weights: Vec<Vec<i128>>,
    start: Sums,
    /// First level below all weighted ones.
    bottom: u32,
}

/// What compiling an expression needs to know.
pub(super) struct Compiler<'a> {
    pub(super) pool: &'a Pool,
    pub(super) relation: &'a Relation,
    /// The greatest sum over the reachable states of the tokens in some places.
    pub(super) bound: &'a dyn Fn(&[PlaceId]) -> Result<i128, Halt>,
}

impl Compiler<'_> {
    /// Compile a comparison.
    pub(super) fn atom(&self, left: ExprId, comparison: Comparison, right: ExprId) -> Result<Atom, Halt> {
        let mut parts = Vec::new();
        let (left, right) = match (self.linear(left)?, self.linear(right)?) {
            (Some(left), Some(right)) => {
                // left ⋈ right as left − right ⋈ 0: one sum, with bounds on both sides.
                let difference = add(&left, &scale(&right, -1)?)?;
                parts.push(difference);
                parts.push(Linear { constant: 0, weights: FxHashMap::default() });
                (Term::Leaf(0), Term::Leaf(1))
            }
            _ => (self.term(left, &mut parts)?, self.term(right, &mut parts)?),
        };
        let levels = self.relation.levels();
        let dense = |part: &Linear| (0..levels).map(|level| part.weights.get(&level).copied().unwrap_or(0)).collect();
        let bottom = parts.iter().flat_map(|part| part.weights.keys()).max().map_or(0, |&level| level + 1);
        Ok(Atom {
            comparison,
            left,
            right,
            weights: parts.iter().map(dense).collect(),
            start: parts.iter().map(|part| part.constant).collect(),
            bottom,
        })
    }

    /// The expression as a linear one, if it is.
    fn linear(&self, expr: ExprId) -> Result<Option<Linear>, Halt> {
        Ok(Some(match &self.pool[expr] {
            Expr::Const(constant) => Linear { constant: *constant, weights: FxHashMap::default() },
            Expr::Bounds(places) => Linear { constant: (self.bound)(places)?, weights: FxHashMap::default() },
            Expr::Tokens(places) => {
                let mut sum = Linear { constant: 0, weights: FxHashMap::default() };
                for place in places {
                    let level = self.relation.level_of(place.index());
                    sum.constant += i128::from(self.relation.offsets()[level as usize]);
                    *sum.weights.entry(level).or_default() += 1;
                }
                sum
            }
            Expr::Neg(a) => match self.linear(*a)? {
                Some(a) => scale(&a, -1)?,
                None => return Ok(None),
            },
            Expr::Add(operands) => {
                let mut sum = Linear { constant: 0, weights: FxHashMap::default() };
                for &operand in operands {
                    let Some(operand) = self.linear(operand)? else { return Ok(None) };
                    sum = add(&sum, &operand)?;
                }
                sum
            }
            Expr::Mul(a, b) => match (self.linear(*a)?, self.linear(*b)?) {
                (Some(a), Some(b)) if a.weights.is_empty() => scale(&b, a.constant)?,
                (Some(a), Some(b)) if b.weights.is_empty() => scale(&a, b.constant)?,
                _ => return Ok(None),
            },
            Expr::Div(a, b) => match (self.linear(*a)?, self.linear(*b)?) {
                (Some(a), Some(b)) if a.weights.is_empty() && b.weights.is_empty() => {
                    Linear { constant: divide(a.constant, b.constant)?, weights: FxHashMap::default() }
                }
                _ => return Ok(None),
            },
        }))
    }

    /// The expression over linear parts, which are added to `parts`.
    fn term(&self, expr: ExprId, parts: &mut Vec<Linear>) -> Result<Term, Halt> {
        if let Some(linear) = self.linear(expr)? {
            parts.push(linear);
            return Ok(Term::Leaf(parts.len() - 1));
        }
        Ok(match &self.pool[expr] {
            Expr::Neg(a) => Term::Neg(Box::new(self.term(*a, parts)?)),
            Expr::Add(operands) => Term::Add(operands.iter().map(|&a| self.term(a, parts)).collect::<Result<_, _>>()?),
            Expr::Mul(a, b) => Term::Mul(Box::new(self.term(*a, parts)?), Box::new(self.term(*b, parts)?)),
            Expr::Div(a, b) => Term::Div(Box::new(self.term(*a, parts)?), Box::new(self.term(*b, parts)?)),
            Expr::Const(_) | Expr::Bounds(_) | Expr::Tokens(_) => unreachable!("these are linear"),
        })
    }
}

fn add(a: &Linear, b: &Linear) -> Result<Linear, Halt> {
    let mut sum = a.clone();
    sum.constant = sum.constant.checked_add(b.constant).ok_or(Halt::Arithmetic)?;
    for (&level, &weight) in &b.weights {
        let slot = sum.weights.entry(level).or_default();
        *slot = slot.checked_add(weight).ok_or(Halt::Arithmetic)?;
    }
    sum.weights.retain(|_, weight| *weight != 0);
    Ok(sum)
}

fn scale(a: &Linear, factor: i128) -> Result<Linear, Halt> {
    let times = |n: i128| n.checked_mul(factor).ok_or(Halt::Arithmetic);
    let weights = a.weights.iter().map(|(&level, &weight)| Ok((level, times(weight)?))).collect::<Result<_, Halt>>()?;
    Ok(Linear { constant: times(a.constant)?, weights })
}

fn divide(a: i128, b: i128) -> Result<i128, Halt> {
    if b == 0 { Err(Halt::DivisionByZero) } else { a.checked_div(b).ok_or(Halt::Arithmetic) }
}

impl Term {
    fn evaluate(&self, sums: &[i128]) -> Result<i128, Halt> {
        Ok(match self {
            Term::Leaf(part) => sums[*part],
            Term::Neg(a) => a.evaluate(sums)?.checked_neg().ok_or(Halt::Arithmetic)?,
            Term::Add(operands) => {
                let mut sum = 0i128;
                for operand in operands {
                    sum = sum.checked_add(operand.evaluate(sums)?).ok_or(Halt::Arithmetic)?;
                }
                sum
            }
            Term::Mul(a, b) => a.evaluate(sums)?.checked_mul(b.evaluate(sums)?).ok_or(Halt::Arithmetic)?,
            Term::Div(a, b) => divide(a.evaluate(sums)?, b.evaluate(sums)?)?,
        })
    }
}

impl Atom {
    /// The states of `states` that satisfy the comparison.
    pub(super) fn states<'m, 'id>(
        &self,
        session: &Session<'m, 'id>,
        states: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, Halt> {
        let linear = matches!((&self.left, &self.right), (Term::Leaf(0), Term::Leaf(1)))
            && self.weights.len() == 2
            && self.start[1] == 0;
        let mut descent =
            Descent { atom: self, session, linear, ranges: FxHashMap::default(), results: FxHashMap::default() };
        let start = if linear { smallvec![self.start[0]] } else { self.start.clone() };
        descent.descend(0, states, start)
    }
}

struct Descent<'s, 'a, 'm, 'id> {
    atom: &'s Atom,
    session: &'s Session<'m, 'id>,
    linear: bool,
    /// Least and greatest sum of the levels from a node down.
    ranges: FxHashMap<EdgeRef<'a, 'id>, (i128, i128)>,
    results: FxHashMap<(EdgeRef<'a, 'id>, Sums), Held<'m, 'id>>,
}

impl<'a, 'm: 'a, 'id> Descent<'_, 'a, 'm, 'id> {
    fn descend(&mut self, level: u32, node: EdgeRef<'a, 'id>, sums: Sums) -> Result<Held<'m, 'id>, Halt> {
        if is_empty(node) {
            return Ok(self.session.empty());
        }
        let atom = self.atom;
        if self.linear {
            let (least, greatest) = self.range(level, node)?;
            let least = sums[0].checked_add(least).ok_or(Halt::Arithmetic)?;
            let greatest = sums[0].checked_add(greatest).ok_or(Halt::Arithmetic)?;
            if let Some(holds) = decide(atom.comparison, least, greatest) {
                return Ok(if holds { self.session.hold(node) } else { self.session.empty() });
            }
        } else if level == atom.bottom {
            let holds = atom.comparison.holds(&atom.left.evaluate(&sums)?, &atom.right.evaluate(&sums)?);
            return Ok(if holds { self.session.hold(node) } else { self.session.empty() });
        }
        let key = (node, sums);
        if let Some(result) = self.results.get(&key) {
            return Ok(result.clone());
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(node) {
            let mut below = key.1.clone();
            for (sum, weights) in below.iter_mut().zip(&atom.weights) {
                let product = weights[level as usize].checked_mul(i128::from(value)).ok_or(Halt::Arithmetic)?;
                *sum = sum.checked_add(product).ok_or(Halt::Arithmetic)?;
            }
            list.push(value, self.descend(level + 1, child, below)?);
        }
        let result = self.session.node(level, list)?;
        self.results.insert(key, result.clone());
        Ok(result)
    }

    fn range(&mut self, level: u32, node: EdgeRef<'a, 'id>) -> Result<(i128, i128), Halt> {
        if level >= self.atom.bottom {
            return Ok((0, 0));
        }
        if let Some(&range) = self.ranges.get(&node) {
            return Ok(range);
        }
        let weight = self.atom.weights[0][level as usize];
        let mut range: Option<(i128, i128)> = None;
        for (value, child) in self.session.pairs(node) {
            let (least, greatest) = self.range(level + 1, child)?;
            let here = weight.checked_mul(i128::from(value)).ok_or(Halt::Arithmetic)?;
            let least = least.checked_add(here).ok_or(Halt::Arithmetic)?;
            let greatest = greatest.checked_add(here).ok_or(Halt::Arithmetic)?;
            range = Some(range.map_or((least, greatest), |(l, g)| (l.min(least), g.max(greatest))));
        }
        let range = range.unwrap_or((0, 0));
        self.ranges.insert(node, range);
        Ok(range)
    }
}

/// Does `sum ⋈ 0` hold for every sum between `least` and `greatest`, for none, or is it open?
fn decide(comparison: Comparison, least: i128, greatest: i128) -> Option<bool> {
    match comparison {
        Comparison::Eq if least > 0 || greatest < 0 => Some(false),
        Comparison::Eq if least == 0 && greatest == 0 => Some(true),
        Comparison::Eq => None,
        Comparison::Ne => decide(Comparison::Eq, least, greatest).map(|holds| !holds),
        // The others are monotone: true at one end and at the other means true in between.
        _ => {
            let (low, high) = (comparison.holds(&least, &0), comparison.holds(&greatest, &0));
            (low == high).then_some(low)
        }
    }
}
