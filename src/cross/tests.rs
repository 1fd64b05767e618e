//! Ways agree on random nets; a fault is found and made small.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::Budget;
use crate::explicit::{Encoding, Options, check_ltl};
use crate::formula::{Formula, Pool, Symbols, parse};
use crate::kinds::pins::NextState;
use crate::kinds::{Kind, Reading};
use crate::net::TransitionId;
use crate::oracle::{Setting, check};
use crate::reference::explore;
use std::collections::BTreeSet;

#[test]
fn random_trials_agree() {
    let budget = Budget::unlimited();
    let mut opinions = 0;
    for seed in 0..150 {
        let (found, number) = trial(seed).run(|_| (), &budget);
        assert_eq!(found, None, "seed {seed}");
        opinions += number;
    }
    assert!(opinions > 150 * 6, "{opinions}");
}

#[test]
fn random_trials_of_networks_agree() {
    let budget = Budget::unlimited();
    let mut opinions = 0;
    for seed in 0..150 {
        let (found, number) = trial_of_network(seed).run(|_| (), &budget);
        assert_eq!(found, None, "seed {seed}");
        opinions += number;
    }
    assert!(opinions > 150 * 10, "{opinions}");
}

#[test]
fn random_trials_of_partitioned_models_agree() {
    let budget = Budget::unlimited();
    let (mut opinions, mut labels) = (0, 0);
    for seed in 0..150 {
        let mut trial = trial_of_partitioned(seed);
        let (found, number) = trial.run(|_| (), &budget);
        assert_eq!(found, None, "seed {seed}");
        opinions += number;
        let parts = trial.pool.subformulas(&[trial.formula]);
        labels += usize::from(parts.iter().any(|&id| matches!(trial.pool[id], Formula::Label(_))));
    }
    assert!(opinions > 150 * 6 && labels > 40, "{opinions} {labels}");
}

/// An engine that takes a state label for its opposite below an `F`.
fn contrary(model: &dyn Kind, pool: &mut Pool, formula: FormulaId, paths: PathSemantics) -> Option<bool> {
    let finally = pool.subformulas(&[formula]).iter().any(|&id| matches!(pool[id], Formula::Finally(_)));
    let changed = pool.rebuild(formula, |pool, node| match node {
        Formula::Label(_) if finally => Some(Formula::Not(pool.add(node))),
        node => Some(node),
    })?;
    let (options, budget) = (Options::default(), Budget::unlimited());
    let engine = model.compile(&Encoding::default(), &budget).ok()?;
    check_ltl(&*engine, pool, changed, paths, &options, &budget).ok().map(|found| found.holds)
}

#[test]
fn a_fault_on_partitioned_models_is_found_and_made_small() {
    let (budget, folder) = (Budget::unlimited(), tempfile::tempdir().unwrap());
    let mut found = 0;
    for seed in 0..1000 {
        let mut large = trial_of_partitioned(seed);
        let add = |plan: &mut Plan<'_>| plan.others.push(("contrary", &contrary));
        let Some(disagreement) = large.run(add, &budget).0 else { continue };
        assert_eq!(disagreement.other.0, "contrary");
        found += 1;
        let mut small = shrunk(&large, add, &budget);
        assert!(small.run(add, &budget).0.is_some());
        assert_eq!(small.run(|_| (), &budget).0, None);
        let text = small.pool.display(small.formula, &small.model.symbols()).to_string();
        let Drawn::Partitioned(drawn, model) = &small.model else { panic!("another kind of model") };
        assert!(drawn.signature().groups.len() <= 2, "seed {seed}: {drawn:?}");
        assert!(text.contains("label(") && text.contains('F') && text.len() < 40, "seed {seed}: {text}");
        // The file that reproduces it knows the label.
        let note = reproduce(folder.path(), model, "1", |_| text.clone()).unwrap();
        let read = crate::kinds::read(&[note.with_extension("etf")], &Reading::default(), &budget).unwrap();
        assert!(parse(&text, &read.symbols, &mut Pool::new()).is_ok(), "seed {seed}: {text}");
        if found == 2 {
            return;
        }
    }
    panic!("{found} disagreements");
}

