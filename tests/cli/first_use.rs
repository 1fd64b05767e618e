//! What a user meets first: other spellings, files of formulas, odd examinations.

use super::{model, run, starset};
use std::fs;

#[test]
fn files_with_a_formula_on_each_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formulas.txt");
    fs::write(&file, "# what to ask\nsafe: AG #Eat_0 <= 1\n#7: EF deadlock\nEF #Eat_0 = 1\nbad: EF #Nowhere > 0\n")
        .unwrap();
    let (out, err, status) = run(starset().arg("check").arg(model("philo-5.pnml")).arg("-x").arg(&file));
    assert_eq!((out.as_str(), status), ("safe: true\n7: true\n3: true\nbad: unknown\n", 3), "{err}");
    assert!(err.contains("formulas.txt:5:10: unknown place `Nowhere`"), "{err}");
    let (out, _, status) =
        run(starset().arg("check").arg(model("philo-5.pnml")).arg("-x").arg(&file).args(["--id", "safe"]));
    assert_eq!((out.as_str(), status), ("safe: true\n", 0));
}

#[test]
fn how_a_formula_is_read_is_said() {
    let philo = model("philo-5.pnml");
    let (out, err, status) = run(starset().arg("check").arg(&philo).args(["-v", "-f", "EF #Eat_0 = 1 & #Eat_1 = 1"]));
    assert_eq!((out.as_str(), status), ("1: false\n", 0));
    assert!(err.contains("formula 1, column 15: `E` on the left covers `EF #Eat_0 = 1` only"), "{err}");
    assert!(err.contains("1: read as (E F (#Eat_0 = 1)) & #Eat_1 = 1"), "{err}");
    for clear in ["EF (#Eat_0 = 1 & #Eat_1 = 1)", "(EF #Eat_0 = 1) & #Eat_1 = 1", "EF #Eat_0 = 1 & EF #Eat_1 = 1"] {
        let (_, err, _) = run(starset().arg("check").arg(&philo).args(["-f", clear]));
        assert!(!err.contains("on the left covers"), "{clear}: {err}");
    }
}

#[test]
fn other_spellings_are_answered_with_ours() {
    for (formula, hint) in [
        ("EF dedlock", "did you mean `deadlock`?"),
        ("EF Deadlock", "did you mean `deadlock`?"),
        ("EF fireable(Eat_0)", "is written `enabled(t)`"),
        ("EF M(Eat_0) = 1", "is written `#p`"),
        ("AG #Eat_0 =< 1", "`=<` is written `<=`"),
        ("AG Eat_0", "write `#Eat_0 > 0`"),
        ("EFdeadlock", "write a blank between the operators and `deadlock`"),
        ("AG EFEat_0", "write a blank between the operators and `Eat_0`"),
    ] {
        let (out, err, status) = run(starset().arg("check").arg(model("philo-5.pnml")).args(["-f", formula]));
        assert_eq!((out.as_str(), status), ("", 2), "{formula}");
        assert!(err.contains(hint), "{formula}: {err}");
    }
}

#[test]
fn the_syntax_of_formulas_is_one_screen() {
    for arguments in [&["formulas"][..], &["help", "formulas"]] {
        let (out, _, status) = run(starset().args(arguments));
        assert_eq!(status, 0);
        assert!(out.contains("EF AG EX AF") && out.lines().count() <= 50, "{}", out.lines().count());
    }
}

#[test]
fn examinations_that_are_not_known() {
    let mut command = starset();
    command.arg("mcc").arg(".").env("BK_EXAMINATION", "GlobalProperties");
    let (out, err, status) = run(&mut command);
    assert_eq!((out.as_str(), status), ("DO_NOT_COMPETE\n", 0));
    assert!(err.contains("`GlobalProperties` is no examination"), "{err}");
    let (out, _, status) = run(starset().args(["mcc", ".", "--examination", "GlobalProperties"]));
    assert_eq!((out.as_str(), status), ("", 2));
    let (out, err, status) = run(starset().arg("mcc").arg(".").env_remove("BK_EXAMINATION"));
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.contains("which examination?"), "{err}");
}

#[test]
fn numbers_and_files_are_refused_in_words() {
    let philo = model("philo-5.pnml");
    for (option, value, why) in [
        ("--threads", "0", "invalid value '0' for '--threads <N>': expected a number from 1 on"),
        ("--threads", "99999999999999999999999", "the number is too large"),
        ("--threads", "two", "expected a whole number"),
    ] {
        let (_, err, status) = run(starset().arg("states").arg(&philo).args([option, value]));
        assert!(status == 2 && err.contains(why), "{value}: {err}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("binary.smv"), [0x4D, 0xFF, 0xFE, 0]).unwrap();
    fs::create_dir(file("folder.smv")).unwrap();
    fs::write(file("bad.tgz"), [0x7F; 2_000]).unwrap();
    for (name, why) in [
        ("binary.smv", "cannot be read: it is no text in UTF-8"),
        ("folder.smv", "cannot be read: it is a folder"),
        ("bad.tgz", "it is no archive"),
    ] {
        let (_, err, status) = run(starset().arg("states").arg(file(name)));
        assert!(status == 2 && err.contains(why), "{name}: {err}");
    }
}

#[test]
fn what_a_kind_does_not_have_is_refused() {
    for (name, arguments, why) in [
        ("philo-5.pnml", ["--update", "synchronous"], "a net has no updates; logical networks have"),
        ("turns.dve", ["--update", "mixed"], "a DVE model has no updates"),
        ("philo-5.pnml", ["--fix", "x=1"], "a net has no variables to be fixed"),
        ("philo-5.pnml", ["--env", "closed"], "a net has no messages from outside; processes have"),
        ("turns.dve", ["--channel", "2"], "a DVE model has no messages from outside"),
    ] {
        let (_, err, status) = run(starset().arg("states").arg(model(name)).args(arguments));
        assert!(status == 2 && err.contains(why), "{name}: {err}");
    }
}

#[test]
fn properties_of_programs_are_picked_and_placed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.smv");
    fs::write(
        &file,
        "MODULE main\nVAR m : boolean;\nCTLSPEC EF m\nLTLSPEC NAME never := G !m\nINVARSPEC NAME low := !m\n",
    )
    .unwrap();
    let check = |arguments: &[&str]| run(starset().arg("check").arg(&file).args(arguments));
    let (out, err, _) = check(&["--id", "low", "--id", "1"]);
    assert_eq!(out, "1: true\nlow: false\n", "{err}");
    let (_, err, status) = check(&["--id", "nosuch"]);
    assert!(status == 2 && err.contains("the model asks nothing that is called `nosuch`"), "{err}");
    for text in ["CTLSPEC AG EF mm", "CTLSPEC AG ("] {
        let (_, err, status) = check(&["-f", text]);
        assert!(status == 2 && err.contains("starset: formula:1:"), "{err}");
    }
}
