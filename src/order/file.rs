//! Orders in files: place identifiers, one per line, from the top level to the bottom level.
//!
//! Blank lines are skipped, and so are lines that start with `#` unless a place is called so.

use super::Order;
use crate::net::{PetriNet, PlaceId};
use rustc_hash::FxHashMap;

/// The fault of an order file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderFileError {
    /// A line that names no place.
    #[error("line {line}: the net has no place `{id}`; write place identifiers, one per line")]
    UnknownPlace {
        /// Number of the line, from 1.
        line: usize,
        /// The identifier in the file.
        id: String,
    },
    /// A place named twice.
    #[error("line {line}: place `{id}` was named on line {first} already; name each place once")]
    Repeated {
        /// Number of the line, from 1.
        line: usize,
        /// The place.
        id: String,
        /// The line that named it first.
        first: usize,
    },
    /// Places that no line names.
    #[error("{count} of the net's places are missing, the first of them `{id}`; name each place once")]
    Missing {
        /// How many.
        count: usize,
        /// The first one in the order of the net.
        id: String,
    },
}

/// The order that `text` gives for `net`.
///
/// ```
/// use starset::net::NetBuilder;
/// use starset::order::{read_order, write_order};
/// let mut b = NetBuilder::new("n");
/// let p = b.place("p", 1)?;
/// let q = b.place("q", 0)?;
/// let net = b.build()?;
/// let order = read_order(&net, "# top\nq\np\n")?;
/// assert_eq!(order.as_slice(), [q, p]);
/// assert_eq!(write_order(&net, &order), "q\np\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_order(net: &PetriNet, text: &str) -> Result<Order, OrderFileError> {
    let ids: FxHashMap<&str, PlaceId> = net.place_ids().map(|p| (net.place(p).id.as_str(), p)).collect();
    let mut named = vec![0usize; net.place_count()];
    let mut order = Vec::with_capacity(net.place_count());
    for (i, line) in text.lines().enumerate() {
        let (line, id) = (i + 1, line.trim());
        let Some(&p) = ids.get(id) else {
            if id.is_empty() || id.starts_with('#') {
                continue;
            }
            return Err(OrderFileError::UnknownPlace { line, id: id.to_owned() });
        };
        let first = std::mem::replace(&mut named[p.index()], line);
        if first != 0 {
            return Err(OrderFileError::Repeated { line, id: id.to_owned(), first });
        }
        order.push(p);
    }
    let missing = |n: &&PlaceId| named[n.index()] == 0;
    let places: Vec<PlaceId> = net.place_ids().collect();
    match places.iter().find(missing) {
        Some(&p) => {
            Err(OrderFileError::Missing { count: places.iter().filter(missing).count(), id: net.place(p).id.clone() })
        }
        None => Ok(Order(order)),
    }
}

/// The text that [`read_order`] reads back as `order`.
pub fn write_order(net: &PetriNet, order: &Order) -> String {
    let mut text = String::new();
    for &p in order.as_slice() {
        text.push_str(&net.place(p).id);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;
    use crate::structure::random_nets::nets;
    use proptest::prelude::*;

    fn net() -> PetriNet {
        let mut b = NetBuilder::new("n");
        for id in ["p", "q", "#odd"] {
            b.place(id, 0).unwrap();
        }
        b.build().unwrap()
    }

    fn check(text: &str, expected: Result<&[u32], &str>) {
        let read = read_order(&net(), text).map(|o| o.indices()).map_err(|e| e.to_string());
        assert_eq!(read, expected.map(<[u32]>::to_vec).map_err(str::to_owned));
    }

    #[test]
    fn files_are_read_with_their_mistakes() {
        check("q\n\n # a remark\r\n#odd\np", Ok(&[1, 2, 0]));
        check("q\nz\n", Err("line 2: the net has no place `z`; write place identifiers, one per line"));
        check("q\np\nq\n", Err("line 3: place `q` was named on line 1 already; name each place once"));
        check("q\n", Err("2 of the net's places are missing, the first of them `p`; name each place once"));
        check("", Err("3 of the net's places are missing, the first of them `p`; name each place once"));
    }

    proptest! {
        #[test]
        fn written_orders_read_back(net in nets(9, 3)) {
            let order = Order::as_given(&net).reversed();
            prop_assert_eq!(read_order(&net, &write_order(&net, &order)), Ok(order));
        }
    }
}
