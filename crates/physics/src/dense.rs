//! Dense output: quintic Hermite pieces between an integrator's steps. Value, first and second
//! derivative agree at both ends, so the piece is one order better than the step and asking for a
//! state inside a step costs a polynomial, never an integration (Baraff 1995 has the idea).

/// A polynomial of degree 5 in `N` components over `[start, end]` seconds.
#[derive(Clone, Copy, Debug)]
pub struct Quintic<const N: usize> {
    /// Start, seconds since the segment began.
    pub start: f64,
    /// End, seconds since the segment began.
    pub end: f64,
    /// One over the length.
    inverse_length: f64,
    /// Coefficients in `u = (t - start) / (end - start)`.
    coefficients: [[f64; N]; 6],
}

/// Value, first and second derivative at one time.
#[derive(Clone, Copy, Debug)]
pub struct Jet<const N: usize> {
    /// The value.
    pub y: [f64; N],
    /// Its rate, per second.
    pub dy: [f64; N],
    /// The rate of its rate, per second squared.
    pub ddy: [f64; N],
}

impl<const N: usize> Quintic<N> {
    /// The piece that agrees with both jets.
    pub fn new(start: f64, end: f64, a: &Jet<N>, b: &Jet<N>) -> Self {
        let h = end - start;
        let mut coefficients = [[0.0; N]; 6];
        for i in 0..N {
            let (v0, v1) = (a.dy[i] * h, b.dy[i] * h);
            let (c0, c1) = (a.ddy[i] * h * h, b.ddy[i] * h * h);
            let d = b.y[i] - a.y[i];
            coefficients[0][i] = a.y[i];
            coefficients[1][i] = v0;
            coefficients[2][i] = 0.5 * c0;
            coefficients[3][i] = 10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * c0 + 0.5 * c1;
            coefficients[4][i] = -15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * c0 - c1;
            coefficients[5][i] = 6.0 * d - 3.0 * (v0 + v1) - 0.5 * (c0 - c1);
        }
        Quintic {
            start,
            end,
            inverse_length: 1.0 / h,
            coefficients,
        }
    }

    /// The piece that has given values and rates at its start, in its middle and at its end.
    pub fn through(start: f64, end: f64, y: [[f64; N]; 3], dy: [[f64; N]; 3]) -> Self {
        let h = end - start;
        let mut coefficients = [[0.0; N]; 6];
        for i in 0..N {
            let (c0, c1) = (y[0][i], dy[0][i] * h);
            // Four conditions for four unknowns, solved by hand.
            let a = 32.0 * (y[1][i] - c0 - 0.5 * c1);
            let b = 16.0 * (dy[1][i] * h - c1);
            let c = y[2][i] - c0 - c1;
            let d = dy[2][i] * h - c1;
            let (e, f, g) = (b - 2.0 * a, a - 8.0 * c, d - 2.0 * c);
            let c5 = e + 2.0 * f + 4.0 * g;
            let c4 = -0.5 * (e + f) - 2.0 * c5;
            let c3 = g - 2.0 * c4 - 3.0 * c5;
            let all = [c0, c1, c - c3 - c4 - c5, c3, c4, c5];
            for (row, value) in coefficients.iter_mut().zip(all) {
                row[i] = value;
            }
        }
        Quintic {
            start,
            end,
            inverse_length: 1.0 / h,
            coefficients,
        }
    }

    /// The value at `t` seconds.
    #[inline]
    pub fn value(&self, t: f64) -> [f64; N] {
        let u = (t - self.start) * self.inverse_length;
        let c = &self.coefficients;
        std::array::from_fn(|i| {
            ((((c[5][i] * u + c[4][i]) * u + c[3][i]) * u + c[2][i]) * u + c[1][i]) * u + c[0][i]
        })
    }

    /// The rate at `t` seconds.
    pub fn rate(&self, t: f64) -> [f64; N] {
        let u = (t - self.start) * self.inverse_length;
        let c = &self.coefficients;
        std::array::from_fn(|i| {
            let slope =
                (((5.0 * c[5][i] * u + 4.0 * c[4][i]) * u + 3.0 * c[3][i]) * u + 2.0 * c[2][i]) * u
                    + c[1][i];
            slope * self.inverse_length
        })
    }

    /// A bound on the length of the first derivative over the whole piece: the largest control point of its
    /// Bernstein form.
    pub fn derivative_bound(&self) -> f64 {
        let c = &self.coefficients;
        let mut squares = [0.0; 5];
        for i in 0..N {
            let [a0, a1, a2, a3, a4] = std::array::from_fn(|k| (k + 1) as f64 * c[k + 1][i]);
            let control = [
                a0,
                a0 + a1 / 4.0,
                a0 + a1 / 2.0 + a2 / 6.0,
                a0 + 3.0 * a1 / 4.0 + a2 / 2.0 + a3 / 4.0,
                a0 + a1 + a2 + a3 + a4,
            ];
            for (square, value) in squares.iter_mut().zip(control) {
                *square += value * value;
            }
        }
        squares.iter().fold(0.0, |m: f64, &s| m.max(s)).sqrt() * self.inverse_length
    }

    /// A bound on the length of the second derivative over the whole piece: the largest control
    /// point of its Bernstein form.
    pub fn second_derivative_bound(&self) -> f64 {
        let c = &self.coefficients;
        let scale = self.inverse_length * self.inverse_length;
        let mut squares = [0.0; 4];
        for i in 0..N {
            let (a0, a1, a2, a3) = (2.0 * c[2][i], 6.0 * c[3][i], 12.0 * c[4][i], 20.0 * c[5][i]);
            let control = [
                a0,
                a0 + a1 / 3.0,
                a0 + 2.0 * a1 / 3.0 + a2 / 3.0,
                a0 + a1 + a2 + a3,
            ];
            for (square, value) in squares.iter_mut().zip(control) {
                *square += value * value;
            }
        }
        squares.iter().fold(0.0, |m: f64, &s| m.max(s)).sqrt() * scale
    }
}

/// The piece of `pieces` that holds `t` seconds (the last one if `t` lies beyond).
#[inline]
pub fn piece_at<const N: usize>(pieces: &[Quintic<N>], t: f64) -> &Quintic<N> {
    let index = if pieces.len() <= 8 {
        pieces.iter().position(|p| t < p.end)
    } else {
        let i = pieces.partition_point(|p| p.end <= t);
        (i < pieces.len()).then_some(i)
    };
    &pieces[index.unwrap_or(pieces.len() - 1)]
}
