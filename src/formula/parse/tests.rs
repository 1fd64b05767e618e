//! Formulas as text: what they mean, and what is said of those that mean nothing.
#![allow(clippy::unwrap_used)]
use super::operators::INFIX;
use super::*;
use crate::formula::ast::Comparison;
use crate::net::NetBuilder;

/// Places a, b, p, q, "odd name"; transitions t, u.
fn symbols() -> Symbols {
    let mut b = NetBuilder::new("n");
    for id in ["a", "b", "p", "q", "odd name", "x-1"] {
        b.place(id, 0).unwrap();
    }
    for id in ["t", "u"] {
        b.transition(id).unwrap();
    }
    Symbols::new(&b.build().unwrap())
}

/// The canonical spelling of a formula.
fn canonical(text: &str) -> String {
    let (symbols, mut pool) = (symbols(), Pool::new());
    match parse(text, &symbols, &mut pool) {
        Ok(f) => pool.display(f, &symbols).to_string(),
        Err(e) => panic!("{text}: {e}"),
    }
}

fn error(text: &str) -> String {
    let (symbols, mut pool) = (symbols(), Pool::new());
    match parse(text, &symbols, &mut pool) {
        Ok(f) => panic!("{text} was read as {}", pool.display(f, &symbols)),
        Err(e) => e.to_string(),
    }
}

/// Letters of the past are operators or names by their place; what was read before there was a past is read as it was.
#[test]
fn the_past_and_places_called_so() {
    let mut b = NetBuilder::new("n");
    for id in ["Y", "Z", "O", "H", "S", "T", "P", "p"] {
        b.place(id, 0).unwrap();
    }
    let (symbols, mut pool) = (Symbols::new(&b.build().unwrap()), Pool::new());
    for (text, expected) in [
        ("Y p = 1", "Y (#p = 1)"),
        ("Z (p = 1) & H deadlock", "Z (#p = 1) & H deadlock"),
        ("O !deadlock S true", "O !deadlock S true"),
        ("deadlock S true T false U true", "deadlock S (true T (false U true))"),
        ("G(deadlock -> Y O Z #p = 1)", "G (deadlock -> Y O Z (#p = 1))"),
        ("EX O deadlock", "E X O deadlock"),
        ("O E X deadlock", "O E X deadlock"),
        ("(O E X deadlock) U true", "(O E X deadlock) U true"),
        ("O [] deadlock", "O G deadlock"),
        ("H 1 < p", "H (1 < #p)"),
        ("true S deadlock", "O deadlock"),
        // Names.
        ("Y = 1", "#Y = 1"),
        ("Z != 1 & O<1", "#Z != 1 & #O < 1"),
        ("H - 1 = S + T", "#H - 1 = #S + #T"),
        ("S = 1 S T = 1", "#S = 1 S #T = 1"),
        ("Y + Z = 1 -> tokens(O, H) = P", "#Y + #Z = 1 -> tokens(O, H) = #P"),
        ("#S = 1 T \"T\" = 1", "#S = 1 T #T = 1"),
        ("Y S = 1", "Y (#S = 1)"),
        ("O Y = 1", "O (#Y = 1)"),
        ("Y Y Y = 1", "Y Y (#Y = 1)"),
        ("H #O = 1 S Y = 1", "H (#O = 1) S #Y = 1"),
    ] {
        let f = parse(text, &symbols, &mut pool).unwrap_or_else(|error| panic!("{text}: {error}"));
        let printed = pool.display(f, &symbols).to_string();
        assert_eq!(printed, expected, "{text}");
        assert_eq!(parse(&printed, &symbols, &mut pool), Ok(f), "{text}");
    }
    let (_, remarks) = parse_with_remarks("P p = 1", &symbols, &mut pool).unwrap();
    assert!(remarks[0].0 == 1 && remarks[0].1.contains("read as `O`"), "{remarks:?}");
    for text in ["O", "O & true", "true S", "Yp = 1", "AY deadlock", "O [0:3] deadlock", &"O S ".repeat(5_000)] {
        assert!(parse(text, &symbols, &mut pool).is_err(), "{text:.20}");
    }
}

