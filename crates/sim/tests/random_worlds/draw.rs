//! Draws plans of random worlds. Every seed first draws which features its world may have at all
//! (swarm testing: worlds of few features each reach states that worlds of everything never do), then
//! bodies, joints, cloth, inputs and how all is run.

use super::plan::{Deed, HERTZ, LATEST, Piece, Plan};
use physics::{State, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use warp::Tick;
use warpline_sim::{Action, LookAhead};

/// A source of random numbers with the distributions that worlds need.
pub struct Draw(Pcg64Mcg);

impl Draw {
    fn chance(&mut self, probability: f64) -> bool {
        self.0.random::<f64>() < probability
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }

    /// Uniform in its logarithm.
    fn scale(&mut self, low: f64, high: f64) -> f64 {
        low * libm::pow(high / low, self.0.random::<f64>())
    }

    fn count(&mut self, low: u32, high: u32) -> u32 {
        self.0.random_range(low..=high)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.0.random_range(0..of.len())]
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        let mut one = || (2.0 * self.0.random::<f64>() - 1.0) * size;
        Vec3::new(one(), one(), one())
    }
}

/// Which features a world may have.
struct Swarm {
    solver: Option<&'static str>,
    fast: bool,
    sizes: bool,
    thin: bool,
    masses: bool,
    unions: bool,
    damped: bool,
    forces: bool,
    joints: bool,
    kinematic: bool,
    towers: bool,
    cloth: bool,
    shell: bool,
    walls: bool,
    inputs: bool,
    bouncy: bool,
}

impl Swarm {
    fn draw(d: &mut Draw) -> Self {
        let solvers = [
            None,
            Some("soft-step"),
            Some("soft-step"),
            Some("impulse"),
            Some("penalty"),
        ];
        let solver = d.pick(&solvers);
        Swarm {
            solver,
            fast: d.chance(0.2),
            sizes: d.chance(0.2),
            thin: d.chance(0.2),
            masses: d.chance(0.25),
            unions: d.chance(0.5),
            damped: d.chance(0.3),
            forces: d.chance(0.3),
            joints: matches!(solver, Some("soft-step" | "impulse")) && d.chance(0.5),
            kinematic: d.chance(0.35),
            towers: solver.is_some() && d.chance(0.5),
            cloth: d.chance(0.15),
            shell: d.chance(0.04),
            walls: d.chance(0.4),
            inputs: d.chance(0.5),
            bouncy: solver.is_none() || d.chance(0.2),
        }
    }
}

/// Puts bodies side by side in rows, so that none overlap.
struct Shelf {
    x: f64,
    z: f64,
    depth: f64,
    widest: f64,
    top: f64,
    base: f64,
}

impl Shelf {
    /// The middle of a free place for something of this radius, on the ground.
    fn place(&mut self, radius: f64) -> (f64, f64) {
        const GAP: f64 = 0.02;
        let size = 2.0 * radius + GAP;
        if self.x + size > 4.0 && self.x > 0.0 {
            (self.x, self.z, self.depth) = (0.0, self.z + self.depth, 0.0);
        }
        let at = (self.x + 0.5 * size, self.z + 0.5 * size);
        self.x += size;
        self.depth = self.depth.max(size);
        self.widest = self.widest.max(self.x);
        at
    }
}

/// A plan under construction.
struct Builder {
    d: Draw,
    swarm: Swarm,
    shelf: Shelf,
    pieces: Vec<Piece>,
    forces: Vec<String>,
    bodies: u32,
    movable: Vec<String>,
    driven: Vec<String>,
}

/// The plan of a seed.
pub fn plan(seed: u64) -> Plan {
    let mut d = Draw(Pcg64Mcg::seed_from_u64(seed));
    let swarm = Swarm::draw(&mut d);
    let shelf = Shelf {
        x: 0.0,
        z: 0.0,
        depth: 0.0,
        widest: 0.0,
        top: 0.0,
        base: 0.0,
    };
    let mut b = Builder {
        d,
        swarm,
        shelf,
        pieces: Vec::new(),
        forces: Vec::new(),
        bodies: 0,
        movable: Vec::new(),
        driven: Vec::new(),
    };
    b.contact();
    b.ground();
    b.force_fields();
    for _ in 0..b.d.count(1, 12) {
        b.single();
    }
    if b.swarm.towers {
        (0..b.d.count(1, 2)).for_each(|_| b.tower());
    }
    if b.swarm.joints {
        (0..b.d.count(1, 2)).for_each(|_| b.linkage());
    }
    if b.swarm.kinematic {
        (0..b.d.count(1, 2)).for_each(|_| b.paddle());
    }
    if b.swarm.cloth {
        b.cloth();
    }
    if b.swarm.shell {
        b.shell();
    }
    if b.swarm.walls {
        b.walls();
    }
    b.finish(seed)
}

