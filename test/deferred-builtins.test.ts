import {execFile} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {build} from 'esbuild';
import {describe, expect, test} from 'vitest';
import {program} from '../scripts/bundle.js';
import {runSetup} from './e2e/support/run.ts';
import {signedIn} from './e2e/support/sign-in/signed-in.ts';
import {temporaryDirectory} from './support/place.ts';

const root = join(import.meta.dirname, '..');

/** Bundles a program as the build does, runs it, and returns what it prints. */
const run = async (contents: string): Promise<unknown> => {
  const {outputFiles} = await build({
    stdin: {contents: `const isLoaded = () => process.moduleLoadList.includes('NativeModule crypto');${contents}`},
    ...{bundle: true, write: false, format: 'esm', platform: 'node', absWorkingDir: root},
    plugins: (program.plugins ?? []).filter(({name}) => name === 'deferred-builtins'),
  });
  const file = join(await temporaryDirectory(), 'program.mjs');
  await writeFile(file, outputFiles?.[0]?.text ?? '');
  const {stdout} = await promisify(execFile)(process.execPath, [file]);
  return JSON.parse(stdout);
};

describe('a module of Node that is slow to load', () => {
  test('is loaded when one of its functions is called', async () => {
    const printed = await run(`
      import {createHash} from 'node:crypto';
      const before = isLoaded();
      const hash = createHash('sha256').update('text').digest('hex').slice(0, 8);
      console.log(JSON.stringify([before, hash, isLoaded()]));`);
    expect(printed).toEqual([false, '982d9e3e', true]);
  });

  test('gives classes that can be constructed, and that recognise their instances', async () => {
    const printed = await run(`
      import {KeyObject, Hash, createSecretKey} from 'node:crypto';
      const before = isLoaded();
      const key = createSecretKey(Buffer.from('secret'));
      console.log(JSON.stringify([
        before, key instanceof KeyObject, {} instanceof KeyObject, typeof KeyObject.from, new Hash('md5').digest('hex').length,
      ]));`);
    expect(printed).toEqual([false, true, false, 'function', 32]);
  });

  test('gives its other values, and itself as the default', async () => {
    const printed = await run(`
      import {constants} from 'node:zlib';
      import crypto from 'node:crypto';
      const before = isLoaded();
      console.log(JSON.stringify([before, constants.Z_SYNC_FLUSH, typeof crypto.randomUUID()]));`);
    expect(printed).toEqual([false, 2, 'string']);
  });
});

test('status loads none of them, although parts of its code import them', async () => {
  const {options} = signedIn('http://idp.acme.localhost:8080', {
    obtainedAt: Date.now(),
    expiresAt: Date.now() + 3_600_000,
  });
  const listing = "data:text/javascript,process.on('exit',()=>process._rawDebug(process.moduleLoadList.join('\\n')))";
  const run = await runSetup(['status'], {...options, env: {NODE_OPTIONS: `--import=${listing}`}});
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('NativeModule net');
  expect(run.stderr).not.toMatch(/NativeModule (?:crypto|zlib|v8|readline|dns\/promises)$/m);
});
