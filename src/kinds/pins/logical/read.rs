//! Texts of all forms as networks.

use super::super::SourceError;
use super::super::source::{Fault, Place};
use super::function::{Read, Update};
use super::network::Logical;
use super::{aeon, bnet, booleannet, ginml, sbml};

/// Why there is no network.
const NONE: &str = "no functions agree with all regulations, or it is too hard to find some";

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
        let read = match form {
            Form::Bnet => bnet::read(text),
            Form::BooleanNet => booleannet::read(text),
            Form::Aeon => aeon::read(text),
            Form::Sbml => sbml::read(text),
            Form::Ginml => ginml::read(text),
        };
        let Read { conditions, components, admissible, remarks, notes } = read.map_err(|fault| fault.in_file(file))?;
        let [remarks, notes] =
            [remarks, notes].map(|all| all.into_iter().map(|text| format!("{file}:{text}")).collect());
        let network = Logical::new(file, &conditions, components, &admissible, update)
            .ok_or_else(|| Fault::new(Place::START, NONE).in_file(file))?;
        Ok(Named { network, remarks, notes })
    }
}
