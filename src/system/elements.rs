//! Elements in the assembled model: the nodes that they are tied to, the motions of their places,
//! where residuals and tangents are added, and their own variables. The physics of an element is in
//! `crate::elements`.

use super::assembly::Assembly;
use super::energy_form::Stepping;
use super::kinks::EnergyWork;
use super::layout::Layout;
use super::motion::{Motion, State, site};
use super::points::PointElement;
use super::views::ElementForces;
use super::{Environment, System, Workspace};
use crate::elements::line::Fluid;
use crate::elements::{
    Attachment, BeamElement, BodyInWater, ContactForces, Cylinder, EachElement, Element, End, Local, Parts, Quantity,
    Site, Surroundings, Tie, beam,
};
use crate::linear::Assemble;
use crate::model::{EntityKind, Hydrodynamics, LineLength, Load, Loads, Model, Water};
use crate::spatial::{Mat3, Pose, Vec3, Vec6, join, lower, upper};

/// The ties of all elements, one after the other. A place on a point that is attached to a body
/// becomes a place on that body.
pub fn ties(model: &Model, layout: Layout) -> Vec<Tie> {
    let tie = |place: &Attachment| match place.to {
        End::Ground => Tie { node: layout.carriers(), at: place.at },
        End::Body(body) => Tie { node: body, at: place.at },
        End::Point(point) => match model.points[point].body() {
            Some(body) => Tie { node: body, at: model.points[point].position },
            None => Tie { node: layout.point(point), at: place.at },
        },
    };
    let unused = Tie { node: layout.carriers(), at: Vec3::zeros() };
    let all = model.elements.iter().flat_map(|element| {
        let rest = element.reserved() - element.nodes().len();
        element.nodes().iter().map(tie).chain(std::iter::repeat_n(unused, rest))
    });
    all.collect()
}

/// Adds residuals and tangents of elements.
struct Assembling<'p, 'a, A: Assemble> {
    assembly: &'p mut Assembly<'a, A>,
    around: Surroundings<'p>,
    z: &'p [f64],
    /// The host's motion of the water at the places of elements; empty if there is none.
    fluid: &'p [Fluid],
    /// There where elements with kinks are wanted in energy form.
    stepping: Option<Stepping<'p>>,
}

impl<A: Assemble> EachElement for Assembling<'_, '_, A> {
    #[inline(always)]
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        if N > 3 { self.add_large(element, ties, parts) } else { self.add(element, ties, parts) }
    }
}

impl<A: Assemble> Assembling<'_, '_, A> {
    /// An element with many nodes: its blocks take 50 kB of the stack, in models that have any.
    #[inline(never)]
    fn add_large<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        self.add(element, ties, parts);
    }

    #[inline(always)]
    fn add<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        let motions = self.assembly.motions;
        let at = ties.each_ref().map(|tie| site(&motions[tie.node], tie));
        let [wants_mass, wants_tangents] = [A::TAKES && E::HAS_MASS, self.assembly.wants_tangents()];
        let around = in_water(&self.around, self.fluid, &parts);
        let mut local = Local::zero(wants_mass, wants_tangents);
        match &mut self.stepping {
            Some(stepping) if element.memories() > 0 => {
                stepping.element(element, ties, &at, (&around, &self.z[parts.own]), &mut local);
            }
            _ => element.evaluate(&at, &around, &self.z[parts.own], &mut local),
        }
        self.assembly.add_local(ties.each_ref().map(|tie| tie.node), &local);
    }
}

/// The surroundings of an element, with its part of the host's motion of the water.
#[inline(always)]
fn in_water<'w>(around: &Surroundings<'w>, fluid: &'w [Fluid], parts: &Parts) -> Surroundings<'w> {
    Surroundings { fluid: fluid.get(parts.water.clone()).unwrap_or_default(), ..*around }
}

impl System {
    /// Motions of the places of an element at a state.
    pub(super) fn sites<const N: usize>(&self, ties: &[Tie; N], state: &State) -> [Site; N] {
        ties.each_ref().map(|tie| site(&self.motion_of(tie.node, state), tie))
    }
}

/// Outputs of one element by name.
struct Outputs<'p> {
    system: &'p System,
    state: &'p State,
    around: Surroundings<'p>,
    fluid: &'p [Fluid],
    each: &'p mut dyn FnMut(f64),
}

