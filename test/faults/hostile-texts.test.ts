import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {commands} from '../../src/command-line/commands.ts';
import {rowsOfTable} from '../support/tables.ts';
import {type Bench, openBench} from './support/bench.ts';
import {bridgeSession} from './support/bridge-session.ts';
import type {Fault} from './support/fault.ts';
import {flows, setUpAsClient} from './support/flows.ts';
import type {Machine} from './support/machine.ts';
import {poison, poisons} from './support/poison.ts';
import {type Said, startLine} from './support/run-line.ts';

type Run = (bench: Bench, machine: Machine, more: readonly string[]) => Promise<Said>;

const words =
  (...line: readonly string[]): Run =>
  (_, {env}, more) =>
    startLine([...line, ...more], env).ended;

/** The command uses a sandbox of its own, which is not hostile. */
const alone = (...line: readonly string[]): Run => words(...line, '--help');

const isHelp = new Set(['demo', 'sandbox', 'help', 'completion']);

/** Every command, by its words, as it meets a hostile platform. A new command needs a row. */
const runs: Readonly<Record<string, Run>> = {
  '': ({flags, client}, {env, project}, more) =>
    startLine(
      [
        ...['--yes', '--sign-in', 'service-account', '--client-id', client.clientId, '--replace'],
        ...['--assistants', 'generic', '--method', 'header', '--project', project, ...flags, ...more],
      ],
      {...env, CLI_CLIENT_SECRET: client.clientSecret},
    ).ended,
  demo: alone('demo'),
  sandbox: alone('sandbox'),
  login: words('login'),
  logout: words('logout'),
  status: words('status'),
  token: words('token', '--renew'),
  'mcp connect': (_, {env, project}, more) =>
    startLine(['mcp', 'connect', 'generic', '--yes', '--replace', '--project', project, ...more], env).ended,
  'mcp list': words('mcp', 'list'),
  'mcp disconnect': words('mcp', 'disconnect', '--yes'),
  'mcp tools': words('mcp', 'tools', 'control-plane'),
  'mcp call': words('mcp', 'call', 'control-plane', 'list_projects'),
  'mcp serve': (_, {env}) => bridgeSession(startLine(['mcp', 'serve', 'control-plane'], env)),
  'context list': words('context', 'list'),
  'context use': words('context', 'use', 'faulty'),
  'context remove': words('context', 'remove', 'faulty', '--yes'),
  doctor: words('doctor'),
  undo: words('undo', '--list'),
  uninstall: words('uninstall', '--yes'),
  upgrade: words('upgrade', '--offline'),
  values: words('values'),
  'platform init': ({flags}, {env}, more) => startLine(['platform', 'init', ...flags, ...more], env).ended,
  'platform check': ({flags}, {env}, more) => {
    const {origin} = new URL(flags.find(flag => flag.startsWith('http')) ?? '');
    return startLine(['platform', 'check', `${origin}/version`, ...more], env).ended;
  },
  'org export': ({flags}, {env, project}, more) =>
    startLine(['org', 'export', join(project, 'kit'), ...flags, ...more], env).ended,
  'provider guide': words('provider', 'guide'),
  'provider check': (_, {env}, more) =>
    startLine(['provider', 'check', '--client-id', 'ci', ...more], {...env, CLI_CLIENT_SECRET: 'a-secret'}).ended,
  'component list': words('component', 'list'),
  help: words('help', 'mcp'),
  version: words('version'),
  explain: words('explain', 'auth-no-role'),
  completion: (_, {env}) => startLine(['completion', '--', '--context', ''], env).ended,
};

/** Characters that act on a terminal or change how its text reads. */
const harmful = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/** The bridge's messages are JSON for a program. Characters that JSON does not escape come from the server. */
const harmfulToPrograms = /[^\P{Cc}\n\u0080-\u009F]/u;

const faultOf = (name: string): Fault => {
  const also = poisons[name] ?? {};
  return {name, at: 'health', answers: also.health ?? (handler => handler), also, means: 'ok'};
};

test('every command has a row', () => {
  expect(Object.keys(runs).toSorted()).toEqual(commands.map(({words: called}) => called.join(' ')).toSorted());
});

describe('a platform that is hostile', () => {
  let bench: Bench;
  let machine: Machine;
  beforeAll(async () => {
    bench = await openBench();
    // The platform's texts from the setup are saved, and commands show them without a request.
    bench.have(faultOf('in what it says when all is well'));
    machine = bench.machineFor({whose: 'nobody', run: setUpAsClient});
    expect(await setUpAsClient(bench, machine)).toMatchObject({exit: 0});
  }, 60_000);
  afterAll(() => bench.close());

  const cells = Object.keys(poisons).flatMap(how => Object.keys(runs).map(called => [how, called] as const));

  test.each(rowsOfTable(cells, 0, 7))('%s: setup %s', async (how, called) => {
    for (const more of [[], ['--json']]) {
      bench.have(faultOf(how));
      const own = bench.copyOf(machine);
      const run = runs[called];
      if (!run) throw new Error(`There is no ${called}.`);
      const {stdout, stderr} = await run(bench, own, more);
      expect(stderr).not.toMatch(harmful);
      expect(stdout).not.toMatch(called === 'mcp serve' ? harmfulToPrograms : harmful);
      expect(`${stdout}${stderr}`).not.toBe('');
      if (more.length > 0 && !isHelp.has(called))
        for (const line of stdout.trimEnd().split('\n')) JSON.parse(line || 'null');
    }
  });

  test('and JSON says what it said, to the letter', async () => {
    bench.have(faultOf('in what it says when all is well'));
    const {stdout} = await flows['mcp tools'].run(bench, bench.copyOf(machine));
    expect(stdout).not.toMatch(harmful);
    const tools: unknown = JSON.parse(stdout);
    expect(JSON.stringify(tools)).toContain(JSON.stringify(poison).slice(1, -1));
  });
});
