// Ambient occlusion: corners and the ground under things are dark. It is drawn when the picture stands still, and while it moves
// where the machine is quick enough for that.
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { GTAOPass } from 'three/addons/postprocessing/GTAOPass.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { HalfFloatType, Vector2, WebGLRenderTarget } from 'three';

// A frame that takes longer is not drawn this way while things move.
const QUICK_MS = 9;

// What is drawn over everything (arrows, the halo, pale bodies) darkens nothing. The pass hides lines and points by itself.
class Corners extends GTAOPass {
    _overrideVisibility() {
        super._overrideVisibility();
        this.scene.traverse((object) => {
            if (!object.isMesh || !object.visible || !object.material.transparent) return;
            object.visible = false;
            this._visibilityCache.push(object);
        });
    }
}

export class Shade {
    constructor(renderer, scene, camera, radius) {
        this.renderer = renderer;
        const size = renderer.getDrawingBufferSize(new Vector2());
        this.composer = new EffectComposer(renderer, new WebGLRenderTarget(size.x, size.y, { type: HalfFloatType, samples: 4 }));
        this.pass = new Corners(scene, camera, size.x, size.y);
        this.pass.blendIntensity = 0.9;
        this.measure(radius);
        this.pass.updatePdMaterial({ lumaPhi: 10, depthPhi: 2, normalPhi: 3, radius: 4, rings: 2, samples: 12 });
        for (const pass of [new RenderPass(scene, camera), this.pass, new OutputPass()]) this.composer.addPass(pass);
        this.drawn = 0;
        this.quick = false;
    }

    // The size of the scene, m: how near something must be to darken a corner.
    measure(radius) {
        this.pass.updateGtaoMaterial({ radius: 0.12 * radius, distanceExponent: 1.4, thickness: 0.1 * radius, samples: 12, screenSpaceRadius: false });
    }

    draw() {
        const size = this.renderer.getSize(new Vector2()), began = performance.now();
        this.composer.setSize(size.x, size.y);
        this.composer.render();
        this.drawn += 1;
        // the first picture compiles shaders, the second one is waited for and timed
        if (this.drawn === 2) {
            const gl = this.renderer.getContext();
            gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
            this.quick = performance.now() - began < QUICK_MS;
        }
    }
}

// A colour as ACES filmic tone mapping shows it.
function toned(colour, exposure) {
    const times = (rows, v) => rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
    const into = times([[0.59719, 0.35458, 0.04823], [0.07600, 0.90834, 0.01566], [0.02840, 0.13383, 0.83777]], colour.toArray().map((c) => c * exposure / 0.6));
    const fit = into.map((v) => (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081));
    const out = times([[1.60475, -0.53108, -0.07367], [-0.10208, 1.10813, -0.00605], [-0.00327, -0.07276, 1.07602]], fit);
    return colour.clone().setRGB(...out.map((c) => Math.min(Math.max(c, 0), 1)));
}

// The colour that tone mapping shows as this one: of fog, and of the background of a picture with corners, which are mapped.
export function untoned(colour, exposure) {
    const found = colour.clone();
    for (let round = 0; round < 200; round++) {
        const shown = toned(found, exposure);
        for (const k of ['r', 'g', 'b']) found[k] = Math.max(found[k] + 0.8 * (colour[k] - shown[k]), 0);
    }
    return found;
}
