//! Random small programs and random sets: what the checker proves by conditions is so by brute force.
//!
//! Of each program the states, steps and verdicts are computed here, from what its assignments and conditions say of
//! values; the checker sees its text. Levels are some of the variables, so that others are left out where that can be.

#![allow(clippy::unwrap_used)]

#[path = "../src/random.rs"]
mod random;

use random::Random;
use starset_checker::{Checksum, Net, Refused, Subject, with_stack};
use std::collections::HashMap;
use std::fmt::Write;

/// The variables, and the input, whose value is the label of a step.
const NAMES: [&str; 4] = ["a", "b", "c", "_process_selector_"];
const LABELS: [&str; 2] = ["go", "come"];
/// Values of the variables and of the input.
const SIZES: [usize; 4] = [2, 3, 2, 2];
type State = [usize; 3];

/// Current values with the input, and next ones.
type Values<'a> = (&'a [usize; 4], &'a State);

enum Condition {
    /// A variable, current or next, and a value.
    Is(usize, bool, usize),
    Same(usize, usize),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

enum Choice {
    Const(usize),
    Variable(usize),
    Set(Vec<usize>),
    /// No value at all: nothing is possible.
    Nothing,
    Case(Condition, Box<Choice>, Box<Choice>),
}

impl Condition {
    /// Of the first so many variables (the last one is the input), and of next values if asked.
    fn random(random: &mut Random, depth: usize, of: &[usize], next: bool) -> Condition {
        let variable = of[random.below(of.len())];
        let part = |random: &mut Random| Box::new(Condition::random(random, depth - 1, of, next));
        match random.below(if depth == 0 { 4 } else { 8 }) {
            0 if variable < 3 && of[0] < 3 => Condition::Same(variable, of[0]),
            4 => Condition::Not(part(random)),
            5 | 6 => Condition::Both(part(random), part(random)),
            7 => Condition::Either(part(random), part(random)),
            _ => {
                let next = next && variable < 3 && random.below(2) == 0;
                Condition::Is(variable, next, random.below(SIZES[variable]))
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Condition::Is(variable, true, value) => format!("next({}) = {value}", NAMES[*variable]),
            Condition::Is(3, false, value) => format!("{} = {}", NAMES[3], LABELS[*value]),
            Condition::Is(variable, false, value) => format!("{} = {value}", NAMES[*variable]),
            Condition::Same(a, b) => format!("{} = {}", NAMES[*a], NAMES[*b]),
            Condition::Not(a) => format!("!({})", a.text()),
            Condition::Both(a, b) => format!("({} & {})", a.text(), b.text()),
            Condition::Either(a, b) => format!("({} | {})", a.text(), b.text()),
        }
    }

    fn holds(&self, values: Values<'_>) -> bool {
        match self {
            Condition::Is(variable, true, value) => values.1[*variable] == *value,
            Condition::Is(variable, false, value) => values.0[*variable] == *value,
            Condition::Same(a, b) => values.0[*a] == values.0[*b],
            Condition::Not(a) => !a.holds(values),
            Condition::Both(a, b) => a.holds(values) && b.holds(values),
            Condition::Either(a, b) => a.holds(values) || b.holds(values),
        }
    }
}

impl Choice {
    /// Of the values of a variable, by the current values of some.
    fn random(random: &mut Random, depth: usize, variable: usize, of: &[usize]) -> Choice {
        let value = random.below(SIZES[variable]);
        match random.below(if depth == 0 { 3 } else { 6 }) {
            0 => Choice::Const(value),
            1 => match of.iter().find(|&&other| other < 3 && SIZES[other] <= SIZES[variable]) {
                Some(&other) => Choice::Variable(other),
                None => Choice::Const(value),
            },
            2 if random.below(6) == 0 => Choice::Nothing,
            2 => Choice::Set(vec![value, random.below(SIZES[variable])]),
            _ if of.is_empty() => Choice::Set((0..SIZES[variable]).collect()),
            _ => {
                let mut part = || Box::new(Choice::random(random, depth - 1, variable, of));
                let (yes, no) = (part(), part());
                Choice::Case(Condition::random(random, 1, of, false), yes, no)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Choice::Const(value) => value.to_string(),
            Choice::Nothing => "1..0".to_owned(),
            Choice::Variable(variable) => NAMES[*variable].to_owned(),
            Choice::Set(values) => {
                format!("{{{}}}", values.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
            }
            Choice::Case(guard, yes, no) => {
                format!("case {} : {}; TRUE : {}; esac", guard.text(), yes.text(), no.text())
            }
        }
    }

    fn has(&self, value: usize, values: Values<'_>) -> bool {
        match self {
            Choice::Const(own) => *own == value,
            Choice::Nothing => false,
            Choice::Variable(variable) => values.0[*variable] == value,
            Choice::Set(all) => all.contains(&value),
            Choice::Case(guard, yes, no) => if guard.holds(values) { yes } else { no }.has(value, values),
        }
    }
}

/// What a program says.
#[derive(Default)]
struct Program {
    first: [Option<Choice>; 3],
    next: [Option<Choice>; 3],
    always: [Option<Choice>; 3],
    frozen: [bool; 3],
    /// Of INIT, INVAR, TRANS.
    conditions: [Vec<Condition>; 3],
}

impl Program {
    fn random(random: &mut Random) -> Program {
        let mut program = Program::default();
        for variable in 0..3 {
            // What is assigned at one time speaks of earlier ones alone.
            let before: Vec<usize> = (0..variable).collect();
            match random.below(8) {
                0 => program.always[variable] = Some(Choice::random(random, 2, variable, &before)),
                1 => program.frozen[variable] = true,
                _ => {
                    let of: Vec<usize> = (0..4).filter(|_| random.below(3) > 0).collect();
                    program.next[variable] = (random.below(4) > 0).then(|| Choice::random(random, 2, variable, &of));
                }
            }
            if program.always[variable].is_none() && random.below(3) > 0 {
                program.first[variable] = Some(Choice::random(random, 1, variable, &before));
            }
        }
        for (which, of) in [(0, &[0, 1, 2][..]), (1, &[0, 1, 2]), (2, &[0, 1, 2, 3])] {
            if random.below(5) == 0 {
                let of: Vec<usize> = of.iter().copied().filter(|_| random.below(2) == 0).collect();
                if !of.is_empty() {
                    program.conditions[which].push(Condition::random(random, 2, &of, which == 2));
                }
            }
        }
        program
    }

    fn text(&self) -> String {
        let mut text = "MODULE main\n".to_owned();
        for variable in 0..3 {
            let kind = if self.frozen[variable] { "FROZENVAR" } else { "VAR" };
            writeln!(text, "{kind} {} : 0..{};", NAMES[variable], SIZES[variable] - 1).unwrap();
        }
        writeln!(text, "IVAR {} : {{{}}};", NAMES[3], LABELS.join(", ")).unwrap();
        for variable in 0..3 {
            let name = NAMES[variable];
            for (of, left) in [
                (&self.first, format!("init({name})")),
                (&self.next, format!("next({name})")),
                (&self.always, name.to_owned()),
            ] {
                if let Some(choice) = &of[variable] {
                    writeln!(text, "ASSIGN {left} := {};", choice.text()).unwrap();
                }
            }
        }
        for (section, conditions) in ["INIT", "INVAR", "TRANS"].into_iter().zip(&self.conditions) {
            conditions.iter().for_each(|condition| writeln!(text, "{section} {};", condition.text()).unwrap());
        }
        text
    }

    fn is_first(&self, state: &State) -> bool {
        let values = [state[0], state[1], state[2], 0];
        let says = |of: &[Option<Choice>; 3], variable: usize| {
            of[variable].as_ref().is_none_or(|choice| choice.has(state[variable], (&values, state)))
        };
        (0..3).all(|variable| says(&self.first, variable) && says(&self.always, variable))
            && self.conditions[..2].iter().flatten().all(|condition| condition.holds((&values, state)))
    }

    /// Does a step with this value of the input lead from one state to another?
    fn leads(&self, state: &State, input: usize, to: &State) -> bool {
        let (values, after) = ([state[0], state[1], state[2], input], [to[0], to[1], to[2], 0]);
        (0..3).all(|variable| {
            let next = self.next[variable].as_ref().is_none_or(|choice| choice.has(to[variable], (&values, to)));
            let always = self.always[variable].as_ref().is_none_or(|c| c.has(to[variable], (&after, to)));
            next && always && (!self.frozen[variable] || state[variable] == to[variable])
        }) && self.conditions[2].iter().all(|condition| condition.holds((&values, to)))
            && self.conditions[1].iter().all(|condition| condition.holds((&after, to)))
    }
}

fn states() -> Vec<State> {
    let all = (0..SIZES[0]).flat_map(|a| (0..SIZES[1]).flat_map(move |b| (0..SIZES[2]).map(move |c| [a, b, c])));
    all.collect()
}

/// What may happen in a state: a step with a label, or a deadlock that repeats; and where it leads.
type Move = (Option<usize>, usize);

/// What is said of a position of a path.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    Is(usize, usize),
    Action(usize),
    Enabled(usize),
    Deadlock,
}

impl Said {
    fn random(random: &mut Random) -> Said {
        let variable = random.below(3);
        match random.below(8) {
            0 => Said::Deadlock,
            1 => Said::Enabled(random.below(2)),
            2 | 3 => Said::Action(random.below(2)),
            _ => Said::Is(variable, random.below(SIZES[variable])),
        }
    }

