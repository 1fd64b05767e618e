//! Words of one width compared with those of another.

use super::{asked, states, verdicts, written};
use crate::cli::{run, starset};

#[test]
fn a_word_is_none_of_more_bits() {
    let program = "MODULE main VAR w : word[1]; INIT w = 0ud1_0 TRANS extend(next(w), 3) = 0ud4_6 INVARSPEC w = 0ud1_0";
    let (_folder, path) = written(program);
    assert_eq!(verdicts(&path).0, "1: true");
    for engine in ["explicit", "symbolic"] {
        assert_eq!(states(&path, &["--engine", engine]).0, "1");
    }
    let program = "MODULE main VAR w : word[2]; INIT w = 0ud2_1 TRANS (0ud1_0 :: next(w)) = 0ud3_1 + (0ud1_0 :: w)
                   INVARSPEC w < 0ud2_3 INVARSPEC w != 0ud2_0";
    let (_folder, path) = written(program);
    assert_eq!(verdicts(&path).0, "1: false, 2: true");
    for engine in ["explicit", "symbolic"] {
        assert_eq!(states(&path, &["--engine", engine]).0, "3");
    }
    let program = "MODULE main IVAR i : word[1]; VAR l : boolean;
                   ASSIGN init(l) := TRUE; next(l) := resize(i, 4) = 0ud4_6; CTLSPEC AX !l CTLSPEC EX l";
    assert_eq!(asked(program), "1: true, 2: false");
}

/// A generator of numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// Words made wider, compared with constants and each other, by all Boolean operators.
fn condition(random: &mut Random, names: &[(&str, u64)], depth: u32) -> String {
    if depth > 0 {
        let (a, b) = (condition(random, names, depth - 1), condition(random, names, depth - 1));
        return format!("({a} {} {b})", ["&", "|", "->", "xor"][random.below(4) as usize]);
    }
    let wide = |to: u64, random: &mut Random| {
        let (name, width) = names[random.below(names.len() as u64) as usize];
        let more = to - width;
        match random.below(3) {
            0 => format!("extend({name}, {more})"),
            1 => format!("resize({name}, {to})"),
            _ => format!("(0ud{more}_{} :: {name})", random.below(1 << more.min(2)) % (1 << more)),
        }
    };
    let to = 3 + random.below(2);
    let left = wide(to, random);
    let right = match random.below(4) {
        0 => wide(to, random),
        _ => format!("0ud{to}_{}", random.below(1 << to)),
    };
    format!("{left} {} {right}", ["=", "!=", "<", "="][random.below(4) as usize])
}

#[test]
fn random_conditions_on_widened_words() {
    let mut all = [0; 2];
    for seed in 0..60 {
        let random = &mut Random(seed);
        let (now, moved) = ([("a", 1), ("b", 2)], [("a", 1), ("b", 2), ("next(a)", 1), ("next(b)", 2), ("i", 2)]);
        let program = format!(
            "MODULE main VAR a : word[1]; b : word[2]; IVAR i : word[2]; INIT {} | a = 0ud1_0 & b = 0ud2_1 TRANS {} \
             INVARSPEC {} CTLSPEC AX {} CTLSPEC EF {} LTLSPEC G {}",
            condition(random, &now, 1),
            condition(random, &moved, 2),
            condition(random, &now, 0),
            condition(random, &now, 0),
            condition(random, &now, 0),
            condition(random, &now, 1),
        );
        let (_folder, path) = written(&program);
        let (found, _) = verdicts(&path);
        let (by_sets, by_states) = (states(&path, &["--engine", "symbolic"]), states(&path, &["--engine", "explicit"]));
        assert_eq!(by_sets.0, by_states.0, "{program}");
        let (out, err, status) = run(starset().arg("check").arg(&path).args(["--engine", "sat", "--time", "5"]));
        assert!(status == 0 || status == 3, "{err}");
        for (one, other) in found.split(", ").zip(out.lines()) {
            assert!(other.ends_with("unknown") || one == other, "{program}: {one}, {other}");
        }
        all[0] += found.matches("true").count();
        all[1] += found.matches("false").count();
    }
    assert!(all.iter().all(|&count| count > 40), "{all:?}");
}

/// More initial states than are listed: what the file asks is decided all the same.
#[test]
fn a_word_without_a_first_value_has_any() {
    let program = "MODULE main VAR w : unsigned word[24]; ASSIGN next(w) := w + 0ud24_1;
                   CTLSPEC AG w >= 0ud24_0 INVARSPEC w != 0ud24_70000 INVARSPEC w <= 0ud24_16777215";
    let (_folder, path) = written(program);
    let (out, err, status) = run(starset().arg("check").arg(&path));
    assert_eq!((out.as_str(), status), ("1: true\n2: false\n3: true\n", 0), "{err}");
}
