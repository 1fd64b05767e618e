//! Random nets: every way of computing an answer against every other.

use super::brute::Brute;
use super::{nets, number};
use starset::kinds::clocks::diagnostics::{BlockKind, diagnose};
use starset::kinds::clocks::markings::Limits;
use starset::kinds::clocks::model::{ClockNet, TransitionId};
use starset::kinds::clocks::random::{Shape, net, shrink};
use starset::kinds::clocks::rational::{Rational, integer};
use starset::kinds::clocks::replay::replay;
use starset::kinds::clocks::run::{concretise, run_into};
use starset::kinds::clocks::scaled::Scaled;
use starset::kinds::clocks::zone_graph::{Abstraction, Storage, ZoneGraph, ZoneOptions};
use starset::kinds::clocks::{backward, integer, line_format, repair, tighten, times};
use starset::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Runs a check on many nets; shows the smallest one that fails, with its seed.
fn check_all(many: u64, shape: Shape, check: &dyn Fn(&ClockNet) -> Result<(), String>) {
    let seeds = match number("SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..nets(many),
    };
    for seed in seeds {
        let net = net(&mut Rng::new(seed), &shape);
        if check(&net).is_err() {
            let small = shrink(&net, &|n| check(n).is_err());
            let problem = check(&small).unwrap_err();
            panic!("SEED={seed}: {problem}\n{}", line_format::write(&small).unwrap());
        }
    }
}

type Markings = BTreeSet<Vec<u32>>;

fn dense(scaled: &Scaled<'_>, options: ZoneOptions) -> Markings {
    let g = ZoneGraph::explore(scaled, options).unwrap();
    g.reached().map(|m| g.markings.tokens(m).to_vec()).collect()
}

fn whole(scaled: &Scaled<'_>) -> Markings {
    let s = integer::explore(scaled, &Limits::default()).unwrap();
    (0..s.markings.len() as u32).filter(|&m| s.reached[m as usize]).map(|m| s.markings.tokens(m).to_vec()).collect()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, a: &T, b: &T) -> Result<(), String> {
    if a == b { Ok(()) } else { Err(format!("{what}: {a:?} and {b:?}")) }
}

/// All abstractions reach the same markings, each by a run that replays; returns the markings.
fn dense_agrees(net: &ClockNet, scaled: &Scaled<'_>) -> Result<Markings, String> {
    let regions = ZoneGraph::explore(scaled, ZoneOptions::regions()).unwrap();
    let reached: Markings = regions.reached().map(|m| regions.markings.tokens(m).to_vec()).collect();
    for abstraction in [
        Abstraction::Maximal,
        Abstraction::LowerUpper,
        Abstraction::LocalLowerUpper,
        Abstraction::MarkingLowerUpper,
        Abstraction::MarkingMaximal,
    ] {
        for storage in [Storage::Equality, Storage::Inclusion, Storage::Union] {
            let options = ZoneOptions { abstraction, storage, ..ZoneOptions::regions() };
            let g = ZoneGraph::explore(scaled, options.clone()).unwrap();
            let mine: Markings = g.reached().map(|m| g.markings.tokens(m).to_vec()).collect();
            same(&format!("{options:?}"), &mine, &reached)?;
            same("fired", &g.fired, &regions.fired)?;
            for m in g.reached() {
                let (node, _) = g.nodes_of(m).next().unwrap();
                let run = concretise(&g, node, None).ok_or("no run")?;
                match replay(net, &run) {
                    Ok(end) => same("end of run", &end.marking.to_vec(), &g.markings.tokens(m).to_vec())?,
                    Err(e) => return Err(format!("{options:?}: {} is no run: {e}", run.to_text(net))),
                }
            }
            if abstraction == Abstraction::Maximal {
                for m in g.reached() {
                    let other = regions.markings.find(&g.markings.tokens(m)).unwrap();
                    let (a, b) = (g.region_of(m), regions.region_of(other));
                    if !(a.includes(&b) && b.includes(&a)) {
                        return Err("regions differ".to_owned());
                    }
                }
            }
        }
    }
    Ok(reached)
}

#[test]
fn closed_constraints_in_whole_units() {
    let shape = Shape { clocks: 3, places: 5, transitions: 8, constant: 4, closed: true };
    check_all(5000, shape, &|net| {
        let scaled = Scaled::new(net).unwrap();
        assert!(scaled.is_closed());
        let reached = dense_agrees(net, &scaled)?;
        same("dense and whole", &reached, &whole(&scaled))
    });
}

#[test]
fn strict_constraints_in_finer_units() {
    let shape = Shape { clocks: 3, places: 5, transitions: 8, constant: 4, closed: false };
    check_all(5000, shape, &|net| {
        let scaled = Scaled::new(net).unwrap();
        let finer = Scaled::with_factor(net, net.clocks.len() as u32 + 1).unwrap();
        let reached = dense_agrees(net, &scaled)?;
        same("dense and finer", &reached, &whole(&finer))
    });
}

