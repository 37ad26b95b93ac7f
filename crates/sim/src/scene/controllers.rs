//! `[[controller]]`: what sets the motors of a multibody, as a program of assignments.

use super::builder::Builder;
use super::decode::{Decoded, Scope, Table, label, number};
use super::error::{Fault, suggestion};
use super::expression::{Literal, Tree, fill_in, function, is_name, parse, wrong_count};
use super::keys;
use super::tree::{Node, Value};
use crate::multibodies::program::{Frame, Function, Known, Of, Program, Target, Term};
use crate::multibodies::{Controller, MultibodyBody, thrower};
use crate::world::{BodyId, Kind, World};
use multibody::JointKind;

/// Names that mean something in every program.
const TIME: &str = "time";

/// Functions that only programs know, and how they are written. A joint, motor or link of another multibody that the
/// controller drives is called after it: `position("other.joint")`; a body that it looks at is called by its own name.
const SENSES: [(&str, &str); 7] = [
    ("position", "position(\"joint\")"),
    ("velocity", "velocity(\"joint\")"),
    ("signal", "signal(\"joint\")"),
    ("place", "place(\"link\", \"x\")"),
    ("speed", "speed(\"link\", \"x\")"),
    ("spin", "spin(\"link\", \"x\")"),
    ("axis", "axis(\"link\", \"x\", \"z\")"),
];

/// Reads one `[[controller]]`.
pub(super) fn controller(node: &Node, root: &Table<'_>, builder: &mut Builder) -> Decoded<()> {
    let t = Table::open(node, &keys::CONTROLLER, root.scope())?;
    t.require("multibody", "the name of what it controls")?;
    let name = t.label("multibody")?.unwrap_or_default();
    let index = multibody(&builder.world, &name)
        .map_err(|(message, known)| t.fault("multibody", message).help(known))?;
    let made = &builder.world.multibodies[index];
    if made.controller.is_some() {
        let message = format!("`{name}` has a controller already");
        return Err(t.fault("multibody", message));
    }
    let first = t.at_least_zero("first")?.unwrap_or(0.0);
    let rate = t.positive("rate")?.unwrap_or(100.0);
    if let Some(node) = t.get("pick_and_throw") {
        let controller = picker(node, &t, index, (first, rate), builder)?;
        builder.world.multibodies[index].controller = Some(controller);
        return Ok(());
    }
    let others = others(&t, index, &builder.world)?;
    let sees = seen(&t, builder)?;
    let world = &builder.world;
    let trees = std::iter::once(&index).chain(&others);
    let trees: Vec<&MultibodyBody> = trees.map(|k| &world.multibodies[*k]).collect();
    let known = Known {
        models: trees.iter().map(|made| made.model.clone()).collect(),
        bodies: sees.iter().map(|b| world.model(*b).user_frame).collect(),
    };
    let bodies = sees.iter().map(|b| world.bodies[b.index()].name.as_str());
    let program = Writer::new(trees, bodies.collect(), t.scope()).program(&t, 1.0 / rate)?;
    let controller = Controller {
        slots: program.slots.clone(),
        others,
        sees,
        ..Controller::new(first, 0, program.controller(known))
    };
    builder.world.multibodies[index].controller = Some(controller);
    Ok(())
}

/// The number of the multibody of a name, or what is wrong and what may have been meant.
fn multibody(world: &World, name: &str) -> Result<usize, (String, String)> {
    let found = world.multibodies.iter().position(|made| made.name == name);
    found.ok_or_else(|| {
        let known = world.multibodies.iter().map(|made| made.name.as_str());
        let message = format!("there is no multibody or robot `{name}`");
        (message, suggestion(name, known))
    })
}

/// `drives`: other multibodies whose joints the program sees and whose motors it sets.
fn others(t: &Table<'_>, own: usize, world: &World) -> Decoded<Vec<usize>> {
    let mut others = Vec::new();
    for item in t.list("drives")? {
        let name = label(item, "drives", t.scope())?;
        let other = multibody(world, &name)
            .map_err(|(message, known)| Fault::new(&item.place, message).help(known))?;
        if other == own || others.contains(&other) {
            let message = match other == own {
                true => format!("`{name}` is what the controller drives anyway"),
                false => format!("`{name}` is named twice"),
            };
            return Err(Fault::new(&item.place, message));
        }
        others.push(other);
    }
    Ok(others)
}

