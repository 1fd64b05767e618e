//! Processes of BPMN: verdicts and numbers of `../shared/bpmn`, each element by a small diagram, and the program.

mod bounds;
mod deadlines;
mod decisions;
mod elements;
mod interpreter;
mod page;
mod peers;
mod timers;

use crate::cli::{model, run, starset};
use crate::shared::{shared, table};
use starset::budget::Budget;
use starset::decide::{Settings, explore};
use starset::kinds::bpmn::{Environment, ReadProcess, model_of, read_bpmn};
use starset::mdd::with_deep_stack;
use starset::processes::{Answers, Stopped, soundness};
use std::collections::BTreeMap;

fn asked(process: &ReadProcess) -> Answers {
    with_deep_stack(process.net.places.len(), || soundness(&process.net, &Budget::unlimited()).unwrap())
}

/// What the answers say, under the names of the columns.
fn columns(process: &ReadProcess, answers: &Answers) -> BTreeMap<&'static str, Option<String>> {
    let word = |verdict: Option<bool>| verdict.map(|verdict| verdict.to_string());
    let count = |of: fn(&starset::processes::Counts) -> String| answers.counts.as_ref().map(of);
    let dead: Vec<&str> = process
        .net
        .activities
        .iter()
        .filter(|activity| answers.dead.contains(&activity.node))
        .map(|activity| activity.id.as_str())
        .collect();
    BTreeMap::from([
        ("transitions", Some(process.net.transitions.len().to_string())),
        ("states", count(|counts| counts.states.to_string())),
        ("steps", count(|counts| counts.steps.as_ref().unwrap().to_string())),
        ("safe", word(answers.safe.verdict())),
        ("deadlocks", count(|counts| counts.deadlocks.to_string())),
        ("option", word(answers.option_to_complete.verdict())),
        ("proper", word(answers.proper_completion.verdict())),
        ("no_dead_activity", word(answers.no_dead_activity.verdict())),
        ("dead_activities", Some(dead.join(" "))),
        ("relaxed", word(answers.relaxed.verdict())),
        ("easy", word(answers.easy.verdict())),
        ("fair", word(answers.fair.verdict())),
        ("hopeless", count(|counts| counts.hopeless.to_string())),
        ("final", count(|counts| counts.completed.to_string())),
        ("messages_left", word(answers.clean.verdict().map(|clean| !clean))),
        ("dropped_flows", Some(process.diagram.dropped.to_string())),
    ])
}

