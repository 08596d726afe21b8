import {describe, expect, test} from 'vitest';
import type {Subject} from '../../../../src/flows/diagnosis/check.ts';
import {lastNetworkCheck, networkChecks} from '../../../../src/flows/diagnosis/checks/network-checks.ts';
import {bundled} from '../../../../src/platform/platforms.ts';
import type {Certificate, NetworkInspector} from '../../../../src/ports/ports.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {worded} from '../../../support/worded.ts';
import {look} from './support/look.ts';

const https = 'https://api.acme.example';

/** Returns what the layer with the index `which` finds for a service at this address on the given network. */
const find = async (
  which: number,
  network: Partial<NetworkInspector>,
  address = https,
  subject: Partial<Subject> = {},
) => {
  const check = networkChecks('control-plane', address)[which];
  if (!check) throw new Error('There is no such layer.');
  const direct = {proxy: async () => undefined};
  return look(check, {
    subject,
    ports: {...(await temporaryPorts()), network: {...direct, ...network} as NetworkInspector},
  });
};

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), {code}));

test('each layer stands on the one below, and there is a certificate only where there is TLS', () => {
  const layers = (address: string) => networkChecks('observer', address).map(({id, needs}) => [id, needs]);
  const [name, tcp] = [
    ['name-observer', ['config']],
    ['tcp-observer', ['name-observer', 'proxy']],
  ];
  expect(layers('http://observer.acme.example')).toEqual([name, tcp]);
  expect(layers('https://observer.acme.example')).toEqual([name, tcp, ['tls-observer', ['tcp-observer']]]);
  const subject = {platform: bundled, controlPlaneUrl: https, authUrl: 'http://idp', issuer: 'http://idp'};
  expect(lastNetworkCheck('control-plane', subject)).toBe('tls-control-plane');
  expect(lastNetworkCheck('identity-provider', subject)).toBe('tcp-identity-provider');
  expect(lastNetworkCheck('observer', subject)).toBe('tcp-observer');
  expect(lastNetworkCheck('observer', {...subject, observerUrl: https})).toBe('tls-observer');
});

describe('a name', () => {
  const known = (bySystem: readonly string[]) => async () => ({addresses: ['192.0.2.1', '192.0.2.2'], bySystem});

  test.each<[how: string, network: Partial<NetworkInspector>, saw: string]>([
    ['is known', {resolve: known(['192.0.2.1'])}, 'api.acme.example is 192.0.2.1, 192.0.2.2'],
    [
      'is known without the system',
      {resolve: known([])},
      'api.acme.example is 192.0.2.1, 192.0.2.2; the system’s resolver gave no answer, and none is needed',
    ],
    [
      'is known to the proxy',
      {proxy: async () => 'http://proxy:3128'},
      'the proxy http://proxy:3128 resolves api.acme.example',
    ],
    [
      'is not left to a proxy that takes addresses',
      {proxy: async () => 'socks5://proxy:1080', resolve: known(['192.0.2.1'])},
      'api.acme.example is 192.0.2.1, 192.0.2.2',
    ],
  ])('%s', async (_how, network, saw) => {
    expect(await find(0, network)).toEqual({verdict: 'pass', saw});
  });

  test('that nobody knows is told with its address', async () => {
    const none = {resolve: async () => ({addresses: [], bySystem: []})};
    await expect(find(0, none)).rejects.toMatchObject({
      code: 'network-name-not-found',
      message: `api.acme.example could not be resolved (${https}).`,
      about: {url: https},
    });
  });

  test('is asked for without the brackets of an address', async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return {addresses: [host], bySystem: [host]};
    };
    await find(0, {resolve}, 'http://[::1]:8080');
    expect(asked).toEqual(['::1']);
  });
});

describe('a connection', () => {
  const connect = async () => ({address: '192.0.2.1', ms: 4});

  test.each([
    [https, '192.0.2.1 port 443, 4 ms'],
    ['http://api.acme.example', '192.0.2.1 port 80, 4 ms'],
    ['https://api.acme.example:8443', '192.0.2.1 port 8443, 4 ms'],
  ])('to %s names its port', async (address, saw) => {
    expect(await find(1, {connect}, address)).toEqual({verdict: 'pass', saw});
  });

  test('through a proxy names that', async () => {
    const found = await find(1, {connect, proxy: async () => 'http://proxy:3128'});
    expect(found.saw).toBe('port 443 through the proxy http://proxy:3128, 4 ms');
  });

  test('that is refused is told as that', async () => {
    await expect(find(1, {connect: failing('ECONNREFUSED')})).rejects.toMatchObject({code: 'network-refused'});
  });
});

describe('a certificate', () => {
  const days = (count: number) => Date.now() + count * 86_400_000;
  const shows = (change: Partial<Certificate>) => ({
    certificate: async () =>
      ({subject: 'acme', issuer: 'CA', validTo: days(15), trusted: true, ...change}) as Certificate,
  });

  test('that is trusted and good for a while is well', async () => {
    const validTo = Date.UTC(2100, 0, 2);
    expect(await find(2, shows({validTo}))).toEqual({verdict: 'pass', saw: 'acme, by CA, until 2100-01-02'});
    expect((await find(2, shows({}))).verdict).toBe('pass');
    expect((await find(2, shows({subject: '', issuer: ''}))).saw).toMatch(/^no name, by nobody, until /);
  });

  test('that ends soon is told', async () => {
    expect(await find(2, shows({validTo: days(13)}))).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringMatching(/^The certificate expires in 3\d\d h/),
    });
  });

  test('that is not trusted is told with what it shows', async () => {
    await expect(worded(find(2, shows({trusted: false, problem: 'SELF_SIGNED_CERT_IN_CHAIN'})))).rejects.toMatchObject({
      code: 'network-tls',
      message: expect.stringMatching(
        / Its certificate names acme, was issued by CA, and has the expiry date \d{4}-\d\d-\d\d\.$/,
      ),
      about: {url: expect.stringContaining(https)},
      remedy: expect.stringMatching(/\S/),
    });
  });

  test('that is not trusted leads to the question whether to trust it, from where one is', async () => {
    const untrusted = shows({trusted: false, problem: 'SELF_SIGNED_CERT_IN_CHAIN'});
    const from = (subject: Partial<Subject>) => find(2, untrusted, https, subject).catch(error => worded(error).remedy);
    expect(await from({})).toMatch(/ Or run npx setup: it shows you the certificate and asks/);
    // Another run of the wizard would not know the address of the platform.
    expect(await from({inWizard: true})).toMatch(/ Or go back to the setup: it shows you the certificate and asks/);
  });

  test('that cannot be had is told as that', async () => {
    await expect(find(2, {certificate: failing('ECONNRESET')})).rejects.toMatchObject({
      code: expect.stringMatching(/^network-/),
    });
  });
});
