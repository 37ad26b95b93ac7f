//! Trajectories as a Parquet file: the rows and columns of the CSV, typed, in order of time. Opens in
//! pandas, Polars, DuckDB, Spark. What a row does not have (a sample between events) is null.

use super::csv::{Row, Table};
use super::joints::{self, Beside};
use crate::seconds_between;
use crate::segment::NO_PARTNER;
use parquet::basic::{Compression, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::Type;
use std::sync::Arc;

/// Rows of a row group: what a reader takes at a time.
const GROUP_ROWS: usize = 1 << 20;

const SCHEMA: &str = "message trajectories {
    REQUIRED DOUBLE time_s;
    REQUIRED INT64 tick;
    REQUIRED INT32 body (INTEGER(32, false));
    REQUIRED BYTE_ARRAY name (STRING);
    OPTIONAL BYTE_ARRAY event (STRING);
    OPTIONAL INT32 partner (INTEGER(32, false));
    OPTIONAL INT32 group (INTEGER(32, false));
    OPTIONAL DOUBLE impulse_Ns;
    REQUIRED DOUBLE x_m;
    REQUIRED DOUBLE y_m;
    REQUIRED DOUBLE z_m;
    REQUIRED DOUBLE vx_m_s;
    REQUIRED DOUBLE vy_m_s;
    REQUIRED DOUBLE vz_m_s;
    REQUIRED DOUBLE qx;
    REQUIRED DOUBLE qy;
    REQUIRED DOUBLE qz;
    REQUIRED DOUBLE qw;
    REQUIRED DOUBLE wx_rad_s;
    REQUIRED DOUBLE wy_rad_s;
    REQUIRED DOUBLE wz_rad_s;
";
/// The column of the first of a state's thirteen numbers, and the first after them.
const FIRST_NUMBER: usize = 8;
const FIRST_JOINT: usize = FIRST_NUMBER + 13;

/// The whole file.
pub(crate) fn build(table: &Table) -> Result<Vec<u8>> {
    let joint =
        |place| format!("OPTIONAL DOUBLE joint_{place};\nOPTIONAL DOUBLE joint_{place}_rate;\n");
    let joints: String = (1..=table.joints().width()).map(joint).collect();
    let schema = Arc::new(parse_message_type(&format!("{SCHEMA}{joints}}}"))?);
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, properties())?;
    let names: Vec<ByteArray> = table
        .names()
        .map(|name| ByteArray::from(name.as_bytes().to_vec()))
        .collect();
    for rows in table.rows().chunks(GROUP_ROWS) {
        let mut group = file.next_row_group()?;
        let mut number = 0usize;
        while let Some(column) = group.next_column()? {
            match number.checked_sub(FIRST_JOINT) {
                Some(place) => write_joint(column, place, rows, table.joints())?,
                None => write_column(column, number, rows, &names)?,
            }
            number += 1;
        }
        group.close()?;
    }
    file.close()?;
    Ok(bytes)
}

fn properties() -> Arc<WriterProperties> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by("warpline".into());
    Arc::new(properties.build())
}

/// How all joints stand, a column for each coordinate and one for its rate.
pub(crate) fn wide(table: &joints::Table) -> Result<Vec<u8>> {
    let field = |(name, kind, repetition)| -> Result<Arc<Type>> {
        let builder = Type::primitive_type_builder(name, kind).with_repetition(repetition);
        Ok(Arc::new(builder.build()?))
    };
    let mut fields = vec![
        field(("time_s", Physical::DOUBLE, Repetition::REQUIRED))?,
        field(("tick", Physical::INT64, Repetition::REQUIRED))?,
    ];
    for column in &table.columns {
        fields.push(field((column, Physical::DOUBLE, Repetition::OPTIONAL))?);
    }
    let schema = Type::group_type_builder("joints")
        .with_fields(fields)
        .build()?;
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), properties())?;
    let width = table.columns.len();
    for first in (0..table.ticks.len()).step_by(GROUP_ROWS) {
        let rows = first..(first + GROUP_ROWS).min(table.ticks.len());
        let ticks = &table.ticks[rows.clone()];
        let mut group = file.next_row_group()?;
        let mut number = 0usize;
        while let Some(mut column) = group.next_column()? {
            match number {
                0 => {
                    let seconds: Vec<f64> = ticks.iter().map(|t| seconds_between(0, *t)).collect();
                    required(&mut column, &seconds)?;
                }
                1 => {
                    let column = column.typed::<Int64Type>();
                    column.write_batch(ticks, None, None)?;
                }
                _ => {
                    let value = |row: usize| table.values[row * width + number - 2];
                    let all: Vec<Option<f64>> = rows.clone().map(value).collect();
                    present(&mut column, all)?;
                }
            }
            column.close()?;
            number += 1;
        }
        group.close()?;
    }
    file.close()?;
    Ok(bytes)
}

