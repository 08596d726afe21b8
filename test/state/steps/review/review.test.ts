import {expect, test} from 'vitest';
import {openchoreo} from '../../../../src/platform/platforms.ts';
import {contextOf} from '../../../../src/state/derived/wizard-context.ts';
import {review} from '../../../../src/state/steps/review/review.ts';
import {at, deployment} from '../../../support/states.ts';

const login = {...at.review, settings: {...at.review.settings, login: true}};

test('changes are reviewed that nobody has agreed to yet, once', () => {
  expect([review.when(at.review), review.when(login)]).toEqual([true, false]);
  const withCli = {
    ...login,
    settings: {...login.settings, platform: openchoreo, kinds: [openchoreo]},
    answers: {...login.answers, ownCli: true},
    facts: {...login.facts, deployment: {...deployment, platform: 'openchoreo'}},
  };
  expect(review.when(withCli)).toBe(true);
  expect([review.done(at.review), review.done(at.write)]).toEqual([false, true]);
  expect(review.forgets).toEqual({answers: ['changesAccepted'], facts: []});
});

test('each file is shown with its change, and with what was warned of', () => {
  expect(review.ask({...at.review, warnings: [{step: 'plan', message: 'careful'}]})).toMatchObject({
    type: 'review',
    plan: at.review.facts.plan,
    files: [
      {path: '~/project/.mcp.json', change: 'new', summary: '2 entries set', diff: expect.stringContaining('+')},
      {path: '~/.config/platform-setup/config.json', summary: 'addresses, no secrets', diff: ''},
    ],
    warnings: ['careful'],
    accept: {type: 'answered', answers: {changesAccepted: true}},
  });
  expect(() => review.ask(at.assistants)).toThrow('Nothing is reviewed before it is planned.');
});

test('a file that stays as it is does not stand among those that change', () => {
  const files = at.review.facts.plan?.files ?? [];
  const having = (...changes: readonly ('changed' | 'unchanged')[]) => {
    const plan = {...at.review.facts.plan, files: files.map((file, index) => ({...file, change: changes[index]}))};
    return review.ask({...at.review, facts: {...at.review.facts, plan}} as never);
  };
  expect(having('changed', 'unchanged').files.map(({path}) => path)).toEqual(['~/project/.mcp.json']);
  expect(having('changed', 'unchanged')).not.toHaveProperty('heading');
  expect(having('unchanged', 'unchanged')).toMatchObject({heading: 'No file has to change', files: [{}, {}]});
});

test('nobody there to look at them writes them with --yes only', () => {
  expect(review.defaultAnswer(at.review, true)).toEqual({changesAccepted: true});
  expect(review.defaultAnswer(at.review, false)).toBeUndefined();
  expect(review.inputRequired(at.review)).toMatchObject({
    code: 'input-required',
    message:
      'These files would change: ~/project/.mcp.json, ~/.config/platform-setup/config.json. There is no terminal to review them in.',
    remedy: 'Pass --yes to write them.',
    about: {flag: 'yes'},
  });
});

test('an account that is given up loses the role that setup granted, and no other', () => {
  const shown = (granted: object) => {
    const assistantsAccount = {clientId: 'theirs', signIn: 'service-account', purpose: 'look', ...granted} as const;
    const saved = {...contextOf(at.review), assistantsAccount};
    const {connect} = at.review.answers;
    const answers = {...at.review.answers, resume: 'connect', connect: {...connect, actsAs: 'you'}} as never;
    return JSON.stringify(review.ask({...at.review, settings: {...at.review.settings, saved}, answers}));
  };
  expect(shown({granted: {roles: ['r'], bindings: ['b']}})).toContain('will be signed out and lose its role.');
  expect(shown({})).toContain('will be signed out. A role that it has stays: setup did not grant it.');
});
