//! Reading the property files of the Model Checking Contest.
//!
//! A `<property-set>` holds `<property>` elements with an `<id>`, a `<description>` and a `<formula>`. One
//! grammar covers all formula examinations: bounds, reachability, CTL and LTL over cardinalities and
//! fireability. Names are identifiers of the net's places and transitions.
//!
//! Elements are reduced as they close: each open element has a frame on a stack that collects what its children became,
//! so nesting costs heap and not stack. A formula that cannot be read is refused with its line, and the others are
//! read; if none can be, the file is refused: most likely it belongs to another net.
//!
//! Grammar: Kordon et al., Model Checking Contest manual; the elements in use are those of the 2025 files,
//! `next` without steps. Also read are the other Boolean connectives and comparisons, and sums and differences.

use super::assumptions::Assumption;
use super::ast::{Comparison, Expr, Formula, MAX_DEPTH};
use super::extremes::Extreme;
use super::pool::{ExprId, FormulaId, Pool};
use super::symbols::{NameError, Naming, Symbols};
use crate::model::Standstill;
use crate::net::{PlaceId, TransitionId};
use crate::xml::{Event, Location, XmlCursor, XmlError};
use std::io::BufRead;

/// The question of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyQuestion {
    /// Does this formula hold in the initial marking?
    Formula(FormulaId),
    /// The maximum, over the reachable markings, of the sum of the tokens in these places.
    Bound(Vec<PlaceId>),
    /// How many steps lead from states of one sort to those of another?
    Steps(Extreme),
    /// It cannot be read, and why; those beside it can.
    Refused(Box<PropertyError>),
}

/// One property of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Identifier, unique in the file.
    pub id: String,
    /// Free text, empty if there is none.
    pub description: String,
    /// The question.
    pub query: PropertyQuestion,
    /// Where the property begins in its file.
    pub location: Location,
    /// Remarks about odd parts, and their reading.
    pub remarks: Vec<PropertyError>,
    /// The formula as it was written, of files in which people write formulas.
    pub written: Option<String>,
    /// The assumptions that the file makes about all its properties.
    pub assumptions: Vec<Assumption>,
}

