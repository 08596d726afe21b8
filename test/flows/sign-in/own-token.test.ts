import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {obtainOwnToken} from '../../../src/flows/sign-in/server-token.ts';
import {deviceServer, token} from '../../support/device-server.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';

const resource = 'https://observer.example/mcp';
const server = 'observability';

describe('a token for one server', () => {
  const byClient = async (issuer: string) => {
    const by = {method: 'service-account', clientId: 'ci', secret: new Secret('secret')} as const;
    const input = {issuer, account: 'ci', server, resource, by} as const;
    return collect(obtainOwnToken, input, await temporaryPorts());
  };

  test('is asked for by a client with its secret, for the server’s resource', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {result, events} = await byClient(issuer);
    expect(result).toMatchObject({access: new Secret('access-1')});
    expect(asked.map(form => [form.get('client_secret'), form.get('resource')])).toEqual([['secret', resource]]);
    expect(events).toContainEqual(expect.objectContaining({type: 'token-obtained', server}));
  });

  test('that the identity provider gives to nobody is said, and fails nothing', async () => {
    const {issuer} = await tokenServer(() => ({status: 400, body: {error: 'invalid_target'}}));
    const {result, events} = await byClient(issuer);
    expect(result).toBe('refused');
    const message = `${issuer} does not issue tokens for ${resource} (invalid_target).`;
    expect(events).toContainEqual({type: 'warning', message});
  });

  test('fails for any other reason', async () => {
    const {issuer} = await tokenServer(() => ({status: 401, body: {error: 'invalid_client'}}));
    await expect(byClient(issuer)).rejects.toMatchObject({code: 'auth-client-refused'});
  });

  test.each([
    ['nothing where it is the same one', 'platform-cli', []],
    [
      'who it is where it is another',
      'ann',
      [{type: 'warning', message: `You signed in to ${resource} as platform-cli, but to the other servers as ann.`}],
    ],
  ])('is got by a person who signs in once more, and says %s', async (_what, account, warnings) => {
    const {issuer, forms} = await deviceServer([token]);
    const way = {by: 'device', redirectUri: 'http://127.0.0.1:1/', open: false} as const;
    const by = {...way, clientId: 'platform-cli', wanted: {scopes: ['profile']}};
    const {result, events} = await collect(
      obtainOwnToken,
      {issuer, account, server, resource, by},
      await temporaryPorts(),
    );
    expect(result).toMatchObject({access: new Secret('access-1'), account: 'platform-cli'});
    expect(events[0]).toEqual({type: 'second-sign-in', resource});
    expect(events.filter(({type}) => type === 'warning')).toEqual(warnings);
    expect(events).toContainEqual(expect.objectContaining({type: 'token-obtained', server}));
    expect(forms.authorization[0]?.get('resource')).toBe(resource);
  });

  test('of the control plane’s takes the place of the sign-in’s', async () => {
    const {issuer} = await tokenServer(rotating);
    const by = {method: 'service-account', clientId: 'ci', secret: new Secret('secret')} as const;
    const input = {issuer, account: 'ci', server: 'control-plane', resource, by} as const;
    const {events} = await collect(obtainOwnToken, input, await temporaryPorts());
    const obtained = events.find(({type}) => type === 'token-obtained');
    expect(obtained).toBeDefined();
    expect(obtained).not.toHaveProperty('server');
  });
});
