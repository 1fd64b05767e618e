//! The options that name formulas: `-f`, `-x`, `--id`, `--automaton`, `--paths`.

use super::options::{Choices, choice};
use super::{Console, Failure};
use clap::Args;
use starset::automaton::hoa;
use starset::decide;
use starset::formula::{
    FormulaId, Logic, PathSemantics, Pool, Property, Query, parse, parse_with_remarks, read_property_file,
    read_property_text,
};
use starset::kinds::Loaded;
use starset::report::state;
use starset::symbolic::Route;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Names of places and transitions in a formula that is shown.
const MOST_NAMES: usize = 100_000;
/// The longest formula of which is said how it is read.
const SHORT: usize = 200;

/// Which formulas to check, and what a path is.
#[derive(Args, Debug)]
pub(crate) struct FormulaArgs {
    /// A CTL*, CTL or LTL formula, as in 'AG (#p <= 1 -> EF enabled(t))'; may be given several times
    #[arg(short, long = "formula", value_name = "FORMULA")]
    formulas: Vec<String>,
    /// A property file: XML of the Model Checking Contest; a formula on each line, perhaps with a name as in
    /// 'safe: AG #p <= 1'; `#1:` and so on before formulas over actions, as in the RERS challenge; .formula or
    /// .task of LoLA, .q of TAPAAL (docs/formats.md); may be given several times
    #[arg(short = 'x', long = "properties", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Of the property files, only the property with this identifier; may be given several times
    #[arg(long = "id", value_name = "ID", requires = "files")]
    ids: Vec<String>,
    /// An automaton in HOA format: which markings have a path that it accepts? Its propositions are state
    /// formulas, as in "#p = 1"; may be given several times
    #[arg(long = "automaton", value_name = "FILE")]
    automata: Vec<PathBuf>,
    /// Check the invariant of the model, part by part, and its assertions (of languages that have some). Without any
    /// formula all that the model itself asks is checked
    #[arg(long)]
    invariant: bool,
    /// What a path is where a deadlock can be reached [default: maximal for CTL; for LTL and CTL* stutter, of
    /// networks infinite]
    #[arg(long, value_parser = choice(PATHS))]
    paths: Option<PathSemantics>,
    /// How path quantifiers are computed
    #[arg(long, value_parser = choice(ROUTES), default_value = "ctl")]
    pub(crate) route: Route,
}

const PATHS: Choices<PathSemantics> = &[
    ("maximal", PathSemantics::Maximal, "Infinite, or ending in a deadlock"),
    ("stutter", PathSemantics::Stutter, "Infinite; a deadlock repeats for ever"),
    ("infinite", PathSemantics::Infinite, "Infinite only"),
];

const ROUTES: Choices<Route> = &[
    ("ctl", Route::Fixpoints, "CTL operators by fixpoints, after moving quantifiers inward; the rest by automata"),
    ("automaton", Route::Automata, "All by automata, also CTL: slower, for comparison"),
];

/// One thing that is asked, and what is said of it.
#[derive(Debug)]
pub(crate) struct Question {
    /// Identifier of the property, or the number of the formula on the command line.
    pub(crate) id: String,
    /// The formula as the printer writes it.
    pub(crate) text: String,
    /// The logic of a formula as it was given.
    pub(crate) logic: Option<Logic>,
    /// What is asked.
    pub(crate) asked: decide::Question,
}

impl Question {
    /// What its paths are, if it is about paths.
    pub(crate) fn paths(&self) -> Option<PathSemantics> {
        match self.asked {
            decide::Question::Formula { paths, .. } | decide::Question::Automaton { paths, .. } => Some(paths),
            _ => None,
        }
    }
}

impl FormulaArgs {
    /// Is nothing asked?
    pub(crate) fn is_empty(&self) -> bool {
        self.formulas.is_empty() && self.files.is_empty() && self.automata.is_empty() && !self.invariant
    }

