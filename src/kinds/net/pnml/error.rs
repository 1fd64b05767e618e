//! Errors in PNML files.

use crate::kinds::net::coloured::SortError;
use crate::net::BuildError;
use crate::xml::{Location, Problem, XmlError};
use std::fmt;
use std::path::Path;

/// A net that cannot be read: the file, the place in it, and the problem with its remedy.
/// Displays as `file:line:column: problem`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PnmlError {
    /// The file, or what the caller called the input.
    pub source_name: String,
    /// Where in the file, if it is about a place in it.
    pub location: Option<Location>,
    /// The problem.
    pub(crate) problem: Box<PnmlProblem>,
}

impl PnmlError {
    /// An error about a file as a whole.
    pub(super) fn about(path: &Path, problem: PnmlProblem) -> Self {
        PnmlError { source_name: path.display().to_string(), location: None, problem: Box::new(problem) }
    }

    /// The timing in the input, if that is the reason why it is no net without time.
    pub(in crate::kinds) fn time(&self) -> Option<Time> {
        match *self.problem {
            PnmlProblem::Time { time, .. } => Some(time),
            _ => None,
        }
    }

    /// Is the input a coloured net where only a place/transition net will do?
    pub fn is_coloured(&self) -> bool {
        *self.problem == PnmlProblem::Coloured
    }
}

impl fmt::Display for PnmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.source_name)?;
        if let Some(location) = self.location {
            write!(f, "{location}:")?;
        }
        write!(f, " {}", self.problem)
    }
}

impl std::error::Error for PnmlError {}

/// In which form a file says what time has to do with its net. Who reads nets without time must not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Time {
    /// Sections with clocks, invariants, conditions and resets.
    Clocks,
    /// Ages of tokens: invariants of places, intervals at arcs (TAPAAL).
    Ages,
}

/// A problem and its place, in a file that the caller knows.
#[derive(Debug)]
pub(super) struct Located {
    location: Option<Location>,
    problem: PnmlProblem,
}

impl Located {
    pub(super) fn at(location: Location, problem: PnmlProblem) -> Self {
        Located { location: Some(location), problem }
    }

    pub(super) fn named(self, source_name: &str) -> PnmlError {
        PnmlError { source_name: source_name.to_owned(), location: self.location, problem: Box::new(self.problem) }
    }
}

impl From<XmlError> for Located {
    fn from(e: XmlError) -> Self {
        Located::at(e.location, PnmlProblem::Xml(e.problem))
    }
}

