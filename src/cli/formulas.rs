//! The options that name formulas, `-f`, `-x`, `--id`, `--automaton`, and say what their paths are, `--paths`,
//! `--justice`, `--compassion`, `--weak-fair`, `--strong-fair`.

use super::options::{Choices, choice};
use super::{Console, Failure};
use clap::Args;
use starset::StopReason;
use starset::automaton::fair::{self, FairWord};
use starset::automaton::{Cube, Guard, Literal, Prop, Tgba, TranslationError, hoa};
use starset::budget::Budget;
use starset::decide::{self, NotFinite, explore};
use starset::formula::{
    Assumption, AssumptionKind, Condition, Extreme, Formula, FormulaId, Logic, PathSemantics, Pool, Property,
    PropertyQuestion, parse, parse_finite, parse_with_remarks, read_assumption, read_assumption_line, read_extreme,
    read_finite_property_file, read_formula_file, read_property_file, read_property_text,
};
use starset::kinds::{Loaded, ModelQuestion, Saved, TimedQuestion, Tuned, Tuning, named_set};
use starset::mdd::with_deep_stack;
use starset::report::state;
use starset::symbolic::{Route, attractors};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names of places and transitions in a formula that is shown.
const MOST_NAMES: usize = 100_000;
/// The name of the set of all states in attractors, which need not be given.
const ATTRACTORS: &str = "attractors";
/// The longest formula of which is said how it is read.
const SHORT: usize = 200;

/// Which formulas to check, and what a path is.
#[derive(Args, Debug)]
pub(crate) struct FormulaArgs {
    /// CTL*, CTL or LTL, as in 'AG EF #p = 1'; repeatable
    ///
    /// A CTL*, CTL or LTL formula, as in 'AG (#p <= 1 -> EF enabled(t))'; may be given several times. Of an SMV program
    /// also a property with its word, as in 'CTLSPEC AG x = 1'
    #[arg(short, long = "formula", value_name = "FORMULA", allow_hyphen_values = true, help_heading = "Formulas")]
    formulas: Vec<String>,
    /// File of formulas: contest, lines, LoLA, TAPAAL
    ///
    /// A property file: XML of the Model Checking Contest; a formula on each line, perhaps with a name as in
    /// 'safe: AG #p <= 1'; `#1:` and so on before formulas over actions, as in the RERS challenge; .formula or
    /// .task of LoLA, .q of TAPAAL (docs/formats.md); may be given several times
    #[arg(short = 'x', long = "properties", value_name = "FILE", help_heading = "Formulas")]
    files: Vec<PathBuf>,
    /// Only the property with this identifier; repeatable
    #[arg(long = "id", value_name = "ID", requires = "files", help_heading = "Formulas")]
    ids: Vec<String>,
    /// File of automata in HOA format; repeatable
    ///
    /// Automata in HOA format: which markings have a path that each accepts? Propositions are state formulas,
    /// as in "#p = 1", or labels, which say what the next step is; may be given several times
    #[arg(long = "automaton", value_name = "FILE", help_heading = "Formulas")]
    automata: Vec<PathBuf>,
    /// The invariant and assertions of the model itself
    ///
    /// Check the invariant of the model, part by part, and its assertions (of languages that have some). Without any
    /// formula all that the model itself asks is checked
    #[arg(long, help_heading = "Formulas")]
    invariant: bool,
    /// Meaning of finite paths
    ///
    /// Meaning of paths where a deadlock can be reached [default: maximal for CTL; for LTL and CTL* stutter, of
    /// networks infinite]
    #[arg(long, value_parser = choice(PATHS), help_heading = "Formulas")]
    paths: Option<Paths>,
    /// With --paths finite: where runs may end
    ///
    /// With --paths finite: a run may end where this condition on single states holds [default: in a deadlock]
    #[arg(
        long = "final",
        value_name = "FORMULA",
        allow_hyphen_values = true,
        hide_short_help = true,
        help_heading = "Formulas"
    )]
    last: Option<String>,
    /// Steps between states: 'MIN [f, g]' or 'MAX [f, g]'
    ///
    /// The number of steps from a reachable state of f to one of g: 'MIN [f, g]', the least; 'MAX [f, g]', the most before g is met.
    /// As COMPUTE of NuSMV: f holds where a path begins that counts (see --paths, --justice); may be given several times
    #[arg(long, value_name = "MIN|MAX", hide_short_help = true, help_heading = "Formulas")]
    compute: Vec<String>,
    /// A saved set that formulas call %NAME; repeatable
    ///
    /// A set of states of this model that was saved with --save (of satset, states, combine, attractors), for formulas to
    /// name: 'EF %NAME'. States of it that are not reachable do not matter. %attractors need not be given
    #[arg(long = "set", value_name = "NAME=FILE", hide_short_help = true, help_heading = "Formulas")]
    sets: Vec<String>,
    #[command(flatten)]
    fairness: FairnessArgs,
}

