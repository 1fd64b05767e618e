//! `starset check`, `satset` and `combine`: answers that are known, and one clear error for each mistake.

use super::{generate, model, run, starset};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Results, exit status, and the messages.
fn check(command: &str, model: &Path, arguments: &[&str]) -> (String, String, i32) {
    run(starset().arg(command).arg(model).args(arguments))
}

/// The objects that a command prints with `--json`.
fn json(command: &str, model: &Path, arguments: &[&str]) -> Vec<Value> {
    let (out, err, status) = check(command, model, &[arguments, &["--json"]].concat());
    assert_eq!(status, 0, "{err}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The command fails with status 2, without results and with one message that has all these parts.
#[track_caller]
fn refused((out, err, status): (String, String, i32), parts: &[&str]) {
    assert_eq!((out.as_str(), status), ("", 2), "{err}");
    assert_eq!(err.matches("starset: ").count(), 1, "{err}");
    assert!(err.lines().count() == 1 || err.contains("column ") && err.lines().count() == 3, "{err}");
    for part in parts {
        assert!(err.contains(part), "`{part}` in {err}");
    }
}

#[test]
fn verdicts() {
    let philo = model("philo-5.pnml");
    let formulas = ["AG EF #Eat_0 = 1", "EG #Eat_0 = 0", "A F #Eat_0 = 1", "A G F #Eat_0 = 1", "bounds(Eat_0) = 1"];
    let arguments: Vec<&str> = formulas.iter().flat_map(|formula| ["-f", formula]).collect();
    let (out, _, status) = check("check", &philo, &arguments);
    assert_eq!((out.as_str(), status), ("1: false\n2: true\n3: false\n4: false\n5: true\n", 0));
    let (_, _, status) = check("check", &philo, &["-f", "EF deadlock", "--fail-if-false"]);
    assert_eq!(status, 0);
    let (out, _, status) =
        check("check", &philo, &["-f", "AG !deadlock", "--fail-if-false", "--format", "mcc", "--engine", "symbolic"]);
    let expected = "FORMULA 1 FALSE TECHNIQUES DECISION_DIAGRAMS SEQUENTIAL_PROCESSING TOPOLOGICAL\n";
    assert_eq!((out.as_str(), status), (expected, 1));
}

/// The path semantics is that of the logic the formula was written in, not of what it is rewritten to.
/// Formulas about the past beside others, by both engines, with sets and a witness.
#[test]
fn the_past() {
    let philo = model("philo-5.pnml");
    let formulas = [
        "G (#Eat_0 = 1 -> O #Think_0 = 1)",
        "EF #Eat_0 = 1",
        "G (#Eat_0 = 1 -> (#Fork_0 = 0 S #Think_0 = 1))",
        "E F (#Eat_0 = 1 & Y #Eat_0 = 1)",
        "AX Z #Think_0 = 0",
    ];
    let arguments: Vec<&str> = formulas.iter().flat_map(|formula| ["-f", formula]).collect();
    for engine in ["auto", "explicit", "symbolic"] {
        let (out, error, status) = check("check", &philo, &[&arguments[..], &["--engine", engine]].concat());
        // Answers come as they are found.
        let mut lines: Vec<&str> = out.lines().collect();
        lines.sort_unstable();
        let expected = vec!["1: true", "2: true", "3: false", "4: true", "5: false"];
        assert_eq!((lines, status), (expected, 0), "{engine} {error}");
    }
    let (out, error, status) = check("check", &philo, &["-f", formulas[3], "--witness"]);
    assert!(status == 0 && out.starts_with("1: true\n") && out.contains("Y #Eat_0 = 1"), "{out}{error}");
    // `O` is `true S`, and that `true` holds is told nowhere.
    let (out, error, status) = check("check", &philo, &["-f", "E F (deadlock & O #Eat_2 = 1)", "--witness"]);
    let told = |part: &str| out.lines().filter(|line| line.trim() == part).count();
    assert!(status == 0 && told(": O (#Eat_2 = 1)") == 1 && told(": true") == 0, "{out}{error}");
    // A path that begins in a marking has that marking for its first.
    let set = |formula: &str| check("satset", &philo, &["-f", formula]).0;
    assert_eq!(set("E Y true"), "1: false, holds in 0 of 243 markings\n");
    assert_eq!(set("E (O #Eat_0 = 1)"), set("#Eat_0 = 1"));
    assert_eq!(set("E X O #Eat_0 = 1"), set("#Eat_0 = 1 | EX #Eat_0 = 1"));
}

#[test]
fn defaults_of_the_path_semantics() {
    let philo = model("philo-5.pnml");
    let of = |formula: &str| json("satset", &philo, &["-f", formula]).remove(0);
    // X true in a deadlock: false on maximal paths, true on stuttering ones. Both become CTL formulas.
    let (ctl, ltl) = (of("AG EX true"), of("A G F X true"));
    assert_eq!((&ctl["logic"], &ctl["paths"], &ctl["verdict"]), (&"CTL".into(), &"maximal".into(), &false.into()));
    assert_eq!((&ltl["logic"], &ltl["paths"], &ltl["verdict"]), (&"LTL".into(), &"stutter".into(), &true.into()));
    let star = of("E G X deadlock");
    assert_eq!((&star["paths"], &star["satisfying"]), (&"stutter".into(), &"12".into()));
    let infinite = json("satset", &philo, &["-f", "E G X deadlock", "--paths", "infinite"]).remove(0);
    assert_eq!((&infinite["paths"], &infinite["satisfying"]), (&"infinite".into(), &"0".into()));
}

/// Both routes and both products give the same sets.
#[test]
fn routes_and_products() {
    let philo = model("philo-5.pnml");
    for formula in ["AG EF #Eat_0 = 1", "AF deadlock", "E(G F #Eat_0 = 1 & G F #Eat_1 = 1)", "A(F G #Eat_2 = 0)"] {
        let of = |more: &[&str]| json("satset", &philo, &[&["-f", formula], more].concat())[0]["satisfying"].clone();
        let expected = of(&[]);
        for more in [
            &["--without", "fixpoints"] as &[&str],
            &["--without", "components"],
            &["--without", "fixpoints,components"],
        ] {
            assert_eq!(of(more), expected, "{formula}, {more:?}");
        }
    }
}

#[test]
fn sets_are_listed_saved_and_loaded() {
    let (philo, folder) = (model("philo-5.pnml"), tempfile::tempdir().unwrap());
    let file = folder.path().join("dead.set");
    let name = file.to_str().unwrap();
    let (out, _, status) = check("satset", &philo, &["-f", "deadlock", "--list", "9", "--save", name]);
    assert_eq!(status, 0);
    let (first, markings) = out.split_once('\n').unwrap();
    assert_eq!(first, "1: false, holds in 2 of 243 markings");
    let mut listed: Vec<&str> = markings.lines().map(str::trim).collect();
    listed.sort_unstable();
    let expected = ["Catch1_0 Catch1_1 Catch1_2 Catch1_3 Catch1_4", "Catch2_0 Catch2_1 Catch2_2 Catch2_3 Catch2_4"];
    assert_eq!(listed, expected);
    // What was saved is what is loaded, whatever the order of variables.
    for order in ["auto", "given", "force"] {
        let object = json("satset", &philo, &["--load", name, "--list", "9", "--order", order]).remove(0);
        assert_eq!(object["id"], "loaded");
        assert_eq!((&object["formula"], &object["satisfying"]), (&"deadlock".into(), &"2".into()));
        assert_eq!((&object["reachable"], &object["verdict"]), (&"243".into(), &false.into()));
        assert_eq!(object["markings"].as_array().unwrap().len(), 2);
    }
    // Beside formulas, and saved again; the copy is the same file.
    let copy = folder.path().join("copy.set");
    let copy = copy.to_str().unwrap();
    let (out, _, _) = check("satset", &philo, &["--load", name, "-f", "#Eat_0 = 1", "--save", copy]);
    assert_eq!(out, "loaded: false, holds in 2 of 243 markings\n1: false, holds in 27 of 243 markings\n");
    let (out, _, status) = run(starset().args(["combine", "equal", name, copy]));
    assert_eq!((out.as_str(), status), ("equal: true\n", 0));
    let eating = format!("{copy}.1");
    let (out, _, _) = run(starset().args(["combine", "intersection", copy, &eating]));
    assert_eq!(out, "intersection: 0 markings (2 and 27)\n");
}

/// Sets of all kinds of models in formulas, in both engines.
#[test]
fn formulas_name_saved_sets() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it.set");
    let name = file.to_str().unwrap();
    let given = format!("it={name}");
    for (file, atom, order) in [
        ("philo-5.pnml", "#Eat_0 = 1", "force"),
        ("pipe.dot", "EX EX enabled(send)", "force"),
        ("buffer.counters", "#free > 1", "given"),
        ("turns.dve", "EX EX deadlock | EX true", "given"),
        ("locker.mch", "#coins < 1", "given"),
        ("lift.smv", "EX EX true", "given"),
        ("switch.bnet", "#left = 1 & #gate = 0", "force"),
        ("toggle.etf", "EX true", "given"),
        ("coloured/philo-5.pnml", "EX EX true", "force"),
    ] {
        let model = model(file);
        let (_, err, status) =
            check("satset", &model, &["-f", atom, "--paths", "stutter", "--order", order, "--save", name]);
        assert_eq!(status, 0, "{file}: {err}");
        let forms = ["AG (@ | EX @)", "E G !@", "G F @", "EF @"];
        let asked = |name: &str, more: &[&str]| {
            let texts = forms.map(|form| format!("-f{}", form.replace('@', name)));
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let same = ["--paths", "stutter", "--set", &given];
            let (command, out) = more.split_first().unwrap();
            check(command, &model, &[&same[..], &texts, out].concat())
        };
        let in_full = format!("({atom})");
        let known = asked(&in_full, &["check", "--engine", "symbolic"]).0;
        assert!(known.lines().count() == forms.len() && !known.contains("unknown"), "{file}: {known}");
        // The explicit engine reads SMV, too, but takes long for it without optimisation.
        let engines: &[&str] = if file == "lift.smv" { &["symbolic"] } else { &["symbolic", "explicit", "auto"] };
        for engine in engines {
            let (out, err, _) = asked("%it", &["check", "--engine", engine]);
            assert_eq!(out, known, "{file}, {engine}: {err}");
        }
        assert_eq!(asked("%it", &["satset"]).0, asked(&in_full, &["satset"]).0, "{file}");
    }
}

#[test]
fn names_of_sets_are_checked() {
    let (philo, folder) = (model("philo-5.pnml"), tempfile::tempdir().unwrap());
    let file = folder.path().join("dead.set");
    let name = file.to_str().unwrap();
    check("satset", &philo, &["-f", "deadlock", "--save", name]);
    let given = format!("dead={name}");
    let refused = |model: &PathBuf, arguments: &[&str], why: &str| {
        let (_, err, status) = check("check", model, arguments);
        assert!(status == 2 && err.contains(why), "{arguments:?}: {err}");
    };
    refused(&philo, &["-f", "EF %dead"], "no set of states is called `dead`: give one with --set dead=FILE");
    refused(&philo, &["-f", "EF %deed", "--set", &given], "unknown set `deed`; did you mean `dead`?");
    refused(&philo, &["-f", "EF %dead", "--set", name], "write NAME=FILE");
    refused(&philo, &["-f", "EF %dead", "--set", &given, "--set", &given], "two sets are called dead");
    refused(&philo, &["-f", "EF %dead", "--set", "dead=none.set"], "cannot read none.set");
    refused(&model("phils-5.pnml"), &["-f", "EF %dead", "--set", &given], "a set of another net");
    let (_, err, status) = check("check", &philo, &["-f", "EF %dead", "--set", &given, "--certificate", "-"]);
    assert!(status != 0 && err.contains("a set of states from a file"), "{err}");
}

/// Two saved sets of a net, under different variable orders.
fn two_sets() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = [("a.set", "#Eat_0 = 1", "given"), ("b.set", "#Eat_0 = 1 | deadlock", "force")].map(
        |(name, formula, order)| {
            let file = folder.path().join(name);
            let save = ["-f", formula, "--order", order, "--save", file.to_str().unwrap()];
            assert_eq!(check("satset", &model("philo-5.pnml"), &save).2, 0);
            file
        },
    );
    (folder, first, second)
}

