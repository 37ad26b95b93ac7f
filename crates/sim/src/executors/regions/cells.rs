//! How a world is cut into regions: by recursive bisection, so that every region has about as many moving bodies as
//! it should. A region's cell is a box; cells share faces and fill space.

use crate::grid::Bounds;
use crate::world::{Kind as BodyKind, World};
use physics::Vec3;

/// More regions than this are never made: who knows a body is said in one bit a region.
pub(super) const MOST: usize = 32;

/// A cut is moved where one side has so many times the load of the other.
const ENOUGH: f64 = 1.05;

/// Where the bodies of a part of space belong.
#[derive(Clone, Debug)]
enum Part {
    Region(u8),
    Cut {
        axis: usize,
        at: f64,
        sides: Box<[Part; 2]>,
    },
}

/// The cells of all regions. See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    whole: Part,
    /// By region: lower and upper corner.
    cells: Vec<[Vec3; 2]>,
    margin: f64,
    /// How far a body may be outside of its region's cell before it changes its region.
    patience: f64,
    /// How far a cut is moved at once: who is between its old and its new place is known on both sides.
    step: f64,
}

impl Cells {
    /// Cuts a world into `regions` parts, or fewer, if it has fewer moving bodies.
    pub fn new(world: &World, regions: usize, typical: f64) -> Self {
        let dynamic = || world.bodies.iter().filter(|b| b.kind == BodyKind::Dynamic);
        let widest = dynamic()
            .map(|b| 2.0 * world.models[b.model.place()].bounding_radius())
            .filter(|width| width.is_finite())
            .fold(0.0, f64::max);
        let mut points: Vec<Vec3> = dynamic().map(|b| b.start.position).collect();
        let regions = regions.clamp(1, MOST).min(points.len().max(1));
        let mut cells = Vec::with_capacity(regions);
        let whole = cut(&mut points, regions, EVERYWHERE, &mut cells);
        Cells {
            whole,
            cells,
            margin: widest + 0.25 * typical,
            patience: 0.25 * widest,
            step: 0.25 * widest + 0.1 * typical,
        }
    }

    /// Moves every cut by a little towards the side on which more happens than on the other; `loads` says by region how
    /// much that is. Returns whether any was moved: none is where a cell would become too narrow.
    pub fn shift(&mut self, loads: &[u32]) -> bool {
        let mut whole = self.whole.clone();
        let mut cells = Vec::with_capacity(self.cells.len());
        if !whole.shift(loads, (EVERYWHERE, self.step), &mut cells) {
            return false;
        }
        let width = |[lo, hi]: &[Vec3; 2]| (*hi - *lo).min_element();
        let is_wide =
            |(new, old): (&[Vec3; 2], &[Vec3; 2])| width(new) >= width(old).min(2.0 * self.margin);
        let is_sound = cells.iter().zip(&self.cells).all(is_wide);
        if is_sound {
            (self.whole, self.cells) = (whole, cells);
        }
        is_sound
    }

    /// How many regions there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The region that a place belongs to.
    pub fn region_at(&self, place: Vec3) -> u8 {
        let mut part = &self.whole;
        loop {
            match part {
                Part::Region(region) => return *region,
                Part::Cut { axis, at, sides } => {
                    part = &sides[usize::from(place[*axis] >= *at)];
                }
            }
        }
    }

    /// The region that a body at a place should belong to, where it belongs to `owner` now: another one only if it is
    /// well outside of its owner's cell.
    pub fn region_of(&self, owner: u8, place: Vec3) -> u8 {
        let [lo, hi] = self.home(owner as usize);
        match place.cmpge(lo).all() && place.cmple(hi).all() {
            true => owner,
            false => self.region_at(place),
        }
    }

    /// Lower and upper corner of where a region's bodies stay its own.
    pub fn home(&self, region: usize) -> [Vec3; 2] {
        let patience = Vec3::splat(self.patience);
        let [lo, hi] = self.cells[region];
        [lo - patience, hi + patience]
    }

