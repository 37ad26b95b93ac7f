//! The page of a reproduction: what was measured, figures, and tables with the paper's numbers.

use crate::chart::{Chart, escape};
use crate::failure::Failure;
use crate::output::write_file;
use std::path::Path;

/// A table of the page; the first column names the row.
pub struct Comparison {
    /// Above the table.
    pub caption: String,
    /// Column names.
    pub heading: Vec<String>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
}

/// Everything a reproduction writes.
pub struct Page {
    /// Name of the files, without ending.
    pub stem: &'static str,
    /// The page's heading.
    pub title: &'static str,
    /// What was done and how it differs from the paper, paragraph by paragraph.
    pub text: Vec<String>,
    /// Figures, each with the ending of its file's stem.
    pub charts: Vec<(&'static str, Chart)>,
    /// The paper's numbers beside ours.
    pub comparisons: Vec<Comparison>,
    /// All data.
    pub csv: String,
    /// For the terminal.
    pub summary: String,
}

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;\
padding:0 1rem;background:#fff;color:#1c1f23}table{border-collapse:collapse;margin:1rem 0}\
caption{text-align:left;font-weight:600;padding:.3rem 0}\
td,th{padding:.25rem .8rem;text-align:right;border-bottom:1px solid #d5d9de}\
td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}\
@media(prefers-color-scheme:dark){body{background:#16191d;color:#e8eaed}td,th{border-color:#3a4048}}";

impl Page {
    /// Writes everything into a directory; gives the files' names.
    pub fn write(&self, out: &Path) -> Result<Vec<String>, Failure> {
        let mut files = Vec::new();
        let mut write = |name: String, text: &str| {
            let path = out.join(&name);
            write_file(&path, text.as_bytes())?;
            files.push(path.display().to_string());
            Ok::<(), Failure>(())
        };
        write(format!("{}.csv", self.stem), &self.csv)?;
        for (ending, chart) in &self.charts {
            write(format!("{}{ending}.svg", self.stem), &chart.svg())?;
        }
        write(format!("{}.html", self.stem), &self.html())?;
        Ok(files)
    }

    fn html(&self) -> String {
        let title = escape(self.title);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\">\
             <title>{title}</title><style>{STYLE}</style>\n<h1>{title}</h1>\n"
        );
        for paragraph in &self.text {
            html += &format!("<p>{}</p>\n", escape(paragraph));
        }
        for (_, chart) in &self.charts {
            html += &chart.svg();
        }
        for table in &self.comparisons {
            html += &table.html();
        }
        html + "</html>\n"
    }
}

impl Comparison {
    fn html(&self) -> String {
        let row = |cells: &[String], tag: &str| {
            let cells: String = cells
                .iter()
                .map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)))
                .collect();
            format!("<tr>{cells}</tr>\n")
        };
        let body: String = self.rows.iter().map(|r| row(r, "td")).collect();
        format!(
            "<table><caption>{}</caption>\n{}{body}</table>\n",
            escape(&self.caption),
            row(&self.heading, "th")
        )
    }
}