/// `sees`: bodies that the program looks at.
fn seen(t: &Table<'_>, builder: &Builder) -> Decoded<Vec<BodyId>> {
    let world = &builder.world;
    let is_link = |body: BodyId| {
        let mut links = world.multibodies.iter().flat_map(|made| &made.links);
        links.any(|link| link.body == body)
    };
    let mut bodies = Vec::new();
    for item in t.list("sees")? {
        let name = label(item, "sees", t.scope())?;
        let Some(body) = builder.named(&name) else {
            let known = world.bodies.iter().map(|body| body.name.as_str());
            let message = format!("there is no body `{name}`");
            return Err(Fault::new(&item.place, message).help(suggestion(&name, known)));
        };
        let message = match world.bodies[body.index()].kind {
            _ if is_link(body) => format!(
                "`{name}` is a link of a multibody; name the multibody in `drives`, and its links are seen"
            ),
            _ if bodies.contains(&body) => format!("`{name}` is named twice"),
            Kind::Dynamic => {
                bodies.push(body);
                continue;
            }
            _ => format!("`{name}` is not dynamic: where it is follows from its script"),
        };
        return Err(Fault::new(&item.place, message));
    }
    Ok(bodies)
}

/// `pick_and_throw`.
fn picker(
    node: &Node,
    outer: &Table<'_>,
    index: usize,
    timing: (f64, f64),
    builder: &Builder,
) -> Decoded<Controller> {
    if let Some(key) = ["run", "slots", "drives", "sees"]
        .iter()
        .find(|key| outer.get(key).is_some())
    {
        let message = format!("a controller with `pick_and_throw` has no `{key}` of its own");
        return Err(outer.fault(key, message));
    }
    let t = Table::open(node, &keys::PICK_AND_THROW, outer.scope())?;
    t.require("boxes", "the names of the boxes that it may pick up")?;
    let mut boxes = Vec::new();
    for item in t.list("boxes")? {
        let name = label(item, "boxes", t.scope())?;
        let Some(body) = builder.named(&name) else {
            let message = format!("there is no body `{name}`");
            return Err(Fault::new(&item.place, message));
        };
        boxes.push(body);
    }
    let grip = t.positive("grip")?.unwrap_or(0.075);
    let made = thrower::make(&builder.world, index, &boxes, timing, grip);
    made.map_err(|why| outer.fault("multibody", why))
}

/// What a program is made of while it is read.
struct Writer<'a> {
    /// The controller's own multibody, then the others that it drives.
    trees: Vec<&'a MultibodyBody>,
    /// Names of the bodies that it looks at.
    bodies: Vec<&'a str>,
    scope: &'a Scope,
    slots: Vec<String>,
    locals: Vec<String>,
}

impl<'a> Writer<'a> {
    fn new(trees: Vec<&'a MultibodyBody>, bodies: Vec<&'a str>, scope: &'a Scope) -> Self {
        Writer {
            trees,
            bodies,
            scope,
            slots: Vec::new(),
            locals: Vec::new(),
        }
    }

    fn program(mut self, t: &Table<'_>, period: f64) -> Decoded<Program> {
        let mut starts = Vec::new();
        for (name, (place, node)) in t.named("slots")?.into_iter().flatten() {
            if !is_name(name) || name == TIME || name == "pi" {
                let message = format!("a slot cannot be called `{name}`");
                return Err(Fault::new(place, message));
            }
            starts.push(number(node, name, self.scope)?);
            self.slots.push(name.clone());
        }
        t.require("run", "what it does: a list of assignments")?;
        let mut lines = Vec::new();
        for item in t.list("run")? {
            let Value::Text(line) = &item.value else {
                let found = item.value.kind();
                let message = format!("a line of `run` must be a text in quotes, found {found}");
                return Err(Fault::new(&item.place, message));
            };
            let made = self.line(line);
            lines.push(made.map_err(|why| Fault::new(&item.place, why))?);
        }
        Ok(Program {
            lines,
            locals: self.locals.len(),
            slots: starts,
            period,
        })
    }

