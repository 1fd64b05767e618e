//! `--paths finite`: formulas about runs that end, against the definition of each operator on all runs of small nets that
//! always come to an end; both engines, verdicts and sets.

use super::{run, starset};
use assert_cmd::Command;
use serde_json::Value;
use starset::rng::Rng;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Places; each firing moves a token to a later place or takes it away.
const PLACES: usize = 3;
type Marking = [u32; PLACES];

/// Transitions: from a place to another, or out of the net.
struct Net(Vec<(usize, Option<usize>)>);

impl Net {
    fn random(rng: &mut Rng) -> Net {
        let transition = |rng: &mut Rng| {
            let from = rng.below(PLACES);
            (from, (from + 1..PLACES).nth(rng.below(PLACES)))
        };
        Net((0..2 + rng.below(2)).map(|_| transition(rng)).collect())
    }

    fn pnml(&self, initial: Marking) -> String {
        let mut text = String::from(
            "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" \
             type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">",
        );
        for (place, tokens) in initial.iter().enumerate() {
            let _ =
                write!(text, "<place id=\"p{place}\"><initialMarking><text>{tokens}</text></initialMarking></place>");
        }
        for (number, (from, to)) in self.0.iter().enumerate() {
            let _ = write!(
                text,
                "<transition id=\"t{number}\"/><arc id=\"i{number}\" source=\"p{from}\" target=\"t{number}\"/>"
            );
            if let Some(to) = to {
                let _ = write!(text, "<arc id=\"o{number}\" source=\"t{number}\" target=\"p{to}\"/>");
            }
        }
        text.push_str("</page></net></pnml>");
        text
    }

    /// The same as a B machine, with many initial states.
    fn machine(&self, initial: &[[u32; 2]; PLACES]) -> String {
        let places: Vec<String> = (0..PLACES).map(|place| format!("p{place}")).collect();
        let ranges: Vec<String> = places.iter().map(|place| format!("{place} : 0..9")).collect();
        let first = places.iter().zip(initial).map(|(place, [least, most])| format!("{place} :: {least}..{most}"));
        let first: Vec<String> = first.collect();
        let operation = |(number, (from, to)): (usize, &(usize, Option<usize>))| {
            let put = to.map_or(String::new(), |to| format!(" || p{to} := p{to} + 1"));
            format!("  t{number} = PRE p{from} > 0 THEN p{from} := p{from} - 1{put} END")
        };
        let operations: Vec<String> = self.0.iter().enumerate().map(operation).collect();
        format!(
            "MACHINE m\nVARIABLES {}\nINVARIANT {}\nINITIALISATION {}\nOPERATIONS\n{}\nEND\n",
            places.join(", "),
            ranges.join(" & "),
            first.join(" || "),
            operations.join(";\n")
        )
    }

    fn steps(&self, marking: Marking) -> Vec<Marking> {
        let enabled = self.0.iter().filter(|(from, _)| marking[*from] > 0);
        let fired = enabled.map(|&(from, to)| {
            let mut next = marking;
            next[from] -= 1;
            if let Some(to) = to {
                next[to] += 1;
            }
            next
        });
        fired.collect()
    }

    /// All runs from a marking that end where one may.
    fn runs(&self, from: Marking, may_end: &dyn Fn(&Net, &Marking) -> bool) -> Vec<Vec<Marking>> {
        let mut all = Vec::new();
        let mut open = vec![vec![from]];
        while let Some(run) = open.pop() {
            let last = run[run.len() - 1];
            if may_end(self, &last) {
                all.push(run.clone());
            }
            for next in self.steps(last) {
                open.push(run.iter().copied().chain([next]).collect());
            }
        }
        all
    }

    fn reachable(&self, from: Marking) -> BTreeSet<Marking> {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(marking) = open.pop() {
            open.extend(self.steps(marking).into_iter().filter(|&next| seen.insert(next)));
        }
        seen
    }
}

