import type {Page} from 'playwright-core';
import {expect} from 'vitest';
import {lastLine, runSetup, startSetup, surroundingsForTest} from '../../e2e/support/run.ts';
import {openPage} from '../../e2e/support/sign-in/chromium.ts';
import {storeIn} from '../../e2e/support/store.ts';
import type {ControlPlane} from './control-plane.ts';

type Options = {
  readonly controlPlane: ControlPlane;
  /** The redirect URI. Nothing else listens there. */
  readonly redirectUri: string;
  /** Signs a person in at an address, up to the page of the program. */
  readonly signIn: (page: Page, url: string) => Promise<void>;
};

/** Sets up a machine with only the built program, in an empty home, beside a platform. */
export const machineFor = ({controlPlane, redirectUri, signIn}: Options) => {
  const surroundings = surroundingsForTest();
  const store = storeIn(surroundings.setupHome);
  const addresses = ['--base-domain', 'acme.localhost', '--control-plane-url', controlPlane.url];
  const flags = [...addresses, '--observer-url', 'none', '--redirect-uri', redirectUri];
  const run = (args: readonly string[], stdin = '') => runSetup(args, {surroundings, stdin});
  const start = (args: readonly string[]) => startSetup(args, {surroundings});

  /** Runs the program, which has to succeed, and returns what it printed. */
  const setup = async (args: readonly string[], stdin = '') => {
    const {code, stdout, stderr} = await run(args, stdin);
    expect({code, stderr}, stdout).toEqual({code: 0, stderr: ''});
    return stdout;
  };

  /** Begins a sign-in in the browser, and returns the address to sign in at and its result. */
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

  /**
   * Signs a person in with Chromium, as often as the program asks: a second sign-in may be needed for a refresh
   * token.
   */
  const login = async (...args: readonly string[]) => {
    const running = start(['login', '--json', '--no-browser', ...flags, ...args]);
    const {page} = await openPage();
    const ended = running.ended.then(() => undefined);
    const seen: string[] = [];
    for (;;) {
      const waiting = running.prints(waitingWithout(seen)).catch(() => undefined);
      const shown = await Promise.race([waiting, ended]);
      if (shown === undefined) break;
      const {url} = JSON.parse(shown[0]);
      seen.push(new URL(url).searchParams.get('state') ?? '');
      await signIn(page, url);
    }
    const {code, stdout, stderr} = await running.ended;
    expect({code, stderr}, JSON.stringify(lastLine(stdout))).toEqual({code: 0, stderr: ''});
    return {code, last: lastLine(stdout), stdout, page};
  };

  return {controlPlane, redirectUri, surroundings, store, flags, run, start, setup, beginLogin, login};
};

/** Matches the line of a waiting sign-in whose state is none of these. */
const waitingWithout = (states: readonly string[]) =>
  new RegExp(`^(?!.*(?:state=${['never', ...states].join('|state=')})).*"sign-in-waiting".*$`, 'm');

export type ProgramMachine = ReturnType<typeof machineFor>;
