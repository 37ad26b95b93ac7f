// A .glb through Khronos' validator: errors and warnings fail, the counts are printed.
const { readFileSync } = require('node:fs');
const { validateBytes } = require('gltf-validator');

const path = process.argv[2];
validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 10 }).then(({ issues, info }) => {
    const { numErrors, numWarnings } = issues;
    console.log(`${path}: glTF ${info.version}, ${info.animationCount} animation, ${info.drawCallCount} draw calls, ` +
        `${info.totalTriangleCount} triangles: ${numErrors} errors, ${numWarnings} warnings`);
    if (numErrors + numWarnings) {
        console.log(issues.messages.filter(({ severity }) => severity < 2));
        process.exit(1);
    }
});
