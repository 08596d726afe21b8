import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {decodeJwt} from 'jose';
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {freePort} from '../../../src/ports/browser/loopback-server.ts';
import {reservedPort} from '../../e2e/support/ports.ts';
import {jsonLines, lastLine} from '../../e2e/support/run.ts';
import {chromiumPath, noChromium, openPage} from '../../e2e/support/sign-in/chromium.ts';
import type {Installed} from './cache.ts';
import {type ControlPlane, openControlPlane} from './control-plane.ts';
import {machineFor} from './machine.ts';
import type {Row} from './rows.ts';

export const ann = {username: 'ann', password: 'The-password-0f-ann'} as const;

/** The values with which a provider is started. */
export type Place = {
  /** The directory of the installed program, and one for its state in this run. */
  readonly installed: string;
  readonly state: string;
  readonly port: number;
  readonly redirectUri: string;
  /** The audience of the access tokens. */
  readonly audience: string;
  readonly clientId: string;
  readonly service: {readonly clientId: string; readonly secret: string};
};

/**
 * A provider: how to install it, how to start it with a client for people and a service account, and how to use its
 * pages.
 */
export type ProviderSetup = {
  readonly row: Row;
  readonly install: () => Promise<Installed>;
  readonly start: (place: Place) => Promise<Started>;
  /** Signs Ann in on the browser's current page, up to a page of consent or the redirect. */
  readonly signIn: (page: Page) => Promise<void>;
  /** Answers the provider's page of consent, if it has one. */
  readonly consent?: {readonly allow: (page: Page) => Promise<void>; readonly deny: (page: Page) => Promise<void>};
};

export type Started = {
  readonly issuer: string;
  readonly end: () => Promise<void>;
  /** Set if the provider assigns client IDs itself. */
  readonly clientId?: string;
  readonly service?: Place['service'];
};

const CLIENT = 'platform-cli';
const SERVICE = {clientId: 'ci', secret: 'the-secret-of-ci'} as const;

type Scene = Started & {
  readonly controlPlane: ControlPlane;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly service: Place['service'];
};

/**
 * Runs the flows of every provider on one instance that all tests share. If it or a browser is missing, they are
 * skipped.
 */
