//! A mooring system in time: MoorDyn's input file, start, steps and states on top of
//! `pintle::Simulation`.
//!
//! Degrees of freedom of x, xd and f are those of coupled bodies (6 each: position, angles about x,
//! the new y, the new z; 3 where they are pinned), then those of coupled rods (6 each: end A, and
//! angles that turn the direction of the file; 3 where they are pinned), then those of coupled
//! points (3 each), in the order of the file.

use crate::angles;
use crate::input::Input;
use crate::rods::{self, BodyKind, Pin, Rod, RodKind};
use crate::status::{Failure, Outcome, Status};
use crate::water::HostWater;
use pintle::reserve::room;
use pintle::simulation::load_moordyn_for_hosts;
use pintle::{BodiesInWater, EntityKind, Frame, Id, Memory, Phase, Simulation, Snapshot, Work};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which motion x and xd of a step describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// MoorDyn's: x is the position at the start, and x + xd dt the one at the end.
    Start,
    /// x is the position at the end, as hosts give it that have moved their bodies before.
    End,
}

impl Motion {
    /// The number of the C function.
    pub fn from_number(number: i32) -> Option<Motion> {
        match number {
            0 => Some(Motion::Start),
            1 => Some(Motion::End),
            _ => None,
        }
    }
}

/// The environment variables of [`Mooring::load`].
const MOTION: &str = "PINTLE_MOORDYN_MOTION";
const STEP: &str = "PINTLE_MOORDYN_STEP";

/// Longest inner step in seconds: resolves the motions of mooring lines in waves.
const MAX_STEP: f64 = 0.05;

/// Damps oscillations that inner steps do not resolve, such as axial waves after a snap.
const RHO_INF: f64 = 0.3;

/// Free points heavier than this stay where the file places them.
const HEAVY: f64 = 1.0;

/// Of the search for the rest of free points.
const REST: (i32, f64) = (500, 1e-9);

/// Begins the words of a serialised state.
const TAG: u64 = u64::from_le_bytes(*b"pintleMD");

/// Words before the bytes of pintle's own state: tag, number of words, of bytes, of broken ends.
const HEAD: usize = 4;

/// What the host moves.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Coupled {
    Body(Id),
    /// A rod on a body of its own, with the quaternion that the file gives it.
    Rod(Id, [f64; 4]),
    /// A body without mass that a body or rod turns about.
    Pin(Id),
    Point(Id),
}

impl Coupled {
    fn dofs(self) -> usize {
        match self {
            Coupled::Body(_) | Coupled::Rod(..) => 6,
            Coupled::Pin(_) | Coupled::Point(_) => 3,
        }
    }
}

/// A mooring system.
pub struct Mooring {
    /// The model and its run.
    pub simulation: Simulation,
    /// What the file says to the program.
    pub input: Input,
    /// The velocity and acceleration of the water at nodes and points, if the host gives them.
    pub water: Arc<HostWater>,
    /// The meaning of x and xd.
    pub motion: Motion,
    /// MoorDyn's inner step, Courant number and scheme: stored for the host, without effect.
    pub dt: f64,
    /// The Courant number.
    pub cfl: f64,
    /// The scheme.
    pub scheme: String,
    /// A word of the file that stands for another one, for the log.
    pub note: Option<String>,
    /// Ends of lines (line, 0 or 1) that broke off their points, in this order.
    pub broken: Vec<(usize, usize)>,
    /// The rods of the file.
    pub rods: Vec<Rod>,
    /// What each body of the file turns about.
    pub(crate) pins: Vec<Option<Pin>>,
    /// The file of the state that it starts in.
    initial: Option<PathBuf>,
    /// The points of the file, and those that failures need: all but those at the ends of rods.
    points: Vec<Id>,
    coupled: Vec<Coupled>,
    /// The last saved state and its bytes, kept for their memory.
    snapshot: Option<Snapshot>,
    bytes: Vec<u8>,
    /// Positions or other vectors of the nodes of one line.
    pub(crate) nodes: Vec<[f64; 3]>,
    /// Tensions of the segments of one line.
    pub(crate) tensions: Vec<f64>,
}

fn count(simulation: &Simulation, kind: EntityKind) -> usize {
    usize::try_from(simulation.description().count(kind)).unwrap_or(0)
}

