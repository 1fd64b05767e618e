//! Reading certificates. The format is that of saved sets, with claims; see docs/certificates.md.

use crate::diagram::{Node, Store};
use crate::effort::work;
use crate::formula::{Id, Names, Node as Formula, Paths, Pool};
use crate::linear::{Linear, Part, Row};
use crate::net::{MOST, Net};
use crate::{Checked, Checksum, refuse};
use std::collections::{HashMap, HashSet};

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
        text.parse().or_else(|_| self.wrong("a number is expected"))
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

/// The first line.
const VERSION: &str = "starset-certificate 1";

impl Certificate {
    /// Is a text a certificate at all? So much is asked before a model is worked out.
    pub(crate) fn is_of_version_1(text: &str) -> Checked<()> {
        let first = text.lines().next();
        if first == Some(VERSION) {
            Ok(())
        } else {
            refuse("line 1 of the certificate: not a certificate of version 1")
        }
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
        let mut lines = Lines { rest: text, number: 0, sum: Checksum::default() };
        if lines.next()? != VERSION {
            return lines.wrong("not a certificate of version 1");
        }
        lines.field("model")?;
        let of = if net.is_unlisted() { "program" } else { "net" };
        if u64::from_str_radix(lines.field(of)?, 16) != Ok(net.hash()) {
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
        let (order, store, top) = diagrams(&mut lines, net)?;
        let claims = claims(&mut lines, &names, &top)?;
        if !lines.rest.is_empty() {
            return lines.wrong("more after the end");
        }
        Ok(Certificate { text, verdict, paths, pool, order, store, claims })
    }
}

/// The levels, and the nodes from the last level up. Gives the nodes of the first level.
fn diagrams(lines: &mut Lines<'_>, net: &Net) -> Checked<(Vec<usize>, Store, Vec<Node>)> {
    let text = lines.field("levels")?;
    let levels: usize = lines.number(text)?;
    let (mut order, mut offsets, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let place_of: HashMap<&str, usize> = net.places.iter().map(|place| place.name.as_str()).zip(0..).collect();
    for _ in 0..levels {
        let Some((offset, name)) = lines.field("level")?.split_once(' ') else {
            return lines.wrong("a name is missing");
        };
        let offset: u64 = lines.number(offset)?;
        match place_of.get(unescaped(name).as_str()) {
            Some(place) if offset <= MOST && seen.insert(*place) => order.push(*place),
            _ => return lines.wrong("no place of the model, or one twice"),
        }
        offsets.push(offset);
    }
    let mut store = Store::new(levels as u32);
    // The nodes of the level below; below the last level there are ranks instead.
    let mut below: Option<Vec<Node>> = None;
    for level in (0..levels).rev() {
        let width = lines.field("layer")?;
        let mut layer = Vec::new();
        for _ in 0..lines.number::<usize>(width)? {
            let mut pairs: Vec<(u64, Node)> = Vec::new();
            for pair in lines.next()?.split(' ') {
                let (value, child): (u64, u32) = lines.pair(pair)?;
                let value = value.saturating_add(offsets[level]);
                if value > MOST || pairs.last().is_some_and(|&(last, _)| last >= value) {
                    return lines.wrong("the values of a node must increase");
                }
                match &below {
                    None if child < 1 << 31 => pairs.push((value, child + 1)),
                    Some(below) if (child as usize) < below.len() => pairs.push((value, below[child as usize])),
                    _ => return lines.wrong("no such child"),
                }
            }
            layer.push(store.node(level as u32, &pairs)?);
            work(pairs.len())?;
        }
        below = Some(layer);
    }
    Ok((order, store, below.unwrap_or_default()))
}

fn claims(lines: &mut Lines<'_>, names: &Names<'_>, top: &[Node]) -> Checked<Vec<Claim>> {
    let net = names.net;
    let mut claims: Vec<Claim> = Vec::new();
    let mut steps_of: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, step) in net.steps.iter().enumerate() {
        steps_of.entry(&net.labels[step.label]).or_default().push(number);
    }
    // Has the run of the last claim its end?
    let mut ended = false;
    loop {
        let before = lines.sum;
        let line = lines.next()?;
        let root = |lines: &Lines<'_>, text: &str| match top.get(lines.number::<usize>(text)?) {
            Some(&root) => Ok(root),
            None => lines.wrong("no such node"),
        };
        let words: Vec<&str> = line.split(' ').collect();
        match (&words[..], claims.last_mut().map(|claim| &mut claim.evidence)) {
            (["claim", formula, kind], _) => {
                let evidence = match *kind {
                    "all" => Evidence::All(Vec::new()),
                    "some" => Evidence::Some(Vec::new()),
                    "run" => Evidence::Run(Vec::new(), End::Open),
                    "always" => Evidence::Always(Vec::new(), Vec::new()),
                    _ => return lines.wrong("unknown kind of claim"),
                };
                claims.push(Claim { formula: lines.number(formula)?, evidence });
                ended = false;
            }
            (["set", location, set], Some(Evidence::All(sets))) => {
                sets.push((lines.number(location)?, 0, root(lines, set)?));
            }
            (["set", location, mark, set], Some(Evidence::Some(sets))) => {
                sets.push((lines.number(location)?, lines.number(mark)?, root(lines, set)?));
            }
            (["fire" | "then", ..], Some(Evidence::Run(..))) if ended => {
                return lines.wrong("a run goes on after its end");
            }
            (["fire", way, ..], Some(Evidence::Run(steps, _))) => {
                let name = unescaped(line.splitn(3, ' ').nth(2).unwrap_or_default());
                let named = steps_of.get(name.as_str());
                match named.and_then(|named| named.get(lines.number::<usize>(way).ok()?)) {
                    Some(step) => steps.push(*step),
                    None => return lines.wrong("no such transition"),
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