/// Which paths count: the fair ones.
#[derive(Args, Debug)]
struct FairnessArgs {
    /// Only paths on which F holds again and again
    ///
    /// Quantifiers range over the paths alone on which the state formula F holds infinitely often; at the end of a path:
    /// over those in whose last state it holds. In a file of formulas: a line 'justice F'. Assumptions may be given
    /// several times; a path satisfies all of them
    #[arg(long, value_name = "F", allow_hyphen_values = true, help_heading = "Formulas")]
    justice: Vec<String>,
    /// Count paths alone on which Q holds again and again if P does; repeatable
    ///
    /// Quantifiers range over the paths alone on which the state formula Q holds infinitely often, or P does not. In a
    /// file of formulas: a line 'compassion P, Q'
    #[arg(long, value_names = ["P", "Q"], num_args = 2, allow_hyphen_values = true, hide_short_help = true, help_heading = "Formulas")]
    compassion: Vec<String>,
    /// Count paths alone on which T is taken, or not possible, again and again; repeatable
    ///
    /// Quantifiers range over the paths alone on which the transition, action or label T is infinitely often taken or
    /// not possible. T may be a list with commas, for one assumption for each, or all. In a file of formulas: a line
    /// 'weak-fair T'
    #[arg(long, value_name = "T", hide_short_help = true, help_heading = "Formulas")]
    weak_fair: Vec<String>,
    /// Count paths alone on which T is taken again and again if possible again and again; repeatable
    ///
    /// Quantifiers range over the paths alone on which the transition, action or label T is infinitely often taken if it
    /// is infinitely often possible. T may be a list with commas, or all. In a file of formulas: a line 'strong-fair T'
    #[arg(long, value_name = "T", hide_short_help = true, help_heading = "Formulas")]
    strong_fair: Vec<String>,
}

impl FairnessArgs {
    /// The assumptions as they are in files: what follows their words.
    fn texts(&self) -> impl Iterator<Item = (AssumptionKind, String)> + '_ {
        let justice = self.justice.iter().map(|text| (AssumptionKind::Justice, text.clone()));
        let pairs = self.compassion.chunks_exact(2).map(|pair| pair.join(", "));
        let compassion = pairs.map(|text| (AssumptionKind::Compassion, text));
        let weak_fair = self.weak_fair.iter().map(|text| (AssumptionKind::WeakFair, text.clone()));
        let strong_fair = self.strong_fair.iter().map(|text| (AssumptionKind::StrongFair, text.clone()));
        justice.chain(compassion).chain(weak_fair).chain(strong_fair)
    }

    /// The assumptions about a model, with those of its `own` or without.
    fn read(&self, loaded: &Loaded, own: bool, pool: &mut Pool) -> Result<Vec<Assumption>, Failure> {
        let mut all = Vec::new();
        for line in loaded.questions.assumptions.iter().filter(|_| own) {
            let read = read_assumption_line(line, &loaded.symbols, pool);
            all.push(read.map_err(|wrong| Failure::Input(format!("{line}, of the model: {wrong}")))?);
        }
        let mut read = |(kind, text): (AssumptionKind, String)| {
            let read = read_assumption(kind, &text, &loaded.symbols, pool);
            read.map_err(|wrong| {
                let column = text.get(..wrong.at).map_or(0, |begin| begin.chars().count()) + 1;
                Failure::Input(format!("--{} {text}, column {column}: {wrong}", kind.word()))
            })
        };
        for given in self.texts() {
            all.push(read(given)?);
        }
        Ok(all)
    }
}

/// What paths are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Paths {
    /// As far as they can go.
    Whole(PathSemantics),
    /// Finite runs that end somewhere.
    Finite,
}

const PATHS: Choices<Paths> = &[
    ("maximal", Paths::Whole(PathSemantics::Maximal), "Infinite, or ending in a deadlock"),
    ("stutter", Paths::Whole(PathSemantics::Stutter), "Infinite; a deadlock repeats for ever"),
    ("infinite", Paths::Whole(PathSemantics::Infinite), "Infinite only"),
    ("finite", Paths::Finite, "Finite runs that end in a deadlock, or where --final says"),
];

/// One thing that is asked, and what is said of it.
#[derive(Debug)]
pub(crate) struct NamedQuestion {
    /// Identifier of the property, or the number of the formula on the command line.
    pub(crate) id: String,
    /// The formula as the printer writes it.
    pub(crate) text: String,
    /// The same as it was written on the command line or in a file.
    pub(crate) written: Option<String>,
    /// Is it an invariant of the model?
    pub(crate) invariant: bool,
    /// The logic of a formula as it was given.
    pub(crate) logic: Option<Logic>,
    /// The question; under assumptions, that about all paths which says the same.
    pub(crate) asked: decide::Question,
    /// The assumptions about its paths, if there are some.
    pub(crate) fair: Option<Fair>,
}

