//! The unit of time in which a formula means what it does in dense time.
//!
//! **Problem.** Integer time looks at a run at whole units. A formula asks about moments between them where it compares a clock
//! with a fraction, compares strictly, or says that a comparison does *not* hold: `x = 0 | x >= 1` fails at a half.
//!
//! **What whole units show.** A run of dense time has digitisations: all of its moments are rounded by one threshold, and closed
//! comparisons (`<=`, `=`, `>=`) with whole numbers stay true (Henzinger, Manna, Pnueli, "What good are digital clocks?", ICALP
//! 1992). So in a net whose constraints are closed, a formula is exact in whole units if it says that a run reaches something
//! that is closed: with `E`, made of `F`, and of `U` whose left side looks at tokens alone; or the negation of that.
//! [`Look`] finds that out, on the negation normal form, from the atoms up. That a transition is enabled is a closed condition;
//! that it is not is an open one. What asks for the end of a path, or has a quantifier below an operator, is neither: a state in
//! which nothing more will happen may lie between whole units.
//!
//! **All others** are asked in a unit that is finer by the number of clocks + 1, as nets with strict comparisons are: all orders of
//! the fractions of clocks occur there, and nothing has been missed so far in any test, which is no proof. On one clock it is
//! one: half units are the regions. `X` and the `tick` as a step are about the steps of integer time itself: they keep the unit.
//!
//! **One formula, one unit.** What a formula says must not depend on the formulas beside it. Each has the unit that it needs, and
//! formulas with the same unit share a model. A formula that is exact in its unit is so in all multiples, and joins others there.

use super::predicate::ClockId;
use super::rational::Rational;
use super::system::IntegerNet;
use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, Pool};
use crate::kinds::{Kind, TimedQuestion, Tuned, Tuning};
use crate::net::TransitionId;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// The demands of a formula in negation normal form on time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    /// It looks at tokens alone, now.
    Tokens,
    /// A closed condition on the clocks, now.
    Closed,
    /// The negation of one.
    Open,
    /// That a run comes to something closed.
    Reaches,
    /// That a run never comes to something closed.
    Avoids,
    /// Something that is exact in the state in which it is asked.
    Here,
    /// Anything else.
    Other,
}

impl Look {
    /// The conjunction or disjunction of two.
    fn with(self, other: Look) -> Look {
        use Look::*;
        match (self, other) {
            (a, b) if a == b => a,
            (Tokens, a) | (a, Tokens) => a,
            (Closed, Reaches) | (Reaches, Closed) => Reaches,
            (Open, Avoids) | (Avoids, Open) => Avoids,
            (Closed | Open | Here, Closed | Open | Here) => Here,
            _ => Other,
        }
    }

    /// Reached, once or after something that looks at tokens alone.
    fn reached(self) -> Look {
        if matches!(self, Look::Tokens | Look::Closed | Look::Reaches) { Look::Reaches } else { Look::Other }
    }

    /// Avoided, for ever or until something that looks at tokens alone.
    fn avoided(self) -> Look {
        if matches!(self, Look::Tokens | Look::Open | Look::Avoids) { Look::Avoids } else { Look::Other }
    }
}

/// The formula as a whole. Forms of it that are needed by no other stay in the pool, which is one of its own.
fn look(net: &IntegerNet, pool: &mut Pool, formula: FormulaId) -> Look {
    use Formula::*;
    let closed = pool.close(formula);
    let root = pool.nnf(closed);
    let order = pool.subformulas(&[root]);
    let mut looks: FxHashMap<FormulaId, Look> = FxHashMap::default();
    for id in order {
        let of = |a: &FormulaId| looks.get(a).copied().unwrap_or(Look::Other);
        let all = |operands: &[FormulaId]| operands.iter().map(of).fold(Look::Tokens, Look::with);
        let quiet = |a: &FormulaId, look: Look| if of(a) == Look::Tokens { look } else { Look::Other };
        let timeless = |actions: &[TransitionId]| !actions.iter().any(|t| net.is_tick(*t));
        let look = match &pool[id] {
            True | False => Look::Tokens,
            Compare(left, comparison, _) if is_about_clocks(net, pool, *left) => {
                if matches!(comparison, Comparison::Eq | Comparison::Le | Comparison::Ge) {
                    Look::Closed
                } else {
                    Look::Open
                }
            }
            Compare(..) => Look::Tokens,
            // From a whole moment on, whole moments show whether something can fire.
            Deadlock | Still(_) => Look::Here,
            Enabled(actions) if timeless(actions) => Look::Closed,
            Action(actions) if timeless(actions) => Look::Reaches,
            Not(a) => match &pool[*a] {
                Deadlock | Still(_) => Look::Here,
                Enabled(actions) if timeless(actions) => Look::Open,
                Action(actions) if timeless(actions) => Look::Avoids,
                _ => Look::Other,
            },
            Diamond(Some(actions), a) if timeless(actions) => match of(a) {
                Look::Tokens | Look::Closed => Look::Closed,
                _ => Look::Other,
            },
            Formula::Box(Some(actions), a) if timeless(actions) => match of(a) {
                Look::Tokens | Look::Open => Look::Open,
                _ => Look::Other,
            },
            And(operands) | Or(operands) => all(operands),
            Exists(a) if of(a) == Look::Reaches => Look::Here,
            Forall(a) if of(a) == Look::Avoids => Look::Here,
            Finally(a) => of(a).reached(),
            Globally(a) => of(a).avoided(),
            Until(a, b) | StrongRelease(b, a) => quiet(a, of(b).reached()),
            Release(a, b) => quiet(a, of(b).avoided()),
            WeakUntil(a, b) => quiet(b, of(a).avoided()),
            _ => Look::Other,
        };
        looks.insert(id, look);
    }
    looks.get(&root).copied().unwrap_or(Look::Other)
}

