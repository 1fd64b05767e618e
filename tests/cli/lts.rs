//! Networks of transition systems in the forms of files that are read.

use super::{model, run, starset, states_json};
use std::fs;

#[test]
fn transition_systems_of_aldebaran_are_composed() {
    let composed = [model("sender.aut"), model("receiver.aut")];
    let (out, _, status) = run(starset().arg("states").args(&composed).args(["--deadlocks", "--quiet"]));
    let (same, _, _) = run(starset().arg("states").arg(model("pipe.dot")).args(["--deadlocks", "--quiet"]));
    let counts = |text: &str| text.lines().skip(1).take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((counts(&out), status), (counts(&same), 0));
    let formula = "AG [stop] AG [consume] false";
    let (out, _, status) = run(starset().arg("check").args(&composed).args(["-f", formula]));
    assert_eq!((out.trim(), status), ("1: true", 0));
    let mixed = [model("sender.aut"), model("pipe.dot")];
    let (_, err, status) = run(starset().arg("states").args(&mixed));
    assert!(status == 2 && err.contains("several files are composed only if all are .aut files"), "{err}");
    let nets = [model("philo-5.pnml"), model("slot-4.pnml")];
    let (_, err, status) = run(starset().arg("info").args(&nets));
    assert!(status == 2 && err.contains("one net at a time"), "{err}");
}

#[test]
fn files_that_are_no_networks_are_refused_where_they_go_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("spin.pml", "mtype = { nop };\nbyte x;\n", ":2: expected a declaration, found `byte`: starset reads"),
        ("one.aut", "des (0, 2, 2)\n(0, a, 1)\n", ":1: the first line says 2 transitions, but there are 1"),
        ("one.dot", "digraph G {\n subgraph a { 1 -> 2 [label=x]; }\n}", ":2: a does not say where it starts"),
    ];
    for (name, text, message) in cases {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        let (out, err, status) = run(starset().arg("states").arg(&file));
        assert!(out.is_empty() && status == 2 && err.contains(&format!("{name}{message}")), "{err}");
    }
    let (_, err, status) = run(starset().args(["states", "--network"]).arg(model("philo-5.pnml")));
    assert!(status == 2 && err.contains("the net has no units"), "{err}");
}

/// A net whose labels differ from its identifiers, as a net and as the network that its units are.
#[test]
fn a_net_with_units_as_a_network() {
    let text = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
      <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">
      <place id="p0"><initialMarking><text>1</text></initialMarking></place><place id="p1"/><place id="p2"/>
      <transition id="t_0_"><name><text></text></name></transition>
      <transition id="t_1_x"><name><text>go</text></name></transition>
      <transition id="t_2_x"><name><text>go</text></name></transition>
      <arc id="a0" source="p0" target="t_0_"/><arc id="a1" source="t_0_" target="p1"/>
      <arc id="a2" source="p1" target="t_1_x"/><arc id="a3" source="t_1_x" target="p2"/>
      <arc id="a4" source="p2" target="t_2_x"/><arc id="a5" source="t_2_x" target="p1"/>
      <toolspecific tool="nupn" version="1.1"><size places="3" transitions="3" arcs="6"/>
      <structure units="2" root="r" safe="true"><unit id="r"><places/><subunits>u</subunits></unit>
      <unit id="u"><places>p0 p1 p2</places><subunits/></unit></structure></toolspecific>
      </page></net></pnml>"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.pnml");
    fs::write(&file, text).unwrap();
    assert_eq!(states_json(&file, &[]).0["states"], "3");
    let network = states_json(&file, &["--network"]).0;
    assert_eq!((&network["states"], &network["network"]["labels"]), (&"2".into(), &1.into()));
    let by_id = states_json(&file, &["--network", "--labels", "id"]).0;
    assert_eq!((&by_id["states"], &by_id["network"]["labels"]), (&"3".into(), &3.into()));
    let check = |options: &[&str]| {
        let (out, err, _) = run(starset().arg("check").arg(&file).args(["-f", "G action(go)"]).args(options));
        out.trim().to_owned() + err.trim()
    };
    assert!(check(&["--network", "-q"]) == "1: true" && check(&["-q"]) == "1: false");
    assert!(check(&["--network", "--labels", "id"]).contains("unknown label `go`"));
    // The challenge's own command takes it, too.
    fs::write(folder.path().join("n-properties.txt"), "#1:\n(G go)\n").unwrap();
    let (out, _, status) = run(starset().arg("rers").arg(&file));
    assert_eq!((out.as_str(), status), ("problem,property,verdict\nn,1,true\n", 0));
}

