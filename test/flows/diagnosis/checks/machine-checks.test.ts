import {chmod, mkdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import {remedyInWords} from '../../../../src/errors/describe-error.ts';
import {SetupError} from '../../../../src/errors/errors.ts';
import {
  browser,
  callbackPort,
  config,
  credentials,
  node,
  proxy,
  trust,
} from '../../../../src/flows/diagnosis/checks/machine-checks.ts';
import type {BrowserObstacle, NetworkInspector, Ports} from '../../../../src/ports/ports.ts';
import {contextAt} from '../../../support/context.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../../../support/place.ts';
import {routeBy} from '../../../support/route.ts';
import {onUnix} from '../../../support/systems/on-unix.ts';
import {worded} from '../../../support/worded.ts';
import {look} from './support/look.ts';

const client = {signIn: 'service-account', clientId: 'ci'} as const;
const bySecret = {verdict: 'skipped', saw: 'ci signs in with its secret, without a browser'};

test('Node and this program say their versions', async () => {
  expect(await look(node)).toEqual({verdict: 'pass', saw: 'Node 24.0.0, platform-setup 0.1.0'});
});

describe('the proxy', () => {
  const subject = {observerUrl: 'http://observer.acme.localhost', authUrl: 'http://idp.acme.localhost'};
  const through = (proxyOf: (host: string) => string | undefined) =>
    ({
      proxy: async ({hostname}) => proxyOf(hostname),
      connectToProxy: async () => ({ms: 3}),
    }) as Partial<NetworkInspector> as NetworkInspector;

  test.each([
    ['is none', () => undefined, 'no proxy'],
    ['is named once for all', () => 'http://proxy:3128', 'http://proxy:3128, 3 ms'],
    [
      'is named for each that has one of its own',
      (host: string) => (host.startsWith('idp') ? undefined : `http://${host}:3128`),
      'http://acme.localhost:3128, 3 ms; http://observer.acme.localhost:3128, 3 ms',
    ],
  ])('%s', async (_what, proxyOf, saw) => {
    expect(await look(proxy, {subject, ports: {network: through(proxyOf)}})).toEqual({verdict: 'pass', saw});
    const {observerUrl: _, ...without} = subject;
    expect((await look(proxy, {subject: without, ports: {network: through(proxyOf)}})).verdict).toBe('pass');
  });

  test.each([
    ['the one that is kept', {http: 'http://proxy:3128'}, {http: 'http://proxy:3128'}, true],
    ['another than is kept', {http: 'http://proxy:3128'}, {http: 'http://other:3128'}, false],
    ['kept, and not in force', undefined, {http: 'http://proxy:3128'}, false],
    ['said for this run alone', {http: 'http://proxy:3128'}, undefined, false],
  ])('is %s', async (_what, inForce, kept, isKept) => {
    const route = routeBy(inForce ? {proxy: inForce} : {});
    const context = kept ? {network: {proxy: kept}} : {};
    const {saw} = await look(proxy, {context, ports: {route, network: through(() => 'http://proxy:3128')}});
    expect(saw.endsWith(' (saved with the deployment)')).toBe(isKept);
  });
});

describe('trust', () => {
  const base = 'Node’s and this system’s authorities';

  test.each([
    ['is what Node and the system trust', {}, base],
    ['is in an authority that is kept', {authority: {pem: 'PEM'}}, `${base}; the authority saved with the deployment`],
    [
      'has a certificate of this machine',
      {clientCertificate: {certificate: '/c.pem', key: '/k.pem'}},
      `${base}; client certificate /c.pem`,
    ],
  ])('%s', async (_what, settings, saw) => {
    const ports = {route: routeBy(settings)};
    expect(await look(trust, {ports})).toEqual({verdict: 'pass', saw});
    expect(await look(trust, {ports, machine: {distrusts: true}})).toMatchObject({
      ...{verdict: 'warning', saw},
      sentence: expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED=0/),
    });
  });

  test('is in the file of an authority as long as that is there', async () => {
    const file = join(await temporaryDirectory(), 'ca.pem');
    const ports = {route: routeBy({authority: {file}})};
    await expect(look(trust, {ports})).rejects.toMatchObject({
      code: 'input-invalid',
      about: {path: file, flag: 'ca-file'},
    });
    await writeFile(file, 'PEM');
    expect((await look(trust, {ports})).saw).toBe(`${base}; ${file}`);
  });
});

