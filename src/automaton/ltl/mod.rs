//! Formulas of linear-time temporal logic: hash-consed, in negation normal form, closed under duality.
//!
//! Formulas live in a store, [`Formulas`], and are named by small integers, [`Formula`]; equal formulas have
//! equal names. Negation occurs at propositions only, and nodes are created in *dual pairs*: whenever `a U b`
//! gets the name `2k`, its negation `¬a R ¬b` gets `2k + 1`. So negation costs one bit flip and no recursion,
//! each rewriting rule is written for one of two dual operators and holds for both, and a subformula always
//! has a smaller name than the formulas it occurs in, so that bottom-up passes are loops.
//!
//! Constructors apply the trivial laws only (units, idempotence, complements, flattening of `∧` and `∨`);
//! [`simplify`](Formulas::simplify) does the real work. Syntactic classes, each sound and incomplete, are
//! recorded when a node is made:
//!
//! - *eventual*: where it holds at a position of a word, it holds at all positions before; *universal*: at all positions
//!   behind; *suspendable*: both. Without a past that is: if a word satisfies it, so does the word with anything put in
//!   front (pure eventuality), or so do its suffixes (Etessami & Holzmann 2000);
//! - *safety*, *guarantee*, *obligation* of the hierarchy of Manna & Pnueli (1990), syntactically (Černá &
//!   Pelánek 2003);
//! - *stutter-free*: no `X` and no `Y`, hence stutter-invariant (Peled & Wilke 1997).
//!
//! Operators of the past speak of the letters read so far, the first letter being the beginning of time (Lichtenstein,
//! Pnueli & Zuck 1985). In the hierarchy they count like `∧` and `∨`: of a given position they are Boolean combinations of
//! what holds at finitely many.

mod implication;
mod parser;
mod past;
mod print;
mod simplify;
mod word;

pub use crate::formula::ParseError;
pub use parser::MAX_DEPTH;
pub use word::Lasso;
#[cfg(test)]
pub(super) use word::tests as tests_support;

use super::Prop;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The name of a formula in its store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Formula(u32);

impl Formula {
    /// The formula that holds of every word.
    pub const TRUE: Formula = Formula(0);
    /// The formula that holds of no word.
    pub const FALSE: Formula = Formula(1);

    /// The negation.
    #[must_use]
    pub fn negated(self) -> Formula {
        Formula(self.0 ^ 1)
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The outermost operator of a formula in negation normal form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// True.
    True,
    /// False.
    False,
    /// A proposition (`true`) or its negation (`false`).
    Literal(Prop, bool),
    /// Conjunction of at least two formulas, sorted.
    And(Box<[Formula]>),
    /// Disjunction of at least two formulas, sorted.
    Or(Box<[Formula]>),
    /// `X a`: in the next state.
    Next(Formula),
    /// `F a`: now or later.
    Finally(Formula),
    /// `G a`: now and always.
    Globally(Formula),
    /// `a U b`: `b` now or later, and `a` until then.
    Until(Formula, Formula),
    /// `a R b`: `b` up to and including the first `a`, or always.
    Release(Formula, Formula),
    /// `a W b`: `a U b` or `G a`.
    WeakUntil(Formula, Formula),
    /// `a M b`: `a R b` and `F a`.
    StrongRelease(Formula, Formula),
    /// `Y a`: there is a letter before, and `a` there.
    Yesterday(Formula),
    /// `Z a`: `a` in the letter before, if there is one.
    WeakYesterday(Formula),
    /// `a S b`: `b` now or before, and `a` since then. `O b` is `1 S b`.
    Since(Formula, Formula),
    /// `a T b`: `b` from the last `a` on, both at that moment, or from the beginning. `H b` is `0 T b`.
    Trigger(Formula, Formula),
}

impl Node {
    /// The node of the negation.
    fn dual(&self) -> Node {
        let all = |fs: &[Formula]| fs.iter().map(|f| f.negated()).collect();
        match self {
            Node::True => Node::False,
            Node::False => Node::True,
            Node::Literal(p, positive) => Node::Literal(*p, !positive),
            Node::And(fs) => Node::Or(all(fs)),
            Node::Or(fs) => Node::And(all(fs)),
            Node::Next(a) => Node::Next(a.negated()),
            Node::Finally(a) => Node::Globally(a.negated()),
            Node::Globally(a) => Node::Finally(a.negated()),
            Node::Until(a, b) => Node::Release(a.negated(), b.negated()),
            Node::Release(a, b) => Node::Until(a.negated(), b.negated()),
            Node::WeakUntil(a, b) => Node::StrongRelease(a.negated(), b.negated()),
            Node::StrongRelease(a, b) => Node::WeakUntil(a.negated(), b.negated()),
            Node::Yesterday(a) => Node::WeakYesterday(a.negated()),
            Node::WeakYesterday(a) => Node::Yesterday(a.negated()),
            Node::Since(a, b) => Node::Trigger(a.negated(), b.negated()),
            Node::Trigger(a, b) => Node::Since(a.negated(), b.negated()),
        }
    }

