// The animated picture of a rollback: the tour, drawn frame by frame in headless Chromium and put together by ffmpeg.
// node rollback.mjs WARPLINE OUT.gif
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from './test/browser.mjs';

const FRAME_SECONDS = 0.1;
// How long each step of the tour moves and then stands, s; a step that is left out is not shown.
const PACE = [[0, 0, 2.2], [1, 2.4, 2.2], [3, 1.4, 0.8], [4, 1.6, 2.2], [5, 1.8, 3], [7, 1.8, 1.2], [8, 1, 3]];

const [warpline, out] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'rollback-'));
const server = spawn(warpline, ['view', '--tour'], { stdio: ['ignore', 'pipe', 'inherit'] });
const { browser, page } = await open(760, 600);
try {
    const [line] = await once(server.stdout, 'data');
    await page.goto(`${line.toString().trim()}&still&film&theme=light&panels=off`);
    await page.waitForFunction(() => document.body.dataset.ready === 'yes', null, { timeout: 120_000 });
    const list = [];
    let count = 0, seconds = 0;
    const take = async (step, part, hold) => {
        await page.evaluate(([step, part]) => window.warpline.tour(step, part), [step, part]);
        const file = join(folder, `${String(count++).padStart(4, '0')}.png`);
        await page.screenshot({ path: file, timeout: 120_000 });
        list.push(`file '${file}'`, `duration ${hold}`);
        seconds += hold;
    };
    for (const [step, moves, stands] of PACE) {
        const frames = Math.round(moves / FRAME_SECONDS);
        for (let i = 1; i < frames; i++) await take(step, i / frames, FRAME_SECONDS);
        await take(step, 1, stands);
    }
    // the last file is named twice: ffmpeg gives the last one no time
    list.push(list.at(-2));
    writeFileSync(join(folder, 'list'), list.join('\n'));
    const filter = 'fps=10,split[a][b];[a]palettegen=max_colors=160:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle';
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', join(folder, 'list'), '-filter_complex', filter, '-loop', '0', out], { stdio: ['ignore', 'inherit', 'inherit'] });
    console.log(`${out}: ${count} pictures, ${seconds.toFixed(1)} s`);
} finally {
    await browser.close();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
}
