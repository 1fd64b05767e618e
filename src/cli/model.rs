//! The model that a command is about.

use super::console::write_error;
use super::interrupt::Reading;
use super::options::{Choices, choice};
use super::{Console, Failure};
use clap::Args;
use clap::builder::PossibleValuesParser;
use starset::budget::Budget;
use starset::formula::Naming;
use starset::kinds::bpmn::process_net::Beyond;
use starset::kinds::clocks::model::ClockNet;
use starset::kinds::pins::logical::Update;
use starset::kinds::{self, ClockReading, FORMATS, Kind, Loaded, Purpose, in_words};
use starset::report::fields::Fields;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The arguments that name the model.
#[derive(Args, Debug)]
pub(crate) struct ModelArg {
    /// Model file (`starset help models`), folder with model.pnml, or `-`
    ///
    /// A PNML file, a folder with a model.pnml in it, - for standard input, or a model of another form:
    /// `starset help models` lists them. Several .aut files make one network
    #[arg(value_name = "MODEL", required = true)]
    models: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// How the files of a model are read.
#[derive(Args, Debug)]
pub(crate) struct ReadingArgs {
    /// The form of the model, whatever its file is called; for standard input, which has no name [default: by the name
    /// of the file, PNML for standard input]
    #[arg(long, value_name = "FORM", value_parser = extensions(), help_heading = "Model", hide_short_help = true)]
    from: Option<String>,
    /// Take a net as the network of transition systems that its units (NUPN) are
    #[arg(long = "network", help_heading = "Model", hide_short_help = true)]
    as_network: bool,
    /// Meaning of the labels of transitions of a net, in `action(a)` and `<a>`, and of a step with --network; with
    /// `id`, places and transitions are printed as identifiers, too, instead of the names that people gave them
    #[arg(long, value_parser = choice(LABELS), default_value = "either", help_heading = "Model", hide_short_help = true)]
    pub(crate) labels: Naming,
    /// A program that explores a B machine instead of starset, as ProB's `probcli` does (feature `prob`)
    #[arg(long, value_name = "PROGRAM", help_heading = "Model", hide_short_help = true)]
    prober: Option<PathBuf>,
    /// Of a net with clocks: refuse conditions that do not bound each of their clocks from above
    #[arg(long, help_heading = "Model", hide_short_help = true)]
    strict_paper: bool,
    /// Of a net with clocks: refuse comparisons with < and >, and formulas, of which integer time may miss something
    #[arg(long, help_heading = "Model", hide_short_help = true)]
    exact: bool,
    /// Which variables of a logical network move in a step
    #[arg(long, value_parser = choice(&Update::ALL), default_value = "asynchronous", help_heading = "Model", hide_short_help = true)]
    update: Update,
    /// A variable of a logical network that keeps this level, whatever its function says: an input that is set, a gene
    /// that is knocked out; repeatable
    #[arg(long = "fix", value_name = "NAME=LEVEL", value_parser = level, help_heading = "Model", hide_short_help = true)]
    fixed: Vec<(String, u32)>,
    /// Of a process: do messages come that nothing in the diagram sends?
    #[arg(long, value_enum, default_value_t, help_heading = "Model", hide_short_help = true)]
    env: Outside,
    /// Of a process: at most K messages of a flow are on their way; what is sent beyond is lost, or waits (K:block)
    #[arg(long, value_name = "K", value_parser = channel, help_heading = "Model", hide_short_help = true)]
    channel: Option<(u32, Beyond)>,
    /// While a DVE model, an ETF model or a B machine is explored, check its rows: that a transition group reads and
    /// writes no other variables than it is said to
    #[arg(long, help_heading = "Model", hide_short_help = true)]
    check_rows: bool,
}

/// What comes from outside of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
enum Outside {
    /// A message that nothing in the diagram sends may come at any time
    #[default]
    Open,
    /// It never comes
    Closed,
}

/// A variable with its level.
fn level(text: &str) -> Result<(String, u32), String> {
    let read = text.rsplit_once('=').and_then(|(name, level)| Some((name.trim(), level.trim().parse().ok()?)));
    let read = read.filter(|(name, _)| !name.is_empty());
    read.map(|(name, level)| (name.to_owned(), level)).ok_or_else(|| "write NAME=LEVEL".to_owned())
}

/// How many messages a channel holds.
fn channel(text: &str) -> Result<(u32, Beyond), String> {
    let (most, beyond) = match text.strip_suffix(":block") {
        Some(most) => (most, Beyond::Blocked),
        None => (text, Beyond::Lost),
    };
    match most.parse() {
        Ok(most @ 1..) => Ok((most, beyond)),
        _ => Err("expected a number from 1 on, or that and `:block`".to_owned()),
    }
}

/// The forms of models, by their extensions.
fn extensions() -> PossibleValuesParser {
    let all = FORMATS.iter().flat_map(|format| format.extensions);
    // One is spelled in two ways.
    PossibleValuesParser::new(all.filter(|extension| extension.chars().all(char::is_lowercase)).copied())
}

/// Meanings of labels.
const LABELS: Choices<Naming> = &[
    ("name", Naming::Name, "Its display name; the identifier where there is no display name"),
    ("id", Naming::Id, "Its identifier"),
    ("either", Naming::Either, "Either; refused where it could mean both"),
];

impl ModelArg {
    /// The files.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.models
    }

