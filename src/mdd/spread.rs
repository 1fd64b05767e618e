//! One level as several: from the number of the component that is 1 to the components.

use super::count::Layers;
use super::set::{Mdd, MddManager};
use super::{Held, Session};
use crate::budget::{Budget, Exhausted};

impl Mdd {
    /// The set in a space in which each level stands for so many, from the top: of one, with the same values, or of
    /// several, of which the i-th is 1 where the value here is i, counted from 1, and the others are 0.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(crate) fn spread(&self, target: &MddManager, lengths: &[u32], budget: &Budget) -> Result<Mdd, Exhausted> {
        let layers = self.read(Layers::of);
        target.run(budget, |session| {
            if layers.empty {
                return Ok(session.empty());
            }
            let mut below = vec![session.unit()];
            let mut end = session.levels();
            for (row, &length) in layers.rows.iter().zip(lengths).rev() {
                let start = end - length;
                let mut zeros: Vec<Vec<Held<'_, '_>>> = below.into_iter().map(|child| vec![child]).collect();
                below = Vec::with_capacity(row.width());
                for pairs in row.nodes() {
                    session.tick()?;
                    let node = match length {
                        1 => {
                            let mut list = session.list();
                            pairs.iter().for_each(|&(value, child)| list.push(value, zeros[child as usize][0].clone()));
                            session.node(start, list)?
                        }
                        _ => spread_node(session, pairs, &mut zeros, start, end)?,
                    };
                    below.push(node);
                }
                end = start;
            }
            Ok(below.into_iter().next().unwrap_or_else(|| session.empty()))
        })
    }
}

/// A node spread over the levels from `start` to `end`. For each child is known what has 0 on the last levels above it,
/// and on how many.
fn spread_node<'m, 'id>(
    session: &Session<'m, 'id>,
    pairs: &[(u32, u32)],
    zeros: &mut [Vec<Held<'m, 'id>>],
    start: u32,
    end: u32,
) -> Result<Held<'m, 'id>, Exhausted> {
    let mut pairs = pairs.iter().rev().peekable();
    // The smallest value, if it is 0, is what none of the levels is 1 in.
    let mut node = match pairs.clone().last() {
        Some(&(0, child)) => zeros[child as usize][0].clone(),
        _ => session.empty(),
    };
    for level in (start..end).rev() {
        let mut list = session.list();
        list.push(0, node);
        if let Some(&(_, child)) = pairs.next_if(|pair| pair.0 == level - start + 1) {
            let zeros = &mut zeros[child as usize];
            let count = (end - level - 1) as usize;
            while zeros.len() <= count {
                let mut list = session.list();
                list.push(0, zeros[zeros.len() - 1].clone());
                zeros.push(session.node(end - zeros.len() as u32, list)?);
            }
            list.push(1, zeros[count].clone());
        }
        node = session.node(level, list)?;
    }
    Ok(node)
}
