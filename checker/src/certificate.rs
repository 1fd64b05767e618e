//! Reading certificates, of both versions of the format; see docs/certificates.md.

use crate::diagram::{Node, Store};
use crate::effort::{keep, release, work};
use crate::formula::{Id, Names, Node as Formula, Paths, Pool};
use crate::linear::{Linear, Part, Row};
use crate::net::{MOST, Net};
use crate::{Checked, Checksum, refuse};
use std::collections::HashMap;

/// A location of an automaton, the mark that is waited for there, and the states of which this is said.
pub type Located = (usize, usize, Node);

/// Why a claim about a formula `E φ` or `A φ` is true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// Of `A φ`: states from which nothing is accepted; the mark is 0.
    All(Vec<Located>),
    /// Of `E φ`: states from which something is.
    Some(Vec<Located>),
    /// Of `E φ`, in the first state: a run, as indices of steps.
    Run(Vec<usize>, End),
    /// Of a state formula without quantifiers, in all reachable states: inequalities that no step breaks, and a proof that they
    /// contradict its negation.
    Always(Vec<Row>, Vec<Part>),
}

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It goes on somehow.
    Open,
    /// In a deadlock.
    Deadlock,
    /// In the state that it has at this position.
    Loop(usize),
}

/// A formula with evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Its number in the form that is checked.
    pub formula: Id,
    /// Why it holds.
    pub evidence: Evidence,
}

/// What a certificate says.
#[derive(Debug)]
pub struct Certificate {
    /// The formula, as it was written.
    pub text: String,
    /// What the verdict is.
    pub verdict: bool,
    /// What a finite path means.
    pub paths: Paths,
    /// The form that is checked, of the formula or of its negation; the last one is to be proved.
    pub pool: Pool,
    /// The place of each level.
    pub order: Vec<usize>,
    /// The diagrams.
    pub store: Store,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// The lines of a certificate, with the checksum of those before.
struct Lines<'a> {
    rest: &'a str,
    number: usize,
    sum: Checksum,
    version: Version,
}

/// The version of the format. In the second names are declared once, and nodes say what differs from the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    One,
    Two,
}

impl Version {
    /// The version that the first line tells.
    fn of(text: &str) -> Checked<Version> {
        // A carriage return is no end of a line here.
        match text.split('\n').next() {
            Some("starset-certificate 1") => Ok(Version::One),
            Some("starset-certificate 2") => Ok(Version::Two),
            _ => refuse("line 1 of the certificate: not a certificate of version 1 or 2"),
        }
    }
}

impl<'a> Lines<'a> {
    fn wrong<T>(&self, what: &str) -> Checked<T> {
        refuse(format!("line {} of the certificate: {what}", self.number))
    }

    fn next(&mut self) -> Checked<&'a str> {
        self.number += 1;
        let Some((line, rest)) = self.rest.split_once('\n') else { return self.wrong("the file is not complete") };
        self.rest = rest;
        self.sum.add(line.as_bytes());
        self.sum.add(b"\n");
        Ok(line)
    }

    fn field(&mut self, name: &str) -> Checked<&'a str> {
        match self.next()?.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')) {
            Some(rest) => Ok(rest),
            None => self.wrong(&format!("`{name}` is expected")),
        }
    }

    fn number<T: std::str::FromStr>(&self, text: &str) -> Checked<T> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits).map_or_else(|| self.wrong("a number is expected"), Ok)
    }

    /// Two numbers with a colon between them.
    fn pair<T: std::str::FromStr, U: std::str::FromStr>(&self, text: &str) -> Checked<(T, U)> {
        let (first, second) = text.split_once(':').unwrap_or_default();
        Ok((self.number(first)?, self.number(second)?))
    }

    /// An inequality, or an equation that stands for two.
    fn inequalities(&self, text: &str, names: &Names<'_>) -> Checked<Vec<Row>> {
        let mut pool = Pool::default();
        let id = pool.parse(text, names)?;
        match &pool[id] {
            Formula::Compare(sum, op, bound) => Linear::compare(sum, *op, *bound).rows(),
            _ => self.wrong("an inequality is expected"),
        }
    }
}

/// The text of which line breaks and backslashes are written with a backslash.
fn unescaped(text: &str) -> String {
    let parts: Vec<String> = text.split("\\\\").map(|part| part.replace("\\n", "\n").replace("\\r", "\r")).collect();
    parts.join("\\")
}

impl Certificate {
    /// Is a text a certificate at all? So much is asked before a model is worked out.
    pub(crate) fn is_of_known_version(text: &str) -> Checked<()> {
        Version::of(text).map(drop)
    }

