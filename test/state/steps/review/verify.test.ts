import {describe, expect, test} from 'vitest';
import {cursor} from '../../../../src/assistants/catalogue/cursor.ts';
import {generic} from '../../../../src/assistants/catalogue/generic.ts';
import {LIST_TIMEOUT} from '../../../../src/flows/time-limits.ts';
import type {WizardState} from '../../../../src/state/model.ts';
import {verify} from '../../../../src/state/steps/review/verify.ts';
import {whatWorks} from '../../../../src/state/steps/review/what-works.ts';
import {toLine, toRow} from '../../../../src/state/view/progress.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const {verified} = at.done.facts;

test('what was written is checked once, where there is any', () => {
  expect(verify.when(at.verify)).toBe(true);
  expect(verify.when({...at.verify, settings: {...at.verify.settings, login: true}})).toBe(false);
  expect([verify.done(at.verify), verify.done(at.done)]).toEqual([false, true]);
  expect(verify.forgets).toEqual({answers: [], facts: ['verified']});
  expect(verify.pendingRows(at.verify)).toMatchObject([
    {
      key: 'verified MCP JSON control-plane',
      label: 'MCP JSON',
      value: 'Control plane MCP server',
      atMost: LIST_TIMEOUT,
    },
    {key: 'verified MCP JSON observability'},
  ]);
});

describe('a role that was missing', () => {
  const missing = {message: 'It has none.', remedy: 'Ask for one.'};
  const {check} = at.verify.facts;
  const state: WizardState = {
    ...at.verify,
    facts: {
      ...at.verify.facts,
      check: {...(check ?? expect.fail('It was checked.')), withoutRole: missing},
      accountAccess: {access: 'no role', withoutRole: missing},
      account: {token: at.verify.facts.token},
    } as WizardState['facts'],
  };
  const looking = async (outcome: object | undefined) => {
    replaceFlows('assistants/verify-entries.ts', {verifyEntries: {outcome: verified}});
    replaceFlows('platform-tools/account-access.ts', {rightsNow: [{outcome}, {outcome}]});
    return (await runStep(verify, state)).result;
  };

  test('is looked at once more, because somebody may have granted it since', async () => {
    const found = await looking({access: 'a role for everything'});
    expect(found).toEqual({
      verified,
      check: {...check, access: 'a role for everything'},
      accountAccess: {access: 'a role for everything'},
    });
    const before = whatWorks({...state, facts: {...state.facts, verified}} as WizardState);
    const after = whatWorks({...state, facts: {...state.facts, ...found}} as WizardState);
    expect([before, after]).toEqual(['without-role', 'file']);
  });

  test.each([undefined, {access: 'none', withoutRole: missing}])(
    'stays missing until it is known to be there',
    async outcome => {
      expect(await looking(outcome)).toEqual({verified});
    },
  );
});

describe('through each entry', () => {
  const run = async (state: WizardState, ids: readonly string[] = ['generic']) => {
    const entries = replaceFlows('assistants/verify-entries.ts', {verifyEntries: {outcome: verified}});
    const renewal = replaceFlows('sign-in/resume-sign-in.ts', {verifyRenewal: {outcome: undefined}});
    expect((await runStep(verify, state)).result).toEqual({verified});
    expect(entries.verifyEntries).toMatchObject([{targets: ids.map(id => ({assistant: {id}})), context: 'acme'}]);
    return renewal.verifyRenewal;
  };
  /** Returns a state with a platform on another machine, and with network settings of its own. */
  const away = (method: 'bridge' | 'header', renewable = true): WizardState => {
    const {token} = at.verify.facts;
    return {
      ...at.verify,
      settings: {...at.verify.settings, network: {proxy: 'none'}},
      answers: {...at.verify.answers, connect: {assistants: ['generic'], scope: 'user', method}},
      facts: {
        ...at.verify.facts,
        ...(token ? {token: {...token, renewable}} : {}),
        deployment: {...deployment, controlPlaneUrl: 'https://api.acme.example.com'},
      },
    };
  };

  test('its server is asked', async () => {
    expect(await run(at.verify)).toEqual([]);
  });

  test('a renewal is tried too where the way is one that a program without this shell could miss', async () => {
    expect(await run(away('bridge'))).toMatchObject([
      {own: at.verify.settings.own, context: {name: 'acme', network: {proxy: 'none'}}},
    ]);
    expect(await run(away('header'))).toEqual([]);
    // One entry of several is enough.
    const connect = {assistants: ['generic', 'cursor'], scope: 'user', method: 'auto'} as const;
    const {answers, settings, ...state} = away('header');
    const several = {...state, answers: {...answers, connect}, settings: {...settings, assistants: [generic, cursor]}};
    expect(await run(several, connect.assistants)).toHaveLength(1);
    expect(await run(away('bridge', false))).toEqual([]);
  });
});

test('a sign-in that has ended is got back, and a file that has changed is looked at again', () => {
  const failure = {step: 'verify', whose: 'you', headline: 'It failed', message: '', remedy: ''} as const;
  const events = (code: 'auth-sign-in-required' | 'local-file-changed' | 'network-timeout') =>
    verify.recovery(at.verify, {...failure, code}).offers.map(one => 'event' in one && one.event);
  expect(events('auth-sign-in-required')).toEqual([{type: 'went-back', to: 'obtain-token'}]);
  expect(events('local-file-changed')).toEqual([{type: 'went-back', to: 'plan'}]);
  expect(events('network-timeout')).toEqual([]);
});

test('a sign-in that has ended leaves files to revert only where this run has written some', () => {
  const failure = {step: 'verify', whose: 'you', headline: 'It failed', message: '', remedy: ''} as const;
  const advice = (state: WizardState) => verify.recovery(state, {...failure, code: 'auth-sign-in-required'}).advice;
  expect(advice(at.verify)).toMatch(/^Sign in again\. The files are already written; to revert them, run .* undo\.$/);
  const plan = {files: [], entries: []};
  expect(advice({...at.verify, facts: {...at.verify.facts, plan}})).toBe('Sign in again.');
});

test('what is told', () => {
  const event = {
    ...{type: 'server-verified', assistant: 'Cursor', server: 'observability', label: 'x'},
    ...{path: '/home/ann/.cursor/mcp.json', tools: 6, tokens: 1490, ms: 4},
  } as never;
  expect(toRow(event, at.verify.settings)).toEqual({
    ...{key: 'verified Cursor observability', status: 'ok', label: 'Cursor'},
    ...{value: 'Observability MCP server, 6 tools, about 1,500 tokens', ms: 4},
  });
  expect(toLine(event, {place: {home: '/home/ann'}})).toBe(
    'Observability MCP server answers Cursor through ~/.cursor/mcp.json: 6 tools, about 1,500 tokens (4 ms)',
  );
});
