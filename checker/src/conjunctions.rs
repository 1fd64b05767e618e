//! Claims about programs of which the states are not listed: first states and steps as conjunctions of conditions.
//!
//! Each variable is some bits, for its current value and, next to each, for its next one; the values of a domain are
//! numbered as they are declared, and codes that are left over stand for the last ones again, so that every code is a
//! value. An assignment, a conjunct of `INIT`, `INVAR` or `TRANS` is a condition on bits, a diagram each. A claim asks whether steps
//! lead from one set into others: the product of a set with all conditions, in which a bit is forgotten once nothing that
//! is left speaks of it. Ranks are further bits, below the others.
//!
//! Sets stand for all states in them, reachable or not; claims are about the reachable ones.

use crate::certificate::{Certificate, Evidence, Located};
use crate::diagram::{EMPTY, Follows, Node as Set, Store};
use crate::effort::{keep, work};
use crate::formula::{Id, Node, Pool};
use crate::functions::{FALSE, Function, Functions, Leaf, TRUE};
use crate::net::{Net, Unlisted};
use crate::proof::located;
use crate::ranges::Ranges;
use crate::smv::{Expr, Program, Role, Value};
use crate::states::{Choices, Uses, apply, bits_of, coding, conjuncts, turns};
use crate::tableau::{Edge, Tableau};
use crate::{Checked, Proved, refuse};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Where the bits of a variable are: the level of the first, and how many there are. Those of the next value are one
/// below each.
#[derive(Clone, Copy, Default)]
struct Bits {
    first: u32,
    count: u32,
}

/// Expressions of a program as functions of bits.
struct Compiler<'a> {
    program: &'a Program,
    functions: Functions,
    bits: Vec<Bits>,
    /// By variable and definition: its function, of current and of next values.
    variables: HashMap<(usize, bool), Function>,
    defines: HashMap<(usize, bool), Function>,
    depth: usize,
}

impl<'a> Compiler<'a> {
    /// The state variables in this order, each input above the first of those that it decides on. Gives the first level
    /// below them as well.
    fn new(program: &'a Program, order: &[usize]) -> Checked<(Self, u32)> {
        let position: HashMap<usize, usize> = order.iter().copied().zip(0..).collect();
        let mut inputs: Vec<(usize, usize)> = Vec::new();
        let assigned = program.variables.iter().enumerate();
        let assigned = assigned.filter_map(|(variable, of)| Some((Some(variable), of.assigned[1].as_ref()?)));
        let constrained = program.conditions[2].iter().flat_map(|expr| conjuncts((expr, false)));
        let mut above: HashMap<usize, usize> = HashMap::new();
        for (variable, expr) in assigned.chain(constrained.map(|(expr, _)| (None, expr))) {
            let uses = Uses::of(program, expr)?.variables;
            let places = uses.iter().filter_map(|(used, _)| position.get(used));
            let first = variable.and_then(|variable| position.get(&variable)).or(places.min());
            for (used, _) in &uses {
                if let (Role::Input, Some(&first)) = (program.variables[*used].role, first) {
                    let place = above.entry(*used).or_insert(first);
                    *place = first.min(*place);
                }
            }
        }
        for (variable, of) in program.variables.iter().enumerate() {
            if of.role == Role::Input {
                inputs.push((above.get(&variable).copied().unwrap_or(0), variable));
            }
        }
        inputs.sort_unstable();
        let mut bits = vec![Bits::default(); program.variables.len()];
        let (mut level, mut inputs) = (0, inputs.into_iter().peekable());
        let mut add = |variable: usize| {
            let count = usize::BITS - (program.variables[variable].domain.len() - 1).leading_zeros();
            bits[variable] = Bits { first: level, count };
            level += 2 * count;
        };
        for (place, &variable) in order.iter().enumerate() {
            while let Some((_, input)) = inputs.next_if(|input| input.0 <= place) {
                add(input);
            }
            add(variable);
        }
        inputs.for_each(|(_, input)| add(input));
        let (variables, defines) = (HashMap::new(), HashMap::new());
        Ok((Compiler { program, functions: Functions::new(), bits, variables, defines, depth: 0 }, level))
    }

    /// A function of the code of a variable: what it is for each value of the domain. (Definitions among the levels of a set
    /// speak of levels above.)
    fn by_value(&mut self, variable: usize, next: bool, of: &[Function]) -> Checked<Function> {
        let Bits { first, count } = self.bits[variable];
        let mut row = of.to_vec();
        for bit in (0..count).rev() {
            let (level, last) = (first + 2 * bit + u32::from(next), row[row.len() - 1]);
            let node = |pair: &[Function]| self.functions.either(level, pair[0], *pair.get(1).unwrap_or(&last));
            row = row.chunks(2).map(node).collect::<Checked<_>>()?;
        }
        Ok(row[0])
    }

