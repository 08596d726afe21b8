import {expect, test} from 'vitest';
import type {Credentials} from '../../../src/domain/sign-in/credentials.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {accessToken} from '../../../src/flows/sign-in/renewal/access-token.ts';
import {signOut} from '../../../src/flows/sign-out/sign-out.ts';
import {contextAt} from '../../support/context.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';

/** A sign-in whose identity provider revokes when `revoking` lets it, and counts what else it is asked. */
const signedIn = async (revoking: () => Promise<number>) => {
  const asked: string[] = [];
  const issuer: string = await serve(async (request, response) => {
    if (request.method === 'POST') asked.push(request.url ?? '');
    if (request.url === '/revoke') return json({}, await revoking())(request, response);
    const endpoints = {token_endpoint: `${issuer}/token`, revocation_endpoint: `${issuer}/revoke`};
    return json({issuer, ...endpoints, jwks_uri: `${issuer}/jwks`})(request, response);
  });
  const home = await temporaryDirectory();
  const context = contextAt(issuer);
  const {clientId} = context;
  const kept: Credentials = {issuer, clientId, accessToken: 'access-0', refreshToken: 'refresh-0', expiresAt: 1};
  await portsIn(home).credentials.replace(context, kept);
  const ports = portsIn(home);
  const leave = (through = ports) =>
    collect(
      signOut({context, assistants: [], place: {home, project: home, system: 'linux', env: {}}}, through, noSignal),
    );
  return {asked, context, home, ports, leave, kept: () => portsIn(home).credentials.get(context)};
};

test('nobody renews what is being revoked', async () => {
  const {promise: started, resolve: start} = Promise.withResolvers<void>();
  const {promise: answered, resolve: answer} = Promise.withResolvers<number>();
  const {asked, context, home, leave} = await signedIn(() => {
    start();
    return answered;
  });
  const disconnecting = leave();
  await started;
  const renewing = collect(accessToken(context, portsIn(home), noSignal));
  renewing.catch(() => undefined);
  answer(200);
  expect((await disconnecting).result.revocation).toBe('revoked');
  await expect(renewing).rejects.toMatchObject({code: 'auth-sign-in-required'});
  expect(asked).toEqual(['/revoke']);
});

test('a revocation that failed is said, and removes all the same', async () => {
  const {leave, kept} = await signedIn(async () => 503);
  expect((await leave()).result.revocation).toBe('failed');
  expect(await kept()).toBeUndefined();
});

test('what the keychain does not give is removed too', async () => {
  const {ports, leave, kept} = await signedIn(async () => 200);
  const update = async () => {
    throw new SetupError('local-keychain-failed', 'It is locked.');
  };
  const locked = {...ports, credentials: {...ports.credentials, update}};
  expect((await leave(locked)).result.revocation).toBe('not-offered');
  expect(await kept()).toBeUndefined();
});
