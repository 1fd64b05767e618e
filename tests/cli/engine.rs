//! `--engine` and the switches of the explicit engine.

use super::{generate, model, run, starset};
use serde_json::Value;
use starset::decide::{Part, SWITCHES};
use std::path::Path;

/// Linear formulas on a net of philosophers, one of CTL, and one beyond both.
const FORMULAS: [&str; 5] = [
    "G F #Fork_0 = 1",
    "F G #Fork_0 = 1",
    "A G #Fork_0 <= 1",
    "AG EF #Fork_0 = 1",
    "A (G F #Fork_0 = 1 | F EX deadlock)",
];

fn check(net: &Path, options: &[&str]) -> (Vec<Value>, String, i32) {
    let formulas = FORMULAS.iter().flat_map(|f| ["-f", f]);
    let (out, err, status) = run(starset().arg("check").arg(net).arg("--json").args(formulas).args(options));
    (in_order(&out), err, status)
}

/// The answers in the order of the questions: they come as they are found.
fn in_order(out: &str) -> Vec<Value> {
    let mut answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.sort_by_key(|answer| answer["id"].as_str().unwrap().parse::<usize>().unwrap());
    answers
}

fn verdicts(answers: &[Value]) -> Vec<Option<bool>> {
    answers.iter().map(|answer| answer["verdict"].as_bool()).collect()
}

#[test]
fn engines_agree_and_say_who_answered() {
    let (_folder, net) = generate("philo", 4);
    let (symbolic, _, status) = check(&net, &["--engine", "symbolic"]);
    assert_eq!(status, 0);
    assert!(symbolic.iter().all(|answer| answer["engine"] == "symbolic"));
    let expected = verdicts(&symbolic);
    assert!(expected.contains(&Some(true)) && expected.contains(&Some(false)), "{expected:?}");
    for threads in ["1", "2"] {
        let (auto, _, status) = check(&net, &["--threads", threads]);
        assert_eq!((verdicts(&auto), status), (expected.clone(), 0));
    }
    let (both, err, status) = check(&net, &["--engine", "both"]);
    assert_eq!((verdicts(&both), status), (expected.clone(), 0));
    assert!(both.iter().all(|answer| answer["engine"] == "both"), "{err}");
    for switch in ["walks", "dyn", "drw", "hba", "stubborn", "dyn,drw,hba,stubborn"] {
        let (explicit, _, status) = check(&net, &["--engine", "explicit", "--without", switch]);
        assert_eq!((verdicts(&explicit), status), (expected.clone(), 0), "{switch}");
        assert!(explicit.iter().all(|answer| answer["engine"] == "explicit" && answer["order"].is_null()));
    }
}

/// Whatever is left out, what is answered is the same.
#[test]
fn ways_are_left_out_one_by_one() {
    let net = model("philo-5.pnml");
    let (expected, _, _) = check(&net, &["--engine", "symbolic"]);
    for switch in ["structure", "coverability", "walks", "reductions", "search", "diagrams"] {
        let (answers, err, status) = check(&net, &["--without", switch]);
        assert_eq!((verdicts(&answers), status), (verdicts(&expected), 0), "{switch}: {err}");
        let technique = switch.replace("search", "explicit").replace("diagrams", "symbolic");
        assert!(answers.iter().all(|answer| answer["technique"] != *technique), "{switch}: {answers:?}");
    }
    let (_, err, status) = run(starset().arg("states").arg(&net).args(["--without", "diagrams,search", "--time", "5"]));
    assert!(status == 3 && err.contains("unknown: "), "{err}");
}