    fn variable(&mut self, variable: usize, next: bool) -> Checked<Function> {
        if let Some(&known) = self.variables.get(&(variable, next)) {
            return Ok(known);
        }
        let program = self.program;
        let domain = &program.variables[variable].domain;
        let of: Vec<Function> = domain.iter().map(|&value| self.functions.leaf(Leaf::Value(value))).collect();
        let function = self.by_value(variable, next, &of)?;
        self.variables.insert((variable, next), function);
        Ok(function)
    }

    /// The value of an expression.
    fn value(&mut self, expr: &Expr, next: bool) -> Checked<Function> {
        self.depth += 1;
        if self.depth > 20_000 {
            return refuse("program: definitions are nested too deeply, or in a circle");
        }
        let function = self.compiled(expr, next);
        self.depth -= 1;
        function
    }

    fn compiled(&mut self, expr: &Expr, next: bool) -> Checked<Function> {
        match expr {
            Expr::Const(value) => Ok(self.functions.leaf(Leaf::Value(*value))),
            Expr::Variable(variable) => self.variable(*variable, next),
            Expr::Define(define) => {
                if let Some(&known) = self.defines.get(&(*define, next)) {
                    return Ok(known);
                }
                let program = self.program;
                let function = self.value(&program.defines[*define].1, next)?;
                self.defines.insert((*define, next), function);
                Ok(function)
            }
            Expr::Next(inner) => self.value(inner, true),
            Expr::Bits(inner, high, low) => {
                let inner = self.value(inner, next)?;
                self.functions.map(inner, &|leaf| leaf_of(leaf, |value| bits_of(value, *high, *low)))
            }
            Expr::Case(cases) => {
                let lack = self.functions.leaf(Leaf::Lack("no guard of a `case` holds"));
                self.chosen(cases, next, lack, &mut |all, value| all.value(value, next))
            }
            Expr::Apply("in", operands) => {
                let [left, right] = &operands[..] else { return refuse("program: an operator without operands") };
                let left = self.value(left, next)?;
                self.member(left, right, next, None)
            }
            Expr::Apply("count", operands) => {
                let mut sum = self.functions.leaf(Leaf::Value(Value::Int(0)));
                for operand in operands {
                    let operand = self.value(operand, next)?;
                    sum = self.functions.combine(sum, operand, &|sum, one| match (sum, one) {
                        (Leaf::Value(Value::Int(sum)), Leaf::Value(Value::Bool(one))) => {
                            Leaf::Value(Value::Int(sum + i64::from(*one)))
                        }
                        _ => Leaf::Lack("`count` is of conditions"),
                    })?;
                }
                Ok(sum)
            }
            Expr::Apply(operator, operands) => {
                let values: Vec<Function> =
                    operands.iter().map(|operand| self.value(operand, next)).collect::<Checked<_>>()?;
                match (*operator, &values[..]) {
                    ("!", &[a]) if !self.is_word(a) => self.functions.not(a),
                    ("&", &[a, b]) if !self.is_word(a) => self.functions.and(a, b),
                    ("|", &[a, b]) if !self.is_word(a) => self.functions.or(a, b),
                    (_, &[a]) => self.functions.map(a, &|leaf| leaf_of(leaf, |a| apply(operator, &[a]))),
                    (_, &[a, b]) => self.functions.combine(a, b, &|a, b| match (a, b) {
                        (Leaf::Value(a), Leaf::Value(b)) => of_result(apply(operator, &[*a, *b])),
                        _ => Leaf::Lack(NO_VALUE),
                    }),
                    _ => refuse(format!("program: `{operator}` with other operands")),
                }
            }
            Expr::Set(_) | Expr::Range(..) | Expr::Name(_) => refuse("program: a set stands where a value should"),
        }
    }

    /// Is one of the values of a function a word?
    fn is_word(&self, mut function: Function) -> bool {
        while let Some(low) = self.functions.low(function) {
            function = low;
        }
        matches!(self.functions.as_leaf(function), Some(Leaf::Value(Value::Word(..))))
    }

    /// What the first case whose guard holds has.
    fn chosen(
        &mut self,
        cases: &[(Expr, Expr)],
        next: bool,
        otherwise: Function,
        of: &mut dyn FnMut(&mut Self, &Expr) -> Checked<Function>,
    ) -> Checked<Function> {
        let mut guards = Vec::new();
        for (guard, value) in cases {
            guards.push((self.value(guard, next)?, of(self, value)?));
        }
        guards.iter().rev().try_fold(otherwise, |rest, &(guard, value)| self.functions.choice(guard, value, rest))
    }

