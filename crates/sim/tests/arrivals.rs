//! Bodies that nobody declared: added in time or late, in whatever order they arrive, through branches, checkpoints and
//! more room than there was, they leave the same bytes.

use crate::random_worlds::{heap, random_world};

use physics::body::Heft;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use record::Segment;
use warp::Tick;
use warpline_sim::{
    Action, Algorithm, BodyId, History, Input, InputError, LookAhead, NewBody, Session, Simulation,
    SimulationError, Told, World, run, scene,
};

/// Where comparisons end: a whole number of sixty-fourths, so that GVT can stand exactly there.
const END: f64 = 0.75;

/// Every committed segment, to the last bit.
#[derive(Default)]
struct Committed(Vec<String>);

impl History for Committed {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        self.0.push(format!("{segment:?}"));
        Ok(())
    }
}

/// Says where two histories part.
fn assert_same(found: &Committed, reference: &Committed, what: &str) {
    let length = found.0.len().max(reference.0.len());
    if let Some(at) = (0..length).find(|i| found.0.get(*i) != reference.0.get(*i)) {
        let (found, wanted) = (found.0.get(at), reference.0.get(at));
        panic!("{what}: segment {at} is\n{found:?}\ninstead of\n{wanted:?}");
    }
}

fn seconds(frame: u32) -> Tick {
    Tick::from_seconds(f64::from(frame) / 60.0)
}

/// What is added: the place, the frame in which it enters, the frame in which it leaves again.
const PLAN: [(u32, u32, Option<u32>); 4] =
    [(0, 6, None), (1, 3, Some(24)), (2, 13, None), (5, 9, None)];

fn text(place: u32) -> String {
    let x = 1.2 + 0.25 * f64::from(place);
    let shape = match place % 2 {
        0 => "{ ball = 0.12 }",
        _ => "{ box = [0.2, 0.15, 0.1] }",
    };
    format!(
        "name = \"late {place}\"\nshape = {shape}\nposition = [{x}, 2.1, 1.4]\nvelocity = [0.3, -2, 0.1]\n\
         spin = [1, 2, 3]\nmass = 0.4\nrestitution = 0.3\nfriction = 0.4"
    )
}

fn newcomer(world: &World, place: u32) -> (NewBody, State) {
    scene::read_body(world, &text(place)).expect("a body")
}

/// The world in which everything is known beforehand.
fn known(world: &World) -> World {
    let mut world = world.clone();
    world.make_room(8);
    world.until = Tick::from_seconds(END);
    for (place, enters, leaves) in PLAN {
        let (new, state) = newcomer(&world, place);
        let body = world.at_place(place).expect("a place");
        world.put(body, new).expect("a sound body");
        let mut input = |frame, order, action| {
            world.inputs.push(Input {
                at: seconds(frame),
                body,
                order,
                action,
            });
        };
        input(enters, 0, Action::Enter(state));
        if let Some(frame) = leaves {
            input(frame, 0, Action::Leave);
        }
    }
    world.validate().expect("a sound world");
    world
}

fn in_time(world: &World, algorithm: Algorithm) -> Committed {
    let mut history = Committed::default();
    run(world, algorithm, &mut history).expect("the run ends");
    history
}

/// What happens to a simulation on the way.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Plain,
    /// It goes on as a branch of itself.
    Branch,
    /// It is saved and loaded.
    Checkpoint,
    /// The bodies were first thought to be others.
    Mistaken,
}

/// Learns of each body `late` frames after it has entered, of the last ones first.
fn arriving(world: &World, late: u32, way: Way) -> Committed {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.warp");
    let mut sim = Simulation::new(world.clone(), END).expect("a sound world");
    let mut history = Committed::default();
    for frame in 0..=90 {
        if way == Way::Mistaken && frame == 1 {
            mistake(&mut sim, world);
        }
        for (place, enters, leaves) in PLAN.into_iter().rev() {
            if frame == enters + late {
                let (new, state) = newcomer(world, place);
                let added = sim.add(seconds(enters), Some(place), new, state);
                let (body, _) = added.expect("there is room");
                assert_eq!(body.index(), world.bodies.len() + place as usize);
            }
            if leaves.is_some_and(|leaves| frame == leaves + late) {
                let leave = Input {
                    at: seconds(leaves.unwrap_or(0)),
                    body: BodyId(world.bodies.len() as u32 + place),
                    order: 0,
                    action: Action::Leave,
                };
                sim.input(leave).expect("it may leave");
            }
        }
        if frame == 20 {
            match way {
                Way::Plain | Way::Mistaken => {}
                Way::Branch => sim = sim.branch(),
                Way::Checkpoint => {
                    sim.save(&path).expect("it is saved");
                    sim = Simulation::load(&path, world.clone()).expect("it is loaded");
                }
            }
        }
        sim.advance_into(seconds(frame), &mut history)
            .expect("it runs");
    }
    assert_eq!(sim.gvt(), Tick::from_seconds(END));
    history
}

/// Somebody adds a large ball, pushes it, and takes both back.
fn mistake(sim: &mut Simulation, world: &World) {
    let part = Part::centred(Shape::Ball { radius: 0.3 });
    let model = BodyModel::dynamic(&[part], Heft::Mass(2.0), Material::default(), world.gravity);
    let new = NewBody::new("mistake", model.expect("a ball"));
    let state = State::at_rest(Pose::from_translation(Vec3::new(1.5, 2.2, 1.5)));
    let (body, _) = sim.add(seconds(2), Some(0), new, state).expect("room");
    let push = Input {
        at: seconds(3),
        body,
        order: 1,
        action: Action::Force {
            force: Vec3::X,
            ticks: seconds(9).0,
        },
    };
    sim.input(push).expect("an input");
    sim.advance(seconds(1)).expect("it runs");
    sim.withdraw(push.at, body, 1).expect("it is there");
    sim.withdraw(seconds(2), body, 0).expect("it is there");
}

