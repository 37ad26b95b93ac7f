// The tour "what is a rollback": a short story told over a recording in which a body is thrown into the past of
// another. Who meets whom, and when, is read from the recording; the pace is the tour's.
import { CONTINUE, EVENTS, NOBODY } from './history.js';

const START = EVENTS.indexOf('start');
const s = (time) => `${time.toFixed(2)} s`;

// The roles: `first` and `second` had met too early, at `met`; then `cause` came into first's past, at `cut`; who
// had been hit before by `origin`, at `hit`.
export function plot(bodies, undone, window) {
    const lost = undone.find(([, , , , , event, partner]) => event !== CONTINUE && partner !== null);
    if (!lost) return null;
    const [first, , met, firstTo, , , second] = lost;
    const cutRow = undone.find(([body, cause, , to, , event]) => body === first && event === CONTINUE && cause !== null && to === met);
    if (!cutRow) return null;
    const [, cause, cut] = cutRow;
    let origin = null, hit = cut / 2;
    for (let i = 0; i < window.count; i++) {
        const partner = window.partner(i);
        if (window.body(i) === cause && window.event(i) !== START && partner !== NOBODY && window.start(i) < cut) [origin, hit] = [partner, window.start(i)];
    }
    if (origin === null) return null;
    const secondTo = undone.find(([body, , from]) => body === second && from === met)?.[3] ?? firstTo;
    const moving = bodies.map((_, i) => i).filter((i) => bodies[i].kind !== 'fixed');
    const aside = moving.filter((i) => ![first, second, cause, origin].includes(i));
    return { first, second, cause, origin, met, cut, hit, firstTo, secondTo, moving, aside, undone: undone.filter((row) => [first, second].includes(row[0])) };
}

