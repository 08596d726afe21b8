import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdir} from 'node:fs/promises';
import {exportJWK, generateKeyPair, SignJWT} from 'jose';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import type {Credentials, ProcessName} from '../../../src/domain/credentials.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {accessToken, accessTokenInstead} from '../../../src/flows/sign-in/access-token.ts';
import {withSecret} from '../../../src/flows/sign-in/refresh.ts';
import {acquireLease} from '../../../src/flows/sign-in/refresh-lease.ts';
import {unfinishedWork} from '../../../src/ports/exit-guard.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {isRunning, ownProcess} from '../../../src/ports/processes/processes.ts';
import {createCredentialsStore} from '../../../src/store/credentials-store.ts';
import {contextAt} from '../../support/context.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {closedOrigin, type Handler, json, serve, text} from '../../support/server.ts';
import {isOnWine} from '../../support/systems/on-wine.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';
import {worded} from '../../support/worded.ts';

/** Sets up a sign-in whose access token has expired. */
const signedIn = async (
  issuer: string,
  more: Partial<Credentials> = {},
  ports?: (own: Ports) => Ports,
  how: Partial<Context> = {},
) => {
  const home = await temporaryDirectory();
  const context = {...contextAt(issuer), ...how};
  const {clientId} = context;
  const own = portsIn(home);
  const kept: Credentials = {
    issuer,
    clientId,
    accessToken: 'access-0',
    refreshToken: 'refresh-0',
    expiresAt: 1,
    ...more,
  };
  await own.credentials.update(context, async () => kept);
  const used = ports?.(own) ?? own;
  return {
    home,
    context,
    /** Acquires the lease for another process, which has begun to renew. */
    leaseTo: (process: ProcessName, at = Date.now()) =>
      acquireLease('refresh-0', {
        ...own,
        clock: {...own.clock, now: () => at},
        processes: {...own.processes, self: () => process},
      }),
    get: (signal = noSignal) => collect(accessToken, context, used, signal),
    getInstead: (refused: string, despite: {readonly despite?: 'all'} = {}) =>
      collect(accessTokenInstead, {context, refused, ...despite}, used),
    kept: () => own.credentials.get(context),
    change: (change: Partial<Credentials>) => own.credentials.update(context, async now => now && {...now, ...change}),
  };
};

/** Starts a server that takes the request for new tokens and ends the connection instead of answering. */
const losing = async () => {
  let asked = 0;
  const issuer: string = await serve((request, response) => {
    if (request.url !== '/oauth2/token') {
      const metadata = {issuer, token_endpoint: `${issuer}/oauth2/token`};
      response.writeHead(200, {'Content-Type': 'application/json'}).end(JSON.stringify(metadata));
      return;
    }
    asked += 1;
    request.socket.destroy();
  });
  return {issuer, asked: () => asked};
};

/** Tests of a process with a known start: only Linux tells when a process began. */
const onLinux = test.runIf(process.platform === 'linux');

/** Starts another process on this machine. */
const otherProcess = async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'ignore'});
  await once(child, 'spawn');
  onTestFinished(() => void child.kill('SIGKILL'));
  const {host} = ownProcess();
  return {
    pid: child.pid ?? 0,
    name: (started: string) => ({pid: child.pid ?? 0, host, started}),
    end: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};

