//! Rows of a file with commas, as a source of draws.

use crate::OptionError;
use crate::own::sampler::Sampler;

/// Puts the columns of a file's rows into a sample.
///
/// # Errors
/// A column is not there, or a line has not as many fields as the first; the file and the line are named.
pub(super) fn read_rows(
    name: &str,
    text: &str,
    columns: &[String],
    sampler: &mut Sampler,
) -> Result<(), OptionError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let fields = |(number, line): (usize, &str)| {
        fields_of(line).ok_or_else(|| {
            let line = number + 1;
            OptionError(format!("{name}:{line}: a quote is not closed: a field stands on one line"))
        })
    };
    let head = lines.next().map(fields).transpose()?.unwrap_or_default();
    let place = |column: &String| {
        let wanted = column.trim_matches('`');
        head.iter().position(|known| known == wanted).ok_or_else(|| {
            let near = crate::option::nearest(wanted, head.iter().map(String::as_str));
            let advice = near.map_or_else(
                || format!("; there are {}", head.join(", ")),
                |near| format!("; did you mean {near}?"),
            );
            OptionError(format!("{name}: no column is called {wanted}{advice}"))
        })
    };
    let places = columns.iter().map(place).collect::<Result<Vec<_>, _>>()?;
    for (number, line) in lines {
        let fields = fields((number, line))?;
        if fields.len() != head.len() {
            let (line, found, wanted) = (number + 1, fields.len(), head.len());
            return Err(OptionError(format!(
                "{name}:{line}: {found} fields where the first line has {wanted}"
            )));
        }
        sampler.add(places.iter().map(|place| fields[*place].as_bytes()));
    }
    Ok(())
}

/// The fields of a line: commas part them, quotes keep commas, doubled quotes are one. None where a quote is not closed.
fn fields_of(line: &str) -> Option<Vec<String>> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.trim_end_matches('\r').chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            letter => field.push(letter),
        }
    }
    fields.push(field);
    (!quoted).then_some(fields)
}
