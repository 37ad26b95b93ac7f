//! The laws of motion and contact, with no clock policy.
