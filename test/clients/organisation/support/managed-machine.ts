import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect} from 'vitest';
import type {Handling} from '../../../../src/assistants/managed.ts';
import {serve} from '../../../support/server.ts';
import {missing} from '../../../systems/support/missing.ts';
import type {Client} from '../../support/clients.ts';
import {describeClient} from '../../support/describe-client.ts';
import type {Installed} from '../../support/install.ts';
import {machineWith} from '../../support/machine.ts';
import {runProgram} from '../../support/program.ts';

const checkout = fileURLToPath(new URL('../../../../', import.meta.url));
const setup = join(checkout, 'bin', 'setup.js');

/** The directory in which an organisation installs this program on every machine. */
const OPT = '/opt/platform-setup';

const RUN_TIMEOUT = 120_000;

/**
 * Enters a mount namespace in which only an administrator's files are below /etc. /opt has this program as the
 * organisation installs it, and the program's own files are in their usual place. The machine's own directories are
 * never written.
 */
const enter = `set -e
mount -t tmpfs none "$ROOM/mount"
mkdir "$ROOM/mount/upper" "$ROOM/mount/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$ROOM/mount/upper,workdir=$ROOM/mount/work" /etc
rm -rf /etc/claude-code /etc/codex /etc/github-copilot /etc/vscode
cp -R "$ROOM/files/etc/." /etc/
mount -t tmpfs none /opt
mkdir -p ${OPT}/bin ${OPT}/lib/node_modules
ln -s "$NODE" ${OPT}/bin/node
ln -s "$CHECKOUT" ${OPT}/lib/node_modules/platform-setup
mkdir -p "$HOME/.config/platform-setup"
mount --bind "$SETUP_HOME" "$HOME/.config/platform-setup"
exec "$@"
`;

/**
 * Runs the tests of a client on a managed machine. If nothing can be mounted, they are skipped, and their title says
 * why.
 */
export const describeManaged = (client: Client, tests: (installed: Installed) => void) =>
  describeClient(client, installed => {
    const lacks = missing();
    const title = lacks === undefined ? 'on a managed machine' : `on a managed machine, left out for want of ${lacks}`;
    describe.skipIf(lacks !== undefined)(title, () => tests(installed));
  });

/**
 * Sets up a person's machine that an organisation manages. The administrator adds files, and the client runs with
 * them.
 */
export const managedMachine = async (installed: Installed) => {
  const machine = await machineWith(installed);
  const {home, project, env} = machine;
  const room = mkdtempSync(join(dirname(home), 'room-'));
  for (const one of ['files/etc', 'mount']) mkdirSync(join(room, one), {recursive: true});
  const script = join(room, 'enter.sh');
  writeFileSync(script, enter);
  const variables = {...env, ROOM: room, NODE: process.execPath, CHECKOUT: checkout};
  const inside = ['--mount', 'sh', script];

  const kit = join(room, 'kit');
  const {code, stderr} = await runProgram(process.execPath, [setup, 'org', 'export', kit], {
    ...{cwd: project, env, timeout: RUN_TIMEOUT},
  });
  expect({code, stderr}).toEqual({code: 0, stderr: ''});

  const strangers: string[] = [];
  const stranger = await serve((request, response) => {
    strangers.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  });

  return {
    ...machine,
    /** The same machine, for programs that read no file of the administrator. */
    plain: machine,
    /** A server that does not belong to the organisation. */
    stranger: {type: 'http', url: `${stranger}/mcp`},
    /** The requests that this server got. */
    strangers: (): readonly string[] => strangers,
    env: variables,
    /** Installs the files of `setup org export` for every Linux machine, for all assistants at once. */
    roll: (handling: Handling) =>
      cpSync(join(kit, 'machines', handling, 'linux'), join(room, 'files'), {recursive: true}),
    /** Returns the text of a file of the kit. */
    kitFile: (path: string): string => readFileSync(join(kit, path), 'utf8'),
    hasKitFile: (path: string): boolean => existsSync(join(kit, path)),
    /** Returns the arguments of `unshare` that start the client with those files. */
    args: (...args: readonly string[]) => [...inside, machine.program, ...args],
    /** Runs the client with those files, in the project. */
    run: (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      runProgram('unshare', [...inside, machine.program, ...args], {
        cwd: project,
        env: {...variables, ...more},
        timeout: RUN_TIMEOUT,
      }),
    /** Runs this program with those files. */
    setup: (...args: readonly string[]) =>
      runProgram('unshare', [...inside, process.execPath, setup, ...args], {
        cwd: project,
        env: variables,
        timeout: RUN_TIMEOUT,
      }),
    /** Adds entries to a JSON file below the home. */
    addTo: (path: string, key: string, entries: object) => {
      const found = JSON.parse(readFileSync(join(home, path), 'utf8'));
      machine.write(path, JSON.stringify({...found, [key]: {...found[key], ...entries}}));
    },
    append: (path: string, text: string) => machine.write(path, readFileSync(join(home, path), 'utf8') + text),
    /** Checks that these servers were asked for their tools and returned them. */
    expectToolsListed: (names: readonly (keyof typeof machine.servers)[] = ['controlPlane', 'observer']) => {
      for (const name of names) {
        expect(machine.servers[name].seen(), name).toContainEqual(
          expect.objectContaining({rpc: 'tools/list', status: 200}),
        );
      }
    },
    /** Checks that neither server got a request. */
    expectNothingAsked: () => {
      for (const [name, server] of Object.entries(machine.servers)) expect(server.seen(), name).toEqual([]);
    },
  };
};

export type ManagedMachine = Awaited<ReturnType<typeof managedMachine>>;
