import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {inject} from 'vitest';
import {install, pathWith} from '../../clients/support/install.ts';
import {type Ended, runProgram} from '../../clients/support/program.ts';
import {surroundingsForTest} from '../../e2e/support/run.ts';
import {expectDone} from './expect-done.ts';
import type {Newest} from './registry.ts';
import type {Runner} from './runners.ts';

/** The longest time for a runner to fetch the product and run it, in milliseconds. */
const TIMEOUT = 120_000;

export type Machine = {
  readonly home: string;
  /** SETUP_HOME. */
  readonly setupHome: string;
  readonly project: string;
  /** Returns the environment of a shell on the machine. `newest` is the registry's newest version. */
  env(newest: Newest): Readonly<Record<string, string>>;
  /** Starts the product in that version, as the runner does. */
  start(newest: Newest, words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Restores the project, with that version of the product if the runner installs it. */
  prepare(newest: Newest): Promise<void>;
  /**
   * Removes the runner's cache, the project with its installed packages, and temporary files: everything except
   * entries.
   */
  clean(): void;
  entries(): readonly Entry[];
};

/** The command of an entry, which an assistant starts. */
export type Entry = {readonly command: string; readonly args: readonly string[]};

/**
 * Sets up a home that contains only what a runner and the product put there. Nothing of the caller's environment is
 * passed on.
 *
 * @param first directories at the beginning of PATH
 */
export const machineFor = async (runner: Runner, first: readonly string[] = []): Promise<Machine> => {
  const {home, setupHome, temporary} = surroundingsForTest();
  const project = join(home, 'project');
  const path = [...first, pathWith(...(await directoriesOf(runner)))].join(':');
  const env = (newest: Newest) => {
    const registry = `${inject('registry')}/${newest}`;
    return {
      ...{HOME: home, SETUP_HOME: setupHome, TMPDIR: temporary, LANG: 'C.UTF-8', PATH: path, NO_UPDATE_NOTIFIER: '1'},
      ...{npm_config_registry: registry, NPM_CONFIG_REGISTRY: registry, pnpm_config_registry: registry},
      ...{BUN_CONFIG_REGISTRY: registry, DENO_NO_UPDATE_CHECK: '1'},
      ...{YARN_REGISTRY: registry, YARN_NPM_REGISTRY_SERVER: registry, YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1'},
      ...{YARN_ENABLE_TELEMETRY: '0', ...runner.env?.(home)},
    };
  };
  const run = ([command = '', ...words]: readonly string[], more: Readonly<Record<string, string>>) =>
    runProgram(command, words, {cwd: project, env: more, timeout: TIMEOUT});
  const written = join(project, '.mcp.json');
  return {
    home,
    setupHome,
    project,
    env,
    start: (newest, words, more = {}) => run([...runner.start, ...words], {...env(newest), ...more}),
    prepare: async newest => {
      mkdirSync(project, {recursive: true});
      for (const [name, text] of Object.entries(runner.files ?? {})) writeFileSync(join(project, name), text);
      if (runner.install) expectDone(await run(runner.install, env(newest)));
    },
    clean: () => {
      const kept = readFileSync(written);
      for (const name of readdirSync(home)) {
        if (join(home, name) !== setupHome) rmSync(join(home, name), {recursive: true});
      }
      rmSync(temporary, {recursive: true});
      for (const directory of [project, temporary]) mkdirSync(directory);
      writeFileSync(written, kept);
    },
    entries: () => Object.values(JSON.parse(readFileSync(written, 'utf8')).mcpServers),
  };
};

/** Returns the directory of the runner's program, or none if it comes with Node. */
const directoriesOf = async ({client}: Runner): Promise<readonly string[]> => {
  if (!client) return [];
  const installed = await install(client);
  if ('missing' in installed) throw new Error(`${client.name} ${client.version} is not here: ${installed.missing}`);
  return [installed.bin, dirname(process.execPath)];
};
