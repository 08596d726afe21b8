import {existsSync} from 'node:fs';
import {hostname, userInfo} from 'node:os';
import type {Browser, BrowserObstacle, Env} from '../ports.ts';
import {findProgram} from '../processes/find-program.ts';

/** An opener that has not failed by then has opened something, in milliseconds: some end when the browser does. */
const PATIENCE = 1_500;

/** The same for PowerShell, which opens on Windows: it takes seconds to start, and ends by itself. */
const POWERSHELL_PATIENCE = 15_000;

/** The person's browser, through `open`, which knows the ways of macOS, Windows, WSL and the Linux desktops. No shell. */
export const createBrowser = (env: Env): Browser => ({
  obstacle: () => obstacleIn(env),
  open: async url => {
    // By its name alone it could be one of the working directory. The other systems' are where the system has them.
    const isNamed = process.platform === 'linux' && env.WSL_DISTRO_NAME === undefined;
    const isByPowerShell = !isNamed && process.platform !== 'darwin';
    const opener = isNamed ? await findProgram('xdg-open', env) : undefined;
    if (isNamed && opener === undefined) return false;
    const {default: open} = await import('open');
    try {
      const child = await open(url, opener === undefined ? {} : {app: {name: opener}});
      return await new Promise<boolean>(resolve => {
        child.once('error', () => resolve(false));
        child.once('exit', code => resolve(code === 0));
        setTimeout(resolve, isByPowerShell ? POWERSHELL_PATIENCE : PATIENCE, true).unref();
      });
    } catch {
      return false;
    }
  },
});

/** In a cluster a user may have no account. */
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
