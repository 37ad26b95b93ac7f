//! `[[joint]]`: what holds bodies together. Two bodies by name, or a whole chain of numbered ones.

use super::builder::Builder;
use super::decode::{Decoded, Table, label, list, number, vector};
use super::error::{Fault, suggestion};
use super::keys::{self, Section};
use super::tree::Node;
use crate::world::BodyId;
use physics::Vec3;
use physics::joints::{Joint, JointKind, Motor, START_ERROR, Spring};

const KINDS: [&str; 7] = [
    "ball", "hinge", "slider", "fixed", "distance", "rope", "spring",
];

/// How far off a motor is when it is as strong as it can be, radians and metres, where its scene does not say.
const FULL_STRENGTH_AT: f64 = 0.1;
/// The seconds that its damping answers to, where its scene does not say.
const DAMPED_WITHIN: f64 = 0.1;

/// Reads one `[[joint]]`.
pub(super) fn joint(node: &Node, root: &Table<'_>, builder: &mut Builder) -> Decoded<()> {
    let t = Table::open(node, &keys::JOINT, root.scope())?;
    t.require("kind", "a kind of joint, for example `kind = \"hinge\"`")?;
    let kind = t.text("kind")?.unwrap_or_default();
    if !KINDS.contains(&kind.as_str()) {
        let message = format!("unknown kind of joint `{kind}`");
        return Err(t.fault("kind", message).help(suggestion(&kind, KINDS)));
    }
    refuse_what_has_no_meaning(&t, &kind)?;
    for (place, pair) in pairs(&t, builder)?.into_iter().enumerate() {
        let name = match t.label("name")? {
            Some(name) if place == 0 => name,
            Some(name) => format!("{name} {}", place + 1),
            None => format!("joint {}", builder.world.joints.len() + 1),
        };
        one(&t, &kind, pair, name, builder)?;
    }
    Ok(())
}

fn refuse_what_has_no_meaning(t: &Table<'_>, kind: &str) -> Decoded<()> {
    let turns = ["hinge", "slider"].contains(&kind);
    let refused: &[&str] = match kind {
        "hinge" | "slider" => &["length"],
        "distance" | "rope" => &["axis", "limits", "motor", "anchor", "spring"],
        "spring" => &["axis", "limits", "motor", "anchor", "length"],
        _ => &["axis", "limits", "motor", "length", "spring"],
    };
    match refused.iter().find(|key| t.get(key).is_some()) {
        Some(key) => Err(t.fault(key, format!("a {kind} joint has no `{key}`"))),
        None if kind == "spring" => {
            let expected = "how strong it is, for example `spring = { stiffness = 100 }`";
            t.require("spring", expected).map(|_| ())
        }
        None if turns => t.require("axis", "the direction of the joint").map(|_| ()),
        None => Ok(()),
    }
}

/// The bodies to join: `bodies` names two, `chain` all that are called `NAME` and a number, one after the other
/// as they were written.
fn pairs(t: &Table<'_>, builder: &Builder) -> Decoded<Vec<[BodyId; 2]>> {
    match (t.get("bodies"), t.get("chain")) {
        (Some(node), None) => {
            let items = list(node, "bodies")?;
            let [a, b] = items else {
                let message = format!("`bodies` names {}; expected two bodies", items.len());
                return Err(Fault::new(&node.place, message));
            };
            let a = named(a, t, builder)?;
            let b_node = b;
            let b = named(b, t, builder)?;
            if a == b {
                let message = "a joint cannot hold a body to itself; expected two bodies";
                return Err(Fault::new(&b_node.place, message));
            }
            Ok(vec![[a, b]])
        }
        (None, Some(_)) => {
            let name = t.label("chain")?.unwrap_or_default();
            let is_link = |body: &str| {
                let rest = body.strip_prefix(name.as_str());
                rest.is_some_and(|r| {
                    r.len() > 1 && r.chars().all(|c| c == ' ' || c.is_ascii_digit())
                })
            };
            let bodies = builder.world.bodies.iter().enumerate();
            let links = bodies.filter(|(_, body)| is_link(&body.name));
            let links: Vec<BodyId> = links.map(|(k, _)| BodyId(k as u32)).collect();
            if links.len() < 2 {
                let message = format!(
                    "a chain needs two bodies at least, called `{name} 1`, `{name} 2` and so on; \
                     found {}",
                    links.len()
                );
                return Err(t.fault("chain", message));
            }
            Ok(links.windows(2).map(|w| [w[0], w[1]]).collect())
        }
        _ => Err(Fault::new(
            t.place,
            "a joint holds either two `bodies` or a `chain`; expected one of them, for example \
             `bodies = [\"door\", \"frame\"]`",
        )),
    }
}

