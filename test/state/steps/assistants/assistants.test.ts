import {describe, expect, test} from 'vitest';
import {cursor} from '../../../../src/assistants/catalogue/cursor.ts';
import {generic} from '../../../../src/assistants/catalogue/generic.ts';
import type {Answers, Settings, WizardState} from '../../../../src/state/model.ts';
import {assistants} from '../../../../src/state/steps/assistants/assistants.ts';
import type {Selecting} from '../../../../src/state/view/view.ts';
import {contextAt} from '../../../support/context.ts';
import {at, withToolSets} from '../../../support/states.ts';

const having = (settings: Partial<Settings>, answers: Partial<Answers> = {}): WizardState => ({
  ...at.assistants,
  settings: {...at.assistants.settings, ...settings},
  answers: {...at.assistants.answers, ...answers},
});

const nobody = {assistants: [], scope: 'user', method: 'auto'} as const;

test('assistants are chosen once, unless it is about a sign-in, or about none of them', () => {
  expect(assistants.when(at.assistants)).toBe(true);
  expect(assistants.when(having({login: true}))).toBe(false);
  expect(assistants.when({...at.assistants, initialAnswers: {connect: nobody}})).toBe(false);
  // A person who has unticked all assistants can return to the ticks.
  expect(assistants.when(having({}, {connect: nobody}))).toBe(true);
  expect([assistants.done(at.assistants), assistants.done(at.review)]).toEqual([false, true]);
  expect(assistants.forgets).toEqual({
    answers: ['connect', 'contextName', 'replace', 'overwriteReadOnly', 'inGit'],
    facts: [],
  });
});

