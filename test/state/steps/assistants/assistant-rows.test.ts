import {describe, expect, test} from 'vitest';
import {claudeCode} from '../../../../src/assistants/catalogue/claude-code.ts';
import {cursor} from '../../../../src/assistants/catalogue/cursor.ts';
import type {FoundAssistant} from '../../../../src/flows/assistants/find-assistants.ts';
import {targetsOf, tickedOf} from '../../../../src/state/derived/wizard-targets.ts';
import type {Facts, Settings, WizardState} from '../../../../src/state/model.ts';
import type {AssistantSelection} from '../../../../src/state/selection.ts';
import {assistantRows, keepingUp} from '../../../../src/state/steps/assistants/assistant-rows.ts';
import {contextAt} from '../../../support/context.ts';
import {at} from '../../../support/states.ts';

const having = (facts: Facts = {}, settings: Partial<Settings> = {}): WizardState => ({
  ...at.assistants,
  settings: {...at.assistants.settings, assistants: [claudeCode, cursor], ...settings},
  facts: {...at.assistants.facts, ...facts},
});

const rows = (state: WizardState, ticked: readonly string[] = [], said: Partial<AssistantSelection> = {}) =>
  assistantRows(state, {ticked: new Set(ticked), scope: 'user', method: 'auto', ...said}, 0);

const token = at.assistants.facts.token as NonNullable<Facts['token']>;

describe('the assistants', () => {
  test('stand in the order of how near they are', () => {
    const found = [...(at.assistants.facts.found ?? [])].reverse();
    expect(rows(having({found})).map(({id}) => id)).toEqual(['claude-code', 'generic', 'cursor']);
    const {found: _, ...facts} = at.assistants.facts;
    expect(rows({...having(), facts})).toEqual([]);
  });

  test('have the file that would be written, where one would be', () => {
    expect(rows(having(), ['cursor'])).toStrictEqual([
      {
        id: 'claude-code',
        name: 'Claude Code',
        isNear: true,
        version: '2.1.328',
        path: '~/.claude.json',
        effect: 'stays signed in',
      },
      {id: 'generic', name: 'MCP JSON', isNear: false, effect: 'not found here'},
      {
        id: 'cursor',
        name: 'Cursor',
        isNear: true,
        path: '~/.cursor/mcp.json',
        effect: 'stays signed in (bridge)',
      },
    ]);
  });

  test('have it below the project as the system writes it', () => {
    const place = {...at.assistants.settings.place, project: 'C:\\Work\\App', system: 'win32' as const};
    const [first] = at.assistants.facts.found ?? [];
    const found = first ? [{...first, paths: {project: 'c:\\work\\app\\.mcp.json'}}] : [];
    expect(rows(having({found}, {place}), [], {scope: 'project'})[0]).toMatchObject({path: '.\\.mcp.json'});
  });

  test('say who blocks them, and are not ticked then unless they are connected', () => {
    const blocked = (path: string, more: Partial<FoundAssistant> = {}) => {
      const found = (at.assistants.facts.found ?? []).map(one =>
        one.id === 'claude-code' ? {...one, blockedBy: path, ...more} : one,
      );
      const state = having({found});
      return {row: rows(state)[0], ticked: [...tickedOf(state)]};
    };
    const {row, ticked} = blocked('/etc/claude-code/managed-settings.json');
    expect(row).toMatchObject({effect: 'blocked by your organisation: /etc/claude-code/managed-settings.json'});
    expect(row?.path).toBeUndefined();
    expect(ticked).toEqual(['generic']);
    expect(blocked('/home/ann/.claude/settings.json').row?.effect).toBe(
      'blocked by your own settings: ~/.claude/settings.json',
    );
    const elsewhere = blocked('/etc/rules.json', {installed: false});
    expect(elsewhere.row?.effect).toBe('not found here');
  });

  test('say that an organisation has connected them, and are not written then', () => {
    const provided = (more: Partial<FoundAssistant> = {}, answers: WizardState['answers'] = {}) => {
      const found = (at.assistants.facts.found ?? []).map(one =>
        one.id === 'claude-code' ? {...one, providedBy: '/etc/claude-code/managed-mcp.json', ...more} : one,
      );
      const before = having({found});
      const state = {...before, answers: {...before.answers, ...answers}};
      return {row: rows(state)[0], ticked: [...tickedOf(state)], targets: targetsOf(state).targets};
    };
    const {row, ticked} = provided();
    expect(row).toMatchObject({effect: 'connected by your organisation: /etc/claude-code/managed-mcp.json'});
    expect(row?.path).toBeUndefined();
    expect(ticked).toEqual([]);
    const connect = {assistants: ['claude-code'], scope: 'user', method: 'auto'} as const;
    expect(provided({}, {connect}).targets).toEqual([]);
    expect(provided({installed: false}).row?.effect).toBe('not found here');
  });

  test('have a project’s file below the project', () => {
    const paths = (state: WizardState, scope: 'user' | 'project') =>
      rows(state, ['generic', 'cursor'], {scope}).map(({path}) => path);
    expect(paths(having(), 'project')).toEqual(['./.mcp.json', './.mcp.json', './.cursor/mcp.json']);
    expect(paths(having(), 'user')).toEqual(['~/.claude.json', './.mcp.json', '~/.cursor/mcp.json']);
    // Relative to another directory than the working one, a path would be another file.
    const place = {...at.assistants.settings.place, isElsewhere: true} as const;
    expect(paths(having({}, {place}), 'project').at(-1)).toBe('~/project/.cursor/mcp.json');
    const demo = {directory: '/home/ann/project'};
    expect(paths(having({}, {demo}), 'project')).toEqual(['.mcp.json', '.mcp.json', '.cursor/mcp.json']);
    const beside = {id: 'cursor', name: 'Cursor', installed: true, paths: {user: '/home/ann/project-2/x'}, methods: []};
    expect(rows(having({found: [beside as FoundAssistant]}))[0]?.path).toBe('~/project-2/x');
    const nowhere = {...beside, paths: {}};
    expect(rows(having({found: [nowhere as FoundAssistant]}))[0]?.path).toBe('');
  });

  test('that are connected and not ticked have their entries taken out', () => {
    const entry = {
      assistant: 'claude-code',
      scope: 'user',
      project: '/',
      method: 'bridge',
      path: '/x',
      names: [],
    } as const;
    const saved = {...contextAt('http://idp'), entries: [entry, {...entry, assistant: 'cursor'}]};
    const state = {...having({}, {saved}), answers: {...at.assistants.answers, resume: 'connect'}} as const;
    expect(rows(state).map(({id, effect, isNear}) => [id, effect, isNear])).toEqual([
      ['claude-code', 'will be removed', true],
      ['generic', 'not found here', false],
      ['cursor', 'will be removed', true],
    ]);
    expect(rows(state)[0]).not.toHaveProperty('path');
    expect(rows(state, ['claude-code'])[0]?.effect).toBe('stays signed in');
  });

  test('end with the token where nothing renews it, whichever way they get it', () => {
    const effects = rows(having({token: {...token, renewable: false}}), ['claude-code', 'cursor']).map(
      one => one.effect,
    );
    expect(effects).toContain('token expires in 1 h');
    expect(effects.join()).not.toContain('stays signed in');
  });

  test('with a plain token end with it', () => {
    const effect = (state: WizardState) => rows(state, [], {method: 'header'})[0]?.effect;
    expect(effect(having())).toBe('token expires in 1 h');
    const {expiresAt: _, ...endless} = token;
    expect(effect(having({token: endless}))).toBe('expires with its token');
    const {token: __, ...facts} = at.assistants.facts;
    expect(effect({...having(), facts})).toBe('expires with its token');
  });
});

