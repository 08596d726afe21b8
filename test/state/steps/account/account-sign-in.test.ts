import {describe, expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import {SetupError} from '../../../../src/errors/errors.ts';
import {accountOf, accountState} from '../../../../src/state/derived/assistants-account.ts';
import {isRefused} from '../../../../src/state/derived/last-sign-in.ts';
import {answered} from '../../../../src/state/events.ts';
import {failureOf} from '../../../../src/state/failure.ts';
import type {WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {signedInAnew} from '../../../../src/state/steps/account/account.ts';
import {signInAgain} from '../../../../src/state/steps/sign-in/sign-in-recovery.ts';
import {currentStep} from '../../../../src/state/steps.ts';
import {viewOf} from '../../../../src/state/view/view-of.ts';
import {contextAt} from '../../../support/context.ts';
import {questionIn} from '../../../support/standing-wizard.ts';
import {at, atAccount, deployment} from '../../../support/states.ts';

test.each(['auth-admin-refused', 'auth-permission-missing'] as const)(
  'after %s an administrator is asked for again, and not which account it is',
  code => {
    const state = atAccount['account-create-client'];
    const failure = failureOf(new SetupError(code, 'It failed.'), 'account-create-client', state);
    const {offers} = questionIn({...state, failure});
    const [first] = offers;
    expect(first?.label).toBe('Enter the administrator again');
    if (!first || !('event' in first)) throw new Error('The offer raises an event.');
    expect(currentStep(reduce({...state, failure}, first.event)).id).toBe('account-admin');
  },
);

test('a person who signs in again is not told that assistants with an account of their own use that sign-in', () => {
  const saved = contextAt('http://idp.acme.localhost:8080');
  const hintWith = (more: object) => {
    const settings = {...at.check.settings, saved: {...saved, ...more}};
    const state: WizardState = {...at.check, settings, answers: {...at.check.answers, resume: 'sign-in'}};
    return signInAgain(state).hint;
  };
  expect(hintWith({entries: [{assistant: 'cursor'}]})).toContain('Your assistants use this sign-in too.');
  expect(hintWith({})).toBe('Same deployment, same method.');
  const assistantsAccount = {signIn: 'mcp-client', clientId: 'theirs'};
  expect(hintWith({assistantsAccount})).toContain('Your assistants have an account of their own.');
});

describe('a kept secret that is refused', () => {
  const kept = {
    keptClient: {clientId: 'mine_assistants', isKept: true},
    client: {clientId: 'mine_assistants', secret: new Secret('dead')},
  };
  const state: WizardState = {
    ...atAccount['account-kept-client'],
    facts: {...atAccount['account-kept-client'].facts, account: kept},
    settings: {...atAccount['account-kept-client'].settings, ownClientId: 'mine'},
  };
  const failure = failureOf(new SetupError('auth-client-refused', 'It failed.'), 'account-token', state);
  const failed = reduce(state, {type: 'failed', failure});
  const choose = (label: string) => {
    const offer = questionIn(failed).offers.find(one => one.label === label);
    if (!offer || !('event' in offer)) throw new Error(`${label} raises no event.`);
    return reduce(failed, offer.event);
  };

  test('is at the sign-in before', () => {
    expect(currentStep(state).id).toBe('account-token');
  });

  test('is replaced by a new one, which an administrator sets', () => {
    const asked = choose('Set a new secret for it');
    expect(currentStep(asked).id).toBe('account-admin');
    const {adminEntered: _, ...account} = asked.answers.account ?? {};
    const entered = reduce(asked, answered({account: {...account, adminUsername: 'admin', adminEntered: true}}));
    expect(currentStep(entered).id).toBe('account-create-client');
  });

  test('is not tried again after the question which account it is', () => {
    const asked = choose('Choose another account');
    expect(currentStep(asked).id).toBe('account');
    expect(isRefused(accountState(asked), kept.client.secret)).toBe(true);
    expect(isRefused(accountState(asked), new Secret('alive'))).toBe(false);
  });
});

describe('an account that is signed in again', () => {
  const signedOut = (assistantsAccount: object, ownClientId?: string): WizardState => {
    const {token: _, ...state} = atAccount.account.facts;
    const saved = {...contextAt('http://idp.acme.localhost:8080'), assistantsAccount} as never;
    const settings = {...atAccount.account.settings, saved, ...(ownClientId === undefined ? {} : {ownClientId})};
    const connect = {assistants: ['generic'], scope: 'user', method: 'bridge', actsAs: 'look'} as const;
    return {
      ...atAccount.account,
      settings,
      answers: {...atAccount.account.answers, resume: 'connect', accountAnew: true, connect},
      facts: {
        ...state,
        token: atAccount.account.facts.token,
        deployment: {...deployment, version: '1.2.3'},
        account: {},
      } as never,
    };
  };
  const labels = (state: WizardState) => questionIn(state).offers.map(({label}) => label);

  test('continues the saved deployment from home, also if flags name assistants, and a new set-up as it is', () => {
    const {settings, answers, facts} = signedOut({signIn: 'mcp-client', clientId: 'theirs', purpose: 'look'});
    const {connect} = answers;
    if (!connect) throw new Error('Assistants were chosen.');
    const home = {...atAccount.account, settings, answers: {connect}, facts: {}};
    expect(signedInAnew(home)).toMatchObject({resume: 'connect', accountAnew: true});
    const {saved} = settings;
    const contexts = saved ? [{...saved, name: 'acme'}] : [];
    const anew = {...home, settings: {...settings, contexts}, answers: {resume: 'anew', connect} as const, facts};
    expect(signedInAnew(anew)).toEqual({connect, accountAnew: true});
  });

  test('keeps its client: the form asks for the secret only', () => {
    const state = signedOut({signIn: 'service-account', clientId: 'theirs', purpose: 'look'});
    const [first] = questionIn(state).offers;
    expect(first?.label).toBe('Enter the secret of theirs');
    const next = first && 'event' in first ? reduce(state, first.event) : expect.fail('It is an answer.');
    expect(currentStep(next).id).toBe('account-client');
    expect(viewOf(next, 0).body).toMatchObject({type: 'form', name: {initial: 'theirs', isKnown: true}});
  });

  test('gets a new client first if this program has created the one that it has: nobody knows its secret', () => {
    const state = signedOut({signIn: 'mcp-client', clientId: 'mine_assistants', purpose: 'look'}, 'mine');
    expect(labels(state).slice(0, 2)).toEqual(['Create an MCP client for them', 'Enter the secret of mine_assistants']);
  });

  test('has no purpose if nobody has chosen one', () => {
    const client = {signIn: 'mcp-client', clientId: 'theirs'} as const;
    const about = (state: WizardState) => JSON.stringify(questionIn(state).about);
    expect(about(signedOut({...client, purpose: 'look'}))).toContain('With its role, it can only look.');
    expect(about(signedOut(client))).not.toContain('With its role');
    const known = (state: WizardState) =>
      accountOf({...state, answers: {...state.answers, account: {signIn: 'mcp-client', clientId: 'theirs'}}});
    expect(known(signedOut({...client, purpose: 'look'}))).toMatchObject({clientId: 'theirs', purpose: 'look'});
    expect(known(signedOut(client))).not.toHaveProperty('purpose');
  });
});
