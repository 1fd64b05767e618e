//! Another program as the translator: it is given the formula and prints an automaton in HOA.
//!
//! The command is split into words at white space, with single and double quotes as in a shell; no shell runs.
//! `%f` in a word stands for the formula, in the syntax that Spot, LTL2BA and others read; a command without it
//! gets the formula as its last word. The program's standard output must be one automaton with (generalized)
//! Büchi acceptance. It runs under the caller's budget: when that is used up, the program is killed.

use super::ltl::{Formula, Formulas};
use super::translator::{refuse_past, verified};
use super::{Tgba, TranslationError, Translator, hoa};
use crate::budget::Budget;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Most bytes read from the program.
const MAX_OUTPUT: u64 = 64 << 20;
/// Time between two looks at the budget.
const INTERVAL: Duration = Duration::from_millis(5);
/// Most characters of the program's messages that are passed on.
const MAX_MESSAGE: usize = 200;

/// A program that translates.
///
/// ```
/// use starset::automaton::External;
/// let translator = External::new("ltl2tgba --low '--stats=%s' %f")?;
/// assert!(External::new("ltl2tgba 'open").is_err());
/// # Ok::<(), starset::automaton::TranslationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    command: String,
    program: String,
    arguments: Vec<String>,
}

impl External {
    /// Reads a command. Whether there is such a program shows when it is run.
    pub fn new(command: &str) -> Result<External, TranslationError> {
        let wrong = |message: &str| TranslationError::Tool { tool: command.to_owned(), message: message.to_owned() };
        let mut words = words(command).ok_or_else(|| wrong("a quotation in this command is not closed"))?.into_iter();
        let program = words.next().filter(|p| !p.is_empty()).ok_or_else(|| wrong("there is no command"))?;
        Ok(External { command: command.to_owned(), program, arguments: words.collect() })
    }

    fn wrong(&self, message: impl Into<String>) -> TranslationError {
        TranslationError::Tool { tool: self.command.clone(), message: message.into() }
    }

    fn run(&self, formula: &str, budget: &Budget) -> Result<String, TranslationError> {
        let mut command = Command::new(&self.program);
        command.args(self.arguments.iter().map(|word| word.replace("%f", formula)));
        if !self.arguments.iter().any(|word| word.contains("%f")) {
            command.arg(formula);
        }
        let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = started.map_err(|e| self.wrong(format!("cannot run `{}`: {e}", self.program)))?;
        let (out, messages) = (read(child.stdout.take()), read(child.stderr.take()));
        let ended = self.wait(&mut child, &out, budget);
        if ended.is_err() {
            // It may have ended by itself by now; there is nothing else to do about it.
            let _ = child.kill();
            let _ = child.wait();
        }
        let (status, text) = ended?;
        if !status.success() {
            let messages = messages.recv_timeout(INTERVAL).ok().and_then(Result::ok).unwrap_or_default();
            let first: String = messages.trim().lines().next().unwrap_or("").chars().take(MAX_MESSAGE).collect();
            let separator = if first.is_empty() { "" } else { ": " };
            return Err(self.wrong(format!("it failed ({status}){separator}{first}")));
        }
        Ok(text)
    }

    /// Waits for the output and the end of the program.
    fn wait(
        &self,
        child: &mut Child,
        out: &Receiver<io::Result<String>>,
        budget: &Budget,
    ) -> Result<(ExitStatus, String), TranslationError> {
        let text = loop {
            match out.recv_timeout(INTERVAL) {
                Ok(Ok(text)) if text.len() as u64 >= MAX_OUTPUT => return Err(self.wrong("its output is too long")),
                Ok(Ok(text)) => break text,
                Ok(Err(e)) => return Err(self.wrong(format!("its output cannot be read: {e}"))),
                Err(RecvTimeoutError::Timeout) => budget.check()?,
                Err(RecvTimeoutError::Disconnected) => return Err(self.wrong("its output cannot be read")),
            }
        };
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok((status, text)),
                Ok(None) => {}
                Err(e) => return Err(self.wrong(format!("it cannot be waited for: {e}"))),
            }
            budget.check()?;
            thread::sleep(INTERVAL);
        }
    }
}

