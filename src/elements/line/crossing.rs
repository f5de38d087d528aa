//! The elastic catenary through the surface of the water: of a line lighter than water between an
//! end in the air and one below.
//!
//! From where it crosses the surface it hangs up to one end by its weight, and down to the other by
//! its buoyancy less its weight: the same curve twice, with the horizontal force H and the vertical
//! force V of the crossing, each growing by the weight from there on. A slack line lies on the
//! surface between both, and there V is 0. The heights give the lengths of both parts by H and V,
//! their sum gives V by H, and the span, which rises with H, gives H.

use super::catenary::along;
use crate::spatial::Vec3;

/// Halvings of a bound: of 1e30 to rounding.
const HALVINGS: u32 = 150;

/// What hangs between an end in the air and one in the water; of pairs, the first is the part in
/// the air.
#[derive(Debug, Clone, Copy)]
pub struct Crossing {
    /// Unstretched length L.
    pub length: f64,
    /// Stiffness EA.
    pub stiffness: f64,
    /// Weight, and buoyancy less weight, per unstretched length.
    pub weights: [f64; 2],
    /// z of the surface.
    pub surface: f64,
}

/// The two parts, one above and one below.
#[derive(Debug, Clone, Copy)]
struct Limbs {
    of: Crossing,
    heights: [f64; 2],
}

/// Puts nodes, equally spaced along the unstretched line, where it is at rest between an end above
/// the surface and one below it; z is up. The first and the last are the ends.
pub fn cross(of: &Crossing, [above, below]: [Vec3; 2], nodes: &mut [Vec3]) {
    let last = nodes.len() - 1;
    let across = Vec3::new(below.x - above.x, below.y - above.y, 0.0);
    let span = across.norm();
    let direction = if span > 0.0 { across / span } else { Vec3::x() };
    let sideways = Vec3::new(-direction.y, direction.x, 0.0);
    let limbs = Limbs { of: *of, heights: [above.z - of.surface, of.surface - below.z] };
    let horizontal = root(|horizontal| limbs.span(horizontal) - span, limbs.of.weights[0] * (of.length + span));
    let vertical = limbs.vertical(horizontal);
    let lengths = limbs.lengths(horizontal, vertical);
    let at = |limb: usize, s: f64| along(of.weights[limb], of.stiffness, horizontal, vertical, s);
    let [first, second] = [0, 1].map(|limb| at(limb, lengths[limb]).0);
    let lying = (of.length - lengths[0] - lengths[1]).max(0.0);
    for (k, node) in nodes.iter_mut().enumerate() {
        let from_above = of.length * k as f64 / last as f64;
        let from_below = of.length - from_above;
        let [x, y, z] = if from_above < lengths[0] {
            let (x, z) = at(0, lengths[0] - from_above);
            [first - x, 0.0, z]
        } else if from_below < lengths[1] {
            let (x, z) = at(1, lengths[1] - from_below);
            [span - second + x, 0.0, -z]
        } else {
            // Without line left over, a node at the crossing is there but for rounding.
            let part = ((from_above - lengths[0]) / lying.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            let room = span - second - first;
            // Line that is heaped up in one place goes aside and back, a fifth as long as it is:
            // nodes stay apart.
            let crowded = (0.2 * lying - room).max(0.0);
            [first + room * part, crowded * (0.5 - (part - 0.5).abs()), 0.0]
        };
        *node = Vec3::new(above.x, above.y, of.surface + z) + direction * x + sideways * y;
    }
    (nodes[0], nodes[last]) = (above, below);
}

impl Limbs {
    /// V at the other ends follow from quadratics of the tensions; their differences from that at
    /// the crossing are the weights.
    fn lengths(&self, horizontal: f64, vertical: f64) -> [f64; 2] {
        let (stiffness, tension) = (self.of.stiffness, horizontal.hypot(vertical));
        [0, 1].map(|limb| {
            let weight = self.of.weights[limb];
            let (rise, stretched) = (weight * self.heights[limb], 1.0 + tension / stiffness);
            let more = 2.0 * rise / (stretched + (stretched * stretched + 2.0 * rise / stiffness).sqrt());
            let gained = more * (more + 2.0 * tension);
            gained / ((gained + vertical * vertical).sqrt() + vertical).max(f64::MIN_POSITIVE) / weight
        })
    }

    /// V at the crossing: 0 where line is left over.
    fn vertical(&self, horizontal: f64) -> f64 {
        let missing = |vertical: f64| self.of.length - self.lengths(horizontal, vertical).iter().sum::<f64>();
        root(missing, self.of.weights[0] * self.of.length)
    }

    fn span(&self, horizontal: f64) -> f64 {
        let vertical = self.vertical(horizontal);
        let lengths = self.lengths(horizontal, vertical);
        let of = &self.of;
        let parts = [0, 1].map(|limb| along(of.weights[limb], of.stiffness, horizontal, vertical, lengths[limb]).0);
        let lying = (of.length - lengths[0] - lengths[1]).max(0.0);
        parts[0] + parts[1] + lying * (1.0 + horizontal / of.stiffness)
    }
}

/// Where a rising function of a number that is not negative passes zero, by halving; 0 where it is
/// positive there. `near`: where to look first.
fn root(f: impl Fn(f64) -> f64, near: f64) -> f64 {
    if f(0.0) >= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, near);
    // A bound that is zero would stay zero.
    while f(high) < 0.0 && high > 0.0 && high < f64::MAX.sqrt() {
        (low, high) = (high, 4.0 * high);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    high
}