/// Lets light points of a model that has no start come to rest while heavy ones and bodies are
/// held.
fn rest_of_light(held: &mut Simulation, [heavy, bodies]: [&[Id]; 2]) -> Outcome<()> {
    for point in heavy {
        held.build().set_point_prescribed(*point, true)?;
    }
    for body in bodies {
        held.build().set_body_prescribed(*body, true)?;
    }
    held.initialize(0.0)?;
    held.solve_equilibrium(REST.0, REST.1)?;
    Ok(())
}

/// The value of an environment variable, read by `parse`. Errors: another value.
fn variable<T>(name: &str, usual: T, expected: &str, parse: impl FnOnce(&str) -> Option<T>) -> Outcome<T> {
    match std::env::var(name) {
        Err(_) => Ok(usual),
        Ok(value) => parse(&value)
            .ok_or_else(|| Failure::value(format!("environment variable {name} = \"{value}\": expected {expected}"))),
    }
}

impl Mooring {
    /// Reads an input file. Errors: it cannot be read, or needs a feature that pintle lacks; an
    /// environment variable with a value that has no meaning.
    pub fn load(path: &Path) -> Outcome<Mooring> {
        let _file = room(Memory::moordyn(path))?;
        let motion = variable(MOTION, Motion::Start, "start or end", |value| match value {
            "start" => Some(Motion::Start),
            "end" => Some(Motion::End),
            _ => None,
        })?;
        let max_step = variable(STEP, MAX_STEP, "a positive number of seconds", |value| value.parse().ok())?;
        // The host's own files, as for MoorDyn.
        let (mut simulation, outputs) = load_moordyn_for_hosts(path)?;
        let text = std::fs::read(path).map_err(|error| {
            Failure::new(Status::InvalidInputFile, format!("cannot read \"{}\": {error}", path.display()))
        })?;
        let mut input = Input::parse(&String::from_utf8_lossy(&text));
        input.outputs = outputs;
        let mut settings = simulation.settings();
        settings.set_option("rho_inf", RHO_INF)?;
        settings.set_option("max_substeps", 1e9)?;
        let rods = rods::find(&simulation, &input)?;
        let description = simulation.description();
        let (mut coupled, mut pins) = (Vec::new(), Vec::new());
        for (body, kind) in (0..).zip(&input.bodies) {
            let pin = rods::find_pin(&simulation, &format!("body {}", body + 1), body)?;
            match (kind, pin) {
                (BodyKind::Coupled, _) => coupled.push(Coupled::Body(body)),
                (BodyKind::CoupledPinned, Some(pin)) => coupled.push(Coupled::Pin(pin.holder)),
                _ => {}
            }
            pins.push(pin);
        }
        for rod in &rods {
            match (rod.kind, rod.mover) {
                (RodKind::Coupled, Some(body)) => {
                    let [.., w, x, y, z] = simulation.outputs().body_pose(body)?;
                    coupled.push(Coupled::Rod(body, [w, x, y, z]));
                }
                (RodKind::CoupledPinned, Some(body)) => coupled.push(Coupled::Pin(body)),
                _ => {}
            }
        }
        let is_at_rod = |point: &Id| rods.iter().any(|rod| rod.ends.contains(point));
        let points: Vec<Id> = (0..description.count(EntityKind::Point)).filter(|point| !is_at_rod(point)).collect();
        for point in &points {
            if description.point_info(*point)?.prescribed {
                coupled.push(Coupled::Point(*point));
            }
        }
        let beside = |name| path.parent().unwrap_or(Path::new("")).join(name);
        let initial = input.text(&["fileic", "icfile"]).filter(|name| *name != "-").map(beside);
        let (mut of_lines, mut longest) = (0, 0);
        for line in 0..description.count(EntityKind::Line) {
            let nodes = description.line_info(line)?.segments + 1;
            (of_lines, longest) = (of_lines + nodes, longest.max(nodes));
        }
        let in_water = (0..).zip(&input.bodies).map(|(body, _)| BodiesInWater::of(&simulation).part(body));
        let in_water = in_water.map(|part| Ok(part?.is_some())).collect::<Outcome<Vec<bool>>>()?;
        let mut mooring = Mooring {
            water: Arc::new(HostWater::new(of_lines, &rods, &points, &in_water)),
            motion,
            dt: input.number(&["dtm", "dt"], 0.001),
            cfl: input.number(&["cfl"], 0.5),
            scheme: String::new(),
            note: None,
            broken: Vec::new(),
            rods,
            pins,
            initial,
            points,
            coupled,
            snapshot: None,
            bytes: Vec::new(),
            nodes: vec![[0.0; 3]; longest],
            tensions: vec![0.0; longest],
            simulation,
            input,
        };
        let scheme = mooring.input.text(&["tscheme"]).unwrap_or("RK2").to_owned();
        // An unknown one is RK2, as for MoorDyn.
        if let Err(failure) = mooring.set_scheme(&scheme) {
            mooring.set_scheme("RK2")?;
            mooring.note = Some(format!("{}: RK2 is stored", failure.message));
        }
        mooring.set_max_step(max_step)?;
        Ok(mooring)
    }