    /// Is it about a program whose states are not listed?
    pub(crate) fn is_about_unlisted(text: &str) -> bool {
        text.lines().nth(2).is_some_and(|line| line.starts_with("program "))
    }

    /// Read a certificate about a model.
    ///
    /// # Errors
    /// Where it is not of the format, or about another model.
    pub fn read(text: &str, net: &Net) -> Checked<Certificate> {
        let version = Version::of(text)?;
        let mut lines = Lines { rest: text, number: 0, sum: Checksum::default(), version };
        lines.next()?;
        lines.field("model")?;
        let of = if net.is_unlisted() { "program" } else { "net" };
        let units = net.hash_units();
        keep(units)?;
        let hash = net.hash();
        release(units);
        if u64::from_str_radix(lines.field(of)?, 16) != Ok(hash) {
            return lines.wrong("the certificate is about another model");
        }
        let name = lines.field("paths")?;
        let Some(paths) = Paths::ALL.into_iter().find(|paths| paths.name() == name) else {
            return lines.wrong("unknown path semantics");
        };
        let text = unescaped(lines.field("formula")?);
        let Ok(verdict) = lines.field("verdict")?.parse::<bool>() else {
            return lines.wrong("the verdict is true or false");
        };
        let mut formulas = Pool::default();
        let names = Names::new(net);
        let formula = formulas.parse(&text, &names)?;
        let pool = formulas.canonical(formula, !verdict, paths);
        let (order, offsets) = levels(&mut lines, net)?;
        let steps = Steps::read(&mut lines, net)?;
        let (store, top) = diagrams(&mut lines, &offsets)?;
        let claims = claims(&mut lines, &names, &steps, &top)?;
        if !lines.rest.is_empty() {
            return lines.wrong("more after the end");
        }
        Ok(Certificate { text, verdict, paths, pool, order, store, claims })
    }
}

/// The place of each level, and what is added to its values.
fn levels(lines: &mut Lines<'_>, net: &Net) -> Checked<(Vec<usize>, Vec<u64>)> {
    let (mut order, mut offsets, mut seen) = (Vec::new(), Vec::new(), vec![false; net.places.len()]);
    let mut is_new = |place: usize| seen.get_mut(place).is_some_and(|seen| !std::mem::replace(seen, true));
    if lines.version == Version::Two {
        let numbers = lines.next()?;
        let Some(numbers) = numbers.strip_prefix("levels") else { return lines.wrong("`levels` is expected") };
        for part in numbers.split(' ').skip(1) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (usize, usize) = (lines.number(first)?, lines.number(last)?);
            if first > last || last >= net.places.len() || !(first..=last).all(&mut is_new) {
                return lines.wrong("no place of the model, or one twice");
            }
            order.extend(first..=last);
        }
        if !matches!(numbers.bytes().next(), None | Some(b' ')) {
            return lines.wrong("`levels` is expected");
        }
        offsets.resize(order.len(), 0);
        return Ok((order, offsets));
    }
    let text = lines.field("levels")?;
    let levels: usize = lines.number(text)?;
    let place_of: HashMap<&str, usize> = net.places.iter().map(|place| place.name.as_str()).zip(0..).collect();
    for _ in 0..levels {
        let Some((offset, name)) = lines.field("level")?.split_once(' ') else {
            return lines.wrong("a name is missing");
        };
        let offset: u64 = lines.number(offset)?;
        match place_of.get(unescaped(name).as_str()) {
            Some(place) if offset <= MOST && is_new(*place) => order.push(*place),
            _ => return lines.wrong("no place of the model, or one twice"),
        }
        offsets.push(offset);
    }
    Ok((order, offsets))
}

/// The steps that runs take.
struct Steps<'n> {
    /// By label, in the order of the file.
    of: HashMap<&'n str, Vec<usize>>,
    /// Those that the certificate declares.
    declared: Vec<usize>,
}

impl<'n> Steps<'n> {
    fn read(lines: &mut Lines<'_>, net: &'n Net) -> Checked<Steps<'n>> {
        let mut of: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, step) in net.steps.iter().enumerate() {
            of.entry(&net.labels[step.label]).or_default().push(number);
        }
        let mut steps = Steps { of, declared: Vec::new() };
        if lines.version == Version::Two {
            let count = lines.field("steps")?;
            for _ in 0..lines.number::<usize>(count)? {
                let step = lines.field("step")?;
                steps.declared.push(steps.named(lines, step)?);
            }
        }
        Ok(steps)
    }

    /// The step that is called so: its number among those with its label, and this.
    fn named(&self, lines: &Lines<'_>, text: &str) -> Checked<usize> {
        let Some((way, name)) = text.split_once(' ') else { return lines.wrong("a name is missing") };
        let named = self.of.get(unescaped(name).as_str());
        match named.and_then(|named| named.get(lines.number::<usize>(way).ok()?)) {
            Some(step) => Ok(*step),
            None => lines.wrong("no such transition"),
        }
    }
}

