// What the colours of the bodies mean, for every way of colouring.
import { GROUND, KINDS, MODES, css, numbered, ramp } from './colours.js';
import { number } from './panels.js';

const MANY = 8;

function swatch(colour, text) {
    const item = document.createElement('span'), dot = document.createElement('i');
    item.className = 'swatch';
    dot.style.background = css(colour);
    item.append(dot, text);
    return item;
}

function scale(most, unit) {
    const bar = document.createElement('i');
    bar.className = 'scale';
    bar.style.background = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map((part) => css(ramp(part))).join(', ')})`;
    return ['0', bar, `${number(Number(most.toPrecision(3)))} ${unit}`];
}

// A swatch for each of the numbers that occur, the first few of them.
function numbers(values, word) {
    const all = [...new Set(values)].sort((a, b) => a - b);
    const shown = all.slice(0, MANY).map((value) => swatch(numbered(value), `${word} ${value}`));
    if (all.length > MANY) shown.push(`and ${all.length - MANY} more`);
    return shown;
}

export class Legend {
    constructor(root, bodies) {
        this.root = root;
        this.bodies = bodies;
        this.shown = '';
    }

    // `most` is the scale's end, where there is one.
    show(mode, most, clocks) {
        const moving = (clocks?.lvt ?? []).map((_, i) => i).filter((i) => this.bodies[i] && this.bodies[i].kind !== 'fixed');
        const key = [mode, most?.toPrecision(3), mode === 'process' ? moving.map((i) => clocks.group[i]).join() : '', moving.length > 0].join('|');
        if (key === this.shown) return;
        this.shown = key;
        const { legend, about } = MODES[mode];
        let items = [];
        if (legend) items = scale(most ?? 0, legend);
        else if (mode === 'kind') items = Object.entries(KINDS).map(([kind, colour]) => swatch(colour, kind));
        else if (mode === 'group') items = [swatch([0.55, 0.57, 0.6], 'on its own'), swatch(numbered(0), 'each contact group has a colour')];
        else if (mode === 'process' && moving.length) items = numbers(moving.map((i) => clocks.group[i]), 'process');
        else if (mode === 'thread' && moving.length) items = numbers(moving.map((i) => clocks.thread[i]), 'thread');
        else if (mode === 'body') items = ['each body has its own colour', swatch(GROUND, 'fixed')];
        else items = ['this recording does not say'];
        this.root.hidden = mode === 'body';
        this.root.title = about;
        this.root.replaceChildren(...items);
    }
}