fn named(node: &Node, t: &Table<'_>, builder: &Builder) -> Decoded<BodyId> {
    let name = label(node, "bodies", t.scope())?;
    builder.named(&name).ok_or_else(|| {
        let known = builder.world.bodies.iter().take(50);
        let help = suggestion(&name, known.map(|b| b.name.as_str()));
        Fault::new(&node.place, format!("there is no body `{name}`")).help(help)
    })
}

fn one(
    t: &Table<'_>,
    kind: &str,
    bodies: [BodyId; 2],
    name: String,
    builder: &mut Builder,
) -> Decoded<()> {
    let world = &builder.world;
    let poses = bodies.map(|b| world.bodies[b.index()].start.pose());
    let anchors = anchors(t, kind, bodies, builder)?;
    let apart = anchors[0].distance(anchors[1]);
    let axis = t.vector("axis")?.unwrap_or(Vec3::X);
    if axis.length() < 1e-12 {
        return Err(t.fault("axis", "the axis has no length; expected a direction"));
    }
    let length = t.positive("length")?.unwrap_or(apart);
    let kind = match kind {
        "ball" => JointKind::Ball,
        "fixed" => JointKind::Fixed,
        "hinge" => JointKind::Hinge {
            limits: limits(t)?.map(|pair| pair.map(|d| d * std::f64::consts::PI / 180.0)),
            motor: motor(t, &keys::HINGE_MOTOR, "torque")?.filter_speed(),
        },
        "slider" => JointKind::Slider {
            limits: limits(t)?,
            motor: motor(t, &keys::SLIDER_MOTOR, "force")?.filter_speed(),
        },
        "distance" => JointKind::Distance { length },
        "spring" => JointKind::Free,
        _ => JointKind::Rope { length },
    };
    if matches!(kind, JointKind::Distance { .. } | JointKind::Rope { .. }) && length == 0.0 {
        let message = "the anchors are at one point; expected a `length`, or a ball joint";
        return Err(t.fault("anchors", message));
    }
    let spring = spring(t, &kind, apart)?;
    let numbers = bodies.map(|b| b.0);
    let joint = Joint {
        collide: t.flag("collide")?,
        spring,
        ..Joint::between(name, numbers, poses, anchors, axis, kind)
    };
    if let Err(why) = joint.validate(Some(poses)) {
        let key = ["limits", "motor", "spring", "length", "anchors"];
        let blamed = key.into_iter().find(|k| t.get(k).is_some());
        let [a, b] = bodies.map(|b| &world.bodies[b.index()].name);
        let message = format!("the joint of `{a}` and `{b}`: {why}");
        return Err(t.fault(blamed.unwrap_or("kind"), message));
    }
    builder.world.joints.push(joint);
    builder.joint_places.push(t.place.clone());
    Ok(())
}

/// Where both bodies are held, in the world: `anchor` is a point of the world, `anchors` are points of the
/// bodies' own frames. Without either, bodies are held at the middle between their origins, and ropes at
/// the origins.
fn anchors(
    t: &Table<'_>,
    kind: &str,
    bodies: [BodyId; 2],
    builder: &Builder,
) -> Decoded<[Vec3; 2]> {
    let world = &builder.world;
    let frames = bodies.map(|b| {
        let body = &world.bodies[b.index()];
        body.start.pose() * world.models[body.model.place()].user_frame
    });
    if let Some(node) = t.get("anchors") {
        if t.get("anchor").is_some() {
            return Err(t.fault("anchor", "give either `anchor` or `anchors`, not both"));
        }
        let items = list(node, "anchors")?;
        let [a, b] = items else {
            let message = "`anchors` are two points, one in the frame of each body";
            return Err(Fault::new(&node.place, message));
        };
        let points = [a, b].map(|item| vector(item, "anchors", t.scope()));
        let [a, b] = points;
        let points = [frames[0] * a?, frames[1] * b?];
        let apart = points[0].distance(points[1]);
        if !["distance", "rope", "spring"].contains(&kind) && apart > START_ERROR {
            let message = format!(
                "the anchors are {apart} m apart at the start; expected both at one point of the world"
            );
            let help = "move the bodies, or give `anchor`, a point of the world";
            return Err(Fault::new(&node.place, message).help(help));
        }
        return Ok(points);
    }
    let origins = frames.map(|f| f.translation);
    Ok(match t.vector("anchor")? {
        Some(point) => [point; 2],
        None if ["distance", "rope", "spring"].contains(&kind) => origins,
        None => [0.5 * (origins[0] + origins[1]); 2],
    })
}

