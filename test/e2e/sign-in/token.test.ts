import {describe, expect, test} from 'vitest';
import {contextAt} from '../../support/context.ts';
import {serve} from '../../support/server.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';
import {platformForTest} from '../support/platform.ts';
import {reservedPort} from '../support/ports.ts';
import {runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {addressFrom, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {signedIn} from '../support/sign-in/signed-in.ts';
import {storeIn} from '../support/store.ts';

const HOUR = 3_600_000;
const good = () => ({obtainedAt: Date.now(), expiresAt: Date.now() + HOUR});

describe('a token that is good', () => {
  test('is printed alone, and nobody is asked', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {options} = signedIn(issuer, good());
    expect(await runSetup(['token'], options)).toMatchObject({code: 0, stdout: 'access-0\n', stderr: ''});
    expect(asked).toEqual([]);
  });

  test('--header prints the header that carries it', async () => {
    const {options} = signedIn('http://idp.acme.localhost:8080', good());
    const run = await runSetup(['token', '--header'], options);
    expect(run).toMatchObject({code: 0, stdout: 'Authorization: Bearer access-0\n', stderr: ''});
  });

  test('--json says also until when, and whose it is', async () => {
    const times = good();
    const {options} = signedIn('http://idp.acme.localhost:8080', times);
    const {code, stdout, stderr} = await runSetup(['token', '--json'], options);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    const expiresAt = new Date(times.expiresAt).toISOString();
    expect(JSON.parse(stdout)).toEqual({accessToken: 'access-0', expiresAt, context: 'acme'});
  });
});

describe('a helper that is run again', () => {
  const helper = ['token', '--mcp-header'];

  /** Starts a server that accepts tokens of some names. */
  const serverTaking = async (taken: () => string) => {
    const asked: string[] = [];
    const origin = await serve((request, response) => {
      asked.push(request.headers.authorization ?? '');
      response.writeHead(request.headers.authorization === `Bearer ${taken()}` ? 200 : 401).end();
    });
    return {origin, asked};
  };

  test('finds out that the server refuses its token, and renews it', async () => {
    const {issuer, asked: renewed} = await tokenServer(rotating);
    const {origin, asked} = await serverTaking(() => 'access-1');
    const {options, store} = signedIn(issuer, good());
    store.putContexts([{...contextAt(issuer), controlPlaneUrl: origin}], 'acme');
    expect((await runSetup(helper, options)).stdout).toContain('access-0');
    expect((await runSetup(helper, options)).stdout).toContain('access-1');
    expect((await runSetup(helper, options)).stdout).toContain('access-1');
    expect(asked).toEqual(['Bearer access-0']);
    expect(renewed).toHaveLength(1);
  });

  test('asks about a token that the server takes once, and gives it again', async () => {
    const {issuer, asked: renewed} = await tokenServer(rotating);
    const {origin, asked} = await serverTaking(() => 'access-0');
    const {options, store} = signedIn(issuer, good());
    store.putContexts([{...contextAt(issuer), controlPlaneUrl: origin}], 'acme');
    for (let count = 0; count < 4; count += 1) {
      expect(await runSetup(helper, options)).toMatchObject({code: 0, stdout: expect.stringContaining('access-0')});
    }
    expect(asked).toHaveLength(1);
    expect(renewed).toEqual([]);
  });
});

describe('twenty at once, on an expired token', () => {
  const all = (options: Parameters<typeof runSetup>[1]) =>
    Promise.all(Array.from({length: 20}, () => runSetup(['token'], options)));

  test('ask once, and print the same new token', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {options, store} = signedIn(issuer);
    for (const run of await all(options)) expect(run).toMatchObject({code: 0, stdout: 'access-1\n', stderr: ''});
    expect(asked.map(form => form.get('refresh_token'))).toEqual(['refresh-0']);
    expect(store.only()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
  });

  test('keep a sign-in whose refresh tokens are good for one use', async () => {
    const {flags, ready} = await platformForTest({release: 'next', resources: 'one'});
    const surroundings = surroundingsForTest();
    const store = storeIn(surroundings.setupHome);
    const options = {surroundings};
    const login = startSetup(['login', '--no-browser', ...flags], options);
    // The account is in the platform's group of administrators; other accounts need a role first.
    await signInAndReturn(await addressFrom(login), ready.admin);
    await login.ended;
    const before = store.only();

    store.expire();
    const runs = await all(options);
    const renewed = store.only();
    expect(renewed.accessToken).not.toBe(before.accessToken);
    expect(renewed.refreshToken).not.toBe(before.refreshToken);
    for (const run of runs) expect(run).toMatchObject({code: 0, stdout: `${renewed.accessToken}\n`, stderr: ''});
    expect(await runSetup(['component', 'list'], options)).toMatchObject({code: 0, stderr: ''});

    store.expire();
    const again = await runSetup(['token'], options);
    expect(again).toMatchObject({code: 0, stderr: ''});
    expect(again.stdout).not.toBe(`${renewed.accessToken}\n`);
  });
});

describe('a renewal that is killed', () => {
  /** When the process is killed: before the answer, or at this fraction of the time from the answer to its end. */
  const moments = ['before', 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

  test('leaves a store that reads, and the next command prints a token or says that sign-in is needed', async () => {
    const whole = await renewal(() => undefined);
    const killed = [];
    // One after the other, so that the times are accurate.
    for (const moment of moments) {
      const {options, store} = await renewal(kill => {
        if (moment === 'before') kill();
        else setTimeout(kill, moment * whole.ms);
      });
      killed.push({moment, options, kept: store.only()});
    }
    const outcomes = await Promise.all(
      killed.map(async ({options, ...before}) => {
        const started = performance.now();
        const {code, stdout, stderr} = await runSetup(['token'], options);
        return {...before, code, said: stdout + stderr, ms: performance.now() - started};
      }),
    );
    for (const {moment, kept, code, said, ms} of outcomes) {
      const what = `killed ${moment}: ${code} ${said}`;
      expect(kept.refreshToken, what).toMatch(/^refresh-[01]$/);
      expect(said, what).toMatch(code === 0 ? /^access-[12]\n$/ : ended);
      expect(code === 0 || code === 4, what).toBe(true);
      // The next command takes over an abandoned lock as soon as it is stale.
      expect(ms, what).toBeLessThan(10_000);
    }
  }, 60_000);

  /**
   * Runs one `setup token`, and measures the milliseconds from the answer to its end. The identity provider revokes
   * everything when it gets a refresh token twice (RFC 9700 4.14.2).
   */
  const renewal = async (onRequest: (kill: () => void) => void) => {
    let newest = 'refresh-0';
    let answered = 0;
    const {issuer} = await tokenServer((form, count) => {
      const isNewest = form.get('refresh_token') === newest;
      newest = isNewest ? `refresh-${count}` : 'none';
      answered = performance.now();
      if (count === 1) onRequest(() => run.kill('SIGKILL'));
      return isNewest ? rotating(form, count) : {status: 400, body: {error: 'invalid_grant'}};
    });
    const {options, store} = signedIn(issuer);
    const run = startSetup(['token'], options);
    await run.ended;
    return {options, store, ms: performance.now() - answered};
  };
});

/** One line that says that the sign-in has ended and which command to run. */
const ended =
  /^You are signed out of acme: \S+ refused to renew the sign-in \(invalid_grant.*\)\. Run npx setup to sign in\.\n$/;

describe('a token that cannot be renewed', () => {
  test('because that was refused says so in one line, now and later, and asks once', async () => {
    const {issuer, asked} = await tokenServer(() => ({status: 400, body: {error: 'invalid_grant'}}));
    const {options} = signedIn(issuer);
    for (const _ of [1, 2]) {
      const {code, stdout, stderr} = await runSetup(['token'], options);
      expect({code, stdout}).toEqual({code: 4, stdout: ''});
      expect(stderr).toMatch(ended);
    }
    expect(asked).toHaveLength(1);
  });

  test('because nobody answers is kept', async () => {
    const {options, store} = signedIn(`http://127.0.0.1:${await reservedPort()}`);
    const {code, stdout, stderr} = await runSetup(['token'], options);
    expect({code, stdout}).toEqual({code: 3, stdout: ''});
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(store.only()).toMatchObject({accessToken: 'access-0', refreshToken: 'refresh-0'});
  });

  test('because nothing is set up says what to type', async () => {
    const {code, stdout, stderr} = await runSetup(['token']);
    expect({code, stdout}).toEqual({code: 4, stdout: ''});
    expect(stderr).toBe('Nothing is set up yet. Run npx setup.\n');
  });
});

test('a renewal loads neither Node’s own copy of undici nor HTTP/2, which take longer than all of its own code', async () => {
  const {issuer} = await tokenServer(rotating);
  const {options} = signedIn(issuer);
  const listing = "data:text/javascript,process.on('exit',()=>process._rawDebug(process.moduleLoadList.join('\\n')))";
  const run = await runSetup(['token'], {...options, env: {NODE_OPTIONS: `--import=${listing}`}});
  expect(run).toMatchObject({code: 0, stdout: 'access-1\n'});
  expect(run.stderr).toContain('NativeModule net');
  expect(run.stderr).not.toMatch(/undici|NativeModule http2/);
});
