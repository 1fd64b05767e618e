//! Between the names and formulas of this program and those of the checker.

use super::{Uncertified, notation};
use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::pins::etf::{self, Map};
use crate::kinds::{Flat, Kind};
use crate::model::{ActionId, LabelId, Standstill, State, VariableId};
use crate::net::{PlaceId, TransitionId};
use crate::witness;
use rustc_hash::FxHashMap;
use starset_checker::{End, Net, Node, Op, Step};
use std::collections::BTreeMap;

/// A run as the checker takes it.
pub(super) type Taken = (Vec<usize>, End);

/// A sum of places with factors, and how it compares with a number.
type Compared = (Vec<(usize, i64)>, Op, i128);

/// Which place and which label of the checker is which here.
#[derive(Debug)]
pub(super) struct Names {
    /// The places of the checker by variable, and the other way round.
    places: Vec<usize>,
    variables: Vec<usize>,
    /// The labels of the checker by action, and the other way round.
    labels: Vec<usize>,
    actions: Vec<usize>,
    /// By variable of a program: what the checker's numbers have more, as far as they are numbers.
    offsets: Vec<Option<i128>>,
    /// By state label of a program: the place of the checker that it is.
    conditions: Vec<Option<usize>>,
    /// By state label of tables: its map.
    maps: Vec<Map>,
    /// Where time passes: the labels of the checker that are no `tick`.
    deeds: Option<Vec<usize>>,
}

/// Conditions of more rows are not written into formulas.
const MOST_ROWS: usize = 2_000;

/// For each name here its number there, if the names are the same.
fn matched<'n>(
    ours: impl ExactSizeIterator<Item = &'n str>,
    theirs: impl ExactSizeIterator<Item = &'n str>,
) -> Option<Vec<usize>> {
    let count = (ours.len(), theirs.len());
    let number: FxHashMap<&str, usize> = theirs.zip(0..).collect();
    let numbers: Option<Vec<usize>> = ours.map(|name| number.get(name).copied()).collect();
    numbers.filter(|_| count.0 == count.1 && number.len() == count.1)
}

fn inverse(numbers: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; numbers.len()];
    numbers.iter().enumerate().for_each(|(here, &there)| inverse[there] = here);
    inverse
}

impl Names {
    pub(super) fn new(model: &dyn Kind, net: &Net) -> Result<Names, Uncertified> {
        let differ = || Uncertified::Model("it has other places or transitions there".to_owned());
        if let Some(flat) = model.flat() {
            return Names::of_program(model, &flat, net).ok_or_else(differ);
        }
        let theirs = || net.places.iter().map(|place| place.name.as_str());
        let labels = || net.labels.iter().map(String::as_str);
        let (places, labels) = if let Some(own) = model.as_net() {
            let ids = own.transitions().iter().map(|transition| transition.id.as_str());
            (matched(own.places().iter().map(|place| place.id.as_str()), theirs()), matched(ids, labels()))
        } else if let Some(own) = model.as_network() {
            let same = own.components().iter().zip(&net.places).all(|(own, place)| own.states == place.values);
            let places = matched(own.components().iter().map(|component| component.name.as_str()), theirs());
            let names: Vec<&str> = own.label_ids().map(|label| own.label(label)).collect();
            (places.filter(|_| same), matched(names.into_iter(), labels()))
        } else {
            // Of tables: all is in the order of the model.
            let same = (net.places.len(), net.labels.len()) == (model.variables(), model.actions());
            let same =
                same && model.variable_ids().zip(theirs()).all(|(variable, name)| model.variable(variable) == name);
            let count = |count: usize| same.then(|| (0..count).collect::<Vec<usize>>());
            (count(model.variables()), count(model.actions()))
        };
        let (places, labels) = (places.ok_or_else(differ)?, labels.ok_or_else(differ)?);
        let (offsets, conditions, maps) = (vec![Some(0); places.len()], Vec::new(), Vec::new());
        let others = |tick: ActionId| (0..labels.len()).filter(|&label| label != labels[tick.index()]).collect();
        let deeds = model.tick().map(others);
        let (variables, actions) = (inverse(&places), inverse(&labels));
        Ok(Names { variables, actions, places, labels, offsets, conditions, maps, deeds })
    }

    /// The state labels, of a model whose tables these are.
    pub(super) fn with_maps(self, text: &str) -> Names {
        let maps = etf::read("tables", text).map_or_else(|_| Vec::new(), |description| description.maps);
        Names { maps, ..self }
    }

