//! Writing networks as DOT, in the form that [`super::read_dot`] reads.

use super::Network;
use rustc_hash::FxHashSet;
use std::io::{self, Write};

/// Write a network. Nodes have the names of the states; where two components share one, all nodes are called
/// `component.state`.
///
/// # Errors
/// Errors of `out`; and [`io::ErrorKind::InvalidInput`] for a name that the form cannot hold: one that ends in
/// a backslash or has one before a quotation mark, or an empty label.
pub fn write_dot(network: &Network, mut out: impl Write) -> io::Result<()> {
    let mut names: FxHashSet<&str> = FxHashSet::default();
    let unique = network.components().iter().flat_map(|component| &component.states).all(|name| names.insert(name));
    let roots: Vec<String> = (0..network.components().len())
        .map(|number| {
            let mut root = format!("start{number}");
            while names.contains(root.as_str()) {
                root.push('_');
            }
            root
        })
        .collect();
    writeln!(out, "digraph {} {{", quoted(network.name())?)?;
    for (component, root) in network.components().iter().zip(&roots) {
        writeln!(out, "  subgraph {} {{", quoted(&component.name)?)?;
        let name = |state: u32| match component.states.get(state as usize) {
            Some(name) if unique => quoted(name),
            Some(name) => quoted(&format!("{}.{name}", component.name)),
            None => quoted(""),
        };
        writeln!(out, "    {} [shape=point];", quoted(root)?)?;
        for (state, label) in (0..).zip(&component.states) {
            writeln!(out, "    {} [label={}];", name(state)?, quoted(label)?)?;
        }
        writeln!(out, "    {} -> {} [label=\"\"];", quoted(root)?, name(component.initial)?)?;
        for (source, label, target) in &component.edges {
            if label.is_empty() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "an empty label cannot be written in DOT"));
            }
            writeln!(out, "    {} -> {} [label={}];", name(*source)?, name(*target)?, quoted(label)?)?;
        }
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")?;
    out.flush()
}

/// A text in quotation marks.
fn quoted(text: &str) -> io::Result<String> {
    if text.ends_with('\\') || text.contains("\\\"") {
        let message = format!("{text:?} cannot be written in DOT: a backslash before a quotation mark");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(format!("\"{}\"", text.replace('"', "\\\"")))
}
