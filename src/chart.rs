//! Line charts as SVG that look right on light and dark pages: all colours are classes, and a style
//! sheet inside the picture follows the reader's scheme.

use std::fmt::Write;

/// One line of a chart.
pub struct Series {
    /// For the legend.
    pub name: String,
    /// In rising order of x.
    pub points: Vec<(f64, f64)>,
}

/// An axis.
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// Whether it is logarithmic; values that are not positive are left out then.
    pub is_log: bool,
    /// Names that stand in the place of the numbers 1, 2, 3 and so on: bars are drawn then, not lines.
    pub categories: Vec<String>,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Axis {
            label: label.into(),
            is_log: false,
            categories: Vec::new(),
        }
    }

    /// An axis of names.
    pub fn categories(label: &str, names: Vec<String>) -> Self {
        Axis {
            label: label.into(),
            is_log: false,
            categories: names,
        }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Axis {
            label: label.into(),
            is_log: true,
            categories: Vec::new(),
        }
    }
}

/// A chart.
pub struct Chart {
    /// Above the picture.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 380.0;

const STYLE: &str = "\
.paper{fill:#ffffff}.ink{fill:#1c1f23}.faint{fill:#5b636d}.grid{stroke:#e2e5e9;stroke-width:1}\
.axis{stroke:#8b929b;stroke-width:1}text{font:13px system-ui,sans-serif}\
.line{fill:none;stroke-width:2;stroke-linejoin:round}\
.s0{--c:#1f6fb2}.s1{--c:#c2571a}.s2{--c:#2e8b57}.s3{--c:#8e4ea8}.s4{--c:#a07a00}.s5{--c:#b03060}\
.s6{--c:#0e8a8a}.s7{--c:#6b4a2f}.s8{--c:#4a4f57}.s9{--c:#3f3fbf}\
.line{stroke:var(--c)}.dot{fill:var(--c)}\
@media(prefers-color-scheme:dark){.paper{fill:#16191d}.ink{fill:#e8eaed}.faint{fill:#a0a7b0}\
.grid{stroke:#2c3138}.axis{stroke:#6b727b}\
.s0{--c:#6cb4f0}.s1{--c:#f0935a}.s2{--c:#6fcf97}.s3{--c:#c99be0}.s4{--c:#e0bc4a}.s5{--c:#ef88a8}\
.s6{--c:#5fd0d0}.s7{--c:#c9a184}.s8{--c:#b8bec7}.s9{--c:#9a9af0}}";

/// Colours there are; further series have the same ones again, with dashes.
const COLOURS: usize = 10;

/// How an axis maps values to the picture.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    is_log: bool,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> Self {
        let is_log = axis.is_log;
        if !axis.categories.is_empty() {
            return Scale {
                low: 0.5,
                high: axis.categories.len() as f64 + 0.5,
                from,
                to,
                is_log,
            };
        }
        let transformed = values
            .filter(|v| v.is_finite() && (*v > 0.0 || !is_log))
            .map(|v| if is_log { v.log10() } else { v });
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in transformed {
            low = low.min(v);
            high = high.max(v);
        }
        if !is_log {
            low = low.min(0.0);
        }
        if low >= high {
            (low, high) = (low.min(1e9) - 0.5, low.min(1e9) + 0.5);
        }
        let margin = 0.04 * (high - low);
        Scale {
            low: if low == 0.0 { 0.0 } else { low - margin },
            high: high + margin,
            from,
            to,
            is_log,
        }
    }

    fn at(&self, value: f64) -> Option<f64> {
        let v = match self.is_log {
            true if value <= 0.0 => return None,
            true => value.log10(),
            false => value,
        };
        let share = (v - self.low) / (self.high - self.low);
        v.is_finite()
            .then_some(self.from + share * (self.to - self.from))
    }

    fn ticks(&self) -> Vec<f64> {
        match self.is_log {
            true => self.log_ticks(),
            false => self.linear_ticks(),
        }
    }

    /// Decades; with fewer than two of them also their halves and fifths.
    fn log_ticks(&self) -> Vec<f64> {
        let factors: &[f64] = match self.high - self.low < 2.0 {
            true => &[1.0, 2.0, 5.0],
            false => &[1.0],
        };
        let decades = (self.low.floor() as i32)..=(self.high.ceil() as i32);
        decades
            .flat_map(|d| factors.iter().map(move |f| f * 10f64.powi(d)))
            .filter(|v| (self.low..=self.high).contains(&v.log10()))
            .collect()
    }

    fn linear_ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 6.0;
        let power = 10f64.powi(rough.log10().floor() as i32);
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|f| f * power)
            .find(|s| *s >= rough)
            .unwrap_or(rough);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