    /// By region: its cell and the margin around it.
    pub fn hulls(&self) -> Vec<Bounds> {
        let margin = Vec3::splat(self.margin);
        let hull = |[lo, hi]: &[Vec3; 2]| Bounds::around(*lo - margin, *hi + margin);
        self.cells.iter().map(hull).collect()
    }

    /// The part of a region's cell that no other region's hull reaches; nothing, if there is none.
    pub fn inner(&self, region: usize) -> Bounds {
        // A little more than the margin: boxes are rounded outwards.
        let margin = Vec3::splat(1.001 * self.margin);
        let [lo, hi] = self.cells[region];
        let (lo, hi) = (lo + margin, hi - margin);
        // Inwards by more than hulls are rounded outwards: far from the origin that is more than the margin's part.
        let narrow = |v: Vec3, sign: f32| {
            let inwards = |x: f64| match x.is_finite() {
                true => x as f32 + sign * (x as f32).abs() * 1e-6,
                false => x as f32,
            };
            [inwards(v.x), inwards(v.y), inwards(v.z), 0.0]
        };
        Bounds {
            lo: narrow(lo, 1.0),
            hi: narrow(hi, -1.0),
        }
    }
}

impl Part {
    /// What happens in all regions of a part, and how many those are.
    fn load(&self, loads: &[u32]) -> (u64, u64) {
        match self {
            Part::Region(region) => (u64::from(loads[*region as usize]), 1),
            Part::Cut { sides, .. } => {
                let [low, high] = [sides[0].load(loads), sides[1].load(loads)];
                (low.0 + high.0, low.1 + high.1)
            }
        }
    }

    /// See [`Cells::shift`]; fills in the cells of all regions, this part's being `cell`.
    fn shift(
        &mut self,
        loads: &[u32],
        (cell, step): ([Vec3; 2], f64),
        cells: &mut Vec<[Vec3; 2]>,
    ) -> bool {
        let Part::Cut { axis, at, sides } = self else {
            cells.push(cell);
            return false;
        };
        let mean = |side: &Part| {
            let (load, regions) = side.load(loads);
            load as f64 / regions as f64
        };
        let [low, high] = [mean(&sides[0]), mean(&sides[1])];
        let way = match (low > ENOUGH * high, high > ENOUGH * low) {
            (true, _) => -step,
            (_, true) => step,
            _ => 0.0,
        };
        *at += way;
        let (mut under, mut over) = (cell, cell);
        under[1][*axis] = *at;
        over[0][*axis] = *at;
        let is_low_moved = sides[0].shift(loads, (under, step), cells);
        let is_high_moved = sides[1].shift(loads, (over, step), cells);
        way != 0.0 || is_low_moved || is_high_moved
    }
}

/// All space.
const EVERYWHERE: [Vec3; 2] = [Vec3::NEG_INFINITY, Vec3::INFINITY];