test('the saved deployment is named, or how many others there are', async () => {
  const ports = await temporaryPorts();
  const learned = {};
  expect((await look(config, {ports})).saw).toBe('none yet');
  await ports.config.saveContext(contextAt('http://idp.acme.localhost'));
  expect((await look(config, {ports, learned})).saw).toBe('1 saved, not this one');
  expect(learned).toMatchObject({config: {contexts: [{name: 'acme'}]}});
  expect((await look(config, {ports, context: {}})).saw).toBe('acme, acme.localhost');
});

describe('what is kept', () => {
  const context = {};
  const origin = 'http://acme.localhost';

  test('is nothing of a deployment that is not saved', async () => {
    expect((await look(credentials)).verdict).toBe('skipped');
  });

  test('is where it would be, as long as there is nothing', async () => {
    expect(await look(credentials, {context})).toEqual({verdict: 'pass', saw: 'file'});
  });

  onUnix.each([
    [0o600, 'pass'],
    [0o644, 'warning'],
    [0o640, 'warning'],
    [0o604, 'warning'],
  ])('in a file of mode %o: %s', async (mode, verdict) => {
    const ports = portsIn(await temporaryDirectory());
    const {path} = ports.credentials;
    await ports.credentials.replace(contextAt(origin), {issuer: origin, clientId: 'platform-cli', accessToken: 'a'});
    await chmod(path, mode);
    const found = await look(credentials, {context, ports});
    expect(found).toMatchObject({verdict, saw: `${path}, mode ${mode.toString(8)}`});
    // Reading the secrets closes the file, so there is nothing left to fix.
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(found.fix).toBe(undefined);
    if (verdict === 'warning') {
      expect(found.sentence).toContain('has just been closed');
      expect(remedyInWords(found.remedy ?? '')).toContain('npx setup login');
    }
  });

  onUnix('in a file that others can read and that cannot be closed names the command that closes it', async () => {
    const ports = portsIn(await temporaryDirectory());
    const {path} = ports.credentials;
    await ports.credentials.replace(contextAt(origin), {issuer: origin, clientId: 'platform-cli', accessToken: 'a'});
    await chmod(path, 0o644);
    const stored = {...ports.credentials, get: async () => undefined, where: async () => 'file' as const};
    const found = await look(credentials, {context, ports: {...ports, credentials: stored}});
    expect(found).toMatchObject({verdict: 'warning', fix: 'tighten', saw: `${path}, mode 644`});
    expect(remedyInWords(found.remedy ?? '')).toContain(`chmod 600 ${path}`);
  });

  onUnix.each([0o620, 0o602])('in a file that others can change (%o) is refused, with what closes it', async mode => {
    const ports = portsIn(await temporaryDirectory());
    const {path} = ports.credentials;
    await writeFile(path, '{"version":1,"credentials":[]}');
    await chmod(path, mode);
    await expect(worded(look(credentials, {context, ports}))).rejects.toMatchObject({
      code: 'local-open-to-others',
      remedy: expect.stringContaining(`chmod go-w ${path}`),
    });
  });

  test.each([
    [true, 'pass', 'access for you alone', undefined],
    [false, 'warning', 'inherits its directory’s access', 'tighten'],
  ])('on Windows in a file whose list has its owner alone: %s', async (isOwn, verdict, words, fix) => {
    const ports = portsIn(await temporaryDirectory());
    const {path} = ports.credentials;
    await ports.credentials.replace(contextAt(origin), {issuer: origin, clientId: 'platform-cli', accessToken: 'a'});
    const files = {...ports.files, isForOwner: async () => isOwn};
    const place = {home: 'C:\\Users\\ann', project: 'C:\\app', system: 'win32', env: {}} as const;
    const found = await look(credentials, {context, ports: {...ports, files}, machine: {place}});
    expect(found).toMatchObject({verdict, saw: `${path}, ${words}`});
    expect(found.fix).toBe(fix);
  });

  test('says whether somebody holds its lock, and in which keychain it is', async () => {
    const ports = portsIn(await temporaryDirectory());
    const {path} = ports.credentials;
    await writeFile(path, '{"version":1,"credentials":[]}', {mode: 0o600});
    await mkdir(`${path}.lock`);
    const where = async () => 'the keychain';
    const found = await look(credentials, {context, ports: {...ports, credentials: {...ports.credentials, where}}});
    expect(found.saw).toMatch(/^the keychain, mode \d+, locked$/);
  });
});

