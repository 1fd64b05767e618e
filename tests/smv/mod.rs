//! SMV programs: what they are as models, what is asked of them, and the verdicts of NuSMV in `../shared/smv`.

mod aiger;
mod bits;
mod certified;
mod cone;
mod nusmv;
mod proofs;
mod runs;
mod traces;
mod widths;
mod written;

use crate::cli::{model, run, starset};
use crate::shared::{shared, table};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.smv");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// The verdicts of all that a program asks, by both engines, as they are printed, and what is said beside them.
fn verdicts(path: &Path) -> (String, String) {
    let by = |engine: &str| {
        let (out, err, status) = run(starset().arg("check").arg(path).args(["--engine", engine, "--threads", "1"]));
        assert!(status == 0 || status == 3, "{err}");
        (out.trim().replace('\n', ", "), err)
    };
    let (one, other) = (by("explicit"), by("symbolic"));
    assert_eq!(one.0, other.0, "{}", other.1);
    one
}

fn asked(text: &str) -> String {
    let (_folder, path) = written(text);
    verdicts(&path).0
}

fn states(path: &Path, more: &[&str]) -> (String, String, i32) {
    let (out, err, status) = run(starset().arg("states").arg(path).arg("--json").args(more));
    let states = serde_json::from_str::<Value>(&out).map_or(String::new(), |value| value["states"].to_string());
    (states.trim_matches('"').to_owned(), err, status)
}

#[test]
fn shipped_programs_are_asked_what_they_ask() {
    let (found, _) = verdicts(&model("mutex.smv"));
    assert_eq!(found, "exclusive: true, possible: true, served: true, busy: false");
    let (found, _) = verdicts(&model("lift.smv"));
    assert_eq!(found, "bounded: true, climbs: true, arrives: true, returns: false, reachable: true");
    // Questions about steps need further variables, of which states are counted without.
    assert_eq!(states(&model("lift.smv"), &[]).0, "7");
}

#[test]
fn formulas_use_the_names_of_the_program() {
    let text = "MODULE main VAR b : boolean; n : -2..2; w : unsigned word[3]; c : cell; e : {one, 2};
        ASSIGN init(b) := FALSE; next(b) := !b; init(n) := -2; next(n) := b & n < 2 ? n + 1 : n;
               init(w) := 0ud3_0; next(w) := w + 0ud3_1; e := b ? 2 : one;
        MODULE cell VAR place : {idle, busy}; ASSIGN init(place) := idle; next(place) := {idle, busy};";
    let (_folder, path) = written(text);
    for (formula, expected) in [
        ("!b & A X b", "true"),
        ("AG (b -> AX !b)", "true"),
        ("b = FALSE & n = -2", "true"),
        ("EF n = 2 & AG n >= -2", "true"),
        ("EF c.place = busy", "true"),
        ("AG c.place = idle", "false"),
        ("EF w = 0ud3_7 & EF w = 6", "true"),
        ("AG (e = one | e = 2) & AG (b <-> e = 2)", "true"),
    ] {
        let (out, err, status) = run(starset().arg("check").arg(&path).args(["--engine", "explicit", "-f", formula]));
        assert_eq!((out.trim(), status), (format!("1: {expected}").as_str(), 0), "{formula}: {err}");
    }
}

/// Paths are fair and infinite, first states where none begins do not count, and invariants are about all states.
#[test]
fn questions_are_about_fair_paths() {
    // From 1 there is no step; from 2 one for ever, where `f` never holds.
    let program = |fairness: &str, questions: &str| {
        format!(
            "MODULE main VAR n : 0..3; INIT n = 0 TRANS case n = 0 : next(n) in {{0, 1, 2}}; n = 1 : FALSE; \
             TRUE : next(n) = n; esac {fairness} {questions}"
        )
    };
    let all = "CTLSPEC AG n != 1 INVARSPEC n != 1 CTLSPEC AG EX TRUE CTLSPEC EF n = 2 LTLSPEC G n = 0 LTLSPEC F n = 2 \
               CTLSPEC EG n = 0";
    let found = asked(&program("", all));
    assert_eq!(found, "1: true, 2: false, 3: true, 4: true, 5: false, 6: false, 7: true");
    let found = asked(&program("JUSTICE n = 0", all));
    assert_eq!(found, "1: true, 2: false, 3: true, 4: false, 5: true, 6: false, 7: true");
    // No fair path: everything holds, and it is said.
    let (_folder, path) =
        written(&program("JUSTICE n = 3", "CTLSPEC FALSE CTLSPEC EX TRUE LTLSPEC FALSE INVARSPEC n = 0"));
    let (found, said) = verdicts(&path);
    assert_eq!(found, "1: true, 2: true, 3: true, 4: false");
    assert!(said.contains("no fair path begins"), "{said}");
    // Compassion counts in LTL alone.
    let pair = "COMPASSION (n = 0, n = 2)";
    let found = asked(&program(pair, "LTLSPEC F n = 2 CTLSPEC AF n = 2"));
    assert_eq!(found, "1: true, 2: false");
}

