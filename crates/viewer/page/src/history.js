// The recorded motion in the browser: windows of pieces fetched from the server, and the state of every
// body at a time. One request at a time; what is asked for last is fetched first.

import { path } from './api.js';

const HEAD_BYTES = 32;
const RECORD_BYTES = 104;
const WORDS = RECORD_BYTES / 4;
const DOUBLES = RECORD_BYTES / 8;
const MAX_WINDOWS = 24;

export const EVENTS = ['start', 'collision', 'fusion', 'fission', 'callback', 'input', 'piece', 'rest', 'continue', 'step', 'leave', 'touch'];
export const CONTINUE = 8;
export const STEP = 9;
export const LEAVE = 10;
export const NOBODY = 0xffffffff;

// The pieces of all bodies from one time to another; see the server's wire.rs for the layout.
export class Window {
    constructor(buffer, bodies) {
        const head = new DataView(buffer);
        this.count = head.getUint32(4, true) + head.getUint32(8, true);
        this.current = head.getUint32(4, true);
        this.atEnd = head.getUint32(12, true) === 1;
        this.from = head.getFloat64(16, true);
        this.to = head.getFloat64(24, true);
        if (buffer.byteLength !== HEAD_BYTES + this.count * RECORD_BYTES) throw new Error('a window of the wrong length');
        this.words = new Uint32Array(buffer, HEAD_BYTES);
        this.numbers = new Float32Array(buffer, HEAD_BYTES);
        this.doubles = new Float64Array(buffer, HEAD_BYTES);
        this.sortByBody(bodies);
    }

    body(i) { return this.words[i * WORDS]; }
    partner(i) { return this.words[i * WORDS + 1]; }
    event(i) { return this.words[i * WORDS + 2]; }
    group(i) { return this.words[i * WORDS + 3]; }
    start(i) { return this.doubles[i * DOUBLES + 2]; }
    impulse(i) { return this.numbers[i * WORDS + 25]; }

    // Lists each body's pieces in order of time; pieces that a later event cut short are left out.
    sortByBody(bodies) {
        const last = new Int32Array(bodies).fill(-1);
        const before = new Int32Array(this.count);
        for (let i = 0; i < this.count; i++) {
            const body = this.body(i);
            if (this.event(i) !== CONTINUE) {
                while (last[body] >= 0 && this.start(last[body]) > this.start(i)) last[body] = before[last[body]];
            }
            before[i] = last[body];
            last[body] = i;
        }
        const offset = new Int32Array(bodies + 1);
        for (let body = 0; body < bodies; body++) {
            for (let i = last[body]; i >= 0; i = before[i]) offset[body + 1]++;
        }
        for (let body = 0; body < bodies; body++) offset[body + 1] += offset[body];
        const order = new Int32Array(offset[bodies]);
        for (let body = 0; body < bodies; body++) {
            let place = offset[body + 1];
            for (let i = last[body]; i >= 0; i = before[i]) order[--place] = i;
        }
        this.offset = offset;
        this.order = order;
        this.cursor = offset.slice(0, bodies);
        this.since = new Float64Array(bodies).fill(Infinity);
        this.until = new Float64Array(bodies);
    }

    covers(time) {
        return this.from <= time && (time < this.to || (this.atEnd && time <= this.to));
    }

    // The piece that a body is in; -1 before its first. While time stays inside a piece, this is one look
    // into two arrays.
    piece(body, time) {
        if (time >= this.since[body] && time < this.until[body]) return this.order[this.cursor[body]];
        const first = this.offset[body], end = this.offset[body + 1];
        if (first === end) return -1;
        let k = this.cursor[body];
        while (k + 1 < end && this.start(this.order[k + 1]) <= time) k++;
        while (k > first && this.start(this.order[k]) > time) k--;
        this.cursor[body] = k;
        this.since[body] = this.start(this.order[k]);
        this.until[body] = k + 1 < end ? this.start(this.order[k + 1]) : Infinity;
        return this.since[body] <= time ? this.order[k] : -1;
    }