fn write_joint(
    mut column: SerializedColumnWriter<'_>,
    place: usize,
    rows: &[Row],
    joints: &Beside,
) -> Result<()> {
    let value = |row: &Row| {
        let told = joints.value(row.body, place / 2, row.tick);
        told.map(|pair| pair[place % 2])
    };
    present(&mut column, rows.iter().map(value).collect())?;
    column.close()
}

/// Writes the numbers that are there.
fn present(column: &mut SerializedColumnWriter<'_>, all: Vec<Option<f64>>) -> Result<()> {
    let levels: Vec<i16> = all.iter().map(|v| i16::from(v.is_some())).collect();
    let values: Vec<f64> = all.into_iter().flatten().collect();
    column
        .typed::<DoubleType>()
        .write_batch(&values, Some(&levels), None)?;
    Ok(())
}

fn write_column(
    mut column: SerializedColumnWriter<'_>,
    number: usize,
    rows: &[Row],
    names: &[ByteArray],
) -> Result<()> {
    match number {
        0 => {
            let seconds: Vec<f64> = rows.iter().map(|r| seconds_between(0, r.tick)).collect();
            required(&mut column, &seconds)?;
        }
        1 => {
            let ticks: Vec<i64> = rows.iter().map(|r| r.tick).collect();
            column
                .typed::<Int64Type>()
                .write_batch(&ticks, None, None)?;
        }
        2 => {
            let bodies: Vec<i32> = rows.iter().map(|r| r.body as i32).collect();
            column
                .typed::<Int32Type>()
                .write_batch(&bodies, None, None)?;
        }
        3 => {
            let names: Vec<ByteArray> = rows
                .iter()
                .map(|r| names[r.body as usize].clone())
                .collect();
            column
                .typed::<ByteArrayType>()
                .write_batch(&names, None, None)?;
        }
        4 => {
            let event = |r: &Row| r.event.map(|(event, ..)| format!("{event:?}"));
            let (values, levels) = optional(rows, |r| {
                event(r).map(|text| ByteArray::from(text.into_bytes()))
            });
            column
                .typed::<ByteArrayType>()
                .write_batch(&values, Some(&levels), None)?;
        }
        5 | 6 => {
            let known = |n: u32| (n != NO_PARTNER).then_some(n as i32);
            let (values, levels) = optional(rows, |r| {
                let (_, partner, group, _) = r.event?;
                known(if number == 5 { partner } else { group })
            });
            column
                .typed::<Int32Type>()
                .write_batch(&values, Some(&levels), None)?;
        }
        7 => {
            let (values, levels) = optional(rows, |r| r.event.map(|(.., impulse)| impulse));
            column
                .typed::<DoubleType>()
                .write_batch(&values, Some(&levels), None)?;
        }
        _ => {
            let place = number - FIRST_NUMBER;
            let numbers: Vec<f64> = rows.iter().map(|r| r.numbers()[place]).collect();
            required(&mut column, &numbers)?;
        }
    }
    column.close()
}

fn required(column: &mut SerializedColumnWriter<'_>, numbers: &[f64]) -> Result<()> {
    column
        .typed::<DoubleType>()
        .write_batch(numbers, None, None)?;
    Ok(())
}

/// The values that are there, and for each row whether it has one.
fn optional<T>(rows: &[Row], value: impl Fn(&Row) -> Option<T>) -> (Vec<T>, Vec<i16>) {
    let all: Vec<Option<T>> = rows.iter().map(value).collect();
    let levels = all.iter().map(|v| i16::from(v.is_some())).collect();
    (all.into_iter().flatten().collect(), levels)
}
