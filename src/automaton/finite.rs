//! Linear-time logic on finite words, and its deterministic automata.
//!
//! A finite word has at least one letter. `X a` says that there is a next position and `a` holds there (strong next, `X[!] a`, too),
//! `N a` that `a` holds in the next position if there is one (weak next): so `!X a` is `N !a`. All other operators speak of the
//! positions that there are.
//!
//! **Reduction to infinite words.** A finite word is the beginning of an infinite one, as long as a proposition `alive` holds
//! (De Giacomo and Vardi, "Linear temporal logic and linear dynamic logic on finite traces", IJCAI 2013; Spot's
//! `from_ltlf`). Here what comes after the first letter without `alive` does not matter: `G a` is "`a` until not alive", and so
//! on, with strong untils only. So each formula becomes a *guarantee*, which a prefix decides, and its minimal weak
//! deterministic automaton is that of the finite words ([`wdba`](super)), minimal as well: states differ by what may follow.
//!
//! | on finite words | with `end` for `!alive` |
//! |---|---|
//! | `X a`, `N a` | `X (alive ∧ a)`, `X (end ∨ a)` |
//! | `F a`, `G a` | `alive U (alive ∧ a)`, `(alive ∧ a) U end` |
//! | `a U b` | `(alive ∧ a) U (alive ∧ b)` |
//! | `a R b` | `(alive ∧ b) U (end ∨ (alive ∧ a ∧ b))` |
//! | `a W b` | `(alive ∧ a) U (end ∨ (alive ∧ b))` |
//! | `a M b` | `(alive ∧ b) U (alive ∧ a ∧ b)` |
//!
//! Operators of the past stay what they are: before an alive letter all are alive.

use super::error::TranslationError;
use super::ltl::{Formula as Ltl, Formulas, MAX_DEPTH};
use super::{Cube, Guard, Literal, Location, Passes, Prop, Tgba, TgbaBuilder, translate};
use crate::budget::Budget;
use crate::formula::{
    Decomposition, Formula, FormulaId, ParseError, PathNode, Pool, Propositional, Words as Of, parse_propositional,
};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt::Write;

/// The name of the proposition that holds as long as the finite word lasts, as Spot calls it.
pub const ALIVE: &str = "alive";

/// Reads a formula about finite words, that is about the letters as long as `alive`, another proposition, holds. `X` is the
/// strong next, `N` the weak one. With remarks as of [`Formulas::parse_with_remarks`].
///
/// # Errors
/// [`ParseError`].
pub fn parse(store: &mut Formulas, text: &str, alive: Prop) -> Result<(Ltl, Vec<(usize, String)>), ParseError> {
    let ([_, formula], remarks) = read(store, text, alive, Of::Finite)?;
    Ok((formula, remarks))
}

/// A formula alone, and with what it demands of the word; and remarks, by their places in the text.
type Parsed = ([Ltl; 2], Vec<(usize, String)>);

/// The same about the steps of a process: the decisions of its gateways are propositions as well, by the names that
/// [`Decision`](crate::formula::Decision) gives them.
///
/// Before that, the formula about the letters alone: it demands neither that there is one, nor that `alive` ends. Of the
/// word without a letter it says what an atom or `X`, `F`, `U` is false of, and a negated atom or `N`, `G`, `R` true.
///
/// # Errors
/// [`ParseError`].
pub(crate) fn parse_rule(store: &mut Formulas, text: &str, alive: Prop) -> Result<Parsed, ParseError> {
    read(store, text, alive, Of::Steps)
}

/// The formula about letters, and the one that demands a finite word of at least one letter besides.
fn read(store: &mut Formulas, text: &str, alive: Prop, of: Of) -> Result<Parsed, ParseError> {
    let read = parse_propositional(text, of)?;
    if read.propositions.iter().any(|name| Some(name.as_str()) == store.propositions().nth(alive.index())) {
        return Err(ParseError::taken(text, ALIVE));
    }
    let holds = while_alive(store, &read, alive);
    let end = store.literal(alive, false);
    let (alive, ends) = (store.literal(alive, true), store.finally(end));
    let formula = store.and([alive, holds, ends]);
    if store.depth(formula) > MAX_DEPTH {
        return Err(ParseError::too_deep(text, MAX_DEPTH));
    }
    Ok(([holds, formula], read.remarks))
}

