//! Controllers as scenes write them: a program of assignments that is run at a fixed rate. It sees the joints and the
//! links of its multibody and of others that it drives, bodies that it looks at, and its slots; it sets slots and the
//! control signals of motors. It cannot loop or fail, so a call takes the same short time whatever it sees.

use super::control::{Control, ControlFn};
use multibody::{Multibody, Pose, Workspace};
use physics::Vec3;
use std::sync::{Arc, Mutex};

/// An operation on two numbers. Comparisons give one or zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Remainder,
    Power,
    Equal,
    Differ,
    AtMost,
    AtLeast,
    Below,
    Above,
}

impl Operator {
    /// Signs of comparisons; none begins with one that comes before it.
    pub const COMPARISONS: [(&'static str, Operator); 6] = [
        ("==", Operator::Equal),
        ("!=", Operator::Differ),
        ("<=", Operator::AtMost),
        (">=", Operator::AtLeast),
        ("<", Operator::Below),
        (">", Operator::Above),
    ];

    /// What it makes of two numbers.
    pub fn of(self, a: f64, b: f64) -> f64 {
        let truth = |holds: bool| f64::from(u8::from(holds));
        match self {
            Operator::Plus => a + b,
            Operator::Minus => a - b,
            Operator::Times => a * b,
            Operator::Over => a / b,
            Operator::Remainder => libm::fmod(a, b),
            Operator::Power => libm::pow(a, b),
            Operator::Equal => truth(a == b),
            Operator::Differ => truth(a != b),
            Operator::AtMost => truth(a <= b),
            Operator::AtLeast => truth(a >= b),
            Operator::Below => truth(a < b),
            Operator::Above => truth(a > b),
        }
    }
}

/// A function of numbers, all from libm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    If,
    Min,
    Max,
    Clamp,
    Sqrt,
    Cbrt,
    Hypot,
    Floor,
    Ceil,
    Round,
    Abs,
    Sign,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan2,
    Exp,
    Log,
    /// Straight between points: `table(x, x1, y1, x2, y2, …)`.
    Table,
}

const FUNCTIONS: [(&str, Function); 21] = [
    ("if", Function::If),
    ("min", Function::Min),
    ("max", Function::Max),
    ("clamp", Function::Clamp),
    ("sqrt", Function::Sqrt),
    ("cbrt", Function::Cbrt),
    ("hypot", Function::Hypot),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("round", Function::Round),
    ("abs", Function::Abs),
    ("sign", Function::Sign),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("atan2", Function::Atan2),
    ("exp", Function::Exp),
    ("log", Function::Log),
    ("table", Function::Table),
];

impl Function {
    /// Its name in a scene.
    pub fn called(name: &str) -> Option<Function> {
        let found = FUNCTIONS.iter().find(|(known, _)| *known == name);
        found.map(|(_, function)| *function)
    }

    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        FUNCTIONS.iter().map(|(name, _)| *name)
    }

    /// How many arguments it takes, in words.
    pub fn arity(self) -> &'static str {
        match self {
            Function::If | Function::Clamp => "3",
            Function::Min | Function::Max | Function::Hypot | Function::Atan2 => "2",
            Function::Table => "3, 5, 7, … (a number and points)",
            _ => "1",
        }
    }

    /// Whether it takes so many arguments.
    pub fn takes(self, arguments: usize) -> bool {
        match self {
            Function::If | Function::Clamp => arguments == 3,
            Function::Min | Function::Max | Function::Hypot | Function::Atan2 => arguments == 2,
            Function::Table => arguments >= 3 && arguments % 2 == 1,
            _ => arguments == 1,
        }
    }

    /// Its value for as many numbers as it takes.
    pub fn of(self, x: &[f64]) -> f64 {
        let a = x[0];
        match self {
            Function::If => {
                if a != 0.0 {
                    x[1]
                } else {
                    x[2]
                }
            }
            Function::Min => a.min(x[1]),
            Function::Max => a.max(x[1]),
            // The lower bound wins where they are in the wrong order: `f64::clamp` would panic.
            Function::Clamp => a.min(x[2]).max(x[1]),
            Function::Sqrt => a.sqrt(),
            Function::Cbrt => libm::cbrt(a),
            Function::Hypot => libm::hypot(a, x[1]),
            Function::Floor => a.floor(),
            Function::Ceil => a.ceil(),
            Function::Round => a.round(),
            Function::Abs => a.abs(),
            Function::Sign => f64::from(i8::from(a > 0.0) - i8::from(a < 0.0)),
            Function::Sin => libm::sin(a),
            Function::Cos => libm::cos(a),
            Function::Tan => libm::tan(a),
            Function::Asin => libm::asin(a),
            Function::Acos => libm::acos(a),
            Function::Atan2 => libm::atan2(a, x[1]),
            Function::Exp => libm::exp(a),
            Function::Log => libm::log(a),
            Function::Table => table(a, &x[1..]),
        }
    }
}

