//! Liveness: from every reachable marking every transition can be enabled again.
//!
//! **Idea.** Instead of one backward search per transition (`AG EF enabled(t)` for all t), look at the
//! *terminal* strongly connected components of the reachability graph, those that cannot be left. Every
//! marking reaches one. A transition is live iff it is enabled somewhere in every one of them: then it can be
//! reached from everywhere, and in a terminal component without it, it never can again.
//!
//! A terminal component is found by descending (Xie and Beerel 2000): from a marking m, let F be what it
//! reaches, and B the part of F that reaches m. If B = F, then F is a terminal component; otherwise some
//! marking of F ∖ B cannot return to m, and the search goes on from there, in a strictly smaller F. A
//! transition that is not enabled anywhere in some F refutes liveness at once. Then everything that reaches
//! the component is left out, and the rest, if there is any, has another one.
//!
//! Search looks for a deadlock, and then at the terminal components of the graph of all markings.
//!
//! Walks refute it, too: by a deadlock, or by places that have become empty for good ([`empty_siphon`]).
//!
//! A net whose initial marking can be reached again from everywhere, the most frequent kind of live net,
//! costs one backward saturation; a net with a deadlock none.
//!
//! Xie and Beerel, "Implicit enumeration of strongly connected components and an application to formal
//! verification", IEEE TCAD 19(10), 2000.

use super::conjuncts::Conjuncts;
use super::whole_graph::WholeGraph;
use crate::budget::{Budget, Exhausted};
use crate::decide::board::Board;
use crate::decide::conditions::Visited;
use crate::decide::conditions::{Structure, Values, Walk, refutation::some_never_enabled};
use crate::decide::context::{Context, some_enabled};
use crate::decide::properties::{PropertySolver, decides};
use crate::decide::smaller::skeleton::Skeletal;
use crate::decide::{Global, StateSpace, Technique};
use crate::formula::{Formula, PathSemantics};
use crate::mdd::Mdd;
use crate::net::{PetriNet, TransitionId};
use crate::stop_reason::StopReason;
use crate::structure::{Coverability, empty_siphon};
use crate::symbolic::{Checker, Search, deadlocks, fireable, reachable_set};
use std::time::Duration;

/// The question.
pub(in crate::decide) struct Liveness<'a> {
    number: usize,
    /// The transitions, one by one.
    conjuncts: Conjuncts<'a>,
    /// Markings of walks before the next one that is looked at for places that are empty for good.
    until_look: usize,
    /// Has a search found that there is no deadlock?
    no_deadlock: bool,
    graph: WholeGraph<'a>,
}

/// At least so many markings are between two that are looked at for places that are empty for good, and as many as the
/// net has arcs, which is what that costs.
const PERIOD: usize = 1_000;

impl Liveness<'_> {
    pub(in crate::decide) fn new(number: usize) -> Self {
        let (conjuncts, graph) = (Conjuncts::default(), WholeGraph::default());
        Liveness { number, conjuncts, until_look: PERIOD, no_deadlock: false, graph }
    }

    /// Give the answer where there are no transitions: all are live then, and a deadlock says nothing.
    fn answers_vacuously(&self, context: &Context<'_>, technique: Technique) -> bool {
        let vacuous = context.subject.groups.actions.is_empty();
        if vacuous {
            context.board.verdict(self.number, true, technique);
        }
        vacuous
    }
}

