//! What programs are read, and what they mean: each case is a rule of the language, with the value that NuSMV 2.6
//! gives.

use starset_smv::{Latches, Limits, Memory, Model, Stage, System, Term, Value, read, read_with};
use std::collections::HashSet;

const LIMITS: Limits = Limits { solutions: 10_000, trials: 1_000_000 };

fn model(text: &str) -> Model {
    read(text, false).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

/// All reachable states, and the number of steps between them.
fn explored(model: &mut Model) -> (HashSet<Vec<Value>>, usize) {
    let system = System::new(model);
    let first = system.first_states(model, LIMITS).expect("first states");
    assert!(first.complete);
    let mut seen: HashSet<Vec<Value>> = first.all.iter().cloned().collect();
    let (mut open, mut steps, mut memory) = (first.all, 0, Memory::default());
    let slot = |variable: &usize| system.state().iter().position(|other| other == variable).expect("of a state");
    while let Some(state) = open.pop() {
        for (number, event) in system.events().iter().enumerate() {
            let values = event.reads.iter().map(|variable| state[slot(variable)]);
            let found = system.steps(model, &mut memory, number, values, LIMITS).expect("steps");
            assert!(found.complete);
            for step in found.all {
                steps += 1;
                let mut next = state.clone();
                event.writes.iter().zip(step).for_each(|(variable, value)| next[slot(variable)] = value);
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    (seen, steps)
}

fn states(text: &str) -> usize {
    explored(&mut model(text)).0.len()
}

/// The stage and the line of the first fault.
fn fault(text: &str) -> (Stage, u32) {
    match read(text, false) {
        Ok(_) => panic!("this is read: {text}"),
        Err(fault) => (fault.stage, fault.place.line),
    }
}

/// Is a condition without variables true?
fn is_true(condition: &str) -> bool {
    states(&format!("MODULE main VAR any : boolean; INIT {condition}")) == 2
}

#[test]
fn values_are_those_of_nusmv() {
    for condition in [
        "-7 / 2 = -3 & -7 mod 2 = -1 & 7 mod -2 = 1",
        "2147483647 + 1 < 0 & 1000000 * 4000 < 0",
        "1 + 3 mod 2 = 2 & 2 * 3 + 1 = 7 & 7 - 2 - 1 = 4",
        "0ud4_15 + 0ud4_1 = 0ud4_0 & 0ud4_0 - 0ud4_1 = 0ud4_15",
        "0sd4_8 = -0sd4_8 & -0sd4_8 / -0sd4_1 = -0sd4_8 & -0sd4_7 mod 0sd4_2 = -0sd4_1",
        "resize(-0sd4_7, 3) = -0sd3_3 & resize(0ud4_9, 3) = 0ud3_1",
        "extend(-0sd3_1, 1) = -0sd4_1 & extend(0ud3_7, 1) = 0ud4_7",
        "0ud4_9[3:2] = 0ud2_2 & 0ud2_2 :: 0ud2_1 = 0ud4_9",
        "-0sd4_8 >> 1 = -0sd4_4 & 0ud4_8 >> 4 = 0ud4_0 & 0ud4_3 << 3 = 0ud4_8",
        "!({1, 4} in {1, 2, 3}) & {1, 2} in {1, 2, 3} & 3 in 2..4",
        "count(TRUE, FALSE, TRUE) = 2 & toint(0ud4_9) = 9 & toint(TRUE) = 1 & bool(2)",
        "case TRUE : 1; TRUE : 2; esac = 1 & (FALSE ? 1 : 2) = 2",
        "unsigned(-0sd4_1) = 0ud4_15 & word1(TRUE) = 0ub1_1 & max(2, 3) = 3 & abs(-2) = 2",
        "(TRUE xor TRUE) = FALSE & (TRUE xnor TRUE) & (FALSE -> FALSE)",
    ] {
        assert!(is_true(condition), "{condition}");
        assert!(!is_true(&format!("!({condition})")), "{condition}");
    }
}

/// Terms are kept once: what is grouped alike is the same term.
#[test]
fn operators_bind_as_in_nusmv() {
    let formula = |kind: &str, text: &str| -> (Model, Term) {
        let variables = "VAR a : boolean; b : boolean; c : boolean; n : 0..3;";
        let model = model(&format!("MODULE main {variables} {kind} {text}"));
        let term = model.properties[0].formula;
        (model, term)
    };
    for (kind, loose, tight) in [
        ("CTLSPEC", "AG a -> b", "(AG a) -> b"),
        ("CTLSPEC", "EF a & b", "(EF a) & b"),
        ("CTLSPEC", "AG a = b", "AG (a = b)"),
        ("CTLSPEC", "AG !a & E [a U b | c]", "(AG (!a)) & E [a U (b | c)]"),
        ("LTLSPEC", "F a & b", "(F a) & b"),
        ("LTLSPEC", "a & b U c", "a & (b U c)"),
        ("LTLSPEC", "a U b | c", "(a U b) | c"),
        ("LTLSPEC", "a U b U c", "(a U b) U c"),
        ("PSLSPEC", "always a -> next (b until c)", "(G a) -> X (c V (b | c))"),
        ("PSLSPEC", "never (a until! b)", "G !(a U b)"),
        ("LTLSPEC", "G a -> F b <-> c", "(G a) -> ((F b) <-> c)"),
        ("INVARSPEC", "a <-> b -> c", "(a <-> b) -> c"),
        ("INVARSPEC", "a -> b <-> c", "a -> (b <-> c)"),
        ("INVARSPEC", "a | b xor c", "(a | b) xor c"),
        ("INVARSPEC", "a -> b -> c", "a -> (b -> c)"),
        ("INVARSPEC", "n + 1 mod 2 = 1", "(n + (1 mod 2)) = 1"),
        ("INVARSPEC", "n in {1} union {2}", "n in ({1} union {2})"),
    ] {
        let ((first, one), (second, other)) = (formula(kind, loose), formula(kind, tight));
        assert_eq!(first.terms.node(one), second.terms.node(other), "{loose}");
    }
    assert_eq!(fault("MODULE main VAR n : 0..3;\nINIT !n = 2"), (Stage::Types, 2));
    assert_eq!(fault("MODULE main VAR x : 0..3;\nINIT x-1 = 2"), (Stage::Names, 2));
}

#[test]
fn faults_have_a_stage_and_a_line() {
    let main = |text: &str| format!("MODULE main\nVAR b : boolean; n : 0..3;\nIVAR i : boolean;\n{text}");
    for (text, stage) in [
        ("ASSIGN init(b) := 0;", Stage::Types),
        ("INIT n = TRUE", Stage::Types),
        ("INIT b < TRUE", Stage::Types),
        ("INIT n = unknown", Stage::Names),
        ("ASSIGN next(n) := n + 1;", Stage::Values),
        ("ASSIGN init(n) := 4;", Stage::Values),
        ("ASSIGN next(n) := case n = 0 : 1; n = 1 : 2; esac;", Stage::Values),
        ("INIT 4 / n = 2", Stage::Values),
        ("ASSIGN next(b) := TRUE; next(b) := FALSE;", Stage::Assignments),
        ("ASSIGN b := TRUE; init(b) := FALSE;", Stage::Assignments),
        ("DEFINE d := b; ASSIGN b := !d;", Stage::Assignments),
        ("ASSIGN next(i) := TRUE;", Stage::Assignments),
        ("INIT i", Stage::Types),
        ("INIT next(b)", Stage::Syntax),
        ("VAR S : boolean;", Stage::Syntax),
        ("VAR m : nothing;", Stage::Names),
        ("VAR r : real;", Stage::Names),
        ("#include \"a.smv\"", Stage::Syntax),
        ("CTLSPEC F b", Stage::Property),
        ("LTLSPEC AG b", Stage::Property),
        ("CTLSPEC i", Stage::Property),
        ("INIT 0ud4_1 = 0ud3_1", Stage::Types),
        ("INIT 3000000000 = 1", Stage::Syntax),
    ] {
        let (found, line) = fault(&main(text));
        assert_eq!(found, stage, "{text}");
        assert_eq!(line, 4, "{text}");
    }
    // What guards let through alone counts.
    for text in [
        "ASSIGN next(n) := case n < 3 : n + 1; TRUE : n; esac;",
        "INIT n != 0 & 4 / n = 2",
        "ASSIGN next(n) := case n = 0 : 1; n > 0 : 0; esac;",
        "TRANS next(n) = n + 1",
    ] {
        assert!(read(&main(text), false).is_ok(), "{text}");
    }
}

#[test]
fn old_programs_have_numbers_for_truth_values() {
    let text =
        "MODULE main VAR b : boolean; ASSIGN init(b) := FALSE; next(b) := case b = 1 : FALSE; 1 : {FALSE, TRUE}; esac;";
    assert_eq!(fault(text).0, Stage::Types);
    let mut old = read(text, true).expect("an old program");
    assert_eq!(explored(&mut old).0.len(), 2);
    // As the value of a boolean they are none.
    let text = "MODULE main VAR b : boolean; ASSIGN init(b) := 0; next(b) := case 1 : !b; esac;";
    assert!(read(text, true).is_err_and(|fault| fault.message.contains("write FALSE or TRUE")));
}

#[test]
fn programs_have_the_states_of_their_rules() {
    for (text, expected) in [
        // A variable without assignments is free, a frozen one is chosen once.
        ("MODULE main VAR n : 0..2;", 3),
        ("MODULE main FROZENVAR f : 0..2; VAR n : 0..2; ASSIGN init(n) := f; next(n) := f;", 3),
        // A definition with a set is a choice at each use.
        ("MODULE main VAR a : boolean; b : boolean; DEFINE any := {TRUE, FALSE}; ASSIGN a := any; b := any;", 4),
        ("MODULE main VAR a : boolean; b : boolean; ASSIGN b := !a;", 2),
        ("MODULE main VAR n : 0..3; INIT n = 0 TRANS next(n) = n + 1", 4),
        ("MODULE main VAR n : 0..3; INVAR n < 2 ASSIGN next(n) := {0, 1, 2, 3};", 2),
        // Inputs belong to steps.
        ("MODULE main IVAR i : 0..9; VAR n : 0..3; ASSIGN init(n) := 0; next(n) := i > 3 ? 3 : 0;", 2),
        // Parameters are by reference, and in the scope of the caller.
        (
            "MODULE main VAR n : 0..3; m : inc(n); ASSIGN init(n) := 0; \
             MODULE inc(p) ASSIGN next(p) := (p + 1) mod 3;",
            3,
        ),
        ("MODULE main VAR a : array 0..2 of boolean; i : 0..2; ASSIGN init(a[0]) := TRUE; INVAR a[i]", 12),
        ("MODULE main VAR w : unsigned word[3]; ASSIGN init(w) := 0ud3_0; next(w) := w + 0ud3_2;", 4),
        ("MODULE main VAR x : {a, 1, b.c}; one : 1..1; ASSIGN next(x) := x;", 3),
        ("MODULE main VAR b : boolean; INIT FALSE", 0),
    ] {
        assert_eq!(states(text), expected, "{text}");
    }
}

/// Of a process only what it assigns moves, and its event knows nothing of the rest.
#[test]
fn processes_are_events() {
    let text =
        "MODULE main VAR free : boolean; p : process cell(TRUE); q : process cell(FALSE); ASSIGN next(free) := free;
        MODULE cell(first) VAR x : boolean; d : boolean; ASSIGN init(x) := first; next(x) := !x; d := x;";
    let mut model = model(text);
    let system = System::new(&mut model);
    let named = |all: &[usize]| all.iter().map(|&at| model.variables[at].name.as_str()).collect::<Vec<_>>().join(" ");
    let events: Vec<String> = system
        .events()
        .iter()
        .map(|event| format!("{}: {} -> {}", event.name, named(&event.reads), named(&event.writes)))
        .collect();
    assert_eq!(events, ["main:  -> ", "p: p.x -> p.x p.d", "q: q.x -> q.x q.d"]);
    // Each of 8 states has three steps.
    let (states, steps) = explored(&mut model);
    assert_eq!((states.len(), steps), (8, 24));
}

/// After a step a latch has the value of its condition in the step; it is true at first.
#[test]
fn latches_remember_the_last_step() {
    let text = "MODULE main IVAR i : boolean; VAR n : 0..1; ASSIGN init(n) := 0; next(n) := i ? 1 - n : n; \
                INVARSPEC i -> next(n) = 1";
    let mut model = model(text);
    let condition = model.properties[0].formula;
    assert!(Latches::is_about_steps(&model, condition));
    let mut latches = Latches::default();
    let place = model.properties[0].place;
    let latch = latches.latch(&mut model, condition, place);
    assert_eq!(latches.latch(&mut model, condition, place), latch);
    assert!(model.variables.last().is_some_and(|variable| variable.name.starts_with("step: ")));
    let (states, _) = explored(&mut model);
    let mut found: Vec<Vec<Value>> = states.into_iter().collect();
    found.sort();
    let state = |n: i64, latch: bool| vec![Value::Int(n), Value::Bool(latch)];
    // From 1 an input leads to 0, which is wrong.
    assert_eq!(found, [state(0, false), state(0, true), state(1, true)]);
}

/// What is too long or too deep is a fault and nothing worse.
#[test]
fn texts_have_no_end() {
    let main = |text: &str| format!("MODULE main VAR b : boolean; n : 0..3; {text}");
    let many = 100_000;
    for text in [
        format!("INIT {}b", "b & ".repeat(many)),
        format!("INIT {}b", "!".repeat(many)),
        format!("INIT {}b{}", "(".repeat(many), ")".repeat(many)),
        format!("INIT b{}", ".b".repeat(many)),
        format!("INIT n{} = 1", " + 1".repeat(many)),
        format!("LTLSPEC b{}", " U b".repeat(many)),
        format!("LTLSPEC {}b", "X ".repeat(many)),
        format!("INIT {}b", "b -> ".repeat(many)),
        format!("INIT {}TRUE : b;", "case TRUE : ".repeat(many)),
        format!("VAR a : {}boolean;", "array 0..1 of ".repeat(many)),
    ] {
        assert!(read(&main(&text), false).is_err(), "{}", &text[..40]);
    }
    let until = format!("PSLSPEC {}b{}", "b until (".repeat(60), ")".repeat(60));
    assert!(read(&main(&until), false).is_ok());
}

/// Long chains of choices and of connectives are evaluated without recursion.
#[test]
fn long_expressions_are_shallow() {
    let guards: String = (0..5000).map(|at| format!("n = {at} : {};", (at + 1) % 5000)).collect();
    let parts = vec!["n >= 0"; 5000].join(" & ");
    let text = format!(
        "MODULE main VAR n : 0..4999; ASSIGN init(n) := 0; next(n) := case {guards} TRUE : n; esac; INIT {parts}"
    );
    let mut model = model(&text);
    assert!(model.terms.depth() < 20, "{}", model.terms.depth());
    let system = System::new(&mut model);
    assert_eq!(system.first_states(&model, LIMITS).expect("first states").all.len(), 1);
}

#[test]
fn values_and_words_are_shown_and_read() {
    let model = model("MODULE main VAR x : {a, 1}; u : unsigned word[3]; s : signed word[4]; b : boolean;");
    for (variable, text, value) in [
        (1, "0ud3_7", Value::Word(7)),
        (2, "-0sd4_3", Value::Word(13)),
        (2, "0sd4_3", Value::Word(3)),
        (3, "TRUE", Value::Bool(true)),
        (0, "1", Value::Int(1)),
    ] {
        let kind = model.variables[variable].kind;
        assert_eq!(model.show(value, kind), text);
        assert_eq!(model.read_value(text, kind), Some(value));
    }
    assert_eq!(model.read_value("5", model.variables[1].kind), Some(Value::Word(5)));
    // Numbers and words that the type has, and nothing beside them.
    let (unsigned, signed) = (model.variables[1].kind, model.variables[2].kind);
    for (text, kind, value) in [
        ("7", unsigned, Some(7)),
        ("7", signed, Some(7)),
        ("-8", signed, Some(8)),
        ("-1", signed, Some(15)),
        ("-0sd4_8", signed, Some(8)),
        ("8", unsigned, None),
        ("-3", unsigned, None),
        ("-0ud3_1", unsigned, None),
        ("8", signed, None),
        ("15", signed, None),
        ("-9", signed, None),
        ("5 + 1", unsigned, None),
        ("0ud3_5 | 0ud3_1", unsigned, None),
        ("0sd4_1 rubbish ) (", signed, None),
        ("", unsigned, None),
        ("-", signed, None),
    ] {
        assert_eq!(model.read_value(text, kind), value.map(Value::Word), "{text}");
    }
}

/// Further properties are those of the main module, and have the text of the language.
#[test]
fn properties_are_added_to_a_program() {
    let text = "MODULE main VAR n : 0..3; \"a b\" : boolean; CTLSPEC n = 0";
    let with = |property: &str| read_with(text, false, &[property.to_owned()]);
    for (property, written) in [
        ("CTLSPEC AG (n=1 -> EF \"a b\")", "AG (n = 1 -> EF \"a b\")"),
        ("LTLSPEC NAME f := (G F n = 1) U (n<2 | X n > 1);", "G F n = 1 U (n < 2 | X n > 1)"),
        ("INVARSPEC next(n) in {1, 2} & !(n = 3)", "next(n) in {1, 2} & !(n = 3)"),
        ("SPEC A [n = 1 BU 0..2 n = 2]", "A [n = 1 BU 0..2 n = 2]"),
    ] {
        let model = with(property).unwrap_or_else(|fault| panic!("{property}: {fault}"));
        let [first, second] = &model.properties[..] else { panic!("two properties") };
        assert_eq!((first.further, second.further), (None, Some(0)));
        assert_eq!(second.text, written);
    }
    for (property, message) in [
        ("CTLSPEC n =", "in `CTLSPEC n =`: "),
        ("CTLSPEC m = 1", "there is no `m`"),
        ("VAR m : boolean;", "one property"),
        ("CTLSPEC n = 1 CTLSPEC n = 2", "one property"),
    ] {
        let fault = with(property).expect_err(property);
        assert!(fault.message.contains(message), "{property}: {fault}");
    }
}
