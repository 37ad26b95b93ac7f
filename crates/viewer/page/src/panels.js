// The side panels: the picked body's state, the run's statistics as small plots, and its summary.
import { EVENTS, NOBODY } from './history.js';

const PLOTS = [
    { key: 'rate', title: 'events per second', unit: '' },
    { key: 'efficiency', title: 'efficiency', unit: ' %' },
    { key: 'rollback', title: 'rollback length', unit: ' ms' },
    { key: 'groups', title: 'contact groups', unit: '' },
    { key: 'largest', title: 'bodies in the largest group', unit: '' },
    { key: 'pace', title: 'simulated s per s', unit: '' },
];

export function number(x) {
    if (typeof x !== 'number' || !Number.isFinite(x)) return String(x);
    const size = Math.abs(x);
    if (Number.isInteger(x) && size < 1e7) return x.toLocaleString('en');
    return size !== 0 && (size < 1e-3 || size >= 1e6) ? x.toExponential(2) : x.toPrecision(4);
}

function rows(table, pairs) {
    table.replaceChildren(...pairs.map(([name, value, exact]) => {
        const row = document.createElement('tr');
        for (const text of [name, value]) row.appendChild(document.createElement('td')).textContent = text;
        row.title = `${name}: ${exact ?? value}`;
        return row;
    }));
}

// Fewer points are no curve.
const LEAST_PLOTTED = 4;
const UNITS = { bytes: 'bytes', j: 'J', m: 'm', ms: 'ms', s: 's', seconds: 's' };

// Shorter words, so that a row keeps to its line.
const NAMES = { energy_change_max_relative: 'largest energy change', energy_change_max_at_s: 'largest change at, s' };

// What a key of the statistics says: its words, and its unit after a comma.
function label(key) {
    if (NAMES[key]) return NAMES[key];
    const words = key.split('_');
    const unit = UNITS[words.at(-1)];
    return unit ? `${words.slice(0, -1).join(' ')}, ${unit}` : words.join(' ');
}

const vector = (a, i) => [0, 1, 2].map((k) => number(Number(a[3 * i + k].toPrecision(4)))).join('  ');

export class BodyCard {
    constructor() {
        this.card = document.getElementById('body-card');
        this.name = document.getElementById('body-name');
        this.table = document.getElementById('body-table');
    }

    show(index, bodies, history, time, clocks, gvt, pressed) {
        this.card.hidden = index < 0;
        if (index < 0) return;
        const { now, shown } = history, piece = shown?.piece(index, time) ?? -1;
        this.name.textContent = bodies[index].name;
        const speed = Math.hypot(...now.velocity.subarray(3 * index, 3 * index + 3));
        const lines = [
            ['kind', bodies[index].kind],
            ['position, m', vector(now.position, index)],
            ['velocity, m/s', vector(now.velocity, index)],
            ['speed, m/s', number(speed)],
        ];
        if (piece >= 0) {
            lines.push(['spin, rad/s', vector(shown.spin(piece), 0)]);
            lines.push(['last event', `${EVENTS[shown.event(piece)]} at ${shown.start(piece).toFixed(4)} s`]);
            const partner = shown.partner(piece);
            if (partner !== NOBODY && bodies[partner]) lines.push(['with', bodies[partner].name]);
            const group = shown.group(piece);
            if (group !== NOBODY) lines.push(['contact group', `of ${bodies[group]?.name ?? group}`]);
            if (shown.impulse(piece) > 0) lines.push(['impulse, N s', number(shown.impulse(piece))]);
        }
        if (pressed.points) lines.push(['contact points', `${pressed.points}, together ${number(pressed.force)} N`]);
        if (clocks?.lvt.length) {
            lines.push(['ahead of GVT, s', number(Math.max(clocks.lvt[index] - gvt, 0))]);
            lines.push(['process, thread', `${clocks.group[index]}, ${clocks.thread[index]}`]);
        }
        rows(this.table, lines);
    }
}

export class Statistics {
    constructor() {
        this.samples = [];
        this.root = document.getElementById('plots');
        this.summary = document.getElementById('summary');
        this.plots = PLOTS.map((plot) => {
            const box = document.createElement('div');
            box.className = 'plot';
            box.innerHTML = '<div><span class="quiet"></span><b></b></div><canvas></canvas>';
            box.querySelector('span').textContent = plot.title;
            return { ...plot, box, value: box.querySelector('b'), canvas: box.querySelector('canvas') };
        });
    }

