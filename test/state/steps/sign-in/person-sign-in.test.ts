import {describe, expect, test} from 'vitest';
import type {Failure, Settings, WizardState} from '../../../../src/state/model.ts';
import {browserRecovery, errorPage, waitingFor} from '../../../../src/state/steps/sign-in/person-sign-in.ts';
import {at, having as telling} from '../../../support/states.ts';

const start: WizardState = {...at['obtain-token'], answers: {signIn: 'browser', deploymentAccepted: true}};

const having = (settings: Partial<Settings>): WizardState => ({
  ...start,
  settings: {...start.settings, ...settings},
});

const waiting = {
  type: 'sign-in-waiting',
  url: 'http://idp.acme.localhost:8080/authorize',
  redirectUri: 'http://127.0.0.1:55152/auth-callback',
  listening: true,
  device: false,
} as never;

describe('where nothing comes of it', () => {
  const offersFor = (code: Failure['code'], state = start) =>
    browserRecovery(state, {step: 'obtain-token', code, whose: 'you', headline: 'It failed', message: '', remedy: ''})
      .offers;
  const labels = (code: Failure['code'], state = start) => offersFor(code, state).map(({label}) => label);

  test('PKCE that is not listed is gone on with by who knows better', () => {
    const [offer] = offersFor('auth-pkce-unlisted');
    expect(offer).toMatchObject({label: 'Sign in anyway', event: {answers: {assumesPkce: true}}});
  });

  test('a client that nobody names is asked for', () => {
    const failure = {
      step: 'obtain-token',
      code: 'input-required',
      whose: 'you',
      headline: 'It failed',
      message: '',
      remedy: '',
    } as const;
    const {heading, offers} = browserRecovery(start, {...failure, about: {flag: 'client-id'}});
    const [offer] = offers;
    // The error’s own headline speaks of the command line.
    expect(heading).toBe('Which client do people sign in with?');
    expect(offer).toMatchObject({label: 'Enter the client ID'});
    expect(offer && 'toEvent' in offer && offer.toEvent('acme-cli')).toMatchObject({answers: {clientId: 'acme-cli'}});
    const [other] = browserRecovery(start, failure).offers;
    expect(other?.label).not.toBe('Enter the client ID');
  });

  test('a client that the identity provider does not know gives way to another one', () => {
    const person = {...start, answers: {...start.answers, signIn: 'browser', clientId: 'gone'}} as const;
    const [offer] = offersFor('auth-client-unknown', person);
    expect(offer).toMatchObject({label: 'Enter another client ID', initial: 'gone'});
    expect(offer && 'toEvent' in offer && offer.toEvent('acme-cli')).toMatchObject({answers: {clientId: 'acme-cli'}});
  });

  test.each(['auth-redirect-refused', 'auth-client-confidential', 'auth-grant-missing'] as const)(
    'a client that was entered gives way to another one, because it may be the wrong one (%s)',
    code => {
      const person = {...start, answers: {...start.answers, signIn: 'browser'}} as const;
      expect(labels(code, {...person, answers: {...person.answers, clientId: 'other'}})[0]).toBe(
        'Enter another client ID',
      );
      expect(labels(code, person)).not.toContain('Enter another client ID');
    },
  );

  test.each(['local-port-taken', 'local-callback-failed'] as const)('the answer is brought otherwise (%s)', code => {
    expect(labels(code)).toEqual(['Paste the address that the browser ended up at', 'Sign in with a code']);
    const {deployment} = start.facts;
    const without = {...start, facts: {deployment: {...deployment, device: false} as never}};
    expect(labels(code, without)).toEqual(['Paste the address that the browser ended up at']);
    expect(labels(code, {...start, facts: {}})).toHaveLength(2);
    // The flow finds out what the client may do before it listens.
    const failure = {step: 'obtain-token', code, whose: 'you', headline: 'It failed', message: '', remedy: ''} as const;
    const offers = browserRecovery(start, {...failure, about: {isDeviceOffered: false}}).offers;
    expect(offers.map(({label}) => label)).toEqual(['Paste the address that the browser ended up at']);
  });

  test('a code that is not to be had gives way to the browser', () => {
    expect(labels('auth-device-missing')).toEqual(['Sign in through a browser', 'Sign in another way']);
  });

  test('each way is taken at once', () => {
    const offers = [...offersFor('local-port-taken'), ...offersFor('auth-device-missing').slice(0, 1)];
    expect(offers.map(one => 'event' in one && one.event)).toEqual(
      ['paste', 'device', 'browser'].map(signInBy => ({type: 'answered', answers: {signInBy}})),
    );
  });

  test('anything else is as for everybody', () => {
    expect(labels('auth-client-refused')).toEqual(['Sign in another way', 'Another base domain']);
  });
});

