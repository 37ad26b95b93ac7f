#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warpline_fuzz::entries::parcel(bytes));
