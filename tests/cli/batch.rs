//! `starset batch`: results that survive, shares, scores.

use super::{run, starset};
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A folder with three instances.
fn instances() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in [("Philosophers-5", "philo-5"), ("Kanban-3", "kanban-3"), ("Slot-4", "slot-4")] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::copy(super::model(&format!("{file}.pnml")), folder.path().join(name).join("model.pnml")).unwrap();
    }
    folder
}

fn batch(folder: &Path, arguments: &[&str]) -> (String, String, i32) {
    let results = folder.join("results.jsonl");
    let mut command = starset();
    command.arg("batch").arg(folder).arg("--results").arg(results).args(["--memory", "1G"]);
    run(command.args(["--examinations", "StateSpace,OneSafe"]).args(arguments))
}

fn records(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("results.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn results_scores_and_report() {
    let folder = instances();
    let expected = folder.path().join("expected.csv");
    let right = "instance,examination,formula_id,expected,support\n\
        Philosophers-5,StateSpace,STATES,243,3\nPhilosophers-5,OneSafe,OneSafe,TRUE,3\nKanban-3,OneSafe,OneSafe,FALSE,3\n";
    fs::write(&expected, right).unwrap();
    let report = folder.path().join("report.html");
    let options = ["--expected", expected.to_str().unwrap(), "--report", report.to_str().unwrap()];
    let (out, err, status) = batch(folder.path(), &options);
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains("all                            3       0"), "{out}");
    let found = records(folder.path());
    assert_eq!(found.len(), 6);
    let philosophers = found.iter().find(|r| r["model"] == "Philosophers-5" && r["examination"] == "StateSpace");
    let answers = philosophers.unwrap()["answers"].as_array().unwrap();
    assert!(answers.iter().any(|answer| answer["id"] == "STATES" && answer["value"] == "243"));
    let page = fs::read_to_string(&report).unwrap();
    assert!(page.contains("<svg") && page.contains("Philosophers"), "{page}");
    let names_of_languages = page.replace("http://www.w3.org/2000/svg", "");
    let loaded = ["http:", "https:", "src=", "href="].map(|word| names_of_languages.contains(word));
    assert!(!loaded.contains(&true) && page.contains("default-src 'none'"), "{page}");

    // Nothing is run again, and a wrong answer is said to be one.
    fs::write(&expected, right.replace("243", "244")).unwrap();
    let (out, err, status) = batch(folder.path(), &options);
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.contains("wrong: Philosophers-5 StateSpace STATES: 243, expected 244"), "{out}");
    assert!(err.contains("6 jobs, 6 of them done before"), "{err}");
    assert_eq!(records(folder.path()).len(), 6);
}

/// What another run answered otherwise, did not know, or knew alone.
#[test]
fn two_runs_are_compared() {
    let folder = instances();
    assert_eq!(batch(folder.path(), &[]).2, 0);
    let changed = |record: &Value| {
        let mut record = record.clone();
        let value = match (record["model"].as_str(), record["examination"].as_str()) {
            (Some("Kanban-3"), Some("OneSafe")) => "TRUE",
            (Some("Slot-4"), Some("OneSafe")) => "CANNOT_COMPUTE",
            _ => return record.to_string(),
        };
        record["answers"][0]["value"] = value.into();
        record.to_string()
    };
    let other = folder.path().join("other.jsonl");
    let lines: Vec<_> = records(folder.path()).iter().map(changed).collect();
    fs::write(&other, lines.join("\n")).unwrap();
    let report = folder.path().join("report.html");
    let (other, report) = (other.to_str().unwrap(), report.to_str().unwrap());
    let (out, err, status) = batch(folder.path(), &["--compare", other, "--report", report]);
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains(": 1 gained, 0 lost, 1 differ, 13 the same"), "{out}");
    assert!(out.contains("differs: Kanban-3 OneSafe OneSafe: FALSE, before TRUE"), "{out}");
    assert!(out.contains("gained: Slot-4 OneSafe OneSafe: TRUE, before unknown"), "{out}");
    assert!(out.contains("6 jobs in both: "), "{out}");
    let page = fs::read_to_string(report).unwrap();
    assert!(page.contains("[\"differs\",\"Kanban-3\",\"OneSafe\",\"OneSafe\",\"FALSE\",\"TRUE\"]"), "{page}");
    fs::write(other, "nothing\n").unwrap();
    let (_, err, status) = batch(folder.path(), &["--compare", other]);
    assert!(status == 2 && err.contains("give another file to --compare"), "{err}");
    fs::write(other, "").unwrap();
    assert_eq!(batch(folder.path(), &["--compare", other]).2, 2);
}

