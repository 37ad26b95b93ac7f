// The page: one clock drives the scene, the timeline and the panels. `?still` draws on demand only, for
// tests and pictures; `window.warpline` is their handle.
import { EVENT_COLOURS, MODES, css, paint, ramp } from './colours.js';
import { History } from './history.js';
import { BodyCard, Statistics, number } from './panels.js';
import { Stage } from './stage.js';
import { Timeline } from './timeline.js';

const $ = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const still = query.has('still');
const CLOCKS_EVERY_MS = 120;
const PANELS_EVERY_MS = 150;

const state = {
    time: 0, playing: false, speed: 1, live: false, colour: 'body', picked: -1,
    status: null, clocks: null, scriptMs: 0, frames: 0, lost: false,
};
let stage, history, timeline, statistics, card, scene, colours;

function fail(error) {
    $('message').hidden = false;
    $('message').textContent = error.message ?? String(error);
    document.body.dataset.ready = 'error';
}

async function ask(path) {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
}

async function begin() {
    performance.mark('script');
    scene = await ask('/api/scene');
    performance.mark('described');
    document.title = `${scene.scene} · Warpline`;
    $('scene').textContent = scene.scene || 'Warpline';
    $('algorithm').textContent = scene.algorithm;
    colours = new Float32Array(3 * scene.bodies.length);
    statistics = new Statistics();
    card = new BodyCard();
    history = new History(scene.bodies.length, onWindow, fail);
    timeline = new Timeline($('timeline'), scene.bodies, history, { seek, pick, needs });
    stage = new Stage($('stage'), scene, still);
    performance.mark('staged');
    setStatus(scene.status);
    state.time = clamp(Number(query.get('t') ?? state.status.start));
    await firstWindow();
    performance.mark('moved');
    history.evaluate(state.time);
    await stage.load(history.now, await deforming());
    applyTheme();
    setColour(query.get('colour') ?? 'body');
    if (query.has('body')) pick(Number(query.get('body')));
    if (query.has('rows')) setRows(query.get('rows'));
    if (query.has('panels')) document.body.dataset.panels = query.get('panels');
    timeline.setSpan(state.status.start, state.status.end);
    timeline.reveal(state.time);
    await overview();
    performance.mark('ready');
    listen();
    keys();
    connect();
    needs();
    if (still) {
        stage.reflect();
        await settle();
        redraw();
        document.body.dataset.ready = 'yes';
    } else {
        setPlaying(query.get('play') !== '0' && !state.live);
        requestAnimationFrame(frame);
    }
}

function firstWindow() {
    return new Promise((resolve) => {
        const waiting = history.onChange;
        history.onChange = (window) => {
            history.onChange = waiting;
            waiting(window);
            resolve();
        };
        history.want([state.time]);
    });
}

// Bodies whose mesh moves by vertex frames.
async function deforming() {
    const candidates = scene.bodies.map((body, i) => (body.parts[0]?.deforms ? i : -1)).filter((i) => i >= 0);
    const found = new Set();
    await Promise.all(candidates.map(async (i) => {
        const answer = await fetch(`/api/vertices/${i}?time=${state.time}`);
        if (answer.ok && (await answer.arrayBuffer()).byteLength > 0) found.add(i);
    }));
    return found;
}

async function overview() {
    timeline.density = await ask('/api/overview?bins=240');
    timeline.dirty = true;
}

function clamp(time) {
    return Math.min(Math.max(time, state.status.start), state.status.end);
}

function onWindow() {
    if (!timeline) return;
    timeline.dirty = true;
    timeline.setSpan(state.status.start, state.status.end);
    loadUndone();
}

let undoneRange = '';
async function loadUndone() {
    const behind = Math.max(timeline.range[1] - timeline.range[0], 4 * timeline.stride);
    const from = timeline.range[0] - behind, to = timeline.range[1] + 1e-9;
    const range = `${from}:${to}:${state.status.end}`;
    if (range === undoneRange) return;
    undoneRange = range;
    timeline.undone = await ask(`/api/undone?from=${from}&to=${to}`);
    if (timeline.which === 'undone') timeline.dirty = true;
}

// What to fetch: the present first, then what comes next, then what the timeline shows.
function needs() {
    const times = [state.time];
    const here = history.at(state.time);
    if (here && !here.atEnd && state.playing) times.push(here.to);
    const shown = history.between(timeline.range[0], timeline.range[1]);
    const last = shown.at(-1);
    if (!last) times.push(timeline.range[0]);
    else if (!last.atEnd && last.to < timeline.range[1] && shown.length < 8) times.push(last.to);
    history.want(times);
    loadUndone().catch(fail);
}

function setStatus(status) {
    state.status = status;
    const badge = $('badge');
    if (status.complete) badge.textContent = 'finished', badge.dataset.state = 'finished';
    else if (state.lost || !state.live) badge.textContent = 'unfinished', badge.dataset.state = 'unfinished';
    else badge.textContent = `live · ${number(status.end)} of ${number(status.until)} s`, badge.dataset.state = 'live';
    badge.title = status.warning ?? '';
    statistics.setSummary(status);
}

