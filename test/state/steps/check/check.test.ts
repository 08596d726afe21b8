import {describe, expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import type {SignInLevel} from '../../../../src/domain/token-request.ts';
import {SetupError} from '../../../../src/errors/errors.ts';
import {REFUSED_NEW} from '../../../../src/errors/shared-advice.ts';
import {LIST_TIMEOUT, ROLE_TIME} from '../../../../src/flows/time-limits.ts';
import type {Ports} from '../../../../src/ports/ports.ts';
import {CALL_TIMEOUT} from '../../../../src/ports/ports.ts';
import {contextOf, personWantedOf} from '../../../../src/state/derived/wizard-context.ts';
import type {WizardEvent} from '../../../../src/state/events.ts';
import {failureOf} from '../../../../src/state/failure.ts';
import type {Answers, Facts, Settings, WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {check} from '../../../../src/state/steps/check/check.ts';
import {currentStep} from '../../../../src/state/steps.ts';
import {toLine, toRow} from '../../../../src/state/view/progress.ts';
import {viewOf} from '../../../../src/state/view/view-of.ts';
import {contextAt} from '../../../support/context.ts';
import {questionIn} from '../../../support/standing-wizard.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const having = (facts: Facts = {}, answers: Answers = {}, settings: Partial<Settings> = {}): WizardState => ({
  ...at.check,
  settings: {...at.check.settings, ...settings},
  answers: {...at.check.answers, ...answers},
  facts: {...at.check.facts, ...facts},
});

const report = at.review.facts.check;
const refused = new SetupError('auth-token-refused', 'It refuses the token.');
const token = at.check.facts.token as NonNullable<Facts['token']>;

test('everything is checked once', () => {
  expect([check.done(at.check), check.done(at.review)]).toEqual([false, true]);
  expect(check.forgets).toEqual({answers: ['role'], facts: ['check', 'ownResources', 'toolCosts']});
});

test('an account without a role can wait for one, or go on without', () => {
  const failed = {...at.check, failure: failureOf(new SetupError('auth-no-role', 'None.'), 'check', at.check)};
  expect(questionIn(failed).heading).toBe('Signed in, but without a role');
  expect(questionIn(failed).offers.map(({label}) => label)).toEqual([
    'Wait for the role',
    'Go on without a role',
    'Sign in another way',
    'Try again',
    'Diagnostics',
    'Quit',
  ]);
  const events = questionIn(failed).offers.map(one => ('event' in one ? one.event : undefined));
  expect(events.slice(0, 2)).toMatchObject([{answers: {role: 'wait'}}, {answers: {role: 'without'}}]);
  const {offers} = check.recovery(at.check, failureOf(refused, 'check', at.check));
  // The identity provider has accepted this client.
  expect(offers[0]?.label).toBe('Sign in another way');
});

describe('a token without a scope that the servers demand', () => {
  const lacking = new SetupError('auth-scope-missing', 'No scope.', {about: {toRequest: ['openid', 'tools:call']}});
  const asks = (state: WizardState) => {
    const {heading, offers} = questionIn({...state, failure: failureOf(lacking, 'check', state)});
    const [first] = offers;
    return {
      heading,
      label: first?.label,
      hint: first?.hint,
      event: first && 'event' in first ? first.event : undefined,
    };
  };

  test('is obtained once more, with it', () => {
    const {event, ...said} = asks(at.check);
    expect(said).toEqual({
      heading: 'The token lacks a scope that the server requires',
      label: 'Sign in again with the missing scope',
      // A client asks for no scope about a person.
      hint: 'Requests tools:call.',
    });
    expect(event).toEqual({type: 'answered', answers: {scopes: ['tools:call']}});
    const state = reduce({...at.check, failure: failureOf(lacking, 'check', at.check)}, event as WizardEvent);
    expect(currentStep(state).id).toBe('obtain-token');
    expect(state).toMatchObject({answers: {scopes: ['tools:call']}});
    expect(state.failure).toBeUndefined();
  });

  test('of a sign-in that is kept too: that one cannot be asked for more', () => {
    const {event} = asks(having({}, {resume: 'renew'}, {saved: contextAt('http://api.acme.localhost:8080')}));
    expect(event).toMatchObject({answers: {resume: 'sign-in', scopes: ['tools:call']}});
  });
});

