//! A relation for the steps of fixpoints, with operator numbers of its own.

use crate::budget::Budget;
use crate::mdd::Mdd;
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use crate::symbolic::{backward, image, preimage, staying};

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
