import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {freePort} from '../src/ports/browser/loopback-server.ts';
import {type SandboxReady, startSandbox} from '../src/sandbox/sandbox.ts';
import {navigate, signInAt} from '../test/support/browser.ts';
import {launcher} from './launcher.ts';
import {summarise} from './statistics.ts';
import {createSurroundings, type Surroundings} from './surroundings.ts';
import type {Row} from './table.ts';
import {openTerminal} from './terminal.ts';

/** The questions that a person answers with Enter, by words that no other screen shows. */
const questions = ['Use this deployment', 'How do you want to sign in', 'Which assistants', 'enter write'];
const BROWSER = 'Waiting for your browser';
/** No assistant is installed where this runs, so the entries are in a file for another client. */
const END = 'is ready for your assistant';

/** Counts the keys from `npx setup` to entries that are written and checked. None of them types text. */
export const countKeys = async (): Promise<Readonly<Record<string, readonly Row[]>>> => {
  const redirectUri = `http://127.0.0.1:${await freePort()}/auth-callback`;
  const sandbox = await startSandbox({layout: 'single', baseDomain: 'bench.localhost', port: 0, redirectUri});
  try {
    const {ready} = sandbox;
    const account = ready.clients.find(one => one.tokenEndpointAuthMethod === 'client_secret_post');
    const env = {CLI_CLIENT_ID: account?.clientId ?? '', CLI_CLIENT_SECRET: account?.clientSecret ?? ''};
    const row = (label: string, count: number, most: number): Row => ({
      ...{label, summary: summarise([count]), unit: 'keys', aim: `aim ≤ ${most}`},
    });
    return {
      'Keys from npx setup to written and checked': [
        row('a service account from the environment', await walk(ready, redirectUri, env), 6),
        row('a sign-in in the browser, besides it', await walk(ready, redirectUri, {}), 7),
      ],
    };
  } finally {
    await sandbox.close();
  }
};

const walk = async (
  {controlPlaneUrl, observerUrl, authUrl}: SandboxReady,
  redirectUri: string,
  env: Readonly<Record<string, string>>,
): Promise<number> => {
  const where = createSurroundings();
  const project = join(where.directory, 'project');
  mkdirSync(project);
  const addresses = ['--control-plane-url', controlPlaneUrl, '--observer-url', observerUrl, '--auth-url', authUrl];
  const args = [launcher, ...addresses, '--redirect-uri', redirectUri, '--no-browser', '--project', project];
  const own: Surroundings = {...where, env: {...where.env, ...env}};
  const terminal = openTerminal(args, own);
  try {
    let count = 0;
    let waiting = [...questions, BROWSER, END];
    for (;;) {
      const found = await terminal.shows(...waiting);
      if (found === END) return count;
      waiting = waiting.filter(text => text !== found);
      if (found === BROWSER) {
        // The address appears above the frame, a moment after it.
        await terminal.shows('/oauth2/authorize?');
        const [, url = ''] = /(http\S+\/oauth2\/authorize\?\S+)/.exec(terminal.text()) ?? [];
        await navigate(await signInAt(url));
      } else {
        count += 1;
        terminal.write('\r');
      }
    }
  } finally {
    await terminal.leave();
    where.remove();
  }
};