    add(samples) {
        this.samples.push(...samples);
        if (this.samples.length > 1200) this.samples = this.samples.slice(-1200);
    }

    setSummary(status) {
        const entries = Object.entries(status.summary ?? {}).filter(([, value]) => typeof value !== 'object');
        const pairs = entries.map(([key, value]) => [label(key), number(value), value]);
        rows(this.summary, pairs.length ? pairs : [['simulated, s', number(status.end)], ['until, s', number(status.until)]]);
    }

    // How far GVT usually moves at once, s.
    stride() {
        const steps = this.samples.slice(1).map((sample, i) => sample.gvt - this.samples[i].gvt).filter((step) => step > 0);
        return steps.sort((a, b) => a - b)[steps.length >> 1] ?? 0;
    }

    // Rates between samples that are at least a hundredth of the whole apart.
    series() {
        const out = { rate: [], efficiency: [], rollback: [], groups: [], largest: [], pace: [], gvt: [] };
        const { samples } = this, apart = ((samples.at(-1)?.wall_s ?? 0) - (samples[0]?.wall_s ?? 0)) / 120;
        for (let i = 1, before = 0; i < samples.length; i++) {
            const a = samples[before], b = samples[i], wall = b.wall_s - a.wall_s;
            if (!(wall > apart)) continue;
            before = i;
            const committed = b.segments_committed - a.segments_committed, undone = b.segments_undone - a.segments_undone;
            out.gvt.push(b.gvt);
            out.rate.push((b.events - a.events) / wall);
            out.efficiency.push(committed + undone > 0 ? 100 * committed / (committed + undone) : 100);
            out.rollback.push(1000 * (b.undone_s - a.undone_s) / Math.max(b.rollbacks - a.rollbacks, 1));
            out.groups.push(b.groups);
            out.largest.push(b.largest_group);
            out.pace.push((b.gvt - a.gvt) / wall);
        }
        return out;
    }

    // Draws the plots; the moment shown in the scene is marked in each.
    draw(time) {
        const all = this.series();
        const style = getComputedStyle(document.documentElement);
        const accent = style.getPropertyValue('--accent'), grid = style.getPropertyValue('--line'), mark = style.getPropertyValue('--gvt');
        // a run that is over in a moment has no course to plot, and its summary says the rest
        const told = all.rate.length >= LEAST_PLOTTED;
        this.root.replaceChildren(...(told ? this.plots.map((plot) => plot.box) : []));
        const at = Math.max(all.gvt.findLastIndex((gvt) => gvt <= time), 0);
        for (const plot of told ? this.plots : []) {
            const values = all[plot.key];
            plot.value.textContent = `${number(Number(values[at].toPrecision(3)))}${plot.unit}`;
            sparkline(plot.canvas, values, at, accent, grid, mark);
        }
    }
}

function sparkline(canvas, values, at, line, grid, mark) {
    const ratio = Math.min(window.devicePixelRatio, 2), width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const paint = canvas.getContext('2d');
    paint.scale(ratio, ratio);
    const most = Math.max(...values, 1e-12);
    const x = (i) => values.length > 1 ? 1 + i / (values.length - 1) * (width - 2) : width / 2;
    const y = (v) => height - 2 - v / most * (height - 6);
    paint.strokeStyle = grid;
    paint.beginPath();
    paint.moveTo(0, height - 1.5);
    paint.lineTo(width, height - 1.5);
    paint.stroke();
    paint.strokeStyle = paint.fillStyle = line;
    paint.lineWidth = 1.5;
    paint.beginPath();
    values.forEach((v, i) => paint.lineTo(x(i), y(v)));
    paint.stroke();
    paint.globalAlpha = 0.12;
    paint.lineTo(x(values.length - 1), height - 2);
    paint.lineTo(x(0), height - 2);
    paint.fill();
    paint.globalAlpha = 1;
    paint.fillStyle = mark;
    paint.beginPath();
    paint.arc(x(at), y(values[at]), 3, 0, 2 * Math.PI);
    paint.fill();
}
