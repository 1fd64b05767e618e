//! Every form of declaration and term of symmetric nets (ISO/IEC 15909-2), each in a small net whose unfolding and number of
//! markings were found by hand; and what is refused, by name.

use crate::reference;
use starset::budget::Budget;
use starset::kinds::net::coloured::{Limits, unfold};
use starset::kinds::net::pnml::{Net, read_net};
use starset::net::PetriNet;

/// Sorts of each kind, names for them, products, partitions, and a variable of each.
const DECLARATIONS: &str = r#"
    <namedsort id="c"><cyclicenumeration><feconstant id="c0"/><feconstant id="c1"/><feconstant id="c2"/></cyclicenumeration></namedsort>
    <namedsort id="f"><finiteenumeration><feconstant id="f0"/><feconstant id="f1"/></finiteenumeration></namedsort>
    <namedsort id="r"><finiteintrange start="1" end="3"/></namedsort>
    <namedsort id="d"><dot/></namedsort>
    <namedsort id="cf"><productsort><usersort declaration="c"/><usersort declaration="f"/></productsort></namedsort>
    <namedsort id="c_"><usersort declaration="c"/></namedsort>
    <namedsort id="f_"><usersort declaration="f"/></namedsort>
    <namedsort id="r_"><usersort declaration="r"/></namedsort>
    <namedsort id="d_"><usersort declaration="d"/></namedsort>
    <namedsort id="cf_"><usersort declaration="cf"/></namedsort>
    <namedsort id="nested"><productsort><usersort declaration="cf"/><usersort declaration="r"/></productsort></namedsort>
    <namedsort id="inner"><productsort><usersort declaration="f"/><productsort><usersort declaration="f"/>
        <finiteintrange start="1" end="3"/></productsort></productsort></namedsort>
    <namedsort id="mixed"><productsort><usersort declaration="halves"/><dot/><usersort declaration="f"/></productsort></namedsort>
    <partition id="halves"><usersort declaration="c"/>
        <partitionelement id="low"><useroperator declaration="c0"/><useroperator declaration="c1"/></partitionelement>
        <partitionelement id="high"><useroperator declaration="c2"/></partitionelement></partition>
    <partition id="parts"><usersort declaration="r"/>
        <partitionelement id="small"><finiteintrangeconstant value="1"><usersort declaration="r"/></finiteintrangeconstant>
            <finiteintrangeconstant value="2"><finiteintrange start="1" end="3"/></finiteintrangeconstant></partitionelement>
        <partitionelement id="big"><finiteintrangeconstant value="3"><usersort declaration="r"/></finiteintrangeconstant>
        </partitionelement></partition>
    <variabledecl id="x"><usersort declaration="c"/></variabledecl>
    <variabledecl id="y"><usersort declaration="f"/></variabledecl>
    <variabledecl id="z"><usersort declaration="r"/></variabledecl>
    <variabledecl id="w"><usersort declaration="cf"/></variabledecl>
    <variabledecl id="l"><usersort declaration="low"/></variabledecl>"#;

/// A place `p` with this sort and marking, from which a transition takes and puts into a place `q` of the same sort.
fn text(more: &str, sort: &str, marking: &str, taken: &str, put: &str, guard: &str) -> String {
    let in_structure = |label: &str, term: &str| match term {
        "" => String::new(),
        _ => format!("<{label}><structure>{term}</structure></{label}>"),
    };
    let place = |id: &str, marking: &str, sort: &str| {
        format!(
            "<place id=\"{id}\">{}{}</place>",
            in_structure("type", sort),
            in_structure("hlinitialMarking", marking)
        )
    };
    // A sort without a name is declared by the first place and belongs to it.
    let enumeration = sort.starts_with("<cyclic") || sort.starts_with("<finiteenum");
    let second = if enumeration { "<usersort declaration=\"c\"/>" } else { sort };
    format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"><page id=\"g\">{}{}\
         <transition id=\"t\">{}</transition>\
         <arc id=\"i\" source=\"p\" target=\"t\">{}</arc><arc id=\"o\" source=\"t\" target=\"q\">{}</arc>\
         </page><declaration><structure><declarations>{DECLARATIONS}{more}</declarations></structure></declaration></net></pnml>",
        place("p", marking, sort),
        place("q", "", second),
        in_structure("condition", guard),
        in_structure("hlinscription", taken),
        in_structure("hlinscription", put),
    )
}

#[track_caller]
fn unfolded(text: &str) -> PetriNet {
    match read_net(text.as_bytes(), "n").unwrap_or_else(|e| panic!("{e}\n{text}")) {
        Net::Coloured(net) => unfold(&net, &Limits::default(), &Budget::unlimited()).unwrap().net,
        Net::Flat(_) => panic!("not coloured"),
    }
}

