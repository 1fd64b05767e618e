//! Copying a set into another space, with its levels in another order.
//!
//! The copy is built from the top of the target order: for each value of the component that comes next, the
//! source is restricted to the tuples with that value (which is then replaced by 0, so that equal rests are
//! equal sets), and the rest is copied below. Rests are memoised. With equal orders this is one visit per
//! node; another order may need exponentially many rests, as the diagram itself may become that much larger.

use super::node::EdgeRef;
use super::session::{Held, Session};
use super::set::{Mdd, MddManager};
use super::terminal::is_empty;
use crate::budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The reason why a set cannot be copied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// The changed value of a component does not fit a diagram value, or there is none.
    #[error("a value of component {0} is beyond the range of the other set")]
    OutOfRange(u32),
    /// The levels of the target are not components of the set, each once and with a change.
    #[error("the levels of the other space are not components of the set, each once")]
    Levels,
}

/// Change of the values of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// This is added to them.
    Shift(i64),
    /// Each becomes the number at its index; no two the same.
    Rename(Vec<u32>),
}

impl Change {
    fn of(&self, value: u32) -> Option<u32> {
        match self {
            Change::Shift(shift) => u32::try_from(i64::from(value).checked_add(*shift)?).ok(),
            Change::Rename(numbers) => numbers.get(value as usize).copied(),
        }
    }
}

impl Mdd {
    /// The set of the same tuples in `target`, where component `levels[l]` of this set becomes level l and its
    /// values change as `changes[l]` says. Components that do not become levels are left out: each tuple of the others
    /// is there that some member has.
    ///
    /// # Errors
    /// [`TransferError`].
    pub fn transfer(
        &self,
        target: &MddManager,
        levels: &[u32],
        changes: &[Change],
        budget: &Budget,
    ) -> Result<Mdd, TransferError> {
        let count = self.space().levels();
        let distinct: BTreeSet<u32> = levels.iter().copied().filter(|&level| level < count).collect();
        if [distinct.len(), changes.len(), target.levels() as usize] != [levels.len(); 3] {
            return Err(TransferError::Levels);
        }
        self.with_session(budget, |source, root| {
            target.run(budget, |target| {
                let mut transfer = Transfer { source, target, levels, changes, known: FxHashMap::default() };
                let same_order = levels.iter().copied().eq(0..count);
                if same_order { transfer.copy_nodes(0, root) } else { transfer.copy(0, source.hold(root)) }
            })
        })
    }

    /// The set of the same tuples in `target`, where component `levels[l]` of this set becomes level l, as
    /// [`Mdd::transfer`] has it.
    ///
    /// # Errors
    /// [`TransferError`].
    pub(crate) fn rearranged(
        &self,
        target: &MddManager,
        levels: &[u32],
        budget: &Budget,
    ) -> Result<Mdd, TransferError> {
        self.transfer(target, levels, &vec![Change::Shift(0); levels.len()], budget)
    }
}

struct Transfer<'t, 's, 'm1, 'id1, 'm2, 'id2> {
    source: &'s Session<'m1, 'id1>,
    target: &'s Session<'m2, 'id2>,
    levels: &'t [u32],
    changes: &'t [Change],
    /// Copies of rests, by target level and root in the source; the roots are held, so their numbers stay.
    known: FxHashMap<(u32, u32), (Held<'m1, 'id1>, Held<'m2, 'id2>)>,
}

impl<'m1, 'id1, 'm2, 'id2> Transfer<'_, '_, 'm1, 'id1, 'm2, 'id2> {
    fn copy(&mut self, level: u32, rest: Held<'m1, 'id1>) -> Result<Held<'m2, 'id2>, TransferError> {
        if rest.is_empty() {
            return Ok(self.target.empty());
        }
        let Some(&component) = self.levels.get(level as usize) else { return Ok(self.target.unit()) };
        let key = (level, rest.edge().raw().raw());
        if let Some((_, copy)) = self.known.get(&key) {
            return Ok(copy.clone());
        }
        self.target.tick()?;
        let mut children = Vec::new();
        for value in self.values(component, &rest) {
            let part = self.with_value(component, value, 0, rest.edge(), &mut FxHashMap::default())?;
            children.push((self.changed(level, component, value)?, self.copy(level + 1, part)?));
        }
        let copy = self.node(level, component, children)?;
        self.known.insert(key, (rest, copy.clone()));
        Ok(copy)
    }

    /// The copy of a node when the orders are the same.
    fn copy_nodes(&mut self, level: u32, node: EdgeRef<'_, 'id1>) -> Result<Held<'m2, 'id2>, TransferError> {
        if is_empty(node) {
            return Ok(self.target.empty());
        }
        if level == self.target.levels() {
            return Ok(self.target.unit());
        }
        let key = (level, node.raw().raw());
        if let Some((_, copy)) = self.known.get(&key) {
            return Ok(copy.clone());
        }
        self.target.tick()?;
        let mut children = Vec::new();
        for (value, child) in self.source.pairs(node) {
            children.push((self.changed(level, level, value)?, self.copy_nodes(level + 1, child)?));
        }
        let copy = self.node(level, level, children)?;
        self.known.insert(key, (self.source.hold(node), copy.clone()));
        Ok(copy)
    }

    fn changed(&self, level: u32, component: u32, value: u32) -> Result<u32, TransferError> {
        self.changes[level as usize].of(value).ok_or(TransferError::OutOfRange(component))
    }

    /// A node of the copy, its children in any order.
    fn node(
        &self,
        level: u32,
        component: u32,
        mut children: Vec<(u32, Held<'m2, 'id2>)>,
    ) -> Result<Held<'m2, 'id2>, TransferError> {
        if !children.is_sorted_by_key(|child| child.0) {
            children.sort_by_key(|child| child.0);
        }
        if children.windows(2).any(|two| two[0].0 == two[1].0) {
            return Err(TransferError::OutOfRange(component));
        }
        let mut list = self.target.list();
        children.into_iter().for_each(|(value, copy)| list.push(value, copy));
        Ok(self.target.node(level, list)?)
    }

    /// The values of a component in a set, increasing.
    fn values(&self, component: u32, set: &Held<'m1, 'id1>) -> Vec<u32> {
        let mut nodes = vec![set.edge()];
        for _ in 0..component {
            let mut below: Vec<_> = nodes.iter().flat_map(|&node| self.source.pairs(node).map(|(_, c)| c)).collect();
            below.sort_unstable();
            below.dedup();
            nodes = below;
        }
        let values: BTreeSet<u32> = nodes.iter().flat_map(|&node| self.source.pairs(node).map(|(v, _)| v)).collect();
        values.into_iter().collect()
    }

    /// The tuples with `value` in `component`, that component set to 0.
    fn with_value(
        &self,
        component: u32,
        value: u32,
        level: u32,
        node: EdgeRef<'_, 'id1>,
        known: &mut FxHashMap<u32, Held<'m1, 'id1>>,
    ) -> Result<Held<'m1, 'id1>, Exhausted> {
        if let Some(result) = known.get(&node.raw().raw()) {
            return Ok(result.clone());
        }
        self.source.tick_reading()?;
        let mut list = self.source.list();
        if level < component {
            for (v, child) in self.source.pairs(node) {
                list.push(v, self.with_value(component, value, level + 1, child, known)?);
            }
        } else if let Some(child) = self.source.child(node, value) {
            list.push(0, self.source.hold(child));
        }
        let result = self.source.node(level, list)?;
        known.insert(node.raw().raw(), result.clone());
        Ok(result)
    }
}