fn label(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if !(1e-4..1e5).contains(&size) {
        format!("{value:.0e}")
    } else {
        // Ticks are 1, 2 or 5 times a power of ten: rounding hides what floating point adds.
        format!("{}", (value * 1e6).round() / 1e6)
    }
}

/// Text that may stand in markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

impl Chart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|s| s.points.iter().copied());
        let x = Scale::new(&self.x, all().map(|p| p.0), (LEFT, RIGHT));
        let y = Scale::new(&self.y, all().map(|p| p.1), (BOTTOM, TOP));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-label=\"{}\">\n\
             <style>{STYLE}</style>\n<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n",
            escape(&self.title)
        );
        self.frame(&mut svg, &x, &y);
        for (index, series) in self.series.iter().enumerate() {
            match self.x.categories.is_empty() {
                true => draw_series(&mut svg, series, index, &x, &y),
                false => draw_bars(&mut svg, series, (index, self.series.len()), &x, &y),
            }
            draw_legend(&mut svg, series, index);
        }
        svg + "</svg>\n"
    }

    fn frame(&self, svg: &mut String, x: &Scale, y: &Scale) {
        let mut put = |text: String| {
            svg.push_str(&text);
            svg.push('\n');
        };
        for (place, name) in self.x.categories.iter().enumerate() {
            let at = x.at(place as f64 + 1.0).unwrap_or(LEFT);
            let row = BOTTOM + if place % 2 == 0 { 16.0 } else { 30.0 };
            put(format!(
                "<text class=\"faint\" x=\"{at:.1}\" y=\"{row}\" text-anchor=\"middle\">{}</text>",
                escape(name)
            ));
        }
        let numbers = match self.x.categories.is_empty() {
            true => x.ticks(),
            false => Vec::new(),
        };
        for tick in numbers {
            let at = x.at(tick).unwrap_or(LEFT);
            put(format!(
                "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{BOTTOM}\"/>\
                 <text class=\"faint\" x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                BOTTOM + 20.0,
                label(tick)
            ));
        }
        for tick in y.ticks() {
            let at = y.at(tick).unwrap_or(BOTTOM);
            put(format!(
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text class=\"faint\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                at + 4.0,
                label(tick)
            ));
        }
        put(format!(
            "<path class=\"axis\" fill=\"none\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\
             <text class=\"ink\" x=\"{LEFT}\" y=\"26\" font-weight=\"600\">{}</text>\
             <text class=\"ink\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text class=\"ink\" transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escape(&self.title),
            0.5 * (LEFT + RIGHT),
            BOTTOM + 44.0,
            escape(&self.x.label),
            0.5 * (TOP + BOTTOM),
            escape(&self.y.label),
        ));
    }
}

/// The colour of a series, and dashes where colours are used a second time.
fn look(index: usize) -> String {
    let dashes = match index / COLOURS {
        0 => String::new(),
        round => format!(" stroke-dasharray=\"{} 4\"", 10 / round),
    };
    format!("class=\"s{}\"{dashes}", index % COLOURS)
}

