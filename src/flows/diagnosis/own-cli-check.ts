import {join} from 'node:path';
import type {Platform} from '../../platform/platform.ts';
import {type Check, type Finding, pass, warn} from './check.ts';

/**
 * The platform's own CLI, which keeps a sign-in and an address by itself. Its file is read and the program is not run: any
 * run of it would write into the person's home.
 */
export const ownCli = ({name, configPath}: NonNullable<Platform['ownCli']>): Check => ({
  id: 'own-cli',
  title: `The platform’s CLI, ${name}`,
  needs: [],
  run: async ({ports, machine: {place}, subject: {controlPlaneUrl}}): Promise<Finding> => {
    const path = join(place.home, ...configPath);
    const contents = await ports.files.read(path);
    if (!contents) return {verdict: 'skipped', saw: `${name} has not been used here`};
    const {readCliConfig} = await import('./own-cli-config.ts');
    const found = readCliConfig(contents.bytes.toString('utf8'));
    if (found === undefined) {
      const sentence = `${name} cannot read its own file ${path}.`;
      return warn(path, sentence, `Mend the file, or move it away: ${name} makes a new one.`);
    }
    if ((contents.mode & 0o077) !== 0 && process.platform !== 'win32') {
      const saw = `${path}, mode ${contents.mode.toString(8)}`;
      return warn(saw, `Others on this machine can read what ${name} keeps.`, `Close it: chmod 600 ${path}.`);
    }
    const {context, url} = found;
    if (url === undefined) return pass(`context ${context ?? 'none'}, no control plane`);
    const saw = `context ${context}, ${url}`;
    if (originOf(url) === originOf(controlPlaneUrl)) return pass(saw);
    return warn(
      saw,
      `${name} talks to ${url}, and this deployment is at ${controlPlaneUrl}.`,
      `If you want both at the same one, change the control plane of ${name}: ${name} config --help.`,
    );
  },
});

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
