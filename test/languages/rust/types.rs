//! Carts of a shop.

use std::collections::HashMap;
use std::fmt::{self, Display};

/// What can be paid.
pub trait Priced: Display {
    type Coin: Clone;
    const ZERO: i32 = 0;

    /// What it costs.
    fn price(&self) -> Self::Coin;

    fn is_free(&self) -> bool {
        self.count() == Self::ZERO
    }

    fn count(&self) -> i32;
}

/// Things by their names.
#[derive(Debug, Clone, Default)]
pub struct Cart<'a, T: Priced, const N: usize = 4>
where
    T: Send,
{
    pub things: HashMap<&'a str, Vec<T>>,
    limit: [u8; N],
    on_pay: Option<Box<dyn Fn(&T) -> bool + 'a>>,
}

pub struct Meters(pub f64, Unit);
pub struct Unit;
union Bits {
    number: u32,
    text: [u8; 4],
}

#[derive(PartialEq)]
pub enum State<T> {
    Open,
    Paid(T, i32),
    Sent { to: String, parcel: Option<T> },
    Lost = 4,
}

pub type Shelf<T> = Vec<Cart<'static, T>>;

impl<'a, T: Priced> Cart<'a, T>
where
    T: Clone,
{
    pub const LIMIT: usize = 8;

    pub fn new(things: HashMap<&'a str, Vec<T>>) -> Self {
        Self { things, limit: [0; 4], on_pay: None }
    }

    pub(crate) fn first(&self, name: &str) -> Option<&T> {
        self.things.get(name)?.first()
    }
}

impl<T: Priced> Display for Cart<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.things.len())
    }
}

impl Priced for Meters {
    type Coin = f64;

    fn price(&self) -> f64 {
        self.0
    }

    fn count(&self) -> i32 {
        <Self as Priced>::ZERO
    }
}

impl<T: Priced> State<T> {
    fn take(self) -> Option<T> {
        match self {
            State::Paid(thing, _) => Some(thing),
            Self::Sent { parcel, .. } => parcel,
            _ => None,
        }
    }
}
