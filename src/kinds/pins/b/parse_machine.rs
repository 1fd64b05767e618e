//! Machines: clauses.
//!
//! The clauses may come in any order, and DEFINITIONS concern those before them too, so definitions are read first.
//! A clause ends where the next one begins; what is between is parsed to its end.

use super::ast::{Expr, Kind, Machine, Name, Operation, Used};
use super::definitions::{CLAUSES, Definitions, Tokens, clause_end};
use super::error::{Error, Pos, Res};
use super::lexer::Token;
use super::parser::{Parser, variable};
use super::temporal;

/// Reads the DEFINITIONS clauses of a machine or of a definition file.
///
/// # Errors
/// When there is anything else.
pub(super) fn read_definitions(tokens: &Tokens, definitions: &mut Definitions) -> Res<()> {
    for (at, (token, _)) in tokens.iter().enumerate() {
        if matches!(token, Token::Word(word) if is_definitions(word)) {
            definitions.read(tokens, at + 1, clause_end(tokens, at + 1))?;
        }
    }
    Ok(())
}

/// Does a word begin a clause of definitions?
fn is_definitions(word: &str) -> bool {
    matches!(word, "DEFINITIONS" | "EXPRESSIONS" | "PREDICATES")
}

/// Parses a machine whose definitions are known.
///
/// # Errors
/// When the text is no machine, or one of a kind that is not supported.
pub(super) fn machine(tokens: Tokens, definitions: &Definitions) -> Res<Machine> {
    let mut parser = Parser::new(tokens, definitions, 0);
    let mut machine = Machine::default();
    match parser.token() {
        Token::Word(word) if matches!(&**word, "MACHINE" | "MODEL" | "SYSTEM") => parser.advance(),
        Token::Word(word) if matches!(&**word, "REFINEMENT" | "IMPLEMENTATION") => {
            return Err(Error::refused(
                parser.pos(),
                format!("{word}: only abstract machines (MACHINE) are supported"),
            ));
        }
        _ => return parser.expected("MACHINE"),
    }
    machine.name = parser.name()?.to_string();
    if parser.eat("(") {
        machine.parameters = parser.names()?;
        parser.need(")")?;
    }
    loop {
        let pos = parser.pos();
        let Token::Word(word) = parser.token().clone() else { return parser.expected("a clause or END") };
        parser.advance();
        match &*word {
            "END" => break,
            word if is_definitions(word) => parser.at = clause_end(&parser.tokens, parser.at),
            "CONSTRAINTS" | "PROPERTIES" => machine.properties.push(parser.predicate()?),
            "INVARIANT" => machine.invariant.push(parser.predicate()?),
            "ASSERTIONS" => loop {
                machine.assertions.push(parser.predicate()?);
                if !parser.eat(";") || at_clause(&parser) {
                    break;
                }
            },
            "SETS" => sets(&mut parser, &mut machine)?,
            "CONSTANTS" | "ABSTRACT_CONSTANTS" | "CONCRETE_CONSTANTS" | "HIDDEN_CONSTANTS" | "VISIBLE_CONSTANTS" => {
                declared(&mut parser, &mut machine.constants)?;
            }
            "VARIABLES" | "ABSTRACT_VARIABLES" | "CONCRETE_VARIABLES" | "HIDDEN_VARIABLES" | "VISIBLE_VARIABLES" => {
                declared(&mut parser, &mut machine.variables)?;
            }
            "INITIALISATION" | "INITIALIZATION" => machine.initialisation = Some(parser.substitution(true)?),
            "OPERATIONS" | "EVENTS" => operations(&mut parser, &mut machine.operations)?,
            "LOCAL_OPERATIONS" | "FREETYPES" | "VALUES" | "IMPORTS" | "REFINES" => {
                return Err(Error::refused(pos, format!("the clause {word} is not supported")));
            }
            "INCLUDES" | "EXTENDS" | "SEES" | "USES" => uses(&mut parser, &word, &mut machine.uses)?,
            "PROMOTES" => loop {
                let pos = parser.pos();
                machine.promotes.push((parser.name()?, pos));
                if !parser.eat(",") {
                    break;
                }
            },
            _ => return Err(Error::syntax(pos, format!("expected a clause or END, found {word}"))),
        }
    }
    if *parser.token() != Token::End {
        return parser.expected("the end of the file behind END");
    }
    machine.preferences = preferences(definitions)?;
    (machine.questions, machine.conditions) = temporal::questions(definitions);
    Ok(machine)
}

