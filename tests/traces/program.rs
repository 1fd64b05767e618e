//! `starset replay` as its users see it.

use crate::cli::{model, run, starset};

const PROCESS: &str = "models/order.bpmn";

#[test]
fn a_log_on_a_process() {
    let command = |options: &[&str]| run(starset().args(["replay", "models/orders.csv", PROCESS]).args(options));
    let (out, _, status) = command(&["--rules", "models/order.rules"]);
    assert_eq!(status, 0, "{out}");
    for line in [
        "models/orders.csv on order: 4 traces, 3 variants, 16 events",
        "  complete               2 traces",
        "  in the middle          1 trace",
        "  leave the model        1 trace",
        "  answered               false in 1 trace: response(\"Place order\", \"Send goods\")",
        "  checked                false in 1 trace: precedence(Pack, \"Send goods\")",
        "  once                   true: at_most_one(Pay)",
        "  1 × in the middle, then Complain, Write invoice; breaks answered: Place order · Pack (case 4)",
        "  1 × leaves the model at 3, where it has Complain, Pack; breaks checked: \
         Place order · Write invoice · [Send goods] · Pack (case 2)",
        "  2 × complete: Place order · Pack · Write invoice · Send goods · Pay (case 1, 3)",
    ] {
        assert!(out.contains(&format!("{line}\n")), "{line}\n{out}");
    }
    let (out, _, status) = command(&["--fail-if-false", "--list", "1"]);
    assert!(status == 1 && out.ends_with("(case 1, 3)\n  and 2 variants more\n"), "{out}");
    let (out, _, status) = command(&["--json", "--rules", "models/order.rules"]);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (status, &object["complete"], &object["open"], &object["leaving"]),
        (0, &2.into(), &1.into(), &1.into())
    );
    assert_eq!(object["variants"][1]["at"], 3);
}

#[test]
fn columns_and_life_cycles() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    std::fs::write(&path, "n,what,lifecycle\n1,ask,start\n1,FF1a_0,complete\n").unwrap();
    let command = |options: &[&str]| {
        run(starset()
            .arg("replay")
            .arg(&path)
            .arg(model("philo-5.pnml"))
            .args(["--case", "n", "--activity", "what"])
            .args(options))
    };
    let (out, err, status) = command(&[]);
    assert!(status == 0 && err.contains("1 events are left out"), "{err}");
    assert!(out.contains("  a run is over          where nothing can fire\n"), "{out}");
    let (out, _, _) = command(&["--lifecycle", "all"]);
    assert!(out.contains("  not in the model       ask\n") && out.contains("leaves the model at 1"), "{out}");
    let rules = folder.path().join("x.rules");
    std::fs::write(&rules, "F Pya\n").unwrap();
    let (_, err, status) = command(&["--rules", rules.to_str().unwrap()]);
    assert!(status == 0 && err.contains("neither the log nor the model has an activity `Pya`"), "{err}");
    let (_, err, status) = run(starset().args(["replay", "models/orders.csv", "models/buffer.counters"]));
    assert!(status == 2 && err.contains("give a net or a process"), "{err}");
    let (_, err, status) = run(starset().args(["replay", PROCESS, PROCESS]));
    assert!(status == 2 && err.contains("this is no event log"), "{err}");
    let (_, err, status) = run(starset().args(["replay", "models/orders.csv", PROCESS, "--time", "0.000001"]));
    assert!(status == 3 && err.contains("unknown: out of time"), "{status} {err}");
}

/// A final marking that has no token is one, too: in it nothing is left.
#[test]
fn runs_that_end_without_tokens() {
    let net = |marking: &str| {
        format!(
            "<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'><net id='n' \
             type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'><place id='p'><initialMarking><text>1</text>\
             </initialMarking></place><place id='q'/><transition id='A'/><transition id='B'/><arc id='1' source='p' target='A'/>\
             <arc id='2' source='p' target='B'/><arc id='3' source='B' target='q'/></page><finalmarkings><marking>{marking}\
             </marking></finalmarkings></net></pnml>"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let [path, log, rules] = ["n.pnml", "l.csv", "r.rules"].map(|name| folder.path().join(name));
    std::fs::write(&log, "case,activity\n1,A\n2,B\n").unwrap();
    std::fs::write(&rules, "F A\nF B\n").unwrap();
    // One that names no place says nothing: then one token in the only place without output is the end.
    for (marking, a_completes) in [("<place idref='p'><text>0</text></place>", true), ("", false)] {
        std::fs::write(&path, net(marking)).unwrap();
        let (out, err, status) = run(starset().arg("replay").args([&log, &path]).arg("--json"));
        let found: serde_json::Value = serde_json::from_str(&out).unwrap();
        let verdict = |at: usize| found["variants"].as_array().unwrap()[at]["verdict"] == "complete";
        let a_first = found["variants"][0]["activities"][0] == "A";
        let [of_a, of_b] = if a_first { [verdict(0), verdict(1)] } else { [verdict(1), verdict(0)] };
        assert_eq!((of_a, of_b, status), (a_completes, !a_completes, 0), "{err}");
        let (out, err, status) = run(starset().arg("rules").args([&rules, &path]).arg("--json"));
        let found: serde_json::Value = serde_json::from_str(&out).unwrap();
        let all = [0, 1].map(|rule| found["rules"][rule]["all"].as_bool().unwrap());
        assert_eq!((all, status), ([a_completes, !a_completes], 0), "{err}");
    }
}