/// Cuts a cell with these bodies in it into `regions` cells.
fn cut(points: &mut [Vec3], regions: usize, cell: [Vec3; 2], cells: &mut Vec<[Vec3; 2]>) -> Part {
    if regions <= 1 {
        cells.push(cell);
        return Part::Region(cells.len() as u8 - 1);
    }
    let (mut lo, mut hi) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for point in points.iter() {
        lo = lo.min(*point);
        hi = hi.max(*point);
    }
    let extent = hi - lo;
    let axis = (0..3)
        .max_by(|a, b| extent[*a].total_cmp(&extent[*b]))
        .unwrap_or(0);
    let below = regions / 2;
    let place = points.len() * below / regions;
    points.sort_by(|a, b| a[axis].total_cmp(&b[axis]));
    let at = match points.get(place) {
        Some(point) if place > 0 => 0.5 * (points[place - 1][axis] + point[axis]),
        Some(point) => point[axis],
        None => 0.0,
    };
    let (low, high) = points.split_at_mut(place);
    let (mut under, mut over) = (cell, cell);
    under[1][axis] = at;
    over[0][axis] = at;
    let sides = [
        cut(low, below, under, cells),
        cut(high, regions - below, over, cells),
    ];
    Part::Cut {
        axis,
        at,
        sides: Box::new(sides),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::body::Heft;
    use physics::{BodyModel, Material, Pose, Shape, State};

    fn row(count: usize) -> World {
        let mut world = World::new("row", Vec3::ZERO, 1.0);
        let part = physics::Part::centred(Shape::Ball { radius: 0.1 });
        let ball = BodyModel::dynamic(&[part], Heft::Mass(1.0), Material::default(), Vec3::ZERO);
        let model = world.add_model(ball.expect("a ball"));
        for x in 0..count {
            let pose = Pose::from_translation(Vec3::new(x as f64, 0.0, 0.0));
            world.add_dynamic(format!("{x}"), model, State::at_rest(pose));
        }
        world
    }

    #[test]
    fn every_region_gets_its_share() {
        for regions in [1, 2, 3, 4, 7, 16] {
            let world = row(160);
            let cells = Cells::new(&world, regions, 0.3);
            assert_eq!(cells.count(), regions);
            let mut share = vec![0usize; regions];
            for body in &world.bodies {
                share[cells.region_at(body.start.position) as usize] += 1;
            }
            let fair = 160 / regions;
            assert!(
                share.iter().all(|n| n.abs_diff(fair) <= 2),
                "{regions}: {share:?}"
            );
        }
    }

    #[test]
    fn cuts_move_to_where_more_happens_and_leave_no_cell_too_narrow() {
        let mut cells = Cells::new(&row(160), 4, 0.3);
        let at = |cells: &Cells| {
            [
                cells.cells[0][1].x,
                cells.cells[1][1].x,
                cells.cells[3][0].x,
            ]
        };
        let before = at(&cells);
        assert!(!cells.shift(&[100, 101, 99, 100]), "nothing has drifted");
        // The second region is the busiest: its cell shrinks from both sides.
        assert!(cells.shift(&[100, 300, 100, 100]));
        let after = at(&cells);
        assert!(after[0] > before[0] && after[1] < before[1] && after[2] == before[2]);
        let place = |x: f64| Vec3::new(x, 0.0, 0.0);
        assert_eq!(cells.region_at(place(0.5 * (before[0] + after[0]))), 0);
        for _ in 0..1000 {
            cells.shift(&[1, 300, 1, 1]);
        }
        let [lo, hi] = cells.cells[1];
        assert!(hi.x - lo.x >= 2.0 * cells.margin, "{lo} {hi}");
        for (one, next) in [(0, 1), (1, 2), (2, 3)] {
            assert_eq!(cells.cells[one][1].x, cells.cells[next][0].x);
        }
    }

    #[test]
    fn there_are_never_more_regions_than_bodies_or_bits() {
        assert_eq!(Cells::new(&row(3), 16, 0.3).count(), 3);
        assert_eq!(Cells::new(&row(100), 90, 0.3).count(), MOST);
        assert_eq!(Cells::new(&row(0), 4, 0.3).count(), 1);
    }

    #[test]
    fn a_body_changes_its_region_only_well_outside_of_its_cell() {
        let cells = Cells::new(&row(10), 2, 0.3);
        let at = |x: f64| Vec3::new(x, 0.0, 0.0);
        assert_eq!(
            (cells.region_at(at(4.49)), cells.region_at(at(4.51))),
            (0, 1)
        );
        assert_eq!(cells.region_of(0, at(4.52)), 0);
        assert_eq!(cells.region_of(0, at(4.6)), 1);
        assert!(cells.hulls()[0].overlaps(&Bounds::around(at(4.6), at(4.7))));
        assert!(!cells.inner(0).holds(&Bounds::around(at(4.3), at(4.4))));
    }
}