describe('a sign-in that is not strong enough for the servers', () => {
  const weak = (level: SignInLevel) => new SetupError('auth-interaction-required', 'Too weak.', {about: {level}});
  const first = (state: WizardState, level: SignInLevel) => {
    const [offer] = questionIn({...state, failure: failureOf(weak(level), 'check', state)}).offers;
    return {label: offer?.label, hint: offer?.hint, event: offer && 'event' in offer ? offer.event : undefined};
  };
  const level = {acrValues: 'gold silver', maxAge: 300};
  const signedIn = having({}, {signIn: 'browser'});

  test('is begun again in the way that they demand', () => {
    const {event, ...said} = first(signedIn, level);
    expect(said).toEqual({label: 'Sign in again as required', hint: 'Requests gold silver.'});
    const state = reduce({...signedIn, failure: failureOf(weak(level), 'check', signedIn)}, event as WizardEvent);
    expect([currentStep(state).id, state.answers.level]).toEqual(['obtain-token', level]);
    expect(personWantedOf(state).level).toEqual(level);
  });

  test('is kept with its level, but not with its age, which says nothing of the next one', () => {
    expect(contextOf(having({}, {signIn: 'browser', level})).asks).toEqual({acrValues: 'gold silver'});
    expect(contextOf(having({}, {signIn: 'browser', level: {maxAge: 300}})).asks).toBeUndefined();
  });

  test('can be too old alone', () => {
    const {hint, event} = first(
      having({}, {resume: 'renew', signIn: 'browser'}, {saved: contextAt('http://api.acme.localhost:8080')}),
      {
        maxAge: 300,
      },
    );
    expect(hint).toBe('The identity provider asks you to prove who you are.');
    expect(event).toMatchObject({answers: {resume: 'sign-in', level: {maxAge: 300}}});
  });

  test.each(['mcp-client', 'service-account'] as const)('is none of a %s, which has one way', signIn => {
    expect(first(having({}, {signIn}), level).label).not.toBe('Sign in again as required');
  });

  test('is said to have been tried', () => {
    expect(first(having({}, {signIn: 'browser', level}), level).hint).toBe(
      'You just did, and the server still refused.',
    );
  });
});

test('a token that is refused is got anew once, and after that it is for the operators', () => {
  const failed = (state: WizardState, error = refused) =>
    questionIn({...state, failure: failureOf(error, 'check', state)});
  const refusedNew = new SetupError('auth-token-refused', 'It refuses the token.', {remedy: REFUSED_NEW});
  const saved = contextAt('http://api.acme.localhost:8080');
  expect(failed(having({}, {resume: 'renew'}, {saved})).offers[0]).toMatchObject({label: 'Sign in again'});
  for (const answers of [{}, {resume: 'renew', signInAnew: true}] as const) {
    const {about, offers} = failed(having({}, answers, {saved}), refusedNew);
    expect(offers[0]).toMatchObject({label: 'Try again'});
    expect(JSON.stringify(about)).toContain('The token was issued a moment ago, so signing in again won’t help.');
  }
});

describe('what is checked', () => {
  test('is the deployment, with the tokens of this run', async () => {
    const asked = replaceFlows('platform-tools/check-connection.ts', {checkConnection: {outcome: report}});
    expect((await runStep(check, at.check)).result).toEqual({check: report});
    expect(asked.checkConnection).toStrictEqual([
      {platform: at.check.settings.platform, deployment, tokens: {signIn: token.access}, clientId: 'mcp_client'},
    ]);
  });

  test('may wait for a role', async () => {
    const asked = replaceFlows('platform-tools/check-connection.ts', {checkConnection: {outcome: report}});
    await runStep(check, having({}, {role: 'wait'}));
    expect(asked.checkConnection).toMatchObject([{role: 'wait'}]);
  });

  test.each([new SetupError('network-timeout', 'It took too long.'), new TypeError('bug')])(
    'fails with what it failed with: %s',
    async error => {
      replaceFlows('platform-tools/check-connection.ts', {checkConnection: {outcome: error}});
      await expect(runStep(check, at.check)).rejects.toBe(error);
    },
  );
});

describe('a sign-in that was kept at once', () => {
  const run = async (state: WizardState) => {
    replaceFlows('platform-tools/check-connection.ts', {checkConnection: {outcome: report}});
    const asked = replaceFlows('sign-in/save-sign-in.ts', {saveSignIn: {outcome: undefined}});
    await runStep(check, state);
    return asked.saveSignIn;
  };
  const ownTokens = {observability: token};

  test('is kept again with the tokens that servers have of their own', async () => {
    expect(await run(having({ownTokens}, {}, {login: true}))).toMatchObject([{isKept: false, ownTokens}]);
    expect(await run(having({ownTokens}, {signIn: 'browser'}, {login: true}))).toMatchObject([{isKept: true}]);
  });

  test('is not kept again without these, nor where it is not kept yet', async () => {
    expect(await run(having({}, {}, {login: true}))).toEqual([]);
    expect(await run(having({ownTokens}))).toEqual([]);
  });
});

