//! Writing certificates.

use super::{Uncertified, notation};
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

/// The claims; runs by their steps, so that what neighbours have in common is long.
fn in_order(claims: &[Claim]) -> Vec<&Claim> {
    let mut claims: Vec<&Claim> = claims.iter().collect();
    claims.sort_by_key(|claim| match &claim.evidence {
        Evidence::Run(steps, _) => Some(steps),
        _ => None,
    });
    claims
}

/// The steps of all runs, in the order in which they are taken, and their numbers.
fn steps(claims: &[&Claim]) -> (Vec<usize>, FxHashMap<usize, usize>) {
    let (mut steps, mut number_of) = (Vec::new(), FxHashMap::default());
    for claim in claims {
        let Evidence::Run(taken, _) = &claim.evidence else { continue };
        for &step in taken {
            number_of.entry(step).or_insert_with(|| {
                steps.push(step);
                steps.len() - 1
            });
        }
    }
    (steps, number_of)
}

/// Numbers, with those that follow one another as a range, each after a blank.
fn ranges(numbers: &[usize]) -> String {
    let mut out = String::new();
    for range in numbers.chunk_by(|a, b| a + 1 == *b) {
        let _ = match range {
            [only] => write!(out, " {only}"),
            [first, .., last] => write!(out, " {first}-{last}"),
            [] => Ok(()),
        };
    }
    out
}

/// Write the nodes under some roots, from the last level up, and give their numbers. They are numbered as they are met from
/// above, so that a child is the next one, or near the last one, as a rule.
fn write_layers(store: &Store, mut roots: Vec<DiagramNode>, levels: usize, out: &mut String) -> Vec<u32> {
    if levels == 0 {
        roots.clear();
    }
    roots.sort_unstable();
    roots.dedup();
    let mut numbers = vec![u32::MAX; store.nodes()];
    roots.iter().zip(0..).for_each(|(&root, number)| numbers[root as usize] = number);
    let mut layers = vec![roots];
    for _ in 1..levels {
        let mut below: Vec<DiagramNode> = Vec::new();
        for &(_, child) in layers[layers.len() - 1].iter().flat_map(|&node| store.pairs(node)) {
            let number = &mut numbers[child as usize];
            if *number == u32::MAX {
                *number = below.len() as u32;
                below.push(child);
            }
        }
        layers.push(below);
    }
    let (mut line, mut before, mut times) = (String::new(), String::new(), 0);
    for (level, nodes) in layers.iter().enumerate().take(levels).rev() {
        let _ = writeln!(out, "layer {}", nodes.len());
        let (mut next, mut last) = (0, 0);
        for &node in nodes {
            line.clear();
            let mut expected = 0;
            for &(value, child) in store.pairs(node) {
                let start = line.len();
                if value != expected {
                    let _ = write!(line, "{value}:");
                }
                expected = value + 1;
                let number = if level + 1 == levels { child - 1 } else { numbers[child as usize] };
                let _ = if level + 1 == levels {
                    write!(line, "{number}")
                } else if number == next {
                    write!(line, "+")
                } else if number < last {
                    write!(line, "-{}", last - number)
                } else {
                    write!(line, "{}", number - last)
                };
                (next, last) = (next.max(number + 1), number);
                if start > 0 && line.as_bytes()[start - 1..=start].iter().all(u8::is_ascii_digit) {
                    line.insert(start, ',');
                }
            }
            if line != before {
                repeat(&before, times, out);
                (before, line, times) = (line, before, 0);
            }
            times += 1;
        }
        repeat(&before, times, out);
        (before, times) = (String::new(), 0);
    }
    numbers
}

/// Write a line so many times.
fn repeat(line: &str, times: usize, out: &mut String) {
    if times > 2 || times == 2 && line.len() > 2 {
        let _ = writeln!(out, "{times}*{line}");
    } else {
        (0..times).for_each(|_| out.extend([line, "\n"]));
    }
}

/// The text of a certificate.
///
/// # Errors
/// When claims are about sets of states without levels: the format has no node for these.
pub(super) fn write(head: &Head<'_>, store: &Store, claims: &[Claim]) -> Result<String, Uncertified> {
    let mut roots: Vec<DiagramNode> = Vec::new();
    for claim in claims {
        match &claim.evidence {
            Evidence::All(sets) | Evidence::Some(sets) => roots.extend(sets.iter().map(|set| set.2)),
            Evidence::Run(..) | Evidence::Always(..) => {}
        }
    }
    let order = if roots.is_empty() { &[] } else { &head.order[..] };
    if !roots.is_empty() && order.is_empty() {
        return Err(Uncertified::Formula("a verdict that rests on sets of states in which no variable has a value"));
    }
    let claims = in_order(claims);
    let (steps, number_of) = steps(&claims);
    // Writing to a string cannot fail.
    let mut out = String::new();
    let of = if head.net.is_unlisted() { "program" } else { "net" };
    let _ = writeln!(out, "starset-certificate 2\nmodel {}\n{of} {:016x}", escape(&head.net.name), head.net.hash());
    let _ = writeln!(out, "paths {}\nformula {}", head.paths.name(), escape(&head.formula));
    let _ = writeln!(out, "verdict {}\nlevels{}", head.verdict, ranges(order));
    let _ = writeln!(out, "steps {}", steps.len());
    for step in steps {
        let label = head.net.steps[step].label;
        let way = head.net.steps[..step].iter().filter(|step| step.label == label).count();
        let _ = writeln!(out, "step {way} {}", escape(&head.net.labels[label]));
    }
    let numbers = write_layers(store, roots, order.len(), &mut out);
    let number = |set: DiagramNode| numbers.get(set as usize).copied().unwrap_or_default();
    let mut before: &[usize] = &[];
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
                    let _ = writeln!(out, "set {at} {}", number(*set));
                }
            }
            Evidence::Some(sets) => {
                for (at, mark, set) in sets {
                    let _ = writeln!(out, "set {at} {mark} {}", number(*set));
                }
            }
            Evidence::Run(steps, end) => {
                let same = steps.iter().zip(before).take_while(|(a, b)| a == b).count();
                if same > 0 {
                    let _ = writeln!(out, "same {same}");
                }
                if steps.len() > same {
                    out.push_str("fire");
                    steps[same..].iter().for_each(|step| out.push_str(&format!(" {}", number_of[step])));
                    out.push('\n');
                }
                before = steps;
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
    Ok(out)
}
