//! What may be said of lines, their types and what surrounds them; each error names the argument
//! and the value.

use super::{Bathymetry, CurrentGrid, Fluid, LineType, Syrope, Table, Viscoelastic, Water, current};
use crate::elements::check_not_negative;
use crate::elements::waves::{self, Phasors, Wave, Waves};
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::Vec3;
use crate::spatial::pose::check_finite;
use std::sync::Arc;

/// Errors: not finite, not above zero.
pub fn check_positive(argument: &'static str, x: f64) -> Result<()> {
    check_finite(argument, &[x])?;
    if x > 0.0 { Ok(()) } else { Err(Error::bad_value(argument, format!("{} is not above 0", Number(x)))) }
}

impl LineType {
    /// Errors: a number that is not finite or outside its range. Whether there is an axial
    /// stiffness or a table in its place shows when all is said ([`LineType::is_elastic`]).
    pub fn check(&self) -> Result<()> {
        check_positive("diameter", self.diameter)?;
        check_positive("mass_per_length", self.mass_per_length)?;
        check_not_negative("ea", self.ea)?;
        check_finite("ba", &[self.ba])?;
        let coefficients =
            [("ei", self.ei), ("cdn", self.cdn), ("can", self.can), ("cdt", self.cdt), ("cat", self.cat)];
        coefficients.into_iter().try_for_each(|(argument, x)| check_not_negative(argument, x))
    }

    /// Whether it may be viscoelastic like this. Errors: not finite; negative; not stiffer than EA;
    /// a type with a table, or without damping.
    pub fn check_viscoelastic(&self, law: &Viscoelastic) -> Result<()> {
        let stiffness = law.stiffness;
        law.check()?;
        if self.tension.is_some() || self.damping.is_some() {
            return Err(Error::bad_value("type", "it has a table, and a viscoelastic type has numbers EA and BA"));
        }
        if self.ba == 0.0 {
            return Err(Error::bad_value("type", "it has damping BA = 0, so that nothing lets it creep slowly"));
        }
        if stiffness > self.ea {
            return Ok(());
        }
        let detail = format!("{} is not more than the static stiffness EA = {}", Number(stiffness), Number(self.ea));
        Err(Error::bad_value("ea_dynamic", detail))
    }

    /// Whether it may have curves of the Syrope model, its table being the original curve, and this
    /// dynamic stiffness. Errors: numbers out of their range; a type without a table, or without a
    /// number BA; curves that do not fit (`Syrope::check`).
    pub fn check_syrope(&self, law: &Viscoelastic, curves: &Syrope) -> Result<()> {
        law.check()?;
        check_finite("k1", &[curves.k1])?;
        check_finite("k2", &[curves.k2])?;
        let Some(original) = &self.tension else {
            return Err(Error::bad_value("type", "it has no table of tensions, which is the original curve"));
        };
        if self.damping.is_some() || self.ba == 0.0 {
            return Err(Error::bad_value("type", "it has no number BA other than 0, with which it could creep slowly"));
        }
        curves.check(original, law.stiffness, law.slope)
    }

    /// Whether it resists stretching.
    pub fn is_elastic(&self) -> bool {
        self.ea > 0.0 || self.tension.is_some()
    }
}

impl Viscoelastic {
    /// Errors: not finite; negative.
    fn check(&self) -> Result<()> {
        check_finite("ea_dynamic", &[self.stiffness])?;
        check_not_negative("ea_slope", self.slope)?;
        check_not_negative("ba_dynamic", self.damping)
    }
}

/// What rounding leaves at zero of a table that leads there, relative to its first value.
const ROUNDING: f64 = 1e-9;

impl Table {
    /// From columns `x` and `y`. Errors: fewer than two points; not finite; negative; `x` that does
    /// not rise; `y` that falls, or is not 0 where `x` is, nor leads there.
    pub fn new(x: &[f64], y: &[f64]) -> Result<Table> {
        if x.len() < 2 {
            return Err(Error::BadSize { argument: "n", given: x.len() as i64, expected: "at least 2 points".into() });
        }
        if y.len() != x.len() {
            let expected = format!("{}, one per x", x.len());
            return Err(Error::BadSize { argument: "y", given: y.len() as i64, expected });
        }
        for (argument, column) in [("x", x), ("y", y)] {
            check_finite(argument, column)?;
            if column[0] < 0.0 {
                let detail = format!("{argument}[0] = {} is negative", Number(column[0]));
                return Err(Error::bad_value(argument, detail));
            }
        }
        if x[0] == 0.0 && y[0] != 0.0 {
            let detail = format!("y[0] = {} at x[0] = 0: the force would jump where it begins", Number(y[0]));
            return Err(Error::bad_value("y", detail));
        }
        let entry = |name: &str, column: &[f64], k: usize| format!("{name}[{k}] = {}", Number(column[k]));
        for k in 1..x.len() {
            if x[k] <= x[k - 1] {
                let (this, former) = (entry("x", x, k), entry("x", x, k - 1));
                return Err(Error::bad_value("x", format!("{this} is not more than {former}: they must rise")));
            }
            if y[k] < y[k - 1] {
                let (this, former) = (entry("y", y, k), entry("y", y, k - 1));
                return Err(Error::bad_value("y", format!("{this} is less than {former}: tensions must not fall")));
            }
        }
        // The first piece goes on down to zero.
        let begin = y[0] - (y[1] - y[0]) / (x[1] - x[0]) * x[0];
        if begin > ROUNDING * y[0] {
            let detail = format!(
                "{} would be left at x = 0, where the first piece leads: the force would jump where it begins",
                Number(begin)
            );
            return Err(Error::bad_value("y", detail));
        }
        Ok(Table { x: x.to_vec(), y: y.to_vec() })
    }
}

