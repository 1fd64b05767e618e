//! Reading networks from the Promela files of the RERS generator.
//!
//! Promela is a programming language; this is no interpreter of it. The generator writes each transition system
//! as a process of one shape: an integer `state`, and a loop with one guarded `if` for each state, whose options
//! each wait on a channel for a label and then set the state. From a file of exactly this shape the transition
//! systems can be read off; everything else is refused.
//!
//! Checks beside the shape: a label of one process is offered by the environment on the channel where
//! that process waits for it, and a label of two processes is sent by one to the other on one channel. Then the
//! processes do together what the network of the transition systems does. `nop` is the empty label: the one
//! edge with it leaves the value that `state` has at first and leads to the state the system starts in. What
//! the listener does, and the `#define` lines, are about formulas of Spin and have no meaning here.

use super::{Component, Network, ReadError};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Read a network; `file` is its name in messages and, without its extension, that of the network.
///
/// ```
/// let text = "
///     mtype = { nop, go };  chan p0 = [0] of {mtype};
///     active proctype Environment() { do :: p0 ! nop :: p0 ! go od }
///     active proctype Proc0() {
///       int state = 7;
///       do
///       :: state == 7 -> atomic { if :: p0 ? nop -> state = 8; fi }
///       :: state == 8 -> atomic { if :: p0 ? go -> act ! go; state = 8; fi }
///       od
///     }";
/// let network = starset::kinds::network::read_pml(text, "loop.pml").unwrap();
/// assert_eq!(network.components()[0].edges, [(0, "go".to_owned(), 0)]);
/// ```
///
/// # Errors
/// [`ReadError`] where the text is not of this shape.
pub fn read_pml(text: &str, file: &str) -> Result<Network, ReadError> {
    let tokens = tokens(text, file)?;
    let mut reader = Reader {
        file,
        tokens: &tokens,
        at: 0,
        labels: FxHashSet::default(),
        channels: FxHashSet::default(),
        offers: FxHashSet::default(),
        uses: BTreeMap::new(),
    };
    let mut components = Vec::new();
    while reader.at < tokens.len() {
        components.extend(reader.declaration(components.len())?);
    }
    reader.synchronisation()?;
    let stem = std::path::Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    Network::new(stem, components).map_err(|error| ReadError::new(file, reader.line(), error.to_string()))
}

/// The remedy for a file of another shape.
const REMEDY: &str = "starset reads transition systems from Promela files as the RERS generator writes them, not \
                      Promela in general; use the .dot file of the system";

/// A token with its line.
type Token<'a> = (usize, &'a str);

/// Words, numbers and signs; comments and `#define` lines left out.
fn tokens<'a>(text: &'a str, file: &str) -> Result<Vec<Token<'a>>, ReadError> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(c) = rest.chars().next() {
        let length = if let Some(inside) = rest.strip_prefix("/*") {
            let Some(length) = inside.find("*/") else {
                return Err(ReadError::new(file, line, "this comment is not closed; add */"));
            };
            length + 4
        } else if c == '#' || rest.starts_with("//") {
            let define = rest.strip_prefix('#').is_none_or(|rest| rest.trim_start().starts_with("define"));
            if !define {
                return Err(ReadError::new(file, line, format!("unexpected preprocessor directive: {REMEDY}")));
            }
            rest.find('\n').unwrap_or(rest.len())
        } else if c.is_whitespace() {
            c.len_utf8()
        } else {
            let length = if in_word(c) {
                rest.find(|c| !in_word(c)).unwrap_or(rest.len())
            } else if ["::", "->", "=="].iter().any(|sign| rest.starts_with(sign)) {
                2
            } else {
                c.len_utf8()
            };
            tokens.push((line, &rest[..length]));
            length
        };
        let (read, after) = rest.split_at(length);
        line += read.matches('\n').count();
        rest = after;
    }
    Ok(tokens)
}

/// Who waits for a label, on which channel, and whether as its sender.
type Use<'a> = (usize, &'a str, bool);

struct Reader<'a, 'f> {
    file: &'f str,
    tokens: &'a [Token<'a>],
    at: usize,
    /// Labels declared.
    labels: FxHashSet<&'a str>,
    /// Channels declared.
    channels: FxHashSet<&'a str>,
    /// Channel and label of what the environment sends.
    offers: FxHashSet<(&'a str, &'a str)>,
    /// By label, how it is used, each with the first line that does so.
    uses: BTreeMap<&'a str, FxHashMap<Use<'a>, usize>>,
}