    /// Of a flat program: its variables are the first places of the checker, and definitions that conditions are follow.
    /// Actions are whose turn it is.
    fn of_program(model: &dyn Kind, flat: &Flat, net: &Net) -> Option<Names> {
        let place = |name: &str| net.places.iter().position(|place| place.name == name);
        let places: Vec<usize> =
            model.variable_ids().map(|variable| place(model.variable(variable))).collect::<Option<_>>()?;
        let offset = |variable: VariableId| {
            let (least, values) = (i128::from(model.least(variable)), &net.places[places[variable.index()]].values);
            if values.is_empty() {
                return Some(least);
            }
            // Values with names are counted as they are declared: here, too, unless integers have gaps.
            let same = |(number, name): (u64, &String)| match model.value(variable, number) {
                Some(own) => own == *name,
                None => name.parse() == Ok(i128::from(number) + least),
            };
            (0..).zip(values).all(same).then_some(0)
        };
        let offsets = model.variable_ids().map(offset).collect();
        let conditions = flat.labels.iter().map(|name| place(name.as_ref()?)).collect();
        let labels = matched(
            model.action_ids().map(|action| model.action(action)).collect::<Vec<_>>().into_iter(),
            net.labels.iter().map(String::as_str),
        )?;
        let mut variables = vec![usize::MAX; net.places.len()];
        places.iter().enumerate().for_each(|(variable, &place)| variables[place] = variable);
        let (actions, maps, deeds) = (inverse(&labels), Vec::new(), None);
        Some(Names { variables, actions, places, labels, offsets, conditions, maps, deeds })
    }

    /// The checker's place of a variable.
    pub(super) fn place(&self, variable: usize) -> usize {
        self.places[variable]
    }

    /// The checker's number for the value 0 on the level of a variable, if that has an offset; none if values are numbered
    /// in another way.
    pub(super) fn number(&self, variable: usize, offset: u64) -> Option<u64> {
        u64::try_from(self.offsets[variable]?).ok()?.checked_add(offset)
    }

    /// A state of a program as the checker has it, with what conditions are places; `None` where values are numbered in another
    /// way.
    pub(super) fn state(&self, model: &dyn Kind, state: &State) -> Option<Vec<u64>> {
        let mut of = vec![0; self.variables.len()];
        for (variable, &value) in state.as_slice().iter().enumerate() {
            of[self.places[variable]] = self.number(variable, value)?;
        }
        for (label, place) in (0..).zip(&self.conditions) {
            if let Some(place) = *place {
                of[place] = u64::from(model.labelled(state, LabelId(label))?);
            }
        }
        Some(of)
    }

    /// The variable of a place of the checker.
    pub(super) fn variable(&self, place: usize) -> usize {
        self.variables[place]
    }

    /// The formula in the notation that the checker reads.
    pub(super) fn text(
        &self,
        pool: &Pool,
        (formula, paths): (FormulaId, PathSemantics),
        net: &Net,
    ) -> Result<String, Uncertified> {
        let of = |operand: &FormulaId| self.text(pool, (*operand, paths), net);
        let infix = |operator: &str, operands: &[FormulaId]| {
            let operands: Result<Vec<String>, Uncertified> = operands.iter().map(of).collect();
            Ok::<_, Uncertified>(format!("({})", operands?.join(operator)))
        };
        Ok(match &pool[formula] {
            Formula::True => "true".to_owned(),
            Formula::False => "false".to_owned(),
            Formula::Deadlock => "deadlock".to_owned(),
            Formula::Still(Standstill::Deadlock) => match &self.deeds {
                None => "deadlock".to_owned(),
                Some(_) if paths == PathSemantics::Infinite => {
                    return Err(Uncertified::Formula("a deadlock while time passes, on infinite paths,"));
                }
                // Whatever time passes, nothing else is possible.
                Some(deeds) => format!("A (G !{})", notation::of_labels("enabled", deeds, net)),
            },
            Formula::Enabled(actions) => notation::of_labels("enabled", &self.labels_of(actions), net),
            Formula::Action(actions) => notation::of_labels("action", &self.labels_of(actions), net),
            Formula::Compare(a, comparison, b) => {
                let (sum, op, bound) = self.comparison(pool, *a, *comparison, *b)?;
                notation::comparison(&sum, op, bound, net)
            }
            Formula::Not(a) => format!("!{}", of(a)?),
            Formula::And(list) => infix(" & ", list)?,
            Formula::Or(list) => infix(" | ", list)?,
            Formula::Implies(a, b) => infix(" -> ", &[*a, *b])?,
            Formula::Iff(a, b) => infix(" <-> ", &[*a, *b])?,
            Formula::Exists(a) => format!("E ({})", of(a)?),
            Formula::Forall(a) => format!("A ({})", of(a)?),
            Formula::Next(a) => format!("X {}", of(a)?),
            Formula::Finally(a) => format!("F {}", of(a)?),
            Formula::Globally(a) => format!("G {}", of(a)?),
            Formula::Until(a, b) => infix(" U ", &[*a, *b])?,
            Formula::Release(a, b) => infix(" R ", &[*a, *b])?,
            Formula::WeakUntil(a, b) => infix(" W ", &[*a, *b])?,
            Formula::StrongRelease(a, b) => infix(" M ", &[*a, *b])?,
            Formula::Yesterday(_) | Formula::WeakYesterday(_) | Formula::Since(..) | Formula::Trigger(..) => {
                return Err(Uncertified::Formula("a formula about the past"));
            }
            Formula::Diamond(..) | Formula::Box(..) => {
                return Err(Uncertified::Formula("a formula about the next step"));
            }
            Formula::Label(label) => match self.conditions.get(label.index()) {
                Some(Some(place)) => notation::comparison(&[(*place, 1)], Op::Eq, 1, net),
                Some(None) => {
                    return Err(Uncertified::Formula("a condition of steps or inputs"));
                }
                None if label.index() < self.maps.len() => self.condition_of_rows(&self.maps[label.index()], net)?,
                None => return Err(Uncertified::Formula("a condition of the model")),
            },
            Formula::Still(_) => return Err(Uncertified::Formula("a condition of the model")),
            Formula::Set(_) => return Err(Uncertified::Formula("a set of states from a file")),
        })
    }

