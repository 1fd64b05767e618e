//! Computations that do not end by themselves: time, memory, interruption, a reader that goes away.

use super::{generate, model, run, starset, states_json};
use crate::shared::shared;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Breadth-first search of this net takes minutes and gigabytes.
const ENDLESS: (&str, u32) = ("kanban", 200);

fn assert_unknown(object: &Value, reason: &str) {
    assert_eq!(object["reason"], reason, "{object}");
    assert!(object["message"].is_string());
    for field in ["states", "transitions", "max_tokens_in_place", "max_tokens_per_marking", "nodes"] {
        assert!(object[field].is_null(), "{field}");
    }
}

#[test]
fn out_of_time() {
    let (_folder, path) = generate(ENDLESS.0, ENDLESS.1);
    let started = Instant::now();
    let (object, status) = states_json(&path, &["--search", "bfs", "--time", "0.5"]);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(status, 3);
    assert_unknown(&object, "time");
    let (out, err, status) = run(starset().arg("states").arg(&path).args(["--search", "bfs", "--time", "0.3"]));
    assert_eq!(status, 3);
    assert!(out.contains("  states                 at least "), "{out}");
    assert!(err.starts_with("starset: unknown: out of time after 0.3 s"), "{err}");
    let contest = ["--search", "bfs", "--time", "0.3", "--format", "mcc"];
    let (out, _, status) = run(starset().arg("states").arg(&path).args(contest));
    assert_eq!((out.as_str(), status), ("CANNOT_COMPUTE\n", 3));
}

#[test]
fn out_of_memory() {
    let (_folder, path) = generate(ENDLESS.0, ENDLESS.1);
    let (object, status) = states_json(&path, &["--search", "bfs", "--memory", "24M", "--time", "100"]);
    assert_eq!(status, 3);
    assert_unknown(&object, "memory");
}

/// What cannot be written is an error, not lost: results, saved sets, nets.
#[cfg(target_os = "linux")]
/// What was found before the end is a part of what there is, whoever searches.
#[test]
fn what_was_found_is_said() {
    let (_folder, path) = generate("fms", 12);
    let (whole, _) = states_json(&path, &[]);
    let number = |value: &Value| value.as_str().and_then(|digits| digits.parse::<u128>().ok());
    let all = number(&whole["states"]).unwrap();
    assert!(whole.get("states_at_least").is_none());
    for way in [
        &["--engine", "explicit"][..],
        &["--engine", "symbolic", "--search", "bfs"],
        &["--engine", "symbolic", "--search", "chaining"],
        &["--engine", "symbolic", "--order", "force-random"],
    ] {
        let (object, status) = states_json(&path, &[way, &["--memory", "1M", "--threads", "1"]].concat());
        assert_eq!(status, 3, "{way:?}: {object}");
        let found = number(&object["states_at_least"]).unwrap_or(0);
        assert!(found > 100 && found < all, "{way:?}: {found} of {all}");
    }
}