#[test]
fn spellings() {
    for (text, expected) in [
        ("#p=1", "#p = 1"),
        ("#p == 1", "#p = 1"),
        ("#p<>1", "#p != 1"),
        ("#p≠1", "#p != 1"),
        ("#p ≤ 1 ∧ #q ≥ 2", "#p <= 1 & #q >= 2"),
        ("true && false || deadlock", "(true & false) | deadlock"),
        ("true /\\ false \\/ ⊤ ∨ ⊥", "(true & false) | true | false"),
        ("not true and ~false or ¬deadlock", "(!true & !false) | !deadlock"),
        ("true => false -> true", "true -> (false -> true)"),
        ("true → false ⇒ true implies true", "true -> (false -> (true -> true))"),
        ("true <-> false <=> true ↔ true", "true <-> (false <-> (true <-> true))"),
        ("true -> false <-> true -> false", "true -> (false <-> (true -> false))"),
        ("true <-> false -> true", "true <-> (false -> true)"),
        ("true xor false | true", "!(true <-> false) | true"),
        ("true | false ^ true & false", "true | !(false <-> (true & false))"),
        ("true ⊕ false xor true", "!(!(true <-> false) <-> true)"),
        ("true V false --> true <--> false", "(true R false) -> (true <-> false)"),
        ("X[2] #p = 1", "X X (#p = 1)"),
        ("X[0]X[!]deadlock", "X deadlock"),
        ("F[1:2] deadlock U true", "X (deadlock | X deadlock) U true"),
        ("G [0 .. 1] deadlock & F[2:]true", "(deadlock & X deadlock) & X X F true"),
        ("AG[1:1] EX[2]true", "A X (E X X true)"),
        ("EF[1,3] deadlock", "E F[1:3] deadlock"),
        ("EBF 0..2 deadlock & true", "(E F[0:2] deadlock) & true"),
        ("ABG 2..2 true", "A X X true"),
        ("AG[0..3] EX true | ABF 1..4 true", "(A G[0:3] E X true) | (A F[1:4] true)"),
        ("!G[1:3] EF true & true", "!G[1:3] E F true & true"),
        ("E[deadlock U[1,4] true]", "E (deadlock U[1:4] true)"),
        ("A[true BU 0..2 deadlock]", "A (true U[0:2] deadlock)"),
        ("true U[1:1] deadlock", "true & X deadlock"),
        ("true U[2:] deadlock", "true & X (true & X (true U deadlock))"),
        ("true U[0:2] X deadlock U deadlock", "true U[0:2] (X deadlock U deadlock)"),
        ("AG EF deadlock", "A G E F deadlock"),
        ("AGEF deadlock", "A G E F deadlock"),
        ("∀□∃◇deadlock", "A G E F deadlock"),
        ("A[] E<> deadlock", "A G E F deadlock"),
        ("A<> E[] #p<>1", "A F E G (#p != 1)"),
        ("[](deadlock -> <> #p = 1)", "G (deadlock -> F (#p = 1))"),
        ("[]<>deadlock", "G F deadlock"),
        ("A[[]deadlock & <>deadlock]", "A (G deadlock & F deadlock)"),
        ("GF#p>0", "G F (#p > 0)"),
        ("A[#p>0 U #q>0]", "A (#p > 0 U #q > 0)"),
        ("E ( F true & G false )", "E (F true & G false)"),
        ("true U false R true W false M true", "true U (false R (true W (false M true)))"),
        ("X true U ! false & true", "(X true U !false) & true"),
        ("!#p > 0", "!(#p > 0)"),
        ("enabled( t ,u ) | enabled()", "enabled(t, u) | enabled()"),
        ("tokens(a,b,\"odd name\") < bounds(p, q)", "tokens(a, b, \"odd name\") < bounds(p, q)"),
        ("#\"odd name\" >= #\"x-1\"", "#\"odd name\" >= #\"x-1\""),
        ("(#a + #b) * 2 < 3", "(#a + #b) * 2 < 3"),
        ("(#a < 3) | true", "#a < 3 | true"),
        ("((#a)) < ((3))", "#a < 3"),
        ("p = 1 & 2 <= a + b", "#p = 1 & 2 <= #a + #b"),
        ("\"odd name\" >= p * 2", "#\"odd name\" >= #p * 2"),
        ("AG a<-b", "A G (#a < -#b)"),
        ("-#a - -3 − (#b - 1) + 4 < 0", "-#a - -3 - (#b - 1) + 4 < 0"),
        ("#a*#b/2*-#p < -(#a+1)", "#a * #b / 2 * -#p < -(#a + 1)"),
        ("#a / (#b * 2) < #a - #b * 2", "#a / (#b * 2) < #a - #b * 2"),
        ("#a<-3", "#a < -3"),
        ("#a>=0<->true", "#a >= 0 <-> true"),
        ("!(E F true) U true", "!(E F true) U true"),
        ("E [t] deadlock", "E [t] deadlock"),
        ("A[t, u]E[*] #p = 1", "A [t, u] E [*] (#p = 1)"),
        ("A [true] & E[deadlock]", "A true & E deadlock"),
        ("A [\"t\"] EF true", "A [t] E F true"),
        ("A[true U (true | false)]", "A (true U (true | false))"),
        ("A[(true U true) | F false]", "A ((true U true) | F false)"),
    ] {
        // Written with the parentheses of the printer, but for those around quantified operands.
        let normal = |s: &str| s.replace(['(', ')'], "");
        assert_eq!(normal(&canonical(text)), normal(expected), "{text}");
        assert_eq!(canonical(&canonical(text)), canonical(text), "{text}");
    }
    assert_eq!(canonical("X true U ! false & true"), "(X true U !false) & true");
    assert_eq!(canonical("(true U false) U true"), "(true U false) U true");
    assert_eq!(canonical("(true & false) & true"), "(true & false) & true");
    assert_eq!(canonical("!(EF true) U true"), "(!E F true) U true");
    assert_eq!(canonical("true -> false -> true"), "true -> (false -> true)");
}