describe('a refresh token whose answer did not come', () => {
  test('is sent once more, and no further', async () => {
    const {issuer, asked} = await losing();
    const {get, kept, change} = await signedIn(issuer);
    await expect(get()).rejects.toMatchObject({code: 'network-reset'});
    expect(await kept()).toMatchObject({unanswered: 1, refreshToken: 'refresh-0'});
    await change({retryAt: 0});
    await expect(get()).rejects.toMatchObject({code: 'network-reset'});
    await change({retryAt: 0});
    await expect(worded(get())).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: expect.stringContaining('did not answer two attempts to renew the sign-in'),
      remedy: expect.stringMatching(/^Try once more: npx setup token --renew --context acme\./),
    });
    expect(asked()).toBe(2);
  });

  test('is kept by then, never sent by itself, and sent when a person asks for it', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {get, getInstead, kept} = await signedIn(issuer, {unanswered: 2});
    for (let count = 0; count < 3; count += 1) {
      await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
      await expect(getInstead('access-0')).rejects.toMatchObject({code: 'auth-sign-in-required'});
    }
    expect(asked).toEqual([]);
    expect(await kept()).toMatchObject({refreshToken: 'refresh-0', unanswered: 2, refused: {isUnanswered: true}});
    expect(await kept()).not.toHaveProperty('lasted');
    expect((await getInstead('access-0', {despite: 'all'})).result.accessToken).toBe('access-1');
    expect(await kept()).not.toHaveProperty('refused');
    expect(await kept()).not.toHaveProperty('unanswered');
  });

  test('stays so where the one that a person asked for gets no answer either', async () => {
    const {issuer, asked} = await losing();
    const {get, getInstead, kept} = await signedIn(issuer, {unanswered: 2});
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    await expect(getInstead('access-0', {despite: 'all'})).rejects.toMatchObject({code: 'network-reset'});
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    expect(await kept()).toMatchObject({refreshToken: 'refresh-0', unanswered: 3, refused: {isUnanswered: true}});
    expect(asked()).toBe(1);
  });

  test('is gone once it is refused', async () => {
    const {issuer, asked} = await tokenServer(() => ({status: 400, body: {error: 'invalid_grant'}}));
    const {get, getInstead, kept} = await signedIn(issuer, {unanswered: 2});
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    for (let count = 0; count < 2; count += 1) {
      const again = getInstead('access-0', {despite: 'all'});
      await expect(again).rejects.toMatchObject({message: expect.stringContaining('refused to renew the sign-in')});
    }
    expect(await kept()).not.toHaveProperty('refreshToken');
    expect(asked).toHaveLength(1);
  });

  test('is gone with what the identity provider wants proven at the next sign-in', async () => {
    const claims = '{"access_token":{"acrs":{"value":"c1"}}}';
    const body = {error: 'interaction_required', error_description: 'Prove more.', claims};
    const {get, kept} = await signedIn((await tokenServer(() => ({status: 400, body}))).issuer);
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    expect((await kept())?.refused).toMatchObject({claims});
    expect(await kept()).not.toHaveProperty('refreshToken');
  });

  test('is not sent again while the provider answers nothing at all', async () => {
    const {get, kept, change} = await signedIn(await serve(request => void request.socket.destroy()), {unanswered: 1});
    for (let count = 0; count < 3; count += 1) {
      await change({retryAt: 0});
      await expect(get()).rejects.toMatchObject({code: 'network-reset'});
    }
    expect(await kept()).toMatchObject({unanswered: 1});
  });

  test('is sent on to a provider that gives the same one again', async () => {
    const {issuer, asked} = await losing();
    const {get, change} = await signedIn(issuer, {rotates: false});
    for (let count = 0; count < 3; count += 1) {
      await change({retryAt: 0});
      await expect(get()).rejects.toMatchObject({code: 'network-reset'});
    }
    expect(asked()).toBe(3);
  });

  test('is none that could not be sent', async () => {
    const {get, kept, change} = await signedIn(await closedOrigin());
    for (let count = 0; count < 4; count += 1) {
      await change({retryAt: 0});
      await expect(get()).rejects.toMatchObject({code: 'network-refused'});
    }
    expect(await kept()).not.toHaveProperty('unanswered');
  });

  test('counts one that a process took with it when it ended', async () => {
    const other = await otherProcess();
    await other.end();
    const {issuer, asked} = await losing();
    const {get, kept, leaseTo} = await signedIn(issuer);
    await leaseTo(other.name('1'));
    await expect(get()).rejects.toMatchObject({code: 'network-reset'});
    expect(await kept()).toMatchObject({unanswered: 2});
    expect(asked()).toBe(1);
  });

  test('is sent when a person asks for it', async () => {
    const {issuer} = await tokenServer(rotating);
    const {getInstead} = await signedIn(issuer, {unanswered: 2, retryAt: Date.now() + 60_000});
    await expect(getInstead('access-0')).rejects.toMatchObject({code: 'auth-sign-in-required'});
    const again = await signedIn(issuer, {unanswered: 2, retryAt: Date.now() + 60_000});
    expect((await again.getInstead('access-0', {despite: 'all'})).result.accessToken).toBe('access-1');
  });
});

