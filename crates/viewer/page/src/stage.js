// The scene in three dimensions: light, shadow, camera, and what is picked.
import {
    ACESFilmicToneMapping, BufferAttribute, BufferGeometry, Color, DirectionalLight, Fog, HemisphereLight, Line, LineBasicMaterial,
    Mesh, MeshBasicMaterial, PerspectiveCamera, PCFSoftShadowMap, PMREMGenerator, RingGeometry, Scene, Vector2, Vector3,
    WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { Cloth } from './cloth.js';
import { own } from './colours.js';
import { states as makeStates } from './history.js';
import { Parts, fetchSurface, reach } from './parts.js';
import { Axes, Ghosts, Links, Pushes } from './extras.js';
import { Forces } from './forces.js';
import { planeMeshes } from './planes.js';
import { Shade, untoned } from './shade.js';

const TRAIL_POINTS = 240;
const FIELD_OF_VIEW = 42;
const SHADE_AFTER_MS = 220;
// Part of its way that the camera goes in a frame, and corners that are remembered of a run that goes on.
const GLIDE = 0.09;
const MOST_CORNERS = 4000;
// How far walls reach beyond what moves, in radii of the scene.
const WALL_MARGIN = 0.12;

// Whether the browser has no graphics card to draw with, by the name of what draws.
function isDrawnByTheProcessor() {
    const gl = new OffscreenCanvas(1, 1).getContext('webgl2', { failIfMajorPerformanceCaveat: true });
    if (!gl) return true;
    const names = gl.getExtension('WEBGL_debug_renderer_info');
    const name = String(gl.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
    constructor(canvas, scene, still) {
        this.canvas = canvas;
        this.still = still;
        this.bodies = scene.bodies;
        this.look = scene.look ?? {};
        const g = new Vector3(...scene.gravity);
        this.up = g.length() > 0 ? g.negate().normalize() : new Vector3(0, 1, 0);
        this.plain = !still && isDrawnByTheProcessor();
        this.renderer = new WebGLRenderer({ canvas, antialias: !this.plain, preserveDrawingBuffer: still });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFSoftShadowMap;
        this.renderer.toneMapping = ACESFilmicToneMapping;
        this.renderer.toneMappingExposure = 0.95;
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.scene = new Scene();
        this.camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 4000);
        this.camera.up.copy(this.up);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = !still;
        this.controls.dampingFactor = 0.12;
        this.picked = -1;
        this.following = false;
        // whether somebody has turned the camera, and where it is on its way to
        this.isHandled = false;
        this.goal = null;
        let isHeld = false;
        this.controls.addEventListener('start', () => { isHeld = true; });
        this.controls.addEventListener('end', () => { isHeld = false; });
        this.controls.addEventListener('change', () => { if (isHeld) [this.isHandled, this.goal] = [true, null]; });
        canvas.addEventListener('wheel', () => { [this.isHandled, this.goal] = [true, null]; });
        this.lights();
        this.halo = this.makeHalo();
        this.trail = this.makeTrail();
        this.links = new Links(scene.joints ?? []);
        this.axes = new Axes(scene.axes ?? []);
        this.pushes = new Pushes();
        this.ghosts = new Ghosts();
        this.forces = new Forces(this.bodies);
        for (const extra of [this.links, this.axes, this.pushes, this.ghosts, this.forces]) this.scene.add(extra.object);
    }

    // Reflections of a room: dear to make, so the first picture does without them, and so does a page that no graphics card draws.
    reflect() {
        if (this.plain) return;
        const pmrem = new PMREMGenerator(this.renderer);
        this.scene.environment = pmrem.fromScene(new RoomEnvironment(), 0.04).texture;
        pmrem.dispose();
    }

    lights() {
        this.sky = new HemisphereLight(0xffffff, 0xa4a8ae, 0.5);
        this.sky.position.copy(this.up);
        this.sun = new DirectionalLight(0xfff4e2, 2.6);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.setScalar(this.plain ? 1024 : 2048);
        this.sun.shadow.bias = -0.0008;
        this.sun.shadow.normalBias = 0.02;
        this.scene.add(this.sky, this.sun, this.sun.target);
    }

    // Surfaces are fetched once; bodies, planes and cloth are then built from the first states.
    async load(states, deforming) {
        const wanted = new Set(this.bodies.flatMap((body) => body.parts.filter((part) => part.type === 'surface').map((part) => part.surface)));
        const surfaces = new Map();
        await Promise.all([...wanted].map(async (number) => {
            const geometry = await fetchSurface(number);
            geometry.computeBoundingSphere();
            surfaces.set(number, geometry);
        }));
        this.reach = Float32Array.from(this.bodies, (body) => reach(body, surfaces));
        this.cloth = [...deforming].map((index) => {
            const body = this.bodies[index];
            return new Cloth(index, surfaces.get(body.parts[0].surface), own(body, index));
        });
        this.parts = new Parts(this.bodies, surfaces, deforming);
        this.parts.batches.forEach((batch) => this.scene.add(batch.mesh));
        this.cloth.forEach((cloth) => this.scene.add(cloth.mesh));
        this.states = states;
        this.measure([]);
        this.home();
    }

    get isGliding() { return this.goal !== null; }

    // The corners that are to be in the picture, and their bounds.
    measure(corners) {
        this.corners = corners;
        [this.centre, this.radius, this.box] = [new Vector3(), 5, null];
        if (!corners.length) return;
        const low = corners[0].clone(), high = corners[0].clone();
        corners.forEach((corner) => { low.min(corner); high.max(corner); });
        this.centre = low.clone().add(high).multiplyScalar(0.5);
        this.radius = Math.max(high.distanceTo(this.centre), 1e-3);
        const margin = WALL_MARGIN * this.radius;
        this.box = { low: low.addScalar(-margin), high: high.addScalar(margin) };
    }

    // Begins with these corners in the picture: of what moves, over the whole recording.
    frame(places) {
        this.isHandled = false;
        this.goal = null;
        this.measure(places.map((place) => new Vector3(...place)));
        this.home();
        if (this.dark !== undefined) this.theme(this.dark);
    }

    // What moves has come to more places: the camera goes back, if they are not in the picture and nobody has turned it.
    widen(places, glides) {
        const more = places.map((place) => new Vector3(...place));
        if (this.isHandled || this.following || !more.length) return;
        const isFirst = !this.corners.length;
        this.camera.updateMatrixWorld();
        const sees = (corner) => { const p = corner.clone().project(this.camera); return Math.abs(p.x) < 0.97 && Math.abs(p.y) < 0.97; };
        if (!isFirst && (this.look.eye || this.goal || more.every(sees))) return;
        const from = [this.camera.position.clone(), this.controls.target.clone()];
        this.measure([...this.corners, ...more].slice(-MOST_CORNERS));
        this.home();
        this.theme(this.dark);
        if (isFirst || !glides) return;
        this.goal = [this.camera.position.clone(), this.controls.target.clone()];
        this.camera.position.copy(from[0]);
        this.controls.target.copy(from[1]);
    }

    // A step on the way to a wider picture.
    glide() {
        if (!this.goal) return;
        this.camera.position.lerp(this.goal[0], GLIDE);
        this.controls.target.lerp(this.goal[1], GLIDE);
        if (this.camera.position.distanceTo(this.goal[0]) > 0.004 * this.radius) return;
        this.camera.position.copy(this.goal[0]);
        this.controls.target.copy(this.goal[1]);
        this.goal = null;
    }

    // The least distance from which every corner is in the picture.
    distanceAlong(away) {
        const right = new Vector3().crossVectors(this.up, away).normalize(), above = new Vector3().crossVectors(away, right);
        const tall = Math.tan(this.camera.fov * Math.PI / 360), wide = tall * this.camera.aspect;
        let distance = this.radius;
        for (const corner of this.corners) {
            const d = corner.clone().sub(this.centre);
            const need = Math.max(Math.abs(d.dot(right)) / wide, Math.abs(d.dot(above)) / tall);
            distance = Math.max(distance, d.dot(away) + need);
        }
        return 1.16 * distance;
    }

    // As the scene wants to be seen; everything in the picture, from aside and above, where it says nothing.
    home() {
        this.fit();
        const { eye, light } = this.look;
        if (eye) {
            // The angle is that of the height; where the page is narrower than high, the width has it.
            const tall = Math.tan(eye.degrees * Math.PI / 360) / Math.min(this.camera.aspect, 1);
            this.camera.fov = Math.atan(tall) * 360 / Math.PI;
            this.camera.position.set(...eye.from);
            this.controls.target.set(...eye.to);
            this.camera.updateProjectionMatrix();
            this.controls.update();
        }
        if (light) {
            this.sunward.set(...light).multiplyScalar(3.2);
            this.aim(this.centre, this.radius);
        }
    }

    // Light and shadow on all that is so far from a place.
    aim(centre, reach) {
        this.lit = { centre: centre.clone(), reach };
        this.sun.target.position.copy(centre);
        this.sun.position.copy(centre).addScaledVector(this.sunward, reach);
        const light = this.sun.shadow.camera;
        Object.assign(light, { left: -1.7 * reach, right: 1.7 * reach, top: 1.7 * reach, bottom: -1.7 * reach, near: 0.1 * reach, far: 7 * reach });
        light.updateProjectionMatrix();
        this.sun.shadow.normalBias = reach * 0.004;
    }

    // Bodies that leave the light take it along; what is very far off goes without.
    light({ position, present }) {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], most = 12 * this.radius;
        this.bodies.forEach(({ kind }, i) => {
            if (kind === 'fixed' || !present[i] || this.reach[i] === 0) return;
            const place = position.subarray(3 * i, 3 * i + 3);
            if (Math.hypot(place[0] - this.centre.x, place[1] - this.centre.y, place[2] - this.centre.z) > most) return;
            for (let k = 0; k < 3; k++) {
                low[k] = Math.min(low[k], place[k] - this.reach[i]);
                high[k] = Math.max(high[k], place[k] + this.reach[i]);
            }
        });
        if (!(low[0] <= high[0])) return;
        const a = new Vector3(...low), b = new Vector3(...high), reach = a.distanceTo(b) / 2, centre = a.add(b).multiplyScalar(0.5);
        if (centre.distanceTo(this.lit.centre) + reach > 1.5 * this.lit.reach) this.aim(centre, 1.2 * reach);
    }

    // Everything in the picture: the direction in parts of front, up and aside.
    fit([before, above, aside] = [0.55, 0.5, -0.95]) {
        this.camera.fov = FIELD_OF_VIEW;
        this.resize();
        const across = Math.abs(this.up.x) < 0.7 ? new Vector3(1, 0, 0) : new Vector3(0, 0, 1);
        const right = new Vector3().crossVectors(across, this.up).normalize();
        const front = new Vector3().crossVectors(this.up, right);
        const away = front.multiplyScalar(before).addScaledVector(this.up, above).addScaledVector(right, aside).normalize();
        const distance = this.distanceAlong(away);
        this.camera.position.copy(this.centre).addScaledVector(away, distance);
        this.camera.near = this.radius / 200;
        this.camera.far = Math.max(distance * 20, 900);
        this.camera.updateProjectionMatrix();
        this.controls.target.copy(this.centre);
        this.controls.update();
        this.sunward = this.up.clone().multiplyScalar(2.6).addScaledVector(away, 1.2).addScaledVector(right, 1.4);
        this.aim(this.centre, this.radius);
        // thin cloth would shade itself in stripes
        this.sun.shadow.bias = this.cloth.length ? -0.003 : -0.0008;
    }

    theme(dark) {
        const back = new Color(dark ? 0x14171c : 0xdfe5ec);
        this.dark = dark;
        this.back = this.scene.background = back;
        this.mappedBack = untoned(back, this.renderer.toneMappingExposure);
        // Small things seen from afar are not in the mist.
        const { eye } = this.look, clear = Math.max(this.radius, eye ? new Vector3(...eye.from).distanceTo(new Vector3(...eye.to)) / 2.5 : 0);
        this.scene.fog = new Fog(back.clone(), clear * 8, clear * 30);
        this.scene.environmentIntensity = dark ? 0.28 : 0.4;
        // Without reflections the sky has to do their part, or what faces away from the sun would be black.
        this.sky.intensity = this.plain ? (dark ? 1.5 : 1.7) : dark ? 0.6 : 0.7;
        this.sun.intensity = this.plain ? (dark ? 1.9 : 1.8) : dark ? 1.9 : 2.3;
        this.layPlanes();
        this.shade?.measure(this.radius);
    }

    // Half-spaces that are there: of a run that has just begun there may be none yet.
    layPlanes() {
        this.planes?.forEach((mesh) => { this.scene.remove(mesh); mesh.geometry.dispose(); mesh.material.map?.dispose(); mesh.material.dispose(); });
        this.laid = this.standing();
        const cell = 10 ** Math.round(Math.log10(this.radius / 6));
        this.planes = planeMeshes(this.bodies, this.states, this.up, cell, this.dark, this.box);
        this.planes.forEach((mesh) => this.scene.add(mesh));
    }

    // How many bodies with half-spaces are there.
    standing() {
        this.flat ??= this.bodies.map((_, i) => i).filter((i) => this.bodies[i].parts.some((part) => part.type === 'plane'));
        return this.flat.reduce((sum, i) => sum + (this.states.present[i] ? 1 : 0), 0);
    }

    makeHalo() {
        const ring = new Mesh(new RingGeometry(1.12, 1.2, 64), new MeshBasicMaterial({ color: 0xffb020, depthTest: false, transparent: true, toneMapped: false }));
        ring.renderOrder = 2;
        ring.visible = false;
        this.scene.add(ring);
        return ring;
    }

    makeTrail() {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * TRAIL_POINTS), 3));
        geometry.setAttribute('color', new BufferAttribute(new Float32Array(4 * TRAIL_POINTS), 4));
        const line = new Line(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, toneMapped: false, fog: false }));
        line.frustumCulled = false;
        line.visible = false;
        this.scene.add(line);
        return line;
    }

    // The picked body's worldline in space: bright at the present, fading into past and future.
    drawTrail(window, time, seconds) {
        const body = this.picked, line = this.trail;
        line.visible = body >= 0 && Boolean(window) && this.reach[body] > 0;
        if (!line.visible) return;
        const { position, color } = line.geometry.attributes;
        const one = makeStates(1);
        let count = 0;
        for (let i = 0; i < TRAIL_POINTS; i++) {
            const offset = (2 * i / (TRAIL_POINTS - 1) - 1) * seconds;
            if (!window.covers(time + offset) || !window.evaluate(body, time + offset, one, 0)) continue;
            position.array.set(one.position, 3 * count);
            color.array.set([1, 0.62, 0.1, 0.9 * (1 - Math.abs(offset) / seconds)], 4 * count);
            count++;
        }
        line.geometry.setDrawRange(0, count);
        position.needsUpdate = color.needsUpdate = true;
    }

    show(states, time) {
        this.states = states;
        if (this.dark !== undefined && this.standing() !== this.laid) this.layPlanes();
        this.parts.place(states);
        this.light(states);
        this.cloth.forEach((cloth) => cloth.show(time));
        this.links.show(states);
        this.axes.show(states);
        const i = this.picked;
        this.halo.visible = i >= 0 && states.present[i] === 1 && this.reach[i] > 0;
        if (i >= 0) {
            const place = new Vector3(...states.position.subarray(3 * i, 3 * i + 3));
            if (this.following) {
                this.camera.position.add(place).sub(this.controls.target);
                this.controls.target.copy(place);
            }
            this.halo.position.copy(place);
            this.halo.scale.setScalar(this.reach[i] || 1);
        }
    }

    // While things move, corners are dark only where that costs little; a little after the last such picture another one is
    // drawn that has them.
    draw(isMoving) {
        this.drawing = true;
        this.resize();
        this.glide();
        this.controls.update();
        this.drawing = false;
        this.halo.quaternion.copy(this.camera.quaternion);
        clearTimeout(this.resting);
        if (this.still) return isMoving ? this.renderer.render(this.scene, this.camera) : this.drawShaded();
        if (this.shade?.quick) return this.drawShaded();
        this.renderer.render(this.scene, this.camera);
        if (!isMoving) this.resting = setTimeout(() => this.drawShaded(), SHADE_AFTER_MS);
    }

    drawShaded() {
        this.shade ??= new Shade(this.renderer, this.scene, this.camera, this.radius);
        this.scene.background = this.mappedBack;
        this.scene.fog.color.copy(this.mappedBack);
        this.shade.draw();
        this.scene.background = this.back;
        this.scene.fog.color.copy(this.back);
    }

    // A point that was under one place of the canvas, moved with the pointer, at a body's distance.
    dragged(body, x, y) {
        const box = this.canvas.getBoundingClientRect();
        const place = new Vector3(...this.states.position.subarray(3 * body, 3 * body + 3));
        const deep = place.clone().project(this.camera).z;
        return new Vector3(2 * (x - box.left) / box.width - 1, 1 - 2 * (y - box.top) / box.height, deep).unproject(this.camera);
    }

    resize() {
        const { clientWidth, clientHeight } = this.canvas.parentElement;
        const size = this.renderer.getSize(new Vector2());
        if (size.x === clientWidth && size.y === clientHeight) return;
        this.renderer.setSize(clientWidth, clientHeight, false);
        this.camera.aspect = clientWidth / Math.max(clientHeight, 1);
        this.camera.updateProjectionMatrix();
    }

    // The body under a point of the canvas, or -1: the nearest whose bounding ball or box the ray meets.
    bodyAt(x, y) {
        const box = this.canvas.getBoundingClientRect();
        const ndc = new Vector3(2 * (x - box.left) / box.width - 1, 1 - 2 * (y - box.top) / box.height, 0.5);
        const from = this.camera.position, along = ndc.unproject(this.camera).sub(from).normalize();
        let best = -1, nearest = Infinity;
        for (let i = 0; i < this.bodies.length; i++) {
            if (!this.states.present[i] || this.reach[i] === 0) continue;
            const distance = this.meets(i, from, along);
            if (distance < nearest) {
                nearest = distance;
                best = i;
            }
        }
        return best;
    }

    meets(i, from, along) {
        const p = this.states.position, r = this.reach[i];
        const dx = p[3 * i] - from.x, dy = p[3 * i + 1] - from.y, dz = p[3 * i + 2] - from.z;
        const ahead = dx * along.x + dy * along.y + dz * along.z;
        const miss = dx * dx + dy * dy + dz * dz - ahead * ahead;
        if (ahead <= 0 || miss > r * r) return Infinity;
        const parts = this.bodies[i].parts;
        if (parts.length === 1 && parts[0].type === 'box') return this.meetsBox(i, parts[0], from, along);
        return ahead - Math.sqrt(r * r - miss);
    }

    meetsBox(i, part, from, along) {
        const back = this.camera.quaternion.clone().set(...this.states.rotation.subarray(4 * i, 4 * i + 4)).conjugate();
        const place = new Vector3(...this.states.position.subarray(3 * i, 3 * i + 3));
        const turn = back.clone().set(...part.rotation).conjugate();
        const o = from.clone().sub(place).applyQuaternion(back).sub(new Vector3(...part.position)).applyQuaternion(turn);
        const d = along.clone().applyQuaternion(back).applyQuaternion(turn);
        let enter = 0, leave = Infinity;
        ['x', 'y', 'z'].forEach((axis, k) => {
            const a = (-part.scale[k] - o[axis]) / d[axis], b = (part.scale[k] - o[axis]) / d[axis];
            enter = Math.max(enter, Math.min(a, b));
            leave = Math.min(leave, Math.max(a, b));
        });
        return enter <= leave ? enter : Infinity;
    }
}
