//! Every number of the semantics document, on the nets that come with it.

use crate::shared::shared;
use starset::kinds::clocks::constraint::Constraint;
use starset::kinds::clocks::diagnostics::{BlockKind, Diagnosis, diagnose};
use starset::kinds::clocks::markings::{Limits, MarkingTable};
use starset::kinds::clocks::model::ClockNet;
use starset::kinds::clocks::predicate::Predicate;
use starset::kinds::clocks::repair::{Change, Outcome, Workshop};
use starset::kinds::clocks::scaled::Scaled;
use starset::kinds::clocks::soundness::{Demand, Workflow, soundness};
use starset::kinds::clocks::zone::{Units, region_text};
use starset::kinds::clocks::zone_graph::{Abstraction, Storage, ZoneGraph, ZoneOptions};
use starset::kinds::clocks::{fairness, families, integer, line_format, pnml, replay, tchecker, times};
use std::path::PathBuf;

/// The folder of the nets.
struct Nets(PathBuf);

impl Nets {
    /// Nothing where the nets are absent.
    fn find() -> Option<Nets> {
        shared("clocks/nets").map(Nets)
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }

    fn net(&self, name: &str) -> ClockNet {
        line_format::read(&self.text(&format!("{name}.pnwc")), name).unwrap()
    }
}

fn diagnosis(net: &ClockNet) -> Diagnosis {
    diagnose(&Scaled::new(net).unwrap(), &Limits::default(), &|_| false).unwrap()
}

/// Places, transitions, clocks, markings without and with time, zones by equality and by inclusion, states and markings
/// of integer time, dead transitions, blocks.
fn row(net: &ClockNet) -> ([usize; 10], String) {
    let s = Scaled::new(net).unwrap();
    let mut untimed = MarkingTable::new(&s, &Limits::default()).unwrap();
    untimed.explore().unwrap();
    let equal = ZoneGraph::explore(&s, ZoneOptions::regions()).unwrap();
    let largest = ZoneGraph::explore(&s, ZoneOptions::antichain()).unwrap();
    let whole = integer::explore(&s, &Limits::default()).unwrap();
    let d = diagnosis(net);
    let blocks: Vec<String> =
        d.blocks.iter().map(|b| format!("{} {}", net.marking_text(&b.marking), b.kind.name())).collect();
    let numbers = [
        net.places.len(),
        net.transitions.len(),
        net.clocks.len(),
        untimed.len(),
        equal.reached().count(),
        equal.zone_count(),
        largest.zone_count(),
        whole.states,
        whole.marking_count(),
        d.dead_transitions.len(),
    ];
    assert_eq!(equal.reached().count(), largest.reached().count());
    (numbers, blocks.join("; "))
}

#[test]
fn the_table_of_ten_nets() {
    let Some(nets) = Nets::find() else { return };
    for (name, numbers, blocks) in [
        ("order_bad", [9, 9, 3, 11, 9, 13, 10, 1286, 9, 2], "{approved packed} timelock"),
        ("order_fixed", [9, 9, 3, 11, 11, 17, 14, 2408, 11, 0], ""),
        ("office_hours", [4, 3, 2, 4, 4, 5, 5, 326, 4, 0], "{arrive} missed window; {desk} timelock"),
        ("touch", [2, 2, 2, 2, 2, 4, 3, 24, 2, 0], "{p} timelock; {p} missed window"),
        ("halfopen", [4, 3, 1, 4, 3, 4, 4, 14, 3, 1], "{p} timelock; {q} missed window"),
        ("fischer2_k2", [11, 18, 2, 28, 18, 35, 27, 95, 18, 6], ""),
        ("fischer2_k2_broken", [11, 18, 2, 28, 28, 115, 35, 159, 28, 2], ""),
        ("fischer3_k2", [16, 33, 3, 152, 65, 343, 253, 673, 65, 12], ""),
        ("fischer3_k2_broken", [16, 33, 3, 152, 152, 4369, 526, 1603, 152, 3], ""),
        ("fischer4_k2", [21, 52, 4, 752, 220, 4209, 3077, 4639, 220, 20], ""),
    ] {
        assert_eq!(row(&nets.net(name)), (numbers, blocks.to_owned()), "{name}");
    }
}

