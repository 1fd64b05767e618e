//! `starset man`: manual pages, generated from the definition of the arguments.

use super::{Args, Console, Failure, Status};
use clap::CommandFactory as _;
use clap_mangen::Man;
use std::path::PathBuf;

/// Arguments of `starset man`.
#[derive(clap::Args, Debug)]
pub(super) struct ManArgs {
    /// Write starset.1 and a page for each command into this folder, instead of the main page to standard
    /// output
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub(super) fn run(args: &ManArgs, console: &mut Console) -> Result<Status, Failure> {
    match &args.folder {
        Some(folder) => {
            let cannot = |e| Failure::Input(format!("cannot write manual pages to {}: {e}", folder.display()));
            std::fs::create_dir_all(folder).map_err(cannot)?;
            clap_mangen::generate_to(Args::command(), folder).map_err(cannot)?;
        }
        None => Man::new(Args::command()).render(console.out())?,
    }
    Ok(Status::Answered)
}
