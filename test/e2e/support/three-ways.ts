import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {SandboxOptions} from '../../../src/sandbox/sandbox.ts';
import {navigate, signInAt} from '../../support/browser.ts';
import {platformForTest} from './platform.ts';
import {startSetup, surroundingsForTest} from './run.ts';
import {storeIn} from './store.ts';

/** Matches the n-th address to sign in at that a program prints. */
const address = (n: number) =>
  new RegExp(
    `(?:(?:^|\\n|"sign-in-waiting","url":")(https?://[^\\s"]+/oauth2/authorize\\?[^\\s"]+)(?:\\r?\\n|",)[\\s\\S]*?){${n}}`,
  );

export type SignInWay = 'browser' | 'service-account' | 'mcp-client';

/**
 * Sets up a machine with an assistant for each kind of entry (a helper, the bridge, a header), and a platform on
 * which every account has a role.
 */
export const threeWays = async (way: SignInWay, options: Partial<SandboxOptions>) => {
  const platform = await platformForTest(options);
  const {ready, bind} = platform;
  const surroundings = surroundingsForTest();
  const {env, home, setupHome} = surroundings;
  const project = join(home, 'project');
  for (const directory of [project, join(home, '.cursor')]) mkdirSync(directory);
  writeFileSync(join(home, '.cursor', 'mcp.json'), '{}');
  const claude = join(env.PATH ?? '', 'claude');
  writeFileSync(claude, '#!/bin/sh\necho "2.1.328 (Claude Code)"\n');
  chmodSync(claude, 0o755);

  const [person] = ready.people.filter(({groups}) => groups.length > 0);
  const authentication = way === 'mcp-client' ? 'client_secret_basic' : 'client_secret_post';
  const client = ready.clients.find(one => one.tokenEndpointAuthMethod === authentication && one.clientSecret);
  if (!person || !client?.clientSecret) throw new Error('The sandbox has people and clients.');
  if (way !== 'browser') bind({claim: 'sub', value: client.subject});
  const stdin = way === 'browser' ? '' : `${client.clientSecret}\n`;
  const byClient = way === 'browser' ? [] : ['--client-id', client.clientId, '--client-secret-stdin'];

  /** Runs the program to its end. A browser signs in as often as the program asks. */
  const run = async (...args: readonly string[]) => {
    const running = startSetup(args, {surroundings, env: {PATH: `${env.PATH}:/usr/bin:/bin`}, stdin});
    let signIns = 0;
    const signIn = async (): Promise<void> => {
      const found = await running.prints(address(signIns + 1)).catch(() => undefined);
      if (!found) return;
      signIns += 1;
      await signInAt(found[1] ?? '', person).then(navigate);
      return signIn();
    };
    await signIn();
    return {...(await running.ended), signIns};
  };
  // No browser is opened: the test opens the printed address.
  const where = ['--project', project, '--no-browser', ...platform.flags];
  return {
    ...{platform, surroundings, run, store: storeIn(setupHome), secret: client.clientSecret},
    setUp: (...more: readonly string[]) =>
      run(
        '--yes',
        '--sign-in',
        way,
        ...byClient,
        '--assistants',
        'claude-code,cursor,generic',
        '--shape',
        'documented',
        ...where,
        ...more,
      ),
    login: (...more: readonly string[]) =>
      run('login', '--sign-in', way, ...byClient, '--no-browser', ...platform.flags, ...more),
    files: () =>
      [join(home, '.claude.json'), join(home, '.cursor', 'mcp.json'), join(project, 'mcp.json')].map(path =>
        readFileSync(path, 'utf8'),
      ),
  };
};
