//! A program behind the next-state function.

use super::super::PinsError;
use super::super::next_state::{
    Batch, Direct, Group, LabelRole, ModelError, Moves, NextState, Signature, StateLabel, Successors, Value as Code,
    Values, Variable,
};
use super::asides::Asides;
use super::circuit;
use super::questions;
use super::relation::{self, Form, Sizes};
use super::values::{Coding, WIDEST};
use crate::budget::Budget;
use crate::circuit::Circuit;
use crate::kinds::{Fact, Flat, ModelQuestions, Purpose};
use crate::model::{Aside, VariableId};
use crate::relation::Relation;
use starset_smv::{Failure, Fault, Limits, Memory, Model, Role, Stage, System, Term, Value, When};
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

/// Initial states that are listed, and values that are tried for them.
const FIRST: Limits = Limits { solutions: 4096, trials: 200_000 };
/// Values that are tried before diagrams are.
const QUICK: u64 = 10_000;
/// Steps of an event from a state, and values that are tried for them.
const STEPS: Limits = Limits { solutions: 1 << 16, trials: 1 << 17 };
/// Greatest depth of expressions, after definitions are put in: evaluation recurses.
const DEEPEST: usize = 800;

/// A program, ready to be explored.
#[derive(Debug)]
pub struct Smv {
    file: String,
    model: Model,
    system: System,
    signature: Signature,
    /// By type.
    codings: Vec<Coding>,
    /// By variable of a state.
    types: Vec<usize>,
    /// By variable of the model: its place in a state.
    slots: Vec<usize>,
    /// Where each event begins.
    sources: Vec<String>,
    /// The conditions that labels are.
    labels: Vec<Term>,
    /// By variable of a state: the condition on the last step that it remembers.
    remembered: Vec<Option<String>>,
    /// By variable of a state: where it gets its next value.
    assignments: Vec<Option<String>>,
    complete: bool,
    rooms: Mutex<Vec<Memory>>,
    /// What its relation has levels for.
    form: Form,
    /// The program that this is the cone of, for certificates, and the conditions that labels are there.
    whole: Option<(Model, Vec<Term>)>,
}

/// What the file of a program asks.
#[derive(Debug)]
pub struct Asked {
    /// The questions; the labels in their formulas are those of the program.
    pub questions: ModelQuestions,
    /// What everybody should know.
    pub remarks: Vec<String>,
    /// What some may want to know.
    pub notes: Vec<String>,
}

/// Why a program is not explored.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Refusal {
    /// Something at a place is beyond what is explored.
    Fault(Fault),
    /// The program fails at first.
    Failure(String),
}

impl Smv {
    /// A program that is read from a file of this name, with conditions that are asked as labels.
    ///
    /// ```
    /// use starset::kinds::pins::{PinsModel, smv::Smv};
    /// use starset::Model;
    /// let text = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;";
    /// let model = PinsModel::new("count", Smv::read("count.smv", text)?)?;
    /// assert_eq!(Model::new(model).states()?.to_string(), "4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first fault of the program, by file, line and column.
    pub fn read(file: &str, text: &str) -> Result<Smv, PinsError> {
        Smv::asked(file, text, &[], Purpose::States).map(|(program, _)| program)
    }

