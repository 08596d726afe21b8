import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createSurroundings} from '../../support/terminal/terminal-environment.ts';
import type {Client} from './clients.ts';
import {runProgram} from './program.ts';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/clients', import.meta.url));

/** Time for a download of some 400 MiB, in milliseconds. */
const INSTALL_TIMEOUT = 600_000;
/** Time for a first start, in which a client unpacks files, in milliseconds. */
const START_TIMEOUT = 120_000;

export type Installed = {
  readonly client: Client;
  /** The directory of its executable. */
  readonly bin: string;
};

/**
 * Installs the client into a directory of its own below the checkout's `node_modules`. Fetches it from npm unless
 * this version is there and starts. Returns the reason if it cannot be fetched or started.
 */
export const install = async (client: Client): Promise<Installed | {readonly missing: string}> => {
  const directory = join(cache, `${client.command}-${client.version}`);
  const bin = join(directory, 'node_modules', '.bin');
  if ((await start(client, bin)) === undefined) return {client, bin};
  mkdirSync(directory, {recursive: true});
  const manifest = {
    private: true,
    dependencies: {[client.package]: client.version},
    // Some clients fetch or copy their program for this system in an install script.
    allowScripts: {[client.package]: true},
  };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest, undefined, 2));
  const npm = await runProgram('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: directory,
    env: {...process.env, PATH: pathWith()},
    timeout: INSTALL_TIMEOUT,
  });
  if (npm.code !== 0) return {missing: `npm install exited with code ${npm.code}: ${complaintOf(npm.stderr)}`};
  const why = await start(client, bin);
  return why === undefined ? {client, bin} : {missing: why};
};

/** Returns a PATH with these directories, then that of the tests' own `node`, then the system's. */
export const pathWith = (...directories: readonly string[]): string =>
  [...directories, dirname(process.execPath), process.env.PATH ?? ''].join(':');

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? '';

/** Returns npm's message about a failure, without its reference to the log. */
const complaintOf = (text: string) =>
  text.match(/^npm error (?!code|path|dest|errno|syscall).*/m)?.[0] ?? lastLine(text);

/** Asks a client for its version. Returns undefined if it is the expected one, otherwise what is wrong. */
const start = async ({command, version}: Client, bin: string): Promise<string | undefined> => {
  const {env, temporary, remove} = createSurroundings();
  try {
    const program = join(bin, command);
    const options = {cwd: temporary, env: {...env, PATH: pathWith()}, timeout: START_TIMEOUT};
    const {code, stdout, stderr} = await runProgram(program, ['--version'], options);
    if (code === 0 && stdout.includes(version)) return undefined;
    return `${command} --version exited with code ${code}: ${lastLine(stdout + stderr)}`;
  } finally {
    remove();
  }
};
