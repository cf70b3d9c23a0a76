//! Numbers and times as SQL, from whole units.

use std::io::Write;

use crate::spec::ValueForm;

/// Writes a value of a form that counts units; nothing of the others.
pub(crate) fn write(form: ValueForm, value: i128, out: &mut Vec<u8>) {
    // Writing into memory cannot fail.
    let _ = match form {
        ValueForm::Whole { least, most } => {
            write!(out, "{}", value.clamp(least.into(), i128::from(most).max(least.into())))
        }
        ValueForm::Decimal { digits } => fixed(value, digits, out),
        ValueForm::Float { digits } => write!(out, "{value}e{}", -i64::from(digits)),
        ValueForm::Date => {
            let (year, month, day) = civil(value as i64);
            write!(out, "'{year:04}-{month:02}-{day:02}'")
        }
        ValueForm::Moment { digits } => {
            let unit = 10_i128.pow(digits.min(6));
            let seconds = value.div_euclid(unit);
            let (year, month, day) = civil(seconds.div_euclid(86_400) as i64);
            let _ = write!(out, "'{year:04}-{month:02}-{day:02} ");
            of_day(seconds.rem_euclid(86_400), value.rem_euclid(unit), digits, out)
        }
        ValueForm::Time { digits } => {
            let unit = 10_i128.pow(digits.min(6));
            let _ = write!(out, "'{}", if value < 0 { "-" } else { "" });
            of_day(value.abs() / unit, value.abs() % unit, digits, out)
        }
        _ => Ok(()),
    };
}

fn fixed(value: i128, digits: u32, out: &mut Vec<u8>) -> std::io::Result<()> {
    let unit = 10_i128.pow(digits.min(30));
    let sign = if value < 0 { "-" } else { "" };
    write!(out, "{sign}{}", value.abs() / unit)?;
    if digits > 0 {
        write!(out, ".{:0width$}", value.abs() % unit, width = digits as usize)?;
    }
    Ok(())
}

fn of_day(seconds: i128, rest: i128, digits: u32, out: &mut Vec<u8>) -> std::io::Result<()> {
    write!(out, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
    if digits > 0 {
        write!(out, ".{rest:0width$}", width = digits as usize)?;
    }
    write!(out, "'")
}

/// Year, month and day of a number of days since 1970-01-01, by the Gregorian calendar: years are counted from March on,
/// so that the leap day is the last of its year.
fn civil(days: i64) -> (i64, i64, i64) {
    const OF_ERA: i64 = 146_097;
    const BEFORE_1970: i64 = 719_468;
    let days = days + BEFORE_1970;
    let (era, day) = (days.div_euclid(OF_ERA), days.rem_euclid(OF_ERA));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let month_day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, month_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_sql() {
        for (form, value, sql) in [
            (ValueForm::Whole { least: 0, most: 255 }, 7, "7"),
            (ValueForm::Decimal { digits: 2 }, -5, "-0.05"),
            (ValueForm::Decimal { digits: 0 }, 12, "12"),
            (ValueForm::Float { digits: 3 }, 1500, "1500e-3"),
            (ValueForm::Date, 0, "'1970-01-01'"),
            (ValueForm::Date, 19_782, "'2024-02-29'"),
            (ValueForm::Date, -1, "'1969-12-31'"),
            (ValueForm::Moment { digits: 0 }, 1_767_614_400, "'2026-01-05 12:00:00'"),
            (ValueForm::Moment { digits: 3 }, -1, "'1969-12-31 23:59:59.999'"),
            (ValueForm::Time { digits: 1 }, -36_005, "'-01:00:00.5'"),
        ] {
            let mut out = Vec::new();
            write(form, value, &mut out);
            assert_eq!(String::from_utf8(out).expect("UTF-8"), sql);
        }
    }
}
