//! One grammar for the whole program: random formulas are written with no more brackets than Spot's order of operators asks
//! for, in the spellings that there are, and read as propositions (`starset automaton`) and as conditions on a net (`starset
//! check`). Both readings have the truth that the formula has on random words by its definition, and print as what
//! reads as the same.

use crate::automaton::grammar::Ast::*;
use starset::automaton::ltl::{Formulas, Lasso};
use starset::automaton::{Cube, Literal, Prop};
use starset::formula::{Expr, Formula, FormulaId, Pool, Symbols, parse};
use starset::net::NetBuilder;
use starset::rng::Rng;

const NAMES: [&str; 3] = ["a", "b", "c"];

#[derive(Debug)]
enum Ast {
    Constant(bool),
    Atom(usize),
    Not(Box<Ast>),
    /// `X[n]`; `X` where it is 1.
    Next(usize, Box<Ast>),
    /// `F` or, if not, `G`; with bounds.
    Ever(bool, Option<(usize, Option<usize>)>, Box<Ast>),
    Infix(usize, Box<Ast>, Box<Ast>),
}

/// Spellings, level, whether to the right.
const INFIX: [(&[&str], u8, bool); 9] = [
    (&["->", "=>", "-->", "implies", "→", "⇒"], 0, true),
    (&["<->", "<=>", "<-->", "iff", "↔", "⇔"], 0, true),
    (&["|", "||", "\\/", "or", "∨"], 1, false),
    (&["xor", "^", "⊕"], 2, false),
    (&["&", "&&", "/\\", "and", "∧"], 3, false),
    (&["U"], 4, true),
    (&["R", "V"], 4, true),
    (&["W"], 4, true),
    (&["M"], 4, true),
];

impl Ast {
    fn random(rng: &mut Rng, depth: u32) -> Ast {
        if depth == 0 || rng.one_in(6) {
            return if rng.one_in(8) { Constant(rng.one_in(2)) } else { Atom(rng.below(NAMES.len())) };
        }
        let inner = |rng: &mut Rng| Box::new(Ast::random(rng, depth - 1));
        match rng.below(8) {
            0 => Not(inner(rng)),
            1 => Next(if rng.one_in(3) { rng.below(4) } else { 1 }, inner(rng)),
            2 => {
                let least = rng.below(3);
                let most = (!rng.one_in(3)).then(|| least + rng.below(3));
                Ever(rng.one_in(2), rng.one_in(3).then_some((least, most)), inner(rng))
            }
            _ => Infix(rng.below(INFIX.len()), inner(rng), inner(rng)),
        }
    }

    fn level(&self) -> u8 {
        match self {
            Infix(operator, ..) => INFIX[*operator].1,
            Not(_) | Next(..) | Ever(..) => 5,
            Constant(_) | Atom(_) => 6,
        }
    }

    /// The text for `starset automaton`, or for `starset check`.
    fn text(&self, rng: &mut Rng, weakest: u8, propositions: bool) -> String {
        let space = |rng: &mut Rng| if rng.one_in(3) { " " } else { "" };
        let text = match self {
            Constant(value) if propositions && rng.one_in(2) => if *value { "1" } else { "0" }.to_owned(),
            Constant(value) => value.to_string(),
            Atom(name) if propositions => match rng.below(6) {
                0 => format!("\"{}\"", NAMES[*name]),
                1 => format!("{}=1", NAMES[*name]),
                _ => NAMES[*name].to_owned(),
            },
            Atom(name) => format!("#{} {} 1", NAMES[*name], rng.pick(&["=", "=="]).unwrap()),
            Not(a) => {
                let sign = rng.pick(&["!", "~", "¬", "not "]).unwrap();
                format!("{sign}{}", a.text(rng, 5, propositions))
            }
            Next(1, a) => {
                let sign = *rng.pick(&["X", "◯", "X[!]", "X[1]", "X [ 1 ]"]).unwrap();
                format!("{sign} {}", a.text(rng, 5, propositions))
            }
            Next(n, a) => format!("X[{n}]{}{}", space(rng), a.text(rng, 5, propositions)),
            Ever(some, bounds, a) => {
                let signs: &[&str] = match (some, bounds) {
                    (true, None) => &["F", "<>", "◇"],
                    (false, None) => &["G", "[]", "□"],
                    (true, _) => &["F"],
                    (false, _) => &["G"],
                };
                let sign = *rng.pick(signs).unwrap();
                let bounds = match bounds {
                    None => " ".to_owned(),
                    Some((least, None)) => format!("[{least}{}]", rng.pick(&[":", "..", ":$", " : "]).unwrap()),
                    Some((least, Some(most))) => format!("[{least}{}{most}]", rng.pick(&[":", "..", " : "]).unwrap()),
                };
                format!("{sign}{bounds}{}", a.text(rng, 5, propositions))
            }
            Infix(operator, a, b) => {
                let (spellings, level, right) = INFIX[*operator];
                let (left, right) = if right { (level + 1, level) } else { (level, level + 1) };
                let spelling = *rng.pick(spellings).unwrap();
                let apart = spelling.starts_with(char::is_alphanumeric);
                let spaces = if apart { [" ", " "] } else { [space(rng), space(rng)] };
                let (a, b) = (a.text(rng, left, propositions), b.text(rng, right, propositions));
                // `<` and `>` beside a number would belong to another operator.
                let before = if spelling.starts_with('<') { " " } else { spaces[0] };
                format!("{a}{before}{spelling}{}{b}", spaces[1])
            }
        };
        if self.level() < weakest || rng.one_in(20) { format!("({text})") } else { text }
    }

