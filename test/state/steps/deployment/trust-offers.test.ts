import {describe, expect, test} from 'vitest';
import type {Platform} from '../../../../src/platform/platform.ts';
import type {Answers, Failure, Settings, WizardState} from '../../../../src/state/model.ts';
import {trustRecovery} from '../../../../src/state/steps/deployment/trust-offers.ts';
import type {Offer} from '../../../../src/state/view/view.ts';
import {at} from '../../../support/states.ts';

const start = at['find-deployment'];
const {platform} = start.settings;
const kind = (authority?: object) => ({...platform, cluster: {...platform.cluster, authority}}) as unknown as Platform;

const having = (settings: Partial<Settings>, answers: Answers = {}): WizardState => ({
  ...start,
  settings: {...start.settings, kinds: [kind()], ...settings},
  answers,
});

const failure: Failure = {
  step: 'check',
  code: 'network-tls',
  whose: 'you',
  headline: 'It failed',
  message: '',
  remedy: '',
};
const untrusted = (isWhole = true) =>
  ({...failure, untrusted: {origin: 'https://api', anchor: {pem: 'NEW'}, isWhole}}) as unknown as Failure;

const eventOf = (offer: Offer | undefined) => offer && 'event' in offer && offer.event;

describe('a server that nobody here trusts', () => {
  test('can be trusted for this platform', () => {
    const offers = trustRecovery(having({}), untrusted()) ?? [];
    expect(offers.map(({label}) => label)).toEqual(['Trust it for this platform', 'Trust an authority from a file']);
    expect(eventOf(offers[0])).toEqual({type: 'answered', answers: {authority: {pem: 'NEW'}}});
    expect(trustRecovery(having({}), untrusted(false))?.[0]?.label).toBe('Trust this certificate, until it is renewed');
  });

  test('is trusted with those that were trusted before', () => {
    const [first] = trustRecovery(having({}, {authority: {pem: 'OLD\n\n'}}), untrusted()) ?? [];
    expect(eventOf(first)).toEqual({type: 'answered', answers: {authority: {pem: 'OLD\nNEW'}}});
    const [other] = trustRecovery(having({}, {authority: {file: '/ca.pem'}}), untrusted()) ?? [];
    expect(eventOf(other)).toEqual({type: 'answered', answers: {authority: {pem: 'NEW'}}});
  });

  test('may have an authority that the cluster knows', () => {
    const kinds = [kind({namespace: 'gateway', name: 'authority'})];
    expect(trustRecovery(having({kinds}), untrusted())?.[2]).toEqual({
      label: 'Trust the cluster’s authority',
      hint: 'kubectl get secret authority --namespace gateway',
      event: {type: 'answered', answers: {authority: 'cluster'}},
    });
  });
});

describe('a file with the authority', () => {
  const file = (state = having({})) => {
    const offer = trustRecovery(state, untrusted())?.[1];
    if (!offer || !('ask' in offer)) throw new Error('Its path is typed.');
    return offer;
  };

  test.each(['/etc/ca.pem', '~/ca.pem', '~\\ca.pem', 'C:\\ca.pem', 'c:/ca.pem'])('may be %s', path => {
    expect(file().validate?.(path)).toBeUndefined();
  });

  test.each(['ca.pem', './ca.pem', '~ann/ca.pem', 'x/~/ca.pem', 'a/C:/ca.pem', ''])('is not %j', path => {
    expect(file().validate?.(path)).toBe('Enter the full path.');
  });

  test('is taken by its whole path', () => {
    expect(file().initial).toBe('');
    expect(file().toEvent('~/ca.pem')).toEqual({type: 'answered', answers: {authority: {file: '/home/ann/ca.pem'}}});
    expect(file().toEvent('/a~/ca.pem')).toEqual({type: 'answered', answers: {authority: {file: '/a~/ca.pem'}}});
  });
});

describe('an authority that is no good', () => {
  const invalid: Failure = {...failure, code: 'input-invalid', about: {flag: 'ca-file'}};

  test('is another file, where it was one, or another way to trust', () => {
    const offers = trustRecovery(having({}, {authority: {file: '/etc/no.pem'}}), invalid);
    expect(offers).toMatchObject([
      {label: 'Trust an authority from a file', initial: '/etc/no.pem'},
      {label: 'Choose again whom to trust', event: {type: 'went-back', to: 'cluster-authority'}},
    ]);
  });

  test.each<Answers>([{}, {authority: 'cluster'}, {authority: {pem: 'PEM'}}])(
    'is another file, where the deployment was saved with it: %j',
    answers => {
      const about = {...invalid.about, path: '/etc/gone.pem'};
      expect(trustRecovery(having({}, answers), {...invalid, about})).toMatchObject([
        {label: 'Trust an authority from a file', initial: '/etc/gone.pem'},
      ]);
    },
  );

  test('is not what any other failure is about', () => {
    const named = having({}, {authority: {file: '/etc/ca.pem'}});
    expect(trustRecovery(named, failure)).toBeUndefined();
    expect(trustRecovery(named, {...invalid, about: {flag: 'client-cert'}})).toBeUndefined();
  });
});
