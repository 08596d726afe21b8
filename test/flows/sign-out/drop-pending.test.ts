import {expect, test} from 'vitest';
import {pendingIn, pendingKey, storedPendingCode} from '../../../src/domain/credentials.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {dropPending} from '../../../src/flows/sign-out.ts';
import {temporaryPorts} from '../../support/place.ts';

const issuer = 'http://idp.acme.localhost:8080';

/** Sets up a person who was asked to type a code and has not typed it. */
const asked = async () => {
  const {credentials} = await temporaryPorts();
  const secrets = {deviceCode: new Secret('device'), verifier: new Secret('verifier')};
  const code = {issuer, clientId: 'platform-cli', wanted: {scopes: []}, verificationUri: issuer, userCode: 'ABCD-EFGH'};
  await credentials.replace(pendingKey, storedPendingCode({...code, ...secrets, until: 1, interval: 5, note: {}}));
  return {credentials, pending: async () => pendingIn(await credentials.get(pendingKey))};
};

test('a code that nobody has typed is forgotten, of the identity provider that is left or of any', async () => {
  for (const one of [issuer, undefined]) {
    const {credentials, pending} = await asked();
    expect(await pending()).toBeDefined();
    expect(await dropPending({credentials}, one)).toBe(true);
    expect(await pending()).toBeUndefined();
    expect(await dropPending({credentials}, one)).toBe(false);
  }
});

test('that of another identity provider is kept', async () => {
  const {credentials, pending} = await asked();
  expect(await dropPending({credentials}, 'http://idp.other.localhost:8080')).toBe(false);
  expect(await pending()).toBeDefined();
});
