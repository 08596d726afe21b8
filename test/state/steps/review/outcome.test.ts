import {describe, expect, test} from 'vitest';
import {claudeCode} from '../../../../src/assistants/catalogue/claude-code.ts';
import {cursor} from '../../../../src/assistants/catalogue/cursor.ts';
import {generic} from '../../../../src/assistants/catalogue/generic.ts';
import {grokBuild} from '../../../../src/assistants/catalogue/grok-build.ts';
import {openchoreo} from '../../../../src/platform/platforms.ts';
import {targetsOf} from '../../../../src/state/derived/wizard-targets.ts';
import type {Facts, Settings, WizardState} from '../../../../src/state/model.ts';
import {
  hasTokenInFile,
  isUndoable,
  notesOf,
  organisationOutcomes,
  outcomesOf,
} from '../../../../src/state/steps/review/outcome.ts';
import {contextAt} from '../../../support/context.ts';
import {at, atAccount, deployment} from '../../../support/states.ts';

const having = (facts: Facts, settings: Partial<Settings> = {}): WizardState => ({
  ...at.done,
  settings: {...at.done.settings, ...settings},
  facts: {...at.done.facts, ...facts},
});

describe('what answered', () => {
  test('is one for each file that an assistant reads', () => {
    expect(outcomesOf(at.done)).toEqual([
      {assistant: 'MCP JSON', path: '~/project/.mcp.json', text: 'control plane 25 tools, observability 6 tools'},
    ]);
    const [first] = at.done.facts.verified ?? [];
    if (!first) throw new Error('Something answered.');
    const other = {...first, path: '/home/ann/other.json'};
    expect(outcomesOf(having({verified: [first, other]})).map(({path}) => path)).toEqual([
      '~/project/.mcp.json',
      '~/other.json',
    ]);
    expect(outcomesOf(at.check)).toEqual([]);
  });
});

test('what an organisation has connected is told with its file, where the assistant is here', () => {
  const providedBy = '/etc/claude-code/managed-mcp.json';
  const of = (id: string, installed: boolean) => ({id, installed, providedBy, methods: [], paths: {}});
  const settings = {assistants: [claudeCode, cursor]};
  const found = [of('claude-code', true), of('cursor', false)] as unknown as Facts['found'];
  expect(organisationOutcomes(having({...(found ? {found} : {})}, settings))).toEqual([
    {assistant: 'Claude Code', path: providedBy, text: 'connected by your organisation'},
  ]);
  expect(organisationOutcomes(at.done)).toEqual([]);
});