describe('a renewal that another process has begun', () => {
  onLinux('is waited for, suspended or not, and its refresh token not sent a second time', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const other = await otherProcess();
    const found = portsIn(await temporaryDirectory()).processes;
    const started = await startedOf(other.pid);
    expect(found.isRunning(other.name(started))).toBe(true);
    const {get, change, leaseTo} = await signedIn(issuer);
    await leaseTo(other.name(started));
    const getting = get();
    await change({accessToken: 'of-the-other', refreshToken: 'r', expiresAt: Date.now() + 3_600_000});
    expect((await getting).result.accessToken).toBe('of-the-other');
    expect(asked).toEqual([]);
  });

  onLinux('is looked at again and again, until its token is there', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const other = await otherProcess();
    let looks = 0;
    let finish = async () => {};
    const sleep = async () => {
      looks += 1;
      if (looks === 3) await finish();
    };
    const {get, change, leaseTo} = await signedIn(issuer, {}, own => ({...own, clock: {...own.clock, sleep}}));
    finish = async () => {
      await change({accessToken: 'of-the-other', refreshToken: 'r', expiresAt: Date.now() + 3_600_000});
    };
    await leaseTo(other.name(await startedOf(other.pid)));
    expect((await get()).result.accessToken).toBe('of-the-other');
    expect([looks, asked]).toEqual([3, []]);
  });

  onLinux('is named when it does not come to its end', async () => {
    const {issuer} = await tokenServer(rotating);
    const other = await otherProcess();
    let time = 0;
    const clock = (own: Ports): Ports => ({
      ...own,
      clock: {
        ...own.clock,
        monotonic: () => time,
        sleep: async ms => {
          time += ms;
        },
      },
    });
    const process = other.name(await startedOf(other.pid));
    const {get, leaseTo} = await signedIn(issuer, {}, clock);
    await leaseTo(process, Date.now() - 180_000);
    await expect(worded(get())).rejects.toMatchObject({
      code: 'local-locked',
      message: expect.stringMatching(/^Process \d+ began to renew your sign-in to acme 3 min ago/),
      remedy: expect.stringContaining(`kill ${other.pid}`),
    });
  });

  test('is not waited for where another program got the number of the process since', async () => {
    const {issuer} = await tokenServer(rotating);
    const other = await otherProcess();
    expect(isRunning(other.name('before that'))).toBe(false);
    const {get, leaseTo} = await signedIn(issuer);
    await leaseTo(other.name('before that'));
    expect((await get()).result.accessToken).toBe('access-1');
  });
});

/** Returns the start of a process as the system records it. */
const startedOf = async (pid: number): Promise<string> => {
  const {readFile} = await import('node:fs/promises');
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')')).split(' ')[20] ?? '';
};

/** Returns the lease files of refresh tokens that are being sent, or were. */
const leasesIn = async (home: string) => (await readdir(home)).filter(name => name.startsWith('renewing'));

