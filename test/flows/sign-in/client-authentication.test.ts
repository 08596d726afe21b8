import * as library from 'openid-client';
import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {authenticate, type ClientAuthentication, withSecret} from '../../../src/flows/sign-in/client-authentication.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import {revoke} from '../../../src/flows/sign-in/revoke.ts';
import {contextAt} from '../../support/context.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';
import {refusedClients} from './dialects/recorded-answers.ts';

/**
 * Starts a token endpoint that accepts one pair of client ID and secret, byte for byte, and records the pairs that it
 * was sent.
 */
const provider = async (known: string) => {
  const sent: string[] = [];
  const issuer: string = await serve((request, response) => {
    const endpoints = {token_endpoint: `${issuer}/token`, revocation_endpoint: `${issuer}/revoke`};
    if (request.method !== 'POST') return json({issuer, ...endpoints})(request, response);
    const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
    const pair = Buffer.from(encoded, 'base64').toString();
    sent.push(pair);
    if (pair === known) return json({access_token: 'x', token_type: 'Bearer', expires_in: 60})(request, response);
    json({error: 'invalid_client', error_description: 'Invalid client credentials'}, 401)(request, response);
  });
  return {issuer, sent};
};

const obtain = async (issuer: string, clientId: string, secret: string) => {
  const ports = await temporaryPorts();
  const request = {issuer, clientId, method: 'mcp-client', secret: new Secret(secret)} as const;
  return collect(obtainToken, request, ports);
};

describe('Basic credentials (RFC 6749 2.3.1)', () => {
  test('characters that need no encoding stay as they are', async () => {
    const {issuer, sent} = await provider('mcp_client:a-b_c.d~e');
    await obtain(issuer, 'mcp_client', 'a-b_c.d~e');
    expect(sent).toEqual(['mcp_client:a-b_c.d~e']);
  });

  test('a server that decodes is sent an encoded secret, once', async () => {
    const {issuer, sent} = await provider('mcp_client:a%2Bb%20c%25');
    await obtain(issuer, 'mcp_client', 'a+b c%');
    expect(sent).toHaveLength(1);
  });

  test('a server that compares what was sent gets the secret as it is, after it has refused the other', async () => {
    const {issuer, sent} = await provider('mcp_client:a+b/c');
    await obtain(issuer, 'mcp_client', 'a+b/c');
    expect(sent).toEqual(['mcp_client:a%2Bb%2Fc', 'mcp_client:a+b/c']);
  });

  test('so does one that revokes', async () => {
    const {issuer, sent} = await provider('mcp_client:a+b/c');
    const ports = await temporaryPorts();
    const context = {...contextAt(issuer), signIn: 'mcp-client', clientId: 'mcp_client'} as const;
    const kept = {issuer, clientId: 'mcp_client', clientSecret: 'a+b/c', accessToken: 'x'};
    expect(await revoke(context, kept, {ports, signal: noSignal, tell: () => {}})).toEqual({outcome: 'revoked'});
    expect(sent).toEqual(['mcp_client:a%2Bb%2Fc', 'mcp_client:a+b/c']);
  });

  test('a plain secret that is wrong is tried once', async () => {
    const {issuer, sent} = await provider('mcp_client:right');
    await expect(obtain(issuer, 'mcp_client', 'wrong')).rejects.toMatchObject({code: 'auth-client-refused'});
    expect(sent).toEqual(['mcp_client:wrong']);
  });

  test('a client ID with a colon is never sent as it is: it would be read as another pair', async () => {
    const {issuer, sent} = await provider('a:b:c');
    await expect(obtain(issuer, 'a:b', 'c')).rejects.toMatchObject({code: 'auth-client-refused'});
    expect(sent).toEqual(['a%3Ab:c']);
  });
});

