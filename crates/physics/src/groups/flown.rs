//! Members that nothing touched during a step: they follow their own law of motion, as they would alone.

use super::Span;
use crate::body::{BodyModel, Law};
use crate::motion::{Flight, Motion, State, Turn};
use crate::rotation::{angular_momentum, drifted, spin_of};
use crate::series::advanced;
use warp::Tick;

/// The state of a free body at the end of a step that it began in `state`. `turn` is a buffer.
pub(super) fn flown(model: &BodyModel, state: &State, span: Span, turn: &mut Turn) -> State {
    let t = span.seconds;
    match model.law {
        Law::Constant => *state,
        Law::Integrated => integrated(model, state, span, turn),
        Law::Scripted | Law::Ballistic | Law::Tumbling | Law::Linked => {
            let mass = &model.mass;
            let momentum = angular_momentum(state.rotation, mass.inertia, state.spin);
            let [x, y, z] = mass.inertia.to_array();
            let rotation = if x == y || y == z || z == x {
                drifted(state.rotation, momentum, mass, t)
            } else {
                advanced(state.rotation, momentum, mass, t)
            };
            State {
                position: state.position + (state.velocity + model.gravity * (0.5 * t)) * t,
                velocity: state.velocity + model.gravity * t,
                rotation,
                spin: spin_of(rotation, mass.inverse_inertia, momentum),
            }
        }
    }
}

fn integrated(model: &BodyModel, state: &State, span: Span, turn: &mut Turn) -> State {
    let flight = Flight {
        start: Tick::from_seconds(span.begin),
        position: state.position,
        velocity: state.velocity,
        model: crate::ModelId::default(),
        body: 0,
    };
    let end = Tick::from_seconds(span.begin + span.seconds);
    turn.begin(state.rotation, state.spin, model);
    turn.extend(&flight, model, end);
    let flight = &flight;
    Motion {
        model,
        flight,
        turn,
    }
    .state(end)
}
