//! A storm of random worlds of all features, for as long as one likes:
//!
//! ```sh
//! cargo run -p warpline-sim --example storm -- --hours 1
//! cargo run -p warpline-sim --example storm -- --from 1000000 --worlds 500 --to findings
//! cargo run -p warpline-sim --example storm -- --shrink 17
//! cargo run -p warpline-sim --example storm -- --print 17     # the world as a scene, without its inputs
//! ```
//!
//! Every world is a function of its seed. Each runs in a process of its own, which is ended when it
//! exceeds its bounds; a world that shows a fault is cut down, piece by piece, to one that still does,
//! and written to a file that `warpline` can run.

#[path = "../tests/random_worlds/mod.rs"]
mod random_worlds;

use random_worlds::draw::plan;
use random_worlds::plan::Plan;
use random_worlds::verdict::{Bounds, Verdict, judge};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Seeds per child process: starting one costs more than a small world.
const BATCH: u64 = 20;
/// Cutting a world down ends after so long.
const SHRINKING: Duration = Duration::from_secs(600);

/// What the command line asks for.
struct Arguments {
    from: u64,
    worlds: Option<u64>,
    until: Option<Duration>,
    to: PathBuf,
    shrink: Option<u64>,
    /// Print the scene of this world.
    print: Option<u64>,
    /// Judge these worlds in this process (what the storm runs itself for).
    judge: Option<(u64, u64)>,
    without: Vec<String>,
    frames: Option<u32>,
}

const USAGE: &str = "storm [--from SEED] [--worlds COUNT | --hours HOURS] [--to FOLDER] | storm --shrink SEED \
     | storm --print SEED";

fn arguments() -> Result<Arguments, String> {
    let mut parsed = Arguments {
        from: 0,
        worlds: None,
        until: None,
        to: "findings".into(),
        shrink: None,
        print: None,
        judge: None,
        without: Vec::new(),
        frames: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{word} needs a value; {USAGE}"))?;
        let wrong = |_| format!("{word} {value}: expected a number; {USAGE}");
        let whole = |text: &str| text.parse::<u64>().map_err(|_| wrong(()));
        match word.as_str() {
            "--from" => parsed.from = whole(&value)?,
            "--worlds" => parsed.worlds = Some(whole(&value)?),
            "--hours" => {
                let hours: f64 = value.parse().map_err(|_| wrong(()))?;
                let seconds = (3600.0 * hours).clamp(0.0, 1e9);
                parsed.until = Some(Duration::from_secs_f64(seconds));
            }
            "--to" => parsed.to = value.into(),
            "--shrink" => parsed.shrink = Some(whole(&value)?),
            "--print" => parsed.print = Some(whole(&value)?),
            "--judge" => {
                let (seed, count) = value.split_once('+').ok_or_else(|| wrong(()))?;
                parsed.judge = Some((whole(seed)?, whole(count)?));
            }
            "--without" => parsed.without = value.split(',').map(String::from).collect(),
            "--frames" => parsed.frames = Some(whole(&value)? as u32),
            _ => return Err(format!("unknown option {word}; {USAGE}")),
        }
    }
    Ok(parsed)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if let Some(seed) = arguments.print {
        println!("{}", cut(seed, &arguments.without, arguments.frames).text());
        return ExitCode::SUCCESS;
    }
    if let Some((seed, count)) = arguments.judge {
        return judge_here(seed, count, &arguments);
    }
    let faults = match arguments.shrink {
        Some(seed) => match judged(seed, 1, &Cut::default()) {
            Judged::Fault { what, .. } => {
                report(seed, &what, &arguments.to);
                1
            }
            _ => {
                println!("world {seed} shows no fault");
                0
            }
        },
        None => storm(&arguments),
    };
    ExitCode::from(u8::from(faults > 0))
}

/// The child's work: judges worlds one after another and ends with the first fault.
fn judge_here(seed: u64, count: u64, arguments: &Arguments) -> ExitCode {
    for seed in seed..seed.saturating_add(count) {
        println!("world {seed}");
        match judge(
            &cut(seed, &arguments.without, arguments.frames),
            Bounds::default(),
        ) {
            Verdict::Fault(fault) => {
                println!("fault {}", fault.replace('\n', " "));
                // Threads that do not end are left behind here.
                std::process::exit(1);
            }
            Verdict::Failed(error) => println!("failed {}", error.replace('\n', " ")),
            Verdict::Refused(error) => println!("refused {}", error.replace('\n', " ")),
            Verdict::Sound { .. } => println!("sound"),
        }
    }
    ExitCode::SUCCESS
}

/// The plan of a seed without some pieces, perhaps shorter.
fn cut(seed: u64, without: &[String], frames: Option<u32>) -> Plan {
    let mut plan = plan(seed).without(without);
    plan.frames = frames.unwrap_or(plan.frames);
    plan
}

#[derive(Clone, Default)]
struct Cut {
    without: Vec<String>,
    frames: Option<u32>,
}

/// What a child found.
enum Judged {
    /// Worlds sound, failed, refused.
    Fine([u64; 3]),
    Fault {
        seed: u64,
        what: String,
        before: [u64; 3],
    },
}

