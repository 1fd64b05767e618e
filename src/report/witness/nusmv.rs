//! Runs as NuSMV writes traces: its text, where later states tell what has changed, and the XML of its trace plugin 4,
//! where each state tells all.
//!
//! A state has its frozen variables, then the others as they are declared, then its definitions; what is defined by
//! state and step comes last. Inputs of a step have the number of the state that it leads to. Of models whose steps
//! have no inputs the transition is told as one, where there are several. A run that repeats itself has a marker before
//! the state where its loop starts, and this state once more at its end.
//!
//! A trace is one run, and witnesses are trees. So a run goes on with the one that its last state needs, as NuSMV joins
//! them too, and what else there is in a tree is left out.
//!
//! *Source*: NuSMV 2.6, User Manual, section 4.7 (traces); `counter-example-no-ns.xsd` beside its trace plugins.

use super::{Names, referred};
use crate::model::{State, Step, TransitionSystem, VariableId};
use crate::report::state;
use crate::witness::{End, Run, Witness};
use crate::xml::escaped;
use std::fmt::Write as _;

/// What a trace is there for, in the words of NuSMV.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It refutes, or shows, a formula of CTL or CTL\*.
    Ctl,
    /// It refutes a formula of LTL.
    Ltl,
    /// It leads to a state that breaks an invariant.
    Invariant,
    /// It is a random run.
    Simulation,
}

impl Purpose {
    fn description(self) -> &'static str {
        match self {
            Purpose::Ctl => "CTL Counterexample",
            Purpose::Ltl => "LTL Counterexample",
            Purpose::Invariant => "AG alpha Counterexample",
            Purpose::Simulation => "Simulation Trace",
        }
    }

    /// The word and the number of the type.
    fn of_type(self) -> (&'static str, u8) {
        if self == Purpose::Simulation { ("Simulation", 1) } else { ("Counterexample", 0) }
    }
}

/// How a trace is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceForm {
    /// NuSMV's text.
    Text,
    /// The XML of its trace plugin 4.
    Xml,
}

/// Names and values, in their order.
type Values = Vec<(String, String)>;

/// A state of a trace.
#[derive(Debug)]
struct Point {
    values: Values,
    /// The definitions that rest on the state and on the step that follows.
    of_step: Values,
    /// The inputs of the step that follows, if one does.
    inputs: Option<Values>,
}

/// A run that is told as NuSMV tells it.
#[derive(Debug)]
pub struct Trace {
    points: Vec<Point>,
    /// Where the loop starts, which the last state repeats.
    looped: Option<usize>,
    has_inputs: bool,
}

impl Trace {
    /// A run of a model through these states, with a step after each but the last. With `looped` the last state is this
    /// one once more.
    pub fn new(model: &dyn TransitionSystem, states: &[&State], steps: &[Step], looped: Option<usize>) -> Self {
        let point = |(at, state): (usize, &&State)| point(model, state, steps.get(at).copied());
        let points: Vec<Point> = states.iter().enumerate().map(point).collect();
        let has_inputs = points.iter().any(|point| point.inputs.as_ref().is_some_and(|inputs| !inputs.is_empty()));
        Trace { points, looped, has_inputs }
    }

    /// A run of a witness. Where it may go on in any way, and its last state needs another run, it goes on with that.
    fn of<'w>(witness: &'w Witness, mut run: &'w Run, model: &dyn TransitionSystem) -> Self {
        let (mut states, mut steps): (Vec<&State>, Vec<Step>) = (Vec::new(), Vec::new());
        loop {
            // The first state of a run that is gone on with is the last one of the run before.
            let first = usize::from(!states.is_empty());
            let begin = states.len() - first;
            states.extend(run.positions.iter().skip(first).map(|position| &position.marking));
            steps.extend(&run.fired);
            let looped = if let End::Loop(start) = run.end { Some(begin + start) } else { None };
            let reasons = run.positions.last().filter(|_| run.end == End::Open).map(|last| &last.reasons);
            // Of several the last one: those before say that there is a fair path at all.
            let next = reasons.into_iter().flatten().flat_map(referred).last();
            let Some(next) = next.and_then(|next| witness.runs.get(next)) else {
                states.extend(looped.and_then(|start| states.get(start).copied()));
                return Trace::new(model, &states, &steps, looped);
            };
            run = next;
        }
    }

    /// It in this form; `number` is that of the trace.
    pub fn written(&self, form: TraceForm, purpose: Purpose, number: usize) -> String {
        match form {
            TraceForm::Text => self.text(purpose, number),
            TraceForm::Xml => self.xml(purpose, number),
        }
    }

    fn text(&self, purpose: Purpose, number: usize) -> String {
        let mut out = String::new();
        let (word, _) = purpose.of_type();
        let _infallible = writeln!(out, "Trace Description: {}\nTrace Type: {word}", purpose.description());
        let (mut values, mut of_step, mut inputs) = (Values::new(), Values::new(), Values::new());
        for (at, point) in self.points.iter().enumerate() {
            if at > 0 && self.has_inputs {
                let _infallible = writeln!(out, "  -> Input: {number}.{} <-", at + 1);
                changes(&mut inputs, self.points[at - 1].inputs.iter().flatten(), &mut out);
            }
            if self.looped == Some(at) {
                out.push_str("  -- Loop starts here\n");
            }
            let _infallible = writeln!(out, "  -> State: {number}.{} <-", at + 1);
            changes(&mut values, point.values.iter(), &mut out);
            changes(&mut of_step, point.of_step.iter(), &mut out);
        }
        out
    }

    fn xml(&self, purpose: Purpose, number: usize) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let (kind, description) = (purpose.of_type().1, purpose.description());
        let _infallible = writeln!(out, "<counter-example type=\"{kind}\" id=\"{number}\" desc=\"{description}\" >");
        for (at, point) in (1..).zip(&self.points) {
            out.push_str("\t<node>\n");
            section("state", at, &point.values, &mut out);
            if !point.of_step.is_empty() {
                // It has the number of the step, and NuSMV does not read it with another.
                section("combinatorial", at + 1, &point.of_step, &mut out);
            }
            if let Some(inputs) = point.inputs.as_ref().filter(|_| self.has_inputs) {
                section("input", at + 1, inputs, &mut out);
            }
            out.push_str("\t</node>\n");
        }
        let looped = self.looped.map_or(String::new(), |start| format!("{} ", start + 1));
        let _infallible = writeln!(out, "\t<loops> {looped}</loops>\n</counter-example>");
        out
    }
}

