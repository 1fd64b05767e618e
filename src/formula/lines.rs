//! Files with one formula on each line, in the notation of [`parse`](super::parse()).
//!
//! A line is a formula, perhaps with a name before it: `safe: AG #p <= 1`, or `#1: EF deadlock`. A formula without a
//! name is called by its number in the file. Blank lines do not count, nor those that begin with `# ` (or are `#`
//! alone) or with `//`: `#p = 1` is a formula. A formula that cannot be read costs no other one.
//!
//! A line `let crit = P1 = crit & P2 = crit` gives a formula a name, which stands for it in the lines below, as if it
//! were written there in brackets. It is no formula that is asked. A name that means something else in formulas is
//! refused.
//!
//! A line `MIN [f, g]` or `MAX [f, g]` asks for a number of steps ([`super::extremes`]).
//!
//! A line `justice F`, `compassion P, Q`, `weak-fair t, u` or `strong-fair t` is an assumption about all formulas of the
//! file ([`super::assumptions`]). Its word in other letters, or as the name of a formula, is refused: the formulas would mean
//! something else.

use super::assumptions::{assumption_of, meant, misspelt, read_assumption_with};
use super::extremes::{extreme_of, read_extreme_with};
use super::mcc::{Property, PropertyError, PropertyProblem, PropertyQuestion};
use super::parse::{Defined, is_free, is_name_part, is_name_start, parse_defined};
use super::pool::Pool;
use super::symbols::Symbols;
use crate::xml::Location;

/// The formulas of a file; `file` is its name in messages. They may be about finite runs.
///
/// # Errors
/// Where there is no formula, none can be read, or two have one name.
pub(super) fn read_lines(
    text: &str,
    (file, finite): (&str, bool),
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Property>, PropertyError> {
    let error = |line: u64, column: u64, problem| PropertyError {
        source_name: file.to_owned(),
        location: Location { line, column },
        problem,
    };
    let mut found: Vec<Property> = Vec::new();
    let mut defined = Defined { finite, ..Defined::default() };
    let mut assumptions = Vec::new();
    let mut refused = None;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_start_matches('\u{feff}');
        if is_comment(line.trim()) {
            continue;
        }
        if let Some((name, formula)) = definition(line) {
            let before = line[..line.len() - formula.len()].chars().count();
            let wrong = |column: usize, problem: String| error(number, column as u64, PropertyProblem::Line(problem));
            if !is_free(name, symbols) || defined.names.contains_key(name) {
                let why = format!("`{name}` has a meaning already; give the formula another name");
                return Err(wrong(1, why));
            }
            // What is below may depend on it.
            let read = parse_defined(formula, symbols, pool, &defined);
            let (formula, _) = read.map_err(|e| wrong(before + e.column, e.kind.to_string()))?;
            defined.names.insert(name.to_owned(), formula);
            continue;
        }
        if let Some((kind, text)) = assumption_of(line).filter(|(kind, _)| symbols.place(kind.word()).is_err()) {
            let before = line[..line.len() - text.len()].chars().count();
            // Without it the formulas mean something else.
            let assumption = read_assumption_with(kind, text, symbols, pool, &defined).map_err(|wrong| {
                let column = before + text.get(..wrong.at).map_or(0, |begin| begin.chars().count()) + 1;
                error(number, column as u64, PropertyProblem::Line(wrong.problem))
            })?;
            assumptions.push(assumption);
            continue;
        }
        // They mean something else without it, too.
        let is_known = |word: &str| !is_free(word, symbols) || defined.names.contains_key(word);
        if let Some((word, kind)) = misspelt(line).filter(|&(word, _)| !is_known(word)) {
            let column = line[..line.len() - line.trim_start().len()].chars().count() + 1;
            let why = format!("an assumption begins with `{}` and a blank, not with `{word}`", kind.word());
            return Err(error(number, column as u64, PropertyProblem::Line(why)));
        }
        let (name, formula) = named(line);
        if let Some((name, kind)) = name.and_then(|name| Some((name, meant(name)?))) {
            let assumption = [kind.word(), formula.trim()].join(" ");
            let why = format!(
                "no formula is called `{name}`: write `{assumption}`, without a colon, for an assumption, or choose \
                 another name"
            );
            return Err(error(number, 1, PropertyProblem::Line(why)));
        }
        let id = name.map_or_else(|| (found.len() + 1).to_string(), str::to_owned);
        if found.iter().any(|earlier| earlier.id == id) {
            return Err(error(number, 1, PropertyProblem::DuplicateId(id)));
        }
        let before = line[..line.len() - formula.len()].chars().count();
        let at = |column: usize| (before + column) as u64;
        let read = match extreme_of(formula) {
            Some(_) => read_extreme_with(formula, symbols, pool, &defined)
                .map(|extreme| (PropertyQuestion::Steps(extreme), Vec::new()))
                .map_err(|(offset, why)| (formula[..offset].chars().count() + 1, why)),
            None => parse_defined(formula, symbols, pool, &defined)
                .map(|(formula, remarks)| (PropertyQuestion::Formula(formula), remarks))
                .map_err(|wrong| (wrong.column, wrong.kind.to_string())),
        };
        let (query, remarks) = match read {
            Ok((query, remarks)) => {
                let remark = |(column, remark)| error(number, at(column), PropertyProblem::Line(remark));
                (query, remarks.into_iter().map(remark).collect())
            }
            Err((column, why)) => {
                let wrong = error(number, at(column), PropertyProblem::Line(why));
                refused.get_or_insert_with(|| wrong.clone());
                (PropertyQuestion::Refused(Box::new(wrong)), Vec::new())
            }
        };
        let location = Location { line: number, column: 1 };
        found.push(Property {
            id,
            description: String::new(),
            query,
            location,
            remarks,
            written: Some(formula.trim().to_owned()),
            assumptions: Vec::new(),
        });
    }
    found.iter_mut().for_each(|property| property.assumptions.clone_from(&assumptions));
    let read = found.iter().any(|property| !matches!(property.query, PropertyQuestion::Refused(_)));
    match refused {
        Some(refused) if !read => Err(refused),
        _ if found.is_empty() => Err(error(1, 1, PropertyProblem::Line("the file has no formula".to_owned()))),
        _ => Ok(found),
    }
}

