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
//!
//! Bringing a linear comparison to one side may leave 128 bits where none of its values does (`-#p < 2^127 - 1`). Then
//! the sums of tokens alone are accumulated, and both sides are evaluated as they are written ([`Atom::as_written`]).

use crate::formula::{Comparison, Expr, ExprId, Pool};
use crate::mdd::{EdgeRef, Held, Session, is_empty};
use crate::net::PlaceId;
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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
    Constant(i128),
    Leaf(usize),
    Neg(Box<Term>),
    Add(Vec<Term>),
    Mul(Box<Term>, Box<Term>),
    Div(Box<Term>, Box<Term>),
}

/// A comparison `left ⋈ right`, compiled for one relation.
struct Atom {
    comparison: Comparison,
    left: Term,
    right: Term,
    /// Is there one linear part, the left side without the right one, that is compared with 0?
    is_difference: bool,
    /// Per linear part: weights by level, and the sum to start from.
    weights: Vec<Vec<i128>>,
    start: Sums,
    /// First level below all weighted ones.
    bottom: u32,
}

/// The context in which expressions are compiled.
pub(super) struct Compiler<'a> {
    pub(super) pool: &'a Pool,
    pub(super) relation: &'a Relation,
    /// The greatest sum over the reachable states of the tokens in some places.
    pub(super) bound: &'a dyn Fn(&[PlaceId]) -> Result<i128, StopReason>,
}

