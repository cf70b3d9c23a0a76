//! What terminals type in: the inputs of the five transactions (clauses 2.4.1 to 2.8.1).

use crate::Rng;
use crate::tpcc::nurand::{Constants, ITEMS};
use crate::tpcc::population::DISTRICTS;

pub(crate) const LINES_MOST: usize = 15;

/// An item number that no item has.
const UNUSED: u64 = ITEMS + 1;

/// One line of an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) item: u64,
    pub(crate) supply: u64,
    pub(crate) quantity: i64,
}

#[derive(Debug, Clone)]
pub(crate) struct NewOrder {
    pub(crate) warehouse: u64,
    pub(crate) district: u64,
    pub(crate) customer: u64,
    lines: [Line; LINES_MOST],
    count: usize,
    /// The last item does not exist.
    pub(crate) rollback: bool,
}

impl NewOrder {
    /// An unused item is last.
    pub(crate) fn draw(rng: &mut Rng, constants: &Constants, warehouses: u64, warehouse: u64) -> Self {
        let mut input = Self {
            warehouse,
            district: rng.range(1, DISTRICTS),
            customer: constants.customer(rng),
            lines: [Line::default(); LINES_MOST],
            count: rng.range(5, LINES_MOST as u64) as usize,
            rollback: rng.range(1, 100) == 1,
        };
        let (rollback, lines) = (input.rollback, &mut input.lines[..input.count]);
        for line in lines.iter_mut() {
            line.item = constants.item(rng);
            let remote = rng.range(1, 100) == 1;
            line.supply = if remote { other(rng, warehouses, warehouse) } else { warehouse };
            line.quantity = rng.range(1, 10) as i64;
        }
        if rollback && let Some(last) = lines.last_mut() {
            last.item = UNUSED;
        }
        input
    }

    /// Puts lines in the order of their locks, warehouse by warehouse and item by item, an unused item last: two
    /// orders never wait for each other's stock.
    pub(crate) fn sorted(mut self) -> Self {
        let valid = self.count - usize::from(self.rollback);
        self.lines[..valid].sort_unstable_by_key(|line| (line.supply, line.item));
        self
    }

    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines[..self.count]
    }

    pub(crate) fn remote_lines(&self) -> usize {
        self.lines().iter().filter(|line| line.supply != self.warehouse).count()
    }
}

/// How a customer is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Id(u64),
    /// Number of the last name.
    Name(u64),
}

impl Who {
    fn draw(rng: &mut Rng, constants: &Constants) -> Self {
        if rng.range(1, 100) <= 60 {
            Self::Name(constants.last_name(rng))
        } else {
            Self::Id(constants.customer(rng))
        }
    }

    pub(crate) fn is_name(self) -> bool {
        matches!(self, Self::Name(_))
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Payment {
    pub(crate) warehouse: u64,
    pub(crate) district: u64,
    pub(crate) customer_warehouse: u64,
    pub(crate) customer_district: u64,
    pub(crate) who: Who,
    pub(crate) cents: i64,
}

impl Payment {
    pub(crate) fn draw(rng: &mut Rng, constants: &Constants, warehouses: u64, warehouse: u64) -> Self {
        let district = rng.range(1, DISTRICTS);
        let (customer_warehouse, customer_district) = if rng.range(1, 100) <= 85 {
            (warehouse, district)
        } else {
            (other(rng, warehouses, warehouse), rng.range(1, DISTRICTS))
        };
        let who = Who::draw(rng, constants);
        let cents = rng.range(100, 500_000) as i64;
        Self { warehouse, district, customer_warehouse, customer_district, who, cents }
    }

    pub(crate) fn is_remote(&self) -> bool {
        self.customer_warehouse != self.warehouse
    }
}

#[derive(Debug, Clone)]
pub(crate) struct OrderStatus {
    pub(crate) warehouse: u64,
    pub(crate) district: u64,
    pub(crate) who: Who,
}

impl OrderStatus {
    pub(crate) fn draw(rng: &mut Rng, constants: &Constants, warehouse: u64) -> Self {
        Self { warehouse, district: rng.range(1, DISTRICTS), who: Who::draw(rng, constants) }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    pub(crate) warehouse: u64,
    pub(crate) carrier: u64,
}

impl Delivery {
    pub(crate) fn draw(rng: &mut Rng, warehouse: u64) -> Self {
        Self { warehouse, carrier: rng.range(1, 10) }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct StockLevel {
    pub(crate) warehouse: u64,
    pub(crate) district: u64,
    pub(crate) threshold: u64,
}

impl StockLevel {
    pub(crate) fn draw(rng: &mut Rng, warehouse: u64, district: u64) -> Self {
        Self { warehouse, district, threshold: rng.range(10, 20) }
    }
}

/// Another warehouse than this one; itself where it is alone.
fn other(rng: &mut Rng, warehouses: u64, warehouse: u64) -> u64 {
    if warehouses == 1 {
        return warehouse;
    }
    let drawn = rng.range(1, warehouses - 1);
    drawn + u64::from(drawn >= warehouse)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIES: usize = 100_000;

    fn share(count: usize, of: usize) -> f64 {
        count as f64 / of as f64
    }

    #[test]
    fn orders_are_as_the_audit_wants_them() {
        let constants = Constants::draw(1, None);
        let mut rng = Rng::keyed(&[5]);
        let (mut lines, mut remote, mut rolled_back) = (0, 0, 0);
        for _ in 0..TRIES {
            let order = NewOrder::draw(&mut rng, &constants, 4, 2).sorted();
            lines += order.lines().len();
            remote += order.remote_lines();
            rolled_back += usize::from(order.rollback);
            let (last, valid) = order.lines().split_last().expect("lines");
            assert_eq!(last.item == UNUSED, order.rollback);
            assert!(valid.is_sorted_by_key(|line| (line.supply, line.item)));
            assert!(order.lines().iter().all(|line| (1..=4).contains(&line.supply)));
        }
        assert!((share(lines, TRIES) - 10.0).abs() < 0.06, "{lines}");
        assert!((share(remote, lines) - 0.01).abs() < 0.0006, "{remote}");
        assert!((share(rolled_back, TRIES) - 0.01).abs() < 0.002, "{rolled_back}");
    }

    #[test]
    fn payments_are_as_the_audit_wants_them() {
        let constants = Constants::draw(1, None);
        let mut rng = Rng::keyed(&[6]);
        let (mut remote, mut named) = (0, 0);
        for _ in 0..TRIES {
            let payment = Payment::draw(&mut rng, &constants, 3, 3);
            remote += usize::from(payment.is_remote());
            named += usize::from(payment.who.is_name());
            assert!((1..=3).contains(&payment.customer_warehouse));
            assert!(payment.is_remote() || payment.customer_district == payment.district);
        }
        assert!((share(remote, TRIES) - 0.15).abs() < 0.007, "{remote}");
        assert!((share(named, TRIES) - 0.60).abs() < 0.01, "{named}");
    }

    #[test]
    fn a_warehouse_that_is_alone_is_its_own_neighbour() {
        let constants = Constants::draw(1, None);
        let mut rng = Rng::keyed(&[7]);
        assert!((0..1000).all(|_| NewOrder::draw(&mut rng, &constants, 1, 1).remote_lines() == 0));
    }
}
