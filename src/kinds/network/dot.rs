//! Reading networks from DOT, in the form of the RERS challenge.
//!
//! One `subgraph` per component; a node statement per state, an edge statement per edge with its label in the
//! attribute `label`. In each component one edge has the empty label: it points to the state the component
//! starts in, and the node it comes from stands for nothing else. Identifiers of nodes are unique in the file.
//! Other attributes are skipped, as are comments and defaults (`node [...]`, `rankdir=LR`).
//!
//! A tokenizer with line numbers and one loop over statements; nothing recurses.

use super::{Component, Network, ReadError};
use rustc_hash::FxHashMap;
use std::iter::Peekable;
use std::str::CharIndices;

/// Read a network; `file` is its name in messages and, without its extension, that of the network.
///
/// ```
/// let text = r#"digraph G {
///     subgraph component0 { s [label="s"]; a; b; s -> a [label=""]; a -> b [label="go"]; b -> a [label="back"]; }
/// }"#;
/// let network = starset::kinds::network::read_dot(text, "small.dot").unwrap();
/// assert_eq!(network.components()[0].states, ["a", "b"]);
/// ```
///
/// # Errors
/// [`ReadError`] where the text is not of this form.
pub fn read_dot(text: &str, file: &str) -> Result<Network, ReadError> {
    let mut reader =
        Reader { file, tokens: Tokens { text, chars: text.char_indices().peekable(), line: 1, file }, line: 1 };
    let components = reader.graph()?;
    let stem = std::path::Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    Network::new(stem, components).map_err(|error| ReadError::new(file, reader.line, error.to_string()))
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// An identifier, number or quoted text.
    Id(String),
    Arrow,
    /// One of `{ } [ ] ; , =`.
    Sign(char),
}

struct Tokens<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    line: usize,
    file: &'a str,
}

impl Tokens<'_> {
    /// The next token with its line; `None` at the end.
    fn next(&mut self) -> Result<Option<(usize, Token)>, ReadError> {
        self.skip_blanks()?;
        let line = self.line;
        let Some((start, c)) = self.chars.next() else { return Ok(None) };
        let token = match c {
            '{' | '}' | '[' | ']' | ';' | ',' | '=' => Token::Sign(c),
            '-' if self.chars.next_if(|&(_, c)| c == '>').is_some() => Token::Arrow,
            '"' => Token::Id(self.quoted()?),
            c if c.is_alphanumeric() || matches!(c, '_' | '.') => {
                let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
                let mut end = start + c.len_utf8();
                while let Some((at, c)) = self.chars.next_if(|&(_, c)| in_word(c)) {
                    end = at + c.len_utf8();
                }
                Token::Id(self.text[start..end].to_owned())
            }
            c => {
                return Err(ReadError::new(
                    self.file,
                    line,
                    format!("unexpected {c:?}; expected a directed graph in DOT (quote unusual names)"),
                ));
            }
        };
        Ok(Some((line, token)))
    }

    fn skip_blanks(&mut self) -> Result<(), ReadError> {
        while let Some(&(at, c)) = self.chars.peek() {
            let rest = &self.text[at..];
            if c == '\n' {
                self.line += 1;
                self.chars.next();
            } else if c.is_whitespace() {
                self.chars.next();
            } else if c == '#' || rest.starts_with("//") {
                while self.chars.next_if(|&(_, c)| c != '\n').is_some() {}
            } else if let Some(inside) = rest.strip_prefix("/*") {
                let Some(length) = inside.find("*/") else {
                    return Err(ReadError::new(self.file, self.line, "this comment is not closed; add */"));
                };
                while let Some((_, c)) = self.chars.next_if(|&(i, _)| i < at + 2 + length + 2) {
                    self.line += usize::from(c == '\n');
                }
            } else {
                break;
            }
        }
        Ok(())
    }

    /// The rest of a quoted text: `\"` is a quotation mark, every other backslash stands for itself.
    fn quoted(&mut self) -> Result<String, ReadError> {
        let start = self.line;
        let mut text = String::new();
        while let Some((_, c)) = self.chars.next() {
            match c {
                '"' => return Ok(text),
                '\\' if self.chars.next_if(|&(_, c)| c == '"').is_some() => text.push('"'),
                c => {
                    self.line += usize::from(c == '\n');
                    text.push(c);
                }
            }
        }
        Err(ReadError::new(self.file, start, "this quotation is not closed; add \""))
    }
}

