//! A picture of a diagram in the DOT language of Graphviz.

use super::count::Layers;
use super::set::Mdd;
use std::fmt::Write as _;

impl Mdd {
    /// The diagram in DOT: one row of nodes per level, labelled with `names` (one per level, from the top),
    /// edges labelled with values. Values that lead from one node to the same child share an edge.
    pub fn to_dot(&self, names: &[String]) -> String {
        let layers = self.read(Layers::of);
        let mut dot =
            String::from("digraph mdd {\n  node [shape=circle, label=\"\", width=0.2];\n  edge [arrowsize=0.5];\n");
        let last = layers.rows.len();
        for (level, layer) in layers.rows.iter().enumerate() {
            let name = names.get(level).map_or_else(|| level.to_string(), |name| escape(name));
            // Writing to a string cannot fail.
            let _ = writeln!(dot, "  l{level} [shape=plaintext, label=\"{name}\"];");
            let rank: Vec<String> = (0..layer.width()).map(|i| format!("n{level}_{i}")).collect();
            let _ = writeln!(dot, "  {{ rank=same; l{level}; {} }}", rank.join("; "));
            if level + 1 < last {
                let _ = writeln!(dot, "  l{level} -> l{} [style=invis];", level + 1);
            }
            for (node, pairs) in layer.nodes().enumerate() {
                let mut by_child: Vec<(u32, Vec<u32>)> = Vec::new();
                for &(value, child) in pairs {
                    match by_child.iter_mut().find(|(c, _)| *c == child) {
                        Some((_, values)) => values.push(value),
                        None => by_child.push((child, vec![value])),
                    }
                }
                for (child, values) in by_child {
                    let label: Vec<String> = values.iter().map(u32::to_string).collect();
                    let target = if level + 1 == last { "unit".to_owned() } else { format!("n{}_{child}", level + 1) };
                    let _ = writeln!(dot, "  n{level}_{node} -> {target} [label=\"{}\"];", label.join(","));
                }
            }
        }
        dot.push_str("  unit [shape=square];\n}\n");
        dot
    }
}

fn escape(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}