fn draw_series(svg: &mut String, series: &Series, index: usize, x: &Scale, y: &Scale) {
    let points: Vec<(f64, f64)> = series
        .points
        .iter()
        .filter_map(|&(a, b)| x.at(a).zip(y.at(b)))
        .collect();
    let path: Vec<String> = points
        .iter()
        .map(|(a, b)| format!("{a:.1},{b:.1}"))
        .collect();
    // Writing to a String cannot fail.
    let _ = write!(
        svg,
        "<g {}><polyline class=\"line\" points=\"{}\"/>",
        look(index),
        path.join(" ")
    );
    for (a, b) in points {
        let _ = write!(
            svg,
            "<circle class=\"dot\" cx=\"{a:.1}\" cy=\"{b:.1}\" r=\"3.5\"/>"
        );
    }
    let _ = writeln!(svg, "</g>");
}

/// Bars of one series beside those of the others.
fn draw_bars(
    svg: &mut String,
    series: &Series,
    (index, count): (usize, usize),
    x: &Scale,
    y: &Scale,
) {
    let slot = (x.to - x.from) / (x.high - x.low);
    let width = 0.8 * slot / count.max(1) as f64;
    let _ = write!(svg, "<g {}>", look(index));
    for &(place, value) in &series.points {
        let Some((middle, top)) = x.at(place).zip(y.at(value)) else {
            continue;
        };
        let left = middle - 0.4 * slot + width * index as f64;
        let _ = write!(
            svg,
            "<rect class=\"dot\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            0.92 * width,
            (BOTTOM - top).max(0.0)
        );
    }
    let _ = writeln!(svg, "</g>");
}

fn draw_legend(svg: &mut String, series: &Series, index: usize) {
    let row = TOP + 12.0 + 24.0 * index as f64;
    let _ = writeln!(
        svg,
        "<g {}><line class=\"line\" x1=\"{}\" x2=\"{}\" y1=\"{row}\" y2=\"{row}\"/></g>\
         <text class=\"ink\" x=\"{}\" y=\"{}\">{}</text>",
        look(index),
        RIGHT + 16.0,
        RIGHT + 36.0,
        RIGHT + 44.0,
        row + 4.0,
        escape(&series.name)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> Chart {
        Chart {
            title: "a < b".into(),
            x: Axis::log("x"),
            y: Axis::linear("y"),
            series: vec![Series {
                name: "one & two".into(),
                points,
            }],
        }
    }

    #[test]
    fn values_land_inside_the_frame() {
        let svg = chart(vec![(0.001, 1.0), (1.0, 2.0), (1000.0, 4.0)]).svg();
        let mut dots = 0;
        for circle in svg.split("<circle").skip(1) {
            let number = |key: &str| -> f64 {
                let rest = circle.split(key).nth(1).unwrap();
                rest.split('"').nth(1).unwrap().parse().unwrap()
            };
            assert!((LEFT..=RIGHT).contains(&number("cx=")));
            assert!((TOP..=BOTTOM).contains(&number("cy=")));
            dots += 1;
        }
        assert_eq!(dots, 3);
        assert!(svg.contains("a &lt; b") && svg.contains("one &amp; two"));
        assert!(svg.contains("prefers-color-scheme:dark"));
    }

    #[test]
    fn categories_have_bars_and_every_series_a_look_of_its_own() {
        let mut chart = chart(vec![(1.0, 1.0), (2.0, 3.0)]);
        chart.x = Axis::categories("case", vec!["one".into(), "two".into()]);
        let svg = chart.svg();
        assert_eq!(svg.matches("<rect class=\"dot\"").count(), 2);
        assert!(!svg.contains("<polyline") && svg.contains(">two<"));
        let mut looks: Vec<String> = (0..20).map(look).collect();
        looks.sort();
        looks.dedup();
        assert_eq!(looks.len(), 20);
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let svg = chart(vec![(-1.0, 1.0), (0.0, 1.0), (1.0, f64::NAN)]).svg();
        assert!(!svg.contains("<circle") && !svg.contains("NaN"));
        chart(Vec::new()).svg();
        chart(vec![(1.0, 1.0)]).svg();
    }
}
