//! Formulas about actions on random networks and nets, against brute force, under each path semantics.

use super::reference::{self, networks};
use crate::oracle::{Setting, check};
use crate::reference::{Graph, explore};
use proptest::prelude::*;
use starset::StopReason;
use starset::budget::Budget;
use starset::explicit::{Encoding, Options, check_ltl};
use starset::formula::{FormulaId, Logic, PathSemantics, Pool, Symbols, parse};
use starset::kinds::Kind;
use starset::kinds::network::{Network, to_net};
use starset::mdd::MddManager;
use starset::net::{Marking, PetriNet, PlaceId, TransitionId};
use starset::random::{FormulaShape, NetShape, NetworkShape, Rng, formula_over_steps, net, network};
use starset::relation::Relation;
use starset::symbolic::{Checker, Search, reachable_set};
use starset::witness::{Unexplained, explain_by_labels, explain_by_sets, explain_search};

/// The graph of a network, with tuples of local states as markings and labels as transitions.
fn graph_of(network: &Network) -> Graph {
    let graph = reference::Graph::of(network);
    let marking = |state: &Vec<u32>| Marking::new(state.iter().map(|&local| u64::from(local)).collect());
    let edges = graph.steps.iter().map(|steps| steps.iter().map(|&(l, to)| (TransitionId(l), to)).collect());
    Graph::new(graph.states.iter().map(marking).collect(), edges.collect())
}

/// The sat-sets of a formula under each semantics, simplified and not, are those of brute force.
fn agree(relation: &Relation, graph: &Graph, pool: &mut Pool, formula: FormulaId) -> Result<(), TestCaseError> {
    let budget = Budget::unlimited();
    let space = MddManager::new(relation.levels(), &budget).unwrap();
    let states = reachable_set(relation, &space, Search::Saturation, &budget, &mut |_| {}).unwrap();
    for paths in PathSemantics::ALL {
        let expected = check(Setting::new(graph, pool, paths), formula).unwrap().remove(&formula).unwrap();
        let simplified = [formula, pool.simplify(formula, paths), pool.push_quantifiers(formula, paths)];
        for formula in simplified {
            let mut checker = Checker::new(relation, states.clone(), paths).unwrap();
            let initially = checker.holds_initially(pool, formula, &budget).unwrap();
            prop_assert_eq!(initially, expected[0], "{:?} initially", paths);
            let set = checker.sat(pool, formula, &budget).unwrap();
            for (marking, &expected) in graph.markings.iter().zip(&expected) {
                let state = checker.state_of(marking.as_slice()).unwrap();
                prop_assert_eq!(set.contains(&state), expected, "{:?} in {:?}", paths, marking);
            }
        }
    }
    Ok(())
}

/// The explicit engine, where it takes a formula, says in the initial state what brute force says. True if it did.
fn explicitly(model: &dyn Kind, symbols: &Symbols, text: &str, graph: &Graph, known: &Symbols) -> bool {
    let (mut pool, mut expected_pool) = (Pool::new(), Pool::new());
    let formula = parse(text, symbols, &mut pool).unwrap();
    let parsed = parse(text, known, &mut expected_pool).unwrap();
    let asked = expected_pool.close(parsed);
    let engine = model.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let mut taken = false;
    for paths in PathSemantics::ALL {
        let expected = check(Setting::new(graph, &expected_pool, paths), asked).unwrap().remove(&asked).unwrap()[0];
        for witness in [false, true] {
            let options = Options { witness, ..Options::default() };
            match check_ltl(&*engine, &mut pool, formula, paths, &options, &Budget::unlimited()) {
                Ok(found) => {
                    assert_eq!(found.holds, expected, "{paths:?} {text}");
                    let closed = pool.close(formula);
                    // A run that is found is one: it has been replayed.
                    let path = found.path.as_ref();
                    // There is none for bounds(…).
                    explain_search(model, &pool, paths, closed, found.holds, path).unwrap();
                }
                Err(StopReason::Unsupported(_)) => continue,
                Err(other) => panic!("{other}"),
            }
            taken = true;
        }
    }
    taken
}

#[test]
fn explicit_search_over_actions() {
    let (mut of_nets, mut of_networks) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let shape = FormulaShape { logic: Logic::Ltl, size: 3 + seed as usize % 3 };
        let net = net(&mut rng, &NetShape::default());
        if let Some(graph) = explore(&net, 60) {
            let mut pool = Pool::new();
            let formula = formula_over_steps(&mut rng, &net, &shape, false, &mut pool);
            let symbols = Symbols::new(&net);
            let text = pool.display(formula, &symbols).to_string();
            let small = is_small(&pool, formula);
            of_nets += u32::from(small && explicitly(&net, &symbols, &text, &graph, &symbols));
        }
        let network = network(&mut rng, &NetworkShape { max_states: 60, ..NetworkShape::default() });
        let graph = graph_of(&network);
        let known = Symbols::of_labels(network.label_ids().map(|label| network.label(label)));
        let mut pool = Pool::new();
        let formula = formula_over_steps(&mut rng, &network.skeleton(), &shape, true, &mut pool);
        if graph.states() <= 60 && is_small(&pool, formula) {
            let net = to_net(&network).unwrap();
            let text = pool.display(formula, &known).to_string();
            let as_it_is = explicitly(&network, &known, &text, &graph, &known);
            assert_eq!(as_it_is, explicitly(&net, &Symbols::of_steps(&net), &text, &graph, &known));
            of_networks += u32::from(as_it_is);
        }
    }
    assert!(of_nets > 100 && of_networks > 100, "{of_nets} {of_networks}");
}

