//! The terminals of a file of statements: what each keeps, and the steps of its transactions.

use std::sync::Arc;

use assay_wire::{Outcome, Param, Row, Rows};

use crate::own::Own;
use crate::own::annotation::{From, REPEATS_MOST};
use crate::own::choice::Turn as Draws;
use crate::own::draw::{Draw, Literal};
use crate::own::held::{Held, Slot, put_date, put_datetime};
use crate::own::program::{DEPTH_MOST, Send, Step, Times};
use crate::own::tallies::Tallies;
use crate::own::workload::{ENDED_EARLY, MISSES, READS, Urn};
use crate::text::a_string;
use crate::{Driver, Failure, KindId, Operation, Rng, Session};

/// Takes the first row's columns by name.
struct Saver<'a> {
    saves: &'a [(usize, From)],
    saved: &'a mut [Slot],
    seen: bool,
    /// Whether a column was not there.
    lacks: bool,
}

impl Rows for Saver<'_> {
    fn row(&mut self, row: &Row<'_>) {
        if std::mem::replace(&mut self.seen, true) {
            return;
        }
        for (slot, (_, from)) in self.saved.iter_mut().zip(self.saves) {
            let From::Column(name) = from else { continue };
            match row.columns().iter().position(|column| column.name().eq_ignore_ascii_case(name)) {
                Some(place) => slot.take(row, place),
                None => self.lacks = true,
            }
        }
    }
}

/// What a terminal keeps.
#[derive(Debug)]
pub struct Visit {
    slots: Vec<Slot>,
    /// Values of an answer, until its statement is over.
    saved: Vec<Slot>,
    /// Values drawn by each count; those before the operation that is being tried, and its number.
    counts: Vec<u64>,
    before: Vec<u64>,
    number: Option<u64>,
    turns: Vec<Turn>,
    of: u32,
    tallies: Arc<Tallies>,
}

/// An open repeat.
#[derive(Debug, Clone, Copy)]
struct Turn {
    done: u64,
    times: u64,
}

impl Visit {
    /// Keeps what an answer gave; whether the row was there that it was to give it.
    fn save(&mut self, send: &Send, outcome: &Outcome) -> bool {
        if send.saves_column && outcome.rows == 0 {
            return false;
        }
        for (number, (slot, from)) in send.saves.iter().enumerate() {
            match from {
                From::Column(_) => std::mem::swap(&mut self.slots[*slot], &mut self.saved[number]),
                From::InsertId => self.slots[*slot].set(Held::UInt(outcome.last_insert_id)),
                From::AffectedRows => self.slots[*slot].set(Held::UInt(outcome.affected_rows)),
            }
        }
        true
    }
}

