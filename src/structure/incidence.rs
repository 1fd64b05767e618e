//! The incidence matrix of a net, sparse, by rows (places) and by columns (transitions).

use crate::net::{PetriNet, TransitionId};

/// The incidence matrix: the change of each place by each transition, zeros left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Incidence {
    rows: Vec<Vec<(u32, i64)>>,
    columns: Vec<Vec<(u32, i64)>>,
}

impl Incidence {
    /// The incidence matrix of `net`; `None` where a transition changes a place by more than an `i64` holds.
    pub(crate) fn new(net: &PetriNet) -> Option<Self> {
        let mut rows = vec![Vec::new(); net.place_count()];
        let mut columns = Vec::with_capacity(net.transition_count());
        for (t, transition) in net.transitions().iter().enumerate() {
            let mut column = Vec::with_capacity(transition.pre.len() + transition.post.len());
            let (mut pre, mut post) = (transition.pre.iter().peekable(), transition.post.iter().peekable());
            loop {
                let place = match (pre.peek(), post.peek()) {
                    (Some(a), Some(b)) => a.place.min(b.place),
                    (Some(a), None) | (None, Some(a)) => a.place,
                    (None, None) => break,
                };
                let taken = pre.next_if(|a| a.place == place).map_or(0, |a| i128::from(a.weight));
                let given = post.next_if(|a| a.place == place).map_or(0, |a| i128::from(a.weight));
                let change = i64::try_from(given - taken).ok().filter(|&c| c != i64::MIN)?;
                if change != 0 {
                    column.push((place.0, change));
                    rows[place.index()].push((t as u32, change));
                }
            }
            columns.push(column);
        }
        Some(Incidence { rows, columns })
    }

    /// The non-zero changes by `transition`, as (place index, change), sorted.
    pub(crate) fn transition_column(&self, transition: TransitionId) -> &[(u32, i64)] {
        &self.columns[transition.index()]
    }

    pub(super) fn rows(&self) -> &[Vec<(u32, i64)>] {
        &self.rows
    }

    pub(super) fn columns(&self) -> &[Vec<(u32, i64)>] {
        &self.columns
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::structure::random_nets::nets;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_are_what_firing_changes(net in nets(5, 5)) {
            let c = Incidence::new(&net).unwrap();
            for t in net.transition_ids() {
                for p in net.place_ids() {
                    let arc = |arcs: &[crate::net::Arc]| {
                        arcs.iter().find(|a| a.place == p).map_or(0, |a| a.weight as i64)
                    };
                    let change = arc(&net.transition(t).post) - arc(&net.transition(t).pre);
                    let by_row = c.rows()[p.index()].iter().find(|e| e.0 == t.0).map_or(0, |e| e.1);
                    let by_column = c.transition_column(t).iter().find(|e| e.0 == p.0).map_or(0, |e| e.1);
                    prop_assert_eq!((by_row, by_column), (change, change));
                }
            }
        }
    }

    #[test]
    fn a_change_beyond_i64_is_refused() {
        let mut b = crate::net::NetBuilder::new("big");
        let p = b.place("p", 0).unwrap();
        let t = b.transition("t").unwrap();
        b.output(t, p, u64::MAX).unwrap();
        assert_eq!(Incidence::new(&b.build().unwrap()), None);
    }
}
