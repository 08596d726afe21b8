import {expect, test} from 'vitest';
import {type Credentials, nameOfKey} from '../../../src/domain/credentials.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {renew, saveUnsaved, withUnsaved} from '../../../src/flows/sign-in/refresh.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {contextAt} from '../../support/context.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';

const key = contextAt('https://idp.example');
const {issuer, clientId} = key;
const signIn = (refreshToken?: string): Credentials => ({
  issuer,
  clientId,
  accessToken: `with-${refreshToken}`,
  ...(refreshToken === undefined ? {} : {refreshToken}),
});

/** Remembers that a renewal used up a refresh token, and that its result could not be written. */
const remember = (usedUp: string | undefined, credentials: Credentials, {memory}: Ports) =>
  memory.unsaved.set(nameOfKey(key), {usedUp, credentials});

test('an unsaved sign-in replaces the one on the disk until that is newer', async () => {
  const ports = await temporaryPorts();
  expect(withUnsaved(signIn('r0'), key, ports)).toEqual(signIn('r0'));
  remember('r0', signIn('r1'), ports);
  expect(withUnsaved(signIn('r0'), key, ports)).toEqual(signIn('r1'));
  expect(withUnsaved(signIn('r0'), {...key, clientId: 'other'}, ports)).toEqual(signIn('r0'));
  expect(withUnsaved(signIn('of a new sign-in'), key, ports)).toEqual(signIn('of a new sign-in'));
  // It was dropped when the new sign-in appeared.
  expect(withUnsaved(signIn('r0'), key, ports)).toEqual(signIn('r0'));
});

test('an unsaved sign-in does not sign a person in again who has signed out since', async () => {
  const ports = await temporaryPorts();
  remember(undefined, signIn('r1'), ports);
  expect(withUnsaved(undefined, key, ports)).toBeUndefined();
  expect(withUnsaved(signIn(), key, ports)).toEqual(signIn());
});

test('an unsaved sign-in is written as soon as that works, and no file is touched without one', async () => {
  const ports = await temporaryPorts();
  await ports.credentials.update(key, async () => signIn('r0'));
  let attempts = 0;
  const full = new SetupError('local-write-failed', 'The disk is full.');
  const failing: Ports = {
    ...ports,
    credentials: {
      ...ports.credentials,
      transaction: async (key, work) => {
        attempts += 1;
        const {value} = await ports.credentials.transaction(key, own => work({...own, write: async () => {}}));
        return {value, unwritten: full};
      },
    },
  };
  await saveUnsaved(key, failing);
  expect(attempts).toBe(0);
  remember('r0', signIn('r1'), ports);
  await saveUnsaved(key, failing);
  expect(attempts).toBe(1);
  expect(await ports.credentials.get(key)).toMatchObject({refreshToken: 'r0'});
  expect(withUnsaved(signIn('r0'), key, ports)).toEqual(signIn('r1'));
  await saveUnsaved(key, ports);
  expect(await ports.credentials.get(key)).toMatchObject({refreshToken: 'r1'});
  await saveUnsaved(key, failing);
  expect(attempts).toBe(1);
});

test('an unsaved sign-in that needs no renewal stays in memory', async () => {
  const ports = await temporaryPorts();
  await ports.credentials.update(key, async () => signIn('r0'));
  remember('r0', signIn('r1'), ports);
  const run = {ports, signal: noSignal, tell: () => {}};
  expect(await renew({context: key, serves: () => true}, run)).toEqual({stored: signIn('r1')});
  // Only memory has it: the disk still has the refresh token that is used up.
  expect(withUnsaved(signIn('r0'), key, ports)).toEqual(signIn('r1'));
});
