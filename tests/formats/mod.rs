//! Nets in the forms of other tools: what is written is read as the same net, and the program takes both ways.

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
        ("m.smv", "MODULE main\n", "m.smv: this is a NuSMV model"),
        ("m.xml", "<?xml version='1.0'?>\n<nta></nta>", "m.xml: this is a model of UPPAAL"),
        ("m.PNPRO", "<project name='x' version='121'/>", "m.PNPRO: this is a project of GreatSPN"),
        ("m.net", "|0|\n|\n", "m.net: this is a net of GreatSPN"),
        ("n.net", "tr t [1,2] p -> q", "n.net:1: transition `t` has the interval [1,2]"),
    ] {
        let path = folder.path().join(file);
        fs::write(&path, text).unwrap();
        let (out, err, status) = run(starset().arg("states").arg(&path));
        assert_eq!((out.as_str(), status), ("", 2), "{file}");
        assert!(err.contains(expected), "{err}");
    }
}
