//! Certificates in the simple case: the proof of a verdict, and the text of the model that it is about.

use super::{Error, Model};
use crate::budget::Budget;
use crate::certify::{AnsweredQuestion, Uncertified, certify, model_text};
use crate::decide::Value;
use crate::formula::Pool;
use crate::kinds::{Writing, write};

/// A proof that a formula holds or not, which the checker has accepted. With the model in a file, `starset-checker`
/// accepts it, too: docs/certificates.md.
///
/// See [`Model::certify`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    verdict: bool,
    text: String,
    model: String,
}

impl Certificate {
    /// The proved verdict of the formula.
    pub fn verdict(&self) -> bool {
        self.verdict
    }

    /// The certificate.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The model that it is about, as the file says that it was read from; one that was built as PNML, and a program of
    /// SMV as one module.
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl Model {
    /// A certificate that a formula holds in the initial state, or that it does not, as a verdict says.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// let certificate = model.certify("AG #Fork_0 <= 1", true)?;
    /// assert!(certificate.text().starts_with("starset-certificate"));
    /// // What is not so cannot be certified.
    /// assert!(model.certify("AG #Fork_0 <= 1", false).is_err());
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Formula`] when the text is no formula about this model, [`Error::Uncertified`] when there is no proof, or none
    /// in time.
    pub fn certify(&self, formula: &str, verdict: bool) -> Result<Certificate, Error> {
        let model = self.in_unit_of(formula)?;
        model.certify_in_its_unit(formula, verdict)
    }

    fn certify_in_its_unit(&self, formula: &str, verdict: bool) -> Result<Certificate, Error> {
        let mut pool = Pool::new();
        let question = self.question(formula, &mut pool)?;
        let (groups, settings) = (&self.shared.loaded.groups, self.settings());
        self.run(|budget| {
            let model = self.text(budget)?;
            let value = &Value::Verdict(verdict);
            let answered = AnsweredQuestion { question: &question, value, witness: None, visited: None };
            let mut made = Err(Uncertified::Formula("this formula"));
            let known = self.shared.space.get().map(|space| (**space).clone());
            let answers = (&[answered][..], known);
            certify((self.kind(), groups, &model), &pool, answers, &settings, budget, &mut |_, result| made = result);
            Ok(Certificate { verdict, text: made?.text, model })
        })
    }

    /// The model as the checker reads it: the file that it was read from, or PNML.
    fn text(&self, budget: &Budget) -> Result<String, Error> {
        if let Some(source) = &self.shared.source {
            let path = source.unchanged()?;
            return Ok(model_text(self.kind(), path, budget)?.text);
        }
        let mut text = Vec::new();
        write(self.kind(), "pnml", &Writing::default(), budget, &mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}
