//! Load callbacks: called at the trial motion; their results enter residual and matrix.
//!
//! Each has a slot in the workspace: a callback of one body, or of a set with cross terms. Before
//! the next assembly an iteration can call them at its motion, and compare the wrenches with those
//! that the last evaluation predicts, for the test of convergence (`scheme/stop.rs`).

mod probe;
use super::asking::Asking;
use super::secant::{self, Secant};
use crate::elements::{Tie, columns, rows};
use crate::linear::Assemble;
use crate::model::{BodyLoad, BodyMotion, Callbacks, CoupledLoad, CoupledMotion, Id};
use crate::spatial::{
    Mat6, RigidInertia, Vec3, Vec6, add_block, join, lower, skew_skew, times_tangent, upper, wrench_at_reference,
};
use crate::system::assembly::Assembly;
use crate::system::coefficients::Coefficients;
use crate::system::motion::site;
use crate::system::{Failure, Layout, Motion};

/// Change of a wrench that the factorised matrix does not predict, as part of the change of the
/// inertia forces, above which a new matrix pays: with the old one the increments of an iteration
/// shrink by about this factor.
const BEARABLE: f64 = 0.1;

/// Part of the wrenches of a set against which one that vanishes is measured.
const SMALL: f64 = 0.01;

/// Reference points of bodies (body axes, from the integrated points), and the origin of positions
/// in the host's coordinates: callbacks receive and return quantities at reference points.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// One per body.
    pub references: &'a [Vec3],
    /// The origin.
    pub origin: &'a Vec3,
}

/// Slots of all callbacks, in the workspace.
#[derive(Clone, Default)]
pub struct Slots {
    slots: Vec<Slot>,
}

/// A callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The one of this body.
    Body(usize),
    /// This one of `Callbacks::coupled`.
    Coupled(usize),
}

/// Arguments and last results of one callback.
#[derive(Clone)]
struct Slot {
    source: Source,
    bodies: Vec<usize>,
    ids: Vec<Id>,
    poses: Vec<[f64; 7]>,
    velocities: Vec<[f64; 6]>,
    accelerations: Vec<[f64; 6]>,
    wrenches: Vec<[f64; 6]>,
    /// 6n x 6n, column-major.
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    mass: Vec<f64>,
    /// Whether they are not all zero.
    has_stiffness: bool,
    has_damping: bool,
    has_mass: bool,
    /// Whether the wrenches are numbers of single precision.
    is_single: bool,
    /// Results are those at the motion of the next assembly.
    is_fresh: bool,
    secant: Secant,
    /// A of the matrix that was factorised last, one block per pair of bodies, by columns: it
    /// predicts a change of the wrenches of -A times the change of the accelerations.
    factorised: Vec<Mat6>,
    /// Part of the last change of the wrenches that the factorised matrix did not predict, relative
    /// to the inertia forces of the bodies and to the wrenches.
    unknown: [f64; 2],
    /// Change of the accelerations, mismatch of the wrenches, wrenches and accelerations now.
    step: Vec<Vec6>,
    mismatch: Vec<Vec6>,
    now: Vec<Vec6>,
    vdot: Vec<Vec6>,
}

/// Result of evaluating ahead.
#[derive(Debug, Clone, Copy)]
pub struct Ahead {
    /// The largest mismatch relative to its tolerance: 1 at the limit.
    pub error: f64,
    /// The largest mismatch of a callback relative to all its wrenches.
    pub relative: f64,
    /// The body with the largest mismatch.
    pub body: usize,
}

impl Slots {
    /// Adapts the slots to the callbacks in use. True if couplings in the matrix change.
    #[inline(always)]
    pub fn follow(&mut self, callbacks: &Callbacks, ids: &[Id]) -> bool {
        let there_are_none = self.slots.is_empty() && !callbacks.any();
        !there_are_none && !callbacks.are_nobody() && self.follow_anew(callbacks, ids)
    }