    /// The number of bodies, without those of rods, which come last.
    pub fn bodies(&self) -> usize {
        self.input.bodies.len()
    }

    /// pintle's points by MoorDyn's order, without those of broken lines.
    pub fn points(&self) -> &[Id] {
        &self.points
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        count(&self.simulation, EntityKind::Line)
    }

    /// The number of degrees of freedom of x, xd and f.
    pub fn coupled_dofs(&self) -> usize {
        self.coupled.iter().map(|part| part.dofs()).sum()
    }

    /// The same number as MoorDyn counts it: with 6 for each pinned body, of which 3 are used.
    pub fn counted_dofs(&self) -> usize {
        self.coupled_dofs() + 3 * self.pins.iter().flatten().count()
    }

    /// Sets the longest inner step. Errors: not positive.
    pub fn set_max_step(&mut self, step: f64) -> Outcome<()> {
        Ok(self.simulation.settings().set_option("max_time_step", step)?)
    }

    /// Chooses a scheme by MoorDyn's name; pintle integrates by its own. Errors: an unknown name.
    pub fn set_scheme(&mut self, name: &str) -> Outcome<()> {
        let short = name.to_lowercase();
        self.scheme = match &short[..] {
            "euler" => "1st order Euler".into(),
            "leuler" => "1st order Local-Timestep Euler".into(),
            "heun" => "2nd order Heun".into(),
            "rk2" => "2nd order Runge-Kutta".into(),
            "rk4" => "4th order Runge-Kutta".into(),
            "ab2" | "ab3" | "ab4" => format!("{}th order Adam-Bashforth", &short[2..]),
            "lab2" | "lab3" | "lab4" => format!("{}th order Local-Adam-Bashforth", &short[3..]),
            _ => {
                let iterated = ["beuler", "midpoint", "aca", "wilson"];
                let rest = iterated.iter().find_map(|start| short.strip_prefix(start));
                if rest.and_then(|digits| digits.parse::<u32>().ok()).is_none() {
                    let expected = "Euler, LEuler, Heun, RK2, RK4, AB2 to AB4, LAB2 to LAB4, \
                        or BEuler, Midpoint, ACA, Wilson with a number of iterations";
                    return Err(Failure::value(format!("time scheme \"{name}\": expected {expected}")));
                }
                name.into()
            }
        };
        Ok(())
    }

    /// Errors: the start has not been made.
    pub fn require_started(&self) -> Outcome<()> {
        match self.simulation.phase() {
            Phase::Building => Err(Failure::value("the system has no start: MoorDyn_Init has not succeeded")),
            _ => Ok(()),
        }
    }

    /// Starts at time 0: with free objects where the state of MoorDyn has them that option `fileIC`
    /// names, and its lines, too, without `search`, which ends with lines at rest; else at rest.
    /// Returns a sentence if some free objects did not come to rest.
    pub fn start(&mut self, x: &[f64], xd: &[f64], search: bool) -> Outcome<Option<String>> {
        let Some(path) = self.initial.clone() else { return self.start_at_rest(x, xd, search) };
        let state = std::fs::read(&path).map_err(|error| {
            Failure::new(Status::InvalidInputFile, format!("fileIC: cannot read \"{}\": {error}", path.display()))
        })?;
        self.whole(|own| {
            own.start_at_rest(x, xd, false)?;
            own.take_state_of_moordyn(&state, !(search && own.searches()))
        })?;
        Ok(None)
    }

    /// Several changes of the simulation, or none if one of them fails.
    pub(crate) fn whole(&mut self, change: impl FnOnce(&mut Mooring) -> Outcome<()>) -> Outcome<()> {
        let _copy = room(Memory::of(&self.simulation).working(Work::Clone))?;
        let before = self.simulation.clone();
        change(self).inspect_err(|_| self.simulation = before)
    }