    /// Calls `visit` for each immediate subformula, from left to right.
    pub(crate) fn for_each_child(&self, mut visit: impl FnMut(Formula)) {
        match self {
            Node::True | Node::False | Node::Literal(..) => {}
            Node::And(fs) | Node::Or(fs) => fs.iter().for_each(|&f| visit(f)),
            Node::Next(a) | Node::Finally(a) | Node::Globally(a) | Node::Yesterday(a) | Node::WeakYesterday(a) => {
                visit(*a)
            }
            Node::Until(a, b)
            | Node::Release(a, b)
            | Node::WeakUntil(a, b)
            | Node::StrongRelease(a, b)
            | Node::Since(a, b)
            | Node::Trigger(a, b) => {
                visit(*a);
                visit(*b);
            }
        }
    }

    /// Is this an operator of the past?
    pub(super) fn is_past(&self) -> bool {
        matches!(self, Node::Yesterday(_) | Node::WeakYesterday(_) | Node::Since(..) | Node::Trigger(..))
    }
}

/// Syntactic classes of a formula; see the module's documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Traits {
    depth: u32,
    boolean: bool,
    eventual: bool,
    universal: bool,
    safety: bool,
    guarantee: bool,
    obligation: bool,
    next_free: bool,
    /// The number of operators of the past that are nested in one another.
    past: u32,
    /// Has it an operator of the future?
    future: bool,
}

impl Traits {
    fn dual(self) -> Traits {
        let (eventual, universal) = (self.universal, self.eventual);
        let (safety, guarantee) = (self.guarantee, self.safety);
        Traits { eventual, universal, safety, guarantee, ..self }
    }
}

/// A store of formulas over a table of named propositions.
///
/// ```
/// use starset::automaton::ltl::{Formula, Formulas};
/// let mut store = Formulas::new();
/// let f = store.parse("G(request -> F grant)").unwrap();
/// let g = store.parse("!F(request & G !grant)").unwrap();
/// assert_eq!(f, g);
/// assert_eq!(store.text(f.negated()), "F(request & G!grant)");
/// ```
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: IndexSet<Node, FxBuildHasher>,
    traits: Vec<Traits>,
    propositions: IndexSet<String, FxBuildHasher>,
    memo: simplify::Memo,
}

impl Default for Formulas {
    fn default() -> Self {
        Formulas::new()
    }
}

impl Formulas {
    /// A store without propositions.
    pub fn new() -> Self {
        let mut store = Formulas {
            nodes: IndexSet::default(),
            traits: Vec::new(),
            propositions: IndexSet::default(),
            memo: simplify::Memo::default(),
        };
        store.intern(Node::True);
        store
    }