/// A shortest finite word that satisfies a formula, as [`parse`] reads it with this `alive`; `None` if there is none. Letters are
/// cubes of all propositions of the formula. No automaton is made.
///
/// ```
/// use starset::automaton::{finite, ltl::Formulas};
/// use starset::budget::Budget;
/// let mut store = Formulas::new();
/// let alive = store.proposition(finite::ALIVE);
/// let (formula, _) = finite::parse(&mut store, "F grant & (!grant U request) & !request", alive).unwrap();
/// let word = finite::word(&mut store, formula, alive, &Budget::unlimited()).unwrap().unwrap();
/// assert_eq!(word.len(), 2);
/// ```
///
/// # Errors
/// [`TranslationError`].
pub fn word(
    store: &mut Formulas,
    formula: Ltl,
    alive: Prop,
    budget: &Budget,
) -> Result<Option<Vec<Cube>>, TranslationError> {
    let Some(word) = super::satisfying_word(store, formula, budget)? else { return Ok(None) };
    let end = (0..word.len()).find(|&at| !word.holds(at, alive)).unwrap_or(word.len());
    let letters = word.prefix.into_iter().chain(word.cycle).take(end);
    let others = |letter: Cube| Cube::new(letter.literals().iter().copied().filter(|literal| literal.prop != alive));
    Ok(Some(letters.filter_map(others).collect()))
}

/// What holds of the infinite words that begin with a finite word of the formula, on which alone `alive` holds.
fn while_alive(store: &mut Formulas, read: &Propositional, alive: Prop) -> Ltl {
    let named: Vec<Prop> = read.propositions.iter().map(|name| store.proposition(name)).collect();
    let Decomposition { propositions, nodes, .. } = read.pool.decompose_to_atoms(read.formula);
    let label = |&atom: &FormulaId| match read.pool[atom] {
        Formula::Label(label) => Some(named[label.index()]),
        // No other atoms are read, and no quantifiers.
        _ => None,
    };
    let props: Vec<Prop> = propositions.iter().filter_map(label).collect();
    let [holds, _] = translated(store, &nodes, &props, &[], alive);
    holds
}

/// What holds of the infinite words of a formula and what holds if it fails, while they are alive.
fn translated(store: &mut Formulas, nodes: &[PathNode], props: &[Prop], actions: &[Prop], alive: Prop) -> [Ltl; 2] {
    let (alive, end) = (store.literal(alive, true), store.literal(alive, false));
    let mut known: Vec<[Ltl; 2]> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let of = |index: &usize| known[*index];
        let mut words = Words { store, alive, end };
        let both = match node {
            PathNode::True => [Ltl::TRUE, Ltl::FALSE],
            PathNode::False => [Ltl::FALSE, Ltl::TRUE],
            PathNode::Prop(number) => {
                let prop = props[*number as usize];
                [words.store.literal(prop, true), words.store.literal(prop, false)]
            }
            // In the last position there is no next step.
            PathNode::Action(number) => {
                let prop = actions[*number as usize];
                let (taken, other) = (words.store.literal(prop, true), words.store.literal(prop, false));
                let (goes_on, ends) = (words.next(Ltl::TRUE, true), words.next(Ltl::FALSE, false));
                [words.store.and([taken, goes_on]), words.store.or([other, ends])]
            }
            PathNode::Not(a) => {
                let [holds, fails] = of(a);
                [fails, holds]
            }
            PathNode::And(all) => {
                let all: Vec<[Ltl; 2]> = all.iter().map(of).collect();
                [words.store.and(all.iter().map(|a| a[0])), words.store.or(all.iter().map(|a| a[1]))]
            }
            PathNode::Or(all) => {
                let all: Vec<[Ltl; 2]> = all.iter().map(of).collect();
                [words.store.or(all.iter().map(|a| a[0])), words.store.and(all.iter().map(|a| a[1]))]
            }
            PathNode::Implies(a, b) => {
                let (a, b) = (of(a), of(b));
                [words.store.or([a[1], b[0]]), words.store.and([a[0], b[1]])]
            }
            PathNode::Iff(a, b) => {
                let (a, b) = (of(a), of(b));
                [words.agree(a, b), words.agree(a, [b[1], b[0]])]
            }
            PathNode::Next(a) => {
                let [holds, fails] = of(a);
                [words.next(holds, true), words.next(fails, false)]
            }
            PathNode::Finally(a) => {
                let [holds, fails] = of(a);
                [words.until(Ltl::TRUE, holds), words.until_the_end(fails, Ltl::FALSE)]
            }
            PathNode::Globally(a) => {
                let [holds, fails] = of(a);
                [words.until_the_end(holds, Ltl::FALSE), words.until(Ltl::TRUE, fails)]
            }
            PathNode::Until(a, b) => {
                let (a, b) = (of(a), of(b));
                [words.until(a[0], b[0]), words.release(a[1], b[1])]
            }
            PathNode::Release(a, b) => {
                let (a, b) = (of(a), of(b));
                [words.release(a[0], b[0]), words.until(a[1], b[1])]
            }
            PathNode::WeakUntil(a, b) => {
                let (a, b) = (of(a), of(b));
                [words.until_the_end(a[0], b[0]), words.strong_release(a[1], b[1])]
            }
            PathNode::StrongRelease(a, b) => {
                let (a, b) = (of(a), of(b));
                [words.strong_release(a[0], b[0]), words.until_the_end(a[1], b[1])]
            }
            PathNode::Yesterday(a) => {
                let [holds, fails] = of(a);
                [words.store.yesterday(holds), words.store.weak_yesterday(fails)]
            }
            PathNode::WeakYesterday(a) => {
                let [holds, fails] = of(a);
                [words.store.weak_yesterday(holds), words.store.yesterday(fails)]
            }
            PathNode::Since(a, b) => {
                let (a, b) = (of(a), of(b));
                [words.store.since(a[0], b[0]), words.store.trigger(a[1], b[1])]
            }
            PathNode::Trigger(a, b) => {
                let (a, b) = (of(a), of(b));
                [words.store.trigger(a[0], b[0]), words.store.since(a[1], b[1])]
            }
        };
        known.push(both);
    }
    known.last().copied().unwrap_or([Ltl::TRUE, Ltl::FALSE])
}

