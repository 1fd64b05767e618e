//! Questions with the states in a folder.

use super::{model, run, starset};
use std::fs;

#[test]
fn questions_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().to_str().unwrap();
    let check = |arguments: &[&str]| {
        let philo = model("philo-5.pnml");
        run(starset().arg("check").arg(philo).args(["--disk", disk, "--threads", "1"]).args(arguments))
    };
    let (out, err, status) = check(&["-f", "EF deadlock", "-f", "AG #Eat_0 <= 1", "--witness"]);
    assert!(out.starts_with("1: true\n  shows EF deadlock (5 steps,") && out.contains("\n2: true\n"), "{out}");
    assert!(err.contains(&format!("243 states in 6 levels in {disk}, at most ")) && status == 0, "{err}");
    // What has been explored is looked through.
    let (out, err, status) = check(&["-f", "EF #Eat_0 + #Eat_2 = 2 & AG !deadlock"]);
    assert_eq!((&out[..], status), ("1: false\n", 0), "{err}");
    assert!(err.contains(&format!("243 states in 6 levels in {disk}, from level 6 on, at most ")), "{err}");
    // Other formulas are answered by all states, unless they are about steps.
    let asked = [
        "E (#Eat_0 = 0 U #Eat_1 = 1)",
        "EF #Eat_0 = 2",
        "F G #Eat_0 = 0",
        "AG EF #Eat_0 = 1",
        "G F action(\"FF1a_0\")",
    ];
    let asked: Vec<&str> = asked.iter().flat_map(|formula| ["-f", formula]).collect();
    let (out, err, status) = check(&asked);
    assert_eq!((&out[..], status), ("1: true\n2: false\n3: false\n4: false\n5: unknown\n", 3), "{err}");
    assert!(err.contains("5: ") && err.contains("formulas about states alone"), "{err}");
    let (out, err, _) = check(&["-f", "AG EF #Eat_0 = 1", "-f", "EF #Eat_0 = 1", "--witness"]);
    assert!(
        out.starts_with("1: false\n2: true\n  shows EF") && err.contains("1: witness not found: with the states"),
        "{out}{err}"
    );
    assert!(err.contains("no runs are kept of formulas that states are labelled for"), "{err}");
    // A formula that has no value somewhere is no matter of the others.
    let (out, err, status) = check(&["-f", "AF 6 / #Eat_0 = 6", "-f", "AF #Eat_1 = 1"]);
    assert!(
        out.contains("2: false") && !out.contains("1: true") && !out.contains("1: false") && status != 0,
        "{out}{err}"
    );
    // `states` tells the figures of the same folder.
    let (out, err, status) = run(starset().arg("states").arg(model("philo-5.pnml")).args(["--disk", disk]));
    assert!(out.contains("  states                 243\n") && status == 0, "{out}{err}");
    let (out, _, status) = check(&["-f", "EF #Eat_0 = 2"]);
    assert_eq!((&out[..], status), ("1: false\n", 0));
}

#[test]
fn a_quota_leaves_questions_open_and_more_room_answers_them() {
    let folder = tempfile::tempdir().unwrap();
    let kanban = model("kanban-3.pnml");
    let disk = folder.path().to_str().unwrap();
    let check = |disk: &str| {
        let formulas = ["-f", "EF #Pm4 = 3", "-f", "EF #Pm4 = 4"];
        run(starset().arg("check").arg(&kanban).args(["--json", "--disk", disk]).args(formulas))
    };
    let (out, err, status) = check(&format!("{disk}:1K"));
    assert_eq!((out.matches(r#""reason":"disk""#).count(), status), (2, 3), "{out}{err}");
    let (out, err, status) = check(disk);
    assert!(out.contains(r#""verdict":true"#) && out.contains(r#""verdict":false"#) && status == 0, "{out}{err}");
}

/// Models of other kinds are read for what is asked, so that their folders are for that.
#[test]
fn other_kinds_of_models_and_what_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("turns");
    let disk = disk.to_str().unwrap();
    let turns = model("turns.dve");
    let check = |formula: &str| run(starset().arg("check").arg(&turns).args(["--disk", disk, "-f", formula]));
    for _ in 0..2 {
        let (out, err, status) = check("EF deadlock");
        assert_eq!((&out[..], status), ("1: true\n", 0), "{err}");
    }
    let (out, err, status) = check("AG !deadlock");
    assert!(out.is_empty() && status == 2 && err.contains("another model was explored in it"), "{out}{err}");
    // Values that are numbered while a machine is explored have no numbers in another program.
    let sets = folder.path().join("sets.mch");
    let text = "MACHINE sets VARIABLES s INVARIANT s <: 1..3 INITIALISATION s := {} OPERATIONS
        one = PRE s = {} THEN s := {1} END; two = PRE s = {} THEN s := {2} END; both = PRE s = {1} THEN s := {1,2} END;
        del = PRE card(s) = 2 THEN s := {} END; nop = PRE card(s) = 3 THEN s := {} END END";
    fs::write(&sets, text).unwrap();
    let disk = folder.path().join("sets");
    let check = || {
        let formulas = ["-f", "EF enabled(del)", "-f", "EF enabled(nop)", "--threads", "1", "--disk"];
        run(starset().arg("check").arg(&sets).args(formulas).arg(&disk))
    };
    let (out, err, status) = check();
    assert_eq!((&out[..], status), ("1: true\n2: false\n", 0), "{err}");
    let (out, err, status) = check();
    assert!(out.is_empty() && status == 2 && err.contains("give an empty folder"), "{out}{err}");
    let refused = |arguments: &[&str], why: &str| {
        let philo = model("philo-5.pnml");
        let (out, err, status) = run(starset().arg("check").arg(philo).args(arguments).args(["-f", "EF deadlock"]));
        assert!(err.contains(why) && status == 2 && out.is_empty(), "{arguments:?}: {status} {err}");
    };
    let other = folder.path().join("philo");
    let other = other.to_str().unwrap();
    refused(&["--disk", other, "--engine", "symbolic"], "--engine explicit");
    refused(&["--disk", other, "--certificate", "x"], "cannot be used with");
    refused(&["--disk", "states:1Z"], "write a size");
    let (_, err, status) = run(starset().arg("states").arg(model("philo-5.pnml")).args(["--disk", other]));
    assert_eq!(status, 0, "{err}");
    refused(&["--disk", other], "its states were explored for their numbers alone; give an empty folder");
    let (_, err, status) = run(starset().args(["check", "-", "--disk", other, "-f", "EF deadlock"]));
    assert!(err.contains("needs a model in a file") && status == 2, "{err}");
    // Several initial states.
    let lift = folder.path().join("lift");
    let (out, err, status) = run(starset().arg("check").arg(model("mutex.smv")).arg("--disk").arg(&lift));
    assert!(out.lines().all(|line| line.ends_with(": unknown")) && status == 3, "{out}");
    assert!(err.contains("with the states elsewhere, models have one initial state"), "{err}");
    // A colored net is searched as its unfolding.
    let colours = fs::read_dir(model("coloured")).unwrap().map(|entry| entry.unwrap().path());
    for path in colours.filter(|path| path.extension().is_some_and(|end| end == "pnml")) {
        let disk = folder.path().join(path.file_name().unwrap());
        let ask = |more: &[&str]| run(starset().arg("check").arg(&path).args(["-q", "-f", "EF deadlock"]).args(more));
        let (plain, found) = (ask(&[]), ask(&["--disk", disk.to_str().unwrap()]));
        assert_eq!((&plain.0, plain.2), (&found.0, found.2), "{}: {}", path.display(), found.1);
    }
}
