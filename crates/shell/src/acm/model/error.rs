//! What can go wrong with a shell, told with the facts a person needs to act on it.

use thiserror::Error;

/// A shell could not be built or advanced.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ShellError {
    /// A triangle names a vertex that its mesh does not have.
    #[error("triangle {triangle} names vertex {vertex}, but the mesh has {count} vertices (0 to {last}): fix the index", last = count.saturating_sub(1))]
    VertexOutOfRange {
        /// The offending triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A triangle has no area at rest, so its strain is undefined.
    #[error(
        "triangle {triangle} has a rest area of {area:e} m^2: remove it or move its vertices apart"
    )]
    DegenerateTriangle {
        /// The offending triangle.
        triangle: usize,
        /// Its rest area in m^2.
        area: f64,
    },
    /// More than two triangles meet in an edge, so hinges are undefined.
    #[error("edge ({0}, {1}) belongs to {2} triangles, at most 2 are allowed: split the surface there", edge[0], edge[1], triangles)]
    NonManifoldEdge {
        /// The edge's vertices.
        edge: [u32; 2],
        /// How many triangles share it.
        triangles: usize,
    },
    /// A mesh has no triangles.
    #[error(
        "the mesh has no triangles: expected at least one `f` line or a grid of 2 by 2 vertices"
    )]
    NoTriangles,
    /// Two triangles have the same corners.
    #[error("triangles {first} and {second} have the same corners: remove one")]
    SameTriangle {
        /// The first of them.
        first: usize,
        /// The second.
        second: usize,
    },
    /// The surface meets itself or an obstacle before anything has moved.
    #[error("{edge} and {triangle} meet at the start: move them apart")]
    StartsIntersecting {
        /// The edge.
        edge: String,
        /// The triangle.
        triangle: String,
    },
    /// A pair starts nearer than the outermost layer is thick.
    #[error(
        "{pair} start {distance_m:e} m apart, but contacts are {thickness_m:e} m thick: move them apart, choose a contact thickness below that distance, or, if both are of one surface, a coarser mesh"
    )]
    StartsTooNear {
        /// The pair of primitives.
        pair: String,
        /// Their distance in m.
        distance_m: f64,
        /// Thickness of the outermost layer in m.
        thickness_m: f64,
    },
    /// Internal forces would need steps of less than a nanosecond.
    #[error(
        "the internal forces need steps of {step_s:e} s, expected at least {least_s:e} s: lower the stiffness, the bending or the damping, or use a heavier or a coarser mesh"
    )]
    TooStiff {
        /// The longest stable step in s.
        step_s: f64,
        /// The shortest that is allowed.
        least_s: f64,
    },
    /// A parameter lies outside the range in which the physics makes sense.
    #[error("{name} is {value}, expected {expected}")]
    BadParameter {
        /// The parameter's name.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What would have been accepted.
        expected: &'static str,
    },
    /// A line of an OBJ file could not be understood.
    #[error(
        "line {line} of the OBJ text: {problem}; expected `v x y z` or `f i j k` with indices from 1"
    )]
    BadObj {
        /// Line number, from 1.
        line: usize,
        /// What was found.
        problem: String,
    },
    /// A pair needs a deeper penalty layer than time can resolve: the problem is ill-posed.
    #[error(
        "{pair} needs more than {layers} penalty layers at t = {time_s:.9} s: the motion asked for leaves no room; slow the obstacles or the impact, widen the gap, or bring masses nearer to each other"
    )]
    OutOfLayers {
        /// The pair of primitives.
        pair: String,
        /// How many layers it already has.
        layers: u8,
        /// The start of the window, in seconds.
        time_s: f64,
    },
    /// A position stopped being finite: a step is too long for the stiffness.
    #[error(
        "{vertex} left the finite numbers before t = {time_s:.9} s: lower `step_fraction` of the material"
    )]
    Diverged {
        /// The vertex.
        vertex: String,
        /// The end of the window, in seconds.
        time_s: f64,
    },
}
