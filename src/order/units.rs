//! Orders of units: the places of each unit are neighbours, so that they can be one level.
//!
//! Units are those of [`crate::structure`], and each place that is in none. They are ordered as the places of
//! the net in which each is one place: a transition takes from those that it takes tokens from, and gives to those that
//! it gives tokens to.

use super::{Context, LevelOrder, Order, Scored, candidates};
use crate::budget::Budget;
use crate::net::{NetBuilder, PetriNet, PlaceId};
use crate::structure::units;

/// Units with more places are divided: a node has a child for each of them.
const MOST: usize = 256;

/// Orders of the units of a net, so listed that every prefix is a good race; none if it has no units.
pub fn unit_orders(net: &PetriNet, budget: &Budget, seed: u64) -> Vec<LevelOrder> {
    let context = Context::new(net, budget, seed);
    let found = units(net, context.semiflows());
    let mut blocks: Vec<Vec<PlaceId>> =
        found.iter().flat_map(|unit| unit.chunks(MOST)).map(<[PlaceId]>::to_vec).collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    let mut block_of = vec![None; net.place_count()];
    for (number, block) in blocks.iter().enumerate() {
        block.iter().for_each(|place| block_of[place.index()] = Some(number));
    }
    for place in net.place_ids().filter(|place| block_of[place.index()].is_none()) {
        blocks.push(vec![place]);
    }
    // In the order of the file.
    blocks.sort_by_key(|block| block[0]);
    let Some(quotient) = quotient(net, &blocks) else { return Vec::new() };
    let unite = |Scored { name, order, metrics }: Scored| {
        let places = order.as_slice().iter().flat_map(|block| blocks[block.index()].iter().copied()).collect();
        let lengths = order.as_slice().iter().map(|block| blocks[block.index()].len() as u32).collect();
        let scored = Scored { name: format!("{name}, of units"), order: Order(places), metrics };
        LevelOrder { scored, units: Some(lengths) }
    };
    candidates(&quotient, budget, seed).into_iter().map(unite).collect()
}

/// The net with each block as one place.
fn quotient(net: &PetriNet, blocks: &[Vec<PlaceId>]) -> Option<PetriNet> {
    let mut builder = NetBuilder::new(net.name());
    let mut into = vec![PlaceId(0); net.place_count()];
    for (number, block) in blocks.iter().enumerate() {
        let initial = block.iter().map(|&place| net.place(place).initial).max().unwrap_or(0);
        let merged = builder.place(format!("{number}"), initial).ok()?;
        block.iter().for_each(|place| into[place.index()] = merged);
    }
    let blocks_of = |arcs: &[crate::net::Arc]| {
        let mut touched: Vec<PlaceId> = arcs.iter().map(|arc| into[arc.place.index()]).collect();
        touched.sort_unstable();
        touched.dedup();
        touched
    };
    for (number, t) in net.transitions().iter().enumerate() {
        let transition = builder.transition(format!("t{number}")).ok()?;
        let (takes, gives) = (blocks_of(&t.pre), blocks_of(&t.post));
        for &block in &takes {
            builder.input(block, transition, 1).ok()?;
        }
        for &block in &gives {
            // A unit whose token moves is changed.
            let both = takes.binary_search(&block).is_ok();
            builder.output(transition, block, if both { 2 } else { 1 }).ok()?;
        }
        for block in blocks_of(&t.inhibitors) {
            builder.inhibitor(block, transition, 1).ok()?;
        }
    }
    builder.build().ok()
}
