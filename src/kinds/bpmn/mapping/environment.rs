//! What a diagram does not say.

use super::super::delivery::Order;
use super::super::process_net::Beyond;
use super::switches::Like;

/// What lies outside of a diagram, and how messages travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Environment {
    /// Do messages from outside never come? Otherwise they may come at any time.
    pub closed: bool,
    /// The most messages of a flow that are on their way, and what happens beyond.
    pub channel: Option<(u32, Beyond)>,
    /// In which order messages are received.
    pub order: Order,
    /// Whose reading of the diagram is followed.
    pub like: Like,
}