/// Whose turn it is matters also where `TRANS` says that few variables change at a time.
#[test]
fn turns_count_beside_alternatives() {
    let program = |trans: &str| {
        format!(
            "MODULE main VAR a : boolean; b : boolean; c : boolean; p : process m(a); q : process m(b); \
             ASSIGN init(a) := FALSE; init(b) := FALSE; init(c) := FALSE; TRANS {trans} LTLSPEC F p.running LTLSPEC G !p.running \
             LTLSPEC G !q.running LTLSPEC G !a LTLSPEC G !b CTLSPEC EF (a & b) \
             MODULE m(x) ASSIGN next(x) := !x;"
        )
    };
    for trans in [
        "(next(a) = a & next(c) = c) | (next(b) = b & next(c) = c)",
        "count(next(a) != a, next(b) != b, next(c) != c) <= 1",
    ] {
        assert_eq!(asked(&program(trans)), "1: false, 2: false, 3: false, 4: false, 5: false, 6: true", "{trans}");
    }
}

/// Alternatives of one module share a name, so that a run says which of them it takes.
#[test]
fn runs_take_the_alternatives_that_they_say() {
    let questions = "INVARSPEC !a INVARSPEC !b CTLSPEC AG !(a & b) CTLSPEC AX a CTLSPEC AX b LTLSPEC G !b LTLSPEC F (a & b) CTLSPEC EX b CTLSPEC EF (b & !a)";
    for trans in [
        "(next(b) = b & next(a) != a) | (next(a) = a & next(b) != b)",
        "count(next(a) != a, next(b) != b) = 1",
        "(next(a) = a & next(b) != b) | (next(b) = b & next(a) != a) | (next(a) = a & next(b) = b)",
    ] {
        let program = format!("MODULE main VAR a : boolean; b : boolean; INIT !a & !b TRANS {trans} {questions}");
        let (_folder, path) = written(&program);
        for engine in ["auto", "symbolic", "explicit"] {
            let (out, err, status) = run(starset().arg("check").arg(&path).args(["--witness", "--engine", engine]));
            let plain = run(starset().arg("check").arg(&path).args(["--engine", engine]));
            let verdicts: Vec<&str> = out.lines().filter(|line| plain.0.lines().any(|one| one == *line)).collect();
            assert!(
                status == 0 && verdicts.len() == 9 && !err.contains("does not replay"),
                "{trans} {engine}: {out}{err}"
            );
            let said = run(starset().arg("check").arg(&path).args(["--trace", "nusmv", "--engine", engine]));
            assert_eq!(said.2, 0, "{trans} {engine}: {}", said.1);
        }
    }
}

/// A condition on fair paths that simplification takes away is one of the question all the same: a way to a state does not
/// show that no fair path is otherwise.
#[test]
fn runs_under_conditions_that_always_hold_are_fair() {
    let questions = "CTLSPEC AG !x CTLSPEC EF !x LTLSPEC G x LTLSPEC F !x CTLSPEC AX x INVARSPEC x";
    for justice in ["x = x", "TRUE", "x -> x", "x | !x"] {
        let program = format!("MODULE main VAR x : boolean; ASSIGN init(x) := TRUE; JUSTICE {justice}; {questions}");
        let (_folder, path) = written(&program);
        for engine in ["auto", "symbolic", "explicit"] {
            let (out, err, status) = run(starset().arg("check").arg(&path).args(["--witness", "--engine", engine]));
            // They come as they become known.
            let mut verdicts: Vec<&str> =
                out.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())).collect();
            verdicts.sort_unstable();
            let expected = ["1: false", "2: true", "3: false", "4: false", "5: false", "6: false"];
            assert_eq!((&verdicts[..], status), (&expected[..], 0), "{justice} {engine}: {out}{err}");
        }
    }
}

