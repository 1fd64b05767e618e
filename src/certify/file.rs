//! Writing certificates.

use super::notation;
use rustc_hash::FxHashMap;
use starset_checker::{Checksum, Claim, DiagramNode, End, Evidence, Net, Part, Paths, Row, Store};
use std::fmt::Write as _;

/// The subject of a certificate.
#[derive(Clone)]
pub(super) struct Head<'a> {
    pub(super) net: &'a Net,
    pub(super) paths: Paths,
    pub(super) formula: String,
    pub(super) verdict: bool,
    /// The place of each level.
    pub(super) order: Vec<usize>,
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// The text of a certificate.
pub(super) fn write(head: &Head<'_>, store: &Store, claims: &[Claim]) -> String {
    let mut roots: Vec<DiagramNode> = Vec::new();
    for claim in claims {
        match &claim.evidence {
            Evidence::All(sets) | Evidence::Some(sets) => roots.extend(sets.iter().map(|set| set.2)),
            Evidence::Run(..) | Evidence::Always(..) => {}
        }
    }
    roots.sort_unstable();
    roots.dedup();
    let order = if roots.is_empty() { &[] } else { &head.order[..] };
    // Writing to a string cannot fail.
    let mut out = String::new();
    let of = if head.net.is_unlisted() { "program" } else { "net" };
    let _ = writeln!(out, "starset-certificate 1\nmodel {}\n{of} {:016x}", escape(&head.net.name), head.net.hash());
    let _ = writeln!(out, "paths {}\nformula {}", head.paths.name(), escape(&head.formula));
    let _ = writeln!(out, "verdict {}", head.verdict);
    let _ = writeln!(out, "levels {}", order.len());
    for &place in order {
        let _ = writeln!(out, "level 0 {}", escape(&head.net.places[place].name));
    }
    // The nodes of each level, from the top, and their numbers there.
    let mut numbers: FxHashMap<(usize, DiagramNode), usize> = FxHashMap::default();
    let mut layers = vec![roots];
    for level in 0..order.len() {
        let mut below = Vec::new();
        for (number, &node) in layers[level].iter().enumerate() {
            numbers.insert((level, node), number);
            if level + 1 < order.len() {
                below.extend(store.pairs(node).iter().map(|pair| pair.1));
            }
        }
        below.sort_unstable();
        below.dedup();
        layers.push(below);
    }
    for (level, nodes) in layers.iter().enumerate().take(order.len()).rev() {
        let _ = writeln!(out, "layer {}", nodes.len());
        for &node in nodes {
            for (at, &(value, child)) in store.pairs(node).iter().enumerate() {
                let child = if level + 1 == order.len() { child as usize - 1 } else { numbers[&(level + 1, child)] };
                let _ = write!(out, "{}{value}:{child}", if at > 0 { " " } else { "" });
            }
            out.push('\n');
        }
    }
    for claim in claims {
        let kind = match &claim.evidence {
            Evidence::All(_) => "all",
            Evidence::Some(_) => "some",
            Evidence::Run(..) => "run",
            Evidence::Always(..) => "always",
        };
        let _ = writeln!(out, "claim {} {kind}", claim.formula);
        match &claim.evidence {
            Evidence::All(sets) => {
                for (at, _, set) in sets {
                    let _ = writeln!(out, "set {at} {}", numbers[&(0, *set)]);
                }
            }
            Evidence::Some(sets) => {
                for (at, mark, set) in sets {
                    let _ = writeln!(out, "set {at} {mark} {}", numbers[&(0, *set)]);
                }
            }
            Evidence::Run(steps, end) => {
                for &step in steps {
                    let label = head.net.steps[step].label;
                    let way = head.net.steps[..step].iter().filter(|step| step.label == label).count();
                    let _ = writeln!(out, "fire {way} {}", escape(&head.net.labels[label]));
                }
                let _ = match end {
                    End::Open => writeln!(out, "then anything"),
                    End::Deadlock => writeln!(out, "then deadlock"),
                    End::Loop(position) => writeln!(out, "then loop {position}"),
                };
            }
            Evidence::Always(kept, proof) => {
                let text = |row: &Row| notation::inequality(row, head.net);
                for row in kept {
                    let _ = writeln!(out, "keeps {}", text(row));
                }
                for part in proof {
                    let _ = match part {
                        Part::Split(at) => writeln!(out, "split {at}"),
                        Part::Sum(terms) => {
                            out.push_str("sum");
                            for (row, times) in terms {
                                let _ = write!(out, " {row}:{times}");
                            }
                            writeln!(out)
                        }
                    };
                }
            }
        }
    }
    let mut sum = Checksum::default();
    sum.add(out.as_bytes());
    let _ = writeln!(out, "check {:016x}\nend", sum.0);
    out
}
