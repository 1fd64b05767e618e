//! The options that name formulas: `-f`, `-x`, `--id`, `--automaton`, `--paths`.

use super::Failure;
use clap::{Args, ValueEnum};
use starset::automaton::{Tgba, hoa};
use starset::formula::{
    FormulaId, Logic, PathSemantics, Pool, Property, Query, Symbols, parse, read_numbered, read_properties,
};
use starset::net::{PetriNet, PlaceId};
use starset::symbolic::Route;
use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Which formulas to check, and what a path is.
#[derive(Args, Debug)]
pub(crate) struct FormulaArgs {
    /// A CTL*, CTL or LTL formula, as in 'AG (#p <= 1 -> EF enabled(t))'; may be given several times
    #[arg(short, long = "formula", value_name = "FORMULA")]
    formulas: Vec<String>,
    /// A property file: XML of the Model Checking Contest, or `#1:` and so on with formulas over actions, as in
    /// the RERS challenge; may be given several times
    #[arg(short = 'x', long = "properties", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Of the property files, only the property with this identifier; may be given several times
    #[arg(long = "id", value_name = "ID", requires = "files")]
    ids: Vec<String>,
    /// An automaton in HOA format: which markings have a path that it accepts? Its propositions are state
    /// formulas, as in "#p = 1"; may be given several times
    #[arg(long = "automaton", value_name = "FILE")]
    automata: Vec<PathBuf>,
    /// What a path is where a deadlock can be reached [default: maximal for CTL; for LTL and CTL* stutter, of
    /// networks infinite]
    #[arg(long, value_enum)]
    paths: Option<PathsArg>,
    /// How path quantifiers are computed
    #[arg(long, value_enum, default_value = "ctl")]
    route: RouteArg,
}

/// How path quantifiers are computed, as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum RouteArg {
    /// CTL operators by fixpoints, after moving quantifiers inward; the rest by automata
    Ctl,
    /// All by automata, also CTL: slower, for comparison
    Automaton,
}

impl From<RouteArg> for Route {
    fn from(arg: RouteArg) -> Self {
        match arg {
            RouteArg::Ctl => Route::Fixpoints,
            RouteArg::Automaton => Route::Automata,
        }
    }
}

/// Path semantics, as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum PathsArg {
    /// Infinite, or ending in a deadlock
    Maximal,
    /// Infinite; a deadlock repeats for ever
    Stutter,
    /// Infinite only
    Infinite,
}

impl From<PathsArg> for PathSemantics {
    fn from(arg: PathsArg) -> Self {
        match arg {
            PathsArg::Maximal => PathSemantics::Maximal,
            PathsArg::Stutter => PathSemantics::Stutter,
            PathsArg::Infinite => PathSemantics::Infinite,
        }
    }
}

/// One thing that is asked.
pub(crate) struct Question {
    /// Identifier of the property, or the number of the formula on the command line.
    pub(crate) id: String,
    /// The formula as the printer writes it.
    pub(crate) text: String,
    /// What is asked.
    pub(crate) subject: Subject,
}

/// What is asked.
pub(crate) enum Subject {
    /// Where does this state formula hold? Simplified; the logic is that of the formula as it was given.
    /// `linear` is the formula before quantifiers were moved, with one quantifier if it is a formula of LTL.
    Formula { formula: FormulaId, linear: FormulaId, logic: Logic, paths: PathSemantics },
    /// From where is there a path that the automaton accepts? Each of its propositions is a state formula.
    Automaton { automaton: Tgba, propositions: Vec<FormulaId>, paths: PathSemantics },
    /// What is the largest sum of tokens in these places?
    Bound(Vec<PlaceId>),
    /// Which markings are in the set of a file?
    Loaded,
}

impl Question {
    /// Identifier of the question about a loaded set.
    pub(crate) const LOADED: &str = "loaded";

    /// The formula, where the question is about one.
    pub(crate) fn task(&self) -> Option<(FormulaId, PathSemantics)> {
        match self.subject {
            Subject::Formula { formula, paths, .. } => Some((formula, paths)),
            Subject::Bound(_) | Subject::Loaded | Subject::Automaton { .. } => None,
        }
    }

    /// The question about a loaded set; `text` is what the file says that it is the set of.
    pub(crate) fn loaded(text: String) -> Self {
        Question { id: Self::LOADED.to_owned(), text, subject: Subject::Loaded }
    }
}

impl FormulaArgs {
    /// Are there any formulas?
    pub(crate) fn is_empty(&self) -> bool {
        self.formulas.is_empty() && self.files.is_empty() && self.automata.is_empty()
    }

    /// How path quantifiers are to be computed.
    pub(crate) fn route(&self) -> Route {
        self.route.into()
    }

