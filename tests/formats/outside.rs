//! Files as other tools write them, and as they come: small inputs of ../shared/faults, and of our own.

use crate::cli::{run, starset};
use crate::shared::shared;
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// The state count, or the message.
fn states(path: &Path) -> Result<String, String> {
    let (out, err, status) = run(starset().arg("states").arg(path).arg("--json"));
    match status {
        0 => Ok(serde_json::from_str::<serde_json::Value>(&out).unwrap()["states"].as_str().unwrap().to_owned()),
        _ => Err(err),
    }
}

fn check(path: &Path, arguments: &[&str]) -> (String, String, i32) {
    let (out, err, status) = run(starset().arg("check").arg(path).args(arguments));
    (out.trim().to_owned(), err, status)
}

/// A file with this text.
fn written(name: &str, text: impl AsRef<[u8]>) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn tapaal_as_it_saves_today() {
    let Some(faults) = shared("faults") else { return };
    let current = faults.join("tapaal-current-dot.tapn");
    assert_eq!(states(&current).as_deref(), Ok("3"));
    for (file, answer) in [
        ("tapaal-current-dot.tapn", "got it: true"),
        ("tapaal-own-query.tapn", "got it: true"),
        ("tapaal-timed-query.tapn", "late: true"),
    ] {
        let (out, err, status) = check(&faults.join(file), &[]);
        assert_eq!((out.as_str(), status), (answer, 0), "{file}: {err}");
    }
    let (out, err, status) = check(&faults.join("tapaal-game.tapn"), &["-f", "AF good = 1"]);
    assert!(status == 2 && out.is_empty() && err.contains("games are not supported"), "{out}{err}");
    // What cannot be answered is named.
    let timed = fs::read_to_string(faults.join("tapaal-timed-query.tapn")).unwrap();
    let (_folder, path) = written("n.tapn", timed.replace("EF N0.b = 1", "AF N0.b = 1"));
    let (_, err, status) = check(&path, &[]);
    assert!(status == 2 && err.contains("the query `late` is not asked"), "{err}");
    // Ages at the start are of no account where ages are not, and refused elsewhere.
    let old = "<initialMarkingAge><token age=\"1\"/></initialMarkingAge></place>";
    let text = fs::read_to_string(&current).unwrap().replacen("</place>", old, 1);
    let (_folder, path) = written("n.tapn", text);
    assert_eq!(states(&path).as_deref(), Ok("3"));
    let (_folder, path) = written("n.tapn", timed.replacen("></place>", &format!(">{old}"), 1));
    assert!(states(&path).unwrap_err().contains("tokens that are old at the start"));
}

