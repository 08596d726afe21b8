import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {createSurroundings, launcher} from '../../support/terminal-environment.ts';

/** The ready line of `setup sandbox --json`, as far as these tests read it. */
export type Ready = {
  readonly type: 'ready';
  readonly layout: string;
  readonly baseDomain: string;
  readonly controlPlaneUrl: string;
  readonly observerUrl: string;
  readonly authUrl: string;
  readonly admin: {readonly username: string; readonly password: string};
};

export type RunningSandbox = {
  readonly ready: Ready;
  /** Ends it with a signal; resolves with the exit code once it has. */
  end(signal: 'SIGTERM' | 'SIGINT'): Promise<number | null>;
  /** Everything on standard output and standard error so far. */
  output(): {readonly stdout: string; readonly stderr: string};
};

/** Starts the built `setup sandbox` on free ports, and waits for its ready line. The caller ends it. */
export const startSandbox = async (layout = 'single'): Promise<RunningSandbox> => {
  const {env, temporary, remove} = createSurroundings();
  const child = spawn(process.execPath, [launcher, 'sandbox', '--port', '0', '--layout', layout, '--json'], {
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
    ended.then(code => Promise.reject(new Error(`The sandbox ended with ${code}. ${output.stderr}`))),
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

/** The flags by which an administrator has an MCP client made; the password comes on standard input. */
export const adminFlags = ({admin}: Ready): readonly string[] => [
  ...['--admin-username', admin.username, '--admin-password-stdin'],
];
