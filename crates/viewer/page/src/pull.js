// Pulling at a body of a live run: Shift and drag. The pull is sent when the button is let go, with the moment that
// was seen when it began: by then the world has run on, so it is a late input.
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial } from 'three';
import { order } from './api.js';

// How fast a body is made by a pull across the length of one metre, in 1/s.
const PER_METRE = 4;
const FASTEST = 50;

export class Pull {
    // `actions`: time(), wake(), pulled(answer, name), refused(error).
    constructor(canvas, stage, actions) {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(new Float32Array(6), 3));
        this.line = new Line(geometry, new LineBasicMaterial({ color: 0xd6336c, depthTest: false, toneMapped: false, fog: false }));
        this.line.visible = this.line.frustumCulled = false;
        stage.scene.add(this.line);
        let held = null;
        canvas.addEventListener('pointerdown', (event) => {
            if (!event.shiftKey) return;
            const body = stage.bodyAt(event.clientX, event.clientY);
            if (body < 0 || stage.bodies[body].kind !== 'dynamic') return;
            event.stopImmediatePropagation();
            canvas.setPointerCapture(event.pointerId);
            held = { body, time: actions.time() };
        }, { capture: true });
        canvas.addEventListener('pointermove', (event) => {
            if (!held) return;
            event.stopImmediatePropagation();
            const to = stage.dragged(held.body, event.clientX, event.clientY), place = geometry.attributes.position;
            place.array.set([...stage.states.position.subarray(3 * held.body, 3 * held.body + 3), ...to.toArray()]);
            place.needsUpdate = true;
            this.line.visible = true;
            actions.wake();
        }, { capture: true });
        const release = (event, isMeant) => {
            if (!held) return;
            event.stopImmediatePropagation();
            const { body, time } = held, to = stage.dragged(body, event.clientX, event.clientY);
            held = null;
            this.line.visible = false;
            actions.wake();
            if (!isMeant) return;
            const from = stage.states.position.subarray(3 * body, 3 * body + 3);
            const wish = to.toArray().map((x, k) => PER_METRE * (x - from[k]));
            const speed = Math.hypot(...wish), scale = speed > FASTEST ? FASTEST / speed : 1;
            const [x, y, z] = wish.map((v) => v * scale);
            order('/api/pull', { body, time, x, y, z }).then((answer) => actions.pulled(answer, stage.bodies[body].name), actions.refused);
        };
        canvas.addEventListener('pointerup', (event) => release(event, true), { capture: true });
        canvas.addEventListener('pointercancel', (event) => release(event, false), { capture: true });
    }
}