#[test]
fn set_algebra() {
    let (folder, first, second) = two_sets();
    let combine = |operation: &str, more: &[&str]| {
        let (out, err, status) =
            run(starset().args(["combine", operation]).args([&first, &second]).args(["--json"]).args(more));
        assert_eq!(status, 0, "{err}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    for (operation, size) in [("union", "29"), ("intersection", "27"), ("difference", "0")] {
        let object = combine(operation, &[]);
        assert_eq!((&object["first"], &object["second"]), (&"27".into(), &"29".into()));
        assert_eq!((&object["result"], &object["holds"]), (&size.into(), &Value::Null), "{operation}");
    }
    assert_eq!(combine("equal", &[])["holds"], false);
    assert_eq!(combine("subset", &[])["holds"], true);
    let file = folder.path().join("union.set");
    let saved = file.to_str().unwrap();
    assert_eq!(combine("union", &["--save", saved])["saved"], saved);
    let object = json("satset", &model("philo-5.pnml"), &["--load", saved]).remove(0);
    assert_eq!(object["satisfying"], "29");
    assert_eq!(object["formula"], "union of (#Eat_0 = 1) and (#Eat_0 = 1 | deadlock)");
}

/// The sets of two versions of a net can be compared when they have the same places.
#[test]
fn versions_of_a_net() {
    let (three, four) = (generate("kanban", 3), generate("kanban", 4));
    let folder = tempfile::tempdir().unwrap();
    let [small, large] = [("s.set", &three.1), ("l.set", &four.1)].map(|(name, net)| {
        let file = folder.path().join(name);
        assert_eq!(check("satset", net, &["-f", "true", "--save", file.to_str().unwrap()]).2, 0);
        file.to_str().unwrap().to_owned()
    });
    let (out, _, status) = run(starset().args(["combine", "intersection", &small, &large]));
    assert_eq!((out.as_str(), status), ("intersection: 0 markings (58400 and 454475)\n", 0));
    // But a set of markings that this net does not reach is not one of this net.
    refused(check("satset", &three.1, &["--load", &large]), &["l.set", "not reachable", "Kanban-PT-00004"]);
}

#[test]
fn files_that_are_not_sets_of_the_net() {
    let (folder, first, second) = two_sets();
    let philo = model("philo-5.pnml");
    let load = |path: &Path| check("satset", &philo, &["--load", path.to_str().unwrap()]);
    let combine = |path: &Path| run(starset().args(["combine", "union"]).args([&first, path]));
    let other = folder.path().join("other.set");
    let save = ["-f", "true", "--save", other.to_str().unwrap()];
    assert_eq!(check("satset", &model("kanban-3.pnml"), &save).2, 0);
    refused(load(&other), &["other.set", "another net", "saved from Kanban-PT-00003", "Philosophers-PT-000005"]);
    refused(combine(&other), &["a.set and ", "other.set", "different models"]);

    let text = fs::read_to_string(&second).unwrap();
    let damaged = folder.path().join("damaged.set");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (problem, content) in [
        ("not a saved set", fs::read_to_string(&philo).unwrap()),
        ("line 1: ", String::new()),
        ("version 9", text.replacen("starset-set 1", "starset-set 9", 1)),
        ("truncated", lines[..lines.len() - 1].concat()),
        ("truncated", lines[..lines.len() / 2].concat()),
        ("line 4: `levels` must be followed by a number", lines[..4].concat().replace("levels 25", "levels x")),
        ("checksum", text.replacen("layer 2\n0:0", "layer 2\n2:0", 1)),
        ("the set has ended before", [&text[..], &text[..]].concat()),
    ] {
        fs::write(&damaged, content).unwrap();
        refused(load(&damaged), &["damaged.set: ", problem]);
        refused(combine(&damaged), &["damaged.set: ", problem]);
    }
    fs::write(&damaged, [0xff, 0xfe, 0x00]).unwrap();
    refused(load(&damaged), &["damaged.set: "]);
    refused(load(&folder.path().join("absent.set")), &["cannot read ", "absent.set"]);
    // Without its checksum it may have been written by hand.
    let unchecked: String = lines.iter().filter(|line| !line.starts_with("check ")).copied().collect();
    fs::write(&damaged, unchecked).unwrap();
    assert_eq!(load(&damaged).2, 0);
}

#[test]
fn formulas_that_are_wrong() {
    let philo = model("philo-5.pnml");
    for (formula, parts) in [
        ("AG EF #Eat_00 = 1", &["formula 1: ", "column 8", "`Eat_00`", "`Eat_0`"] as &[&str]),
        ("AG enabled(Take_3)", &["formula 1: ", "column 12", "`Take_3`"]),
        ("AG (#Eat_0 = 1", &["formula 1: ", "column 15"]),
        ("#Eat_0 = 1 &", &["formula 1: ", "column 13"]),
        ("#Eat_0", &["formula 1: ", "column 1: ", "compare it"]),
        ("", &["formula 1: ", "column 1"]),
        ("#Eat_0 / 0 = 1", &["formula 1: ", "column 8", "division by zero"]),
        ("#Eat_0 = 99999999999999999999999999999999999999999", &["formula 1: ", "column 10"]),
    ] {
        refused(check("check", &philo, &["-f", formula]), parts);
        refused(check("satset", &philo, &["-f", formula]), parts);
    }
    refused(check("check", &philo, &["-f", "true", "-f", "#x = 1"]), &["formula 2: ", "column 2"]);
    refused(check("check", &philo, &[]), &["no formula"]);
    refused(check("satset", &philo, &[]), &["no formula"]);
    let empty = tempfile::NamedTempFile::new().unwrap();
    fs::write(&empty, " \n").unwrap();
    let file = empty.path().to_str().unwrap();
    refused(check("check", &philo, &["-x", file]), &["1:1: ", "no formula", "on each line"]);
    let deep = "!".repeat(100_000) + "deadlock";
    refused(check("check", &philo, &["-f", &deep]), &["formula 1: ", "deep"]);
}

/// A division by zero that only some markings show: the formula has no value, the others have.
#[test]
fn division_by_zero_in_a_marking() {
    let philo = model("philo-5.pnml");
    let formulas = ["-f", "EF 1 / #Eat_0 = 1", "-f", "EF deadlock"];
    for command in ["check", "satset"] {
        let (out, err, status) = check(command, &philo, &formulas);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!((lines[0], status), ("1: unknown", 2));
        assert!(lines[1].starts_with("2: true") && lines.len() == 2, "{out}");
        assert!(err.contains("1: the formula divides by zero in a reachable state"), "{err}");
        let (out, _, _) = check(command, &philo, &[&formulas as &[&str], &["--json"]].concat());
        let object: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
        assert_eq!((&object["verdict"], &object["reason"]), (&Value::Null, &"undefined".into()));
    }
}

fn property(id: &str, place: &str) -> String {
    format!(
        "<property><id>{id}</id><description>d</description><formula><exists-path><finally><integer-le>\
         <integer-constant>1</integer-constant><tokens-count><place>{place}</place></tokens-count></integer-le>\
         </finally></exists-path></formula></property>\n"
    )
}

#[test]
fn property_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.xml");
    let name = file.to_str().unwrap();
    let write = |properties: &str| {
        let text = format!("<property-set xmlns=\"http://mcc.lip6.fr/\">\n{properties}</property-set>\n");
        fs::write(&file, text).unwrap();
    };
    let philo = model("philo-5.pnml");
    write(&[property("eat", "Eat_0"), property("think", "Think_0")].concat());
    let (out, _, status) = check("check", &philo, &["-x", name]);
    assert_eq!((out.as_str(), status), ("eat: true\nthink: true\n", 0));
    let (out, _, status) = check("satset", &philo, &["-x", name, "--id", "think"]);
    assert_eq!((out.as_str(), status), ("think: true, holds in 241 of 243 markings\n", 0));
    refused(check("check", &philo, &["-x", name, "--id", "sleep"]), &["no property `sleep`"]);
    let lines = folder.path().join("modalities");
    fs::write(&lines, "<FF1a_0> true\nEF deadlock\n").unwrap();
    assert_eq!(check("check", &philo, &["-x", lines.to_str().unwrap()]).0, "1: true\n2: true\n");
    assert_eq!(check("check", &philo, &["-f", "true", "--id", "eat"]).2, 2);
    refused(check("check", &model("kanban-3.pnml"), &["-x", name]), &["p.xml:2:", "`Eat_0`", "another net"]);
    refused(check("check", &philo, &["-x", "absent.xml"]), &["cannot read absent.xml"]);
    fs::write(&file, "<property-set><property>").unwrap();
    refused(check("check", &philo, &["-x", name]), &["p.xml:1:"]);
    write(&property("eat", "Eat_0").replace("integer-le", "integer-xx"));
    refused(check("check", &philo, &["-x", name]), &["p.xml:2:"]);
}

