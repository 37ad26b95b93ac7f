//! A column behaves like a vector, and its branches like copies of it.

use proptest::prelude::*;
use warpline_warp::Column;

#[derive(Clone, Debug)]
enum Step {
    Push(u32),
    Pop,
    Set(usize, u32),
    SwapRemove(usize),
    Truncate(usize),
    /// Go on with a branch; what was there is kept aside and must not change.
    Branch,
    /// Drop what was kept aside and take back what is shared.
    Reclaim,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => any::<u32>().prop_map(Step::Push),
        2 => Just(Step::Pop),
        8 => (any::<usize>(), any::<u32>()).prop_map(|(i, x)| Step::Set(i, x)),
        2 => any::<usize>().prop_map(Step::SwapRemove),
        1 => any::<usize>().prop_map(Step::Truncate),
        2 => Just(Step::Branch),
        1 => Just(Step::Reclaim),
    ]
}

fn items(column: &Column<u32>) -> Vec<u32> {
    column.iter().copied().collect()
}

proptest! {
    #[test]
    fn branches_are_copies(
        start in prop::collection::vec(any::<u32>(), 0..300),
        steps in prop::collection::vec(step(), 0..200),
    ) {
        let mut column = Column::from(start.clone());
        let mut model = start;
        let mut aside: Vec<(Column<u32>, Vec<u32>)> = Vec::new();
        for step in steps {
            let len = model.len();
            match step {
                Step::Push(x) => { column.push(x); model.push(x); }
                Step::Pop => prop_assert_eq!(column.pop(), model.pop()),
                Step::Set(i, x) if len > 0 => { column[i % len] = x; model[i % len] = x; }
                Step::SwapRemove(i) if len > 0 => {
                    prop_assert_eq!(column.swap_remove(i % len), model.swap_remove(i % len));
                }
                Step::Truncate(i) => {
                    let to = i % (len + 1);
                    column.truncate(to);
                    model.truncate(to);
                }
                Step::Branch => {
                    let branch = column.branch();
                    aside.push((std::mem::replace(&mut column, branch), model.clone()));
                }
                Step::Reclaim => { aside.clear(); column.reclaim(); }
                _ => {}
            }
            prop_assert_eq!(column.len(), model.len());
        }
        prop_assert_eq!(items(&column), model);
        for (column, model) in &aside {
            prop_assert_eq!(&items(column), model);
        }
    }
}

#[test]
fn a_branch_of_many_items_holds_what_it_changed() {
    let mut column = Column::from(vec![7u64; 1 << 20]);
    let mut branch = column.branch();
    assert_eq!(branch.capacity(), 0);
    branch[12345] = 8;
    assert!(branch.capacity() <= 64);
    assert_eq!((column[12345], branch[12345]), (7, 8));
    drop(column);
    branch.reclaim();
    assert_eq!(
        (branch[12345], branch[12346], branch.len()),
        (8, 7, 1 << 20)
    );
}