impl Compiler<'_> {
    /// The states of `states` that satisfy a comparison.
    pub(super) fn states<'m, 'id>(
        &self,
        (left, comparison, right): (ExprId, Comparison, ExprId),
        session: &Session<'m, 'id>,
        states: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let rearranged = self.rearranged(left, comparison, right).and_then(|atom| atom.states(session, states));
        match rearranged {
            Err(StopReason::Arithmetic) => self.as_written(left, comparison, right)?.states(session, states),
            found => found,
        }
    }

    /// A comparison with its linear parts summed up.
    fn rearranged(&self, left: ExprId, comparison: Comparison, right: ExprId) -> Result<Atom, StopReason> {
        let mut parts = Vec::new();
        let (left, right, is_difference) = match (self.linear(left)?, self.linear(right)?) {
            (Some(left), Some(right)) => {
                // left ⋈ right as left − right ⋈ 0: one sum, with bounds on both sides.
                parts.push(add(&left, &scale(&right, -1)?)?);
                (Term::Leaf(0), Term::Constant(0), true)
            }
            _ => (self.term(left, &mut parts)?, self.term(right, &mut parts)?, false),
        };
        Ok(self.over(parts, comparison, left, right, is_difference))
    }

    /// A comparison whose parts are sums of tokens, so that values beyond 128 bits are those of the expressions
    /// themselves.
    fn as_written(&self, left: ExprId, comparison: Comparison, right: ExprId) -> Result<Atom, StopReason> {
        let mut parts = Vec::new();
        let (left, right) = (self.written(left, &mut parts)?, self.written(right, &mut parts)?);
        Ok(self.over(parts, comparison, left, right, false))
    }

    fn over(&self, parts: Vec<Linear>, comparison: Comparison, left: Term, right: Term, is_difference: bool) -> Atom {
        let levels = self.relation.levels();
        let dense = |part: &Linear| (0..levels).map(|level| part.weights.get(&level).copied().unwrap_or(0)).collect();
        let bottom = parts.iter().flat_map(|part| part.weights.keys()).max().map_or(0, |&level| level + 1);
        Atom {
            comparison,
            left,
            right,
            is_difference,
            weights: parts.iter().map(dense).collect(),
            start: parts.iter().map(|part| part.constant).collect(),
            bottom,
        }
    }

    /// The expression as a linear one, if it is.
    fn linear(&self, expr: ExprId) -> Result<Option<Linear>, StopReason> {
        Ok(Some(match &self.pool[expr] {
            Expr::Const(constant) => Linear { constant: *constant, weights: FxHashMap::default() },
            Expr::Bounds(places) => Linear { constant: (self.bound)(places)?, weights: FxHashMap::default() },
            Expr::Tokens(places) => {
                let mut sum = Linear { constant: 0, weights: FxHashMap::default() };
                for place in places {
                    sum.constant += i128::from(self.relation.offset_of(place.index()));
                    for (level, weight) in self.relation.places_of(place.index()) {
                        *sum.weights.entry(level).or_default() += i128::from(weight);
                    }
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

    /// The expression over sums of tokens, which are added to `parts`.
    fn written(&self, expr: ExprId, parts: &mut Vec<Linear>) -> Result<Term, StopReason> {
        Ok(match &self.pool[expr] {
            Expr::Const(constant) => Term::Constant(*constant),
            Expr::Bounds(places) => Term::Constant((self.bound)(places)?),
            Expr::Tokens(_) => {
                parts.extend(self.linear(expr)?);
                Term::Leaf(parts.len().saturating_sub(1))
            }
            Expr::Neg(a) => Term::Neg(Box::new(self.written(*a, parts)?)),
            Expr::Add(operands) => {
                Term::Add(operands.iter().map(|&a| self.written(a, parts)).collect::<Result<_, _>>()?)
            }
            Expr::Mul(a, b) => Term::Mul(Box::new(self.written(*a, parts)?), Box::new(self.written(*b, parts)?)),
            Expr::Div(a, b) => Term::Div(Box::new(self.written(*a, parts)?), Box::new(self.written(*b, parts)?)),
        })
    }

    /// The expression over linear parts, which are added to `parts`.
    fn term(&self, expr: ExprId, parts: &mut Vec<Linear>) -> Result<Term, StopReason> {
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

fn add(a: &Linear, b: &Linear) -> Result<Linear, StopReason> {
    let mut sum = a.clone();
    sum.constant = sum.constant.checked_add(b.constant).ok_or(StopReason::Arithmetic)?;
    for (&level, &weight) in &b.weights {
        let slot = sum.weights.entry(level).or_default();
        *slot = slot.checked_add(weight).ok_or(StopReason::Arithmetic)?;
    }
    sum.weights.retain(|_, weight| *weight != 0);
    Ok(sum)
}

fn scale(a: &Linear, factor: i128) -> Result<Linear, StopReason> {
    let times = |n: i128| n.checked_mul(factor).ok_or(StopReason::Arithmetic);
    let weights =
        a.weights.iter().map(|(&level, &weight)| Ok((level, times(weight)?))).collect::<Result<_, StopReason>>()?;
    Ok(Linear { constant: times(a.constant)?, weights })
}

fn divide(a: i128, b: i128) -> Result<i128, StopReason> {
    if b == 0 { Err(StopReason::DivisionByZero) } else { a.checked_div(b).ok_or(StopReason::Arithmetic) }
}

impl Term {
    fn evaluate(&self, sums: &[i128]) -> Result<i128, StopReason> {
        Ok(match self {
            Term::Constant(constant) => *constant,
            Term::Leaf(part) => sums[*part],
            Term::Neg(a) => a.evaluate(sums)?.checked_neg().ok_or(StopReason::Arithmetic)?,
            Term::Add(operands) => {
                let mut sum = 0i128;
                for operand in operands {
                    sum = sum.checked_add(operand.evaluate(sums)?).ok_or(StopReason::Arithmetic)?;
                }
                sum
            }
            Term::Mul(a, b) => a.evaluate(sums)?.checked_mul(b.evaluate(sums)?).ok_or(StopReason::Arithmetic)?,
            Term::Div(a, b) => divide(a.evaluate(sums)?, b.evaluate(sums)?)?,
        })
    }
}

impl Atom {
    /// The states of `states` that satisfy the comparison.
    fn states<'m, 'id>(
        &self,
        session: &Session<'m, 'id>,
        states: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, StopReason> {
        let (ranges, results) = (FxHashMap::default(), FxHashMap::default());
        Descent { atom: self, session, ranges, results }.descend(0, states, self.start.clone())
    }
}

struct Descent<'s, 'a, 'm, 'id> {
    atom: &'s Atom,
    session: &'s Session<'m, 'id>,
    /// Least and greatest sum of the levels from a node down.
    ranges: FxHashMap<EdgeRef<'a, 'id>, (i128, i128)>,
    results: FxHashMap<(EdgeRef<'a, 'id>, Sums), Held<'m, 'id>>,
}

impl<'a, 'm: 'a, 'id> Descent<'_, 'a, 'm, 'id> {
    fn descend(&mut self, level: u32, node: EdgeRef<'a, 'id>, sums: Sums) -> Result<Held<'m, 'id>, StopReason> {
        if is_empty(node) {
            return Ok(self.session.empty());
        }
        let atom = self.atom;
        if atom.is_difference {
            let (least, greatest) = self.range(level, node)?;
            let least = sums[0].checked_add(least).ok_or(StopReason::Arithmetic)?;
            let greatest = sums[0].checked_add(greatest).ok_or(StopReason::Arithmetic)?;
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
                let product = weights[level as usize].checked_mul(i128::from(value)).ok_or(StopReason::Arithmetic)?;
                *sum = sum.checked_add(product).ok_or(StopReason::Arithmetic)?;
            }
            list.push(value, self.descend(level + 1, child, below)?);
        }
        let result = self.session.node(level, list)?;
        self.results.insert(key, result.clone());
        Ok(result)
    }

    fn range(&mut self, level: u32, node: EdgeRef<'a, 'id>) -> Result<(i128, i128), StopReason> {
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
            let here = weight.checked_mul(i128::from(value)).ok_or(StopReason::Arithmetic)?;
            let least = least.checked_add(here).ok_or(StopReason::Arithmetic)?;
            let greatest = greatest.checked_add(here).ok_or(StopReason::Arithmetic)?;
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
