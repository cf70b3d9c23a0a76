//! The seven transactions.

use std::sync::Arc;

use std::io::Write;

use assay_wire::{Param, Row};

use crate::bounds::Bounds;
use crate::description::names;
use crate::entry::Shipped;
use crate::fields::{found, hit};
use crate::shares::Shares;
use crate::statement::Statements;
use crate::tatp::data::{TatpData, subscriber_columns};
use crate::tatp::options::{KINDS, Options, Subscribers};
use crate::tatp::population::{LOCATION_MOST, NUMBER_DIGITS, START_EVERY_HOURS, STARTS, TYPES};
use crate::{
    CounterId, Dataset, Description, Driver, Failure, KindId, Operation, OptionError, Rng, Session,
    StatementId,
};

/// What counts for the mean qualified throughput, and what found nothing or was refused.
const COUNTERS: [&str; 6] = [
    "qualified",
    "destinations_missing",
    "access_infos_missing",
    "facilities_missing",
    "forwardings_refused",
    "forwardings_missing",
];
const QUALIFIED: CounterId = CounterId(0);
const DESTINATIONS_MISSING: CounterId = CounterId(1);
const ACCESS_INFOS_MISSING: CounterId = CounterId(2);
const FACILITIES_MISSING: CounterId = CounterId(3);
const REFUSED: CounterId = CounterId(4);
const FORWARDINGS_MISSING: CounterId = CounterId(5);

const NO_SUBSCRIBER: &str = "a subscriber is missing: give subscribers as in prepare";

#[derive(Debug)]
pub(crate) struct Tatp {
    data: TatpData,
    subscribers: Subscribers,
    shares: Shares,
    statements: Statements,
    bounds: Bounds,
    subscriber: StatementId,
    destination: StatementId,
    access_info: StatementId,
    update_bit: StatementId,
    update_facility: StatementId,
    update_location: StatementId,
    subscriber_by_number: StatementId,
    facilities: StatementId,
    insert_forwarding: StatementId,
    delete_forwarding: StatementId,
}

impl Shipped for Tatp {
    type Options = Options;

    const NAME: &'static str = "tatp";
    const SUMMARY: &'static str =
        "TATP: a register of mobile subscribers, seven kinds of very short transactions";
    const KINDS: &'static [&'static str] = &KINDS;
    const CONDITIONS: bool = true;

    fn new(options: Options, seed: u64) -> Result<Self, OptionError> {
        let mut statements = Statements::default();
        options.isolation.set_up(&mut statements);
        let columns = subscriber_columns();
        Ok(Self {
            data: TatpData::new(&options, seed)?,
            subscribers: Subscribers::new(&options),
            shares: Shares::new(&options.weights())?,
            bounds: Bounds::new(&mut statements),
            subscriber: statements
                .once("select_subscriber", format!("SELECT {columns} FROM subscriber WHERE s_id = ?")),
            destination: statements.once(
                "select_destination",
                "SELECT cf.numberx FROM special_facility sf JOIN call_forwarding cf \
                 ON cf.s_id = sf.s_id AND cf.sf_type = sf.sf_type \
                 WHERE sf.s_id = ? AND sf.sf_type = ? AND sf.is_active = 1 AND cf.start_time <= ? AND cf.end_time > ?",
            ),
            access_info: statements.once(
                "select_access_info",
                "SELECT data1, data2, data3, data4 FROM access_info WHERE s_id = ? AND ai_type = ?",
            ),
            update_bit: statements.once("update_bit", "UPDATE subscriber SET bit_1 = ? WHERE s_id = ?"),
            update_facility: statements.once(
                "update_facility",
                "UPDATE special_facility SET data_a = (data_a + ?) % 256 WHERE s_id = ? AND sf_type = ?",
            ),
            update_location: statements
                .once("update_location", "UPDATE subscriber SET vlr_location = ? WHERE sub_nbr = ?"),
            subscriber_by_number: statements
                .once("select_subscriber_by_number", "SELECT s_id FROM subscriber WHERE sub_nbr = ?"),
            facilities: statements
                .once("select_facilities", "SELECT sf_type FROM special_facility WHERE s_id = ?"),
            insert_forwarding: statements.once(
                "insert_forwarding",
                "INSERT IGNORE INTO call_forwarding (s_id, sf_type, start_time, end_time, numberx) \
                 VALUES (?, ?, ?, ?, ?)",
            ),
            delete_forwarding: statements.once(
                "delete_forwarding",
                "DELETE FROM call_forwarding WHERE s_id = ? AND sf_type = ? AND start_time = ?",
            ),
            statements,
        })
    }
}

impl Description for Tatp {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn kinds(&self) -> Vec<Arc<str>> {
        names(Self::KINDS)
    }

    fn counters(&self) -> Vec<Arc<str>> {
        names(&COUNTERS)
    }
}

impl Driver for Tatp {
    type Local = ();
    /// The number of a subscriber, as text.
    type Terminal = Vec<u8>;

    fn local(&self) {}

    fn terminal(&self, _local: &(), _number: u32, _of: u32) -> Vec<u8> {
        Vec::with_capacity(NUMBER_DIGITS)
    }