/// Assumptions about paths, or that they are finite: there need be no such path.
#[derive(Clone, Debug)]
pub(crate) struct Fair {
    /// Assumptions as they are written in files.
    pub(crate) texts: Vec<String>,
    /// That there is a path: one that satisfies all assumptions, or a finite one.
    pub(crate) exists: FormulaId,
}

impl NamedQuestion {
    /// A question whose paths are of no concern.
    fn plain(id: String, text: String, asked: decide::Question) -> Self {
        NamedQuestion { id, text, written: None, invariant: false, logic: None, asked, fair: None }
    }

    /// The semantics of its paths, if it is about paths.
    pub(crate) fn paths(&self) -> Option<PathSemantics> {
        match self.asked {
            decide::Question::Formula { paths, .. } | decide::Question::Automaton { paths, .. } => Some(paths),
            _ => None,
        }
    }

    /// The formula as it was closed, and its paths, if it is one; under assumptions, that about all paths.
    pub(crate) fn formula(&self) -> Option<(FormulaId, PathSemantics)> {
        match self.asked {
            decide::Question::Formula { linear, paths, .. } => Some((linear, paths)),
            _ => None,
        }
    }

    /// The question as far as it says something about time.
    fn timed(&self) -> TimedQuestion {
        match &self.asked {
            decide::Question::Formula { linear, .. } => TimedQuestion { formulas: vec![*linear], is_automaton: false },
            decide::Question::Automaton { propositions, .. } => {
                TimedQuestion { formulas: propositions.clone(), is_automaton: true }
            }
            _ => TimedQuestion::default(),
        }
    }

    /// The same question about another form of the model, in which moments are other numbers.
    fn again(
        self,
        (model, pool): (&Loaded, &Pool),
        (other, theirs): (&Loaded, &mut Pool),
        route: Route,
    ) -> Result<NamedQuestion, Failure> {
        let id = self.id.clone();
        let mut moved = |formula: FormulaId| {
            let text = pool.display(formula, &model.symbols).to_string();
            parse(&text, &other.symbols, theirs).map_err(|error| Failure::Input(format!("{id}: {error}")))
        };
        let fair = match self.fair {
            Some(Fair { texts, exists }) => Some(Fair { texts, exists: moved(exists)? }),
            None => None,
        };
        let asked = match self.asked {
            decide::Question::Formula { linear, paths, .. } => {
                let formula = moved(linear)?;
                decide::Question::formula(theirs, formula, paths, route)
            }
            decide::Question::Automaton { automaton, propositions, shown, accepted, paths, last } => {
                let propositions = propositions.into_iter().map(&mut moved).collect::<Result<_, _>>()?;
                let (shown, last) = (moved(shown)?, last.map(moved).transpose()?);
                decide::Question::Automaton { automaton, propositions, shown, accepted, paths, last }
            }
            other => other,
        };
        Ok(NamedQuestion { asked, fair, ..self })
    }
}

/// A model, and the questions about it. Where time passes in it questions may need models with other units.
#[derive(Debug)]
pub(crate) struct Part {
    /// The model.
    pub(crate) loaded: Loaded,
    /// The formulas.
    pub(crate) pool: Pool,
    /// The questions.
    pub(crate) questions: Vec<NamedQuestion>,
    /// Which of all these are.
    pub(crate) numbers: Vec<usize>,
}

impl FormulaArgs {
    /// Refuse to read standard input twice, where it is the model already if `taken`.
    pub(crate) fn once(&self, taken: bool) -> Result<(), Failure> {
        let read = self.files.iter().chain(&self.automata).filter(|path| path.as_os_str() == "-").count();
        if read + usize::from(taken) > 1 {
            return Err(Failure::Input("standard input (-) can be read once; give all else in files".to_owned()));
        }
        Ok(())
    }

    /// The formulas in the language of the model.
    pub(crate) fn in_words_of_models(&self) -> Vec<String> {
        self.formulas.iter().filter(|text| is_in_words_of_models(text)).cloned().collect()
    }

    /// Are all questions in the language of the model?
    pub(crate) fn is_in_words_of_models(&self) -> bool {
        let others = [self.files.is_empty(), self.automata.is_empty(), !self.invariant, self.compute.is_empty()];
        others.iter().all(|empty| *empty) && self.formulas.iter().all(|text| is_in_words_of_models(text))
    }