export const describeProvider = async ({row, install, start, signIn, consent}: ProviderSetup): Promise<void> => {
  const title = `${row.name} ${row.version}`;
  const found = chromiumPath === undefined ? {missing: noChromium} : await install();
  if ('missing' in found) {
    describe.skip(`${title} (left out: ${found.missing})`, () => {
      test('is run', () => {});
    });
    return;
  }

  describe(title, () => {
    let scene: Scene;
    const state = mkdtempSync(join(tmpdir(), `provider-${row.id}-`));
    beforeAll(async () => {
      const controlPlane = await openControlPlane();
      const redirectUri = `http://127.0.0.1:${await reservedPort()}/auth-callback`;
      const started = await start({
        ...{installed: found.directory, state, port: await freePort(), redirectUri},
        ...{audience: controlPlane.audience, clientId: CLIENT, service: SERVICE},
      });
      scene = {clientId: CLIENT, service: SERVICE, ...started, controlPlane, redirectUri};
      trust(row.audience !== 'platform');
    }, 180_000);
    const trust = (takesAnyAudience: boolean) => {
      const {issuer, clientId, controlPlane} = scene;
      controlPlane.trust({issuer, clientId, takesAnyAudience});
    };
    afterAll(async () => {
      await scene?.end();
      await scene?.controlPlane.close();
      rmSync(state, {recursive: true, force: true});
    });

    const isBack = ({pathname}: URL) => pathname === '/auth-callback';

    /** Signs Ann in at an address, and gives consent. */
    const goThrough = async (page: Page, url: string) => {
      await page.goto(url);
      if (!isBack(new URL(page.url()))) await signIn(page);
      if (!isBack(new URL(page.url()))) await consent?.allow(page);
      await page.waitForURL(isBack);
    };
    const machine = () => machineFor({...scene, signIn: goThrough});
    const asService = (secret: string, ...args: readonly string[]) => {
      const scopes = row.serviceScopes === undefined ? [] : ['--scopes', row.serviceScopes];
      const one = machine();
      const who = ['--client-credentials', '--client-id', scene.service.clientId, '--client-secret-stdin'];
      return {...one, end: one.run(['login', '--json', ...who, ...one.flags, ...scopes, ...args], `${secret}\n`)};
    };
    const hasRefresh = row.refresh !== 'none';

    // First of all, because some providers do not ask again after consent was given.
    const declining =
      row.denial === 'boxes alone'
        ? 'signs a person in without what they leave unchecked'
        : 'takes a person who declines at their word';
    test.skipIf(row.denial === 'not asked')(declining, async () => {
      const {waiting, end} = await machine().beginLogin();
      const {page} = await openPage();
      await page.goto(waiting.url ?? '');
      await signIn(page);
      await consent?.deny(page);
      await page.waitForURL(isBack);
      const {code, last} = await end();
      if (row.denial === 'boxes alone') {
        expect({code, last}).toMatchObject({code: 0, last: {type: 'done', account: expect.stringMatching(/\S/)}});
        expect(last.account).not.toBe(row.account);
        return;
      }
      const refused = row.denial === 'told' ? 'auth-declined' : 'auth-consent-required';
      expect({code, last}).toMatchObject({code: 4, last: {type: 'failed', code: refused}});
    });

    test('signs a person in by a browser, and the platform takes the token', async () => {
      const {login, store, setup} = machine();
      const {last, page} = await login();
      expect(last).toMatchObject({type: 'done', account: row.account, issuer: scene.issuer});
      expect(await page.innerText('body')).toContain('You are signed in');
      const {accessToken = '', refreshToken} = store.only();
      expect(audienceIn(accessToken, scene)).toBe(row.audience);
      expect(refreshToken !== undefined).toBe(hasRefresh);
      const {refused} = scene.controlPlane;
      expect(await setup(['mcp', 'call', 'control-plane', 'who_am_i'])).not.toBe('');
      expect(refused).toEqual([]);
    });

    test.skipIf(!hasRefresh)('renews a sign-in', async () => {
      const {login, store, setup} = machine();
      await login();
      const first = store.only();
      await untilNextSecond(first.accessToken);
      const renewed = (await setup(['token', '--renew'])).trim();
      const second = store.only();
      expect(renewed).not.toBe(first.accessToken);
      expect(second).toMatchObject({accessToken: renewed, account: row.account});
      expect(second.refreshToken === first.refreshToken ? 'the same' : 'another').toBe(row.refresh);
      await untilNextSecond(renewed);
      store.expire();
      expect((await setup(['token'])).trim()).not.toBe(renewed);
      expect(await setup(['mcp', 'call', 'control-plane', 'who_am_i'])).not.toBe('');
    });

    test.skipIf(!hasRefresh)('renews it once for three processes at a time', async () => {
      const {login, store, run} = machine();
      await login();
      for (const _ of [1, 2]) {
        await untilNextSecond(store.only().accessToken);
        store.expire();
        const runs = await Promise.all([1, 2, 3].map(() => run(['token'])));
        const {accessToken} = store.only();
        for (const one of runs) expect(one).toMatchObject({code: 0, stdout: `${accessToken}\n`, stderr: ''});
      }
    });

    test('says that a sign-in has ended, and how it was refused', async () => {
      const {login, store, run} = machine();
      await login();
      const kept = store.only();
      if (!hasRefresh) {
        store.expire();
        expect(await run(['token'])).toMatchObject({code: 4, stdout: ''});
        return;
      }
      const other = {...kept, refreshToken: unknownLike(kept.refreshToken ?? '')};
      store.putCredentials({...other, obtainedAt: 1, expiresAt: 2});
      const {code, stderr, stdout} = await run(['token']);
      expect({code, stdout}).toEqual({code: 4, stdout: ''});
      expect(/has probably ended/.test(stderr) ? 'probably ended' : 'ended', stderr).toBe(row.ended);
      const status = await run(['status']);
      expect(status.code).toBe(1);
      expect(status.stdout).toMatch(/ended|signed out|refused/i);
      expect(status.stdout).not.toMatch(/renewed when needed/);
      const doctor = jsonLines((await run(['doctor', '--json'])).stdout);
      expect(doctor.find(({id}) => id === 'sign-in')).toMatchObject({verdict: 'fail', code: 'auth-sign-in-required'});
    });

    test('says of a client that it does not have that it is not there, as soon as it tells', async () => {
      const {run, flags, beginLogin} = machine();
      const nobody = ['--client-id', 'nobody'];
      const checked = await run(['provider', 'check', scene.issuer, '--json', ...nobody, ...redirectIn(flags)]);
      const authorization = jsonLines(checked.stdout).find(({id}) => id === 'authorization');
      if (row.wrongClient === 'at once') {
        expect(authorization).toMatchObject({verdict: 'fail', code: expect.stringMatching(/^auth-/)});
        expect(checked.code).toBe(4);
        const started = performance.now();
        const login = await run(['login', '--json', '--no-browser', ...flags, ...nobody]);
        expect(login.code).toBe(4);
        expect(lastLine(login.stdout)).toMatchObject({type: 'failed', code: expect.stringMatching(/^auth-/)});
        expect(performance.now() - started).toBeLessThan(60_000);
        return;
      }
      expect(authorization).toMatchObject({verdict: 'skipped', saw: expect.stringMatching(/^not checked/)});
      if (row.wrongClient === 'never') return;
      const {waiting} = await beginLogin(...nobody);
      const {page} = await openPage();
      await page.goto(waiting.url ?? '');
      await signIn(page);
      await page.waitForLoadState();
      expect(isBack(new URL(page.url()))).toBe(false);
    });

    test('refuses a wrong secret as one', async () => {
      const {code, stdout, stderr} = await asService('the wrong one').end;
      if (row.wrongSecret === 'never') {
        expect(code).toBe(0);
        return;
      }
      expect(code, stdout).toBe(4);
      expect(lastLine(stdout)).toMatchObject({type: 'failed', code: 'auth-client-refused'});
      expect(stdout + stderr).not.toContain('the wrong one');
    });

    test('signs a service account in', async () => {
      const {end, setup, store} = asService(scene.service.secret);
      const {code, stdout} = await end;
      if (row.serviceToken === 'opaque') {
        expect({code, last: lastLine(stdout)}).toMatchObject({code: 4, last: {code: 'auth-token-opaque'}});
        return;
      }
      expect(code, JSON.stringify(lastLine(stdout))).toBe(0);
      const before = store.only().accessToken;
      expect((await setup(['token', '--renew'])).trim()).toBe(store.only().accessToken);
      expect(before).not.toBe('');
      expect(await setup(['mcp', 'call', 'control-plane', 'who_am_i'])).not.toBe('');
    });

    test.skipIf(row.serviceToken === 'opaque')(
      'signs the assistants in beside a person, each by themselves',
      async () => {
        const {login, setup, run} = machine();
        await login();
        const mine = await setup(['token']);
        const scopes = row.serviceScopes === undefined ? [] : ['--scopes', row.serviceScopes];
        const {clientId, secret} = scene.service;
        const theirs = ['--as', 'assistants', '--client-credentials', '--client-id', clientId, '--client-secret-stdin'];
        const signedIn = await run(['login', ...theirs, ...scopes], `${secret}\n`);
        expect(signedIn, signedIn.stderr).toMatchObject({code: 0});
        const account = await setup(['token', '--mcp-header']);
        expect(account).not.toContain(mine.trim());
        expect(await setup(['token'])).toBe(mine);
        const asked = ['mcp', 'call', 'control-plane', 'who_am_i'];
        expect(await setup([...asked, '--as', 'assistants'])).not.toBe(await setup(asked));
        // What the person ends is theirs alone.
        await setup(['logout', '--json']);
        expect(await setup(['token', '--mcp-header'])).toBe(account);
        expect(await run(['token'])).toMatchObject({code: 4, stdout: ''});
      },
    );

    test('signs a person out, and says what came of it there', async () => {
      const {login, setup, run} = machine();
      await login();
      const left = JSON.parse(await setup(['logout', '--json']));
      expect(left.revocation, JSON.stringify(left)).toBe(row.logout.replace(' ', '-'));
      if (row.logout === 'refused') expect(left.answered).toMatch(/\S/);
      expect(await run(['token'])).toMatchObject({code: 4, stdout: ''});
    });

    test('is checked before a person is signed in, and no plus is a guess', async () => {
      const {run, flags} = machine();
      const client = ['--client-id', scene.clientId, ...redirectIn(flags)];
      const {stdout} = await run(['provider', 'check', scene.issuer, '--json', ...client]);
      const checks = jsonLines(stdout).filter(({type}) => type === 'check');
      expect(Object.fromEntries(checks.map(({id, verdict}) => [id, verdict]))).toEqual(row.check);
    });

    test('is diagnosed as well once a person is signed in, and its tokens by whom they are for', async () => {
      const {login, run, setup} = machine();
      await login();
      const of = async () => jsonLines((await run(['doctor', '--json'])).stdout);
      const failed = (lines: Awaited<ReturnType<typeof of>>) => lines.filter(({verdict}) => verdict === 'fail');
      expect(failed(await of())).toEqual([]);
      if (row.audience === 'platform') return;
      trust(false);
      try {
        const [first] = failed(await of());
        expect(first).toMatchObject({
          sentence: expect.stringMatching(
            /The token (?:is for|names no audience).*, but the server identifies itself as/,
          ),
        });
      } finally {
        trust(true);
      }
      expect(await setup(['mcp', 'call', 'control-plane', 'who_am_i'])).not.toBe('');
    });
  });
};

/**
 * Waits until a token is older than a second: within one second Canaille issues the same token twice, which its own
 * tables refuse.
 */
const untilNextSecond = (token = '') =>
  vi.waitFor(() => expect(Math.floor(Date.now() / 1000)).toBeGreaterThan(decodeJwt(token).iat ?? 0), 5_000);

/** Returns the kind of audience that a token has. */
const audienceIn = (token: string, {controlPlane, clientId}: Scene): Row['audience'] => {
  const named = [decodeJwt(token).aud ?? []].flat();
  if (named.includes(controlPlane.audience)) return 'platform';
  if (named.length === 0) return 'nobody';
  return named.includes(clientId) ? 'client' : 'another';
};

/** Returns a refresh token that looks like one of the provider's, but is not. */
const unknownLike = (token: string): string => {
  const middle = Math.floor(token.length / 2);
  return `${token.slice(0, middle)}${token[middle] === 'a' ? 'b' : 'a'}${token.slice(middle + 1)}`;
};

const redirectIn = (flags: readonly string[]) => flags.slice(flags.indexOf('--redirect-uri'));
