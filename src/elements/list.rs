//! What is made from the list of force elements: one vector per kind, so that the evaluation of a system dispatches
//! once per kind and not once per element; and the loops over all of them.

use super::{EntityKind, ForceElement, PairTangent, Site, Tie};
use crate::spatial::Vec6;

/// A kind of the list.
pub trait Listed: ForceElement + Clone + Default {
    /// Its vector.
    fn list(elements: &mut Elements) -> &mut Vec<Self>;
}

/// A pass over the kinds of the list, without regard to what there is of each.
pub trait EachKind {
    /// Why it may end early.
    type Error;

    /// Does what is to be done for one kind.
    fn kind<E: Listed>(&mut self) -> Result<(), Self::Error>;
}

macro_rules! declare_elements {
    ($($(#[$doc:meta])* $Kind:ident, $list:ident, $name:literal;)*) => {
        use super::{$($Kind),*};

        /// The force elements of a model. Their order is that of the list, then that of creation.
        #[derive(Debug, Clone, Default)]
        pub struct Elements {
            $($(#[$doc])* pub $list: Vec<$Kind>,)*
        }

        $(impl Listed for $Kind {
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

            /// How many there are of a kind; 0 for what is no force element.
            pub fn count(&self, kind: EntityKind) -> usize {
                match kind {
                    $(EntityKind::$Kind => self.$list.len(),)*
                    _ => 0,
                }
            }

            /// One of them; None for what is no force element.
            pub fn get(&self, kind: EntityKind, index: usize) -> Option<&dyn ForceElement> {
                match kind {
                    $(EntityKind::$Kind => self.$list.get(index).map(|element| element as &dyn ForceElement),)*
                    _ => None,
                }
            }

            /// All of them.
            pub fn iter(&self) -> impl Iterator<Item = &dyn ForceElement> {
                let all = std::iter::empty();
                $(let all = all.chain(self.$list.iter().map(|element| element as &dyn ForceElement));)*
                all
            }

            /// The same to change.
            pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut dyn ForceElement> {
                let all = std::iter::empty();
                $(let all = all.chain(self.$list.iter_mut().map(|element| element as &mut dyn ForceElement));)*
                all
            }

            /// Copies of those at some places of the order, which must rise, changed each by the function that goes with
            /// the place.
            pub fn picked(&self, picks: impl IntoIterator<Item = (usize, impl FnOnce(&mut dyn ForceElement))>) -> Elements {
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

            /// Evaluates all of them: `site` says how an end moves, `take` receives nodes, residuals and, where they
            /// are wanted, tangents.
            #[inline(always)]
            pub fn evaluate(
                &self,
                ties: &[[Tie; 2]],
                wants_tangents: bool,
                site: impl Fn(&Tie) -> Site,
                mut take: impl FnMut([usize; 2], &[Vec6; 2], Option<&PairTangent>),
            ) {
                let mut ties = ties.iter();
                $(for (element, ends) in self.$list.iter().zip(ties.by_ref()) {
                    let sites = [site(&ends[0]), site(&ends[1])];
                    let mut tangent = if wants_tangents { Some(PairTangent::zero()) } else { None };
                    let residuals = element.residuals(&sites, tangent.as_mut());
                    take([ends[0].node, ends[1].node], &residuals, tangent.as_ref());
                })*
            }
        }
    };
}

force_elements!(declare_elements);

impl Elements {
    /// The place of an element in the order.
    pub fn place(&self, kind: EntityKind, index: usize) -> usize {
        let before = EntityKind::FORCES.into_iter().take_while(|other| *other != kind);
        before.map(|other| self.count(other)).sum::<usize>() + index
    }
}