impl Own {
    #[inline]
    fn draw(
        &self,
        draw: usize,
        rng: &mut Rng,
        operation: &Operation,
        visit: &mut Visit,
        slot: usize,
    ) -> Result<(), Failure> {
        let drawn = &self.program.draws[draw];
        let mut draws = Draws {
            terminal: u64::from(operation.terminal),
            of: u64::from(visit.of),
            drawn: operation.number,
        };
        if let Some(counter) = drawn.counter {
            draws.drawn = visit.counts[counter];
            visit.counts[counter] += 1;
        }
        let slots = &mut visit.slots;
        let place = &mut slots[slot];
        match (&drawn.draw, &self.urns[draw]) {
            (Draw::Int { low, high, zipf }, _) => {
                let above = match zipf {
                    Some(law) => law.rank(rng),
                    None => rng.range(0, high.abs_diff(*low)),
                };
                place.set(Held::Int(low.wrapping_add_unsigned(above)));
            }
            (Draw::Decimal { low, high, scale }, _) => {
                let unscaled = low.wrapping_add_unsigned(rng.range(0, high.abs_diff(*low)));
                place.set(Held::Decimal { unscaled, scale: *scale });
            }
            (Draw::Date { low, high }, _) => {
                let day = low.wrapping_add_unsigned(rng.range(0, high.abs_diff(*low)));
                place.set_bytes(|out| put_date(day, out));
            }
            (Draw::DateTime { low, high }, _) => {
                let second = low.wrapping_add_unsigned(rng.range(0, high.abs_diff(*low)));
                place.set_bytes(|out| put_datetime(second, out));
            }
            (Draw::Text { low, high, filler }, _) => place.set_bytes(|out| {
                a_string(rng, *low, *high, out);
                let plain = (out.len() as f64 * (1.0 - filler)).round() as usize;
                out[plain..].fill(b'x');
            }),
            (Draw::Hex { digits }, _) => place.set_bytes(|out| hex(rng, *digits, out)),
            (Draw::Uuid4, _) => place.set_bytes(|out| uuid(rng, None, out)),
            (Draw::Uuid7, _) => place.set_bytes(|out| uuid(rng, Some(draws.index()), out)),
            (Draw::Pick { values, shares }, _) => match &values[shares.draw(rng)] {
                Literal::Null => place.set(Held::Null),
                Literal::Int(number) => place.set(Held::Int(*number)),
                Literal::Text(text) => place.set_bytes(|out| out.extend_from_slice(text.as_bytes())),
            },
            (Draw::Permute { n }, Urn::Shuffled(permutation)) => {
                place.set(Held::Int(permutation.at(draws.index() % n) as i64 + 1));
            }
            (Draw::Seq { .. }, Urn::From(from)) => place.set(Held::UInt(from.wrapping_add(draws.index()))),
            (Draw::Counter, _) => {
                place.set(Held::UInt(visit.turns.last().map_or(1, |turn| turn.done + 1)));
            }
            (Draw::Rows { .. }, Urn::Rows { drawn: Some((pool, choice)), .. }) => {
                let row = choice.next(rng, draws).ok_or(Failure::Data(
                    "unique: there are more terminals than rows to draw from, and each is to have its own",
                ))?;
                pool.put(row, &mut slots[slot..]);
            }
            _ => unreachable!(
                "a draw and what stands behind it are made together, and pools are filled before the load"
            ),
        }
        Ok(())
    }

    async fn send(
        &self,
        send: &Send,
        visit: &mut Visit,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<bool, Failure> {
        // Most statements have few parameters: then nothing is allocated.
        let mut few = [Param::Null; 16];
        let mut many = Vec::new();
        let params: &[Param<'_>] = if send.slots.len() <= few.len() {
            for (param, slot) in few.iter_mut().zip(&send.slots) {
                *param = visit.slots[*slot].param();
            }
            &few[..send.slots.len()]
        } else {
            many.extend(send.slots.iter().map(|slot| visit.slots[*slot].param()));
            &many
        };
        let answer = if send.saves_column {
            let mut saver = Saver { saves: &send.saves, saved: &mut visit.saved, seen: false, lacks: false };
            let answer = session.select(send.statement, params, &mut saver).await;
            if saver.lacks {
                return Err(Failure::Data("an answer has no column of a name that @save asks for"));
            }
            answer
        } else {
            session.execute(send.statement, params).await
        };
        let statement = send.statement.0 as usize;
        let outcome = answer.inspect_err(|failure| {
            if let Failure::Server { code } = failure {
                visit.tallies.refused(statement, *code);
            }
        })?;
        visit.tallies.count(statement, &outcome);
        if outcome.result_set {
            operation.count(READS, 1_u32);
            operation.count(MISSES, u32::from(outcome.rows == 0));
        }
        Ok(visit.save(send, &outcome))
    }
}

impl Driver for Own {
    type Local = Arc<Tallies>;
    type Terminal = Visit;

    fn local(&self) -> Arc<Tallies> {
        self.new_tallies()
    }

    fn terminal(&self, local: &Arc<Tallies>, _number: u32, of: u32) -> Visit {
        let saves = |step: &Step| if let Step::Send(send) = step { send.saves.len() } else { 0 };
        let saved =
            self.program.transactions.iter().flat_map(|steps| steps.iter().map(saves)).max().unwrap_or(0);
        Visit {
            slots: vec![Slot::EMPTY; self.program.slots],
            saved: vec![Slot::EMPTY; saved],
            counts: vec![0; self.program.counters],
            before: vec![0; self.program.counters],
            number: None,
            turns: Vec::with_capacity(DEPTH_MOST),
            of,
            tallies: local.clone(),
        }
    }