/// An engine that takes each label for the next one when it sees a question about steps below a `G`.
fn confused(model: &dyn Kind, pool: &mut Pool, formula: FormulaId, paths: PathSemantics) -> Option<bool> {
    let globally = pool.subformulas(&[formula]).iter().any(|&id| matches!(pool[id], Formula::Globally(_)));
    let network = model.as_network()?;
    let changed = pool.rebuild(formula, |_, node| match node {
        Formula::Action(labels) if globally => {
            let all = network.label_count() as u32;
            let mut next: Vec<TransitionId> = labels.iter().map(|label| TransitionId((label.0 + 1) % all)).collect();
            next.sort_unstable();
            next.dedup();
            Some(Formula::Action(next))
        }
        node => Some(node),
    })?;
    let (options, budget) = (Options::default(), Budget::unlimited());
    let engine = network.compile(&Encoding::default(), &budget).ok()?;
    check_ltl(&*engine, pool, changed, paths, &options, &budget).ok().map(|found| found.holds)
}

#[test]
fn a_fault_on_networks_is_found_and_made_small() {
    let budget = Budget::unlimited();
    let mut found = 0;
    for seed in 0..1000 {
        let mut large = trial_of_network(seed);
        let add = |plan: &mut Plan<'_>| plan.others.push(("confused", &confused));
        let Some(disagreement) = large.run(add, &budget).0 else { continue };
        assert_eq!(disagreement.other.0, "confused");
        found += 1;
        let mut small = shrunk(&large, add, &budget);
        assert!(small.run(add, &budget).0.is_some());
        assert_eq!(small.run(|_| (), &budget).0, None);
        let text = small.pool.display(small.formula, &small.model.symbols()).to_string();
        let Drawn::Network(network) = &small.model else { panic!("another kind of model") };
        let edges: usize = network.components().iter().map(|component| component.edges.len()).sum();
        assert!(network.components().len() == 1 && edges <= 3, "seed {seed}: {network:?}");
        assert!(text.contains("action(") && text.len() < 40, "seed {seed}: {text}");
        if found == 2 {
            return;
        }
    }
    panic!("{found} disagreements");
}

/// An engine that forgets inhibitor arcs when it sees an until.
fn faulty(model: &dyn Kind, pool: &mut Pool, formula: FormulaId, paths: PathSemantics) -> Option<bool> {
    let until = pool.subformulas(&[formula]).iter().any(|&id| matches!(pool[id], Formula::Until(..)));
    let net = model.as_net()?;
    let mut b = crate::net::NetBuilder::new(net.name());
    for place in net.places() {
        b.place(&place.id, place.initial).ok()?;
    }
    for t in net.transitions() {
        let id = b.transition(&t.id).ok()?;
        t.pre.iter().try_for_each(|a| b.input(a.place, id, a.weight)).ok()?;
        t.post.iter().try_for_each(|a| b.output(id, a.place, a.weight)).ok()?;
        if !until {
            t.inhibitors.iter().try_for_each(|a| b.inhibitor(a.place, id, a.weight)).ok()?;
        }
    }
    // Without its inhibitor arcs a net may be unbounded.
    let budget = Budget::unlimited().with_memory(1 << 17);
    let net = b.build().ok()?;
    let engine = net.compile(&Encoding::default(), &budget).ok()?;
    check_ltl(&*engine, pool, formula, paths, &Options::default(), &budget).ok().map(|found| found.holds)
}

#[test]
fn a_fault_is_found_and_made_small() {
    let budget = Budget::unlimited();
    let mut found = 0;
    for seed in 0..1000 {
        let mut large = trial(seed);
        let add = |plan: &mut Plan<'_>| plan.others.push(("faulty", &faulty));
        let Some(disagreement) = large.run(add, &budget).0 else { continue };
        assert_eq!(disagreement.other.0, "faulty");
        found += 1;
        let mut small = shrunk(&large, add, &budget);
        assert!(small.run(add, &budget).0.is_some());
        assert_eq!(small.run(|_| (), &budget).0, None);
        let formula = small.pool.display(small.formula, &small.model.symbols()).to_string();
        let Drawn::Net(net) = &small.model else { panic!("another kind of model") };
        let arcs: usize = net.transitions().iter().map(|t| t.inhibitors.len()).sum();
        assert!(arcs == 1 && net.transition_count() <= 2, "seed {seed}: {net:?}");
        assert!(formula.contains(" U ") && formula.len() < 60, "seed {seed}: {formula}");
        if found == 2 {
            return;
        }
    }
    panic!("{found} disagreements");
}

