import {existsSync} from 'node:fs';
import {hostname, userInfo} from 'node:os';
import type {Browser, BrowserObstacle, Env} from '../ports.ts';
import {findProgram} from '../processes/find-program.ts';
import {homeIn, shellVariables, start as startProcess} from '../processes/processes.ts';

/**
 * How long to wait for an opener to fail, in milliseconds. After that it counts as successful: some openers end only
 * with the browser that they opened.
 */
const TIMEOUT = 1_500;

/**
 * How long to wait for PowerShell to open the browser, in milliseconds. It takes seconds to start, and ends by itself:
 * after this time it counts as failed.
 */
const POWERSHELL_TIMEOUT = 15_000;

/** A process that opens an address. It has ended if its exit code is known. */
type Opener = {
  readonly exitCode: number | null;
  once(event: 'exit', listener: (code: number | null) => void): unknown;
  once(event: 'error', listener: () => void): unknown;
};

/** The properties of this machine, which tests replace. */
type Where = {
  readonly platform?: NodeJS.Platform;
  /** Starts the opener at that path. Without a path, starts PowerShell, and resolves when it has ended. */
  readonly start?: (url: string, opener: string | undefined) => Promise<Opener>;
  /** In milliseconds: for PowerShell, and for any other opener. */
  readonly timeouts?: readonly [powershell: number, other: number];
};

/**
 * Opens the person's browser: with the system's opener on Linux and macOS, with the package `open`, which starts
 * PowerShell, on Windows and in WSL.
 */
export const createBrowser = (
  env: Env,
  {platform = process.platform, start = startOpener(env), timeouts = [POWERSHELL_TIMEOUT, TIMEOUT]}: Where = {},
): Browser => ({
  obstacle: () => obstacleIn(env),
  open: async url => {
    const isByPowerShell = platform !== 'darwin' && (platform !== 'linux' || env.WSL_DISTRO_NAME !== undefined);
    const opener = platform === 'darwin' ? '/usr/bin/open' : await findProgram('xdg-open', env);
    if (!isByPowerShell && opener === undefined) return false;
    const [powershell, other] = timeouts;
    const {promise: late, resolve: giveUp} = Promise.withResolvers<boolean>();
    const timer = isByPowerShell
      ? setTimeout(giveUp, powershell, false).unref()
      : setTimeout(giveUp, other, true).unref();
    const started = start(url, isByPowerShell ? undefined : opener).then(hasEndedWell, () => false);
    return Promise.race([started, late]).finally(() => clearTimeout(timer));
  },
});

/**
 * Starts an opener. The package `open` runs programs from PATH, in the working directory, and npx puts that directory's
 * own programs on PATH. So the package is used only where it starts PowerShell, by PowerShell's absolute path. xdg-open
 * is a script that runs other programs, so it gets a PATH without those of the working directory.
 */
const startOpener =
  (env: Env) =>
  async (url: string, opener: string | undefined): Promise<Opener> => {
    if (opener !== undefined) {
      const options = {cwd: homeIn(env), env: shellVariables(env), stdio: 'ignore', detached: true} as const;
      const child = await startProcess(opener, [url], options);
      child.unref();
      return child;
    }
    const {default: open} = await import('open');
    return open(url);
  };

/** Whether a process has ended with success. It may have ended before a listener could be added. */
const hasEndedWell = (child: Opener): Promise<boolean> =>
  new Promise(resolve => {
    if (child.exitCode !== null) {
      resolve(child.exitCode === 0);
      return;
    }
    child.once('error', () => resolve(false));
    child.once('exit', code => resolve(code === 0));
  });

/** Returns the name of the user's account. A user in a cluster may have none. */
const nameOfAccount = (): string | undefined => {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
};

const obstacleIn = (env: Env): BrowserObstacle | undefined => {
  if (env.SSH_CONNECTION || env.SSH_CLIENT || env.SSH_TTY) {
    const [from, , server, port] = env.SSH_CONNECTION?.split(' ') ?? [env.SSH_CLIENT?.split(' ')[0]];
    const name = env.USER ?? nameOfAccount();
    const person = `${name === undefined ? '' : `${name}@`}${server ?? hostname()}`;
    const destination = port && port !== '22' ? `-p ${port} ${person}` : person;
    return {kind: 'ssh', destination, ...(from ? {from} : {})};
  }
  const isWsl = env.WSL_DISTRO_NAME !== undefined;
  if (!isWsl && (existsSync('/.dockerenv') || existsSync('/run/.containerenv') || env.container))
    return {kind: 'container'};
  const needsDisplay = process.platform === 'linux' && !isWsl;
  if (needsDisplay && !env.DISPLAY && !env.WAYLAND_DISPLAY && !env.BROWSER) return {kind: 'no-display'};
  return undefined;
};
