//! Questions about a model as properties of its program.
//!
//! In the program a deadlock repeats for ever. Formulas of LTL are brought to paths that stutter as for automata
//! ([`Pool::to_stutter`]). Formulas of CTL stay formulas of CTL, where `dead` is the condition of a deadlock and
//! `I` is `E G ¬dead`: some path is infinite.
//!
//! | | maximal paths | infinite paths |
//! |---|---|---|
//! | `E X a` | `¬dead ∧ E X a` | `E X (a ∧ I)` |
//! | `A X a` | `dead ∨ A X a` | `A X (I → a)` |
//! | `E G a` | `E G a` | `E G (a ∧ ¬dead)` |
//! | `E (a U b)` | `E (a U b)` | `E (a U (b ∧ I))` |
//!
//! All others follow from these: `E (a R b)` is `E (b U (a ∧ b)) ∨ E G b`, `E (a W b)` is `E (a U b) ∨ E G a`,
//! `E (a M b)` is `E (b U (a ∧ b))`, and `A φ` is `¬E ¬φ`. `E X (a ∧ I)` is false in a deadlock, whose only successor is
//! itself.

use super::program::{Domain, Program, braces, disjunction};
use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, Logic, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::model::VariableId;
use crate::net::TransitionId;
use rustc_hash::FxHashMap;

/// The longest property that is written, in characters.
const LONGEST: usize = 1 << 20;

/// A question as it is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// Its name.
    pub id: &'a str,
    /// The formula. A path formula stands for `A φ`.
    pub formula: FormulaId,
    /// The paths that it is about.
    pub paths: PathSemantics,
}

/// The text of a property, or why there is none.
pub(super) fn property(
    program: &mut Program,
    model: &dyn Kind,
    pool: &mut Pool,
    &Written { id, formula, paths }: &Written<'_>,
) -> Result<String, String> {
    let formula = pool.close(formula);
    let (word, formula) = match pool.logic(formula) {
        Logic::Boolean | Logic::Reachability | Logic::Ctl => ("CTLSPEC", branching(pool, formula, paths)),
        Logic::Ltl => {
            let stuttering = pool.to_stutter(formula, paths);
            ("LTLSPEC", if let Formula::Forall(path) = pool[stuttering] { path } else { stuttering })
        }
        Logic::CtlStar => return Err("it is neither of CTL nor of LTL, and SMV has no other logic".to_owned()),
    };
    let mut printer = Printer { program, model, pool, text: String::new() };
    printer.formula(formula)?;
    let text = printer.text;
    let named = if id.starts_with(|first: char| first.is_ascii_digit()) { "formula_" } else { "" };
    let name = program.names.fresh(&format!("{named}{id}"));
    Ok(format!("{word} NAME {name} := {text};\n"))
}

/// A formula of CTL about these paths as one about paths that stutter, of `E X`, `E F`, `E G`, `E U`, and their duals.
fn branching(pool: &mut Pool, formula: FormulaId, paths: PathSemantics) -> FormulaId {
    let dead = pool.add(Formula::Deadlock);
    let mut made = Branching { alive: pool.not(dead), dead, paths, known: FxHashMap::default() };
    for id in pool.subformulas(&[formula]) {
        let result = match pool[id].clone() {
            Formula::Exists(path) => made.exists(pool, path),
            Formula::Forall(path) => made.forall(pool, path),
            node => {
                let node = node.map(|operand| made.known[&operand]);
                pool.add(node)
            }
        };
        made.known.insert(id, result);
    }
    made.known[&formula]
}

struct Branching {
    alive: FormulaId,
    dead: FormulaId,
    paths: PathSemantics,
    /// What formulas have become; of path formulas, the operator over what its operands have.
    known: FxHashMap<FormulaId, FormulaId>,
}

