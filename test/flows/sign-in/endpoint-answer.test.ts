import {describe, expect, test} from 'vitest';
import {SetupError} from '../../../src/errors/errors.ts';
import type {ClientAuthentication} from '../../../src/flows/sign-in/client-authentication.ts';
import {type EndpointAnswer, endpointError, forLibrary, meaningOf} from '../../../src/flows/sign-in/oauth-fetch.ts';
import {worded} from '../../support/worded.ts';
import {endedRefreshTokens, type Recorded, refusedClients} from './dialects/recorded-answers.ts';

const issuer = 'https://idp.acme.example';

const answered = (
  {status, headers, body}: Recorded,
  authentication: ClientAuthentication = {method: 'none'},
): EndpointAnswer => {
  const all = new Headers(headers);
  const header = (name: string) => all.get(name) ?? undefined;
  return {url: new URL(`${issuer}/token`), status, header, body, issuer, clientId: 'cli', authentication};
};

const secret = {method: 'client_secret_post', secret: 'canary'} as const;

test.each<[string, Recorded, string]>([
  ['tokens', {status: 200, body: '{}'}, 'success'],
  ['an error of the protocol', refusedClients['Spring Authorization Server'], 'refusal'],
  ['one with a challenge beside it', refusedClients['django-oauth-toolkit'], 'refusal'],
  ['one that is a challenge to Basic', refusedClients.Canaille, 'refusal'],
  ['an error without a description', endedRefreshTokens['LemonLDAP::NG'], 'refusal'],
  ['one whose challenge has no reason', refusedClients['LemonLDAP::NG, by Basic'], 'refusal'],
  ['a challenge alone', {status: 401, headers: {'WWW-Authenticate': 'Negotiate'}, body: ''}, 'challenge'],
  [
    'a challenge with a page',
    {status: 401, headers: {'WWW-Authenticate': 'Basic realm="proxy"'}, body: '<html>'},
    'challenge',
  ],
  ['nothing, with 400', endedRefreshTokens.Glewlwyd, 'bare'],
  ['nothing, with 403', refusedClients.Glewlwyd, 'bare'],
  ['nothing, with 429', {status: 429, body: ''}, 'other'],
  ['nothing, with 404', {status: 404, body: ''}, 'other'],
  ['a word, with 403', {status: 403, headers: {'Content-Type': 'text/plain'}, body: 'Blocked'}, 'other'],
  ['an error of a server that is down', {status: 503, body: '{"error":"server_error"}'}, 'other'],
])('%s is read by its body, then its header, then its status', (_what, recorded, means) => {
  expect(meaningOf(answered(recorded))).toBe(means);
});

describe('an answer without a reason', () => {
  test('to a client with a secret is about the client, its secret, or how that is sent', () => {
    const error = endpointError(answered(refusedClients.Glewlwyd, secret));
    expect(error).toMatchObject({
      code: 'auth-client-refused',
      message: `${issuer} refused the client ID or the secret of cli: ${issuer}/token answered 403 without a reason.`,
      about: {url: issuer, status: 403, isMethodUnclear: true, isUnexplained: true},
    });
    expect(worded(error)?.remedy).not.toMatch(/canary|make this address public/);
  });

  test.each([401, 403])('to a client without one says whom to ask, with %s', status => {
    expect(worded(endpointError(answered({status, body: ''})))).toMatchObject({
      code: 'auth-client-refused',
      message: `${issuer}/token answered ${status} to cli without a reason.`,
      remedy: expect.stringMatching(
        /whether cli is a public client there \(without a secret\) and may use this endpoint/,
      ),
    });
  });

  test('does not send anybody to look for a reason in it', () => {
    const error = endpointError(answered({status: 400, body: ''}));
    expect(error).toMatchObject({code: 'platform-rejected', about: {isUnexplained: true}});
    expect(worded(error)?.remedy).toContain('log');
  });
});

test('who blocks a request is asked to let it through, and not to publish what clients read', () => {
  const error = endpointError(answered({status: 403, headers: {'Content-Type': 'text/plain'}, body: 'Blocked'}));
  expect(error).toBeInstanceOf(SetupError);
  expect(worded(error)?.remedy).toBe(
    `Ask its operators to let requests through to ${issuer}/token: programs fetch tokens there, and cannot pass another sign-in.`,
  );
});

test('a challenge is kept from the library only where the body says more', async () => {
  const response = ({status, headers, body}: Recorded) => new Response(body, {status, ...(headers ? {headers} : {})});
  const said = refusedClients['django-oauth-toolkit'];
  const read = forLibrary(answered(said), response(said));
  expect([read.status, read.headers.get('www-authenticate')]).toEqual([401, null]);
  expect(await read.json()).toEqual({error: 'invalid_client'});
  const alone = {status: 401, headers: {'WWW-Authenticate': 'Negotiate'}, body: ''};
  expect(forLibrary(answered(alone), response(alone)).headers.get('www-authenticate')).toBe('Negotiate');
});
