//! Files in which time hides: whatever has clocks or ages is read as a net with clocks, or refused by name and place.

use crate::cli::{run, starset};
use starset::budget::Budget;
use starset::kinds::{ClockReading, Loaded, Reading, read};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A file in a folder of its own.
struct File(tempfile::TempDir, PathBuf);

fn file(name: &str, text: &str) -> File {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    File(folder, path)
}

fn load(name: &str, text: &str, clocks: ClockReading) -> Result<Loaded, String> {
    let file = file(name, text);
    let reading = Reading { clocks, ..Reading::default() };
    read(std::slice::from_ref(&file.1), &reading, &Budget::unlimited()).map_err(|e| e.to_string())
}

/// What a model in a file is called, with its sizes.
fn kind_of(name: &str, text: &str) -> (&'static str, String) {
    let loaded = load(name, text, ClockReading::default()).unwrap();
    (loaded.model.terms().model, starset::kinds::in_words(&loaded.model.sizes()))
}

/// The problem with a file.
fn refusal(name: &str, text: &str) -> String {
    load(name, text, ClockReading::default()).map(|loaded| loaded.model.terms()).unwrap_err()
}

/// Two places, of which the first is left within two units; with time the second is never reached.
const TIMED: &str = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>
  <toolspecific tool='pnwc' version='1'><clock id='x'/></toolspecific>
  <place id='p'><initialMarking><text>1</text></initialMarking>
    <toolspecific tool='pnwc' version='1'><invariant>x&lt;=2</invariant></toolspecific></place>
  <place id='q'/>
  <transition id='t'><toolspecific tool='pnwc' version='1'><condition>x&gt;=3</condition></toolspecific></transition>
  <arc id='a' source='p' target='t'/><arc id='b' source='t' target='q'/>
</page></net></pnml>";

/// The same with ages, as TAPAAL writes it; with room for what else an arc or a place may have.
fn aged(interval: &str, more: &str) -> String {
    format!(
        "<pnml><net active='true' id='n' type='P/T net'>
<place id='p' name='p' initialMarking='1' invariant='&lt;= 2'/>
<place id='q' name='q' initialMarking='0' invariant='&lt; inf'/>
<transition id='t' name='t' urgent='false'/>
<arc id='a' inscription='{interval}' source='p' target='t' type='timed' weight='1'/>
<arc id='b' inscription='1' source='t' target='q' type='normal' weight='1'/>
{more}
</net></pnml>"
    )
}

#[test]
fn sections_with_clocks_make_a_net_with_clocks() {
    assert_eq!(kind_of("a.pnml", TIMED), ("clocknet", "2 places, 1 transition, 1 clock".to_owned()));
    let own = TIMED.replace("tool='pnwc'", "tool='starset'");
    assert_eq!(kind_of("a.pnml", &own).0, "clocknet");
    // Of any other tool, they say nothing that is known here.
    let other = TIMED.replace("tool='pnwc'", "tool='other'");
    assert_eq!(kind_of("a.pnml", &other).0, "net");
    // One section is enough, wherever it stands; and clocks need not be in the first.
    let late = TIMED.replace("<toolspecific tool='pnwc' version='1'><clock id='x'/></toolspecific>\n", "");
    assert!(refusal("a.pnml", &late).contains("a.pnml:3:"), "{}", refusal("a.pnml", &late));
    let late = late.replace("</page>", "<toolspecific tool='pnwc'><clock id='x'/></toolspecific></page>");
    assert_eq!(kind_of("a.pnml", &late).0, "clocknet");
    let coloured = TIMED.replace("ptnet", "symmetricnet");
    assert!(refusal("a.pnml", &coloured).contains("a.pnml:"), "{}", refusal("a.pnml", &coloured));
}