/// A path formula.
enum Tree {
    Atom(usize, u32),
    Not(Box<Tree>),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn random(rng: &mut Rng, size: u32) -> Tree {
        if size == 0 {
            return Tree::Atom(rng.below(PLACES), rng.below(2) as u32 + 1);
        }
        let size = size - 1;
        match rng.below(5) {
            0 => Tree::Not(Box::new(Tree::random(rng, size))),
            1 | 2 => Tree::Unary(["X", "N", "F", "G"][rng.below(4)], Box::new(Tree::random(rng, size))),
            _ => {
                let operator = ["&", "|", "->", "U", "R", "W", "M"][rng.below(7)];
                Tree::Binary(operator, Box::new(Tree::random(rng, size)), Box::new(Tree::random(rng, size)))
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Tree::Atom(place, least) => format!("#p{place} >= {least}"),
            Tree::Not(a) => format!("!({})", a.text()),
            Tree::Unary(operator, a) => format!("{operator} ({})", a.text()),
            Tree::Binary(operator, a, b) => format!("({}) {operator} ({})", a.text(), b.text()),
        }
    }

    fn holds(&self, run: &[Marking], at: usize) -> bool {
        let end = run.len();
        match self {
            Tree::Atom(place, least) => run[at][*place] >= *least,
            Tree::Not(a) => !a.holds(run, at),
            Tree::Unary(operator, a) => match *operator {
                "X" => at + 1 < end && a.holds(run, at + 1),
                "N" => at + 1 == end || a.holds(run, at + 1),
                "F" => (at..end).any(|j| a.holds(run, j)),
                _ => (at..end).all(|j| a.holds(run, j)),
            },
            Tree::Binary(operator, a, b) => {
                let (left, right) = (|j: usize| a.holds(run, j), |j: usize| b.holds(run, j));
                match *operator {
                    "&" => left(at) && right(at),
                    "|" => left(at) || right(at),
                    "->" => !left(at) || right(at),
                    "U" => (at..end).any(|j| right(j) && (at..j).all(left)),
                    "R" => (at..end).all(|j| right(j) || (at..j).any(left)),
                    "W" => (at..end).all(left) || (at..end).any(|j| right(j) && (at..j).all(left)),
                    _ => (at..end).any(|j| left(j) && (at..=j).all(right)),
                }
            }
        }
    }
}

/// The answers to formulas about runs that end in a deadlock, or `anywhere` that few tokens are on the first place.
fn answers(program: &mut Command, anywhere: bool, formulas: &[String]) -> Vec<Value> {
    if anywhere {
        program.args(["--final", "#p0 <= 1"]);
    }
    program.args(formulas.iter().flat_map(|formula| ["-f", formula]));
    let (out, err, _) = run(program);
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), formulas.len(), "{err}");
    answers
}

