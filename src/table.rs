//! Tables for people: columns of text, aligned.

pub use warpline::wording::short;

/// Rows of cells under a heading.
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
    is_prose: bool,
}

impl Table {
    /// An empty table.
    pub fn new<S: Into<String>>(heading: impl IntoIterator<Item = S>) -> Self {
        Table {
            heading: heading.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            is_prose: false,
        }
    }

    /// Aligns every column to the left.
    pub fn prose(mut self) -> Self {
        self.is_prose = true;
        self
    }

    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table as text: the first column to the left, the others (numbers, mostly) to the right.
    pub fn render(&self) -> String {
        let all = || std::iter::once(&self.heading).chain(&self.rows);
        let width = |column: usize| {
            let cells = all().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let mut text = String::new();
        for (index, row) in all().enumerate() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = width(column);
                match column {
                    0 => line.push_str(&format!("{cell:<width$}")),
                    _ if self.is_prose => line.push_str(&format!("  {cell:<width$}")),
                    _ => line.push_str(&format!("  {cell:>width$}")),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
            if index == 0 {
                let rule: usize = (0..row.len()).map(|c| width(c) + 2).sum::<usize>() - 2;
                text.push_str(&"─".repeat(rule));
                text.push('\n');
            }
        }
        text
    }

    /// The table as comma-separated values (cells with commas or quotes are quoted).
    pub fn csv(&self) -> String {
        let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        std::iter::once(&self.heading)
            .chain(&self.rows)
            .map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n")
            .collect()
    }
}
