import {describe, expect, test} from 'vitest';
import {SetupError} from '../../../src/errors/errors.ts';
import {untrustedLines, whoSigned} from '../../../src/flows/deployment/untrusted.ts';
import type {Anchor, Certificate} from '../../../src/ports/ports.ts';
import {failureOf} from '../../../src/state/failure.ts';
import {initialState, type StepId} from '../../../src/state/model.ts';
import {reduce} from '../../../src/state/reducer.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {questionIn} from '../../support/standing-wizard.ts';
import {settings} from '../../support/states.ts';

const origin = 'https://api.acme.example';

const anchor = (subject: string, issuer = subject): Anchor => ({
  ...{subject, issuer, validTo: Date.UTC(2031, 0, 2), fingerprint: 'AA:BB', pem: '-----BEGIN CERTIFICATE-----'},
});

/**
 * Returns who signed the server's certificate, by the top of its chain. Undefined if the certificate cannot be read.
 */
const signedBy = async (top: Anchor | undefined, error: unknown = untrusted) => {
  const ports = await temporaryPorts();
  const certificate = async () => {
    if (!top) throw new Error('It went away.');
    return {...top, names: '', trusted: false, anchor: top} satisfies Certificate;
  };
  return whoSigned(error, {...ports, network: {...ports.network, certificate}}, noSignal);
};

const untrusted = new SetupError('network-tls', 'It could not be trusted.', {about: {untrusted: origin}});

describe('who signed', () => {
  test.each([
    ['Zscaler Intermediate Root CA (zscaler.net)', 'Zscaler'],
    ['ca.acme.goskope.com', 'Netskope'],
    ['Cloudflare for Teams ECC Certificate Authority - Gateway', 'Cloudflare Gateway'],
    ['FortiGate CA', 'FortiGate'],
    ['mitmproxy', 'mitmproxy'],
    ['Kaspersky Anti-Virus Personal Root Certificate', 'Kaspersky'],
  ])('%s is a product that stands in between', async (subject, interceptor) => {
    expect(await signedBy(anchor(subject))).toMatchObject({origin, interceptor});
  });

  test.each(['Acme Root CA', 'Resetting CA', 'openchoreo-ca', ''])('%j is no product that is known', async subject => {
    expect(await signedBy(anchor(subject))).not.toHaveProperty('interceptor');
  });

  test('is cleaned before it is shown', async () => {
    const found = await signedBy(anchor('Acme\u001B[2J CA'));
    expect(untrustedLines(found ?? expect.fail())).toEqual([
      'Certificate authority: Acme [2J CA',
      'SHA-256 fingerprint AA:BB',
      'Valid until 2031-01-02',
    ]);
  });

  test('is not told by a certificate that is not shown', async () => {
    expect(await signedBy({...anchor('Acme'), pem: ''})).toBeUndefined();
  });

  test('may be told by the issuer’s name alone', async () => {
    expect(await signedBy(anchor('api.acme.example', 'Zscaler Root CA'))).toMatchObject({
      interceptor: 'Zscaler',
      isWhole: false,
    });
  });

  test.each([
    ['api.acme.example', 'api.acme.example'],
    ['', 'the server'],
  ])('is told beside whose certificate it is: %j', (subject, words) => {
    const lines = untrustedLines({origin, anchor: anchor(subject, 'Acme CA'), isWhole: false});
    expect(lines[0]).toMatch(new RegExp(`^Signed by Acme CA, .*\n.*certificate of ${words} itself:$`));
  });

  test('is not asked of a server that failed otherwise, and nothing is said where it went away', async () => {
    expect(await signedBy(anchor('Acme'), new SetupError('network-tls', 'It has expired.'))).toBeUndefined();
    expect(await signedBy(undefined)).toBeUndefined();
  });
});

/** Returns what the wizard offers to a person after this error. */
const offersFor = async (error: SetupError, top?: Anchor, step: StepId = 'find-deployment') => {
  const state = initialState(settings);
  const who = top ? await signedBy(top) : undefined;
  const failure = failureOf(error, step, state, who);
  const question = questionIn({...state, failure});
  return {failure, labels: question.offers.map(({label}) => label), chosen: question.offers[question.initial]?.label};
};

test('an unknown authority can be trusted, and nothing is chosen for the person', async () => {
  const {labels, chosen, failure} = await offersFor(untrusted, anchor('Acme Root CA'));
  expect(labels).toEqual(expect.arrayContaining(['Trust it for this platform', 'Trust an authority from a file']));
  expect(chosen).toBe('Quit');
  expect(failure.block).toContain('SHA-256 fingerprint AA:BB');
});

test('who was trusted before stays trusted', async () => {
  const state = initialState(settings, {authority: {pem: 'FIRST'}});
  const failure = failureOf(untrusted, 'find-deployment', state, await signedBy(anchor('Other Root')));
  const offer = questionIn({...state, failure}).offers[0];
  expect(offer).toMatchObject({event: {answers: {authority: {pem: 'FIRST\n-----BEGIN CERTIFICATE-----'}}}});
});

test('a server that does not show who signed is said to', async () => {
  const {failure, labels} = await offersFor(untrusted, anchor('api.acme.example', 'Acme Root CA'));
  expect(failure.block).toContain('Signed by Acme Root CA, whose certificate the server does not send.');
  expect(labels).toContain('Trust this certificate, until it is renewed');
});

test('what the cluster did not tell leaves the other ways open', async () => {
  const {labels} = await offersFor(
    new SetupError('local-authority-missing', 'There is no kubectl.'),
    undefined,
    'cluster-authority',
  );
  expect(labels).toContain('Choose again whom to trust');
});

test('without the observer one can go on, whatever stands before it', async () => {
  const {labels} = await offersFor(new SetupError('network-proxy-denied', 'No.', {about: {isObserver: true}}));
  expect(labels).toContain('Go on without the observer');
});

test('another platform is another matter of trust', () => {
  const state = initialState(settings, {authority: {pem: 'FIRST'}, baseDomain: 'acme.example'});
  const again = reduce(state, {type: 'answered', answers: {baseDomain: 'other.example', addresses: {}}});
  expect(again.answers).not.toHaveProperty('authority');
});

test('a product in between is named before it is trusted', async () => {
  const {failure} = await offersFor(untrusted, anchor('Zscaler Root CA'));
  expect(failure.message).toContain('Zscaler intercepts the connection');
});

test.each(['network-portal', 'network-proxy-denied'] as const)(
  '%s is nothing to trust or to sign in to',
  async code => {
    const {labels} = await offersFor(new SetupError(code, 'It stands in between.'));
    expect(labels?.join()).not.toMatch(/[Tt]rust|[Ss]ign in/);
    expect(labels).toEqual(expect.arrayContaining(['Try again', 'Another base domain']));
  },
);