impl Translator for External {
    fn automaton(&self, store: &mut Formulas, formula: Formula, budget: &Budget) -> Result<Tgba, TranslationError> {
        if !store.has(formula) {
            return Err(TranslationError::Foreign);
        }
        refuse_past(&self.command, store, formula)?;
        let output = self.run(&store.text(formula), budget)?;
        let automaton =
            hoa::read(&output).map_err(|e| self.wrong(format!("its output is not an automaton that fits: {e}")))?;
        verified(&self.command, &automaton, store, formula, budget)
    }
}

/// Reads a stream to its end on a thread of its own, so that a program that fills a pipe cannot block.
fn read(stream: Option<impl Read + Send + 'static>) -> Receiver<io::Result<String>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut text = String::new();
        let result = match stream {
            Some(stream) => stream.take(MAX_OUTPUT).read_to_string(&mut text).map(|_| text),
            None => Ok(text),
        };
        // Nobody waits any more when the program was killed.
        let _ = sender.send(result);
    });
    receiver
}

/// The words of a command; `None` when a quotation is not closed.
fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn commands_are_split_as_in_a_shell() {
        assert_eq!(words("  a 'b c'  \"d'e\"f '' ").unwrap(), ["a", "b c", "d'ef", ""]);
        assert_eq!(words("").unwrap(), [""; 0]);
        assert!(words("a 'b").is_none());
        for command in ["", "  ", "''", "a \"b"] {
            assert!(External::new(command).is_err(), "{command:?}");
        }
    }

    /// The answer of a shell script that gets the formula as `$1`.
    #[cfg(unix)]
    fn answer(script: &str, formula: &str, budget: &Budget) -> Result<Tgba, TranslationError> {
        let mut store = Formulas::new();
        let formula = store.parse(formula).unwrap();
        External::new(&format!("sh -c \"{script}\" script")).unwrap().automaton(&mut store, formula, budget)
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_run_and_their_defects_reported() {
        let always = |_: &str| "HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--".to_owned();
        let echo = |text: &str| format!("echo '{text}'");
        let unlimited = Budget::unlimited();
        assert_eq!(answer(&echo(&always("")), "1", &unlimited).unwrap().location_count(), 1);
        let error = |script: &str| answer(script, "a U b", &unlimited).unwrap_err().to_string();
        assert!(error("echo no such thing >&2; exit 3").ends_with("exit status: 3): no such thing"));
        assert!(error("exit 1").ends_with("it failed (exit status: 1)"));
        assert!(error("true").contains("not an automaton"));
        assert!(error("echo neverclaim").contains("line 1, column 1"));
        let unknown = always("").replace("0 t", "2 Fin(0)&Often(1)");
        assert!(error(&echo(&unknown)).contains("expected `Inf`"));
        assert!(error(&echo(&always(""))).contains("it accepts"), "{}", error(&echo(&always(""))));
        let missing = External::new("/nonexistent/translator").unwrap();
        let mut store = Formulas::new();
        let formula = store.parse("a").unwrap();
        let text = missing.automaton(&mut store, formula, &unlimited).unwrap_err().to_string();
        assert!(text.starts_with("translator `/nonexistent/translator`: cannot run"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn the_formula_is_given_where_it_is_wanted() {
        let mut store = Formulas::new();
        let formula = store.parse("a U b").unwrap();
        let text = store.text(formula);
        let ran = |command: &str| External::new(command).unwrap().run(&text, &Budget::unlimited()).unwrap();
        assert_eq!(ran("echo x"), "x a U b\n");
        assert_eq!(ran("echo %f x 'f=%f'"), "a U b x f=a U b\n");
    }

    #[cfg(unix)]
    #[test]
    fn slow_programs_are_killed() {
        let budget = Budget::unlimited().with_time(Duration::from_millis(100));
        let started = std::time::Instant::now();
        let error = answer("exec sleep 60", "a", &budget).unwrap_err();
        assert!(matches!(error, TranslationError::Exhausted(crate::budget::Exhausted::Time)));
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}