/// The finite runs of a model that satisfy a path formula, or that do not if `negated`: an automaton that accepts the
/// infinite paths that begin with one, and the formulas of its propositions.
///
/// A run ends where `last` holds, in a deadlock if there is none; what comes after that does not matter. Where it ends is a
/// choice, so the automaton does not read `alive`: a path is accepted if it is for some end. No run goes on in a deadlock.
///
/// # Errors
/// [`TranslationError`].
pub fn ending(
    pool: &mut Pool,
    path: FormulaId,
    negated: bool,
    last: Option<FormulaId>,
    budget: &Budget,
) -> Result<(Tgba, Vec<FormulaId>), TranslationError> {
    let Decomposition { propositions, actions, nodes } = pool.decompose(path);
    let mut store = Formulas::new();
    let alive = store.proposition(ALIVE);
    let named = |store: &mut Formulas, letter: char, count: usize| -> Vec<Prop> {
        (0..count).map(|number| store.proposition(&format!("{letter}{number}"))).collect()
    };
    let props = named(&mut store, 'p', propositions.len());
    let steps = named(&mut store, 'a', actions.len());
    let (dead, end) = (store.proposition("dead"), store.proposition("last"));
    let [holds, fails] = translated(&mut store, &nodes, &props, &steps, alive);
    let wanted = if negated { fails } else { holds };
    // Each position is the last one, and may be; or another follows, and the model can go on.
    let (is_alive, is_over) = (store.literal(alive, true), store.literal(alive, false));
    let (may_end, can_go_on) = (store.literal(end, true), store.literal(dead, false));
    let (stops, goes_on) = (store.next(is_over), store.next(is_alive));
    let ends = store.and([stops, may_end]);
    let continues = store.and([goes_on, can_go_on]);
    let either = store.or([ends, continues]);
    let position = store.and([is_alive, either]);
    let run = store.until(position, is_over);
    let formula = store.and([is_alive, run, wanted]);
    let automaton = translate(&mut store, formula, &Passes::default(), budget)?;
    let deadlock = pool.add(Formula::Deadlock);
    // `alive` is the first proposition, and no longer one.
    let mut builder = TgbaBuilder::new(automaton.propositions()[1..].iter().cloned(), automaton.acceptance_sets());
    let locations: Vec<Location> = automaton.locations().map(|_| builder.location("")).collect();
    for edge in automaton.edges() {
        let cubes = edge.guard.cubes().iter().filter_map(|cube| without(cube, alive));
        let (source, target) = (locations[edge.source.index()], locations[edge.target.index()]);
        builder.edge(source, Guard::from_cubes(cubes), edge.marks, target);
    }
    let automaton = builder.build(locations[automaton.initial().index()])?;
    let all = propositions.into_iter().chain(actions).chain([deadlock, last.unwrap_or(deadlock)]);
    Ok((automaton, all.collect()))
}