    /// A store over the given propositions, numbered in this order.
    pub fn with_propositions<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        let mut store = Formulas::new();
        store.propositions.extend(names.into_iter().map(Into::into));
        store
    }

    /// The names of the propositions.
    pub fn propositions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.propositions.iter().map(String::as_str)
    }

    /// The proposition of that name, new if need be.
    pub fn proposition(&mut self, name: &str) -> Prop {
        if let Some(index) = self.propositions.get_index_of(name) {
            return Prop(index as u32);
        }
        Prop(self.propositions.insert_full(name.to_owned()).0 as u32)
    }

    /// Can the formula be one of this store? One of a smaller store is taken for another formula.
    pub(crate) fn has(&self, f: Formula) -> bool {
        f.index() < self.nodes.len()
    }

    /// The outermost operator.
    ///
    /// # Panics
    /// When the formula belongs to another, larger store.
    pub fn node(&self, f: Formula) -> &Node {
        &self.nodes[f.index()]
    }

    fn traits(&self, f: Formula) -> Traits {
        self.traits[f.index()]
    }

    /// The number of operators nested in one another.
    pub fn depth(&self, f: Formula) -> u32 {
        self.traits(f).depth
    }

    /// Is it about one position alone?
    pub(crate) fn is_boolean(&self, f: Formula) -> bool {
        self.traits(f).boolean
    }

    /// Whether it holds at all positions before one where it holds, syntactically.
    pub(crate) fn is_eventual(&self, f: Formula) -> bool {
        self.traits(f).eventual
    }

    /// Whether it holds at all positions behind one where it holds, syntactically.
    pub(crate) fn is_universal(&self, f: Formula) -> bool {
        self.traits(f).universal
    }

    /// Whether it is both eventual and universal: its truth is that of the word. Without a past it depends on no prefix.
    pub(crate) fn is_suspendable(&self, f: Formula) -> bool {
        let t = self.traits(f);
        t.eventual && t.universal
    }

    /// Whether it is a guarantee (co-safety) formula, syntactically.
    pub(crate) fn is_guarantee(&self, f: Formula) -> bool {
        self.traits(f).guarantee
    }

    /// Whether it is an obligation (Boolean combination of safety and guarantee), syntactically.
    pub(crate) fn is_obligation(&self, f: Formula) -> bool {
        self.traits(f).obligation
    }

    /// Whether no `X` occurs, so that the language is stutter-invariant.
    pub(crate) fn is_next_free(&self, f: Formula) -> bool {
        self.traits(f).next_free
    }

    /// How many operators of the past are nested in one another; 0 where there is none.
    pub(crate) fn past(&self, f: Formula) -> u32 {
        self.traits(f).past
    }

    /// Whether an operator of the future occurs.
    pub(super) fn has_future(&self, f: Formula) -> bool {
        self.traits(f).future
    }

    /// The literal of a proposition.
    pub fn literal(&mut self, prop: Prop, positive: bool) -> Formula {
        self.intern(Node::Literal(prop, positive))
    }

    /// The conjunction.
    pub fn and(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for f in operands {
            match self.node(f) {
                Node::True => {}
                Node::False => return Formula::FALSE,
                Node::And(fs) => flat.extend_from_slice(fs),
                _ => flat.push(f),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.windows(2).any(|w| w[0] == w[1].negated()) {
            return Formula::FALSE;
        }
        match flat[..] {
            [] => Formula::TRUE,
            [f] => f,
            _ => self.intern(Node::And(flat.into_boxed_slice())),
        }
    }

    /// The disjunction.
    pub fn or(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.and(operands.into_iter().map(Formula::negated)).negated()
    }

    /// `a → b`.
    pub fn implies(&mut self, a: Formula, b: Formula) -> Formula {
        self.or([a.negated(), b])
    }

    /// `a ↔ b`.
    pub fn iff(&mut self, a: Formula, b: Formula) -> Formula {
        let both = self.and([a, b]);
        let neither = self.and([a.negated(), b.negated()]);
        self.or([both, neither])
    }

    /// `X a`.
    pub fn next(&mut self, a: Formula) -> Formula {
        match self.node(a) {
            Node::True | Node::False => a,
            _ => self.intern(Node::Next(a)),
        }
    }

    /// `F a`.
    pub fn finally(&mut self, a: Formula) -> Formula {
        match self.node(a) {
            Node::True | Node::False | Node::Finally(_) => a,
            _ => self.intern(Node::Finally(a)),
        }
    }

    /// `G a`.
    pub fn globally(&mut self, a: Formula) -> Formula {
        self.finally(a.negated()).negated()
    }

    /// `a U b`.
    pub fn until(&mut self, a: Formula, b: Formula) -> Formula {
        if a == Formula::TRUE || a == b.negated() {
            return self.finally(b);
        }
        if a == Formula::FALSE || a == b || b == Formula::TRUE || b == Formula::FALSE {
            return b;
        }
        self.intern(Node::Until(a, b))
    }

    /// `a R b`.
    pub fn release(&mut self, a: Formula, b: Formula) -> Formula {
        self.until(a.negated(), b.negated()).negated()
    }

    /// `a W b`.
    pub fn weak_until(&mut self, a: Formula, b: Formula) -> Formula {
        if a == Formula::TRUE || b == Formula::TRUE || a == b.negated() {
            return Formula::TRUE;
        }
        if b == Formula::FALSE {
            return self.globally(a);
        }
        if a == Formula::FALSE || a == b {
            return b;
        }
        self.intern(Node::WeakUntil(a, b))
    }

    /// `a M b`.
    pub fn strong_release(&mut self, a: Formula, b: Formula) -> Formula {
        self.weak_until(a.negated(), b.negated()).negated()
    }

    /// `Y a`.
    pub fn yesterday(&mut self, a: Formula) -> Formula {
        if a == Formula::FALSE { a } else { self.intern(Node::Yesterday(a)) }
    }

    /// `Z a`.
    pub fn weak_yesterday(&mut self, a: Formula) -> Formula {
        self.yesterday(a.negated()).negated()
    }

    /// `Y a` of a path that ends with the letter in which `end` holds, which is repeated for ever: what is before the
    /// end there is so at each repetition, so that all of them satisfy the same formulas.
    pub(crate) fn yesterday_before(&mut self, a: Formula, end: Formula) -> Formula {
        let last = self.and([end.negated(), a]);
        let since = self.since(end, last);
        self.yesterday(since)
    }

    /// `a S b`.
    pub fn since(&mut self, a: Formula, b: Formula) -> Formula {
        if a == Formula::FALSE || a == b || b == Formula::TRUE || b == Formula::FALSE {
            return b;
        }
        let a = if a == b.negated() { Formula::TRUE } else { a };
        match self.node(b) {
            // O O b = O b.
            Node::Since(Formula::TRUE, _) if a == Formula::TRUE => b,
            _ => self.intern(Node::Since(a, b)),
        }
    }

    /// `a T b`.
    pub fn trigger(&mut self, a: Formula, b: Formula) -> Formula {
        self.since(a.negated(), b.negated()).negated()
    }

    /// The names of all subformulas of `f`, itself last, operands before the formulas they occur in.
    pub(crate) fn subformulas(&self, f: Formula) -> Vec<Formula> {
        let mut seen = vec![false; f.index() + 1];
        let mut found = vec![f];
        seen[f.index()] = true;
        let mut done = 0;
        while let Some(&g) = found.get(done) {
            self.node(g).for_each_child(|c| {
                if !std::mem::replace(&mut seen[c.index()], true) {
                    found.push(c);
                }
            });
            done += 1;
        }
        found.sort_unstable();
        found
    }

    /// Adds a node and its dual.
    fn intern(&mut self, node: Node) -> Formula {
        if let Some(index) = self.nodes.get_index_of(&node) {
            return Formula(index as u32);
        }
        let index = self.nodes.len() as u32;
        let dual = node.dual();
        let traits = self.compute_traits(&node);
        self.nodes.insert(node);
        self.nodes.insert(dual);
        self.traits.push(traits);
        self.traits.push(traits.dual());
        Formula(index)
    }

    fn compute_traits(&self, node: &Node) -> Traits {
        let of = |f: &Formula| self.traits(*f);
        let mut t = Traits {
            depth: 0,
            boolean: true,
            eventual: true,
            universal: true,
            safety: true,
            guarantee: true,
            obligation: true,
            next_free: true,
            past: u32::from(node.is_past()),
            future: false,
        };
        // What conjunction and disjunction preserve: everything, if all operands have it.
        node.for_each_child(|f| {
            let c = of(&f);
            t.depth = t.depth.max(c.depth + 1);
            t.boolean &= c.boolean;
            t.eventual &= c.eventual;
            t.universal &= c.universal;
            t.safety &= c.safety;
            t.guarantee &= c.guarantee;
            t.obligation &= c.obligation;
            t.next_free &= c.next_free;
            t.past = t.past.max(c.past + u32::from(node.is_past()));
            t.future |= c.future;
        });
        let boolean = matches!(node, Node::True | Node::False | Node::Literal(..) | Node::And(_) | Node::Or(_));
        t.future |= !boolean && !node.is_past();
        match node {
            Node::True | Node::False | Node::And(_) | Node::Or(_) => {}
            Node::Literal(..) => (t.eventual, t.universal) = (false, false),
            Node::Next(_) => (t.boolean, t.next_free) = (false, false),
            Node::Finally(_) => {
                (t.boolean, t.eventual, t.safety, t.obligation) = (false, true, false, t.guarantee);
            }
            Node::Globally(_) => {
                (t.boolean, t.universal, t.guarantee, t.obligation) = (false, true, false, t.safety);
            }
            Node::Until(a, b) => {
                (t.boolean, t.eventual, t.universal) = (false, of(b).eventual, of(b).universal);
                (t.safety, t.obligation) = (false, of(a).obligation && of(b).guarantee);
            }
            Node::Release(a, b) => {
                (t.boolean, t.eventual, t.universal) = (false, of(b).eventual, of(b).universal);
                (t.guarantee, t.obligation) = (false, of(a).obligation && of(b).safety);
            }
            Node::WeakUntil(a, b) => {
                (t.boolean, t.universal) = (false, of(b).universal);
                (t.guarantee, t.obligation) = (false, of(a).safety && of(b).obligation);
            }
            Node::StrongRelease(a, b) => {
                (t.boolean, t.eventual) = (false, of(b).eventual);
                (t.safety, t.obligation) = (false, of(a).guarantee && of(b).obligation);
            }
            Node::Yesterday(_) => (t.boolean, t.next_free, t.eventual) = (false, false, false),
            Node::WeakYesterday(_) => (t.boolean, t.next_free, t.universal) = (false, false, false),
            Node::Since(a, b) => {
                (t.boolean, t.eventual) = (false, of(b).eventual);
                t.universal = *a == Formula::TRUE || of(b).universal;
            }
            Node::Trigger(a, b) => {
                (t.boolean, t.universal) = (false, of(b).universal);
                t.eventual = *a == Formula::FALSE || of(b).eventual;
            }
        }
        t
    }
}
