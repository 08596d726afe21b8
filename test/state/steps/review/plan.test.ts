import {describe, expect, test} from 'vitest';
import {claudeCode} from '../../../../src/assistants/catalogue/claude-code.ts';
import {cursor} from '../../../../src/assistants/catalogue/cursor.ts';
import {openchoreo} from '../../../../src/platform/platforms.ts';
import type {Answers, Failure, WizardState} from '../../../../src/state/model.ts';
import {plan} from '../../../../src/state/steps/review/plan.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const connect = {assistants: ['claude-code', 'cursor'], scope: 'user', method: 'auto'} as const;

const having = (answers: Answers): WizardState => ({
  ...at.assistants,
  settings: {...at.assistants.settings, assistants: [claudeCode, cursor]},
  answers: {...at.assistants.answers, ...answers},
});

/** A state at a platform with a CLI of its own, which is to be signed in too. */
const withCli: WizardState = {
  ...having({connect, ownCli: true}),
  settings: {...at.assistants.settings, platform: openchoreo, kinds: [openchoreo]},
  facts: {...at.assistants.facts, deployment: {...deployment, platform: 'openchoreo'}},
};

const failure = (code: Failure['code'], about: Failure['about'] = {}): Failure => ({
  step: 'plan',
  code,
  whose: 'you',
  headline: 'It failed',
  message: 'It failed.',
  remedy: 'Mend it.',
  about,
});

test('something is planned where there is something to write, once', () => {
  expect([plan.when(at.review), plan.when(withCli)]).toEqual([true, true]);
  const login = {...at.review, settings: {...at.review.settings, login: true}};
  expect(plan.when(login)).toBe(false);
  expect(plan.when({...withCli, settings: {...withCli.settings, login: true}})).toBe(true);
  expect([plan.done(at.assistants), plan.done(at.review)]).toEqual([false, true]);
  expect(plan.forgets).toEqual({answers: [], facts: ['plan', 'plannedCli', 'unreadable', 'entryTokens']});
});

describe('what is planned', () => {
  const planned = {files: [], entries: []};

  test('are the files of the assistants', async () => {
    const asked = replaceFlows('assistants/plan-files.ts', {planFiles: {outcome: planned}});
    const {result, events} = await runStep(plan, having({connect}));
    expect([result, events]).toEqual([{plan: planned}, []]);
    expect(asked.planFiles).toMatchObject([{targets: [{assistant: {id: 'claude-code'}}, {assistant: {id: 'cursor'}}]}]);
  });

  test('is nothing of a CLI that the platform does not have, which is said', async () => {
    replaceFlows('assistants/plan-files.ts', {planFiles: {outcome: planned}});
    const {result, events} = await runStep(plan, having({connect, ownCli: true}));
    expect(result).toEqual({plan: planned});
    expect(events).toMatchObject([{type: 'warning', message: expect.stringContaining('has no CLI of its own')}]);
  });

  test('is the file of the platform’s own CLI too, after the others', async () => {
    const file = {path: '/home/ann/.openchoreo/config', change: 'new', summary: '', diff: '', before: null};
    const one = {...file, path: '/x'};
    replaceFlows('assistants/plan-files.ts', {planFiles: {outcome: {files: [one], entries: []}}});
    const flows = {
      cli: replaceFlows('own-cli/own-cli-file.ts', {
        planOwnCli: {outcome: {name: 'acme', file: {...file, write: async () => {}}}},
      }),
    };
    const {result} = await runStep(plan, withCli);
    expect(result).toMatchObject({
      plan: {files: [one, file], entries: []},
      plannedCli: {name: 'acme', file: {write: expect.any(Function)}},
    });
    expect(result.plan?.files[1]).not.toHaveProperty('write');
    expect(flows.cli.planOwnCli).toMatchObject([{context: {name: 'acme'}, home: '/home/ann'}]);
  });
});

