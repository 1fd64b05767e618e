//! Negation normal form: negations at atoms only, no implications or equivalences.
//!
//! `¬E φ` becomes `A ¬φ`, `¬X φ` becomes `X ¬φ`, `¬(a U b)` becomes `¬a R ¬b`, `¬(a W b)` becomes `¬a M ¬b`,
//! `¬⟨a⟩ φ` becomes `[a] ¬φ`, and each the other way round; a negated comparison becomes the opposite comparison. This holds under every
//! path semantics: what `X` means at the end of a maximal path is defined so (see `docs/semantics.md`).
//!
//! A pass from the roots to the atoms finds out which subformulas are needed positive, negative or both, and a
//! pass back builds them, each at most once in each form. So the result has at most twice as many distinct
//! subformulas, although an equivalence uses both forms of both sides: as a tree it could be exponential.

use super::ast::Formula;
use super::pool::{FormulaId, Pool};
use rustc_hash::FxHashMap;

/// In which forms a subformula is needed: `[positive, negative]`.
type Needs = [bool; 2];

impl Pool {
    /// An equivalent formula in negation normal form.
    ///
    /// ```
    /// use starset::formula::{parse, Pool, Symbols};
    /// let symbols = Symbols::new(&starset::net::NetBuilder::new("empty").build()?);
    /// let mut pool = Pool::new();
    /// let f = parse("!E[deadlock U !X deadlock]", &symbols, &mut pool).unwrap();
    /// let f = pool.nnf(f);
    /// assert_eq!(pool.display(f, &symbols).to_string(), "A (!deadlock R X deadlock)");
    /// # Ok::<(), starset::net::BuildError>(())
    /// ```
    pub fn nnf(&mut self, formula: FormulaId) -> FormulaId {
        if !self.has(formula) {
            return formula;
        }
        let order = self.subformulas(&[formula]);
        let mut needs: FxHashMap<FormulaId, Needs> = FxHashMap::default();
        needs.insert(formula, [true, false]);
        for id in order.iter().rev() {
            let [positive, negative] = needs.get(id).copied().unwrap_or_default();
            let mut need = |a: FormulaId, [p, n]: Needs| {
                let entry = needs.entry(a).or_default();
                *entry = [entry[0] || p, entry[1] || n];
            };
            match &self[*id] {
                Formula::Not(a) => need(*a, [negative, positive]),
                Formula::Implies(a, b) => {
                    need(*a, [negative, positive]);
                    need(*b, [positive, negative]);
                }
                Formula::Iff(a, b) => {
                    need(*a, [true, true]);
                    need(*b, [true, true]);
                }
                node => node.children().into_iter().for_each(|a| need(a, [positive, negative])),
            }
        }
        let mut built: FxHashMap<(FormulaId, bool), FormulaId> = FxHashMap::default();
        for id in order {
            let [positive, negative] = needs.get(&id).copied().unwrap_or_default();
            for form in [true, false] {
                if if form { positive } else { negative } {
                    let result = self.build(id, form, &built);
                    built.insert((id, form), result);
                }
            }
        }
        built[&(formula, true)]
    }

    /// The formula (`positive`) or its negation, whose operands are built.
    fn build(&mut self, id: FormulaId, positive: bool, built: &FxHashMap<(FormulaId, bool), FormulaId>) -> FormulaId {
        use Formula::*;
        let node = self[id].clone();
        let get = |a: FormulaId| built[&(a, positive)];
        let opposite = |a: FormulaId| built[&(a, !positive)];
        let all = |operands: Vec<FormulaId>| operands.into_iter().map(get).collect();
        let result = match node {
            True | False | Deadlock | Still(_) | Enabled(_) | Label(_) | Set(_) | Action(_) if positive => return id,
            Compare(..) if positive => return id,
            True => False,
            False => True,
            Compare(a, comparison, b) => Compare(a, comparison.negated(), b),
            Deadlock | Still(_) | Enabled(_) | Label(_) | Set(_) | Action(_) => Not(id),
            Diamond(transitions, a) if positive => Diamond(transitions, get(a)),
            Diamond(transitions, a) => Formula::Box(transitions, get(a)),
            Formula::Box(transitions, a) if positive => Formula::Box(transitions, get(a)),
            Formula::Box(transitions, a) => Diamond(transitions, get(a)),
            Not(a) => return opposite(a),
            And(operands) if positive => And(all(operands)),
            And(operands) => Or(all(operands)),
            Or(operands) if positive => Or(all(operands)),
            Or(operands) => And(all(operands)),
            Implies(a, b) if positive => Or(vec![opposite(a), get(b)]),
            Implies(a, b) => And(vec![opposite(a), get(b)]),
            Iff(a, b) => {
                let (yes, no) = (built[&(a, true)], built[&(a, false)]);
                let both = self.add(And(vec![yes, get(b)]));
                let neither = self.add(And(vec![no, opposite(b)]));
                Or(vec![both, neither])
            }
            Exists(a) if positive => Exists(get(a)),
            Exists(a) => Forall(get(a)),
            Forall(a) if positive => Forall(get(a)),
            Forall(a) => Exists(get(a)),
            Next(a) => Next(get(a)),
            Finally(a) if positive => Finally(get(a)),
            Finally(a) => Globally(get(a)),
            Globally(a) if positive => Globally(get(a)),
            Globally(a) => Finally(get(a)),
            Until(a, b) if positive => Until(get(a), get(b)),
            Until(a, b) => Release(get(a), get(b)),
            Release(a, b) if positive => Release(get(a), get(b)),
            Release(a, b) => Until(get(a), get(b)),
            WeakUntil(a, b) if positive => WeakUntil(get(a), get(b)),
            WeakUntil(a, b) => StrongRelease(get(a), get(b)),
            StrongRelease(a, b) if positive => StrongRelease(get(a), get(b)),
            StrongRelease(a, b) => WeakUntil(get(a), get(b)),
            Yesterday(a) if positive => Yesterday(get(a)),
            Yesterday(a) => WeakYesterday(get(a)),
            WeakYesterday(a) if positive => WeakYesterday(get(a)),
            WeakYesterday(a) => Yesterday(get(a)),
            Since(a, b) if positive => Since(get(a), get(b)),
            Since(a, b) => Trigger(get(a), get(b)),
            Trigger(a, b) if positive => Trigger(get(a), get(b)),
            Trigger(a, b) => Since(get(a), get(b)),
        };
        self.add(result)
    }
}
