//! The speculation's own story: it is complete, it makes sense, and listening changes nothing.

use record::{Clock, Event, HistoryHash, NO_PARTNER, Segment, Undone};
use warp::Tick;
use warpline_sim::scene::Override;
use warpline_sim::stats::Stats;
use warpline_sim::{Algorithm, History, LookAhead, run, scene};

/// Listens to everything.
#[derive(Default)]
struct Listener {
    hash: Option<HistoryHash>,
    gvt: Tick,
    undone: Vec<Undone>,
    clocks: u64,
    grouped: u64,
    bodies: usize,
}

impl History for Listener {
    fn segment(&mut self, segment: &Segment<'_>) -> warpline_sim::Told {
        self.hash.get_or_insert_with(HistoryHash::new).push(segment);
        Ok(())
    }

    fn gvt(&mut self, tick: Tick) -> warpline_sim::Told {
        self.gvt = tick;
        Ok(())
    }

    fn wants_trace(&self) -> bool {
        true
    }

    fn undone(&mut self, undone: &Undone) -> warpline_sim::Told {
        // GVT had been reached when it happened: nothing before it is ever undone
        assert!(undone.gvt <= undone.from && undone.from <= undone.to);
        assert!(undone.gvt <= self.gvt.0);
        assert_ne!(undone.cause, undone.body);
        self.undone.push(*undone);
        Ok(())
    }

    fn wants_clocks(&self, _: Tick) -> bool {
        true
    }

    fn clocks(&mut self, clocks: &[Clock], stats: &Stats) -> warpline_sim::Told {
        assert_eq!(clocks.len(), self.bodies);
        assert!(stats.segments_undone >= self.undone.len() as u64 / 4);
        self.clocks += 1;
        for clock in clocks.iter().filter(|_| self.gvt != Tick::MAX) {
            assert!(clock.lvt >= self.gvt.0, "no clock is behind GVT");
            self.grouped += u64::from(clock.group as usize >= clocks.len());
        }
        Ok(())
    }
}

fn listened(name: &str, overrides: &[(&str, &str)], look_ahead: f64) -> (Listener, Stats) {
    let builtin = scene::builtin(name).expect("a built-in scene");
    let overrides: Vec<_> = overrides
        .iter()
        .map(|(key, value)| Override::parse(&format!("{key}={value}")).expect("an override"))
        .collect();
    let scene = scene::load(builtin.name, builtin.text, &overrides).expect("it reads");
    let algorithm = Algorithm::TimeWarp(LookAhead::Seconds(look_ahead));
    let mut alone = HistoryHash::new();
    let (quiet, _) = run(&scene.world, algorithm, &mut alone).expect("the run ends");
    let mut listener = Listener {
        bodies: scene.world.bodies.len(),
        ..Listener::default()
    };
    let (stats, _) = run(&scene.world, algorithm, &mut listener).expect("the run ends");
    let heard = listener.hash.take().expect("segments came");
    assert_eq!(heard.finish(), alone.finish(), "listening changes nothing");
    assert_eq!(stats.segments_undone, quiet.segments_undone);
    (listener, stats)
}

#[test]
fn every_undone_segment_is_told_once() {
    let (heard, stats) = listened("atoms", &[("until", "2")], 0.3);
    let is_cut = |u: &&Undone| u.event == Event::Continue;
    let segments = heard.undone.iter().filter(|u| !is_cut(u)).count();
    assert!(segments > 50, "the test must force rollbacks: {segments}");
    assert_eq!(segments as u64, stats.segments_undone);
    let cuts: Vec<_> = heard.undone.iter().filter(is_cut).collect();
    assert!(cuts.len() as u64 <= stats.rollbacks);
    assert!(cuts.iter().all(|cut| cut.from < cut.to));
    assert!(heard.undone.iter().any(|u| u.cause != NO_PARTNER));
    assert!(heard.clocks > 2);
    assert_eq!(heard.grouped, 0, "atoms have no contact groups");
}

#[test]
fn the_stretches_of_a_worldline_follow_each_other() {
    let (heard, _) = listened("atoms", &[("until", "2")], 0.5);
    // newest first: where neighbours in the list are of one body and one rollback, one ends where the
    // other begins
    let joined = heard
        .undone
        .windows(2)
        .filter(|pair| pair[0].body == pair[1].body && pair[1].to == pair[0].from)
        .count();
    assert!(joined > 5, "{joined} joined stretches");
}

#[test]
fn contact_groups_are_told_as_processes() {
    let (heard, _) = listened("pile", &[("until", "0.8")], 0.02);
    assert!(heard.grouped > 0, "some bodies were in a group");
}
