//! Orders in files: names of variables, one per line, from the top level to the bottom level.
//!
//! Blank lines are skipped, and so are lines that start with `#` unless a variable is called so.

use rustc_hash::FxHashMap;

/// The fault of an order file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderFileError {
    /// A line that names no variable.
    #[error("line {line}: there is no {noun} `{name}`; write the names of all of them, one per line")]
    Unknown {
        /// Number of the line, from 1.
        line: usize,
        /// The term for a variable.
        noun: &'static str,
        /// The name in the file.
        name: String,
    },
    /// A variable named twice.
    #[error("line {line}: {noun} `{name}` was named on line {first} already; name each {noun} once")]
    Repeated {
        /// Number of the line, from 1.
        line: usize,
        /// The term for a variable.
        noun: &'static str,
        /// The variable.
        name: String,
        /// The line that named it first.
        first: usize,
    },
    /// Variables that no line names.
    #[error("{count} of the {noun}s are missing, the first of them `{name}`; name each {noun} once")]
    Missing {
        /// How many.
        count: usize,
        /// The term for a variable.
        noun: &'static str,
        /// The first one in the order of the model.
        name: String,
    },
}

/// The order that `text` gives of variables with these names: their numbers. Errors have `noun` as the term for a variable.
///
/// ```
/// use starset::order::read_order;
/// assert_eq!(read_order(&["p", "q"], "place", "# top\nq\np\n")?, [1, 0]);
/// # Ok::<(), starset::order::OrderFileError>(())
/// ```
///
/// # Errors
/// [`OrderFileError`] where the text does not name each variable once.
pub fn read_order(names: &[&str], noun: &'static str, text: &str) -> Result<Vec<usize>, OrderFileError> {
    let numbers: FxHashMap<&str, usize> = names.iter().zip(0..).map(|(&name, number)| (name, number)).collect();
    let mut named = vec![0usize; names.len()];
    let mut order = Vec::with_capacity(names.len());
    for (line, name) in (1..).zip(text.lines().map(str::trim)) {
        let Some(&number) = numbers.get(name) else {
            if name.is_empty() || name.starts_with('#') {
                continue;
            }
            return Err(OrderFileError::Unknown { line, noun, name: name.to_owned() });
        };
        let first = std::mem::replace(&mut named[number], line);
        if first != 0 {
            return Err(OrderFileError::Repeated { line, noun, name: name.to_owned(), first });
        }
        order.push(number);
    }
    match names.iter().zip(&named).find(|(_, line)| **line == 0) {
        Some((&name, _)) => {
            let count = names.len() - order.len();
            Err(OrderFileError::Missing { count, noun, name: name.to_owned() })
        }
        None => Ok(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&[usize], &str>) {
        let read = read_order(&["p", "q", "#odd"], "place", text).map_err(|error| error.to_string());
        assert_eq!(read, expected.map(<[usize]>::to_vec).map_err(str::to_owned));
    }

    #[test]
    fn files_are_read_with_their_mistakes() {
        check("q\n\n # a remark\r\n#odd\np", Ok(&[1, 2, 0]));
        check("q\nz\n", Err("line 2: there is no place `z`; write the names of all of them, one per line"));
        check("q\np\nq\n", Err("line 3: place `q` was named on line 1 already; name each place once"));
        check("q\n", Err("2 of the places are missing, the first of them `p`; name each place once"));
        check("", Err("3 of the places are missing, the first of them `p`; name each place once"));
    }
}
