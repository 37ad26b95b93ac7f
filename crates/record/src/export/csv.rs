//! Trajectories as a table: one row for each segment start and knot, exact to the last bit; or one row
//! for each body and frame if frames per second are given. Opens in any spreadsheet or data frame. Where there are
//! multibodies, rows of links also tell how the joints between them and their parents stand.

use super::joints::Beside;
use super::{Evaluator, Options, keys};
use crate::error::Result;
use crate::reader::Reader;
use crate::seconds_between;
use crate::segment::{Event, NO_PARTNER, State};
use std::io::Write;

const COLUMNS: &str = "time_s,tick,body,name,event,partner,group,impulse_Ns,x_m,y_m,z_m,vx_m_s,vy_m_s,\
                       vz_m_s,qx,qy,qz,qw,wx_rad_s,wy_rad_s,wz_rad_s";

/// The rows, in order of time and body.
pub(crate) struct Table {
    names: Vec<String>,
    rows: Vec<Row>,
    joints: Beside,
}

/// A body's state at a tick.
pub(crate) struct Row {
    pub(crate) tick: i64,
    pub(crate) body: u32,
    /// The event with its partner, group and impulse; none for a sample in between.
    pub(crate) event: Option<(Event, u32, u32, f64)>,
    state: State,
}

impl Row {
    /// Position, velocity, rotation and spin, in the order of the columns.
    pub(crate) fn numbers(&self) -> [f64; 13] {
        let State {
            position: [x, y, z],
            velocity: [vx, vy, vz],
            rotation: [qx, qy, qz, qw],
            spin: [wx, wy, wz],
        } = self.state;
        [x, y, z, vx, vy, vz, qx, qy, qz, qw, wx, wy, wz]
    }
}

impl Table {
    pub(crate) fn gather(
        reader: &Reader,
        options: &Options,
        evaluator: &mut dyn Evaluator,
    ) -> Result<Self> {
        let mut rows = match options.fps {
            Some(_) => frames(reader, options, evaluator)?,
            None => events_and_knots(reader, options.span(reader))?,
        };
        rows.sort_by_key(|row| (row.tick, row.body));
        let names = reader
            .header()
            .bodies
            .iter()
            .map(|body| body.name.clone())
            .collect();
        let joints = Beside::gather(reader)?;
        Ok(Self {
            names,
            rows,
            joints,
        })
    }

    /// How the joints of the rows' bodies stand.
    #[cfg(feature = "parquet")]
    pub(crate) fn joints(&self) -> &Beside {
        &self.joints
    }

    /// The bodies' names.
    #[cfg(feature = "parquet")]
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    #[cfg(feature = "parquet")]
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        write!(out, "{COLUMNS}")?;
        for place in 1..=self.joints.width() {
            write!(out, ",joint_{place},joint_{place}_rate")?;
        }
        writeln!(out)?;
        let names: Vec<String> = self.names.iter().map(|name| quoted(name)).collect();
        for row in &self.rows {
            let name = &names[row.body as usize];
            write!(
                out,
                "{},{},{},{name},",
                seconds_between(0, row.tick),
                row.tick,
                row.body
            )?;
            match row.event {
                Some((event, partner, group, impulse)) => {
                    let number = |n: u32| {
                        if n == NO_PARTNER {
                            String::new()
                        } else {
                            n.to_string()
                        }
                    };
                    write!(
                        out,
                        "{event:?},{},{},{impulse}",
                        number(partner),
                        number(group)
                    )?;
                }
                None => write!(out, ",,,")?,
            }
            row.numbers().iter().try_for_each(|x| write!(out, ",{x}"))?;
            for place in 0..self.joints.width() {
                match self.joints.value(row.body, place, row.tick) {
                    Some([position, rate]) => write!(out, ",{position},{rate}")?,
                    None => write!(out, ",,")?,
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

fn frames(reader: &Reader, options: &Options, evaluator: &mut dyn Evaluator) -> Result<Vec<Row>> {
    let keys = keys::all_bodies(reader, options, evaluator)?;
    let of_body = |(body, keys): (usize, &Vec<keys::Key>)| -> Vec<Row> {
        let row = |key: &keys::Key| Row {
            tick: key.tick,
            body: body as u32,
            event: None,
            state: key.state,
        };
        keys.iter().map(row).collect()
    };
    Ok(keys.iter().enumerate().flat_map(of_body).collect())
}

/// A row for every segment's start, and for every knot of it that is history.
fn events_and_knots(reader: &Reader, (first, last): (i64, i64)) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    reader.for_each_stretch(|stretch| {
        let segment = &stretch.segment;
        let mut push = |tick: i64, event, state| {
            if (first..=last).contains(&tick) {
                rows.push(Row {
                    tick,
                    body: segment.body,
                    event,
                    state,
                });
            }
        };
        let happened = (
            segment.event,
            segment.partner,
            segment.group,
            segment.impulse,
        );
        let event = (segment.event != Event::Continue).then_some(happened);
        push(segment.start, event, segment.state(segment.start));
        for knot in stretch.knots() {
            push(knot.tick, None, segment.state(knot.tick));
        }
    })?;
    Ok(rows)
}

/// A field as CSV wants it: quoted if it holds a comma, a quote or a line's end.
pub(crate) fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", name.replace('"', "\"\""));
    }
    name.into()
}