fn check_fischer(n: u32, strict: bool, states: usize, steps: usize, markings: usize, violating: usize) {
    let net = families::fischer(n, 2, strict).unwrap();
    let s = Scaled::new(&net).unwrap();
    let whole = integer::explore(&s, &Limits::default()).unwrap();
    assert_eq!((whole.states, whole.steps, whole.marking_count()), (states, steps, markings), "{n} {strict}");
    let dense = ZoneGraph::explore(&s, ZoneOptions::reachability()).unwrap();
    assert_eq!(dense.reached().count(), markings);
    if strict {
        assert_eq!(dense.zone_count(), markings, "one zone for each marking");
    }
    let critical: Vec<usize> = (1..=n).map(|i| net.place(&format!("cs{i}")).unwrap().index()).collect();
    let violates = |m: &[u32]| critical.iter().filter(|&&p| m[p] > 0).count() > 1;
    assert_eq!(dense.reached().filter(|&m| violates(&dense.markings.tokens(m))).count(), violating);
}

#[test]
fn fischer_with_the_strict_guard() {
    for (n, states, steps, markings) in [
        (1, 12, 20, 4),
        (2, 95, 176, 18),
        (3, 673, 1338, 65),
        (4, 4639, 9912, 220),
        (5, 31357, 72446, 727),
        (6, 208527, 522916, 2378),
        (7, 1369081, 3730866, 7737),
    ] {
        // The last one is for the optimised tests.
        if cfg!(debug_assertions) && n > 6 {
            break;
        }
        check_fischer(n, true, states, steps, markings, 0);
    }
}

#[test]
fn fischer_with_the_loose_guard() {
    for (n, states, steps, markings, violating) in [
        (1, 13, 23, 4, 0),
        (2, 159, 358, 28, 2),
        (3, 1603, 4452, 152, 30),
        (4, 15329, 51366, 752, 244),
        (5, 143597, 566746, 3552, 1560),
    ] {
        check_fischer(n, false, states, steps, markings, violating);
    }
}

/// Zones by equality and by inclusion: what TChecker's own expectations say (test/algos of d711ace, `reach` and `covreach`).
#[test]
fn what_tchecker_expects() {
    for (net, equal, largest) in [
        (families::csmacd(3), 391, 70),
        (families::fischer(3, 10, true), 71, 65),
        (families::train_gate(2), 56, 56),
        (families::train_gate(3), 765, 765),
    ] {
        let net = net.unwrap();
        let s = Scaled::new(&net).unwrap();
        // Constants of places are those of TChecker's locations and variables; those of markings keep fewer zones.
        let fewest = ZoneGraph::explore(&s, ZoneOptions::reachability()).unwrap().zone_count();
        assert!(fewest <= largest && (largest != 70 || fewest == 56), "{}: {fewest}", net.name);
        let options = ZoneOptions { abstraction: Abstraction::LocalLowerUpper, ..ZoneOptions::reachability() };
        assert_eq!(ZoneGraph::explore(&s, options.clone()).unwrap().zone_count(), largest, "{}", net.name);
        let options = ZoneOptions { storage: Storage::Equality, ..options };
        assert_eq!(ZoneGraph::explore(&s, options).unwrap().zone_count(), equal, "{}", net.name);
    }
}

