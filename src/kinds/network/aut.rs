//! Reading and writing single transition systems in the format of Aldebaran.
//!
//! The first line is `des (initial, transitions, states)`; each further one is `(source, label, target)` with a
//! label that may be quoted. States are numbers from 0. A label is what stands between the first and the last
//! comma of the line, so it may hold commas, parentheses and quotation marks.
//!
//! Several systems make a network on equal labels. The internal step, `i` or `tau`, is nobody else's: in a
//! network of several it is `NAME.i`, which no other component has, and `i` again where the whole is written.

use super::composition::{INTERNAL, internal_to};
use super::{Component, Network, ReadError};
use std::io::{self, Write};
use std::path::Path;

/// Most states of one system. Each costs a name.
const MOST_STATES: u64 = 1 << 24;

/// Names of the internal step in files.
const INTERNALS: [&str; 2] = [INTERNAL, "tau"];

/// Read a network of transition systems, each the text of a file with this name.
///
/// ```
/// use starset::kinds::network::read_aut;
/// let sender = "des (0, 2, 2)\n(0, produce, 1)\n(1, \"send\", 0)\n";
/// let receiver = "des (0, 2, 2)\n(0, send, 1)\n(1, consume, 0)\n";
/// let network = read_aut(&[(sender, "sender.aut"), (receiver, "receiver.aut")]).unwrap();
/// assert_eq!((network.components().len(), network.shared_label_count()), (2, 1));
/// ```
///
/// # Errors
/// [`ReadError`] where a text is not of this form.
pub fn read_aut(files: &[(&str, &str)]) -> Result<Network, ReadError> {
    let mut components: Vec<Component> = Vec::new();
    for &(text, file) in files {
        let mut component = component(text, file)?;
        // The same system may be given twice.
        let stem = std::mem::take(&mut component.name);
        let taken = |name: &str| components.iter().any(|other| other.name == name);
        let mut names = std::iter::once(stem.clone()).chain((2..).map(|n| format!("{stem}-{n}")));
        component.name = names.find(|name| !taken(name)).unwrap_or(stem);
        if files.len() > 1 {
            let name = component.name.clone();
            let internal = component.edges.iter_mut().filter(|edge| INTERNALS.contains(&edge.1.as_str()));
            internal.for_each(|edge| edge.1 = internal_to(&name));
        }
        components.push(component);
    }
    let name = components.iter().map(|component| component.name.as_str()).collect::<Vec<_>>().join(" | ");
    let file = files.last().map_or("", |file| file.1);
    Network::new(name, components).map_err(|error| ReadError::new(file, 1, error.to_string()))
}

fn component(text: &str, file: &str) -> Result<Component, ReadError> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let error = |line, message: String| Err(ReadError::new(file, line, message));
    let header = |line: &str| {
        let inside = line.trim().strip_prefix("des")?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
        let mut numbers = inside.split(',').map(|number| number.trim().parse::<u64>().ok());
        let header = (numbers.next()??, numbers.next()??, numbers.next()??);
        numbers.next().is_none().then_some(header)
    };
    let Some((first, line)) = lines.next() else { return error(1, "the file is empty".to_owned()) };
    let Some((initial, transitions, states)) = header(line) else {
        return error(first, "expected `des (initial state, number of transitions, number of states)`".to_owned());
    };
    if states > MOST_STATES {
        return error(first, format!("more than {MOST_STATES} states; split the system into components"));
    }
    if initial >= states {
        return error(first, format!("there is no state {initial}: states are numbered from 0 to below {states}"));
    }
    let mut edges = Vec::new();
    for (number, line) in lines {
        let Some((source, label, target)) = edge(line) else {
            return error(number, "expected `(source, label, target)`".to_owned());
        };
        if let Some(state) = [source, target].into_iter().find(|&state| state >= states) {
            return error(number, format!("there is no state {state}: the first line says that there are {states}"));
        }
        if label.is_empty() {
            return error(number, "the label is empty; give the step a name, or `i` for an internal one".to_owned());
        }
        edges.push((source as u32, label.to_owned(), target as u32));
    }
    if edges.len() as u64 != transitions {
        let message = format!("the first line says {transitions} transitions, but there are {}", edges.len());
        return error(first, message + "; is the file complete?");
    }
    let name = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy()).into_owned();
    let states = (0..states).map(|state| state.to_string()).collect();
    Ok(Component { name, states, initial: initial as u32, edges })
}

