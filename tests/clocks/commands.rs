//! The commands about time, as their users see them: the numbers of the semantics document, and what is said beside them.

use crate::cli::{model, run, starset, states_json};
use crate::shared::shared;
use serde_json::{Value, json};
use starset::kinds::clocks::{families, line_format};
use std::path::{Path, PathBuf};

/// A net in a file of its own.
fn written(net: &starset::kinds::clocks::model::ClockNet) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.pnwc");
    std::fs::write(&path, line_format::write(net).unwrap()).unwrap();
    (folder, path)
}

fn object(command: &str, net: &Path, arguments: &[&str]) -> Value {
    let (out, err, status) = run(starset().arg(command).arg(net).arg("--json").args(arguments));
    assert_eq!(status, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

/// States and markings of integer time, markings and zones of dense time.
fn check_row(net: &Path, engine: &str, [states, markings, equality, inclusion]: [usize; 4]) {
    let (integer, status) = states_json(net, &["--time-model", "integer", "--engine", engine]);
    assert_eq!(status, 0);
    let found = ["states", "markings", "time_model"].map(|key| integer[key].clone());
    assert_eq!(found, [json!(states.to_string()), json!(markings.to_string()), json!("integer")], "{}", net.display());
    if engine == "auto" {
        let (dense, status) = states_json(net, &["--time-model", "dense"]);
        assert_eq!(status, 0);
        assert_eq!((&dense["time_model"], &dense["states"]), (&json!("dense"), &Value::Null));
        let zones = json!({ "equality": equality.to_string(), "inclusion": inclusion.to_string() });
        assert_eq!(dense["zones"], zones, "{}", net.display());
        assert!(dense["model"].is_string() && dense["clocknet"]["clocks"].is_u64());
    }
}

#[test]
fn the_table_by_command() {
    let Some(folder) = shared("clocks/nets") else { return };
    for (name, row) in [
        ("order_bad", [1286, 9, 13, 10]),
        ("order_fixed", [2408, 11, 17, 14]),
        ("office_hours", [326, 4, 5, 5]),
        ("touch", [24, 2, 4, 3]),
        ("halfopen", [14, 3, 4, 4]),
        ("fischer2_k2", [95, 18, 35, 27]),
        ("fischer2_k2_broken", [159, 28, 115, 35]),
        ("fischer3_k2", [673, 65, 343, 253]),
        ("fischer3_k2_broken", [1603, 152, 4369, 526]),
        ("fischer4_k2", [4639, 220, 4209, 3077]),
    ] {
        for engine in ["auto", "symbolic", "explicit", "both"] {
            check_row(&folder.join(format!("{name}.pnwc")), engine, row);
        }
        let dense = object("states", &folder.join(format!("{name}.pnwc")), &["--time-model", "dense"]);
        // Dense time reaches as many markings in all of these nets.
        assert_eq!(dense["markings"], row[1].to_string());
    }
    // The same nets in the other format.
    for name in ["order_bad", "order_fixed", "office_hours", "fischer2_k2", "fischer3_k2"] {
        let [one, other] = ["pnwc", "pnml"].map(|form| object("states", &folder.join(format!("{name}.{form}")), &[]));
        assert_eq!((&one["states"], &one["clocknet"]), (&other["states"], &other["clocknet"]), "{name}");
    }
}

/// Fischer's protocol by diagrams: states, transitions and markings of integer time.
fn check_fischer(n: u32, strict: bool, [states, transitions, markings]: [u64; 3]) {
    let (_folder, path) = written(&families::fischer(n, 2, strict).unwrap());
    let (found, status) = states_json(&path, &["--time-model", "integer", "--engine", "symbolic"]);
    let found = ["states", "transitions", "markings"].map(|key| found[key].as_str().unwrap().parse::<u64>().unwrap());
    assert_eq!((found, status), ([states, transitions, markings], 0), "{n} {strict}");
}

#[test]
fn fischer_by_diagrams() {
    for (n, numbers) in (1..).zip([
        [12, 20, 4],
        [95, 176, 18],
        [673, 1338, 65],
        [4639, 9912, 220],
        [31357, 72446, 727],
        [208527, 522916, 2378],
        [1369081, 3730866, 7737],
    ]) {
        // The large ones are for the optimised tests.
        if !cfg!(debug_assertions) || n < 6 {
            check_fischer(n, true, numbers);
        }
    }
    for (n, numbers) in
        (1..).zip([[13, 23, 4], [159, 358, 28], [1603, 4452, 152], [15329, 51366, 752], [143597, 566746, 3552]])
    {
        if !cfg!(debug_assertions) || n < 5 {
            check_fischer(n, false, numbers);
        }
    }
}

#[test]
fn models_of_time_are_for_nets_with_clocks() {
    for time_model in ["integer", "dense"] {
        let (_, err, status) =
            run(starset().args(["states", "--time-model", time_model]).arg(model("buffer.counters")));
        assert_eq!(status, 2, "{time_model}: {err}");
    }
    let (_, err, status) =
        run(starset().args(["states", "--time-model", "dense", "--deadlocks"]).arg(model("claim.pnwc")));
    assert!(status == 2 && err.contains("`starset time`"), "{err}");
    let (out, _, status) = run(starset().args(["states", "--time-model", "dense"]).arg(model("claim.pnwc")));
    assert!(status == 0 && out.contains("zones, by inclusion"), "{out}");
    let (out, err, status) = run(starset().args(["states", "--exact"]).arg(model("claim.pnwc")));
    assert!(status == 0 && out.contains("states"), "{err}");
    let (_folder, strict) = written(&families::fischer(2, 2, true).unwrap());
    let (_, err, status) = run(starset().args(["states", "--exact"]).arg(&strict));
    assert!(status == 2 && err.contains("the condition of `enter1` is strict"), "{err}");
    let (_, err, status) = run(starset().args(["states", "--strict-paper"]).arg(&strict));
    assert!(status == 2 && err.contains("does not bound the clock `x1`"), "{err}");
    // Units are made finer where comparisons are strict, and nobody asks for whole ones.
    let states =
        |arguments: &[&str]| object("states", &strict, arguments)["states"].as_str().unwrap().parse::<u32>().unwrap();
    assert!(states(&[]) > states(&["--time-model", "integer"]));
    let (_, err, _) = run(starset().args(["states", "--verbose"]).arg(&strict));
    assert!(err.contains("a unit is divided by 3"), "{err}");
}

#[test]
fn what_time_does_to_the_claim() {
    let claim = object("time", &model("claim.pnwc"), &[]);
    assert_eq!((&claim["schema"], &claim["consistent"]), (&json!("starset/time/1"), &json!(false)));
    let reminded = "the condition of `remind` contradicts the invariants wherever it has its tokens";
    assert_eq!(claim["inconsistencies"], json!([reminded]));
    assert_eq!(claim["dead_places"], json!(["reminded"]));
    let dead: Vec<_> = claim["dead_transitions"].as_array().unwrap().iter().map(|dead| &dead["transition"]).collect();
    assert_eq!(dead, ["remind", "answer"]);
    assert_eq!(claim["unreachable"], json!([{ "reminded": "1" }]));
    let [block] = &claim["blocks"].as_array().unwrap()[..] else { panic!("{claim}") };
    assert_eq!((&block["kind"], &block["marking"]), (&json!("timelock"), &json!({ "accepted": "1", "report": "1" })));
    assert_eq!(block["clocks"], json!({ "d": "8<d<=12", "e": "18<e<=22" }));
    assert!(block["run"]["steps"].as_array().is_some_and(|steps| steps.len() >= 3), "{block}");
    let repairs: Vec<&str> = block["repairs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|repair| repair["outcome"] == "removes")
        .map(|repair| repair["change"].as_str().unwrap())
        .collect();
    assert!(repairs.contains(&"in the condition of `pay`, `e<=22` instead of `e<=18`"), "{repairs:?}");
    assert!(repairs.contains(&"in the invariant of `accepted`, `d<=8` instead of `d<=12`"), "{repairs:?}");
    assert_eq!(claim["since_start"]["open"]["slowest"], "3");
    assert_eq!(claim["since"]["accept"]["pay"]["fastest"], "1");
    assert_eq!(claim["completion"]["fastest_attained"], true);
    for (end, takes) in [("fastest", "3"), ("slowest", "21")] {
        assert_eq!(claim["completion"][end], takes);
        let run = &claim["completion"][format!("{end}_run")];
        assert_eq!((&run["duration"], &run["rest"]), (&json!(takes), &json!("0")), "{run}");
        assert!(claim["since"]["accept"]["pay"][format!("{end}_run")]["steps"].is_array());
    }
    // A final marking is no deadlock.
    assert_eq!(claim["deadlocks"][0]["marking"], json!({ "closed": "1" }));
    let claim = object("time", &model("claim.pnwc"), &["--final", "closed", "--since", "accept"]);
    assert_eq!(claim["deadlocks"], json!([]));
    assert_eq!(claim["since"].as_object().unwrap().len(), 1);
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("claim.html");
    let (out, err, status) =
        run(starset().args(["time", "--final", "closed", "--report"]).arg(&page).arg(model("claim.pnwc")));
    assert_eq!((err.as_str(), status), ("", 0));
    assert!(out.contains("repair") && !out.contains("no repair") && !out.contains("deadlock"), "{out}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("A timelock in {accepted report}") && html.contains("class=\"block\""));
    assert!(html.contains("<h3>The slowest run</h3>") && html.contains("<summary>pay</summary>"));
    let (out, _, _) = run(starset().args(["time", "--all"]).arg(model("claim.pnwc")));
    assert!(out.contains("no repair") && out.matches("may be tightened").count() > 3, "{out}");
    assert!(
        out.contains("  until all is done      3..21\n    fastest              ") && out.contains("\n    slowest pay ")
    );
}

#[test]
fn the_orders_of_the_semantics() {
    let Some(folder) = shared("clocks/nets") else { return };
    let bad = object("time", &folder.join("order_bad.pnwc"), &["--final", "closed"]);
    let [block] = &bad["blocks"].as_array().unwrap()[..] else { panic!("{bad}") };
    assert_eq!((&block["kind"], &block["marking"]), (&json!("timelock"), &json!({ "approved": "1", "packed": "1" })));
    assert!(block["region"].as_str().unwrap().starts_with("12<a<=16 & 20<b<=24"), "{block}");
    let outcome = |change: &str| {
        let repairs = block["repairs"].as_array().unwrap();
        repairs.iter().find(|repair| repair["change"] == change).map(|repair| repair["outcome"].clone())
    };
    assert_eq!(outcome("in the condition of `ship`, `b<=24` instead of `b<=20`"), Some(json!("removes")));
    assert_eq!(outcome("in the invariant of `approved`, `a<=12` instead of `a<=16`"), Some(json!("removes")));
    let ends = |time: &Value| [time["fastest"].clone(), time["slowest"].clone()];
    assert_eq!(ends(&bad["since_start"]["invoice"]), ["8", "46"]);
    assert_eq!(ends(&bad["since_start"]["restock"]), ["7", "14"]);
    let fixed = object("time", &folder.join("order_fixed.pnwc"), &["--final", "closed"]);
    assert_eq!((&fixed["blocks"], &fixed["dead_transitions"]), (&json!([]), &json!([])));
    assert_eq!(ends(&fixed["since_start"]["invoice"]), ["8", "70"]);
    assert_eq!(ends(&fixed["since_start"]["restock"]), ["7", "34"]);
    let hours = object("time", &folder.join("office_hours.pnwc"), &[]);
    let blocks: Vec<_> = hours["blocks"].as_array().unwrap().iter().map(|b| (&b["kind"], &b["marking"])).collect();
    let (window, lock) = (json!("missed window"), json!("timelock"));
    assert_eq!(blocks, [(&window, &json!({ "arrive": "1" })), (&lock, &json!({ "desk": "1" }))]);
}

#[test]
fn wrong_questions_about_time_are_refused() {
    for (arguments, problem) in [
        (["--final", "nowhere"], "there is no place `nowhere`"),
        (["--final", "closed*x"], "`x` is no number of tokens"),
        (["--since", "nothing"], "there is no transition `nothing`"),
        (["--horizon", "999999999"], "horizon"),
    ] {
        let (_, err, status) = run(starset().arg("time").arg(model("claim.pnwc")).args(arguments));
        assert!(status == 2 && err.contains(problem), "{arguments:?}: {err}");
    }
    let (_, err, status) = run(starset().arg("time").arg(model("pipe.dot")));
    assert!(status == 2 && err.contains("has no clocks"), "{err}");
    // Without a bound on tokens nothing can be said about time.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grows.pnwc");
    std::fs::write(&path, "clocks x\nplace p init 1 inv x<=2\ntrans t : p -> p*2 reset x\n").unwrap();
    let (out, _, status) = run(starset().arg("time").arg(&path).args(["--json", "--time", "2"]));
    let unknown: Value = serde_json::from_str(&out).unwrap();
    assert!(status == 3 && unknown["reason"].is_string() && unknown["blocks"].is_null(), "{out}");
    // No state at all: said as such.
    std::fs::write(&path, "clocks x\nplace p init 1 inv x>=2\nplace q\ntrans t : p -> q\n").unwrap();
    let none = object("time", &path, &[]);
    assert_eq!((&none["consistent"], &none["markings"]), (&json!(false), &json!("0")));
    assert!(none["inconsistencies"].to_string().contains("exclude zero"), "{none}");
}

/// A workflow as PNML of a tool that knows nothing of clocks, with display names.
fn workflow(more: &str) -> String {
    format!(
        "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/pnmlcoremodel'><page id='page'>
        <place id='n1'><name><text>start</text></name><initialMarking><text>1</text></initialMarking></place>
        <place id='n2'><name><text>waiting</text></name></place><place id='n3'><name><text>end</text></name></place>
        <transition id='n4'><name><text>ask</text></name></transition>
        <transition id='n5'><name><text>answer</text></name></transition>
        <arc id='a' source='n1' target='n4'/><arc id='b' source='n4' target='n2'/>
        <arc id='c' source='n2' target='n5'/><arc id='d' source='n5' target='n3'/>{more}</page></net></pnml>"
    )
}

#[test]
fn soundness_with_and_without_time() {
    let claim = object("soundness", &model("claim.pnwc"), &[]);
    let verdicts = |object: &Value| {
        ["classical", "weak", "relaxed", "lazy", "fair"].map(|notion| object[notion].as_bool().unwrap())
    };
    assert_eq!((&claim["source"], &claim["sink"]), (&json!("filed"), &json!("closed")));
    assert_eq!(verdicts(&claim), [false; 5]);
    assert_eq!(claim["dead_transitions"], json!(["remind", "answer"]));
    assert!(claim["option_to_complete"]["refuted_by"]["steps"].is_array(), "{claim}");
    assert_eq!(claim["proper_completion"]["met"], true);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("workflow.pnml");
    let of = |more: &str| {
        std::fs::write(&path, workflow(more)).unwrap();
        object("soundness", &path, &[])
    };
    let plain = of("");
    assert_eq!(
        (verdicts(&plain), &plain["source"], &plain["time_model"]),
        ([true; 5], &json!("start"), &json!("none"))
    );
    // A way back that leaves a second case behind: tokens grow.
    std::fs::write(&path, workflow("<arc id='e' source='n5' target='n2'/>")).unwrap();
    let (out, _, status) = run(starset().arg("soundness").arg(&path).arg("--json"));
    let grown: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&grown["classical"], &grown["weak"], &grown["fair"]), (&json!(false), &json!(false), &Value::Null));
    assert_eq!((&grown["reason"], status), (&json!("unbounded"), 3));
    // A dead end: the run that leads there.
    let dead = "<place id='n6'/><transition id='n7'/><arc id='e' source='n2' target='n7'/><arc id='f' source='n7' target='n6'/>\
                <transition id='n8'/><arc id='g' source='n6' target='n8'/><arc id='h' source='n2' target='n8'/>\
                <arc id='i' source='n8' target='n3'/>";
    let dead = of(dead);
    assert_eq!(dead["classical"], false);
    let steps = dead["option_to_complete"]["refuted_by"]["steps"].as_array().unwrap();
    assert_eq!(steps.iter().map(|step| &step["transition"]).collect::<Vec<_>>(), ["ask", "n7"]);
    let (out, _, status) = run(starset().arg("soundness").arg(&path));
    assert!(
        status == 0 && out.contains("ask, n7 reaches") && !out.contains("clock") && out.contains("not sound"),
        "{out}"
    );
    assert_eq!(run(starset().arg("soundness").arg(&path).arg("--fail-if-false")).2, 1);
    std::fs::write(&path, workflow("")).unwrap();
    assert_eq!(run(starset().arg("soundness").arg(&path).arg("--fail-if-false")).2, 0);
    let (_, err, status) = run(starset().arg("soundness").arg(model("philo-5.pnml")));
    assert!(status == 2 && err.contains("a workflow net has one place without input"), "{err}");
}

