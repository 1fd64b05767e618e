//! The product once more, for a run to be shown: between the states that a search has stored, within a component.

use crate::budget::Budget;
use crate::explicit::atoms::Atoms;
use crate::explicit::buchi::{Buchi, LetterId};
use crate::explicit::packed_model::{Fired, PackedModel, Rule};
use crate::explicit::states::States;
use crate::explicit::store::StateId;
use crate::model::Step;
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// An edge of the product: the rule that is fired, the state that it leads to, and its marks.
pub(super) type Edge = (Rule, StateId, u64);

/// The letter that the automaton reads when a rule fires in a state with this letter.
#[inline]
pub(in crate::explicit) fn read<S: PackedModel>(
    space: &S,
    atoms: &Atoms,
    buchi: &mut Buchi<'_>,
    letter: LetterId,
    rule: Rule,
) -> LetterId {
    match atoms.of_firing(space.action(rule)) {
        0 => letter,
        actions => buchi.intern(buchi.letter(letter) | actions),
    }
}

/// The steps of some rules.
pub(super) fn steps<S: PackedModel>(space: &S, rules: impl IntoIterator<Item = Rule>) -> Vec<Step> {
    rules.into_iter().map(|rule| space.step(rule)).collect()
}

/// A part of the product: those states that are `inside`.
pub(super) struct Component<'s, 'a, S: PackedModel> {
    pub(super) states: &'s mut States<S>,
    pub(super) atoms: &'s mut Atoms,
    pub(super) buchi: &'s mut Buchi<'a>,
    pub(super) budget: &'s Budget,
    pub(super) inside: &'s dyn Fn(StateId) -> bool,
}

impl<S: PackedModel> Component<'_, '_, S> {
    /// A cycle from a state through all marks of the automaton: shortest ways from one missing mark to the next, and back.
    pub(super) fn cycle(&mut self, start: StateId) -> Result<Vec<Rule>, StopReason> {
        let all = self.buchi.all_marks();
        let (mut cycle, mut seen, mut at) = (Vec::new(), 0, start);
        while seen != all || at != start || cycle.is_empty() {
            let way = self.way(at, |to, marks| if seen == all { to == start } else { marks & !seen != 0 })?;
            for (rule, to, marks) in way {
                cycle.push(rule);
                seen |= marks;
                at = to;
            }
        }
        Ok(cycle)
    }

    /// A shortest way from a state, by one edge at least, whose last edge is one that is looked for.
    pub(super) fn way(&mut self, at: StateId, is_it: impl Fn(StateId, u64) -> bool) -> Result<Vec<Edge>, StopReason> {
        // Breadth-first: parents and how they were left.
        let mut parent: FxHashMap<StateId, (StateId, Rule, u64)> = FxHashMap::default();
        let mut queue = VecDeque::from([at]);
        while let Some(from) = queue.pop_front() {
            self.budget.check()?;
            for (rule, to, marks) in self.edges(from)? {
                if is_it(to, marks) {
                    let mut way = vec![(rule, to, marks)];
                    let mut reached = from;
                    while reached != at {
                        let (before, rule, marks) = parent[&reached];
                        way.push((rule, reached, marks));
                        reached = before;
                    }
                    way.reverse();
                    return Ok(way);
                }
                if to != at && !parent.contains_key(&to) {
                    parent.insert(to, (from, rule, marks));
                    queue.push_back(to);
                }
            }
        }
        Err(StopReason::Unsupported("the cycle of an accepting run was not found again"))
    }

    /// All edges of the product from a state to those inside.
    fn edges(&mut self, id: StateId) -> Result<Vec<Edge>, StopReason> {
        let mut edges = Vec::new();
        let mut words = Vec::new();
        self.states.load(id, &mut words)?;
        let location = self.states.layout().extra(&words) as u32;
        let letter = self.atoms.letter(self.states.space(), &words)?;
        let from = self.buchi.intern(letter);
        let mut next = Vec::new();
        let mut cursor = self.states.cursor(&words, 0);
        while let Some(rule) = self.states.next(&words, &mut cursor) {
            if self.states.fire(&words, rule, &mut next) == Fired::Misfit {
                // Leads to a state that has not been stored.
                continue;
            }
            let after = self.atoms.update(self.states.space(), &next, letter, self.states.action(rule))?;
            let to = self.buchi.intern(after);
            let letter = read(self.states.space(), self.atoms, self.buchi, from, rule);
            let (start, end) = self.buchi.moves(location, letter, to);
            for k in start..end {
                let step = self.buchi.step(k);
                self.states.layout().set_extra(&mut next, u64::from(step.target));
                if let Some(target) = self.states.store().find(&next)
                    && (self.inside)(target)
                {
                    edges.push((rule, target, step.marks));
                }
            }
        }
        Ok(edges)
    }
}