/// Without a technique the answers are the same, of formulas and of the state space; of whole examinations, too.
#[test]
fn techniques_are_left_out_one_by_one() {
    let net = model("philo-5.pnml");
    let (expected, _, _) = check(&net, &[]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(&net, folder.path().join("model.pnml")).unwrap();
    let ways = [Part::Ways, Part::Search];
    for switch in SWITCHES.iter().filter(|switch| !ways.contains(&switch.part) || switch.name == "guidance") {
        let switch = ["--without", switch.name];
        let (answers, err, status) = check(&net, &switch);
        assert_eq!((verdicts(&answers), status), (verdicts(&expected), 0), "{switch:?}: {err}");
        let (out, err, status) = run(starset().arg("states").arg(&net).args(switch).args(["--format", "mcc"]));
        assert!(status == 0 && out.contains("STATE_SPACE STATES 243 "), "{switch:?}: {out} {err}");
        let examination = ["--examination", "ReachabilityDeadlock"];
        let (out, err, status) = run(starset().arg("mcc").arg(folder.path()).args(examination).args(switch));
        assert!(status == 0 && out.contains("FORMULA ReachabilityDeadlock TRUE"), "{switch:?}: {out} {err}");
    }
    let results = folder.path().join("results.jsonl");
    let mut batch = starset();
    let options = ["--examinations", "ReachabilityDeadlock", "--without", "units,symmetries", "--results"];
    batch.arg("batch").arg(folder.path()).args(options);
    let (out, err, status) = run(batch.arg(&results));
    assert!(status == 0 && out.contains("100.0 %"), "{out} {err}");
    // The jobs were run without them.
    assert!(std::fs::read_to_string(&results).unwrap().contains(r#""--without","units,symmetries""#));
}

/// A slip is answered with the nearest name and the list.
#[test]
fn unknown_techniques() {
    let net = model("philo-5.pnml");
    for (list, slip) in [("fusoin", "fusoin"), ("units,dnyy", "dnyy"), ("units,", ""), ("--no-units", "--no-units")] {
        let (_, err, status) = run(starset().arg("check").arg(&net).args(["-f", "deadlock", "--without", list]));
        assert!(status == 2 && err.contains(slip), "{list}: {err}");
        assert!(list.starts_with("--") || err.contains("fusion") && err.contains("hba"), "{list}: {err}");
    }
    let (_, err, _) = run(starset().arg("check").arg(&net).args(["-f", "deadlock", "--without", "fusoin"]));
    assert!(err.contains("similar") && err.contains("'fusion'"), "{err}");
}

/// The page of the book has the table.
#[test]
fn techniques_have_their_page() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/commands/techniques.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let expected = SWITCHES.iter().map(|s| {
        let source = if s.source.is_empty() { String::new() } else { format!("{} ", s.source) };
        format!("| `{}` | {} | {} | {source}|", s.name, s.part.name(), s.effect)
    });
    assert_eq!(rows, expected.collect::<Vec<_>>(), "docs/commands/techniques.md");
    let (names, _, status) = run(starset().args(["techniques", "--names"]));
    assert_eq!((names.lines().collect::<Vec<_>>(), status), (SWITCHES.iter().map(|s| s.name).collect(), 0));
}

/// On a net with infinitely many markings whatever can be decided is decided, soon, and with a witness.
#[test]
fn unbounded_nets_are_decided() {
    let net = model("pipeline-2.pnml");
    let formulas = [
        ("EF #Buffer_1 >= 3", true, 1),
        ("AG #Buffer_0 <= 2", false, 1),
        ("EF deadlock", false, 0),
        ("AG #Ready_0 <= 1", true, 0),
        ("EF (#Buffer_1 >= 1 & EX #Busy_1 = 1)", true, 0),
        // Few tokens decide, however many there may be.
        ("F G #Busy_1 = 0", false, 1),
        ("G (#Buffer_0 >= 2 -> F #Buffer_0 = 0)", false, 1),
        ("E (G F #Buffer_1 = 3 & G F #Buffer_1 = 1)", true, 1),
        ("AG (#Buffer_0 >= 2 -> AF #Buffer_0 = 0)", false, 0),
    ];
    let arguments = formulas.iter().flat_map(|(formula, ..)| ["-f", formula]);
    let started = std::time::Instant::now();
    let mut command = starset();
    command.arg("check").arg(&net).args(arguments).args(["--witness", "--json", "--memory", "1G"]);
    let (out, err, status) = run(&mut command);
    assert_eq!(status, 0, "{out}{err}");
    assert!(started.elapsed() < std::time::Duration::from_secs(30));
    let answers = in_order(&out);
    assert_eq!(answers.len(), formulas.len());
    for (answer, (formula, verdict, runs)) in answers.iter().zip(formulas) {
        assert_eq!(answer["verdict"], verdict, "{formula}: {answer}");
        let shown = answer["witness"]["runs"].as_array().map_or(0, Vec::len);
        assert!(shown >= runs, "{formula}: {answer}");
    }
}

/// Diagrams have no room, a short search does it.
#[test]
fn search_answers_where_diagrams_fail() {
    let (_folder, net) = generate("kanban", 200);
    let limits = ["--order", "given", "--memory", "16M", "--time", "60", "--without", "reductions,walks"];
    let arguments = [&limits[..], &["-f", "G F #Pout1 = 0", "-v"]].concat();
    let (out, err, status) = run(starset().arg("check").arg(&net).args(arguments));
    assert_eq!((out.as_str(), status), ("1: false\n", 0), "{err}");
    assert!(err.contains("1: by explicit search"), "{err}");
}

#[test]
fn explicit_search_out_of_time_and_memory() {
    let (_folder, net) = generate("kanban", 200);
    for (limit, value, reason) in [("--time", "0.5", "time"), ("--memory", "4M", "memory")] {
        let arguments =
            ["--json", "--engine", "explicit", "--without", "bit-state", limit, value, "-f", "AG #Pout1 <= 200"];
        let (out, err, status) = run(starset().arg("check").arg(&net).args(arguments));
        let answer: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&answer["reason"], status), (&reason.into(), 3), "{answer}");
        assert!(answer["verdict"].is_null());
        assert!(err.contains("unknown: out of"), "{err}");
    }
}