    /// The same with what the file asks, and further properties, as they may stand in a file: `CTLSPEC AG x = 1`. The
    /// program has further variables where questions need them, and, if verdicts are all that is wanted, those alone that
    /// questions rest on: the further ones, where there are such.
    ///
    /// # Errors
    /// As [`Smv::read`].
    pub fn asked(file: &str, text: &str, further: &[String], purpose: Purpose) -> Result<(Smv, Asked), PinsError> {
        let (mut model, remark) = questions::program(file, text, further)?;
        model.split_words(WIDEST);
        if model.terms.depth() > DEEPEST {
            let what = "expressions are nested too deeply, with definitions put in: assign variables in between";
            return Err(Refusal::Failure(what.to_owned()).in_file(file));
        }
        let note = |(place, message): &(starset_smv::Place, String)| format!("{file}:{}: {message}", place.line);
        let mut notes: Vec<String> = model.remarks.iter().map(note).collect();
        let mut whole = None;
        if matches!(purpose, Purpose::Verdicts | Purpose::Proofs) {
            if !further.is_empty() {
                model.properties.retain(|property| property.further.is_some());
            }
            if let Some(cone) = model.cone().filter(|_| !model.properties.is_empty()) {
                let (all, inside) = (model.variables.len(), cone.variables.len());
                notes.push(format!("{inside} of {all} variables have a say in what is asked: the others are left out"));
                let mut left = std::mem::replace(&mut model, cone);
                whole = (purpose == Purpose::Proofs).then(|| {
                    let labels = questions::asked(&mut left, true).labels;
                    (left, labels)
                });
            }
        }
        let questions::Made { labels, questions, mut remarks } =
            questions::asked(&mut model, purpose != Purpose::States);
        remarks.splice(0..0, remark);
        let mut program = Smv::new(file, text, model, labels).map_err(|refusal| refusal.in_file(file))?;
        program.whole = whole;
        if purpose == Purpose::Proofs {
            program.form = Form::ValuesIfPossible;
        }
        Ok((program, Asked { questions, remarks, notes }))
    }

    fn new(file: &str, text: &str, mut model: Model, labels: Vec<Term>) -> Result<Self, Refusal> {
        if let Some(wide) = model.variables.iter().find(|variable| !Coding::of(variable).fits()) {
            let what = "has values that are 4294967295 apart, or more";
            let message = format!("`{}` {what}, which is not explored", wide.name);
            return Err(Refusal::Fault(Fault { place: wide.place, message, stage: Stage::Values, is_further: false }));
        }
        let system = System::new(&mut model);
        let (listed, complete) = first_states(&system, &model)?;
        if complete && listed.is_empty() {
            let what = "the program has no initial state: INIT, INVAR and what is assigned at first contradict each other, \
                        so that all its properties hold of nothing";
            return Err(Refusal::Failure(what.to_owned()));
        }
        if !complete && listed.len() < 2 {
            let what = "its first states are not found by trying values one by one: \
                        give `init` or an `INIT` that names values to variables with many";
            return Err(Refusal::Failure(what.to_owned()));
        }
        let mut slots = vec![usize::MAX; model.variables.len()];
        for (slot, &variable) in system.state().iter().enumerate() {
            slots[variable] = slot;
        }
        let of_slots = |found: Vec<(usize, String)>| {
            let mut all = vec![None; system.state().len()];
            found.into_iter().for_each(|(variable, text)| all[slots[variable]] = Some(text));
            all
        };
        let latched = model.latched.iter().map(|&(variable, condition)| (variable, model.show_term(condition)));
        let assigned = model.assignments.iter().filter(|assignment| assignment.when != When::Init);
        let assigned =
            assigned.filter(|assignment| model.latched.iter().all(|&(latch, _)| latch != assignment.variable));
        let assigned = assigned.map(|assignment| (assignment.variable, source(file, text, assignment.place.line)));
        let mut all = Smv {
            remembered: of_slots(latched.collect()),
            assignments: of_slots(assigned.collect()),
            file: file.to_owned(),
            sources: system.events().iter().map(|event| source(file, text, event.line)).collect(),
            signature: Signature { name: file.to_owned(), ..Signature::default() },
            codings: Vec::new(),
            types: Vec::new(),
            slots,
            labels,
            complete,
            rooms: Mutex::default(),
            form: Form::Suited,
            whole: None,
            model,
            system,
        };
        all.describe(&listed)?;
        Ok(all)
    }

    /// The relation over these levels, with rows conjoined up to these sizes.
    pub(super) fn relation_of(
        &self,
        order: &[VariableId],
        levels: &Relation,
        sizes: (Form, Sizes),
        budget: &Budget,
    ) -> Option<Relation> {
        let program = relation::Subject { model: &self.model, state: self.system.state(), labels: &self.labels };
        relation::relation(program, order, levels.clone(), sizes, budget)
    }

