//! The elastic catenary, hanging freely or touching a flat bed: where the statics of a line start.
//!
//! A line of unstretched length L, weight w per length and stiffness EA hangs between two places
//! that are X apart along the level and Z in height. Its horizontal force H and the vertical force
//! V at the lower end are the least of the convex function
//!
//! ```text
//! int_0^L (T + T^2/(2 EA)) ds - H X - (V + w L/2) Z ...,      T(s) = sqrt(H^2 + (V + w s)^2)
//! ```
//!
//! whose gradient says that the span fits (complementary energy). So Newton's method with shortened
//! steps finds them from anywhere. On the bed the two hanging parts follow from H alone, and the
//! span rises with H: a root between two bounds.

use crate::spatial::Vec3;

/// Steps of the searches; a dozen is common.
const MOST_STEPS: u32 = 200;

/// A span this short in lengths of the line has no direction of its own, and is treated as one so
/// long.
const SHORTEST: f64 = 1e-4;

/// A weight that stretches the line by less than this part does not bend it either.
const WEIGHTLESS: f64 = 1e-13;

/// What hangs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hanging {
    /// Unstretched length L.
    pub length: f64,
    /// Weight less buoyancy per unstretched length; below 0 it rises.
    pub weight: f64,
    /// Stiffness EA.
    pub stiffness: f64,
    /// z of what it may lie on: the bed, or the water's surface for a line that rises.
    pub floor: Option<f64>,
    /// How far it sinks into that at rest.
    pub penetration: f64,
}

/// Puts nodes, equally spaced along the unstretched line, where it hangs at rest between two ends;
/// z is up. The first and the last are the ends.
pub fn hang(of: &Hanging, ends: [Vec3; 2], nodes: &mut [Vec3]) {
    let last = nodes.len() - 1;
    let rises = of.weight < 0.0;
    let up = if rises { -1.0 } else { 1.0 };
    let heights = ends.map(|end| up * end.z);
    let lower = usize::from(heights[1] < heights[0]);
    let (a, b) = (ends[lower], ends[1 - lower]);
    let across = Vec3::new(b.x - a.x, b.y - a.y, 0.0);
    let distance = across.norm();
    let direction = if distance > 0.0 { across / distance } else { Vec3::x() };
    let sideways = Vec3::new(-direction.y, direction.x, 0.0);
    let plane = Plane {
        length: of.length,
        weight: of.weight.abs(),
        stiffness: of.stiffness,
        span: distance,
        height: heights[1 - lower] - heights[lower],
        clearance: of.floor.map(|floor| (heights[lower] - up * floor).max(0.0)),
    };
    let shape = plane.shape();
    for (k, node) in nodes.iter_mut().enumerate() {
        let from_lower = if lower == 0 { k } else { last - k };
        let [x, y, z] = plane.place(&shape, of.length * from_lower as f64 / last as f64);
        *node = a + direction * x + sideways * y + Vec3::new(0.0, 0.0, up * z);
        if let Some(floor) = of.floor {
            let deepest = up * floor - of.penetration;
            if up * node.z < up * floor + 1e-3 * of.penetration {
                node.z = up * deepest;
            }
        }
    }
    (nodes[0], nodes[last]) = (ends[0], ends[1]);
}

/// A line in the plane of its ends, seen from the lower one.
#[derive(Debug, Clone, Copy)]
struct Plane {
    length: f64,
    /// Not negative.
    weight: f64,
    stiffness: f64,
    /// X.
    span: f64,
    /// Z, not negative.
    height: f64,
    /// Height of the lower end over the bed.
    clearance: Option<f64>,
}

/// How a line hangs.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    /// Straight from end to end.
    Straight,
    /// Straight down, stretched by its weight: V at the lower end.
    Upright { vertical: f64 },
    /// H, and V at the lower end (the pull of the line on it; negative where it sags below).
    Free { horizontal: f64, vertical: f64 },
    /// H, and the unstretched lengths that hang at both ends.
    Touching { horizontal: f64, hanging: [f64; 2] },
}