impl Builder {
    fn add(&mut self, name: String, text: String, needs: Vec<String>) {
        self.pieces.push(Piece { name, text, needs });
    }

    fn contact(&mut self) {
        let Some(solver) = self.swarm.solver else {
            return;
        };
        let step = 1.0 / self.d.pick(&[60.0, 120.0, 120.0, 240.0, 500.0]);
        let mut text = format!("[contact]\nsolver = \"{solver}\"\nstep = {step}\n");
        if self.d.chance(0.3) && solver != "penalty" {
            text += &format!("substeps = {}\n", self.d.count(1, 8));
        }
        if self.d.chance(0.3) {
            text += &format!("margin = {}\n", self.d.scale(1e-3, 1e-2));
        }
        if self.d.chance(0.3) {
            text += &format!("fuse_speed = {}\n", self.d.scale(1e-3, 1.0));
        }
        // Sleep comes soon, or no short run would see it.
        if self.d.chance(0.7) {
            let (speed, after) = (self.d.scale(5e-3, 0.2), self.d.scale(0.01, 0.2));
            text += &format!("rest_speed = {speed}\nrest_after = {after}\n");
        }
        self.add("contact".into(), text, Vec::new());
    }

    fn surface(&mut self) -> String {
        let friction = self.d.pick(&[0.0, 0.2, 0.5, 0.9, 2.0]);
        let soft = [0.0, 0.1, 0.3, 0.6];
        let restitution = match self.swarm.bouncy {
            true => self.d.pick(&[0.8, 0.95, 1.0]),
            false => self.d.pick(&soft),
        };
        format!("restitution = {restitution}\nfriction = {friction}\n")
    }

    fn ground(&mut self) {
        let surface = self.surface();
        let kind = self.d.count(0, 4);
        let shape = match kind {
            0 | 1 => "{ half_space = [0, 1, 0] }".into(),
            2 => {
                let (cells, seed) = (self.d.count(2, 20), self.d.count(0, 1000));
                self.shelf.base = 0.4;
                format!(
                    "{{ height_field = {{ size = [12, 0.4, 12], hills = {{ cells = {cells}, waves = 2, \
                     seed = {seed} }} }} }}"
                )
            }
            3 => "{ mesh = { vertices = [[-8, 0, -8], [8, 0, -8], [8, 0, 8], [-8, 0, 8]], triangles = \
                  [[0, 2, 1], [0, 3, 2]] } }"
                .into(),
            _ => return,
        };
        let text =
            format!("[[body]]\nname = \"ground\"\nkind = \"fixed\"\nshape = {shape}\n{surface}");
        self.add("ground".into(), text, Vec::new());
    }

    fn force_fields(&mut self) {
        if !self.swarm.forces {
            return;
        }
        for index in 0..self.d.count(1, 2) {
            let [x, y, z] = self.d.vector(3.0).to_array();
            let strength = self.d.scale(0.01, 30.0);
            let text = match self.d.count(0, 3) {
                0 => format!(
                    "kind = \"drag\"\nlinear = {strength}\nquadratic = {}\n",
                    0.1 * strength
                ),
                1 => format!(
                    "kind = \"attractor\"\ncentre = [{x}, {y}, {z}]\nstrength = {strength}\n\
                     softening = {}\n",
                    self.d.scale(0.01, 1.0)
                ),
                2 => format!(
                    "kind = \"wind\"\nvelocity = [{x}, {y}, {z}]\ndrag = {strength}\ngust = 0.5\n\
                     period = {}\n",
                    self.d.scale(0.01, 2.0)
                ),
                _ => {
                    format!("kind = \"spring\"\nanchor = [{x}, {y}, {z}]\nstiffness = {strength}\n")
                }
            };
            let name = format!("force{index}");
            self.forces.push(name.clone());
            self.add(name.clone(), format!("[forces.{name}]\n{text}"), Vec::new());
        }
    }

