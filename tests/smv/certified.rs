//! Certificates of programs: the checker has the same states, proves what is asked, and refuses what is changed.

use super::{cone, written};
use crate::cli::{model, run, starset};
use starset::budget::Budget;
use starset::certify::{AnsweredQuestion, certify};
use starset::decide::{Question, Recorder, Request, Settings, Subject, Value, decide};
use starset::formula::{PathSemantics, Pool, Symbols, parse};
use starset::kinds::pins::{PinsModel, smv::Smv};
use starset::kinds::{Kind, Purpose};
use starset::model::Groups;
use starset::random::Rng;
use starset::symbolic::Route;
use starset_checker::Subject as Checked;
use starset_checker::{Checksum, Net, Refused, check, with_stack};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// A program as one module, in a folder.
fn flat(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flat.smv");
    std::fs::write(&path, starset_smv::read(text, false).unwrap().flat()).unwrap();
    (folder, path)
}

/// The certificates of what a program asks: names with verdicts, and whether they are certified.
fn certified(path: &Path, folder: &Path) -> (BTreeMap<String, bool>, Vec<String>) {
    let (out, err, status) = run(starset().arg("certify").arg(path).arg("--folder").arg(folder));
    assert!(status == 0 || status == 3, "{out}{err}");
    let (mut verdicts, mut open) = (BTreeMap::new(), Vec::new());
    for line in out.lines() {
        match line.split_once(": ").unwrap() {
            (id, rest) if rest.contains(", certified in") => {
                verdicts.insert(id.to_owned(), rest.starts_with("true"));
            }
            _ => open.push(line.to_owned()),
        }
    }
    (verdicts, open)
}

const PROGRAM: &str = "MODULE main IVAR go : boolean; VAR a : cell(b.n); b : cell(a.n); w : signed word[3]; e : {one.two, 3, idle};
    DEFINE sum := a.n + b.n; big := sum > 2;
    ASSIGN init(w) := -0sd3_4; next(w) := case big : w + 0sd3_1; w < 0sd3_0 : -w; TRUE : resize(w >> 1, 3); esac;
      next(e) := big ? {one.two, 3} : (go ? idle : e);
    TRANS go -> a.n < 2 | w[1:0] = 0ud2_1;
    CTLSPEC NAME returns := AG (big -> EF sum = 0); CTLSPEC NAME leaves := AG (big -> AX !big);
    CTLSPEC NAME some := EF (e = 3 & w > 0sd3_1); CTLSPEC NAME once := E [a.n <= b.n U big];
    INVARSPEC NAME small := sum <= 3; INVARSPEC NAME tiny := a.n + 1 < 3; LTLSPEC NAME again := G F sum < 3;
    LTLSPEC NAME never := F G a.n = b.n; CTLSPEC NAME kept := A [w <= 0sd3_3 U sum >= 0]; CTLSPEC NAME started := e != idle;
    MODULE cell(o) VAR n : 0..2; ASSIGN init(n) := {0, 1}; next(n) := case n < 2 & o < 2 : {n + 1, n}; TRUE : 0; esac;";

/// A program of one state, whose formula speaks of no variable.
#[test]
fn one_state_of_many_variables_is_certified() {
    let variables: String = (0..41).map(|at| format!("x{at} : boolean; ")).collect();
    let next: String = (0..41).map(|at| format!("init(x{at}) := FALSE; next(x{at}) := FALSE; ")).collect();
    let (folder, path) = written(&format!("MODULE main VAR {variables} ASSIGN {next} CTLSPEC AG EX TRUE"));
    let (out, err, status) = run(starset().arg("certify").arg(&path).arg("--folder").arg(folder.path()));
    assert!(out.starts_with("1: true, certified in ") && status == 0, "{out}{err}");
}

/// A program without variables has no level, and certificates no set without levels: that is said, and is no fault of the
/// program.
#[test]
fn programs_without_variables_have_no_sets() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input.smv");
    let many: String = (0..40).map(|at| format!("u{at} : boolean; ")).collect();
    for inputs in ["u : boolean;", &many] {
        std::fs::write(&path, format!("MODULE main IVAR {inputs}")).unwrap();
        for (formula, verdict) in [("AG EX true", "true"), ("EF deadlock", "false"), ("A G F (EX true)", "true")] {
            let command = ["--folder", folder.path().to_str().unwrap(), "-f", formula];
            let (out, err, status) = run(starset().arg("certify").arg(&path).args(command));
            assert!(out.starts_with(&format!("1: {verdict}, not certified: ")) && status == 3, "{out}{err}");
            let why = "no variable has a value cannot be certified";
            assert!(out.contains(why) || inputs == many && out.contains("does not read"), "{out}{err}");
        }
    }
}

