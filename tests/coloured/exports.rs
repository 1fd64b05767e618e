//! Coloured nets as exporters write them beside the standard: the same nets as what they mean.

use starset::budget::Budget;
use starset::kinds::net::coloured::{Limits, unfold};
use starset::kinds::net::pnml::{Net, read_net};
use starset::net::PetriNet;

/// A place of four colours in two classes, a transition that moves them under a guard, and a place for pairs.
fn net(text: &str, marking: &str, taken: &str, guard: &str) -> (PetriNet, Vec<String>) {
    let pnml = format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"><page id=\"g\">
         <place id=\"p\"><type><structure><usersort declaration=\"c\"/></structure></type>
         <hlinitialMarking><structure>{marking}</structure></hlinitialMarking></place>
         <place id=\"q\"><type><structure><usersort declaration=\"c\"/></structure></type></place>
         <transition id=\"t\"><condition><structure>{guard}</structure></condition></transition>
         <arc id=\"i\" source=\"p\" target=\"t\"><hlinscription><structure>{taken}</structure></hlinscription></arc>
         <arc id=\"o\" source=\"t\" target=\"q\"><hlinscription><structure>{taken}</structure></hlinscription></arc>
         </page><declaration><structure><declarations>
         <namedsort id=\"c\"><cyclicenumeration><feconstant id=\"c0\"/><feconstant id=\"c1\"/><feconstant id=\"c2\"/>\
         <feconstant id=\"c3\"/></cyclicenumeration>{text}</namedsort>
         <namedsort id=\"one\"><productsort><usersort declaration=\"c\"/></productsort></namedsort>
         <partition id=\"halves\"><usersort declaration=\"c\"/>\
         <partitionelement id=\"low\"><useroperator declaration=\"c0\"/><useroperator declaration=\"c1\"/></partitionelement>\
         <partitionelement id=\"high\"><useroperator declaration=\"c2\"/><useroperator declaration=\"c3\"/></partitionelement>\
         </partition>
         <variabledecl id=\"x\"><usersort declaration=\"c\"/></variabledecl>
         <variabledecl id=\"y\"><usersort declaration=\"one\"/></variabledecl>
         </declarations></structure></declaration></net></pnml>"
    );
    let Net::Coloured(net) = read_net(pnml.as_bytes(), "n").unwrap() else { panic!("not coloured") };
    (unfold(&net, &Limits::default(), &Budget::unlimited()).unwrap().net, net.remarks)
}

fn of(element: &str, operands: &[&str]) -> String {
    let operands: String = operands.iter().map(|operand| format!("<subterm>{operand}</subterm>")).collect();
    format!("<{element}>{operands}</{element}>")
}

const ALL: &str = "<all><usersort declaration=\"c\"/></all>";
const X: &str = "<variable refvariable=\"x\"/>";
const LOW: &str = "<useroperator declaration=\"low\"/>";
const TRUE: &str = "<booleanconstant value=\"true\"/>";

/// The net by the standard.
fn plain(marking: &str, guard: &str) -> PetriNet {
    let (net, remarks) = net("", marking, X, guard);
    assert!(remarks.is_empty() && net.transition_count() > 0);
    net
}

#[test]
fn text_between_elements_is_left_out_with_a_remark() {
    let (found, remarks) = net("$", ALL, X, TRUE);
    assert_eq!(found, plain(ALL, TRUE));
    assert_eq!(remarks.len(), 1);
    assert!(remarks[0].starts_with("n: line 9, column "), "{remarks:?}");
    assert!(remarks[0].ends_with(": text `$` between elements is left out"), "{remarks:?}");
    // Not more than a few remarks, however many there are.
    assert_eq!(net(&"$<!-- -->".repeat(50), ALL, X, TRUE).1.len(), 5);
}

#[test]
fn a_tuple_of_one_component_is_that_component() {
    let single = |inner: &str| of("tuple", &[inner]);
    assert_eq!(net("", &single(ALL), &single(&single(X)), TRUE).0, plain(ALL, TRUE));
    assert_eq!(net("", ALL, &of("numberof", &["<numberconstant value=\"1\"/>", &single(X)]), TRUE).0, plain(ALL, TRUE));
    let guard = of("equality", &[&single(X), "<useroperator declaration=\"c1\"/>"]);
    let same = of("equality", &[X, "<useroperator declaration=\"c1\"/>"]);
    assert_eq!(net("", ALL, X, &guard).0, plain(ALL, &same));
    // A product of one sort is that sort.
    let (of_product, _) = net("", ALL, "<variable refvariable=\"y\"/>", TRUE);
    assert_eq!((of_product.place_count(), of_product.transition_count()), (8, 4));
}

#[test]
fn a_class_stands_for_its_colours() {
    let both = of("add", &["<useroperator declaration=\"c0\"/>", "<useroperator declaration=\"c1\"/>"]);
    assert_eq!(net("", LOW, X, TRUE).0, plain(&both, TRUE));
    assert_eq!(plain(&both, TRUE).transition_count(), 2);
    let each = |condition: &str, colours: [&str; 2]| {
        let colour = |id: &str| of(condition, &[X, &format!("<useroperator declaration=\"{id}\"/>")]);
        of(if condition == "equality" { "or" } else { "and" }, &colours.map(colour).each_ref().map(|c| &**c))
    };
    for condition in ["equality", "inequality"] {
        let meant = plain(ALL, &each(condition, ["c0", "c1"]));
        assert_eq!(meant.transition_count(), 2);
        assert_eq!(net("", ALL, X, &of(condition, &[X, LOW])).0, meant);
        assert_eq!(net("", ALL, X, &of(condition, &[LOW, X])).0, meant);
    }
}
