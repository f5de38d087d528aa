//! Tables of numbers, as the C programs write them.

use std::error::Error;
use std::fs;
use std::path::Path;

/// A CSV file with one line of column names and numbers below; an empty field is NaN.
pub struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    /// Reads the file. Errors name the file and the line.
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let content = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut lines = content.lines();
        let names: Vec<String> = lines.next().unwrap_or_default().split(',').map(str::to_owned).collect();
        let mut rows = Vec::new();
        for (number, line) in lines.enumerate() {
            let row: Result<Vec<f64>, _> = line.split(',').map(number_of).collect();
            let row = row.map_err(|e| format!("{}: line {}: {e}", path.display(), number + 2))?;
            if row.len() != names.len() {
                return Err(format!(
                    "{}: line {} has {} fields, not {}",
                    path.display(),
                    number + 2,
                    row.len(),
                    names.len()
                )
                .into());
            }
            rows.push(row);
        }
        if rows.is_empty() {
            return Err(format!("{}: no numbers in it", path.display()).into());
        }
        Ok(Self { names, rows })
    }

    /// Points of one column over another.
    pub fn points(&self, x: &str, y: &str) -> Result<Vec<(f64, f64)>, String> {
        let (x, y) = (self.column(x)?, self.column(y)?);
        Ok(self.rows.iter().map(|row| (row[x], row[y])).collect())
    }

    /// Multiplies the columns whose names begin with `start` by a factor, to change their unit.
    pub fn scale(&mut self, start: &str, factor: f64) {
        for (column, _) in self.names.iter().enumerate().filter(|(_, name)| name.starts_with(start)) {
            self.rows.iter_mut().for_each(|row| row[column] *= factor);
        }
    }

    fn column(&self, name: &str) -> Result<usize, String> {
        self.names.iter().position(|n| n == name).ok_or_else(|| format!("there is no column {name}"))
    }
}

fn number_of(field: &str) -> Result<f64, std::num::ParseFloatError> {
    if field.is_empty() { Ok(f64::NAN) } else { field.parse() }
}