/// Properties of instances have one name: their certificates are in files of their own, and flat programs tell them apart.
#[test]
fn properties_of_instances_have_one_name() {
    let program = "MODULE s(p) VAR x : boolean; INVARSPEC NAME sp := x | p MODULE main VAR a : s(TRUE); b : s(FALSE);";
    let (folder, path) = written(program);
    let into = folder.path().join("certificates");
    let (out, err, status) = run(starset().arg("certify").arg(&path).arg("--folder").arg(&into));
    assert_eq!((out.matches("sp.cert").count(), out.matches("sp-2.cert").count(), status), (1, 1, 0), "{out}{err}");
    assert!(into.join("sp.cert").is_file() && into.join("sp-2.cert").is_file());
    let flat = starset_smv::read(program, false).unwrap().flat();
    assert!(flat.contains("NAME sp :=") && flat.contains("NAME sp_2 :="), "{flat}");
    assert_eq!(starset_smv::read(&flat, false).unwrap().flat(), flat);
}

/// As NuSMV 2.6 answers: an invariant that mentions an input or a next value, in a definition or without effect, is one of
/// steps, of which there is none here.
#[test]
fn invariants_that_mention_steps_are_about_steps() {
    let program = "MODULE main VAR v : boolean; IVAR j : boolean; a : array 0..1 of boolean; INIT v; TRANS FALSE;
                   DEFINE f := FALSE; none := f & j; later := next(v); both := none | f; ";
    let steps = [
        "j & FALSE",
        "f & j",
        "none",
        "both",
        "(j & !j)",
        "(f ? j : FALSE)",
        "(j != j)",
        "(FALSE & next(v))",
        "(later & f)",
        "(a[0] & f)",
        "case FALSE : j; TRUE : FALSE; esac",
    ];
    let mut questions: Vec<(String, bool)> = steps.iter().map(|text| (format!("!v | {text}"), true)).collect();
    questions.extend([("!v".to_owned(), false), ("!v | f".to_owned(), false), ("FALSE".to_owned(), false)]);
    // A definition is read once, and mentions steps as often as it is used.
    questions.push(("!v | none".to_owned(), true));
    let text: String = questions.iter().map(|(text, _)| format!("INVARSPEC {text}\n")).collect();
    let expected: Vec<String> =
        (1..).zip(&questions).map(|(number, (_, holds))| format!("{number}: {holds}")).collect();
    assert_eq!(asked(&format!("{program}{text}")), expected.join(", "));
}

/// As NuSMV 2.6 answers: the next value of what is frozen is no step, of which there is none here.
#[test]
fn next_values_of_what_is_frozen_are_its_values() {
    let program = "MODULE main FROZENVAR w : 0..3; VAR e : boolean; n : 0..3; INIT w = 3 & !e TRANS e & next(e)
        DEFINE later := next(w);
        INVARSPEC next(w) = 1 INVARSPEC next(n) = 1 INVARSPEC w = 1 & next(w) = 3 INVARSPEC later = 3
        INVARSPEC e & later = 1 INVARSPEC next(e) | later = 1";
    assert_eq!(asked(program), "1: false, 2: true, 3: false, 4: true, 5: false, 6: true");
}

/// As NuSMV 2.6 answers: a variable with one value is a constant, which is neither a step nor an input.
#[test]
fn variables_with_one_value_are_constants() {
    let program = "MODULE main VAR x : 0..1; f : {3}; s : {one}; IVAR i : 1..1; ASSIGN init(x) := 0; TRANS FALSE
        DEFINE later := next(f);
        INVARSPEC next(f) < 3 INVARSPEC i = 2 INVARSPEC later = 3 INVARSPEC next(s) = one & x = 0 INVARSPEC next(x) = 1
        CTLSPEC i = 1 & x = 0";
    assert_eq!(asked(program), "1: false, 2: false, 3: true, 4: true, 5: true, 6: true");
    assert_eq!(asked("MODULE main IVAR i : 1..1; VAR x : boolean; INVAR x = (i = 1) CTLSPEC i = 1 & x"), "1: true");
    let (_folder, path) = written("MODULE main VAR f : {3}; ASSIGN init(f) := 3;");
    let (_, err, status) = states(&path, &[]);
    assert!(status == 2 && err.contains("what has one value alone is a constant"), "{err}");
}

/// The greatest number of a variable is a number, wherever its values begin.
#[test]
fn bounds_are_numbers_of_the_program() {
    let (_folder, path) = written(
        "MODULE main VAR x : -3..2; n : 0..3; s : {one, two}; ASSIGN init(x) := -3; init(n) := 0; init(s) := one;
         next(x) := case x < 2 : x + 1; TRUE : x; esac; next(n) := case n < 2 : n + 1; TRUE : n; esac;",
    );
    for engine in ["symbolic", "explicit"] {
        let formulas = ["bounds(x) = 2", "bounds(x) = 5", "bounds(x, n) = 4", "AG bounds(x) >= x"];
        let mut check = starset();
        check.arg("check").arg(&path).args(["--engine", engine]);
        for formula in formulas {
            check.args(["-f", formula]);
        }
        let (out, err, _) = run(&mut check);
        assert_eq!(out, "1: true\n2: false\n3: true\n4: true\n", "{engine}: {err}");
        let (out, err, status) = run(starset().arg("states").arg(&path).args(["--each", "bound", "--engine", engine]));
        assert_eq!((out.as_str(), status), ("bound n: 2\n", 0), "{err}");
    }
}

