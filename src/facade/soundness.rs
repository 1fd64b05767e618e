//! Soundness of workflow nets in the simple case.

use super::{Error, Model};
use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::notions::{Answers, ask};
use crate::kinds::clocks::soundness::Workflow;
use crate::kinds::{Reading, read_clock_net};
use crate::report::fields::Fields;
use crate::report::soundness;

/// Is a workflow net sound, in each of the notions? See [`Model::soundness`].
#[derive(Debug)]
pub struct Soundness {
    net: ClockNet,
    answers: Answers,
}

impl Soundness {
    /// The notions with their answers; `None` for what is not known.
    pub fn notions(&self) -> [(&'static str, Option<bool>); 5] {
        self.answers.verdicts()
    }

    /// Why some of them are not known.
    pub fn reason(&self) -> Option<String> {
        self.answers.stopped.as_ref().map(ToString::to_string)
    }

    /// The answers line by line, with runs that refute what is refuted.
    pub fn text(&self) -> Vec<String> {
        soundness::text(&self.net, &self.answers)
    }

    /// The same as an object of JSON, as `starset soundness --json` prints it: docs/json.md.
    pub fn fields(&self) -> Fields {
        soundness::fields(&self.net, &self.answers)
    }

    /// Transitions that never fire.
    pub fn dead(&self) -> Vec<&str> {
        self.answers.demands.as_ref().map_or_else(Vec::new, |found| self.net.transition_names(&found.dead))
    }
}

impl Model {
    /// Is a workflow net sound, with its time if it has any? It has one place without input, in which its only token is
    /// at first, and one without output.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::net::NetBuilder;
    /// let mut b = NetBuilder::new("order");
    /// let (start, end) = (b.place("start", 1)?, b.place("end", 0)?);
    /// let handle = b.transition("handle")?;
    /// b.input(start, handle, 1)?;
    /// b.output(handle, end, 1)?;
    /// let soundness = Model::new(b.build()?).soundness()?;
    /// assert_eq!(soundness.notions()[0], ("classical", Some(true)));
    /// assert!(soundness.dead().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoWorkflow`] when it is no workflow net.
    pub fn soundness(&self) -> Result<Soundness, Error> {
        let net = match (self.kind().as_net(), &self.shared.source) {
            (Some(net), _) => ClockNet::of_named_net(net).map_err(|error| self.no_workflow(&error))?,
            (None, Some(path)) => self.run(|budget| read_clock_net(path, &Reading::default(), budget))?,
            (None, None) => return Err(self.no_workflow(&format!("it is a {}", self.kind().terms().model))),
        };
        let workflow = Workflow::of(&net).map_err(|error| self.no_workflow(&error))?;
        let answers = self.run(|budget| ask(&net, workflow, budget)).map_err(|error| self.no_workflow(&error))?;
        match &answers.broken {
            Some(run) => Err(Error::SelfCheck(format!("a run that was found does not replay: {run}"))),
            None => Ok(Soundness { net, answers }),
        }
    }

    fn no_workflow(&self, error: &impl ToString) -> Error {
        Error::NoWorkflow { model: self.name().to_owned(), error: error.to_string() }
    }
}
