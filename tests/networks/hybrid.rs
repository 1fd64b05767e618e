//! Formulas that give names to states, against an evaluation state by state.

use super::graph::{Graph, Network};
use crate::cli::{run, starset};
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::logical::{Form, Logical, Update};
use starset::rng::Rng;
use starset::{Error, Model};
use std::collections::BTreeSet;
use std::fmt;

const NAMES: [&str; 2] = ["x", "y"];

/// A formula; names by number.
enum Formula {
    Variable(usize),
    Named(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Finally(Box<Formula>),
    Globally(Box<Formula>),
    Quantified(char, usize, Box<Formula>),
}

impl Formula {
    fn random(rng: &mut Rng, variables: usize, depth: usize, bound: &[usize]) -> Formula {
        let next = |rng: &mut Rng| Box::new(Formula::random(rng, variables, depth.saturating_sub(1), bound));
        match (depth, rng.below(12)) {
            (0, _) | (_, 0) if !bound.is_empty() && rng.below(3) > 0 => Formula::Named(bound[rng.below(bound.len())]),
            (0, _) | (_, 0) => Formula::Variable(rng.below(variables)),
            (_, 1) => Formula::Not(next(rng)),
            (_, 2..=3) => Formula::And(next(rng), next(rng)),
            (_, 4) => Formula::Next(next(rng)),
            (_, 5..=6) => Formula::Finally(next(rng)),
            (_, 7) => Formula::Globally(next(rng)),
            (_, 8) if !bound.is_empty() => Formula::Quantified('@', bound[rng.below(bound.len())], next(rng)),
            (_, sign) => {
                let name = rng.below(NAMES.len());
                let inside = Box::new(Formula::random(rng, variables, depth - 1, &[bound, &[name]].concat()));
                Formula::Quantified(['!', '3', 'V', '!'][sign % 4], name, inside)
            }
        }
    }

