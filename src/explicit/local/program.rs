//! A CTL formula as searches for paths, and conditions on single states.

use crate::explicit::ctl::{BEYOND, conditions};
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;

/// Formulas nested deeper than this are left to other engines.
const MAX_NESTING: u32 = 200;

/// Index of a state formula.
pub(in crate::explicit) type Node = usize;

/// A state formula; operands come before it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::explicit) enum State {
    /// The condition of this proposition.
    Condition(usize),
    Not(Node),
    And(Vec<Node>),
    Or(Vec<Node>),
    Iff(Node, Node),
    /// There is a path of this kind.
    Some(usize),
}

/// A kind of paths from a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::explicit) enum PathKind {
    /// Whose second state satisfies the operand.
    Next(Node),
    /// Through states with the first operand to one with the second.
    Until(Node, Node),
    /// That stay where the operand holds.
    Always(Node),
    /// Either of the last two.
    WeakUntil(Node, Node),
}

/// A formula, ready to be decided.
#[derive(Debug)]
pub(in crate::explicit) struct Program {
    pub(in crate::explicit) states: Vec<State>,
    pub(in crate::explicit) paths: Vec<PathKind>,
    /// How deep searches are nested in a state formula: 0 for those decided by the values alone.
    nesting: Vec<u32>,
    /// The formula.
    pub(in crate::explicit) root: Node,
    /// The propositions.
    pub(in crate::explicit) conditions: Vec<FormulaId>,
}

impl Program {
    /// Translate a state formula of CTL.
    ///
    /// # Errors
    /// When it is none, or nested too deeply.
    pub(in crate::explicit) fn new(
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
    ) -> Result<Program, StopReason> {
        if pool.depth(formula) > MAX_NESTING {
            return Err(StopReason::Unsupported("the explicit engine does not decide formulas nested this deeply"));
        }
        let all = pool.subformulas(&[formula]);
        let (single, largest) = conditions(pool, formula, &all);
        let program =
            Program { states: Vec::new(), paths: Vec::new(), nesting: Vec::new(), root: 0, conditions: largest };
        let mut builder = Builder { program, known: FxHashMap::default(), searches: FxHashMap::default() };
        let mut nodes: FxHashMap<FormulaId, Node> = FxHashMap::default();
        for (proposition, id) in builder.program.conditions.clone().into_iter().enumerate() {
            let node = builder.add(State::Condition(proposition));
            nodes.insert(id, node);
        }
        // Where paths begin, unless they do everywhere.
        let begins = match paths {
            PathSemantics::Infinite => {
                let everywhere = builder.junction(Vec::new(), true);
                Some(builder.search(PathKind::Always(everywhere)))
            }
            PathSemantics::Maximal | PathSemantics::Stutter => None,
        };
        for id in all {
            if pool.is_state(id) && !single.contains(&id) {
                let node = builder.state(pool, id, &nodes, begins)?;
                nodes.insert(id, node);
            }
        }
        let mut program = builder.program;
        program.root = *nodes.get(&formula).ok_or(BEYOND)?;
        Ok(program)
    }

    /// Do the paths of this kind lead to some goal through any states?
    pub(in crate::explicit) fn is_reachability(&self, search: usize) -> bool {
        match self.paths[search] {
            PathKind::Until(within, _) => self.states[within] == State::And(Vec::new()),
            _ => false,
        }
    }

    /// The operands of a conjunction or disjunction: those decided by the values alone, then the others, another one
    /// first in each attempt.
    pub(in crate::explicit) fn in_turn<'a>(
        &self,
        operands: &'a [Node],
        attempt: u32,
    ) -> impl Iterator<Item = Node> + use<'a> {
        let (single, others) = operands.split_at(operands.partition_point(|&node| self.is_single(node)));
        let (last, first) = others.split_at(attempt as usize % others.len().max(1));
        single.iter().chain(first).chain(last).copied()
    }

    /// Is a state formula decided by the values alone?
    pub(in crate::explicit) fn is_single(&self, node: Node) -> bool {
        self.nesting[node] == 0
    }
}

/// A program in the making.
struct Builder {
    program: Program,
    known: FxHashMap<State, Node>,
    searches: FxHashMap<PathKind, usize>,
}

impl Builder {
    fn add(&mut self, state: State) -> Node {
        if let Some(&node) = self.known.get(&state) {
            return node;
        }
        let nesting = &self.program.nesting;
        let deepest = |nodes: &[Node]| nodes.iter().map(|&node| nesting[node]).max().unwrap_or(0);
        let depth = match &state {
            State::Condition(_) => 0,
            State::Not(a) => nesting[*a],
            State::And(operands) | State::Or(operands) => deepest(operands),
            State::Iff(a, b) => deepest(&[*a, *b]),
            State::Some(search) => {
                1 + match self.program.paths[*search] {
                    PathKind::Next(a) | PathKind::Always(a) => nesting[a],
                    PathKind::Until(a, b) | PathKind::WeakUntil(a, b) => deepest(&[a, b]),
                }
            }
        };
        let node = self.program.states.len();
        self.program.states.push(state.clone());
        self.program.nesting.push(depth);
        self.known.insert(state, node);
        node
    }

