//! Spot as the translator, linked into the program (cargo feature `spot`).
//!
//! The package `spot-rs` hands out plain data under a process-wide lock. A call cannot be interrupted: the budget
//! is looked at before and after it.

use super::ltl::{Formula, Formulas};
use super::translator::{refuse_past, verified};
use super::{Cube, Guard, Literal, Location, Marks, Prop, Tgba, TgbaBuilder, TranslationError, Translator};
use crate::budget::Budget;

/// Spot's translator. Made by [`Spot::new`] only, which checks the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot(());

fn wrong(message: impl std::fmt::Display) -> TranslationError {
    TranslationError::Tool { tool: "spot".to_owned(), message: message.to_string() }
}

impl Spot {
    /// Refuses when the version of the library is not that of the headers it was built with.
    pub fn new() -> Result<Spot, TranslationError> {
        spot_rs::version().map(|_| Spot(())).map_err(wrong)
    }
}

impl Translator for Spot {
    fn automaton(&self, store: &mut Formulas, formula: Formula, budget: &Budget) -> Result<Tgba, TranslationError> {
        if !store.has(formula) {
            return Err(TranslationError::Foreign);
        }
        refuse_past("spot", store, formula)?;
        budget.check()?;
        let found = spot_rs::translate(&store.text(formula)).map_err(wrong)?;
        budget.check()?;
        let mut builder = TgbaBuilder::new(found.propositions, found.acceptance_sets);
        for _ in 0..found.states {
            builder.location("");
        }
        for edge in found.edges {
            let cubes = edge.cubes.split_inclusive(|&code| code == 0).map(|codes| {
                let literals = codes.iter().filter(|&&code| code != 0);
                literals.map(|&code| Literal { prop: Prop(code.unsigned_abs() - 1), positive: code > 0 })
            });
            let guard = Guard::from_cubes(cubes.filter_map(Cube::new));
            builder.edge(Location(edge.source), guard, Marks(edge.marks), Location(edge.target));
        }
        let automaton = builder.build(Location(found.initial)).map_err(wrong)?;
        verified("spot", &automaton, store, formula, budget)
    }
}
