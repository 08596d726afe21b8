import {expect, test} from 'vitest';
import {remedyText} from '../../../src/errors/describe-error.ts';
import {type About, SetupError} from '../../../src/errors/errors.ts';
import {setup} from '../../../src/errors/remedy.ts';
import {missingScope} from '../../../src/flows/platform-tools/refused-token.ts';

const url = 'http://api.acme.localhost/mcp';

const tokenWith = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

const denied = (about: About) => new SetupError('auth-permission-missing', 'Denied.', {about: {url, ...about}});

const demanded = ['tools:read', 'tools:call'];

test('a scope that the token lacks is named, with those that it has, and asked for with them', () => {
  const fault = missingScope(denied({demanded}), tokenWith({scope: 'openid tools:read'})) ?? expect.fail();
  expect(fault).toMatchObject({
    code: 'auth-scope-missing',
    message: `${url} requires the scopes tools:read tools:call, but the token has openid tools:read (403).`,
    about: {url, toRequest: ['openid', 'tools:read', 'tools:call']},
  });
  expect(remedyText(fault, {signIn: setup('login', '--context acme')})).toBe(
    'Sign in again and ask for tools:call too. Run npx setup login --context acme --scopes "openid tools:read tools:call".',
  );
  expect(remedyText(fault, {isAsked: true})).toBe('Sign in again and ask for tools:call too.');
});

test.each([
  ['a list, as Okta writes it', {scp: ['openid', 'groups']}],
  ['a text, as Entra ID does', {scp: 'openid groups'}],
])('scopes are read from %s', (_, claims) => {
  expect(missingScope(denied({demanded}), tokenWith(claims))?.message).toContain(
    'but the token has openid groups (403)',
  );
});

test.each([tokenWith({}), tokenWith({scope: ''}), tokenWith({scope: 7}), 'opaque', ''])(
  'a token that names none is asked for anew with the usual ones: %s',
  token => {
    const fault = missingScope(denied({demanded: ['tools:call']}), token);
    expect(fault?.message).toBe(`${url} requires the scope tools:call, but the token names none (403).`);
    expect(fault?.about.toRequest).toEqual(['openid', 'profile', 'email', 'tools:call']);
  },
);

test('a client that signs in for itself is not told to ask for a person’s scopes', () => {
  const token = tokenWith({sub: 'mcp_client', client_id: 'mcp_client'});
  expect(missingScope(denied({demanded: ['tools:call']}), token)?.about.toRequest).toEqual(['tools:call']);
});

test.each([
  ['the token has what is demanded', denied({demanded}), tokenWith({scope: 'tools:call tools:read'})],
  ['the server demands no scope', denied({}), tokenWith({scope: 'openid'})],
  ['it is another failure', new SetupError('auth-token-refused', 'No.', {about: {demanded}}), tokenWith({})],
  ['it is no failure of ours', new TypeError('bug'), tokenWith({})],
])('something else is missing where %s', (_, error, token) => {
  expect(missingScope(error, token)).toBeUndefined();
});