/// In negation normal form each equivalence doubles both its sides, and so on below: nobody may write that out as a tree.
#[test]
fn equivalences_inside_of_each_other() {
    const TOKENS: usize = 40;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens.pnml");
    let token = |i: usize| {
        format!(
            "<place id=\"p{i}\"><initialMarking><text>1</text></initialMarking></place><place id=\"q{i}\"/>\
             <transition id=\"t{i}\"/><arc id=\"a{i}\" source=\"p{i}\" target=\"t{i}\"/>\
             <arc id=\"b{i}\" source=\"t{i}\" target=\"q{i}\"/>"
        )
    };
    let tokens: String = (0..TOKENS).map(token).collect();
    let net = "<net id=\"tokens\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"page\">";
    let text =
        format!("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">{net}{tokens}</page></net></pnml>");
    std::fs::write(&path, text).unwrap();
    let chain = |last: &str| (1..TOKENS).fold(last.to_owned(), |rest, i| format!("(#p{i} = 1 <-> {rest})"));
    let formulas = [
        format!("AG {}", chain("EF #q0 = 1")),
        format!("EF {}", chain("#p0 = 0")),
        format!("A F {}", chain("#p0 = 0")),
        format!("AG {}", chain("(#p0 = 1 | #q0 = 1)")),
    ];
    for engine in ["auto", "explicit", "symbolic"] {
        let formulas = formulas.iter().flat_map(|formula| ["-f", formula]);
        let (out, err, status) =
            run(starset().arg("check").arg(&path).args(formulas).args(["--engine", engine, "--time", "5"]));
        // Whatever fires changes the value of a chain; the explicit engine may not get far.
        assert!(status == 0 || engine == "explicit" && status == 3, "{engine}: {out}{err}");
        let mut lines: Vec<&str> = out.lines().collect();
        lines.sort_unstable();
        for (line, expected) in lines.iter().copied().zip(["1: false", "2: true", "3: true", "4: false"]) {
            assert!(line == expected || engine == "explicit" && line.ends_with("unknown"), "{engine}: {out}{err}");
        }
        assert_eq!(lines.len(), 4, "{engine}: {out}{err}");
    }
}

/// Reading ends with the limits, too, even where it waits for somebody who writes nothing.
#[cfg(unix)]
#[test]
fn reading_ends() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for command in ["states", "info", "check", "time"] {
        let mut starset = starset();
        starset.arg(command).arg(&pipe).args(["--time", "0.2"]);
        starset.args((command == "check").then_some(["-f", "deadlock"]).into_iter().flatten());
        let (out, err, status) = run(&mut starset);
        let expected = "starset: unknown: out of time while the model was read\n";
        assert_eq!((out.as_str(), err.as_str(), status), ("", expected, 3), "{command}");
        let (out, err, status) = run(starset.arg("--json"));
        let object: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((object["schema"].as_str(), object["status"].as_u64()), (Some("starset/error/1"), Some(3)));
        assert_eq!((err.as_str(), status), (expected, 3), "{command}");
    }
    let (out, _, status) = run(starset().arg("mcc").arg(&pipe).args(["--examination", "StateSpace", "--time", "0.2"]));
    assert_eq!((out.as_str(), status), ("CANNOT_COMPUTE\n", 3));
    let program = starset();
    let mut waiting = Command::new(program.get_program()).args(["states", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    let _open = waiting.stdin.take();
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").arg(waiting.id().to_string()).status().unwrap().success());
    assert_eq!(waiting.wait().unwrap().code(), Some(3));

    let file = model("philo-5.pnml");
    let (_, err, status) = run(starset().arg("info").arg(&file).args(["--time", "0.000001"]));
    let expected = format!("starset: unknown: {}: out of time while it was read\n", file.display());
    assert!(err.ends_with(&expected) && status == 3, "{err}");
}

/// Many searches, one after the other and side by side, take hardly more than the limit together: what one frees the next can
/// have.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn memory_of_many_searches() {
    let Some(instance) = shared("mcc/RobotManipulation-PT-00050") else { return };
    let peak = |arguments: &[&str]| {
        let (out, _, _) = run(starset().arg("check").arg(&instance).arg("--json").args(arguments));
        let lines = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|answer| answer["peak_memory_bytes"].as_u64().unwrap()).max().unwrap()
    };
    let program = peak(&["-f", "true"]);
    let formulas = instance.join("CTLFireability.xml").display().to_string();
    let limit = 32 << 20;
    let taken = peak(&["-x", &formulas, "--memory", "32M", "--time", "8"]) - program;
    assert!(taken > limit / 4 && taken < limit + limit / 2, "{taken} bytes beside {program}");
}

#[test]
fn full_disk() {
    let model = model("philo-5.pnml");
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for command in ["states", "info"] {
        let program = assert_cmd::cargo::cargo_bin("starset");
        let output =
            Command::new(program).arg(command).arg(&model).stdout(full()).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("cannot write the results"), "{command}: {said}");
    }
    for arguments in [["states", model.to_str().unwrap(), "--save"].as_slice(), &["generate", "philo", "1000", "-o"]] {
        let (_, err, status) = run(starset().args(arguments).arg("/dev/full"));
        assert!(status == 2 && err.contains("/dev/full: No space left"), "{err}");
    }
}