    /// One assignment.
    fn line(&mut self, line: &str) -> Result<(Target, Term), String> {
        let Some((left, right)) = split_assignment(line) else {
            return Err(format!(
                "`{line}` sets nothing; expected `name = …` or `signal(\"joint\") = …`"
            ));
        };
        let term = self.term(&parse(right, self.scope)?)?;
        let target = match parse(left, self.scope)? {
            Tree::Name(name) if name == TIME => {
                return Err(format!("`{TIME}` cannot be set"));
            }
            Tree::Name(name) => match self.slots.iter().position(|slot| *slot == name) {
                Some(slot) => Target::Slot(slot),
                None => Target::Local(self.local(name)),
            },
            Tree::Call(name, arguments) if name == "signal" => {
                Target::Motor(self.motor(&arguments)?)
            }
            _ => {
                return Err(format!(
                    "`{}` cannot be set; expected a name or `signal(\"joint\")`",
                    left.trim()
                ));
            }
        };
        Ok((target, term))
    }

    fn local(&mut self, name: String) -> usize {
        let found = self.locals.iter().position(|local| *local == name);
        found.unwrap_or_else(|| {
            self.locals.push(name);
            self.locals.len() - 1
        })
    }

    fn term(&self, tree: &Tree) -> Result<Term, String> {
        Ok(match tree {
            Tree::Literal(Literal::Number(n)) => Term::Number(*n),
            Tree::Literal(Literal::Text(t)) => {
                return Err(format!("expected a number, found the text `{t}`"));
            }
            Tree::Name(name) => self.named(name)?,
            Tree::Minus(of) => match self.term(of)? {
                Term::Number(n) => Term::Number(-n),
                term => Term::Minus(Box::new(term)),
            },
            Tree::Binary(operator, a, b) => match (self.term(a)?, self.term(b)?) {
                (Term::Number(a), Term::Number(b)) => Term::Number(operator.of(a, b)),
                (a, b) => Term::Binary(*operator, Box::new(a), Box::new(b)),
            },
            Tree::Call(name, arguments) => match SENSES.iter().find(|(known, _)| known == name) {
                Some((_, written)) => self.sense(name, arguments, written)?,
                None => {
                    let function = self.function(name, arguments.len())?;
                    let terms = arguments.iter().map(|tree| self.term(tree));
                    Term::Call(function, terms.collect::<Result<_, _>>()?)
                }
            },
        })
    }

    fn function(&self, name: &str, arguments: usize) -> Result<Function, String> {
        if Function::called(name).is_none() {
            let senses = SENSES.iter().map(|(known, _)| *known);
            let known = suggestion(name, Function::names().chain(senses));
            return Err(format!("`{name}` is not a function; {known}"));
        }
        function(name, arguments)
    }

    fn named(&self, name: &str) -> Result<Term, String> {
        if name == TIME {
            return Ok(Term::Time);
        }
        if let Some(slot) = self.slots.iter().position(|slot| slot == name) {
            return Ok(Term::Slot(slot));
        }
        if let Some(local) = self.locals.iter().position(|local| local == name) {
            return Ok(Term::Local(local));
        }
        let slots = self.slots.iter().chain(&self.locals).map(String::as_str);
        let known = suggestion(name, slots.chain([TIME, "pi"]));
        Err(format!(
            "nothing is called `{name}` here: no slot, and no line before has set it (a parameter is written \
             `${name}`); {known}"
        ))
    }