fn of(element: &str, operands: &[&str]) -> String {
    let operands: String = operands.iter().map(|operand| format!("<subterm>{operand}</subterm>")).collect();
    format!("<{element}>{operands}</{element}>")
}

fn times(element: &str, number: u32, term: &str) -> String {
    of(element, &[&format!("<numberconstant value=\"{number}\"><positive/></numberconstant>"), term])
}

fn sort(id: &str) -> String {
    format!("<usersort declaration=\"{id}\"/>")
}

fn all(sort: &str) -> String {
    format!("<all>{sort}</all>")
}

fn colour(id: &str) -> String {
    format!("<useroperator declaration=\"{id}\"/>")
}

fn integer(value: u32) -> String {
    format!("<finiteintrangeconstant value=\"{value}\"><usersort declaration=\"r\"/></finiteintrangeconstant>")
}

fn class(variable: &str, partition: &str) -> String {
    format!("<partitionelementof refpartition=\"{partition}\"><subterm>{variable}</subterm></partitionelementof>")
}

const X: &str = "<variable refvariable=\"x\"/>";
const Y: &str = "<variable refvariable=\"y\"/>";
const Z: &str = "<variable refvariable=\"z\"/>";
const W: &str = "<variable refvariable=\"w\"/>";
const L: &str = "<variable refvariable=\"l\"/>";
const DOT: &str = "<dotconstant/>";

/// One token of each colour, which moves alone: `n` colours make 2·n places, n transitions and 2ⁿ markings.
#[test]
fn sorts() {
    let product = |parts: &[&str]| format!("<productsort>{}</productsort>", parts.concat());
    let (c, f, r) = (sort("c"), sort("f"), sort("r"));
    let range = "<finiteintrange start=\"-1\" end=\"1\"/>".to_owned();
    let cases = [
        (sort("c"), 3),
        (sort("c_"), 3),
        (sort("f"), 2),
        (sort("f_"), 2),
        (sort("r"), 3),
        (sort("r_"), 3),
        (sort("d"), 1),
        (sort("d_"), 1),
        (sort("dot"), 1),
        ("<dot/>".to_owned(), 1),
        (range.clone(), 3),
        (sort("cf"), 6),
        (sort("cf_"), 6),
        (sort("nested"), 18),
        (sort("inner"), 12),
        (sort("mixed"), 4),
        (sort("halves"), 2),
        (sort("parts"), 2),
        (product(&[&c, &f]), 6),
        (product(&[&f, "<dot/>"]), 2),
        (product(&[&product(&[&f, &r]), &range]), 18),
        (product(&[&f]), 2),
    ];
    for (sort, size) in cases {
        let variable = format!("<variabledecl id=\"it\">{sort}</variabledecl>");
        let it = "<variable refvariable=\"it\"/>";
        let net = unfolded(&text(&variable, &sort, &all(&sort), it, it, ""));
        assert_eq!((net.place_count(), net.transition_count()), (2 * size, size), "{sort}");
        if size <= 6 {
            assert_eq!(reference::explore(&net, 1000).unwrap().markings.len(), 1 << size, "{sort}");
        }
    }
}

/// Places with tokens or with a chance of some, transitions, and markings.
#[track_caller]
fn check(text: &str, places: &[&str], transitions: usize, markings: usize) {
    let net = unfolded(text);
    let mut found: Vec<&str> = net.places().iter().map(|place| place.id.as_str()).collect();
    found.sort_unstable();
    assert_eq!((found.as_slice(), net.transition_count()), (places, transitions), "{text}");
    assert_eq!(reference::explore(&net, 1000).unwrap().markings.len(), markings, "{text}");
}

