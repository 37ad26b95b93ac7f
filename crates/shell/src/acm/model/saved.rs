//! A state as plain numbers, for files. Whole numbers of 64 bits are two numbers of 32, which a double
//! holds exactly.

use crate::acm::forces::rigid::{NUMBERS, rigid_from_numbers};
use crate::acm::model::contact::{Kind, Pair};
use crate::acm::{ContactSet, ShellModel, ShellState, Tick};
use glamx::DVec3;

pub(crate) fn halves(bits: u64) -> [f64; 2] {
    [(bits >> 32) as f64, (bits & 0xffff_ffff) as f64]
}

pub(crate) fn whole(halves: &[f64]) -> Option<u64> {
    let half =
        |n: f64| (n.fract() == 0.0 && (0.0..4_294_967_296.0).contains(&n)).then_some(n as u64);
    Some(half(halves[0])? << 32 | half(halves[1])?)
}

impl ShellState {
    /// All of the state, layers included, from which [`ShellModel::state_from_numbers`] makes it again.
    pub fn to_numbers(&self) -> Vec<f64> {
        let mut numbers = halves(self.now as u64).to_vec();
        for ((x, v), clock) in self.x.iter().zip(&self.v).zip(&self.clock) {
            numbers.extend(x.to_array());
            numbers.extend(v.to_array());
            numbers.extend(halves(*clock as u64));
        }
        numbers.extend(self.rigid_numbers());
        for &(pair, layers) in self.contacts.entries() {
            numbers.extend(halves(pair.bits()));
            numbers.push(f64::from(layers));
        }
        numbers
    }
}

impl ShellModel {
    /// A state of this model from its numbers; none if they do not fit.
    pub fn state_from_numbers(&self, numbers: &[f64]) -> Option<ShellState> {
        let (vertices, rigid) = (8 * self.vertex_count(), NUMBERS * self.rigids.len());
        if numbers.len() < 2 + vertices + rigid || !numbers.iter().all(|n| n.is_finite()) {
            return None;
        }
        let (now, rest) = numbers.split_at(2);
        let (vertices, rest) = rest.split_at(vertices);
        let (rigid, contacts) = rest.split_at(rigid);
        let mut state = ShellState {
            now: whole(now)? as Tick,
            ..ShellState::default()
        };
        for vertex in vertices.chunks_exact(8) {
            state.x.push(DVec3::from_slice(&vertex[..3]));
            state.v.push(DVec3::from_slice(&vertex[3..6]));
            state.clock.push(whole(&vertex[6..])? as Tick);
        }
        let rigid = rigid.chunks_exact(NUMBERS).map(rigid_from_numbers);
        state.rigid = rigid.collect::<Option<_>>()?;
        let mut entries = Vec::new();
        for contact in contacts.chunks(3) {
            let [high, low, layers] = *contact else {
                return None;
            };
            let pair = Pair::from_bits(whole(&[high, low])?);
            let known =
                layers.fract() == 0.0 && layers >= 1.0 && layers <= f64::from(self.layers.count());
            if !known || !self.has(pair) {
                return None;
            }
            entries.push((pair, layers as u8));
        }
        let clocks = state.clock.iter().copied();
        let mut clocks = clocks.chain(state.rigid.iter().map(|r| r.clock));
        let in_time = clocks.all(|t| (0..=state.now).contains(&t));
        state.contacts = ContactSet::from_entries(entries)?;
        in_time.then_some(state)
    }

    /// Whether both primitives of a pair exist.
    fn has(&self, pair: Pair) -> bool {
        let (a, b) = (pair.parts().0 as usize, pair.parts().1 as usize);
        match pair.kind() {
            Kind::VertexFace => a < self.vertex_count() && b < self.topology.triangles.len(),
            Kind::EdgeEdge => a.max(b) < self.topology.edges.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::acm::{Acm, AcmOptions, SceneName, ticks};

    #[test]
    fn numbers_give_back_the_state_and_misfits_are_refused() {
        let scene = SceneName::TwoCloths.build(6).expect("a scene");
        let mut state = scene.state.clone();
        let mut acm = Acm::new(&scene.model, &state, AcmOptions::default());
        acm.run_until(&scene.model, &mut state, ticks(0.08))
            .expect("it runs");
        assert!(!state.contacts().entries().is_empty());
        let numbers = state.to_numbers();
        assert_eq!(scene.model.state_from_numbers(&numbers), Some(state));
        for cut in [0, 1, 5, numbers.len() - 1] {
            assert_eq!(scene.model.state_from_numbers(&numbers[..cut]), None);
        }
        let first_contact = 2 + 8 * scene.model.vertex_count();
        for (place, wrong) in [
            (0, -1.0),
            (0, 0.5),
            (3, f64::NAN),
            (8, 4e9),
            (first_contact + 1, 4e9),
            (first_contact + 2, 0.0),
            (first_contact + 2, 200.0),
            (first_contact + 3, 0.0),
        ] {
            let mut changed = numbers.clone();
            changed[place] = wrong;
            // the second contact's high half: only a misfit if it was not zero already
            if changed != numbers {
                let found = scene.model.state_from_numbers(&changed);
                assert_eq!(found, None, "{wrong} at {place}");
            }
        }
    }
}
