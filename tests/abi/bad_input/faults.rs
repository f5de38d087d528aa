//! Bad values for each kind of parameter, and bad arguments of single functions.

use crate::functions::table::{MODEL, MOORDYN, Role, count};
use crate::functions::world::{Value, World, fresh_path, stranger};
use pintle::capi::status::*;

const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// A bad value, and how it is refused: the status, the argument that the message blames, and other
/// words of the message.
pub struct Fault {
    pub value: Value,
    pub status: i32,
    pub argument: &'static str,
    pub says: Vec<String>,
}

pub fn fault(value: Value, status: i32, argument: &'static str, says: &str) -> Fault {
    Fault { value, status, argument, says: vec![says.to_owned()] }
}

/// A number in the format of messages, %g.
pub fn written(x: f64) -> String {
    let scientific = format!("{x:e}");
    match scientific.split_once("e-") {
        Some((mantissa, exponent)) if x.abs() < 1e-4 => format!("{mantissa}e-{exponent:0>2}"),
        _ => x.to_string(),
    }
}

/// Values of a parameter that every function refuses.
pub fn faults(argument: &'static str, role: &Role, world: &World) -> Vec<Fault> {
    let one = |value, status, says: &str| fault(value, status, argument, says);
    let integer = |status| move |x: i64| fault(Value::Int(x), status, argument, &x.to_string());
    let real = |status| move |x: f64| fault(Value::Real(x), status, argument, &written(x));
    let integers = |status, all: &[i64]| all.iter().copied().map(integer(status)).collect::<Vec<_>>();
    let not_finite = || {
        NOT_FINITE
            .map(|x| one(Value::Real(x), PINTLE_ERR_NOT_FINITE, &format!("{argument} = {x} is not finite")))
            .into_iter()
            .collect::<Vec<_>>()
    };
    let reals = |status, all: &[f64]| all.iter().copied().map(real(status)).collect::<Vec<_>>();
    let missing = || one(Value::Null, PINTLE_ERR_NULL_ARGUMENT, "is NULL");
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    let slot = |value| Value::Slot(Box::new(value));
    let no_handle = |values: [Value; 2], says: &str| values.map(|value| one(value, PINTLE_ERR_BAD_HANDLE, says));
    let (no_system, no_state) = ("is not a live pintle_system", "is not a live pintle_state");
    let elements = |numbers: &[f64]| {
        let spoilt = |k: usize, x: f64| {
            let mut numbers = numbers.to_vec();
            numbers[k] = x;
            one(Value::Reals(numbers), PINTLE_ERR_NOT_FINITE, &format!("{argument}[{k}] = {x} is not finite"))
        };
        (0..numbers.len()).flat_map(|k| NOT_FINITE.map(|x| spoilt(k, x))).collect::<Vec<_>>()
    };
    let mut found = match role {
        Role::Seed | Role::Any(_) => return Vec::new(),
        Role::Optional(role) => {
            let mut found = faults(argument, role, world);
            found.retain(|fault| !matches!(fault.value, Value::Null));
            return found;
        }
        Role::System | Role::SystemOrThread => no_handle([Value::Junk, Value::State], no_system).into(),
        Role::SystemSlot => no_handle([slot(Value::Junk), slot(Value::State)], no_system).into(),
        Role::State => no_handle([Value::Junk, Value::System], no_state).into(),
        Role::StateSlot => no_handle([slot(Value::Junk), slot(Value::System)], no_state).into(),
        Role::Id(kind) | Role::Chosen(kind, _) => {
            integers(PINTLE_ERR_BAD_ID, &[-1, -2, count(kind).into(), most, least])
        }
        Role::End(_) | Role::Holder(_) => integers(PINTLE_ERR_BAD_ID, &[-2, count("body").into(), most, least]),
        Role::Frame | Role::Flag => integers(PINTLE_ERR_BAD_VALUE, &[-1, 2, 7, most, least]),
        Role::JointKind => integers(PINTLE_ERR_BAD_VALUE, &[-1, 12, 99, most, least]),
        Role::Count(kind) => {
            let n = i64::from(count(kind));
            integers(PINTLE_ERR_BAD_SIZE, &[n - 1, n + 1, 0, -1, -n, most, least])
        }
        Role::Exactly(n) => {
            let n = i64::from(*n);
            integers(PINTLE_ERR_BAD_SIZE, &[n - 1, n + 1, 0, -1, -n, most, least])
        }
        Role::Few(_) => integers(PINTLE_ERR_BAD_SIZE, &[-1, least]),
        Role::Positive(_) => integers(PINTLE_ERR_BAD_VALUE, &[0, -1, least]),
        Role::Below(n) => integers(PINTLE_ERR_BAD_VALUE, &[-1, i64::from(*n), most, least]),
        Role::OrNone(kind) => integers(PINTLE_ERR_BAD_ID, &[-2, count(kind).into(), most, least]),
        Role::AllBelow(n, valid) => {
            let spoilt = |bad: i32| {
                let all = valid[1..].iter().chain([&bad]).flat_map(|index| index.to_ne_bytes()).collect();
                one(Value::Bytes(all), PINTLE_ERR_BAD_VALUE, &format!("{argument}: {bad} is neither"))
            };
            [-1, *n, i32::MAX].map(spoilt).into()
        }
        Role::Ids(..) | Role::Ends(_) => {
            let (kind, ids, least) = match role {
                Role::Ids(kind, ids) => (*kind, ids, -1),
                Role::Ends(ids) => ("body", ids, -2),
                _ => unreachable!(),
            };
            let spoilt = |bad: i32| {
                let all = ids[..ids.len() - 1].iter().chain([&bad]).flat_map(|id| id.to_ne_bytes()).collect();
                one(Value::Bytes(all), PINTLE_ERR_BAD_ID, &format!("{argument} = {bad} is not a {kind}"))
            };
            [least, count(kind), i32::MAX].map(spoilt).into()
        }
        Role::Cap => integers(PINTLE_ERR_BAD_SIZE, &[-1, least]),
        Role::Len => {
            let whole = world.bytes.len() as i64;
            let cut = |x: i64| fault(Value::Int(x), PINTLE_ERR_FORMAT, "bytes", &x.to_string());
            let negative = integers(PINTLE_ERR_BAD_SIZE, &[-1, least, i64::MIN]);
            negative.into_iter().chain([0, 1, 40, whole - 8, whole - 1].map(cut)).collect()
        }
        Role::Bytes => {
            let damaged = |k: usize| {
                let mut bytes = world.bytes.clone();
                bytes[k] ^= 0x10;
                one(Value::Bytes(bytes), PINTLE_ERR_FORMAT, "")
            };
            (0..world.bytes.len()).step_by(29).map(damaged).collect()
        }
        Role::Path | Role::ModelFile | Role::MoordynFile => {
            let nowhere = format!("{}/no/such/folder", fresh_path());
            let folder = env!("CARGO_TARGET_TMPDIR").to_owned();
            [nowhere, folder].map(|path| one(Value::Text(path.clone().into()), PINTLE_ERR_IO, &path)).into()
        }
        Role::Bound(_) => not_finite().into_iter().take(1).collect(),
        Role::Real(_) => not_finite(),
        Role::NotNegative(_) => not_finite().into_iter().chain(reals(PINTLE_ERR_BAD_VALUE, &[-1.0, -1e-300])).collect(),
        Role::Above(_) => {
            not_finite().into_iter().chain(reals(PINTLE_ERR_BAD_VALUE, &[0.0, -0.0, -1.0, -1e-300])).collect()
        }
        Role::Step => not_finite()
            .into_iter()
            // 1e-300 does not change the time of these systems.
            .chain(reals(PINTLE_ERR_BAD_VALUE, &[0.0, -0.0, -0.125, 1e-300]))
            .collect(),
        Role::Array(numbers) => elements(numbers),
        Role::Unit(numbers) => {
            let off = |scale: f64| {
                let says = format!("quaternion ({}, ", scale * numbers[numbers.len() - 4]);
                one(scaled(numbers, scale), PINTLE_ERR_BAD_VALUE, &says)
            };
            let mut found = elements(numbers);
            found.extend([0.0, 2.0, -0.5, 1.0 + 1.1e-6, 1.0 - 1.1e-6].map(off));
            found
        }
        Role::Word(_, known) => ["no such", "", "Hull"]
            .map(|word| {
                let mut says: Vec<_> = known.iter().map(|word| (*word).to_owned()).collect();
                says.push(format!("\"{word}\""));
                Fault { value: Value::Text(word.into()), status: PINTLE_ERR_BAD_VALUE, argument, says }
            })
            .into(),
        Role::AbiVersion => integers(PINTLE_ERR_ABI_MISMATCH, &[0, -1, 2, most]),
        Role::TableSize => {
            let Value::Int(whole) = role.valid(world) else { unreachable!("a size is an integer") };
            let odd = integers(PINTLE_ERR_BAD_SIZE, &[0, -1, -8, 12, whole - 1, i64::MIN]);
            odd.into_iter().chain(integers(PINTLE_ERR_ABI_MISMATCH, &[whole + 8, 8 * whole])).collect()
        }
        Role::NewSystem | Role::Place(_) | Role::Text(_) => Vec::new(),
    };
    if matches!(role, Role::Word(..) | Role::Text(_) | Role::Path | Role::ModelFile | Role::MoordynFile) {
        found.push(one(Value::Text(b"ab\xff".into()), PINTLE_ERR_BAD_UTF8, "first bad byte at 2"));
    }
    let numbers = [Value::Int(0), Value::Real(0.0)].map(|value| std::mem::discriminant(&value));
    if !numbers.contains(&std::mem::discriminant(&role.valid(world))) && !matches!(role, Role::SystemOrThread) {
        found.push(missing());
    }
    found
}

