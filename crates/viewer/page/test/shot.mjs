// Takes a picture of the page: node test/shot.mjs URL OUT.png [WIDTH HEIGHT]
import { open } from './browser.mjs';

const [url, out, width = '1280', height = '800'] = process.argv.slice(2);
const { browser, page, problems } = await open(Number(width), Number(height));
await page.goto(url);
await page.waitForFunction(() => document.body.dataset.ready, null, { timeout: 120_000 });
// statistics come by themselves, a little later
await page.waitForTimeout(1500);
await page.evaluate(() => window.warpline.redraw());
await page.screenshot({ path: out, timeout: 120_000 });
console.log(JSON.stringify(await page.evaluate(() => window.warpline.report())), problems.join('\n'));
await browser.close();