impl EachElement for Outputs<'_> {
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        let around = in_water(&self.around, self.fluid, &parts);
        element.output_values(&self.system.sites(ties, self.state), &around, &self.state.z[parts.own], self.each);
    }
}

/// Sums of energies and momentum.
struct Sums<'p> {
    system: &'p System,
    state: &'p State,
    around: Surroundings<'p>,
    fluid: &'p [Fluid],
    /// Point of reference of the angular momentum, from where positions are measured.
    about: Vec3,
    kinetic: f64,
    potential: f64,
    momentum: Vec6,
}

impl EachElement for Sums<'_> {
    #[inline(never)]
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        let (at, z) = (self.system.sites(ties, self.state), &self.state.z[parts.own.clone()]);
        let around = in_water(&self.around, self.fluid, &parts);
        self.potential += element.potential(&at, &around, z);
        let mut local = Local::zero(E::HAS_MASS, false);
        let Some(_) = &local.mass else { return };
        element.evaluate(&at, &around, z, &mut local);
        let nodes = ties.each_ref().map(|tie| self.system.motion_of(tie.node, self.state));
        for (row, mass) in nodes.iter().zip(local.mass.iter().flatten()) {
            // M v.
            let momentum: Vec6 = mass.iter().zip(&nodes).map(|(mass, node)| mass * join(&node.v, &node.omega)).sum();
            let (linear, angular) = (upper(&momentum), lower(&momentum));
            self.kinetic += 0.5 * (linear.dot(&row.v) + angular.dot(&row.omega));
            self.momentum += join(&linear, &(angular + (row.x - self.about).cross(&linear)));
        }
    }
}

/// Sets own variables at a start.
struct Begin<'p> {
    system: &'p System,
    state: &'p State,
    around: Surroundings<'p>,
    z: &'p mut [f64],
}

impl EachElement for Begin<'_> {
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        if !parts.own.is_empty() {
            element.begin(&self.system.sites(ties, self.state), &self.around, &mut self.z[parts.own]);
        }
    }
}

/// Advances own variables to the end of a step.
struct Advance<'p> {
    system: &'p System,
    state: &'p State,
    around: Surroundings<'p>,
    z: &'p mut [f64],
    h: f64,
}

impl EachElement for Advance<'_> {
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        if !parts.own.is_empty() {
            element.advance(&self.system.sites(ties, self.state), &self.around, &mut self.z[parts.own], self.h);
        }
    }
}

/// Finds the first event between two states.
struct Events<'p> {
    system: &'p System,
    from: &'p State,
    to: &'p State,
    first: Option<f64>,
}

impl EachElement for Events<'_> {
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        if E::HAS_EVENTS {
            let [from, to] = [self.from, self.to].map(|state| self.system.sites(ties, state));
            let found = element.event((&from, &self.from.z[parts.own.clone()]), (&to, &self.to.z[parts.own]));
            self.first = self.first.into_iter().chain(found).reduce(f64::min);
        }
    }
}

