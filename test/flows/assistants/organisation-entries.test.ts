import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Assistant} from '../../../src/assistants/assistant.ts';
import {claudeCode} from '../../../src/assistants/catalogue/claude-code.ts';
import {zed} from '../../../src/assistants/catalogue/zed.ts';
import {describeEntryState} from '../../../src/command-line/output/entry-state.ts';
import {inspectOrganisationEntries} from '../../../src/flows/assistants/inspect-entries.ts';
import {organisationEntries, organisationEntriesOfEach} from '../../../src/flows/assistants/organisation-entries.ts';
import {context, entries, machine} from './support/machine.ts';

const args = (server: string) => ['/opt/setup.js', 'mcp', 'serve', server, '--context', 'acme'];
const bridgeTo = (server: string) => ({type: 'stdio', command: '/opt/node', args: args(server)});

/** Sets up a machine on which an organisation gives Claude Code these servers. */
const withGiven = async (...servers: readonly string[]) => {
  const {ports, put, place, home} = await machine();
  const path = join(home, 'given', 'managed-mcp.json');
  const mcpServers = Object.fromEntries(servers.map(server => [`given-${server}`, bridgeTo(server)]));
  await put('given/managed-mcp.json', JSON.stringify({mcpServers}));
  const {directory: _, ...rules} = claudeCode.rules as NonNullable<Assistant['rules']>;
  const assistants = [{...claudeCode, rules: {...rules, files: () => [path]}}, zed];
  const find = () => organisationEntries({assistants, place, context: 'acme', entries}, ports);
  return {
    find,
    inspect: async () => (await inspectOrganisationEntries([context], {assistants, place}, ports)).flat(),
    put,
    path,
  };
};

test('the servers that an organisation has given an assistant are known by their own names', async () => {
  const {find, put, path} = await withGiven('control-plane', 'observability', 'other');
  await put('.claude.json', '{}');
  expect((await find()).map(({assistant, server, name, path}) => [assistant.id, server, name, path])).toEqual([
    ['claude-code', 'control-plane', 'given-control-plane', path],
    ['claude-code', 'observability', 'given-observability', path],
  ]);
});

test('not of one that is not here', async () => {
  const {find} = await withGiven('control-plane');
  expect(await find()).toEqual([]);
});

test('and they stand among the entries', async () => {
  const {inspect, put, path} = await withGiven('control-plane');
  await put('.claude.json', '{}');
  const [standing, ...others] = await inspect();
  expect(standing).toEqual({
    ...{assistant: 'Claude Code', name: 'given-control-plane', path, scope: 'user', method: 'bridge', state: 'given'},
  });
  expect(others).toEqual([]);
  if (!standing) throw new Error('There is one.');
  expect(describeEntryState(standing, 0, {state: 'signed-out'} as never)).toBe(
    'connected by your organisation, sign-in needed',
  );
});

test('many contexts each have their own, and what an organisation says is read once', async () => {
  const {ports, put, place, home} = await machine();
  const path = join(home, 'given', 'managed-mcp.json');
  await put('given/managed-mcp.json', JSON.stringify({mcpServers: {one: bridgeTo('control-plane')}}));
  await put('.claude.json', '{}');
  const {directory: _, ...rules} = claudeCode.rules as NonNullable<Assistant['rules']>;
  const assistants = [{...claudeCode, rules: {...rules, files: () => [path]}}];
  const read: string[] = [];
  const files = {
    ...ports.files,
    read: (file: string) => {
      read.push(file);
      return ports.files.read(file);
    },
  };
  const wanted = ['acme', 'other'].map(name => ({context: name, entries}));
  const [first, second] = await organisationEntriesOfEach(wanted, {assistants, place}, {...ports, files});
  expect(first?.map(({name}) => name)).toEqual(['one']);
  expect(second).toEqual([]);
  expect(read.filter(file => file === path)).toEqual([path]);
});
