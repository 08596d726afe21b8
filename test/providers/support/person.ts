import {expect} from 'vitest';
import {reservedPort} from '../../e2e/support/ports.ts';
import {lastLine, runSetup, startSetup, surroundingsForTest} from '../../e2e/support/run.ts';
import {openPage} from '../../e2e/support/sign-in/chromium.ts';
import {storeIn} from '../../e2e/support/store.ts';
import type {Representation} from './admin.ts';
import {controlPlaneForTest} from './control-plane.ts';
import {signInOn} from './pages.ts';
import {ann, audienceMapper, publicClient, realmForTest, serviceAccount} from './realm.ts';

export const CLIENT = 'platform-cli';
export const SERVICE = {clientId: 'ci', secret: 'the secret + of ci'} as const;

type Options = {
  /** Of the client that people sign in with. */
  readonly client?: Representation;
  readonly service?: Representation;
  readonly realm?: Representation;
  /** In the place of both clients. */
  readonly clients?: readonly Representation[];
};

/**
 * A platform that trusts a realm of its own, and a machine without anything on it: the built program, an empty home, and
 * an address for the answers of a browser that nobody else listens at.
 */
export const machineAt = async ({client = {}, service = {}, realm: settings = {}, clients}: Options = {}) => {
  const controlPlane = await controlPlaneForTest();
  const redirectUri = `http://127.0.0.1:${await reservedPort()}/auth-callback`;
  const protocolMappers = [audienceMapper(controlPlane.audience)];
  const both = [
    publicClient(CLIENT, redirectUri, {protocolMappers, ...client}),
    serviceAccount(SERVICE.clientId, SERVICE.secret, {protocolMappers, ...service}),
  ];
  const realm = await realmForTest(clients ?? both, settings);
  const {issuer} = realm;
  controlPlane.trust({issuer, clientId: CLIENT});
  const surroundings = surroundingsForTest();
  const store = storeIn(surroundings.setupHome);
  const addresses = ['--base-domain', 'acme.localhost', '--control-plane-url', controlPlane.url];
  const flags = [...addresses, '--observer-url', 'none', '--redirect-uri', redirectUri];
  const run = (args: readonly string[], stdin = '') => runSetup(args, {surroundings, stdin});
  const start = (args: readonly string[]) => startSetup(args, {surroundings});

  /** The same, which has to end well; what it printed. */
  const setup = async (args: readonly string[], stdin = '') => {
    const {code, stdout, stderr} = await run(args, stdin);
    expect({code, stderr}, stdout).toEqual({code: 0, stderr: ''});
    return stdout;
  };

  /** Begins a sign-in in the browser: the address to sign in at, and what comes of it. */
  const beginLogin = async (...args: readonly string[]) => {
    const running = start(['login', '--json', '--no-browser', ...flags, ...args]);
    const [line] = await running.prints(/^.*"(?:sign-in-waiting|device-code)".*$/m);
    const end = async () => {
      const {code, stdout, stderr} = await running.ended;
      expect(stderr).toBe('');
      return {code, last: lastLine(stdout), stdout};
    };
    return {waiting: JSON.parse(line) as Readonly<Record<string, string>>, end};
  };

  /** Signs Ann in, in Chromium. */
  const login = async (...args: readonly string[]) => {
    const {waiting, end} = await beginLogin(...args);
    const {page} = await openPage();
    await signInOn(page, waiting.url ?? '', ann);
    const done = await end();
    expect(done.code, done.stdout).toBe(0);
    return {...done, page};
  };

  return {...realm, controlPlane, redirectUri, surroundings, store, flags, run, start, setup, beginLogin, login};
};

export type Machine = Awaited<ReturnType<typeof machineAt>>;
