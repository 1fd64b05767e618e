//! Reachable states of an SMV program by binary decision diagrams of the crate `oxidd`, to compare with the
//! multi-valued ones of starset: the same rows and clusters, the same order of variables, breadth first as starset goes
//! through clusters.
//!
//! ```console
//! $ cargo run --release -- FILE [--order NAMES] [--kind bdd|bcdd] [--cluster 2000] [--conjoin 0] [--sizes]
//! ```
//!
//! `--order` is a file of the names of the variables, one a line, as `starset states --order` takes it; otherwise they
//! stand as they are declared. Diagrams are plain ones, or have complemented edges (`bcdd`). `--cluster` is the bound
//! on the nodes of clusters before they are translated, `--conjoin` one on those of neighbours that are conjoined
//! afterwards, by nodes of bits. `--sizes` counts the nodes of all sets on the way, which takes time. What comes is a
//! line of JSON: states, rounds, labels of steps, clusters, nodes (`final`, `peak` with garbage between operations,
//! `largest` of the sets), and user seconds for rows, for bits, and for the search. The script `compare` runs starset
//! as well, and makes a table.
//!
//! `oxidd` 0.13 can establish a given order (`oxidd-reorder`), and does not reorder while it computes; its ZBDDs have
//! no quantification, so that they take no part.

mod bits;
mod rows;
mod search;

use num_bigint::BigUint;
use oxidd::util::SatCountCache;
use oxidd::{BooleanFunctionQuant, FunctionSubst};
use rows::Conditions;
use search::Search;
use starset_smv::{System, read};
use std::collections::HashMap;
use std::hash::RandomState;
use std::process::ExitCode;

/// Stack of the search, which recurses over bits.
const STACK: usize = 1 << 30;
/// Nodes and cached results that there may be at once.
const CAPACITY: (usize, usize) = (1 << 26, 1 << 22);

/// What is asked.
struct Asked {
    file: String,
    order: Option<String>,
    complemented: bool,
    cluster: usize,
    conjoin: usize,
    sizes: bool,
}

fn main() -> ExitCode {
    let run = || Asked::read(std::env::args().skip(1)).and_then(|asked| asked.answer());
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    match thread.map_err(|e| e.to_string()).and_then(|thread| thread.join().unwrap_or(Err("a bug".to_owned()))) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

impl Asked {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut asked =
            Asked { file: String::new(), order: None, complemented: false, cluster: 2_000, conjoin: 0, sizes: false };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            let number = |text: String| text.parse().map_err(|_| format!("{text} is no number"));
            match &*word {
                "--order" => asked.order = Some(value()?),
                "--kind" => asked.complemented = value()? == "bcdd",
                "--cluster" => asked.cluster = number(value()?)?,
                "--conjoin" => asked.conjoin = number(value()?)?,
                "--sizes" => asked.sizes = true,
                _ => asked.file = word,
            }
        }
        Ok(asked)
    }

    fn answer(&self) -> Result<String, String> {
        let (nodes, results) = CAPACITY;
        match self.complemented {
            false => self.by::<oxidd::bdd::BDDFunction>(oxidd::bdd::new_manager(nodes, results, 1)),
            true => self.by::<oxidd::bcdd::BCDDFunction>(oxidd::bcdd::new_manager(nodes, results, 1)),
        }
    }

    fn by<F: BooleanFunctionQuant + FunctionSubst>(&self, manager: F::ManagerRef) -> Result<String, String> {
        let begin = user_seconds();
        let text = std::fs::read(&self.file).map_err(|e| format!("{}: {e}", self.file))?;
        let text = String::from_utf8_lossy(&text);
        let model = read(&text, false).or_else(|fault| read(&text, true).map_err(|_| fault));
        let mut model = model.map_err(|fault| format!("line {}: {}", fault.place.line, fault.message))?;
        model.properties.clear();
        let system = System::new(&mut model);
        let mut state = system.state().to_vec();
        if let Some(order) = &self.order {
            let names = std::fs::read_to_string(order).map_err(|e| format!("{order}: {e}"))?;
            let place: HashMap<&str, usize> = names.lines().enumerate().map(|(at, name)| (name.trim(), at)).collect();
            let missing = |&&variable: &&usize| !place.contains_key(&*model.variables[variable].name);
            if let Some(&variable) = state.iter().find(missing) {
                return Err(format!("{order} lacks {}", model.variables[variable].name));
            }
            state.sort_by_key(|&variable| place[&*model.variables[variable].name]);
        }
        let conditions = Conditions::new(&model, &state, self.cluster)?;
        let of_rows = user_seconds();
        let out_of_memory = |_| "there are too many nodes".to_owned();
        let search = Search::<F>::new(manager, &conditions, self.conjoin).map_err(out_of_memory)?;
        let (clusters, cluster_nodes) = search.clusters();
        let of_bits = user_seconds();
        let found = search.reachable(self.sizes).map_err(out_of_memory)?;
        let of_search = user_seconds();
        let all =
            found.reached.sat_count(2 * found.width as u32, &mut SatCountCache::<BigUint, RandomState>::default());
        Ok(format!(
            "{{\"states\": {}, \"variables\": {}, \"bits\": {}, \"rounds\": {}, \"labels\": {}, \
             \"clusters\": {clusters}, \"cluster_nodes\": {cluster_nodes}, \
             \"final\": {}, \"peak\": {}, \"largest\": {}, \"rows_s\": {:.3}, \"bits_s\": {:.3}, \"search_s\": {:.3}}}",
            all >> found.width,
            state.len(),
            found.width,
            found.rounds,
            conditions.steps.len(),
            found.reached.node_count(),
            found.nodes.peak,
            found.nodes.largest,
            of_rows - begin,
            of_bits - of_rows,
            of_search - of_bits,
        ))
    }
}

/// User time of this process so far.
fn user_seconds() -> f64 {
    // SAFETY: zeros are a value of it, and the call writes to it alone.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    usage.ru_utime.tv_sec as f64 + usage.ru_utime.tv_usec as f64 / 1e6
}
