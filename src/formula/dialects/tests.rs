//! Readings, groupings and refusals.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::net::NetBuilder;

fn symbols() -> Symbols {
    let mut b = NetBuilder::new("n");
    for place in ["p", "q", "C.r", "a-b", "E", "x y", "d-e", "d", "e"] {
        b.place(place, 1).unwrap();
    }
    for transition in ["t", "C.u"] {
        b.transition(transition).unwrap();
    }
    Symbols::new(&b.build().unwrap())
}

fn read(text: &str, dialect: Dialect) -> Result<Vec<String>, String> {
    let (symbols, mut pool) = (symbols(), Pool::new());
    let found = read_dialect(text, "f", dialect, &symbols, &mut pool).map_err(|error| error.to_string())?;
    let shown = |property: Property| match property.query {
        PropertyQuestion::Formula(formula) => pool.display(formula, &symbols).to_string(),
        PropertyQuestion::Bound(places) => format!("max {places:?}"),
        PropertyQuestion::Steps(_) => unreachable!(),
        PropertyQuestion::Refused(error) => error.to_string(),
    };
    Ok(found.into_iter().map(shown).collect())
}

#[track_caller]
fn means(dialect: Dialect, text: &str, ours: &str) {
    let (symbols, mut pool) = (symbols(), Pool::new());
    let found = read_dialect(text, "f", dialect, &symbols, &mut pool).unwrap_or_else(|e| panic!("{text}: {e}"));
    let expected = crate::formula::parse(ours, &symbols, &mut pool).unwrap_or_else(|e| panic!("{ours}: {e}"));
    let PropertyQuestion::Formula(formula) = found[0].query else { panic!("{text}") };
    assert_eq!(pool.display(formula, &symbols).to_string(), pool.display(expected, &symbols).to_string(), "{text}");
    assert_eq!(formula, expected, "{text}");
}

#[test]
fn formulas_of_lola() {
    for (text, ours) in [
        ("EF DEADLOCK", "EF deadlock"),
        ("FORMULA AG (p + q <= 3);", "AG (#p + #q <= 3)"),
        ("{ comment } AG NOT FIREABLE(t) // more", "AG !enabled(t)"),
        ("EF 2*p + q > 3", "EF (2 * #p + #q > 3)"),
        ("EF 2 * p+q - 1 > -3", "EF (2 * #p + #q - 1 > -3)"),
        // Temporal operators bind tighter than Boolean ones, AND tighter than OR.
        ("EF p = 1 AND q = 1 OR TRUE", "((EF #p = 1) & #q = 1) | true"),
        ("NOT p = 1 AND q != 1", "(!(#p = 1)) & #q != 1"),
        ("p = 1 XOR q = 1", "!(#p = 1 <-> #q = 1)"),
        ("p = 1 -> q = 1 OR FALSE", "#p = 1 -> (#q = 1 | false)"),
        ("p = 1 <-> (q = 1 -> p = 0)", "#p = 1 <-> (#q = 1 -> #p = 0)"),
        ("REACHABLE p = 1 AND q = 1", "EF (#p = 1 & #q = 1)"),
        ("INVARIANT p = 1 OR q = 1", "AG (#p = 1 | #q = 1)"),
        ("IMPOSSIBLE p = 1 OR q = 1", "AG !(#p = 1 | #q = 1)"),
        ("ALLPATH ALWAYS EXPATH EVENTUALLY p >= 1", "AG EF #p >= 1"),
        ("AGEF p >= 1", "AG EF #p >= 1"),
        ("A G E F p >= 1", "AG EF #p >= 1"),
        ("E (p = 1 UNTIL q = 1)", "E (#p = 1 U #q = 1)"),
        ("A(p = 1 AND q = 1 U q = 0 OR p = 0)", "A((#p = 1 & #q = 1) U (#q = 0 | #p = 0))"),
        ("EXPATH (p = 1 RELEASE NEXTSTATE q = 1)", "E (#p = 1 R X #q = 1)"),
        ("G (p > 0 -> F q > 0)", "G (#p > 0 -> F #q > 0)"),
        // Names with signs in them, and of letters of operators.
        ("AG a-b <= 1", "AG #\"a-b\" <= 1"),
        ("AG d - e <= 1", "AG #d - #e <= 1"),
        ("AG (C.r <= 1 AND E >= 0)", "AG (#C.r <= 1 & #E >= 0)"),
        ("E E > 0", "E (#E > 0)"),
    ] {
        means(Dialect::Lola, text, ours);
    }
    assert_eq!(read("EF p > 0 : FORMULA AG q > 0 : MAX(p + q)", Dialect::Lola).unwrap().len(), 3);
    assert!(read("MAX(p + (q + E))", Dialect::Lola).unwrap()[0].starts_with("max"));
}

