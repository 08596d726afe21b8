import {describe, expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import {CALL_TIMEOUT} from '../../../../src/ports/ports.ts';
import type {Answers, Facts, Settings, WizardState} from '../../../../src/state/model.ts';
import {obtainToken} from '../../../../src/state/steps/sign-in/obtain-token.ts';
import {toLine, toRow} from '../../../../src/state/view/progress.ts';
import {contextAt} from '../../../support/context.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const having = (answers: Answers, settings: Partial<Settings> = {}, facts: Facts = {}): WizardState => ({
  ...at['obtain-token'],
  settings: {...at['obtain-token'].settings, ...settings},
  answers,
  facts: {...at['obtain-token'].facts, ...facts},
});

const {token} = at.check.facts;
const saved = contextAt('http://idp.acme.localhost:8080');

test('a token is obtained once', () => {
  expect([obtainToken.done(at['obtain-token']), obtainToken.done(at.check)]).toEqual([false, true]);
  expect(obtainToken.forgets).toEqual({answers: [], facts: ['token', 'cliClient', 'serverTokens']});
  expect(obtainToken.pendingRows()).toMatchObject([{key: 'token', status: 'waiting', atMost: CALL_TIMEOUT}]);
});

describe('who is signed in already', () => {
  test.each(['renew', 'connect'] as const)('only needs a token that is good (%s)', async resume => {
    const asked = replaceFlows('sign-in/resume-sign-in.ts', {resumeSignIn: {outcome: {token}}});
    expect((await runStep(obtainToken, having({resume}, {saved}))).result).toEqual({token});
    expect(asked.resumeSignIn).toEqual([saved]);
  });
});

describe('a client', () => {
  const clientSecret = new Secret('the-secret');

  test('signs in by its secret', async () => {
    const outcome = {client: {clientId: 'ci', scopes: [], resource: 'https://api/mcp'}, token};
    const asked = replaceFlows('sign-in/client-credentials.ts', {signInClient: {outcome}});
    const state = having({signIn: 'service-account', clientId: 'ci', clientSecret});
    const {result, events} = await runStep(obtainToken, state);
    expect([result, events]).toEqual([{cliClient: outcome.client, token}, []]);
    const {issuer, controlPlaneUrl} = deployment;
    const {platform} = at['obtain-token'].settings;
    const client = {clientId: 'ci', method: 'service-account', secret: clientSecret};
    expect(asked.signInClient).toStrictEqual([{platform, controlPlaneUrl, issuer, requested: undefined, ...client}]);
  });

  test('signs in for what the person says, or has said before', async () => {
    const outcome = {client: {clientId: 'ci', scopes: []}, token};
    const flows = replaceFlows('sign-in/client-credentials.ts', {signInClient: [{outcome}, {outcome}, {outcome}]});
    const answers = {signIn: 'service-account', clientId: 'ci', clientSecret} as const;
    const kept = {...saved, asks: {audience: 'kept', resource: 'none'}};
    await runStep(obtainToken, having(answers, {asks: {scopes: ['api']}}));
    await runStep(obtainToken, having(answers, {asks: {audience: 'said'}, saved: kept}));
    await runStep(obtainToken, having({...answers, resume: 'anew'}, {saved: kept}));
    const requested = flows.signInClient.map(input => (input as {requested?: unknown}).requested);
    expect(requested).toEqual([{scopes: ['api']}, {audience: 'said', resource: 'none'}, undefined]);
  });

  test('is told with where its secret came from, unless it was created just now', async () => {
    const outcome = {client: {clientId: 'mine', scopes: []}, token};
    replaceFlows('sign-in/client-credentials.ts', {signInClient: [{outcome}, {outcome}]});
    const answers = {signIn: 'mcp-client', clientId: 'mine', clientSecret} as const;
    const settings = {secretFrom: 'CLI_CLIENT_SECRET'};
    const told = {type: 'secret-taken', clientId: 'mine', from: 'CLI_CLIENT_SECRET'};
    expect((await runStep(obtainToken, having(answers, settings))).events).toEqual([told]);
    const client = {clientId: 'made', secret: clientSecret};
    expect((await runStep(obtainToken, having(answers, settings, {client}))).events).toEqual([]);
  });
});

