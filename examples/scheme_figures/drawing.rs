//! What the figures share: colours, text, axes, marks, panels of curves.

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

pub const INK: RGBColor = RGBColor(38, 43, 51);
pub const FAINT: RGBColor = RGBColor(225, 229, 234);
pub const GREY: RGBColor = RGBColor(120, 128, 138);
/// Colours that stay apart for colour-blind readers (Okabe and Ito).
pub const BLUE: RGBColor = RGBColor(0, 114, 178);
pub const ORANGE: RGBColor = RGBColor(213, 94, 0);
pub const GREEN: RGBColor = RGBColor(0, 158, 115);
pub const PURPLE: RGBColor = RGBColor(170, 70, 140);

/// Text of a size, centred in height.
pub fn text(size: i32, colour: RGBColor, horizontal: HPos) -> TextStyle<'static> {
    let font = ("sans-serif", size).into_font();
    TextStyle { font, color: colour.to_backend_color(), pos: Pos::new(horizontal, VPos::Center) }
}

/// Axes as all figures have them.
pub fn mesh<'m, 'a, 'b, 'c, X, Y>(
    style: &'m mut MeshStyle<'a, 'b, X, Y, SVGBackend<'c>>,
) -> &'m mut MeshStyle<'a, 'b, X, Y, SVGBackend<'c>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    style
        .bold_line_style(FAINT)
        .light_line_style(WHITE.mix(0.0))
        .axis_style(GREY)
        .label_style(text(15, INK, HPos::Left))
        .axis_desc_style(text(16, INK, HPos::Center))
}

/// `10⁻⁵` for 1e-5, nothing between the powers.
pub fn power_of_ten(value: f64) -> String {
    let exponent = value.log10().round();
    if (value / 10f64.powf(exponent) - 1.0).abs() > 1e-6 {
        return String::new();
    }
    let raised = |c: char| match c {
        '-' => '⁻',
        digit => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit),
    };
    format!("10{}", format!("{exponent}").chars().map(raised).collect::<String>())
}

pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Corners about (0, 0), in units of a mark's size.
pub type Outline = &'static [(f64, f64)];

pub const CIRCLE: Outline =
    &[(1.0, 0.0), (0.71, 0.71), (0.0, 1.0), (-0.71, 0.71), (-1.0, 0.0), (-0.71, -0.71), (0.0, -1.0), (0.71, -0.71)];
pub const SQUARE: Outline = &[(0.85, 0.85), (-0.85, 0.85), (-0.85, -0.85), (0.85, -0.85)];
pub const UP: Outline = &[(0.0, -1.15), (1.0, 0.75), (-1.0, 0.75)];
pub const DOWN: Outline = &[(0.0, 1.15), (1.0, -0.75), (-1.0, -0.75)];
pub const DIAMOND: Outline = &[(0.0, -1.25), (1.0, 0.0), (0.0, 1.25), (-1.0, 0.0)];

/// A mark in its colour; a hollow one is large, and its points are not joined.
#[derive(Clone, Copy)]
pub struct Mark {
    pub outline: Outline,
    pub colour: RGBColor,
    pub hollow: bool,
}

impl Mark {
    /// Relative to its place.
    pub fn element(&self) -> PathElement<(i32, i32)> {
        let size = if self.hollow { 9.0 } else { 5.0 };
        let corners = self.outline.iter().chain(&self.outline[..1]);
        let points: Vec<(i32, i32)> =
            corners.map(|(x, y)| ((x * size).round() as i32, (y * size).round() as i32)).collect();
        let style = if self.hollow { self.colour.stroke_width(1) } else { self.colour.stroke_width(2) };
        PathElement::new(points, style)
    }
}

/// A curve of a panel.
pub struct Line {
    pub points: Vec<(f64, f64)>,
    pub mark: Mark,
}

/// Curves over axes of powers of ten, which have the names `[x, y]`.
pub fn panel(area: &Area, [x_name, y_name]: [&str; 2], lines: &[Line]) -> Result<(), Box<dyn Error>> {
    let range = |of: fn(&(f64, f64)) -> f64| {
        let all = lines.iter().flat_map(|line| line.points.iter().map(of));
        let (low, high) = all.fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(x), b.max(x)));
        0.7 * low..1.4 * high
    };
    let mut chart = ChartBuilder::on(area)
        .margin_top(10)
        .margin_bottom(12)
        .margin_left(10)
        .margin_right(16)
        .x_label_area_size(52)
        .y_label_area_size(70)
        .build_cartesian_2d(range(|(x, _)| *x).log_scale(), range(|(_, y)| *y).log_scale())?;
    mesh(&mut chart.configure_mesh())
        .x_desc(x_name)
        .y_desc(y_name)
        .x_label_formatter(&|v| power_of_ten(*v))
        .y_label_formatter(&|v| power_of_ten(*v))
        .draw()?;
    for Line { points, mark } in lines {
        if !mark.hollow {
            chart.draw_series(LineSeries::new(points.iter().copied(), mark.colour.stroke_width(1)))?;
        }
        chart.draw_series(points.iter().map(|&point| EmptyElement::at(point) + mark.element()))?;
    }
    Ok(())
}
