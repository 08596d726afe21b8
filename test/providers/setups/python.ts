import {join} from 'node:path';
import {onPath} from '../../cluster/support/tools.ts';
import {type Installed, installed} from '../support/cache.ts';
import {run} from '../support/program.ts';

/** Creates a Python environment with packages from PyPI. */
export const installPackages = async (name: string, packages: readonly string[]): Promise<Installed> => {
  if (onPath('python3') === undefined) return {missing: 'python3 is not on PATH'};
  return installed(name, async directory => {
    await run('python3', ['-m', 'venv', directory]);
    await run(join(directory, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  });
};
