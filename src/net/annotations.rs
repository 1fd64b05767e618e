//! Data of a file beside the behaviour of its net: kept, so that it is there again where the net is written.

use super::{PetriNet, PlaceId, TransitionId};

/// Data of tools beside a net. A net that was made smaller, or in another way another one, has none of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotations {
    /// Display name of the net, where it is not its name.
    pub title: Option<String>,
    /// The transitions that stand for no activity of a process (ProM, pm4py: `$invisible$`), sorted.
    pub silent: Vec<TransitionId>,
    /// Markings in which a process is done: the places that have tokens, sorted, and how many.
    pub finals: Vec<Vec<(PlaceId, u64)>>,
}

impl PetriNet {
    /// Does nobody see a transition, as its file says, or by what it is called?
    pub fn is_silent(&self, transition: TransitionId) -> bool {
        self.is_nameless(transition) || self.annotations().silent.binary_search(&transition).is_ok()
    }

    /// Is a transition called what tools of the field call one that nobody sees?
    pub fn is_nameless(&self, transition: TransitionId) -> bool {
        let name = self.transition(transition).name.as_deref();
        name.is_some_and(|name| matches!(name.trim(), "" | "tau" | "τ" | "$invisible$"))
    }
}