impl Plane {
    fn shape(&self) -> Shape {
        let Plane { length, weight, stiffness, height, .. } = *self;
        if weight * length <= WEIGHTLESS * stiffness {
            return Shape::Straight;
        }
        let narrow = self.span < SHORTEST * length;
        let upright = (height - length) * stiffness / length - 0.5 * weight * length;
        if narrow && upright >= 0.0 {
            return Shape::Upright { vertical: upright };
        }
        let wide = Plane { span: self.span.max(SHORTEST * length), ..*self };
        let (horizontal, vertical) = wide.free();
        let lowest = if vertical < 0.0 {
            let deepest = (-vertical).min(weight * length);
            let tension = vertical.hypot(horizontal);
            let end = (vertical + deepest).hypot(horizontal);
            (tension - end) / weight + (tension * tension - end * end) / (2.0 * stiffness * weight)
        } else {
            0.0
        };
        match self.clearance {
            Some(clearance) if lowest > clearance => self.touching(clearance),
            _ => Shape::Free { horizontal, vertical },
        }
    }

    /// H, V at the lower end, where nothing is touched.
    fn free(&self) -> (f64, f64) {
        let Plane { length, weight, span, height, .. } = *self;
        let slack = ((length * length - height * height) / (span * span) - 1.0).max(0.0) * 3.0;
        let lambda = if slack > 0.0 { slack.sqrt().clamp(0.2, 50.0) } else { 0.2 };
        let mut horizontal = 0.5 * weight * span / lambda;
        let mut vertical = 0.5 * weight * (height / lambda.tanh() - length);
        for _ in 0..MOST_STEPS {
            let (fit, [hh, hv, vv]) = self.misfit(horizontal, vertical);
            if fit[0].abs() + fit[1].abs() < 1e-14 * (length + span + height) {
                break;
            }
            let determinant = hh * vv - hv * hv;
            let step = [(hv * fit[1] - vv * fit[0]) / determinant, (hv * fit[0] - hh * fit[1]) / determinant];
            if !(step[0].is_finite() && step[1].is_finite()) {
                break;
            }
            let slope = fit[0] * step[0] + fit[1] * step[1];
            // H stays positive, and the least of the function is not run over by more than half.
            let mut part = if step[0] < -0.9 * horizontal { -0.9 * horizontal / step[0] } else { 1.0 };
            for _ in 0..20 {
                let (next, _) = self.misfit(horizontal + part * step[0], vertical + part * step[1]);
                let end = next[0] * step[0] + next[1] * step[1];
                if end <= -0.5 * slope {
                    break;
                }
                part *= (slope / (slope - end)).max(0.1);
            }
            let before = (horizontal, vertical);
            horizontal += part * step[0];
            vertical += part * step[1];
            if before == (horizontal, vertical) {
                break;
            }
        }
        (horizontal, vertical)
    }

    /// By how much the span of a line with these forces is too large, along the level and in
    /// height, and the derivatives: `dX/dH`, `dX/dV = dZ/dH`, `dZ/dV`.
    fn misfit(&self, horizontal: f64, vertical: f64) -> ([f64; 2], [f64; 3]) {
        let Plane { length, weight, stiffness, span, height, .. } = *self;
        let (x, z) = self.at(horizontal, vertical, length);
        let upper = vertical + weight * length;
        let (ta, tb) = (horizontal.hypot(vertical), horizontal.hypot(upper));
        let stretch = length / stiffness;
        let turned = (upper / tb - vertical / ta) / weight;
        let angle = rise(horizontal, vertical, weight * length).asinh() / weight;
        let across = horizontal * (1.0 / tb - 1.0 / ta) / weight;
        ([x - span, z - height], [angle - turned + stretch, across, turned + stretch])
    }

    /// Where the unstretched length s from the lower end is, nothing being touched.
    fn at(&self, horizontal: f64, vertical: f64, s: f64) -> (f64, f64) {
        along(self.weight, self.stiffness, horizontal, vertical, s)
    }

