import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';

const root = resolve(import.meta.dirname, '..');
const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'));
const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [job] = Object.values<{permissions: object; steps: {uses?: string; run?: string}[]}>(workflow.jobs);
const steps = job?.steps ?? [];
const commands = steps.flatMap(({run}) => run?.split('\n') ?? []);

test('only a tag publishes, and no job may do more than it has to', () => {
  expect(Object.keys(workflow.on)).toEqual(['push']);
  expect(Object.keys(workflow.on.push)).toEqual(['tags']);
  expect(workflow.permissions).toEqual({contents: 'read'});
  expect(job?.permissions).toEqual({contents: 'write', 'id-token': 'write', attestations: 'write'});
});

test('every action is named by the commit that was looked at', () => {
  const used = steps.flatMap(({uses}) => uses ?? []);
  expect(used.length).toBeGreaterThan(2);
  for (const one of used) expect(one).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
});

test('what is published was tested as it is, and says where it comes from', () => {
  const at = (text: string) => commands.findIndex(line => line.includes(text));
  expect(at('.ci/run')).toBeGreaterThanOrEqual(0);
  expect(at('suite tarball')).toBeGreaterThan(at('.ci/run'));
  expect(at('npm pack')).toBeGreaterThan(at('suite tarball'));
  expect(commands[at('npm publish')]).toMatch(/npm publish --provenance .*\.tgz$/);
  expect(at('npm publish')).toBeGreaterThan(at('npm pack'));
  for (const [, name = ''] of commands.join('\n').matchAll(/npm run ([\w:-]+)/g))
    expect(scripts).toHaveProperty([name]);
});
