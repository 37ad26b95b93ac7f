//! An event as a value. It opens on a list of processes, which rolls back whoever ran ahead of it and begins a
//! segment on each; it is given the new course of each by name; and it closes, which looks around from all that has
//! begun and from all that a rollback has made newest again. What is open must be closed.

use super::groups::GroupSegment;
use super::{Course, Engine, Origin};
use crate::world::BodyId;
use warp::{EventOrder, NodeId, ProcessId, Tick, Undone};

/// An event whose segments have begun and are being filled in.
#[must_use = "nobody looks around from the segments of an event that is not closed"]
pub(super) struct Opened {
    pub order: EventOrder,
    nodes: Vec<NodeId>,
    /// Where the next process that is named is expected: they are named in the order in which it was opened on them.
    expected: usize,
    is_closed: bool,
}

impl Drop for Opened {
    fn drop(&mut self) {
        debug_assert!(
            self.is_closed || std::thread::panicking(),
            "the event at {:?} is not closed",
            self.order
        );
    }
}

impl Engine {
    /// Opens an event: rolls the processes back to `order` where they ran ahead of it, and begins a segment on each.
    pub(super) fn open(&mut self, order: EventOrder, processes: &[ProcessId]) -> Opened {
        for &process in processes {
            self.roll_back_if_ahead(process, order);
            self.undo_bounces_off(process.0, order);
        }
        if self.observers.speculation().is_wanted() {
            self.name_causes(processes);
        }
        for &process in processes {
            if !self.deformables.is_empty() {
                self.outdate_readers_of(process, order);
            }
            self.take_back_frames(process, order.moment.tick);
            self.finish_look_ahead(process, order.moment.tick);
        }
        let mut nodes = std::mem::take(&mut self.scratch.nodes);
        nodes.clear();
        self.lines.begin(order, processes, &mut nodes);
        Opened {
            order,
            nodes,
            expected: 0,
            is_closed: false,
        }
    }

    /// Closes an event, all of whose segments are filled in: arms them, checks them against their neighbourhood,
    /// and lets what was undone look around again.
    pub(super) fn close(&mut self, mut event: Opened) {
        event.is_closed = true;
        let nodes = std::mem::take(&mut event.nodes);
        for &node in &nodes {
            self.arm(node);
        }
        self.check_all(&nodes, event.order);
        self.resume(&nodes);
        self.scratch.nodes = nodes;
    }

    /// The segment that an event has begun on a process.
    fn segment(&self, event: &mut Opened, process: ProcessId) -> NodeId {
        let is_its = |node: &NodeId| self.lines.process(*node) == process;
        let expected = event.nodes.get(event.expected).filter(|node| is_its(node));
        let place = match expected {
            Some(_) => event.expected,
            None => {
                let place = event.nodes.iter().position(is_its);
                place.expect("the event was opened on this process")
            }
        };
        event.expected = place + 1;
        event.nodes[place]
    }

    /// Says how a body goes on after an event. Returns its segment.
    pub(super) fn go_on(&mut self, event: &mut Opened, course: &Course, origin: Origin) -> NodeId {
        let node = self.segment(event, ProcessId(course.body.0));
        self.lines.set_origin(node, origin);
        self.lines.keep_slots(node, course.previous);
        self.place(node, course);
        self.account.note(node, &self.lines);
        self.note_changed(course.body.0);
        self.watch_begun(node);
        if self.is_suspended(node) {
            self.account.add_suspended(self.lines.reference(node));
            self.leave(node, self.lines.start(node).tick);
        }
        node
    }

    /// Says how a group goes on after an event, and when it wants to step.
    pub(super) fn go_on_as_group(
        &mut self,
        event: &mut Opened,
        group: ProcessId,
        step: GroupSegment,
        alarm: Tick,
    ) {
        let node = self.segment(event, group);
        self.lines.place_other(node, alarm);
        for &body in &step.leans_on {
            self.readers.add_resting(body, node, &self.lines);
        }
        self.groups.set_step(node, step);
        self.account.note(node, &self.lines);
    }

    /// Says that a group ends with an event: its members belong to others, or to none, from here on.
    pub(super) fn end_group(&mut self, event: &mut Opened, group: ProcessId) {
        let ended = GroupSegment {
            is_ended: true,
            ..GroupSegment::default()
        };
        self.go_on_as_group(event, group, ended, Tick::MAX);
    }

    /// Says when a callback or a deformable wants to be woken after an event. Of a deformable only its own steps are
    /// told to the history, not the groups that it pushes.
    pub(super) fn go_on_until(
        &mut self,
        event: &mut Opened,
        process: ProcessId,
        alarm: Tick,
        is_told: bool,
    ) {
        let node = self.segment(event, process);
        self.lines.place_other(node, alarm);
        if is_told {
            self.account.note(node, &self.lines);
        }
    }

