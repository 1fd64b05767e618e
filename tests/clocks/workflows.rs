//! Soundness: examples that tell the notions apart, and random nets against definitions checked one by one.

use super::brute::Brute;
use super::nets;
use starset::kinds::clocks::fairness::{Incomplete, incomplete};
use starset::kinds::clocks::line_format;
use starset::kinds::clocks::markings::Limits;
use starset::kinds::clocks::model::{ClockNet, PlaceId, TransitionId};
use starset::kinds::clocks::random::{Shape, net};
use starset::kinds::clocks::rational::integer;
use starset::kinds::clocks::replay::{Run, replay};
use starset::kinds::clocks::scaled::Scaled;
use starset::kinds::clocks::soundness::{Demand, NoWorkflow, Soundness, Workflow, soundness, soundness_by};
use starset::kinds::clocks::zone_graph::ZoneOptions;
use starset::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

fn read(text: &str) -> ClockNet {
    line_format::read(text, "test").unwrap()
}

fn sound(net: &ClockNet) -> Soundness {
    let w = Workflow::of(net).unwrap();
    let scaled = Scaled::new(net).unwrap();
    let s = soundness(&scaled, &w, &Limits::default()).unwrap();
    let united = soundness_by(&scaled, &w, ZoneOptions::united()).unwrap();
    let demands = |s: &Soundness| {
        let demands = [&s.option_to_complete, &s.proper_completion, &s.option_to_mark, &s.single];
        demands.map(|demand| {
            if let Demand::Refuted(run) = demand {
                replay(net, run.as_ref().unwrap()).unwrap();
            }
            demand.is_met()
        })
    };
    assert_eq!((demands(&s), &s.dead, &s.useless), (demands(&united), &united.dead, &united.useless));
    s
}

/// Classical, weak, relaxed, lazy; and whether every fair run completes.
fn check(text: &str, expected: [bool; 5]) {
    let net = read(text);
    let s = sound(&net);
    let w = Workflow::of(&net).unwrap();
    let fair = incomplete(&Scaled::new(&net).unwrap(), &Limits::default(), &|m| w.is_final(m)).unwrap();
    assert_eq!([s.classical(), s.weak(), s.relaxed(), s.lazy(), fair.is_none()], expected, "{text}");
}

#[test]
fn notions_told_apart() {
    check("place i init 1\nplace o\ntrans t : i -> o", [true; 5]);
    // A loop can be left: fair runs complete, and every state can.
    check("place i init 1\nplace p\nplace o\ntrans a : i -> p\ntrans b : p -> p\ntrans c : p -> o", [true; 5]);
    // A dead end, and a transition that never fires.
    check("place i init 1\nplace p\nplace o\ntrans t : i -> o\ntrans a : i -> p\ntrans b : p i -> o", [false; 5]);
    // A transition that never fires: weak.
    check(
        "place i init 1\nplace p\nplace o\ntrans a : i -> p\ntrans t : p -> o\ntrans d : p*2 -> o",
        [false, true, false, true, true],
    );
    // A token is left behind: lazy, not weak; every transition is still part of a good run.
    check(
        "place i init 1\nplace p\nplace q\nplace o\ntrans split : i -> p q\ntrans early : p -> o\ntrans join : p q -> o",
        [false, false, false, true, false],
    );
    // A wrong choice blocks, a right one completes: relaxed.
    check(
        "place i init 1\nplace a\nplace b\nplace c\nplace o\ntrans s : i -> a b\ntrans u : a -> c\ntrans v : c b -> o\n\
         trans w : a b -> o",
        [true; 5],
    );
    check(
        "place i init 1\nplace a\nplace b\nplace c\nplace d\nplace o\ntrans s : i -> a b\ntrans a1 : a -> c\n\
         trans a2 : a -> c*2\ntrans j1 : c b -> o\ntrans j2 : c*2 b -> o\ntrans k : b -> d\ntrans l : d c*2 -> o",
        [false, false, true, false, false],
    );
}

