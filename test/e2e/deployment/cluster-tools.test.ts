import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {reservedPort} from '../support/ports.ts';
import {jsonLines, lastLine, runSetup, surroundingsForTest} from '../support/run.ts';

test('what Helm knows is taken while kubectl still hangs', async () => {
  const surroundings = surroundingsForTest();
  const base = `acme.localhost:${await reservedPort()}`;
  const env = withTools(surroundings.temporary, {
    helm: `if (!process.argv.includes('platform-control-plane')) process.exit(1);
console.log(JSON.stringify({global: {baseDomain: ${JSON.stringify(base)}}}))`,
    kubectl: 'setInterval(() => {}, 60_000)',
  });
  const {code, stdout, stderr} = await runSetup(['--yes', '--json'], {surroundings, env});
  expect(stderr).toBe('');
  expect(jsonLines(stdout)).toContainEqual(
    expect.objectContaining({
      type: 'source-answered',
      source: 'helm-release',
      outcome: 'found',
      detail: 'acme.localhost',
    }),
  );
  // Nothing is there. If another platform runs on this machine, there are two, which leads to a question.
  expect(['network-refused', 'input-required']).toContain(lastLine(stdout)?.code);
  expect(code).not.toBe(0);
});

test('tools that know no cluster are not started', async () => {
  const surroundings = surroundingsForTest();
  const started = join(surroundings.temporary, 'started');
  const script = `require('fs').writeFileSync(${JSON.stringify(started)}, '')`;
  const {PATH} = withTools(surroundings.temporary, {helm: script, kubectl: script});
  const {stdout} = await runSetup(['--yes', '--json'], {surroundings, env: {PATH}});
  expect(existsSync(started)).toBe(false);
  expect(jsonLines(stdout)).toContainEqual(
    expect.objectContaining({source: 'gateway-route', detail: 'there is no current kube context'}),
  );
});

test('tools that are missing are no failure: the well-known local address is tried', async () => {
  const {stdout, stderr} = await runSetup(['--yes', '--json']);
  expect(stderr).toBe('');
  const absent = jsonLines(stdout).filter(({type, outcome}) => type === 'source-answered' && outcome === 'absent');
  expect(absent.map(({source}) => source).sort()).toEqual(['gateway-route', 'helm-release', 'saved-context']);
  expect(jsonLines(stdout)).toContainEqual(
    expect.objectContaining({type: 'probe-started', url: 'http://api.platform.localhost:8080'}),
  );
});

/** Creates a PATH with programs of these names, each a line of JavaScript. */
const withTools = (directory: string, tools: Readonly<Record<string, string>>) => {
  const path = join(directory, 'tools');
  mkdirSync(path);
  for (const [name, script] of Object.entries(tools)) {
    writeFileSync(join(path, name), `#!${process.execPath}\n${script};\n`, {mode: 0o755});
  }
  writeFileSync(join(path, 'kubeconfig'), 'current-context: acme\n');
  return {PATH: path, KUBECONFIG: join(path, 'kubeconfig')};
};
