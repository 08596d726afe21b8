import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import {platformForTest} from '../../e2e/support/platform.ts';
import {jsonLines, runSetup, surroundingsForTest} from '../../e2e/support/run.ts';
import {flagsFor} from '../../e2e/support/sandbox.ts';
import {storeIn} from '../../e2e/support/store.ts';
import {clientOf} from '../../support/platform.ts';
import {closedOrigin} from '../../support/server.ts';
import {type Installed, pathWith} from './install.ts';
import {type Ended, runProgram} from './program.ts';
import {recorderFor} from './recorder.ts';

/** The longest run of a client, in milliseconds. */
const RUN_TIMEOUT = 120_000;

type Variables = Readonly<Record<string, string>>;

/**
 * Sets up a person's machine: an installed client on PATH, an empty home, and a sign-in at a sandbox whose two MCP
 * servers record their requests.
 *
 * @param host the host name of the servers; their address by default
 */
export const machineWith = async ({client, bin}: Installed, host?: string) => {
  const {ready} = await platformForTest();
  const servers = {
    controlPlane: await recorderFor(ready.controlPlaneUrl, host),
    observer: await recorderFor(ready.observerUrl, host),
  };
  const surroundings = surroundingsForTest();
  const {home, setupHome} = surroundings;
  const store = storeIn(setupHome);
  const project = join(home, 'project');
  mkdirSync(project);
  const env = {
    ...surroundings.env,
    PATH: pathWith(bin),
    // Prevents the client from fetching anything else from the network.
    HTTPS_PROXY: await closedOrigin(),
    NO_PROXY: '127.0.0.1,localhost',
  };

  const setup = async (args: readonly string[], stdin = '', more: Variables = {}) => {
    const {code, stdout, stderr} = await runSetup(args, {surroundings, env: {...env, ...more}, stdin});
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    return stdout;
  };
  const addresses = {...ready, controlPlaneUrl: servers.controlPlane.url, observerUrl: servers.observer.url};
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const login = ['login', '--client-credentials', ...flagsFor(addresses), '--client-id', clientId];
  await setup([...login, '--client-secret-stdin'], `${secret}\n`);

  const token = (): string => {
    const {accessToken} = store.only();
    if (accessToken === undefined) throw new Error('The sign-in was expected to hold an access token.');
    return accessToken;
  };

  const connectWith = async (more: Variables, ...args: readonly string[]) => {
    const said = await setup(['mcp', 'connect', ...args, '--yes', '--project', project], '', more);
    for (const server of Object.values(servers)) server.forget();
    return said;
  };

  return {
    home,
    project,
    env,
    servers,
    /** Runs `setup mcp connect`, and forgets the requests of its own proof. */
    connect: (...args: readonly string[]) => connectWith({}, ...args),
    /** Does the same with more variables. */
    connectWith,
    /** Runs `setup mcp disconnect` for every place in which it was connected. */
    disconnect: (...args: readonly string[]) => setup(['mcp', 'disconnect', ...args, '--yes']),
    /** Runs `setup undo`, which reverts the last change. */
    undo: () => setup(['undo', '--yes']),
    /** Returns what `setup doctor` says of the client's entries in the project. */
    diagnosis: async () => {
      const lines = await setup(['doctor', '--json', '--project', project]);
      const found = jsonLines(lines).find(({id}) => /^assistant-.*-project$/.test(String(id)));
      return found && {verdict: found.verdict, sentence: found.sentence};
    },
    /** Writes a file below the home. */
    write: (path: string, text: string) => {
      mkdirSync(dirname(join(home, path)), {recursive: true});
      writeFileSync(join(home, path), text);
    },
    /** Runs the client in the project. */
    run: (args: readonly string[], more: Variables = {}): Promise<Ended> =>
      runProgram(join(bin, client.command), args, {cwd: project, env: {...env, ...more}, timeout: RUN_TIMEOUT}),
    program: join(bin, client.command),
    token,
    /** Ends the sign-in, as another program does, and returns a function that restores it. */
    signOut: () => {
      const kept = store.only();
      store.putCredentials();
      return () => store.putCredentials(kept);
    },
    /** Ends the access token everywhere: the servers refuse it, and the program knows that it has expired. */
    endToken: () => {
      const ended = token();
      for (const server of Object.values(servers)) server.end(ended);
      store.expire();
      return ended;
    },
  };
};

export type Machine = Awaited<ReturnType<typeof machineWith>>;
