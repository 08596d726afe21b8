import {describe, expect, test} from 'vitest';
import {bundled} from '../../src/platform/platforms.ts';
import {startSandbox} from '../../src/sandbox/sandbox.ts';
import {defaultValues, externalClientsOf, SandboxInputError} from '../../src/sandbox/values.ts';
import {authorizationUrl} from './identity/browser.ts';
import {pkce, runningSandbox, send} from './support.ts';

test('the default values name the CLI', () => {
  expect(externalClientsOf(defaultValues(bundled))).toEqual([
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

const unusable = 'The values cannot be used: ';
const bomb = `a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [${'*a, '.repeat(9)}*a]\nc: &c [${'*b, '.repeat(9)}*b]\nd: [${'*c, '.repeat(9)}*c]`;

test.each([
  ['no YAML', 'a: b: c', /^The values are not YAML: Nested mappings .+ at line 1, column 4\.$/],
  ['two documents', 'a: 1\n---\nb: 2', /^The values are not YAML: /],
  ['a bomb', bomb, /^The values are not YAML: Excessive alias count/],
  ['nothing', '', `${unusable}their content is not a mapping.`],
  ['a list', '[]', `${unusable}their content is not a mapping.`],
  ['no security', 'global: {}', `${unusable}security is missing, or not a mapping.`],
  ['no list', 'security: {oidc: {externalClients: x}}', `${unusable}security.oidc.externalClients is not a list.`],
  [
    'no clients',
    'security: {oidc: {externalClients: []}}',
    `${unusable}security.oidc.externalClients names no client.`,
  ],
  [
    'a client without an ID',
    'security: {oidc: {externalClients: [{name: cli, scopes: []}]}}',
    `${unusable}security.oidc.externalClients.0.client_id is not a text.`,
  ],
  [
    'a client with an empty scope',
    'security: {oidc: {externalClients: [{name: cli, client_id: a, scopes: [""]}]}}',
    `${unusable}security.oidc.externalClients.0.scopes.0 is empty.`,
  ],
])('%s is refused in a sentence', async (_, text, message) => {
  const options = {layout: 'single', baseDomain: 'platform.localhost', port: 0, values: text} as const;
  const error = await startSandbox(options).catch(reason => reason);
  expect(error).toBeInstanceOf(SandboxInputError);
  expect(error.message).toMatch(message);
});