describe('a client proves itself', () => {
  /** Returns what the request contains of the client. */
  const sentBy = (authentication: ClientAuthentication) => {
    const [body, headers] = [new URLSearchParams(), new Headers()];
    const client = {client_id: 'client'};
    authenticate(authentication, library)({issuer: 'https://idp.example'}, client, body, headers);
    return [Object.fromEntries(body), headers.get('authorization')];
  };

  test.each<[string, ClientAuthentication, object, string | null]>([
    ['by nothing where it is public', {method: 'none'}, {client_id: 'client'}, null],
    [
      'in the body, as it is',
      {method: 'client_secret_post', secret: 'a+b'},
      {client_id: 'client', client_secret: 'a+b'},
      null,
    ],
    ['in the header', {method: 'client_secret_basic', secret: 'a+b'}, {}, `Basic ${btoa('client:a%2Bb')}`],
    [
      'in the header as it is',
      {method: 'client_secret_basic', secret: 'a+b', encoding: 'literal'},
      {},
      `Basic ${btoa('client:a+b')}`,
    ],
  ])('%s', (_how, authentication, body, header) => {
    expect(sentBy(authentication)).toEqual([body, header]);
  });

  test.each([
    ['its secret is not encoded', 'client_secret_post', new SetupError('auth-client-refused', 'No.')],
    ['it was not the secret that was refused', 'client_secret_basic', new SetupError('platform-error', 'No.')],
    ['something else failed', 'client_secret_basic', new TypeError('This is a bug.')],
  ] as const)('once where %s', async (_why, method, error) => {
    const sent: ClientAuthentication[] = [];
    const request = async (authentication: ClientAuthentication) => {
      sent.push(authentication);
      throw error;
    };
    await expect(withSecret({clientId: 'client', method, secret: 'a+b'}, request)).rejects.toBe(error);
    expect(sent).toEqual([{method, secret: 'a+b'}]);
  });
});

describe('a secret that is refused as it was sent', () => {
  test('by a provider that says no more than invalid_client is sent in the other way', async () => {
    const issuer: string = await serve((request, response) => {
      if (request.method !== 'POST') return json({issuer, token_endpoint: `${issuer}/token`})(request, response);
      const isBasic = request.headers.authorization === `Basic ${btoa('ci:plain')}`;
      const token = {access_token: 'x', token_type: 'Bearer', expires_in: 60};
      const {status, body} = refusedClients['Spring Authorization Server'];
      json(isBasic ? token : JSON.parse(body), isBasic ? 200 : status)(request, response);
    });
    const input = {issuer, clientId: 'ci', method: 'service-account', secret: new Secret('plain')} as const;
    const {result} = await collect(obtainToken, input, await temporaryPorts());
    expect(result.access.reveal()).toBe('x');
  });

  const refusal = (method: string) => new SetupError('auth-method-refused', method);

  test('is sent in the other way, once', async () => {
    const tried: string[] = [];
    const request = async ({method}: ClientAuthentication) => {
      tried.push(method);
      if (method === 'client_secret_basic') return 'a token';
      throw refusal(method);
    };
    const client = {clientId: 'ci', method: 'client_secret_post', secret: 'plain'} as const;
    expect(await withSecret(client, request)).toBe('a token');
    expect(tried).toEqual(['client_secret_post', 'client_secret_basic']);
  });

  test('is told as wrong where the way was wrong too, and the other one is the right one', async () => {
    const client = {clientId: 'ci', method: 'client_secret_post', secret: 'plain'} as const;
    const request = async ({method}: ClientAuthentication) => {
      throw method === 'client_secret_post' ? refusal(method) : new SetupError('auth-client-refused', 'Wrong.');
    };
    await expect(withSecret(client, request)).rejects.toMatchObject({code: 'auth-client-refused'});
  });

  test('is told by the first refusal where none is taken, or the second attempt fails for another reason', async () => {
    const client = {clientId: 'ci', method: 'client_secret_post', secret: 'plain'} as const;
    const never = async ({method}: ClientAuthentication) => Promise.reject(refusal(method));
    await expect(withSecret(client, never)).rejects.toThrow('client_secret_post');
    const gone = async ({method}: ClientAuthentication) =>
      Promise.reject(method === 'client_secret_post' ? refusal(method) : new SetupError('network-refused', 'gone'));
    await expect(withSecret(client, gone)).rejects.toThrow('client_secret_post');
  });

  test('is not sent again where something else failed', async () => {
    let asked = 0;
    const client = {clientId: 'ci', method: 'client_secret_basic', secret: 'plain'} as const;
    const busy = async () => {
      asked += 1;
      throw new SetupError('platform-busy', 'busy');
    };
    await expect(withSecret(client, busy)).rejects.toThrow('busy');
    expect(asked).toBe(1);
  });
});
