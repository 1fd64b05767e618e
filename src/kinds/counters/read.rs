//! Reading counter machines: a line for the control, for each counter, for each transition.
//!
//! ```text
//! # A buffer of three, and a consumer that rests between two items.
//! machine buffer
//! control consumer = resting eating
//! counter free = 3
//! counter full = 0
//! produce: when free >= 1 do free -= 1, full += 1
//! take: resting -> eating when full > 0 do full -= 1, free += 1
//! rest: eating -> resting
//! ```
//!
//! The first control state is where the machine starts. Tests are `x = n`, `<`, `<=`, `>`, `>=`; updates are `x += n` and
//! `x -= n`. A counter is never below 0: `x -= 2` tests `x >= 2`, too. Names consist of letters, digits, `_` and `.`.

use super::{Control, Counter, CounterMachine, OnCounter, Transition};
use crate::budget::Budget;
use crate::kinds::reading::text;
use crate::kinds::{Loaded, ReadError, Reading, TextError};
use std::path::{Path, PathBuf};

/// A counter machine in a file.
pub(in crate::kinds) fn counters(paths: &[PathBuf], _: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let (text, file) = text(paths.first().ok_or(ReadError::Nothing)?)?;
    Ok(Loaded::new(read_counters(&text, &file)?))
}

/// Read a machine; `file` is its name in messages and, without its extension, that of a machine without a name.
///
/// ```
/// use starset::kinds::counters::read_counters;
/// let machine = read_counters("counter x = 2\ndown: do x -= 1\n", "down.counters").unwrap();
/// assert_eq!((machine.name(), machine.counters()[0].initial), ("down", 2));
/// ```
///
/// # Errors
/// [`TextError`] where the text is not of this form.
pub fn read_counters(text: &str, file: &str) -> Result<CounterMachine, TextError> {
    let stem = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    let (mut name, mut control, mut counters, mut transitions) = (stem.into_owned(), None, Vec::new(), Vec::new());
    let mut last = 1;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = Words { rest: line.trim() };
        let error = |message: String| TextError::new(file, number, message);
        if words.rest.is_empty() {
            continue;
        }
        last = number;
        let transition = words.rest.split_once(':').is_some();
        if !transition && words.take("machine") {
            name = words.name("a name").map_err(error)?;
        } else if !transition && words.take("control") {
            let (variable, mut states) = (words.name("a name").map_err(error)?, Vec::new());
            words.expect("=").map_err(error)?;
            while !words.rest.is_empty() {
                states.push(words.name("a control state").map_err(error)?);
            }
            if control.replace(Control { name: variable, states }).is_some() {
                return Err(error("there is a control already; a machine has one".to_owned()));
            }
        } else if !transition && words.take("counter") {
            let counter = words.name("the name of a counter").map_err(error)?;
            words.expect("=").map_err(error)?;
            counters.push(Counter { name: counter, initial: words.number().map_err(error)? });
        } else {
            let known = Known { control: control.as_ref(), counters: &counters };
            transitions.push(known.transition(&mut words).map_err(error)?);
        }
        if !words.rest.is_empty() {
            return Err(error(format!("expected the end of the line, found `{}`", words.rest)));
        }
    }
    CounterMachine::new(name, control, counters, transitions).map_err(|e| TextError::new(file, last, e.to_string()))
}

/// The rest of a line.
struct Words<'t> {
    rest: &'t str,
}

impl<'t> Words<'t> {
    /// The length of the name or number that is next.
    fn length(&self) -> usize {
        self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(self.rest.len())
    }

    fn skip(&mut self, length: usize) -> &'t str {
        let (skipped, rest) = self.rest.split_at(length);
        self.rest = rest.trim_start();
        skipped
    }

    /// Skip a word or sign, if it is next.
    fn take(&mut self, word: &str) -> bool {
        let is_word = word.starts_with(char::is_alphabetic);
        let fits = if is_word { &self.rest[..self.length()] == word } else { self.rest.starts_with(word) };
        if fits {
            self.skip(word.len());
        }
        fits
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        if self.take(word) { Ok(()) } else { Err(format!("expected `{word}`, found `{}`", self.rest)) }
    }

    fn name(&mut self, what: &str) -> Result<String, String> {
        match self.length() {
            0 => Err(format!("expected {what}, found `{}`", self.rest)),
            length => Ok(self.skip(length).to_owned()),
        }
    }

    fn number(&mut self) -> Result<u64, String> {
        let word = self.skip(self.length());
        word.parse().map_err(|_| format!("expected a number, found `{word}{}`", self.rest))
    }
}

/// The names that transitions may use.
struct Known<'a> {
    control: Option<&'a Control>,
    counters: &'a [Counter],
}

