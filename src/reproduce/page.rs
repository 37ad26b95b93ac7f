//! The page of a reproduction: what was measured, figures, and tables with the paper's numbers.

use crate::chart::{Chart, escape};
use crate::failure::Failure;
use crate::output::write_file;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A table of the page; the first column names the row.
pub struct Comparison {
    /// Above the table.
    pub caption: String,
    /// Column names.
    pub heading: Vec<String>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
}

/// A picture of the page, written by whoever made it.
pub struct Shown {
    /// The file's name, beside the page.
    pub file: String,
    /// Below the picture.
    pub caption: String,
}

/// How a page was made.
pub struct Made {
    /// The command, as it can be given again.
    pub command: String,
    /// Whether it was cut short.
    pub quick: bool,
}

impl Made {
    fn banner(&self) -> &'static str {
        match self.quick {
            true => {
                "<p class=\"quick\">A quick look: fewer and shorter runs than the paper's. The shape of the \
                 result can be seen, its numbers are not to be compared with the paper's. Run the command \
                 below without <code>--quick</code> for those.</p>\n"
            }
            false => "",
        }
    }

    fn footer(&self) -> String {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH);
        let days = seconds.map_or(0, |s| (s.as_secs() / 86_400) as i64);
        let [year, month, day] = civil(days);
        format!(
            "<footer>Made by <code>{}</code>, Warpline {}, on {}, {year:04}-{month:02}-{day:02}.</footer>\n",
            escape(&self.command),
            env!("CARGO_PKG_VERSION"),
            escape(&machine()),
        )
    }
}

/// The processor's name where the system tells it, how many there are, and the system.
fn machine() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = told.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model} ({count} threads), {}", std::env::consts::OS)
}

/// Year, month and day of a number of days since 1970: years are counted from March, so that the day
/// that some of them lack is their last.
fn civil(days: i64) -> [i64; 3] {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let leaps = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leaps) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    [year, month, day]
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
td:first-child,th:first-child{text-align:left}svg,img{max-width:100%;height:auto}figure{margin:1rem 0}\
.quick{border:2px solid #c2571a;padding:.6rem 1rem;font-weight:600}footer{margin-top:2rem;font-size:13px}\
@media(prefers-color-scheme:dark){body{background:#16191d;color:#e8eaed}td,th{border-color:#3a4048}}";

impl Page {
    /// Writes everything into a directory; gives the files' names.
    pub fn write(&self, out: &Path, made: &Made, shown: &[Shown]) -> Result<Vec<String>, Failure> {
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
        write(format!("{}.html", self.stem), &self.html(made, shown))?;
        files.extend(
            shown
                .iter()
                .map(|s| out.join(&s.file).display().to_string()),
        );
        Ok(files)
    }

    fn html(&self, made: &Made, shown: &[Shown]) -> String {
        let title = escape(self.title);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\">\
             <title>{title}</title><style>{STYLE}</style>\n<h1>{title}</h1>\n"
        );
        html += made.banner();
        for paragraph in &self.text {
            html += &format!("<p>{}</p>\n", escape(paragraph));
        }
        for (_, chart) in &self.charts {
            html += &chart.svg();
        }
        for table in &self.comparisons {
            html += &table.html();
        }
        for Shown { file, caption } in shown {
            let (file, caption) = (escape(file), escape(caption));
            html += &format!(
                "<figure><img src=\"{file}\" alt=\"{caption}\"><figcaption>{caption}</figcaption></figure>\n"
            );
        }
        html += &made.footer();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        assert_eq!(civil(0), [1970, 1, 1]);
        assert_eq!(civil(59), [1970, 3, 1]);
        assert_eq!(civil(11_016), [2000, 2, 29]);
        assert_eq!(civil(20_454), [2026, 1, 1]);
    }

    #[test]
    fn a_quick_page_says_so_and_every_page_how_it_was_made() {
        let page = Page {
            stem: "x",
            title: "x",
            text: Vec::new(),
            charts: Vec::new(),
            comparisons: Vec::new(),
            csv: String::new(),
            summary: String::new(),
        };
        let command = "warpline reproduce x".to_string();
        let html = |quick| {
            let made = Made {
                command: command.clone(),
                quick,
            };
            page.html(&made, &[])
        };
        assert!(html(true).contains("A quick look") && !html(false).contains("A quick look"));
        assert!(html(false).contains(&command) && html(false).contains(env!("CARGO_PKG_VERSION")));
    }
}
