//! The workload itself: five kinds of operations, each of one statement, or two that commit by themselves.

use std::sync::Arc;

use std::collections::BTreeMap;

use assay_chance::Zipf;
use assay_wire::Param;

use crate::description::names;
use crate::entry::Shipped;
use crate::noted::noted;
use crate::shares::Shares;
use crate::statement::Statements;
use crate::ycsb::data::{NEXT, NOTES_NAME, YcsbData};
use crate::ycsb::keys::Keys;
use crate::ycsb::options::{
    FIELDS_MOST, INSERT, KINDS, Options, READ, READ_MODIFY_WRITE, SCAN, ScanLength, UPDATE,
};
use crate::ycsb::requests::{KnownRecords, Latest, Requests};
use crate::{
    CounterId, Dataset, Description, Driver, Failure, KindId, LabelId, Learner, Operation, OptionError, Rng,
    Session, StatementId, rng_of_operation,
};

/// The most that the option may be.
const RECORDS_MOST: u64 = 9_000_000_000_000_000_000;

const COUNTERS: [&str; 3] = ["records_found", "records_missing", "records_scanned"];
const FOUND: CounterId = CounterId(0);
/// Asked for and not there: an insert that failed, tables of another tool. An update that writes what is there already, as
/// a second run with the same seed does, looks the same.
const MISSING: CounterId = CounterId(1);
const SCANNED: CounterId = CounterId(2);

#[derive(Debug)]
pub(crate) struct Ycsb {
    options: Options,
    seed: u64,
    data: YcsbData,
    keys: Keys,
    shares: Shares,
    requests: Requests,
    scan_lengths: Option<Zipf>,
    statements: Statements,
    /// The first of one for each field, or the only one for all of them.
    read: StatementId,
    update: StatementId,
    scan: StatementId,
    insert: StatementId,
    note: LabelId,
    /// Whether there are inserts in the mix.
    inserts: bool,
    /// The first number of an insert; absent where no notes say it and none are written.
    next: Option<u64>,
}

#[derive(Debug)]
pub(crate) struct Terminal {
    known: KnownRecords,
    /// Operations whose kinds are counted in `known.own`.
    counted: u64,
    latest: Latest,
    key: Vec<u8>,
    values: Vec<u8>,
}

impl Shipped for Ycsb {
    type Options = Options;

    const NAME: &'static str = "ycsb";
    const SUMMARY: &'static str = "YCSB's core workloads A to F: reads, updates, inserts and scans by key";
    const KINDS: &'static [&'static str] = &KINDS;
    const CONDITIONS: bool = true;

    fn new(options: Options, seed: u64) -> Result<Self, OptionError> {
        options.validate()?;
        let mut statements = Statements::default();
        let fields = || (0..options.fieldcount).map(|field| format!("FIELD{field}"));
        let mut each = |label, one: bool, all: &str, sql: &dyn Fn(&str) -> String| {
            let list = if one { fields().collect() } else { vec![all.to_owned()] };
            let ids: Vec<StatementId> = list.iter().map(|field| statements.once(label, sql(field))).collect();
            ids[0]
        };
        let reads_one = !options.readallfields.0;
        let read = each("read", reads_one, "*", &|field| {
            format!("SELECT {field} FROM usertable WHERE YCSB_KEY = ?")
        });
        let assign: Vec<String> = fields().map(|field| format!("{field} = ?")).collect();
        let update = if options.writeallfields.0 {
            each("update", false, &assign.join(", "), &|all| {
                format!("UPDATE usertable SET {all} WHERE YCSB_KEY = ?")
            })
        } else {
            each("update", true, "", &|field| format!("UPDATE usertable SET {field} = ? WHERE YCSB_KEY = ?"))
        };
        let scan = each("scan", reads_one, "*", &|field| {
            format!("SELECT {field} FROM usertable WHERE YCSB_KEY >= ? ORDER BY YCSB_KEY LIMIT ?")
        });
        let columns: String = fields().map(|field| format!(", {field}")).collect();
        let marks = ", ?".repeat(options.fieldcount as usize);
        let insert =
            statements.once("insert", format!("INSERT INTO usertable (YCSB_KEY{columns}) VALUES (?{marks})"));
        let (least, most) = (options.minscanlength, options.maxscanlength);
        let lengths = || Zipf::new(u64::from(most - least) + 1, options.zipfianconstant);
        Ok(Self {
            seed,
            data: YcsbData::new(&options)?,
            keys: Keys::new(&options),
            shares: options.shares()?,
            inserts: options.weights()[INSERT] > 0.0,
            requests: Requests::new(&options),
            scan_lengths: (options.scanlengthdistribution == ScanLength::Zipfian).then(lengths),
            note: statements.label("note"),
            statements,
            read,
            update,
            scan,
            insert,
            next: None,
            options,
        })
    }
}

