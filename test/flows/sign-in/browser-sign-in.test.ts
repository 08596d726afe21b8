import {createHash} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import type {Token} from '../../../src/domain/tokens.ts';
import {cancelled} from '../../../src/errors/errors.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {browserSignIn} from '../../../src/flows/sign-in/browser-sign-in.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import type {SandboxReady} from '../../../src/sandbox/sandbox.ts';
import {callbackForTest} from '../../e2e/support/ports.ts';
import {navigate, signInAt} from '../../support/browser.ts';
import {temporaryPorts} from '../../support/place.ts';
import {sandboxPlatform} from '../../support/platform.ts';
import {json, serve, text} from '../../support/server.ts';
import {identityProvider} from './support/identity-provider.ts';

type Overrides = {
  issuer?: string;
  open?: boolean;
  listen?: boolean;
  scopes?: readonly string[];
  browser?: Ports['browser'];
  clock?: Ports['clock'];
};

/** Runs a sign-in beside the test, and returns its events, its address once it waits, and its end. */
const begin = async (ready: SandboxReady, redirectUri: string, overrides: Overrides = {}) => {
  const controller = new AbortController();
  const opened: string[] = [];
  const browser: Ports['browser'] = {
    obstacle: () => undefined,
    open: async url => {
      opened.push(url);
      return true;
    },
  };
  const ports: Ports = {...(await temporaryPorts()), browser, ...overrides};
  const {issuer = ready.authUrl, open = true, listen = true, scopes = ['openid', 'profile', 'email']} = overrides;
  const events: FlowEvent[] = [];
  const waiting = Promise.withResolvers<URL>();
  const input = {issuer, clientId: 'platform-cli', wanted: {scopes}, redirectUri, listen, open};
  const tell = (event: FlowEvent) => {
    events.push(event);
    if (event.type === 'sign-in-waiting') waiting.resolve(new URL(event.url));
  };
  const run = async (): Promise<Token> => (await browserSignIn(input, {ports, signal: controller.signal, tell})).token;
  const ended = run();
  ended.catch(waiting.reject);
  waiting.promise.catch(() => undefined);
  return {ports, events, opened, ended, controller, waiting: waiting.promise};
};

const start = async (overrides: Overrides = {}) => {
  const redirectUri = await callbackForTest();
  const ready = await sandboxPlatform('single', {redirectUri, release: 'next', resources: 'each'});
  return {redirectUri, ready, ...(await begin(ready, redirectUri, overrides))};
};

const outcome = async (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    error => error,
  );

describe('a sign-in in the browser', () => {
  test('ends with tokens, and a page that says so', async () => {
    const {waiting, ended, events, opened} = await start();
    const url = await waiting;
    expect(opened).toEqual([url.href]);
    const page = await navigate(await signInAt(url.href));
    expect(page).toMatchObject({status: 200, text: expect.stringContaining('You are signed in')});

    const token = await ended;
    expect(token).toMatchObject({account: 'developer@platform.example', renewable: true});
    const [access, refresh = ''] = [token.access.reveal(), token.refresh?.reveal()];
    expect(access.split('.')).toHaveLength(3);
    expect(refresh).not.toBe('');
    const told = JSON.stringify([token, events]);
    expect(told).not.toContain(access);
    expect(told).not.toContain(refresh);
  });

  test('asks with a fresh state, nonce and S256 challenge each time', async () => {
    const {waiting, ready, redirectUri, controller, ended} = await start();
    const first = await waiting;
    controller.abort();
    await outcome(ended);
    const again = await begin(ready, redirectUri);
    const second = await again.waiting;
    for (const url of [first, second]) {
      expect(url.searchParams.get('code_challenge_method')).toBe('S256');
      expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      expect(url.searchParams.get('state')?.length).toBeGreaterThanOrEqual(22);
      expect(url.searchParams.get('redirect_uri')).toBe(redirectUri);
    }
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.searchParams.get(name)).not.toBe(second.searchParams.get(name));
    }
    again.controller.abort();
    await outcome(again.ended);
  });

  test('goes on when the browser cannot be opened, and says that', async () => {
    const browser: Ports['browser'] = {obstacle: () => undefined, open: async () => false};
    const {waiting, ended, events} = await start({browser});
    await navigate(await signInAt((await waiting).href));
    await ended;
    expect(events).toContainEqual({type: 'browser-opened', opened: false});
  });

  test('opens nothing where nothing is to be opened', async () => {
    const {waiting, ended, opened} = await start({open: false});
    await navigate(await signInAt((await waiting).href));
    await ended;
    expect(opened).toEqual([]);
  });
});

