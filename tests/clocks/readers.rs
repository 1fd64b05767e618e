//! Readers: round trips of random nets, and no panic whatever the input; consistency of constraints.

use super::{nets, small};
use starset::kinds::clocks::consistency::{Inconsistency, inconsistencies, strict_paper};
use starset::kinds::clocks::markings::Limits;
use starset::kinds::clocks::model::ClockNet;
use starset::kinds::clocks::random::{Shape, net};
use starset::kinds::clocks::scaled::{ScaleError, Scaled};
use starset::kinds::clocks::zone_graph::{ZoneGraph, ZoneOptions};
use starset::kinds::clocks::{families, line_format, pnml, replay, run, tapn};
use starset::rng::Rng;

const SHAPE: Shape = Shape { clocks: 3, places: 6, transitions: 8, constant: 9, closed: false };

fn read(text: &str) -> ClockNet {
    line_format::read(text, "test").unwrap()
}

#[test]
fn round_trips() {
    for seed in 0..nets(2000) {
        // Reading makes conjunctions flat, once.
        let net = read(&line_format::write(&net(&mut Rng::new(seed), &SHAPE)).unwrap());
        assert_eq!(read(&line_format::write(&net).unwrap()), net, "SEED={seed}");
        assert_eq!(pnml::read(&pnml::write(&net), "test").unwrap(), net, "SEED={seed}");
    }
}