    /// By the definitions, on a word with so many different suffixes.
    fn holds(&self, word: &Lasso, at: usize) -> bool {
        let later = |steps: usize| (0..steps).fold(at, |at, _| word.successor(at));
        let whole = word.len() + 3;
        let until = |a: &dyn Fn(usize) -> bool, b: &dyn Fn(usize) -> bool| {
            (0..whole).any(|j| b(later(j)) && (0..j).all(|k| a(later(k))))
        };
        match self {
            Constant(value) => *value,
            Atom(name) => word.holds(at, Prop(*name as u32)),
            Not(a) => !a.holds(word, at),
            Next(n, a) => a.holds(word, later(*n)),
            Ever(some, bounds, a) => {
                let (least, most) = bounds.unwrap_or((0, None));
                let mut moments = (least..=most.unwrap_or(least + whole)).map(|n| a.holds(word, later(n)));
                if *some { moments.any(|holds| holds) } else { moments.all(|holds| holds) }
            }
            Infix(operator, a, b) => {
                let (a, b) = (|at: usize| a.holds(word, at), |at: usize| b.holds(word, at));
                match operator {
                    0 => !a(at) || b(at),
                    1 => a(at) == b(at),
                    2 => a(at) || b(at),
                    3 => a(at) != b(at),
                    4 => a(at) && b(at),
                    5 => until(&a, &b),
                    // b until and with the first a, or always.
                    6 => (0..whole).all(|j| b(later(j)) || (0..j).any(|k| a(later(k)))),
                    7 => until(&a, &b) || (0..whole).all(|j| a(later(j))),
                    _ => until(&b, &|at| a(at) && b(at)),
                }
            }
        }
    }
}

/// The truth of a formula that was read, by the definitions; its atoms are `#p = 1`.
fn read_holds(pool: &Pool, id: FormulaId, word: &Lasso, at: usize) -> bool {
    let later = |steps: usize| (0..steps).fold(at, |at, _| word.successor(at));
    let holds = |id: FormulaId, steps: usize| read_holds(pool, id, word, later(steps));
    let whole = word.len();
    let until = |a: &dyn Fn(usize) -> bool, b: &dyn Fn(usize) -> bool| (0..whole).any(|j| b(j) && (0..j).all(a));
    match &pool[id] {
        Formula::True => true,
        Formula::False => false,
        Formula::Compare(a, _, _) => {
            let Expr::Tokens(places) = &pool[*a] else { panic!("an atom is `#p = 1`") };
            word.holds(at, Prop(places[0].0))
        }
        &Formula::Not(a) => !holds(a, 0),
        Formula::And(all) => all.iter().all(|&a| holds(a, 0)),
        Formula::Or(all) => all.iter().any(|&a| holds(a, 0)),
        &Formula::Implies(a, b) => !holds(a, 0) || holds(b, 0),
        &Formula::Iff(a, b) => holds(a, 0) == holds(b, 0),
        &Formula::Next(a) => holds(a, 1),
        &Formula::Finally(a) => (0..whole).any(|j| holds(a, j)),
        &Formula::Globally(a) => (0..whole).all(|j| holds(a, j)),
        &Formula::Until(a, b) => until(&|j| holds(a, j), &|j| holds(b, j)),
        &Formula::Release(a, b) => !until(&|j| !holds(a, j), &|j| !holds(b, j)),
        &Formula::WeakUntil(a, b) => !until(&|j| !holds(b, j), &|j| !holds(a, j) && !holds(b, j)),
        &Formula::StrongRelease(a, b) => until(&|j| holds(b, j), &|j| holds(a, j) && holds(b, j)),
        other => panic!("no operator of linear time: {other:?}"),
    }
}

fn words(rng: &mut Rng) -> Lasso {
    let letter = |rng: &mut Rng| {
        let mask = rng.below(8);
        Cube::new((0..3).map(|p| Literal { prop: Prop(p), positive: mask >> p & 1 == 1 })).unwrap()
    };
    let (prefix, cycle) = (rng.below(3), 1 + rng.below(3));
    Lasso { prefix: (0..prefix).map(|_| letter(rng)).collect(), cycle: (0..cycle).map(|_| letter(rng)).collect() }
}

/// How many formulas are tried: `STARSET_FORMULAS`, or enough to see each operator beside each other.
fn formulas() -> u64 {
    std::env::var("STARSET_FORMULAS").ok().map_or(3000, |number| number.parse().unwrap())
}

#[test]
fn all_commands_read_formulas_alike() {
    let mut net = NetBuilder::new("n");
    for name in NAMES {
        net.place(name, 0).unwrap();
    }
    let symbols = Symbols::new(&net.build().unwrap());
    for seed in 0..formulas() {
        let mut rng = Rng::new(seed);
        let ast = Ast::random(&mut rng, 4);
        let mut store = Formulas::with_propositions(NAMES);
        let text = ast.text(&mut rng, 0, true);
        let formula = store.parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let printed = store.text(formula);
        assert_eq!(store.parse(&printed).unwrap(), formula, "seed {seed}: {text} printed as {printed}");
        let mut pool = Pool::new();
        let text = ast.text(&mut rng, 0, false);
        let read = parse(&text, &symbols, &mut pool).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let printed = pool.display(read, &symbols).to_string();
        assert_eq!(parse(&printed, &symbols, &mut pool), Ok(read), "seed {seed}: {text} printed as {printed}");
        for _ in 0..4 {
            let word = words(&mut rng);
            let expected = ast.holds(&word, 0);
            assert_eq!(store.satisfied(formula, &word), expected, "seed {seed}: {ast:?} on {word:?}");
            assert_eq!(read_holds(&pool, read, &word, 0), expected, "seed {seed}: {text} on {word:?}");
        }
    }
}