/// Keys of the environment.
pub const ENVIRONMENT_KEYS: [&str; 9] = [
    "water_density",
    "depth",
    "seabed_stiffness",
    "seabed_damping",
    "seabed_smoothing",
    "seabed_friction",
    "friction_slip",
    "seabed_adhesion",
    "wave_ramp",
];

impl Water {
    /// The values of [`ENVIRONMENT_KEYS`], in that order.
    pub fn values(&self) -> [f64; 9] {
        let Water { density, depth, stiffness, damping, smoothing, friction, slip, adhesion, ramp, .. } = self;
        [*density, *depth, *stiffness, *damping, *smoothing, *friction, *slip, *adhesion, *ramp]
    }

    /// Where the value of a key is kept. Errors: unknown; the message lists the known ones.
    fn place(&mut self, key: &str) -> Result<(&'static str, &mut f64)> {
        let known = ENVIRONMENT_KEYS.iter().position(|known| *known == key);
        let Some(index) = known else { return Err(unknown(key)) };
        let Water { density, depth, stiffness, damping, smoothing, friction, slip, adhesion, ramp, .. } = self;
        let place =
            [density, depth, stiffness, damping, smoothing, friction, slip, adhesion, ramp].into_iter().nth(index);
        place.map(|place| (ENVIRONMENT_KEYS[index], place)).ok_or_else(|| unknown(key))
    }

    /// The value of a key. Errors: unknown.
    pub fn get(&self, key: &str) -> Result<f64> {
        let known = ENVIRONMENT_KEYS.iter().position(|known| *known == key);
        known.map(|index| self.values()[index]).ok_or_else(|| unknown(key))
    }

    /// Sets the value of a key. Errors: unknown; not finite; negative; for the two lengths zero
    /// too; for the adhesion above 1.
    pub fn set(&mut self, key: &str, value: f64) -> Result<()> {
        let (key, place) = self.place(key)?;
        check_finite("value", &[value])?;
        let is_length = matches!(key, "seabed_smoothing" | "friction_slip");
        if value < 0.0 || is_length && value == 0.0 {
            let range = if is_length { "not above 0" } else { "negative" };
            return Err(Error::bad_value("value", format!("{} is {range}, for \"{key}\"", Number(value))));
        }
        if key == "seabed_adhesion" && value > 1.0 {
            return Err(Error::bad_value("value", format!("{} is above 1, for \"{key}\"", Number(value))));
        }
        // Without the sign of zero.
        *place = value + 0.0;
        Ok(())
    }

    /// Errors: something is said of a seabed, and there is none.
    pub fn check_bed(&self) -> Result<()> {
        if self.has_bed() {
            return Ok(());
        }
        let (given, usual) = (self.values(), Water::default().values());
        // The last key is of waves.
        match (2..given.len() - 1).find(|k| given[*k] != usual[*k]) {
            None => Ok(()),
            Some(k) => {
                let (key, value) = (ENVIRONMENT_KEYS[k], Number(given[k]));
                Err(Error::bad_value("depth", format!("is 0, so that there is no seabed, but \"{key}\" is {value}")))
            }
        }
    }

    /// Sets the steady current: velocities at depths, inertial axes; none for no depths. Errors:
    /// not one velocity per depth; not finite; depths that do not rise.
    pub fn set_current(&mut self, depths: &[f64], velocities: &[[f64; 3]]) -> Result<()> {
        if depths.len() != velocities.len() {
            let expected = format!("{}, one per depth", depths.len());
            return Err(Error::BadSize { argument: "velocities", given: velocities.len() as i64, expected });
        }
        check_finite("depths", depths)?;
        check_finite("velocities", velocities.as_flattened())?;
        if let Some(k) = (1..depths.len()).find(|k| depths[*k] <= depths[k - 1]) {
            let (this, former) = (Number(depths[k]), Number(depths[k - 1]));
            let detail = format!("depths[{k}] = {this} is not more than depths[{}] = {former}: they must rise", k - 1);
            return Err(Error::bad_value("depths", detail));
        }
        self.current = depths.iter().copied().zip(velocities.iter().copied()).collect();
        Ok(())
    }

