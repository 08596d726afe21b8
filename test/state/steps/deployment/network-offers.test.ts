import {describe, expect, test} from 'vitest';
import type {Secret} from '../../../../src/domain/secret.ts';
import type {About, ErrorCode} from '../../../../src/errors/errors.ts';
import {contextOf, ownCommandIn, routeIn} from '../../../../src/state/derived/wizard-context.ts';
import type {WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {fullPathOf, isFullPath, networkOffers} from '../../../../src/state/steps/deployment/network-offers.ts';
import type {Offer} from '../../../../src/state/view/view.ts';
import {at, deployment} from '../../../support/states.ts';

const offersFor = (code: ErrorCode, about: About = {}, state: WizardState = at.done) =>
  networkOffers(state, {step: 'check', code, whose: 'you', headline: 'It failed', message: '', remedy: '', about});

const taken = (offer: Offer | undefined, text = '', state: WizardState = at.done): WizardState => {
  if (offer && 'event' in offer) return reduce(state, offer.event);
  if (offer && 'ask' in offer) return reduce(state, offer.toEvent(text));
  throw new Error('The offer leads nowhere.');
};

const validate = (offer: Offer | undefined, text: string) => offer && 'ask' in offer && offer.validate?.(text);

describe('plain http to a host that was named', () => {
  const host = 'api.acme.lan';
  const plain = {...deployment, controlPlaneUrl: `http://${host}`};
  const state: WizardState = {...at.done, facts: {...at.done.facts, deployment: plain}};
  const [once, always] = offersFor('network-insecure', {server: `http://${host}:8080`}, state);

  test('is allowed for this run and its entries, and not kept', () => {
    const allowed = taken(once, '', state);
    expect(routeIn(allowed).settings.allowHttp).toEqual([host]);
    expect(ownCommandIn(allowed).allowHttp).toBe(host);
    expect(contextOf(allowed)).not.toHaveProperty('network');
  });

  test('or for good, and kept with the platform', () => {
    const allowed = taken(always, '', state);
    expect(routeIn(allowed).settings.allowHttp).toEqual([host]);
    expect(ownCommandIn(allowed)).not.toHaveProperty('allowHttp');
    expect(contextOf(allowed).network).toEqual({allowHttp: [host]});
    // Nothing is saved for a host of another platform.
    expect(contextOf(taken(always)).network).toBeUndefined();
  });

  test('both go with what was allowed before', () => {
    const before = {...state, settings: {...state.settings, own: {...state.settings.own, allowHttp: 'a.lan'}}};
    expect(ownCommandIn(taken(once, '', before)).allowHttp).toBe(`a.lan,${host}`);
    const [, again] = offersFor('network-insecure', {server: 'http://idp.acme.lan'}, taken(always, '', state));
    expect(routeIn(taken(again, '', taken(always, '', state))).settings.allowHttp).toEqual([host, 'idp.acme.lan']);
  });
});

describe('a proxy that is in the way', () => {
  const codes = ['network-proxy', 'network-proxy-sign-in', 'network-proxy-denied'] as const;

  test.each(codes)('is gone past, or another one is named, with its password apart: %s', code => {
    const [another, without] = offersFor(code);
    expect(routeIn(taken(without)).settings.proxy).toBe('none');
    const {answers, ...named} = taken(another, 'http://ann:canary@proxy.acme.example:3128');
    const shown = 'http://ann@proxy.acme.example:3128';
    expect(answers.network?.proxy).toEqual({http: shown, https: shown});
    expect(JSON.stringify(answers)).not.toContain('canary');
    expect(routeIn({...named, answers}).passwords).toEqual({[shown]: 'canary'});
  });

  test('has to be an address', () => {
    const [another] = offersFor('network-proxy');
    expect(validate(another, 'http://')).toContain('looks like http://proxy.example.com:3128');
    expect(validate(another, 'proxy.acme.example:3128')).toBeUndefined();
  });
});

test('a client certificate is read from one file, by its full path', () => {
  const [offer] = offersFor('network-client-certificate');
  expect(validate(offer, 'client.pem')).toBe('Enter the full path.');
  const file = `${at.done.settings.place.home}/client.pem`;
  expect(taken(offer, '~/client.pem').answers.network?.clientCertificate).toEqual({certificate: file, key: file});
});

test('a client certificate that was named before stands in the field', () => {
  const [offer] = offersFor('network-client-certificate');
  expect(offer).toMatchObject({initial: ''});
  const named = taken(offer, '/etc/client.pem');
  expect(offersFor('network-client-certificate', {}, named)[0]).toMatchObject({initial: '/etc/client.pem'});
  const [another] = offersFor('network-proxy');
  const proxied = taken(another, 'http://proxy.acme.example:3128');
  expect(offersFor('network-client-certificate', {}, proxied)[0]).toMatchObject({initial: ''});
});

test('a tilde is the home directory at the beginning of a path alone', () => {
  expect(fullPathOf('~/ca.pem', at.done)).toBe('/home/ann/ca.pem');
  expect(fullPathOf('/backup~/ca.pem', at.done)).toBe('/backup~/ca.pem');
});

test('what is about something else has no way of its own', () => {
  expect(offersFor('network-timeout')).toEqual([]);
  expect(offersFor('network-insecure')).toEqual([]);
});

test.each([
  ['/etc/ca.pem', true],
  ['~/ca.pem', true],
  [String.raw`C:\ca.pem`, true],
  ['ca.pem', false],
  ['~ann/ca.pem', false],
])('a full path: %s is one: %s', (path, is) => {
  expect(isFullPath(path)).toBe(is);
});

test('a password of a proxy is a secret', () => {
  const [another] = offersFor('network-proxy');
  const {proxyPasswords = {}} = taken(another, 'http://ann:canary@p.example:1').answers;
  const [password] = Object.values(proxyPasswords) as readonly Secret[];
  expect(password?.reveal()).toBe('canary');
});