    async fn transaction(
        &self,
        number: &mut Vec<u8>,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let kind = self.shares.draw(&mut operation.rng);
        operation.kind = Some(KindId(kind as u8));
        let id = self.subscribers.draw(&mut operation.rng);
        number.clear();
        // Writing to a vector cannot fail.
        let _ = write!(number, "{id:0NUMBER_DIGITS$}");
        let s_id = Param::UInt(id);
        match kind {
            0 => hit(session.execute(self.subscriber, &[s_id]).await?.rows, NO_SUBSCRIBER)?,
            1 => self.get_new_destination(s_id, operation, session).await?,
            2 => {
                let ai_type = of_type(&mut operation.rng);
                let rows = session.execute(self.access_info, &[s_id, ai_type]).await?.rows;
                operation.count(ACCESS_INFOS_MISSING, u32::from(rows == 0));
            }
            3 => self.update_subscriber_data(s_id, operation, session).await?,
            4 => {
                let location = Param::UInt(operation.rng.range(1, LOCATION_MOST));
                session.execute(self.update_location, &[location, Param::Bytes(number)]).await?;
            }
            5 => return self.insert_call_forwarding(number, operation, session).await,
            _ => self.delete_call_forwarding(number, operation, session).await?,
        }
        operation.count(QUALIFIED, 1);
        Ok(())
    }
}

/// A type of access infos or facilities.
fn of_type(rng: &mut Rng) -> Param<'static> {
    Param::UInt(rng.range(1, TYPES))
}

/// An hour at which a forwarding can start.
fn start(rng: &mut Rng) -> Param<'static> {
    Param::UInt(rng.range(0, STARTS - 1) * START_EVERY_HOURS)
}

/// An hour at which one can end.
fn end(rng: &mut Rng) -> Param<'static> {
    Param::UInt(rng.range(1, STARTS * START_EVERY_HOURS))
}

impl Tatp {
    async fn get_new_destination(
        &self,
        s_id: Param<'_>,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let rng = &mut operation.rng;
        let params = [s_id, of_type(rng), start(rng), end(rng)];
        let rows = session.execute(self.destination, &params).await?.rows;
        operation.count(DESTINATIONS_MISSING, u32::from(rows == 0));
        Ok(())
    }

    async fn update_subscriber_data(
        &self,
        s_id: Param<'_>,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let rng = &mut operation.rng;
        let (bit, sf_type, more) = (rng.range(0, 1), of_type(rng), rng.range(1, 255));
        self.bounds.begin(session).await?;
        session.execute(self.update_bit, &[Param::UInt(bit), s_id]).await?;
        let facility = [Param::UInt(more), s_id, sf_type];
        if session.execute(self.update_facility, &facility).await?.affected_rows == 0 {
            operation.count(FACILITIES_MISSING, 1);
            return self.bounds.roll_back(session).await;
        }
        self.bounds.commit(session).await
    }

    async fn insert_call_forwarding(
        &self,
        number: &[u8],
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let rng = &mut operation.rng;
        let sf_type = rng.range(1, TYPES);
        let (start, end) = (start(rng), end(rng));
        let mut forward_to = [0; NUMBER_DIGITS];
        let _ = write!(&mut forward_to[..], "{:0NUMBER_DIGITS$}", self.subscribers.draw(rng));
        self.bounds.begin(session).await?;
        let s_id = self.by_number(number, session).await?;
        let mut has_facility = false;
        let mut read = |row: &Row<'_>| has_facility |= row.uint(0) == Some(sf_type);
        session.select(self.facilities, &[s_id], &mut read).await?;
        let mut inserted = 0;
        // With foreign keys the server would refuse it too: MySQL before 5.7 with an error, IGNORE or not.
        if has_facility {
            let row = [s_id, Param::UInt(sf_type), start, end, Param::Bytes(&forward_to)];
            inserted = session.execute(self.insert_forwarding, &row).await?.affected_rows;
        }
        if inserted == 0 {
            operation.count(REFUSED, 1);
            return self.bounds.roll_back(session).await;
        }
        operation.count(QUALIFIED, 1);
        self.bounds.commit(session).await
    }

    async fn delete_call_forwarding(
        &self,
        number: &[u8],
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let rng = &mut operation.rng;
        let (sf_type, start) = (of_type(rng), start(rng));
        self.bounds.begin(session).await?;
        let s_id = self.by_number(number, session).await?;
        let deleted = session.execute(self.delete_forwarding, &[s_id, sf_type, start]).await?.affected_rows;
        operation.count(FORWARDINGS_MISSING, u32::from(deleted == 0));
        self.bounds.commit(session).await
    }

    /// The s_id of a subscriber's number.
    async fn by_number(&self, number: &[u8], session: &mut impl Session) -> Result<Param<'static>, Failure> {
        let mut id = None;
        let mut read = |row: &Row<'_>| id = row.uint(0);
        session.select(self.subscriber_by_number, &[Param::Bytes(number)], &mut read).await?;
        found(id.map(Param::UInt), NO_SUBSCRIBER)
    }
}
