//! Measures the time schemes and draws what it found: `scheme_figures DIRECTORY` runs every scheme
//! of the library and writes `work_precision.svg` (error of the heavy top over its cost),
//! `second_order.svg` (six mechanisms) and `relaxation_speedup.svg` (longest stable step of the
//! semi-implicit schemes over the number of substeps) there. The tables behind docs/schemes.md go
//! to the terminal.

mod drawing;
mod heavy_top;
mod limits;
mod local_steps;
mod oscillator;
mod problems;
mod relaxation;
mod second_order;
mod work_precision;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: scheme_figures DIRECTORY")?;
    let directory = Path::new(&directory);

    let curves = work_precision::measure()?;
    work_precision::print(&curves);
    let picture = directory.join("work_precision.svg");
    work_precision::draw(&curves, &picture)?;
    println!("written: {}\n", picture.display());

    let curves = second_order::measure()?;
    second_order::print(&curves);
    let picture = directory.join("second_order.svg");
    second_order::draw(&curves, &picture)?;
    println!("written: {}\n", picture.display());

    let speedups = relaxation::measure()?;
    relaxation::print(&speedups);
    let picture = directory.join("relaxation_speedup.svg");
    relaxation::draw(&speedups, &picture)?;
    println!("written: {}\n", picture.display());

    limits::print()?;
    local_steps::print()
}
