// Time itself: a worldline for each body, collisions as links between them, what was undone crossed
// out, how far each body runs ahead, and GVT. Dragging here is scrubbing; the wheel zooms.
import { CONTINUE, EVENTS, NOBODY, STEP } from './history.js';
import { EVENT_COLOURS, css, groupColour, own } from './colours.js';

const WIDE_GUTTER = 116, NARROW_GUTTER = 64, NARROW = 560;
const AXIS = 22, OVERVIEW = 14;
const TARGET_EVENTS = 160;
// The least that is shown at first, s: less runs by too quickly to be followed. Of a run that grows, at most so much is
// shown before it begins to slide.
const LEAST_SHOWN = 2, MOST_GROWING = 6;
// Windows of motion that may be needed to draw the least.
const MOST_WINDOWS = 3;
const MAX_LINKS = 6000;

export class Timeline {
    constructor(root, bodies, history, actions) {
        this.lines = root.querySelector('#lines');
        this.overlay = root.querySelector('#overlay');
        this.bodies = bodies;
        this.history = history;
        this.actions = actions;
        this.start = 0;
        this.end = 1;
        this.first = 0;
        this.range = [0, 1];
        this.sized = false;
        this.zoomed = false;
        this.density = [];
        this.undone = [];
        this.picked = -1;
        this.which = 'all';
        this.stride = 0;
        this.gutter = WIDE_GUTTER;
        // how far bodies have been computed beyond what is recorded, s
        this.horizon = -Infinity;
        this.rollbacks = [];
        this.marks = [];
        this.dirty = true;
        this.listen();
    }

    // The recording's span, and the moment `until` which a run goes on to. How much of it is shown follows from the rate of
    // events, once there is enough to tell it by.
    setSpan(start, end, until = end, isComplete = true) {
        const all = this.range[0] <= this.start && this.range[1] >= this.end;
        this.start = start;
        this.end = Math.max(end, start + 1e-9);
        this.until = Math.max(until, this.end);
        const window = this.history.windows.find((window) => window.covers(start)) ?? this.history.windows[0];
        const tells = window && (isComplete || !window.atEnd || window.to - window.from >= LEAST_SHOWN);
        if (!this.sized && tells) {
            const width = Math.min(this.wish(window), this.until - start);
            this.range = [start, start + width];
            this.sized = true;
        } else if (!this.sized) {
            this.range = [start, Math.min(Math.max(this.end, start + LEAST_SHOWN), this.until)];
        } else if (all && !this.zoomed && (isComplete || this.end - start <= MOST_GROWING)) {
            this.range = [start, Math.max(this.end, this.range[1])];
        }
        if (isComplete) this.range[1] = Math.min(this.range[1], Math.max(this.end, this.range[0] + 1e-6));
        this.dirty = true;
    }

    // How much can be read at once, s, and not less than can be followed at the pace of the clock.
    wish(window) {
        const moving = this.bodies.filter((body) => body.kind !== 'fixed').length || 1;
        const visible = Math.min(this.lines.clientHeight / 11 / moving, 1);
        const events = (window.count - window.current) * visible, covered = window.to - window.from;
        const readable = events > TARGET_EVENTS ? covered * TARGET_EVENTS / events : Infinity;
        const most = window.atEnd ? Infinity : MOST_WINDOWS * covered;
        return Math.max(Math.min(Math.max(readable, LEAST_SHOWN), most), 1e-6);
    }

    // Unless somebody has zoomed, a stride of GVT and what follows it are in view.
    setStride(stride) {
        if (stride === this.stride) return;
        this.stride = stride;
        const width = this.range[1] - this.range[0];
        if (!this.zoomed && width < 2.5 * stride) this.moveTo(this.range[0] - stride, 2.5 * stride);
    }

