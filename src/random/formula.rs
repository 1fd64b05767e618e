//! Random formulas over the places and transitions of a net.
//!
//! Drawn top-down from the grammar of the logic, the size being shared out among the operands. Every operator
//! of the language occurs, and atoms of every kind, constants chosen near the counts that small nets reach.
//! Divisors are constants other than zero, or sums that are positive.

use super::Rng;
use crate::formula::{Assumption, Comparison, Condition, Expr, ExprId, Formula, FormulaId, Logic, Pool};
use crate::net::{PetriNet, PlaceId, TransitionId};

/// The shape of random formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormulaShape {
    /// The logic; the formula may happen to be in a smaller one.
    pub logic: Logic,
    /// About so many operators; values above 60 count as 60.
    pub size: usize,
}

/// A random formula. Of logic LTL it is a path formula without quantifiers, else a state formula.
pub fn formula(rng: &mut Rng, net: &PetriNet, shape: &FormulaShape, pool: &mut Pool) -> FormulaId {
    let mut draw = Draw { rng, net, pool };
    let size = shape.size.min(60);
    match shape.logic {
        Logic::Boolean => draw.state(size, Logic::Boolean),
        Logic::Reachability => draw.reachability(size),
        Logic::Ctl => draw.state(size, Logic::Ctl),
        Logic::Ltl => draw.path(size, Logic::Ltl),
        Logic::CtlStar => draw.state(size, Logic::CtlStar),
    }
}

/// The formula with the mirror image, of the past, in the place of some of its temporal operators; most of those of CTL
/// are of CTL* then.
pub fn with_past(rng: &mut Rng, formula: FormulaId, pool: &mut Pool) -> FormulaId {
    let mirrored = |pool: &mut Pool, node: Formula| match node {
        node if !rng.one_in(2) => node,
        Formula::Next(a) if rng.one_in(2) => Formula::Yesterday(a),
        Formula::Next(a) => Formula::WeakYesterday(a),
        Formula::Finally(a) => Formula::Since(pool.add(Formula::True), a),
        Formula::Globally(a) => Formula::Trigger(pool.add(Formula::False), a),
        Formula::Until(a, b) | Formula::WeakUntil(a, b) => Formula::Since(a, b),
        Formula::Release(a, b) | Formula::StrongRelease(a, b) => Formula::Trigger(a, b),
        node => node,
    };
    rebuilt(formula, pool, mirrored)
}

/// The formula with `<a>`, `[a]`, `<*>` and `[*]` in the place of some of its quantifiers. What becomes a path formula by
/// that is quantified.
pub fn with_modalities(rng: &mut Rng, net: &PetriNet, formula: FormulaId, pool: &mut Pool) -> FormulaId {
    rebuilt(formula, pool, |pool, node| modality(rng, net, node, pool))
}

/// The formula with others in the place of its nodes, whose operands are drawn already.
pub(super) fn rebuilt(
    formula: FormulaId,
    pool: &mut Pool,
    mut draw: impl FnMut(&mut Pool, Formula) -> Formula,
) -> FormulaId {
    pool.rebuild(formula, |pool, node| Some(draw(pool, node))).unwrap_or(formula)
}

/// The node, or a modality in the place of one of three quantifiers: of one or two transitions, or of any.
pub(super) fn modality(rng: &mut Rng, net: &PetriNet, node: Formula, pool: &mut Pool) -> Formula {
    let (Formula::Exists(path) | Formula::Forall(path)) = node else { return node };
    if !rng.one_in(3) {
        return node;
    }
    let drawn = |rng: &mut Rng| TransitionId(rng.below(net.transition_count()) as u32);
    let labels = match net.transition_count() {
        0 => None,
        _ if rng.one_in(2) => None,
        _ => Some((0..1 + rng.below(2)).map(|_| drawn(rng)).collect()),
    };
    let operand = pool.close(path);
    if matches!(node, Formula::Exists(_)) { Formula::Diamond(labels, operand) } else { Formula::Box(labels, operand) }
}