    /// Places coupled objects, hangs all lines, and lets light free points come to rest if
    /// `search`.
    fn start_at_rest(&mut self, x: &[f64], xd: &[f64], search: bool) -> Outcome<Option<String>> {
        if self.simulation.phase() != Phase::Building {
            return Err(Failure::value("the system has been started: it starts once"));
        }
        self.place(x, xd, 0.0)?;
        self.carry_pinned()?;
        if self.input.number(&["wavekin", "waterkin"], 0.0) == 1.0 {
            self.ask_host_for_water()?;
        }
        let _model = room(Memory::of(&self.simulation).working(Work::Model))?;
        let [light, heavy, bodies] = self.free_objects()?;
        let searches = search && self.searches();
        let has_heavy = !(heavy.is_empty() && bodies.is_empty());
        if searches && light.is_empty() && !has_heavy && self.has_only_ropes()? {
            return self.creep(x).map(|()| None);
        }
        let mut held = (searches && has_heavy && !light.is_empty()).then(|| self.simulation.clone());
        self.simulation.initialize(0.0)?;
        if !searches {
            return Ok(None);
        }
        let found = match &mut held {
            None if light.is_empty() || has_heavy => Ok(()),
            None => self.simulation.solve_equilibrium(REST.0, REST.1).map_err(Failure::from).map(drop),
            Some(held) => {
                rest_of_light(held, [&heavy, &bodies]).and_then(|()| self.whole(|own| own.take_rest(held, &light)))
            }
        };
        let note =
            found.err().map(|failure| format!("free points start where the file places them: {}", failure.message));
        let of_heavy = || "free bodies and heavy points start where the file places them".to_owned();
        Ok(note.or_else(|| has_heavy.then(of_heavy)))
    }

    /// Whether the file asks for a search for rest.
    fn searches(&self) -> bool {
        self.input.number(&["tmaxic", "ictmax"], 120.0) > 0.0
    }

    /// Puts light points, and all lines, where another run of the model has them.
    fn take_rest(&mut self, other: &Simulation, light: &[Id]) -> Outcome<()> {
        for point in light {
            let position = other.points().position(*point)?;
            self.simulation.inputs().set_point_coordinates(*point, &position, &[0.0; 3])?;
        }
        for line in 0..self.lines() {
            let nodes = &mut self.nodes[..other.description().line_info(line as Id)?.segments + 1];
            other.lines().positions(line as Id, nodes)?;
            let still = vec![[0.0; 3]; nodes.len()];
            self.simulation.inputs().set_line_coordinates(line as Id, nodes, &still)?;
        }
        Ok(())
    }

    /// Whether all lines are viscoelastic ones of one segment, which has no node of its own. Those
    /// of the Syrope model have an initial tension in place of a start in their slow springs.
    fn has_only_ropes(&self) -> Outcome<bool> {
        let description = self.simulation.description();
        let mut all = self.lines() > 0;
        for line in 0..description.count(EntityKind::Line) {
            let info = description.line_info(line)?;
            let line_type = description.line_type_info(info.line_type as Id)?;
            let is_rope = line_type.viscoelastic.is_some() && line_type.syrope.is_none();
            all &= is_rope && info.segments == 1;
        }
        Ok(all)
    }

    /// Starts where no node is free. MoorDyn's search for rest starts with all strain of
    /// viscoelastic lines in their slow springs, and ends after one interval if nothing moves: the
    /// lines creep for this time.
    fn creep(&mut self, x: &[f64]) -> Outcome<()> {
        let interval = self.input.number(&["dtic", "icdt"], 1.0);
        self.simulation.initialize(-interval)?;
        for line in 0..self.simulation.description().count(EntityKind::Line) {
            let (length, _) = self.simulation.given().line_length(line)?;
            self.simulation.lines().positions(line, &mut self.nodes[..2])?;
            let [a, b] = [self.nodes[0], self.nodes[1]];
            let chord = (0..3).map(|k| (b[k] - a[k]).powi(2)).sum::<f64>().sqrt();
            self.simulation.inputs().set_line_slow_strains(line, &[chord / length - 1.0])?;
        }
        let rest = vec![0.0; x.len()];
        self.step(x, &rest, interval)
    }

    /// Whether nothing holds a point.
    pub(crate) fn is_free(&self, point: Id) -> Outcome<bool> {
        let info = self.simulation.description().point_info(point)?;
        Ok(!info.fixed && !info.prescribed && info.body.is_none())
    }

