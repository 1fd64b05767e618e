//! Saving a set to a file and loading it again.
//!
//! The format is text, UTF-8, one item per line, so that other programs can read and write it:
//!
//! ```text
//! starset-set 1                 magic word and version; 2 if some component has names of values
//! model NAME                    free text: what the set was computed from
//! formula TEXT                  free text: what it is the set of (may be empty)
//! levels N                      number of components
//! level OFFSET NAME             N lines, from the top: component name; OFFSET is added to its values
//! values K                      version 2, after each `level`: so many names follow, none if values are numbers
//! value NAME                    K lines: the names of the values 0, 1, …
//! layer W                       for each level from the bottom: number of nodes, then one line per node:
//! V:C V:C …                     values, increasing, each with the index of the child in the layer below
//! root I                        index of the root in the top layer, or `empty`
//! check H                       checksum of all lines before: FNV-1a of 64 bits, 16 hexadecimal digits
//! end
//! ```
//!
//! The layer below the last level has one node, index 0 (the empty tuple). A line break or backslash in a
//! name or text is written `\n` or `\\`. The final `end` shows that the file is complete; the line `check` may
//! be missing in a file that another program wrote. See `docs/set-format.md`.

use super::count::Layers;
use super::set::{Mdd, MddManager};
use super::transfer::{Change, TransferError};
use crate::budget::{Budget, Exhausted};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

/// The checksum FNV-1a (Fowler, Noll, Vo; RFC 9923) of what passes.
#[derive(Clone, Copy)]
struct Checksum(u64);