/// The problem of a property file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PropertyProblem {
    /// The file is not well-formed XML, or not readable.
    #[error("{0}")]
    Xml(crate::xml::Problem),
    /// The file is XML, but of another kind.
    #[error("expected a <property-set> of the Model Checking Contest, found <{0}>")]
    NotPropertySet(String),
    /// A name that the net does not have.
    #[error("{error} (formula {formula}; is this the property file of another net?)")]
    Name {
        /// The identifier of the formula.
        formula: String,
        /// Which name, and what it resembles.
        error: Box<NameError>,
    },
    /// A clock among the places.
    #[error("`{clock}` is a clock, which such files cannot compare (formula {formula}); write the formula with -f")]
    Clock {
        /// The identifier of the formula.
        formula: String,
        /// The clock.
        clock: String,
    },
    /// An element that does not belong there.
    #[error("unexpected element <{element}> in <{parent}>")]
    Element {
        /// The element.
        element: String,
        /// The element around it.
        parent: String,
    },
    /// The wrong number or kind of operands.
    #[error("<{element}> needs {needs}")]
    Operands {
        /// The element.
        element: String,
        /// The expected content.
        needs: &'static str,
    },
    /// Not an integer, or one beyond 128 bits.
    #[error("`{0}` is not an integer of at most 127 bits")]
    Integer(String),
    /// Two properties with the same identifier.
    #[error("a second property with the identifier `{0}`")]
    DuplicateId(String),
    /// A place that occurs twice in one list.
    #[error("place `{0}` is listed twice; it counts once")]
    DuplicatePlace(String),
    /// The problem of a formula on a line of its own.
    #[error("{0}")]
    Line(String),
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("formula nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

/// Why a property file cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{source_name}:{location}: {problem}")]
pub struct PropertyError {
    /// The name of the file, as given by the caller.
    pub source_name: String,
    /// Where in the file.
    pub location: Location,
    /// The problem.
    pub(crate) problem: PropertyProblem,
}

/// Read all properties of a file, in its order. `source_name` is used in errors only; the names are looked up
/// among the identifiers of `symbols`, whatever its [`Naming`].
///
/// ```
/// use starset::formula::{read_properties, Pool, PropertyQuestion, Symbols};
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("n");
/// b.place("p", 1)?;
/// let symbols = Symbols::new(&b.build()?);
/// let xml = "<property-set><property><id>one</id><formula><exists-path><finally>
///     <integer-le><integer-constant>1</integer-constant><tokens-count><place>p</place></tokens-count></integer-le>
///   </finally></exists-path></formula></property></property-set>";
/// let mut pool = Pool::new();
/// let properties = read_properties(xml.as_bytes(), "one.xml", &symbols, &mut pool).unwrap();
/// let PropertyQuestion::Formula(f) = properties[0].query else { panic!() };
/// assert_eq!(pool.display(f, &symbols).to_string(), "E F (1 <= #p)");
/// # Ok::<(), starset::net::BuildError>(())
/// ```
pub fn read_properties(
    input: impl BufRead,
    source_name: &str,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Property>, PropertyError> {
    let (xml, source_name) = (XmlCursor::new(input), source_name.to_owned());
    let mut reader = Reader { xml, source_name, symbols, pool, properties: Vec::new(), remarks: Vec::new() };
    reader.property_set().map_err(|failure| reader.error(failure))?;
    let read = |property: &Property| !matches!(property.query, PropertyQuestion::Refused(_));
    if !reader.properties.iter().any(read)
        && let Some(Property { query: PropertyQuestion::Refused(error), .. }) = reader.properties.first()
    {
        return Err((**error).clone());
    }
    Ok(reader.properties)
}

/// The elements of formulas that hold other elements, or nothing.
const OPERATORS: &[&str] = &[
    "true",
    "false",
    "deadlock",
    "negation",
    "conjunction",
    "disjunction",
    "exclusive-disjunction",
    "implication",
    "equivalence",
    "all-paths",
    "exists-path",
    "next",
    "finally",
    "globally",
    "until",
    "before",
    "reach",
    "is-fireable",
    "tokens-count",
    "place-bound",
    "integer-eq",
    "integer-ne",
    "integer-lt",
    "integer-le",
    "integer-gt",
    "integer-ge",
    "integer-product",
    "integer-sum",
    "integer-difference",
    "integer-product",
];

/// Is this an element that holds names only?
fn is_list(element: &str) -> bool {
    matches!(element, "tokens-count" | "place-bound" | "is-fireable")
}

struct Failure {
    location: Location,
    problem: PropertyProblem,
}

impl From<XmlError> for Failure {
    fn from(error: XmlError) -> Self {
        Failure { location: error.location, problem: PropertyProblem::Xml(error.problem) }
    }
}

/// The meaning of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Formula(FormulaId),
    Expr(ExprId),
    /// The formulas inside `<before>` and `<reach>`.
    Before(FormulaId),
    Reach(FormulaId),
}

/// An element that is open.
struct Frame {
    element: String,
    location: Location,
    items: Vec<Item>,
    /// Names of places or transitions read; each may stand for any number of nodes.
    names: usize,
    places: Vec<PlaceId>,
    transitions: Vec<TransitionId>,
}

struct Reader<'a, R> {
    xml: XmlCursor<R>,
    source_name: String,
    symbols: &'a Symbols,
    pool: &'a mut Pool,
    properties: Vec<Property>,
    /// Of the property that is being read.
    remarks: Vec<PropertyError>,
}

