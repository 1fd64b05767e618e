//! Formulas over random nets with clocks: diagrams and explicit search agree.

use super::{nets, number};
use starset::budget::Budget;
use starset::decide::{
    Agreement, Answer, Explained, Fault, Listener, Question, Request, Settings, Subject, Value, decide_twice,
};
use starset::formula::{Logic, PathSemantics, Pool, parse};
use starset::kinds::Loaded;
use starset::kinds::clocks::model::ClockNet;
use starset::kinds::clocks::random::{Shape, net};
use starset::kinds::clocks::{IntegerNet, line_format};
use starset::rng::Rng;
use starset::symbolic::Route;

/// Hears what must not be.
struct Deaf;

impl Listener for Deaf {
    fn answered(&self, _: Answer) {}
    fn explained(&self, question: usize, explained: Explained) {
        if let Explained::Broken(broken) = explained {
            panic!("the witness of question {question} does not replay: {broken}");
        }
    }
    fn faulty(&self, question: usize, fault: Fault) {
        panic!("question {question}: {fault}");
    }
}

/// Writes random formulas about a net.
struct Writer<'a> {
    rng: &'a mut Rng,
    net: &'a ClockNet,
}

impl Writer<'_> {
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.rng.below(all.len())]
    }

    fn atom(&mut self) -> String {
        let below = |rng: &mut Rng, n: usize| rng.below(n);
        match below(self.rng, 10) {
            0 => "deadlock".to_owned(),
            1 => "timelock".to_owned(),
            2 | 3 => format!("enabled(t{})", below(self.rng, self.net.transitions.len())),
            4..=6 => {
                let (place, tokens) = (below(self.rng, self.net.places.len()), below(self.rng, 3));
                format!("#p{place} {} {tokens}", self.one_of(&["=", "<=", ">", "!="]))
            }
            // Also moments that the net does not know, and between its units.
            _ => {
                let (clock, moment) = (below(self.rng, self.net.clocks.len()), below(self.rng, 8));
                let comparison = self.one_of(&["=", "<=", ">", "!=", "<", ">="]);
                let half = if self.rng.one_in(6) { ".5" } else { "" };
                if self.rng.one_in(4) && half.is_empty() {
                    format!("{moment} {comparison} x{clock}")
                } else {
                    format!("x{clock} {comparison} {moment}{half}")
                }
            }
        }
    }

    fn any(&mut self, ctl: bool) -> String {
        let size = 1 + self.rng.below(4);
        self.formula(size, ctl)
    }

    fn formula(&mut self, size: usize, ctl: bool) -> String {
        if size == 0 {
            return self.atom();
        }
        let left = self.rng.below(size);
        let quantifier = if ctl { self.one_of(&["A ", "E "]) } else { "" };
        match self.rng.below(9) {
            0 => format!("!({})", self.formula(size - 1, ctl)),
            1 | 2 => {
                let operator = self.one_of(&["&", "|", "->"]);
                format!("(({}) {operator} ({}))", self.formula(left, ctl), self.formula(size - 1 - left, ctl))
            }
            3 | 4 => {
                let operator = self.one_of(&["U", "R", "W"]);
                format!(
                    "({quantifier}(({}) {operator} ({})))",
                    self.formula(left, ctl),
                    self.formula(size - 1 - left, ctl)
                )
            }
            _ => {
                let operator = self.one_of(&["F", "G", "G", "F", "X"]);
                format!("({quantifier}{operator} ({}))", self.formula(size - 1, ctl))
            }
        }
    }
}

#[test]
fn formulas_by_both_engines() {
    let seeds = number("SEED").map_or(0..nets(1500), |seed| seed..seed + 1);
    let (mut same, mut holding, mut linear) = (0, 0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let shape = Shape { clocks: 2, places: 5, transitions: 7, constant: 3, closed: !seed.is_multiple_of(3) };
        let Ok(model) = IntegerNet::new(net(&mut rng, &shape)) else { continue };
        let clock_net = model.net().clone();
        let loaded = Loaded::new(model);
        let mut writer = Writer { rng: &mut rng, net: &clock_net };
        let texts: Vec<String> = (0..6).map(|i| writer.any(i % 2 == 0)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let loaded = loaded.rescaled(&texts).unwrap_or(loaded);
        let mut pool = Pool::new();
        let mut asked = Vec::new();
        for text in &texts {
            let formula = parse(text, &loaded.symbols, &mut pool).unwrap_or_else(|e| panic!("SEED={seed} {text}: {e}"));
            let shown = pool.display(formula, &loaded.symbols).to_string();
            assert_eq!(parse(&shown, &loaded.symbols, &mut pool), Ok(formula), "{shown}");
            let logic = pool.logic(formula);
            linear += u32::from(logic == Logic::Ltl);
            let paths = [PathSemantics::Maximal, PathSemantics::Stutter, PathSemantics::Infinite][seed as usize % 3];
            let question = Question::formula(&mut pool, formula, paths, Route::Fixpoints);
            asked.push(Request { witness: seed.is_multiple_of(4), ..question.into() });
        }
        let subject = Subject { model: &*loaded.model, groups: &loaded.groups, pool: &pool };
        let compared = decide_twice(subject, &asked, &Settings::default(), &Budget::unlimited(), &Deaf);
        for comparison in &compared {
            let text = texts[comparison.question];
            let net = || line_format::write(&clock_net).unwrap();
            assert_ne!(comparison.agreement(), Agreement::Different, "SEED={seed} {text}: {comparison:?}\n{}", net());
            same += u32::from(comparison.agreement() == Agreement::Same);
            holding += u32::from(comparison.symbolic == Value::Verdict(true));
        }
        assert!(loaded.model.as_net().is_none());
    }
    let found = format!("{same} compared, {holding} hold, {linear} linear");
    assert!(number("SEED").is_some() || same > 200 && holding > 60 && holding < same - 60 && linear > 100, "{found}");
}