    /// Does it hold in a state, where names stand for these states?
    fn holds(&self, graph: &Graph, reached: &[BTreeSet<usize>], state: usize, named: &[usize]) -> bool {
        let holds = |formula: &Formula, state| formula.holds(graph, reached, state, named);
        match self {
            Formula::Variable(variable) => state >> variable & 1 == 1,
            Formula::Named(name) => named[*name] == state,
            Formula::Not(a) => !holds(a, state),
            Formula::And(a, b) => holds(a, state) && holds(b, state),
            // A state without successors stutters.
            Formula::Next(a) if graph.successors[state].is_empty() => holds(a, state),
            Formula::Next(a) => graph.successors[state].iter().any(|&next| holds(a, next)),
            Formula::Finally(a) => reached[state].iter().any(|&next| holds(a, next)),
            Formula::Globally(a) => reached[state].iter().all(|&next| holds(a, next)),
            Formula::Quantified(sign, name, a) => {
                let with = |other: usize, at: usize| {
                    let mut named = named.to_vec();
                    named[*name] = other;
                    a.holds(graph, reached, at, &named)
                };
                let mut all = 0..graph.successors.len();
                match sign {
                    '!' => with(state, state),
                    '@' => holds(a, named[*name]),
                    '3' => all.any(|other| with(other, state)),
                    _ => all.all(|other| with(other, state)),
                }
            }
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Variable(variable) => write!(f, "v{variable} = 1"),
            Formula::Named(name) => write!(f, "{{{}}}", NAMES[*name]),
            Formula::Not(a) => write!(f, "!({a})"),
            Formula::And(a, b) => write!(f, "(({a}) & ({b}))"),
            Formula::Next(a) => write!(f, "EX ({a})"),
            Formula::Finally(a) => write!(f, "EF ({a})"),
            Formula::Globally(a) => write!(f, "AG ({a})"),
            Formula::Quantified(sign, name, a) => write!(f, "({sign}{{{}}}: {a})", NAMES[*name]),
        }
    }
}

fn model(text: &str) -> Model {
    Model::new(
        PinsModel::new("x", Logical::read("x.bnet", text, Form::Bnet, Update::Asynchronous).unwrap().network).unwrap(),
    )
}

#[test]
fn sets_are_those_of_an_evaluation_state_by_state() {
    let (mut quantified, mut proper) = (0, 0);
    for seed in 0..250 {
        let mut rng = Rng::new(seed);
        let variables = 1 + rng.below(3);
        let network = Network::random_of(variables, &mut rng);
        let graph = Graph::new(&network, Update::Asynchronous);
        let reached: Vec<BTreeSet<usize>> = (0..graph.successors.len())
            .map(|from| {
                (0..graph.successors.len())
                    .zip(graph.reached(from))
                    .filter(|(_, seen)| *seen)
                    .map(|(to, _)| to)
                    .collect()
            })
            .collect();
        let formula = Formula::random(&mut rng, variables, 4, &[]);
        let text = formula.to_string();
        if !text.contains(": ") {
            continue;
        }
        quantified += 1;
        let expected: BTreeSet<usize> =
            (0..graph.successors.len()).filter(|&state| formula.holds(&graph, &reached, state, &[0; 2])).collect();
        let set =
            model(&network.to_string()).satset(&text).unwrap_or_else(|error| panic!("seed {seed}: {text}: {error}"));
        let found: BTreeSet<usize> = set.iter().map(|state| network.number(state.state().as_slice())).collect();
        assert_eq!(found, expected, "seed {seed}: {text}\n{network}");
        proper += usize::from(!found.is_empty() && found.len() < graph.successors.len());
    }
    assert!(quantified > 100 && proper > 30, "{quantified} {proper}");
}

/// States to which one always comes back are those of attractors.
#[test]
fn attractors_are_where_one_always_comes_back() {
    let model = Model::read(concat!(env!("CARGO_MANIFEST_DIR"), "/models/switch.bnet")).unwrap();
    let back = model.satset("!{x}: AG EF {x}").unwrap();
    assert_eq!(back.len().unwrap(), model.attractors().unwrap().states().unwrap().len().unwrap());
    let wrong = |text: &str| model.satset(text).unwrap_err();
    assert!(matches!(wrong("!{x}: AG EF {y}"), Error::Hybrid(_)));
    assert!(wrong("@{x}: AG EF {x}").to_string().contains("no state is called {x}"));
    assert!(wrong("!{x}: AG EF lef = 1").to_string().contains("did you mean `left`"));
    let net = Model::read(concat!(env!("CARGO_MANIFEST_DIR"), "/models/philo-5.pnml")).unwrap();
    assert!(net.satset("!{x}: AG EF {x}").unwrap_err().to_string().contains("logical networks alone"));
}

/// On lines of files as with `-f`: with names of formulas before them, in definitions, beside others.
#[test]
fn states_have_names_in_files_of_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("back.txt");
    let text = "# !{x}: no formula\nback: !{x}: AG EF {x}\nEF gate = 1\nlet steady = !{x}: AX {x}\nsteady: steady & left = 0\n";
    std::fs::write(&path, text).unwrap();
    let lines = |more: &[&str]| {
        let mut command = starset();
        command.arg("satset").arg("models/switch.bnet").args(["--json", "--quiet"]).args(more);
        let (out, err, status) = run(&mut command);
        assert_eq!(status, 0, "{err}");
        let answers = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        answers.map(|answer| (answer["satisfying"].clone(), answer["written"].clone())).collect::<Vec<_>>()
    };
    let in_file = lines(&["-x", path.to_str().unwrap()]);
    let given =
        lines(&["-f", "!{x}: AG EF {x}", "-f", "EF gate = 1", "-f", "(!{x}: AX {x}) & left = 0", "-f", "%attractors"]);
    assert_eq!(in_file.len(), 3);
    assert!(in_file.iter().zip(&given).all(|(one, other)| one.0 == other.0), "{in_file:?} {given:?}");
    assert_eq!(given[0].0, given[3].0);
    std::fs::write(&path, "EF gate = 1\n!{x}: AG EF {y}\n").unwrap();
    let (_, err, status) = run(starset().args(["check", "models/switch.bnet", "-x", path.to_str().unwrap()]));
    assert!(status != 0 && err.contains("back.txt:2: no state is called {y}"), "{err}");
    // The sets would be those of all paths.
    for text in ["justice left = 1\none: !{x}: AF left = 1\n", "\u{feff}justice left = 1\n!{x}: AF left = 1\n"] {
        std::fs::write(&path, text).unwrap();
        let (_, err, status) = run(starset().args(["check", "models/switch.bnet", "-x", path.to_str().unwrap()]));
        assert!(status == 2 && err.contains("back.txt:2: states have no names under assumptions"), "{err}");
    }
}