test('scopes without openid bring a token and no ID token', async () => {
  const {waiting, ended} = await start({scopes: ['profile']});
  await navigate(await signInAt((await waiting).href));
  expect(await ended).toMatchObject({account: 'platform-cli'});
});

describe('strays', () => {
  test.each([
    ['a wrong state with a code', (url: URL) => url.searchParams.set('state', 'wrong')],
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['a state twice', (url: URL) => url.searchParams.append('state', 'other')],
    ['a code twice', (url: URL) => url.searchParams.append('code', 'other')],
    ['an issuer twice', (url: URL) => url.searchParams.append('iss', 'https://evil.example')],
    [
      'an error with a wrong state',
      (url: URL) => {
        url.search = new URLSearchParams({
          error: 'access_denied',
          error_description: 'canary',
          state: 'wrong',
        }).toString();
      },
    ],
  ])('%s changes nothing, and the sign-in goes on', async (_name, spoil) => {
    const {waiting, ended} = await start();
    const answer = await signInAt((await waiting).href);
    const stray = new URL(answer);
    spoil(stray);
    const page = await navigate(stray);
    expect(page.status).toBe(400);
    expect(page.text).not.toContain('canary');
    expect((await navigate(answer)).status).toBe(200);
    await ended;
  });

  test('the same answer twice is exchanged once', async () => {
    const {waiting, ended, events} = await start();
    const answer = await signInAt((await waiting).href);
    const pages = await Promise.all([navigate(answer), navigate(answer)]);
    await ended;
    expect(pages.map(({text}) => /signed in|already arrived/.exec(text)?.[0]).toSorted()).toEqual([
      'already arrived',
      'signed in',
    ]);
    const exchanges = events.filter(event => event.type === 'call-started' && event.url.endsWith('/oauth2/token'));
    expect(exchanges).toHaveLength(1);
  });
});

