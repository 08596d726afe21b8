import {describe, expect, test} from 'vitest';
import type {Context} from '../../../../src/domain/context.ts';
import {keyOf} from '../../../../src/domain/credentials.ts';
import {Secret} from '../../../../src/domain/secret.ts';
import {signInEndOf} from '../../../../src/domain/sign-in-lifecycle.ts';
import type {ClientMethod, SaidRequest} from '../../../../src/domain/token-request.ts';
import {payloadOf} from '../../../../src/domain/tokens.ts';
import {accessToken} from '../../../../src/flows/sign-in/access-token.ts';
import {signInClient} from '../../../../src/flows/sign-in/client-credentials.ts';
import {saveSignIn} from '../../../../src/flows/sign-in/save-sign-in.ts';
import {signInPerson} from '../../../../src/flows/sign-in/sign-in-person.ts';
import {bundled} from '../../../../src/platform/platforms.ts';
import {contextAt} from '../../../support/context.ts';
import {collect, noSignal} from '../../../support/flows.ts';
import {json, serve} from '../../../support/server.ts';
import {worded} from '../../../support/worded.ts';
import {dialectServer, PUBLIC_CLIENT, REDIRECT_URI, SERVICE} from './dialect-server.ts';
import {type Dialect, dialects} from './dialects.ts';

type Server = Awaited<ReturnType<typeof dialectServer>>;

/** Starts a control plane that names itself as a resource and this client for people. */
const controlPlane = async (clientId: string) => {
  const url: string = await serve((request, response) =>
    json({
      resource: `${url}/mcp`,
      [bundled.externalClientsKey]: [{name: 'cli', client_id: clientId, scopes: ['openid']}],
    })(request, response),
  );
  return url;
};

type Options = {readonly clientId?: string; readonly redirectUri?: string; readonly requested?: SaidRequest};

/** Signs a person in, with a browser that answers at once. */
const signIn = async (dialect: Dialect, server: Server, options: Options = {}) => {
  const {clientId = PUBLIC_CLIENT, redirectUri = REDIRECT_URI, requested} = options;
  const controlPlaneUrl = await controlPlane(clientId);
  const way = {by: 'paste', redirectUri, open: false} as const;
  const input = {platform: bundled, controlPlaneUrl, issuer: dialect.issuer, ...way, requested};
  const {result, events} = await collect(signInPerson, input, server.ports, noSignal, event => {
    if (event.type !== 'sign-in-waiting') return;
    server.ports.inbox.send({type: 'pasted', text: server.code(new URL(event.url).searchParams)});
  });
  return {...result, events, controlPlaneUrl};
};

/** Signs in and saves the sign-in. */
const keep = async (dialect: Dialect, server: Server) => {
  const {client, token, controlPlaneUrl} = await signIn(dialect, server);
  const context: Context = {...contextAt(dialect.issuer), ...client, controlPlaneUrl, account: token.account};
  await collect(saveSignIn, {context, token}, server.ports);
  const kept = async () => (await server.ports.credentials.get(context)) ?? expect.fail('Nothing is kept.');
  /** Gets a token after the saved one has expired. */
  const renew = async () => {
    await server.ports.credentials.update(context, async now => ({...(now ?? keyOf(context)), expiresAt: 1}));
    return collect(accessToken, context, server.ports);
  };
  return {context, kept, renew};
};