/// Bounds are found in a smaller net; what is said of the reachable set is said of the net itself.
#[test]
fn bounds_alone() {
    let folder = tempfile::tempdir().unwrap();
    let [file, page] = ["bounds.xml", "page.html"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let property = "<property><id>one</id><formula><place-bound><place>P1</place></place-bound></formula></property>";
    fs::write(&file, format!("<property-set xmlns=\"http://mcc.lip6.fr/\">{property}</property-set>")).unwrap();
    let diagrams = ["-x", &file, "--without", "structure,coverability,walks,search"];
    let kanban = model("kanban-3.pnml");
    for counting in [&[][..], &["--without", "counting"]] {
        let found = json("check", &kanban, &[&diagrams, counting].concat()).remove(0);
        assert_eq!((&found["bound"], &found["reachable"]), (&"3".into(), &"58400".into()), "{counting:?} {found}");
        let (_, err, status) = check("check", &kanban, &[&diagrams, counting, &["--report", &page]].concat());
        assert_eq!(status, 0, "{err}");
        // The levels are those of all 16 places, or not shown.
        let text = fs::read_to_string(&page).unwrap();
        assert_eq!(text.contains("\"levels\":[[\""), !counting.is_empty());
    }
}

/// The file that docs/set-format.md shows is one, and holds what it says.
#[test]
fn documented_format() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/set-format.md")).unwrap();
    let (_, example) = text.split_once("```text\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("example.set");
    fs::write(&file, example).unwrap();
    let (out, err, status) = run(starset().args(["combine", "union"]).args([&file, &file]));
    assert_eq!((out.as_str(), status), ("union: 3 markings (3 and 3)\n", 0), "{err}");
}

/// The number of threads changes nothing of what is printed.
#[test]
fn threads() {
    let philo = model("philo-5.pnml");
    let formulas = ["AG EF #Eat_0 = 1", "EF 1 / #Eat_0 = 1", "A G F #Eat_0 = 1", "EG #Eat_0 = 0", "AF deadlock"];
    let arguments: Vec<&str> = formulas.iter().flat_map(|formula| ["-f", formula]).collect();
    let one = check("check", &philo, &arguments);
    for threads in ["2", "3"] {
        assert_eq!(check("check", &philo, &[&arguments as &[&str], &["--threads", threads]].concat()), one);
    }
}

/// One formula that cannot be read costs none of the others, with either command; a place that is listed twice counts once.
#[test]
fn one_formula_does_not_cost_the_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(model("philo-5.pnml"), folder.path().join("model.pnml")).unwrap();
    let list = "<tokens-count><place>Eat_0</place><place>Eat_0</place></tokens-count>";
    let body = |inner: &str| format!("<all-paths><globally>{inner}</globally></all-paths>");
    let properties = [
        ("twice", body(&format!("<integer-le>{list}<integer-constant>1</integer-constant></integer-le>"))),
        ("wrong", body("<is-fireable><transition>nowhere</transition></is-fireable>")),
        ("last", body("<negation><deadlock/></negation>")),
    ];
    let text = |(id, formula): &(&str, String)| {
        format!("<property><id>{id}</id><description/><formula>{formula}</formula></property>\n")
    };
    let text: String = properties.iter().map(text).collect();
    let file = folder.path().join("ReachabilityFireability.xml");
    std::fs::write(&file, format!("<property-set>\n{text}</property-set>")).unwrap();
    let (out, err, status) = check("check", folder.path(), &["-x", file.to_str().unwrap()]);
    assert_eq!((out.as_str(), status), ("twice: true\nwrong: unknown\nlast: false\n", 3), "{err}");
    assert!(err.contains("ReachabilityFireability.xml:2:") && err.contains("`Eat_0` is listed twice; it counts once"));
    assert!(err.contains("wrong is left out: ") && err.contains("ReachabilityFireability.xml:3:"), "{err}");
    let arguments = ["mcc", folder.path().to_str().unwrap(), "--examination", "ReachabilityFireability"];
    let (out, err, status) = run(starset().args(arguments));
    let mut lines: Vec<&str> = out.lines().collect();
    lines.sort_unstable();
    assert!(lines[0].starts_with("FORMULA last FALSE") && lines[1].starts_with("FORMULA twice TRUE"), "{out}{err}");
    assert!(lines[2].starts_with("FORMULA wrong CANNOT_COMPUTE") && status == 3, "{out}{err}");
    assert!(err.contains("wrong is left out") && err.contains("counts once"), "{err}");
}

