import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {type ErrorCode, SetupError} from '../../../../src/errors/errors.ts';
import type {Ports} from '../../../../src/ports/ports.ts';
import {changesAccount, createsAccount} from '../../../../src/state/derived/assistants-account.ts';
import {failureOf} from '../../../../src/state/failure.ts';
import type {ConnectionState, Settings, WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {awaitSignIn, home} from '../../../../src/state/steps/deployment/home.ts';
import {contextAt} from '../../../support/context.ts';
import {collect} from '../../../support/flows.ts';
import {at} from '../../../support/states.ts';
import {replaceFlows} from '../../../support/step-run.ts';

const saved = {...contextAt('http://idp.acme.localhost:8080'), observerUrl: 'http://observer.acme.localhost'};
const entry = {assistant: 'cursor', scope: 'user', project: '/', method: 'bridge', path: '/x', names: []} as const;
const again = {signIn: 'browser'} as const;
const token = {account: 'ann', fingerprint: 'abc', renewable: true, expiresAt: 3_600_000};

const connected = {state: 'connected'} as const;

const having = (
  savedSignIn: object,
  settings: Partial<Settings> = {},
  connection: ConnectionState | undefined = connected,
): WizardState => ({
  ...at['find-deployment'],
  settings: {...at['find-deployment'].settings, saved, again, ...settings},
  facts: {
    inspectedSignIn: savedSignIn as never,
    ...('token' in savedSignIn && connection ? {connection} : {}),
  },
});

const asking = (savedSignIn: object) => {
  const {connection: _, ...facts} = having(savedSignIn).facts;
  return {...having(savedSignIn), facts};
};

const alive = {state: 'alive', token};
const away = {state: 'unknown', message: 'Nothing listens there.'};
const ended = {state: 'ended', message: '', reason: 'It was refused.'};

test('home is where a saved sign-in leads that has not ended, until something is chosen', () => {
  expect([home.when(having(alive)), home.when(having(away))]).toEqual([true, true]);
  expect([home.when(having({state: 'ended', reason: ''})), home.when(at['find-deployment'])]).toEqual([false, false]);
  expect(home.done(having(alive))).toBe(false);
  expect(home.done({...having(alive), answers: {resume: 'anew'}})).toBe(true);
  expect(home.forgets).toEqual({
    answers: ['resume', 'onlyLook', 'accountAnew', 'accountAccessAnew'],
    facts: [
      'inspectedSignIn',
      'connection',
      'withoutEntries',
      'withoutToken',
      'withUnreadableFile',
      'accountSignedOut',
      'isAccountUnfit',
      'diagnosed',
    ],
  });
});

test('a sign-in that this machine keeps from being read comes with what mends it', () => {
  const {about = [], offers} = home.ask(
    having({state: 'unknown', message: 'Others can change it.', remedy: 'Fix: chmod go-w f.'}),
    0,
  );
  expect(about[0]).toMatchObject({
    text: 'Your sign-in could not be read. It is kept. Others can change it. Fix: chmod go-w f.',
  });
  expect(offers[0]).toMatchObject({label: 'Try again', hint: 'Once that is fixed.'});
});

describe('how it stands', () => {
  const shown = (state: WizardState, now = 0) => home.ask(state, now);

  test('is said first', () => {
    expect(shown(having(alive)).heading).toBe('acme: you are signed in');
    expect(shown(having(alive, {saved: {...saved, entries: [entry]}})).heading).toBe('acme is set up');
    expect(shown(having(away)).heading).toBe('acme is saved');
  });

  test('is as whom, and for how long', () => {
    const text = (change: object, now = 0) =>
      shown(having({state: 'alive', token: {...token, ...change}}), now).about[0];
    expect(text({}, 1_800_000)).toEqual({
      type: 'status',
      status: 'ok',
      text: 'Connected as ann, token valid for 30 min, renewed when needed',
    });
    expect(text({renewable: false})).toMatchObject({text: 'Connected as ann, token valid for 1 h'});
    expect(text({expiresAt: undefined})).toMatchObject({text: 'Connected as ann, renewed when needed'});
  });

  test('is until when the sign-in lasts, which can be begun anew before', () => {
    const state = having({state: 'alive', token: {...token, signInEndsAt: 7_200_000}});
    const {about, offers} = shown(state);
    expect(about[0]).toMatchObject({
      text: 'Connected as ann, token valid for 1 h, renewed when needed until the sign-in ends, in 2 h',
    });
    expect(offers).toContainEqual(
      expect.objectContaining({label: 'Sign in again', hint: 'The current sign-in ends in 2 h.'}),
    );
  });

  test.each([
    [0, 'The current sign-in has ended.'],
    [90, 'The current sign-in ends in 1 s.'],
  ])('is never less than a second: %d ms', (signInEndsAt, hint) => {
    const {offers} = shown(having({state: 'alive', token: {...token, signInEndsAt}}));
    expect(offers).toContainEqual(expect.objectContaining({label: 'Sign in again', hint}));
  });

  test('is that it ends with its token where nothing renews that', () => {
    const {offers} = shown(having({state: 'alive', token: {...token, renewable: false}}));
    expect(offers).toContainEqual(expect.objectContaining({hint: 'The current sign-in ends in 1 h.'}));
    expect(shown(having(alive)).offers.map(({label}) => label)).not.toContain('Sign in again');
  });

  test('may not be known', () => {
    expect(shown(having(away)).about[0]).toEqual({
      type: 'status',
      status: 'warning',
      text: 'Your sign-in could not be renewed right now. It is kept. Nothing listens there.',
    });
  });

  test('may be kept waiting by the identity provider, for as long as that is said', () => {
    const busy = {state: 'unknown', message: 'It is busy (429).', askedUntil: 20_000} as const;
    const at = (now: number) => {
      const {about, offers} = shown(having(busy), now);
      return [about[0], offers[0]?.hint];
    };
    const text = 'Your sign-in could not be renewed right now. It is kept. It is busy (429).';
    const shownAs = (words: string) => ({type: 'status', status: 'warning', text: words});
    expect(at(7_000)).toEqual([
      shownAs(`${text} The identity provider asks you to wait another 13 s.`),
      'Wait 13 s first.',
    ]);
    expect(at(20_000)).toEqual([shownAs(text), 'Asks the identity provider again.']);
  });

  test('of other saved deployments is told with the command that opens them', () => {
    const told = (...names: readonly string[]) => {
      const state = having(alive);
      const otherContexts = names.map(name => ({name, isSignedOut: name === 'staging'}));
      return shown({...state, facts: {...state.facts, otherContexts}}).about.find(({type}) => type === 'text');
    };
    expect(told()).toBeUndefined();
    expect(told('staging')).toMatchObject({
      text: 'Also saved: staging (signed out). To open it: npx setup --context staging',
    });
    expect(told('dev', 'staging', 'test', 'qa', 'prod')).toMatchObject({
      text: 'Also saved: dev, staging (signed out), test, 2 more. To open one: npx setup --context NAME',
    });
  });

  test('is where everything is', () => {
    expect(shown(having(alive)).about[1]).toEqual({
      type: 'table',
      rows: [
        ['Deployment', 'acme.localhost, single-cluster'],
        ['Control plane', saved.controlPlaneUrl],
        ['Observer', saved.observerUrl],
        ['Identity provider', saved.authUrl],
      ],
    });
    const {observerUrl: _, ...without} = saved;
    expect(shown(having(alive, {saved: without})).about[1]).toMatchObject({rows: {length: 3}});
  });
});

describe('what it says of the deployment', () => {
  const said = (state: WizardState, now = 0) => home.ask(state, now).about[0];

  test('is nothing before that has answered: the sign-in is as it is saved', () => {
    expect(said(asking(alive))).toEqual({
      type: 'text',
      text: 'Signed in as ann, token valid for 1 h. Asking your platform…',
    });
    expect(home.ask(asking(alive), 0)).toMatchObject({isPending: true});
    expect(home.ask(having(alive), 0)).not.toHaveProperty('isPending');
    // Whether the sign-in is alive has to be found out first.
    expect(home.ask(having(away), 0)).not.toHaveProperty('isPending');
  });

  test('names the server that took long, and how long', () => {
    const slow = {service: 'observer', ms: 4_200} as const;
    expect(said(having(alive, {}, {state: 'connected', slow}))).toEqual({
      type: 'status',
      status: 'warning',
      text: 'Connected as ann, token valid for 1 h, but slow: the observer took 4 s to answer.',
    });
  });

  test('is what is wrong, with the address for a server that does not answer', () => {
    const failed = (code: ErrorCode, message: string) => {
      const {facts: _, ...state} = having(alive);
      const failure = failureOf(new SetupError(code, message), 'home', {...state, facts: {}});
      return said(having(alive, {}, {state: 'failed', failure}));
    };
    expect(failed('network-refused', 'Nothing listens at http://api.acme.localhost. More.')).toEqual({
      type: 'status',
      status: 'warning',
      text: 'The server is not running, or not at this address. Nothing listens at http://api.acme.localhost. Signed in as ann, token valid for 1 h.',
    });
    expect(failed('auth-no-role', 'ann is signed in and may do nothing. Much more.')).toMatchObject({
      text: 'You are signed in, but your account has no role. Signed in as ann, token valid for 1 h.',
    });
  });

  test('comes before a renewal that failed, which matters only later', () => {
    const failing = {state: 'alive', token: {...token, failure: 'It is away.'}};
    expect(said(having(failing))).toMatchObject({
      status: 'warning',
      text: 'Connected as ann, token valid for 1 h. The last attempt to renew the sign-in failed: It is away.',
    });
  });

  test('names the assistants whose entries are gone, and the choice that adds them again', () => {
    const state = having(alive);
    const about = (withoutEntries: readonly string[]) =>
      home.ask({...state, facts: {...state.facts, withoutEntries}}, 0).about;
    expect(about(['Cursor'])).toContainEqual({
      type: 'status',
      status: 'warning',
      text: 'Missing entries: Cursor. “Check and renew” adds them again.',
    });
    expect(JSON.stringify(about(['Cursor', 'Zed']))).toContain('Missing entries: Cursor, Zed. ');
    expect(JSON.stringify(about([]))).not.toContain('Missing');
  });

  test('names the assistants whose entries hold no valid token', () => {
    const state = having(alive);
    expect(home.ask({...state, facts: {...state.facts, withoutToken: ['Cursor', 'Zed']}}, 0).about).toContainEqual({
      type: 'status',
      status: 'warning',
      text: 'Without a valid token: Cursor, Zed. “Check and renew” gives them a new one.',
    });
  });

  test('names the assistants whose file cannot be read', () => {
    const state = having(alive);
    expect(home.ask({...state, facts: {...state.facts, withUnreadableFile: ['Cursor']}}, 0).about).toContainEqual({
      type: 'status',
      status: 'warning',
      text: 'File not readable: Cursor. “Diagnostics” says why.',
    });
    const offered = (facts: Partial<WizardState['facts']>) =>
      home.ask({...state, facts: {...state.facts, ...facts}}, 0).offers.map(({label}) => label);
    const [first, ...rest] = offered({withUnreadableFile: ['Cursor']});
    expect(first).toBe('Diagnostics');
    expect(rest).not.toContain('Diagnostics');
    // Another trouble is mended by a renewal, which comes first then.
    expect(offered({withUnreadableFile: ['Cursor'], withoutToken: ['Zed']})[0]).not.toBe('Diagnostics');
  });

  test('leaves out the time of a token that has expired', () => {
    expect(said(having(alive), 9_000_000)).toMatchObject({text: 'Connected as ann, renewed when needed'});
  });
});

describe('the deployment is asked', () => {
  const standings = [
    {assistant: 'Claude Code', state: 'kept'},
    {assistant: 'Cursor', state: 'missing'},
    {assistant: 'Cursor', state: 'missing'},
    {assistant: 'Zed', state: 'token', expiresAt: 0},
    {assistant: 'Amp', state: 'token', expiresAt: 1},
    {assistant: 'Warp', state: 'signed-out'},
    {assistant: 'Junie', state: 'signed-out', isOff: true},
    {assistant: 'Kiro', state: 'unreadable'},
  ];
  const entries = {withoutEntries: ['Cursor'], withoutToken: ['Zed', 'Warp'], withUnreadableFile: ['Kiro']};
  const ask = async (state: WizardState, outcome: object, beside = home.beside()) => {
    const one = {outcome, events: [{type: 'warning', message: 'heard'}] as const};
    const inputs = replaceFlows('platform-tools/saved-connection.ts', {
      ...{askSavedConnection: [one], awaitNewSignIn: [one]},
    });
    const slept: number[] = [];
    const ports = {clock: {now: () => 0, sleep: async (ms: number) => void slept.push(ms)}} as unknown as Ports;
    const path = '../../../../src/flows/assistants/inspect-entries.ts';
    vi.doMock(path, () => ({inspectEntries: async () => standings}));
    onTestFinished(() => void vi.doUnmock(path));
    const withEntries = {...state, settings: {...state.settings, saved: {...saved, entries: [entry]}}};
    const {result, events} = await collect(beside, withEntries, ports);
    return {result, events, slept, inputs: inputs.askSavedConnection};
  };

  test('at once, and its calls can be seen', async () => {
    const {result, events, slept, inputs} = await ask(asking(alive), {signIn: alive, connection: connected});
    expect(result).toEqual({inspectedSignIn: alive, connection: connected, ...entries});
    expect([slept, inputs, events.length]).toEqual([[], [{context: {...saved, entries: [entry]}}], 1]);
  });

  test('again every minute, quietly, as long as home is shown', async () => {
    const {result, events, slept} = await ask(having(alive), {signIn: alive, connection: connected});
    expect(result).toEqual({inspectedSignIn: alive, connection: connected, ...entries});
    expect([slept, events]).toEqual([[60_000], []]);
    // A token that expires sooner is looked at then.
    const soon = {state: 'alive', token: {...token, expiresAt: 1_000}};
    expect((await ask(having(soon), {signIn: alive, connection: connected})).slept).toEqual([5_000]);
    const later = {state: 'alive', token: {...token, expiresAt: 31_000}};
    expect((await ask(having(later), {signIn: alive, connection: connected})).slept).toEqual([31_000]);
    // A sign-in that could not be looked at is looked at again too.
    expect((await ask(having(away), {signIn: away})).slept).toEqual([60_000]);
  });

  test('and so is what the account of the assistants may do, with the way to give it a role', async () => {
    const error = new SetupError('auth-no-role', 'It has none.');
    const live = {signIn: alive, connection: connected};
    const {result} = await ask(asking(alive), {
      ...live,
      account: {signIn: alive, connection: {state: 'failed', error}},
    });
    expect(result).toMatchObject({connection: {state: 'connected'}, isAccountUnfit: true});
    expect((await ask(asking(alive), {...live, account: live})).result).toMatchObject({isAccountUnfit: false});
    const assistantsAccount = {signIn: 'mcp-client', clientId: 'theirs', purpose: 'build'} as const;
    const shown = having(alive, {saved: {...saved, entries: [entry], assistantsAccount}});
    const state = {...shown, facts: {...shown.facts, isAccountUnfit: true}};
    const {about, offers} = home.ask(state, 0);
    expect(about).toContainEqual({
      ...{type: 'status', status: 'warning'},
      text: 'Your assistants’ account needs a role.',
    });
    expect(offers[0]).toMatchObject({label: 'Give their account a role'});
    const [first] = offers;
    const next = first && 'event' in first ? reduce(state, first.event) : expect.fail('It is an answer.');
    expect(changesAccount(next)).toBe(true);
    expect(createsAccount(next)).toBe(false);
    expect(next.answers.connect).toMatchObject({actsAs: 'build'});
  });

  test('and so is everything that home shows, when a person who was signed out has signed in elsewhere', async () => {
    const {result, events} = await ask(having(ended), {signIn: alive, connection: connected}, awaitSignIn);
    expect(result).toEqual({inspectedSignIn: alive, connection: connected, ...entries});
    expect(events).toEqual([]);
  });

  test('and a failure becomes what is shown, an ended sign-in the screen that gets it back', async () => {
    const error = new SetupError('network-refused', 'Nothing listens at http://api.acme.localhost.', {
      about: {url: `${saved.controlPlaneUrl}/health`},
    });
    const {result} = await ask(asking(alive), {signIn: alive, connection: {state: 'failed', error}});
    expect(result.connection).toMatchObject({
      state: 'failed',
      failure: {step: 'home', headline: expect.stringMatching(/^The control plane/), message: error.message},
    });
    expect((await ask(asking(alive), {signIn: ended})).result).toMatchObject({inspectedSignIn: ended});
  });
});

describe('what there is to do', () => {
  const offers = (state: WizardState) =>
    home.ask(state, 0).offers.map(one => [one.label, 'event' in one ? one.event : 'leave' in one && one.leave]);
  const always = [
    ['Start over', {type: 'answered', answers: {resume: 'anew'}}],
    ['Diagnostics', 'diagnose'],
    ['Leave', 'done'],
  ];

  test('with a sign-in that lives: check it, or connect assistants', () => {
    const events = [
      {type: 'answered', answers: {signIn: 'browser', resume: 'renew'}},
      {type: 'answered', answers: {signIn: 'browser', resume: 'connect'}},
    ];
    expect(offers(having(alive))).toEqual([
      ['Check the connection', events[0]],
      ['Connect assistants', events[1]],
      ...always,
    ]);
    const connected = having(alive, {saved: {...saved, entries: [entry]}});
    expect(offers(connected)[0]).toEqual(['Check and renew', events[0]]);
    expect(home.ask(connected, 0).initial).toBe(0);
  });

  test('with one that could not be looked at: look again, or sign in again', () => {
    expect(offers(having(away))).toEqual([
      ['Try again', {type: 'went-back', to: 'inspect-sign-in'}],
      ['Sign in again', {type: 'answered', answers: {signIn: 'browser', resume: 'sign-in'}}],
      ...always,
    ]);
  });
});

describe('the assistants', () => {
  const cursor = {...entry, assistant: 'cursor'} as const;
  const claude = {...entry, assistant: 'claude-code', method: 'helper'} as const;
  const withEntries = (...entries: readonly object[]) =>
    having(alive, {
      assistants: [{id: 'claude-code', name: 'Claude Code'}] as never,
      saved: {...saved, entries: entries as never},
    });
  const rowIn = (state: WizardState) => {
    const table = (home.ask(state, 0).about ?? []).find(block => block.type === 'table');
    return Object.fromEntries(table?.type === 'table' ? table.rows : []).Assistants;
  };
  const shortcutIn = (state: WizardState) => home.ask(state, 0).offers.find(({shortcut}) => shortcut?.key === 'l');

  test('are said to act as somebody, and some of them to only look', () => {
    expect(rowIn(having(alive))).toBeUndefined();
    expect(rowIn(withEntries(cursor))).toBe('act as you');
    const limited = {...claude, method: 'bridge', tools: 'look'};
    expect(rowIn(withEntries(cursor, limited))).toBe('act as you; read-only: Claude Code');
    // An entry that does not start the bridge has all tools, whatever was chosen.
    for (const method of ['helper', 'header', 'oauth'])
      expect(rowIn(withEntries({...limited, method}))).toBe('act as you');
    expect(rowIn(withEntries({...cursor, tools: 'look'}))).toBe('read-only, as you');
    const account = {signIn: 'mcp-client', clientId: 'acme_assistants'} as const;
    const own = having(alive, {saved: {...saved, entries: [cursor], assistantsAccount: account}});
    expect(rowIn(own)).toBe('act as acme_assistants');
    const byClient = {signIn: 'service-account', clientId: 'ci'} as const;
    expect(rowIn(having(alive, {saved: {...saved, ...byClient, entries: [cursor]}}))).toBe('act as ci');
  });

  test('may only look after l, until it is pressed again, and what it does not hold is said', () => {
    const state = withEntries(cursor, claude);
    expect(shortcutIn(state)).toMatchObject({
      label: 'Limit assistants to reading',
      event: {type: 'answered', answers: {onlyLook: true}},
    });
    const looking = {...state, facts: {...state.facts, onlyLook: true}};
    expect(rowIn(looking)).toBe('read-only, as you');
    expect(home.ask(looking, 0).about).toContainEqual({
      type: 'status',
      status: 'warning',
      text: 'Not limited: Claude Code. Only the bridge can limit an assistant to reading.',
    });
    expect(shortcutIn(looking)).toMatchObject({
      label: 'Allow changes again',
      event: {type: 'answered', answers: {onlyLook: false}},
    });
    expect(shortcutIn(having(alive, {saved: {...saved, entries: [cursor], onlyLook: true}}))?.label).toBe(
      'Allow changes again',
    );
  });

  test('have no switch where no entry starts the bridge, which is what follows it', () => {
    expect(shortcutIn(withEntries(claude))).toBeUndefined();
    // These may only look by themselves.
    expect(shortcutIn(withEntries({...cursor, tools: 'look'}))).toBeUndefined();
  });
});
