//! A recording without an engine: elastic balls in an open box under gravity, collided exactly, with a
//! kinematic bar above them. Shows how to use the writer, and feeds the tests of exports and viewer.
//!
//! `cargo run -p warpline-record --example bounce -- bounce.wline [balls] [seconds] [pace]`
//!
//! With a pace (simulated seconds per second) it writes as slowly as a live run. Above a thousand balls
//! they pass through each other: the search for collisions here is the simplest one.

use std::path::Path;
use warpline_record::*;

const SECOND: f64 = TICKS_PER_SECOND;
const GRAVITY: f64 = -9.81;
const HALF: f64 = 3.0;
const BAR_SECONDS: f64 = 1.0;
const MAX_COLLIDING: usize = 1000;

#[derive(Clone, Copy)]
struct Ball {
    radius: f64,
    tick: i64,
    position: [f64; 3],
    velocity: [f64; 3],
    rotation: [f64; 4],
    spin: [f64; 3],
}

#[derive(Clone, Copy)]
enum Next {
    Pair(usize, usize),
    Wall(usize, usize),
    Bar,
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or("bounce.wline".into());
    let balls = args.next().map_or(Ok(40), |text| text.parse())?;
    let seconds = args.next().map_or(Ok(10.0), |text| text.parse())?;
    let pace = args.next().map(|text| text.parse()).transpose()?;
    record(Path::new(&path), balls, seconds, pace)?;
    println!("{path}");
    Ok(())
}

/// Simulates and records `count` balls for `seconds`, at most `pace` simulated seconds per second.
pub fn record(path: &Path, count: usize, seconds: f64, pace: Option<f64>) -> Result<()> {
    let mut balls = throw(count);
    let until = (seconds * SECOND) as i64;
    let mut writer = Writer::create(path, &header(&balls, until))?;
    writer.append(&still(0, Event::Start))?;
    writer.append(&bar(0, count, Event::Start))?;
    for (i, ball) in balls.iter().enumerate() {
        writer.append(&segment(i, ball, 0, Event::Start, NO_PARTNER, 0.0))?;
    }
    let (mut now, mut events) = (0, 0u64);
    let mut ahead = Ahead::default();
    loop {
        let (tick, next) = first_event(&balls, now);
        if tick > until {
            break;
        }
        if tick / (1 << 37) != now / (1 << 37) {
            ahead.note(&mut writer, &balls, tick, events)?;
            if let Some(pace) = pace {
                std::thread::sleep(std::time::Duration::from_secs_f64(0.125 / pace));
            }
        }
        now = tick;
        events += 1;
        match next {
            Next::Pair(a, b) => {
                let impulse = collide(&mut balls, a, b, tick);
                for (i, other) in [(a, b), (b, a)] {
                    let partner = (other + 2) as u32;
                    let event = Event::Collision;
                    writer.append(&segment(i, &balls[i], tick, event, partner, impulse))?;
                }
                ahead.roll_back(&mut writer, b, a, tick)?;
            }
            Next::Wall(i, axis) => {
                let impulse = reflect(&mut balls[i], axis, tick);
                let partner = if axis == 1 { 0 } else { NO_PARTNER };
                writer.append(&segment(
                    i,
                    &balls[i],
                    tick,
                    Event::Collision,
                    partner,
                    impulse,
                ))?;
            }
            Next::Bar => writer.append(&bar(tick, count, Event::Piece))?,
        }
    }
    writer.gvt(until);
    writer.finish(&format!(
        "{{\"collisions\": {events}, \"algorithm\": \"timewarp\"}}"
    ))
}

fn header(balls: &[Ball], until: i64) -> Header {
    let body = |name: String, kind, shapes: Vec<Shape>, color| Body {
        name,
        kind,
        shapes: shapes.into_iter().map(ShapeAt::centred).collect(),
        color,
    };
    let floor = Shape::HalfSpace {
        normal: [0.0, 1.0, 0.0],
    };
    let plank = Shape::Box {
        half_extents: [0.2, 0.1, HALF],
    };
    let mut bodies = vec![
        body("floor".into(), Kind::Fixed, vec![floor], None),
        body(
            "bar".into(),
            Kind::Kinematic,
            vec![plank],
            Some([0.8, 0.5, 0.1]),
        ),
    ];
    for (i, ball) in balls.iter().enumerate() {
        let r = ball.radius;
        let shape = match i % 4 {
            0 | 1 => Shape::Ball { radius: r },
            2 => Shape::Box {
                half_extents: [r / 1.8; 3],
            },
            _ => Shape::Capsule {
                half_height: 0.4 * r,
                radius: 0.6 * r,
            },
        };
        bodies.push(body(format!("ball {i}"), Kind::Dynamic, vec![shape], None));
    }
    Header {
        scene: "bounce".into(),
        scene_toml: String::new(),
        algorithm: "timewarp".into(),
        gravity: [0.0, GRAVITY, 0.0],
        until,
        bodies,
        ..Header::default()
    }
}

