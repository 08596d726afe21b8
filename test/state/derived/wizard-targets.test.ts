import {describe, expect, test} from 'vitest';
import {claudeCode} from '../../../src/assistants/catalogue/claude-code.ts';
import {claudeDesktop} from '../../../src/assistants/catalogue/claude-desktop.ts';
import {continueDev} from '../../../src/assistants/catalogue/continue.ts';
import {cursor} from '../../../src/assistants/catalogue/cursor.ts';
import {documented, generic} from '../../../src/assistants/catalogue/generic.ts';
import type {ContextEntry, Method, Scope} from '../../../src/domain/context.ts';
import {
  connectedOf,
  hasTargets,
  methodFor,
  planInputOf,
  selectionAtFirst,
  selectionOf,
  targetsOf,
  tickedOf,
} from '../../../src/state/derived/wizard-targets.ts';
import type {Answers, Facts, Settings, WizardState} from '../../../src/state/model.ts';
import type {AssistantSelection} from '../../../src/state/selection.ts';
import {contextAt} from '../../support/context.ts';
import {at, deployment} from '../../support/states.ts';

const {place} = at.review.settings;

const entryOf = (assistant: string, change: Partial<ContextEntry> = {}): ContextEntry => ({
  assistant,
  scope: 'user',
  project: place.project,
  method: 'bridge',
  path: `/home/ann/.${assistant}.json`,
  names: ['acme-control-plane'],
  ...change,
});

const savedWith = (...entries: readonly ContextEntry[]) => ({
  ...contextAt('http://idp.acme.localhost:8080'),
  entries,
});

const having = (settings: Partial<Settings>, answers: Partial<Answers> = {}, facts: Facts = {}): WizardState => ({
  ...at.assistants,
  settings: {...at.assistants.settings, assistants: [claudeCode, cursor, generic], ...settings},
  answers: {...at.assistants.answers, ...answers},
  facts: {...at.assistants.facts, ...facts},
});

const choosing = (
  assistants: AssistantSelection['assistants'],
  {scope = 'user', method = 'auto', ...more}: Partial<Omit<AssistantSelection, 'assistants'>> = {},
) => ({connect: {assistants, scope, method, ...more}});

const inHere = (assistant: string) => entryOf(assistant, {scope: 'project'});

/** Each target as its assistant, its scope and its method. */
const shown = (state: WizardState) =>
  targetsOf(state).targets.map(({assistant, scope, method}) => [assistant.id, scope, method]);