describe('the choice', () => {
  test('begins with those that are here, for all projects, in the best way', () => {
    const {initial} = assistants.ask(at.assistants, 0);
    expect({...initial, ticked: [...initial.ticked]}).toEqual({ticked: ['claude-code'], scope: 'user', method: 'auto'});
  });

  test('begins with what a flag has said, or with what was chosen last', () => {
    const said = having({connect: {scope: 'project', method: 'header'}});
    expect(assistants.ask(said, 0).initial).toMatchObject({scope: 'project', method: 'header'});
    const chosen = {assistants: ['cursor'], scope: 'user', method: 'bridge'} as const;
    const {initial} = assistants.ask({...said, chosen}, 0);
    expect({...initial, ticked: [...initial.ticked]}).toEqual({ticked: ['cursor'], scope: 'user', method: 'bridge'});
  });

  test('leaves out what cannot be chosen any more, at another platform', () => {
    const chosen = {assistants: ['cursor'], scope: 'user', method: 'oauth', tools: 'build'} as const;
    const elsewhere = assistants.ask({...at.assistants, chosen}, 0).initial;
    expect(elsewhere).toMatchObject({method: 'auto'});
    expect(elsewhere).not.toHaveProperty('tools');
    const {facts} = withToolSets;
    const state = {...having({oauthClient: 'assistants'}), facts, chosen};
    expect(assistants.ask(state, 0).initial).toMatchObject({method: 'oauth', tools: 'build'});
  });

  test('keeps the assistants that the command named, and those that are connected', () => {
    const entry = {assistant: 'generic', scope: 'project', project: '/home/ann/project', method: 'bridge'} as const;
    const saved = {
      ...contextAt('http://idp.acme.localhost:8080'),
      entries: [{...entry, path: '/home/ann/project/.mcp.json', names: ['acme-control-plane']}],
    };
    const named = {assistants: ['cursor'], scope: 'project', method: 'auto', keepsConnected: true} as const;
    const back = {
      ...having({saved, assistants: [cursor, generic]}, {resume: 'connect'}),
      initialAnswers: {connect: named},
    };
    const view = assistants.ask(back, 0);
    expect([...view.initial.ticked].toSorted()).toEqual(['cursor', 'generic']);
    expect(view.initial).toMatchObject({scope: 'project', keepsConnected: true});
    // Nothing is disconnected by going on with it.
    const event = view.toEvent(view.initial);
    expect(event.type === 'answered' && event.answers.connect).not.toHaveProperty('disconnecting');
    // What the person ticks afterwards counts alone.
    const chosen = {assistants: ['cursor'], scope: 'user', method: 'auto'} as const;
    expect([...assistants.ask({...back, chosen}, 0).initial.ticked]).toEqual(['cursor']);
  });

  test('goes through the scopes, without one for everybody where this program keeps its files elsewhere', () => {
    const scopes = (state: WizardState) => {
      const {initial, nextScope, scope} = assistants.ask(state, 0);
      const second = nextScope(initial);
      return [second, nextScope(second)].map(scope);
    };
    const {own} = at.assistants.settings;
    expect(scopes(having({own: {command: own.command, args: own.args}}))).toEqual([
      'this project only',
      'this project, for everybody in it',
    ]);
    expect(scopes(having({own: {...own, home: '/tmp/demo'}}))).toEqual(['this project only', 'all your projects']);
  });

  test('writes no token of the person’s into a file for everybody', () => {
    const {own} = at.assistants.settings;
    const {initial, nextScope, nextMethod, hasOtherMethod, signIn} = assistants.ask(
      having({own: {command: own.command, args: own.args}}),
      0,
    );
    const shared = {...initial, scope: 'project', isShared: true} as const;
    expect(nextMethod(initial).method).toBe('header');
    // After “Connect without a token”, the key shows another method at once.
    expect(nextMethod({...initial, method: 'bridge'}).method).toBe('header');
    expect(nextMethod(shared).method).toBe('auto');
    // The key is not offered there, and the reason is shown.
    expect([hasOtherMethod(initial), hasOtherMethod(shared)]).toEqual([true, false]);
    expect(signIn(shared)).toContain('the only method for a shared file');
    const byHeader = nextScope({...initial, scope: 'project', method: 'header'});
    expect(byHeader).not.toHaveProperty('isShared');
  });

  test('goes through no scope that nobody who is ticked has', () => {
    const {own} = at.assistants.settings;
    const state = having({own: {command: own.command, args: own.args}});
    const {initial, nextScope, scope} = assistants.ask(state, 0);
    const begun: Selecting = {...initial, ticked: new Set(['generic'])};
    const shown: Selecting[] = [begun];
    for (let press = 0; press < 3; press += 1) shown.push(nextScope(shown[press] ?? begun));
    expect(shown.map(scope)).toEqual([
      'this project only',
      'this project, for everybody in it',
      'this project only',
      'this project, for everybody in it',
    ]);
  });

  test('says so where nobody is here', () => {
    expect(assistants.ask(at.assistants, 0)).not.toHaveProperty('note');
    const found = (at.assistants.facts.found ?? []).map(one => ({...one, installed: false}));
    const state = {...at.assistants, facts: {...at.assistants.facts, found}};
    const {note, initial} = assistants.ask(state, 0);
    expect(note).toMatch(/^No assistant was found\. /);
    expect([...initial.ticked]).toEqual(['generic']);
    const entry = {
      assistant: 'generic',
      scope: 'project',
      project: '/',
      method: 'bridge',
      path: '/x',
      names: [],
    } as const;
    const saved = {...contextAt('http://idp.acme.localhost:8080'), entries: [entry]};
    const again = {...state, settings: {...state.settings, contexts: [saved], contextName: saved.name}};
    expect(assistants.ask(again, 0)).not.toHaveProperty('note');
  });

  test('says as whom the assistants act, and that they may only look for now', () => {
    const saved = contextAt('http://idp.acme.localhost:8080');
    expect(assistants.ask(having({saved}), 0)).not.toHaveProperty('note');
    const assistantsAccount = {signIn: 'mcp-client', clientId: 'acme_assistants'} as const;
    const limited = having({saved: {...saved, assistantsAccount, onlyLook: true}});
    const view = assistants.ask({...limited, answers: {...limited.answers, resume: 'connect'}}, 0);
    expect(view.note).toBe('All of them are limited to reading for now. To change that, press l on the first screen.');
    // Another deployment has its own switch.
    const elsewhere = having({saved: {...saved, name: 'other', onlyLook: true}});
    const anew = {...elsewhere.answers, resume: 'anew'} as const;
    expect(assistants.ask({...elsewhere, answers: anew}, 0)).not.toHaveProperty('note');
    expect(view.actsAs(view.initial)).toBe('their own account, acme_assistants');
    // A person who changes it without knowing its purpose begins with themselves.
    expect(view.nextActor(view.initial).actsAs).toBe('you');
  });

  test('goes through as whom the assistants may act, and back', () => {
    const view = assistants.ask(withToolSets, 0);
    const said: string[] = [];
    let selecting = view.initial;
    for (let count = 0; count < 5; count += 1) {
      said.push(view.actsAs(selecting));
      selecting = view.nextActor(selecting);
    }
    // The sign-in of these screens is that of a client.
    const client = 'mcp_client';
    const assistantsAccount = {signIn: 'mcp-client', clientId: 'acme_assistants', purpose: 'build'} as const;
    expect(said).toEqual([
      client,
      'an account of their own, meant only to look',
      'an account of their own, meant to build services',
      'an account of their own, meant to run the platform',
      client,
    ]);
    const asPerson = {...withToolSets, answers: {...withToolSets.answers, signIn: 'browser' as const}};
    expect(assistants.ask(asPerson, 0).actsAs(view.initial)).toBe('you');
    expect(view.toEvent({...selecting, actsAs: 'look'})).toMatchObject({answers: {connect: {actsAs: 'look'}}});
    const withoutRoles = assistants.ask(at.assistants, 0);
    // Without roles, an account of their own is the same for every purpose.
    const other = withoutRoles.nextActor(withoutRoles.initial);
    expect(other.actsAs).toBe('look');
    expect(withoutRoles.nextActor(other).actsAs).toBe('you');
    const saved = {...contextAt('http://idp.acme.localhost:8080'), assistantsAccount};
    const asSaved = assistants.ask({...having({saved}), answers: {...having({saved}).answers, resume: 'connect'}}, 0);
    const asPersonAgain = asSaved.nextActor(asSaved.initial);
    expect(asPersonAgain.actsAs).toBe('you');
    expect(asSaved.nextActor(asPersonAgain).actsAs).toBe('build');
    expect(withoutRoles.actsAs({...withoutRoles.initial, actsAs: 'look'})).toBe(
      'an account of their own; this release has no roles, so nothing on the platform limits it',
    );
  });

  test('says in WSL where to run it for assistants on Windows, if these cannot be seen', () => {
    const on = (env: Readonly<Record<string, string>>) =>
      assistants.ask(having({place: {...at.assistants.settings.place, env}}), 0);
    const wsl = {WSL_DISTRO_NAME: 'Ubuntu', PATH: '/usr/bin'};
    expect(on(wsl).note).toMatch(/^Setup can’t see assistants on Windows .* run npx setup in Windows\.$/);
    const PATH = '/usr/bin:/mnt/c/Users/ann/AppData/Local/Microsoft/WindowsApps';
    expect(on({...wsl, PATH})).not.toHaveProperty('note');
  });

  test('says what each setting means, and answers with who is ticked', () => {
    const view = assistants.ask(at.assistants, 0);
    const selecting = {ticked: new Set(['cursor']), scope: 'user', method: 'header'} as const;
    expect(view.scope(selecting)).toBe('all your projects');
    expect(view.scope({...selecting, scope: 'project'})).toBe('this project only');
    // The file for other clients belongs to the project, whatever the scope.
    expect(view.scope({...selecting, ticked: new Set(['generic'])})).toBe('this project only');
    const beside = assistants.ask(having({assistants: [generic, cursor]}), 0);
    expect(beside.scope({...selecting, ticked: new Set(['generic', 'cursor'])})).toBe('all your projects');
    expect(view.signIn(selecting)).toBe('a token in the file; expires in 1 h');
    // The end of the person's sign-in says nothing of an account of the assistants' own.
    const {token, ...facts} = at.assistants.facts;
    const ending = {
      ...at.assistants,
      facts: {...facts, ...(token ? {token: {...token, signInEndsAt: 7_200_000}} : {})},
    };
    const {signIn} = assistants.ask(ending, 0);
    expect(signIn({...selecting, method: 'auto'})).toBe('renewed automatically; sign in again in 2 h');
    expect(signIn({...selecting, method: 'auto', actsAs: 'look'})).toBe('renewed automatically');
    expect(view.rows(selecting).map(({isNear}) => isNear)).toEqual([true, false, true]);
    expect(view.toEvent(selecting)).toEqual({
      type: 'answered',
      answers: {connect: {assistants: ['cursor'], scope: 'user', method: 'header'}},
    });
  });
});

test('nobody there to be asked connects those that are here', () => {
  expect(assistants.defaultAnswer(at.assistants)).toEqual({
    connect: {assistants: 'detected', scope: 'user', method: 'auto'},
  });
  expect(assistants.defaultAnswer(having({connect: {scope: 'project'}}))).toEqual({
    connect: {assistants: 'detected', scope: 'project', method: 'auto'},
  });
});

test('the receipt names who was chosen', () => {
  expect(assistants.receipts(at.assistants)).toEqual([]);
  expect(assistants.receipts(at.review)).toEqual([{label: 'Assistants', text: 'MCP JSON'}]);
  expect(assistants.receipts(having({}, {connect: nobody}))).toEqual([]);
  const {found: _, ...facts} = at.review.facts;
  expect(assistants.receipts({...at.review, facts})).toEqual([]);
  // Before the search there is no deployment after which entries could be named.
  expect(assistants.receipts({...at.review, facts: {}})).toEqual([]);
});
