//! The common data of the threads of a search.

use super::sets::Sets;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::steady::Steady;
use crate::stop_reason::StopReason;

/// Something that the proof excludes.
pub(super) const BROKEN: StopReason = StopReason::Unsupported("threads disagree about the product");

/// The common data of threads.
#[derive(Debug)]
pub(super) struct Shared<S: PackedModel> {
    pub(super) steady: Steady<S>,
    pub(super) sets: Sets,
}
