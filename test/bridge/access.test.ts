import {expect, test} from 'vitest';
import {createAccess} from '../../src/bridge/access.ts';
import type {Context} from '../../src/domain/context.ts';
import type {Credentials} from '../../src/domain/sign-in/credentials.ts';
import {contextAt} from '../support/context.ts';
import {noSignal} from '../support/flows.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';

test('what was begun before a sign-in does not answer for what is asked after it', async () => {
  const ports = portsIn(await temporaryDirectory());
  const context = contextAt('https://idp.acme.example');
  let kept: Credentials | undefined;
  let version = 'before';
  const first = Promise.withResolvers<Context>();
  const found = [first.promise];
  const access = createAccess(
    {
      server: 'control-plane',
      findContext: () => found.shift() ?? Promise.resolve(context),
      fileVersion: () => version,
    },
    {...ports, credentials: {...ports.credentials, get: async () => kept}},
    noSignal,
  );
  const before = Promise.resolve(access.current()).catch(error => error.code);
  const {issuer, clientId} = context;
  kept = {issuer, clientId, accessToken: 'new', obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000};
  version = 'after';
  expect(await access.current()).toMatchObject({token: 'new'});
  kept = undefined;
  first.resolve(context);
  expect(await before).toBe('auth-sign-in-required');
});
