// Contact points and the forces at them: an arrow on each body that can move, as long as the force is strong.
import { ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';

// More cannot be told apart.
const MOST = 4000;
const UP = new Vector3(0, 1, 0);

const [at, along, push, turn, matrix] = [new Vector3(), new Vector3(), new Vector3(), new Quaternion(), new Matrix4()];

function place(states, body, point) {
    const { position, rotation } = states;
    turn.fromArray(rotation, 4 * body);
    return at.fromArray(point).applyQuaternion(turn).add(push.fromArray(position, 3 * body));
}

export class Forces {
    constructor(bodies) {
        this.bodies = bodies;
        this.object = new Group();
        this.parts = [];
    }

    // Meshes are made when somebody first asks for forces.
    make() {
        const shapes = [
            new CylinderGeometry(1, 1, 1, 6).translate(0, 0.5, 0), new ConeGeometry(1, 1, 10).translate(0, -0.5, 0), new SphereGeometry(1, 10, 8),
        ];
        this.parts = shapes.map((shape, i) => {
            const made = new InstancedMesh(shape, new MeshBasicMaterial({ color: i < 2 ? 0x00a3a3 : 0xffffff, depthTest: false, transparent: true, opacity: 0.9, toneMapped: false, fog: false }), MOST);
            made.instanceMatrix.setUsage(DynamicDrawUsage);
            made.frustumCulled = false;
            made.renderOrder = 3;
            this.object.add(made);
            return made;
        });
    }

    // `list`: [[a, b], point in a's frame, force on a], as the server tells them; of the picked body alone, if there is one.
    show(list, states, picked, radius) {
        this.object.visible = Boolean(list?.length);
        this.shown = 0;
        if (!this.object.visible) return;
        if (!this.parts.length) this.make();
        const arrows = [];
        for (const [[a, b], point, force] of list) {
            if (!states.present[a] || !states.present[b]) continue;
            for (const [body, sign] of [[a, 1], [b, -1]]) {
                if (this.bodies[body].kind === 'fixed' || (picked >= 0 && picked !== body)) continue;
                if (arrows.length < MOST) arrows.push({ a, point, force: force.map((f) => sign * f) });
            }
        }
        const most = arrows.reduce((m, { force }) => Math.max(m, Math.hypot(...force)), 0);
        const [shafts, heads, spots] = this.parts, thick = 0.006 * radius;
        arrows.forEach(({ a, point, force }, i) => {
            const size = Math.hypot(...force), length = 0.32 * radius * size / most;
            place(states, a, point);
            along.fromArray(force).divideScalar(size);
            turn.setFromUnitVectors(UP, along);
            const head = Math.min(6 * thick, 0.5 * length), wide = Math.min(1, length / (12 * thick));
            shafts.setMatrixAt(i, matrix.compose(at, turn, push.set(thick * wide, length - head, thick * wide)));
            spots.setMatrixAt(i, matrix.compose(at, turn, push.setScalar(1.6 * thick * Math.max(wide, 0.6))));
            heads.setMatrixAt(i, matrix.compose(at.addScaledVector(along, length), turn, push.set(0.4 * head, head, 0.4 * head)));
        });
        for (const part of this.parts) {
            part.count = arrows.length;
            part.instanceMatrix.needsUpdate = true;
        }
        this.shown = arrows.length;
    }
}

// What presses on a body: how many points, and the sum of their forces, N.
export function pressing(list, body) {
    const sum = [0, 0, 0];
    let points = 0;
    for (const [[a, b], , force] of list ?? []) {
        if (a !== body && b !== body) continue;
        points += 1;
        force.forEach((f, k) => { sum[k] += a === body ? f : -f; });
    }
    return { points, force: Math.hypot(...sum) };
}
