//! Names of instances are unique, and those of coloured nodes keep their meaning.

use starset::budget::Budget;
use starset::kinds::net::coloured::{Limits, unfold};
use starset::kinds::net::pnml::{Net, read_net};

#[test]
fn collisions() {
    let sort = |id: &str, names: [&str; 2]| {
        let constant = |n: &str| format!("<feconstant id=\"{id}{n}\" name=\"{n}\"/>");
        let constants = names.map(constant).concat();
        format!("<namedsort id=\"{id}\"><finiteenumeration>{constants}</finiteenumeration></namedsort>")
    };
    let place = |id: &str, sort: &str| {
        format!(
            "<place id=\"{id}\"><type><structure><usersort declaration=\"{sort}\"/></structure></type><hlinitialMarking>\
             <structure><all><usersort declaration=\"{sort}\"/></all></structure></hlinitialMarking></place>"
        )
    };
    let text = format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"><page id=\"g\">{}{}{}</page>\
         <declaration><structure><declarations>{}{}</declarations></structure></declaration></net></pnml>",
        place("p", "s"),
        place("p_1", "r"),
        place("d", "dot"),
        sort("s", ["1", "1_2"]),
        sort("r", ["2", "3"])
    );
    let Net::Coloured(net) = read_net(text.as_bytes(), "net").unwrap() else { panic!("not coloured") };
    let unfolding = unfold(&net, &Limits::default(), &Budget::unlimited()).unwrap();
    let names: Vec<&str> = unfolding.net.places().iter().map(|place| place.id.as_str()).collect();
    assert_eq!(names, ["p_1_", "p_1_2", "p_1_2_", "p_1_3", "d"]);
    let symbols = unfolding.symbols();
    let meaning = |name: &str| symbols.place(name).unwrap().iter().map(|&p| names[p.index()]).collect::<Vec<_>>();
    assert_eq!(meaning("p"), ["p_1_", "p_1_2"]);
    assert_eq!(meaning("p_1"), ["p_1_2_", "p_1_3"]);
    assert_eq!(meaning("p_1_2"), ["p_1_2"]);
    assert_eq!(meaning("d"), ["d"]);
}