#[test]
fn the_export_has_the_automaton_of_the_files() {
    let Some(nets) = Nets::find() else { return };
    for name in ["order_bad", "order_fixed", "fischer2_k2", "fischer3_k2", "fischer2_k2_broken"] {
        let expected = nets.text(&format!("{name}.tck"));
        let net = nets.net(name);
        let text = tchecker::export(&Scaled::new(&net).unwrap(), &Limits::default(), &|_| false).unwrap();
        // Locations are numbered in another order: compare what does not depend on it.
        let shape = |text: &str| {
            let mut lines: Vec<String> = text
                .replace("labels: bad", "")
                .lines()
                .filter(|l| !l.is_empty() && !l.starts_with('#'))
                .map(|l| match l.split_once('{') {
                    Some((head, body)) => {
                        let kind: Vec<&str> = head.split(':').filter(|p| !p.starts_with('l') || p.len() > 4).collect();
                        let mut parts: Vec<&str> = body
                            .trim_end_matches('}')
                            .split([':', '&', ';', ' '])
                            .filter(|p| !p.is_empty() && *p != "a>=0")
                            .collect();
                        parts.sort();
                        format!("{} {}", kind.join(":"), parts.join(" "))
                    }
                    None => l.to_owned(),
                })
                .collect();
            lines.sort();
            lines
        };
        assert_eq!(shape(&text), shape(&expected), "{name}");
    }
    let e = tchecker::export(&Scaled::new(&nets.net("halfopen")).unwrap(), &Limits::default(), &|_| false).unwrap_err();
    assert!(e.to_string().contains("not convex"));
}

#[test]
fn generated_fischer_is_the_one_of_the_files() {
    let Some(nets) = Nets::find() else { return };
    assert_eq!(families::fischer(3, 2, true).unwrap(), nets.net("fischer3_k2"));
    assert_eq!(families::fischer(2, 10, true).unwrap(), nets.net("fischer2"));
    assert_eq!(families::fischer(3, 2, false).unwrap(), nets.net("fischer3_k2_broken"));
}

#[test]
fn pnml_and_line_format_are_the_same_nets() {
    let Some(nets) = Nets::find() else { return };
    for name in ["order_bad", "order_fixed", "office_hours", "fischer2_k2", "fischer3_k2", "fischer4_k2"] {
        let read = pnml::read(&nets.text(&format!("{name}.pnml")), name).unwrap();
        assert_eq!(read, nets.net(name));
        assert_eq!(pnml::read(&pnml::write(&read), "written").unwrap(), read);
        assert_eq!(line_format::read(&line_format::write(&read).unwrap(), "written").unwrap(), read);
    }
}

#[test]
fn the_bad_order() {
    let Some(nets) = Nets::find() else { return };
    let net = nets.net("order_bad");
    let d = diagnosis(&net);
    let show = |ms: &[Box<[u32]>]| ms.iter().map(|m| net.marking_text(m)).collect::<Vec<_>>().join(" ");
    assert_eq!(show(&d.unreachable), "{stock manager} {packed manager}");
    assert_eq!(show(&d.deadlocks), "{closed}");
    let dead: Vec<&str> =
        d.dead_transitions.iter().map(|t| net.transitions[t.transition.index()].id.as_str()).collect();
    assert_eq!(dead, ["escalate", "override"]);
    assert!(d.dead_transitions.iter().all(|t| t.in_time));
    let s = Scaled::new(&net).unwrap();
    let [block] = d.blocks.as_slice() else { panic!("{:?}", d.blocks) };
    assert_eq!(block.kind, BlockKind::Timelock);
    assert_eq!(s.units().clock_box(&block.region.hull().unwrap()), "12<a<=16 & 20<b<=24");
    assert_eq!(region_text(&block.region, s.units()), "12<a<=16 & 20<b<=24 & b-a<=8");
}

#[test]
fn repairs_of_the_bad_order() {
    let Some(nets) = Nets::find() else { return };
    let net = nets.net("order_bad");
    let shop = Workshop::new(&net, &Limits::default(), &|_| false).unwrap();
    let block = &shop.diagnosis().blocks[0];
    let proposals = shop.proposals(block).unwrap();
    let repairs: Vec<String> = proposals.iter().filter(|p| p.is_repair()).map(|p| p.change.text(&net)).collect();
    for expected in [
        "in the condition of `ship`, `b<=24` instead of `b<=20`",
        "in the invariant of `approved`, `a<=12` instead of `a<=16`",
    ] {
        assert!(repairs.iter().any(|r| r == expected), "{repairs:?}");
    }
    let change = |constraint: Constraint, text: &str| {
        let Predicate::Atom(atom) = Predicate::parse(text, &net.clocks).unwrap() else { panic!() };
        let index = constraint
            .predicate(&net)
            .atoms()
            .iter()
            .position(|(a, _)| a.clock == atom.clock && a.relation == atom.relation);
        Change { constraint, replaces: index, atom }
    };
    let ship = Constraint::Condition(net.transition("ship").unwrap());
    let p = shop.try_out(block, change(ship, "b<=23")).unwrap();
    let Outcome::Shrinks(region) = &p.outcome else { panic!("{:?}", p.outcome) };
    assert_eq!(shop.scaled().units().clock_box(&region.hull().unwrap()), "15<a<=16 & 23<b<=24");
    let stock = Constraint::Invariant(net.place("stock").unwrap());
    let p = shop.try_out(block, change(stock, "b<=20")).unwrap();
    assert!(matches!(p.outcome, Outcome::Leaves), "{:?}", p.outcome);
}