    // While a run is followed, what its bodies have computed beyond the end of the recording is in view too.
    setHorizon(horizon) {
        const reach = Math.max(horizon, this.end);
        if (reach === this.horizon) return;
        this.horizon = reach;
        const width = this.range[1] - this.range[0];
        if (!this.zoomed && this.range[1] < reach) this.moveTo(reach - Math.max(width, 2 * (reach - this.end)), Math.max(width, 2 * (reach - this.end)));
        this.dirty = true;
    }

    // Keeps a time in view, turning the page when it leaves.
    reveal(time) {
        const [from, to] = this.range, width = to - from;
        if (time >= from && time <= from + 0.92 * width) return;
        if (time > to - 0.08 * width && to >= this.end && time <= to) return;
        const begin = time < from ? time - 0.5 * width : time - 0.12 * width;
        this.moveTo(begin, width);
    }

    moveTo(begin, width) {
        const last = Math.max(this.end, this.horizon, Math.min(this.start + LEAST_SHOWN, this.until));
        const size = Math.min(Math.max(width, 1e-6), last - this.start);
        const from = Math.min(Math.max(begin, this.start), last - size);
        this.range = [from, from + size];
        this.dirty = true;
        this.actions.needs();
    }

    x(time) {
        return this.gutter + (time - this.range[0]) / (this.range[1] - this.range[0]) * (this.width - this.gutter - 8);
    }

    time(x) {
        const part = (x - this.gutter) / (this.width - this.gutter - 8);
        return Math.min(Math.max(this.range[0] + part * (this.range[1] - this.range[0]), this.start), this.end);
    }

    // The bodies that have a row: what moves, or of it who was rolled back; or the picked body and whom it meets.
    chooseRows(windows) {
        let rows = this.bodies.map((_, i) => i).filter((i) => this.bodies[i].kind !== 'fixed');
        if (this.which === 'most') {
            const count = (body) => this.rollbacks[body] ?? 0;
            rows.sort((a, b) => count(b) - count(a) || a - b);
        }
        if (this.which === 'undone') {
            const lost = new Set(this.undone.filter(([, , from, to]) => to >= this.range[0] && from <= this.range[1]).map(([body]) => body));
            rows = rows.filter((body) => lost.has(body));
        }
        if (this.which === 'partners' && this.picked >= 0) {
            const met = new Set([this.picked]);
            for (const w of windows) {
                for (let i = 0; i < w.count; i++) if (w.body(i) === this.picked && w.partner(i) !== NOBODY) met.add(w.partner(i));
            }
            rows = [...met];
        }
        const space = Math.max(Math.floor((this.height - AXIS - OVERVIEW) / 11), 1);
        this.first = Math.min(Math.max(this.first, 0), Math.max(rows.length - space, 0));
        if (this.picked >= 0 && this.which !== 'partners') {
            const place = rows.indexOf(this.picked);
            if (place >= 0 && (place < this.first || place >= this.first + space) && this.jump) {
                this.first = Math.max(place - (space >> 1), 0);
            }
            this.jump = false;
        }
        this.rows = rows.slice(this.first, this.first + space);
        this.more = rows.length - this.rows.length;
        this.pitch = Math.min((this.height - AXIS - OVERVIEW) / Math.max(this.rows.length, 1), 26);
        this.rowOf = new Int32Array(this.bodies.length).fill(-1);
        this.rows.forEach((body, row) => { this.rowOf[body] = row; });
    }

    y(row) {
        return AXIS + OVERVIEW + (row + 0.5) * this.pitch;
    }

    prepare(canvas) {
        const ratio = Math.min(window.devicePixelRatio, 2);
        const { clientWidth, clientHeight } = canvas;
        if (canvas.width !== Math.round(clientWidth * ratio) || canvas.height !== Math.round(clientHeight * ratio)) {
            canvas.width = Math.round(clientWidth * ratio);
            canvas.height = Math.round(clientHeight * ratio);
            this.dirty = true;
        }
        this.width = clientWidth;
        this.height = clientHeight;
        this.gutter = clientWidth < NARROW ? NARROW_GUTTER : WIDE_GUTTER;
        const paint = canvas.getContext('2d');
        paint.setTransform(ratio, 0, 0, ratio, 0, 0);
        paint.clearRect(0, 0, clientWidth, clientHeight);
        paint.font = '11px system-ui, "DejaVu Sans", sans-serif';
        return paint;
    }