    /// Make the model so that the formulas have the meaning that they should, and keep what was read for that: files may be
    /// pipes, which can be read once.
    pub(crate) fn attuned(&self, loaded: Loaded) -> (Loaded, Texts) {
        // Only where time passes does it depend on the formulas.
        if loaded.model.tick().is_none() {
            return (loaded, Texts::default());
        }
        // A file that cannot be read is an error when it is read for what it says.
        let read = |path: &PathBuf| Some((path.clone(), fs::read_to_string(path).ok()?));
        let texts = Texts(self.files.iter().chain(&self.automata).filter_map(read).collect());
        let of = |path: &PathBuf| texts.0.get(path).cloned();
        let automata = self.automata.iter().filter_map(|path| hoa::read(&of(path)?).ok());
        let propositions = automata.flat_map(|automaton| automaton.propositions().to_vec());
        let all: Vec<String> =
            self.formulas.iter().cloned().chain(self.files.iter().filter_map(of)).chain(propositions).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        (loaded.attuned(&all).unwrap_or(loaded), texts)
    }

    /// Read and resolve all formulas, before anything is computed: those that are given or, if `own` is set, all that the
    /// model itself asks. The pool begins with the formulas of the model.
    pub(crate) fn read(
        &self,
        (loaded, texts): (&Loaded, &Texts),
        pool: &mut Pool,
        own: bool,
        console: &Console,
    ) -> Result<Vec<Question>, Failure> {
        let (questions, missing) = (Vec::new(), self.ids.iter().collect());
        let mut reader = Reader { args: self, loaded, texts, pool, console, questions, missing };
        for (number, text) in self.formulas.iter().enumerate() {
            let number = number + 1;
            let read = parse_with_remarks(text, &loaded.symbols, reader.pool);
            let (formula, remarks) = read.map_err(|e| Failure::Input(format!("formula {number}: {e}")))?;
            for (column, remark) in remarks {
                console.error(format_args!("formula {number}, column {column}: {remark}"));
            }
            reader.formula(number.to_string(), formula, None);
            reader.show_reading(text);
        }
        for path in &self.files {
            reader.properties(path)?;
        }
        for path in &self.automata {
            reader.automaton(path)?;
        }
        reader.own(own)?;
        match reader.missing.first() {
            Some(id) => Err(Failure::Input(format!("no property `{id}` in the property files"))),
            None => Ok(reader.questions),
        }
    }
}

/// What the files say that were read before their formulas.
#[derive(Default, Debug)]
pub(crate) struct Texts(BTreeMap<PathBuf, String>);

/// Reads questions about a model.
struct Reader<'a> {
    args: &'a FormulaArgs,
    loaded: &'a Loaded,
    texts: &'a Texts,
    pool: &'a mut Pool,
    console: &'a Console,
    questions: Vec<Question>,
    /// Identifiers that no property has had so far.
    missing: Vec<&'a String>,
}

