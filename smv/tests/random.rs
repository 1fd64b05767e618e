//! Random programs beside an interpreter of their own: all pairs of states and inputs, one by one.

use starset_smv::{Limits, Memory, System, Value, read};
use std::collections::HashSet;

/// Numbers by xorshift.
struct Random(u64);

/// States, and the steps between them with their turns.
type Explored = (HashSet<State>, HashSet<(usize, State, State)>);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn often(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Values of `a`, `b` (0 and 1) and `n` (0 to 2).
type State = [i64; 3];

/// What an expression is evaluated in.
#[derive(Clone, Copy)]
struct Step {
    now: State,
    next: State,
    input: i64,
}

/// An expression; truth values are 0 and 1.
enum Expr {
    Const(i64, bool),
    Variable(usize),
    Next(usize),
    Input,
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `case c : x; TRUE : y; esac`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(x + 1) mod 3`
    After(Box<Expr>),
}

const NAMES: [&str; 3] = ["a", "b", "n"];

impl Expr {
    fn text(&self) -> String {
        match self {
            Expr::Const(value, true) => if *value == 1 { "TRUE" } else { "FALSE" }.to_owned(),
            Expr::Const(value, false) => value.to_string(),
            Expr::Variable(at) => NAMES[*at].to_owned(),
            Expr::Next(at) => format!("next({})", NAMES[*at]),
            Expr::Input => "i".to_owned(),
            Expr::Not(inner) => format!("!({})", inner.text()),
            Expr::Binary(mark, x, y) => format!("({} {mark} {})", x.text(), y.text()),
            Expr::If(c, x, y) => format!("case {} : {}; TRUE : {}; esac", c.text(), x.text(), y.text()),
            Expr::After(x) => format!("(({} + 1) mod 3)", x.text()),
        }
    }

    fn value(&self, step: &Step) -> i64 {
        match self {
            Expr::Const(value, _) => *value,
            Expr::Variable(at) => step.now[*at],
            Expr::Next(at) => step.next[*at],
            Expr::Input => step.input,
            Expr::Not(inner) => 1 - inner.value(step),
            Expr::Binary(mark, x, y) => {
                let (x, y) = (x.value(step), y.value(step));
                i64::from(match *mark {
                    "&" => x == 1 && y == 1,
                    "|" => x == 1 || y == 1,
                    "->" => x == 0 || y == 1,
                    "=" | "<->" => x == y,
                    "xor" | "!=" => x != y,
                    "<" => x < y,
                    _ => x >= y,
                })
            }
            Expr::If(c, x, y) => {
                if c.value(step) == 1 {
                    x.value(step)
                } else {
                    y.value(step)
                }
            }
            Expr::After(x) => (x.value(step) + 1) % 3,
        }
    }
}

/// The names that an expression may use: variables from the first on, next values, the input.
#[derive(Clone, Copy)]
struct Names {
    from: usize,
    next: bool,
    input: bool,
}

fn condition(random: &mut Random, names: Names, depth: u32) -> Expr {
    if depth == 0 || random.often(20) {
        let variable = names.from + random.below(3) as usize;
        return match random.below(4) {
            0 if names.input => Expr::Input,
            1 if names.next => Expr::Next(random.below(2) as usize),
            _ if variable < 2 => Expr::Variable(variable),
            _ => Expr::Const(random.below(2) as i64, true),
        };
    }
    if random.often(40) {
        let mark = ["=", "!=", "<", ">="][random.below(4) as usize];
        let (x, y) = (number(random, names, depth - 1), number(random, names, depth - 1));
        return Expr::Binary(mark, Box::new(x), Box::new(y));
    }
    let mut operand = || Box::new(condition(random, names, depth - 1));
    let (x, y) = (operand(), operand());
    match random.below(7) {
        0 => Expr::Not(x),
        1 => {
            let z = Box::new(condition(random, names, depth - 1));
            Expr::If(x, y, z)
        }
        at => Expr::Binary(["&", "|", "->", "<->", "xor"][at as usize - 2], x, y),
    }
}

fn number(random: &mut Random, names: Names, depth: u32) -> Expr {
    match random.below(if depth == 0 { 3 } else { 5 }) {
        0 => Expr::Const(random.below(3) as i64, false),
        1 if names.next => Expr::Next(2),
        1 | 2 if names.from <= 2 => Expr::Variable(2),
        3 => Expr::After(Box::new(number(random, names, depth - 1))),
        4 => Expr::If(
            Box::new(condition(random, names, depth - 1)),
            Box::new(number(random, names, depth - 1)),
            Box::new(number(random, names, depth - 1)),
        ),
        _ => Expr::Const(1, false),
    }
}

/// A program: for each variable what it is at first, always and next, one of several expressions; and constraints.
#[derive(Default)]
struct Program {
    /// The process that assigns the next value of each variable: 0 is the main module.
    owner: [usize; 3],
    /// With two processes?
    processes: bool,
    first: [Vec<Expr>; 3],
    always: [Vec<Expr>; 3],
    next: [Vec<Expr>; 3],
    init: Vec<Expr>,
    invar: Vec<Expr>,
    trans: Vec<Expr>,
}

impl Program {
    fn new(random: &mut Random, processes: bool) -> Self {
        let mut program = Program { processes, ..Program::default() };
        if processes {
            program.owner = [(); 3].map(|()| random.below(3) as usize);
        }
        for at in 0..3 {
            let mut one_or_two = |names: Names| -> Vec<Expr> {
                let count = 1 + usize::from(random.often(30));
                let mut expr = || if at < 2 { condition(random, names, 2) } else { number(random, names, 2) };
                (0..count).map(|_| expr()).collect()
            };
            // What is assigned at the same time rests on later variables alone.
            let later = Names { from: at + 1, next: false, input: false };
            let choice = one_or_two(later);
            let first = one_or_two(later);
            let next = one_or_two(Names { from: 0, next: false, input: true });
            match random.below(6) {
                0 => {}
                1 => program.always[at] = choice,
                2 => program.next[at] = next,
                _ => (program.first[at], program.next[at]) = (first, next),
            }
        }
        let now = Names { from: 0, next: false, input: false };
        if random.often(30) {
            program.init.push(condition(random, now, 3));
        }
        if random.often(40) {
            program.invar.push(condition(random, now, 3));
        }
        for _ in 0..random.below(3) {
            program.trans.push(condition(random, Names { from: 0, next: true, input: true }, 3));
        }
        program
    }

    fn text(&self) -> String {
        let mut text = "MODULE main VAR a : boolean; b : boolean; n : 0..2; IVAR i : boolean; ".to_owned();
        if self.processes {
            text += "VAR p : process m1(a, b, n, i); q : process m2(a, b, n, i); ";
        }
        text += "ASSIGN ";
        let mut modules = ["", " MODULE m1(a, b, n, i) ASSIGN ", " MODULE m2(a, b, n, i) ASSIGN "].map(str::to_owned);
        for at in 0..3 {
            for (all, left) in [(&self.first, "init("), (&self.always, ""), (&self.next, "next(")] {
                let owner = if left == "next(" { self.owner[at] } else { 0 };
                let text = if owner == 0 { &mut text } else { &mut modules[owner] };
                let values: Vec<String> = all[at].iter().map(Expr::text).collect();
                let close = if left.is_empty() { "" } else { ")" };
                match &values[..] {
                    [] => {}
                    [one] => *text += &format!("{left}{}{close} := {one}; ", NAMES[at]),
                    several => *text += &format!("{left}{}{close} := {{{}}}; ", NAMES[at], several.join(", ")),
                }
            }
        }
        for (all, section) in [(&self.init, "INIT"), (&self.invar, "INVAR"), (&self.trans, "TRANS")] {
            all.iter().for_each(|expr| text += &format!("{section} {}; ", expr.text()));
        }
        if self.processes {
            text += &modules[1..].concat();
        }
        text
    }

    /// May a state be?
    fn holds(&self, state: State) -> bool {
        let step = Step { now: state, next: state, input: 0 };
        let is_one = |at: usize, all: &[Expr]| all.is_empty() || all.iter().any(|expr| expr.value(&step) == state[at]);
        (0..3).all(|at| is_one(at, &self.always[at])) && self.invar.iter().all(|expr| expr.value(&step) == 1)
    }

    fn is_first(&self, state: State) -> bool {
        let step = Step { now: state, next: state, input: 0 };
        let is_one = |at: usize, all: &[Expr]| all.is_empty() || all.iter().any(|expr| expr.value(&step) == state[at]);
        self.holds(state)
            && (0..3).all(|at| is_one(at, &self.first[at]))
            && self.init.iter().all(|expr| expr.value(&step) == 1)
    }

    /// In the turn of a process, what others assign stays.
    fn is_step(&self, turn: usize, now: State, next: State) -> bool {
        let by = |input: i64| {
            let step = Step { now, next, input };
            let is_one = |at: usize, all: &[Expr]| match all {
                [] => true,
                _ if self.owner[at] != turn => next[at] == now[at],
                all => all.iter().any(|expr| expr.value(&step) == next[at]),
            };
            (0..3).all(|at| is_one(at, &self.next[at])) && self.trans.iter().all(|expr| expr.value(&step) == 1)
        };
        self.holds(next) && (by(0) || by(1))
    }

    /// Reachable states and steps, by the definition.
    fn explored(&self) -> Explored {
        let all: Vec<State> = (0..12).map(|at| [at % 2, at / 2 % 2, at / 4]).collect();
        let mut open: Vec<State> = all.iter().copied().filter(|&state| self.is_first(state)).collect();
        let (mut seen, mut steps): Explored = (open.iter().copied().collect(), HashSet::new());
        let turns = if self.processes { 3 } else { 1 };
        while let Some(now) = open.pop() {
            let each = (0..turns).flat_map(|turn| all.iter().map(move |&next| (turn, next)));
            for (turn, next) in each.filter(|&(turn, next)| self.is_step(turn, now, next)) {
                steps.insert((turn, now, next));
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        (seen, steps)
    }
}

/// The same by the package.
fn found(text: &str) -> Explored {
    let limits = Limits { solutions: 1000, trials: 100_000 };
    let mut model = read(text, false).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    let system = System::new(&mut model);
    let state = |values: &[Value]| {
        let number = |value: &Value| match *value {
            Value::Bool(value) => i64::from(value),
            Value::Int(value) => value,
            _ => panic!("another value"),
        };
        [number(&values[0]), number(&values[1]), number(&values[2])]
    };
    // The hidden input comes first, where there are processes.
    let before = system.state()[0];
    let first = system.first_states(&model, limits).expect("first states");
    let mut open = first.all.clone();
    let mut seen: HashSet<State> = open.iter().map(|values| state(values)).collect();
    let (mut steps, mut memory) = (HashSet::new(), Memory::default());
    while let Some(now) = open.pop() {
        for (turn, event) in system.events().iter().enumerate() {
            let short = event.reads.iter().map(|&variable| now[variable - before]);
            let solutions = system.steps(&model, &mut memory, turn, short, limits).expect("steps");
            assert!(solutions.complete && first.complete);
            for step in solutions.all {
                let mut next = now.clone();
                event.writes.iter().zip(step).for_each(|(&variable, value)| next[variable - before] = value);
                assert!(steps.insert((turn, state(&now), state(&next))), "{text}: a step twice");
                if seen.insert(state(&next)) {
                    open.push(next);
                }
            }
        }
    }
    (seen, steps)
}

/// With STARSET_SMV_CASES so many.
#[test]
fn random_programs_have_the_states_and_steps_of_the_definition() {
    let count = std::env::var("STARSET_SMV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(2000);
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let (mut states, mut empty) = (0, 0);
    for number in 0..count {
        let program = Program::new(&mut random, number % 2 == 1);
        let expected = program.explored();
        assert_eq!(found(&program.text()), expected, "{}", program.text());
        states += expected.0.len();
        empty += usize::from(expected.0.is_empty());
    }
    // They are of all sorts.
    assert!(
        states > 3 * count && empty > count / 100 && empty < count / 2,
        "{states} states, {empty} programs without"
    );
}