/// Attributes by name, and the token after them.
type Attributes = (Vec<(String, String)>, Option<Token>);

/// A component that is being read.
struct Draft {
    line: usize,
    name: String,
    /// Nodes in the order of the file, with the start node among them.
    nodes: Vec<String>,
    /// Edges by index of node: line, source, label, target.
    edges: Vec<(usize, u32, String, u32)>,
}

struct Reader<'a> {
    file: &'a str,
    tokens: Tokens<'a>,
    line: usize,
}

impl Reader<'_> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError::new(self.file, self.line, message))
    }

    fn next(&mut self) -> Result<Option<Token>, ReadError> {
        Ok(self.tokens.next()?.map(|(line, token)| {
            self.line = line;
            token
        }))
    }

    fn some(&mut self, what: &str) -> Result<Token, ReadError> {
        match self.next()? {
            Some(token) => Ok(token),
            None => self.error(format!("the file ends where {what} is expected; is it complete?")),
        }
    }

    fn sign(&mut self, sign: char) -> Result<(), ReadError> {
        match self.some(&format!("`{sign}`"))? {
            Token::Sign(found) if found == sign => Ok(()),
            other => self.error(format!("expected `{sign}`, found {}", text_of(&other))),
        }
    }

    fn graph(&mut self) -> Result<Vec<Component>, ReadError> {
        match self.some("`digraph`")? {
            Token::Id(word) if word == "digraph" => {}
            other => return self.error(format!("expected `digraph`, found {}", text_of(&other))),
        }
        match self.some("`{`")? {
            Token::Sign('{') => {}
            Token::Id(_) => self.sign('{')?,
            other => return self.error(format!("expected `{{`, found {}", text_of(&other))),
        }
        let mut components = Vec::new();
        // In which component each node is.
        let mut owner: FxHashMap<String, (usize, u32)> = FxHashMap::default();
        let mut pending = None;
        loop {
            let token = match pending.take() {
                Some(token) => token,
                None => self.some("`subgraph` or `}`")?,
            };
            match token {
                Token::Sign('}') => break,
                Token::Sign(';') => {}
                Token::Id(word) if word == "subgraph" => {
                    let line = self.line;
                    let name = match self.some("the name of the subgraph")? {
                        Token::Id(name) => name,
                        other => return self.error(format!("expected a name, found {}", text_of(&other))),
                    };
                    self.sign('{')?;
                    let draft = Draft { line, name, nodes: Vec::new(), edges: Vec::new() };
                    components.push(self.component(draft, components.len(), &mut owner)?);
                }
                Token::Id(word) if matches!(word.as_str(), "graph" | "node" | "edge") => {
                    pending = self.attributes()?.1;
                }
                Token::Id(word) => match self.some("a statement")? {
                    Token::Sign('=') => {
                        self.some("a value")?;
                    }
                    _ => {
                        let message = format!(
                            "`{word}` stands outside of all subgraphs, as in the picture of a net; put it into one"
                        );
                        return self.error(message);
                    }
                },
                other => return self.error(format!("expected `subgraph` or `}}`, found {}", text_of(&other))),
            }
        }
        if let Some(token) = self.next()? {
            return self.error(format!("expected the end of the file, found {}", text_of(&token)));
        }
        Ok(components)
    }

    /// The statements of a component up to its closing brace.
    fn component(
        &mut self,
        mut draft: Draft,
        number: usize,
        owner: &mut FxHashMap<String, (usize, u32)>,
    ) -> Result<Component, ReadError> {
        let mut pending = None;
        loop {
            let token = match pending.take() {
                Some(token) => token,
                None => self.some("a node, an edge or `}`")?,
            };
            let name = match token {
                Token::Sign('}') => return self.finish(draft),
                Token::Sign(';') => continue,
                Token::Id(word) if word == "subgraph" => {
                    return self.error("a subgraph inside a subgraph; components do not nest");
                }
                Token::Id(name) => name,
                other => return self.error(format!("expected a node, an edge or `}}`, found {}", text_of(&other))),
            };
            let line = self.line;
            let after = self.some("`->`, `[` or `;`")?;
            match after {
                Token::Arrow => {
                    let source = self.node(name, &mut draft, number, owner)?;
                    let target = match self.some("a node")? {
                        Token::Id(target) => self.node(target, &mut draft, number, owner)?,
                        other => return self.error(format!("expected a node, found {}", text_of(&other))),
                    };
                    let (attributes, next) = self.attributes()?;
                    pending = next;
                    let Some(label) = attributes.into_iter().rev().find(|(key, _)| key == "label") else {
                        self.line = line;
                        return self.error("this edge has no label; write [label=\"...\"]");
                    };
                    draft.edges.push((line, source, label.1, target));
                }
                Token::Sign('=') => {
                    self.some("a value")?;
                }
                other => {
                    if !matches!(name.as_str(), "graph" | "node" | "edge") {
                        self.node(name, &mut draft, number, owner)?;
                    }
                    pending = self.attributes_from(other)?.1;
                }
            }
        }
    }

    /// The index of a node in its component, which is this one.
    fn node(
        &self,
        name: String,
        draft: &mut Draft,
        number: usize,
        owner: &mut FxHashMap<String, (usize, u32)>,
    ) -> Result<u32, ReadError> {
        match owner.get(&name) {
            Some(&(component, index)) if component == number => Ok(index),
            Some(_) => self.error(format!("node {name} is also in another subgraph; give each node a name of its own")),
            None => {
                let index = draft.nodes.len() as u32;
                draft.nodes.push(name.clone());
                owner.insert(name, (number, index));
                Ok(index)
            }
        }
    }

    /// Attributes, if there are some, and the token after them.
    fn attributes(&mut self) -> Result<Attributes, ReadError> {
        let token = self.some("`[` or `;`")?;
        self.attributes_from(token)
    }

    fn attributes_from(&mut self, mut token: Token) -> Result<Attributes, ReadError> {
        let mut attributes = Vec::new();
        while token == Token::Sign('[') {
            loop {
                match self.some("an attribute or `]`")? {
                    Token::Sign(']') => break,
                    Token::Sign(',' | ';') => {}
                    Token::Id(key) => {
                        self.sign('=')?;
                        match self.some("a value")? {
                            Token::Id(value) => attributes.push((key, value)),
                            other => return self.error(format!("expected a value, found {}", text_of(&other))),
                        }
                    }
                    other => return self.error(format!("expected an attribute, found {}", text_of(&other))),
                }
            }
            token = self.some("`}`")?;
        }
        Ok((attributes, Some(token)))
    }

    /// The component without the node that marks its start.
    fn finish(&self, draft: Draft) -> Result<Component, ReadError> {
        let Draft { line, name, nodes, edges } = draft;
        let error = |line, message: String| Err(ReadError::new(self.file, line, message));
        let mut starts = edges.iter().filter(|edge| edge.2.is_empty());
        let Some(&(_, root, _, initial)) = starts.next() else {
            return error(
                line,
                format!("{name} does not say where it starts; add an edge with label=\"\" to that state"),
            );
        };
        if let Some(&(line, ..)) = starts.next() {
            return error(line, format!("{name} has a second edge with an empty label; only one marks the start"));
        }
        let touches = |edge: &&(usize, u32, String, u32)| !edge.2.is_empty() && (edge.1 == root || edge.3 == root);
        if let Some(edge) = edges.iter().find(touches) {
            let root = &nodes[root as usize];
            return error(edge.0, format!("node {root} marks the start of {name} and can have no other edge"));
        }
        if root == initial {
            return error(line, format!("the start of {name} is a loop; let the edge come from a node of its own"));
        }
        let index = |node: u32| node - u32::from(node > root);
        let states = nodes.into_iter().enumerate().filter(|&(i, _)| i != root as usize).map(|(_, node)| node).collect();
        let edges = edges.into_iter().filter(|edge| !edge.2.is_empty());
        let edges = edges.map(|(_, source, label, target)| (index(source), label, index(target))).collect();
        Ok(Component { name, states, initial: index(initial), edges })
    }
}

