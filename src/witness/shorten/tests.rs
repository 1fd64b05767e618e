//! Random nets and formulas: runs that are made short replay, are no longer than they were, and what is said of their
//! length is what trying all runs shows.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::explicit::{Encoding, Options, check_ltl};
use crate::formula::{Comparison, Expr, Logic};
use crate::kinds::Kind;
use crate::model::ActionId;
use crate::net::PetriNet;
use crate::random::{FormulaShape, NetShape, Rng, formula, net};
use crate::witness::explain_search;

/// Does a run of at most so many steps show a formula? Of those that end, or of lassos: all are tried.
fn is_shown_within(about: &About<'_>, steps: usize, lassos: bool) -> bool {
    let mut runs: Vec<(Vec<Step>, Vec<Marking>)> = vec![(Vec::new(), vec![about.start().unwrap().clone()])];
    for length in 0..=steps {
        let mut longer = Vec::new();
        for (fired, markings) in runs {
            let last = markings.last().unwrap();
            let closes = |at: usize| at < length && markings[at] == *last;
            let shown = match lassos {
                true => (0..length).any(|at| closes(at) && about.made(&fired, End::Loop(at)).is_some()),
                false => [End::Open, End::Deadlock].into_iter().any(|end| about.made(&fired, end).is_some()),
            };
            if shown {
                return true;
            }
            for action in about.model.action_ids() {
                if let Some(next) = about.model.fire(last, action.into()) {
                    let mut more = (fired.clone(), markings.clone());
                    more.0.push(action.into());
                    more.1.push(next);
                    longer.push(more);
                }
            }
        }
        runs = longer;
        if runs.len() > 3000 {
            return false;
        }
    }
    false
}

/// Witnesses of explicit search, with runs that are seldom short.
fn random(seed: u64, paths: PathSemantics) -> Option<(PetriNet, Pool, Witness)> {
    let mut rng = Rng::new(seed);
    let net = net(&mut rng, &NetShape::default());
    let mut pool = Pool::new();
    let size = 1 + rng.below(8);
    let formula = formula(&mut rng, &net, &FormulaShape { logic: Logic::Ltl, size }, &mut pool);
    let mut formula = pool.close(formula);
    if rng.one_in(2) {
        formula = pool.not(formula);
    }
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let options = Options { witness: true, ..Options::default() };
    let found = check_ltl(&*engine, &mut pool, formula, paths, &options, &Budget::unlimited()).ok()?;
    let witness = explain_search(&net, &pool, paths, formula, found.holds, found.path.as_ref()).unwrap()?;
    drop(engine);
    Some((net, pool, witness))
}

#[test]
fn what_is_said_of_lengths_is_so() {
    let (mut shorter, mut shortest, mut lassos) = (0, 0, 0);
    for seed in 0..3000 {
        let paths = PathSemantics::ALL[seed as usize % 3];
        let Some((net, pool, witness)) = random(seed, paths) else { continue };
        let effort = [Effort::Some, Effort::Proof][seed as usize % 2];
        let short = shorten(&net, &pool, witness.clone(), effort, &Budget::unlimited().with_memory(64 << 20));
        assert_eq!(short.reason, witness.reason, "{seed}");
        for (before, run) in witness.runs.iter().zip(&short.runs) {
            assert!(run.fired.len() <= before.fired.len() && run.least <= run.fired.len(), "{seed} {run:?}");
            shorter += usize::from(run.fired.len() < before.fired.len());
            let about = About { model: &net, pool: &pool, paths, run };
            let is_lasso = matches!(run.end, End::Loop(_));
            if run.least > 0 {
                assert!(!is_shown_within(&about, run.least - 1, is_lasso), "{seed} {run:?}");
                if is_lasso && paths != PathSemantics::Infinite {
                    assert!(!is_shown_within(&about, run.least - 1, false), "{seed} {run:?}");
                }
                if !is_lasso {
                    assert!(!is_shown_within(&about, run.least - 1, true), "{seed} {run:?}");
                }
                shortest += usize::from(run.is_shortest());
                lassos += usize::from(run.is_shortest() && is_lasso);
            }
            // Finite runs are shortest even where that is not claimed; duties are those that the table proves.
            if !is_lasso && !run.fired.is_empty() {
                assert!(!is_shown_within(&about, run.fired.len() - 1, false), "{seed} {run:?}");
            }
        }
    }
    assert!(shorter > 10 && shortest > 20 && lassos > 2, "{shorter} {shortest} {lassos}");
}

/// However little is left of the work, and however small the part of the states around a run: there is an end.
#[test]
fn any_amount_of_work_has_an_end() {
    let (mut shorter, mut same) = (0, 0);
    for seed in 0..300 {
        let paths = PathSemantics::ALL[seed as usize % 3];
        let Some((net, pool, witness)) = random(seed, paths) else { continue };
        for run in &witness.runs {
            let about = About { model: &net, pool: &pool, paths, run };
            for amount in (0..80).chain([100, 200, 500, 1_000, 5_000, 20_000]) {
                let short = about.shortened(&mut Work::new(amount, 1 << 20, &Budget::unlimited()));
                assert!(short.as_ref().is_none_or(|short| short.fired.len() <= run.fired.len()), "{seed} {amount}");
                let is_shorter = short.is_some_and(|short| short.fired.len() < run.fired.len());
                (shorter, same) = (shorter + usize::from(is_shorter), same + usize::from(!is_shorter));
            }
        }
    }
    assert!(shorter > 10 && same > 1000, "{shorter} {same}");
}

/// A ring of places in which one token goes round, with a way out at each place, and a marked place that is never
/// touched.
fn ring(size: u64) -> PetriNet {
    let mut b = crate::net::NetBuilder::new("ring");
    let places: Vec<_> = (0..size).map(|n| b.place(format!("p{n}"), u64::from(n == 0)).unwrap()).collect();
    let out = b.place("out", 0).unwrap();
    for n in 0..size as usize {
        for (name, to) in [("on", places[(n + 1) % size as usize]), ("off", out)] {
            let t = b.transition(format!("{name}{n}")).unwrap();
            b.input(places[n], t, 1).unwrap();
            b.output(t, to, 1).unwrap();
        }
    }
    b.build().unwrap()
}

/// A run three times round the ring, and then out.
#[test]
fn loops_are_cut() {
    let net = ring(40);
    let mut pool = Pool::new();
    let out = net.place_ids().last().unwrap();
    let (tokens, one) = (pool.add_expr(Expr::Tokens(vec![out])), pool.add_expr(Expr::Const(1)));
    let atom = pool.add(Formula::Compare(tokens, Comparison::Eq, one));
    let finally = pool.add(Formula::Finally(atom));
    let formula = pool.add(Formula::Exists(finally));
    let round = (0..120).map(|n| Step::from(ActionId(2 * (n % 40))));
    let steps: Vec<Step> = round.chain([ActionId(1).into()]).collect();
    let path = crate::model::Path { prefix: steps, then: crate::model::Then::Open };
    let witness = explain_search(&net, &pool, PathSemantics::Maximal, formula, true, Some(&path)).unwrap().unwrap();
    assert_eq!(witness.runs[0].fired.len(), 121);
    let short = shorten(&net, &pool, witness.clone(), Effort::Some, &Budget::unlimited());
    assert_eq!((short.runs[0].fired.len(), short.runs[0].is_shortest()), (1, true));
    // Without time it stays what it is, or better.
    let none = Budget::unlimited().with_time(std::time::Duration::ZERO);
    assert!(shorten(&net, &pool, witness, Effort::Proof, &none).runs[0].fired.len() <= 121);
}
