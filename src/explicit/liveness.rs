//! Liveness by the terminal components of the reachability graph.
//!
//! Every state reaches a strongly connected component that cannot be left. A group of actions is live if one of them is
//! enabled somewhere in each such component: then it can be reached from everywhere, and otherwise it never can again in
//! one of them. That takes time linear in the graph (Tarjan 1972).

use super::labelling::Labelling;
use crate::budget::{Budget, Exhausted};
use crate::model::ActionId;
use crate::scc::components;
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;
use std::cell::Cell;

/// States between two looks at the budget.
const CHECK_EVERY: usize = 1 << 11;
/// Bytes for each state beside the graph, where the search for components is deepest.
const BYTES: u64 = 64;

impl Labelling<'_> {
    /// Is each group of actions live: can one of its actions become enabled, from every reachable state?
    ///
    /// ```
    /// use starset::budget::Budget;
    /// use starset::explicit::Encoding;
    /// use starset::kinds::{Kind, net::families};
    /// use starset::model::ActionId;
    /// let budget = Budget::unlimited();
    /// for (family, live) in [("kanban", true), ("philo", false)] {
    ///     let net = families::family(family).unwrap().generate(3).unwrap();
    ///     let all: Vec<Vec<ActionId>> = net.transition_ids().map(|t| vec![t]).collect();
    ///     let engine = net.compile(&Encoding::default(), &budget)?;
    ///     assert_eq!(engine.labelling(&budget)?.is_live(&all, &budget)?, live);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn is_live(&mut self, groups: &[Vec<ActionId>], budget: &Budget) -> Result<bool, StopReason> {
        let graph = &self.graph;
        if budget.memory().is_some_and(|limit| self.stats().bytes + BYTES * self.states() > limit) {
            return Err(Exhausted::Memory.into());
        }
        let over = Cell::new(None);
        let found = components(graph.states(), 0..graph.states(), |state| {
            if state.is_multiple_of(CHECK_EVERY) && over.get().is_none() {
                over.set(budget.check().err());
            }
            let row = if over.get().is_some() { &[] } else { graph.successors(state) };
            row.iter().map(|&next| next as usize)
        });
        if let Some(exhausted) = over.get() {
            return Err(exhausted.into());
        }
        let mut terminal = FixedBitSet::with_capacity(found.count);
        terminal.insert_range(..);
        for state in 0..graph.states() {
            let own = found.of[state];
            if graph.successors(state).iter().any(|&next| found.of[next as usize] != own) {
                terminal.remove(own as usize);
            }
        }
        let of_state = |state: u32| (found.of[state as usize], state);
        let is_terminal = |&(component, _): &(u32, u32)| terminal.contains(component as usize);
        let mut members: Vec<_> = (0..graph.states() as u32).map(of_state).filter(is_terminal).collect();
        members.sort_unstable();
        let groups: Vec<FixedBitSet> = groups.iter().map(|group| self.states.numbers_of(group)).collect();
        let (mut words, mut looked) = (Vec::new(), 0);
        let mut enabled = FixedBitSet::with_capacity(self.states.system().actions());
        for component in members.chunk_by(|a, b| a.0 == b.0) {
            enabled.clear();
            for &(_, state) in component {
                looked += 1;
                if looked % CHECK_EVERY == 0 {
                    budget.check()?;
                }
                self.states.enabled(state, &mut words, &mut enabled)?;
            }
            if groups.iter().any(|group| group.is_disjoint(&enabled)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::budget::{Budget, Exhausted};
    use crate::explicit::{Encoding, Options};
    use crate::formula::{Formula, PathSemantics, Pool};
    use crate::kinds::Kind;
    use crate::model::ActionId;
    use crate::oracle::{Setting, check_ctl};
    use crate::random::{NetShape, net};
    use crate::reference::explore as reachable;
    use crate::rng::Rng;
    use crate::stop_reason::StopReason;

    /// Each transition, and groups of two, against `AG EF` of each group by brute force.
    #[test]
    fn random_nets_against_brute_force() {
        let (shape, budget) = (NetShape { max_states: 80, ..NetShape::default() }, Budget::unlimited());
        let (mut live, mut dead) = (0, 0);
        for seed in 0..1_000 {
            let net = net(&mut Rng::new(seed), &shape);
            let graph = reachable(&net, shape.max_states).unwrap();
            let engine = net.compile(&Encoding { nupn: seed % 2 == 0, ..Encoding::default() }, &budget).unwrap();
            let options = Options { threads: 1 + seed as usize % 3, ..Options::default() };
            let mut labelling = engine.graph(&options, &budget).unwrap().finish(&budget).unwrap();
            let all: Vec<ActionId> = net.transition_ids().collect();
            for size in [1, 2, all.len().max(1)] {
                for group in all.chunks(size) {
                    let mut pool = Pool::new();
                    let enabled = pool.add(Formula::Enabled(group.to_vec()));
                    let again = pool.sometimes(enabled);
                    let asked = pool.always(again);
                    let setting = Setting::new(&graph, &pool, PathSemantics::Maximal);
                    let expected = check_ctl(setting, asked).unwrap()[&asked][0];
                    let found = labelling.is_live(&[group.to_vec()], &budget).unwrap();
                    assert_eq!(found, expected, "seed {seed}, {group:?}");
                    *(if found { &mut live } else { &mut dead }) += 1;
                }
            }
        }
        assert!(live > 500 && dead > 500, "{live} {dead}");
    }

    #[test]
    fn limits_hold() {
        let net = crate::kinds::net::families::family("kanban").unwrap().generate(3).unwrap();
        let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
        let mut labelling = engine.labelling(&Budget::unlimited()).unwrap();
        let groups: Vec<Vec<ActionId>> = net.transition_ids().map(|t| vec![t]).collect();
        let limited =
            |budget: &Budget, labelling: &mut crate::explicit::Labelling<'_>| labelling.is_live(&groups, budget);
        let time = Budget::unlimited().with_time(std::time::Duration::ZERO);
        assert_eq!(limited(&time, &mut labelling), Err(StopReason::Exhausted(Exhausted::Time)));
        let memory = Budget::unlimited().with_memory(1 << 10);
        assert_eq!(limited(&memory, &mut labelling), Err(StopReason::Exhausted(Exhausted::Memory)));
        assert_eq!(limited(&Budget::unlimited(), &mut labelling), Ok(true));
    }
}