/// A cube that does not read this proposition, the later ones being one less.
fn without(cube: &Cube, gone: Prop) -> Option<Cube> {
    Cube::new(cube.literals().iter().filter(|literal| literal.prop != gone).map(|literal| Literal {
        prop: Prop(literal.prop.0 - u32::from(literal.prop > gone)),
        positive: literal.positive,
    }))
}

/// The operators on positions that are alive.
struct Words<'s> {
    store: &'s mut Formulas,
    alive: Ltl,
    end: Ltl,
}

impl Words<'_> {
    fn next(&mut self, a: Ltl, strong: bool) -> Ltl {
        let there = if strong { self.store.and([self.alive, a]) } else { self.store.or([self.end, a]) };
        self.store.next(there)
    }

    fn until(&mut self, a: Ltl, b: Ltl) -> Ltl {
        let (a, b) = (self.store.and([self.alive, a]), self.store.and([self.alive, b]));
        self.store.until(a, b)
    }

    /// `a W b`; `G a` where `b` is false.
    fn until_the_end(&mut self, a: Ltl, b: Ltl) -> Ltl {
        let a = self.store.and([self.alive, a]);
        let b = self.store.and([self.alive, b]);
        let stop = self.store.or([self.end, b]);
        self.store.until(a, stop)
    }

    fn release(&mut self, a: Ltl, b: Ltl) -> Ltl {
        let both = self.store.and([a, b]);
        self.until_the_end(b, both)
    }

    fn strong_release(&mut self, a: Ltl, b: Ltl) -> Ltl {
        let both = self.store.and([a, b]);
        self.until(b, both)
    }

    fn agree(&mut self, a: [Ltl; 2], b: [Ltl; 2]) -> Ltl {
        let hold = self.store.and([a[0], b[0]]);
        let fail = self.store.and([a[1], b[1]]);
        self.store.or([hold, fail])
    }
}

/// A deterministic automaton on finite words: the smallest without states from which nothing is accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finite {
    /// The formula that it was made of.
    pub title: String,
    /// Names of propositions.
    pub propositions: Vec<String>,
    /// For each state, the first being where words begin: guards, and where they lead. A letter without an edge ends in
    /// rejection.
    pub edges: Vec<Vec<(Guard, usize)>>,
    /// The states in which a word may end.
    pub accepting: Vec<bool>,
}

/// The automaton of a formula about finite words, as [`parse`] reads it with this `alive`.
///
/// ```
/// use starset::automaton::{finite, ltl::Formulas};
/// use starset::budget::Budget;
/// let mut store = Formulas::new();
/// let alive = store.proposition(finite::ALIVE);
/// let (formula, _) = finite::parse(&mut store, "G(request -> F grant)", alive).unwrap();
/// let automaton = finite::deterministic(&mut store, formula, alive, &Budget::unlimited()).unwrap();
/// assert_eq!(automaton.edges.len(), 3);
/// ```
///
/// # Errors
/// [`TranslationError`], also where the automaton is too large.
pub fn deterministic(
    store: &mut Formulas,
    formula: Ltl,
    alive: Prop,
    budget: &Budget,
) -> Result<Finite, TranslationError> {
    let Some(whole) = super::translate::minimal(store, formula, budget)? else {
        return Err(TranslationError::TooLarge { edges: MOST_EDGES });
    };
    let propositions: Vec<String> = whole
        .propositions()
        .iter()
        .enumerate()
        .filter(|&(prop, _)| prop != alive.index())
        .map(|(_, name)| name.clone())
        .collect();
    // The part of a guard that reads letters with `alive`, or without.
    let part = |guard: &Guard, wanted: bool| {
        let cubes = guard.cubes().iter().filter_map(|cube| {
            let said = cube.literals().iter().find(|literal| literal.prop == alive);
            if said.is_some_and(|literal| literal.positive != wanted) {
                return None;
            }
            without(cube, alive)
        });
        Guard::from_cubes(cubes)
    };
    let mut numbers: FxHashMap<Location, usize> = FxHashMap::from_iter([(whole.initial(), 0)]);
    let mut open = VecDeque::from([whole.initial()]);
    let (mut edges, mut accepting) = (Vec::new(), Vec::new());
    while let Some(location) = open.pop_front() {
        let (mut list, mut ends) = (Vec::new(), false);
        for edge in whole.edges_from(location) {
            ends |= !part(&edge.guard, false).is_never();
            let guard = part(&edge.guard, true);
            if !guard.is_never() {
                let fresh = numbers.len();
                let target = *numbers.entry(edge.target).or_insert_with(|| {
                    open.push_back(edge.target);
                    fresh
                });
                list.push((guard, target));
            }
        }
        edges.push(list);
        accepting.push(ends);
    }
    Ok(Finite { title: String::new(), propositions, edges, accepting })
}