describe('a disk that does not take it', () => {
  const full = new SetupError('local-write-failed', 'credentials.json was not written: the disk is full.');

  test('keeps the refresh token from being sent, and says why', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const noRoom = ({credentials, ...own}: Ports): Ports => ({
      ...own,
      credentials: {
        ...credentials,
        transaction: (key, work) =>
          credentials.transaction(key, own => work({...own, reserve: () => Promise.reject(full)})),
      },
    });
    const {get, kept, home} = await signedIn(issuer, {}, noRoom);
    await expect(get()).rejects.toMatchObject({
      code: 'local-write-failed',
      message:
        'Your sign-in to acme was not renewed, because the new tokens could not be saved: credentials.json was not written: the disk is full.',
    });
    expect(asked).toEqual([]);
    expect(await kept()).toMatchObject({refreshToken: 'refresh-0'});
    expect(await leasesIn(home)).toEqual([]);
  });

  describe('from the beginning', () => {
    const readOnly = new SetupError('local-write-failed', 'credentials.json was not written: it is read-only.');
    const unwritable = ({credentials, ...own}: Ports): Ports => ({
      ...own,
      files: {...own.files, withLock: () => Promise.reject(readOnly)},
      credentials: createCredentialsStore(
        {...own.files, withLock: () => Promise.reject(readOnly)},
        credentials.path,
        async () => undefined,
      ),
      exclusiveFiles: {...own.exclusiveFiles, create: () => Promise.reject(readOnly)},
    });

    test('has a token that spends nothing given, with a warning, and holds it in memory', async () => {
      const {issuer, asked} = await tokenServer((form, count) => ({
        body: {access_token: `${form.get('grant_type')}-${count}`, token_type: 'bearer', expires_in: 3600},
      }));
      const secret = {clientSecret: 'of the service account'};
      const {get, kept, context} = await signedIn(issuer, secret, unwritable, {signIn: 'service-account'});
      const {result, events} = await get();
      expect(result.accessToken).toBe('client_credentials-1');
      expect(events).toContainEqual({
        type: 'warning',
        message: `Your sign-in was renewed, but the new tokens could not be saved. ${readOnly.message}`,
      });
      expect(await kept()).toMatchObject({accessToken: 'access-0'});
      expect((await get()).result.accessToken).toBe('client_credentials-1');
      expect([asked.length, context.signIn]).toEqual([1, 'service-account']);
    });

    test('keeps a refresh token that works once from being sent', async () => {
      const {issuer, asked} = await tokenServer(rotating);
      const {get} = await signedIn(issuer, {}, unwritable);
      await expect(get()).rejects.toMatchObject({
        code: 'local-write-failed',
        message: expect.stringMatching(/^Your sign-in to acme was not renewed, .*it is read-only\.$/),
      });
      expect(asked).toEqual([]);
    });

    test('says why the identity provider gives none, where that is so', async () => {
      const {issuer} = await tokenServer(() => ({status: 401, body: {error: 'invalid_client'}}));
      const secret = {clientSecret: 'a former one'};
      const {get} = await signedIn(issuer, secret, unwritable, {signIn: 'service-account'});
      await expect(get()).rejects.toMatchObject({code: expect.stringMatching(/^auth-/)});
    });
  });

  /** The disk has room during the request, and none for its result. */
  const fillsUp =
    (isFull = () => true) =>
    ({credentials, ...own}: Ports): Ports => ({
      ...own,
      credentials: {
        ...credentials,
        transaction: async (key, work) => {
          const {value} = await credentials.transaction(key, own =>
            work({...own, write: async next => (isFull() ? undefined : own.write(next))}),
          );
          return isFull() ? {value, unwritten: full} : {value};
        },
      },
    });

  test('keeps the refresh token from being sent where nobody could see that it was', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const closed = ({exclusiveFiles, ...own}: Ports): Ports => ({
      ...own,
      exclusiveFiles: {...exclusiveFiles, create: () => Promise.reject(new Error('The directory is read-only.'))},
    });
    const {get, kept} = await signedIn(issuer, {}, closed);
    await expect(get()).rejects.toMatchObject({
      code: 'local-write-failed',
      message:
        'Your sign-in to acme was not renewed, because the new tokens could not be saved: The directory is read-only.',
    });
    expect(asked).toEqual([]);
    expect(await kept()).toMatchObject({refreshToken: 'refresh-0'});
  });

  test('after a failure leaves the refresh token to the next one, unless it may be spent', async () => {
    const down = await tokenServer(() => ({status: 500, body: {}}));
    const known = await signedIn(down.issuer, {}, fillsUp());
    // The error says why there is no token, not that it could not have been saved.
    await expect(known.get()).rejects.toMatchObject({code: 'platform-error'});
    expect(await leasesIn(known.home)).toEqual([]);

    const {issuer} = await losing();
    const unknown = await signedIn(issuer, {}, fillsUp());
    await expect(unknown.get()).rejects.toMatchObject({code: 'network-reset'});
    // The lease is the only record that the token was sent.
    expect(await leasesIn(unknown.home)).toHaveLength(1);
  });

  test('after the answer leaves it in memory, until it does', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    let isFull = true;
    const {get, kept} = await signedIn(
      issuer,
      {},
      fillsUp(() => isFull),
    );
    const {result, events} = await get();
    expect(result.accessToken).toBe('access-1');
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('could not be saved')});
    expect(await kept()).toMatchObject({refreshToken: 'refresh-0'});
    expect((await get()).result.accessToken).toBe('access-1');
    isFull = false;
    expect((await get()).result.accessToken).toBe('access-1');
    expect(await kept()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
    expect(asked).toHaveLength(1);
  });
});