fn worlds() -> Vec<World> {
    vec![heap(5), random_world(3, 20, 9.81, 0.3)]
}

#[test]
fn a_body_that_nobody_declared_has_one_history() {
    for world in worlds() {
        let known = known(&world);
        let reference = in_time(&known, Algorithm::Ordered);
        let met = reference.0.iter().any(|s| s.contains("Collision"));
        assert!(met || world.contact.is_some(), "nothing happens in it");
        for algorithm in [
            Algorithm::TimeWarp(LookAhead::Adaptive),
            Algorithm::TimeWarp(LookAhead::Seconds(0.1)),
            Algorithm::Checking,
        ] {
            let found = in_time(&known, algorithm);
            assert_same(&found, &reference, &format!("{algorithm:?}"));
        }
        for late in [0, 1, 17] {
            let found = arriving(&world, late, Way::Plain);
            assert_same(&found, &reference, &format!("{late} frames late"));
        }
        for (way, what) in [
            (Way::Branch, "a branch"),
            (Way::Checkpoint, "a checkpoint"),
            (Way::Mistaken, "a mistake taken back"),
        ] {
            assert_same(&arriving(&world, 11, way), &reference, what);
        }
    }
}

#[test]
fn hashes_of_states_do_not_tell_how_much_room_there_is() {
    let world = heap(2);
    let mut narrow = Simulation::new(world.clone(), 1.0).expect("a sound world");
    let mut wide = Simulation::new(world.clone(), 1.0).expect("a sound world");
    wide.make_room(100).expect("room");
    for sim in [&mut narrow, &mut wide] {
        let (new, state) = newcomer(&world, 0);
        sim.add(seconds(4), None, new, state).expect("room");
        sim.advance(seconds(20)).expect("it runs");
    }
    assert_ne!(narrow.world().room, wide.world().room);
    assert_eq!(narrow.hash_at(seconds(20)), wide.hash_at(seconds(20)));
}

#[test]
fn peers_that_learn_of_a_body_at_different_times_agree() {
    let world = heap(4);
    let hash = |learns: u64| {
        let mut session = Session::new(world.clone(), 60, 60).expect("a session");
        for frame in 0..=40 {
            session.advance_to(frame).expect("not too far");
            if frame == learns {
                let (new, state) = newcomer(&world, 7);
                session.add(5, 7, new, state).expect("room");
            }
        }
        session.hash(40)
    };
    assert_eq!(hash(3), hash(31));
}

#[test]
fn what_cannot_be_added_is_refused_and_changes_nothing() {
    let world = heap(1);
    let mut sim = Simulation::new(world.clone(), 0.1).expect("a sound world");
    let (new, state) = newcomer(&world, 0);
    sim.add(seconds(1), Some(0), new.clone(), state)
        .expect("room");
    sim.advance(seconds(30)).expect("it runs");
    let before = sim.hash_at(seconds(30));
    let refused = |outcome: Result<_, SimulationError>| match outcome {
        Err(SimulationError::Input(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was taken"),
    };
    let mut other = new.clone();
    other.name = "other".into();
    let too_late = refused(sim.add(seconds(1), Some(1), other.clone(), state));
    assert!(matches!(too_late, InputError::TooLate { .. }), "{too_late}");
    let taken = refused(sim.add(seconds(31), Some(0), other.clone(), state));
    assert!(matches!(taken, InputError::PlaceTaken { .. }), "{taken}");
    let mut nowhere = state;
    nowhere.position.x = f64::NAN;
    let bad = refused(sim.add(seconds(31), Some(1), other.clone(), nowhere));
    assert!(matches!(bad, InputError::BadNumber { .. }), "{bad}");
    let crowded = refused(sim.add(seconds(31), Some(1 << 20), other, state));
    assert!(matches!(crowded, InputError::NoRoom { .. }), "{crowded}");
    let same = sim.add(seconds(31), Some(1), new, state).err();
    let same = same.expect("it has another's name").to_string();
    assert!(same.contains("`late 0`"), "{same}");
    assert_eq!(sim.hash_at(seconds(30)), before);
    let fixed = scene::read_body(
        &world,
        "name = \"w\"\nkind = \"fixed\"\nshape = { ball = 1 }",
    );
    assert!(
        fixed
            .err()
            .is_some_and(|e| e.to_string().contains("dynamic"))
    );
}

#[test]
fn a_place_is_free_again_when_its_leaving_is_final() {
    let world = heap(1);
    let mut sim = Simulation::new(world.clone(), 0.1).expect("a sound world");
    let (new, state) = newcomer(&world, 0);
    let (body, _) = sim.add(seconds(1), Some(0), new, state).expect("room");
    let leave = Input {
        at: seconds(10),
        body,
        order: 0,
        action: Action::Leave,
    };
    sim.input(leave).expect("it may leave");
    let (new, state) = newcomer(&world, 2);
    sim.advance(seconds(12)).expect("it runs");
    let early = sim.add(seconds(13), Some(0), new.clone(), state);
    assert!(early.is_err(), "its leaving may still be taken back");
    sim.advance(seconds(30)).expect("it runs");
    let (again, _) = sim.add(seconds(31), Some(0), new, state).expect("room");
    assert_eq!(again, body);
    sim.advance(seconds(40)).expect("it runs");
    assert!(sim.state(body, seconds(40)).is_some());
    assert_eq!(sim.world().bodies[body.index()].name, "late 2");
}