/// Declarations stand beside the net, and the dot has the name of its sort.
#[test]
fn coloured_nets_of_tapaal() {
    let place = |id: &str, sort: &str, marking: &str| {
        format!(
            "<place id='{id}' initialMarking='0' invariant='&lt; inf' name='{id}'><type><text>s</text><structure>\
             <usersort declaration='{sort}'/></structure></type>{marking}</place>"
        )
    };
    let all = "<hlinitialMarking><structure><all><usersort declaration='C'/></all></structure></hlinitialMarking>";
    let dots = "<structure><numberof><subterm><numberconstant value='2'><positive/></numberconstant></subterm><subterm>\
                <useroperator declaration='dot'/></subterm></numberof></structure>";
    let variable = "<structure><variable refvariable='x'/></structure>";
    let arc = |from: &str, to: &str, kind: &str, expression: &str| {
        format!(
            "<arc id='{from}{to}' source='{from}' target='{to}' {kind}><hlinscription>{expression}</hlinscription></arc>"
        )
    };
    let text = |interval: &str, player: &str| {
        format!(
            "<pnml xmlns='http://www.informatik.hu-berlin.de/top/pnml/ptNetb'><net active='true' id='N' type='P/T net'>{}{}\
             <transition id='t' player='{player}' urgent='false'/>{}{}</net><declaration><structure><declarations>\
             <namedsort id='dot' name='dot'><dot/></namedsort><namedsort id='C' name='C'><cyclicenumeration>\
             <feconstant id='c1' name='c1'/><feconstant id='c2' name='c2'/></cyclicenumeration></namedsort>\
             <variabledecl id='x' name='x'><usersort declaration='C'/></variabledecl></declarations></structure></declaration>\
             <query active='true' name='all' query='EF N.q = 4'/><feature isGame='false' isColored='true'/></pnml>",
            place("p", "C", all),
            place("q", "dot", ""),
            arc("p", "t", &format!("type='timed' inscription='{interval}' weight='1'"), variable),
            arc("t", "q", "type='normal' inscription='1' weight='2'", dots),
        )
    };
    let (_folder, path) = written("n.tapn", text("[0,inf)", "0"));
    assert_eq!(states(&path).as_deref(), Ok("4"));
    let (out, err, status) = check(&path, &[]);
    assert_eq!((out.as_str(), status), ("all: true", 0), "{err}");
    for (interval, player, why) in [("[1,2]", "0", "ages of tokens"), ("[0,inf)", "1", "games")] {
        let (_folder, path) = written("n.tapn", text(interval, player));
        let error = states(&path).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn liberties_of_pnml() {
    let Some(faults) = shared("faults") else { return };
    for (file, expected) in
        [("duplicate-arc-id.pnml", "2"), ("pipe-tagged-place.xml", "4"), ("pipe-capacity.xml", "3"), ("bom.aut", "2")]
    {
        assert_eq!(states(&faults.join(file)).as_deref(), Ok(expected), "{file}");
    }
    let (out, err, status) =
        check(&faults.join("bounds-unbounded.pnml"), &["-x", faults.join("product.xml").to_str().unwrap()]);
    assert_eq!((out.as_str(), status), ("prod: true", 0), "{err}");
    // A net needs no identifier; a capacity that the initial marking exceeds is a mistake.
    let net = |capacity: u64, weight: u64| {
        format!(
            "<pnml><net type='P/T net'><place id='p'><initialMarking><text>2</text></initialMarking><capacity>\
             <text>{capacity}</text></capacity></place><transition id='t'/><arc id='a' source='t' target='p'>\
             <inscription><text>{weight}</text></inscription></arc></net></pnml>"
        )
    };
    // pm4py writes an empty one for nets that have no name.
    let (_folder, path) = written("n.pnml", net(5, 1).replace("<net ", "<net id='' "));
    let (out, err, _) = run(starset().arg("states").arg(&path));
    assert!(out.starts_with("net: 1 place"), "{out}{err}");
    for (capacity, weight, expected) in [(5, 1, "4"), (5, 2, "2"), (5, 4, "1"), (2, 7, "1")] {
        let (_folder, path) = written("n.pnml", net(capacity, weight));
        assert_eq!(states(&path).as_deref(), Ok(expected), "{capacity} {weight}");
    }
    let (_folder, path) = written("n.pnml", net(1, 1));
    let error = states(&path).unwrap_err();
    assert!(error.contains("`p` begins with 2 tokens and has a capacity of 1"), "{error}");
}

/// Final markings, silent transitions, inhibitor arcs and the name of a net come out as they went in.
#[test]
fn conversion_keeps_what_is_said_beside() {
    let text = "<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'><net id='n' \
                type='http://www.pnml.org/version-2009/grammar/pnmlcoremodel'><name><text>An order</text></name><page id='g'>\
                <place id='p'><initialMarking><text>1</text></initialMarking></place><place id='q'/>\
                <transition id='t'><name><text>t</text></name><toolspecific tool='ProM' version='6.4' \
                activity='$invisible$' localNodeID='1'/></transition><transition id='u'/><arc id='1' source='p' target='t'/>\
                <arc id='1' source='t' target='q'/><arc id='2' source='q' target='u'><arctype><text>inhibitor</text></arctype>\
                </arc></page><finalmarkings><marking><place idref='q'><text>1</text></place><place idref='p'><text>0</text>\
                </place></marking><marking><place idref='p'><text>1</text></place></marking></finalmarkings></net></pnml>";
    let (folder, path) = written("n.pnml", text);
    let (once, twice) = (folder.path().join("1.pnml"), folder.path().join("2.PNML"));
    for (from, to) in [(&path, &once), (&once, &twice)] {
        let (_, err, status) = run(starset().arg("convert").arg(from).arg(to));
        assert_eq!(status, 0, "{err}");
    }
    let written = fs::read_to_string(&once).unwrap();
    for part in [
        "<name><text>An order</text></name>",
        "activity=\"$invisible$\"",
        "<arctype><text>inhibitor</text></arctype>",
        "<marking><place idref=\"q\"><text>1</text></place></marking>",
        "<marking><place idref=\"p\"><text>1</text></place></marking>",
    ] {
        assert_eq!(written.matches(part).count(), 1, "{part}: {written}");
    }
    assert_eq!(written, fs::read_to_string(&twice).unwrap());
    // One that names a place is the empty marking, and one that names none is no marking.
    for (marking, kept) in [("<place idref='p'><text>0</text></place>", 1), ("", 0)] {
        let (before, after) = text.split_once("<finalmarkings>").unwrap();
        let (_, after) = after.split_once("</finalmarkings>").unwrap();
        let finals = format!("<finalmarkings><marking>{marking}</marking></finalmarkings>");
        let (folder, path) = self::written("e.pnml", format!("{before}{finals}{after}"));
        let copy = folder.path().join("c.pnml");
        let (_, err, status) = run(starset().arg("convert").arg(&path).arg(&copy));
        let found = fs::read_to_string(&copy).unwrap();
        let empty = "<marking><place idref=\"p\"><text>0</text></place></marking>";
        assert_eq!(
            (status, found.matches("<marking>").count(), found.matches(empty).count()),
            (0, kept, kept),
            "{err}"
        );
    }
    let (_folder, path) = written_with(text, "idref='q'", "idref='r'");
    assert!(states(&path).unwrap_err().contains("a final marking refers to `r`"));
}

fn written_with(text: &str, from: &str, to: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    written("n.pnml", text.replace(from, to))
}

/// Nets of SNAKES are read as far as their tokens are black.
#[test]
fn nets_of_snakes() {
    let net = |value: &str, inscription: &str| {
        format!(
            "<pnml><net id='N'><place id='p'><type domain='universal'/><initialMarking><multiset><item><value>{value}</value>\
             <multiplicity>2</multiplicity></item></multiset></initialMarking></place><place id='q'><type domain='universal'/>\
             <initialMarking><multiset/></initialMarking></place><transition id='t'/><arc id='p:t' source='p' target='t'>\
             <inscription><text>1</text></inscription></arc><arc id='q:t' source='q' target='t'><inscription>{inscription}\
             </inscription></arc><arc id='t:q' source='t' target='q'><inscription><text>1</text></inscription></arc>\
             </net></pnml>"
        )
    };
    let none = "<inhibitor><annotation><value><token/></value></annotation><condition><expression>True</expression>\
                </condition></inhibitor>";
    let one = "<test><multiarc><value><token/></value></multiarc></test>";
    for (inscription, expected) in [(none, "2"), (one, "1")] {
        let (_folder, path) = written("n.pnml", net("<token/>", inscription));
        assert_eq!(states(&path).as_deref(), Ok(expected), "{inscription}");
    }
    for (value, inscription) in [("<object type='int'>1</object>", none), ("<token/>", "<variable>x</variable>")] {
        let (_folder, path) = written("n.pnml", net(value, inscription));
        let error = states(&path).unwrap_err();
        assert!(error.contains("of Python (SNAKES)"), "{error}");
    }
}

#[test]
fn a_file_is_what_it_is_whatever_it_is_called() {
    let Some(faults) = shared("faults") else { return };
    let loop_aut = fs::read_to_string(faults.join("loop.aut")).unwrap();
    let expected = states(&faults.join("loop.aut")).unwrap();
    let gzip = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    // Capitals, compressed, another name.
    let files = [
        ("L.AUT", loop_aut.clone().into_bytes()),
        ("L.Aut.GZ", gzip(&loop_aut)),
        ("noname", loop_aut.clone().into_bytes()),
    ];
    for (name, bytes) in files {
        let (_folder, path) = written(name, bytes);
        let (out, err, status) = run(starset().arg("states").arg(&path).args(["--from", "aut", "--json"]));
        assert!(status == 0 && out.contains(&format!("\"states\":\"{expected}\"")), "{name}: {out}{err}");
        if name != "noname" {
            assert_eq!(states(&path).as_deref(), Ok(expected.as_str()), "{name}");
        } else {
            assert!(states(&path).unwrap_err().contains("say it with --from (dot,"));
        }
    }
    // Standard input, of each form that is a text, and compressed.
    let piped = |form: &str, input: Vec<u8>, more: &[&str]| {
        let mut command = starset();
        command.args(["states", "-", "--json"]).args(more);
        if !form.is_empty() {
            command.args(["--from", form]);
        }
        run(command.write_stdin(input))
    };
    let dve = fs::read_to_string(faults.join("array-too-long.dve")).unwrap();
    let pnml = fs::read_to_string(faults.join("duplicate-arc-id.pnml")).unwrap();
    let machine = "MACHINE m\nVARIABLES x\nINVARIANT x : 0..2\nINITIALISATION x := 0\n\
                   OPERATIONS up = PRE x < 2 THEN x := x + 1 END\nEND\n";
    for (form, text, count) in [
        ("aut", &loop_aut, expected.as_str()),
        ("dve", &dve, "2"),
        ("", &pnml, "2"),
        ("pnml", &pnml, "2"),
        ("mch", &machine.to_owned(), "3"),
    ] {
        for input in [text.clone().into_bytes(), gzip(text)] {
            let (out, err, status) = piped(form, input, &[]);
            assert!(status == 0 && out.contains(&format!("\"states\":\"{count}\"")), "{form}: {out}{err}");
        }
    }
    let (_, err, status) = piped("", dve.into_bytes(), &[]);
    assert!(status == 2 && err.contains("<stdin>: this is no XML") && err.contains("--from"), "{err}");
    // Formulas on standard input; twice it is not read.
    let asked = |model: &str, input: &'static str| run(starset().args(["check", model, "-x", "-"]).write_stdin(input));
    let (out, err, status) = asked(faults.join("duplicate-arc-id.pnml").to_str().unwrap(), "one: EF #q = 1\n");
    assert_eq!((out.trim(), status), ("one: true", 0), "{err}");
    let (_, err, status) = asked("-", "");
    assert!(status == 2 && err.contains("can be read once"), "{err}");
}

#[test]
fn files_of_other_tools_are_named_with_the_way_in() {
    let Some(faults) = shared("faults") else { return };
    let error = states(&faults.join("petrify.g")).unwrap_err();
    assert!(
        error.contains("a signal transition graph of Petrify or Workcraft") && error.contains("as PNML"),
        "{error}"
    );
    for (name, text, what) in [
        ("m.txt", "MODULE main\nVAR x : boolean;\n", "a NuSMV model"),
        ("m.jani", "{ \"jani-version\": 1 }", "a model in JANI"),
        ("m.tla", "---- MODULE m ----\nVARIABLE x\n====\n", "a TLA+ module"),
        ("m.prism", "dtmc\nmodule m\n", "a PRISM model"),
        ("m.mcrl2", "act a;\ninit a;\n", "an mCRL2 specification"),
        ("m.btor2", "1 sort bitvec 1\n", "a BTOR2 circuit"),
        ("m.pnml", "aag 1 1 0 0 0\n2\n", "an AIGER circuit"),
        ("m.xml", "<?xml version='1.0'?><nta><declaration/></nta>", "a model of UPPAAL"),
    ] {
        let (_folder, path) = written(name, text);
        let error = states(&path).unwrap_err();
        assert!(error.contains(what) && !error.contains("XML"), "{name}: {error}");
    }
}

#[test]
fn arrays_have_the_cells_that_they_have() {
    let Some(faults) = shared("faults") else { return };
    let path = faults.join("array-too-long.dve");
    let (out, err, status) = run(starset().arg("states").arg(&path).arg("--json"));
    assert!(status == 0 && out.contains("\"states\":\"2\""), "{out}{err}");
    assert!(err.contains("array-too-long.dve:1:23: `slot` has 2 cells"), "{err}");
}

#[test]
fn a_machine_reads_no_variable_before_it_has_a_value() {
    let Some(faults) = shared("faults") else { return };
    let error = states(&faults.join("b-init-reads-unset.mch")).unwrap_err();
    assert!(error.contains("a variable is read before it has a value"), "{error}");
    let machine = |initialisation: &str| {
        format!("MACHINE m\nVARIABLES a, b\nINVARIANT a : 0..2 & b : 0..2\nINITIALISATION {initialisation}\nEND\n")
    };
    for unset in [
        "b : (b : 0..2 & b = a) || a := 1",
        "b : (b : 0..2 & a = b) || a := 1",
        "b : (b : 0..2 & (b = 1 or b = a)) || a := 1",
        "ANY x WHERE x : 0..2 & x = a THEN b := x END || a := 1",
        "b :: {x | x : 0..2 & x = a} || a := 1",
        "b := card({x | x : 0..2 & x = a}) || a := 1",
        "a := 1 || SELECT #x.(x : 0..2 & x = a) THEN b := 0 ELSE b := 1 END",
        "VAR v IN b : (b : 0..2 & b = v) END || a := 1",
    ] {
        let (_folder, path) = written("m.mch", machine(unset));
        let error = states(&path).unwrap_err();
        assert!(error.contains("a variable is read before it has a value"), "{unset}: {error}");
    }
    // Nor is it one that patterns give a value.
    for operation in [
        "op = VAR x IN ANY y WHERE x |-> y : r THEN b := y END END",
        "out <-- op = ANY y WHERE out |-> y : r THEN out, b := y, y END",
        "op = VAR x IN b : (x |-> b : r) END",
    ] {
        let text = format!(
            "MACHINE m\nCONSTANTS r\nPROPERTIES r = {{1 |-> 0, 2 |-> 1}}\nVARIABLES b\nINVARIANT b : 0..2\n\
             INITIALISATION b := 0\nOPERATIONS {operation}\nEND\n"
        );
        let (_folder, path) = written("m.mch", text);
        let error = states(&path).unwrap_err();
        assert!(error.contains("a variable is read before it has a value"), "{operation}: {error}");
    }
    for (set, expected) in [
        ("a := 1 ; b : (b : 0..2 & b = a)", "1"),
        ("ANY x WHERE x : 0..2 THEN a := x || b : (b : 0..2 & b <= x) END", "6"),
        ("b : (b : 0..2 & #x.(x : 0..1 & b = x)) || a := 1", "2"),
    ] {
        let (_folder, path) = written("m.mch", machine(set));
        assert_eq!(states(&path).as_deref(), Ok(expected), "{set}");
    }
}

#[test]
fn internal_steps_stay_internal() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other, out) = (folder.path().join("c1.aut"), folder.path().join("c2.aut"), folder.path().join("out.aut"));
    fs::write(&one, "des (0,2,2)\n(0,a,1)\n(1,i,0)\n").unwrap();
    fs::write(&other, "des (0,2,2)\n(0,tau,1)\n(1,a,0)\n").unwrap();
    let (_, err, status) = run(starset().arg("convert").args([&one, &other, &out]));
    assert_eq!(status, 0, "{err}");
    let written = fs::read_to_string(&out).unwrap();
    assert!(written.contains("\"i\"") && !written.contains(".i\""), "{written}");
}