describe('an identity provider that asks to be left alone', () => {
  test.each([429, 503])('with %i is, whoever asks, for as long as it said', async status => {
    const {issuer, asked} = await tokenServer(() => ({status, headers: {'Retry-After': '20'}, body: {}}));
    const {get, getInstead, change, kept} = await signedIn(issuer);
    await expect(get()).rejects.toMatchObject({code: 'platform-busy'});
    const again = getInstead('access-0', {despite: 'all'});
    await expect(worded(again)).rejects.toMatchObject({
      code: 'platform-busy',
      remedy: expect.stringMatching(/^Wait (19|20) s: until then, this program does not try again\.$/),
    });
    expect(asked).toHaveLength(1);
    const {failure} = (await kept()) ?? {};
    if (!failure) throw new Error('It failed.');
    await change({failure: {...failure, askedUntil: Date.now()}});
    await expect(getInstead('access-0', {despite: 'all'})).rejects.toMatchObject({code: 'platform-busy'});
    expect(asked).toHaveLength(2);
  });
});

describe('a process that was suspended while it renewed', () => {
  const lost = new SetupError('local-locked', 'This process lost its lock on credentials.json.');

  /** Makes the first holder lose its lock, after its own write or after a write of another process. */
  const losingLock =
    (hasWritten: boolean) =>
    ({files, credentials, ...own}: Ports): Ports => {
      let isFirst = true;
      const losing: Ports['files'] = {
        ...files,
        withLock: async (path, work, options) => {
          if (!isFirst) return files.withLock(path, work, options);
          isFirst = false;
          await files.withLock(path, work, options);
          throw lost;
        },
        write: async (path, bytes, options) => {
          if (path === credentials.path && isFirstWrite && !hasWritten) {
            isFirstWrite = false;
            throw lost;
          }
          await files.write(path, bytes, options);
        },
      };
      let isFirstWrite = true;
      return {
        ...own,
        files: losing,
        credentials: createCredentialsStore(losing, credentials.path, async () => undefined),
      };
    };

  /** Makes the first transaction begin with credentials that it read before another process changed them. */
  const overtaken =
    (theirs: (now: Credentials) => Credentials | undefined) =>
    ({credentials, ...own}: Ports): Ports => {
      let isFirst = true;
      return {
        ...own,
        credentials: {
          ...credentials,
          transaction: async (key, work) => {
            if (!isFirst) return credentials.transaction(key, work);
            isFirst = false;
            const current = await credentials.get(key);
            await credentials.update(key, async now => now && theirs(now));
            return credentials.transaction(key, own => work({...own, current}));
          },
        },
      };
    };

  test('sends no refresh token that another has spent since it was read', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const theirs = {accessToken: 'access-9', refreshToken: 'refresh-9', expiresAt: Date.now() + 3_600_000};
    const {get, kept, home} = await signedIn(
      issuer,
      {},
      overtaken(now => ({...now, ...theirs})),
    );
    expect((await get()).result.accessToken).toBe('access-9');
    expect(await kept()).toMatchObject(theirs);
    expect(asked).toEqual([]);
    expect(await leasesIn(home)).toEqual([]);
  });

  test('sends none of somebody who has signed out since', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {get, kept, home} = await signedIn(
      issuer,
      {},
      overtaken(() => undefined),
    );
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    expect(await kept()).toBeUndefined();
    expect(asked).toEqual([]);
    expect(await leasesIn(home)).toEqual([]);
  });

  test.each([true, false])('asks nothing where it was told to end meanwhile; a token of one use: %s', async rotates => {
    const {issuer, asked} = await tokenServer(rotating);
    const stop = new AbortController();
    const stopping = ({credentials, ...own}: Ports): Ports => ({
      ...own,
      credentials: {
        ...credentials,
        transaction: (key, work) =>
          credentials.transaction(key, transaction => {
            stop.abort(new Error('told to end'));
            return work(transaction);
          }),
      },
    });
    const {get, kept} = await signedIn(issuer, {rotates}, stopping);
    await expect(get(stop.signal)).rejects.toThrow('told to end');
    await unfinishedWork();
    expect(asked).toEqual([]);
    expect(await kept()).toMatchObject({refreshToken: 'refresh-0'});
  });

  test('has what it has written, and says nothing of its lock', async () => {
    const {issuer} = await tokenServer(rotating);
    const {get, kept, home} = await signedIn(issuer, {}, losingLock(true));
    const {result, events} = await get();
    expect(result.accessToken).toBe('access-1');
    expect(events.filter(({type}) => type === 'warning')).toEqual([]);
    expect(await kept()).toMatchObject({refreshToken: 'refresh-1'});
    expect(await leasesIn(home)).toEqual([]);
  });

  test('counts one request without an answer as one', async () => {
    const {issuer, asked} = await losing();
    const {get, kept, home, change} = await signedIn(issuer, {}, losingLock(true));
    await expect(get()).rejects.toMatchObject({code: 'network-reset'});
    expect(await kept()).toMatchObject({unanswered: 1});
    expect(await leasesIn(home)).toEqual([]);
    await change({retryAt: 0});
    await expect(get()).rejects.toMatchObject({code: 'network-reset'});
    expect(asked()).toBe(2);
  });

  test('writes once more what it got, where another has written', async () => {
    const {issuer} = await tokenServer(rotating);
    const {get, kept, home} = await signedIn(issuer, {}, losingLock(false));
    const {result, events} = await get();
    expect(result.accessToken).toBe('access-1');
    expect(events.filter(({type}) => type === 'warning')).toEqual([]);
    expect(await kept()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
    expect(await leasesIn(home)).toEqual([]);
  });
});

