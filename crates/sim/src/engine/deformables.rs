//! Cloth and shells as the engine keeps them: how each is formed at every step that is still needed, and what its steps
//! have read. Their steps are in `deform.rs`.

use super::deform_reads::{Read, Reads};
use crate::deformable::{DeformableBody, Form};
use crate::world::World;
use std::collections::VecDeque;
use std::sync::Arc;
use warp::{EventOrder, Moment, Tick};

/// The forms of one deformable that are still needed.
#[derive(Clone)]
struct Forms {
    /// Step number of the oldest form.
    first: u64,
    forms: VecDeque<Arc<dyn Form>>,
    /// What its steps have read, if it is coupled.
    reads: Option<Reads>,
}

impl Forms {
    fn new(world: &World, deformable: &DeformableBody) -> Self {
        Forms {
            first: 0,
            forms: VecDeque::from([deformable.model.start()]),
            reads: world
                .is_coupled(deformable)
                .then(|| Reads::since(EventOrder::MIN)),
        }
    }

    /// Its forms as numbers; none if one of them cannot be saved.
    fn save(&self) -> Option<SavedForms> {
        let forms: Option<Vec<_>> = self.forms.iter().map(|f| f.numbers()).collect();
        Some((self.first, forms?))
    }

    /// The forms that were saved; none if they are not those of this deformable.
    fn restore(
        world: &World,
        deformable: &DeformableBody,
        (first, forms): SavedForms,
    ) -> Option<Self> {
        let made = forms.iter().map(|f| deformable.model.restore(f));
        let forms: VecDeque<_> = made.collect::<Option<_>>()?;
        let is_there = !forms.is_empty();
        let last = deformable.tick(first + forms.len() as u64);
        let unknown_to = EventOrder::before(Moment::at(last));
        is_there.then(|| Forms {
            first,
            forms,
            reads: world
                .is_coupled(deformable)
                .then(|| Reads::since(unknown_to)),
        })
    }

    fn form(&self, number: u64) -> Option<&Arc<dyn Form>> {
        self.forms.get(number.checked_sub(self.first)? as usize)
    }

    /// Sets the form of a step; later ones belonged to a future that was undone.
    fn set(&mut self, number: u64, form: Arc<dyn Form>) {
        self.forms
            .truncate(number.saturating_sub(self.first) as usize);
        self.forms.push_back(form);
    }

    /// Forgets the forms before a step.
    fn forget_before(&mut self, number: u64) {
        while self.first < number && self.forms.len() > 1 {
            self.forms.pop_front();
            self.first += 1;
        }
    }
}

/// The cloth and shells of a world, as they are formed at every step that is still needed.
#[derive(Default)]
pub(super) struct Deformables {
    forms: Vec<Forms>,
    /// A buffer.
    vertices: Vec<[f64; 3]>,
}

impl Deformables {
    /// Whether the world has none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.forms.len()
    }

    /// One more, at the world's start.
    pub fn add(&mut self, world: &World, deformable: &DeformableBody) {
        self.forms.push(Forms::new(world, deformable));
    }

    /// How one is formed at a step, if that is still known.
    pub fn form(&self, index: usize, number: u64) -> Option<&Arc<dyn Form>> {
        self.forms[index].form(number)
    }

    /// The same with where its vertices are, in a buffer.
    pub fn shape(&mut self, index: usize, number: u64) -> Option<(&dyn Form, &[[f64; 3]])> {
        let form = self.forms[index].form(number)?;
        self.vertices.clear();
        form.positions(&mut self.vertices);
        Some((&**form, &self.vertices))
    }

    /// Sets the form of one at a step; later ones belonged to a future that was undone.
    pub fn set(&mut self, index: usize, number: u64, form: Arc<dyn Form>) {
        self.forms[index].set(number, form);
    }

    /// Whether it meets moving bodies, so that its steps have to tell what they read.
    pub fn is_coupled(&self, index: usize) -> bool {
        self.forms[index].reads.is_some()
    }

    /// What a step of a coupled one has read.
    pub fn note(&mut self, index: usize, read: Read) {
        if let Some(reads) = &mut self.forms[index].reads {
            reads.note(read);
        }
    }

    /// Forgets the forms of one before a step, and what steps before a tick have read.
    pub fn forget_before(&mut self, index: usize, number: u64, tick: Tick) {
        self.forms[index].forget_before(number);
        if let Some(reads) = &mut self.forms[index].reads {
            reads.forget_before(tick);
        }
    }

    /// What the steps of one have read, if it is coupled.
    pub fn reads(&self, index: usize) -> Option<&Reads> {
        self.forms[index].reads.as_ref()
    }

    /// Their forms as plain data; none if one cannot be saved.
    pub fn save(&self) -> Option<Vec<SavedForms>> {
        self.forms.iter().map(Forms::save).collect()
    }

    /// The forms that were saved; or what is wrong with them.
    pub fn restore(world: &World, saved: Vec<SavedForms>) -> Result<Self, String> {
        if saved.len() != world.deformables.len() {
            return Err("its deformables are not those of the world".into());
        }
        let mut forms = Vec::with_capacity(saved.len());
        for (deformable, kept) in world.deformables.iter().zip(saved) {
            let kept = Forms::restore(world, deformable, kept);
            let misfit = || format!("a form of `{}` does not fit", deformable.name);
            forms.push(kept.ok_or_else(misfit)?);
        }
        Ok(Deformables {
            forms,
            vertices: Vec::new(),
        })
    }

    /// The same forms for a branch.
    pub fn branch(&self) -> Self {
        Deformables {
            forms: self.forms.clone(),
            vertices: Vec::new(),
        }
    }
}

