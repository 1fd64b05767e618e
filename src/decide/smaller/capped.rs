//! Nets with unbounded places under a limit on their tokens.
//!
//! **Problem.** A net with an unbounded place has no reachable set that an engine could hold. Still, many of its
//! formulas are decided by markings with few tokens: a cycle that starves somebody, a choice that can be made at the
//! beginning.
//!
//! **Idea.** Let the net run as long as no place holds more than a limit, and let every firing beyond it lead to a
//! marking *outside* of which nothing is known. The *capped net* is a net like any other and has finitely many
//! markings, so that all ways can be asked about it. A formula in negation normal form is read pessimistically there:
//! each literal holds only inside, the constant `true` as well. Outside nothing holds then, and the step that stays
//! there repeats for ever. What holds in the capped net holds in the net: if pessimistic φ holds initially, φ is true;
//! if pessimistic ¬φ does, φ is false; and if neither does, a larger limit may decide.
//!
//! **Why.** Read like this a formula is monotone in its literals, and all of them are false outside. A path that goes
//! outside satisfies a path formula only if every path does that begins with its part inside: by induction, as no
//! subformula holds at a position outside, each that holds inside does so for reasons inside. Each path of the net is
//! one of the capped net, cut where it leaves; each path of the capped net is one of the net or the beginning of one.
//! The latter need not be infinite, so where only infinite paths count there is no answer. A marking inside has a step
//! in the capped net exactly if it has one in the net, so `deadlock` keeps its meaning.
//!
//! Three-valued abstractions with a bottom element: Bruns and Godefroid, "Model checking partial state spaces with
//! 3-valued temporal logics", CAV 1999.

use crate::budget::Budget;
use crate::decide::context::Context;
use crate::decide::task::Task;
use crate::decide::{Answer, Explained, Fault, Listener, Question, Request, Settings, Subject, Value, Ways};
use crate::formula::{Comparison, Expr, Formula, FormulaId, MAX_DEPTH, PathSemantics, Pool};
use crate::model::{Groups, Path, Then};
use crate::net::{BuildError, NetBuilder, PetriNet, PlaceId, TransitionId};
use crate::symbolic::Route;
use crate::witness::{Because, End, Witness};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// A net under a limit.
#[derive(Debug)]
pub(in crate::decide) struct Capped {
    /// Places and transitions of the original net come first, under their numbers.
    net: PetriNet,
    /// Marked inside.
    inside: PlaceId,
    /// For each transition of the original net those that stand for its firings beyond the limit.
    beyond: Vec<Vec<TransitionId>>,
}

impl Capped {
    /// `net`, with at most `limit` tokens more than initially in each place, or as many as a single firing adds; `None`
    /// if it has inhibitor arcs, or counts become too large.
    pub(in crate::decide) fn new(net: &PetriNet, limit: u64) -> Option<Capped> {
        if net.transitions().iter().any(|t| !t.inhibitors.is_empty()) {
            return None;
        }
        Self::build(net, limit).ok().flatten()
    }

