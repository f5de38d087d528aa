//! VTK's PolyData as XML: points, vertices, lines and triangles, with numbers at points and at
//! cells, in binary as VTK's own writer has them inside XML.

use crate::view::base64;
use std::fmt::Write;

/// Points, cells, and arrays of numbers.
#[derive(Default)]
pub struct PolyData {
    points: Vec<[f64; 3]>,
    /// Cells of one point.
    vertices: Vec<usize>,
    /// Cells of two points.
    lines: Vec<[usize; 2]>,
    /// Cells of three points.
    triangles: Vec<[usize; 3]>,
    point_data: Vec<Array>,
    cell_data: Vec<Array>,
}

/// Numbers of points or cells, in their order.
struct Array {
    name: &'static str,
    components: usize,
    /// Whether the numbers are integers, as ids are.
    whole: bool,
    values: Vec<f64>,
}

impl PolyData {
    /// The number of points.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// Adds a point and returns its index.
    pub fn point(&mut self, at: [f64; 3]) -> usize {
        self.points.push(at);
        self.points.len() - 1
    }

    /// Adds a cell of a point. In the file these precede lines.
    pub fn vertex(&mut self, point: usize) {
        self.vertices.push(point);
    }

    /// Adds a cell between two points. In the file these precede triangles.
    pub fn line(&mut self, ends: [usize; 2]) {
        self.lines.push(ends);
    }

    /// Adds a cell between three points, counter-clockwise from outside.
    pub fn triangle(&mut self, corners: [usize; 3]) {
        self.triangles.push(corners);
    }

    /// Adds a number, or a vector, of the last point.
    pub fn at_point(&mut self, name: &'static str, values: &[f64]) {
        add(&mut self.point_data, name, values, false);
    }

    /// Adds the id of the entity of the last point.
    pub fn id_at_point(&mut self, name: &'static str, id: i32) {
        add(&mut self.point_data, name, &[f64::from(id)], true);
    }

    /// Adds a number of the last cell.
    pub fn at_cell(&mut self, name: &'static str, value: f64) {
        add(&mut self.cell_data, name, &[value], false);
    }

    /// Adds the id of the entity of the last cell.
    pub fn id_at_cell(&mut self, name: &'static str, id: i32) {
        add(&mut self.cell_data, name, &[f64::from(id)], true);
    }

    /// One set of cells for several parts, whose numbers are at cells and points as `part`. Where a
    /// part has no such number there is NaN, or the id -1.
    pub fn merged(parts: Vec<PolyData>) -> PolyData {
        let mut merged = PolyData::default();
        let counts = |part: &PolyData| [part.vertices.len(), part.lines.len(), part.triangles.len()];
        // Cells come class by class, and so do their numbers.
        let pieces = (0..3).flat_map(|class| {
            let cells = |part: &PolyData| (counts(part)[..class].iter().sum::<usize>(), counts(part)[class]);
            parts.iter().map(cells).collect::<Vec<_>>()
        });
        let parts_of_pieces = (0..3).flat_map(|_| parts.iter());
        let pieces: Vec<_> =
            pieces.zip(parts_of_pieces).map(|((from, count), part)| (from, count, &part.cell_data)).collect();
        merged.cell_data = joined(&pieces, parts.len());
        let whole: Vec<_> = parts.iter().map(|part| (0, part.points.len(), &part.point_data)).collect();
        merged.point_data = joined(&whole, parts.len());
        for PolyData { points, vertices, lines, triangles, .. } in &parts {
            let first = merged.points.len();
            merged.points.extend(points);
            merged.vertices.extend(vertices.iter().map(|point| first + point));
            merged.lines.extend(lines.iter().map(|ends| ends.map(|point| first + point)));
            merged.triangles.extend(triangles.iter().map(|corners| corners.map(|point| first + point)));
        }
        merged
    }

    /// The text of a file.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<PolyData>\n",
        );
        let (points, vertices, lines) = (self.points.len(), self.vertices.len(), self.lines.len());
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{vertices}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" \
             NumberOfPolys=\"{}\">",
            self.triangles.len()
        );
        section(&mut text, "PointData", &self.point_data);
        section(&mut text, "CellData", &self.cell_data);
        text.push_str("<Points>\n");
        numbers(&mut text, "Points", 3, false, self.points.as_flattened().iter().copied());
        text.push_str("</Points>\n");
        cells(&mut text, "Verts", &self.vertices, 1);
        cells(&mut text, "Lines", self.lines.as_flattened(), 2);
        cells(&mut text, "Polys", self.triangles.as_flattened(), 3);
        text.push_str("</Piece>\n</PolyData>\n</VTKFile>\n");
        text
    }
}

fn add(arrays: &mut Vec<Array>, name: &'static str, values: &[f64], whole: bool) {
    match arrays.iter_mut().find(|array| array.name == name) {
        Some(array) => array.values.extend(values),
        None => arrays.push(Array { name, components: values.len(), whole, values: values.to_vec() }),
    }
}

/// The arrays of pieces, which are (first, count, arrays) of some tuples of a part; the parts come
/// in the same order again and again.
fn joined(pieces: &[(usize, usize, &Vec<Array>)], parts: usize) -> Vec<Array> {
    let mut all = vec![Array { name: "part", components: 1, whole: true, values: Vec::new() }];
    for Array { name, components, whole, .. } in pieces.iter().flat_map(|(.., arrays)| arrays.iter()) {
        if all.iter().all(|array| array.name != *name) {
            all.push(Array { name, components: *components, whole: *whole, values: Vec::new() });
        }
    }
    for (k, (from, count, arrays)) in pieces.iter().enumerate() {
        for Array { name, components, whole, values } in &mut all {
            let own = arrays.iter().find(|array| array.name == *name);
            let missing = match (*name, *whole) {
                ("part", _) => (k % parts) as f64,
                (_, true) => -1.0,
                (_, false) => f64::NAN,
            };
            match own {
                Some(own) => values.extend(&own.values[from * *components..(from + count) * *components]),
                None => values.extend(std::iter::repeat_n(missing, count * *components)),
            }
        }
    }
    all
}

fn section(text: &mut String, tag: &str, arrays: &[Array]) {
    let _ = writeln!(text, "<{tag}>");
    for Array { name, components, whole, values } in arrays {
        numbers(text, name, *components, *whole, values.iter().copied());
    }
    let _ = writeln!(text, "</{tag}>");
}

/// The length in bytes, then the numbers.
fn numbers(text: &mut String, name: &str, components: usize, whole: bool, values: impl Iterator<Item = f64>) {
    let bytes: Vec<u8> = match whole {
        true => values.flat_map(|x| (x as i32).to_le_bytes()).collect(),
        false => values.flat_map(f64::to_le_bytes).collect(),
    };
    let kind = if whole { "Int32" } else { "Float64" };
    let encoded = base64(&[&(bytes.len() as u64).to_le_bytes()[..], &bytes].concat());
    let _ = writeln!(
        text,
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">{encoded}</DataArray>"
    );
}

/// The points of the cells, `width` each.
fn cells(text: &mut String, tag: &str, points: &[usize], width: usize) {
    let _ = writeln!(text, "<{tag}>");
    numbers(text, "connectivity", 1, true, points.iter().map(|point| *point as f64));
    numbers(text, "offsets", 1, true, (1..=points.len() / width).map(|k| (k * width) as f64));
    let _ = writeln!(text, "</{tag}>");
}
