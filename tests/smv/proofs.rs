//! Certificates of what the engine of bits knows of single runs: accepted, of random programs, and with the verdict of a search
//! state by state.

use super::bits::{answers, cases};
use super::cone::{decided, program_that_asks};
use super::runs::property;
use starset::budget::Budget;
use starset::certify::{Maker, Means};
use starset::decide::{Bits, Question, Subject, Value, Ways};
use starset::kinds::{Kind, Purpose};
use starset::model::Groups;
use starset::random::Rng;
use starset_checker::{check, with_stack};
use std::time::Duration;

/// The certificates of a question with both verdicts, and the text that they are about; `None` if the states are listed, or the
/// program is nothing for this engine.
fn by_bits(text: &str) -> Option<(String, [Option<String>; 2])> {
    decided(text, Purpose::Proofs, |model, pool, asked, _| {
        let (flat, groups, budget) = (model.flat().unwrap().text, Groups::single(model), Budget::unlimited());
        let made = {
            let maker = Maker::new(model, &flat, (None, None)).ok().filter(Maker::is_unlisted)?;
            let subject = Subject { model, groups: &groups, pool };
            let mut bits = Bits::new(subject, &budget).unwrap()?;
            let question = &asked[0].question;
            let &Question::Formula { linear, paths, .. } = question else { return None };
            [false, true].map(|verdict| {
                let (budget, most) = (budget.clone().with_time(Duration::from_secs(4)), Duration::from_secs(4));
                maker
                    .certify(Means::Bits(&mut bits, question, most), pool, (linear, paths), (verdict, None), &budget)
                    .ok()
            })
        };
        Some((flat, made))
    })?
}

#[test]
fn random_programs_are_certified_by_their_bits() {
    let count = cases(200);
    let mut rng = Rng::new(4_906);
    let (mut asked, mut certified, mut of_runs) = (0, [0, 0], [0, 0]);
    for _ in 0..count {
        let text = program_that_asks(&mut rng, property);
        let Some(Value::Verdict(expected)) =
            answers(&text, Ways { diagrams: true, ..Ways::EXPLICIT }).and_then(|mut all| all.pop())
        else {
            continue;
        };
        // More states than are listed, of variables that nothing rests on.
        let others: String = (0..16).map(|at| format!("u{at} : boolean; ")).collect();
        let wide = text.replacen("MODULE main", &format!("MODULE main\nVAR {others}ASSIGN next(u0) := u1;\n"), 1);
        let Some((flat, made)) = by_bits(&wide) else { continue };
        asked += 1;
        for (verdict, certificate) in [false, true].into_iter().zip(made) {
            let Some(certificate) = certificate else { continue };
            let proved = with_stack(|| check(&flat, &certificate)).unwrap();
            assert_eq!(proved.map(|proved| proved.verdict), Ok(verdict), "{flat}\n{certificate}");
            assert_eq!(verdict, expected, "{flat}\n{certificate}");
            certified[usize::from(verdict)] += 1;
            of_runs[usize::from(verdict)] += usize::from(text.contains("LTLSPEC") || text.contains("CTLSPEC AF"));
        }
    }
    eprintln!("{asked} asked, {certified:?} certified, {of_runs:?} of them about runs");
    assert!(of_runs.iter().all(|&some| some > asked / 10), "{asked} {certified:?} {of_runs:?}");
}

/// Where paths are infinite, a run to where a condition fails has to go on.
#[test]
fn runs_that_go_on_are_certified() {
    let others: String = (0..16).map(|at| format!("u{at} : boolean; ")).collect();
    let text = format!(
        "MODULE main VAR {others} n : 0..5; ASSIGN next(u0) := u1; init(n) := 0;
         next(n) := n < 4 ? {{n + 1, 5}} : n; TRANS n != 5; CTLSPEC AG (n < 3 | n = 5);"
    );
    let (flat, [made, _]) = by_bits(&text).unwrap();
    let proved = with_stack(|| check(&flat, &made.unwrap())).unwrap().unwrap();
    assert_eq!((proved.verdict, proved.paths), (false, "infinite"));
}