    /// What a program sees.
    fn sense(&self, name: &str, arguments: &[Tree], written: &str) -> Result<Term, String> {
        let wanted = written.matches(',').count() + 1;
        if arguments.len() != wanted {
            let count = wrong_count(name, &wanted.to_string(), arguments.len());
            return Err(format!("{count}; it is written `{written}`"));
        }
        let axis = |at: usize| -> Result<usize, String> {
            let name = self.text(arguments, at, written)?;
            let found = ["x", "y", "z"].iter().position(|known| *known == name);
            found.ok_or_else(|| format!("`{name}` is not an axis; expected `x`, `y` or `z`"))
        };
        Ok(match name {
            "position" | "velocity" => {
                let called = self.text(arguments, 0, written)?;
                let joints = |made: &'a MultibodyBody| made.joints.iter().map(String::as_str);
                let joint = self.find(&called, "joint", joints)?;
                let model = &self.trees[joint.whose].model;
                if !matches!(
                    model.link(joint.number).joint.kind,
                    JointKind::Hinge(_) | JointKind::Slide(_)
                ) {
                    return Err(format!(
                        "the joint `{called}` is neither a hinge nor a slide, so that its {name} is not one number; \
                         `place`, `speed`, `spin` and `axis` tell how its link is"
                    ));
                }
                let of = |number| Of { number, ..joint };
                match name {
                    "position" => Term::Position(of(model.position_index(joint.number))),
                    _ => Term::Velocity(of(model.velocity_index(joint.number))),
                }
            }
            "signal" => Term::Signal(self.motor(arguments)?),
            "place" => Term::Place(self.frame(arguments, written)?, axis(1)?),
            "speed" => Term::Speed(self.frame(arguments, written)?, axis(1)?),
            "spin" => Term::Spin(self.frame(arguments, written)?, axis(1)?),
            _ => Term::Axis(self.frame(arguments, written)?, axis(1)?, axis(2)?),
        })
    }

    /// A link, or a body that is looked at.
    fn frame(&self, arguments: &[Tree], written: &str) -> Result<Frame, String> {
        let called = self.text(arguments, 0, written)?;
        if let Some(body) = self.bodies.iter().position(|name| *name == called) {
            return Ok(Frame::Body(body));
        }
        let links = |made: &'a MultibodyBody| {
            (0..made.model.len()).map(move |k| made.model.link(k).name.as_str())
        };
        self.find(&called, "link", links).map(Frame::Link)
    }

    fn motor(&self, arguments: &[Tree]) -> Result<Of, String> {
        let called = self.text(arguments, 0, "signal(\"joint\")")?;
        let motors = |made: &'a MultibodyBody| made.motor_names.iter().map(String::as_str);
        self.find(&called, "motor", motors)
    }

    /// What is called so in the controller's own multibody, or behind the name of another and a point in that.
    fn find<I: Iterator<Item = &'a str>>(
        &self,
        called: &str,
        what: &str,
        names: impl Fn(&'a MultibodyBody) -> I,
    ) -> Result<Of, String> {
        for (whose, made) in self.trees.iter().enumerate() {
            let own = match whose {
                0 => Some(called),
                _ => called
                    .strip_prefix(made.name.as_str())
                    .and_then(|rest| rest.strip_prefix('.')),
            };
            let found = own.and_then(|own| names(made).position(|known| known == own));
            if let Some(number) = found {
                return Ok(Of { whose, number });
            }
        }
        let mut known: Vec<String> = Vec::new();
        for (whose, &made) in self.trees.iter().enumerate() {
            known.extend(names(made).map(|name| match whose {
                0 => name.to_string(),
                _ => format!("{}.{name}", made.name),
            }));
        }
        let known = suggestion(called, known.iter().map(String::as_str));
        Err(format!("there is no {what} `{called}` here; {known}"))
    }

    fn text(&self, arguments: &[Tree], at: usize, written: &str) -> Result<String, String> {
        match arguments.get(at) {
            Some(Tree::Literal(Literal::Text(name))) => fill_in(name, self.scope),
            _ => Err(format!("expected a name in quotes here, as in `{written}`")),
        }
    }
}

/// Both sides of the first `=` that is not part of a comparison.
fn split_assignment(line: &str) -> Option<(&str, &str)> {
    let bytes = line.as_bytes();
    let at = (0..bytes.len()).find(|&k| bytes[k] == b'=')?;
    let before = at.checked_sub(1).map(|k| bytes[k]);
    let is_comparison =
        bytes.get(at + 1) == Some(&b'=') || matches!(before, Some(b'=' | b'!' | b'<' | b'>'));
    (!is_comparison).then(|| (&line[..at], &line[at + 1..]))
}