    /// Writes what an event has left in the slots of a body that it has begun a segment on; other bodies keep theirs.
    pub(super) fn write_slots_in(&mut self, event: &Opened, body: BodyId, slots: &[f64]) {
        let node = self.lines.tip(ProcessId(body.0));
        if self.lines.order(node) == event.order {
            self.lines.write_slots(node, slots);
        }
    }

    /// The step of a group at an event has failed.
    pub(super) fn fail(&mut self, event: &Opened, why: String) {
        let first = self.lines.reference(event.nodes[0]);
        self.account.add_failure(first, why);
    }

    /// Rolls a process back to `order` if it ran ahead of it.
    pub(super) fn roll_back_if_ahead(&mut self, process: ProcessId, order: EventOrder) {
        if self.lines.is_ahead(process, order) {
            self.roll_back(process, order);
        }
    }

    /// Undoes everything on a worldline from `to` on, and whatever is linked to it.
    pub(super) fn roll_back(&mut self, process: ProcessId, to: EventOrder) {
        let from = self.undone.len();
        self.lines.roll_back(process, to, &mut self.undone);
        if self.observers.speculation().is_wanted() {
            self.record_undone(process, to, from);
        }
        self.observers.count().rollbacks += 1;
        self.observers.count().segments_undone += (self.undone.len() - from) as u64;
        let moved_back = |undone: Tick| undone.since(to.moment.tick);
        if let Some(newest) = self.undone.get(from) {
            self.observers.count().undone_s += moved_back(newest.order.moment.tick);
        }
        for index in from..self.undone.len() {
            let Undone {
                node,
                process,
                order,
            } = self.undone[index];
            self.watch_undone(node, order);
            self.note_changed(process.0);
            self.outdate_steps_around_from(node, order);
            if !self.deformables.is_empty() {
                self.outdate_readers_of(process, order);
            }
            self.fall_back(node, process, order.moment.tick);
            self.take_back_frames(process, order.moment.tick);
            self.groups.reopen(node);
            // A group that rollback has annihilated is deleted (Mirtich 4.4).
            if self.lines.is_annihilated(process) {
                self.lines.remove(process);
            }
            self.undo_bounces_off(process.0, order);
        }
    }

    /// Undoes all that began at `order` or later, on every worldline, and looks around again from there.
    pub(crate) fn undo_from(&mut self, order: EventOrder) {
        let alive: Vec<ProcessId> = self.lines.alive().collect();
        for process in alive {
            self.roll_back_if_ahead(process, order);
        }
        self.resume(&[]);
    }

    /// After all that has to be undone by itself is undone: undoes what has read it without a link, and lets
    /// segments whose ends were undone look around again from where they had ended. `begun` is what has begun
    /// meanwhile.
    pub(super) fn resume(&mut self, begun: &[NodeId]) {
        self.undo_outdated_steps();
        self.look_around_again(begun);
        // What looks around again may come to where somebody has read that nobody was.
        while self.readers.is_outdated() {
            self.undo_outdated_steps();
            self.look_around_again(begun);
        }
    }

    fn look_around_again(&mut self, begun: &[NodeId]) {
        if self.undone.is_empty() {
            return;
        }
        let undone = std::mem::take(&mut self.undone);
        self.scratch.resumed.grow(self.lines.processes(), false);
        // What has begun has looked around, unless it was undone itself because it had read what has changed.
        for &node in begun {
            let process = self.lines.process(node);
            if self.lines.contains(process) && self.lines.tip(process) == node {
                self.scratch.resumed[process.index()] = true;
            }
        }
        // The last entry of a worldline is the earliest: it looks around from there. All of them first
        // find their places, and then look: what they are going to read comes meanwhile.
        let mut resuming = std::mem::take(&mut self.scratch.resuming);
        resuming.clear();
        for entry in undone.iter().rev() {
            let process = entry.process;
            if !std::mem::replace(&mut self.scratch.resumed[process.index()], true)
                && self.lines.contains(process)
            {
                let tip = self.lines.tip(process);
                self.arm(tip);
                if self.lines.is_body(process) {
                    let from = entry.order.moment.tick;
                    self.reopen(tip, from);
                    resuming.push((tip, from));
                }
            }
        }
        for &(tip, from) in &resuming {
            self.check_node(tip, from);
        }
        self.scratch.resuming = resuming;
        let processes = undone.iter().map(|entry| entry.process);
        for process in processes.chain(begun.iter().map(|node| self.lines.process(*node))) {
            self.scratch.resumed[process.index()] = false;
        }
        self.undone = undone;
        self.undone.clear();
    }
}
