//! Markings of coloured nets that are not unfolded, as walks see them.

use super::valuation::Values;
use crate::kinds::Kind;
use crate::model::{ActionId, VariableId};

/// A marking that a walk has come to: sums of tokens, and what can fire.
pub(in crate::decide) struct Visited<'a> {
    pub(in crate::decide) totals: &'a [u64],
    pub(in crate::decide) enabled: &'a [bool],
    /// Numbers of tokens and enabled transitions where the bindings lead that are fired anew from the initial marking;
    /// `None` if one of them cannot fire.
    pub(in crate::decide) replays: &'a dyn Fn() -> Option<(Vec<u64>, Vec<bool>)>,
}

impl Visited<'_> {
    /// The enabled transitions.
    pub(in crate::decide) fn enabled(&self) -> &[bool] {
        self.enabled
    }

    /// Is no transition enabled?
    pub(in crate::decide) fn is_dead(&self) -> bool {
        !self.enabled.contains(&true)
    }
}

impl Values for Visited<'_> {
    fn value(&self, variable: VariableId) -> u64 {
        self.totals[variable.index()]
    }

    fn enables(&self, _: &dyn Kind, action: ActionId) -> bool {
        self.enabled[action.index()]
    }
}
