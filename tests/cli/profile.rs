//! `--verbose`: where the time went.

use super::{model, run, starset};
use serde_json::Value;

/// One answer of each question is counted, and the steps of an engine that is left out have not begun.
#[test]
fn each_answer_is_counted_once() {
    let formulas = ["EF deadlock", "A G F #Eat_0 = 1", "E F #Eat_0 + #Eat_1 > 1", "AG EF !deadlock", "E X (A G true)"];
    for engine in ["auto", "symbolic", "explicit"] {
        let mut command = starset();
        command.arg("check").arg(model("philo-5.pnml")).args(["--engine", engine, "--json", "--verbose"]);
        formulas.iter().for_each(|formula| _ = command.args(["-f", formula]));
        let (out, _, status) = run(&mut command);
        assert_eq!(status, 0);
        let objects: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (profile, answers) = objects.split_last().unwrap();
        assert_eq!(answers.len(), formulas.len());
        assert_eq!(profile["schema"], "starset/profile/1");
        let steps = profile["steps"].as_object().unwrap();
        let counted: u64 = steps.values().map(|step| step["answers"].as_u64().unwrap()).sum();
        assert_eq!(counted, formulas.len() as u64, "{engine}: {profile}");
        assert_eq!(steps.contains_key("walks"), engine == "auto", "{engine}: {profile}");
        assert!(engine == "auto" || steps.contains_key("fixpoints") == (engine == "symbolic"), "{engine}: {profile}");
        let whole = answers.iter().map(|answer| answer["seconds"].as_f64().unwrap()).fold(0.0, f64::max);
        let search = steps.get("search").map_or(0.0, |step| step["seconds"].as_f64().unwrap());
        assert!(engine != "explicit" || search <= 2.0 * whole + 1.0, "{whole} s: {profile}");
    }
}

/// As a table on standard error, which says nothing where no details are wanted.
#[test]
fn table_on_standard_error() {
    let philo = model("philo-5.pnml");
    for command in ["states", "check"] {
        let asked = |options: &[&str]| {
            let formula: &[&str] = if command == "check" { &["-f", "EF deadlock"] } else { &[] };
            run(starset().arg(command).arg(&philo).args(formula).args(options))
        };
        let (out, err, _) = asked(&["--verbose"]);
        let header = err.lines().position(|line| line.starts_with("step ")).unwrap_or_else(|| panic!("{err}"));
        let rows: Vec<Vec<&str>> = err.lines().skip(header).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["step", "seconds", "turns", "answers"]);
        assert!(rows.len() > 1 && rows[1..].iter().all(|row| row.len() >= 4), "{err}");
        let (plain, err, _) = asked(&[]);
        assert!(!err.contains("turns"), "{err}");
        assert_eq!(out.lines().next(), plain.lines().next());
    }
}
