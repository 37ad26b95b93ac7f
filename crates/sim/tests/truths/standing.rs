//! What stands by friction alone stands: arches without mortar and houses of cards, at the default rate, kept from
//! sleep so that nothing but their contacts holds them.

use crate::truths::lab;
use physics::State;
use warpline_sim::World;

/// How far bodies are from where others have them, at most, metres.
fn farthest<'a>(
    states: impl Iterator<Item = &'a State>,
    others: impl Iterator<Item = &'a State>,
) -> f64 {
    let pairs = states.zip(others);
    let ways = pairs.map(|(a, b)| (a.position - b.position).length());
    ways.fold(0.0, f64::max)
}

/// After it has settled for a second nothing moves any more, up to `until`: bodies are within `settled` metres of
/// their start. What moves still are overlaps that are pushed out, by fractions of a millimetre in each joint.
fn stands(name: &str, until: u32, settled: f64) {
    let world: World = lab::load(name, &["rest=1000"]);
    let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
    let samples = lab::samples(&world, f64::from(until), until);
    let (_, early) = &samples[0];
    for (seconds, states) in &samples {
        let moved = farthest(states.iter(), starts.iter());
        assert!(moved < settled, "{name}: moved {moved} m in {seconds} s");
        let since = farthest(states.iter(), early.iter());
        assert!(since < 0.25 * settled, "{name}: moved {since} m since 1 s");
        let fastest = states.iter().map(|s| s.velocity.length());
        let fastest = fastest.fold(0.0, f64::max);
        assert!(fastest < 1e-5, "{name}: {fastest} m/s at {seconds} s");
    }
}

/// A hundred joints of a millimetre close by 0.6 mm each, down to the distance that hulls keep: the crown comes down by
/// about as much as the arch becomes shorter, 0.06 m.
#[test]
fn an_arch_of_101_stones_stands_for_a_minute() {
    stands("arch-101-tight", 60, 0.12);
}

/// A hundred joints of a millimetre close, and a hundred of a tenth open.
#[test]
fn an_arch_of_201_stones_stands_for_a_minute() {
    stands("arch-201-tight", 60, 0.25);
}

/// Its gaps of 0.1 mm are below the distance that hulls keep: five hundred joints open by a tenth of a millimetre.
#[test]
fn an_arch_of_501_stones_stands_for_a_minute() {
    stands("arch-501-tight", 60, 0.25);
}

/// Gaps of 0.2 mm close or open to the distance that boxes keep, of 0.4 mm, on every level.
#[test]
fn a_card_house_of_eight_levels_stands_for_a_minute() {
    stands("cards-8-levels", 60, 0.005);
}
