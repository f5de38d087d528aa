//! Heads of tables: MoorDyn identifies columns by their order, whatever their names and units are.
//! A warning names columns whose names or units contradict the order.

use super::lexer::Row;
use super::sections::Table;

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    /// Its names in files; messages use the first. Punctuation and case are ignored.
    names: &'static [&'static str],
    /// Units in which files may give it; messages use the first; empty: not checked.
    units: &'static [&'static str],
}

const fn column(names: &'static [&'static str], units: &'static [&'static str]) -> Column {
    Column { names, units }
}

const M: &[&str] = &["m", "meter", "meters", "metre", "metres"];
const KG: &[&str] = &["kg"];
const M2: &[&str] = &["m^2"];
const M3: &[&str] = &["m^3"];
const DEG: &[&str] = &["deg", "degree", "degrees"];
const NO_UNIT: &[&str] = &["-", "none"];

/// OpenFAST's files have kN here; where that matters, the warning is at the force.
const FORCE: &[&str] = &["N", "kN"];

const TYPE_NAME: Column = column(&["TypeName", "LineType", "Name", "Type"], &[]);
const DIAM: Column = column(&["Diam", "Diameter"], M);
const MASS_PER_LENGTH: Column = column(&["Mass/m", "MassDen", "MassDenInAir"], &["kg/m"]);
const ROD_TYPE_NAME: Column = column(&["TypeName", "RodType", "Name", "Type"], &[]);
const EA: Column = column(&["EA"], &["N"]);
const BA: Column = column(&["BA/-zeta", "BA", "cIntDamp", "IntDamp"], &["N-s", "Pa-s"]);
const EI: Column = column(&["EI"], &["N-m^2"]);
const CD: Column = column(&["Cd", "Cdn"], NO_UNIT);
const CD_AX: Column = column(&["CdAx", "Cdt", "CdTan"], NO_UNIT);
const CA: Column = column(&["Ca", "Can"], NO_UNIT);
const CA_AX: Column = column(&["CaAx", "Cat", "CaTan"], NO_UNIT);

const ID: Column = column(&["ID", "Node", "Line", "Number"], &[]);
const ATTACHMENT: Column = column(&["Attachment", "Type"], &[]);
const X: Column = column(&["X", "X0"], M);
const Y: Column = column(&["Y", "Y0"], M);
const Z: Column = column(&["Z", "Z0"], M);
const MASS: Column = column(&["Mass", "M"], KG);
const VOLUME: Column = column(&["Volume", "Vol", "V"], M3);
const CDA: Column = column(&["CdA"], M2);
const ADDED: Column = column(&["Ca"], NO_UNIT);

const END_A: Column = column(&["AttachA", "NodeA", "NodeAnch", "NAnch", "EndA", "PointA"], &[]);
const END_B: Column = column(&["AttachB", "NodeB", "NodeFair", "NFair", "EndB", "PointB"], &[]);
const LENGTH: Column = column(&["UnstrLen", "Length"], M);
const SEGMENTS: Column = column(&["NumSegs", "NSegs"], NO_UNIT);
const LINE_OUTPUTS: Column = column(&["LineOutputs", "Outputs", "Flags/Outputs", "Flags"], &[]);

/// Line types of version 1.
pub(super) const LINE_TYPES_V1: &[Column] = &[TYPE_NAME, DIAM, MASS_PER_LENGTH, EA, BA, CA, CA_AX, CD, CD_AX];
/// Line types of version 2.
pub(super) const LINE_TYPES_V2: &[Column] = &[TYPE_NAME, DIAM, MASS_PER_LENGTH, EA, BA, EI, CD, CA, CD_AX, CA_AX];
/// Lines of version 1.
pub(super) const LINES_V1: &[Column] = &[ID, TYPE_NAME, LENGTH, SEGMENTS, END_A, END_B, LINE_OUTPUTS];
/// Lines of version 2.
pub(super) const LINES_V2: &[Column] = &[ID, TYPE_NAME, END_A, END_B, LENGTH, SEGMENTS, LINE_OUTPUTS];
/// Points without forces.
pub(super) const POINTS: &[Column] = &[ID, ATTACHMENT, X, Y, Z, MASS, VOLUME, CDA, ADDED];
/// Points with forces.
pub(super) const POINTS_WITH_FORCES: &[Column] = &[
    ID,
    ATTACHMENT,
    X,
    Y,
    Z,
    MASS,
    VOLUME,
    column(&["FX"], FORCE),
    column(&["FY"], FORCE),
    column(&["FZ"], FORCE),
    CDA,
    ADDED,
];
/// Bodies.
pub(super) const BODIES: &[Column] = &[
    ID,
    ATTACHMENT,
    X,
    Y,
    Z,
    column(&["r0", "roll"], DEG),
    column(&["p0", "pitch"], DEG),
    column(&["y0", "yaw"], DEG),
    MASS,
    column(&["CG"], M),
    column(&["I"], &["kg-m^2"]),
    VOLUME,
    CDA,
    ADDED,
];