    async fn transaction(
        &self,
        visit: &mut Visit,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        // A try of the same operation draws the same numbers again.
        if visit.number == Some(operation.number) {
            visit.counts.copy_from_slice(&visit.before);
        } else {
            visit.before.copy_from_slice(&visit.counts);
            visit.number = Some(operation.number);
        }
        let stream = operation.rng.clone();
        let chosen = self.shares.draw(&mut operation.rng);
        if !self.kinds.is_empty() {
            operation.kind = Some(KindId(chosen as u8));
        }
        operation.most_tries = self.traits[chosen].retry.map(|times| times.saturating_add(1));
        let steps = &self.program.transactions[chosen];
        let (mut at, mut open, mut turned) = (0, false, 0_u64);
        visit.turns.clear();
        // A draw has a stream of its own: what is drawn under one name depends on nothing that another name has drawn.
        let stream_of = |key: u64, turned: u64| Rng::seeded(stream.at(key.wrapping_add(turned)));
        while let Some(step) = steps.get(at) {
            match step {
                Step::Draw { draw, slot, key } => {
                    self.draw(*draw, &mut stream_of(*key, turned), operation, visit, *slot)?;
                }
                Step::Send(send) => {
                    if !self.send(send, visit, operation, session).await? {
                        operation.count(ENDED_EARLY, 1_u32);
                        if open {
                            session.query(self.rollback, b"ROLLBACK").await?;
                        }
                        return Ok(());
                    }
                }
                Step::Say { label, text, opens } => {
                    session.query(*label, text.as_bytes()).await?;
                    open = *opens;
                }
                Step::Repeat { times, skip } => {
                    let times = match times {
                        Times::Slot(slot) => visit.slots[*slot]
                            .count()
                            .filter(|times| *times <= REPEATS_MOST.unsigned_abs())
                            .ok_or(Failure::Data(
                                "@repeat: the value of its name is no count up to 1,000,000",
                            ))?,
                        Times::Drawn { draw, key } => match &self.program.draws[*draw].draw {
                            Draw::Int { low, high, zipf } => {
                                let mut rng = stream_of(*key, turned);
                                let above = match zipf {
                                    Some(law) => law.rank(&mut rng),
                                    None => rng.range(0, high.abs_diff(*low)),
                                };
                                low.wrapping_add_unsigned(above).unsigned_abs()
                            }
                            _ => unreachable!("turns are drawn as whole numbers"),
                        },
                    };
                    if times == 0 {
                        at += skip;
                    } else {
                        visit.turns.push(Turn { done: 0, times });
                        turned += 1;
                    }
                }
                Step::Again { back } => {
                    turned += 1;
                    if let Some(turn) = visit.turns.last_mut() {
                        turn.done += 1;
                        if turn.done < turn.times {
                            at -= back;
                        } else {
                            visit.turns.pop();
                        }
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

fn hex(rng: &mut Rng, digits: u64, out: &mut Vec<u8>) {
    let mut left = digits;
    while left > 0 {
        let mut word = rng.u64();
        let count = left.min(16);
        for _ in 0..count {
            out.push(HEX[(word & 15) as usize]);
            word >>= 4;
        }
        left -= count;
    }
}

/// 2026-01-01 in milliseconds since 1970: UUIDs of version 7 begin there, and go on by one for each operation.
const UUIDS_FROM_MS: u64 = 1_767_225_600_000;

/// A random UUID of version 4, or of version 7 with a time that grows with the number of the operation (RFC 9562).
fn uuid(rng: &mut Rng, number: Option<u64>, out: &mut Vec<u8>) {
    hex(rng, 32, out);
    let begin = out.len() - 32;
    out[begin + 12] = if number.is_some() { b'7' } else { b'4' };
    if let Some(number) = number {
        let ms = UUIDS_FROM_MS.wrapping_add(number);
        for (place, digit) in out[begin..begin + 12].iter_mut().enumerate() {
            *digit = HEX[(ms >> (44 - 4 * place) & 15) as usize];
        }
    }
    out[begin + 16] = HEX[8 + usize::from(out[begin + 16] & 3)];
    for place in [8, 13, 18, 23] {
        out.insert(begin + place, b'-');
    }
}
