//! Nets in the forms of other tools: what is written is read as the same net, and the program takes both ways.

mod outside;

use crate::cli::{model, run, starset};
use starset::kinds::net::formats::{self, lola, tina};
use starset::net::PetriNet;
use starset::random::{NetShape, Rng, net};
use std::fs;

/// The same nodes and arcs, whatever the order of the lists.
#[track_caller]
fn same(a: &PetriNet, b: &PetriNet, names: bool, about: &str) {
    let places = |net: &PetriNet| -> Vec<_> {
        let name = |name: &Option<String>| name.clone().filter(|_| names);
        net.places().iter().map(|place| (place.id.clone(), name(&place.name), place.initial)).collect()
    };
    assert_eq!(places(a), places(b), "{about}");
    for (t, u) in a.transitions().iter().zip(b.transitions()) {
        assert_eq!((&t.id, &t.pre, &t.post, &t.inhibitors), (&u.id, &u.pre, &u.post, &u.inhibitors), "{about}");
    }
    assert_eq!(a.transition_count(), b.transition_count(), "{about}");
}

#[test]
fn what_is_written_is_read_back() {
    for seed in 0..300 {
        let shape = NetShape { inhibitors: seed % 2 == 0, ..NetShape::default() };
        let net = net(&mut Rng::new(seed), &shape);
        let text = tina::write(&net);
        same(&net, &formats::read(&text, "x.net").unwrap(), true, &text);
        match lola::write(&net) {
            Ok(text) => same(&net, &formats::read(&text, "x.lola").unwrap(), false, &text),
            Err(why) => assert!(why.contains("inhibitor arcs") && shape.inhibitors, "{why}"),
        }
    }
}

/// A file that is empty, or cut off before its first line, is no net of nothing.
#[test]
fn files_without_a_net_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["e.net", "e.lola", "e.llnet", "e.PNPRO", "e.pnwc", "e.ndr", "e.pnml", "e.aut", "e.bnet", "e.smv"] {
        for text in ["", "\n \n", "# cut off\n"] {
            let file = folder.path().join(name);
            fs::write(&file, text).unwrap();
            let (out, err, status) = run(starset().arg("states").arg(&file));
            assert!(out.is_empty() && status == 2 && err.contains(name), "{name}, {text:?}: {out}{err}");
        }
    }
}

#[test]
fn conversion_both_ways_keeps_the_state_space() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["philo-5.pnml", "kanban-3.pnml", "readers-writers-4.pnml"] {
        let count = |path: &std::path::Path| {
            let (out, err, status) = run(starset().arg("states").arg(path).arg("--json"));
            assert_eq!(status, 0, "{err}");
            let found: serde_json::Value = serde_json::from_str(&out).unwrap();
            [found["states"].clone(), found["transitions"].clone()]
        };
        let expected = count(&model(name));
        // LoLA has no inhibitor arcs.
        let forms = if name.starts_with("readers") { &["net"][..] } else { &["net", "lola"] };
        for extension in forms {
            let path = folder.path().join("model").with_extension(extension);
            let (_, err, status) = run(starset().arg("convert").arg(model(name)).arg(&path));
            assert_eq!(status, 0, "{err}");
            assert_eq!(count(&path), expected, "{name} as {extension}");
        }
    }
}

#[test]
fn files_of_other_tools_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (file, text, expected) in [
        ("m.txt", "MODULE main\n", "m.txt: this is a NuSMV model"),
        ("m.xml", "<?xml version='1.0'?>\n<nta></nta>", "m.xml: this is a model of UPPAAL"),
        ("m.PNPRO", "<project name='x' version='121'/>", "m.PNPRO:1: no net of GreatSPN"),
        ("m.net", "|0|\n|\n", "m.net:2: the file ends where the counts should be"),
        ("m.ndr", "p 1 1 p 0 n\nt 1 1 t 1 2 n\n", "m.ndr:2: transition `t` has the interval from 1 to 2"),
        ("n.net", "tr t [1,2] p -> q", "n.net:1: transition `t` has the interval [1,2]"),
    ] {
        let path = folder.path().join(file);
        fs::write(&path, text).unwrap();
        let (out, err, status) = run(starset().arg("states").arg(&path));
        assert_eq!((out.as_str(), status), ("", 2), "{file}");
        assert!(err.contains(expected), "{err}");
    }
}