test('an answer that is not taken spends the refresh token, and the one that it brings is kept', async () => {
  // An unsigned ID token.
  const {issuer, asked} = await tokenServer((form, count) => {
    const {body} = rotating(form, count);
    return {body: {...(body as object), ...(count === 1 ? {id_token: 'not.a.jwt'} : {})}};
  });
  const {get, kept, change} = await signedIn(issuer);
  await expect(get()).rejects.toMatchObject({code: expect.stringMatching(/^(platform|auth)-/)});
  expect(await kept()).toMatchObject({refreshToken: 'refresh-1'});
  await change({retryAt: 0});
  expect((await get()).result.accessToken).toBe('access-2');
  expect(asked.map(form => form.get('refresh_token'))).toEqual(['refresh-0', 'refresh-1']);
});

describe('a provider that is busy or down', () => {
  // Wine takes half a second for each write of a file with secrets, so the pause ends before every caller has asked.
  test.skipIf(isOnWine)(
    'is left alone after a failure, and whoever asks meanwhile is told the same at once',
    async () => {
      const {issuer, asked} = await tokenServer(() => ({
        status: 429,
        headers: {'Retry-After': '20'},
        body: {error: 'slow_down'},
      }));
      const {get, kept} = await signedIn(issuer);
      const failure = {code: 'platform-busy', message: expect.stringContaining('too many requests (429)')};
      await expect(get()).rejects.toMatchObject(failure);
      for (let count = 0; count < 5; count += 1) {
        await expect(worded(get())).rejects.toMatchObject({
          ...failure,
          remedy: expect.stringMatching(/^Wait 2\d s: until then, this program does not try again\.$/),
        });
      }
      expect(asked).toHaveLength(1);
      expect((await kept())?.retryAt).toBeGreaterThan(Date.now() + 19_000);
    },
  );

  test('is waited for where it asks for a moment', async () => {
    const {issuer, asked} = await tokenServer((form, count) =>
      count === 1 ? {status: 503, headers: {'Retry-After': '0'}, body: ''} : rotating(form, count),
    );
    const instantly = (own: Ports): Ports => ({...own, clock: {...own.clock, sleep: async () => {}}});
    const {get} = await signedIn(issuer, {}, instantly);
    expect((await get()).result.accessToken).toBe('access-2');
    expect(asked).toHaveLength(2);
  });

  test('is asked again at once where a portal had answered in its place', async () => {
    const {issuer} = await tokenServer((form, count) =>
      count === 1 ? {body: '<html>Sign in to the network'} : rotating(form, count),
    );
    const {get, kept} = await signedIn(issuer);
    await expect(get()).rejects.toMatchObject({code: 'network-portal'});
    // A reader of the sign-in sees the failure.
    expect(await kept()).toMatchObject({failure: {code: 'network-portal'}});
    expect((await get()).result.accessToken).toBe('access-2');
    expect(await kept()).not.toHaveProperty('failure');
  });

  test.skipIf(isOnWine)('fails once for all who came at the same time', async () => {
    const {issuer, asked} = await tokenServer(() => ({status: 502, body: '<html>'}));
    const {get} = await signedIn(issuer);
    const ends = await Promise.allSettled(Array.from({length: 8}, () => get()));
    expect(ends.map(({status}) => status)).toEqual(Array.from({length: 8}, () => 'rejected'));
    expect(asked).toHaveLength(1);
  });
});

