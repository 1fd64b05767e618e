//! Coloured nets that are refused, each with one message that says where and what to do.

use starset::kinds::net::pnml::read_net;

/// A net with a place `p` of sort `a`, a place `d` of black tokens, and what is given.
fn net(declarations: &str, elements: &str) -> String {
    format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"><page id=\"g\">\n\
         <place id=\"p\"><type><structure><usersort declaration=\"a\"/></structure></type></place>\n\
         <place id=\"d\"><type><structure><dot/></structure></type></place>\n\
         <transition id=\"t\"/>\n\
         {elements}\n\
         </page><declaration><structure><declarations>\n\
         <namedsort id=\"a\"><cyclicenumeration><feconstant id=\"a0\"/><feconstant id=\"a1\"/></cyclicenumeration></namedsort>\n\
         <namedsort id=\"f\"><finiteenumeration><feconstant id=\"f0\"/><feconstant id=\"f1\"/></finiteenumeration></namedsort>\n\
         <namedsort id=\"r\"><finiteintrange start=\"1\" end=\"3\"/></namedsort>\n\
         <namedsort id=\"aa\"><productsort><usersort declaration=\"a\"/><usersort declaration=\"a\"/></productsort></namedsort>\n\
         <variabledecl id=\"x\"><usersort declaration=\"a\"/></variabledecl>\n\
         <variabledecl id=\"y\"><usersort declaration=\"f\"/></variabledecl>\n\
         {declarations}\n\
         </declarations></structure></declaration></net></pnml>"
    )
}

fn place(sort: &str, marking: &str) -> String {
    let sort = format!("<usersort declaration=\"{sort}\"/>");
    format!(
        "<place id=\"q\"><type><structure>{sort}</structure></type><hlinitialMarking><structure>{marking}</structure></hlinitialMarking></place>"
    )
}

fn arc(expression: &str) -> String {
    format!(
        "<arc id=\"r\" source=\"p\" target=\"t\"><hlinscription><structure>{expression}</structure></hlinscription></arc>"
    )
}

fn guard(condition: &str) -> String {
    format!("<transition id=\"u\"><condition><structure>{condition}</structure></condition></transition>")
}

fn of(element: &str, operands: &[&str]) -> String {
    let operands: String = operands.iter().map(|operand| format!("<subterm>{operand}</subterm>")).collect();
    format!("<{element}>{operands}</{element}>")
}

const X: &str = "<variable refvariable=\"x\"/>";
const Y: &str = "<variable refvariable=\"y\"/>";
const A0: &str = "<useroperator declaration=\"a0\"/>";

