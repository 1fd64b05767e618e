//! Claims about programs of which the states are not listed: first states and steps as conjunctions of conditions.
//!
//! A claim asks whether steps lead from one set into others: the product of a set with all conditions, in which a bit is
//! forgotten once nothing that is left speaks of it. Ranks are further bits, below the others.
//!
//! Sets stand for all states in them, reachable or not; claims are about the reachable ones.

use crate::certificate::{Certificate, Evidence, Located};
use crate::compiler::{Bits, Compiler, influence, leaf_of};
use crate::conditions::{Conditions, Kept, Scope};
use crate::diagram::{EMPTY, Follows, Memo, Node as Set, Store};
use crate::effort::{keep, work};
use crate::formula::{Id, Node, Pool};
use crate::functions::{FALSE, Function, Functions, Leaf, TRUE};
use crate::net::{Net, Unlisted};
use crate::proof::located;
use crate::smv::{Expr, Value};
use crate::states::{coding, turns};
use crate::tableau::{Edge, Tableau};
use crate::{Checked, Proved, refuse};
use std::collections::{BTreeSet, HashMap};

/// Where steps lead: a location, a mark, whether any rank may follow, and the labels that count.
type Aim = (usize, usize, bool, Option<Vec<usize>>);

/// So many nodes of a claim stay until the end: to forget them takes a look at all results.
const LITTLE: usize = 1 << 14;

/// What is proved so far, of a program.
struct Prover<'a> {
    net: &'a Net,
    unlisted: &'a Unlisted,
    pool: &'a Pool,
    conditions: &'a mut Conditions,
    /// The first level of the bits of ranks, and how many there are.
    ranks: Bits,
    /// The states that claims are about, and first states: of others it is not asked whether they are deadlocks.
    asked: Function,
    /// By quantified formula, states in which it is true; by state formula, what follows.
    proved: HashMap<Id, Function>,
    lower: HashMap<Id, Function>,
}

/// A level of the sets of a certificate.
struct Level {
    place: usize,
    /// The variable that it is, unless it is a definition.
    variable: Option<usize>,
    /// How many values it has, and what each is in the order of the domain.
    values: usize,
    numbers: Memo<u64>,
}

impl Level {
    fn new(unlisted: &Unlisted, place: usize) -> Checked<Level> {
        let variable = unlisted.variables.get(place).copied();
        let numbers = variable.map_or(vec![0, 1], |variable| coding(&unlisted.program.variables[variable].domain));
        keep(numbers.len())?;
        Ok(Level { place, variable, values: numbers.len(), numbers: numbers.into_iter().zip(0..).collect() })
    }
}

/// The variables of states in the order of some places, and those that are not among these.
fn ordered(states: &[usize], places: &[usize]) -> Vec<usize> {
    let mut all: Vec<usize> = places.iter().filter_map(|&place| states.get(place).copied()).collect();
    let mut named = vec![false; states.len()];
    places.iter().for_each(|&place| named.get_mut(place).into_iter().for_each(|named| *named = true));
    all.extend(states.iter().zip(named).filter(|(_, named)| !named).map(|(&variable, _)| variable));
    all
}

/// Does the certificate prove its verdict of a program? `theorem_4_cone` of `proofs/Programs.v`.
pub(crate) fn verify(net: &Net, unlisted: &Unlisted, kept: &Kept, certificate: Certificate) -> Checked<Proved> {
    let Unlisted { program, variables: states, .. } = unlisted;
    let compared = (0..certificate.pool.len()).flat_map(|id| match &certificate.pool[id] {
        Node::Compare(sum, ..) => &sum[..],
        _ => &[],
    });
    let (mut said, mut defines) = (turns(program).into_iter().collect::<Vec<usize>>(), Vec::new());
    for place in compared.map(|&(place, _)| place).chain(certificate.order.iter().copied()) {
        match states.get(place) {
            Some(&variable) => said.push(variable),
            None => defines.push(define(unlisted, net, place)?),
        }
    }
    let said = influence(program, said, &defines)?;
    let mut conditions = kept.take(program, Scope { order: ordered(states, &certificate.order), said })?;
    let proved = proved(net, unlisted, &mut conditions, certificate)?;
    // What meets a limit here is compiled again for the next certificate.
    let _not_kept = kept.keep(conditions);
    Ok(proved)
}

