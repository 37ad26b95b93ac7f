//! Bodies that impulses have thrown off course within a step: other features of theirs will touch than those that
//! were found at its start, and are looked for anew before the preview becomes the state.

use super::super::manifold::Manifolds;
use super::super::{SolverError, Surroundings, Touch, contacts};
use super::Step;
use super::contact::{Contact, Mover, prepare};
use crate::Vec3;

/// Part of the contact margin that a body may stray before its contacts are found anew.
const STRAY: f64 = 0.5;
/// Searches in one sub-step at most; each begins from velocities that know of the contacts of the one before.
pub(super) const SEARCHES: u32 = 4;

/// The motion that a member's contacts were found for.
#[derive(Clone, Copy)]
pub(super) struct Course {
    velocity: Vec3,
    spin: Vec3,
    /// When that was, seconds since the step's start.
    at: f64,
}

impl Step<'_, '_, '_, '_> {
    /// Every member's course as it is at the step's start.
    pub(super) fn set_courses(&mut self) {
        let members = self.scene.members.iter();
        let course = |state: &crate::State| Course {
            velocity: state.velocity,
            spin: state.spin,
            at: 0.0,
        };
        self.courses = members.map(|m| course(&m.state)).collect();
    }

    /// Marks the members that the preview of the sub-step that ends at `end` takes elsewhere than they were thought to
    /// go when their contacts were found. Says whether there are any.
    fn find_astray(&mut self, movers: &[Mover], end: f64) -> bool {
        let most = STRAY * self.settings.margin;
        let members = self.scene.members.iter().zip(movers).zip(&self.courses);
        let is_astray = members.map(|((member, mover), course)| {
            let (model, gone) = (member.model, end - course.at);
            let kick = mover.velocity - course.velocity;
            // Carried or falling, it goes where it was thought to go.
            let kick = kick.length().min((kick - model.gravity * gone).length());
            let turn = (mover.spin - course.spin).length() * model.bounding_radius();
            (kick + turn) * gone > most
        });
        self.is_astray.clear();
        self.is_astray.extend(is_astray);
        self.is_astray.contains(&true)
    }

    /// Finds the contacts of those who go astray anew, for the motion that is previewed now; what was pressed and
    /// rubbed before at the same points is kept, the rest is taken back. `times` are the sub-step's start and the
    /// step's end. Says whether there was anything to find.
    pub(super) fn look_again(
        &mut self,
        movers: &mut [Mover],
        around: &Surroundings<'_>,
        times: (f64, f64),
        manifolds: &mut Manifolds,
    ) -> Result<bool, SolverError> {
        let (begin, end) = times;
        if !self.find_astray(movers, begin + self.h) {
            return Ok(false);
        }
        let is_astray = |place: usize| self.is_astray.get(place).copied().unwrap_or(false);
        let is_concerned = |i: usize, j: usize| is_astray(i) || is_astray(j);
        let pairs = around.pairs.iter().copied();
        let pairs = pairs.filter(|&(i, j)| is_concerned(i as usize, j as usize));
        let pairs: Vec<(u32, u32)> = pairs.collect();
        let (dropped, kept): (Vec<Contact>, Vec<Contact>) = self
            .list
            .iter()
            .partition(|c| is_concerned(c.bodies[0], c.bodies[1]));
        self.list = kept;
        for contact in &dropped {
            contact.take_back(movers);
        }
        let told: Vec<[Vec3; 2]> = self.set_velocities(movers);
        let margin = self.settings.margin;
        let neighbours = &self.scene.neighbours;
        contacts::find(
            self.scene.members,
            neighbours,
            &pairs,
            margin,
            end - begin,
            manifolds,
        )?;
        for (member, [velocity, spin]) in self.scene.members.iter_mut().zip(told) {
            (member.state.velocity, member.state.spin) = (velocity, spin);
        }
        let first = self.list.len();
        self.take_over(dropped, manifolds);
        for contact in &mut self.list[first..] {
            prepare(contact, movers);
            self.scene.look_ahead(contact, movers, self.h);
        }
        for (place, course) in self.courses.iter_mut().enumerate() {
            if self.is_astray[place] {
                let Mover { velocity, spin, .. } = movers[place];
                *course = Course {
                    velocity,
                    spin,
                    at: begin,
                };
            }
        }
        Ok(true)
    }

    /// Gives the members the velocities that are previewed; returns those they had.
    fn set_velocities(&mut self, movers: &[Mover]) -> Vec<[Vec3; 2]> {
        let members = self.scene.members.iter_mut().zip(movers);
        let set = members.map(|(member, mover)| {
            let state = &mut member.state;
            let had = [state.velocity, state.spin];
            (state.velocity, state.spin) = (mover.velocity, mover.spin);
            had
        });
        set.collect()
    }

    /// Puts the points that were found in the place of those that were dropped. What a point that is not found again
    /// has done is kept for the report.
    fn take_over(&mut self, mut dropped: Vec<Contact>, manifolds: &Manifolds) {
        for manifold in &manifolds.list {
            for point in manifolds.points_of(manifold) {
                let mut contact = self.scene.contact(manifold, point, self.settings.skin);
                if let Some(at) = dropped.iter().position(|c| c.key == contact.key) {
                    let before = dropped.swap_remove(at);
                    contact.carry(&before);
                }
                self.scene.follow(&mut contact);
                self.list.push(contact);
            }
        }
        for contact in dropped.iter().filter(|c| c.is_felt) {
            let [a, b] = contact.key.bodies;
            self.gone.push(Touch {
                a: a.min(b),
                b: a.max(b),
                gap: contact.gap,
                normal_impulse: contact.total,
            });
            for body in contact.bodies {
                if let Some(touched) = self.touched.get_mut(body) {
                    *touched = true;
                }
            }
        }
    }
}
