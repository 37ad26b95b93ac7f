//! Wavefront OBJ as cloth and shells want it: the vertices in the file's own order, for users name them by their number
//! in it, used by a face or not. Readers of whole scenes number vertices anew.

use glamx::DVec3;

/// Vertices and triangles.
type Surface = (Vec<DVec3>, Vec<[u32; 3]>);

/// Reads the `v` and `f` lines; polygons are cut into fans, texture and normal indices are passed over, negative indices
/// count from the end. An error tells its line, from 1, and what was found and expected there.
pub(crate) fn read(text: &str) -> Result<Surface, (usize, String)> {
    let (mut vertices, mut triangles) = Surface::default();
    for (index, content) in text.lines().enumerate() {
        let bad = |problem: String| (index + 1, problem);
        let mut words = content.split_whitespace();
        match words.next() {
            Some("v") => vertices.push(vertex(words).map_err(bad)?),
            Some("f") => {
                let count = vertices.len();
                let corners: Result<Vec<u32>, String> =
                    words.map(|word| corner(word, count)).collect();
                let corners = corners.map_err(bad)?;
                if corners.len() < 3 {
                    return Err(bad(format!(
                        "a face has {} corners; expected at least 3",
                        corners.len()
                    )));
                }
                let fan = corners[1..]
                    .windows(2)
                    .map(|pair| [corners[0], pair[0], pair[1]]);
                triangles.extend(fan);
            }
            _ => {}
        }
    }
    Ok((vertices, triangles))
}

fn vertex<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<DVec3, String> {
    let mut coordinate = |name: &str| {
        let word = words
            .next()
            .ok_or_else(|| format!("a vertex has no {name}; expected three numbers"))?;
        let value: f64 = word
            .parse()
            .map_err(|_| format!("{name} of a vertex is \"{word}\"; expected a number"))?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(format!(
                "{name} of a vertex is {value}; expected a finite number"
            ))
        }
    };
    Ok(DVec3::new(
        coordinate("x")?,
        coordinate("y")?,
        coordinate("z")?,
    ))
}

fn corner(word: &str, count: usize) -> Result<u32, String> {
    let first = word.split('/').next().unwrap_or(word);
    let number: i64 = first
        .parse()
        .map_err(|_| format!("corner \"{word}\" of a face; expected a vertex number"))?;
    let index = if number < 0 {
        number + count as i64
    } else {
        number - 1
    };
    match u32::try_from(index) {
        Ok(index) if (index as usize) < count => Ok(index),
        _ => Err(format!(
            "corner {number} of a face, but {count} vertices came before it"
        )),
    }
}
