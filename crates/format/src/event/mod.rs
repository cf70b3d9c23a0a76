//! What the engine says: one JSON object a line on standard output. Times are nanoseconds since the engine's
//! epoch, which `hello` places on the wall clock and on CLOCK_MONOTONIC.

mod data;
mod fleet;
mod interval;
mod machine;
mod of_every_job;
mod result;
mod storage;
mod tallied;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::data::{ActionResult, CheckOutcome};
pub use self::fleet::{GeneratorResult, Ready, Started};
pub use self::interval::Interval;
pub use self::machine::{MachineResult, ThreadEvents};
pub use self::of_every_job::{
    Doubt, EngineUse, ErrorEvent, ErrorKind, Hello, OwnMeasure, Phase, PhaseStart, Progress, ScriptHooks,
    ScriptOutput, ScriptThreads,
};
pub use self::result::{LoopTotals, RunResult, ServerResult, WindowResult};
pub use self::storage::{
    Direction, DiskSide, DiskUse, Flawed, IoBytes, JobResult, Promised, Spread, StorageResult, ThreadUse,
    Verified,
};
pub use self::tallied::{
    Connections, Counts, Deferred, KindTally, LabelTimes, Latency, Pacing, Reading, Tallied, UnendedTimes,
};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    Hello(Hello),
    Phase(PhaseStart),
    Progress(Progress),
    Ready(Ready),
    Started(Started),
    Interval(Box<Interval>),
    Error(ErrorEvent),
    Doubt(Doubt),
    Result(Box<RunResult>),
    Check(CheckOutcome),
    Verified(Box<Verified>),
    /// The outcome of prepare, check and cleanup.
    Done(ActionResult),
    Output(ScriptOutput),
    Hooks(ScriptHooks),
    Threads(ScriptThreads),
}
