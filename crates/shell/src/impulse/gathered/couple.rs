//! Coupling coefficients of the gathered form for the directions of a run. Constraints at right angles to each other
//! do not couple, and where that holds for all four lanes of a link, nothing is gathered along it.

use glamx::DVec3;
use pulp::NullaryFnOnce;

use crate::impulse::gathered::Wanted;
use crate::impulse::gathered::blocks::Blocks;
use crate::impulse::lanes::{LANES, Lanes, Vectors, times};

/// A coupling of each constraint of a block with places that do not follow each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Far {
    pub factor: Lanes,
    pub slot: [u16; LANES],
}

/// The couplings of a block: where in `near` and `far` they begin and how many there are, and its place in `hanging`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Row {
    pub near: u32,
    pub far: u32,
    pub near_count: u32,
    pub far_count: u32,
    pub hanging: u32,
}

/// How the blocks of a stretch are swept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Each has so many couplings with neighbouring places, and no others.
    Near(u32),
    /// The only constraint of each hangs on this hub.
    Hub(u32),
    /// One block with couplings of any kind.
    Any,
}

/// Blocks that follow each other and are swept alike.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    /// The first block.
    pub first: u32,
    pub count: u32,
    pub kind: Kind,
    /// Whether the bands of its constraints reach as far down as up, as those of distances do.
    pub is_even: bool,
}

/// What a constraint that hangs on a hub has to do with the hub's displacement.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Hanging {
    /// Impulse that the displacement takes off what the constraint wants, along each axis, kg,
    pub pull: DVec3,
    /// but for the part of it that comes of the constraint's own impulse.
    pub own: f64,
    /// Displacement by its impulse, 1/kg.
    pub push: DVec3,
}

/// All couplings: `m_i c_ij` in units of impulse by impulse.
#[derive(Debug, Clone, Default)]
pub(crate) struct Factors {
    pub stretches: Vec<Stretch>,
    pub rows: Vec<Row>,
    /// Those whose four slots follow each other, and the first of these.
    pub near: Vec<Lanes>,
    pub slot: Vec<u16>,
    pub far: Vec<Far>,
    /// For blocks that hang on a hub, in their order.
    pub hanging: Vec<Hanging>,
    /// Whether anything is gathered from second places.
    pub is_mirrored: bool,
}

impl Factors {
    /// One more block, behind the last.
    fn push(&mut self, row: Row, hub: Option<u32>, is_even: bool) {
        let first = self.rows.len() as u32;
        self.rows.push(row);
        let kind = match hub {
            Some(hub) => Kind::Hub(hub),
            None if row.far_count == 0 => Kind::Near(row.near_count),
            None => Kind::Any,
        };
        let is_alike = |last: &Stretch| last.kind == kind && last.is_even == is_even;
        match self.stretches.last_mut() {
            Some(last) if kind != Kind::Any && is_alike(last) => last.count += 1,
            _ => self.stretches.push(Stretch {
                first,
                count: 1,
                kind,
                is_even,
            }),
        }
    }
}

/// Computes all coefficients.
pub(crate) struct Couple<'a> {
    pub blocks: &'a Blocks,
    pub direction: [&'a [f64]; 3],
    pub wanted: &'a Wanted,
    pub factors: &'a mut Factors,
}

impl NullaryFnOnce for Couple<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let (factors, blocks) = (self.factors, self.blocks);
        factors.near.resize(blocks.links(), [0.0; LANES]);
        factors.slot.resize(blocks.links(), 0);
        factors.rows.clear();
        factors.stretches.clear();
        factors.far.clear();
        factors.hanging.clear();
        let (mut nears, mut firsts) = (
            std::mem::take(&mut factors.near),
            std::mem::take(&mut factors.slot),
        );
        let [x, y, z] = self.direction;
        let (y, z) = (&y[..x.len()], &z[..x.len()]);
        let mut end = 0;
        for (index, block) in blocks.list.iter().enumerate() {
            let four = |slot: u16| Vectors {
                x: four_from(x, slot),
                y: four_from(y, slot),
                z: four_from(z, slot),
            };
            let own = (index * LANES) as u16;
            let scaled = four(own).scaled(block.mass);
            let (consecutive, scattered) = blocks.links_of(block);
            let (near, far) = (end, factors.far.len());
            for link in consecutive {
                let first = link.slot[0];
                let factor = times(link.weight, scaled.dot(four(first)));
                let is_coupled = factor.iter().fold(false, |any, &f| any | (f != 0.0));
                if let (Some(near), Some(slot)) = (nears.get_mut(end), firsts.get_mut(end)) {
                    (*near, *slot) = (factor, first);
                }
                end += usize::from(is_coupled);
            }
            for link in scattered {
                let mut other = Vectors::ZERO;
                for lane in 0..LANES {
                    let slot = link.slot[lane] as usize;
                    (other.x[lane], other.y[lane], other.z[lane]) = (x[slot], y[slot], z[slot]);
                }
                let factor = times(link.weight, scaled.dot(other));
                if factor != [0.0; LANES] {
                    let slot = link.slot;
                    factors.far.push(Far { factor, slot });
                }
            }
            let row = Row {
                near: near as u32,
                far: far as u32,
                hanging: factors.hanging.len() as u32,
                near_count: (end - near) as u32,
                far_count: (factors.far.len() - far) as u32,
            };
            if block.hub.is_some() {
                let n = four(own).lane(0);
                factors.hanging.push(Hanging {
                    pull: n * (block.mass[0] * block.hub_sign),
                    own: block.mass[0] * block.hub_weight,
                    push: n * (block.hub_sign * block.hub_weight),
                });
            }
            let (low, high) = (&self.wanted.low[index], &self.wanted.high[index]);
            factors.push(row, block.hub, *low == high.map(|high| -high));
        }
        let is_second = |&first: &u16| first as usize >= blocks.mirror_start();
        factors.is_mirrored = firsts[..end].iter().any(is_second);
        (factors.near, factors.slot) = (nears, firsts);
    }
}

/// Four that follow each other.
#[inline(always)]
fn four_from(numbers: &[f64], slot: u16) -> Lanes {
    let slot = slot as usize;
    let four = &numbers[slot..slot + LANES];
    std::array::from_fn(|lane| four[lane])
}
