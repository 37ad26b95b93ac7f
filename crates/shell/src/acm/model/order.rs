//! Reverse Cuthill-McKee vertex order (Ainsley, section 4.3): neighbours get nearby indices, so
//! that the force kernels walk memory almost in order.

/// For each new index the old vertex it comes from. Components are taken in the order of their
/// lowest vertex; ties in degree fall to the lower index, so the order is a pure function.
pub fn reverse_cuthill_mckee(vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let neighbours = adjacency(vertex_count, triangles);
    let degree = |v: u32| neighbours[v as usize].len();
    let mut order: Vec<u32> = Vec::with_capacity(vertex_count);
    let mut placed = vec![false; vertex_count];
    for seed in 0..vertex_count as u32 {
        if placed[seed as usize] {
            continue;
        }
        let start = peripheral(seed, &neighbours);
        placed[start as usize] = true;
        let mut head = order.len();
        order.push(start);
        while head < order.len() {
            let mut next: Vec<u32> = neighbours[order[head] as usize]
                .iter()
                .copied()
                .filter(|&n| !placed[n as usize])
                .collect();
            next.sort_by_key(|&n| (degree(n), n));
            for &n in &next {
                placed[n as usize] = true;
            }
            order.extend(next);
            head += 1;
        }
    }
    order.reverse();
    order
}

fn adjacency(vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); vertex_count];
    for &[a, b, c] in triangles {
        for (p, q) in [(a, b), (b, c), (c, a)] {
            neighbours[p as usize].push(q);
            neighbours[q as usize].push(p);
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// The last vertex that a breadth-first walk from `seed` reaches: a good end to start from.
fn peripheral(seed: u32, neighbours: &[Vec<u32>]) -> u32 {
    let mut seen = std::collections::BTreeSet::from([seed]);
    let mut walk = vec![seed];
    let mut head = 0;
    while head < walk.len() {
        for &n in &neighbours[walk[head] as usize] {
            if seen.insert(n) {
                walk.push(n);
            }
        }
        head += 1;
    }
    walk.last().copied().unwrap_or(seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acm::Mesh;
    use glamx::DVec3;

    fn bandwidth(order: &[u32], triangles: &[[u32; 3]]) -> i64 {
        let mut place = vec![0i64; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = new as i64;
        }
        let span = |t: &[u32; 3]| {
            let p = t.map(|v| place[v as usize]);
            p.iter().max().unwrap_or(&0) - p.iter().min().unwrap_or(&0)
        };
        triangles.iter().map(span).max().unwrap_or(0)
    }

    #[test]
    fn order_is_a_permutation_and_undoes_a_shuffle() {
        let mut mesh = Mesh::rectangle(20, 20, DVec3::ZERO, DVec3::X, DVec3::Z);
        // a full-period multiplicative shuffle of 400 labels
        for t in &mut mesh.triangles {
            *t = t.map(|v| (v * 141 + 7) % 400);
        }
        let identity: Vec<u32> = (0..400).collect();
        let order = reverse_cuthill_mckee(400, &mesh.triangles);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, identity);
        // a 20 x 20 sheet has a minimal bandwidth of about 20; Cuthill-McKee stays below twice that
        assert!(bandwidth(&order, &mesh.triangles) <= 40);
        assert!(bandwidth(&identity, &mesh.triangles) > 200);
    }
}
