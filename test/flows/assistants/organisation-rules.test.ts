import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {claudeCode} from '../../../src/assistants/catalogue/claude-code.ts';
import {zed} from '../../../src/assistants/catalogue/zed.ts';
import type {FoundAssistant} from '../../../src/flows/assistants/find-assistants.ts';
import {applyRules, readRules} from '../../../src/flows/assistants/organisation-rules.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {collect} from '../../support/flows.ts';
import {entries, machine} from './support/machine.ts';

const here: FoundAssistant = {
  ...{id: 'claude-code', name: 'Claude Code', installed: true, paths: {}},
  methods: ['helper', 'bridge', 'header', 'oauth'],
};

/** Sets up a machine with these settings, and finds out how the rules apply to two assistants there. */
const withSettings = async (settings?: object, found: FoundAssistant = here, connected: readonly string[] = []) => {
  const {ports, put, place, home, input} = await machine();
  if (settings) await put('.claude/settings.json', JSON.stringify(settings));
  const {own, context} = input([]);
  const other: FoundAssistant = {...here, id: 'zed', name: 'Zed'};
  const all = {assistants: [claudeCode, zed], found: [found, other], entries, place, own, context, connected};
  const {result, events} = await collect(applyRules, all, ports);
  return {result, events, rules: join(home, '.claude', 'settings.json'), other, ports, input, place};
};

test('where nobody says anything, what was found stays as it is', async () => {
  for (const settings of [undefined, {}, {permissions: {}}]) {
    const {result, events, other} = await withSettings(settings);
    expect(result).toEqual([here, other]);
    expect(events).toEqual([]);
  }
});

test('a way that is allowed is left, where others are not', async () => {
  const urls = entries.map(({url}) => ({serverUrl: url}));
  const {result, events} = await withSettings({allowedMcpServers: [...urls, {serverCommand: ['npx']}]});
  expect(result[0]).toEqual({...here, methods: ['helper', 'header', 'oauth']});
  expect(events).toEqual([]);
});

test('who may use them in no way says so, and by which file', async () => {
  const {result, events, rules} = await withSettings({deniedMcpServers: [{serverName: 'acme-observability'}]});
  expect(result[0]).toEqual({...here, blockedBy: rules});
  expect(events).toEqual([
    {
      type: 'warning',
      message: `These servers are blocked in Claude Code by your own settings (${rules}). It will not be connected.`,
    },
  ]);
});

test('one that is connected stays, and only the block is told', async () => {
  const {events, rules} = await withSettings({allowedMcpServers: []}, here, ['claude-code']);
  expect(events.map(one => 'message' in one && one.message.endsWith(`(${rules}).`))).toEqual([true]);
});

test('nobody is told so of an assistant that is not here', async () => {
  const {result, events, rules} = await withSettings({allowedMcpServers: []}, {...here, installed: false});
  expect(result[0]?.blockedBy).toBe(rules);
  expect(events).toEqual([]);
});

test('one that was named all the same is refused before anything is written', async () => {
  const {ports, input, rules, place} = await withSettings({allowedMcpServers: []});
  const {targets, ...rest} = input([['claude-code', 'user', 'bridge']]);
  await expect(
    collect(planFiles, {...rest, targets: targets.map(one => ({...one, blockedBy: rules}))}, ports),
  ).rejects.toMatchObject({
    code: 'local-entry-blocked',
    message: expect.stringContaining(rules),
    about: {path: join(place.home, '.claude.json')},
  });
});

test('of several files the one that blocks is named, those of a directory among them', async () => {
  const {ports, put, place, home} = await machine();
  await put('rules/first.json', '{"deny": []}');
  await put('rules/more/20.json', '{"deny": ["acme"]}');
  await put('rules/more/10.json', 'not JSON');
  await put('rules/more/notes.txt', '{"deny": ["other"]}');
  const assistant = {
    ...claudeCode,
    rules: {
      language: 'JSON' as const,
      files: () => [join(home, 'rules', 'first.json'), join(home, 'rules', 'missing.json')],
      directory: () => join(home, 'rules', 'more'),
      blocks: (values: readonly unknown[], {name}: {readonly name: string}) =>
        values.some(value => (value as {deny?: string[]} | undefined)?.deny?.includes(name)),
    },
  };
  const {blockedBy} = await readRules(assistant, place, ports);
  const connection = {kind: 'header', url: 'https://a', headers: {}} as const;
  expect(blockedBy({name: 'acme', connection})).toBe(join(home, 'rules', 'more', '20.json'));
  expect(blockedBy({name: 'other', connection})).toBeUndefined();
});

describe('what an organisation has connected', () => {
  const bridgeTo = (server: string, context: string) => ({
    type: 'stdio',
    command: '/opt/node',
    args: ['/opt/setup.js', 'mcp', 'serve', server, '--context', context],
  });
  const servers = (context: string, ...names: readonly string[]) =>
    Object.fromEntries(names.map(name => [`given-${name}`, bridgeTo(name, context)]));
  const both = servers('acme', 'control-plane', 'observability');

  /** Sets up a machine with a file of servers for everybody, and rules beside it. */
  const withGiven = async (mcpServers: object, settings: object = {}) => {
    const {ports, put, place, home, input} = await machine();
    const paths = ['given.json', 'own.json', 'settings.json'].map(name => join(home, name));
    await put('given.json', JSON.stringify({mcpServers}));
    await put('settings.json', JSON.stringify(settings));
    const {directory: _, ...rules} = claudeCode.rules ?? fail();
    const assistant = {...claudeCode, rules: {...rules, files: () => paths}};
    const {own, context} = input([]);
    const all = {assistants: [assistant], found: [here], entries, place, own, context, connected: []};
    const {result, events} = await collect(applyRules, all, ports);
    return {found: result[0], events, path: paths[0]};
  };

  test('is told, with the file, and is no block', async () => {
    const {found, events, path} = await withGiven(both);
    expect(found).toEqual({...here, providedBy: path});
    expect(events).toEqual([{type: 'assistant-provided', id: 'claude-code', name: 'Claude Code', path}]);
  });

  test('may have addresses instead', async () => {
    const {found, path} = await withGiven(
      Object.fromEntries(entries.map(({label, url}) => [label, {type: 'http', url}])),
    );
    expect(found?.providedBy).toBe(path);
  });

  test.each([
    ['one of the servers alone', servers('acme', 'control-plane'), {}],
    ['another deployment', servers('other', 'control-plane', 'observability'), {}],
    ['what a list denies', both, {deniedMcpServers: [{serverName: 'given-observability'}]}],
    ['what a list does not allow', both, {allowedMcpServers: [{serverName: 'given-control-plane'}]}],
  ])('is not %s', async (_, given, settings) => {
    const {found, events, path} = await withGiven(given, settings);
    expect(found).toEqual({...here, blockedBy: path});
    expect(events).toMatchObject([{type: 'warning', message: expect.stringContaining('blocked in Claude Code')}]);
  });
});

const fail = (): never => {
  throw new Error('Claude Code has rules.');
};
