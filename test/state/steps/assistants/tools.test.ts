import {describe, expect, test} from 'vitest';
import {redirectsTo} from '../../../../src/assistants/assistant.ts';
import {claudeCode} from '../../../../src/assistants/catalogue/claude-code.ts';
import {codexCli} from '../../../../src/assistants/catalogue/codex-cli.ts';
import {cursor} from '../../../../src/assistants/catalogue/cursor.ts';
import type {ToolChoice, ToolPreset} from '../../../../src/domain/tool-sets.ts';
import {oauthRedirectsOf, targetsOf} from '../../../../src/state/derived/wizard-targets.ts';
import type {Facts, Settings, WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {assistants} from '../../../../src/state/steps/assistants/assistants.ts';
import {plan} from '../../../../src/state/steps/review/plan.ts';
import {contextAt} from '../../../support/context.ts';
import {collect} from '../../../support/flows.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

/** The choice of assistants, at a release with tool sets unless the test names another. */
const choosing = (
  settings: Partial<Settings> = {},
  {version = '1.2.3', ...facts}: Facts & {version?: string | undefined} = {},
): WizardState => {
  const {version: _, ...where} = deployment;
  return {
    ...at.assistants,
    settings: {...at.assistants.settings, assistants: [claudeCode, cursor, codexCli], ...settings},
    facts: {...at.assistants.facts, deployment: {...where, ...(version ? {version} : {})}, ...facts},
  };
};

const toolsOf = (state: WizardState) => {
  const {tools} = assistants.ask(state, 0);
  if (!tools) throw new Error('There is a choice.');
  return tools;
};

type Found = NonNullable<Facts['found']>[number];

const looking = (state: WizardState, ...presets: readonly ToolPreset[]) =>
  presets.map(tools => ({type: 'tools-looked-at', tools}) as const).reduce(reduce, state);

describe('the choice of tools', () => {
  const every = ['all', 'build', 'run', 'look'];

  test.each([
    ['0.14.0', ['all', 'look']],
    ['1.0.5', ['all', 'look']],
    ['1.1.0', every],
    ['1.2.3', every],
    ['latest-dev', every],
  ])('at release %s is %j', (version, expected) => {
    expect(toolsOf(choosing({}, {version})).choices).toEqual(expected);
  });

  test('goes by the release that the check has found out, where the deployment was saved', () => {
    const found = (serverVersion: string) => {
      const check = {servers: at.assistants.facts.check?.servers ?? [], serverVersion};
      return toolsOf(choosing({}, {version: '', check})).choices.length;
    };
    expect([found('1.0.5'), found('1.2.3')]).toEqual([2, 4]);
  });

  test('has no presets where the control plane is not entered', () => {
    expect(toolsOf(choosing({servers: ['observability']})).choices).toEqual(['all', 'look']);
    expect(toolsOf(choosing({servers: ['control-plane']})).say('all', 'auto')).toBe('all 25, about 6,100 tokens');
  });

  test('says of a preset that a company file suggests that a release without sets has none', () => {
    const {say, choices} = toolsOf(at.assistants);
    expect(choices).toEqual(['all', 'look']);
    expect(say('build', 'auto')).toBe(`${say('all', 'auto')}; this release has no presets`);
  });

  test('says whose numbers these are not, of those that are here', () => {
    const said = 'Claude Code: tools take up little context, because each tool is loaded only when needed.';
    expect(assistants.ask(choosing(), 0).note).toBe(said);
    const {found = []} = at.assistants.facts;
    const away = found.map(one => ({...one, installed: one.id === 'cursor'}));
    expect(assistants.ask(choosing({}, {found: away}), 0).note).toBeUndefined();
  });

  test('says what all take, and of a preset first that it is asked for', () => {
    const {say, look, choices} = toolsOf(choosing());
    expect(choices).toEqual(every);
    expect(say('all', 'auto')).toBe('all 31, about 7,600 tokens');
    // The check has read what those take that only read.
    expect(say('look', 'auto')).toBe('only look: 21 of 31, about 4,500 tokens');
    // Only the bridge holds back the others.
    expect(say('look', 'bridge')).toBe(say('look', 'auto'));
    for (const method of ['header', 'helper', 'oauth'] as const)
      expect(say('look', method)).toBe('all 31, about 7,600 tokens; only the bridge can limit an assistant to looking');
    expect([look('all'), look('look')]).toEqual([undefined, undefined]);
    expect(say('build', 'auto')).toBe('I build services: counting…');
    expect(look('build')).toEqual({type: 'tools-looked-at', tools: 'build'});
  });

  test('says what a preset takes with the observer’s tools, or nothing where nobody could tell', () => {
    const toolCosts = {build: {tools: 10, tokens: 2000}, run: undefined};
    const {say, look} = toolsOf(choosing({}, {toolCosts}));
    expect(say('build', 'auto')).toBe('I build services: 16 of 31, about 3,500 tokens');
    expect(say('run', 'auto')).toBe('I run the platform');
    expect([look('build'), look('run')]).toEqual([undefined, undefined]);
  });

  test('begins with what a flag has said, and answers with what was chosen', () => {
    const view = assistants.ask(choosing({connect: {tools: 'run'}}), 0);
    expect(view.initial.tools).toBe('run');
    const selecting = {ticked: new Set(['cursor']), scope: 'user', method: 'auto'} as const;
    expect(view.toEvent({...selecting, tools: 'build'})).toMatchObject({answers: {connect: {tools: 'build'}}});
    expect(view.toEvent(selecting)).not.toMatchObject({answers: {connect: {tools: expect.anything()}}});
    expect(assistants.defaultAnswer(choosing({connect: {tools: 'run'}}))).toMatchObject({connect: {tools: 'run'}});
  });
});

describe('what a preset takes', () => {
  const cost = {tools: 10, tokens: 2000};

  test('is asked for when somebody looks at it, once each', async () => {
    const asked = replaceFlows('platform-tools/list-tools.ts', {toolCost: [{outcome: cost}, {outcome: undefined}]});
    expect(assistants.beside(choosing())).toBeUndefined();
    let state = looking(choosing(), 'build', 'build', 'run');
    for (let flow = assistants.beside(state); flow; flow = assistants.beside(state)) {
      const {result: facts} = await collect(flow, state, {} as never);
      state = reduce(state, {type: 'learned', step: 'assistants', facts});
    }
    expect(state.facts.toolCosts).toEqual({build: cost, run: undefined});
    expect(asked.toolCost).toMatchObject([
      {tools: 'build', entry: {server: 'control-plane', url: 'http://api.acme.localhost:8080/mcp'}},
      {tools: 'run'},
    ]);
  });

  test('is forgotten with the check', () => {
    const state = reduce(choosing({}, {toolCosts: {build: cost}}), {type: 'went-back', to: 'sign-in'});
    expect(state.facts).not.toHaveProperty('toolCosts');
  });
});

describe('who gets which tools', () => {
  const entry = {scope: 'user', project: '/', method: 'bridge', path: '/x', names: []} as const;
  const saved = {
    ...contextAt('http://idp'),
    entries: [
      {...entry, assistant: 'claude-code', tools: 'run'},
      {...entry, assistant: 'cursor'},
    ],
  } as const;
  const chosen = (state: WizardState, tools?: ToolChoice) => {
    const ids = ['claude-code', 'cursor', 'codex-cli'];
    const keeps = state.answers.resume === 'connect' ? {keepsConnected: true as const} : {};
    const connect = {assistants: ids, scope: 'user', method: 'auto', ...keeps, ...(tools ? {tools} : {})} as const;
    const {targets} = targetsOf({...state, answers: {...state.answers, connect}});
    return targets.map(({assistant, tools = 'all', renews}) => [assistant.id, tools, renews !== undefined]);
  };
  const methods = (state: WizardState, tools: ToolChoice) => {
    const connect = {assistants: ['claude-code', 'cursor', 'codex-cli'], scope: 'user', method: 'auto', tools} as const;
    return targetsOf({...state, answers: {...state.answers, connect}}).targets.map(({method}) => method);
  };
  const withHelper = (one: Found) =>
    one.id === 'claude-code' ? {...one, methods: ['helper', 'bridge'] as const} : one;
  const resumed = (state: WizardState): WizardState => ({...state, answers: {...state.answers, resume: 'connect'}});

  test('everybody the chosen ones, where the release has sets', () => {
    expect(chosen(choosing(), 'build').map(([, tools]) => tools)).toEqual(['build', 'build', 'build']);
    expect(chosen(choosing({}, {version: '1.0.5'}), 'build').map(([, tools]) => tools)).toEqual(['all', 'all', 'all']);
  });

  test('everybody those that only read, at any release, through the bridge, which alone can hold back the others', () => {
    for (const version of ['0.14.0', '1.2.3']) {
      const state = choosing({}, {version, found: at.assistants.facts.found?.map(withHelper) ?? []});
      expect(chosen(state, 'look').map(([, tools]) => tools)).toEqual(['look', 'look', 'look']);
      expect(methods(state, 'look')).toEqual(['bridge', 'bridge', 'bridge']);
      expect(methods(state, 'all')).toContain('helper');
    }
  });

  test('who is connected keeps what it has, and who comes gets what others have, while nobody says otherwise', () => {
    const state = resumed(choosing({saved}));
    expect(toolsOf(state).usual).toBe('run');
    expect(chosen(state)).toEqual([
      ['claude-code', 'run', true],
      ['cursor', 'all', true],
      ['codex-cli', 'run', false],
    ]);
  });

  test.each(['all', 'build'] as const)(
    'who is connected gets %s where somebody says so, and stays as it was otherwise',
    tools => {
      expect(chosen(resumed(choosing({saved})), tools)).toEqual([
        ['claude-code', tools, true],
        ['cursor', tools, true],
        ['codex-cli', tools, false],
      ]);
    },
  );

  test('a renewal of the sign-in keeps them', () => {
    const state = choosing({saved, login: true});
    const {targets} = targetsOf({...state, answers: {...state.answers, resume: 'sign-in'}});
    expect(targets.map(({tools}) => tools)).toEqual(['run', undefined]);
  });

  test('who signs in by itself is sent back to where it listens for that very address', () => {
    const connect = {assistants: ['codex-cli'], scope: 'user', method: 'oauth', tools: 'run'} as const;
    const state = choosing({servers: ['control-plane'], oauthClient: 'x'});
    const found = [{id: 'codex-cli', name: 'Codex', installed: true, paths: {}, methods: ['oauth'] as const}];
    const known = {...state, answers: {...state.answers, connect}, facts: {...state.facts, found}};
    const url = 'http://api.acme.localhost:8080/mcp?toolsets=namespace,project,deployment,pe';
    expect(oauthRedirectsOf(known)[0]?.redirectUris).toEqual(redirectsTo(codexCli, url));
  });
});

test.each([
  ['0.14.0', 'build', 1],
  ['1.2.3', 'build', 0],
  ['0.14.0', 'all', 0],
  ['0.14.0', 'look', 0],
] as const)('at %s a flag for %s tools is warned of %i times', async (version, tools, count) => {
  replaceFlows('assistants/plan-files.ts', {planFiles: {outcome: {files: [], entries: []}}});
  const connect = {assistants: ['cursor'], scope: 'user', method: 'auto', tools} as const;
  const state = choosing({}, {version});
  const {events} = await runStep(plan, {...state, answers: {...state.answers, connect}});
  expect(events.filter(({type}) => type === 'warning')).toHaveLength(count);
});

test('a person who lets assistants only look learns which entries go past the bridge', async () => {
  replaceFlows('assistants/plan-files.ts', {planFiles: {outcome: {files: [], entries: []}}});
  const connect = {assistants: ['cursor'], scope: 'user', method: 'header', tools: 'look'} as const;
  const found = [{id: 'cursor', name: 'Cursor', installed: true, paths: {}, methods: ['bridge', 'header'] as const}];
  const state = choosing({}, {found});
  const {events} = await runStep(plan, {...state, answers: {...state.answers, connect}});
  expect(events.filter(({type}) => type === 'warning')).toEqual([
    {
      type: 'warning',
      message:
        'Not limited to looking: Cursor. Only the bridge blocks tools that change something, and these entries do not start it. Nothing but the rights of the account limits them.',
    },
  ]);
});