/// Instances as the contest hands them out, and models that are compressed.
#[test]
fn archives_of_instances() {
    let folder = instances();
    let pack = |name: &str| {
        let encoder = |path| GzEncoder::new(fs::File::create(path).unwrap(), Compression::fast());
        let mut archive = tar::Builder::new(encoder(folder.path().join(format!("{name}.tgz"))));
        archive.append_dir_all(name, folder.path().join(name)).unwrap();
        archive.into_inner().unwrap().finish().unwrap();
    };
    let instance = folder.path().join("Philosophers-5");
    let formula = "<property-set><property><id>Philosophers-5-CTLFireability-2024-00</id><description/><formula>\
        <all-paths><globally><deadlock/></globally></all-paths></formula></property></property-set>";
    fs::write(instance.join("CTLFireability.xml"), formula).unwrap();
    pack("Philosophers-5");
    pack("Slot-4");
    fs::remove_dir_all(&instance).unwrap();
    // One archive has its folder beside it, the other has not; there are three instances.
    let (out, err, status) = batch(folder.path(), &[]);
    assert_eq!(status, 0, "{out}{err}");
    let found = records(folder.path());
    let models: BTreeSet<_> = found.iter().map(|record| record["model"].as_str().unwrap()).collect();
    assert_eq!(models, BTreeSet::from(["Kanban-3", "Philosophers-5", "Slot-4"]));
    let archive = folder.path().join("Philosophers-5.tgz");
    let (out, err, status) = run(starset().arg("mcc").arg(&archive).args(["--examination", "CTLFireability"]));
    assert_eq!((out.split_whitespace().nth(2), status), (Some("FALSE"), 0), "{out}{err}");
    let (out, err, status) = run(starset().arg("mcc").arg(&archive).args(["--examination", "LTLFireability"]));
    assert_eq!(status, 2, "{out}");
    assert!(err.contains("the archive holds no LTLFireability.xml"), "{err}");
    assert_eq!(super::states_json(&archive, &[]).0["states"], "243");
    let model = folder.path().join("net.pnml.gz");
    let mut encoder = GzEncoder::new(fs::File::create(&model).unwrap(), Compression::fast());
    std::io::copy(&mut fs::File::open(super::model("philo-5.pnml")).unwrap(), &mut encoder).unwrap();
    encoder.finish().unwrap();
    assert_eq!(super::states_json(&model, &[]).0["states"], "243");
}

/// Whenever a run is killed, the next one does the rest, and nothing twice.
#[cfg(unix)]
#[test]
fn killed_and_resumed() {
    let folder = instances();
    for patience in [5, 40, 80, 160] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("starset"));
        command.arg("batch").arg(folder.path()).args(["--examinations", "StateSpace,OneSafe", "--jobs", "1", "-q"]);
        command.arg("--results").arg(folder.path().join("results.jsonl")).stdout(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(patience));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (out, err, status) = batch(folder.path(), &[]);
    assert_eq!(status, 0, "{out}{err}");
    let found = records(folder.path());
    let jobs: BTreeSet<_> = found.iter().map(|r| (r["model"].to_string(), r["examination"].to_string())).collect();
    assert_eq!((jobs.len(), found.len()), (6, 6));
}