describe.each(dialects.map(dialect => [dialect.id, dialect] as const))('%s', (id, dialect) => {
  test('signs a person in, with a refresh token, for the platform', async () => {
    const server = await dialectServer(dialect);
    const {token, controlPlaneUrl} = await signIn(dialect, server);
    expect(token.renewable).toBe(true);
    const last = server.asked.at(-1);
    expect(last?.get('code_challenge_method')).toBe('S256');
    if (dialect.takesAudience) {
      expect([last?.get('audience'), last?.get('resource')]).toEqual([`${controlPlaneUrl}/mcp`, null]);
      expect(payloadOf(token.access.reveal())?.aud).toBe(`${controlPlaneUrl}/mcp`);
    }
    if (typeof dialect.resource === 'object') expect(last?.has('resource')).toBe(false);
  });

  test('renews it, as often as that is wanted, and keeps what it was given', async () => {
    const server = await dialectServer(dialect);
    const {kept, renew} = await keep(dialect, server);
    for (let time = 0; time < 3; time += 1) {
      const {accessToken: before, refreshToken: token} = await kept();
      await renew();
      const after = await kept();
      expect(after.accessToken).not.toBe(before);
      expect(after.refreshToken === token).toBe(dialect.renewal !== 'another');
      expect(after).not.toHaveProperty('refused');
    }
    expect(server.state.forms.at(-1)?.get('scope')).toContain('openid');
  });

  test('does not say of a sign-in that it ends where each renewal puts that off', async () => {
    const server = await dialectServer(dialect);
    const {kept, renew} = await keep(dialect, server);
    expect(signInEndOf(await kept())).toBeUndefined();
    await renew();
    expect(signInEndOf(await kept())).toBeUndefined();
  });

  test('ends it with its own reason, once', async () => {
    const server = await dialectServer(dialect);
    const {kept, renew} = await keep(dialect, server);
    server.state.hasEnded = true;
    const {error, error_description: words = ''} = dialect.ended;
    await expect(renew()).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: expect.stringContaining(error),
    });
    expect((await kept()).refused?.said).toContain(words);
    const {length} = server.state.forms;
    await expect(renew()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    expect(server.state.forms).toHaveLength(length);
  });

  test('brings nobody else’s tokens by a renewal', async () => {
    const server = await dialectServer(dialect);
    const {kept, renew} = await keep(dialect, server);
    server.state.subject = 'eve';
    await expect(renew()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    expect((await kept()).refused?.reason).toContain('another account');
    expect(await kept()).not.toHaveProperty('refreshToken');
  });

  test.each([
    ['a client that it does not know', {clientId: 'nobody'}, ['auth-client-unknown', 'auth-redirect-refused']],
    ['a redirect address that it does not know', {redirectUri: 'http://127.0.0.1:1/cb'}, ['auth-redirect-refused']],
    ['a scope that it does not know', {requested: {scopes: ['openid', 'nobody']}}, ['auth-scope-refused']],
  ] as const)('says before the browser opens that it refuses %s', async (_what, options, codes) => {
    const server = await dialectServer(dialect);
    const error = await signIn(dialect, server, options).catch(caught => caught);
    expect(codes).toContain(error.code);
    expect(worded(error).remedy).toMatch(/\.$/);
    // The remedy for a known provider names the place where the setting is changed.
    if (id !== 'standard') expect(worded(error).remedy).toMatch(/Ask the operators of|client ID/);
    expect(server.state.forms).toEqual([]);
  });

  test('signs a service account in', async () => {
    const server = await dialectServer(dialect);
    const {clientScope} = dialect;
    const method: ClientMethod = dialect.secretBy === 'basic' ? 'mcp-client' : 'service-account';
    const input = {
      ...{platform: bundled, controlPlaneUrl: await controlPlane(PUBLIC_CLIENT), issuer: dialect.issuer},
      ...{clientId: SERVICE.clientId, method},
      ...(clientScope === undefined ? {} : {requested: {scopes: [clientScope]}}),
    } as const;
    const secret = new Secret(SERVICE.secret);
    const {result} = await collect(signInClient, {...input, secret}, server.ports);
    expect(result.token.access.reveal().split('.')).toHaveLength(3);
    expect(server.state.forms.at(-1)?.get('scope')).toBe(clientScope ?? null);
    const wrong = {...input, secret: new Secret('canary')};
    const error = await collect(signInClient, wrong, server.ports).catch(caught => caught);
    expect(error.code).toBe('auth-client-refused');
    expect(`${error.message} ${worded(error).remedy}`).not.toContain('canary');
  });
});

test.each(dialects.filter(one => one.isRefreshSwitched).map(dialect => [dialect.id, dialect] as const))(
  'nobody is asked twice where only a switch brings a refresh token: %s',
  async (_id, dialect) => {
    const server = await dialectServer(dialect);
    server.state.isWithoutRefresh = true;
    const {token, events} = await signIn(dialect, server);
    expect(token.renewable).toBe(false);
    expect(events.filter(({type}) => type === 'sign-in-waiting')).toHaveLength(1);
    expect(events.filter(({type}) => type === 'warning')).toEqual([
      {type: 'warning', message: expect.stringMatching(/issued no refresh token.*Ask the operators of .* on\.$/)},
    ]);
  },
);