/// All ways give the answers that brute force gives, to formulas and bounds alike.
#[test]
fn everything_agrees() {
    let (net, mut pool, questions) = philosophers();
    let budget = Budget::unlimited().with_memory(64 << 20);
    let plan = Plan::everything(&net, 0, &[], &budget);
    let opinions = compare(&net, &mut pool, &questions, &plan, &budget);
    assert_eq!(opinions.disagreement(), None);
    let graph = explore(&net, 100).unwrap();
    let expected = |question: &Question| match question {
        Question::Bound(places) => vec![(Quantity::Bound, crate::oracle::bound(&graph, places).to_string())],
        Question::Formula(formula, paths) => {
            let mut pool = pool.clone();
            let closed = pool.close(*formula);
            let set = check(Setting::new(&graph, &pool, *paths), closed).unwrap().remove(&closed).unwrap();
            let satisfying = set.iter().filter(|&&holds| holds).count();
            vec![(Quantity::Verdict, set[0].to_string()), (Quantity::Satisfying, satisfying.to_string())]
        }
        Question::Distance(..) => panic!("no numbers of steps are asked for"),
    };
    // Both verdicts are among the expected ones, or a way that always says the same would be right.
    let verdicts: BTreeSet<String> = questions.iter().map(|question| expected(question)[0].1.clone()).collect();
    assert!(verdicts.contains("true") && verdicts.contains("false"), "{verdicts:?}");
    for (question, opinions) in questions.iter().zip(&opinions.questions) {
        let expected = expected(question);
        let mut given = 0;
        for (quantity, value) in opinions.iter().flat_map(|opinion| &opinion.quantities) {
            assert!(
                expected.contains(&(*quantity, value.clone())),
                "{question:?}: {quantity} {value}, not {expected:?}"
            );
            given += 1;
        }
        assert!(given > 10, "{question:?}: {opinions:?}");
    }
    let maxima: Vec<u64> = net.place_ids().map(|place| graph.bound(place)).collect();
    let quantities = [
        (Quantity::States, graph.states().to_string()),
        (Quantity::Transitions, graph.transitions().to_string()),
        (Quantity::Deadlocks, graph.deadlocks().len().to_string()),
        (Quantity::Maxima, format!("{maxima:?}")),
    ];
    assert!(opinions.space.len() > 12, "{}", opinions.space.len());
    for opinion in &opinions.space {
        assert_eq!(opinion.stopped, None, "{}", opinion.way);
        for quantity in &opinion.quantities {
            assert!(quantities.contains(quantity), "{}: {quantity:?}", opinion.way);
        }
    }
}

/// One engine that is wrong about one question is told apart from all others, and in nothing else.
#[test]
fn one_wrong_answer_is_a_disagreement() {
    let (net, mut pool, questions) = philosophers();
    let budget = Budget::unlimited().with_memory(64 << 20);
    let formulas: Vec<FormulaId> = questions
        .iter()
        .filter_map(|question| match question {
            Question::Formula(formula, _) => Some(pool.close(*formula)),
            Question::Bound(_) | Question::Distance(..) => None,
        })
        .collect();
    for (wrong, &misjudged) in formulas.iter().enumerate() {
        let verdict = |net: &dyn Kind, pool: &mut Pool, formula: FormulaId, paths: PathSemantics| {
            let graph = explore(net.as_net()?, 100)?;
            let holds = check(Setting::new(&graph, pool, paths), formula).ok()?.remove(&formula)?[0];
            Some(holds ^ (formula == misjudged))
        };
        let mut plan = Plan::everything(&net, 0, &[], &budget);
        plan.others.push(("wrong once", &verdict));
        let opinions = compare(&net, &mut pool, &questions, &plan, &budget);
        assert_eq!(disagreement(&opinions.space), None);
        for (number, opinions) in opinions.questions.iter().enumerate() {
            let found = disagreement(opinions).map(|found| (found.quantity, found.other.0));
            let expected = (number == wrong).then(|| (Quantity::Verdict, "wrong once".to_owned()));
            assert_eq!(found, expected, "question {number}");
        }
    }
}

/// Three formulas and a bound.
fn philosophers() -> (crate::net::PetriNet, Pool, Vec<Question>) {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(3).unwrap();
    let (mut pool, symbols) = (Pool::new(), Symbols::new(&net));
    let texts = ["A G F #Fork_0 = 1", "AG EF #Fork_0 = 1", "E (G F #Eat_0 = 1 & F G #Eat_1 = 0)"];
    let ask = |text| Question::Formula(parse(text, &symbols, &mut pool).unwrap(), PathSemantics::Stutter);
    let mut questions: Vec<Question> = texts.into_iter().map(ask).collect();
    questions.push(Question::Bound(net.place_ids().take(2).collect()));
    (net, pool, questions)
}
