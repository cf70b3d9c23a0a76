//! Consistency checks of the graph: what must hold however many connections changed it.

use crate::Check;
use crate::linkbench::links::FIRST_TYPE;
use crate::linkbench::population::NODE_TYPE;
use crate::linkbench::schema::Numbers;

/// Parts that a check is cut into, by id.
const PARTS: u64 = 8;

struct Condition {
    name: &'static str,
    title: &'static str,
    /// The query that finds what breaks the condition; `[column]` in it stands for a range of ids.
    sql: &'static str,
}

const CONDITIONS: [Condition; 3] = [
    Condition {
        name: "counts-match",
        title: "the count of an id and type is the number of its visible links, 0 where there is no row",
        sql: "SELECT id1, l.link_type, visible, count FROM \
              (SELECT id1, link_type, SUM(visibility = 1) visible FROM linktable WHERE [id1] GROUP BY id1, link_type) l \
              LEFT JOIN counttable c ON c.id = l.id1 AND c.link_type = l.link_type \
              WHERE visible <> COALESCE(count, 0) \
              UNION ALL SELECT id, c.link_type, 0, count FROM counttable c \
              WHERE [id] AND count > 0 AND NOT EXISTS \
              (SELECT 1 FROM linktable l WHERE l.link_type = c.link_type AND l.id1 = c.id)",
    },
    Condition {
        name: "links-known",
        title: "links are visible or hidden, of a known type",
        sql: "SELECT id1, link_type, id2, visibility FROM linktable \
              WHERE [id1] AND (visibility NOT IN (0, 1) OR link_type NOT BETWEEN {first} AND {last})",
    },
    Condition {
        name: "nodes-known",
        title: "nodes are of the one type, in the version in which they were added or updated",
        sql: "SELECT id, type, version FROM nodetable WHERE [id] AND (type <> {node} OR version NOT IN (1, 2))",
    },
];

pub(crate) fn checks(numbers: Numbers) -> Vec<Check> {
    let Numbers { start, n, types } = numbers;
    let each = n.div_ceil(PARTS);
    let firsts: Vec<u64> = (0..n).step_by(each as usize).map(|offset| start + offset).collect();
    let sql = |condition: &Condition, first: u64| {
        let sql = condition
            .sql
            .replace("{first}", &FIRST_TYPE.to_string())
            .replace("{last}", &(FIRST_TYPE + types - 1).to_string())
            .replace("{node}", &NODE_TYPE.to_string());
        // What lies outside of the loaded ids belongs to the ends: nodes are added after the last one.
        let low = if first == start { None } else { Some(first) };
        let high = if first + each >= start + n { None } else { Some(first + each - 1) };
        ranged(&sql, low, high)
    };
    let check =
        |condition: &Condition, first| Check::new(condition.name, condition.title, sql(condition, first));
    CONDITIONS.iter().flat_map(|condition| firsts.iter().map(move |first| check(condition, *first))).collect()
}

/// The query with each `[column]` written out as a range of ids.
fn ranged(sql: &str, low: Option<u64>, high: Option<u64>) -> String {
    let mut parts = sql.split(['[', ']']);
    let mut out = parts.next().unwrap_or_default().to_owned();
    while let (Some(column), Some(rest)) = (parts.next(), parts.next()) {
        out += &match (low, high) {
            (None, None) => format!("{column} >= 0"),
            (Some(low), None) => format!("{column} >= {low}"),
            (None, Some(high)) => format!("{column} <= {high}"),
            (Some(low), Some(high)) => format!("{column} BETWEEN {low} AND {high}"),
        };
        out += rest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_every_id_once() {
        for (start, n) in [(1, 1), (5, 2), (1, 7), (11, 8), (1, 9), (3, 100_000)] {
            let checks = checks(Numbers { start, n, types: 2 });
            let conditions = checks.iter().filter(|check| &*check.name == "nodes-known");
            let holds = |sql: &str, id: u64| {
                let (_, condition) = sql.split_once("WHERE id ").expect("a range");
                let words: Vec<&str> = condition.split(' ').collect();
                let number = |at: usize| words[at].parse::<u64>().expect("a number");
                match words[0] {
                    ">=" => id >= number(1),
                    "<=" => id <= number(1),
                    _ => (number(1)..=number(3)).contains(&id),
                }
            };
            let all: Vec<_> = conditions.collect();
            for id in (0..start + n + 3).step_by(1 + n as usize / 500) {
                assert_eq!(all.iter().filter(|check| holds(&check.sql, id)).count(), 1, "{start} {n} {id}");
            }
            assert!(checks.iter().all(|check| !check.sql.contains(['[', ']', '{'])));
        }
    }
}
