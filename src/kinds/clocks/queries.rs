//! The queries in a file of TAPAAL, as questions that its net asks itself.
//!
//! A query is an attribute, `<query name="safe" query="AG (N.p &lt;= 1)"/>`, or an element of the contest's form inside. Those
//! that are switched off (`active="false"`) are left out, and so are, with a remark, those that cannot be read.

use crate::formula::{Dialect, FormulaId, Property, Query, Symbols, read_dialect, read_properties};
use crate::kinds::{OwnQuestion, OwnQuestions};
use crate::xml::{Event, XmlCursor, XmlError, escaped};

/// The questions in a text, and what is to be said of those that are not asked; `file` is its name in messages.
pub(super) fn queries(text: &str, file: &str, symbols: &Symbols) -> (OwnQuestions, Vec<String>) {
    let (mut questions, mut remarks) = (OwnQuestions::default(), Vec::new());
    // What is wrong with the file has been said by the reader of the net.
    let written = written(text).unwrap_or_default();
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
                questions.list.push(OwnQuestion { id, formula, paths: None, invariant: false });
            }
            Err(why) => remarks.push(format!("{file}:{line}: the query `{name}` is not asked: {why}")),
        }
    }
    (questions, remarks)
}

/// The one formula of what was read.
fn formula(found: Result<Vec<Property>, crate::formula::PropertyError>) -> Result<FormulaId, String> {
    let found = found.map_err(|error| error.problem.to_string())?;
    match found.into_iter().next().map(|property| property.query) {
        Some(Query::Formula(formula)) => Ok(formula),
        Some(Query::Refused(error)) => Err(error.problem.to_string()),
        Some(Query::Bound(_)) | None => Err("it is no formula".to_owned()),
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

fn written(text: &str) -> Result<Vec<Written>, XmlError> {
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
        let (depth, mut elements) = (xml.depth(), String::new());
        loop {
            match xml.advance()? {
                Event::Open(name) => elements += &format!("<{name}>"),
                Event::Text(text) => elements += &escaped(text),
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
        let shown = |q: &OwnQuestion| format!("{}: {}", q.id, questions.pool.display(q.formula, &symbols));
        let shown: Vec<String> = questions.list.iter().map(shown).collect();
        assert_eq!(shown, ["one: E F (#p = 1)", "one (2): A G (#p <= 1)"]);
        assert_eq!(remarks, ["f.tapn:4: the query `bad` is not asked: unknown place `q`"]);
        assert!(queries("<pnml><query", "f", &symbols).0.list.is_empty());
    }
}