    colours() {
        const style = getComputedStyle(document.documentElement);
        const get = (name) => style.getPropertyValue(`--${name}`).trim();
        this.ink = { line: get('line'), text: get('text'), quiet: get('quiet'), accent: get('accent'), gvt: get('gvt'), undone: get('undone'), grid: get('grid'), panel: get('panel') };
    }

    draw(time, gvt, clocks) {
        if (this.lines.clientWidth * this.lines.clientHeight === 0) return;
        const changed = this.lines.width !== Math.round(this.lines.clientWidth * Math.min(window.devicePixelRatio, 2));
        if (this.dirty || changed) {
            this.colours();
            this.drawLines();
            this.dirty = false;
        }
        this.drawOverlay(time, gvt, clocks);
    }

    drawLines() {
        const paint = this.prepare(this.lines);
        const windows = this.history.between(this.range[0], this.range[1]);
        this.covered = windows.at(-1)?.to ?? -Infinity;
        this.chooseRows(windows);
        this.drawOverview(paint);
        this.drawAxis(paint);
        this.drawGroups(paint, windows);
        this.drawRows(paint);
        this.drawHistory(paint, windows);
    }

    // The whole recording as a strip: events over time, and which part is shown below.
    drawOverview(paint) {
        const { density, width } = this, span = width - this.gutter - 8, most = Math.max(...density.slice(1), 1e-9);
        paint.fillStyle = this.ink.grid;
        paint.fillRect(this.gutter, 2, span, OVERVIEW - 3);
        paint.fillStyle = this.ink.quiet;
        density.forEach((count, i) => {
            const height = (OVERVIEW - 4) * Math.sqrt(Math.min(count / most, 1));
            paint.fillRect(this.gutter + span * i / density.length, OVERVIEW - 1 - height, Math.max(span / density.length - 0.5, 0.5), height);
        });
        const place = (t) => this.gutter + span * (t - this.start) / (this.end - this.start);
        paint.strokeStyle = this.ink.accent;
        paint.lineWidth = 1.5;
        paint.strokeRect(place(this.range[0]), 1.5, Math.max(place(this.range[1]) - place(this.range[0]), 2), OVERVIEW - 2);
        paint.fillStyle = this.ink.quiet;
        paint.textAlign = 'right';
        paint.fillText('whole run', this.gutter - 8, OVERVIEW - 3);
    }

    drawAxis(paint) {
        const width = this.range[1] - this.range[0];
        const rough = width / Math.max((this.width - this.gutter) / 110, 1);
        const power = 10 ** Math.floor(Math.log10(rough));
        const step = power * ([1, 2, 5, 10].find((m) => m * power >= rough) ?? 10);
        const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
        paint.textAlign = 'center';
        paint.lineWidth = 1;
        for (let t = Math.ceil(this.range[0] / step) * step; t <= this.range[1] + 1e-12; t += step) {
            const x = Math.round(this.x(t)) + 0.5;
            paint.strokeStyle = this.ink.grid;
            paint.beginPath();
            paint.moveTo(x, OVERVIEW + AXIS - 4);
            paint.lineTo(x, this.height);
            paint.stroke();
            paint.fillStyle = this.ink.quiet;
            if (x > this.gutter + 16) paint.fillText(`${t.toFixed(digits)} s`, x, OVERVIEW + 12);
        }
    }