/// The name and the formula of a line that gives a name to a formula.
fn definition(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix("let")?;
    let (name, formula) = rest.strip_prefix(char::is_whitespace)?.split_once('=')?;
    let name = name.trim();
    let is_name = name.starts_with(is_name_start) && name.chars().all(is_name_part);
    is_name.then_some((name, formula))
}

/// Is a line, without the blanks around it, not to be read?
pub(crate) fn is_comment(line: &str) -> bool {
    let hash = line.strip_prefix('#').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '#']));
    line.is_empty() || hash || line.starts_with("//")
}

/// The text of a file with a formula on each line in which others stand in the place of some formulas; `other` sees the number
/// of a line and its formula.
///
/// ```
/// let text = starset::formula::replace_formulas("# p\nsafe: p\nq", |line, formula| {
///     Ok::<_, String>((line == 2).then(|| format!(" !({})", formula.trim())))
/// });
/// assert_eq!(text.unwrap(), "# p\nsafe: !(p)\nq");
/// ```
///
/// # Errors
/// Those of `other`.
pub fn replace_formulas<E>(
    text: &str,
    mut other: impl FnMut(usize, &str) -> Result<Option<String>, E>,
) -> Result<String, E> {
    let mut lines = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if is_comment(line.trim()) {
            lines.push(line.to_owned());
            continue;
        }
        let formula = definition(line).map_or_else(|| named(line).1, |(_, formula)| formula);
        let before = &line[..line.len() - formula.len()];
        lines.push(other(number, formula)?.map_or_else(|| line.to_owned(), |other| format!("{before}{other}")));
    }
    Ok(lines.join("\n"))
}

/// Has a text of formulas, line by line, assumptions about paths?
pub fn has_assumptions(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().any(|line| !is_comment(line.trim()) && assumption_of(line).is_some())
}

