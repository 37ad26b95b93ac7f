//! Events and checks in a periodic box: a side is crossed, and images of bodies are met.

use super::pairs::Side;
use super::regroup::Sides;
use super::{Engine, Origin};
use crate::periodic::Image;
use physics::{Flight, Vec3};
use record::Event;
use warp::{EventOrder, NodeId, ProcessId, Tick};

impl Engine {
    /// A body's centre has left the box: it goes on from the opposite side.
    pub(super) fn cross_side(&mut self, node: NodeId, order: EventOrder) {
        let Some(periodic) = self.world.periodic else {
            return;
        };
        let (body, tick) = (self.lines.body_of(node), order.moment.tick);
        self.integrate(node, tick);
        let state = periodic.crossed(self.motion(node).state(tick));
        let course = self.alone(body, state, node);
        let mut event = self.open(order, &[ProcessId(body.0)]);
        self.go_on(&mut event, &course, Origin::of(Event::Piece));
        self.close(event);
    }

    /// A look-ahead up to `horizon` from `from` on ends where the body crosses a side: no box reaches farther over a side
    /// than its body does. What lies beyond the crossing is never history.
    pub(super) fn cut_at_side(&self, node: NodeId, from: Tick, horizon: Tick) -> Tick {
        let crossing = self.lines.alarm(node);
        if crossing < from {
            return horizon;
        }
        // The extension of the look-ahead comes after the crossing, and finds the segment ended.
        horizon.min(crossing.saturating_add(1))
    }

    /// Where the second body of a collision is seen from the first, if that is another place than where it is.
    pub(super) fn image_beside(&self, sides: &Sides) -> Option<Vec3> {
        let periodic = self.world.periodic.as_ref()?;
        if sides.iter().any(|(_, node, _)| self.is_unbounded(*node)) {
            return None;
        }
        Some(periodic.nearest(sides[0].2.position, sides[1].2.position))
    }

    /// The flight of an image of a segment's body.
    pub(super) fn image_of(&self, node: NodeId, image: Image) -> Flight {
        let mut flight = *self.lines.flight(node);
        if let Some(periodic) = &self.world.periodic {
            flight.position += periodic.shift(image);
        }
        flight
    }

    /// Checks a segment against the images of another that it may meet, the lower body first.
    pub(super) fn check_images(&mut self, a: NodeId, b: NodeId, from: Tick) {
        let Some(periodic) = self.world.periodic else {
            return;
        };
        let (side_a, side_b) = (self.side(a), self.side(b));
        let models = [side_a, side_b].map(|side| self.models.get(side.flight.model));
        if models.iter().any(|model| model.collider.is_unbounded()) {
            let forecast = self.forecast(side_a, side_b, from);
            return self.take_note_of(a, b, forecast, Image::ITSELF);
        }
        let distance = models[0].bounding_radius() + models[1].bounding_radius();
        let until = self.lines.alarm(a).min(self.lines.alarm(b));
        let until = until.min(side_a.horizon).min(side_b.horizon);
        let mut images = [Image::ITSELF; 27];
        let mut count = 0;
        periodic.each_image(side_a.flight, side_b.flight, distance, until, |image| {
            images[count] = image;
            count += 1;
        });
        for &image in &images[..count] {
            let flight = self.image_of(b, image);
            let (side_a, side_b) = (self.side(a), self.side(b));
            let side_b = Side {
                flight: &flight,
                ..side_b
            };
            let forecast = self.forecast(side_a, side_b, from);
            self.take_note_of(a, b, forecast, image);
        }
    }
}