/// Balls on a grid, with velocities from a small congruential generator.
fn throw(count: usize) -> Vec<Ball> {
    let mut seed = 12345u64;
    let mut random = move || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / f64::from(1u32 << 31) * 2.0 - 1.0
    };
    let side = (count as f64).cbrt().ceil() as usize;
    let gap = 2.0 * (HALF - 0.3) / side as f64;
    let at = |k: usize| -HALF + 0.3 + gap * (k as f64 + 0.5);
    let ball = |i: usize| Ball {
        radius: 0.3 * gap * (1.0 + 0.3 * random()),
        tick: 0,
        position: [
            at(i % side),
            at(i / side / side) + HALF + 0.2,
            at(i / side % side),
        ],
        velocity: [2.0 * random(), random(), 2.0 * random()],
        rotation: [0.0, 0.0, 0.0, 1.0],
        spin: [3.0 * random(), 3.0 * random(), 3.0 * random()],
    };
    (0..count).map(ball).collect()
}

fn at(ball: &Ball, tick: i64) -> ([f64; 3], [f64; 3]) {
    let t = seconds_between(ball.tick, tick);
    let [x, y, z] = ball.position;
    let [u, v, w] = ball.velocity;
    (
        [x + u * t, y + v * t + 0.5 * GRAVITY * t * t, z + w * t],
        [u, v + GRAVITY * t, w],
    )
}

fn first_event(balls: &[Ball], now: i64) -> (i64, Next) {
    let bar = (now as f64 / SECOND / BAR_SECONDS).floor() + 1.0;
    let mut best = ((bar * BAR_SECONDS * SECOND) as i64, Next::Bar);
    let mut offer = |seconds: Option<f64>, next| {
        let tick = seconds.map(|s| now + (s * SECOND).ceil() as i64);
        if let Some(tick) = tick.filter(|tick| *tick < best.0) {
            best = (tick, next);
        }
    };
    for (i, ball) in balls.iter().enumerate() {
        let (p, v) = at(ball, now);
        for axis in [0, 2] {
            let room = HALF - ball.radius - p[axis] * v[axis].signum();
            offer(
                (v[axis] != 0.0).then(|| room.max(0.0) / v[axis].abs()),
                Next::Wall(i, axis),
            );
        }
        let height = (p[1] - ball.radius).max(0.0);
        let fall = (v[1] + (v[1] * v[1] - 2.0 * GRAVITY * height).sqrt()) / -GRAVITY;
        offer(
            (fall > 1e-9 || v[1] < 0.0).then_some(fall),
            Next::Wall(i, 1),
        );
        let others = if balls.len() > MAX_COLLIDING {
            balls.len()
        } else {
            i + 1
        };
        for (j, other) in balls.iter().enumerate().skip(others) {
            offer(
                meeting((p, v), at(other, now), ball.radius + other.radius),
                Next::Pair(i, j),
            );
        }
    }
    best
}

/// Seconds until two balls touch: gravity cancels, the relative motion is straight.
fn meeting(a: ([f64; 3], [f64; 3]), b: ([f64; 3], [f64; 3]), reach: f64) -> Option<f64> {
    let d: [f64; 3] = std::array::from_fn(|i| b.0[i] - a.0[i]);
    let v: [f64; 3] = std::array::from_fn(|i| b.1[i] - a.1[i]);
    let (dv, vv, dd) = (dot(d, v), dot(v, v), dot(d, d));
    let root = dv * dv - vv * (dd - reach * reach);
    (dv < 0.0 && root > 0.0).then(|| ((-dv - root.sqrt()) / vv).max(0.0))
}

fn collide(balls: &mut [Ball], a: usize, b: usize, tick: i64) -> f64 {
    let ((pa, va), (pb, vb)) = (at(&balls[a], tick), at(&balls[b], tick));
    let d: [f64; 3] = std::array::from_fn(|i| pb[i] - pa[i]);
    let n = d.map(|x| x / dot(d, d).sqrt());
    let (ma, mb) = (balls[a].radius.powi(3), balls[b].radius.powi(3));
    let approach: [f64; 3] = std::array::from_fn(|i| va[i] - vb[i]);
    let j = 2.0 * ma * mb / (ma + mb) * dot(approach, n);
    let velocity_a = std::array::from_fn(|i| va[i] - j / ma * n[i]);
    let velocity_b = std::array::from_fn(|i| vb[i] + j / mb * n[i]);
    balls[a] = Ball {
        position: pa,
        velocity: velocity_a,
        ..turned(&balls[a], tick)
    };
    balls[b] = Ball {
        position: pb,
        velocity: velocity_b,
        ..turned(&balls[b], tick)
    };
    j.abs()
}

