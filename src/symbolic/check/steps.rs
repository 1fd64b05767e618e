//! A relation for the steps of fixpoints, with operator numbers of its own.

use crate::budget::Budget;
use crate::mdd::Mdd;
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use crate::symbolic::{backward, image, preimage, staying};
use std::sync::{Arc, OnceLock};

/// The steps with some labels alone, or all, with operator numbers of their own.
#[derive(Debug)]
pub(super) struct Steps {
    /// The labels, sorted; none where it is all.
    pub(super) labels: Vec<u32>,
    /// Without labels.
    pub(super) relation: Relation,
    pub(super) image: u32,
    pub(super) preimage: u32,
    pub(super) backward: u32,
    pub(super) staying: u32,
}

impl Steps {
    /// The steps of a relation, whose labels these are, between some states.
    pub(super) fn new(
        labels: Vec<u32>,
        relation: &Relation,
        states: &Mdd,
        budget: &Budget,
    ) -> Result<Steps, StopReason> {
        let relation = relation.level_union(budget)?;
        let (preimages, backwards) = (preimage::operators(&relation), backward::operators(&relation));
        let all = preimages + backwards + staying::OPERATORS + image::operators(&relation);
        let preimage = states.with_session(budget, |session, _| session.reserve_operators(all))?;
        let (backward, staying) = (preimage + preimages, preimage + preimages + backwards);
        let image = staying + staying::OPERATORS;
        Ok(Steps { labels, relation, image, preimage, backward, staying })
    }
}

/// All steps of a relation between some states, made once for several checkers: these have the same operator numbers,
/// so that one finds what another has computed. Clones are about the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedSteps(Arc<OnceLock<Arc<Steps>>>);

impl SharedSteps {
    /// The steps, of the same relation and in the same space each time.
    pub(super) fn of(&self, relation: &Relation, states: &Mdd) -> Result<Arc<Steps>, StopReason> {
        if let Some(known) = self.0.get() {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(Steps::new(Vec::new(), relation, states, &Budget::unlimited())?);
        Ok(Arc::clone(self.0.get_or_init(|| made)))
    }
}
