import {describe, expect, test} from 'vitest';
import type {Facts, Settings, WizardState} from '../../../../src/state/model.ts';
import {done} from '../../../../src/state/steps/review/done.ts';
import {at} from '../../../support/states.ts';

const token = at.done.facts.token as NonNullable<Facts['token']>;

const having = (facts: Facts = {}, settings: Partial<Settings> = {}): WizardState => ({
  ...at.done,
  settings: {...at.done.settings, ...settings},
  facts: {...at.done.facts, ...facts},
});

/** Only the sign-in is kept: nothing was written. */
const signedIn: WizardState = {...at.check, facts: {...at.check.facts, signInSaved: true}};

test('the end is never done', () => {
  expect(done.done()).toBe(false);
  expect(done.forgets).toEqual({answers: [], facts: []});
});

describe('the heading', () => {
  const heading = (state: WizardState) => done.ask(state, 0).heading;

  test('says what works', () => {
    expect(heading(at.done)).toBe('Done: the servers answer through what was written');
    expect(heading(signedIn)).toBe('You are signed in as mcp_client');
    const check = {...at.done.facts.check, withoutRole: {message: 'No role.', remedy: 'Ask.'}} as never;
    expect(heading(having({check}))).toBe('Connected, but the account has no role yet');
  });
});

test('the files are listed, below their directory in the demonstration', () => {
  expect(done.ask(at.done, 0).files).toEqual({
    title: 'Files',
    lines: [
      {path: '~/project/mcp.json', change: 'new'},
      {path: '~/.config/platform-setup/config.json', change: 'new'},
    ],
  });
  const demo = done.ask(having({}, {demo: {directory: '/home/ann'}}), 0);
  expect(demo.files).toMatchObject({title: 'Files, below /home/ann', lines: [{path: 'project/mcp.json'}, {}]});
  expect(done.ask(signedIn, 0)).not.toHaveProperty('files');
});

describe('what is next', () => {
  const next = (state: WizardState, now = 0) =>
    done.ask(state, now).next.map(({before, strong}) => `${before}${strong}`);
  const ask = 'Ask your assistant: Which projects do I have, and is anything failing?';
  const undo = 'Undo everything with npx setup undo';

  test('is a renewal where a token stands in a file', () => {
    expect(next(at.done)).toEqual([
      'The token in these entries is good for 1 h. Renew it with npx setup mcp connect',
      undo,
      ask,
    ]);
    expect(next(at.done, 1_800_000)[0]).toContain('good for 30 min');
    const {expiresAt: _, ...endless} = token;
    expect(next(having({token: endless}))).toEqual([undo, ask]);
  });

  test('is a sign-in where this one ends', () => {
    expect(next({...signedIn, facts: {...signedIn.facts, token: {...token, signInEndsAt: 7_200_000}}})).toEqual([
      'Your sign-in ends in 2 h. To sign in again, run npx setup',
    ]);
    const unrenewed = {...token, renewable: false, expiresAt: 3_600_000};
    expect(next({...signedIn, facts: {...signedIn.facts, token: unrenewed}})).toEqual([
      'Your sign-in ends in 1 h. To sign in again, run npx setup',
    ]);
    expect(next(signedIn)).toEqual([]);
    expect(next({...signedIn, facts: {}})).toEqual([]);
  });

  test('is the real thing after the demonstration', () => {
    expect(next(having({}, {demo: {directory: '/tmp/demo'}}))).toEqual([
      'This was the sandbox, and it ends when you leave. For real: npx setup',
    ]);
  });
});
