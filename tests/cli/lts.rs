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
    // A net without units is drawn as the graph that it is, which is no model.
    let (_, err, status) = run(starset().arg("convert").arg(philo).arg(file("x.dot")));
    assert!(status == 0 && err.contains("x.dot: 1 graph of a net, 25 places, 25 transitions"), "{err}");
    let drawn = std::fs::read_to_string(file("x.dot")).unwrap();
    let count = |what: &str| drawn.matches(what).count();
    assert_eq!((count("shape=ellipse"), count("shape=box"), drawn.starts_with("digraph net {")), (25, 25, true));
    let (_, err, status) = run(starset().arg("states").arg(file("x.dot")));
    assert!(status == 2 && err.contains("`n0` stands outside of all subgraphs, as in the picture of a net"), "{err}");
    std::fs::remove_file(file("x.dot")).unwrap();
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

/// Saved sets do not depend on the order of components, states and edges in the file; sets of other networks are refused.
#[test]
fn sets_of_networks_go_by_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let turned = "digraph G {
      subgraph receiver { 6; 5; 3; 4; 5 -> 6 [label=stop]; 5 -> 4 [label=consume]; 3 -> 4 [label=\"\"];
                          4 -> 5 [label=send]; }
      subgraph sender { 2; 0; 1; 2 -> 1 [label=send]; 1 -> 2 [label=produce]; 0 -> 1 [label=\"\"]; }
    }";
    fs::write(file("turned.dot"), turned).unwrap();
    fs::write(file("other.dot"), turned.replace("6", "7")).unwrap();
    fs::write(file("less.dot"), "digraph G { subgraph sender { 0 -> 1 [label=\"\"]; 1 -> 1 [label=send]; } }").unwrap();
    let satset = |network: &str, options: &[&str]| run(starset().arg("satset").arg(network).args(options));
    let pipe = model("pipe.dot");
    let pipe = pipe.to_str().unwrap();
    let listed = |text: &str| {
        let mut lines: Vec<String> = text
            .lines()
            .skip(1)
            .map(|line| {
                let mut words: Vec<&str> = line.split_whitespace().collect();
                words.sort();
                words.join(" ")
            })
            .collect();
        lines.sort();
        lines
    };
    for (number, formula) in ["enabled(stop)", "deadlock", "EX true", "[consume] false"].into_iter().enumerate() {
        let set = file(&format!("{number}.set"));
        let (expected, err, status) = satset(pipe, &["-f", formula, "--list", "20", "--save", &set]);
        assert_eq!(status, 0, "{err}");
        for options in [&["--load", set.as_str(), "--list", "20"][..], &["-f", formula, "--list", "20"]] {
            let (out, err, status) = satset(&file("turned.dot"), options);
            assert_eq!((listed(&out), status), (listed(&expected), 0), "{formula}: {err}");
        }
        // Combined with the set that the other file makes, it is the same.
        let same = file(&format!("{number}.same"));
        satset(&file("turned.dot"), &["-f", formula, "--save", &same]);
        let (out, err, _) = run(starset().args(["combine", "equal", &set, &same]));
        assert_eq!(out.trim(), "equal: true", "{err}");
    }
    let (_, err, status) = satset(&file("other.dot"), &["--load", &file("0.set")]);
    let refused = "`receiver` has no value `6` in the set of model other: the two sets are of different models";
    assert!(status == 2 && err.contains(refused), "{err}");
    let (_, err, status) = satset(&file("less.dot"), &["--load", &file("0.set")]);
    assert!(status == 2 && err.contains("a set of another network") && err.contains("component `receiver`"), "{err}");
}

/// Both engines count the same; of networks with more combinations than a net can have transitions, the explicit one
/// alone.
#[test]
fn states_of_networks_one_by_one() {
    for engine in ["symbolic", "explicit", "both"] {
        let (object, status) = states_json(&model("pipe.dot"), &["--deadlocks", "--engine", engine]);
        let figures = ["states", "transitions", "deadlocks", "engine"].map(|key| object[key].clone());
        assert_eq!((figures, status), (["6".into(), "8".into(), "1".into(), engine.into()], 0));
        assert_eq!((&object["deadlock"]["sender"], &object["deadlock"]["receiver"]), (&"2".into(), &"6".into()));
        assert_eq!(object["explored"]["states"].as_u64(), (engine == "explicit").then_some(6));
    }
    let refused = ["--engine", "explicit", "--list", "3"];
    let (_, err, status) = run(starset().arg("states").arg(model("pipe.dot")).args(refused));
    assert!(status == 2 && err.contains("need diagrams"), "{err}");
}

/// Rings of 200 states that go round together: 200^3 combinations of edges, of which one is enabled.
#[test]
fn networks_whose_nets_are_too_large() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> = ["one", "two", "three"]
        .into_iter()
        .map(|name| {
            let edges: Vec<String> =
                (0..200).map(|state| format!("({state}, next, {})\n", (state + 1) % 200)).collect();
            let file = folder.path().join(format!("{name}.aut"));
            fs::write(&file, format!("des (0, 200, 200)\n{}", edges.concat())).unwrap();
            file
        })
        .collect();
    let (out, err, status) = run(starset().arg("states").args(&files).args(["--engine", "both", "-q"]));
    assert!(status == 0 && out.contains("200"), "{out}{err}");
    for engine in ["explicit", "symbolic"] {
        let check = ["-f", "G action(next)", "-f", "F !action(next)", "--engine", engine, "--witness", "-q"];
        let (out, err, status) = run(starset().arg("check").args(&files).args(check));
        assert!(status == 0 && out.contains("1: true\n") && out.contains("2: false\n  violates"), "{out}{err}");
        assert!(out.contains("next: one 0→1, two 0→") && out.contains("for ever"), "{out}");
    }
}