    /// Read the model.
    pub(crate) fn read(&self, budget: &Budget, console: &Console) -> Result<Loaded, Failure> {
        self.reading.read(&self.models, budget, console)
    }
}

impl ModelArg {
    /// A number that the content of the model's files and the way in which they are read decide.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn fingerprint(&self, loaded: &Loaded) -> Result<u64, Failure> {
        let mut hasher = DefaultHasher::new();
        let named = self.models.iter().map(|path| if path.is_dir() { path.join("model.pnml") } else { path.clone() });
        // A folder of other files is known by those that were read; what is in an archive is hashed with it.
        let further = loaded.files.iter().map(PathBuf::from).filter(|file| !self.models.contains(file));
        for file in named.chain(further).filter(|path| path.is_file()) {
            let bytes = fs::read(&file).map_err(|e| Failure::Input(format!("{}: {e}", file.display())))?;
            bytes.hash(&mut hasher);
        }
        format!("{:?}", self.reading).hash(&mut hasher);
        Ok(hasher.finish())
    }

    /// Is the model read from standard input?
    pub(crate) fn is_piped(&self) -> bool {
        self.models.iter().any(|path| path.as_os_str() == "-")
    }

    /// Is what integer time may miss something of refused?
    pub(crate) fn exact(&self) -> bool {
        self.reading.exact
    }

    /// Read the model, where a unit of time of a net with clocks passes as a whole.
    pub(crate) fn read_in_whole_units(&self, budget: &Budget, console: &Console) -> Result<Loaded, Failure> {
        self.reading.read_as(&self.models, true, budget, console)
    }

    /// Read the model for the sake of its own questions, and of these in its own language.
    pub(crate) fn read_with_questions(
        &self,
        (asked, purpose): (Vec<String>, Purpose),
        budget: &Budget,
        console: &Console,
    ) -> Result<Loaded, Failure> {
        self.reading.read_for(&self.models, (asked, purpose), budget, console)
    }

    /// Are all files processes?
    pub(crate) fn is_processes(&self, budget: &Budget) -> bool {
        let _reading = Reading::begin(budget);
        let is_bpmn = |path: &PathBuf| match self.reading.form() {
            Some(form) => form == "bpmn",
            None => kinds::bpmn::is_bpmn(path),
        };
        self.models.iter().all(is_bpmn)
    }

    /// What labels of activities are.
    pub(crate) fn labels(&self) -> Naming {
        self.reading.labels
    }

    /// What lies outside of a process.
    pub(crate) fn environment(&self) -> kinds::bpmn::Environment {
        self.reading.environment()
    }

    /// Read a net with clocks, in dense time.
    pub(crate) fn read_clock_net(&self, budget: &Budget) -> Result<ClockNet, Failure> {
        match &self.models[..] {
            [path] => {
                let _reading = Reading::begin(budget);
                Ok(kinds::read_clock_net(path, &self.reading.reading(false), budget)?)
            }
            _ => Err(Failure::Input("give one net at a time".to_owned())),
        }
    }
}