    /// The same, where there are or were callbacks.
    #[inline(never)]
    fn follow_anew(&mut self, callbacks: &Callbacks, ids: &[Id]) -> bool {
        let wanted = || {
            let single = callbacks.bodies.iter().enumerate().filter(|(_, callback)| callback.is_some());
            let single = single.map(|(body, _)| (Source::Body(body), None));
            let coupled = callbacks.coupled.iter().enumerate().filter(|(_, callback)| callback.function.is_some());
            single.chain(coupled.map(|(k, callback)| (Source::Coupled(k), Some(&callback.bodies[..]))))
        };
        let own = |slot: &Slot, source: Source, bodies: Option<&[usize]>| {
            slot.source == source && bodies.is_none_or(|bodies| slot.bodies == bodies)
        };
        let mut present = self.slots.iter();
        let same = wanted().all(|(source, bodies)| present.next().is_some_and(|slot| own(slot, source, bodies)));
        if same && present.next().is_none() {
            return false;
        }
        let is_coupled = |slot: &&Slot| matches!(slot.source, Source::Coupled(_));
        let before: Vec<Vec<usize>> = self.slots.iter().filter(is_coupled).map(|slot| slot.bodies.clone()).collect();
        self.slots = wanted()
            .map(|(source, bodies)| match (source, bodies) {
                (Source::Body(body), _) => Slot::new(source, &[body], ids),
                (_, bodies) => Slot::new(source, bodies.unwrap_or_default(), ids),
            })
            .collect();
        !self.slots.iter().filter(is_coupled).map(|slot| &slot.bodies).eq(&before)
    }

    /// Adds the results of the callbacks at an assembly, or reserves their entries.
    pub fn assemble<A: Assemble>(
        &mut self,
        assembly: &mut Assembly<A>,
        callbacks: &Callbacks,
        places: &Places,
        time: f64,
        (length, inertias): (f64, &[RigidInertia]),
        asking: Asking,
    ) -> Result<(), Failure> {
        for slot in &mut self.slots {
            if callbacks.are_nobody() {
                slot.reserve(assembly);
                continue;
            }
            if asking == Asking::Recalling {
                slot.recall(assembly);
                continue;
            }
            let learns = asking != Asking::Anew;
            if asking != (Asking::Iterating { first: false }) {
                slot.is_fresh = false;
                slot.secant.forget();
            }
            slot.unknown = [0.0; 2];
            if !std::mem::take(&mut slot.is_fresh) {
                slot.ask(callbacks, assembly.motions, places, time)?;
                if learns {
                    slot.compare(assembly.motions, length, inertias);
                    slot.learn(assembly.motions, assembly.coefficients, length);
                }
            }
            if A::TAKES && learns {
                slot.note_matrix(assembly.motions, assembly.coefficients);
            }
            slot.add(assembly);
        }
        Ok(())
    }

    /// Whether an iteration with the last factorised matrix would converge slowly; differences of
    /// the wrenches below `tolerance`, relative to them, do not count.
    #[inline(always)]
    pub fn need_matrix(&self, tolerance: f64) -> bool {
        self.slots.iter().any(|slot| slot.unknown[0] > BEARABLE && slot.unknown[1] > tolerance)
    }