/// Is the expression a clock, or has one in it?
fn is_about_clocks(net: &IntegerNet, pool: &Pool, expression: ExprId) -> bool {
    pool.subexpressions(vec![expression]).into_iter().any(|part| match &pool[part] {
        Expr::Tokens(variables) | Expr::Bounds(variables) => {
            variables.iter().any(|v| v.index() >= net.net().places.len())
        }
        _ => false,
    })
}

/// Is the formula about the steps of integer time?
fn is_about_ticks(net: &IntegerNet, pool: &Pool, formula: FormulaId) -> bool {
    use Formula::*;
    let ticks = |t: &[TransitionId]| t.iter().any(|t| net.is_tick(*t));
    pool.subformulas(&[formula]).into_iter().any(|id| match &pool[id] {
        Next(_) | Yesterday(_) | WeakYesterday(_) | Diamond(None, _) | Formula::Box(None, _) => true,
        Enabled(actions) | Action(actions) | Diamond(Some(actions), _) | Formula::Box(Some(actions), _) => {
            ticks(actions)
        }
        _ => false,
    })
}

/// The moments that clocks are compared with in a formula, in the unit of the net.
fn constants(net: &IntegerNet, pool: &Pool, formula: FormulaId) -> Vec<(ClockId, Rational)> {
    let places = net.net().places.len();
    let compared = |id: FormulaId| match &pool[id] {
        Formula::Compare(left, _, right) => match (&pool[*left], &pool[*right]) {
            (Expr::Tokens(variables), Expr::Const(value)) => match &variables[..] {
                [clock] if clock.index() >= places => {
                    let moment = Rational::new(BigInt::from(*value), BigInt::from(net.scale()));
                    Some((ClockId((clock.index() - places) as u32), moment))
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    pool.subformulas(&[formula]).into_iter().filter_map(compared).collect()
}

/// The needs of a question.
struct Need {
    /// Units of integer time in one of the net.
    scale: i32,
    /// Would another multiple of it do as well?
    exact: bool,
    constants: Vec<(ClockId, Rational)>,
}

/// The net as each of some questions needs it.
pub(super) fn tuned(net: &IntegerNet, pool: &Pool, questions: &[TimedQuestion]) -> Tuning {
    let mut pool = pool.clone();
    let (mut needs, mut notes) = (Vec::new(), Vec::new());
    for (number, question) in questions.iter().enumerate() {
        let (needed, note) = need(net, &mut pool, question);
        needs.push(needed);
        notes.extend(note.map(|note| (number, note)));
    }
    // Those that need their own unit first; what is exact joins them.
    let mut groups: Vec<(i32, Vec<usize>)> = Vec::new();
    for exact in [false, true] {
        for (number, need) in needs.iter().enumerate().filter(|(_, need)| need.exact == exact) {
            let suits = |scale: i32| scale == need.scale || exact && scale % need.scale == 0;
            let group = groups.iter_mut().filter(|(scale, _)| suits(*scale)).min_by_key(|(scale, _)| *scale);
            match group {
                Some((_, members)) => members.push(number),
                None => groups.push((need.scale, vec![number])),
            }
        }
    }
    groups.iter_mut().for_each(|(_, members)| members.sort_unstable());
    groups.sort_unstable_by_key(|(_, members)| members.first().copied());
    let parts = groups.into_iter().map(|(scale, questions)| {
        let constants = questions.iter().flat_map(|&number| needs[number].constants.clone()).collect();
        let model = net.in_unit(scale, constants).map(|model| Box::new(model) as Box<dyn Kind>);
        Tuned { model, questions }
    });
    Tuning { parts: parts.collect(), notes }
}

/// The needs of a question, and a remark about them.
fn need(net: &IntegerNet, pool: &mut Pool, question: &TimedQuestion) -> (Need, Option<String>) {
    let constants: Vec<_> = question.formulas.iter().flat_map(|&formula| constants(net, pool, formula)).collect();
    let coarse = |exact| Need {
        scale: net.scale_with(1, &constants).unwrap_or(net.scale()),
        exact,
        constants: constants.clone(),
    };
    let ticks = question.formulas.iter().any(|&formula| is_about_ticks(net, pool, formula));
    if ticks {
        let note = "`X` and the tick are steps of integer time, which dense time does not have";
        return (coarse(false), Some(note.to_owned()));
    }
    let shown =
        !question.is_automaton && question.formulas.iter().all(|&formula| look(net, pool, formula) != Look::Other);
    // What integer time misses of a net with strict comparisons is said of the net.
    if shown || !net.is_closed() {
        return (coarse(shown && net.is_closed()), None);
    }
    let parts = net.net().clocks.len() as u32 + 1;
    let what = "integer time may miss what dense time has of this formula";
    match net.scale_with(parts, &constants) {
        Some(scale) => {
            let note = format!("{what}; a unit is divided by {parts} for it, by which nothing has been missed so far");
            (Need { scale, exact: false, constants }, Some(note))
        }
        None => (coarse(false), Some(format!("{what}, and its constants are too large to divide a unit"))),
    }
}
