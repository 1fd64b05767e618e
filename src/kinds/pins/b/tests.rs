//! Small machines, each with what it should give.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use crate::budget::{Budget, Exhausted};
use crate::explicit::{self, Encoding};
use crate::kinds::{Kind, pins::PinsModel};
use crate::model::LabelId;
use crate::relation::Learner;

use super::super::explore::{Found, explore};
use super::super::next_state::{Batch, COPY, LabelRole, NextState, Successors};
use super::error::{Error, Fault};
use super::machine::{BMachine, Options};

fn load(text: &str) -> Result<BMachine, Error> {
    let finder = |name: &str| match name {
        "Counter.mch" => Some((
            name.to_string(),
            "MACHINE Counter(top) VARIABLES n INVARIANT n : 0..top INITIALISATION n := 0
             OPERATIONS inc = PRE n < top THEN n := n + 1 END; r <-- get = r := n END"
                .to_string(),
        )),
        _ => None,
    };
    BMachine::parse("test.mch", text, &finder, &Options::default())
}

fn run(text: &str) -> (BMachine, Found) {
    let machine = load(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let found = explore(&machine, Duration::from_secs(20), true).unwrap_or_else(|error| panic!("{text}\n{error}"));
    (machine, found)
}

/// States and transitions as ProB counts them: set-ups and initialisations included.
fn check(text: &str, states: usize, transitions: usize) {
    let (machine, found) = run(text);
    let setups = machine.setups();
    let all = found.transitions + machine.signature().initial.len() + setups;
    assert_eq!((found.states + setups, all), (states, transitions), "{text}");
}

/// The values of `v` in the initial states.
fn values(properties: &str, expression: &str, expect: &str) {
    let text = format!(
        "MACHINE m SETS S = {{a,b,c}}; T = {{p,q}} VARIABLES v INVARIANT v = {expression} INITIALISATION v : ({properties}v = {expression}) END"
    );
    let machine = load(&text).unwrap_or_else(|error| panic!("{expression}: {error}"));
    let signature = machine.signature();
    let shown: Vec<_> = signature
        .initial
        .iter()
        .map(|state| machine.show(signature.variables[0].kind, state[0]).into_owned())
        .collect();
    assert_eq!(shown.join(" "), expect, "{expression}");
}

fn refused(text: &str, part: &str) {
    let error = match load(text) {
        Err(error) => error.to_string(),
        Ok(machine) => match explore(&machine, Duration::from_secs(20), true) {
            Err(error) => error,
            Ok(found) => panic!("{text}\n{found:?}"),
        },
    };
    assert!(error.contains(part), "{text}\n{error}");
}

#[test]
fn numbers() {
    values("", "2 + 3 * 4 - 1", "13");
    values("", "7 / 2 + 7 mod 2", "4");
    values("", "-7 / 2", "-3");
    values("", "2 ** 3 ** 1", "8");
    values("", "min({3,1,2}) + max({3,1,2})", "4");
    values("", "SIGMA(x).(x : 1..4 | x * x)", "30");
    values("", "PI(x).(x : 1..4 | x)", "24");
    values("", "card({x | x : 1..10 & x mod 3 = 0})", "3");
    values("", "IF 1 < 2 THEN 5 ELSE 6 END", "5");
    values("", "LET k BE k = 3 IN k * k END", "9");
}

#[test]
fn sets_and_relations() {
    values("", "({a,b} \\/ {c}) - {b}", "{a,c}");
    values("", "{1,2} * {3}", "[3,3]");
    values("", "{4,5} * {3}", "{(4|->3),(5|->3)}");
    values("", "POW({1,2})", "{{},{1},{1,2},{2}}");
    values("", "{1|->2, 2|->3} ~", "{(2|->1),(3|->2)}");
    values("", "({1|->2, 2|->3} ; {2|->5})", "{(1|->5)}");
    values("", "{1|->2, 2|->3}[{1,2}]", "{2,3}");
    values("", "{a|->1, b|->2} <+ {a|->5}", "{(a|->5),(b|->2)}");
    values("", "{a} <<| {a|->1, b|->2}", "{(b|->2)}");
    values("", "{a|->1, b|->2} |> {2}", "{(b|->2)}");
    values("", "closure1({1|->2, 2|->3})", "{(1|->2),(1|->3),(2|->3)}");
    values("", "card(S --> T)", "8");
    values("", "card(S >->> 1..3)", "6");
    values("", "card(S +-> T)", "27");
    values("", "card(S <-> T)", "64");
    values("", "%x.(x : 1..3 | x + x)", "[2,4,6]");
    values("", "(%x.(x : NATURAL | x + 1))(41)", "42");
    values("", "union({{1},{2,3}})", "{1,2,3}");
    values("", "UNION(x).(x : 1..2 | {x, x + 10})", "{1,2,11,12}");
    values("", "fnc({1|->2, 1|->3})", "{(1|->{2,3})}");
    values("", "prj1(S, T)(b|->q)", "b");
}

#[test]
fn sequences_and_records() {
    values("", "[a,b] ^ [c]", "[a,b,c]");
    values("", "tail([a,b]) <- a", "[b,a]");
    values("", "a -> [b]", "[a,b]");
    values("", "rev([1,2,3]) /|\\ 2", "[3,2]");
    values("", "first([5,6]) + last([5,6])", "11");
    values("", "card(perm({1,2,3}))", "6");
    values("", "conc([[1],[2,3]])", "[1,2,3]");
    values("", "rec(x: 1, y: TRUE)", "rec(x:1,y:TRUE)");
    values("", "rec(x: 1, y: TRUE)'x", "1");
    values("", "\"text\"", "\"text\"");
    values("", "card(struct(x: BOOL, y: 1..3))", "6");
}

#[test]
fn solver_binds_in_any_order() {
    values("", "{x,y | x + y = 5 & y : 1..3 & x > 2}", "{(3|->2),(4|->1)}");
    values("", "{x | #y.(y : 1..3 & x = y * y)}", "{1,4,9}");
    values("", "{x | x = 1 or x = 7}", "{1,7}");
    values("", "{x,y | x |-> y : {a|->p, b|->q} & x /= a}", "{(b|->q)}");
    values("", "{s | s : seq(T) & size(s) = 1}", "{{(1|->p)},{(1|->q)}}");
    values("", "{x | {x} <: {1,2} & x : NATURAL & x < 10}", "{1,2}");
    values("", "card({f | f : perm(1..6) & !i.(i : 1..5 => f(i) < f(i+1))})", "1");
    values("", "{f | f : 1..3 --> NATURAL & f(1) = 4 & !i.(i : 2..3 => f(i) = f(i-1) + 1)}", "{[4,5,6]}");
    values(
        "",
        "{x,y | x ^ y = [a,b] & x : seq(S) & y : seq(S)}",
        "{({}|->[a,b]),({(1|->a)}|->{(1|->b)}),([a,b]|->{})}",
    );
}

#[test]
fn integers_without_bounds_come_from_what_is_applied_to_them() {
    values("", "{i | i : NATURAL & [a,b,a](i) = a}", "{1,3}");
    values("", "{i,y | [a,b,a](i+1) = y & y /= b}", "{(0|->a),(2|->a)}");
    values("", "{s | s : iseq(NATURAL) & size(s) = 2 & ran(s) = {4,7}}", "{[4,7],[7,4]}");
    values("", "({1|->5} ; succ)", "{(1|->6)}");
    values("", "pred(succ(4)) + succ(1)", "6");
    // In a guard: where the function is applied outside its domain as well, ProB's count is not known.
    let machine = |guard: &str| {
        format!(
            "MACHINE m VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 OPERATIONS op(i) = PRE {guard} THEN x := i END END"
        )
    };
    check(&machine("i : NATURAL & [5,0,5](i) = 5"), 3, 7);
    refused(&machine("[5,0,5](i) = 5 & [7,7](i) = 7"), "is not known");
}

#[test]
fn constants_by_propagation() {
    let constants = |names: &str, properties: &str, setups: usize| {
        check(&format!("MACHINE m CONSTANTS {names} PROPERTIES {properties} END"), 2 * setups, 2 * setups);
    };
    constants("f", "f : 0..50 --> NATURAL & f(0) : 0..2 & !t.(t : 1..50 => f(t) = (f(t-1) + 1) mod 3)", 3);
    constants("a,b", "{a,b} <: 1..3 & card({a,b}) = 2", 6);
    // 10 ** 7 candidates without it.
    constants("a,b,c,d,e,f,g", "{a,b,c,d,e,f,g} <: 1..9 & card({a,b,c,d,e,f,g}) = 7 & a+b+c+d+e+f+g = 28", 5040);
    // 2 ** 30 subsets.
    constants("s", "s <: 1..30 & !i.(i : 1..29 => (i : s <=> i + 1 /: s))", 2);
    // The least number above MAXINT; a premise that is never true.
    constants("a,b", "a : 0..1 & b > 1000 & a < b", 2);
    constants("a,b", "(a > 0 & b > 0 & a = 0) => (b = 0 & b < 9)", 25);
    // A function that an equation defines by itself.
    check(
        "MACHINE m CONSTANTS half, k PROPERTIES k = 2 & half = {0|->0} \\/ %n.(n : NATURAL & n > 0 | half(n / k) + 1) VARIABLES x
         INVARIANT x : 0..9 INITIALISATION x := 9 OPERATIONS op = x := half(x) END",
        5,
        6,
    );
}

#[test]
fn large_sets_have_one_form() {
    let machine = |second: &str| {
        format!(
            "MACHINE m VARIABLES x INVARIANT x <: INTEGER INITIALISATION x := {{}} OPERATIONS
             a = x := 1..6000; b = PRE x /= {{}} THEN x := {second} END END"
        )
    };
    // Each of three values has two successors, the first one: 1 + (1 + 2 + 2).
    check(&machine("x - {1}"), 3, 6);
    check(&machine("x \\/ {0}"), 3, 6);
    refused(&machine("x \\/ {7}"), "more than 5000");
    // Relations over a whole type stay what they are.
    check(
        "MACHINE m SETS S = {a,b,c,d} VARIABLES x INVARIANT x <: S <-> S INITIALISATION x := {} OPERATIONS
         all = x := S <-> S; one = x := x \\/ {{a|->a}} END",
        3,
        7,
    );
    values("", "card((1..6000) - ran(%n.(n : 1..5999 | n)))", "1");
}

#[test]
fn substitutions() {
    let one = |body: &str, states, transitions| {
        check(
            &format!(
                "MACHINE m VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 INITIALISATION x, y := 0, 1 OPERATIONS op = {body} END"
            ),
            states,
            transitions,
        );
    };
    one("BEGIN x := y || y := x END", 2, 3);
    one("BEGIN x := y; y := x END", 2, 3);
    one("CHOICE x := 1 OR x := 2 OR skip END", 3, 8);
    one("x :: 0..3", 4, 17);
    one("x : (x > x$0 & x <= 3)", 4, 7);
    one("ANY k WHERE k : 1..2 & x + k < 4 THEN x := x + k END", 4, 6);
    one("IF x < 2 THEN x := x + 1 END", 3, 4);
    one("SELECT x = 0 THEN x := 1 WHEN x = 0 THEN x := 2 ELSE x := 0 END", 3, 5);
    one("CASE x OF EITHER 0, 5 THEN x := 1 OR 1 THEN x := 2 ELSE x := 0 END END", 3, 4);
    one("VAR k IN k := x; WHILE k < 3 DO k := k + 1 INVARIANT TRUE = TRUE VARIANT 3 - k END; x := k END", 2, 3);
    one("LET k BE k = 2 IN x := k END", 2, 3);
    one("PRE x < 5 THEN ASSERT x < 9 THEN x := x + 5 END END", 2, 2);
}

#[test]
fn operations_are_counted_as_prob_does() {
    // Outputs and inputs make transitions different.
    check(
        "MACHINE m VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 OPERATIONS r <-- op(k) = PRE k : 0..2 THEN CHOICE r := k OR r := 5 END END END",
        1,
        7,
    );
    // The type of an output is no guard.
    check(
        "MACHINE m VARIABLES x INVARIANT x : BOOL INITIALISATION x := TRUE OPERATIONS r <-- op(k) = PRE r : INTEGER & k : 1..2 THEN r := k END END",
        1,
        3,
    );
    // Functions, written in parts.
    check(
        "MACHINE m SETS S = {a,b} VARIABLES f INVARIANT f : S --> BOOL INITIALISATION f := S * {FALSE} OPERATIONS set(s) = PRE s : S & f(s) = FALSE THEN f(s) := TRUE END END",
        4,
        5,
    );
    // A guard outside a domain is false.
    check(
        "MACHINE m SETS S = {a,b} VARIABLES f INVARIANT f : S +-> BOOL INITIALISATION f := {a|->TRUE} OPERATIONS op(s) = PRE f(s) = TRUE THEN f(s) := FALSE END END",
        2,
        2,
    );
}

#[test]
fn constants() {
    check(
        "MACHINE m CONSTANTS k PROPERTIES k : 1..3 & k /= 2 VARIABLES x INVARIANT x = k INITIALISATION x := k END",
        4,
        4,
    );
    // Symmetric elements of deferred sets: one set-up, and none at all where nothing is left to say.
    check("MACHINE m SETS D CONSTANTS a, b PROPERTIES a : D & b : D & a /= b & card(D) = 3 END", 2, 2);
    check(
        "MACHINE m SETS D CONSTANTS a PROPERTIES a : D VARIABLES x INVARIANT x : D INITIALISATION x := a OPERATIONS op(y) = PRE y : D THEN x := y END END",
        2,
        5,
    );
    // The example of ProB's manual: 10 set-ups.
    check("MACHINE m SETS D CONSTANTS a,b,c,d PROPERTIES a:D & b:D & a/=b & c:D & d:D & card(D)=6 END", 20, 20);
    check(
        "MACHINE m SETS D CONSTANTS A, B PROPERTIES D = A \\/ B & A /\\ B = {} & card(D) = 6 & card(A) = 3 END",
        2,
        2,
    );
    check(
        "MACHINE m DEFINITIONS SET_PREF_MAXINT == 5; scope_D == 4 SETS D VARIABLES x, s INVARIANT x : NAT & s <: D INITIALISATION x :: NAT || s :: POW(D) END",
        96,
        96,
    );
}

#[test]
fn machines_use_others() {
    check(
        "MACHINE m INCLUDES Counter(3) PROMOTES inc VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS copy = BEGIN x <-- get END END",
        10,
        17,
    );
    check("MACHINE m INCLUDES l.Counter(1), r.Counter(1) OPERATIONS both = BEGIN l.inc || r.inc END END", 2, 2);
    refused("MACHINE m SEES Nowhere END", "not beside");
}

#[test]
fn macros() {
    check(
        "MACHINE m DEFINITIONS low == 0; up(v, by) == v := v + by; small(v) == v < 2 VARIABLES x INVARIANT x : 0..2 INITIALISATION x := low OPERATIONS op = PRE small(x) THEN up(x, 1) END END",
        3,
        3,
    );
    check(
        "MACHINE m EXPRESSIONS low == 1 VARIABLES x INVARIANT x : 0..2 PREDICATES ok(v) == v < 2 INITIALISATION x := low OPERATIONS op = PRE ok(x) THEN x := 2 END END",
        2,
        2,
    );
    refused("MACHINE m DEFINITIONS f == f + 1 VARIABLES x INVARIANT x = f INITIALISATION x := 0 END", "uses itself");
}

#[test]
fn rows_follow_the_text() {
    let (machine, _) = run("MACHINE m VARIABLES x, y, z INVARIANT x : 0..3 & y : BOOL & z : BOOL INITIALISATION x, y, z := 0, TRUE, TRUE
        OPERATIONS a = PRE y = TRUE THEN x := 1 END; b = IF x = 1 THEN z := FALSE END; c = BEGIN x := 2; z := bool(x = 2) END END");
    let groups = &machine.signature().groups;
    assert_eq!(
        (&groups[0].reads[..], &groups[0].must_write[..], &groups[0].may_write[..]),
        (&[1][..], &[0][..], &[][..])
    );
    assert_eq!(
        (&groups[1].reads[..], &groups[1].must_write[..], &groups[1].may_write[..]),
        (&[0][..], &[][..], &[2][..])
    );
    assert_eq!(
        (&groups[2].reads[..], &groups[2].must_write[..], &groups[2].may_write[..]),
        (&[][..], &[0, 2][..], &[][..])
    );
    let mut successors = Successors::default();
    let zero = machine.read(machine.signature().variables[0].kind, "0").unwrap();
    machine.next(1, &Batch::new(&[zero], 1, 1), &mut successors).unwrap();
    let all: Vec<_> = successors.iter().flatten().map(|(_, values)| values.to_vec()).collect();
    assert_eq!(all, [vec![COPY]]);
}

#[test]
fn labels_and_texts() {
    let (machine, found) = run(
        "MACHINE m VARIABLES x INVARIANT x : 0..3 & x < 2 ASSERTIONS x >= 0 INITIALISATION x := 0 OPERATIONS r <-- up(k) = PRE k : 1..2 & x + k < 4 THEN x := x + k || r := x END END",
    );
    assert_eq!(found.violated, Some(true));
    let signature = machine.signature();
    assert_eq!(signature.labels.len(), 3);
    let kind = signature.variables[0].kind;
    let two = machine.read(kind, " 2").unwrap();
    assert_eq!((machine.show(kind, two).as_ref(), machine.number(kind, two)), ("2", Some(2)));
    assert!(!machine.label(1, &[two]).unwrap());
    assert_eq!(
        (machine.read(kind, "1 + 1"), machine.read(kind, "TRUE"), machine.read(kind, "{")),
        (Some(two), None, None)
    );
    assert_eq!(machine.action(0), "up(1)-->0");
}

#[test]
fn sequences_over_many_elements_are_bounded_by_their_length() {
    for (set, arguments) in [("seq", 302), ("seq1", 301), ("iseq", 302), ("iseq1", 301)] {
        let text = format!(
            "MACHINE m VARIABLES x INVARIANT x : 0..0 INITIALISATION x := 0
             OPERATIONS op(t) = PRE t : {set}(0..300) & size(t) <= 1 THEN x := 0 END END"
        );
        check(&text, 1, 1 + arguments);
    }
}

#[test]
fn temporal_formulas_are_translated() {
    let asked = |formula: &str, as_read: &str| {
        let text = format!(
            "MACHINE m DEFINITIONS big(v) == v > 1; ASSERT_LTL1 == \"{formula}\"; ASSERT_CTL == \"EF {{x = 2}}\"
             VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0 OPERATIONS op = PRE x < 2 THEN x := x + 1 END END"
        );
        let machine = load(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let [first, second] = machine.questions() else { panic!("{text}") };
        assert_eq!((first.id.as_str(), first.linear, second.linear), ("ASSERT_LTL1", true, false));
        let read = first.formula.clone().unwrap_or_else(|reason| reason);
        assert!(read.contains(as_read), "{formula}: {read}");
        let labels = machine.signature().labels.iter().filter(|label| label.role == LabelRole::Proposition).count();
        assert_eq!(labels, 1 + usize::from(first.formula.is_ok() && formula.contains('{')), "{formula}");
    };
    asked("G ({big(x)} => X not {big(x)})", r#"G (((label("big(x)") -> X (!(label("big(x)"))))))"#);
    // As ProB's grammar has it: `&` and `or` are of one level, and all of these go from left to right.
    asked("GF e(op) or [op] & deadlock", r#"((G (F (enabled("op"))) | action("op")) & deadlock)"#);
    asked("true => [op] => false", r#"((true -> action("op")) -> false)"#);
    asked("true => false <=> [op] => false", r#"((true -> false) <-> (action("op") -> false))"#);
    asked("true & [op] U deadlock", r#"(true & (action("op") U deadlock))"#);
    asked("true <=> false <=> true", "needs parentheses");
    asked("true U ([op] W {x : {0,1}})", r#"(true U ((action("op") W label("x : {0,1}"))))"#);
    asked("F e(op(1))", "op with arguments");
    asked("O [op]", "`O` is not supported");
    asked("true & [op] U {x = 1} & true", "put parentheses");
    asked("G {x = TRUE}", "should be of type");
    asked("G {x = }", "expected");
    asked("G ({x = 1}", "expected `)`");
    asked("F {x = 1", "has no `}`");
}

#[test]
fn errors_say_where() {
    refused("MACHINE m VARIABLES x INVARIANT x : 0..3 INITIALISATION x := TRUE END", "test.mch:1:62: type error");
    refused("MACHINE m VARIABLES x INVARIANT x : 0..3 INITIALISATION x := y END", "y is not declared");
    refused("MACHINE m VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 1 / 0 END", "division by zero");
    refused("MACHINE m VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 1 +", "1:65: syntax error");
    refused(
        "MACHINE m VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 2 OPERATIONS op = x := x ** 9 END",
        "64 bits",
    );
    refused("MACHINE m VARIABLES x INVARIANT x : STRING INITIALISATION x :: STRING END", "refused");
    refused("MACHINE m VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 || x := 1 END", "both sides of ||");
    refused(
        "MACHINE m CONSTANTS k PROPERTIES k : NATURAL & k > 2 VARIABLES x INVARIANT x = k INITIALISATION x := k END",
        "no bounds",
    );
    refused("REFINEMENT r REFINES m END", "only abstract machines");
    let deep = format!("MACHINE m VARIABLES x INVARIANT {} INITIALISATION x := 0 END", "(".repeat(5000));
    refused(&deep, "nesting");
    let long = format!("MACHINE m VARIABLES x INVARIANT x = {}0 INITIALISATION x := 0 END", "1+".repeat(5000));
    refused(&long, "in a row");
}

#[test]
fn what_is_as_deep_as_allowed_is_evaluated() {
    values("", &format!("{}1", "1 + ".repeat(240)), "241");
    values("", &format!("{}1{}", "(1 + ".repeat(40), ")".repeat(40)), "41");
    values("", &format!("card({}{{}}{})", "{".repeat(90), "}".repeat(90)), "1");
    let body = format!("{}x := 1{}", "IF x = 0 THEN BEGIN ".repeat(40), " END END".repeat(40));
    check(&format!("MACHINE m VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 OPERATIONS op = {body} END"), 2, 3);
}

#[test]
fn no_text_panics() {
    let text = "MACHINE m(P) DEFINITIONS d(u) == {u, 1}; w == x := 1 SETS S = {a,b}; D CONSTANTS k PROPERTIES k : S --> 1..2 &
        !s.(s : S => k(s) > 0) VARIABLES x INVARIANT x : d(2) INITIALISATION x :: 1..2 OPERATIONS r <-- op(y) =
        SELECT y : S & k(y) = x THEN IF x = 1 THEN w ELSE x := card({z | z : 1..2}) END || r := [x](1) WHEN x = 2 THEN skip || r := 0 END END";
    assert!(load(text).is_ok());
    let words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    for at in 0..words.len() {
        let without: String = words.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, word)| *word).collect();
        let swapped: String = words
            .iter()
            .enumerate()
            .map(|(i, word)| if i == at { words[(at * 7 + 3) % words.len()] } else { word })
            .collect();
        for text in [without, swapped, words[..at].concat()] {
            if let Ok(machine) = load(&text) {
                let _ = explore(&machine, Duration::from_secs(5), true);
            }
        }
    }
}

/// A loop and a comprehension that would take days, in the middle of a call.
#[test]
fn limits_interrupt_operations_and_labels() {
    let machine = |initial: &str, body: &str| {
        format!(
            "MACHINE m VARIABLES x, y INVARIANT x : 0..1 & card({{a, b, c, d | a : 0..999 & b : 0..999 & c : 0..999 & d : 0..999 & a * b * c * d + x < 0}}) = 0
             INITIALISATION x := 0 || {initial} OPERATIONS run = VAR i, j IN {body} END END"
        )
    };
    let inner = "j := 0; WHILE j < 1000000 DO j := j + 1 INVARIANT TRUE = TRUE VARIANT 1 END; i := i + 1";
    let bodies = [
        format!("i := 0; WHILE i < 1000000 DO {inner} INVARIANT TRUE = TRUE VARIANT 1 END; x := 1"),
        "i, j := card({a, b, c, d | a : 0..999 & b : 0..999 & c : 0..999 & d : 0..999 & a * b * c * d < 0}), 0; x := 1"
            .into(),
    ];
    let cancelled = Budget::unlimited().with_flag(Arc::new(true.into()));
    for body in bodies {
        let read = load(&machine("y := 0", &body)).unwrap();
        let zero = read.read(read.signature().variables[0].kind, "0").unwrap();
        let reads = &read.signature().groups[0].reads;
        let short = vec![zero; reads.len()];
        let batch = Batch::new(&short, reads.len(), 1);
        assert!(read.next(0, &batch.within(&cancelled), &mut Successors::default()).is_err());
        assert!(read.label_within(1, &[zero], &cancelled).is_err());
        // Engines hear that the limits were not enough, not that the model is wrong.
        let model = PinsModel::within("m", read, &cancelled).unwrap();
        let compiled = model.compile(&Encoding::default(), &cancelled).unwrap();
        let explored = compiled.explore(&explicit::Options::default(), &Budget::unlimited());
        assert_eq!(explored.unwrap_err(), Exhausted::Cancelled.into());
        let asked = Learner::ask(&model, 0, &short, 1, &cancelled, &mut |_, _| {});
        assert_eq!(asked, Err(Exhausted::Cancelled.into()));
        assert_eq!(Learner::holds(&model, LabelId(1), &[0], &cancelled), Err(Exhausted::Cancelled.into()));
        // So does whoever reads a machine that initialises for long.
        let options = Options { budget: cancelled.clone(), ..Options::default() };
        let text = machine(&format!("VAR i, j IN {body}; y := 0 END"), "i, j := 0, 0").replace("x := 0 || ", "");
        let error = BMachine::parse("m.mch", &text, &|_: &str| None, &options).unwrap_err();
        assert_eq!(error.fault(), Fault::Exhausted, "{error}");
    }
}

/// A bound that is not found within the limits is no reason to take none, and what came of it is not kept.
#[test]
fn what_limits_cut_short_is_not_kept() {
    let text = "MACHINE m VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 OPERATIONS op =
        ANY n WHERE n mod 5 = 4 & n : NATURAL & n < 8 + card({a, b | a : 0..99 & b : 0..99 & a * b = 1})
        THEN x := n END END";
    let cancelled = Budget::unlimited().with_flag(Arc::new(true.into()));
    let model = PinsModel::within("m", load(text).unwrap(), &cancelled).unwrap();
    let asked = Learner::ask(&model, 0, &[], 1, &cancelled, &mut |_, _| {});
    assert_eq!(asked, Err(Exhausted::Cancelled.into()));
    let compiled = model.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let explored = compiled.explore(&explicit::Options::default(), &Budget::unlimited()).unwrap();
    assert_eq!((explored.states, explored.transitions), (2, 2));
}
