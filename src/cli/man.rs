//! `starset man`: manual pages, generated from the definition of the arguments.

use super::examples;
use super::{Args, Console, Failure, Status};
use clap::CommandFactory as _;
use clap_mangen::Man;
use std::fs;
use std::path::PathBuf;

/// Arguments of `starset man`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::MAN)]
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
            fs::create_dir_all(folder).map_err(cannot)?;
            clap_mangen::generate_to(Args::command(), folder).map_err(cannot)?;
            for name in Args::command().get_subcommands().map(clap::Command::get_name) {
                let page = folder.join(format!("starset-{name}.1"));
                let text = fs::read_to_string(&page).map_err(cannot)?;
                fs::write(&page, with_examples(&text)).map_err(cannot)?;
            }
        }
        None => Man::new(Args::command()).render(console.out())?,
    }
    Ok(Status::Answered)
}

/// A page whose examples are a section, and whose tables and examples keep their lines: the generator puts all that
/// stands below the options of a command into one paragraph.
fn with_examples(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else { return page.to_owned() };
    let (extra, after) = extra.find("\n.SH ").map_or((extra, ""), |end| extra.split_at(end + 1));
    let (about, examples) = match extra.split_once("Examples:\n") {
        Some((about, examples)) => (about.trim_end(), Some(examples)),
        None => (extra.trim_end(), None),
    };
    let mut text = before.to_owned();
    match about {
        "" => {}
        table if table.contains("  ") => text += &format!(".SH DETAILS\n.nf\n{table}\n.fi\n"),
        _ => text += &format!(".SH DETAILS\n{about}\n"),
    }
    if let Some(examples) = examples {
        text += &format!(".SH EXAMPLES\n.nf\n{}\n.fi\n", examples.trim_end());
    }
    text + after
}