/// One to three random fairness assumptions about the places and transitions of a net; with `only`, about transitions.
pub fn assumptions(rng: &mut Rng, net: &PetriNet, only: bool, pool: &mut Pool) -> Vec<Assumption> {
    let number = 1 + rng.below(3);
    let mut draw = Draw { rng, net, pool };
    let condition = |draw: &mut Draw<'_>| {
        let kind = if only { 2 + draw.rng.below(2) } else { draw.rng.below(4) };
        if kind < 2 || net.transition_count() == 0 {
            let [p, q] = [(); 2].map(|()| {
                let size = draw.rng.below(2);
                draw.state(size, Logic::Boolean)
            });
            return if kind == 0 { Condition::Justice(q) } else { Condition::Compassion(p, q) };
        }
        let list = vec![TransitionId(draw.rng.below(net.transition_count()) as u32)];
        let (enabled, taken) = (draw.pool.add(Formula::Enabled(list.clone())), draw.pool.add(Formula::Action(list)));
        if kind == 2 {
            let impossible = draw.pool.not(enabled);
            return Condition::Justice(draw.pool.or(vec![impossible, taken]));
        }
        Condition::Compassion(enabled, taken)
    };
    (0..number).map(|_| Assumption::new("drawn", vec![condition(&mut draw)])).collect()
}

struct Draw<'a> {
    rng: &'a mut Rng,
    net: &'a PetriNet,
    pool: &'a mut Pool,
}