/// External loads.
pub(super) const EXTERNAL_LOADS: &[Column] = &[
    column(&["ID", "Number"], &[]),
    column(&["Object"], &[]),
    column(&["Fext"], &["N"]),
    column(&["Blin"], &["N/(m/s)", "N-s/m"]),
    column(&["Bquad"], &["N/(m/s)^2", "N-s^2/m^2"]),
    column(&["CSys"], NO_UNIT),
];

/// Rod types.
pub(super) const ROD_TYPES: &[Column] =
    &[ROD_TYPE_NAME, DIAM, MASS_PER_LENGTH, CD, CA, column(&["CdEnd"], NO_UNIT), column(&["CaEnd"], NO_UNIT)];
/// Rods.
pub(super) const RODS: &[Column] = &[
    column(&["ID", "Rod", "Number"], &[]),
    ROD_TYPE_NAME,
    column(&["Attachment", "AttachID"], &[]),
    column(&["Xa"], M),
    column(&["Ya"], M),
    column(&["Za"], M),
    column(&["Xb"], M),
    column(&["Yb"], M),
    column(&["Zb"], M),
    SEGMENTS,
    column(&["RodOutputs", "Outputs", "Flags/Outputs", "Flags"], &[]),
];

/// Warns of a word that asks for an output file of MoorDyn.
pub(super) fn note_files(row: &Row, column: usize, notes: &mut Vec<String>) {
    if let Some(files) = row.words().get(column)
        && !matches!(&files.to_lowercase()[..], "-" | "0" | "none")
    {
        notes.push(format!("{}: not needed, this library writes no files: channels tell the same", row.place(column)));
    }
}

/// Warns of each column whose name is that of another column of the table, or whose unit is not one
/// of those that are read.
pub(super) fn note(table: &Table, columns: &[Column], notes: &mut Vec<String>) {
    if table.rows.is_empty() {
        return;
    }
    let is_one_of = |word: &str, known: &[&str]| known.iter().any(|other| plain(other) == plain(word));
    for (k, column) in columns.iter().enumerate() {
        let (number, title, name) = (k + 1, table.title(), column.names[0]);
        let names = table.names.as_ref().and_then(|row| Some((row, row.words().get(k)?)));
        if let Some((row, own)) = names
            && !is_one_of(own, column.names)
            && columns.iter().any(|other| is_one_of(own, other.names))
        {
            let place = row.place(k);
            notes.push(format!("{place}: column {number} of {title} is read as {name} by the order of columns"));
        }
        let units = table.units.as_ref().and_then(|row| Some((row, row.words().get(k)?)));
        if let (Some((row, own)), Some(unit)) = (units, column.units.first())
            && tells_a_unit(own)
            && !is_one_of(own, column.units)
        {
            notes.push(format!("{}: column {number} of {title}, {name}, is read in {unit}", row.place(k)));
        }
    }
}

/// Whether a word is a unit: `(-)` and `()` are not, nor is text that is not UTF-8.
fn tells_a_unit(word: &str) -> bool {
    !plain(word).is_empty() && !word.contains(char::REPLACEMENT_CHARACTER)
}

/// Letters and digits in capitals, so that `(N-m^2)`, `N-m2` and `[N m²]` are equal. Of several
/// units the first.
fn plain(word: &str) -> String {
    let first = word.split('|').next().unwrap_or(word);
    let written = first.replace('²', "2").replace('³', "3");
    written.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect()
}
