//! Variables in bits: a level for each bit of a value.
//!
//! **Problem.** A variable with very many values is a level with very many children, and what two of them have to do with
//! each other is a node for each value of one.
//!
//! **Idea.** All variables are in bits, each on as many levels as its greatest value has bits, and the levels of several
//! may lie between each other. States, sets and formulas are those of the variables still: [`Relation::tuple_of`] and
//! [`Relation::values_of`] have the bits, and a sum of values is one of bits with weights ([`Relation::places_of`]).

use super::{Partition, Relation, Variables, set_bits};
use std::sync::Arc;

impl Relation {
    /// A relation without events over the bits of the same variables. `bits` has for each variable the levels of its bits,
    /// the lowest first: all levels, each once. `None` if an initial value has more bits.
    pub(crate) fn in_bits(&self, bits: Vec<Vec<u32>>) -> Option<Relation> {
        let levels: usize = bits.iter().map(Vec::len).sum();
        let mut names = vec![String::new(); levels];
        for (variable, levels) in bits.iter().enumerate() {
            let name = &self.variables.names[self.variables.level_of[variable] as usize];
            for (bit, &level) in levels.iter().enumerate() {
                names[level as usize] = if levels.len() == 1 { name.clone() } else { format!("{name}.{bit}") };
            }
        }
        let tuple = |state: &[u32]| {
            let mut tuple = vec![0; levels];
            for (levels, &own) in bits.iter().zip(&self.variables.level_of) {
                set_bits(&mut tuple, levels, state[own as usize].into())?;
            }
            Some(tuple)
        };
        let initial = tuple(&self.initial)?;
        let others = self.others.iter().map(|state| tuple(state)).collect::<Option<Vec<_>>>()?;
        let level_of = bits.iter().map(|levels| levels.first().copied().unwrap_or(0)).collect();
        let variables = Variables { names, offsets: vec![0; levels], level_of, bits: Some(bits) };
        Some(Relation {
            variables: Arc::new(variables),
            initial,
            others: others.into(),
            links: Arc::default(),
            partition: Arc::new(Partition::new(levels)),
            ..self.clone()
        })
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables.level_of.len()
    }

    /// Is each variable on as many levels as it has bits?
    pub fn is_in_bits(&self) -> bool {
        self.variables.bits.is_some()
    }

    /// What is added to the value that sets have of a variable.
    pub(crate) fn offset_of(&self, variable: usize) -> u64 {
        self.variables.offsets[self.variables.level_of[variable] as usize]
    }

    /// The variables, by the first level that one of them has, and the levels of each, the lowest bit first.
    pub(crate) fn by_first_level(&self) -> (Vec<usize>, Vec<Vec<u32>>) {
        let mut order: Vec<usize> = (0..self.variables()).collect();
        let levels = |variable: usize| self.places_of(variable).map(|(level, _)| level);
        order.sort_by_key(|&variable| levels(variable).min());
        let groups = order.iter().map(|&variable| levels(variable).collect()).collect();
        (order, groups)
    }

    /// The levels of a variable, and what a 1 there adds to its value; a variable in bits has the lowest first.
    pub fn places_of(&self, variable: usize) -> impl Iterator<Item = (u32, u64)> {
        let levels = match &self.variables.bits {
            Some(bits) => &bits[variable][..],
            None => &self.variables.level_of[variable..=variable],
        };
        levels.iter().enumerate().map(|(bit, &level)| (level, 1 << bit))
    }
}