/// The nodes from the last level up. Gives those of the first level.
fn diagrams(lines: &mut Lines<'_>, offsets: &[u64]) -> Checked<(Store, Vec<Node>)> {
    let mut store = Store::new(offsets.len() as u32);
    // The nodes of the level below; below the last level there are ranks instead.
    let mut below: Option<Vec<Node>> = None;
    for (level, &offset) in offsets.iter().enumerate().rev() {
        let width = lines.field("layer")?;
        let width: usize = lines.number(width)?;
        let mut layer =
            Layer { level: level as u32, offset, below: below.as_deref(), store: &mut store, nodes: Vec::new() };
        if lines.version == Version::One {
            for _ in 0..width {
                layer.read_plain(lines)?;
            }
        } else {
            layer.read(lines, width)?;
        }
        let nodes = layer.nodes;
        release(below.map_or(0, |below| below.len()));
        below = Some(nodes);
    }
    Ok((store, below.unwrap_or_default()))
}

/// A level whose nodes are being read.
struct Layer<'a> {
    level: u32,
    offset: u64,
    below: Option<&'a [Node]>,
    store: &'a mut Store,
    nodes: Vec<Node>,
}

impl Layer<'_> {
    /// A pair of a node. Below the last level a child is a rank.
    fn pair(&self, lines: &Lines<'_>, pairs: &mut Vec<(u64, Node)>, value: u64, child: u64) -> Checked<()> {
        let value = value.saturating_add(self.offset);
        if value > MOST || pairs.last().is_some_and(|&(last, _)| last >= value) {
            return lines.wrong("the values of a node must increase");
        }
        let child = match self.below {
            None if child < 1 << 31 => child as Node + 1,
            Some(below) if child < below.len() as u64 => below[child as usize],
            _ => return lines.wrong("no such child"),
        };
        pairs.push((value, child));
        Ok(())
    }

    fn add(&mut self, pairs: &[(u64, Node)]) -> Checked<()> {
        work(pairs.len())?;
        keep(1)?;
        self.nodes.push(self.store.node(self.level, pairs)?);
        Ok(())
    }

    /// A node of version 1: values and children.
    fn read_plain(&mut self, lines: &mut Lines<'_>) -> Checked<()> {
        let mut pairs = Vec::new();
        for pair in lines.next()?.split(' ') {
            let (value, child): (u64, u32) = lines.pair(pair)?;
            self.pair(lines, &mut pairs, value, child.into())?;
        }
        self.add(&pairs)
    }

    /// The nodes of version 2, in lines that each stand for one or for several.
    fn read(&mut self, lines: &mut Lines<'_>, width: usize) -> Checked<()> {
        // The child after the greatest so far, and the last one.
        let (mut next, mut last) = (0u64, 0u64);
        let mut pairs = Vec::new();
        while self.nodes.len() < width {
            let line = lines.next()?;
            let (times, node) = match line.split_once('*') {
                Some((times, node)) => (lines.number(times)?, node),
                None => (1, line),
            };
            if times == 0 || times > width - self.nodes.len() {
                return lines.wrong("too many nodes, or none");
            }
            for _ in 0..times {
                work(node.len())?;
                pairs.clear();
                let (mut rest, mut value) = (node.as_bytes(), 0);
                loop {
                    // The value, if it is not the next one, and the child.
                    let mut digits = number(&mut rest);
                    if let (Some(given), [b':', after @ ..]) = (digits, rest) {
                        (value, rest) = (given, after);
                        digits = number(&mut rest);
                    }
                    let by_digits = digits.is_some() || rest.first() == Some(&b'-');
                    let child = match (digits, rest) {
                        (Some(child), _) if self.below.is_none() => Some(child),
                        (Some(more), _) => last.checked_add(more),
                        (None, [b'-', after @ ..]) if self.below.is_some() => {
                            rest = after;
                            number(&mut rest).and_then(|less| last.checked_sub(less))
                        }
                        (None, [b'+', after @ ..]) if self.below.is_some() => {
                            rest = after;
                            Some(next)
                        }
                        _ => None,
                    };
                    let Some(child) = child else { return lines.wrong("no such child") };
                    self.pair(lines, &mut pairs, value, child)?;
                    (last, next, value) = (child, next.max(child + 1), value + 1);
                    // Numbers that stand side by side have a comma between them.
                    match rest {
                        [] => break,
                        [b',', after @ ..] if by_digits && after.first().is_some_and(u8::is_ascii_digit) => {
                            rest = after
                        }
                        _ => {}
                    }
                }
                self.add(&pairs)?;
            }
        }
        Ok(())
    }
}

