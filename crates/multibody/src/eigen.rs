//! Principal axes of a symmetric 3 by 3 matrix, by Jacobi's rotations: the most accurate of the
//! simple methods, also when two values are equal.

use crate::spatial::Sym3;
use crate::{Mat3, Vec3};

/// Eigenvalues, smallest first, and the axes that belong to them as columns of a rotation.
pub fn symmetric(m: Sym3) -> (Vec3, Mat3) {
    let full = m.to_mat();
    let mut a = [[0.0f64; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            a[i][j] = full.col(j)[i];
        }
    }
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..60 {
        let off = a[0][1].abs() + a[0][2].abs() + a[1][2].abs();
        let size = a[0][0].abs() + a[1][1].abs() + a[2][2].abs();
        if off <= size * 1e-300 || off == 0.0 {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut axes, p, q);
        }
    }
    let mut order = [0usize, 1, 2];
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    let axis = |k: usize| {
        let i = order[k];
        Vec3::new(axes[0][i], axes[1][i], axes[2][i])
    };
    let values = Vec3::new(
        a[order[0]][order[0]],
        a[order[1]][order[1]],
        a[order[2]][order[2]],
    );
    let (x, y) = (axis(0), axis(1));
    (values, Mat3::from_cols(x, y, x.cross(y)))
}

fn rotate(a: &mut [[f64; 3]; 3], axes: &mut [[f64; 3]; 3], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let apq = a[p][q];
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    let r = 3 - p - q;
    let (arp, arq) = (a[r][p], a[r][q]);
    a[r][p] = c * arp - s * arq;
    a[p][r] = a[r][p];
    a[r][q] = s * arp + c * arq;
    a[q][r] = a[r][q];
    for row in axes.iter_mut() {
        let (vp, vq) = (row[p], row[q]);
        row[p] = c * vp - s * vq;
        row[q] = s * vp + c * vq;
    }
}