    drawRows(paint) {
        paint.textAlign = 'right';
        this.rows.forEach((body, row) => {
            const y = this.y(row), isPicked = body === this.picked;
            paint.strokeStyle = isPicked ? '#ffb020' : css(own(this.bodies[body], body));
            paint.globalAlpha = isPicked ? 1 : 0.75;
            paint.lineWidth = isPicked ? 2.5 : 1.4;
            paint.beginPath();
            paint.moveTo(this.x(Math.max(this.range[0], this.start)), y);
            paint.lineTo(this.x(Math.min(this.range[1], this.end)), y);
            paint.stroke();
            paint.globalAlpha = 1;
            paint.fillStyle = isPicked ? this.ink.text : this.ink.quiet;
            const lost = this.which === 'most' && this.rollbacks[body] ? ` ${this.rollbacks[body]}×` : '';
            const name = this.bodies[body].name, room = (this.gutter > 100 ? 16 : 9) - lost.length;
            paint.fillText((name.length > room ? `${name.slice(0, room - 1)}…` : name) + lost, this.gutter - 8, y + 4);
        });
        if (this.more > 0) {
            paint.fillStyle = this.ink.accent;
            paint.fillText(this.gutter > 100 ? `${this.more} more: scroll` : `+${this.more}`, this.gutter - 8, OVERVIEW + 12);
        }
    }

    // While a body is in a contact group its worldline is a band of the group's colour.
    drawGroups(paint, windows) {
        const height = Math.min(this.pitch * 0.7, 9);
        paint.globalAlpha = 0.45;
        for (const w of windows) {
            this.rows.forEach((body, row) => {
                for (let k = w.offset[body]; k < w.offset[body + 1]; k++) {
                    const group = w.group(w.order[k]);
                    if (group === NOBODY) continue;
                    const from = Math.max(w.start(w.order[k]), w.from, this.range[0]);
                    const next = k + 1 < w.offset[body + 1] ? w.start(w.order[k + 1]) : w.to;
                    const to = Math.min(next, this.range[1]);
                    if (to <= from) continue;
                    paint.fillStyle = css(groupColour(group));
                    paint.fillRect(this.x(from), this.y(row) - height / 2, this.x(to) - this.x(from), height);
                }
            });
        }
        paint.globalAlpha = 1;
    }

    // Links first, dots above them.
    drawHistory(paint, windows) {
        const [from, to] = this.range, dots = new Map(), links = [];
        this.marks = [];
        for (const w of windows) {
            for (let i = 0; i < w.count; i++) {
                const start = w.start(i), event = w.event(i);
                if (start < from || start > to || start > (this.told?.until ?? Infinity) + 1e-9 || event === CONTINUE || event === STEP) continue;
                const row = this.rowOf[w.body(i)];
                if (row < 0) continue;
                if (!dots.has(event)) dots.set(event, []);
                dots.get(event).push(this.x(start), this.y(row));
                const partner = w.partner(i);
                this.marks.push({ x: this.x(start), y: this.y(row), body: w.body(i), event: EVENTS[event], time: start, partner, impulse: w.impulse(i) });
                if (partner === NOBODY || links.length > MAX_LINKS * 3) continue;
                const other = partner < this.rowOf.length ? this.rowOf[partner] : -1;
                if (other > row) links.push(this.x(start), this.y(row), this.y(other));
            }
        }
        paint.strokeStyle = EVENT_COLOURS.collision;
        paint.globalAlpha = 0.45;
        paint.lineWidth = 1;
        paint.beginPath();
        for (let i = 0; i < links.length; i += 3) {
            paint.moveTo(links[i], links[i + 1]);
            paint.lineTo(links[i], links[i + 2]);
        }
        paint.stroke();
        paint.globalAlpha = 1;
        const size = Math.min(this.pitch / 3.2, 3);
        for (const [event, places] of dots) this.drawDots(paint, EVENTS[event], places, size);
    }

    drawDots(paint, event, places, size) {
        paint.fillStyle = EVENT_COLOURS[event] ?? this.ink.quiet;
        paint.beginPath();
        for (let i = 0; i < places.length; i += 2) {
            const x = places[i], y = places[i + 1];
            if (event === 'fusion' || event === 'fission') {
                // an arrow that closes or opens
                const way = event === 'fusion' ? 1 : -1;
                paint.moveTo(x - way * size * 1.3, y - size * 1.4);
                paint.lineTo(x + way * size * 1.3, y);
                paint.lineTo(x - way * size * 1.3, y + size * 1.4);
            } else {
                paint.moveTo(x + size, y);
                paint.arc(x, y, size, 0, 2 * Math.PI);
            }
        }
        paint.fill();
    }

