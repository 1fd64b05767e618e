//! Nets in which tokens grow without end: bounds in formulas, the place that is to blame; arithmetic at the ends of 128 bits; times far away.

use super::{model, run, starset, states_json};
use crate::shared::shared;
use serde_json::Value;

fn check(net: &std::path::Path, arguments: &[&str]) -> (String, String, i32) {
    run(starset().arg("check").arg(net).args(arguments))
}

#[test]
fn bounds_in_formulas_are_soon_known() {
    let net = model("pipeline-2.pnml");
    let started = std::time::Instant::now();
    for (formula, verdict) in [
        ("bounds(Ready_0) <= 1", true),
        ("bounds(Ready_0, Busy_0) = 1", true),
        ("bounds(Buffer_0) <= 5", false),
        ("AG (bounds(Buffer_0) > #Buffer_0)", true),
        ("EF bounds(Ready_0) + #Buffer_0 = 3", true),
    ] {
        let (out, err, status) = check(&net, &["-f", formula]);
        assert_eq!((out, status), (format!("1: {verdict}\n"), 0), "{formula}: {err}");
    }
    // A sum without a greatest value is no number.
    let (out, _, status) = check(&net, &["-f", "bounds(Buffer_0) + 1 > 5", "--time", "2"]);
    assert_eq!((out.as_str(), status), ("1: unknown\n", 3));
    assert!(started.elapsed().as_secs() < 60);
}

#[test]
fn the_place_is_named() {
    let (_, err, status) = run(starset().arg("states").arg(model("pipeline-2.pnml")));
    assert!(status == 3 && err.starts_with("starset: the net is unbounded: the tokens in Buffer_"), "{err}");
    let (object, _) = states_json(&model("pipeline-2.pnml"), &[]);
    assert!(object["message"].as_str().unwrap().contains("the tokens in Buffer_"), "{object}");
}

/// Inhibitor arcs do not hide it: a place that inhibits others grows.
#[test]
fn the_place_is_named_with_inhibitor_arcs() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("inhibited.net");
    std::fs::write(&net, "net n\npl p (2)\npl q (0)\ntr t p*2 q?-1 -> q\ntr u q -> p\ntr v p?1 -> q\n").unwrap();
    let (_, err, status) = run(starset().arg("states").arg(&net));
    assert!(status == 3 && err.contains("the tokens in "), "{err}");
    let (out, err, status) = check(&net, &["-f", "bounds(p) <= 5"]);
    assert_eq!((out.as_str(), status), ("1: false\n", 0), "{err}");
}

/// Of an unbounded net each place has a bound or none.
#[test]
fn bounds_of_places() {
    let net = model("pipeline-2.pnml");
    let (out, err, status) = run(starset().arg("states").arg(&net).arg("--bounds"));
    assert!(status == 3 && err.contains("the tokens in Buffer_"), "{err}");
    let bound =
        |place: &str| out.lines().find_map(|line| line.trim().strip_prefix(place).map(str::trim).map(str::to_owned));
    assert_eq!([bound("Ready_0"), bound("Buffer_0")], [Some("1".to_owned()), Some("infinite".to_owned())], "{out}");
    let (object, _) = states_json(&net, &["--bounds"]);
    assert_eq!((&object["bounds"]["Ready_0"], &object["bounds"]["Buffer_0"]), (&"1".into(), &Value::Null));
}

#[test]
fn inputs_from_outside() {
    let Some(faults) = shared("faults") else { return };
    let unbounded = faults.join("bounds-unbounded.pnml");
    let (out, err, status) = check(&unbounded, &["-f", "bounds(p) <= 5"]);
    assert_eq!((out.as_str(), status), ("1: true\n", 0), "{err}");
    let (_, err, _) = run(starset().arg("states").arg(&unbounded));
    assert!(err.contains("the tokens in q grow without end") && !err.contains("unknown"), "{err}");
    let (out, err, status) = check(&unbounded, &["-x", faults.join("product.xml").to_str().unwrap()]);
    assert_eq!((out.as_str(), status), ("prod: true\n", 0), "{err}");
    // Only rearranging it leaves 128 bits; where a value does, there is no answer.
    let undefined = faults.join("undefined.pnml");
    for (formula, expected) in [
        ("-#p < 170141183460469231731687303715884105727", "1: true\n"),
        ("AG #p - 1 > -170141183460469231731687303715884105727", "1: true\n"),
        ("AG #p * 2 < 170141183460469231731687303715884105727 - #p", "1: true\n"),
        ("-#p - 170141183460469231731687303715884105727 < 0", "1: unknown\n"),
    ] {
        let (out, err, _) = check(&undefined, &["--engine", "symbolic", "-f", formula]);
        assert_eq!(out, expected, "{formula}: {err}");
    }
    let started = std::time::Instant::now();
    let (out, err, status) = run(starset().arg("time").arg(faults.join("horizon.pnwc")).arg("--json"));
    let times: Value = serde_json::from_str(&out).unwrap();
    assert!(status == 0 && (10..1000).contains(&times["horizon"].as_u64().unwrap()), "{out}{err}");
    assert!(err.contains("times are measured up to") && started.elapsed().as_secs() < 20, "{err}");
}