describe('who is connected', () => {
  test('mcp.json in the shape that was asked for, also beside what is found', () => {
    const shaped = {assistants: [claudeCode, generic, documented], isDocumentedShape: true} as const;
    const ids = (state: WizardState) => targetsOf(state).targets.map(({assistant}) => assistant.id);
    const found = (installed: boolean) => ({
      found: [
        {id: 'claude-code', name: 'Claude Code', installed, paths: {}, methods: ['helper'] as const},
        ...['generic', 'documented'].map(id => ({
          id,
          name: id,
          installed: false,
          paths: {},
          methods: ['header'] as const,
        })),
      ],
    });
    expect(ids(having(shaped, choosing('detected'), found(false)))).toEqual(['documented']);
    expect(ids(having(shaped, choosing('detected'), found(true)))).toEqual(['claude-code', 'documented']);
    expect([...tickedOf(having(shaped, {}, found(false)))]).toEqual(['documented']);
  });

  test('is nobody before somebody is chosen, or found', () => {
    expect(shown(having({}))).toEqual([]);
    const {found: _, ...facts} = at.assistants.facts;
    expect(shown({...having({}, choosing(['cursor'])), facts})).toEqual([]);
  });

  test('is who was chosen and is known, in the best way that each allows', () => {
    expect(shown(having({}, choosing(['claude-code', 'cursor', 'unheard-of'])))).toEqual([
      ['claude-code', 'user', 'helper'],
      ['cursor', 'user', 'bridge'],
    ]);
  });

  test('has the other scope where the one that is wanted is not there, and the way that every client allows where none was found', () => {
    const state = having({assistants: [generic, claudeDesktop]}, choosing(['generic', 'claude-desktop']));
    expect(shown(state)).toEqual([
      ['generic', 'project', 'bridge'],
      ['claude-desktop', 'user', 'bridge'],
    ]);
    expect(shown(having({assistants: [claudeDesktop]}, choosing(['claude-desktop'], {scope: 'project'})))).toEqual([
      ['claude-desktop', 'user', 'bridge'],
    ]);
  });

  test('is connected in the project where a new file of its own would cost the client something', () => {
    const found = (paths: object) => ({
      found: [{id: 'continue', name: 'Continue', installed: true, paths, methods: ['bridge']} as const],
    });
    const targets = (scope: Scope, paths: object) =>
      targetsOf(having({assistants: [continueDev]}, choosing(['continue'], {scope}), found(paths))).targets;
    const [user, project] = ['/home/ann/.continue/config.yaml', '/work/app/.continue/mcpServers/platform-setup.yaml'];
    expect(targets('user', {project})).toMatchObject([{scope: 'project', spared: expect.stringContaining('models')}]);
    expect(targets('project', {project})).toEqual([{assistant: continueDev, scope: 'project', method: 'bridge'}]);
    expect(targets('user', {user, project})).toEqual([{assistant: continueDev, scope: 'user', method: 'bridge'}]);
  });

  test('has the way that is wanted where it is there, else remembers that another one was', () => {
    const targets = (method: Method) => targetsOf(having({}, choosing(['claude-code', 'cursor'], {method}))).targets;
    expect(targets('helper')).toEqual([
      {assistant: claudeCode, scope: 'user', method: 'helper'},
      {assistant: cursor, scope: 'user', method: 'bridge', wanted: 'helper'},
    ]);
    expect(targets('bridge').map(({method}) => method)).toEqual(['bridge', 'bridge']);
    expect(targetsOf(having({}, choosing(['cursor']))).targets).toEqual([
      {assistant: cursor, scope: 'user', method: 'bridge'},
    ]);
  });

  test('is who is here where that is said, and any client’s own file where nobody is', () => {
    expect(shown(having({}, choosing('detected')))).toEqual([['claude-code', 'user', 'helper']]);
    const found = at.assistants.facts.found?.map(one => ({...one, installed: false})) ?? [];
    expect(shown(having({}, choosing('detected'), {found}))).toEqual([['generic', 'project', 'bridge']]);
  });

  test('has the file for any client as well in the demonstration', () => {
    const state = having({demo: {directory: '/tmp/demo', release: '1.2'}}, choosing('detected'));
    expect(shown(state).map(([id]) => id)).toEqual(['claude-code', 'generic']);
  });
});

