import {fork} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {launcher} from '../support/terminal/terminal-environment.ts';
import {surroundingsForTest} from './support/run.ts';

/** Pretends to be Windows, and signals the program for each message, as a console of Windows does. */
const WINDOWS = `
  Object.defineProperty(process, 'platform', {value: 'win32'});
  process.on('message', name => process.emit(name, name));
`;

/** Starts the launcher with code before it, in a home of its own. */
const startBehind = (
  before: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
) => {
  const surroundings = surroundingsForTest();
  const double = join(surroundings.temporary, 'double.cjs');
  writeFileSync(double, before);
  const child = fork(launcher, args, {
    execArgv: ['--require', double],
    env: {...surroundings.env, ...env},
    cwd: surroundings.temporary,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = {stdout: '', stderr: ''};
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  }
  const prints = async (pattern: RegExp) => {
    while (!pattern.test(said.stdout)) await once(child.stdout ?? expect.fail(), 'data');
  };
  return {child, prints, ended: once(child, 'close').then(([code]) => ({code: code as number, ...said}))};
};

describe('a console of Windows', () => {
  test.each(['SIGINT', 'SIGBREAK', 'SIGHUP'])('%s ends a run in order', async name => {
    // The sandbox prints its ready line and then waits for its end.
    const {child, prints, ended} = startBehind("process.on('message', name => process.emit(name, name));", [
      'sandbox',
      '--port',
      '0',
      '--observer-port',
      '0',
    ]);
    await prints(/http:\/\/\S+/);
    child.send(name);
    expect(await ended).toMatchObject({code: 0, stderr: ''});
  });

  test.each(['SIGINT', 'SIGBREAK', 'SIGHUP'])(
    '%s reaches the newer Node by itself, which is waited for, and not killed',
    async name => {
      const older = `${WINDOWS}
        Object.defineProperty(process, 'versions', {value: {...process.versions, node: '18.20.0'}});
        require('fs').existsSync = () => true;
        const newer = Object.assign(new (require('events').EventEmitter)(), {kill: () => console.log('killed')});
        require('child_process').spawn = () => (console.log('started'), newer);
        process.on('message', () => setImmediate(() => (newer.emit('close', 130), process.disconnect())));
      `;
      const {child, prints, ended} = startBehind(older, ['status']);
      await prints(/started/);
      child.send(name);
      expect(await ended).toEqual({code: 130, stdout: 'started\n', stderr: ''});
    },
  );
});

describe('compiled code on Windows', () => {
  const tell = `${WINDOWS}
    require('module').enableCompileCache = path => process.stderr.write(path);
    process.disconnect();
  `;

  test.each([
    [{LOCALAPPDATA: '/ann/Local', USERPROFILE: '/ann', HOME: '/msys/ann', XDG_CACHE_HOME: '/xdg'}, '/ann/Local'],
    [{LOCALAPPDATA: 'Local', USERPROFILE: '/ann', HOME: '/msys/ann'}, '/ann/AppData/Local'],
  ])('is where its programs keep what does not roam (%#)', async (places, directory) => {
    const {ended} = startBehind(tell, ['help'], {...places, NODE_COMPILE_CACHE: undefined});
    expect((await ended).stderr).toBe(join(directory, 'platform-setup', 'compile'));
  });
});