#[test]
fn what_clocks_do_not_go_with_is_refused_by_name_and_place() {
    let arc = "<arc id='a' source='p' target='t'/>";
    for (with, problem) in [
        (
            "<arc id='a' source='p' target='t'><type value='inhibitor'/></arc>",
            "7:3: inhibitor arcs in nets with clocks",
        ),
        ("<inhibitorArc id='a' source='p' target='t'/>", "7:3: inhibitor arcs in nets with clocks"),
        ("<transportArc id='a' source='p' target='t'/>", "7:3: ages of tokens beside clocks"),
        ("<arc id='a' source='p' target='t' inscription='[1,2]'/>", "7:3: ages of tokens beside clocks"),
        ("<arc id='a' source='p' target='t' type='reset'/>", "7:3: reset arcs are not supported"),
        ("<arc id='a' source='p' target='u'/>", "7:3: arc `a` refers to `u`"),
    ] {
        let refused = refusal("a.pnml", &TIMED.replace(arc, with));
        assert!(refused.contains(&format!("a.pnml:{problem}")), "{refused}");
    }
    let refused = refusal("a.pnml", &TIMED.replace("x&lt;=2", "y&lt;=2"));
    assert!(refused.contains("a.pnml:4:") && refused.contains("`y`"), "{refused}");
}

#[test]
fn ages_make_a_net_with_clocks() {
    for name in ["a.pnml", "a.tapn", "a.xml"] {
        let sizes = "2 places, 1 transition, 1 clock".to_owned();
        assert_eq!(kind_of(name, &aged("[3,inf)", "")), ("clocknet", sizes), "{name}");
    }
    // An invariant or an interval alone is enough.
    assert_eq!(kind_of("a.pnml", &aged("[0,inf)", "")).0, "clocknet");
    assert_eq!(kind_of("a.pnml", &aged("(0,5)", "").replace("&lt;= 2", "&lt; inf")).0, "clocknet");
    // The element that TAPAAL's engines have for an arc with an interval.
    let own = aged("[0,1]", "").replace("<arc id='a'", "<inputArc id='a'").replace(" type='timed' weight='1'", "");
    assert_eq!(kind_of("a.pnml", &own).0, "clocknet");
    // Without any time it is a net as all others, inhibitor arcs included.
    let plain = aged("[0,inf)", "").replace("&lt;= 2", "&lt; inf");
    assert_eq!(kind_of("a.tapn", &plain).0, "net");
    let inhibitor = "<arc id='c' inscription='[0,inf)' source='q' target='t' type='tapnInhibitor' weight='1'/>";
    assert_eq!(kind_of("a.tapn", &plain.replace("</net>", &format!("{inhibitor}</net>"))).0, "net");
    // So are weights, transport arcs and what components share.
    let transport = "<arc id='c' inscription='[0,inf):1' source='q' target='t' type='transport' weight='2'/>";
    assert_eq!(kind_of("a.tapn", &plain.replace("</net>", &format!("{transport}</net>"))).0, "net");
    let shared = plain.replace("<net ", "<shared-place name='q' initialMarking='0'/><net ");
    assert_eq!(kind_of("a.tapn", &shared).0, "net");
}

#[test]
fn what_ages_do_not_go_with_is_refused_by_name_and_place() {
    let arc = |rest: &str| format!("<arc id='c' source='q' target='t' {rest}/>");
    for (more, problem) in [
        (arc("inscription='[0,1]:1' type='transport' weight='1'"), "7:1: transport arcs"),
        ("<transportArc id='c' inscription='[0,1]' source='q' transition='t' target='p'/>".to_owned(), "7:1: transport arcs"),
        (arc("inscription='[0,inf)' type='tapnInhibitor' weight='1'"), "7:1: inhibitor arcs"),
        ("<inhibitorArc id='c' source='q' target='t'/>".to_owned(), "7:1: inhibitor arcs"),
        (arc("inscription='[0,inf)' type='timed' weight='2'"), "7:1: arcs with a weight above 1"),
        (
            "<inputArc id='c' inscription='[0,1]' source='q' target='t'><inscription><value>2</value></inscription></inputArc>"
                .to_owned(),
            "7:",
        ),
        ("<transition id='u' name='u' urgent='true'/>".to_owned(), "7:1: urgent transitions"),
        ("<transition id='u' name='u' player='1'/>".to_owned(), "7:1: games"),
        ("<place id='r' name='r' initialMarking='2'/>".to_owned(), " `r` can hold two tokens"),
        ("<place id='r' name='r' initialMarking='0'><capacity/></place>".to_owned(), "7:"),
        (arc("inscription='[3,2' type='timed'"), "7:1: `[3,2` is no interval"),
        (arc("inscription='[0,D]' type='timed'"), "7:1: `D` is no constant"),
    ] {
        let refused = refusal("a.tapn", &aged("[3,inf)", &more));
        assert!(refused.contains(&format!("a.tapn:{problem}")), "{more}: {refused}");
    }
}

