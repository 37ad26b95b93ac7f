//! The joints of multibodies as tables: beside the motion of its link how each joint between it and its parent stands,
//! or by themselves, a column for each coordinate.

use super::{ExportError, Options, keys};
use crate::error::Result;
use crate::joints::JointTracks;
use crate::reader::Reader;
use crate::seconds_between;
use std::fmt::Write;
use std::path::Path;

/// The coordinates of joints beside the rows of bodies.
pub(crate) struct Beside {
    tracks: JointTracks,
    /// By body: its multibody, and the coordinates of the joints between it and its parent.
    of: Vec<(u32, Vec<u32>)>,
    /// The most coordinates that a body has.
    width: usize,
}

impl Beside {
    pub(crate) fn gather(reader: &Reader) -> Result<Self> {
        let header = reader.header();
        let mut of = vec![(0, Vec::new()); header.bodies.len()];
        for (number, made) in (0u32..).zip(&header.multibodies) {
            for link in &made.links {
                let coordinates = link.joints.iter().flat_map(|joint| {
                    let count = joint.kind.coordinates() as u32;
                    joint.first..joint.first.saturating_add(count)
                });
                if let Some(place) = of.get_mut(link.body as usize) {
                    *place = (number, coordinates.collect());
                }
            }
        }
        let width = of.iter().map(|(_, all)| all.len()).max().unwrap_or(0);
        let tracks = JointTracks::read(reader)?;
        Ok(Beside { tracks, of, width })
    }

    /// How many coordinates have columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// A body's coordinate of this place, with its rate.
    pub(crate) fn value(&self, body: u32, place: usize, tick: i64) -> Option<[f64; 2]> {
        let (multibody, coordinates) = self.of.get(body as usize)?;
        self.tracks
            .coordinate(*multibody, *coordinates.get(place)?, tick)
    }
}

/// A table of all joints: a row for each moment, a column for each coordinate and one for its rate.
pub(crate) struct Table {
    /// Names of the columns after `time_s` and `tick`.
    pub(crate) columns: Vec<String>,
    pub(crate) ticks: Vec<i64>,
    /// Row after row; none before a multibody is told of.
    pub(crate) values: Vec<Option<f64>>,
}

impl Table {
    pub(crate) fn gather(reader: &Reader, options: &Options) -> Result<Self> {
        let tracks = JointTracks::read(reader)?;
        let made = &reader.header().multibodies;
        let (first, last) = options.span(reader);
        let ticks = match options.fps {
            Some(fps) => (0..keys::frame_count((first, last), fps))
                .map(|frame| keys::frame_tick(first, frame, fps).min(last))
                .collect(),
            None => {
                let told = (0..made.len() as u32).flat_map(|number| tracks.ticks(number));
                let mut ticks: Vec<i64> = told
                    .copied()
                    .filter(|t| (first..=last).contains(t))
                    .collect();
                ticks.sort_unstable();
                ticks.dedup();
                ticks
            }
        };
        let mut columns = Vec::new();
        let mut places = Vec::new();
        for (number, made) in (0u32..).zip(made) {
            for (coordinate, name) in (0u32..).zip(made.coordinates()) {
                columns.push(format!("{}.{name}", made.name));
                columns.push(format!("{}.{name}.rate", made.name));
                places.push((number, coordinate));
            }
        }
        let mut values = Vec::with_capacity(ticks.len() * columns.len());
        for &tick in &ticks {
            for &(number, coordinate) in &places {
                let told = tracks.coordinate(number, coordinate, tick);
                values.extend([told.map(|[q, _]| q), told.map(|[_, rate]| rate)]);
            }
        }
        Ok(Table {
            columns,
            ticks,
            values,
        })
    }

    fn csv(&self) -> String {
        let mut text = String::from("time_s,tick");
        for column in &self.columns {
            text.push(',');
            text.push_str(&super::csv::quoted(column));
        }
        text.push('\n');
        let width = self.columns.len();
        for (row, tick) in self.ticks.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{},{tick}", seconds_between(0, *tick));
            for value in &self.values[row * width..(row + 1) * width] {
                let _ = match value {
                    Some(value) => write!(text, ",{value}"),
                    None => write!(text, ","),
                };
            }
            text.push('\n');
        }
        text
    }
}

/// Exports how the joints of multibodies stand, as a table: `.csv` or `.parquet`.
pub fn joints(
    reader: &Reader,
    path: &Path,
    options: &Options,
) -> std::result::Result<(), ExportError> {
    super::check_span(reader, options)?;
    super::check_positive("fps", options.fps.unwrap_or(1.0))?;
    if reader.header().multibodies.is_empty() {
        return Err(ExportError::NoJoints);
    }
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let ending = ending.to_ascii_lowercase();
    match ending.as_str() {
        "csv" => {
            let text = Table::gather(reader, options)?.csv();
            super::write_whole(path, |out| out.write_all(text.as_bytes()))
        }
        #[cfg(feature = "parquet")]
        "parquet" => {
            let table = Table::gather(reader, options)?;
            let bytes = super::parquet::wide(&table);
            let bytes = bytes.map_err(|error| super::unwritten(path, error))?;
            super::write_whole(path, |out| out.write_all(&bytes))
        }
        #[cfg(not(feature = "parquet"))]
        "parquet" => Err(ExportError::Absent {
            path: path.into(),
            format: ending,
        }),
        _ => Err(ExportError::NoTable { path: path.into() }),
    }
}