/// As NuSMV 2.6 answers: what is asked about a past that is too short does not hold.
#[test]
fn bounds_of_the_past_need_a_past() {
    let program = "MODULE main VAR n : 0..6; ASSIGN init(n) := 0; next(n) := n < 6 ? n + 1 : n; ";
    let questions = "LTLSPEC H [0,0] n = 0 LTLSPEC H [1,1] TRUE LTLSPEC G (n = 2 -> H [1,3] TRUE) \
                     LTLSPEC G (n = 3 -> H [1,3] TRUE) LTLSPEC G (n = 2 -> H [0,3] TRUE) LTLSPEC G (n = 4 -> H [1,3] n < 4) \
                     LTLSPEC G (n = 4 -> H [1,3] n < 3) LTLSPEC O [1,3] TRUE LTLSPEC G (n = 1 -> O [1,3] n = 0) \
                     LTLSPEC G (n = 4 -> O [1,3] n = 0)";
    let found = asked(&format!("{program}{questions}"));
    let expected = [true, false, false, true, false, true, false, false, true, false];
    let expected: Vec<String> = (1..).zip(expected).map(|(number, holds)| format!("{number}: {holds}")).collect();
    assert_eq!(found, expected.join(", "));
}

#[test]
fn inputs_are_asked_about() {
    let program = "MODULE main IVAR i : boolean; VAR n : 0..1; ASSIGN init(n) := 0; next(n) := i ? 1 : 0; ";
    let questions = "LTLSPEC G (i -> X n = 1) LTLSPEC G (i <-> X n = 1) LTLSPEC G i LTLSPEC i -> F (n = 1 & O n = 0) \
                     INVARSPEC i -> next(n) = 1 INVARSPEC i INVARSPEC next(n) >= n";
    let found = asked(&format!("{program}{questions}"));
    assert_eq!(found, "1: true, 2: true, 3: false, 4: true, 5: true, 6: false, 7: false");
    let found = asked(&format!("{program} JUSTICE i LTLSPEC F n = 1 CTLSPEC AF n = 1 CTLSPEC AG AF n = 0"));
    assert_eq!(found, "1: true, 2: true, 3: false");
}

/// Without fairness a process may wait for ever, or never run.
#[test]
fn processes_run_when_they_are_told_to() {
    let program = |fairness: &str| {
        format!(
            "MODULE main VAR p : process cell; q : process cell; LTLSPEC F p.x CTLSPEC AF p.x \
             LTLSPEC G (p.running & !p.x -> X p.x) LTLSPEC G F p.running \
             MODULE cell VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := TRUE; {fairness}"
        )
    };
    assert_eq!(asked(&program("")), "1: false, 2: false, 3: true, 4: false");
    assert_eq!(asked(&program("FAIRNESS running")), "1: true, 2: true, 3: true, 4: true");
}

#[test]
fn bounds_and_the_past() {
    let program = "MODULE main VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 7 ? n + 1 : 7; ";
    let questions = "CTLSPEC EBF 0..3 n = 3 CTLSPEC EBF 0..2 n = 3 CTLSPEC ABG 2..4 n in 2..4 CTLSPEC A [n < 3 BU 3..3 n = 3] \
        LTLSPEC F [3, 3] n = 3 LTLSPEC G [4, 9] n > 4 LTLSPEC G (n = 3 -> O [1, 2] n = 1) LTLSPEC Y TRUE LTLSPEC Z FALSE \
        LTLSPEC G (n > 0 -> (n > 0 S n = 1)) LTLSPEC G (n = 5 -> H n <= 5)";
    let found = asked(&format!("{program}{questions}"));
    let expected =
        "1: true, 2: false, 3: true, 4: true, 5: true, 6: false, 7: true, 8: false, 9: true, 10: true, 11: true";
    assert_eq!(found, expected);
}

