//! The explicit engine against the expected answers of the Model Checking Contest.
//!
//! The instances are read from `../shared/mcc` beside the repository.

use crate::shared::shared;
use starset::budget::Budget;
use starset::explicit::{Encoding, Options, check_ltl};
use starset::formula::{PathSemantics, Pool, PropertyQuestion, Symbols, read_properties};
use starset::kinds::Kind;
use starset::net::PetriNet;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The place/transition instances with at most `limit` reachable markings.
fn instances(limit: u64) -> Vec<(String, PathBuf, PetriNet)> {
    let Some(folder) = shared("mcc") else { return Vec::new() };
    let table = fs::read_to_string(folder.join("instances.csv")).unwrap();
    let rows = table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    let small = rows.filter(|row| row[2] == "PT" && row[10].parse().is_ok_and(|n: u64| n <= limit));
    let found: Vec<_> = small
        .map(|row| {
            let path = folder.join(row[0]);
            (row[0].to_owned(), path.clone(), starset::kinds::net::pnml::read_path(&path).unwrap())
        })
        .collect();
    assert!(found.len() > 5, "{} instances with at most {limit} markings", found.len());
    found
}

/// Expected answers by instance and formula identifier.
fn expected(folder: &Path) -> HashMap<(String, String), String> {
    let table = fs::read_to_string(folder.parent().unwrap().join("expected.csv")).unwrap();
    let rows = table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    rows.map(|row| ((row[0].to_owned(), row[2].to_owned()), row[3].to_owned())).collect()
}

#[test]
fn state_spaces_have_the_expected_sizes() {
    for (name, folder, net) in instances(50_000) {
        let expected = expected(&folder);
        let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
        let found = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
        for (key, value) in [
            ("STATES", found.states.to_string()),
            ("TRANSITIONS", found.transitions.to_string()),
            ("MAX_TOKEN_IN_PLACE", found.max_tokens_in_place().to_string()),
            ("MAX_TOKEN_PER_MARKING", found.max_tokens_per_marking.to_string()),
            ("ReachabilityDeadlock", (found.deadlocks > 0).to_string().to_uppercase()),
            ("OneSafe", (found.max_tokens_in_place() <= 1).to_string().to_uppercase()),
            ("QuasiLiveness", (!found.fireable.contains(&false)).to_string().to_uppercase()),
        ] {
            let answer = &expected[&(name.clone(), key.to_owned())];
            assert!(*answer == value || answer == "?", "{name}: {key} is {answer}, not {value}");
        }
    }
}

#[test]
fn ltl_formulas_have_the_expected_verdicts() {
    let (mut checked, mut unknown) = (0, 0);
    for (name, folder, net) in instances(3_000) {
        let expected = expected(&folder);
        let symbols = Symbols::new(&net);
        // Both encodings.
        let compiled = |drw| net.compile(&Encoding { drw, ..Encoding::default() }, &Budget::unlimited()).unwrap();
        let (packed, decoded) = (compiled(true), compiled(false));
        for examination in ["LTLCardinality", "LTLFireability"] {
            let mut pool = Pool::new();
            let file = BufReader::new(File::open(folder.join(format!("{examination}.xml"))).unwrap());
            for (number, property) in
                read_properties(file, examination, &symbols, &mut pool).unwrap().into_iter().enumerate()
            {
                let PropertyQuestion::Formula(formula) = property.query else { continue };
                let answer = &expected[&(name.clone(), property.id.clone())];
                // Every switch in turn.
                let options = Options {
                    dynamic_fireset: number % 8 != 2,
                    heuristic_buchi: number % 8 != 3,
                    stubborn: number % 4 != 0,
                    guided: (number % 8 == 5).then_some(1),
                    ..Options::default()
                };
                let engine = if number % 8 == 1 { &*decoded } else { &*packed };
                let budget = Budget::unlimited().with_time(Duration::from_secs(20));
                match check_ltl(engine, &mut pool, formula, PathSemantics::Stutter, &options, &budget) {
                    Ok(found) => {
                        let verdict = found.holds.to_string().to_uppercase();
                        assert!(*answer == verdict || answer == "?", "{}: not {verdict}, {options:?}", property.id);
                        checked += 1;
                    }
                    Err(_) => unknown += 1,
                }
            }
        }
    }
    eprintln!("{checked} LTL verdicts checked, {unknown} out of time");
    assert!(unknown * 20 <= checked);
}