describe('how long a way keeps assistants signed in', () => {
  const {expiresAt: _, ...endless} = token;

  test.each<[string, Facts, AssistantSelection['method'], string]>([
    ['a plain token', {token}, 'header', 'a token in the file; expires in 1 h'],
    ['one of unknown lifetime', {token: endless}, 'header', 'a token in the file, until it expires'],
    ['nothing known yet', {}, 'header', 'a token in the file, until it expires'],
    ['a renewal', {token}, 'auto', 'renewed automatically'],
    ['none known yet', {}, 'auto', 'renewed automatically'],
    ['no renewal', {token: {...token, renewable: false}}, 'bridge', 'not renewed; expires in 1 h'],
    ['an end', {token: {...token, signInEndsAt: 7_200_000}}, 'auto', 'renewed automatically; sign in again in 2 h'],
  ])('%s', (_what, facts, method, expected) => {
    expect(keepingUp({facts}, method, 0)).toBe(expected);
  });

  test('is counted from now', () => {
    const ending = {token: {...token, signInEndsAt: 7_200_000}};
    expect(keepingUp({facts: ending}, 'auto', 1_800_000)).toBe('renewed automatically; sign in again in 1 h 30 min');
    expect(keepingUp({facts: ending}, 'header', 1_800_000)).toContain('expires in 30 min');
    const selecting = {ticked: new Set<string>(), scope: 'user', method: 'header'} as const;
    expect(assistantRows(having(), selecting, 1_800_000)[0]?.effect).toBe('token expires in 30 min');
  });
});
