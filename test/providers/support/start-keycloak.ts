import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {TestProject} from 'vitest/node';
import {freePort} from '../../../src/ports/browser/loopback-server.ts';
import {installKeycloak, isRecent, KEYCLOAK_VERSION} from './install-keycloak.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly keycloak: RunningKeycloak;
  }
}

/** Its address and its administrator. The address is empty if it could not be started. */
export type RunningKeycloak = {readonly url: string; readonly username: string; readonly password: string};

/** The longest first start, in which Keycloak builds itself, in milliseconds. */
const START_TIMEOUT = 240_000;

const admin = {username: 'admin', password: 'admin'} as const;

/** Starts one Keycloak for all test files, with its data in memory, and ends it after the last of them. */
export const setup = async ({provide}: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const installed = await installKeycloak();
  if ('missing' in installed) {
    say(`The tests of identity providers are left out: ${installed.missing}.`);
    provide('keycloak', {url: '', ...admin});
    return undefined;
  }
  const port = await freePort();
  const options = ['--http-host=127.0.0.1', `--http-port=${port}`, '--db=dev-mem'];
  // In a process group, because its launcher is a shell script that starts Java.
  const child = spawn(installed.program, ['start-dev', ...options], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...administrator(),
      JAVA_OPTS_APPEND: '-Xmx768m',
    },
  });
  const ended = once(child, 'close');
  const kill = () => killGroup(child, 'SIGKILL');
  process.once('exit', kill);
  const end = async () => {
    process.off('exit', kill);
    killGroup(child, 'SIGTERM');
    const timer = setTimeout(kill, 10_000);
    await ended;
    clearTimeout(timer);
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    const started = performance.now();
    await untilListening(child);
    const {ok} = await fetch(`${url}/realms/master/.well-known/openid-configuration`);
    if (!ok) throw new Error('Keycloak does not tell what it offers.');
    say(`Keycloak ${KEYCLOAK_VERSION} started in ${Math.round((performance.now() - started) / 1000)} s.`);
  } catch (error) {
    await end();
    throw error;
  }
  provide('keycloak', {url, ...admin});
  return end;
};

/** Returns the variables that name its first administrator. */
const administrator = () =>
  isRecent
    ? {KC_BOOTSTRAP_ADMIN_USERNAME: admin.username, KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password}
    : {KEYCLOAK_ADMIN: admin.username, KEYCLOAK_ADMIN_PASSWORD: admin.password};

/** Resolves when Keycloak reports that it listens. */
const untilListening = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const {stdout, stderr} = child;
    if (!stdout || !stderr) throw new Error('Keycloak was started without pipes.');
    const said: string[] = [];
    const fail = (what: string) => reject(new Error(`Keycloak ${what}:\n${said.slice(-30).join('\n')}`));
    const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT);
    child.once('error', reject);
    child.once('close', code => fail(`ended with ${code}`));
    for (const stream of [stdout, stderr]) {
      createInterface({input: stream}).on('line', line => {
        said.push(line);
        if (!/Listening on:/.test(line)) return;
        clearTimeout(timer);
        resolve();
      });
    }
  });

const killGroup = ({pid, exitCode, signalCode}: ChildProcess, signal: NodeJS.Signals) => {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has ended by itself.
  }
};

const say = (line: string) => void process.stderr.write(`${line}\n`);
