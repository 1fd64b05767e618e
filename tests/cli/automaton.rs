//! `starset automaton`: forms, statistics, errors.

use super::{run, starset};
use serde_json::Value;
use starset::automaton::{Strength, hoa};

/// What `starset automaton` prints, its messages, and its status.
fn automaton(arguments: &[&str]) -> (String, String, i32) {
    run(starset().arg("automaton").args(arguments))
}

fn json(arguments: &[&str]) -> Value {
    let (out, err, status) = automaton(arguments);
    assert_eq!((err.as_str(), status, out.lines().count()), ("", 0, 1));
    serde_json::from_str(&out).unwrap()
}

#[test]
fn hoa_is_the_default() {
    let (out, err, status) = automaton(&["G(request -> F grant)"]);
    assert_eq!((err.as_str(), status), ("", 0));
    let read = hoa::read(&out).unwrap();
    assert_eq!((read.location_count(), read.strength()), (2, Strength::Strong));
    assert_eq!(read.propositions(), ["request", "grant"].map(str::to_owned));
    assert_eq!(automaton(&["G(request -> F grant)", "--hoa"]).0, out);
    // As people type it for other tools: no spaces, C's operators, boxes and diamonds.
    let (same, _, _) = automaton(&["[](!request||<>grant)"]);
    assert_eq!(same, out);
    for same in ["□(¬request ∨ ◇grant)", "□(request → ◇grant)", "¬◇(request ∧ □¬grant)"] {
        assert_eq!(automaton(&[same]).0, out, "{same}");
    }
    assert_eq!(automaton(&["--", "-a"]).2, 2);
}

#[test]
fn pictures() {
    let (out, _, status) = automaton(&["a U b", "--dot"]);
    assert!(status == 0 && out.starts_with("digraph automaton {") && out.contains("color=green"), "{out}");
}

#[test]
fn statistics() {
    let (out, _, status) = automaton(&["X(a U b) & GFc", "--stats"]);
    let words: Vec<_> = out.split_whitespace().collect();
    assert_eq!(
        (words.join(" ").as_str(), status),
        (
            "states 3 edges 5 acceptance sets 1 propositions 3 components 3 (1 transient, 1 rejecting, 1 strong) \
             strength strong deterministic yes complete no stutter-invariant no",
            0
        )
    );
}

#[test]
fn objects() {
    let object = json(&["a U \"b c\"", "--json"]);
    assert_eq!(object["schema"], "starset/automaton/1");
    assert_eq!(object["formula"], "a U \"b c\"");
    assert_eq!((object["states"].as_u64(), object["edges"].as_u64()), (Some(2), Some(3)));
    assert_eq!(object["components"][0]["strength"], "rejecting");
    assert_eq!(object["components"][1]["strength"], "terminal");
    assert_eq!(object["strength"], "terminal");
    assert_eq!((object["stutter_invariant"].as_bool(), object["reason"].is_null()), (Some(true), true));
    assert_eq!(object["propositions"][1], "b c");
    assert_eq!(hoa::read(object["hoa"].as_str().unwrap()).unwrap().location_count(), 2);
    assert!(object.get("dot").is_none());
    let object = json(&["a U b", "--json", "--dot"]);
    assert!(object["dot"].as_str().unwrap().starts_with("digraph") && object.get("hoa").is_none());
    let object = json(&["a U b", "--json", "--stats"]);
    assert!(object.get("dot").is_none() && object.get("hoa").is_none());
}

#[test]
fn mistakes_have_a_column() {
    for (formula, message) in [
        ("a U", "starset: formula, column 4: expected a formula, found the end\n  a U\n     ^\n"),
        ("(a & b", "starset: formula, column 7: expected an operator or `)`, found the end\n"),
        ("a b", "starset: formula, column 3: expected an operator or the end of the formula, found `b`\n"),
        ("a & #p = 1", "starset: formula, column 5: a proposition is a name here, or any text in double quotes"),
    ] {
        let (out, err, status) = automaton(&[formula]);
        assert_eq!((out.as_str(), status), ("", 2), "{formula}");
        assert!(err.starts_with(message), "{formula}: {err}");
    }
    let (_, err, status) = automaton(&["a -> b <-> c", "--stats"]);
    assert!(status == 0 && err.contains("read as `a -> (b <-> c)`"), "{err}");
    for arguments in [&[] as &[&str], &["a", "--hoa", "--dot"], &["a", "--dot", "--stats"]] {
        assert_eq!(automaton(arguments).2, 2, "{arguments:?}");
    }
    let deep = "!".repeat(10_000) + "a";
    let (_, err, status) = automaton(&[&deep]);
    assert!(status == 2 && err.contains("nested deeper than"), "{err}");
}

#[test]
fn limits_end_in_unknown() {
    // Fourteen conjuncts that share nothing: the tableau has millions of edges.
    let hard = (0..14).map(|i| format!("(GFa{i} | FGb{i} | (c{i} U XXd{i}))")).collect::<Vec<_>>().join(" & ");
    let (out, err, status) = automaton(&[&hard, "--time", "0.2", "--json"]);
    let object: Value = serde_json::from_str(&out).unwrap();
    let reason = object["reason"].as_str().unwrap();
    assert!(["time", "memory"].contains(&reason) && object.get("states").is_none() && status == 3, "{out}");
    assert!(err.contains("starset: unknown: out of "), "{err}");
}

/// A word that satisfies the formula, by what holds; of an automaton in a file, too.
#[test]
fn words() {
    assert_eq!(automaton(&["--finite", "--word", "a & X(!a & X b)"]).0, "   1  a\n   2  -\n   3  b\n");
    assert_eq!(automaton(&["--word", "G(a <-> X !a) & a"]).0, "again and again\n   1  a\n   2  -\n");
    assert_eq!(
        automaton(&["--finite", "--alive", "--word", "a & N false"]).0,
        "   1  alive a\n   2  -\nagain and again\n   3  -\n"
    );
    for contradiction in [["--word", "F a & G !a"].as_slice(), &["--finite", "--word", "G X a"]] {
        assert_eq!(automaton(contradiction), ("no word\n".to_owned(), String::new(), 0));
    }
    let object = json(&["--finite", "--word", "--json", "F b & G(b -> a)"]);
    assert_eq!(object["word"], serde_json::json!({ "prefix": [["b", "a"]], "cycle": [] }));
    assert_eq!((&object["satisfiable"], object.get("states")), (&Value::Bool(true), None));
    let object = json(&["--word", "--json", "a & !a"]);
    assert_eq!((&object["satisfiable"], object.get("word")), (&Value::Bool(false), None));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/models/hungry.hoa");
    let (out, err, status) = automaton(&["--word", file]);
    assert!(out.contains("again and again\n") && err.is_empty() && status == 0, "{out}{err}");
}
