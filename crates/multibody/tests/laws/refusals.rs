//! What cannot move is refused with its name.

use warpline_multibody::{Builder, Inertia, Joint, JointKind, LinkSpec, ModelError, Pose, Vec3};

fn spec(joint: Joint, inertia: Inertia) -> LinkSpec {
    LinkSpec {
        name: "finger".into(),
        parent: None,
        placement: Pose::IDENTITY,
        joint,
        inertia,
    }
}

#[test]
fn a_massless_leaf_is_refused() {
    let mut builder = Builder::new(Vec3::ZERO);
    builder
        .add(spec(Joint::hinge(Vec3::X), Inertia::NONE))
        .expect("known later");
    let error = builder.build().expect_err("nothing to move");
    assert!(matches!(&error, ModelError::Massless { link } if link == "finger"));
    assert!(error.to_string().contains("`finger`"));
}

#[test]
fn a_point_mass_on_the_axis_is_refused() {
    let mut builder = Builder::new(Vec3::ZERO);
    let point = Inertia {
        mass: 1.0,
        com: Vec3::X,
        ..Inertia::NONE
    };
    builder
        .add(spec(Joint::hinge(Vec3::X), point))
        .expect("known later");
    assert!(builder.build().is_err());
}

#[test]
fn nonsense_is_refused_when_it_is_added() {
    let mut builder = Builder::new(Vec3::ZERO);
    let no_axis = spec(Joint::hinge(Vec3::ZERO), Inertia::NONE);
    assert!(matches!(builder.add(no_axis), Err(ModelError::Axis { .. })));
    let mut orphan = spec(Joint::hinge(Vec3::X), Inertia::NONE);
    orphan.parent = Some(3);
    assert!(matches!(
        builder.add(orphan),
        Err(ModelError::UnknownParent { .. })
    ));
    let mut heavy = spec(Joint::new(JointKind::Free), Inertia::NONE);
    heavy.inertia.mass = f64::NAN;
    assert!(matches!(builder.add(heavy), Err(ModelError::Number { .. })));
}