describe('an answer that ends it', () => {
  const answerWith = async (parameters: Record<string, string>, spoil: (url: URL) => void = () => {}) => {
    const {waiting, ended, redirectUri, ready} = await start();
    const failure = outcome(ended);
    const state = (await waiting).searchParams.get('state') ?? '';
    const url = new URL(redirectUri);
    url.search = new URLSearchParams({state, iss: ready.authUrl, ...parameters}).toString();
    spoil(url);
    const page = await navigate(url);
    return {page, error: await failure};
  };

  test('declined', async () => {
    const {page, error} = await answerWith({error: 'access_denied'});
    expect(error).toMatchObject({code: 'auth-declined'});
    expect(page.text).toContain('was declined');
  });

  test('an error of the identity provider is shown inert', async () => {
    const {page, error} = await answerWith({error: 'server_error', error_description: 'x<script>\u001B[2J</script>'});
    expect(error).toMatchObject({code: 'auth-authorization-failed', message: expect.stringContaining('server_error')});
    expect(error.message).not.toMatch(/\u001B/);
    expect(page.status).toBe(400);
  });

  test.each([
    ['an issuer that is another', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
    ['no issuer, though one is promised', (url: URL) => url.searchParams.delete('iss')],
  ])('%s: nothing is sent, nothing of it is shown', async (_name, spoil) => {
    for (const parameters of [{code: 'canary-code'}, {error: 'canary-error', error_description: 'canary'}] as Record<
      string,
      string
    >[]) {
      const {page, error} = await answerWith(parameters, spoil);
      expect(error).toMatchObject({code: 'auth-issuer-mismatch'});
      expect(error.message + page.text).not.toMatch(/canary|evil/);
    }
  });

  test('a code that the identity provider does not know', async () => {
    const {error} = await answerWith({code: 'made-up'});
    expect(error).toMatchObject({code: 'auth-grant-refused'});
  });
});

describe('the port', () => {
  const isFree = (redirectUri: string) =>
    fetch(redirectUri).then(
      () => false,
      () => true,
    );

  test.each([
    [
      'success',
      async ({waiting}: Awaited<ReturnType<typeof start>>) =>
        void (await navigate(await signInAt((await waiting).href))),
    ],
    [
      'an error',
      async ({waiting, redirectUri}) => {
        const state = (await waiting).searchParams.get('state') ?? '';
        await navigate(new URL(`${redirectUri}?error=access_denied&state=${state}`));
      },
    ],
    [
      'stopping',
      async ({waiting, controller}) => {
        await waiting;
        controller.abort();
      },
    ],
  ] satisfies [string, (run: Awaited<ReturnType<typeof start>>) => Promise<void>][])(
    'is free after %s',
    async (_name, end) => {
      const run = await start();
      await end(run);
      await outcome(run.ended);
      expect(await isFree(run.redirectUri)).toBe(true);
    },
  );

  test('is free when the time is up', async () => {
    const ports = await temporaryPorts();
    // On this clock every wait ends at once and takes its full length.
    let now = 0;
    const clock: Ports['clock'] = {
      ...ports.clock,
      now: () => now,
      sleep: async ms => {
        now += ms;
      },
    };
    const run = await start({clock});
    expect(await outcome(run.ended)).toMatchObject({code: 'auth-sign-in-timeout'});
    expect(await isFree(run.redirectUri)).toBe(true);
  });

  test('that is taken stops it before a browser opens', async () => {
    const first = await start();
    await first.waiting;
    const second = await begin(first.ready, first.redirectUri);
    expect(await outcome(second.ended)).toMatchObject({code: 'local-port-taken'});
    expect(second.opened).toEqual([]);
    first.controller.abort();
    await outcome(first.ended);
  });
});

describe('the answer by hand', () => {
  test.each([
    ['the whole address', (url: URL) => url.href],
    ['the address with spaces around', (url: URL) => `  ${url.href}\n`],
    ['its parameters', (url: URL) => url.search],
    ['the bare code', (url: URL) => url.searchParams.get('code') ?? ''],
  ])('%s', async (_name, pasted) => {
    const {waiting, ended, ports} = await start();
    const answer = await signInAt((await waiting).href);
    ports.inbox.send({type: 'pasted', text: pasted(answer)});
    expect((await ended).account).toBe('developer@platform.example');
  });

  test('is enough where nothing listens', async () => {
    const run = await start({listen: false});
    const answer = await signInAt((await run.waiting).href);
    await expect(navigate(answer)).rejects.toMatchObject({code: 'ECONNREFUSED'});
    run.ports.inbox.send({type: 'pasted', text: answer.href});
    expect((await run.ended).account).toBe('developer@platform.example');
  });

  test('something else is refused, and the sign-in goes on', async () => {
    const {waiting, ended, ports, events} = await start();
    const answer = await signInAt((await waiting).href);
    ports.inbox.send({type: 'pasted', text: 'https://elsewhere.example/?code=x&state=y'});
    ports.inbox.send({type: 'pasted', text: 'what?'});
    ports.inbox.send({type: 'pasted', text: answer.href});
    await ended;
    expect(events.filter(({type}) => type === 'paste-refused')).toHaveLength(2);
  });

  test.each<[string, (signIn: URL, answer: URL) => string, string, reason?: string]>([
    ['the address to sign in at', signIn => signIn.href, 'sign-in-address'],
    ['a page on the way there', signIn => `${signIn.origin}/gate/signin?authId=1`, 'sign-in-address'],
    [
      'its error page',
      signIn => `${signIn.origin}/gate/error?error=invalid_request&x=1`,
      'error-page',
      'invalid_request',
    ],
    [
      'the error page of Thunder',
      signIn => `${signIn.origin}/gate/error?errorCode=invalid_request&errorMessage=Missing+client_id+parameter`,
      'error-page',
      'Missing client_id parameter',
    ],
    ['an error in a fragment', signIn => `${signIn.origin}/gate#error=access_denied`, 'error-page', 'access_denied'],
    ['the text of its error', () => 'invalid_request: redirect_uri is not registered', 'error-page'],
    ['the parameters of an error', () => 'error=invalid_scope&error_description=no', 'error-page', 'no'],
    [
      'the page of an error elsewhere',
      () => 'https://login.example/x?error=server_error',
      'error-page',
      'server_error',
    ],
    ['something else', () => 'https://elsewhere.example/', 'no-answer'],
    ['an error of another sign-in', () => 'error=access_denied&state=other', 'other-sign-in'],
  ])('%s is known for what it is', async (_name, pasted, because, reason) => {
    const {waiting, ended, ports, events} = await start();
    const signIn = await waiting;
    const answer = await signInAt(signIn.href);
    ports.inbox.send({type: 'pasted', text: pasted(signIn, answer)});
    ports.inbox.send({type: 'pasted', text: answer.href});
    await ended;
    expect(events.filter(({type}) => type === 'paste-refused')).toEqual([
      {type: 'paste-refused', because, ...(reason === undefined ? {} : {reason})},
    ]);
  });

  test('more time and another window', async () => {
    const {waiting, ended, ports, events, opened} = await start();
    const url = await waiting;
    ports.inbox.send({type: 'more-time'});
    ports.inbox.send({type: 'open-again'});
    ports.inbox.send({type: 'pasted', text: (await signInAt(url.href)).href});
    await ended;
    const [first, second] = events.flatMap(event => (event.type === 'sign-in-waiting' ? [event.until] : []));
    expect((second ?? 0) - (first ?? 0)).toBe(300_000);
    expect(opened).toEqual([url.href, url.href]);
  });
});

describe('metadata that no sign-in should start with', () => {
  const provider = async (metadata: (issuer: string) => object) => {
    const issuer: string = await serve((request, response) => json({issuer, ...metadata(issuer)})(request, response));
    return issuer;
  };
  const good = (issuer: string) => ({
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    code_challenge_methods_supported: ['S256'],
  });

  test.each([
    [
      'no PKCE',
      (issuer: string) => ({...good(issuer), code_challenge_methods_supported: undefined}),
      'auth-pkce-unlisted',
    ],
    [
      'only plain',
      (issuer: string) => ({...good(issuer), code_challenge_methods_supported: ['plain']}),
      'auth-pkce-missing',
    ],
    [
      'javascript:',
      (issuer: string) => ({...good(issuer), authorization_endpoint: 'javascript:alert(1)'}),
      'auth-endpoint-foreign',
    ],
    [
      'a file',
      (issuer: string) => ({...good(issuer), authorization_endpoint: 'file:///etc/passwd'}),
      'auth-endpoint-foreign',
    ],
    [
      'a password in the address',
      (issuer: string) => ({...good(issuer), authorization_endpoint: 'https://u:p@idp.example/'}),
      'auth-endpoint-foreign',
    ],
    [
      'http on another machine',
      (issuer: string) => ({...good(issuer), authorization_endpoint: 'http://idp.example/'}),
      'auth-endpoint-foreign',
    ],
    [
      'a token endpoint elsewhere',
      (issuer: string) => ({...good(issuer), token_endpoint: 'https://evil.example/token'}),
      'auth-endpoint-foreign',
    ],
    [
      'no authorization code',
      (issuer: string) => ({...good(issuer), grant_types_supported: ['client_credentials']}),
      'auth-grant-missing',
    ],
    ['another issuer', (issuer: string) => ({...good(issuer), issuer: `${issuer}/`}), 'auth-issuer-mismatch'],
  ])('%s', async (_name, metadata, code) => {
    const issuer = await provider(metadata);
    const redirectUri = await callbackForTest();
    const run = await begin({authUrl: issuer} as SandboxReady, redirectUri, {issuer});
    run.waiting.catch(() => {});
    expect(await outcome(run.ended)).toMatchObject({code});
    expect(run.opened).toEqual([]);
  });

  test('a list of methods without `none`, as several have it, is no reason to warn', async () => {
    const issuer = await provider(issuer => ({
      ...good(issuer),
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    }));
    const run = await begin({authUrl: issuer} as SandboxReady, await callbackForTest(), {issuer});
    await run.waiting;
    expect(run.events.filter(({type}) => type === 'warning')).toEqual([]);
    run.controller.abort();
  });

  test.each([403, 429, 500])(
    'an authorization endpoint that shows programs %s is left to the browser',
    async status => {
      const issuer: string = await serve((request, response) =>
        request.url?.startsWith('/authorize')
          ? text('<html>No robots', status, 'text/html')(request, response)
          : json({issuer, ...good(issuer)})(request, response),
      );
      const run = await begin({authUrl: issuer} as SandboxReady, await callbackForTest(), {issuer});
      expect((await run.waiting).origin).toBe(issuer);
      run.controller.abort();
    },
  );
});

describe('a client that the identity provider does not have so', () => {
  test('another redirect URL is said before the browser opens', async () => {
    const ready = await sandboxPlatform();
    const redirectUri = await callbackForTest();
    const run = await begin(ready, redirectUri);
    expect(await outcome(run.ended)).toMatchObject({
      code: 'auth-redirect-refused',
      message: expect.stringContaining(redirectUri),
    });
    expect(run.opened).toEqual([]);
  });
});

test('the verifier is never told, and the challenge is its hash', async () => {
  const {waiting, ended, events} = await start();
  const url = await waiting;
  await navigate(await signInAt(url.href));
  await ended;
  const curls = events.flatMap(event => (event.type === 'call-answered' ? [event.curl] : [])).join('\n');
  expect(curls).toMatch(/\bCODE_VERIFIER\b/);
  expect(curls).toMatch(/\bCODE\b/);
  const words = curls.match(/[\w-]{43,}/g) ?? [];
  const challenge = url.searchParams.get('code_challenge');
  expect(words.some(word => createHash('sha256').update(word).digest('base64url') === challenge)).toBe(false);
});

test('a page that may be an error in the browser too is said at once, with what to register', async () => {
  const issuer = await identityProvider({}, () => ({'/authorize': text('<html>Forbidden', 403, 'text/html')}));
  const redirectUri = 'http://127.0.0.1:1/auth-callback';
  const wanted = {scopes: ['openid']};
  const input = {issuer, clientId: 'platform-cli', wanted, redirectUri, listen: false, open: false};
  const enough = new AbortController();
  const warnings: string[] = [];
  const tell = (event: FlowEvent) => {
    if (event.type !== 'warning') return;
    warnings.push(event.message);
    enough.abort(cancelled());
  };
  const signingIn = browserSignIn(input, {ports: await temporaryPorts(), signal: enough.signal, tell});
  await expect(signingIn).rejects.toMatchObject({code: 'cancelled'});
  expect(warnings).toEqual([
    `${issuer} answered 403 when this program looked at its sign-in page. If your browser shows an error too, its operators have to register platform-cli with the redirect URL ${redirectUri}.`,
  ]);
});
