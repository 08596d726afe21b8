import {ChildProcess} from 'node:child_process';
import {chmod, mkdir, realpath, writeFile} from 'node:fs/promises';
import {delimiter, join, relative} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import type {ProcessResult} from '../../../src/ports/ports.ts';
import {createProcesses} from '../../../src/ports/processes/processes.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

const signal = new AbortController().signal;

/** Creates a program of that name on a PATH of its own, beside the system's. */
const withProgram = async (name: string, script: string) => {
  const directory = await temporaryDirectory();
  const path = join(directory, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return createProcesses({PATH: [directory, '/usr/bin', '/bin'].join(delimiter), CLI_CLIENT_SECRET: 'canary'});
};

onUnix('output and exit code are read', async () => {
  const processes = await withProgram('helm', 'echo "$1 of $2"; echo oops >&2; exit 3');
  expect(await processes.run('helm', ['values', 'a release'], {timeout: 5_000, signal})).toEqual({
    outcome: 'exited',
    code: 3,
    stdout: 'values of a release\n',
    stderr: 'oops\n',
  });
});

onUnix('a program reads what it is given, and nothing where it is given nothing', async () => {
  const processes = await withProgram('tmux', 'cat; exit 0');
  const options = {timeout: 5_000, signal};
  expect(await processes.run('tmux', [], {...options, input: 'a text\n'})).toMatchObject({stdout: 'a text\n'});
  expect(await processes.run('tmux', [], options)).toMatchObject({stdout: ''});
  // A program that does not read its input is no failure.
  const deaf = await withProgram('tmux', 'exit 0');
  const long = 'x'.repeat(1_000_000);
  expect(await deaf.run('tmux', [], {...options, input: long})).toMatchObject({outcome: 'exited', code: 0});
});

test('a program that is not installed is an outcome', async () => {
  expect(await createProcesses({PATH: ''}).run('helm', [], {timeout: 5_000, signal})).toEqual({outcome: 'missing'});
});

onUnix('one that hangs is ended at its time, with what it started', async () => {
  const processes = await withProgram('kubectl', 'sleep 60');
  expect(await processes.run('kubectl', [], {timeout: 100, signal})).toEqual({outcome: 'timed-out'});
});

test('secrets of the environment are not passed on', async () => {
  const processes = await withProgram('helm', 'env');
  const result = await processes.run('helm', [], {timeout: 5_000, signal});
  expect(JSON.stringify(result)).not.toContain('canary');
});

test('stopping ends it', async () => {
  const processes = await withProgram('helm', 'sleep 60');
  const controller = new AbortController();
  const run = processes.run('helm', [], {timeout: 60_000, signal: controller.signal});
  controller.abort(new Error('stopped'));
  await expect(run).rejects.toThrow('stopped');
});

test('stopping while one that is not installed is started signals nobody', async () => {
  const kill = vi.spyOn(ChildProcess.prototype, 'kill');
  onTestFinished(() => kill.mockRestore());
  const processes = createProcesses({PATH: ''});
  const controller = new AbortController();
  const run = processes.run('helm', [], {timeout: 60_000, signal: controller.signal});
  const conversation = processes.open('helm', [], {env: {}, signal: controller.signal});
  controller.abort(new Error('stopped'));
  await expect(conversation).rejects.toThrow('no executable named helm was found');
  await expect(run).rejects.toThrow('stopped');
  expect(kill).not.toHaveBeenCalled();
});

describe('the working directory', () => {
  /**
   * Sets up a program that prints its directory and variables, in a home, with a PATH that leads to the working
   * directory.
   */
  const started = async () => {
    const [bin, home] = [await temporaryDirectory(), await realpath(await temporaryDirectory())];
    await writeFile(join(bin, 'helm'), '#!/bin/sh\npwd; echo "$PATH"; echo "$EXTRA"\n', {mode: 0o755});
    const env = {PATH: ['', '.', relative(process.cwd(), bin), bin].join(delimiter), HOME: home, EXTRA: 'person'};
    return {bin, home, env, processes: createProcesses(env)};
  };

  const linesOf = (result: ProcessResult) => ('stdout' in result ? result.stdout.split('\n') : []);

  onUnix('is not on the PATH that a program is given, whoever it is run as', async () => {
    const {bin, home, processes} = await started();
    const options = {timeout: 5_000, signal};
    expect(linesOf(await processes.run('helm', [], options))).toEqual([home, bin, '', '']);
    const inShell = linesOf(await processes.run('helm', [], {...options, environment: 'shell'}));
    expect(inShell).toEqual([home, bin, 'person', '']);
    expect(linesOf(await processes.run('helm', [], {...options, variables: {EXTRA: 'more'}}))[2]).toBe('more');
  });

  onUnix('does not reach a program by variables either, where they name what to load', async () => {
    const {env} = await started();
    const loading = {
      NODE_OPTIONS: '--require ./evil.cjs',
      NODE_PATH: '.',
      BUN_OPTIONS: '--preload ./evil.ts',
      GIT_DIR: '.',
      BASH_ENV: './evil.sh',
      npm_config_registry: 'http://127.0.0.1:1/',
    };
    const kept = {NPM_CONFIG_REGISTRY: 'https://registry.example/', AWS_PROFILE: 'ann', KUBECONFIG: 'a:/b/c'};
    const seen = async (more: Readonly<Record<string, string>>) => {
      const processes = createProcesses({...env, PATH: `${env.PATH}:/usr/bin`, ...loading, ...kept, ...more});
      const result = await processes.run('env' as string, [], {timeout: 5_000, signal, environment: 'shell'});
      return Object.fromEntries(linesOf(result).map(line => line.split(/=(.*)/s).slice(0, 2)));
    };
    const byNpx = await seen({npm_config_user_agent: 'npm/11'});
    expect(Object.keys(byNpx).filter(name => name in loading || name === 'npm_config_user_agent')).toEqual([]);
    expect(byNpx).toMatchObject({...kept, KUBECONFIG: `${process.cwd()}/a:/b/c`});
    // A person may write the name in lower case too. Without npm's own variables, no other program has set it.
    expect(await seen({})).toMatchObject({npm_config_registry: 'http://127.0.0.1:1/'});
  });

  onUnix('nor does what a parsed file has put on the prototype of objects', async () => {
    const {processes} = await started();
    const prototype = Object.prototype as Record<string, unknown>;
    onTestFinished(() => {
      for (const name of ['EXTRA', 'shell', 'cwd']) delete prototype[name];
    });
    Object.assign(prototype, {EXTRA: 'polluted', shell: '/bin/false', cwd: '/'});
    const result = await processes.run('helm', [], {timeout: 5_000, signal});
    expect(linesOf(result)[2]).toBe('');
  });

  onUnix(
    'is not on the PATH of a program that an assistant starts from a desktop, and the shell’s is not either',
    async () => {
      const {bin, home, processes} = await started();
      const options = {timeout: 5_000, signal};
      const program = join(bin, 'helm');
      const asAssistant = linesOf(await processes.run(program, [], {...options, environment: 'assistant'}));
      expect(asAssistant).toEqual([home, expect.stringMatching(/^\/usr\/[\w/:]*:\/bin\b/), '', '']);
      expect(asAssistant[1]).not.toContain(bin);
      expect(linesOf(await processes.runLine(`'${program}'`, options))).toEqual(asAssistant);
      expect(await processes.runLine('helm', options)).toMatchObject({outcome: 'exited', code: 127});
      const conversation = await processes.open(program, [], {env: {}, signal});
      expect([await conversation.next(), await conversation.next()]).toEqual(asAssistant.slice(0, 2));
      conversation.close();
    },
  );

  test('is not where a program is found', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'git'), '#!/bin/sh\necho run\n', {mode: 0o755});
    const processes = createProcesses({PATH: relative(process.cwd(), directory)});
    const options = {timeout: 5_000, signal};
    expect(await processes.run('git', [], options)).toEqual({outcome: 'missing'});
    expect(await processes.run('./git' as string, [], options)).toEqual({outcome: 'missing'});
    await expect(processes.open('git', [], {env: {}, signal})).rejects.toThrow('no executable named git was found');
    expect(await processes.find('git')).toBeUndefined();
  });

  onUnix('is the root where the home is not there', async () => {
    const {env} = await started();
    const gone = createProcesses({...env, HOME: join(env.HOME, 'gone')});
    expect(linesOf(await gone.run('helm', [], {timeout: 5_000, signal}))[0]).toBe('/');
  });

  onUnix('does not matter to a program of an absolute path', async () => {
    const {bin, processes} = await started();
    expect(await processes.run(join(bin, 'helm'), [], {timeout: 5_000, signal})).toMatchObject({code: 0});
    await mkdir(join(bin, 'directory'));
    expect(await processes.run(join(bin, 'directory'), [], {timeout: 5_000, signal})).toEqual({outcome: 'missing'});
  });
});
