// Half-spaces: each is drawn as the part of its plane that lies within all the others, so that six walls
// make a box seen from outside. The one that faces up is the floor, with a grid.
import {
    BufferAttribute, BufferGeometry, CanvasTexture, Mesh, Quaternion, RepeatWrapping, SRGBColorSpace, Vector3,
} from 'three';
import { material } from './parts.js';

const REACH = 300;
// What faces up by more than this cosine is a floor.
const FLOOR = 0.7;

// The plane's normal and a point on it, in the world.
function worldPlane(part, states, body) {
    const rotation = new Quaternion(...states.rotation.subarray(4 * body, 4 * body + 4));
    const normal = new Vector3(...part.normal).applyQuaternion(new Quaternion(...part.rotation)).applyQuaternion(rotation).normalize();
    const point = new Vector3(...part.position).applyQuaternion(rotation).add(new Vector3(...states.position.subarray(3 * body, 3 * body + 3)));
    return { normal, point, body };
}

// What of a convex polygon lies on a plane's free side.
function clip(polygon, { normal, point }) {
    const height = (p) => normal.dot(p.clone().sub(point));
    const kept = [];
    polygon.forEach((a, i) => {
        const b = polygon[(i + 1) % polygon.length], ha = height(a), hb = height(b);
        if (ha >= -1e-9) kept.push(a);
        if (ha * hb < 0) kept.push(a.clone().lerp(b, ha / (ha - hb)));
    });
    return kept;
}

function gridTexture(dark) {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 256;
    const paint = canvas.getContext('2d');
    paint.fillStyle = dark ? '#5b626c' : '#c9ced6';
    paint.fillRect(0, 0, 256, 256);
    paint.fillStyle = dark ? '#535a64' : '#bfc5ce';
    paint.fillRect(0, 0, 128, 128);
    paint.fillRect(128, 128, 128, 128);
    const texture = new CanvasTexture(canvas);
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.colorSpace = SRGBColorSpace;
    texture.anisotropy = 8;
    return texture;
}

// The sides of a box, as planes that face inwards.
function sides({ low, high }) {
    return ['x', 'y', 'z'].flatMap((axis) => [[low, 1], [high, -1]].map(([point, way]) => ({ point, normal: new Vector3().setComponent('xyz'.indexOf(axis), way) })));
}

// Meshes for all half-spaces of the scene at the given states. `cell` is the floor's grid, m; walls are cut to the box
// `frame`, if there is one.
export function planeMeshes(bodies, states, up, cell, dark, frame) {
    const planes = [];
    bodies.forEach((body, index) => body.parts.forEach((part) => {
        if (part.type === 'plane' && states.present[index]) planes.push(worldPlane(part, states, index));
    }));
    return planes.map((plane) => {
        const side = new Vector3(1, 0, 0);
        if (Math.abs(plane.normal.x) > 0.7) side.set(0, 1, 0);
        const u = new Vector3().crossVectors(side, plane.normal).normalize();
        const v = new Vector3().crossVectors(plane.normal, u);
        let polygon = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) =>
            plane.point.clone().addScaledVector(u, a * REACH).addScaledVector(v, b * REACH));
        if (frame && plane.normal.dot(up) <= FLOOR) for (const side of sides(frame)) if (polygon.length) polygon = clip(polygon, side);
        for (const other of planes) if (other !== plane && polygon.length) polygon = clip(polygon, other);
        return polygon.length < 3 ? null : planeMesh(plane, polygon, u, v, up, cell, dark);
    }).filter(Boolean);
}

function planeMesh(plane, polygon, u, v, up, cell, dark) {
    const geometry = new BufferGeometry();
    const positions = polygon.flatMap((p) => p.toArray());
    const places = polygon.flatMap((p) => [p.dot(u) / (2 * cell), p.dot(v) / (2 * cell)]);
    const triangles = polygon.slice(2).flatMap((_, i) => [0, i + 1, i + 2]);
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(polygon.flatMap(() => plane.normal.toArray())), 3));
    geometry.setAttribute('uv', new BufferAttribute(new Float32Array(places), 2));
    geometry.setIndex(triangles);
    const floor = plane.normal.dot(up) > FLOOR;
    const look = floor
        ? { map: gridTexture(dark), roughness: 0.9 }
        : { color: dark ? 0x636b77 : 0xb9c0ca, roughness: 0.9 };
    const mesh = new Mesh(geometry, material(look));
    mesh.receiveShadow = true;
    return mesh;
}