/// Each form into each other one, with the same states.
#[test]
fn conversions() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let convert = |from: &std::path::Path, to: &str| {
        let (_, err, status) = run(starset().arg("convert").arg(from).arg(file(to)));
        assert_eq!(status, 0, "{err}");
    };
    convert(&model("pipe.dot"), "a.pnml");
    convert(&file("a.pnml"), "b.dot");
    convert(&file("b.dot"), "c.aut");
    convert(&file("a.pnml"), "d.aut");
    convert(&file("c.aut"), "e.pnml");
    convert(&model("philo-5.pnml"), "f.aut");
    for name in ["a.pnml", "b.dot", "c.aut", "d.aut", "e.pnml"] {
        let (object, _) = states_json(&file(name), &[]);
        assert_eq!((&object["states"], &object["transitions"]), (&"6".into(), &"8".into()), "{name}");
    }
    assert_eq!(states_json(&file("f.aut"), &[]).0["states"], states_json(&model("philo-5.pnml"), &[]).0["states"]);
    let (out, _, status) = run(starset().args(["convert", "--to", "aut"]).arg(model("pipe.dot")).arg("-"));
    assert!(status == 0 && out.starts_with("des (0, 8, 6)\n"), "{out}");
    let refused = |arguments: &[&str], output: &str, message: &str| {
        let (_, err, status) = run(starset().arg("convert").args(arguments).arg(file(output)));
        assert!(status == 2 && err.contains(message) && !file(output).exists(), "{err}");
    };
    let (pipe, philo) = (model("pipe.dot"), model("philo-5.pnml"));
    let (pipe, philo) = (pipe.to_str().unwrap(), philo.to_str().unwrap());
    refused(&[pipe], "x.pml", "which form is that?");
    refused(&[philo], "x.dot", "the net has no units");
    refused(&["--most", "5", pipe], "x.aut", "more than 5 reachable states");
    // Options anywhere, several files before the last one.
    refused(&[pipe, "--most", "5"], "x.aut", "more than 5 reachable states");
    let (sender, receiver) = (model("sender.aut"), model("receiver.aut"));
    let (out, err, status) =
        run(starset().arg("convert").arg(sender).args(["--to", "aut"]).arg(receiver).args(["-q", "-"]));
    assert!(status == 0 && out.starts_with("des (0, 8, 6)\n"), "{out}{err}");
    let (_, err, status) = run(starset().args(["convert", pipe]));
    assert!(status == 2 && err.contains("give the model, then the file to write"), "{err}");
}

/// Sets of states are saved and loaded by the names of components, and combined.
#[test]
fn sets_of_networks_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (_, err, status) = run(starset().args(["states", "--save", &file("all.set")]).arg(model("pipe.dot")));
    assert_eq!(status, 0, "{err}");
    let stop = "EX true & [stop] false";
    let set = |options: &[&str]| run(starset().arg("satset").arg(model("pipe.dot")).args(options));
    let (out, err, status) = set(&["-f", stop, "--save", &file("some.set")]);
    assert!(status == 0 && out.contains("holds in"), "{out}{err}");
    let (loaded, err, status) = set(&["--load", &file("some.set")]);
    assert_eq!((loaded.split_once(':').unwrap().1, status), (out.split_once(':').unwrap().1, 0), "{err}");
    let (out, _, status) = run(starset().args(["combine", "subset", &file("some.set"), &file("all.set")]));
    assert_eq!((out.trim(), status), ("subset: true", 0));
}

/// Both engines agree; the explicit one works on the net of the network.
#[test]
fn the_explicit_engine_takes_networks() {
    let formula = "G (action(send) -> X F action(consume, stop))";
    let pipe = [model("sender.aut"), model("receiver.aut")];
    for engine in ["symbolic", "explicit", "both", "auto"] {
        let check = ["-f", formula, "-f", "F action(stop)", "-f", "AG EF enabled(send)", "--engine", engine];
        let (out, err, status) = run(starset().arg("check").args(&pipe).args(check));
        assert_eq!((out.as_str(), status), ("1: true\n2: false\n3: false\n", 0), "{engine}: {err}");
    }
}

/// Runs of networks, with the labels of the network, by both engines.
#[test]
fn witnesses_of_networks() {
    let trace = ["-f", "AG [send] false", "--witness", "-q"];
    let (out, err, status) = run(starset().arg("check").arg(model("pipe.dot")).args(trace));
    assert!(status == 0 && out.starts_with("1: false\n"), "{out}{err}");
    assert!(out.contains("sender=1 receiver=4") && out.contains("  produce: sender=1 1→0, sender=2 0→1"), "{out}");
    assert!(out.contains("!([send] false)  [by computation]"), "{out}");
    for engine in ["symbolic", "explicit"] {
        let lasso = ["-f", "F action(stop)", "--witness", "--engine", engine];
        let (out, err, status) = run(starset().arg("check").arg(model("pipe.dot")).args(lasso));
        assert!(status == 0 && out.starts_with("1: false\n  violates A F action(stop)"), "{out}{err}");
        assert!(out.contains("consume: ") && out.contains("for ever") && !out.contains("stop:"), "{out}");
        assert!(out.contains(": !(action(stop))"), "{out}");
    }
}
