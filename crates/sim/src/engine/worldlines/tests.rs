//! Unit tests of the part.

use super::super::Course;
use super::*;
use crate::engine::parts_yard::{at, two_balls};

#[test]
fn processes_are_numbered_by_kind() {
    let (world, lines, _) = two_balls();
    assert_eq!(lines.kind(ProcessId(1)), Process::Body(BodyId(1)));
    assert_eq!(lines.kind(ProcessId(2)), Process::Group);
    assert_eq!(lines.lasting(), world.bodies.len());
    assert_eq!(lines.deformable_of(ProcessId(0)), None);
}

#[test]
fn what_an_event_has_begun_together_is_undone_together() {
    let (_, mut lines, _) = two_balls();
    let (a, b) = (ProcessId(0), ProcessId(1));
    let mut begun = Vec::new();
    lines.begin(at(10), &[a, b], &mut begun);
    lines.begin(at(20), &[b], &mut begun);
    assert!(lines.is_ahead(b, at(15)) && !lines.is_ahead(a, at(15)));
    assert_eq!(lines.after(b, at(5)).count(), 2);
    let mut undone = Vec::new();
    lines.roll_back(a, at(10), &mut undone);
    assert_eq!(
        undone.len(),
        3,
        "both of the ring, and what follows one of them"
    );
    assert_eq!(lines.after(b, at(5)).count(), 0);
}

#[test]
fn a_group_that_a_rollback_leaves_nothing_of_is_annihilated() {
    let (_, mut lines, _) = two_balls();
    let group = lines.add_idle_process();
    let mut begun = Vec::new();
    lines.begin(at(10), &[ProcessId(0), group], &mut begun);
    assert_eq!(lines.groups_alive().count(), 1);
    lines.roll_back(ProcessId(0), at(10), &mut Vec::new());
    assert!(lines.is_annihilated(group));
    assert_eq!(lines.groups_alive().count(), 0);
}

#[test]
fn a_segment_begins_as_its_course_says_and_keeps_its_slots() {
    let (world, mut lines, models) = two_balls();
    let first = lines.tip(ProcessId(0));
    lines.write_slots(first, &[7.0, 8.0, 9.0]);
    let mut begun = Vec::new();
    lines.begin(at(10), &[ProcessId(0)], &mut begun);
    let model = world.bodies[0].model;
    let state = world.bodies[0].start;
    let course = Course {
        is_asleep: true,
        grip: 0.5,
        ..Course::alone(BodyId(0), state, first, model)
    };
    let flight = lines.place(begun[0], &course, &models);
    lines.keep_slots(begun[0], first);
    assert_eq!(flight.start, Tick(10));
    assert!(lines.is_asleep(begun[0]) && lines.is_still(begun[0], &models));
    assert_eq!((lines.model(begun[0]), lines.grip(begun[0])), (model, 0.5));
    assert_eq!(lines.slots(begun[0]), [7.0, 8.0], "there are two slots");
    assert_eq!(lines.alarm(begun[0]), Tick::MAX);
}