describe('who was connected before', () => {
  const saved = savedWith(entryOf('cursor', {scope: 'project', method: 'header'}), entryOf('gone'));

  test('is renewed as it was agreed to then, where only the sign-in is wanted', () => {
    const expected = [{assistant: cursor, scope: 'project', method: 'header', renews: saved.entries[0]}];
    expect(targetsOf(having({saved}, {resume: 'renew'})).targets).toEqual(expected);
    expect(targetsOf(having({saved, login: true}, {resume: 'sign-in'})).targets).toEqual(expected);
    const {entries: _, ...without} = saved;
    expect(targetsOf(having({saved: without}, {resume: 'renew'})).targets).toEqual([]);
    expect(targetsOf(having({}, {resume: 'renew'})).targets).toEqual([]);
  });

  test('stays as it was where somebody else is connected with nothing else said', () => {
    const keeps = {keepsConnected: true} as const;
    const state = having({saved}, {resume: 'connect', ...choosing(['cursor', 'claude-code'], keeps)});
    expect(shown(state)).toEqual([
      ['cursor', 'project', 'header'],
      ['claude-code', 'user', 'helper'],
    ]);
    expect(shown(having({saved}, {resume: 'connect', ...choosing(['claude-code'], keeps)}))).toEqual([
      ['claude-code', 'user', 'helper'],
    ]);
  });

  test('becomes what suggests itself where that is what the person said', () => {
    expect(shown(having({saved}, {resume: 'connect', ...choosing(['cursor'])}))).toEqual([
      ['cursor', 'user', 'bridge'],
    ]);
  });

  test.each<[string, readonly ContextEntry[], object]>([
    ['nobody', [], {scope: 'user', method: 'auto'}],
    ['all of them in this project', [inHere('cursor'), inHere('claude-code')], {scope: 'project', method: 'auto'}],
    ['one elsewhere', [inHere('cursor'), entryOf('claude-code')], {scope: 'user', method: 'auto'}],
    [
      'one in another project',
      [entryOf('cursor', {scope: 'project', project: '/other'})],
      {scope: 'user', method: 'auto'},
    ],
    ['all of them by a token', [entryOf('cursor', {method: 'header'})], {scope: 'user', method: 'header'}],
    [
      'some by a token',
      [entryOf('cursor', {method: 'header'}), entryOf('claude-code')],
      {scope: 'user', method: 'auto'},
    ],
  ])('is where the choice begins: %s', (_who, entries, selection) => {
    const state = having({saved: savedWith(...entries)}, {resume: 'connect'});
    const keeps = entries.length > 0 ? {keepsConnected: true} : {};
    expect(selectionAtFirst(state)).toEqual({...selection, ...keeps});
    expect(selectionAtFirst(having({saved: savedWith(...entries)}))).toEqual({scope: 'user', method: 'auto'});
    const flags = {connect: {scope: 'project'}} as const;
    expect(selectionAtFirst(having({saved: savedWith(...entries), ...flags}, {resume: 'connect'}))).toEqual({
      ...{scope: 'project', method: 'auto'},
    });
  });

  test.each([
    ['a way', {method: 'bridge'}, ['cursor', 'user', 'bridge']],
    ['a scope', {scope: 'project'}, ['cursor', 'project', 'bridge']],
  ] as const)('changes where %s is said', (_what, said, target) => {
    expect(shown(having({saved}, {resume: 'connect', ...choosing(['cursor'], said)}))).toEqual([target]);
  });

  test('is not looked at where it is about something else', () => {
    expect(shown(having({saved}, {resume: 'anew', ...choosing(['cursor'])}))).toEqual([['cursor', 'user', 'bridge']]);
    expect(connectedOf(having({saved}, {resume: 'connect'}))).toEqual(['cursor']);
    expect(connectedOf(having({saved}, {resume: 'anew'}))).toEqual([]);
    expect(connectedOf(having({saved}))).toEqual([]);
  });

  test('is ticked, and not another one that is here, which the person may have left out', () => {
    expect([...tickedOf(having({saved}, {resume: 'connect'}))]).toEqual(['cursor']);
    expect([...tickedOf(having({saved}))]).toEqual(['claude-code']);
  });
});

describe('a selection', () => {
  const ticking = (state: WizardState, ...ids: readonly string[]) =>
    selectionOf(state, {ticked: new Set(ids), scope: 'project', method: 'bridge'});

  test('is who is ticked, in the order in which they stand', () => {
    expect(ticking(having({}), 'generic', 'claude-code')).toEqual({
      assistants: ['claude-code', 'generic'],
      scope: 'project',
      method: 'bridge',
    });
    const {found: _, ...facts} = at.assistants.facts;
    expect(ticking({...having({}), facts}, 'generic').assistants).toEqual([]);
  });

  test('has who was connected and is not ticked any more leave, once', () => {
    const saved = savedWith(entryOf('cursor'), entryOf('cursor', {scope: 'project'}), entryOf('claude-code'));
    const state = having({saved}, {resume: 'connect'});
    expect(ticking(state, 'claude-code').disconnecting).toEqual(['cursor']);
    expect(ticking(state, 'claude-code', 'cursor')).not.toHaveProperty('leaving');
  });

  test('that was made is ticked when it is asked for again', () => {
    const chosen = {assistants: ['cursor'], scope: 'user', method: 'auto'} as const;
    expect([...tickedOf({...having({}), chosen})]).toEqual(['cursor']);
    expect([...tickedOf({...having({}), chosen: {...chosen, assistants: 'detected'}})]).toEqual(['claude-code']);
  });
});