/// Two runs do not write to one file, and what a killed run has started ends with it.
#[cfg(target_os = "linux")]
#[test]
fn one_run_at_a_time_and_none_that_is_left() {
    let (folder, path) = super::generate("kanban", 400);
    let instance = folder.path().join("Kanban-400");
    fs::create_dir(&instance).unwrap();
    fs::rename(&path, instance.join("model.pnml")).unwrap();
    let workers = || {
        let about = |entry: fs::DirEntry| fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let name = instance.to_str().unwrap().as_bytes();
        let mine = |line: &Vec<u8>| line.windows(name.len()).any(|part| part == name);
        fs::read_dir("/proc").unwrap().flatten().map(about).filter(mine).count()
    };
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("starset"));
    // Breadth-first search is not asked for here, but the search of all markings takes long enough.
    command.arg("batch").arg(folder.path()).args(["--examinations", "StateSpace", "--engine", "explicit", "-q"]);
    command.arg("--results").arg(folder.path().join("results.jsonl")).args(["--memory", "1G", "--time", "60"]);
    command.stdout(std::process::Stdio::null());
    let mut first = command.spawn().unwrap();
    let until = |wanted: usize| {
        let started = std::time::Instant::now();
        while workers() != wanted && started.elapsed().as_secs() < 20 {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        workers()
    };
    assert_eq!(until(1), 1);
    let (out, err, status) = batch(folder.path(), &[]);
    assert!(status == 2 && out.is_empty() && err.contains("another batch writes its results here"), "{out}{err}");
    assert_eq!(batch(folder.path(), &["--status", "work"]).2, 75);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(until(0), 0);
    // Likewise with whoever holds the other end of its standard input.
    let mut second = command.arg("--until-closed").stdin(std::process::Stdio::piped()).spawn().unwrap();
    assert_eq!(until(1), 1);
    drop(second.stdin.take());
    assert_eq!(second.wait().unwrap().code(), Some(3));
    assert_eq!(until(0), 0);
    assert!(records(folder.path()).is_empty());
}

#[test]
fn shares_make_the_whole() {
    let folder = instances();
    for share in ["1/2", "2/2"] {
        assert_eq!(batch(folder.path(), &["--shard", share]).2, 0);
    }
    assert_eq!(records(folder.path()).len(), 6);
}

/// Each share has a file of its own, which may end in the middle of a line; together they are the whole, however often.
#[test]
fn results_are_merged() {
    let folder = instances();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (share, name) in [("1/2", "one.jsonl"), ("2/2", "two.jsonl")] {
        let (out, err, status) = batch(folder.path(), &["--shard", share, "--seed", "7", "--threads", "1"]);
        assert_eq!(status, 0, "{out}{err}");
        fs::rename(at("results.jsonl"), at(name)).unwrap();
    }
    let one = fs::read(at("one.jsonl")).unwrap();
    fs::write(at("torn.jsonl"), &one[..one.len() - 20]).unwrap();
    let (out, err, status) = batch(folder.path(), &["--merge", &at("torn.jsonl"), &at("two.jsonl")]);
    assert_eq!(status, 3, "{out}{err}");
    assert!(out.contains("1 jobs have no result yet"), "{out}");
    assert!(err.contains("5 results of 5 jobs in 2 files; 5 are new in"), "{err}");
    // What is missing is a list, and nothing is run for it.
    let (list, err, status) = batch(folder.path(), &["--todo"]);
    assert_eq!((list.lines().count(), status, records(folder.path()).len()), (1, 3, 5), "{list}{err}");
    fs::write(at("list"), &list).unwrap();
    let mut rest = starset();
    rest.arg("batch").arg(at("list")).args(["--results", &at("rest.jsonl"), "--memory", "1G", "--seed", "7"]);
    let (out, err, status) = run(rest.args(["--threads", "1"]));
    assert_eq!(status, 0, "{out}{err}");
    for taken in [1, 0] {
        let (out, err, status) = batch(folder.path(), &["--merge", &at("one.jsonl"), &at("rest.jsonl")]);
        assert_eq!(status, 0, "{out}{err}");
        assert!(err.contains(&format!("{taken} are new in")), "{err}");
        assert_eq!(records(folder.path()).len(), 6);
    }
    let (list, err, status) = batch(folder.path(), &["--todo"]);
    assert_eq!((list.as_str(), status), ("", 0), "{err}");
    let whole = fs::read(at("results.jsonl")).unwrap();
    fs::write(at("results.jsonl"), &whole[..whole.len() / 2]).unwrap();
    for how in [&["--todo"][..], &["--merge", &at("two.jsonl")]] {
        assert_eq!(batch(folder.path(), &[&["--status", "work"], how].concat()).2, 75);
    }
    fs::write(at("results.jsonl"), whole).unwrap();
    // Each says how it was made, and others are noticed.
    for record in records(folder.path()) {
        assert_eq!(record["options"], serde_json::json!(["--engine", "auto", "--seed", "7"]));
        assert_eq!((&record["seed"], &record["threads"]), (&7.into(), &1.into()));
        assert!(record["begun"].as_f64().unwrap() > 1.7e9, "{record}");
        assert!(!cfg!(target_os = "linux") || !record["host"].as_str().unwrap().is_empty());
    }
    let (_, err, _) = batch(folder.path(), &["--seed", "7"]);
    assert!(!err.contains("other limits or options"), "{err}");
    let (_, err, _) = batch(folder.path(), &["--seed", "8"]);
    assert!(err.contains("6 of the results are of another version, or had other limits or options"), "{err}");
    // Two answers to a question: status 4, whichever is kept.
    let changed = String::from_utf8(one).unwrap().replace("\"243\"", "\"244\"").replace("\"TRUE\"", "\"FALSE\"");
    fs::write(at("changed.jsonl"), changed).unwrap();
    let (_, err, status) = batch(folder.path(), &["--merge", &at("changed.jsonl")]);
    assert!(status == 4 && err.contains("one is wrong, please report it"), "{err}");
}

