// The page: one clock drives the scene, the timeline and the panels. Nothing is drawn while nothing changes:
// whatever changes something calls `wake`. `?still` draws on demand only, for tests and pictures;
// `window.warpline` is their handle.
import { ask, order, pageOf, path, run } from './api.js';
import { EVENT_COLOURS, MODES, own, paint } from './colours.js';
import { pressing } from './forces.js';
import { openHelp } from './help.js';
import { History } from './history.js';
import { Legend } from './legend.js';
import { BodyCard, Statistics, number } from './panels.js';
import { Pull } from './pull.js';
import { recentPushes } from './pushes.js';
import { Scenes } from './scenes.js';
import { Stage } from './stage.js';
import { Timeline } from './timeline.js';
import { Tour, plot, steps } from './tour.js';

const $ = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const still = query.has('still');
const CLOCKS_EVERY_MS = 120;
const PANELS_EVERY_MS = 150;
const ROLLBACKS_EVERY_MS = 2000;
const FRAMES_EVERY_MS = 700;

const state = {
    time: 0, playing: false, speed: 1, live: false, colour: 'body', picked: -1, tour: null, told: null,
    status: null, clocks: null, forces: null, withForces: false, scriptMs: 0, frames: 0, lost: false,
};
let stage, history, timeline, statistics, card, scene, colours, legend, scenes, pull;

function fail(error) {
    console.error(error);
    $('loading').hidden = true;
    $('message').hidden = false;
    $('message').textContent = error.message ?? String(error);
    document.body.dataset.ready = 'error';
}

// A word about what has just happened; it goes by itself.
let noticeEnds = 0;
function notice(text) {
    $('notice').hidden = false;
    $('notice').textContent = text;
    clearTimeout(noticeEnds);
    noticeEnds = setTimeout(() => { $('notice').hidden = true; }, 8000);
}

// Without anything to show, the list of scenes is shown.
function empty() {
    $('loading').textContent = 'Nothing is shown yet: choose a scene, or take the tour.';
    document.body.dataset.ready = 'empty';
    for (const control of document.querySelectorAll('#play, #speed, #rows, #colour, #fit, #panels, #forces')) control.disabled = true;
    applyTheme();
    listenAlways();
    scenes.open();
}

async function begin() {
    performance.mark('script');
    scenes = new Scenes();
    scene = await ask('/api/scene');
    if (!scene) return empty();
    performance.mark('described');
    document.title = `${scene.scene} · Warpline`;
    $('scene').textContent = scene.scene || 'Warpline';
    $('algorithm').textContent = scene.algorithm;
    colours = new Float32Array(3 * scene.bodies.length);
    statistics = new Statistics();
    card = new BodyCard();
    legend = new Legend($('legend'), scene.bodies);
    history = new History(scene.bodies.length, onWindow, fail);
    timeline = new Timeline($('timeline'), scene.bodies, history, { seek, pick, needs, hover });
    stage = new Stage($('stage'), scene, still);
    performance.mark('staged');
    setStatus(scene.status);
    state.time = clamp(Number(query.get('t') ?? state.status.start));
    await firstWindow();
    performance.mark('moved');
    history.evaluate(state.time);
    const places = await ask('/api/bounds');
    await stage.load(history.now, await deforming());
    stage.frame(places);
    applyTheme();
    setColour(query.get('colour') ?? 'body');
    if (query.has('body')) pick(Number(query.get('body')));
    if (query.has('forces')) setForces(true);
    if (query.has('rows')) setRows(query.get('rows'));
    if (query.has('film')) document.body.dataset.film = 'on';
    if (query.has('panels')) document.body.dataset.panels = query.get('panels');
    span();
    timeline.reveal(state.time);
    await overview();
    performance.mark('ready');
    $('loading').hidden = true;
    listenAlways();
    listen();
    keys();
    connect();
    needs();
    if (scene.live) beginLive();
    if (still) {
        stage.reflect();
        await settle();
        if (query.has('tour')) await beginTour();
        redraw();
        document.body.dataset.ready = 'yes';
    } else {
        setPlaying(query.get('play') !== '0' && !query.has('tour') && !state.live);
        if (query.has('tour')) beginTour().catch(fail);
        wake();
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
        const answer = await fetch(path(`/api/vertices/${i}?time=${state.time}`));
        if (answer.ok && (await answer.arrayBuffer()).byteLength > 0) found.add(i);
    }));
    return found;
}

