#![allow(clippy::unwrap_used)]

use super::*;
use crate::net::{Marking, NetBuilder, PlaceId, TransitionId, Unit};
use crate::reference::random;
use proptest::prelude::*;
use std::io::Read;

const PT: &str = "http://www.pnml.org/version-2009/grammar/ptnet";

/// A file whose page holds `content`, on line 3.
fn page(content: &str) -> String {
    format!("<pnml>\n<net id=\"n\" type=\"{PT}\"><page id=\"g\">\n{content}\n</page></net></pnml>")
}

fn read_text(text: &str) -> Result<PetriNet, String> {
    read(text.as_bytes(), "m.pnml").map_err(|e| e.to_string())
}

fn written(net: &PetriNet) -> String {
    let mut bytes = Vec::new();
    write(net, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Compare what is read, arc by arc, in a notation for nets: `id=tokens`, `id: inputs -> outputs | inhibitors`.
fn check(text: &str, expected: &str) {
    assert_eq!(show(&read_text(text).unwrap()), expected);
}

fn show(net: &PetriNet) -> String {
    let arcs = |arcs: &[crate::net::Arc]| {
        let parts: Vec<_> = arcs.iter().map(|a| format!("{}*{}", a.weight, net.place(a.place).id)).collect();
        parts.join("+")
    };
    let named = |id: &str, name: &Option<String>| match name {
        Some(name) => format!("{id}({name})"),
        None => id.to_owned(),
    };
    let mut lines: Vec<_> = net.places().iter().map(|p| format!("{}={}", named(&p.id, &p.name), p.initial)).collect();
    for t in net.transitions() {
        let inhibitors = if t.inhibitors.is_empty() { String::new() } else { format!(" | {}", arcs(&t.inhibitors)) };
        lines.push(format!("{}: {} -> {}{inhibitors}", named(&t.id, &t.name), arcs(&t.pre), arcs(&t.post)));
    }
    lines.join("\n")
}

#[test]
fn a_plain_net() {
    check(
        &page(
            "<place id='p'><name><graphics/><text> the place </text></name><initialMarking><text> 3 </text></initialMarking></place>
             <transition id='t'><name><text>t</text></name></transition> <place id='q'/>
             <arc id='a' source='p' target='t'><inscription><text>2</text></inscription></arc>
             <arc id='b' source='t' target='q'><name/><graphics><position x='1' y='2'/></graphics></arc>",
        ),
        "p(the place)=3\nq=0\nt: 2*p -> 1*q",
    );
}

#[test]
fn counts_up_to_64_bits() {
    check(
        &page("<place id='p'><initialMarking><text>18446744073709551615</text></initialMarking></place>"),
        "p=18446744073709551615",
    );
}

#[test]
fn parallel_arcs_add_up() {
    check(
        &page(
            "<place id='p'/><transition id='t'/><arc id='a' source='p' target='t'/><arc id='b' source='p' target='t'/>",
        ),
        "p=0\nt: 2*p -> ",
    );
}

#[test]
fn pages_nest_and_nodes_may_come_after_their_arcs() {
    check(
        &page(
            "<arc id='a' source='p' target='t'/>
             <page id='g1'><page id='g2'><place id='p'/><page id='g3'/></page></page>
             <page id='g4'><transition id='t'/></page>",
        ),
        "p=0\nt: 1*p -> ",
    );
}

#[test]
fn pages_may_be_missing() {
    check(
        "<pnml><net id='n' type='P/T net'><place id='p'/><transition id='t'/><arc id='a' source='t' target='p'/></net></pnml>",
        "p=0\nt:  -> 1*p",
    );
}

#[test]
fn references_are_followed() {
    check(
        &page(
            "<page id='g1'><referencePlace id='r3' ref='r2'/><referencePlace id='r2' ref='r1'><name/></referencePlace></page>
             <page id='g2'><referencePlace id='r1' ref='p'/><place id='p'/><transition id='t'/></page>
             <referenceTransition id='s' ref='t'/>
             <arc id='a' source='r3' target='s'/><arc id='b' source='s' target='r1'/><arc id='c' source='r2' target='t'/>",
        ),
        "p=0\nt: 2*p -> 1*p",
    );
}

#[test]
fn a_long_chain_of_references_is_no_problem() {
    let mut text = "<place id='p'/><transition id='t'/><referencePlace id='r0' ref='p'/>".to_owned();
    for i in 1..20_000 {
        text.push_str(&format!("<referencePlace id='r{i}' ref='r{}'/>", i - 1));
    }
    check(&page(&format!("{text}<arc id='a' source='r19999' target='t'/>")), "p=0\nt: 1*p -> ");
}

#[test]
fn inhibitor_and_read_arcs_in_every_notation() {
    let arc = |attribute: &str, content: &str| {
        page(&format!(
            "<place id='p'/><transition id='t'/><arc id='a' source='p' target='t' {attribute}>
             <inscription><text>3</text></inscription>{content}</arc>"
        ))
    };
    let (inhibitor, read, normal) = ("p=0\nt:  ->  | 3*p", "p=0\nt: 3*p -> 3*p", "p=0\nt: 3*p -> ");
    check(&arc("", "<type value='inhibitor'/>"), inhibitor);
    check(&arc("", "<type><text>Inhibitor</text></type>"), inhibitor);
    check(&arc("", "<arctype><text>inhibitor</text></arctype>"), inhibitor);
    check(&arc("type='inhibitor'", ""), inhibitor);
    check(&arc("type='tapnInhibitor' inscription='[0,inf)'", ""), inhibitor);
    check(&arc("type='inhibitor'", "<type value='inhibitor'/>"), inhibitor);
    check(&arc("", "<type value='test'/>"), read);
    check(&arc("", "<arctype><text>read</text></arctype>"), read);
    check(&arc("type='read'", ""), read);
    check(&arc("", "").replace("<arc ", "<inhibitorArc ").replace("</arc>", "</inhibitorArc>"), inhibitor);
    check(&arc("", "").replace("<arc ", "<inputArc ").replace("</arc>", "</inputArc>"), normal);
    check(&arc("type='normal'", ""), normal);
    check(&arc("type='timed' inscription='[0,inf)'", "<type value='normal'/>"), normal);
}

#[test]
fn what_pipe_and_tapaal_write() {
    check(
        "<pnml><net id='n' type='P/T net'><token id='Default' enabled='true' red='0'/><labels x='1'/>
         <place id='P0'><name><value>P0</value></name><initialMarking><value>Default,2</value></initialMarking>
           <capacity><value>0</value></capacity></place>
         <transition id='T0'><orientation><value>0</value></orientation><rate><value>1.0</value></rate>
           <timed><value>false</value></timed><infiniteServer><value>false</value></infiniteServer>
           <priority><value>1</value></priority></transition>
         <arc id='P0 to T0' source='P0' target='T0'><inscription><value>Default,1</value></inscription>
           <tagged><value>false</value></tagged><arcpath id='000' x='1' y='2' curvePoint='false'/><type value='normal'/></arc>
         </net></pnml>",
        "P0=2\nT0: 1*P0 -> ",
    );
    check(
        "<pnml xmlns='http://www.informatik.hu-berlin.de/top/pnml/ptNetb'><net active='true' id='n' type='P/T net'>
         <place id='P0' initialMarking='4' invariant='&lt; inf'/><transition id='T0' urgent='false' priority='0'/>
         <arc id='A' inscription='1' source='P0' target='T0' type='normal'/>
         <arc id='B' inscription='[0,inf)' source='P0' target='T0' type='tapnInhibitor' weight='9'/></net><k-bound bound='3'/></pnml>",
        "P0=4\nT0: 1*P0 ->  | 9*P0",
    );
}

#[test]
fn other_namespaces_encodings_and_prefixes() {
    check(
        "<x:pnml xmlns:x='http://www.pnml.org/version-2009/grammar/pnml'><x:net id='n' type='ptnet'><x:place id='p'/></x:net></x:pnml>",
        "p=0",
    );
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><pnml><net id='n' type='ptnet'><place id='\xE9t\xE9'/></net></pnml>";
    assert_eq!(show(&read(&latin[..], "m").unwrap()), "été=0");
}

const NUPN: &str = "<toolspecific tool='nupn' version='1.1'><size places='3' transitions='1' arcs='2'/>
    <structure units='3' root='u0' safe='true'>
    <unit id='u0'><places/><subunits>u1 u2</subunits></unit>
    <unit id='u1'><places>p q</places><subunits/></unit><unit id='u2'><places>
      r </places><subunits></subunits></unit></structure></toolspecific>";

fn nupn_net(section: &str) -> String {
    page(&format!(
        "<place id='p'><initialMarking><text>1</text></initialMarking></place><place id='q'/><place id='r'/><transition id='t'/>
<arc id='a' source='p' target='t'/><arc id='b' source='t' target='q'/>
{section}"
    ))
}

#[test]
fn units() {
    let net = read_text(&nupn_net(NUPN)).unwrap();
    let unit = |id: &str, places: &[u32], subunits: &[usize]| Unit {
        id: id.to_owned(),
        places: places.iter().map(|&p| PlaceId(p)).collect(),
        subunits: subunits.to_vec(),
    };
    let nupn = net.nupn().unwrap();
    assert_eq!(nupn.units, [unit("u0", &[], &[1, 2]), unit("u1", &[0, 1], &[]), unit("u2", &[2], &[])]);
    assert_eq!((nupn.root, nupn.safe), (0, true));
    // The section may come before what it lists.
    let early = page(&format!(
        "{NUPN}<place id='q'/><place id='p'/><place id='r'/><transition id='t'/><arc id='a' source='p' target='t'/><arc id='b' source='t' target='q'/>"
    ));
    assert_eq!(read_text(&early).unwrap().nupn().unwrap().units[1].places, [PlaceId(1), PlaceId(0)]);
}

#[test]
fn other_toolspecific_sections_are_skipped() {
    check(
        &page(
            "<place id='p'><toolspecific tool='x' version='1'><place id='q'>&lt;</place>junk</toolspecific></place><toolspecific tool='y'/>",
        ),
        "p=0",
    );
}

#[test]
fn inconsistent_units_are_errors() {
    let cases = [
        ("places='3'", "places='4'", "5:1", "<size> says 4 places, the file has 3"),
        ("arcs='2'", "arcs='1'", "5:1", "<size> says 1 arcs, the file has 2"),
        ("arcs='2'", "arcs='x'", "5:41", "arcs=\"x\" is not a number"),
        ("units='3'", "units='2'", "5:1", "<structure> says 2 units, there are 3"),
        ("root='u0'", "root='u9'", "5:1", "the root unit `u9` does not exist"),
        ("root='u0'", "root='u1'", "7:5", "unit `u1` cannot be a subunit: it is the root or has a parent already"),
        ("safe='true'", "safe='maybe'", "6:5", "safe=\"maybe\" is neither true nor false"),
        ("id='u2'", "id='u1'", "8:57", "a second unit `u1`"),
        (">u1 u2<", ">u1 u3<", "7:5", "the subunit `u3` does not exist"),
        (">u1 u2<", ">u1 u1<", "7:5", "unit `u1` cannot be a subunit: it is the root or has a parent already"),
        (">u1 u2<", ">u1<", "5:1", "unit `u2` is not below the root unit"),
        (">p q<", ">p x<", "8:5", "`x` of unit `u1` is no place"),
        (">p q<", ">p t<", "8:5", "`t` of unit `u1` is no place"),
        (">p q<", ">p r<", "8:57", "place `r` is in more than one unit"),
        (">p q<", ">p<", "5:1", "place `q` is in no unit"),
        ("<size", "<nothing", "", ""),
    ];
    for (from, to, at, problem) in cases {
        let changed = NUPN.replacen(from, to, 1);
        assert_ne!(changed, NUPN);
        let found = read_text(&nupn_net(&changed)).err().unwrap_or_default();
        let expected = if problem.is_empty() {
            String::new()
        } else {
            format!(
                "m.pnml:{at}: inconsistent NUPN section: {problem}; correct or remove `<toolspecific tool=\"nupn\">`"
            )
        };
        assert_eq!(found, expected);
    }
    let marked = |p: &str| {
        nupn_net(NUPN).replace(
            &format!("<place id='{p}'/>"),
            &format!("<place id='{p}'><initialMarking><text>1</text></initialMarking></place>"),
        )
    };
    let error = read_text(&marked("q")).unwrap_err();
    assert!(error.contains("unit-safe, but initially `p` and `q` are both marked"), "{error}");
    assert!(read_text(&marked("r")).is_ok());
    let error = read_text(&nupn_net(NUPN).replace("<text>1<", "<text>2<")).unwrap_err();
    assert!(error.contains("unit-safe, but initially `p` holds 2 tokens"), "{error}");
}

/// Each kind of bad file: the one message, with its place and its remedy.
#[test]
fn bad_files() {
    let net = |content: &str| format!("<pnml><net id='n' type='{PT}'>{content}</net></pnml>");
    let label =
        |text: &str| net(&format!("\n<place id='p'><initialMarking><text>{text}</text></initialMarking></place>"));
    let ends = "<place id='p'/><place id='q'/><transition id='t'/><transition id='u'/>";
    let arc = |arc: &str| net(&format!("{ends}\n{arc}"));
    let cases = [
        // Not PNML.
        ("".to_owned(), "1:1: the file is empty; give an XML file"),
        ("hello".to_owned(), "1:1: this is not XML (it does not begin with `<`); give an XML file"),
        ("\0\x01\x02binary".to_owned(), "1:1: this is not XML (it does not begin with `<`); give an XML file"),
        ("<html><body/></html>".to_owned(), "1:1: the root element is `<html>`, not `<pnml>`; give a PNML file"),
        (
            "<property-set xmlns='http://mcc.lip6.fr/'/>".to_owned(),
            "1:1: this is a file of properties, not a net; give the net first, and this file with -x",
        ),
        ("<pnml>\n</pnml>".to_owned(), "2:1: the file holds no `<net>`; add one"),
        (
            "<pnml><net id='a' type='ptnet'><place id='p'/></net>\n<net id='b'/></pnml>".to_owned(),
            "2:1: the file holds a second net, and which one is meant is unclear; keep one `<net>`",
        ),
        (
            "<pnml>\n<net id='n' type='http://example.org/timed'/></pnml>".to_owned(),
            "2:1: net type `http://example.org/timed` is not supported; place/transition nets (http://www.pnml.org/version-2009/grammar/ptnet) are",
        ),
        // Coloured.
        (
            net("<place id='p'>\n<type><structure/></type></place>"),
            "2:1: coloured net where a place/transition net is expected; if the net is coloured, its type must be http://www.pnml.org/version-2009/grammar/symmetricnet",
        ),
        (
            net("<declaration><text/>\n<structure/></declaration>"),
            "2:1: coloured net where a place/transition net is expected; if the net is coloured, its type must be http://www.pnml.org/version-2009/grammar/symmetricnet",
        ),
        (
            arc("<arc id='a' source='p' target='t'><hlinscription/></arc>"),
            "2:35: coloured net where a place/transition net is expected; if the net is coloured, its type must be http://www.pnml.org/version-2009/grammar/symmetricnet",
        ),
        // Broken XML.
        (
            format!("<pnml><net id='n' type='{PT}'>\n<place id='p'>"),
            "2:15: the file ends inside `<place>`, opened at 2:1; it seems truncated, get it again",
        ),
        (net("\n<place id='p'></palce>"), "2:15: `</palce>` does not close `<place>`, opened at 2:1; mend the nesting"),
        (
            format!("<!DOCTYPE lol [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>{}", net("<place id='&b;'/>")),
            "1:1: document type declarations are refused, as entities can expand without bound; remove `<!DOCTYPE …>`",
        ),
        (
            format!("<pnml>{}", "<net id='n' type='ptnet'>".to_owned() + &"<page>".repeat(1_000_000)),
            "1:6020: elements nested more than 1000 deep; this file is refused as hostile or broken",
        ),
        (net("<place id='p'/>") + "<more/>", ":TAIL: content after the end of the root element; remove it"),
        // Missing and unknown parts.
        (net("\n<place/>"), "2:1: `<place>` has no attribute `id`; add id=\"…\""),
        (net("\n<transition/>"), "2:1: `<transition>` has no attribute `id`; add id=\"…\""),
        (arc("<arc id='a' source='p'/>"), "2:1: `<arc>` has no attribute `target`; add target=\"…\""),
        (arc("<arc id='a' target='p'/>"), "2:1: `<arc>` has no attribute `source`; add source=\"…\""),
        (net("\n<referencePlace id='r'/>"), "2:1: `<referencePlace>` has no attribute `ref`; add ref=\"…\""),
        (
            net("\n<place id='p'><color/></place>"),
            "2:15: unknown element `<color>` in `<place>`; remove it if it does not change how the net behaves, or put it into `<toolspecific>`",
        ),
        (
            net("\n<plaec id='p'/>"),
            "2:1: unknown element `<plaec>` in `<net>`; remove it if it does not change how the net behaves, or put it into `<toolspecific>`",
        ),
        (
            net("<place id='p'>\n<initialMarking>5</initialMarking></place>"),
            "2:17: unexpected text `5` inside `<initialMarking>`; it belongs in an element of its own, or nowhere",
        ),
        (
            net("<place id='p'>\n<initialMarking/></place>"),
            "2:1: `<initialMarking>` without `<text>`; write `<initialMarking><text>…</text></initialMarking>`",
        ),
        (
            net(
                "<place id='p'><initialMarking><text>1</text></initialMarking>\n<initialMarking><text>1</text></initialMarking></place>",
            ),
            "2:31: a second `<initialMarking>` in `p`; keep one",
        ),
        // Identifiers.
        (
            net("<place id='p'/>\n<place id='p'/>"),
            "2:1: the identifier `p` is already used at ID; make identifiers unique in the file",
        ),
        (
            net("<place id='p'/>\n<transition id='p'/>"),
            "2:1: the identifier `p` is already used at ID; make identifiers unique in the file",
        ),
        (
            net("<place id='q'/><page id='p'/>\n<place id='p'/>"),
            "2:1: the identifier `p` is already used at PAGE; make identifiers unique in the file",
        ),
        // Numbers.
        (label("-1"), "2:37: `-1` is negative; write a natural number of tokens"),
        (label("1.5"), "2:37: `1.5` is not a whole number of tokens; write a natural number"),
        (label("1e3"), "2:37: `1e3` is not a whole number of tokens; write a natural number"),
        (label("two"), "2:37: `two` is not a number of tokens; write a natural number"),
        (label(""), "2:37: `` is not a number of tokens; write a natural number"),
        (label("0x10"), "2:37: `0x10` is not a number of tokens; write a natural number"),
        (label("inf"), "2:37: `inf` is not a number of tokens; write a natural number"),
        (
            label("18446744073709551616"),
            "2:37: `18446744073709551616` exceeds 18446744073709551615 (2^64-1), the most tokens that are supported; use a smaller number",
        ),
        (
            arc("<arc id='a' source='p' target='t'><inscription><text>0</text></inscription></arc>"),
            "2:1: the weight of arc `a` is 0; write 1 or more, or remove the arc",
        ),
        // Arcs.
        (
            arc("<arc id='a' source='p' target='x'/>"),
            "2:1: arc `a` refers to `x`, which is neither a place nor a transition of the net; add it, or correct the identifier",
        ),
        (
            arc("<arc source='x' target='t'/>"),
            "2:1: arc `x → t` refers to `x`, which is neither a place nor a transition of the net; add it, or correct the identifier",
        ),
        (
            arc("<arc id='a' source='p' target='q'/>"),
            "2:1: arc `a` connects the places `p` and `q`; an arc joins a place and a transition",
        ),
        (
            arc("<arc id='a' source='t' target='u'/>"),
            "2:1: arc `a` connects the transitions `t` and `u`; an arc joins a place and a transition",
        ),
        (
            arc("<arc id='a' source='p' target='t'>\n<type value='bogus'/></arc>"),
            "3:1: unknown arc type `bogus`; use one of normal, inhibitor, read, test",
        ),
        (
            arc("<arc id='a' source='p' target='t' type='reset'/>"),
            "2:1: reset arcs are not supported; model them with places, transitions and arcs",
        ),
        (
            arc("<arc id='a' source='p' target='t' inscription='[2,3]'/>"),
            "2:1: intervals at arcs make this a net with time, and one without time is expected here",
        ),
        (
            arc("<arc id='a' source='p' target='t' type='normal'>\n<type value='inhibitor'/></arc>"),
            "3:1: arc `a` is given two different types; keep one",
        ),
        (
            arc("<inhibitorArc id='a' source='p' target='t' type='normal'/>"),
            "2:1: arc `a` is given two different types; keep one",
        ),
        (
            arc("<transportArc/>"),
            "2:1: transport arcs make this a net with time, and one without time is expected here",
        ),
        (
            arc("<arc id='a' source='t' target='p' type='inhibitor'/>"),
            "2:1: the inhibitor arc `a` goes from a transition to a place; turn it round",
        ),
        (
            net("<place id='p'/>\n<referencePlace id='r' ref='x'/>"),
            "2:1: reference `r` refers to `x`, which is neither a place nor a transition of the net; add it, or correct the identifier",
        ),
        (
            net("<place id='p'/>\n<referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/>"),
            "2:33: the reference `s` leads back to itself; let it end at a place or transition",
        ),
        (
            net("<place id='p'/>\n<referencePlace id='r' ref='r'/>"),
            "2:1: the reference `r` leads back to itself; let it end at a place or transition",
        ),
        (
            net("<place id='p'/>\n<referenceTransition id='r' ref='p'/>"),
            "2:1: the reference `r` to a transition leads to `p`, which is none; correct `ref`",
        ),
        (
            arc(&format!(
                "<arc id='a' source='p' target='t'/>{}",
                "<arc source='t' target='p'><inscription><text>18446744073709551615</text></inscription></arc>"
                    .repeat(2)
            )),
            "1:7: arcs between place `p` and transition `t` add up to more than 2^64-1 tokens",
        ),
        // What does not fit together, and what nets with time or priorities would need.
        (
            net(
                "\n<place id='p'><initialMarking><text>4</text></initialMarking><capacity><text>3</text></capacity></place>",
            ),
            "2:1: the place `p` begins with 4 tokens and has a capacity of 3; correct one of them",
        ),
        (
            net("\n<place id='p' invariant='&lt;= 3'/>"),
            "2:1: invariants of places make this a net with time, and one without time is expected here",
        ),
        (
            net(
                "<transition id='t'><priority><text>1</text></priority></transition>\n<transition id='u'><priority><text>2</text></priority></transition>",
            ),
            "2:36: transitions of different priorities, or with and without one, are not supported; model them with places, transitions and arcs",
        ),
        (
            net("<transition id='t'><priority><text>1</text></priority></transition>\n<transition id='u'/>"),
            "2:1: transitions of different priorities, or with and without one, are not supported; model them with places, transitions and arcs",
        ),
        (
            net("\n<transition id='t'><timed><value>1</value></timed><timed><value>2</value></timed></transition>"),
            "2:74: a second `<timed>` in `t`; keep one",
        ),
        (
            net("<transition id='t'/>\n<transition id='u'><timed><value>true</value></timed></transition>"),
            "2:34: immediate beside timed transitions, or beside some that are neither, are not supported; model them with places, transitions and arcs",
        ),
        (
            net("\n<transition id='t'><interval/></transition>"),
            "2:20: time intervals are not supported; model them with places, transitions and arcs",
        ),
        (
            net("\n<transition id='t' urgent='true'/>"),
            "2:1: urgent transitions make this a net with time, and one without time is expected here",
        ),
    ];
    let open = net("").find("</net>").unwrap() + 1;
    for (text, expected) in cases {
        let expected = expected
            .replace("used at ID", &format!("used at 1:{open}"))
            .replace("used at PAGE", &format!("used at 1:{}", open + "<place id='q'/>".len()))
            .replace(":TAIL", &format!("1:{}", net("<place id='p'/>").len() + 1));
        assert_eq!(
            read_text(&text).err().unwrap_or_default(),
            format!("m.pnml:{expected}"),
            "for {}",
            text.chars().take(300).collect::<String>()
        );
    }
}

#[test]
fn other_encodings_are_named() {
    let wide: Vec<u8> = "\u{feff}<pnml/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = read(wide.as_slice(), "m.pnml").unwrap_err();
    assert_eq!(
        error.to_string(),
        "m.pnml:1:1: the encoding UTF-16LE is not supported; convert the file, for instance with `iconv -f UTF-16LE -t UTF-8`"
    );
    let error = read(&b"<pnml>\n<net id='\xE9'/></pnml>"[..], "m.pnml").unwrap_err();
    assert_eq!(
        error.to_string(),
        "m.pnml:2:10: bytes that are not valid UTF-8; declare the encoding or convert the file to UTF-8"
    );
}

#[test]
fn files_beyond_the_limit_are_refused() {
    // As long as it takes, without a file of that size.
    let head = format!("<pnml><net id='n' type='{PT}'>");
    let limits = Limits { total_bytes: 1 << 20, ..Limits::default() };
    let mut n = 0_u64;
    let endless = std::iter::from_fn(|| {
        n += 1;
        Some(format!("<place id='p{n}'/>\n"))
    });
    struct Endless<I>(I, Vec<u8>);
    impl<I: Iterator<Item = String>> std::io::Read for Endless<I> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            while self.1.len() < out.len() {
                self.1.extend(self.0.next().unwrap().into_bytes());
            }
            out.copy_from_slice(&self.1[..out.len()]);
            self.1.drain(..out.len());
            Ok(out.len())
        }
    }
    let input = std::io::BufReader::new(std::io::Cursor::new(head).chain(Endless(endless, Vec::new())));
    let error = read_within(input, "big.pnml", limits).unwrap_err();
    assert_eq!(
        error.problem.to_string(),
        "the file is larger than 1048576 bytes, the limit for reading; give a smaller one"
    );
}

