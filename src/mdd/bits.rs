//! Levels of bits as levels of values, and back.

use super::count::Layers;
use super::set::{Mdd, MddManager};
use super::transfer::TransferError;
use super::{Held, Session};
use crate::budget::{Budget, Exhausted};

impl Mdd {
    /// The set in a space that has a level for each of these groups of levels, which are the bits of its values, the lowest
    /// first; no level is in two. Levels in no group are left out, as [`Mdd::transfer`] has it.
    ///
    /// # Errors
    /// [`TransferError`].
    pub(crate) fn with_values(
        &self,
        target: &MddManager,
        groups: &[Vec<u32>],
        budget: &Budget,
    ) -> Result<Mdd, TransferError> {
        let levels = groups.concat();
        let beside = MddManager::new(levels.len() as u32, budget)?;
        let layers = self.rearranged(&beside, &levels, budget)?.read(Layers::of);
        let found: Result<Mdd, Exhausted> = target.run(budget, |session| {
            if layers.empty {
                return Ok(session.empty());
            }
            let mut below = vec![session.unit()];
            let mut end = layers.rows.len();
            for (level, group) in groups.iter().enumerate().rev() {
                let start = end - group.len();
                let mut made = Vec::with_capacity(layers.rows[start].width());
                for node in 0..layers.rows[start].width() {
                    // The values so far, and the nodes that they lead to.
                    let mut open = vec![(0, node as u32)];
                    for (bit, row) in layers.rows[start..end].iter().enumerate() {
                        session.tick()?;
                        let more = |(value, node): (u32, u32)| {
                            row.pairs_of(node as usize).iter().map(move |&(one, child)| (value | one << bit, child))
                        };
                        open = open.into_iter().flat_map(more).collect();
                    }
                    open.sort_unstable();
                    let mut list = session.list();
                    open.into_iter().for_each(|(value, child)| list.push(value, below[child as usize].clone()));
                    made.push(session.node(level as u32, list)?);
                }
                (below, end) = (made, start);
            }
            Ok(below.into_iter().next().unwrap_or_else(|| session.empty()))
        });
        Ok(found?)
    }

    /// The set in a space in which each level is a group of levels: the bits of its values, the lowest first. Tuples with a
    /// value of more bits are left out.
    ///
    /// # Errors
    /// [`TransferError`].
    pub(crate) fn with_bits(
        &self,
        target: &MddManager,
        groups: &[Vec<u32>],
        budget: &Budget,
    ) -> Result<Mdd, TransferError> {
        let layers = self.read(Layers::of);
        let beside = MddManager::new(target.levels(), budget)?;
        let found: Result<Mdd, Exhausted> = beside.run(budget, |session| {
            if layers.empty {
                return Ok(session.empty());
            }
            let mut below = vec![session.unit()];
            let mut end = session.levels();
            for (row, group) in layers.rows.iter().zip(groups).rev() {
                let (width, levels) = (group.len(), end - group.len() as u32..end);
                let mut made = Vec::with_capacity(row.width());
                for pairs in row.nodes() {
                    let fits = pairs.iter().copied().filter(|&(value, _)| width >= 32 || value >> width == 0);
                    made.push(bits_of(session, levels.clone(), fits.collect(), &below)?);
                }
                (below, end) = (made, levels.start);
            }
            Ok(below.into_iter().next().unwrap_or_else(|| session.empty()))
        });
        let mut components = vec![u32::MAX; target.levels() as usize];
        for (component, &level) in (0..).zip(groups.iter().flatten()) {
            *components.get_mut(level as usize).ok_or(TransferError::Levels)? = component;
        }
        found?.rearranged(target, &components, budget)
    }
}

/// The node on these levels for values and their children.
fn bits_of<'m, 'id>(
    session: &Session<'m, 'id>,
    levels: std::ops::Range<u32>,
    pairs: Vec<(u32, u32)>,
    below: &[Held<'m, 'id>],
) -> Result<Held<'m, 'id>, Exhausted> {
    session.tick()?;
    if levels.is_empty() || pairs.is_empty() {
        return Ok(pairs.first().map_or_else(|| session.empty(), |&(_, child)| below[child as usize].clone()));
    }
    let mut list = session.list();
    for bit in 0..2 {
        let those = pairs.iter().filter(|(value, _)| value & 1 == bit).map(|&(value, child)| (value >> 1, child));
        list.push(bit, bits_of(session, levels.start + 1..levels.end, those.collect(), below)?);
    }
    session.node(levels.start, list)
}
