import {expect, test} from 'vitest';
import type {Credentials} from '../../../src/domain/credentials.ts';
import {forgetUnkept, isKept, keepUnkept, rememberUnkept, withUnkept} from '../../../src/flows/sign-in/refresh.ts';
import {contextAt} from '../../support/context.ts';
import {temporaryPorts} from '../../support/place.ts';

const key = contextAt('https://idp.example');
const {issuer, clientId} = key;
const kept = (refreshToken?: string): Credentials => ({
  issuer,
  clientId,
  accessToken: `with-${refreshToken}`,
  ...(refreshToken === undefined ? {} : {refreshToken}),
});

test('what could not be written stands for what the disk has, until that is newer', async () => {
  const ports = await temporaryPorts();
  expect(withUnkept(kept('r0'), key, ports)).toEqual(kept('r0'));
  rememberUnkept(key, 'r0', kept('r1'), ports);
  expect(withUnkept(kept('r0'), key, ports)).toEqual(kept('r1'));
  expect(withUnkept(kept('r0'), {...key, clientId: 'other'}, ports)).toEqual(kept('r0'));
  // The same sign-in in another home does not get it either.
  expect(withUnkept(kept('r0'), key, await temporaryPorts())).toEqual(kept('r0'));
  // The second renewal in a row used the refresh token of the first, which was never saved to disk.
  rememberUnkept(key, 'r1', kept('r2'), ports);
  expect(withUnkept(kept('r0'), key, ports)).toEqual(kept('r2'));
  expect(withUnkept(kept('of a new sign-in'), key, ports)).toEqual(kept('of a new sign-in'));
  expect(withUnkept(kept('r0'), key, ports)).toEqual(kept('r0'));
});

test('nobody is signed in again who has signed out since', async () => {
  const ports = await temporaryPorts();
  rememberUnkept(key, undefined, kept('r1'), ports);
  expect(withUnkept(undefined, key, ports)).toBeUndefined();
  expect(withUnkept(kept(), key, ports)).toEqual(kept());
});

test('it is written as soon as that works, and no sooner asked for', async () => {
  const ports = await temporaryPorts();
  await ports.credentials.update(key, async () => kept('r0'));
  let updates = 0;
  const failing = {
    ...ports,
    credentials: {
      ...ports.credentials,
      update: async () => {
        updates += 1;
        throw new Error('The disk is full.');
      },
    },
  };
  await keepUnkept(key, failing);
  expect(updates).toBe(0);
  rememberUnkept(key, 'r0', kept('r1'), ports);
  await keepUnkept(key, failing);
  expect(updates).toBe(1);
  expect(await ports.credentials.get(key)).toMatchObject({refreshToken: 'r0'});
  expect(withUnkept(kept('r0'), key, ports)).toEqual(kept('r1'));
  await keepUnkept(key, ports);
  expect(await ports.credentials.get(key)).toMatchObject({refreshToken: 'r1'});
  await keepUnkept(key, failing);
  expect(updates).toBe(1);
});

test('it is forgotten where somebody says so', async () => {
  const ports = await temporaryPorts();
  rememberUnkept(key, 'r0', kept('r1'), ports);
  forgetUnkept(key, ports);
  expect(withUnkept(kept('r0'), key, ports)).toEqual(kept('r0'));
});

test('what a renewal left is on the disk where the disk has all of it', async () => {
  const ports = await temporaryPorts();
  expect(await isKept(kept('r1'), key, ports)).toBe(false);
  await ports.credentials.update(key, async () => kept('r1'));
  expect(await isKept(kept('r1'), key, ports)).toBe(true);
  expect(await isKept({...kept('r1'), unanswered: 1}, key, ports)).toBe(false);
  expect(await isKept(kept('r2'), key, ports)).toBe(false);
  expect(await isKept(undefined, key, ports)).toBe(false);
  const get = async () => Promise.reject(new Error('It cannot be read.'));
  expect(await isKept(kept('r1'), key, {...ports, credentials: {...ports.credentials, get}})).toBe(false);
});
