import {expect, test} from 'vitest';
import {tokenFault} from '../../src/flows/platform-tools/refused-token.ts';
import {temporaryPorts} from '../support/place.ts';

const keycloak = 'https://sso.acme.example/realms/dev';
const nobodys = 'https://idp.acme.example';
const resource = 'https://api.acme.example/mcp';

const jwt = (claims: object) =>
  ['{"alg":"RS256"}', JSON.stringify({iss: keycloak, ...claims}), 'signature']
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.');

/** Returns what is wrong with a token of a Keycloak whose metadata is not saved, or of an unknown provider. */
const faultOf = async (token: string, {isKnown = true, isWanted = true} = {}) => {
  const ports = await temporaryPorts();
  const issuer = isKnown ? keycloak : nobodys;
  return tokenFault({token, issuer, clientId: 'platform-cli', resource: isWanted ? resource : undefined}, ports);
};

test('a token for somebody else says for whom, who wants it, and where that is set', async () => {
  expect(await faultOf(jwt({aud: 'account'}))).toMatchObject({
    code: 'auth-audience-wrong',
    message: `The token is for account, but the server identifies itself as ${resource}.`,
    remedy: expect.stringMatching(
      /^Ask the operators of Keycloak to change this: Client scopes › .*Audience.*api\.acme/,
    ),
  });
  expect(await faultOf(jwt({}))).toMatchObject({message: expect.stringContaining('The token names no audience')});
});

test('an opaque token says which setting makes it a JWT', async () => {
  expect(await faultOf('opaque', {isKnown: false})).toMatchObject({
    code: 'auth-token-opaque',
    message: expect.stringContaining('issues access tokens that are not JWTs to platform-cli'),
    remedy: 'Ask the operators of the identity provider to change this: Issue access tokens to platform-cli as JWTs.',
  });
});

test('the kind that somebody has seen comes before what is kept', async () => {
  const ports = await temporaryPorts();
  const input = {token: jwt({aud: 'account'}), issuer: keycloak, clientId: 'platform-cli', resource};
  expect((await tokenFault({...input, provider: 'okta'}, ports))?.remedy).toContain('operators of Okta');
  expect((await tokenFault(input, ports))?.remedy).toContain('operators of Keycloak');
});

test('nothing is said of a token that is for the server, or of whom nobody knows whom it should be for', async () => {
  expect(await faultOf(jwt({aud: ['account', resource]}))).toBeUndefined();
  expect(await faultOf(jwt({aud: 'account'}), {isWanted: false})).toBeUndefined();
  // Another oddity of the token is the likelier reason.
  expect(await faultOf(jwt({aud: 'account', exp: 1}))).toBeUndefined();
});
