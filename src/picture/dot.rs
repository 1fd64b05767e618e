//! A net in the language of Graphviz.

use super::{Kind, Node, View};
use std::fmt::Write as _;

impl View<'_> {
    /// The picture as a graph for Graphviz.
    pub fn dot(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _infallible = self.graph(&mut out);
        out
    }

    fn graph(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "digraph net {{\n  node [fontname=\"sans-serif\"];")?;
        let title = self.note().map_or(self.net.name().to_owned(), |note| format!("{}: {note}", self.net.name()));
        writeln!(out, "  label={}; labelloc=t;", quoted(&title))?;
        for (number, &node) in self.nodes.iter().enumerate() {
            let (shape, label) = match node {
                Node::Place(place) => match self.tokens(place) {
                    0 => ("ellipse", self.label(node).to_owned()),
                    tokens => ("ellipse, style=bold", format!("{}\n{tokens}", self.label(node))),
                },
                Node::Transition(t) if self.is_silent(t) => {
                    let name = if self.net.is_nameless(t) { "" } else { self.label(node) };
                    writeln!(
                        out,
                        "  n{number} [shape=box, style=filled, fillcolor=black, width=0.1, label=\"\", xlabel={}];",
                        quoted(name)
                    )?;
                    continue;
                }
                Node::Transition(_) => ("box", self.label(node).to_owned()),
            };
            writeln!(out, "  n{number} [shape={shape}, label={}];", quoted(&label))?;
        }
        for link in &self.links {
            let mut style = match link.kind {
                Kind::Moves => Vec::new(),
                Kind::Reads => vec!["dir=none".to_owned(), "style=dashed".to_owned()],
                Kind::Inhibits => vec!["arrowhead=odot".to_owned()],
            };
            if link.weight > 1 {
                style.push(format!("label={}", link.weight));
            }
            writeln!(out, "  n{} -> n{} [{}];", link.from, link.to, style.join(", "))?;
        }
        writeln!(out, "}}")
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
