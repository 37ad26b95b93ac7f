//! Who stays together after a step, and how the groups go on that remain.

use super::Engine;
use super::event::Opened;
use super::groups::{GroupSegment, components};
use super::regroup::{Gathering, Stepped};
use std::sync::Arc;
use warp::{ProcessId, Tick};

/// Stands for the process of a group until the group is founded.
const TO_BE_FOUNDED: ProcessId = ProcessId(u32::MAX);

/// Which bodies stay together after the step, and in which group.
pub(super) struct Part {
    pub members: Vec<usize>,
    pub group: Option<ProcessId>,
    /// They fall asleep, each on its own.
    pub is_asleep: bool,
}

impl Part {
    pub(super) fn contains(&self, gathering: &Gathering, body: u32) -> bool {
        let at = |m: &usize| gathering.bodies[*m].body.0;
        self.members.binary_search_by_key(&body, at).is_ok()
    }
}

impl Engine {
    /// Who stays together after a step.
    pub(super) fn part(&self, gathering: &Gathering, stepped: &Stepped) -> Vec<Part> {
        let is_still = stepped.leans_on.as_ref().is_some_and(Vec::is_empty);
        // A group that leans on a kinematic body rests as a group, and wakes when that body moves.
        if is_still {
            return vec![Part {
                members: (0..gathering.bodies.len()).collect(),
                group: None,
                is_asleep: true,
            }];
        }
        self.partition(gathering)
    }

    /// Who stays together: everybody between group checks, at a check the connected components of
    /// the contact graph. A body that touches nothing is on its own.
    fn partition(&self, gathering: &Gathering) -> Vec<Part> {
        let group = |members, touches: bool| Part {
            members,
            group: touches.then_some(TO_BE_FOUNDED),
            is_asleep: false,
        };
        if !gathering.check {
            return vec![group((0..gathering.bodies.len()).collect(), true)];
        }
        let workshop = &self.groups.workshop;
        let (bonds, held) = self.bonds(&gathering.bodies);
        let found = components(
            &gathering.bodies,
            &workshop.report,
            &workshop.pairs,
            &workshop.ties,
            (&bonds, &held),
        );
        let mut parts: Vec<Part> = Vec::new();
        let mut place_of = vec![usize::MAX; gathering.bodies.len()];
        for (member, &(root, touches)) in found.iter().enumerate() {
            let place = &mut place_of[root as usize];
            if *place == usize::MAX {
                *place = parts.len();
                parts.push(group(Vec::new(), touches));
            }
            parts[*place].members.push(member);
        }
        parts
    }

    /// A new process for every part that is a group.
    pub(super) fn found_groups(&mut self, gathering: &Gathering, parts: &mut [Part]) {
        for part in parts.iter_mut().filter(|p| p.group.is_some()) {
            let group = self.lines.add_idle_process();
            let members = part.members.iter().map(|&m| gathering.bodies[m].body.0);
            self.groups.found(group, members);
            self.observers.count().groups_created += 1;
            part.group = Some(group);
        }
    }

    /// Says how the groups go on that remain after a step.
    pub(super) fn parts_go_on(
        &mut self,
        opened: &mut Opened,
        gathering: &Gathering,
        parts: &[Part],
        stepped: &Stepped,
        is_split: bool,
    ) {
        let rests = stepped.leans_on.is_some();
        // A resting group has no step ahead; what it leans on may wake it. A step that a script's corner
        // cuts goes on from there.
        let alarm = match rests {
            true => Tick::MAX,
            false => stepped.end.min(self.next_corner(gathering.order)),
        };
        let touches = &self.groups.workshop.report.touches;
        let deepest = touches.iter().map(|t| -t.gap).fold(0.0, f64::max) as f32;
        for part in parts {
            let Some(group) = part.group else {
                continue;
            };
            let largest = &mut self.observers.count().largest_group;
            *largest = (*largest).max(part.members.len() as u64);
            let is_own = |body: u32| part.contains(gathering, body);
            let step = GroupSegment {
                memory: match is_split {
                    true => Arc::new(stepped.memory.of(is_own)),
                    false => Arc::clone(&stepped.memory),
                },
                calm: Arc::new(part.members.iter().map(|m| stepped.calm[*m]).collect()),
                began: gathering.order.moment.tick,
                guests: Vec::new(),
                steps: gathering.steps,
                is_resting: rests,
                is_ended: false,
                leans_on: stepped.leans_on.clone().unwrap_or_default(),
                leaning: stepped.company.held.clone(),
                deepest,
            };
            self.go_on_as_group(opened, group, step, alarm);
        }
    }
}