async function overview() {
    timeline.density = await ask('/api/overview?bins=240');
    timeline.dirty = true;
    wake();
}

function span() {
    const { start, end, until, complete } = state.status;
    timeline.setSpan(start, end, complete ? end : until, complete);
}

// What moves may have left the picture since it was framed: asked while a run goes on, and when it has ended.
let framing = false, framedEnd = -1;
async function reframe() {
    if (framing || framedEnd === state.status.end || stage.isHandled || !stage.parts) return;
    [framing, framedEnd] = [true, state.status.end];
    try {
        stage.widen(await ask('/api/bounds'), isMoving());
        wake();
    } finally {
        setTimeout(() => {
            framing = false;
            if (framedEnd !== state.status.end) reframe().catch(fail);
        }, FRAMES_EVERY_MS);
    }
}

// Everything in the picture again.
async function fit() {
    stage.frame(await ask('/api/bounds'));
    stage.home();
    if (still) redraw();
    wake();
}

function clamp(time) {
    return Math.min(Math.max(time, state.status.start), state.status.end);
}

function onWindow() {
    if (!timeline) return;
    timeline.dirty = true;
    span();
    loadUndone().catch(fail);
    wake();
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
    loadRollbacks().catch(fail);
    wake();
}

// How many stretches of each body were undone, for sorting and for the words at the rows.
let rollbacksAt = -Infinity, rollbacksEnd = -1;
async function loadRollbacks() {
    if (rollbacksEnd === state.status.end || performance.now() - rollbacksAt < ROLLBACKS_EVERY_MS) return;
    [rollbacksAt, rollbacksEnd] = [performance.now(), state.status.end];
    timeline.rollbacks = await ask('/api/rollbacks');
    if (timeline.which === 'most') timeline.dirty = true;
    wake();
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
    wake();
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
    const socket = new WebSocket(`ws://${location.host}${path('/api/live')}`);
    socket.onmessage = (message) => {
        const { samples, ...status } = JSON.parse(message.data);
        const grown = state.status.end !== status.end;
        // a slow page may hear of a run's growth and of its end at once: it has followed it, too
        if (grown && !state.status.complete && !state.live) startLive();
        statistics.add(samples);
        timeline.setStride(statistics.stride());
        setStatus(status);
        if (status.complete) endLive();
        if (grown) {
            history.grow(status.end);
            span();
            overview().catch(fail);
            reframe().catch(fail);
            needs();
        }
        wake();
    };
    socket.onclose = () => {
        state.lost = true;
        setStatus(state.status);
        if (!state.status.complete) notice('The viewer has gone: what has been loaded can still be looked at.');
    };
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
    timeline.horizon = -Infinity;
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
    wake();
}

function pick(body) {
    state.picked = scene.bodies[body] ? body : -1;
    stage.picked = timeline.picked = state.picked;
    if (state.picked < 0) stage.following = false;
    timeline.jump = true;
    timeline.dirty = true;
    if (still && document.body.dataset.ready) redraw();
    wake();
}

// Playing from the end, or while a run is followed, is playing from the start.
function setPlaying(playing) {
    if (playing && (isFollowing() || state.time >= state.status.end)) state.time = state.status.start;
    if (playing) $('live').checked = false;
    state.playing = playing;
    $('play').textContent = playing ? 'Pause' : 'Play';
    wake();
}

function setColour(mode) {
    state.colour = MODES[mode] ? mode : 'body';
    $('colour').value = state.colour;
    if (state.colour !== 'body') loadClocks().catch(fail);
    painted = null;
    wake();
}

function setRows(which) {
    $('rows').value = timeline.which = which;
    timeline.first = 0;
    timeline.dirty = true;
    wake();
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
        // what has changed meanwhile is asked for a little later
        if (!still) setTimeout(wake, clocksAt === state.time ? 0 : CLOCKS_EVERY_MS);
    }
}