impl Branching {
    /// `E φ`, of a path formula that is one operator over state formulas.
    fn exists(&self, pool: &mut Pool, path: FormulaId) -> FormulaId {
        match pool[self.known[&path]].clone() {
            Formula::Next(a) => self.some_next(pool, a),
            Formula::Finally(a) => {
                let always = pool.add(Formula::True);
                self.some_until(pool, always, a)
            }
            Formula::Globally(a) => self.some_always(pool, a),
            Formula::Until(a, b) => self.some_until(pool, a, b),
            Formula::WeakUntil(a, b) => self.some_weak_until(pool, a, b),
            Formula::Release(a, b) => {
                let both = pool.and(vec![a, b]);
                self.some_weak_until(pool, b, both)
            }
            Formula::StrongRelease(a, b) => {
                let both = pool.and(vec![a, b]);
                self.some_until(pool, b, both)
            }
            // A state formula holds on a path where it does in its first state: some path has to begin there.
            _ => {
                let some = self.some_path(pool);
                pool.and(vec![self.known[&path], some])
            }
        }
    }

    /// `A φ`: as it is, where SMV has it and all paths are infinite; else as `¬E ¬φ`.
    fn forall(&self, pool: &mut Pool, path: FormulaId) -> FormulaId {
        let node = pool[self.known[&path]].clone();
        if self.paths != PathSemantics::Infinite {
            let all = pool.add(Formula::Forall(self.known[&path]));
            match node {
                Formula::Next(_) if self.paths == PathSemantics::Maximal => return pool.or(vec![self.dead, all]),
                Formula::Next(_) | Formula::Finally(_) | Formula::Globally(_) | Formula::Until(..) => return all,
                _ => {}
            }
        }
        let counterexample = match node {
            Formula::Next(a) => {
                let not = pool.not(a);
                self.some_next(pool, not)
            }
            Formula::Finally(a) => {
                let not = pool.not(a);
                self.some_always(pool, not)
            }
            Formula::Globally(a) => {
                let (not, always) = (pool.not(a), pool.add(Formula::True));
                self.some_until(pool, always, not)
            }
            Formula::Until(a, b) => {
                let (not_a, not_b) = (pool.not(a), pool.not(b));
                let neither = pool.and(vec![not_a, not_b]);
                self.some_weak_until(pool, not_b, neither)
            }
            Formula::WeakUntil(a, b) => {
                let (not_a, not_b) = (pool.not(a), pool.not(b));
                let neither = pool.and(vec![not_a, not_b]);
                self.some_until(pool, not_b, neither)
            }
            Formula::Release(a, b) => {
                let (not_a, not_b) = (pool.not(a), pool.not(b));
                self.some_until(pool, not_a, not_b)
            }
            Formula::StrongRelease(a, b) => {
                let (not_a, not_b) = (pool.not(a), pool.not(b));
                self.some_weak_until(pool, not_a, not_b)
            }
            _ => {
                let (not, some) = (pool.not(self.known[&path]), self.some_path(pool));
                pool.and(vec![not, some])
            }
        };
        pool.not(counterexample)
    }

    /// Where a path begins.
    fn some_path(&self, pool: &mut Pool) -> FormulaId {
        match self.paths {
            PathSemantics::Infinite => {
                let forever = pool.add(Formula::Globally(self.alive));
                pool.add(Formula::Exists(forever))
            }
            _ => pool.add(Formula::True),
        }
    }

    /// Where a formula holds, and a path begins.
    fn with_a_path(&self, pool: &mut Pool, formula: FormulaId) -> FormulaId {
        match self.paths {
            PathSemantics::Infinite => {
                let some = self.some_path(pool);
                pool.and(vec![formula, some])
            }
            _ => formula,
        }
    }

    fn some_next(&self, pool: &mut Pool, a: FormulaId) -> FormulaId {
        let target = self.with_a_path(pool, a);
        let next = pool.add(Formula::Next(target));
        let next = pool.add(Formula::Exists(next));
        match self.paths {
            PathSemantics::Maximal => pool.and(vec![self.alive, next]),
            _ => next,
        }
    }

    fn some_always(&self, pool: &mut Pool, a: FormulaId) -> FormulaId {
        let kept = match self.paths {
            PathSemantics::Infinite => pool.and(vec![a, self.alive]),
            _ => a,
        };
        let always = pool.add(Formula::Globally(kept));
        pool.add(Formula::Exists(always))
    }

    fn some_until(&self, pool: &mut Pool, a: FormulaId, b: FormulaId) -> FormulaId {
        let target = self.with_a_path(pool, b);
        let until = match pool[a] {
            Formula::True => Formula::Finally(target),
            _ => Formula::Until(a, target),
        };
        let until = pool.add(until);
        pool.add(Formula::Exists(until))
    }