    /// The next assembly is at the motions of the last one and uses its results.
    #[inline(always)]
    pub fn stay(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.is_fresh = true);
    }

    /// The largest of the last wrenches, moments over `length`.
    pub fn largest(&self, length: f64) -> f64 {
        self.slots.iter().map(|slot| slot.size(length)).fold(0.0, f64::max)
    }

    /// Number of evaluations of the iteration that updated A, for the callback with most: at most
    /// two per direction of its motion, the number that Broyden's method needs on a linear load
    /// (Gay 1979, SIAM J. Numer. Anal. 16).
    pub fn lessons(&self) -> u32 {
        self.slots.iter().map(|slot| slot.secant.lessons.min(12 * slot.bodies.len() as u32)).max().unwrap_or(0)
    }

    /// Calls all callbacks at the motions of the next assembly of the iteration. Writes `-scale`
    /// times the residual from their mismatch to the rows of free bodies of `right`.
    #[allow(clippy::too_many_arguments)]
    pub fn ask_ahead(
        &mut self,
        callbacks: &Callbacks,
        (layout, motions, free, places): (Layout, &[Motion], &[bool], &Places),
        time: f64,
        length: f64,
        coefficients: Coefficients,
        tolerance: f64,
        scale: f64,
        right: &mut [f64],
    ) -> Result<Ahead, Failure> {
        let mut found = Ahead { error: 0.0, relative: 0.0, body: 0 };
        for slot in &mut self.slots {
            // w0 - A s, with the A of the matrix that the last increments were found with.
            slot.take_step(motions);
            slot.expect_factorised();
            for (w, wrench) in slot.mismatch.iter_mut().zip(&slot.secant.wrenches) {
                *w += wrench;
            }
            slot.ask(callbacks, motions, places, time)?;
            for (mismatch, wrench) in slot.mismatch.iter_mut().zip(&slot.wrenches) {
                *mismatch = Vec6::from(*wrench) - *mismatch;
            }
            let set = slot.size(length);
            let relative = secant::size(&slot.mismatch, 1.0 / length) / (set + f64::MIN_POSITIVE);
            found.relative = found.relative.max(relative);
            let rows = slot.bodies.iter().zip(slot.mismatch.iter().zip(&slot.wrenches));
            for (body, (mismatch, wrench)) in rows.filter(|(body, _)| free[**body]) {
                let wrench = Vec6::from(*wrench);
                let force = upper(mismatch).norm() / (upper(&wrench).norm() + SMALL * set + f64::MIN_POSITIVE);
                let moment =
                    lower(mismatch).norm() / (lower(&wrench).norm() + SMALL * set * length + f64::MIN_POSITIVE);
                let error = force.max(moment) / tolerance;
                if error > found.error {
                    (found.error, found.body) = (error, *body);
                }
                for (right, mismatch) in right[layout.velocities(*body)].iter_mut().zip(mismatch) {
                    *right += scale * mismatch;
                }
            }
            slot.learn(motions, coefficients, length);
            slot.is_fresh = true;
        }
        Ok(found)
    }
}

impl Slot {
    fn new(source: Source, bodies: &[usize], ids: &[Id]) -> Slot {
        let n = bodies.len();
        let (zeros, matrix) = (vec![Vec6::zeros(); n], vec![0.0; 36 * n * n]);
        Slot {
            source,
            bodies: bodies.to_vec(),
            ids: bodies.iter().map(|body| ids[*body]).collect(),
            poses: vec![[0.0; 7]; n],
            velocities: vec![[0.0; 6]; n],
            accelerations: vec![[0.0; 6]; n],
            wrenches: vec![[0.0; 6]; n],
            stiffness: matrix.clone(),
            damping: matrix.clone(),
            mass: matrix,
            has_stiffness: false,
            has_damping: false,
            has_mass: false,
            is_single: false,
            is_fresh: false,
            secant: Secant::new(n),
            factorised: vec![Mat6::zeros(); n * n],
            unknown: [0.0; 2],
            step: zeros.clone(),
            mismatch: zeros.clone(),
            now: zeros.clone(),
            vdot: zeros,
        }
    }