    /// Fill in the signature.
    fn describe(&mut self, first: &[Vec<Value>]) -> Result<(), Refusal> {
        for &variable in self.system.state() {
            let variable = &self.model.variables[variable];
            let coding = Coding::of(variable);
            let kind = self.codings.iter().position(|known| *known == coding).unwrap_or_else(|| {
                self.codings.push(coding);
                self.signature.types.push(self.codings[self.codings.len() - 1].kind.name());
                self.codings.len() - 1
            });
            self.types.push(kind);
            self.signature.variables.push(Variable { name: variable.name.clone(), kind });
        }
        let row =
            |variables: &[usize]| -> Vec<usize> { variables.iter().map(|&variable| self.slots[variable]).collect() };
        let groups =
            self.system.events().iter().map(|event| Group::new(&event.name, &row(&event.reads), &row(&event.writes)));
        self.signature.groups = groups.collect();
        for &label in &self.labels {
            let mut name = self.model.show_term(label);
            if self.signature.labels.iter().any(|other| other.name == name) {
                name = format!("{name} ({})", self.signature.labels.len());
            }
            let mut reads: Vec<usize> =
                self.model.terms.variables(label).into_iter().map(|(variable, _)| self.slots[variable]).collect();
            reads.sort_unstable();
            self.signature.labels.push(StateLabel { name, role: LabelRole::Proposition, reads });
        }
        for state in first {
            let codes = state.iter().zip(&self.types).map(|(&value, &kind)| self.codings[kind].code(value));
            let codes: Option<Vec<Code>> = codes.collect();
            let codes =
                codes.ok_or_else(|| Refusal::Failure("a first state has a value outside of its domain".to_owned()))?;
            self.signature.initial.push(codes);
        }
        Ok(())
    }

    /// The value of a variable of a state.
    fn value(&self, slot: usize, code: Code) -> Result<Value, ModelError> {
        let value = self.codings[self.types[slot]].value(code);
        value.ok_or_else(|| ModelError(format!("`{}` has no value {code}", self.signature.variables[slot].name)))
    }

    /// The steps of an event: values of what it writes.
    fn steps(
        &self,
        event: usize,
        short: &mut dyn Iterator<Item = (usize, Code)>,
    ) -> Result<Vec<Vec<Code>>, ModelError> {
        let values: Vec<Value> = short.map(|(slot, code)| self.value(slot, code)).collect::<Result<_, _>>()?;
        let mut room = self.room();
        let steps = self.system.steps(&self.model, &mut room, event, values, STEPS);
        self.give_back(room);
        let steps = steps.map_err(|failure| self.failed(failure))?;
        if !steps.complete {
            let what = "a state has too many steps to list them one by one";
            return Err(ModelError(format!("{}: {what}", self.file)));
        }
        let writes = &self.signature.groups[event].must_write;
        let coded = |step: Vec<Value>| {
            let codes = step.into_iter().zip(writes).map(|(value, &slot)| self.codings[self.types[slot]].code(value));
            codes.collect::<Option<Vec<Code>>>()
        };
        let coded: Option<Vec<Vec<Code>>> = steps.all.into_iter().map(coded).collect();
        coded.ok_or_else(|| ModelError(format!("{}: a step leads out of the domain of a variable", self.file)))
    }

    fn failed(&self, Failure(message): Failure) -> ModelError {
        ModelError(format!("{}: {message}", self.file))
    }

    fn room(&self) -> Memory {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, room: Memory) {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).push(room);
    }
}