#[test]
fn faults_name_file_line_and_remedy() {
    for (text, expected) in [
        ("MODULE main\nVAR x : boolean;\nINIT y", "program.smv:3:6: there is no `y`"),
        ("MODULE main\nVAR n : 0..3;\nASSIGN next(n) := n + 1;", "program.smv:3:"),
        ("MODULE main\nVAR n : 0..3;\nTRANS n / n = 1", "program.smv:3:7: a division by zero"),
        ("MODULE main\nVAR n : 0..3;\nDEFINE d := n / n;\nJUSTICE d = 1", "program.smv:4:"),
        ("MODULE main\nVAR r : real;", "program.smv:2:"),
        ("MODULE main\nVAR b : boolean;\nINIT FALSE", "has no initial state"),
    ] {
        let (_folder, path) = written(text);
        let (_, err, status) = states(&path, &[]);
        assert!(status == 2 && err.contains(expected), "{err}");
    }
    let (_folder, path) = written("MODULE main\nVAR n : 0..3;");
    for (formula, expected) in [
        ("INVARSPEC n / n = 1", "formula:1:1: in `n / n = 1`: a division by zero"),
        ("CTLSPEC EF m = 1", "formula:1:12: in `EF m = 1`: there is no `m`"),
    ] {
        let (_, err, status) = run(starset().arg("check").arg(&path).args(["-f", formula]));
        assert!(status == 2 && err.contains(expected), "{err}");
    }
    let text = "MODULE main VAR b : boolean; ASSIGN init(b) := FALSE; next(b) := case 1 : !b; esac; CTLSPEC AG EF b";
    let (_folder, path) = written(text);
    let (found, said) = verdicts(&path);
    assert_eq!(found, "1: true");
    assert!(said.contains("as before NuSMV 2.5"), "{said}");
    let (_folder, path) = written("MODULE main VAR b : boolean; COMPUTE MIN [b, F b]");
    let (_, err, status) = run(starset().arg("check").arg(&path));
    assert!(status == 2 && err.contains("use those of CTL"), "{err}");
}

/// Numbers of steps are answered where they stand, through states alone where fair paths begin.
#[test]
fn numbers_of_steps() {
    let program = |fairness: &str| {
        format!(
            "MODULE main VAR n : 0..4; INIT n = 0 TRANS case n = 0 : next(n) in {{1, 3}}; n < 3 : next(n) = n + 1; \
             n = 3 : next(n) in {{0, 4}}; TRUE : FALSE; esac {fairness} COMPUTE MIN [n = 0, n = 3]; CTLSPEC EF n = 3 \
             COMPUTE MAX [n = 0, n = 3] COMPUTE NAME gone := MIN [n = 0, n = 4] COMPUTE MAX [n = 0, n = 4] \
             COMPUTE MAX [n = 4, n = 0] COMPUTE MIN [EX n = 1, AX n = 2] COMPUTE MAX [n = 3, n = 0] \
             COMPUTE MAX [n = 0, n = 2]"
        )
    };
    for (fairness, expected) in [
        ("", "1: 1, 2: true, 3: 3, gone: infinite, 5: undefined, 6: undefined, 7: 1, 8: 1, 9: infinite"),
        ("JUSTICE n = 1", "1: 1, 2: true, 3: 3, gone: infinite, 5: undefined, 6: undefined, 7: 1, 8: 1, 9: infinite"),
        ("JUSTICE (n = 4) != FALSE", "1: infinite, 2: true, 3: 0, gone: infinite, 5: 0, 6: 0, 7: infinite, 8: 0, 9: 0"),
        ("JUSTICE n = 4", "1: infinite, 2: true, 3: 0, gone: infinite, 5: 0, 6: 0, 7: infinite, 8: 0, 9: 0"),
    ] {
        let (_folder, path) = written(&program(fairness));
        for engine in ["auto", "symbolic", "explicit"] {
            let (out, err, status) = run(starset().arg("check").arg(&path).args(["--engine", engine]));
            assert_eq!((out.trim().replace('\n', ", "), status), (expected.to_owned(), 0), "{fairness}: {err}");
        }
    }
    let (_folder, path) = written(&program(""));
    let (out, err, status) =
        run(starset().arg("check").arg(&path).args(["-f", "COMPUTE MAX [n = 0, n = 3]", "--json"]));
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((answer["bound"].as_str(), status), (Some("3"), 0), "{err}");
    assert_eq!(answer["written"], "MAX [ n = 0 , n = 3 ]");
}

