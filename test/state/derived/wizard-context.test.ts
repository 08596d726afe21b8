import {describe, expect, test} from 'vitest';
import {deploymentIn} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {
  contextNameIn,
  contextOf,
  formerContext,
  networkIn,
  signInOf,
} from '../../../src/state/derived/wizard-context.ts';
import type {Facts, Settings, WizardState} from '../../../src/state/model.ts';
import {contextAt} from '../../support/context.ts';
import {at, deployment} from '../../support/states.ts';

const having = (settings: Partial<Settings>, answers: WizardState['answers'] = {}, facts: Facts = {}): WizardState => ({
  ...at.check,
  settings: {...at.check.settings, ...settings},
  answers: {...at.check.answers, ...answers},
  facts: {...at.check.facts, ...facts},
});

test('the release is kept where the paths told it, and not where the platform says it', () => {
  const byPaths = {...deployment, version: '0.16', versionByPaths: true} as const;
  expect(contextOf(having({}, {}, {deployment: byPaths})).release).toBe('0.16');
  expect(contextOf(having({}, {}, {deployment: {...deployment, version: '1.2.3'}})).release).toBeUndefined();
  expect(deploymentIn({...contextAt('http://idp.acme.localhost:8080'), release: '0.16'})).toMatchObject({
    version: '0.16',
    versionByPaths: true,
  });
});

describe('the name of a context', () => {
  const saved = {...contextAt('http://idp.acme.localhost:8080'), name: 'mine'};
  const known = (name: string, baseDomain: string) => ({...saved, name, baseDomain});

  test('is the first label of its base domain', () => {
    expect(contextNameIn(having({}))).toBe('acme');
  });

  test('is the whole base domain where another deployment has that name', () => {
    expect(contextNameIn(having({contexts: [known('acme', 'acme.example.com')]}))).toBe('acme.localhost');
  });

  test('stays where the deployment of that name is the same, and where others have other names', () => {
    expect(contextNameIn(having({contexts: [known('acme', 'acme.localhost')]}))).toBe('acme');
    expect(contextNameIn(having({contexts: [known('other', 'acme.example.com')]}))).toBe('acme');
  });

  test('is the one under which the deployment is saved, whatever that is', () => {
    expect(contextNameIn(having({contexts: [known('two', 'acme.localhost')]}))).toBe('two');
    const contexts = ['two', 'three'].map(name => known(name, 'acme.localhost'));
    expect(contextNameIn(having({contexts}))).toBe('acme');
  });

  test('is as the person says, by key before flag, taken or not', () => {
    const contexts = [known('acme', 'acme.example.com')];
    expect(contextNameIn(having({contextName: 'by-flag', contexts}))).toBe('by-flag');
    expect(contextNameIn(having({contextName: 'by-flag'}, {contextName: 'by-key'}))).toBe('by-key');
  });

  test('is the saved one where that is resumed, and only then', () => {
    expect(contextNameIn(having({saved, contextName: 'by-flag'}, {resume: 'renew'}))).toBe('mine');
    expect(contextNameIn(having({saved}, {resume: 'anew'}))).toBe('acme');
    expect(contextNameIn(having({contextName: 'by-flag'}, {resume: 'renew'}))).toBe('by-flag');
  });
});

describe('whom to ask', () => {
  const company = {platform: at.check.settings.platform, name: 'Acme', baseDomain: 'acme.localhost', contact: '#help'};
  const companyFile = {source: '/acme.json', company: {...company, documentation: [], defaults: {}}};
  const saved = {...contextAt('http://idp.acme.localhost:8080'), baseDomain: deployment.baseDomain, contact: '#before'};

  test('is as the company file says, once that counts', () => {
    expect(contextOf(having({companyFile}, {company: 'use'}))).toMatchObject({contact: '#help'});
    expect(contextOf(having({companyFile}, {company: 'without'}))).not.toHaveProperty('contact');
  });

  test('stays for the deployment that it was saved for', () => {
    expect(contextOf(having({saved}, {resume: 'renew'}))).toMatchObject({contact: '#before'});
    const elsewhere = {...saved, baseDomain: 'other.localhost'};
    expect(contextOf(having({saved: elsewhere}, {resume: 'anew'}))).not.toHaveProperty('contact');
  });
});

