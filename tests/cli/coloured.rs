//! Every command on coloured nets.

use super::{model, run, starset, states_json};
use serde_json::json;

/// Five philosophers take and give both forks at once.
const PHILO: &str = "coloured/philo-5.pnml";

#[test]
fn states_and_info() {
    let (found, status) = states_json(&model(PHILO), &["--deadlocks", "--bounds"]);
    assert_eq!(status, 0);
    assert_eq!(found["net"], json!({"places": 15, "transitions": 10, "arcs": 40}));
    let figures = ["states", "transitions", "max_tokens_in_place", "max_tokens_per_marking", "deadlocks"];
    assert_eq!(figures.map(|key| found[key].as_str().unwrap()), ["11", "30", "1", "10", "0"]);
    assert_eq!(found["bounds"]["Eat_3"], "1");
    let (out, _, status) = run(starset().arg("info").arg(model(PHILO)));
    assert_eq!((out.lines().next(), status), (Some("philo-coloured: 15 places, 10 transitions, 40 arcs"), 0));
    let (_, err, _) = run(starset().args(["states", "-v"]).arg(model(PHILO)));
    assert!(err.contains("philo-coloured: coloured, 3 places, 2 transitions, unfolded in "), "{err}");
    // The same from standard input.
    let text = std::fs::read(model(PHILO)).unwrap();
    let (out, _, status) = run(starset().args(["states", "-", "--format", "mcc"]).write_stdin(text));
    assert!(status == 0 && out.starts_with("STATE_SPACE STATES 11 "), "{out}");
}

/// Formulas name coloured places and transitions, or their instances.
#[test]
fn formulas() {
    let check = |formula: &str| {
        let (out, err, status) = run(starset().args(["check", "-f", formula]).arg(model(PHILO)));
        (out.trim().to_owned(), err, status)
    };
    for (formula, verdict) in [
        ("AG #Eat <= 2", true),
        ("EF #Eat >= 2", true),
        ("EF (#Eat_1 = 1 & #Eat_2 = 1)", false),
        ("EF (#Eat_1 = 1 & #Eat_3 = 1)", true),
        ("AG (enabled(take) | #Eat = 2)", true),
        ("AG (enabled(give) <-> #Eat > 0)", true),
        ("enabled(take_5)", true),
        ("enabled(give_5)", false),
    ] {
        assert_eq!(check(formula).0, format!("1: {verdict}"), "{formula}");
    }
    let (_, err, status) = check("EF #Eat_6 = 1");
    assert!(status == 2 && err.contains("unknown place `Eat_6`"), "{err}");
    let (out, _, status) = run(starset().args(["satset", "-f", "#Eat = 2", "--list", "9"]).arg(model(PHILO)));
    assert_eq!((out.lines().next(), status), (Some("1: false, holds in 5 of 11 markings"), 0), "{out}");
    assert_eq!(out.lines().count(), 6);
    assert!(out.contains("Eat_1 Eat_3 "), "{out}");
}

/// A colour that is never in its place and a binding that never fires can be named all the same.
#[test]
fn instances_that_are_not_unfolded() {
    let text = std::fs::read_to_string(model(PHILO)).unwrap();
    let guard = "<condition><structure><equality><subterm><variable refvariable=\"x\"/></subterm>\
        <subterm><useroperator declaration=\"Phil2\"/></subterm></equality></structure></condition></transition>";
    let text = text.replace("<text>take</text></name></transition>", &format!("<text>take</text></name>{guard}"));
    let check = |formula: &str| {
        let (out, err, _) = run(starset().args(["check", "-", "-f", formula]).write_stdin(text.as_str()));
        format!("{out}{err}")
    };
    assert_eq!(check("AG #Eat_1 = 0").trim(), "1: true");
    assert_eq!(check("EF #Eat_2 = 1").trim(), "1: true");
    assert_eq!(check("EF enabled(take_1, give_3)").trim(), "1: false");
    assert_eq!(check("AG #Eat_1 + #Eat_3 <= #Eat").trim(), "1: true");
    assert_eq!(check("bounds(Eat_1) = 0").trim(), "1: true");
    assert!(check("enabled(take_6)").contains("unknown transition `take_6`"));
}

/// What a net that does not fit the limits is not asked without its unfolding stays unknown.
#[test]
fn limits() {
    let mut sort = String::new();
    (0..3000).for_each(|c| sort.push_str(&format!("<feconstant id=\"c{c}\"/>")));
    let variables: String =
        ["x", "y"].map(|id| format!("<variabledecl id=\"{id}\"><usersort declaration=\"s\"/></variabledecl>")).concat();
    let pair = "<usersort declaration=\"s\"/><usersort declaration=\"s\"/>";
    let text = format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"><page id=\"g\">\
         <place id=\"p\"><type><structure><usersort declaration=\"ss\"/></structure></type></place><transition id=\"t\"/>\
         <arc source=\"t\" target=\"p\"><hlinscription><structure><tuple><subterm><variable refvariable=\"x\"/></subterm>\
         <subterm><variable refvariable=\"y\"/></subterm></tuple></structure></hlinscription></arc></page>\
         <declaration><structure><declarations><namedsort id=\"s\"><finiteenumeration>{sort}</finiteenumeration></namedsort>\
         <namedsort id=\"ss\"><productsort>{pair}</productsort></namedsort>{variables}</declarations></structure>\
         </declaration></net></pnml>"
    );
    for (arguments, reason) in [(["--memory", "20M"], "memory"), (["--time", "0.01"], "time")] {
        let (out, err, status) = run(starset().args(["states", "-"]).args(arguments).write_stdin(text.as_str()));
        let numbers: Vec<&str> = out.lines().skip(1).collect();
        assert!(status == 3 && numbers.iter().all(|line| line.ends_with("unknown")), "{out} {err}");
        assert!(err.contains("unknown: ") && err.contains(reason), "{err}");
    }
    // As many tokens as there are come in; which they are makes no difference.
    let mut check = starset();
    check.args([
        "check",
        "-",
        "--memory",
        "20M",
        "--quiet",
        "-f",
        "AG EF #p > 0",
        "-f",
        "EF #p >= 5",
        "-f",
        "AG #p >= 0",
    ]);
    let (out, err, status) = run(check.args(["--time", "5"]).write_stdin(text.as_str()));
    assert!(out.contains("2: true") && out.contains("3: true"), "{out} {err}");
    assert!(matches!(status, 0 | 3));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.pnml"), text).unwrap();
    let (out, _, status) =
        run(starset().args(["mcc", "--examination", "StateSpace", "--memory", "20M"]).arg(folder.path()));
    assert!(out.starts_with("CANNOT_COMPUTE\n") && status == 3, "{out}");
}