// Contact forces are fetched while they are shown: all, or those on the picked body.
let forcesAt = -1, forcesBusy = false;
async function loadForces() {
    const wanted = state.withForces || state.picked >= 0;
    if (forcesBusy || (wanted && forcesAt === state.time) || (!wanted && !state.forces)) return;
    forcesBusy = true;
    forcesAt = wanted ? state.time : -1;
    try {
        state.forces = wanted ? await ask(`/api/forces?time=${state.time}`) : null;
    } finally {
        forcesBusy = false;
        if (!still) setTimeout(wake, forcesAt === state.time ? 0 : CLOCKS_EVERY_MS);
    }
}

function setForces(shown) {
    state.withForces = shown;
    $('forces').setAttribute('aria-pressed', String(shown));
    if (still && document.body.dataset.ready) settle().then(redraw);
    wake();
}

function applyTheme() {
    const wish = query.get('theme');
    const dark = wish ? wish === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    // a scene that stands on a dark or a light ground does so on every page
    stage?.theme(wish ? dark : scene?.look?.dark ?? dark);
    if (timeline) timeline.dirty = true;
    wake();
}

// Words at the pointer.
function hover(text, event) {
    const box = $('hover');
    box.hidden = !text;
    if (!text) return;
    box.textContent = text;
    const { innerWidth } = window, width = Math.min(320, innerWidth - 16);
    box.style.maxWidth = `${width}px`;
    box.style.left = `${Math.min(Math.max(event.clientX + 12, 8), innerWidth - Math.min(box.offsetWidth, width) - 8)}px`;
    box.style.top = `${event.clientY - box.offsetHeight - 10}px`;
}

// GVT as the run had it when it was where we look: the last one noted, by the clocks or by a rollback.
function gvtNow() {
    if (state.told) return state.told.gvt;
    if (isFollowing()) return state.status.gvt;
    let gvt = state.clocks?.gvt ?? null;
    // before the first commit, GVT stands before all times
    if (gvt !== null && gvt < state.status.start) gvt = state.status.start;
    if (gvt !== null) for (const row of timeline.undone) if (row[4] <= state.time && row[4] > gvt) gvt = row[4];
    return gvt;
}

// How far every body has been computed: as noted in the recording, or as the tour tells it.
function clocksNow() {
    return state.told ? { ...state.clocks, lvt: state.told.lvt, gvt: state.told.gvt } : state.clocks;
}

function showGvt(gvt) {
    $('gvt').hidden = gvt === null || gvt === undefined;
    if ($('gvt').hidden) return;
    const clocks = clocksNow(), ahead = (clocks?.lvt ?? []).filter((lvt, i) => scene.bodies[i].kind !== 'fixed' && lvt > gvt).length;
    $('gvt').textContent = `GVT ${gvt.toFixed(3)} s · ${ahead} ahead`;
    $('gvt').title = `Global virtual time: all before ${gvt.toFixed(4)} s is final and can never be rolled back. ${ahead} bodies have been computed beyond it and may still lose that.`;
}

let toldGvt = null;
let panelsAt = 0, clocksDue = 0, before = 0, painted = null, paintedClocks = null;
function update(now) {
    const clocks = clocksNow(), gvt = gvtNow();
    if (history.evaluate(state.time)) {
        stage.show(history.now, state.time);
        const most = paint(state.colour, scene.bodies, history.now, clocks, gvt, colours);
        if (most !== null || state.colour === 'group' || painted !== state.colour || state.clocks !== paintedClocks) {
            stage.parts.paint(colours);
            [painted, paintedClocks] = [state.colour, state.clocks];
        }
        legend.show(state.colour, most, clocks);
        stage.pushes.show(recentPushes(history.shown, state.time, stage));
        stage.forces.show(state.forces, history.now, state.withForces ? -1 : state.picked, stage.radius);
    }
    stage.ghosts.show(state.told?.ghosts ?? []);
    timeline.draw(state.time, gvt, clocks);
    if (now - clocksDue > CLOCKS_EVERY_MS) {
        clocksDue = now;
        loadClocks().catch(fail);
        loadForces().catch(fail);
    }
    if (now - panelsAt > PANELS_EVERY_MS || !isMoving()) {
        panelsAt = now;
        card.show(state.picked, scene.bodies, history, state.time, clocks, gvt, pressing(state.forces, state.picked));
        statistics.draw(state.time);
        stage.drawTrail(history.shown, state.time, 1.5);
    }
    // the header and the timeline say the same at every moment
    if (toldGvt?.gvt !== gvt || toldGvt.clocks !== clocks) showGvt(gvt);
    toldGvt = { gvt, clocks };
    $('time').textContent = `${state.time.toFixed(3)} s`;
}

