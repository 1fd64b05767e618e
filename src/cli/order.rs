//! The option `--order`.

use super::Failure;
use clap::Args;
use starset::examination::Candidate;
use starset::net::PetriNet;

/// The variable order, as an option.
#[derive(Args, Debug)]
pub(crate) struct OrderArgs {
    /// Variable order: `as-given`
    #[arg(long, value_name = "NAME", default_value = "as-given")]
    order: String,
}

impl OrderArgs {
    /// The orders to try, the most promising first; at least one.
    pub(crate) fn candidates(&self, net: &PetriNet) -> Result<Candidate, Failure> {
        match self.order.as_str() {
            "as-given" => Ok(Candidate { name: "as-given".to_owned(), order: net.place_ids().collect() }),
            other => Err(Failure::Input(format!("unknown variable order `{other}`; use as-given"))),
        }
    }
}
