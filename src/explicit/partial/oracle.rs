//! Who knows what is over in a state.

use crate::formula::FormulaId;
use crate::model::State;

/// Knows of some states, in which it is asked, that in no state that can be reached from there all of these conditions
/// have these values. `false` where that is not known.
pub type Oracle<'o> = &'o mut dyn FnMut(&State, &[(FormulaId, bool)]) -> bool;
