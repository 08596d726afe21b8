import {describe, expect, test} from 'vitest';
import type {Context} from '../../src/domain/context.ts';
import {Secret} from '../../src/domain/secret.ts';
import {SetupError} from '../../src/errors/errors.ts';
import {answered} from '../../src/state/events.ts';
import {failureOf} from '../../src/state/failure.ts';
import {
  type Answers,
  type Facts,
  type Failure,
  initialState,
  type StepId,
  type WizardState,
} from '../../src/state/model.ts';
import {reduce} from '../../src/state/reducer.ts';
import {signedInAnew} from '../../src/state/steps/account/account.ts';
import {networkOffers} from '../../src/state/steps/deployment/network-offers.ts';
import {currentStep, stepBefore, steps, stepsOf} from '../../src/state/steps.ts';
import {viewOf} from '../../src/state/view/view-of.ts';
import {questionIn} from '../support/standing-wizard.ts';
import {at, atAccount, deployment, settings} from '../support/states.ts';

const {token, check, found, plan} = at.review.facts;

const client = {clientId: 'mcp_client_assistants', secret: new Secret('s')};

const saved: Context = {
  ...{name: 'acme', platform: 'bundled', baseDomain: 'acme.localhost', layout: 'single'},
  ...{controlPlaneUrl: deployment.controlPlaneUrl, observerUrl: deployment.observerUrl ?? ''},
  ...{authUrl: deployment.authUrl, issuer: deployment.issuer, signIn: 'browser', clientId: 'cli', entries: []},
};

const again: Answers = {deploymentAccepted: true, clientId: 'cli', signIn: 'browser'};

/** The result or answer of each step, with which the wizard continues after it. */
const ends: {readonly [S in StepId]?: (state: WizardState) => WizardState} = {
  'inspect-sign-in': learning({inspectedSignIn: {state: 'alive', token}} as never),
  'company-file': saying({company: 'without'}),
  'cluster-authority': learning({}),
  'find-deployment': learning({deployment, companyFile: {baseDomain: 'acme.localhost'}}),
  deployment: saying({deploymentAccepted: true}),
  'sign-in': saying({signIn: 'browser'}),
  'obtain-token': learning({...(token ? {token} : {})}),
  'save-sign-in': learning({signInSaved: true}),
  check: learning({...(check ? {check} : {})}),
  'find-assistants': learning({...(found ? {found} : {})}),
  assistants: saying({connect: {assistants: ['generic'], scope: 'user', method: 'header'}}),
  account: saying({account: {signIn: 'create-mcp-client'}}),
  'account-client': saying({account: {signIn: 'mcp-client', clientId: 'theirs', clientEntered: true}}),
  'account-kept-client': learning({account: {keptClient: {clientId: 'mcp_client_assistants', isKept: false}}}),
  'account-admin': saying({account: {signIn: 'create-mcp-client', adminUsername: 'admin', adminEntered: true}}),
  'account-create-client': learning({account: {...atAccount['account-admin'].facts.account, client}}),
  'account-token': learning({
    account: {...atAccount['account-admin'].facts.account, client, ...(token ? {token} : {})},
  }),
  'account-access': learning({accountAccess: {}}),
  'find-own-cli': learning({ownCli: {installed: true}} as never),
  'own-cli': saying({ownCli: false}),
  plan: learning({...(plan ? {plan} : {})}),
};

function learning(facts: Partial<Facts>) {
  return (state: WizardState) => reduce(state, {type: 'learned', step: currentStep(state).id, facts});
}

function saying(answers: Partial<Answers>) {
  return (state: WizardState) => reduce(state, answered(answers));
}

/** Returns every point at which a run waits, from its beginning to the review. */
const walk = (begin: WizardState): readonly WizardState[] => {
  const states = [begin];
  for (let state = begin; currentStep(state).id !== 'review'; ) {
    const {id} = currentStep(state);
    const next = ends[id]?.(state);
    if (!next || currentStep(next).id === id) break;
    states.push(next);
    state = next;
  }
  return states;
};

const resumed: WizardState = {
  ...initialState({...settings, saved, again}),
  facts: {inspectedSignIn: {state: 'alive', token}} as never,
};

const looking = {assistants: ['generic'], scope: 'user', method: 'header', actsAs: 'look'} as const;

const acting = {assistants: ['generic'], scope: 'user', method: 'bridge', actsAs: 'you'} as const;

/** The home screen, with assistants whose own account is signed out. */
const withAccount: WizardState = {
  ...resumed,
  settings: {
    ...settings,
    ...{
      again,
      saved: {...saved, assistantsAccount: {signIn: 'mcp-client', clientId: client.clientId, purpose: 'look'}},
    },
  },
};