/// The problem of a PNML file. Every message ends with what to do about it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PnmlProblem {
    /// The file cannot be opened.
    #[error("cannot open: {0}; give a .pnml file or a folder with a model.pnml in it")]
    Open(String),
    /// There is no such file, but one with the extension.
    #[error("there is no such file; give `{0}`, which there is")]
    NoExtension(String),
    /// A folder without a net.
    #[error("the folder holds no model.pnml; give a .pnml file or a folder with a model.pnml in it")]
    NoModel,
    /// Not the XML that this reader accepts.
    #[error("{0}")]
    Xml(Problem),
    /// XML, but not PNML.
    #[error("the root element is `<{0}>`, not `<pnml>`; give a PNML file")]
    NotPnml(String),
    /// A property file in place of a net.
    #[error("this is a file of properties, not a net; give the net first, and this file with -x")]
    PropertyFile,
    /// A coloured net where a place/transition net is wanted, or coloured elements in one.
    #[error(
        "coloured net where a place/transition net is expected; if the net is coloured, its type must be http://www.pnml.org/version-2009/grammar/symmetricnet"
    )]
    Coloured,
    /// A sort, variable, colour or partition that is not declared.
    #[error("the {what} `{id}` is not declared; add it to `<declarations>`, or correct the identifier")]
    Undeclared {
        /// The expected form.
        what: &'static str,
        /// The identifier.
        id: String,
    },
    /// An element of an expression or declaration that has no meaning there.
    #[error("unknown element `<{element}>` in {parent}; use the terms of symmetric nets (ISO/IEC 15909-2)")]
    UnknownExpression {
        /// The element.
        element: String,
        /// Where it stands.
        parent: String,
    },
    /// The wrong number of operands.
    #[error("`<{element}>` needs {needs}, not {found}; correct the operands")]
    Arity {
        /// The element.
        element: String,
        /// How many operands it needs.
        needs: &'static str,
        /// How many there are.
        found: usize,
    },
    /// A tuple of the wrong number of components.
    #[error("a tuple of {found} components where sort `{expected}` has {components}; add or remove components")]
    TupleArity {
        /// The sort.
        expected: String,
        /// Components of that sort.
        components: usize,
        /// Components of the tuple.
        found: usize,
    },
    /// A term of the wrong sort.
    #[error("`<{element}>` is of sort `{found}` where sort `{expected}` is needed; correct the term")]
    SortMismatch {
        /// The outermost element of the term.
        element: String,
        /// The sort needed.
        expected: String,
        /// The sort found.
        found: String,
    },
    /// A successor or predecessor in a sort that is not cyclic.
    #[error("`<{element}>` of sort `{sort}`, which is not cyclic; declare the sort with `<cyclicenumeration>`")]
    NotCyclic {
        /// The element.
        element: String,
        /// The sort.
        sort: String,
    },
    /// A comparison by order in a sort without order.
    #[error("`<{element}>` of sort `{sort}`, which has no order; compare the components")]
    NotOrdered {
        /// The element.
        element: String,
        /// The sort.
        sort: String,
    },
    /// An expression nested too deeply.
    #[error("an expression nested more than {0} elements deep; write sums with all their operands in one element")]
    DeepExpression(usize),
    /// More expressions than are held in memory.
    #[error("the expressions of the net have more than {0} elements in all; this file is refused as hostile or broken")]
    ManyExpressions(usize),
    /// A label without the expression that counts.
    #[error("`<{label}>` without `<structure>`; the expression must be given as a structure, text is not read")]
    NoStructure {
        /// The label.
        label: &'static str,
    },
    /// A place of a coloured net without a sort.
    #[error("place `{0}` of a coloured net has no `<type>`; add one")]
    NoSort(String),
    /// A place whose sort is a class of a partition.
    #[error("the type of place `{0}` is one class of a partition; give it the whole sort")]
    ClassAsSort(String),
    /// A sort that is made of a class of a partition.
    #[error("a sort is made of one class of a partition; give it the whole sort")]
    ClassInSort,
    /// An arc of a coloured net that does not say what it moves.
    #[error("arc `{0}` has no `<hlinscription>` and its place has colours; add one")]
    NoInscription(String),
    /// A variable in an initial marking.
    #[error("a variable in an initial marking; name the colours, or use `<all>`")]
    VariableInMarking,
    /// A sort that cannot be.
    #[error("{0}")]
    Sort(SortError),
    /// Sorts that refer to one another too many times, perhaps in a circle.
    #[error("the sort `{0}` leads back to itself or through too many others; declare it directly")]
    SortChain(String),
    /// A colour, or a class of a partition, that is declared twice.
    #[error("`{0}` is declared a second time; make identifiers unique among the declarations")]
    SecondColour(String),
    /// A partition that does not put each colour of its sort into exactly one class.
    #[error("the classes of partition `{0}` do not hold each colour of its sort exactly once; correct them")]
    Partition(String),
    /// Not an integer of the range that is expected.
    #[error("`{text}` is not an integer that is allowed here; write one within the range of the sort")]
    Integer {
        /// The text there.
        text: String,
    },
    /// A net type that is neither place/transition nor coloured.
    #[error(
        "net type `{0}` is not supported; place/transition nets (http://www.pnml.org/version-2009/grammar/ptnet) are"
    )]
    NetType(String),
    /// `<pnml>` without `<net>`.
    #[error("the file holds no `<net>`; add one")]
    NoNet,
    /// More than one `<net>`.
    #[error("the file holds a second net, and which one is meant is unclear; keep one `<net>`")]
    SecondNet,
    /// An element that may change how the net behaves and is not understood.
    #[error(
        "unknown element `<{child}>` in `<{parent}>`; remove it if it does not change how the net behaves, or put it into `<toolspecific>`"
    )]
    UnknownElement {
        /// The element.
        child: String,
        /// The element around it.
        parent: String,
    },
    /// A known feature that is beyond place/transition nets.
    #[error("{0} are not supported; model them with places, transitions and arcs")]
    Unsupported(&'static str),
    /// Timing, which only a reader of nets with time understands.
    #[error("{what} make this a net with time, and one without time is expected here")]
    Time {
        /// The sort of timing.
        what: &'static str,
        /// In which form.
        time: Time,
    },
    /// The same label twice in one element.
    #[error("a second `<{label}>` in `{id}`; keep one")]
    SecondLabel {
        /// The label.
        label: &'static str,
        /// The place, transition or arc.
        id: String,
    },
    /// A label that says nothing.
    #[error("`<{label}>` without `<text>`; write `<{label}><text>…</text></{label}>`")]
    NoText {
        /// The label.
        label: &'static str,
    },
    /// An identifier that was given before.
    #[error("the identifier `{id}` is already used at {first}; make identifiers unique in the file")]
    DuplicateId {
        /// The identifier.
        id: String,
        /// Where it was given first.
        first: Location,
    },
    /// A token count or weight that is not a number.
    #[error("`{text}` is not a number of tokens; write a natural number")]
    NotANumber {
        /// The text there.
        text: String,
    },
    /// A negative token count or weight.
    #[error("`{text}` is negative; write a natural number of tokens")]
    Negative {
        /// The text there.
        text: String,
    },
    /// A token count or weight with a fraction or an exponent.
    #[error("`{text}` is not a whole number of tokens; write a natural number")]
    Fraction {
        /// The text there.
        text: String,
    },
    /// A token count or weight of 2^64 or more.
    #[error("`{text}` exceeds 18446744073709551615 (2^64-1), the most tokens that are supported; use a smaller number")]
    TooManyTokens {
        /// The text there.
        text: String,
    },
    /// More tokens than a place may have.
    #[error("the place `{id}` begins with {initial} tokens and has a capacity of {capacity}; correct one of them")]
    Overfull {
        /// The place.
        id: String,
        /// Its tokens.
        initial: u64,
        /// The most that it may have.
        capacity: u64,
    },
    /// An arc of weight zero.
    #[error("the weight of arc `{0}` is 0; write 1 or more, or remove the arc")]
    ZeroWeight(String),
    /// A way of marking arcs that is not known.
    #[error("unknown arc type `{0}`; use one of normal, inhibitor, read, test")]
    ArcType(String),
    /// Two different types on one arc.
    #[error("arc `{0}` is given two different types; keep one")]
    ArcTypes(String),
    /// An inhibitor or read arc from a transition to a place.
    #[error("the {kind} arc `{arc}` goes from a transition to a place; turn it round")]
    ArcDirection {
        /// The arc.
        arc: String,
        /// `inhibitor` or `read`.
        kind: &'static str,
    },
    /// An end of an arc, or the target of a reference, that does not exist.
    #[error(
        "{referrer} refers to `{id}`, which is neither a place nor a transition of the net; add it, or correct the identifier"
    )]
    Dangling {
        /// The node with the reference.
        referrer: String,
        /// The identifier that leads nowhere.
        id: String,
    },
    /// The net of a subprocess of WoPeD without a place that it is connected with.
    #[error("the net of the subprocess `{id}` lacks the place `{place}`, to which an arc connects it; add it there")]
    Subprocess {
        /// The transition.
        id: String,
        /// The place.
        place: String,
    },
    /// An arc between two places or two transitions.
    #[error("arc `{arc}` connects {what} `{source_id}` and `{target_id}`; an arc joins a place and a transition")]
    SameKind {
        /// The arc.
        arc: String,
        /// `the places` or `the transitions`.
        what: &'static str,
        /// One end.
        source_id: String,
        /// The other end.
        target_id: String,
    },
    /// Reference nodes that lead in a circle.
    #[error("the reference `{0}` leads back to itself; let it end at a place or transition")]
    ReferenceCycle(String),
    /// A reference place that stands for a transition, or the other way round.
    #[error("the reference `{id}` to a {expected} leads to `{target}`, which is none; correct `ref`")]
    ReferenceKind {
        /// The reference.
        id: String,
        /// `place` or `transition`.
        expected: &'static str,
        /// The target of the reference.
        target: String,
    },
    /// A contradiction in the NUPN section.
    #[error("inconsistent NUPN section: {0}; correct or remove `<toolspecific tool=\"nupn\">`")]
    Nupn(String),
    /// Refused by the builder of nets.
    #[error("{0}")]
    Build(BuildError),
}
