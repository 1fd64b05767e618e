//! A program: variables, and actions of which each step takes one.
//!
//! ```text
//! IVAR   action : {t, u, none};
//! VAR    p : 0..2;
//! DEFINE can_t := p >= 1;  …  deadlock := !(can_t | can_u);
//! ASSIGN init(p) := 2;  next(p) := case action = t & p >= 1 : p - 1; TRUE : p; esac;
//! TRANS  action = t -> can_t  …  TRANS action = none -> deadlock
//! ```
//!
//! The step of a deadlock, `none`, leaves all as it is, so that each state has a successor: NuSMV looks at infinite
//! paths alone. What an action assigns stands under a condition by which it stays in range for all values of the
//! variables, as NuSMV wants it of assignments, whether states with these values are reachable or not.

use indexmap::{IndexMap, IndexSet};
use starset_smv::{Names, chained};
use std::fmt::Write;

/// Characters of a line, about.
const WIDE: usize = 100;

/// A variable of a program.
#[derive(Debug)]
pub(super) struct Variable {
    /// Its identifier.
    pub(super) name: String,
    /// Its name in the model.
    pub(super) origin: String,
    pub(super) domain: Domain,
}

/// The values of a variable.
#[derive(Debug)]
pub(super) enum Domain {
    /// The numbers from the first to the last, which are the values of the model.
    Range(u64, u64),
    /// Constants. By value of the model: which.
    Values(IndexMap<u64, String>),
}

impl Domain {
    fn is_constant(&self) -> bool {
        match self {
            Domain::Range(low, high) => low == high,
            Domain::Values(values) => values.len() < 2,
        }
    }
}

/// An action of a program.
#[derive(Debug)]
pub(super) struct Action {
    /// Its identifier, and that of the condition under which it is possible.
    pub(super) name: String,
    pub(super) possible: String,
    /// Its name in the model.
    pub(super) origin: String,
    /// The condition: parts of a conjunction.
    pub(super) guard: Vec<String>,
    /// By variable: a further condition, perhaps none, and the next value.
    pub(super) updates: Vec<(usize, String, String)>,
}

/// A program.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) names: Names,
    /// The input that says which action is taken, its value for none, and the condition of a deadlock.
    pub(super) action: String,
    pub(super) none: String,
    pub(super) deadlock: String,
    pub(super) variables: Vec<Variable>,
    /// The values of the variables in each initial state.
    pub(super) initial: Vec<Vec<String>>,
    pub(super) actions: Vec<Action>,
    /// By action of the model: actions of the program.
    pub(super) of_action: Vec<Vec<usize>>,
    /// By state label of the model: its identifier and its condition.
    pub(super) labels: Vec<(String, String)>,
}

