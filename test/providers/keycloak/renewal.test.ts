import {expect, test} from 'vitest';
import {runSetup} from '../../e2e/support/run.ts';
import {describeKeycloak} from '../support/describe-keycloak.ts';
import {type Machine, machineAt} from '../support/person.ts';

const once = {revokeRefreshToken: true, refreshTokenMaxReuse: 0};
const recorded = {eventsEnabled: true, enabledEventTypes: ['REFRESH_TOKEN', 'REFRESH_TOKEN_ERROR']};

/** Returns how many renewals Keycloak granted and how many it refused. */
const renewals = async ({administration}: Machine) => {
  const of = (type: string) => administration.get<readonly unknown[]>(`/events?type=${type}`);
  return {given: (await of('REFRESH_TOKEN')).length, refused: (await of('REFRESH_TOKEN_ERROR')).length};
};

const MINUTES = 60_000;

/** Runs the built program with a wrong clock. */
const runAhead = ({surroundings}: Machine, ahead: number, ...args: readonly string[]) => {
  const preload = new URL('../support/clock-ahead.mjs', import.meta.url);
  const env = {NODE_OPTIONS: `--import ${preload}`, TEST_CLOCK_AHEAD: String(ahead)};
  return runSetup(args, {surroundings, env});
};

describeKeycloak('a sign-in whose refresh tokens are good for one use', () => {
  test('is renewed once by ten processes at a time, and all have its token', async () => {
    const machine = await machineAt({realm: {...once, ...recorded}});
    await machine.login();
    for (const round of [1, 2]) {
      machine.store.expire();
      const runs = await Promise.all(Array.from({length: 10}, () => machine.run(['token'])));
      const {accessToken} = machine.store.only();
      for (const run of runs) expect(run).toMatchObject({code: 0, stdout: `${accessToken}\n`, stderr: ''});
      expect(await renewals(machine)).toEqual({given: round, refused: 0});
    }
  });

  test.each([5, -5, 24 * 60])('is not lost by a clock that is %i minutes off', async minutes => {
    const machine = await machineAt({realm: {...once, ...recorded}});
    await machine.login();
    const before = machine.store.only();
    for (const round of [1, 2]) {
      const run = await runAhead(machine, minutes * MINUTES, 'token', '--renew');
      expect(run).toMatchObject({code: 0, stderr: ''});
      expect(machine.store.only()).toMatchObject({accessToken: run.stdout.trim()});
      expect(await renewals(machine)).toEqual({given: round, refused: 0});
    }
    expect(machine.store.only().refreshToken).not.toBe(before.refreshToken);
    // The sign-in continues once the clock is right again.
    machine.store.expire();
    await machine.setup(['token']);
    expect(await renewals(machine)).toEqual({given: 3, refused: 0});
  });
});

describeKeycloak('a sign-in of which Keycloak tells when it ends if it is not used', () => {
  test('is not said to end then, before the first renewal and after it', async () => {
    const machine = await machineAt();
    const {last} = await machine.login();
    expect(last).not.toHaveProperty('signInEndsAt');
    expect(await machine.setup(['status', '--json'])).not.toContain('signInEndsAt');
    await machine.setup(['token', '--renew']);
    expect(machine.store.only().slides).toBe(true);
    expect(await machine.setup(['status', '--json'])).not.toContain('signInEndsAt');
  });

  test('is said to end where its session does', async () => {
    const machine = await machineAt({realm: {ssoSessionMaxLifespan: 1200}});
    await machine.login();
    // As if the sign-in were a minute older: a sliding end would have moved since.
    const kept = machine.store.only();
    machine.store.putCredentials({...kept, obtainedAt: (kept.obtainedAt ?? 0) - MINUTES});
    await machine.setup(['token', '--renew']);
    expect(machine.store.only().slides).toBe(false);
    const [, end = ''] = /"signInEndsAt":"([^"]+)"/.exec(await machine.setup(['status', '--json'])) ?? [];
    const left = new Date(end).getTime() - Date.now();
    expect(left).toBeGreaterThan(15 * MINUTES);
    expect(left).toBeLessThan(20 * MINUTES);
  });
});
