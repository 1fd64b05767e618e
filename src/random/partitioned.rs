//! Random models behind a next-state function.
//!
//! A group has random rows, and its answers are drawn from a stream that the group and the short state seed: so the
//! same question has always the same answer, and nothing but what is read decides. Some variables that may be written
//! are copied by some answers and not by others, and some are written without being read. State labels are drawn alike.

use super::formula::rebuilt;
use super::{FormulaShape, Rng, formula};
use crate::formula::{Formula, FormulaId, Pool, Symbols};
use crate::kinds::pins::{
    Batch, COPY, Group, LabelRole, ModelError, NextState, NoStart, PinsModel, Signature, StateLabel, Successors, Value,
    Values, Variable,
};
use crate::model::LabelId;
use crate::net::PetriNet;
use std::borrow::Cow;

/// Size of the models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartitionedShape {
    /// At most so many variables, and at least one.
    pub variables: usize,
    /// At most so many values of each, and at least two.
    pub values: usize,
    /// At most so many groups, and at least one.
    pub groups: usize,
    /// At most so many successors of a short state.
    pub successors: usize,
    /// At most so many initial states, and at least one.
    pub initial: usize,
    /// At most so many state labels.
    pub labels: usize,
}

impl Default for PartitionedShape {
    /// 5 variables of 4 values, 6 groups with up to 3 successors, 3 initial states, 3 labels.
    fn default() -> Self {
        PartitionedShape { variables: 5, values: 4, groups: 6, successors: 3, initial: 3, labels: 3 }
    }
}

/// A model whose answers are drawn when they are asked for.
#[derive(Clone, Debug)]
pub struct Partitioned {
    seed: u64,
    signature: Signature,
    /// For each group: the number that it was drawn with.
    drawn: Vec<usize>,
    /// For each variable: how many values it has, and the least, if they are numbers.
    domains: Vec<(usize, Option<i64>)>,
    successors: usize,
}

/// A random model of this shape, with variables `v0`, `v1`, …, groups `g0`, `g1`, … and labels `l0`, `l1`, …. Even
/// variables have names for values, odd ones are numbers from -1 on.
pub fn partitioned(rng: &mut Rng, shape: &PartitionedShape) -> Partitioned {
    let count = 1 + rng.below(shape.variables);
    let domain =
        |number: usize, rng: &mut Rng| (2 + rng.below(shape.values.max(2) - 1), (number % 2 == 1).then_some(-1));
    let domains: Vec<(usize, Option<i64>)> = (0..count).map(|number| domain(number, rng)).collect();
    let group = |number: usize, rng: &mut Rng| {
        let mut group = Group { name: format!("g{number}"), ..Group::default() };
        for variable in 0..count {
            // Of many variables a group touches few.
            let relevant = rng.below(count) < 3;
            if relevant && !rng.one_in(3) {
                group.reads.push(variable);
            }
            match rng.below(4) {
                0 if relevant => group.must_write.push(variable),
                1 if relevant => group.may_write.push(variable),
                _ => {}
            }
        }
        group
    };
    let mut signature = Signature {
        name: "random".to_owned(),
        types: (0..count).map(|number| format!("t{number}")).collect(),
        variables: (0..count).map(|kind| Variable { name: format!("v{kind}"), kind }).collect(),
        initial: (0..1 + rng.below(shape.initial))
            .map(|_| domains.iter().map(|domain| rng.below(domain.0) as Value).collect())
            .collect(),
        groups: (0..1 + rng.below(shape.groups)).map(|number| group(number, rng)).collect(),
        labels: Vec::new(),
    };
    let seed = rng.bits();
    let label = |number: usize| StateLabel {
        name: format!("l{number}"),
        role: LabelRole::Proposition,
        reads: (0..count).filter(|_| rng.below(count) < 2).collect(),
    };
    signature.labels = (0..shape.labels).map(label).collect();
    let drawn = (0..signature.groups.len()).collect();
    Partitioned { seed, signature, drawn, domains, successors: shape.successors }
}

