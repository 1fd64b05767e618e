//! Certificates about the conditions of programs, written by hand: what is proved, and what each condition is there for.
#![allow(clippy::unwrap_used)]

use starset_checker::{Checksum, Net, Refused, Subject, check, with_stack};

fn sum(text: &str) -> u64 {
    let mut sum = Checksum::default();
    sum.add(text.as_bytes());
    sum.0
}

/// A certificate about the conditions of a program.
fn certificate(program: &str, formula: &str, verdict: bool, sets: &str) -> String {
    let mut text = format!(
        "starset-certificate 1\nmodel p\nprogram {:016x}\npaths maximal\nformula {formula}\nverdict {verdict}\n{sets}\n",
        sum(program)
    );
    text.push_str(&format!("check {:016x}\nend\n", sum(&text)));
    text
}

/// What is said of it.
fn answer(program: &str, formula: &str, verdict: bool, sets: &str) -> Result<bool, String> {
    let text = certificate(program, formula, verdict, sets);
    let found = with_stack(|| check(program, &text)).and_then(|found| found);
    found.map(|proved| proved.verdict).map_err(|Refused(why)| why)
}

/// One level, `n`, with ranks, and a claim about formula 3.
fn claim(kind: &str, ranks: &str) -> String {
    let set = if kind == "all" { "set 0 0" } else { "set 0 0 0" };
    format!("levels 1\nlevel 0 n\nlayer 1\n{ranks}\nclaim 3 {kind}\n{set}")
}

#[track_caller]
fn refused(program: &str, formula: &str, sets: &str, why: &str) {
    let found = answer(program, formula, true, sets);
    assert!(found.as_ref().is_err_and(|found| found.contains(why)), "{found:?}");
}

const COUNTER: &str = "MODULE main VAR n : 0..5; m : boolean; ASSIGN init(n) := 0;
    next(n) := case n < 3 : n + 1; TRUE : 0; esac; DEFINE low := n < 4;";

#[test]
fn sets_are_kept_by_steps() {
    let always = "A (G (#n <= 3))";
    assert_eq!(answer(COUNTER, always, true, &claim("all", "0:0 1:0 2:0 3:0")), Ok(true));
    assert_eq!(answer(COUNTER, "A (G (#low = TRUE))", true, &claim("all", "0:0 1:0 2:0 3:0")), Ok(true));
    refused(COUNTER, always, &claim("all", "0:0 1:0 2:0"), "out of the sets");
    // 4 is not reachable, but it is in the set.
    refused(COUNTER, always, &claim("all", "0:0 1:0 2:0 3:0 4:0"), "out of the sets");
    refused(COUNTER, always, &claim("all", "1:0 2:0 3:0"), "out of the sets");
    // Several first states: of `m` nothing is said.
    let other = COUNTER.replace("init(n) := 0", "init(n) := {0, 4}");
    refused(&other, always, &claim("all", "0:0 1:0 2:0 3:0"), "do not imply");
    assert_eq!(answer(&other, "E (F (#n = 4))", true, "levels 0"), Err("the claims do not imply the verdict".into()));
    assert_eq!(answer(&other, "(#n = 4)", false, "levels 0"), Ok(false));
    refused(&other, "(#n = 4)", "levels 0", "do not imply");
}

#[test]
fn sets_of_earlier_certificates_change_no_answer() {
    let sets = ["0:0 1:0 2:0 3:0", "0:0 1:0 2:0", "0:0 1:0 2:0 3:0 4:0", "0:7 1:5 2:1 3:0", "0:3 1:3 2:3 3:3"];
    let formulas = ["A (G (#n <= 3))", "A (G (#n <= 2))", "A (G (#low = TRUE))", "A (F (#n = 3))"];
    let all = formulas.iter().flat_map(|&formula| sets.map(|ranks| (formula, claim("all", ranks))));
    let texts: Vec<String> = all.map(|(formula, sets)| certificate(COUNTER, formula, true, &sets)).collect();
    let alone: Vec<_> = texts.iter().map(|text| with_stack(|| check(COUNTER, text)).and_then(|found| found)).collect();
    let accepted: Vec<usize> = (0..texts.len()).filter(|&number| alone[number].is_ok()).collect();
    assert_eq!(accepted.len(), 3, "{alone:?}");
    let subject = Subject::new(COUNTER);
    let checked = |number: usize| {
        let found = with_stack(|| subject.check(&texts[number])).and_then(|found| found);
        assert_eq!(found, alone[number], "{}", texts[number]);
    };
    // Refused ones leave nothing behind.
    for number in 0..texts.len() {
        accepted.iter().for_each(|&before| checked(before));
        checked(number);
    }
}