/// Some first states, and whether they are all: by trying values, which is soon done with most programs, else by
/// diagrams, else by trying more.
fn first_states(system: &System, model: &Model) -> Result<(Vec<Vec<Value>>, bool), Refusal> {
    let tried = |trials: u64| {
        let limits = Limits { trials, ..FIRST };
        system.first_states(model, limits).map_err(|Failure(message)| Refusal::Failure(message))
    };
    let quick = tried(QUICK)?;
    if quick.complete || quick.all.len() == FIRST.solutions {
        return Ok((quick.all, quick.complete));
    }
    match starset_smv::first_states(model, FIRST.solutions) {
        Some(found) => Ok(found),
        None => tried(FIRST.trials).map(|found| (found.all, found.complete)),
    }
}

impl Refusal {
    fn in_file(self, file: &str) -> PinsError {
        match self {
            Refusal::Fault(fault) => questions::in_file(fault, file).into(),
            Refusal::Failure(message) => {
                PinsError::Initial { file: file.to_owned(), error: ModelError(message).into() }
            }
        }
    }
}

/// The line of a text, with the name of its file.
fn source(file: &str, text: &str, line: u32) -> String {
    let words = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    format!("{file}:{line}: {}", words.trim())
}

impl Direct for Smv {
    fn moves(&self, state: &[Code], moves: &mut Moves) -> Result<(), ModelError> {
        for (event, group) in self.signature.groups.iter().enumerate() {
            moves.ask(1);
            for step in self.steps(event, &mut group.reads.iter().map(|&slot| (slot, state[slot])))? {
                group.must_write.iter().zip(step).for_each(|(&slot, code)| moves.write(slot, code));
                moves.end(event);
            }
        }
        Ok(())
    }
}