#[test]
fn damaged_files_are_refused_in_peace() {
    let tapn = "<pnml><constant name=\"D\" value=\"7\"/><net active=\"true\" id=\"n\">\
                <place id=\"p\" initialMarking=\"1\" invariant=\"&lt;= D\" name=\"p\"/><transition id=\"t\" urgent=\"false\"/>\
                <arc inscription=\"[2,5)\" source=\"p\" target=\"t\" type=\"timed\" weight=\"1\"/>\
                <arc inscription=\"1\" source=\"t\" target=\"p\" type=\"normal\" weight=\"1\"/></net></pnml>";
    let limits = small(1000);
    let mut rng = Rng::new(7);
    let mut accepted = 0;
    let rounds = nets(3000);
    for _ in 0..rounds {
        let net = net(&mut rng, &SHAPE);
        let texts = [line_format::write(&net).unwrap(), pnml::write(&net), tapn.to_owned()];
        for (kind, text) in texts.into_iter().enumerate() {
            let mut bytes = text.into_bytes();
            for _ in 0..1 + rng.below(3) {
                let at = rng.below(bytes.len());
                match rng.below(4) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes.insert(at, b"<>=()[]|&!:;-*0919 \n\"'/x\xc3"[rng.below(25)]),
                    2 => bytes[at] = rng.below(256) as u8,
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            let read = match kind {
                0 => line_format::read(&text, "f"),
                1 => pnml::read(&text, "f"),
                _ => tapn::read(&text, "f", &limits),
            };
            match read {
                Err(e) => assert!(e.to_string().starts_with("f:"), "{e}"),
                Ok(net) => {
                    accepted += 1;
                    if let Ok(scaled) = Scaled::new(&net) {
                        let options = ZoneOptions { limits: limits.clone(), ..ZoneOptions::antichain() };
                        let _ = ZoneGraph::explore(&scaled, options);
                    }
                }
            }
        }
    }
    assert!(accepted > rounds / 30, "{accepted}");
}

#[test]
fn what_cannot_be_represented() {
    let net = read("clocks x\nplace p init 1 inv x<=99999999999");
    assert!(matches!(Scaled::new(&net), Err(ScaleError::Constant { .. })));
    let net = read("clocks x y\nplace p init 1 inv x<=1/100000 & y<=1/99991");
    assert!(matches!(Scaled::new(&net), Err(ScaleError::Constant { .. })));
    let wide: Vec<String> = (0..40).map(|i| format!("(x{i}<1 | x{i}>2)")).collect();
    let clocks: Vec<String> = (0..40).map(|i| format!("x{i}")).collect();
    let net = read(&format!("clocks {}\nplace p init 1 inv {}", clocks.join(" "), wide.join(" & ")));
    assert!(matches!(Scaled::new(&net), Err(ScaleError::Alternatives { .. })));
    let places: Vec<String> = (0..40).map(|i| format!("place p{i} init 1 inv x{i}<1 | x{i}>2")).collect();
    let net = read(&format!("clocks {}\n{}", clocks.join(" "), places.join("\n")));
    let scaled = Scaled::new(&net).unwrap();
    assert!(ZoneGraph::explore(&scaled, ZoneOptions::regions()).is_err());
    let net = read("place p init 1\ntrans t : p -> p*2");
    let options = ZoneOptions { limits: small(100), ..ZoneOptions::regions() };
    let e = ZoneGraph::explore(&Scaled::new(&net).unwrap(), options).err().unwrap();
    assert!(e.to_string().contains("unbounded"), "{e}");
}

#[test]
fn rational_constants() {
    let net = read("clocks x\nplace p init 1 inv x<=1/3\nplace q\ntrans t : p -> q when x>=0.25");
    let scaled = Scaled::new(&net).unwrap();
    assert_eq!(scaled.scale, 12);
    let g = ZoneGraph::explore(&scaled, ZoneOptions::regions()).unwrap();
    let (node, _) = g.nodes_of(1).next().unwrap();
    let run = run::concretise(&g, node, None).unwrap();
    assert_eq!(run.to_text(&net), "1/4 t");
    replay::replay(&net, &run).unwrap();
}

fn check_inconsistent(text: &str, expected: &[&str]) {
    let net = read(text);
    let scaled = Scaled::new(&net).unwrap();
    let found: Vec<String> =
        inconsistencies(&scaled, &Limits::default()).unwrap().iter().map(|i: &Inconsistency| i.text(&scaled)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn constraints_that_cannot_be_met() {
    check_inconsistent("clocks x\nplace p init 1 inv x<=3\nplace q\ntrans t : p -> q when x>=2", &[]);
    check_inconsistent(
        "clocks x\nplace p init 1\nplace q inv x<2 & x>3\ntrans t : p -> q",
        &[
            "the invariant of `q` has no solution",
            "the invariants of {q} contradict each other",
            "wherever `t` may fire, the invariants after it are violated",
        ],
    );
    check_inconsistent(
        "clocks x\nplace p init 1\nplace q\ntrans t : p -> q when x<2 & x>3",
        &["the condition of `t` has no solution"],
    );
    check_inconsistent(
        "clocks x\nplace p init 1 inv x<=3\nplace q\ntrans t : p -> q when x>=4",
        &["the condition of `t` contradicts the invariants wherever it has its tokens"],
    );
    check_inconsistent(
        "clocks x\nplace p init 1\nplace q inv x>=1\ntrans t : p -> q when x>=2 reset x",
        &["wherever `t` may fire, the invariants after it are violated"],
    );
    check_inconsistent(
        "clocks x\nplace p init 1 inv x>=1\nplace q\ntrans t : p -> q",
        &["the invariants of the initial marking exclude zero: there is no state"],
    );
}

#[test]
fn the_letter_of_the_paper() {
    let net = families::fischer(2, 2, true).unwrap();
    let found = strict_paper(&Scaled::new(&net).unwrap());
    let named: Vec<String> = found
        .iter()
        .map(|u| format!("{} {}", net.transitions[u.transition.index()].id, net.clocks[u.clock.index()]))
        .collect();
    assert_eq!(named, ["enter1 x1", "enter2 x2"]);
    let net = read("clocks x y\nplace p init 1\ntrans t : p -> p when x<=3 & 1<=y<=2 | x<1 & y<4");
    assert!(strict_paper(&Scaled::new(&net).unwrap()).is_empty());
}

#[test]
fn threads_change_nothing() {
    for net in [families::fischer(5, 10, true), families::csmacd(5), families::train_gate(3)] {
        let net = net.unwrap();
        let scaled = Scaled::new(&net).unwrap();
        for options in [ZoneOptions::reachability(), ZoneOptions { limits: small(5_000), ..ZoneOptions::antichain() }] {
            let one = ZoneGraph::explore(&scaled, options.clone());
            let four = ZoneGraph::explore(&scaled, ZoneOptions { threads: 4, ..options });
            match (one, four) {
                (Ok(one), Ok(four)) => {
                    assert_eq!(one.nodes.len(), four.nodes.len());
                    assert!(
                        one.nodes
                            .iter()
                            .zip(&four.nodes)
                            .all(|(a, b)| (a.marking, a.parent, &a.zone) == (b.marking, b.parent, &b.zone))
                    );
                }
                (one, four) => assert_eq!(one.err(), four.err()),
            }
        }
    }
}
