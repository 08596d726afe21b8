import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createSurroundings} from '../../support/terminal/terminal-environment.ts';
import type {Client} from './clients.ts';
import {runProgram} from './program.ts';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/clients', import.meta.url));

/** Some 400 MiB come with one of them; in milliseconds. */
const INSTALL_TIMEOUT = 600_000;
/** Its first start unpacks things; in milliseconds. */
const START_TIMEOUT = 120_000;

export type Installed = {
  readonly client: Client;
  /** The directory of its executable. */
  readonly bin: string;
};

/**
 * The client in a directory of its own below the checkout's `node_modules`, fetched from npm unless that version is
 * there and starts. Where it cannot be fetched or started, why.
 */
export const install = async (client: Client): Promise<Installed | {readonly missing: string}> => {
  const directory = join(cache, `${client.command}-${client.version}`);
  const bin = join(directory, 'node_modules', '.bin');
  if ((await start(client, bin)) === undefined) return {client, bin};
  mkdirSync(directory, {recursive: true});
  const manifest = {
    private: true,
    dependencies: {[client.package]: client.version},
    // Some fetch or place their program for this system then.
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

/** PATH for a program that wants `node`: the project's own, then these directories, then the system's. */
export const pathWith = (...directories: readonly string[]): string =>
  [...directories, dirname(process.execPath), process.env.PATH ?? ''].join(':');

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? '';

/** What npm says of a failure, before it says where more is. */
const complaintOf = (text: string) =>
  text.match(/^npm error (?!code|path|dest|errno|syscall).*/m)?.[0] ?? lastLine(text);

/** Asks for its version. Undefined when that is the one wanted, else what is wrong. */
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