fn elapsed(times: &times::Times, measured: &Option<times::Measured>) -> String {
    let units = Units { clocks: &["g".to_owned()], scale: times.scale };
    measured.as_ref().and_then(|m| units.interval(0, m.interval)).unwrap_or_default()
}

#[test]
fn how_long_orders_take() {
    let Some(nets) = Nets::find() else { return };
    for (name, invoice, restock) in [("order_fixed", "8<=g<=70", "7<=g<=34"), ("order_bad", "8<=g<=46", "7<=g<=14")] {
        let net = nets.net(name);
        let t = times::since_start(&net, 1000, &Limits::default()).unwrap();
        let of = |id: &str| elapsed(&t, &t.firing[net.transition(id).unwrap().index()]);
        assert_eq!((of("invoice").as_str(), of("restock").as_str()), (invoice, restock));
    }
    let net = nets.net("order_fixed");
    let from = net.transition("credit_ok").unwrap();
    let t = times::since(&net, from, 1000, &Limits::default()).unwrap();
    let of = |id: &str| elapsed(&t, &t.firing[net.transition(id).unwrap().index()]);
    assert_eq!(of("ship"), "g<=24");
    assert_eq!(of("escalate"), "20<=g<=22");
    assert_eq!(of("register"), "");
    assert_eq!(of("credit_ok"), "");
}

#[test]
fn office_hours_touch_and_halfopen() {
    let Some(nets) = Nets::find() else { return };
    for (name, regions) in [
        ("office_hours", ["x>32 & y>32", "x<=2 & 6<=y<=8"]),
        ("touch", ["3<x<=5 & 0<y<5", "x>7 & y>7"]),
        ("halfopen", ["1<x<5", "x>6"]),
    ] {
        let net = nets.net(name);
        let s = Scaled::new(&net).unwrap();
        let shown: Vec<String> =
            diagnosis(&net).blocks.iter().map(|b| s.units().clock_box(&b.region.hull().unwrap())).collect();
        assert_eq!(shown, regions, "{name}");
    }
}

#[test]
fn soundness_of_orders() {
    let Some(nets) = Nets::find() else { return };
    let net = nets.net("order_fixed");
    let w = Workflow::of(&net).unwrap();
    let fixed = soundness(&Scaled::new(&net).unwrap(), &w, &Limits::default()).unwrap();
    assert!(fixed.classical() && fixed.relaxed() && fixed.lazy());
    let goal = |m: &[u32]| w.is_final(m);
    assert_eq!(fairness::incomplete(&Scaled::new(&net).unwrap(), &Limits::default(), &goal).unwrap(), None);
    let net = nets.net("order_bad");
    let bad = soundness(&Scaled::new(&net).unwrap(), &w, &Limits::default()).unwrap();
    assert!(!bad.classical() && !bad.weak() && !bad.relaxed() && !bad.lazy());
    let Demand::Refuted(Some(run)) = bad.option_to_complete else { panic!() };
    let end = replay::replay(&net, &run).unwrap();
    assert!(!w.is_final(&end.marking));
    // Without time, the process is sound.
    let untimed = soundness(&Scaled::new(&net.without_time()).unwrap(), &w, &Limits::default()).unwrap();
    assert!(untimed.classical() && untimed.relaxed() && untimed.lazy());
}