    /// Calls the host at motions: the only place that converts motions to the host's numbers, and
    /// its wrenches (about reference points, in I) and matrices to ours. Errors: a nonzero return;
    /// numbers that are not finite.
    fn ask(&mut self, callbacks: &Callbacks, motions: &[Motion], places: &Places, time: f64) -> Result<(), Failure> {
        for (k, body) in self.bodies.iter().enumerate() {
            let m = motions[*body].at(&motions[*body].arm(&places.references[*body]));
            let x = m.x + places.origin;
            self.poses[k] = [x.x, x.y, x.z, m.q.w, m.q.i, m.q.j, m.q.k];
            self.velocities[k] = join(&m.v, &m.omega).into();
            self.accelerations[k] = join(&m.vdot, &m.omegadot).into();
        }
        // All blocks: the transfer of a NaN motion makes NaN of zeros, which would stay.
        self.wrenches.fill([0.0; 6]);
        for matrix in [&mut self.stiffness, &mut self.damping, &mut self.mass] {
            matrix.fill(0.0);
        }
        let answer = match self.source {
            Source::Body(body) => {
                let (pose, velocity, acceleration) = (self.poses[0], self.velocities[0], self.accelerations[0]);
                let motion = BodyMotion { time, body: self.ids[0], pose, velocity, acceleration };
                let mut load = BodyLoad { wrench: [0.0; 6], stiffness: [0.0; 36], damping: [0.0; 36] };
                let answer = callbacks.bodies[body].as_ref().map_or(Ok(()), |callback| callback(&motion, &mut load));
                self.wrenches[0] = load.wrench;
                self.stiffness.copy_from_slice(&load.stiffness);
                self.damping.copy_from_slice(&load.damping);
                answer
            }
            Source::Coupled(k) => {
                let Slot { ids, poses, velocities, accelerations, wrenches, stiffness, damping, mass, .. } = &mut *self;
                let motion = CoupledMotion { time, bodies: ids, poses, velocities, accelerations };
                let mut load = CoupledLoad { wrenches, stiffness, damping, mass };
                callbacks.coupled[k].function.as_ref().map_or(Ok(()), |callback| callback(&motion, &mut load))
            }
        };
        let failed = |code| match self.source {
            Source::Body(body) => Failure::Callback { body, code },
            Source::Coupled(k) => Failure::CoupledCallback { callback: callbacks.coupled[k].id, code },
        };
        answer.map_err(|code| failed(Some(code)))?;
        let finite = |a: &[f64]| a.iter().all(|x| x.is_finite());
        let matrices = [&self.stiffness, &self.damping, &self.mass];
        if !(finite(self.wrenches.as_flattened()) && matrices.iter().all(|matrix| finite(matrix))) {
            return Err(failed(None));
        }
        self.is_single = self.wrenches.as_flattened().iter().all(|w| f64::from(*w as f32) == *w);
        if self.bodies.iter().any(|body| places.references[*body] != Vec3::zeros()) {
            self.transfer(motions, places);
        }
        let matrices = [&self.stiffness, &self.damping, &self.mass];
        [self.has_stiffness, self.has_damping, self.has_mass] = matrices.map(|m| m.iter().any(|x| *x != 0.0));
        Ok(())
    }

    /// Moves wrenches and matrices from the reference points to the points that are integrated.
    fn transfer(&mut self, motions: &[Motion], places: &Places) {
        let n = self.bodies.len();
        let arm = |body: usize| motions[body].arm(&places.references[body]);
        for (j, column) in self.bodies.iter().enumerate() {
            let of_column = site(&motions[*column], &Tie { node: *column, at: places.references[*column] });
            for (i, row) in self.bodies.iter().enumerate() {
                let of_row = arm(*row);
                let given = [&self.mass, &self.damping, &self.stiffness].map(|matrix| block(matrix, n, i, j));
                let mut moved = columns(&of_column, &given).map(|tangent| rows(&of_row, &tangent));
                if i == j {
                    // The lever arm turns: d(s x -f) = -~f ~s theta.
                    let force = Vec3::from_column_slice(&self.wrenches[i][..3]);
                    add_block(&mut moved[2], 1, 1, &-skew_skew(&force, &of_row));
                }
                for (matrix, moved) in [&mut self.mass, &mut self.damping, &mut self.stiffness].into_iter().zip(&moved)
                {
                    set_block(matrix, n, i, j, moved);
                }
            }
        }
        for (wrench, body) in self.wrenches.iter_mut().zip(&self.bodies) {
            *wrench = wrench_at_reference(&Vec6::from(*wrench), &arm(*body)).into();
        }
    }

