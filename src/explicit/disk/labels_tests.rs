//! Formulas of CTL, LTL and CTL\* by passes over tiny files, against brute force on the graph.
#![allow(clippy::unwrap_used)]

use super::tests::{disk, draw_encoding, draw_sizes, fail_after, options};
use super::{Asked, DiskError};
use crate::budget::Budget;
use crate::explicit::{Explicit, Stats};
use crate::formula::{Formula, FormulaId, Logic, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::net::PetriNet;
use crate::oracle::{Setting, check};
use crate::random::{FormulaShape, NetShape, formula, net};
use crate::reference::explore;
use crate::rng::Rng;
use crate::stop_reason::StopReason;
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

const PATHS: [PathSemantics; 3] = [PathSemantics::Maximal, PathSemantics::Stutter, PathSemantics::Infinite];

/// Random formulas of CTL, LTL and CTL\* about a random net, and their verdicts by brute force.
pub(in crate::explicit) fn draw(rng: &mut Rng) -> (PetriNet, Pool, Vec<Asked>, Vec<bool>) {
    let net = net(rng, &NetShape { places: 6, max_states: 150, ..NetShape::default() });
    let (graph, mut pool) = (explore(&net, 150).unwrap(), Pool::new());
    let (mut asked, mut expected) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        let logic = [Logic::Ctl, Logic::Ctl, Logic::Ltl, Logic::CtlStar][rng.below(4)];
        let shape = FormulaShape { logic, size: 2 + rng.below(9) };
        let mut drawn = formula(rng, &net, &shape, &mut pool);
        if !pool.is_state(drawn) {
            drawn = pool.add(Formula::Forall(drawn));
        }
        let paths = PATHS[rng.below(3)];
        let Ok(truth) = check(Setting::new(&graph, &pool, paths), drawn) else { continue };
        asked.push((drawn, paths));
        expected.push(truth[&drawn][0]);
    }
    (net, pool, asked, expected)
}

/// May a formula have no verdict for this reason? Greatest numbers are put in their places elsewhere. Modalities speak of steps,
/// which are not kept.
pub(in crate::explicit) fn is_refused(pool: &Pool, formula: FormulaId, stop: &StopReason) -> bool {
    let is_modality = |id: &FormulaId| matches!(pool[*id], Formula::Diamond(..) | Formula::Box(..));
    match stop.to_string() {
        why if why.contains("is not CTL") => pool.subformulas(&[formula]).iter().any(is_modality),
        why => why.contains("`bounds`"),
    }
}

/// The verdicts, by number, and the end.
fn verdicts(
    engine: &dyn Explicit<'_>,
    folder: &Path,
    threads: usize,
    (pool, asked): (&Pool, &[Asked]),
) -> (Vec<Option<bool>>, Result<(), DiskError>) {
    let mut found = vec![None; asked.len()];
    let mut told = |number: usize, answer: Result<(bool, Stats), StopReason>| match answer {
        Ok((holds, _)) => found[number] = Some(holds),
        Err(stop) => assert!(is_refused(pool, asked[number].0, &stop), "{stop}"),
    };
    let budget = Budget::unlimited();
    let ended =
        engine.check_on_disk(&disk(folder), &options(threads), &budget, (pool, asked), &mut told, &mut |_| ()).ended;
    (found, ended)
}

#[test]
fn formulas_of_random_nets_have_their_verdicts() {
    let (mut tally, mut beyond) = ([0; 2], [0; 2]);
    for seed in 0..400 {
        let rng = &mut Rng::new(seed);
        let (net, pool, asked, expected) = draw(rng);
        let engine = net.compile(&draw_encoding(rng), &Budget::unlimited()).unwrap();
        draw_sizes(rng);
        let folder = tempfile::tempdir().unwrap();
        let (found, ended) = verdicts(&*engine, folder.path(), 1 + usize::from(rng.one_in(4)), (&pool, &asked));
        ended.unwrap();
        let right = |found: &[Option<bool>]| {
            assert!(
                found.iter().zip(&expected).all(|(found, &expected)| found.is_none_or(|it| it == expected)),
                "{seed}"
            );
        };
        right(&found);
        for (&(formula, _), holds) in asked.iter().zip(&found).filter_map(|(asked, found)| Some((asked, (*found)?))) {
            let tally = if pool.logic(formula) > Logic::Ctl { &mut beyond } else { &mut tally };
            tally[usize::from(holds)] += 1;
        }
        // The levels are left, and no successors.
        let names: BTreeSet<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        let manifest = fs::read_to_string(folder.path().join("manifest")).unwrap();
        let runs = names.iter().filter(|name| name.to_string_lossy().starts_with("run-")).count();
        assert!(names.len() == runs + 2 && manifest.contains("kept"), "seed {seed}: {names:?}");
        let again = verdicts(&*engine, folder.path(), 1, (&pool, &asked));
        assert_eq!(again.0, found, "seed {seed}");
        let left: BTreeSet<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left, names, "seed {seed}");
    }
    assert!(tally.iter().chain(&beyond).all(|&count| count > 300), "{tally:?} {beyond:?}");
}

/// A program that ends at any byte, or a disk that is full then, has told nothing wrong, and the next one all.
#[test]
fn ends_at_any_byte() {
    let (mut stopped, mut answered) = (0, 0);
    for seed in 0..120 {
        let rng = &mut Rng::new(1000 + seed);
        let (net, pool, asked, expected) = draw(rng);
        let engine = net.compile(&draw_encoding(rng), &Budget::unlimited()).unwrap();
        draw_sizes(rng);
        let folder = tempfile::tempdir().unwrap();
        let kind = [ErrorKind::ConnectionAborted, ErrorKind::StorageFull][rng.below(2)];
        fail_after(rng.below(4000) as u64, kind);
        let (found, ended) = verdicts(&*engine, folder.path(), 1, (&pool, &asked));
        stopped += u32::from(ended.is_err());
        assert!(found.iter().zip(&expected).all(|(found, &expected)| found.is_none_or(|found| found == expected)));
        let (found, ended) = verdicts(&*engine, folder.path(), 1, (&pool, &asked));
        ended.unwrap();
        assert!(found.iter().zip(&expected).all(|(found, &expected)| found.is_none_or(|found| found == expected)));
        answered += found.iter().flatten().count();
    }
    assert!(stopped > 30 && answered > 400, "{stopped} {answered}");
}
