//! Event-B: the shipped project against a search by hand, formulas against their values, refinement case by case.

use super::{by_the_rule, counts, load, model};
use crate::cli::{run, starset};
use starset::kinds::pins::NextState;
use starset::kinds::pins::b::{BMachine, Options};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

/// Files of Rodin: components in lines (`machine M0`, `var x`, `event up of up`, …) as elements of XML.
fn rodin(text: &str) -> HashMap<String, String> {
    let (mut files, mut ends): (HashMap<String, String>, Vec<&str>) = (HashMap::new(), Vec::new());
    let mut current = String::new();
    let escaped = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;")
            .replace('\t', "&#10;")
    };
    let mut number = 0;
    let mut element = |tag: &str, pairs: &[(&str, &str)], end: &str| {
        number += 1;
        let mut text = format!("<org.eventb.core.{tag} name=\"_{number}\"");
        for (name, value) in pairs {
            write!(text, " org.eventb.core.{name}=\"{}\"", escaped(value)).unwrap();
        }
        text + " org.eventb.core.comment=\"a &lt; b\"" + end
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (label, formula) = rest.split_once(' ').unwrap_or((rest, ""));
        let close = |ends: &mut Vec<&str>, files: &mut HashMap<String, String>, current: &str, keep: usize| {
            while ends.len() > keep {
                let end = format!("</org.eventb.core.{}>\n", ends.pop().unwrap());
                files.get_mut(current).unwrap().push_str(&end);
            }
        };
        if let "machine" | "context" = word {
            close(&mut ends, &mut files, &current, 0);
            let (root, extension) = if word == "machine" { ("machineFile", "bum") } else { ("contextFile", "buc") };
            current = format!("{rest}.{extension}");
            let head = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<org.eventb.core.{root} version=\"5\">\n");
            files.insert(current.clone(), head);
            ends.push(root);
            continue;
        }
        if word == "event" {
            close(&mut ends, &mut files, &current, 1);
        }
        let file = files.get_mut(&current).unwrap();
        let one = match word {
            "refines" => element("refinesMachine", &[("target", rest)], "/>"),
            "sees" => element("seesContext", &[("target", rest)], "/>"),
            "extends" => element("extendsContext", &[("target", rest)], "/>"),
            "set" => element("carrierSet", &[("identifier", rest)], "/>"),
            "const" => element("constant", &[("identifier", rest)], "/>"),
            "var" => element("variable", &[("identifier", rest)], "/>"),
            "any" => element("parameter", &[("identifier", rest)], "/>"),
            "axm" => element("axiom", &[("label", label), ("predicate", formula)], "/>"),
            "inv" => element("invariant", &[("label", label), ("predicate", formula)], "/>"),
            "thm" => element("invariant", &[("label", label), ("predicate", formula), ("theorem", "true")], "/>"),
            "variant" => element("variant", &[("expression", rest)], "/>"),
            "where" => element("guard", &[("label", label), ("predicate", formula)], "/>"),
            "with" => element("witness", &[("label", label), ("predicate", formula)], "/>"),
            "then" => element("action", &[("label", "act"), ("assignment", rest)], "/>"),
            "event" => {
                let words: Vec<&str> = rest.split(' ').collect();
                let extended = if words.contains(&"extended") { "true" } else { "false" };
                let mut text = element("event", &[("label", words[0]), ("extended", extended)], ">");
                ends.push("event");
                let of = words.iter().position(|word| *word == "of").map_or(words.len(), |at| at + 1);
                for target in &words[of..] {
                    text += &element("refinesEvent", &[("target", target)], "/>");
                }
                text
            }
            other => panic!("{other}"),
        };
        *file += &(one + "\n");
    }
    while let Some(end) = ends.pop() {
        files.get_mut(&current).unwrap().push_str(&format!("</org.eventb.core.{end}>\n"));
    }
    files
}

fn read(name: &str, text: &str) -> Result<BMachine, String> {
    let files = rodin(text);
    let find = |file: &str| files.get(file).map(|text| (file.to_owned(), text.clone()));
    BMachine::parse_event_b(name, &find, &Options::default()).map_err(|error| error.to_string())
}