#[test]
fn the_nets_are_worth_it() {
    let shape = Shape { clocks: 3, places: 5, transitions: 8, constant: 4, closed: false };
    let (mut moved, mut timed, mut pieces, mut blocked) = (0, 0, 0, 0);
    for seed in 0..200 {
        let net = net(&mut Rng::new(seed), &shape);
        let scaled = Scaled::new(&net).unwrap();
        let d = diagnose(&scaled, &Limits::default(), &|_| false).unwrap();
        moved += u32::from(d.timed > 2);
        timed += u32::from(d.timed > 0 && d.timed < d.untimed);
        blocked += u32::from(!d.blocks.is_empty());
        let g = ZoneGraph::explore(&scaled, ZoneOptions::regions()).unwrap();
        pieces += u32::from(g.nodes.iter().any(|n| n.step.is_delay()));
    }
    let found = format!("{moved} with three markings, {timed} cut by time, {pieces} cross pieces, {blocked} blocked");
    assert!(moved > 60 && timed > 40 && pieces > 30 && blocked > 50, "{found}");
}

#[test]
fn whole_units_miss_something() {
    let shape = Shape { clocks: 2, places: 5, transitions: 8, constant: 4, closed: false };
    let missed = |seed: u64| {
        let net = net(&mut Rng::new(seed), &shape);
        let scaled = Scaled::new(&net).unwrap();
        let (dense, whole) = (dense(&scaled, ZoneOptions::reachability()), whole(&scaled));
        assert!(dense.is_superset(&whole), "SEED={seed}");
        dense != whole
    };
    assert!((0..2000).any(missed));
}

#[test]
fn brute_force_over_quarters() {
    let shape = Shape { clocks: 3, places: 4, transitions: 6, constant: 2, closed: false };
    check_all(1000, shape, &|net| {
        let scaled = Scaled::new(net).unwrap();
        let brute = Brute::explore(net, 2);
        same("dense and brute force", &dense_agrees(net, &scaled)?, &brute.markings())?;
        let d = diagnose(&scaled, &Limits::default(), &|_| false).unwrap();
        let mut blocks: BTreeMap<Vec<u32>, (bool, bool)> = BTreeMap::new();
        for b in &d.blocks {
            let slot = blocks.entry(b.marking.to_vec()).or_default();
            slot.0 |= b.kind == BlockKind::Timelock;
            slot.1 |= b.kind == BlockKind::MissedWindow;
        }
        same("blocks", &blocks, &brute.blocks())?;
        let fired: Vec<bool> =
            (0..net.transitions.len()).map(|t| d.dead_transitions.iter().all(|x| x.transition.index() != t)).collect();
        same("fired", &fired, &brute.fired)?;
        // A run into every block, to a state from which nothing ever fires.
        let g = ZoneGraph::explore(&scaled, ZoneOptions::antichain()).unwrap();
        for b in &d.blocks {
            let m = g.markings.find(&b.marking).unwrap();
            let run = run_into(&g, m, &b.region);
            replay(net, &run.ok_or("no run into a block")?).map_err(|e| e.to_string())?;
        }
        Ok(())
    });
}

#[test]
fn option_to_reach_a_goal_with_one_clock() {
    let shape = Shape { clocks: 1, places: 5, transitions: 8, constant: 3, closed: false };
    check_all(1000, shape, &|net| {
        let scaled = Scaled::new(net).unwrap();
        let brute = Brute::explore(net, 3);
        for p in 0..net.places.len() {
            let goal = move |m: &[u32]| m[p] > 0;
            let mut g = ZoneGraph::explore(&scaled, ZoneOptions::antichain()).unwrap();
            let values = backward::can_reach(&mut g, &goal).unwrap();
            let stuck = g.reached().any(|m| !values[m as usize].includes(&g.region_of(m)));
            same("option", &stuck, &brute.stuck(&goal))?;
        }
        Ok(())
    });
}

#[test]
fn fastest_and_slowest_of_closed_nets() {
    let shape = Shape { clocks: 1, places: 4, transitions: 6, constant: 3, closed: true };
    let horizon = 9;
    check_all(500, shape, &|net| {
        // The brute force measures with a clock of its own, up to one beyond the horizon.
        let mut watched = net.clone();
        watched.clocks.push("g".to_owned());
        let brute = Brute::explore(&watched, horizon);
        let t = times::since_start(net, horizon as u32, &Limits::default()).unwrap();
        for (i, measured) in t.firing.iter().enumerate() {
            let mine = measured.as_ref().map(|m| m.interval).map(|i| {
                let end = if i.upper.is_none() { horizon + 1 } else { i64::from(i.upper.constant()) };
                (i64::from(-i.lower.constant()), end)
            });
            let theirs = brute.firing_values(i, net.clocks.len());
            same("times", &mine, &theirs.map(|(a, b)| (a / 8, b / 8)))?;
        }
        Ok(())
    });
}

