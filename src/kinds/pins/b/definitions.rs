//! DEFINITIONS: macros on syntax trees.
//!
//! `Name(x, y) == body`, the body a formula or a substitution. The tokens of a body end where the next definition or
//! the next clause begins. A body is parsed when it is first used, since it may use definitions that come later; a
//! use is a copy of its tree with the arguments in place of the parameters (so names that are free in the body are
//! looked up where the macro is used, as ProB does). A macro that uses itself is refused.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;

use super::ast::{Expr, Name, Sub};
use super::error::{Error, Pos, Res};
use super::lexer::Token;

/// Tokens with their places.
pub(super) type Tokens = Rc<[(Token, Pos)]>;

/// The meaning of a definition.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// A formula.
    Formula(Expr),
    /// A substitution.
    Substitution(Sub),
}

/// One definition.
#[derive(Debug)]
pub(super) struct Definition {
    /// Parameters.
    pub parameters: Vec<Name>,
    /// Tokens of the body, with an [`Token::End`].
    pub tokens: Tokens,
    /// Their meaning, once parsed.
    pub body: RefCell<Option<Result<Body, Error>>>,
    /// Being parsed now?
    pub busy: RefCell<bool>,
}

/// All definitions that a machine sees.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// By name.
    pub table: IndexMap<Name, Definition>,
    /// Definition files that it names.
    pub files: Vec<(Arc<str>, Pos)>,
}

/// Words that begin a clause of a machine.
pub(super) const CLAUSES: &[&str] = &[
    "CONSTRAINTS",
    "SETS",
    "CONSTANTS",
    "ABSTRACT_CONSTANTS",
    "CONCRETE_CONSTANTS",
    "HIDDEN_CONSTANTS",
    "VISIBLE_CONSTANTS",
    "PROPERTIES",
    "VARIABLES",
    "ABSTRACT_VARIABLES",
    "CONCRETE_VARIABLES",
    "HIDDEN_VARIABLES",
    "VISIBLE_VARIABLES",
    "INVARIANT",
    "ASSERTIONS",
    "INITIALISATION",
    "INITIALIZATION",
    "OPERATIONS",
    "EVENTS",
    "LOCAL_OPERATIONS",
    "DEFINITIONS",
    "EXPRESSIONS",
    "PREDICATES",
    "INCLUDES",
    "EXTENDS",
    "SEES",
    "USES",
    "PROMOTES",
    "FREETYPES",
];

/// Words that begin something that `END` ends.
const OPENERS: &[&str] = &["BEGIN", "PRE", "ASSERT", "CHOICE", "IF", "SELECT", "CASE", "ANY", "LET", "VAR"];

/// Where a clause ends that begins at `start`, just behind its keyword: at the next clause or the END of the machine.
pub(super) fn clause_end(tokens: &[(Token, Pos)], start: usize) -> usize {
    let mut open = 0usize;
    for (at, (token, _)) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::End => return at,
            Token::Word(word) => match &**word {
                "END" if open == 0 => return at,
                "END" => open -= 1,
                "WHILE" => open += 1,
                // CASE has two: `CASE e OF ... END END`.
                "EITHER" => open += 1,
                word if OPENERS.contains(&word) => open += 1,
                word if open == 0 && CLAUSES.contains(&word) => return at,
                _ => {}
            },
            _ => {}
        }
    }
    tokens.len() - 1
}

/// Does a definition begin here: `Name ==` or `Name(x, y) ==`? Its parameters and where its body begins.
fn header(tokens: &[(Token, Pos)], at: usize) -> Option<(Vec<Name>, usize)> {
    let symbol = |at: usize, s: &str| matches!(tokens.get(at), Some((Token::Symbol(t), _)) if *t == s);
    if symbol(at + 1, "==") {
        return Some((Vec::new(), at + 2));
    }
    if !symbol(at + 1, "(") {
        return None;
    }
    let (mut parameters, mut at) = (Vec::new(), at + 2);
    loop {
        let Some((Token::Word(word), _)) = tokens.get(at) else { return None };
        parameters.push(word.clone());
        at += 1;
        if symbol(at, ",") {
            at += 1;
        } else {
            return (symbol(at, ")") && symbol(at + 1, "==")).then_some((parameters, at + 2));
        }
    }
}

impl Definitions {
    /// Reads the definitions of `tokens[start..end]`.
    ///
    /// # Errors
    /// When there is anything else.
    pub(super) fn read(&mut self, tokens: &[(Token, Pos)], start: usize, end: usize) -> Res<()> {
        let mut at = start;
        while at < end {
            match &tokens[at].0 {
                Token::Symbol(";") => at += 1,
                Token::Text(file) => {
                    self.files.push((file.clone(), tokens[at].1));
                    at += 1;
                }
                Token::Word(name) => {
                    let Some((parameters, body)) = header(tokens, at) else {
                        return Err(Error::syntax(
                            tokens[at].1,
                            format!("{name} begins no definition: write {name} == ..., and ; between definitions"),
                        ));
                    };
                    // It ends before `;` and another definition, or where the clause ends.
                    let mut stop = body;
                    while stop < end {
                        if tokens[stop].0 == Token::Symbol(";") {
                            let next = tokens.get(stop + 1).map(|(token, _)| token);
                            let more = match next {
                                Some(Token::Word(_)) => header(tokens, stop + 1).is_some(),
                                Some(Token::Text(_)) => true,
                                _ => false,
                            };
                            if more || stop + 1 >= end {
                                break;
                            }
                        }
                        // Some machines leave the `;` out.
                        if stop > body && matches!(&tokens[stop].0, Token::Word(_)) && header(tokens, stop).is_some() {
                            break;
                        }
                        stop += 1;
                    }
                    let mut own = tokens[body..stop].to_vec();
                    while matches!(own.last(), Some((Token::Symbol(";"), _))) {
                        own.pop();
                    }
                    own.push((Token::End, tokens[stop.min(tokens.len() - 1)].1));
                    let definition = Definition {
                        parameters,
                        tokens: own.into(),
                        body: RefCell::new(None),
                        busy: RefCell::new(false),
                    };
                    self.table.entry(name.clone()).or_insert(definition);
                    at = stop;
                }
                other => {
                    return Err(Error::syntax(tokens[at].1, format!("{} begins no definition", other.show())));
                }
            }
        }
        Ok(())
    }
}
