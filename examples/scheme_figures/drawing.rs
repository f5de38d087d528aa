//! What the figures share: colours, text, axes.

use plotters::chart::MeshStyle;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

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