    /// Euclidean norm of the wrenches, moments over the model's length.
    fn size(&self, length: f64) -> f64 {
        self.wrenches.iter().map(|w| secant::size(&[Vec6::from(*w)], 1.0 / length).powi(2)).sum::<f64>().sqrt()
    }

    /// Accelerations into `vdot`, their change s since the last evaluation into `step`.
    fn take_step(&mut self, motions: &[Motion]) {
        for (k, body) in self.bodies.iter().enumerate() {
            self.vdot[k] = join(&motions[*body].vdot, &motions[*body].omegadot);
            self.step[k] = self.vdot[k] - self.secant.vdot[k];
        }
    }

    /// Adds wrenches w0 - A s at other accelerations than in the last evaluation, and matrices.
    fn recall<A: Assemble>(&mut self, assembly: &mut Assembly<A>) {
        self.take_step(assembly.motions);
        self.expect(assembly.motions, Coefficients { mass: 1.0, damping: 0.0, stiffness: 0.0 });
        (0..self.bodies.len()).for_each(|k| self.wrenches[k] = (self.secant.wrenches[k] + self.now[k]).into());
        self.add(assembly);
    }

    /// `-A s` into `now`: the change of the wrenches predicted by matrices and updates.
    fn expect(&mut self, motions: &[Motion], c: Coefficients) {
        let n = self.bodies.len();
        for i in 0..n {
            let change = |j: usize| self.effective_mass([i, j], motions, c) * self.step[j];
            self.now[i] = -(0..n).map(change).sum::<Vec6>();
        }
    }

    /// `-A s` into `mismatch`: the change of the wrenches predicted by the factorised matrix.
    fn expect_factorised(&mut self) {
        let n = self.bodies.len();
        for i in 0..n {
            self.mismatch[i] = -self.step.iter().enumerate().map(|(j, s)| self.factorised[i + n * j] * s).sum::<Vec6>();
        }
    }

