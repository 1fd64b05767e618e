//! Translates the pattern formulas and prints the table of sizes beside Spot's.
//!
//! `cargo run --release --example automata_table -- DIR [--diff]` where `DIR` holds `sets/*.ltl` and
//! `spot-stats.csv`. With `--diff`, also every formula whose automaton differs in size from Spot's.
#![allow(clippy::print_stdout)]

use starset::automaton::ltl::Formulas;
use starset::automaton::{Passes, translate};
use starset::budget::Budget;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// States, edges, acceptance sets, states with nondeterminism.
type Size = [usize; 4];

fn spot_sizes(csv: &str) -> HashMap<(String, usize, char), Size> {
    let mut sizes = HashMap::new();
    for line in csv.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(19, ',').collect();
        if let [set, index, _, sign, "tgba", states, edges, _, sets, _, _, nondet, ..] = fields[..] {
            let number = |s: &str| s.parse().unwrap_or(0);
            let size = [number(states), number(edges), number(sets), number(nondet)];
            sizes.insert((set.to_owned(), number(index), sign.chars().next().unwrap_or('+')), size);
        }
    }
    sizes
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let dir = arguments.first().map_or("../shared/ltl", String::as_str);
    let diff = arguments.iter().any(|a| a == "--diff");
    let sets: Vec<&str> = match arguments.iter().position(|a| a == "--sets").and_then(|i| arguments.get(i + 1)) {
        Some(names) => names.split(',').collect(),
        None => vec!["dac", "eh", "hkrss", "p", "sb", "sejk"],
    };
    let without = |name: &str| arguments.windows(2).any(|w| w[0] == "--without" && w[1].split(',').any(|n| n == name));
    let passes = Passes {
        simplify: !without("simplify"),
        simulation: !without("simulation"),
        wdba: !without("wdba"),
        suspension: !without("suspension"),
        merging: !without("merging"),
    };
    let spot = spot_sizes(&std::fs::read_to_string(format!("{dir}/spot-stats.csv"))?);
    println!(
        "| set | sign | automata | states | Spot | edges | Spot | acceptance sets | Spot | nondeterministic states | Spot | seconds |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let (mut total, mut spot_total, mut time, mut count) = ([0; 4], [0; 4], Duration::ZERO, 0);
    for set in sets {
        let text = std::fs::read_to_string(format!("{dir}/sets/{set}.ltl"))?;
        for sign in ['+', '-'] {
            if set.starts_with("rand") && sign == '-' {
                continue;
            }
            let (mut ours, mut theirs, mut spent) = ([0; 4], [0; 4], Duration::ZERO);
            for (i, line) in text.lines().enumerate() {
                let start = Instant::now();
                let mut store = Formulas::new();
                let parsed = store.parse(line)?;
                let formula = if sign == '+' { parsed } else { parsed.negated() };
                let automaton = translate(&mut store, formula, &passes, &Budget::unlimited())?;
                let elapsed = start.elapsed();
                spent += elapsed;
                let size = [
                    automaton.location_count(),
                    automaton.edges().len(),
                    automaton.acceptance_sets() as usize,
                    automaton.nondeterministic_locations(),
                ];
                let other = spot.get(&(set.to_owned(), i + 1, sign)).copied().unwrap_or_default();
                for k in 0..4 {
                    ours[k] += size[k];
                    theirs[k] += other[k];
                }
                count += 1;
                if diff && (size[0] != other[0] || elapsed.as_millis() > 20) {
                    let gain = size[0] as i64 - other[0] as i64;
                    println!("{gain:+} {set} {} {sign} {size:?} {other:?} {elapsed:?}: {line}", i + 1);
                }
            }
            print_row(set, sign, text.lines().count(), ours, theirs, spent);
            for k in 0..4 {
                total[k] += ours[k];
                spot_total[k] += theirs[k];
            }
            time += spent;
        }
    }
    print_row("total", ' ', count, total, spot_total, time);
    Ok(())
}

fn print_row(set: &str, sign: char, count: usize, ours: Size, theirs: Size, time: Duration) {
    print!("| {set} | {sign} | {count} |");
    for k in 0..4 {
        print!(" {} | {} |", ours[k], theirs[k]);
    }
    println!(" {:.3} |", time.as_secs_f64());
}
