//! Questions from texts, files of properties and automata, and the model itself.

use super::super::{Console, Failure};
use super::args::{FormulaArgs, Paths};
use super::question::{Fair, NamedQuestion};

use starset::automaton::fair::{self, FairWord};
use starset::automaton::{Cube, Guard, Literal, Prop, Tgba, TranslationError, hoa};
use starset::budget::Budget;
use starset::decide::{self, NotFinite};
use starset::formula::{
    Assumption, Condition, Extreme, Formula, FormulaId, PathSemantics, Pool, Property, PropertyQuestion, parse,
    read_extreme, read_finite_property_file, read_formula_file, read_property_file, read_property_text,
};
use starset::kinds::{Loaded, ModelQuestion};
use starset::report::state;
use starset::symbolic::Route;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names of places and transitions in a formula that is shown.
const MOST_NAMES: usize = 100_000;
/// The longest formula of which is said how it is read.
const SHORT: usize = 200;

/// What was read before the formulas.
#[derive(Default, Debug)]
pub(super) struct Texts {
    /// The texts of files.
    pub(super) files: BTreeMap<PathBuf, String>,
    /// Formulas in which states had names, without, by number.
    pub(super) formulas: BTreeMap<usize, String>,
    /// The same of files, by what stands there now.
    pub(super) written: BTreeMap<String, String>,
}

/// Reads questions about a model.
pub(super) struct Reader<'a> {
    pub(super) args: &'a FormulaArgs,
    pub(super) loaded: &'a Loaded,
    pub(super) texts: &'a Texts,
    pub(super) pool: &'a mut Pool,
    pub(super) route: Route,
    pub(super) budget: &'a Budget,
    pub(super) console: &'a Console,
    pub(super) questions: Vec<NamedQuestion>,
    /// Identifiers that no property has had so far.
    pub(super) missing: Vec<&'a String>,
    /// The assumptions about the paths of all formulas.
    pub(super) fair: Vec<Assumption>,
    /// Where finite runs end, if they do not in deadlocks.
    pub(super) last: Option<FormulaId>,
}

impl Reader<'_> {
    /// Add the questions of the model itself: all, or its invariant if that is asked for.
    pub(super) fn own(&mut self, all: bool) -> Result<(), Failure> {
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
            // Identifiers are of property files, where there are such.
            if !all && !self.args.files.is_empty() || self.is_wanted(&question.id) {
                self.question(question.id.clone(), question)?;
            }
        }
        Ok(())
    }

    /// A question of the model itself is asked for.
    pub(super) fn question(&mut self, id: String, question: &ModelQuestion) -> Result<(), Failure> {
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
    pub(super) fn formula(
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
    pub(super) fn compute(&mut self, text: &str) -> Result<(), Failure> {
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
    pub(super) fn show_reading(&self, text: &str) {
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
    pub(super) fn properties(&mut self, path: &Path) -> Result<(), Failure> {
        let properties = match self.texts.files.get(path) {
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
            remarks.iter().for_each(|remark| self.console.warning(remark));
            match query {
                PropertyQuestion::Refused(error) => {
                    self.console.error(format_args!("{id} is left out: {error}"));
                    let asked = decide::Question::Unreadable(error.to_string());
                    self.questions.push(NamedQuestion::plain(id, String::new(), asked));
                }
                PropertyQuestion::Formula(formula) => {
                    self.formula(id, formula, None, &assumptions)?;
                    if let Some(question) = self.questions.last_mut() {
                        let written = written.map(|text| self.texts.written.get(&text).cloned().unwrap_or(text));
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
    pub(super) fn automata(&mut self, path: &Path) -> Result<(), Failure> {
        let name = path.display().to_string();
        let wrong = |message: String| Failure::Input(format!("{name}: {message}"));
        let paths = match self.args.paths {
            None => PathSemantics::Stutter,
            Some(Paths::Whole(paths @ (PathSemantics::Stutter | PathSemantics::Infinite))) => paths,
            Some(Paths::Whole(PathSemantics::Maximal) | Paths::Finite) => {
                return Err(wrong("an automaton reads infinite paths: use --paths stutter or infinite".to_owned()));
            }
        };
        let all = automata_in(path, self.texts.files.get(path))?;
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
pub(crate) fn automata_in(path: &Path, text: Option<&String>) -> Result<Vec<Tgba>, Failure> {
    let wrong = |problem: &dyn std::fmt::Display| Failure::Input(format!("{}: {problem}", path.display()));
    let all = match text {
        Some(text) => hoa::read_all(text),
        None => hoa::read_all(&read_formula_file(path).map_err(|e| wrong(&format_args!("cannot be read: {e}")))?),
    };
    let all = all.map_err(|e| wrong(&e))?;
    if all.is_empty() { Err(wrong(&"there is no automaton in it")) } else { Ok(all) }
}

/// A formula as it was written, on one line.
pub(super) fn echoed(text: &str) -> String {
    text.trim().replace(char::is_control, " ")
}

fn is_action(formula: &Formula) -> bool {
    matches!(formula, Formula::Action(_))
}