/// Does the machine go on with a clause here, or end?
fn at_clause(parser: &Parser<'_>) -> bool {
    match parser.token() {
        Token::Word(word) => &**word == "END" || CLAUSES.contains(&&**word),
        Token::End => true,
        _ => false,
    }
}

/// Names of constants or variables.
fn declared(parser: &mut Parser<'_>, into: &mut Vec<(Name, Pos)>) -> Res<()> {
    loop {
        let pos = parser.pos();
        into.push((parser.name()?, pos));
        // The name may be a macro for several.
        if let Some((name, pos)) = into.pop() {
            if parser.definitions.table.contains_key(&name) {
                parser.at -= 1;
                let bound = parser.bound()?;
                into.extend(bound.into_iter().map(|var| (var.name, pos)));
            } else {
                into.push((name, pos));
            }
        }
        let more = parser.eat(",") || (parser.eat(";") && !at_clause(parser));
        if !more {
            return Ok(());
        }
    }
}

/// Given sets.
fn sets(parser: &mut Parser<'_>, machine: &mut Machine) -> Res<()> {
    loop {
        if at_clause(parser) {
            return Ok(());
        }
        let pos = parser.pos();
        let name = parser.name()?;
        let elements = if parser.eat("=") {
            if !parser.is("{") {
                // A macro that is a set of names.
                let expr = parser.item(30)?;
                Some(element_names(&expr)?)
            } else {
                parser.need("{")?;
                let names = parser.bound()?.into_iter().map(|bound| bound.name).collect();
                parser.need("}")?;
                Some(names)
            }
        } else {
            None
        };
        machine.sets.push((name, elements, pos));
        if !parser.eat(";") && !parser.eat(",") {
            return Ok(());
        }
    }
}

/// The names in a set of names.
fn element_names(expr: &Expr) -> Res<Vec<Name>> {
    let Kind::Op(super::ast::Op::SetOf, parts) = &expr.kind else {
        return Err(Error::syntax(expr.pos, "expected { and names".into()));
    };
    parts
        .iter()
        .map(|part| match &part.kind {
            Kind::Name(name) => Ok(name.clone()),
            _ => Err(Error::syntax(part.pos, "expected a name".into())),
        })
        .collect()
}

/// Machines behind INCLUDES, EXTENDS, SEES or USES.
fn uses(parser: &mut Parser<'_>, word: &str, into: &mut Vec<Used>) -> Res<()> {
    loop {
        let pos = parser.pos();
        let full = parser.name()?;
        let (prefix, name) = match full.rsplit_once('.') {
            Some((prefix, name)) => (Some(prefix.into()), name.into()),
            None => (None, full),
        };
        let arguments = if parser.eat("(") { parser.list_until(")")? } else { Vec::new() };
        let owned = matches!(word, "INCLUDES" | "EXTENDS");
        into.push(Used { pos, prefix, name, arguments, extends: word == "EXTENDS", owned });
        if !parser.eat(",") {
            return Ok(());
        }
    }
}

/// Operations.
fn operations(parser: &mut Parser<'_>, into: &mut Vec<Operation>) -> Res<()> {
    loop {
        if at_clause(parser) {
            return Ok(());
        }
        let mut names = parser.names()?;
        let mut outputs = Vec::new();
        if parser.eat("<--") {
            outputs = names;
            names = vec![parser.name()?];
        }
        if names.len() != 1 {
            return parser.expected("<-- and the name of an operation");
        }
        let inputs = if parser.eat("(") {
            let names = if parser.is(")") { Vec::new() } else { parser.names()? };
            parser.need(")")?;
            names
        } else {
            Vec::new()
        };
        let body = if parser.eat("=") || parser.eat("==") {
            parser.substitution(false)?
        } else {
            return parser.expected("=");
        };
        into.push(Operation {
            name: names.swap_remove(0),
            outputs: outputs.into_iter().map(variable).collect(),
            inputs: inputs.into_iter().map(variable).collect(),
            body,
        });
        if !parser.eat(";") {
            return Ok(());
        }
    }
}

/// Definitions that set preferences.
fn preferences(definitions: &Definitions) -> Res<Vec<(Name, Expr)>> {
    let mut found = Vec::new();
    for (name, definition) in &definitions.table {
        if (name.starts_with("SET_PREF_") || name.starts_with("scope_")) && definition.parameters.is_empty() {
            let mut parser = Parser::new(definition.tokens.clone(), definitions, 0);
            if let Ok(expr) = parser.item(30) {
                found.push((name.clone(), expr));
            }
        }
    }
    Ok(found)
}