// News of a run that goes on: the end moves, samples arrive.
function connect() {
    const socket = new WebSocket(`ws://${location.host}/api/live`);
    socket.onmessage = (message) => {
        const { samples, ...status } = JSON.parse(message.data);
        const grown = state.status.end !== status.end;
        if (grown && !status.complete && !state.live) startLive();
        statistics.add(samples);
        timeline.setStride(statistics.stride());
        setStatus(status);
        if (status.complete) endLive();
        if (grown) {
            timeline.setSpan(status.start, status.end);
            overview().catch(fail);
            needs();
        }
    };
    socket.onclose = () => { state.lost = true; setStatus(state.status); };
}

function startLive() {
    state.live = true;
    $('live-label').hidden = false;
    $('live').checked = true;
    setPlaying(false);
}

// The run has ended: who followed it stands at its end, and there is nothing left to follow.
function endLive() {
    $('live-label').hidden = true;
    if (isFollowing()) state.time = state.status.end;
    state.live = false;
}

function isFollowing() {
    return state.live && $('live').checked;
}

function seek(time, whole = false) {
    $('live').checked = false;
    state.time = clamp(time);
    if (whole) timeline.reveal(state.time);
    needs();
    if (still) settle().then(redraw);
}

function pick(body) {
    state.picked = scene.bodies[body] ? body : -1;
    stage.picked = timeline.picked = state.picked;
    if (state.picked < 0) stage.following = false;
    timeline.jump = true;
    timeline.dirty = true;
    if (still && document.body.dataset.ready) redraw();
}

// Playing from the end, or while a run is followed, is playing from the start.
function setPlaying(playing) {
    if (playing && (isFollowing() || state.time >= state.status.end)) state.time = state.status.start;
    if (playing) $('live').checked = false;
    state.playing = playing;
    $('play').textContent = playing ? 'Pause' : 'Play';
}

function setColour(mode) {
    state.colour = MODES[mode] ? mode : 'body';
    $('colour').value = state.colour;
    if (state.colour !== 'body') loadClocks();
}

function setRows(which) {
    $('rows').value = timeline.which = which;
    timeline.first = 0;
    timeline.dirty = true;
}

let clocksAt = -1, clocksBusy = false;
async function loadClocks() {
    if (clocksBusy || clocksAt === state.time) return;
    clocksBusy = true;
    clocksAt = state.time;
    try {
        state.clocks = await ask(`/api/clocks?time=${state.time}`);
    } finally {
        clocksBusy = false;
    }
}

function applyTheme() {
    const wish = query.get('theme');
    const dark = wish ? wish === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    stage.theme(dark);
    timeline.dirty = true;
}

function legend(most) {
    const unit = MODES[state.colour].legend;
    $('legend').hidden = unit === null || most === null;
    if ($('legend').hidden) return;
    const stops = [0, 0.25, 0.5, 0.75, 1].map((part) => css(ramp(part))).join(', ');
    const bar = document.createElement('i');
    bar.style.background = `linear-gradient(90deg, ${stops})`;
    $('legend').replaceChildren('0', bar, `${number(Number(most.toPrecision(3)))} ${unit}`);
}

// GVT as the run had it when it was where we look: the last one noted, by the clocks or by a rollback.
function gvtNow() {
    if (isFollowing()) return state.status.gvt;
    let gvt = state.clocks?.gvt ?? null;
    if (gvt !== null) for (const row of timeline.undone) if (row[4] <= state.time && row[4] > gvt) gvt = row[4];
    return gvt;
}

let panelsAt = 0, clocksDue = 0, before = 0, painted = null, paintedClocks = null;
function update(now) {
    if (history.evaluate(state.time)) {
        stage.show(history.now, state.time);
        const most = paint(state.colour, scene.bodies, history.now, state.clocks, gvtNow(), colours);
        if (most !== null || state.colour === 'group' || painted !== state.colour || state.clocks !== paintedClocks) {
            stage.parts.paint(colours);
            [painted, paintedClocks] = [state.colour, state.clocks];
        }
        legend(most);
    }
    timeline.draw(state.time, gvtNow(), state.clocks);
    if (now - clocksDue > CLOCKS_EVERY_MS) {
        clocksDue = now;
        loadClocks().catch(fail);
    }
    if (now - panelsAt > PANELS_EVERY_MS) {
        panelsAt = now;
        card.show(state.picked, scene.bodies, history, state.time, state.clocks, gvtNow());
        statistics.draw(state.time);
        stage.drawTrail(history.shown, state.time, 1.5);
    }
    $('time').textContent = `${state.time.toFixed(3)} s`;
}