/** Every way into the wizard, and the target of Esc from its questions and flows. */
const waysIn: readonly (readonly [string, WizardState, Readonly<Partial<Record<StepId, StepId | undefined>>>])[] = [
  [
    'a first run',
    initialState(settings),
    {deployment: undefined, 'sign-in': 'deployment', check: 'sign-in', assistants: 'sign-in', review: 'assistants'},
  ],
  [
    'a run whose sign-in a flag says',
    {...initialState(settings), initialAnswers: {signIn: 'browser'}, answers: {signIn: 'browser'}},
    {'obtain-token': 'sign-in', check: 'sign-in', assistants: 'sign-in', review: 'assistants'},
  ],
  [
    'a run that gives the assistants an account',
    {
      ...initialState(settings),
      initialAnswers: {connect: looking},
      answers: {connect: looking},
    },
    {account: 'assistants', 'account-admin': 'account', 'account-token': 'account', review: 'account'},
  ],
  ['Check and renew, from home', reduce(resumed, answered({...again, resume: 'renew'})), {check: 'home'}],
  [
    'Connect assistants, from home',
    reduce(resumed, answered({...again, resume: 'connect'})),
    {'obtain-token': 'home', check: 'home', assistants: 'home', review: 'assistants'},
  ],
  [
    'Sign in again, from home',
    reduce(resumed, answered({...again, resume: 'sign-in'})),
    {'obtain-token': 'home', check: 'home'},
  ],
  [
    'mcp connect',
    initialState({...settings, saved, again}, {}, {...again, resume: 'connect'}),
    {'obtain-token': 'sign-in', check: undefined, assistants: undefined, review: 'assistants'},
  ],
  [
    'login',
    initialState({...settings, saved, again}, {}, {...again, resume: 'sign-in'}),
    {'obtain-token': 'sign-in', check: 'sign-in'},
  ],
  [
    'mcp connect with names',
    initialState({...settings, saved, again}, {connect: acting}, {...again, resume: 'connect', connect: acting}),
    {'obtain-token': 'sign-in', review: 'assistants'},
  ],
  [
    'Sign your assistants in, from home',
    reduce(withAccount, answered(signedInAnew(withAccount))),
    {account: 'home', 'account-admin': 'account', 'account-token': 'account', review: 'account'},
  ],
  [
    'login of the assistants',
    initialState(withAccount.settings, {}, {...again, ...signedInAnew(withAccount)}),
    {account: undefined, 'account-admin': 'account', review: 'account'},
  ],
];

describe.each(waysIn)('in %s', (_name, begin, expected) => {
  const states = walk(begin);

  test('Esc leads to the question that the person came from', () => {
    const seen = Object.fromEntries(states.map(state => [currentStep(state).id, stepBefore(state)]));
    expect(seen).toMatchObject(expected);
  });

  test('Esc and the same answers lead back to every step, and no question comes that nobody asked for', () => {
    for (const state of states) {
      const to = stepBefore(state);
      if (to === undefined) continue;
      const left = reduce(state, {type: 'went-back', to});
      // The home screen is shown after the sign-in has been inspected again.
      const back = currentStep(left).id === 'inspect-sign-in' ? (ends['inspect-sign-in']?.(left) ?? left) : left;
      expect(currentStep(back).id).toBe(to);
      expect(viewOf(back, 0).step).toBe(to);
      // The target is a step at which the person has been, or one that a flag has answered.
      const here = new Set(states.map(one => currentStep(one).id));
      expect(
        here.has(to) ||
          to === 'home' ||
          (to === 'assistants' && begin.initialAnswers.connect !== undefined) ||
          (to === 'sign-in' && (begin.initialAnswers.signIn !== undefined || begin.answers.resume !== undefined)),
      ).toBe(true);
    }
  });

  test('Esc, as often as it leads anywhere, ends', () => {
    for (const begun of states) {
      let state = begun;
      for (let count = 0; stepBefore(state) !== undefined; count += 1) {
        expect(count).toBeLessThan(steps.length);
        state = reduce(state, {type: 'went-back', to: stepBefore(state) ?? 'home'});
      }
    }
  });
});

test('every step is at a point of one of these ways, or is there in a run that none of them is', () => {
  const reached = new Set(waysIn.flatMap(([, begin]) => walk(begin).map(state => currentStep(state).id)));
  const others = steps.map(({id}) => id).filter(id => !reached.has(id));
  expect(others.toSorted()).toEqual(
    [
      // Questions about an earlier run, in a cluster, or with several deployments.
      ...['unfinished', 'inspect-sign-in', 'only-look', 'home', 'signed-out', 'cluster-authority', 'which-deployment'],
      // Questions of other ways to sign in, and steps after the review.
      ...['client', 'kept-client', 'admin', 'create-client', 'own-token', 'oauth-client', 'company-file'],
      'account-client',
      ...['find-own-cli', 'own-cli', 'write', 'verify'],
    ].toSorted(),
  );
});

