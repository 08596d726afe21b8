import {describe, expect, test} from 'vitest';
import {startSandbox} from '../../src/sandbox/sandbox.ts';
import {defaultValues, externalClientsOf} from '../../src/sandbox/values.ts';
import {authorizationUrl} from './browser.ts';
import {pkce, runningSandbox, send} from './support.ts';

test('the default values name the CLI', () => {
  expect(externalClientsOf(defaultValues)).toEqual([
    {name: 'cli', client_id: 'platform-cli', scopes: ['openid', 'profile', 'email']},
  ]);
});

const values = `
# Values of a real installation hold much more.
global:
  baseDomain: platform.localhost
security:
  enabled: true
  oidc:
    externalClients:
      - {name: cli, client_id: my-cli, scopes: [openid]}
      - name: other
        client_id: other-cli
        scopes: [openid, email]
`;

describe('other values', async () => {
  const {ready} = await runningSandbox({values});

  test('are what the control plane tells', async () => {
    const headers = {'x-use-openapi': 'true'};
    const {json} = await send(`${ready.controlPlaneUrl}/api/v1/.well-known/openid-configuration`, {headers});
    expect(json.external_clients).toEqual([
      {client_id: 'my-cli', name: 'cli', scopes: ['openid']},
      {client_id: 'other-cli', name: 'other', scopes: ['openid', 'email']},
    ]);
  });

  test.each(['my-cli', 'other-cli'])('register %s as a public client', async client_id => {
    expect(ready.clients).toContainEqual(
      expect.objectContaining({clientId: client_id, tokenEndpointAuthMethod: 'none'}),
    );
    const redirect_uri = 'http://127.0.0.1:55152/auth-callback';
    const answer = await send(authorizationUrl(ready, {client_id, redirect_uri, code_challenge: pkce().challenge}));
    expect(answer.headers.location).toContain('/gate/signin?');
  });
});

test.each([
  ['no YAML', 'a: b: c', /./],
  ['nothing', '', /The values cannot be used/],
  ['no clients', 'security: {oidc: {externalClients: []}}', /externalClients/],
  ['a client without an ID', 'security: {oidc: {externalClients: [{name: cli, scopes: []}]}}', /client_id/],
])('%s is refused before anything opens', async (_, text, message) => {
  const options = {layout: 'single', baseDomain: 'platform.localhost', port: 0, values: text} as const;
  await expect(startSandbox(options)).rejects.toThrow(message);
});
