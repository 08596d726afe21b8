import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import type {Context, ContextEntry} from '../../../src/domain/context.ts';
import {contextAt} from '../../support/context.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';
import {storeIn} from '../support/store.ts';

/** Sets up a machine with two saved deployments, both signed out. The first is the current one. */
const twoDeployments = (of: {readonly [name: string]: readonly string[]}) => {
  const surroundings = surroundingsForTest();
  const store = storeIn(surroundings.setupHome);
  const contexts = Object.entries(of).map(([name, assistants]): Context => {
    const entries = assistants.map((assistant): ContextEntry => {
      const path = join(surroundings.home, `.${assistant}`, 'mcp.json');
      mkdirSync(dirname(path), {recursive: true});
      writeFileSync(path, '{}');
      return {assistant, scope: 'user', project: surroundings.home, method: 'bridge', path, names: [name]};
    });
    return {...contextAt('http://idp.acme.localhost:8080'), name, baseDomain: `${name}.localhost:8080`, entries};
  });
  mkdirSync(store.directory, {recursive: true, mode: 0o700});
  store.putContexts(contexts, contexts[0]?.name ?? '');
  return {store, run: (...words: readonly string[]) => runSetup(words, {surroundings})};
};

test('status names the command that signs in to another deployment than the current one', async () => {
  const {run} = twoDeployments({acme: ['cursor'], second: ['cursor']});
  const {stdout} = await run('status');
  const [current = '', second = ''] = stdout.split(/^second: /m);
  expect(current).toContain('Not signed in. Run npx setup.\n');
  expect(second).toContain('Not signed in. Run npx setup login --context second\n');
  expect((await run('status', '--context', 'second')).stdout).toContain('Run npx setup login --context second\n');
});

test('mcp list says which other deployments have entries, and how to list them', async () => {
  const {run} = twoDeployments({acme: [], second: ['cursor', 'kiro'], third: []});
  const {stdout} = await run('mcp', 'list');
  expect(stdout).toBe(
    'No assistant is connected to acme. Run npx setup mcp connect.\n' +
      '2 assistants are connected to second as well: npx setup mcp list --context second\n',
  );
  const {others} = JSON.parse((await run('mcp', 'list', '--json')).stdout);
  expect(others).toEqual([{context: 'second', assistants: 2}]);
  const second = await run('mcp', 'list', '--context', 'second');
  expect(second.stdout).toContain('Cursor');
  expect(second.stdout).not.toContain('as well');
  expect((await run('mcp', 'list', '--context', 'third')).stdout).toContain('npx setup mcp connect --context third\n');
});
