// How long it takes from the command to the first picture of a built-in scene that is run live:
// node test/first.mjs WARPLINE [SCENE...]. The browser is open already, as a user's is. Printed, not
// judged: it depends on the machine. The CPU time of the page's own process is what remains where a
// graphics card draws; here a software renderer does, in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from './browser.mjs';

const [warpline, ...asked] = process.argv.slice(2);
const scenes = asked.length ? asked : ['atoms', 'pile', 'gas'];
const seconds = (ms) => (ms / 1000).toFixed(2);

for (const scene of scenes) {
    const { browser, page } = await open(1280, 800);
    const system = await browser.newBrowserCDPSession();
    const cpu = async () => {
        const { processInfo } = await system.send('SystemInfo.getProcessInfo');
        const of = (wanted) => processInfo.filter(({ type }) => wanted(type)).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
        return [of((type) => type === 'renderer'), of((type) => type === 'GPU'), of((type) => type !== 'renderer' && type !== 'GPU')];
    };
    await page.goto('about:blank');
    const before = await cpu(), begun = performance.now();
    const server = spawn(warpline, ['view', scene], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(server.stdout, 'data');
    const address = performance.now() - begun;
    await page.goto(line.toString().trim(), { waitUntil: 'commit' });
    await page.waitForFunction(() => document.body?.dataset.ready === 'yes', null, { timeout: 120_000 });
    const picture = performance.now() - begun, after = await cpu();
    const [own, drawing, rest] = after.map((x, i) => (x - before[i]).toFixed(2));
    console.log(`     ${scene}: address after ${seconds(address)} s, first picture after ${seconds(picture)} s; ` +
        `CPU: page ${own} s, software graphics ${drawing} s, rest of the browser ${rest} s`);
    await browser.close();
    server.kill();
}
process.exit(0);