/// Judges worlds in a process of their own.
fn judged(seed: u64, count: u64, cut: &Cut) -> Judged {
    let fault = |what: String| Judged::Fault {
        seed,
        what,
        before: [0; 3],
    };
    let Ok(program) = std::env::current_exe() else {
        return fault("this program cannot find itself".into());
    };
    let mut command = Command::new(program);
    command.args(["--judge", &format!("{seed}+{count}")]);
    if !cut.without.is_empty() {
        command.args(["--without", &cut.without.join(",")]);
    }
    if let Some(frames) = cut.frames {
        command.args(["--frames", &frames.to_string()]);
    }
    let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output();
    let output = match output {
        Ok(output) => output,
        Err(error) => return fault(format!("this program cannot start itself: {error}")),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut counts = [0u64; 3];
    let (mut last, mut what) = (seed, None);
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "world" => last = rest.parse().unwrap_or(last),
            "fault" => what = Some(rest.to_string()),
            "sound" => counts[0] += 1,
            "failed" => counts[1] += 1,
            "refused" => counts[2] += 1,
            _ => {}
        }
    }
    if output.status.success() {
        return Judged::Fine(counts);
    }
    let what = what.unwrap_or_else(|| {
        let told = String::from_utf8_lossy(&output.stderr);
        let end = told.lines().last().unwrap_or_default();
        format!("the process ended with {}: {end}", output.status)
    });
    Judged::Fault {
        seed: last,
        what,
        before: counts,
    }
}

/// Judges worlds until the time or the count is over; the number of faults.
fn storm(arguments: &Arguments) -> u64 {
    let began = Instant::now();
    let mut seed = arguments.from;
    let last = arguments
        .worlds
        .map(|count| arguments.from.saturating_add(count));
    let last = last.or_else(|| arguments.until.is_none().then(|| arguments.from + 200));
    let (mut counts, mut faults) = ([0u64; 3], 0u64);
    loop {
        let is_over = arguments
            .until
            .is_some_and(|until| began.elapsed() >= until);
        let left = last.map_or(BATCH, |last| last.saturating_sub(seed).min(BATCH));
        if is_over || left == 0 {
            break;
        }
        let found = match judged(seed, left, &Cut::default()) {
            Judged::Fine(found) => {
                seed += left;
                found
            }
            Judged::Fault {
                seed: at,
                what,
                before,
            } => {
                report(at, &what, &arguments.to);
                faults += 1;
                seed = at + 1;
                before
            }
        };
        for (sum, more) in counts.iter_mut().zip(found) {
            *sum += more;
        }
    }
    let [sound, failed, refused] = counts;
    println!(
        "{sound} worlds sound, {failed} ended with an error, {refused} refused, {faults} with faults; \
         seeds {} to {}, {:.0} s",
        arguments.from,
        seed.saturating_sub(1),
        began.elapsed().as_secs_f64()
    );
    faults
}

/// The kind of a fault: its words without any numbers. A cut world must show the same kind.
fn kind(what: &str) -> String {
    let is_word = |word: &&str| !word.contains(|c: char| c.is_ascii_digit());
    let words: Vec<&str> = what.split_whitespace().filter(is_word).take(8).collect();
    words.join(" ")
}

/// Cuts a world with a fault down and writes what is left to a file.
fn report(seed: u64, what: &str, folder: &std::path::Path) {
    println!("world {seed}: {what}");
    let (cut, what) = shrunk(seed, what);
    let plan = crate::cut(seed, &cut.without, cut.frames);
    let mut text = format!("# FAULT: {what}\n# Replay: storm --judge {seed}+1");
    if !cut.without.is_empty() {
        let _ = write!(text, " --without {}", cut.without.join(","));
    }
    if let Some(frames) = cut.frames {
        let _ = write!(text, " --frames {frames}");
    }
    let _ = writeln!(text, "\n# Look-aheads: {:?}", plan.look_aheads);
    for deed in &plan.deeds {
        let _ = writeln!(text, "# {deed:?}");
    }
    let (callbacks, branch, checkpoint) = (plan.callbacks, plan.branch, plan.checkpoint);
    let _ = writeln!(
        text,
        "# callbacks {callbacks}, branch {branch:?}, checkpoint {checkpoint:?}"
    );
    text += &plan.text();
    let path = folder.join(format!("storm_{seed}.toml"));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, &text));
    match written {
        Ok(()) => println!(
            "  cut down to {} pieces: {}",
            plan.pieces.len(),
            path.display()
        ),
        Err(error) => println!("  cannot write {}: {error}\n{text}", path.display()),
    }
}

/// Leaves out whatever can be left out so that the fault still shows: halves of what is left, then
/// single pieces, then the end.
fn shrunk(seed: u64, what: &str) -> (Cut, String) {
    let began = Instant::now();
    let kind_sought = kind(what);
    let mut best = (Cut::default(), what.to_string());
    let shows = |cut: &Cut| match judged(seed, 1, cut) {
        Judged::Fault { what, .. } if kind(&what) == kind_sought => Some(what),
        _ => None,
    };
    loop {
        let mut is_smaller = false;
        let names = crate::cut(seed, &best.0.without, best.0.frames).names();
        let mut width = names.len().div_ceil(2).max(1);
        loop {
            for few in names.chunks(width) {
                if began.elapsed() > SHRINKING {
                    return best;
                }
                let mut tried = best.0.clone();
                let left = crate::cut(seed, &tried.without, tried.frames).names();
                if !few.iter().any(|name| left.contains(name)) {
                    continue;
                }
                tried.without.extend_from_slice(few);
                if let Some(what) = shows(&tried) {
                    best = (tried, what);
                    is_smaller = true;
                }
            }
            if width == 1 {
                break;
            }
            width = width.div_ceil(2);
        }
        let frames = crate::cut(seed, &best.0.without, best.0.frames).frames;
        let mut tried = best.0.clone();
        tried.frames = Some(frames / 2);
        if frames > 1
            && began.elapsed() < SHRINKING
            && let Some(what) = shows(&tried)
        {
            best = (tried, what);
            is_smaller = true;
        }
        if !is_smaller {
            return best;
        }
    }
}