/// A random formula about such a model, given how its variables and groups interact: some of the atoms are state
/// labels, if it has as many as `labels`.
pub fn formula_over_labels(
    rng: &mut Rng,
    net: &PetriNet,
    labels: usize,
    shape: &FormulaShape,
    pool: &mut Pool,
) -> FormulaId {
    let plain = formula(rng, net, shape, pool);
    rebuilt(plain, pool, |_, node| match node {
        node if labels == 0 || !node.is_atom() || !rng.one_in(3) => node,
        _ => Formula::Label(LabelId(rng.below(labels) as u32)),
    })
}

impl Partitioned {
    /// The model as engines see it.
    ///
    /// # Errors
    /// None: it has an initial state, and does not fail.
    pub fn model(self) -> Result<PinsModel, NoStart> {
        PinsModel::new("random", self)
    }

    /// The same model with one group or one initial state less: all of these.
    pub fn smaller(&self) -> Vec<Partitioned> {
        let Signature { groups, initial, .. } = &self.signature;
        let without = |change: &dyn Fn(&mut Partitioned)| {
            let mut smaller = self.clone();
            change(&mut smaller);
            smaller
        };
        let group = |at: usize| {
            without(&|model| {
                model.signature.groups.remove(at);
                model.drawn.remove(at);
            })
        };
        let start = |at: usize| without(&|model| drop(model.signature.initial.remove(at)));
        (0..groups.len()).map(group).chain((0..initial.len()).filter(|_| initial.len() > 1).map(start)).collect()
    }

    /// The stream that a group or a label (by a number of its own) and a short state seed.
    fn stream(&self, number: u32, short: &[Value]) -> Rng {
        let mix = |seed: u64, part: u32| Rng::new(seed ^ u64::from(part).wrapping_mul(0x9E37_79B9_7F4A_7C15)).bits();
        Rng::new(short.iter().fold(mix(self.seed, number), |seed, &value| mix(seed, value)))
    }

    /// Does a label hold, given the values of what it reads?
    pub fn holds(&self, label: usize, short: &[Value]) -> bool {
        self.stream(u32::MAX - label as u32, short).one_in(2)
    }

    /// The names that formulas use.
    pub fn symbols(&self) -> Symbols {
        self.clone().model().map_or_else(|_| Symbols::of_labels([]), |model| Symbols::of(&model))
    }

    /// The successors of a short state of a group: what is written.
    pub fn answers(&self, group: usize, short: &[Value]) -> Vec<Vec<Value>> {
        let mut rng = self.stream(self.drawn[group] as u32, short);
        let row = &self.signature.groups[group];
        let count = if rng.one_in(2) { 0 } else { 1 + rng.below(self.successors) };
        let answer = |rng: &mut Rng| {
            let must = row.must_write.iter().map(|&variable| (variable, false));
            let written = must.chain(row.may_write.iter().map(|&variable| (variable, true)));
            written
                .map(|(variable, may)| match may && rng.one_in(2) {
                    true => COPY,
                    false => rng.below(self.domains[variable].0) as Value,
                })
                .collect()
        };
        (0..count).map(|_| answer(&mut rng)).collect()
    }
}

impl NextState for Partitioned {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        for short in batch.iter() {
            for (action, answer) in (0..).zip(self.answers(group, short)) {
                successors.push(action, answer);
            }
            successors.end();
        }
        Ok(())
    }

    fn label(&self, label: usize, short: &[Value]) -> Result<bool, ModelError> {
        Ok(self.holds(label, short))
    }

    fn values(&self, kind: usize) -> Values {
        match self.domains[kind] {
            (_, Some(least)) => Values::Numbers { least },
            (count, None) => Values::Named(count as u32),
        }
    }

    fn show(&self, kind: usize, value: Value) -> Cow<'_, str> {
        match self.domains[kind].1 {
            Some(least) => (least + i64::from(value)).to_string().into(),
            None => format!("n{value}").into(),
        }
    }

    fn read(&self, kind: usize, text: &str) -> Option<Value> {
        (0..self.domains[kind].0 as Value).find(|&value| self.show(kind, value) == text)
    }

    fn number(&self, kind: usize, value: Value) -> Option<i64> {
        Some(self.domains[kind].1? + i64::from(value))
    }

    fn action(&self, action: u32) -> Cow<'_, str> {
        format!("a{action}").into()
    }
}
