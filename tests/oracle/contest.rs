//! The oracle and the property reader held against the expected answers of the Model Checking Contest.
//!
//! The instances are read from `../shared/mcc` beside the repository.

use crate::oracle::{Setting, bound, check, check_ctl};
use crate::reference::{Graph, explore};
use crate::shared::shared;
use starset::formula::{Formula, Logic, PathSemantics, Pool, PropertyQuestion, Symbols, parse, read_properties};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

/// Place/transition instances with at most `limit` reachable markings, by name.
pub(crate) fn instances(folder: &Path, limit: usize) -> Vec<String> {
    let table = fs::read_to_string(folder.join("instances.csv")).unwrap();
    let rows = table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    let small = rows.filter(|row| row[2] == "PT" && row[10].parse().is_ok_and(|n: usize| n <= limit));
    small.map(|row| row[0].to_owned()).collect()
}

/// Expected answers by formula identifier.
fn expected(folder: &Path) -> HashMap<String, String> {
    let table = fs::read_to_string(folder.join("expected.csv")).unwrap();
    let rows = table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    rows.map(|row| (row[2].to_owned(), row[3].to_owned())).collect()
}

/// Number of temporal operators, which the brute force is exponential in.
pub(crate) fn temporal(pool: &Pool, formula: starset::formula::FormulaId) -> u32 {
    pool.subformulas(&[formula]).iter().filter(|&&f| pool[f].is_temporal()).count() as u32
}

const EXAMINATIONS: [&str; 7] = [
    "UpperBounds",
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
];

/// The answer to one query, or `None` if it would take too long by brute force.
fn answer(graph: &Graph, pool: &Pool, query: &PropertyQuestion, examination: &str, effort: usize) -> Option<String> {
    let formula = match query {
        PropertyQuestion::Bound(places) => return Some(bound(graph, places).to_string()),
        PropertyQuestion::Formula(formula) => *formula,
        PropertyQuestion::Steps(_) => panic!("the contest asks for no numbers of steps"),
        PropertyQuestion::Refused(error) => panic!("{error}"),
    };
    let truth = if examination.starts_with("LTL") {
        let nodes = graph.transitions().checked_shl(temporal(pool, formula))?;
        if nodes > effort {
            return None;
        }
        check(Setting::new(graph, pool, PathSemantics::Stutter), formula).unwrap()[&formula][0]
    } else {
        let setting = Setting::new(graph, pool, PathSemantics::Maximal);
        let by_labelling = check_ctl(setting, formula).unwrap();
        let widest = pool.subformulas(&[formula]).into_iter().filter_map(|f| match pool[f] {
            Formula::Exists(path) | Formula::Forall(path) => Some(pool[path].children().len() as u32),
            _ => None,
        });
        if widest.count() * graph.transitions() < effort / 4 {
            assert_eq!(check(setting, formula).unwrap(), by_labelling);
        }
        by_labelling[&formula][0]
    };
    Some(if truth { "TRUE" } else { "FALSE" }.to_owned())
}

/// Compare everything that can be answered; returns how many answers agreed, by kind.
fn agree(limit: usize, effort: usize) {
    let Some(folder) = shared("mcc") else { return };
    let expected = expected(&folder);
    let mut agreed: HashMap<&str, (usize, usize)> = HashMap::new();
    for instance in instances(&folder, limit) {
        let net = starset::kinds::net::pnml::read_path(&folder.join(&instance).join("model.pnml")).unwrap();
        let graph = explore(&net, limit).unwrap();
        let symbols = Symbols::new(&net);
        for examination in EXAMINATIONS {
            let file = folder.join(&instance).join(format!("{examination}.xml"));
            let mut pool = Pool::new();
            let reader = BufReader::new(File::open(&file).unwrap());
            let properties = read_properties(reader, examination, &symbols, &mut pool).unwrap();
            assert_eq!(properties.len(), 16);
            let count = agreed.entry(examination).or_default();
            for property in properties {
                count.1 += 1;
                let known = &expected[&property.id];
                if known == "?" {
                    continue;
                }
                if let Some(answer) = answer(&graph, &pool, &property.query, examination, effort) {
                    assert_eq!(&answer, known, "{}", property.id);
                    count.0 += 1;
                }
            }
        }
    }
    eprintln!("agreed, of formulas: {agreed:?}");
    assert_eq!(agreed.len(), EXAMINATIONS.len());
    for (examination, (agreed, of)) in agreed {
        let enough = if examination.starts_with("LTL") { of / 2 } else { of };
        assert!(agreed >= enough, "{examination}: only {agreed} of {of} decided");
    }
}

#[test]
fn small_instances_have_the_expected_answers() {
    agree(300, 200_000);
}

#[test]
#[ignore = "takes minutes"]
fn tiny_instances_have_the_expected_answers() {
    agree(10_000, 2_000_000);
}

/// All formulas of the place/transition instances: names resolve, the logic is that of the examination, what
/// is printed is read again as the same formula, and simplification stays within the logic.
#[test]
fn every_formula_file_is_read() {
    let Some(folder) = shared("mcc") else { return };
    let table = fs::read_to_string(folder.join("instances.csv")).unwrap();
    let mut count = 0;
    for row in table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>()) {
        let small = row[2] == "PT" && row[15].parse().is_ok_and(|bytes: u64| bytes < 1_000_000);
        if !small {
            continue;
        }
        let net = starset::kinds::net::pnml::read_path(&folder.join(row[0]).join("model.pnml")).unwrap();
        let symbols = Symbols::new(&net);
        for examination in EXAMINATIONS {
            let file = File::open(folder.join(row[0]).join(format!("{examination}.xml"))).unwrap();
            let mut pool = Pool::new();
            for property in read_properties(BufReader::new(file), examination, &symbols, &mut pool).unwrap() {
                count += 1;
                let PropertyQuestion::Formula(f) = property.query else {
                    assert_eq!(examination, "UpperBounds");
                    continue;
                };
                let logic = pool.logic(f);
                assert!(
                    match examination.get(..3) {
                        Some("Rea") => logic == Logic::Reachability,
                        Some("CTL") => logic <= Logic::Ctl,
                        // `A X p` is both.
                        _ => logic == Logic::Ltl || pool.subformulas(&[f]).len() < 40 && logic <= Logic::Ctl,
                    },
                    "{}: {logic}",
                    property.id
                );
                let text = pool.display(f, &symbols).to_string();
                assert_eq!(parse(&text, &symbols, &mut pool), Ok(f), "{text}");
                let simple = pool.simplify(f, PathSemantics::Maximal);
                assert!(logic == Logic::Ltl || pool.logic(simple) <= Logic::Ctl, "{}", property.id);
            }
        }
    }
    assert!(count > 4000, "only {count} formulas");
}

#[test]
fn the_properties_of_another_net_are_refused() {
    let Some(folder) = shared("mcc") else { return };
    let net = starset::kinds::net::pnml::read_path(&folder.join("Kanban-PT-00005/model.pnml")).unwrap();
    let file = BufReader::new(File::open(folder.join("FMS-PT-00002/CTLCardinality.xml")).unwrap());
    let error = read_properties(file, "CTLCardinality.xml", &Symbols::new(&net), &mut Pool::new()).unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with("CTLCardinality.xml:19:") && message.contains("unknown place `P2s`"), "{message}");
    assert!(message.contains("property file of another net"), "{message}");
}