    /// Is a value one of those that an expression may be? These have to be of a domain, if one is given.
    fn member(
        &mut self,
        value: Function,
        expr: &Expr,
        next: bool,
        domain: Option<&HashSet<Value>>,
    ) -> Checked<Function> {
        match expr {
            Expr::Set(members) | Expr::Apply("union", members) => {
                let mut any = FALSE;
                for member in members {
                    let one = self.member(value, member, next, domain)?;
                    // What has no value beside what is chosen has none.
                    any = self.functions.combine(any, one, &|a, b| match (a, b) {
                        (Leaf::Value(Value::Bool(a)), Leaf::Value(Value::Bool(b))) => {
                            Leaf::Value(Value::Bool(*a || *b))
                        }
                        _ => Leaf::Lack(NO_VALUE),
                    })?;
                }
                Ok(any)
            }
            Expr::Range(low, high) => {
                let outside = |domain: &HashSet<Value>| {
                    high - low >= domain.len() as i64 || (*low..=*high).any(|one| !domain.contains(&Value::Int(one)))
                };
                if domain.is_some_and(outside) {
                    return Ok(self.functions.leaf(Leaf::Lack(OUTSIDE)));
                }
                self.functions.map(value, &|leaf| {
                    leaf_of(leaf, |value| {
                        Ok(Value::Bool(matches!(value, Value::Int(number) if (*low..=*high).contains(&number))))
                    })
                })
            }
            Expr::Case(cases) => {
                let lack = self.functions.leaf(Leaf::Lack("no guard of a `case` holds"));
                self.chosen(cases, next, lack, &mut |all, chosen| all.member(value, chosen, next, domain))
            }
            Expr::Define(define) => {
                let program = self.program;
                self.member(value, &program.defines[*define].1, next, domain)
            }
            Expr::Next(inner) => self.member(value, inner, true, domain),
            _ => {
                let own = self.value(expr, next)?;
                self.functions.combine(own, value, &|own, value| match (own, value) {
                    (Leaf::Value(own), _) if domain.is_some_and(|domain| !domain.contains(own)) => Leaf::Lack(OUTSIDE),
                    (Leaf::Value(own), Leaf::Value(value)) => Leaf::Value(Value::Bool(own == value)),
                    _ => Leaf::Lack(NO_VALUE),
                })
            }
        }
    }

    /// That a variable has a value that it is assigned.
    fn assigned(&mut self, variable: usize, next: bool, expr: &Expr, primed: bool) -> Checked<Function> {
        let program = self.program;
        let domain: HashSet<Value> = program.variables[variable].domain.iter().copied().collect();
        let value = self.variable(variable, next)?;
        self.member(value, expr, primed, Some(&domain))
    }

    /// The definition that a place is.
    fn define(&self, net: &Net, place: usize) -> Checked<usize> {
        let found = self.program.defines.iter().position(|define| define.0 == net.places[place].name);
        found.map_or_else(|| refuse("a place is no definition"), Ok)
    }

    /// What a variable is assigned in first states, or in steps: the condition that it has such a value.
    fn assignment(&mut self, number: usize, steps: bool) -> Checked<Option<Function>> {
        let [first, next, always] = &self.program.variables[number].assigned;
        let expr = if steps { next } else { first }.as_ref().map(|expr| (expr, false));
        let expr = expr.or(always.as_ref().map(|expr| (expr, steps)));
        expr.map(|(expr, primed)| self.assigned(number, steps, expr, primed)).transpose()
    }

    /// First states, or steps: conditions whose conjunction they are, but for what is assigned to variables that are not
    /// inside.
    fn demands(&mut self, inside: &[bool], steps: bool) -> Checked<Vec<Function>> {
        let program = self.program;
        let mut demands = Vec::new();
        for (number, variable) in program.variables.iter().enumerate().filter(|&(number, _)| inside[number]) {
            if steps && variable.role == Role::Frozen {
                let [before, after] = [self.variable(number, false)?, self.variable(number, true)?];
                demands.push(self.functions.combine(before, after, &|a, b| Leaf::Value(Value::Bool(a == b)))?);
            }
            demands.extend(self.assignment(number, steps)?);
        }
        let [init, invar, trans] = &program.conditions;
        let own = if steps { trans } else { init }.iter().map(|expr| (expr, false));
        for (expr, primed) in own.chain(invar.iter().map(|expr| (expr, steps))).flat_map(conjuncts) {
            demands.push(self.value(expr, primed)?);
        }
        demands.iter().try_for_each(|&demand| self.is_condition(demand))?;
        Ok(demands)
    }