#[test]
fn networks_are_compared_in_all_ways() {
    let formulas = ["-f", "G (action(send) -> X F action(consume, stop))", "-f", "AG [stop] AG [consume] false"];
    let (out, err, status) = run(starset().arg("cross").arg(model("pipe.dot")).args(formulas).arg("--json"));
    assert_eq!(status, 0, "{err}");
    let objects: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 3, "{out}");
    assert!(
        objects.iter().all(|object| object["ways"].as_u64() > Some(8) && object["disagreement"].is_null()),
        "{out}"
    );
    let (out, err, status) = run(starset().args(["cross", "--random", "25", "--networks"]));
    assert!(status == 0 && out.starts_with("25 random networks, ") && out.contains("all agree"), "{out}{err}");
    let (_, err, status) = run(starset().arg("cross").arg(model("pipe.dot")).arg("--networks"));
    assert!(status == 2 && err.contains("--networks"), "{err}");
}

/// Both engines agree.
#[test]
fn the_explicit_engine_takes_networks() {
    let formula = "G (action(send) -> X F action(consume, stop))";
    let pipe = [model("sender.aut"), model("receiver.aut")];
    for engine in ["symbolic", "explicit", "both", "auto"] {
        let check =
            ["-f", formula, "-f", "F action(stop)", "-f", "AG EF enabled(send)", "-f", "EF <send> [consume] false"];
        let (out, err, status) = run(starset().arg("check").args(&pipe).args(check).args(["--engine", engine]));
        assert_eq!((out.as_str(), status), ("1: true\n2: false\n3: false\n4: false\n", 0), "{engine}: {err}");
    }
}

/// Runs of networks, with the labels of the network, by both engines.
#[test]
fn witnesses_of_networks() {
    let trace = ["-f", "AG [send] false", "--witness", "-q"];
    let (out, err, status) = run(starset().arg("check").arg(model("pipe.dot")).args(trace));
    assert!(status == 0 && out.starts_with("1: false\n"), "{out}{err}");
    assert!(out.contains("sender=1 receiver=4") && out.contains("  produce: sender 1→2"), "{out}");
    assert!(out.contains("!([send] false)  [by computation]"), "{out}");
    for engine in ["symbolic", "explicit"] {
        let lasso = ["-f", "F action(stop)", "--witness", "--engine", engine];
        let (out, err, status) = run(starset().arg("check").arg(model("pipe.dot")).args(lasso));
        assert!(status == 0 && out.starts_with("1: false\n  violates F action(stop)"), "{out}{err}");
        assert!(out.contains("consume: ") && out.contains("for ever") && !out.contains("stop:"), "{out}");
        assert!(out.contains(": !(action(stop))"), "{out}");
    }
}
