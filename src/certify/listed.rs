//! Diagrams of sets of states that are listed one by one.

use super::Uncertified;
use crate::budget::Exhausted;
use starset_checker::{DiagramNode, Store};
use std::sync::Arc;

/// Sets of states with their ranks.
pub(super) struct Listed<'a> {
    /// The values of each state, by place.
    pub(super) states: &'a [Arc<[u64]>],
    /// The states that are in some set, ascending.
    pub(super) used: &'a [usize],
    pub(super) sets: Vec<&'a [(usize, u32)]>,
}

impl Listed<'_> {
    /// Their diagrams with that of these orders of places which has them smallest.
    pub(super) fn smallest(
        &self,
        orders: impl IntoIterator<Item = Vec<usize>>,
    ) -> Result<(Vec<usize>, Store, Vec<DiagramNode>), Uncertified> {
        let mut best = (Vec::new(), Store::new(0), Vec::new());
        let mut most = usize::MAX;
        for order in orders {
            if let Some((store, roots)) = self.by_order(&order, most)? {
                most = store.nodes();
                best = (order, store, roots);
            }
        }
        Ok(best)
    }

    /// Their diagrams with this order of levels, if they have fewer nodes.
    fn by_order(&self, order: &[usize], most: usize) -> Result<Option<(Store, Vec<DiagramNode>)>, Uncertified> {
        let values = || self.used.iter().flat_map(|&state| order.iter().map(move |&place| self.states[state][place]));
        // Bytes are compared many at a time.
        match values().map(u8::try_from).collect::<Result<Vec<u8>, _>>() {
            Ok(values) => self.by_values(&values, order.len(), most),
            Err(_) => self.by_values(&values().collect::<Vec<u64>>(), order.len(), most),
        }
    }

    /// The same, with the values of the used states by level, one state after the other.
    fn by_values<V: Copy + Ord + Into<u64>>(
        &self,
        values: &[V],
        levels: usize,
        most: usize,
    ) -> Result<Option<(Store, Vec<DiagramNode>)>, Uncertified> {
        let state = |(at, &state): (usize, &usize)| (&values[at * levels..][..levels], state);
        let mut by_level: Vec<(&[V], usize)> = self.used.iter().enumerate().map(state).collect();
        by_level.sort_unstable();
        let mut position = vec![0u32; self.states.len()];
        by_level.iter().zip(0..).for_each(|((_, state), at)| position[*state] = at);
        let (mut store, mut roots) = (Store::new(levels as u32), Vec::new());
        for states in &self.sets {
            let mut rows: Vec<(u32, u32)> = states.iter().map(|&(state, rank)| (position[state], rank)).collect();
            rows.sort_unstable();
            let rows: Vec<(&[V], u32)> = rows.iter().map(|&(at, rank)| (by_level[at as usize].0, rank)).collect();
            match diagram(&mut store, 0, &rows, most) {
                Err(_) if store.nodes() >= most => return Ok(None),
                root => roots.push(root?),
            }
        }
        Ok((store.nodes() < most).then_some((store, roots)))
    }
}

/// The diagram of sorted states that agree on the levels above. It is given up once there are so many nodes.
pub(super) fn diagram<V: Copy + Ord + Into<u64>>(
    store: &mut Store,
    level: usize,
    rows: &[(&[V], u32)],
    most: usize,
) -> Result<DiagramNode, Uncertified> {
    if store.nodes() >= most {
        return Err(Exhausted::Work.into());
    }
    let Some((row, rank)) = rows.first() else { return Ok(starset_checker::EMPTY) };
    if level == row.len() {
        return Ok(rank + 1);
    }
    if rows[0].0[level] == rows[rows.len() - 1].0[level] {
        let child = diagram(store, level + 1, rows, most)?;
        return Ok(store.node(level as u32, &[(row[level].into(), child)])?);
    }
    let mut pairs = Vec::new();
    for rows in rows.chunk_by(|a, b| a.0[level] == b.0[level]) {
        pairs.push((rows[0].0[level].into(), diagram(store, level + 1, rows, most)?));
    }
    Ok(store.node(level as u32, &pairs)?)
}
