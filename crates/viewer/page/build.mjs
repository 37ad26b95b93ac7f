// Builds the page into ../dist. With --check it only compares: the committed bundle must be what the
// sources give.
import { build } from 'esbuild';
import { readFile, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '..', 'dist');

const built = await build({
    absWorkingDir: here,
    entryPoints: { page: 'src/main.js' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'inline',
    outdir: 'out',
    write: false,
});
const css = await build({
    absWorkingDir: here,
    entryPoints: { page: 'src/page.css' },
    minify: true,
    outdir: 'out',
    write: false,
});
const files = new Map([
    ['page.js', Buffer.from(built.outputFiles[0].contents)],
    ['page.css', Buffer.from(css.outputFiles[0].contents)],
    ['index.html', await readFile(join(here, 'src', 'index.html'))],
]);

let stale = false;
await mkdir(dist, { recursive: true });
for (const [name, bytes] of files) {
    const path = join(dist, name);
    if (process.argv.includes('--check')) {
        const committed = await readFile(path).catch(() => Buffer.alloc(0));
        if (!committed.equals(bytes)) {
            console.error(`dist/${name} is not what the sources give: run npm run build`);
            stale = true;
        }
    } else {
        await writeFile(path, bytes);
        console.log(`${name} ${bytes.length}`);
    }
}
process.exit(stale ? 1 : 0);
