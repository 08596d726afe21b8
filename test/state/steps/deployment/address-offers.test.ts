import {describe, expect, test} from 'vitest';
import type {Failure, WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {
  anotherBaseDomain,
  changeAddress,
  enterBaseDomain,
  enterObserver,
  formerAddress,
  offerItsAddress,
  whichProvider,
  withoutObserver,
} from '../../../../src/state/steps/deployment/address-offers.ts';
import {currentStep} from '../../../../src/state/steps.ts';
import type {Offer} from '../../../../src/state/view/view.ts';
import {at, deployment} from '../../../support/states.ts';

const start = at['find-deployment'];

/** Returns the input of an offer that asks for a text. */
const typed = (offer: Offer | undefined) => {
  if (!offer || !('ask' in offer)) throw new Error('Something is to be typed.');
  return offer;
};

const failing = (state: WizardState, code: Failure['code']): WizardState => ({
  ...state,
  failure: {step: 'find-deployment', code, whose: 'you', headline: 'It failed', message: '', remedy: ''},
});

describe('another base domain', () => {
  test('leads to a search without the addresses of before', () => {
    const offer = typed(enterBaseDomain(start, 'Another', 'acme.localhost'));
    expect(offer).toMatchObject({label: 'Another', initial: 'acme.localhost'});
    expect(offer.validate?.('no good')).toContain('is not a base domain');
    expect(offer.toEvent('other.localhost')).toEqual({
      type: 'answered',
      answers: {baseDomain: 'other.localhost', addresses: {}},
    });
  });

  test('may be the control plane of a platform without names, which forgets the base domain of before', () => {
    const offer = typed(enterBaseDomain(start, 'Another', 'acme.localhost'));
    expect(offer.validate?.(' http://127.0.0.1:8123 ')).toBeUndefined();
    expect(offer.validate?.('http://127.0.0.1:http')).toContain('The control plane');
    expect(offer.toEvent(' http://127.0.0.1:8123 ')).toEqual({
      type: 'answered',
      answers: {baseDomain: undefined, addresses: {controlPlaneUrl: 'http://127.0.0.1:8123'}},
    });
    const trusting = {...at.deployment, answers: {authority: {pem: 'PEM'}}};
    expect(reduce(trusting, offer.toEvent('http://127.0.0.1:8123')).answers).not.toHaveProperty('authority');
  });

  test('begins with the one that was named, or found', () => {
    const named = {...at.deployment, answers: {baseDomain: 'named.localhost'}};
    expect(anotherBaseDomain(named)).toMatchObject({label: 'Another base domain', initial: 'named.localhost'});
    expect(anotherBaseDomain(at.deployment)).toMatchObject({initial: 'acme.localhost'});
    expect(anotherBaseDomain(start)).toMatchObject({label: 'Another base domain', initial: ''});
  });

  test('begins with the address that was named, which has a port that the base domain found there has not', () => {
    const controlPlaneUrl = 'http://api.acme.localhost:21081';
    const addresses = {controlPlaneUrl, observerUrl: 'http://observer.acme.localhost:21082'};
    const offer = typed(anotherBaseDomain({...at.deployment, answers: {addresses}}));
    expect(offer.initial).toBe(controlPlaneUrl);
    // Taken as it is, it is the same platform, with every other address that was named.
    expect(offer.toEvent(controlPlaneUrl)).toEqual({type: 'answered', answers: {addresses}});
    const both = {baseDomain: 'acme.localhost:21081', addresses: {observerUrl: addresses.observerUrl}};
    expect(typed(anotherBaseDomain({...at.deployment, answers: both})).toEvent(both.baseDomain)).toEqual({
      type: 'answered',
      answers: both,
    });
  });

  test('is the first one where nobody named any, and none was found', () => {
    expect(anotherBaseDomain(failing(start, 'platform-not-found')).label).toBe('Enter the platform’s base domain');
    const named = {...start, answers: {baseDomain: 'acme.localhost'}};
    expect(anotherBaseDomain(failing(named, 'platform-not-found')).label).toBe('Another base domain');
    expect(anotherBaseDomain(failing(start, 'network-timeout')).label).toBe('Another base domain');
  });
});

describe('the address that an identity provider calls itself', () => {
  const mismatch: Failure = {
    ...{
      step: 'find-deployment',
      code: 'auth-issuer-mismatch',
      whose: 'you',
      headline: 'It failed',
      message: '',
      remedy: '',
    },
    about: {url: 'http://idp.acme.localhost', called: 'http://internal:8090', flag: 'auth-url'},
  };
  const unresolved: Failure = {...mismatch, code: 'network-name-not-found', about: {url: 'http://internal:8090'}};
  const failed = (state: WizardState, failure: Failure) => reduce(state, {type: 'failed', failure});

  test('leads back to the choice where nobody is found by it', () => {
    const asked = failed(start, mismatch);
    expect(formerAddress(asked)).toEqual([]);
    const [use] = offerItsAddress(asked, mismatch.about ?? {});
    if (!use || !('event' in use)) throw new Error('It is a choice.');
    const blind = failed(reduce(asked, use.event), unresolved);
    const [back] = formerAddress(blind);
    expect(back).toMatchObject({hint: 'The identity provider was expected at http://idp.acme.localhost.'});
    if (!back || !('event' in back)) throw new Error('It is a choice.');
    // The provider may be mended by now, so it is asked again.
    const again = reduce(blind, back.event);
    expect(again.answers.addresses ?? {}).toEqual(start.answers.addresses ?? {});
    expect([again.failure, currentStep(again).id]).toEqual([undefined, 'find-deployment']);
  });

  test('leads back past a question about that address, too', () => {
    const asked = failed(start, mismatch);
    const [use] = offerItsAddress(asked, mismatch.about ?? {});
    if (!use || !('event' in use)) throw new Error('It is a choice.');
    const insecure = failed(reduce(asked, use.event), {...unresolved, code: 'network-insecure'});
    const allowed = reduce(insecure, {type: 'answered', answers: {network: {allowHttp: ['internal']}}});
    const [back] = formerAddress(failed(allowed, unresolved));
    if (!back || !('event' in back)) throw new Error('It is a choice.');
    expect(reduce(failed(allowed, unresolved), back.event).answers.addresses ?? {}).toEqual(
      start.answers.addresses ?? {},
    );
  });
});

describe('the observer', () => {
  const addresses = {controlPlaneUrl: 'http://api', observerUrl: 'http://observer'};

  test('gets another address, the others staying as they were given', () => {
    const offer = typed(enterObserver({...start, answers: {addresses}}));
    expect(offer.initial).toBe('http://observer');
    expect(offer.validate?.('no good')).toContain('The observer');
    expect(offer.toEvent('http://new')).toEqual({
      type: 'answered',
      answers: {addresses: {controlPlaneUrl: 'http://api', observerUrl: 'http://new'}},
    });
    expect(typed(enterObserver(start)).initial).toBe('');
  });

  test('is done without', () => {
    expect(withoutObserver({...start, answers: {addresses}})).toMatchObject({
      event: {answers: {addresses: {controlPlaneUrl: 'http://api', observerUrl: 'none'}}},
    });
  });
});

describe('an identity provider that the control plane does not trust', () => {
  test('is left for the one that it trusts, or decided for to the letter', () => {
    const addresses = {controlPlaneUrl: 'http://api', authUrl: 'http://other'};
    const issuers = {trusted: 'http://idp', given: 'http://other/'};
    expect(whichProvider({...start, answers: {addresses}}, issuers)).toMatchObject([
      {label: 'Sign in at http://idp', event: {answers: {addresses: {controlPlaneUrl: 'http://api'}}}},
      {
        label: 'Sign in at http://other/ anyway',
        event: {answers: {addresses: {...addresses, issuer: 'http://other/'}}},
      },
    ]);
  });
});

describe('one of the three addresses', () => {
  test('is another, and the others stay as they were found', () => {
    const offer = changeAddress(at.deployment);
    if (!('offers' in offer)) throw new Error('Which one is asked first.');
    expect(offer.offers.map(one => [one.label, one.hint, typed(one).initial])).toEqual([
      ['Control plane', deployment.controlPlaneUrl, deployment.controlPlaneUrl],
      ['Observer', deployment.observerUrl, deployment.observerUrl],
      ['Identity provider', deployment.authUrl, deployment.authUrl],
    ]);
    expect(typed(offer.offers[1]).toEvent('http://new')).toEqual({
      type: 'answered',
      answers: {
        baseDomain: 'acme.localhost',
        addresses: {
          controlPlaneUrl: deployment.controlPlaneUrl,
          authUrl: deployment.authUrl,
          observerUrl: 'http://new',
        },
      },
    });
    expect(typed(offer.offers[2]).validate?.('no good')).toContain('Identity provider');
  });

  test('may be one that there was not', () => {
    const {observerUrl: _, ...without} = deployment;
    const offer = changeAddress({...at.deployment, facts: {deployment: without}});
    if (!('offers' in offer)) throw new Error('Which one is asked first.');
    expect([offer.offers[1]?.hint, typed(offer.offers[1]).initial]).toEqual(['none', '']);
    expect(typed(offer.offers[0]).toEvent('http://new')).toStrictEqual({
      type: 'answered',
      answers: {
        baseDomain: 'acme.localhost',
        addresses: {controlPlaneUrl: 'http://new', authUrl: deployment.authUrl},
      },
    });
  });
});