#[test]
fn paths() {
    let folder = tempfile::tempdir().unwrap();
    let error = |path: &std::path::Path| read_path(path).unwrap_err();
    let shown = folder.path().display().to_string();
    assert_eq!(
        error(folder.path()).to_string(),
        format!("{shown}: the folder holds no model.pnml; give a .pnml file or a folder with a model.pnml in it")
    );
    let missing = folder.path().join("none.pnml");
    assert!(matches!(*error(&missing).problem, PnmlProblem::Open(_)));
    std::fs::write(folder.path().join("model.pnml"), page("<place id='p'/>")).unwrap();
    assert_eq!(show(&read_path(folder.path()).unwrap()), "p=0");
    assert_eq!(show(&read_path(&folder.path().join("model.pnml")).unwrap()), "p=0");
}

#[test]
fn writing_escapes_and_keeps_clear_of_the_names() {
    let mut b = NetBuilder::new("a \"net\" & <more>");
    let p = b.place("a0", 7).unwrap();
    b.name_place(p, "x < y & \"z\"");
    let t = b.transition("page'\n\t").unwrap();
    b.name_transition(t, "é→∞");
    b.inhibitor(p, t, 3).unwrap();
    b.input(p, t, 1).unwrap();
    b.output(t, p, 2).unwrap();
    let net = b.build().unwrap();
    let text = written(&net);
    assert_eq!(read_text(&text).unwrap(), net);
    assert!(text.contains(
        "<arc id=\"a_2\" source=\"a0\" target=\"page'&#10;&#9;\" type=\"inhibitor\"><inscription><text>3</text></inscription><type value=\"inhibitor\"/><arctype><text>inhibitor</text></arctype></arc>"
    ));
    assert!(text.contains("<page id=\"page_\">"));
}

