//! Ways agree on random nets; a fault is found and made small.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::Budget;
use crate::explicit::{Options, check_ltl};
use crate::formula::{Formula, Pool, Symbols, parse};
use crate::lts::Model;
use crate::net::TransitionId;

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

/// An engine that takes each label for the next one when it sees a question about steps below a `G`.
fn confused(model: Model<'_>, pool: &mut Pool, formula: FormulaId, paths: PathSemantics) -> Option<bool> {
    let globally = pool.subformulas(&[formula]).iter().any(|&id| matches!(pool[id], Formula::Globally(_)));
    let Model::Network(network) = model else { return None };
    let mut new: std::collections::HashMap<FormulaId, FormulaId> = std::collections::HashMap::new();
    for id in pool.subformulas(&[formula]) {
        let node = match pool[id].map(|a| new[&a]) {
            Formula::Action(labels) if globally => {
                let all = network.label_count() as u32;
                let mut next: Vec<TransitionId> =
                    labels.iter().map(|label| TransitionId((label.0 + 1) % all)).collect();
                next.sort_unstable();
                next.dedup();
                Formula::Action(next)
            }
            node => node,
        };
        let copy = pool.add(node);
        new.insert(id, copy);
    }
    let options = Options::default();
    check_ltl(network, pool, new[&formula], paths, &options, &Budget::unlimited()).ok().map(|found| found.holds)
}

#[test]
fn a_fault_on_networks_is_found_and_made_small() {
    let budget = Budget::unlimited();
    let mut found = 0;
    for seed in 0..400 {
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
fn faulty(model: Model<'_>, pool: &mut Pool, formula: FormulaId, paths: PathSemantics) -> Option<bool> {
    let until = pool.subformulas(&[formula]).iter().any(|&id| matches!(pool[id], Formula::Until(..)));
    let Model::Net(net) = model else { return None };
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
    check_ltl(&b.build().ok()?, pool, formula, paths, &Options::default(), &budget).ok().map(|found| found.holds)
}

#[test]
fn a_fault_is_found_and_made_small() {
    let budget = Budget::unlimited();
    let mut found = 0;
    for seed in 0..400 {
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

/// Everything on a net with bounds of places as questions; and an engine that is wrong.
#[test]
fn everything_agrees() {
    let net = crate::models::family("philo").unwrap().generate(3).unwrap();
    let mut pool = Pool::new();
    let symbols = Symbols::new(&net);
    let texts = ["A G F #Fork_0 = 1", "AG EF #Fork_0 = 1", "E (G F #Eat_0 = 1 & F G #Eat_1 = 0)"];
    let mut questions: Vec<Question> = texts
        .iter()
        .map(|text| Question::Formula(parse(text, &symbols, &mut pool).unwrap(), PathSemantics::Stutter))
        .collect();
    questions.push(Question::Bound(net.place_ids().take(2).collect()));
    let budget = Budget::unlimited().with_memory(64 << 20);
    let mut plan = Plan::everything(&net, 0, &[], &budget);
    let opinions = compare(&net, &mut pool, &questions, &plan, &budget);
    assert_eq!(opinions.disagreement(), None);
    assert!(opinions.space.len() > 12, "{}", opinions.space.len());
    assert!(opinions.questions.iter().all(|opinions| opinions.len() > 10));
    plan.others.push(("no", &|_, _, _, _| Some(false)));
    plan.others.push(("yes", &|_, _, _, _| Some(true)));
    let opinions = compare(&net, &mut pool, &questions, &plan, &budget);
    for opinions in &opinions.questions[..3] {
        assert!(disagreement(opinions).is_some());
    }
}