#[test]
fn ranks_go_down() {
    let (some, all) = ("E (F (#n = 3))", "A (F (#n = 3))");
    for (kind, formula) in [("some", some), ("all", all)] {
        assert_eq!(answer(COUNTER, formula, true, &claim(kind, "0:7 1:5 2:1 3:0")), Ok(true), "{formula}");
        assert!(answer(COUNTER, formula, true, &claim(kind, "0:1 1:2 2:1 3:0")).is_err(), "{formula}");
        assert!(answer(COUNTER, formula, true, &claim(kind, "0:2 1:2 2:1 3:0")).is_err(), "{formula}");
        assert!(answer(COUNTER, formula, true, &claim(kind, "0:3 2:1 3:0")).is_err(), "{formula}");
    }
    // Where an input decides, some path comes to 3, and not all do.
    let chosen = COUNTER.replace("VAR n", "IVAR i : boolean; VAR n").replace("n < 3 :", "n < 3 & i :");
    assert_eq!(answer(&chosen, some, true, &claim("some", "0:3 1:2 2:1 3:0")), Ok(true));
    refused(&chosen, all, &claim("all", "0:3 1:2 2:1 3:0"), "out of the sets");
}

#[test]
fn deadlocks_repeat() {
    let ends = "MODULE main VAR n : 0..2; INIT n = 0; TRANS next(n) = n + 1;";
    assert_eq!(answer(ends, "E (G (#n <= 2))", true, &claim("some", "0:0 1:0 2:0")), Ok(true));
    refused(ends, "E (G (#n <= 2))", &claim("some", "0:0 1:0"), "claim E");
    assert_eq!(answer(ends, "A (F (#n = 2))", true, &claim("all", "0:2 1:1 2:0")), Ok(true));
    let stays = answer(ends, "A (F (#n = 3))", true, &claim("all", "0:2 1:1 2:0"));
    assert!(stays.is_err_and(|why| why.contains("a deadlock")));
    let dead = "levels 1\nlevel 0 n\nlayer 1\n0:2 1:1 2:0\nclaim 3 all\nset 0 0";
    assert_eq!(answer(ends, "A (F deadlock)", true, dead), Ok(true));
    // With a step in 2 as well it is no deadlock.
    let stays = ends.replace("next(n) = n + 1", "next(n) = n + 1 | n = 2 & next(n) = 2");
    assert!(answer(&stays, "A (F deadlock)", true, dead).is_err());
}

#[test]
fn what_has_no_value_is_refused() {
    let sets = claim("all", "0:0 1:0 2:0 3:0");
    for (was, is, why) in [
        ("n < 3 : n + 1", "n < 6 : n + 1", "outside of its domain"),
        ("TRUE : 0;", "n > 4 : 0;", "no guard"),
        ("n < 3 :", "6 / n < 3 :", "no value"),
        ("n < 3 :", "n :", "no truth value"),
        ("init(n) := 0;", "init(n) := {0, 6};", "outside of its domain"),
        ("next(n) := ", "n := n; next(n) := ", "assigned twice"),
        ("DEFINE low", "INVAR n > 5; DEFINE low", "no first state"),
    ] {
        refused(&COUNTER.replace(was, is), "A (G (#n <= 3))", &sets, why);
    }
    // Where a guard is in the way, nothing is wrong.
    let guarded = COUNTER.replace("n < 3 :", "n > 0 & 6 / n < 2 : 0; n < 3 :");
    assert_eq!(answer(&guarded, "A (G (#n <= 3))", true, &sets), Ok(true));
    // The certificate is about no program at all.
    let other = with_stack(|| check("<pnml/>", "starset-certificate 1\nmodel p\nprogram 0\n")).and_then(|found| found);
    assert!(other.is_err_and(|Refused(why)| why.contains("no program of SMV")));
}

