//! The option `--translator`: who makes automata of formulas.

use super::Failure;
use clap::Args;
use starset::automaton::{Builtin, External, Translator};

/// Who makes automata of formulas.
#[derive(Args, Debug)]
pub(crate) struct TranslatorArgs {
    /// Who translates formulas to automata: `builtin`, or a command that prints HOA, in which %f stands for the
    /// formula, as in 'ltl2tgba --low %f'
    #[arg(long, value_name = "builtin|CMD", default_value = "builtin", hide_default_value = true)]
    translator: String,
}

impl TranslatorArgs {
    /// The translator that was asked for.
    pub(crate) fn get(&self) -> Result<Box<dyn Translator>, Failure> {
        match self.translator.as_str() {
            "builtin" => Ok(Box::new(Builtin)),
            command => match External::new(command) {
                Ok(external) => Ok(Box::new(external)),
                Err(error) => Err(Failure::Input(error.to_string())),
            },
        }
    }
}
