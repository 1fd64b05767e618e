//! The files of the RERS challenge that are solved in well under a second, and the hand-made ones.

use super::{network, rers};
use starset::budget::Budget;
use starset::formula::{PathSemantics, Pool, Symbols, read_numbered};
use starset::kinds::Kind;
use starset::kinds::network::Network;
use starset::mdd::{MddManager, with_deep_stack};
use starset::order;
use starset::symbolic::{Checker, Search, reachable_set};
use std::path::Path;

/// The verdicts of a file of formulas under some semantics, by number, with what the file says.
fn verdicts(network: &Network, file: &Path, paths: Option<PathSemantics>) -> Vec<(String, bool, Option<bool>)> {
    let symbols = Symbols::of_labels(network.label_ids().map(|label| network.label(label)));
    let mut pool = Pool::new();
    let text = std::fs::read_to_string(file).unwrap();
    let found = read_numbered(&text, &file.display().to_string(), &symbols, &mut pool).unwrap();
    let budget = Budget::unlimited();
    let order = order::candidates(&network.skeleton(), &budget, 0).swap_remove(0).order;
    let relation = network.relation(order.as_slice()).unwrap();
    let space = MddManager::new(relation.levels(), &budget).unwrap();
    with_deep_stack(network.components().len(), || {
        let states = reachable_set(&relation, &space, Search::Saturation, &budget, &mut |_| {}).unwrap();
        let answer = |property: &starset::formula::Numbered| {
            let closed = pool.close(property.formula);
            let paths = paths.unwrap_or(pool.logic(property.formula).default_paths_of_network());
            let formula = pool.push_quantifiers(closed, paths);
            let mut checker = Checker::new(&relation, states.clone(), paths).unwrap();
            let verdict = checker.holds_initially(&pool, formula, &budget).unwrap();
            (property.number.clone(), verdict, property.expected)
        };
        found.iter().map(answer).collect()
    })
}

/// Lines of a csv file without the first, as fields.
fn csv(file: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn published_verdicts() {
    let Some(folder) = rers() else { return };
    for number in [101, 102, 103, 104, 105, 106] {
        let system = network(&folder.join(format!("rers2016/problem{number}.dot")));
        let file = folder.join(format!("rers2016/problem{number}-properties-with-solution.txt"));
        let found = verdicts(&system, &file, None);
        assert_eq!(found.len(), 20);
        for (property, verdict, expected) in found {
            assert_eq!(Some(verdict), expected, "2016/{number} #{property}");
        }
    }
}

#[test]
fn computed_verdicts() {
    let Some(folder) = rers() else { return };
    for (year, numbers) in [("rers2017", &[101, 102, 103][..]), ("rers2019", &[101])] {
        let expected = csv(&folder.join(year).join("verdicts.csv"));
        for number in numbers {
            let system = network(&folder.join(year).join(format!("problem{number}.dot")));
            let file = folder.join(year).join(format!("problem{number}-properties.txt"));
            let mut compared = 0;
            for (property, verdict, _) in verdicts(&system, &file, None) {
                let row = expected.iter().find(|row| row[0] == number.to_string() && row[1] == property);
                let Some(row) = row else { continue };
                assert_eq!(verdict.to_string(), row[2], "{year}/{number} #{property}");
                compared += 1;
            }
            assert_eq!(compared, 20, "{year}/{number}");
        }
    }
}

/// The hand-made formulas under each path semantics that the tables have a column for.
#[test]
fn handmade_verdicts() {
    let Some(folder) = rers() else { return };
    let handmade = folder.join("handmade");
    let real = |name: &str| {
        let (year, number) = name.split_once('-').unwrap();
        folder.join(format!("rers{year}/problem{number}.dot"))
    };
    let tiny =
        ["tiny1", "tiny2", "tiny3", "tiny4"].map(|name| (handmade.clone(), name, handmade.join(format!("{name}.dot"))));
    let others = ["2016-103", "2016-104", "2017-101", "2019-101"]
        .map(|name| (handmade.join("on-real-systems"), name, real(name)));
    let mut compared = 0;
    for (folder, name, system) in tiny.into_iter().chain(others) {
        let system = network(&system);
        for (logic, columns) in [
            ("ltl", [Some(PathSemantics::Infinite), Some(PathSemantics::Stutter), None]),
            ("ctl", [Some(PathSemantics::Maximal), Some(PathSemantics::Stutter), Some(PathSemantics::Infinite)]),
        ] {
            let table = folder.join(format!("{name}-{logic}.csv"));
            if !table.exists() {
                assert_eq!((name, logic), ("2019-101", "ltl"));
                continue;
            }
            let rows = csv(&table);
            for (column, paths) in columns.into_iter().enumerate().filter_map(|(c, paths)| Some((c, paths?))) {
                let found = verdicts(&system, &folder.join(format!("{name}-{logic}.txt")), Some(paths));
                assert_eq!(found.len(), rows.len());
                for ((property, verdict, _), row) in found.iter().zip(&rows) {
                    assert_eq!(*property, row[0]);
                    assert_eq!(verdict.to_string(), row[column + 1], "{name} {logic} #{property} under {paths}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 200, "{compared}");
}
