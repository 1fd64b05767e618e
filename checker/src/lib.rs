//! Checks certificates of verdicts: that a formula of CTL\*, CTL or LTL is true, or false, of a model.
//!
//! The checker knows nothing of the program that made the certificate. It reads the model and the formula itself, derives the
//! automata of path formulas itself, and asks of the sets that the certificate gives no more than whether steps lead
//! from one into another: it computes no fixpoint and searches nothing, but that it may list the states of a program. docs/certificates.md has the format, what is checked
//! of each claim, and why a certificate that is accepted implies the verdict.
//!
//! | file | what it does |
//! |---|---|
//! | `text` | reading texts from left to right |
//! | `effort` | the bounds of work and memory |
//! | `net`, `xml`, `pnml`, `dot`, `etf` | the model |
//! | `smv`, `states` | the model, if it is a flat program: its text, and the graph of its states |
//! | `formula`, `tableau` | formulas, the form that is checked, automata of path formulas |
//! | `diagram` | sets of states, and where steps lead |
//! | `certificate` | reading certificates |
//! | `proof`, `run`, `linear`, `verdict` | claims: by sets, by a run, by inequalities; what they imply |
//! | `conjunctions`, `conditions`, `compiler`, `functions`, `ranges` | claims by sets about a program whose states are not listed |

mod certificate;
mod compiler;
mod conditions;
mod conjunctions;
mod diagram;
mod dot;
mod effort;
mod etf;
mod formula;
mod functions;
mod linear;
mod net;
mod pnml;
mod proof;
#[cfg(test)]
mod random;
mod ranges;
mod read;
mod run;
mod smv;
mod states;
mod tableau;
mod text;
mod verdict;
mod xml;

pub use certificate::{Certificate, Claim, End, Evidence, Located};
pub use diagram::{EMPTY, Node as DiagramNode, Store};
pub use effort::{bounded, while_wanted};
pub use formula::{Id, Names, Node, Op, Paths, Pool};
pub use linear::{Linear, Part, Row, is_kept};
pub use net::{Effect, Net, Place, Step, Tokens, value};
pub use tableau::{Edge, Tableau};

use conditions::Kept;
use effort::Taken;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(pub String);

impl Refused {
    /// Is it more than the checker does, rather than wrong?
    pub fn is_limit(&self) -> bool {
        self.0.ends_with(effort::LIMIT)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_line(f, &self.0)
    }
}

/// Names of a model are part of what is said: none of them may end the line, or move what is seen of it.
fn write_line(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let moves = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().try_for_each(|c| if moves(c) { write!(f, "{}", c.escape_default()) } else { write!(f, "{c}") })
}

impl std::error::Error for Refused {}

/// What is accepted, or why it is not.
pub type Checked<T> = Result<T, Refused>;

fn refuse<T>(why: impl Into<String>) -> Checked<T> {
    Err(Refused(why.into()))
}

/// The checksum FNV-1a of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Checksum(pub u64);

impl Default for Checksum {
    fn default() -> Self {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Add bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    }
}

/// What a certificate proves of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    /// The formula, as the certificate says it.
    pub formula: String,
    /// Is it true?
    pub verdict: bool,
    /// What a finite path means.
    pub paths: &'static str,
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} paths): ", self.verdict, self.paths)?;
        write_line(f, &self.formula)
    }
}

/// A model that certificates are checked against, one after the other: it is read once. Each check is as if it were the
/// only one, and what it may take is counted so, too.
#[derive(Debug)]
pub struct Subject<'a> {
    text: &'a str,
    /// The model with its states, if it is a program, and without a list of them; what they took to read.
    read: [OnceLock<(Arc<Net>, Taken)>; 2],
    /// Its conditions, if its states are not listed.
    conditions: Kept,
}

impl<'a> Subject<'a> {
    /// A model as the text of a file.
    pub fn new(text: &'a str) -> Self {
        Subject { text, read: [OnceLock::new(), OnceLock::new()], conditions: Kept::default() }
    }

    /// Check a certificate, as the text of a file. Both texts are read as they are, however deep: run it in a thread with
    /// a large stack ([`with_stack`]).
    ///
    /// # Errors
    /// [`Refused`] says what is not proved.
    pub fn check(&self, certificate: &str) -> Checked<Proved> {
        effort::bounded(self.text.len() + certificate.len(), || {
            Certificate::is_of_known_version(certificate)?;
            let net = self.net(Certificate::is_about_unlisted(certificate))?;
            let certificate = Certificate::read(certificate, net)?;
            match &net.program {
                Some(program) => conjunctions::verify(net, program, &self.conditions, certificate),
                None => verdict::verify(net, certificate),
            }
        })
    }

    /// The model for those who make certificates, which they are checked against. Of a program the states are listed if they are
    /// few; if not, but if it can be checked by its conditions, as far as variables of these names rest on them, they are not
    /// listed. Best is the order that the levels of certificates will have. Where it is known how many `states` there
    /// are, that decides.
    ///
    /// # Errors
    /// As [`Net::read`].
    pub fn read_either(&self, names: &[&str], states: Option<usize>) -> Checked<Arc<Net>> {
        effort::bounded(self.text.len(), || {
            let (net, taken) = Net::read_either(self.text, names, states, &self.conditions)?;
            let slot = &self.read[usize::from(net.is_unlisted())];
            Ok(Arc::clone(&slot.get_or_init(|| (Arc::new(net), taken)).0))
        })
    }

    fn net(&self, unlisted: bool) -> Checked<&Net> {
        let slot = &self.read[usize::from(unlisted)];
        if let Some((net, taken)) = slot.get() {
            return effort::again(*taken).map(|()| &**net);
        }
        let read = || if unlisted { Net::read_unlisted(self.text) } else { Net::read(self.text) };
        let (net, taken) = effort::measured(read);
        let net = Arc::new(net?);
        Ok(&slot.get_or_init(|| (net, taken)).0)
    }
}

/// Check one certificate against a model ([`Subject::check`]).
///
/// # Errors
/// [`Refused`] says what is not proved.
pub fn check(model: &str, certificate: &str) -> Checked<Proved> {
    Subject::new(model).check(certificate)
}

/// Does a run from the first state satisfy a path formula in the form that is checked, if nothing is known of
/// quantified formulas? For those who make certificates.
///
/// # Errors
/// When it is no run.
pub fn satisfies(net: &Net, pool: &Pool, path: Id, steps: &[usize], end: End) -> Checked<bool> {
    run::satisfies(&proof::Prover::new(net, pool, Store::new(0), &[]), path, steps, end)
}

/// Run a function where recursion may be deep.
pub fn with_stack<T: Send>(function: impl FnOnce() -> T + Send) -> Checked<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 << 30).spawn_scoped(scope, function);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => Ok(result),
            _ => refuse("the checker could not work to the end"),
        }
    })
}