describe('what is still asked of the person', () => {
  test('is what the clients need, each sentence once', () => {
    expect(notesOf(at.done)).toEqual(['Restart the assistant that reads .mcp.json.']);
    const twice = {...at.done.settings, assistants: [cursor, {...cursor, id: 'claude-code'}]};
    const connect = {assistants: ['cursor', 'claude-code'], scope: 'user', method: 'auto'} as const;
    expect(notesOf({...at.done, settings: twice, answers: {...at.done.answers, connect}})).toHaveLength(1);
    const both = {...twice, assistants: [cursor, claudeCode]};
    expect(notesOf({...at.done, settings: both, answers: {...at.done.answers, connect}})).toHaveLength(2);
  });

  test('is nothing of who is here and reads the entries of another, which is said', () => {
    const settings = {...at.done.settings, assistants: [claudeCode, grokBuild]};
    const foundOf = (installed: boolean) =>
      [claudeCode, grokBuild].map(({id, name}) => ({id, name, installed, paths: {}, methods: ['bridge'] as const}));
    const notes = (assistants: readonly string[], installed = true) => {
      const connect = {assistants, scope: 'user', method: 'auto'} as const;
      const facts = {...at.done.facts, found: foundOf(installed)};
      return notesOf({...at.done, settings, facts, answers: {...at.done.answers, connect}});
    };
    const said = 'Grok Build also reads the entries of Claude Code, so it needs none of its own.';
    expect(notes(['claude-code'])).toContain(said);
    expect(notes(['claude-code'], false)).not.toContain(said);
    expect(notes(['claude-code', 'grok-build'])).not.toContain(said);
  });

  test('says who was disconnected, and not whose entries only moved', () => {
    const settings = {...at.done.settings, assistants: [cursor, generic]};
    const path = '/home/ann/.cursor/mcp.json';
    const notesWith = (entries: readonly object[], ...assistants: readonly string[]) => {
      const removed = [{assistant: 'cursor', path}];
      const connect = {assistants, scope: 'user', method: 'auto'} as const;
      const facts = {...at.done.facts, plan: {entries, files: [], removed} as never};
      return notesOf({...at.done, settings, facts, answers: {...at.done.answers, connect}});
    };
    const said = 'Cursor is disconnected: its entries were removed.';
    expect(notesWith([], 'generic')).toContain(said);
    expect(notesWith([], 'cursor')).not.toContain(said);
    const shared = notesWith([{assistant: 'generic', path}], 'generic');
    expect(shared).toContain(
      'Cursor is disconnected. The entries stay, because another assistant reads the same file.',
    );
    expect(shared).not.toContain(said);
  });

  test('names the assistants whose missing entries were added again', () => {
    const [first] = at.done.facts.verified ?? [];
    if (!first) throw new Error('Something answered.');
    const verified = [{...first, assistant: 'Cursor'}];
    expect(notesOf(having({verified, withoutEntries: ['Cursor', 'Zed']}))).toContain('Entries added again: Cursor.');
    expect(notesOf(having({verified, withoutEntries: []})).join()).not.toContain('again');
  });

  test('is nothing of a client whose file is as it was', () => {
    const unchanged = at.done.facts.plan?.files.map(file => ({...file, change: 'unchanged' as const})) ?? [];
    expect(notesOf(having({plan: {entries: [], files: unchanged}}))).toEqual([]);
  });

  test('is what the client needs also if this run wrote the file before it was interrupted', () => {
    const {plan, verified = []} = at.done.facts;
    const files = plan?.files.map(file => ({...file, change: 'unchanged' as const})) ?? [];
    const again = having({plan: {entries: [], files}, undoable: verified.map(({path}) => path)});
    expect(notesOf(again)).toEqual(['Restart the assistant that reads .mcp.json.']);
    expect(isUndoable(again)).toBe(true);
    expect(isUndoable(having({plan: {entries: [], files}}))).toBe(false);
  });

  test('is asked by the client whose own file has changed', () => {
    const [first] = at.done.facts.verified ?? [];
    if (!first) throw new Error('Something answered.');
    const theirs = (change: 'changed' | 'unchanged', path = '/home/ann/.cursor/mcp.json') => ({
      ...{path, change, summary: '', diff: '', before: null},
    });
    const settings = {...at.done.settings, assistants: [cursor, generic]};
    const connect = {assistants: ['cursor', 'generic'], scope: 'user', method: 'auto'} as const;
    const notes = (...files: readonly ReturnType<typeof theirs>[]) =>
      notesOf({
        ...having({
          verified: [first, {...first, assistant: cursor.name, path: '/home/ann/.cursor/mcp.json'}],
          plan: {entries: [], files: [...files, theirs('unchanged', first.path)]},
        }),
        settings,
        answers: {...at.done.answers, connect},
      });
    const asked = cursor.afterwards('user', 'bridge');
    expect(notes(theirs('changed'))).toEqual(asked);
    expect(notes(theirs('unchanged'))).toEqual([]);
    const place = {...settings.place, isElsewhere: true} as const;
    const inProject = notesOf({
      ...having({
        verified: [{...first, assistant: cursor.name, path: '/home/ann/project/.cursor/mcp.json'}],
        plan: {entries: [], files: [theirs('changed', '/home/ann/project/.cursor/mcp.json')]},
      }),
      settings: {...settings, place},
      answers: {...at.done.answers, connect: {...connect, assistants: ['cursor'], scope: 'project'}},
    });
    expect(inProject).toContainEqual(expect.stringMatching(/^In ~\/project: /));
    // One of several files is enough.
    expect(notes(theirs('unchanged'), theirs('changed'))).toEqual(asked);
  });

  test('is nothing where nothing was written, or nobody is there to be connected', () => {
    expect(notesOf(at.write)).toEqual([]);
    expect(notesOf(having({}, {demo: {directory: '/tmp/demo'}}))).toEqual([]);
    expect(notesOf({...at.write, facts: {}})).toEqual([]);
  });

  test('is a role first, written or not', () => {
    const check = {...at.done.facts.check, withoutRole: {message: 'No role.', remedy: 'Ask for one.'}} as never;
    expect(notesOf(having({check}))).toEqual([
      'No role.',
      'Ask for one.',
      'Restart the assistant that reads .mcp.json.',
    ]);
    expect(notesOf({...at.write, facts: {...at.write.facts, check}})).toEqual(['No role.', 'Ask for one.']);
  });

  test('says what the platform’s own CLI can do now', () => {
    const known = {deployment: {...deployment, platform: 'openchoreo'}, plannedCli: {} as never};
    const settings = {platform: openchoreo, kinds: [openchoreo]};
    expect(notesOf(having(known, settings)).at(-1)).toBe('occ is signed in too. Try it: occ component list.');
    const alone = {...known, plannedCli: {isTokenAlone: true} as never};
    expect(notesOf(having(alone, settings)).at(-1)).toBe(
      'occ is signed in too, until its token expires. Try it: occ component list.',
    );
    expect(notesOf(having({deployment: known.deployment}, settings))).toHaveLength(1);
    expect(notesOf(having({plannedCli: {} as never}))).toHaveLength(1);
  });
});