impl Draw<'_> {
    fn reachability(&mut self, size: usize) -> FormulaId {
        let condition = self.state(size, Logic::Boolean);
        if self.rng.one_in(2) { self.pool.sometimes(condition) } else { self.pool.always(condition) }
    }

    /// A state formula of `logic`, one of Boolean, CTL, CTL*.
    fn state(&mut self, size: usize, logic: Logic) -> FormulaId {
        if size == 0 {
            return self.atom();
        }
        if logic == Logic::Boolean || self.rng.one_in(3) {
            return self.boolean(size, |d, s| d.state(s, logic));
        }
        let path = match logic {
            Logic::Ctl => self.temporal(size, |d, s| d.state(s, Logic::Ctl)),
            _ => self.path(size, Logic::CtlStar),
        };
        self.pool.add(if self.rng.one_in(2) { Formula::Exists(path) } else { Formula::Forall(path) })
    }

    /// A path formula of `logic`, LTL or CTL*.
    fn path(&mut self, size: usize, logic: Logic) -> FormulaId {
        if size == 0 {
            return self.atom();
        }
        match self.rng.below(8) {
            0 if logic == Logic::CtlStar => self.state(size, logic),
            0..=2 => self.boolean(size, |d, s| d.path(s, logic)),
            _ => self.temporal(size, |d, s| d.path(s, logic)),
        }
    }

    fn boolean(&mut self, size: usize, mut operand: impl FnMut(&mut Self, usize) -> FormulaId) -> FormulaId {
        let rest = size - 1;
        let left = self.rng.below(rest + 1);
        let kind = self.rng.below(7);
        let a = operand(self, if kind < 2 { rest } else { left });
        if kind < 2 {
            return self.pool.add(Formula::Not(a));
        }
        let b = operand(self, rest - left);
        let node = match kind {
            2 | 3 => Formula::And(vec![a, b]),
            4 => Formula::Or(vec![a, b]),
            5 if self.rng.one_in(2) => Formula::Or(vec![a, b, a]),
            5 => Formula::Implies(a, b),
            _ => Formula::Iff(a, b),
        };
        self.pool.add(node)
    }

    fn temporal(&mut self, size: usize, mut operand: impl FnMut(&mut Self, usize) -> FormulaId) -> FormulaId {
        let rest = size - 1;
        let left = self.rng.below(rest + 1);
        let kind = self.rng.below(9);
        let a = operand(self, if kind < 5 { rest } else { left });
        let node = match kind {
            0 => Formula::Next(a),
            1 | 2 => Formula::Finally(a),
            3 | 4 => Formula::Globally(a),
            _ => {
                let b = operand(self, rest - left);
                match kind {
                    5 => Formula::Until(a, b),
                    6 => Formula::Release(a, b),
                    7 => Formula::WeakUntil(a, b),
                    _ => Formula::StrongRelease(a, b),
                }
            }
        };
        self.pool.add(node)
    }

    fn atom(&mut self) -> FormulaId {
        let transitions = self.net.transition_count();
        let node = match self.rng.below(16) {
            0 => Formula::Deadlock,
            1 => Formula::True,
            2 => Formula::False,
            3..=5 if transitions > 0 => {
                let count = 1 + self.rng.below(2);
                Formula::Enabled((0..count).map(|_| TransitionId(self.rng.below(transitions) as u32)).collect())
            }
            _ => {
                use Comparison::*;
                let comparison = [Eq, Ne, Lt, Le, Gt, Ge][self.rng.below(6)];
                let (a, b) = (self.expr(), self.constant());
                if self.rng.one_in(5) {
                    let b = self.expr();
                    Formula::Compare(a, comparison, b)
                } else if self.rng.one_in(4) {
                    Formula::Compare(b, comparison, a)
                } else {
                    Formula::Compare(a, comparison, b)
                }
            }
        };
        self.pool.add(node)
    }

    fn constant(&mut self) -> ExprId {
        let value = self.rng.below(5) as i128 - i128::from(self.rng.one_in(10));
        self.pool.add_expr(Expr::Const(value))
    }

    fn places(&mut self) -> Vec<PlaceId> {
        let count = self.net.place_count();
        let mut places: Vec<PlaceId> = self.net.place_ids().filter(|_| self.rng.one_in(3)).collect();
        if (places.is_empty() || self.rng.one_in(3)) && count > 0 {
            places = vec![PlaceId(self.rng.below(count) as u32)];
        }
        places
    }

    fn expr(&mut self) -> ExprId {
        let places = self.places();
        let tokens = self.pool.add_expr(Expr::Tokens(places));
        let node = match self.rng.below(12) {
            0 => Expr::Bounds(self.places()),
            1 => Expr::Neg(tokens),
            2 => {
                let places = self.places();
                let other = self.pool.add_expr(Expr::Tokens(places));
                let negated = self.pool.add_expr(Expr::Neg(other));
                Expr::Add(vec![tokens, negated])
            }
            3 => Expr::Add(vec![tokens, self.constant(), tokens]),
            4 => {
                let places = self.places();
                Expr::Mul(tokens, self.pool.add_expr(Expr::Tokens(places)))
            }
            5 => {
                let divisor = [-2, 1, 2, 3][self.rng.below(4)];
                Expr::Div(tokens, self.pool.add_expr(Expr::Const(divisor)))
            }
            6 => {
                let one = self.pool.add_expr(Expr::Const(1));
                let places = self.places();
                let divisor = self.pool.add_expr(Expr::Tokens(places));
                let dividend = self.pool.add_expr(Expr::Mul(tokens, tokens));
                Expr::Div(dividend, self.pool.add_expr(Expr::Add(vec![divisor, one])))
            }
            _ => return tokens,
        };
        self.pool.add_expr(node)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Symbols, parse};
    use crate::random::{NetShape, net};

    #[test]
    fn formulas_are_of_their_logic_and_print_back() {
        let mut pool = Pool::new();
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape::default());
            let symbols = Symbols::new(&net);
            for logic in [Logic::Boolean, Logic::Reachability, Logic::Ctl, Logic::Ltl, Logic::CtlStar] {
                let f = formula(&mut rng, &net, &FormulaShape { logic, size: seed as usize % 13 }, &mut pool);
                let text = pool.display(f, &symbols).to_string();
                match logic {
                    Logic::Ltl => assert!(matches!(pool.logic(f), Logic::Boolean | Logic::Ltl), "{text}"),
                    _ => assert!(pool.logic(f) <= logic && pool.is_state(f), "{text}"),
                }
                assert_eq!(parse(&text, &symbols, &mut pool), Ok(f), "{text}");
                let past = with_past(&mut rng, f, &mut pool);
                let text = pool.display(past, &symbols).to_string();
                assert_eq!(parse(&text, &symbols, &mut pool), Ok(past), "{text}");
                assert!(past == f || pool.logic(past) >= Logic::Ltl, "{text}");
            }
        }
        let used = |wanted: fn(&Formula) -> bool| pool.ids().any(|f| wanted(&pool[f]));
        assert!(used(|f| matches!(f, Formula::StrongRelease(..))) && used(|f| matches!(f, Formula::Iff(..))));
    }
}