describe('the entries of who leaves', () => {
  const connect = {
    assistants: ['claude-code'],
    scope: 'user',
    method: 'auto',
    disconnecting: ['cursor', 'gone'],
  } as const;
  const disconnecting = (...entries: readonly ContextEntry[]) =>
    planInputOf(having({saved: savedWith(...entries)}, {resume: 'connect', connect})).disconnecting.map(
      ({entry}) => entry,
    );

  test('are the person’s own, and this project’s', () => {
    const [own, here] = [entryOf('cursor', {project: '/elsewhere'}), entryOf('cursor', {scope: 'project'})];
    expect(disconnecting(own, here)).toEqual([own, here]);
  });

  test('are those of a project that Windows finds in other capitals', () => {
    const entry = entryOf('cursor', {scope: 'project', project: 'c:\\WORK\\app'});
    const saved = savedWith(entry);
    const on = (project: string) =>
      planInputOf(having({saved, place: {...place, project}}, {resume: 'connect', connect})).disconnecting;
    expect(on('C:\\Work\\App').map(one => one.entry)).toEqual([entry]);
    expect(on('C:\\Work\\Application')).toEqual([]);
  });

  test('are not another project’s', () => {
    expect(disconnecting(entryOf('cursor', {scope: 'project', project: '/home/ann/another'}))).toEqual([]);
  });

  test('are not those of who stays, or of who is not known any more', () => {
    expect(disconnecting(entryOf('claude-code'), entryOf('gone'))).toEqual([]);
  });

  test('are none where nobody leaves', () => {
    const saved = savedWith(entryOf('cursor'));
    expect(planInputOf(having({saved}, {resume: 'connect', ...choosing(['cursor'])})).disconnecting).toEqual([]);
    expect(planInputOf(having({saved}, {resume: 'connect'})).disconnecting).toEqual([]);
    expect(planInputOf(having({}, {resume: 'connect', connect})).disconnecting).toEqual([]);
  });
});

describe('the way in which an assistant is kept signed in', () => {
  test('is the best that it allows, or the one that is wanted', () => {
    expect(methodFor('auto', ['bridge', 'header'])).toBe('bridge');
    expect(methodFor('header', ['bridge', 'header'])).toBe('header');
    expect(methodFor('helper', ['bridge', 'header'])).toBe('bridge');
    expect(methodFor('helper', [])).toBe('bridge');
  });
});

describe('what is written', () => {
  test('is an entry for each server, or for those that are wanted', () => {
    const labels = (state: WizardState) => targetsOf(state).entries.map(({label}) => label);
    expect(labels(having({}))).toEqual(['acme-control-plane', 'acme-observability']);
    const some = having({servers: ['observability']});
    expect(labels(some)).toEqual(['acme-observability']);
    expect(targetsOf(some).every).toHaveLength(2);
    expect(targetsOf(some)).toMatchObject({context: 'acme', place, own: some.settings.own});
  });

  test('is something, unless only the sign-in is wanted and nobody is connected', () => {
    expect(hasTargets(having({}))).toBe(true);
    expect(hasTargets(having({login: true}))).toBe(false);
    expect(hasTargets(having({login: true, saved: savedWith(entryOf('cursor'))}, {resume: 'sign-in'}))).toBe(true);
  });
});

describe('what is planned beside', () => {
  const planned = (settings: Partial<Settings>, answers: Partial<Answers> = {}) => {
    const {ownFiles, replace, overwriteReadOnly, inGit} = planInputOf(having(settings, answers));
    return {ownFiles, replace, overwriteReadOnly, inGit};
  };

  test('are our own files, but for a sign-in that is kept already', () => {
    expect(planned({})).toEqual({
      ownFiles: 'all',
      replace: false,
      overwriteReadOnly: false,
      inGit: 'refuse',
    });
    expect(planned({}, {resume: 'connect'})).toMatchObject({ownFiles: 'contexts', replace: false});
    expect(planned({login: true})).toEqual({
      ownFiles: 'none',
      replace: false,
      overwriteReadOnly: 'with-ours',
      inGit: 'write',
    });
  });

  test('is what the person said about what stands in the way, by key before flag', () => {
    expect(planned({replace: true, inGit: 'ignore'})).toMatchObject({replace: true, inGit: 'ignore'});
    expect(planned({overwriteReadOnly: true})).toMatchObject({overwriteReadOnly: true});
    expect(planned({}, {overwriteReadOnly: true})).toMatchObject({overwriteReadOnly: true});
    expect(planned({inGit: 'ignore'}, {replace: true, inGit: 'write'})).toMatchObject({replace: true, inGit: 'write'});
  });

  test('are the tokens that the entries may hold', () => {
    const {tokens} = planInputOf(having({}, {}, {deployment}));
    expect(tokens.signIn.reveal()).toBe('the-access-token');
  });
});

test('only an entry in a project that starts this program is for everybody in it', () => {
  const shared = (method: 'auto' | 'header') =>
    targetsOf(having({}, choosing(['cursor'], {scope: 'project', method, isShared: true}))).targets;
  expect(shared('auto')).toMatchObject([{scope: 'project', method: 'bridge', isShared: true}]);
  expect(shared('header')).toMatchObject([{scope: 'project', method: 'header'}]);
  expect(shared('header')[0]).not.toHaveProperty('isShared');
});