/// As conditions they would be those of other programs: INVAR would hold of the inputs of the step that is looked at.
#[test]
fn what_is_said_of_states_speaks_of_states() {
    let sets = "levels 1\nlevel 0 x\nlayer 1\n0:0\nclaim 3 all\nset 0 0";
    let (states, input) = ("speaks of inputs or of next values", "the next value of an input");
    for (program, why) in [
        ("IVAR i : boolean; INIT !x; INVAR i; TRANS next(x) = !i;", states),
        ("IVAR i : boolean; INIT !x; DEFINE d := i; INVAR d; TRANS next(x) = !i;", states),
        ("IVAR i : boolean; INIT !i & x = i; TRANS next(x) = x;", states),
        ("INIT !x; INVAR !next(x);", states),
        ("INIT !x & !next(x); TRANS next(x) = x;", states),
        ("VAR y : boolean; ASSIGN y := next(x); init(x) := FALSE; next(x) := FALSE;", states),
        ("IVAR i : boolean; ASSIGN init(x) := i & !i; next(x) := FALSE;", states),
        ("IVAR i : boolean; INIT !x; TRANS next(i) & !next(x);", input),
        ("IVAR i : boolean; ASSIGN init(x) := FALSE; next(x) := next(i) & !next(i);", input),
    ] {
        refused(&format!("MODULE main VAR x : boolean; {program}"), "A (G (#x = FALSE))", sets, why);
    }
    let inputs = "MODULE main VAR x : boolean; IVAR i : boolean; INIT !x; TRANS next(x) = (i & !i);";
    assert_eq!(answer(inputs, "A (G (#x = FALSE))", true, sets), Ok(true));
}

/// Values of all kinds, codes that no value needs, frozen variables and invariants.
#[test]
fn values_are_those_of_the_program() {
    let program = "MODULE main FROZENVAR k : 1..3; VAR e : {a, 7, b}; w : unsigned word[3]; s : signed word[2];
        ASSIGN init(w) := 0ud3_5; next(w) := w + 0ud3_3; init(e) := a; next(e) := case w[0:0] = 0ud1_1 : {7, e}; TRUE : a; esac;
          s := signed(w[1:0]); INIT k != 2; INVAR k + 1 != 3; TRANS next(e) != b;";
    let sets = |pairs: &str| format!("levels 1\nlevel 0 e\nlayer 1\n{pairs}\nclaim 3 all\nset 0 0");
    assert_eq!(answer(program, "A (G (#e != b))", true, &sets("0:0 1:0")), Ok(true));
    refused(program, "A (G (#e = a))", &sets("0:0 1:0"), "out of the sets");
    let sets = |pairs: &str| format!("levels 1\nlevel 0 k\nlayer 1\n{pairs}\nclaim 3 all\nset 0 0");
    assert_eq!(answer(program, "A (G (#k != 2))", true, &sets("1:0 3:0")), Ok(true));
    refused(program, "A (G (#k != 3))", &sets("1:0 3:0"), "out of the sets");
    // The word goes 5, 0, 3, 6, 1, 4, 7, 2; the number beside it is its two low bits with a sign.
    let sets = "levels 1\nlevel 0 w\nlayer 1\n0:6 1:3 2:0 3:5 4:2 5:7 6:4 7:1\nclaim 3 all\nset 0 0";
    assert_eq!(answer(program, "A (F (#w = 0ud3_2))", true, sets), Ok(true));
    assert!(answer(program, "A (F (#w = 0ud3_2))", true, &sets.replace("6:4", "6:5")).is_err());
}

/// Definitions may be levels, below and above variables that they are about.
#[test]
fn definitions_are_levels() {
    let program = "MODULE main VAR n : 0..3; k : 0..3; ASSIGN init(n) := 0; next(n) := n < 2 ? n + 1 : n; init(k) := 0;
        next(k) := n; DEFINE big := n > 1;";
    let formula = "E (F (#k = 2))";
    // n, k: 0 0, 1 0, 2 1, 2 2.
    let below = "levels 3\nlevel 0 n\nlevel 0 big\nlevel 0 k\nlayer 3\n0:3\n0:2\n1:1 2:0\nlayer 3\n0:0\n0:1\n1:2\nlayer 1\n\
                 0:0 1:1 2:2\nclaim 3 some\nset 0 0 0";
    let above = "levels 3\nlevel 0 big\nlevel 0 k\nlevel 0 n\nlayer 3\n0:3 1:2\n2:1\n2:0\nlayer 2\n0:0\n1:1 2:2\nlayer 1\n\
                 0:0 1:1\nclaim 3 some\nset 0 0 0";
    for sets in [below, above] {
        assert_eq!(answer(program, formula, true, sets), Ok(true));
        assert!(answer(program, formula, true, &sets.replace("0:3", "0:2")).is_err());
    }
    refused(program, "E (F (#k = 3))", below, "claim E");
}