describe('a person', () => {
  const client = {clientId: 'platform-cli', scopes: ['openid']};
  const asked = async (answers: Answers, settings: Partial<Settings> = {}) => {
    const flows = replaceFlows('sign-in/sign-in-person.ts', {signInPerson: {outcome: {client, token}}});
    const {result} = await runStep(obtainToken, having({signIn: 'browser', ...answers}, settings));
    expect(result).toEqual({cliClient: client, token});
    return flows.signInPerson[0];
  };

  test('signs in by the browser, as the client that the platform names', async () => {
    const {platform} = at['obtain-token'].settings;
    expect(await asked({})).toStrictEqual({
      platform,
      controlPlaneUrl: deployment.controlPlaneUrl,
      issuer: deployment.issuer,
      by: 'browser',
      open: true,
      redirectUri: platform.callbackUrl,
      assumesPkce: false,
      requested: undefined,
    });
  });

  test('signs in as the client and in the way that they say', async () => {
    const input = await asked({clientId: 'mine', signInBy: 'device'}, {openBrowser: false, redirectUri: 'http://x/cb'});
    expect(input).toMatchObject({clientId: 'mine', by: 'device', open: false, redirectUri: 'http://x/cb'});
  });

  test('signs in again with what is known of the last time', async () => {
    const without = {...saved, resource: 'none', redirectUri: 'http://before/cb'};
    expect(await asked({resume: 'sign-in'}, {saved: without})).toMatchObject({
      again: without,
      redirectUri: 'http://before/cb',
    });
    expect(await asked({resume: 'anew'}, {saved: without})).not.toHaveProperty('again');
    expect(await asked({resume: 'sign-in'})).not.toHaveProperty('again');
  });
});

test('who cannot sign in in the browser may have to register the client first', async () => {
  const failure = {
    step: 'obtain-token',
    code: 'auth-client-refused',
    whose: 'you',
    headline: 'It failed',
    message: '',
    remedy: '',
  } as const;
  const guide = await obtainToken.recovery(having({signIn: 'browser'}), failure).guide?.();
  expect(guide?.text).toContain('externalClients');
  const other = obtainToken.recovery(having({signIn: 'mcp-client'}), failure);
  expect(other).not.toHaveProperty('guide');
  expect(other.offers[0]?.label).toBe('Enter the client again');
});

test('the receipt says as whom, and whether that one was created', () => {
  expect(obtainToken.receipts(at['obtain-token'])).toEqual([]);
  expect(obtainToken.receipts(at.check)).toEqual([{label: 'Signed in', text: 'as mcp_client'}]);
  const client = {clientId: 'mcp_client', secret: new Secret('x')};
  const withClient = {...at.check, facts: {...at.check.facts, client}};
  expect(obtainToken.receipts({...withClient, created: ['mcp_client']})).toEqual([
    {label: 'Signed in', text: 'as mcp_client, created just now'},
  ]);
  const isReset = {...at.check.facts, client: {...client, isReset: true}} as const;
  expect(obtainToken.receipts({...withClient, facts: isReset, created: ['mcp_client']})).toEqual([
    {label: 'Signed in', text: 'as mcp_client, with a new secret'},
  ]);
  // An earlier run created the client, and saved its secret.
  expect(obtainToken.receipts(withClient)).toEqual([{label: 'Signed in', text: 'as mcp_client, created earlier'}]);
  const ended = {
    step: 'check',
    code: 'auth-sign-in-required',
    whose: 'you',
    headline: 'It failed',
    message: '',
    remedy: '',
  } as const;
  expect(obtainToken.receipts({...at.check, failure: ended})).toEqual([]);
});

test('what is told', () => {
  const events = [
    {type: 'secret-taken', clientId: 'ci', from: 'CLI_CLIENT_SECRET'},
    {type: 'cli-client-found'},
    {type: 'second-sign-in', resource: 'https://api/mcp'},
    {type: 'sign-in-waiting', url: 'http://idp/authorize'},
    {type: 'browser-opened', opened: true},
    {type: 'device-code', verificationUri: 'http://idp/device', userCode: 'AB-CD'},
    {type: 'paste-refused', because: 'other-sign-in'},
    {type: 'token-obtained', account: 'ann'},
    {type: 'token-obtained', account: 'ann', server: 'observability'},
  ] as never[];
  expect(events.map(event => toLine(event, {place: {home: '/home/ann'}}))).toEqual([
    'Client ci, with the secret from CLI_CLIENT_SECRET',
    undefined,
    expect.stringContaining('https://api/mcp accepts only tokens issued for it'),
    'Open this address in a browser and sign in:\n\nhttp://idp/authorize\n',
    undefined,
    'Open http://idp/device on any machine and type the code:\n\nAB-CD\n',
    'That address belongs to another sign-in. Copy the one from the window that opened last.',
    'Signed in as ann',
    'Signed in as ann (Observability MCP server)',
  ]);
  expect(events.map(event => toRow(event, at.check.settings)?.value)).toEqual([
    ...Array(7).fill(undefined),
    'for ann',
    'for ann, Observability MCP server',
  ]);
});
