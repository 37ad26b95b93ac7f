// A headless Chromium with software WebGL, and what went wrong in its page.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function open(width, height) {
    const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));
    if (!executablePath) throw new Error('no Chromium: install it or name it in CHROMIUM');
    const browser = await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-dev-shm-usage'],
    });
    const page = await browser.newPage({ viewport: { width, height } });
    const problems = [];
    page.on('pageerror', (error) => problems.push(`page error: ${error.stack ?? error}`));
    page.on('console', (message) => { if (message.type() === 'error') problems.push(`console: ${message.text()}`); });
    return { browser, page, problems };
}