/// What is wrong, in the elements (line 5) or the declarations (line 13).
#[test]
fn elements() {
    let colour = |id: &str| format!("<useroperator declaration=\"{id}\"/>");
    let cases = [
        (place("none", A0), "5:32: the sort `none` is not declared; "),
        (place("a", &colour("a9")), "the colour `a9` is not declared; "),
        (place("a", X), "a variable in an initial marking; "),
        (place("f", A0), "`<useroperator>` is of sort `a` where sort `f` is needed; "),
        (place("aa", &of("tuple", &[A0])), "`<useroperator>` is of sort `a` where sort `a × a` is needed; "),
        (place("a", &of("tuple", &[A0, A0])), "a tuple of 2 components where sort `a` has 1; "),
        (place("a", "<all><usersort declaration=\"f\"/></all>"), "`<all>` is of sort `f` where sort `a` is needed; "),
        (place("a", &of("numberof", &["<numberconstant value=\"-1\"/>", A0])), "`-1` is negative; "),
        (place("a", &of("numberof", &["<numberconstant value=\"x\"/>", A0])), "`x` is not a number of tokens; "),
        (place("a", &of("numberof", &[A0, A0])), "unknown element `<useroperator>` in numberof; "),
        (place("a", &of("numberof", &[])), "`<numberof>` needs a number and a term, not 0; "),
        (place("a", &of("subtract", &[A0])), "`<subtract>` needs two operands or more, not 1; "),
        (place("a", &of("cardinality", &[A0])), "unknown element `<cardinality>` in an expression for one colour; "),
        (place("a", "<add><variable refvariable=\"x\"/></add>"), "unknown element `<variable>` in add; "),
        (place("a", ""), "`<structure>` needs exactly one element in it, not 0; "),
        (
            place(
                "r",
                "<finiteintrangeconstant value=\"4\"><finiteintrange start=\"1\" end=\"3\"/></finiteintrangeconstant>",
            ),
            "`4` is not an integer that is allowed here; ",
        ),
        (
            place(
                "r",
                "<finiteintrangeconstant value=\"2\"><finiteintrange start=\"1\" end=\"4\"/></finiteintrangeconstant>",
            ),
            "`<finiteintrangeconstant>` is of sort `1..4` where sort `1..3` is needed; ",
        ),
        (arc("<variable refvariable=\"z\"/>"), "5:61: the variable `z` is not declared; "),
        (arc("<variable/>"), "`<variable>` has no attribute `refvariable`; "),
        (arc(Y), "`<variable>` is of sort `f` where sort `a` is needed; "),
        (arc(&of("successor", &[X, X])), "`<successor>` needs one operand, not 2; "),
        (
            "<arc id=\"r\" source=\"p\" target=\"t\"/>".to_owned(),
            "5:1: arc `r` has no `<hlinscription>` and its place has colours; ",
        ),
        (
            "<arc id=\"r\" source=\"p\" target=\"t\"><hlinscription><text>x</text></hlinscription></arc>".to_owned(),
            "5:35: `<hlinscription>` without `<structure>`; ",
        ),
        (
            "<arc id=\"r\" source=\"p\" target=\"t\" type=\"inhibitor\"/>".to_owned(),
            "5:1: inhibitor and read arcs in coloured nets are not supported; ",
        ),
        ("<arc id=\"r\" source=\"p\" target=\"p\"/>".to_owned(), "5:1: arc `r` connects the places `p` and `p`; "),
        ("<arc id=\"r\" source=\"p\" target=\"none\"/>".to_owned(), "5:1: arc `r` refers to `none`, "),
        ("<place id=\"q\"/>".to_owned(), "5:1: place `q` of a coloured net has no `<type>`; "),
        (
            "<place id=\"q\"><capacity><text>1</text></capacity></place>".to_owned(),
            "5:15: unknown element `<capacity>` in `<place>`; ",
        ),
        ("<place id=\"p\"/>".to_owned(), "5:1: the identifier `p` is already used at 2:1; "),
        (guard(&of("equality", &[X, Y])), "5:107: `<variable>` is of sort `f` where sort `a` is needed; "),
        (guard(&of("equality", &[X])), "`<equality>` needs two operands, not 1; "),
        (guard(&of("and", &[X])), "unknown element `<variable>` in a condition; "),
        (guard(X), "unknown element `<variable>` in a condition; "),
        (guard(&of("not", &[])), "`<not>` needs one operand, not 0; "),
        (guard(&of("equality", &[&of("successor", &[Y]), Y])), "`<successor>` of sort `f`, which is not cyclic; "),
        (
            guard(&of("lessthan", &[&of("tuple", &[X, X]), &of("tuple", &[X, X])])),
            "`<lessthan>` of sort `a × a`, which has no order; ",
        ),
        (
            guard(&of("lessthan", &["<dotconstant/>", "<dotconstant/>"])),
            "`<lessthan>` of sort `dot`, which has no order; ",
        ),
        (
            guard(&of(
                "equality",
                &[
                    &of("partitionelementof refpartition=\"none\"", &[X])
                        .replace("</partitionelementof refpartition=\"none\">", "</partitionelementof>"),
                    X,
                ],
            )),
            "the partition `none` is not declared; ",
        ),
        ("<transition id=\"u\"><condition/></transition>".to_owned(), "5:20: `<condition>` without `<structure>`; "),
    ];
    let wrong: Vec<_> =
        cases.iter().filter_map(|(elements, message)| mismatch(&net("", elements), message, "5:")).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn declarations() {
    let cases = [
        (
            "<variabledecl id=\"x\"><usersort declaration=\"a\"/></variabledecl>",
            "the identifier `x` is already used at 11:1; ",
        ),
        ("<namedsort id=\"a\"><dot/></namedsort>", "the identifier `a` is already used at 7:1; "),
        ("<namedsort id=\"b\"><cyclicenumeration/></namedsort>", "the sort has no colours; "),
        ("<namedsort id=\"b\"><finiteintrange start=\"2\" end=\"1\"/></namedsort>", "the sort has no colours; "),
        (
            "<namedsort id=\"b\"><finiteintrange start=\"2\"/></namedsort>",
            "`<finiteintrange>` has no attribute `end`; ",
        ),
        (
            "<namedsort id=\"b\"><finiteintrange start=\"2\" end=\"x\"/></namedsort>",
            "`x` is not an integer that is allowed here; ",
        ),
        ("<namedsort id=\"b\"><productsort/></namedsort>", "the sort has no colours; "),
        ("<namedsort id=\"b\"><string/></namedsort>", "unknown element `<string>` in a sort; "),
        (
            "<namedsort id=\"b\"><finiteenumeration><feconstant id=\"a0\"/></finiteenumeration></namedsort>",
            "`a0` is declared a second time; ",
        ),
        (
            "<namedsort id=\"b\"><usersort declaration=\"b\"/></namedsort>",
            "the sort `b` leads back to itself or through too many others; ",
        ),
        (
            "<partition id=\"b\"><usersort declaration=\"a\"/><partitionelement id=\"e\"><useroperator declaration=\"a0\"/></partitionelement><partitionelement id=\"g\"><useroperator declaration=\"a1\"/></partitionelement></partition><namedsort id=\"z\"><productsort><usersort declaration=\"e\"/><usersort declaration=\"a\"/></productsort></namedsort>",
            "a sort is made of one class of a partition; ",
        ),
        (
            "<partition id=\"b\"><usersort declaration=\"a\"/><partitionelement id=\"e\"><useroperator declaration=\"a0\"/></partitionelement><partitionelement id=\"g\"><useroperator declaration=\"a1\"/></partitionelement></partition><namedsort id=\"z\"><usersort declaration=\"e\"/></namedsort>",
            "a sort is made of one class of a partition; ",
        ),
        ("<namedsort id=\"b\"/>", "`<namedsort>` needs exactly one element in it, not 0; "),
        ("<namedoperator id=\"b\"/>", "unknown element `<namedoperator>` in declarations; "),
        (
            "<partition id=\"b\"><usersort declaration=\"a\"/><partitionelement id=\"e\"><useroperator declaration=\"a0\"/></partitionelement></partition>",
            "the classes of partition `b` do not hold each colour of its sort exactly once; ",
        ),
    ];
    let wrong: Vec<_> = cases.iter().filter_map(|(text, message)| mismatch(&net(text, ""), message, "13:")).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

/// A term that is too deep is refused before anything recurses over it, and a deep one is read.
#[test]
fn deep_terms() {
    let deep = |levels: usize| {
        let open = "<successor><subterm>".repeat(levels);
        net("", &arc(&format!("{open}{X}{}", "</subterm></successor>".repeat(levels))))
    };
    assert!(read_net(deep(190).as_bytes(), "deep").is_ok());
    refused(&deep(300), "an expression nested more than 400 elements deep; ", "5:");
    refused(&deep(100_000), "an expression nested more than 400 elements deep; ", "5:");
}

/// A product that cannot be numbered is refused, not overflowed.
#[test]
fn huge_sorts() {
    let mut declarations =
        String::from("<namedsort id=\"h0\"><finiteintrange start=\"0\" end=\"4294967295\"/></namedsort>");
    for level in 1..4 {
        let sort = format!("<usersort declaration=\"h{}\"/>", level - 1);
        declarations
            .push_str(&format!("<namedsort id=\"h{level}\"><productsort>{sort}{sort}</productsort></namedsort>"));
    }
    refused(&net(&declarations, ""), "the sort has more than 2^62 colours; ", "13:");
}

fn refused(text: &str, message: &str, line: &str) {
    assert_eq!(mismatch(text, message, line), None, "expected {message}\n{text}");
}

/// The message, if it is another one or about another line.
fn mismatch(text: &str, message: &str, line: &str) -> Option<String> {
    let error = match read_net(text.as_bytes(), "net.pnml") {
        Ok(_) => return Some("it is read".to_owned()),
        Err(error) => error.to_string(),
    };
    let fits = error.starts_with(&format!("net.pnml:{line}")) && error.contains(message);
    (!fits).then(|| format!("{error} (expected {message})"))
}
