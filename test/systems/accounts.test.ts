import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {storeIn} from '../e2e/support/store.ts';
import {ANN, machine} from './support/machine.ts';
import {missing} from './support/missing.ts';

describe.skipIf(missing() !== undefined)('a user without an account and without HOME, as clusters make one', () => {
  const nobody = {uid: ANN, env: {HOME: undefined}};

  test('is told what to give', async () => {
    const {run} = await machine();
    for (const args of [['status'], ['token'], ['mcp', 'list'], ['doctor']]) {
      expect(await run(args, nobody)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^There is no home directory: .* --setup-home DIR/),
      });
    }
    for (const args of [['--help'], ['version'], ['explain', 'local-locked']])
      expect(await run(args, nobody)).toMatchObject({code: 0, stderr: ''});
  });

  test('has all it needs with --setup-home', async () => {
    const {login, setUp, run, giveTo, volume} = await machine();
    const [directory, project] = [join(volume, 'setup'), join(volume, 'project')];
    mkdirSync(project);
    giveTo(ANN);
    const place = ['--setup-home', directory];
    expect(await login(nobody, ...place)).toMatchObject({code: 0, stderr: ''});
    expect(await run(['token', ...place], nobody)).toMatchObject({code: 0, stderr: ''});
    expect(await setUp(nobody, ...place, '--project', project)).toMatchObject({code: 0, stderr: ''});
    expect(storeIn(directory).contexts()[0]?.entries).toMatchObject([{path: join(project, '.mcp.json')}]);
    for (const args of [['status'], ['mcp', 'list'], ['doctor'], ['undo', '--yes']])
      expect(await run([...args, ...place], nobody)).toMatchObject({code: 0, stderr: ''});
  });
});
