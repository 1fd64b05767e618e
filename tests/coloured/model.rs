//! Coloured nets as plain data: made at random, written as PNML, and interpreted colour by colour.
//!
//! Nothing here is shared with the library: colours are lists of numbers, bindings are enumerated blindly, and
//! the text is put together by hand.

use starset::random::Rng;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// A colour: one number for each component; none for the black token.
pub(super) type Colour = Vec<usize>;
/// Tokens of each place by colour, without zeros.
pub(super) type Marking = Vec<BTreeMap<Colour, u64>>;

/// For each marking, a transition and the number of the marking that it leads to for each binding.
pub(super) type Edges = Vec<Vec<(usize, usize)>>;

/// A sort that is no product.
#[derive(Clone, Debug)]
pub(super) enum Basic {
    Cyclic(usize),
    Finite(usize),
    Range(i64, usize),
}

impl Basic {
    pub(super) fn size(&self) -> usize {
        match *self {
            Basic::Cyclic(n) | Basic::Finite(n) | Basic::Range(_, n) => n,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Term {
    Var(usize),
    Const(usize),
    /// So many successors, or predecessors.
    Shift(Box<Term>, i64),
}

/// Tokens of one basic sort.
#[derive(Clone, Debug)]
pub(super) enum Tokens {
    One(Term),
    All,
    /// All but one.
    Others(Term),
    /// All of this class of the partition (only of basic sort 0).
    Class(usize),
}

/// Tokens of a place: a sum of tuples, each with a number.
pub(super) type Expression = Vec<(u64, Vec<Tokens>)>;

#[derive(Clone, Debug)]
pub(super) enum Guard {
    Compare(&'static str, usize, Term, Term),
    Class(bool, Term, usize),
    Not(Box<Guard>),
    And(Vec<Guard>),
    Or(Vec<Guard>),
    Imply(Box<Guard>, Box<Guard>),
}

#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub(super) guard: Option<Guard>,
    pub(super) inputs: Vec<(usize, Expression)>,
    pub(super) outputs: Vec<(usize, Expression)>,
}

#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) basics: Vec<Basic>,
    /// The basic sort of each variable, and the class it is confined to.
    pub(super) variables: Vec<(usize, Option<usize>)>,
    /// Variables of product sorts: the first of the variables that are its components, which do not occur by themselves,
    /// and their sorts.
    pub(super) tuples: Vec<(usize, Vec<usize>)>,
    /// The class (0 or 1) of each colour of basic sort 0.
    pub(super) classes: Vec<usize>,
    /// The sort of each place: the components.
    pub(super) places: Vec<Vec<usize>>,
    pub(super) initial: Vec<Expression>,
    pub(super) transitions: Vec<Transition>,
}

const COMPARISONS: [&str; 6] =
    ["equality", "inequality", "lessthan", "lessthanorequal", "greaterthan", "greaterthanorequal"];

impl Model {
    /// A small net.
    pub(super) fn random(rng: &mut Rng) -> Model {
        let mut basics = vec![Basic::Cyclic(2 + rng.below(2))];
        for _ in 0..rng.below(3) {
            let n = 1 + rng.below(3);
            basics.push(match rng.below(3) {
                0 => Basic::Cyclic(n),
                1 => Basic::Finite(n),
                _ => Basic::Range(rng.below(3) as i64 - 1, n),
            });
        }
        let n = basics[0].size();
        let mut classes: Vec<usize> = (0..n).map(|_| rng.below(2)).collect();
        (classes[0], classes[n - 1]) = (0, 1);
        let mut variables: Vec<(usize, Option<usize>)> = (0..2 + rng.below(3))
            .map(|_| {
                let sort = rng.below(basics.len());
                (sort, (sort == 0 && rng.one_in(4)).then(|| rng.below(2)))
            })
            .collect();
        let sort = |rng: &mut Rng| -> Vec<usize> { (0..rng.below(3)).map(|_| rng.below(basics.len())).collect() };
        let places: Vec<Vec<usize>> = (0..2 + rng.below(3)).map(|_| sort(rng)).collect();
        let mut tuples = Vec::new();
        for sorts in places.iter().filter(|sorts| sorts.len() > 1) {
            if rng.one_in(2) {
                tuples.push((variables.len(), sorts.clone()));
                variables.extend(sorts.iter().map(|&sort| (sort, None)));
            }
        }
        let mut model =
            Model { basics, variables, tuples, classes, places, initial: Vec::new(), transitions: Vec::new() };
        for place in 0..model.places.len() {
            let expression = if rng.one_in(3) { Vec::new() } else { model.expression(rng, place, false, 2) };
            model.initial.push(expression);
        }
        for _ in 0..1 + rng.below(4) {
            let side = |rng: &mut Rng, most: usize| -> Vec<(usize, Expression)> {
                (0..rng.below(most + 1))
                    .map(|_| {
                        let place = rng.below(model.places.len());
                        (place, model.expression(rng, place, true, 2))
                    })
                    .collect()
            };
            let inputs = side(rng, 2);
            let outputs = side(rng, 2);
            let guard = rng.one_in(2).then(|| model.guard(rng, 2));
            model.transitions.push(Transition { guard, inputs, outputs });
        }
        model
    }

    fn term(&self, rng: &mut Rng, sort: usize, variables: bool) -> Term {
        let single = self.tuples.first().map_or(self.variables.len(), |tuple| tuple.0);
        let of_sort: Vec<usize> = (0..single).filter(|&v| self.variables[v].0 == sort).collect();
        let mut term = match rng.pick(&of_sort) {
            Some(&variable) if variables && !rng.one_in(5) => Term::Var(variable),
            _ => Term::Const(rng.below(self.basics[sort].size())),
        };
        while matches!(self.basics[sort], Basic::Cyclic(_)) && rng.one_in(4) {
            term = Term::Shift(Box::new(term), if rng.one_in(2) { 1 } else { -1 });
        }
        term
    }

    fn expression(&self, rng: &mut Rng, place: usize, variables: bool, most: usize) -> Expression {
        (0..1 + rng.below(most))
            .map(|_| {
                let number = if rng.one_in(5) { 2 } else { 1 };
                let of_sort: Vec<usize> =
                    self.tuples.iter().filter(|t| t.1 == self.places[place]).map(|t| t.0).collect();
                if let Some(&first) = rng.pick(&of_sort)
                    && variables
                    && rng.one_in(2)
                {
                    let parts = (first..).map(|part| Tokens::One(Term::Var(part)));
                    return (number, parts.take(self.places[place].len()).collect());
                }
                let tokens = self.places[place].iter().map(|&sort| match rng.below(12) {
                    0 => Tokens::All,
                    1 => Tokens::Others(self.term(rng, sort, variables)),
                    2 if sort == 0 => Tokens::Class(rng.below(2)),
                    _ => Tokens::One(self.term(rng, sort, variables)),
                });
                (number, tokens.collect())
            })
            .collect()
    }

    fn guard(&self, rng: &mut Rng, depth: usize) -> Guard {
        let sort = rng.below(self.basics.len());
        let inner = depth.saturating_sub(1);
        match rng.below(if depth == 0 { 4 } else { 9 }) {
            4 => Guard::Not(Box::new(self.guard(rng, inner))),
            5 | 6 => Guard::And((0..1 + rng.below(3)).map(|_| self.guard(rng, inner)).collect()),
            7 => Guard::Or((0..1 + rng.below(3)).map(|_| self.guard(rng, inner)).collect()),
            8 => Guard::Imply(Box::new(self.guard(rng, inner)), Box::new(self.guard(rng, inner))),
            3 => Guard::Class(rng.one_in(2), self.term(rng, 0, true), rng.below(2)),
            _ => {
                let comparison = COMPARISONS[rng.below(6)];
                Guard::Compare(comparison, sort, self.term(rng, sort, true), self.term(rng, sort, true))
            }
        }
    }

    /// The name of a colour of a basic sort in the names of unfolded places.
    pub(super) fn colour_name(&self, sort: usize, colour: usize) -> String {
        match self.basics[sort] {
            Basic::Range(start, _) => (start + colour as i64).to_string(),
            _ => format!("n{colour}"),
        }
    }

    /// The name of an unfolded place.
    pub(super) fn instance(&self, place: usize, colour: &[usize]) -> String {
        let mut name = format!("p{place}");
        for (&sort, &colour) in self.places[place].iter().zip(colour) {
            name.push('_');
            name.push_str(&self.colour_name(sort, colour));
        }
        name
    }
}

/// The interpreter.
impl Model {
    fn value(&self, sort: usize, term: &Term, binding: &[usize]) -> usize {
        match term {
            Term::Var(variable) => binding[*variable],
            Term::Const(colour) => *colour,
            Term::Shift(of, by) => {
                let size = self.basics[sort].size() as i64;
                (self.value(sort, of, binding) as i64 + by).rem_euclid(size) as usize
            }
        }
    }

    fn tokens(&self, place: usize, expression: &Expression, binding: &[usize]) -> BTreeMap<Colour, u64> {
        let mut all = BTreeMap::new();
        for (number, components) in expression {
            let mut tuples: Vec<Colour> = vec![Vec::new()];
            for (&sort, tokens) in self.places[place].iter().zip(components) {
                let colours: Vec<usize> = (0..self.basics[sort].size())
                    .filter(|&colour| match tokens {
                        Tokens::All => true,
                        Tokens::One(term) => colour == self.value(sort, term, binding),
                        Tokens::Others(term) => colour != self.value(sort, term, binding),
                        Tokens::Class(class) => self.classes[colour] == *class,
                    })
                    .collect();
                tuples = tuples
                    .iter()
                    .flat_map(|tuple| colours.iter().map(|&colour| [tuple.as_slice(), &[colour]].concat()))
                    .collect();
            }
            for tuple in tuples {
                *all.entry(tuple).or_insert(0) += number;
            }
        }
        all
    }

    fn holds(&self, guard: &Guard, binding: &[usize]) -> bool {
        match guard {
            Guard::Compare(comparison, sort, left, right) => {
                let (left, right) = (self.value(*sort, left, binding), self.value(*sort, right, binding));
                match *comparison {
                    "equality" => left == right,
                    "inequality" => left != right,
                    "lessthan" => left < right,
                    "lessthanorequal" => left <= right,
                    "greaterthan" => left > right,
                    _ => left >= right,
                }
            }
            Guard::Class(equal, term, class) => (self.classes[self.value(0, term, binding)] == *class) == *equal,
            Guard::Not(guard) => !self.holds(guard, binding),
            Guard::And(guards) => guards.iter().all(|guard| self.holds(guard, binding)),
            Guard::Or(guards) => guards.iter().any(|guard| self.holds(guard, binding)),
            Guard::Imply(premise, conclusion) => !self.holds(premise, binding) || self.holds(conclusion, binding),
        }
    }

    pub(super) fn initial_marking(&self) -> Marking {
        self.initial.iter().enumerate().map(|(place, expression)| self.tokens(place, expression, &[])).collect()
    }

    /// All bindings of the variables that occur in the transition; the others are 0.
    fn bindings(&self, transition: &Transition) -> Vec<Vec<usize>> {
        let mut text = String::new();
        self.write_transition(transition, &mut text);
        let mut bindings = vec![Vec::new()];
        for (variable, &(sort, class)) in self.variables.iter().enumerate() {
            let whole = self.tuples.iter().rev().find(|tuple| tuple.0 <= variable);
            let name = whole.map_or(format!("v{variable}"), |(first, _)| format!("w{first}"));
            let values: Vec<usize> = if text.contains(&format!("refvariable=\"{name}\"")) {
                (0..self.basics[sort].size()).filter(|&c| class.is_none_or(|class| self.classes[c] == class)).collect()
            } else {
                vec![0]
            };
            bindings = bindings
                .iter()
                .flat_map(|binding: &Vec<usize>| values.iter().map(|&value| [binding.as_slice(), &[value]].concat()))
                .collect();
        }
        bindings
    }

    /// All reachable markings, with the number of bindings enabled in each for each transition; `None` if there
    /// are more than `limit`. Edges are pairs of a transition and the number of a marking.
    pub(super) fn explore(&self, limit: usize) -> Option<(Vec<Marking>, Edges)> {
        let mut firings = Vec::new();
        for (number, transition) in self.transitions.iter().enumerate() {
            for binding in self.bindings(transition) {
                if transition.guard.as_ref().is_some_and(|guard| !self.holds(guard, &binding)) {
                    continue;
                }
                let side = |arcs: &[(usize, Expression)]| {
                    let mut sum: Marking = vec![BTreeMap::new(); self.places.len()];
                    for (place, expression) in arcs {
                        for (colour, n) in self.tokens(*place, expression, &binding) {
                            *sum[*place].entry(colour).or_insert(0) += n;
                        }
                    }
                    sum
                };
                firings.push((number, side(&transition.inputs), side(&transition.outputs)));
            }
        }
        let mut markings = vec![self.initial_marking()];
        let mut numbers = HashMap::from([(markings[0].clone(), 0)]);
        let mut edges: Edges = Vec::new();
        while edges.len() < markings.len() {
            let marking = markings[edges.len()].clone();
            let mut from_here = Vec::new();
            for (transition, pre, post) in &firings {
                let has = |place: usize, colour: &Colour| marking[place].get(colour).copied().unwrap_or(0);
                if !pre.iter().enumerate().all(|(place, need)| need.iter().all(|(colour, n)| has(place, colour) >= *n))
                {
                    continue;
                }
                let mut next = marking.clone();
                for (place, tokens) in pre.iter().enumerate() {
                    for (colour, n) in tokens {
                        *next[place].get_mut(colour).unwrap() -= n;
                    }
                }
                for (place, tokens) in post.iter().enumerate() {
                    for (colour, n) in tokens {
                        *next[place].entry(colour.clone()).or_insert(0) += n;
                    }
                }
                next.iter_mut().for_each(|place| place.retain(|_, n| *n > 0));
                let number = *numbers.entry(next.clone()).or_insert(markings.len());
                if number == markings.len() {
                    markings.push(next);
                }
                from_here.push((*transition, number));
            }
            edges.push(from_here);
            if markings.len() > limit {
                return None;
            }
        }
        Some((markings, edges))
    }
}

/// The text.
impl Model {
    fn write_term(&self, sort: usize, term: &Term, out: &mut String) {
        match term {
            Term::Var(variable) => write!(out, "<variable refvariable=\"v{variable}\"/>").unwrap(),
            Term::Const(colour) => match self.basics[sort] {
                Basic::Range(start, n) => write!(
                    out,
                    "<finiteintrangeconstant value=\"{}\"><finiteintrange start=\"{start}\" end=\"{}\"/></finiteintrangeconstant>",
                    start + *colour as i64,
                    start + n as i64 - 1
                )
                .unwrap(),
                _ => write!(out, "<useroperator declaration=\"s{sort}c{colour}\"/>").unwrap(),
            },
            Term::Shift(of, by) => {
                let element = if *by > 0 { "successor" } else { "predecessor" };
                write!(out, "<{element}><subterm>").unwrap();
                self.write_term(sort, of, out);
                write!(out, "</subterm></{element}>").unwrap();
            }
        }
    }

    fn write_tokens(&self, sort: usize, tokens: &Tokens, out: &mut String) {
        match tokens {
            Tokens::One(term) => self.write_term(sort, term, out),
            Tokens::All => write!(out, "<all><usersort declaration=\"s{sort}\"/></all>").unwrap(),
            Tokens::Class(class) => write!(out, "<all><usersort declaration=\"class{class}\"/></all>").unwrap(),
            Tokens::Others(term) => {
                write!(out, "<subtract><subterm><all><usersort declaration=\"s{sort}\"/></all></subterm><subterm>")
                    .unwrap();
                self.write_term(sort, term, out);
                out.push_str("</subterm></subtract>");
            }
        }
    }

    fn write_expression(&self, place: usize, expression: &Expression, out: &mut String) {
        out.push_str("<structure>");
        if expression.len() != 1 {
            out.push_str(if expression.is_empty() { "<empty/>" } else { "<add>" });
        }
        for (number, components) in expression {
            if expression.len() != 1 {
                out.push_str("<subterm>");
            }
            if *number != 1 || components.len() != 1 {
                write!(
                    out,
                    "<numberof><subterm><numberconstant value=\"{number}\"><positive/></numberconstant></subterm><subterm>"
                )
                .unwrap();
            }
            match &components[..] {
                [] => out.push_str("<dotconstant/>"),
                [tokens] => self.write_tokens(self.places[place][0], tokens, out),
                [Tokens::One(Term::Var(first)), ..] if self.tuples.iter().any(|tuple| tuple.0 == *first) => {
                    write!(out, "<variable refvariable=\"w{first}\"/>").unwrap();
                }
                several => {
                    out.push_str("<tuple>");
                    for (tokens, &sort) in several.iter().zip(&self.places[place]) {
                        out.push_str("<subterm>");
                        self.write_tokens(sort, tokens, out);
                        out.push_str("</subterm>");
                    }
                    out.push_str("</tuple>");
                }
            }
            if *number != 1 || components.len() != 1 {
                out.push_str("</subterm></numberof>");
            }
            if expression.len() != 1 {
                out.push_str("</subterm>");
            }
        }
        if expression.len() > 1 {
            out.push_str("</add>");
        }
        out.push_str("</structure>");
    }

    fn write_guard(&self, guard: &Guard, out: &mut String) {
        let operands = |element: &str, guards: &[&Guard], out: &mut String| {
            write!(out, "<{element}>").unwrap();
            for guard in guards {
                out.push_str("<subterm>");
                self.write_guard(guard, out);
                out.push_str("</subterm>");
            }
            write!(out, "</{element}>").unwrap();
        };
        match guard {
            Guard::Compare(element, sort, left, right) => {
                write!(out, "<{element}><subterm>").unwrap();
                self.write_term(*sort, left, out);
                out.push_str("</subterm><subterm>");
                self.write_term(*sort, right, out);
                write!(out, "</subterm></{element}>").unwrap();
            }
            Guard::Class(equal, term, class) => {
                let element = if *equal { "equality" } else { "inequality" };
                write!(out, "<{element}><subterm><partitionelementof refpartition=\"parts\"><subterm>").unwrap();
                self.write_term(0, term, out);
                write!(
                    out,
                    "</subterm></partitionelementof></subterm><subterm><useroperator declaration=\"class{class}\"/></subterm></{element}>"
                )
                .unwrap();
            }
            Guard::Not(guard) => operands("not", &[guard], out),
            Guard::And(guards) => operands("and", &guards.iter().collect::<Vec<_>>(), out),
            Guard::Or(guards) => operands("or", &guards.iter().collect::<Vec<_>>(), out),
            Guard::Imply(premise, conclusion) => operands("imply", &[premise, conclusion], out),
        }
    }

    /// The guard and the arcs of a transition, without their frames.
    fn write_transition(&self, transition: &Transition, out: &mut String) {
        transition.guard.iter().for_each(|guard| self.write_guard(guard, out));
        for (place, expression) in transition.inputs.iter().chain(&transition.outputs) {
            self.write_expression(*place, expression, out);
        }
    }

    fn sort_id(&self, components: &[usize]) -> String {
        match components {
            [] => "black".to_owned(),
            [sort] => format!("s{sort}"),
            several => format!("x{}", several.iter().map(usize::to_string).collect::<Vec<_>>().join("x")),
        }
    }

    /// The net as PNML.
    pub(super) fn pnml(&self) -> String {
        let mut out = String::from(
            "<pnml><net id=\"random\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"><page id=\"page\">\n",
        );
        for (place, components) in self.places.iter().enumerate() {
            let sort = self.sort_id(components);
            write!(
                out,
                "<place id=\"p{place}\"><type><structure><usersort declaration=\"{sort}\"/></structure></type>"
            )
            .unwrap();
            if !self.initial[place].is_empty() {
                out.push_str("<hlinitialMarking><text>any</text>");
                self.write_expression(place, &self.initial[place], &mut out);
                out.push_str("</hlinitialMarking>");
            }
            out.push_str("</place>\n");
        }
        for (number, transition) in self.transitions.iter().enumerate() {
            write!(out, "<transition id=\"t{number}\">").unwrap();
            if let Some(guard) = &transition.guard {
                out.push_str("<condition><structure>");
                self.write_guard(guard, &mut out);
                out.push_str("</structure></condition>");
            }
            out.push_str("</transition>\n");
            let ends =
                transition.inputs.iter().map(|(place, e)| (format!("p{place}"), format!("t{number}"), *place, e));
            let ends = ends.chain(
                transition.outputs.iter().map(|(place, e)| (format!("t{number}"), format!("p{place}"), *place, e)),
            );
            for (source, target, place, expression) in ends {
                write!(out, "<arc source=\"{source}\" target=\"{target}\"><hlinscription>").unwrap();
                self.write_expression(place, expression, &mut out);
                out.push_str("</hlinscription></arc>\n");
            }
        }
        out.push_str("</page><declaration><structure><declarations>\n");
        for (first, sorts) in &self.tuples {
            let sort = self.sort_id(sorts);
            writeln!(out, "<variabledecl id=\"w{first}\"><usersort declaration=\"{sort}\"/></variabledecl>").unwrap();
        }
        let single = self.tuples.first().map_or(self.variables.len(), |tuple| tuple.0);
        for (variable, (sort, class)) in self.variables[..single].iter().enumerate() {
            let sort = class.map_or(format!("s{sort}"), |class| format!("class{class}"));
            writeln!(out, "<variabledecl id=\"v{variable}\"><usersort declaration=\"{sort}\"/></variabledecl>")
                .unwrap();
        }
        out.push_str("<partition id=\"parts\"><usersort declaration=\"s0\"/>");
        for class in 0..2 {
            write!(out, "<partitionelement id=\"class{class}\">").unwrap();
            for colour in (0..self.basics[0].size()).filter(|&colour| self.classes[colour] == class) {
                write!(out, "<useroperator declaration=\"s0c{colour}\"/>").unwrap();
            }
            out.push_str("</partitionelement>");
        }
        out.push_str("</partition>\n");
        let mut products: Vec<&Vec<usize>> = self.places.iter().filter(|components| components.len() > 1).collect();
        products.sort();
        products.dedup();
        for components in products {
            write!(out, "<namedsort id=\"{}\"><productsort>", self.sort_id(components)).unwrap();
            components.iter().for_each(|sort| write!(out, "<usersort declaration=\"s{sort}\"/>").unwrap());
            out.push_str("</productsort></namedsort>\n");
        }
        for (sort, basic) in self.basics.iter().enumerate() {
            write!(out, "<namedsort id=\"s{sort}\">").unwrap();
            match basic {
                Basic::Range(start, n) => {
                    write!(out, "<finiteintrange start=\"{start}\" end=\"{}\"/>", start + *n as i64 - 1).unwrap();
                }
                Basic::Cyclic(n) | Basic::Finite(n) => {
                    let cyclic = matches!(basic, Basic::Cyclic(_));
                    let element = if cyclic { "cyclicenumeration" } else { "finiteenumeration" };
                    write!(out, "<{element}>").unwrap();
                    (0..*n).for_each(|c| write!(out, "<feconstant id=\"s{sort}c{c}\" name=\"n{c}\"/>").unwrap());
                    write!(out, "</{element}>").unwrap();
                }
            }
            out.push_str("</namedsort>\n");
        }
        out.push_str(
            "<namedsort id=\"black\"><dot/></namedsort>\n</declarations></structure></declaration></net></pnml>\n",
        );
        out
    }
}
