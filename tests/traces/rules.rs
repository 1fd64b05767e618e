//! Rules on traces: the counts of Declare, and automata.

use crate::shared::{shared, table};
use starset::automaton::finite::{ALIVE, deterministic, parse};
use starset::automaton::ltl::Formulas;
use starset::budget::Budget;
use starset::rng::Rng;
use starset::traces::{Rule, read_rules};

fn traces(most: usize) -> Vec<Vec<&'static str>> {
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let to = all.len();
        for at in from..to {
            all.extend(["A", "B", "C"].map(|name| [&all[at][..], &[name]].concat()));
        }
        from = to;
    }
    all
}

fn keeps(rule: &Rule, trace: &[&str]) -> bool {
    rule.holds(trace, |event, name| *event == name)
}

#[test]
fn templates_accept_as_many_traces_as_counted() {
    let Some(folder) = shared("bpmn") else { return };
    let (all, mut checked) = (traces(5), 0);
    for row in table(&folder.join("declare.csv")) {
        let (template, arguments) = (&row["template"], row["arguments"].replace(' ', ", "));
        for text in [format!("{template}({arguments})"), row["formula"].clone()] {
            let (rule, _) = Rule::parse("r", &text).unwrap();
            for length in 1..=5 {
                let kept = all.iter().filter(|trace| trace.len() == length && keeps(&rule, trace)).count();
                assert_eq!(kept.to_string(), row[format!("n{length}").as_str()], "{text}, {length} events");
            }
            assert_eq!(keeps(&rule, &[]).to_string(), row["empty_trace"], "{text}, no event");
        }
        checked += 1;
    }
    assert!(checked >= 25, "{checked}");
}

#[test]
fn random_rules_are_their_automata() {
    let mut rng = Rng::new(3);
    let all = traces(4);
    let mut kept = [0; 2];
    for _ in 0..150 {
        let text = random(&mut rng, 4);
        let (rule, _) = Rule::parse("r", &text).unwrap();
        let mut store = Formulas::new();
        let alive = store.proposition(ALIVE);
        let (formula, _) = parse(&mut store, &text, alive).unwrap();
        let automaton = deterministic(&mut store, formula, alive, &Budget::unlimited()).unwrap();
        for trace in all.iter().filter(|trace| !trace.is_empty()) {
            let letters: Vec<_> = trace
                .iter()
                .map(|event| {
                    let names = &automaton.propositions;
                    move |prop: starset::automaton::Prop| names[prop.index()] == *event
                })
                .collect();
            let holds = keeps(&rule, trace);
            assert_eq!(holds, automaton.accepts(&letters), "{text}: {trace:?}");
            kept[usize::from(holds)] += 1;
        }
    }
    assert!(kept.iter().all(|&count| count > 2_000), "{kept:?}");
}

fn random(rng: &mut Rng, size: u32) -> String {
    if size == 0 || rng.below(6) == 0 {
        return ["A", "B", "C"][rng.below(3)].to_owned();
    }
    match rng.below(3) {
        0 => format!("{} ({})", ["!", "X", "N", "F", "G", "O", "Y"][rng.below(7)], random(rng, size - 1)),
        _ => {
            let operator = ["&", "|", "->", "U", "R", "W", "M", "S"][rng.below(8)];
            format!("({}) {operator} ({})", random(rng, size - 1), random(rng, size - 1))
        }
    }
}

#[test]
fn files_of_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.rules");
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        read_rules(&path)
    };
    let (rules, _) = read("// all\n\npaid: response(\"Place order\", Pay)\nF Pay\n").unwrap();
    let ids: Vec<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["paid", "2"]);
    assert_eq!(rules[0].activities().collect::<Vec<_>>(), ["Place order", "Pay"]);
    for (text, line, what) in [
        ("F a\nF (a", 2, "expected"),
        ("a: F a\na: F b", 2, "two rules are called `a`"),
        ("# nothing\n", 1, "the file has no rule"),
        ("response(a)", 1, ""),
        ("F alive", 1, "alive"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.line == line && error.to_string().contains(what), "{error}");
    }
    assert!(read_rules(&folder.path().join("none")).unwrap_err().message.contains("cannot be read"));
}