#[test]
fn every_time_has_a_run() {
    let shape = Shape { clocks: 2, places: 4, transitions: 6, constant: 3, closed: false };
    let (exact, near) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let check = |net: &ClockNet, t: &times::Times, from: Option<TransitionId>| {
        let unit = integer(i64::from(t.scale));
        for m in t.firing.iter().chain([&t.completion]).flatten() {
            let (lower, upper) = (m.interval.lower, m.interval.upper);
            let slowest = upper.finite().map(|end| (end, upper.is_strict(), &m.slowest));
            for (end, strict, run) in [(-lower.constant(), lower.is_strict(), &m.fastest)].into_iter().chain(slowest) {
                let run = run.as_ref().ok_or("a time without a run")?;
                replay(net, run).map_err(|e| e.to_string())?;
                let before = &run.steps[..run.steps.len() - 1];
                let start = from.and_then(|from| before.iter().rposition(|(_, t)| *t == from)).map_or(0, |at| at + 1);
                let takes: Rational = run.steps[start..].iter().map(|(delay, _)| delay).sum();
                let end = integer(i64::from(end)) / &unit;
                let off = if takes < end { end - takes } else { takes - end };
                let is_right =
                    if strict { off > integer(0) && off * integer(10) <= integer(1) } else { off == integer(0) };
                if !is_right {
                    return Err(format!("{} takes another time", run.to_text(net)));
                }
                let counted = if strict { &near } else { &exact };
                counted.set(counted.get() + 1);
            }
        }
        Ok(())
    };
    check_all(500, shape, &|net| {
        check(net, &times::since_start(net, 12, &Limits::default()).unwrap(), None)?;
        let from = (0..net.transitions.len() as u32).map(TransitionId);
        from.into_iter().try_for_each(|t| check(net, &times::since(net, t, 12, &Limits::default()).unwrap(), Some(t)))
    });
    assert!(number("SEED").is_some() || exact.get() > 500 && near.get() > 200, "{} {}", exact.get(), near.get());
}

#[test]
fn what_is_beyond_the_horizon_is_told_where_a_run_shows_it() {
    let shape = Shape { clocks: 2, places: 4, transitions: 6, constant: 3, closed: false };
    let later = std::cell::Cell::new(0);
    check_all(500, shape, &|net| {
        let near = times::since_start(net, 1, &Limits::default()).unwrap();
        let far = times::since_start(net, 12, &Limits::default()).unwrap();
        let both = near.firing.iter().zip(&far.firing).chain([(&near.completion, &far.completion)]);
        for (near, far) in both.filter_map(|(near, far)| Some((near.as_ref()?, far.as_ref()?))) {
            let (told, all) = (near.interval, far.interval);
            later.set(later.get() + u32::from(near.beyond));
            // A lower end that is later has a smaller bound.
            let is_right = if near.beyond { all.lower <= told.lower } else { all.lower == told.lower };
            if !is_right {
                return Err(format!("{told:?} up to 1, {all:?} up to 12"));
            }
            same("ends", &(told.upper.is_none() || told.upper == all.upper), &true)?;
        }
        same("transitions", &near.firing.iter().flatten().count(), &far.firing.iter().flatten().count())
    });
    assert!(number("SEED").is_some() || later.get() > 0);
}

#[test]
fn repairs_make_nothing_worse() {
    let shape = Shape { clocks: 2, places: 4, transitions: 6, constant: 2, closed: false };
    let tried = std::cell::Cell::new((0, 0));
    check_all(300, shape, &|net| {
        let shop = repair::Workshop::new(net, &Limits::default(), &|_| false).unwrap();
        let before = Brute::explore(net, 2).blocks();
        for block in &shop.diagnosis().blocks {
            for p in shop.proposals(block).unwrap() {
                tried.set((tried.get().0 + 1, tried.get().1 + u32::from(p.is_repair())));
                if p.is_repair() {
                    let after = p.change.apply(net);
                    for (marking, kinds) in Brute::explore(&after, 2).blocks() {
                        let old = before.get(&marking).copied().unwrap_or_default();
                        if (kinds.0 || kinds.1) && !old.0 && !old.1 {
                            return Err(format!("{} blocks {marking:?}", p.change.text(net)));
                        }
                    }
                }
            }
        }
        Ok(())
    });
    let (proposals, repairs) = tried.get();
    assert!(number("SEED").is_some() || proposals > repairs && repairs > 0, "{proposals} proposals, {repairs} repairs");
}

#[test]
fn tightening_changes_nothing() {
    let shape = Shape { clocks: 2, places: 4, transitions: 8, constant: 4, closed: false };
    check_all(500, shape, &|net| {
        let scaled = Scaled::new(net).unwrap();
        let mut g = ZoneGraph::explore(&scaled, ZoneOptions::antichain()).unwrap();
        let list = tighten::tightenings(&mut g).unwrap();
        let tight = tighten::tightened(&scaled, &list);
        let after = Scaled::new(&tight).unwrap();
        same("markings", &dense(&after, ZoneOptions::reachability()), &dense(&scaled, ZoneOptions::reachability()))?;
        let fired = |s: &Scaled<'_>| ZoneGraph::explore(s, ZoneOptions::antichain()).unwrap().fired;
        same("fired", &fired(&after), &fired(&scaled))
    });
}
