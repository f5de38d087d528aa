//! STL files: triangles, as text or binary.

use std::fs;
use std::path::Path;

/// Most triangles that a page carries.
const MOST_TRIANGLES: usize = 100_000;

/// Largest file, in bytes: a triangle takes some 250 bytes of text.
const LARGEST: u64 = 50_000_000;

/// A binary file has a head that ends with the number of triangles, then for each triangle a
/// normal, three corners and two bytes.
const HEAD: usize = 84;
const TRIANGLE: usize = 50;
const NORMAL: usize = 12;

/// The corners of all triangles, three by three. Errors: not readable, too large, no STL.
pub fn read(path: &Path) -> Result<Vec<[f32; 3]>, String> {
    let found = fs::metadata(path).map_err(|error| error.to_string())?;
    if !found.is_file() {
        return Err("not a file".into());
    }
    if found.len() > LARGEST {
        return Err(format!("has {} bytes, more than the {LARGEST} that are read", found.len()));
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let corners = binary(&bytes).or_else(|| text(&bytes)).ok_or("not an STL file")?;
    let triangles = corners.len() / 3;
    if triangles == 0 {
        return Err("has no triangles".into());
    }
    if triangles > MOST_TRIANGLES {
        return Err(format!("has {triangles} triangles, more than the {MOST_TRIANGLES} that a page carries"));
    }
    match corners.as_flattened().iter().find(|x| !x.is_finite()) {
        Some(x) => Err(format!("has the coordinate {x}")),
        None => Ok(corners),
    }
}

/// None if the size does not fit the number of triangles. (Binary files may begin with `solid`.)
fn binary(bytes: &[u8]) -> Option<Vec<[f32; 3]>> {
    let (count, triangles) = (bytes.get(HEAD - 4..HEAD)?, &bytes[HEAD..]);
    let count = u32::from_le_bytes(count.try_into().ok()?) as usize;
    if triangles.len() != count.checked_mul(TRIANGLE)? {
        return None;
    }
    let corners = triangles.chunks(TRIANGLE).flat_map(|triangle| triangle[NORMAL..NORMAL + 36].chunks(12));
    let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    Some(corners.map(|corner| [0, 4, 8].map(|k| number(&corner[k..]))).collect())
}

/// None if it is not text with whole triangles.
fn text(bytes: &[u8]) -> Option<Vec<[f32; 3]>> {
    let mut words = str::from_utf8(bytes).ok()?.split_whitespace();
    if words.next() != Some("solid") {
        return None;
    }
    let mut corners = Vec::new();
    while let Some(word) = words.next() {
        if word == "vertex" {
            let mut number = || words.next()?.parse::<f32>().ok();
            corners.push([number()?, number()?, number()?]);
        }
    }
    corners.len().is_multiple_of(3).then_some(corners)
}
