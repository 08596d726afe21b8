import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {createsClients} from '../../support/release.ts';
import {createSurroundings, launcher} from '../../support/terminal/terminal-environment.ts';

/** The ready line of `setup sandbox --json`, as far as these tests use it. */
export type Ready = {
  readonly type: 'ready';
  readonly layout: string;
  readonly baseDomain: string;
  readonly controlPlaneUrl: string;
  readonly observerUrl: string;
  readonly authUrl: string;
  readonly admin: {readonly username: string; readonly password: string};
  readonly clients: readonly {
    readonly clientId: string;
    readonly clientSecret?: string;
    readonly tokenEndpointAuthMethod: string;
  }[];
};

export type RunningSandbox = {
  readonly ready: Ready;
  /** Ends the sandbox with a signal, and resolves with its exit code. */
  end(signal: 'SIGTERM' | 'SIGINT'): Promise<number | null>;
  /** Returns everything on standard output and standard error so far. */
  output(): {readonly stdout: string; readonly stderr: string};
};

/** Starts the built `setup sandbox` on free ports, and waits for its ready line. The caller ends the sandbox. */
export const startSandbox = (layout = 'single'): Promise<RunningSandbox> =>
  startSandboxWith(['--port', '0', '--layout', layout]);

/** Starts the same with these flags. */
export const startSandboxWith = async (flags: readonly string[]): Promise<RunningSandbox> => {
  const {env, temporary, remove} = createSurroundings();
  const child = spawn(process.execPath, [launcher, 'sandbox', ...flags, '--json'], {
    env,
    cwd: temporary,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = {stdout: '', stderr: ''};
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
    });
  }
  const ended = once(child, 'close').then(([code]) => {
    remove();
    return code as number | null;
  });
  const line = await Promise.race([
    once(createInterface({input: child.stdout}), 'line').then(([first]) => String(first)),
    ended.then(code => Promise.reject(new Error(`The sandbox exited with code ${code}. ${output.stderr}`))),
  ]);
  return {
    ready: JSON.parse(line),
    end: signal => {
      child.kill(signal);
      return ended;
    },
    output: () => ({...output}),
  };
};

type Whereabouts = Pick<Ready, 'baseDomain' | 'controlPlaneUrl' | 'observerUrl' | 'authUrl'>;

/** Returns flags with the addresses of a sandbox, because its base domain alone does not reveal free ports. */
export const flagsFor = ({baseDomain, controlPlaneUrl, observerUrl, authUrl}: Whereabouts): readonly string[] => [
  ...['--base-domain', baseDomain, '--control-plane-url', controlPlaneUrl],
  ...['--observer-url', observerUrl, '--auth-url', authUrl],
];

/**
 * Returns the arguments and the input for a sign-in as an MCP client if the person leaves everything to the program:
 * an administrator, whose password is on standard input, has it created. A release that does not allow that gets an
 * existing client.
 */
export const mcpClientSignIn = ({
  admin,
  clients,
}: Ready): {readonly args: readonly string[]; readonly stdin: string} => {
  if (createsClients) {
    return {args: ['--admin-username', admin.username, '--admin-password-stdin'], stdin: `${admin.password}\n`};
  }
  const client = clients.find(({tokenEndpointAuthMethod}) => tokenEndpointAuthMethod === 'client_secret_basic');
  if (!client?.clientSecret) throw new Error('Every release has a client with basic authentication.');
  return {
    args: ['--sign-in', 'mcp-client', '--client-id', client.clientId, '--client-secret-stdin'],
    stdin: `${client.clientSecret}\n`,
  };
};
