//! Linear-time logic on finite words: deterministic automata against the definition of each operator on all short words,
//! satisfiability that other solvers know (`../shared/bpmn/ltlf.csv`), and the Declare templates.

use crate::shared::shared;
use starset::automaton::finite::{self, Finite};
use starset::automaton::ltl::Formulas;
use starset::automaton::{Cube, Prop};
use starset::budget::Budget;
use starset::rng::Rng;

/// A formula about finite words.
#[derive(Clone, Debug)]
enum Tree {
    Atom(usize),
    Not(Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Unary(&'static str, Box<Tree>),
}

impl Tree {
    fn random(rng: &mut Rng, size: u32) -> Tree {
        if size == 0 || rng.below(8) == 0 {
            return Tree::Atom(rng.below(3));
        }
        let size = size - 1;
        match rng.below(4) {
            0 => Tree::Not(Box::new(Tree::random(rng, size))),
            1 | 2 => {
                let operator = ["&", "|", "->", "<->", "U", "R", "W", "M", "S", "T"][rng.below(10)];
                Tree::Binary(operator, Box::new(Tree::random(rng, size)), Box::new(Tree::random(rng, size)))
            }
            _ => {
                let operator = ["X", "N", "F", "G", "X[!]", "Y", "Z", "O", "H"][rng.below(9)];
                Tree::Unary(operator, Box::new(Tree::random(rng, size)))
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Tree::Atom(number) => ["a", "b", "c"][*number].to_owned(),
            Tree::Not(a) => format!("!({})", a.text()),
            Tree::Unary(operator, a) => format!("{operator} ({})", a.text()),
            Tree::Binary(operator, a, b) => format!("({}) {operator} ({})", a.text(), b.text()),
        }
    }

    /// Does it hold at a position of a word, of which each letter is a set of atoms?
    fn holds(&self, word: &[u8], at: usize) -> bool {
        let end = word.len();
        match self {
            Tree::Atom(number) => word[at] >> number & 1 == 1,
            Tree::Not(a) => !a.holds(word, at),
            Tree::Unary(operator, a) => match *operator {
                "X" | "X[!]" => at + 1 < end && a.holds(word, at + 1),
                "N" => at + 1 == end || a.holds(word, at + 1),
                "F" => (at..end).any(|j| a.holds(word, j)),
                "G" => (at..end).all(|j| a.holds(word, j)),
                "Y" => at > 0 && a.holds(word, at - 1),
                "Z" => at == 0 || a.holds(word, at - 1),
                "O" => (0..=at).any(|j| a.holds(word, j)),
                _ => (0..=at).all(|j| a.holds(word, j)),
            },
            Tree::Binary(operator, a, b) => {
                let (left, right) = (|j: usize| a.holds(word, j), |j: usize| b.holds(word, j));
                match *operator {
                    "&" => left(at) && right(at),
                    "|" => left(at) || right(at),
                    "->" => !left(at) || right(at),
                    "<->" => left(at) == right(at),
                    "U" => (at..end).any(|j| right(j) && (at..j).all(left)),
                    "R" => (at..end).all(|j| right(j) || (at..j).any(left)),
                    "W" => (at..end).all(left) || (at..end).any(|j| right(j) && (at..j).all(left)),
                    "M" => (at..end).any(|j| left(j) && (at..=j).all(right)),
                    "S" => (0..=at).any(|j| right(j) && (j + 1..=at).all(left)),
                    _ => (0..=at).all(|j| right(j) || (j + 1..=at).any(left)),
                }
            }
        }
    }
}

fn automaton(text: &str) -> Finite {
    let mut store = Formulas::new();
    let alive = store.proposition(finite::ALIVE);
    let (formula, _) = finite::parse(&mut store, text, alive).unwrap();
    finite::deterministic(&mut store, formula, alive, &Budget::unlimited()).unwrap()
}

/// All words of up to so many letters, each a set of the atoms.
fn words(atoms: u32, most: usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let to = all.len();
        for at in from..to {
            for letter in 0..1 << atoms {
                let mut longer = all[at].clone();
                longer.push(letter);
                all.push(longer);
            }
        }
        from = to;
    }
    all.retain(|word| !word.is_empty());
    all
}

fn accepts(automaton: &Finite, word: &[u8]) -> bool {
    let names: Vec<usize> = automaton.propositions.iter().map(|name| "abc".find(name.as_str()).unwrap()).collect();
    let letters: Vec<_> = word
        .iter()
        .map(|&letter| {
            let names = &names;
            move |prop: Prop| letter >> names[prop.index()] & 1 == 1
        })
        .collect();
    automaton.accepts(&letters)
}

/// A shortest word is found where a short word satisfies the formula, without an automaton; and if the automaton accepts none,
/// none is found.
#[test]
fn shortest_words_of_random_formulas() {
    let cases = std::env::var("STARSET_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300);
    let words = words(3, 4);
    let mut rng = Rng::new(49);
    let mut lengths = [0; 8];
    for _ in 0..cases {
        let trees: Vec<Tree> = (0..1 + rng.below(3)).map(|_| Tree::random(&mut rng, 4)).collect();
        let text = trees.iter().map(|tree| format!("({})", tree.text())).collect::<Vec<_>>().join(" & ");
        let mut store = Formulas::new();
        let alive = store.proposition(finite::ALIVE);
        let (formula, _) = finite::parse(&mut store, &text, alive).unwrap();
        let found = finite::word(&mut store, formula, alive, &Budget::unlimited()).unwrap();
        if let Some(found) = &found {
            let name = |prop: Prop| "abc".find(store.propositions().nth(prop.index()).unwrap()).unwrap();
            let letter = |letter: &Cube| letter.literals().iter().map(|l| u8::from(l.positive) << name(l.prop)).sum();
            let word: Vec<u8> = found.iter().map(letter).collect();
            assert!(trees.iter().all(|tree| tree.holds(&word, 0)), "{text} on {word:?}");
        }
        let known = words.iter().find(|word| trees.iter().all(|tree| tree.holds(word, 0)));
        match (&found, known) {
            (Some(found), Some(known)) => assert_eq!(found.len(), known.len(), "{text}"),
            (Some(found), None) => assert!(found.len() > 4, "{text}"),
            (None, Some(known)) => panic!("{text}: {known:?} satisfies it"),
            (None, None) => assert!(!automaton(&text).accepting.contains(&true), "{text}"),
        }
        lengths[found.map_or(0, |found| found.len().min(7))] += 1;
    }
    assert!(lengths[..4].iter().all(|&count| count > 0), "{lengths:?}");
}

/// `STARSET_CASES` of them, 300 if that is not set, on all words of up to four letters, of which there are 4 680; and on all of
/// up to six where one of the three propositions is false, 5 460.
#[test]
fn random_formulas_on_all_short_words() {
    let cases = std::env::var("STARSET_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300);
    let words: Vec<Vec<u8>> = words(3, 4).into_iter().chain(words(2, 6)).collect();
    let mut rng = Rng::new(48);
    let mut held = 0;
    for _ in 0..cases {
        let tree = Tree::random(&mut rng, 4);
        let text = tree.text();
        let automaton = automaton(&text);
        for word in &words {
            let holds = tree.holds(word, 0);
            held += u64::from(holds);
            assert_eq!(accepts(&automaton, word), holds, "{text} on {word:?}");
        }
    }
    assert!(held > 0 && held < cases * words.len() as u64);
}

/// Where two words of the automaton's own states lead on differently, they are kept apart; sizes that are known.
#[test]
fn automata_are_minimal() {
    for (text, states, accepting) in [
        ("a", 2, 1),
        ("G a", 2, 1),
        ("F a", 2, 1),
        ("X a", 3, 1),
        ("N a", 3, 2),
        ("G(a -> F b)", 3, 1),
        ("a & !a", 1, 0),
    ] {
        let automaton = automaton(text);
        let found = automaton.accepting.iter().filter(|&&accepts| accepts).count();
        assert_eq!((automaton.edges.len(), found), (states, accepting), "{text}");
    }
}

#[test]
fn declare_templates() {
    let Some(folder) = shared("bpmn") else { return };
    let table = std::fs::read_to_string(folder.join("declare.csv")).unwrap();
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("template,arguments,formula,empty_trace,n1,n2,n3,n4,n5"));
    let mut checked = 0;
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let [template, .., _, _, _, _, _, _] = fields[..] else { panic!("{row}") };
        let counts: Vec<u64> = fields[fields.len() - 5..].iter().map(|count| count.parse().unwrap()).collect();
        let formula = fields[fields.len() - 7].trim_matches('"');
        let text: String =
            formula.chars().map(|c| if "ABC".contains(c) { c.to_ascii_lowercase() } else { c }).collect();
        let automaton = automaton(&text);
        let mut found = vec![0; 5];
        for word in words(3, 5).iter().filter(|word| word.iter().all(|letter| letter.is_power_of_two())) {
            found[word.len() - 1] += u64::from(accepts(&automaton, word));
        }
        assert_eq!(found, counts, "{template}: {text}");
        // By its name, which is written in another way there.
        let named = self::automaton(&format!("{template}({})", fields[1].to_ascii_lowercase().replace(' ', ", ")));
        let words = words(3, 4);
        assert!(words.iter().all(|word| accepts(&named, word) == accepts(&automaton, word)), "{template}");
        checked += 1;
    }
    assert!(checked >= 25, "{checked} templates");
}

/// The verdicts of two solvers, of the formulas that take less than the milliseconds `STARSET_MILLISECONDS`, 100 if that is not
/// set.
#[test]
fn satisfiability_is_as_recorded() {
    let Some(folder) = shared("bpmn") else { return };
    let table = std::fs::read_to_string(folder.join("ltlf.csv")).unwrap();
    let time = std::env::var("STARSET_MILLISECONDS").ok().and_then(|time| time.parse().ok()).unwrap_or(100);
    let mut counts = [0, 0];
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.splitn(8, ',').collect();
        let formula = fields[7].rsplit_once(',').unwrap().0.trim_matches('"');
        let mut store = Formulas::new();
        let alive = store.proposition(finite::ALIVE);
        let Ok((read, _)) = finite::parse(&mut store, formula, alive) else { panic!("{row}") };
        let budget = Budget::unlimited().with_time(std::time::Duration::from_millis(time));
        let Ok(word) = starset::automaton::satisfying_word(&mut store, read, &budget) else { continue };
        assert_eq!(word.is_some(), fields[2] == "SAT", "{}", fields[0]);
        counts[usize::from(word.is_some())] += 1;
    }
    assert!(counts[0] > 0 && counts[1] > 20, "unsatisfiable and satisfiable: {counts:?}");
}

/// The book has the formulas of the templates.
#[test]
fn the_book_has_the_templates() {
    let book = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/semantics.md")).unwrap();
    for (name, formula) in starset::formula::DECLARE {
        let about = if formula.contains('b') { "a, b" } else { "a" };
        let row = format!("| `{name}({about})` | `{}` |", formula.replace('|', "\\|"));
        assert!(book.contains(&row), "{row}");
    }
}
