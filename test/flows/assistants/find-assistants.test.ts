import {existsSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {findAssistants} from '../../../src/flows/assistants/find-assistants.ts';
import {FIRST_VERSION_TIMEOUT, VERSION_TIMEOUT} from '../../../src/flows/time-limits.ts';
import type {Ports, ProcessResult} from '../../../src/ports/ports.ts';
import {collect} from '../../support/flows.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {machine} from './support/machine.ts';

/** Sets up a machine with programs of these names. Each one prints the text given for it. */
const machineWithPrograms = async (says: Readonly<Record<string, string>>) => {
  const {ports, ...at} = await machine();
  const bin = await temporaryDirectory();
  const install = (name: string, output: string) => writeFile(join(bin, name), output);
  for (const [name, output] of Object.entries(says)) await install(name, output);
  const find = async (name: string) => (existsSync(join(bin, name)) ? join(bin, name) : undefined);
  const run: Ports['processes']['run'] = async name => {
    const path = await find(name);
    if (path === undefined) return {outcome: 'missing'};
    return {outcome: 'exited', code: 0, stdout: `${await readFile(path, 'utf8')}\n`, stderr: ''};
  };
  return {...at, install, ports: {...ports, processes: {...ports.processes, find, run}}};
};

/** Finds every program. It may be gone by the time at which it is started. */
const find = async (name: string) => `/usr/bin/${name}`;

describe('looking for assistants', () => {
  const urls = ['https://api.acme.example/mcp'];

  test('by their traces, by their command with its version, and by what they can do', async () => {
    const {ports, put, place, home} = await machineWithPrograms({
      claude: '2.1.328 (Claude Code)',
      codex: 'codex-cli 0.147.0',
    });
    await put('.cursor/mcp.json', '{}');
    const {result, events} = await collect(
      findAssistants,
      {assistants: allAssistants, place, commands: true, urls},
      ports,
    );
    const found = result.filter(({installed}) => installed);
    expect(found.map(({id, version, methods}) => [id, version, methods[0]])).toEqual([
      ['claude-code', '2.1.328', 'helper'],
      ['cursor', undefined, 'bridge'],
      ['codex-cli', '0.147.0', 'bridge'],
    ]);
    expect(events).toContainEqual({
      type: 'assistant-found',
      id: 'claude-code',
      name: 'Claude Code',
      version: '2.1.328',
    });
    expect(found[1]?.paths.user).toBe(join(home, '.cursor', 'mcp.json'));
  });

  test('that there is none is told', async () => {
    const {ports, place, put} = await machine();
    const told = async () =>
      (await collect(findAssistants, {assistants: allAssistants, place, commands: false, urls}, ports)).events;
    expect(await told()).toEqual([{type: 'no-assistant-found'}]);
    await put('.cursor/extensions/extensions.json', '[]');
    expect(await told()).toEqual([{type: 'assistant-found', id: 'cursor', name: 'Cursor'}]);
  });

  test('that there is none is not told where one is connected', async () => {
    const {ports, place, connect} = await machine();
    await connect(['cursor', 'user', 'bridge']);
    const input = {assistants: allAssistants, place, commands: false, urls};
    expect((await collect(findAssistants, input, ports)).events).toEqual([]);
  });

  test('what this program has made is no sign of the client, nor is an empty directory', async () => {
    const {ports, put, place, home, connect} = await machine();
    const isInstalled = async () => {
      const assistants = allAssistants.filter(({id}) => id === 'cursor');
      const {result} = await collect(findAssistants, {assistants, place, commands: false, urls}, ports);
      return result[0]?.installed;
    };
    await mkdir(join(home, '.cursor', 'empty'), {recursive: true});
    expect(await isInstalled()).toBe(false);
    await connect(['cursor', 'user', 'bridge']);
    expect(await isInstalled()).toBe(false);
    await put('.cursor/extensions/extensions.json', '[]');
    expect(await isInstalled()).toBe(true);
  });

  test('a file that was there before this program wrote to it is the client’s', async () => {
    const {ports, put, place, connect} = await machine();
    await put('.cursor/mcp.json', '{}');
    await connect(['cursor', 'user', 'bridge']);
    const assistants = allAssistants.filter(({id}) => id === 'cursor');
    const {result} = await collect(findAssistants, {assistants, place, commands: false, urls}, ports);
    expect(result[0]?.installed).toBe(true);
  });

  test.each([
    ['goose', 'goose version: v3.24.1\n', false],
    ['goose', ' 1.9.3\n', true],
    ['copilot-cli', 'copilot version: v1.34.0\n', false],
    ['copilot-cli', '1.0.102\nCommit: 0f1e2d3\n', true],
  ])('a program of the same name is told by what it says: %s, %j', async (id, stdout, installed) => {
    const {ports, place} = await machine();
    const run: Ports['processes']['run'] = async () => ({outcome: 'exited', code: 0, stdout, stderr: ''});
    const assistants = allAssistants.filter(one => one.id === id);
    const asked = {...ports, processes: {...ports.processes, find, run}};
    const {result} = await collect(findAssistants, {assistants, place, commands: true, urls}, asked);
    expect(result.map(one => one.installed)).toEqual([installed]);
  });

  test('a file that would cost the client something is none to write before it is there', async () => {
    const {ports, put, place, home} = await machine();
    const pathsOf = async () => {
      const assistants = allAssistants.filter(({id}) => id === 'continue');
      const {result} = await collect(findAssistants, {assistants, place, commands: false, urls}, ports);
      return result[0]?.paths;
    };
    expect(await pathsOf()).toEqual({project: expect.stringContaining('platform-setup.yaml')});
    await put('.continue/config.yaml', 'name: mine\n');
    expect(await pathsOf()).toMatchObject({user: join(home, '.continue', 'config.yaml')});
  });

  test('a client that does not find names below localhost gets the bridge, which does', async () => {
    const {ports, place} = await machineWithPrograms({
      claude: '2.1.300 (Claude Code)',
      codex: 'codex-cli 0.169.0',
    });
    const best = async (...urls: readonly string[]) => {
      const {result} = await collect(findAssistants, {assistants: allAssistants, place, commands: true, urls}, ports);
      return result.filter(({installed}) => installed).map(({id, methods}) => [id, methods[0]]);
    };
    for (const host of ['api.acme.example', 'localhost:8080', '127.0.0.1:8080']) {
      expect(await best(`http://${host}/mcp`)).toEqual([
        ['claude-code', 'helper'],
        ['codex-cli', 'helper'],
      ]);
    }
    for (const others of [[], ['https://observer.acme.example/mcp']]) {
      expect(await best('http://api.acme.localhost:8080/mcp', ...others)).toEqual([
        ['claude-code', 'helper'],
        ['codex-cli', 'bridge'],
      ]);
    }
  });

  /** Returns ports whose programs time out while `isLate` is true, and the list of the timeouts that callers set. */
  const answering = (ports: Ports, isLate: () => boolean) => {
    const timeouts: number[] = [];
    const run: Ports['processes']['run'] = async (command, args, options) => {
      timeouts.push(options.timeout);
      return isLate() ? {outcome: 'timed-out'} : ports.processes.run(command, args, options);
    };
    return {timeouts, ports: {...ports, processes: {...ports.processes, run}}};
  };

  test('a version that was heard from the same program stands in for an answer that is late', async () => {
    const {ports: real, place, install} = await machineWithPrograms({claude: '2.1.328 (Claude Code)'});
    let isLate = false;
    const {ports, timeouts} = answering(real, () => isLate);
    const assistants = allAssistants.filter(({id}) => id === 'claude-code');
    const look = async () => {
      const {result} = await collect(findAssistants, {assistants, place, commands: true, urls}, ports);
      return result.map(({version, methods}) => [version, methods[0]]);
    };
    expect(await look()).toEqual([['2.1.328', 'helper']]);
    isLate = true;
    expect(await look()).toEqual([['2.1.328', 'helper']]);
    // A replaced program may be of another version.
    await install('claude', '2.1.329, as a larger file');
    expect(await look()).toEqual([[undefined, 'bridge']]);
    isLate = false;
    expect(await look()).toEqual([['2.1.329', 'helper']]);
    expect(timeouts).toEqual([FIRST_VERSION_TIMEOUT, VERSION_TIMEOUT, FIRST_VERSION_TIMEOUT, FIRST_VERSION_TIMEOUT]);
  });

  test('a version that decides nothing is not waited for longer', async () => {
    const {ports: real, place} = await machineWithPrograms({goose: '1.9.3'});
    const {ports, timeouts} = answering(real, () => true);
    const assistants = allAssistants.filter(({id}) => id === 'goose');
    await collect(findAssistants, {assistants, place, commands: true, urls}, ports);
    expect(timeouts).toEqual([VERSION_TIMEOUT]);
  });

  test('an entry by the helper stays one where the version does not come', async () => {
    const {ports: real, place, connect} = await machine();
    const run: Ports['processes']['run'] = async () => ({outcome: 'timed-out'});
    const ports = {...real, processes: {...real.processes, find, run}};
    const assistants = allAssistants.filter(({id}) => id === 'claude-code');
    const best = async (...addresses: readonly string[]) => {
      const input = {assistants, place, commands: true, urls: addresses};
      return (await collect(findAssistants, input, ports)).result.map(({methods}) => methods);
    };
    expect(await best(...urls)).toEqual([['bridge', 'header', 'oauth']]);
    await connect(['claude-code', 'user', 'helper']);
    expect(await best(...urls)).toEqual([['helper', 'bridge', 'header', 'oauth']]);
  });

  test('starts no program that is not there', async () => {
    const {ports, place} = await machine();
    const run = vi.fn(ports.processes.run);
    const processes = {...ports.processes, find: async () => undefined, run};
    await collect(findAssistants, {assistants: allAssistants, place, commands: true, urls}, {...ports, processes});
    expect(run).not.toHaveBeenCalled();
  });

  test('asks no program when that is not wanted', async () => {
    const {ports, place} = await machineWithPrograms({claude: '2.1.328'});
    const {result} = await collect(findAssistants, {assistants: allAssistants, place, commands: false, urls}, ports);
    expect(result.filter(({installed}) => installed)).toEqual([]);
  });

  test.each<[string, ProcessResult, boolean, string | undefined]>([
    ['says its version', {outcome: 'exited', code: 0, stdout: 'x 1.2.3', stderr: ''}, true, '1.2.3'],
    ['says something else', {outcome: 'exited', code: 1, stdout: 'What?', stderr: ''}, true, undefined],
    ['hangs', {outcome: 'timed-out'}, true, undefined],
    ['is no longer there', {outcome: 'missing'}, false, undefined],
  ])('a program that %s is there or not', async (_what, result, installed, version) => {
    const {ports, place} = await machine();
    const asked: unknown[] = [];
    const run: Ports['processes']['run'] = async (command, args, {timeout}) => {
      asked.push([command, args, timeout]);
      return result;
    };
    const assistants = allAssistants.filter(({id}) => id === 'claude-code' || id === 'generic');
    const {result: found, events} = await collect(
      findAssistants,
      {assistants, place, commands: true, urls},
      {...ports, processes: {...ports.processes, find, run}},
    );
    const claude = found.find(({id}) => id === 'claude-code');
    expect(asked).toEqual([['claude', ['--version'], FIRST_VERSION_TIMEOUT]]);
    expect(claude?.installed).toBe(installed);
    expect(claude?.version).toBe(version);
    expect(claude && 'version' in claude).toBe(version !== undefined);
    const event = {type: 'assistant-found', id: 'claude-code', name: 'Claude Code'};
    const none = {type: 'no-assistant-found'};
    expect(events).toStrictEqual([installed ? (version === undefined ? event : {...event, version}) : none]);
    const generic = found.find(({id}) => id === 'generic');
    expect(generic?.paths).toEqual({project: join(place.project, '.mcp.json')});
  });
});