/// Rings of cells that pass something on: under the order of the declaration the diagrams are too large.
#[test]
fn interleaving_is_recognised_in_conditions() {
    let cells = 24;
    let all = |part: &dyn Fn(usize) -> String| -> Vec<String> { (0..cells).map(part).collect() };
    let variables = all(&|at| format!("x{at} : 0..2;")).join(" ");
    let first = all(&|at| format!("x{at} = {}", usize::from(at == 0))).join(" & ");
    let rest = |but: [usize; 2]| -> String {
        let kept = (0..cells).filter(|at| !but.contains(at));
        kept.map(|at| format!(" & next(x{at}) = x{at}")).collect()
    };
    let moves = all(&|at| {
        let to = (at + 1) % cells;
        format!("(x{at} = 1 & x{to} = 0 & next(x{at}) = 2 & next(x{to}) = 1{})", rest([at, to]))
            + &format!("| (x{at} = 2 & next(x{at}) = 0{})", rest([at, at]))
    });
    let text = format!("MODULE main VAR {variables} INIT {first} TRANS {}", moves.join(" | "));
    let (_folder, path) = written(&text);
    // One cell has 1, which any others may have left behind as long as it does not meet them.
    let (found, err, _) = states(&path, &["--engine", "symbolic", "--time", "20"]);
    assert_eq!(found, (24_u64 << 23).to_string(), "{err}");
}

/// A model that lists some of its first states is left alone by whatever begins in single states, and not by diagrams.
#[test]
fn many_first_states_are_for_diagrams() {
    let bits: String = (0..13).map(|at| format!("b{at} : boolean; ")).collect();
    // All bits have a say in the last question.
    let all = (0..13).map(|at| format!("b{at}")).collect::<Vec<_>>().join(", ");
    let asked = format!("CTLSPEC b0 CTLSPEC EF b0 INVARSPEC b0 INVARSPEC count({all}) <= 12");
    let (_folder, path) = written(&format!("MODULE main VAR {bits} {asked}"));
    let (_, err, status) = states(&path, &["--engine", "explicit"]);
    assert!(status == 3 && err.contains("too many initial states"), "{status}: {err}");
    assert_eq!(states(&path, &[]).0, "8192");
    let (unknown, answers) =
        (("1: unknown\n2: unknown\n3: unknown\n4: unknown", 3), ("1: false\n2: true\n3: false\n4: false", 0));
    for (engine, expected) in [("explicit", unknown), ("auto", answers), ("symbolic", answers)] {
        let (out, err, status) = run(starset().arg("check").arg(&path).args(["--engine", engine, "--time", "5"]));
        assert_eq!((out.trim(), status), expected, "{engine}: {err}");
        let is_told = err.contains("1: its initial states are too many for a search from each; let diagrams take part");
        assert_eq!(is_told, engine == "explicit", "{engine}: {err}");
    }
}

/// Of more combinations than are tried one by one, diagrams list those that are first states, and all of them.
#[test]
fn first_states_that_are_hard_to_guess_are_listed() {
    let bits: Vec<String> = (0..18).map(|at| format!("b{at}")).collect();
    let each = |of: &dyn Fn(&String) -> String| bits.iter().map(of).collect::<String>();
    let (declared, kept) = (each(&|bit| format!("{bit} : boolean; ")), each(&|bit| format!("next({bit}) := {bit}; ")));
    let text = format!("MODULE main VAR {declared} INIT count({}) = 17 ASSIGN {kept}", bits.join(", "));
    let (_folder, path) = written(&text);
    assert_eq!(states(&path, &["--engine", "explicit"]).0, "18");
}