    /// Are variables of the model named in other words than those of its own language?
    pub(crate) fn names_variables(&self) -> bool {
        !self.is_in_words_of_models()
            || !self.sets.is_empty()
            || self.last.is_some()
            || self.fairness.texts().next().is_some()
    }

    /// Are parts of the model's own invariant asked?
    pub(crate) fn asks_invariant(&self) -> bool {
        self.invariant
    }

    /// Is nothing asked?
    pub(crate) fn is_empty(&self) -> bool {
        let files = self.files.is_empty() && self.automata.is_empty();
        self.formulas.is_empty() && files && !self.invariant && self.compute.is_empty()
    }

    /// The questions, each with the model that it needs. They are those that are given or, if `own` is set, all that
    /// the model itself asks. With `exact`, those of which integer time may miss something are refused. The budget is for automata
    /// of formulas about finite runs.
    pub(crate) fn parts(
        &self,
        loaded: Loaded,
        (own, route): (bool, Route),
        exact: bool,
        budget: &Budget,
        console: &Console,
    ) -> Result<Vec<Part>, Failure> {
        let (mut loaded, texts) = self.rescaled(loaded);
        self.name_sets(&mut loaded, &texts, budget)?;
        let mut pool = loaded.questions.pool.clone();
        let questions = self.read((&loaded, &texts), &mut pool, (own, route), budget, console)?;
        let timed: Vec<TimedQuestion> = questions.iter().map(NamedQuestion::timed).collect();
        let Some(Tuning { parts, notes }) = loaded.tuned(&pool, &timed).filter(|_| !timed.is_empty()) else {
            let numbers = (0..questions.len()).collect();
            return Ok(vec![Part { loaded, pool, questions, numbers }]);
        };
        for (number, note) in notes {
            let note = format!("{}: {note}", questions[number].id);
            if exact {
                let advice = "with --exact ask whether something is reached (E F, E U) that compares with <=, = and >=, or avoided";
                return Err(Failure::Input(format!("{note}; {advice}")));
            }
            console.note(note);
        }
        let mut all: Vec<Option<NamedQuestion>> = questions.into_iter().map(Some).collect();
        let (mut made, mut as_it_is) = (Vec::new(), None);
        for Tuned { model, questions } in parts {
            let numbers = questions.clone();
            let mine = questions.into_iter().filter_map(|number| all.get_mut(number)?.take());
            let Some(model) = model else {
                as_it_is = Some((made.len(), mine.collect(), numbers));
                continue;
            };
            let (other, mut theirs) = (loaded.as_model(model), Pool::new());
            let again = |question: NamedQuestion| question.again((&loaded, &pool), (&other, &mut theirs), route);
            let questions = mine.map(again).collect::<Result<_, _>>()?;
            made.push(Part { loaded: other, pool: theirs, questions, numbers });
        }
        if let Some((place, questions, numbers)) = as_it_is {
            made.insert(place, Part { loaded, pool, questions, numbers });
        }
        Ok(made)
    }

    /// Give names to the sets in files.
    fn name_sets(&self, loaded: &mut Loaded, texts: &Texts, budget: &Budget) -> Result<(), Failure> {
        let named_twice = |name: String| Failure::Input(format!("--set: two sets are called {name}"));
        for given in &self.sets {
            let Some((name, file)) = given.split_once('=').filter(|(name, file)| !name.is_empty() && !file.is_empty())
            else {
                return Err(Failure::Input(format!("--set {given}: write NAME=FILE")));
            };
            if loaded.model.tick().is_some() {
                let why = "sets of states of models in which time passes are not named in formulas";
                return Err(Failure::Input(format!("--set {given}: {why}")));
            }
            let set = Saved::load(Path::new(file), &*loaded.model, budget)?.named(name, &*loaded.model)?;
            loaded.symbols.name_set(set).map_err(named_twice)?;
        }
        let is_given = self.sets.iter().any(|given| given.split('=').next() == Some(ATTRACTORS));
        if !is_given && loaded.model.tick().is_none() && self.mentions(&format!("%{ATTRACTORS}"), texts) {
            let model = &*loaded.model;
            let set = with_deep_stack(model.variables(), || {
                let space = explore(model, &decide::Settings::default(), true, budget, &|_| {})?;
                let found = attractors(&space.relation, &space.set, budget)?.union(budget)?;
                Ok::<_, StopReason>(named_set(ATTRACTORS, &space.relation, &found))
            });
            let set = set.map_err(|stop| Failure::Unknown(format!("the attractors of the model: {stop}")))?;
            if let Some(set) = set {
                loaded.symbols.name_set(set).map_err(named_twice)?;
            }
        }
        Ok(())
    }

