//! Linear waves: components, irregular seas, records; and the motion of the water at given places.

use super::boundary::{array_output, inputs, length, pintle_system, room, scalar_output, with_system, with_system_mut};
use crate::model::{Sea, Spectrum, Wave};
use crate::{Error, Memory};

/// Sets linear waves (Airy) as a sum of long-crested components, in place of the waves before.
/// Lines, points, cylinders and bodies in water feel their velocity, acceleration and elevation, in
/// addition to currents and the fluid callback. Component i has the elevation
///
/// a cos(k (x cos b + y sin b) - w t + p), with w^2 = g k tanh(k h),
///
/// a, w, b, p the i-th amplitude, frequency, heading and phase, h the depth of
/// pintle_set_environment (0: deep water), t the time of the system. Depths are stretched linearly
/// from the elevated surface to the mean water level (Wheeler 1970); docs/water.md has the
/// formulas. Implicit schemes find the motion of the water once per step, at the predicted places
/// of its end, explicit ones at each stage; with leuler and lab2 to lab5 all entities take the step
/// of the fastest. Equilibria are those of still water. Waves are part of states, checkpoints and
/// model files.
///
/// Set in READY, they act from the accepted time on, and the scheme starts anew, as after
/// pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `n`: number of components, at most 10000; 0: no waves.
/// - `amplitudes`: `[n]`, >= 0.
/// - `frequencies`: `[n]`, angular (rad per time), > 0.
/// - `headings`: `[n]`, angles from the x axis of I to the direction of travel, about z, in rad.
/// - `phases`: `[n]`, in rad.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 0 or above 10000), NOT_FINITE,
/// BAD_VALUE (an amplitude below 0, a frequency not above 0; in READY without "water_density", or
/// with a gravity that is not along -z, which pintle_initialize refuses, too), OUT_OF_MEMORY;
/// before the first step those of pintle_set_environment there: NO_CONVERGENCE, SINGULAR, CALLBACK,
/// UNSTABLE; then nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_waves(
    sys: *mut pintle_system,
    n: i32,
    amplitudes: *const f64,
    frequencies: *const f64,
    headings: *const f64,
    phases: *const f64,
) -> i32 {
    with_system_mut("pintle_set_waves", sys, |system| {
        let count = length("n", (n, n, "amplitudes"))?;
        let _room = room(Memory::of(system).waves(count))?;
        let list = |name, list| Ok::<_, Error>(inputs::<1>(name, (n, n, "amplitudes"), list)?.as_flattened());
        let (amplitudes, frequencies) = (list("amplitudes", amplitudes)?, list("frequencies", frequencies)?);
        let (headings, phases) = (list("headings", headings)?, list("phases", phases)?);
        let wave = |k: usize| Wave {
            amplitude: amplitudes[k],
            frequency: frequencies[k],
            heading: headings[k],
            phase: phases[k],
        };
        system.settings().set_waves((0..count).map(wave).collect())
    })
}

/// Sets the waves of an irregular sea with a JONSWAP spectrum (Hasselmann et al. 1973), scaled to
/// its height; components as pintle_set_waves describes them. All have the same energy, and
/// frequencies that halve the energy of their bands between 0.4 and 10 peak frequencies, so that
/// the sea does not repeat itself. Equal arguments give equal waves on all machines.
///
/// - `sys`: the system.
/// - `height`: significant wave height, four times the standard deviation of the elevation, > 0.
/// - `period`: peak period, > 0.
/// - `peak_factor`: peak enhancement factor, >= 1; 1: Pierson-Moskowitz; 3.3: the mean of JONSWAP.
/// - `heading`: mean direction of travel, in rad from the x axis of I.
/// - `spreading`: exponent s >= 0 of the distribution cos^2s((b - heading)/2) of directions b, one
///   of which each component draws; 0: all travel along `heading`.
/// - `seed`: of phases and directions.
/// - `components`: their number, 1 to 10000; 200 are usual.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (outside the ranges above),
/// BAD_SIZE (too many components); those of pintle_set_waves: NO_CONVERGENCE, SINGULAR, CALLBACK,
/// UNSTABLE, OUT_OF_MEMORY; then nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_irregular_waves(
    sys: *mut pintle_system,
    height: f64,
    period: f64,
    peak_factor: f64,
    heading: f64,
    spreading: f64,
    seed: i32,
    components: i32,
) -> i32 {
    with_system_mut("pintle_set_irregular_waves", sys, |system| {
        let spectrum = Spectrum::Jonswap { height, period, peak_factor };
        let components = number_of(components)?;
        let _room = room(Memory::of(system).waves(components))?;
        let sea = Sea { heading, spreading, seed, components };
        system.settings().set_irregular_waves(spectrum, &sea)
    })
}

/// The number of components of a sea.
fn number_of(components: i32) -> Result<usize, Error> {
    let none = |_| Error::bad_value("components", format!("{components}: a sea has at least one component"));
    usize::try_from(components).map_err(none)
}