/// What a message says of an automaton that is too large.
const MOST_EDGES: usize = 1 << 21;

impl Finite {
    /// Does it accept a word, given by the propositions that hold in each position?
    pub fn accepts(&self, word: &[impl Fn(Prop) -> bool]) -> bool {
        let mut state = 0;
        for letter in word {
            match self.edges[state].iter().find(|(guard, _)| guard.holds(letter)) {
                Some(&(_, target)) => state = target,
                None => return false,
            }
        }
        !word.is_empty() && self.accepting[state]
    }

    /// As a HOA document: an automaton on finite words, whose accepting states have mark 0. HOA has no word for that, so that a
    /// tool for infinite words would take it for a Büchi automaton.
    pub fn hoa(&self) -> String {
        let mut out = String::from("HOA: v1\n");
        if !self.title.is_empty() {
            let _ = writeln!(out, "name: {}", quoted(&self.title));
        }
        let _ = write!(out, "States: {}\nStart: 0\nAP: {}", self.edges.len(), self.propositions.len());
        for name in &self.propositions {
            let _ = write!(out, " {}", quoted(name));
        }
        out.push_str("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n");
        out.push_str("properties: trans-labels explicit-labels state-acc deterministic\nfinite-words: 1\n--BODY--\n");
        for (state, edges) in self.edges.iter().enumerate() {
            let _ = writeln!(out, "State: {state}{}", if self.accepting[state] { " {0}" } else { "" });
            for (guard, target) in edges {
                let _ = writeln!(out, "[{}] {target}", self.label(guard, |prop| prop.0.to_string()));
            }
        }
        out.push_str("--END--\n");
        out
    }

    /// As a picture for Graphviz.
    pub fn dot(&self) -> String {
        let mut out =
            String::from("digraph finite {\n    rankdir=LR;\n    node [shape=circle];\n    start [shape=point];\n");
        for (state, &accepting) in self.accepting.iter().enumerate() {
            let _ = writeln!(out, "    {state}{};", if accepting { " [shape=doublecircle]" } else { "" });
        }
        out.push_str("    start -> 0;\n");
        for (state, edges) in self.edges.iter().enumerate() {
            for (guard, target) in edges {
                let label = self.label(guard, |prop| self.propositions[prop.index()].clone());
                let _ = writeln!(out, "    {state} -> {target} [label={}];", quoted(&label));
            }
        }
        out.push_str("}\n");
        out
    }

    fn label(&self, guard: &Guard, name: impl Fn(Prop) -> String) -> String {
        if guard.is_always() {
            return "t".to_owned();
        }
        let cube = |cube: &Cube| {
            let literals = cube.literals().iter();
            let texts: Vec<String> = literals
                .map(|literal| format!("{}{}", if literal.positive { "" } else { "!" }, name(literal.prop)))
                .collect();
            if texts.is_empty() { "t".to_owned() } else { texts.join("&") }
        };
        guard.cubes().iter().map(cube).collect::<Vec<_>>().join(" | ")
    }
}

impl std::fmt::Display for Finite {
    /// Its measures.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let edges: usize = self.edges.iter().map(Vec::len).sum();
        let accepting = self.accepting.iter().filter(|&&accepts| accepts).count();
        writeln!(f, "states             {}", self.edges.len())?;
        writeln!(f, "accepting states   {accepting}")?;
        writeln!(f, "edges              {edges}")?;
        writeln!(f, "propositions       {}", self.propositions.len())?;
        write!(f, "deterministic      yes")
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