test('what was changed can be undone', () => {
  const files = (...changes: readonly string[]) =>
    having({plan: {entries: [], files: changes.map(change => ({change}))} as never});
  expect(isUndoable(at.done)).toBe(true);
  expect(isUndoable(files('unchanged', 'changed'))).toBe(true);
  expect(isUndoable(files('unchanged'))).toBe(false);
  // For a known deployment, only its saved data has changed.
  const own = {change: 'changed', isOwn: true} as const;
  expect(isUndoable(having({plan: {entries: [], files: [{change: 'unchanged'}, own]} as never}))).toBe(false);
  expect(isUndoable(having({plan: {entries: [], files: [{...own, change: 'new'}]} as never}))).toBe(true);
  expect(isUndoable(at.check)).toBe(false);
});

test('a token in a file is one that was written there', () => {
  expect(hasTokenInFile(at.done)).toBe(true);
  expect(hasTokenInFile(at.write)).toBe(false);
  const connect = {assistants: ['generic'], scope: 'user', method: 'bridge'} as const;
  expect(hasTokenInFile({...at.done, answers: {...at.done.answers, connect}})).toBe(false);
  // One entry of several is enough.
  const several = {assistants: ['generic', 'cursor'], scope: 'user', method: 'header'} as const;
  const settings = {...at.done.settings, assistants: [generic, cursor]};
  const byBridge = {id: 'cursor', name: 'Cursor', installed: true, paths: {}, methods: ['bridge']} as const;
  const mixed = having({found: [...(at.done.facts.found ?? []).filter(({id}) => id !== 'cursor'), byBridge]}, settings);
  expect(
    targetsOf({...mixed, answers: {...mixed.answers, connect: several}}).targets.map(({method}) => method),
  ).toEqual(['header', 'bridge']);
  expect(hasTokenInFile({...mixed, answers: {...mixed.answers, connect: several}})).toBe(true);
});

describe('an entry that is offered no tools', () => {
  const [first] = at.done.facts.verified ?? [];
  const verified = first ? [{...first, server: 'control-plane', tools: 0} as const] : [];
  const access = 'a role for 39 kinds of actions';

  test('is told of by the account that it uses: the person’s', () => {
    expect(notesOf(having({verified})).join(' ')).toContain('Your account seems to have no role there.');
  });

  test('is told of by the account that this run gave the assistants, whose former rights are not claimed', () => {
    const state = atAccount['account-access'];
    const written = {written: {paths: []}, accountAccess: {access}};
    const wrote = (facts: Partial<Facts>): WizardState => ({...state, facts: {...state.facts, ...written, ...facts}});
    expect(notesOf(wrote({})).join(' ')).toContain(`your assistants have ${access}.`);
    const notes = notesOf(wrote({verified})).join(' ');
    expect(notes).toContain('Their account, theirs, seems to have no role there.');
    expect(notes).not.toContain(access);
  });

  test('is told of by the account that the assistants have, also if the person lacks a role as well', () => {
    const assistantsAccount = {signIn: 'mcp-client', clientId: 'theirs'} as const;
    const check = {...at.done.facts.check, withoutRole: {message: 'You have no role.', remedy: 'Bind yours.'}} as never;
    const saved = {...contextAt('http://idp.acme.localhost:8080'), assistantsAccount};
    const state = having({verified, check}, {saved});
    const notes = notesOf({...state, answers: {...state.answers, resume: 'connect'}});
    expect(notes[0]).toContain('Their account, theirs, seems to have no role there.');
    // The person's role would not help the assistants.
    expect(notes[1]).toBe('You have no role. Your assistants use an account of their own.');
    expect(notes.join()).not.toContain('Bind yours.');
  });
});
