//! Lines, arrows, arcs and labels in space, projected onto a sheet and written as SVG.
//!
//! The sheet is white and the ink dark, so that pictures can be read on light and on dark pages.

use std::fmt::Write;

pub type Point = [f64; 3];

/// Columns: the axes x, y, z.
pub type Axes = [Point; 3];

pub const AXES: Axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

const STYLE: &str = "
text { font: 12px sans-serif; fill: #262b33; stroke: none }
.title { font-weight: bold }
.small { font-size: 10.5px; fill: #565e68 }
.sub { font-size: 8.5px }
.ink { stroke: #262b33; fill: none; stroke-width: 1.3 }
.i { stroke: #262b33; fill: #262b33 }
.a { stroke: #1f5fa8; fill: #1f5fa8 }
.b { stroke: #c2550a; fill: #c2550a }
.free { stroke: #1c7d3c; fill: #1c7d3c }
.vector { stroke: #7b3fa0; fill: #7b3fa0 }
text.i, text.a, text.b, text.free, text.vector { stroke: none }
.line { fill: none; stroke-width: 1.6 }
.thin { fill: none; stroke-width: 0.9; stroke-dasharray: 4 3 }
.body { fill: #e9edf2; stroke: #9aa4b0; stroke-width: 1 }
.part { fill: #dfe4ea; stroke: #9aa4b0; stroke-width: 1 }
";

/// A picture under construction. Lengths in space are pixels; what is drawn next has its origin at
/// `origin`.
pub struct Sheet {
    svg: String,
    pub origin: [f64; 2],
}

impl Sheet {
    pub fn new(width: u32, height: u32, title: &str) -> Sheet {
        let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" ");
        writeln!(svg, "viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n<style>{STYLE}</style>").unwrap();
        writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#ffffff\"/>").unwrap();
        Sheet { svg, origin: [0.0; 2] }
    }

    pub fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }

    /// x comes towards the reader, y goes to the right, z up.
    fn project(&self, p: Point) -> [f64; 2] {
        let [x, y, z] = p;
        [self.origin[0] - 0.62 * x + 0.90 * y, self.origin[1] + 0.46 * x + 0.20 * y - z]
    }

    fn path(&mut self, class: &str, points: impl IntoIterator<Item = [f64; 2]>, closed: bool) {
        let mut d = String::new();
        for (k, [x, y]) in points.into_iter().enumerate() {
            write!(d, "{}{} {}", if k == 0 { "M" } else { " L" }, number(x), number(y)).unwrap();
        }
        let end = if closed { " Z" } else { "" };
        writeln!(self.svg, "<path class=\"{class}\" d=\"{d}{end}\"/>").unwrap();
    }

    pub fn line(&mut self, class: &str, points: &[Point]) {
        let points: Vec<_> = points.iter().map(|p| self.project(*p)).collect();
        self.path(&format!("{class} line"), points, false);
    }

    pub fn dashed(&mut self, class: &str, from: Point, to: Point) {
        let points = [self.project(from), self.project(to)];
        self.path(&format!("{class} thin"), points, false);
    }

    pub fn area(&mut self, class: &str, corners: &[Point]) {
        let corners: Vec<_> = corners.iter().map(|p| self.project(*p)).collect();
        self.path(class, corners, true);
    }

    fn head(&mut self, class: &str, from: [f64; 2], tip: [f64; 2]) {
        let (dx, dy) = (tip[0] - from[0], tip[1] - from[1]);
        let size = dx.hypot(dy).max(1e-9);
        let (ux, uy) = (dx / size, dy / size);
        let at = |back: f64, side: f64| [tip[0] - back * ux - side * uy, tip[1] - back * uy + side * ux];
        self.path(class, [tip, at(7.0, 2.8), at(7.0, -2.8)], true);
    }

    pub fn arrow(&mut self, class: &str, from: Point, to: Point) {
        self.line(class, &[from, to]);
        let (from, to) = (self.project(from), self.project(to));
        self.head(class, from, to);
    }

    /// From angle to angle (degrees) about `centre`, in the plane of the unit vectors u and v, with
    /// an arrow's head.
    pub fn arc(&mut self, class: &str, centre: Point, [u, v]: [Point; 2], radius: f64, [from, to]: [f64; 2]) {
        let points = arc(centre, [u, v], radius, [from, to]);
        self.line(class, &points);
        let (last, tip) = (self.project(points[points.len() - 3]), self.project(points[points.len() - 1]));
        self.head(class, last, tip);
    }

    pub fn dot(&mut self, class: &str, at: Point, radius: f64) {
        let [x, y] = self.project(at);
        writeln!(self.svg, "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>", number(x), number(y))
            .unwrap();
    }

    /// A label `shift` pixels off a point; `z_a` gets a subscript.
    pub fn label(&mut self, class: &str, at: Point, shift: [f64; 2], text: &str) {
        let [x, y] = self.project(at);
        self.text(class, [x + shift[0], y + shift[1]], text);
    }

    /// Text at a place on the sheet; what follows `_` is a subscript, but in titles.
    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        let (x, y) = (number(x), number(y));
        match text.split_once('_').filter(|_| class != "title") {
            Some((name, sub)) => writeln!(
                self.svg,
                "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{name}<tspan class=\"sub\" dy=\"3\">{sub}</tspan></text>"
            ),
            None => writeln!(self.svg, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"),
        }
        .unwrap();
    }

    /// A frame: three arrows with their names.
    pub fn frame(&mut self, class: &str, origin: Point, axes: &Axes, length: f64, name: &str) {
        for (axis, letter) in axes.iter().zip(["x", "y", "z"]) {
            let tip = along(origin, *axis, length);
            self.arrow(class, origin, tip);
            let from = self.project(origin);
            let to = self.project(tip);
            let size = (to[0] - from[0]).hypot(to[1] - from[1]).max(1.0);
            let shift = [(to[0] - from[0]) / size * 9.0 - 3.0, (to[1] - from[1]) / size * 9.0 + 4.0];
            self.label(
                class,
                tip,
                shift,
                &if name.is_empty() { letter.to_owned() } else { format!("{letter}_{name}") },
            );
        }
        self.dot(class, origin, 2.6);
    }

    /// A box about `centre` with half lengths along the axes; the three faces that the reader sees.
    pub fn block(&mut self, class: &str, centre: Point, axes: &Axes, half: Point) {
        let corner = |s: Point| (0..3).fold(centre, |p, k| along(p, axes[k], s[k] * half[k]));
        // The reader is in the direction that `project` takes to a point.
        let seen = |k: usize| if axes[k][0] * 0.90 + axes[k][1] * 0.62 + axes[k][2] * 0.54 > 0.0 { 1.0 } else { -1.0 };
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[p, q]| {
                let mut s = [0.0; 3];
                (s[i], s[j], s[k]) = (p, q, seen(k));
                corner(s)
            });
            self.area(class, &corners);
        }
    }

    /// A cylinder along z, from one height to another.
    pub fn cylinder(&mut self, class: &str, [x, y, low]: Point, high: f64, radius: f64) {
        let ring = |z: f64, range| arc([x, y, z], [AXES[0], AXES[1]], radius, range);
        // Where the side turns away from the reader.
        let mut outline = ring(low, [-55.4, 124.6]);
        outline.extend(ring(high, [124.6, -55.4]));
        self.area(class, &outline);
        self.area(class, &ring(high, [0.0, 360.0]));
    }
}

pub fn along(p: Point, axis: Point, length: f64) -> Point {
    [p[0] + axis[0] * length, p[1] + axis[1] * length, p[2] + axis[2] * length]
}

/// Axes turned by an angle (degrees) about their own axis k.
pub fn turned(axes: &Axes, k: usize, angle: f64) -> Axes {
    let (s, c) = angle.to_radians().sin_cos();
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let mut out = *axes;
    for n in 0..3 {
        out[i][n] = c * axes[i][n] + s * axes[j][n];
        out[j][n] = c * axes[j][n] - s * axes[i][n];
    }
    out
}

fn arc(centre: Point, [u, v]: [Point; 2], radius: f64, [from, to]: [f64; 2]) -> Vec<Point> {
    let steps = ((to - from).abs() / 6.0).ceil().max(4.0) as usize;
    let at = |k: usize| (from + (to - from) * k as f64 / steps as f64).to_radians().sin_cos();
    (0..=steps).map(at).map(|(s, c)| along(along(centre, u, radius * c), v, radius * s)).collect()
}

/// One decimal, and no minus before a zero.
fn number(x: f64) -> String {
    format!("{:.1}", (x * 10.0).round() / 10.0 + 0.0)
}
