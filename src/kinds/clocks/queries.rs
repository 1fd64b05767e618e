//! The queries in a file of TAPAAL, as questions that its net asks itself.
//!
//! A query is an attribute, `<query name="safe" query="AG (N.p &lt;= 1)"/>`, or an element of the contest's form inside. Names
//! have their component before them there, which those of a net with one active component do not have here. Queries
//! that are switched off (`active="false"`) are left out, and so are, with a remark, those that cannot be read.
//!
//! **Nets with time.** Places and transitions have the numbers that they have without it, and a clock has no name in a query.
//! Queries about what is reached are asked: `EF` and `AG` of conditions on markings. `AF` and `EG` are about runs that go on as long as
//! they can, which TAPAAL and integer time do not cut off at the same points; they are named, and not asked.

use super::model::ClockNet;
use crate::formula::{
    Dialect, Formula, FormulaId, Pool, Property, PropertyQuestion, Symbols, read_dialect, read_properties,
};
use crate::kinds::{ModelQuestion, ModelQuestions};
use crate::model::Standstill;
use crate::net::{NetBuilder, PetriNet};
use crate::xml::{Event, XmlCursor, XmlError, escaped};

/// The questions in a text, and what is to be said of those that are not asked; `file` is its name in messages.
pub(super) fn queries(text: &str, file: &str, symbols: &Symbols) -> (ModelQuestions, Vec<String>) {
    let (mut questions, mut remarks) = (ModelQuestions::default(), Vec::new());
    // What is wrong with the file has been said by the reader of the net.
    let written = written(text, symbols).unwrap_or_default();
    for Written { name, line, text, elements } in written {
        let pool = &mut questions.pool;
        let found = match (text.as_str(), elements.as_str()) {
            ("", "") => continue,
            ("", elements) => formula(read_properties(in_a_set(elements).as_bytes(), file, symbols, pool)),
            (text, _) => formula(read_dialect(text, file, Dialect::Tapaal, symbols, pool)),
        };
        match found {
            Ok(formula) => {
                let taken = |id: &str| questions.list.iter().any(|earlier| earlier.id == id);
                let id = (2..).map(|n| format!("{name} ({n})")).find(|id| !taken(id)).filter(|_| taken(&name));
                let id = id.unwrap_or(name);
                questions.list.push(ModelQuestion::new(id, formula, None));
            }
            Err(why) => remarks.push(format!("{file}:{line}: the query `{name}` is not asked: {why}")),
        }
    }
    (questions, remarks)
}

/// The same of a net with time.
pub(super) fn timed_queries(text: &str, file: &str, net: &ClockNet) -> (ModelQuestions, Vec<String>) {
    let Some(untimed) = untimed(net) else { return (ModelQuestions::default(), Vec::new()) };
    let (mut questions, mut remarks) = queries(text, file, &Symbols::new(&untimed));
    let ModelQuestions { pool, list, .. } = &mut questions;
    list.retain_mut(|question| match of_reachability(pool, question.formula) {
        Some(formula) => {
            question.formula = formula;
            true
        }
        None => {
            let why = "of nets with time EF and AG of conditions on markings are; write others with -f";
            remarks.push(format!("{file}: the query `{}` is not asked: {why}", question.id));
            false
        }
    });
    (questions, remarks)
}

/// The places and transitions of a net with clocks.
fn untimed(net: &ClockNet) -> Option<PetriNet> {
    let mut builder = NetBuilder::new(net.name.clone());
    for place in &net.places {
        builder.place(place.id.clone(), place.initial.into()).ok()?;
    }
    for transition in &net.transitions {
        builder.transition(transition.id.clone()).ok()?;
    }
    builder.build().ok()
}

/// The formula, if it is made of `EF` and `AG` of conditions on markings; nothing will ever fire in a deadlock there.
fn of_reachability(pool: &mut Pool, formula: FormulaId) -> Option<FormulaId> {
    use Formula::*;
    let mut made: rustc_hash::FxHashMap<FormulaId, FormulaId> = rustc_hash::FxHashMap::default();
    let mut about_runs: rustc_hash::FxHashSet<FormulaId> = rustc_hash::FxHashSet::default();
    for id in pool.subformulas(&[formula]) {
        let node = pool[id].clone();
        let inner = |a: &FormulaId| about_runs.contains(a);
        let below = node.children().iter().any(inner);
        match &node {
            Finally(_) | Globally(_) if below => return None,
            Exists(a) if !matches!(pool[*a], Finally(_)) => return None,
            Forall(a) if !matches!(pool[*a], Globally(_)) => return None,
            Next(_) | Until(..) | Release(..) | WeakUntil(..) | StrongRelease(..) | Action(_) => return None,
            node if node.is_past() => return None,
            _ => {}
        }
        if below || matches!(node, Finally(_) | Globally(_)) {
            about_runs.insert(id);
        }
        let node = if node == Deadlock { Still(Standstill::Deadlock) } else { node.map(|a| made[&a]) };
        let again = pool.add(node);
        made.insert(id, again);
    }
    let formula = made.get(&formula).copied()?;
    pool.is_state(formula).then_some(formula)
}

