import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, openSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {clientOf} from '../support/platform.ts';
import {launcher} from '../support/terminal/terminal-environment.ts';
import {platformForTest} from './support/platform.ts';
import {surroundingsForTest} from './support/run.ts';
import {signedIn} from './support/sign-in/signed-in.ts';
import {storeIn} from './support/store.ts';

type Streams = {readonly stdout?: 'pipe' | number; readonly stderr?: 'pipe' | number};

const start = (
  args: readonly string[],
  {env, temporary}: Pick<ReturnType<typeof surroundingsForTest>, 'env' | 'temporary'>,
  {stdout = 'pipe', stderr = 'pipe'}: Streams = {},
) => {
  const child = spawn(process.execPath, [launcher, ...args], {env, cwd: temporary, stdio: ['pipe', stdout, stderr]});
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({code: code as number | null, stderr: said}));
  return {child, ended};
};

describe('a reader that leaves', () => {
  /** Sets up a home with two assistants, and the arguments that connect them. */
  const machine = async () => {
    const {ready, flags} = await platformForTest();
    const surroundings = surroundingsForTest();
    const {home, setupHome} = surroundings;
    mkdirSync(join(home, '.cursor'));
    const files = [join(home, '.claude.json'), join(home, '.cursor', 'mcp.json')];
    for (const file of files) writeFileSync(file, '{}');
    const {clientId, secret} = clientOf(ready, 'client_secret_basic');
    const args = ['--yes', '--sign-in', 'mcp-client', '--client-id', clientId, '--client-secret-stdin', ...flags];
    const {child, ended} = start(args, surroundings);
    child.stdin?.end(`${secret}\n`);
    /** Reads until a text appears, and closes the stream. */
    const readUntil = async (text: string) => {
      let read = '';
      for await (const chunk of child.stdout ?? []) {
        read += chunk;
        if (read.includes(text)) break;
      }
      expect(read).toContain(text);
    };
    return {readUntil, ended, files, store: storeIn(setupHome)};
  };

  test('does not end a run that is changing files, which is no success all the same', async () => {
    const {readUntil, ended, files, store} = await machine();
    await readUntil('Written: ');
    expect(await ended).toEqual({code: 141, stderr: ''});
    for (const file of files) expect(readFileSync(file, 'utf8')).toContain('control-plane');
    expect(store.contexts()[0]?.entries).toHaveLength(2);
  });

  test('ends one that has changed nothing yet', async () => {
    const {readUntil, ended, files, store} = await machine();
    await readUntil('Given: ');
    expect(await ended).toEqual({code: 141, stderr: ''});
    for (const file of files) expect(readFileSync(file, 'utf8')).toBe('{}');
    expect(store.exists()).toBe(false);
  });
});

describe.skipIf(!existsSync('/dev/full'))('an output that takes nothing', () => {
  const full = () => openSync('/dev/full', 'w');

  test.each([
    ['status', ['status']],
    ['--json', ['mcp', 'list', '--json']],
    ['help', ['--help']],
    ['a token', ['token', '--header']],
    ['the version', ['--version']],
  ])('ends %s with 6, in a line or two', async (_name, args) => {
    const {options} = signedIn('http://idp.acme.localhost:8080', {
      obtainedAt: Date.now(),
      expiresAt: Date.now() + 3_600_000,
    });
    const {code, stderr} = await start(args, options.surroundings, {stdout: full()}).ended;
    expect(code).toBe(6);
    expect(stderr).toMatch(/^Standard output could not be written[^\n]*\.\n(More: [^\n]*\n)?$/);
  });

  test('of errors changes no exit code', async () => {
    const run = start(['status', '--nope'], surroundingsForTest(), {stderr: full()});
    run.child.stdout?.resume();
    expect(await run.ended).toMatchObject({code: 2});
  });
});
