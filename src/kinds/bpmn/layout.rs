//! Where a diagram is drawn: the shapes and edges of its diagram interchange (BPMN DI), by the elements that they show.
//!
//! What has no place, or none that can be read, is left out: a picture lacks it then, and nothing else rests on this.

use super::problem::Problem;
use crate::files;
use crate::kinds::ReadError;
use crate::kinds::text::TextError;
use crate::xml::{Event, XmlCursor, XmlError};
use rustc_hash::FxHashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Coordinates beyond that are of no drawing.
const FARTHEST: f64 = 1e6;

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// The left border.
    pub x: f64,
    /// The upper border.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Bounds {
    /// The point in the middle.
    pub fn centre(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// A layout.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// Shapes in the order of the file: the identifiers of their elements, and where they are.
    pub shapes: Vec<(String, Bounds)>,
    /// The points of edges, by the identifiers of their elements.
    pub edges: FxHashMap<String, Vec<(f64, f64)>>,
    /// The names of pools and lanes, by their identifiers.
    pub names: FxHashMap<String, String>,
}

impl Layout {
    /// Where an element is.
    pub fn shape(&self, id: &str) -> Option<Bounds> {
        self.shapes.iter().find(|(known, _)| known == id).map(|&(_, bounds)| bounds)
    }
}

/// The layout in the file of a diagram.
///
/// # Errors
/// [`ReadError`].
pub fn read_layout(path: &Path) -> Result<Layout, ReadError> {
    let file = files::shown(path);
    let input = files::open(path).map_err(|error| ReadError::Open { file: file.clone(), error })?;
    let refuse = |problem: Problem| TextError::new(&file, problem.line as usize, problem.message);
    Ok(layout(BufReader::new(input)).map_err(|error| refuse(problem(&error)))?)
}

fn problem(error: &XmlError) -> Problem {
    Problem::new(error.location.line, error.problem.to_string())
}

fn layout(input: impl BufRead) -> Result<Layout, XmlError> {
    let mut xml = XmlCursor::new(input);
    let mut layout = Layout::default();
    // The elements whose shape or edge is open, and whether a label is.
    let (mut shape, mut edge): (Option<String>, Option<String>) = (None, None);
    let mut in_label = false;
    loop {
        let (name, opens) = match xml.advance()? {
            Event::Open(name) => (name.to_owned(), true),
            Event::Close(name) => (name.to_owned(), false),
            Event::Text(_) => continue,
            Event::End => return Ok(layout),
        };
        match (name.as_str(), opens) {
            ("BPMNShape", true) => shape = element(&xml)?,
            ("BPMNShape", false) => shape = None,
            ("BPMNEdge", true) => edge = element(&xml)?,
            ("BPMNEdge", false) => edge = None,
            ("BPMNLabel", opens) => in_label = opens,
            ("Bounds", true) if !in_label => {
                let at = |name| coordinate(&xml, name);
                let (x, y, width, height) = (at("x")?, at("y")?, at("width")?, at("height")?);
                if let (Some(id), Some(x), Some(y), Some(width), Some(height)) = (shape.take(), x, y, width, height) {
                    layout.shapes.push((id, Bounds { x, y, width: width.max(0.0), height: height.max(0.0) }));
                }
            }
            ("waypoint", true) => {
                let (x, y) = (coordinate(&xml, "x")?, coordinate(&xml, "y")?);
                if let (Some(id), Some(x), Some(y)) = (&edge, x, y) {
                    layout.edges.entry(id.clone()).or_default().push((x, y));
                }
            }
            ("participant" | "lane", true) => {
                if let (Some(id), Some(name)) = (xml.own_attribute("id")?, xml.own_attribute("name")?) {
                    layout.names.insert(id, name);
                }
            }
            _ => {}
        }
    }
}

/// The element that a shape or an edge shows: tools write a prefix before it, or none.
fn element<R: BufRead>(xml: &XmlCursor<R>) -> Result<Option<String>, XmlError> {
    let id = xml.own_attribute("bpmnElement")?;
    Ok(id.map(|id| id.rsplit(':').next().unwrap_or_default().trim().to_owned()))
}

fn coordinate<R: BufRead>(xml: &XmlCursor<R>, name: &str) -> Result<Option<f64>, XmlError> {
    let number = xml.own_attribute(name)?.and_then(|text| text.trim().parse::<f64>().ok());
    Ok(number.filter(|number| number.abs() <= FARTHEST))
}
