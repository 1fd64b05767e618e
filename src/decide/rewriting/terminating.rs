//! Formulas about nets in which every run ends ([`is_terminating`]).
//!
//! **Idea.** Every path comes to a deadlock, where nothing is enabled and nothing changes any more: what holds again and again holds
//! from some position on, and the one and the other is a matter of the deadlock alone. There a formula is worth what is left of
//! it when temporal operators and quantifiers are taken away and nothing can fire: its *value in the end*.
//!
//! | formula | is |
//! |---|---|
//! | `F φ`, where φ is true in the end | true |
//! | `G φ`, where φ is false in the end | false |
//! | `φ U ψ`, where ψ is true in the end | `φ W ψ` |
//! | `φ W ψ`, where φ is false in the end | `φ U ψ` |
//! | `φ R ψ`, where ψ is false in the end | `φ M ψ` |
//! | `φ M ψ`, where φ is true in the end | `φ R ψ` |
//! | `G F φ`, `F G φ` | `F G` of the value of φ in the end |
//! | `A G F φ`, `A F G φ`, `AG EF φ`, `AG AF φ`, `AF AG φ` | `AG` (deadlock → the value of φ in the end) |
//! | `E G F φ`, `E F G φ`, `EF EG φ`, `EF AG φ`, `EG EF φ` | `EF` (deadlock ∧ the value of φ in the end) |
//!
//! So formulas that are nested deeply become questions of reachability, and some are no question at all. Where paths are
//! infinite by definition there are none here, and nothing of this is true. Where they are maximal, `EX φ` and `<a> φ` are false in
//! the end, `AX φ` and `[a] φ` true, and `X` otherwise has no value. Where they stutter, `X φ`, `<*> φ` and `[*] φ` are what φ is.

use crate::decide::conditions::{Walk, is_total};
use crate::decide::settings::Settings;
use crate::decide::solver::{Pass, Solver};
use crate::decide::task::{Question, Request, Subject, Task};
use crate::formula::{Formula, FormulaId, MAX_DEPTH, PathSemantics, Pool};
use crate::structure::is_terminating;
use rustc_hash::FxHashMap;

/// A walk that has not come to a deadlock by then is taken to have none before it: some milliseconds of most nets.
const STEPS: u32 = 1 << 14;
/// The part of the time that the walk may take, and that of the proof that all runs come to a deadlock.
const WALK: u32 = 40;
const PROOF: u32 = 20;

/// Formulas that say the same of the net and are simpler.
pub(in crate::decide) struct Terminating;

impl Pass for Terminating {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        let &Task { subject, requests, settings, budget, .. } = task;
        let net = subject.model.as_net().filter(|_| settings.techniques.termination && settings.ways.structure);
        let Some(net) = net else { return next.solve(task) };
        let mut pool = subject.pool.clone();
        let simpler: Vec<Option<Request>> = requests.iter().map(|asked| simpler(&mut pool, asked, settings)).collect();
        // Most nets have no such walk, which is soon seen.
        let ends = || Walk::with_seed(net, settings.seed).ends(STEPS, &budget.part(1, WALK));
        if simpler.iter().all(Option::is_none) || !ends() || !is_terminating(net, &budget.part(1, PROOF)) {
            return next.solve(task);
        }
        let simpler = simpler.into_iter().zip(requests);
        let requests: Vec<Request> = simpler.map(|(simpler, asked)| simpler.unwrap_or_else(|| asked.clone())).collect();
        next.solve(&Task { subject: Subject { pool: &pool, ..subject }, requests: &requests, ..*task });
    }
}

/// The question as it may be asked where every run ends; `None` if it is asked as it is, as what wants a set or a witness.
fn simpler(pool: &mut Pool, asked: &Request, settings: &Settings<'_>) -> Option<Request> {
    let Question::Formula { linear, paths, .. } = asked.question else { return None };
    let suits = !asked.set && !asked.witness && paths != PathSemantics::Infinite;
    if !suits || !is_total(pool, linear) || pool.depth(linear) > MAX_DEPTH {
        return None;
    }
    let mut ends = Ends { pool, paths, values: FxHashMap::default(), simpler: FxHashMap::default() };
    let simple = ends.simplify(linear);
    let simple = pool.simplify(simple, paths);
    if pool.depth(simple) > MAX_DEPTH || simple == pool.simplify(linear, paths) {
        return None;
    }
    Some(Request { question: Question::formula(pool, simple, paths, settings.route), ..asked.clone() })
}

