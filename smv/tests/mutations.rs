//! Programs and circuits that are changed at random: no text makes the reader panic, and what is read is written flat and
//! read again. `STARSET_MUTATIONS` says for how many seconds, and a seed: `1200:7`.

#![allow(clippy::unwrap_used)]

use starset_smv::{Circuit, Limits, Memory, Model, System, read};
use std::path::Path;
use std::time::{Duration, Instant};

/// Numbers by xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

const WORDS: [&str; 64] = [
    "MODULE main",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "ASSIGN",
    "INIT",
    "INVAR",
    "TRANS",
    "JUSTICE",
    "COMPASSION",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "PSLSPEC",
    "COMPUTE MIN",
    "NAME",
    "ISA",
    "process ",
    "array 0..2 of ",
    "boolean",
    "unsigned word[3]",
    "signed word[2]",
    "0ud3_5",
    "0sd2_1",
    "case ",
    " esac",
    " : ",
    "; ",
    "next(",
    "init(",
    "self",
    " union ",
    " in ",
    " mod ",
    " xor ",
    " -> ",
    " <-> ",
    " ? ",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "..",
    "TRUE",
    "FALSE",
    "EX ",
    "AG ",
    "E [",
    " U ",
    " S ",
    "EBF 0..2 ",
    "H ",
    "O [0, 2] ",
    "count(",
    "toint(",
    "resize(",
    "extend(",
    "uwconst(",
    "::",
    " >> ",
    "-1",
];

const CIRCUITS: [&[u8]; 3] = [
    b"aag 5 1 1 1 3 1 1 1 1\n2\n4 11 4\n4\n5\n2\n2\n4\n10\n6\n6 4 2\n8 5 3\n10 7 9\ni0 on\nl0 bit\nc\nx\n",
    b"aig 5 2 1 0 2 1\n10 1\n8\n\x02\x02\x03\x01b0 bad\n",
    b"aag 0 0 0 1 0\n1\n",
];

/// The shipped programs, and those of fuzzing.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = CIRCUITS.iter().map(|bytes| bytes.to_vec()).collect();
    for folder in ["../models", "../fuzz/seeds/smv"] {
        let Ok(files) = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) else { continue };
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "smv"));
        paths.sort();
        seeds.extend(paths.into_iter().map(|path| std::fs::read(path).unwrap()));
    }
    seeds
}

fn changed(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(6) {
        let (from, length) = (random.below(bytes.len() + 1), random.below(12));
        let to = (from + length).min(bytes.len());
        let new: Vec<u8> = match random.below(6) {
            0 => Vec::new(),
            1 => vec![random.below(256) as u8],
            2 => b"0123456789 \n".get(random.below(12)).copied().into_iter().collect(),
            3 => {
                let other = &seeds[random.below(seeds.len())];
                let at = random.below(other.len());
                other[at..(at + random.below(60)).min(other.len())].to_vec()
            }
            4 => bytes[from..to].repeat(2),
            _ => WORDS[random.below(WORDS.len())].as_bytes().to_vec(),
        };
        let to = if random.below(2) == 0 { from } else { to };
        bytes.splice(from..to, new);
    }
    bytes
}

/// Read a program; what is read has first states, or says why not, and is written and read again.
fn try_program(text: &str) -> bool {
    let Ok(mut model) = read(text, false) else { return false };
    let flat = model.flat();
    let again = read(&flat, false).unwrap_or_else(|fault| panic!("{fault}\n{text}\n---\n{flat}"));
    let shape = |model: &Model| {
        let variables: Vec<_> = model.variables.iter().map(|v| (v.name.clone(), v.role, v.domain.size())).collect();
        let conditions = [&model.init, &model.invar, &model.trans, &model.justice].map(Vec::len);
        (variables, conditions, model.assignments.len(), model.compassion.len(), model.properties.len())
    };
    assert_eq!(shape(&again), shape(&model), "{text}");
    let system = System::new(&mut model);
    let limits = Limits { solutions: 8, trials: 2000 };
    if let Ok(first) = system.first_states(&model, limits)
        && let Some(state) = first.all.first()
    {
        for (number, event) in system.events().iter().enumerate() {
            let values: Option<Vec<_>> = event
                .reads
                .iter()
                .map(|variable| state.get(system.state().iter().position(|other| other == variable)?).copied())
                .collect();
            let values = values.expect("what is read is of the state");
            let _failed = system.steps(&model, &mut Memory::default(), number, values, limits);
        }
    }
    true
}

#[test]
fn no_text_makes_the_reader_panic() {
    let told = std::env::var("STARSET_MUTATIONS").unwrap_or_else(|_| "2:1".to_owned());
    let (seconds, seed) = told.split_once(':').unwrap_or((&told, "1"));
    let (seconds, seed): (u64, u64) = (seconds.parse().unwrap(), seed.parse().unwrap());
    let (mut random, seeds) = (Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), seeds());
    let until = Instant::now() + Duration::from_secs(seconds);
    let (mut all, mut programs, mut circuits) = (0_u64, 0_u64, 0_u64);
    let is_read = |seed: &&Vec<u8>| Circuit::read(seed).is_ok() || std::str::from_utf8(seed).is_ok_and(try_program);
    assert!(seeds.iter().filter(is_read).count() + 1 >= seeds.len(), "all are read but one, which has what is refused");
    while Instant::now() < until {
        let bytes = changed(&mut random, &seeds);
        all += 1;
        if bytes.starts_with(b"a") {
            if let Ok(circuit) = Circuit::read(&bytes) {
                assert!(try_program(&circuit.program()), "{}", String::from_utf8_lossy(&bytes));
                circuits += 1;
            }
        } else if let Ok(text) = std::str::from_utf8(&bytes) {
            programs += u64::from(try_program(text));
        }
    }
    println!("{all} texts, {programs} programs, {circuits} circuits");
    assert!(programs > 0 && circuits > 0, "{all} {programs} {circuits}");
}
