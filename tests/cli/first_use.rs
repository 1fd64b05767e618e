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
