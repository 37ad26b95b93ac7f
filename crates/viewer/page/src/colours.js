// Colours of bodies and events. Bodies are linear RGB (three.js works in it), events are CSS colours.

const PALETTE = [
    [0.07, 0.25, 0.60], [0.75, 0.16, 0.08], [0.10, 0.42, 0.18], [0.80, 0.45, 0.06],
    [0.32, 0.14, 0.50], [0.05, 0.45, 0.48], [0.62, 0.12, 0.32], [0.40, 0.38, 0.10],
];
export const GROUND = [0.42, 0.43, 0.45];
export const KINDS = { fixed: GROUND, kinematic: [0.80, 0.45, 0.06], dynamic: [0.07, 0.25, 0.60] };
// dark blue, blue-green, green, yellow: even steps of lightness
const RAMP = [[0.05, 0.03, 0.20], [0.04, 0.13, 0.28], [0.02, 0.28, 0.27], [0.14, 0.46, 0.13], [0.85, 0.80, 0.05]];

export const EVENT_COLOURS = {
    start: '#8a94a3', collision: '#2f7de1', fusion: '#1f9d55', fission: '#e08a00',
    callback: '#8e44ad', input: '#d6336c', piece: '#9aa5b1', rest: '#5c6b7a', leave: '#e08a00', touch: '#0f9aa8',
};

export const MODES = {
    body: { legend: null, about: 'every body has a colour of its own' },
    kind: { legend: null, about: 'fixed: never moves; kinematic: moves as it is told; dynamic: obeys the laws of motion' },
    speed: { legend: 'm/s', about: 'how fast each body moves' },
    ahead: { legend: 's ahead of GVT', about: 'how far each body has been computed beyond the time that is final: it may still lose that' },
    group: { legend: null, about: 'bodies in lasting contact are advanced together, as a group' },
    process: { legend: null, about: 'which of the simulation\'s processes a body belongs to' },
    thread: { legend: null, about: 'which thread advanced a body last' },
};

export function ramp(part) {
    const x = Math.min(Math.max(part, 0), 1) * (RAMP.length - 1);
    const i = Math.min(Math.floor(x), RAMP.length - 2), f = x - i;
    return RAMP[i].map((low, k) => low + f * (RAMP[i + 1][k] - low));
}

export function css(linear) {
    const byte = (x) => Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
    return `rgb(${linear.map(byte).join(',')})`;
}

export function own(body, index) {
    if (body.color) return body.color;
    return body.kind === 'dynamic' ? PALETTE[index % PALETTE.length] : body.kind === 'kinematic' ? KINDS.kinematic : GROUND;
}

// A contact group's colour; bodies on their own are pale.
export function groupColour(group) {
    return group === 0xffffffff ? [0.55, 0.57, 0.6] : numbered(group);
}

export function numbered(number) {
    return PALETTE[number % PALETTE.length];
}

// Fills `out` with the colour of every body; gives the legend's end, if the mode has one.
export function paint(mode, bodies, now, clocks, gvt, out) {
    const set = (i, c) => { out[3 * i] = c[0]; out[3 * i + 1] = c[1]; out[3 * i + 2] = c[2]; };
    const moving = (i) => bodies[i].kind !== 'fixed';
    let most = 0;
    if (mode === 'speed' || mode === 'ahead') {
        const value = mode === 'speed'
            ? (i) => Math.hypot(now.velocity[3 * i], now.velocity[3 * i + 1], now.velocity[3 * i + 2])
            : (i) => Math.max((clocks?.lvt[i] ?? gvt) - gvt, 0);
        // what rests is ahead of everything to the run's end: it stands beyond the scale
        const last = mode === 'ahead' ? Math.max(...(clocks?.lvt ?? []), 0) - gvt : Infinity;
        for (let i = 0; i < bodies.length; i++) if (moving(i) && value(i) < last) most = Math.max(most, value(i));
        for (let i = 0; i < bodies.length; i++) set(i, moving(i) ? ramp(value(i) / (most || 1)) : GROUND);
        return most;
    }
    for (let i = 0; i < bodies.length; i++) {
        if (mode === 'kind') set(i, KINDS[bodies[i].kind]);
        else if (mode === 'group' && moving(i)) set(i, groupColour(now.group[i]));
        else if (mode === 'process' && moving(i) && clocks?.lvt.length) set(i, numbered(clocks.group[i]));
        else if (mode === 'thread' && moving(i) && clocks?.lvt.length) set(i, numbered(clocks.thread[i]));
        else set(i, own(bodies[i], i));
    }
    return null;
}