impl ReadingArgs {
    /// Read the model in these files.
    pub(crate) fn read(&self, paths: &[PathBuf], budget: &Budget, console: &Console) -> Result<Loaded, Failure> {
        self.read_for(paths, (Vec::new(), Purpose::States), budget, console)
    }

    /// The same, perhaps for the sake of its own questions.
    fn read_for(
        &self,
        paths: &[PathBuf],
        (asked, purpose): (Vec<String>, Purpose),
        budget: &Budget,
        console: &Console,
    ) -> Result<Loaded, Failure> {
        if let [_, others @ ..] = paths
            && let Some(other) = others.iter().find(|path| !path.exists())
        {
            let other = other.display();
            let why = format!("{other}: there is no such file; a formula is given with -f, in quotes");
            return Err(Failure::Input(why));
        }
        read(paths, kinds::Reading { purpose, asked, ..self.reading(false) }, budget, console)
    }

    /// The same; `whole_units` is for nets with clocks ([`ClockReading`]).
    fn read_as(
        &self,
        paths: &[PathBuf],
        whole_units: bool,
        budget: &Budget,
        console: &Console,
    ) -> Result<Loaded, Failure> {
        read(paths, self.reading(whole_units), budget, console)
    }

    /// Read the model, with further questions in its own language, as it is without them.
    pub(crate) fn read_asked(
        &self,
        paths: &[PathBuf],
        asked: Vec<String>,
        budget: &Budget,
        console: &Console,
    ) -> Result<Loaded, Failure> {
        read(paths, kinds::Reading { asked, ..self.reading(false) }, budget, console)
    }

    /// The form that is said, as the formats spell it.
    fn form(&self) -> Option<&'static str> {
        let said = self.from.as_deref()?;
        FORMATS.iter().flat_map(|format| format.extensions).copied().find(|extension| *extension == said)
    }

    /// What lies outside of a process.
    fn environment(&self) -> kinds::bpmn::Environment {
        let closed = self.env == Outside::Closed;
        kinds::bpmn::Environment { closed, channel: self.channel, ..kinds::bpmn::Environment::default() }
    }

    fn reading(&self, whole_units: bool) -> kinds::Reading {
        let folder = std::env::temp_dir();
        let prober = self.prober.clone().map(|program| kinds::Prober { program, folder });
        let clocks = ClockReading { strict_paper: self.strict_paper, exact: self.exact, whole_units };
        let (as_network, labels, check_rows) = (self.as_network, self.labels, self.check_rows);
        let (from, update, purpose, asked) = (self.form(), self.update, Purpose::States, Vec::new());
        let (processes, warn) = (self.environment(), Some(warn as fn(&str)));
        let fixed = self.fixed.clone();
        kinds::Reading {
            from,
            as_network,
            labels,
            clocks,
            prober,
            check_rows,
            update,
            fixed,
            purpose,
            asked,
            processes,
            warn,
        }
    }
}

/// What comes up while states are explored is told at once.
fn warn(text: &str) {
    write_error(format_args!("starset: {text}"));
}

/// Read the model in some files, and tell those who want to know what it is.
pub(crate) fn read(
    paths: &[PathBuf],
    reading: kinds::Reading,
    budget: &Budget,
    console: &Console,
) -> Result<Loaded, Failure> {
    let begun = Reading::begin(budget);
    let loaded = kinds::read(paths, &reading, budget)?;
    drop(begun);
    loaded.remarks.iter().for_each(|remark| console.warning(remark));
    for note in &loaded.notes {
        // That time is told in other units changes what is counted.
        if loaded.model.tick().is_some() { console.note(note) } else { console.detail(note) }
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
    Fields::about(schema, model.name(), model.terms().model, &model.sizes())
}

/// `FILE.ID`, for what belongs to one of several formulas.
pub(crate) fn with_suffix(path: &Path, id: &str) -> PathBuf {
    let safe: String = id.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(safe);
    PathBuf::from(name)
}
