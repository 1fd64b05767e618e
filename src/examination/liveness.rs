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
//! A net whose initial marking can be reached again from everywhere, the most frequent kind of live net,
//! costs one backward saturation; a net with a deadlock none.
//!
//! Xie and Beerel, "Implicit enumeration of strongly connected components and an application to formal
//! verification", IEEE TCAD 19(10), 2000.

use super::answer::{Technique, Value};
use super::portfolio::{Case, Questionnaire, Structure, some_enabled};
use super::reached::Reached;
use super::refutation::some_never_enabled;
use super::walk::Walk;
use crate::budget::{Budget, Exhausted};
use crate::explicit::{self, Stopped};
use crate::formula::PathSemantics;
use crate::mdd::Mdd;
use crate::structure::Coverability;
use crate::symbolic::{Checker, Halt, Search, deadlocks, fireable, reachable_set};
use std::time::Duration;

const ID: &str = "Liveness";

/// The examination.
#[derive(Default)]
pub(super) struct Liveness {
    answered: bool,
}

impl Liveness {
    fn answer(&mut self, case: &mut Case<'_>, verdict: bool, technique: Technique) {
        if !std::mem::replace(&mut self.answered, true) {
            case.answers.verdict(ID, verdict, technique);
        }
    }
}

impl<'a> Questionnaire<'a> for Liveness {
    fn is_open(&self) -> bool {
        !self.answered
    }

    fn needs_fixpoints(&self) -> bool {
        true
    }

    fn by_structure(&mut self, case: &mut Case<'a>, _structure: &Structure) {
        if some_never_enabled(case.net(), &case.subject.transitions, &case.programs_budget()) {
            self.answer(case, false, Technique::StateEquation);
        }
    }

    fn by_coverability(&mut self, case: &mut Case<'a>, cover: &Coverability) {
        let net = case.net();
        let never = |transitions: &Vec<_>| transitions.iter().all(|&t| cover.fireable(net, t) == Some(false));
        if case.subject.transitions.iter().any(never) {
            self.answer(case, false, Technique::Coverability);
        }
    }

    fn by_diagram(&mut self, case: &mut Case<'a>, reached: &'a Reached, slice: Duration) -> Result<(), Halt> {
        match is_live(case, reached, &case.budget.clone().with_time(slice)) {
            Ok(live) => self.answer(case, live, Technique::DecisionDiagrams),
            Err(Halt::Exhausted(Exhausted::Time)) => {}
            Err(halt) => return Err(halt),
        }
        Ok(())
    }

    fn on_walk(&mut self, case: &mut Case<'a>, walk: &Walk<'_>) -> bool {
        if walk.enabled().next().is_none() && !case.subject.transitions.is_empty() {
            self.answer(case, false, Technique::RandomWalk);
        }
        self.answered
    }

    fn by_search(&mut self, case: &mut Case<'a>, budget: &Budget) -> Result<(), Stopped> {
        let dead = explicit::find_deadlock(case.net(), &case.settings.explicit, budget)?;
        if dead.trace.is_some() && !case.subject.transitions.is_empty() {
            self.answer(case, false, Technique::Explicit);
            return Ok(());
        }
        let fires = case.explore(budget)?.fireable;
        if !case.subject.transitions.iter().all(|transitions| some_enabled(&fires, transitions)) {
            self.answer(case, false, Technique::Explicit);
            return Ok(());
        }
        Err(Stopped::Unsupported("liveness beyond deadlocks and transitions that never fire"))
    }

    fn give_up(&mut self, case: &mut Case<'a>, reason: &str) {
        case.answers.give(ID, Value::Unknown(reason.to_owned()), Technique::None);
    }
}

/// The algorithm of the module documentation.
fn is_live(case: &Case<'_>, reached: &Reached, budget: &Budget) -> Result<bool, Halt> {
    let relation = &reached.relation;
    let all_fire = |states: &Mdd| -> Result<bool, Halt> {
        let fires = fireable(relation, states, case.net().transition_count(), budget)?;
        Ok(case.subject.transitions.iter().all(|transitions| some_enabled(&fires, transitions)))
    };
    if case.subject.transitions.is_empty() {
        return Ok(true);
    }
    if !deadlocks(relation, &reached.states, budget)?.is_empty() || !all_fire(&reached.states)? {
        return Ok(false);
    }
    let checker = Checker::new(relation, reached.states.clone(), PathSemantics::Maximal)?;
    let space = reached.states.space();
    // The first component is sought from the initial marking, from which everything is reached.
    let mut start = relation.initial().to_vec();
    let mut open = reached.states.clone();
    let mut ahead = reached.states.clone();
    loop {
        let component = loop {
            let back = checker.reach(&ahead, &space.tuple(&start, budget)?, budget)?;
            let Some(beyond) = ahead.difference(&back, budget)?.pick() else { break ahead };
            start = beyond;
            ahead = successors(reached, &start, budget)?;
            if !all_fire(&ahead)? {
                return Ok(false);
            }
        };
        open = open.difference(&checker.reach(&reached.states, &component, budget)?, budget)?;
        let Some(next) = open.pick() else { return Ok(true) };
        start = next;
        ahead = successors(reached, &start, budget)?;
        if !all_fire(&ahead)? {
            return Ok(false);
        }
    }
}

/// The markings that can be reached from this one.
fn successors(reached: &Reached, marking: &[u32], budget: &Budget) -> Result<Mdd, Halt> {
    let from = reached.relation.started_in(marking.to_vec());
    reachable_set(&from, &reached.states.space(), Search::Saturation, budget, &mut |_| ())
}
