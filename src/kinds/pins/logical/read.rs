//! Texts of all forms as networks.

use super::super::SourceError;
use super::super::source::{Fault, Place};
use super::function::{Read, Update};
use super::network::Logical;
use super::{aeon, bnet, booleannet, ginml, sbml};
use std::collections::BTreeMap;

/// A form of files with logical networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `.bnet`, of BoolNet and PyBoolNet.
    Bnet,
    /// The text of BooleanNet.
    BooleanNet,
    /// `.aeon`, of AEON.
    Aeon,
    /// SBML-qual.
    Sbml,
    /// GINML, of GINsim: the graph inside of a `.zginml` archive.
    Ginml,
}

/// A network as a file has it.
#[derive(Clone, Debug)]
pub struct Named {
    /// The network.
    pub network: Logical,
    /// What everybody should know.
    pub remarks: Vec<String>,
    /// What some may want to know.
    pub notes: Vec<String>,
}

impl Logical {
    /// The network in a text of a form from a file of this name.
    ///
    /// # Errors
    /// The first fault, by file, line and column.
    pub fn read(file: &str, text: &str, form: Form, update: Update) -> Result<Named, SourceError> {
        Logical::read_fixed(file, text, form, update, &[])
    }

    /// The same, where some variables keep a level, whatever their functions say.
    ///
    /// # Errors
    /// As [`Logical::read`], and for names and levels that there are not.
    pub fn read_fixed(
        file: &str,
        text: &str,
        form: Form,
        update: Update,
        fixed: &[(String, u32)],
    ) -> Result<Named, SourceError> {
        let read = match form {
            Form::Bnet => bnet::read(text),
            Form::BooleanNet => booleannet::read(text),
            Form::Aeon => aeon::read(text),
            Form::Sbml => sbml::read(text),
            Form::Ginml => ginml::read(text),
        };
        let mut read = read.map_err(|fault| fault.in_file(file))?;
        fix(&mut read, fixed).map_err(|why| Fault::new(Place::START, why).in_file(file))?;
        let Read { conditions, components, admissible, remarks, notes } = read;
        let [remarks, notes] =
            [remarks, notes].map(|all| all.into_iter().map(|text| format!("{file}:{text}")).collect());
        let network = Logical::new(file, conditions, components, &admissible, update)
            .map_err(|why| Fault::new(Place::START, why).in_file(file))?;
        Ok(Named { network, remarks, notes })
    }
}

/// Let variables keep these levels: they have no function, what depends on them is simpler, and other states are none.
fn fix(read: &mut Read, fixed: &[(String, u32)]) -> Result<(), String> {
    let mut level_of = BTreeMap::new();
    for (name, level) in fixed {
        let Some(variable) = read.components.iter().position(|component| component.name == *name) else {
            return Err(format!("there is no variable `{name}` that could be fixed"));
        };
        let component = &mut read.components[variable];
        if *level > component.most {
            return Err(format!("`{name}` has levels up to {}, and is to be fixed at {level}", component.most));
        }
        component.target = None;
        if level_of.insert(variable, *level).is_some() {
            return Err(format!("`{name}` is fixed twice"));
        }
    }
    if level_of.is_empty() {
        return Ok(());
    }
    let conditions = &mut read.conditions;
    let known = |variable: usize, least: u32| level_of.get(&variable).map(|&level| level >= least);
    let all = read.components.iter_mut().filter_map(|component| component.target.as_mut()).flatten();
    for condition in all.chain(&mut read.admissible) {
        *condition = conditions.where_known(*condition, &known);
    }
    for (&variable, &level) in &level_of {
        let least = conditions.at_least(variable, level);
        read.admissible.push(least);
        if level < read.components[variable].most {
            let above = conditions.at_least(variable, level + 1);
            let not = conditions.not(above);
            read.admissible.push(not);
        }
    }
    Ok(())
}