#[test]
fn terms() {
    let [c0, c1, c2, f0, f1] = ["c0", "c1", "c2", "f0", "f1"].map(colour);
    let all_c = all(&sort("c"));
    let pair = |a: &str, b: &str| of("tuple", &[a, b]);
    let of_c = |marking: &str, taken: &str, put: &str, places: &[&str], transitions, markings| {
        check(&text("", &sort("c"), marking, taken, put, ""), places, transitions, markings);
    };
    let four = ["p_c0", "p_c1", "q_c0", "q_c1"];
    let six = ["p_c0", "p_c1", "p_c2", "q_c0", "q_c1", "q_c2"];
    of_c(&c0, &c0, &c0, &["p_c0", "q_c0"], 1, 2);
    of_c(&times("numberof", 2, &c0), &c0, &c0, &["p_c0", "q_c0"], 1, 3);
    of_c(&times("numberof", 2, &c0), &times("numberof", 2, X), X, &["p_c0", "q_c0"], 1, 2);
    of_c(&times("scalarproduct", 2, &of("add", &[&c0, &c1])), X, X, &four, 2, 9);
    of_c(&of("add", &[&c0, &times("numberof", 3, &c1)]), X, X, &four, 2, 8);
    of_c(&of("add", &[&c0, &of("add", &[&c1])]), X, X, &four, 2, 4);
    of_c(&of("subtract", &[&all_c, &c2]), X, X, &four, 2, 4);
    of_c(&of("subtract", &[&all_c, &c2, &c1]), X, X, &["p_c0", "q_c0"], 1, 2);
    of_c(&of("add", &[&all_c, "<empty><usersort declaration=\"c\"/></empty>"]), X, X, &six, 3, 8);
    // Successors and predecessors go round.
    of_c(&c2, X, &of("successor", &[X]), &["p_c2", "q_c0"], 1, 2);
    of_c(&c0, X, &of("predecessor", &[X]), &["p_c0", "q_c2"], 1, 2);
    of_c(&c2, X, &of("successor", &[&of("successor", &[X])]), &["p_c2", "q_c1"], 1, 2);
    of_c(&c0, X, &of("predecessor", &[&of("successor", &[X])]), &["p_c0", "q_c0"], 1, 2);
    of_c(&c0, X, &of("successor", &[&c1]), &["p_c0", "q_c2"], 1, 2);
    // Sums on arcs: two of three tokens go, and one comes.
    of_c(&all_c, &of("add", &[X, &of("successor", &[X])]), X, &six, 3, 4);
    of_c(&all_c, &of("subtract", &[&all_c, X]), X, &six, 3, 4);
    of_c(&all_c, &all_c, &times("scalarproduct", 2, &all_c), &six, 1, 2);
    // Classes of partitions.
    of_c(&all(&sort("low")), X, X, &four, 2, 4);
    of_c(&all_c, L, L, &["p_c0", "p_c1", "p_c2", "q_c0", "q_c1"], 2, 4);
    // Tuples, flat and nested, of colours and of multisets.
    let of_cf = |marking: &str, taken: &str, put: &str, places: &[&str], transitions, markings| {
        check(&text("", &sort("cf"), marking, taken, put, ""), places, transitions, markings);
    };
    of_cf(&pair(&c0, &f1), &pair(X, Y), &pair(&of("successor", &[X]), Y), &["p_c0_f1", "q_c1_f1"], 1, 2);
    of_cf(&pair(&c0, &f1), W, W, &["p_c0_f1", "q_c0_f1"], 1, 2);
    of_cf(
        &pair(&of("add", &[&c0, &c1]), &f0),
        &pair(X, &f0),
        &pair(X, &f1),
        &["p_c0_f0", "p_c1_f0", "q_c0_f1", "q_c1_f1"],
        2,
        4,
    );
    of_cf(&pair(&c0, &all(&sort("f"))), W, &pair(&c2, &f0), &["p_c0_f0", "p_c0_f1", "q_c2_f0"], 2, 4);
    let nested = text("", &sort("nested"), &pair(&pair(&c0, &f0), &integer(2)), &pair(W, Z), &pair(W, &integer(3)), "");
    check(&nested, &["p_c0_f0_2", "q_c0_f0_3"], 1, 2);
    // Black tokens, integers, classes as colours.
    check(&text("", &sort("d"), &times("numberof", 3, DOT), DOT, DOT, ""), &["p", "q"], 1, 4);
    check(&text("", "<dot/>", &all("<dot/>"), "", "", ""), &["p", "q"], 1, 2);
    check(&text("", &sort("r"), &integer(2), Z, &integer(1), ""), &["p_2", "q_1"], 1, 2);
    check(
        &text("", &sort("halves"), &colour("low"), &colour("low"), &class(&c2, "halves"), ""),
        &["p_low", "q_high"],
        1,
        2,
    );
    // Enumerations without a name.
    let inline = "<cyclicenumeration><feconstant id=\"k0\"/><feconstant id=\"k1\"/></cyclicenumeration>";
    check(&text("", inline, &colour("k1"), &of("successor", &[&colour("k0")]), &c0, ""), &["p_k1", "q_c0"], 1, 2);
    let inline = "<finiteenumeration><feconstant id=\"k0\"/><feconstant id=\"k1\"/></finiteenumeration>";
    check(&text("", inline, &colour("k0"), &colour("k0"), &c0, ""), &["p_k0", "q_c0"], 1, 2);
}

