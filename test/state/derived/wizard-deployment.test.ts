import {describe, expect, test} from 'vitest';
import {deploymentIn} from '../../../src/domain/context.ts';
import type {Platform} from '../../../src/platform/platform.ts';
import {bundled, openchoreo} from '../../../src/platform/platforms.ts';
import {authoritySecretIn, deploymentOf, kindsOf, platformOf} from '../../../src/state/derived/wizard-deployment.ts';
import type {Answers, Settings, WizardState} from '../../../src/state/model.ts';
import {contextAt} from '../../support/context.ts';
import {at, deployment} from '../../support/states.ts';

const start = at['find-deployment'];

const having = (settings: Partial<Settings>, answers: Answers = {}): WizardState => ({
  ...start,
  settings: {...start.settings, ...settings},
  answers,
});

describe('the kind of platform', () => {
  const saved = {...contextAt('http://idp.acme.localhost:8080'), platform: 'openchoreo'};

  test('is the usual one before anything is known', () => {
    expect(platformOf(start)).toBe(bundled);
    expect(kindsOf(start.settings)).toEqual([bundled]);
    expect(kindsOf({platform: bundled, kinds: [openchoreo]})).toEqual([openchoreo]);
  });

  test('is the one that was found', () => {
    const found = {
      ...having({saved: {...saved, platform: 'bundled'}}),
      facts: {deployment: {...deployment, platform: 'openchoreo'}},
    };
    expect(platformOf(found).id).toBe('openchoreo');
  });

  test('is the one that was saved, unless the run begins anew or goes on with another', () => {
    expect(platformOf(having({saved})).id).toBe('openchoreo');
    expect(platformOf(having({saved}, {resume: 'renew'})).id).toBe('openchoreo');
    expect(platformOf(having({saved}, {resume: 'anew'}))).toBe(bundled);
    expect(platformOf(having({saved}, {begun: 'go-on'}))).toBe(bundled);
    expect(platformOf(having({saved: {...saved, platform: 'forgotten'}}))).toBe(bundled);
  });

  test('is taken from the kinds of this run before those that are known', () => {
    const own: Platform = {...openchoreo, name: 'Ours'};
    expect(platformOf(having({saved, kinds: [own]}))).toBe(own);
  });
});

test('the authority’s Secret is that of the first kind that has one', () => {
  const authority = {namespace: 'gateway', name: 'authority'};
  const without: Platform = {...bundled, cluster: {...bundled.cluster, authority: undefined}} as never;
  const withOne: Platform = {...bundled, cluster: {...bundled.cluster, authority}} as never;
  expect(authoritySecretIn(having({kinds: [without, withOne]}))).toEqual(authority);
  expect(authoritySecretIn(having({kinds: [without]}))).toBeUndefined();
});

describe('a deployment', () => {
  test('is as it was saved', () => {
    const context = {...contextAt('http://idp.acme.localhost:8080'), observerUrl: 'http://observer.acme.localhost'};
    expect(deploymentIn(context)).toEqual({
      platform: 'bundled',
      baseDomain: 'acme.localhost',
      layout: 'single',
      evidence: 'As saved.',
      controlPlaneUrl: context.controlPlaneUrl,
      observerUrl: context.observerUrl,
      authUrl: context.authUrl,
      issuer: context.issuer,
    });
    expect(deploymentIn(contextAt('http://idp.acme.localhost'))).not.toHaveProperty('observerUrl');
  });

  test('is known after the search only', () => {
    expect(deploymentOf(at.deployment)).toBe(deployment);
    expect(() => deploymentOf(start)).toThrow('No step after the search runs without a deployment.');
  });
});
