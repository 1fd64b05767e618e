//! The context in which formulas are evaluated: limits, and the values of slots.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::budget::Budget;

use super::ast::{Expr, Kind, Op};
use super::error::{Error, Pos, Res};
use super::types::Type;
use super::values::Value;

/// The largest set, but for functions, whose form ProB surely does not keep.
pub(super) const LARGE: usize = 5000;

/// Work between two looks at the time, in nodes of a search.
const LOOK: u32 = 256;

/// The form in which a large set came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A formula that ProB may keep: an interval, a power set, relations, functions.
    Kept(Op),
    /// The value of something else.
    Listed,
    /// A union with the value of a variable that has all values of the type: that of the variable.
    Whole,
    /// The value of another variable.
    Copied,
    /// Not known.
    Unsure,
}

impl Form {
    /// The form that the value of a formula has.
    fn of(value: &Value, expr: &Expr, sizes: &[u32]) -> Form {
        let Kind::Op(op, parts) = &expr.kind else {
            return if matches!(expr.kind, Kind::Slot(_)) { Form::Copied } else { Form::Unsure };
        };
        match op {
            Op::If | Op::Apply => Form::Unsure,
            Op::Interval
            | Op::PowerSet
            | Op::PowerSet1
            | Op::FiniteSets
            | Op::FiniteSets1
            | Op::Relations
            | Op::PartialFunctions
            | Op::TotalFunctions
            | Op::PartialInjections
            | Op::TotalInjections
            | Op::PartialSurjections
            | Op::TotalSurjections
            | Op::PartialBijections
            | Op::TotalBijections
            | Op::InjectiveSequences
            | Op::InjectiveSequences1
            | Op::Permutations
            | Op::Product => Form::Kept(*op),
            Op::Union
                if parts.iter().any(|part| matches!(part.kind, Kind::Slot(_)))
                    && expr.ty.element().and_then(|ty| count(ty, sizes))
                        == Some(value.members().map_or(0, <[Value]>::len)) =>
            {
                Form::Whole
            }
            _ => Form::Listed,
        }
    }
}

/// Large sets that variables got, and their forms. ProB keeps some sets as formulas, and counts one that is equal but
/// listed as another value: a set that came about in both forms is refused.
#[derive(Clone, Debug, Default)]
pub(super) struct Large(Arc<Mutex<FxHashMap<Value, Form>>>);

impl Large {
    /// Is a value a large set that is no function?
    pub(super) fn is(value: &Value) -> bool {
        let listed = value.members().filter(|items| items.len() > LARGE);
        listed.is_some_and(|items| !matches!(items.first(), Some(Value::Pair(_))))
    }

    /// Notes a large set that a variable gets. May its form differ from what it was before?
    pub(super) fn differs(&self, value: &Value, form: Option<Form>) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (form, known.get(value)) {
            (Some(Form::Copied | Form::Whole), known) => known.is_none(),
            (Some(form @ (Form::Kept(_) | Form::Listed)), None) => {
                known.insert(value.clone(), form);
                false
            }
            (form, known) => form.is_none() || form != known.copied(),
        }
    }
}

/// How many values a type has, if they are few enough to be counted.
pub(super) fn count(ty: &Type, sizes: &[u32]) -> Option<usize> {
    match ty {
        Type::Bool => Some(2),
        Type::Given(set) => Some(sizes[*set as usize] as usize),
        Type::Pair(pair) => count(&pair.0, sizes)?.checked_mul(count(&pair.1, sizes)?),
        Type::Set(inner) => 1usize.checked_shl(u32::try_from(count(inner, sizes)?).ok()?),
        _ => None,
    }
}

/// The receiver of a solution: it goes on, or stops.
pub(super) type Each<'a> = &'a mut dyn FnMut(&Context, &mut Env) -> Res<ControlFlow<()>>;

/// The fixed context of an evaluation.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// MAXINT.
    pub maxint: i64,
    /// MININT.
    pub minint: i64,
    /// Sizes of given sets.
    pub sizes: Vec<u32>,
    /// Given sets, once their sizes are settled.
    pub given: Vec<Value>,
    /// How many times a WHILE loop may run.
    pub loops: usize,
    /// Large sets that variables got.
    pub large: Large,
    /// Guards that are not dropped, but fail: where their formulas are in memory.
    pub hard: FxHashSet<usize>,
}

/// Values of slots.
#[derive(Clone, Debug)]
pub(super) struct Env<'b> {
    /// How long it may take.
    pub budget: &'b Budget,
    /// By slot.
    pub slots: Vec<Value>,
    /// Where integers without bounds had to be enumerated from MININT to MAXINT: then nothing is known of the others.
    pub unbounded: Option<Pos>,
    /// Is this an error instead?
    pub strict: bool,
    /// Work done since the last look at the time.
    pub work: u32,
    /// How deep symbolic functions are applied inside one another.
    pub depth: u32,
    /// Is a solution dropped in which something has no value, instead of failing?
    pub lenient: bool,
    /// Were arguments of a function tried because it is applied to an integer without bounds?
    pub applied: bool,
    /// Forms of the large sets that were assigned to slots.
    pub forms: FxHashMap<u32, Form>,
    /// The error of dropped solutions.
    pub dropped: Option<Error>,
}

impl<'b> Env<'b> {
    /// Nothing is bound.
    pub(super) fn new(slots: usize, budget: &'b Budget) -> Self {
        Env::of(vec![Value::Undefined; slots], budget)
    }

    /// Slots have these values.
    pub(super) fn of(slots: Vec<Value>, budget: &'b Budget) -> Self {
        Env {
            budget,
            slots,
            unbounded: None,
            strict: false,
            work: 0,
            depth: 0,
            lenient: false,
            applied: false,
            forms: FxHashMap::default(),
            dropped: None,
        }
    }

    /// Notes so much work, and looks at the time now and then.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn spend(&mut self, work: u32) -> Res<()> {
        self.work += work;
        if self.work < LOOK {
            return Ok(());
        }
        self.work = 0;
        self.budget.check().map_err(Error::exhausted)
    }

    /// Notes the form of a large set that is assigned to a slot.
    pub(super) fn note(&mut self, slot: u32, value: &Value, expr: &Expr, sizes: &[u32]) {
        let form = Form::of(value, expr, sizes);
        let known = self.forms.entry(slot).or_insert(form);
        if *known != form {
            *known = Form::Unsure;
        }
    }

    /// The value of a variable or a literal, if it is neither open nor a formula.
    pub(super) fn ready<'e>(&'e self, expr: &'e Expr) -> Option<&'e Value> {
        let value = match &expr.kind {
            Kind::Slot(slot) => &self.slots[*slot as usize],
            Kind::Literal(value) => value,
            _ => return None,
        };
        let open = matches!(value, Value::Undefined | Value::Partial(_) | Value::Undecided(_) | Value::Symbolic(_));
        if open { None } else { Some(value) }
    }

    /// Has a slot a value?
    pub(super) fn is_bound(&self, slot: u32) -> bool {
        !matches!(self.slots[slot as usize], Value::Undefined)
    }

    /// Have all slots that a formula reads a value?
    pub(super) fn binds(&self, expr: &Expr) -> bool {
        expr.free.iter().all(|slot| self.is_bound(*slot))
    }
}