/// The file says in which markings a case is done.
#[test]
fn soundness_with_final_markings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("finals.pnml");
    // Two ends, of which the second is a place of its own.
    let two = "<place id='n6'/><transition id='n7'/><arc id='e' source='n2' target='n7'/><arc id='f' source='n7' target='n6'/>";
    let of = |more: &str, finals: &[&[(&str, u32)]]| {
        let place = |(id, tokens): &(&str, u32)| format!("<place idref='{id}'><text>{tokens}</text></place>");
        let marking =
            |places: &&[(&str, u32)]| format!("<marking>{}</marking>", places.iter().map(place).collect::<String>());
        let finals: String = finals.iter().map(marking).collect();
        let text = workflow(more).replace("</net>", &format!("<finalmarkings>{finals}</finalmarkings></net>"));
        std::fs::write(&path, text).unwrap();
        let (out, err, status) = run(starset().arg("soundness").arg(&path).arg("--json"));
        assert_eq!(status, 0, "{err}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let weak = |found: &Value| [&found["classical"], &found["weak"]].map(|verdict| verdict.as_bool().unwrap());
    assert_eq!(weak(&of("", &[&[("n3", 1)]])), [true; 2]);
    assert_eq!(weak(&of("", &[])), [true; 2]);
    assert_eq!(weak(&of("", &[&[("n3", 0)]])), [true; 2]);
    // [2 o] is not reached, [p] is left again.
    assert_eq!(weak(&of("", &[&[("n3", 2)]])), [false; 2]);
    assert_eq!(weak(&of("", &[&[("n2", 1)]])), [false; 2]);
    let both = of(two, &[&[("n3", 1)], &[("n6", 1)]]);
    assert_eq!((weak(&both), &both["sink"]), ([true; 2], &Value::Null));
    assert_eq!(both["ends"], json!([{ "end": "1" }, { "n6": "1" }]));
    let first = of(two, &[&[("n3", 1)]]);
    assert_eq!((weak(&first), &first["sink"]), ([false; 2], &json!("end")));
    assert_eq!(
        first["cannot_complete"],
        json!({ "markings": 1, "regions": [{ "marking": { "n6": "1" }, "clocks": null }] })
    );
    // A last transition that leaves two tokens.
    let twice = "<place id='n6'/><arc id='e' source='n5' target='n6'/>";
    assert_eq!(weak(&of(twice, &[&[("n3", 1), ("n6", 1)]])), [true; 2]);
    let (out, _, _) = run(starset().arg("soundness").arg(&path));
    assert!(out.contains("final markings         {end n6}"), "{out}");
    // Without them a net with two ends is no workflow net.
    std::fs::write(&path, workflow(two)).unwrap();
    let (_, err, status) = run(starset().arg("soundness").arg(&path));
    assert!(status == 2 && err.contains("give them as final markings"), "{err}");
}

/// Where the file says that a case is done, nothing needs to happen.
#[test]
fn final_markings_of_a_file_are_no_deadlocks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("finals.pnml");
    let finals = |place: &str| {
        let marking = format!("<marking><place idref='{place}'><text>1</text></place></marking>");
        workflow("").replace("</net>", &format!("<finalmarkings>{marking}</finalmarkings></net>"))
    };
    for (text, dead) in [(workflow(""), true), (finals("n3"), false), (finals("n2"), true)] {
        std::fs::write(&path, text).unwrap();
        let (out, err, status) = run(starset().arg("time").arg(&path));
        assert_eq!((err.as_str(), status), ("", 0));
        assert_eq!(out.contains("deadlock               {end}"), dead, "{out}");
    }
}

