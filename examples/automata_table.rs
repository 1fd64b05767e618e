//! Translates sets of formulas and their negations and prints the table of docs/automata.md.
//!
//! `cargo run --release --example automata_table -- [DIR] [--sets A,B] [--without PASS,PASS] [--diff]`, where `DIR`
//! holds `sets/*.ltl`, a formula a line. Spot's side is that of the `ltl2tgba` on the PATH, run here and now;
//! without one it is read from `DIR/spot-stats.csv` (sizes only) if there is such a file. With `--diff`, also every
//! formula whose automaton differs in size from Spot's.
#![allow(clippy::print_stdout)]

use starset::automaton::ltl::Formulas;
use starset::automaton::{Passes, translate};
use starset::budget::Budget;
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

/// States, edges, acceptance sets, states with nondeterminism.
type Size = [usize; 4];

/// The sizes of Spot's automata of a set, and the seconds it took by its own account.
struct Spot {
    sizes: Vec<Size>,
    seconds: Option<f64>,
}

/// Runs Spot on a file of formulas, one a line; `None` where there is no Spot.
fn run_spot(file: &str, sign: char) -> Option<Spot> {
    let mut command = Command::new("ltl2tgba");
    command.args(["--stats=%s,%e,%a,%n,%r", "-F", file]);
    if sign == '-' {
        command.arg("--negate");
    }
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut spot = Spot { sizes: Vec::new(), seconds: Some(0.0) };
    for line in text.lines() {
        let (sizes, seconds) = line.rsplit_once(',')?;
        let numbers: Vec<usize> = sizes.split(',').map(|n| n.parse().unwrap_or(0)).collect();
        spot.sizes.push(numbers.try_into().ok()?);
        spot.seconds = spot.seconds.zip(seconds.parse::<f64>().ok()).map(|(sum, more)| sum + more);
    }
    Some(spot)
}

/// Reads the sizes of a set from a table of measurements, ordered by the number of the formula.
fn read_spot(csv: &str, set: &str, sign: char) -> Option<Spot> {
    let mut sizes = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(19, ',').collect();
        if let [of, index, _, signed, "tgba", states, edges, _, sets, _, _, nondet, ..] = fields[..] {
            let number = |s: &str| s.parse().unwrap_or(0);
            if of == set && signed.starts_with(sign) {
                sizes.insert(number(index), [number(states), number(edges), number(sets), number(nondet)]);
            }
        }
    }
    (!sizes.is_empty()).then(|| Spot { sizes: sizes.into_values().collect(), seconds: None })
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
    let measured = std::fs::read_to_string(format!("{dir}/spot-stats.csv")).unwrap_or_default();
    println!(
        "| set | sign | automata | states | Spot | edges | Spot | acceptance sets | Spot | \
         nondeterministic states | Spot | seconds | Spot |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let (mut total, mut spot_total, mut time, mut count) = ([0; 4], [0; 4], Duration::ZERO, 0);
    let mut spot_time = Some(0.0);
    for set in sets {
        let file = format!("{dir}/sets/{set}.ltl");
        let text = std::fs::read_to_string(&file)?;
        for sign in ['+', '-'] {
            if set.starts_with("rand") && sign == '-' {
                continue;
            }
            let (mut ours, mut theirs, mut spent) = ([0; 4], [0; 4], Duration::ZERO);
            let spot = run_spot(&file, sign).or_else(|| read_spot(&measured, set, sign));
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
                let other = spot.as_ref().and_then(|spot| spot.sizes.get(i)).copied().unwrap_or_default();
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
            let seconds = spot.and_then(|spot| spot.seconds);
            print_row(set, sign, text.lines().count(), ours, theirs, (spent, seconds));
            spot_time = spot_time.zip(seconds).map(|(sum, more)| sum + more);
            for k in 0..4 {
                total[k] += ours[k];
                spot_total[k] += theirs[k];
            }
            time += spent;
        }
    }
    print_row("total", ' ', count, total, spot_total, (time, spot_time));
    Ok(())
}

fn print_row(set: &str, sign: char, count: usize, ours: Size, theirs: Size, time: (Duration, Option<f64>)) {
    print!("| {set} | {sign} | {count} |");
    for k in 0..4 {
        print!(" {} | {} |", ours[k], theirs[k]);
    }
    let spot = time.1.map_or_else(|| "?".to_owned(), |seconds| format!("{seconds:.3}"));
    println!(" {:.3} | {spot} |", time.0.as_secs_f64());
}
