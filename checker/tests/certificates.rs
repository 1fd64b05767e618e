//! Small certificates, written by hand: the example of the documentation, and what each condition is there for.

use starset_checker::{Checksum, Refused, check};

/// Three items fit into a buffer.
const BUFFER: &str = r#"<pnml><net id="buffer" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="free"><initialMarking><text>3</text></initialMarking></place><place id="full"/>
<transition id="put"/><transition id="get"/>
<arc id="a" source="free" target="put"/><arc id="b" source="put" target="full"/>
<arc id="c" source="full" target="get"/><arc id="d" source="get" target="free"/>
</page></net></pnml>"#;

fn answer(certificate: &str) -> Result<String, String> {
    check(BUFFER, certificate).map(|proved| proved.to_string()).map_err(|Refused(why)| why)
}

/// A certificate about the buffer with its checksum.
fn about(paths: &str, formula: &str, verdict: bool, rest: &str) -> String {
    let mut text = format!(
        "starset-certificate 1\nmodel buffer\nnet 054bf21ac9a2be54\npaths {paths}\nformula {formula}\nverdict {verdict}\n{rest}"
    );
    let mut sum = Checksum::default();
    sum.add(text.as_bytes());
    text.push_str(&format!("check {:016x}\nend\n", sum.0));
    text
}

#[test]
fn the_example_of_the_documentation() {
    let page = include_str!("../../docs/certificates.md");
    let begin = page.find("starset-certificate 2\nmodel buffer").unwrap_or_default();
    let example = page[begin..].split("```").next().unwrap_or_default();
    assert_eq!(answer(example), Ok("true (maximal paths): A (G E (F (#full = 3)))".to_owned()));
    assert!(answer(&example.replace("true", "false")).is_err_and(|why| why.contains("checksum")));
    assert!(answer(&example[..example.len() - 4]).is_err_and(|why| why.contains("not complete")));
    let other = BUFFER.replace("<text>3</text>", "<text>4</text>");
    assert!(check(&other, example).is_err_and(|Refused(why)| why.contains("another model")));
}

/// A certificate of the second version.
fn about_2(formula: &str, rest: &str) -> Result<String, String> {
    let text = about("maximal", formula, true, rest).replace("certificate 1", "certificate 2");
    let text = &text[..text.rfind("check ").unwrap_or_default()];
    let mut sum = Checksum::default();
    sum.add(text.as_bytes());
    answer(&format!("{text}check {:016x}\nend\n", sum.0))
}

/// Nodes may be written in several ways, and in no others.
#[test]
fn nodes_are_written_shortly() {
    let set =
        |nodes: &str| about_2("A (G (#full <= 3))", &format!("levels 0-1\nsteps 0\n{nodes}claim 3 all\nset 0 0\n"));
    let last = "layer 4\n3:0\n2:0\n1:0\n0\n";
    let ways = ["++++", "0:+1:+2:+3:+", "0,1,1,1", "+1++", "+1:1,2:1,1", "++0+"];
    for (way, right) in ways.into_iter().zip([true, true, true, true, true, false]) {
        assert_eq!(set(&format!("{last}layer 1\n{way}\n")).is_ok(), right, "{way}");
    }
    for (way, why) in [
        ("+,+++", "no such child"),
        ("0,1,1,", "no such child"),
        ("++++,", "no such child"),
        ("-1+++", "no such child"),
        ("+++++", "no such child"),
        ("0,4", "no such child"),
        ("1:+1:+", "must increase"),
        ("1:+0:+", "must increase"),
        ("99999999999999999999:+", "must increase"),
        ("99999999999999999999", "no such child"),
        ("+ +++", "no such child"),
        ("", "no such child"),
        ("2*++++", "too many nodes"),
        ("0*++++", "too many nodes"),
        ("1*1*++++", "no such child"),
        ("+1*++++", "a number"),
    ] {
        let found = set(&format!("{last}layer 1\n{way}\n"));
        assert!(found.as_ref().is_err_and(|found| found.contains(why)), "{way}: {found:?}");
    }
    // Equal nodes, and ranks, which are written as they are.
    assert!(set(&format!("{last}layer 2\n2*0,1,1,1\n")).is_err_and(|why| why.contains("no such child")));
    assert!(set(&format!("{last}layer 2\n0,1,1,1\n-3,1,1,1\n")).is_ok());
    for ranks in ["3:+", "3:-0", "+", "3:0,"] {
        assert!(set(&format!("layer 4\n{ranks}\n2:0\n1:0\n0\nlayer 1\n++++\n")).is_err(), "{ranks}");
    }
    // Places are levels once, and there are no more than the model has.
    for levels in ["0-0 1", "0 1"] {
        let text = format!("levels {levels}\nsteps 0\n{last}layer 1\n++++\nclaim 3 all\nset 0 0\n");
        assert!(about_2("A (G (#full <= 3))", &text).is_ok(), "{levels}");
    }
    for levels in ["0-2", "1-0", "0 0", "0-1 1", "2", "-1", ""] {
        let text = format!("levels {levels}\nsteps 0\n{last}layer 1\n++++\nclaim 3 all\nset 0 0\n");
        assert!(about_2("A (G (#full <= 3))", &text).is_err(), "{levels}");
    }
}

