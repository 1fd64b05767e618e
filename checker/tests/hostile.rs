//! Inputs made to be misread, or to take what no machine has. Each is refused, and says why in one line.

use starset_checker::{Checksum, Net, Refused, check, with_stack};
use std::fmt::Write as _;

fn pnml(inside: &str) -> String {
    format!(
        r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">{inside}</page></net></pnml>"#
    )
}

const PLACE: &str = r#"<place id="p"><initialMarking><text>1</text></initialMarking></place><transition id="t"/>"#;

/// What is said of a certificate of a model, which has the right sums.
fn answer(model: &str, formula: &str, rest: &str) -> Result<String, String> {
    answer_to(1, model, formula, rest)
}

fn answer_to(version: u32, model: &str, formula: &str, rest: &str) -> Result<String, String> {
    let hash = Net::read(model).map_or(0, |net| net.hash());
    let mut text = format!(
        "starset-certificate {version}\nmodel x\nnet {hash:016x}\npaths stutter\nformula {formula}\nverdict true\n{rest}"
    );
    let mut sum = Checksum::default();
    sum.add(text.as_bytes());
    let _ = write!(text, "check {:016x}\nend\n", sum.0);
    let found = with_stack(|| check(model, &text)).and_then(|found| found);
    found.map(|proved| proved.to_string()).map_err(|refused| refused.to_string())
}

fn refused(model: &str, formula: &str, rest: &str, why: &str) {
    let found = answer(model, formula, rest);
    assert!(found.as_ref().is_err_and(|found| found.contains(why)), "{found:?}");
}

/// Forty operators `<->` in one another have 2⁴⁰ cases, and so has a conjunction of forty disjunctions of next states.
#[test]
fn cases_are_bounded() {
    let model = pnml(PLACE);
    let iff = (0..40).fold("#p = 0".to_owned(), |inner, _| format!("({inner}) <-> #p = 1"));
    refused(&model, &format!("A (G ({iff}))"), "levels 0\nclaim 241 always\n", "than files of this size may ask for");
    let ways: Vec<String> = (0..40).map(|at| format!("(X (#p = {at}) | X (#p = {}))", at + 100)).collect();
    let formula = format!("E (false & {})", ways.join(" & "));
    refused(&model, &formula, "levels 0\nclaim 202 some\n", "than files of this size may ask for");
    // Cases inside of cases need no memory of their own, but stack.
    let splits = "split 0\n".repeat(150_000);
    refused(&model, "A (G (#p = 1))", &format!("levels 0\nclaim 1 always\n{splits}"), "nested too deeply");
}