describe('what the provider says of itself', () => {
  const serving = async (cacheControl?: string) => {
    const paths: string[] = [];
    let at = '/oauth2/token';
    let isGone = false;
    let gone: Handler = text('404 page not found', 404);
    const issuer: string = await serve((request, response) => {
      paths.push(request.url ?? '');
      const headers = {'Content-Type': 'application/json', ...(cacheControl ? {'Cache-Control': cacheControl} : {})};
      if (request.url?.startsWith('/.well-known')) {
        response.writeHead(200, headers).end(JSON.stringify({issuer, token_endpoint: `${issuer}${at}`}));
      } else if (request.url === at && !isGone) {
        const {body} = rotating(new URLSearchParams(), paths.length);
        response.writeHead(200, {'Content-Type': 'application/json'}).end(JSON.stringify(body));
      } else gone(request, response);
    });
    return {
      issuer,
      paths,
      /** Sets the answer of an endpoint that no longer exists. */
      answerGone: (handler: Handler) => {
        gone = handler;
      },
      /** Makes the endpoint disappear, whatever the metadata says. */
      leave: () => {
        isGone = true;
      },
      move: (path: string) => {
        at = path;
      },
    };
  };
  const discovery = '/.well-known/openid-configuration';

  test('is kept between processes, so that a renewal is one request', async () => {
    const {issuer, paths} = await serving();
    const {get, change, context, home} = await signedIn(issuer);
    await get();
    await change({expiresAt: 1});
    await collect(accessToken, context, portsIn(home));
    expect(paths).toEqual([discovery, '/oauth2/token', '/oauth2/token']);
  });

  test('is not kept where its answer does not allow that', async () => {
    const {issuer, paths} = await serving('no-store');
    const {get, change} = await signedIn(issuer);
    await get();
    await change({expiresAt: 1});
    await get();
    expect(paths).toEqual([discovery, '/oauth2/token', discovery, '/oauth2/token']);
  });

  test.each([
    ['a key is not among those that are kept', 'two', 1],
    // The answer is lost, but not the refresh token.
    ['another key has the name of one of them', 'one', 2],
  ])('is asked for again where %s', async (_what, name, tries) => {
    const [one, two] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
    const signing = {pair: one, kid: 'one'};
    let keySets = 0;
    const issuer: string = await serve(async (request, response) => {
      if (request.url === '/jwks') {
        keySets += 1;
        const key = {...(await exportJWK(signing.pair.publicKey)), kid: signing.kid, alg: 'RS256', use: 'sig'};
        return json({keys: [key]})(request, response);
      }
      if (request.url !== '/oauth2/token') {
        const metadata = {issuer, token_endpoint: `${issuer}/oauth2/token`, jwks_uri: `${issuer}/jwks`};
        return json(metadata)(request, response);
      }
      const id_token = await new SignJWT({})
        .setProtectedHeader({alg: 'RS256', kid: signing.kid})
        .setIssuer(issuer)
        .setSubject('someone')
        .setAudience('platform-cli')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(signing.pair.privateKey);
      json({access_token: `by-${keySets}`, refresh_token: `r${keySets}`, token_type: 'Bearer', id_token})(
        request,
        response,
      );
    });
    const {get, change, context} = await signedIn(issuer);
    Object.assign(context, {scopes: ['openid']});
    await get();
    await change({expiresAt: 1});
    expect((await get()).result.accessToken).toBe('by-1');
    Object.assign(signing, {pair: two, kid: name});
    let token = '';
    for (let tried = 0; tried < tries; tried += 1) {
      await change({expiresAt: 1, retryAt: 0});
      token = await get().then(
        ({result}) => result.accessToken,
        () => 'none',
      );
    }
    expect(token).toMatch(/^by-/);
    expect(keySets).toBe(2);
  });

  test('is asked for again where an endpoint is entry missing', async () => {
    const {issuer, paths, move} = await serving();
    const {get, change} = await signedIn(issuer);
    await get();
    await change({expiresAt: 1});
    move('/token');
    await get();
    expect(paths.slice(2)).toEqual(['/oauth2/token', discovery, '/token']);
  });

  test.each<[string, Handler]>([
    ['404', json({error: 'not_found'}, 404)],
    ['a redirect', ((_, response) => void response.writeHead(302, {Location: '/elsewhere'}).end()) as Handler],
    ['405', json({error: 'method'}, 405)],
    ['410', json({error: 'gone'}, 410)],
    ['words', text('It has moved.')],
  ])('is asked for again where the endpoint answers %s', async (_what, answer) => {
    const {issuer, paths, move, answerGone} = await serving();
    answerGone(answer);
    const {get, change} = await signedIn(issuer);
    await get();
    await change({expiresAt: 1});
    move('/token');
    await get();
    expect(paths.slice(2)).toEqual(['/oauth2/token', discovery, '/token']);
  });

  test('is not asked for again where it was asked for just now', async () => {
    const {issuer, paths, leave} = await serving('no-store');
    const {get} = await signedIn(issuer);
    leave();
    await expect(get()).rejects.toMatchObject({code: expect.stringMatching(/^platform-/)});
    expect(paths.filter(path => path === discovery)).toHaveLength(1);
  });
});