/// Texts that others group in another way are read with a remark, once.
#[test]
fn groupings_that_differ_elsewhere_are_remarked_on() {
    let remarks = |text: &str| {
        let (symbols, mut pool) = (symbols(), Pool::new());
        parse_with_remarks(text, &symbols, &mut pool).unwrap().1
    };
    for (text, column, part) in [
        ("true -> false <-> true", 6, "read as `true -> (false <-> true)`, as by Spot; Spin, PySMT and ltlf2dfa"),
        ("true -> false -> true", 6, "read as `true -> (false -> true)`"),
        ("true & false | true", 14, "read as `(true & false) | true`, as by Spot; Spin and TAPAAL"),
        ("true | false & !true", 6, "read as `true | (false & !true)`"),
        ("true xor false | true", 16, "read as `(true xor false) | true`"),
        ("true ^ false & true", 6, "read as `true ^ (false & true)`"),
        ("G (true U false U true)", 9, "read as `true U (false U true)`"),
        ("true R false W true & false | true", 6, "read as `true R (false W true)`"),
    ] {
        let found = remarks(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(found[0].0, column, "{text}: {found:?}");
        assert!(found[0].1.contains(part), "{text}: {found:?}");
    }
    for text in [
        "true <-> false <-> true",
        "true | false | true",
        "(true & false) | true",
        "true -> (false -> true)",
        "true | false -> true & false",
        "true U false & true",
        "!true U F false",
        "true xor false xor true",
    ] {
        assert!(remarks(text).is_empty(), "{text}: {:?}", remarks(text));
    }
}

#[test]
fn errors_say_where_and_what() {
    for (text, column, part) in [
        ("", 1, "expected a formula, found the end"),
        ("EF", 3, "expected a formula, found the end"),
        ("EF #pp > 0", 5, "unknown place `pp`; did you mean `p`?"),
        ("#zzzzzz > 0", 2, "unknown place `zzzzzz`"),
        ("enabled(p)", 9, "`p` is a place, not a transition"),
        ("#x-1 > 0", 2, "double quotes"),
        ("EF p & q = 1", 4, "`p` is a place, not a formula; write `#p > 0`"),
        ("EF pp > 0", 4, "unknown place `pp`; did you mean `p`?"),
        ("1 <= #q + zz", 11, "expected a formula, found `zz`"),
        ("EF p", 4, "`p` is a place, not a formula; write `#p > 0`"),
        ("G N true", 3, "the weak next `N` is about runs that end"),
        ("EF t", 4, "write `enabled(t)`"),
        ("true & ", 8, "expected a formula"),
        ("F[2] true", 4, "write both bounds"),
        ("G[3:2] true", 3, "this interval is empty"),
        ("X[99999999999] true", 3, "nested deeper"),
        ("F[0:80]F[0:80]F[0:80] true", 1, "more than 131072 operators"),
        ("A X[2:3] true", 6, "expected `]`"),
        ("A[true U true ^ false]", 15, "need parentheses"),
        ("true true", 6, "expected an operator or the end of the formula, found `true`"),
        ("(true", 6, "expected an operator or `)`"),
        ("A[true U true | false]", 15, "need parentheses"),
        ("E[true & true U true]", 8, "need parentheses"),
        ("E[true U true -> true]", 15, "need parentheses"),
        ("A[true U true)", 14, "expected an operator or `]`, found `)`"),
        ("#p", 1, "expected a formula, found an integer"),
        ("true < 3", 1, "expected an integer"),
        ("0 < #p < 3", 8, "not chained"),
        ("#p < 1/0", 7, "division by zero"),
        ("#p < 200000000000000000000000000000000000000", 6, "number too large"),
        ("A #p > 0 U #q > 0", 10, "does the path quantifier"),
        ("EF true U true", 9, "does the path quantifier"),
        ("!EF true U true", 10, "does the path quantifier"),
        ("tokens(p, p) > 1", 11, "already in the list"),
        ("#\"odd name", 2, "not closed"),
        ("#\"odd\\name\" > 1", 6, "stands before"),
        ("#3 > 1", 2, "expected a place name, found `3`"),
        ("#p > 1é2", 7, "expected an operator"),
        ("\u{0}", 1, "found `\\0`"),
    ] {
        let message = error(text);
        assert!(message.starts_with(&format!("column {column}: ")), "{text}: {message}");
        assert!(message.contains(part), "{text}: {message}");
        let caret = message.lines().last().unwrap();
        assert_eq!(caret.chars().count(), column + 2, "{text}: {message}");
    }
    assert!(error("true &\n  tru").starts_with("line 2, column 3: "));
    assert!(error(&format!("{}#z > 0", "true & ".repeat(1000))).lines().nth(1).unwrap().len() < 130);
}

/// The treatment of deep formulas must not depend on the size of the stack: 1 MB is half of a test thread's.
#[test]
fn deep_formulas_are_refused() {
    let deep = |n: usize| {
        [
            format!("{}true", "!".repeat(n)),
            format!("{}true", "AX ".repeat(n / 2)),
            format!("{}true{}", "(".repeat(n), ")".repeat(n)),
            format!("{}true{}", "A[".repeat(n / 2), "]".repeat(n / 2)),
            format!("{}true", "true -> ".repeat(n)),
            format!("{}true", "true U ".repeat(n)),
            format!("{}1 < 3", "-(2 + ".repeat(n / 2)) + &")".repeat(n / 2),
            format!("true{}", " <-> true".repeat(n)),
            format!("#p{} < 3", " * 2".repeat(n)),
        ]
    };
    let run = move || {
        for text in deep(900) {
            let (symbols, mut pool) = (symbols(), Pool::new());
            let f = parse(&text, &symbols, &mut pool);
            assert!(f.is_ok() || text.starts_with("-(2"), "{:.20}", text);
        }
        for text in deep(20_000) {
            assert!(error(&text).contains("nested deeper"), "{text:.20}");
        }
    };
    std::thread::Builder::new().stack_size(8 << 20).spawn(run).unwrap().join().unwrap();
    let wide = format!("true{}", " & true".repeat(20_000));
    assert_eq!(canonical(&wide).len(), wide.len());
}

/// Texts made of pieces of the notation: whatever is read prints back, and nothing panics.
#[test]
fn scrambled_formulas_never_panic() {
    let pieces: Vec<&str> = INFIX.iter().map(|(spelling, _)| *spelling).collect();
    let others = "( ) [ ] # , \" \\ a b p odd.name t 0 3 17 E A X F G EF AG ! ~ ¬ ∀ ∃ true false deadlock \
                  enabled( tokens( bounds( #p #a<3 #b=0 \n é ⊤ not";
    let pieces: Vec<&str> = pieces.into_iter().chain(others.split(' ')).collect();
    let (symbols, mut pool, mut read) = (symbols(), Pool::new(), 0);
    for seed in 0..30_000 {
        let mut rng = crate::random::Rng::new(seed);
        let mut text = String::new();
        for _ in 0..1 + rng.below(8) {
            text += rng.pick(&pieces).unwrap();
            text += if rng.one_in(4) { "" } else { " " };
        }
        match parse(&text, &symbols, &mut pool) {
            Ok(f) => {
                let printed = pool.display(f, &symbols).to_string();
                assert_eq!(parse(&printed, &symbols, &mut pool), Ok(f), "{text} printed as {printed}");
                read += 1;
            }
            Err(error) => assert!(error.to_string().contains('^'), "{text}"),
        }
    }
    assert!(read > 300, "only {read} texts were formulas");
}

/// A component whose states have words as names, one whose states are called by numbers that are not theirs, one whose
/// states are called 0 and 1, and one with a name twice.
fn named() -> Symbols {
    use crate::kinds::network::{Component, Network};
    let component = |name: &str, states: &[&str]| Component {
        name: name.to_owned(),
        states: states.iter().map(|&state| state.to_owned()).collect(),
        initial: 0,
        edges: vec![(0, format!("go {name}"), 1)],
    };
    let components = vec![
        component("server", &["idle", "busy", "out of order"]),
        component("left", &["1", "2"]),
        component("right", &["0", "1"]),
        component("twin", &["same", "same", "other"]),
    ];
    Symbols::of(&Network::new("n", components).unwrap())
}

#[test]
fn values_are_called_by_their_names() {
    let (symbols, mut pool) = (named(), Pool::new());
    for (text, printed, value) in [
        ("#server = busy", "#server = busy", 1),
        ("server = busy", "#server = busy", 1),
        ("tokens(server)==\"out of order\"", "#server = \"out of order\"", 2),
        // No name begins with a digit: a number is that of the value.
        ("#server = 1", "#server = busy", 1),
        ("server.busy", "#server = busy", 1),
        ("right.1", "#right = 1", 1),
        ("#left = 1", "#left = 1", 0),
        ("left = 2", "#left = 2", 1),
        ("#right = 1", "#right = 1", 1),
        ("#twin = other", "#twin = other", 2),
        ("#twin = 0", "#twin = 0", 0),
    ] {
        let f = parse(text, &symbols, &mut pool).unwrap();
        let Formula::Compare(_, Comparison::Eq, constant) = pool[f] else { panic!("{text}") };
        assert_eq!(pool[constant], Expr::Const(value), "{text}");
        assert_eq!(pool.display(f, &symbols).to_string(), printed);
        assert_eq!(parse(printed, &symbols, &mut pool), Ok(f));
    }
    let f = parse("AG (server != busy -> EF (left = 2 & right=0))", &symbols, &mut pool).unwrap();
    let printed = pool.display(f, &symbols).to_string();
    assert_eq!(printed, "A G (#server != busy -> (E F (#left = 2 & #right = 0)))");
    assert_eq!(parse(&printed, &symbols, &mut pool), Ok(f));
}

#[test]
fn values_with_names_are_not_numbers() {
    let (symbols, mut pool) = (named(), Pool::new());
    let mut error = |text: &str| parse(text, &symbols, &mut pool).unwrap_err().to_string();
    for (text, message) in [
        ("#server = bussy", "column 11: component `server` has no value `bussy`; did you mean `busy`?"),
        (
            "server = want",
            "column 10: component `server` has no value `want`; its values are `idle`, `busy`, `out of order`\n",
        ),
        ("server.bussy", "column 8: component `server` has no value `bussy`; did you mean `busy`?"),
        ("AG server", "column 4: `server` is a component, not a formula; write `server = idle`"),
        ("#server = 3", "column 11: component `server` has no value `3`"),
        // A number is no name of `left`, whose other states are called by numbers.
        ("#left = 0", "column 9: component `left` has no value `0`"),
        ("#twin = same", "column 9: two values of component `twin` are called `same`"),
        ("#server < busy", "column 9: values that have names are compared by `=` and `!=` only"),
        ("#server + 1 = 2", "column 1: the values of this have names"),
        ("1 = #server", "column 5: the values of this have names"),
        ("#left = #right", "column 9: expected the name of a value, found `#`"),
        ("bounds(server) = 1", "column 1: the values of this have names"),
        ("#server", "column 1: expected a formula, found an integer"),
        ("#nobody = idle", "column 2: unknown component `nobody`"),
        ("enabled(server)", "column 9: `server` is a component, not a label"),
    ] {
        assert!(error(text).starts_with(message), "{text}: {}", error(text));
    }
}
