//! The option `--translator`: who makes automata of formulas.

use super::Failure;
use clap::Args;
use starset::automaton::{Builtin, External, Translator};

/// Who makes automata of formulas.
#[derive(Args, Debug)]
pub(crate) struct TranslatorArgs {
    /// Translator of formulas to automata
    ///
    /// Translator of formulas to automata: `builtin`, `spot` (where starset was built with it), or a command
    /// that prints HOA, in which %f stands for the formula, as in 'ltl2tgba --low %f'
    #[arg(
        long,
        value_name = "NAME|CMD",
        default_value = "builtin",
        hide_default_value = true,
        help_heading = "Engine"
    )]
    translator: String,
}

impl TranslatorArgs {
    const BUILTIN: &str = "builtin";

    /// Is another translator than our own asked for?
    pub(crate) fn is_asked(&self) -> bool {
        self.translator != Self::BUILTIN
    }

    /// The translator that was asked for, if it is not our own.
    pub(crate) fn other(&self) -> Result<Option<Box<dyn Translator>>, Failure> {
        if self.is_asked() { self.get().map(Some) } else { Ok(None) }
    }

    /// The translator that was asked for.
    pub(crate) fn get(&self) -> Result<Box<dyn Translator>, Failure> {
        match self.translator.as_str() {
            Self::BUILTIN => Ok(Box::new(Builtin)),
            "spot" => spot(),
            command => match External::new(command) {
                Ok(external) => Ok(Box::new(external)),
                Err(error) => Err(Failure::Input(error.to_string())),
            },
        }
    }
}

#[cfg(feature = "spot")]
fn spot() -> Result<Box<dyn Translator>, Failure> {
    match starset::automaton::Spot::new() {
        Ok(spot) => Ok(Box::new(spot)),
        Err(error) => Err(Failure::Input(error.to_string())),
    }
}

#[cfg(not(feature = "spot"))]
fn spot() -> Result<Box<dyn Translator>, Failure> {
    let remedy = "build it with `--features spot`, or use --translator ltl2tgba if that is installed";
    Err(Failure::Input(format!("this starset was built without Spot: {remedy}")))
}