/// Limits are those that were given: memory that is free counts for nothing, whatever it was.
#[test]
fn results_under_other_limits_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (instance, results) = (folder.path().join("Philosophers-5"), folder.path().join("results.jsonl"));
    fs::create_dir(&instance).unwrap();
    fs::copy(super::model("philo-5.pnml"), instance.join("model.pnml")).unwrap();
    let note = |limits: &[&str]| {
        let mut command = starset();
        command.arg("batch").arg(folder.path()).arg("--results").arg(&results).args(["--examinations", "OneSafe"]);
        let (out, err, status) = run(command.args(limits));
        assert_eq!(status, 0, "{out}{err}");
        let line = err.lines().find(|line| line.contains("had other limits or options"));
        line.map(|line| line.trim_start_matches("starset: ").to_owned())
    };
    let one = "1 of the results are of another version, or had other limits or options";
    assert_eq!(note(&["--time", "30"]), None);
    let free = records(folder.path())[0]["memory_limit"].as_u64().unwrap();
    // As if more had been free then, or less.
    for moved in [free + (1 << 20), free / 2] {
        let mut record = records(folder.path()).remove(0);
        record["memory_limit"] = moved.into();
        fs::write(&results, format!("{record}\n")).unwrap();
        assert_eq!(note(&["--time", "30"]), None);
        assert_eq!(note(&["--time", "30", "--memory", &moved.to_string()]), None);
        for other in [&["--time", "31"][..], &["--time", "30", "--memory", "1G"], &["--time", "30", "--seed", "3"]] {
            assert_eq!(note(other).as_deref(), Some(one), "{other:?}");
        }
    }
    assert_eq!(records(folder.path()).len(), 1, "nothing was run again");
}

#[test]
fn unreadable_models_are_failures_of_their_job() {
    let folder = instances();
    fs::create_dir(folder.path().join("Broken-1")).unwrap();
    fs::write(folder.path().join("Broken-1/model.pnml"), "<pnml").unwrap();
    let (out, _, status) = batch(folder.path(), &[]);
    assert_eq!(status, 3);
    assert_eq!(out.matches("failed: Broken-1 ").count(), 2, "{out}");
    // Errors are results: nothing is left to do.
    assert_eq!(batch(folder.path(), &["--status", "work"]).2, 0);
    // With --retry they run again, and only they.
    fs::copy(super::model("philo-5.pnml"), folder.path().join("Broken-1/model.pnml")).unwrap();
    let (out, err, status) = batch(folder.path(), &["--retry"]);
    assert!(err.contains("8 jobs, 6 of them done before"), "{err}");
    assert_eq!(status, 0, "{out}");
}

#[test]
fn wrong_usage() {
    let folder = instances();
    let empty = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        (vec!["--shard", "3/2"], "I/N"),
        (vec!["--examinations", "Nonsense"], "possible values: StateSpace"),
        (vec!["--expected", "/nowhere"], "/nowhere"),
        (vec![empty.path().to_str().unwrap()], "folder of instances"),
    ] {
        let (_, err, status) = batch(folder.path(), &arguments);
        assert_eq!(status, 2, "{err}");
        assert!(err.contains(message), "{err}");
    }
}

#[test]
fn one_engine_alone() {
    let folder = instances();
    let (out, err, status) = batch(folder.path(), &["--engine", "explicit"]);
    assert_eq!(status, 0, "{out}{err}");
    let techniques: BTreeSet<String> = records(folder.path()).iter().map(|r| r["answers"].to_string()).collect();
    assert!(techniques.iter().all(|t| t.contains("EXPLICIT") && !t.contains("DECISION_DIAGRAMS")), "{techniques:?}");
}