/// The page has the net, the run and the states that cannot complete.
#[test]
fn a_page_about_soundness() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("claim.html");
    let of = |net: &std::path::Path| {
        let (_, err, status) = run(starset().arg("soundness").arg(net).arg("--report").arg(&page));
        assert_eq!((err.as_str(), status), ("", 0));
        std::fs::read_to_string(&page).unwrap()
    };
    let html = of(&model("claim.pnwc"));
    for part in [
        "<h1>Soundness of claim</h1>",
        "<td>classical</td><td class=\"false\">not sound</td>",
        "class=\"net\"",
        "<h2>Refuted: option to complete, option to mark the end</h2>",
        "<code>{accepted report}</code> where <code>",
        "class=\"block\"",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("<script"));
    // Without time there is neither a time line nor a clock.
    let path = folder.path().join("a<b.pnml");
    let dead = "<place id='n6'><name><text>&lt;i></text></name></place><transition id='n7'/><arc id='e' source='n2' target='n7'/>\
                <arc id='f' source='n7' target='n6'/><transition id='n8'/><arc id='g' source='n6' target='n8'/>\
                <arc id='h' source='n2' target='n8'/><arc id='i' source='n8' target='n3'/>";
    std::fs::write(&path, workflow(dead)).unwrap();
    let html = of(&path);
    assert!(html.contains("<li><code>{&lt;i&gt;}</code></li>") && !html.contains("<i>"), "{html}");
    let (_, body) = html.split_once("<body>").unwrap();
    assert!(!body.contains("clock") && !body.contains("class=\"timeline\""));
    // A step that nobody sees looks like one.
    let silent = "<toolspecific tool='ProM' version='6.4' activity='$invisible$'/></transition>";
    for (text, expected) in [(workflow(""), 0), (workflow("").replacen("</transition>", silent, 1), 1)] {
        std::fs::write(&path, text).unwrap();
        assert_eq!(of(&path).matches("class=\"t s\"").count(), expected);
    }
    std::fs::write(&path, workflow("")).unwrap();
    let html = of(&path);
    assert!(html.contains(">sound</td>") && !html.contains("Refuted") && !html.contains("cannot be reached"));
}