/// Straight between points that rise in x, level before the first and after the last.
fn table(x: f64, points: &[f64]) -> f64 {
    let mut before = (points[0], points[1]);
    for point in points.chunks_exact(2) {
        let next = (point[0], point[1]);
        if x < next.0 {
            let width = next.0 - before.0;
            return match width > 0.0 {
                true => before.1 + (next.1 - before.1) * (x - before.0) / width,
                false => next.1,
            };
        }
        before = next;
    }
    before.1
}

/// Something of a multibody: whose (0 is the controller's own, others follow in their order), and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Of {
    pub whose: usize,
    pub number: usize,
}

/// A frame that a program sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A link's.
    Link(Of),
    /// A body's, by its place among those that are looked at.
    Body(usize),
}

/// A value in a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    Number(f64),
    /// Seconds.
    Time,
    /// Of a joint with one freedom, by its place among the positions.
    Position(Of),
    /// By its place among the velocities.
    Velocity(Of),
    /// The signal that a motor has now.
    Signal(Of),
    Slot(usize),
    /// What an earlier line has set.
    Local(usize),
    /// A coordinate of a frame's origin.
    Place(Frame, usize),
    /// How fast that moves.
    Speed(Frame, usize),
    /// How fast the frame turns about an axis of the world.
    Spin(Frame, usize),
    /// A component along the world's axes of one of the frame's own.
    Axis(Frame, usize, usize),
    Minus(Box<Term>),
    Binary(Operator, Box<Term>, Box<Term>),
    Call(Function, Vec<Term>),
}

/// What a line of a program sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Local(usize),
    Slot(usize),
    Motor(Of),
}

/// A program. See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its lines, run from the first to the last. What a line sets, the lines after it see.
    pub lines: Vec<(Target, Term)>,
    /// How many local values it has.
    pub locals: usize,
    /// What its slots are at the start.
    pub slots: Vec<f64>,
    /// Seconds between two calls.
    pub period: f64,
}

/// Memory for runs of a program. It is no part of the history: each run begins by filling it.
#[derive(Debug)]
struct Memory {
    /// By multibody; empty for those whose links are not seen.
    spaces: Vec<Option<Workspace>>,
    locals: Vec<f64>,
}

/// What a program knows of the world it runs in.
#[derive(Clone, Debug)]
pub struct Known {
    /// The controller's own multibody, then the others.
    pub models: Vec<Arc<Multibody>>,
    /// The user's frame within that of each body that is looked at.
    pub bodies: Vec<Pose>,
}

impl Term {
    fn frames(&self, each: &mut impl FnMut(Frame)) {
        match self {
            Term::Place(frame, _)
            | Term::Speed(frame, _)
            | Term::Spin(frame, _)
            | Term::Axis(frame, ..) => each(*frame),
            Term::Minus(of) => of.frames(each),
            Term::Binary(_, a, b) => {
                a.frames(each);
                b.frames(each);
            }
            Term::Call(_, terms) => terms.iter().for_each(|term| term.frames(each)),
            _ => {}
        }
    }

    fn value(&self, control: &Control<'_>, memory: &Memory, known: &Known) -> f64 {
        let (of_links, of_bodies) = (&memory.spaces, &known.bodies);
        match self {
            Term::Number(n) => *n,
            Term::Time => control.seconds,
            Term::Position(at) => joints_of(control, at.whose).0[at.number],
            Term::Velocity(at) => joints_of(control, at.whose).1[at.number],
            Term::Signal(motor) => match motor.whose.checked_sub(1) {
                None => control.controls[motor.number],
                Some(other) => control.others[other].controls[motor.number],
            },
            Term::Slot(slot) => control.slots[*slot],
            Term::Local(local) => memory.locals[*local],
            Term::Place(frame, axis) => frame.place(control, of_links, of_bodies)[*axis],
            Term::Speed(frame, axis) => frame.speed(control, of_links, of_bodies)[*axis],
            Term::Spin(frame, axis) => frame.spin(control, of_links)[*axis],
            Term::Axis(frame, own, axis) => frame.axis(control, of_links, of_bodies, *own)[*axis],
            Term::Minus(of) => -of.value(control, memory, known),
            Term::Binary(operator, a, b) => operator.of(
                a.value(control, memory, known),
                b.value(control, memory, known),
            ),
            Term::Call(Function::If, terms) => {
                let is_so = terms[0].value(control, memory, known) != 0.0;
                terms[if is_so { 1 } else { 2 }].value(control, memory, known)
            }
            Term::Call(function, terms) => {
                let mut numbers = [0.0; 3];
                if terms.len() <= 3 {
                    for (number, term) in numbers.iter_mut().zip(terms) {
                        *number = term.value(control, memory, known);
                    }
                    return function.of(&numbers[..terms.len()]);
                }
                let values = terms.iter().map(|t| t.value(control, memory, known));
                function.of(&values.collect::<Vec<f64>>())
            }
        }
    }
}