/// With several threads a known answer does not wait for those before it; with one, it keeps its turn.
#[test]
fn answers_come_in_order_or_at_once() {
    let (_folder, net) = generate("kanban", 200);
    for (threads, expected) in [("1", "1: unknown\n2: true\n"), ("2", "2: true\n1: unknown\n")] {
        let arguments = ["--engine", "explicit", "--time", "3", "--memory", "1G", "--threads", threads];
        let formulas = ["-f", "AG #Pout1 <= 200", "-f", "EF #Pout1 = 1"];
        let (out, err, status) = run(starset().arg("check").arg(&net).args(arguments).args(formulas));
        assert_eq!((out.as_str(), status), (expected, 3), "{err}");
    }
}

#[test]
fn deadlocks_repeat_for_both_engines() {
    let net = model("philo-5.pnml");
    let (out, err, status) = run(starset().arg("check").arg(&net).args(["--engine", "both", "-f", "F G deadlock"]));
    assert_eq!((out.as_str(), status), ("1: false\n", 0), "{err}");
}

/// The run that explicit search comes upon is shown, replayed, as that of the diagrams is.
#[test]
fn explicit_search_explains_verdicts() {
    let net = model("philo-5.pnml");
    for engine in ["explicit", "symbolic"] {
        let formulas = ["-f", "G F #Eat_0 = 1", "-f", "E G #Eat_0 = 0", "-f", "A G #Fork_0 <= 1"];
        let options = ["--engine", engine, "--witness", "--json"];
        let (out, err, status) = run(starset().arg("check").arg(&net).args(formulas).args(options));
        assert_eq!(status, 0, "{err}");
        let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(verdicts(&answers), [Some(false), Some(true), Some(true)]);
        let runs: Vec<usize> = answers.iter().map(|a| a["witness"]["runs"].as_array().unwrap().len()).collect();
        // One lasso for A G F, not one for A G that ends with one for A F.
        assert_eq!(runs, [1, 1, 0], "{engine}: {out}");
    }
}

#[test]
fn states_are_counted_by_both_engines() {
    let net = model("philo-5.pnml");
    let figures = |engine: &str| {
        let options = ["--engine", engine, "--deadlocks", "--bounds", "--json"];
        let (out, err, status) = run(starset().arg("states").arg(&net).args(options));
        assert_eq!(status, 0, "{err}");
        let object: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(object["engine"], engine);
        ["states", "transitions", "max_tokens_in_place", "max_tokens_per_marking", "deadlocks", "bounds"]
            .map(|key| object[key].clone())
    };
    let expected = figures("symbolic");
    assert!(expected.iter().all(|figure| !figure.is_null()));
    assert_eq!(figures("explicit"), expected);
    assert_eq!(figures("both"), expected);
    // Where the engines agree, there is nothing to reproduce.
    let folder = tempfile::tempdir().unwrap();
    let mut both = starset();
    both.arg("states").arg(&net).args(["--engine", "both", "--reproducers"]).arg(folder.path());
    assert_eq!(run(&mut both).2, 0);
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    let (_, err, status) = run(starset().arg("states").arg(&net).args(["--engine", "explicit", "--list", "3"]));
    assert_eq!(status, 2);
    assert!(err.contains("need diagrams"), "{err}");
}