/// The forms of a deformable as plain data: the step number of the first, and the numbers of each.
pub(super) type SavedForms = (u64, Vec<Vec<f64>>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deformable::{Collides, Deformable, Neighbour};
    use crate::engine::parts_yard::{at, two_balls};
    use crate::grid::Bounds;
    use physics::Vec3;

    /// A cloth of one vertex that rises by a metre with every step.
    struct Rising;
    struct Height(f64);

    impl Form for Height {
        fn positions(&self, into: &mut Vec<[f64; 3]>) {
            into.push([0.0, self.0, 0.0]);
        }

        fn numbers(&self) -> Option<Vec<f64>> {
            Some(vec![self.0])
        }
    }

    impl Deformable for Rising {
        fn step_seconds(&self) -> f64 {
            0.125
        }

        fn triangles(&self) -> &[[u32; 3]] {
            &[]
        }

        fn start(&self) -> Arc<dyn Form> {
            Arc::new(Height(0.0))
        }

        fn restore(&self, numbers: &[f64]) -> Option<Arc<dyn Form>> {
            let [height] = numbers else { return None };
            Some(Arc::new(Height(*height)))
        }

        fn reach(&self, _: &dyn Form) -> [Vec3; 2] {
            [Vec3::splat(-1.0), Vec3::ONE]
        }

        fn step(
            &self,
            _: &dyn Form,
            _: [Tick; 2],
            _: &mut [Neighbour<'_>],
        ) -> Result<Arc<dyn Form>, String> {
            Err("it is not stepped here".into())
        }
    }

    /// Two balls and something that rises past them, three steps into the run.
    fn risen() -> (World, Deformables) {
        let (mut world, _, _) = two_balls();
        world.deformables.push(DeformableBody {
            name: "rising".into(),
            color: None,
            collides: Collides::All,
            model: Arc::new(Rising),
        });
        let mut all = Deformables::default();
        all.add(&world, &world.deformables[0]);
        for step in 1..=3 {
            all.set(0, step, Arc::new(Height(step as f64)));
        }
        (world, all)
    }

    fn height(all: &mut Deformables, step: u64) -> Option<f64> {
        all.shape(0, step).map(|(_, vertices)| vertices[0][1])
    }

    #[test]
    fn a_step_that_is_done_over_ends_the_future_that_followed_it() {
        let (_, mut all) = risen();
        all.set(0, 2, Arc::new(Height(20.0)));
        assert_eq!(height(&mut all, 1), Some(1.0));
        assert_eq!(height(&mut all, 2), Some(20.0));
        assert_eq!(height(&mut all, 3), None);
    }

    #[test]
    fn what_is_forgotten_is_gone_and_the_last_form_never_is() {
        let (_, mut all) = risen();
        all.forget_before(0, 2, Tick::ZERO);
        assert_eq!(height(&mut all, 1), None);
        assert_eq!(height(&mut all, 2), Some(2.0));
        all.forget_before(0, 9, Tick::ZERO);
        assert_eq!(height(&mut all, 3), Some(3.0));
    }

    #[test]
    fn a_branch_goes_its_own_way() {
        let (_, mut all) = risen();
        let mut branch = all.branch();
        branch.set(0, 3, Arc::new(Height(-3.0)));
        assert_eq!(height(&mut all, 3), Some(3.0));
        assert_eq!(height(&mut branch, 3), Some(-3.0));
    }

    #[test]
    fn what_is_saved_comes_back_and_what_does_not_fit_is_refused() {
        let (world, mut all) = risen();
        all.forget_before(0, 1, Tick::ZERO);
        let saved = all.save().expect("heights are numbers");
        let mut back = Deformables::restore(&world, saved).expect("it fits");
        assert_eq!(height(&mut back, 0), None);
        for step in 1..=3 {
            assert_eq!(height(&mut back, step), height(&mut all, step));
        }
        for wrong in [
            vec![],
            vec![(0, vec![])],
            vec![(0, vec![vec![1.0, 2.0]])],
            vec![(0, vec![vec![1.0]]), (0, vec![vec![1.0]])],
        ] {
            assert!(Deformables::restore(&world, wrong).is_err());
        }
    }

    #[test]
    fn what_steps_have_read_is_kept_until_they_are_history_or_done_over() {
        let (_, mut all) = risen();
        assert!(all.is_coupled(0), "it meets bodies that move");
        let anywhere = Bounds::around(Vec3::splat(-1.0), Vec3::ONE);
        for tick in [10, 20, 30] {
            all.note(
                0,
                Read {
                    order: at(tick),
                    bodies: vec![u32::from(tick == 20)],
                    reach: anywhere,
                },
            );
        }
        let first = |all: &Deformables, after| {
            let reads = all.reads(0).expect("it is coupled");
            reads.first(at(after), at(30), |read| read.bodies == [1])
        };
        assert_eq!(first(&all, 5), Some(at(20)));
        assert_eq!(first(&all, 20), None, "only steps after the event");
        let read = all.reads(0).expect("it is coupled");
        let undone = read.first(at(5), at(15), |read| read.bodies == [1]);
        assert_eq!(undone, None, "the step at 20 is not done");
        all.note(
            0,
            Read {
                order: at(20),
                bodies: vec![0],
                reach: anywhere,
            },
        );
        assert_eq!(first(&all, 5), None, "it was done over, and read another");
        all.forget_before(0, 0, Tick(15));
        assert_eq!(first(&all, 5), None);
    }
}