    /// Sets the depths of the seabed on a grid; none: as "depth" says. Errors: those of
    /// [`Bathymetry::new`].
    pub fn set_bathymetry(&mut self, points: &[[f64; 3]]) -> Result<()> {
        self.bathymetry = if points.is_empty() { None } else { Some(Arc::new(Bathymetry::new(points)?)) };
        Ok(())
    }

    /// Sets the components of the waves; none: no waves. Errors: those of [`waves::check`].
    pub fn set_waves(&mut self, components: Vec<Wave>) -> Result<()> {
        waves::check(&components)?;
        self.waves = match components.is_empty() {
            true => None,
            false => Some(Arc::new(Waves::new(components, 0.0, 0.0))),
        };
        Ok(())
    }

    /// Sets a current in space and time, in addition to the steady one; none for no points. Errors:
    /// those of [`CurrentGrid::new`].
    pub fn set_current_grid(&mut self, points: &[[f64; 7]]) -> Result<()> {
        self.current_grid = if points.is_empty() { None } else { Some(Arc::new(CurrentGrid::new(points)?)) };
        Ok(())
    }

    /// Whether the water moves otherwise than by a steady current.
    pub fn moves(&self) -> bool {
        self.waves.is_some() || self.current_grid.is_some()
    }

    /// The motion of the water by waves and the current of a grid, at a time and place of the
    /// host's coordinates.
    pub fn motion(&self, time: f64, place: &[f64; 3], phasors: &mut Phasors) -> Fluid {
        let waves = self.waves.as_ref();
        let mut fluid = waves.map_or(Fluid::default(), |waves| waves.motion(time, self.ramp, place, phasors));
        if let Some(grid) = &self.current_grid {
            let [velocity, acceleration] = grid.motion(time, *place);
            for k in 0..3 {
                fluid.velocity[k] += velocity[k];
                fluid.acceleration[k] += acceleration[k];
            }
        }
        fluid
    }

    /// The pressure of the waves at a time and place of the host's coordinates.
    pub fn wave_pressure(&self, time: f64, place: &[f64; 3]) -> f64 {
        self.density * self.waves.as_ref().map_or(0.0, |waves| waves.pressure(time, self.ramp, place))
    }

    /// The water without waves, its current at a time as a steady one; a grid that differs along x
    /// or y is left out.
    pub fn steady(&self, time: f64) -> Water {
        let still = Water { waves: None, current_grid: None, ..self.clone() };
        let Some((grid, profile)) = self.current_grid.as_ref().and_then(|grid| Some((grid, grid.depths_of_profile()?)))
        else {
            return still;
        };
        let mut depths: Vec<f64> =
            self.current.iter().map(|(depth, _)| *depth).chain(profile.iter().copied()).collect();
        depths.sort_by(f64::total_cmp);
        depths.dedup();
        let at = |depth: f64| {
            let [velocity, _] = grid.motion(time, [0.0, 0.0, -depth]);
            (depth, (current(self, depth).0 + Vec3::from(velocity)).into())
        };
        Water { current: depths.into_iter().map(at).collect(), ..still }
    }

    /// Renews the waves for a gravity and the depth, where they are those of others.
    pub fn renew_waves(&mut self, gravity: &Vec3) {
        let (g, depth) = (-gravity.z, self.depth);
        if let Some(waves) = &mut self.waves
            && [waves.gravity(), waves.depth()] != [g, depth]
        {
            *waves = Arc::new(waves.renewed(g, depth));
        }
    }

    /// Errors: waves without water, or under a gravity that does not act along -z.
    pub fn check_waves(&self, gravity: &Vec3) -> Result<()> {
        if self.waves.is_none() {
            return Ok(());
        }
        if self.density == 0.0 {
            let detail = "there are waves, but \"water_density\" is 0: there is no water";
            return Err(Error::bad_value("water_density", detail));
        }
        let [x, y, z] = [gravity.x, gravity.y, gravity.z];
        if z >= 0.0 || x.hypot(y) > 1e-12 * -z {
            let given = [x, y, z].map(|x| Number(x).to_string()).join(", ");
            return Err(Error::bad_value("gravity", format!("({given}) does not act along -z, as waves need it")));
        }
        Ok(())
    }
}

fn unknown(key: &str) -> Error {
    Error::bad_value("key", format!("\"{key}\" is unknown; known: {}", ENVIRONMENT_KEYS.join(", ")))
}