    /// Does a formula that is given have this text in it?
    fn mentions(&self, text: &str, texts: &Texts) -> bool {
        let in_file = |path: &PathBuf| match texts.0.get(path) {
            Some(known) => known.contains(text),
            // What comes through a pipe can be read once.
            None => path.is_file() && read_formula_file(path).is_ok_and(|read| read.contains(text)),
        };
        let assumptions: Vec<String> = self.fairness.texts().map(|(_, text)| text).collect();
        let given = self.formulas.iter().chain(&self.compute).chain(&self.last).chain(&assumptions);
        given.into_iter().any(|given| given.contains(text)) || self.files.iter().chain(&self.automata).any(in_file)
    }

    /// Make the model so that the formulas have the meaning that they should, and keep what was read for that: files
    /// may be pipes, which can be read once.
    fn rescaled(&self, loaded: Loaded) -> (Loaded, Texts) {
        // Only where time passes does it depend on the formulas.
        if loaded.model.tick().is_none() {
            return (loaded, Texts::default());
        }
        // A file that cannot be read is an error when it is read for what it says.
        let read = |path: &PathBuf| Some((path.clone(), read_formula_file(path).ok()?));
        let texts = Texts(self.files.iter().chain(&self.automata).filter_map(read).collect());
        let of = |path: &PathBuf| texts.0.get(path).cloned();
        let automata = self.automata.iter().filter_map(|path| hoa::read_all(&of(path)?).ok());
        let propositions = automata.flatten().flat_map(|automaton| automaton.propositions().to_vec());
        let assumptions = self.fairness.texts().map(|(_, text)| text);
        let formulas = self.formulas.iter().cloned().chain(self.files.iter().filter_map(of));
        let all: Vec<String> = formulas.chain(propositions).chain(assumptions).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        (loaded.rescaled(&all).unwrap_or(loaded), texts)
    }

    /// Read and resolve all formulas, before anything is computed: those that are given or, if `own` is set, all that
    /// the model itself asks; for path quantifiers that are computed in this way. The pool begins with the formulas of
    /// the model.
    fn read(
        &self,
        (loaded, texts): (&Loaded, &Texts),
        pool: &mut Pool,
        (own, route): (bool, Route),
        budget: &Budget,
        console: &Console,
    ) -> Result<Vec<NamedQuestion>, Failure> {
        let fair = self.fairness.read(loaded, !self.is_finite(), pool)?;
        let last = self.last(loaded, pool)?;
        let (questions, missing) = (Vec::new(), self.ids.iter().collect());
        let mut reader =
            Reader { args: self, loaded, texts, pool, route, budget, console, questions, missing, fair, last };
        let mut asked = loaded.questions.asked.iter();
        for (number, text) in self.formulas.iter().enumerate() {
            let number = number + 1;
            if is_in_words_of_models(text)
                && let Some(question) = asked.next()
            {
                reader.question(number.to_string(), question)?;
                continue;
            }
            let read = match self.paths {
                Some(Paths::Finite) => parse_finite(text, &loaded.symbols, reader.pool),
                _ => parse_with_remarks(text, &loaded.symbols, reader.pool),
            };
            let (formula, remarks) = read.map_err(|e| Failure::Input(format!("formula {number}: {e}")))?;
            for (column, remark) in remarks {
                console.error(format_args!("formula {number}, column {column}: {remark}"));
            }
            reader.formula(number.to_string(), formula, None, &[])?;
            reader.show_reading(text);
            if let Some(question) = reader.questions.last_mut() {
                question.written = Some(echoed(text));
            }
        }
        for path in &self.files {
            reader.properties(path)?;
        }
        for path in &self.automata {
            reader.automata(path)?;
        }
        for text in &self.compute {
            reader.compute(text)?;
        }
        reader.own(own)?;
        match reader.missing.first() {
            Some(id) => Err(Failure::Input(format!("no property `{id}` in the property files"))),
            None => Ok(reader.questions),
        }
    }
}

impl FormulaArgs {
    /// Are formulas about finite runs?
    pub(crate) fn is_finite(&self) -> bool {
        self.paths == Some(Paths::Finite)
    }

    /// Where finite runs end, as it was written.
    pub(crate) fn final_text(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Where finite runs end, if they do not in deadlocks.
    fn last(&self, loaded: &Loaded, pool: &mut Pool) -> Result<Option<FormulaId>, Failure> {
        let Some(text) = &self.last else { return Ok(None) };
        if !self.is_finite() {
            return Err(Failure::Input("--final says where finite runs end: give --paths finite, too".to_owned()));
        }
        let last = parse(text, &loaded.symbols, pool);
        last.map(Some).map_err(|error| Failure::Input(format!("--final: {error}")))
    }
}

/// The texts of files that were read before their formulas.
#[derive(Default, Debug)]
pub(crate) struct Texts(BTreeMap<PathBuf, String>);

/// Reads questions about a model.
struct Reader<'a> {
    args: &'a FormulaArgs,
    loaded: &'a Loaded,
    texts: &'a Texts,
    pool: &'a mut Pool,
    route: Route,
    budget: &'a Budget,
    console: &'a Console,
    questions: Vec<NamedQuestion>,
    /// Identifiers that no property has had so far.
    missing: Vec<&'a String>,
    /// The assumptions about the paths of all formulas.
    fair: Vec<Assumption>,
    /// Where finite runs end, if they do not in deadlocks.
    last: Option<FormulaId>,
}

