import {describe, expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import type {Answers, Facts, WizardState} from '../../../../src/state/model.ts';
import {ownToken} from '../../../../src/state/steps/sign-in/own-token.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const ownResources = {'control-plane': 'https://api/mcp', observability: 'https://observer/mcp'};

const having = (facts: Facts, answers: Answers = {}): WizardState => ({
  ...at.check,
  answers: {...at.check.answers, ...answers},
  facts: {...at.check.facts, ...facts},
});

const token = {...at.check.facts.token, access: new Secret('its own')} as NonNullable<Facts['token']>;

test('a token of its own is got where the check has found a resource, until each has an answer', () => {
  expect([ownToken.when(at.check), ownToken.when(having({ownResources}))]).toEqual([false, true]);
  expect(ownToken.done(having({ownResources}))).toBe(false);
  const ownTokens = {'control-plane': token, observability: 'refused'} as const;
  expect(ownToken.done(having({ownResources, ownTokens}))).toBe(true);
  expect(ownToken.forgets).toEqual({answers: [], facts: ['ownTokens', 'serverTokens']});
  expect(ownToken.pendingRows()).toMatchObject([{key: 'token', status: 'waiting'}]);
});

const run = async (state: WizardState, outcome: unknown) => {
  const asked = replaceFlows('sign-in/server-token.ts', {obtainOwnToken: {outcome}});
  const {result} = await runStep(ownToken, state);
  return {result, input: asked.obtainOwnToken[0]};
};

describe('what is asked for', () => {
  test('is the resource of one server, as the client of this run', async () => {
    const clientSecret = new Secret('the-secret');
    const {input} = await run(having({ownResources}, {clientSecret}), token);
    expect(input).toStrictEqual({
      server: 'control-plane',
      resource: 'https://api/mcp',
      issuer: deployment.issuer,
      account: 'mcp_client',
      by: {method: 'mcp-client', clientId: 'mcp_client', wanted: {scopes: []}, secret: clientSecret},
    });
  });

  test('is a second sign-in where it is a person', async () => {
    const cliClient = {clientId: 'platform-cli', scopes: ['openid']};
    const {callbackUrl: redirectUri} = at.check.settings.platform;
    const way = {by: 'browser', open: true, redirectUri, clientId: 'platform-cli'};
    const person = await run(having({ownResources, cliClient}, {signIn: 'browser'}), token);
    expect(person.input).toMatchObject({by: {...way, wanted: {scopes: ['openid']}}});
    const unknown = await run(having({ownResources}, {signIn: 'browser'}), token);
    expect(unknown.input).toMatchObject({by: {wanted: {scopes: []}}});
  });

  test('is nothing where no resource waits', async () => {
    await expect(runStep(ownToken, at.check)).rejects.toThrow('A token is asked for where the check has found');
  });
});

describe('what it brings', () => {
  test('is the token of the sign-in, where it is the control plane’s', async () => {
    const {result} = await run(having({ownResources}), token);
    expect(result).toStrictEqual({ownTokens: {'control-plane': token}, token});
  });

  test('stands beside it, where it is another server’s', async () => {
    const {result} = await run(having({ownResources, ownTokens: {'control-plane': 'refused'}}), token);
    expect(result).toStrictEqual({
      ownTokens: {'control-plane': 'refused', observability: token},
      serverTokens: {observability: token.access},
    });
  });

  test('may be a refusal', async () => {
    const {result} = await run(having({ownResources}), 'refused');
    expect(result).toStrictEqual({ownTokens: {'control-plane': 'refused'}});
  });
});