#[test]
fn time_makes_and_breaks_soundness() {
    // Sound without time; with time the second task comes too late.
    let net = read(
        "clocks x\nplace i init 1 inv x<=5\nplace p inv x<=9\nplace o\ntrans a : i -> p when x>=1\n\
         trans b : p -> o when x<=3",
    );
    assert!(sound(&net.without_time()).classical());
    let s = sound(&net);
    assert!(!s.classical() && s.relaxed() && s.dead.is_empty());
    // Unsound without time, where the wrong choice is possible; time excludes it.
    let net = read(
        "clocks x\nplace i init 1 inv x<=5\nplace p\nplace q\nplace o\ntrans good : i -> p\ntrans bad : i -> q when x>5\n\
         trans a : p -> o\ntrans b : q p -> o",
    );
    assert!(!sound(&net.without_time()).weak());
    let s = sound(&net);
    assert!(s.weak() && !s.classical());
}

#[test]
fn no_workflow_nets() {
    for (text, expected) in [
        ("place i init 1\nplace j\nplace o\ntrans t : i j -> o", NoWorkflow::Sources(2)),
        ("place i init 1\nplace o\nplace p\ntrans t : i -> o p", NoWorkflow::Sinks(2)),
        ("place i init 1\nplace o\nplace p\ntrans t : i -> o\ntrans u : p -> p", NoWorkflow::OffPath("p".into())),
        ("place i init 2\nplace o\ntrans t : i -> o", NoWorkflow::Start("i".into())),
    ] {
        assert_eq!(Workflow::of(&read(text)), Err(expected));
    }
}

/// The reachability graph without time, by the definition.
struct Plain {
    states: Vec<Vec<u32>>,
    edges: Vec<Vec<(usize, usize)>>,
}

fn plain(net: &ClockNet) -> Plain {
    let mut g = Plain { states: vec![net.initial_marking().to_vec()], edges: vec![] };
    while g.edges.len() < g.states.len() {
        let state = g.states[g.edges.len()].clone();
        let mut edges = Vec::new();
        for t in (0..net.transitions.len()).filter(|&t| net.enabled(TransitionId(t as u32), &state)) {
            let next = net.fire(TransitionId(t as u32), &state).unwrap().to_vec();
            let at = g.states.iter().position(|s| *s == next).unwrap_or_else(|| {
                g.states.push(next);
                g.states.len() - 1
            });
            edges.push((t, at));
        }
        g.edges.push(edges);
    }
    g
}

impl Plain {
    fn can_reach(&self, goal: &dyn Fn(&[u32]) -> bool) -> Vec<bool> {
        let mut good: Vec<bool> = self.states.iter().map(|s| goal(s)).collect();
        for _ in 0..self.states.len() {
            for s in 0..self.states.len() {
                good[s] |= self.edges[s].iter().any(|&(_, n)| good[n]);
            }
        }
        good
    }

    /// Is there a fair run without the goal? By all sets of transitions that it may take for ever.
    fn unfair(&self, transitions: usize, goal: &dyn Fn(&[u32]) -> bool) -> bool {
        let reached = {
            let mut seen = vec![false; self.states.len()];
            let mut open = vec![0];
            while let Some(s) = open.pop() {
                if !seen[s] && !goal(&self.states[s]) {
                    seen[s] = true;
                    open.extend(self.edges[s].iter().map(|e| e.1));
                }
            }
            seen
        };
        if (0..self.states.len()).any(|s| reached[s] && self.edges[s].is_empty()) {
            return true;
        }
        (1u32..1 << transitions).any(|set| {
            let allowed = |s: usize| reached[s] && self.edges[s].iter().all(|&(t, _)| set >> t & 1 == 1);
            (0..self.states.len()).filter(|&s| allowed(s)).any(|s| {
                let from = |start: usize| {
                    let mut seen = BTreeSet::new();
                    let mut open: Vec<usize> = self.edges[start].iter().map(|e| e.1).filter(|&n| allowed(n)).collect();
                    while let Some(n) = open.pop() {
                        if seen.insert(n) {
                            open.extend(self.edges[n].iter().map(|e| e.1).filter(|&n| allowed(n)));
                        }
                    }
                    seen
                };
                let component: BTreeSet<usize> = from(s).into_iter().filter(|&n| from(n).contains(&s)).collect();
                let taken = component
                    .iter()
                    .flat_map(|&n| &self.edges[n])
                    .filter(|e| component.contains(&e.1))
                    .fold(0u32, |set, e| set | 1 << e.0);
                taken == set
            })
        })
    }
}