#[test]
fn fairness_assumptions() {
    let philo = model("philo-5.pnml");
    let both = ["-f", "AG EF Eat_0 = 1", "-f", "E true"];
    let (out, err, status) = check("check", &philo, &[&both[..], &["--justice", "!deadlock"]].concat());
    assert_eq!((out.as_str(), err.as_str(), status), ("1: true\n2: true\n", "", 0));
    let (out, _, _) = check("satset", &philo, &["-f", "A false", "--justice", "!deadlock"]);
    assert_eq!(out, "1: false, holds in 2 of 243 markings\n");
    // In a deadlock nothing is owed to what is not possible.
    let arguments = ["-f", "AF Eat_0 = 1", "--compassion", "Think_0 = 1", "Eat_0 = 1", "--strong-fair", "all"];
    for engine in ["symbolic", "explicit", "both"] {
        let (out, err, status) = check("check", &philo, &[&arguments[..], &["--engine", engine]].concat());
        assert_eq!((out.as_str(), status), ("1: false\n", 0), "{engine}: {err}");
    }
    let several =
        ["-f", "A G F Eat_2 = 1", "-f", "E F G Fork_0 = 0", "--justice", "Eat_0 = 1", "--justice", "Eat_1 = 1"];
    for engine in ["symbolic", "explicit"] {
        let with = check("check", &philo, &[&several[..], &["--engine", engine]].concat());
        let without = check("check", &philo, &[&several[..], &["--engine", engine, "--without", "fairness"]].concat());
        assert_eq!(
            (with.0.as_str(), &without.0),
            ("1: false\n2: false\n", &with.0),
            "{engine}: {}{}",
            with.1,
            without.1
        );
    }
    // A verdict without a fair path is said to be one.
    let nowhere = ["-f", "AF Eat_0 = 1", "--justice", "Eat_0 = 0", "--justice", "Eat_0 = 1 & deadlock"];
    let (out, err, _) = check("check", &philo, &nowhere);
    assert_eq!(out, "1: true\n");
    assert!(err.contains("1: no fair path begins in the initial marking"), "{err}");
    let object = &json("check", &philo, &nowhere)[0];
    assert_eq!(object["formula"], "A F (#Eat_0 = 1)");
    assert_eq!(object["assumptions"], serde_json::json!(["justice Eat_0 = 0", "justice Eat_0 = 1 & deadlock"]));
    assert_eq!((&object["fair_path"], &object["logic"]), (&Value::Bool(false), &Value::from("CTL")));

    let folder = TempDir::new().unwrap();
    let file = folder.path().join("fair.txt");
    fs::write(&file, "let meal = Eat_0 = 1\nAG EF meal\njustice !deadlock\n").unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(check("check", &philo, &["-x", file]).0, "1: true\n");
    assert_eq!(check("check", &philo, &["-x", file, "-f", "AG EF Eat_0 = 1"]).0, "1: false\n1: true\n");
    let arguments = ["-x", file, "--folder", folder.path().to_str().unwrap()];
    let (out, err, _) = check("certify", &philo, &arguments);
    assert!(out.starts_with("1: true, certified in "), "{out}{err}");

    let wrong = |arguments: &[&str], part: &str| {
        refused(check("check", &philo, &[&["-f", "EF deadlock"], arguments].concat()), &[part]);
    };
    wrong(&["--justice", "F deadlock"], "--justice F deadlock, column 1: justice is about state formulas");
    wrong(&["--compassion", "Eat_0 = 1", "Eat = 1"], "column 12: unknown place `Eat`");
    wrong(&["--weak-fair", "End_0,End"], "--weak-fair End_0,End, column 7: unknown transition `End`");
}

