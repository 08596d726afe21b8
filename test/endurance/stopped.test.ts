import {readdirSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {startSetup} from '../e2e/support/run.ts';
import {signedIn} from '../e2e/support/sign-in/signed-in.ts';
import {contextAt} from '../support/context.ts';
import {singleUseProvider} from './support/single-use-provider.ts';

/**
 * In milliseconds: longer than the deadline of a call (15 s), and longer than a lock counts without a refresh by its
 * holder.
 */
const STOPPED = 17_000;

/** Starts a command that is stopped when its request has arrived. The answer waits in its socket. */
const stopped = async () => {
  const provider = await singleUseProvider({takes: 300});
  const {store, options} = signedIn(provider.issuer);
  store.putContexts([contextAt(provider.issuer)], 'acme');
  const arrived = provider.arrived();
  const first = startSetup(['token'], options);
  await arrived;
  first.kill('SIGSTOP');
  const leases = () => readdirSync(options.surroundings.setupHome, {recursive: true}).filter(isLease);
  return {provider, store, options, first, leases};
};

const isLease = (name: string | Buffer) => String(name).includes('renewing-');

test('a command that was stopped while its renewal was answered has what came', async () => {
  const {provider, store, first, leases} = await stopped();
  await delay(STOPPED);
  first.kill('SIGCONT');
  expect(await first.ended).toMatchObject({code: 0, stdout: 'access-1\n', stderr: ''});
  expect(store.only()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
  expect(leases()).toEqual([]);
  expect(provider.asked).toHaveLength(1);
});

test('a second one that waits for it has it too, and nothing is sent twice', async () => {
  const {provider, store, options, first, leases} = await stopped();
  const second = startSetup(['token'], options);
  await delay(STOPPED);
  first.kill('SIGCONT');
  expect(await first.ended).toMatchObject({code: 0, stdout: 'access-1\n', stderr: ''});
  expect(await second.ended).toMatchObject({code: 0, stdout: 'access-1\n', stderr: ''});
  expect(store.only()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
  expect(store.only()).not.toHaveProperty('unanswered');
  expect(leases()).toEqual([]);
  expect(provider.isEnded()).toBe(false);
  expect(provider.asked).toHaveLength(1);
});