impl<'a> PropertySolver<'a> for Liveness<'a> {
    fn is_open(&self, context: &Context<'a>) -> bool {
        context.board.is_open(self.number)
    }

    fn by_initial_state(&mut self, context: &Context<'a>) {
        self.answers_vacuously(context, Technique::Structure);
    }

    fn by_skeleton(&mut self, context: &Context<'a>, skeletal: &Skeletal) {
        if skeletal.says(context, Global::QuasiLiveness, false) {
            context.board.verdict(self.number, false, Technique::Skeleton);
        }
    }

    fn by_structure(&mut self, context: &Context<'a>, net: &'a PetriNet, _structure: &Structure) {
        if some_never_enabled(net, &context.subject.groups.actions, &context.programs_budget()) {
            context.board.verdict(self.number, false, Technique::StateEquation);
        }
    }

    fn by_coverability(&mut self, context: &Context<'a>, net: &'a PetriNet, cover: &Coverability) {
        let never = |transitions: &Vec<_>| transitions.iter().all(|&t| cover.fireable(net, t) == Some(false));
        if context.subject.groups.actions.iter().any(never) {
            context.board.verdict(self.number, false, Technique::Coverability);
        }
    }

    fn on_folded(&mut self, context: &Context<'a>, visited: &Visited<'_>) -> bool {
        if self.answers_vacuously(context, Technique::RandomWalk) {
            return true;
        }
        if visited.is_dead() || context.is_broken(Technique::RandomWalk) {
            decides(context, visited, self.number, false, &|visited| visited.is_dead());
        }
        !self.is_open(context)
    }

    fn on_walk(&mut self, context: &Context<'a>, walk: &Walk<'_>) -> bool {
        if self.answers_vacuously(context, Technique::RandomWalk) {
            return true;
        }
        self.until_look = self.until_look.saturating_sub(1);
        if walk.enabled().next().is_none() || context.is_broken(Technique::RandomWalk) {
            let how = (Technique::RandomWalk, None);
            let _open_if_not = context.board.found_by_run(self.number, false, how, &walk.path(), context.budget);
        }
        if self.until_look == 0
            && let Some(net) = context.net()
        {
            self.until_look = PERIOD.max(net.arc_count());
            if some_dead(net, &context.subject.groups.actions, walk) {
                context.board.verdict(self.number, false, Technique::RandomWalk);
            }
        }
        !self.is_open(context)
    }

    fn by_reduction(&mut self, context: &Context<'a>, slice: Duration) {
        let groups = &context.subject.groups.actions;
        let all: Vec<usize> = (0..groups.len()).collect();
        let live = self.conjuncts.by_reduction(context, self.number, &all, slice, |group, pool| {
            let enabled = pool.add(Formula::Enabled(groups[group].clone()));
            let again = pool.sometimes(enabled);
            pool.always(again)
        });
        if let Some(live) = live {
            context.board.verdict(self.number, live, Technique::Reduction);
        }
    }

    fn by_search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        if self.answers_vacuously(context, Technique::Explicit) {
            return Ok(());
        }
        let (compiled, options, groups) =
            (context.compiled()?, context.options(false), &context.subject.groups.actions);
        if !self.no_deadlock {
            let dead = compiled.find_deadlock(&options, &budget.part(1, 2))?;
            if let Some(trace) = &dead.trace {
                let how = (Technique::Explicit, Some(dead.stats));
                let found = context.board.found_by_run(self.number, false, how, &trace.path, context.budget);
                return found.map_err(|_| StopReason::Unsupported("the deadlock that was found was not confirmed"));
            }
            self.no_deadlock = true;
        }
        let out_of_memory = match self.graph.get(context, budget) {
            Ok(labelling) => {
                let live = labelling.is_live(groups, budget)?;
                context.board.found_in_all(self.number, live, labelling.stats());
                return Ok(());
            }
            Err(stop @ StopReason::Exhausted(Exhausted::Memory)) => stop,
            Err(stop) => return Err(stop),
        };
        // Without edges there is room for more states.
        let found = compiled.explore(&options, budget)?;
        if groups.iter().all(|group| some_enabled(&found.fireable, group)) {
            return Err(out_of_memory);
        }
        context.board.found_in_all(self.number, false, found.stats);
        Ok(())
    }
}

/// Is there a transition that takes from a place which is empty for good, whatever happens after this marking?
fn some_dead(net: &PetriNet, groups: &[Vec<TransitionId>], walk: &Walk<'_>) -> bool {
    let empty = empty_siphon(net, |place| walk.value(place));
    let dead = |&t: &TransitionId| net.transition(t).pre.iter().any(|arc| empty[arc.place.index()]);
    groups.iter().any(|group| group.iter().all(dead))
}

/// The algorithm of the module documentation.
pub(in crate::decide) fn by_diagram(
    board: &Board<'_>,
    space: &StateSpace,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let relation = &space.relation;
    let groups = &board.subject.groups.actions;
    let actions = board.subject.model.actions();
    let all_fire = |states: &Mdd| -> Result<bool, StopReason> {
        let fires = fireable(relation, states, actions, budget)?;
        Ok(groups.iter().all(|group| some_enabled(&fires, group)))
    };
    if groups.is_empty() {
        return Ok(true);
    }
    if !deadlocks(relation, &space.set, budget)?.is_empty() || !all_fire(&space.set)? {
        return Ok(false);
    }
    let checker = Checker::new(relation, space.set.clone(), PathSemantics::Maximal)?;
    let diagrams = space.set.space();
    // The first component is sought from the initial marking, from which everything is reached if it is the only one.
    let mut start = relation.initial().to_vec();
    let mut open = space.set.clone();
    let mut ahead = space.set.clone();
    if relation.has_several_starts() {
        ahead = successors(space, &start, budget)?;
        if !all_fire(&ahead)? {
            return Ok(false);
        }
    }
    loop {
        let component = loop {
            let back = checker.reach(&ahead, &diagrams.tuple(&start, budget)?, budget)?;
            let Some(beyond) = ahead.difference(&back, budget)?.pick() else { break ahead };
            start = beyond;
            ahead = successors(space, &start, budget)?;
            if !all_fire(&ahead)? {
                return Ok(false);
            }
        };
        open = open.difference(&checker.reach(&space.set, &component, budget)?, budget)?;
        let Some(next) = open.pick() else { return Ok(true) };
        start = next;
        ahead = successors(space, &start, budget)?;
        if !all_fire(&ahead)? {
            return Ok(false);
        }
    }
}

/// The markings that can be reached from this one.
fn successors(space: &StateSpace, marking: &[u32], budget: &Budget) -> Result<Mdd, StopReason> {
    let from = space.relation.started_in(marking.to_vec());
    reachable_set(&from, &space.set.space(), Search::Saturation, budget, &mut |_| ())
}
