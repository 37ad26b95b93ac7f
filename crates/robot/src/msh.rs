//! MuJoCo's own binary meshes (`.msh`): four counts (corners, normals, texture coordinates, triangles), then corners,
//! normals and texture coordinates as single precision numbers, then the corners of the triangles. All little-endian.

use crate::mesh::{Mesh, TRIANGLES_MAX};
use multibody::Vec3;

const HEAD: usize = 16;

/// Reads one; the message of an error does not name the file.
pub(crate) fn read(bytes: &[u8]) -> Result<Mesh, String> {
    let word = |at: usize| -> Option<[u8; 4]> { bytes.get(at..at + 4)?.try_into().ok() };
    let mut counts = [0u64; 4];
    for (place, count) in counts.iter_mut().enumerate() {
        let found = word(4 * place).map(i32::from_le_bytes);
        let found = found.ok_or("ends within its first 16 bytes")?;
        *count = u64::try_from(found).map_err(|_| format!("has a count of {found}"))?;
    }
    let [corners, normals, textures, triangles] = counts;
    if triangles > TRIANGLES_MAX as u64 {
        return Err(format!(
            "has {triangles} triangles; at most {TRIANGLES_MAX} are read: simplify the mesh"
        ));
    }
    let expected = HEAD as u64 + 4 * (3 * corners + 3 * normals + 2 * textures + 3 * triangles);
    if bytes.len() as u64 != expected {
        let found = bytes.len();
        return Err(format!(
            "has {found} bytes; {expected} follow from its counts of corners, normals, texture coordinates and triangles"
        ));
    }
    let floats = bytes[HEAD..].as_chunks::<12>().0;
    let vertices = floats.iter().take(corners as usize).map(|three| {
        let part = |k: usize| {
            let number = [
                three[4 * k],
                three[4 * k + 1],
                three[4 * k + 2],
                three[4 * k + 3],
            ];
            f64::from(f32::from_le_bytes(number))
        };
        Vec3::new(part(0), part(1), part(2))
    });
    let vertices: Vec<Vec3> = vertices.collect();
    let first = bytes.len() - 12 * triangles as usize;
    let faces = bytes[first..].as_chunks::<12>().0.iter().map(|three| {
        [0, 1, 2].map(|k: usize| {
            u32::from_le_bytes([
                three[4 * k],
                three[4 * k + 1],
                three[4 * k + 2],
                three[4 * k + 3],
            ])
        })
    });
    let faces: Vec<[u32; 3]> = faces.collect();
    if faces.iter().flatten().any(|i| u64::from(*i) >= corners) {
        return Err("has a triangle whose corner does not exist".into());
    }
    Ok(Mesh { vertices, faces })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(counts: [i32; 4], floats: &[f32], faces: &[i32]) -> Vec<u8> {
        let ints = |all: &[i32]| {
            all.iter()
                .flat_map(|n| n.to_le_bytes())
                .collect::<Vec<u8>>()
        };
        let numbers: Vec<u8> = floats.iter().flat_map(|x| x.to_le_bytes()).collect();
        [ints(&counts), numbers, ints(faces)].concat()
    }

    #[test]
    fn a_triangle_with_normals_is_read_and_wrong_files_are_refused() {
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0];
        let floats = [&corners[..], &[0.0, 0.0, 1.0]].concat();
        let mesh = read(&file([3, 1, 0, 1], &floats, &[0, 1, 2])).expect("sound");
        assert_eq!(mesh.vertices[2], Vec3::new(0.0, 2.0, 0.0));
        assert_eq!(mesh.faces, [[0, 1, 2]]);
        for (counts, faces, said) in [
            ([3, 1, 0, 1], [0, 1, 3], "does not exist"),
            ([3, 1, 0, 1], [0, -1, 2], "does not exist"),
            ([4, 1, 0, 1], [0, 1, 2], "follow from its counts"),
            ([-3, 1, 0, 1], [0, 1, 2], "a count of -3"),
            ([3, 1, 0, i32::MAX], [0, 1, 2], "simplify"),
        ] {
            let why = read(&file(counts, &floats, &faces)).expect_err("refused");
            assert!(why.contains(said), "{why}");
        }
        assert!(read(&[1, 0, 0]).is_err());
    }
}
