//! The options of a script that the driver itself must know, as the prelude has read them.

use assay_workload::{RandOptions, RandType};

use crate::error::ScriptError;
use crate::told::Told;

/// Errors after which an event begins again.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Ignored {
    All,
    Codes(Vec<u16>),
}

/// What a script's options say of the driver.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptOptions {
    pub threads: u32,
    /// Statements are prepared at the server (`--db-ps-mode=auto`).
    pub prepares: bool,
    /// No statement is sent at all (`--mysql-dry-run`).
    pub dry_run: bool,
    /// The percentile of latency that reports have.
    pub percentile: f64,
    /// Seconds between reports; 0: none.
    pub report_interval_s: f64,
    /// Seconds after the start at which totals are reported and begin anew, in order.
    pub report_checkpoints_s: Vec<f64>,
    pub(crate) rand: RandOptions,
    ignored: Ignored,
}

impl Default for ScriptOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            prepares: true,
            dry_run: false,
            percentile: 95.0,
            report_interval_s: 0.0,
            report_checkpoints_s: Vec::new(),
            rand: RandOptions::default(),
            ignored: Ignored::Codes(vec![1213, 1020, 1205]),
        }
    }
}

impl ScriptOptions {
    /// Takes them from the options that the prelude has read.
    ///
    /// # Errors
    /// A value that the driver does not know.
    pub(crate) fn read(opt: &Told) -> Result<Self, ScriptError> {
        let text = |name: &str| opt.text(name).map(Option::unwrap_or_default);
        let prepares = match &*text("db_ps_mode")? {
            "auto" => true,
            "disable" => false,
            other => return Err(refused("db-ps-mode", other, "auto or disable")),
        };
        Ok(Self {
            threads: whole(opt, "threads", 1, f64::from(u32::MAX))?,
            prepares,
            dry_run: opt.flag("mysql_dry_run")?,
            percentile: number(opt, "percentile", 0.0, 100.0)?,
            report_interval_s: number(opt, "report_interval", 0.0, f64::from(u32::MAX))?,
            report_checkpoints_s: checkpoints(opt)?,
            rand: RandOptions {
                rand_type: match &*text("rand_type")? {
                    "uniform" => RandType::Uniform,
                    "special" => RandType::Special,
                    "gaussian" => RandType::Gaussian,
                    "pareto" => RandType::Pareto,
                    "zipfian" => RandType::Zipfian,
                    other => {
                        return Err(refused(
                            "rand-type",
                            other,
                            "uniform, special, gaussian, pareto or zipfian",
                        ));
                    }
                },
                rand_spec_iter: whole(opt, "rand_spec_iter", 1, 1000.0)?,
                rand_spec_pct: whole(opt, "rand_spec_pct", 0, 100.0)?,
                rand_spec_res: whole(opt, "rand_spec_res", 0, 100.0)?,
                rand_pareto_h: number(opt, "rand_pareto_h", 1e-9, 1.0 - 1e-9)?,
                rand_zipfian_exp: number(opt, "rand_zipfian_exp", 0.0, 100.0)?,
            },
            ignored: ignored(opt)?,
        })
    }

    /// Whether an error with this code has the event begin again.
    pub(crate) fn ignores(&self, code: u16) -> bool {
        match &self.ignored {
            Ignored::All => true,
            Ignored::Codes(codes) => codes.contains(&code),
        }
    }
}

fn ignored(opt: &Told) -> Result<Ignored, ScriptError> {
    let list = opt.texts("mysql_ignore_errors")?;
    if list.iter().any(|item| item == "all") {
        return Ok(Ignored::All);
    }
    let code = |item: &String| {
        item.parse::<u16>()
            .map_err(|_| refused("mysql-ignore-errors", item, "error codes with commas, or all"))
    };
    list.iter().map(code).collect::<Result<_, _>>().map(Ignored::Codes)
}

fn checkpoints(opt: &Told) -> Result<Vec<f64>, ScriptError> {
    let list = opt.texts("report_checkpoints")?;
    let second = |item: &String| {
        let seconds = item.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
        seconds.ok_or_else(|| refused("report-checkpoints", item, "seconds with commas, as in 10,60"))
    };
    let mut seconds = list.iter().map(second).collect::<Result<Vec<_>, _>>()?;
    seconds.sort_by(f64::total_cmp);
    Ok(seconds)
}

fn number(opt: &Told, name: &str, least: f64, most: f64) -> Result<f64, ScriptError> {
    let number = opt.number(name)?;
    number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        refused(
            &name.replace('_', "-"),
            &number.map_or("?".into(), |number| number.to_string()),
            &format!("a number from {least} to {most}"),
        )
    })
}

fn whole(opt: &Told, name: &str, least: u32, most: f64) -> Result<u32, ScriptError> {
    number(opt, name, least.into(), most).map(|number| number as u32)
}

fn refused(name: &str, value: &str, expected: &str) -> ScriptError {
    ScriptError::new(format!("invalid option: --{name}={value}\nhint: expected {expected}"))
}
