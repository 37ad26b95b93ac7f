//! Algorithms and look-aheads as the command line spells them.

use sim::{Algorithm, LookAhead};
use std::str::FromStr;

/// An algorithm and the name it is reported by.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// As the user wrote it, with aliases spelt out.
    pub name: String,
    /// What to run.
    pub algorithm: Algorithm,
}

const EXPECTED: &str =
    "`ordered`, `timewarp` (or `tw`), `rd:SECONDS`, `ca`, `oracle` or `checking`";

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = |name: &str, algorithm| {
            Ok(Named {
                name: name.into(),
                algorithm,
            })
        };
        match text {
            "ordered" => named(text, Algorithm::Ordered),
            "timewarp" | "tw" => named("timewarp", Algorithm::TimeWarp(LookAhead::Adaptive)),
            "ca" => named(text, Algorithm::ConservativeAdvancement),
            "oracle" => named(text, Algorithm::Oracle),
            "checking" => named(text, Algorithm::Checking),
            "rd" => Err("`rd` needs its step, as in `rd:0.01`".into()),
            _ => match text.strip_prefix("rd:") {
                Some(step) => named(text, Algorithm::RetroactiveDetection(seconds(step)?)),
                None => Err(format!("unknown algorithm `{text}`; expected {EXPECTED}")),
            },
        }
    }
}

impl Named {
    /// The same algorithm with a look-ahead, where it has one.
    pub fn with_look_ahead(mut self, look_ahead: Option<LookAhead>) -> Result<Self, String> {
        match (&mut self.algorithm, look_ahead) {
            (_, None) => {}
            (Algorithm::TimeWarp(own), Some(asked)) => *own = asked,
            _ => {
                let name = &self.name;
                return Err(format!(
                    "`--look-ahead` belongs to `timewarp`, not to `{name}`"
                ));
            }
        }
        Ok(self)
    }
}

/// Reads a look-ahead: seconds, `event` or `adaptive`.
pub fn look_ahead(text: &str) -> Result<LookAhead, String> {
    match text {
        "adaptive" => Ok(LookAhead::Adaptive),
        "event" => Ok(LookAhead::OneEvent),
        _ => match seconds(text) {
            Ok(seconds) => Ok(LookAhead::Seconds(seconds)),
            Err(why) => Err(format!("{why}, `event` or `adaptive`")),
        },
    }
}

/// A positive number of seconds, also as a fraction such as `1/30`.
fn seconds(text: &str) -> Result<f64, String> {
    let number = |part: &str| part.trim().parse::<f64>().ok();
    let value = match text.split_once('/') {
        Some((a, b)) => number(a).zip(number(b)).map(|(a, b)| a / b),
        None => number(text),
    };
    match value {
        Some(v) if v.is_finite() && v > 0.0 => Ok(v),
        _ => Err(format!(
            "`{text}` is not a time; expected a positive number of seconds"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_fractions_are_understood() {
        let algorithm = |text: &str| text.parse::<Named>().map(|n| n.algorithm);
        assert_eq!(
            algorithm("rd:1/4"),
            Ok(Algorithm::RetroactiveDetection(0.25))
        );
        assert_eq!(algorithm("tw"), algorithm("timewarp"));
        for bad in ["rd", "rd:0", "rd:-1", "rd:nan", "rd:1/0", "warp", ""] {
            assert!(algorithm(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_timewarp_looks_ahead() {
        let tw: Named = "tw".parse().unwrap();
        let ahead = tw.with_look_ahead(Some(LookAhead::OneEvent)).unwrap();
        assert_eq!(ahead.algorithm, Algorithm::TimeWarp(LookAhead::OneEvent));
        let ca: Named = "ca".parse().unwrap();
        assert!(ca.with_look_ahead(Some(LookAhead::Adaptive)).is_err());
    }
}