    fn build(net: &PetriNet, limit: u64) -> Result<Option<Capped>, BuildError> {
        let mut builder = NetBuilder::new(net.name());
        let mut taken: Vec<&str> = net.places().iter().map(|place| place.id.as_str()).collect();
        taken.extend(net.transitions().iter().map(|transition| transition.id.as_str()));
        // No identifier of the net is longer.
        let mark = "'".repeat(taken.iter().map(|id| id.len()).max().unwrap_or(0) + 1);
        for place in net.places() {
            builder.place(&place.id, place.initial)?;
        }
        let (inside, outside) = (builder.place(format!("inside{mark}"), 1)?, builder.place(format!("out{mark}"), 0)?);
        // What each transition adds to places.
        let gains: Vec<Vec<(PlaceId, u64)>> = net.transitions().iter().map(gains).collect();
        let most = gains.iter().flatten().map(|&(_, gain)| gain).fold(limit, u64::max);
        let mut full = Vec::new();
        for (t, gains) in net.transitions().iter().zip(&gains) {
            let copy = builder.transition(&t.id)?;
            builder.read_arc(inside, copy, 1)?;
            t.pre.iter().try_for_each(|arc| builder.input(arc.place, copy, arc.weight))?;
            t.post.iter().try_for_each(|arc| builder.output(copy, arc.place, arc.weight))?;
            let mut thresholds = Vec::new();
            for &(place, gain) in gains {
                // From so many tokens on the firing leads beyond the limit: one at least.
                let Some(cap) = net.place(place).initial.checked_add(most - gain + 1) else { return Ok(None) };
                builder.inhibitor(place, copy, cap)?;
                thresholds.push((place, cap));
            }
            full.push(thresholds);
        }
        let mut beyond = Vec::new();
        for (number, (t, thresholds)) in net.transitions().iter().zip(full).enumerate() {
            let mut leaving = Vec::new();
            for (place, threshold) in thresholds {
                let leave = builder.transition(format!("beyond{mark}{number}.{}", place.index()))?;
                builder.input(inside, leave, 1)?;
                builder.output(leave, outside, 1)?;
                for arc in t.pre.iter().filter(|arc| arc.place != place) {
                    builder.read_arc(arc.place, leave, arc.weight)?;
                }
                let needed = t.pre.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
                builder.read_arc(place, leave, needed.max(threshold))?;
                leaving.push(leave);
            }
            beyond.push(leaving);
        }
        let stay = builder.transition(format!("stay{mark}"))?;
        builder.read_arc(outside, stay, 1)?;
        Ok(Some(Capped { net: builder.build()?, inside, beyond }))
    }

    /// The formula about the net, read pessimistically about the capped net; `None` if it speaks of steps, of bounds or of
    /// the past, which holds outside for what was inside.
    fn pessimistic(&self, pool: &mut Pool, formula: FormulaId) -> Option<FormulaId> {
        if pool.past(formula) > 0 {
            return None;
        }
        let normal = pool.nnf(formula);
        let one = pool.add_expr(Expr::Const(1));
        let tokens = pool.add_expr(Expr::Tokens(vec![self.inside]));
        let inside = pool.add(Formula::Compare(tokens, Comparison::Ge, one));
        let mut read: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
        for id in pool.subformulas(&[normal]) {
            let literal = match pool[id].clone() {
                Formula::True => inside,
                Formula::False => id,
                Formula::Not(atom) => {
                    let atom = self.atom(pool, atom)?;
                    let negated = pool.not(atom);
                    pool.and(vec![negated, inside])
                }
                Formula::Deadlock | Formula::Enabled(_) | Formula::Compare(..) => {
                    let atom = self.atom(pool, id)?;
                    pool.and(vec![atom, inside])
                }
                Formula::Still(_) | Formula::Set(_) => return None,
                Formula::Action(_) | Formula::Diamond(..) | Formula::Box(..) => return None,
                node => pool.add(node.map(|operand| read.get(&operand).copied().unwrap_or(operand))),
            };
            read.insert(id, literal);
        }
        read.get(&normal).copied()
    }

    /// The same condition about the marking inside that a marking of the capped net stands for.
    fn atom(&self, pool: &mut Pool, atom: FormulaId) -> Option<FormulaId> {
        match pool[atom].clone() {
            Formula::Enabled(transitions) => {
                let mut all: Vec<TransitionId> =
                    transitions.iter().flat_map(|t| &self.beyond[t.index()]).chain(&transitions).copied().collect();
                all.sort_unstable();
                Some(pool.add(Formula::Enabled(all)))
            }
            Formula::Compare(a, _, b) => {
                let bounds = |&expr: &_| matches!(pool[expr], Expr::Bounds(_));
                (!pool.subexpressions(vec![a, b]).iter().any(bounds)).then_some(atom)
            }
            _ => Some(atom),
        }
    }

