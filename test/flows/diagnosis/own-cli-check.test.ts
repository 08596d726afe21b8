import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Scene} from '../../../src/flows/diagnosis/check.ts';
import {ownCli} from '../../../src/flows/diagnosis/own-cli-check.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';

const cli = {name: 'occ', configPath: ['.openchoreo', 'config']} as const;

const configOf = (url: string) => `currentContext: work
controlplanes:
    - name: other
      url: http://other.example
    - name: main
      url: ${url}
credentials:
    - name: default
      token: a-secret-of-the-person
contexts:
    - name: work
      controlplane: main
      credentials: default
`;

const check = async (text?: string, mode = 0o600) => {
  const home = await temporaryDirectory();
  const path = join(home, ...cli.configPath);
  if (text !== undefined) {
    await mkdir(join(home, '.openchoreo'));
    await writeFile(path, text, {mode});
    await chmod(path, mode);
  }
  const subject = {controlPlaneUrl: 'http://api.acme.localhost:8080'};
  const scene = {ports: portsIn(join(home, 'setup')), machine: {place: {home}}, subject} as unknown as Scene;
  return ownCli(cli).run(scene);
};

test('that talks to the same control plane is well, and no secret of it is told', async () => {
  const finding = await check(configOf('http://api.acme.localhost:8080/'));
  expect(finding).toEqual({verdict: 'pass', saw: 'context work, http://api.acme.localhost:8080/'});
});

test('that talks to another one is told, with both addresses', async () => {
  expect(await check(configOf('http://localhost:8080'))).toMatchObject({
    verdict: 'warning',
    sentence: 'occ talks to http://localhost:8080, and this deployment is at http://api.acme.localhost:8080.',
  });
});

test('that was never used is skipped', async () => {
  expect(await check()).toMatchObject({verdict: 'skipped'});
});

test.each(['currentContext: [', '', 'text'])(
  'whose file is none (%j) is told with its path, or has no context',
  async text => {
    const finding = await check(text);
    expect(finding.saw).toMatch(/\.openchoreo\/config$|context none/);
  },
);

test('whose tokens others can read is told', async () => {
  expect(await check(configOf('http://api.acme.localhost:8080'), 0o644)).toMatchObject({
    verdict: 'warning',
    saw: expect.stringContaining('mode 644'),
    remedy: expect.stringContaining('chmod 600'),
  });
});
