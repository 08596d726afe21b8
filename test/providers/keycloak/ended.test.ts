import {expect, test} from 'vitest';
import type {Administration, Representation} from '../support/admin.ts';
import {controlPlaneForTest} from '../support/control-plane.ts';
import {describeKeycloak} from '../support/describe-keycloak.ts';
import {ifRecent} from '../support/install-keycloak.ts';
import {publicClient, realmForTest} from '../support/realm.ts';
import {keptSignIn, REDIRECT} from '../support/sign-in.ts';

const signedIn = async (client: Representation = {}, realm: Representation = {}) => {
  const {issuer, administration} = await realmForTest([publicClient('cli', REDIRECT, client)], realm);
  const controlPlane = await controlPlaneForTest();
  controlPlane.trust({issuer});
  return {administration, ...(await keptSignIn({issuer, controlPlane}, {clientId: 'cli'}))};
};

const annOf = async ({user}: Administration) => `/users/${(await user('ann')).id}`;

describeKeycloak('a sign-in', () => {
  test.each<[string, (by: Administration) => Promise<unknown>, RegExp, Representation?]>([
    ['an administrator ends the session', by => by.endSessions('ann'), /Session not active/],
    ['the account is disabled', by => by.changeUser('ann', {enabled: false}), /User disabled/],
    ['the account is removed', async by => by.remove(await annOf(by)), /Session not active|User not found/],
    [
      'the consent is taken back',
      async by => by.remove(`${await annOf(by)}/consents/cli`),
      /required client/,
      {consentRequired: true},
    ],
    [
      'every session of before is ended',
      by => by.put('', {notBefore: Math.ceil(Date.now() / 1000) + 5}),
      /Stale token/,
    ],
    ['the client is disabled', by => by.changeClient('cli', {enabled: false}), /has no client cli|invalid_client/],
    ['the client is removed', by => by.removeClient('cli'), /invalid_client/],
    [
      'the client is made confidential',
      by => by.changeClient('cli', {publicClient: false, secret: 'x'}),
      /unauthorized_client/,
    ],
  ])('ends once %s, and says so', async (_what, change, reason, client) => {
    const {administration, renew, kept} = await signedIn(client);
    await change(administration);
    const error = await renew().catch(caught => caught);
    expect(error, error.message).toMatchObject({code: 'auth-sign-in-required', message: expect.stringMatching(reason)});
    expect(error.message).not.toMatch(/grant refresh_token|issued no refresh token/);
    const {refused, refreshToken} = await kept();
    expect({said: refused?.said, refreshToken}).toEqual({said: expect.stringMatching(reason), refreshToken: undefined});
  });

  test('ends with the reason where a refresh token was used by somebody else before', async () => {
    const {renew, kept, ports, context} = await signedIn({}, {revokeRefreshToken: true, refreshTokenMaxReuse: 0});
    const stolen = await kept();
    await renew();
    await ports.credentials.update(context, async now => ({
      ...stolen,
      ...now,
      refreshToken: stolen.refreshToken ?? '',
    }));
    await expect(renew()).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: expect.stringContaining('Maximum allowed refresh token reuse exceeded'),
    });
  });

  test.each<[string, (by: Administration) => Promise<unknown>]>([
    ['the standard flow is switched off', by => by.changeClient('cli', {standardFlowEnabled: false})],
    ['the account has to set a password', by => by.changeUser('ann', {requiredActions: ['UPDATE_PASSWORD']})],
    ['a scope is taken away', by => by.changeClient('cli', {defaultClientScopes: ['basic']})],
  ])('goes on where %s', async (_what, change) => {
    const {administration, renew, kept} = await signedIn();
    await change(administration);
    const before = (await kept()).accessToken;
    const {result} = await renew();
    expect(result.accessToken).not.toBe(before);
  });

  type Standstill = [
    what: string,
    change: (by: Administration) => Promise<unknown>,
    back: (by: Administration) => Promise<unknown>,
    failure: object,
  ];
  test.each<Standstill>([
    [
      'the realm is disabled',
      by => by.put('', {enabled: false}),
      by => by.put('', {enabled: true}),
      // The program cannot tell whether the realm will be enabled again.
      {code: 'auth-sign-in-required', message: expect.stringMatching(/has probably ended: .*Realm not enabled/)},
    ],
    ...ifRecent<Standstill>([
      'tokens have to be bound to a key',
      by => by.changeClient('cli', {attributes: {'dpop.bound.access.tokens': 'true'}}),
      by => by.changeClient('cli', {attributes: {'dpop.bound.access.tokens': 'false'}}),
      {code: 'auth-dpop-required'},
    ]),
  ])('stands still while %s, and goes on after that', async (_what, change, back, failure) => {
    const {administration, renew, kept} = await signedIn();
    const {refreshToken} = await kept();
    await change(administration);
    await expect(renew()).rejects.toMatchObject(failure);
    expect(await kept()).toMatchObject({refreshToken});
    await back(administration);
    const {accessToken} = await kept();
    const {result} = await renew();
    expect(result.accessToken).not.toBe(accessToken);
  });
});