/// The same numbers, with the quaternion, the last four, multiplied by `scale`.
fn scaled(numbers: &[f64], scale: f64) -> Value {
    let (others, quaternion) = numbers.split_at(numbers.len() - 4);
    Value::Reals(others.iter().copied().chain(quaternion.iter().map(|x| scale * x)).collect())
}

/// Values that a function accepts beside the usual ones of a parameter.
pub fn accepted(role: &Role) -> Vec<Value> {
    match role {
        Role::Seed => vec![Value::Int(i32::MIN.into()), Value::Int(0)],
        Role::Any(_) | Role::Optional(_) => vec![Value::Null],
        Role::SystemOrThread => vec![Value::Null],
        Role::StateSlot => vec![Value::Slot(Box::new(Value::Null))],
        Role::Id(_) | Role::Frame | Role::Flag => vec![Value::Int(0)],
        Role::End(_) => vec![Value::Int(-1)],
        Role::OrNone(_) => vec![Value::Int(0)],
        Role::JointKind => (PINTLE_JOINT_FIXED..PINTLE_JOINT_DISTANCE).map(|kind| Value::Int(kind.into())).collect(),
        Role::Unit(numbers) => [1.0 + 1e-8, 1.0 - 1e-8, -1.0].map(|scale| scaled(numbers, scale)).into(),
        _ => Vec::new(),
    }
}

/// Function, bad arguments, status, argument to blame, what the message says.
pub type SpecialCase = (&'static str, Vec<(&'static str, Value)>, i32, &'static str, &'static str);