/// Small programs of `../shared/smv`: each number of states and each verdict is that of NuSMV, or is not given. A third
/// of them, by one engine or the other; with STARSET_SMV_ALL all.
#[test]
fn verdicts_are_those_of_nusmv() {
    let Some(folder) = shared("smv") else { return };
    let mut files: BTreeMap<String, Vec<BTreeMap<String, String>>> = BTreeMap::new();
    for row in table(&folder.join("expected.csv")) {
        files.entry(row["file"].clone()).or_default().push(row);
    }
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace() && !"()[]".contains(*c)).collect::<String>();
    let all = std::env::var_os("STARSET_SMV_ALL").is_some();
    let (mut right, mut counted, mut steps) = (0, 0, 0);
    for (number, (file, rows)) in files.into_iter().enumerate().filter(|(number, _)| all || number % 3 == 0) {
        let is_small = |row: &BTreeMap<String, String>| {
            row["seconds"].parse::<f64>().is_ok_and(|seconds| seconds <= 0.1)
                && row["reach"].parse::<f64>().is_ok_and(|states| states <= 500.0)
        };
        if !rows.iter().all(|row| is_small(row) && row["flags"].is_empty() && row["verdict"] != "refused") {
            continue;
        }
        let path = folder.join(&file);
        // Diagrams alone know numbers of steps.
        let by_sets = number % 2 == 0 || rows.iter().any(|row| row["kind"] == "Quantitative");
        let engine = if by_sets { "symbolic" } else { "explicit" };
        let (found, err, status) = states(&path, &["--engine", engine, "--time", "2"]);
        if status != 0 {
            assert!(status != 2 || err.contains("has no initial state"), "{file}: {err}");
            continue;
        }
        assert_eq!(found.parse::<f64>().unwrap(), rows[0]["reach"].parse::<f64>().unwrap(), "{file}");
        counted += 1;
        let (out, _, _) = run(starset().arg("check").arg(&path).args(["--engine", engine, "--time", "2", "--json"]));
        let mut answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        // A condition is asked of all states by INVARSPEC, and of the first ones by CTLSPEC.
        let is_invariant = |answer: &Value| {
            let starts = |field: &str, with: &str| answer[field].as_str().is_some_and(|text| text.starts_with(with));
            starts("formula", "A G") && !starts("written", "AG") && !starts("written", "G")
        };
        for row in rows.iter().filter(|row| row["origin"] == "file") {
            let is_it = |answer: &Value| {
                answer["written"].as_str().is_some_and(|text| bare(text) == bare(&row["text"]))
                    && is_invariant(answer) == (row["kind"] == "Invar")
            };
            let Some(at) = answers.iter().position(is_it) else { continue };
            if let Some(bound) = answers[at]["bound"].as_str() {
                assert_eq!(bound, row["verdict"].to_lowercase(), "{file}: {}", row["text"]);
                steps += 1;
                answers.remove(at);
                continue;
            }
            if let Some(verdict) = answers.remove(at)["verdict"].as_bool() {
                let expected = row["verdict"] == "True";
                assert_eq!(verdict, expected, "{file}: {}", row["text"]);
                right += 1;
            }
        }
    }
    assert!(counted > 20 && right > 60, "{counted} programs, {right} verdicts");
    assert!(steps >= 13 || !all, "{steps} numbers of steps");
    eprintln!("{counted} programs, {right} verdicts, {steps} numbers of steps");
}

/// Properties in the language of the program are asked as if they stood in its file, beside other formulas.
#[test]
fn formulas_may_be_in_the_words_of_the_program() {
    let ask = |formulas: &[&str]| {
        let mut command = starset();
        command.arg("check").arg(model("mutex.smv")).args(["--engine", "explicit", "--threads", "1"]);
        run(command.args(formulas.iter().flat_map(|formula| ["-f", formula])))
    };
    let (out, err, status) = ask(&[
        "CTLSPEC AG (a.place = waiting -> AF a.place = critical)",
        "AG (a.place = waiting -> AF a.place = critical)",
        "LTLSPEC G F b.running",
        "INVARSPEC a.place = critical -> a.wants",
    ]);
    assert_eq!((out.trim(), status), ("1: true\n2: false\n3: true\n4: true", 0), "{err}");
    let (_, err, status) = ask(&["CTLSPEC AG a.place = gone"]);
    assert!(status == 2 && err.contains("there is no `gone`"), "{err}");
    let (_, err, status) = ask(&["LTLSPEC AG TRUE"]);
    assert!(status == 2 && err.contains("write `CTLSPEC`"), "{err}");
}

/// Of several first states all count, and those alone where a fair path begins.
#[test]
fn all_first_states_are_asked() {
    let program = "MODULE main VAR n : 0..7; p : process step(n); MODULE step(n) \
        ASSIGN next(n) := n > 3 & n < 7 ? n + 1 : n; FAIRNESS running FAIRNESS n = 7 | n < 3 \
        CTLSPEC EF n = 7 CTLSPEC n > 3 -> AF n = 7 CTLSPEC AG (n = 7 -> AG n = 7) CTLSPEC n != 3 LTLSPEC F n = 7 \
        LTLSPEC n > 3 -> F n = 7 LTLSPEC n = 3 -> FALSE INVARSPEC n != 3 CTLSPEC n < 2 -> EG n < 2";
    let (_folder, path) = written(program);
    let expected = "1: false, 2: true, 3: true, 4: true, 5: false, 6: true, 7: true, 8: false, 9: true";
    for engine in ["explicit", "symbolic", "auto"] {
        let (out, err, status) =
            run(starset().arg("check").arg(&path).args(["--engine", engine, "--threads", "1", "--time", "60"]));
        assert_eq!((out.trim().replace('\n', ", "), status), (expected.to_owned(), 0), "{engine}: {err}");
    }
}