    /// A shape and the radius of a ball that holds it, about its origin.
    fn shape(&mut self, size: f64) -> (String, f64) {
        let thin = match self.swarm.thin && self.d.chance(0.5) {
            true => self.d.scale(0.01, 0.3),
            false => self.d.between(0.4, 1.0),
        };
        let (long, short) = (size, size * thin);
        match self.d.count(0, 6) {
            0 | 1 => (format!("{{ ball = {size} }}"), size),
            2 => (
                format!(
                    "{{ box = [{}, {}, {}] }}",
                    1.1 * long,
                    1.1 * short,
                    1.1 * size
                ),
                1.1 * 0.87 * size,
            ),
            3 => (
                format!(
                    "{{ capsule = {{ length = {long}, radius = {} }} }}",
                    0.5 * short
                ),
                0.5 * (long + short),
            ),
            4 => (
                format!(
                    "{{ cylinder = {{ height = {}, radius = {} }} }}",
                    short,
                    0.7 * long
                ),
                0.9 * size,
            ),
            5 => {
                let points: Vec<String> = (0..self.d.count(4, 14))
                    .map(|_| {
                        let p = self.d.vector(1.0).normalize_or(Vec3::Y) * size;
                        format!("[{}, {}, {}]", p.x, p.y * thin, p.z)
                    })
                    .collect();
                (format!("{{ hull = [{}] }}", points.join(", ")), size)
            }
            _ => {
                let (vertices, seed) = (self.d.count(4, 30), self.d.count(0, 9999));
                let text = format!(
                    "{{ random_hull = {{ vertices = {vertices}, size = {}, seed = {seed} }} }}",
                    2.0 * size
                );
                (text, size)
            }
        }
    }

    /// `shape = …` or `shapes = …`, and the radius of a ball about the origin that holds all.
    fn geometry(&mut self) -> (String, f64) {
        let size = match self.swarm.sizes && self.d.chance(0.5) {
            true => self.d.scale(3e-4, 3.0),
            false => self.d.between(0.06, 0.2),
        };
        if !(self.swarm.unions && self.d.chance(0.4)) {
            let (shape, radius) = self.shape(size);
            return (format!("shape = {shape}\n"), radius);
        }
        let mut reach = 0.0f64;
        let mut parts = Vec::new();
        for _ in 0..self.d.count(2, 4) {
            let (shape, radius) = self.shape(0.6 * size);
            let at = self.d.vector(0.4 * size);
            reach = reach.max(at.length() + radius);
            let turn = self.turn();
            let inner = shape.trim_end().strip_suffix(" }").unwrap_or(&shape);
            parts.push(format!(
                "{inner}, position = [{}, {}, {}], {turn} }}",
                at.x, at.y, at.z
            ));
        }
        (format!("shapes = [{}]\n", parts.join(", ")), reach)
    }

    fn turn(&mut self) -> String {
        let axis = self.d.vector(1.0) + Vec3::Y * 1e-3;
        let degrees = self.d.between(0.0, 180.0);
        format!(
            "rotation = {{ axis = [{}, {}, {}], degrees = {degrees} }}",
            axis.x, axis.y, axis.z
        )
    }

    /// Heft, surface, damping and forces of a dynamic body.
    fn stuff(&mut self) -> (String, Vec<String>) {
        let density = match self.swarm.masses && self.d.chance(0.5) {
            true => self.d.scale(1e-2, 1e6),
            false => self.d.between(200.0, 2000.0),
        };
        let mut text = format!("density = {density}\n{}", self.surface());
        if self.swarm.damped && self.d.chance(0.5) {
            text += &format!("damping = {}\n", self.d.scale(0.01, 20.0));
        }
        let mut needs = Vec::new();
        if !self.forces.is_empty() && self.d.chance(0.4) {
            let force = self.forces[self.d.count(0, self.forces.len() as u32 - 1) as usize].clone();
            text += &format!("forces = [\"{force}\"]\n");
            needs.push(force);
        }
        (text, needs)
    }

