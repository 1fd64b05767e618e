//! What the threads of a search share.

use super::sets::Sets;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::steady::Steady;
use crate::stop_reason::StopReason;

/// Something that the proof excludes.
pub(super) const BROKEN: StopReason = StopReason::Unsupported("threads disagree about the product");

/// What threads share.
#[derive(Debug)]
pub(super) struct Shared<S: PackedModel> {
    pub(super) steady: Steady<S>,
    pub(super) sets: Sets,
}
