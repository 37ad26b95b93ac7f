// Bodies as instances: every part of every body is one instance of a unit shape or a surface, so ten
// thousand bodies are a handful of draw calls. Matrices are written straight into the instance buffers.
import {
    BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, Matrix4,
    MeshStandardMaterial, Quaternion, SphereGeometry, Vector3,
} from 'three';
import { path } from './api.js';

const FINE = 400, COARSE = 4000;

// A ball with as many triangles as the number of them allows.
function ballGeometry(count) {
    if (count < FINE) return new SphereGeometry(1, 40, 24);
    return count < COARSE ? new SphereGeometry(1, 24, 14) : new SphereGeometry(1, 14, 9);
}

const UNIT = {
    ball: ballGeometry,
    box: () => new BoxGeometry(2, 2, 2),
    cylinder: (count) => new CylinderGeometry(1, 1, 2, count < FINE ? 40 : 18),
};

export async function fetchSurface(number) {
    const answer = await fetch(path(`/api/surface/${number}`));
    if (!answer.ok) throw new Error(await answer.text());
    const buffer = await answer.arrayBuffer();
    const [vertices, indices] = new Uint32Array(buffer, 0, 2);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(buffer, 8, 3 * vertices), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(buffer, 8 + 12 * vertices, 3 * vertices), 3));
    geometry.setIndex(new BufferAttribute(new Uint32Array(buffer, 8 + 24 * vertices, indices), 1));
    return geometry;
}

export function material(extra = {}) {
    return new MeshStandardMaterial({ roughness: 0.42, metalness: 0.02, ...extra });
}

// Lines of constant width along the edges of boxes, so that a stack of them does not look like one block.
function edged(made) {
    made.defines = { ...made.defines, USE_UV: '' };
    made.onBeforeCompile = (shader) => {
        shader.fragmentShader = shader.fragmentShader.replace('#include <color_fragment>', `#include <color_fragment>
            vec2 inside = min(vUv, 1.0 - vUv) / max(fwidth(vUv), vec2(1e-6));
            diffuseColor.rgb *= mix(0.45, 1.0, smoothstep(0.5, 1.6, min(inside.x, inside.y)));`);
    };
    return made;
}

// All instances of one geometry.
class Batch {
    constructor(geometry, parts, shape) {
        const doubleSided = !UNIT[shape], plain = material(doubleSided ? { side: 2 } : {});
        this.parts = parts;
        this.bodies = Uint32Array.from(parts, (part) => part.body);
        this.local = new Float32Array(parts.length * 16);
        parts.forEach((part, i) => part.matrix.toArray(this.local, 16 * i));
        this.mesh = new InstancedMesh(geometry, shape === 'box' ? edged(plain) : plain, parts.length);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.frustumCulled = false;
        this.mesh.castShadow = true;
        this.mesh.receiveShadow = true;
        this.mesh.instanceColor = instanceColours(parts.length);
    }

    // world = (rotation, position) of the body times the part's own matrix
    place({ position, rotation, present }) {
        const out = this.mesh.instanceMatrix.array, { bodies, local } = this;
        for (let i = 0; i < bodies.length; i++) {
            const body = bodies[i], o = 16 * i;
            if (!present[body]) {
                out.fill(0, o, o + 16);
                continue;
            }
            const x = rotation[4 * body], y = rotation[4 * body + 1], z = rotation[4 * body + 2], w = rotation[4 * body + 3];
            const r00 = 1 - 2 * (y * y + z * z), r01 = 2 * (x * y - w * z), r02 = 2 * (x * z + w * y);
            const r10 = 2 * (x * y + w * z), r11 = 1 - 2 * (x * x + z * z), r12 = 2 * (y * z - w * x);
            const r20 = 2 * (x * z - w * y), r21 = 2 * (y * z + w * x), r22 = 1 - 2 * (x * x + y * y);
            for (let column = 0; column < 16; column += 4) {
                const a = local[o + column], b = local[o + column + 1], c = local[o + column + 2];
                out[o + column] = r00 * a + r01 * b + r02 * c;
                out[o + column + 1] = r10 * a + r11 * b + r12 * c;
                out[o + column + 2] = r20 * a + r21 * b + r22 * c;
            }
            out[o + 12] += position[3 * body];
            out[o + 13] += position[3 * body + 1];
            out[o + 14] += position[3 * body + 2];
            out[o + 15] = 1;
        }
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    paint(colours) {
        const out = this.mesh.instanceColor.array;
        for (let i = 0; i < this.bodies.length; i++) {
            const from = 3 * this.bodies[i];
            out[3 * i] = colours[from];
            out[3 * i + 1] = colours[from + 1];
            out[3 * i + 2] = colours[from + 2];
        }
        this.mesh.instanceColor.needsUpdate = true;
    }
}

function instanceColours(count) {
    const attribute = new InstancedBufferAttribute(new Float32Array(3 * count).fill(0.5), 3);
    attribute.setUsage(DynamicDrawUsage);
    return attribute;
}

function matrix(part, offset, scale) {
    const rotation = new Quaternion(...part.rotation);
    const position = new Vector3(...offset).applyQuaternion(rotation).add(new Vector3(...part.position));
    return new Matrix4().compose(position, rotation, new Vector3(...scale));
}

// A capsule is a cylinder and two balls: no geometry of its own for every proportion.
function expand(part) {
    const [radius, half] = part.scale ?? [1, 1];
    switch (part.type) {
        case 'capsule':
            return [
                { shape: 'cylinder', matrix: matrix(part, [0, 0, 0], [radius, half, radius]) },
                { shape: 'ball', matrix: matrix(part, [0, half, 0], [radius, radius, radius]) },
                { shape: 'ball', matrix: matrix(part, [0, -half, 0], [radius, radius, radius]) },
            ];
        case 'surface':
            return [{ shape: part.surface, matrix: matrix(part, [0, 0, 0], [1, 1, 1]) }];
        default:
            return [{ shape: part.type, matrix: matrix(part, [0, 0, 0], part.scale) }];
    }
}

// Distance from the body's origin to the farthest point of its bounded parts.
export function reach(body, surfaces) {
    let most = 0;
    for (const part of body.parts) {
        const offset = Math.hypot(...part.position);
        if (part.type === 'ball') most = Math.max(most, offset + part.scale[0]);
        else if (part.type === 'capsule') most = Math.max(most, offset + part.scale[0] + part.scale[1]);
        else if (part.type === 'surface') most = Math.max(most, offset + (surfaces.get(part.surface)?.boundingSphere.radius ?? 0) + (surfaces.get(part.surface)?.boundingSphere.center.length() ?? 0));
        else if (part.scale) most = Math.max(most, offset + Math.hypot(...part.scale));
    }
    return most;
}

export class Parts {
    // `deforming` bodies are drawn elsewhere.
    constructor(bodies, surfaces, deforming) {
        const groups = new Map();
        bodies.forEach((body, index) => {
            for (const part of body.parts) {
                if (part.type === 'plane' || deforming.has(index)) continue;
                for (const piece of expand(part)) {
                    if (!groups.has(piece.shape)) groups.set(piece.shape, []);
                    groups.get(piece.shape).push({ body: index, matrix: piece.matrix });
                }
            }
        });
        this.batches = [...groups].map(([shape, parts]) => {
            const unit = UNIT[shape];
            return new Batch(unit ? unit(parts.length) : surfaces.get(shape), parts, shape);
        });
    }

    place(states) { this.batches.forEach((batch) => batch.place(states)); }
    paint(colours) { this.batches.forEach((batch) => batch.paint(colours)); }
}