    fn some_weak_until(&self, pool: &mut Pool, a: FormulaId, b: FormulaId) -> FormulaId {
        let (until, always) = (self.some_until(pool, a, b), self.some_always(pool, a));
        pool.or(vec![until, always])
    }
}

struct Printer<'a> {
    program: &'a Program,
    model: &'a dyn Kind,
    pool: &'a Pool,
    text: String,
}

impl Printer<'_> {
    fn formula(&mut self, id: FormulaId) -> Result<(), String> {
        if self.text.len() > LONGEST {
            return Err("it would be longer than a million characters".to_owned());
        }
        match self.pool[id].clone() {
            Formula::True => self.text.push_str("TRUE"),
            Formula::False => self.text.push_str("FALSE"),
            Formula::Deadlock | Formula::Still(_) => self.text.push_str(&self.program.deadlock),
            Formula::Enabled(actions) => {
                let actions = self.actions(&actions);
                let possible: Vec<String> =
                    actions.into_iter().map(|action| self.program.actions[action].possible.clone()).collect();
                let bracketed = !possible.is_empty();
                let text = disjunction(possible);
                self.text.push_str(&if bracketed { format!("({text})") } else { text });
            }
            Formula::Label(label) => match self.program.labels.get(label.index()) {
                Some((name, _)) => self.text.push_str(name),
                None => return Err("it has a condition that the program does not have".to_owned()),
            },
            Formula::Set(set) => return Err(format!("it names a set of states, %{}", set.name())),
            Formula::Compare(left, comparison, right) => self.comparison(left, comparison, right)?,
            Formula::Action(actions) => {
                let names: Vec<&str> = self
                    .actions(&actions)
                    .into_iter()
                    .map(|action| self.program.actions[action].name.as_str())
                    .collect();
                let text = match &names[..] {
                    [] => "FALSE".to_owned(),
                    names => format!("({} in {})", self.program.action, braces(names)),
                };
                self.text.push_str(&text);
            }
            Formula::Diamond(..) | Formula::Box(..) => {
                return Err("it speaks of steps under a quantifier, and inputs belong to LTL in SMV".to_owned());
            }
            Formula::Not(a) => self.prefix("!", a)?,
            Formula::And(operands) => self.infix(" & ", &operands)?,
            Formula::Or(operands) => self.infix(" | ", &operands)?,
            Formula::Implies(a, b) => self.infix(" -> ", &[a, b])?,
            Formula::Iff(a, b) => self.infix(" <-> ", &[a, b])?,
            Formula::Exists(path) => self.quantified("E", path)?,
            Formula::Forall(path) => self.quantified("A", path)?,
            Formula::Next(a) => self.prefix("X ", a)?,
            Formula::Finally(a) => self.prefix("F ", a)?,
            Formula::Globally(a) => self.prefix("G ", a)?,
            Formula::Until(a, b) => self.infix(" U ", &[a, b])?,
            Formula::Release(a, b) => self.infix(" V ", &[a, b])?,
            Formula::WeakUntil(a, b) => self.weak(a, b, " V ")?,
            Formula::StrongRelease(a, b) => self.weak(a, b, " U ")?,
            Formula::Yesterday(a) => self.prefix("Y ", a)?,
            Formula::WeakYesterday(a) => self.prefix("Z ", a)?,
            Formula::Since(a, b) => self.infix(" S ", &[a, b])?,
            Formula::Trigger(a, b) => self.infix(" T ", &[a, b])?,
        }
        Ok(())
    }

    /// `a W b` is `b V (a | b)`, and `a M b` is `b U (a & b)`.
    fn weak(&mut self, a: FormulaId, b: FormulaId, mark: &str) -> Result<(), String> {
        self.text.push('(');
        self.formula(b)?;
        self.text.push_str(mark);
        self.infix(if mark == " U " { " & " } else { " | " }, &[a, b])?;
        self.text.push(')');
        Ok(())
    }

    fn prefix(&mut self, mark: &str, operand: FormulaId) -> Result<(), String> {
        self.text.push_str(mark);
        self.text.push('(');
        self.formula(operand)?;
        self.text.push(')');
        Ok(())
    }

    fn infix(&mut self, mark: &str, operands: &[FormulaId]) -> Result<(), String> {
        self.text.push('(');
        for (number, &operand) in operands.iter().enumerate() {
            self.text.push_str(if number > 0 { mark } else { "" });
            self.formula(operand)?;
        }
        self.text.push(')');
        Ok(())
    }

    fn quantified(&mut self, quantifier: &str, path: FormulaId) -> Result<(), String> {
        self.text.push_str(quantifier);
        match self.pool[path] {
            Formula::Until(a, b) => {
                self.text.push_str(" [");
                self.formula(a)?;
                self.text.push_str(" U ");
                self.formula(b)?;
                self.text.push(']');
                Ok(())
            }
            _ => self.formula(path),
        }
    }

    /// The actions of the program for actions of the model.
    fn actions(&self, actions: &[TransitionId]) -> Vec<usize> {
        actions.iter().flat_map(|action| self.program.of_action[action.index()].iter().copied()).collect()
    }

    fn comparison(&mut self, left: ExprId, comparison: Comparison, right: ExprId) -> Result<(), String> {
        let mark = comparison.sign();
        // A name of a value stands for itself.
        for (expr, number) in [(left, right), (right, left)] {
            let (Expr::Tokens(places), &Expr::Const(number)) = (&self.pool[expr], &self.pool[number]) else { continue };
            if let ([place], "=" | "!=") = (&places[..], mark)
                && let Domain::Values(values) = &self.program.variables[place.index()].domain
            {
                let value = u64::try_from(number).ok().and_then(|number| values.get(&number));
                let text = match value {
                    Some(value) => format!("({} {mark} {value})", self.program.variables[place.index()].name),
                    None => if mark == "=" { "FALSE" } else { "TRUE" }.to_owned(),
                };
                self.text.push_str(&text);
                return Ok(());
            }
        }
        self.text.push('(');
        self.expression(left)?;
        self.text.push_str(&format!(" {mark} "));
        self.expression(right)?;
        self.text.push(')');
        Ok(())
    }

    fn expression(&mut self, id: ExprId) -> Result<(), String> {
        match self.pool[id].clone() {
            Expr::Const(number) => match i32::try_from(number) {
                Ok(number) => self.text.push_str(&number.to_string()),
                Err(_) => return Err(format!("numbers of SMV have 32 bits, and {number} has more")),
            },
            Expr::Tokens(places) => {
                let parts: Vec<String> = places.iter().map(|place| self.number(*place)).collect();
                let text = match &parts[..] {
                    [] => "0".to_owned(),
                    [only] => only.clone(),
                    parts => format!("({})", parts.join(" + ")),
                };
                self.text.push_str(&text);
            }
            Expr::Bounds(_) => return Err("it speaks of greatest sums, which no property of SMV does".to_owned()),
            Expr::Neg(a) => {
                self.text.push_str("-(");
                self.expression(a)?;
                self.text.push(')');
            }
            Expr::Add(operands) => {
                self.text.push('(');
                for (number, operand) in operands.into_iter().enumerate() {
                    self.text.push_str(if number > 0 { " + " } else { "" });
                    self.expression(operand)?;
                }
                self.text.push(')');
            }
            Expr::Mul(a, b) => {
                self.text.push('(');
                self.expression(a)?;
                self.text.push_str(" * ");
                self.expression(b)?;
                self.text.push(')');
            }
            Expr::Div(..) => return Err("it divides, which fails in SMV where a divisor may be 0".to_owned()),
        }
        Ok(())
    }

    /// The value of a variable of the model as a number.
    fn number(&self, variable: VariableId) -> String {
        let found = &self.program.variables[variable.index()];
        let Domain::Values(values) = &found.domain else { return found.name.clone() };
        let least = self.model.least(variable);
        let is_shifted = |(&value, text): (&u64, &String)| text.parse() == Ok(i128::from(value) + i128::from(least));
        if values.iter().all(is_shifted) {
            return if least == 0 { found.name.clone() } else { format!("({} - ({least}))", found.name) };
        }
        let cases = values.iter().map(|(value, text)| format!("{} = {text} : {value}; ", found.name));
        format!("(case {}esac)", cases.collect::<String>())
    }
}
