//! Data of a file beside the behaviour of its net: kept, so that it is there again where the net is written.

use super::{PlaceId, TransitionId};

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