/// Tokens grow without end, and small runs decide two notions; what stays unknown is told by the status.
#[test]
fn soundness_of_unbounded_nets() {
    let Some(path) = shared("faults/soundness-unbounded.pnml") else { return };
    let (out, _, status) = run(starset().arg("soundness").arg(path).arg("--json"));
    let found: Value = serde_json::from_str(&out).unwrap();
    let notions = ["classical", "weak", "relaxed", "lazy", "fair"].map(|notion| found[notion].clone());
    assert_eq!(notions, [json!(false), json!(false), json!(true), json!(true), Value::Null]);
    assert_eq!((status, &found["reason"]), (3, &json!("unbounded")));
}

/// Times that are not attained have runs that come near.
#[test]
fn runs_come_near_open_ends() {
    let net =
        line_format::read("clocks x\nplace p init 1 inv x<5\nplace q\ntrans t : p -> q when x>2", "open").unwrap();
    let (_folder, path) = written(&net);
    let (out, err, status) = run(starset().arg("time").arg(&path));
    assert_eq!((err.as_str(), status), ("", 0));
    assert!(out.contains("  until all is done      (2..5)\n    nearly fastest       21/10 t\n"), "{out}");
    assert!(out.contains("    nearly slowest       49/10 t\n"), "{out}");
    let found = object("time", &path, &[]);
    assert_eq!(found["since_start"]["t"]["slowest_run"]["duration"], "49/10");
}