function isMoving() {
    return state.playing || isFollowing() || Boolean(state.tour?.moving) || stage.isGliding;
}

// Asks for one more frame, unless one is on its way.
let awake = false;
function wake() {
    if (awake || still || !stage?.parts || document.body.dataset.ready === 'error') return;
    awake = true;
    requestAnimationFrame(frame);
}

// A followed run is shown a little behind its end, smoothly if it goes with the clock, by jumps if it runs away.
function followed(seconds) {
    const { start, end } = state.status, gap = end - state.time;
    if (gap > 1.5) return Math.max(end - 0.4, start);
    return Math.max(clamp(state.time + seconds * Math.min(gap / 0.4, 2)), start);
}

function frame(now) {
    awake = false;
    const began = performance.now();
    const seconds = before && isMoving() ? Math.min((now - before) / 1000, 0.1) : 0;
    before = now;
    if (state.tour) {
        tell(seconds);
    } else if (isFollowing()) {
        state.time = followed(Math.max(seconds, 1 / 120));
        if (state.clocks?.lvt.length) timeline.setHorizon(furthest());
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
    stage.draw(isMoving());
    if (!document.body.dataset.ready) performance.mark('drawn');
    document.body.dataset.ready ??= 'yes';
    if (state.frames === 2) stage.reflect();
    if (isMoving() || state.frames < 3) wake();
    else before = 0;
}

// The farthest that a body has been computed; what rests, which is ahead of everything, does not count.
function furthest() {
    const { lvt } = state.clocks, until = state.status.until;
    return lvt.reduce((most, time, i) => (scene.bodies[i].kind !== 'fixed' && time < until ? Math.max(most, time) : most), state.status.end);
}

// The tour: its own recording, or the story in the one that is shown.
async function beginTour() {
    // the tour is told over a whole run: its own takes no time, but may not have ended yet
    for (let waited = 0; query.has('tour') && !state.status.complete && waited < 200; waited++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        setStatus(await ask('/api/status'));
    }
    const undone = await ask(`/api/undone?from=${state.status.start - 1}&to=${state.status.end + 1}`);
    history.windows = [];
    history.want([state.status.start]);
    while (history.busy) await new Promise((resolve) => setTimeout(resolve, 20));
    const window = history.at(state.status.start);
    const story = window && plot(scene.bodies, undone, window);
    if (!story || !state.status.complete) return query.has('tour') ? notice('This run has no rollback that could be told.') : openTour();
    setPlaying(false);
    $('live').checked = false;
    document.body.dataset.tour = 'on';
    timeline.zoomed = true;
    timeline.moveTo(state.status.start, state.status.end - state.status.start);
    stage.fit([0, 1.5, 1]);
    stage.isHandled = true;
    state.ghostly = (body, time) => {
        const piece = window.piece(body, Math.min(time, story.cut - 1e-9));
        return { place: window.extended(piece, time), reach: stage.reach[body], colour: own(scene.bodies[body], body) };
    };
    state.tour = new Tour(steps(scene.bodies, story, state.status.end), {
        wake, finish: endTour,
        further: () => start({ scene: 'atoms', look_ahead: '0.3', set: '' }, '&rows=most&colour=ahead'),
    });
    state.tour.met = [story.first, story.second, story.met];
    tell(0);
    wake();
}

// One moment of the tour.
function tell(seconds) {
    const shown = state.tour.advance(seconds);
    state.time = clamp(shown.time);
    state.told = { gvt: shown.gvt, lvt: shown.lvt, ghosts: shown.ghosts.map(([body, time]) => state.ghostly(body, time)) };
    timeline.told = { undone: shown.undone, until: state.time, met: shown.met ? state.tour.met : null };
    timeline.dirty = true;
}

function endTour() {
    state.tour = state.told = timeline.told = null;
    timeline.dirty = true;
    delete document.body.dataset.tour;
    wake();
}

// The tour's recording is a run of its own.
function openTour() {
    return start({ scene: 'tour' }, '&tour');
}

async function start(wish, extra = '') {
    try {
        const answer = await order('/api/start', wish);
        location.href = pageOf(answer.run, extra);
    } catch (error) {
        notice(error.message);
    }
}

// A live run: bodies can be pulled at.
function beginLive() {
    $('live-card').hidden = false;
    let inputs = 0;
    pull = new Pull($('stage'), stage, {
        time: () => state.time, wake,
        pulled: (answer, name) => {
            inputs = answer.inputs;
            const names = answer.changed.map((body) => scene.bodies[body]?.name ?? body);
            const who = names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ');
            $('live-told').textContent = `You pulled at ${name} at ${answer.at.toFixed(3)} s; the run had come to ${answer.now.toFixed(3)} s. Rolled back: ${who || 'nobody'}${answer.again ? `; ${answer.again} computed again and came out as before` : ''}. All others were left alone.`;
            $('compare').disabled = false;
            notice($('live-told').textContent);
        },
        refused: (error) => notice(error.message),
    });
    $('compare').onclick = async () => {
        try {
            const answer = await order('/api/start', { live: true, scene: '', inputs: Math.max(inputs - 1, 0) });
            beside(answer.run);
        } catch (error) {
            notice(error.message);
        }
    };
}

// Another run beside this one.
function beside(number) {
    document.querySelector('#beside')?.remove();
    const other = Object.assign(document.createElement('iframe'), { id: 'beside', src: pageOf(number, '&panels=off&inside'), title: 'the same run without the last pull' });
    $('view').after(other);
    document.body.dataset.beside = 'on';
    notice('Right: the same run without the last pull.');
}

function redraw() {
    const began = performance.now();
    timeline.reveal(state.time);
    panelsAt = clocksDue = -Infinity;
    if (state.tour) tell(0);
    update(performance.now());
    state.scriptMs = performance.now() - began;
    state.frames += 1;
    stage.draw(!query.has('shade'));
}

// Resolves when everything that was asked for is here.
async function settle() {
    await loadClocks();
    await loadForces();
    needs();
    // what a drawing has asked for meanwhile is waited for, too
    while (clocksBusy || forcesBusy || history.busy || stage.cloth.some((cloth) => cloth.busy)) await new Promise((resolve) => setTimeout(resolve, 10));
    if (stage.cloth.length) {
        stage.cloth.forEach((cloth) => cloth.show(state.time));
        while (stage.cloth.some((cloth) => cloth.busy)) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await loadUndone();
}

// What works even where nothing is shown.
function listenAlways() {
    $('scenes-button').onclick = () => scenes.open();
    $('help-button').onclick = openHelp;
    $('tour-button').onclick = () => (scene && timeline ? beginTour() : openTour()).catch?.(fail);
    document.addEventListener('keydown', (event) => {
        if (event.target.matches('select, input') || event.ctrlKey || event.metaKey || event.altKey) return;
        const act = { '?': openHelp, s: () => scenes.open(), t: () => $('tour-button').click() }[event.key];
        if (!act || (document.querySelector('dialog[open]') && event.key !== '?')) return;
        event.preventDefault();
        act();
    });
}

function listen() {
    $('play').onclick = () => { if (state.tour) state.tour.end(); setPlaying(!state.playing); };
    $('speed').onchange = (event) => { state.speed = Number(event.target.value); };
    $('live').onchange = () => { if ($('live').checked) setPlaying(false); wake(); };
    $('colour').onchange = (event) => setColour(event.target.value);
    $('fit').onclick = () => fit().catch(fail);
    $('forces').onclick = () => setForces(!state.withForces);
    $('panels').onclick = () => { document.body.dataset.panels = document.body.dataset.panels === 'off' ? 'on' : 'off'; timeline.dirty = true; wake(); };
    $('unpick').onclick = () => pick(-1);
    $('follow').onclick = () => { stage.following = !stage.following; wake(); };
    $('rows').onchange = (event) => setRows(event.target.value);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
    new ResizeObserver(() => { timeline.dirty = true; if (still) redraw(); else wake(); }).observe($('view'));
    let pressed = null;
    $('stage').addEventListener('pointerdown', (event) => { pressed = [event.clientX, event.clientY]; });
    $('stage').addEventListener('pointerup', (event) => {
        const moved = pressed ? Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) : 9;
        if (moved < 4) pick(stage.bodyAt(event.clientX, event.clientY));
    });
    $('stage').addEventListener('pointermove', (event) => {
        const body = event.buttons ? -1 : stage.bodyAt(event.clientX, event.clientY);
        hover(body < 0 ? null : `${scene.bodies[body].name}${timeline.rollbacks[body] ? `, ${timeline.rollbacks[body]} stretches undone` : ''}`, event);
    });
    $('stage').addEventListener('pointerleave', (event) => hover(null, event));
    document.addEventListener('keydown', (event) => {
        if (event.target.matches('select, input') || document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
        const step = (timeline.range[1] - timeline.range[0]) / 200;
        const { tour } = state;
        const act = {
            ' ': () => $('play').click(),
            ArrowRight: () => (tour ? tour.go(tour.index + 1) : seek(state.time + step)), ArrowLeft: () => (tour ? tour.go(tour.index - 1) : seek(state.time - step)),
            Home: () => seek(state.status.start, true), End: () => seek(state.status.end, true),
            f: () => $('fit').click(), p: () => $('panels').click(), c: () => $('forces').click(), r: () => setRows(timeline.which === 'most' ? 'all' : 'most'),
            Escape: () => (tour ? tour.end() : pick(-1)),
        }[event.key];
        if (!act) return;
        event.preventDefault();
        act();
    });
    stage.controls.addEventListener('change', () => { if (!still) wake(); else if (!stage.drawing) stage.draw(true); });
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
    // One step of the tour, at a part of its motion: for pictures.
    tour: (index, part) => { state.tour.go(index); state.tour.part = part; tell(0); redraw(); },
    film: () => state.tour.list.map((step) => step.seconds),
    pickAt: (x, y) => stage.bodyAt(x, y),
    screen: (body) => {
        const box = $('stage').getBoundingClientRect();
        const p = stage.camera.position.clone().fromArray(history.now.position, 3 * body).project(stage.camera);
        return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
    },
    // The moment at which the timeline's line stands.
    gvtDrawn: () => timeline.gvtDrawn,
    // The bodies that move and whose middle is not in the picture.
    unseen: () => scene.bodies.flatMap(({ kind, name }, i) => {
        if (kind === 'fixed' || !history.now.present[i]) return [];
        const p = stage.camera.position.clone().fromArray(history.now.position, 3 * i).project(stage.camera);
        return Math.abs(p.x) < 1 && Math.abs(p.y) < 1 && p.z < 1 ? [] : [name];
    }),
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
        gvt: gvtNow(), frames: state.frames, arrows: stage.forces.shown ?? 0, shaded: stage.shade?.drawn ?? 0, lit: stage.lit?.centre.toArray(), scriptMs: state.scriptMs, undone: timeline.undoneShown ?? 0, windows: history.windows.length,
        rows: timeline.rows?.length ?? 0, first: timeline.rows?.[0], tour: state.tour ? state.tour.index : null, range: [...timeline.range], run, planes: stage.planes?.length ?? 0, camera: stage.camera.position.toArray(), labels: timeline.labels, marks: timeline.marks.length, covered: timeline.covered ?? 0, lights: stage.lit?.reach, samples: statistics.samples.length, live: state.live, position: [...history.now.position.slice(0, 30)],
    }),
};

begin().catch(fail);
