import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {openchoreo} from '../../../src/platform/platforms.ts';
import {
  asksForOwnCli,
  isNewToOwnCli,
  ownCliFile,
  ownCliInputOf,
  ownCliName,
  wantsOwnCli,
} from '../../../src/state/derived/own-cli.ts';
import type {Answers, Settings, WizardState} from '../../../src/state/model.ts';
import {currentStep, stepBefore, stepsOf} from '../../../src/state/steps.ts';
import {contextAt} from '../../support/context.ts';
import {questionIn} from '../../support/standing-wizard.ts';
import {at} from '../../support/states.ts';

/** The wizard after the choice of assistants, at a platform with a CLI of its own. */
const chosen = ({facts, ...change}: Partial<WizardState> = {}): WizardState => {
  const before = at.review;
  const {plan: _, ...known} = before.facts;
  return {
    ...before,
    ...change,
    settings: {...before.settings, platform: openchoreo, kinds: [openchoreo]},
    facts: {...known, deployment: {...known.deployment, platform: 'openchoreo'} as never, ...facts},
  };
};

const ids = (state: WizardState) => stepsOf(state).map(({id}) => id);

describe('whether the platform’s own CLI is signed in too', () => {
  test('is asked after it was looked for, and yes stands where it is there', () => {
    expect(currentStep(chosen()).id).toBe('find-own-cli');
    const found = chosen({facts: {ownCli: {installed: true}}});
    expect(currentStep(found).id).toBe('own-cli');
    expect(questionIn(found)).toMatchObject({
      heading: 'Sign in occ too?',
      offers: [{label: 'Yes', hint: expect.stringContaining('~/.openchoreo/config')}, {label: 'No'}],
      initial: 0,
    });
    expect(stepBefore(found)).toBe('assistants');
  });

  test('is not asked where it is not on the machine', () => {
    const without = chosen({facts: {ownCli: {installed: false}}});
    expect(currentStep(without).id).toBe('plan');
    expect(wantsOwnCli(without)).toBe(false);
  });

  test('is not asked where the platform has none', () => {
    expect(ids(at.review)).not.toContain('own-cli');
  });

  test('is not asked where a flag has said it, and then nobody looks for it', () => {
    const state = chosen({initialAnswers: {ownCli: true}, answers: {...at.review.answers, ownCli: true}});
    expect(currentStep(state).id).toBe('plan');
    expect(wantsOwnCli(state)).toBe(true);
  });

  test('is known in a renewal, whose change nobody has to look at again', () => {
    const saved = {
      ...contextAt('http://idp.acme.localhost:8080'),
      platform: 'openchoreo',
      cli: {path: '/home/ann/.openchoreo/config', name: 'acme', added: []},
    };
    const renewal = (settings: Partial<WizardState['settings']>, ownCli?: true): WizardState => {
      const state = chosen();
      const answers = {resume: 'renew', ...(ownCli ? {ownCli} : {})} as const;
      return {...state, settings: {...state.settings, ...settings}, answers};
    };
    expect(ids(renewal({saved}))).toEqual(expect.arrayContaining(['plan', 'write']));
    expect(ids(renewal({saved}))).not.toContain('review');
    const {cli: _, ...without} = saved;
    expect(ids(renewal({saved: without}))).not.toContain('write');
    expect(ids(renewal({saved: without}, true))).toContain('review');
  });
});

describe('the CLI’s file', () => {
  test('is called as a person writes it', () => {
    expect([ownCliName(chosen()), ownCliFile(chosen())]).toEqual(['occ', '~/.openchoreo/config']);
    expect([ownCliName(at.review), ownCliFile(at.review)]).toEqual([undefined, '~']);
  });

  test('is not asked about where it is about what is connected, or about a sign-in', () => {
    expect(asksForOwnCli(chosen())).toBe(true);
    expect(asksForOwnCli(at.review)).toBe(false);
    expect(asksForOwnCli(chosen({answers: {resume: 'connect'}}))).toBe(false);
    expect(asksForOwnCli(chosen({answers: {resume: 'renew'}}))).toBe(false);
  });

  test('is written where that is wanted and there is one', () => {
    expect(wantsOwnCli({...at.review, answers: {...at.review.answers, ownCli: true}})).toBe(false);
    expect(wantsOwnCli(chosen({answers: {ownCli: false}}))).toBe(false);
    expect(wantsOwnCli(chosen({answers: {resume: 'renew'}}))).toBe(false);
    expect(isNewToOwnCli(chosen({answers: {ownCli: true}}))).toBe(true);
    expect(isNewToOwnCli(chosen({answers: {ownCli: false}}))).toBe(false);
  });
});

describe('what is entered in it', () => {
  const saved = {...contextAt('http://idp.acme.localhost:8080'), name: 'mine', platform: 'openchoreo'};
  const [refresh, clientSecret] = [new Secret('the-refresh-token'), new Secret('the-client-secret')];
  const having = (answers: Answers, settings: Partial<Settings> = {}, facts: WizardState['facts'] = {}) => {
    const state = chosen({answers, facts});
    return ownCliInputOf({...state, settings: {...state.settings, ...settings}});
  };
  const token = at.review.facts.token && {...at.review.facts.token, refresh};

  test('is the deployment of this run, with its release where it told', () => {
    expect(having({})).toMatchObject({
      platform: openchoreo,
      context: {name: 'acme', clientId: 'mcp_client'},
      version: '0.14.0',
      home: '/home/ann',
      replace: false,
    });
    const {version: _, ...deployment} = at.review.facts.deployment ?? ({} as never);
    expect(having({}, {}, {deployment: {...deployment, platform: 'openchoreo'}})).not.toHaveProperty('version');
  });

  test('is the saved context, with what is kept of it, where one goes on', () => {
    const input = having({resume: 'renew'}, {saved});
    expect(input.context).toBe(saved);
    expect(input).not.toHaveProperty('unsaved');
    expect(input.replace).toBe(true);
    expect(having({resume: 'connect'}, {saved})).toMatchObject({context: saved, replace: false});
  });

  test('replaces what is there where the person says so', () => {
    expect(having({replace: true}).replace).toBe(true);
    expect(having({}, {replace: true}).replace).toBe(true);
  });

  test('is what nobody keeps yet: a person’s refresh token, or a client’s secret', () => {
    const person = having({signIn: 'browser', clientSecret}, {}, token ? {token} : {}).unsaved;
    expect(Object.keys(person ?? {})).toEqual(['access', 'refresh']);
    expect([person?.access.reveal(), person?.refresh?.reveal()]).toEqual(['the-access-token', 'the-refresh-token']);
    const client = having({signIn: 'mcp-client', clientSecret}, {}, token ? {token} : {}).unsaved;
    expect(Object.keys(client ?? {})).toEqual(['access', 'clientSecret']);
    expect(client?.clientSecret?.reveal()).toBe('the-client-secret');
    expect(Object.keys(having({signIn: 'browser'}).unsaved ?? {})).toEqual(['access']);
    expect(Object.keys(having({signIn: 'mcp-client'}).unsaved ?? {})).toEqual(['access']);
  });

  test('is not what was kept at once', () => {
    expect(having({}, {}, {signInSaved: true})).not.toHaveProperty('unsaved');
  });
});