describe('a browser', () => {
  const showing = (obstacle: BrowserObstacle | undefined): Pick<Ports, 'browser'> => ({
    browser: {obstacle: () => obstacle, open: async () => true},
  });

  test('is not needed by a client', async () => {
    expect(await look(browser, {context: client})).toEqual(bySecret);
    expect(await look(callbackPort, {context: client})).toEqual(bySecret);
  });

  test('that can be opened is well', async () => {
    expect(await look(browser, {ports: showing(undefined)})).toEqual({verdict: 'pass', saw: 'one can be opened'});
  });

  test.each<[BrowserObstacle, string]>([
    [{kind: 'ssh', destination: 'ann@host'}, 'none (this terminal runs on another machine)'],
    [{kind: 'container'}, 'none (running in a container)'],
    [{kind: 'no-display'}, 'none (no display)'],
  ])('that cannot be opened (%j) is told, with codes where there are any', async (obstacle, saw) => {
    const found = await look(browser, {ports: showing(obstacle)});
    expect(worded(found)).toMatchObject({
      verdict: 'warning',
      saw,
      remedy: expect.stringMatching(
        /^Run npx setup login.*copy the address at which the browser ends up, and paste it into the terminal\.$/,
      ),
    });
    const learned = {metadata: {device_authorization_endpoint: 'http://idp/device'}};
    const {remedy} = worded(await look(browser, {ports: showing(obstacle), learned, context: {}}));
    expect(remedy).toMatch(/ Or sign in with a code: npx setup login --context acme --device\.$/);
  });
});

describe('the callback port', () => {
  const redirectUri = 'http://127.0.0.1:55155/auth-callback';

  test('is free, and free again after it was looked at', async () => {
    const close = vi.fn(async () => {});
    const listen = vi.fn(async () => ({close}));
    const ports = {callback: {listen}} as unknown as Ports;
    expect(await look(callbackPort, {ports, machine: {redirectUri}})).toEqual({
      ...{verdict: 'pass', saw: '127.0.0.1:55155 is free'},
    });
    expect(close).toHaveBeenCalledOnce();
    const [[url, onAnswer]] = listen.mock.calls as unknown as [[URL, () => Promise<void>]];
    expect(url.href).toBe(redirectUri);
    await expect(onAnswer()).rejects.toMatchObject({code: 'bug'});
  });

  test.each([
    [{isFreeSoon: true}, /^127\.0\.0\.1:55155 will be free within a minute/],
    [{isLentPort: true}, /^127\.0\.0\.1:55155 is in use by a sign-in that an assistant started/],
  ] as const)('that a sign-in can have (%j) is well', async (about, saw) => {
    const taken = new SetupError('local-port-taken', 'It is taken.', {about});
    const ports = {callback: {listen: () => Promise.reject(taken)}} as unknown as Ports;
    expect(await look(callbackPort, {ports, machine: {redirectUri}})).toEqual({
      verdict: 'pass',
      saw: expect.stringMatching(saw),
    });
  });

  test('that is taken is a failure', async () => {
    const taken = new SetupError('network-refused', 'It is taken.');
    const ports = {callback: {listen: () => Promise.reject(taken)}} as unknown as Ports;
    await expect(look(callbackPort, {ports})).rejects.toMatchObject({code: 'network-refused', message: 'It is taken.'});
  });

  test('that is taken once the person of a wizard is signed in is a warning: they need it no more now', async () => {
    const taken = new SetupError('local-port-taken', 'It is taken.', {remedy: 'Stop that program.'});
    const ports = {callback: {listen: () => Promise.reject(taken)}} as unknown as Ports;
    const token = {access: new Secret('canary'), account: 'ann', renewable: true, fingerprint: 'f'};
    const unsaved = {method: 'browser', token, secrets: []} as const;
    expect(await look(callbackPort, {ports, machine: {redirectUri}, subject: {unsaved}})).toMatchObject({
      ...{verdict: 'warning', saw: '127.0.0.1:55155 is in use', sentence: 'It is taken.'},
    });
  });

  test.each([
    ['names a code where the identity provider has codes', {device_authorization_endpoint: 'https://idp/device'}, true],
    ['names none where it has none', {}, false],
  ])('that is taken %s', async (_what, metadata, hasCodes) => {
    const taken = new SetupError('local-port-taken', 'It is taken.', {remedy: 'Stop that program.'});
    const ports = {callback: {listen: () => Promise.reject(taken)}} as unknown as Ports;
    const {remedy} = worded(await look(callbackPort, {ports, learned: {metadata}}).catch(error => error));
    expect(remedy).toBe(`Stop that program.${hasCodes ? ' Or sign in with a code: npx setup login --device.' : ''}`);
  });
});
