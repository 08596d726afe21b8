import {existsSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {suites} from './suites.ts';

const root = resolve(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

type Step = {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
};
type Job = {
  readonly strategy: {readonly matrix: {readonly os: readonly string[]; readonly node: readonly string[]}};
  readonly permissions?: unknown;
  readonly steps: readonly Step[];
};
type Workflow = {readonly permissions: unknown; readonly jobs: Readonly<Record<string, Job>>};

const text = textOf('.github/workflows/test.yml');
const workflow: Workflow = parse(text);
const jobs = Object.values(workflow.jobs);
const steps = jobs.flatMap(job => job.steps);
const lines = steps.flatMap(({run}) => run ?? []);
const {scripts, engines, devDependencies} = JSON.parse(textOf('package.json'));

describe('the workflow', () => {
  test('may read the contents of the repository, and nothing else', () => {
    expect(workflow.permissions).toEqual({contents: 'read'});
    expect(jobs.filter(job => 'permissions' in job)).toEqual([]);
  });

  test('names each action by a commit, with its version for people', () => {
    const actions = text.split('\n').filter(line => /\buses:/.test(line));
    expect(actions.length).toBe(steps.filter(({uses}) => uses).length);
    for (const line of actions) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('takes nothing into a command that a stranger can write', () => {
    for (const line of lines) expect(line).not.toContain('${{');
  });

  test('goes through every system, with the oldest Node that the program runs on and the one that it is built with', () => {
    const [, major, minor] = /NEEDED = \[(\d+), (\d+)\]/.exec(textOf('bin/setup.js')) ?? [];
    const [, offered] = /PRIVATE_NODE = 'node@(\d+)'/.exec(textOf('bin/setup.js')) ?? [];
    const versions = [`${major}.${minor}`, `${offered}`];
    expect(devDependencies.node.split('.')[0]).toBe(offered);
    expect(Number(major)).toBeGreaterThanOrEqual(Number(/^>=(\d+)$/.exec(engines.node)?.[1]));
    for (const {strategy} of jobs)
      expect(strategy.matrix).toEqual({os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: versions});
  });

  test('runs what there is', () => {
    for (const line of lines) {
      const [, script, suite] = /^npm (?:run )?(\w+)(?: (\w+))?$/.exec(line) ?? [];
      const [, file] = /^node (\S+)/.exec(line) ?? [];
      expect(
        [script, file].some(one => one !== undefined),
        line,
      ).toBe(true);
      if (script !== undefined && script !== 'ci') expect(Object.keys(scripts)).toContain(script);
      if (suite !== undefined) expect(Object.keys(suites)).toContain(suite);
      if (file !== undefined) expect(existsSync(join(root, file)), file).toBe(true);
    }
    for (const {env} of steps) if (env?.SUITE !== undefined) expect(Object.keys(suites)).toContain(env.SUITE);
  });

  test('runs what the documentation tells contributors to run', () => {
    const told = `${textOf('README.md')}\n${textOf('CONTRIBUTING.md')}\n${textOf('docs/development.md')}`;
    expect(lines.filter(line => /^npm (?:test|run suite)/.test(line))).toEqual(['npm test', 'npm run suite long']);
    expect(told).toContain('\nnpm test');
    expect(told).toContain('CI runs the suite `long` after it');
    for (const part of scripts.check.split(' && ')) expect(lines).toContain(part);
  });

  test('leaves out on Windows only what needs another system', () => {
    for (const {run, if: when} of steps) {
      if (when === undefined) continue;
      expect(run).toMatch(/^npm (?:test|run suite)/);
      expect(when).toBe("runner.os != 'Windows'");
    }
  });
});
