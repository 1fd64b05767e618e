//! Arguments of the commands that ask formulas.

use super::formulas::FormulaArgs;
use super::model::ModelArg;
use super::options::{Choices, FormatArgs, Limits, ProgressMode, choice};
use super::order::OrderArgs;
use super::translator::TranslatorArgs;
use super::witness::WitnessArgs;
use starset::symbolic::ProductKind;

/// Arguments that `check` and `satset` share.
#[derive(clap::Args, Debug)]
pub(super) struct Common {
    #[command(flatten)]
    pub(super) model: ModelArg,
    #[command(flatten)]
    pub(super) formulas: FormulaArgs,
    /// How the product with an automaton is computed
    #[arg(long, value_parser = choice(PRODUCTS), default_value = "components")]
    pub(super) product: ProductKind,
    #[command(flatten)]
    pub(super) translator: TranslatorArgs,
    #[command(flatten)]
    pub(super) order: OrderArgs,
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// When to show progress on standard error
    #[arg(long, value_enum, default_value = "auto")]
    pub(super) progress: ProgressMode,
    #[command(flatten)]
    pub(super) witness: WitnessArgs,
    #[command(flatten)]
    pub(super) limits: Limits,
}

const PRODUCTS: Choices<ProductKind> = &[
    ("components", ProductKind::Components, "Component by component of the automaton"),
    (
        "plain",
        ProductKind::Plain,
        "As one fixpoint over the whole product: slow, for comparison; not for formulas over actions",
    ),
];