/// No command takes such a file for a net without time, of which `q` is marked in the end.
#[test]
fn every_command_sees_the_clocks() {
    for text in [TIMED.to_owned(), aged("[3,inf)", "")] {
        let timed = file("model.pnml", &text);
        let (path, folder) = (timed.1.to_str().unwrap(), timed.0.path().to_str().unwrap());
        for model in [path, folder] {
            let (out, err, status) =
                run(starset().args(["check", model, "-f", "EF #q = 1", "-q"]).args(["--engine", "explicit"]));
            assert_eq!((out.as_str(), status), ("1: false\n", 0), "{err}");
            let (out, _, status) = run(starset().args(["states", model, "-q", "--engine", "explicit"]));
            assert!(status == 0 && out.contains("1 clock"), "{out}");
            let (out, _, _) = run(starset().args(["info", model]));
            assert!(out.contains("1 clock"), "{out}");
            let (out, err, status) = run(starset().args(["convert", model, "-", "--to", "pnwc"]));
            assert!(status == 0 && out.contains(" inv ") && out.contains(" when "), "{out}{err}");
        }
        let (out, err, status) = run(starset().args(["mcc", "--examination", "ReachabilityDeadlock", folder]));
        assert!(status == 0 && out.contains("TRUE"), "{out}{err}");
        let mut piped = Command::new(assert_cmd::cargo::cargo_bin("starset"));
        piped.args(["check", "-", "-f", "EF #q = 1", "-q", "--engine", "explicit"]);
        let mut child = piped.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert_eq!(child.wait_with_output().unwrap().stdout, b"1: false\n");
        // The format of nets is for those who ask for nets only.
        let refused = starset::kinds::net::pnml::read(text.as_bytes(), "m").unwrap_err().to_string();
        assert!(refused.contains("make this a net with time"), "{refused}");
    }
}

#[test]
fn the_letter_of_the_paper_and_exactness_are_asked_for() {
    let asked = |text: &str, clocks: ClockReading| load("a.pnwc", text, clocks).map(|loaded| loaded.notes);
    let (paper, exact) = (
        ClockReading { strict_paper: true, ..ClockReading::default() },
        ClockReading { exact: true, ..ClockReading::default() },
    );
    let open = "clocks x\nplace p init 1 inv x<=9\nplace q\ntrans t : p -> q when x>=3";
    let refused = asked(open, paper).unwrap_err();
    assert!(refused.contains("a.pnwc: the condition of `t` does not bound the clock `x`"), "{refused}");
    assert_eq!(asked(open, exact).unwrap(), [""; 0]);
    let strict = "clocks x\nplace p init 1 inv x<9\nplace q\ntrans t : p -> q when 3<=x<=4";
    assert_eq!(asked(strict, paper).unwrap().len(), 1);
    let refused = asked(strict, exact).unwrap_err();
    assert!(refused.contains("a.pnwc: the invariant of `p` is strict"), "{refused}");
    let notes = asked(strict, ClockReading::default()).unwrap();
    assert!(notes[0].contains("a unit is divided by 2"), "{notes:?}");
}
