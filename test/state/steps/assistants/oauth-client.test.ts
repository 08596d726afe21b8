import {describe, expect, test} from 'vitest';
import {claudeCode} from '../../../../src/assistants/catalogue/claude-code.ts';
import {cursor} from '../../../../src/assistants/catalogue/cursor.ts';
import {openchoreo} from '../../../../src/platform/platforms.ts';
import {targetsOf} from '../../../../src/state/derived/wizard-targets.ts';
import type {Settings, WizardState} from '../../../../src/state/model.ts';
import {assistants} from '../../../../src/state/steps/assistants/assistants.ts';
import {oauthClient} from '../../../../src/state/steps/assistants/oauth-client.ts';
import {toLine, toRow} from '../../../../src/state/view/progress.ts';
import {nextOf} from '../../../../src/state/view/view.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const connect = {assistants: ['claude-code', 'cursor'], scope: 'user', method: 'oauth'} as const;

/** The state in which Claude Code and Cursor are to sign in by themselves. */
const wanting = (settings: Partial<Settings> = {oauthClient: 'assistants'}): WizardState => ({
  ...at.assistants,
  settings: {...at.assistants.settings, assistants: [claudeCode, cursor], ...settings},
  answers: {...at.assistants.answers, connect},
  facts: {
    ...at.assistants.facts,
    found: (at.assistants.facts.found ?? []).map(one => ({...one, methods: [...one.methods, 'oauth' as const]})),
  },
});

test('it is asked about once, and only where assistants are to sign in by themselves', () => {
  expect([oauthClient.when(wanting()), oauthClient.when(at.assistants)]).toEqual([true, false]);
  expect(oauthClient.when(wanting({login: true}))).toBe(false);
  const state = wanting();
  const known = {...state, facts: {...state.facts, oauthClient: {clientId: 'assistants', refused: {}}}};
  expect([oauthClient.done(state), oauthClient.done(known)]).toEqual([false, true]);
  expect(oauthClient.forgets).toEqual({answers: [], facts: ['oauthClient']});
});

test('the identity provider is asked for each with where it is sent back to, for what tokens are asked for', async () => {
  const refused = {cursor: 'No.'};
  const asked = replaceFlows('sign-in/assistant-clients.ts', {checkAssistantClients: {outcome: refused}});
  const {result} = await runStep(oauthClient, wanting());
  expect(result).toEqual({oauthClient: {clientId: 'assistants', refused}});
  expect(asked.checkAssistantClients).toEqual([
    {
      issuer: deployment.issuer,
      clientId: 'assistants',
      wanted: {scopes: ['openid', 'profile', 'email'], resource: `${deployment.controlPlaneUrl}/mcp`},
      assistants: [
        {
          id: 'claude-code',
          name: 'Claude Code',
          redirectUris: ['http://localhost:8075/callback'],
          signsInOverTls: true,
        },
        {id: 'cursor', name: 'Cursor', redirectUris: cursor.redirects?.slice(0, 1)},
      ],
    },
  ]);
});

test('who is refused is connected in another way, with the reason', () => {
  const state = wanting();
  const targets = targetsOf({
    ...state,
    facts: {...state.facts, oauthClient: {clientId: 'assistants', refused: {cursor: 'No.'}}},
  }).targets.map(({assistant, method, oauthClient, wanted, refused}) => [
    assistant.id,
    {method, oauthClient, wanted, refused},
  ]);
  expect(Object.fromEntries(targets)).toEqual({
    'claude-code': {method: 'oauth', oauthClient: 'assistants', wanted: undefined, refused: undefined},
    cursor: {method: 'bridge', oauthClient: undefined, wanted: 'oauth', refused: 'No.'},
  });
});

describe('without a client for it', () => {
  test('it says what is missing, and offers the ways that need none', async () => {
    const state = wanting({});
    const run = runStep(oauthClient, state);
    await expect(run).rejects.toMatchObject({code: 'input-required', about: {flag: 'oauth-client-id'}});
    const failure = {
      step: 'oauth-client',
      code: 'input-required',
      message: '',
      remedy: '',
      whose: 'you',
      headline: 'It failed',
    } as const;
    const {heading, advice, offers} = oauthClient.recovery(state, failure);
    expect(heading).toBe('No client is known for your assistants');
    expect(advice).not.toContain('--');
    const [first, ...others] = offers;
    expect(oauthClient.recovery(state, {...failure, code: 'network-refused'})).not.toHaveProperty('advice');
    expect(first).toMatchObject({event: {answers: {connect: {...connect, method: 'auto'}}}});
    expect(others).toHaveLength(1);
  });

  test('the wizard does not offer it', () => {
    const methodsOf = (state: WizardState) => {
      const {nextMethod, initial} = assistants.ask(state, 0);
      const methods = [initial.method];
      for (let next = nextMethod(initial); next.method !== initial.method; next = nextMethod(next))
        methods.push(next.method);
      return methods;
    };
    expect(methodsOf(at.assistants)).toEqual(['auto', 'header']);
    const installed = {platform: openchoreo, kinds: [openchoreo]};
    const known = {...at.assistants, settings: {...at.assistants.settings, ...installed}};
    const facts = {...known.facts, deployment: {...deployment, platform: 'openchoreo', version: '1.2.0'}};
    expect(methodsOf({...known, facts})).toEqual(['auto', 'header', 'oauth']);
    // Releases before 0.15 have no such client.
    const older = {...facts, deployment: {...facts.deployment, version: '0.14.0'}};
    expect(methodsOf({...known, facts: older})).toEqual(['auto', 'header']);
  });
});

test('the ways follow one another, and come round', () => {
  const view = {methods: ['auto', 'header', 'oauth']} as const;
  expect(nextOf(view.methods, 'auto')).toBe('header');
  expect(nextOf(view.methods, 'oauth')).toBe('auto');
  // A method from a flag that is not among the choices.
  expect(nextOf(view.methods, 'bridge')).toBe('auto');
});

test('what is chosen says why it is no default', () => {
  const state = wanting();
  const {signIn, rows, initial} = assistants.ask(state, 0);
  const selecting = {...initial, method: 'oauth', ticked: new Set(['cursor'])} as const;
  expect(signIn(selecting)).toContain('one window can sign another out');
  expect(rows(selecting).find(({id}) => id === 'cursor')?.effect).toBe('signs in by itself');
});

test('it tells of each who may and who may not', () => {
  const told = (taken: boolean) => ({type: 'oauth-client-checked', assistant: 'Cursor', taken}) as const;
  expect(toLine(told(true), {place: {home: '/home'}})).toBe('Cursor can sign in by itself');
  expect(toRow(told(false), at.assistants.settings)).toMatchObject({
    status: 'warning',
    value: 'cannot sign in by itself',
  });
});