    // Writes a body's state at a time into `out` at its place; false before its first piece.
    evaluate(body, time, out, place = body) {
        const i = this.piece(body, time);
        if (i < 0 || this.event(i) === LEAVE) return false;
        const n = this.numbers, b = i * WORDS + 6, t = time - this.since[body];
        const p = place * 3, q = place * 4;
        out.group[place] = this.words[i * WORDS + 3];
        for (let k = 0; k < 3; k++) {
            const v = n[b + 3 + k], a = n[b + 6 + k], j = n[b + 9 + k];
            out.position[p + k] = n[b + k] + t * (v + t * (a / 2 + t * j / 6));
            out.velocity[p + k] = v + t * (a + t * j / 2);
        }
        const qx = n[b + 12], qy = n[b + 13], qz = n[b + 14], qw = n[b + 15];
        const sx = n[b + 16], sy = n[b + 17], sz = n[b + 18];
        const speed = Math.sqrt(sx * sx + sy * sy + sz * sz);
        if (speed * t === 0) {
            out.rotation[q] = qx; out.rotation[q + 1] = qy; out.rotation[q + 2] = qz; out.rotation[q + 3] = qw;
            return true;
        }
        const half = 0.5 * speed * t, s = Math.sin(half) / speed, c = Math.cos(half);
        const x = sx * s, y = sy * s, z = sz * s;
        out.rotation[q] = c * qx + x * qw + y * qz - z * qy;
        out.rotation[q + 1] = c * qy - x * qz + y * qw + z * qx;
        out.rotation[q + 2] = c * qz + x * qy - y * qx + z * qw;
        out.rotation[q + 3] = c * qw - x * qx - y * qy - z * qz;
        return true;
    }

    // Where a piece would lead if nothing had ended it.
    extended(i, time, out = [0, 0, 0]) {
        const n = this.numbers, b = i * WORDS + 6, t = time - this.start(i);
        for (let k = 0; k < 3; k++) out[k] = n[b + k] + t * (n[b + 3 + k] + t * (n[b + 6 + k] / 2 + t * n[b + 9 + k] / 6));
        return out;
    }

    // The velocity at which a piece begins.
    velocity(i) {
        const b = i * WORDS + 9;
        return [this.numbers[b], this.numbers[b + 1], this.numbers[b + 2]];
    }

    spin(i) {
        const b = i * WORDS + 22;
        return [this.numbers[b], this.numbers[b + 1], this.numbers[b + 2]];
    }
}

export function states(count) {
    return {
        position: new Float32Array(count * 3),
        velocity: new Float32Array(count * 3),
        rotation: new Float32Array(count * 4),
        group: new Uint32Array(count),
        present: new Uint8Array(count),
    };
}

export class History {
    constructor(bodies, onChange, onError) {
        this.bodies = bodies;
        this.windows = [];
        this.busy = false;
        this.demand = [];
        this.onChange = onChange;
        this.onError = onError;
        this.now = states(bodies);
        this.shown = null;
    }

    at(time) {
        return this.windows.find((window) => window.covers(time));
    }

    // Asks for the given times, most urgent first; forgets what was asked before.
    want(times) {
        this.demand = times;
        this.pump();
    }

    async pump() {
        if (this.busy) return;
        const time = this.demand.find((time) => !this.at(time));
        if (time === undefined) return;
        this.busy = true;
        try {
            const answer = await fetch(path(`/api/window?time=${time}`));
            if (!answer.ok) throw new Error(await answer.text());
            this.add(new Window(await answer.arrayBuffer(), this.bodies));
        } catch (error) {
            this.demand = [];
            this.onError(error);
        }
        this.busy = false;
        this.pump();
    }

    // The recording has grown: a window that reached its end does so no longer.
    grow(end) {
        for (const window of this.windows) if (window.atEnd && window.to < end) window.atEnd = false;
    }

    add(window) {
        // a window that reached the end of a growing recording gives way to a longer one
        this.windows = this.windows.filter((old) => !(old.from >= window.from && old.to <= window.to));
        this.windows.push(window);
        this.grow(window.to);
        if (this.windows.length > MAX_WINDOWS) this.windows.shift();
        this.onChange(window);
    }

    // The windows from one time to another, in order, each begun where the last ended.
    between(from, to) {
        const found = [];
        for (let time = from; ;) {
            const window = this.at(time);
            if (!window) break;
            found.push(window);
            if (window.atEnd || window.to > to || window.to <= time) break;
            time = window.to;
        }
        return found;
    }

    // Evaluates every body; false if the time is not here yet.
    evaluate(time) {
        const window = this.shown?.covers(time) ? this.shown : this.at(time);
        if (!window) return false;
        this.shown = window;
        const { now } = this;
        for (let body = 0; body < this.bodies; body++) {
            now.present[body] = window.evaluate(body, time, now) ? 1 : 0;
        }
        return true;
    }
}
