// The collisions of the last moment, as pushes to be drawn: where the body was, which way it was pushed, how hard.
import { CONTINUE, EVENTS, NOBODY } from './history.js';

const SHOWN_SECONDS = 0.12;
const MANY = 64;
const KINDS = new Set(['collision', 'touch', 'fusion', 'input'].map((event) => EVENTS.indexOf(event)));

export function recentPushes(window, time, stage) {
    const found = [];
    let most = 0;
    for (let body = 0; body < stage.bodies.length && found.length < MANY; body++) {
        const piece = window.piece(body, time);
        if (piece < 0 || stage.bodies[body].kind === 'fixed') continue;
        const event = window.event(piece), age = time - window.start(piece), impulse = window.impulse(piece);
        if (event === CONTINUE || !KINDS.has(event) || age > SHOWN_SECONDS || !(impulse > 0)) continue;
        const before = previous(window, body, piece);
        if (before < 0) continue;
        const was = rate(window, before, window.start(piece)), is = window.velocity(piece);
        const jump = is.map((v, k) => v - was[k]), size = Math.hypot(...jump);
        if (size === 0) continue;
        const along = jump.map((v) => v / size), partner = window.partner(piece);
        // a ball was touched on the side that it was pushed from; of others the place is not recorded
        const { parts } = stage.bodies[body], touched = partner !== NOBODY && parts.length === 1 && parts[0].type === 'ball' ? stage.reach[body] : 0;
        const place = window.extended(piece, window.start(piece)).map((x, k) => x - along[k] * touched);
        most = Math.max(most, impulse);
        found.push({ place, along, impulse, part: age / SHOWN_SECONDS });
    }
    for (const push of found) push.length = Math.max(0.05 * stage.radius, 0.25 * stage.radius * push.impulse / most);
    return found;
}

function previous(window, body, piece) {
    for (let k = window.offset[body] + 1; k < window.offset[body + 1]; k++) if (window.order[k] === piece) return window.order[k - 1];
    return -1;
}

// The velocity of a piece at a time.
function rate(window, piece, time) {
    const h = 1e-4, a = window.extended(piece, time - h), b = window.extended(piece, time);
    return a.map((x, k) => (b[k] - x) / h);
}