describe('a sign-in that a person goes back from', () => {
  const chosen = walk(initialState(settings)).find(state => currentStep(state).id === 'assistants') ?? expect.fail();
  const back = reduce(chosen, {type: 'went-back', to: 'sign-in'});

  test('can be stayed with, which is the first choice, and asks for nothing', () => {
    const {offers, initial} = questionIn(back);
    expect(offers[0]?.label).toBe('Stay signed in as mcp_client');
    expect(initial).toBe(0);
    const stayed = reduce(back, {type: 'stayed-signed-in'});
    expect(stayed.facts.token).toBe(chosen.facts.token);
    expect(stayed.answers.signIn).toBe('browser');
    expect(currentStep(stayed).id).toBe('check');
  });

  test.each([
    ['auth-no-role', true],
    ['auth-token-refused', false],
  ] as const)('can be stayed with after %s: %s', (code, canBeKept) => {
    const failure = failureOf(new SetupError(code, 'It failed.'), 'check', at.check);
    const failed = reduce(at.check, {type: 'failed', failure});
    const asked = questionIn(reduce(failed, {type: 'went-back', to: 'sign-in'}));
    expect(asked.offers[0]?.label.startsWith('Stay signed in')).toBe(canBeKept);
  });

  test('is there until another one has worked', () => {
    const another = reduce(back, answered({signIn: 'browser'}));
    expect(currentStep(another).id).toBe('obtain-token');
    const gaveUp = reduce(another, {type: 'went-back', to: 'sign-in'});
    expect(questionIn(gaveUp).offers[0]?.label).toBe('Stay signed in as mcp_client');
    const signedIn = learning({token: {...(token ?? expect.fail()), account: 'ann'}})(another);
    expect(questionIn(reduce(signedIn, {type: 'went-back', to: 'sign-in'})).offers[0]?.label).toBe(
      'Stay signed in as ann',
    );
  });

  test('is not offered for another deployment, nor after a server has refused it', () => {
    const elsewhere = {...back, facts: {...back.facts, deployment: {...deployment, issuer: 'https://other.example'}}};
    expect(questionIn(elsewhere).offers[0]?.label).not.toContain('Stay');
    const failure = {
      step: 'check',
      code: 'auth-token-refused',
      message: '',
      remedy: '',
      whose: 'you',
      headline: 'It failed',
    } as const;
    const refused = reduce({...chosen, failure}, {type: 'went-back', to: 'sign-in'});
    expect(questionIn(refused).offers[0]?.label).not.toContain('Stay');
  });
});

describe('home, after something was tried from there', () => {
  const ended = learning({inspectedSignIn: {state: 'ended', message: 'It was refused.', reason: 'It was refused.'}});
  const headingOf = (state: WizardState) => questionIn(state).heading;

  test('says that the person is signed out where that has come out in between', () => {
    const renewing = reduce(resumed, answered({...again, resume: 'renew'}));
    const another = reduce(renewing, {type: 'went-back', to: 'sign-in'});
    const back = reduce(another, {type: 'went-back', to: stepBefore(another) ?? expect.fail()});
    expect(currentStep(back).id).toBe('inspect-sign-in');
    expect(headingOf(ended(back))).toBe('You are signed out of acme');
  });

  test('says so after a diagnosis, too, which is over once the person has gone on', () => {
    const verdict = {state: 'broken', sentence: 'You are not signed in'} as never;
    const diagnosed = reduce(resumed, {type: 'diagnosed', verdict});
    expect(currentStep(diagnosed).id).toBe('inspect-sign-in');
    const shown = ended(diagnosed);
    expect(headingOf(shown)).toBe('You are signed out of acme');
    expect(JSON.stringify(questionIn(shown).about)).toContain('Diagnostics: You are not signed in');
    const signingIn = reduce(shown, answered({...again, resume: 'sign-in'}));
    const back = ends['inspect-sign-in']?.(reduce(signingIn, {type: 'went-back', to: 'signed-out'}));
    expect(JSON.stringify(questionIn(back ?? expect.fail()).about)).not.toContain('Diagnostics');
  });
});

