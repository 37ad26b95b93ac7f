//! Shells and the world's bodies: dynamic ones fall on shells and are thrown by them, kinematic ones carry them, and all
//! of it is one history.

use crate::shells::hash;
use physics::{State, Vec3};
use warp::Tick;
use warpline_sim::scene::load;
use warpline_sim::{Action, Algorithm, BodyId, History, Input, LookAhead, Simulation, World, run};

fn world(text: &str) -> World {
    let text = format!("name = \"shell and bodies\"\n{text}");
    load("shell and bodies", &text, &[]).unwrap().world
}

/// A ball above a sheet that is held at its corners.
const BALL: &str = r##"
    until = 0.4
    gravity = [0, -9.81, 0]
    [[body]]
    name = "ball"
    shape = { ball = 0.03 }
    mass = 0.05
    position = [0.003, 0.06, 0.002]
    [[shell]]
    name = "sheet"
    grid = { columns = 13, rows = 13, corner = [-0.1, 0, -0.1], u = [0.2, 0, 0], v = [0, 0, 0.2] }
    pins = [0, 12, 156, 168]
    damping = 2e-5
    friction = 0.3
    restitution = 0.3
"##;

/// The last form, and how often bodies were touched.
#[derive(Default)]
struct Last {
    positions: Vec<Vec3>,
    touches: usize,
}

impl History for Last {
    fn segment(&mut self, segment: &record::Segment<'_>) -> warpline_sim::Told {
        self.touches += usize::from(segment.event == record::Event::Touch);
        Ok(())
    }

    fn vertices(&mut self, _: u32, _: Tick, positions: &[[f64; 3]]) -> warpline_sim::Told {
        self.positions = positions.iter().map(|p| Vec3::from_array(*p)).collect();
        Ok(())
    }
}

/// Every form.
#[derive(Default)]
struct Frames(Vec<(Tick, Vec<Vec3>)>);

impl History for Frames {
    fn segment(&mut self, _: &record::Segment<'_>) -> warpline_sim::Told {
        Ok(())
    }

    fn vertices(&mut self, _: u32, tick: Tick, positions: &[[f64; 3]]) -> warpline_sim::Told {
        let positions = positions.iter().map(|p| Vec3::from_array(*p));
        self.0.push((tick, positions.collect()));
        Ok(())
    }
}

fn end(world: &World) -> (Last, Vec<State>) {
    let mut last = Last::default();
    let (_, states) = run(world, Algorithm::Ordered, &mut last).unwrap();
    (last, states)
}

fn assert_one_history(world: &World) {
    let reference = hash(world, Algorithm::Ordered);
    for ahead in [
        LookAhead::OneEvent,
        LookAhead::Seconds(1e-3),
        LookAhead::Seconds(0.05),
        LookAhead::Adaptive,
    ] {
        let found = hash(world, Algorithm::TimeWarp(ahead));
        assert_eq!(found, reference, "{ahead:?}");
    }
}

#[test]
fn a_ball_lies_in_a_sheet_that_is_held_at_its_corners() {
    let world = world(BALL);
    let (last, states) = end(&world);
    assert_eq!(last.positions.len(), 169, "the ball's surface is not shown");
    assert!(last.touches > 20, "{} touches", last.touches);
    let ball = states[0];
    // in free fall it would be 0.78 m below
    assert!(
        (-0.12..0.05).contains(&ball.position.y),
        "{:?}",
        ball.position
    );
    // the surface that the sheet meets lies within the ball, and the outermost layer keeps off a millimetre
    for x in &last.positions {
        let depth = 0.03 - x.distance(ball.position);
        assert!(depth < 0.0, "a vertex is {depth} m deep in the ball");
    }
    let beneath = last.positions.iter().filter(|x| x.y < ball.position.y);
    assert!(beneath.count() > 50, "it fell through");
}

#[test]
fn balls_on_shells_are_one_history_for_all_windows_and_threads() {
    assert_one_history(&world(&BALL.replace("until = 0.4", "until = 0.16")));
    let short = BALL.replace("until = 0.4", "until = 0.12");
    let reference = hash(&world(&short), Algorithm::Ordered);
    for more in ["window = 0.0005", "window = 0.003", "threads = 2"] {
        let found = hash(&world(&format!("{short}{more}\n")), Algorithm::Ordered);
        assert_eq!(found, reference, "{more}");
    }
}

