//! The model that a command is about.

use super::fields::Fields;
use super::options::{Choices, choice};
use super::{Console, Failure};
use clap::Args;
use serde_json::Value;
use starset::budget::Budget;
use starset::formula::Naming;
use starset::kinds::{self, Kind, Loaded, in_words};
use std::path::{Path, PathBuf};

/// The arguments that name the model.
#[derive(Args, Debug)]
pub(crate) struct ModelArg {
    /// A .pnml file, a folder with a model.pnml in it, or - for standard input; or transition systems: a .dot file,
    /// a .pml file of the RERS challenge, or .aut files, several of which are composed on equal labels; or a counter
    /// machine: a .counters file
    #[arg(value_name = "MODEL", required = true)]
    models: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// How the files of a model are read.
#[derive(Args, Debug)]
pub(crate) struct ReadingArgs {
    /// Take a net as the network of transition systems that its units (NUPN) are
    #[arg(long = "network")]
    as_network: bool,
    /// What the label of a transition of a net is, in `action(a)` and `<a>`, and of a step with --network
    #[arg(long, value_parser = choice(LABELS), default_value = "either")]
    pub(crate) labels: Naming,
}

/// What labels are.
const LABELS: Choices<Naming> = &[
    ("name", Naming::Name, "Its display name; the identifier where there is no display name"),
    ("id", Naming::Id, "Its identifier"),
    ("either", Naming::Either, "Either; refused where it could mean both"),
];

impl ModelArg {
    /// Read the model.
    pub(crate) fn read(&self, budget: &Budget, console: &Console) -> Result<Loaded, Failure> {
        self.reading.read(&self.models, budget, console)
    }
}

impl ReadingArgs {
    /// Read the model in these files.
    pub(crate) fn read(&self, paths: &[PathBuf], budget: &Budget, console: &Console) -> Result<Loaded, Failure> {
        if let [_, others @ ..] = paths
            && let Some(other) = others.iter().find(|path| !path.exists())
        {
            let other = other.display();
            let why = format!("{other}: there is no such file; a formula is given with -f, in quotes");
            return Err(Failure::Input(why));
        }
        read(paths, kinds::Reading { as_network: self.as_network, labels: self.labels }, budget, console)
    }
}

/// Read the model in some files, and tell those who want to know what it is.
pub(crate) fn read(
    paths: &[PathBuf],
    reading: kinds::Reading,
    budget: &Budget,
    console: &Console,
) -> Result<Loaded, Failure> {
    let loaded = kinds::read(paths, &reading, budget)?;
    for note in &loaded.notes {
        console.detail(note);
    }
    console.detail(header(&*loaded.model));
    Ok(loaded)
}

/// The name of a model with its sizes.
pub(crate) fn header(model: &dyn Kind) -> String {
    format!("{}: {}", model.name(), in_words(&model.sizes()))
}

/// The begin of a JSON object about a model: its name, and its sizes under what such a model is called.
pub(crate) fn fields(schema: &'static str, model: &dyn Kind) -> Fields {
    let sizes = model.sizes().into_iter().map(|size| (size.key.to_owned(), Value::from(size.count)));
    let sizes = Value::Object(sizes.collect());
    Fields::new(schema).with("model", model.name()).with(model.terms().model, sizes)
}

/// `FILE.ID`, for what belongs to one of several formulas.
pub(crate) fn with_suffix(path: &Path, id: &str) -> PathBuf {
    let safe: String = id.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(safe);
    PathBuf::from(name)
}