    /// Stores the A of the matrix that is assembled.
    fn note_matrix(&mut self, motions: &[Motion], c: Coefficients) {
        let n = self.bodies.len();
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            self.factorised[i + n * j] = self.effective_mass([i, j], motions, c);
        }
    }

    /// Block (i, j) of `A = M + c_g/c_m G + c_k/c_m K diag(I, T^T)`, with the updates.
    fn effective_mass(&self, [i, j]: [usize; 2], motions: &[Motion], c: Coefficients) -> Mat6 {
        let (n, tangent) = (self.bodies.len(), &motions[self.bodies[j]].tangent);
        let mut a = self.block_of_mass(i, j).unwrap_or_default();
        if self.has_damping && c.damping != 0.0 {
            a += block(&self.damping, n, i, j) * (c.damping / c.mass);
        }
        if self.has_stiffness && c.stiffness != 0.0 {
            a += times_tangent(&block(&self.stiffness, n, i, j), tangent) * (c.stiffness / c.mass);
        }
        a
    }

    /// Compares the last change of the wrenches with the prediction by the factorised matrix.
    fn compare(&mut self, motions: &[Motion], length: f64, inertias: &[RigidInertia]) {
        if !self.secant.known {
            return;
        }
        self.take_step(motions);
        self.expect_factorised();
        let (mut off, mut of_inertia) = (0.0, 0.0);
        for (k, body) in self.bodies.iter().enumerate() {
            let change = Vec6::from(self.wrenches[k]) - self.secant.wrenches[k];
            off += secant::size(&[change - self.mismatch[k]], 1.0 / length).powi(2);
            let RigidInertia { mass, inertia, .. } = &inertias[*body];
            let s = &self.step[k];
            // The least moment of inertia, because a change may be about its axis.
            let least = inertia.diagonal().min();
            of_inertia += (mass * upper(s).norm()).powi(2) + (least * lower(s).norm() / length).powi(2);
        }
        let part_of = |size: f64| off.sqrt() / (size + f64::MIN_POSITIVE);
        self.unknown = [part_of(of_inertia.sqrt()), part_of(self.size(length))];
    }

    /// Updates A from this evaluation and the last one, and stores this one.
    fn learn(&mut self, motions: &[Motion], coefficients: Coefficients, length: f64) {
        self.take_step(motions);
        if self.secant.known {
            self.expect(motions, coefficients);
            let mut change = 0.0;
            for (k, wrench) in self.wrenches.iter().enumerate() {
                let changed = Vec6::from(*wrench) - self.secant.wrenches[k];
                self.mismatch[k] = self.now[k] - changed;
                change += secant::size(&[changed], 1.0 / length).powi(2);
                self.now[k] = Vec6::from(*wrench);
            }
            let from_small = !self.is_single;
            self.secant.learn(from_small, &self.step, &self.vdot, &self.mismatch, change.sqrt(), &self.now, length);
        }
        self.secant.vdot.copy_from_slice(&self.vdot);
        for (kept, wrench) in self.secant.wrenches.iter_mut().zip(&self.wrenches) {
            *kept = Vec6::from(*wrench);
        }
        self.secant.known = true;
    }

    /// Adds wrenches and matrices.
    fn add<A: Assemble>(&self, assembly: &mut Assembly<A>) {
        let n = self.bodies.len();
        for (wrench, body) in self.wrenches.iter().zip(&self.bodies) {
            assembly.add_residual(*body, &-Vec6::from(*wrench));
        }
        for i in 0..n {
            let body = self.bodies[i];
            if self.has_damping {
                assembly.add_damping(body, &block(&self.damping, n, i, i));
            }
            if self.has_stiffness {
                assembly.add_stiffness(body, &block(&self.stiffness, n, i, i));
            }
            let mass = self.block_of_mass(i, i);
            if let Some(mass) = mass {
                assembly.add_mass(body, &mass);
            }
            for j in (0..n).filter(|j| *j != i) {
                let part = |has: bool, matrix: &[f64]| has.then(|| block(matrix, n, i, j));
                let stiffness = part(self.has_stiffness, &self.stiffness);
                let damping = part(self.has_damping, &self.damping);
                let mass = self.block_of_mass(i, j);
                assembly.add_cross([body, self.bodies[j]], stiffness.as_ref(), damping.as_ref(), mass.as_ref());
            }
        }
    }

    /// Block (i, j) of the mass matrix with the updates.
    fn block_of_mass(&self, i: usize, j: usize) -> Option<Mat6> {
        let n = self.bodies.len();
        let learnt = || self.secant.learnt[i + n * j];
        match (self.has_mass, self.secant.has_learnt) {
            (true, true) => Some(block(&self.mass, n, i, j) + learnt()),
            (true, false) => Some(block(&self.mass, n, i, j)),
            (false, true) => Some(learnt()),
            (false, false) => None,
        }
    }

    /// Reserves entries of the matrix: the same blocks in the same order as `add`.
    fn reserve<A: Assemble>(&self, assembly: &mut Assembly<A>) {
        for (i, row) in self.bodies.iter().enumerate() {
            for (_, column) in self.bodies.iter().enumerate().filter(|(j, _)| *j != i) {
                assembly.add_cross([*row, *column], None, None, None);
            }
        }
    }
}

/// Replaces block (i, j) of a 6n x 6n matrix.
fn set_block(matrix: &mut [f64], n: usize, i: usize, j: usize, block: &Mat6) {
    for (column, entries) in block.column_iter().enumerate() {
        let first = 6 * i + 6 * n * (6 * j + column);
        matrix[first..first + 6].copy_from_slice(entries.as_slice());
    }
}

/// Block (i, j) of a 6n x 6n matrix.
#[inline(always)]
fn block(matrix: &[f64], n: usize, i: usize, j: usize) -> Mat6 {
    Mat6::from_fn(|row, column| matrix[6 * i + row + 6 * n * (6 * j + column)])
}