fn limits(t: &Table<'_>) -> Decoded<Option<[f64; 2]>> {
    let Some(node) = t.get("limits") else {
        return Ok(None);
    };
    let [low, high] = list(node, "limits")? else {
        let message = "`limits` are two numbers: degrees of a hinge, metres of a slider";
        return Err(Fault::new(&node.place, message));
    };
    let low = number(low, "limits", t.scope())?;
    let high = number(high, "limits", t.scope())?;
    if low > 0.0 || high < 0.0 {
        let message = format!(
            "the limits are {low} and {high}; expected zero between, where the joint starts"
        );
        return Err(Fault::new(&node.place, message));
    }
    Ok(Some([low, high]))
}

/// What a motor aims at.
enum Drive {
    None,
    Speed(Motor),
    Position(Spring),
}

impl Drive {
    fn filter_speed(self) -> Option<Motor> {
        match self {
            Drive::Speed(motor) => Some(motor),
            Drive::None | Drive::Position(_) => None,
        }
    }
}

fn motor(t: &Table<'_>, section: &Section, strength: &str) -> Decoded<Drive> {
    let Some(node) = t.get("motor") else {
        return Ok(Drive::None);
    };
    let m = Table::open(node, section, t.scope())?;
    m.require(
        strength,
        "how strong the motor is: N m of a hinge, N of a slider",
    )?;
    let strength = m.at_least_zero(strength)?.unwrap_or(0.0);
    let Some(position) = m.number("position")? else {
        if let Some(key) = ["stiffness", "damping"].iter().find(|k| m.get(k).is_some()) {
            let message = format!("a motor that keeps a speed has no `{key}`");
            return Err(m.fault(key, message).help("say what `position` it aims at"));
        }
        return Ok(Drive::Speed(Motor {
            speed: m.number("speed")?.unwrap_or(0.0),
            strength,
        }));
    };
    if m.get("speed").is_some() {
        let message = "a motor keeps a `speed` or aims at a `position`, not both";
        return Err(m.fault("speed", message));
    }
    let stiffness = m.positive("stiffness")?;
    let stiffness = stiffness.unwrap_or(strength / FULL_STRENGTH_AT);
    let damping = m.at_least_zero("damping")?;
    Ok(Drive::Position(Spring {
        rest: position,
        stiffness,
        damping: damping.unwrap_or(stiffness * DAMPED_WITHIN),
        strength,
    }))
}

/// What draws a joint to a place: its spring, or a motor that aims at a position. Hinges count in degrees there.
fn spring(t: &Table<'_>, kind: &JointKind, apart: f64) -> Decoded<Option<Spring>> {
    let (unit, drive) = match kind {
        JointKind::Hinge { .. } => (
            std::f64::consts::PI / 180.0,
            motor(t, &keys::HINGE_MOTOR, "torque")?,
        ),
        JointKind::Slider { .. } => (1.0, motor(t, &keys::SLIDER_MOTOR, "force")?),
        _ => (1.0, Drive::None),
    };
    let in_units = |spring: Spring| Spring {
        rest: spring.rest * unit,
        ..spring
    };
    let Some(node) = t.get("spring") else {
        return Ok(match drive {
            Drive::Position(aim) => Some(in_units(aim)),
            Drive::None | Drive::Speed(_) => None,
        });
    };
    if matches!(drive, Drive::Position(_)) {
        let message = "a motor that aims at a `position` is a spring; leave out one of both";
        return Err(t.fault("spring", message));
    }
    let s = Table::open(node, &keys::JOINT_SPRING, t.scope())?;
    s.require("stiffness", "how strong it is, N/m, or N m/rad of a hinge")?;
    let start = match kind {
        JointKind::Free => apart,
        _ => 0.0,
    };
    Ok(Some(in_units(Spring {
        rest: s.number("rest")?.unwrap_or(start),
        stiffness: s.at_least_zero("stiffness")?.unwrap_or(0.0),
        damping: s.at_least_zero("damping")?.unwrap_or(0.0),
        strength: f64::INFINITY,
    })))
}