    drawOverlay(time, gvt, clocks) {
        const paint = this.prepare(this.overlay);
        paint.save();
        paint.beginPath();
        paint.rect(this.gutter - 1, 0, this.width - this.gutter, this.height);
        paint.clip();
        this.drawAhead(paint, gvt, clocks);
        this.drawBelief(paint);
        this.drawUndone(paint, time);
        this.labels = {};
        this.drawMoment(paint, time, `${time.toFixed(3)} s`, this.ink.accent, []);
        this.gvtDrawn = gvt;
        this.drawMoment(paint, gvt, 'GVT', this.ink.gvt, [5, 4], this.labels.time);
        const whole = this.gutter + (this.width - this.gutter - 8) * (time - this.start) / (this.end - this.start);
        paint.fillStyle = this.ink.accent;
        paint.fillRect(whole - 1, 1, 2, OVERVIEW - 1);
        paint.restore();
    }

    // From GVT to each body's own time: what it has computed but may still lose.
    drawAhead(paint, gvt, clocks) {
        this.tips = null;
        if (!clocks?.lvt.length) return;
        const from = this.x(Math.max(gvt ?? this.start, this.range[0]));
        paint.fillStyle = this.ink.gvt;
        this.tips = { gvt, lvt: clocks.lvt };
        this.rows.forEach((body, row) => {
            const tip = clocks.lvt[body];
            if (!(tip > gvt)) return;
            const y = this.y(row), h = Math.min(this.pitch * 0.36, 5), x = this.x(tip);
            paint.globalAlpha = 0.22;
            paint.fillRect(from, y - h, x - from, 2 * h);
            paint.globalAlpha = 0.9;
            paint.beginPath();
            paint.moveTo(x, y);
            paint.lineTo(x - 4, y - h);
            paint.lineTo(x - 4, y + h);
            paint.fill();
        });
        paint.globalAlpha = 1;
    }

    // In the tour: an event that two bodies believe in, and that may never be.
    drawBelief(paint) {
        if (!this.told?.met) return;
        const [first, second, time] = this.told.met, x = this.x(time), [a, b] = [first, second].map((body) => this.y(this.rowOf[body]));
        paint.strokeStyle = EVENT_COLOURS.collision;
        paint.lineWidth = 1.4;
        paint.setLineDash([3, 3]);
        paint.beginPath();
        paint.moveTo(x, a);
        paint.lineTo(x, b);
        paint.stroke();
        paint.setLineDash([]);
        for (const y of [a, b]) {
            paint.beginPath();
            paint.arc(x, y, 4, 0, 2 * Math.PI);
            paint.fillStyle = this.ink.panel;
            paint.fill();
            paint.stroke();
        }
    }