test('a process that is told to end stays until a renewal that it has begun is kept', async () => {
  const {promise: delay, resolve: answer} = Promise.withResolvers<void>();
  const {promise: arrived, resolve: arrive} = Promise.withResolvers<void>();
  const {issuer} = await tokenServer((form, count) => {
    arrive();
    return {...rotating(form, count), delay};
  });
  const {get, kept} = await signedIn(issuer);
  const getting = get();
  await arrived;
  const isHeld = unfinishedWork();
  expect(isHeld).toBeDefined();
  answer();
  await isHeld;
  expect(await kept()).toMatchObject({refreshToken: 'refresh-1'});
  await getting;
});

describe('the secret of a client', () => {
  const audience = 'urn:observer';
  const client = {...contextAt('https://idp.example'), signIn: 'service-account', clientId: 'ci'} as const;

  /** Returns the ports of a machine with a saved client sign-in and its secret. */
  const machine = async (more: Partial<Credentials> = {clientSecret: 'secret'}) => {
    const ports = portsIn(await temporaryDirectory());
    await ports.credentials.replace(client, {issuer: client.issuer, clientId: 'ci', ...more});
    return ports;
  };
  const own: Credentials = {issuer: client.issuer, clientId: 'ci', accessToken: 'own'};

  test('renews the token of one server too, whether that has been there or not', async () => {
    const ports = await machine();
    expect(await withSecret(own, {...client, audience}, ports)).toMatchObject({
      accessToken: 'own',
      clientSecret: 'secret',
    });
    expect(await withSecret(undefined, {...client, audience}, ports)).toMatchObject({
      clientId: 'ci',
      clientSecret: 'secret',
    });
  });

  test('is none where none is kept, and no concern of a person or of the sign-in itself', async () => {
    expect(await withSecret(own, {...client, audience}, await machine({}))).toBe(own);
    expect(await withSecret(own, {...client, audience, signIn: 'browser'}, await machine())).toBe(own);
    expect(await withSecret(own, client, await machine())).toBe(own);
  });
});
