//! Files with one formula on each line, in the notation of [`parse`](super::parse()).
//!
//! A line is a formula, perhaps with a name before it: `safe: AG #p <= 1`, or `#1: EF deadlock`. A formula without a
//! name is called by its number in the file. Blank lines do not count, nor those that begin with `# ` (or are `#`
//! alone) or with `//`: `#p = 1` is a formula. A formula that cannot be read costs no other one.

use super::mcc::{Property, PropertyError, PropertyProblem, Query};
use super::parse::{is_name_part, parse_with_remarks};
use super::pool::Pool;
use super::symbols::Symbols;
use crate::xml::Location;

/// The formulas of a file; `file` is its name in messages.
///
/// # Errors
/// Where there is no formula, none can be read, or two have one name.
pub(super) fn read_lines(
    text: &str,
    file: &str,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Property>, PropertyError> {
    let error = |line: u64, column: u64, problem| PropertyError {
        source_name: file.to_owned(),
        location: Location { line, column },
        problem,
    };
    let mut found: Vec<Property> = Vec::new();
    let mut refused = None;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_start_matches('\u{feff}');
        if is_comment(line.trim()) {
            continue;
        }
        let (name, formula) = named(line);
        let id = name.map_or_else(|| (found.len() + 1).to_string(), str::to_owned);
        if found.iter().any(|earlier| earlier.id == id) {
            return Err(error(number, 1, PropertyProblem::DuplicateId(id)));
        }
        let before = line[..line.len() - formula.len()].chars().count();
        let at = |column: usize| (before + column) as u64;
        let (query, remarks) = match parse_with_remarks(formula, symbols, pool) {
            Ok((formula, remarks)) => {
                let remark = |(column, remark)| error(number, at(column), PropertyProblem::Line(remark));
                (Query::Formula(formula), remarks.into_iter().map(remark).collect())
            }
            Err(wrong) => {
                let problem = PropertyProblem::Line(wrong.kind.to_string());
                let wrong = error(number, at(wrong.column), problem);
                refused.get_or_insert_with(|| wrong.clone());
                (Query::Refused(Box::new(wrong)), Vec::new())
            }
        };
        let location = Location { line: number, column: 1 };
        found.push(Property { id, description: String::new(), query, location, remarks });
    }
    let read = found.iter().any(|property| matches!(property.query, Query::Formula(_)));
    match refused {
        Some(refused) if !read => Err(refused),
        _ if found.is_empty() => Err(error(1, 1, PropertyProblem::Line("the file has no formula".to_owned()))),
        _ => Ok(found),
    }
}

/// Is a line, without the blanks around it, not to be read?
pub(super) fn is_comment(line: &str) -> bool {
    let hash = line.strip_prefix('#').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '#']));
    line.is_empty() || hash || line.starts_with("//")
}

/// The name of the formula on a line, and the formula.
pub(super) fn named(line: &str) -> (Option<&str>, &str) {
    let Some((name, formula)) = line.split_once(':') else { return (None, line) };
    let name = name.trim();
    let number = name.strip_prefix('#').filter(|number| number.chars().all(|c| c.is_ascii_digit()));
    let name = number.unwrap_or(name);
    let is_name = !name.is_empty() && name.chars().all(|c| is_name_part(c) || c == '-');
    if is_name { (Some(name), formula) } else { (None, line) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let mut b = NetBuilder::new("n");
        b.place("p", 1).unwrap();
        b.place("a:b", 0).unwrap();
        let symbols = Symbols::new(&b.build().unwrap());
        let mut pool = Pool::new();
        let properties = read_lines(text, "f.txt", &symbols, &mut pool).map_err(|e| e.to_string())?;
        let shown = |property: Property| match property.query {
            Query::Formula(formula) => format!("{}: {}", property.id, pool.display(formula, &symbols)),
            Query::Refused(error) => format!("{}: {error}", property.id),
            Query::Bound(_) => unreachable!(),
        };
        Ok(properties.into_iter().map(shown).collect())
    }

    #[test]
    fn names_numbers_and_comments() {
        let text = "# a comment\n\n#p = 1\nsafe-1: AG #p <= 1\n#7: EF deadlock\n// another\n\"a:b\" \n#\"a:b\" = 0\n";
        let expected = [
            "1: #p = 1",
            "safe-1: A G (#p <= 1)",
            "7: E F deadlock",
            "4: f.txt:7:1: expected a formula, found `\\\"`",
            "5: #\"a:b\" = 0",
        ];
        assert_eq!(read(text).unwrap(), expected);
    }

    #[test]
    fn mistakes_are_placed_and_cost_no_other_formula() {
        assert_eq!(read("x: EF #q\n").unwrap_err(), "f.txt:1:8: unknown place `q`");
        assert_eq!(read("x: EF #p\ny: true").unwrap()[1], "y: true");
        assert_eq!(read("x: true\nx: false").unwrap_err(), "f.txt:2:1: a second property with the identifier `x`");
        assert_eq!(read("# nothing\n").unwrap_err(), "f.txt:1:1: the file has no formula");
    }
}