/// The definition that a place is.
fn define(unlisted: &Unlisted, net: &Net, place: usize) -> Checked<usize> {
    let found = unlisted.program.defines.iter().position(|define| define.0 == net.places[place].name);
    found.map_or_else(|| refuse("a place is no definition"), Ok)
}

fn proved(net: &Net, unlisted: &Unlisted, conditions: &mut Conditions, certificate: Certificate) -> Checked<Proved> {
    let Certificate { text, verdict, paths, pool, order, store, mut claims } = certificate;
    claims.sort_by_key(|claim| claim.formula);
    let sets = claims.iter().flat_map(|claim| match &claim.evidence {
        Evidence::All(sets) | Evidence::Some(sets) => &sets[..],
        _ => &[],
    });
    let sets: Vec<Set> = sets.map(|set| set.2).collect();
    let count = u32::BITS - store.highest(&sets).leading_zeros();
    let ranks = Bits { first: conditions.below, count };
    let first = conditions.first.clone();
    let (proved, lower) = (HashMap::new(), HashMap::new());
    let mut prover = Prover { net, unlisted, pool: &pool, conditions, ranks, asked: FALSE, proved, lower };
    let levels: Vec<Level> = order.iter().map(|&place| Level::new(unlisted, place)).collect::<Checked<_>>()?;
    let mut converted: Memo<Set> = Memo::from_iter([(EMPTY, FALSE)]);
    let mut all_given = Vec::new();
    for claim in &claims {
        let (Evidence::All(sets) | Evidence::Some(sets)) = &claim.evidence else {
            return refuse("of a program whose states are not listed there are claims by sets alone");
        };
        let mut given = Vec::new();
        for &(location, mark, set) in sets {
            given.push((location, mark, prover.set(&store, set, &levels, &mut converted)?));
        }
        all_given.push(given);
    }
    if (0..pool.len()).any(|id| pool[id] == Node::Deadlock) {
        let kept = prover.conditions.levels(false, Bits::default());
        prover.asked = prover.conditions.product(TRUE, &first, &kept)?;
        for &(.., set) in all_given.iter().flatten() {
            let (states, asked) = (prover.states(set)?, prover.asked);
            prover.asked = prover.functions().or(asked, states)?;
        }
    }
    for (claim, given) in claims.iter().zip(all_given) {
        let id = claim.formula;
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
    let is_empty =
        |prover: &mut Prover<'_>, set| Ok(prover.conditions.product(set, &first, &BTreeSet::new())? == FALSE);
    if is_empty(&mut prover, TRUE)? {
        return refuse("program: it has no first state");
    }
    let implied = match verdict {
        true => {
            let not = prover.conditions.compiler.functions.not(lower)?;
            is_empty(&mut prover, not)?
        }
        false => !is_empty(&mut prover, lower)?,
    };
    if !implied {
        return refuse("the claims do not imply the verdict");
    }
    Ok(Proved { formula: text, verdict, paths: paths.name() })
}

/// Are the conditions of a program, as far as variables of these names rest on them, diagrams that a check has room for, with
/// bits in the order of the names? They are kept.
pub(crate) fn compiles(net: &Net, names: &[&str], kept: &Kept) -> Checked<()> {
    let Some(Unlisted { program, variables, .. }) = &net.program else { return Ok(()) };
    let known: HashMap<&str, usize> = net.places.iter().map(|place| place.name.as_str()).zip(0..).collect();
    let places: Vec<usize> = names.iter().filter_map(|name| known.get(name).copied()).collect();
    let order = ordered(variables, &places);
    let named = places.iter().filter_map(|&place| variables.get(place).copied());
    let said = influence(program, turns(program).into_iter().chain(named).collect(), &[])?;
    kept.keep(kept.take(program, Scope { order, said })?)
}

impl Prover<'_> {
    fn compiler(&mut self) -> &mut Compiler {
        &mut self.conditions.compiler
    }

    fn functions(&mut self) -> &mut Functions {
        &mut self.conditions.compiler.functions
    }

    /// A set of a certificate: where it is, its ranks.
    fn set(&mut self, store: &Store, set: Set, levels: &[Level], converted: &mut Memo<Set>) -> Checked<Function> {
        let Some((level, below)) = levels.split_first() else {
            return Ok(if set == EMPTY { FALSE } else { self.functions().leaf(Leaf::Rank(set - 1)) });
        };
        if let Some(&known) = converted.get(&set) {
            return Ok(known);
        }
        keep(1)?;
        work(level.values)?;
        let mut of = vec![FALSE; level.values];
        for &(value, child) in store.pairs(set) {
            let child = self.set(store, child, below, converted)?;
            if let Some(&number) = level.numbers.get(&value) {
                of[number as usize] = child;
            }
        }
        let function = match level.variable {
            Some(variable) => self.compiler().by_value(variable, false, &of)?,
            None => {
                let holds = self.definition(level.place)?;
                self.functions().choice(holds, of[1], of[0])?
            }
        };
        converted.insert(set, function);
        Ok(function)
    }

    /// The states of a set, without their ranks.
    fn states(&mut self, set: Function) -> Checked<Function> {
        self.functions().map(set, &|leaf| match leaf {
            Leaf::Rank(_) => Leaf::Value(Value::Bool(true)),
            other => other.clone(),
        })
    }

    /// Has a set states of one rank at most? Then other certificates may have it as well.
    fn has_one_rank(&mut self, set: Function) -> Checked<bool> {
        Ok(self.functions().parts(set)?.1.into_iter().filter(|&leaf| leaf != FALSE).count() <= 1)
    }

    /// A set with the ranks of its states as bits.
    fn ranked(&mut self, set: Function) -> Checked<Function> {
        let Bits { first, count } = self.ranks;
        self.functions().graft(set, &|level| level, &mut |functions, leaf| {
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
        self.functions().graft(set, &|level| level + u32::from(next), &mut |functions, leaf| {
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

    /// The states of a set, with their ranks, where a step is possible.
    fn moving(&mut self, set: Function) -> Checked<Function> {
        self.conditions.moving(set, self.ranks)
    }

    /// The states of a set that satisfy `INVAR`: `reachable_allowed` of `proofs/Programs.v`.
    fn allowed(&mut self, set: Function) -> Checked<Function> {
        let Conditions { compiler, invariants, .. } = &mut *self.conditions;
        invariants.iter().try_fold(set, |set, &invariant| compiler.functions.and(set, invariant))
    }

    /// The condition that a step has one of these labels.
    fn labelled(&mut self, labels: &[usize]) -> Checked<Function> {
        let holds = |label: usize| if labels.contains(&label) { TRUE } else { FALSE };
        let of: Vec<Function> = (0..self.net.labels.len()).map(holds).collect();
        match turns(&self.unlisted.program) {
            Some(input) => self.compiler().by_value(input, false, &of),
            None => Ok(of[0]),
        }
    }

    /// The conditions of steps with some labels, or any.
    fn steps(&mut self, labels: Option<&[usize]>) -> Checked<Vec<Function>> {
        let labelled = labels.map(|labels| self.labelled(labels)).transpose()?;
        Ok(labelled.into_iter().chain(self.conditions.steps.iter().copied()).collect())
    }

    /// The states from which a step with some label, or any, leads into a set of next states, with the ranks that it has
    /// there.
    fn before(&mut self, to: Function, labels: Option<&[usize]>) -> Checked<Function> {
        let (steps, kept) = (self.steps(labels)?, self.conditions.levels(false, self.ranks));
        Ok(self.conditions.image(to, &steps, &kept)?.0)
    }

    /// States in which a state formula is proved: `own_low` of `proofs/Programs.v`.
    fn lower(&mut self, id: Id) -> Checked<Function> {
        if let Some(&known) = self.lower.get(&id) {
            return Ok(known);
        }
        let pool = self.pool;
        let set = match &pool[id] {
            Node::True => TRUE,
            Node::Deadlock => {
                let asked = self.asked;
                let moving = self.moving(asked)?;
                self.functions().without(asked, moving)?
            }
            Node::Enabled(labels) => self.before(TRUE, Some(labels))?,
            Node::Not(a) => match &pool[*a] {
                Node::Deadlock => self.moving(self.asked)?,
                Node::Enabled(labels) => {
                    let moving = self.before(TRUE, Some(labels))?;
                    self.functions().not(moving)?
                }
                _ => FALSE,
            },
            Node::Compare(sum, op, bound) => {
                let mut total = self.functions().leaf(Leaf::Value(Value::Int(0)));
                for &(place, factor) in sum {
                    let value = self.place(place)?;
                    total = self.functions().combine(total, value, &|total, value| match (total, value) {
                        (Leaf::Value(Value::Int(total)), Leaf::Value(Value::Int(value))) => {
                            let sum = value.checked_mul(factor).and_then(|value| total.checked_add(value));
                            sum.map_or(Leaf::Lack("a sum is too large"), |sum| Leaf::Value(Value::Int(sum)))
                        }
                        _ => Leaf::Lack("a definition is no truth value"),
                    })?;
                }
                let (op, bound) = (*op, *bound);
                let holds = self.functions().map(total, &|leaf| {
                    leaf_of(leaf, |value| match value {
                        Value::Int(sum) => Ok(Value::Bool(op.holds(sum.into(), bound))),
                        _ => refuse("no number"),
                    })
                })?;
                self.compiler().is_condition(holds)?;
                holds
            }
            Node::And(list) => {
                let mut all = TRUE;
                for &operand in list {
                    let operand = self.lower(operand)?;
                    all = self.functions().and(all, operand)?;
                }
                all
            }
            Node::Or(list) => {
                let mut any = FALSE;
                for &operand in list {
                    let operand = self.lower(operand)?;
                    any = self.functions().or(any, operand)?;
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
        if let Some(&variable) = self.unlisted.variables.get(place) {
            let numbers = coding(&self.unlisted.program.variables[variable].domain);
            let leaf = |number: u64| self.functions().leaf(Leaf::Value(Value::Int(number as i64)));
            let of: Vec<Function> = numbers.into_iter().map(leaf).collect();
            return self.compiler().by_value(variable, false, &of);
        }
        let holds = self.definition(place)?;
        let [no, yes] = [0, 1].map(|number| self.functions().leaf(Leaf::Value(Value::Int(number))));
        self.functions().choice(holds, yes, no)
    }

    /// Where a definition that is a place holds.
    fn definition(&mut self, place: usize) -> Checked<Function> {
        let define = define(self.unlisted, self.net, place)?;
        let value = self.compiler().value(&Expr::Define(define), false)?;
        self.compiler().is_condition(value)?;
        Ok(value)
    }

    /// The labels of steps that may take an edge; none if it says nothing of steps.
    fn labels(&self, edge: &Edge, negated: bool) -> Checked<Option<Vec<usize>>> {
        let labels = self.net.labels.len();
        work(labels * (edge.guard.len() - edge.letters(self.pool).len()))?;
        Ok(edge.labels(self.pool, labels, negated))
    }

    /// A claim that all paths satisfy a path formula, as where states are listed: `theorem_4_all` of
    /// `proofs/Programs.v`.
    fn all(&mut self, path: Id, given: &[Located]) -> Checked<Function> {
        let automaton = Tableau::new(self.pool, path, true)?;
        let sets = located(given, &automaton, 1)?;
        let set = |location| sets.get(&(location, 0)).copied().unwrap_or(FALSE);
        let classes = automaton.marks as u32 + 1;
        let next = self.conditions.levels(true, self.ranks);
        let mut little = 0;
        for (location, edges) in automaton.edges.iter().enumerate() {
            let whole = self.ranked(set(location))?;
            for edge in edges {
                let mut from = whole;
                for letter in edge.letters(self.pool) {
                    let lower = self.lower(letter)?;
                    from = self.functions().without(from, lower)?;
                }
                let mark = self.functions().count();
                let follows = Follows::Lower(classes, !edge.marks & ((1 << automaton.marks) - 1));
                let labels = self.labels(edge, true)?;
                let mut is_remembered = false;
                if labels.as_ref().is_none_or(|labels| !labels.is_empty()) {
                    let to = self.following(set(edge.target), follows, true)?;
                    let astray = self.functions().not(to)?;
                    let spoken: BTreeSet<u32> =
                        self.functions().parts(astray)?.0.intersection(&next).copied().collect();
                    let steps = [self.steps(labels.as_deref())?, self.conditions.invariants.clone()].concat();
                    let (after, stays) = match from == whole && self.has_one_rank(set(location))? {
                        true => self.conditions.image(from, &steps, &spoken)?,
                        false => (self.conditions.product(from, &steps, &spoken)?, false),
                    };
                    is_remembered = stays;
                    if self.functions().and(after, astray)? != FALSE {
                        return refuse(format!("claim A: a step leads from location {location} out of the sets"));
                    }
                }
                if edge.takes(self.pool, None, true) {
                    let to = self.following(set(edge.target), follows, false)?;
                    let elsewhere = self.functions().without(from, to)?;
                    if elsewhere != FALSE {
                        let moving = self.moving(elsewhere)?;
                        let stuck = self.functions().without(elsewhere, moving)?;
                        if self.allowed(stuck)? != FALSE {
                            return refuse(format!("claim A: a deadlock at location {location} leads out of the sets"));
                        }
                        continue;
                    }
                }
                if !is_remembered {
                    let made = self.functions().count() - mark;
                    if little + made <= LITTLE {
                        little += made;
                    } else {
                        self.functions().forget(mark, &mut [])?;
                    }
                }
            }
        }
        self.states(set(0))
    }

    /// A claim that some path satisfies a path formula, as where states are listed: `theorem_4_some` of
    /// `proofs/Programs.v`.
    fn some(&mut self, path: Id, given: &[Located]) -> Checked<Function> {
        let automaton = Tableau::new(self.pool, path, false)?;
        let turns = automaton.marks.max(1);
        let sets = located(given, &automaton, turns)?;
        // What leads there.
        let mut leading: HashMap<Aim, Function> = HashMap::new();
        for (&(location, mark), &set) in &sets {
            let mut rest = self.ranked(set)?;
            let marked = |edge: &Edge| automaton.marks == 0 || edge.marks >> mark & 1 == 1;
            let mut edges: Vec<&Edge> = automaton.edges[location].iter().collect();
            edges.sort_by_key(|edge| (automaton.top != Some(edge.target), !marked(edge)));
            for repeats in [false, true] {
                if repeats && rest != FALSE {
                    let moves = self.moving(rest)?;
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
                        from = self.functions().and(from, lower)?;
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
                            let key = (edge.target, then, marked(edge), labels);
                            match leading.get(&key) {
                                Some(&known) => known,
                                None => {
                                    let to = self.following(to, follows, true)?;
                                    let before = self.before(to, key.3.as_deref())?;
                                    leading.insert(key, before);
                                    before
                                }
                            }
                        }
                    };
                    let gone = self.functions().and(from, leads)?;
                    rest = self.functions().without(rest, gone)?;
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
