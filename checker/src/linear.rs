//! Claims about all reachable states, by linear inequalities: a state formula without path quantifiers is always true.
//!
//! An inequality that is true at first and that no step breaks is true in all reachable states. That the formula is false is
//! taken apart into inequalities and cases; in each case a sum of inequalities says that a sum of numbers of tokens, none of which is below
//! 0, is below 0. docs/certificates.md has the rules.

use crate::effort::{keep, work};
use crate::formula::{Id, Node, Op, Pool};
use crate::net::{Effect, Net, Step, Tokens, value};
use crate::{Checked, refuse};
use std::collections::{BTreeMap, HashMap};

/// A sum of places with factors is at most a number.
pub type Row = (Vec<(usize, i64)>, i128);

/// A part of a proof that inequalities contradict each other. Those of the parts that follow it come in its order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// One of the operands of this disjunction is true: a proof for each.
    Split(usize),
    /// Inequalities, each so many times, add up to something impossible.
    Sum(Vec<(usize, i128)>),
}

/// A condition of inequalities.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Linear {
    /// An inequality.
    Row(Row),
    /// All of these.
    All(Vec<Linear>),
    /// One of these.
    Any(Vec<Linear>),
}

impl Linear {
    /// That a sum compares so with a number.
    pub fn compare(sum: &[(usize, i64)], op: Op, bound: i128) -> Linear {
        let less = |bound| Linear::Row((sum.to_vec(), bound));
        match op {
            Op::Le => less(bound),
            Op::Lt => less(bound - 1),
            Op::Ge => less(bound - 1).negated(),
            Op::Gt => less(bound).negated(),
            Op::Eq => Linear::All(vec![less(bound), less(bound - 1).negated()]),
            Op::Ne => Linear::Any(vec![less(bound - 1), less(bound).negated()]),
        }
    }

    /// That a state formula without quantifiers is true: `condition_right` of `proofs/Conditions.v`, of networks and
    /// tables `as_condition_right` of `proofs/Tables.v`.
    ///
    /// # Errors
    /// When it has quantifiers, or too many cases.
    pub fn new(net: &Net, pool: &Pool, id: Id) -> Checked<Linear> {
        let any = |labels| {
            work(net.steps.len())?;
            Ok(Linear::Any(net.steps_of(labels).map(possible).collect::<Checked<_>>()?))
        };
        let each = |list: &[Id]| list.iter().map(|&id| Linear::new(net, pool, id)).collect::<Checked<Vec<_>>>();
        keep(1)?;
        Ok(match &pool[id] {
            Node::True => Linear::All(Vec::new()),
            Node::False => Linear::Any(Vec::new()),
            Node::Deadlock => any(None)?.negated(),
            Node::Enabled(labels) => any(Some(labels))?,
            Node::Compare(sum, op, bound) => {
                keep(2 * sum.len())?;
                Linear::compare(sum, *op, *bound)
            }
            Node::Not(a) => Linear::new(net, pool, *a)?.negated(),
            Node::And(list) => Linear::All(each(list)?),
            Node::Or(list) => Linear::Any(each(list)?),
            _ => return refuse("a claim `always` about a formula with quantifiers"),
        })
    }

    /// That it is false.
    pub fn negated(self) -> Linear {
        let each = |list: Vec<Linear>| list.into_iter().map(Linear::negated).collect();
        match self {
            Linear::Row((sum, bound)) => {
                Linear::Row((sum.into_iter().map(|(place, factor)| (place, -factor)).collect(), -bound - 1))
            }
            Linear::All(list) => Linear::Any(each(list)),
            Linear::Any(list) => Linear::All(each(list)),
        }
    }

    /// The inequalities of a conjunction of some.
    pub(crate) fn rows(self) -> Checked<Vec<Row>> {
        match self {
            Linear::Row(row) => Ok(vec![row]),
            Linear::All(list) => Ok(list.into_iter().map(Linear::rows).collect::<Checked<Vec<_>>>()?.concat()),
            Linear::Any(_) => refuse("`!=` is no inequality"),
        }
    }
}

/// That a step is possible: `can_condition_right` of `proofs/Tables.v`.
fn possible(step: &Step) -> Checked<Linear> {
    keep(step.effects.iter().map(|(_, effect)| 4 * effect.size()).sum())?;
    let at_least = |place: usize, value: u64| Linear::compare(&[(place, 1)], Op::Ge, value.into());
    let of_place = |(place, effect): &(usize, Effect)| match effect {
        Effect::Tokens(Tokens { least, below, .. }) => {
            let enough = (*least > 0).then(|| at_least(*place, *least));
            let not_too_many = (*below < u64::MAX).then(|| at_least(*place, *below).negated());
            enough.into_iter().chain(not_too_many).collect()
        }
        Effect::Table(pairs) => {
            let one = |pair: &(u64, u64)| Linear::compare(&[(*place, 1)], Op::Eq, pair.0.into());
            vec![Linear::Any(pairs.iter().map(one).collect())]
        }
    };
    Ok(Linear::All(step.effects.iter().flat_map(of_place).collect()))
}