impl<R: BufRead> Reader<'_, R> {
    fn error(&self, Failure { location, problem }: Failure) -> PropertyError {
        PropertyError { source_name: self.source_name.clone(), location, problem }
    }

    fn fail<T>(&self, problem: PropertyProblem) -> Result<T, Failure> {
        Err(Failure { location: self.xml.location(), problem })
    }

    fn property_set(&mut self) -> Result<(), Failure> {
        match self.xml.next_child()?.map(str::to_owned) {
            Some(root) if root != "property-set" => return self.fail(PropertyProblem::NotPropertySet(root)),
            _ => {}
        }
        let mut ids = rustc_hash::FxHashSet::default();
        while let Some(child) = self.xml.next_child()?.map(str::to_owned) {
            if child != "property" {
                return self.unexpected(child, "property-set");
            }
            let mut property = self.property()?;
            if !ids.insert(property.id.clone()) {
                let problem = PropertyProblem::DuplicateId(property.id.clone());
                let error = self.error(Failure { location: property.location, problem });
                property.query = PropertyQuestion::Refused(Box::new(error));
            }
            self.properties.push(property);
        }
        // Past the root element: what follows is checked by the cursor.
        self.xml.next_child()?;
        Ok(())
    }

    fn unexpected<T>(&self, element: String, parent: &str) -> Result<T, Failure> {
        self.fail(PropertyProblem::Element { element, parent: parent.to_owned() })
    }

    fn property(&mut self) -> Result<Property, Failure> {
        let (location, depth) = (self.xml.location(), self.xml.depth());
        let needs = |element: &str, needs| Failure {
            location,
            problem: PropertyProblem::Operands { element: element.to_owned(), needs },
        };
        let (mut id, mut description, mut query) = (None, String::new(), None);
        while let Some(child) = self.xml.next_child()?.map(str::to_owned) {
            match child.as_str() {
                // Whatever is broken into lines is one word, or words, of the line that has the answer.
                "id" => id = Some(self.xml.text()?.split_whitespace().collect::<Vec<_>>().join(" ")),
                "description" => description = self.xml.text()?.to_owned(),
                "formula" if query.is_none() => {
                    query = Some(match self.formula(id.as_deref().unwrap_or("without identifier")) {
                        Err(failure) if id.is_some() && !matches!(failure.problem, PropertyProblem::Xml(_)) => {
                            self.xml.leave_to(depth)?;
                            query = Some(PropertyQuestion::Refused(Box::new(self.error(failure))));
                            break;
                        }
                        formula => formula?,
                    });
                }
                "tags" => self.xml.skip()?,
                _ => return self.unexpected(child, "property"),
            }
        }
        let id = id.filter(|i| !i.is_empty()).ok_or_else(|| needs("property", "an <id>"))?;
        let query = query.ok_or_else(|| needs("property", "a <formula>"))?;
        Ok(Property {
            id,
            description,
            query,
            location,
            remarks: std::mem::take(&mut self.remarks),
            written: None,
            assumptions: Vec::new(),
        })
    }

    /// The content of `<formula>`, which has just been entered.
    fn formula(&mut self, id: &str) -> Result<PropertyQuestion, Failure> {
        let mut stack = vec![self.frame("formula".to_owned())];
        loop {
            let element = match self.xml.advance()? {
                Event::Open(name) => name.to_owned(),
                Event::Text(text) if text.trim().is_empty() => continue,
                Event::Text(_) => {
                    let element = stack.last().map_or("", |f| &f.element).to_owned();
                    return self.fail(PropertyProblem::Operands { element, needs: "elements, not text" });
                }
                Event::Close(_) | Event::End => {
                    let Some(frame) = stack.pop() else {
                        return self.fail(PropertyProblem::NotPropertySet("formula".to_owned()));
                    };
                    match stack.last_mut() {
                        Some(parent) => {
                            let item = self.reduce(frame)?;
                            parent.items.push(item);
                        }
                        None => return self.query(&frame),
                    }
                    continue;
                }
            };
            let Some(parent) = stack.last_mut() else {
                return self.unexpected(element, "formula");
            };
            match (element.as_str(), parent.element.as_str()) {
                ("place", "tokens-count" | "place-bound") => {
                    let name = self.xml.text()?.to_owned();
                    parent.names += 1;
                    match self.symbols.place_in(Naming::Id, &name) {
                        Ok(places) if places.iter().any(|&place| self.symbols.unit(place).is_some()) => {
                            let (formula, clock) = (id.to_owned(), name);
                            return self.fail(PropertyProblem::Clock { formula, clock });
                        }
                        Ok(places) => parent.places.extend(places),
                        Err(error) => {
                            let (formula, error) = (id.to_owned(), Box::new(error));
                            return self.fail(PropertyProblem::Name { formula, error });
                        }
                    }
                }
                ("transition", "is-fireable") => {
                    let name = self.xml.text()?.to_owned();
                    parent.names += 1;
                    match self.symbols.transition_in(Naming::Id, &name) {
                        Ok(transitions) => parent.transitions.extend(transitions),
                        Err(error) => {
                            let (formula, error) = (id.to_owned(), Box::new(error));
                            return self.fail(PropertyProblem::Name { formula, error });
                        }
                    }
                }
                ("integer-constant", _) => {
                    let number = self.xml.text()?.to_owned();
                    match number.parse() {
                        Ok(value) => parent.items.push(Item::Expr(self.pool.add_expr(Expr::Const(value)))),
                        Err(_) => return self.fail(PropertyProblem::Integer(number)),
                    }
                }
                (name, list) if is_list(list) || !OPERATORS.contains(&name) => {
                    let parent = parent.element.clone();
                    return self.unexpected(element, &parent);
                }
                _ => {
                    let frame = self.frame(element);
                    stack.push(frame);
                }
            }
        }
    }

    fn frame(&self, element: String) -> Frame {
        let location = self.xml.location();
        Frame { element, location, items: Vec::new(), names: 0, places: Vec::new(), transitions: Vec::new() }
    }

    /// The question in `<formula>`.
    fn query(&mut self, frame: &Frame) -> Result<PropertyQuestion, Failure> {
        let at_frame = |problem| Err(Failure { location: frame.location, problem });
        match frame.items[..] {
            [Item::Formula(f)] if self.pool.depth(f) > MAX_DEPTH => at_frame(PropertyProblem::TooDeep),
            [Item::Formula(f)] => Ok(PropertyQuestion::Formula(f)),
            [Item::Expr(e)] => match &self.pool[e] {
                Expr::Bounds(places) => Ok(PropertyQuestion::Bound(places.clone())),
                _ => at_frame(operands(frame, "a formula or a <place-bound>")),
            },
            _ => at_frame(operands(frame, "exactly one formula or <place-bound>")),
        }
    }

    /// The meaning of an element when it closes.
    fn reduce(&mut self, frame: Frame) -> Result<Item, Failure> {
        let node = self.node(&frame);
        let node = node.map_err(|problem| Failure { location: frame.location, problem })?;
        Ok(match node {
            Node::Formula(f) => Item::Formula(self.pool.add(f)),
            Node::Expr(e) => Item::Expr(self.pool.add_expr(e)),
            Node::Item(item) => item,
        })
    }

    fn node(&mut self, frame: &Frame) -> Result<Node, PropertyProblem> {
        use Formula::*;
        Ok(match frame.element.as_str() {
            "true" => Node::Formula(none(frame).map(|()| True)?),
            "false" => Node::Formula(none(frame).map(|()| False)?),
            "deadlock" if self.symbols.ticks() => Node::Formula(none(frame).map(|()| Still(Standstill::Deadlock))?),
            "deadlock" => Node::Formula(none(frame).map(|()| Deadlock)?),
            "negation" => Node::Formula(Not(one(frame)?)),
            "conjunction" | "disjunction" => match many(frame)?[..] {
                // Of one formula it is that formula.
                [only] => Node::Item(Item::Formula(only)),
                ref several if frame.element == "conjunction" => Node::Formula(And(several.to_vec())),
                ref several => Node::Formula(Or(several.to_vec())),
            },
            "implication" => Node::Formula(two(frame).map(|(a, b)| Implies(a, b))?),
            "equivalence" => Node::Formula(two(frame).map(|(a, b)| Iff(a, b))?),
            "exclusive-disjunction" => {
                let (a, b) = two(frame)?;
                Node::Formula(Not(self.pool.add(Iff(a, b))))
            }
            "all-paths" => Node::Formula(Forall(one(frame)?)),
            "exists-path" => Node::Formula(Exists(one(frame)?)),
            "next" => Node::Formula(Next(one(frame)?)),
            "finally" => Node::Formula(Finally(one(frame)?)),
            "globally" => Node::Formula(Globally(one(frame)?)),
            "before" => Node::Item(Item::Before(one(frame)?)),
            "reach" => Node::Item(Item::Reach(one(frame)?)),
            "until" => match frame.items[..] {
                [Item::Before(a), Item::Reach(b)] => Node::Formula(Until(a, b)),
                _ => return Err(operands(frame, "a <before> and a <reach>")),
            },
            "is-fireable" if frame.names > 0 => Node::Formula(Enabled(frame.transitions.clone())),
            "is-fireable" => return Err(operands(frame, "at least one <transition>")),
            "integer-eq" => comparison(frame, Comparison::Eq)?,
            "integer-ne" => comparison(frame, Comparison::Ne)?,
            "integer-lt" => comparison(frame, Comparison::Lt)?,
            "integer-le" => comparison(frame, Comparison::Le)?,
            "integer-gt" => comparison(frame, Comparison::Gt)?,
            "integer-ge" => comparison(frame, Comparison::Ge)?,
            "integer-sum" => match terms(frame)?[..] {
                [only] => Node::Item(Item::Expr(only)),
                ref several => Node::Expr(Expr::Add(several.to_vec())),
            },
            "integer-product" => {
                let terms = terms(frame)?;
                let product = terms.iter().copied().reduce(|a, b| self.pool.add_expr(Expr::Mul(a, b)));
                Node::Item(Item::Expr(product.ok_or_else(|| operands(frame, "an integer term"))?))
            }
            // The first without the others; one alone is the opposite number, as TAPAAL has it.
            "integer-difference" => match terms(frame)?[..] {
                [only] => Node::Expr(Expr::Neg(only)),
                [first, ref others @ ..] => {
                    let negated = others.iter().map(|&other| self.pool.add_expr(Expr::Neg(other)));
                    Node::Expr(Expr::Add(std::iter::once(first).chain(negated).collect()))
                }
                [] => return Err(operands(frame, "an integer term")),
            },
            "tokens-count" => Node::Expr(Expr::Tokens(self.places(frame)?)),
            "place-bound" => Node::Expr(Expr::Bounds(self.places(frame)?)),
            other => return Err(PropertyProblem::Element { element: other.to_owned(), parent: "formula".to_owned() }),
        })
    }

    /// The places of a list; one that is listed twice counts once, as the answers of the contest have it.
    fn places(&mut self, frame: &Frame) -> Result<Vec<PlaceId>, PropertyProblem> {
        if frame.names == 0 {
            return Err(operands(frame, "at least one <place>"));
        }
        let mut places = frame.places.clone();
        places.sort_unstable();
        if let Some(pair) = places.windows(2).find(|pair| pair[0] == pair[1]) {
            let problem = PropertyProblem::DuplicatePlace(self.symbols.name_of_place(pair[0]).to_owned());
            let remark = self.error(Failure { location: frame.location, problem });
            self.remarks.push(remark);
        }
        places.dedup();
        Ok(places)
    }
}