/// The reachable states of a machine as `x=1 y={2}`, and its transitions as `event: state -> state`, both sorted.
fn explored(name: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let machine = read(name, text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let signature = machine.signature();
    let shown = |state: &[u32]| {
        let value = |(variable, value): (&starset::kinds::pins::Variable, &u32)| {
            format!("{}={}", variable.name, machine.show(variable.kind, *value))
        };
        signature.variables.iter().zip(state).map(value).collect::<Vec<_>>().join(" ")
    };
    let mut todo = signature.initial.clone();
    let mut seen: HashSet<Vec<u32>> = todo.iter().cloned().collect();
    let mut steps = Vec::new();
    while let Some(state) = todo.pop() {
        for group in 0..signature.groups.len() {
            for (action, next) in
                machine.whole(group, &state).unwrap().unwrap_or_else(|error| panic!("{text}\n{error}"))
            {
                steps.push(format!("{}: {} -> {}", machine.action(action), shown(&state), shown(&next)));
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    let mut states: Vec<String> = seen.iter().map(|state| shown(state)).collect();
    states.sort();
    steps.sort();
    (states, steps)
}

fn refused(name: &str, text: &str, part: &str) {
    match read(name, text) {
        Err(error) => assert!(error.contains(part), "{text}\n{error}"),
        Ok(_) => panic!("{text}"),
    }
}

/// The value of an expression.
fn value(expression: &str, expect: &str) {
    let text = format!(
        "context C\nset S\nconst a\nconst b\nconst c\naxm axm1 partition(S, {{a}}, {{b}}, {{c}})
         machine M\nsees C\nvar v\ninv inv1 v = {expression}\nevent INITIALISATION\nthen v ≔ {expression}"
    );
    let machine = read("M", &text).unwrap_or_else(|error| panic!("{expression}: {error}"));
    let signature = machine.signature();
    let shown = machine.show(signature.variables[0].kind, signature.initial[0][0]);
    assert_eq!(shown, expect, "{expression}");
}

/// The value of a predicate.
fn holds(predicate: &str, expect: bool) {
    value(&format!("bool({predicate})"), if expect { "TRUE" } else { "FALSE" });
}

/// An expression or a predicate that has no reading.
fn no_reading(formula: &str, part: &str) {
    let text = format!("machine M\nvar v\ninv inv1 v = {formula}\nevent INITIALISATION\nthen v ≔ 0");
    refused("M", &text, part);
}

#[test]
fn expressions_have_their_values() {
    for (expression, expect) in [
        ("2 + 3 ∗ 4 − 1", "13"),
        ("2+3*4-1", "13"),
        ("− 7 ÷ 2", "-3"),
        ("−2 ∗ 3 + 10", "4"),
        ("7 mod 4 ^ 1", "3"),
        ("2 ^ 3", "8"),
        ("10 − 3 − 2", "5"),
        ("1 ‥ 3", "{1,2,3}"),
        ("1 + 1 ‥ 3", "{2,3}"),
        ("{1} ∪ {2} ∪ {3}", "{1,2,3}"),
        ("1‥5 ∩ 2‥4 ∖ {3}", "{2,4}"),
        ("{1 ↦ a} \u{e103} {1 ↦ b} \u{e103} {2 ↦ c}", "{(1|->b),(2|->c)}"),
        ("{1↦2} ; {2↦a} ▷ {a}", "{(1|->a)}"),
        ("{2↦a} ∘ {1↦2}", "{(1|->a)}"),
        ("{1} ◁ {1↦a, 2↦b} ∩ {1↦a}", "{(1|->a)}"),
        ("{1} ⩤ {1↦a, 2↦b}", "{(2|->b)}"),
        ("{1↦a, 2↦b} ⩥ {a}", "{(2|->b)}"),
        ("{1↦a}∼", "{(a|->1)}"),
        ("{1↦a, 2↦b}[{1,2}]", "{a,b}"),
        ("{1↦a, 2↦b}∼(b)", "2"),
        ("{1} × {a} × {2}", "{((1|->a)|->2)}"),
        ("1 ↦ a ↦ 2", "((1|->a)|->2)"),
        ("{1↦a} ⊗ {1↦b}", "{(1|->(a|->b))}"),
        ("{1↦a} ∥ {2↦b}", "{((1|->2)|->(a|->b))}"),
        ("id(a)", "a"),
        ("{a, b} ◁ id", "{(a|->a),(b|->b)}"),
        ("prj1(1 ↦ a)", "1"),
        ("prj2(1 ↦ a)", "a"),
        ("succ(3) + pred(3)", "6"),
        ("succ[{1, 2}]", "{2,3}"),
        ("{x · x ∈ 1‥3 ∣ x ∗ x}", "{1,4,9}"),
        ("{x ∗ x ∣ x ∈ 1‥3}", "{1,4,9}"),
        ("{x ∣ x ∈ 1‥9 ∧ x mod 3 = 0}", "{3,6,9}"),
        ("{x ↦ y ∣ x ∈ {1,2} ∧ y = x + 1}", "{(1|->2),(2|->3)}"),
        ("{x, y · x ∈ {1,2} ∧ y = x + 1 ∣ y ↦ x}", "{(2|->1),(3|->2)}"),
        ("{x ⦂ ℤ · x ∈ 1‥2 ∣ x}", "{1,2}"),
        ("λx · x ∈ 1‥2 ∣ x + 1", "{(1|->2),(2|->3)}"),
        ("λx ↦ (y ↦ z) · x ∈ {1} ∧ y ∈ {2} ∧ z = 3 ∣ x + y + z", "{((1|->(2|->3))|->6)}"),
        ("(λx ↦ y · x ∈ ℤ ∧ y ∈ ℤ ∣ x − y)(5 ↦ 3)", "2"),
        ("⋃x · x ∈ {1, 3} ∣ {x, x + 1}", "{1,2,3,4}"),
        ("⋂x · x ∈ {1, 2} ∣ {x, 2}", "{2}"),
        ("⋃{x} ∪ {7} ∣ x ∈ 1‥2", "{1,2,7}"),
        ("union({{1}, {2}}) ∪ inter({{1, 5}, {5}})", "{1,2,5}"),
        ("card({a, b}) + min({3, 1}) + max({3, 1})", "6"),
        ("dom({1 ↦ a}) ∪ ran({a ↦ 2})", "{1,2}"),
        ("ℙ({1})", "{{},{1}}"),
        ("ℙ1({1})", "{{1}}"),
        ("card({1,2} ↔ {a,b})", "16"),
        ("card({1,2} ⇸ {a,b}) − card({1,2} → {a,b})", "5"),
        ("card({1,2} ⤔ {a,b}) + card({1,2} ↣ {a,b})", "9"),
        ("card({1,2} ⤀ {a,b}) + card({1,2} ↠ {a,b}) + card({1,2} ⤖ {a,b})", "6"),
        ("card({1,2} \u{e100} {a,b})", "9"),
        ("card({1,2} \u{e101} {a,b})", "9"),
        ("card({1,2} \u{e102} {a,b})", "7"),
        ("%x.x:1..2|x*2", "{(1|->2),(2|->4)}"),
        ("bool(1 < 2)", "TRUE"),
        ("(∅ ⦂ ℙ(ℤ)) ∪ {1}", "{1}"),
        ("{1 /* one */, 2} // two", "{1,2}"),
    ] {
        value(expression, expect);
    }
}

#[test]
fn predicates_have_their_values() {
    for (predicate, expect) in [
        ("1 ≤ 2 ∧ 2 > 1 ∧ 1 ≠ 2", true),
        ("¬ 1 = 2 ∧ 3 = 3", true),
        ("1 = 2 ⇒ 1 = 3", true),
        ("1 = 1 ⇔ 2 = 3", false),
        ("∀x · x ∈ 1‥3 ⇒ x < 4", true),
        ("∀x, y · x ∈ 1‥3 ∧ y ∈ 1‥3 ⇒ x + y < 6", false),
        ("∃x · x ∈ 1‥3 ∧ x ∗ x = 9", true),
        ("!x.x:1..3=>(#y.y:1..4&y=x+1)", true),
        ("∀x ⦂ BOOL · x = TRUE ∨ x = FALSE", true),
        ("⊤ ∨ ⊥", true),
        ("⊥", false),
        ("{1} ⊆ {1, 2} ∧ {1} ⊂ {1, 2} ∧ {1} ⊈ {2} ∧ {1} ⊄ {1}", true),
        ("3 ∉ {1, 2} ∧ 1 ∈ ℕ1 ∧ 0 ∈ ℕ ∧ −1 ∉ ℕ ∧ −1 ∈ ℤ", true),
        ("finite({1, 2}) ∧ finite(S)", true),
        ("finite(ℕ)", false),
        ("partition({1, 2, 3}, {1}, {2, 3})", true),
        ("partition({1, 2, 3}, {1, 2}, {2, 3})", false),
        ("partition(∅ ⦂ ℙ(ℤ))", true),
        ("{1 ↦ a} ∈ {1} → S", true),
        ("{1 ↦ a} ∈ {1, 2} → S", false),
        ("{1 ↦ a, 2 ↦ a} ∈ 1‥2 ↣ S", false),
        ("1 ↦ 1 ∈ id", true),
        ("{1 ↦ 2, 2 ↦ 1} ∩ id = ∅", true),
        ("id ∩ {1 ↦ 1} ≠ ∅", true),
        ("1 = 1 ∧ (2 = 2 ∨ 3 = 4) ∧ ∃x · x = 1", true),
    ] {
        holds(predicate, expect);
    }
}

#[test]
fn operators_beside_each_other_need_parentheses() {
    for formula in [
        "{1} ∪ {2} ∖ {3}",
        "{1} ∖ {2} ∖ {3}",
        "{1} ∪ {2} ∩ {3}",
        "{1} × {2} ∪ {3}",
        "bool(1 = 1 ∧ 2 = 2 ∨ 3 = 3)",
        "bool(1=2 or not (1=2) & 1<2)",
        "bool(1 = 1 ⇒ 2 = 2 ⇒ 3 = 3)",
        "bool(1 = 1 = 1)",
        "1 ‥ 2 ‥ 3",
        "{1} ↔ {2} ↔ {3}",
        "2 ^ 3 ^ 4",
    ] {
        no_reading(formula, "need parentheses");
    }
    no_reading("{1, ", "inv1: expected an expression or a predicate, found the end");
    no_reading("λx, y · x ∈ ℤ ∣ y", "expected ., found ,");
    no_reading("λx ↦ x · x ∈ ℤ ∣ x", "bound twice");
    no_reading("1 $ 2", "'$' begins nothing");
    no_reading(&format!("{}1{}", "(".repeat(5000), ")".repeat(5000)), "nested more than");
    no_reading("1 + TRUE", "type error");
    no_reading("w", "w is not declared");
}

/// Cars before, on the way to, on, and on the way back from an island.
fn bridge(limit: u32, lights: bool) -> (usize, usize) {
    // there, island, back, light to the island, light to the mainland
    type State = (u32, u32, u32, bool, bool);
    let step = |s: State| -> Vec<State> {
        let (there, island, back, to, from) = s;
        let mut next = Vec::new();
        if !lights && there + island < limit && back == 0 || lights && to {
            let last = there + island + 1 == limit;
            next.push((there + 1, island, back, to && !last, from));
        }
        if back > 0 {
            next.push((there, island, back - 1, to, from));
        }
        if there > 0 {
            next.push((there - 1, island + 1, back, to, from));
        }
        if !lights && island > 0 && there == 0 || lights && from {
            next.push((there, island - 1, back + 1, to, from && island != 1));
        }
        if lights && !to && there + island < limit && back == 0 {
            next.push((there, island, back, true, false));
        }
        if lights && !from && island > 0 && there == 0 {
            next.push((there, island, back, false, true));
        }
        next
    };
    let mut todo = vec![(0, 0, 0, false, false)];
    let mut seen: HashSet<State> = todo.iter().copied().collect();
    let mut transitions = 0;
    while let Some(state) = todo.pop() {
        for next in step(state) {
            transitions += 1;
            if seen.insert(next) {
                todo.push(next);
            }
        }
    }
    (seen.len(), transitions)
}

#[test]
fn the_bridge_has_as_many_states_as_a_search_by_hand() {
    let folder = model("bridge");
    for (machine, lights) in [("Bridge", false), ("Controller", true)] {
        let path = folder.join(format!("{machine}.bum"));
        let (states, transitions) = bridge(3, lights);
        let [found, steps, ..] = counts(&path);
        assert_eq!((found, steps), (states as u64, transitions as u64), "{machine}");
        assert_eq!(by_the_rule(&load(&path))[..2], [found, steps]);
    }
    assert_eq!(counts(&folder.join("Cars.bum"))[..2], [4, 6]);
    // The folder is its most concrete machine.
    assert_eq!(counts(&folder), counts(&folder.join("Controller.bum")));
    let (out, err, status) = run(starset().arg("check").arg(&folder).args(["--threads", "1", "-q"]));
    assert_eq!(status, 0, "{err}");
    let verdicts: Vec<&str> = out.lines().filter(|line| line.contains('.')).collect();
    assert_eq!(verdicts.len(), 10, "{out}");
    assert!(verdicts.iter().all(|line| line.ends_with(": true")), "{out}");
    assert!(out.contains("Bridge.inv3: true") && out.contains("Limit.thm1: true"), "{out}");
    let formula = "EF (light = \"{1|->green,2|->red}\" & #there = 2)";
    let arguments = ["-f", formula, "--witness", "--threads", "1"];
    let (out, err, status) = run(starset().arg("check").arg(&folder).args(arguments));
    assert!(status == 0 && out.starts_with("1: true") && out.contains("go_there: light"), "{out}{err}");
    assert!(out.contains("leave_free: there 0→1, away 0→1"), "{out}");
}

/// A file that is sent in pieces over a channel that loses messages.
#[test]
fn the_transfer_has_as_many_states_as_a_search_by_hand() {
    // finished, pieces that have come, the piece on its way, and those that are known to have come
    type State = (bool, u32, Option<u32>, u32);
    let (size, mut transitions) = (3, 0);
    let mut todo: Vec<State> = vec![(false, 0, None, 0)];
    let mut seen: HashSet<State> = todo.iter().copied().collect();
    while let Some((finished, part, message, answered)) = todo.pop() {
        let mut next = Vec::new();
        match message {
            None if answered < size => next.push((finished, part, Some(answered + 1), answered)),
            None => {}
            Some(piece) => next.extend([(finished, part, None, answered), (finished, part.max(piece), None, answered)]),
        }
        if answered < part {
            next.push((finished, part, message, answered + 1));
        }
        if !finished && part == size {
            next.push((true, part, message, answered));
        }
        for state in next {
            transitions += 1;
            if seen.insert(state) {
                todo.push(state);
            }
        }
    }
    let path = model("transfer");
    let [states, steps, ..] = counts(&path);
    assert_eq!((states, steps), (seen.len() as u64, transitions));
    assert_eq!(by_the_rule(&load(&path))[..2], [states, steps]);
    let (out, err, status) = run(starset().arg("check").arg(&path).args(["--threads", "1", "-q"]));
    assert!(status == 0 && out.lines().filter(|line| line.contains(".inv")).count() == 6, "{out}{err}");
    assert!(!out.contains("false") && !out.contains("unknown"), "{out}");
}

#[test]
fn projects_come_as_folders_archives_and_files_of_other_names() {
    let bridge = model("bridge");
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<(String, Vec<u8>)> = ["Limit.buc", "Lights.buc", "Cars.bum", "Bridge.bum", "Controller.bum"]
        .iter()
        .map(|name| (format!("bridge/{name}"), std::fs::read(bridge.join(name)).unwrap()))
        .chain([("bridge/Controller.bcm".to_owned(), b"<made/>".to_vec()), ("bridge/.project".to_owned(), Vec::new())])
        .collect();
    let archive = folder.path().join("bridge.zip");
    std::fs::write(&archive, zipped(&files)).unwrap();
    assert_eq!(counts(&archive), counts(&bridge));
    std::fs::copy(bridge.join("Cars.bum"), folder.path().join("cars.xml")).unwrap();
    let failed = |path: &Path, part: &str| {
        let (_, err, status) = run(starset().arg("states").arg(path));
        assert!(status == 2 && err.contains(part), "{err}");
    };
    failed(&folder.path().join("cars.xml"), "cars.xml:3:1: refused: Limit.buc is needed and is not in the project");
    std::fs::copy(bridge.join("Limit.buc"), folder.path().join("Limit.buc")).unwrap();
    assert_eq!(counts(&folder.path().join("cars.xml"))[..2], [4, 6]);
    failed(&folder.path().join("Limit.buc"), "a context has no behaviour");
    std::fs::write(folder.path().join("none.zip"), zipped(&files[..2])).unwrap();
    failed(&folder.path().join("none.zip"), "there is no machine of Event-B");
    std::fs::copy(bridge.join("Cars.bum"), folder.path().join("A.bum")).unwrap();
    std::fs::copy(bridge.join("Cars.bum"), folder.path().join("B.bum")).unwrap();
    failed(folder.path(), "several machines are refined by none: A, B; give the file of one of them, as A.bum");
    std::fs::write(folder.path().join("M.bcm"), "<org.eventb.core.scMachineFile/>").unwrap();
    failed(&folder.path().join("M.bcm"), "an Event-B model of Rodin");
    std::fs::write(folder.path().join("M.bum"), "<org.eventb.core.scMachineFile/>").unwrap();
    failed(&folder.path().join("M.bum"), "a file that Rodin has made of it");
}

/// An archive of files that are stored.
fn zipped(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let offset = (all.len() as u32).to_le_bytes();
        let (size, length) = ((bytes.len() as u32).to_le_bytes(), (name.len() as u16).to_le_bytes());
        all.extend([&b"PK\x03\x04"[..], &[0; 14], &size, &size, &length, &[0; 2], name.as_bytes(), bytes].concat());
        let head = [&b"PK\x01\x02"[..], &[0; 16], &size, &size, &length, &[0; 12], &offset, name.as_bytes()].concat();
        directory.extend(head);
    }
    let (start, count) = ((all.len() as u32).to_le_bytes(), (files.len() as u16).to_le_bytes());
    let size = (directory.len() as u32).to_le_bytes();
    all.extend(&directory);
    all.extend([&b"PK\x05\x06"[..], &[0; 4], &count, &count, &size, &start, &[0; 2]].concat());
    all
}

const COUNTER: &str = "machine M0\nvar x\ninv inv1 x ∈ 0‥3\nevent INITIALISATION\nthen x ≔ 0
    event up\nany d\nwhere grd1 d ∈ 1‥2\nwhere grd2 x + d ≤ 3\nthen x ≔ x + d
    event any_of\nthen x :∈ {0, x}
    event less\nwhere grd1 x > 0\nthen x :∣ x' ∈ 0‥3 ∧ x' < x";

#[test]
fn an_abstract_machine_does_what_its_events_say() {
    let (states, steps) = explored("M0", COUNTER);
    assert_eq!(states, ["x=0", "x=1", "x=2", "x=3"]);
    let of = |event: &str| steps.iter().filter(|step| step.starts_with(event)).count();
    assert_eq!((of("up(1)"), of("up(2)"), of("any_of"), of("less")), (3, 2, 7, 6));
    assert!(steps.contains(&"less: x=3 -> x=1".to_owned()), "{steps:?}");
}

#[test]
fn variables_that_are_gone_follow_what_the_event_above_says() {
    // x becomes y, which is twice as large; the parameter d is gone, and its witness says what it was.
    let below =
        "machine M1\nrefines M0\nvar y\ninv glue y = 2 ∗ x\nevent INITIALISATION\nwith x' y' = 2 ∗ x'\nthen y ≔ 0
        event up of up\nwhere grd1 y ≤ 4\nwith d d = 1\nthen y ≔ y + 2
        event keep of any_of\nwith x' x' = x\n
        event reset of any_of\nwith x' 2 ∗ x' = y'\nthen y ≔ 0
        event less of less\nany z\nwhere grd1 z ∈ {0, 2, 4} ∧ z < y\nwith x' x' ∗ 2 = y'\nthen y :∈ {z}
        event other\nthen y ≔ y";
    let (states, steps) = explored("M1", &format!("{COUNTER}\n{below}"));
    assert_eq!(states, ["y=0 x=0", "y=2 x=1", "y=4 x=2", "y=6 x=3"]);
    let of = |event: &str| steps.iter().filter(|step| step.starts_with(event)).count();
    assert_eq!((of("up:"), of("keep:"), of("reset:"), of("less(")), (3, 4, 4, 6));
    assert!(steps.contains(&"less(2): y=6 x=3 -> y=2 x=1".to_owned()), "{steps:?}");
    // One level more, with x gone for good: what it becomes is said two levels above.
    let last = "machine M2\nrefines M1\nvar y\nvar n\ninv inv1 n ∈ ℕ\nevent INITIALISATION extended\nthen n ≔ 0
        event up extended of up\nwhere grd2 n < 2\nthen n ≔ n + 1";
    let (states, steps) = explored("M2", &format!("{COUNTER}\n{below}\n{last}"));
    assert_eq!(states, ["y=0 n=0 x=0", "y=2 n=1 x=1", "y=4 n=2 x=2"]);
    assert_eq!(steps.len(), 2);
}

#[test]
fn witnesses_that_leave_a_choice_are_all_taken() {
    // Nothing below says what x becomes, but for the action above and the witness.
    let below = "machine M1\nrefines M0\nvar y\ninv inv2 y ∈ ℕ\nevent INITIALISATION\nthen y ≔ 0
        event less of less\nwhere grd1 y = 0\nwith x' x' ≠ 1\nthen y ≔ 1
        event up of up\nwhere grd1 y = 0 ∧ x < 2\nwith d d > 0";
    let (states, steps) = explored("M1", &format!("{COUNTER}\n{below}"));
    // up: d is 1 or 2 (grd1 and grd2 of the event above bound it); less: from 1, 2, 3 to 0, 2 and not to 1.
    assert_eq!(states, ["y=0 x=0", "y=0 x=1", "y=0 x=2", "y=0 x=3", "y=1 x=0", "y=1 x=2"]);
    assert_eq!(steps.iter().filter(|step| step.starts_with("up:")).count(), 4);
    assert_eq!(steps.iter().filter(|step| step.starts_with("less:")).count(), 4);
}

#[test]
fn events_split_merge_and_extend() {
    let above = "machine M0\nvar x\nvar p\ninv inv1 x ∈ 0‥2 ∧ p ∈ BOOL\nevent INITIALISATION\nthen x, p ≔ 0, FALSE
        event a\nwhere grd1 x = 0\nthen p ≔ TRUE\nevent b\nwhere grd1 x = 1\nthen p ≔ TRUE
        event c\nwhere grd1 x < 2\nthen x ≔ x + 1\nevent d\nwhere grd1 x = 2\nthen p ≔ bool(x = 0)";
    let below = "machine M1\nrefines M0\nvar x\ninv inv2 x ∈ ℕ\nevent INITIALISATION\nthen x ≔ 0
        event ab of a b\nwhere grd1 x < 2
        event c1 extended of c\nwhere grd2 x = 0\nevent c2 extended of c\nwhere grd2 x = 1";
    let (states, steps) = explored("M1", &format!("{above}\n{below}"));
    assert_eq!(states, ["x=0 p=FALSE", "x=0 p=TRUE", "x=1 p=FALSE", "x=1 p=TRUE", "x=2 p=FALSE", "x=2 p=TRUE"]);
    let of = |event: &str| steps.iter().filter(|step| step.starts_with(event)).count();
    assert_eq!((of("ab"), of("c1"), of("c2"), steps.len()), (4, 2, 2, 8));
    let different = below.replace("of a b", "of a d");
    refused("M1", &format!("{above}\n{different}"), "a and d of M0 are merged and have different actions");
    refused("M1", &format!("{above}\n{}", below.replace("extended of c\n", "extended of a b\n")), "more than one");
    refused("M1", &format!("{above}\n{}", below.replace("of a b", "of e")), "M0 has no event e");
}

#[test]
fn merged_events_that_differ_further_up_are_refused() {
    let above = "machine M0\nvar v\ninv inv1 v ∈ 0‥2\nevent INITIALISATION\nthen v ≔ 0
        event a0\nwhere grd1 v = 0\nthen v ≔ 1\nevent b0\nwhere grd1 v = 0\nthen v ≔ 2";
    let middle = "machine M1\nrefines M0\nvar w\ninv inv2 w ∈ ℕ\nevent INITIALISATION\nthen w ≔ 0
        event a1 of a0\nwhere grd1 w = 0\nthen w ≔ 1\nevent b1 of b0\nwhere grd1 w = 0\nthen w ≔ 1";
    let below =
        "machine M2\nrefines M1\nvar w\nevent INITIALISATION extended\nevent c2 of a1 b1\nwhere grd1 w = 0\nthen w ≔ 1";
    assert_eq!(explored("M1", &format!("{above}\n{middle}")).0.len(), 3);
    refused("M2", &format!("{above}\n{middle}\n{below}"), "a1 and b1 of M1 are merged and refine different events");
    // A parameter that no witness fixes is bounded by the guards of one of them.
    let above = "machine M0\nvar v\ninv inv1 v ∈ 0‥2\nevent INITIALISATION\nthen v ≔ 0
        event a0\nany p\nwhere grd1 p = 1\nthen v ≔ p\nevent b0\nany p\nwhere grd1 p = 2\nthen v ≔ p";
    let below = "machine M1\nrefines M0\nvar w\ninv inv2 w ∈ ℕ\nevent INITIALISATION\nthen w ≔ 0
        event ab of a0 b0\nwhere grd1 w = 0\nwith p p ∈ 1‥2\nthen w ≔ 1";
    refused("M1", &format!("{above}\n{below}"), "have different guards for a parameter without a witness");
    let fixed = below.replace("p ∈ 1‥2", "p = 1");
    assert_eq!(explored("M1", &format!("{above}\n{fixed}")).0, ["w=0 v=0", "w=1 v=1"]);
}

#[test]
fn carrier_sets_have_the_elements_that_axioms_name() {
    let machine = "machine M\nsees D\nvar v\ninv inv1 v ∈ S\nevent INITIALISATION\nthen v :∈ S";
    let states = |axioms: &str| {
        let text = format!("context C\nset S\n{axioms}\ncontext D\nextends C\n{machine}");
        let found = read("M", &text).unwrap_or_else(|error| panic!("{axioms}: {error}"));
        (found.signature().initial.len(), found.constants(), found.setups())
    };
    assert_eq!(states("const a\nconst b\nconst c\naxm axm1 partition(S, {a}, {b}, {c})"), (3, 0, 0));
    assert_eq!(states("const a\nconst b\naxm axm1 S = {a, b}\naxm axm2 a ≠ b\naxm axm3 finite(S)"), (2, 0, 0));
    // Without names a set has two elements, or as many as axioms say.
    assert_eq!(states(""), (2, 0, 0));
    assert_eq!(states("axm axm1 card(S) = 4").0, 4);
    assert_eq!(states("const k\naxm axm1 k ∈ 1‥2"), (4, 1, 2));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let with = |text: &str| format!("machine M\nvar x\ninv inv1 x ∈ ℤ\n{text}");
    refused("M", &with("event e\nthen x ≔ 1"), "M.bum:5:1: refused: M has no event INITIALISATION");
    refused("M", &with(""), "M has no event INITIALISATION");
    refused(
        "M",
        &with("event INITIALISATION\nthen y ≔ 1"),
        "M.bum:6:1: type error: INITIALISATION: y is no variable of M",
    );
    refused("M", &with("event INITIALISATION\nthen x ≔ 1\nthen x ≔ 2"), "x is assigned to twice");
    refused("M", &with("event INITIALISATION\nthen x ≔ 1 +"), "M.bum:6:1: syntax error: INITIALISATION: act: expected");
    refused("M", &with("event INITIALISATION\nthen x ≔ 1\nevent e\nwhere g x = TRUE"), "M.bum:9:1: type error");
    refused("M", &with("event INITIALISATION\nthen x ≔ 1, 2"), "2 values for 1 variables");
    refused(
        "M",
        &format!("refines N\n{}", with("")).replacen("refines N\nmachine M", "machine M\nrefines N", 1),
        "N.bum",
    );
    refused("M", "machine M\nrefines M\nevent INITIALISATION", "M refines itself");
    refused("M", "context C\nextends C\nmachine M\nsees D", "D.buc is needed and is not in the project");
    let find = |_: &str| Some(("M.bum".to_owned(), "<org.eventb.core.machineFile><a>".to_owned()));
    let error = BMachine::parse_event_b("M", &find, &Options::default()).unwrap_err().to_string();
    assert!(error.starts_with("M.bum:1:"), "{error}");
}

/// Mutual exclusion, as ProB exports it.
const PACKAGE: &str = include_str!("../../models/mutex.eventb");

#[test]
fn packages_of_prob_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = model("mutex.eventb");
    // Nobody, a, or b is in; two enter, and whoever is in may leave: three states.
    assert_eq!(counts(&path)[..3], [3, 5, 0]);
    let (out, err, status) = run(starset().arg("check").arg(&path).args(["-f", "EF in = \"{b}\"", "--invariant"]));
    assert_eq!(status, 0, "{err}");
    assert!(out.starts_with("1: true") && out.contains("M1.glue: true") && out.contains("M0.one: true"), "{out}");
    let other = super::written(folder.path(), "mutex.P", PACKAGE);
    assert_eq!(counts(&other)[..2], [3, 5]);
    let other = super::written(folder.path(), "windows.eventb", &PACKAGE.replace('\n', "\r\n"));
    assert_eq!(counts(&other)[..2], [3, 5]);
    let refused = |text: &str, part: &str| {
        let error = BMachine::parse_package("m.eventb", text, &Options::default()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    refused("", "m.eventb:1:1: syntax error: there is no package");
    refused("package(load_event_b_project([],[],[],_)).", "the package has no machine");
    refused(&PACKAGE.replace("truth(none)", "extended_pred(none,sorted,[],[])"), "sorted is an operator of a theory");
    refused(&PACKAGE.replace("truth(none)", "wonder(none)"), "found wonder, which is not supported here");
    refused(&PACKAGE.replace("truth(none)", "truth(none"), "m.eventb:");
    refused(&PACKAGE.replace("refines(none,'M0')", "refines(none,'M9')"), "the machine M9 is not in the project");
    refused(&"f(".repeat(5000), "nested more than");
}
