import {text as textOf} from 'node:stream/consumers';
import {describe, expect, test} from 'vitest';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {browserSignIn} from '../../../src/flows/sign-in/browser-sign-in.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {callbackForTest} from '../../e2e/support/ports.ts';
import {temporaryPorts} from '../../support/place.ts';
import {closedOrigin, json, serve, text} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';

const tokens = {access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer', expires_in: 3600};

const deviceCode = {
  device_code: 'device',
  user_code: 'AB-CD',
  verification_uri: 'https://idp.example',
  expires_in: 600,
};

/**
 * Starts an identity provider without ID tokens, with this metadata and this answer to a code. Records the requests.
 */
const provider = async (metadata: object | ((issuer: string) => object) = {}, answer: object = tokens) => {
  const asked: {path: string; query: URLSearchParams; form: URLSearchParams}[] = [];
  const issuer: string = await serve(async (request, response) => {
    const {pathname: path, searchParams: query} = new URL(request.url ?? '/', issuer);
    asked.push({path, query, form: new URLSearchParams(await textOf(request))});
    if (path === '/authorize') return text('<html>Sign in', 200, 'text/html')(request, response);
    if (path === '/token') return json(answer)(request, response);
    if (path === '/device') return json(deviceCode)(request, response);
    const more = typeof metadata === 'function' ? metadata(issuer) : metadata;
    const endpoints = {authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`};
    json({issuer, ...endpoints, code_challenge_methods_supported: ['S256'], ...more})(request, response);
  });
  return {issuer, asked, of: (path: string) => asked.filter(one => one.path === path)};
};

type Options = {
  readonly ports?: Partial<Ports>;
  readonly resource?: string;
  readonly open?: boolean;
  readonly listen?: boolean;
  readonly isUnseen?: boolean;
  readonly redirectUri?: string;
  /** Text that was typed before the sign-in began. */
  readonly before?: string;
};

/** Starts a sign-in that waits for its answer, and records the events from then on. */
const waiting = async (issuer: string, {before, resource, ports: own = {}, ...more}: Options = {}) => {
  const ports = {...(await temporaryPorts()), ...own};
  const redirectUri = await callbackForTest();
  const controller = new AbortController();
  if (before !== undefined) ports.inbox.send({type: 'pasted', text: before});
  const input = {
    issuer,
    clientId: 'platform-cli',
    wanted: {scopes: ['profile'], ...(resource === undefined ? {} : {resource})},
    redirectUri,
    listen: false,
    open: false,
    ...more,
  };
  const events: FlowEvent[] = [];
  const {promise: waits, resolve} = Promise.withResolvers<Extract<FlowEvent, {type: 'sign-in-waiting'}>>();
  const tell = (event: FlowEvent) => {
    events.push(event);
    if (event.type === 'sign-in-waiting') resolve(event);
  };
  const ended = browserSignIn(input, {ports, signal: controller.signal, tell}).then(({token}) => token);
  await Promise.race([waits, ended]);
  const event = await waits;
  const state = new URL(event.url).searchParams.get('state') ?? '';
  return {
    ...{ports, redirectUri, events, ended, event, state, controller},
    paste: (text: string) => ports.inbox.send({type: 'pasted', text}),
    refused: () => events.filter(({type}) => type === 'paste-refused').length,
  };
};

describe('what is pasted', () => {
  test.each<[string, (own: {redirectUri: string; state: string}) => string, because?: string]>([
    ['the address at another path', ({redirectUri, state}) => `${redirectUri}/more?code=abcdefgh&state=${state}`],
    ['the address on another host', ({state}) => `http://elsewhere.example/auth-callback?code=abcdefgh&state=${state}`],
    ['the address of another attempt', ({redirectUri}) => `${redirectUri}?code=abcdefgh&state=other`, 'other-sign-in'],
    ['an answer without its state', () => '?code=abcdefgh'],
    ['a code and an error', ({state}) => `?code=abcdefgh&error=x&state=${state}`],
    ['a code twice', ({state}) => `?code=abcdefgh&code=ijklmnop&state=${state}`],
    ['a word that is too short', () => 'abcdefg'],
    ['words', () => 'abcdefgh ijklmnop'],
    ['nothing', () => '  '],
  ])('is refused where it is %s, and the sign-in goes on', async (_what, text, because = 'no-answer') => {
    const {issuer, of} = await provider();
    const own = await waiting(issuer);
    own.paste(text(own));
    await expect.poll(own.refused).toBe(1);
    expect(own.events.find(({type}) => type === 'paste-refused')).toEqual({type: 'paste-refused', because});
    own.paste('abcdefgh');
    await own.ended;
    expect(own.refused()).toBe(1);
    // There was no request for more time.
    expect(own.events.filter(({type}) => type === 'sign-in-waiting')).toHaveLength(1);
    expect(of('/token').map(({form}) => form.get('code'))).toEqual(['abcdefgh']);
  });

  test.each<[string, (own: {redirectUri: string; state: string}) => string]>([
    ['the address', ({redirectUri, state}) => `${redirectUri}?code=ab~cd.ef-g&state=${state}`],
    ['what stands behind its path', ({state}) => `auth-callback?code=ab~cd.ef-g&state=${state}`],
    ['its parameters alone', ({state}) => `code=ab~cd.ef-g&state=${state}`],
    ['the code', () => ' ab~cd.ef-g\n'],
  ])('is taken where it is %s', async (_what, text) => {
    const {issuer, of} = await provider();
    const own = await waiting(issuer);
    own.paste(text(own));
    expect((await own.ended).access.reveal()).toBe('access');
    expect(of('/token').map(({form}) => form.get('code'))).toEqual(['ab~cd.ef-g']);
    expect(own.refused()).toBe(0);
  });

  test('is taken once', async () => {
    const {issuer, of} = await provider();
    const own = await waiting(issuer);
    own.paste('the-first-code');
    own.paste('the-second-code');
    own.paste('?');
    await own.ended;
    expect(of('/token').map(({form}) => form.get('code'))).toEqual(['the-first-code']);
    expect(own.refused()).toBe(0);
  });

  test('is no answer where it was typed before anybody asked', async () => {
    const {issuer, of} = await provider();
    const own = await waiting(issuer, {before: 'the-code-of-before'});
    own.paste('the-code-of-now');
    await own.ended;
    expect(of('/token').map(({form}) => form.get('code'))).toEqual(['the-code-of-now']);
  });
});

test.each([
  ['names another issuer', '&iss=http%3A%2F%2Fother.example', {}],
  ['names none, although the provider says that it does', '', {authorization_response_iss_parameter_supported: true}],
])('an answer that %s is not acted on', async (_what, iss, metadata) => {
  const {issuer, of} = await provider(metadata);
  const own = await waiting(issuer);
  own.paste(`?code=abcdefgh&state=${own.state}${iss}`);
  await expect(own.ended).rejects.toMatchObject({
    code: 'auth-issuer-mismatch',
    message: `The answer in the browser did not come from ${issuer}.`,
    about: {url: issuer},
  });
  expect(of('/token')).toEqual([]);
});

test('what is typed after the end is for whoever asks next', async () => {
  const {issuer} = await provider();
  const own = await waiting(issuer);
  own.paste('abcdefgh');
  await own.ended;
  own.paste('for the next one');
  expect(await own.ports.inbox.next(AbortSignal.timeout(1_000))).toEqual({type: 'pasted', text: 'for the next one'});
});

describe('while it waits', () => {
  test('it is said where, and whether an answer is listened for, or a code could be had on another device', async () => {
    const {issuer} = await provider();
    const {event, redirectUri, controller, ended} = await waiting(issuer);
    expect(event).toMatchObject({redirectUri, device: false, listening: false, until: expect.any(Number)});
    controller.abort();
    await expect(ended).rejects.toMatchObject({code: 'cancelled'});

    const other = await provider(own => ({device_authorization_endpoint: `${own}/device`}));
    const listening = await waiting(other.issuer, {listen: true});
    expect(listening.event).toMatchObject({device: true, listening: true});
    listening.controller.abort();
    await expect(listening.ended).rejects.toMatchObject({code: 'cancelled'});
  });

  test('a person has five minutes, and five more for each time that they ask', async () => {
    const {issuer} = await provider();
    const own = await temporaryPorts();
    let now = 1_000_000;
    const {promise: asked, resolve: ask} = Promise.withResolvers<void>();
    const sleeps: number[] = [];
    const clock: Ports['clock'] = {
      ...own.clock,
      now: () => now,
      sleep: async ms => {
        sleeps.push(ms);
        await asked;
        now += ms;
      },
    };
    const {ports, ended, events} = await waiting(issuer, {ports: {...own, clock}});
    ports.inbox.send({type: 'more-time'});
    await expect.poll(() => events.filter(({type}) => type === 'sign-in-waiting').length).toBe(2);
    ask();
    await expect(ended).rejects.toMatchObject({
      code: 'auth-sign-in-timeout',
      message: `The time to sign in at ${issuer} ran out.`,
      about: {url: issuer},
    });
    expect(events.flatMap(event => (event.type === 'sign-in-waiting' ? [event.until] : []))).toEqual([
      1_300_000, 1_600_000,
    ]);
    expect(sleeps).toEqual([300_000, 300_000]);
  });

  test('the browser is opened when somebody asks for it, although it was not at first', async () => {
    const {issuer} = await provider();
    const opened: string[] = [];
    const open = async (url: string) => opened.push(url) > 0;
    const {ports, event, events, ended, paste} = await waiting(issuer, {
      ports: {browser: {obstacle: () => undefined, open}},
    });
    expect(opened).toEqual([]);
    ports.inbox.send({type: 'open-again'});
    await expect.poll(() => events.some(({type}) => type === 'browser-opened')).toBe(true);
    paste('abcdefgh');
    await ended;
    expect(opened).toEqual([event.url]);
  });
});

test.each([
  ['as well', true],
  ['neither', false],
])('a port that is taken says whether a code can be had instead: %s', async (_what, isDeviceOffered) => {
  const {issuer} = await provider(own => (isDeviceOffered ? {device_authorization_endpoint: `${own}/device`} : {}));
  const first = await waiting(issuer, {listen: true});
  await expect(worded(waiting(issuer, {listen: true, redirectUri: first.redirectUri}))).rejects.toMatchObject({
    code: 'local-port-taken',
    about: {isDeviceOffered},
    // A flow that is not offered is not proposed: the remedy leads back to where the person came from.
    remedy: expect.stringMatching(isDeviceOffered ? /npx setup login --device\.$/ : /npx setup login in a terminal\.$/),
  });
  first.paste('abcdefgh');
  await first.ended;
});

describe('where nobody sees the address', () => {
  const clients =
    'Sign in as a client: npx setup login --client-credentials, with CLI_CLIENT_ID and CLI_CLIENT_SECRET.';
  const patience = 'Or print the address and wait for five minutes: --no-browser.';

  test('a sign-in that opens no browser fails at once, and says what else there is', async () => {
    const {issuer, of} = await provider();
    await expect(worded(waiting(issuer, {isUnseen: true}))).rejects.toMatchObject({
      code: 'input-required',
      message: `Standard input or output is not a terminal, and no browser opens here, so nobody could sign in at ${issuer}.`,
      remedy: `${clients} ${patience}`,
      about: {url: issuer, flag: 'sign-in'},
    });
    expect(of('/token')).toEqual([]);
  });

  test('a code for another device is among that, where there is one', async () => {
    const {issuer} = await provider(own => ({device_authorization_endpoint: `${own}/device`}));
    await expect(worded(waiting(issuer, {isUnseen: true}))).rejects.toMatchObject({
      remedy: `${clients} Or give a person a code to type anywhere: npx setup login --device waits until the person has signed in; npx setup login --no-wait ends at once, and npx setup login --resume finishes the sign-in. ${patience}`,
    });
  });

  test('a browser that opens is waited for, and one that does not is not', async () => {
    const {issuer} = await provider();
    const browser = (opens: boolean) => ({browser: {obstacle: () => undefined, open: async () => opens}});
    const own = await waiting(issuer, {isUnseen: true, open: true, ports: browser(true)});
    own.paste('abcdefgh');
    expect((await own.ended).access.reveal()).toBe('access');
    const other = await waiting(issuer, {isUnseen: true, open: true, ports: browser(false)});
    await expect(other.ended).rejects.toMatchObject({code: 'input-required', about: {url: issuer}});
  });
});

describe('the token', () => {
  const end = async (issuer: string, options?: Options) => {
    const own = await waiting(issuer, options);
    own.paste('abcdefgh');
    return {...own, token: await own.ended};
  };

  test('is asked for with the verifier, and for the resource where there is one', async () => {
    const {issuer, of} = await provider();
    const {event} = await end(issuer, {resource: 'urn:api'});
    expect(new URL(event.url).searchParams.get('resource')).toBe('urn:api');
    const [form] = of('/token').map(one => one.form);
    expect(Object.fromEntries(form ?? [])).toMatchObject({
      ...{grant_type: 'authorization_code', code: 'abcdefgh', resource: 'urn:api'},
      code_verifier: expect.stringMatching(/^[\w-]{43,}$/),
    });
    const other = await provider();
    await end(other.issuer);
    expect(other.of('/token')[0]?.form.has('resource')).toBe(false);
  });

  test('is told, and also that it cannot be renewed', async () => {
    const {issuer} = await provider();
    const {events, token} = await end(issuer);
    expect(token).toMatchObject({renewable: true, account: 'platform-cli'});
    expect(events.filter(({type}) => type === 'warning')).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({type: 'token-obtained'}));
    const {refresh_token: _, ...once} = tokens;
    const other = await provider({}, once);
    const {events: told} = await end(other.issuer);
    expect(told.filter(({type}) => type === 'warning')).toEqual([
      {
        type: 'warning',
        message: expect.stringContaining(
          `${other.issuer} issued no refresh token, so you will have to sign in again when this token expires. Ask the operators`,
        ),
      },
    ]);
  });
});

test('a sign-in page behind TLS is safe to open, and so is asked', async () => {
  const server = (await closedOrigin()).replace('http:', 'https:');
  const {issuer} = await provider({authorization_endpoint: `${server}/authorize`});
  await expect(waiting(issuer)).rejects.toMatchObject({code: 'network-refused', about: {server}});
});

test.each([
  ['none', undefined],
  ['none that is an address', 'authorize'],
  ['one with a name in it', 'https://u@idp.example/authorize'],
  ['one with a password in it', 'https://:p@idp.example/authorize'],
])('no browser is sent to a sign-in page of which there is %s', async (_what, endpoint) => {
  const {issuer} = await provider({authorization_endpoint: endpoint});
  await expect(waiting(issuer)).rejects.toMatchObject({
    code: 'auth-endpoint-foreign',
    message: `${issuer} names a sign-in page that is unsafe to open.`,
    about: {url: issuer},
  });
});
