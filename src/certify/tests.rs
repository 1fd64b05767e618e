//! Certificates of random nets, formulas and path semantics against brute force.

#![allow(clippy::unwrap_used)]
use super::{Maker, Uncertified};
use crate::budget::Budget;
use crate::decide::{Settings, explore};
use crate::formula::{FormulaId, Logic, PathSemantics, Pool};
use crate::kinds::net::pnml;
use crate::oracle::{Setting, check};
use crate::random::{FormulaShape, NetShape, Rng, formula, net};
use crate::reference;

/// A net in PNML with a certificate, and what brute force says; none if the formula cannot be certified.
struct Case {
    seed: u64,
    model: String,
    certificate: String,
    verdict: bool,
}

fn case(seed: u64) -> Option<Case> {
    let mut rng = Rng::new(seed);
    let shape =
        NetShape { places: 5, transitions: 5, tokens: 3, weight: 2, inhibitors: true, reads: true, max_states: 60 };
    let net = net(&mut rng, &shape);
    let mut pool = Pool::new();
    let logic = [Logic::Ltl, Logic::Ctl, Logic::CtlStar, Logic::Reachability][rng.below(4)];
    let size = 1 + rng.below(7);
    let open = formula(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
    let paths = PathSemantics::ALL[rng.below(3)];
    let closed = pool.close(open);
    let graph = reference::explore(&net, 1000)?;
    let verdict = check(Setting::new(&graph, &pool, paths), closed).ok()?[&closed][0];
    let mut model = Vec::new();
    pnml::write(&net, &mut model).unwrap();
    let model = String::from_utf8(model).unwrap();
    let certificate = made(&net, &model, &pool, (open, paths), verdict, seed)?;
    Some(Case { seed, model, certificate, verdict })
}

fn made(
    net: &crate::net::PetriNet,
    model: &str,
    pool: &Pool,
    asked: (FormulaId, PathSemantics),
    verdict: bool,
    seed: u64,
) -> Option<String> {
    let budget = Budget::unlimited().with_memory(4 << 20);
    let space = explore(net, &Settings::default(), true, &budget, &|_| ()).unwrap();
    let maker = Maker::new(net, model).unwrap();
    assert_eq!(
        maker.certify(&space, pool, asked, !verdict, &budget).map_err(|error| match error {
            Uncertified::Formula(_) => Uncertified::NotProved,
            other => other,
        }),
        Err(Uncertified::NotProved),
        "seed {seed}"
    );
    match maker.certify(&space, pool, asked, verdict, &budget) {
        Ok(certificate) => {
            let proved = maker.check(&certificate).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{certificate}"));
            assert_eq!(proved.verdict, verdict, "seed {seed}");
            Some(certificate)
        }
        Err(Uncertified::Formula(_)) => None,
        Err(error) => panic!("seed {seed}: {error}"),
    }
}

fn trials(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("SEED").unwrap_or(0);
    first..first + number("TRIALS").unwrap_or(usual)
}

#[test]
fn verdicts_of_random_nets_are_certified() {
    let folder = std::env::var_os("CERTIFICATES").map(std::path::PathBuf::from);
    let mut made = 0;
    for seed in trials(150) {
        let Some(case) = case(seed) else { continue };
        made += 1;
        if let Some(folder) = &folder {
            std::fs::write(folder.join(format!("{seed}.pnml")), &case.model).unwrap();
            std::fs::write(folder.join(format!("{seed}.{}.cert", case.verdict)), &case.certificate).unwrap();
        }
        assert_eq!(case.seed, seed);
    }
    assert!(made > 0);
}
