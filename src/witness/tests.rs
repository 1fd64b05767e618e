//! Random nets and formulas: every value that a path can show has a witness that replays; broken witnesses
//! do not.

#![allow(clippy::unwrap_used)]

use super::explain::MAX_RUNS;
use super::replay::replay;
use super::*;
use crate::budget::Budget;
use crate::explicit::{Encoding, Options, check_ltl};
use crate::formula::{Formula, Logic, Pool};
use crate::kinds::Kind;
use crate::mdd::{MddManager, with_deep_stack};
use crate::net::{PetriNet, TransitionId};
use crate::random::{FormulaShape, NetShape, Rng, formula, net, with_past};
use crate::symbolic::{Checker, Search, reachable_set};

/// Values of conditions, for tests of what finds runs.
pub(crate) struct Valued<'a>(valuation::Valuation<'a>);

impl<'a> Valued<'a> {
    pub(crate) fn new(model: &'a dyn crate::model::TransitionSystem, pool: &'a Pool) -> Self {
        Valued(valuation::Valuation { model, pool, bound: &|_| None })
    }

    pub(crate) fn state(&self, formula: FormulaId, state: &crate::net::Marking) -> Option<bool> {
        self.0.state(formula, state, &mut |_| None)
    }
}

/// Calls `test` with a checker for each path semantics, whose runs are found state by state and ring by ring.
fn with_checkers(net: &PetriNet, mut test: impl FnMut(&mut Checker<'_>) + Send) {
    with_deep_stack(net.place_count(), || {
        let budget = Budget::unlimited();
        let order: Vec<_> = net.place_ids().collect();
        let relation = net.relation(&order).unwrap();
        let space = MddManager::new(relation.levels(), &budget.clone().with_memory(64 << 20)).unwrap();
        let states = reachable_set(&relation, &space, Search::Saturation, &budget, &mut |_| {}).unwrap();
        for paths in PathSemantics::ALL {
            for work in [usize::MAX, 0] {
                test(&mut Checker::new(&relation, states.clone(), paths).unwrap().with_run_work(work));
            }
        }
    });
}

/// Is the reason, or are all on which it rests, one that shows something where a path could?
fn shown(pool: &Pool, reason: &Reason) -> bool {
    match (&reason.because, &pool[reason.formula], reason.holds) {
        (Because::Computed, Formula::Exists(_), true) | (Because::Computed, Formula::Forall(_), false) => false,
        (Because::Parts(parts), ..) => !parts.is_empty() && parts.iter().all(|part| shown(pool, part)),
        _ => true,
    }
}

fn random(seed: u64, logic: Logic) -> (PetriNet, Pool, FormulaId) {
    let mut rng = Rng::new(seed);
    let net = net(&mut rng, &NetShape::default());
    let mut pool = Pool::new();
    let size = 1 + rng.below(10);
    let formula = formula(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
    let formula = if seed % 4 == 3 { with_past(&mut rng, formula, &mut pool) } else { formula };
    let closed = pool.close(formula);
    (net, pool, closed)
}

/// Every formula and its negation under all path semantics; how many were explained.
fn is_explained(seed: u64, logic: Logic) -> usize {
    let (net, mut pool, formula) = random(seed, logic);
    let negation = pool.not(formula);
    let budget = Budget::unlimited();
    let mut explained = 0;
    with_checkers(&net, |checker| {
        for formula in [formula, negation] {
            let verdict = match checker.holds_initially(&pool, formula, &budget) {
                Ok(verdict) => verdict,
                // Divisions by zero and the like.
                Err(_) => continue,
            };
            let witness = explain_by_sets(&net, &pool, checker, formula, &budget).unwrap();
            assert_eq!(witness.reason.holds, verdict);
            assert!(witness.runs.len() >= MAX_RUNS || shown(&pool, &witness.reason), "{witness:?}");
            explained += 1;
        }
    });
    explained
}

/// Of each seed 12 formulas, checkers and negations included, are asked; divisions by zero and the like are few.
fn everything_is_explained(seeds: std::ops::Range<u64>, logic: Logic) {
    let asked = 12 * seeds.clone().count();
    let explained: usize = seeds.map(|seed| is_explained(seed, logic)).sum();
    assert!(explained * 10 > asked * 9, "{explained} of {asked}");
}

/// The formula with action atoms in the place of some of its atoms.
fn with_actions(rng: &mut Rng, net: &PetriNet, pool: &mut Pool, formula: FormulaId) -> FormulaId {
    let label = |rng: &mut Rng| TransitionId(rng.below(net.transition_count()) as u32);
    let rebuilt = pool.rebuild(formula, |pool, node| {
        Some(match node {
            Formula::Enabled(_) | Formula::Compare(..) if rng.one_in(2) => {
                Formula::Action(vec![label(rng), label(rng)])
            }
            Formula::Exists(path) if rng.one_in(3) => Formula::Diamond(Some(vec![label(rng)]), pool.close(path)),
            node => node,
        })
    });
    pool.close(rebuilt.unwrap())
}

/// Formulas over actions, too: runs by both searches, and those of explicit search.
#[test]
fn what_is_about_actions_is_explained() {
    let (mut explained, mut runs, mut searched) = (0, 0, 0);
    for seed in 0..300 {
        let (net, mut pool, formula) = random(seed, [Logic::Ltl, Logic::CtlStar, Logic::Ctl][seed as usize % 3]);
        if net.transition_count() == 0 {
            continue;
        }
        let formula = with_actions(&mut Rng::new(seed), &net, &mut pool, formula);
        let negation = pool.not(formula);
        let budget = Budget::unlimited();
        with_checkers(&net, |checker| {
            for formula in [formula, negation] {
                let Ok(verdict) = checker.holds_initially(&pool, formula, &budget) else { continue };
                let witness = explain_by_sets(&net, &pool, checker, formula, &budget).unwrap();
                assert_eq!(witness.reason.holds, verdict);
                assert!(witness.runs.len() >= MAX_RUNS || shown(&pool, &witness.reason), "{seed} {witness:?}");
                explained += 1;
                runs += witness.runs.len();
            }
        });
        for paths in PathSemantics::ALL {
            let options = Options { witness: true, ..Options::default() };
            let engine = net.compile(&Encoding::default(), &budget).unwrap();
            let Ok(found) = check_ltl(&*engine, &mut pool, formula, paths, &options, &budget) else { continue };
            let witness = explain_search(&net, &pool, paths, formula, found.holds, found.path.as_ref()).unwrap();
            searched += usize::from(witness.is_some_and(|witness| !witness.runs.is_empty()));
        }
    }
    assert!(explained > 2000 && runs > 800 && searched > 80, "{explained} {runs} {searched}");
}

/// CTL and CTL* by labels of the reachability graph: the verdict of the sat-sets, and a witness for it.
#[test]
fn what_is_labelled_is_explained() {
    let (mut explained, mut runs) = (0, 0);
    for seed in 0..900 {
        let (net, mut pool, formula) = random(seed, if seed < 500 { Logic::Ctl } else { Logic::CtlStar });
        let negation = pool.not(formula);
        let budget = Budget::unlimited();
        let engine = net.compile(&Encoding::default(), &budget).unwrap();
        let mut labelling = engine.labelling(&budget).unwrap();
        for paths in PathSemantics::ALL {
            for formula in [formula, negation] {
                // Divisions by zero and bounds.
                let Ok(labels) = labelling.label(&pool, formula, paths, &budget) else { continue };
                let witness = explain_by_labels(&net, &pool, &labelling, &labels, formula, &budget).unwrap();
                assert_eq!(witness.reason.holds, labels.of(formula).unwrap().holds_initially());
                assert!(witness.runs.len() >= MAX_RUNS || shown(&pool, &witness.reason), "{seed} {witness:?}");
                explained += 1;
                runs += witness.runs.len();
            }
        }
    }
    assert!(explained > 2700 && runs > 1400, "{explained} explained by {runs} runs");
}

/// One change to a witness that makes it wrong; `None` if this one does not apply.
fn mutated(witness: &Witness, net: &PetriNet, rng: &mut Rng) -> Option<(&'static str, Witness)> {
    let mut broken = witness.clone();
    let number = rng.below(witness.runs.len().max(1));
    let run = broken.runs.get_mut(number);
    let kind = match rng.below(6) {
        0 => {
            broken.reason.holds = !broken.reason.holds;
            "verdict"
        }
        1 => {
            let run = run?;
            let at = rng.below(run.positions.len());
            let mut tokens = run.positions[at].marking.as_slice().to_vec();
            *tokens.get_mut(rng.below(net.place_count()))? += 1;
            run.positions[at].marking = Marking::new(tokens);
            "marking"
        }
        2 => {
            let run = run.filter(|run| !run.fired.is_empty())?;
            let at = rng.below(run.fired.len());
            let other = TransitionId(rng.below(net.transition_count() + 1) as u32);
            let from = &run.positions[at].marking;
            let to = &run.positions[run.next(at)?].marking;
            // Another transition may do the same.
            if other.index() < net.transition_count() && from.fire(net, other).as_ref() == Some(to) {
                return None;
            }
            run.fired[at] = other.into();
            "transition"
        }
        3 => {
            let run = run?;
            let End::Loop(start) = run.end else { return None };
            let other = rng.below(run.positions.len() + 1);
            let same = run.positions.get(other).is_some_and(|p| p.marking == run.positions[start].marking);
            if same {
                return None;
            }
            run.end = End::Loop(other);
            "loop"
        }
        4 => {
            let run = run?;
            let at = rng.below(run.positions.len());
            let part = run.positions[at].parts.first_mut()?;
            part.holds = !part.holds;
            "part"
        }
        _ => {
            let run = run.filter(|run| run.positions.len() > 1)?;
            run.positions.remove(1);
            run.fired.remove(0);
            // What is left may be a run all the same if nothing changed.
            if run.positions[0].marking == witness.runs[number].positions[1].marking {
                return None;
            }
            let first = run.fired.first().and_then(|step| run.positions[0].marking.fire(net, step.action));
            if first.is_some() || run.fired.is_empty() {
                return None;
            }
            "step"
        }
    };
    Some((kind, broken))
}

#[test]
fn mutations_are_rejected() {
    let mut rejected = std::collections::BTreeMap::new();
    for seed in 0..120 {
        let logic = [Logic::Ltl, Logic::Ctl, Logic::CtlStar][seed as usize % 3];
        let (net, pool, formula) = random(seed, logic);
        let budget = Budget::unlimited();
        let mut rng = Rng::new(seed);
        with_checkers(&net, |checker| {
            // All sat-sets are known then, also those that the verdict does not need.
            if checker.sat(&pool, formula, &budget).is_err() {
                return;
            }
            let witness = explain_by_sets(&net, &pool, checker, formula, &budget).unwrap();
            for _ in 0..12 {
                let Some((kind, broken)) = mutated(&witness, &net, &mut rng) else { continue };
                let known = |f: FormulaId, m: &Marking| checker.known_at(f, &checker.state_of(m.as_slice())?);
                let bound = |places: &[crate::net::PlaceId]| checker.bound(places, &budget).ok();
                assert_eq!(replay(&net, &pool, &witness, &known, &bound).err(), None);
                let replayed = replay(&net, &pool, &broken, &known, &bound);
                assert!(replayed.is_err(), "{kind} of seed {seed}: {witness:?}\n{broken:?}");
                *rejected.entry(kind).or_insert(0) += 1;
            }
        });
    }
    assert_eq!(rejected.len(), 6, "{rejected:?}");
    assert!(rejected.values().all(|&count| count > 10), "{rejected:?}");
}

/// A witness of an infinite path does not end, one of a finite path ends in a deadlock.
#[test]
fn ends_are_checked() {
    let mut b = crate::net::NetBuilder::new("two");
    let (p, q) = (b.place("p", 1).unwrap(), b.place("q", 0).unwrap());
    for (id, from, to) in [("go", p, q), ("back", q, p)] {
        let t = b.transition(id).unwrap();
        b.input(from, t, 1).unwrap();
        b.output(t, to, 1).unwrap();
    }
    let net = b.build().unwrap();
    let mut pool = Pool::new();
    let symbols = crate::formula::Symbols::new(&net);
    let formula = crate::formula::parse("E G F #q = 1", &symbols, &mut pool).unwrap();
    let position = |marking: Marking| Position { marking, parts: Vec::new(), reasons: Vec::new() };
    let first = net.initial_marking();
    let second = first.fire(&net, TransitionId(0)).unwrap();
    let end_in = |end: End, fired: &[u32], paths: PathSemantics| {
        let positions = vec![position(first.clone()), position(second.clone())];
        let fired = fired.iter().map(|&t| TransitionId(t).into()).collect();
        let runs = vec![Run { formula, positions, fired, end, least: 0 }];
        let witness = Witness { paths, reason: Reason { formula, holds: true, because: Because::Run(0) }, runs };
        replay(&net, &pool, &witness, &|_, _| None, &|_| None)
    };
    for paths in PathSemantics::ALL {
        assert!(end_in(End::Loop(0), &[0, 1], paths).is_ok());
        assert!(end_in(End::Loop(1), &[0, 1], paths).is_err(), "back leads to the first marking");
        assert!(end_in(End::Loop(2), &[0, 1], paths).is_err(), "no such position");
        assert!(end_in(End::Loop(0), &[0], paths).is_err(), "the loop is not closed");
        assert!(end_in(End::Deadlock, &[0], paths).is_err(), "q enables a transition");
        assert!(end_in(End::Open, &[0], paths).is_err(), "what follows does matter");
    }
}

#[test]
fn ltl() {
    everything_is_explained(0..60, Logic::Ltl);
}

#[test]
fn ctl() {
    everything_is_explained(1000..1060, Logic::Ctl);
}

#[test]
fn ctl_star() {
    everything_is_explained(2000..2060, Logic::CtlStar);
}

/// CTL by searches on the fly: the verdict of the labels, and a witness that replays wherever the searches have passed
/// the paths that it takes.
#[test]
fn what_is_searched_locally_is_explained() {
    let (mut explained, mut runs, mut none) = (0, 0, 0);
    for seed in 4000..4300 {
        let (net, mut pool, formula) = random(seed, Logic::Ctl);
        let negation = pool.not(formula);
        let budget = Budget::unlimited();
        let engine = net.compile(&Encoding::default(), &budget).unwrap();
        let mut labelling = engine.labelling(&budget).unwrap();
        for paths in PathSemantics::ALL {
            for formula in [formula, negation] {
                let Ok(labels) = labelling.satisfying(&pool, formula, paths, &budget) else { continue };
                match explain_locally(&*engine, &pool, paths, formula, &Options::default(), &budget) {
                    Ok(witness) => {
                        assert_eq!(witness.reason.holds, labels.holds_initially(), "seed {seed}");
                        assert!(witness.runs.len() >= MAX_RUNS || shown(&pool, &witness.reason), "{seed} {witness:?}");
                        explained += 1;
                        runs += witness.runs.len();
                    }
                    Err(Unexplained::Stopped(_)) => none += 1,
                    Err(Unexplained::Broken(broken)) => panic!("seed {seed} {paths}: {broken}"),
                }
            }
        }
    }
    assert!(explained > 800 && runs > 300 && none < 400, "{explained} explained by {runs} runs, {none} not");
}

/// Of the explicit engine: a formula of LTL that is not true has a run, and it replays.
#[test]
fn runs_of_explicit_search() {
    let (mut shown, mut computed, mut none) = (0, 0, 0);
    for seed in 3000..3100 {
        let (net, mut pool, formula) = random(seed, Logic::Ltl);
        let options = Options { witness: true, ..Options::default() };
        let budget = Budget::unlimited();
        let engine = net.compile(&Encoding::default(), &budget).unwrap();
        for paths in PathSemantics::ALL {
            let Ok(verdict) = check_ltl(&*engine, &mut pool, formula, paths, &options, &budget) else { continue };
            let path = verdict.path.as_ref();
            let Some(witness) = explain_search(&net, &pool, paths, formula, verdict.holds, path).unwrap() else {
                // Nothing to show it by: a Boolean combination, or a bound.
                let bound = format!("{pool:?}").contains("Bounds");
                assert!(bound || !matches!(pool[formula], Formula::Forall(_)), "seed {seed}");
                none += 1;
                continue;
            };
            assert_eq!(witness.reason.holds, verdict.holds);
            let by_run = witness.reason.because == Because::Run(0);
            assert_eq!(path.is_some() && !verdict.holds, by_run, "seed {seed}");
            shown += usize::from(by_run);
            computed += usize::from(!by_run);
        }
    }
    assert!(shown > 100 && computed > 50 && none < 60, "{shown} {computed} {none}");
}

/// The proofs of all positions of a long run rest on a far one, and share it.
#[test]
fn long_runs_are_explained_soon() {
    const TOKENS: u64 = 30_000;
    let mut b = crate::net::NetBuilder::new("clock");
    let (before, after) = (b.place("before", TOKENS).unwrap(), b.place("after", 0).unwrap());
    let tick = b.transition("tick").unwrap();
    b.input(before, tick, 1).unwrap();
    b.output(tick, after, 1).unwrap();
    let net = b.build().unwrap();
    let mut pool = Pool::new();
    let formula = crate::formula::parse("A F G #before >= 1", &crate::formula::Symbols::new(&net), &mut pool).unwrap();
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let options = Options { witness: true, ..Options::default() };
    let found =
        check_ltl(&*engine, &mut pool, formula, PathSemantics::Stutter, &options, &Budget::unlimited()).unwrap();
    assert!(!found.holds);
    let witness = explain_search(&net, &pool, PathSemantics::Stutter, formula, false, found.path.as_ref());
    let witness = witness.unwrap().unwrap();
    assert_eq!(witness.runs[0].positions.len() as u64, TOKENS + 1);
    // What holds again and again is shown once: in the end, which repeats for ever.
    let shown = |position: Option<&Position>| position.is_some_and(|position| !position.parts.is_empty());
    assert!(shown(witness.runs[0].positions.last()));
}

/// Confirmed claims are true, by brute force; and results of searches are confirmed.
#[test]
fn what_is_confirmed_is_true() {
    use crate::model::{Path, Then};
    use crate::oracle::{Setting, check};
    use crate::reference::explore;
    let budget = Budget::unlimited();
    let (mut confirmed, mut refused, mut found, mut undecided) = (0, 0, 0, 0);
    for seed in 0..900u64 {
        let (net, mut pool, formula) = random(seed, [Logic::Ltl, Logic::Reachability, Logic::Ctl][seed as usize % 3]);
        if !matches!(pool[formula], Formula::Exists(_) | Formula::Forall(_)) {
            continue;
        }
        let Some(graph) = explore(&net, 200) else { continue };
        let engine = net.compile(&Encoding::default(), &budget).unwrap();
        let mut rng = Rng::new(seed);
        for paths in PathSemantics::ALL {
            let Ok(truth) = check(Setting::new(&graph, &pool, paths), formula) else { continue };
            let holds = truth[&formula][0];
            // Any walk, gone on in any way.
            for _ in 0..4 {
                let (mut at, mut prefix, mut passed) = (net.initial_marking(), Vec::new(), vec![net.initial_marking()]);
                for _ in 0..rng.below(12) {
                    let enabled: Vec<_> = at.enabled(&net).collect();
                    let Some(&t) = rng.pick(&enabled) else { break };
                    at = at.fire(&net, t).unwrap();
                    prefix.push(Step::from(t));
                    passed.push(at.clone());
                }
                let last = passed.len() - 1;
                let start = passed[..last].iter().position(|marking| *marking == at);
                let then = match (rng.below(3), start) {
                    (0, _) => Then::Open,
                    (1, Some(start)) => Then::Cycle(prefix.split_off(start)),
                    _ => Then::Deadlock,
                };
                for said in [true, false] {
                    let claim = Claim { model: &net, pool: &pool, formula, holds: said, paths };
                    let path = Path { prefix: prefix.clone(), then: then.clone() };
                    match confirm(claim, &path, &budget) {
                        Ok(()) => {
                            assert_eq!(said, holds, "seed {seed}, {paths}: {path:?}");
                            confirmed += 1;
                        }
                        Err(_) => refused += 1,
                    }
                }
            }
            for (run, witness) in [(true, false), (false, true)] {
                let options = Options { run, witness, ..Options::default() };
                let Ok(verdict) = check_ltl(&*engine, &mut pool, formula, paths, &options, &budget) else { continue };
                assert_eq!(verdict.holds, holds);
                let Some(path) = verdict.path else { continue };
                let claim = Claim { model: &net, pool: &pool, formula, holds, paths };
                match confirm(claim, &path, &budget) {
                    Ok(()) => found += 1,
                    // Formulas about greatest sums, and runs that are not closed soon.
                    Err(Unconfirmed::Undecided) => undecided += 1,
                    Err(other) => panic!("seed {seed}, {paths}: {other:?} {path:?}"),
                }
            }
        }
    }
    let numbers = format!("{confirmed} {refused} {found} {undecided}");
    assert!(confirmed > 300 && refused > 3000 && found > 300 && undecided * 5 < found, "{numbers}");
}