describe('an answer to a failure that leads to another failure', () => {
  const told = {step: 'find-deployment', whose: 'you', headline: 'It failed', message: '', remedy: ''} as const;
  const untrusted = {origin: 'https://api', anchor: {pem: 'NEW'}, isWhole: true} as never;
  const distrusted: Failure = {...told, code: 'network-tls', untrusted};
  const unread: Failure = {...told, code: 'input-invalid', about: {flag: 'ca-file'}};
  const failing = (state: WizardState, failure: Failure) => reduce(state, {type: 'failed', failure});
  const asked = failing(initialState(settings, {baseDomain: 'https://acme.localhost'}), distrusted);
  const misread = failing(reduce(asked, answered({authority: {file: '/nope/ca.pem'}})), unread);
  const back = (state: WizardState) => reduce(state, viewOf(state, 0).back ?? expect.fail());

  test('is taken back by Esc, with every choice that there was and what was typed', () => {
    expect(viewOf(asked, 0).back).toBeUndefined();
    const again = back(misread);
    expect(questionIn(again).heading).toBe('Do you trust this authority?');
    expect(questionIn(again).offers.map(({label}) => label)).toEqual(questionIn(asked).offers.map(({label}) => label));
    expect(questionIn(again).offers).toContainEqual(expect.objectContaining({initial: '/nope/ca.pem'}));
    expect(again.answers.authority).toBeUndefined();
    expect(viewOf(again, 0).back).toBeUndefined();
  });

  test('is taken back by a choice, too, also where the cluster could not be asked', () => {
    const missing: Failure = {...told, step: 'cluster-authority', code: 'local-authority-missing'};
    for (const state of [misread, failing(reduce(asked, answered({authority: 'cluster'})), missing)]) {
      expect(questionIn(state).offers).toContainEqual({
        label: 'Choose again whom to trust',
        event: {type: 'reconsidered'},
      });
      expect(questionIn(back(state)).heading).toBe('Do you trust this authority?');
    }
  });

  test('is taken back one at a time', () => {
    const twice = failing(reduce(misread, answered({authority: {file: '/neither.pem'}})), unread);
    expect(back(twice).answers.authority).toEqual({file: '/nope/ca.pem'});
    expect(questionIn(back(back(twice))).heading).toBe('Do you trust this authority?');
  });

  test('is taken back twice at most where it came again and again', () => {
    let state = misread;
    for (const file of ['/neither.pem', '/nor.pem', '/never.pem']) {
      state = failing(reduce(state, answered({authority: {file}})), unread);
    }
    expect(questionIn(back(back(state))).heading).toBe('Do you trust this authority?');
  });

  test('is taken back with what was typed: a base domain, an address, and the one of the observer', () => {
    const none: Failure = {...told, code: 'platform-not-found'};
    const unresolved: Failure = {...told, code: 'network-name-not-found'};
    const nothing = failing(initialState(settings), none);
    for (const typed of [
      {baseDomain: 'nowhere.example.com', addresses: {}},
      {baseDomain: undefined, addresses: {controlPlaneUrl: 'https://127.0.0.1:9'}},
    ]) {
      const again = back(failing(reduce(nothing, answered(typed)), unresolved));
      const field = questionIn(again).offers.find(({label}) => label === 'Enter the platform’s base domain');
      expect(field).toMatchObject({initial: typed.baseDomain ?? typed.addresses.controlPlaneUrl});
    }
    const missing: Failure = {...told, code: 'platform-observer-missing'};
    const without = failing(initialState(settings, {baseDomain: 'acme.localhost'}), missing);
    const observerUrl = 'http://observer.acme.localhost:9';
    const wrong = failing(reduce(without, answered({addresses: {observerUrl}})), unresolved);
    const field = questionIn(back(wrong)).offers.find(({label}) => label === 'Enter the observer’s address');
    expect(field).toMatchObject({initial: observerUrl});
  });

  test('is not repeated by another answer, where it is a file that cannot be read', () => {
    const elsewhere = reduce(misread, answered({baseDomain: 'https://acme.localhost', addresses: {}}));
    expect(elsewhere.answers.authority).toBeUndefined();
    const certificate = {certificate: '/nope.pem', key: '/nope.pem'};
    const named = reduce(asked, answered({network: {proxy: 'none', clientCertificate: certificate}}));
    const unproven = failing(named, {...unread, about: {flag: 'client-cert'}});
    expect(questionIn(unproven).offers[0]).toMatchObject({label: 'Use a client certificate', initial: '/nope.pem'});
    const other = reduce(unproven, answered({baseDomain: 'https://acme.localhost', addresses: {}}));
    expect(other.answers.network).toEqual({proxy: 'none'});
    const offered = networkOffers(back(unproven), {...told, code: 'network-client-certificate'});
    expect(offered[0]).toMatchObject({initial: '/nope.pem'});
  });

  test('counts once something has come of it', () => {
    const found = learning({deployment})(reduce(asked, answered({authority: {pem: 'PEM'}})));
    expect(found.answeredFailure).toBeUndefined();
  });
});

test('after every assistant was unticked, Esc leads back to the ticks', () => {
  const connecting = walk(reduce(resumed, answered({...again, resume: 'connect'})));
  const choosing = connecting.find(state => currentStep(state).id === 'assistants') ?? expect.fail();
  const none = reduce(choosing, answered({connect: {assistants: [], scope: 'user', method: 'auto'}}));
  expect(stepsOf(none).map(({id}) => id)).toContain('assistants');
  expect(stepBefore(none)).toBe('assistants');
});