/// The labels of CTL formulas about steps, on the graphs of nets and networks, are those of brute force, and explained.
#[test]
fn labels_over_steps() {
    let (mut of_nets, mut of_networks, mut explained) = (0, 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let shape = FormulaShape { logic: Logic::Ctl, size: 2 + seed as usize % 5 };
        let (net, network) = (
            net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() }),
            network(&mut rng, &NetworkShape::default()),
        );
        let models: [(&dyn Kind, Graph); 2] = [(&net, explore(&net, 60).unwrap()), (&network, graph_of(&network))];
        for (model, graph) in models {
            let mut pool = Pool::new();
            let formula = formula_over_steps(&mut rng, &model.interactions(), &shape, false, &mut pool);
            if pool.logic(formula) > Logic::Ctl {
                continue;
            }
            let budget = Budget::unlimited();
            let engine = model.compile(&Encoding::default(), &budget).unwrap();
            let mut labelling = engine.labelling(&budget).unwrap();
            assert_eq!(labelling.states(), graph.states() as u64);
            for paths in PathSemantics::ALL {
                let expected = check(Setting::new(&graph, &pool, paths), formula).unwrap().remove(&formula).unwrap();
                let labels = match labelling.label(&pool, formula, paths, &budget) {
                    Ok(labels) => labels,
                    // bounds(…) inside an atom
                    Err(StopReason::Unsupported(_)) => continue,
                    Err(other) => panic!("{other}"),
                };
                let found = labels.of(formula).unwrap();
                for (marking, &expected) in graph.markings.iter().zip(&expected) {
                    let state = labelling.state_of(marking).unwrap();
                    assert_eq!(found.contains(state), expected, "seed {seed}, {paths}, {marking:?}");
                }
                match model.as_net() {
                    Some(_) => of_nets += 1,
                    None => of_networks += 1,
                }
                match explain_by_labels(model, &pool, &labelling, &labels, formula, &budget) {
                    Ok(witness) => explained += usize::from(!witness.runs.is_empty()),
                    Err(Unexplained::Stopped(_)) => {}
                    Err(Unexplained::Broken(broken)) => panic!("seed {seed}: {broken}"),
                }
            }
        }
    }
    assert!(of_nets > 300 && of_networks > 300 && explained > 100, "{of_nets} {of_networks} {explained}");
}

/// Runs of networks that the diagrams find replay on the networks.
#[test]
fn runs_of_networks_by_diagrams() {
    let mut runs = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let network = network(&mut rng, &NetworkShape { max_states: 60, ..NetworkShape::default() });
        let skeleton = network.skeleton();
        let (mut pool, shape) = (Pool::new(), FormulaShape { logic: logic(seed), size: 4 });
        let formula = formula_over_steps(&mut rng, &skeleton, &shape, seed % 2 == 0, &mut pool);
        let order: Vec<PlaceId> = skeleton.place_ids().collect();
        let relation = network.relation(&order).unwrap();
        let budget = Budget::unlimited();
        let space = MddManager::new(relation.levels(), &budget).unwrap();
        let states = reachable_set(&relation, &space, Search::Saturation, &budget, &mut |_| {}).unwrap();
        for paths in PathSemantics::ALL {
            let mut checker = Checker::new(&relation, states.clone(), paths).unwrap();
            let formula = pool.push_quantifiers(formula, paths);
            let witness = explain_by_sets(&network, &pool, &mut checker, formula, &budget).unwrap();
            let holds = checker.holds_initially(&pool, formula, &budget).unwrap();
            assert_eq!(witness.reason.holds, holds, "seed {seed}");
            runs += witness.runs.len();
        }
    }
    assert!(runs > 300, "{runs}");
}

pub(super) fn logic(number: u64) -> Logic {
    [Logic::Ctl, Logic::Ltl, Logic::CtlStar][(number % 3) as usize]
}

/// Few enough temporal operators for brute force, of all path formulas of the formula.
fn is_small(pool: &Pool, formula: FormulaId) -> bool {
    let temporal = pool.subformulas(&[formula]).into_iter().filter(|&id| pool[id].is_temporal()).count();
    temporal <= 4
}

/// A formula of this shape that is small: one is among the first few.
fn small_formula(rng: &mut Rng, net: &PetriNet, shape: &FormulaShape) -> (Pool, FormulaId) {
    let mut drawn = (0..50).map(|_| {
        let mut pool = Pool::new();
        let formula = formula_over_steps(rng, net, shape, false, &mut pool);
        (pool, formula)
    });
    drawn.find(|(pool, formula)| is_small(pool, *formula)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn networks_and_formulas_over_actions(network in networks(), seed: u64) {
        let graph = graph_of(&network);
        prop_assume!(graph.states() <= 60);
        let skeleton = network.skeleton();
        let order: Vec<PlaceId> = skeleton.place_ids().collect();
        let relation = network.relation(&order).unwrap();
        let mut rng = Rng::new(seed);
        let shape = FormulaShape { logic: logic(seed), size: 4 };
        let (mut pool, formula) = small_formula(&mut rng, &skeleton, &shape);
        agree(&relation, &graph, &mut pool, formula)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(350))]

    #[test]
    fn nets_and_formulas_over_their_transitions(seed: u64) {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
        let graph = explore(&net, 60).unwrap();
        let order: Vec<PlaceId> = net.place_ids().collect();
        let relation = net.relation(&order).unwrap();
        let shape = FormulaShape { logic: logic(seed), size: 4 };
        let (mut pool, formula) = small_formula(&mut rng, &net, &shape);
        agree(&relation, &graph, &mut pool, formula)?;
    }
}