/// Formulas, and what they are worth where nothing can fire.
struct Ends<'p> {
    pool: &'p mut Pool,
    paths: PathSemantics,
    /// The values in the end, if there are any.
    values: FxHashMap<FormulaId, Option<FormulaId>>,
    simpler: FxHashMap<FormulaId, FormulaId>,
}

impl Ends<'_> {
    /// A condition that holds in a deadlock if and only if the formula does. It has no temporal operators and no quantifiers.
    fn value(&mut self, formula: FormulaId) -> Option<FormulaId> {
        if let Some(&known) = self.values.get(&formula) {
            return known;
        }
        let value = self.value_of(formula);
        let value = value.map(|value| self.pool.simplify(value, self.paths));
        self.values.insert(formula, value);
        value
    }

    fn value_of(&mut self, formula: FormulaId) -> Option<FormulaId> {
        let node = self.pool[formula].clone();
        match node {
            Formula::True | Formula::False | Formula::Compare(..) => Some(formula),
            // Where runs stutter, the repetition of a deadlock is a step where any label will do, and nowhere else.
            Formula::Diamond(None, a) | Formula::Box(None, a) if self.paths == PathSemantics::Stutter => self.value(a),
            Formula::Deadlock | Formula::Box(..) => Some(self.pool.add(Formula::True)),
            Formula::Enabled(_) | Formula::Diamond(..) => Some(self.pool.add(Formula::False)),
            Formula::Not(_) | Formula::And(_) | Formula::Or(_) | Formula::Implies(..) | Formula::Iff(..) => {
                let mut all = true;
                let node = node.map(|operand| match self.value(operand) {
                    Some(value) => value,
                    None => {
                        all = false;
                        operand
                    }
                });
                all.then(|| self.pool.add(node))
            }
            Formula::Exists(path) | Formula::Forall(path)
                if self.paths == PathSemantics::Maximal && matches!(self.pool[path], Formula::Next(_)) =>
            {
                let all = matches!(self.pool[formula], Formula::Forall(_));
                Some(self.pool.add(if all { Formula::True } else { Formula::False }))
            }
            Formula::Exists(a) | Formula::Forall(a) | Formula::Finally(a) | Formula::Globally(a) => self.value(a),
            Formula::Next(a) if self.paths == PathSemantics::Stutter => self.value(a),
            Formula::Until(_, b) | Formula::Release(_, b) => self.value(b),
            Formula::WeakUntil(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                Some(self.pool.or(vec![a, b]))
            }
            Formula::StrongRelease(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                Some(self.pool.and(vec![a, b]))
            }
            Formula::Yesterday(_) | Formula::WeakYesterday(_) | Formula::Since(..) | Formula::Trigger(..) => None,
            Formula::Next(_) | Formula::Still(_) | Formula::Label(_) | Formula::Set(_) | Formula::Action(_) => None,
        }
    }

    /// Is this the value in the end, whatever the deadlock?
    fn is(&mut self, formula: FormulaId, value: bool) -> bool {
        let constant = if value { Formula::True } else { Formula::False };
        self.value(formula).is_some_and(|found| self.pool[found] == constant)
    }

    /// The formula, simplified from within.
    fn simplify(&mut self, formula: FormulaId) -> FormulaId {
        if let Some(&known) = self.simpler.get(&formula) {
            return known;
        }
        let node = match self.of_the_end(formula) {
            Some(condition) => condition,
            None => {
                let node = self.pool[formula].clone().map(|operand| self.simplify(operand));
                self.simplify_node(node)
            }
        };
        self.simpler.insert(formula, node);
        node
    }

    /// The formula as a question of reachability, where it depends on deadlocks alone.
    fn of_the_end(&mut self, formula: FormulaId) -> Option<FormulaId> {
        let (path, all) = match self.pool[formula] {
            Formula::Forall(path) => (path, true),
            Formula::Exists(path) => (path, false),
            _ => return None,
        };
        let (operand, always) = match self.pool[path] {
            Formula::Globally(operand) => (operand, true),
            Formula::Finally(operand) => (operand, false),
            _ => return None,
        };
        let inner = match (self.pool[operand].clone(), all, always) {
            // A G F, A F G, E G F, E F G
            (Formula::Finally(inner), _, true) | (Formula::Globally(inner), _, false) => inner,
            (Formula::Exists(path), _, true) => match self.pool[path] {
                // AG EF, EG EF
                Formula::Finally(inner) => inner,
                _ => return None,
            },
            (Formula::Forall(path), _, false) => match self.pool[path] {
                // AF AG, EF AG
                Formula::Globally(inner) => inner,
                _ => return None,
            },
            (Formula::Forall(path), true, true) => match self.pool[path] {
                // AG AF
                Formula::Finally(inner) => inner,
                _ => return None,
            },
            (Formula::Exists(path), false, false) => match self.pool[path] {
                // EF EG
                Formula::Globally(inner) => inner,
                _ => return None,
            },
            _ => return None,
        };
        let value = self.value(inner)?;
        let dead = self.pool.add(Formula::Deadlock);
        if all {
            let alive = self.pool.not(dead);
            let condition = self.pool.or(vec![alive, value]);
            Some(self.pool.always(condition))
        } else {
            let condition = self.pool.and(vec![dead, value]);
            Some(self.pool.sometimes(condition))
        }
    }

    /// A node of simplified operands.
    fn simplify_node(&mut self, node: Formula) -> FormulaId {
        let simple = match node {
            Formula::Finally(a) if self.is(a, true) => Formula::True,
            Formula::Globally(a) if self.is(a, false) => Formula::False,
            Formula::Until(a, b) if self.is(b, true) => Formula::WeakUntil(a, b),
            Formula::WeakUntil(a, b) if self.is(a, false) => Formula::Until(a, b),
            Formula::Release(a, b) if self.is(b, false) => Formula::StrongRelease(a, b),
            Formula::StrongRelease(a, b) if self.is(a, true) => Formula::Release(a, b),
            Formula::Globally(a) | Formula::Finally(a) => {
                let always = matches!(node, Formula::Globally(_));
                let inner = match self.pool[a] {
                    Formula::Finally(inner) if always => Some(inner),
                    Formula::Globally(inner) if !always => Some(inner),
                    _ => None,
                };
                match inner.and_then(|inner| self.value(inner)) {
                    Some(value) => Formula::Finally(self.pool.add(Formula::Globally(value))),
                    None => node,
                }
            }
            other => other,
        };
        self.pool.add(simple)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::decide::{Recorder, Value, decide};
    use crate::formula::Logic;
    use crate::model::Groups;
    use crate::net::{NetBuilder, PetriNet};
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net, with_modalities};
    use crate::reference::explore;

    /// The net with fuel that each transition takes some of, and mostly gives to the next place of the chain: every run ends.
    fn with_fuel(rng: &mut Rng, net: &PetriNet) -> PetriNet {
        let mut b = NetBuilder::new("fuel");
        let places: Vec<_> = net.places().iter().map(|place| b.place(&place.id, place.initial).unwrap()).collect();
        let fuel: Vec<_> = (0..3).map(|n| b.place(format!("fuel{n}"), 1 + rng.below(2) as u64).unwrap()).collect();
        for (number, transition) in net.transitions().iter().enumerate() {
            let t = b.transition(format!("t{number}")).unwrap();
            transition.pre.iter().for_each(|arc| b.input(places[arc.place.index()], t, arc.weight).unwrap());
            transition.post.iter().for_each(|arc| b.output(t, places[arc.place.index()], arc.weight).unwrap());
            let from = rng.below(fuel.len());
            b.input(fuel[from], t, 1).unwrap();
            if from + 1 < fuel.len() {
                b.output(t, fuel[from + 1], 1).unwrap();
            }
        }
        b.build().unwrap()
    }

    #[test]
    fn simpler_formulas_hold_in_the_same_markings() {
        let (mut changed, mut flat) = (0, 0);
        for seed in 0..1500 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 20, inhibitors: false, ..NetShape::default() });
            let net = with_fuel(&mut rng, &net);
            let Some(graph) = explore(&net, 400) else { continue };
            assert!(is_terminating(&net, &Budget::unlimited()), "seed {seed}");
            let paths = [PathSemantics::Maximal, PathSemantics::Stutter][rng.below(2)];
            let mut pool = Pool::new();
            let mut asked: Vec<Request> = Vec::new();
            let mut expected = Vec::new();
            for logic in [Logic::Ctl, Logic::Ltl, Logic::CtlStar] {
                let shape = FormulaShape { logic, size: 3 + rng.below(8) };
                let drawn = formula(&mut rng, &net, &shape, &mut pool);
                let drawn = pool.close(drawn);
                let drawn = if seed % 3 == 0 { with_modalities(&mut rng, &net, drawn, &mut pool) } else { drawn };
                let Ok(sets) = check(Setting::new(&graph, &pool, paths), drawn) else { continue };
                let sat = sets[&drawn].clone();
                let question = Request::from(Question::formula(&mut pool, drawn, paths, Default::default()));
                if let Some(simple) = simpler(&mut pool, &question, &Settings::default()) {
                    changed += 1;
                    let Question::Formula { formula, linear, .. } = simple.question else { unreachable!() };
                    for form in [formula, linear] {
                        let sets = check(Setting::new(&graph, &pool, paths), form).unwrap();
                        assert_eq!(sets[&form], sat, "seed {seed}");
                    }
                    flat += usize::from(pool.depth(linear) < pool.depth(drawn));
                }
                expected.push(sat[0]);
                asked.push(question);
            }
            // All ways together.
            if seed % 10 == 0 {
                let groups = Groups::single(&net);
                let kept = Recorder::new(asked.len());
                let subject = Subject { model: &net, groups: &groups, pool: &pool };
                decide(subject, &asked, &Settings::default(), &Budget::unlimited(), &kept);
                for (heard, &expected) in kept.into_recorded().into_iter().zip(&expected) {
                    assert_eq!(heard.answer.unwrap().value, Value::Verdict(expected), "seed {seed}");
                }
            }
        }
        assert!(changed > 500 && flat > 300, "{changed} {flat}");
    }

    /// Each row of the table is met, and what is not in it stays.
    #[test]
    fn the_table_is_what_is_done() {
        use crate::formula::{Symbols, parse};
        let mut b = NetBuilder::new("end");
        let (here, there) = (b.place("here", 1).unwrap(), b.place("there", 0).unwrap());
        let go = b.transition("go").unwrap();
        b.input(here, go, 1).unwrap();
        b.output(go, there, 1).unwrap();
        let net = b.build().unwrap();
        let symbols = Symbols::new(&net);
        for (formula, expected) in [
            ("A F !enabled(go)", "true"),
            ("E G enabled(go)", "false"),
            ("A G F #there = 1", "A G (!deadlock | #there = 1)"),
            ("AG EF #there = 1", "A G (!deadlock | #there = 1)"),
            ("AF AG #there = 1", "A G (!deadlock | #there = 1)"),
            ("E F G #there = 1", "E F (deadlock & #there = 1)"),
            ("EG EF #there = 1", "E F (deadlock & #there = 1)"),
            ("AG AF (enabled(go) | #there = 1)", "A G (!deadlock | #there = 1)"),
            ("EF EG #there = 1", "E F (deadlock & #there = 1)"),
            ("A (#here = 1 U !enabled(go))", "A (#here = 1 W !enabled(go))"),
            ("A G F <*> true", "true"),
            ("E F G [*] false", "false"),
            ("AG EF <*> #there = 1", "A G (!deadlock | #there = 1)"),
            ("E F G [go] false", "E F deadlock"),
            ("A F <go> true", "A F <go> true"),
            ("A G #here = 1", "A G #here = 1"),
            ("EG AF #here = 1", "EG AF #here = 1"),
            ("AF EG #here = 1", "AF EG #here = 1"),
        ] {
            let mut pool = Pool::new();
            let given = parse(formula, &symbols, &mut pool).unwrap();
            let expected = parse(expected, &symbols, &mut pool).unwrap();
            let paths = PathSemantics::Stutter;
            let question = Request::from(Question::formula(&mut pool, given, paths, Default::default()));
            let simple = simpler(&mut pool, &question, &Settings::default()).unwrap_or(question);
            let Question::Formula { linear, .. } = simple.question else { unreachable!() };
            let (found, expected) = (pool.simplify(linear, paths), pool.simplify(expected, paths));
            assert_eq!(found, expected, "{formula}: {}", pool.display(found, &symbols));
        }
    }
}
