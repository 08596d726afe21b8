import {text} from 'node:stream/consumers';
import {exportJWK, generateKeyPair, type JWTPayload, SignJWT} from 'jose';
import {describe, expect, test} from 'vitest';
import {requestRenewal, SpentError} from '../../../src/flows/sign-in/refresh-request.ts';
import {contextAt} from '../../support/context.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';

/** Renews at a provider whose answer has an ID token with these claims, besides the required ones. */
const renewal = async (claims: JWTPayload | undefined, subject?: string) => {
  const {publicKey, privateKey} = await generateKeyPair('RS256');
  const keys = [{...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig'}];
  const issuer: string = await serve(async (request, response) => {
    if (request.url === '/jwks') return json({keys})(request, response);
    if (request.url !== '/token')
      return json({issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks`})(request, response);
    const idToken = new SignJWT({iss: issuer, aud: 'platform-cli', sub: 'ann', ...claims})
      .setProtectedHeader({alg: 'RS256', kid: 'one'})
      .setIssuedAt()
      .setExpirationTime('5m');
    const tokens = {access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 3600};
    const proof = claims ? {id_token: await idToken.sign(privateKey)} : {};
    json({...tokens, ...proof})(request, response);
  });
  const context = {...contextAt(issuer), scopes: ['openid']};
  const {clientId} = context;
  const current = {issuer, clientId, refreshToken: 'refresh-0', ...(subject === undefined ? {} : {subject})};
  return {issuer, ended: requestRenewal(context, current, await temporaryPorts(), () => {})};
};

describe('tokens that a renewal brings', () => {
  test.each<[string, JWTPayload | undefined, string | undefined]>([
    ['the same account', {}, 'ann'],
    ['an account that nobody knew before', {}, undefined],
    ['an account that the answer does not name', undefined, 'ann'],
  ])('of %s are taken', async (_what, claims, subject) => {
    const {ended} = await renewal(claims, subject);
    expect(await ended).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
  });

  test('of another account are refused', async () => {
    const {issuer, ended} = await renewal({sub: 'bob'}, 'ann');
    await expect(ended).rejects.toMatchObject({
      code: 'auth-id-token-refused',
      message: `${issuer} sent tokens of another account.`,
      about: {url: issuer},
    });
  });

  test('for another client are refused, and their refresh token is not kept', async () => {
    const {ended} = await renewal({aud: 'another'});
    const error = await ended.catch(error => error);
    expect(error).not.toBeInstanceOf(SpentError);
    expect(error).toMatchObject({code: 'auth-id-token-refused'});
  });
});

test.each(['invalid_target', 'invalid_scope'])(
  'a request that is refused with %s is made once more, without what it asked for',
  async error => {
    const forms: URLSearchParams[] = [];
    const issuer: string = await serve(async (request, response) => {
      if (request.url !== '/token') return json({issuer, token_endpoint: `${issuer}/token`})(request, response);
      forms.push(new URLSearchParams(await text(request)));
      if (forms.length === 1) return json({error}, 400)(request, response);
      json({access_token: 'access-1', token_type: 'Bearer', expires_in: 3600})(request, response);
    });
    const context = {...contextAt(issuer), resource: 'urn:control-plane'};
    const current = {issuer, clientId: context.clientId, refreshToken: 'refresh-0'};
    const brought = await requestRenewal(context, current, await temporaryPorts(), () => {});
    expect(brought).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-0'});
    expect(forms.map(form => form.get('resource'))).toEqual(['urn:control-plane', null]);
  },
);
