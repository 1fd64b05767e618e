//! Values as bits: the variables of a state in binary, the most significant bit first, current and next bits in turn.
//!
//! The last value of a domain stands for the codes beyond it in conditions; that sets have none of these is said of
//! first states and of next values ([`Bits::domain`]).

use oxidd::error::OutOfMemory;
use oxidd::{BooleanFunction, Manager, ManagerRef, VarNo};
use starset_smv::{Diagram, Diagrams};
use std::collections::HashMap;

/// The bits of the variables of a state, and conditions over them.
pub(crate) struct Bits<F> {
    /// By level of the conditions, that is twice the slot, one more for next values: the bits.
    bits: Vec<Vec<(VarNo, F)>>,
    sizes: Vec<u32>,
    constants: [F; 2],
    known: HashMap<Diagram, F>,
}

impl<F: BooleanFunction> Bits<F> {
    /// Of slots with so many values each; those without bits have 1.
    pub(crate) fn new(manager: &F::ManagerRef, sizes: &[u32]) -> Result<Self, OutOfMemory> {
        let width = |&size: &u32| u32::BITS - (size - 1).leading_zeros();
        let all: u32 = sizes.iter().map(|size| 2 * width(size)).sum();
        manager.with_manager_exclusive(|manager| manager.add_vars(all));
        manager.with_manager_shared(|manager| {
            let mut bits = Vec::new();
            let mut from = 0;
            for size in sizes {
                for next in 0..2 {
                    let numbers = (0..width(size)).map(|bit| from + 2 * bit + next);
                    bits.push(numbers.map(|number| Ok((number, F::var(manager, number)?))).collect::<Result<_, _>>()?);
                }
                from += 2 * width(size);
            }
            let constants = [F::f(manager), F::t(manager)];
            Ok(Bits { bits, sizes: sizes.to_vec(), constants, known: HashMap::new() })
        })
    }

    /// How many bits a state has.
    pub(crate) fn width(&self) -> usize {
        self.bits.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// The bits of a level, with their numbers.
    pub(crate) fn on(&self, level: u32) -> &[(VarNo, F)] {
        &self.bits[level as usize]
    }

    /// The constant true.
    pub(crate) fn always(&self) -> &F {
        &self.constants[1]
    }

    /// That the code on a level is one of a value.
    pub(crate) fn domain(&self, level: u32) -> Result<F, OutOfMemory> {
        let [no, yes] = &self.constants;
        let size = self.sizes[level as usize / 2];
        let runs = [(0, yes.clone()), (size, no.clone())];
        let all = self.bits[level as usize].len();
        split(&self.bits[level as usize], 0, &runs[..if size == 1 << all { 1 } else { 2 }])
    }

    /// A condition without faults and inputs, by bits.
    pub(crate) fn condition(&mut self, diagrams: &Diagrams, diagram: Diagram) -> Result<F, OutOfMemory> {
        let Some((level, runs)) = diagrams.node(diagram) else {
            return Ok(self.constants[usize::from(diagram == Diagrams::TRUE)].clone());
        };
        if let Some(known) = self.known.get(&diagram) {
            return Ok(known.clone());
        }
        let mut children = Vec::with_capacity(runs.len());
        for &(first, child) in runs {
            children.push((first, self.condition(diagrams, child)?));
        }
        let made = split(&self.bits[level as usize], 0, &children)?;
        self.known.insert(diagram, made.clone());
        Ok(made)
    }

    /// The conjunction of the bits on levels, for quantification.
    pub(crate) fn cube(&self, levels: impl Iterator<Item = u32>) -> Result<F, OutOfMemory> {
        let mut bits: Vec<&(VarNo, F)> = levels.flat_map(|level| &self.bits[level as usize]).collect();
        bits.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
        bits.into_iter().try_fold(self.constants[1].clone(), |all, (_, bit)| bit.and(&all))
    }
}

/// Of codes from one on, as many as these bits tell apart: the child of the run that each is in.
fn split<F: BooleanFunction>(bits: &[(VarNo, F)], from: u32, runs: &[(u32, F)]) -> Result<F, OutOfMemory> {
    let ([_, _, ..], [(_, bit), rest @ ..]) = (runs, bits) else { return Ok(runs[0].1.clone()) };
    let middle = from + (1 << rest.len());
    let low = runs.partition_point(|&(first, _)| first < middle);
    let high = runs.partition_point(|&(first, _)| first <= middle) - 1;
    let (low, high) = (split(rest, from, &runs[..low])?, split(rest, middle, &runs[high..])?);
    bit.ite(&high, &low)
}