/// Where states are listed, places that have other values in each are enough for paths to follow.
#[test]
fn states_are_told_apart_by_levels() {
    let alike = "MODULE main VAR n : 0..2; k : 0..2; ASSIGN init(n) := 0; next(n) := n < 2 ? n + 1 : n; k := n;";
    let found = |program: &str, formula: &str, sets: &str| {
        let net = with_stack(|| Net::read(program).map(|net| net.hash())).and_then(|hash| hash);
        let net = net.map_err(|Refused(why)| why)?;
        let text = format!(
            "starset-certificate 1\nmodel p\nnet {net:016x}\npaths maximal\nformula {formula}\nverdict true\n{sets}\n"
        );
        let text = format!("{text}check {:016x}\nend\n", sum(&text));
        with_stack(|| check(program, &text)).and_then(|found| found).map_err(|Refused(why)| why)
    };
    let (to_two, stays) = (claim("some", "0:2 1:1 2:0"), claim("some", "0:0 1:0"));
    assert!(found(alike, "E (F (#n = 2))", &to_two).is_ok());
    assert!(found(alike, "E (G (#n <= 2))", &claim("some", "2:0")).is_err_and(|why| why.contains("do not imply")));
    assert!(found(alike, "E (G (#n <= 1))", &stays).is_err_and(|why| why.contains("claim E")));
    assert!(found(alike, "E (F (#k = 2))", &to_two).is_err(), "nothing is known of another place");
    assert!(found(alike, "A (F (#n = 2))", &claim("all", "0:2 1:1 2:0")).is_ok());
    // Of several states with one value none is sure to have the steps of another.
    let free = alike.replace("k := n;", "init(k) := 0;");
    assert!(found(&free, "E (F (#n = 2))", &to_two).is_err_and(|why| why.contains("claim E")));
    assert!(found(&free, "A (F (#n = 2))", &claim("all", "0:2 1:1 2:0")).is_err_and(|why| why.contains("a deadlock")));
    assert!(found(&free, "A (G (#n <= 2))", &claim("all", "0:0 1:0 2:0")).is_ok());
}

/// Where states are listed a step is one of its own state, whatever else has the values that it changes.
#[test]
fn steps_of_listed_states_begin_there() {
    let program = "MODULE main VAR n : 0..2; x : boolean; ASSIGN init(n) := 0; next(n) := n < 2 ? n + 1 : n;
        init(x) := FALSE; next(x) := n = 2 | x;";
    let net = with_stack(|| Net::read(program)).unwrap().unwrap();
    assert_eq!(net.steps.len(), 4);
    for step in &net.steps {
        let possible = net.by_state.keys().filter(|state| net.enabled(step, state));
        assert_eq!(possible.count(), 1);
        assert_eq!(net.by_state.keys().filter(|state| net.fire(step, state).is_some()).count(), 1);
    }
    let found = |fired: &[usize]| {
        let fired: String = fired.iter().map(|step| format!("fire {step} main\n")).collect();
        let text = format!(
            "starset-certificate 1\nmodel p\nnet {:016x}\npaths maximal\nformula E (F (#x = TRUE))\nverdict true\n\
             levels 0\nclaim 3 run\n{fired}then anything\n",
            net.hash()
        );
        let text = format!("{text}check {:016x}\nend\n", sum(&text));
        with_stack(|| check(program, &text)).and_then(|found| found).map_err(|Refused(why)| why)
    };
    assert!(found(&[0, 1, 2]).is_ok());
    // That it changes `x` alone does not mean that it may be taken wherever `x` is false.
    assert_eq!(found(&[2]), Err("a run fires what is not possible".to_owned()));
    assert_eq!(found(&[0, 2]), Err("a run fires what is not possible".to_owned()));
}

/// A product of two words is no small diagram: the check ends before it has taken what no machine has.
#[test]
fn large_conditions_are_refused() {
    let program = "MODULE main VAR v : word[16]; w : word[16]; ASSIGN next(v) := v * w;";
    refused(program, "A (G (#v >= 0))", "levels 0", "than files of this size may ask for");
    // A short text may declare many values.
    let many: String = (0..100).map(|number| format!("v{number} : word[16]; ")).collect();
    refused(
        &format!("MODULE main VAR {many}"),
        "A (G (#v0 >= 0))",
        "levels 0",
        "the check takes more memory than files",
    );
}