/// One token of each of three colours; the guard lets some of them go.
#[test]
fn guards() {
    let [c0, c1, c2] = ["c0", "c1", "c2"].map(colour);
    let compare = |operator: &str, other: &str| of(operator, &[X, other]);
    let constant = |value: bool| format!("<booleanconstant value=\"{value}\"/>");
    let of_class = class(X, "halves");
    let cases = [
        (compare("equality", &c1), 1),
        (compare("inequality", &c1), 2),
        (compare("lessthan", &c1), 1),
        (compare("lessthanorequal", &c1), 2),
        (compare("greaterthan", &c0), 2),
        (compare("greaterthanorequal", &c2), 1),
        (of("equality", &[&c1, X]), 1),
        (of("and", &[&compare("greaterthan", &c0), &compare("lessthan", &c2)]), 1),
        (of("and", &[&compare("inequality", &c0), &compare("inequality", &c1), &compare("inequality", &c2)]), 0),
        (of("or", &[&compare("equality", &c0), &compare("equality", &c2)]), 2),
        (of("not", &[&compare("equality", &c0)]), 2),
        (of("not", &[&of("and", &[&of("or", &[&constant(false), &compare("equality", &c0)]), &constant(true)])]), 2),
        (of("imply", &[&compare("equality", &c0), &compare("equality", &c1)]), 2),
        (of("imply", &[&of("imply", &[&constant(true), &constant(false)]), &compare("equality", &c1)]), 3),
        (constant(true), 3),
        (constant(false), 0),
        (of("equality", &[&of("successor", &[X]), &c0]), 1),
        (of("inequality", &[&of("predecessor", &[X]), &of("successor", &[X])]), 3),
        (of("equality", &[&of("tuple", &[X, &c0]), &of("tuple", &[&c2, &c0])]), 1),
        (of("equality", &[&of_class, &colour("low")]), 2),
        (of("equality", &[&of_class, &class(&c2, "halves")]), 1),
        (of("inequality", &[&of_class, &colour("low")]), 1),
        (of("ltp", &[&of_class, &colour("high")]), 2),
        (of("gtp", &[&of_class, &colour("low")]), 1),
        (of("equality", &[DOT, DOT]), 3),
        (of("lessthan", &[&integer(2), &integer(1)]), 0),
        (of("equality", &[&class(&integer(3), "parts"), &colour("big")]), 3),
    ];
    for (guard, bindings) in cases {
        let net = unfolded(&text("", &sort("c"), &all(&sort("c")), X, X, &guard));
        assert_eq!((net.place_count(), net.transition_count()), (3 + bindings, bindings), "{guard}");
        assert_eq!(reference::explore(&net, 1000).unwrap().markings.len(), 1 << bindings, "{guard}");
    }
    for (operator, bindings) in [("lessthan", 1), ("lessthanorequal", 2), ("greaterthan", 1), ("greaterthanorequal", 2)]
    {
        let guard = of(operator, &[Z, &integer(2)]);
        let net = unfolded(&text("", &sort("r"), &all(&sort("r")), Z, Z, &guard));
        assert_eq!((net.place_count(), net.transition_count()), (3 + bindings, bindings), "{guard}");
    }
}

/// What has no place in symmetric nets, or is not read, is named.
#[test]
fn others_are_refused_by_name() {
    let c0 = colour("c0");
    let refused = |text: &str, named: &str| {
        let error = read_net(text.as_bytes(), "n").unwrap_err().to_string();
        assert!(error.contains(&format!("`<{named}>`")), "{named}: {error}");
    };
    for element in ["bool", "integer", "natural", "positive", "string", "list", "multisetsort"] {
        refused(&text("", &format!("<{element}/>"), "", X, X, ""), element);
    }
    for element in ["namedoperator", "arbitrarysort", "arbitraryoperator", "unparsed"] {
        refused(&text(&format!("<{element} id=\"o\"/>"), &sort("c"), &c0, X, X, ""), element);
    }
    for element in ["cardinality", "cardinalityof", "unparsed", "append", "emptylist", "contains"] {
        refused(&text("", &sort("c"), &of(element, &[&c0]), X, X, ""), element);
    }
    for element in ["contains", "variable", "useroperator", "unparsed", "add"] {
        refused(&text("", &sort("c"), &c0, X, X, &of(element, &[X, &c0])), element);
    }
    refused(
        &text("", &sort("c"), &c0, X, X, &of("equality", &["<booleanconstant value=\"true\"/>", &c0])),
        "booleanconstant",
    );
    let tuples = "<partition id=\"of_pairs\"><usersort declaration=\"cf\"/><partitionelement id=\"one\"><tuple/></partitionelement></partition>";
    refused(&text(tuples, &sort("c"), &c0, X, X, ""), "tuple");
}