/// The lines of NuSMV about an answer, and its traces: of several runs from the initial state each is one. `known` is
/// how many traces have been told before: those of the answer are added.
pub fn nusmv(
    form: TraceForm,
    (witness, names): (Option<&Witness>, Names<'_>),
    (text, holds, purpose): (&str, bool, Purpose),
    known: &mut usize,
) -> String {
    let what = if purpose == Purpose::Invariant { "invariant" } else { "specification" };
    let mut out = format!("-- {what} {text}  is {holds}\n");
    for trace in traces(witness, names, holds) {
        *known += 1;
        out.push_str("-- as demonstrated by the following execution sequence\n");
        out.push_str(&trace.written(form, purpose, *known));
    }
    out
}

/// The runs from the initial state as traces. A formula that no run refutes, since it asks for one, has that state.
fn traces(witness: Option<&Witness>, names: Names<'_>, holds: bool) -> Vec<Trace> {
    let Some(witness) = witness else { return Vec::new() };
    let model = names.model;
    if witness.runs.is_empty() && !holds && model.initial_states().len() == 1 {
        return vec![Trace::new(model, &[&model.initial()], &[], None)];
    }
    let begun = referred(&witness.reason).into_iter().filter_map(|number| witness.runs.get(number));
    begun.map(|run| Trace::of(witness, run, model)).collect()
}

fn point(model: &dyn TransitionSystem, state: &State, step: Option<Step>) -> Point {
    let aside = model.aside(state, step);
    let value = |(variable, &value): (VariableId, &u64)| {
        let text = model.value(variable, value).map_or_else(|| value.to_string(), std::borrow::Cow::into_owned);
        (model.variable(variable).to_owned(), text)
    };
    let (frozen, others): (Vec<_>, Vec<_>) =
        state::shown(model, state).partition(|&(variable, _)| model.is_frozen(variable));
    let mut values: Values = frozen.into_iter().chain(others).map(value).collect();
    values.extend(aside.of_state);
    let inputs = step.map(|step| {
        let mut inputs: Values = aside.inputs.into_iter().map(|input| (input.name, input.value)).collect();
        inputs.extend(aside.of_inputs);
        if inputs.is_empty() && model.actions() > 1 {
            inputs.push((model.terms().action.to_owned(), model.describe(state, step).into_owned()));
        }
        inputs
    });
    Point { values, of_step: aside.of_step, inputs }
}

/// The lines of what has changed, which is known then.
fn changes<'v>(known: &mut Values, now: impl Iterator<Item = &'v (String, String)>, out: &mut String) {
    for (at, (name, value)) in now.enumerate() {
        // What is told once keeps its place, as a rule; what has no value in some states is told later.
        let place = match known.get(at).is_some_and(|known| known.0 == *name) {
            true => Some(at),
            false => known.iter().position(|known| known.0 == *name),
        };
        match place {
            Some(place) if known[place].1 == *value => continue,
            Some(place) => known[place].1.clone_from(value),
            None => known.push((name.clone(), value.clone())),
        }
        let _infallible = writeln!(out, "    {name} = {value}");
    }
}

fn section(name: &str, id: usize, values: &Values, out: &mut String) {
    let _infallible = writeln!(out, "\t\t<{name} id=\"{id}\">");
    for (variable, value) in values {
        let (variable, value) = (escaped(variable), escaped(value));
        let _infallible = writeln!(out, "\t\t\t<value variable=\"{variable}\">{value}</value>");
    }
    let _infallible = writeln!(out, "\t\t</{name}>");
}
