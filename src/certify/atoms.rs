//! State formulas without path quantifiers, state by state.

use starset_checker::{Id, Net, Node, Pool, Step, value};

/// The formulas of one certificate on the states of its model.
pub(super) struct Atoms<'a> {
    pub(super) net: &'a Net,
    pub(super) pool: &'a Pool,
    /// The steps with each label.
    steps: Vec<Vec<usize>>,
}

impl<'a> Atoms<'a> {
    pub(super) fn new(net: &'a Net, pool: &'a Pool) -> Self {
        let mut steps = vec![Vec::new(); net.labels.len()];
        net.steps.iter().zip(0..).for_each(|(step, at)| steps[step.label].push(at));
        Atoms { net, pool, steps }
    }

    /// A step with a label that leads from one state to another.
    pub(super) fn step(&self, label: usize, from: &[u64], to: &[u64]) -> Option<usize> {
        let fits =
            |step: &Step| self.net.enabled(step, from) && self.net.fire(step, from).is_some_and(|after| after == to);
        self.steps[label].iter().copied().find(|&step| fits(&self.net.steps[step]))
    }

    /// Is it free of path quantifiers, and about one state?
    pub(super) fn speaks_of(&self, id: Id) -> bool {
        let node = &self.pool[id];
        !matches!(node, Node::Exists(_) | Node::Forall(_))
            && self.pool.is_state(id)
            && node.operands().into_iter().all(|operand| self.speaks_of(operand))
    }

    /// Is it true in a state? What has a quantifier is not.
    pub(super) fn holds(&self, id: Id, state: &[u64]) -> bool {
        let enabled = |step: &usize| self.net.enabled(&self.net.steps[*step], state);
        match &self.pool[id] {
            Node::True => true,
            // Of such a program states are asked that have a successor.
            Node::Deadlock if self.net.is_unlisted() => false,
            Node::Deadlock => !self.net.steps_at(state).iter().any(|step| self.net.enabled(step, state)),
            Node::Enabled(labels) if self.net.is_program() => {
                self.net.steps_at(state).iter().any(|step| labels.contains(&step.label))
            }
            Node::Enabled(labels) => labels.iter().any(|&label| self.steps[label].iter().any(enabled)),
            Node::Compare(sum, op, bound) => op.holds(value(sum, state), *bound),
            Node::Not(a) => !self.holds(*a, state),
            Node::And(list) => list.iter().all(|&a| self.holds(a, state)),
            Node::Or(list) => list.iter().any(|&a| self.holds(a, state)),
            _ => false,
        }
    }
}
