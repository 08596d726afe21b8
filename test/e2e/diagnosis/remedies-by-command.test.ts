import {expect, test} from 'vitest';
import {clientOf} from '../../support/platform.ts';
import {scopesNeedResources} from '../../support/release.ts';
import {platformForTest} from '../support/platform.ts';
import {jsonLines, lastLine, runSetup, surroundingsForTest} from '../support/run.ts';

test('doctor by the base domain looks at a platform below localhost that speaks TLS over TLS', async () => {
  const {ready} = await platformForTest({faults: ['self-signed']});
  const {port} = new URL(ready.controlPlaneUrl);
  const {stdout} = await runSetup(['doctor', '--json', '--base-domain', `${ready.baseDomain}:${port}`]);
  const found = jsonLines(stdout).find(({id}) => id === 'tls-control-plane');
  expect(found).toMatchObject({verdict: 'fail', code: 'network-tls'});
});

test('a file of an authority that is not there is said to be missing', async () => {
  const {code, stderr} = await runSetup(['doctor', '--base-domain', 'acme.localhost', '--ca-file', '/no/such/ca.pem']);
  expect(code).toBe(2);
  expect(stderr).toContain('/no/such/ca.pem cannot be read: there is no such file.');
});

test('a scope that a service account lacks is asked for by the same command, which then goes through', async () => {
  const platform = await platformForTest({faults: ['missing-scope']});
  const {clientId, secret} = clientOf(platform.ready, 'client_secret_post');
  const surroundings = surroundingsForTest();
  const env = {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret};
  const args = ['--yes', '--json', '--sign-in', 'service-account', '--assistants', 'none', ...platform.flags];
  const refused = await runSetup(args, {surroundings, env});
  const {code, remedy} = lastLine(refused.stdout);
  expect(code).toBe('auth-scope-missing');
  const [, scopes = ''] = /^Run the same command again with --scopes "([^"]+)"\.$/.exec(String(remedy)) ?? [];
  const again = await runSetup([...args, '--scopes', scopes], {surroundings, env});
  if (!scopesNeedResources) return expect(again).toMatchObject({code: 0});
  // A client's scope belongs to a resource there, which only the operators can register.
  const {remedy: next} = lastLine(again.stdout);
  expect([again.code, next]).toEqual([4, expect.stringMatching(/operators .*Register .* as a resource server/)]);
});