impl<'a> Reader<'a, '_> {
    /// The line of the next token, or the last one.
    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |token| token.0)
    }

    fn error<T>(&self, message: &str) -> Result<T, ReadError> {
        Err(ReadError::new(self.file, self.line(), format!("{message}: {REMEDY}")))
    }

    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |token| token.1)
    }

    fn expect(&mut self, expected: &[&str]) -> Result<(), ReadError> {
        for &expected in expected {
            let found = self.peek();
            if found != expected {
                return match found {
                    "" => self.error(&format!("the file ends where `{expected}` is expected")),
                    found => self.error(&format!("expected `{expected}`, found `{found}`")),
                };
            }
            self.at += 1;
        }
        Ok(())
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = self.peek() == sign;
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, what: &str) -> Result<&'a str, ReadError> {
        let word = self.peek();
        if !word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return self.error(&format!("expected {what}, found `{word}`"));
        }
        self.at += 1;
        Ok(word)
    }

    fn number(&mut self) -> Result<u64, ReadError> {
        let Ok(number) = self.peek().parse() else {
            return self.error(&format!("expected the number of a state, found `{}`", self.peek()));
        };
        self.at += 1;
        Ok(number)
    }

    /// A declared channel, with the sign after it, and a declared label.
    fn communication(&mut self) -> Result<(&'a str, bool, &'a str), ReadError> {
        let channel = self.word("a channel")?;
        if !self.channels.contains(channel) {
            self.at -= 1;
            return self.error(&format!("there is no channel `{channel}`"));
        }
        let sends = self.peek() == "!";
        self.expect(&[if sends { "!" } else { "?" }])?;
        let label = self.word("a label")?;
        if !self.labels.contains(label) {
            self.at -= 1;
            return self.error(&format!("`{label}` is not declared as an mtype"));
        }
        Ok((channel, sends, label))
    }

    /// One declaration: a component, if it is a process that stands for one.
    fn declaration(&mut self, number: usize) -> Result<Option<Component>, ReadError> {
        match self.peek() {
            "mtype" => {
                self.at += 1;
                if !self.accept("=") {
                    self.expect(&["lastAction", "=", "nop", ";"])?;
                    return Ok(None);
                }
                self.expect(&["{"])?;
                loop {
                    let label = self.word("a label")?;
                    self.labels.insert(label);
                    if !self.accept(",") {
                        break;
                    }
                }
                self.expect(&["}", ";"])?;
            }
            "chan" => {
                self.at += 1;
                let channel = self.word("a channel")?;
                self.channels.insert(channel);
                self.expect(&["=", "[", "0", "]", "of", "{", "mtype", "}", ";"])?;
            }
            "active" => {
                self.expect(&["active", "proctype"])?;
                let name = self.word("the name of a process")?;
                let component = name.strip_prefix("Proc").filter(|digits| digits.parse::<u32>().is_ok());
                if component.is_none() && !matches!(name, "Environment" | "Listener") {
                    self.at -= 1;
                    return self.error(&format!("there is no place for a process called `{name}`"));
                }
                self.expect(&["(", ")", "{"])?;
                match component {
                    Some(digits) => return self.process(format!("component{digits}"), number).map(Some),
                    None if name == "Environment" => self.environment()?,
                    None => {
                        self.expect(&["atomic", "{", "do", "::", "act", "?", "lastAction", "->"])?;
                        self.expect(&["step", ":", "skip", "od", "}", "}"])?;
                    }
                }
            }
            other => return self.error(&format!("expected a declaration, found `{other}`")),
        }
        Ok(None)
    }

    fn environment(&mut self) -> Result<(), ReadError> {
        self.expect(&["do"])?;
        while self.accept("::") {
            let (channel, sends, label) = self.communication()?;
            if !sends {
                return self.error("the environment only sends");
            }
            self.offers.insert((channel, label));
        }
        self.expect(&["od", "}"])
    }

    /// A process that stands for the component with this number.
    fn process(&mut self, name: String, number: usize) -> Result<Component, ReadError> {
        let line = self.line();
        self.expect(&["int", "state", "="])?;
        let root = self.number()?;
        self.expect(&[";", "do"])?;
        let mut edges: Vec<(u64, &'a str, u64)> = Vec::new();
        let mut start = None;
        while self.accept("::") {
            self.expect(&["state", "=="])?;
            let source = self.number()?;
            self.expect(&["->", "atomic", "{", "if"])?;
            while self.accept("::") {
                let line = self.line();
                let (channel, sends, label) = self.communication()?;
                self.expect(&["->"])?;
                if self.accept("act") {
                    self.expect(&["!", label, ";"])?;
                }
                self.expect(&["state", "="])?;
                let target = self.number()?;
                self.expect(&[";"])?;
                if label != "nop" {
                    edges.push((source, label, target));
                    self.uses.entry(label).or_default().entry((number, channel, sends)).or_insert(line);
                } else if source != root || start.is_some() || sends || !self.offers.contains(&(channel, label)) {
                    return self.error("`nop` marks the start of a process and is received once, at first");
                } else {
                    start = Some(target);
                }
            }
            self.expect(&["fi", "}"])?;
        }
        self.expect(&["od", "}"])?;
        let wrong = |message: &str| Err(ReadError::new(self.file, line, format!("{name} {message}: {REMEDY}")));
        let Some(start) = start else { return wrong("does not start with `nop`") };
        if start == root || edges.iter().any(|edge| edge.0 == root || edge.2 == root) {
            return wrong("comes back to the state before its start");
        }
        let mut states: Vec<u64> = edges.iter().flat_map(|edge| [edge.0, edge.2]).chain([start]).collect();
        states.sort_unstable();
        states.dedup();
        let index = |state: u64| states.binary_search(&state).unwrap_or_default() as u32;
        let edges = edges.iter().map(|&(source, label, target)| (index(source), label.to_owned(), index(target)));
        let (edges, initial) = (edges.collect(), index(start));
        Ok(Component { name, states: states.iter().map(u64::to_string).collect(), initial, edges })
    }

    /// Do the channels make of each label what a network makes of it?
    fn synchronisation(&self) -> Result<(), ReadError> {
        for (label, uses) in &self.uses {
            let line = uses.values().copied().min().unwrap_or(1);
            let wrong = |what: &str| Err(ReadError::new(self.file, line, format!("label `{label}` {what}: {REMEDY}")));
            let all: Vec<&Use<'_>> = uses.keys().collect();
            match all[..] {
                [&(_, channel, sends)] => {
                    if sends || !self.offers.contains(&(channel, label)) {
                        return wrong("is not offered by the environment where a process waits for it");
                    }
                }
                [one, other] if one.0 != other.0 && one.1 == other.1 && one.2 != other.2 => {
                    if self.offers.contains(&(one.1, label)) {
                        return wrong("is sent by a process and by the environment");
                    }
                }
                _ => return wrong("is not one that two processes share, or one that a process has for itself"),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const PIPE: &str = "mtype = { nop, send, get };
chan p1_0 = [0] of {mtype};
chan p0 = [0] of {mtype};
chan p1 = [0] of {mtype};
active proctype Environment()
{
  do
  :: p0 ! nop
  :: p1 ! nop
  :: p1 ! get
  od
}
chan act = [0] of {mtype};
mtype lastAction = nop; /* the last
 one */
active proctype Listener() { atomic { do :: act ? lastAction -> step: skip od } }
active proctype Proc0()
{
  int state = 0;
  do
  :: state == 0 -> atomic { if :: p0 ? nop -> state = 2; fi }
  :: state == 2 -> atomic { if :: p1_0 ! send -> state = 2; fi }
  od
}
active proctype Proc1()
{
  int state = 3;
  do
  :: state == 3 -> atomic { if :: p1 ? nop -> state = 5; fi }
  :: state == 5 -> atomic { if :: p1_0 ? send -> act ! send; state = 4; fi }
  :: state == 4 -> atomic { if :: p1 ? get -> act ! get; state = 5; fi }
  od
}
#define psend (lastAction == send)
";

    #[test]
    fn reads_the_shape_of_the_generator() {
        let network = read_pml(PIPE, "pipe.pml").unwrap();
        assert_eq!((network.name(), network.components().len(), network.shared_label_count()), ("pipe", 2, 1));
        let second = &network.components()[1];
        assert_eq!((second.name.as_str(), second.initial), ("component1", 1));
        assert_eq!(second.states, ["4", "5"]);
        assert_eq!(second.edges, [(1, "send".to_owned(), 0), (0, "get".to_owned(), 1)]);
    }

    #[test]
    fn refuses_everything_else_with_its_line() {
        let cases = [
            ("chan p1 = [0] of {mtype};", "chan p1 = [2] of {mtype};", 4, "expected `0`, found `2`"),
            ("active proctype Proc1()", "active proctype Extra()", 25, "no place for a process called `Extra`"),
            ("p1 ? get ->", "p1 ? got ->", 31, "`got` is not declared as an mtype"),
            ("p1 ? get ->", "p2 ? get ->", 31, "there is no channel `p2`"),
            ("  :: p1 ! get\n", "", 30, "label `get` is not offered by the environment"),
            ("act ! get; state = 5", "act ! send; state = 5", 31, "expected `get`, found `send`"),
            ("p1_0 ! send -> state = 2", "p1_0 ? send -> state = 2", 22, "label `send` is not one that two"),
            ("  :: p1 ! get\n", "  :: p1 ! get :: p1_0 ! send\n", 22, "`send` is sent by a process and by the"),
            ("p1_0 ! send -> state = 2", "p1_0 ! send -> state = 0", 19, "component0 comes back to the state before"),
            ("p0 ? nop -> state = 2", "p1_0 ? send -> state = 2", 19, "component0 does not start with `nop`"),
            ("p0 ? nop -> state = 2", "p1_0 ? nop -> state = 2", 21, "`nop` marks the start"),
            ("#define psend", "#include \"x\"\n", 34, "unexpected preprocessor directive"),
            ("#define psend", "ltl p { [] true }\n#define psend", 34, "expected a declaration, found `ltl`"),
            ("state = 4;", "state = state + 1;", 30, "expected the number of a state, found `state`"),
            ("  od\n}\n#define psend (lastAction == send)\n", "", 31, "the file ends where `od` is expected"),
            ("/* the last", "/ the last", 14, "expected a declaration, found `/`"),
            (" one */", " one", 14, "this comment is not closed"),
        ];
        for (from, to, line, message) in cases {
            assert!(PIPE.contains(from), "{from}");
            let error = read_pml(&PIPE.replace(from, to), "f.pml").unwrap_err();
            assert!(error.message.contains(message), "{message}: {error}");
            assert_eq!(error.line, line, "{error}");
        }
        assert!(read_pml("", "f.pml").unwrap_err().message.contains("no component"));
    }
}
