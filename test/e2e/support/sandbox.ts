import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {createsClients} from '../../support/release.ts';
import {createSurroundings, launcher} from '../../support/terminal/terminal-environment.ts';

/** The ready line of `setup sandbox --json`, as far as these tests read it. */
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
  /** Ends it with a signal; resolves with the exit code once it has. */
  end(signal: 'SIGTERM' | 'SIGINT'): Promise<number | null>;
  /** Everything on standard output and standard error so far. */
  output(): {readonly stdout: string; readonly stderr: string};
};

/** Starts the built `setup sandbox` on free ports, and waits for its ready line. The caller ends it. */
export const startSandbox = (layout = 'single'): Promise<RunningSandbox> =>
  startSandboxWith(['--port', '0', '--layout', layout]);

/** The same with these flags. */
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

/** The flags that lead to a sandbox, which no base domain tells on free ports. */
export const flagsFor = ({baseDomain, controlPlaneUrl, observerUrl, authUrl}: Whereabouts): readonly string[] => [
  ...['--base-domain', baseDomain, '--control-plane-url', controlPlaneUrl],
  ...['--observer-url', observerUrl, '--auth-url', authUrl],
];

/**
 * How an MCP client signs in where the person leaves everything to the program: an administrator has it created, whose
 * password comes on standard input; where the release does not let that be, one is used that is there.
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