/// Three users of two locks, in the forms that are read and not written.
#[test]
fn drawings_and_projects_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let drawing = "p 1.0 1.0 idle 3 n\np 5.0 1.0 busy 0 n\np 3.0 3.0 free 2 s {no one has it} n\n\
                   t 3.0 0.0 take 0 w n\nt 3.0 2.0 give n 0 w n {give back} n\n\
                   e idle take 1 n\ne free take 1 n\ne take busy 1 n\ne busy 0.1 1.5 give 0.2 1.5 1 n\n\
                   e give idle 1 n\ne give free 1 n\nh locks small\n";
    let net = "|0|\n|\nf 2 3 1 2 0 0 0\nN 3 1 1 0\nK 2 1 1 0\nidle -1 1 1 1 1 0\nbusy 0 5 1 5 1 0\nfree -2 3 3 3 3 0\n\
               rate 0.5 1 1 0\ntake -1 0 0 2 0 3 0 3 0 3 0 0\n 1 1 0 0\n 1 3 1 0\n2.5 2.5\n 1\n 1 2 0 0\n 0\n\
               give 1.0 0 0 1 0 3 2 3 2 3 2 0\n 1 2 0 0\n 2\n 1 1 0 0\n 1 3 0 0\n 0\n";
    let arc = |kind: &str, tail: &str, head: &str| format!("<arc kind='{kind}' tail='{tail}' head='{head}'/>");
    let edges = [
        arc("INPUT", "idle", "take"),
        arc("INPUT", "free", "take"),
        arc("OUTPUT", "take", "busy"),
        arc("INPUT", "busy", "give"),
        arc("OUTPUT", "give", "idle"),
        arc("OUTPUT", "give", "free"),
    ];
    let project = format!(
        "<project name='x' version='121'><gspn name='locks'><nodes><place name='idle' marking='3'/><place name='busy'/>\
         <place name='free' marking='K'/><transition name='take' type='EXP'/><transition name='give' type='EXP'/>\
         <constant name='K' consttype='INTEGER' value='2'/></nodes><edges>{}</edges></gspn></project>",
        edges.concat()
    );
    let files = [
        ("locks.ndr", drawing),
        ("locks.net", net),
        ("locks.PNPRO", &project),
        // The text decides where the name says nothing.
        ("drawing.net", drawing),
        ("other.xml", &project),
        ("plain", net),
    ];
    for (file, text) in files {
        let path = folder.path().join(file);
        fs::write(&path, text).unwrap();
        let (out, err, status) = run(starset().arg("states").arg(&path).args(["--json", "--bounds"]));
        assert_eq!(status, 0, "{file}: {err}");
        let found: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&found["states"], &found["transitions"]), (&"3".into(), &"4".into()), "{file}: {out}");
        let (out, err, status) =
            run(starset().arg("check").arg(&path).args(["-f", "AG #busy <= 2", "-f", "EF #idle = 1"]));
        assert_eq!(status, 0, "{file}: {out} {err}");
    }
}

/// Questions in the notations of LoLA and TAPAAL, and those in a net of TAPAAL.
#[test]
fn questions_of_other_tools_are_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let net = file("n.lola", "PLACE p, q; MARKING p: 2; TRANSITION t CONSUME p; PRODUCE q;");
    let verdicts = |net: &std::path::Path, properties: Option<&std::path::Path>| {
        let mut command = starset();
        command.arg("check").arg(net).arg("--json");
        if let Some(path) = properties {
            command.arg("-x").arg(path);
        }
        let (out, err, status) = run(&mut command);
        let answer = |line: &str| -> (String, serde_json::Value) {
            let found: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line} {err}"));
            (found["id"].as_str().unwrap_or_default().to_owned(), found["verdict"].clone())
        };
        let list: Vec<_> = out.lines().map(answer).collect();
        (list, err, status)
    };
    let lola = file("n.formula", "REACHABLE q = 2 AND DEADLOCK : AG p + q = 2 : EF FIREABLE(t) AND p = 0");
    let (list, err, status) = verdicts(&net, Some(&lola));
    let expected = [("1", true), ("2", true), ("3", false)].map(|(id, holds)| (id.into(), holds.into()));
    assert_eq!((list, status), (expected.to_vec(), 0), "{err}");
    let tapaal = file("n.q", "AG (p + q == 2 and !(p > 2))");
    assert_eq!(verdicts(&net, Some(&tapaal)).0, [("1".into(), true.into())]);
    // Our notation has other spellings, and so has theirs.
    let wrong = file("m.q", "EF #p = 1");
    let (out, err, status) = run(starset().arg("check").arg(&net).arg("-x").arg(&wrong));
    assert!(out.is_empty() && status == 2 && err.contains("m.q:1:4: `#` is not known here"), "{err}");
    let (out, err, status) = run(starset().arg("check").arg(&net).args(["-f", "EF p = 1"]));
    assert_eq!((out.as_str(), status), ("1: true\n", 0), "{err}");
    let net = file(
        "n.tapn",
        "<pnml><net active=\"true\" id=\"N\" type=\"P/T net\"><place id=\"p\" name=\"p\" initialMarking=\"2\" \
         invariant=\"&lt; inf\"/><place id=\"q\" name=\"q\" initialMarking=\"0\" invariant=\"&lt; inf\"/>\
         <transition id=\"t\" name=\"t\" urgent=\"false\"/><arc id=\"a\" inscription=\"[0,inf)\" source=\"p\" \
         target=\"t\" type=\"timed\" weight=\"1\"/><arc id=\"b\" inscription=\"1\" source=\"t\" target=\"q\" \
         type=\"normal\" weight=\"1\"/></net>\
         <query active=\"true\" name=\"all moved\" query=\"EF (N.q = 2)\"/>\
         <query active=\"true\" name=\"kept\" query=\"AG N.p = 2\"/>\
         <query active=\"true\" name=\"game\" query=\"control: AF N.p = 2\"/></pnml>",
    );
    let (list, err, _) = verdicts(&net, None);
    assert_eq!(list, [("all moved".into(), true.into()), ("kept".into(), false.into())]);
    assert!(err.contains("the query `game` is not asked: games (`control:`) are not supported"), "{err}");
}