/// The number that a text begins with, which is taken from it; the greatest there is, if it is too large.
fn number(text: &mut &[u8]) -> Option<u64> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    *text = rest;
    let with = |number: u64, digit: &u8| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    (length > 0).then(|| digits.iter().fold(0, with))
}

fn claims(lines: &mut Lines<'_>, names: &Names<'_>, named: &Steps<'_>, top: &[Node]) -> Checked<Vec<Claim>> {
    let mut claims: Vec<Claim> = Vec::new();
    // The run before that of the last claim; has that its end, or no line so far?
    let (mut before_it, mut ended, mut fresh) = (Vec::new(), false, false);
    loop {
        let before = lines.sum;
        let line = lines.next()?;
        let root = |lines: &Lines<'_>, text: &str| match top.get(lines.number::<usize>(text)?) {
            Some(&root) => Ok(root),
            None => lines.wrong("no such node"),
        };
        let words: Vec<&str> = line.split(' ').collect();
        let is_first = std::mem::replace(&mut fresh, words[0] == "claim");
        match (&words[..], claims.last_mut().map(|claim| &mut claim.evidence)) {
            (["claim", formula, kind], _) => {
                let evidence = match *kind {
                    "all" => Evidence::All(Vec::new()),
                    "some" => Evidence::Some(Vec::new()),
                    "run" => Evidence::Run(Vec::new(), End::Open),
                    "always" => Evidence::Always(Vec::new(), Vec::new()),
                    _ => return lines.wrong("unknown kind of claim"),
                };
                if let Some(Evidence::Run(steps, _)) = claims.last().map(|claim| &claim.evidence) {
                    before_it.clone_from(steps);
                }
                claims.push(Claim { formula: lines.number(formula)?, evidence });
                ended = false;
            }
            (["set", location, set], Some(Evidence::All(sets))) => {
                sets.push((lines.number(location)?, 0, root(lines, set)?));
            }
            (["set", location, mark, set], Some(Evidence::Some(sets))) => {
                sets.push((lines.number(location)?, lines.number(mark)?, root(lines, set)?));
            }
            (["same" | "fire" | "then", ..], Some(Evidence::Run(..))) if ended => {
                return lines.wrong("a run goes on after its end");
            }
            (["fire", ..], Some(Evidence::Run(steps, _))) if lines.version == Version::One => {
                steps.push(named.named(lines, line.strip_prefix("fire ").unwrap_or_default())?);
            }
            (["same", count], Some(Evidence::Run(steps, _))) if lines.version == Version::Two && is_first => {
                let count = lines.number::<usize>(count)?;
                keep(count.min(before_it.len()))?;
                match before_it.get(..count) {
                    Some(same) => steps.extend(same),
                    None => return lines.wrong("the run before is not so long"),
                }
            }
            (["fire", numbers @ ..], Some(Evidence::Run(steps, _))) if lines.version == Version::Two => {
                for number in numbers {
                    match named.declared.get(lines.number::<usize>(number)?) {
                        Some(step) => steps.push(*step),
                        None => return lines.wrong("no such step"),
                    }
                }
            }
            (["then", how @ ..], Some(Evidence::Run(_, end))) => {
                *end = match how {
                    ["anything"] => End::Open,
                    ["deadlock"] => End::Deadlock,
                    ["loop", back] => End::Loop(lines.number(back)?),
                    _ => return lines.wrong("not an end of a run"),
                };
                ended = true;
            }
            (["keeps", ..], Some(Evidence::Always(rows, _))) => {
                rows.extend(lines.inequalities(&line["keeps".len()..], names)?);
            }
            (["split", at], Some(Evidence::Always(_, proof))) => proof.push(Part::Split(lines.number(at)?)),
            (["sum", terms @ ..], Some(Evidence::Always(_, proof))) => {
                let terms: Checked<Vec<_>> = terms.iter().map(|term| lines.pair(term)).collect();
                proof.push(Part::Sum(terms?));
            }
            (["check", sum], _) => {
                if u64::from_str_radix(sum, 16) != Ok(before.0) || lines.next()? != "end" {
                    return lines.wrong("the checksum is wrong, or the end is missing");
                }
                return Ok(claims);
            }
            _ => return lines.wrong("not understood, or too much or too little on it"),
        }
    }
}
