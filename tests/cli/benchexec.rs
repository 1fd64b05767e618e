//! Task definitions for BenchExec, and BenchExec itself on them where it is there: contrib/benchexec_tasks.py,
//! contrib/benchexec_starset.py and contrib/starset.xml.
#![cfg(unix)]

use super::model;
use assert_cmd::cargo::cargo_bin;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};
use tempfile::TempDir;

const CONTRIB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/contrib");

const PROPERTIES: &str = "<property-set xmlns=\"http://mcc.lip6.fr/\">
<property><id>philo-CTLFireability-2024-00</id><formula><all-paths><finally><deadlock/></finally></all-paths></formula></property>
<property><id>philo-CTLFireability-2024-01</id><formula><exists-path><finally><deadlock/></finally></exists-path></formula></property>
</property-set>";
const BOUND: &str = "<property-set xmlns=\"http://mcc.lip6.fr/\"><property><id>philo-UpperBounds-00</id><formula>\
<place-bound><place>Eat_0</place></place-bound></formula></property></property-set>";

/// The answer about the second formula is not the right one.
const EXPECTED: &str = "instance,examination,formula_id,expected
philo,ReachabilityDeadlock,ReachabilityDeadlock,TRUE
philo,CTLFireability,philo-CTLFireability-2024-00,F
philo,CTLFireability,philo-CTLFireability-2024-01,FALSE
philo,UpperBounds,philo-UpperBounds-00,1
philo,StateSpace,STATES,243
";

/// A folder with an instance, its tasks, and the benchmark without limits that not every machine can keep.
fn prepared() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("instances/philo")).unwrap();
    fs::copy(model("philo-5.pnml"), at("instances/philo/model.pnml")).unwrap();
    fs::write(at("instances/philo/CTLFireability.xml"), PROPERTIES).unwrap();
    fs::write(at("instances/philo/UpperBounds.xml"), BOUND).unwrap();
    fs::write(at("instances/expected.csv"), EXPECTED).unwrap();
    fs::create_dir(at("contrib")).unwrap();
    for name in ["benchexec_starset.py", "benchexec_tasks.py"] {
        fs::copy(Path::new(CONTRIB).join(name), at("contrib").join(name)).unwrap();
    }
    let benchmark = fs::read_to_string(Path::new(CONTRIB).join("starset.xml")).unwrap();
    let plain = benchmark.replace(" memlimit=\"8 GB\" cpuCores=\"2\"", "");
    assert_ne!(plain, benchmark);
    fs::write(at("contrib/starset.xml"), plain).unwrap();
    let output = python(&["contrib/benchexec_tasks.py", "instances", "tasks"], folder.path());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "4 tasks in tasks\n");
    folder
}

fn python(arguments: &[&str], folder: &Path) -> Output {
    let output = Command::new("python3").args(arguments).current_dir(folder).env("PYTHONPATH", ".").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn tasks() {
    let folder = prepared();
    let read = |name: &str| fs::read_to_string(folder.path().join("tasks").join(name)).unwrap();
    assert_eq!(
        read("CTLFireability/philo.CTLFireability.2024-01.yml"),
        "format_version: '2.0'
input_files:
  - '../../instances/philo/model.pnml'
  - '../../instances/philo/CTLFireability.xml'
properties:
  - property_file: '../properties/CTLFireability.prp'
    expected_verdict: false
options:
  examination: 'CTLFireability'
  formula: 'philo-CTLFireability-2024-01'
"
    );
    assert!(read("CTLFireability/philo.CTLFireability.2024-00.yml").contains("expected_verdict: false\n"));
    let deadlock = read("ReachabilityDeadlock/philo.ReachabilityDeadlock.yml");
    assert!(deadlock.contains("expected_verdict: true\n") && !deadlock.contains("formula"), "{deadlock}");
    assert!(!read("UpperBounds/philo.UpperBounds.00.yml").contains("verdict"));
    assert!(!folder.path().join("tasks/StateSpace").exists());
    let refused = |arguments: &[&str]| {
        let output = Command::new("python3").args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let script = "contrib/benchexec_tasks.py";
    assert_eq!(refused(&[script, "nothing", "tasks"]), "nothing/expected.csv: No such file or directory\n");
    fs::write(folder.path().join("table.csv"), "instance,formula_id\n").unwrap();
    let said = refused(&[script, "instances", "tasks", "--expected", "table.csv"]);
    assert_eq!(said, "table.csv:1: no column examination, expected\n");
    fs::write(folder.path().join("table.csv"), EXPECTED.replace("2024-01", "2024-00")).unwrap();
    let said = refused(&[script, "instances", "tasks", "--expected", "table.csv"]);
    assert!(said.starts_with("table.csv:4: the second philo-CTLFireability-2024-00 of philo"), "{said}");
}

/// BenchExec runs them, judges the answers, and gives each log a name of its own.
#[test]
fn benchexec() {
    let there = Command::new("python3").args(["-c", "import benchexec"]).output().is_ok_and(|o| o.status.success());
    if !there {
        assert!(env::var_os("STARSET_REQUIRE_BENCHEXEC").is_none(), "python3 has no module benchexec");
        crate::shared::passed_over("python3 has no module benchexec");
        return;
    }
    let folder = prepared();
    let path = format!("{}:{}", cargo_bin("starset").parent().unwrap().display(), env::var("PATH").unwrap());
    let run = |arguments: &[&str]| {
        let mut command = Command::new("python3");
        command.args(arguments).current_dir(folder.path()).env("PYTHONPATH", ".").env("PATH", &path);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let said = run(&["-m", "benchexec.test_tool_info", "contrib.benchexec_starset", "--no-container"]);
    assert!(said.contains(env!("CARGO_PKG_VERSION")), "{said}");
    let benchmark = ["contrib/starset.xml", "--no-container", "--no-compress-results"];
    let said = run(&[&["-m", "benchexec.benchexec"], &benchmark[..]].concat());
    for line in ["correct:               2", "correct true:        1", "incorrect true:      1"] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let bound = said.lines().find(|line| line.contains("UpperBounds.00.yml")).unwrap();
    assert!(bound.contains(" done ") && !bound.contains('('), "{said}");
    let (mut logs, mut folders) = (BTreeSet::new(), vec![folder.path().join("results")]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    logs.extend(path.file_name().unwrap().to_str().unwrap().strip_suffix(".yml.log").map(str::to_owned))
                }
            }
        }
    }
    let names = ["CTLFireability.2024-00", "CTLFireability.2024-01", "ReachabilityDeadlock", "UpperBounds.00"];
    assert_eq!(logs, names.map(|name| format!("starset.philo.{name}")).into());
    let table = fs::read_dir(folder.path().join("results")).unwrap().map(|entry| entry.unwrap().path());
    let table = table.map(|path| path.display().to_string()).find(|path| path.ends_with(".results.starset.xml"));
    let generate = "from benchexec.tablegenerator import main; main()";
    run(&["-c", generate, &table.unwrap(), "--no-diff", "--outputpath", "results", "--name", "table"]);
    let table = fs::read_to_string(folder.path().join("results/table.csv")).unwrap();
    let bound = table.lines().find(|line| line.contains("UpperBounds.00.yml")).unwrap();
    assert!(bound.split('\t').any(|cell| cell == "1"), "{table}");
}