describe('the way to the platform', () => {
  test('is as flags have it, with the authority that the person trusts on the way', () => {
    const network = {proxy: 'none', authority: {file: '/etc/ca.pem'}} as const;
    expect(networkIn(having({network}))).toEqual(network);
    expect(networkIn(having({}))).toEqual({});
    expect(networkIn(having({network}, {authority: {pem: 'PEM'}}))).toEqual({proxy: 'none', authority: {pem: 'PEM'}});
  });

  test('has the authority that the cluster told, once it has', () => {
    const network = {authority: {file: '/etc/ca.pem'}} as const;
    const clusterAuthority = {pem: 'FROM THE CLUSTER'};
    expect(networkIn(having({network}, {authority: 'cluster'}, {clusterAuthority}))).toEqual({
      authority: clusterAuthority,
    });
    expect(networkIn(having({network}, {authority: 'cluster'}))).toEqual(network);
    // An authority that the person has trusted since takes precedence.
    expect(networkIn(having({}, {authority: {pem: 'PEM'}}, {clusterAuthority}))).toEqual({authority: {pem: 'PEM'}});
  });
});

describe('a context', () => {
  test('is what was found, and how this run signs in', () => {
    expect(contextOf(at.check)).toEqual({
      name: 'acme',
      platform: 'bundled',
      baseDomain: 'acme.localhost',
      layout: 'single',
      controlPlaneUrl: deployment.controlPlaneUrl,
      observerUrl: deployment.observerUrl,
      authUrl: deployment.authUrl,
      issuer: deployment.issuer,
      signIn: 'mcp-client',
      clientId: 'mcp_client',
    });
  });

  test('has no observer where there is none', () => {
    const {observerUrl: _, ...without} = deployment;
    expect(contextOf(having({}, {}, {deployment: without}))).not.toHaveProperty('observerUrl');
  });

  test('knows what a person’s sign-in asks for', () => {
    const cliClient = {clientId: 'platform-cli', scopes: ['openid'], resource: 'https://api/mcp'};
    const state = having({}, {signIn: 'browser'}, {cliClient: cliClient as never});
    expect(contextOf(state)).toMatchObject({clientId: 'platform-cli', scopes: ['openid'], resource: 'https://api/mcp'});
    const {resource: _, ...without} = cliClient;
    expect(contextOf(having({}, {signIn: 'browser'}, {cliClient: without as never}))).not.toHaveProperty('resource');
  });

  test('knows where the browser is sent back to, where that was said now or before', () => {
    const saved = {...contextAt('http://idp.acme.localhost:8080'), redirectUri: 'http://127.0.0.1:1/before'};
    expect(contextOf(having({saved}))).toMatchObject({redirectUri: 'http://127.0.0.1:1/before'});
    const redirectUri = 'http://127.0.0.1:2/now';
    expect(contextOf(having({saved, redirectUri}))).toMatchObject({redirectUri});
  });

  test('keeps a way to the platform where one is needed', () => {
    const network = {authority: {pem: 'PEM'}};
    expect(contextOf(having({network}))).not.toHaveProperty('network');
    const secure = {...deployment, controlPlaneUrl: 'https://api.acme.example.com'};
    expect(contextOf(having({network}, {}, {deployment: secure}))).toMatchObject({network});
  });

  test('has the resources of tokens that servers have of their own', () => {
    const ownResources = {observability: 'https://observer/mcp'};
    const ownTokens = {observability: at.check.facts.token};
    expect(contextOf(having({}, {}, {ownResources, ownTokens} as Facts))).toMatchObject({resources: ownResources});
  });
});

test('a sign-in is kept with its tokens and with the secret of its client', () => {
  const clientSecret = new Secret('the-secret');
  const observability = {...at.check.facts.token, account: 'another'} as const;
  const state = having({}, {clientSecret}, {ownTokens: {observability} as never});
  const kept = signInOf(state);
  expect(kept).toEqual({
    context: contextOf(state),
    token: at.check.facts.token,
    clientSecret: expect.any(Secret),
    ownTokens: {observability},
  });
  expect(kept.clientSecret?.reveal()).toBe('the-secret');
});

describe('the context that a run continues or replaces', () => {
  const mine = {...contextAt('http://idp.acme.localhost:8080'), name: 'acme', baseDomain: 'acme.localhost'};

  test('is the saved one in a run that continues it', () => {
    expect(formerContext(having({saved: mine}, {resume: 'connect'}))).toBe(mine);
  });

  test('is the one of the same name in a new set-up, also of a platform that has moved', () => {
    expect(formerContext(having({saved: mine, contexts: [mine]}, {resume: 'anew'}))).toBe(mine);
    const moved = {...mine, controlPlaneUrl: 'http://api.acme.localhost:1'};
    expect(formerContext(having({contexts: [moved]}))).toBe(moved);
    expect(formerContext(having({contexts: [mine], contextName: 'two'}))).toBeUndefined();
    expect(formerContext(having({}))).toBeUndefined();
    // Another run has removed it since.
    expect(formerContext(having({contexts: [mine]}, {resume: 'anew', isContextGone: true}))).toBeUndefined();
  });
});