/// Nothing pushes from outside, so what the ball loses the sheet gains: seen in the motion of both before and after.
#[test]
fn momentum_passes_from_a_ball_to_a_free_shell() {
    let text = r##"
        until = 0.1
        gravity = [0, 0, 0]
        [[body]]
        shape = { ball = 0.02 }
        mass = 0.004
        position = [0.005, 0.03, 0.003]
        velocity = [0, -2, 0.2]
        [[shell]]
        grid = { columns = 9, rows = 9, corner = [-0.04, 0, -0.04], u = [0.08, 0, 0], v = [0, 0, 0.08] }
        damping = 2e-5
        restitution = 0.5
    "##;
    let world = world(text);
    let triangles = world.deformables[0].model.triangles().to_vec();
    let mut frames = Frames::default();
    run(&world, Algorithm::Ordered, &mut frames).unwrap();
    let mut simulation = Simulation::new(world, 0.2).unwrap();
    simulation.advance(Tick::from_seconds(0.1)).unwrap();
    // a third of each triangle's mass at each of its corners; the usual material
    let (_, rest) = &frames.0[0];
    let mut mass = vec![0.0; rest.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|v| rest[v as usize]);
        let third = 0.5 * (b - a).cross(c - a).length() * 500.0 * 4e-4 / 3.0;
        corners.iter().for_each(|&v| mass[v as usize] += third);
    }
    let mut centre = |tick: Tick, positions: &[Vec3]| {
        let ball = simulation.state(BodyId(0), tick).unwrap();
        let shell: Vec3 = positions.iter().zip(&mass).map(|(x, m)| *x * *m).sum();
        (shell + ball.position * 0.004, ball.velocity)
    };
    let (start, sent) = centre(Tick::ZERO, rest);
    let mut slowest = sent;
    for (tick, positions) in &frames.0 {
        // the velocity of the centre of mass does not change, so its place over time is a straight line
        let (now, velocity) = centre(*tick, positions);
        let expected = start + sent * (0.004 * tick.seconds());
        let moved = (expected - start).length().max(1e-5);
        let off = (now - expected).length() / moved;
        assert!(off < 1e-12, "{off} of its way at {} s", tick.seconds());
        slowest = velocity;
    }
    assert!(
        (slowest - sent).length() > 0.3,
        "the ball lost nothing: {slowest:?}"
    );
}

#[test]
fn kinematic_and_fixed_bodies_carry_a_shell() {
    let text = r##"
        until = 0.2
        gravity = [0, -9.81, 0]
        [[body]]
        name = "table"
        kind = "kinematic"
        shape = { box = [0.06, 0.02, 0.06] }
        position = [0, -0.012, 0]
        velocity = [0, 0.5, 0]
        [[body]]
        name = "post"
        kind = "fixed"
        shape = { hull = [[0.03, 0, 0], [-0.02, 0, 0.03], [-0.02, 0, -0.03], [0, 0.02, 0]] }
        position = [0.2, -0.1, 0]
        [[shell]]
        grid = { columns = 7, rows = 7, corner = [-0.05, 0, -0.05], u = [0.1, 0, 0], v = [0, 0, 0.1] }
        damping = 2e-5
        friction = 0.3
        restitution = 0.3
    "##;
    let world = world(text);
    let (last, states) = end(&world);
    let table = states[0].position.y + 0.01;
    assert!(table > 0.09, "the table is at {table} m");
    let middle = last.positions[3 * 7 + 3].y;
    assert!(
        middle > table,
        "the middle is at {middle} m, the table at {table} m"
    );
    assert_one_history(&world);
}

#[test]
fn late_inputs_saving_and_branches_leave_no_trace() {
    let world = || world(BALL);
    let input = |seconds: f64, order: u32, x: f64, y: f64| Input {
        at: Tick::from_seconds(seconds),
        body: BodyId(0),
        order,
        action: Action::Impulse {
            impulse: Vec3::new(x, y, 0.0),
            point: None,
        },
    };
    let inputs = [input(0.1013, 0, 0.01, 0.02), input(0.1507, 1, -0.02, 0.03)];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.warp");
    let run = |delay: f64, saves: bool, branches: bool| {
        let mut simulation = Simulation::new(world(), 0.3).unwrap();
        for frame in 0..=22 {
            for input in &inputs {
                let arrives = input.at.seconds() + delay;
                if (arrives * 100.0).ceil() == f64::from(frame) {
                    simulation.input(*input).unwrap();
                }
            }
            let now = Tick::from_seconds(f64::from(frame) / 100.0);
            simulation.advance(now).unwrap();
            if saves && frame % 6 == 5 {
                simulation.save(&path).unwrap();
                simulation = Simulation::load(&path, world()).unwrap();
            }
            if branches && frame == 9 {
                let mut other = simulation.branch();
                other.advance(Tick::from_seconds(0.3)).unwrap();
            }
        }
        simulation.hash_at(simulation.now())
    };
    let reference = run(0.0, false, false);
    assert!(reference.is_some());
    assert_eq!(run(0.05, false, false), reference, "late");
    assert_eq!(run(0.0, true, false), reference, "saved");
    assert_eq!(run(0.0, false, true), reference, "branched");
}