    /// Free points so light that they must come to rest before the start, heavier ones, and free
    /// bodies.
    fn free_objects(&self) -> Outcome<[Vec<Id>; 3]> {
        let description = self.simulation.description();
        let [mut light, mut heavy, mut bodies] = [const { Vec::new() }; 3];
        for body in 0..description.count(EntityKind::Body) {
            if !description.body_prescribed(body)? {
                bodies.push(body);
            }
        }
        for point in 0..description.count(EntityKind::Point) {
            if self.is_free(point)? {
                let is_light = description.point_info(point)?.mass <= HEAVY;
                if is_light { &mut light } else { &mut heavy }.push(point);
            }
        }
        Ok([light, heavy, bodies])
    }

    /// Takes the motion of the water at nodes and points from [`HostWater`] from now on.
    pub fn ask_host_for_water(&mut self) -> Outcome<()> {
        let _model = room(Memory::of(&self.simulation).water())?;
        let water = Arc::clone(&self.water);
        let fluid: pintle::model::FluidFn = Arc::new(move |_, _, motion| {
            water.fill(motion);
            Ok(())
        });
        Ok(self.simulation.settings().set_fluid_callback(Some(fluid), false)?)
    }

    /// Sets the motions of coupled objects: x + xd `after`, xd. Their accelerations are zero, as in
    /// MoorDyn, which moves them at constant velocity in a step.
    fn place(&mut self, x: &[f64], xd: &[f64], after: f64) -> Outcome<()> {
        for (name, values) in [("x", x), ("xd", xd)] {
            if let Some(k) = values.iter().position(|value| !value.is_finite()) {
                return Err(Failure::new(Status::NanError, format!("{name}[{k}] = {} is not finite", values[k])));
            }
        }
        let mut inputs = self.simulation.inputs();
        let mut first = 0;
        for part in &self.coupled {
            let at = |k: usize| x[first + k] + xd[first + k] * after;
            let rate = |k: usize| xd[first + k];
            match *part {
                Coupled::Body(body) | Coupled::Rod(body, _) => {
                    let mut pose = angles::pose(std::array::from_fn(at));
                    if let Coupled::Rod(_, of_file) = *part {
                        let [.., w, x, y, z] = pose;
                        pose[3..].copy_from_slice(&angles::product([w, x, y, z], of_file));
                    }
                    inputs.set_body_motion(body, &pose, &std::array::from_fn(rate), &[0.0; 6])?;
                }
                Coupled::Pin(body) => {
                    let pose = [at(0), at(1), at(2), 1.0, 0.0, 0.0, 0.0];
                    inputs.set_body_motion(body, &pose, &[rate(0), rate(1), rate(2), 0.0, 0.0, 0.0], &[0.0; 6])?;
                }
                Coupled::Point(point) => {
                    let [position, velocity] = [std::array::from_fn(at), std::array::from_fn(rate)];
                    inputs.set_point_motion(point, &position, &velocity, &[0.0; 3])?;
                }
            }
            first += part.dofs();
        }
        Ok(())
    }

    /// Pays out or hauls in all lines for a time, which is negative to undo it.
    fn wind(&mut self, dt: f64) -> Outcome<()> {
        for line in 0..self.simulation.description().count(EntityKind::Line) {
            let (length, rate) = self.simulation.given().line_length(line)?;
            if rate != 0.0 {
                self.simulation.inputs().set_line_length(line, length + rate * dt, rate)?;
            }
        }
        Ok(())
    }

    /// Advances by `dt`; does nothing if it is not positive. A step that fails leaves the system at
    /// its start. Errors: no start; numbers that are not finite; no convergence.
    pub fn step(&mut self, x: &[f64], xd: &[f64], dt: f64) -> Outcome<()> {
        self.require_started()?;
        if !dt.is_finite() {
            return Err(Failure::new(Status::NanError, format!("dt = {dt} is not finite")));
        }
        if dt <= 0.0 {
            return Ok(());
        }
        self.place(x, xd, if self.motion == Motion::Start { dt } else { 0.0 })?;
        self.wind(dt)?;
        let _step = room(Memory::of(&self.simulation).working(Work::Step))?;
        if let Err(error) = self.simulation.step(dt) {
            self.wind(-dt)?;
            return Err(error.into());
        }
        Ok(())
    }

    /// The forces of the system on coupled objects at the present time.
    pub fn forces(&self, f: &mut [f64]) -> Outcome<()> {
        let mut first = 0;
        for part in &self.coupled {
            let f = &mut f[first..first + part.dofs()];
            let write = |f: &mut [f64], reaction: &[f64]| f.iter_mut().zip(reaction).for_each(|(f, r)| *f = -r);
            match *part {
                Coupled::Body(body) | Coupled::Rod(body, _) | Coupled::Pin(body) => {
                    write(f, &self.simulation.outputs().body_reaction(body, Frame::Inertial)?);
                }
                Coupled::Point(point) => write(f, &self.simulation.points().reaction(point)?),
            }
            first += part.dofs();
        }
        Ok(())
    }

