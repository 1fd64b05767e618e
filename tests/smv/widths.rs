//! Words of one width compared with those of another.

use super::{asked, states, verdicts, written};
use crate::cli::{run, starset};
use serde_json::Value;

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

#[test]
fn words_of_more_than_31_bits_are_explored_in_parts() {
    let program = "MODULE main VAR w : unsigned word[40]; v : signed word[63]; b : boolean;
                   ASSIGN init(w) := 0ud40_1099511627774; next(w) := case w = 0ud40_3 : 0ud40_0 - 0ud40_2; b : w + 0ud40_1; TRUE : w; esac;
                   init(b) := TRUE;
                   init(v) := -0sd63_4611686018427387904; next(v) := b ? -v : v / 0sd63_2;
                   CTLSPEC AG (w >= 0ud40_1099511627774 | w <= 0ud40_1 | b | EX b)
                   CTLSPEC EF w = 0ud40_2
                   INVARSPEC w != 0ud40_1
                   INVARSPEC v <= 0sd63_0 | v >= 0sd63_3";
    let (_folder, path) = written(program);
    for engine in ["auto", "symbolic"] {
        let (out, err, _) = run(starset().arg("check").arg(&path).args(["--engine", engine]));
        assert_eq!(out.trim().replace('\n', ", "), "1: true, 2: true, 3: false, 4: false", "{err}");
    }
    let program =
        "MODULE main VAR w : word[64]; ASSIGN init(w) := 0uh64_ffffffffffffff00; next(w) := w[0:0] :: w[63:1];";
    let (_folder, path) = written(program);
    for engine in ["explicit", "symbolic"] {
        assert_eq!(states(&path, &["--engine", engine]).0, "64");
    }
}

/// Words of so many values that their bits are levels of diagrams; all steps are of both.
const BITS: &str = "MODULE main VAR a : unsigned word[11]; r : 0..1500; up : boolean; IVAR d : 0..1;
    ASSIGN init(a) := 0ud11_5; next(a) := up ? a + 0ud11_3 : a - uwconst(r, 11) mod 0ud11_4;
    init(r) := 7; next(r) := case up & r < 12 : r + d; !up & r > 1 : r - 1; TRUE : r; esac;
    init(up) := TRUE; next(up) := case a > 0ud11_40 : FALSE; a < 0ud11_9 : TRUE; TRUE : up; esac;
    CTLSPEC AG EF a = 0ud11_5
    CTLSPEC AG (up -> r >= 2)
    CTLSPEC EF (a = 0ud11_30 & !up)
    LTLSPEC G F up
    INVARSPEC r <= 12
    COMPUTE MIN [a = 0ud11_5, r = 12]";

#[test]
fn levels_of_bits_tell_what_single_states_tell() {
    let (folder, path) = written(BITS);
    let (by_sets, by_states) = (states(&path, &["--engine", "symbolic"]), states(&path, &["--engine", "explicit"]));
    assert_eq!(by_sets.0, by_states.0, "{}{}", by_sets.1, by_states.1);
    verdicts(&path);
    // A set that is saved, and the numbers of values in it.
    let saved = folder.path().join("some.set");
    let set = |more: &[&str], formula: &str| {
        let (out, err, status) = run(starset().arg("satset").arg(&path).args(["--json", "-f", formula]).args(more));
        assert_eq!(status, 0, "{out}{err}");
        serde_json::from_str::<Value>(&out).unwrap().clone()
    };
    let file = saved.to_str().unwrap();
    let some = set(&["--save", file], "r <= 9 & up");
    let again = set(&["--set", &format!("known={file}")], "%known");
    assert_eq!(&some["satisfying"], &again["satisfying"]);
    let others = set(&["--set", &format!("known={file}")], "%known & r > 9");
    assert_eq!(others["satisfying"], "0");
    // A page of states, runs, and values within attractors.
    let page = folder.path().join("page.html");
    let report = ["--report", page.to_str().unwrap()];
    let (_, err, status) = run(starset().arg("states").arg(&path).args(["--engine", "symbolic"]).args(report));
    assert_eq!(status, 0, "{err}");
    let (out, err, status) =
        run(starset().arg("check").arg(&path).args(["--engine", "symbolic", "--witness", "-f", "AG r <= 11"]));
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("r 11→12"), "{out}");
}
