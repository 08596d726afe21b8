import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../../src/assistants/catalogue/all.ts';
import {generic} from '../../../../src/assistants/catalogue/generic.ts';
import {remedyText} from '../../../../src/errors/describe-error.ts';
import {SetupError} from '../../../../src/errors/errors.ts';
import {listThrough, type TriableConnection, verifyEntries} from '../../../../src/flows/assistants/verify-entries.ts';
import {HELPER_TIMEOUT} from '../../../../src/flows/time-limits.ts';
import {createMessageQueue} from '../../../../src/message-queue.ts';
import type {Ports, ProcessResult} from '../../../../src/ports/ports.ts';
import {collect, noSignal} from '../../../support/flows.ts';
import {mcpServer} from '../../../support/mcp-server.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {serve} from '../../../support/server.ts';
import {entries, machine} from '../support/machine.ts';

/** Starts an MCP server, and records the header of each request. */
const server = async () => {
  const headers: (string | undefined)[] = [];
  const origin = await serve(
    mcpServer(request => {
      headers.push(request.headers['x-token'] as string | undefined);
      return true;
    }),
  );
  return {url: `${origin}/mcp`, headers};
};

/** Returns the real ports, but every command line ends with this result. */
const printing = async (result: ProcessResult) => {
  const lines: unknown[] = [];
  const ports = await temporaryPorts();
  const runLine: Ports['processes']['runLine'] = async (line, {timeout}) => {
    lines.push([line, timeout]);
    return result;
  };
  return {lines, ports: {...ports, processes: {...ports.processes, runLine}}};
};

const exited = (stdout: string, {code = 0, stderr = ''} = {}): ProcessResult => ({
  outcome: 'exited',
  code,
  stdout,
  stderr,
});

describe('the tools through an entry', () => {
  const through = async (connection: TriableConnection, ports: Ports) =>
    (await listThrough(connection, {ports, signal: noSignal, tell: () => {}})).names;

  test('are asked for with the header in it', async () => {
    const {url, headers} = await server();
    expect(await through({kind: 'header', url, headers: {'X-Token': 'a'}}, await temporaryPorts())).toEqual([
      'one',
      'two',
    ]);
    expect(new Set(headers)).toEqual(new Set(['a']));
  });

  test('are asked for with what its helper prints', async () => {
    const {url, headers} = await server();
    const {ports, lines} = await printing(exited('{"X-Token": "b"}\n'));
    expect(await through({kind: 'helper', url, helper: 'print it'}, ports)).toEqual(['one', 'two']);
    expect(new Set(headers)).toEqual(new Set(['b']));
    expect(lines).toEqual([['print it', HELPER_TIMEOUT]]);
  });

  test.each<[string, ProcessResult, string]>([
    ['there is no shell', {outcome: 'missing'}, 'there is no shell.'],
    ['it hangs', {outcome: 'timed-out'}, 'it took too long.'],
    ['it fails with words', exited('{}', {code: 3, stderr: 'Nobody is signed in.'}), 'Nobody is signed in.'],
    ['it fails without words', exited('{}', {code: 3}), 'it exited with code 3.'],
    ['it prints a text', exited('Bearer x'), 'it did not print a JSON object of headers.'],
    ['it prints no object', exited('7'), 'it did not print a JSON object of headers.'],
    ['it prints nothing', exited('null'), 'it did not print a JSON object of headers.'],
    ['it prints other than texts', exited('{"a": "b", "c": 7}'), 'it did not print a JSON object of headers.'],
  ])('are not to be had by a helper where %s', async (_why, result, words) => {
    const {ports} = await printing(result);
    const asking = through({kind: 'helper', url: 'http://127.0.0.1:1/mcp', helper: 'print it'}, ports);
    await expect(asking).rejects.toMatchObject({
      code: 'local-entry-failed',
      message: `print it failed: ${words}`,
    });
  });

  test('are asked for through the program that it starts', async () => {
    const ports = await temporaryPorts();
    const command = '/nowhere/at/all';
    const asking = through({kind: 'command', command, args: [], env: {}}, ports);
    await expect(asking).rejects.toMatchObject({code: 'local-entry-failed', message: expect.stringContaining(command)});
  });
});