    fn name(&mut self) -> String {
        self.bodies += 1;
        let name = format!("b{}", self.bodies);
        self.movable.push(name.clone());
        name
    }

    fn single(&mut self) {
        let (geometry, radius) = self.geometry();
        let (x, z) = self.shelf.place(radius);
        let drop = self.d.pick(&[0.0, 0.001, 0.05, 0.5]) + 1e-6;
        let y = self.shelf.base + radius + drop;
        self.shelf.top = self.shelf.top.max(y + radius);
        let speed = match self.swarm.fast && self.d.chance(0.5) {
            true => self
                .d
                .scale(10.0, if self.swarm.walls { 300.0 } else { 1e4 }),
            false => self.d.pick(&[0.0, 0.5, 4.0]),
        };
        let (v, spin) = (self.d.vector(speed), self.d.vector(speed.min(200.0)));
        let (stuff, needs) = self.stuff();
        let (name, turn) = (self.name(), self.turn());
        let text = format!(
            "[[body]]\nname = \"{name}\"\n{geometry}position = [{x}, {y}, {z}]\n{turn}\n\
             velocity = [{}, {}, {}]\nspin = [{}, {}, {}]\n{stuff}",
            v.x, v.y, v.z, spin.x, spin.y, spin.z
        );
        self.add(name, text, needs);
    }

    /// Boxes on top of each other, touching.
    fn tower(&mut self) {
        let half = self.d.between(0.05, 0.15);
        let (x, z) = self.shelf.place(2.0 * half);
        let mut y = self.shelf.base + half;
        for _ in 0..self.d.count(2, 6) {
            let (stuff, needs) = self.stuff();
            let name = self.name();
            let (side, height) = (2.0 * half, 2.0 * half);
            let text = format!(
                "[[body]]\nname = \"{name}\"\nshape = {{ box = [{side}, {height}, {side}] }}\n\
                 position = [{x}, {y}, {z}]\n{stuff}"
            );
            self.add(name, text, needs);
            y += height;
        }
        self.shelf.top = self.shelf.top.max(y);
    }

    /// Bodies in a line, joined one to the next, hanging or lying free.
    fn linkage(&mut self) {
        let links = self.d.count(1, 6);
        let pitch = self.d.between(0.15, 0.3);
        let length = pitch * f64::from(links + 1);
        let (x, z) = self.shelf.place(0.5 * length);
        let y = self.shelf.base + self.d.between(0.2, 2.0);
        let x = x - 0.5 * length + 0.5 * pitch;
        let mut before = match self.d.count(0, 2) {
            0 => None,
            held => {
                self.bodies += 1;
                let name = format!("b{}", self.bodies);
                let kind = match held {
                    1 => "kind = \"fixed\"\n".to_string(),
                    _ => {
                        let to = x + self.d.between(-0.2, 0.2);
                        self.driven.push(name.clone());
                        format!(
                            "kind = \"kinematic\"\nscript = [{{ at = 0, position = [{x}, {y}, {z}] }}, \
                             {{ at = 0.3, position = [{to}, {y}, {z}] }}]\n"
                        )
                    }
                };
                let text = format!(
                    "[[body]]\nname = \"{name}\"\n{kind}shape = {{ box = [0.06, 0.06, 0.06] }}\n\
                     position = [{x}, {y}, {z}]\n"
                );
                self.add(name.clone(), text, Vec::new());
                Some(name)
            }
        };
        for index in 1..=links {
            let radius = 0.4 * pitch;
            let at = x + pitch * f64::from(index);
            let shape = match self.d.count(0, 2) {
                0 => format!("{{ ball = {radius} }}"),
                1 => format!("{{ box = [{radius}, {radius}, {}] }}", 0.8 * radius),
                _ => format!(
                    "{{ capsule = {{ length = {}, radius = {} }} }}",
                    radius,
                    0.4 * radius
                ),
            };
            let (stuff, needs) = self.stuff();
            let name = self.name();
            let text = format!(
                "[[body]]\nname = \"{name}\"\nshape = {shape}\nposition = [{at}, {y}, {z}]\n{stuff}"
            );
            self.add(name.clone(), text, needs);
            if let Some(before) = before {
                self.joint(&before, &name);
            }
            before = Some(name);
        }
        self.shelf.top = self.shelf.top.max(y + 0.5);
    }

