//! Arguments of the commands that ask formulas.

use super::formulas::FormulaArgs;
use super::model::ModelArg;
use super::options::{FormatArgs, Limits, ProgressMode};
use super::order::OrderArgs;
use super::translator::TranslatorArgs;
use super::witness::WitnessArgs;

/// Arguments that `check` and `satset` share.
#[derive(clap::Args, Debug)]
pub(super) struct Common {
    #[command(flatten)]
    pub(super) model: ModelArg,
    #[command(flatten)]
    pub(super) formulas: FormulaArgs,
    #[command(flatten)]
    pub(super) translator: TranslatorArgs,
    #[command(flatten)]
    pub(super) order: OrderArgs,
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// When to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", hide_short_help = true)]
    pub(super) progress: ProgressMode,
    #[command(flatten)]
    pub(super) witness: WitnessArgs,
    #[command(flatten)]
    pub(super) limits: Limits,
}