fn reflect(ball: &mut Ball, axis: usize, tick: i64) -> f64 {
    let (position, mut velocity) = at(ball, tick);
    let outward = if axis == 1 {
        -1.0
    } else {
        position[axis].signum()
    };
    let before = velocity[axis];
    velocity[axis] = -outward * before.abs();
    *ball = Ball {
        position,
        velocity,
        ..turned(ball, tick)
    };
    2.0 * before.abs() * ball.radius.powi(3)
}

fn segment(
    i: usize,
    ball: &Ball,
    tick: i64,
    event: Event,
    partner: u32,
    impulse: f64,
) -> Segment<'static> {
    Segment {
        body: (i + 2) as u32,
        start: tick,
        event,
        partner,
        position: ball.position,
        velocity: ball.velocity,
        acceleration: [0.0, GRAVITY, 0.0],
        rotation: ball.rotation,
        spin: ball.spin,
        impulse,
        ..still(tick, event)
    }
}

/// The ball at a tick, as far as its own spin turns it.
fn turned(ball: &Ball, tick: i64) -> Ball {
    let flight = segment(0, ball, ball.tick, Event::Start, NO_PARTNER, 0.0);
    Ball {
        tick,
        rotation: flight.state(tick).rotation,
        ..*ball
    }
}

/// The floor.
fn still(start: i64, event: Event) -> Segment<'static> {
    Segment {
        body: 0,
        start,
        micro: 0,
        event,
        partner: NO_PARTNER,
        group: NO_GROUP,
        position: [0.0; 3],
        velocity: [0.0; 3],
        acceleration: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        spin: [0.0; 3],
        momentum: None,
        impulse: 0.0,
        knots: &[],
    }
}

/// The bar glides to and fro above the balls, a piece a second, turning over as it goes.
fn bar(start: i64, count: usize, event: Event) -> Segment<'static> {
    let piece = (start as f64 / SECOND / BAR_SECONDS).round() as i64;
    let way = if piece % 2 == 0 { 1.0 } else { -1.0 };
    Segment {
        body: 1,
        position: [-2.0 * way, 7.0 + 0.01 * count.min(50) as f64, 0.0],
        velocity: [4.0 * way / BAR_SECONDS, 0.0, 0.0],
        spin: [0.0, 0.0, -way * std::f64::consts::PI / BAR_SECONDS],
        ..still(start, event)
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A made-up speculation around the real history, so that there is something to show.
#[derive(Default)]
struct Ahead {
    rollbacks: u64,
    undone: u64,
    samples: u32,
}

impl Ahead {
    fn roll_back(&mut self, writer: &mut Writer, i: usize, cause: usize, tick: i64) -> Result<()> {
        self.undone += 1;
        if !self.undone.is_multiple_of(3) {
            return Ok(());
        }
        self.rollbacks += 1;
        let (body, cause) = ((i + 2) as u32, (cause + 2) as u32);
        let to = tick + (1 << 36) * (1 + (i as i64 % 5));
        writer.append_undone(&Undone {
            body,
            cause,
            event: Event::Continue,
            partner: NO_PARTNER,
            from: tick,
            to,
            gvt: tick,
        })
    }

    fn note(&mut self, writer: &mut Writer, balls: &[Ball], gvt: i64, events: u64) -> Result<()> {
        writer.gvt(gvt);
        writer.flush()?;
        let clock = |i: usize| Clock {
            lvt: gvt + (1 << 36) * ((i as i64 * 7 + i64::from(self.samples)) % 11),
            group: i as u32 % 6,
            thread: i as u32 % 4,
        };
        writer.append_clocks(&(0..balls.len() + 2).map(clock).collect::<Vec<_>>())?;
        self.samples += 1;
        writer.append_sample(&Sample {
            wall_s: f64::from(self.samples) * 0.1,
            gvt,
            events,
            rollbacks: self.rollbacks,
            undone_s: 0.02 * self.rollbacks as f64,
            segments_undone: self.undone / 2,
            segments_committed: events * 2,
            groups: 3 + self.samples % 5,
            largest_group: 2 + self.samples % 3,
        })
    }
}
