//! And-inverter graphs: what they ask, by both engines, beside all paths of random ones.

#[path = "../../smv/tests/circuits/mod.rs"]
mod circuits;

use crate::cli::{run, starset};
use circuits::{Drawn, Random};
use std::collections::{HashMap, HashSet};

/// By state: the values of literals in each step, and where it leads.
type Graph = HashMap<u32, Vec<(Vec<bool>, u32)>>;

/// The states that a state leads to, itself among them.
fn reach(graph: &Graph, state: u32) -> HashSet<u32> {
    let (mut seen, mut open) = (HashSet::new(), vec![state]);
    while let Some(state) = open.pop() {
        if seen.insert(state) {
            open.extend(graph[&state].iter().map(|(_, next)| *next));
        }
    }
    seen
}

/// Does some infinite path have each of these again and again? Some component with a step has all of them.
fn is_just(graph: &Graph, literals: &[u32]) -> bool {
    graph.keys().any(|&state| {
        let around: HashSet<u32> =
            reach(graph, state).into_iter().filter(|&other| reach(graph, other).contains(&state)).collect();
        let steps = || around.iter().flat_map(|from| &graph[from]).filter(|(_, to)| around.contains(to));
        steps().next().is_some() && literals.iter().all(|&literal| steps().any(|(values, _)| values[literal as usize]))
    })
}

#[test]
fn random_circuits_are_bad_or_just_as_their_paths_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut answers, mut justice) = (HashMap::new(), HashMap::new());
    for number in 0..60 {
        let drawn = Drawn::new(&mut random);
        let graph = drawn.graph();
        let path = folder.path().join("circuit").with_extension(if number % 2 == 0 { "aag" } else { "aig" });
        std::fs::write(&path, drawn.file(number % 2 == 1)).unwrap();
        let mut expected = String::new();
        for (at, &literal) in drawn.bad.iter().enumerate() {
            let is_safe = !graph.values().flatten().any(|(values, _)| values[literal as usize]);
            expected.push_str(&format!("b{at}: {is_safe}\n"));
            *answers.entry(is_safe).or_insert(0) += 1;
        }
        for (at, literals) in drawn.justice.iter().enumerate() {
            let exists = is_just(&graph, &[&literals[..], &drawn.fairness].concat());
            expected.push_str(&format!("j{at}: {}\n", !exists));
            *justice.entry(exists).or_insert(0) += 1;
        }
        let engine = if number % 3 == 0 { "explicit" } else { "symbolic" };
        let (out, err, status) = run(starset().arg("check").arg(&path).args(["--engine", engine, "--threads", "1"]));
        assert_eq!(status, 0, "{err}");
        let out: String = out.lines().map(|line| format!("{}\n", line.split(" (").next().unwrap())).collect();
        assert_eq!(out, expected, "{}", String::from_utf8_lossy(&drawn.file(false)));
    }
    let both = |found: &HashMap<bool, i32>| found.get(&true) > Some(&10) && found.get(&false) > Some(&10);
    assert!(both(&answers) && both(&justice), "{answers:?} {justice:?}");
}

/// Outputs and inputs are asked by name; a circuit is written as a program.
#[test]
fn circuits_are_asked_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toggle.aag");
    std::fs::write(&path, "aag 5 1 1 1 3\n2\n4 11\n4\n6 4 2\n8 5 3\n10 7 9\ni0 on\nl0 the bit\no0 out\nc\nx\n")
        .unwrap();
    let asked = ["-f", "CTLSPEC EF out", "-f", "LTLSPEC G (on -> X out)", "-f", "AG the_bit"];
    let (out, err, status) = run(starset().arg("check").arg(&path).args(asked));
    assert_eq!((out.as_str(), status), ("1: true\n2: false\n3: false\n", 0), "{err}");
    let (out, err, status) = run(starset().arg("check").arg(&path));
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.contains("INVARSPEC !out"), "{err}");
    let (out, err, status) = run(starset().arg("convert").arg(&path).args(["-", "--to", "smv"]));
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("DEFINE out := the_bit;\n") && out.contains("IVAR on : boolean;\n"), "{out}");
    let (out, _, status) = run(starset().arg("states").arg(&path).arg("-q"));
    assert!(out.contains("states                 2") && status == 0, "{out}");
    std::fs::write(&path, "aag 1 1 0 1 0\n2\n9\n").unwrap();
    let (_, err, status) = run(starset().arg("check").arg(&path));
    assert!(err.contains("toggle.aag:3:1: the literal 9 is above") && status == 2, "{err}");
}