describe('the wait', () => {
  test('has not begun before a flow says so', () => {
    expect(waitingFor(start)).toBeUndefined();
  });

  test('is over once there is a token, until a second sign-in begins', () => {
    const token = {type: 'token-obtained', account: 'ann'} as never;
    expect(waitingFor(telling(start, waiting, token))).toBeUndefined();
    expect(waitingFor(telling(start, waiting, token, waiting))).toMatchObject({type: 'waiting'});
  });

  test('for a code is for a browser anywhere, and leads back to the one here', () => {
    const code = {type: 'device-code', verificationUri: 'http://idp/device', userCode: 'AB-CD'} as never;
    const view = waitingFor(telling(start, waiting, code));
    expect(view).toMatchObject({
      type: 'waiting',
      waiting: code,
      heading: 'Enter this code in any browser',
      warnings: [],
      sentences: [],
      actions: [{key: 'b', event: {answers: {signInBy: 'browser'}}}],
    });
  });

  test('in the browser says what to do there', () => {
    expect(waitingFor(telling(start, waiting))).toMatchObject({
      type: 'waiting',
      waiting,
      warnings: [],
      sentences: ['Open the address above and sign in.', errorPage(start)],
      note: 'Listening on http://127.0.0.1:55152/auth-callback',
    });
    expect(waitingFor(telling(start, waiting))).not.toHaveProperty('tunnel');
    const opened = (is: boolean) =>
      waitingFor(telling(start, waiting, {type: 'browser-opened', opened: is} as never))?.sentences;
    expect(opened(true)).toEqual(['If no window opened, open the address printed above.', errorPage(start)]);
    expect(opened(false)).toEqual([
      'No browser could be opened here. Open the address above and sign in.',
      errorPage(start),
    ]);
  });

  test('says where nothing listens', () => {
    const pasting = {...(waiting as object), listening: false} as never;
    expect(waitingFor(telling(start, pasting))).toMatchObject({
      heading: 'Waiting for the address from your browser',
      note: 'Nothing is listening here: paste the address that the browser ended up at.',
    });
  });

  test('says why a person signs in again', () => {
    const again = {...start, facts: {...start.facts, ownResources: {observability: 'https://observer/mcp'}}};
    expect(waitingFor(telling(again, waiting))?.warnings).toEqual([
      expect.stringContaining('https://observer/mcp accepts only tokens issued for it'),
    ]);
  });

  test.each([
    ['no-answer', 'neither the address from your browser nor the code'],
    ['other-sign-in', 'another sign-in'],
    ['error-page', 'an error page of the identity provider. Check that you opened the whole'],
    [
      'error-page',
      'an error page of the identity provider: Missing client_id. Check that you opened',
      'Missing client_id',
    ],
  ] as const)('says of what was pasted last that it was not it: %s, %s', (because, sentence, reason?: string) => {
    const before = {type: 'paste-refused', because: 'no-answer'} as const;
    const last = {type: 'paste-refused', because, ...(reason === undefined ? {} : {reason})} as const;
    const view = waitingFor(telling(start, waiting, before, last));
    expect(view?.refusal).toContain(sentence);
    expect(waitingFor(telling(start, waiting))?.refusal).toBeUndefined();
  });

  test('can be shortened', () => {
    const keys = (state: WizardState, event = waiting) =>
      waitingFor(telling(state, event))?.actions.map(({key}) => key);
    expect(keys(start)).toEqual(['p', 'o', '+']);
    expect(keys(having({obstacle: {kind: 'container'}}))).toEqual(['p', '+']);
    expect(keys(start, {...(waiting as object), device: true} as never)).toEqual(['p', 'o', '+', 'd']);
    const [paste] = waitingFor(telling(start, waiting))?.actions ?? [];
    expect(paste).toMatchObject({
      ask: {
        heading: 'Paste the address that the browser ended up at',
        label: expect.stringContaining('/auth-callback?code='),
      },
    });
    const actions = waitingFor(telling(start, {...(waiting as object), device: true} as never))?.actions ?? [];
    expect(
      actions.map(one => ('toMessage' in one ? one.toMessage('http://x?code=1') : 'send' in one ? one.send : one)),
    ).toMatchObject([
      {type: 'pasted', text: 'http://x?code=1'},
      {type: 'open-again'},
      {type: 'more-time'},
      {event: {answers: {signInBy: 'device'}}},
    ]);
  });
});

describe('a terminal without a browser', () => {
  const view = (obstacle: NonNullable<Settings['obstacle']>) => waitingFor(telling(having({obstacle}), waiting));

  test('on another machine has a tunnel to the one where the browser is', () => {
    const ssh = {kind: 'ssh', destination: 'ann@build'} as const;
    expect(view(ssh)?.tunnel).toBe('ssh -L 55152:127.0.0.1:55152 ann@build');
    expect(view(ssh)?.sentences[0]).toBe('This terminal runs on another machine, so no browser is opened here.');
    expect(view({...ssh, from: '10.0.0.7'})?.sentences).toEqual([
      'This terminal runs on another machine (SSH from 10.0.0.7), so no browser is opened here.',
      expect.stringMatching(/^Either run the ssh command above/),
      errorPage(start),
    ]);
  });

  test.each([
    ['container', 'in this container'],
    ['display', 'without a display'],
  ] as const)('says why there is none (%s)', (kind, where) => {
    const shown = view({kind} as never);
    expect(shown?.sentences[0]).toMatch(new RegExp(`^There is no browser ${where}\\. Open`));
    expect(shown).not.toHaveProperty('tunnel');
  });
});
