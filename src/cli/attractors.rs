//! `starset attractors`: the bottom strongly connected components of the states, counted; the first ones listed.

use super::examples;
use super::model::{ModelArg, fields, header, with_suffix};
use super::options::{Format, FormatArgs, Limits, stopped};
use super::order::OrderArgs;
use super::output_file::OutputFile;
use super::sets::{not_saved, saved};
use super::ways::{Engine, Switches};
use super::{Console, Failure, Status};
use num_bigint::BigUint;
use serde_json::{Value, json};
use starset::StopReason;
use starset::budget::Budget;
use starset::decide::{StateSpace, states_for_attractors};
use starset::kinds::{Kind, Loaded};
use starset::mdd::{Mdd, with_deep_stack};
use starset::model::{State, VariableId};
use starset::report::attractors::{Listed, Page, name};
use starset::report::fields::Pairs;
use starset::report::number::count;
use starset::report::state;
use starset::symbolic::{Attractors, Shape};
use std::io::Write as _;
use std::path::PathBuf;

/// Variables shown of one state in text.
const SHOWN: usize = 12;

/// Arguments of `starset attractors`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::ATTRACTORS)]
pub(super) struct AttractorsArgs {
    #[command(flatten)]
    model: ModelArg,
    /// List N of them, each with a state
    #[arg(long, value_name = "N", default_value = "20", help_heading = "Results")]
    list: usize,
    /// Of those that are listed, also count the states from which they can be reached (the weak basin), and from which
    /// nothing else can (the strong basin)
    #[arg(long, help_heading = "Results")]
    basins: bool,
    /// Of those that are listed, also show the trap space around each: the values that stay, whatever the others are
    #[arg(long, help_heading = "Results")]
    trap_spaces: bool,
    /// Save the set of all states of attractors to FILE, and those of each that is listed to FILE.1, FILE.2, …
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    save: Option<PathBuf>,
    /// Write a page for a browser: those that are listed with the values in them, the influences between variables, and
    /// the graph of the states if they are few
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    report: Option<PathBuf>,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    switches: Switches,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    limits: Limits,
}

pub(super) fn run(args: &AttractorsArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    let report = args.report.as_deref().map(OutputFile::create).transpose()?;
    let loaded = args.model.read(&budget, console)?;
    let model = &*loaded.model;
    let settings = args.order.settings(model, args.switches.settings(Engine::Symbolic), &budget)?;
    let answer = with_deep_stack(model.most_levels(), || {
        let space = states_for_attractors(model, &settings, &budget)?;
        let found = space.attractors(model, &settings, &budget)?;
        let states = space.meant_states(&budget)?;
        let listed = list(args, &space, &found, &budget)?;
        let all = args.save.as_ref().map(|_| found.union(&budget)).transpose()?;
        Ok::<_, StopReason>((space, found, states, listed, all))
    });
    let (space, found, states, listed, all) = match answer {
        Ok(found) => found,
        Err(stop) => {
            if args.format.get() == Format::Json {
                let fields = fields("starset/attractors/1", model).with("attractors", Value::Null);
                let fields = fields.with("reason", stop.reason()).with("message", stop.to_string());
                console.json(&fields.with("seconds", console.started().elapsed().as_secs_f64()))?;
            }
            console.error(stopped(&stop, &args.limits));
            return Ok(Status::Unknown);
        }
    };
    if let (Some(path), Some(all)) = (&args.save, all) {
        let save = |path: PathBuf, set: &Mdd, formula: String| {
            let saved = saved(model, (&space, set), formula, &budget).map_err(not_saved)?;
            OutputFile::create(&path)?.write(|out| saved.save(out))
        };
        save(path.clone(), &all, "attractors".to_owned())?;
        for (number, one) in listed.iter().enumerate() {
            let number = (number + 1).to_string();
            save(with_suffix(path, &number), &one.set, format!("attractor {number}"))?;
        }
    }
    if let Some(file) = report {
        let (symbols, header) = (&loaded.symbols, &header(model));
        let page = with_deep_stack(model.most_levels(), || {
            let (space, states, found, listed) = (&space, &states, &found, &listed);
            Page { model, symbols, header, space, states, found, listed }.html()
        });
        file.write(|out| out.write_all(page.as_bytes()))?;
    }
    match args.format.get() {
        Format::Json => json_of(args, &loaded, &found, &states, &listed, console)?,
        Format::Text | Format::Mcc => text(&loaded, &found, &states, &listed, console)?,
    }
    Ok(Status::Answered)
}

/// The first attractors, as many as are wanted.
fn list(
    args: &AttractorsArgs,
    space: &StateSpace,
    found: &Attractors,
    budget: &Budget,
) -> Result<Vec<Listed>, StopReason> {
    let mut listed = Vec::new();
    for one in found.list(args.list, budget)? {
        let Some(tuple) = one.states.pick() else { continue };
        listed.push(Listed {
            shape: one.shape,
            size: one.states.count(budget)?,
            state: State::new(space.relation.values_of(&tuple)),
            fixed: if args.trap_spaces { Some(space.trap_space(found, &one.states, budget)?) } else { None },
            basins: if args.basins { Some(found.basins(&one.states, budget)?) } else { None },
            set: one.states,
        });
    }
    Ok(listed)
}

