import {describe, expect, test} from 'vitest';
import {dashedNames, dottedNames} from '../../../src/assistants/assistant.ts';
import {generic} from '../../../src/assistants/catalogue/generic.ts';
import type {Method} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {phrase, setup} from '../../../src/errors/remedy.ts';
import {entryFor, leadsTo, nameFor, toolsIn} from '../../../src/flows/assistants/assistant-entry.ts';
import {entries} from './support/machine.ts';

const [controlPlane, observability] = entries;
const own = {command: '/usr/bin/node', args: ['/opt/setup.js'], home: '/home/ann/setup'};
const flags = ['--setup-home', '/home/ann/setup'];
const place = {home: '/home/ann', project: '/project', system: 'linux', env: {}} as const;
const tokens = {signIn: new Secret('of-sign-in'), observability: new Secret('own')};

/**
 * Returns an assistant whose editor records each entry that it is asked to write. It supports the bridge and the
 * given ways.
 */
const dialect = (...ways: readonly ('header' | 'helper')[]) => ({
  ...generic,
  names: dashedNames,
  entry: {
    ...generic.entry,
    command: (entry: object) => ({way: 'bridge', ...entry}),
    header: ways.includes('header') ? (entry: object) => ({way: 'header', ...entry}) : undefined,
    helper: ways.includes('helper') ? (entry: object) => ({way: 'helper', ...entry}) : undefined,
  } as typeof generic.entry,
});

const write = (method: Method, entry: (typeof entries)[number], assistant = dialect('header', 'helper')) =>
  entryFor({assistant, scope: 'user', method}, entry, {place, own, context: 'acme', tokens});

describe('an entry', () => {
  const at = {scope: 'user', system: 'linux'};

  test('holds the token that its server takes, where it is by a header', () => {
    const [{label: name, url}, {label: otherName, url: otherUrl}] = [controlPlane, observability];
    const held = {way: 'header', ...at, name, url, authorization: 'Bearer of-sign-in'};
    expect(write('header', controlPlane)).toEqual(held);
    const ownHeld = {way: 'header', ...at, name: otherName, url: otherUrl, authorization: 'Bearer own'};
    expect(write('header', observability)).toEqual(ownHeld);
  });

  test('names the program that prints the header, and the server where that has a token of its own', () => {
    const program = ['/usr/bin/node', '/opt/setup.js', 'token', '--mcp-header', '--context', 'acme'];
    const {label: name, url} = controlPlane;
    expect(write('helper', controlPlane)).toEqual({way: 'helper', ...at, name, url, command: [...program, ...flags]});
    expect(write('helper', observability)).toMatchObject({
      command: [...program, '--server', 'observability', ...flags],
    });
  });

  test.each([
    ['where that is the way', 'bridge', dialect('header', 'helper')],
    ['where it has no header', 'header', dialect('helper')],
    ['where it has no helper', 'helper', dialect('header')],
  ] as const)('names the program in between %s', (_why, method, assistant) => {
    const args = ['/opt/setup.js', 'mcp', 'serve', 'control-plane', '--context', 'acme', ...flags];
    const name = controlPlane.label;
    expect(write(method, controlPlane, assistant)).toEqual({way: 'bridge', ...at, name, command: own.command, args});
  });
});

describe('the name of an entry', () => {
  test.each([
    ['acme.corp-control-plane', dottedNames, 'acme.corp-control-plane'],
    ['acme.corp-control-plane', dashedNames, 'acme-corp-control-plane'],
    ['…acme  corp!', dashedNames, 'acme-corp'],
  ])('%s is as it is where the client takes it, else with dashes', (label, rule, name) => {
    expect(nameFor(label, rule)).toBe(name);
  });

  test('is asked for where nothing is left of it', () => {
    expect(() => nameFor('…', dashedNames)).toThrow(
      expect.objectContaining({
        code: 'input-invalid',
        message: `“…” cannot be the name of an entry. Use ${dashedNames.words}.`,
        remedy: {do: 'Give the deployment another name.', flag: phrase`Run ${setup('', '--context NAME')}.`},
        about: {flag: 'context'},
      }),
    );
  });
});

describe('an entry that is there', () => {
  const command = (...args: readonly string[]) => ({kind: 'command', command: 'node', args, env: {}}) as const;

  test.each([
    ['leads to the same address', {kind: 'header', url: controlPlane.url, headers: {}} as const, true],
    ['leads elsewhere', {kind: 'helper', url: observability.url, helper: 'x'} as const, false],
    ['is our bridge', command('/opt/setup.js', 'mcp', 'serve', 'control-plane', '--context', 'acme'), true],
    ['is our bridge of another context', command('mcp', 'serve', 'control-plane', '--context', 'beta'), false],
    ['is our bridge to another server', command('mcp', 'serve', 'observability', '--context', 'acme'), false],
    ['is another command of ours', command('mcp', 'list', 'control-plane', '--context', 'acme'), false],
    ['is another program', command('serve', 'control-plane', '--context', 'acme'), false],
    ['is none that the client would take', undefined, false],
    ['leads to some of its tools', {kind: 'header', url: `${controlPlane.url}?toolsets=x`, headers: {}} as const, true],
    ['asks it for more', {kind: 'header', url: `${controlPlane.url}?more=x`, headers: {}} as const, false],
    ['is our bridge to some', command('mcp', 'serve', 'control-plane', '--context', 'acme', '--tools', 'run'), true],
  ])('that %s is ours or not', (_what, connection, expected) => {
    expect(leadsTo(connection, controlPlane, 'acme')).toBe(expected);
  });
});

describe('an entry of some tools', () => {
  const narrowed = {...controlPlane, toolSets: {build: ['project', 'component'], run: ['pe']}};
  const means = {place, own, context: 'acme', tokens};
  const target = {assistant: dialect('header', 'helper'), scope: 'user', tools: 'build'} as const;
  const command = (...more: readonly string[]) =>
    ({kind: 'command', command: 'node', args: ['mcp', 'serve', 'control-plane', ...more], env: {}}) as const;

  test.each(['header', 'helper'] as const)('has them in its address, by a %s', method => {
    const url = `${controlPlane.url}?toolsets=project,component`;
    expect(entryFor({...target, method}, narrowed, means)).toMatchObject({url});
  });

  test('has them in the command of the bridge, ahead of where this program keeps its files', () => {
    const args = ['/opt/setup.js', 'mcp', 'serve', 'control-plane', '--context', 'acme', '--tools', 'build', ...flags];
    expect(entryFor({...target, method: 'bridge'}, narrowed, means)).toMatchObject({args});
  });

  test('is one of all where the server has no sets', () => {
    expect(entryFor({...target, method: 'header'}, controlPlane, means)).toMatchObject({url: controlPlane.url});
    expect(entryFor({...target, method: 'bridge'}, observability, means)).not.toMatchObject({
      args: expect.arrayContaining(['--tools']),
    });
  });

  test.each([
    ['all', {kind: 'header', url: controlPlane.url, headers: {}} as const],
    ['build', {kind: 'oauth', url: `${controlPlane.url}?toolsets=project,component`, clientId: 'x'} as const],
    ['run', {kind: 'helper', url: `${controlPlane.url}?toolsets=pe`, helper: 'x'} as const],
    [undefined, {kind: 'header', url: `${controlPlane.url}?toolsets=of,another,day`, headers: {}} as const],
    ['all', command()],
    ['run', command('--context', 'acme', '--tools', 'run')],
    [undefined, command('--tools', 'of-another-day')],
  ])('is told to be one of %s', (expected, connection) => {
    expect(toolsIn(connection, narrowed)).toBe(expected);
  });
});