impl Reader<'_> {
    /// Add the questions of the model itself: all, or its invariant if that is asked for.
    fn own(&mut self, all: bool) -> Result<(), Failure> {
        let own = &self.loaded.questions.list;
        let wanted = |invariant: bool| all || (self.args.invariant && invariant);
        if self.args.invariant && !own.iter().any(|question| question.invariant) {
            let model = self.loaded.model.terms().model;
            return Err(Failure::Input(format!("--invariant: this {model} has neither an invariant nor assertions")));
        }
        if self.args.is_finite() && own.iter().any(|question| wanted(question.invariant)) {
            let why = "what the model itself asks is about all of its states and paths: leave out --paths finite";
            return Err(Failure::Input(why.to_owned()));
        }
        for question in own.iter().filter(|question| wanted(question.invariant)) {
            self.question(question.id.clone(), question)?;
        }
        Ok(())
    }

    /// A question of the model itself is asked for.
    fn question(&mut self, id: String, question: &ModelQuestion) -> Result<(), Failure> {
        let written = question.written.as_deref().map(echoed);
        if let Some(why) = &question.refused {
            let asked = decide::Question::Unreadable(why.clone());
            let text = written.clone().unwrap_or_default();
            self.questions.push(NamedQuestion { written, ..NamedQuestion::plain(id, text, asked) });
            return Ok(());
        }
        match question.steps {
            Some(steps) => {
                let paths = question.paths.unwrap_or(PathSemantics::Maximal);
                self.steps(id, written.clone().unwrap_or_default(), steps, (paths, &question.fairness));
            }
            None => self.formula(id, question.formula, question.paths, &question.fairness)?,
        }
        if let (Some(asked), Some(written)) = (self.questions.last_mut(), written) {
            asked.written = Some(written);
            asked.invariant = question.invariant;
        }
        Ok(())
    }

    /// A formula is asked for, which may know what its paths are, under the assumptions of all formulas and these.
    fn formula(
        &mut self,
        id: String,
        formula: FormulaId,
        paths: Option<PathSemantics>,
        more: &[Assumption],
    ) -> Result<(), Failure> {
        let logic = self.pool.logic(formula);
        // An atom about a coloured transition lists all its instances, of which there may be a million.
        let text = match self.pool.names(formula) {
            0..=MOST_NAMES => self.pool.display(formula, &self.loaded.symbols).to_string(),
            names => format!("(a formula of {names} names)"),
        };
        let all = [&self.fair[..], more].concat();
        if !all.is_empty() && self.args.is_finite() {
            return Err(Failure::Input(NotFinite::Fairness.to_string()));
        }
        let exists = match self.args.is_finite() {
            true => Some(self.pool.some_finite_run(self.last)),
            false => (!all.is_empty()).then(|| self.pool.some_fair_path(&all)),
        };
        let fair = exists.map(|exists| Fair { texts: all.iter().map(ToString::to_string).collect(), exists });
        let under = self.pool.under(formula, &all);
        let asked = match (paths, self.args.paths) {
            (None, Some(Paths::Finite)) => {
                let model = &*self.loaded.model;
                match decide::Question::finite(self.pool, model, formula, self.last, self.budget) {
                    Ok(asked) => asked,
                    Err(NotFinite::Translation(TranslationError::Exhausted(stop))) => {
                        decide::Question::Stopped(stop.into())
                    }
                    Err(why) => return Err(Failure::Input(format!("formula {id}: {why}"))),
                }
            }
            (Some(paths), _) | (None, Some(Paths::Whole(paths))) => {
                decide::Question::formula(self.pool, under, paths, self.route)
            }
            (None, None) => {
                let paths = self.loaded.model.default_paths(logic);
                decide::Question::formula(self.pool, under, paths, self.route)
            }
        };
        self.questions.push(NamedQuestion { logic: Some(logic), fair, ..NamedQuestion::plain(id, text, asked) });
        Ok(())
    }

    /// How far it is from some states to others.
    fn compute(&mut self, text: &str) -> Result<(), Failure> {
        let wrong = |why: String| Failure::Input(format!("--compute {text}: {why}"));
        let extreme = read_extreme(text, &self.loaded.symbols, self.pool).map_err(wrong)?;
        let id = format!("{}", self.questions.len() + 1);
        self.distance(id, text, extreme, &[]).map_err(wrong)
    }

    /// The same under more assumptions. An error says why it cannot be asked.
    fn distance(&mut self, id: String, text: &str, extreme: Extreme, more: &[Assumption]) -> Result<(), String> {
        let paths = match self.args.paths {
            None => PathSemantics::Maximal,
            Some(Paths::Whole(paths)) => paths,
            Some(Paths::Finite) => return Err("leave out --paths finite".to_owned()),
        };
        if self.loaded.model.tick().is_some() {
            return Err("steps are not counted where time passes".to_owned());
        }
        self.steps(id, echoed(text), extreme, (paths, more));
        Ok(())
    }

    /// A number of steps is asked for, under the assumptions of all formulas and `more`.
    fn steps(&mut self, id: String, text: String, extreme: Extreme, (paths, more): (PathSemantics, &[Assumption])) {
        let all = [&self.fair[..], more].concat();
        let journey = self.pool.journey(extreme, &all);
        let asked = decide::Question::Distance { journey, paths };
        let texts = all.iter().map(ToString::to_string).collect();
        let fair = (!all.is_empty()).then_some(Fair { texts, exists: journey.counted });
        self.questions.push(NamedQuestion {
            written: Some(text.clone()),
            fair,
            ..NamedQuestion::plain(id, text, asked)
        });
    }

    /// Say to a person, or to those who want details, how the formula that was read last has been read, where that is
    /// more than its text without the blanks.
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
            None if self.args.is_finite() => read_finite_property_file(path, &self.loaded.symbols, self.pool),
            None => read_property_file(path, &self.loaded.symbols, self.pool),
        };
        for Property { id, query, remarks, written, assumptions, .. } in
            properties.map_err(|e| Failure::Input(e.to_string()))?
        {
            if !self.is_wanted(&id) {
                continue;
            }
            remarks.iter().for_each(|remark| self.console.error(remark));
            match query {
                PropertyQuestion::Refused(error) => {
                    self.console.error(format_args!("{id} is left out: {error}"));
                    let asked = decide::Question::Unreadable(error.to_string());
                    self.questions.push(NamedQuestion::plain(id, String::new(), asked));
                }
                PropertyQuestion::Formula(formula) => {
                    self.formula(id, formula, None, &assumptions)?;
                    if let Some(question) = self.questions.last_mut() {
                        question.written = written.as_deref().map(echoed);
                    }
                }
                PropertyQuestion::Steps(extreme) => {
                    let text = written.unwrap_or_default();
                    let asked = self.distance(id.clone(), &text, extreme, &assumptions);
                    asked.map_err(|why| Failure::Input(format!("{}: {id}: {why}", path.display())))?;
                }
                PropertyQuestion::Bound(places) => {
                    let name = |&place| state::variable(&*self.loaded.model, &self.loaded.symbols, place);
                    let names: Vec<_> = places.iter().map(name).collect();
                    let text = format!("bounds({})", names.join(", "));
                    self.questions.push(NamedQuestion::plain(id, text, decide::Question::Bound(places)));
                }
            }
        }
        Ok(())
    }

    /// The automata in a file, and the formulas that their propositions are.
    fn automata(&mut self, path: &Path) -> Result<(), Failure> {
        let name = path.display().to_string();
        let wrong = |message: String| Failure::Input(format!("{name}: {message}"));
        let paths = match self.args.paths {
            None => PathSemantics::Stutter,
            Some(Paths::Whole(paths @ (PathSemantics::Stutter | PathSemantics::Infinite))) => paths,
            Some(Paths::Whole(PathSemantics::Maximal) | Paths::Finite) => {
                return Err(wrong("an automaton reads infinite paths: use --paths stutter or infinite".to_owned()));
            }
        };
        let all = automata_in(path, self.texts.0.get(path))?;
        let several = all.len() > 1;
        for (number, automaton) in (1..).zip(all) {
            let formulas = automaton.propositions().iter().map(|proposition| self.proposition(proposition));
            let propositions = formulas.collect::<Result<Vec<_>, String>>().map_err(wrong)?;
            let id = if several { format!("{name}:{number}") } else { name.clone() };
            let text = automaton.title().unwrap_or(&id).to_owned();
            let (automaton, propositions) = self.under_assumptions(automaton, propositions).map_err(wrong)?;
            let fair = (!self.fair.is_empty()).then(|| Fair {
                texts: self.fair.iter().map(ToString::to_string).collect(),
                exists: self.pool.some_fair_path(&self.fair),
            });
            let any = self.pool.add(Formula::True);
            let shown = self.pool.add(Formula::Exists(any));
            let (accepted, last) = (true, None);
            let asked = decide::Question::Automaton { automaton, propositions, shown, accepted, paths, last };
            self.questions.push(NamedQuestion { fair, ..NamedQuestion::plain(id, text, asked) });
        }
        Ok(())
    }

    /// The automaton of the paths that it accepts and that satisfy all assumptions, with the formulas of its propositions.
    fn under_assumptions(
        &mut self,
        automaton: Tgba,
        mut propositions: Vec<FormulaId>,
    ) -> Result<(Tgba, Vec<FormulaId>), String> {
        if self.fair.is_empty() {
            return Ok((automaton, propositions));
        }
        let own = propositions.len();
        let mut proposition = |formula: FormulaId, positive: bool| {
            let known = propositions.iter().position(|&known| known == formula);
            let number = known.unwrap_or_else(|| {
                propositions.push(formula);
                propositions.len() - 1
            });
            Literal { prop: Prop(number as u32), positive }
        };
        let pool = &*self.pool;
        // A condition on states, a step, or one of several of these.
        let mut any = |condition: FormulaId| {
            let parts = match &pool[condition] {
                Formula::Or(parts) if !pool.is_state(condition) => parts.clone(),
                _ => vec![condition],
            };
            Guard::from_cubes(parts.into_iter().filter_map(|part| Cube::new([proposition(part, true)])))
        };
        let conditions: Vec<Condition> = self.fair.iter().flat_map(|all| all.conditions()).copied().collect();
        let pairs = conditions.iter().filter(|condition| matches!(condition, Condition::Compassion(..))).count();
        if pairs > fair::MOST_COMPASSION {
            let most = fair::MOST_COMPASSION;
            return Err(format!(
                "beside an automaton at most {most} assumptions of compassion or strong fairness are read"
            ));
        }
        let mut words = Vec::new();
        for condition in conditions {
            words.push(match condition {
                Condition::Justice(often) => FairWord::Justice(any(often)),
                Condition::Compassion(p, often) => {
                    let often = any(often);
                    let never = any(p).cubes().iter().flat_map(|cube| cube.literals().to_vec()).collect::<Vec<_>>();
                    let never = never.into_iter().map(|literal| Literal { positive: false, ..literal });
                    FairWord::Compassion(Guard::from_cubes(Cube::new(never)), often)
                }
            });
        }
        let names = propositions[own..].iter().map(|&part| self.pool.display(part, &self.loaded.symbols).to_string());
        let names: Vec<String> = names.collect();
        let automaton = fair::under(&automaton, &names, &words).map_err(|error| error.to_string())?;
        Ok((automaton, propositions))
    }

    /// The formula that a proposition of an automaton is: a state formula, or a label, which then says what the next
    /// step is.
    fn proposition(&mut self, proposition: &str) -> Result<FormulaId, String> {
        let about = format!("proposition \"{proposition}\"");
        let symbols = &self.loaded.symbols;
        match parse(proposition, symbols, self.pool) {
            Ok(formula) if self.pool.is_state(formula) || is_action(&self.pool[formula]) => Ok(formula),
            Ok(formula) if self.pool.subformulas(&[formula]).iter().any(|&part| is_action(&self.pool[part])) => {
                Err(format!("{about} speaks of a step inside of a formula; give each action a proposition of its own"))
            }
            Ok(_) => Err(format!("{about} is not a state formula; quantify it with E or A")),
            Err(error) => match symbols.labelled(proposition) {
                Ok(labels) => Ok(self.pool.add(Formula::Action(labels))),
                Err(_) => Err(format!("{about}: {error}")),
            },
        }
    }
}

/// The automata of a file, at least one; its text may have been read before.
pub(super) fn automata_in(path: &Path, text: Option<&String>) -> Result<Vec<Tgba>, Failure> {
    let wrong = |problem: &dyn std::fmt::Display| Failure::Input(format!("{}: {problem}", path.display()));
    let all = match text {
        Some(text) => hoa::read_all(text),
        None => hoa::read_all(&read_formula_file(path).map_err(|e| wrong(&format_args!("cannot be read: {e}")))?),
    };
    let all = all.map_err(|e| wrong(&e))?;
    if all.is_empty() { Err(wrong(&"there is no automaton in it")) } else { Ok(all) }
}

/// A formula as it was written, on one line.
fn echoed(text: &str) -> String {
    text.trim().replace(char::is_control, " ")
}

/// Is a formula a property as SMV writes it, with its word?
fn is_in_words_of_models(text: &str) -> bool {
    let word = text.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    ["CTLSPEC", "SPEC", "LTLSPEC", "INVARSPEC", "PSLSPEC", "COMPUTE"].contains(&word)
}

fn is_action(formula: &Formula) -> bool {
    matches!(formula, Formula::Action(_))
}