describe('one file that cannot be written', () => {
  const labels = (state: WizardState, path?: string) =>
    plan.recovery(state, failure('local-file-invalid', path ? {path} : {})).offers.map(({label}) => label);
  const otherwise = 'Choose the assistants again';

  test('is left out, and the others are written', () => {
    const [offer] = plan.recovery(
      having({connect}),
      failure('local-file-invalid', {path: '/home/ann/.claude.json'}),
    ).offers;
    expect(offer).toMatchObject({
      label: 'Go on without Claude Code',
      event: {answers: {connect: {...connect, assistants: ['cursor']}}},
    });
  });

  test('is left out with everybody who reads it', () => {
    const found = at.assistants.facts.found?.map(one => ({...one, paths: {user: '/same'}})) ?? [];
    const state = {...having({connect: {...connect, assistants: ['claude-code', 'cursor', 'generic']}})};
    const three = {
      ...state,
      settings: {...state.settings, assistants: at.assistants.settings.assistants.concat(claudeCode, cursor)},
    };
    const shared = found.map(one => (one.id === 'generic' ? {...one, paths: {project: '/other'}} : one));
    expect(labels({...three, facts: {...three.facts, found: shared}}, '/same')).toEqual([
      'Go on without Claude Code and Cursor',
      otherwise,
    ]);
    const broken = failure('local-file-invalid', {path: '/same'});
    const [without] = plan.recovery({...three, facts: {...three.facts, found: shared}}, broken).offers;
    expect(without).toMatchObject({event: {answers: {connect: {assistants: ['generic']}}}});
  });

  test('is not left out where nothing would be left, or where it is nobody’s', () => {
    const only = {connect: {...connect, assistants: ['claude-code']}};
    expect(labels(having(only), '/home/ann/.claude.json')).toEqual([otherwise]);
    expect(labels(having({connect}), '/elsewhere')).toEqual([otherwise]);
    expect(labels(having({connect}))).toEqual([otherwise]);
    expect(labels(having({}), '/home/ann/.claude.json')).toEqual([otherwise]);
    const {found: _, ...facts} = at.assistants.facts;
    expect(labels({...having({connect}), facts}, '/home/ann/.claude.json')).toEqual([otherwise]);
    const nowhere = (at.assistants.facts.found ?? []).map(one => ({...one, paths: {}}));
    const homeless = {...having({connect}), facts: {...facts, found: nowhere}};
    expect(plan.recovery(homeless, failure('local-file-invalid')).offers).toHaveLength(1);
  });

  test('leads back to the assistants', () => {
    const {offers} = plan.recovery(having({}), failure('local-write-failed'));
    expect(offers).toEqual([{label: otherwise, event: {type: 'went-back', to: 'assistants'}}]);
  });
});

describe('an entry that is there already', () => {
  const offersIn = (answers: Answers) => plan.recovery(having(answers), failure('local-entry-exists')).offers;

  test('is replaced, or the deployment is named otherwise', () => {
    const [replace, name, other] = offersIn({connect});
    expect(replace).toMatchObject({event: {answers: {replace: true}}});
    expect(other?.label).toBe('Choose the assistants again');
    if (!name || !('ask' in name)) throw new Error('A name is typed.');
    expect(name.initial).toBe('acme-2');
    expect(name.toEvent(' of.it-1 ')).toEqual({type: 'answered', answers: {contextName: 'of.it-1'}});
    // A name that is not possible is refused and not changed without a word.
    expect(name.validate?.('of.it-1')).toBeUndefined();
    for (const not of ['bad name!', 'my  näme/of', 'x'.repeat(80), '-'])
      expect(name.validate?.(not)).toBe('A name takes letters, digits, dot, dash and underscore, 63 at most.');
  });

  test('keeps its name where the deployment is saved', () => {
    expect(offersIn({connect, resume: 'connect'}).map(({label}) => label)).toEqual([
      'Replace the entry',
      'Choose the assistants again',
    ]);
  });
});

test('a read-only file is written to, done without, or left with all others', () => {
  const {offers, heading, isNoTrouble} = plan.recovery(having({connect}), failure('local-file-read-only'));
  expect({heading, isNoTrouble}).toEqual({heading: 'Overwrite a read-only file?', isNoTrouble: true});
  expect(offers.map(one => ('event' in one ? one.event : undefined))).toEqual([
    {type: 'answered', answers: {overwriteReadOnly: true}},
    {type: 'went-back', to: 'assistants'},
  ]);
});

test('an entry for everybody that would not start here is written for the person alone, or chosen anew', () => {
  const shared = {...connect, scope: 'project', isShared: true} as const;
  const {offers, heading, isNoTrouble} = plan.recovery(
    having({connect: shared}),
    failure('input-invalid', {flag: 'scope'}),
  );
  expect({heading, isNoTrouble}).toEqual({heading: 'Connect this project for yourself only?', isNoTrouble: true});
  expect(offers.map(({label}) => label)).toEqual(['This project only', 'Choose the assistants again']);
  expect(offers[0]).toHaveProperty('event.answers.connect', {...connect, scope: 'project'});
});

test('a token that git would commit is kept out, done without, or written anyway', () => {
  const offersIn = (answers: Answers, about: Failure['about'] = {isIgnorable: true}) =>
    plan.recovery(having(answers), failure('local-token-in-git', about)).offers;
  expect(offersIn({connect}).map(one => ('event' in one ? one.event : undefined))).toEqual([
    {type: 'answered', answers: {inGit: 'ignore'}},
    {type: 'answered', answers: {connect: {...connect, method: 'bridge'}}},
    {type: 'answered', answers: {inGit: 'write'}},
    {type: 'went-back', to: 'assistants'},
  ]);
  expect(offersIn({})).toHaveLength(3);
  // If .gitignore does not help, it is not offered.
  expect(offersIn({connect}, {}).map(({label}) => label)).toEqual([
    'Connect without a token',
    'Write the token anyway',
    'Choose the assistants again',
  ]);
});