impl Description for Ycsb {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn writes(&self) -> bool {
        let weights = self.options.weights();
        [UPDATE, INSERT, READ_MODIFY_WRITE].iter().any(|&kind| weights[kind] > 0.0)
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

    fn facts(&self) -> BTreeMap<String, String> {
        let word = |value| serde_json::to_value(value).ok().and_then(|word| word.as_str().map(str::to_owned));
        let request = word(self.options.request()).unwrap_or_default();
        let facts = [("recordcount", self.data.records.to_string()), ("requestdistribution", request)];
        facts.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn learner(&mut self) -> Option<&mut dyn Learner> {
        Some(self)
    }
}

impl Learner for Ycsb {
    fn learn(&mut self, notes: &BTreeMap<String, String>) -> Result<(), OptionError> {
        let refuse = |message: String| Err(OptionError(format!("ycsb: {message}")));
        let options = &self.options;
        if notes.is_empty() {
            // Tables that YCSB itself has loaded have no notes.
            return match options.recordcount {
                0 => refuse(format!(
                    "table {NOTES_NAME} is missing or empty, so that nothing says how many records there are: run \
                     prepare, or give recordcount for tables of another tool"
                )),
                _ => Ok(()),
            };
        }
        let note = |name: &str| notes.get(name).map_or("", String::as_str);
        let asked = [
            ("fieldcount", options.fieldcount.to_string()),
            ("insertorder", options.insertorder.name().to_owned()),
            ("zeropadding", options.zeropadding.to_string()),
        ];
        if let Some((name, asked)) = asked.iter().find(|(name, asked)| note(name) != asked) {
            let loaded = note(name);
            return refuse(format!("{name} = {asked}, but the tables were made with {name} = {loaded}"));
        }
        let number = |name, least| {
            noted(notes, NOTES_NAME, name, least..=RECORDS_MOST)
                .map_err(|it| OptionError(format!("ycsb: {it}")))
        };
        let (loaded, next) = (number("recordcount", 1)?, number(NEXT, 0)?);
        if options.recordcount > loaded {
            return refuse(format!("recordcount = {}, but {loaded} were loaded", options.recordcount));
        }
        self.data.records = if options.recordcount == 0 { loaded } else { options.recordcount };
        self.next = Some(next);
        Ok(())
    }
}

impl Driver for Ycsb {
    type Local = ();
    type Terminal = Terminal;

    fn local(&self) {}

    fn terminal(&self, _local: &(), number: u32, of: u32) -> Terminal {
        let records = self.data.records;
        Terminal {
            known: KnownRecords {
                records,
                next: self.next.unwrap_or(records),
                terminal: number.into(),
                of: of.into(),
                own: 0,
            },
            counted: 0,
            latest: Latest::default(),
            key: Vec::new(),
            values: Vec::new(),
        }
    }

    async fn transaction(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        self.count_inserts(terminal, operation.terminal, operation.number);
        let kind = self.shares.draw(&mut operation.rng);
        operation.kind = Some(KindId(kind as u8));
        let Terminal { known, latest, key, values, .. } = terminal;
        if kind == INSERT {
            self.keys.write(known.insert(known.own), key);
            return self.insert(key, values, operation, session).await;
        }
        let number = self.requests.draw(known, latest, &mut operation.rng);
        self.keys.write(number, key);
        if kind == READ || kind == READ_MODIFY_WRITE {
            self.read(key, operation, session).await?;
        }
        if kind == UPDATE || kind == READ_MODIFY_WRITE {
            self.update(key, values, operation, session).await?;
        }
        if kind == SCAN {
            self.scan(key, operation, session).await?;
        }
        Ok(())
    }