impl Reader<'_> {
    /// What the model itself asks: all of it, or its invariant if that is asked for.
    fn own(&mut self, all: bool) -> Result<(), Failure> {
        let own = &self.loaded.questions.list;
        let wanted = |invariant: bool| all || (self.args.invariant && invariant);
        if self.args.invariant && !own.iter().any(|question| question.invariant) {
            let model = self.loaded.model.terms().model;
            return Err(Failure::Input(format!("--invariant: this {model} has neither an invariant nor assertions")));
        }
        for question in own.iter().filter(|question| wanted(question.invariant)) {
            self.formula(question.id.clone(), question.formula, question.paths);
        }
        Ok(())
    }

    /// A formula is asked for, which may know what its paths are.
    fn formula(&mut self, id: String, formula: FormulaId, paths: Option<PathSemantics>) {
        let logic = self.pool.logic(formula);
        let paths = paths.or(self.args.paths).unwrap_or_else(|| self.loaded.model.default_paths(logic));
        // An atom about a coloured transition lists all its instances, of which there may be a million.
        let text = match self.pool.names(formula) {
            0..=MOST_NAMES => self.pool.display(formula, &self.loaded.symbols).to_string(),
            names => format!("(a formula of {names} names)"),
        };
        let asked = decide::Question::formula(self.pool, formula, paths, self.args.route);
        self.questions.push(Question { id, text, logic: Some(logic), asked });
    }

    /// Say to a person, or to those who want details, how the formula that was read last has been read, where that is more
    /// than its text without the blanks.
    fn show_reading(&self, text: &str) {
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        if let Some(question) = self.questions.last()
            && question.text.len() <= SHORT
            && bare(&question.text) != bare(text)
        {
            let reading = format!("{}: read as {}", question.id, question.text);
            if self.console.is_interactive() { self.console.note(reading) } else { self.console.detail(reading) }
        }
    }

    /// Is the property with this identifier asked for?
    fn is_wanted(&mut self, id: &str) -> bool {
        self.missing.retain(|wanted| *wanted != id);
        self.args.ids.is_empty() || self.args.ids.iter().any(|wanted| wanted == id)
    }

    /// The properties of a file.
    fn properties(&mut self, path: &Path) -> Result<(), Failure> {
        let properties = match self.texts.0.get(path) {
            Some(text) => {
                read_property_text(text.as_bytes(), &path.display().to_string(), &self.loaded.symbols, self.pool)
            }
            None => read_property_file(path, &self.loaded.symbols, self.pool),
        };
        for Property { id, query, remarks, .. } in properties.map_err(|e| Failure::Input(e.to_string()))? {
            if !self.is_wanted(&id) {
                continue;
            }
            remarks.iter().for_each(|remark| self.console.error(remark));
            match query {
                Query::Refused(error) => {
                    self.console.error(format_args!("{id} is left out: {error}"));
                    let asked = decide::Question::Unreadable(error.to_string());
                    self.questions.push(Question { id, text: String::new(), logic: None, asked });
                }
                Query::Formula(formula) => self.formula(id, formula, None),
                Query::Bound(places) => {
                    let name = |&place| state::variable(&*self.loaded.model, &self.loaded.symbols, place);
                    let names: Vec<_> = places.iter().map(name).collect();
                    let text = format!("bounds({})", names.join(", "));
                    self.questions.push(Question { id, text, logic: None, asked: decide::Question::Bound(places) });
                }
            }
        }
        Ok(())
    }

    /// An automaton in a file, and the formulas that its propositions are.
    fn automaton(&mut self, path: &Path) -> Result<(), Failure> {
        let name = path.display().to_string();
        let wrong = |message: String| Failure::Input(format!("{name}: {message}"));
        let paths = self.args.paths.unwrap_or(PathSemantics::Stutter);
        if paths == PathSemantics::Maximal {
            return Err(wrong("an automaton reads infinite paths: use --paths stutter or infinite".to_owned()));
        }
        let text = match self.texts.0.get(path) {
            Some(text) => text.clone(),
            None => fs::read_to_string(path).map_err(|e| wrong(format!("cannot be read: {e}")))?,
        };
        let automaton = hoa::read(&text).map_err(|e| wrong(e.to_string()))?;
        let mut propositions = Vec::new();
        for proposition in automaton.propositions() {
            let about = format!("proposition \"{proposition}\"");
            let formula = parse(proposition, &self.loaded.symbols, self.pool);
            let formula = formula.map_err(|e| wrong(format!("{about}: {e}")))?;
            if !self.pool.is_state(formula) {
                return Err(wrong(format!("{about} is not a state formula; quantify it with E or A")));
            }
            propositions.push(formula);
        }
        let text = automaton.title().unwrap_or(&name).to_owned();
        let asked = decide::Question::Automaton { automaton, propositions, paths };
        self.questions.push(Question { id: name, text, logic: None, asked });
        Ok(())
    }
}
