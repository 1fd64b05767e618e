//! The examinations on the instances of the Model Checking Contest sample, where it is at hand.

use crate::shared::shared;
use starset::budget::Budget;
use starset::decide::{Settings, Value};
use starset::examination::{Answer, Event, Examination, read, run};
use starset::formula::{Pool, Symbols};
use starset::kinds::net::coloured::{Limits, unfold};
use starset::kinds::net::pnml::{self, Net};
use starset::model::Groups;
use std::collections::HashMap;
use std::sync::Mutex;
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
        Value::Numbers(_) | Value::Suprema(_) => panic!("no examination asks for a list"),
        Value::Undefined | Value::Unknown(_) => return None,
    })
}

/// No examination of a tiny instance, coloured or not, gives an answer other than the expected one.
#[test]
fn tiny_instances() {
    let Some(folder) = shared("mcc") else { return };
    let [instances, expected] =
        ["instances.csv", "expected.csv"].map(|file| std::fs::read_to_string(folder.join(file)).unwrap());
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
        let (net, symbols, groups) = match pnml::read_net_path(&path).unwrap() {
            Net::Flat(net) => {
                let (symbols, groups) = (Symbols::new(&net), Groups::single(&net));
                (net, symbols, groups)
            }
            Net::Coloured(net) => {
                let unfolding = unfold(&net, &Limits::default(), &Budget::unlimited()).unwrap();
                let (symbols, groups) = (unfolding.symbols(), unfolding.groups());
                (unfolding.net, symbols, groups)
            }
        };
        for examination in Examination::ALL {
            let mut pool = Pool::new();
            let properties = read(&path, examination, &symbols, &mut pool).unwrap();
            let budget = Budget::unlimited().with_time(LIMIT).with_memory(1 << 30);
            let given: Mutex<Vec<Answer>> = Mutex::default();
            let keep = |event| match event {
                Event::Answer(answer) => given.lock().unwrap().push(answer),
                Event::Fault(id, fault) => panic!("{id}: {fault}"),
            };
            run((&net, &groups), examination, &properties, &mut pool, &Settings::default(), &budget, &keep);
            let given = given.into_inner().unwrap();
            let questions = match examination {
                Examination::StateSpace => 4,
                _ if examination.has_properties() => 16,
                _ => 1,
            };
            assert_eq!(given.len(), questions);
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
