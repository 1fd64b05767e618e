//! A machine and those that it uses, as one.
//!
//! INCLUDES and EXTENDS take over everything of another machine; its operations can be called, and are operations of
//! the machine if they are promoted (all of them, for EXTENDS). SEES and USES only read, but variables and
//! initialisation are part of the model as well. A prefix (`INCLUDES left.Wheel`) goes in front of variables and
//! operations. Parameters are replaced by the values that the user gives. A machine that is used twice without prefix
//! is there once. Initialisations happen in the order of use, the machine's own last.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Expr, Kind, Machine, Name, Operation, Sub};
use super::definitions::{Definitions, Tokens};
use super::error::{Error, Pos, Res};
use super::{lexer, parse_machine};

/// Finds the text of a machine or a definition file that another one names: its name for messages, and its text.
pub type Finder<'a> = &'a dyn Fn(&str) -> Option<(String, String)>;

/// The part of ProB's LibraryIO.def that only prints.
const LIBRARY: &str = "DEFINITIONS PRINTF(a,b) == skip; PRINT(a) == skip; DPRINTF(a,b) == skip; FPRINTF(a,b,c) == skip;
    printf(a,b) == (TRUE = TRUE); printf1(a,b) == (TRUE = TRUE); dprintf(a,b) == (TRUE = TRUE);
    fprintf(a,b,c) == (TRUE = TRUE); printf_nonvar(a,b) == (TRUE = TRUE)";

/// How deep machines may use one another.
const DEPTH: usize = 20;

/// A model: one or more machines as one.
#[derive(Default)]
pub(super) struct Flat {
    /// The machine, with all that it has from others.
    pub machine: Machine,
    /// Initialisations in order.
    pub initialisations: Vec<Sub>,
    /// Operations that can be called but are none of the machine.
    pub callable: FxHashMap<Name, Operation>,
    /// Names of files, and what stands in them.
    pub files: Vec<String>,
    pub texts: Vec<String>,
    /// Names of the parts of the invariant and of the assertions, which they have in Event-B.
    pub labels: Option<[Vec<String>; 2]>,
    used: FxHashSet<Name>,
}

/// Reads a machine and all that it uses.
///
/// # Errors
/// When a text is no machine, or one that it names is not found.
pub(super) fn read(name: &str, text: &str, finder: Finder<'_>) -> Result<Flat, Error> {
    let mut flat = Flat::default();
    let result = read_file(&mut flat, name, text, finder, 0).and_then(|mut machine| {
        let operations = std::mem::take(&mut machine.operations);
        include(&mut flat, &mut machine, finder, 0)?;
        promote(&mut flat, &machine)?;
        merge(&mut flat, machine, true);
        flat.machine.operations.extend(operations);
        Ok(())
    });
    match result {
        Ok(()) => Ok(flat),
        Err(error) => Err(error.within(&flat.files)),
    }
}

/// Parses one file.
fn read_file(flat: &mut Flat, name: &str, text: &str, finder: Finder<'_>, depth: usize) -> Res<Machine> {
    let file = flat.files.len() as u16;
    flat.files.push(name.to_string());
    flat.texts.push(text.to_owned());
    let tokens: Tokens = lexer::tokens(text, file)?.into();
    let mut definitions = Definitions::default();
    parse_machine::read_definitions(&tokens, &mut definitions)?;
    let mut at = 0;
    while at < definitions.files.len() {
        let (file, pos) = definitions.files[at].clone();
        at += 1;
        if at > 100 || depth > DEPTH {
            return Err(Error::refused(pos, "too many definition files".into()));
        }
        let plain = file.rsplit('/').next().unwrap_or(&file);
        let (name, text) = match finder(&file) {
            Some(found) => found,
            // ProB's own library: what only prints is known.
            None if plain == "LibraryIO.def" => (plain.to_string(), LIBRARY.to_string()),
            None => {
                return Err(Error::refused(pos, format!("the definition file {file} is not beside the machine")));
            }
        };
        let number = flat.files.len() as u16;
        flat.files.push(name);
        let tokens: Tokens = lexer::tokens(&text, number)?.into();
        parse_machine::read_definitions(&tokens, &mut definitions)?;
    }
    if let Some((name, _)) = definitions.table.iter().find(|(name, _)| name.starts_with("EXTERNAL_")) {
        let used = &name["EXTERNAL_".len()..];
        let used = used.split_once('_').map_or(used, |(_, rest)| rest);
        let is = |token: &lexer::Token| matches!(token, lexer::Token::Word(word) if &**word == used);
        let pos = tokens.iter().find(|(token, _)| is(token)).map_or(Pos::default(), |(_, pos)| *pos);
        return Err(Error::refused(pos, format!("{used} is an external function of ProB")));
    }
    parse_machine::machine(tokens, &definitions)
}

