//! Files for ParaView, as text in XML: a line or another part as poly data, the system as a
//! collection of them.

use crate::mooring::Mooring;
use crate::status::{Failure, Outcome, Status};
use std::fmt::Write;
use std::path::Path;

fn save(path: &Path, text: &str) -> Outcome<()> {
    std::fs::write(path, text).map_err(|error| {
        Failure::new(Status::InvalidOutputFile, format!("cannot write \"{}\": {error}", path.display()))
    })
}

/// Poly data of points, as one polyline if there are several, with the size of the tension at each.
fn poly_data(points: &[[f64; 3]], tensions: &[f64]) -> String {
    let count = points.len();
    let kind = if count > 1 { "Lines" } else { "Verts" };
    let (lines, verts) = if count > 1 { (1, 0) } else { (0, 1) };
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\">\n<PolyData>\n\
         <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\">\n\
         <Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n"
    );
    for [x, y, z] in points {
        let _ = writeln!(text, "{x} {y} {z}");
    }
    text.push_str("</DataArray>\n</Points>\n");
    if !tensions.is_empty() {
        text.push_str("<PointData>\n<DataArray type=\"Float64\" Name=\"tension\" format=\"ascii\">\n");
        tensions.iter().for_each(|tension| _ = writeln!(text, "{tension}"));
        text.push_str("</DataArray>\n</PointData>\n");
    }
    let order: Vec<String> = (0..count).map(|k| k.to_string()).collect();
    let _ = write!(
        text,
        "<{kind}>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n{}\n</DataArray>\n\
         <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n{count}\n</DataArray>\n</{kind}>\n\
         </Piece>\n</PolyData>\n</VTKFile>\n",
        order.join(" ")
    );
    text
}

/// Writes a line, with the tensions of its nodes.
pub fn save_line(mooring: &mut Mooring, line: usize, path: &Path) -> Outcome<()> {
    let nodes = mooring.positions(line)?.to_vec();
    let tension = |node| Ok(crate::nodes::norm(mooring.node_tension(line, node)?));
    let tensions = (0..nodes.len()).map(tension).collect::<Outcome<Vec<f64>>>()?;
    save(path, &poly_data(&nodes, &tensions))
}

/// Writes a point.
pub fn save_point(mooring: &mut Mooring, point: usize, path: &Path) -> Outcome<()> {
    save(path, &poly_data(&[mooring.point_motion(point)?[0]], &[]))
}

/// Writes a rod.
pub fn save_rod(mooring: &Mooring, rod: usize, path: &Path) -> Outcome<()> {
    let nodes = (0..=mooring.rods[rod].segments).map(|node| mooring.rod_position(rod, node));
    save(path, &poly_data(&nodes.collect::<Outcome<Vec<_>>>()?, &[]))
}

/// Writes the reference point of a body.
pub fn save_body(mooring: &Mooring, body: usize, path: &Path) -> Outcome<()> {
    let [x, y, z, ..] = mooring.simulation.outputs().body_pose(body as pintle::Id)?;
    save(path, &poly_data(&[[x, y, z]], &[]))
}

/// Writes the system: a file that names the files of its parts, which are in a folder beside it.
pub fn save_system(mooring: &mut Mooring, path: &Path) -> Outcome<()> {
    mooring.require_started()?;
    let folder = path.with_extension("");
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.ok_or_else(|| Failure::value(format!("filename \"{}\" names no file", path.display())))?;
    std::fs::create_dir_all(&folder).map_err(|error| {
        Failure::new(Status::InvalidOutputFile, format!("cannot create \"{}\": {error}", folder.display()))
    })?;
    let mut text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\">\n<vtkMultiBlockDataSet>\n"
            .to_owned();
    let kinds = [
        ("body", mooring.bodies()),
        ("rod", mooring.rods.len()),
        ("point", mooring.points().len()),
        ("line", mooring.lines()),
    ];
    let parts = kinds.into_iter().flat_map(|(kind, count)| (0..count).map(move |k| (kind, k)));
    for (block, (kind, k)) in parts.enumerate() {
        let file = format!("{kind}{}.vtp", k + 1);
        let path = folder.join(&file);
        match kind {
            "body" => save_body(mooring, k, &path)?,
            "rod" => save_rod(mooring, k, &path)?,
            "point" => save_point(mooring, k, &path)?,
            _ => save_line(mooring, k, &path)?,
        }
        let _ = writeln!(text, "<DataSet index=\"{block}\" name=\"{kind}{}\" file=\"{name}/{file}\"/>", k + 1);
    }
    text.push_str("</vtkMultiBlockDataSet>\n</VTKFile>\n");
    save(path, &text)
}