    /// On the bed, the lower end `clearance` above it.
    fn touching(&self, clearance: f64) -> Shape {
        let Plane { length, stiffness, span, height, .. } = *self;
        let heights = [clearance, clearance + height];
        let hanging = |horizontal: f64| heights.map(|height| self.lifted(horizontal, height) / self.weight);
        let excess = |horizontal: f64| {
            let lying = length - hanging(horizontal).iter().sum::<f64>();
            let across = heights.map(|height| {
                let vertical = self.lifted(horizontal, height);
                self.at(horizontal, 0.0, vertical / self.weight).0
            });
            lying * (1.0 + horizontal / stiffness) + across[0] + across[1] - span
        };
        if excess(0.0) >= 0.0 {
            return Shape::Touching { horizontal: 0.0, hanging: hanging(0.0) };
        }
        let (mut low, mut high) = (0.0, self.weight * (span + length));
        let (mut below, mut above) = (excess(low), excess(high));
        // A bound that is zero would stay zero.
        while above < 0.0 && high > 0.0 && high < f64::MAX.sqrt() {
            (low, below) = (high, above);
            high *= 4.0;
            above = excess(high);
        }
        // Regula falsi that halves the weight of a bound that stays (Illinois), with bisections
        // between.
        let mut horizontal = high;
        for k in 0..MOST_STEPS {
            horizontal = if k % 3 == 2 { 0.5 * (low + high) } else { (low * above - high * below) / (above - below) };
            let found = excess(horizontal);
            if found.abs() < 1e-14 * (length + span) || !(horizontal > low && horizontal < high) {
                break;
            }
            if found < 0.0 {
                (low, below) = (horizontal, found);
                above *= 0.5;
            } else {
                (high, above) = (horizontal, found);
                below *= 0.5;
            }
        }
        Shape::Touching { horizontal, hanging: hanging(horizontal) }
    }

    /// V of the line that hangs from a height down to the bed: `T - H` follows from a quadratic.
    fn lifted(&self, horizontal: f64, height: f64) -> f64 {
        let Plane { weight, stiffness, .. } = *self;
        let (rise, stretched) = (weight * height, 1.0 + horizontal / stiffness);
        let more = 2.0 * rise / (stretched + (stretched * stretched + 2.0 * rise / stiffness).sqrt());
        (more * (more + 2.0 * horizontal)).sqrt()
    }

    /// Where the unstretched length s from the lower end is: along, sideways, up.
    fn place(&self, shape: &Shape, s: f64) -> [f64; 3] {
        let Plane { length, weight, stiffness, span, height, clearance } = *self;
        let part = s / length;
        match *shape {
            Shape::Straight => [span * part, 0.0, height * part],
            Shape::Upright { vertical } => [span * part, 0.0, s + (vertical + 0.5 * weight * s) * s / stiffness],
            Shape::Free { horizontal, vertical } => {
                let (x, z) = self.at(horizontal, vertical, s);
                [x - (SHORTEST * length - span).max(0.0) * part, 0.0, z]
            }
            Shape::Touching { horizontal, hanging } => {
                let bed = -clearance.unwrap_or(0.0);
                let across = |s: f64| self.at(horizontal, 0.0, s);
                let [first, last] = [hanging[0], length - hanging[1]];
                if s < first {
                    let (x, z) = across(first - s);
                    return [across(first).0 - x, 0.0, bed + z];
                }
                if s > last {
                    let (x, z) = across(s - last);
                    return [span - across(hanging[1]).0 + x, 0.0, bed + z];
                }
                let lying = last - first;
                let (from, to) = (across(first).0, span - across(hanging[1]).0);
                let part = (s - first) / lying.max(f64::MIN_POSITIVE);
                // Line that is heaped up in one place goes aside and back, a fifth as long as it
                // is: nodes stay apart.
                let crowded = (0.2 * lying - (to - from)).max(0.0);
                [from + (to - from) * part, crowded * (0.5 - (part - 0.5).abs()), bed]
            }
        }
    }
}

/// How far along the level and up the unstretched length s of a line goes, whose forces where it
/// begins are H and V.
pub(super) fn along(weight: f64, stiffness: f64, horizontal: f64, vertical: f64, s: f64) -> (f64, f64) {
    let upper = vertical + weight * s;
    let stretched = (vertical + 0.5 * weight * s) * s / stiffness;
    if horizontal == 0.0 && vertical >= 0.0 {
        return (0.0, s + stretched);
    }
    let x = horizontal / weight * rise(horizontal, vertical, weight * s).asinh() + horizontal * s / stiffness;
    // (T_b - T_a)/w, without the difference of large numbers.
    let tensions = horizontal.hypot(vertical) + horizontal.hypot(upper);
    (x, s * (vertical + upper) / tensions + stretched)
}

/// `sinh` of the difference of the angles' asinh between V and V + d at horizontal force H, without
/// the difference of large numbers.
fn rise(horizontal: f64, vertical: f64, more: f64) -> f64 {
    let (a, b) = (vertical / horizontal, (vertical + more) / horizontal);
    let (ra, rb) = (a.hypot(1.0), b.hypot(1.0));
    if a * b > 0.0 { more / horizontal * (a + b) / (b * ra + a * rb) } else { b * ra - a * rb }
}