describe('a token that is refused', () => {
  test('is renewed where it was kept: the identity provider may have other keys', async () => {
    const saved = contextAt('http://idp.acme.localhost:8080');
    const [access, own] = [new Secret('renewed'), new Secret('its own')];
    replaceFlows('platform-tools/check-connection.ts', {checkConnection: {outcome: refused}});
    const tokens = {signIn: access, observability: own};
    const renewals = replaceFlows('platform-tools/saved-connection.ts', {
      checkRenewed: {outcome: {check: report, tokens}},
    });
    const {result} = await runStep(check, having({}, {resume: 'renew'}, {saved}));
    expect(result).toMatchObject({check: report, token: {account: 'mcp_client'}, serverTokens: {observability: own}});
    expect([result.token?.access.reveal(), Object.keys(result.serverTokens ?? {})]).toEqual([
      'renewed',
      ['observability'],
    ]);
    expect(renewals.checkRenewed).toMatchObject([{context: saved}]);
  });

  test('of a sign-in that is not saved yet is renewed once it has expired, and checked again', async () => {
    const asked = replaceFlows('platform-tools/check-connection.ts', {
      checkConnection: [{outcome: refused}, {outcome: report}],
    });
    const access = new Secret('renewed');
    const renewal = replaceFlows('sign-in/renew-unsaved.ts', {
      renewUnsaved: {outcome: {token: {...token, access}, ownTokens: {}}},
    });
    const {result} = await runStep(check, having({token: {...token, renewable: true, expiresAt: 0}}));
    expect(result).toMatchObject({check: report, token: {access}});
    expect(asked.checkConnection).toMatchObject([{}, {tokens: {signIn: access}}]);
    expect(renewal.renewUnsaved).toHaveLength(1);
  });

  test('and has expired ends a sign-in that nothing renews', async () => {
    replaceFlows('platform-tools/check-connection.ts', {checkConnection: {outcome: refused}});
    const state = having({token: {...token, renewable: false, expiresAt: 0}});
    const error = await runStep(check, state).catch(caught => caught);
    expect(error).toMatchObject({code: 'auth-sign-in-required'});
    expect(questionIn({...state, failure: failureOf(error, 'check', state)}).offers[0]).toMatchObject({
      label: 'Sign in again',
    });
  });

  const failedBefore = (outcome: unknown) => {
    const saved = contextAt('http://idp.acme.localhost:8080');
    replaceFlows('platform-tools/check-connection.ts', {checkConnection: {outcome: report}});
    replaceFlows('sign-in/resume-sign-in.ts', {renewSignIn: {outcome}});
    const config = {read: async () => ({version: 1, contexts: [saved]})};
    const renewing = {...token, renewable: true, failure: 'It answered 500.'};
    return runStep(check, having({token: renewing}, {resume: 'renew'}, {saved}), {config} as unknown as Ports);
  };

  test('is renewed before anything is checked where the last renewal failed', async () => {
    const {result} = await failedBefore({signIn: new Secret('renewed')});
    expect(result.token?.access.reveal()).toBe('renewed');
    expect(result.token).not.toHaveProperty('failure');
    expect(result.check).toEqual(report);
  });

  test('works all the same where it cannot be renewed, which is said', async () => {
    const {result} = await failedBefore(new SetupError('platform-unhealthy', 'It answered 500.'));
    expect(result.check).toMatchObject({...report, providerFault: {message: 'It answered 500.'}});
    expect(result).not.toHaveProperty('token');
  });

  test('is no token of a sign-in that has ended', async () => {
    const ended = new SetupError('auth-sign-in-required', 'You are signed out.');
    await expect(failedBefore(ended)).rejects.toBe(ended);
  });

  const finding = async (state: WizardState, outcome: unknown) => {
    replaceFlows('platform-tools/check-connection.ts', {checkConnection: {outcome: refused}});
    const asked = replaceFlows('sign-in/server-token.ts', {findOwnResource: {outcome}});
    const result = await runStep(check, state).then(
      found => found.result,
      error => error,
    );
    return {result, input: asked.findOwnResource[0]};
  };

  test('may be so because the server is a resource of its own', async () => {
    const known = {ownResources: {'control-plane': 'https://api/mcp'}};
    const found = {server: 'observability', resource: 'https://observer/mcp'};
    const {result, input} = await finding(having(known), found);
    expect(result).toEqual({
      ownResources: {'control-plane': 'https://api/mcp', observability: 'https://observer/mcp'},
    });
    expect(input).toMatchObject({among: ['observability'], deployment});
    expect(input).not.toHaveProperty('asked');
  });

  test('else stays refused', async () => {
    const {result, input} = await finding(at.check, undefined);
    expect(result).toBe(refused);
    expect(input).toMatchObject({among: ['control-plane', 'observability']});
  });

  test('of a person is for the control plane already', async () => {
    const cliClient = {clientId: 'platform-cli', scopes: [], resource: 'https://api/mcp'};
    const {input} = await finding(having({cliClient}, {signIn: 'browser'}), undefined);
    expect(input).toMatchObject({among: ['observability'], asked: 'https://api/mcp'});
  });
});

