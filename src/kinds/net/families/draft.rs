//! The builder of families of nets.

use crate::net::{BuildError, NetBuilder, PetriNet, PlaceId};
use num_bigint::BigUint;

/// A net in the making, with transitions given as lists of places; a place listed twice has weight two.
pub(super) struct Draft(NetBuilder);

impl Draft {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Draft(NetBuilder::new(name))
    }

    pub(super) fn place(&mut self, id: impl Into<String>, tokens: u32) -> Result<PlaceId, BuildError> {
        self.0.place(id, tokens.into())
    }

    pub(super) fn transition(
        &mut self,
        id: impl Into<String>,
        inputs: &[PlaceId],
        outputs: &[PlaceId],
    ) -> Result<(), BuildError> {
        self.inhibited(id, inputs, outputs, &[])
    }

    /// A transition that also needs fewer tokens in some places than the number beside each.
    pub(super) fn inhibited(
        &mut self,
        id: impl Into<String>,
        inputs: &[PlaceId],
        outputs: &[PlaceId],
        inhibitors: &[(PlaceId, u64)],
    ) -> Result<(), BuildError> {
        let t = self.0.transition(id)?;
        inputs.iter().try_for_each(|&p| self.0.input(p, t, 1))?;
        outputs.iter().try_for_each(|&p| self.0.output(t, p, 1))?;
        inhibitors.iter().try_for_each(|&(p, weight)| self.0.inhibitor(p, t, weight))
    }

    pub(super) fn finish(self) -> Result<PetriNet, BuildError> {
        self.0.build()
    }
}

/// The number of ways to choose `k` of `n`.
pub(super) fn binomial(n: u64, k: u32) -> BigUint {
    (0..u64::from(k)).fold(BigUint::from(1_u32), |product, i| product * n.saturating_sub(i) / (i + 1))
}