/// `STARSET_CASES` nets, 12 if that is not set, with eight formulas each.
#[test]
fn formulas_about_finite_runs() {
    let cases = std::env::var("STARSET_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(12);
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(5);
    let (mut seen, mut shown) = ([0; 2], 0);
    for case in 0..cases {
        let net = Net::random(&mut rng);
        let initial: Marking = [2, rng.below(2) as u32, 0];
        let path = folder.path().join("net.pnml");
        std::fs::write(&path, net.pnml(initial)).unwrap();
        // In deadlocks, or where the first place has at most one token.
        let anywhere = case % 2 == 1;
        let may_end = |net: &Net, marking: &Marking| {
            if anywhere { marking[0] <= 1 } else { net.steps(*marking).is_empty() }
        };
        let trees: Vec<(bool, Tree)> = (0..8).map(|_| (rng.below(2) == 0, Tree::random(&mut rng, 3))).collect();
        let formulas =
            trees.iter().map(|(exists, tree)| format!("{} ({})", if *exists { "E" } else { "A" }, tree.text()));
        let formulas: Vec<String> = formulas.collect();
        let holds = |marking: Marking, (exists, tree): &(bool, Tree)| {
            let runs = net.runs(marking, &may_end);
            if *exists { runs.iter().any(|run| tree.holds(run, 0)) } else { runs.iter().all(|run| tree.holds(run, 0)) }
        };
        let reachable = net.reachable(initial);
        for command in [
            &["check", "--engine", "symbolic"] as &[&str],
            &["check", "--engine", "explicit", "--shortest"],
            &["satset"],
        ] {
            let mut program = starset();
            program.arg(command[0]).arg(&path).args(&command[1..]).args(["--json", "--paths", "finite"]);
            let answers = answers(&mut program, anywhere, &formulas);
            for ((answer, tree), formula) in answers.iter().zip(&trees).zip(&formulas) {
                let verdict = holds(initial, tree);
                assert_eq!(answer["verdict"], verdict, "{command:?} {formula} on {}", net.pnml(initial));
                assert_eq!(answer["paths"], "finite");
                seen[usize::from(verdict)] += 1;
                if command.contains(&"--shortest") && verdict == tree.0 {
                    // The run is one of the shortest that show it, and says so.
                    let runs = net.runs(initial, &may_end);
                    let steps =
                        runs.iter().filter(|run| tree.1.holds(run, 0) == verdict).map(|run| run.len() - 1).min();
                    let run = &answer["witness"]["runs"][0];
                    let found = run["labels"].as_array().map(Vec::len);
                    assert_eq!(found, steps, "{formula} on {}", net.pnml(initial));
                    assert_eq!(run["shortest"], true, "{formula} on {}", net.pnml(initial));
                    shown += usize::from(found > Some(0));
                }
                if command[0] == "satset" {
                    let satisfying = reachable.iter().filter(|&&marking| holds(marking, tree)).count();
                    assert_eq!(answer["satisfying"], satisfying.to_string(), "{formula} on {}", net.pnml(initial));
                }
            }
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0 && shown > 0, "{seen:?}, {shown} runs of a step or more");
}

/// Of several initial states a formula holds in all: `STARSET_CASES` machines, 12 if that is not set, with eight formulas each.
#[test]
fn all_initial_states_count() {
    let cases = std::env::var("STARSET_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(12);
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(7);
    let (mut seen, mut differ) = ([0; 2], 0);
    for case in 0..cases {
        let net = Net::random(&mut rng);
        let range = |rng: &mut Rng| {
            let least = rng.below(2) as u32;
            [least, least + rng.below(2) as u32]
        };
        let initial: [[u32; 2]; PLACES] = [[0, 1 + rng.below(2) as u32], range(&mut rng), [0, 0]];
        let mut all: Vec<Marking> = vec![[0; PLACES]];
        for (place, [least, most]) in initial.iter().enumerate() {
            let more = |marking: &Marking| {
                let marking = *marking;
                (*least..=*most).map(move |value| {
                    let mut next = marking;
                    next[place] = value;
                    next
                })
            };
            all = all.iter().flat_map(more).collect();
        }
        let path = folder.path().join("m.mch");
        std::fs::write(&path, net.machine(&initial)).unwrap();
        let anywhere = case % 2 == 1;
        let may_end = |net: &Net, marking: &Marking| {
            if anywhere { marking[0] <= 1 } else { net.steps(*marking).is_empty() }
        };
        let trees: Vec<(bool, Tree)> = (0..8).map(|_| (rng.below(2) == 0, Tree::random(&mut rng, 3))).collect();
        let quantifier = |exists: bool| if exists { "E" } else { "A" };
        let formulas = trees.iter().map(|(exists, tree)| format!("{} ({})", quantifier(*exists), tree.text()));
        let formulas: Vec<String> = formulas.collect();
        let holds = |marking: Marking, (exists, tree): &(bool, Tree)| {
            let runs = net.runs(marking, &may_end);
            if *exists { runs.iter().any(|run| tree.holds(run, 0)) } else { runs.iter().all(|run| tree.holds(run, 0)) }
        };
        for engine in ["symbolic", "explicit", "auto"] {
            let mut program = starset();
            program.arg("check").arg(&path).args(["--engine", engine, "--json", "--paths", "finite", "--witness"]);
            let answers = answers(&mut program, anywhere, &formulas);
            for ((answer, tree), formula) in answers.iter().zip(&trees).zip(&formulas) {
                let each: Vec<bool> = all.iter().map(|&marking| holds(marking, tree)).collect();
                let verdict = each.iter().all(|&holds| holds);
                differ += usize::from(each.iter().any(|&holds| holds) != verdict);
                seen[usize::from(verdict)] += 1;
                assert_eq!(answer["verdict"], verdict, "{engine} {formula} on {}", net.machine(&initial));
                let exists = all.iter().all(|&marking| !net.runs(marking, &may_end).is_empty());
                assert_eq!(answer["finite_run"], exists, "{formula} on {}", net.machine(&initial));
            }
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0 && differ > 0, "{seen:?}, {differ} where initial states differ");
}

/// A finite run is shown as one: as far as it goes, and no further.
#[test]
fn runs_are_shown_to_their_end() {
    let model = super::model("philo-5.pnml");
    let witness = |arguments: &[&str], engine: &str| {
        let mut command = starset();
        command.arg("check").arg(&model).args(["--paths", "finite", "--witness", "--engine", engine]).args(arguments);
        run(&mut command)
    };
    for (arguments, head, end) in [
        (&["-f", "G #Fork_0 = 1"] as &[&str], "violates G #Fork_0 = 1 (", "-- deadlock: the run ends here\n"),
        (&["-f", "E F #Eat_0 = 1", "--final", "#Eat_0 = 1"], "shows E F #Eat_0 = 1 (", "-- the run ends here\n"),
        (
            &["-f", "E #Fork_0 = 1", "--final", "true"],
            "shows E #Fork_0 = 1 (0 steps, shortest, finite",
            "-- the run ends here\n",
        ),
    ] {
        for engine in ["auto", "explicit"] {
            let (out, err, status) = witness(arguments, engine);
            assert!(status == 0 && out.contains(head) && out.ends_with(end), "{engine}: {out}{err}");
            assert!(out.contains("finite runs") && !out.contains("for ever") && !out.contains("stutter"), "{out}");
        }
    }
    let (out, _, _) = witness(&["-f", "E F (#Eat_0 = 1 & F #Eat_1 = 1)", "--final", "#Eat_1 = 1", "--json"], "auto");
    let answer: Value = serde_json::from_str(&out).unwrap();
    let run = &answer["witness"]["runs"][0];
    assert_eq!((&run["end"], &answer["paths"]), (&Value::from("final"), &Value::from("finite")), "{out}");
    let states = run["states"].as_array().unwrap();
    assert_eq!(states.last().unwrap()["marking"]["Eat_1"], "1");
    assert_eq!(states.len(), run["labels"].as_array().unwrap().len() + 1);
}

/// Where nothing is said, that is said.
#[test]
fn the_absence_of_finite_runs_is_told() {
    let model = super::model("kanban-3.pnml");
    let mut command = starset();
    command.arg("check").arg(&model).args(["--paths", "finite", "-f", "A false", "-f", "E true"]);
    let (out, err, status) = run(&mut command);
    assert_eq!((out.as_str(), status), ("1: true\n2: false\n", 0), "{err}");
    assert!(err.contains("1: no run from the initial marking ends in a deadlock: there E is false"), "{err}");
    command.args(["--final", "true"]);
    let (out, err, _) = run(&mut command);
    assert_eq!(out, "1: false\n2: true\n");
    assert!(!err.contains("no run"), "{err}");
}

/// Formulas in files, with the weak next and the templates of Declare, which speak of steps by their names.
#[test]
fn files_and_templates() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("formulas.txt");
    let lines = "last: F (deadlock & N false)\nlet hungry = #Think_0 = 0\nnever: absence(hungry)\n\
                 eats: Response(FF2a_0, End_0)\nend: end(FF2a_0)\nfirst: init(#Think_0 = 1)\n";
    std::fs::write(&path, lines).unwrap();
    let mut command = starset();
    command.arg("check").arg(super::model("philo-5.pnml")).arg("-x").arg(&path).args(["--paths", "finite"]);
    let (out, err, status) = run(&mut command);
    assert_eq!((out.as_str(), status), ("last: true\nnever: false\neats: true\nend: false\nfirst: true\n", 0), "{err}");
    for (formula, part) in [
        ("response(FF2a_0)", "`response(a, b)` has 2 in brackets, not 1"),
        ("existence(FF2a_0, End_0)", "`existence(a)` has 1 in brackets, not 2"),
        ("response(FF2a_0, Eat_0)", "`Eat_0` is a place, not a formula"),
        ("respons(FF2a_0, End_0)", "column 1"),
    ] {
        let mut command = starset();
        command.arg("check").arg(super::model("philo-5.pnml")).args(["--paths", "finite", "-f", formula]);
        let (_, err, status) = run(&mut command);
        assert!(status == 2 && err.contains(part), "{formula}: {err}");
    }
}

/// Formulas of which parts occur often are no larger for that; where an automaton is too large, the limit counts.
#[test]
fn limits_hold_for_automata_of_formulas() {
    let nested = (0..40).fold("#Fork_0 = 1".to_owned(), |inner, _| format!("(#Fork_1 = 1 <-> X {inner})"));
    // Each part is promised for a moment of its own.
    let parts: Vec<String> =
        (0..5).map(|k| format!("F (#Eat_{k} = 1 & X X X X #Eat_{k} = 1 & X X X X X X F #Fork_{k} = 0)")).collect();
    let large = format!("({}) & ({})", parts.join(" & "), parts.join(" | ").replace("F (", "G ("));
    for formula in [nested, large] {
        let begin = std::time::Instant::now();
        let mut command = starset();
        command.arg("check").arg(super::model("philo-5.pnml"));
        command.args(["--paths", "finite", "--time", "2", "-f", &format!("E ({formula})")]);
        let (out, err, _) = run(&mut command);
        assert!(out.starts_with("1: "), "{out}{err}");
        assert!(begin.elapsed().as_secs() < 20, "{:?}: {out}", begin.elapsed());
    }
}

#[test]
fn what_is_not_asked_of_finite_runs() {
    let model = super::model("philo-5.pnml");
    for (arguments, part) in [
        (&["--paths", "finite", "-f", "AG EF #Fork_0 = 1"] as &[&str], "inside of others"),
        (&["--paths", "finite", "--final", "EF #Fork_0 = 1", "-f", "F deadlock"], "where runs end is a condition"),
        (&["--paths", "finite", "-f", "EF #Fork_0 = 1 & EF #Fork_1 = 1"], "one path quantifier in front"),
        (&["--paths", "finite", "--final", "F #Fork_0 = 1", "-f", "F #Fork_0 = 1"], "where runs end is a condition"),
        (&["--paths", "finite", "--justice", "#Fork_0 = 1", "-f", "F #Fork_0 = 1"], "no fairness"),
        (&["--final", "#Fork_0 = 1", "-f", "F #Fork_0 = 1"], "--paths finite"),
    ] {
        let (_, err, status) = run(starset().arg("check").arg(&model).args(arguments));
        assert_eq!(status, 2, "{arguments:?}: {err}");
        assert!(err.contains(part), "{err}");
    }
    let mut command = starset();
    command.arg("check").arg(super::model("locker.mch")).args(["--paths", "finite", "--invariant"]);
    let (_, err, status) = run(&mut command);
    assert!(status == 2 && err.contains("leave out --paths finite"), "{err}");
    let mut command = starset();
    command.arg("cross").arg(&model).args(["--paths", "finite", "-f", "F deadlock"]);
    let (_, err, status) = run(&mut command);
    assert!(status == 2 && err.contains("whole paths"), "{err}");
    let mut command = starset();
    command.arg("check").arg(super::model("claim.pnwc")).args(["--paths", "finite", "-f", "F deadlock"]);
    let (_, err, status) = run(&mut command);
    assert!(status == 2 && err.contains("in which time passes"), "{err}");
}
