import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {inject} from 'vitest';
import {install, pathWith} from '../../clients/support/install.ts';
import {type Ended, runProgram} from '../../clients/support/program.ts';
import {surroundingsForTest} from '../../e2e/support/run.ts';
import {expectDone} from './expect-done.ts';
import type {Newest} from './registry.ts';
import type {Runner} from './runners.ts';

/** The longest that a runner may take to fetch the product and to run it, in milliseconds. */
const TIMEOUT = 120_000;

export type Machine = {
  readonly home: string;
  /** SETUP_HOME. */
  readonly setupHome: string;
  readonly project: string;
  /** The environment of a shell on it, where that version is the newest of the registry. */
  env(newest: Newest): Readonly<Record<string, string>>;
  /** Starts the product, of that version, as the runner has it. */
  start(newest: Newest, words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Makes the project as it was at first, with that version of the product where the runner installs it. */
  prepare(newest: Newest): Promise<void>;
  /** Removes what the runner keeps, the project with what it has installed, and temporary files: all but entries. */
  clean(): void;
  entries(): readonly Entry[];
};

/** What an assistant starts. */
export type Entry = {readonly command: string; readonly args: readonly string[]};

/**
 * A home with nothing in it but what a runner and the product put there. Nothing of the caller's environment is passed on.
 *
 * @param first directories that PATH begins with
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

/** Where the runner's program is; none where it comes with Node. */
const directoriesOf = async ({client}: Runner): Promise<readonly string[]> => {
  if (!client) return [];
  const installed = await install(client);
  if ('missing' in installed) throw new Error(`${client.name} ${client.version} is not here: ${installed.missing}`);
  return [installed.bin, dirname(process.execPath)];
};
