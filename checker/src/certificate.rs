//! Reading certificates. The format is that of saved sets, with claims; see docs/certificates.md.

use crate::diagram::{EMPTY, Node, Store};
use crate::formula::{Id, Node as Formula, Paths, Pool};
use crate::linear::{Linear, Part, Row};
use crate::net::{MOST, Net};
use crate::{Checked, Checksum, refuse};
use std::collections::HashMap;

/// Why a claim about a formula `E φ` or `A φ` is true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// Of `A φ`: for locations, the states from which nothing is accepted.
    All(Vec<(usize, Node)>),
    /// Of `E φ`: for locations and the mark that is waited for, states from which something is.
    Some(Vec<(usize, usize, Node)>),
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

    fn number<T: std::str::FromStr>(&self, text: Option<&str>) -> Checked<T> {
        match text.and_then(|text| text.parse().ok()) {
            Some(number) => Ok(number),
            None => self.wrong("a number is expected"),
        }
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('r')) => out.push('\r'),
            ('\\', Some(other)) => out.push(other),
            _ => out.push(c),
        }
    }
    out
}

impl Certificate {
    /// Read a certificate about a model.
    ///
    /// # Errors
    /// Where it is not of the format, or about another model.
    pub fn read(text: &str, net: &Net) -> Checked<Certificate> {
        let mut lines = Lines { rest: text, number: 0, sum: Checksum::default() };
        if lines.next()? != "starset-certificate 1" {
            return lines.wrong("not a certificate of version 1");
        }
        lines.field("model")?;
        if u64::from_str_radix(lines.field("net")?, 16) != Ok(net.hash()) {
            return lines.wrong("the certificate is about another model");
        }
        let paths = match lines.field("paths")? {
            "maximal" => Paths::Maximal,
            "stutter" => Paths::Stutter,
            "infinite" => Paths::Infinite,
            _ => return lines.wrong("unknown path semantics"),
        };
        let text = unescape(lines.field("formula")?);
        let verdict = match lines.field("verdict")? {
            "true" => true,
            "false" => false,
            _ => return lines.wrong("the verdict is true or false"),
        };
        let mut formulas = Pool::default();
        let formula = formulas.parse(&text, net)?;
        let pool = formulas.canonical(formula, !verdict, paths);
        let (order, store, top) = diagrams(&mut lines, net)?;
        let claims = claims(&mut lines, net, &top)?;
        if !lines.rest.is_empty() {
            return lines.wrong("more after the end");
        }
        Ok(Certificate { text, verdict, paths, pool, order, store, claims })
    }
}

/// The levels, and the nodes from the last level up. Gives the nodes of the first level.
fn diagrams(lines: &mut Lines<'_>, net: &Net) -> Checked<(Vec<usize>, Store, Vec<Node>)> {
    let text = lines.field("levels")?;
    let levels: usize = lines.number(Some(text))?;
    let (mut order, mut offsets) = (Vec::new(), Vec::new());
    let place_of: HashMap<&str, usize> = net.places.iter().enumerate().map(|(at, p)| (p.name.as_str(), at)).collect();
    for _ in 0..levels {
        let Some((offset, name)) = lines.field("level")?.split_once(' ') else {
            return lines.wrong("a name is missing");
        };
        let offset: u64 = lines.number(Some(offset))?;
        match place_of.get(unescape(name).as_str()) {
            Some(place) if offset <= MOST && !order.contains(place) => order.push(*place),
            _ => return lines.wrong("no place of the model, or one twice"),
        }
        offsets.push(offset);
    }
    let mut store = Store::new(levels as u32);
    let mut below: Vec<Node> = Vec::new();
    let mut pairs = Vec::new();
    for level in (0..levels).rev() {
        let text = lines.field("layer")?;
        let width: usize = lines.number(Some(text))?;
        let mut layer = Vec::new();
        for _ in 0..width {
            pairs.clear();
            for pair in lines.next()?.split(' ') {
                let (value, child) = pair.split_once(':').unwrap_or_default();
                let value = lines.number::<u64>(Some(value))?.saturating_add(offsets[level]);
                let child: u32 = lines.number(Some(child))?;
                let child = match below.get(child as usize) {
                    _ if level + 1 == levels && child < 1 << 31 => child + 1,
                    Some(&node) if level + 1 < levels => node,
                    _ => return lines.wrong("no such child"),
                };
                if value > MOST || pairs.last().is_some_and(|&(last, _)| last >= value) {
                    return lines.wrong("the values of a node must increase");
                }
                pairs.push((value, child));
            }
            layer.push(store.node(level as u32, &pairs)?);
        }
        below = layer;
    }
    Ok((order, store, if levels == 0 { Vec::new() } else { below }))
}