/// States and steps are those of the program, whoever lists them.
#[test]
fn the_checker_has_the_same_states() {
    let mutex = std::fs::read_to_string(model("mutex.smv")).unwrap();
    let lift = std::fs::read_to_string(model("lift.smv")).unwrap();
    // Names in quotes are no signs and no words.
    let quoted = "MODULE main FROZENVAR \"-\" : 0..3; VAR y : boolean; \"in\" : boolean; \"VAR\" : boolean;
        ASSIGN init(\"-\") := 3; init(y) := FALSE; next(y) := \"-\" - 1 = 1; init(\"in\") := FALSE;
        next(\"in\") := !\"in\" & \"-\" in {2, 3}; next(\"VAR\") := \"in\" | \"VAR\";";
    for text in [PROGRAM, &mutex, &lift, quoted] {
        let flat = starset_smv::read(text, false).unwrap().flat();
        let net = with_stack(|| Net::read(&flat)).unwrap().unwrap();
        let (program, _) = written::of_program(&flat);
        let (states, steps) = written::graph(&*program.model);
        let theirs: HashSet<_> = net.by_state.keys().collect();
        // One step has several labels.
        let of_theirs: HashSet<String> =
            net.steps.iter().map(|step| format!("{:?} {:?}", step.at, step.effects)).collect();
        assert_eq!((theirs.len(), of_theirs.len()), (states, steps), "{flat}");
        assert_eq!(net.initials.len(), program.model.initial_states().len());
    }
}

#[test]
fn what_programs_ask_is_certified_and_changes_are_refused() {
    let (folder, path) = flat(PROGRAM);
    let (found, open) = certified(&path, folder.path());
    assert_eq!(open, Vec::<String>::new());
    let (_, expected) = written::of_program(PROGRAM);
    assert_eq!(found.len(), expected.len());
    assert!(expected.contains(&true) && expected.contains(&false));
    let names = ["returns", "leaves", "some", "once", "small", "tiny", "again", "never", "kept", "started"];
    let text = std::fs::read_to_string(&path).unwrap();
    let mut random = Rng::new(7);
    let mut refused = 0;
    for (name, verdict) in names.into_iter().zip(expected) {
        assert_eq!(found[name], verdict, "{name}");
        let certificate = std::fs::read_to_string(folder.path().join(format!("{name}.cert"))).unwrap();
        let proved = with_stack(|| check(&text, &certificate)).unwrap().unwrap();
        assert_eq!(proved.verdict, verdict, "{name}");
        // The other verdict, and numbers that are changed.
        let body = certificate.rsplit_once("check ").unwrap().0;
        let other = body.replace(&format!("verdict {verdict}"), &format!("verdict {}", !verdict));
        let mut changed = vec![other];
        changed.extend((0..8).map(|_| with_another_digit(body, &mut random)));
        for (number, body) in changed.into_iter().enumerate() {
            match checked(&text, &body) {
                Ok(proved) => assert_eq!((proved, number > 0), (verdict, true), "{name}: {body}"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 20, "{refused}");
}

/// A certificate without its last lines, with another digit somewhere in its sets.
fn with_another_digit(body: &str, random: &mut Rng) -> String {
    let after = body.find("\nlevels").unwrap();
    let digits: Vec<usize> =
        body.char_indices().filter(|(at, c)| *at > after && c.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = digits[random.below(digits.len())];
    let digit = char::from(b'0' + random.below(10) as u8);
    format!("{}{digit}{}", &body[..at], &body[at + 1..])
}

/// A certificate with its last lines.
fn ended(body: &str) -> String {
    let mut sum = Checksum::default();
    sum.add(body.as_bytes());
    format!("{body}check {:016x}\nend\n", sum.0)
}

/// The verdict that a certificate without its last lines proves of a program.
fn checked(text: &str, body: &str) -> Result<bool, Refused> {
    with_stack(|| check(text, &ended(body))).unwrap().map(|proved| proved.verdict)
}

/// What is kept of a program from one check to the next changes no answer.
#[test]
fn conditions_that_are_kept_change_no_answer() {
    let (folder, path) = flat(PROGRAM);
    let (found, _) = certified(&path, folder.path());
    let text = std::fs::read_to_string(&path).unwrap();
    let read = |name: &String| std::fs::read_to_string(folder.path().join(format!("{name}.cert"))).unwrap();
    let bodies = found.keys().map(|name| about_conditions(&text, read(name).rsplit_once("check ").unwrap().0));
    let bodies: Vec<String> = bodies.collect();
    let (subject, mut random, mut accepted) = (Checked::new(&text), Rng::new(57), 0);
    for _ in 0..300 {
        let body = &bodies[random.below(bodies.len())];
        let body = if random.below(2) == 0 { body.clone() } else { with_another_digit(body, &mut random) };
        let certificate = ended(&body);
        let [alone, after] = [Checked::new(&text).check(&certificate), subject.check(&certificate)];
        assert_eq!(after, alone, "{body}");
        accepted += usize::from(after.is_ok());
    }
    assert!((100..280).contains(&accepted), "{accepted}");
}

/// The certificates of a program without their last lines, and its verdicts.
fn made(
    model: &PinsModel,
    text: &str,
    pool: &Pool,
    asked: &[Request],
    values: &[Option<Value>],
) -> Vec<(String, bool)> {
    let answered = asked.iter().zip(values).filter_map(|(request, value)| {
        let value = value.as_ref()?;
        Some(AnsweredQuestion { question: &request.question, value, witness: None, visited: None })
    });
    let answered: Vec<AnsweredQuestion<'_>> = answered.collect();
    let (groups, mut made) = (Groups::single(model), Vec::new());
    let mut keep = |number: usize, result: Result<starset::certify::Certified, starset::certify::Uncertified>| {
        if let (Ok(certified), Value::Verdict(verdict)) = (result, answered[number].value) {
            made.push((certified.text.rsplit_once("check ").unwrap().0.to_owned(), *verdict));
        }
    };
    let (settings, budget) = (Settings::default(), Budget::unlimited());
    certify((model, &groups, text), pool, (&answered, None), &settings, &budget, &mut keep);
    made
}

/// The same certificate about the conditions of the program rather than a list of its states.
fn about_conditions(text: &str, body: &str) -> String {
    let mut sum = Checksum::default();
    sum.add(text.as_bytes());
    // The third line says what it is about.
    let (at, _) = body.match_indices('\n').nth(1).unwrap();
    let (before, after) = (&body[..at], body[at + 1..].split_once('\n').unwrap().1);
    format!("{before}\nprogram {:016x}\n{after}", sum.0)
}

/// A random program, flat, with the certificates that are made for it; `None` where nothing is decided.
fn drawn(random: &mut Rng) -> Option<(String, Vec<(String, bool)>)> {
    cone::decided(&cone::program(random), Purpose::Questions, |model, pool, asked, values| {
        let flat = model.flat().unwrap().text;
        let made = made(model, &flat, pool, asked, values);
        (flat, made)
    })
}

/// What sets prove of the listed states they prove of the conditions; and no change proves what is wrong.
#[test]
fn random_programs_are_certified_by_their_conditions() {
    let count = std::env::var("STARSET_SMV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    let mut random = Rng::new(51);
    let (mut proved, mut refused, mut still, mut held, mut others) = (0, 0, 0, 0, 0);
    let (mut of_steps, mut reworded) = (0, 0);
    for _ in 0..count {
        let Some((flat, made)) = drawn(&mut random) else { continue };
        for (listed, verdict) in made {
            let body = about_conditions(&flat, &listed);
            assert_eq!(checked(&flat, &body), Ok(verdict), "{flat}\n{body}");
            proved += 1;
            held += usize::from(verdict);
            of_steps += usize::from(body.contains("action("));
            for _ in 0..10 {
                let Some((old, new)) = with_other_words(&listed, &mut random) else { break };
                let other = format!("{}{new}{}", &listed[..old.start], &listed[old.end..]);
                if let Ok(found) = checked(&flat, &about_conditions(&flat, &other)) {
                    reworded += usize::from(is_assured(&flat, &other, found));
                }
            }
            let other = body.replace(&format!("verdict {verdict}"), &format!("verdict {}", !verdict));
            assert!(checked(&flat, &other).is_err(), "{flat}\n{other}");
            for _ in 0..20 {
                match checked(&flat, &with_another_digit(&body, &mut random)) {
                    Ok(found) => (assert_eq!(found, verdict, "{flat}\n{body}"), still += 1).1,
                    Err(_) => refused += 1,
                }
            }
            // Of another program the same sets prove what is true of it, if anything.
            for _ in 0..10 {
                let rules = |at: usize| {
                    let line = flat[flat[..at].rfind('\n').map_or(0, |end| end + 1)..].split(' ').next();
                    matches!(line, Some("ASSIGN" | "INIT" | "INVAR" | "TRANS"))
                };
                let values: Vec<(usize, &str)> = ["TRUE", "FALSE", "one", "two", " 0", " 1", " 2", " = ", " != "]
                    .into_iter()
                    .flat_map(|value| flat.match_indices(value))
                    .filter(|&(at, _)| rules(at))
                    .collect();
                if values.is_empty() {
                    continue;
                }
                let (at, value) = values[random.below(values.len())];
                let (_, new) = values[random.below(values.len())];
                let changed = format!("{}{new}{}", &flat[..at], &flat[at + value.len()..]);
                let verdicts = cone::decided(&changed, Purpose::Questions, |_, _, _, values| values.to_vec());
                let (Some(verdicts), Ok(found)) = (verdicts, checked(&changed, &about_conditions(&changed, &listed)))
                else {
                    continue;
                };
                assert_eq!(verdicts, [Some(Value::Verdict(found))], "{changed}\n{body}");
                others += usize::from(changed != flat);
            }
        }
    }
    assert!(
        proved > count / 3
            && held > proved / 5
            && held < proved * 4 / 5
            && refused > 2 * proved
            && still > proved
            && others > proved / 4
            && of_steps > proved / 20
            && reworded > of_steps,
        "{proved} {held} {refused} {still} {others} {of_steps} {reworded}"
    );
}

/// Certificates over a cone are about the whole program, with more states than can be listed.
#[test]
fn random_programs_are_certified_by_their_cones() {
    let count = std::env::var("STARSET_SMV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(100);
    let mut random = Rng::new(53);
    let (mut proved, mut held) = (0, 0);
    for _ in 0..count {
        let text = cone::program(&mut random);
        let Some(values) = cone::decided(&text, Purpose::Questions, |_, _, _, values| values.to_vec()) else {
            continue;
        };
        let next = ["a", "{a, u1}", "u2 xor a", "case a : u1; TRUE : !u2; esac"][random.below(4)];
        let others: String = (0..12).map(|at| format!("u{at} : boolean; ")).collect();
        let wide =
            format!("MODULE main\nVAR {others}ASSIGN next(u0) := case i : u1; TRUE : !u0; esac; next(u1) := {next};");
        let wide = text.replace("MODULE main", &wide);
        let found = cone::decided(&wide, Purpose::Proofs, |model, pool, asked, cut| {
            assert_eq!(cut, values, "{wide}");
            let flat = model.flat().unwrap().text;
            let made = made(model, &flat, pool, asked, cut);
            (flat, made)
        });
        let Some((flat, made)) = found else { continue };
        assert!(flat.contains("VAR u11 : boolean;"), "{flat}");
        for (body, verdict) in made {
            assert_eq!(checked(&flat, &body), Ok(verdict), "{wide}\n{body}");
            assert_eq!(values, [Some(Value::Verdict(verdict))], "{wide}\n{body}");
            let other = body.replace(&format!("verdict {verdict}"), &format!("verdict {}", !verdict));
            assert!(checked(&flat, &other).is_err(), "{flat}\n{other}");
            // Where few states are reachable they are listed.
            if !body.contains("\nnet ") {
                let net = Net::read_unlisted(&flat).unwrap();
                for part in body.lines().find_map(|line| line.strip_prefix("levels")).unwrap().split(' ').skip(1) {
                    let (first, last) = part.split_once('-').unwrap_or((part, part));
                    let places = first.parse::<usize>().unwrap()..=last.parse().unwrap();
                    assert!(!net.places[places].iter().any(|place| place.name.starts_with('u')), "{body}");
                }
                proved += 1;
                held += usize::from(verdict);
            }
        }
    }
    assert!(proved > count / 3 && held > proved / 5 && held < proved * 4 / 5, "{proved} {held}");
}

/// A verdict that rests on one path is certified by it, though the sets of all states that have one are large.
#[test]
fn what_rests_on_a_path_is_certified_by_it() {
    let text = "MODULE main VAR n : 0..9; v : 0..31; w : 0..31; x : 0..31; DEFINE meet := v * w mod 32 = x;
        ASSIGN init(n) := 0; next(n) := n < 9 ? n + 1 : n;
        LTLSPEC NAME apart := !F (n = 9 & meet); CTLSPEC NAME parts := AG (n = 4 & v = 3 -> AF !meet);
        LTLSPEC NAME settles := G F !meet | F n = 3 & meet; CTLSPEC NAME meets := EF (n = 7 & meet & v > 20);
        CTLSPEC NAME again := AG EF (n = 9 & meet);";
    let (folder, path) = flat(text);
    let (found, open) = certified(&path, folder.path());
    let expected = [("again", true), ("apart", false), ("meets", true), ("parts", false), ("settles", false)];
    assert_eq!(found, expected.map(|(name, verdict)| (name.to_owned(), verdict)).into(), "{open:?}");
    let length = |name: &str| std::fs::read(folder.path().join(format!("{name}.cert"))).unwrap().len();
    let lengths = expected.map(|(name, _)| (name, length(name)));
    // One of all states, as `again` needs it, has a list for each v and w; `meets` is true in each of 32 768 first states.
    let is_long = |&(name, length): &(&str, usize)| (length > 1_000) != matches!(name, "again" | "meets");
    assert!(!lengths.iter().any(is_long), "{lengths:?}");
}

/// What a certificate proves beside further variables is true with them: what they demand of others counts.
#[test]
fn what_is_beside_a_cone_may_block_it() {
    let count = std::env::var("STARSET_SMV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    let assigned = [
        [
            "",
            "x := {0, 2};",
            "x := n;",
            "x := m;",
            "next(x) := x + 1;",
            "next(x) := (x + 1) mod 3;",
            "next(x) := {n, 1};",
            "next(x) := case y : n; a : 2; esac;",
            "next(x) := 2..1;",
            "init(x) := 1; next(x) := next(n);",
        ],
        [
            "",
            "y := x = 1;",
            "y := a;",
            "next(y) := next(x) = 1;",
            "next(y) := {a, b};",
            "init(y) := TRUE; next(y) := y;",
            "next(y) := next(y);",
            "next(y) := a xor next(b);",
            "init(y) := b; next(y) := !y;",
            "next(y) := m / n = 1;",
        ],
    ];
    let demands = [
        "",
        "",
        "",
        "INVAR x != 1;",
        "INVAR y = a;",
        "TRANS next(x) != n;",
        "TRANS y | next(y);",
        "INIT x = n;",
        "TRANS (x = 2) -> !next(a);",
        "INVAR y -> x = 0;",
    ];
    let mut random = Rng::new(54);
    let (mut same, mut changed, mut refused) = (0, 0, 0);
    for _ in 0..count {
        let Some((flat, made)) = drawn(&mut random) else { continue };
        for (listed, verdict) in made {
            for _ in 0..6 {
                let [x, y] = assigned.map(|all| all[random.below(all.len())]);
                let of = |text: &str| if text.is_empty() { String::new() } else { format!("ASSIGN {text}\n") };
                let demand = demands[random.below(demands.len())];
                let beside = format!("{flat}VAR x : 0..2;\nVAR y : boolean;\n{}{}{demand}\n", of(x), of(y));
                let (listed, value) = (with_levels_of(&listed, &flat, &beside), decided_formula(&beside, &listed));
                match (checked(&beside, &about_conditions(&beside, &listed)), value) {
                    (Ok(found), Some(value)) => {
                        assert_eq!(value, Some(Value::Verdict(found)), "{beside}\n{listed}");
                        same += 1;
                    }
                    (Err(_), Some(value)) if value != Some(Value::Verdict(verdict)) => changed += 1,
                    (Err(why), Some(_)) => {
                        // What is beside, alone, takes nothing away; faults in states that are not reachable may.
                        let harmless = demand.is_empty()
                            && !["x + 1", ":= m", "esac", "2..1", "m / n"]
                                .iter()
                                .any(|part| beside[flat.len()..].contains(part));
                        assert!(!harmless, "{why:?}: {beside}\n{listed}");
                        refused += 1;
                    }
                    (_, None) => refused += 1,
                }
            }
        }
    }
    assert!(same > count && changed > count / 20 && refused > count / 2, "{same} {changed} {refused}");
}

/// A certificate about the states of a program as one about another program, which has its places with other numbers.
fn with_levels_of(body: &str, program: &str, other: &str) -> String {
    let names = |net: Net| -> Vec<String> { net.places.into_iter().map(|place| place.name).collect() };
    let (Ok(old), Ok(new)) = (Net::read(program), Net::read_unlisted(other)) else { return body.to_owned() };
    let (old, new) = (names(old), names(new));
    let line = body.lines().find(|line| line.starts_with("levels")).unwrap();
    let mut levels = "levels".to_owned();
    for part in line.split(' ').skip(1) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        for place in &old[first.parse().unwrap()..=last.parse().unwrap()] {
            levels.push_str(&format!(" {}", new.iter().position(|name| name == place).unwrap()));
        }
    }
    body.replacen(line, &levels, 1)
}

/// A part of the formula of a certificate, and another one that may stand there.
fn with_other_words(body: &str, random: &mut Rng) -> Option<(std::ops::Range<usize>, &'static str)> {
    let start = body.find("\nformula ")?;
    let end = start + 1 + body[start + 1..].find('\n')?;
    let words =
        ["action(main)", "action(p)", "!action(p)", "!action(main)", "true", "false", "G ", "F ", "X ", " & ", " | "];
    let found: Vec<(usize, usize)> = (0..words.len())
        .flat_map(|word| body[start..end].match_indices(words[word]).map(move |(at, _)| (start + at, word)))
        .collect();
    let &(at, word) = found.get(random.below(found.len().max(1)))?;
    let alike = |other: usize| [0..6, 6..9, 9..11].iter().any(|kind| kind.contains(&word) && kind.contains(&other));
    let others: Vec<usize> = (0..words.len()).filter(|&other| other != word && alike(other)).collect();
    Some((at..at + words[word].len(), words[others[random.below(others.len())]]))
}

/// What a certificate proves of the conditions it proves of the states as well, and engines agree, where they read its
/// formula.
fn is_assured(flat: &str, body: &str, verdict: bool) -> bool {
    assert_eq!(checked(flat, body), Ok(verdict), "{flat}\n{body}");
    let Some(answer) = decided_formula(flat, body) else { return false };
    assert_eq!(answer, Some(Value::Verdict(verdict)), "{flat}\n{body}");
    true
}

/// What engines answer to the formula of a certificate, about a program; `None` if they do not read it, or the program has
/// no first state.
fn decided_formula(flat: &str, body: &str) -> Option<Option<Value>> {
    let line = |word: &str| body.lines().find_map(|line| line.strip_prefix(word)).unwrap();
    let model = PinsModel::new("flat", Smv::read("flat.smv", flat).ok()?).ok()?;
    let mut pool = Pool::new();
    let formula = parse(line("formula "), &Symbols::of(&model), &mut pool).ok()?;
    let paths = match line("paths ") {
        "maximal" => PathSemantics::Maximal,
        "stutter" => PathSemantics::Stutter,
        _ => PathSemantics::Infinite,
    };
    let request = Question::formula(&mut pool, formula, paths, Route::Fixpoints).into();
    let (groups, kept) = (Groups::single(&model), Recorder::new(1));
    let subject = Subject { model: &model, groups: &groups, pool: &pool };
    decide(subject, &[request], &Settings::default(), &Budget::unlimited(), &kept);
    Some(kept.into_recorded().remove(0).answer.map(|answer| answer.value))
}

/// Where a program has many variables and few states, the levels are some that tell states apart.
#[test]
fn levels_tell_states_apart() {
    let names: Vec<String> = (0..48).map(|number| format!("y{number}")).collect();
    let rules = names.iter().enumerate().map(|(number, name)| format!("{name} := n > {};\n", number % 20));
    let text = format!(
        "MODULE main IVAR i : boolean; VAR n : 0..20; {} : boolean;\nASSIGN init(n) := 0; next(n) := i ? n : (n + 1) mod 21;\n{}
         CTLSPEC AG EF n = 7; CTLSPEC AF y7; CTLSPEC AG !(y3 & n < 3); LTLSPEC G (y9 -> F y10);
         CTLSPEC AG (y4 -> EG y4); LTLSPEC G (y1 -> X (y1 | n = 0)); CTLSPEC AG (y1 -> AX (y1 | y2));",
        names.join(" : boolean; "),
        rules.collect::<String>()
    );
    let (folder, path) = flat(&text);
    let (found, open) = certified(&path, folder.path());
    let verdicts: Vec<bool> = found.into_values().collect();
    assert_eq!(verdicts, [true, false, true, false, true, true, false], "{open:?}");
    for number in 1..=7 {
        let text = std::fs::read_to_string(folder.path().join(format!("{number}.cert"))).unwrap();
        let levels = text.lines().filter(|line| line.starts_with("layer")).count();
        assert!(text.contains("\nnet ") && levels < 6, "{levels} levels:\n{text}");
    }
}

/// What definitions cost is how often their values are found: a program with few states is listed, however many it has.
#[test]
fn definitions_that_are_not_used_cost_nothing() {
    let defines: String = (0..100).map(|number| format!("d{number} := n = {number}; ")).collect();
    let variables: String = (0..40).map(|number| format!("y{number} : boolean; ")).collect();
    let next: String = (0..40).map(|number| format!("y{number} := d{number}; ")).collect();
    let text = format!(
        "MODULE main VAR n : 0..199; {variables} DEFINE {defines}
         ASSIGN init(n) := 0; next(n) := (n + 1) mod 200; {next} CTLSPEC AG AF y7; INVARSPEC !(d3 & y4);"
    );
    let (folder, path) = flat(&text);
    let (found, open) = certified(&path, folder.path());
    assert!(found.len() == 2 && found.into_values().all(|verdict| verdict), "{open:?}");
    let text = std::fs::read_to_string(folder.path().join("1.cert")).unwrap();
    assert!(text.contains("\nnet "), "{}", text.lines().take(3).collect::<String>());
}

/// Where explicit search has seen how many states there are, these are listed, though they are many.
#[test]
fn states_that_search_has_visited_are_listed() {
    let text = "MODULE main VAR a : 0..199; b : 0..104; ASSIGN init(a) := 0; init(b) := 0;
        next(a) := a < 199 ? a + 1 : 0; next(b) := a < 199 ? b : b < 104 ? b + 1 : 0;
        CTLSPEC AG EF (a = 5 & b = 0); CTLSPEC AF (a = 150 & b = 103); CTLSPEC AG (a + b < 303);";
    let program = starset_smv::read(text, false).unwrap().flat();
    let found = cone::decided(text, Purpose::Questions, |model, pool, asked, values| {
        let values: Vec<&Value> = values.iter().map(|value| value.as_ref().unwrap()).collect();
        let answered = asked.iter().zip(&values).map(|(asked, value)| AnsweredQuestion {
            question: &asked.question,
            value,
            witness: None,
            visited: Some(21_000),
        });
        let (answered, mut made): (Vec<AnsweredQuestion<'_>>, _) = (answered.collect(), Vec::new());
        let mut keep =
            |_: usize, result: Result<starset::certify::Certified, _>| made.push(result.map(|made| made.text));
        let (groups, settings, budget) = (Groups::single(model), Settings::default(), Budget::unlimited());
        certify((model, &groups, &program), pool, (&answered, None), &settings, &budget, &mut keep);
        (values.into_iter().cloned().collect::<Vec<Value>>(), made)
    });
    let (values, made) = found.unwrap();
    assert_eq!(values, [true, true, false].map(Value::Verdict));
    for (text, verdict) in made.into_iter().zip([true, true, false]) {
        let text = text.unwrap();
        assert!(text.contains("\nnet "));
        let proved = with_stack(|| check(&program, &text)).unwrap().unwrap();
        assert_eq!(proved.verdict, verdict);
    }
}

/// Invariants and runs of the engine of bits are certificates, without the reachable set.
#[test]
fn what_bits_show_is_certified() {
    let names: Vec<String> = (0..16).map(|number| format!("c{number}")).collect();
    let shifted = (1..16).map(|number| format!("init(c{number}) := FALSE; next(c{number}) := c{};\n", number - 1));
    let text = format!(
        "MODULE main IVAR i : boolean; VAR {} : boolean; k : -2..5; e : {{one, two, 3}};\nASSIGN init(c0) := FALSE; next(c0) := i;
         {}init(k) := -2; next(k) := k < 2 ? k + 1 : {{0, 1}}; init(e) := one; next(e) := c3 ? two : {{one, two}};\n
         CTLSPEC AG (k < 3 & e != 3); CTLSPEC AG !(c3 & c4 & k = 2); LTLSPEC G (k >= 0 | !c2); CTLSPEC EF (c9 & !c8 & e = two);
         CTLSPEC EF (c5 & e = 3); CTLSPEC AG (k < -1 -> !c0);",
        names.join(" : boolean; "),
        shifted.collect::<String>()
    );
    let found = cone::decided(&text, Purpose::Questions, |model, pool, asked, values| {
        let flat = model.flat().unwrap().text;
        let made = made(model, &flat, pool, asked, values);
        (flat, made)
    });
    let (program, certificates) = found.unwrap();
    let verdicts: Vec<bool> = certificates.iter().map(|made| made.1).collect();
    assert_eq!(verdicts, [true, false, true, true, false, true]);
    let mut random = Rng::new(4_950);
    for (body, verdict) in certificates {
        assert!(body.contains("\nprogram ") && body.len() < 2_000, "{body}");
        assert_eq!(checked(&program, &body), Ok(verdict), "{body}");
        // Another digit makes no proof, or one of the same.
        for _ in 0..20 {
            let found = checked(&program, &with_another_digit(&body, &mut random));
            assert!(found.is_err() || found == Ok(verdict), "{found:?}\n{body}");
        }
    }
}

/// Fairness is in the formula; variables are numbers as the program has them; and what is not certified says why.
#[test]
fn fair_programs_are_certified() {
    let text = "MODULE main VAR s : {idle, busy, done}; n : 2..4; m : -1..1;
        ASSIGN init(s) := idle; next(s) := case s = idle : {idle, busy}; s = busy : {busy, done}; TRUE : idle; esac;
          init(n) := 2; next(n) := s = done & n < 4 ? n + 1 : n; init(m) := -1; next(m) := s = idle ? -1 : 1;
        JUSTICE s != busy; JUSTICE n + m > 0 | s = done; CTLSPEC NAME left := AG (s = busy -> AF s = done);
        LTLSPEC NAME ends := F n = 4; LTLSPEC NAME works := G F s = done; CTLSPEC NAME early := AG n < 4;
        CTLSPEC NAME sums := 7 mod 5 = 2 & n - 1 = m + 2;";
    let (folder, path) = flat(text);
    let (found, open) = certified(&path, folder.path());
    let expected = [("early", false), ("ends", false), ("left", true), ("sums", true), ("works", false)];
    assert_eq!(found, expected.map(|(name, verdict)| (name.to_owned(), verdict)).into(), "{open:?}");
    let of_program = written::of_program(text).1;
    assert_eq!(of_program, [true, false, false, false, true]);
    let asked =
        ["-f", "EF n + 2 = 6", "-f", "AG (m = -1 | m = 1)", "-f", "CTLSPEC EF (n = 4 & m = 1)", "-f", "AG 2 * n <= 7"];
    let (out, _, status) = run(starset().arg("certify").arg(&path).arg("--folder").arg(folder.path()).args(asked));
    let verdicts: Vec<&str> = out.lines().map(|line| line.split(" in ").next().unwrap()).collect();
    let expected = ["1: true, certified", "2: true, certified", "3: true, certified", "4: false, certified"];
    assert_eq!((verdicts, status), (expected.to_vec(), 0), "{out}");
    // Whose turn it is is a letter about steps.
    let (found, open) = certified(&model("mutex.smv"), folder.path());
    let expected = [("busy", false), ("exclusive", true), ("possible", true), ("served", true)];
    assert_eq!(found, expected.map(|(name, verdict)| (name.to_owned(), verdict)).into(), "{open:?}");
}

/// Certificates of a program in several modules are about a program of one, which is written beside them.
#[test]
fn programs_of_modules_are_certified_as_one_module() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cells.smv");
    std::fs::write(&path, PROGRAM).unwrap();
    let (found, open) = certified(&path, folder.path());
    assert_eq!((found.len(), open), (10, Vec::new()));
    let proved = |about: &str, certificate: &str| {
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        with_stack(|| check(&read(about), &read(certificate))).unwrap()
    };
    for (name, verdict) in found {
        assert_eq!(
            proved("cells.flat.smv", &format!("{name}.cert")).map(|proved| proved.verdict),
            Ok(verdict),
            "{name}"
        );
    }
    // Conditions of further questions have names there, too.
    let file = folder.path().join("asked.cert");
    let asked = ["-f", "CTLSPEC AG (a.n + b.n < 4 & w != 0sd3_3)", "--certificate"];
    let (_, err, status) = run(starset().arg("check").arg(&path).args(asked).arg(&file));
    assert!(status == 0 && err.contains("asked.flat.smv: the program as one module"), "{err}");
    assert!(proved("asked.flat.smv", "asked.cert").is_ok());
    assert!(proved("cells.flat.smv", "asked.cert").is_err());
}