    // What rollbacks took back by this time, as in Mirtich's figures 3 and 4: the stretch is struck
    // through, the event that had begun it is crossed out with its link, and a line leads to the cause.
    // What has just been lost is bright.
    drawUndone(paint, time) {
        const recent = 0.1 * (this.range[1] - this.range[0]), fresh = new Path2D(), old = new Path2D();
        const links = new Path2D(), h = Math.min(this.pitch * 0.26, 4);
        let seen = 0;
        this.struck = [];
        for (const lost of this.told?.undone ?? this.undone) {
            const [body, cause, from, to, gvt, event, partner] = lost;
            const row = this.rowOf[body] ?? -1;
            if (row < 0 || (gvt > time && !this.told) || to < this.range[0] || from > this.range[1]) continue;
            const path = this.told || time - gvt <= recent ? fresh : old;
            const y = this.y(row) + this.pitch * 0.24, x0 = this.x(from), x1 = Math.max(this.x(Math.min(to, this.range[1])), x0 + 2);
            this.struck.push({ x0, x1, y, lost });
            path.moveTo(x0, y);
            path.lineTo(x1, y);
            for (let x = x0 + 5; x < x1; x += 9) {
                path.moveTo(x - 2, y + 0.7 * h);
                path.lineTo(x + 2, y - 0.7 * h);
            }
            if (event === CONTINUE) {
                const other = this.rowOf[cause] ?? -1;
                if (other >= 0) path.moveTo(x0, y), path.lineTo(x0, this.y(other));
            } else {
                path.moveTo(x0 - h, y - h);
                path.lineTo(x0 + h, y + h);
                path.moveTo(x0 - h, y + h);
                path.lineTo(x0 + h, y - h);
                const other = this.rowOf[partner] ?? -1;
                if (other > row) links.moveTo(x0, this.y(row)), links.lineTo(x0, this.y(other));
            }
            seen++;
        }
        paint.strokeStyle = this.ink.undone;
        paint.lineWidth = 1;
        paint.globalAlpha = 0.35;
        paint.setLineDash([3, 3]);
        paint.stroke(links);
        paint.setLineDash([]);
        paint.lineWidth = 1.3;
        paint.globalAlpha = 0.5;
        paint.stroke(old);
        paint.globalAlpha = 1;
        paint.lineWidth = 1.6;
        paint.stroke(fresh);
        this.undoneShown = seen;
    }

    // A line with a label. A label that would lie on another goes beside it, and its line, drawn over the other, stays in
    // sight by its dashes.
    drawMoment(paint, time, label, colour, dash, other = null) {
        if (time === null || time === undefined) return;
        const exact = this.x(time), x = Math.min(Math.max(exact, this.gutter + 1), this.width - 9);
        if (exact < this.gutter - 1) label = `◂ ${label}`;
        else if (exact > this.width - 7) label = `${label} ▸`;
        paint.strokeStyle = paint.fillStyle = colour;
        paint.lineWidth = dash.length ? 2.2 : 1.6;
        if (Math.abs(exact - x) < 2) {
            paint.setLineDash(dash);
            paint.beginPath();
            paint.moveTo(x, OVERVIEW + 2);
            paint.lineTo(x, this.height);
            paint.stroke();
            paint.setLineDash([]);
        }
        const size = paint.measureText(label).width + 10;
        let left = Math.min(Math.max(x - size / 2, this.gutter), this.width - size);
        if (other && left < other.right + 2 && left + size > other.left - 2) {
            const before = other.left - size - 2, after = other.right + 2;
            left = (exact < other.at && before >= this.gutter) || after + size > this.width ? before : after;
        }
        this.labels[dash.length ? 'gvt' : 'time'] = { left, right: left + size, at: exact };
        paint.fillRect(left, OVERVIEW + 1, size, 15);
        paint.fillStyle = this.ink.panel;
        paint.textAlign = 'center';
        paint.fillText(label, left + size / 2, OVERVIEW + 12);
    }

    // What stands at a point of the timeline, in words; null where there is nothing.
    meaning(x, y) {
        const name = (body) => this.bodies[body]?.name ?? 'something';
        if (y < OVERVIEW) return 'The whole run: the taller a bar, the more events. Drag to go there.';
        const row = Math.floor((y - AXIS - OVERVIEW) / this.pitch), body = y > AXIS + OVERVIEW ? this.rows?.[row] : undefined;
        const lostBy = this.rollbacks[body] ? `, ${this.rollbacks[body]} stretches undone` : '';
        if (x < this.gutter - 4) return body === undefined ? null : `${name(body)}${lostBy}: click to pick it`;
        let best = null, nearest = 8;
        for (const { x0, x1, y: at, lost } of this.struck ?? []) {
            if (x < x0 - 3 || x > x1 + 3 || Math.abs(y - at) > Math.min(this.pitch / 3, 5)) continue;
            return undoneWords(lost, name);
        }
        for (const mark of this.marks) {
            const distance = Math.hypot(mark.x - x, mark.y - y);
            if (distance < nearest) [best, nearest] = [mark, distance];
        }
        if (best) return markWords(best, name);
        const gvt = this.tips?.gvt;
        if (gvt !== null && gvt !== undefined && Math.abs(this.x(gvt) - x) < 5) {
            return `GVT, global virtual time: ${gvt.toFixed(4)} s. No body can be rolled back beyond it: all before is final.`;
        }
        if (body === undefined) return null;
        const time = this.time(x), tip = this.tips?.lvt[body];
        if (gvt !== null && tip > time && time > gvt) {
            return `${name(body)} has computed ahead to ${tip.toFixed(4)} s by its own clock, ${(tip - gvt).toFixed(4)} s beyond GVT. It may still lose that.`;
        }
        return `${name(body)} at ${time.toFixed(4)} s${lostBy}`;
    }