/// All rows of the table: what is known there is found, and what is refused there is refused.
#[test]
fn verdicts_and_numbers_are_those_of_the_reference() {
    let Some(folder) = shared("bpmn/models") else { return };
    let (mut full, mut wrong) = (0, Vec::new());
    for row in table(&folder.join("reference.csv")) {
        let file = &row["file"];
        let read = read_bpmn(&folder.join(file), Environment::default());
        if row["explored"].starts_with("refused") {
            assert!(read.is_err(), "{file}");
            continue;
        }
        let process = read.unwrap_or_else(|error| panic!("{error}"));
        let answers = asked(&process);
        let complete = row["explored"] == "full";
        full += usize::from(complete);
        for (column, found) in columns(&process, &answers) {
            let expected = &row[column];
            // What is left open there may be found here; of dead activities nothing is said where there are none.
            let open = expected.is_empty() && (column != "dead_activities" || !complete);
            if !open && found.as_deref() != Some(expected) {
                wrong.push(format!("{file}: {column}: expected {expected}, found {found:?}"));
            }
        }
        let piles_up = row["explored"].ends_with("pile up");
        assert!(!piles_up || matches!(answers.stopped, Some(Stopped::Unbounded(_))), "{file}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(full >= 100, "{full}");
}

/// Diagrams as models for both engines have the states and steps that are found one by one.
#[test]
fn engines_find_the_states_of_the_reference() {
    let Some(folder) = shared("bpmn/models") else { return };
    let budget = Budget::unlimited();
    let (mut nets, mut others) = (0, 0);
    for row in table(&folder.join("reference.csv")) {
        let small = row["states"].parse::<u32>().is_ok_and(|states| (1..=1_600).contains(&states));
        if row["explored"] != "full" || !small || row["places"] == "0" {
            continue;
        }
        let process = read_bpmn(&folder.join(&row["file"]), Environment::default()).unwrap();
        let model = model_of(&process.net).unwrap().model;
        let (states, steps) = with_deep_stack(model.variables(), || {
            let space = explore(&*model, &Settings::default(), true, &budget, &|_| {}).unwrap();
            (space.set.count(&budget).unwrap(), space.transitions(&budget).unwrap())
        });
        let found = (states.to_string(), steps.to_string());
        assert_eq!(found, (row["states"].clone(), row["steps"].clone()), "{}", row["file"]);
        if model.as_net().is_some() { nets += 1 } else { others += 1 }
    }
    assert!(nets >= 80 && others >= 5, "{nets} {others}");
}

/// Sets answer as states do, where both can.
#[test]
fn sets_say_what_states_say() {
    let Some(folder) = shared("bpmn/models") else { return };
    let (mut compared, mut fair) = (0, 0);
    for row in table(&folder.join("reference.csv")) {
        if row["explored"] != "full" || row["places"] == "0" {
            continue;
        }
        let process = read_bpmn(&folder.join(&row["file"]), Environment::default()).unwrap();
        let by_sets = with_deep_stack(process.net.places.len(), || {
            starset::processes::by_sets(&process.net, &Budget::unlimited()).unwrap()
        });
        for (column, found) in columns(&process, &by_sets) {
            let expected = &row[column];
            // Sets may leave open what fair runs do.
            if column == "fair" && found.is_none() {
                continue;
            }
            fair += usize::from(column == "fair");
            if !expected.is_empty() {
                assert_eq!(found.as_deref(), Some(expected.as_str()), "{}: {column}", row["file"]);
            }
        }
        compared += 1;
    }
    assert!(compared >= 100 && fair >= 30, "{compared} {fair}");
}

/// Parallel branches with a task each, brought together by a gateway.
fn wide(branches: usize, closing: &str) -> ReadProcess {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.bpmn");
    let mut text = format!(
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'><process id='p'><startEvent id='s'/>\
         <parallelGateway id='f'/><{closing} id='j'/><endEvent id='e'/>\
         <sequenceFlow id='sf' sourceRef='s' targetRef='f'/><sequenceFlow id='je' sourceRef='j' targetRef='e'/>",
    );
    for n in 0..branches {
        text.push_str(&format!(
            "<task id='t{n}'/><sequenceFlow id='a{n}' sourceRef='f' targetRef='t{n}'/>\
             <sequenceFlow id='b{n}' sourceRef='t{n}' targetRef='j'/>"
        ));
    }
    std::fs::write(&path, text + "</process></definitions>").unwrap();
    read_bpmn(&path, Environment::default()).unwrap()
}

/// Many parallel branches: as many markings as there are combinations.
#[test]
fn forty_branches_are_sound() {
    let answers = asked(&wide(40, "parallelGateway"));
    assert_eq!(answers.counts.as_ref().unwrap().states.to_string(), ((1u64 << 40) + 4).to_string());
    let found = [answers.sound(), answers.safe.verdict(), answers.fair.verdict()];
    assert_eq!(found, [Some(true); 3]);
}

/// Where it is clear that there are too many markings for a search, runs are found all the same, if they are short.
#[test]
fn refutations_of_wide_diagrams_have_runs() {
    let process = wide(14, "exclusiveGateway");
    let answers = asked(&process);
    // Of m branches that are together, none to all have come to the end; each other one is before its task or behind it. Two
    // markings come before the first gateway has fired.
    let together = (0..=14u64).map(|m| ((0..m).fold(1, |ways, k| ways * (14 - k) / (k + 1)) * (m + 1)) << (14 - m));
    assert_eq!(answers.counts.as_ref().unwrap().states, (together.sum::<u64>() + 2).into());
    let (run, net) = (answers.safe.run().unwrap(), &process.net);
    let mut tokens = net.initial();
    for &step in run {
        assert!(net.transitions[step].is_enabled(&net.places, &tokens), "{run:?}");
        net.transitions[step].fire(&net.places, &mut tokens).unwrap();
    }
    assert!(tokens.iter().any(|&tokens| tokens > 1), "{run:?}");
}

#[test]
fn the_program_says_it() {
    let (out, errors, status) = run(starset().args(["soundness", "models/order.bpmn"]));
    assert_eq!(status, 0);
    let warning = "starset: models/order.bpmn:17: timer `late` may go off at any time\n";
    assert!(errors.contains(warning), "{errors}");
    let (_, errors, _) = run(starset().args(["states", "models/order.bpmn"]));
    assert!(errors.contains(warning), "{errors}");
    let (_, errors, _) = run(starset().args(["soundness", "models/order.bpmn", "models/order.bpmn"]));
    assert!(errors.ends_with("2 warnings about these files: --verbose shows them\n"), "{errors}");
    for line in [
        "order: 6 activities; 19 places, 15 transitions",
        "  sound                  sound",
        "  clean                  false",
        "  markings               44, 74 steps, 2 final, 0 deadlocks, 0 from which nothing completes",
    ] {
        assert!(out.contains(&format!("{line}\n")), "{out}");
    }
    assert!(out.contains("Two weeks") && out.contains("message goods"), "{out}");
    let (out, _, _) = run(starset().args(["states", "models/order.bpmn", "--quiet"]));
    assert!(out.contains("  states                 44\n"), "{out}");
    let formulas = ["-f", "EF enabled(\"Pay\")", "-f", "E F (#\"message goods\" = 1)"];
    let (out, errors, status) = run(starset().args(["check", "models/order.bpmn", "--quiet"]).args(formulas));
    assert_eq!((out.as_str(), status), ("1: true\n2: true\n", 0), "{errors}");
}

#[test]
fn diagrams_are_known_by_their_root() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("order.bpmn20.xml");
    let text = std::fs::read_to_string(model("order.bpmn")).unwrap();
    std::fs::write(&path, &text).unwrap();
    let (out, _, status) = run(starset().arg("soundness").arg(&path));
    assert!(status == 0 && out.contains("\n  sound                  sound\n"), "{out}");
    let (out, errors, _) = run(starset().arg("states").arg(&path));
    assert!(out.contains("\n  states                 44\n"), "{out}");
    assert!(errors.contains("order.bpmn20.xml:17: timer `late`"), "{errors}");
    let (out, _, _) = run(starset().args(["states", "-", "--quiet"]).write_stdin(text));
    assert!(out.contains("  states                 44\n"), "{out}");
}

/// Commands about processes know a diagram on standard input by its root, as they know a file.
#[test]
fn diagrams_come_from_standard_input() {
    use std::io::Write as _;
    let text = std::fs::read(model("order.bpmn")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&text).unwrap();
    let packed = packed.finish().unwrap();
    let (folder, rules) = (tempfile::tempdir().unwrap(), "first: init(\"Place order\")\nwish: existence(\"A wish\")\n");
    let file = folder.path().join("order.rules");
    std::fs::write(&file, rules).unwrap();
    let (rules, log) = (file.to_str().unwrap(), model("orders.csv").into_os_string().into_string().unwrap());
    for command in [&["soundness"][..], &["soundness", "--timers"], &["rules", rules], &["replay", &log]] {
        let asked = || {
            let mut asked = starset();
            asked.args(command).arg("--quiet");
            asked
        };
        let (of_file, _, status) = run(asked().arg(model("order.bpmn")));
        assert_eq!(status, 0);
        // The first line names the model.
        let answers = |out: &str| out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        for input in [&text, &packed] {
            let (out, err, status) = run(asked().arg("-").write_stdin(input.clone()));
            assert_eq!((answers(&out), status), (answers(&of_file), 0), "{command:?}: {err}");
        }
    }
}

#[test]
fn the_program_asks_what_lies_outside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waits.bpmn");
    let text = "<startEvent id='s'/><receiveTask id='r'/><endEvent id='e'/>\
                <sequenceFlow id='1' sourceRef='s' targetRef='r'/><sequenceFlow id='2' sourceRef='r' targetRef='e'/>";
    std::fs::write(&path, elements::diagram(text)).unwrap();
    let states = |options: &[&str]| {
        let (out, _, status) = run(starset().arg("states").arg(&path).arg("--quiet").args(options));
        assert_eq!(status, 0);
        out.lines().find_map(|line| line.trim().strip_prefix("states")).unwrap().trim().to_owned()
    };
    assert_eq!((states(&[]), states(&["--env", "closed"])), ("4".to_owned(), "2".to_owned()));
    assert_eq!(states(&["--channel", "2:block"]), "4");
    for wrong in ["0", "x", "2:drop"] {
        let (_, errors, status) = run(starset().arg("states").arg(&path).args(["--channel", wrong]));
        assert!(status == 2 && errors.contains("expected a number from 1 on"), "{errors}");
    }
}