/// Under a limit on the address space, as batch systems set it, there is less room or none, but no crash.
#[test]
fn little_address_space() {
    let binary = assert_cmd::cargo::cargo_bin("starset");
    // Where diagrams have no room, search may have enough.
    for (kib, engine, answered) in [
        (6_000_000, "auto", true),
        (6_000_000, "symbolic", true),
        (700_000, "symbolic", false),
        (700_000, "auto", true),
    ] {
        let states = format!("states --engine {engine} '{}'", model("philo-5.pnml").display());
        let line = format!("ulimit -v {kib} && exec '{}' {states}", binary.display());
        let output = Command::new("sh").args(["-c", &line]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(if answered { 0 } else { 3 }), "{kib} {engine}: {said}");
        assert_eq!(String::from_utf8_lossy(&output.stdout).contains("states                 243\n"), answered);
        assert!(answered || said.contains("unknown: out of memory"), "{said}");
    }
}

/// Nothing is left of a file that was to be saved.
#[test]
fn nothing_is_saved_without_a_set() {
    let (folder, path) = generate(ENDLESS.0, ENDLESS.1);
    let set = folder.path().join("set");
    let (object, status) = states_json(&path, &["--search", "bfs", "--time", "0.3", "--save", set.to_str().unwrap()]);
    assert!(status == 3 && object["saved"].is_null());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Ctrl-C while the search runs: partial results, status 3.
#[test]
fn interrupted() {
    let (_folder, path) = generate(ENDLESS.0, ENDLESS.1);
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("starset"))
        .args(["states", "--json", "--search", "bfs", "--progress", "json", "--time", "100"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first line of progress comes when the search has started.
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut String::new()).unwrap();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    errors.read_to_string(&mut String::new()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_unknown(&serde_json::from_str(&out).unwrap(), "interrupted");
}

/// A reader that goes away is no error and gets no message.
#[test]
fn broken_pipe() {
    let (_folder, path) = generate("philo", 1000);
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("starset"))
        .args(["states", "-q", "--json", "--bounds", "--list", "20"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((err.as_str(), child.wait().unwrap().code()), ("", Some(0)));
}

/// Hard enough for a race: the winner and all else is the same on any number of threads.
#[test]
fn threads() {
    let (_folder, path) = generate("slot", 20);
    let outputs: Vec<_> = ["1", "2", "3"]
        .into_iter()
        .map(|threads| {
            let (mut object, status) = states_json(&path, &["--threads", threads, "--deadlocks"]);
            assert_eq!(status, 0);
            for field in ["seconds", "peak_memory_bytes", "peak_nodes", "orders_tried"] {
                object.as_object_mut().unwrap().remove(field);
            }
            object
        })
        .collect();
    assert!(outputs.iter().all(|object| *object == outputs[0]), "{outputs:?}");
}

/// Infinitely many markings: no search ends, but there is a proof.
#[test]
fn unbounded() {
    let (object, status) = states_json(&model("pipeline-2.pnml"), &["--time", "100"]);
    assert_eq!(status, 3);
    assert_unknown(&object, "unbounded");
    let (_, err, status) = run(starset().arg("states").arg(model("pipeline-2.pnml")).args(["--order", "given"]));
    assert!(status == 3 && err.starts_with("starset: unknown: the net is unbounded: the tokens in "), "{err}");
    // In the contest's lines there is a word for it, the same as from the contest's command.
    let (out, _, status) = run(starset().arg("states").arg(model("pipeline-2.pnml")).args(["--format", "mcc"]));
    let examination = ["mcc", "--examination", "StateSpace"];
    let (contest, _, _) = run(starset().args(examination).arg(model("pipeline-2.pnml")));
    assert_eq!((out.as_str(), status), (contest.as_str(), 3));
    assert!(out.lines().count() == 4 && out.lines().all(|line| line.contains(" +inf ")), "{out}");
}