function frame(now) {
    const began = performance.now();
    const seconds = Math.min((now - before) / 1000, 0.1);
    before = now;
    if (isFollowing()) {
        state.time = clamp(Math.max(state.status.end - 0.05, state.status.start));
        needs();
    } else if (state.playing) {
        const next = clamp(state.time + seconds * state.speed);
        if (history.at(next)) state.time = next;
        if (state.time >= state.status.end && state.status.complete) setPlaying(false);
        needs();
    }
    timeline.reveal(state.time);
    update(now);
    state.scriptMs = performance.now() - began;
    state.frames += 1;
    stage.draw();
    if (!document.body.dataset.ready) performance.mark('drawn');
    document.body.dataset.ready ??= 'yes';
    if (state.frames === 2) stage.reflect();
    requestAnimationFrame(frame);
}

function redraw() {
    const began = performance.now();
    timeline.reveal(state.time);
    panelsAt = clocksDue = -Infinity;
    update(performance.now());
    state.scriptMs = performance.now() - began;
    state.frames += 1;
    stage.draw();
}

// Resolves when everything that was asked for is here.
async function settle() {
    await loadClocks();
    needs();
    while (history.busy || stage.cloth.some((cloth) => cloth.busy)) await new Promise((resolve) => setTimeout(resolve, 10));
    if (stage.cloth.length) {
        stage.cloth.forEach((cloth) => cloth.show(state.time));
        while (stage.cloth.some((cloth) => cloth.busy)) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await loadUndone();
}

function listen() {
    $('play').onclick = () => setPlaying(!state.playing);
    $('speed').onchange = (event) => { state.speed = Number(event.target.value); };
    $('colour').onchange = (event) => setColour(event.target.value);
    $('fit').onclick = () => { stage.measure(history.now); stage.fit(); };
    $('panels').onclick = () => { document.body.dataset.panels = document.body.dataset.panels === 'off' ? 'on' : 'off'; timeline.dirty = true; };
    $('unpick').onclick = () => pick(-1);
    $('follow').onclick = () => { stage.following = !stage.following; };
    $('rows').onchange = (event) => setRows(event.target.value);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
    let pressed = null;
    $('stage').addEventListener('pointerdown', (event) => { pressed = [event.clientX, event.clientY]; });
    $('stage').addEventListener('pointerup', (event) => {
        const moved = pressed ? Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) : 9;
        if (moved < 4) pick(stage.bodyAt(event.clientX, event.clientY));
    });
    document.addEventListener('keydown', (event) => {
        if (event.target.matches('select, input')) return;
        const step = (timeline.range[1] - timeline.range[0]) / 200;
        const act = {
            ' ': () => setPlaying(!state.playing), ArrowRight: () => seek(state.time + step), ArrowLeft: () => seek(state.time - step),
            Home: () => seek(state.status.start, true), End: () => seek(state.status.end, true),
            f: () => $('fit').click(), p: () => $('panels').click(), Escape: () => pick(-1),
        }[event.key];
        if (!act) return;
        event.preventDefault();
        act();
    });
    if (still) stage.controls.addEventListener('change', () => stage.draw());
}

// What the marks of the timeline mean.
function keys() {
    const marks = ['collision', 'fusion', 'fission', 'touch', 'callback', 'input'].map((event) => [event, EVENT_COLOURS[event]]);
    marks.push(['undone', 'var(--undone)'], ['ahead of GVT', 'var(--gvt)']);
    $('keys').replaceChildren(...marks.map(([name, colour]) => {
        const item = document.createElement('span'), dot = document.createElement('i');
        dot.style.background = colour;
        item.append(dot, name);
        return item;
    }));
}

window.warpline = {
    seek: async (time) => { state.time = clamp(time); timeline.reveal(state.time); needs(); await settle(); redraw(); },
    pick: (body) => { pick(body); redraw(); },
    colour: async (mode) => { setColour(mode); clocksAt = -1; await loadClocks(); redraw(); },
    pickAt: (x, y) => stage.bodyAt(x, y),
    screen: (body) => {
        const box = $('stage').getBoundingClientRect();
        const p = stage.camera.position.clone().fromArray(history.now.position, 3 * body).project(stage.camera);
        return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
    },
    redraw,
    // One frame's script at a time, in ms, as when playing: panels at their own pace, nothing drawn by GL.
    step: (time) => {
        const began = performance.now();
        state.time = clamp(time);
        timeline.reveal(state.time);
        update(began);
        return performance.now() - began;
    },
    report: () => ({
        time: state.time, end: state.status.end, complete: state.status.complete, playing: state.playing, picked: state.picked,
        gvt: gvtNow(), frames: state.frames, scriptMs: state.scriptMs, undone: timeline.undoneShown ?? 0, windows: history.windows.length,
        rows: timeline.rows?.length ?? 0, samples: statistics.samples.length, live: state.live, position: [...history.now.position.slice(0, 30)],
    }),
};

begin().catch(fail);