/// Three steps of four units each: the second and the third are beyond a horizon of five units.
#[test]
fn what_is_later_than_the_horizon() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("later.pnwc");
    let places = "place a init 1 inv x<=4\nplace b inv x<=4\nplace c inv x<=4\nplace d\n";
    let step = |t: &str, from: &str, to: &str| format!("trans {t} : {from} -> {to} when x>=4 reset x\n");
    let steps = [step("first", "a", "b"), step("second", "b", "c"), step("third", "c", "d")].concat();
    std::fs::write(&path, format!("net later\nclocks x\n{places}{steps}")).unwrap();
    let (out, err, status) = run(starset().arg("time").arg(&path).args(["--horizon", "5"]));
    assert_eq!(status, 0, "{err}");
    for line in ["first 4..4, second 8..8, third after 5", "until all is done      after 5"] {
        assert!(out.contains(line), "{out}");
    }
    let json = object("time", &path, &["--horizon", "5"]);
    let [first, third] = ["first", "third"].map(|t| json["since_start"][t]["fastest"].clone());
    assert_eq!((first, third, &json["completion"]["fastest"]), (json!("4"), Value::Null, &Value::Null));
    let (out, _, _) = run(starset().arg("time").arg(&path).args(["--horizon", "20"]));
    assert!(out.contains("third 12..12"), "{out}");
    let page = folder.path().join("later.html");
    let (_, err, status) = run(starset().arg("time").arg(&path).args(["--horizon", "5", "--report"]).arg(&page));
    assert_eq!(status, 0, "{err}");
    assert!(std::fs::read_to_string(page).unwrap().contains("after 5"));
}

