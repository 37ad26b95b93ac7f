//! Contacts between free sheets, friction and restitution included, are pairs of opposite impulses: momentum
//! is conserved to rounding, and so is angular momentum where impulses act along the line between the points
//! they act on, that is without friction.

use glamx::DVec3;
use warpline_shell::acm::{
    Acm, AcmOptions, ContactLaw, Material, Mesh, ShellBuilder, ShellModel, ShellState,
    intersections, ticks,
};

/// Two wavy sheets in free flight that run into each other, one four times as heavy.
fn colliding_sheets(friction: f64) -> (ShellModel, ShellState) {
    let law = ContactLaw {
        friction,
        restitution: 0.4,
        ..ContactLaw::default()
    };
    let mut builder = ShellBuilder::new(DVec3::ZERO, law);
    for (side, density_kg_m3) in [(-1.0, 500.0), (1.0, 2000.0)] {
        let sheet = Mesh::sheet(6, 6, |i, j| {
            let (x, z) = (0.009 * i as f64, 0.0095 * j as f64);
            let wave = 0.0015 * (160.0 * x + 70.0 * side * z).sin();
            DVec3::new(x + 0.003 * side, 0.003 * side + wave, z)
        });
        let material = Material {
            density_kg_m3,
            ..Material::default()
        };
        builder.shell(sheet, material, |_| None).velocity = DVec3::new(0.6, -1.0, 0.3) * side;
    }
    builder.build().expect("a scene")
}

/// What a run changed of the momentum (kg m/s) and the angular momentum (kg m^2/s), with bounds on what
/// rounding can do to either: each kick rounds a vertex's momentum, at most `fastest` times its mass, by
/// half a unit in the last place for each of the four vertices and three coordinates.
fn changes(friction: f64) -> ([f64; 2], [f64; 2]) {
    let (model, mut state) = colliding_sheets(friction);
    let (p, l) = (state.momentum(&model), state.angular_momentum(&model));
    let mut acm = Acm::new(&model, &state, AcmOptions::default());
    acm.run_until(&model, &mut state, ticks(0.01))
        .expect("progress");
    assert_eq!(intersections(&model, &state.positions()), []);
    let counts = &acm.profile.counts;
    assert!(counts.contact_pushes > 1_000, "{counts:?}");
    let heaviest = model.masses().iter().copied().fold(0.0, f64::max);
    let (fastest, reach) = (4.0, 0.1);
    let kicks = (counts.element_forces + counts.contact_pushes) as f64;
    let rounding = 6.0 * f64::EPSILON * kicks * heaviest * fastest;
    let moved = (state.momentum(&model) - p).length();
    let turned = (state.angular_momentum(&model) - l).length();
    ([moved, turned], [rounding, rounding * reach])
}

#[test]
fn contacts_conserve_momentum_and_without_friction_angular_momentum() {
    let ([moved, turned], [p_bound, l_bound]) = changes(0.0);
    assert!(moved < p_bound, "{moved:e} of {p_bound:e} kg m/s");
    assert!(turned < l_bound, "{turned:e} of {l_bound:e} kg m^2/s");
}

/// Friction acts on two points a layer's thickness apart at most: its torque is the sliding impulse times that.
#[test]
fn friction_conserves_momentum() {
    let ([moved, turned], [p_bound, _]) = changes(0.5);
    assert!(moved < p_bound, "{moved:e} of {p_bound:e} kg m/s");
    // the whole momentum of the lighter sheet, rubbed off over a thickness of a millimetre
    let (model, _) = colliding_sheets(0.5);
    let momentum = 0.2 * model.masses().iter().sum::<f64>() * 1.2;
    assert!(turned < momentum * 1.0e-3, "{turned:e} kg m^2/s");
}