enum Node {
    Formula(Formula),
    Expr(Expr),
    Item(Item),
}

fn operands(frame: &Frame, needs: &'static str) -> PropertyProblem {
    PropertyProblem::Operands { element: frame.element.clone(), needs }
}

fn formulas(frame: &Frame) -> Option<Vec<FormulaId>> {
    let formula = |item: &Item| if let Item::Formula(f) = item { Some(*f) } else { None };
    frame.items.iter().map(formula).collect()
}

fn none(frame: &Frame) -> Result<(), PropertyProblem> {
    if frame.items.is_empty() { Ok(()) } else { Err(operands(frame, "no operand")) }
}

fn one(frame: &Frame) -> Result<FormulaId, PropertyProblem> {
    match formulas(frame).as_deref() {
        Some(&[a]) => Ok(a),
        _ => Err(operands(frame, "exactly one formula")),
    }
}

fn two(frame: &Frame) -> Result<(FormulaId, FormulaId), PropertyProblem> {
    match formulas(frame).as_deref() {
        Some(&[a, b]) => Ok((a, b)),
        _ => Err(operands(frame, "exactly two formulas")),
    }
}

fn many(frame: &Frame) -> Result<Vec<FormulaId>, PropertyProblem> {
    formulas(frame).filter(|f| !f.is_empty()).ok_or_else(|| operands(frame, "at least one formula"))
}

