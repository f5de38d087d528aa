//! Code that is generated from the list of elements: one vector per kind, so that a pass over all
//! of them dispatches once per kind and not once per element.

use super::{Description, Element, EntityKind, MOST_NODES, Tie};
use std::ops::Range;

/// A kind of the list.
pub trait Listed: Description + Clone + Default {
    /// Its number of nodes.
    const NODES: usize;

    /// Its vector.
    fn list(elements: &mut Elements) -> &mut Vec<Self>;
}

/// A pass over the kinds of the list, independent of their elements.
pub trait EachKind {
    /// The error that ends it early.
    type Error;

    /// Visits one kind.
    fn kind<E: Listed>(&mut self) -> Result<(), Self::Error>;
}

/// A pass over elements: it receives each with its ties and its parts of lists.
pub trait EachElement {
    /// Visits one element.
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts);
}

/// Parts of an element in lists of all elements.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// Its own variables.
    pub own: Range<usize>,
    /// The places at which it asks for the motion of the water.
    pub water: Range<usize>,
}

/// Ties and own variables of all elements, in their order.
#[derive(Debug, Clone, Default)]
pub struct Connections {
    /// The nodes of all elements, one element after the other.
    pub ties: Vec<Tie>,
    /// Ends of the own variables, and of the places in the water, of each element.
    ends: Vec<[u32; 2]>,
}

impl Connections {
    /// Number of own variables of all elements.
    pub fn states(&self) -> usize {
        self.ends.last().map_or(0, |[own, _]| *own as usize)
    }

    /// Number of places at which they ask for the motion of the water.
    pub fn water_places(&self) -> usize {
        self.ends.last().map_or(0, |[_, water]| *water as usize)
    }

    /// The parts of an element, by its index in the order.
    #[inline(always)]
    pub fn parts(&self, place: usize) -> Parts {
        let [own, water] = place.checked_sub(1).map_or([0; 2], |before| self.ends[before]);
        let [own_end, water_end] = self.ends[place];
        Parts { own: own as usize..own_end as usize, water: water as usize..water_end as usize }
    }
}

macro_rules! declare_elements {
    ($($(#[$doc:meta])* $Kind:ident, $list:ident, $name:literal, $nodes:literal;)*) => {
        use super::{$($Kind),*};

        /// The elements of a model that hosts describe. Their order is that of the list, then that
        /// of creation.
        #[derive(Debug, Clone, Default)]
        pub struct Elements {
            $($(#[$doc])* pub $list: Vec<$Kind>,)*
        }

        $(impl Listed for $Kind {
            const NODES: usize = {
                assert!($nodes >= 1 && $nodes <= MOST_NODES);
                $nodes
            };

            fn list(elements: &mut Elements) -> &mut Vec<Self> {
                &mut elements.$list
            }
        })*

        impl Elements {
            /// Passes over the kinds.
            pub fn each_kind<P: EachKind>(pass: &mut P) -> Result<(), P::Error> {
                $(pass.kind::<$Kind>()?;)*
                Ok(())
            }

            /// Number of elements of a kind; 0 for kinds that are not in the list.
            pub fn count(&self, kind: EntityKind) -> usize {
                match kind {
                    $(EntityKind::$Kind => self.$list.len(),)*
                    _ => 0,
                }
            }

            /// One of them; None for kinds that are not in the list.
            pub fn get(&self, kind: EntityKind, index: usize) -> Option<&dyn Description> {
                match kind {
                    $(EntityKind::$Kind => self.$list.get(index).map(|element| element as &dyn Description),)*
                    _ => None,
                }
            }

            /// All of them.
            pub fn iter(&self) -> impl Iterator<Item = &dyn Description> {
                let all = std::iter::empty();
                $(let all = all.chain(self.$list.iter().map(|element| element as &dyn Description));)*
                all
            }

            /// The largest stiffness of any between its places.
            pub fn largest_stiffness(&self) -> f64 {
                self.iter().map(|element| element.stiffness()).fold(0.0, f64::max)
            }

            /// All of them, mutable.
            pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut dyn Description> {
                let all = std::iter::empty();
                $(let all = all.chain(self.$list.iter_mut().map(|element| element as &mut dyn Description));)*
                all
            }

            /// Whether accelerations enter the equations of any.
            pub fn have_mass(&self) -> bool {
                false $(|| (<$Kind as Element<$nodes>>::HAS_MASS && !self.$list.is_empty()))*
            }

            /// Whether any has events.
            pub fn have_events(&self) -> bool {
                false $(|| (<$Kind as Element<$nodes>>::HAS_EVENTS && !self.$list.is_empty()))*
            }

            /// Copies of the elements at some indices in the order, which must increase, each
            /// changed by a function.
            pub fn picked(&self, picks: impl IntoIterator<Item = (usize, impl FnOnce(&mut dyn Description))>) -> Elements {
                let mut picks = picks.into_iter().peekable();
                let mut first = 0;
                $(
                    let mut $list = Vec::new();
                    while let Some((place, change)) = picks.next_if(|(place, _)| *place < first + self.$list.len()) {
                        let mut element = self.$list[place - first].clone();
                        change(&mut element);
                        $list.push(element);
                    }
                    first += self.$list.len();
                )*
                debug_assert!(picks.next().is_none(), "no element stands at {first} or after it");
                Elements { $($list),* }
            }

            /// Their connections, with the ties of all nodes, one element after the other.
            pub fn connections(&self, ties: Vec<Tie>) -> Connections {
                let (mut ends, mut own, mut water) = (Vec::new(), 0, 0);
                $(for element in &self.$list {
                    own += Element::<$nodes>::states(element) as u32;
                    water += Element::<$nodes>::water_places(element) as u32;
                    ends.push([own, water]);
                })*
                Connections { ties, ends }
            }

            /// Passes over all of them.
            #[inline(always)]
            pub fn each<P: EachElement>(&self, connections: &Connections, pass: &mut P) {
                let (mut ties, mut place) = (&connections.ties[..], 0);
                $(for element in &self.$list {
                    let Some((own_ties, others)) = ties.split_first_chunk::<$nodes>() else { return };
                    pass.element::<$Kind, $nodes>(element, own_ties, connections.parts(place));
                    (ties, place) = (others, place + 1);
                })*
                debug_assert!(ties.is_empty() && place == connections.ends.len());
            }

            /// Passes over one of them.
            pub fn one<P: EachElement>(&self, kind: EntityKind, index: usize, all: &Connections, pass: &mut P) {
                let (ties, parts) = (self.ties_of(kind, all), all.parts(self.place(kind, index)));
                match kind {
                    $(EntityKind::$Kind => {
                        if let (Some(element), Some(ties)) = (self.$list.get(index), ties.as_chunks().0.get(index)) {
                            pass.element::<$Kind, $nodes>(element, ties, parts);
                        }
                    })*
                    _ => {}
                }
            }

            /// The ties of all elements of a kind, one element after the other.
            pub fn ties_of<'c>(&self, kind: EntityKind, connections: &'c Connections) -> &'c [Tie] {
                let mut others = &connections.ties[..];
                $(
                    let (own, behind) = others.split_at($nodes * self.$list.len());
                    if kind == EntityKind::$Kind {
                        return own;
                    }
                    others = behind;
                )*
                others
            }
        }
    };
}

list_of_elements!(declare_elements);

impl Elements {
    /// The index of an element in the order.
    pub fn place(&self, kind: EntityKind, index: usize) -> usize {
        let before = EntityKind::FORCES.into_iter().take_while(|other| *other != kind);
        before.map(|other| self.count(other)).sum::<usize>() + index
    }
}
