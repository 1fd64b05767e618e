//! What moves the levels of a network where: its influence graph, with signs.
//!
//! Known of relations alone in which each level has one event at most, which moves this level alone, by one, towards a
//! *target* that is a function of all levels; and which has no other steps.

use super::Relation;

/// The value of one level has an effect on the target of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Influence {
    pub(crate) from: u32,
    /// The level that has the target, perhaps the same.
    pub(crate) to: u32,
    /// May the target rise where the value does?
    pub(crate) rises: bool,
    /// May the target fall where the value rises?
    pub(crate) falls: bool,
}

impl Relation {
    /// The same relation, of which all influences are known; see above for what it has to be.
    pub(crate) fn with_influences(self, influences: Vec<Influence>) -> Relation {
        Relation { influences: Some(influences.into()), ..self }
    }

    /// All influences, if they are known.
    pub(crate) fn influences(&self) -> Option<&[Influence]> {
        self.influences.as_deref()
    }
}
