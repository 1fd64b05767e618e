//! A network without its mediators: levels whose target does not depend on themselves, and which others see as if they
//! were there already.

use super::Relation;
use std::sync::Arc;

/// A relation over the same levels in which some have no part.
#[derive(Clone, Debug)]
pub struct Mediated {
    /// Its events neither read nor change the levels that are left out.
    pub(crate) relation: Relation,
    /// The levels that are left out.
    pub(crate) without: Vec<u32>,
}

impl Relation {
    /// The same relation, of which this is the network without its mediators.
    pub fn with_mediated(self, mediated: Option<Mediated>) -> Relation {
        Relation { mediated: mediated.map(Arc::new), ..self }
    }

    /// The network without its mediators, if it is known.
    pub(crate) fn mediated(&self) -> Option<&Mediated> {
        self.mediated.as_deref()
    }
}