#[test]
fn writing_keeps_the_units() {
    let net = read_text(&nupn_net(NUPN)).unwrap();
    assert_eq!(read_text(&written(&net)).unwrap(), net);
    let mut b = NetBuilder::new("n");
    b.place("a b", 0).unwrap();
    let unit = Unit { id: "u".into(), places: vec![PlaceId(0)], subunits: vec![] };
    b.set_nupn(crate::net::Nupn { units: vec![unit], root: 0, safe: false });
    let error = write(&b.build().unwrap(), Vec::new()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

/// Found by fuzzing: it was written as `&#0;`, which no reader takes.
#[test]
fn names_with_a_zero_are_not_written() {
    let mut b = NetBuilder::new("n");
    b.place("a\0", 0).unwrap();
    let error = write(&b.build().unwrap(), Vec::new()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

#[test]
fn inhibitors_and_reads_fire_as_they_should() {
    let net = read_text(&page(
        "<place id='p'><initialMarking><text>2</text></initialMarking></place><transition id='t'/><transition id='u'/><transition id='v'/>
         <arc id='a' source='p' target='t'><type value='inhibitor'/><inscription><text>3</text></inscription></arc>
         <arc id='b' source='p' target='u' type='read'><inscription><text>2</text></inscription></arc>
         <arc id='c' source='t' target='p'/>
         <arc id='d' source='p' target='v' type='read'><inscription><text>3</text></inscription></arc>
         <arc id='e' source='p' target='v'/>",
    ))
    .unwrap();
    let m = net.initial_marking();
    let [t, u, v] = [0, 1, 2].map(TransitionId);
    assert_eq!(m.fire(&net, u), Some(m.clone()));
    assert_eq!(m.fire(&net, v), None);
    let m = m.fire(&net, t).unwrap();
    assert_eq!(m.fire(&net, t), None);
    assert_eq!(m.fire(&net, v), Some(Marking::new(vec![2])));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Writing and reading back changes nothing.
    #[test]
    fn round_trip(net in random::net(random::Size { weight: 3, ..random::Size::default() }), name in "[ -~é\n]{1,8}") {
        // An identifier of blanks alone is none.
        let mut b = NetBuilder::new(format!("n{name}"));
        for p in net.places() {
            let id = b.place(format!("{name}{}", p.id), p.initial).unwrap();
            b.name_place(id, format!(".{name}."));
        }
        for t in net.transitions() {
            let id = b.transition(&t.id).unwrap();
            for a in &t.pre { b.input(a.place, id, a.weight).unwrap(); }
            for a in &t.post { b.output(id, a.place, a.weight).unwrap(); }
            for a in &t.inhibitors { b.inhibitor(a.place, id, a.weight).unwrap(); }
        }
        let net = b.build().unwrap();
        prop_assert_eq!(read_text(&written(&net)).unwrap(), net);
    }

    /// Any change of the bytes of a file is read or refused; never a panic, never a hang.
    #[test]
    fn damaged_files(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..6)) {
        let mut bytes = nupn_net(NUPN).into_bytes();
        for (at, byte, how) in edits {
            if bytes.is_empty() { break; }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => { bytes.remove(at); }
                _ => bytes.truncate(at),
            }
        }
        if let Err(error) = read(bytes.as_slice(), "m.pnml") {
            prop_assert!(error.to_string().starts_with("m.pnml:"));
            prop_assert!(error.location.is_some());
        }
    }
}
