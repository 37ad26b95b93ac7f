// Deformables: their vertices come frame by frame and are blended between frames; normals follow.
import { BufferAttribute, Color, Mesh } from 'three';
import { path } from './api.js';
import { material } from './parts.js';

function frames(buffer) {
    const view = new DataView(buffer), list = [];
    for (let at = 0; at + 16 <= buffer.byteLength;) {
        const time = view.getFloat64(at, true), count = Number(view.getBigUint64(at + 8, true));
        list.push({ time, positions: new Float32Array(buffer, at + 16, 3 * count) });
        at += 16 + Math.ceil(12 * count / 8) * 8;
    }
    return list;
}

export class Cloth {
    constructor(body, surface, colour) {
        this.body = body;
        const geometry = surface.clone();
        geometry.setAttribute('position', new BufferAttribute(new Float32Array(surface.attributes.position.array), 3));
        this.mesh = new Mesh(geometry, material({ side: 2, color: new Color(...colour), roughness: 0.75 }));
        this.mesh.castShadow = this.mesh.receiveShadow = true;
        this.mesh.frustumCulled = false;
        this.frames = [];
        this.busy = false;
    }

    // The frames around a time; an empty answer means that this body never deforms.
    async load(time) {
        if (this.busy) return;
        this.busy = true;
        try {
            const answer = await fetch(path(`/api/vertices/${this.body}?time=${time}`));
            if (answer.ok) this.frames = frames(await answer.arrayBuffer());
        } finally {
            this.busy = false;
        }
    }

    show(time) {
        const { frames } = this;
        let next = frames.findIndex((frame) => frame.time > time);
        if (next < 0) next = frames.length;
        const from = frames[Math.max(next - 1, 0)], to = frames[Math.min(next, frames.length - 1)];
        const outside = !from || time < frames[0].time || (next === frames.length && time > from.time && frames.length > 1);
        if (outside) this.load(time);
        const target = this.mesh.geometry.attributes.position;
        if (!from || from.positions.length !== target.array.length) return;
        const span = to.time - from.time, s = span > 0 ? Math.min((time - from.time) / span, 1) : 0;
        for (let i = 0; i < target.array.length; i++) {
            target.array[i] = from.positions[i] + s * (to.positions[i] - from.positions[i]);
        }
        target.needsUpdate = true;
        this.mesh.geometry.computeVertexNormals();
    }
}
