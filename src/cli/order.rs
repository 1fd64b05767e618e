//! The options `--order`, `--cache` and `--seed`.

use super::Failure;
use super::suggested::Suggested;
use clap::Args;
use clap::builder::PossibleValue;
use serde_json::{Value, json};
use starset::budget::Budget;
use starset::decide::Settings;
use starset::kinds::Kind;
use starset::model::VariableId;
use starset::net::PetriNet;
use starset::order::{self, Context, HEURISTICS, KnownOrders, OrderUse, Scored};
use std::fs;
use std::path::PathBuf;

/// The variable order, as options.
#[derive(Args, Debug)]
pub(crate) struct OrderArgs {
    /// Order (`starset help orders`)
    ///
    /// Variable order: `auto`, the name of a heuristic (`starset help orders` lists them), or a file of the
    /// names of places or variables, one per line from the top level
    #[arg(long, value_name = "NAME|FILE", default_value = "auto", value_parser = Suggested(names), hide_possible_values = true)]
    #[arg(help_heading = "Engine")]
    order: String,
    /// Folder of variable orders
    ///
    /// A folder in which variable orders of models that took longer than a moment are kept, for the next questions about
    /// the same model: made if there is none, safe to delete, and shared by any number of runs. With `--order` it is
    /// left alone
    #[arg(long, value_name = "DIR", help_heading = "Engine", hide_short_help = true)]
    cache: Option<PathBuf>,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Engine", hide_short_help = true)]
    seed: u64,
}

/// The JSON fields of a variable order.
pub(crate) fn fields(Scored { name, metrics, .. }: &Scored) -> Value {
    json!({ "name": name, "score": metrics.score, "soups": metrics.soups, "delays": metrics.delays })
}

impl OrderArgs {
    /// Seed of whatever is chosen at random.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// The options that differ from the defaults, as on a command line.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let order = self.is_asked().then(|| ["--order".to_owned(), self.order.clone()]);
        let cache = self.cache.as_ref().map(|folder| ["--cache".to_owned(), folder.display().to_string()]);
        let seed = (self.seed != 0).then(|| ["--seed".to_owned(), self.seed.to_string()]);
        order.into_iter().chain(cache).chain(seed).flatten().collect()
    }

    /// The folder of known orders.
    pub(crate) fn known(&self) -> Result<Option<KnownOrders>, Failure> {
        let open = |folder: &PathBuf| {
            KnownOrders::open(folder).map_err(|e| {
                let folder = folder.display();
                Failure::Input(format!("{folder}: {e}; --cache names a folder that can be written to, or made"))
            })
        };
        self.cache.as_ref().map(open).transpose()
    }

    /// Is an order asked for?
    pub(crate) fn is_asked(&self) -> bool {
        self.order != "auto"
    }

    /// These settings with the orders, known and asked for, and the seed.
    pub(crate) fn settings<'a>(
        &self,
        model: &dyn Kind,
        settings: Settings<'a>,
        budget: &Budget,
    ) -> Result<Settings<'a>, Failure> {
        let (orders, known_orders) = (self.given(model, budget)?, self.known()?);
        Ok(Settings { orders, known_orders, seed: self.seed, ..settings })
    }

    /// The order that is asked for; none where they are to be chosen automatically.
    pub(crate) fn given(&self, model: &dyn Kind, budget: &Budget) -> Result<Vec<Scored>, Failure> {
        if self.is_asked() { self.candidates(model, budget) } else { Ok(Vec::new()) }
    }

    /// The orders to try, the most promising first; at least one.
    pub(crate) fn candidates(&self, model: &dyn Kind, budget: &Budget) -> Result<Vec<Scored>, Failure> {
        let net = &*model.interactions();
        if !self.is_asked() {
            let known = self.known()?.and_then(|known| known.get(net, OrderUse::Exploration));
            let known = known.into_iter().map(|known| known.scored);
            return Ok(known.chain(order::candidates(net, budget, self.seed)).collect());
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
            None => self.read(model, net)?,
        };
        let metrics = order::measure(&context, &order);
        Ok(vec![Scored { name: self.order.clone(), order, metrics }])
    }

    /// As [`OrderArgs::given`], but `preferred` alone where the choice is automatic.
    pub(crate) fn or_else(
        &self,
        name: &str,
        preferred: order::Order,
        model: &dyn Kind,
        budget: &Budget,
    ) -> Result<Vec<Scored>, Failure> {
        if self.is_asked() {
            return self.given(model, budget);
        }
        let metrics = order::measure(&Context::new(&model.interactions(), budget, self.seed), &preferred);
        Ok(vec![Scored { name: name.to_owned(), order: preferred, metrics }])
    }

    fn read(&self, model: &dyn Kind, net: &PetriNet) -> Result<order::Order, Failure> {
        let path = &self.order;
        let text = fs::read_to_string(path).map_err(|e| {
            let names: Vec<_> = HEURISTICS.iter().map(|h| h.name).collect();
            let names = names.join(", ");
            Failure::Input(format!("--order {path}: neither the name of an order (auto, {names}) nor a file: {e}"))
        })?;
        // Variables that remember something of the last step have no names for people: they come last.
        let (named, others): (Vec<VariableId>, Vec<VariableId>) =
            model.variable_ids().partition(|&variable| model.remembered(variable).is_none());
        let names: Vec<&str> = named.iter().map(|&variable| model.variable(variable)).collect();
        let wrong = |why: String| Failure::Input(format!("{path}: {why}"));
        let order = order::read_order(&names, model.terms().variable, &text).map_err(|e| wrong(e.to_string()))?;
        let all = order.into_iter().map(|number| named[number]).chain(others).collect();
        order::Order::new(net, all).ok_or_else(|| wrong("this model has no orders of its variables".to_owned()))
    }
}

/// The names, for completion.
fn names() -> impl Iterator<Item = PossibleValue> {
    let auto = PossibleValue::new("auto").help("many of them, raced");
    std::iter::once(auto).chain(HEURISTICS.iter().map(|h| PossibleValue::new(h.name).help(h.description)))
}
