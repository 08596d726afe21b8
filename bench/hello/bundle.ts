import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

/**
 * Bundles the hello-world like the program itself, with a launcher that turns the compile cache on in the same way.
 * Resolves with the launcher's path.
 */
export const bundleHello = async (directory: string): Promise<string> => {
  await build({
    entryPoints: [fileURLToPath(new URL('hello.tsx', import.meta.url))],
    outdir: directory,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.19',
    jsx: 'automatic',
    minify: true,
    splitting: true,
    mainFields: ['module', 'main'],
    external: ['react-devtools-core'],
    define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
    banner: {
      js: "import {createRequire as __createRequire} from 'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  await writeFile(join(directory, 'package.json'), '{"type": "module"}\n');
  const launcher = join(directory, 'launcher.cjs');
  await writeFile(launcher, launcherSource);
  return launcher;
};

const launcherSource = `'use strict';
require('module').enableCompileCache(require('path').join(process.env.HOME, '.cache', 'hello', 'compile'));
import('./hello.js');
`;