    /// A state label as a condition on values: those of the rows that say so, or none of the others, whichever are fewer.
    /// In all reachable states the values are those of one row.
    fn condition_of_rows(&self, map: &Map, net: &Net) -> Result<String, Uncertified> {
        let (yes, no): (Vec<_>, Vec<_>) = map.rows.iter().partition(|(_, holds)| *holds == 1);
        let (rows, not) = if yes.len() <= no.len() { (yes, "") } else { (no, "!") };
        if rows.len() > MOST_ROWS {
            return Err(Uncertified::Formula("a condition of the model with so many cases"));
        }
        let conjunction = |(row, _): &&(Vec<Option<u32>>, u32)| {
            let values = row.iter().enumerate().filter_map(|(variable, value)| Some((variable, (*value)?)));
            let equal = values.map(|(variable, value)| {
                notation::comparison(&[(self.places[variable], 1)], Op::Eq, value.into(), net)
            });
            match equal.collect::<Vec<_>>() {
                none if none.is_empty() => "true".to_owned(),
                equal => format!("({})", equal.join(" & ")),
            }
        };
        match rows.iter().map(conjunction).collect::<Vec<_>>() {
            none if none.is_empty() => Ok(format!("{not}false")),
            rows => Ok(format!("{not}({})", rows.join(" | "))),
        }
    }

    /// The actions of labels of the checker, sorted.
    pub(super) fn actions_of(&self, labels: impl Iterator<Item = usize>) -> Vec<u32> {
        let mut actions: Vec<u32> = labels.map(|label| self.actions[label] as u32).collect();
        actions.sort_unstable();
        actions
    }

    fn labels_of(&self, actions: &[TransitionId]) -> Vec<usize> {
        let mut labels: Vec<usize> = actions.iter().map(|action| self.labels[action.index()]).collect();
        labels.sort_unstable();
        labels
    }

    /// A run of a witness as the checker takes it: indices of steps, and how it ends. None if it does not begin in
    /// the initial state.
    pub(super) fn run(&self, net: &Net, run: &witness::Run) -> Option<Taken> {
        let state = |position: usize| {
            let marking = run.positions.get(position)?.marking.as_slice();
            let mut state = vec![0; marking.len()];
            marking.iter().zip(&self.places).for_each(|(&value, &place)| state[place] = value);
            Some(state)
        };
        let mut at = state(0).filter(|state| *state == net.initial())?;
        let mut steps = Vec::new();
        for (position, fired) in run.fired.iter().enumerate() {
            let target = match run.end {
                witness::End::Loop(start) if position + 1 == run.positions.len() => start,
                _ => position + 1,
            };
            let (label, after) = (self.labels[fired.action.index()], state(target)?);
            let fits = |step: &Step| step.label == label && net.fire(step, &at).as_ref() == Some(&after);
            steps.push(net.steps.iter().position(fits)?);
            at = after;
        }
        let end = match run.end {
            witness::End::Open => End::Open,
            witness::End::Deadlock => End::Deadlock,
            // Certificates know no finite runs.
            witness::End::Final => return None,
            witness::End::Loop(start) => End::Loop(start),
        };
        Some((steps, end))
    }

