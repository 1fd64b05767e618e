//! Steps, and the firing rule of networks.
//!
//! A label does not say where a step leads if components are nondeterministic: each combination of edges is a step. So
//! that a run can be written down, replayed and continued, the steps with a label have *choices*: in a state they are
//! counted from 0, the first participant's edge changing fastest and targets in increasing order. So a state, a label
//! and a choice give at most one successor; of deterministic components the choice is always 0.

use super::{LabelId, Network, Participant};
use crate::model::Step;

impl Participant {
    /// The edges that start in a state, sorted by target.
    pub fn edges_from(&self, source: u32) -> &[(u32, u32)] {
        let start = self.edges.partition_point(|edge| edge.0 < source);
        let rest = self.edges.get(start..).unwrap_or(&[]);
        let end = rest.partition_point(|edge| edge.0 == source);
        rest.get(..end).unwrap_or(&[])
    }

    /// The largest number of edges that start in one state.
    fn most(&self) -> u32 {
        self.edges.chunk_by(|a, b| a.0 == b.0).map(|edges| edges.len() as u32).max().unwrap_or(0)
    }
}

impl Network {
    /// How many steps with a label there can be in one state; `None` if they exceed 2^32-1.
    pub fn choices(&self, label: LabelId) -> Option<u32> {
        self.participants(label).iter().try_fold(1u32, |all, participant| all.checked_mul(participant.most()))
    }

    /// The state that a step leads to from a state, which has one local state per component; `None` if it is not
    /// enabled there.
    pub fn take(&self, state: &[u64], step: Step) -> Option<Vec<u64>> {
        let participants = self.participants(step.action);
        if participants.is_empty() {
            return None;
        }
        let mut choice = step.choice as usize;
        let mut next = state.to_vec();
        for participant in participants {
            let local = next.get_mut(participant.component)?;
            let edges = participant.edges_from(u32::try_from(*local).ok()?);
            *local = u64::from(edges.get(choice.checked_rem(edges.len())?)?.1);
            choice /= edges.len();
        }
        (choice == 0).then_some(next)
    }

    /// Is a step with this label enabled in a state?
    pub fn allows(&self, state: &[u64], label: LabelId) -> bool {
        let participants = self.participants(label);
        let starts = |participant: &Participant| {
            let local = state.get(participant.component).and_then(|&local| u32::try_from(local).ok());
            local.is_some_and(|local| !participant.edges_from(local).is_empty())
        };
        !participants.is_empty() && participants.iter().all(starts)
    }

    /// The step with a label that leads from one state to another.
    pub fn step_between(&self, from: &[u64], label: LabelId, to: &[u64]) -> Option<Step> {
        let (mut choice, mut radix) = (0u32, 1u32);
        for participant in self.participants(label) {
            let local = |state: &[u64]| u32::try_from(*state.get(participant.component)?).ok();
            let edges = participant.edges_from(local(from)?);
            let target = local(to)?;
            let at = edges.iter().position(|edge| edge.1 == target)?;
            choice = choice.checked_add((at as u32).checked_mul(radix)?)?;
            radix = radix.saturating_mul(edges.len() as u32);
        }
        // Components that take no part stay where they are.
        let step = Step { action: label, choice };
        (self.take(from, step).as_deref() == Some(to)).then_some(step)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::kinds::network::Component;

    fn component(name: &str, states: u32, edges: &[(u32, &str, u32)]) -> Component {
        Component {
            name: name.to_owned(),
            states: (0..states).map(|state| state.to_string()).collect(),
            initial: 0,
            edges: edges.iter().map(|&(source, label, target)| (source, label.to_owned(), target)).collect(),
        }
    }

    /// Two choices for one component and three for the other make six steps, each found again by where it leads.
    #[test]
    fn combinations_are_numbered() {
        let one = component("one", 3, &[(0, "a", 1), (0, "a", 2), (1, "b", 0), (2, "a", 0)]);
        let two = component("two", 3, &[(0, "a", 0), (0, "a", 1), (0, "a", 2), (1, "b", 1)]);
        let network = Network::new("n", vec![one, two]).unwrap();
        let (a, b) = (network.find_label("a").unwrap(), network.find_label("b").unwrap());
        assert_eq!((network.choices(a), network.choices(b)), (Some(6), Some(1)));
        let mut reached = Vec::new();
        for choice in 0..6 {
            let step = Step { action: a, choice };
            let next = network.take(&[0, 0], step).unwrap();
            assert_eq!(network.step_between(&[0, 0], a, &next), Some(step));
            reached.push(next);
        }
        reached.sort();
        assert_eq!(reached, [[1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]]);
        // From (2, 0) there are three only; b needs (1, 1).
        let possible = |choice: &u32| network.take(&[2, 0], Step { action: a, choice: *choice }).is_some();
        assert_eq!((0..7).filter(possible).count(), 3);
        assert_eq!(network.take(&[1, 1], b.into()), Some(vec![0, 1]));
        assert!(network.allows(&[1, 1], b) && !network.allows(&[0, 1], b) && !network.allows(&[1, 0], a));
        assert_eq!(network.step_between(&[0, 0], b, &[0, 0]), None);
        assert_eq!(network.take(&[9, 0], a.into()), None);
    }

    #[test]
    fn too_many_combinations_are_not_counted() {
        let edges: Vec<(u32, &str, u32)> = (0..3000).map(|target| (0, "a", target)).collect();
        let components = (0..3).map(|k| component(&k.to_string(), 3000, &edges)).collect();
        let network = Network::new("n", components).unwrap();
        let a = network.find_label("a").unwrap();
        assert_eq!(network.choices(a), None);
        assert!(network.allows(&[0, 0, 0], a));
    }
}