    fn text(self) -> String {
        match self {
            Said::Is(variable, value) => format!("(#{} = {value})", NAMES[variable]),
            Said::Action(label) => format!("action({})", LABELS[label]),
            Said::Enabled(label) => format!("enabled({})", LABELS[label]),
            Said::Deadlock => "deadlock".to_owned(),
        }
    }

    fn holds(self, state: &State, moves: &[Move], by: Option<usize>) -> bool {
        match self {
            Said::Is(variable, value) => state[variable] == value,
            Said::Action(label) => by == Some(label),
            Said::Enabled(label) => moves.iter().any(|other| other.0 == Some(label)),
            Said::Deadlock => by.is_none(),
        }
    }
}

/// A formula: a quantifier, F, G or U.
struct Formula {
    every: bool,
    operator: usize,
    p: Said,
    q: Said,
}

impl Formula {
    fn text(&self) -> String {
        let (p, q) = (self.p.text(), self.q.text());
        let path = match self.operator {
            0 => format!("F {q}"),
            1 => format!("G {p}"),
            _ => format!("{p} U {q}"),
        };
        format!("{} ({path})", if self.every { "A" } else { "E" })
    }

    /// The states where it is true, with the round in which they are found.
    fn truth(&self, all: &[State], moves: &[Vec<Move>]) -> Vec<Option<usize>> {
        let some = |state: usize, goes: &dyn Fn(&Move) -> bool| match self.every {
            true => moves[state].iter().all(goes),
            false => moves[state].iter().any(goes),
        };
        let is = |said: Said, state: usize, by: Option<usize>| said.holds(&all[state], &moves[state], by);
        if self.operator == 1 {
            return greatest(moves, self.every, &|state, by| is(self.p, state, by));
        }
        let mut found: Vec<Option<usize>> = vec![None; all.len()];
        for round in 0.. {
            let on = |s: usize, by: Option<usize>| self.operator == 0 || is(self.p, s, by);
            let goes = |s: usize| some(s, &|&(by, to)| is(self.q, s, by) || on(s, by) && found[to].is_some());
            let new: Vec<usize> = (0..all.len()).filter(|&s| found[s].is_none() && goes(s)).collect();
            if new.is_empty() {
                break;
            }
            new.into_iter().for_each(|state| found[state] = Some(round));
        }
        found
    }
}

/// The states from which something holds at all positions of all paths, or of some.
fn greatest(moves: &[Vec<Move>], every: bool, holds: &dyn Fn(usize, Option<usize>) -> bool) -> Vec<Option<usize>> {
    let mut stays = vec![true; moves.len()];
    loop {
        let goes = |state: usize| {
            let mut on = moves[state].iter().map(|&(by, to)| holds(state, by) && stays[to]);
            stays[state] && if every { on.all(|on| on) } else { on.any(|on| on) }
        };
        let now: Vec<bool> = (0..moves.len()).map(goes).collect();
        if now == stays {
            return stays.into_iter().map(|stays| stays.then_some(0)).collect();
        }
        stays = now;
    }
}

fn reachable(first: &[usize], moves: &[Vec<Move>]) -> Vec<usize> {
    let mut found = first.to_vec();
    let mut at = 0;
    while let Some(&state) = found.get(at) {
        for &(_, to) in &moves[state] {
            if !found.contains(&to) {
                found.push(to);
            }
        }
        at += 1;
    }
    found
}

/// A diagram of sets of values with ranks; the numbers of its roots. None where a set is empty.
fn layers(order: &[usize], sets: &[HashMap<Vec<usize>, usize>]) -> Option<(String, Vec<usize>)> {
    type Nodes = Vec<Vec<(usize, usize)>>;
    fn node(order: &[usize], seen: &[usize], ranks: &HashMap<Vec<usize>, usize>, all: &mut [Nodes]) -> Option<usize> {
        let Some((&first, rest)) = order.split_first() else { return ranks.get(seen).copied() };
        let (own, below) = all.split_first_mut()?;
        let child = |value: usize| Some((value, node(rest, &[seen, &[value]].concat(), ranks, &mut *below)?));
        let pairs: Vec<(usize, usize)> =
            (0..SIZES[first]).map(child).collect::<Vec<_>>().into_iter().flatten().collect();
        if pairs.is_empty() {
            return None;
        }
        Some(own.iter().position(|known| *known == pairs).unwrap_or_else(|| {
            own.push(pairs);
            own.len() - 1
        }))
    }
    let mut all: Vec<Nodes> = vec![Vec::new(); order.len()];
    let roots = sets.iter().map(|ranks| node(order, &[], ranks, &mut all)).collect::<Option<Vec<usize>>>()?;
    let mut text = String::new();
    for nodes in all.iter().rev() {
        writeln!(text, "layer {}", nodes.len()).unwrap();
        for pairs in nodes {
            let pairs: Vec<String> = pairs.iter().map(|(value, child)| format!("{value}:{child}")).collect();
            writeln!(text, "{}", pairs.join(" ")).unwrap();
        }
    }
    Some((text, roots))
}

fn sum(text: &str) -> u64 {
    let mut sum = Checksum::default();
    sum.add(text.as_bytes());
    sum.0
}

#[test]
fn what_is_proved_of_random_programs_is_so() {
    // As many programs as the variable ATTACKED says.
    let most = std::env::var("ATTACKED").map_or(250, |most| most.parse().unwrap());
    let [proved, on_part, of_false, nested] = with_stack(|| attack(most)).unwrap();
    let enough = proved > 4 * most && on_part > most && of_false > 3 * most && nested > most / 2;
    assert!(enough, "{proved} {on_part} {of_false} {nested}");
}

/// Some programs; how many certificates are accepted, how many of them on some of the variables, how many verdicts
/// are *false*, and how many of those accepted have two claims.
fn attack(programs: usize) -> [usize; 4] {
    let mut random = Random(0x5eed_1234_9876_abcd);
    let all = states();
    let (mut proved, mut of_false, mut on_part, mut nested) = (0, 0, 0, 0);
    for _ in 0..programs {
        let program = Program::random(&mut random);
        let text = program.text();
        let first: Vec<usize> = (0..all.len()).filter(|&state| program.is_first(&all[state])).collect();
        let steps = |from: usize| -> Vec<Move> {
            let by = |input: usize| (0..all.len()).map(move |to| (input, to));
            let leads = |&(input, to): &(usize, usize)| program.leads(&all[from], input, &all[to]);
            (0..2).flat_map(by).filter(leads).map(|(input, to)| (Some(input), to)).collect()
        };
        // A deadlock repeats.
        let stays = |from: usize| Some(steps(from)).filter(|to| !to.is_empty()).unwrap_or_else(|| vec![(None, from)]);
        let moves: Vec<Vec<Move>> = (0..all.len()).map(stays).collect();
        let subject = Subject::new(&text);
        // By its conditions, and by its states, which are those that are found here.
        let mut about = vec![format!("program {:016x}", sum(&text))];
        if let Ok(net) = Net::read(&text) {
            let reachable = reachable(&first, &moves);
            assert_eq!((net.initials.len(), net.by_state.len()), (first.len(), reachable.len()), "{text}");
            assert_eq!(net.steps.len(), reachable.iter().map(|&state| steps(state).len()).sum::<usize>(), "{text}");
            about.push(format!("net {:016x}", net.hash()));
        }
        for _ in 0..12 {
            let (every, operator) = (random.below(2) == 0, random.below(3));
            let formula = Formula { every, operator, p: Said::random(&mut random), q: Said::random(&mut random) };
            if formula.p == formula.q {
                continue;
            }
            // One claim; or a second one of which it is the letter, that it holds everywhere on all paths, or on some.
            let inner = formula.truth(&all, &moves);
            let outer = (operator == 0 && random.below(2) == 0).then(|| random.below(2) == 0);
            let (said, claims) = match outer {
                None => (formula.text(), vec![(3, every, inner)]),
                Some(outer) => {
                    let said = format!("{} (G {})", if outer { "A" } else { "E" }, formula.text());
                    let truth = greatest(&moves, outer, &|state, _| inner[state].is_some());
                    (said, vec![(4, every, inner), (6, outer, truth)])
                }
            };
            let truth = &claims[claims.len() - 1].2;
            let is_true = first.iter().all(|&state| truth[state].is_some());
            of_false += usize::from(!is_true);
            // Levels: what the formula names, and others.
            let names = |said: Said, v: usize| matches!(said, Said::Is(other, _) if other == v);
            let named = |v: usize| operator != 0 && names(formula.p, v) || operator != 1 && names(formula.q, v);
            let order: Vec<usize> = (0..3).filter(|&v| named(v) || random.below(2) == 0).collect();
            if order.is_empty() {
                continue;
            }
            let paths = ["stutter", "maximal"][random.below(2)];
            for attempt in 0..6 {
                // The states where it is true, as far as the levels tell, some of them changed.
                let mut changed = |truth: &[Option<usize>]| {
                    let mut ranks: HashMap<Vec<usize>, usize> = HashMap::new();
                    for (state, rank) in all.iter().zip(truth) {
                        let shown: Vec<usize> = order.iter().map(|&variable| state[variable]).collect();
                        let rank = match rank {
                            Some(rank) if attempt == 0 || random.below(8) > 0 => *rank,
                            _ if attempt > 0 && random.below(3) == 0 => random.below(3),
                            _ => continue,
                        };
                        let known = ranks.entry(shown).or_insert(rank);
                        *known = rank.max(*known);
                    }
                    ranks
                };
                let sets: Vec<_> = claims.iter().map(|(.., truth)| changed(truth)).collect();
                let Some((layers, roots)) = layers(&order, &sets) else { continue };
                let mut body = format!("paths {paths}\nformula {said}\nverdict true\nlevels {}\n", order.len());
                order.iter().for_each(|&v| writeln!(body, "level 0 {}", NAMES[v]).unwrap());
                body.push_str(&layers);
                for ((number, every, _), root) in claims.iter().zip(roots) {
                    let (kind, place) = if *every { ("all", "0") } else { ("some", "0 0") };
                    writeln!(body, "claim {number} {kind}\nset {place} {root}").unwrap();
                }
                for of in &about {
                    let certificate = format!("starset-certificate 1\nmodel p\n{of}\n{body}");
                    let certificate = format!("{certificate}check {:016x}\nend\n", sum(&certificate));
                    match subject.check(&certificate) {
                        Ok(_) => {
                            assert!(is_true && !first.is_empty(), "{text}\n{certificate}");
                            proved += 1;
                            on_part += usize::from(order.len() < 3);
                            nested += usize::from(outer.is_some());
                        }
                        // It is the certificate that is wrong, or nothing is: not its form, not the program.
                        Err(Refused(why)) => assert!(
                            why.starts_with("claim ") || why.contains("do not imply") || why.contains("no first state"),
                            "{why}\n{text}\n{certificate}"
                        ),
                    }
                }
            }
        }
    }
    [proved, on_part, of_false, nested]
}