/// The same as pintle_set_irregular_waves with a spectrum of the host.
///
/// - `sys`: the system.
/// - `n`: number of rows of the spectrum, >= 2.
/// - `frequencies`: `[n]`, angular (rad per time), rising from above 0.
/// - `densities`: `[n]`, spectral density of the elevation over angular frequency (length^2 time
///   per rad) there, >= 0; linear in between, zero outside. Their integral is the variance of the
///   elevation.
/// - `heading`, `spreading`, `seed`, `components`: as for pintle_set_irregular_waves.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 2, too many components), NOT_FINITE,
/// BAD_VALUE (frequencies that do not rise, a negative density, no energy); those of
/// pintle_set_waves: NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE, OUT_OF_MEMORY; then nothing is
/// changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_wave_spectrum(
    sys: *mut pintle_system,
    n: i32,
    frequencies: *const f64,
    densities: *const f64,
    heading: f64,
    spreading: f64,
    seed: i32,
    components: i32,
) -> i32 {
    with_system_mut("pintle_set_wave_spectrum", sys, |system| {
        let rows = length("n", (n, n, "frequencies"))?;
        let components = number_of(components)?;
        let _room = room(Memory::of(system).waves(rows.saturating_add(components)))?;
        let frequencies = inputs::<1>("frequencies", (n, n, "frequencies"), frequencies)?.as_flattened();
        let densities = inputs::<1>("densities", (n, n, "frequencies"), densities)?.as_flattened();
        let sea = Sea { heading, spreading, seed, components };
        system.settings().set_irregular_waves(Spectrum::Table { frequencies, densities }, &sea)
    })
}

/// Sets waves whose elevation at x = y = 0 is that of a record: its Fourier series, which passes
/// through the samples, repeats itself after `n` steps, and lacks the record's mean and its
/// frequencies above `max_frequency`. Each frequency is a component (pintle_set_waves), and the
/// cost of a step grows with their number.
///
/// - `sys`: the system.
/// - `n`: number of samples, 2 to 200000.
/// - `start`: time of the first sample.
/// - `step`: time between samples, > 0.
/// - `elevations`: `[n]`.
/// - `heading`: direction of travel, in rad from the x axis of I.
/// - `max_frequency`: highest angular frequency, > 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n outside its range), NOT_FINITE,
/// BAD_VALUE (a step or frequency not above 0; no component, or more than 10000, up to
/// `max_frequency`); those of pintle_set_waves: NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE,
/// OUT_OF_MEMORY; then nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_wave_record(
    sys: *mut pintle_system,
    n: i32,
    start: f64,
    step: f64,
    elevations: *const f64,
    heading: f64,
    max_frequency: f64,
) -> i32 {
    with_system_mut("pintle_set_wave_record", sys, |system| {
        let samples = length("n", (n, n, "elevations"))?;
        let _room = room(Memory::of(system).waves(samples))?;
        let elevations = inputs::<1>("elevations", (n, n, "elevations"), elevations)?.as_flattened();
        system.settings().set_wave_record([start, step], elevations, heading, max_frequency)
    })
}

/// The components of the waves, by whichever function they were set. Call it with `cap` = 0 to
/// learn `n`, then with arrays of that size.
///
/// - `sys`: the system.
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `amplitudes`, `frequencies`, `headings`, `phases`: receive `n` of their `[cap]` numbers; may
///   be NULL with `cap` = 0.
/// - `n`: receives how many components there are: 0 without waves.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is written).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_waves(
    sys: *const pintle_system,
    cap: i32,
    amplitudes: *mut f64,
    frequencies: *mut f64,
    headings: *mut f64,
    phases: *mut f64,
    n: *mut i32,
) -> i32 {
    with_system("pintle_get_waves", sys, |system| {
        let room = length("cap", (cap, cap, "amplitudes"))?;
        let waves = system.given().waves();
        let wanted = if room == 0 { 0 } else { waves.len() };
        let lists = [
            array_output("amplitudes", wanted, amplitudes)?,
            array_output("frequencies", wanted, frequencies)?,
            array_output("headings", wanted, headings)?,
            array_output("phases", wanted, phases)?,
        ];
        let n = scalar_output("n", n)?;
        if wanted > room {
            return Err(Error::BufferTooSmall { argument: "cap", given: cap.into(), needed: waves.len() as i64 });
        }
        for (list, number) in lists.into_iter().zip(0..) {
            let numbers = waves.iter().take(wanted).map(|wave| wave.numbers()[number]);
            list.write(&numbers.collect::<Vec<f64>>())?;
        }
        n.write(waves.len() as i32)
    })
}

/// The motion of the water at places and the present time: currents and waves, as lines,
/// points and cylinders there feel it; without what a fluid callback adds.
///
/// - `sys`: the system.
/// - `n`: number of places.
/// - `positions`: `[n][3]`, in I. Above the surface the motion is that of the surface.
/// - `velocities`: receives velocities, `[n][3]`, in I.
/// - `accelerations`: receives accelerations, `[n][3]`, in I.
/// - `elevations`: receives elevations of the surface over the mean water level, `[n]`.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n < 0), NOT_FINITE, OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_water_motion(
    sys: *const pintle_system,
    n: i32,
    positions: *const f64,
    velocities: *mut f64,
    accelerations: *mut f64,
    elevations: *mut f64,
) -> i32 {
    with_system("pintle_get_water_motion", sys, |system| {
        let count = length("n", (n, n, "positions"))?;
        let _room = room(Memory::of(system).water_motion(count))?;
        let positions = inputs::<3>("positions", (n, n, "positions"), positions)?;
        let velocities = array_output("velocities", 3 * count, velocities)?;
        let accelerations = array_output("accelerations", 3 * count, accelerations)?;
        let elevations = array_output("elevations", count, elevations)?;
        let motion = system.outputs().water_motion(positions)?;
        velocities.write(&motion.iter().flat_map(|at| at.velocity).collect::<Vec<f64>>())?;
        accelerations.write(&motion.iter().flat_map(|at| at.acceleration).collect::<Vec<f64>>())?;
        elevations.write(&motion.iter().map(|at| at.elevation).collect::<Vec<f64>>())
    })
}