impl Known<'_> {
    /// `NAME: FROM -> TO when TESTS do UPDATES`, all but the name if need be.
    fn transition(&self, words: &mut Words<'_>) -> Result<Transition, String> {
        let name = words.name("`machine`, `control`, `counter` or a transition")?;
        words.expect(":")?;
        let mut transition = Transition { name, control: None, counters: Vec::new() };
        let keyword = |words: &Words<'_>| matches!(&words.rest[..words.length()], "" | "when" | "do");
        if !keyword(words) {
            let from = self.state(words)?;
            words.expect("->")?;
            transition.control = Some((from, self.state(words)?));
        }
        if words.take("when") {
            self.list(words, &mut transition, Self::test)?;
        }
        if words.take("do") {
            self.list(words, &mut transition, Self::update)?;
        }
        Ok(transition)
    }

    fn state(&self, words: &mut Words<'_>) -> Result<u32, String> {
        let name = words.name("a control state, `when` or `do`")?;
        let states = self.control.map_or(&[][..], |control| &control.states);
        let number = states.iter().position(|state| *state == name);
        number.map(|number| number as u32).ok_or_else(|| format!("there is no control state `{name}` above this line"))
    }

    /// Items with commas between them, each about a counter.
    fn list(
        &self,
        words: &mut Words<'_>,
        transition: &mut Transition,
        item: fn(&mut Words<'_>, &mut OnCounter) -> Result<(), String>,
    ) -> Result<(), String> {
        loop {
            let name = words.name("the name of a counter")?;
            let number = self.counters.iter().position(|counter| counter.name == name);
            let counter = number.ok_or_else(|| format!("there is no counter `{name}` above this line"))?;
            let known = transition.counters.iter().position(|on| on.counter == counter);
            let place = known.unwrap_or_else(|| {
                transition.counters.push(OnCounter { counter, least: 0, below: None, change: 0 });
                transition.counters.len() - 1
            });
            item(words, &mut transition.counters[place])?;
            if !words.take(",") {
                return Ok(());
            }
        }
    }

    fn test(words: &mut Words<'_>, on: &mut OnCounter) -> Result<(), String> {
        let Some(sign) = ["<=", ">=", "<", ">", "="].into_iter().find(|sign| words.take(sign)) else {
            return Err(format!("expected a comparison, found `{}`", words.rest));
        };
        let number = words.number()?;
        let next = number.saturating_add(1);
        let (least, below) = match sign {
            "<=" => (0, Some(next)),
            ">=" => (number, None),
            "<" => (0, Some(number)),
            ">" => (next, None),
            _ => (number, Some(next)),
        };
        on.least = on.least.max(least);
        on.below = match (on.below, below) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Ok(())
    }

    fn update(words: &mut Words<'_>, on: &mut OnCounter) -> Result<(), String> {
        let sign = if words.take("-=") { -1 } else { 1 };
        if sign > 0 {
            words.expect("+=")?;
        }
        let change = i64::try_from(words.number()?).ok().and_then(|number| on.change.checked_add(sign * number));
        on.change = change.ok_or("the number is too large")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::kinds::{Kind as _, Writing};

    const BUFFER: &str = include_str!("../../../models/buffer.counters");

    #[test]
    fn what_is_written_is_read_back() {
        let machine = read_counters(BUFFER, "x.counters").unwrap();
        assert_eq!((machine.name(), machine.counters().len(), machine.transitions().len()), ("buffer", 2, 4));
        assert_eq!(machine.control().unwrap().states, ["resting", "eating", "gone"]);
        let mut text = Vec::new();
        machine.write("counters", &Writing::default(), &Budget::unlimited(), &mut text).unwrap();
        assert_eq!(read_counters(std::str::from_utf8(&text).unwrap(), "x.counters").unwrap(), machine);
        let on = |tests: &str| {
            let text = format!("counter x = 2\nt: when {tests}\n");
            let machine = read_counters(&text, "x").unwrap();
            let OnCounter { least, below, .. } = machine.transitions()[0].counters[0];
            (least, below)
        };
        assert_eq!((on("x=0"), on("x > 1,x<=4"), on("x>=3, x < 9, x<7")), ((0, Some(1)), (2, Some(5)), (3, Some(7))));
    }

    #[test]
    fn wrong_files_are_refused() {
        for (text, line, message) in [
            ("", 1, "there is no counter and no control state"),
            ("\ncounter x = -1\n", 2, "expected a number, found `-1`"),
            ("counter x 1\n", 1, "expected `=`, found `1`"),
            ("control at =\n", 1, "names a counter or a control state that is not there"),
            ("control at = a\ncontrol of = b\n", 2, "there is a control already"),
            ("counter x = 1\n\nt: a -> b\n", 3, "there is no control state `a` above this line"),
            ("t: do x += 1\ncounter x = 0\n", 1, "there is no counter `x` above this line"),
            ("counter x = 1\nt: when x ! 1\n", 2, "expected a comparison, found `! 1`"),
            ("counter x = 1\nt: do x = 1\n", 2, "expected `+=`, found `= 1`"),
            ("counter x = 1\nt: do x += 1 x += 2\n", 2, "expected the end of the line, found `x += 2`"),
            ("counter x = 1\nhello\n", 2, "expected `:`, found ``"),
            ("counter x = 1\ncounter x = 1\n", 2, "two things are called `x`"),
            ("counter x = 99999999999\n", 1, "a number of counter `x` is above 2^31"),
        ] {
            let error = read_counters(text, "f").unwrap_err();
            assert!(error.message.contains(message) && error.line == line, "{text}: {error}");
        }
    }
}