    listen() {
        const { overlay } = this;
        let drag = null;
        const place = (event) => {
            const box = overlay.getBoundingClientRect();
            return [event.clientX - box.left, event.clientY - box.top];
        };
        const seek = (event) => {
            const [x] = place(event);
            const span = this.width - this.gutter - 8;
            this.actions.seek(drag === 'whole' ? this.start + Math.min(Math.max((x - this.gutter) / span, 0), 1) * (this.end - this.start) : this.time(x), drag === 'whole');
        };
        overlay.addEventListener('pointerdown', (event) => {
            const [x, y] = place(event);
            if (x < this.gutter - 4) {
                const row = Math.floor((y - AXIS - OVERVIEW) / this.pitch);
                if (this.rows[row] !== undefined) this.actions.pick(this.rows[row]);
                return;
            }
            overlay.setPointerCapture(event.pointerId);
            drag = y < OVERVIEW ? 'whole' : 'range';
            seek(event);
        });
        overlay.addEventListener('pointermove', (event) => {
            if (drag) seek(event);
            this.actions.hover(drag ? null : this.meaning(...place(event)), event);
        });
        overlay.addEventListener('pointerleave', (event) => this.actions.hover(null, event));
        overlay.addEventListener('pointerup', () => { drag = null; });
        overlay.addEventListener('pointercancel', () => { drag = null; });
        overlay.addEventListener('wheel', (event) => {
            event.preventDefault();
            const [x] = place(event);
            if (event.shiftKey || x < this.gutter) {
                this.first += Math.sign(event.deltaY || event.deltaX) * 3;
                this.dirty = true;
                this.actions.needs();
                return;
            }
            const about = this.time(x), factor = Math.exp(event.deltaY * 0.0015);
            const width = (this.range[1] - this.range[0]) * factor;
            this.zoomed = true;
            this.moveTo(about - (about - this.range[0]) * factor, width);
        }, { passive: false });
    }
}

const EVENT_WORDS = {
    start: 'begins', collision: 'collides', fusion: 'joins a contact group', fission: 'leaves its contact group', callback: 'is called back',
    input: 'gets an input from outside', piece: 'begins the next piece of its script', rest: 'comes to rest', leave: 'leaves the world', touch: 'touches',
};

function markWords({ body, event, time, partner, impulse }, name) {
    const other = partner === NOBODY ? '' : ` with ${name(partner)}`;
    const push = impulse > 0 ? `, impulse ${impulse.toPrecision(3)} N s` : '';
    return `${name(body)} ${EVENT_WORDS[event] ?? event}${other} at ${time.toFixed(4)} s${push}`;
}

function undoneWords([body, cause, from, to, gvt, event, partner], name) {
    const what = event === CONTINUE ? 'the rest of its flight' : `what followed ${EVENTS[event]}${partner === null ? '' : ` with ${name(partner)}`}`;
    const why = cause === null ? '' : `, because of an event of ${name(cause)} in its past`;
    return `Undone: ${name(body)} from ${from.toFixed(4)} to ${to.toFixed(4)} s, ${what}${why}. GVT was ${gvt.toFixed(4)} s.`;
}
