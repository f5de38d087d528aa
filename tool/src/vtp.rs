//! VTK's PolyData as XML: points, vertices and lines, with numbers at points and at cells.

use std::fmt::Write;

/// Points, cells, and arrays of numbers.
#[derive(Default)]
pub struct PolyData {
    points: Vec<[f64; 3]>,
    /// Cells of one point.
    vertices: Vec<usize>,
    /// Cells of two points.
    lines: Vec<[usize; 2]>,
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
    /// Adds a point and returns its index.
    pub fn point(&mut self, at: [f64; 3]) -> usize {
        self.points.push(at);
        self.points.len() - 1
    }

    /// Adds a cell of a point. In the file these precede lines.
    pub fn vertex(&mut self, point: usize) {
        self.vertices.push(point);
    }

    /// Adds a cell between two points.
    pub fn line(&mut self, ends: [usize; 2]) {
        self.lines.push(ends);
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

    /// The text of a file.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<PolyData>\n",
        );
        let (points, vertices, lines) = (self.points.len(), self.vertices.len(), self.lines.len());
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{vertices}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">"
        );
        section(&mut text, "PointData", &self.point_data);
        section(&mut text, "CellData", &self.cell_data);
        text.push_str("<Points>\n");
        numbers(&mut text, "Float64", "Points", 3, self.points.as_flattened().iter().map(|x| real(*x)));
        text.push_str("</Points>\n");
        cells(&mut text, "Verts", self.vertices.iter().copied(), 1, vertices);
        cells(&mut text, "Lines", self.lines.as_flattened().iter().copied(), 2, lines);
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

fn section(text: &mut String, tag: &str, arrays: &[Array]) {
    let _ = writeln!(text, "<{tag}>");
    for Array { name, components, whole, values } in arrays {
        match whole {
            true => numbers(text, "Int32", name, *components, values.iter().map(|x| format!("{x:.0}"))),
            false => numbers(text, "Float64", name, *components, values.iter().map(|x| real(*x))),
        }
    }
    let _ = writeln!(text, "</{tag}>");
}

/// With the digits to read it back exactly.
fn real(x: f64) -> String {
    format!("{x:?}")
}

fn numbers(text: &mut String, kind: &str, name: &str, components: usize, values: impl Iterator<Item = String>) {
    let _ = writeln!(
        text,
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">"
    );
    for value in values {
        text.push_str(&value);
        text.push(' ');
    }
    text.push_str("\n</DataArray>\n");
}

/// The points of the cells, `width` each.
fn cells(text: &mut String, tag: &str, points: impl Iterator<Item = usize>, width: usize, count: usize) {
    let _ = writeln!(text, "<{tag}>");
    numbers(text, "Int32", "connectivity", 1, points.map(|point| point.to_string()));
    numbers(text, "Int32", "offsets", 1, (1..=count).map(|k| (k * width).to_string()));
    let _ = writeln!(text, "</{tag}>");
}