#[test]
fn runs_share_their_beginnings() {
    let both = "(E (F (#full = 2)) & E (F (#full = 3)))";
    let asked = |runs: &str| about_2(both, &format!("levels\nsteps 2\nstep 0 put\nstep 0 get\n{runs}"));
    let runs = "claim 3 run\nfire 0 0\nthen anything\nclaim 6 run\nsame 2\nfire 0\nthen anything\n";
    assert!(asked(runs).is_ok());
    for (from, to) in [
        ("same 2", "same 3"),
        ("same 2", "same 1"),
        ("same 2\nfire 0", "fire 0\nsame 2"),
        ("same 2", "same -2"),
        ("same 2", "same 0\nsame 2"),
        ("claim 6 run", "claim 6 run x"),
        ("fire 0\nthen", "fire 1\nthen"),
        ("fire 0\nthen", "fire 2\nthen"),
        ("fire 0\nthen", "fire 0 put\nthen"),
        ("same 2\nfire 0\nthen anything\n", "same 2\nfire 0\nthen anything\nsame 0\n"),
    ] {
        assert!(asked(&runs.replacen(from, to, 1)).is_err(), "{from} {to}");
    }
    assert!(asked(&runs.replace("claim 3 run\nfire 0 0\nthen anything\n", "")).is_err());
    // A step without a name is not one with an empty name.
    assert!(about_2(both, &format!("levels\nsteps 2\nstep 0 put\nstep 0\n{runs}")).is_err());
}

#[test]
fn runs() {
    let full = "E (F (#full = 2))";
    let twice = "levels 0\nclaim 3 run\nfire 0 put\nfire 0 put\nthen anything\n";
    assert!(answer(&about("maximal", full, true, twice)).is_ok());
    // Too short, about the wrong formula, of the wrong verdict, not possible.
    let once = "levels 0\nclaim 3 run\nfire 0 put\nthen anything\n";
    assert!(answer(&about("maximal", full, true, once)).is_err_and(|why| why.contains("does not satisfy")));
    assert!(answer(&about("maximal", full, true, &twice.replace("claim 3", "claim 2"))).is_err());
    assert!(answer(&about("maximal", full, false, twice)).is_err());
    assert!(
        answer(&about("maximal", full, true, &twice.replacen("put", "get", 1))).is_err_and(|why| why.contains("fires"))
    );
    // One end, and nothing behind it.
    for twofold in [format!("{twice}fire 0 get\n"), format!("{twice}then anything\n")] {
        assert!(answer(&about("maximal", full, true, &twofold)).is_err_and(|why| why.contains("after its end")));
    }
    // For ever half full: a loop shows it, an open end does not.
    let half = "A (F (#full = 2))";
    let round = "levels 0\nclaim 3 run\nfire 0 put\nfire 0 get\nthen loop 0\n";
    assert!(answer(&about("stutter", half, false, round)).is_ok());
    assert!(answer(&about("stutter", half, false, &round.replace("loop 0", "anything"))).is_err());
    assert!(answer(&about("stutter", half, false, &round.replace("loop 0", "deadlock"))).is_err());
}

/// Of the step after the end of a run nothing is known, neither that it is of a kind nor that it is not.
#[test]
fn runs_tell_which_steps_they_take() {
    let asked = |formula: &str, steps: &str, claim: u32| {
        answer(&about("stutter", formula, true, &format!("levels 0\nclaim {claim} run\n{steps}")))
    };
    let both = "E (action(put) & X action(get))";
    assert!(asked(both, "fire 0 put\nfire 0 get\nthen anything\n", 4).is_ok());
    assert!(asked(both, "fire 0 put\nfire 0 get\nthen loop 0\n", 4).is_ok());
    assert!(asked(both, "fire 0 put\nfire 0 put\nthen anything\n", 4).is_err());
    for (last, claim) in [("action(get)", 4), ("!action(get)", 5)] {
        let formula = format!("E (action(put) & X {last})");
        assert!(asked(&formula, "fire 0 put\nthen anything\n", claim).is_err_and(|why| why.contains("satisfy")));
    }
    assert!(asked("E (action(put) & X !action(get))", "fire 0 put\nfire 0 put\nthen anything\n", 5).is_ok());
    assert!(asked("E (G F action(put, get))", "fire 0 put\nfire 0 get\nthen loop 0\n", 5).is_ok());
}