#[test]
fn queries_of_tapaal() {
    for (text, ours) in [
        ("EF p = 1", "EF #p = 1"),
        ("E<> p == 1", "EF #p = 1"),
        ("A[] (p <= 1 and q <= 1)", "AG (#p <= 1 & #q <= 1)"),
        ("A<> deadlock", "AF deadlock"),
        ("E[] !deadlock", "EG !deadlock"),
        ("AG (p + 2*q - 1 >= 3 or not (q != 1))", "AG (#p + 2 * #q - 1 >= 3 | !(#q != 1))"),
        ("(EF p = 1) and (q = 1 or p = 0) && true", "(EF #p = 1) & (#q = 1 | #p = 0) & true"),
        ("!p = 1 | false", "!(#p = 1) | false"),
        ("E ((p = 1) U (q = 1 and p = 0))", "E (#p = 1 U (#q = 1 & #p = 0))"),
        ("A (p = 1 U q = 1)", "A (#p = 1 U #q = 1)"),
        ("AG EF \"x y\" = 1", "AG EF #\"x y\" = 1"),
        ("EF (t? or is-fireable(t, C.u) or C.u?)", "EF (enabled(t) | enabled(t, C.u) | enabled(C.u))"),
        ("EF tokens-count(p, q) > 1", "EF tokens(p, q) > 1"),
        ("EF N.p = 1 ", "EF #p = 1"),
        ("EF C.r = 1", "EF #C.r = 1"),
        ("EF Shared_p = 1", "EF #p = 1"),
        ("A F (G p < 2)", "A F G #p < 2"),
    ] {
        means(Dialect::Tapaal, text, ours);
    }
}

#[test]
fn refusals_are_placed() {
    use Dialect::{Lola, Tapaal};
    for (dialect, text, expected) in [
        (Lola, "p = 1 -> q = 1 -> p = 0", "f:1:16: does this group to the left or to the right?"),
        (Lola, "EF INITIAL", "f:1:4: INITIAL is not supported"),
        (Lola, "EF p > oo", "f:1:8: numbers without bound"),
        (Lola, "EF\n  r > 0", "f:2:3: unknown place `r`"),
        (Lola, "EF d-e > 0", "f:1:4: is `d-e` the node of this name"),
        (Lola, "p", "f:1:2: expected a formula, found a number"),
        (Lola, "EF FIREABLE(p)", "f:1:13: `p` is a place"),
        (Lola, "MAX(p + p)", "f:1:11: a place stands twice"),
        (Lola, "MAX(p + (q + p))", "f:1:17: a place stands twice"),
        (Lola, "MAX(2 * p)", "f:1:11: after MAX stands a sum"),
        (Lola, "p = 1 UNTIL q = 1", "f:1:7: expected an operator or the end of the formula, found `UNTIL`"),
        (Lola, "{ open", "f:1:1: a comment that is not closed"),
        (Lola, "! p = 1", "f:1:1: expected a formula, found `!`"),
        (Lola, "", "f:1:1: expected a formula, found the end"),
        (Tapaal, "p = 1 and q = 1 or p = 0", "f:1:17: `and` and `or` are mixed"),
        (Tapaal, "p = 1 or q = 1 and p = 0", "f:1:25: `and` and `or` are mixed"),
        (Tapaal, "EF p = 1 and q = 1", "f:1:10: what does the temporal operator"),
        (Tapaal, "p = 1 and EF p = 1 and q = 1", "f:1:20: what does the temporal operator"),
        (Tapaal, "AG !EF p = 1 or q = 1", "f:1:14: what does the temporal operator"),
        (Tapaal, "E (not (p = 1) U (p = 1))", "f:1:25: does the operator before `(...) U (...)` cover all of it?"),
        (Tapaal, "E (EF (p = 1) U (q = 1))", "f:1:24: does the operator"),
        (Tapaal, "E (A ((p = 1) U (q = 1)) U (p = 0))", "f:1:35: does the operator"),
        (Tapaal, "! (p = 1) U (q = 1)", "f:1:20: does the operator"),
        (Tapaal, "control: AG p = 1", "f:1:1: games"),
        (Tapaal, "forall T1 . AG p = 1", "f:1:1: queries over several paths"),
        (Tapaal, "EF p = 1 -> q = 1", "f:1:10: expected an operator or the end of the query, found `->`"),
        (Tapaal, "EF u?", "f:1:4: unknown transition `u`"),
        (Tapaal, "EF N.s = 1", "f:1:4: unknown place `N.s`"),
        (Tapaal, "EF \"p = 1", "f:1:4: a name in quotation marks"),
        (Tapaal, "EF (p = 1", "f:1:10: expected an operator or `)`, found the end"),
        (Tapaal, "EF p = 170141183460469231731687303715884105728", "f:1:8: number too large"),
        (Tapaal, "EF p % 2", "f:1:6: `%` is not known here"),
    ] {
        let error = read(text, dialect).unwrap_err();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let deep = format!("{}p = 1{}", "(".repeat(5000), ")".repeat(5000));
    assert!(read(&deep, Tapaal).unwrap_err().contains("nested deeper"));
    assert!(read(&"NOT ".repeat(5000), Lola).unwrap_err().contains("nested deeper"));
}