describe('the proof', () => {
  const scene = async () => {
    const {url} = await server();
    const {put, ports, place, input, project} = await machine();
    const {own, context, tokens} = input([]);
    const entry = {...entries[0], url};
    const cursor = allAssistants.find(({id}) => id === 'cursor') ?? generic;
    const path = await put(
      '.cursor/mcp.json',
      JSON.stringify({mcpServers: {'acme-control-plane': {url, headers: {'X-Token': 'a'}}}}),
    );
    const target = {assistant: cursor, scope: 'user', method: 'header'} as const;
    const verify = (input: Partial<Parameters<typeof verifyEntries>[0]>, through = ports) =>
      collect(verifyEntries, {targets: [target], place, entries: [entry], own, context, tokens, ...input}, through);
    return {verify, path, url, target, ports, put, project, own, entry, entries: [entry, entries[1]] as const};
  };

  test('is what the file says, and is told', async () => {
    const {verify, path, url} = await scene();
    const {result, events} = await verify({});
    const facts = {assistant: 'Cursor', server: 'control-plane', path, tools: 2, tokens: expect.any(Number)};
    expect(result).toEqual([{...facts, name: 'acme-control-plane'}]);
    expect(events).toContainEqual({type: 'server-verified', ...facts, url, ms: expect.any(Number)});
  });

  /** An entry that starts the bridge with this command. */
  const bridge = ({command, args, home}: {command: string; args: readonly string[]; home?: string}) => ({
    command,
    args: [...args, 'mcp', 'serve', 'control-plane', '--context', 'acme', '--setup-home', home],
  });

  test('of one that starts a program names that', async () => {
    const {verify, put, ports, own} = await scene();
    await put('.cursor/mcp.json', JSON.stringify({mcpServers: {'acme-control-plane': bridge(own)}}));
    const answers: Record<string, object> = {
      initialize: {protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {name: 'x', version: '1'}},
      'tools/list': {tools: [{name: 'one', inputSchema: {type: 'object'}}]},
    };
    const open: Ports['processes']['open'] = async () => {
      const lines = createMessageQueue<string>();
      return {
        send: line => {
          const {id, method} = JSON.parse(line);
          if (id !== undefined) lines.push(JSON.stringify({jsonrpc: '2.0', id, result: answers[method]}));
        },
        next: lines.next,
        close: () => {},
      };
    };
    const {events} = await verify({}, {...ports, processes: {...ports.processes, open}});
    expect(events).toContainEqual(
      expect.objectContaining({type: 'server-verified', command: '/usr/bin/node', tools: 1, tokens: 12}),
    );
  });

  test.each<[string, object]>([
    ['command', {command: '/tmp/other'}],
    ['args', {args: ['mcp', 'serve', 'control-plane', '--context', 'acme']}],
    ['env', {env: {NODE_OPTIONS: '--require /tmp/other.cjs'}}],
    ['cwd', {cwd: '/tmp'}],
    ['envFile', {envFile: '.env'}],
    ['whatever', {whatever: 1}],
  ])('of one whose %s is not what was written starts nothing', async (key, change) => {
    const {verify, ports, own, project, target} = await scene();
    const path = join(project, '.cursor', 'mcp.json');
    await mkdir(dirname(path), {recursive: true});
    await writeFile(path, JSON.stringify({mcpServers: {'acme-control-plane': {...bridge(own), ...change}}}));
    const opened: unknown[] = [];
    const open = async (...started: unknown[]) => {
      opened.push(started);
      throw new Error('It is not to be started.');
    };
    const targets = [{...target, scope: 'project'}] as const;
    await expect(verify({targets}, {...ports, processes: {...ports.processes, open}})).rejects.toMatchObject({
      code: 'local-file-changed',
      message: `The entry “acme-control-plane” in ${path} differs from what this program wrote, so it was not tried. What differs: ${key}.`,
    });
    expect(opened).toEqual([]);
  });

  test('of one that points to another server sends nothing there', async () => {
    const {verify, entry} = await scene();
    await expect(verify({entries: [{...entry, url: 'http://127.0.0.1:1/mcp'}]})).rejects.toMatchObject({
      code: 'local-file-changed',
      message: expect.stringContaining('does not point to the server'),
    });
  });

  test('of one that lists other tools than were written is none', async () => {
    const {verify, put, entry, url, target} = await scene();
    const entries = [{...entry, toolSets: {build: ['component'], run: ['pe']}}];
    const write = (address: string) =>
      put(
        '.cursor/mcp.json',
        JSON.stringify({mcpServers: {'acme-control-plane': {url: address, headers: {'X-Token': 'a'}}}}),
      );
    const targets = [{...target, tools: 'build'}] as const;
    await write(`${url}?toolsets=component`);
    expect((await verify({entries, targets})).events).toContainEqual(
      expect.objectContaining({type: 'server-verified', url: `${url}?toolsets=component`}),
    );
    for (const other of [url, `${url}?toolsets=pe`, `${url}?toolsets=component,pe`]) {
      await write(other);
      await expect(verify({entries, targets})).rejects.toMatchObject({code: 'local-file-changed'});
    }
    // A server without tool sets needs no second listing.
    await write(url);
    expect((await verify({targets})).result).toHaveLength(1);
  });

  test.each([
    [
      'where this run wrote it, how to go back',
      true,
      'The files are already written; to revert them, run npx setup undo.',
    ],
    ['where it was written before, nothing of that', false, ''],
  ])('of an entry that is not there says so, and %s', async (_what, isWritten, back) => {
    const {verify, path, entries} = await scene();
    const failure = await verify({entries, isWritten}).catch((error: unknown) => error as SetupError);
    expect(failure).toMatchObject({
      code: 'local-file-changed',
      message: `The entry “acme-observability” that this program wrote is not in ${path}.`,
      about: {path},
    });
    const remedy = remedyText(failure as SetupError);
    expect(back === '' ? /undo/.test(remedy) : remedy.endsWith(back)).toBe(back !== '');
  });

  test('is of the entries that the renewed file has, chosen or not', async () => {
    const {verify, target, path, entries} = await scene();
    const renews = {
      assistant: 'cursor',
      scope: 'user',
      project: '/',
      method: 'header',
      path,
      names: ['acme-control-plane'],
      made: [],
    } as never;
    const {result} = await verify({targets: [{...target, renews}], entries: [entries[1]], every: entries});
    expect(result.map(({server}) => server)).toEqual(['control-plane']);
    expect((await verify({targets: [{...target, renews}], entries})).result).toHaveLength(1);
  });

  test('that a bug is in the way of is no failure of anybody’s', async () => {
    const {verify, ports} = await scene();
    const read = async () => {
      throw new TypeError('This is a bug.');
    };
    await expect(verify({}, {...ports, files: {...ports.files, read}})).rejects.toThrow(TypeError);
    const stopped = collect(verifyEntries, {targets: [], entries: []} as never, ports, AbortSignal.abort());
    await expect(stopped).rejects.toBeInstanceOf(SetupError);
  });
});
