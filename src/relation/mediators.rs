//! A network without its mediators: levels whose target does not depend on themselves, and which others see as if they
//! were there already.

use super::Relation;

/// A relation over the same levels in which some, the mediators that are left out, have no part.
#[derive(Clone, Debug)]
pub struct Mediated {
    /// Its events neither read nor change the levels that are left out.
    pub(crate) relation: Relation,
    /// The levels that are left out.
    pub(crate) without: Vec<u32>,
}

impl Relation {
    /// The same relation, of which these are networks without mediators: the first one without all, then with more and more
    /// of them.
    pub fn with_mediated(self, mediated: Vec<Mediated>) -> Relation {
        Relation { mediated: mediated.into(), ..self }
    }

    /// The networks without mediators that are known, the smallest first.
    pub(crate) fn mediated(&self) -> &[Mediated] {
        &self.mediated
    }
}