    async fn finish(&self, terminal: &mut Terminal, session: &mut impl Session) -> Result<(), Failure> {
        // The last operation was not counted: it may have been an insert.
        let unused = terminal.known.next + (terminal.known.own + 1) * terminal.known.of;
        if self.inserts && self.next.is_some() {
            let sql = format!(
                "UPDATE {NOTES_NAME} SET value = GREATEST(CAST(value AS UNSIGNED), {unused}) WHERE name = '{NEXT}'"
            );
            session.query(self.note, sql.as_bytes()).await?;
        }
        Ok(())
    }
}

impl Ycsb {
    /// Brings `known.own` to the inserts among the operations before `number`: a function of (seed, terminal, number).
    fn count_inserts(&self, state: &mut Terminal, terminal: u32, number: u64) {
        if self.inserts {
            while state.counted < number {
                let kind = self.shares.draw(&mut rng_of_operation(self.seed, terminal, state.counted));
                state.known.own += u64::from(kind == INSERT);
                state.counted += 1;
            }
        }
    }

    /// The statement of a field drawn by chance, where there is one for each.
    fn of_field(&self, first: StatementId, each: bool, rng: &mut Rng) -> StatementId {
        let field = if each { rng.range(0, u64::from(self.options.fieldcount) - 1) as u32 } else { 0 };
        StatementId(first.0 + field)
    }

    async fn read(
        &self,
        key: &[u8],
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let read = self.of_field(self.read, !self.options.readallfields.0, &mut operation.rng);
        let rows = session.execute(read, &[Param::Bytes(key)]).await?.rows;
        operation.count(if rows > 0 { FOUND } else { MISSING }, 1);
        Ok(())
    }

    async fn scan(
        &self,
        key: &[u8],
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let (least, most) = (u64::from(self.options.minscanlength), u64::from(self.options.maxscanlength));
        let length = match &self.scan_lengths {
            Some(zipfian) => least + zipfian.rank(&mut operation.rng),
            None => operation.rng.range(least, most),
        };
        let scan = self.of_field(self.scan, !self.options.readallfields.0, &mut operation.rng);
        let rows = session.execute(scan, &[Param::Bytes(key), Param::UInt(length)]).await?.rows;
        operation.count(SCANNED, rows);
        Ok(())
    }

    async fn update(
        &self,
        key: &[u8],
        values: &mut Vec<u8>,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let all = self.options.writeallfields.0;
        let update = self.of_field(self.update, !all, &mut operation.rng);
        let fields = if all { self.options.fieldcount as usize } else { 1 };
        self.draw_values(fields, values, &mut operation.rng);
        let mut params = [Param::Null; FIELDS_MOST + 1];
        self.fill(&mut params[..fields], values);
        params[fields] = Param::Bytes(key);
        let changed = session.execute(update, &params[..=fields]).await?.affected_rows;
        operation.count(if changed > 0 { FOUND } else { MISSING }, 1);
        Ok(())
    }

    async fn insert(
        &self,
        key: &[u8],
        values: &mut Vec<u8>,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let fields = self.options.fieldcount as usize;
        self.draw_values(fields, values, &mut operation.rng);
        let mut params = [Param::Null; FIELDS_MOST + 1];
        params[0] = Param::Bytes(key);
        self.fill(&mut params[1..=fields], values);
        session.execute(self.insert, &params[..=fields]).await?;
        Ok(())
    }

    fn draw_values(&self, fields: usize, values: &mut Vec<u8>, rng: &mut Rng) {
        values.clear();
        (0..fields).for_each(|_| self.data.field(rng, values));
    }

    fn fill<'a>(&self, params: &mut [Param<'a>], values: &'a [u8]) {
        let each = values.chunks_exact(self.options.fieldlength as usize);
        params.iter_mut().zip(each).for_each(|(param, value)| *param = Param::Bytes(value));
    }
}