// The steps. Each has a text, how long its motion takes, and what is shown at a part of it, from 0 to 1: the scene's
// time, how far each body has been computed, GVT, ghosts (bodies where they believe to be), what is struck through.
export function steps(bodies, story, end) {
    const name = (i) => bodies[i].name;
    const { first, second, cause, origin, met, cut, hit, firstTo, secondTo, moving, aside, undone } = story;
    const away = aside.length ? aside.map(name).join(' and ') : 'whoever is not on the list';
    const tips = (known) => bodies.map((_, i) => (known.has(i) ? known.get(i) : 0));
    const ahead = new Map([[first, firstTo], [second, secondTo], ...aside.map((i) => [i, end])]);
    const with_ = (...pairs) => tips(new Map([...ahead, ...pairs]));
    const at = (from, to, part) => from + part * (to - from);
    return [
        {
            text: `Five balls on a table. Every one has a clock of its own, and none waits for the others. Below, each has a row, its worldline: time runs to the right.`,
            seconds: 1, show: () => ({ time: 0, lvt: tips(new Map()), gvt: 0, ghosts: [], undone: [] }),
        },
        {
            text: `${name(first)} and ${name(second)} are computed first. They run ahead: by their own clocks they have met at ${s(met)}. The pale bars show how far each has been computed. ${name(origin)} and ${name(cause)} still stand at 0.`,
            seconds: 6, show: (part) => ({
                time: 0, gvt: 0, undone: [], met: part > 0.7,
                lvt: tips(new Map([[first, Math.min(at(0, met * 1.45, part), firstTo)], [second, Math.min(at(0, met * 1.45, part), secondTo)], ...aside.map((i) => [i, at(0, end, part)])])),
                ghosts: [[first, Math.min(at(0, met * 1.45, part), met)], [second, Math.min(at(0, met * 1.45, part), met)]],
            }),
        },
        {
            text: `None of this is final. It is speculation: it holds if nothing disturbs them. The dashed line is GVT, global virtual time: only what lies before it can never change. It still stands at 0.`,
            seconds: 1, show: () => ({ time: 0, gvt: 0, undone: [], met: true, lvt: with_(), ghosts: [[first, met], [second, met]] }),
        },
        {
            text: `Now the others. ${name(origin)} rolls, and hits ${name(cause)} at ${s(hit)}.`,
            seconds: 4, show: (part) => ({
                time: at(0, hit, part), gvt: 0, undone: [], met: true, ghosts: [[first, met], [second, met]],
                lvt: with_([origin, at(0, hit, part)], [cause, at(0, hit, part)]),
            }),
        },
        {
            text: `${name(cause)} is thrown off, and at ${s(cut)} it hits ${name(first)}. But ${name(first)}'s own clock shows ${s(firstTo)} already: the hit lies in its past.`,
            seconds: 5, show: (part) => ({
                time: at(hit, cut, part), gvt: at(0, hit, part), undone: [], met: true, ghosts: [[first, met], [second, met]],
                lvt: with_([origin, at(hit, cut, part)], [cause, at(hit, cut, part)]),
            }),
        },
        {
            text: `Rollback. What ${name(first)} has computed since ${s(cut)} is undone: the red stretch, struck through. So it never met ${name(second)}, and ${name(second)} loses what had followed from that, and not more: before ${s(met)} it was right.`,
            seconds: 3, show: (part) => ({
                time: cut, gvt: hit, undone: part > 0.15 ? undone : [], ghosts: part < 0.85 ? [[first, at(met, cut, part / 0.85)], [second, at(met, cut, part / 0.85)]] : [],
                lvt: with_([origin, cut], [cause, cut], [first, at(firstTo, cut, Math.min(part / 0.85, 1))], [second, at(secondTo, met, Math.min(part / 0.85, 1))]),
            }),
        },
        {
            text: `All others keep what they have: ${away} was computed to the end, once. A simulator with one clock for all would have gone back with all of them, or never have gone ahead.`,
            seconds: 1, show: () => ({ time: cut, gvt: hit, undone, ghosts: [], lvt: with_([origin, cut], [cause, cut], [first, cut], [second, met]) }),
        },
        {
            text: `${name(first)} is computed again from ${s(cut)}, now with the hit, and ${name(second)} goes on alone.`,
            seconds: 5, show: (part) => ({
                time: at(cut, end, part), gvt: at(hit, cut, part), undone, ghosts: [],
                lvt: with_(...[origin, cause, first].map((i) => [i, at(cut, end, part)]), [second, Math.max(met, at(cut, end, part))]),
            }),
        },
        {
            text: `GVT passes, and all is committed. However far bodies run ahead, and whatever is undone on the way, the committed history is the same to the last byte. That is Time Warp. Next: the same in a gas of two hundred bodies.`,
            seconds: 2, show: (part) => ({ time: end, gvt: at(cut, end, part), undone, ghosts: [], lvt: moving.reduce((lvt, i) => { lvt[i] = end; return lvt; }, tips(new Map())) }),
        },
    ];
}

export class Tour {
    // `actions`: wake() draws, finish() is called at the end, further() after the last step.
    constructor(list, actions) {
        this.list = list;
        this.actions = actions;
        this.index = 0;
        this.part = 0;
        const $ = (id) => document.getElementById(id);
        this.box = $('tour');
        this.stepText = $('tour-step');
        this.text = $('tour-text');
        this.next = $('tour-next');
        this.back = $('tour-back');
        this.next.onclick = () => this.go(this.index + 1);
        this.back.onclick = () => this.go(this.index - 1);
        $('tour-end').onclick = () => this.end();
        this.box.hidden = false;
        this.go(0);
    }

    get moving() { return this.part < 1; }

    go(index) {
        if (index >= this.list.length) {
            this.actions.further();
            return;
        }
        this.index = Math.max(index, 0);
        this.part = 0;
        this.stepText.textContent = `What is a rollback? ${this.index + 1} of ${this.list.length}`;
        this.text.textContent = capital(this.list[this.index].text);
        this.back.disabled = this.index === 0;
        this.next.textContent = this.index === this.list.length - 1 ? 'See it in a gas' : 'Next';
        this.actions.wake();
    }

    // What is to be shown, after some seconds more.
    advance(seconds) {
        const step = this.list[this.index];
        this.part = Math.min(this.part + seconds / step.seconds, 1);
        return step.show(this.part);
    }

    end() {
        this.box.hidden = true;
        this.actions.finish();
    }
}

function capital(text) {
    return text.replace(/(^|[.] )([a-z])/g, (_, before, letter) => before + letter.toUpperCase());
}