    /// A comparison of linear sums.
    fn comparison(&self, pool: &Pool, a: ExprId, comparison: Comparison, b: ExprId) -> Result<Compared, Uncertified> {
        let mut sum: BTreeMap<usize, i128> = BTreeMap::new();
        let mut constant = 0i128;
        let mut stack = vec![(a, 1i128), (b, -1)];
        let large = Uncertified::Formula("an expression with large factors");
        while let Some((expr, factor)) = stack.pop() {
            if factor.abs() > 1 << 32 {
                return Err(large);
            }
            match &pool[expr] {
                Expr::Const(number) if number.abs() < 1 << 80 => constant += factor * number,
                Expr::Tokens(places) => {
                    for place in places {
                        let Some(offset) = self.offsets[place.index()] else {
                            return Err(Uncertified::Formula("a sum of values that are no numbers"));
                        };
                        *sum.entry(self.places[place.index()]).or_default() += factor;
                        constant -= factor * offset;
                    }
                }
                Expr::Neg(a) => stack.push((*a, -factor)),
                Expr::Add(operands) => stack.extend(operands.iter().map(|&operand| (operand, factor))),
                Expr::Mul(a, b) => match (&pool[*a], &pool[*b]) {
                    (Expr::Const(number), _) if number.abs() < 1 << 32 => stack.push((*b, factor * number)),
                    (_, Expr::Const(number)) if number.abs() < 1 << 32 => stack.push((*a, factor * number)),
                    _ => return Err(Uncertified::Formula("a product of numbers of tokens")),
                },
                Expr::Bounds(_) => return Err(Uncertified::Formula("a formula with `bounds`")),
                Expr::Const(_) | Expr::Div(..) => return Err(Uncertified::Formula("a division or a large number")),
            }
        }
        let op = match comparison {
            Comparison::Eq => Op::Eq,
            Comparison::Ne => Op::Ne,
            Comparison::Lt => Op::Lt,
            Comparison::Le => Op::Le,
            Comparison::Gt => Op::Gt,
            Comparison::Ge => Op::Ge,
        };
        if sum.values().any(|factor| factor.abs() > 1 << 32) {
            return Err(large);
        }
        let sum = sum.into_iter().filter(|(_, factor)| *factor != 0).map(|(place, factor)| (place, factor as i64));
        Ok((sum.collect(), op, -constant))
    }

    /// The state label that a sum is, if it is a condition.
    fn condition(&self, sum: &[(usize, i64)]) -> Option<LabelId> {
        let &[(place, 1)] = sum else { return None };
        let label = self.conditions.iter().position(|condition| *condition == Some(place))?;
        u32::try_from(label).ok().map(LabelId)
    }

    /// An atom of the checker as a formula here.
    pub(super) fn atom(&self, atom: &Node, pool: &mut Pool) -> Result<FormulaId, Uncertified> {
        Ok(match atom {
            Node::True => pool.add(Formula::True),
            Node::False => pool.add(Formula::False),
            Node::Deadlock => pool.add(Formula::Deadlock),
            Node::Compare(sum, op, bound) if self.condition(sum).is_some() => {
                let label = self.condition(sum).map(|label| pool.add(Formula::Label(label)));
                let [no, yes] = [0, 1].map(|value| op.holds(value, *bound));
                match label {
                    Some(label) if yes && !no => label,
                    Some(label) if no && !yes => pool.add(Formula::Not(label)),
                    _ => pool.add(if yes { Formula::True } else { Formula::False }),
                }
            }
            Node::Enabled(labels) => {
                let actions = self.actions_of(labels.iter().copied());
                pool.add(Formula::Enabled(actions.into_iter().map(TransitionId).collect()))
            }
            Node::Compare(sum, op, bound) => {
                let (mut terms, mut bound) = (Vec::new(), *bound);
                for &(place, factor) in sum {
                    let variable = self.variables.get(place).filter(|&&variable| variable < self.places.len());
                    let offset = variable.and_then(|&variable| self.offsets[variable]);
                    bound -= i128::from(factor) * offset.ok_or(Uncertified::Formula("a sum with conditions"))?;
                    let tokens = pool.add_expr(Expr::Tokens(vec![PlaceId(self.variables[place] as u32)]));
                    let factor = pool.add_expr(Expr::Const(factor.into()));
                    terms.push(pool.add_expr(Expr::Mul(factor, tokens)));
                }
                let left = match (terms.len(), terms.pop()) {
                    (0, _) | (_, None) => pool.add_expr(Expr::Const(0)),
                    (1, Some(only)) => only,
                    (_, Some(last)) => {
                        terms.push(last);
                        pool.add_expr(Expr::Add(terms))
                    }
                };
                let comparison = match op {
                    Op::Eq => Comparison::Eq,
                    Op::Ne => Comparison::Ne,
                    Op::Lt => Comparison::Lt,
                    Op::Le => Comparison::Le,
                    Op::Gt => Comparison::Gt,
                    Op::Ge => Comparison::Ge,
                };
                let right = pool.add_expr(Expr::Const(bound));
                pool.add(Formula::Compare(left, comparison, right))
            }
            _ => return Err(Uncertified::Formula("what is no atom")),
        })
    }
}