/// Arguments that only one function refuses.
#[rustfmt::skip] // one line each
pub fn special_cases() -> Vec<SpecialCase> {
    use Value::{Int, Null, Real, Reals, Text, Bytes, File};
    const VALUE: i32 = PINTLE_ERR_BAD_VALUE;
    let word = |text: &str| Text(text.into());
    let ids = |all: &[i32]| Bytes(all.iter().flat_map(|id| id.to_ne_bytes()).collect());
    let matrix = |entries: &[(usize, usize, f64)]| {
        let mut a = [0.0; 36];
        (0..6).for_each(|k| a[7 * k] = 2.0);
        entries.iter().for_each(|(i, j, x)| a[i + 6 * j] = *x);
        Reals(a.into())
    };
    let mut cases = vec![
        ("pintle_add_body", vec![("mass", matrix(&[(3, 4, 0.5)]))], VALUE, "mass", "unsymmetric: a[3,4] = 0.5, a[4,3] = 0"),
        ("pintle_add_body", vec![("mass", matrix(&[(0, 0, -2.0), (1, 1, -2.0), (2, 2, -2.0)]))], VALUE, "mass", "mass -2 is negative"),
        ("pintle_add_body", vec![("mass", matrix(&[(3, 3, -1.0)]))], VALUE, "mass", "least eigenvalue -1"),
        ("pintle_add_body", vec![("mass", matrix(&[(5, 5, 4.5)]))], VALUE, "mass", "(2, 2, 4.5) violate the triangle inequality"),
        ("pintle_add_body", vec![("mass", matrix(&[(0, 0, 3.0)]))], VALUE, "mass", "not the matrix of a rigid body"),
        ("pintle_add_rigid_body", vec![("inertia", Reals(vec![1.0, 1.0, 2.125, 0.0, 0.0, 0.0]))], VALUE, "inertia", "2.125) violate the triangle inequality"),
        ("pintle_add_rigid_body", vec![("inertia", Reals(vec![1.0, 1.0, 1.0, 1.5, 0.0, 0.0]))], VALUE, "inertia", "least eigenvalue -0."),
        ("pintle_add_rigid_body", vec![("inertia", Reals(vec![-1.0, 1.0, 1.0, 0.0, 0.0, 0.0]))], VALUE, "inertia", "least eigenvalue -1"),
        ("pintle_set_added_mass", vec![("a", matrix(&[(0, 4, 0.25)]))], VALUE, "a", "unsymmetric: a[0,4] = 0.25, a[4,0] = 0"),
        ("pintle_set_added_mass", vec![("a", matrix(&[(2, 2, -3.0)]))], VALUE, "a", "least eigenvalue is -3"),
        ("pintle_set_body_in_water", vec![("volume", Real(-0.5))], VALUE, "volume", "-0.5 is negative"),
        ("pintle_add_joint", vec![("body_b", Int(0))], VALUE, "body_b", "0 is body_a too"),
        ("pintle_add_joint", vec![("body_a", Int(-1)), ("body_b", Int(-1))], VALUE, "body_b", "-1 is body_a too"),
        ("pintle_add_joint_at", vec![("body_a", Int(1))], VALUE, "body_b", "1 is body_a too"),
        ("pintle_add_spring", vec![("body_a", Int(0))], VALUE, "body_b", "0 is body_a too"),
        ("pintle_set_spring_table", vec![("n", Int(1))], PINTLE_ERR_BAD_SIZE, "n", "n = 1, expected at least 2"),
        ("pintle_set_spring_table", vec![("n", Int(0))], PINTLE_ERR_BAD_SIZE, "n", "n = 0, expected at least 2"),
        ("pintle_set_spring_table", vec![("lengths", Reals(vec![-0.5, 1.0, 2.0]))], VALUE, "lengths", "lengths[0] = -0.5 is negative"),
        ("pintle_set_spring_table", vec![("lengths", Reals(vec![0.5, 0.5, 2.0]))], VALUE, "lengths", "lengths[1] = 0.5 is not more than lengths[0] = 0.5"),
        ("pintle_set_spring_table", vec![("forces", Reals(vec![0.0, 4.0, 3.0]))], VALUE, "forces", "forces[2] = 3 is less than forces[1] = 4"),
        ("pintle_set_bushing_table", vec![("axis", Int(6))], VALUE, "axis", "6, expected 0 to 5"),
        ("pintle_set_bushing_table", vec![("axis", Int(-1))], VALUE, "axis", "-1, expected 0 to 5"),
        ("pintle_get_bushing_table", vec![("axis", Int(6))], VALUE, "axis", "6, expected 0 to 5"),
        ("pintle_set_bushing_table", vec![("n", Int(1))], PINTLE_ERR_BAD_SIZE, "n", "n = 1, expected at least 2"),
        ("pintle_set_bushing_table", vec![("deflections", Reals(vec![0.5, 0.5, 2.0]))], VALUE, "deflections", "deflections[1] = 0.5 is not more than deflections[0] = 0.5"),
        ("pintle_set_bushing_table", vec![("forces", Reals(vec![0.0, 4.0, 3.0]))], VALUE, "forces", "forces[2] = 3 is less than forces[1] = 4"),
        ("pintle_get_bushing_table", vec![("cap", Int(2))], PINTLE_ERR_BUFFER_TOO_SMALL, "cap", "cap = 2 is too small: 3 needed"),
        ("pintle_get_spring_table", vec![("cap", Int(2))], PINTLE_ERR_BUFFER_TOO_SMALL, "cap", "cap = 2 is too small: 3 needed"),
        ("pintle_add_bushing", vec![("body_a", Int(2))], VALUE, "body_b", "2 is body_a too"),
        ("pintle_add_cylinder", vec![("end_b", Reals(vec![0.0, 0.5, -1.0]))], VALUE, "end_b", "the length from end_a is 0"),
        ("pintle_add_cylinder", vec![("segments", Int(1001))], VALUE, "segments", "1001 is not from 1 to 1000"),
        ("pintle_add_joint", vec![("kind", Int(8)), ("frame_a", Reals(vec![3.5, -1.0, 2.0, 1.0, 0.0, 0.0, 0.0]))], VALUE, "frame_b", "its origin is that of frame_a"),
        ("pintle_add_joint_at", vec![("kind", Int(8))], VALUE, "kind", "lies between two points"),
        ("pintle_set_joint_driven", vec![("joint", Int(1))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_set_joint_driven", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_set_joint_spring", vec![("joint", Int(1))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_set_joint_pitch", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is REVOLUTE"),
        ("pintle_set_joint_pitch", vec![("pitch", Real(0.0))], VALUE, "pitch", "0 is no screw"),
        ("pintle_add_joint_at", vec![("kind", Int(11))], VALUE, "kind", "lies between a plane and a disc"),
        ("pintle_set_joint_radius", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is REVOLUTE"),
        ("pintle_set_joint_radius", vec![("radius", Real(0.0))], VALUE, "radius", "0 is not positive"),
        ("pintle_add_gear", vec![("joint_a", Int(1))], VALUE, "joint_a", "joint 1 is SPHERICAL"),
        ("pintle_set_joint_stop", vec![("joint", Int(1)), ("slide", Int(0))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_set_joint_stop", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_set_joint_stop", vec![("lower", Real(0.75))], VALUE, "lower", "0.75 is above upper = 0.5"),
        ("pintle_set_joint_stop", vec![("restitution", Real(1.5))], VALUE, "restitution", "1.5 is not in"),
        ("pintle_set_joint_stop", vec![("law", Int(2)), ("restitution", Real(0.0))], VALUE, "restitution", "0 is not in above 0, to 1"),
        ("pintle_set_joint_friction", vec![("joint", Int(1)), ("slide", Int(0))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_set_joint_friction", vec![("kinetic", Real(0.75))], VALUE, "holding", "0.5 is below kinetic = 0.75"),
        ("pintle_add_contact_plane", vec![("body_a", Int(2))], VALUE, "body_b", "2 is body_a too"),
        ("pintle_add_shape", vec![("numbers", Reals(vec![0.0, 0.0, 0.0, -0.25]))], VALUE, "diameter", "-0.25 is not above 0"),
        ("pintle_add_shape", vec![("kind", word("box")), ("n", Int(10)), ("numbers", Reals(vec![1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]))], VALUE, "size", "0 is not above 0"),
        ("pintle_add_shape", vec![("kind", word("box")), ("n", Int(10)), ("numbers", Reals(vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0]))], VALUE, "frame", "has norm 2, not 1"),
        ("pintle_add_shape", vec![("kind", word("capsule")), ("n", Int(7)), ("numbers", Reals(vec![1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0]))], VALUE, "end_b", "is the same as end_a"),
        ("pintle_add_shape", vec![("kind", word("stl")), ("n", Int(8)), ("numbers", Reals(vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]))], VALUE, "file", "is missing"),
        ("pintle_add_shape", vec![("file", word("hull.stl"))], VALUE, "file", "belongs to shapes of kind \"stl\""),
        ("pintle_add_shape", vec![("colour", word("red"))], VALUE, "colour", "\"red\" is no colour"),
        ("pintle_add_tendon", vec![("bodies", ids(&[2, 2, 2]))], VALUE, "bodies", "all of them are 2: a tendon needs two ends"),
        ("pintle_add_tendon", vec![("n", Int(1))], PINTLE_ERR_BAD_SIZE, "n", "n = 1, expected 2 to 8 points"),
        ("pintle_add_tendon", vec![("stiffness_ea", Real(1e300)), ("rest_length", Real(1e-100))], VALUE, "stiffness_ea", "beyond the range of numbers"),
        ("pintle_get_tendon_point", vec![("point", Int(3))], VALUE, "point", "3: tendon 0 has 3 points"),
        ("pintle_set_tendon_sheave", vec![("point", Int(0))], VALUE, "point", "0: the inner points of tendon 0 are 1 to 1"),
        ("pintle_set_tendon_friction", vec![("point", Int(2))], VALUE, "point", "2: the inner points of tendon 0 are 1 to 1"),
        ("pintle_set_tendon_friction", vec![("coefficient", Real(-0.25))], VALUE, "coefficient", "-0.25 is negative"),
        ("pintle_set_tendon_sheave", vec![("axis", Reals(vec![0.0; 3]))], VALUE, "axis", "has no direction: all components are zero"),
        ("pintle_set_tendon_length", vec![("length", Real(0.039))], VALUE, "length", "0.039 is less than a hundredth of the 4 that tendon 0 was described with"),
        ("pintle_add_contact_spheres", vec![("inside", Int(1)), ("radius_b", Real(0.5))], VALUE, "radius_a", "0.5 does not hold a sphere of radius_b = 0.5"),
        ("pintle_set_joint_friction_load", vec![("joint", Int(1)), ("slide", Int(0))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_set_joint_friction_load", vec![("axial", Real(0.5))], VALUE, "axial", "nothing presses along a displacement"),
        ("pintle_set_joint_friction_load", vec![("bending", Real(-0.5))], VALUE, "bending", "-0.5 is negative"),
        ("pintle_set_joint_friction_load", vec![("static_ratio", Real(0.5))], VALUE, "static_ratio", "0.5 is below 1"),
        ("pintle_set_contact_law", vec![("exponent", Real(1.5)), ("law", Int(1))], VALUE, "exponent", "1.5 is not in 1 to 1, with law impulse"),
        ("pintle_set_contact_law", vec![("exponent", Real(4.0)), ("law", Int(2))], VALUE, "exponent", "4 is not in 1 to 3"),
        ("pintle_set_contact_law", vec![("kinetic", Real(0.75))], VALUE, "holding", "0.5 is below kinetic = 0.75"),
        ("pintle_set_joint_brake", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_set_joint_brake", vec![("capacity", Real(-0.5))], VALUE, "capacity", "-0.5"),
        ("pintle_set_joint_strength", vec![("force", Real(-0.5))], VALUE, "force", "-0.5 is no strength of joint"),
        ("pintle_set_joint_strength", vec![("moment", Real(-0.5))], VALUE, "moment", "-0.5 is no strength of joint"),
        ("pintle_add_joint_damper_point", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_add_joint_damper_point", vec![("rate", Real(0.0))], VALUE, "rate", "0 has a force"),
        ("pintle_add_joint_damper_point", vec![("rate", Real(1.0))], VALUE, "rate", "1 has a force"),
        ("pintle_add_joint_damper_point", vec![("force", Real(0.25))], VALUE, "force", "0.25 at rate 2 is not in 0.5 to inf"),
        ("pintle_set_joint_table", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_set_joint_table", vec![("n", Int(1))], PINTLE_ERR_BAD_SIZE, "n", "n = 1, expected at least 2"),
        ("pintle_set_joint_table", vec![("x", Reals(vec![0.5, 0.5, 2.0]))], VALUE, "x", "x[1] = 0.5 is not more than x[0] = 0.5"),
        ("pintle_set_joint_table", vec![("y", Reals(vec![-4.0, 1.0, 3.0]))], VALUE, "y", "y[1] = 1 at a rate of 0: a damper acts against it"),
        ("pintle_set_joint_table", vec![("y", Reals(vec![0.5, 1.0, 2.0]))], VALUE, "y", "y[0] = 0.5 at a rate of -1: a damper acts against it"),
        ("pintle_joint_damper_point_count", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_get_joint_damper_force", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_get_joint_damper_point", vec![("point", Int(1))], VALUE, "point", "1 is not one of 1"),
        ("pintle_add_joint_spring_point", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_add_joint_spring_point", vec![("coordinate", Real(1.0))], VALUE, "coordinate", "1 has a force"),
        ("pintle_add_joint_spring_point", vec![("force", Real(0.25))], VALUE, "force", "0.25 at coordinate 2 is not in 0.5"),
        ("pintle_joint_spring_point_count", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_get_joint_spring_force", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_get_joint_spring_point", vec![("point", Int(1))], VALUE, "point", "1 is not one of 1"),
        ("pintle_advance_to", vec![("t", Real(0.0))], VALUE, "t", "0 is not after the accepted time"),
        ("pintle_get_joint_stop", vec![("joint", Int(1)), ("slide", Int(0))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_get_joint_friction", vec![("joint", Int(1)), ("slide", Int(0))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_get_joint_friction_load", vec![("joint", Int(1)), ("slide", Int(0))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_get_joint_brake", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_get_joint_machine", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_add_clutch", vec![("joint_a", Int(1)), ("slide_a", Int(0))], VALUE, "joint_a", "joint 1 is SPHERICAL"),
        ("pintle_add_clutch", vec![("joint_a", Int(3))], VALUE, "slide_a", "joint 3 is SCREW"),
        ("pintle_add_clutch", vec![("joint_b", Int(1))], VALUE, "joint_b", "joint 1 is SPHERICAL"),
        ("pintle_add_clutch", vec![("joint_a", Int(3)), ("slide_a", Int(0))], VALUE, "joint_b", "3 is joint_a too"),
        ("pintle_add_clutch", vec![("ratio", Real(0.0))], VALUE, "ratio", "0 is no clutch"),
        ("pintle_add_clutch", vec![("static_ratio", Real(0.5))], VALUE, "static_ratio", "0.5 is below 1"),
        ("pintle_add_clutch", vec![("capacity_back", Real(-0.5))], VALUE, "capacity_back", "-0.5 is negative"),
        ("pintle_set_clutch_stop", vec![("lower", Real(0.75))], VALUE, "lower", "0.75 is above upper = 0.5"),
        ("pintle_set_clutch_stop", vec![("stiffness", Real(0.0))], VALUE, "stiffness", "0 holds nothing"),
        ("pintle_set_clutch_capacity", vec![("capacity_forth", Real(-0.5))], VALUE, "capacity_forth", "-0.5 is negative"),
        ("pintle_add_gear", vec![("joint_b", Int(1))], VALUE, "joint_b", "joint 1 is SPHERICAL"),
        ("pintle_add_gear", vec![("joint_a", Int(3)), ("joint_b", Int(3))], VALUE, "joint_b", "3 is joint_a too"),
        ("pintle_add_gear", vec![("ratio", Real(0.0))], VALUE, "ratio", "0 is no gear"),
        ("pintle_add_coupling", vec![("joints", ids(&[3, 3]))], VALUE, "joints", "joint 3 is there twice"),
        ("pintle_add_coupling", vec![("joints", ids(&[3, 1]))], VALUE, "joints", "joint 1 is SPHERICAL"),
        ("pintle_add_coupling", vec![("coefficients", Reals(vec![0.0, 1.0]))], VALUE, "coefficients", "coefficients[0] = 0"),
        ("pintle_get_coupling", vec![("part", Int(2))], VALUE, "part", "2: gear 0 has the parts 0 to 1"),
        ("pintle_set_joint_load", vec![("joint", Int(1))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_set_joint_motion", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is not driven"),
        ("pintle_set_body_motion", vec![("body", Int(0))], VALUE, "body", "body 0 is not prescribed"),
        ("pintle_set_joint_offset", vec![("joint", Int(1))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_set_joint_slide_driven", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is REVOLUTE"),
        ("pintle_set_joint_slide_spring", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_set_joint_slide_load", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is REVOLUTE"),
        ("pintle_set_joint_slide_motion", vec![("joint", Int(3))], VALUE, "joint", "the slide of joint 3 is not driven"),
        ("pintle_get_joint_slide", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is REVOLUTE"),
        ("pintle_set_coupled_load_callback", vec![("n", Int(0))], PINTLE_ERR_BAD_SIZE, "n", "0"),
        ("pintle_set_coupled_load_callback", vec![("n", Int(8))], PINTLE_ERR_BAD_SIZE, "n", "8"),
        ("pintle_set_coupled_load_callback", vec![("bodies", ids(&[2, 2]))], VALUE, "bodies", "2"),
        ("pintle_set_coupled_load_callback", vec![("bodies", ids(&[0, 1])), ("fn", Null)], VALUE, "fn", "no callback of these bodies"),
        ("pintle_frame_from_axes", vec![("z", Reals(vec![0.0; 3]))], VALUE, "z", "zero"),
        ("pintle_frame_from_axes", vec![("x", Reals(vec![0.0; 3]))], VALUE, "x", "zero"),
        ("pintle_frame_from_axes", vec![("z", Reals(vec![1.0, 2.0, 0.0])), ("x", Reals(vec![-2.0, -4.0, 1e-7]))], VALUE, "x", "parallel"),
        ("pintle_get_joint_coordinate", vec![("joint", Int(1))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_get_body_reaction", vec![("body", Int(0))], VALUE, "body", "body 0 is not prescribed"),
        ("pintle_get_joint_spring", vec![("joint", Int(1))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_get_joint_slide_spring", vec![("joint", Int(3))], VALUE, "joint", "joint 3 is SCREW"),
        ("pintle_get_joint_offset", vec![("joint", Int(1))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_get_joint_pitch", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is REVOLUTE"),
        ("pintle_get_joint_radius", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is REVOLUTE"),
        ("pintle_get_joint_load", vec![("joint", Int(1))], VALUE, "joint", "joint 1 is SPHERICAL"),
        ("pintle_get_joint_slide_load", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is REVOLUTE"),
        ("pintle_get_joint_motion_input", vec![("joint", Int(0))], VALUE, "joint", "joint 0 is not driven"),
        ("pintle_get_joint_slide_motion_input", vec![("joint", Int(3))], VALUE, "joint", "the slide of joint 3 is not driven"),
        ("pintle_get_body_motion_input", vec![("body", Int(0))], VALUE, "body", "body 0 is not prescribed"),
        ("pintle_fix_point", vec![("point", Int(1))], VALUE, "point", "point 1 is fixed already"),
        ("pintle_fix_point", vec![("point", Int(2))], VALUE, "point", "point 2 is attached to body 2 already"),
        ("pintle_fix_point", vec![("point", Int(3))], VALUE, "point", "point 3 is prescribed already"),
        ("pintle_attach_point", vec![("point", Int(1))], VALUE, "point", "point 1 is fixed already"),
        ("pintle_attach_point", vec![("point", Int(2))], VALUE, "point", "point 2 is attached to body 2 already"),
        ("pintle_attach_point", vec![("point", Int(3))], VALUE, "point", "point 3 is prescribed already"),
        ("pintle_attach_point", vec![("body", Int(-1))], PINTLE_ERR_BAD_ID, "body", "-1"),
        ("pintle_set_point_prescribed", vec![("point", Int(1))], VALUE, "point", "point 1 is fixed already"),
        ("pintle_set_point_prescribed", vec![("point", Int(2))], VALUE, "point", "point 2 is attached to body 2 already"),
        ("pintle_set_point_velocity", vec![("point", Int(1))], VALUE, "point", "point 1 is fixed or attached"),
        ("pintle_set_point_velocity", vec![("point", Int(2))], VALUE, "point", "point 2 is fixed or attached"),
        ("pintle_set_point_motion", vec![("point", Int(0))], VALUE, "point", "point 0 is not prescribed"),
        ("pintle_set_point_motion", vec![("point", Int(1))], VALUE, "point", "point 1 is not prescribed"),
        ("pintle_set_point_motion", vec![("point", Int(2))], VALUE, "point", "point 2 is not prescribed"),
        ("pintle_add_point_spring", vec![("point_b", Int(0))], VALUE, "point_b", "0 is point_a too"),
        ("pintle_get_point_reaction", vec![("point", Int(0))], VALUE, "point", "point 0 is neither fixed nor prescribed"),
        ("pintle_get_point_reaction", vec![("point", Int(2))], VALUE, "point", "point 2 is neither fixed nor prescribed"),
        ("pintle_retract", vec![("n", Int(-2))], PINTLE_ERR_BAD_SIZE, "n", "n = -2, expected 0 or more"),
        ("pintle_difference", vec![("n", Int(-1))], PINTLE_ERR_BAD_SIZE, "n", "n = -1, expected 0 or more"),
        ("pintle_set_line_type_table", vec![("n", Int(1))], PINTLE_ERR_BAD_SIZE, "n", "n = 1, expected at least 2"),
        ("pintle_set_line_type_table", vec![("n", Int(0))], PINTLE_ERR_BAD_SIZE, "n", "n = 0, expected at least 2"),
        ("pintle_set_line_type_table", vec![("x", Reals(vec![-0.5, 1.0, 2.0]))], VALUE, "x", "x[0] = -0.5 is negative"),
        ("pintle_set_line_type_table", vec![("y", Reals(vec![-0.5, 1.0, 2.0]))], VALUE, "y", "y[0] = -0.5 is negative"),
        ("pintle_set_line_type_table", vec![("y", Reals(vec![0.0; 3]))], VALUE, "y", "all tensions are 0"),
        ("pintle_set_line_type_table", vec![("y", Reals(vec![0.25, 1.0, 2.0]))], VALUE, "y", "y[0] = 0.25 at x[0] = 0"),
        ("pintle_set_line_type_table", vec![("x", Reals(vec![0.5, 0.5, 2.0]))], VALUE, "x", "x[1] = 0.5 is not more than x[0] = 0.5"),
        ("pintle_set_line_type_table", vec![("y", Reals(vec![0.0, 4.0, 3.0]))], VALUE, "y", "y[2] = 3 is less than y[1] = 4"),
        ("pintle_get_line_type_table", vec![("cap", Int(2))], PINTLE_ERR_BUFFER_TOO_SMALL, "cap", "cap = 2 is too small: 3 needed"),
        ("pintle_get_current", vec![("cap", Int(1))], PINTLE_ERR_BUFFER_TOO_SMALL, "cap", "cap = 1 is too small: 2 needed"),
        ("pintle_set_current", vec![("depths", Reals(vec![2.0, 2.0]))], VALUE, "depths", "depths[1] = 2 is not more than depths[0] = 2"),
        ("pintle_get_seabed_grid", vec![("cap", Int(2))], PINTLE_ERR_BUFFER_TOO_SMALL, "cap", "cap = 2 is too small: 4 needed"),
        ("pintle_set_seabed_grid", vec![("n", Int(3))], VALUE, "points", "points[2] at x = -9, y = 9: the last of 3, but the grid has 2 x 2 = 4"),
        ("pintle_set_seabed_grid", vec![("n", Int(1))], PINTLE_ERR_BAD_SIZE, "points", "2 or more"),
        ("pintle_set_seabed_grid", vec![("points", Reals(vec![0.0, 0.0, 5.0, 1.0, 0.0, 5.0, 0.0, -1.0, 5.0, 1.0, -1.0, 5.0]))], VALUE, "points", "points[2] at x = 0, y = -1: y must rise"),
        ("pintle_get_current_grid", vec![("cap", Int(2))], PINTLE_ERR_BUFFER_TOO_SMALL, "cap", "cap = 2 is too small: 4 needed"),
        ("pintle_set_current_grid", vec![("n", Int(3))], VALUE, "points", "points[2] at x = 0, y = 0, depth = 0, time = 2: the last of 3, but the grid has 1 x 1 x 2 x 2 = 4"),
        ("pintle_set_current_grid", vec![("n", Int(2)), ("points", Reals(vec![0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]))], VALUE, "points", "points[1] at x = 0, y = 0, depth = 1, time = 1: time must rise"),
        ("pintle_get_waves", vec![("cap", Int(1))], PINTLE_ERR_BUFFER_TOO_SMALL, "cap", "cap = 1 is too small: 2 needed"),
        ("pintle_set_waves", vec![("amplitudes", Reals(vec![0.5, -0.25]))], VALUE, "amplitudes", "amplitudes[1] = -0.25 is negative"),
        ("pintle_set_waves", vec![("frequencies", Reals(vec![0.5, 0.0]))], VALUE, "frequencies", "frequencies[1] = 0 is not above 0"),
        ("pintle_set_irregular_waves", vec![("peak_factor", Real(0.5))], VALUE, "peak_factor", "0.5 is below 1"),
        ("pintle_set_irregular_waves", vec![("components", Int(10001))], PINTLE_ERR_BAD_SIZE, "components", "at most 10000"),
        ("pintle_set_wave_spectrum", vec![("n", Int(1))], PINTLE_ERR_BAD_SIZE, "rows", "at least 2 rows"),
        ("pintle_set_wave_spectrum", vec![("frequencies", Reals(vec![0.5, 0.5]))], VALUE, "frequencies", "frequencies[1] = 0.5 is not more than 0.5"),
        ("pintle_set_wave_spectrum", vec![("densities", Reals(vec![0.5, -0.5]))], VALUE, "densities", "densities[1] = -0.5 is negative"),
        ("pintle_set_wave_spectrum", vec![("densities", Reals(vec![0.0, 0.0]))], VALUE, "densities", "no waves"),
        ("pintle_set_wave_record", vec![("n", Int(1))], PINTLE_ERR_BAD_SIZE, "n", "2 to 200000 samples"),
        ("pintle_set_wave_record", vec![("max_frequency", Real(0.5))], VALUE, "max_frequency", "0.5 gives 0 components"),
        ("pintle_add_line", vec![("point_b", Int(0))], VALUE, "point_b", "0 is point_a too"),
        ("pintle_clamp_line", vec![("body", Int(1))], VALUE, "body", "point 2, at end B of line 1, is on body 2"),
        ("pintle_clamp_line", vec![("axis", Reals(vec![0.0, 0.0, 0.0]))], VALUE, "axis", ""),
        ("pintle_join_lines", vec![("end_b", Int(0))], VALUE, "line_b", "the ends are at point 2 and point 1: expected one point"),
        ("pintle_join_lines", vec![("line_b", Int(0))], VALUE, "line_b", "0 is line_a too"),
        ("pintle_set_line_failure", vec![("n", Int(0))], VALUE, "n", "0 ends break off"),
        ("pintle_set_line_failure", vec![("time", Real(0.0)), ("tension", Real(0.0))], VALUE, "tension", "nothing would break"),
        ("pintle_set_line_failure", vec![("point", Int(1))], VALUE, "point", "point 1 is fixed already"),
        ("pintle_set_spring", vec![("spring", Int(0))], VALUE, "spring", "spring 0 has a table"),
        ("pintle_set_body_mass", vec![("mass", Real(-1.0))], VALUE, "mass", "-1 is negative"),
        ("pintle_set_line_stiffness", vec![("ea", Real(0.0))], VALUE, "ea", "0 is not above 0"),
        ("pintle_set_line_type_viscoelastic", vec![("ea_dynamic", Real(499.0))], VALUE, "ea_dynamic", "499 is not more than the static stiffness EA = 500"),
        ("pintle_set_line_type_viscoelastic", vec![("type", Int(1))], VALUE, "type", "it has a table"),
        ("pintle_set_line_type_syrope", vec![("curve", Int(0)), ("ea_dynamic", Real(600.0)), ("ea_slope", Real(0.0))], VALUE, "ea_dynamic", "600 is not more than the stiffness of the curves at every tension up to 500"),
        ("pintle_set_line_type_syrope", vec![("type", Int(2))], VALUE, "type", "it has no table of tensions"),
        ("pintle_set_line_type_syrope", vec![("k1", Real(1.0))], VALUE, "k1", "1 is not from 0 to below 1"),
        ("pintle_set_line_type_syrope", vec![("curve", Int(2)), ("k2", Real(0.0))], VALUE, "k2", "0 is not above 0 and at most 1"),
        ("pintle_set_line_type_syrope", vec![("curve", Int(1))], VALUE, "k1", "0.25 is so small that"),
        ("pintle_set_line_largest_tensions", vec![("line", Int(1))], VALUE, "line", "line 1 has no curves of the Syrope model"),
        ("pintle_set_line_slow_strains", vec![("line", Int(1))], VALUE, "line", "line 1 is not viscoelastic"),
        ("pintle_get_line_node_loads", vec![("what", word("lift"))], VALUE, "what", "\"lift\" is unknown; known: net, tension"),
        ("pintle_set_line_length", vec![("length", Real(0.0124))], VALUE, "length", "0.0124 is less than a hundredth of the 1.25 that line 1 was described with"),
        ("pintle_set_line_length", vec![("length", Real(-1.0))], VALUE, "length", "-1 is less than a hundredth"),
        ("pintle_set_environment", vec![("key", word("seabed_smoothing")), ("value", Real(0.0))], VALUE, "value", "0 is not above 0"),
        ("pintle_set_environment", vec![("key", word("seabed_adhesion")), ("value", Real(1.5))], VALUE, "value", "1.5 is above 1"),
        ("pintle_set_environment", vec![("key", word("friction_slip")), ("value", Real(0.0))], VALUE, "value", "0 is not above 0"),
        ("pintle_get_name", vec![("kind", word("spring")), ("id", Int(4))], PINTLE_ERR_BAD_ID, "id", "id = 4 is not a spring"),
        ("pintle_get_joint_compliance", vec![("joints", ids(&[0, 1]))], VALUE, "joints", "joint 1 is SPHERICAL"),
        ("pintle_linearize_inputs", vec![("joints", ids(&[0, 1]))], VALUE, "joints", "joint 1 is SPHERICAL"),
        ("pintle_linearize_inputs", vec![("slides", ids(&[0]))], VALUE, "slides", "joint 0 is REVOLUTE"),
        ("pintle_add_joint_at", vec![("axis", Reals(vec![0.0; 3]))], VALUE, "axis", "zero"),
        ("pintle_set_name", vec![("name", word(""))], VALUE, "name", "has 0 bytes"),
        ("pintle_set_name", vec![("name", word(&"x".repeat(256)))], VALUE, "name", "has 256 bytes"),
        ("pintle_set_name", vec![("name", word("hull"))], VALUE, "name", "\"hull\" is the name of body 0"),
        ("pintle_set_name", vec![("kind", word("spring")), ("id", Int(4))], PINTLE_ERR_BAD_ID, "id", "id = 4 is not a spring"),
        ("pintle_find", vec![("kind", word("joint"))], VALUE, "name", "no joint is named \"hull\""),
        ("pintle_find", vec![("name", word("hulk"))], VALUE, "name", "; did you mean \"hull\"?"),
        ("pintle_quat_from_dcm", vec![("dcm", Reals(vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0]))], VALUE, "dcm", "determinant is -1"),
        ("pintle_quat_from_dcm", vec![("dcm", Reals(vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.000002]))], VALUE, "dcm", "4.000e-6"),
        ("pintle_quat_from_dcm", vec![("dcm", Reals(vec![0.0; 9]))], VALUE, "dcm", "not orthogonal"),
        ("pintle_set_scheme", vec![("name", word("midpoint"))], VALUE, "name", "midpointN takes a number N of substeps from 1 to 1000"),
        ("pintle_set_scheme", vec![("name", word("midpoint0"))], VALUE, "name", "\"midpoint0\" is not a scheme"),
        ("pintle_set_scheme", vec![("name", word("beuler-3"))], VALUE, "name", "beulerN takes"),
        ("pintle_set_scheme", vec![("name", word("midpoint5abc"))], VALUE, "name", "midpointN takes"),
        ("pintle_set_scheme", vec![("name", word("aca 5"))], VALUE, "name", "acaN takes"),
        ("pintle_set_scheme", vec![("name", word("wilson+5"))], VALUE, "name", "wilsonN takes"),
        ("pintle_set_scheme", vec![("name", word("anderson05"))], VALUE, "name", "andersonN takes"),
        ("pintle_set_scheme", vec![("name", word("aca1001"))], VALUE, "name", "from 1 to 1000"),
        ("pintle_set_scheme", vec![("name", word("wilson99999999999999999999"))], VALUE, "name", "from 1 to 1000"),
        ("pintle_set_scheme", vec![("name", word("rk5"))], VALUE, "name", "rk2, rk3, rk4"),
        ("pintle_set_scheme", vec![("name", word("RK4"))], VALUE, "name", "\"RK4\" is not a scheme"),
        ("pintle_set_scheme", vec![("name", word("ab1"))], VALUE, "name", "ab2, ab3, ab4, ab5"),
        ("pintle_suggest_time_step", vec![("radius", Real(-1e-300))], VALUE, "radius", "is negative"),
        ("pintle_solve_equilibrium", vec![("tolerance", Real(0.0))], VALUE, "tolerance", "0 is not between 0 and 1"),
        ("pintle_solve_equilibrium", vec![("tolerance", Real(1.0))], VALUE, "tolerance", "1 is not between 0 and 1"),
        ("pintle_state_deserialize", vec![("len", Int(0)), ("bytes", Null)], PINTLE_ERR_FORMAT, "bytes", "0 bytes"),
        ("pintle_state_deserialize", vec![("bytes", Bytes(vec![7; 99])), ("len", Int(99))], PINTLE_ERR_FORMAT, "bytes", "99 bytes that are not"),
        ("pintle_state_deserialize", vec![("bytes", Bytes(stranger()))], PINTLE_ERR_FINGERPRINT, "bytes", "another model"),
        ("pintle_write_checkpoint", vec![("path", word(""))], VALUE, "path", "\"\" names no file"),
        ("pintle_read_checkpoint", vec![("path", word(""))], PINTLE_ERR_IO, "path", "\"\""),
        ("pintle_read_checkpoint", vec![("path", File(stranger()))], PINTLE_ERR_FINGERPRINT, "path", "another model"),
        ("pintle_read_checkpoint", vec![("path", File(b"state?".into()))], PINTLE_ERR_FORMAT, "path", "6 bytes that are not"),
        ("pintle_read_checkpoint", vec![("path", File(stranger()[..200].into()))], PINTLE_ERR_FORMAT, "path", "200 bytes"),
    ];
    for (from, to, status, says) in [
        ("pintle_model = 1", "pintle_model = 2", PINTLE_ERR_FORMAT, "line 1, key \"pintle_model\": 2 is not a version"),
        ("mass = 2.0", "mass = ", PINTLE_ERR_FORMAT, "line 4"),
        ("mass = 2.0", "mas = 2.0", PINTLE_ERR_FORMAT, "line 4, body 0, key \"mas\": is unknown; known: name, mass,"),
        ("mass = 2.0", "mass = -2.0", VALUE, "line 4, body 0, key \"mass\": mass: -2 is negative"),
        ("mass = 2.0", "mass = nan", PINTLE_ERR_NOT_FINITE, "line 4, body 0, key \"mass\": mass = NaN is not finite"),
    ] {
        let file = File(MODEL.replace(from, to).into());
        cases.push(("pintle_load_model", vec![("path", file)], status, "path", says));
    }
    cases.push(("pintle_load_model", vec![("path", word(""))], PINTLE_ERR_IO, "path", "\"\""));
    for (from, to, status, says) in [
        ("0.1 150.0", "0,1 150.0", PINTLE_ERR_FORMAT, "line 4, \"0.25\": the table has 10 columns"),
        ("0.1 150.0", "-0.1 150.0", VALUE, "line 4, \"chain\": diameter: -0.1 is not above 0"),
        ("2 420", "R1A 420", PINTLE_ERR_FORMAT, "line 13, \"R1A\": no such rod: the file has 0"),
        ("50 WtrDpth", "4 WaveKin", PINTLE_ERR_UNSUPPORTED, "line 15, \"4\": of waves, only 1"),
        ("2 420", "1 420", VALUE, "line 13, \"1\": point_b: 0 is point_a too"),
        ("7.5e8", "rope.dat", PINTLE_ERR_IO, "line 4, \"rope.dat\": path: cannot read"),
        ("7.5e8", "../rope.dat", PINTLE_ERR_FORMAT, "line 4, \"../rope.dat\": is outside the folder of this file"),
    ] {
        let file = File(MOORDYN.replace(from, to).into());
        cases.push(("pintle_load_moordyn", vec![("path", file)], status, "path", says));
    }
    cases.push(("pintle_load_moordyn", vec![("path", word(""))], PINTLE_ERR_IO, "path", "\"\""));
    let file = File(MOORDYN.replace("7.5e8", "../no/rope.dat").into());
    let says = "line 4, \"../no/rope.dat\": path: cannot read";
    cases.push(("pintle_load_trusted_moordyn", vec![("path", file)], PINTLE_ERR_IO, "path", says));
    for (given, status, says) in [
        ("FairTen9", VALUE, "\"FairTen9\": no such line: there are"),
        ("Body1QX", VALUE, "\"Body1QX\": is no name of MoorDyn's outputs"),
        ("Rod1PX", VALUE, "\"Rod1PX\": no such rod"),
        ("Body1FX", PINTLE_ERR_UNSUPPORTED, "\"Body1FX\": net forces on bodies"),
    ] {
        cases.push(("pintle_add_moordyn_channel", vec![("name", word(given))], status, "name", says));
    }
    cases.push(("pintle_save_model", vec![("path", word(""))], VALUE, "path", "\"\" names no file"));
    let outside: [(&str, &[f64]); 28] = [
        ("rho_inf", &[-0.01, 1.01]),
        ("abs_tolerance", &[-1e-9, 1.0]),
        ("rel_tolerance", &[-1e-9, 1.0]),
        ("max_iterations", &[0.0, -1.0, 1.5, 1001.0]),
        ("max_time_step", &[0.0, -1.0]),
        ("input_order", &[-1.0, 0.5, 2.0]),
        ("assemble", &[-1.0, 0.5, 2.0]),
        ("on_no_convergence", &[-1.0, 0.5, 3.0]),
        ("convergence", &[-1.0, 0.5, 2.0]),
        ("energy_tolerance", &[0.0, -1e-3]),
        ("initial_acceleration", &[-1.0, 0.5, 2.0]),
        ("newmark_gamma", &[0.49, 1.01]),
        ("newmark_beta", &[0.0, -0.25, 1.01]),
        ("hht_alpha", &[-0.334, 0.01]),
        ("relaxation", &[-1.0, 0.5, 2.0]),
        ("cfl", &[0.0, -0.5, 1.01]),
        ("linear", &[-1.0, 0.5, 2.0]),
        ("max_substeps", &[0.0, -1.0, 1.5, 1e10]),
        ("integrate_about", &[-1.0, 0.5, 2.0]),
        ("constraint_damping", &[-1.0, 0.5, 2.0]),
        ("relaxation_c0", &[-0.5, -2.0, 1.01]),
        ("relaxation_c1", &[-0.5, -2.0, 1.01]),
        ("line_tension_change", &[-1.0, -1e-300]),
        ("energy_form", &[-1.0, 0.5, 2.0]),
        ("max_events", &[-1.0, 0.5, 1e7]),
        ("rest_speed", &[0.0, -1e-4]),
        ("rotating_modes", &[-1.0, 0.5, 2.0]),
        ("step_tolerance", &[1.0, -1e-4]),
    ];
    assert_eq!(outside.map(|(key, _)| key), pintle::model::OPTION_KEYS, "every option has a range");
    for (key, values) in outside {
        let case = |x, status| ("pintle_set_option", vec![("key", word(key)), ("value", Real(x))], status, "value", "");
        cases.extend(values.iter().map(|x| case(*x, VALUE)));
        cases.push(case(f64::NAN, PINTLE_ERR_NOT_FINITE));
        // Infinity is a valid longest step: no step is then cut.
        let unbounded = key == "max_time_step";
        cases.push(case(f64::NEG_INFINITY, if unbounded { VALUE } else { PINTLE_ERR_NOT_FINITE }));
    }
    cases
}
