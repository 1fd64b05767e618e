//! The options `--order` and `--seed`.

use super::Failure;
use clap::Args;
use serde::Serialize;
use starset::budget::Budget;
use starset::net::PetriNet;
use starset::order::{self, Context, HEURISTICS, Scored};
use std::fs;

/// The variable order, as options.
#[derive(Args, Debug)]
pub(crate) struct OrderArgs {
    /// Variable order: `auto`, the name of a heuristic, or a file of place identifiers, one per line from
    /// the top level
    #[arg(long, value_name = "NAME|FILE", default_value = "auto", long_help = order_help())]
    order: String,
    /// Seed of whatever is chosen at random
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
}

/// A variable order in JSON.
#[derive(Serialize)]
pub(crate) struct Order<'a> {
    name: &'a str,
    score: f64,
    soups: u64,
    delays: u64,
}

impl<'a> Order<'a> {
    /// What is reported of an order.
    pub(crate) fn of(order: &'a Scored) -> Self {
        let Scored { name, metrics, .. } = order;
        Order { name, score: metrics.score, soups: metrics.soups, delays: metrics.delays }
    }
}

impl OrderArgs {
    /// The orders to try, the most promising first; at least one.
    pub(crate) fn candidates(&self, net: &PetriNet, budget: &Budget) -> Result<Vec<Scored>, Failure> {
        if self.order == "auto" {
            return Ok(order::candidates(net, budget, self.seed));
        }
        let context = Context::new(net, budget, self.seed);
        let order = match order::heuristic(&self.order) {
            Some(heuristic) => (heuristic.order)(&context).ok_or_else(|| {
                let name = &self.order;
                Failure::Input(format!(
                    "the order `{name}` does not suit this net (too large, or it lacks what \
                    the order is made from); use --order auto"
                ))
            })?,
            None => self.read(net)?,
        };
        let metrics = order::measure(&context, &order);
        Ok(vec![Scored { name: self.order.clone(), order, metrics }])
    }

    /// As [`OrderArgs::candidates`], but `preferred` alone where the choice is automatic.
    pub(crate) fn or_else(
        &self,
        name: &str,
        preferred: order::Order,
        net: &PetriNet,
        budget: &Budget,
    ) -> Result<Vec<Scored>, Failure> {
        if self.order != "auto" {
            return self.candidates(net, budget);
        }
        let metrics = order::measure(&Context::new(net, budget, self.seed), &preferred);
        Ok(vec![Scored { name: name.to_owned(), order: preferred, metrics }])
    }

    fn read(&self, net: &PetriNet) -> Result<order::Order, Failure> {
        let path = &self.order;
        let text = fs::read_to_string(path).map_err(|e| {
            let names: Vec<_> = HEURISTICS.iter().map(|h| h.name).collect();
            let names = names.join(", ");
            Failure::Input(format!("--order {path}: neither the name of an order (auto, {names}) nor a file: {e}"))
        })?;
        order::read_order(net, &text).map_err(|e| Failure::Input(format!("{path}: {e}")))
    }
}

/// The names and what they mean.
fn order_help() -> String {
    let heuristics = HEURISTICS.iter().map(|h| format!("- {}: {}", h.name, h.description));
    let names = heuristics.collect::<Vec<_>>().join("\n");
    format!(
        "Variable order: `auto`, the name of a heuristic, or a file of place identifiers, one per line from the \
         top level\n\n`auto` sorts the orders of all heuristics by a score, starts with the best, and races it \
         against the next ones if it does not finish soon. Heuristics:\n{names}"
    )
}
