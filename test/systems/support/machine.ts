import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chownSync, lchownSync, lstatSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {inject, onTestFinished} from 'vitest';
import {platformForTest} from '../../e2e/support/platform.ts';
import {surroundingsForTest} from '../../e2e/support/run.ts';
import {clientOf} from '../../support/platform.ts';

/** A user who is not root. A user ID without an account is enough. */
export const ANN = 41_234;

type How = {
  /** Commands that run as root before, in a mount namespace that lasts as long as the program. */
  readonly script?: string;
  /** The user ID of the program. Root by default. */
  readonly uid?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
};

/**
 * Sets up a machine with a home in which two assistants have a file, and a platform. SETUP_HOME is not set: the
 * program's files are in the usual places below the home.
 */
export const machine = async () => {
  const {ready, flags} = await platformForTest();
  const {home, temporary, env} = surroundingsForTest();
  const volume = join(dirname(home), 'volume');
  for (const directory of [join(home, '.cursor'), volume]) mkdirSync(directory);
  const [claude, cursor] = [join(home, '.claude.json'), join(home, '.cursor', 'mcp.json')];
  writeFileSync(claude, '{"numStartups": 12}\n');
  writeFileSync(cursor, '{}\n');
  const {clientId, secret} = clientOf(ready, 'client_secret_basic');
  const account = clientOf(ready, 'client_secret_post');
  const installed = inject('installed');

  /** Runs the program to its end. */
  const run = async (args: readonly string[], {script = '', uid, env: more = {}, stdin = ''}: How = {}) => {
    const user = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
    const {SETUP_HOME: _, NODE_COMPILE_CACHE: __, ...rest} = env;
    const variables = Object.entries({...rest, ...more}).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );
    const program = [join(installed, 'node', 'node'), join(installed, 'bin', 'setup.js'), ...args];
    const child = spawn(
      'unshare',
      ['--mount', 'sh', '-c', `set -e\n${script}\nexec "$@"`, 'sh', ...user, 'env', '-i', ...variables, ...program],
      {cwd: '/', env: {PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, VOLUME: volume}},
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    const said = {stdout: '', stderr: ''};
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        said[name] += chunk;
      });
    }
    const [code] = await once(child, 'close');
    return {code: code as number | null, ...said};
  };

  return {
    ...{home, temporary, volume, claude, cursor, run, secrets: [secret, account.secret]},
    /** Connects both assistants. */
    setUp: (how: How = {}, ...more: readonly string[]) =>
      run(['--yes', '--sign-in', 'mcp-client', '--client-id', clientId, '--client-secret-stdin', ...flags, ...more], {
        ...how,
        stdin: `${secret}\n`,
      }),
    /** Signs a service account in, and does nothing else. */
    login: (how: How = {}, ...more: readonly string[]) =>
      run(
        ['login', '--client-credentials', '--client-id', account.clientId, '--client-secret-stdin', ...flags, ...more],
        {
          ...how,
          stdin: `${account.secret}\n`,
        },
      ),
    /** Changes the owner of the home and everything around it. */
    giveTo: (uid: number) => {
      for (const path of below(dirname(home))) lchownSync(path, uid, uid);
      chownSync(dirname(home), uid, uid);
    },
    /** Returns the paths below the home that belong to another user. */
    othersThan: (uid: number) => below(home).filter(path => lstatSync(path).uid !== uid),
  };
};

const below = (directory: string): readonly string[] =>
  readdirSync(directory, {recursive: true, encoding: 'utf8'}).map(name => join(directory, name));
