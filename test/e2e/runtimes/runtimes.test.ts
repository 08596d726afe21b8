import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {runSetup} from '../support/run.ts';

const loading = (name: string) => ({NODE_OPTIONS: `--require ${fileURLToPath(new URL(name, import.meta.url))}`});

test('a runtime without a compile cache of Node’s starts the program', async () => {
  const env = {...loading('no-compile-cache.cjs'), NODE_COMPILE_CACHE: undefined};
  expect(await runSetup(['explain', 'bug'], {env})).toMatchObject({code: 0, stderr: ''});
});