    fn joint(&mut self, a: &str, b: &str) {
        let kinds = [
            "ball", "hinge", "hinge", "slider", "fixed", "distance", "rope",
        ];
        let kind = self.d.pick(&kinds);
        let mut text = format!("[[joint]]\nkind = \"{kind}\"\nbodies = [\"{a}\", \"{b}\"]\n");
        let force = self.d.scale(0.1, 100.0);
        let speed = self.d.between(-6.0, 6.0);
        if matches!(kind, "hinge" | "slider") {
            let axis = self
                .d
                .pick(&["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]", "[1, 1, 0]"]);
            text += &format!("axis = {axis}\n");
            let (word, reach) = match kind {
                "hinge" => ("torque", 60.0),
                _ => ("force", 0.1),
            };
            if self.d.chance(0.4) {
                let reach = reach * self.d.between(0.1, 2.0);
                text += &format!("limits = [{}, {reach}]\n", -0.5 * reach);
            }
            if self.d.chance(0.4) {
                text += &format!("motor = {{ speed = {speed}, {word} = {force} }}\n");
            }
        }
        if self.d.chance(0.1) {
            text += "collide = true\n";
        }
        let name = format!("joint-{a}-{b}");
        self.add(name, text, vec![a.into(), b.into(), "contact".into()]);
    }

    /// A kinematic box that goes to and fro, or turns.
    fn paddle(&mut self) {
        let (x, z) = self.shelf.place(0.5);
        let y = self.shelf.base + self.d.between(0.6, 1.0);
        self.bodies += 1;
        let name = format!("b{}", self.bodies);
        let mut keys = Vec::new();
        let mut at = 0.0;
        for _ in 0..self.d.count(1, 5) {
            let [dx, dy, dz] = self.d.vector(0.15).to_array();
            let turn = self.d.between(-40.0, 40.0);
            keys.push(format!(
                "{{ at = {at}, position = [{}, {}, {}], rotation = {{ axis = [0, 1, 0], degrees = {turn} }} }}",
                x + dx,
                y + dy,
                z + dz
            ));
            at += self.d.scale(0.01, 0.5);
        }
        let text = format!(
            "[[body]]\nname = \"{name}\"\nkind = \"kinematic\"\nshape = {{ box = [0.5, 0.1, 0.5] }}\n\
             position = [{x}, {y}, {z}]\nscript = [{}]\n{}",
            keys.join(", "),
            self.surface()
        );
        self.driven.push(name.clone());
        self.shelf.top = self.shelf.top.max(y + 0.3);
        self.add(name, text, Vec::new());
    }

    /// A small cloth over a place of its own, with a ball above it.
    fn cloth(&mut self) {
        let (columns, rows) = (self.d.count(2, 7), self.d.count(2, 7));
        let side = self.d.between(0.4, 1.0);
        let (x, z) = self.shelf.place(0.75 * side);
        let y = self.shelf.base + self.d.between(0.4, 0.9);
        let pins = self
            .d
            .pick(&["[\"corners\"]", "[\"left\", \"right\"]", "[\"left\"]", "[]"]);
        let step = self.d.pick(&[0.004, 0.01, 1.0 / 60.0]);
        let friction = self.d.pick(&[0.0, 0.4]);
        let text = format!(
            "[[cloth]]\nname = \"cloth\"\ngrid = {{ columns = {columns}, rows = {rows}, corner = \
             [{}, {y}, {}], u = [{side}, 0, 0], v = [0, 0, {side}] }}\npins = {pins}\nmass = {}\n\
             extensibility = {}\nstep = {step}\nthickness = 0.005\nfriction = {friction}\n",
            x - 0.5 * side,
            z - 0.5 * side,
            self.d.scale(0.02, 2.0),
            self.d.scale(0.005, 0.1),
        );
        self.add("cloth".into(), text, Vec::new());
        let (geometry, radius) = self.geometry();
        let (stuff, needs) = self.stuff();
        let name = self.name();
        let above = y + radius + self.d.between(0.02, 0.1);
        let text = format!(
            "[[body]]\nname = \"{name}\"\n{geometry}position = [{x}, {above}, {z}]\n\
             velocity = [0, -1, 0]\n{stuff}"
        );
        self.shelf.top = self.shelf.top.max(above + radius);
        // It may be wider than its place.
        if radius < 0.7 * side {
            self.add(name, text, needs);
        } else {
            self.movable.pop();
        }
    }