/// Source, label and target in a line.
fn edge(line: &str) -> Option<(u64, &str, u64)> {
    let inside = line.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (source, rest) = inside.split_once(',')?;
    let (label, target) = rest.rsplit_once(',')?;
    let label = label.trim();
    let label = label.strip_prefix('"').and_then(|label| label.strip_suffix('"')).unwrap_or(label);
    Some((source.trim().parse().ok()?, label, target.trim().parse().ok()?))
}

/// Write one transition system.
///
/// # Errors
/// Errors of `out`; and [`io::ErrorKind::InvalidInput`] for a label with a line break.
pub fn write_aut(component: &Component, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "des ({}, {}, {})", component.initial, component.edges.len(), component.states.len())?;
    for (source, label, target) in &component.edges {
        if label.contains(['\n', '\r']) || label.is_empty() {
            let text = format!("the label {label:?} cannot be written in this format");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        writeln!(out, "({source}, \"{label}\", {target})")?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use std::collections::BTreeSet;

    #[test]
    fn labels_are_what_stands_between_the_commas() {
        let text = "des (1,5,2)\n\n(0,a,1)\n(1, \"b, (c) \"d\"\", 0)\n (1 , i , 1) \n(1,x !1,0)\r\n(0,\"tau\",0)\n";
        let network = read_aut(&[(text, "one.aut")]).unwrap();
        let component = &network.components()[0];
        assert_eq!((network.name(), component.initial, component.states.len()), ("one", 1, 2));
        let labels: Vec<&str> = network.label_ids().map(|label| network.label(label)).collect();
        assert_eq!(labels, ["a", "b, (c) \"d\"", "i", "x !1", "tau"]);
        let mut written = Vec::new();
        write_aut(component, &mut written).unwrap();
        let again = read_aut(&[(std::str::from_utf8(&written).unwrap(), "one.aut")]).unwrap();
        assert_eq!(again, network);
        let twice = read_aut(&[(text, "one.aut"), (text, "folder/one.aut")]).unwrap();
        assert_eq!(twice.components()[1].name, "one-2");
        assert_eq!(twice.label_count(), 5);
        assert_eq!(twice.shared_label_count(), 3);
        assert!(twice.find_label("one-2.i").is_some() && twice.find_label("tau").is_none());
        // As one system, it has one internal step, which is that of the format.
        let whole = super::super::graph_of_network(&twice, 100, &Budget::unlimited()).unwrap();
        let of_whole: BTreeSet<&str> = whole.edges.iter().map(|edge| edge.1.as_str()).collect();
        assert_eq!(of_whole, BTreeSet::from(["a", "b, (c) \"d\"", "i", "x !1"]));
        let internal = |edges: &[(u32, String, u32)]| edges.iter().filter(|edge| edge.1 == "i").count();
        assert_eq!(internal(&whole.edges), 2);
    }

    #[test]
    fn wrong_files_are_refused() {
        let cases = [
            ("", 1, "the file is empty"),
            ("\ndigraph {\n", 2, "expected `des ("),
            ("des (0, 1)\n", 1, "expected `des ("),
            ("des (0, 0, 1, 1)\n", 1, "expected `des ("),
            ("des (2, 0, 2)\n", 1, "there is no state 2"),
            ("des (0, 0, 99999999999)\n", 1, "more than 16777216 states"),
            ("des (0, 1, 2)\n(0, a, 2)\n", 2, "there is no state 2"),
            ("des (0, 1, 2)\n(0, a)\n", 2, "expected `(source"),
            ("des (0, 1, 2)\n(0, a, b)\n", 2, "expected `(source"),
            ("des (0, 1, 2)\n(0, \"\", 1)\n", 2, "the label is empty"),
            ("des (0, 2, 2)\n(0, a, 1)\n", 1, "says 2 transitions, but there are 1"),
        ];
        for (text, line, message) in cases {
            let error = read_aut(&[(text, "f.aut")]).unwrap_err();
            assert!(error.message.contains(message) && error.line == line, "{error}");
        }
        assert_eq!(read_aut(&[]).unwrap_err().message, super::super::NetworkError::Empty.to_string());
    }
}
