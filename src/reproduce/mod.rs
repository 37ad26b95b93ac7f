//! `warpline reproduce`: a paper's table or figure again, as CSV, SVG and a page that sets the paper's
//! numbers beside ours.

mod ainsley;
mod ainsley_figures;
mod bayer;
mod bayer_pages;
mod figure_2;
mod figure_6;
mod koenig;
mod koenig_figures;
mod oba;
mod page;
mod replayed;
mod scaling;
mod table_1;

use crate::failure::Failure;
use crate::output::{make_directory, print};
use clap::ValueEnum;
use page::{Made, Page};
use std::path::PathBuf;

/// Arguments of `reproduce`.
#[derive(clap::Args)]
pub struct Arguments {
    /// What to reproduce
    name: Name,
    /// Where the results go
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    out: PathBuf,
    /// Fewer and shorter runs: the shape of the result, not its precision
    #[arg(long)]
    quick: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    /// Cost of a brick's trajectory against the integration step
    #[value(name = "mirtich-figure-2")]
    MirtichFigure2,
    /// Step and integration per body of tw, rd and ca on atoms
    #[value(name = "mirtich-figure-6")]
    MirtichFigure6,
    /// The full simulations: atoms, avalanche, cars and robots
    #[value(name = "mirtich-table-1")]
    MirtichTable1,
    /// Shells: speculative against kinetic contact mechanics
    #[value(name = "ainsley-table-1")]
    AinsleyTable1,
    /// Shells: useful work and overhead
    #[value(name = "ainsley-figure-1")]
    AinsleyFigure1,
    /// Shells: rollbacks and time of each frame of the twister
    #[value(name = "ainsley-figure-6")]
    AinsleyFigure6,
    /// Shells: threads
    #[value(name = "ainsley-figure-7")]
    AinsleyFigure7,
    /// Shells: total time over the length of the rollback windows
    #[value(name = "ainsley-figure-8")]
    AinsleyFigure8,
    /// Shells: waste over the length of the rollback windows
    #[value(name = "ainsley-figure-9")]
    AinsleyFigure9,
    /// Solvers of contact groups on a dense packing
    #[value(name = "oba-comparison")]
    ObaComparison,
    /// Koenig's protocol: speedup over cores
    #[value(name = "koenig-figure-7")]
    KoenigFigure7,
    /// Koenig's protocol: where the time goes
    #[value(name = "koenig-figure-8")]
    KoenigFigure8,
    /// Koenig's protocol: density
    #[value(name = "koenig-figure-9")]
    KoenigFigure9,
    /// Koenig's protocol: how far entities run ahead
    #[value(name = "koenig-figure-10")]
    KoenigFigure10,
    /// How much faster each optimisation of impulse-based cloth is
    #[value(name = "bayer-table-1")]
    BayerTable1,
    /// Anticipation and skipping, directions changing
    #[value(name = "bayer-figure-2")]
    BayerFigure2,
    /// The same, directions updated between converged runs
    #[value(name = "bayer-figure-3")]
    BayerFigure3,
    /// Run time over the size of the cloth
    #[value(name = "bayer-figure-4")]
    BayerFigure4,
    /// A gas on many threads and ranks: measured here, and replayed on a simulated network
    #[value(name = "scaling")]
    Scaling,
}

/// Runs the command.
pub fn reproduce(arguments: &Arguments) -> Result<(), Failure> {
    make_directory(&arguments.out)?;
    let mut shown = Vec::new();
    let page: Page = match arguments.name {
        Name::ObaComparison => {
            let page;
            (page, shown) = oba::reproduce(arguments.quick, &arguments.out)?;
            page
        }
        Name::MirtichFigure2 => figure_2::reproduce(arguments.quick),
        Name::MirtichFigure6 => figure_6::reproduce(arguments.quick)?,
        Name::MirtichTable1 => table_1::reproduce(arguments.quick)?,
        Name::AinsleyTable1 => ainsley::table_1(arguments.quick)?,
        Name::AinsleyFigure1 => ainsley::figure_1(arguments.quick)?,
        Name::AinsleyFigure6 => ainsley_figures::figure_6(arguments.quick)?,
        Name::AinsleyFigure7 => ainsley_figures::figure_7(arguments.quick)?,
        Name::AinsleyFigure8 => ainsley_figures::figure_8(arguments.quick)?,
        Name::AinsleyFigure9 => ainsley_figures::figure_9(arguments.quick)?,
        Name::KoenigFigure7 => koenig::figure_7(arguments.quick)?,
        Name::KoenigFigure8 => koenig::figure_8(arguments.quick)?,
        Name::KoenigFigure9 => koenig_figures::figure_9(arguments.quick)?,
        Name::KoenigFigure10 => koenig_figures::figure_10(arguments.quick)?,
        Name::BayerTable1 => bayer_pages::table_1(arguments.quick)?,
        Name::BayerFigure2 => bayer_pages::figure_2(arguments.quick)?,
        Name::BayerFigure3 => bayer_pages::figure_3(arguments.quick)?,
        Name::BayerFigure4 => bayer_pages::figure_4(arguments.quick)?,
        Name::Scaling => scaling::reproduce(arguments.quick)?,
    };
    let name = arguments.name.to_possible_value();
    let name = name.as_ref().map_or("", |value| value.get_name());
    let quick = if arguments.quick { " --quick" } else { "" };
    let made = Made {
        command: format!("warpline reproduce {name}{quick}"),
        quick: arguments.quick,
    };
    let files = page.write(&arguments.out, &made, &shown)?;
    print(&format!(
        "{}\nwritten: {}\n",
        page.summary,
        files.join(", ")
    ))
}
