//! Unfoldings that are too large, or take too long, end in good order.

use crate::cli::{run, starset};
use starset::budget::{Budget, Exhausted};
use starset::kinds::net::coloured::{Limits, UnfoldError, Unfolding, unfold};
use starset::kinds::net::pnml::{Net, read_net};
use std::time::{Duration, Instant};

/// One transition over variables x, y and z of 1..`size`, with this guard, that puts `output` into a place.
fn net(size: u32, guard: &str, output: &str) -> String {
    let variable = |id| format!("<variabledecl id=\"{id}\"><usersort declaration=\"s\"/></variabledecl>");
    format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"><page id=\"g\">\
         <place id=\"p\"><type><structure><usersort declaration=\"sss\"/></structure></type></place>\
         <transition id=\"t\"><condition><structure>{guard}</structure></condition></transition>\
         <arc source=\"t\" target=\"p\"><hlinscription><structure>{output}</structure></hlinscription></arc>\
         </page><declaration><structure><declarations>\
         <namedsort id=\"s\"><finiteintrange start=\"1\" end=\"{size}\"/></namedsort>\
         <namedsort id=\"sss\"><productsort><usersort declaration=\"s\"/><usersort declaration=\"s\"/>\
         <usersort declaration=\"s\"/></productsort></namedsort>{}{}{}\
         </declarations></structure></declaration></net></pnml>",
        variable("x"),
        variable("y"),
        variable("z")
    )
}

const XYZ: &str = "<tuple><subterm><variable refvariable=\"x\"/></subterm><subterm><variable refvariable=\"y\"/>\
    </subterm><subterm><variable refvariable=\"z\"/></subterm></tuple>";
const ALL: &str = "<all><usersort declaration=\"sss\"/></all>";
const TRUE: &str = "<booleanconstant value=\"true\"/>";
/// No x, y, z satisfy this, but that is seen only when all of them are known.
const ROUND: &str = "<and><subterm><lessthan><subterm><variable refvariable=\"x\"/></subterm><subterm><variable refvariable=\"y\"/>\
    </subterm></lessthan></subterm><subterm><lessthan><subterm><variable refvariable=\"y\"/></subterm><subterm>\
    <variable refvariable=\"z\"/></subterm></lessthan></subterm><subterm><lessthan><subterm><variable refvariable=\"z\"/>\
    </subterm><subterm><variable refvariable=\"x\"/></subterm></lessthan></subterm></and>";

fn unfolded(text: &str, limits: Limits, budget: Budget) -> Result<Unfolding, UnfoldError> {
    match read_net(text.as_bytes(), "net").unwrap() {
        Net::Coloured(net) => unfold(&net, &limits, &budget),
        Net::Flat(_) => panic!("not read as a coloured net"),
    }
}

#[test]
fn sizes() {
    let few = Limits { places: 100, transitions: 50, arcs: 200 };
    let message = |text: String| unfolded(&text, few, Budget::unlimited()).unwrap_err().to_string();
    assert!(message(net(10, TRUE, XYZ)).contains("more than 50 transitions (`t` reached the limit)"));
    assert!(message(net(6, TRUE, ALL)).contains("more than 200 arcs (`t` reached the limit)"));
    let exactly = |transitions| Limits { places: 27, transitions, arcs: 27 };
    assert!(unfolded(&net(3, TRUE, XYZ), exactly(27), Budget::unlimited()).is_ok());
    assert!(unfolded(&net(3, TRUE, XYZ), exactly(26), Budget::unlimited()).is_err());
}

#[test]
fn time_and_memory() {
    let begin = Instant::now();
    let budget = || Budget::unlimited().with_time(Duration::from_millis(100));
    let error = unfolded(&net(50_000, ROUND, XYZ), Limits::default(), budget()).unwrap_err();
    assert_eq!(error, UnfoldError::Exhausted(Exhausted::Time));
    let error = unfolded(&net(50_000, TRUE, XYZ), Limits::default(), Budget::unlimited().with_memory(4 << 20));
    assert_eq!(error.unwrap_err(), UnfoldError::Exhausted(Exhausted::Memory));
    assert!(begin.elapsed() < Duration::from_secs(20));
}

/// A net that is not unfolded lists no steps, which is not to say that it has none.
#[test]
fn random_runs_need_an_unfolding() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.pnml");
    std::fs::write(&path, net(50_000, TRUE, XYZ)).unwrap();
    let (out, err, status) = run(starset().arg("simulate").arg(&path).args(["--memory", "64M"]));
    assert_eq!((out.as_str(), status), ("", 2), "{err}");
    assert!(err.contains("random runs need its unfolding"), "{err}");
}

/// What a guard excludes is not enumerated: of 10^15 bindings the one that it determines is found at once.
#[test]
fn guards_determine_bindings() {
    let is = |variable: &str, other: &str| {
        format!(
            "<subterm><equality><subterm><variable refvariable=\"{variable}\"/></subterm><subterm>{other}</subterm></equality></subterm>"
        )
    };
    let seven =
        "<finiteintrangeconstant value=\"7\"><finiteintrange start=\"1\" end=\"100000\"/></finiteintrangeconstant>";
    let guard = format!(
        "<and>{}{}{}</and>",
        is("y", "<variable refvariable=\"x\"/>"),
        is("z", "<variable refvariable=\"y\"/>"),
        is("z", seven)
    );
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let unfolding = unfolded(&net(100_000, &guard, XYZ), Limits::default(), budget).unwrap();
    let names: Vec<&str> = unfolding.net.transitions().iter().map(|t| t.id.as_str()).collect();
    assert_eq!(names, ["t_7_7_7"]);
    assert_eq!(unfolding.net.places()[0].id, "p_7_7_7");
}