    /// Does a variable have a value that it is assigned, at first and next, whatever all others are?
    fn is_possible(&mut self, variable: usize) -> Checked<bool> {
        let Bits { first, count } = self.bits[variable];
        for next in [false, true] {
            let Some(demand) = self.assignment(variable, next)? else { continue };
            self.is_condition(demand)?;
            let own = (0..count).map(|bit| first + 2 * bit + u32::from(next)).collect();
            let bits = self.functions.bits(&own)?;
            if self.functions.meet(demand, TRUE, bits)? != TRUE {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// By variable: does anything rest on it that is said of some variables and definitions? All that may block a step
    /// does.
    fn cone(&mut self, mut said: Vec<usize>, defines: &[usize]) -> Checked<Vec<bool>> {
        let program = self.program;
        said.extend(turns(program));
        let (mut ranges, mut proved) = (Ranges::new(program), vec![false; program.variables.len()]);
        loop {
            let inside = influence(program, said.clone(), defines)?;
            let before = said.len();
            for variable in (0..inside.len()).filter(|&variable| !inside[variable]) {
                if !proved[variable] {
                    proved[variable] = ranges.are_assigned(variable)? || self.is_possible(variable)?;
                    if !proved[variable] {
                        said.push(variable);
                    }
                }
            }
            if said.len() == before {
                return Ok(inside);
            }
        }
    }

    /// The conjuncts of `INVAR`.
    fn invariants(&mut self) -> Checked<Vec<Function>> {
        let program = self.program;
        let of = program.conditions[1].iter().flat_map(|expr| conjuncts((expr, false)));
        of.map(|(expr, _)| self.value(expr, false)).collect()
    }

    /// Refuses what is not true or false everywhere.
    fn is_condition(&self, function: Function) -> Checked<()> {
        for leaf in self.functions.parts(function)?.1 {
            match self.functions.as_leaf(leaf) {
                Some(Leaf::Value(Value::Bool(_))) => {}
                Some(Leaf::Lack(why)) => return refuse(format!("program: {why}")),
                _ => return refuse("program: a condition is no truth value"),
            }
        }
        Ok(())
    }
}

/// By variable: is it said of, or by a definition that is, or by a condition of the program, or by an assignment of such a
/// variable?
fn influence(program: &Program, mut said: Vec<usize>, defines: &[usize]) -> Checked<Vec<bool>> {
    let uses = |expr: &Expr, said: &mut Vec<usize>| {
        said.extend(Uses::of(program, expr)?.variables.into_iter().map(|(variable, _)| variable));
        Checked::Ok(())
    };
    let defined = defines.iter().map(|&define| &program.defines[define].1);
    program.conditions.iter().flatten().chain(defined).try_for_each(|expr| uses(expr, &mut said))?;
    let mut inside = vec![false; program.variables.len()];
    while let Some(variable) = said.pop() {
        if !std::mem::replace(&mut inside[variable], true) {
            program.variables[variable].assigned.iter().flatten().try_for_each(|expr| uses(expr, &mut said))?;
        }
    }
    Ok(inside)
}

const NO_VALUE: &str = "an operator has no value";
const OUTSIDE: &str = "a variable is assigned a value outside of its domain";

fn of_result(result: Checked<Value>) -> Leaf {
    result.map_or(Leaf::Lack(NO_VALUE), Leaf::Value)
}

fn leaf_of(leaf: &Leaf, with: impl Fn(Value) -> Checked<Value>) -> Leaf {
    match leaf {
        Leaf::Value(value) => of_result(with(*value)),
        _ => Leaf::Lack(NO_VALUE),
    }
}

/// What is proved so far, of a program.
struct Prover<'a> {
    net: &'a Net,
    /// The variables that states have, in the order of the places.
    variables: &'a [usize],
    pool: &'a Pool,
    compiler: Compiler<'a>,
    /// The conditions of steps, and those of `INVAR`, which all reachable states satisfy.
    steps: Vec<Function>,
    invariants: Vec<Function>,
    /// The first level of the bits of ranks, and how many there are.
    ranks: Bits,
    /// Where a step is possible.
    moving: Option<Function>,
    /// By quantified formula, states in which it is true; by state formula, what follows.
    proved: HashMap<Id, Function>,
    lower: HashMap<Id, Function>,
}

/// Does the certificate prove its verdict of a program?
pub(crate) fn verify(net: &Net, unlisted: &Unlisted, certificate: Certificate) -> Checked<Proved> {
    let Certificate { text, verdict, paths, pool, order, store, mut claims } = certificate;
    let Unlisted { program, variables: states, .. } = unlisted;
    let count = states.len();
    let others = (0..count).filter(|place| !order.contains(place));
    let of_places = order.iter().copied().chain(others);
    let variables: Vec<usize> = of_places.filter_map(|place| states.get(place).copied()).collect();
    let (mut compiler, ranks) = Compiler::new(program, &variables)?;
    // What a program may not say is refused as where states are listed.
    [false, true].into_iter().try_for_each(|steps| Choices::new(program, steps).map(drop))?;
    // What nothing here rests on is left out.
    let compared = (0..pool.len()).flat_map(|id| match &pool[id] {
        Node::Compare(sum, ..) => &sum[..],
        _ => &[],
    });
    let (mut said, mut defines) = (Vec::new(), Vec::new());
    for place in compared.map(|&(place, _)| place).chain(order.iter().copied()) {
        match states.get(place) {
            Some(&variable) => said.push(variable),
            None => defines.push(compiler.define(net, place)?),
        }
    }
    let inside = compiler.cone(said, &defines)?;
    let (first, steps) = (compiler.demands(&inside, false)?, compiler.demands(&inside, true)?);
    let invariants = compiler.invariants()?;
    claims.sort_by_key(|claim| claim.formula);
    let sets = claims.iter().flat_map(|claim| match &claim.evidence {
        Evidence::All(sets) | Evidence::Some(sets) => &sets[..],
        _ => &[],
    });
    let sets: Vec<Set> = sets.map(|set| set.2).collect();
    let count = u32::BITS - store.highest(&sets).leading_zeros();
    let ranks = Bits { first: ranks, count };
    let (moving, proved, lower) = (None, HashMap::new(), HashMap::new());
    let mut prover =
        Prover { net, variables: states, pool: &pool, compiler, steps, invariants, ranks, moving, proved, lower };
    let mut converted: HashMap<Set, Function> = HashMap::from([(EMPTY, FALSE)]);
    for claim in &claims {
        let id = claim.formula;
        let (Evidence::All(sets) | Evidence::Some(sets)) = &claim.evidence else {
            return refuse("of a program whose states are not listed there are claims by sets alone");
        };
        let mut given = Vec::new();
        for &(location, mark, set) in sets {
            given.push((location, mark, prover.set(&store, 0, set, &order, &mut converted)?));
        }
        let set = match (if id < pool.len() { &pool[id] } else { &Node::True }, &claim.evidence) {
            (Node::Forall(path), Evidence::All(_)) => prover.all(*path, &given)?,
            (Node::Exists(path), Evidence::Some(_)) => prover.some(*path, &given)?,
            _ => return refuse(format!("claim {id}: no formula of this kind")),
        };
        prover.lower.clear();
        if prover.proved.insert(id, set).is_some() {
            return refuse(format!("claim {id} is made twice"));
        }
    }
    let lower = prover.lower(pool.len() - 1)?;
    let is_empty = |prover: &mut Prover<'_>, set| Ok(prover.product(set, &first, &BTreeSet::new())? == FALSE);
    if is_empty(&mut prover, TRUE)? {
        return refuse("program: it has no first state");
    }
    let implied = match verdict {
        true => {
            let not = prover.compiler.functions.not(lower)?;
            is_empty(&mut prover, not)?
        }
        false => !is_empty(&mut prover, lower)?,
    };
    if !implied {
        return refuse("the claims do not imply the verdict");
    }
    Ok(Proved { formula: text, verdict, paths: paths.name() })
}

/// Are the conditions of a program, as far as variables of these names rest on them, diagrams that a check has room for?
pub(crate) fn compiles(net: &Net, names: &[&str]) -> Checked<()> {
    let Some(Unlisted { program, variables, .. }) = &net.program else { return Ok(()) };
    let (mut compiler, _) = Compiler::new(program, variables)?;
    let known: HashMap<&str, usize> =
        program.variables.iter().map(|variable| variable.name.as_str()).zip(0..).collect();
    let said = names.iter().filter_map(|name| known.get(name).copied()).collect();
    let inside = compiler.cone(said, &[])?;
    [false, true].into_iter().try_for_each(|steps| compiler.demands(&inside, steps).map(drop))
}

impl Prover<'_> {
    /// A set of a certificate: where it is, its ranks.
    fn set(
        &mut self,
        store: &Store,
        level: usize,
        set: Set,
        order: &[usize],
        converted: &mut HashMap<Set, Function>,
    ) -> Checked<Function> {
        if level == order.len() {
            return Ok(if set == EMPTY { FALSE } else { self.compiler.functions.leaf(Leaf::Rank(set - 1)) });
        }
        if let Some(&known) = converted.get(&set) {
            return Ok(known);
        }
        let variable = self.variables.get(order[level]).copied();
        let numbers = variable.map_or(vec![0, 1], |variable| coding(&self.compiler.program.variables[variable].domain));
        keep(1)?;
        work(numbers.len())?;
        let number: HashMap<u64, usize> = numbers.iter().copied().zip(0..).collect();
        let mut of = vec![FALSE; numbers.len()];
        for &(value, child) in store.pairs(set) {
            let child = self.set(store, level + 1, child, order, converted)?;
            if let Some(&number) = number.get(&value) {
                of[number] = child;
            }
        }
        let function = match variable {
            Some(variable) => self.compiler.by_value(variable, false, &of)?,
            None => {
                let holds = self.definition(order[level])?;
                self.compiler.functions.choice(holds, of[1], of[0])?
            }
        };
        converted.insert(set, function);
        Ok(function)
    }

    /// The states of a set, without their ranks.
    fn states(&mut self, set: Function) -> Checked<Function> {
        self.compiler.functions.map(set, &|leaf| match leaf {
            Leaf::Rank(_) => Leaf::Value(Value::Bool(true)),
            other => other.clone(),
        })
    }

    /// A set with the ranks of its states as bits.
    fn ranked(&mut self, set: Function) -> Checked<Function> {
        let Bits { first, count } = self.ranks;
        self.compiler.functions.graft(set, &|level| level, &mut |functions, leaf| {
            let Some(&Leaf::Rank(rank)) = functions.as_leaf(leaf) else { return Ok(leaf) };
            (0..count).rev().try_fold(TRUE, |below, bit| match rank >> (count - 1 - bit) & 1 {
                0 => functions.node(first + bit, below, FALSE),
                _ => functions.node(first + bit, FALSE, below),
            })
        })
    }

    /// The states of a set with the ranks that its own may follow; as next states, if asked.
    fn following(&mut self, set: Function, follows: Follows, next: bool) -> Checked<Function> {
        let Bits { first, count } = self.ranks;
        self.compiler.functions.graft(set, &|level| level + u32::from(next), &mut |functions, leaf| {
            let Some(&Leaf::Rank(rank)) = functions.as_leaf(leaf) else { return Ok(leaf) };
            let least = match follows {
                Follows::Any => return Ok(TRUE),
                Follows::Lower(modulus, same) => u64::from(rank) + u64::from(same >> (rank % modulus) & 1 == 0),
            };
            if least >> count != 0 {
                return Ok(FALSE);
            }
            // The ranks from `least` on.
            (0..count).rev().try_fold(TRUE, |below, bit| match least >> (count - 1 - bit) & 1 {
                0 => functions.node(first + bit, below, TRUE),
                _ => functions.node(first + bit, FALSE, below),
            })
        })
    }

    /// The conjunction of some conditions, in which all levels but some are forgotten, each once nothing speaks of it.
    fn product(&mut self, seed: Function, parts: &[Function], kept: &BTreeSet<u32>) -> Checked<Function> {
        let functions = &mut self.compiler.functions;
        let mut open: Vec<(Function, BTreeSet<u32>)> = vec![(seed, functions.parts(seed)?.0)];
        for &part in parts {
            open.push((part, functions.parts(part)?.0));
        }
        let mut count: HashMap<u32, usize> = HashMap::new();
        open.iter().flat_map(|part| &part.1).for_each(|&level| *count.entry(level).or_default() += 1);
        // What one condition alone speaks of, until there is no more.
        for (part, levels) in &mut open {
            let alone: BTreeSet<u32> =
                levels.iter().copied().filter(|level| !kept.contains(level) && count[level] == 1).collect();
            if !alone.is_empty() {
                let bits = functions.bits(&alone)?;
                *part = functions.meet(*part, TRUE, bits)?;
                let left = functions.parts(*part)?.0;
                levels.difference(&left).for_each(|level| *count.entry(*level).or_default() -= 1);
                *levels = left;
            }
        }
        let (mut product, mut levels) = open.remove(0);
        while !open.is_empty() {
            if product == FALSE {
                return Ok(FALSE);
            }
            // The condition after which most levels are forgotten, and fewest are new.
            let rest = |level: &u32, own: &BTreeSet<u32>, all: &BTreeSet<u32>| {
                count[level] - usize::from(own.contains(level)) - usize::from(all.contains(level)) == 0
            };
            let mut best: Option<(i64, usize)> = None;
            for (at, (_, own)) in open.iter().enumerate() {
                work(own.len() + 1)?;
                let gone = own.iter().filter(|level| !kept.contains(level) && rest(level, own, &levels)).count() as i64;
                let new = own.difference(&levels).count() as i64;
                if best.is_none_or(|(score, _)| 2 * gone - new > score) {
                    best = Some((2 * gone - new, at));
                }
            }
            let (part, own) = open.swap_remove(best.map_or(0, |best| best.1));
            let gone: BTreeSet<u32> =
                own.union(&levels).copied().filter(|l| !kept.contains(l) && rest(l, &own, &levels)).collect();
            let bits = functions.bits(&gone)?;
            product = functions.meet(product, part, bits)?;
            own.iter().chain(&levels).for_each(|level| *count.entry(*level).or_default() -= 1);
            levels = functions.parts(product)?.0;
            levels.iter().for_each(|level| *count.entry(*level).or_default() += 1);
        }
        let gone: BTreeSet<u32> = levels.difference(kept).copied().collect();
        let bits = functions.bits(&gone)?;
        functions.meet(product, TRUE, bits)
    }

    /// The states of a set that satisfy `INVAR`.
    fn allowed(&mut self, set: Function) -> Checked<Function> {
        let functions = &mut self.compiler.functions;
        self.invariants.iter().try_fold(set, |set, &invariant| functions.and(set, invariant))
    }

    /// The levels of states, current or next ones, and of ranks.
    fn levels(&self, next: bool) -> BTreeSet<u32> {
        let of = |&variable: &usize| {
            let Bits { first, count } = self.compiler.bits[variable];
            (0..count).map(move |bit| first + 2 * bit + u32::from(next))
        };
        let ranks = self.ranks.first..self.ranks.first + self.ranks.count;
        self.variables.iter().flat_map(of).chain(ranks).collect()
    }

    /// The condition that a step has one of these labels.
    fn labelled(&mut self, labels: &[usize]) -> Checked<Function> {
        let holds = |label: usize| if labels.contains(&label) { TRUE } else { FALSE };
        let of: Vec<Function> = (0..self.net.labels.len()).map(holds).collect();
        match turns(self.compiler.program) {
            Some(input) => self.compiler.by_value(input, false, &of),
            None => Ok(of[0]),
        }
    }

    /// The conditions of steps with some labels, or any.
    fn steps(&mut self, labels: Option<&[usize]>) -> Checked<Vec<Function>> {
        let labelled = labels.map(|labels| self.labelled(labels)).transpose()?;
        Ok(labelled.into_iter().chain(self.steps.iter().copied()).collect())
    }

    /// The states from which a step with some label, or any, leads into a set of next states, with the ranks that it has
    /// there.
    fn before(&mut self, to: Function, labels: Option<&[usize]>) -> Checked<Function> {
        let (steps, kept) = (self.steps(labels)?, self.levels(false));
        self.product(to, &steps, &kept)
    }

    /// Where a step is possible.
    fn moving(&mut self) -> Checked<Function> {
        if self.moving.is_none() {
            self.moving = Some(self.before(TRUE, None)?);
        }
        Ok(self.moving.unwrap_or(FALSE))
    }

    /// States in which a state formula is proved.
    fn lower(&mut self, id: Id) -> Checked<Function> {
        if let Some(&known) = self.lower.get(&id) {
            return Ok(known);
        }
        let pool = self.pool;
        let set = match &pool[id] {
            Node::True => TRUE,
            Node::Deadlock => {
                let moving = self.moving()?;
                self.compiler.functions.not(moving)?
            }
            Node::Enabled(labels) => self.before(TRUE, Some(labels))?,
            Node::Not(a) => match &pool[*a] {
                Node::Deadlock => self.moving()?,
                Node::Enabled(labels) => {
                    let moving = self.before(TRUE, Some(labels))?;
                    self.compiler.functions.not(moving)?
                }
                _ => FALSE,
            },
            Node::Compare(sum, op, bound) => {
                let mut total = self.compiler.functions.leaf(Leaf::Value(Value::Int(0)));
                for &(place, factor) in sum {
                    let value = self.place(place)?;
                    total = self.compiler.functions.combine(total, value, &|total, value| match (total, value) {
                        (Leaf::Value(Value::Int(total)), Leaf::Value(Value::Int(value))) => {
                            let sum = value.checked_mul(factor).and_then(|value| total.checked_add(value));
                            sum.map_or(Leaf::Lack("a sum is too large"), |sum| Leaf::Value(Value::Int(sum)))
                        }
                        _ => Leaf::Lack("a definition is no truth value"),
                    })?;
                }
                let (op, bound) = (*op, *bound);
                let holds = self.compiler.functions.map(total, &|leaf| {
                    leaf_of(leaf, |value| match value {
                        Value::Int(sum) => Ok(Value::Bool(op.holds(sum.into(), bound))),
                        _ => refuse("no number"),
                    })
                })?;
                self.compiler.is_condition(holds)?;
                holds
            }
            Node::And(list) => {
                let mut all = TRUE;
                for &operand in list {
                    let operand = self.lower(operand)?;
                    all = self.compiler.functions.and(all, operand)?;
                }
                all
            }
            Node::Or(list) => {
                let mut any = FALSE;
                for &operand in list {
                    let operand = self.lower(operand)?;
                    any = self.compiler.functions.or(any, operand)?;
                }
                any
            }
            Node::Exists(_) | Node::Forall(_) => self.proved.get(&id).copied().unwrap_or(FALSE),
            _ => FALSE,
        };
        self.lower.insert(id, set);
        Ok(set)
    }

    /// The number in a place.
    fn place(&mut self, place: usize) -> Checked<Function> {
        if let Some(&variable) = self.variables.get(place) {
            let numbers = coding(&self.compiler.program.variables[variable].domain);
            let leaf = |number: u64| self.compiler.functions.leaf(Leaf::Value(Value::Int(number as i64)));
            let of: Vec<Function> = numbers.into_iter().map(leaf).collect();
            return self.compiler.by_value(variable, false, &of);
        }
        let holds = self.definition(place)?;
        let [no, yes] = [0, 1].map(|number| self.compiler.functions.leaf(Leaf::Value(Value::Int(number))));
        self.compiler.functions.choice(holds, yes, no)
    }

    /// Where a definition that is a place holds.
    fn definition(&mut self, place: usize) -> Checked<Function> {
        let define = self.compiler.define(self.net, place)?;
        let value = self.compiler.value(&Expr::Define(define), false)?;
        self.compiler.is_condition(value)?;
        Ok(value)
    }

    /// The labels of steps that may take an edge; none if it says nothing of steps.
    fn labels(&self, edge: &Edge, negated: bool) -> Checked<Option<Vec<usize>>> {
        let labels = self.net.labels.len();
        work(labels * (edge.guard.len() - edge.letters(self.pool).len()))?;
        Ok(edge.labels(self.pool, labels, negated))
    }

    /// A claim that all paths satisfy a path formula, as where states are listed.
    fn all(&mut self, path: Id, given: &[Located]) -> Checked<Function> {
        let automaton = Tableau::new(self.pool, path, true)?;
        let sets = located(given, &automaton, 1)?;
        let set = |location| sets.get(&(location, 0)).copied().unwrap_or(FALSE);
        let classes = automaton.marks as u32 + 1;
        let next = self.levels(true);
        for (location, edges) in automaton.edges.iter().enumerate() {
            for edge in edges {
                let mut from = self.ranked(set(location))?;
                for letter in edge.letters(self.pool) {
                    let lower = self.lower(letter)?;
                    from = self.compiler.functions.without(from, lower)?;
                }
                let mark = self.compiler.functions.count();
                let follows = Follows::Lower(classes, !edge.marks & ((1 << automaton.marks) - 1));
                let labels = self.labels(edge, true)?;
                if labels.as_ref().is_none_or(|labels| !labels.is_empty()) {
                    let to = self.following(set(edge.target), follows, true)?;
                    let astray = self.compiler.functions.not(to)?;
                    let spoken: BTreeSet<u32> =
                        self.compiler.functions.parts(astray)?.0.intersection(&next).copied().collect();
                    let steps = [self.steps(labels.as_deref())?, self.invariants.clone()].concat();
                    let after = self.product(from, &steps, &spoken)?;
                    if self.compiler.functions.and(after, astray)? != FALSE {
                        return refuse(format!("claim A: a step leads from location {location} out of the sets"));
                    }
                }
                if edge.takes(self.pool, None, true) {
                    let to = self.following(set(edge.target), follows, false)?;
                    let elsewhere = self.compiler.functions.without(from, to)?;
                    if elsewhere != FALSE {
                        let moving = self.moving()?;
                        let stuck = self.compiler.functions.without(elsewhere, moving)?;
                        if self.allowed(stuck)? != FALSE {
                            return refuse(format!("claim A: a deadlock at location {location} leads out of the sets"));
                        }
                        continue;
                    }
                }
                self.compiler.functions.forget(mark, &mut [])?;
            }
        }
        self.states(set(0))
    }

    /// A claim that some path satisfies a path formula, as where states are listed.
    fn some(&mut self, path: Id, given: &[Located]) -> Checked<Function> {
        let automaton = Tableau::new(self.pool, path, false)?;
        let turns = automaton.marks.max(1);
        let sets = located(given, &automaton, turns)?;
        for (&(location, mark), &set) in &sets {
            let mut rest = self.ranked(set)?;
            let marked = |edge: &Edge| automaton.marks == 0 || edge.marks >> mark & 1 == 1;
            let mut edges: Vec<&Edge> = automaton.edges[location].iter().collect();
            edges.sort_by_key(|edge| (automaton.top != Some(edge.target), !marked(edge)));
            for repeats in [false, true] {
                if repeats && rest != FALSE {
                    let moving = self.moving()?;
                    let moves = self.compiler.functions.and(rest, moving)?;
                    if self.allowed(moves)? != FALSE {
                        return refuse(format!("claim E: no step leads on from location {location}"));
                    }
                }
                for edge in &edges {
                    if rest == FALSE || repeats && !edge.takes(self.pool, None, false) {
                        continue;
                    }
                    let labels = if repeats { None } else { self.labels(edge, false)? };
                    let then = if marked(edge) { (mark + 1) % turns } else { mark };
                    let follows = if marked(edge) { Follows::Any } else { Follows::Lower(1, 0) };
                    let mut from = rest;
                    for letter in edge.letters(self.pool) {
                        let lower = self.lower(letter)?;
                        from = self.compiler.functions.and(from, lower)?;
                    }
                    let leads = match (automaton.top == Some(edge.target), sets.get(&(edge.target, then))) {
                        // That the path goes on is known, but not by which step.
                        (true, _) => match &labels {
                            Some(labels) => self.before(TRUE, Some(labels))?,
                            None => TRUE,
                        },
                        (false, None) => continue,
                        (false, Some(&to)) if repeats => self.following(to, follows, false)?,
                        (false, Some(&to)) => {
                            let to = self.following(to, follows, true)?;
                            self.before(to, labels.as_deref())?
                        }
                    };
                    let gone = self.compiler.functions.and(from, leads)?;
                    rest = self.compiler.functions.without(rest, gone)?;
                }
            }
            if self.allowed(rest)? != FALSE {
                return refuse(format!("claim E: a deadlock at location {location} has no way on"));
            }
        }
        match sets.get(&(0, 0)) {
            Some(&set) => self.states(set),
            None => Ok(FALSE),
        }
    }
}