    fn search(&mut self, path: PathKind) -> Node {
        let next = self.program.paths.len();
        let search = *self.searches.entry(path).or_insert(next);
        if search == next {
            self.program.paths.push(path);
        }
        self.add(State::Some(search))
    }

    fn not(&mut self, node: Node) -> Node {
        match self.program.states[node] {
            State::Not(a) => a,
            _ => self.add(State::Not(node)),
        }
    }

    /// The conjunction of some operands, or their disjunction: cheap ones first.
    fn junction(&mut self, mut operands: Vec<Node>, and: bool) -> Node {
        operands.sort_by_key(|&node| self.program.nesting[node]);
        self.add(if and { State::And(operands) } else { State::Or(operands) })
    }

    fn state(
        &mut self,
        pool: &Pool,
        id: FormulaId,
        nodes: &FxHashMap<FormulaId, Node>,
        begins: Option<Node>,
    ) -> Result<Node, StopReason> {
        let of = |id: &FormulaId| nodes.get(id).copied().ok_or(BEYOND);
        let all = |operands: &[FormulaId]| operands.iter().map(of).collect::<Result<Vec<Node>, StopReason>>();
        Ok(match &pool[id] {
            Formula::Not(a) => self.not(of(a)?),
            Formula::And(operands) => self.junction(all(operands)?, true),
            Formula::Or(operands) => self.junction(all(operands)?, false),
            Formula::Implies(a, b) => {
                let not = self.not(of(a)?);
                self.junction(vec![not, of(b)?], false)
            }
            Formula::Iff(a, b) => self.add(State::Iff(of(a)?, of(b)?)),
            &Formula::Exists(path) => self.exists(pool, path, false, nodes, begins)?,
            &Formula::Forall(path) => {
                let refuted = self.exists(pool, path, true, nodes, begins)?;
                self.not(refuted)
            }
            _ => return Err(BEYOND),
        })
    }

    /// `E φ`, or with `refuted` `E ¬φ`, for a path formula φ with one operator.
    fn exists(
        &mut self,
        pool: &Pool,
        path: FormulaId,
        refuted: bool,
        nodes: &FxHashMap<FormulaId, Node>,
        begins: Option<Node>,
    ) -> Result<Node, StopReason> {
        // The operand, or its negation.
        let mut of = |id: FormulaId| {
            let node = *nodes.get(&id).ok_or(BEYOND)?;
            Ok::<Node, StopReason>(if refuted { self.not(node) } else { node })
        };
        if pool.is_state(path) {
            let a = of(path)?;
            return Ok(self.beginning(a, begins));
        }
        // The operands: one, or two.
        let (a, b) = match pool[path] {
            Formula::Next(a) | Formula::Finally(a) | Formula::Globally(a) => (of(a)?, None),
            Formula::Until(a, b) | Formula::Release(a, b) | Formula::WeakUntil(a, b) | Formula::StrongRelease(a, b) => {
                (of(a)?, Some(of(b)?))
            }
            _ => return Err(BEYOND),
        };
        let b = b.unwrap_or(a);
        let path = match (&pool[path], refuted) {
            (Formula::Next(_), _) => PathKind::Next(self.beginning(a, begins)),
            (Formula::Finally(_), false) | (Formula::Globally(_), true) => {
                let everywhere = self.junction(Vec::new(), true);
                PathKind::Until(everywhere, self.beginning(a, begins))
            }
            (Formula::Globally(_), false) | (Formula::Finally(_), true) => PathKind::Always(a),
            (Formula::Until(..), false) | (Formula::Release(..), true) => PathKind::Until(a, self.beginning(b, begins)),
            (Formula::Release(..), false) | (Formula::Until(..), true) => {
                let both = self.junction(vec![a, b], true);
                PathKind::WeakUntil(b, self.beginning(both, begins))
            }
            (Formula::WeakUntil(..), false) | (Formula::StrongRelease(..), true) => {
                PathKind::WeakUntil(a, self.beginning(b, begins))
            }
            (Formula::StrongRelease(..), false) | (Formula::WeakUntil(..), true) => {
                let both = self.junction(vec![a, b], true);
                PathKind::Until(b, self.beginning(both, begins))
            }
            _ => return Err(BEYOND),
        };
        Ok(self.search(path))
    }

    /// Where a state formula holds and some path begins.
    fn beginning(&mut self, node: Node, begins: Option<Node>) -> Node {
        match begins {
            Some(begins) => self.junction(vec![node, begins], true),
            None => node,
        }
    }
}