/// Numbers of steps, and assumptions that a net of LoLA makes.
#[test]
fn numbers_of_steps_and_assumptions_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.lola");
    // From p to q by t, or back to p by u.
    let net = |fair: &str| {
        format!(
            "PLACE p, q; MARKING p; TRANSITION t {fair} CONSUME p; PRODUCE q; TRANSITION u CONSUME p; PRODUCE p; \
             TRANSITION v CONSUME q; PRODUCE p;"
        )
    };
    for (fair, verdict, most) in
        [("", "false", "infinite"), ("STRONG FAIR", "true", "infinite"), ("WEAK FAIR", "true", "infinite")]
    {
        std::fs::write(&path, net(fair)).unwrap();
        let mut command = starset();
        command.arg("check").arg(&path).args(["-f", "AF q = 1", "--compute", "MIN [p = 1, q = 1]"]);
        command.args([
            "--compute",
            "MAX[p = 1, q = 1]",
            "--compute",
            "MAX [q = 1, p = 1]",
            "--compute",
            "MIN [p = 2, q = 1]",
        ]);
        command.args(["--compute", "MAX [p = 2, q = 1]"]);
        let (out, err, status) = run(&mut command);
        let expected = format!("1: {verdict}\n2: 1\n3: {most}\n4: 1\n5: infinite\n6: undefined\n");
        assert_eq!((out, status), (expected, 0), "{fair}: {err}");
    }
    let mut command = starset();
    command.arg("check").arg(&path).args(["-f", "AF q = 1", "--json"]);
    let (out, _, _) = run(&mut command);
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["assumptions"], serde_json::json!(["weak-fair t"]));
    // Runs that end satisfy them.
    command.args(["--paths", "finite", "--final", "q = 1"]);
    let (out, err, status) = run(&mut command);
    assert!(status == 0 && !out.contains("assumptions"), "{out}{err}");
    for (text, part) in [("MID [p = 1, q = 1]", "expected `MIN [f, g]`"), ("MIN [p = 1, F q = 1]", "quantify it")] {
        let (_, err, status) = run(starset().arg("check").arg(&path).args(["--compute", text]));
        assert!(status == 2 && err.contains(part), "{err}");
    }
}