/// A token for a message.
fn text_of(token: &Token) -> String {
    match token {
        Token::Id(text) => format!("`{text}`"),
        Token::Arrow => "`->`".to_owned(),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn reads_what_the_form_allows() {
        let text = "/* a\n comment */ digraph \"G\" {\n rankdir=LR; node [shape=box];\n # more\n subgraph one {\n\
            label=\"x\"; s [label=\"s\" color=red, style=filled];\n s->0 [label=\"\"]; 0->1 [label=\"a b\"]\n\
            1->0[color=black label=\"c\\\"d\"]; 1 -> 1 [label=e] ; }\n subgraph two { 3; 2->3 [label=\"\"] } }\n// end";
        let network = read_dot(text, "dir/x.dot").unwrap();
        assert_eq!(network.name(), "x");
        assert_eq!(network.components()[0].states, ["0", "1"]);
        assert_eq!(network.components()[0].initial, 0);
        let labels: Vec<_> = network.label_ids().map(|l| network.label(l).to_owned()).collect();
        assert_eq!(labels, ["a b", "c\"d", "e"]);
        assert_eq!(network.components()[1].states, ["3"]);
    }

    #[test]
    fn refuses_with_the_line() {
        let cases = [
            ("", 1, "ends"),
            ("graph G {}", 1, "digraph"),
            ("digraph G {}", 1, "no component"),
            ("digraph G {\n a->b [label=\"x\"]; }", 2, "outside"),
            ("digraph G {\n subgraph c {\n a->b [label=\"x\"]; } }", 2, "where it starts"),
            ("digraph G {\n subgraph c {\n a->b [label=\"\"];\n a->b [label=\"x\"]; } }", 4, "no other edge"),
            ("digraph G {\n subgraph c {\n a->b [label=\"\"];\n d->b [label=\"\"]; } }", 4, "second edge"),
            ("digraph G {\n subgraph c {\n a->b [label=\"\"];\n b->b [color=red]; } }", 4, "no label"),
            ("digraph G {\n subgraph c { a->a [label=\"\"]; } }", 2, "loop"),
            ("digraph G { subgraph c { a->b [label=\"\"]; }\nsubgraph d { e->b [label=\"\"]; } }", 2, "another"),
            ("digraph G { subgraph c { a->b [label=\"\"]; }\nsubgraph c { e->f [label=\"\"]; } }", 2, "are called c"),
            ("digraph G {\n subgraph c { subgraph d { } } }", 2, "nest"),
            ("digraph G {\n subgraph c { a->b [label=\"\"]; ", 2, "ends"),
            ("digraph G {\n\"abc", 2, "quotation"),
            ("digraph G {\n/* abc", 2, "comment"),
            ("digraph G { } }", 1, "end of the file"),
            ("digraph G {\n $ }", 2, "unexpected"),
        ];
        for (text, line, part) in cases {
            let error = read_dot(text, "f.dot").unwrap_err();
            assert!(error.message.contains(part), "{text}: {error}");
            assert_eq!(error.line, line, "{text}: {error}");
        }
    }
}