/// The one formula of what was read.
fn formula(found: Result<Vec<Property>, crate::formula::PropertyError>) -> Result<FormulaId, String> {
    let found = found.map_err(|error| error.problem.to_string())?;
    match found.into_iter().next().map(|property| property.query) {
        Some(PropertyQuestion::Formula(formula)) => Ok(formula),
        Some(PropertyQuestion::Refused(error)) => Err(error.problem.to_string()),
        Some(PropertyQuestion::Bound(_) | PropertyQuestion::Steps(_)) | None => Err("it is no formula".to_owned()),
    }
}

/// A query as it is written.
struct Written {
    name: String,
    line: u64,
    text: String,
    /// The elements inside.
    elements: String,
}

fn written(text: &str, symbols: &Symbols) -> Result<Vec<Written>, XmlError> {
    let mut xml = XmlCursor::new(text.as_bytes());
    let mut found = Vec::new();
    loop {
        match xml.advance()? {
            Event::End => return Ok(found),
            Event::Open("query") => {}
            _ => continue,
        }
        let line = xml.location().line;
        let attribute = |name: &str| Ok::<_, XmlError>(xml.attribute(name)?.unwrap_or_default());
        let (name, query, active) = (attribute("name")?, attribute("query")?, attribute("active")?);
        let (depth, mut elements, mut inside) = (xml.depth(), String::new(), String::new());
        loop {
            match xml.advance()? {
                Event::Open(name) => {
                    elements += &format!("<{name}>");
                    name.clone_into(&mut inside);
                }
                Event::Text(text) => elements += &escaped(known(&inside, text, symbols)),
                Event::Close(name) => {
                    let end = format!("</{name}>");
                    if xml.depth() < depth {
                        break;
                    }
                    elements += &end;
                }
                Event::End => return Ok(found),
            }
        }
        if active != "false" {
            let elements = elements.trim().to_owned();
            found.push(Written { name, line, text: query.trim().to_owned(), elements });
        }
    }
}

/// The name in a text, without the component before it if the net has only one.
fn known<'t>(element: &str, text: &'t str, symbols: &Symbols) -> &'t str {
    let name = text.trim();
    let is = |name: &str| match element {
        "place" => symbols.place(name).is_ok(),
        "transition" => symbols.transition(name).is_ok(),
        _ => true,
    };
    match name.split_once('.') {
        Some((_, alone)) if !is(name) && is(alone) => alone,
        _ => text,
    }
}

/// A formula of the contest's form in a file of that form.
fn in_a_set(elements: &str) -> String {
    format!("<property-set><property><id>q</id><description/>{elements}</property></property-set>")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;

    #[test]
    fn queries_of_both_forms() {
        let mut b = NetBuilder::new("n");
        b.place("p", 1).unwrap();
        let symbols = Symbols::new(&b.build().unwrap());
        let text = "<pnml><net><place id='p'/></net>\n<query active='true' name='one' query='EF (N.p = 1)' type='Default'/>\n\
                    <query name='off' active='false' query='EF q = 1'/>\n<query name='bad' query='EF q = 1'/>\n\
                    <queries><query name='one' type='CTL'><formula><all-paths><globally><integer-le><tokens-count>\
                    <place>p</place></tokens-count><integer-constant>1</integer-constant></integer-le></globally>\
                    </all-paths></formula></query></queries><query name='empty'/></pnml>";
        let (questions, remarks) = queries(text, "f.tapn", &symbols);
        let shown = |q: &ModelQuestion| format!("{}: {}", q.id, questions.pool.display(q.formula, &symbols));
        let shown: Vec<String> = questions.list.iter().map(shown).collect();
        assert_eq!(shown, ["one: E F (#p = 1)", "one (2): A G (#p <= 1)"]);
        assert_eq!(remarks, ["f.tapn:4: the query `bad` is not asked: unknown place `q`"]);
        assert!(queries("<pnml><query", "f", &symbols).0.list.is_empty());
    }
}