test('each server is waited for', () => {
  const rows = (state: WizardState) => check.pendingRows(state).map(({key, atMost}) => [key, atMost]);
  expect(rows(at.check)).toEqual([
    ['health control-plane', CALL_TIMEOUT],
    ['health observer', CALL_TIMEOUT],
    ['server control-plane', LIST_TIMEOUT],
    ['server observability', LIST_TIMEOUT],
  ]);
  // Until there is a role, the servers are not asked, and their deadlines do not run.
  expect(rows(having({}, {role: 'wait'})).slice(2)).toEqual([
    ['server control-plane', undefined],
    ['server observability', undefined],
  ]);
  const {observerUrl: _, ...without} = deployment;
  expect(rows(having({deployment: without}))).toHaveLength(2);
  expect(rows({...at.check, facts: {}})).toHaveLength(2);
});

test('what is told', () => {
  const events = [
    {type: 'health-checked', service: 'observer', url: 'http://observer', ms: 3},
    {type: 'token-checked', warnings: []},
    {type: 'role-awaited', until: 0},
    {type: 'server-checked', server: 'observability', tools: 6, tokens: 1490, ms: 4},
  ] as never[];
  expect(events.map(event => toRow(event, at.check.settings))).toMatchObject([
    {key: 'health observer', status: 'ok', value: 'http://observer', ms: 3},
    undefined as never,
    {key: 'role', status: 'waiting', atMost: ROLE_TIME},
    {key: 'server observability', status: 'ok', value: '6 tools, about 1,500 tokens', ms: 4},
  ]);
  expect(events.map(event => toLine(event, {place: {home: '/home/ann'}}))).toEqual([
    'Observer is healthy (3 ms)',
    undefined,
    'Waiting for a role for up to a minute.',
    'Observability MCP server: 6 tools, about 1,500 tokens (4 ms)',
  ]);
});

test('who waits for a role is shown which one, and how it is granted', () => {
  const missing = {message: 'You have no role.', remedy: 'Ask for it.', block: 'kubectl apply'};
  const event = {type: 'role-awaited', until: 0, missing} as const;
  expect(toLine(event, {place: {home: '/home/ann'}})).toBe(
    'Waiting for a role for up to a minute. You have no role. Ask for it.\n\nkubectl apply',
  );
  const waiting = {...at.check, progressOf: 'check', progress: [event]} as const;
  expect(viewOf(waiting, 0).body).toMatchObject({type: 'progress', awaited: missing});
  expect(viewOf({...waiting, progressOf: 'obtain-token'}, 0).body).not.toHaveProperty('awaited');
});

test('the receipt says what the servers have', () => {
  expect(check.receipts(at.check)).toEqual([]);
  expect(check.receipts(at.review)).toEqual([
    {label: 'Checked', text: '31 tools, about 7,600 tokens of the model’s context'},
  ]);
  const looking = {
    ...at.review,
    settings: {...at.review.settings, connect: {...at.review.settings.connect, tools: 'look'}},
  };
  expect(check.receipts(looking as WizardState)).toEqual([
    {
      label: 'Checked',
      text: expect.stringMatching(/^31 tools; assistants see \d+ of them, about [\d,]+ tokens of the model’s context$/),
    },
  ]);
  // Only the bridge holds back the others.
  const {connect} = looking.settings;
  const byHeader = {...looking, settings: {...looking.settings, connect: {...connect, method: 'header'}}};
  expect(check.receipts(byHeader as WizardState)).toEqual(check.receipts(at.review));
});

test('a sign-in asks for the release too where the assistants have an account, which a release may not limit', async () => {
  const saved = contextAt('http://idp.acme.localhost:8080');
  const asking = async (context: typeof saved) => {
    const asked = replaceFlows('platform-tools/check-connection.ts', {checkConnection: {outcome: report}});
    await runStep(check, having({signInSaved: true}, {resume: 'sign-in'}, {saved: context}));
    return asked.checkConnection[0];
  };
  const assistantsAccount = {signIn: 'mcp-client', clientId: 'acme_assistants'} as const;
  expect(await asking({...saved, assistantsAccount})).toMatchObject({asksVersion: true});
  expect(await asking(saved)).not.toHaveProperty('asksVersion');
});
