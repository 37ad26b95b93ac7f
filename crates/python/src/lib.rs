//! Warpline for Python: a thin layer over the library. It turns Python's values into those of a scene, arrays into
//! states and back, and errors into exceptions with the same words; everything else is the library's.
#![cfg(feature = "extension")]

mod actions;
mod arrays;
mod callbacks;
mod errors;
mod interrupts;
mod multibodies;
mod recordings;
mod rollouts;
mod session;
mod simulation;
mod values;
mod world;

use pyo3::prelude::*;

#[pymodule]
fn _warpline(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<world::World>()?;
    module.add_class::<world::Body>()?;
    module.add_class::<world::Run>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<callbacks::View>()?;
    module.add_class::<callbacks::Control>()?;
    module.add_class::<recordings::Recording>()?;
    module.add_class::<recordings::Viewer>()?;
    module.add_function(wrap_pyfunction!(world::scenes, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