/// The rest of a line: a comparison.
fn inequalities(line: &str, net: &Net, words: &mut std::str::Split<'_, char>) -> Checked<Vec<Row>> {
    words.by_ref().for_each(drop);
    let mut pool = Pool::default();
    let id = pool.parse(line.split_once(' ').map_or("", |(_, text)| text), net)?;
    match &pool[id] {
        Formula::Compare(sum, op, bound) => Linear::compare(sum, *op, *bound).rows(),
        _ => refuse("an inequality is expected"),
    }
}

fn claims(lines: &mut Lines<'_>, net: &Net, top: &[Node]) -> Checked<Vec<Claim>> {
    let mut claims: Vec<Claim> = Vec::new();
    loop {
        let before = lines.sum;
        let line = lines.next()?;
        let mut words = line.split(' ');
        let root = |lines: &Lines<'_>, word: Option<&str>| match top.get(lines.number::<usize>(word)?) {
            Some(&root) if root != EMPTY => Ok(root),
            _ => lines.wrong("no such node"),
        };
        match (words.next(), claims.last_mut().map(|claim| &mut claim.evidence)) {
            (Some("claim"), _) => {
                let formula = lines.number(words.next())?;
                let evidence = match words.next() {
                    Some("all") => Evidence::All(Vec::new()),
                    Some("some") => Evidence::Some(Vec::new()),
                    Some("run") => Evidence::Run(Vec::new(), End::Open),
                    Some("always") => Evidence::Always(Vec::new(), Vec::new()),
                    _ => return lines.wrong("unknown kind of claim"),
                };
                claims.push(Claim { formula, evidence });
            }
            (Some("set"), Some(Evidence::All(sets))) => {
                sets.push((lines.number(words.next())?, root(lines, words.next())?));
            }
            (Some("set"), Some(Evidence::Some(sets))) => {
                let (location, mark) = (lines.number(words.next())?, lines.number(words.next())?);
                sets.push((location, mark, root(lines, words.next())?));
            }
            (Some("fire"), Some(Evidence::Run(steps, _))) => {
                let way: usize = lines.number(words.next())?;
                let name = unescape(line.splitn(3, ' ').nth(2).unwrap_or_default());
                words.by_ref().for_each(drop);
                let mut named = (0..net.steps.len()).filter(|&step| net.labels[net.steps[step].label] == name);
                match named.nth(way) {
                    Some(step) => steps.push(step),
                    None => return lines.wrong("no such transition"),
                }
            }
            (Some("then"), Some(Evidence::Run(_, end))) => {
                *end = match words.next() {
                    Some("anything") => End::Open,
                    Some("deadlock") => End::Deadlock,
                    Some("loop") => End::Loop(lines.number(words.next())?),
                    _ => return lines.wrong("a run ends in `anything`, `deadlock` or `loop`"),
                };
            }
            (Some("keeps"), Some(Evidence::Always(rows, _))) => rows.extend(inequalities(line, net, &mut words)?),
            (Some("split"), Some(Evidence::Always(_, proof))) => proof.push(Part::Split(lines.number(words.next())?)),
            (Some("sum"), Some(Evidence::Always(_, proof))) => {
                let mut terms = Vec::new();
                for term in words.by_ref() {
                    let (row, times) = term.split_once(':').unwrap_or_default();
                    terms.push((lines.number(Some(row))?, lines.number(Some(times))?));
                }
                proof.push(Part::Sum(terms));
            }
            (Some("check"), _) => {
                let sum = words.next().and_then(|text| u64::from_str_radix(text, 16).ok());
                if sum != Some(before.0) || lines.next()? != "end" {
                    return lines.wrong("the checksum is wrong, or the end is missing");
                }
            }
            _ => return lines.wrong("not understood"),
        }
        if words.next().is_some() {
            return lines.wrong("more on the line than expected");
        }
        if line.starts_with("check ") {
            return Ok(claims);
        }
    }
}
