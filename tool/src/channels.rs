//! Selection of outputs: channels by name or pattern, and their rows as CSV.

use crate::failure::{Failure, Outcome};
use crate::whole_file::WholeFile;
use pintle::Simulation;
use pintle::error::did_you_mean;
use std::fmt::Write;

/// Selected channels of a system.
pub struct Channels {
    /// Their indices in the table of all.
    chosen: Vec<usize>,
    names: Vec<String>,
    units: Vec<&'static str>,
    /// Of all channels.
    values: Vec<f64>,
}

impl Channels {
    /// Channels whose names match one of the patterns, in the order of the patterns; each once.
    /// Errors: a pattern without a match.
    pub fn choose(system: &Simulation, patterns: &[&str]) -> Outcome<Channels> {
        let count = system.channels().count().map_err(Failure::of_run)?;
        let names: Vec<String> =
            (0..count).map(|k| system.channels().name(k)).collect::<Result<_, _>>().map_err(Failure::of_run)?;
        let mut chosen: Vec<usize> = Vec::new();
        for pattern in patterns {
            let before = chosen.len();
            let fitting: Vec<usize> =
                (0..names.len()).filter(|k| matches(pattern.as_bytes(), names[*k].as_bytes())).collect();
            if fitting.is_empty() {
                let near = did_you_mean(pattern, &mut names.iter().map(String::as_str));
                return Err(Failure::Input(format!(
                    "no channel is called {pattern}: `pintle check --channels` lists them{near}"
                )));
            }
            chosen.extend(fitting);
            let (earlier, new) = chosen.split_at(before);
            let new: Vec<usize> = new.iter().copied().filter(|k| !earlier.contains(k)).collect();
            chosen.truncate(before);
            chosen.extend(new);
        }
        let units = chosen
            .iter()
            .map(|k| system.channels().unit(*k as i32))
            .collect::<Result<_, _>>()
            .map_err(Failure::of_run)?;
        let own = chosen.iter().map(|k| names[*k].clone()).collect();
        Ok(Channels { chosen, names: own, units, values: vec![0.0; names.len()] })
    }

    /// Channels whose names match one of the patterns; patterns without a match are left out.
    pub fn usual(system: &Simulation, patterns: &[&str]) -> Outcome<Channels> {
        let matched = patterns.iter().copied().filter(|pattern| Channels::choose(system, &[pattern]).is_ok());
        Channels::choose(system, &matched.collect::<Vec<_>>())
    }

    /// Names and units.
    pub fn titles(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.names.iter().map(String::as_str).zip(self.units.iter().copied())
    }

    /// The values at the present state. Errors: numbers too large for a double.
    pub fn read(&mut self, system: &Simulation) -> Outcome<impl Iterator<Item = f64>> {
        system.channels().values(&mut self.values).map_err(Failure::of_run)?;
        Ok(self.chosen.iter().map(|k| self.values[*k]))
    }
}

/// A table of channels over time, as CSV: `name [unit]` in the first line.
pub struct ChannelTable {
    file: WholeFile,
    line: String,
    pub channels: Channels,
    pub rows: usize,
}

impl ChannelTable {
    /// Errors: it cannot be written.
    pub fn new(mut file: WholeFile, channels: Channels) -> Outcome<ChannelTable> {
        let titles: Vec<String> = channels.titles().map(|(name, unit)| quoted(&format!("{name} [{unit}]"))).collect();
        file.write(format!("{}\n", titles.join(",")).as_bytes())?;
        Ok(ChannelTable { file, line: String::new(), channels, rows: 0 })
    }

    /// Adds a row of the present state, with the digits to read numbers back exactly. Errors: it
    /// cannot be written.
    pub fn write(&mut self, system: &Simulation) -> Outcome {
        self.line.clear();
        for (k, value) in self.channels.read(system)?.enumerate() {
            let separator = if k > 0 { "," } else { "" };
            // Writing to a string does not fail.
            let _ = write!(self.line, "{separator}{value:?}");
        }
        self.line.push('\n');
        self.rows += 1;
        self.file.write(self.line.as_bytes())
    }

    /// Errors: it cannot be written.
    pub fn finish(self) -> Outcome {
        self.file.finish()
    }
}

/// A cell of a CSV file.
pub fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Whether a name matches a pattern, in which `*` stands for any characters and `?` for one.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    // Position of the last star, and of the end of its match: only the last star needs
    // backtracking.
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(letter) if *letter == b'?' || *letter == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, reached)) => {
                    star = Some((at, reached + 1));
                    (p, n) = (at + 1, reached + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|letter| *letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_any_letters() {
        let fits = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        for (pattern, name) in [
            ("*", ""),
            ("hull.pos.x", "hull.pos.x"),
            ("*.pos.?", "hull.pos.x"),
            ("h*l.*.x", "hull.l.pos.x"),
            ("**x", "x"),
            ("*ab*ab", "abcabxab"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("", "x"), ("?", ""), ("*.pos.?", "hull.pos.xx"), ("*ab*ab", "abxa"), ("hull", "hulls")]
        {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
