import {describe, expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import {CALL_TIMEOUT} from '../../../../src/ports/ports.ts';
import type {Answers, WizardState} from '../../../../src/state/model.ts';
import {createClient} from '../../../../src/state/steps/sign-in/create-client.ts';
import {toLine, toRow} from '../../../../src/state/view/progress.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const state = at['create-client'];
const failure = {
  step: 'create-client',
  whose: 'you',
  headline: 'It failed',
  message: 'No.',
  remedy: 'Mend it.',
} as const;

test('a client is created once, and again where its name or what is done about one that exists changes', () => {
  expect([createClient.when(state), createClient.when(at.client)]).toEqual([true, false]);
  expect(createClient.done(state)).toBe(false);
  const client = {clientId: 'mcp_client', secret: new Secret('x')};
  expect(createClient.done({...state, facts: {...state.facts, client}})).toBe(true);
  expect(createClient.forgets).toEqual({answers: [], facts: ['client']});
  expect(createClient.reopenedBy).toEqual(['clientId', 'applicationId', 'existingClient']);
});

describe('what is asked for', () => {
  const asked = async (change: Partial<WizardState>, answers: Partial<Answers> = {}) => {
    const client = {clientId: 'made', secret: new Secret('made')};
    const flows = replaceFlows('sign-in/create-client.ts', {createClient: {outcome: client}});
    const {result} = await runStep(createClient, {...state, ...change, answers: {...state.answers, ...answers}});
    expect(result).toEqual({client});
    return flows.createClient[0];
  };

  test('is a client of this name, with the administrator’s rights, that is not there yet', async () => {
    const password = new Secret('the-password');
    expect(await asked({}, {adminPassword: password})).toStrictEqual({
      platform: state.settings.platform,
      authUrl: deployment.authUrl,
      issuer: deployment.issuer,
      username: 'admin',
      password,
      clientId: 'mcp_client',
      existing: 'refuse',
      version: '0.14.0',
    });
  });

  test('is what the person and the deployment say besides', async () => {
    const {version: _, ...other} = {...deployment, withoutRecipe: true} as const;
    const known = {...state.facts, deployment: other};
    const input = await asked({facts: known}, {applicationId: 'app', existingClient: 'reset-secret'});
    expect(input).toMatchObject({applicationId: 'app', existing: 'reset-secret', withoutRecipe: true});
    expect(input).not.toHaveProperty('version');
  });

  test('is a new secret for one that this run has created itself', async () => {
    expect(await asked({created: ['mcp_client']})).toMatchObject({existing: 'reset-secret'});
    expect(await asked({created: ['another']})).toMatchObject({existing: 'refuse'});
    expect(await asked({created: ['mcp_client']}, {existingClient: 'refuse'})).toMatchObject({existing: 'refuse'});
  });
});

test('three things are waited for', () => {
  expect(createClient.pendingRows().map(({key, atMost}) => [key, atMost])).toEqual([
    ['application', CALL_TIMEOUT],
    ['admin', CALL_TIMEOUT],
    ['client', CALL_TIMEOUT],
  ]);
});

test('each is told when it is there', () => {
  const events = [
    {type: 'application-found', applicationId: 'app'},
    {type: 'admin-signed-in', username: 'root'},
    {type: 'client-created', clientId: 'mine'},
    {type: 'client-created', clientId: 'yours', isReset: true},
  ] as never[];
  expect(events.map(event => toRow(event, state.settings))).toMatchObject([
    {key: 'application', status: 'ok', value: 'app'},
    {key: 'admin', status: 'ok', value: 'root'},
    {key: 'client', status: 'ok', value: 'mine'},
    {key: 'client', status: 'ok', value: 'yours'},
  ]);
  expect(events.map(event => toLine(event, {place: {home: '/home/ann'}}))).toEqual([
    undefined,
    'Signed in as root to create the MCP client',
    'Created the MCP client mine',
    'Set a new secret for the MCP client yours',
  ]);
});

describe('a client that exists', () => {
  test('can be left alone, given a new secret, or used', () => {
    const {offers} = createClient.recovery(state, {...failure, code: 'auth-client-exists'});
    expect(offers.map(({label}) => label)).toEqual([
      'Create one with another name',
      'Set a new secret for it',
      'Use it with its secret',
    ]);
    const [another, , use] = offers;
    expect(another).toMatchObject({initial: 'mcp_client_2'});
    expect(another && 'ask' in another && another.toEvent('mine')).toEqual({
      type: 'answered',
      answers: {clientId: 'mine'},
    });
    expect(use).toMatchObject({event: {answers: {signIn: 'mcp-client', clientId: 'mcp_client'}}});
  });

  test('whose name another client has cannot get a new secret or be used', () => {
    const taken = {...failure, code: 'auth-client-exists', about: {isNameTaken: true}} as const;
    const {offers, advice} = createClient.recovery(state, taken);
    // The failure's own remedy says to choose another client ID.
    expect([offers.map(({label}) => label), advice]).toEqual([['Create one with another name'], undefined]);
  });

  test('is told about in the order of the offers', () => {
    const {offers, advice = ''} = createClient.recovery(state, {...failure, code: 'auth-client-exists'});
    const places = offers.map(({label}) => advice.toLowerCase().indexOf(label.toLowerCase()));
    expect(places[0]).toBe(0);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  test('is another trouble than a refused administrator', () => {
    const {offers} = createClient.recovery(state, {...failure, code: 'auth-admin-refused' as never});
    expect(offers[0]?.label).toBe('Enter the administrator again');
  });
});

test('an administrator who may not create clients is entered again first', () => {
  const {offers, advice} = createClient.recovery(state, {...failure, code: 'auth-permission-missing' as never});
  expect(advice).toMatch(/^Enter the administrator again,/);
  expect(offers[0]?.label).toBe('Enter the administrator again');
});