    /// The path of the net that the only run of a witness is, as far as it stays inside.
    fn path(&self, witness: &Witness) -> Option<Path> {
        let (Because::Run(_), [run]) = (&witness.reason.because, &witness.runs[..]) else { return None };
        let mut prefix = run.fired.clone();
        let is_inside = |step: &crate::model::Step| step.action.index() < self.beyond.len();
        if let Some(leaves) = prefix.iter().position(|step| !is_inside(step)) {
            prefix.truncate(leaves);
            return Some(Path { prefix, then: Then::Open });
        }
        let then = match run.end {
            End::Open | End::Final => Then::Open,
            End::Deadlock => Then::Deadlock,
            End::Loop(start) => Then::Cycle(prefix.split_off(start.min(prefix.len()))),
        };
        Some(Path { prefix, then })
    }
}

/// The places where a transition leaves more tokens than it takes, and how many more.
fn gains(transition: &crate::net::Transition) -> Vec<(PlaceId, u64)> {
    let taken = |place| transition.pre.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
    let gain = |arc: &crate::net::Arc| (arc.place, arc.weight.saturating_sub(taken(arc.place)));
    transition.post.iter().map(gain).filter(|&(_, gain)| gain > 0).collect()
}

/// Record of the formula, read pessimistically (question 0) and optimistically (question 1).
struct Listening<'a> {
    /// Listener to errors of the program, and the question that they are about.
    outer: (&'a dyn Listener, usize),
    /// The question that decides, if one does.
    decides: Mutex<Option<usize>>,
    witness: Mutex<Option<Witness>>,
    /// Nothing more is wanted.
    done: Arc<AtomicBool>,
    wants_witness: bool,
}

impl Listener for Listening<'_> {
    fn answered(&self, answer: Answer) {
        if answer.value == Value::Verdict(answer.question == 0) {
            *self.decides.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer.question);
            self.done.fetch_or(!self.wants_witness, Relaxed);
        }
    }

    fn explained(&self, question: usize, explained: Explained) {
        if *self.decides.lock().unwrap_or_else(PoisonError::into_inner) == Some(question) {
            if let Explained::Witness(witness) = explained {
                *self.witness.lock().unwrap_or_else(PoisonError::into_inner) = Some(witness);
            }
            self.done.store(true, Relaxed);
        }
    }

    fn faulty(&self, _: usize, fault: Fault) {
        let (listener, question) = self.outer;
        listener.faulty(question, fault);
    }
}

