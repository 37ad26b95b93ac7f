//! Law 5: nothing tunnels. Thin, fast things are the hardest: a blade of two tenths of a millimetre whose
//! tips go at hundreds of metres a second meets a pin as thin in the first half-turn that reaches it, and
//! is not in it by more than rounding when it is found.

use physics::body::Heft;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use record::{Event, Segment};
use warpline_sim::{Algorithm, History, LookAhead, World, run};

const THICKNESS: f64 = 2e-4;
const HALF_LENGTH: f64 = 0.2;
const PIN: f64 = 0.35;
/// Metres per second towards the pin.
const DRIFT: f64 = 1.0;

/// Where the blade's centre was at its first collision.
#[derive(Default)]
struct First(Option<f64>);

impl History for First {
    fn segment(&mut self, segment: &Segment<'_>) -> warpline_sim::Told {
        if segment.event == Event::Collision && self.0.is_none() {
            self.0 = Some(segment.position[0]);
        }
        Ok(())
    }
}

fn blade_and_pin(spin: f64, pin: Shape) -> World {
    let mut world = World::new("blade", Vec3::ZERO, 0.4);
    let material = Material {
        restitution: 1.0,
        friction: 0.0,
    };
    let half_extents = Vec3::new(HALF_LENGTH, 0.5 * THICKNESS, 0.5 * THICKNESS);
    let blade = Part::centred(Shape::Box { half_extents });
    let blade = BodyModel::dynamic(&[blade], Heft::Mass(1.0), material, Vec3::ZERO);
    let blade = world.add_model(blade.expect("a blade"));
    let pin = BodyModel::fixed(&[Part::centred(pin)], material).expect("a pin");
    let pin = world.add_model(pin);
    // About an axis of the blade's inertia: it spins on for ever.
    let state = State {
        velocity: Vec3::new(DRIFT, 0.0, 0.0),
        spin: Vec3::new(0.0, 0.0, spin),
        ..State::at_rest(Pose::IDENTITY)
    };
    world.add_dynamic("blade", blade, state);
    let place = Pose::from_translation(Vec3::new(PIN, 0.0, 0.0));
    world.add_fixed("pin", pin, place);
    world
}

#[test]
fn a_spinning_blade_meets_a_pin_in_its_first_half_turn_there() {
    let ball = || Shape::Ball { radius: THICKNESS };
    let post = || Shape::Box {
        half_extents: Vec3::splat(0.5 * THICKNESS),
    };
    for spin in [30.0, 300.0, 3000.0] {
        for (pin, reach) in [(ball(), THICKNESS), (post(), THICKNESS)] {
            let world = blade_and_pin(spin, pin.clone());
            let mut first = First::default();
            let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
            let (stats, _) = run(&world, algorithm, &mut first).expect("the run ends");
            let met = PIN - first.0.expect("they meet");
            let half_turn = DRIFT * std::f64::consts::PI / spin;
            let (soonest, latest) = (HALF_LENGTH + reach, HALF_LENGTH - half_turn - reach);
            assert!(
                (latest..=soonest + 1e-6).contains(&met),
                "{pin:?} at {spin} rad/s: met at {met} m, expected {latest} to {soonest}"
            );
            assert!(
                stats.max_penetration_m < 1e-7,
                "{}",
                stats.max_penetration_m
            );
        }
    }
}