    /// Read and resolve all formulas, before anything is computed. The model is a net, or a network with this
    /// skeleton.
    pub(crate) fn read(
        &self,
        net: &PetriNet,
        is_network: bool,
        symbols: &Symbols,
        pool: &mut Pool,
    ) -> Result<Vec<Question>, Failure> {
        let mut questions = Vec::new();
        for (number, text) in self.formulas.iter().enumerate() {
            let formula =
                parse(text, symbols, pool).map_err(|e| Failure::Input(format!("formula {}: {e}", number + 1)))?;
            questions.push(self.question((number + 1).to_string(), formula, is_network, symbols, pool));
        }
        let mut missing: Vec<&String> = self.ids.iter().collect();
        for path in &self.files {
            let name = path.display().to_string();
            if is_numbered(path) {
                let text = fs::read_to_string(path).map_err(|e| Failure::Input(format!("cannot read {name}: {e}")))?;
                let numbered = read_numbered(&text, &name, symbols, pool).map_err(|e| Failure::Input(e.to_string()))?;
                for property in numbered {
                    if self.ids.is_empty() || self.ids.contains(&property.number) {
                        missing.retain(|&wanted| *wanted != property.number);
                        questions.push(self.question(property.number, property.formula, is_network, symbols, pool));
                    }
                }
                continue;
            }
            let file = File::open(path).map_err(|e| Failure::Input(format!("cannot read {name}: {e}")))?;
            let properties = read_properties(BufReader::new(file), &name, symbols, pool)
                .map_err(|e| Failure::Input(e.to_string()))?;
            for Property { id, query, .. } in properties {
                if !self.ids.is_empty() && !self.ids.contains(&id) {
                    continue;
                }
                missing.retain(|&wanted| *wanted != id);
                questions.push(match query {
                    Query::Formula(formula) => self.question(id, formula, is_network, symbols, pool),
                    Query::Bound(places) => {
                        let names: Vec<&str> = places.iter().map(|&p| net.place(p).id.as_str()).collect();
                        let text = format!("bounds({})", names.join(", "));
                        Question { id, text, subject: Subject::Bound(places) }
                    }
                });
            }
        }
        for path in &self.automata {
            questions.push(self.automaton(path, symbols, pool)?);
        }
        match missing.first() {
            Some(id) => Err(Failure::Input(format!("no property `{id}` in the property files"))),
            None => Ok(questions),
        }
    }

    /// Read an automaton and the formulas that its propositions are.
    fn automaton(&self, path: &Path, symbols: &Symbols, pool: &mut Pool) -> Result<Question, Failure> {
        let name = path.display().to_string();
        let wrong = |message: String| Failure::Input(format!("{name}: {message}"));
        let paths = self.paths.map_or(PathSemantics::Stutter, PathSemantics::from);
        if paths == PathSemantics::Maximal {
            return Err(wrong("an automaton reads infinite paths: use --paths stutter or infinite".to_owned()));
        }
        let text = fs::read_to_string(path).map_err(|e| wrong(format!("cannot be read: {e}")))?;
        let automaton = hoa::read(&text).map_err(|e| wrong(e.to_string()))?;
        let mut propositions = Vec::new();
        for proposition in automaton.propositions() {
            let about = format!("proposition \"{proposition}\"");
            let formula = parse(proposition, symbols, pool).map_err(|e| wrong(format!("{about}: {e}")))?;
            if !pool.is_state(formula) {
                return Err(wrong(format!("{about} is not a state formula; quantify it with E or A")));
            }
            propositions.push(formula);
        }
        let text = automaton.title().unwrap_or(&name).to_owned();
        Ok(Question { id: name, text, subject: Subject::Automaton { automaton, propositions, paths } })
    }

    fn question(
        &self,
        id: String,
        formula: FormulaId,
        is_network: bool,
        symbols: &Symbols,
        pool: &mut Pool,
    ) -> Question {
        let logic = pool.logic(formula);
        let default = if is_network { logic.default_paths_of_network() } else { logic.default_paths() };
        let paths = self.paths.map_or(default, PathSemantics::from);
        let text = pool.display(formula, symbols).to_string();
        let closed = pool.close(formula);
        let formula = match self.route {
            RouteArg::Ctl => pool.push_quantifiers(closed, paths),
            RouteArg::Automaton => pool.simplify(closed, paths),
        };
        Question { id, text, subject: Subject::Formula { formula, linear: closed, logic, paths } }
    }
}

/// Does the file begin like one with numbered formulas?
fn is_numbered(path: &Path) -> bool {
    let mut first = [0; 64];
    let read = File::open(path).and_then(|mut file| file.read(&mut first)).unwrap_or(0);
    first[..read].trim_ascii_start().starts_with(b"#")
}