fn verify_refutation(net: &ClockNet, found: &Incomplete, goal: &dyn Fn(&[u32]) -> bool) {
    match found {
        Incomplete::Stops(run) => {
            let end = replay(net, run).unwrap();
            assert!(!goal(&end.marking));
        }
        Incomplete::Repeats(stem, cycle) => {
            let start = replay(net, stem).unwrap();
            let mut taken = BTreeSet::new();
            let mut enabled = BTreeSet::new();
            let mut run = Run { steps: stem.steps.clone(), rest: stem.rest.clone() };
            for (i, (delay, t)) in cycle.steps.iter().enumerate() {
                let delay = if i == 0 { delay + &stem.rest } else { delay.clone() };
                run.rest = integer(0);
                let here = replay(net, &run).unwrap();
                assert!(!goal(&here.marking));
                for u in (0..net.transitions.len() as u32).map(TransitionId) {
                    if net.enabled(u, &here.marking) {
                        enabled.insert(u);
                    }
                }
                taken.insert(*t);
                run.steps.push((delay, *t));
            }
            let end = replay(net, &run).unwrap();
            assert_eq!(end.marking, start.marking);
            if net.clocks.is_empty() {
                assert!(enabled.is_subset(&taken));
            }
        }
    }
}

#[test]
fn random_nets_without_time() {
    let shape = Shape { clocks: 1, places: 5, transitions: 7, constant: 3, closed: true };
    let mut outcomes: BTreeMap<[bool; 5], u32> = BTreeMap::new();
    for seed in 0..nets(3000) {
        let net = net(&mut Rng::new(seed), &shape).without_time();
        let w = Workflow::between(PlaceId(0), PlaceId(net.places.len() as u32 - 1), net.places.len());
        let goal = |m: &[u32]| w.is_final(m);
        let scaled = Scaled::new(&net).unwrap();
        let s = soundness(&scaled, &w, &Limits::default()).unwrap();
        let g = plain(&net);
        let end = g.can_reach(&goal);
        let o = w.sink().unwrap().index();
        assert_eq!(s.option_to_complete.is_met(), !end.contains(&false), "SEED={seed}");
        assert_eq!(s.option_to_mark.is_met(), !g.can_reach(&|m| m[o] > 0).contains(&false), "SEED={seed}");
        assert_eq!(s.proper_completion.is_met(), g.states.iter().all(|m| m[o] == 0 || goal(m)), "SEED={seed}");
        assert_eq!(s.single.is_met(), g.states.iter().all(|m| m[o] <= 1), "SEED={seed}");
        let fires = |t: usize, good: &[bool]| g.edges.iter().flatten().any(|&(u, n)| u == t && good[n]);
        let all = vec![true; g.states.len()];
        for t in 0..net.transitions.len() {
            let id = TransitionId(t as u32);
            assert_eq!(s.dead.contains(&id), !fires(t, &all), "SEED={seed}");
            assert_eq!(s.useless.contains(&id), !fires(t, &end), "SEED={seed}");
        }
        let fair = incomplete(&scaled, &Limits::default(), &goal).unwrap();
        assert_eq!(fair.is_some(), g.unfair(net.transitions.len(), &goal), "SEED={seed}");
        if let Some(found) = &fair {
            verify_refutation(&net, found, &goal);
        }
        *outcomes.entry([s.classical(), s.weak(), s.relaxed(), s.lazy(), fair.is_none()]).or_default() += 1;
    }
    assert!(outcomes.len() >= 4, "{outcomes:?}");
}