/// Ways begin in any of several initial states. The one that is shown begins in the first, and if there is none, none is.
#[test]
fn numbers_of_steps_from_several_initial_states() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("several.smv");
    std::fs::write(&path, "MODULE main\nVAR x : 0..2;\nASSIGN next(x) := case x = 0 : 1; x = 1 : 1; TRUE : 2; esac;\n")
        .unwrap();
    let asked = [
        ("MIN [x >= 0, EF x = 1]", "0"),
        ("MAX [EF x = 1, x = 1]", "1"),
        ("MAX [x = 2, x = 1]", "infinite"),
        ("MAX [x >= 0, !EF x = 1]", "infinite"),
    ];
    for engine in ["auto", "symbolic", "explicit"] {
        for (text, value) in asked {
            let mut command = starset();
            command.arg("check").arg(&path).args(["--engine", engine, "--compute", text, "--witness"]);
            let (out, err, status) = run(&mut command);
            assert!(status == 0 && out.starts_with(&format!("1: {value}\n")), "{engine} {text}: {out}{err}");
            assert!(!out.contains("!(E"), "{engine} {text}: {out}");
        }
    }
}

/// Numbers of steps in files of formulas, by both engines and all ways, with a way of that length at the end of a run.
#[test]
fn numbers_of_steps_in_files() {
    let model = super::model("philo-5.pnml");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("steps.ctl");
    std::fs::write(
        &file,
        "let eats = #Eat_0 = 1\nnear: MIN [eats, deadlock]\nCOMPUTE MAX [eats, #Eat_1 = 1]\nnone: MIN [deadlock, eats]\n",
    )
    .unwrap();
    for engine in ["symbolic", "explicit", "auto"] {
        let mut command = starset();
        command.arg("check").arg(&model).args(["--engine", engine, "--json", "--witness", "-x"]).arg(&file);
        let (out, err, status) = run(&mut command);
        assert_eq!(status, 0, "{engine}: {err}");
        let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let bounds: Vec<&str> = answers.iter().filter_map(|answer| answer["bound"].as_str()).collect();
        assert_eq!(bounds, ["3", "infinite", "infinite"], "{engine}");
        let states = |answer: &Value| answer["witness"]["runs"][0]["states"].as_array().unwrap().clone();
        let way = states(&answers[0]);
        assert_eq!(way[way.len() - 4]["marking"]["Eat_0"], "1", "{engine}");
        assert_eq!(answers[0]["witness"]["runs"][0]["end"], "deadlock");
        assert_eq!(answers[1]["witness"]["runs"][0]["end"], "loop");
        assert_eq!(
            (&answers[2]["witness"], &answers[2]["witness_message"]),
            (&Value::Null, &"no single way shows it".into())
        );
    }
    let (out, err, status) = run(starset().arg("cross").arg(&model).arg("-x").arg(&file));
    assert!(status == 0 && out.contains("near: ") && out.contains("ways agree: steps 3\n"), "{out}{err}");
    assert!(out.contains("ways agree: steps infinite\n"), "{out}");
    // What is asked of finite runs has no such number.
    let mut command = starset();
    command.arg("check").arg(&model).args(["--paths", "finite", "-x"]).arg(&file);
    let (_, err, status) = run(&mut command);
    assert!(status == 2 && err.contains("near: leave out --paths finite"), "{err}");
}