    fn shell(&mut self) {
        let side = self.d.count(3, 5);
        let text = format!(
            "[[shell]]\nname = \"shell\"\ngrid = {{ columns = {side}, rows = {side}, corner = [0, 20, 0], \
             u = [0.3, 0, 0], v = [0, 0, 0.3] }}\npins = [0]\n"
        );
        self.add("shell".into(), text, Vec::new());
    }

    fn walls(&mut self) {
        let depth = self.shelf.z + self.shelf.depth;
        let text = format!(
            "[box]\nmin = [-0.6, {}, -0.6]\nmax = [{}, {}, {}]\n{}",
            self.shelf.base - 0.6,
            self.shelf.widest + 0.6,
            self.shelf.top + 0.6,
            depth + 0.6,
            self.surface()
        );
        self.add("walls".into(), text, Vec::new());
    }

    fn deed(&mut self, index: u32, end: f64) -> Deed {
        let is_driven = !self.driven.is_empty() && (self.d.chance(0.3) || self.movable.is_empty());
        let from = if is_driven {
            &self.driven
        } else {
            &self.movable
        };
        let body = from[self.d.count(0, from.len() as u32 - 1) as usize].clone();
        let somewhere = State {
            position: Vec3::new(1.0, self.shelf.top + 0.5, 1.0) + self.d.vector(0.5),
            velocity: self.d.vector(2.0),
            rotation: physics::rotation::from_rotation_vector(self.d.vector(2.0)),
            spin: self.d.vector(4.0),
        };
        let push = self.d.scale(0.01, 30.0);
        let action = match (is_driven, self.d.count(0, 7)) {
            (true, _) => Action::Motor {
                velocity: self.d.vector(0.3),
                spin: self.d.vector(0.5),
            },
            (_, 0) => Action::Teleport(somewhere),
            (_, 1) => Action::Leave,
            (_, 2) => Action::Enter(somewhere),
            (_, 3 | 4) => Action::Force {
                force: self.d.vector(10.0 * push),
                ticks: Tick::from_seconds(self.d.scale(1e-3, 0.3)).0,
            },
            _ => Action::Impulse {
                impulse: self.d.vector(push),
                point: Some(somewhere.position).filter(|_| index.is_multiple_of(3)),
            },
        };
        let at = self.d.between(0.0, 0.95 * end);
        let frame = (at * f64::from(HERTZ)).floor() as u32;
        let arrives = frame.saturating_sub(2) + self.d.count(0, LATEST);
        let name = format!("deed{index}");
        Deed {
            name,
            body,
            at,
            arrives,
            action,
        }
    }

    fn finish(mut self, seed: u64) -> Plan {
        let frames = self.d.count(4, 32);
        let end = f64::from(frames) / f64::from(HERTZ);
        let gravity = match self.d.count(0, 5) {
            0 => Vec3::ZERO,
            1 => self.d.vector(10.0),
            _ => Vec3::new(0.0, -9.81, 0.0),
        };
        let has_bodies = !(self.movable.is_empty() && self.driven.is_empty());
        let deeds = match self.swarm.inputs && has_bodies {
            true => self.d.count(1, 6),
            false => 0,
        };
        let deeds = (0..deeds).map(|index| self.deed(index, end)).collect();
        let d = &mut self.d;
        let (narrow, wide) = (d.scale(1e-7, 1e-3), d.scale(1e-3, 4.0));
        let look_aheads = vec![
            LookAhead::Adaptive,
            LookAhead::Seconds(narrow),
            LookAhead::Seconds(wide),
            LookAhead::OneEvent,
        ];
        Plan {
            seed,
            frames,
            gravity,
            pieces: self.pieces,
            deeds,
            look_aheads,
            callbacks: d.chance(0.3),
            branch: d.chance(0.5).then(|| d.count(1, frames)),
            checkpoint: d.chance(0.5).then(|| d.count(1, frames)),
        }
    }
}