/// Cases end in markings that a file gives: one or two, with up to three tokens.
#[test]
fn random_final_markings() {
    let shape = Shape { clocks: 1, places: 4, transitions: 6, constant: 3, closed: true };
    let mut outcomes: BTreeMap<[bool; 4], u32> = BTreeMap::new();
    for seed in 0..nets(2000) {
        let rng = &mut Rng::new(seed);
        let net = net(rng, &shape).without_time();
        let g = plain(&net);
        let end = |rng: &mut Rng| match rng.one_in(4) {
            true => net.places.iter().map(|_| rng.below(2) as u32).collect(),
            false => rng.pick(&g.states).unwrap().clone().into_boxed_slice(),
        };
        let ends = (0..1 + rng.below(2)).map(|_| end(rng)).collect();
        let w = Workflow { source: PlaceId(0), ends };
        let s = soundness(&Scaled::new(&net).unwrap(), &w, &Limits::default()).unwrap();
        let goal = |m: &[u32]| w.ends.iter().any(|end| **end == *m);
        let covers = |m: &[u32], tokens: &[u32]| m.iter().zip(tokens).all(|(m, tokens)| m >= tokens);
        let marked = |m: &[u32]| w.ends.iter().any(|end| covers(m, end));
        let sums = w.ends.iter().flat_map(|a| w.ends.iter().map(move |b| (a, b)));
        let sums: Vec<Vec<u32>> = sums.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect();
        let completes = g.can_reach(&goal);
        assert_eq!(s.option_to_complete.is_met(), !completes.contains(&false), "SEED={seed}");
        assert_eq!(s.option_to_mark.is_met(), !g.can_reach(&marked).contains(&false), "SEED={seed}");
        assert_eq!(s.proper_completion.is_met(), g.states.iter().all(|m| !marked(m) || goal(m)), "SEED={seed}");
        let once = g.states.iter().all(|m| !sums.iter().any(|sum| covers(m, sum)));
        assert_eq!(s.single.is_met(), once, "SEED={seed}");
        let stuck: BTreeSet<&[u32]> =
            g.states.iter().zip(&completes).filter(|(_, completes)| !**completes).map(|(m, _)| &m[..]).collect();
        let found: BTreeSet<&[u32]> = s.stuck.regions.iter().map(|region| &region.marking[..]).collect();
        assert_eq!(s.stuck.markings, stuck.len(), "SEED={seed}");
        assert!(found.is_subset(&stuck) && found.len() == stuck.len().min(50), "SEED={seed}");
        *outcomes.entry([s.classical(), s.weak(), s.relaxed(), s.lazy()]).or_default() += 1;
    }
    assert!(outcomes.len() >= 4, "{outcomes:?}");
}

#[test]
fn random_nets_with_one_clock() {
    let shape = Shape { clocks: 1, places: 5, transitions: 7, constant: 3, closed: false };
    for seed in 0..nets(3000) {
        let net = net(&mut Rng::new(seed), &shape);
        let w = Workflow::between(PlaceId(0), PlaceId(net.places.len() as u32 - 1), net.places.len());
        let goal = |m: &[u32]| w.is_final(m);
        let scaled = Scaled::new(&net).unwrap();
        let s = soundness(&scaled, &w, &Limits::default()).unwrap();
        let brute = Brute::explore(&net, 3);
        assert_eq!(s.option_to_complete.is_met(), !brute.stuck(&goal), "SEED={seed}");
        if let Demand::Refuted(run) = &s.option_to_complete {
            replay(&net, run.as_ref().unwrap()).unwrap();
        }
        if let Some(found) = incomplete(&scaled, &Limits::default(), &goal).unwrap() {
            verify_refutation(&net, &found, &goal);
        }
    }
}