fn terms(frame: &Frame) -> Result<Vec<ExprId>, PropertyProblem> {
    let term = |item: &Item| if let Item::Expr(e) = item { Some(*e) } else { None };
    let terms: Option<Vec<ExprId>> = frame.items.iter().map(term).collect();
    terms.filter(|t| !t.is_empty()).ok_or_else(|| operands(frame, "at least one integer term"))
}

fn comparison(frame: &Frame, comparison: Comparison) -> Result<Node, PropertyProblem> {
    match terms(frame)?[..] {
        [a, b] => Ok(Node::Formula(Formula::Compare(a, comparison, b))),
        _ => Err(operands(frame, "two integer terms")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;

    fn read(body: &str) -> Result<String, String> {
        let mut b = NetBuilder::new("n");
        b.place("p", 0).unwrap();
        let q = b.place("q", 0).unwrap();
        b.name_place(q, "p");
        b.transition("t").unwrap();
        b.transition("u").unwrap();
        let (symbols, mut pool) = (Symbols::new(&b.build().unwrap()), Pool::new());
        let properties = read_properties(body.as_bytes(), "f.xml", &symbols, &mut pool).map_err(|e| e.to_string())?;
        let shown = properties.iter().map(|p| match &p.query {
            PropertyQuestion::Formula(f) => format!("{}: {}", p.id, pool.display(*f, &symbols)),
            PropertyQuestion::Bound(places) => format!("{}: {places:?}", p.id),
            PropertyQuestion::Steps(_) => unreachable!(),
            PropertyQuestion::Refused(error) => format!("{}: {error}", p.id),
        });
        Ok(shown.collect::<Vec<_>>().join("\n"))
    }

    fn formula(body: &str) -> Result<String, String> {
        read(&format!("<property-set>\n<property><id>f</id>\n<formula>{body}</formula></property></property-set>"))
    }

    const P: &str = "<tokens-count><place>p</place></tokens-count>";
    const FIREABLE: &str = "<is-fireable><transition>t</transition><transition>u</transition></is-fireable>";

    #[test]
    fn an_identifier_ends_no_line() {
        let body = "<property-set><property><id> a&#10;b: true\n c</id><formula><deadlock/></formula></property></property-set>";
        assert_eq!(read(body).as_deref(), Ok("a b: true c: deadlock"));
    }

    #[test]
    fn every_element() {
        let le = format!("<integer-le>{P}<integer-constant>3</integer-constant></integer-le>");
        for (body, expected) in [
            (le.clone(), "#p <= 3"),
            (
                "<integer-ge><integer-constant>-1</integer-constant><tokens-count><place>p</place>\
              <place> q </place></tokens-count></integer-ge>"
                    .into(),
                "-1 >= tokens(p, q)",
            ),
            (FIREABLE.into(), "enabled(t, u)"),
            (format!("<negation>{le}</negation>"), "!(#p <= 3)"),
            (format!("<conjunction>{le}<deadlock/><true/></conjunction>"), "#p <= 3 & deadlock & true"),
            (format!("<disjunction>{le}</disjunction>"), "#p <= 3"),
            (
                format!("<integer-eq><integer-sum>{P}{P}{P}</integer-sum><integer-sum>{P}</integer-sum></integer-eq>"),
                "#p + #p + #p = #p",
            ),
            (
                format!(
                    "<integer-eq><integer-difference>{P}{P}{P}</integer-difference>\
                     <integer-difference>{P}</integer-difference></integer-eq>"
                ),
                "#p - #p - #p = -#p",
            ),
            (
                format!(
                    "<integer-eq><integer-product>{P}<integer-constant>2</integer-constant>{P}</integer-product>\
                     <integer-product>{P}</integer-product></integer-eq>"
                ),
                "#p * 2 * #p = #p",
            ),
            (format!("<disjunction>{le}<false></false></disjunction>"), "#p <= 3 | false"),
            (
                format!("<all-paths><until><before>{FIREABLE}</before><reach>{le}</reach></until></all-paths>"),
                "A (enabled(t, u) U #p <= 3)",
            ),
            (
                format!(
                    "<exists-path><next><all-paths><globally><exists-path><finally>{le}</finally></exists-path>\
              </globally></all-paths></next></exists-path>"
                ),
                "E X A G E F (#p <= 3)",
            ),
            ("<place-bound><place>q</place><place>p</place></place-bound>".into(), "[VariableId(0), VariableId(1)]"),
            (
                format!(
                    "<integer-eq><integer-sum>{P}{P}</integer-sum><integer-difference>{P}{P}</integer-difference>\
              </integer-eq>"
                ),
                "#p + #p = #p - #p",
            ),
            ("<conjunction><true/></conjunction>".into(), "true"),
            ("<negation><disjunction><deadlock/></disjunction></negation>".into(), "!deadlock"),
            (format!("<integer-le><integer-product>{P}{P}{P}</integer-product>{P}</integer-le>"), "#p * #p * #p <= #p"),
            (
                format!(
                    "<integer-lt><integer-sum>{P}</integer-sum><integer-sum>{P}{P}<integer-product>{P}</integer-product>\
              </integer-sum></integer-lt>"
                ),
                "#p < #p + #p + #p",
            ),
            (
                format!(
                    "<integer-lt><integer-difference>{P}</integer-difference><integer-difference>{P}{P}{P}\
              </integer-difference></integer-lt>"
                ),
                "-#p < #p - #p - #p",
            ),
            ("<exclusive-disjunction><true/><false/></exclusive-disjunction>".into(), "!(true <-> false)"),
            (
                "<implication><true/><equivalence><true/><false/></equivalence></implication>".into(),
                "true -> (true <-> false)",
            ),
        ] {
            assert_eq!(formula(&body), Ok(format!("f: {expected}")), "{body}");
        }
    }

    #[test]
    fn errors_name_the_place() {
        for (body, expected) in [
            (
                "<is-fireable><transition>v</transition></is-fireable>",
                "f.xml:3:35: unknown transition `v` (formula f; is this the property file of another net?)",
            ),
            (
                "<integer-le><tokens-count>\n<place>zzz</place></tokens-count></integer-le>",
                "f.xml:4:8: unknown place `zzz` (form",
            ),
            ("<negation><true/><true/></negation>", "f.xml:3:10: <negation> needs exactly one formula"),
            ("<conjunction></conjunction>", "<conjunction> needs at least one formula"),
            (
                "<integer-le><integer-sum/><integer-constant>1</integer-constant></integer-le>",
                "<integer-sum> needs at least",
            ),
            (
                "<negation><place-bound><place>p</place></place-bound></negation>",
                "<negation> needs exactly one formula",
            ),
            ("", "<formula> needs exactly one"),
            ("<until><reach><true/></reach><before><true/></before></until>", "<until> needs a <before> and a <reach>"),
            ("<is-live/>", "unexpected element <is-live>"),
            ("<place>p</place>", "unexpected element <place>"),
            (
                "<tokens-count><transition>t</transition></tokens-count>",
                "unexpected element <transition> in <tokens-count>",
            ),
            ("<tokens-count><place>p</place></tokens-count>", "<formula> needs a formula or"),
            ("<integer-le><integer-constant>x</integer-constant></integer-le>", "`x` is not an integer"),
            ("<integer-le><integer-constant>1</integer-constant></integer-le>", "<integer-le> needs two"),
            ("true", "<formula> needs elements, not text"),
            ("<true>", "f.xml:3:"),
        ] {
            let message = formula(body).unwrap_err();
            assert!(message.contains(expected), "{body}: {message}");
        }
        assert!(read("<pnml/>").unwrap_err().contains("expected a <property-set>"));
        assert!(read("<property-set><property/></property-set>").unwrap_err().contains("needs an <id>"));
        let twice = "<property><id>a</id><formula><true/></formula></property>".repeat(2);
        assert!(read(&format!("<property-set>{twice}</property-set>")).unwrap().contains("a second property"));
        assert_eq!(read("<property-set/>"), Ok(String::new()));
    }

    /// A formula that cannot be read costs none of those around it.
    #[test]
    fn one_formula_does_not_cost_the_file() {
        for wrong in [
            "<is-live/>",
            "<is-fireable><transition>v</transition></is-fireable>",
            "<negation><conjunction></conjunction></negation>",
            "",
            "text",
        ] {
            let property =
                |id: &str, body: &str| format!("<property><id>{id}</id><formula>{body}</formula></property>");
            let around = [property("a", "<true/>"), property("b", wrong), property("c", "<deadlock/>")].concat();
            let found = read(&format!("<property-set>\n{around}</property-set>"));
            let found = found.unwrap();
            let lines: Vec<&str> = found.lines().collect();
            assert_eq!((lines[0], lines[2]), ("a: true", "c: deadlock"), "{found}");
            assert!(lines[1].starts_with("b: f.xml:2:"), "{found}");
        }
    }

    #[test]
    fn a_place_that_is_listed_twice_counts_once() {
        let list = "<place>p</place><place>q</place><place>p</place>";
        let body = format!(
            "<integer-le><tokens-count>{list}</tokens-count><integer-constant>1</integer-constant></integer-le>"
        );
        assert_eq!(formula(&body), Ok("f: tokens(p, q) <= 1".to_owned()));
        assert_eq!(
            formula(&format!("<place-bound>{list}</place-bound>")),
            formula("<place-bound><place>p</place><place>q</place></place-bound>")
        );
    }

    #[test]
    fn deep_files_are_refused() {
        let n = 100_000;
        let body = format!("{}<true/>{}", "<negation>".repeat(n), "</negation>".repeat(n));
        assert!(formula(&body).unwrap_err().contains("nested"));
        let n = 900;
        let body = format!("{}<true/>{}", "<negation>".repeat(n), "</negation>".repeat(n));
        assert!(formula(&body).is_ok());
    }

    #[test]
    fn truncated_files_are_refused() {
        let whole = format!(
            "<property-set><property><id>f</id><formula><negation>{FIREABLE}</negation></formula></property></property-set>"
        );
        assert!(read(&whole).is_ok());
        for end in 1..whole.len() {
            assert!(read(&whole[..end]).is_err(), "{}", &whole[..end]);
        }
    }

    /// A file with bytes changed is read or refused, and nothing panics.
    #[test]
    fn damaged_files_never_panic() {
        let whole = format!(
            "<property-set><property><id>f</id><formula><all-paths><until><before>{FIREABLE}</before>\
             <reach><integer-le>{P}<integer-constant>3</integer-constant></integer-le></reach></until></all-paths>\
             </formula></property></property-set>"
        );
        for seed in 0..20_000 {
            let mut rng = crate::random::Rng::new(seed);
            let mut bytes = whole.clone().into_bytes();
            for _ in 0..1 + rng.below(3) {
                let at = rng.below(bytes.len());
                match rng.below(3) {
                    0 => bytes[at] = b"<>/ax &;\"3"[rng.below(10)],
                    1 => drop(bytes.remove(at)),
                    _ => {
                        let from = rng.below(bytes.len());
                        let piece = bytes[from..(from + rng.below(40)).min(bytes.len())].to_vec();
                        bytes.splice(at..at, piece);
                    }
                }
            }
            let _ = read(&String::from_utf8_lossy(&bytes));
        }
    }
}