/// Whether a state stands still takes no time for each unit until something may fire: limits hold.
#[test]
fn large_constants_and_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.pnwc");
    let text = "net large\nclocks x\nplace a init 1 inv x<=60000000\nplace b\ntrans t : a -> b when x>=60000000\n";
    std::fs::write(&path, text).unwrap();
    for engine in ["auto", "explicit"] {
        let asked = ["--time-model", "integer", "--time", "1", "--engine", engine];
        let (out, err, status) = run(starset().arg("states").arg(&path).args(asked));
        assert_eq!(status, 3, "{out}{err}");
    }
    let asked = ["-f", "timelock | deadlock", "--time", "1"];
    let (out, err, status) = run(starset().arg("check").arg(&path).args(asked));
    assert!(status == 0 && out.contains("1: false"), "{out}{err}");
}

/// Deadlines of many places: the passing of a unit is one event.
#[test]
fn many_deadlines_by_diagrams() {
    let n = 12;
    let mut text = "clocks".to_owned();
    (0..n).for_each(|i| text += &format!(" x{i}"));
    for i in 0..n {
        text += &format!("\nplace p{i} init 1 inv x{i}<=2\nplace q{i}\ntrans t{i} : p{i} -> q{i}");
    }
    let (_folder, path) = written(&line_format::read(&text, "deadlines").unwrap());
    let (found, status) = states_json(&path, &["--time-model", "integer", "--engine", "symbolic"]);
    // Up to two units whatever has been done, and beyond them once all is.
    assert_eq!((&found["states"], status), (&json!((3 * (1 << n) + 1).to_string()), 0));
}