/// Ask a formula, that of this question, of the capped net: its verdict in the net, with a path that shows it if one is
/// wanted and found.
pub(in crate::decide) fn ask(
    context: &Context<'_>,
    capped: &Capped,
    pool: &Pool,
    (formula, paths): (FormulaId, PathSemantics),
    (question, wants_witness): (usize, bool),
    budget: &Budget,
) -> Option<(bool, Option<Path>)> {
    if paths == PathSemantics::Infinite || pool.depth(formula) > MAX_DEPTH {
        return None;
    }
    let mut pool = pool.clone();
    let pessimistic = capped.pessimistic(&mut pool, formula)?;
    // One run shows that a formula of LTL is false; asked like this it still is one.
    let negated = pool.not(formula);
    let negated = capped.pessimistic(&mut pool, negated)?;
    let optimistic = pool.not(negated);
    let optimistic = pool.nnf(optimistic);
    let mut asked = Vec::new();
    for read in [pessimistic, optimistic] {
        let question = Question::formula(&mut pool, read, paths, Route::Fixpoints);
        asked.push(Request { witness: wants_witness, ..Request::from(question) });
    }
    let ways = Ways { reductions: false, bit_state: false, ..context.settings.ways };
    let settings = Settings { ways, orders: Vec::new(), ..context.settings.clone() };
    let done: Arc<AtomicBool> = Arc::default();
    let budget = budget.clone().with_flag(Arc::clone(&done));
    let outer = (context.board.listener(), question);
    let heard = Listening { outer, decides: Mutex::default(), witness: Mutex::default(), done, wants_witness };
    let groups = Groups::single(&capped.net);
    let subject = Subject { model: &capped.net, groups: &groups, pool: &pool };
    let (settings, budget) = (&settings, &budget);
    let time = budget.remaining();
    context.solver.solve(&Task { subject, requests: &asked, settings, budget, listener: &heard, time });
    let decided_by = heard.decides.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    let witness = heard.witness.into_inner().unwrap_or_else(PoisonError::into_inner);
    Some((decided_by == 0, witness.and_then(|witness| capped.path(&witness))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::Logic;
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;

    /// Verdicts of the capped net hold on the net, by brute force on both nets, whether the limit cuts off anything or
    /// not; and there are some.
    #[test]
    fn verdicts_under_a_limit_are_verdicts() {
        let (mut decided, mut left_open, mut cut) = ([0, 0], 0, 0);
        for seed in 0..1500u64 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { inhibitors: false, max_states: 60, ..NetShape::default() });
            let graph = explore(&net, 60).unwrap();
            let mut pool = Pool::new();
            let logic = [Logic::Ctl, Logic::Ltl, Logic::CtlStar][seed as usize % 3];
            let shape = FormulaShape { logic, size: 1 + rng.below(6) };
            let drawn = formula(&mut rng, &net, &shape, &mut pool);
            let asked = pool.close(drawn);
            let capped = Capped::new(&net, 0).unwrap();
            let smaller = explore(&capped.net, 2000).unwrap();
            let cuts = smaller.markings.iter().any(|marking| marking.tokens(capped.inside) == 0);
            let negated = pool.not(asked);
            for paths in [PathSemantics::Maximal, PathSemantics::Stutter] {
                let Ok(truth) = check(Setting::new(&graph, &pool, paths), asked) else { continue };
                let expected = truth[&asked][0];
                let mut open = true;
                for (formula, says) in [(asked, true), (negated, false)] {
                    let Some(read) = capped.pessimistic(&mut pool, formula) else { continue };
                    let Ok(found) = check(Setting::new(&smaller, &pool, paths), read) else { continue };
                    if found[&read][0] {
                        assert_eq!(says, expected, "seed {seed}, {paths} paths, {net:?}");
                        decided[usize::from(cuts)] += 1;
                        open = false;
                    } else {
                        assert!(cuts || says != expected, "seed {seed}: without a cut nothing is lost");
                    }
                }
                left_open += u32::from(open);
                cut += u32::from(cuts);
            }
        }
        assert!(decided[0] > 300 && decided[1] > 150 && cut > 300, "{decided:?} decided, {left_open} open, {cut} cut");
    }

    /// A cycle beside a place that grows for ever.
    #[test]
    fn growth_does_not_hide_a_cycle() {
        let mut builder = NetBuilder::new("beside");
        let (idle, busy, heap) =
            (builder.place("idle", 1).unwrap(), builder.place("busy", 0).unwrap(), builder.place("heap", 0).unwrap());
        let add = |builder: &mut NetBuilder, name: &str, from: Option<PlaceId>, to: PlaceId| {
            let t = builder.transition(name).unwrap();
            from.iter().for_each(|&from| builder.input(from, t, 1).unwrap());
            builder.output(t, to, 1).unwrap();
        };
        add(&mut builder, "grow", None, heap);
        add(&mut builder, "start", Some(idle), busy);
        add(&mut builder, "stop", Some(busy), idle);
        let net = builder.build().unwrap();
        let mut pool = Pool::new();
        let symbols = crate::formula::Symbols::new(&net);
        for limit in [0, 1, 5] {
            let capped = Capped::new(&net, limit).unwrap();
            let graph = explore(&capped.net, 1000).unwrap();
            let mut holds = |text: &str| {
                let formula = crate::formula::parse(text, &symbols, &mut pool).unwrap();
                let formula = pool.close(formula);
                let read = capped.pessimistic(&mut pool, formula).unwrap();
                check(Setting::new(&graph, &pool, PathSemantics::Maximal), read).unwrap()[&read][0]
            };
            assert!(holds("E (G F #busy = 1 & G F #idle = 1)") && holds("EG #heap = 0"));
            assert!(!holds("AF #heap = 1") && !holds("AG EF #heap = 0") && !holds("AG #heap <= 9"));
        }
    }
}
