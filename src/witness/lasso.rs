//! Witnesses from the explicit engine, which decides formulas without nested path quantifiers.

use super::Witness;
use super::explain::{Found, Future, Judge, Unexplained, explain};
use super::replay::Broken;
use crate::explicit::Lasso;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::net::{Marking, PetriNet, PlaceId};

/// The witness for `E φ` that holds, or `A φ` that does not, from a run that [`crate::explicit::check_ltl`]
/// found; φ must have no path quantifiers and no `bounds(…)`.
///
/// # Errors
/// [`Broken`] if the run does not replay: an error of the program.
pub fn explain_lasso(
    net: &PetriNet,
    pool: &Pool,
    paths: PathSemantics,
    formula: FormulaId,
    lasso: &Lasso,
) -> Result<Witness, Broken> {
    let future = match &lasso.cycle[..] {
        [] => Future::Deadlock,
        cycle => Future::Cycle(cycle.to_vec()),
    };
    let mut judge = One(Found { prefix: lasso.prefix.clone(), future });
    let holds = matches!(pool[formula], Formula::Exists(_));
    match explain(net, pool, paths, &mut judge, formula, holds) {
        Ok(witness) => Ok(witness),
        Err(Unexplained::Broken(broken)) => Err(broken),
        Err(Unexplained::Stopped(())) => Err(Broken("a run for a formula with nested path quantifiers".to_owned())),
    }
}

/// A judge that knows one run and nothing else.
struct One(Found);

impl Judge for One {
    type Error = ();

    fn holds(&mut self, _: FormulaId, _: &Marking) -> Result<bool, ()> {
        Err(())
    }

    fn known(&self, _: FormulaId, _: &Marking) -> Option<bool> {
        None
    }

    fn run(&mut self, _: FormulaId, _: &Marking, _: bool) -> Result<Found, ()> {
        Ok(self.0.clone())
    }

    fn bound(&self, _: &[PlaceId]) -> Option<i128> {
        None
    }
}
