//! The examinations on the instances of the Model Checking Contest sample, where it is at hand.

use starset::budget::Budget;
use starset::coloured::{Limits, unfold};
use starset::examination::{Answer, Examination, Questions, Settings, Subject, Value, run};
use starset::formula::Symbols;
use starset::pnml::{self, Net};
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// Seconds for each examination. The tiny instances need a small part of one.
const LIMIT: Duration = Duration::from_secs(5);
/// Share of the known answers that must be found, so that an engine that gives up is noticed.
const LEAST_ANSWERED: f64 = 0.95;

fn text(value: &Value) -> Option<String> {
    Some(match value {
        Value::Verdict(true) => "TRUE".to_owned(),
        Value::Verdict(false) => "FALSE".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Infinite => "+inf".to_owned(),
        Value::Unknown(_) => return None,
    })
}

/// No examination of a tiny instance, coloured or not, gives an answer other than the expected one.
#[test]
fn tiny_instances() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/mcc");
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    let (Ok(instances), Ok(expected)) = (read("instances.csv"), read("expected.csv")) else {
        eprintln!("skipped: no {}", folder.display());
        return;
    };
    let mut answers: HashMap<[&str; 3], &str> = HashMap::new();
    for line in expected.lines().skip(1) {
        let cells: Vec<_> = line.split(',').collect();
        answers.insert([cells[0], cells[1], cells[2]], cells[3]);
    }
    let header: Vec<_> = instances.lines().next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|cell| *cell == name).unwrap();
    let tier = column("tier");
    let (mut right, mut unknown, mut wrong) = (0, Vec::new(), Vec::new());
    for line in instances.lines().skip(1) {
        let cells: Vec<_> = line.split(',').collect();
        if cells[tier] != "tiny" {
            continue;
        }
        let path = folder.join(cells[0]);
        let (flat, unfolding);
        let (symbols, subject) = match pnml::read_net_path(&path).unwrap() {
            Net::Flat(net) => {
                flat = net;
                (Symbols::new(&flat), Subject::new(&flat))
            }
            Net::Coloured(net) => {
                unfolding = unfold(&net, &Limits::default(), &Budget::unlimited()).unwrap();
                (unfolding.symbols(), unfolding.subject())
            }
        };
        for examination in Examination::ALL {
            let questions = Questions::read(&path, examination, &symbols).unwrap();
            let budget = Budget::unlimited().with_time(LIMIT).with_memory(1 << 30);
            let mut given: Vec<Answer> = Vec::new();
            let mut keep = |answer| given.push(answer);
            run(&subject, examination, &questions, &Settings::default(), &budget, &mut keep);
            assert_eq!(given.len(), if examination.has_properties() { 16 } else { given.len().max(1) });
            for answer in given {
                let expected = answers[&[cells[0], examination.name(), answer.id.as_str()]];
                match text(&answer.value) {
                    _ if expected == "?" => {}
                    None => unknown.push(format!("{} {}", cells[0], answer.id)),
                    Some(found) if found == expected => right += 1,
                    Some(found) => wrong.push(format!("{} {}: {found}, not {expected}", cells[0], answer.id)),
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let share = f64::from(right) / (f64::from(right) + unknown.len() as f64);
    assert!(share >= LEAST_ANSWERED, "only {share} answered; unknown: {unknown:#?}");
}