/// Sixty places with a token or none: the states where no step is possible, or where a sum has a value.
#[test]
fn diagrams_are_bounded() {
    let mut inside = String::new();
    let (mut levels, mut layers, mut sum) = ("levels 60\n".to_owned(), String::new(), Vec::new());
    for at in 0..60u32 {
        let _ = write!(inside, r#"<place id="p{at}"/><transition id="t{at}"/>"#);
        let other = (at * 7 + 13) % 60;
        let _ = write!(inside, r#"<arc id="a{at}" source="p{at}" target="t{at}"/>"#);
        let _ = write!(inside, r#"<arc id="b{at}" source="p{other}" target="t{at}"/>"#);
        let _ = writeln!(levels, "level 0 p{at}");
        layers.push_str("layer 1\n0:0 1:0\n");
        sum.push(format!("{} * #p{at}", 3u64.pow(at % 20)));
    }
    let model = pnml(&inside);
    let claim = |number: u32| format!("{levels}{layers}claim {number} all\nset 0 0\n");
    refused(&model, &format!("A (G ({} <= 1000))", sum.join(" + ")), &claim(3), "than files of this size may ask for");
}

/// A short line may stand for many nodes, and a short run for a long one: what is kept of them counts.
#[test]
fn repetitions_are_bounded() {
    let model = pnml(PLACE);
    let many = |rest: &str| {
        let found = answer_to(2, &model, "A (G (#p = 1))", rest);
        assert!(found.as_ref().is_err_and(|why| why.contains("than files of this size may ask for")), "{found:?}");
    };
    many("levels 0\nsteps 0\nlayer 3000000000\n3000000000*0\nclaim 3 all\nset 0 0\n");
    let again = "claim 9 run\nsame 20000\nthen anything\n".repeat(600);
    many(&format!("levels\nsteps 1\nstep 0 t\nclaim 9 run\nfire{}\nthen anything\n{again}", " 0".repeat(20_000)));
}

/// Ten components with two ways to take each of ten labels: 2¹⁰ steps are few, of twenty components too many.
#[test]
fn networks_are_bounded() {
    let network = |components: u32| {
        let mut text = "digraph {\n".to_owned();
        for at in 0..components {
            let _ = writeln!(text, "subgraph c{at} {{ i{at} -> s{at} [label=\"\"];");
            for label in 0..10 {
                let _ = writeln!(text, "s{at} -> s{at} [label=l{label}]; s{at} -> r{at} [label=l{label}];");
            }
            text.push_str("}\n");
        }
        text + "}\n"
    };
    let asked = |components| check(&network(components), "starset-certificate 1\nmodel x\nnet 0\n");
    assert_eq!(asked(5), Err(Refused("line 3 of the certificate: the certificate is about another model".to_owned())));
    let why = asked(15).err().map(|refused| refused.0).unwrap_or_default();
    assert!(why.contains("than files of this size may ask for"), "{why}");
    // What is no certificate is seen before.
    assert!(check(&network(15), "").is_err_and(|Refused(why)| why.contains("version 1")));
    // Comments take no stack.
    let comments = "//\n".repeat(1_000_000) + &network(1);
    assert!(
        check(&comments, "starset-certificate 1\nmodel x\nnet 0\n").is_err_and(|why| why.0.contains("another model"))
    );
}

/// What is not known may make the net another one.
#[test]
fn what_is_not_known_in_a_net_is_refused() {
    let plain = pnml(PLACE);
    let asked = |model: &str| check(model, "starset-certificate 1\nmodel x\nnet 0\n").map_err(|Refused(why)| why);
    assert!(asked(&plain).is_err_and(|why| why.contains("another model")));
    let active = plain.replace(r#"id="n" "#, r#"id="n" active="true" "#).replace("ptnet", "ptNet");
    assert!(asked(&active).is_err_and(|why| why.contains("another model")));
    for (from, to) in [
        ("</net>", "</net><queries/>"),
        ("</net>", "</net> EF p > 0"),
        ("</page>", "<priorities/></page>"),
        ("</page>", "words</page>"),
        (r#"<place id="p">"#, r#"<place id="p" invariant="&lt;= 1">"#),
        (r#"<place id="p">"#, r#"<place id="p"><capacity><text>1</text></capacity>"#),
        (r#"<place id="p">"#, r#"<place id="p" initialMarking="2">"#),
        ("<text>1</text>", "<text>1</text> 2"),
        (r#"<transition id="t"/>"#, r#"<transition id="t" urgent="true"/>"#),
        (r#"<transition id="t"/>"#, r#"<transition id="t"><priority><text>1</text></priority></transition>"#),
        (
            r#"<transition id="t"/>"#,
            r#"<transition id="t"><toolspecific><subprocess>true</subprocess></toolspecific></transition>"#,
        ),
        ("</page>", r#"<arc id="a" source="p" target="t" weight="2"/></page>"#),
        ("grammar/ptnet", "grammar/symmetricnet"),
        ("grammar/ptnet", "grammar/ptnet/timed"),
        ("grammar/ptnet", "grammar/notptnet"),
    ] {
        let model = plain.replacen(from, to, 1);
        assert_ne!(model, plain);
        let found = asked(&model);
        assert!(
            found.as_ref().is_err_and(|why| why.contains("not understood") || why.contains("not a place")),
            "{to}: {found:?}"
        );
    }
}

/// Names are part of what is said, and none ends the line.
#[test]
fn one_line_is_said() {
    let formula = "#\"`\\nproved: true (maximal paths): A (G deadlock)\\u{202e}\" = 1".replace("\\u{202e}", "\u{202e}");
    let found = answer(&pnml(PLACE), &formula, "levels 0\n").err().unwrap_or_default();
    assert!(found.contains("`\\nproved: true") && found.contains("\\u{202e}") && !found.contains('\n'), "{found}");
    let name = "p&#10;q";
    let model = pnml(&PLACE.replace(r#"id="p""#, &format!(r#"id="{name}""#)));
    let proved = answer(&model, "#\"p\\nq\" = 1", "levels 0\n");
    assert_eq!(proved, Ok("true (stutter paths): #\"p\\nq\" = 1".to_owned()));
}