/// Positions and velocities of the joints of the controller's own multibody, or of another.
fn joints_of<'a>(control: &'a Control<'_>, whose: usize) -> (&'a [f64], &'a [f64]) {
    match whose.checked_sub(1) {
        None => (control.positions, control.velocities),
        Some(other) => {
            let other = &control.others[other];
            (other.positions, other.velocities)
        }
    }
}

impl Frame {
    fn place(self, control: &Control<'_>, links: &[Option<Workspace>], bodies: &[Pose]) -> Vec3 {
        match self {
            Frame::Link(of) => known(links, of).map_or(Vec3::ZERO, |ws| ws.origin(of.number)),
            Frame::Body(body) => (control.seen[body].pose() * bodies[body]).translation,
        }
    }

    fn speed(self, control: &Control<'_>, links: &[Option<Workspace>], bodies: &[Pose]) -> Vec3 {
        match self {
            Frame::Link(of) => known(links, of).map_or(Vec3::ZERO, |ws| ws.velocity(of.number).lin),
            Frame::Body(body) => {
                let place = self.place(control, links, bodies);
                control.seen[body].velocity_at(place)
            }
        }
    }

    fn spin(self, control: &Control<'_>, links: &[Option<Workspace>]) -> Vec3 {
        match self {
            Frame::Link(of) => known(links, of).map_or(Vec3::ZERO, |ws| ws.velocity(of.number).ang),
            Frame::Body(body) => control.seen[body].spin,
        }
    }

    fn axis(
        self,
        control: &Control<'_>,
        links: &[Option<Workspace>],
        bodies: &[Pose],
        own: usize,
    ) -> Vec3 {
        match self {
            Frame::Link(of) => {
                known(links, of).map_or(Vec3::ZERO, |ws| ws.rotation(of.number).col(own))
            }
            Frame::Body(body) => {
                (control.seen[body].pose() * bodies[body]).rotation * Vec3::AXES[own]
            }
        }
    }
}

fn known(links: &[Option<Workspace>], of: Of) -> Option<&Workspace> {
    links.get(of.whose).and_then(Option::as_ref)
}

impl Program {
    /// The program as a controller's function. A signal or slot that would not be a finite number stays as it was:
    /// a motor must not be torn apart by a division by zero.
    pub fn controller(self, known: Known) -> ControlFn {
        let mut is_seen = vec![false; known.models.len()];
        for (_, term) in &self.lines {
            term.frames(&mut |frame| {
                if let Frame::Link(of) = frame {
                    is_seen[of.whose] = true;
                }
            });
        }
        let locals = self.locals;
        let fresh = move |known: &Known| Memory {
            spaces: std::iter::zip(&known.models, &is_seen)
                .map(|(model, is_seen)| is_seen.then(|| Workspace::new(model)))
                .collect(),
            locals: vec![0.0; locals],
        };
        let spare = Mutex::new(vec![fresh(&known)]);
        Arc::new(move |control: &mut Control<'_>| {
            let kept = spare.lock().ok().and_then(|mut kept| kept.pop());
            let mut memory = kept.unwrap_or_else(|| fresh(&known));
            self.run(control, &mut memory, &known);
            if let Ok(mut kept) = spare.lock() {
                kept.push(memory);
            }
            Some(self.period)
        })
    }

    fn run(&self, control: &mut Control<'_>, memory: &mut Memory, known: &Known) {
        for (whose, ws) in memory.spaces.iter_mut().enumerate() {
            if let Some(ws) = ws {
                let (q, v) = joints_of(control, whose);
                known.models[whose].kinematics(q, v, ws);
            }
        }
        for (target, term) in &self.lines {
            let value = term.value(control, memory, known);
            let place = match *target {
                Target::Local(local) => {
                    memory.locals[local] = value;
                    continue;
                }
                Target::Slot(slot) => &mut control.slots[slot],
                Target::Motor(motor) => match motor.whose.checked_sub(1) {
                    None => &mut control.controls[motor.number],
                    Some(other) => &mut control.others[other].controls[motor.number],
                },
            };
            if value.is_finite() {
                *place = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_straight_between_its_points_and_level_outside() {
        let points = [1.0, 10.0, 2.0, 20.0, 2.0, 30.0, 4.0, 0.0];
        for (x, y) in [
            (0.0, 10.0),
            (1.0, 10.0),
            (1.5, 15.0),
            (2.0, 30.0),
            (3.0, 15.0),
            (9.0, 0.0),
        ] {
            assert_eq!(table(x, &points), y, "at {x}");
        }
    }

    #[test]
    fn no_function_panics_whatever_it_is_given() {
        let odd = [0.0, -1.0, f64::NAN, f64::INFINITY, -f64::INFINITY, 1e308];
        for (name, function) in FUNCTIONS {
            let count = (1..=5).find(|n| function.takes(*n)).expect("it takes some");
            for shift in 0..odd.len() {
                let numbers: Vec<f64> = (0..count).map(|k| odd[(k + shift) % odd.len()]).collect();
                function.of(&numbers);
            }
            assert_eq!(Function::called(name), Some(function));
        }
    }
}