impl Program {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        let mut names = Names::default();
        let [action, none, deadlock] = ["action", "none", "deadlock"].map(|name| names.fresh(name));
        Program {
            names,
            action,
            none,
            deadlock,
            variables: Vec::new(),
            initial: Vec::new(),
            actions: Vec::new(),
            of_action: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Add a variable: its identifier.
    pub(super) fn variable(&mut self, origin: &str, domain: Domain) -> String {
        let name = self.names.fresh(origin);
        self.variables.push(Variable { name: name.clone(), origin: origin.to_owned(), domain });
        name
    }

    /// Add an action: its number.
    pub(super) fn add(&mut self, origin: &str, guard: Vec<String>, updates: Vec<(usize, String, String)>) -> usize {
        let name = self.names.fresh(origin);
        let possible = self.names.fresh(&format!("can_{name}"));
        self.actions.push(Action { name, possible, origin: origin.to_owned(), guard, updates });
        self.actions.len() - 1
    }

    /// The text, without properties.
    pub(super) fn text(&self, title: &str) -> String {
        let mut text = format!("-- {}, written by starset\nMODULE main\n", comment(title));
        let names: Vec<&str> = self.actions.iter().map(|action| action.name.as_str()).chain([&self.none[..]]).collect();
        let _ = writeln!(text, "IVAR\n  {} : {};", self.action, braces(&names));
        self.declarations(&mut text);
        self.definitions(&mut text);
        self.assignments(&mut text);
        for Action { name, possible, .. } in &self.actions {
            let _ = writeln!(text, "TRANS {} = {name} -> {possible};", self.action);
        }
        let _ = writeln!(text, "TRANS {} = {} -> {};", self.action, self.none, self.deadlock);
        text
    }

    fn declarations(&self, text: &mut String) {
        if !self.variables.is_empty() {
            text.push_str("VAR\n");
        }
        for Variable { name, origin, domain } in &self.variables {
            let values = match domain {
                Domain::Range(low, high) => format!("{low}..{high}"),
                Domain::Values(values) => {
                    let different: IndexSet<&str> = values.values().map(String::as_str).collect();
                    braces(&different.into_iter().collect::<Vec<_>>())
                }
            };
            let _ = writeln!(text, "  {name} : {values};{}", origin_of(name, origin));
        }
    }

    fn definitions(&self, text: &mut String) {
        text.push_str("DEFINE\n");
        for Action { name, possible, origin, guard, .. } in &self.actions {
            let condition = match &guard[..] {
                [] => "TRUE".to_owned(),
                parts => chained(parts.to_vec(), " & "),
            };
            let _ = writeln!(text, "  {possible} := {condition};{}", origin_of(name, origin));
        }
        let some = disjunction(self.actions.iter().map(|action| action.possible.clone()).collect());
        let _ = writeln!(text, "  {} := !({some});", self.deadlock);
        for (name, condition) in &self.labels {
            let _ = writeln!(text, "  {name} := {condition};");
        }
    }

    fn assignments(&self, text: &mut String) {
        let several = self.initial.len() > 1;
        if !self.variables.is_empty() {
            text.push_str("ASSIGN\n");
        }
        let mut changes: Vec<IndexMap<(&str, &str), Vec<&str>>> = vec![IndexMap::new(); self.variables.len()];
        for action in &self.actions {
            for (variable, condition, value) in &action.updates {
                changes[*variable].entry((condition, value)).or_default().push(&action.name);
            }
        }
        for (number, (variable, changes)) in self.variables.iter().zip(&changes).enumerate() {
            // What has one value alone is a constant, and nothing assigns it.
            if variable.domain.is_constant() {
                continue;
            }
            let name = &variable.name;
            if let ([only], false) = (&self.initial[..], several) {
                let _ = writeln!(text, "  init({name}) := {};", only[number]);
            }
            if changes.is_empty() {
                let _ = writeln!(text, "  next({name}) := {name};");
                continue;
            }
            let _ = writeln!(text, "  next({name}) := case");
            for ((condition, value), actions) in changes {
                let taken = match actions[..] {
                    [only] => format!("{} = {only}", self.action),
                    _ => format!("{} in {}", self.action, braces(actions)),
                };
                let also = if condition.is_empty() { String::new() } else { format!(" & {condition}") };
                let _ = writeln!(text, "      {taken}{also} : {value};");
            }
            let _ = writeln!(text, "      TRUE : {name};\n    esac;");
        }
        if several {
            let state = |values: &Vec<String>| {
                let parts =
                    self.variables.iter().zip(values).map(|(variable, value)| format!("{} = {value}", variable.name));
                format!("({})", chained(parts.collect(), " & "))
            };
            let states: Vec<String> = self.initial.iter().map(state).collect();
            let _ = writeln!(text, "INIT {};", chained(states, "\n  | "));
        }
    }
}

/// One of these, each with an operator that binds tighter, or in brackets; readers limit the length of a chain.
pub(super) fn disjunction(parts: Vec<String>) -> String {
    if parts.is_empty() { "FALSE".to_owned() } else { chained(parts, " | ") }
}

/// A set of these, in lines that are not too long.
pub(super) fn braces(members: &[&str]) -> String {
    let (mut text, mut length) = ("{".to_owned(), 0);
    for (number, member) in members.iter().enumerate() {
        if number > 0 {
            text.push(',');
            text.push_str(if length > WIDE { "\n    " } else { " " });
            length = if length > WIDE { 0 } else { length };
        }
        text.push_str(member);
        length += member.len() + 2;
    }
    text.push('}');
    text
}

/// A comment with the name in the model, where it is another one.
fn origin_of(name: &str, origin: &str) -> String {
    if name == origin { String::new() } else { format!(" -- {}", comment(origin)) }
}

/// A text as a comment of one line.
pub(super) fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