impl Checksum {
    const START: Checksum = Checksum(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// A writer with the checksum of what was written.
struct Checked<W> {
    out: W,
    checksum: Checksum,
}

impl<W: Write> Write for Checked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.checksum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The reason why a saved set cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read the saved set: {0}")]
    Io(#[from] io::Error),
    /// The file is not a saved set, or damaged.
    #[error("line {line}: {problem}")]
    Format {
        /// Line number, from 1.
        line: usize,
        /// The problem there.
        problem: String,
    },
    /// The budget was used up while the diagram was built.
    #[error("loading the set: {0}")]
    Exhausted(#[from] Exhausted),
}

/// The reason why two saved sets cannot be combined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// A component of one set does not exist in the other.
    #[error("the set of model {1} has no `{0}`: the two sets are of different models")]
    Component(String, String),
    /// Two components, or two values of one, have the same name.
    #[error("two components of the set of model {1} are called `{0}`, or two of their values")]
    Repeated(String, String),
    /// A value of a component in a state of one set does not exist in the other.
    #[error("`{component}` has no value `{value}` in the set of model {model}: the two sets are of different models")]
    Value {
        /// Name of the component.
        component: String,
        /// Name of the value.
        value: String,
        /// The model of the other set.
        model: String,
    },
    /// The values of a component have names in one set only.
    #[error("the values of `{0}` have names in one of the sets only: save the other one again")]
    Unnamed(String),
    /// The set cannot be copied.
    #[error(transparent)]
    Transfer(#[from] TransferError),
}

/// A set with what its file says about it.
#[derive(Debug, Clone)]
pub struct SavedSet {
    /// Name of the model of the set.
    pub model: String,
    /// The formula of the set; empty if none was given.
    pub formula: String,
    /// Name of each component, from the top level.
    pub names: Vec<String>,
    /// Number added to the values of each component.
    pub offsets: Vec<i128>,
    /// Names of the values of each component (0, 1, …); empty if they are numbers.
    pub values: Vec<Vec<String>>,
    /// The set.
    pub set: Mdd,
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            (c, false) => out.push(c),
        }
    }
    out
}

impl SavedSet {
    /// Write the set; the format is described in the source of this module and in the user documentation.
    ///
    /// # Errors
    /// Those of the writer, and when there is not one name and one offset for each level.
    pub fn save(&self, out: impl Write) -> io::Result<()> {
        let mut out = Checked { out, checksum: Checksum::START };
        let levels = self.set.space().levels() as usize;
        let lengths = [self.names.len(), self.offsets.len(), self.values.len()];
        if lengths != [levels; 3] {
            let problem = format!("{lengths:?} names, offsets and names of values for {levels} levels");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        let version = if self.values.iter().all(Vec::is_empty) { 1 } else { 2 };
        writeln!(out, "starset-set {version}\nmodel {}\nformula {}", escape(&self.model), escape(&self.formula))?;
        writeln!(out, "levels {}", self.names.len())?;
        for ((name, offset), values) in self.names.iter().zip(&self.offsets).zip(&self.values) {
            writeln!(out, "level {offset} {}", escape(name))?;
            if version == 2 {
                writeln!(out, "values {}", values.len())?;
                values.iter().try_for_each(|value| writeln!(out, "value {}", escape(value)))?;
            }
        }
        let layers = self.set.read(Layers::of);
        let mut line = String::new();
        for layer in layers.rows.iter().rev() {
            writeln!(out, "layer {}", layer.width())?;
            for pairs in layer.nodes() {
                line.clear();
                for (i, (value, child)) in pairs.iter().enumerate() {
                    // Writing to a string cannot fail.
                    let _ = write!(line, "{}{value}:{child}", if i > 0 { " " } else { "" });
                }
                writeln!(out, "{line}")?;
            }
        }
        let empty = self.set.is_empty();
        writeln!(out, "root {}", if empty { "empty" } else { "0" })?;
        let Checksum(checksum) = out.checksum;
        writeln!(out, "check {checksum:016x}\nend")?;
        out.flush()
    }

    /// The set of `other` in the space of this one, so that the two can be combined: components, and values that
    /// have names, are matched by name, whatever their order. A name that no member of its set has may be missing in the
    /// other one: models take up values as formulas name them.
    ///
    /// # Errors
    /// [`MatchError`] when the names differ, when a value does not fit, or when the budget is used up.
    pub fn matching(&self, other: &SavedSet, budget: &Budget) -> Result<Mdd, MatchError> {
        let level_of: FxHashMap<&str, u32> = other.names.iter().map(String::as_str).zip(0..).collect();
        let missing = |name: &String, from: &SavedSet| MatchError::Component(name.clone(), from.model.clone());
        for saved in [self, other] {
            let levels = saved.set.space().levels() as usize;
            if [saved.names.len(), saved.offsets.len(), saved.values.len()] != [levels; 3] {
                return Err(TransferError::Levels.into());
            }
        }
        let own: FxHashSet<&String> = self.names.iter().collect();
        if let Some(name) = other.names.iter().find(|&name| !own.contains(name)) {
            return Err(missing(name, self));
        }
        for saved in [self, other] {
            let mut seen = FxHashSet::default();
            if let Some(name) = saved.names.iter().find(|&name| !seen.insert(name)) {
                return Err(MatchError::Repeated(name.clone(), saved.model.clone()));
            }
        }
        let mut levels = Vec::with_capacity(self.names.len());
        let mut changes = Vec::with_capacity(self.names.len());
        let (own_values, their_values) = (self.values_of_members(), other.values_of_members());
        for (((name, &offset), values), used) in self.names.iter().zip(&self.offsets).zip(&self.values).zip(&own_values)
        {
            let level = *level_of.get(name.as_str()).ok_or_else(|| missing(name, other))?;
            levels.push(level);
            let theirs = &other.values[level as usize];
            changes.push(match (values.is_empty(), theirs.is_empty()) {
                (true, true) => {
                    let shift = other.offsets[level as usize] - offset;
                    Change::Shift(i64::try_from(shift).map_err(|_| TransferError::OutOfRange(level))?)
                }
                (false, false) => Change::Rename(self.renaming(
                    name,
                    values,
                    (other, theirs),
                    [used, &their_values[level as usize]],
                )?),
                _ => return Err(MatchError::Unnamed(name.clone())),
            });
        }
        Ok(other.set.transfer(&self.set.space(), &levels, &changes, budget)?)
    }

    /// The same set, whose numbers count from no more than those of `other` do: what [`SavedSet::matching`] copies fits then.
    ///
    /// # Errors
    /// [`TransferError`] when the budget is used up, or when numbers are too far apart.
    pub fn beside(self, other: &SavedSet, budget: &Budget) -> Result<SavedSet, TransferError> {
        let offset_of: FxHashMap<&str, i128> =
            other.names.iter().map(String::as_str).zip(other.offsets.iter().copied()).collect();
        // Values that have names are numbers of these, and stay as they are.
        let least = |((name, &own), values): ((&String, &i128), &Vec<String>)| {
            let their = offset_of.get(name.as_str()).filter(|_| values.is_empty());
            their.map_or(own, |&their| own.min(their))
        };
        let offsets: Vec<i128> = self.names.iter().zip(&self.offsets).zip(&self.values).map(least).collect();
        if offsets == self.offsets {
            return Ok(self);
        }
        let shifts = (0..).zip(self.offsets.iter().zip(&offsets)).map(|(level, (own, least))| {
            i64::try_from(own - least).map(Change::Shift).map_err(|_| TransferError::OutOfRange(level))
        });
        let shifts: Vec<Change> = shifts.collect::<Result<_, _>>()?;
        let levels: Vec<u32> = (0..self.set.space().levels()).collect();
        let set = self.set.transfer(&self.set.space(), &levels, &shifts, budget)?;
        Ok(SavedSet { offsets, set, ..self })
    }

    /// By level with named values, whether a member has each of them.
    fn values_of_members(&self) -> Vec<Vec<bool>> {
        let mut used: Vec<Vec<bool>> = self.values.iter().map(|values| vec![false; values.len()]).collect();
        if used.iter().all(Vec::is_empty) {
            return used;
        }
        let layers = self.set.read(Layers::of);
        for (used, layer) in used.iter_mut().zip(&layers.rows) {
            for &(value, _) in layer.nodes().flatten() {
                // A level of numbers has no names.
                used.get_mut(value as usize).into_iter().for_each(|used| *used = true);
            }
        }
        used
    }

    /// The number of each of `their` values of a component among the values of this set. Those that a member has are the
    /// same; for others that are not here there are numbers of no value.
    fn renaming(
        &self,
        component: &str,
        values: &[String],
        (other, theirs): (&SavedSet, &[String]),
        [own_used, their_used]: [&[bool]; 2],
    ) -> Result<Vec<u32>, MatchError> {
        let number_of = |values: &[String], model: &str| {
            let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
            for (value, number) in values.iter().zip(0..) {
                if numbers.insert(value.clone(), number).is_some() {
                    return Err(MatchError::Repeated(value.clone(), model.to_owned()));
                }
            }
            Ok(numbers)
        };
        let missing = |value: &String, model: &str| MatchError::Value {
            component: component.to_owned(),
            value: value.clone(),
            model: model.to_owned(),
        };
        let (own, their) = (number_of(values, &self.model)?, number_of(theirs, &other.model)?);
        let mut free = values.len() as u32..;
        let numbers = theirs.iter().zip(their_used).map(|(value, used)| match own.get(value) {
            Some(&number) => Ok(number),
            None if *used => Err(missing(value, &self.model)),
            None => free.next().ok_or_else(|| TransferError::OutOfRange(0).into()),
        });
        let numbers = numbers.collect::<Result<Vec<u32>, MatchError>>()?;
        match values.iter().zip(own_used).find(|&(value, used)| *used && !their.contains_key(value)) {
            Some((value, _)) => Err(missing(value, &other.model)),
            None => Ok(numbers),
        }
    }

    /// Read a set into a space of its own.
    pub fn load(input: impl BufRead, budget: &Budget) -> Result<SavedSet, LoadError> {
        let mut lines = Lines { input, number: 0, text: String::new(), checksum: Checksum::START };
        lines.next()?;
        let named = match lines.text.strip_prefix("starset-set ") {
            Some("1") => false,
            Some("2") => true,
            Some(version) => {
                let problem = format!("this is version {version} of the format; this program reads versions 1 and 2");
                return Err(lines.error(problem));
            }
            None => return Err(lines.error("not a saved set: the first line must be `starset-set 1`")),
        };
        let model = unescape(lines.field("model")?);
        let formula = unescape(lines.field("formula")?);
        let levels: u32 = lines.number("levels")?;
        let (mut names, mut offsets, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..levels {
            let text = lines.field("level")?.to_owned();
            let Some((offset, name)) = text.split_once(' ') else {
                return Err(lines.error("expected `level OFFSET NAME`"));
            };
            let offset: i128 = offset.parse().map_err(|_| lines.error("the offset is not a number"))?;
            if !(i128::from(i64::MIN)..=i128::from(u64::MAX - u64::from(u32::MAX))).contains(&offset) {
                return Err(lines.error("the offset leaves no room for values from -2^63 to 2^64"));
            }
            offsets.push(offset);
            names.push(unescape(name));
            let mut names_of_values = Vec::new();
            if named {
                for _ in 0..lines.number::<u32>("values")? {
                    names_of_values.push(unescape(lines.field("value")?));
                }
            }
            values.push(names_of_values);
        }
        let space = MddManager::new(levels, budget)?;
        let set = space.run(budget, |session| {
            let mut below = vec![session.unit()];
            for level in (0..levels).rev() {
                let width: usize = lines.number("layer")?;
                let mut layer = Vec::new();
                for _ in 0..width {
                    session.tick()?;
                    lines.next()?;
                    let mut list = session.list();
                    let mut least = 0u64;
                    for pair in lines.text.split(' ') {
                        let parsed = pair.split_once(':').and_then(|(value, child)| {
                            Some((value.parse::<u32>().ok()?, child.parse::<usize>().ok()?))
                        });
                        let Some((value, child)) = parsed else {
                            return Err(lines.error(format!("`{pair}` is not of the form VALUE:CHILD")));
                        };
                        if u64::from(value) < least {
                            return Err(lines.error("the values of a node must increase"));
                        }
                        least = u64::from(value) + 1;
                        if !values[level as usize].is_empty() && value as usize >= values[level as usize].len() {
                            return Err(lines.error(format!("value {value} has no name")));
                        }
                        let Some(child) = below.get(child) else {
                            return Err(lines.error(format!(
                                "child {child} does not exist; the layer below has {} nodes",
                                below.len()
                            )));
                        };
                        list.push(value, child.clone());
                    }
                    layer.push(session.node(level, list)?);
                }
                below = layer;
            }
            let root = lines.field("root")?.to_owned();
            let root = match root.parse::<usize>().ok().and_then(|root| below.get(root)) {
                _ if root == "empty" => session.empty(),
                Some(root) => root.clone(),
                None => return Err(lines.error("the root does not exist")),
            };
            let Checksum(checksum) = lines.checksum;
            lines.next()?;
            if let Some(written) = lines.text.strip_prefix("check ") {
                if u64::from_str_radix(written, 16) != Ok(checksum) {
                    return Err(lines.error("the checksum is wrong: the file was damaged, or changed by hand"));
                }
                lines.next()?;
            }
            if lines.text != "end" {
                return Err(lines.error("expected `end`"));
            }
            lines.nothing_more()?;
            Ok(root)
        })?;
        Ok(SavedSet { model, formula, names, offsets, values, set })
    }
}

/// The lines of a file, numbered.
struct Lines<R> {
    input: R,
    number: usize,
    text: String,
    /// Of the lines so far.
    checksum: Checksum,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<(), LoadError> {
        self.text.clear();
        self.number += 1;
        if self.input.read_line(&mut self.text)? == 0 {
            return Err(self.error("the file ends here: it is truncated"));
        }
        if self.text.ends_with('\n') {
            self.text.pop();
            if self.text.ends_with('\r') {
                self.text.pop();
            }
        }
        self.checksum.add(self.text.as_bytes());
        self.checksum.add(b"\n");
        Ok(())
    }

    /// The file ends here; blank lines do not count.
    fn nothing_more(&mut self) -> Result<(), LoadError> {
        loop {
            self.text.clear();
            self.number += 1;
            if self.input.read_line(&mut self.text)? == 0 {
                return Ok(());
            }
            if !self.text.trim().is_empty() {
                return Err(self.error("the set has ended before; two files in one, or one that was damaged"));
            }
        }
    }

    /// Read a line `KEY VALUE` and return the value.
    fn field(&mut self, key: &str) -> Result<&str, LoadError> {
        self.next()?;
        match self.text.strip_prefix(key).and_then(|rest| rest.strip_prefix(' ').or(rest.is_empty().then_some(""))) {
            Some(_) => Ok(self.text.get(key.len() + 1..).unwrap_or("")),
            None => Err(self.error(format!("expected `{key} …`"))),
        }
    }

    fn number<T: std::str::FromStr>(&mut self, key: &str) -> Result<T, LoadError> {
        let number = self.field(key)?.parse();
        number.map_err(|_| self.error(format!("`{key}` must be followed by a number")))
    }

    fn error(&self, problem: impl Into<String>) -> LoadError {
        LoadError::Format { line: self.number, problem: problem.into() }
    }
}
