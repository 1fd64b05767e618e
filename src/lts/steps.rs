//! Steps by number, and the firing rule of networks.
//!
//! A label does not say where a step leads if components are nondeterministic: each combination of edges is a step.
//! So that a run can be written down, replayed and continued, steps have numbers. A label has as many of them as
//! there can be steps with it from one state: the product, over its participants, of the largest number of edges
//! that start in one local state. In a state, the steps with a label are counted from its first number on, the first
//! participant's choice changing fastest and targets in increasing order. So a state and a number give at most one
//! successor; of deterministic components each label has one number.

use super::{LabelId, Network, Participant};

/// For each label its first number, and how many numbers there are; `u32::MAX` for what is beyond.
pub(super) fn first_steps(participants: &[Vec<Participant>]) -> Vec<u32> {
    let mut first = 0u32;
    let mut all = vec![first];
    for participants in participants {
        let combinations = participants.iter().fold(1u32, |all, participant| all.saturating_mul(participant.most()));
        first = first.saturating_add(combinations);
        all.push(first);
    }
    all
}

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
    /// The numbers of the steps with a label; `None` if they exceed 2^32-2.
    pub fn steps_with(&self, label: LabelId) -> Option<std::ops::Range<u32>> {
        let (start, end) = (*self.first_steps.get(label.index())?, *self.first_steps.get(label.index() + 1)?);
        (end < u32::MAX).then_some(start..end)
    }

    /// The label of a step.
    pub fn label_of(&self, step: u32) -> Option<LabelId> {
        let label = self.first_steps.partition_point(|&first| first <= step).checked_sub(1)?;
        let label = LabelId(label as u32);
        self.steps_with(label).is_some_and(|steps| steps.contains(&step)).then_some(label)
    }

    /// The state that a step leads to from a state, which has one local state per component; `None` if it is not
    /// enabled there.
    pub fn take(&self, state: &[u64], step: u32) -> Option<Vec<u64>> {
        let label = self.label_of(step)?;
        let mut choice = (step - self.steps_with(label)?.start) as usize;
        let mut next = state.to_vec();
        for participant in self.participants(label) {
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

    /// The number of the step with a label that leads from one state to another.
    pub fn step_between(&self, from: &[u64], label: LabelId, to: &[u64]) -> Option<u32> {
        let steps = self.steps_with(label)?;
        let (mut choice, mut radix) = (0u32, 1u32);
        for participant in self.participants(label) {
            let local = |state: &[u64]| u32::try_from(*state.get(participant.component)?).ok();
            let edges = participant.edges_from(local(from)?);
            let target = local(to)?;
            let at = edges.iter().position(|edge| edge.1 == target)?;
            choice += at as u32 * radix;
            radix *= edges.len() as u32;
        }
        // Components that take no part stay where they are.
        let step = steps.start + choice;
        (self.take(from, step).as_deref() == Some(to)).then_some(step)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::lts::Component;

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
        assert_eq!((network.steps_with(a), network.steps_with(b)), (Some(0..6), Some(6..7)));
        assert_eq!((network.label_of(5), network.label_of(6), network.label_of(7)), (Some(a), Some(b), None));
        let mut reached = Vec::new();
        for step in 0..6 {
            let next = network.take(&[0, 0], step).unwrap();
            assert_eq!(network.step_between(&[0, 0], a, &next), Some(step));
            reached.push(next);
        }
        reached.sort();
        assert_eq!(reached, [[1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]]);
        // From (2, 0) there are three only; b needs (1, 1).
        assert_eq!((0..7).filter(|&step| network.take(&[2, 0], step).is_some()).count(), 3);
        assert_eq!(network.take(&[1, 1], 6), Some(vec![0, 1]));
        assert!(network.allows(&[1, 1], b) && !network.allows(&[0, 1], b) && !network.allows(&[1, 0], a));
        assert_eq!(network.step_between(&[0, 0], b, &[0, 0]), None);
        assert_eq!(network.take(&[9, 0], 0), None);
    }

    #[test]
    fn too_many_combinations_have_no_numbers() {
        let edges: Vec<(u32, &str, u32)> = (0..3000).map(|target| (0, "a", target)).collect();
        let components = (0..3).map(|k| component(&k.to_string(), 3000, &edges)).collect();
        let network = Network::new("n", components).unwrap();
        let a = network.find_label("a").unwrap();
        assert_eq!((network.steps_with(a), network.label_of(0)), (None, None));
        assert!(network.allows(&[0, 0, 0], a));
    }
}
