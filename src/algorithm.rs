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

const EXPECTED: &str = "`ordered`, `timewarp` (or `tw`), `parallel`, `distributed`, `rd:SECONDS`, `ca`, `oracle`, `koenig[:SECONDS]` or `checking`";

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
            "parallel" => named(text, Algorithm::Parallel(cores())),
            "distributed" => named(text, Algorithm::Distributed(1)),
            "ca" => named(text, Algorithm::ConservativeAdvancement),
            "oracle" => named(text, Algorithm::Oracle),
            "checking" => named(text, Algorithm::Checking),
            "rd" => Err("`rd` needs its step, as in `rd:0.01`".into()),
            "koenig" => named(text, koenig_with(SUB_STEP_MS)),
            _ => match text.split_once(':') {
                Some(("rd", step)) => named(text, Algorithm::RetroactiveDetection(seconds(step)?)),
                Some(("koenig", step)) => named(text, koenig_with(milliseconds(step)?)),
                _ => Err(format!("unknown algorithm `{text}`; expected {EXPECTED}")),
            },
        }
    }
}

impl Named {
    /// The same algorithm on so many threads, where it has several.
    pub fn with_threads(mut self, threads: Option<usize>) -> Result<Self, String> {
        match (&mut self.algorithm, threads) {
            (_, None) => {}
            (Algorithm::Parallel(own) | Algorithm::Distributed(own), Some(asked))
            | (Algorithm::Koenig { threads: own, .. }, Some(asked)) => *own = asked,
            _ => {
                let name = &self.name;
                return Err(format!(
                    "`--threads` belongs to `parallel`, `distributed` and `koenig`, and `{name}` runs on one; add `--algorithm parallel`"
                ));
            }
        }
        Ok(self)
    }

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

/// The sub-step where none is given.
const SUB_STEP_MS: u32 = 4;

fn koenig_with(sub_step_ms: u32) -> Algorithm {
    Algorithm::Koenig {
        sub_step_ms,
        threads: cores(),
    }
}

/// A sub-step in seconds that is a whole number of milliseconds.
fn milliseconds(text: &str) -> Result<u32, String> {
    let asked = 1e3 * seconds(text)?;
    let whole = asked.round();
    match (asked - whole).abs() < 1e-9 && (1.0..=1e6).contains(&whole) {
        true => Ok(whole as u32),
        false => Err(format!(
            "the sub-step of koenig is {text} s; expected a whole number of milliseconds, as in koenig:0.004"
        )),
    }
}

/// The cores of this machine.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("no run goes without a thread; expected at least 1".into()),
        Ok(threads) => Ok(threads),
        Err(_) => Err(format!(
            "`{text}` is not a number of threads; expected a whole number from 1 on"
        )),
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
        let sub_step = |text: &str| match algorithm(text) {
            Ok(Algorithm::Koenig { sub_step_ms, .. }) => Some(sub_step_ms),
            _ => None,
        };
        assert_eq!(sub_step("koenig"), Some(4));
        assert_eq!(sub_step("koenig:0.016"), Some(16));
        for bad in [
            "koenig:0.0005",
            "koenig:",
            "koenig:1/300",
            "rd",
            "rd:0",
            "rd:-1",
            "rd:nan",
            "rd:1/0",
            "warp",
            "",
        ] {
            assert!(algorithm(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn who_has_no_threads_refuses_them() {
        let parallel: Named = "parallel".parse().unwrap();
        let two = parallel.with_threads(Some(2)).unwrap();
        assert_eq!(two.algorithm, Algorithm::Parallel(2));
        let tw: Named = "tw".parse().unwrap();
        assert!(tw.with_threads(Some(2)).is_err());
        assert!(threads("0").is_err() && threads("two").is_err() && threads("64") == Ok(64));
    }

    #[test]
    fn only_timewarp_looks_ahead() {
        let tw: Named = "tw".parse().unwrap();
        let ahead = tw.with_look_ahead(Some(LookAhead::OneEvent)).unwrap();
        assert_eq!(ahead.algorithm, Algorithm::TimeWarp(LookAhead::OneEvent));
        let ca: Named = "ca".parse().unwrap();
        assert!(
            ca.clone()
                .with_look_ahead(Some(LookAhead::Adaptive))
                .is_err()
        );
        assert!(ca.with_threads(Some(2)).is_err());
    }
}
