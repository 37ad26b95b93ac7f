// What is drawn besides bodies: joints and ropes, the pushes of collisions, bodies where they believed to be.
import {
    ArrowHelper, BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, SphereGeometry, Vector3,
} from 'three';

// A joint is a line from one body's anchor to the other's; where they meet, a short cross of the two arms.
export class Links {
    constructor(joints) {
        this.joints = joints;
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(new Float32Array(18 * joints.length), 3));
        this.object = new LineSegments(geometry, new LineBasicMaterial({ color: 0xe08a00, depthTest: false, transparent: true, opacity: 0.85, toneMapped: false, fog: false }));
        this.object.frustumCulled = false;
        this.object.renderOrder = 1;
        this.object.visible = joints.length > 0;
    }

    show({ position, rotation, present }) {
        if (!this.joints.length) return;
        const out = this.object.geometry.attributes.position, place = new Vector3();
        const anchor = (body, at) => place.fromArray(at).applyQuaternion({ x: rotation[4 * body], y: rotation[4 * body + 1], z: rotation[4 * body + 2], w: rotation[4 * body + 3] })
            .add({ x: position[3 * body], y: position[3 * body + 1], z: position[3 * body + 2] }).toArray();
        let count = 0;
        const line = (a, b) => {
            out.array.set(a, count);
            out.array.set(b, count + 3);
            count += 6;
        };
        for (const { bodies: [a, b], anchors, moves } of this.joints) {
            if (!present[a] || !present[b]) continue;
            const pa = anchor(a, anchors[0]), pb = anchor(b, anchors[1]);
            line(pa, pb);
            // arms to the bodies that move, unless the joint stands in their middle
            if (moves[0]) line(Array.from(position.subarray(3 * a, 3 * a + 3)), pa);
            if (moves[1]) line(pb, Array.from(position.subarray(3 * b, 3 * b + 3)));
        }
        this.object.geometry.setDrawRange(0, count / 3);
        out.needsUpdate = true;
    }
}

// Joints of multibodies: hinges along their axes, slides with heads at both ends, balls as crosses.
export class Axes {
    constructor(axes) {
        this.axes = axes;
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(new Float32Array(30 * axes.length), 3));
        this.object = new LineSegments(geometry, new LineBasicMaterial({ color: 0xe08a00, depthTest: false, transparent: true, opacity: 0.7, toneMapped: false, fog: false }));
        this.object.frustumCulled = false;
        this.object.renderOrder = 1;
        this.object.visible = axes.length > 0;
    }

    show({ position, rotation, present }) {
        if (!this.axes.length) return;
        const out = this.object.geometry.attributes.position;
        let count = 0;
        for (const { body, at, along, half, slides } of this.axes) {
            if (!present[body]) continue;
            const turn = { x: rotation[4 * body], y: rotation[4 * body + 1], z: rotation[4 * body + 2], w: rotation[4 * body + 3] };
            const middle = new Vector3().fromArray(at).applyQuaternion(turn).add({ x: position[3 * body], y: position[3 * body + 1], z: position[3 * body + 2] });
            const line = (from, to) => {
                for (const way of [from, to]) {
                    way.applyQuaternion(turn).add(middle).toArray(out.array, count);
                    count += 3;
                }
            };
            const way = new Vector3().fromArray(along);
            if (way.lengthSq() === 0) {
                for (const axis of ['x', 'y', 'z']) line(new Vector3().setComponent('xyz'.indexOf(axis), -half), new Vector3().setComponent('xyz'.indexOf(axis), half));
                continue;
            }
            const end = (part) => way.clone().multiplyScalar(part * half);
            line(end(-1), end(1));
            if (!slides) continue;
            const aside = new Vector3(Math.abs(way.x) < 0.9 ? 1 : 0, Math.abs(way.x) < 0.9 ? 0 : 1, 0).cross(way).setLength(0.2 * half);
            for (const side of [-1, 1]) {
                line(end(side), end(0.7 * side).add(aside));
                line(end(side), end(0.7 * side).sub(aside));
            }
        }
        this.object.geometry.setDrawRange(0, count / 3);
        out.needsUpdate = true;
    }
}

const MANY = 64;

// The pushes of the collisions that have just happened: an arrow at each body, along the change of its velocity and
// as long as the impulse, and a spot where the two bodies touched.
export class Pushes {
    constructor() {
        this.object = new Group();
        this.arrows = [];
    }

    // `pushes`: { place, along (unit), length, part (0 fresh, 1 gone) }
    show(pushes) {
        while (this.arrows.length < Math.min(pushes.length, MANY)) {
            const arrow = new ArrowHelper(new Vector3(1, 0, 0), new Vector3(), 1, 0xffb020);
            for (const part of [arrow.line, arrow.cone]) Object.assign(part.material, { depthTest: false, transparent: true, toneMapped: false, fog: false });
            this.arrows.push(arrow);
            this.object.add(arrow);
        }
        this.arrows.forEach((arrow, i) => {
            arrow.visible = i < pushes.length;
            if (!arrow.visible) return;
            const { place, along, length, part } = pushes[i];
            arrow.position.fromArray(place);
            arrow.setDirection(new Vector3(...along));
            arrow.setLength(length, 0.3 * length, 0.18 * length);
            arrow.line.material.opacity = arrow.cone.material.opacity = 1 - part;
        });
    }
}

// Pale bodies where somebody believes to be.
export class Ghosts {
    constructor() {
        this.object = new Group();
        this.balls = [];
    }

    // `ghosts`: { place, reach, colour }
    show(ghosts) {
        while (this.balls.length < ghosts.length) {
            const ball = new Mesh(new SphereGeometry(1, 32, 20), new MeshBasicMaterial({ transparent: true, opacity: 0.38, depthWrite: false, toneMapped: false }));
            this.balls.push(ball);
            this.object.add(ball);
        }
        this.balls.forEach((ball, i) => {
            ball.visible = i < ghosts.length;
            if (!ball.visible) return;
            ball.position.fromArray(ghosts[i].place);
            ball.scale.setScalar(ghosts[i].reach);
            ball.material.color.setRGB(...ghosts[i].colour);
        });
    }
}