/// `1*4, 8*2`: sizes, each with how many attractors have it.
fn sizes(found: &Attractors) -> String {
    let all = found.sizes.iter().map(|(size, number)| format!("{}*{}", count(size), count(number)));
    all.collect::<Vec<_>>().join(", ")
}

fn text(
    loaded: &Loaded,
    found: &Attractors,
    states: &BigUint,
    listed: &[Listed],
    console: &mut Console,
) -> Result<(), Failure> {
    let model = &*loaded.model;
    console.line(header(model))?;
    let mut lines = vec![("states", count(states))];
    if found.settings > BigUint::from(1u32) {
        lines.push(("settings of inputs", count(&found.settings)));
    }
    lines.push(("attractors", count(&found.count())));
    lines.extend(found.shapes.iter().map(|(&shape, number)| match shape {
        Shape::Fixed => ("  fixed points", count(number)),
        Shape::Cycle => ("  cycles", count(number)),
        Shape::Complex => ("  complex", count(number)),
    }));
    lines.extend([("states in them", count(&found.states())), ("sizes", sizes(found))]);
    lines.iter().try_for_each(|(title, value)| console.line(format_args!("  {title:<22} {value}")))?;
    for (number, one) in (1..).zip(listed) {
        let size = if one.shape == Shape::Fixed { String::new() } else { format!(", {} states", count(&one.size)) };
        let basins = one.basins.as_ref().map_or(String::new(), |basins| {
            format!(", weak basin {}, strong basin {}", count(&basins.weak), count(&basins.strong))
        });
        console.line(format_args!("{number}: {}{size}{basins}", name(one.shape)))?;
        console.line(format_args!("    {}", state::text(model, &loaded.symbols, &one.state, SHOWN)))?;
        if let Some(fixed) = &one.fixed {
            let told = fixed.iter().take(SHOWN).map(|&(variable, value)| {
                let name = state::variable(model, &loaded.symbols, variable);
                format!("{name} = {}", state::value(model, variable, value))
            });
            let (told, more) = (told.collect::<Vec<_>>().join(", "), fixed.len().saturating_sub(SHOWN));
            let rest = if more > 0 { format!(" … and {more} more (all with --json)") } else { String::new() };
            console.line(format_args!("    stays: {}{rest}", if fixed.is_empty() { "nothing" } else { &told }))?;
        }
    }
    let rest = found.count() - BigUint::from(listed.len());
    if rest > BigUint::ZERO {
        console.note(format_args!("{} more (--list N lists more of them)", count(&rest)));
    }
    Ok(())
}

fn json_of(
    args: &AttractorsArgs,
    loaded: &Loaded,
    found: &Attractors,
    states: &BigUint,
    listed: &[Listed],
    console: &mut Console,
) -> Result<(), Failure> {
    let model: &dyn Kind = &*loaded.model;
    let shape = |shape: Shape| found.shapes.get(&shape).map_or("0".to_owned(), BigUint::to_string);
    let sizes: Vec<Value> = found
        .sizes
        .iter()
        .map(|(size, number)| json!({"size": size.to_string(), "number": number.to_string()}))
        .collect();
    let one = |one: &Listed| {
        let values = state::values(model, &one.state);
        let state = Pairs(values.into_iter().map(|(name, value)| (name.to_owned(), value.into_owned())).collect());
        let fixed = one.fixed.as_ref().map(|fixed| {
            let named = |&(variable, value): &(VariableId, u64)| {
                (model.variable(variable).to_owned(), state::value(model, variable, value).into_owned())
            };
            Pairs(fixed.iter().map(named).collect())
        });
        json!({
            "trap_space": fixed,
            "kind": name(one.shape),
            "size": one.size.to_string(),
            "state": state,
            "weak_basin": one.basins.as_ref().map(|basins| basins.weak.to_string()),
            "strong_basin": one.basins.as_ref().map(|basins| basins.strong.to_string()),
        })
    };
    let fields = fields("starset/attractors/1", model)
        .with("states", states.to_string())
        .with("settings", found.settings.to_string())
        .with("attractors", found.count().to_string())
        .with("attractor_states", found.states().to_string())
        .with("fixed_points", shape(Shape::Fixed))
        .with("cycles", shape(Shape::Cycle))
        .with("complex", shape(Shape::Complex))
        .with("sizes", sizes)
        .with("listed", listed.iter().map(one).collect::<Vec<_>>())
        .with("saved", args.save.as_ref().map(|path| path.display().to_string()))
        .with("seconds", console.started().elapsed().as_secs_f64());
    Ok(console.json(&fields)?)
}