/// Values in files are those of the program, whatever ranges it has: another version of it has the same sets.
#[test]
fn sets_keep_values_in_other_ranges() {
    let folder = tempfile::tempdir().unwrap();
    let program = |name: &str, range: &str| {
        let path = folder.path().join(name);
        let text = format!("MODULE main VAR x : {range}; b : boolean; ASSIGN init(x) := {{-1, 2}}; next(x) := x;");
        std::fs::write(&path, text).unwrap();
        path
    };
    let programs = ["-1..2", "-4..3", "-1..100"].map(|range| (range, program(&format!("r{range}.smv"), range)));
    let file = |range: &str| folder.path().join(format!("{range}.set"));
    for (range, path) in &programs {
        let (_, err, status) = run(starset().arg("satset").arg(path).args(["-f", "x = 2", "--save"]).arg(file(range)));
        assert_eq!(status, 0, "{err}");
    }
    for ((range, path), (other, _)) in programs.iter().flat_map(|one| programs.iter().map(move |other| (one, other))) {
        let (out, err, _) = run(starset().args(["combine", "equal"]).arg(file(range)).arg(file(other)));
        assert_eq!(out, "equal: true\n", "{range} {other}: {err}");
        let (out, err, _) = run(starset().arg("satset").arg(path).args(["--list", "1", "--load"]).arg(file(other)));
        assert_eq!(out, "loaded: false, holds in 2 of 4 states\n  x = 2, b = FALSE\n", "{range} {other}: {err}");
    }
    let (_, err, status) = run(starset()
        .arg("satset")
        .arg(program("small.smv", "-1..2"))
        .args(["-f", "x = -1", "--save"])
        .arg(file("low")));
    assert_eq!(status, 0, "{err}");
    // Numbers of the one that the other does not have, on either side.
    let (wide, low) = (folder.path().join("wide.set"), file("low"));
    let (_, err, status) = run(starset().arg("satset").arg(&programs[1].1).args(["-f", "true", "--save"]).arg(&wide));
    assert_eq!(status, 0, "{err}");
    for (one, other) in [(&wide, &low), (&low, &wide)] {
        let (out, err, _) = run(starset().args(["combine", "union"]).arg(one).arg(other));
        assert!(out.starts_with("union: 4 "), "{out}{err}");
    }
    let above = "MODULE main VAR x : 2..3; b : boolean; ASSIGN init(x) := 2; next(x) := x;";
    std::fs::write(folder.path().join("above.smv"), above).unwrap();
    let (out, err, status) =
        run(starset().arg("satset").arg(folder.path().join("above.smv")).arg("--load").arg(file("low")));
    assert!(status == 2 && err.contains("not reachable"), "{out}{err}");
}

/// Questions about steps add variables, by which states are not told apart in counts, lists, and files of sets: a program has
/// the same states whatever is asked. In bits, too.
#[test]
fn what_steps_are_asked_adds_no_states() {
    for most in [3, 200] {
        let text = format!(
            "MODULE main VAR x : 0..{most}; IVAR i : boolean; \
             ASSIGN init(x) := 0; next(x) := i & x < 2 ? x + 1 : x;\n\
             INVARSPEC next(x) > x\nCTLSPEC EF x = 2\n"
        );
        let (folder, path) = written(&text);
        let asks = |more: &[&str]| run(starset().arg("satset").arg(&path).args(more));
        let steps = "INVARSPEC next(x) > x";
        let file = |name: &str| folder.path().join(name).display().to_string();
        let (out, err, _) = asks(&["-f", "CTLSPEC x < 2", "-f", steps, "--list", "9", "--save", &file("a.set")]);
        let expected = "1: true, holds in 2 of 3 states\n  x = 0\n  x = 1\n2: false, holds in 0 of 3 states\n";
        assert_eq!(out, expected, "{err}");
        assert!(!std::fs::read_to_string(file("a.set")).unwrap().contains("step"));
        let (out, err, _) = asks(&["--load", &file("a.set"), "-f", steps]);
        assert_eq!(out, "loaded: true, holds in 2 of 3 states\n1: false, holds in 0 of 3 states\n", "{err}");
        let (out, err, _) =
            asks(&["--set", &format!("a={}", file("a.set")), "-f", "%a", "-f", "%a & EF (x = 2)", "-f", steps]);
        let two = "true, holds in 2 of 3 states";
        assert_eq!(out, format!("1: {two}\n2: {two}\n3: false, holds in 0 of 3 states\n"), "{err}");
        let (out, err, _) = run(starset().arg("check").arg(&path).arg("--json"));
        let reachable = |line: &str| serde_json::from_str::<Value>(line).unwrap()["reachable"].clone();
        assert!(out.lines().all(|line| reachable(line) == "3"), "{out}{err}");
    }
}
