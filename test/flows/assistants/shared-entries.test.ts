import {execFileSync} from 'node:child_process';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {foreignKeysIn} from '../../../src/flows/assistants/verify-entries.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {collect} from '../../support/flows.ts';
import {isOnWine} from '../../support/systems/on-wine.ts';
import {worded} from '../../support/worded.ts';
import {entries, machine} from './support/machine.ts';

/** Sets up a machine with or without this program on its PATH. */
const machineWith = async (isInstalled = true) => {
  const at = await machine();
  const processes = {
    ...at.ports.processes,
    find: async (name: string) =>
      name === 'platform-setup' && isInstalled ? '/usr/local/bin/platform-setup' : undefined,
  };
  const ports = {...at.ports, processes};
  const inProject = (isShared: boolean, id = 'claude-code', method: 'bridge' | 'helper' = 'bridge') => {
    const input = at.input([[id, 'project', method]]);
    if (!isShared) return input;
    // Files in the usual directory: an entry for everybody names no directory.
    const {home: _, ...own} = input.own;
    return {...input, own, targets: input.targets.map(one => ({...one, isShared: true as const}))};
  };
  const plan = (input: Parameters<typeof planFiles>[0]) => collect(planFiles, input, ports);
  return {...at, ports, inProject, plan};
};

const warningsIn = (events: readonly {readonly type: string}[]) =>
  events.flatMap(event => (event.type === 'warning' ? [(event as {message?: string}).message ?? ''] : []));

describe('an entry for a project', () => {
  test('is said to work on this machine only', async () => {
    const {plan, inProject} = await machineWith();
    const {result, events} = await plan(inProject(false));
    expect(result.files[0]?.summary).toBe('2 entries for Claude Code, by the bridge, on this machine only');
    // A project outside of any repository is not shared.
    expect(warningsIn(events)).toEqual([]);
  });

  test('is not for everybody where this program keeps its files elsewhere than usual', async () => {
    const {plan, inProject, input} = await machineWith();
    const {own} = input([]);
    expect(own.home).toBeDefined();
    await expect(worded(plan({...inProject(true), own}))).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining(`keeps its files in ${own.home}`),
      remedy: expect.stringContaining('--scope project'),
    });
  });

  // Wine has no git of Windows.
  test.skipIf(isOnWine)('is proposed in another form where version control would hand it on', async () => {
    const installed = await machineWith();
    const {plan, inProject, project, home, input} = installed;
    execFileSync('git', ['init', '-q', project], {env: {...process.env, HOME: home}});
    const inUsualDirectory = (at: Awaited<ReturnType<typeof machineWith>>) => {
      const {home: _, ...own} = at.input([]).own;
      return {...at.inProject(false), own};
    };
    const {events} = await plan(inUsualDirectory(installed));
    expect(warningsIn(events)).toEqual([
      expect.stringMatching(/\.mcp\.json is in a git repository.* on their PATH, choose the scope.*--scope shared/),
    ]);
    // That form is not proposed where it would be refused.
    const elsewhere = warningsIn((await plan(inProject(false))).events);
    expect(elsewhere).toEqual([expect.stringMatching(/so they do not work on another one\.$/)]);
    const uninstalled = await machineWith(false);
    execFileSync('git', ['init', '-q', uninstalled.project], {env: {...process.env, HOME: uninstalled.home}});
    expect(warningsIn((await uninstalled.plan(inUsualDirectory(uninstalled))).events)).toEqual([
      expect.stringMatching(/put it on yours first \(.*npm install --global \.\), then choose the scope/),
    ]);
    // One warning for all files: several would push the changes off the screen.
    const two = input([
      ['claude-code', 'project', 'bridge'],
      ['cursor', 'project', 'bridge'],
    ]);
    expect(warningsIn((await plan(two)).events)).toEqual([
      expect.stringMatching(/\.mcp\.json, .*\.cursor.mcp\.json are in a git repository, and their entries/),
    ]);
    // A file that git ignores needs no warning.
    await writeFile(join(project, '.gitignore'), '/.mcp.json\n');
    expect(warningsIn((await plan(inProject(false))).events)).toEqual([]);
  });

  test.each(['bridge', 'helper'] as const)(
    'names nothing of this machine where it is for everybody, by the %s',
    async method => {
      const {plan, inProject, ports, home, project, input} = await machineWith();
      const shared = inProject(true, 'claude-code', method);
      const {result, events} = await plan(shared);
      expect(result.files[0]?.summary).not.toContain('this machine');
      expect(warningsIn(events)).toEqual([]);
      await collect(writeFiles, {...shared, plan: result}, ports);
      const text = await readFile(join(project, '.mcp.json'), 'utf8');
      expect(text).toContain('platform-setup');
      for (const path of [home, project, input([]).own.command, input([]).own.args[0] ?? '', 'setup-home']) {
        expect(text).not.toContain(path);
      }
    },
  );

  test('for everybody is not written where the program would not be found', async () => {
    const {plan, inProject} = await machineWith(false);
    await expect(plan(inProject(true))).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining('not on your PATH'),
    });
    await expect(plan(inProject(false))).resolves.toBeDefined();
  });

  test('for everybody stays so when it is renewed', async () => {
    const {plan, inProject, ports, project} = await machineWith();
    const shared = inProject(true);
    const {result} = await plan(shared);
    await collect(writeFiles, {...shared, plan: result}, ports);
    const path = join(project, '.mcp.json');
    const before = await readFile(path, 'utf8');
    const [entry] = (await ports.config.read()).contexts.flatMap(({entries = []}) => entries);
    if (!entry) throw new Error('What was written is known.');
    const renewing = {...inProject(false), targets: inProject(false).targets.map(one => ({...one, renews: entry}))};
    const again = await plan(renewing);
    expect(again.result.files.find(file => file.path === path)?.change).toBe('unchanged');
    expect(await readFile(path, 'utf8')).toBe(before);
  });
});

describe('whether an entry is what this program would write', () => {
  const judge = async (scope: 'user' | 'project', command: string, more: object = {}) => {
    const {input} = await machine();
    const {targets, place, own, context, tokens} = input([['cursor', scope, 'bridge']]);
    const [target] = targets;
    const [wanted] = entries;
    if (!target) throw new Error('It was asked for.');
    const entry = {command, args: ['mcp', 'serve', wanted.server, '--context', context], ...more};
    const connection = target.assistant.entry.read(entry);
    if (!connection) throw new Error('It can be read.');
    return foreignKeysIn({entry, connection, scope, readers: [target.assistant]}, wanted, {
      place,
      own,
      context,
      tokens,
    });
  };

  test('it is in a project, by the name of the program alone', async () => {
    const differing = await judge('project', 'platform-setup');
    expect(differing.filter(key => key !== 'type')).toEqual([]);
  });

  test.each([
    ['of every project', 'user', 'platform-setup', {}],
    ['of another program', 'project', 'platform-setup-evil', {}],
    ['at a path of the project', 'project', './platform-setup', {}],
    ['with variables', 'project', 'platform-setup', {env: {NODE_OPTIONS: '--require ./evil.js'}}],
    [
      'with other words',
      'project',
      'platform-setup',
      {args: ['mcp', 'serve', 'control-plane', '--context', 'acme', '--setup-home', '.']},
    ],
  ] as const)('it is not one %s', async (_name, scope, command, more) => {
    expect((await judge(scope, command, more)).filter(key => key !== 'type')).not.toEqual([]);
  });
});