/// What a claim says of steps is checked of steps of these labels alone.
#[test]
fn sets_tell_which_steps_they_take() {
    let levels = "levels 2\nlevel 0 free\nlevel 0 full\n";
    let all = |formula: &str, claim: u32, rest: &str| {
        answer(&about("stutter", formula, true, &format!("{levels}{rest}claim {claim} all\nset 0 0\n")))
    };
    // Of the first state alone: what is not `put` is not taken there. With one item it may be.
    let first = "layer 1\n0:0\nlayer 1\n3:0\n";
    assert!(all("A (action(put))", 1, first).is_ok());
    assert!(all("A (action(get))", 1, first).is_err());
    assert!(all("A (!action(get))", 2, first).is_ok());
    let some = |formula: &str, claim: u32| {
        answer(&about("stutter", formula, true, &format!("{levels}{first}claim {claim} some\nset 0 0 0\n")))
    };
    assert!(some("E (action(put))", 1).is_ok());
    assert!(some("E (action(get))", 1).is_err());
    assert!(some("E (!action(put))", 2).is_err());
}

#[test]
fn sets_are_closed_and_ranks_decrease() {
    let below = "A (G (#full <= 3))";
    let set = |nodes: &str| format!("levels 2\nlevel 0 free\nlevel 0 full\nlayer 4\n{nodes}claim 3 all\nset 0 0\n");
    let nodes = "3:0\n2:0\n1:0\n0:0\nlayer 1\n0:0 1:1 2:2 3:3\n";
    assert!(answer(&about("maximal", below, true, &set(nodes))).is_ok());
    // Rank 1 says that every step leads to a lower rank.
    assert!(answer(&about("maximal", below, true, &set(&nodes.replacen("3:0", "3:1", 1)))).is_err());
    let open = set(&nodes.replace("0:0 1:1 2:2 3:3", "1:1 2:2 3:3"));
    assert!(answer(&about("maximal", below, true, &open)).is_err_and(|why| why.contains("leads from")));
    // Without the initial state it is closed and of no use.
    let elsewhere = set("4:0\n3:0\n2:0\n1:0\n0:0\nlayer 1\n0:0 1:1 2:2 3:3 4:4\n").replace("layer 4", "layer 5");
    assert!(answer(&about("maximal", "A (G (#full <= 4))", true, &elsewhere)).is_err_and(|why| why.contains("imply")));
}

#[test]
fn inequalities() {
    let below = "A (G (#full <= 3))";
    let sum = "levels 0\nclaim 1 always\nkeeps (#free + #full <= 3)\nsum 0:1 1:1\n";
    assert!(answer(&about("maximal", below, true, sum)).is_ok());
    assert!(answer(&about("maximal", below, true, &sum.replace(" 1:1", ""))).is_err_and(|why| why.contains("add up")));
    assert!(
        answer(&about("maximal", below, true, &sum.replace("#free + ", ""))).is_err_and(|why| why.contains("breaks"))
    );
    assert!(
        answer(&about("maximal", below, true, &sum.replace("= 3)", "= 2)"))).is_err_and(|why| why.contains("breaks"))
    );
    assert!(answer(&about("maximal", "A (G (#full <= 2))", true, sum)).is_err_and(|why| why.contains("add up")));
    // That it is always so says nothing about what comes some time.
    assert!(answer(&about("maximal", "A (F (#full > 3))", true, sum)).is_err());
    // Cases: in a deadlock `put` lacks something free, and `get` something full.
    let alive = "A (G !deadlock)";
    let cases = "levels 0\nclaim 2 always\nkeeps (-#free - #full <= -1)\nsplit 0\nsplit 1\nsum 0:1 1:1 2:1\n";
    assert_eq!(answer(&about("maximal", alive, true, cases)).err(), None);
    assert!(answer(&about("maximal", alive, true, &cases.replace("split 1\n", ""))).is_err());
    assert!(answer(&about("maximal", alive, true, &cases.replace("split 1", "split 2"))).is_err());
    assert!(answer(&about("maximal", alive, true, &cases.replace("2:1\n", "2:1\nsum 0:1\n"))).is_err());
}