/// The name of the formula on a line, and the formula.
pub(crate) fn named(line: &str) -> (Option<&str>, &str) {
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
    use crate::formula::Extreme;
    use crate::net::NetBuilder;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let mut b = NetBuilder::new("n");
        b.place("p", 1).unwrap();
        b.place("a:b", 0).unwrap();
        let symbols = Symbols::new(&b.build().unwrap());
        let mut pool = Pool::new();
        let properties = read_lines(text, ("f.txt", false), &symbols, &mut pool).map_err(|e| e.to_string())?;
        let shown = |property: Property| match property.query {
            PropertyQuestion::Formula(formula) => format!("{}: {}", property.id, pool.display(formula, &symbols)),
            PropertyQuestion::Refused(error) => format!("{}: {error}", property.id),
            PropertyQuestion::Steps(Extreme { from, to, longest }) => {
                let [from, to] = [from, to].map(|formula| pool.display(formula, &symbols).to_string());
                format!("{}: {} [{from}, {to}]", property.id, if longest { "MAX" } else { "MIN" })
            }
            PropertyQuestion::Bound(_) => unreachable!(),
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
            "4: f.txt:7:1: `\"a:b\"` is a place, not a formula; write `#\"a:b\" > 0`",
            "5: #\"a:b\" = 0",
        ];
        assert_eq!(read(text).unwrap(), expected);
    }

    #[test]
    fn formulas_have_names() {
        let text = "let some = p >= 1 | X #\"a:b\" = 1\nlet all = some & !deadlock\nG (some -> F all)\n";
        let some = "(#p >= 1 | X (#\"a:b\" = 1))";
        assert_eq!(read(text).unwrap(), [format!("1: G ({some} -> F ({some} & !deadlock))")]);
        for (text, message) in [
            ("let p = true\ntrue", "f.txt:1:1: `p` has a meaning already"),
            ("let EF = true\ntrue", "f.txt:1:1: `EF` has a meaning already"),
            ("let a = true\nlet a = false\ntrue", "f.txt:2:1: `a` has a meaning already"),
            ("let a = a\ntrue", "f.txt:1:9: expected a formula, found `a`"),
            ("let a = #q = 1\ntrue", "f.txt:1:10: unknown place `q`"),
            ("let a = true\n", "f.txt:1:1: the file has no formula"),
        ] {
            assert!(read(text).unwrap_err().starts_with(message), "{text}: {}", read(text).unwrap_err());
        }
    }

    #[test]
    fn numbers_of_steps() {
        let text = "let some = p >= 1\nMIN [some, EX #\"a:b\" = 1]\nlast: COMPUTE MAX[deadlock, some]\nEF some\n";
        let expected = ["1: MIN [#p >= 1, E X (#\"a:b\" = 1)]", "last: MAX [deadlock, #p >= 1]", "3: E F (#p >= 1)"];
        assert_eq!(read(text).unwrap(), expected);
        for (text, message) in [
            ("MIN [deadlock]", "f.txt:1:1: expected `MIN [f, g]` or `MAX [f, g]`, with two formulas"),
            ("n: MAX [deadlock, q = 1]", "f.txt:1:19: unknown place `q`"),
            ("MAX [F deadlock, p = 1]", "f.txt:1:6: `F deadlock` is about paths; quantify it with E or A"),
        ] {
            assert!(read(text).unwrap_err().starts_with(message), "{text}: {}", read(text).unwrap_err());
        }
    }

    #[test]
    fn assumptions_are_about_all_formulas() {
        let mut b = NetBuilder::new("n");
        b.place("p", 1).unwrap();
        b.transition("t").unwrap();
        let symbols = Symbols::new(&b.build().unwrap());
        let text = "GF p = 1\nlet one = p = 1\njustice one\nweak-fair t\nEF one\n";
        let properties = read_lines(text, ("f.txt", false), &symbols, &mut Pool::new()).unwrap();
        assert_eq!(properties.len(), 2);
        for property in properties {
            let texts: Vec<String> = property.assumptions.iter().map(ToString::to_string).collect();
            assert_eq!(texts, ["justice one", "weak-fair t"]);
        }
        for (text, message) in [
            ("justice q = 1\ntrue", "f.txt:1:9: unknown place `q`"),
            ("true\n weak-fair t, w", "f.txt:2:15: unknown transition `w`"),
            ("justice p = 1", "f.txt:1:1: the file has no formula"),
            (
                "true\njustice: !deadlock\ntrue",
                "f.txt:2:1: no formula is called `justice`: write `justice !deadlock`, without a colon, for an \
                 assumption, or choose another name",
            ),
            ("Fairness: p = 1", "f.txt:1:1: no formula is called `Fairness`: write `justice p = 1`, without"),
            ("WEAK-FAIR: t", "f.txt:1:1: no formula is called `WEAK-FAIR`: write `weak-fair t`, without"),
            ("true\n JUSTICE p = 1", "f.txt:2:2: an assumption begins with `justice` and a blank, not with `JUSTICE`"),
            ("fairness p = 1\ntrue", "f.txt:1:1: an assumption begins with `justice` and a blank, not with `fairness`"),
            ("Compassion p, p", "f.txt:1:1: an assumption begins with `compassion` and a blank, not with `Compassion`"),
            ("justice(p = 1)\ntrue", "f.txt:1:1: an assumption begins with `justice` and a blank, not with `justice`"),
        ] {
            let found = read_lines(text, ("f.txt", false), &symbols, &mut Pool::new()).unwrap_err().to_string();
            assert!(found.starts_with(message), "{found}");
        }
    }

    /// A name of the model or of the file is no word of an assumption.
    #[test]
    fn names_may_look_like_assumptions() {
        let mut b = NetBuilder::new("n");
        b.place("Justice", 1).unwrap();
        b.place("fairness", 1).unwrap();
        let symbols = Symbols::new(&b.build().unwrap());
        let text = "let JUSTICE = Justice = 1\nJUSTICE -> F Justice = 0\nfairness = 1\nfair: Justice = 1\n";
        let properties = read_lines(text, ("f.txt", false), &symbols, &mut Pool::new()).unwrap();
        let ids: Vec<&str> = properties.iter().map(|property| &*property.id).collect();
        assert_eq!(ids, ["1", "2", "fair"]);
        for property in properties {
            assert!(matches!(property.query, PropertyQuestion::Formula(_)) && property.assumptions.is_empty());
        }
    }

    #[test]
    fn mistakes_are_placed_and_cost_no_other_formula() {
        assert_eq!(read("x: EF #q\n").unwrap_err(), "f.txt:1:8: unknown place `q`");
        assert_eq!(read("x: EF #p\ny: true").unwrap()[1], "y: true");
        assert_eq!(read("x: true\nx: false").unwrap_err(), "f.txt:2:1: a second property with the identifier `x`");
        assert_eq!(read("# nothing\n").unwrap_err(), "f.txt:1:1: the file has no formula");
    }
}