/// Is an inequality true in all reachable states: at first, and after each step that is taken where it is true? `lemma_3` of
/// `proofs/Inequalities.v`, of networks and tables `step_keeps` of `proofs/Tables.v`.
pub fn is_kept(net: &Net, (sum, bound): &Row) -> bool {
    let terms = sum.iter().filter(|term| term.1 != 0);
    let factors: HashMap<usize, i128> = terms.map(|&(place, factor)| (place, factor.into())).collect();
    let above = factors.values().filter(|factor| **factor > 0).count();
    value(sum, &net.initial()) <= *bound
        && net.steps.iter().all(|step| {
            // What it adds to the sum, the least sum before it and the greatest after it, as far as there are such.
            let (mut gain, mut before, mut after) = (0, Some(0), Some(0));
            let (mut untouched_above, mut untouched_under) = (above, factors.len() - above);
            for (place, effect) in &step.effects {
                let Some(&factor) = factors.get(place) else { continue };
                *(if factor > 0 { &mut untouched_above } else { &mut untouched_under }) -= 1;
                let [more, low, high] = extremes(effect, factor);
                gain += more.unwrap_or(0);
                before = before.zip(low).map(|(a, b)| a + b);
                after = after.zip(high).map(|(a, b)| a + b);
            }
            gain <= 0
                || untouched_under == 0 && before.is_some_and(|before| before > *bound)
                || untouched_above == 0 && after.is_some_and(|after| after <= *bound)
        })
}

/// What an effect adds at most to a factor times the value, and the least product before and the greatest after it:
/// `gain_right`, `low_right` and `high_right` of `proofs/Tables.v`.
fn extremes(effect: &Effect, factor: i128) -> [Option<i128>; 3] {
    match effect {
        Effect::Tokens(Tokens { least, below, take, put }) => {
            let change = i128::from(*put) - i128::from(*take);
            let (least, most) = (i128::from(*least), (*below < u64::MAX).then(|| i128::from(*below) - 1));
            let (low, high) = if factor > 0 { (Some(least), most) } else { (most, Some(least)) };
            [Some(factor * change), low.map(|low| factor * low), high.map(|high| factor * (high + change))]
        }
        Effect::Table(pairs) => {
            let pairs = || pairs.iter().map(|&(from, to)| (factor * i128::from(from), factor * i128::from(to)));
            [pairs().map(|(a, b)| b - a).max(), pairs().map(|pair| pair.0).min(), pairs().map(|pair| pair.1).max()]
        }
    }
}

/// Is a condition false in all reachable states? Inequalities that no step breaks are given, and the proof. `theorem_3` of
/// `proofs/Inequalities.v`.
pub(crate) fn refuted(net: &Net, kept: &[Row], condition: &Linear, proof: &[Part]) -> Checked<()> {
    let size = net.size();
    for row in kept {
        work(size + row.0.len())?;
        if !is_kept(net, row) {
            return refuse(format!("a step breaks the inequality with the bound {}", row.1));
        }
    }
    let mut refutation = Refutation { rows: kept.to_vec(), open: Vec::new(), proof: proof.iter(), depth: 0 };
    refutation.of(condition)?;
    if refutation.proof.next().is_some() { refuse("a claim `always` goes on after its proof") } else { Ok(()) }
}

struct Refutation<'a> {
    /// Inequalities that are true.
    rows: Vec<Row>,
    /// Disjunctions that are true.
    open: Vec<&'a [Linear]>,
    proof: std::slice::Iter<'a, Part>,
    depth: usize,
}

/// Cases inside of cases, at most.
const DEEPEST: usize = 100_000;

impl<'a> Refutation<'a> {
    /// One more condition: is it impossible with all others?
    fn of(&mut self, condition: &'a Linear) -> Checked<()> {
        let (rows, open) = (self.rows.len(), self.open.len());
        let mut demands = vec![condition];
        self.depth += 1;
        if self.depth > DEEPEST {
            return refuse("a proof has cases nested too deeply");
        }
        while let Some(demand) = demands.pop() {
            match demand {
                Linear::Row(row) => {
                    work(row.0.len() + 1)?;
                    self.rows.push(row.clone());
                }
                Linear::All(list) => {
                    work(list.len())?;
                    demands.extend(list.iter().rev());
                }
                Linear::Any(list) => self.open.push(list),
            }
        }
        match self.proof.next() {
            Some(Part::Split(at)) => match self.open.get(*at) {
                Some(cases) => cases.iter().try_for_each(|case| self.of(case))?,
                None => return refuse("a proof splits what is not there"),
            },
            Some(Part::Sum(terms)) if is_absurd(&self.rows, terms)? => {}
            Some(Part::Sum(_)) => return refuse("inequalities do not add up to what is impossible"),
            None => return refuse("a proof is not complete"),
        }
        self.rows.truncate(rows);
        self.open.truncate(open);
        self.depth -= 1;
        Ok(())
    }
}

/// Do inequalities, each so many times, say that a sum without negative factors is below 0?
fn is_absurd(rows: &[Row], terms: &[(usize, i128)]) -> Checked<bool> {
    let (mut sum, mut bound) = (BTreeMap::new(), 0i128);
    for &(row, times) in terms {
        let Some((factors, least)) = rows.get(row).filter(|_| (0..1 << 62).contains(&times)) else { return Ok(false) };
        let Some(total) = least.checked_mul(times).and_then(|more| bound.checked_add(more)) else { return Ok(false) };
        bound = total;
        work(factors.len() + 1)?;
        for &(place, factor) in factors {
            let of_place: &mut i128 = sum.entry(place).or_default();
            // Less than 2^95 each.
            *of_place = of_place.saturating_add(i128::from(factor) * times);
        }
    }
    Ok(bound < 0 && sum.values().all(|&factor| (0..i128::MAX).contains(&factor)))
}
