//! The order of the file. Generators and modellers tend to write related places next to each other, which
//! no heuristic should throw away unseen.

use super::{Context, Order};

pub(super) fn order(context: &Context) -> Option<Order> {
    Some(Order(context.net().place_ids().collect()))
}
