import {exportJWK, generateKeyPair, SignJWT} from 'jose';
import {expect, test} from 'vitest';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {browserSignIn} from '../../../src/flows/sign-in/browser-sign-in.ts';
import {callbackForTest} from '../../e2e/support/ports.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';

/** Starts an identity provider that answers a code with an ID token. The test determines its nonce. */
const provider = async (nonceFor: (asked: string) => string | undefined) => {
  const {publicKey, privateKey} = await generateKeyPair('RS256');
  const keys = [{...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig'}];
  // The browser's request would carry this nonce. The probe that only checks the request does not follow it.
  const asked = {nonce: ''};
  const issuer: string = await serve(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/authorize') {
      response.writeHead(302, {Location: `${issuer}/login`}).end();
    } else if (url.pathname === '/jwks') json({keys})(request, response);
    else if (url.pathname === '/token') {
      const nonce = nonceFor(asked.nonce);
      const idToken = await new SignJWT({...(nonce === undefined ? {} : {nonce})})
        .setProtectedHeader({alg: 'RS256', kid: 'one'})
        .setIssuer(issuer)
        .setSubject('someone')
        .setAudience('platform-cli')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey);
      const answer = {access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer', expires_in: 3600};
      json({...answer, id_token: idToken})(request, response);
    } else {
      json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        code_challenge_methods_supported: ['S256'],
      })(request, response);
    }
  });
  return {issuer, asked};
};

/** Runs a sign-in that gets its answer by paste as soon as it waits. */
const signIn = async ({issuer, asked}: Awaited<ReturnType<typeof provider>>) => {
  const ports = await temporaryPorts();
  const redirectUri = await callbackForTest();
  const input = {
    issuer,
    clientId: 'platform-cli',
    wanted: {scopes: ['openid']},
    redirectUri,
    listen: false,
    open: false,
  };
  const answer = (event: FlowEvent) => {
    if (event.type !== 'sign-in-waiting') return;
    const {searchParams} = new URL(event.url);
    const state = searchParams.get('state');
    asked.nonce = searchParams.get('nonce') ?? '';
    ports.inbox.send({type: 'pasted', text: `${redirectUri}?code=code-of-this&state=${state}`});
  };
  return browserSignIn(input, {ports, signal: noSignal, tell: answer});
};

test('an ID token without a nonce is taken, as Thunder before 0.25 sends it', async () => {
  await expect(signIn(await provider(() => undefined))).resolves.toMatchObject({token: {account: 'someone'}});
});

test('one with the nonce that was asked for is taken', async () => {
  await expect(signIn(await provider(asked => asked))).resolves.toMatchObject({token: {account: 'someone'}});
});

test('one with another nonce is refused, and no token is kept', async () => {
  await expect(signIn(await provider(() => 'of-somebody-else'))).rejects.toMatchObject({code: 'auth-id-token-refused'});
});