    /// Releases the end of a line at a point. Errors: no start; the line does not end there.
    pub fn break_line(&mut self, point: usize, line: usize) -> Outcome<()> {
        self.require_started()?;
        let released = self.simulation.lines().released(line as Id)?;
        let points = self.simulation.description().line_info(line as Id)?.points;
        let id = self.points.get(point).map(|id| *id as usize);
        let end = (0..2)
            .find(|end| Some(points[*end]) == id && !released[*end])
            .ok_or_else(|| Failure::value(format!("line {} is not attached to point {}", line + 1, point + 1)))?;
        self.simulation.inputs().release_line(line as Id, end as i32)?;
        self.broken.push((line, end));
        Ok(())
    }

    /// The state as words: those of pintle's own bytes, the broken ends, the motion of the water.
    /// Returns their number; writes them if there is room for them.
    pub fn serialize(&mut self, words: Option<&mut Vec<u64>>) -> Outcome<usize> {
        self.require_started()?;
        let _copy = room(Memory::of(&self.simulation).working(Work::Copy))?;
        match &mut self.snapshot {
            Some(snapshot) => self.simulation.save_into(snapshot)?,
            None => self.snapshot = Some(self.simulation.save()?),
        }
        let Some(snapshot) = &self.snapshot else { return Err(Failure::value("no state was saved")) };
        let (bytes, broken) = (snapshot.serialized_len(), 2 * self.broken.len());
        let length = HEAD + bytes.div_ceil(8) + broken + self.water.words();
        let Some(words) = words else { return Ok(length) };
        self.bytes.clear();
        self.bytes.resize(bytes.next_multiple_of(8), 0);
        snapshot.serialize_into(&mut self.bytes[..bytes])?;
        words.clear();
        words.extend([TAG, length as u64, bytes as u64, broken as u64]);
        words.extend(self.bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)));
        words.extend(self.broken.iter().flat_map(|(line, end)| [*line as u64, *end as u64]));
        self.water.write(words);
        Ok(length)
    }

    /// The number of words of a state that starts with these two. Errors: it is none of this
    /// library, or too long to be one of this system.
    pub fn serialized_length(&mut self, start: [u64; 2]) -> Outcome<usize> {
        if start[0] != TAG {
            return Err(Failure::value("data is not a state that this library wrote (MoorDyn's own are not read)"));
        }
        // A state of the same model differs by what a pending history holds.
        let most = 4 * self.serialize(None)? as u64;
        match start[1] {
            length if length >= HEAD as u64 && length <= most => Ok(length as usize),
            length => Err(Failure::value(format!("data: {length} words are not a state of this system"))),
        }
    }

    /// Restores a state. Errors: no start; it belongs to another model; it is damaged.
    pub fn deserialize(&mut self, words: &[u64]) -> Outcome<()> {
        self.require_started()?;
        let damaged = || Failure::value("data: the state is damaged or belongs to another system");
        let [TAG, length, bytes, broken, rest @ ..] = words else { return Err(damaged()) };
        let bytes = usize::try_from(*bytes).ok().filter(|bytes| bytes.div_ceil(8) <= rest.len()).ok_or_else(damaged)?;
        let (own, rest) = rest.split_at(bytes.div_ceil(8));
        let broken = usize::try_from(*broken).ok().filter(|count| *count <= rest.len()).ok_or_else(damaged)?;
        let (broken, water) = rest.split_at(broken);
        if *length != words.len() as u64 || water.len() != self.water.words() {
            return Err(damaged());
        }
        let ends = |pair: &[u64; 2]| (pair[0] as usize, pair[1] as usize);
        let broken: Vec<(usize, usize)> = broken.as_chunks::<2>().0.iter().map(ends).collect();
        if broken.len() > 2 * self.lines() || broken.iter().any(|(line, end)| *line >= self.lines() || *end > 1) {
            return Err(damaged());
        }
        let _model = room(Memory::of(&self.simulation).working(Work::Model))?;
        let own: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
        let snapshot = self.simulation.deserialize(&own[..bytes])?;
        self.simulation.restore(&snapshot)?;
        self.broken = broken;
        self.water.read(water);
        Ok(())
    }
}
