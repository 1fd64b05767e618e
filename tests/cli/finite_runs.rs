//! `--paths finite`: formulas about runs that end, against the definition of each operator on all runs of small nets that
//! always come to an end; both engines, verdicts and sets.

use super::{run, starset};
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

/// `STARSET_CASES` nets, 12 if that is not set, with eight formulas each.
#[test]
fn formulas_about_finite_runs() {
    let cases = std::env::var("STARSET_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(12);
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(5);
    let mut seen = [0; 2];
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
        for command in [&["check", "--engine", "symbolic"] as &[&str], &["check", "--engine", "explicit"], &["satset"]]
        {
            let mut program = starset();
            program.arg(command[0]).arg(&path).args(&command[1..]).args(["--json", "--paths", "finite"]);
            if anywhere {
                program.args(["--final", "#p0 <= 1"]);
            }
            formulas.iter().for_each(|formula| {
                program.args(["-f", formula]);
            });
            let (out, err, _) = run(&mut program);
            let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(answers.len(), trees.len(), "{err}");
            for ((answer, tree), formula) in answers.iter().zip(&trees).zip(&formulas) {
                let verdict = holds(initial, tree);
                assert_eq!(answer["verdict"], verdict, "{command:?} {formula} on {}", net.pnml(initial));
                assert_eq!(answer["paths"], "finite");
                seen[usize::from(verdict)] += 1;
                if command[0] == "satset" {
                    let satisfying = reachable.iter().filter(|&&marking| holds(marking, tree)).count();
                    assert_eq!(answer["satisfying"], satisfying.to_string(), "{formula} on {}", net.pnml(initial));
                }
            }
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

/// The run that refutes a formula is shown.
#[test]
fn a_run_is_shown() {
    for engine in ["auto", "explicit", "symbolic"] {
        let mut command = starset();
        command.arg("check").arg(super::model("philo-5.pnml"));
        command.args(["--paths", "finite", "-f", "G #Fork_0 = 1", "--witness", "--engine", engine]);
        let (out, err, status) = run(&mut command);
        assert!(out.starts_with("1: false") && status == 0, "{engine}: {out}{err}");
    }
}

#[test]
fn what_is_not_asked_of_finite_runs() {
    let model = super::model("philo-5.pnml");
    for (arguments, part) in [
        (&["--paths", "finite", "-f", "AG EF #Fork_0 = 1"] as &[&str], "path quantifiers inside of others"),
        (&["--paths", "finite", "-f", "EF #Fork_0 = 1 & EF #Fork_1 = 1"], "one path quantifier in front"),
        (&["--paths", "finite", "--final", "F #Fork_0 = 1", "-f", "F #Fork_0 = 1"], "--final is a condition"),
        (&["--paths", "finite", "--justice", "#Fork_0 = 1", "-f", "F #Fork_0 = 1"], "no fairness"),
        (&["--final", "#Fork_0 = 1", "-f", "F #Fork_0 = 1"], "--paths finite"),
    ] {
        let (_, err, status) = run(starset().arg("check").arg(&model).args(arguments));
        assert_eq!(status, 2, "{arguments:?}: {err}");
        assert!(err.contains(part), "{err}");
    }
    let mut command = starset();
    command.arg("check").arg(super::model("claim.pnwc")).args(["--paths", "finite", "-f", "F deadlock"]);
    let (_, err, status) = run(&mut command);
    assert!(status == 2 && err.contains("in which time passes"), "{err}");
}
