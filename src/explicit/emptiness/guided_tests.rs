//! Searches in all orders, of models of every kind, against the product by brute force.
//!
//! Led searches number states in other orders than plain ones, and go deep: the tables of live states and of the path are in all
//! shapes. Few bits to a word of the first ([`super::live`]) and little patience ([`super::guidance`]) make small models do.
#![allow(clippy::unwrap_used)]

use super::{Options, Product};
use crate::automaton::Prop;
use crate::budget::Budget;
use crate::cross::{Trial, trial, trial_of_network, trial_of_partitioned};
use crate::explicit::emptiness_tests::accepts;
use crate::explicit::path_automaton::PathAutomaton;
use crate::explicit::{Encoding, Facts};
use crate::formula::{Formula, PathSemantics};
use crate::model::{State, Step, TransitionSystem};
use crate::stop_reason::StopReason;
use crate::witness::{Valued, confirm_accepted};
use std::collections::HashMap;

/// The most states of a model, and the most ways to take an action.
const MOST: usize = 400;
const CHOICES: u32 = 64;

/// All reachable states with their successors, by the firing rule of the model; `None` if there are too many.
fn graph(model: &dyn TransitionSystem) -> Option<(Vec<State>, Vec<Vec<usize>>)> {
    let mut states = vec![model.initial()];
    let mut number: HashMap<State, usize> = HashMap::from([(model.initial(), 0)]);
    let mut successors = Vec::new();
    while let Some(state) = states.get(successors.len()).cloned() {
        let steps = model.action_ids().flat_map(|action| (0..CHOICES).map(move |choice| Step { action, choice }));
        let mut next = Vec::new();
        for reached in steps.filter_map(|step| model.fire(&state, step)) {
            let fresh = states.len();
            let id = *number.entry(reached.clone()).or_insert(fresh);
            if id == fresh {
                states.push(reached);
            }
            next.push(id);
        }
        if states.len() > MOST {
            return None;
        }
        successors.push(next);
    }
    Some((states, successors))
}

/// How many searches this test makes: some seconds' worth, or as many as the variable `STARSET_CASES` says.
fn cases(usual: u64) -> u64 {
    std::env::var("STARSET_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn every_order_finds_what_there_is() {
    let budget = Budget::unlimited();
    let (mut searches, mut found, mut seed) = (0, 0, 0);
    while searches < cases(6_000) {
        seed += 1;
        let drawn = match seed % 3 {
            0 => trial(seed),
            1 => trial_of_network(seed),
            _ => trial_of_partitioned(seed),
        };
        let Trial { model, mut pool, formula, paths, .. } = drawn;
        let model = model.model();
        let closed = pool.close(formula);
        let (Formula::Exists(path) | Formula::Forall(path)) = pool[closed] else { continue };
        if !pool.is_about_runs(closed) {
            continue;
        }
        let made = PathAutomaton::new(&mut pool, path, true, paths, &Facts::default(), &budget);
        let Ok(made) = made else { continue };
        // The product reads actions on steps, which the letters below do not have.
        let is_state = |&atom: &_| pool.is_state(atom) && !matches!(pool[atom], Formula::Action(_));
        if paths == PathSemantics::Infinite && model.initial_states().len() > 1 || !made.atoms.iter().all(is_state) {
            continue;
        }
        let Some((states, mut successors)) = graph(model) else { continue };
        let valued = Valued::new(model, &pool);
        let letter = |state: &State| -> Option<u64> {
            let bit = |(number, &atom)| Some(u64::from(valued.state(atom, state)?) << number);
            made.atoms.iter().enumerate().map(bit).try_fold(0, |all, bit| Some(all | bit?))
        };
        let Some(letters) = states.iter().map(letter).collect::<Option<Vec<u64>>>() else { continue };
        if paths != PathSemantics::Infinite {
            successors.iter_mut().enumerate().filter(|(_, next)| next.is_empty()).for_each(|(at, next)| next.push(at));
        }
        let expected = accepts(&letters, &successors, &made.automaton);
        let product = Product { automaton: &made.automaton, atoms: &made.atoms, pool: &pool, paths };
        assert!(made.automaton.read().iter().all(|&Prop(prop)| (prop as usize) < made.atoms.len()));
        let engine = model.compile(&Encoding::default(), &budget).unwrap();
        for guided in [None, Some(0), Some(seed), Some(seed + 1)] {
            for stubborn in [true, false] {
                for run in [false, true] {
                    let options = Options { guided, stubborn, run, ..Options::default() };
                    let name = format!("seed {seed}, {paths} paths, {options:?}");
                    let emptiness = match engine.find_accepting_run(product, &options, &budget) {
                        Ok(emptiness) => emptiness,
                        // Formulas about greatest sums.
                        Err(stop @ StopReason::Unsupported(_)) => {
                            assert!(stop.to_string().contains("bounds"), "{name}: {stop}");
                            continue;
                        }
                        Err(stop) => panic!("{name}: {stop}"),
                    };
                    assert_eq!(!emptiness.empty, expected, "{name}");
                    assert_eq!(emptiness.path.is_some(), run && expected, "{name}");
                    if let Some(path) = emptiness.path {
                        let automaton = (&made.automaton, &made.atoms[..]);
                        let confirmed = confirm_accepted(model, automaton, &pool, paths, &path, &budget);
                        assert_eq!(confirmed, Ok(()), "{name}: {path:?}");
                        found += 1;
                    }
                    searches += 1;
                }
            }
        }
    }
    assert!(found > searches / 20, "{found} runs in {searches} searches");
}
