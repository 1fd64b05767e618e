//! Certificates as users make and check them.

use super::{run, starset};
use std::fs;
use std::path::Path;

const PHILO: &str = "models/philo-5.pnml";

fn checked(model: &str, certificate: &Path) -> Result<String, String> {
    let (model, certificate) = (fs::read_to_string(model).unwrap(), fs::read_to_string(certificate).unwrap());
    let checked = starset_checker::with_stack(|| starset_checker::check(&model, &certificate)).unwrap();
    checked.map(|proved| proved.to_string()).map_err(|refused| refused.to_string())
}

#[test]
fn formulas_are_certified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let formulas =
        ["-f", "AG EF #Eat_0 = 1", "-f", "A G (#Eat_0 = 1 -> F #Eat_0 = 0)", "-f", "AG (#Eat_0 + #Eat_1 <= 1)"];
    let (out, _, status) = run(starset().args(["certify", PHILO, "--folder", path]).args(formulas));
    let words: Vec<&str> = out.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!((words, status), (vec!["1: false", "2: false", "3: true"], 0), "{out}");
    assert!(checked(PHILO, &folder.path().join("1.cert")).unwrap().starts_with("false (maximal paths): A (G E"));
    assert!(checked(PHILO, &folder.path().join("3.cert")).unwrap().starts_with("true"));
    // Another net is another matter.
    let refused = checked("models/phils-5.pnml", &folder.path().join("1.cert")).unwrap_err();
    assert!(refused.contains("another model"), "{refused}");
}

/// Equal questions have one certificate, in a file each; the opposite question has another.
#[test]
fn equal_questions_have_one_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let asked = ["AG EF #Eat_0 = 1", "EF deadlock", "AG EF #Eat_0 = 1", "!AG EF #Eat_0 = 1", "EF deadlock"];
    let asked = asked.iter().flat_map(|formula| ["-f", formula]);
    let (out, _, status) = run(starset().args(["certify", PHILO, "--folder", path]).args(asked));
    let words: Vec<&str> = out.lines().map(|line| line.split(" in ").next().unwrap()).collect();
    let verdicts = ["false", "true", "false", "true", "true"];
    let expected: Vec<String> =
        (1..).zip(verdicts).map(|(id, verdict)| format!("{id}: {verdict}, certified")).collect();
    assert_eq!((words, status), (expected.iter().map(String::as_str).collect(), 0), "{out}");
    let text = |id: usize| fs::read_to_string(folder.path().join(format!("{id}.cert"))).unwrap();
    assert_eq!((text(1), text(2)), (text(3), text(5)));
    assert_ne!(text(1), text(4));
    (1..=5).for_each(|id| assert!(checked(PHILO, &folder.path().join(format!("{id}.cert"))).is_ok()));
}

#[test]
fn check_writes_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pipe.cert");
    let formula = ["-f", "AG (receiver = 6 -> AG receiver = 6)", "--certificate", file.to_str().unwrap()];
    let (out, error, status) = run(starset().args(["check", "models/pipe.dot"]).args(formula));
    assert_eq!((out.as_str(), status), ("1: true\n", 0), "{error}");
    assert!(checked("models/pipe.dot", &file).unwrap().starts_with("true (maximal paths)"));
    // What has no certificate says so.
    let formula = ["-f", "EF #Eat_0 * #Eat_1 = 1", "--certificate", file.to_str().unwrap()];
    let (out, error, status) = run(starset().args(["check", PHILO]).args(formula));
    assert_eq!((out.as_str(), status), ("1: false\n", 3));
    assert!(error.contains("a product of numbers of tokens cannot be certified"), "{error}");
    let formula = ["-f", "G (#Eat_0 = 1 -> O #Think_0 = 1)", "--certificate", file.to_str().unwrap()];
    let (out, error, status) = run(starset().args(["check", PHILO]).args(formula));
    assert_eq!((out.as_str(), status), ("1: true\n", 3));
    assert!(error.contains("a formula about the past cannot be certified"), "{error}");
}

#[test]
fn other_forms_of_nets_are_certified_in_pnml() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (tina, into) = (path("philo.net"), path("certificates"));
    assert_eq!(run(starset().args(["convert", PHILO, &tina])).2, 0);
    let (out, error, status) = run(starset().args(["certify", &tina, "--folder", &into, "-f", "AG EF #Eat_0 = 1"]));
    assert!(status == 0 && error.contains("philo.flat.pnml: the net in PNML"), "{out}{error}");
    assert!(checked(&path("certificates/philo.flat.pnml"), Path::new(&path("certificates/1.cert"))).is_ok());
    // Of a coloured net it is the unfolding, where a place stands for the sum of those that it is.
    let coloured = "models/coloured/philo-5.pnml";
    let formulas = ["-f", "AG (#Eat + #Think <= 5)", "-f", "EF deadlock"];
    let (out, error, status) = run(starset().args(["certify", coloured, "--folder", &into]).args(formulas));
    assert!(status == 0 && error.contains("philo-5.flat.pnml"), "{out}{error}");
    for id in 1..=2 {
        let certificate = path(&format!("certificates/{id}.cert"));
        assert!(checked(&path("certificates/philo-5.flat.pnml"), Path::new(&certificate)).is_ok());
    }
    // So the contest's answers about it have certificates.
    fs::copy(coloured, folder.path().join("model.pnml")).unwrap();
    let ask = ["mcc", folder.path().to_str().unwrap(), "--certify", "--certificates", &into, "--examination"];
    let (out, error, status) = run(starset().args(ask).arg("ReachabilityDeadlock"));
    assert!(status == 0 && out.contains("FALSE"), "{out}{error}");
    let certificate = path("certificates/ReachabilityDeadlock.cert");
    assert!(checked(&path("certificates/model.flat.pnml"), Path::new(&certificate)).is_ok());
}

#[test]
fn the_contest_gets_certified_answers_only() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(PHILO, folder.path().join("model.pnml")).unwrap();
    let instance = folder.path().to_str().unwrap();
    let ask = |examination| run(starset().args(["mcc", instance, "--certify", "--examination", examination]));
    // The folder is made; where it cannot be, that is said before anything else.
    let (into, wrong) = (folder.path().join("new/folder"), folder.path().join("model.pnml/folder"));
    let write = ["mcc", instance, "--certify", "--examination", "OneSafe", "--certificates"];
    let (_, error, status) = run(starset().args(write).arg(&into));
    assert!(status == 0 && into.join("OneSafe.cert").is_file(), "{error}");
    let (out, error, status) = run(starset().args(write).arg(&wrong));
    assert!(status == 2 && out.is_empty() && error.contains("model.pnml"), "{out}{error}");
    let (out, error, status) = ask("Liveness");
    assert!(out.starts_with("FORMULA Liveness FALSE TECHNIQUES ") && out.ends_with(" CERTIFIED\n"), "{out}{error}");
    assert_eq!(status, 0);
    let (out, _, status) = ask("StateSpace");
    assert!(out.starts_with("CANNOT_COMPUTE\n"), "{out}");
    assert_eq!(status, 3);
    let batch = ["batch", instance, "--examinations", "OneSafe,QuasiLiveness", "--certify", "--results"];
    let (out, error, _) = run(starset().args(batch).arg(folder.path().join("results.jsonl")));
    assert!(out.lines().next().unwrap().ends_with("certified") && out.ends_with(" 2\n"), "{out}{error}");
}