/// Takes over the machines that a machine uses.
fn include(flat: &mut Flat, machine: &mut Machine, finder: Finder<'_>, depth: usize) -> Res<()> {
    for used in std::mem::take(&mut machine.uses) {
        if depth >= DEPTH {
            return Err(Error::refused(used.pos, format!("machines use one another more than {DEPTH} deep")));
        }
        let key: Name = match &used.prefix {
            Some(prefix) => format!("{prefix}.{}", used.name).into(),
            None => used.name.clone(),
        };
        if !flat.used.insert(key) {
            continue;
        }
        let Some((name, text)) = finder(&format!("{}.mch", used.name)) else {
            return Err(Error::refused(used.pos, format!("the machine {} is not beside this one", used.name)));
        };
        let mut other = read_file(flat, &name, &text, finder, depth + 1)?;
        if !used.arguments.is_empty() || !other.parameters.is_empty() {
            if used.arguments.len() != other.parameters.len() {
                return Err(Error::refused(used.pos, format!("{} has other parameters", used.name)));
            }
            let parameters = std::mem::take(&mut other.parameters);
            let arguments = used.arguments.clone();
            replace(&mut other, &|name| {
                parameters.iter().position(|parameter| parameter == name).map(|at| arguments[at].clone())
            });
        }
        include(flat, &mut other, finder, depth + 1)?;
        if let Some(prefix) = &used.prefix {
            rename(&mut other, prefix);
        }
        promote(flat, &other)?;
        for operation in std::mem::take(&mut other.operations) {
            // ProB animates the operations of a machine that is seen as well.
            if (used.extends || !used.owned) && depth == 0 {
                flat.machine.operations.push(operation.clone());
            }
            flat.callable.insert(operation.name.clone(), operation);
        }
        merge(flat, other, false);
    }
    Ok(())
}

/// The promoted operations of a machine become its own.
fn promote(flat: &mut Flat, machine: &Machine) -> Res<()> {
    for (name, pos) in &machine.promotes {
        match flat.callable.get(name) {
            Some(operation) => flat.machine.operations.push(operation.clone()),
            None => return Err(Error::typing(*pos, format!("there is no operation {name} to promote"))),
        }
    }
    Ok(())
}

/// Adds a machine to the model. The preferences of the main machine count, those of others do not.
fn merge(flat: &mut Flat, machine: Machine, main: bool) {
    let into = &mut flat.machine;
    into.sets.extend(machine.sets);
    into.constants.extend(machine.constants);
    into.variables.extend(machine.variables);
    into.properties.extend(machine.properties);
    into.invariant.extend(machine.invariant);
    into.assertions.extend(machine.assertions);
    flat.initialisations.extend(machine.initialisation);
    if main {
        into.name = machine.name;
        into.parameters = machine.parameters;
        into.preferences = machine.preferences;
        (into.questions, into.conditions) = (machine.questions, machine.conditions);
    }
}

/// Replaces names everywhere in a machine.
fn replace(machine: &mut Machine, with: &dyn Fn(&Name) -> Option<Expr>) {
    for expr in machine.properties.iter_mut().chain(&mut machine.invariant).chain(&mut machine.assertions) {
        expr.replace(with);
    }
    if let Some(sub) = &mut machine.initialisation {
        sub.replace(with);
    }
    for operation in &mut machine.operations {
        let own: Vec<Name> = operation.inputs.iter().chain(&operation.outputs).map(|var| var.name.clone()).collect();
        operation.body.replace(&|name| if own.contains(name) { None } else { with(name) });
    }
    for used in &mut machine.uses {
        used.arguments.iter_mut().for_each(|argument| argument.replace(with));
    }
}

/// Puts a prefix in front of the variables and operations of a machine.
fn rename(machine: &mut Machine, prefix: &Name) {
    let full = |name: &Name| -> Name { format!("{prefix}.{name}").into() };
    let variables: Vec<Name> = machine.variables.iter().map(|(name, _)| name.clone()).collect();
    replace(machine, &|name| {
        let plain: Name = name.strip_suffix("$0").map_or_else(|| name.clone(), Into::into);
        variables.contains(&plain).then(|| Expr::new(Pos::default(), Kind::Name(full(name))))
    });
    for (name, _) in &mut machine.variables {
        *name = full(name);
    }
    for operation in &mut machine.operations {
        operation.name = full(&operation.name);
    }
}
