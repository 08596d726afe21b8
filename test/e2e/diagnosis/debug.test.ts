import {expect, test} from 'vitest';
import {demoDirectory, filesBelow, filesOutsideCache, readDemo} from '../support/files.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';
import {expectWithout} from '../support/secrets.ts';

const records = (setupHome: string) => filesBelow(setupHome).filter(({path}) => path.startsWith('records/'));

test('--debug keeps a record of the calls, the writes and the steps, without one secret', async () => {
  const surroundings = surroundingsForTest();
  const {code, stderr} = await runSetup(['demo', '--yes', '--debug', '--keep'], {surroundings});
  expect(code).toBe(0);
  const [record, ...others] = records(surroundings.setupHome);
  expect(others).toEqual([]);
  expect(stderr).toContain(record?.path);
  expect(record?.mode).toBe(0o600);
  const lines =
    record?.text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).what) ?? [];
  for (const what of ['started', 'call-answered', 'file-write', 'wizard']) expect(lines).toContain(what);
  const {token, clientSecret} = readDemo(demoDirectory(surroundings.temporary));
  expectWithout(record?.text ?? '', token, clientSecret);
});

test('a failure is recorded with its cause, and a secret of the command line is not', async () => {
  const {flags} = await platformForTest();
  const surroundings = surroundingsForTest();
  const secret = ['--client-credentials', '--client-id', 'ci', '--client-secret', 'wrong-wrong-wrong'];
  const {code} = await runSetup(['login', '--yes', '--debug', ...secret, ...flags], {surroundings});
  expect(code).toBe(4);
  const text = records(surroundings.setupHome)
    .map(one => one.text)
    .join('');
  expect(text).toContain('"code":"auth-client-refused"');
  expectWithout(text, 'wrong-wrong-wrong');
});

test('without it nothing is recorded', async () => {
  const surroundings = surroundingsForTest();
  await runSetup(['demo', '--yes'], {surroundings});
  expect(filesOutsideCache(surroundings.home)).toEqual([]);
});
