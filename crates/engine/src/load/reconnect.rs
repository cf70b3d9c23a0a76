//! Opening a connection again: a lost one with growing pauses, a limit, and never past the end of the load; a healthy one
//! because the job wants it.

use std::pin::pin;

use assay_workload::Rng;

use crate::load::opener::Opener;
use crate::load::session::MeasuredSession;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;

const FIRST_PAUSE_MS: f64 = 10.0;
const LONGEST_PAUSE_MS: f64 = 1_000.0;
/// First word of the key: these numbers are not those of operations.
const PAUSE: u64 = 0x0070_6175_7365;

/// Puts a fresh connection into `connection`, or leaves it empty when the load is over before.
///
/// # Errors
/// `errors.reconnect_tries` tries in a row failed; what the last one said.
pub(crate) async fn reopen(
    opener: &Opener,
    task: TaskId,
    connection: &mut Option<MeasuredSession>,
) -> Result<(), Fatal> {
    // Closed before another is opened: the server may be short of connections.
    *connection = None;
    open_again(opener, task, connection).await
}

/// Opens a connection for the empty `connection`.
async fn open_again(
    opener: &Opener,
    task: TaskId,
    connection: &mut Option<MeasuredSession>,
) -> Result<(), Fatal> {
    let shard = &opener.shard;
    let mut rng = Rng::keyed(&[PAUSE, opener.seed, shard.connection(task).into()]);
    for number in 1.. {
        let pause_ns = (pause_ms(number, rng.unit()) * 1e6) as u64;
        if !shard.pause(task, shard.reactor.clock.now() + pause_ns).await {
            break;
        }
        match opener.open(task).await {
            Ok(fresh) => {
                *connection = Some(fresh);
                shard.note_reconnect();
                break;
            }
            Err(mut failure) if number >= opener.reconnect_tries => {
                failure.message = format!("cannot reconnect after {number} tries: {}", failure.message);
                return Err(failure);
            }
            Err(failure) => shard.notice(&failure),
        }
    }
    Ok(())
}

/// Closes a healthy connection and opens it again, as `load.reconnect_each` asks for.
///
/// # Errors
/// As [`reopen`], when the server did not take it back at once.
pub(crate) async fn renew(
    opener: &Opener,
    task: TaskId,
    connection: &mut Option<MeasuredSession>,
) -> Result<(), Fatal> {
    let Some(session) = connection.take() else { return Ok(()) };
    let (shard, began) = (&opener.shard, session.mark());
    shard.limited(task, pin!(session.quit())).await;
    match opener.open(task).await {
        Ok(fresh) => {
            shard.note_connect(began, fresh.mark());
            *connection = Some(fresh);
            Ok(())
        }
        Err(failure) => {
            shard.notice(&failure);
            open_again(opener, task, connection).await
        }
    }
}

/// The pause before try `number`, with exponential backoff and jitter: doubled from try to try, half of it chance, so
/// that a thousand connections do not knock together.
fn pause_ms(number: u32, unit: f64) -> f64 {
    let longest = (FIRST_PAUSE_MS * 2f64.powi(number as i32 - 1)).min(LONGEST_PAUSE_MS);
    longest * (0.5 + unit / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_second() {
        for (number, drawn, expected) in [
            (1, 1.0, 10.0),
            (2, 1.0, 20.0),
            (3, 1.0, 40.0),
            (8, 1.0, 1000.0),
            (100, 1.0, 1000.0),
            (1, 0.0, 5.0),
        ] {
            assert!((pause_ms(number, drawn) - expected).abs() < 1e-9, "{number} {drawn}");
        }
    }
}