#[test]
fn many_files_make_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let complex = folder.path().join("complex.bpmn");
    std::fs::write(&complex, elements::diagram("<complexGateway id='g'/>")).unwrap();
    let stuck = folder.path().join("stuck.bpmn");
    let text = "<startEvent id='s'/><exclusiveGateway id='x'/><parallelGateway id='j'/><endEvent id='e'/>\
                <sequenceFlow id='1' sourceRef='s' targetRef='x'/><sequenceFlow id='2' sourceRef='x' targetRef='j'/>\
                <sequenceFlow id='3' sourceRef='x' targetRef='j'/><sequenceFlow id='4' sourceRef='j' targetRef='e'/>";
    std::fs::write(&stuck, elements::diagram(text)).unwrap();
    let (out, _, status) = run(starset().arg("soundness").arg(model("order.bpmn")).arg(&stuck));
    assert_eq!(status, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("file") && lines[0].ends_with("safe  markings"), "{out}");
    let cells = |line: &str| line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(cells(lines[1]), ["yes", "yes", "yes", "yes", "yes", "44"]);
    assert_eq!(cells(lines[2]), ["no", "no", "yes", "yes", "yes", "4"]);
    let all = |extra: &[&str]| run(starset().arg("soundness").arg(&stuck).args(extra)).2;
    assert_eq!((all(&[]), all(&["--fail-if-false"])), (0, 1));
    let (out, errors, status) = run(starset().arg("soundness").arg(&complex).arg(&stuck));
    assert_eq!(status, 2);
    assert!(out.contains("refused: ") && out.contains("`g` is a complex gateway"), "{out}");
    assert!(errors.contains("some files are no process"), "{errors}");
    let (_, errors, status) = run(starset().arg("soundness").arg(&complex));
    assert!(status == 2 && errors.contains("complex.bpmn:2: `g` is a complex gateway"), "{errors}");
}