impl NextState for Smv {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        let reads = &self.signature.groups[group].reads;
        let action = u32::try_from(group).unwrap_or(u32::MAX);
        for short in batch.iter() {
            let steps = self.steps(group, &mut reads.iter().copied().zip(short.iter().copied()))?;
            steps.into_iter().for_each(|step| successors.push(action, step));
            successors.end();
        }
        Ok(())
    }

    fn label(&self, label: usize, short: &[Code]) -> Result<bool, ModelError> {
        let reads = self.signature.labels[label].reads.iter().zip(short);
        let values = reads.map(|(&slot, &code)| Ok((self.system.state()[slot], self.value(slot, code)?)));
        let values: Vec<(usize, Value)> = values.collect::<Result<_, ModelError>>()?;
        let mut room = self.room();
        let holds = self.system.holds(&self.model, &mut room, self.labels[label], &values);
        self.give_back(room);
        holds.map_err(|Failure(message)| {
            ModelError(format!("{}: `{}`: {message}", self.file, self.signature.labels[label].name))
        })
    }

    fn lists_initial(&self) -> bool {
        self.complete
    }

    fn knows_steps(&self) -> bool {
        true
    }

    fn relation(&self, order: &[VariableId], levels: &Relation, budget: &Budget) -> Option<Relation> {
        let work = usize::try_from(budget.work().unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        let rows = relation::USUAL.rows.min(work.saturating_mul(2));
        self.relation_of(order, levels, (self.form, Sizes { rows, ..relation::USUAL }), budget)
    }

    fn bits(&self) -> Option<usize> {
        Some(self.types.iter().map(|&kind| circuit::width(&self.codings[kind])).sum())
    }

    fn has_circuit(&self) -> bool {
        true
    }

    fn circuit(&self, budget: &Budget) -> Option<Circuit> {
        circuit::circuit(&self.model, self.system.state(), &self.labels, budget)
    }

    fn is_run(&self, states: &[Vec<Code>], asides: &[Vec<u64>]) -> Option<bool> {
        let values = |state: &Vec<Code>| -> Option<Vec<Value>> {
            state.iter().enumerate().map(|(slot, &code)| self.value(slot, code).ok()).collect()
        };
        let states: Vec<Vec<Value>> = states.iter().map(values).collect::<Option<_>>()?;
        let inputs: Vec<usize> = circuit::inputs(&self.model).collect();
        let of_step = |codes: &Vec<u64>| -> Option<Vec<(usize, Value)>> {
            let value = |(&input, &code): (&usize, &u64)| {
                let coding = Coding::of(&self.model.variables[input]);
                Some((input, coding.value(Code::try_from(code).ok()?)?))
            };
            inputs.iter().zip(codes).map(value).collect()
        };
        let asides: Vec<Vec<(usize, Value)>> = asides.iter().map(of_step).collect::<Option<_>>()?;
        let mut room = self.room();
        let is_run = self.system.is_run(&self.model, &mut room, &states, &asides, STEPS);
        self.give_back(room);
        is_run.ok()
    }

    fn rows(&self) -> Vec<Vec<usize>> {
        let rows = self.model.rows().into_iter();
        rows.map(|row| row.into_iter().map(|variable| self.slots[variable]).collect()).collect()
    }

    fn is_tried(&self) -> bool {
        false
    }

    fn direct(&self) -> Option<&dyn Direct> {
        Some(self)
    }

    fn values(&self, kind: usize) -> Values {
        self.codings[kind].values()
    }

    fn program(&self) -> Option<&Model> {
        Some(&self.model)
    }

    fn flat(&self) -> Option<Flat> {
        let (model, conditions) = self.whole.as_ref().map_or((&self.model, &self.labels), |(model, of)| (model, of));
        // Labels are the same conditions in the same order.
        let shown =
            |model: &Model, of: &[Term]| -> Vec<String> { of.iter().map(|&term| model.show_term(term)).collect() };
        if shown(model, conditions) != shown(&self.model, &self.labels) {
            return None;
        }
        let (text, labels) = model.flat_with(conditions);
        Some(Flat { text, labels })
    }

    fn facts(&self) -> Vec<Fact> {
        let text = "total: each state has a successor";
        let fact = self.model.is_total().then(|| Fact::new("total", true, "relation", text));
        fact.into_iter().collect()
    }

    fn remembered(&self, variable: usize) -> Option<&str> {
        self.remembered.get(variable)?.as_deref()
    }

    fn is_frozen(&self, variable: usize) -> bool {
        self.system.state().get(variable).is_some_and(|&variable| self.model.variables[variable].role == Role::Frozen)
    }

    fn assignment(&self, variable: usize) -> Option<Cow<'_, str>> {
        self.assignments.get(variable)?.as_deref().map(Cow::from)
    }

    fn aside(&self, state: &[Code], step: Option<(usize, &[Code])>) -> Aside {
        let values = |state: &[Code]| -> Option<Vec<Value>> {
            state.iter().enumerate().map(|(slot, &code)| self.value(slot, code).ok()).collect()
        };
        let to = step.and_then(|(event, to)| Some((event, values(to)?)));
        let to = to.as_ref().map(|(event, values)| (*event, &values[..]));
        let mut room = self.room();
        let all = Asides { model: &self.model, system: &self.system, room: &mut room, limits: STEPS };
        let aside = values(state).and_then(|state| all.of(&state, to));
        self.give_back(room);
        aside.unwrap_or_default()
    }

    fn source(&self, group: usize) -> Option<Cow<'_, str>> {
        self.sources.get(group).map(|source| source.as_str().into())
    }

    fn show(&self, kind: usize, code: Code) -> Cow<'_, str> {
        let coding = &self.codings[kind];
        match coding.value(code) {
            Some(value) => self.model.show(value, coding.kind).into(),
            None => code.to_string().into(),
        }
    }

    fn read(&self, kind: usize, text: &str) -> Option<Code> {
        let coding = &self.codings[kind];
        let text = text.trim();
        if let Some(least) = coding.least() {
            let code = u32::try_from(text.parse::<i64>().ok()?.checked_sub(least)?).ok()?;
            return coding.value(code).map(|_| code);
        }
        coding.code(self.model.read_value(text, coding.kind)?)
    }

    fn number(&self, kind: usize, code: Code) -> Option<i64> {
        Some(self.codings[kind].least()? + i64::from(code))
    }
}