impl ElementForces<'_> {
    /// Adds residuals and tangents of all elements, whose own variables are `z`; `fluid` as for
    /// points.
    #[inline(always)]
    pub(super) fn assemble<A: Assemble>(
        self,
        e: &Environment,
        z: &[f64],
        fluid: &[Fluid],
        energy: &mut EnergyWork,
        assembly: &mut Assembly<A>,
    ) {
        let around = self.around(e);
        let stepping = e.form.as_ref().map(|form| Stepping::begin(form, self.0, energy));
        let fluid = fluid.get(self.0.layout.chained() + self.0.points.len()..).unwrap_or_default();
        let mut pass = Assembling { assembly, around, z, fluid, stepping };
        self.0.elements.each(&self.0.connections, &mut pass);
        if let Assembling { stepping: Some(stepping), assembly, .. } = pass {
            stepping.end(assembly.residual);
        }
    }

    /// Adds an element on one node that is not in the list.
    #[inline(always)]
    fn assemble_one<E: Element<1>, A: Assemble>(
        self,
        element: &E,
        tie: &Tie,
        around: &Surroundings,
        wants_tangents: bool,
        assembly: &mut Assembly<A>,
    ) {
        let at = [site(&assembly.motions[tie.node], tie)];
        let mut local = Local::zero(A::TAKES && E::HAS_MASS, wants_tangents);
        element.evaluate(&at, around, &[], &mut local);
        assembly.add_local([tie.node], &local);
    }

    /// Adds coefficients of the fluid and the load of a body, both about the reference point.
    #[inline(always)]
    pub(super) fn assemble_given<A: Assemble>(
        self,
        e: &Environment,
        body: usize,
        fluid: &[Fluid],
        assembly: &mut Assembly<A>,
    ) {
        let (own, load) = (e.hydrodynamics.get(body).filter(|own| own.act()), &e.loads.bodies[body]);
        let in_water = self.0.in_water[body];
        if own.is_none() && in_water.is_none() && !load.acts() {
            return;
        }
        let (tie, around) = (Tie { node: body, at: self.0.references[body] }, self.surroundings(e.time, e.water));
        let wants_tangents = assembly.wants_tangents();
        if let Some((place, part)) = in_water {
            let around = Surroundings { fluid: fluid.get(place..place + 1).unwrap_or_default(), ..around };
            let body = BodyInWater { coefficients: own.unwrap_or(&Hydrodynamics::NONE), part };
            self.assemble_one(&body, &tie, &around, wants_tangents, assembly);
        } else if let Some(own) = own {
            self.assemble_one(own, &tie, &around, wants_tangents, assembly);
        }
        if load.acts() {
            self.assemble_one(load, &tie, &around, wants_tangents, assembly);
        }
    }

    /// Adds the loads on all markers.
    #[inline(always)]
    pub(super) fn assemble_markers<A: Assemble>(self, e: &Environment, assembly: &mut Assembly<A>) {
        let loads = self.0.markers.iter().zip(&e.loads.markers);
        for ((body, frame), load) in loads.filter(|(_, load)| load.acts()) {
            let (tie, around) = (Tie { node: *body, at: frame.position }, self.surroundings(e.time, e.water));
            self.assemble_one(load, &tie, &around, assembly.wants_tangents(), assembly);
        }
    }

    /// Adds masses and loads of all points; `fluid` has the motion of the water at the nodes of
    /// lines, then at the points, then at the places of elements, then at the bodies in water.
    #[inline(always)]
    pub(super) fn assemble_points<A: Assemble>(self, e: &Environment, fluid: &[Fluid], assembly: &mut Assembly<A>) {
        for (k, (PointElement { tie, mass }, load)) in self.0.points.iter().zip(&e.loads.points).enumerate() {
            let mut around = self.surroundings(e.time, e.water);
            if let Some(mass) = mass {
                let place = self.0.layout.chained() + k;
                around.fluid = fluid.get(place..place + 1).unwrap_or_default();
                // Without water, a mass does not depend on its place.
                let wants_tangents = mass.wet.is_some() && assembly.wants_tangents();
                self.assemble_one(mass, tie, &around, wants_tangents, assembly);
            }
            if load.force != Vec3::zeros() {
                // The lever arm of a point on a body turns.
                let wants_tangents = tie.node < self.0.layout.bodies() && assembly.wants_tangents();
                self.assemble_one(load, tie, &around, wants_tangents, assembly);
            }
        }
    }

    /// The surroundings of elements in an environment.
    #[inline(always)]
    pub(super) fn around<'w>(self, e: &Environment<'w>) -> Surroundings<'w> {
        let lengths = [&[][..], self.lengths(&e.loads.lines)];
        Surroundings { loads: &e.loads.beams, lengths, ..self.surroundings(e.time, e.water) }
    }

    /// The lengths of tendons, which come after those of lines.
    #[inline(always)]
    pub(super) fn lengths(self, all: &[LineLength]) -> &[LineLength] {
        all.get(self.0.lines.len()..).unwrap_or_default()
    }

    pub(super) fn surroundings<'w>(self, time: f64, water: &'w Water) -> Surroundings<'w> {
        let (gravity, origin) = (self.0.gravity, self.0.origin);
        Surroundings { time, gravity, origin, water, loads: &[], lengths: [&[]; 2], fluid: &[] }
    }

    /// Sets the own variables of all elements to those of a start at a state; `lengths` as for
    /// energies.
    pub fn begin(self, state: &mut State, water: &Water, lengths: &[LineLength]) {
        if self.0.connections.states() > 0 {
            let mut z = std::mem::take(&mut state.z);
            let lengths = [&[][..], self.lengths(lengths)];
            let around = Surroundings { lengths, ..self.surroundings(state.time, water) };
            self.0.elements.each(&self.0.connections, &mut Begin { system: self.0, state, around, z: &mut z });
            state.z = z;
        }
    }

    /// Copies own variables from a state for the next evaluations.
    #[inline(always)]
    pub fn take_own(self, state: &State, workspace: &mut Workspace) {
        workspace.z.clone_from(&state.z);
        workspace.lines.take_own(state);
    }

    /// Ends an internal step of length `h` in water between two states, with `lengths` at its end:
    /// advances the own variables of all elements, which have their values at the start in both
    /// states, to the end. Returns the part of the step after which the first element switches its
    /// law, if one does.
    #[inline(always)]
    pub fn conclude(
        self,
        from: &State,
        to: &mut State,
        (water, lengths): (&Water, &[LineLength]),
        h: f64,
    ) -> Option<f64> {
        if self.0.connections.states() > 0 {
            let mut z = std::mem::take(&mut to.z);
            let lengths = [&[][..], self.lengths(lengths)];
            let around = Surroundings { lengths, ..self.surroundings(to.time, water) };
            self.0.elements.each(&self.0.connections, &mut Advance { system: self.0, state: to, around, z: &mut z, h });
            to.z = z;
        }
        if !self.0.elements.have_events() {
            return None;
        }
        let mut events = Events { system: self.0, from, to, first: None };
        self.0.elements.each(&self.0.connections, &mut events);
        events.first
    }

    /// Kinetic and potential energy of all elements, and their linear momentum and angular momentum
    /// about a point, measured from the model's origin. `lengths` as for energies.
    pub(super) fn sums(self, state: &State, water: &Water, lengths: &[LineLength], about: Vec3) -> (f64, f64, Vec6) {
        let (lengths, fluid) = ([&[][..], self.lengths(lengths)], self.fluid(state));
        let around = Surroundings { lengths, ..self.surroundings(state.time, water) };
        let (kinetic, potential, momentum) = (0.0, 0.0, Vec6::zeros());
        let mut sums = Sums { system: self.0, state, around, fluid: &fluid, about, kinetic, potential, momentum };
        self.0.elements.each(&self.0.connections, &mut sums);
        (sums.kinetic, sums.potential, sums.momentum)
    }

    /// The host's motion of the water at the places of elements in a state.
    fn fluid(self, state: &State) -> Vec<Fluid> {
        let places = self.0.connections.water_places();
        if places == 0 {
            return Vec::new();
        }
        state.fluid().skip(self.0.layout.chained() + self.0.points.len()).collect()
    }

    /// What a function finds of a cylinder at its place in the water, from its own variables, too.
    pub fn of_cylinder<T>(
        self,
        cylinder: usize,
        (state, water): (&State, &Water),
        find: impl FnOnce(&Cylinder, &Site, &Surroundings, &[f64]) -> T,
    ) -> T {
        let ties = self.0.elements.ties_of(EntityKind::Cylinder, &self.0.connections);
        let parts = self.0.connections.parts(self.0.elements.place(EntityKind::Cylinder, cylinder));
        let (fluid, [at]) = (self.fluid(state), self.0.sites(&[ties[cylinder]], state));
        let around = in_water(&self.surroundings(state.time, water), &fluid, &parts);
        find(&self.0.elements.cylinders[cylinder], &at, &around, &state.z[parts.own])
    }

    /// The places of both ends of a contact.
    pub(super) fn contact_sites(self, contact: usize, state: &State) -> [Site; 2] {
        self.0.sites(&self.contact_ties(contact), state)
    }

    /// The nodes of a contact.
    pub(super) fn contact_nodes(self, contact: usize) -> [usize; 2] {
        self.contact_ties(contact).map(|tie| tie.node)
    }

    fn contact_ties(self, contact: usize) -> [Tie; 2] {
        self.0.elements.ties_of(EntityKind::Contact, &self.0.connections).as_chunks().0[contact]
    }

    /// The forces of a contact.
    pub fn contact_forces(self, contact: usize, state: &State) -> ContactForces {
        let own = self.0.connections.parts(self.0.elements.place(EntityKind::Contact, contact)).own;
        self.0.elements.contacts[contact].forces(&self.contact_sites(contact, state), &state.z[own])
    }

    /// The places of both ends of an element of a beam.
    fn beam_sites(self, element: usize, state: &State) -> [Site; 2] {
        let ties = self.0.elements.ties_of(EntityKind::BeamElement, &self.0.connections);
        self.0.sites(&ties.as_chunks().0[element], state)
    }

    /// How many places of loads beams have.
    pub fn load_places(self) -> usize {
        self.0.elements.beam_elements.iter().map(BeamElement::load_places).max().unwrap_or(0)
    }

    /// Visits the places of loads on beams: their loads, and the rotations of their sections.
    pub fn each_load_axes(self, state: &State, mut each: impl FnMut(usize, Mat3)) {
        for (index, element) in self.0.elements.beam_elements.iter().enumerate() {
            element.load_axes(&self.beam_sites(index, state)).for_each(|(load, r)| each(load, r));
        }
    }

    /// The motion of a place of a load on an element of a beam; positions measured from the model's
    /// origin.
    pub fn load_motion(self, element: usize, reference: &beam::Reference, state: &State) -> (Pose, Vec6) {
        self.0.elements.beam_elements[element].load_motion(&self.beam_sites(element, state), reference)
    }

    /// The pose of a section of an element of a beam, and its wrench
    /// (`BeamElement::section_wrench`).
    pub fn section_wrench(
        self,
        element: usize,
        (stretch, s, damped): (&beam::Stretch, f64, bool),
        (state, loads, water): (&State, &[Load], &Water),
    ) -> Option<(Pose, Vec6)> {
        let around = Surroundings { loads, ..self.surroundings(state.time, water) };
        self.0.elements.beam_elements[element].section_wrench(
            &self.beam_sites(element, state),
            &around,
            stretch,
            s,
            damped,
        )
    }

    /// The motion of a section of an element of a beam; positions measured from the model's origin.
    pub fn section_motion(self, element: usize, reference: &Pose, state: &State) -> (Pose, Vec6) {
        self.0.elements.beam_elements[element].section_motion(&self.beam_sites(element, state), reference)
    }

    /// Of the elements of beams, the one whose ends are turned furthest against each other at
    /// motions of the carriers, with the angle (rad), where its law ends before.
    pub fn overturned(self, motions: &[Motion]) -> Option<(usize, f64)> {
        let ties = self.0.elements.ties_of(EntityKind::BeamElement, &self.0.connections).as_chunks().0;
        let turn = |ties: &[Tie; 2], element: &BeamElement| {
            element.turn(&ties.each_ref().map(|tie| site(&motions[tie.node], tie)))
        };
        let turns = ties.iter().zip(&self.0.elements.beam_elements).map(|(ties, element)| turn(ties, element));
        turns.enumerate().filter(|(_, turn)| *turn >= beam::MOST_TURN).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Length and tension of a spring.
    pub fn spring_force(self, spring: usize, state: &State) -> (f64, f64) {
        let ties = &self.0.elements.ties_of(EntityKind::Spring, &self.0.connections).as_chunks().0[spring];
        self.0.elements.springs[spring].length_and_tension(&self.0.sites(ties, state))
    }

    /// Outputs of an element by name.
    pub fn outputs(
        self,
        kind: EntityKind,
        index: usize,
        (state, loads, water): (&State, &Loads, &Water),
        each: &mut dyn FnMut(&'static str, Quantity, f64),
    ) {
        if let Some(element) = self.0.elements.get(kind, index) {
            let mut names = element.outputs().0.iter();
            let each = &mut |value| {
                if let Some((name, quantity)) = names.next() {
                    each(name, *quantity, value);
                }
            };
            let lengths = [&[][..], self.lengths(&loads.lines)];
            let around = Surroundings { loads: &loads.beams, lengths, ..self.surroundings(state.time, water) };
            let fluid = self.fluid(state);
            let mut outputs = Outputs { system: self.0, state, around, fluid: &fluid, each };
            self.0.elements.one(kind, index, &self.0.connections, &mut outputs);
            if kind == EntityKind::Spring {
                (outputs.each)(state.lines.means[2 * self.0.lines.len() + index]);
            }
        }
    }
}
