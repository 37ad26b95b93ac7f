//! A random world of all features, as a plan: a scene's text in named pieces, what users do to it, and
//! how it is to be run. A plan is a function of its seed; pieces can be left out, so a world that
//! shows a fault can be made smaller.

use physics::Vec3;
use std::fmt::Write;
use warp::Tick;
use warpline_sim::scene::{self, SceneError};
use warpline_sim::{Action, BodyId, Callback, Input, LookAhead, World};

/// Frames a second of the simulation that is talked to: GVT can stand at each of them.
pub const HERTZ: u32 = 64;
/// An input comes at most this many frames late.
pub const LATEST: u32 = 10;

/// A part of a scene's text that can be left out.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Tells it apart.
    pub name: String,
    /// TOML.
    pub text: String,
    /// Pieces it cannot do without.
    pub needs: Vec<String>,
}

/// What a user does to a body, and when the world hears of it.
#[derive(Clone, Debug)]
pub struct Deed {
    /// Tells it apart.
    pub name: String,
    /// The body's name.
    pub body: String,
    /// When it happens, seconds.
    pub at: f64,
    /// The frame in which it arrives.
    pub arrives: u32,
    /// What it does.
    pub action: Action,
}

/// A world and how to run it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it was made from.
    pub seed: u64,
    /// Its end, in frames.
    pub frames: u32,
    /// Uniform gravity.
    pub gravity: Vec3,
    /// Scene text.
    pub pieces: Vec<Piece>,
    /// Inputs.
    pub deeds: Vec<Deed>,
    /// Look-aheads to be compared with the ordered run.
    pub look_aheads: Vec<LookAhead>,
    /// Whether a callback kicks bodies and collisions are counted in slots.
    pub callbacks: bool,
    /// The frame at which a branch is made, disturbed and dropped.
    pub branch: Option<u32>,
    /// The frame at which the world is saved and resumed.
    pub checkpoint: Option<u32>,
}

impl Plan {
    /// The scene's text.
    pub fn text(&self) -> String {
        let end = f64::from(self.frames) / f64::from(HERTZ);
        let [x, y, z] = self.gravity.to_array();
        let mut text = format!(
            "# Random world {}.\nname = \"world {}\"\nuntil = {end}\ngravity = [{x}, {y}, {z}]\n",
            self.seed, self.seed
        );
        for piece in &self.pieces {
            let _ = write!(text, "\n# {}\n{}", piece.name, piece.text);
        }
        text
    }

    /// Names of all that can be left out.
    pub fn names(&self) -> Vec<String> {
        let pieces = self.pieces.iter().map(|piece| piece.name.clone());
        let deeds = self.deeds.iter().map(|deed| deed.name.clone());
        let rest = [
            ("callbacks", self.callbacks),
            ("branch", self.branch.is_some()),
            ("checkpoint", self.checkpoint.is_some()),
        ];
        let rest = rest.into_iter().filter(|(_, is)| *is);
        pieces
            .chain(deeds)
            .chain(rest.map(|(name, _)| name.into()))
            .collect()
    }

    /// The plan without some of its pieces and whatever needs them.
    pub fn without(&self, left_out: &[String]) -> Plan {
        let mut gone: Vec<String> = left_out.to_vec();
        loop {
            let lost = self.pieces.iter().find(|piece| {
                !gone.contains(&piece.name) && piece.needs.iter().any(|n| gone.contains(n))
            });
            match lost {
                Some(piece) => gone.push(piece.name.clone()),
                None => break,
            }
        }
        let is_kept = |name: &String| !gone.contains(name);
        let mut plan = self.clone();
        plan.pieces.retain(|piece| is_kept(&piece.name));
        plan.deeds
            .retain(|deed| is_kept(&deed.name) && is_kept(&deed.body));
        plan.callbacks &= is_kept(&"callbacks".into());
        plan.branch = plan.branch.filter(|_| is_kept(&"branch".into()));
        plan.checkpoint = plan.checkpoint.filter(|_| is_kept(&"checkpoint".into()));
        plan
    }

    /// The world, with no inputs yet.
    pub fn world(&self) -> Result<World, Box<SceneError>> {
        let mut world = scene::load("random world", &self.text(), &[])?.world;
        if self.callbacks {
            add_callbacks(&mut world);
        }
        Ok(world)
    }

    /// The deeds as inputs, with the frames in which they arrive.
    pub fn inputs(&self, world: &World) -> Vec<(u32, Input)> {
        let place = |name: &str| world.bodies.iter().position(|body| body.name == name);
        let input = |(order, deed): (u32, &Deed)| {
            let body = BodyId(place(&deed.body)? as u32);
            let (at, action) = (Tick::from_seconds(deed.at), deed.action);
            let input = Input {
                at,
                body,
                order,
                action,
            };
            Some((deed.arrives, input))
        };
        (0..).zip(&self.deeds).filter_map(input).collect()
    }
}

/// Counts collisions in a slot and kicks three bodies, the harder the more often they were hit.
fn add_callbacks(world: &mut World) {
    let dynamic = |b: &u32| world.bodies[*b as usize].kind == warpline_sim::Kind::Dynamic;
    let all = 0..world.bodies.len() as u32;
    let bodies: Vec<BodyId> = all.filter(dynamic).take(3).map(BodyId).collect();
    world.slots = 1;
    world.on_collision = Some(std::sync::Arc::new(|_, views, _| {
        for view in views.iter_mut() {
            view.slots[0] += 1.0;
        }
    }));
    world.callbacks.push(Callback {
        name: "kick".into(),
        bodies,
        first: 0.031,
        run: std::sync::Arc::new(|seconds, views| {
            for view in views.iter_mut().filter(|view| view.inverse_mass > 0.0) {
                let push = view.inverse_mass.recip() * (1.0 + 0.1 * view.slots[0].min(10.0));
                view.push(Vec3::new(0.1 * push, 0.3 * push, 0.0));
            }
            (seconds < 2.0).then_some(0.057)
        }),
    });
}