/// What is read once more to learn about clocks may be a pipe.
#[cfg(unix)]
#[test]
fn property_files_may_be_pipes() {
    let mut command = starset();
    command.arg("check").arg(model("claim.pnwc")).args(["-q", "--paths", "infinite", "--automaton", "/dev/stdin"]);
    let late = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"d > 40\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
                State: 0\n[!0] 0\n[0] 1\nState: 1 {0}\n[t] 1\n--END--\n";
    let (out, err, status) = run(command.write_stdin(late));
    assert!(out.contains("true") && status == 0, "{out}{err}");
}

#[test]
fn formulas_speak_of_clocks() {
    let formulas = [
        ("EF deadlock", true),
        ("EF (deadlock & !timelock)", true),
        ("AG (timelock -> #accepted = 1 & #report = 1)", true),
        ("EF timelock", true),
        ("AG (timelock -> e > 18)", true),
        ("AG (timelock -> e > 19)", false),
        ("AG (#closed = 1 -> deadlock)", true),
        ("AG (d <= 40)", false),
        ("AG (#closed = 0 -> d <= 12)", true),
        ("AG (#closed = 0 -> d <= 11.5)", false),
        ("EF (d = 23/2)", true),
        ("EF (#reminded = 1)", false),
        ("A F (deadlock)", true),
        ("F deadlock", true),
        ("F timelock", false),
        ("E (G !timelock)", true),
    ];
    let arguments: Vec<&str> = formulas.iter().flat_map(|(formula, _)| ["-f", formula]).collect();
    for engine in ["symbolic", "explicit", "both"] {
        let mut command = starset();
        command.arg("check").arg(model("claim.pnwc")).args(&arguments).args([
            "-q",
            "--threads",
            "1",
            "--engine",
            engine,
        ]);
        let (out, err, _) = run(&mut command);
        // Some have units of time of their own, and all come in the order of the questions.
        let lines: Vec<(usize, &str)> = out
            .lines()
            .map(|line| line.split_once(": ").map(|(id, verdict)| (id.parse().unwrap(), verdict)).unwrap())
            .collect();
        assert!(lines.iter().map(|(id, _)| *id).eq(1..=formulas.len()), "{out}");
        let found: Vec<&str> = lines.into_iter().map(|(_, verdict)| verdict).collect();
        let expected: Vec<String> = formulas.iter().map(|(_, verdict)| verdict.to_string()).collect();
        if engine == "explicit" {
            // What it does not do stays unknown.
            assert!(
                found.iter().zip(&expected).all(|(found, expected)| found == expected || *found == "unknown"),
                "{out}"
            );
            assert!(found.iter().filter(|found| **found != "unknown").count() > 12, "{out}");
        } else {
            assert_eq!(found, expected, "{engine}: {out}{err}");
        }
    }
    let (out, err, status) = run(starset().arg("check").arg(model("claim.pnwc")).args([
        "-f",
        "EF (timelock & d >= 9.5)",
        "--witness",
        "--json",
    ]));
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&answer["verdict"], status), (&json!(true), 0), "{err}");
    assert_eq!(answer["formula"], "E F (timelock & #d >= 19/2)");
    for (formula, problem) in [
        ("d <= e", "a clock is compared with a number"),
        ("#d + 1 <= 3", "a clock is compared with a number and nothing else"),
        ("tokens(filed, d) = 1", "a clock is compared with a number and nothing else"),
        ("d", "`d` is a variable, not a formula"),
        ("f <= 3", "unknown variable `f`"),
    ] {
        let (_, err, status) = run(starset().arg("check").arg(model("claim.pnwc")).args(["-f", formula]));
        assert!(status == 2 && err.contains(problem), "{formula}: {err}");
    }
}
